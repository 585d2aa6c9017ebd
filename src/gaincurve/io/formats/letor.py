"""LETOR, also called SVMlight: a line of features for each judged document, and a file with a score for each line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gaincurve.errors import InputError, Problem
from gaincurve.io.content import read_content
from gaincurve.io.formats.opening import Opening, is_number
from gaincurve.io.formats.record import Choices, Format, Part, Row, gathered
from gaincurve.io.formats.shape import Node
from gaincurve.model.ids import decode
from gaincurve.model.source import Note, counted, shorten

_LINE = re.compile(r"(\S+)[ \t]+qid:(\S+)((?:[ \t]+[^\s:#]+:[^\s#]+)*)[ \t]*(?:#(.*))?")
_NEARLY = re.compile(r"[a-z]+:\S+ \d+:[-+.\d]", re.IGNORECASE)
_PAIRS = re.compile(r"\s*\w+\s*=")  # else the comment is an id and a text
_DOCUMENT = re.compile(r"\bdocid\s*=\s*(\S+)", re.IGNORECASE)


def _is_letor(line: str) -> bool:
    """Whether the first line names a query; what else is wrong with it, the reader reports."""
    fields = line.split()
    named = any(field.startswith("qid:") for field in fields[:2])
    return named or (len(fields) > 2 and _NEARLY.match(" ".join(fields[1:3])) is not None and is_number(fields[0]))


def _judged(opening: Opening) -> Iterator[Row | Note]:
    """A row for each line; a document without an id in the comment is named by the number of its line."""
    for number, (at, line) in enumerate(_lines(opening), 1):
        parts = _LINE.fullmatch(line)
        if parts is None:
            what = f"not a line of LETOR, grade qid:TOPIC 1:FEATURE …: {shorten(line)}"
            raise InputError(Problem("input-columns", what, at.place()))
        comment = parts[4] or ""
        named = _DOCUMENT.search(comment if _PAIRS.match(comment) else "")
        document = named[1] if named else next(iter(comment.split()), str(number))
        yield Row(parts[2], document, parts[1], at)


def _lines(opening: Opening) -> Iterator[tuple[Node, str]]:
    for number, text in enumerate(decode(opening.content.bytes()).split("\n"), 1):
        line = text.strip(" \t\r")
        if line and not line.startswith("#"):
            yield Node(None, f"{opening.content.path}:{number}"), line


def _features(opening: Opening, choices: Choices) -> list[Part]:
    return gathered([_judged(opening)], LETOR, opening, choices.kind)


LETOR = Format(
    "letor",
    "LETOR features",
    "judgments",
    "SVMlight with qid; the document is docid in the comment, or its first word, or the number of the line",
    "3 qid:10 1:0.03 2:0.5 # docid = d1\n0 qid:10 1:0.01 2:0.1 # docid = d2\n",
    line=_is_letor,
    parts=_features,
    fields=("qid", "docid", ""),
)


def _scored(opening: Opening, choices: Choices) -> list[Part]:
    lines = choices.part
    if not lines:
        what = f"{opening.content.path} has one number a line, and nothing says to which documents they belong"
        hint = f"name the LETOR file of the same lines: {opening.content.path}#FEATURES"
        raise InputError(Problem("run-score-lines", what, opening.place, hint))
    features = Opening(read_content(lines, digest=False))
    if not _is_letor(features.line):
        raise InputError(Problem("run-score-lines", f"{lines} is not a LETOR file", features.place))
    judged, scores = [row for row in _judged(features) if isinstance(row, Row)], list(_lines(opening))
    if len(judged) != len(scores):
        what = f"{opening.content.path} has {counted(len(scores), 'score')}, {lines} {counted(len(judged), 'line')}"
        raise InputError(Problem("run-score-lines", what, opening.content.path))
    rows: list[Row | Note] = [
        Row(row.topic, row.document, score, at) for row, (at, score) in zip(judged, scores, strict=True)
    ]
    return gathered([iter(rows)], SCORES, opening, choices.kind)


SCORES = Format(
    "letor-scores",
    "a score per LETOR line",
    "run",
    "one number a line, as LightGBM, XGBoost and RankLib predict; SCORES#FEATURES names the LETOR file of the lines",
    "2.5\n1.25\n",
    line=is_number,
    parts=_scored,
)

FORMATS = (LETOR, SCORES)
