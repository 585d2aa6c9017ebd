"""The picture of effectiveness over latency as data: where points, lines, steps and names stand."""

from __future__ import annotations

import json
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gaincurve as gc
from gaincurve.figures import curves_chart, save, tradeoff_chart
from gaincurve.figures.labels import Box, place_labels, text_width

JUDGMENTS = {"q": {f"d{i}": 1 for i in range(60)}}


def experiment(
    latencies: dict[str, list[float]], ranks: dict[str, int] | None = None, measure: str = "CG@100"
) -> gc.Tradeoff:
    """Systems whose CG@100 is a number of documents: `ranks`, or 1, 2, 3, …"""
    wanted = ranks or {name: i for i, name in enumerate(latencies, 1)}
    runs = {name: {"q": [f"d{i}" for i in range(count)] or ["x"]} for name, count in wanted.items()}
    logs = {name: [{"topic": "q", "latency_ms": v} for v in values] for name, values in latencies.items()}
    return gc.tradeoff(gc.evaluate(JUDGMENTS, runs, measure), logs)


def crowd(count: int, seed: int = 3) -> gc.Tradeoff:
    random = np.random.default_rng(seed)
    names = [f"system-{i}" for i in range(count)]
    scores = {name: int(random.integers(1, 60)) for name in names}
    return experiment(
        {n: (10 ** random.uniform(0.3, 2.3) * random.lognormal(0, 0.4, 9)).tolist() for n in names}, scores
    )


def layers(chart: Any, mark: str) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Layers of one kind of mark, each with its data."""
    whole = chart.to_dict(validate=True)
    found = []
    for layer in whole["layer"]:
        if layer["mark"]["type"] == mark:
            data = layer["data"]
            found.append((layer, data["values"] if "values" in data else whole["datasets"][data["name"]]))
    return found


def axes(chart: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    ((layer, _),) = layers(chart, "point")
    return layer["encoding"]["x"], layer["encoding"]["y"]


def test_points_stand_at_median_and_score_with_a_line_to_p95() -> None:
    chart = tradeoff_chart(experiment({"a": [10, 20, 30], "b": [5, 5, 8]}, {"a": 40, "b": 10}))
    ((layer, rows),) = layers(chart, "point")
    assert [(r["run"], r["median"], r["score"]) for r in rows] == [("a", 20, 40), ("b", 5, 10)]
    assert [r["p95"] for r in rows] == pytest.approx([29, 7.7])
    assert (layer["encoding"]["x"]["field"], layer["encoding"]["y"]["field"]) == ("median", "score")
    rule = next(rule for rule, _ in layers(chart, "rule") if "x2" in rule["encoding"])
    assert rule["encoding"]["x2"]["field"] == "p95"


def test_axis_titles_tell_the_better_corner() -> None:
    found = experiment({"a": [10], "b": [5]})
    x, y = axes(tradeoff_chart(found))
    assert x["title"][0] == "query latency in ms (left is better)"
    assert "median" in x["title"][1]
    assert "p95" in x["title"][1]
    assert y["title"] == "CG@100 (up is better)"
    turned = type(found)(found.scores, found.logs, "lower", found.notes)
    assert axes(tradeoff_chart(turned))[1]["title"] == "CG@100 (down is better)"


@pytest.mark.parametrize(("slowest", "kind"), [(199, "linear"), (201, "log")])
def test_the_axis_is_logarithmic_where_the_spread_asks_for_it(slowest: float, kind: str) -> None:
    x, _ = axes(tradeoff_chart(experiment({"a": [10], "b": [slowest]})))
    assert x["scale"]["type"] == kind
    assert ("log scale" in x["title"][0]) == (kind == "log")
    low, high = x["scale"]["domain"]
    assert low == 0 if kind == "linear" else 0 < low < 10
    assert high > slowest


def test_a_latency_of_zero_stays_on_a_linear_axis() -> None:
    assert axes(tradeoff_chart(experiment({"a": [0], "b": [500]})))[0]["scale"]["type"] == "linear"
    assert tradeoff_chart(experiment({"a": [0]})).to_dict()


def test_unbeaten_systems_are_filled_and_joined_by_steps() -> None:
    found = experiment(
        {"fast": [5], "both": [9], "best": [50], "worse": [60]}, {"fast": 10, "both": 20, "best": 40, "worse": 30}
    )
    chart = tradeoff_chart(found)
    ((layer, rows),) = layers(chart, "point")
    assert [r["unbeaten"] for r in rows] == ["yes", "yes", "yes", "no"]
    assert layer["encoding"]["fill"]["condition"]["test"] == "datum.unbeaten == 'yes'"
    assert layer["encoding"]["fill"]["value"] == "#ffffff"
    ((steps, corners),) = layers(chart, "line")
    assert steps["mark"]["interpolate"] == "step-after"
    *front, end = [(r["median"], r["score"]) for r in corners]
    assert front == [(5, 10), (9, 20), (50, 40)]
    assert end == (axes(chart)[0]["scale"]["domain"][1], 40)


def test_one_system_has_no_steps() -> None:
    assert layers(tradeoff_chart(experiment({"a": [10]})), "line") == []


def test_runs_have_the_colours_of_the_other_pictures_even_where_one_is_not_drawn() -> None:
    found = experiment({"a": [10], "b": [], "c": [20]} | {"b": [1]})
    partly = gc.tradeoff(found.scores, [log for log in found.logs if log.name != "b"])
    ((layer, _),) = layers(tradeoff_chart(partly), "point")
    here = dict(zip(*(layer["encoding"]["color"]["scale"][key] for key in ("domain", "range")), strict=True))
    runs = {name: {"q": ["d1"]} for name in "abc"}
    text = json.dumps(curves_chart(gc.curves(JUDGMENTS, runs, "CG", depth=2)).to_dict())
    domain, tones = re.search(r'"domain": (\["a".*?\]), "range": (\[.*?\])', text).groups()  # type: ignore[union-attr]
    there = dict(zip(json.loads(domain), json.loads(tones), strict=True))
    assert here == {name: there[name] for name in "ac"}


def placed(chart: Any, found: gc.Tradeoff) -> dict[str, Box]:
    """The box of each name in pixels, worked out from the axes of the chart."""
    x, y = (axis["scale"] for axis in axes(chart))
    size = chart.to_dict()
    boxes = {}
    for layer, rows in layers(chart, "text"):
        for row in rows:
            at = np.interp(
                *(np.log(v) if x["type"] == "log" else v for v in (row["median"], np.array(x["domain"]))),
                [0, size["width"]],
            )
            height = np.interp(row["score"], y["domain"], [size["height"], 0])
            wide = text_width(row["text"])
            left = at - {"left": 0, "center": wide / 2, "right": wide}[layer["mark"]["align"]]
            boxes[row["entry"]] = Box(left, height - 6, left + wide, height + 6)
    return boxes


@pytest.mark.parametrize("count", [1, 2, 6, 12, 20])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_system_is_named_and_no_name_covers_another(count: int, seed: int) -> None:
    found = crowd(count, seed)
    chart = tradeoff_chart(found)
    boxes = placed(chart, found)
    assert len(boxes) == count
    assert [pair for pair in combinations(boxes, 2) if boxes[pair[0]].overlaps(boxes[pair[1]])] == []
    assert all(box.inside(chart.to_dict()["width"], chart.to_dict()["height"]) for box in boxes.values())


@pytest.mark.parametrize("count", [25, 60])
def test_many_systems_are_numbered_with_a_legend(count: int) -> None:
    chart = tradeoff_chart(crowd(count))
    ((layer, rows),) = layers(chart, "point")
    assert layer["encoding"]["color"]["legend"]["symbolLimit"] == 0
    assert [r["entry"] for r in rows] == [f"{i} system-{i - 1}" for i in range(1, count + 1)]


def test_names_without_room_become_numbers_and_systems_on_one_spot_a_legend() -> None:
    chart = tradeoff_chart(experiment({f"one-{i}": [10] for i in range(24)}, {f"one-{i}": 5 for i in range(24)}))
    ((layer, _),) = layers(chart, "point")
    assert layer["encoding"]["color"]["legend"]["orient"] == "right"


def test_long_names_are_shortened_beside_the_point_and_whole_in_the_tooltip() -> None:
    name = "a" * 80
    chart = tradeoff_chart(experiment({name: [10], "b": [12]}))
    ((_, rows),) = layers(chart, "point")
    assert rows[0]["run"] == name
    assert "a" * 15 + "…" + "a" * 14 in [row["text"] for _, texts in layers(chart, "text") for row in texts]


def test_caption_is_the_signature() -> None:
    lines = tradeoff_chart(experiment({"a": [10, 11]}, measure="nDCG@10")).to_dict()["title"]["text"]
    for part in ("gain:identity", "discount:log2(i+1)", "ties:trec", "measurements:2", "percentiles:linear"):
        assert part in " ".join(lines)


def test_nothing_to_draw_is_said() -> None:
    scores = experiment({"a": [10]}).scores
    for logs in ({"b": [{"topic": "q", "latency_ms": 1}]}, {"a": [{"index_bytes": 5}]}):
        with pytest.raises(gc.ChoiceError) as refused:
            tradeoff_chart(gc.tradeoff(scores, logs))
        assert refused.value.slug == "efficiency-nothing-to-draw"


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_saved(tmp_path: Path, suffix: str) -> None:
    save(tradeoff_chart(crowd(6)), tmp_path / f"t.{suffix}")
    start = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF"}[suffix]
    assert (tmp_path / f"t.{suffix}").read_bytes().startswith(start)


@given(st.lists(st.tuples(st.floats(0, 400), st.floats(0, 300)), max_size=14))
def test_placed_labels_keep_apart_inside_and_off_the_points(points: list[tuple[float, float]]) -> None:
    taken = [Box(x - 5, y - 5, x + 5, y + 5) for x, y in points]
    found = place_labels(points, [f"name {i}" for i in range(len(points))], taken, 400, 300)
    if found is None:
        return
    boxes = [label.box for label in found]
    assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))
    assert not any(box.overlaps(dot) for box in boxes for dot in taken)
    assert all(box.inside(400, 300) for box in boxes)
    lines = [(i, label.line) for i, label in enumerate(found) if label.line is not None]
    assert not any(line.overlaps(box) for i, line in lines for j, box in enumerate(boxes) if i != j)


def test_a_lone_label_always_finds_a_place() -> None:
    for point in ((0, 0), (400, 300), (0, 300), (200, 150)):
        assert place_labels([point], ["name"], [], 400, 300)
