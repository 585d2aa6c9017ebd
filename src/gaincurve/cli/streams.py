"""Standard input, output and error: closed, full or gone, they change no verdict and are no bug of ours."""

from __future__ import annotations

import io
import math
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

import click

from gaincurve.errors import InputError, Problem, visible
from gaincurve.io.results import reason

CLEARING = 2.0
"""Seconds for which further signals are ignored: Ctrl-C is pressed twice, and HUP follows TERM."""


class Stopped(BaseException):
    """A signal asks us to end; whoever holds a temporary file removes it on the way out."""

    def __init__(self, number: int):
        self.number = number
        super().__init__(number)


def prepare() -> None:
    """Open what the caller closed, and end in order on INT, TERM and HUP: for a process of our own."""
    for descriptor, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(descriptor)
        except OSError:  # else the next file opened would take its place
            os.open(os.devnull, os.O_RDWR if descriptor else os.O_RDONLY)
        if getattr(sys, name) is None:
            setattr(sys, name, open(descriptor, "w" if descriptor else "r", encoding="utf-8", closefd=False))  # noqa: SIM115
    stop = _stopping()
    for number in (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):  # nohup ignores HUP: so do we
            signal.signal(number, stop)


def _stopping() -> Callable[[int, FrameType | None], None]:
    """What a signal does: the first ends us, and those that follow at once do not stop the clearing away."""
    last = -math.inf

    def stop(number: int, _: FrameType | None) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last > CLEARING:
            last = now
            raise KeyboardInterrupt if number == signal.SIGINT else Stopped(number)

    return stop


def say(text: str) -> None:
    """Write lines to stderr, control characters visible, if anybody listens."""
    shown = "\n".join(visible(line) for line in text.split("\n"))
    try:
        click.echo(shown.encode("utf-8", "backslashreplace"), err=True)
    except (OSError, ValueError):
        _discard(sys.stderr)


def write_out(data: bytes, escaped: bool = False) -> None:
    """Write a result to stdout, byte for byte unless that is a terminal; `escaped`: it has only escapes of our own."""
    if not escaped and sys.stdout.isatty():
        lines = data.decode("utf-8", "surrogateescape").split("\n")
        cells = ("\t".join(visible(cell, len(cell)) for cell in line.split("\t")) for line in lines)
        data = "\n".join(cells).encode("utf-8", "backslashreplace")
    try:
        click.echo(data, nl=False)
    except OSError as error:
        _discard(sys.stdout)
        if isinstance(error, BrokenPipeError):  # the reader has seen enough, as `head` does
            return
        raise unwritable(error) from None


def unwritable(error: OSError) -> InputError:
    """The error for results that standard output did not take."""
    what = f"standard output cannot be written: {reason(error)}"
    return InputError(Problem("output-unwritable", what, hint="free some space, or write elsewhere with -o FILE"))


def finish() -> None:
    """Write what is left in the buffer of stdout."""
    try:
        sys.stdout.flush()
    except OSError as error:
        _discard(sys.stdout)
        if not isinstance(error, BrokenPipeError):
            raise unwritable(error) from None


def _discard(stream: object) -> None:
    """Let what a stream still holds, and all that follows, go nowhere: Python writes it once more at its end."""
    with suppress(OSError, ValueError, AttributeError, io.UnsupportedOperation):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # type: ignore[attr-defined]
