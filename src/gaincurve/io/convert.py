"""Convert files between formats: what is written is read back, so that no id and no number changes on the way."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

from gaincurve.errors import ChoiceError, InputError, Problem, nearest
from gaincurve.io.content import Content, content_of, packed_as, read_content
from gaincurve.io.formats.data import Data
from gaincurve.io.formats.metadata import metadata_of
from gaincurve.io.formats.opening import Opening
from gaincurve.io.formats.record import Choices, Format
from gaincurve.io.formats.registry import FORMATS
from gaincurve.io.read import judgments_of, runs_of, split_part
from gaincurve.io.results import write_whole
from gaincurve.model.columns import Given
from gaincurve.model.ids import encode
from gaincurve.model.judgments import Judgments
from gaincurve.model.run import Run
from gaincurve.model.source import Note, Source, counted, examples, shorten

WRITTEN = {format_.name: format_ for format_ in FORMATS if format_.write is not None}
"""What can be written, by name."""

_BY_SUFFIX = {
    ".csv": ("csv", "csv"),
    ".tsv": ("tsv", "tsv"),
    ".json": ("json", "json"),
    ".jsonl": ("jsonl", "jsonl"),
    ".qrels": ("trec-qrels", ""),
    ".run": ("", "trec-run"),
    ".trec": ("trec-qrels", "trec-run"),
    ".txt": ("trec-qrels", "trec-run"),
}
PACKINGS = (".gz", ".bz2", ".xz", ".zst", ".lz4", ".zip")

_CARRIED: tuple[tuple[str, Callable[[Data], object], str], ...] = (
    (
        "scores",
        lambda data: data.kind == "run" and data.scored,
        "scores are not kept: only the order of the documents is",
    ),
    (
        "order",
        lambda data: data.kind == "run" and not data.scored,
        "there were no scores: they are made from the ranks, −1 for the first",
    ),
    ("strata", lambda data: data.sampled, "strata and probabilities of sampled judgments are not kept"),
    ("subtopics", lambda data: data.subtopics, "subtopics are not kept: a document has its highest grade"),
    ("metadata", lambda data: data.header, "ir_metadata is not kept"),
)
"""What data may have beside topics, documents and values, and what is said where a format cannot hold it."""


@dataclass(frozen=True)
class Converted:
    """The bytes of a converted file, what was read, and what is to be said of it."""

    data: bytes
    format: Format
    source: Source
    notes: tuple[Note, ...]


@dataclass(frozen=True)
class Reading:
    """How the input is read; `kind` is judgments or run, or '' to find out."""

    kind: str = ""
    duplicates: str = "error"
    columns: Given | None = None
    grades_are_scores: bool = False
    judges: str = "error"
    subtopics: bool = False


def convert(
    path: str | os.PathLike[str],
    out: str | os.PathLike[str],
    to: str | None = None,
    *,
    kind: str = "",
    duplicates: str = "error",
    columns: Given | None = None,
    grades_are_scores: bool = False,
    judges: str = "error",
    subtopics: bool = False,
) -> Converted:
    """Convert a file of judgments or a run, and write it: in the format `to`, else by the suffix of `out`.

    `kind`, judgments or run, is needed where the content does not say. What could not be kept is in the notes.
    """
    reading = Reading(kind, duplicates, columns, grades_are_scores, judges, subtopics)
    done = converted(path, os.fspath(out), to, reading)
    write_whole(out, done.data)
    return done


def converted(path: str | os.PathLike[str], out: str, to: str | None, reading: Reading) -> Converted:
    """A file in another format: that named by `to`, else by the suffix of `out`. Nothing is written."""
    file, part = split_part(path)
    wanted = None if to is None else _named(to)
    kind = reading.kind or ("" if wanted is None or wanted.holds == "both" else wanted.holds)
    content = read_content(file)
    thing = _read(content, part, kind, reading, os.fspath(path))
    kind = "judgments" if isinstance(thing, Judgments) else "run"
    header = metadata_of(content) if kind == "run" else ""
    data = Data.of_run(thing, header) if isinstance(thing, Run) else Data.of_judgments(thing)
    format_ = wanted or _by_suffix(out, data)
    if not format_.holds_a(kind):
        what = f"{file} holds {'judgments' if kind == 'judgments' else 'a run'}, and {format_.title} does not"
        raise ChoiceError(Problem("convert-format", what, hint=_choices(kind)))
    if "strata" in format_.carries and data.strata is None:
        raise ChoiceError(Problem("convert-format", f"{format_.title} needs strata, and {file} has none"))
    text = encode(format_.write(data)) if format_.write is not None else b""
    _prove(text, data, format_)
    lost = [
        Note("not-kept", f"{out}: {about}") for what, has, about in _CARRIED if has(data) and what not in _of(format_)
    ]
    return Converted(packed_as(_packing(out), text, out), format_, thing.source, (*thing.notes, *lost))


def _of(format_: Format) -> frozenset[str]:
    """What a format carries; one with no place for scores keeps an order as it is."""
    return format_.carries | (frozenset() if "scores" in format_.carries else frozenset({"order"}))


def _read(content: Content, part: str, kind: str, reading: Reading, path: str) -> Judgments | Run:
    """The judgments or the one run in a file; where both could be meant, the user decides."""
    read: list[Judgments | Run] = []
    problems: list[InputError] = []
    for one in ("judgments", "run"):
        if kind not in ("", one):
            continue
        # ranks are read where the kind is not known: what is no number is no rank, and the file no run
        choices = Choices(one, not kind, reading.subtopics, reading.columns, part)
        try:
            read.append(_one(content, path, choices, reading))
        except InputError as error:
            problems.append(error)
    if not read:
        swapped = ("judgments-look-like-run", "judgments-scores", "judgments-same-file")
        raise problems[-1] if problems[0].slug in swapped else problems[0]
    if len(read) > 1:
        what = f"{content.path} could be judgments or a run"
        raise ChoiceError(Problem("convert-kind", what, content.path))
    return read[0]


def _one(content: Content, path: str, choices: Choices, reading: Reading) -> Judgments | Run:
    if choices.kind == "judgments":
        return judgments_of(content, choices, reading.duplicates, reading.grades_are_scores, reading.judges)
    runs = runs_of(content, choices, path, duplicates=reading.duplicates)
    if len(runs) > 1:
        names = examples([run.name for run in runs], 8)
        what, hint = f"{path} holds {len(runs)} runs: {names}", f"convert one at a time: {path}#{runs[0].name}"
        raise InputError(Problem("input-part", what, path, hint))
    return runs[0]


def _named(name: str) -> Format:
    if name in WRITTEN:
        return WRITTEN[name]
    what = f"--to cannot be {name!r}{nearest(name, WRITTEN)}"
    raise ChoiceError(Problem("convert-format", what, hint=f"use one of: {', '.join(WRITTEN)}"))


def _by_suffix(out: str, data: Data) -> Format:
    stem, suffix = os.path.splitext(out)
    packed = suffix.lower()
    if packed in PACKINGS:
        suffix = os.path.splitext(stem)[1]
    names = _BY_SUFFIX.get(suffix.lower(), ("", ""))
    name = names[data.kind == "run"]
    if not name and packed == ".zip" and data.kind == "judgments":
        name = "quepid-book"
    if name == "trec-qrels" and data.strata is not None:
        name = "trec-strata"
    if not name:
        what = "standard output has no suffix" if out == "-" else f"the suffix of {out} names no format for this"
        raise ChoiceError(Problem("convert-format", what, hint=_choices(data.kind)))
    return WRITTEN[name]


def _choices(kind: str) -> str:
    return f"--to {', '.join(name for name, format_ in WRITTEN.items() if format_.holds_a(kind))}"


def _packing(out: str) -> str:
    suffix = os.path.splitext(out)[1].lower()
    return suffix[1:] if suffix in PACKINGS else ""


def _prove(text: bytes, data: Data, format_: Format) -> None:
    """Read the text back as any user would: the same topics, documents and values, or an error that says which not."""
    scores = "scores" in format_.carries
    try:
        content = content_of("what was written", text)
        part = format_.read(Opening(content), Choices(data.kind))[0].rows
    except InputError as error:
        first = error.problems[0]
        what = f"{format_.title} cannot carry this: {first.what}"
        raise InputError(Problem("convert-lossy", what, data.source.path, _other(data))) from None
    back = list(zip((part.topics[i] for i in part.topic.tolist()), part.documents, part.values.tolist(), strict=True))
    expected = data.rows if data.kind == "judgments" or scores else [(t, d, -float(r)) for t, d, r in data.ordered]
    if data.kind == "run" and not data.scored and "order" in format_.carries:
        expected = [(topic, document, -float(rank)) for topic, document, rank in data.ordered]
    if back != expected:
        lost = next((a for a, b in zip(expected, back, strict=False) if a != b), expected[-1])
        got = next((b for a, b in zip(expected, back, strict=False) if a != b), None)
        row = " ".join(shorten(repr(cell)) for cell in lost)
        came = (
            f"as {' '.join(shorten(repr(cell)) for cell in got)}"
            if got
            else f"not at all ({counted(len(back), 'row')})"
        )
        what = f"{format_.title} cannot carry {row}: it would be read {came}"
        raise InputError(Problem("convert-lossy", what, data.source.path, _other(data)))


def _other(data: Data) -> str:
    return "JSON carries every id: --to json" + ("" if data.kind == "judgments" else " or jsonl")
