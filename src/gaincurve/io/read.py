"""Read judgments and runs: the content decides the format, not the file's name."""

from __future__ import annotations

import os

from gaincurve._scan_py import next_newline, pieces, scan
from gaincurve.errors import InputError, Problem
from gaincurve.io.content import Content, read_content
from gaincurve.io.json_maps import read_json
from gaincurve.io.tables import DELIMITERS, parse_record, read_delimited, read_json_lines
from gaincurve.io.trec import LAYOUTS, Layout, read_trec
from gaincurve.model.columns import find, split_columns
from gaincurve.model.judgments import Judgments
from gaincurve.model.rows import Rows
from gaincurve.model.run import Run
from gaincurve.model.source import counted, shorten

FORMATS: tuple[tuple[str, str, str], ...] = (
    *(("judgments", layout.title, layout.columns) for layout in LAYOUTS["judgments"].values()),
    *(("runs", layout.title, layout.columns) for layout in LAYOUTS["run"].values()),
    ("both", "CSV, TSV", "a header names the columns, e.g. query_id, doc_id, relevance or score"),
    ("both", "JSON", "{topic: {document: value}}; runs also {topic: [documents in order]}; a list of records"),
    ("both", "JSON lines", "one record a line with named values"),
    (
        "efficiency",
        "JSON lines",
        '{"topic", "latency_ms"} for each measured query; once {"indexing_s", "index_bytes", '
        '"text_bytes"}, any of them; once {"queries", "wall_s", "threads"}',
    ),
    ("all", "gz, bz2, xz, zst", "any of the above, packed; recognised by the first bytes"),
)
"""What can be read, for `gaincurve ls formats` and the documentation."""

_NAME_SUFFIXES = {
    ".gz", ".bz2", ".xz", ".zst", ".run", ".txt", ".trec", ".res", ".results", ".tsv", ".csv", ".json", ".jsonl",
    ".ndjson", ".out",
}  # fmt: skip


def read_judgments(
    path: str | os.PathLike[str], *, duplicates: str = "error", subtopics: bool = False, digest: bool = True
) -> Judgments:
    """Judgments from a file, or from standard input for '-'; `digest` keeps the file's SHA-256 for JSON output.

    With `subtopics` the second column of TREC qrels names the subtopic that was judged (diversity qrels); other
    formats have a column of that name.
    """
    return Judgments.from_rows(_rows(path, "judgments", with_subtopics=subtopics, digest=digest), duplicates)


def read_run(
    path: str | os.PathLike[str],
    *,
    name: str | None = None,
    ties: str = "trec",
    duplicates: str = "error",
    digest: bool = True,
) -> Run:
    """A run from a file, ranked by the rule `ties`; its name is the file's without folders and usual suffixes."""
    rows = _rows(path, "run", with_ranks=ties == "rank", digest=digest)
    return Run.from_rows(rows, run_name(path) if name is None else name, ties, duplicates)


def read_run_with_ranks(path: str | os.PathLike[str], *, duplicates: str = "error") -> Run:
    """A run with its rank column, to compare it with the scores."""
    return Run.from_rows(_rows(path, "run", with_ranks=True), run_name(path), duplicates=duplicates)


def run_name(path: str | os.PathLike[str]) -> str:
    """runs/bm25.run.gz → bm25; a suffix that is not one of a data file belongs to the name."""
    if os.fspath(path) == "-":
        return "stdin"
    name = os.path.basename(os.fspath(path))
    stem, suffix = os.path.splitext(name)
    while suffix.lower() in _NAME_SUFFIXES:
        name = stem
        stem, suffix = os.path.splitext(name)
    return name


def session_name(path: str | os.PathLike[str]) -> str:
    """logs/system-a.sessions.jsonl → system-a."""
    name = run_name(path)
    for suffix in (".xml", ".sessions"):
        name = name.removesuffix(suffix)
    return name


def _rows(
    path: str | os.PathLike[str],
    kind: str,
    with_ranks: bool = False,
    with_subtopics: bool = False,
    digest: bool = True,
) -> Rows:
    return rows_of(read_content(path, digest), kind, with_ranks, with_subtopics)


def rows_of(content: Content, kind: str, with_ranks: bool = False, with_subtopics: bool = False) -> Rows:
    """Rows of a file's content, whatever its format."""
    offset, line = _first_line(content)
    if line[:1] in "{[":
        return read_json_lines(content, kind) if _is_json_lines(content, offset, line) else read_json(content, kind)
    delimiter = _header_delimiter(line)
    if delimiter is not None:
        return read_delimited(content, kind, delimiter)
    layout = _layout(content, kind, split_columns(line), offset)
    return read_trec(content, kind, layout, with_ranks, with_subtopics)


def trec_layout(content: Content) -> Layout | None:
    """The columns of a run in TREC's format, or None if it is in another one or needs a closer look."""
    try:
        offset, line = _first_line(content)
        if line[:1] in "{[" or _header_delimiter(line) is not None:
            return None
        return _layout(content, "run", split_columns(line), offset)
    except InputError:
        return None


def _first_line(content: Content) -> tuple[int, str]:
    """Place and text of the first line that is neither blank nor a comment."""
    for start, stop in pieces(content.buffer, content.start, content.stop, size=1 << 16):
        lines = scan(content.buffer, start, stop)
        if len(lines.first):
            offset = int(lines.starts[lines.first[0]])
            return offset, content.line_at(offset).rstrip(" \t\r\n\x0b\x0c")
    raise InputError(Problem("input-empty", f"{content.path} has only blank lines and comments", content.path))


def _is_json_lines(content: Content, offset: int, line: str) -> bool:
    record = parse_record(line)
    if isinstance(record, str):
        return False
    rest = content.buffer[next_newline(content.buffer, offset, content.stop) : content.stop].tobytes().lstrip()
    plain = not any(isinstance(value, dict | list) for value in record.values())
    return rest[:1] in (b"{", b"#") or (plain and find("topic", list(record)) is not None)


def _fields(line: str, delimiter: str) -> list[str]:
    return split_columns(line) if delimiter == " " else [field.strip().strip('"') for field in line.split(delimiter)]


def _header_delimiter(line: str) -> str | None:
    """The delimiter of a header whose names we know, or None if the line is no header."""
    for delimiter in DELIMITERS:
        names = _fields(line, delimiter)
        roles = [role for role in ("topic", "document", "grade", "score", "rank") if find(role, names) is not None]
        if len(names) > 1 and (("topic" in roles and "document" in roles) or len(roles) > 2):
            values = [name for name in names if _is_number(name)]
            if not values:
                return delimiter
    return None


def _layout(content: Content, kind: str, fields: list[str], offset: int) -> Layout:
    width = len(fields)
    place = content.place(offset)
    if kind == "judgments" and width in (5, 6) and _is_number(fields[4]):
        raise InputError(Problem("judgments-look-like-run", f"{content.path} has the {width} columns of a run", place))
    if kind == "run" and width == 4 and _is_number(fields[3]):
        raise InputError(Problem("run-looks-like-judgments", f"{content.path} has the 4 columns of judgments", place))
    if width in LAYOUTS[kind]:
        return LAYOUTS[kind][width]
    text = " ".join(fields)
    line = shorten(text)
    if width == 1 and ("," in text or ";" in text):
        what = f"a table without a header we know: {line}"
        raise InputError(Problem("input-header", what, place))
    if (width == 1 and not text.isascii()) or any(not char.isprintable() for char in "".join(fields[:6])):
        raise InputError(Problem("input-format", f"the first line is no text we can use: {line}", place))
    expected = "; ".join(f"{count}: {layout.columns}" for count, layout in LAYOUTS[kind].items())
    widths = " or ".join(map(str, LAYOUTS[kind]))
    what = f"{counted(width, 'column')} where {widths} were expected ({expected}): {line}"
    raise InputError(Problem("input-columns", what, place))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
