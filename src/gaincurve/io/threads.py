"""Work handed to threads, or done at once where there is only one: then nothing of the machinery is even imported."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Any, Generic, TypeVar

T = TypeVar("T")


def default_threads() -> int:
    """One for each core that the process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Ahead(Generic[T]):
    """Items that a thread of their own makes ready, at most `most` of them before they are wanted."""

    def __init__(self, items: Iterable[T], most: int):
        import queue  # noqa: PLC0415 -- text is read without it
        import threading  # noqa: PLC0415

        self._items, self._room = items, threading.Semaphore(most)
        self._ready: queue.SimpleQueue[tuple[bool, Any]] = queue.SimpleQueue()
        self._stopping = False
        self._thread = threading.Thread(target=self._make, daemon=True)
        self._thread.start()

    def _make(self) -> None:
        try:
            for item in self._items:
                self._room.acquire()
                if self._stopping:
                    return
                self._ready.put((True, item))
            self._ready.put((False, None))
        except BaseException as error:
            self._ready.put((False, error))

    def __iter__(self) -> Iterator[T]:
        while True:
            there, item = self._ready.get()
            if not there:
                if item is not None:
                    raise item
                return
            self._room.release()
            yield item

    def close(self) -> None:
        """Make no more items."""
        self._stopping = True
        self._room.release()
        self._thread.join()


class Workers:
    """Threads that take work in order; `submit` gives a function that waits for the result and returns it."""

    def __init__(self, threads: int):
        self.threads = threads
        self._pool: Any = None
        self.stopping = False

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stopping = kind is not None  # long work looks here: it is waited for
        self.close()

    def close(self) -> None:
        """Wait for what was begun; what was not begun is never done."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def submit(self, work: Callable[..., T], *arguments: Any) -> Callable[[], T]:
        """Begin the work; with one thread it waits until its result is wanted."""
        if self.threads == 1:
            return lambda: work(*arguments)
        if self._pool is None:
            from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 -- it loads logging and queues

            self._pool = ThreadPoolExecutor(self.threads)
        result: Callable[[], T] = self._pool.submit(work, *arguments).result
        return result
