"""Qrels and a run read as trec_eval reads them: C's rules for numbers and lines, and its ways to fail.

Plain files take the fast way through the block reader and mean the same there. Everything else is read line by line
here: a score of 'abc' is 0, a grade of '1.7' is 1, a blank line is allowed in a run and not in qrels.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np

from gaincurve.errors import InputError
from gaincurve.io.content import read_content
from gaincurve.io.grading import RunGrader
from gaincurve.io.read import run_name
from gaincurve.io.trec import LAYOUTS, read_trec
from gaincurve.model.c_numbers import number, whole
from gaincurve.model.graded import Graded, graded, graded_topics
from gaincurve.model.ids import Ids, decode
from gaincurve.model.judgments import Judgments
from gaincurve.model.matches import Matches
from gaincurve.model.order import comparable
from gaincurve.model.rows import Rows
from gaincurve.model.source import Source, counted, shorten

Path = str | os.PathLike[str]
TIES = {9: "trec-float32", 10: "trec"}
_SPACE = b" \t\n\v\f\r"
_ODD_QRELS_LINE = re.compile(rb"^(?![^\s#]\S*[ \t]+\S+[ \t]+\S+[ \t]+-?\d{1,15}[ \t\r\v\f]*$)", re.MULTILINE)
_RUN_LAYOUT = replace(LAYOUTS["run"][6], widths=(6,))


class TrecEvalError(Exception):
    """What trec_eval stops at, with its exit code."""

    def __init__(self, code: int, message: str):
        self.code = code
        super().__init__(message)


@dataclass(frozen=True, eq=False)
class Read:
    """What was read: topics in byte order, the run cut after `most` documents, its tag, and by topic what stops us."""

    judgments: Judgments
    run: Graded
    tag: str
    stops: dict[str, str]


def read_like_trec_eval(qrels: Path, run: Path, version: int, most: int | None, threads: int) -> Read:
    """Qrels first, then the run, as trec_eval does; TrecEvalError carries its exit code."""
    judgments, stops = _read_qrels(qrels, version)
    most = None if most is None else max(0, most)
    if os.path.isfile(run):
        grader = RunGrader(
            judgments, TIES[version], threads=threads, digest=False, layout=_RUN_LAYOUT, comments=version > 9
        )
        try:
            plain = grader.streamed(run)
        except InputError:  # no topic in common: the careful way says what that means
            plain = None
        if plain is not None:
            within = plain.graded if most is None else plain.graded.cut(most)
            return Read(judgments, within, decode(plain.last_line.split()[5]), stops)
    return _read_carefully(judgments, stops, run, version, most)


def _content(path: Path, what: str) -> bytes:
    try:
        return read_content(path, digest=False).bytes()
    except InputError as error:
        raise TrecEvalError(2, f"cannot read {what} file '{os.fspath(path)}'\n{error}") from None


def _read_qrels(path: Path, version: int) -> tuple[Judgments, dict[str, str]]:
    """Judgments with topics in byte order; a repeated document stops the program when its topic comes up."""
    try:
        content = read_content(path, digest=False)
    except InputError as error:
        raise TrecEvalError(2, f"cannot read qrels file '{os.fspath(path)}'\n{error}") from None
    text = content.bytes()
    plain = text if text.endswith(b"\n") else text + b"\n"
    odd = _ODD_QRELS_LINE.search(plain)
    if odd is None or odd.start() == len(plain):
        try:
            return _in_byte_order(read_trec(content, "judgments", LAYOUTS["judgments"][4])), {}
        except InputError:
            pass  # a repeated document: read on with care
    return _careful_qrels(path, plain, version)


def _in_byte_order(rows: Rows) -> Judgments:
    order = sorted(range(len(rows.topics)), key=lambda i: rows.topics[i].encode("utf-8", "surrogateescape"))
    place = np.empty(len(order), dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    return Judgments.from_rows(replace(rows, topics=tuple(rows.topics[i] for i in order), topic=place[rows.topic]))


def _careful_qrels(path: Path, text: bytes, version: int) -> tuple[Judgments, dict[str, str]]:
    listed: list[tuple[bytes, bytes, int]] = []
    for line_number, line in _lines(text, comments=version > 9):
        fields = line.split()
        if len(fields) != 4:
            what = f"{counted(len(fields), 'field')} where 4 were expected"
            raise TrecEvalError(2, f"malformed line {line_number} of qrels file '{os.fspath(path)}': {what}")
        listed.append((fields[0], fields[2], whole(decode(fields[3]))))
    listed.sort(key=lambda row: row[:2])
    stops: dict[str, str] = {}
    judged: list[tuple[bytes, bytes, int]] = []
    for row in listed:
        if judged and row[:2] == judged[-1][:2]:
            stops.setdefault(decode(row[0]), f"document {shorten(decode(row[1]))} is judged twice")
            continue
        judged.append(row)
    if not judged:
        raise TrecEvalError(2, f"cannot read qrels file '{os.fspath(path)}'")
    topics = list(dict.fromkeys(row[0] for row in judged))
    index = {topic: i for i, topic in enumerate(topics)}
    rows = Rows(
        topics=tuple(map(decode, topics)),
        topic=np.array([index[row[0]] for row in judged], dtype=np.int32),
        documents=Ids.from_texts([decode(row[1]) for row in judged]),
        values=np.array([row[2] for row in judged], dtype=np.float64),
        place=lambda i: f"{os.fspath(path)}, row {i}",
        path=os.fspath(path),
        format="TREC qrels",
    )
    return Judgments.from_rows(rows), stops


def _lines(text: bytes, comments: bool, blank: bool = False) -> Iterator[tuple[int, bytes]]:
    """Number and text of each line of data; with `comments`, lines that begin with '#' are skipped."""
    for line_number, line in enumerate(text.split(b"\n")[:-1], 1):
        bare = line.lstrip(_SPACE) if blank else line
        if (blank and not bare) or (comments and bare.startswith(b"#")):
            continue
        yield line_number, line


def _read_carefully(judgments: Judgments, stops: dict[str, str], path: Path, version: int, most: int | None) -> Read:
    text = _content(path, "results")
    rows: list[tuple[bytes, bytes, float]] = []
    tag = b""
    for line_number, line in _lines(text if text.endswith(b"\n") else text + b"\n", version > 9, blank=True):
        fields = line.split()
        if len(fields) < 6:
            what = f"{counted(len(fields), 'field')} where at least 6 were expected"
            raise TrecEvalError(2, f"malformed line {line_number} of results file '{os.fspath(path)}': {what}")
        rows.append((fields[0], fields[2], number(decode(fields[4]))))
        tag = fields[5]
    stops = dict(stops)
    graded_run = _graded(judgments, rows, path, version, most, stops)
    return Read(judgments, graded_run, decode(tag), stops)


def _graded(
    judgments: Judgments,
    rows: list[tuple[bytes, bytes, float]],
    path: Path,
    version: int,
    most: int | None,
    stops: dict[str, str],
) -> Graded:
    """The run graded topic by topic; nothing is present if none of its topics is judged."""
    index = {topic: i for i, topic in enumerate(judgments.topics)}
    known: dict[tuple[int, bytes], int] = {
        (int(topic), judgments.documents.bytes_at(row)): row for row, topic in enumerate(judgments.topic)
    }
    rows.sort(key=lambda row: row[0])
    topics: list[str] = []
    judged: list[int] = []
    retrieved: list[int] = []
    hits: list[tuple[int, int, int]] = []
    for topic, listed in groupby(rows, key=lambda row: row[0]):
        name = decode(topic)
        place = index.get(name, -1)
        ranked = _ranked([(document, score) for _, document, score in listed], version)[:most]
        topics.append(name)
        judged.append(place)
        retrieved.append(len(ranked))
        if place >= 0 and len(set(ranked)) < len(ranked):
            twice = next(document for i, document in enumerate(ranked) if document in ranked[:i])
            stops.setdefault(name, f"document {shorten(decode(twice))} is listed twice")
            ranked = list(dict.fromkeys(ranked))
        for rank, document in enumerate(ranked, 1):
            if (place, document) in known:
                hits.append((len(topics) - 1, rank, known[place, document]))
    table = np.array(hits, dtype=np.int64).reshape(-1, 3)
    matches = Matches(
        names=Ids.from_texts(tuple(topics)),
        base=np.array(judged, dtype=np.int32),
        retrieved=np.array(retrieved, dtype=np.int64),
        list=table[:, 0],
        rank=table[:, 1],
        first=table[:, 1],
        last=table[:, 1],
        judgment=table[:, 2],
    )
    source = Source(os.fspath(path), "TREC run", len(topics), len(rows))
    if (matches.base >= 0).any():
        return graded_topics(judgments, matches, run_name(path), TIES[version], source)
    nowhere = np.full(len(topics), -1, dtype=np.int32)
    every = np.arange(len(judgments.topics), dtype=np.int32)
    return graded(judgments, matches, judgments.units, nowhere, every, run_name(path), TIES[version], source)


def _ranked(listed: Iterable[tuple[bytes, float]], version: int) -> list[bytes]:
    """Documents by score and then id, both descending; a score that is not a number comes last."""
    pairs = list(listed)
    scores = comparable(np.array([score for _, score in pairs]), TIES[version])
    keyed = zip(np.where(np.isnan(scores), -np.inf, scores).tolist(), (document for document, _ in pairs), strict=True)
    return [document for _, document in sorted(keyed, reverse=True)]
