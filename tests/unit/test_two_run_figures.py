"""Pictures of two runs as data: differences by rank with intervals and crossings, and points by topic."""

from __future__ import annotations

import dataclasses
import math
import re
from typing import Any

import numpy as np
import pytest
import scipy.stats
from made import scores_of

import gaincurve as gc
from gaincurve.figures import curves_chart, difference_chart, save, scatter_chart
from gaincurve.figures.colours import COLOURS
from gaincurve.figures.intervals import t_band
from gaincurve.figures.two_runs import crossing_rows, difference_sheet, ends_of, scatter_sheet
from gaincurve.measures.notation import parse_measure
from gaincurve.measures.registry import REGISTRY
from gaincurve.model.scores import Scores

JUDGED = {f"q{i}": {"a": 3, "b": 2, "c": 1, "d": 0} for i in range(3)}
EARLY = {"q0": ["a", "d"], "q1": ["a", "d"], "q2": ["b", "d"]}  # CG: 3 3, 3 3, 2 2
LATE = {"q0": ["d", "a", "b"], "q1": ["c", "a", "b"], "q2": ["d", "a", "b"]}  # CG: 0 3 5, 1 4 6, 0 3 5


def curves(per_topic: bool = True, **more: Any) -> gc.Curves:
    runs = {"early": EARLY, "late": LATE, **more}
    return gc.curves(JUDGED, runs, "CG", depth=3, per_topic=per_topic)


class TestBands:
    def test_are_those_of_scipy(self) -> None:
        values = np.random.default_rng(1).random((9, 4))
        band = t_band(values)
        low, high = scipy.stats.t.interval(0.95, 8, values.mean(axis=0), scipy.stats.sem(values, axis=0))
        np.testing.assert_allclose([band.mean, band.low, band.high], [values.mean(axis=0), low, high], rtol=1e-12)

    def test_topics_without_values_are_left_out(self) -> None:
        values = np.array([[1.0, 2.0], [math.nan, math.nan], [3.0, 2.0]])
        band = t_band(values)
        assert band.mean.tolist() == [2.0, 2.0]
        assert band.low[1] == band.high[1] == 2.0

    @pytest.mark.parametrize("rows", [0, 1])
    def test_one_topic_has_no_interval(self, rows: int) -> None:
        band = t_band(np.ones((rows, 3)))
        assert np.isnan(band.low).all()
        assert np.isnan(band.mean).all() == (rows == 0)


class TestDifference:
    def test_by_hand(self) -> None:
        found = curves()
        rows = difference_sheet(found, found.curves[0], "early", "late").rows
        gaps = np.array([[3, 0, -2], [2, -1, -3], [2, -1, -3]], dtype=float)
        assert [row["difference"] for row in rows["line"]] == pytest.approx(gaps.mean(axis=0), abs=1e-15)
        half = scipy.stats.t.ppf(0.975, 2) * gaps.std(axis=0, ddof=1) / math.sqrt(3)
        assert [row["high"] for row in rows["band"]] == pytest.approx(gaps.mean(axis=0) + half, rel=1e-12)
        (crossing,) = rows["crossings"]
        assert (crossing["rank"], crossing["label"]) == (2, "2")
        assert crossing["told"] == "at rank 2 late gets ahead of early"

    def test_without_topics_it_is_that_of_the_means_and_has_no_band(self) -> None:
        rows, kept = (
            difference_sheet(found, found.curves[0], "early", "late").rows for found in (curves(False), curves())
        )
        assert [row["difference"] for row in rows["line"]] == pytest.approx([row["difference"] for row in kept["line"]])
        assert rows["band"] == []
        assert "area" not in str(difference_chart(curves(False)).to_dict())
        assert "area" in str(difference_chart(curves()).to_dict())

    def test_only_topics_of_both_runs_count_where_some_are_missing(self) -> None:
        runs = {"early": {"q0": EARLY["q0"], "q1": EARLY["q1"]}, "late": LATE}
        found = gc.curves(JUDGED, runs, "CG", depth=3, per_topic=True, missing="skip")
        rows = difference_sheet(found, found.curves[0], "early", "late").rows
        assert [row["difference"] for row in rows["line"]] == [2.5, -0.5, -2.5]

    def test_names_of_crossings_keep_apart(self) -> None:
        found = [(3, "a", "b"), (4, "b", "a"), (9, "a", "b"), (40, "b", "a")]
        assert [row["label"] for row in crossing_rows(found, 50)] == ["3", "", "9", "40"]
        assert [row["rank"] for row in crossing_rows(found, 50)] == [3, 4, 9, 40]

    @pytest.mark.parametrize("scale", [1.0, -1.0, 1e-9, 0.0])
    def test_each_half_names_the_run_that_is_ahead_there(self, scale: float, tmp_path: Any) -> None:
        """Also where one run is ahead at every rank: the other's words do not stand in its half."""
        found = gc.curves(JUDGED, {"sharp": EARLY, "titles": {t: ["d"] for t in EARLY}}, "CG", depth=3)
        curve = dataclasses.replace(found.curves[0], values=scale * found.curves[0].values)
        for a, b in (("sharp", "titles"), ("titles", "sharp")):
            chart = difference_chart(dataclasses.replace(found, curves=(curve,)), a, b)
            save(chart, tmp_path / "d.svg")
            svg = (tmp_path / "d.svg").read_text("utf-8")
            heights = {text: y for y, text in re.findall(r"translate\([^,]*,([-\d.]+)\)[^>]*>([^<]*)</text>", svg)}
            zero_line = chart.to_dict()["layer"][0]
            domain = zero_line["encoding"]["y"]["scale"]["domain"]
            zero = 280 * domain[1] / (domain[1] - domain[0])
            above, below = (float(heights[f"{name} ahead"]) for name in (a, b))
            assert above + 4 < zero < below - 12
            drawn = [row["difference"] for row in difference_sheet(found, curve, a, b).rows["line"]]
            assert domain[0] < min(drawn) <= max(drawn) < domain[1]

    @pytest.mark.parametrize("at", [0, 28, 56])
    def test_long_names_stay_apart_inside_the_plot(self, at: int) -> None:
        same = "collection-robust04-retrieval-with-a-learned-sparse-mode"
        a, b = (same[:at] + part + same[at:] for part in ("bm25", "lsi2"))
        found = gc.curves(JUDGED, {a: EARLY, b: LATE}, "CG", depth=3)
        above, below = (layer["mark"]["text"] for layer in difference_chart(found).to_dict()["layer"][-2:])
        assert ("bm25" in above, "lsi2" in below) == (True, True)
        assert max(len(above), len(below)) <= len(" ahead") + 40
        assert above.endswith(" ahead")
        title = difference_chart(found).to_dict()["layer"][0]["encoding"]["y"]["title"]
        assert [part in line for part, line in zip(("bm25", "lsi2"), title[1:3], strict=True)] == [True, True]
        assert max(map(len, title[:3])) <= 45

    def test_several_curves_are_several_panels_and_both_runs_are_named(self, tmp_path: Any) -> None:
        found = gc.curves(JUDGED, {"early": EARLY, "late": LATE}, ["CG", "nDCG"], depth=3, per_topic=True)
        chart = difference_chart(found)
        save(chart, tmp_path / "d.svg")
        text = (tmp_path / "d.svg").read_text("utf-8")
        for words in ("early ahead", "late ahead", "difference in nDCG (early less late)"):
            assert words in text
        assert len(chart.to_dict(validate=True)["concat"]) == 2

    def test_both_runs_have_the_colours_of_their_curves(self) -> None:
        three = curves(third=EARLY)
        for a, b in (("third", "late"), ("early", "third")):
            values = difference_sheet(three, three.curves[0], a, b).values
            tones = [COLOURS[three.runs.index(name)] for name in (a, b)]
            assert [values["first_tone"], values["second_tone"]] == tones
            sides = [layer["mark"] for layer in difference_chart(three, a, b).to_dict()["layer"][-2:]]
            assert [(mark["text"], mark["color"]) for mark in sides] == [
                (f"{a} ahead", tones[0]),
                (f"{b} ahead", tones[1]),
            ]

    def test_which_two_runs(self) -> None:
        three = curves(third=EARLY)
        with pytest.raises(gc.ChoiceError) as refused:
            difference_chart(three)
        assert refused.value.slug == "run-unknown"
        with pytest.raises(gc.ChoiceError) as refused:
            difference_chart(three, "early", "nobody")
        assert refused.value.slug == "run-unknown"
        assert "third" in str(difference_chart(three, "third", "late").to_dict())


def test_intervals_of_curves_need_their_topics() -> None:
    with pytest.raises(gc.ChoiceError) as refused:
        curves_chart(curves(False), intervals=True)
    assert refused.value.slug == "test-not-possible"
    found = curves_chart(curves(), intervals=True).to_dict(validate=True)
    (band,) = [layer for layer in found["layer"] if layer["mark"]["type"] == "area"]
    rows = band["data"]["values"]
    (late,) = [row for row in rows if (row["run"], row["rank"]) == ("late", 3)]
    half = scipy.stats.t.ppf(0.975, 2) * np.std([5, 6, 5], ddof=1) / math.sqrt(3)
    assert late["low"] == pytest.approx(16 / 3 - half, rel=1e-12)


def scores(measure: str = "nDCG@10") -> Scores:
    values = np.array([[[0.5, 0.2, 0.9, 0.3]], [[0.4, 0.6, 0.9, 0.1]]])
    return scores_of(("x", "y"), (measure,), ("t1", "t2", "t3", "t4"), values)


class TestScatter:
    def test_a_point_for_each_topic(self) -> None:
        sheet = scatter_sheet(gc.compare(scores(), "t").families[0], "x", "y")
        ahead = ["x better", "y better", "equal", "x better"]
        assert [row["ahead"] for row in sheet.rows["topics"]] == ahead
        assert [(row["topic"], row["a"], row["b"]) for row in sheet.rows["topics"]][:2] == [
            ("t1", 0.5, 0.4),
            ("t2", 0.2, 0.6),
        ]
        assert (sheet.values["low"], sheet.values["high"]) == (0.0, 1.0)

    def test_less_may_be_better(self) -> None:
        sheet = scatter_sheet(gc.compare(scores("FirstRank"), "t").families[0], "x", "y")
        assert [row["ahead"] for row in sheet.rows["topics"]][:2] == ["y better", "x better"]

    def test_the_chart(self, tmp_path: Any) -> None:
        save(scatter_chart(gc.compare(scores(), "t")), tmp_path / "s.svg")
        text = (tmp_path / "s.svg").read_text("utf-8")
        assert "nDCG@10 of x" in text
        assert "nDCG@10 of y" in text

    def test_systems_on_different_sessions_have_no_common_topics(self) -> None:
        comparison = gc.compare(scores(), "t")
        with pytest.raises(gc.ChoiceError) as refused:
            scatter_chart(comparison.__class__(**{**comparison.__dict__, "test": "welch"}))
        assert refused.value.slug == "test-not-possible"

    def test_ends_of_the_axes(self) -> None:
        assert ends_of([0.3, 0.9]) == (0.0, 1.0)
        assert ends_of([0.01, 0.1]) == (0.0, pytest.approx(0.104))
        assert ends_of([5.0, 100.0]) == (0.0, 104.0)
        assert ends_of([-2.0, 1.0]) == (-2.0, pytest.approx(1.04))
        assert ends_of([0.0]) == (0.0, 1.0)
        assert ends_of([]) == (0.0, 1.0)


def test_more_is_better_in_every_measure_with_a_curve() -> None:
    """The words above and below zero, and the crossings, count on it; topics and points ask the measure."""
    parse_measure("nDCG@10")  # the registry fills itself when it is asked for
    assert [name for name, record in REGISTRY.items() if record.curve and record.better != "higher"] == []
    assert any(record.better == "lower" for record in REGISTRY.values())
