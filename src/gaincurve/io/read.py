"""Read judgments and runs: the content decides the format, not the file's name."""

from __future__ import annotations

import os
from dataclasses import replace

from gaincurve.errors import InputError, Problem
from gaincurve.io.addresses import SUFFIXES, expanded, is_table, split_part
from gaincurve.io.content import Content, Early, content_of, head_of, read_content
from gaincurve.io.formats import beir, irds
from gaincurve.io.formats.columns import layout_of
from gaincurve.io.formats.letor import SCORES
from gaincurve.io.formats.opening import Opening
from gaincurve.io.formats.plain import TREC
from gaincurve.io.formats.record import Choices, Part
from gaincurve.io.formats.registry import OWN, read_parts, recognised
from gaincurve.io.trec import Layout
from gaincurve.model.columns import Given, given_columns, split_columns
from gaincurve.model.judges import by_one_judge
from gaincurve.model.judgments import Judgments
from gaincurve.model.run import Run
from gaincurve.model.source import counted, examples, shorten

_PIECE = 1 << 20
_NAME_SUFFIXES = {
    ".gz", ".bz2", ".xz", ".zst", ".run", ".txt", ".trec", ".res", ".results", ".tsv", ".csv", ".json", ".jsonl",
    ".ndjson", ".out", ".lz4", ".zip", *SUFFIXES,
}  # fmt: skip


def read_judgments(
    path: str | os.PathLike[str],
    *,
    duplicates: str = "error",
    subtopics: bool = False,
    digest: bool = True,
    columns: Given | None = None,
    grades_are_scores: bool = False,
    judges: str = "error",
) -> Judgments:
    """Judgments from a file, or from standard input for '-'; `digest` keeps the file's SHA-256 for JSON output.

    With `subtopics` the second column of TREC qrels names the subtopic that was judged (diversity qrels); other
    formats have a column of that name. `columns` names the columns of tables and records: {"document": "docno"}.
    Values that look like a run's scores are refused, unless `grades_are_scores`. Where several judges differ about a
    document, `judges` says what counts: mean, median, min or max; FILE#NAME is one judge's.
    """
    choices = Choices("judgments", with_subtopics=subtopics, columns=columns, part=split_part(path)[1])
    rows = [part.rows for part in read_parts_of(path, choices, digest)]
    return Judgments.from_rows(rows.pop(0), duplicates, grades_are_scores=grades_are_scores, judges=judges)


def read_runs(
    path: str | os.PathLike[str],
    *,
    name: str | None = None,
    ties: str = "trec",
    duplicates: str = "error",
    digest: bool = True,
    columns: Given | None = None,
    with_ranks: bool = False,
) -> list[Run]:
    """All runs of a file: most hold one, named after the file without folders and usual suffixes.

    Files that name their runs keep those names; FILE#NAME is one of them.
    """
    choices = Choices("run", with_ranks=with_ranks or ties == "rank", columns=columns, part=split_part(path)[1])
    parts = read_parts_of(path, choices, digest)
    only = name if len(parts) == 1 else None
    return [Run.from_rows(part.rows, only or part.name or run_name(path), ties, duplicates) for part in parts]


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

    `columns` names the columns of tables and records: {"document": "docno"}. Of a file with several runs FILE#NAME
    is one.
    """
    return _only(read_runs(path, name=name, ties=ties, duplicates=duplicates, digest=digest, columns=columns), path)


def read_run_with_ranks(
    path: str | os.PathLike[str], *, duplicates: str = "error", columns: Given | None = None
) -> Run:
    """A run with its rank column, to compare it with the scores."""
    return _only(read_runs(path, duplicates=duplicates, columns=columns, with_ranks=True), path)


def _only(runs: list[Run], path: str | os.PathLike[str]) -> Run:
    if len(runs) == 1:
        return runs[0]
    file = os.fspath(path)
    names = [run.name for run in runs]
    what = f"{file} holds {len(runs)} runs: {examples(names, 8)}"
    raise InputError(Problem("input-part", what, file, f"name one of them: {file}#{names[0]}"))


def read_parts_of(path: str | os.PathLike[str], choices: Choices, digest: bool) -> list[Part]:
    """The runs or the judgments of a file, of text or of record batches; of a BEIR folder, of a data set by id."""
    file, part = split_part(path)
    if irds.is_irds(file):
        return [Part("", irds.rows_of(file, choices.kind))]
    if choices.kind == "judgments" and beir.is_folder(file):
        return read_parts_of(beir.qrels_of(file, part), replace(choices, part=""), digest)
    tables = expanded([file])
    if tables != [file]:
        return _of_several(file, tables, choices, digest)
    if is_table(path):
        from gaincurve.io.table_files import table_at  # noqa: PLC0415 -- text is read without what tables need
        from gaincurve.model.arrow.rows import parts_of_table  # noqa: PLC0415

        parts = parts_of_table(table_at(path, digest), choices.kind, choices.columns, choices.part)
        return [Part(name, rows) for name, rows in parts]
    content = read_content(file, digest, early_look(choices.kind, choices.columns))
    return parts_of(content, choices)


def _of_several(given: str, paths: list[str], choices: Choices, digest: bool) -> list[Part]:
    """The runs of a folder or of a pattern: each of its tables is one, or holds several."""
    names = [run_name(path) for path in paths]
    if choices.part:
        paths = [path for path, name in zip(paths, names, strict=True) if name == choices.part]
        choices = replace(choices, part="")
    if not paths or (choices.kind == "judgments" and len(paths) > 1):
        what = f"{given} holds {counted(len(names), 'file')}: {examples(names, 8)}"
        raise InputError(Problem("input-part", what, given, "give the path of one of them"))
    return [
        replace(part, name=part.name or run_name(path))
        for path in paths
        for part in read_parts_of(path, choices, digest)
    ]


def run_name(path: str | os.PathLike[str]) -> str:
    """runs/bm25.run.gz → bm25; a suffix that is not one of a data file belongs to the name. FILE#NAME is NAME."""
    if os.fspath(path) == "-":
        return "stdin"
    file, part = split_part(path)
    if part and not os.path.isfile(part):
        return part
    if irds.is_irds(file):
        return file.removeprefix(irds.PREFIX)
    name = os.path.basename(file.rstrip("/\\") if os.path.isdir(file) else file)
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


def parts_of(content: Content, choices: Choices) -> list[Part]:
    """The runs in a file's content, or its judgments, whatever its format; the one named behind '#' alone."""
    parts = read_parts(Opening(content, given_columns(choices.columns)), choices)
    if not choices.part or parts[0].rows.format == SCORES.title:
        return parts
    if parts[0].rows.judges is not None:
        return [Part(choices.part, by_one_judge(parts[0].rows, choices.part))]
    chosen = [part for part in parts if part.name == choices.part or part.name.endswith(f" {choices.part}")]
    if len(chosen) == 1:
        return chosen
    names = [part.name for part in parts if part.name]
    there = f"it holds {examples(names, 8)}" if names else "what it holds has no name"
    what = f"{content.path} has nothing called {shorten(repr(choices.part))}: {there}"
    raise InputError(Problem("input-part", what, content.path))


def early_look(kind: str, columns: Given | None) -> Early:
    """Refuse by its first line what is neither JSON nor a table nor TREC columns, before all of it is read."""

    def look(content: Content) -> None:
        try:
            opening = Opening(content, given_columns(columns))
        except InputError:  # only comments so far
            return
        if not opening.is_json:
            recognised(opening, Choices(kind, columns=columns))

    return look


def is_named_by_file(path: str | os.PathLike[str]) -> bool:
    """Whether a file holds one run in TREC's columns, by its first lines; others may name their runs."""
    try:
        return trec_layout(content_of(os.fspath(path), head_of(split_part(path)[0]))) is not None
    except InputError:
        return False


def holds_both(path: str | os.PathLike[str]) -> bool:
    """Whether a file holds judgments and a run beside each other, as those of some tools do."""
    try:
        format_ = recognised(Opening(read_content(path, digest=False)), Choices("judgments"))
    except InputError:
        return False
    return format_ in OWN and format_.holds == "both"


def trec_layout(content: Content, columns: Given | None = None) -> Layout | None:
    """The columns of a run in TREC's format, or None if it is in another one or needs a closer look."""
    try:
        opening = Opening(content, columns)
        other = opening.is_json or opening.beginning.is_markup
        if other or recognised(opening, Choices("run", columns=columns)) not in TREC:
            return None
        return layout_of(content, "run", split_columns(opening.line), opening.offset)
    except InputError:
        return None
