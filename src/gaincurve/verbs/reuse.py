"""Can old judgments be trusted for a new system? Each run is scored as if it had not been in the pool (Zobel 1998)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import InputError, Problem
from gaincurve.measures.notation import parse_measure
from gaincurve.model.choices import PoolChoices
from gaincurve.model.judgments import Judgments
from gaincurve.model.lists import Lists
from gaincurve.model.measure import Measure
from gaincurve.model.rows import Floats
from gaincurve.model.scenario import Scenario
from gaincurve.model.signature import Signature
from gaincurve.model.source import Note, Source, counted
from gaincurve.model.tables.result import Result
from gaincurve.model.tables.tidy import Kind, Tidy
from gaincurve.stats.orders import kendall_tau
from gaincurve.verbs.evaluate import evaluate
from gaincurve.verbs.lists import grades_of, named_runs, without

SMALL_DROP = 0.05
"""A drop of at most this share of the score leaves judgments usable for a new system."""
SAME_ORDER = 0.9
"""Kendall's τ from which two orders of systems are called the same (Voorhees 1998)."""


@dataclass(frozen=True)
class LeftOut:
    """A run, or a run of a team, without the judged documents that only it (or its team) shows."""

    name: str
    team: str
    unique: int
    before: float
    after: float
    place_before: int
    place_after: int
    tau: float

    @property
    def drop(self) -> float:
        """How far the score falls."""
        return self.before - self.after


@dataclass(frozen=True)
class Reuse(Result):
    """Every run as it would score had it come after the judging."""

    parts: tuple[LeftOut, ...]
    depth: int
    measure: Measure
    signature: Signature
    inputs: tuple[Source, ...]
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        verdict = "trusted" if self.trusted else "not trusted"
        return f"Reuse({self.measure}: {counted(len(self.parts), 'run')} to depth {self.depth}, {verdict})"

    @property
    def trusted(self) -> bool:
        """Whether a new run would have scored nearly the same without having been pooled."""
        return all(abs(p.drop) <= SMALL_DROP * p.before and not p.tau < SAME_ORDER for p in self.parts)

    def sentences(self) -> tuple[str, ...]:
        """The verdict in words."""
        worst = max(self.parts, key=lambda part: part.drop / part.before if part.before else 0.0)
        share = worst.drop / worst.before if worst.before else 0.0
        moved = sum(part.place_before != part.place_after for part in self.parts)
        least = min(part.tau for part in self.parts)
        verdict = "can be trusted for a new system of this kind" if self.trusted else "are unfair to a new system"
        return (
            f"These judgments {verdict}: the largest drop is {share:.1%} of the score ({worst.name}), "
            f"{moved} of {counted(len(self.parts), 'run')} change{'s' * (moved == 1)} place, "
            f"the least τ is {least:.2f}.",
            f"Unique: judged documents that only the run or its team shows in its first {self.depth}. Trusted: no drop "
            f"above {SMALL_DROP:.0%} and no τ below {SAME_ORDER:g}.",
        )

    def tidy(self) -> Tidy:
        """run, team, unique, before, after, drop, place_before, place_after, tau, signature: a run a row."""
        kinds: dict[str, Kind] = {
            "run": "text", "team": "text", "unique": "count", "before": "number", "after": "number", "drop": "number",
            "place_before": "count", "place_after": "count", "tau": "number", "signature": "text",
        }  # fmt: skip
        rows = [
            (p.name, p.team, p.unique, p.before, p.after, p.drop, p.place_before, p.place_after, p.tau,
             str(self.signature))
            for p in self.parts
        ]  # fmt: skip
        return Tidy.of_rows("gaincurve.reuse/1", kinds, rows, [self.signature])

    def to_dict(self) -> dict[str, object]:
        """The JSON shape gaincurve.reuse/1."""
        return {
            "schema": "gaincurve.reuse/1",
            "measures": [{"name": self.measure.text, "signature": str(self.signature)}],
            "depth": self.depth,
            "trusted": self.trusted,
            "runs": [
                {
                    "run": p.name, "team": p.team, "unique": p.unique, "before": p.before, "after": p.after,
                    "drop": p.drop, "place_before": p.place_before, "place_after": p.place_after,
                    "tau": None if np.isnan(p.tau) else p.tau,
                }
                for p in self.parts
            ],
            "verdict": self.sentences()[0],
        }  # fmt: skip


def reuse(
    judgments: object,
    runs: object,
    measure: str | Measure = "nDCG@10",
    *,
    depth: int = 100,
    groups: Mapping[str, str] | None = None,
    scenario: Scenario | str = "default",
    **choices: Unpack[PoolChoices],
) -> Reuse:
    """Score each run without the judged documents that only it, or its team, shows in its first `depth`.

    `groups` names the team of each run. The order of the runs with the score so lowered is compared by Kendall's τ.
    """
    judged, ranked = Judgments.of(judgments), named_runs(runs)
    if len(ranked) < 2:
        raise InputError(Problem("runs-too-few", "without another run every document is unique"))
    parsed = parse_measure(measure)
    chosen = Scenario.of(scenario).with_choices(**choices)
    team_of = [run.name if groups is None else groups[run.name] for run in ranked]
    scores = evaluate(judged, ranked, parsed, scenario=chosen)
    name = scores.measures[0].text
    full = np.array([scores.summary()[run.name][name] for run in ranked], dtype=np.float64)
    lists = Lists.of(ranked, depth, judged.topics)
    parts: dict[int, LeftOut] = {}
    for team in dict.fromkeys(team_of):
        members = [i for i, other in enumerate(team_of) if other == team]
        unique = _unique(lists, members) & ~np.isnan(grades_of(lists, judged))
        lowered = full.copy()
        if unique.any():
            reduced = without(judged, lists, unique)
            again = evaluate(reduced, [ranked[i] for i in members], parsed, scenario=chosen).summary()
            lowered[members] = [again[ranked[i].name][name] for i in members]
        for i in members:
            alone = np.where(np.arange(len(full)) == i, lowered, full)
            parts[i] = LeftOut(
                ranked[i].name, team, int(unique.sum()), float(full[i]), float(lowered[i]),
                _place(full, i), _place(alone, i), kendall_tau(full, lowered),
            )  # fmt: skip
    return Reuse(
        tuple(parts[i] for i in range(len(ranked))), depth, scores.measures[0], scores.signatures[0],
        scores.inputs, scores.notes,
    )  # fmt: skip


def _place(values: Floats, i: int) -> int:
    return 1 + int((values > values[i]).sum())


def _unique(lists: Lists, members: Sequence[int]) -> NDArray[np.bool_]:
    """The documents that these runs show and no other does."""
    of_team = np.bincount(lists.document[np.isin(lists.run, members)], minlength=len(lists))
    return np.asarray((of_team > 0) & (of_team == lists.held))


def parse_groups(text: str, runs: Sequence[str], path: str) -> dict[str, str]:
    """Lines RUN TEAM, one for each run."""
    teams: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        parts = line.split()
        if not parts or parts[0].startswith("#"):
            continue
        if len(parts) != 2 or parts[0] in teams or parts[0] not in runs:
            what = f"{line.strip()!r} is not the one line RUN TEAM of a given run"
            raise InputError(Problem("pool-groups", what, f"{path}:{number}"))
        teams[parts[0]] = parts[1]
    if missing := [run for run in runs if run not in teams]:
        raise InputError(Problem("pool-groups", f"no team for {', '.join(missing)}", path))
    return teams
