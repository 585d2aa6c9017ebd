"""Read judgments and runs: the content decides the format, not the file's name."""

from __future__ import annotations

import json
import os
import re

from gaincurve._scan_py import next_newline, pieces, scan
from gaincurve.errors import InputError, Problem
from gaincurve.io.content import Content, Early, read_content
from gaincurve.io.json_maps import read_json
from gaincurve.io.memory import OBJECTS, refuse_size
from gaincurve.io.tables import DELIMITERS, read_delimited, read_json_lines
from gaincurve.io.trec import LAYOUTS, Layout, read_trec
from gaincurve.model.columns import VALUE, Given, find, given_columns, split_columns
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

_PIECE = 1 << 20
_HEADER_ROLES = ("topic", "document", "grade", "score", "rank")
_NAME_SUFFIXES = {
    ".gz", ".bz2", ".xz", ".zst", ".run", ".txt", ".trec", ".res", ".results", ".tsv", ".csv", ".json", ".jsonl",
    ".ndjson", ".out",
}  # fmt: skip


def read_judgments(
    path: str | os.PathLike[str],
    *,
    duplicates: str = "error",
    subtopics: bool = False,
    digest: bool = True,
    columns: Given | None = None,
    grades_are_scores: bool = False,
) -> Judgments:
    """Judgments from a file, or from standard input for '-'; `digest` keeps the file's SHA-256 for JSON output.

    With `subtopics` the second column of TREC qrels names the subtopic that was judged (diversity qrels); other
    formats have a column of that name. `columns` names the columns of tables and records: {"document": "docno"}.
    Values that look like a run's scores are refused, unless `grades_are_scores`.
    """
    content = read_content(path, digest, early_look("judgments", columns))
    rows = rows_of(content, "judgments", with_subtopics=subtopics, columns=columns)
    return Judgments.from_rows(rows, duplicates, grades_are_scores=grades_are_scores)


def read_run(
    path: str | os.PathLike[str],
    *,
    name: str | None = None,
    ties: str = "trec",
    duplicates: str = "error",
    digest: bool = True,
    columns: Given | None = None,
) -> Run:
    """A run from a file, ranked by the rule `ties`; its name is the file's without folders and usual suffixes.

    `columns` names the columns of tables and records: {"document": "docno"}.
    """
    rows = rows_of(
        read_content(path, digest, early_look("run", columns)), "run", with_ranks=ties == "rank", columns=columns
    )
    return Run.from_rows(rows, run_name(path) if name is None else name, ties, duplicates)


def read_run_with_ranks(
    path: str | os.PathLike[str], *, duplicates: str = "error", columns: Given | None = None
) -> Run:
    """A run with its rank column, to compare it with the scores."""
    rows = rows_of(read_content(path, early=early_look("run", columns)), "run", with_ranks=True, columns=columns)
    return Run.from_rows(rows, run_name(path), duplicates=duplicates)


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


def same_file(first: str | os.PathLike[str], second: str | os.PathLike[str]) -> bool:
    """Whether two paths lead to the same file, or to copies of it."""
    if not (os.path.isfile(first) and os.path.isfile(second)):
        return False
    if os.path.samefile(first, second):
        return True
    if os.path.getsize(first) != os.path.getsize(second) or not os.path.getsize(first):
        return False
    try:
        with open(first, "rb") as left, open(second, "rb") as right:
            while piece := left.read(_PIECE):
                if piece != right.read(_PIECE):
                    return False
    except OSError:  # the reader reports what is wrong with it
        return False
    return True


def session_name(path: str | os.PathLike[str]) -> str:
    """logs/system-a.sessions.jsonl → system-a."""
    name = run_name(path)
    for suffix in (".xml", ".sessions"):
        name = name.removesuffix(suffix)
    return name


def rows_of(
    content: Content,
    kind: str,
    with_ranks: bool = False,
    with_subtopics: bool = False,
    columns: Given | None = None,
) -> Rows:
    """Rows of a file's content, whatever its format."""
    given = given_columns(columns)
    offset, line = _first_line(content)
    if line[:1] in "{[":
        refuse_size(content.path, content.stop, OBJECTS)
        of_lines = _is_json_lines(content, offset, line, given)
        return read_json_lines(content, kind, given) if of_lines else read_json(content, kind, given)
    delimiter = _header_delimiter(line, given)
    if delimiter is not None:
        refuse_size(content.path, content.stop, OBJECTS)
        return read_delimited(content, kind, delimiter, given)
    layout = _layout(content, kind, split_columns(line), offset)
    return read_trec(content, kind, layout, with_ranks, with_subtopics)


def early_look(kind: str, columns: Given | None) -> Early:
    """Refuse by its first line what is neither JSON nor a table nor TREC columns, before all of it is read."""

    def look(content: Content) -> None:
        try:
            offset, line = _first_line(content)
        except InputError:  # only comments so far
            return
        if line[:1] not in "{[" and _header_delimiter(line, given_columns(columns)) is None:
            _layout(content, kind, split_columns(line), offset)

    return look


def trec_layout(content: Content, columns: Given | None = None) -> Layout | None:
    """The columns of a run in TREC's format, or None if it is in another one or needs a closer look."""
    try:
        offset, line = _first_line(content)
        if line[:1] in "{[" or _header_delimiter(line, columns) is not None:
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


def _is_json_lines(content: Content, offset: int, line: str, given: Given) -> bool:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return False
    if not isinstance(record, dict):
        return False
    rest = content.buffer[next_newline(content.buffer, offset, content.stop) : content.stop].tobytes().lstrip()
    plain = not any(isinstance(value, dict | list) for value in record.values())
    return rest[:1] in (b"{", b"#") or (plain and _plays("topic", list(record), given))


def _fields(line: str, delimiter: str) -> list[str]:
    return split_columns(line) if delimiter == " " else [field.strip().strip('"') for field in line.split(delimiter)]


def _plays(role: str, names: list[str], given: Given | None) -> bool:
    """Whether a column can play the role, by a usual name or by the one the user gave."""
    return find(role, names) is not None or find(role, names, given) is not None


def _header_delimiter(line: str, given: Given | None = None) -> str | None:
    """The delimiter of a header whose names we know, or None if the line is no header."""
    for delimiter in DELIMITERS:
        names = _fields(line, delimiter)
        roles = [role for role in _HEADER_ROLES if _plays(role, names, given)]
        if len(names) > 1 and (("topic" in roles and "document" in roles) or len(roles) > 2):
            values = [name for name in names if _is_number(name)]
            if not values:
                return delimiter
    return None


def _layout(content: Content, kind: str, fields: list[str], offset: int) -> Layout:
    width = len(fields)
    place = content.place(offset)
    _refuse_foreign(content, content.line_at(offset), place)
    if kind == "judgments" and _of_a_run(fields):
        raise InputError(Problem("judgments-look-like-run", f"{content.path} has the {width} columns of a run", place))
    if kind == "run" and width == 4 and _ranked_and_scored(fields):
        what = f"4 columns that could be topic, document, rank and score: {shorten(' '.join(fields))}"
        hint = "name the columns in a first line: topic document rank score"
        raise InputError(Problem("input-columns", what, place, hint))
    if kind == "run" and width == 4 and _is_number(fields[3]):
        raise InputError(Problem("run-looks-like-judgments", f"{content.path} has the 4 columns of judgments", place))
    if kind == "run" and width in (5, 6) and _exchanged(fields[3], fields[4]):
        what = f"rank {shorten(fields[3])} and score {shorten(fields[4])} seem to be exchanged"
        raise InputError(Problem("run-rank", what, place))
    if width in LAYOUTS[kind]:
        return LAYOUTS[kind][width]
    text = " ".join(fields)
    line = shorten(text)
    if "\xa0" in content.line_at(offset):
        what = f"the columns are separated by non-breaking spaces: {line}"
        hint = f"replace them, e.g. sed 's/\\xc2\\xa0/ /g' {content.path}"
        raise InputError(Problem("input-columns", what, place, hint))
    delimiter = next((mark for mark in ("\t", ",", ";") if content.line_at(offset).count(mark) >= 2), None)
    if delimiter is not None or (width == 1 and ("," in text or ";" in text)):
        names = ", ".join(map(shorten, _fields(content.line_at(offset), delimiter or ",")))
        hint = f"--columns topic=…,document=…,{VALUE[kind]}=… says which is which; known names: gaincurve ls formats"
        raise InputError(Problem("input-header", f"a table whose columns are not known by name: {names}", place, hint))
    if (width == 1 and not text.isascii()) or any(not char.isprintable() for char in "".join(fields[:6])):
        raise InputError(Problem("input-format", f"the first line is no text we can use: {line}", place))
    expected = "; ".join(f"{count}: {layout.columns}" for count, layout in LAYOUTS[kind].items())
    *others, last = sorted(LAYOUTS[kind])
    widths = f"{', '.join(map(str, others))} or {last}"
    what = f"{counted(width, 'column')} where {widths} were expected ({expected}): {line}"
    raise InputError(Problem("input-columns", what, place))


def _of_a_run(fields: list[str]) -> bool:
    """Whether a line of 5 or 6 columns is that of a run; judgments with strata have 5, a 0 and a whole grade."""
    if len(fields) == 5 and fields[1] == "0" and re.fullmatch(r"-?\d+", fields[4]):
        return False
    return len(fields) in (5, 6) and _is_number(fields[4])


def _refuse_foreign(content: Content, line: str, place: str) -> None:
    """Refuse what is often saved or checked out in place of a file of judgments or runs."""
    head = line.lstrip().lower()
    if head.startswith("version https://git-lfs.github.com/"):
        what = f"{content.path} is a Git LFS pointer, not the file itself"
        raise InputError(Problem("input-format", what, place, "git lfs pull"))
    if head.startswith(("<!doctype html", "<html", "<head", "<body")):
        what = f"{content.path} is a web page, not a file of judgments or runs"
        hint = "a download often saves the page around the file, or a login or error page: fetch the file itself"
        raise InputError(Problem("input-format", what, place, hint))


def _ranked_and_scored(fields: list[str]) -> bool:
    """Whether the 4 columns of a first line look like topic, document, first rank and score, not like judgments."""
    return fields[1] not in ("0", "Q0") and fields[2] in ("0", "1") and _is_number(fields[3])


def _exchanged(rank: str, score: str) -> bool:
    """Whether the rank of a first line is a fraction and its score the first rank."""
    return _is_number(rank) and float(rank) % 1 != 0 and score in ("0", "1")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
