"""What a program writes to a terminal."""

from __future__ import annotations

import os
import select
import subprocess
from collections.abc import Mapping, Sequence

import pytest


def on_a_terminal(words: Sequence[str], stream: str, environment: Mapping[str, str]) -> bytes:
    """Run a program that ends well with one of its streams, stdout or stderr, on a terminal; what it wrote there."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    streams = {"stdout": subprocess.DEVNULL, "stderr": None, stream: theirs}
    process = subprocess.Popen(words, env=dict(environment), **streams)
    os.close(theirs)
    found = b""
    while select.select([ours], [], [], None)[0]:
        try:
            block = os.read(ours, 4096)
        except OSError:  # Linux tells the end of a terminal so
            break
        if not block:
            break
        found += block
    os.close(ours)
    assert process.wait() == 0
    return found
