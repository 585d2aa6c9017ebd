"""Decisions: whether the order of systems is settled, and which documents could still change it."""

from __future__ import annotations

from dataclasses import dataclass

from gaincurve.model.signature import Signature
from gaincurve.model.source import Note, Source, counted, grouped, number_text
from gaincurve.model.standing import chance_text
from gaincurve.model.tables.result import Result
from gaincurve.model.tables.tidy import Kind, Tidy

ABSENT = "Documents that no compared run shows above the cutoff count as not relevant."
MODEL = "P is a probability under a model of the unjudged documents, not a fact."


@dataclass(frozen=True)
class Deciding:
    """One pair: the mean difference a less b as judged so far, its ends over all judgings, and the chance that a is
    ahead once all is judged.

    `matter` unjudged documents can change the difference at all; judging the next `expected` of them makes it certain
    if each gains what is expected (None: even all do not). `low_by_topic` and `high_by_topic` are the ends by topic.
    """

    a: str
    b: str
    difference: float
    low: float
    high: float
    certain: bool
    p: float
    unjudged: int
    matter: int
    expected: int | None
    by_topic: tuple[tuple[str, float, float, float], ...]

    @property
    def tie(self) -> bool:
        """Whether the two are equal, whatever a judge says."""
        return not self.matter and not self.certain

    def decided(self, stop: str, confidence: float) -> bool:
        """Whether no more judging is needed under the rule `stop`."""
        return self.certain or self.tie or (stop == "plausible" and max(self.p, 1 - self.p) >= confidence)

    def sentence(self) -> str:
        """The verdict in words."""
        if self.tie:
            return f"{self.a} and {self.b}: a tie, however the rest is judged."
        ahead, behind = (self.a, self.b) if self.low > 0 or (self.high >= 0 and self.p >= 0.5) else (self.b, self.a)
        if self.certain:
            return f"{ahead} is ahead of {behind}: certain, no judging can change it."
        more = f"at most {counted(self.matter, 'more document')} can matter"
        then = (
            "even judging all of them may not decide it"
            if self.expected is None
            else (f"{grouped(self.expected)} decide{'s' if self.expected == 1 else ''} it if judged as expected")
        )
        chance = chance_text(max(self.p, 1 - self.p))
        return f"{ahead} is ahead of {behind} with P {chance}, not certain: {more}; {then}."

    def to_dict(self, stop: str, confidence: float) -> dict[str, object]:
        """The JSON shape of a pair."""
        return {
            "a": self.a, "b": self.b, "difference": self.difference, "low": self.low, "high": self.high,
            "certain": self.certain, "p": self.p, "decided": self.decided(stop, confidence), "tie": self.tie,
            "unjudged": self.unjudged, "matter": self.matter, "expected": self.expected,
            "topics": {t: {"difference": d, "low": low, "high": high} for t, d, low, high in self.by_topic},
            "verdict": self.sentence(),
        }  # fmt: skip


@dataclass(frozen=True)
class Next:
    """A document to judge: how far its grade can move the mean difference of an undecided pair's sums, at most.

    For nDCG, nCG and R that is the sum above the fraction line, before it is divided by the ideal's.
    """

    topic: str
    document: str
    moves: float


@dataclass(frozen=True)
class Decision(Result):
    """Every pair of systems, and the documents to judge next, the most decisive first."""

    pairs: tuple[Deciding, ...]
    next: tuple[Next, ...]
    signature: Signature
    scale: tuple[float, ...]
    stop: str
    confidence: float
    inputs: tuple[Source, ...]
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        decided = sum(pair.decided(self.stop, self.confidence) for pair in self.pairs)
        return f"Decision({counted(len(self.pairs), 'pair')}, {decided} decided, {len(self.next)} to judge next)"

    @property
    def decided(self) -> bool:
        """Whether every pair is decided."""
        return all(pair.decided(self.stop, self.confidence) for pair in self.pairs)

    def sentences(self) -> tuple[str, ...]:
        """Verdicts in words, and what they assume."""
        scale = ", ".join(map(number_text, self.scale))
        model = (MODEL,) if any(not pair.certain and not pair.tie for pair in self.pairs) else ()
        return (*(pair.sentence() for pair in self.pairs), ABSENT, *model, f"Grades of the scale: {scale}.")

    def tidy(self) -> Tidy:
        """a, b, difference, low, high, certain, p, matter, expected, signature."""
        rows = [
            (pair.a, pair.b, pair.difference, pair.low, pair.high, pair.certain, pair.p, pair.matter, pair.expected,
             str(self.signature))
            for pair in self.pairs
        ]  # fmt: skip
        kinds: dict[str, Kind] = {
            "a": "text", "b": "text", "difference": "number", "low": "number", "high": "number", "certain": "truth",
            "p": "number", "matter": "count", "expected": "count", "signature": "text",
        }  # fmt: skip
        return Tidy.of_rows("gaincurve.decision/1", kinds, rows, [self.signature])

    def to_dict(self) -> dict[str, object]:
        """The JSON shape gaincurve.decision/1."""
        return {
            "schema": "gaincurve.decision/1",
            "measures": [{"name": self.signature.measure.text, "signature": str(self.signature)}],
            "scale": list(self.scale),
            "stop": self.stop,
            "confidence": self.confidence,
            "decided": self.decided,
            "pairs": [pair.to_dict(self.stop, self.confidence) for pair in self.pairs],
            "next": [{"topic": n.topic, "document": n.document, "moves": n.moves} for n in self.next],
            "assumes": ABSENT,
        }
