"""A gate: may the candidate replace the baseline?"""

from __future__ import annotations

from dataclasses import dataclass

from gaincurve.model.comparison import Comparison, Pair
from gaincurve.model.measure import Measure
from gaincurve.model.scores import json_number
from gaincurve.model.signature import Signature
from gaincurve.model.source import Note, Source, counted, examples
from gaincurve.model.tables.result import Result
from gaincurve.model.tables.tidy import Kind, Tidy
from gaincurve.model.wording import chance_of, doubt_text


@dataclass(frozen=True)
class Check:
    """One limit: how far the candidate got worse (negative: better), and the topics that did so most, worst first.

    `topics` are (topic, baseline, candidate), of sessions or users if these are the `unit`; `lost` are those with a
    score for the baseline and none for the candidate, which no mean shows. It fails if there are any, or if the drop
    is beyond the limit and significant.
    """

    measure: Measure
    limit: float
    drop: float
    pair: Pair
    beyond: bool
    failed: bool
    topics: tuple[tuple[str, float, float], ...]
    signature: Signature
    lost: tuple[str, ...] = ()
    higher_is_better: bool = True
    unit: str = "topic"

    @property
    def against_the_mean(self) -> bool:
        """Whether the test, which is about ranks, finds the candidate ahead although its mean got worse."""
        return self.beyond and self.pair.significant and self.pair.better != self.pair.b

    @property
    def verdict(self) -> str:
        """The verdict in a few words."""
        if self.lost:
            return f"failed: {counted(len(self.lost), self.unit)} without a score"
        if self.failed:
            return f"failed: {'a drop' if self.higher_is_better else 'worse'} beyond the limit, and significant"
        if self.against_the_mean:
            return "passed: beyond the limit, but the test finds the candidate ahead"
        if self.beyond:
            return "passed: beyond the limit, but chance could explain it"
        return "passed"

    def to_dict(self) -> dict[str, object]:
        """One entry of `checks`."""
        return {
            "measure": self.measure.text,
            "limit": self.limit,
            "drop": json_number(self.drop),
            "beyond": self.beyond,
            "significant": self.pair.significant,
            "failed": self.failed,
            "lost_topics": list(self.lost),
            "pair": self.pair.to_dict(),
            "worst_topics": [
                {"topic": topic, "baseline": json_number(before), "candidate": json_number(after)}
                for topic, before, after in self.topics
            ],
        }


@dataclass(frozen=True, eq=False)
class Gate(Result):
    """All checks of one candidate against one baseline."""

    baseline: str
    candidate: str
    checks: tuple[Check, ...]
    comparison: Comparison

    def __repr__(self) -> str:
        return f"Gate({self.candidate} against {self.baseline}: {'passed' if self.passed else 'failed'})"

    @property
    def passed(self) -> bool:
        """Whether no check failed."""
        return not any(check.failed for check in self.checks)

    @property
    def inputs(self) -> tuple[Source, ...]:
        """Where everything came from."""
        return self.comparison.inputs

    @property
    def notes(self) -> tuple[Note, ...]:
        """Remarks about the data and the test."""
        return self.comparison.notes

    def sentences(self) -> list[str]:
        """The verdict of each check in plain words."""
        return [self._sentence(check) for check in self.checks]

    def _sentence(self, check: Check) -> str:
        chance = chance_of(check.pair.p_adjusted)
        words = ("fell", "rose") if check.higher_is_better else ("got worse", "got better")
        verb = words[check.drop < 0]
        if check.lost:
            return (
                f"{check.measure} of {self.candidate} is undefined for {counted(len(check.lost), check.unit)} with a "
                f"score for {self.baseline}: {examples(list(check.lost))}; over the rest it {verb} by "
                f"{abs(check.drop):.4f} ({chance})."
            )
        if check.drop == 0:
            return f"{check.measure} of {self.candidate} is that of {self.baseline}."
        text = f"{check.measure} {verb} by {abs(check.drop):.4f} from {self.baseline} to {self.candidate} ({chance})"
        doubt = f", but {doubt_text(check.pair)}" if check.pair.doubtful else ""
        if check.failed:
            return f"{text}: beyond the limit of {check.limit:g}, and more than chance explains{doubt}."
        if check.against_the_mean:
            family = self.comparison.of(check.measure)
            return f"{text}: beyond the limit of {check.limit:g}, but by {family.by} {self.candidate} is ahead."
        if check.beyond:
            more = f"more {check.unit}s would tell"
            return f"{text}: beyond the limit of {check.limit:g}, but chance could explain it; {more}."
        return f"{text}: within the limit of {check.limit:g}{doubt}."

    def tidy(self) -> Tidy:
        """measure, baseline, candidate, drop, limit, p, failed, signature."""
        rows = [
            (
                check.measure.text, check.pair.mean_b, check.pair.mean_a, check.drop, check.limit,
                check.pair.p_adjusted, check.failed, str(check.signature),
            )
            for check in self.checks
        ]  # fmt: skip
        kinds: dict[str, Kind] = {
            "measure": "text", "baseline": "number", "candidate": "number", "drop": "number", "limit": "number",
            "p_adjusted": "number", "failed": "truth", "signature": "text",
        }  # fmt: skip
        return Tidy.of_rows("gaincurve.gate/1", kinds, rows, (check.signature for check in self.checks))

    def to_dict(self) -> dict[str, object]:
        """The JSON shape gaincurve.gate/1."""
        return {
            "schema": "gaincurve.gate/1",
            "passed": self.passed,
            "baseline": self.baseline,
            "candidate": self.candidate,
            "measures": [{"name": check.measure.text, "signature": str(check.signature)} for check in self.checks],
            "method": self.comparison.methods(),
            "checks": [check.to_dict() for check in self.checks],
            "sentences": self.sentences(),
        }
