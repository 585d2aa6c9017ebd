"""Where results go: to stdout or a file, in the format asked for."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import click

from gaincurve.errors import ChoiceError, Problem, nearest
from gaincurve.io.render import FIGURES, FORMATS, SUFFIXES, Table, render
from gaincurve.io.results import document, write_whole
from gaincurve.model.source import Note, Source


@dataclass(frozen=True)
class Output:
    """The choices of -f, -o, --digits and --quiet."""

    format: str
    out: str | None
    digits: int | None
    quiet: bool

    @classmethod
    def checked(cls, format_: str | None, out: str | None, digits: int | None, quiet: bool, figures: bool) -> Output:
        """The format given, or the one that the suffix of the file names; `figures`: the command can draw."""
        suffix = os.path.splitext(out)[1].lower() if out else ""
        if format_ is not None:
            if format_ not in FORMATS:
                what = f"--format cannot be {format_!r}{nearest(format_, FORMATS)}"
                raise ChoiceError(Problem("format-unknown", what, hint=f"use one of: {', '.join(FORMATS)}"))
        elif suffix in FIGURES and figures:
            format_ = suffix[1:]
        elif suffix in SUFFIXES:
            format_ = SUFFIXES[suffix]
        elif out and out != "-":
            known = [*SUFFIXES, *(FIGURES if figures else ())]
            what = f"the suffix of {out} names no format this command writes"
            raise ChoiceError(Problem("format-unknown", what, hint=f"use -f, or one of {' '.join(known)}"))
        else:
            format_ = "table" if sys.stdout.isatty() else "tsv"
        return cls(format_, None if out == "-" else out, digits, quiet)

    @property
    def is_figure(self) -> bool:
        """Whether a figure was asked for."""
        return f".{self.format}" in FIGURES

    @property
    def digest(self) -> bool:
        """Whether the result names the SHA-256 of its inputs."""
        return self.format == "json"

    def tell(self, *lines: str | Note) -> None:
        """Write notes to stderr, unless --quiet was given."""
        tell(self.quiet, *lines)

    def draw(self, chart: Callable[[], Any], notes: Iterable[Note]) -> None:
        """Write a figure to the file."""
        from gaincurve.figures import save  # noqa: PLC0415 -- an extra

        self.tell(*notes)
        save(chart(), str(self.out))
        self.tell(f"wrote {self.out}")

    def emit(
        self,
        wide: Callable[[], Table | list[Table]],
        tidy: Callable[[], Table],
        shape: Callable[[], dict[str, object]],
        inputs: Iterable[Source] = (),
        notes: Iterable[Note] = (),
    ) -> None:
        """Write a result: `wide` for people, `tidy` with one signed number per row for programs, `shape` for JSON."""
        notes = tuple(notes)
        self.tell(*notes)
        if self.format == "json":
            self.write(document(shape(), inputs, notes))
        elif self.format in ("tsv", "csv", "jsonl"):
            self.write(render(tidy(), self.format, self.digits))
        else:
            on_screen = self.out is None and sys.stdout.isatty()
            width = _terminal_width() if on_screen else None
            color = on_screen and not os.environ.get("NO_COLOR")
            result = wide()
            tables = [result] if isinstance(result, Table) else result
            self.write("\n".join(render(table, self.format, self.digits, width, color) for table in tables))

    def write(self, text: str) -> None:
        """Write text to the file or to stdout, ids byte for byte as they were read."""
        data = text.encode("utf-8", "surrogateescape")
        if self.out is None:
            click.echo(data, nl=False)
            return
        write_whole(self.out, data)
        self.tell(f"wrote {self.out}")


def tell(quiet: bool, *lines: str | Note) -> None:
    """Write notes to stderr; control characters are escaped, because file names and ids are not our own text."""
    if not quiet:
        for line in lines:
            visible = "".join(
                character if character.isprintable() else repr(character)[1:-1] for character in str(line)
            )
            click.echo(visible.encode("utf-8", "backslashreplace"), err=True)


def _terminal_width() -> int:
    import shutil  # noqa: PLC0415 -- only on a terminal: it loads every kind of archive

    return shutil.get_terminal_size().columns
