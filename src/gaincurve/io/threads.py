"""Work handed to threads, or done at once where there is only one: then nothing of the machinery is even imported."""

from __future__ import annotations

import os
from collections.abc import Callable
from types import TracebackType
from typing import Any, TypeVar

T = TypeVar("T")


def default_threads() -> int:
    """One for each core that the process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


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
