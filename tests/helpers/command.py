"""The type of the fixture `gaincurve`, which calls the command line in this process."""

from __future__ import annotations

from collections.abc import Callable
from subprocess import CompletedProcess

Command = Callable[..., "CompletedProcess[str]"]
