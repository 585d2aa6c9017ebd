"""The command that goes on where judgments do not settle a verdict."""

from __future__ import annotations

import math
import shlex
from collections.abc import Sequence

from gaincurve.model.comparison import Comparison
from gaincurve.model.scenario import Scenario
from gaincurve.model.source import counted
from gaincurve.model.standing import Standing


def of_comparison(comparison: Comparison, judgments: str, runs: Sequence[str], scenario: Scenario) -> list[str]:
    """Which command says what to judge, where judging could turn a difference by the first measure."""
    for family in comparison.families:
        standings = [pair.standing for pair in family.pairs if pair.standing is not None]
        open_ = [s for s in standings if s.unlikely or _is_open(s)]
        turnable = open_ or [s for s in standings if s.few_judged and not math.isnan(s.low)]
        if turnable:
            stop = () if open_ else ("--stop", "certain")
            what = (
                f"judging could reverse {counted(len(turnable), 'pair')} by {family.measure.text}; what to judge next"
            )
            return [f"{what}: {_decide(judgments, runs, family.measure.text, scenario, stop)}"]
    return []


def _is_open(standing: Standing) -> bool:
    """Whether nothing is known of a pair but that judging can turn it: a tie so far."""
    return math.isnan(standing.p) and standing.low < 0 < standing.high


def of_unjudged(judgments: str, runs: Sequence[str], measure: str, scenario: Scenario) -> str:
    """Which command says what to judge, where the first documents of some run are not all judged."""
    if len(runs) > 1:
        return f"what to judge next: {_decide(judgments, runs, measure, scenario)}"
    pool = shlex.join(["gaincurve", "pool", *runs, "--judgments", judgments, "--depth", "10", "-o", "pool.jsonl"])
    return f"what to judge next: {pool}"


def _decide(judgments: str, runs: Sequence[str], measure: str, scenario: Scenario, stop: Sequence[str] = ()) -> str:
    command = shlex.join(["gaincurve", "decide", judgments, *runs, "-m", measure, *stop])
    return command if scenario == Scenario.of("default") else f"{command} (with the same scenario)"
