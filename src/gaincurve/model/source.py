"""Where data came from, and remarks about it that a reader of the numbers should see."""

from __future__ import annotations

from dataclasses import dataclass

from gaincurve.model.names import elided


@dataclass(frozen=True)
class Source:
    """One input: its path as given, the digest of its bytes, the format recognised, topics and rows read.

    `metadata` is the ir_metadata at the head of a run, as it stands there.
    """

    path: str
    format: str
    topics: int
    rows: int
    sha256: str | None = None
    metadata: str = ""

    def describe(self) -> str:
        """What was understood of a run: '50 topics, 50 000 documents, TREC run'."""
        return f"{counted(self.topics, 'topic')}, {counted(self.rows, 'document')}, {self.format}"

    def to_dict(self) -> dict[str, object]:
        """The shape used in JSON output under `inputs`."""
        return {
            "path": self.path,
            "sha256": self.sha256,
            "format": self.format,
            "topics": self.topics,
            "rows": self.rows,
            **({"ir_metadata": self.metadata} if self.metadata else {}),
        }


LOUD = frozenset(
    {
        "documents-unmatched",
        "documents-spelling",
        "topics-spelling",
        "fields-misspelt",
        "scores-rising",
        "run-is-judgments",
    }
)
"""Notes that --quiet does not hide."""


@dataclass(frozen=True)
class Note:
    """A surprise that still allows an answer; the same in text, page and JSON."""

    slug: str
    text: str
    runs: tuple[str, ...] = ()

    def sentence(self) -> str:
        """The text, with the runs it is about in front."""
        if not self.runs:
            return self.text
        return f"run{'s' if len(self.runs) > 1 else ''} {examples(list(self.runs), 6)}: {self.text}"

    @property
    def loud(self) -> bool:
        """Whether --quiet leaves it standing: the numbers are most likely wrong."""
        return self.slug in LOUD

    def __str__(self) -> str:
        return f"note[{self.slug}]: {self.sentence()}"

    def to_dict(self) -> dict[str, str]:
        """The shape used in JSON output under `notes`."""
        return {"slug": self.slug, "text": self.sentence()}


def repeated_notes(path: str, dropped: int, kept: int) -> tuple[Note, ...]:
    """What became of documents that a list holds twice."""
    notes = []
    if dropped:
        notes.append(Note("duplicates-dropped", f"{path}: {counted(dropped, 'repeated document')} left out"))
    if kept:
        text = f"{path}: {counted(kept, 'repeated document')} kept in place, gaining nothing"
        notes.append(Note("duplicates-kept", text))
    return tuple(notes)


def grouped(number: int) -> str:
    """1432 as '1 432'."""
    return f"{number:,}".replace(",", " ")


def counted(number: int, noun: str) -> str:
    """'1 topic', '1 432 topics'."""
    return f"{grouped(number)} {noun}" + ("" if number == 1 else "s")


def number_text(value: float) -> str:
    """A number as people write it: 2, 0.5, 1e-07, inf."""
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))


def plain_number_text(value: float) -> str:
    """The same without an exponent, for texts in which '-' has a meaning."""
    from decimal import Decimal  # noqa: PLC0415 -- only for very small gains

    text = number_text(value)
    return format(Decimal(text), "f") if "e" in text else text


def examples(ids: list[str], most: int = 3, total: int | None = None) -> str:
    """The first few of many ids: 'a, b, c, … (12 in all)'; `total` says how many there are where not all are given."""
    shown = ", ".join(shorten(name) for name in ids[:most])
    total = len(ids) if total is None else total
    return shown if total <= most else f"{shown}, … ({total} in all)"


def shorten(text: str, width: int = 60) -> str:
    """An id short enough for a message, with visible control characters; a long one loses its middle."""
    cut = elided(text, width)
    return cut if cut.isprintable() else "".join(char if char.isprintable() else repr(char)[1:-1] for char in cut)
