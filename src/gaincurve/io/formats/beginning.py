"""How a file begins: the one place that tells JSON, JSON lines, markup and tables apart, for runs, logs and texts."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any


@dataclass(frozen=True)
class Known:
    """What every record of a format says, whatever it holds: `ls formats`, the docs and the tests read it.

    `example` is a literal file, as its tool writes it; `begins` recognises it by its beginning, None where more is
    needed.
    """

    title: str
    about: str
    example: str
    begins: Callable[[Beginning], bool] | None = None


@dataclass(frozen=True)
class Beginning:
    """The first line that is neither blank nor a comment, and the one after it, '' where there is none."""

    line: str
    second: str = ""

    @property
    def is_json(self) -> bool:
        """Whether it is one JSON value, or one a line."""
        return self.line[:1] in ("{", "[")

    @property
    def is_markup(self) -> bool:
        """Whether it begins with a tag."""
        return self.line[:1] == "<"

    @cached_property
    def record(self) -> Mapping[str, Any] | None:
        """The first line as a JSON object by itself; None where it is none."""
        if self.line[:1] != "{":
            return None
        try:
            value = json.loads(self.line)
        except (ValueError, RecursionError):
            return None
        return value if isinstance(value, dict) else None

    def is_lines(self, is_record: Callable[[Mapping[str, Any]], bool]) -> bool:
        """Whether each line is a JSON record of its own; `is_record` says it of a file that has one line only."""
        return self.record is not None and (self.second.lstrip()[:1] == "{" or is_record(self.record))
