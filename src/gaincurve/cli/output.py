"""Where results go: to stdout or a file, in the format asked for."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import click

from gaincurve.cli.streams import say, write_out
from gaincurve.errors import ChoiceError, InputError, Problem, nearest, visible
from gaincurve.io.addresses import files_of
from gaincurve.io.columnar import BINARY, check_extra, columnar
from gaincurve.io.render import FIGURES, FORMATS, SUFFIXES, Table, as_tidy, render
from gaincurve.io.results import check_target, document, reason, write_whole
from gaincurve.model.source import Note, Source
from gaincurve.model.tables.tidy import Tidy


@dataclass(frozen=True)
class Output:
    """The choices of -f, -o, --digits and --quiet."""

    format: str
    out: str | None
    digits: int | None
    quiet: bool

    @classmethod
    def checked(
        cls, format_: str | None, out: str | None, digits: int | None, quiet: bool, figures: bool, dvc: bool = False
    ) -> Output:
        """The format given, or the one that the suffix of the file names; `figures`: the command can draw.

        `dvc`: its numbers are metrics or plots of DVC.
        """
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
        _check_format(format_, out, dvc)
        check_out(out)
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
        """Write notes to stderr; with --quiet only those that are never hidden."""
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
        tidy: Callable[[], Tidy | Table],
        shape: Callable[[], dict[str, object]],
        inputs: Iterable[Source] = (),
        notes: Iterable[Note] = (),
        dvc: Callable[[], object] = dict,
    ) -> None:
        """Write a result: `wide` for people, `tidy` with one signed number per row for programs, `shape` for JSON.

        `dvc` is what DVC reads.
        """
        notes = tuple(notes)
        self.tell(*notes)
        if self.format in BINARY:
            self.write_bytes(columnar(as_tidy(tidy()), self.format))
        elif self.format == "dvc":
            self.write(json.dumps(dvc(), indent=2, allow_nan=False) + "\n")
        elif self.format == "json":
            self.write(document(shape(), inputs, notes))
        elif self.format in ("tsv", "csv", "jsonl"):
            self.write(render(tidy(), self.format, self.digits))
        else:
            on_screen = self.out is None and sys.stdout.isatty()
            width = _terminal_width() if on_screen else None
            color = on_screen and not os.environ.get("NO_COLOR")
            result = wide()
            tables = [result] if isinstance(result, Table) else result
            text = "\n".join(render(table, self.format, self.digits, width, color) for table in tables)
            self.write(text, escaped=True)

    @contextmanager
    def verdict_stands(self) -> Iterator[None]:
        """Go on where stdout cannot be written, with the reason on stderr: the exit code is the answer."""
        try:
            yield
        except InputError as error:
            if self.out is not None or error.slug != "output-unwritable":
                raise
            say(str(error))

    def write(self, text: str, escaped: bool = False) -> None:
        """Write text to the file or to stdout, ids byte for byte as they were read unless a terminal shows them."""
        self.write_bytes(text.encode("utf-8", "surrogateescape"), escaped)

    def write_bytes(self, data: bytes, escaped: bool = False) -> None:
        """Write bytes to the file or to stdout."""
        if self.out is None:
            write_out(data, escaped)
            return
        write_whole(self.out, data)
        self.tell(f"wrote {self.out}")

    def summarise(self, title: str, wide: Callable[[], Table | list[Table]]) -> None:
        """Append the tables as Markdown to the summary of a GitHub Actions step, where there is one."""
        path = os.environ.get("GITHUB_STEP_SUMMARY")
        if not path:
            return
        result = wide()
        tables = [result] if isinstance(result, Table) else result
        text = "\n".join([f"### {title}\n", *(render(table, "md", self.digits) for table in tables), ""])
        try:
            with open(path, "ab") as file:
                file.write(text.encode("utf-8", "surrogateescape"))
        except OSError as error:
            what = f"GITHUB_STEP_SUMMARY {path} cannot be written: {reason(error)}"
            self.tell(Note("summary-unwritten", what))


def _check_format(format_: str, out: str | None, dvc: bool) -> None:
    """Refuse a format that this command, this terminal or this installation cannot write."""
    if format_ == "dvc" and not dvc:
        what = "this command has nothing for -f dvc"
        raise ChoiceError(Problem("format-unknown", what, hint="eval and session write metrics, curve writes plots"))
    if format_ in BINARY:
        check_extra(format_)
        if out in (None, "-") and sys.stdout.isatty():
            what = f"-f {format_} writes bytes, which no terminal shows"
            raise ChoiceError(Problem("format-unknown", what, hint=f"use -o FILE.{format_}, or a pipe"))


def tell(quiet: bool, *lines: str | Note) -> None:
    """Write notes to stderr; control characters are escaped, because file names and ids are not our own text."""
    for line in lines:
        if quiet and not (isinstance(line, Note) and line.loud):
            continue
        say(visible(str(line)))


def check_out(out: str | None, option: str = "-o") -> None:
    """Refuse, before anything is read, a file that cannot be written, or is an input under whatever name or link."""
    if out is None or out == "-":
        return
    check_target(out)
    if not os.path.isfile(out):
        return
    own = {"-o": "out", "OUT": "out"}.get(option, option.removeprefix("--"))
    context = click.get_current_context(silent=True)
    given = [value for name, value in context.params.items() if name != own] if context else []
    for path in _inputs(given):
        if path == "-" and _is_stdin(out):
            raise ChoiceError(
                Problem("output-is-input", f"{option} {out} would replace what standard input reads", out)
            )
        if os.path.isfile(path) and os.path.samefile(path, out):
            raise ChoiceError(Problem("output-is-input", f"{option} {out} would replace an input", path))


def _inputs(values: Iterable[object]) -> Iterator[str]:
    """Every file that the arguments may name, as PATH, NAME=PATH or PATH#PART, by a pattern, or by their folder."""
    for value in values:
        if isinstance(value, tuple):
            yield from _inputs(value)
        elif isinstance(value, str) and "\0" not in value:
            for path in {value, value.partition("=")[2]} - {""}:
                yield path
                yield from files_of(path)


def _is_stdin(out: str) -> bool:
    """Whether the shell opened this file as standard input."""
    with suppress(OSError, ValueError, AttributeError):  # a stream without a file behind it
        return os.path.samestat(os.fstat(sys.stdin.fileno()), os.stat(out))
    return False


def _terminal_width() -> int:
    import shutil  # noqa: PLC0415 -- only on a terminal: it loads every kind of archive

    return shutil.get_terminal_size().columns
