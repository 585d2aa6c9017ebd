"""A gate: may the candidate replace the baseline?"""

from __future__ import annotations

from dataclasses import dataclass

from gaincurve.model.comparison import Comparison
from gaincurve.model.limits import Check
from gaincurve.model.source import Note, Source
from gaincurve.model.tables.result import Result
from gaincurve.model.tables.tidy import Kind, Tidy


@dataclass(frozen=True, eq=False)
class Gate(Result):
    """All checks of one candidate against one baseline; `comparison` holds the tests of the drops, if any were made."""

    baseline: str
    candidate: str
    checks: tuple[Check, ...]
    comparison: Comparison | None
    inputs: tuple[Source, ...]
    notes: tuple[Note, ...]
    methods: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"Gate({self.candidate} against {self.baseline}: {'passed' if self.passed else 'failed'})"

    @property
    def passed(self) -> bool:
        """Whether no check failed."""
        return not any(check.failed for check in self.checks)

    @property
    def why(self) -> list[str]:
        """What failed: 'nDCG@10: significant-drop'; empty for a gate that passed."""
        return [f"{check.name}: {check.why}" for check in self.checks if check.failed]

    def sentences(self) -> list[str]:
        """The verdict of each check in plain words."""
        return [check.sentence(self.baseline, self.candidate) for check in self.checks]

    def tidy(self) -> Tidy:
        """measure, baseline, candidate, drop, limit, p, failed, rule, why, signature."""
        rows = [
            (
                check.name, check.before, check.after, check.drop, check.size,
                check.pair.p_adjusted if check.pair else None, check.failed, check.rule, check.why,
                str(check.signature),
            )
            for check in self.checks
        ]  # fmt: skip
        kinds: dict[str, Kind] = {
            "measure": "text", "baseline": "number", "candidate": "number", "drop": "number", "limit": "number",
            "p_adjusted": "number", "failed": "truth", "rule": "text", "why": "text", "signature": "text",
        }  # fmt: skip
        return Tidy.of_rows("gaincurve.gate/1", kinds, rows, (check.signature for check in self.checks))

    def to_dict(self) -> dict[str, object]:
        """The JSON shape gaincurve.gate/1."""
        signed: dict[str, str] = {}
        for check in self.checks:
            signed.setdefault(check.measure.text, str(check.signature))
        return {
            "schema": "gaincurve.gate/1",
            "passed": self.passed,
            "why": self.why,
            "baseline": self.baseline,
            "candidate": self.candidate,
            "measures": [{"name": name, "signature": signature} for name, signature in signed.items()],
            "method": list(self.methods),
            "checks": [check.to_dict() for check in self.checks],
            "sentences": self.sentences(),
        }
