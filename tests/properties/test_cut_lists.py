"""What Spark relies on: a measure with a cutoff needs the first ranks, what is tied with the last, and the length."""

from __future__ import annotations

import random

import numpy as np
import pytest

from gaincurve.measures.notation import parse_measures
from gaincurve.measures.registry import REGISTRY
from gaincurve.model.scenario import Scenario
from gaincurve.spark.cut import depth_needed

pa = pytest.importorskip("pyarrow")

CUTOFF = 5
CUT = [
    name for name, definition in REGISTRY.items()
    if definition.over == "topic" and definition.cutoff in ("optional", "required") and not definition.needs
    and definition.bounds is not None
]  # fmt: skip


def tables(seed: int) -> tuple[object, list[tuple[str, str, float]]]:
    draw = random.Random(seed)
    judged = [
        (f"t{t}", f"d{d}", draw.choice([-1, 0, 0, 1, 2, 3])) for t in range(8) for d in draw.sample(range(40), 15)
    ]
    lists = [(f"t{t}", f"d{d}", float(draw.randint(0, 9))) for t in range(7) for d in draw.sample(range(40), 3 + 4 * t)]
    return pa.table(dict(zip(("topic", "document", "grade"), zip(*judged, strict=True), strict=True))), lists


def cut(lists: list[tuple[str, str, float]]) -> object:
    """The first ranks by a plain loop, with the columns that carry the rest along."""
    rows = []
    for topic in sorted({row[0] for row in lists}):
        own = [row for row in lists if row[0] == topic]
        last = sorted((row[2] for row in own), reverse=True)[:CUTOFF][-1]
        rows += [("run", *row, len(own), False) for row in own if row[2] >= last]
    return pa.table(dict(zip(("run", "topic", "document", "score", "retrieved", "repeats"),
                             map(list, zip(*rows, strict=True)), strict=True)))  # fmt: skip


@pytest.mark.parametrize(("name", "ties"), [
    (name, ties) for name in CUT for ties in ("trec", "average") if ties == "trec" or REGISTRY[name].ties == "exact"
])  # fmt: skip
def test_a_cut_list_has_the_value_of_the_whole(name: str, ties: str) -> None:
    from gaincurve.spark.bucket import Task, score_bucket  # noqa: PLC0415 -- needs pyarrow

    measure = parse_measures(f"{name}@{CUTOFF}")[0]
    scenario = Scenario(ties=ties)
    assert depth_needed([measure], scenario) == CUTOFF
    judgments, lists = tables(len(name))
    task = Task(("run",), (measure,), scenario, (-1.0, 0.0, 1.0, 2.0, 3.0), 10_000)
    columns = list(map(list, zip(*(("run", *row) for row in lists), strict=True)))
    whole = pa.table(dict(zip(("run", "topic", "document", "score"), columns, strict=True)))
    assert len(cut(lists)) < len(whole)
    tables_of = (whole, cut(lists))
    expected, ours = (score_bucket(task, judgments, table)["value"].to_numpy() for table in tables_of)
    assert np.isfinite(expected).any()
    assert ours.tobytes() == expected.tobytes()


def test_whole_lists_are_needed_where_a_choice_looks_at_all_of_them() -> None:
    asked = parse_measures(["nDCG@10", "P@5"])
    assert depth_needed(asked, Scenario()) == 10
    assert depth_needed(parse_measures(["nDCG@10", "AP"]), Scenario()) == 0
    for scenario in (
        Scenario(unjudged="condensed"),
        Scenario(ideal="retrieved"),
        Scenario(ideal="pooled"),
        Scenario(ties="rank"),
    ):
        assert depth_needed(asked, scenario) == 0
