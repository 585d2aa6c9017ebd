"""Texts of topics and documents: what a report shows beside an id. The content decides the format."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from gaincurve.errors import InputError, Problem, Problems
from gaincurve.io.texts.formats import recognised
from gaincurve.io.texts.stream import TextStream
from gaincurve.model.objects import text_ids
from gaincurve.model.source import Note, Source, counted, examples, grouped

MOST_SHOWN = 300
"""A text is cut after about this many characters, at a word."""

EXAMPLES = 3
MOST_BROKEN = 100_000
"""A file with more broken records holds something else, and is not read to its end."""
_BROKEN = re.compile("[\ud800-\udfff]")  # bytes that were no UTF-8, and halves of pairs
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f]+")


@dataclass(frozen=True, eq=False)
class Texts(Mapping[str, str]):
    """{id: text} of a file, cut to what is shown; `first` are the first ids of the file, wanted or not."""

    texts: Mapping[str, str]
    source: Source
    first: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()

    def __getitem__(self, key: str) -> str:
        return self.texts[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)

    def __len__(self) -> int:
        return len(self.texts)

    def __repr__(self) -> str:
        return f"Texts({self.describe()}, from {self.source.path})"

    def describe(self) -> str:
        """What was understood: '1 400 texts, 320 kept, SMART'."""
        selected = "" if len(self) == self.source.rows else f", {len(self)} kept"
        return f"{counted(self.source.rows, 'text')}{selected}, {self.source.format}"


def read_texts(
    path: str | os.PathLike[str], wanted: Collection[str] | None = None, *, most: int = MOST_SHOWN, digest: bool = True
) -> Texts:
    """{id: text} from a file, or from standard input for '-': TSV, CSV, JSON, JSON lines, SMART or TREC's tags.

    The file is read line by line, and only the ids `wanted` stay in memory (all unless given), so it may be larger
    than the memory. A title stands before its text; each text is cut after about `most` characters.
    """
    texts: dict[str, str] = {}
    first: list[str] = []
    problems = Problems()
    rows = repeats = 0
    with TextStream(path, digest) as stream:
        format_ = recognised(stream)
        for record in format_.read(stream):
            if problems.more >= MOST_BROKEN:
                break
            if isinstance(record, Problem):
                problems.add(record)
                continue
            rows += 1
            name = record.id if type(record.id) is str and record.id.isascii() else _checked_id(record.id, stream)
            if isinstance(name, Problem) or not name:
                problems.add(name if isinstance(name, Problem) else _no_id(record.line, stream))
                continue
            if len(first) < EXAMPLES:
                first.append(name)
            if wanted is not None and name not in wanted:
                continue
            repeats += name in texts
            if text := clipped(record.text, most):
                texts.setdefault(name, text)
        problems.stop_if_any()
        if not rows:
            raise InputError(Problem("input-empty", f"{stream.name} has no texts", stream.name))
        source = Source(stream.name, f"{format_.title} texts", 0, rows, stream.sha256)
    repeated = Note("texts-repeated", f"{stream.name}: {counted(repeats, 'id')} given again; the first text is shown")
    return Texts(texts, source, tuple(first), (repeated,) if repeats else ())


def _checked_id(given: object, stream: TextStream) -> str | Problem:
    try:
        return text_ids([given], "topic or document", stream.name)[0]
    except InputError as error:
        problem = error.problems[0]
        return Problem(problem.slug, problem.what, stream.place())


def _no_id(line: int, stream: TextStream) -> Problem:
    return Problem("texts-record", "the id is empty", stream.place(line or None))


def clipped(text: str, most: int = MOST_SHOWN) -> str:
    """The beginning of a text, on one line, cut at a word: what a page has room for.

    Worked: clipped('laminar flow past a flat plate', 15) is 'laminar flow…'.
    """
    line = " ".join(_UNSEEN.sub(" ", _BROKEN.sub("\ufffd", text[: 4 * most])).split())
    if len(line) <= most:
        return line
    cut = line.rfind(" ", most // 2, most + 1)
    return line[: cut if cut > 0 else most].rstrip() + "…"


def unmatched_notes(texts: Mapping[str, str], wanted: Collection[str], noun: str) -> tuple[Note, ...]:
    """A note where texts are missing, with ids of both sides: often they are only spelled differently."""
    lacking = [name for name in wanted if name not in texts]
    if not lacking:
        return ()
    where, theirs = "", ""
    if isinstance(texts, Texts):
        more = ", …" if texts.source.rows > len(texts.first) else ""
        where, theirs = f"{texts.source.path}: ", f"; ids in it: {examples(list(texts.first))}{more}"
    elif texts:
        theirs = f"; texts were given for {examples(list(texts))}"
    some, doubt = f"{counted(len(lacking), noun)} of {grouped(len(wanted))} without a text", ""
    if len(lacking) == len(wanted):
        some = f"no {noun} has a text"
    elif noun == "topic" and 4 * len(lacking) > len(wanted):
        doubt = "; so many gaps may mean another numbering, and then the texts shown belong to other topics"
    return (Note("texts-missing", f"{where}{some}: {examples(lacking)}{theirs}{doubt}"),)
