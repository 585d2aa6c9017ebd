"""Pictures of comparisons and sweeps: every pair, topic and setting is in them; what is not valid is not drawn."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from made import scores_of

import gaincurve as gc
from gaincurve.errors import GaincurveError
from gaincurve.figures.colours import ALIKE, COLOURS
from gaincurve.figures.ranks import _bars
from gaincurve.figures.sweep import nobody, rows_title, short_discount, short_gains
from gaincurve.model.scores import Scores


def scores(systems: int, topics: int = 12, measures: int = 1) -> Scores:
    random = np.random.default_rng(systems)
    values = random.random((systems, measures, topics)) + 0.1 * np.arange(systems)[:, None, None]
    names = tuple(f"nDCG@{m + 1}" for m in range(measures))
    runs = tuple(f"s{i}" for i in range(systems))
    return scores_of(runs, names, tuple(f"t{i:02d}" for i in range(topics)), values)


def rows(chart: Any) -> Iterator[dict[str, Any]]:
    """All data of a chart, wherever they stand."""

    def walk(part: Any) -> Iterator[dict[str, Any]]:
        if isinstance(part, dict):
            for key, inner in part.items():
                if key == "values" and isinstance(inner, list) and inner and isinstance(inner[0], dict):
                    yield from inner
                else:
                    yield from walk(inner)
        elif isinstance(part, list):
            for inner in part:
                yield from walk(inner)

    yield from walk(json.loads(chart.to_json()))


def test_a_forest_has_every_pair_with_its_interval() -> None:
    found = gc.compare(scores(4))
    drawn = {row["pair"]: row for row in rows(gc.figures.forest_chart(found)) if "pair" in row}
    assert len(drawn) == 6
    for pair in found.pairs:
        row = drawn[f"{pair.a} − {pair.b}"]
        assert (row["difference"], row["low"], row["high"]) == (pair.difference, pair.low, pair.high)
        assert (row["fill"] == "#ffffff") is not pair.significant


def test_a_large_forest_keeps_the_largest_differences() -> None:
    found = gc.compare(scores(13), "t")
    drawn = {row["pair"] for row in rows(gc.figures.forest_chart(found)) if "pair" in row}
    assert len(drawn) == 60
    largest = max(found.pairs, key=lambda pair: abs(pair.difference))
    assert f"{largest.a} − {largest.b}" in drawn


def test_bars_by_topic_are_sorted_and_complete() -> None:
    found = gc.compare(scores(2))
    bars = [row for row in rows(gc.figures.topics_chart(found)) if "topic" in row]
    gaps = [row["difference"] for row in bars]
    assert gaps == sorted(gaps, reverse=True)
    assert {row["topic"] for row in bars} == set(found.families[0].topics)
    assert all((row["ahead"] == "s0 better") == (row["difference"] > 0) for row in bars)


def test_bars_need_two_runs_named() -> None:
    with pytest.raises(GaincurveError, match="run-unknown"):
        gc.figures.topics_chart(gc.compare(scores(3)))
    with pytest.raises(GaincurveError, match="run-unknown"):
        gc.figures.topics_chart(gc.compare(scores(3)), "s0", "nobody")


def test_critical_differences_only_after_nemenyi() -> None:
    chart = gc.figures.ranks_chart(gc.compare(scores(5), post_hoc="nemenyi"))
    names = [row["text"].split()[0] for row in rows(chart) if "text" in row]
    assert sorted(names) == ["s0", "s1", "s2", "s3", "s4"]
    for test in ("friedman", "tukey", "t"):
        with pytest.raises(GaincurveError, match="test-not-possible"):
            gc.figures.ranks_chart(gc.compare(scores(5), test))


def test_bars_over_ranks_that_do_not_differ() -> None:
    assert _bars([1.0, 1.5, 3.0, 3.2], 1.0) == [(0.97, 1.53), (2.97, 3.23)]
    assert _bars([1.0, 2.0, 3.0], 0.5) == []
    assert np.allclose(_bars([1.0, 1.4, 1.8], 0.5), [(0.97, 1.43), (1.37, 1.83)])


def test_the_sweep_map_has_every_setting() -> None:
    judged = {f"t{i}": {"a": 1, "b": 2, "c": 0} for i in range(11)}
    runs = {"x": {t: {"a": 2.0, "b": 1.0} for t in judged}, "y": {t: {"b": 2.0, "c": 1.0} for t in judged}}
    found = gc.sweep(judged, runs, depths=[1, 2], bases=[2])
    cells = [row for row in rows(gc.figures.sweep_chart(found)) if "margin" in row]
    assert len(cells) == len(found.settings)
    equal = "no run (equal)"
    assert [row["winner"] for row in cells] == [equal if s.winner == "=" else s.winner for s in found.settings]
    assert {s.winner for s in found.settings} >= {"x", "="}
    assert [(row["gains"], row["discount"], row["last"]) for row in cells] == [
        (s.gains, s.discount, s.depth) for s in found.settings
    ]


class TestRowsOfTheMap:
    def told(self, measure: str = "nDCG", **axes: Any) -> tuple[list[str], str]:
        judged = {f"t{i}": {"a": 1, "b": 2, "c": 0} for i in range(11)}
        runs = {"x": {t: ["a", "b"] for t in judged}, "y": {t: ["b", "c"] for t in judged}}
        found = gc.sweep(judged, runs, measure, depths=[1], ratios=[], **axes)
        chart = gc.figures.sweep_chart(found).to_dict(validate=True)
        cells = [row for row in rows(gc.figures.sweep_chart(found)) if "margin" in row]
        return [row["row"] for row in cells], " ".join(chart["layer"][0]["encoding"]["y"]["title"])

    def test_name_the_base_and_the_title_the_discount(self) -> None:
        names, title = self.told(gains=["identity", "0-0-1"], bases=[2, 2.5, float("inf")])
        assert names[:3] == ["identity, b=2", "identity, b=2.5", "identity, no discount"]
        assert names[3:] == ["0-0-1, b=2", "0-0-1, b=2.5", "0-0-1, no discount"]
        assert title == "gains, base b of the discount jk2002"

    def test_name_only_gains_where_all_have_one_discount(self) -> None:
        wanted = ["identity", "0-0-1"]
        assert self.told(gains=wanted, bases=[3]) == (wanted, "gains; discount jk2002(base=3)")
        assert self.told(gains=wanted, discount="log") == (wanted, "gains; discount log2(i+1)")
        assert self.told("nCG", gains=wanted) == (wanted, "gains")

    def test_are_short_and_no_two_alike(self) -> None:
        long = ["0" + f"-{i}" * 12 for i in range(12)]
        short = short_gains(["identity", *long, "identity"])
        assert list(short) == ["identity", *long]
        assert short["identity"] == "identity"
        assert len(set(short.values())) == 13
        assert all(len(text) <= 16 for text in short.values())
        names, _ = self.told(gains=[f"0-1-100000000000{i}" for i in (2, 3)], bases=[2, 3])
        assert names == [
            "0-1-1000000… (1), b=2",
            "0-1-1000000… (1), b=3",
            "0-1-1000000… (2), b=2",
            "0-1-1000000… (2), b=3",
        ]

    def test_discounts_without_a_base_keep_their_names(self) -> None:
        assert [short_discount(text) for text in ("log2(i+1)", "rank", "none", "kanoulas2011(base=1.5)")] == [
            "log2(i+1)", "rank", "no discount", "b=1.5"
        ]  # fmt: skip
        mixed = ["rank", "jk2002(base=2)", "jk2002(base=inf)", "rank"]
        assert rows_title(mixed) == "gains, base b of the discount jk2002"


def test_nobody_is_called_like_no_run() -> None:
    assert nobody(["equal", "ideal"]) == "no run (equal)"
    assert nobody(["(no run (equal))", "no run (equal)"]) == "((no run (equal)))"
    judged = {f"t{i}": {"a": 1} for i in range(3)}
    runs = {name: {t: {"a": 1.0} for t in judged} for name in ("equal", "no run (equal)")}
    chart = gc.figures.sweep_chart(gc.sweep(judged, runs, depths=[1], bases=[2]))
    scale = chart.to_dict(validate=True)["layer"][0]["encoding"]["color"]["scale"]
    assert scale["domain"] == ["equal", "no run (equal)", "(no run (equal))"]
    assert {row["winner"] for row in rows(chart)} == {"(no run (equal))"}


def test_several_measures_are_several_panels(tmp_path: Any) -> None:
    found = gc.compare(scores(3, measures=2), post_hoc="nemenyi")
    for chart in (
        gc.figures.forest_chart(found),
        gc.figures.ranks_chart(found),
        gc.figures.topics_chart(found, "s0", "s1"),
    ):
        gc.figures.save(chart, tmp_path / "x.svg")
        assert len(chart.to_dict()["concat"]) == 2


def test_a_forest_has_the_colour_of_the_run_that_is_better() -> None:
    ahead = np.array([0.55] * 18 + [-0.4] * 2) + np.linspace(0, 0.001, 20)
    topics = tuple(f"t{i:02d}" for i in range(20))
    for measure, sign in (("nDCG@10", 1), ("FirstRank", -1)):
        values = sign * np.array([[ahead], [np.full(20, 0.5)]])
        made = scores_of(("a", "b"), (measure,), topics, values)
        found = gc.compare(made, "sign")
        shades = {row["shade"] for row in rows(gc.figures.forest_chart(found)) if "pair" in row}
        assert (found.pairs[0].better, shades) == ("a", {COLOURS[0]})


def stepped(systems: int) -> Scores:
    """Each system better than all before it, beyond doubt."""
    values = np.arange(systems)[:, None, None] + np.random.default_rng(1).random((systems, 1, 12)) / 10
    topics = tuple(f"t{i:02d}" for i in range(12))
    return scores_of(tuple(f"s{i}" for i in range(systems)), ("nDCG@10",), topics, values)


def test_two_runs_have_their_own_colours_wherever_they_stand() -> None:
    found = gc.compare(stepped(4), "t")
    drawn = {row["pair"]: row["shade"] for row in rows(gc.figures.forest_chart(found)) if "pair" in row}
    assert drawn == {f"s{i} − s{j}": COLOURS[j] for i in range(4) for j in range(i + 1, 4)}
    assert "in the colour of the better run" in json.dumps(gc.figures.forest_chart(found).to_dict())
    for a, b in (("s3", "s1"), ("s0", "s2")):
        wanted = [COLOURS[int(name[1])] for name in (a, b)]
        for chart in (gc.figures.topics_chart(found, a, b), gc.figures.scatter_chart(found, a, b)):
            scales = [
                scale for scale in colour_scales(chart.to_dict(validate=True)) if f"{a} better" in scale["domain"]
            ]
            assert scales
            assert all(scale["range"][:2] == wanted for scale in scales)


def colour_scales(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict) and isinstance(node.get("color"), dict) and node["color"].get("scale"):
        yield node["color"]["scale"]
    for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from colour_scales(child)


def test_with_more_runs_than_colours_the_second_of_two_alike_is_grey() -> None:
    found = gc.compare(stepped(12), "t")
    drawn = {row["pair"]: row["shade"] for row in rows(gc.figures.forest_chart(found)) if "pair" in row}
    assert drawn["s1 − s11"] == ALIKE
    assert drawn["s0 − s11"] == COLOURS[1]
    (scale,) = colour_scales(gc.figures.topics_chart(found, "s11", "s1").to_dict())
    assert scale["range"] == [COLOURS[1], ALIKE]


def test_a_forest_tells_the_method_of_every_measure() -> None:
    made = scores(2, measures=2)
    values = made.values.copy()
    values[:, 1, :4] = np.nan
    text = json.dumps(gc.figures.forest_chart(gc.compare(replace(made, values=values))).to_dict(), ensure_ascii=False)
    assert "nDCG@1: Two-sided paired t-test over 12 topics" in text
    assert "nDCG@2: Two-sided paired t-test over 8 topics" in text


def test_many_topics_have_no_lines_between_them() -> None:
    chart = gc.figures.topics_chart(gc.compare(scores(2, topics=80))).to_dict()
    assert chart["layer"][0]["encoding"]["x"]["axis"]["grid"] is False
