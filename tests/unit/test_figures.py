"""Chart definitions as data: who is drawn, in which colours and dashes, and where labels stand."""

from __future__ import annotations

import copy
import json
import pickle
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import altair as alt
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import gaincurve as gc
from gaincurve.figures import curves_chart, effort_chart, save
from gaincurve.figures.style import spread_labels

JUDGMENTS = {"q": {"a": 3, "b": 2, "c": 1, "d": 0}}
HEIGHT, LINE = 280, 13
"""The height of a panel and of a line of its labels."""


def curves(runs: int = 2, measures: tuple[str, ...] = ("CG", "nDCG"), **choices: Any) -> gc.Curves:
    """`runs` runs that end close together."""
    made = {f"run{i}": {"q": ["a", "b", "c", "d"][i % 3 :]} for i in range(runs)}
    return gc.curves(JUDGMENTS, made, measures, **{"depth": 5, **choices})


def parts(node: Any) -> Iterator[dict[str, Any]]:
    """Every object inside a definition."""
    if isinstance(node, dict):
        yield node
    for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from parts(child)


def lines(chart: dict[str, Any]) -> list[dict[str, Any]]:
    return [part for part in parts(chart) if isinstance(part.get("mark"), dict) and part["mark"]["type"] == "line"]


def rows(chart: dict[str, Any], part: dict[str, Any]) -> list[dict[str, Any]]:
    """The data of a part, inline or by name."""
    data = part["data"]
    found = data["values"] if "values" in data else chart["datasets"][data["name"]]
    return list(found)


def scales(part: dict[str, Any]) -> list[tuple[str, str, str]]:
    """(run, colour, dash) of a line."""
    colour, dash = (part["encoding"][channel]["scale"] for channel in ("color", "strokeDash"))
    assert colour["domain"] == dash["domain"]
    return [(n, c, json.dumps(d)) for n, c, d in zip(colour["domain"], colour["range"], dash["range"], strict=True)]


@pytest.mark.parametrize("runs", [1, 2, 4, 15])
def test_definitions_are_valid_vega_lite(runs: int) -> None:
    for chart in (curves_chart(curves(runs)), effort_chart(curves(runs), rank=2)):
        assert chart.to_dict(validate=True)["$schema"].startswith("https://vega.github.io/schema/vega-lite/")


def test_every_panel_has_all_runs_and_the_ideal_with_the_values_of_the_curve() -> None:
    found = curves(3, ("CG", "DCG", "nCG", "nDCG"))
    chart = curves_chart(found).to_dict()
    assert len(chart["concat"]) == 4
    for panel, curve in zip(chart["concat"], found.curves, strict=True):
        (line,) = lines(panel)
        drawn: dict[str, list[float]] = {}
        for row in rows(chart, {**panel, **line}):
            drawn.setdefault(row["run"], []).append(row["value"])
        assert list(drawn) == ["run0", "run1", "run2", "ideal"]
        assert drawn["run1"] == found["run1", curve.name].tolist()
        assert drawn["ideal"] == found["ideal", curve.name].tolist()
    assert drawn["ideal"] == [1.0] * 5
    assert chart["concat"][0]["title"]["text"] == "CG"


def test_several_bases_share_one_panel_and_one_scale() -> None:
    measures = ("DCG(discount=jk2002,base=2)", "DCG(discount=jk2002,base=10)")
    found = curves(2, measures)
    chart = curves_chart(found).to_dict()
    assert "concat" not in chart
    (line,) = lines(chart)
    drawn: dict[str, list[float]] = {}
    for row in rows(chart, {**chart, **line}):
        drawn.setdefault(row["run"], []).append(row["value"])
    expected = {f"{run}, {curve.name}": found[run, curve.name].tolist() for curve in found.curves
                for run in ("run0", "run1", "ideal")}  # fmt: skip
    assert drawn == expected
    tones = {name: (colour, dash) for name, colour, dash in scales(line)}
    assert len(set(tones.values())) == len(tones)
    first, second = (curve.name for curve in found.curves)
    assert tones[f"run1, {first}"][0] == tones[f"run1, {second}"][0]  # a run has one colour, a base one line style
    assert tones[f"run0, {first}"][1] == tones[f"run1, {first}"][1]
    assert "gains identity" in json.dumps(chart)
    apart = curves_chart(curves(2, (*measures, "nDCG", "DCG(gains=binary,discount=jk2002,base=2)"))).to_dict()
    assert len(apart["concat"]) == 3  # other gains and shares have scales of their own


def test_axis_titles_name_gains_and_base() -> None:
    text = json.dumps(curves_chart(curves(gains="0-1-10-100", discount="jk2002", base=2.5)).to_dict())
    assert "gains 0-1-10-100, discount jk2002(base=2.5)" in text
    assert "rank (documents read)" in text


def test_caption_tells_the_rest_of_the_signature() -> None:
    title = curves_chart(curves(missing="skip")).to_dict()["title"]["text"]
    for part in ("ties:trec", "unjudged:zero", "missing:skip", f"gaincurve:{gc.__version__}"):
        assert part in title


@pytest.mark.parametrize("runs", [1, 5, 9, 24])
def test_no_two_lines_look_the_same_and_the_ideal_is_its_own(runs: int) -> None:
    (line,) = lines(curves_chart(curves(runs, ("CG",))).to_dict())
    *others, ideal = scales(line)
    assert ideal[0] == "ideal"
    assert len({(colour, dash) for _, colour, dash in others}) == runs
    assert ideal[1] not in {colour for _, colour, _ in others}
    assert ideal[2] not in {dash for _, _, dash in others}
    if runs <= 9:
        assert len({colour for _, colour, _ in others}) == runs
    assert all(re.fullmatch("#[0-9A-F]{6}", colour) for _, colour, _ in others)


def test_effort_lines_have_the_colours_of_the_curves() -> None:
    found = curves(3, ("CG",))
    (curve_line,), (effort_line,) = lines(curves_chart(found).to_dict()), lines(effort_chart(found, rank=2).to_dict())
    looks = {name: look for name, *look in scales(curve_line)}
    assert len(scales(effort_line)) == 3
    assert all(looks[label.split(":")[0]] == look for label, *look in scales(effort_line))


def text_marks(chart: dict[str, Any]) -> list[dict[str, Any]]:
    return [part for part in parts(chart) if isinstance(part.get("mark"), dict) and part["mark"]["type"] == "text"]


def test_few_runs_are_labelled_at_their_ends_and_labels_keep_apart() -> None:
    chart = curves_chart(curves(9, ("nDCG",))).to_dict()
    (line,), (labels,) = lines(chart), text_marks(chart)
    assert line["encoding"]["color"]["legend"] is None
    placed = rows(chart, labels)
    assert [row["run"] for row in placed] == [*(f"run{i}" for i in range(9)), "ideal"]
    heights = sorted(row["value"] for row in placed)
    top = line["encoding"]["y"]["scale"]["domain"][1]
    gaps = [(b - a) * HEIGHT / top for a, b in pairwise(heights)]
    assert min(gaps) >= LINE * 0.95
    assert heights[0] >= 0


def test_many_runs_get_a_legend_instead() -> None:
    chart = curves_chart(curves(15, ("CG",))).to_dict()
    (line,) = lines(chart)
    assert text_marks(chart) == []
    for channel in ("color", "strokeDash"):
        assert line["encoding"][channel]["legend"]["orient"] == "right"  # beside the lines, not over them


@given(
    values=st.lists(st.floats(0, 1), max_size=12),
    low=st.floats(-100, 100),
    span=st.floats(0.001, 1000),
    height=st.integers(150, 600),
)
def test_spread_labels(values: list[float], low: float, span: float, height: int) -> None:
    high, gap = low + span, span * LINE / height
    wanted = [low + v * span for v in values]
    assume(all(w <= high for w in wanted))
    placed = spread_labels(wanted, low, high, height)
    slack = 1e-9 * (abs(low) + span)
    assert len(placed) == len(wanted)
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    for a, b in pairwise(order):
        assert placed[b] - placed[a] >= gap - slack  # in the same order, and none covers another
    if (len(wanted) - 1) * gap <= span:
        assert all(low - slack <= p <= high + slack for p in placed)


@given(values=st.lists(st.integers(0, 10), max_size=11, unique=True))
def test_labels_that_do_not_collide_stay(values: list[int]) -> None:
    assert spread_labels([float(v) for v in values], 0.0, 10.0, LINE * 10) == values


class TestEffortChart:
    def test_points_are_ranks_by_hand(self) -> None:
        runs = {"fast": {"q": ["a", "b", "c"]}, "slow": {"q": ["d", "c", "b", "a"]}}  # CG 3 5 6 6 and 0 1 3 6
        found = gc.curves(JUDGMENTS, runs, "CG", depth=4)
        chart = effort_chart(found, rank=2).to_dict()
        (line,) = lines(chart)
        points = {(row["run"], row["read"]): row["needed"] for row in rows(chart, line)}
        assert [points["slow: 4", i] for i in (1, 2, 3)] == [3, 4, 4]
        assert (points["fast: 2", 0], points["fast: 2", 4]) == (0, 4)  # the diagonal
        assert line["encoding"]["color"]["legend"]["title"] == ["to gain what fast", "gives in 2, read"]

    def test_one_run_is_held_against_the_ideal(self) -> None:
        found = gc.curves(JUDGMENTS, {"slow": {"q": ["d", "c", "b", "a"]}}, "CG", depth=4)
        (line,) = lines(effort_chart(found, rank=1).to_dict())
        assert [name for name, *_ in scales(line)] == ["slow: 3", "ideal: 1"]  # the ideal has 3 at rank 1


class TestSave:
    @pytest.mark.parametrize("name", ["chart.gif", "chart", "chart.svg.txt", "svg"])
    def test_unknown_suffix(self, tmp_path: Path, name: str) -> None:
        with pytest.raises(gc.ChoiceError) as refused:
            save(curves_chart(curves()), tmp_path / name)
        assert refused.value.slug == "format-unknown"
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
    def test_second_call_equals_first(self, tmp_path: Path, suffix: str) -> None:
        chart = curves_chart(curves(3, ("CG",)))
        for name in ("first", "second"):
            save(chart, tmp_path / f"{name}.{suffix}")
        assert (tmp_path / f"first.{suffix}").read_bytes() == (tmp_path / f"second.{suffix}").read_bytes()

    def test_nothing_is_fetched(self, tmp_path: Path) -> None:
        save(curves_chart(curves()), tmp_path / "c.svg")
        root = ET.fromstring((tmp_path / "c.svg").read_bytes())
        links = [v for e in root.iter() for k, v in e.attrib.items() if "href" in k or "url(http" in v]
        assert links == []
        assert not [e for e in root.iter() if e.tag.split("}")[-1] in ("script", "image", "foreignObject")]

    def test_unwritable_folder(self, tmp_path: Path) -> None:
        with pytest.raises(gc.InputError) as refused:
            save(curves_chart(curves()), tmp_path / "absent" / "c.svg")
        assert refused.value.slug == "output-unwritable"


def test_a_chart_is_an_altair_chart_so_a_notebook_shows_it() -> None:
    assert isinstance(curves_chart(curves(1, ("CG",))), alt.LayerChart)
    assert isinstance(curves_chart(curves()), alt.ConcatChart)


@pytest.mark.parametrize("measures", [("CG",), ("CG", "nDCG")])
def test_a_notebook_shows_figures_without_a_network(measures: tuple[str, ...]) -> None:
    chart = curves_chart(curves(2, measures))
    for shown in (chart, chart.properties(background="white"), copy.copy(chart), pickle.loads(pickle.dumps(chart))):
        bundle = shown._repr_mimebundle_()
        assert list(bundle) == ["image/svg+xml"]
        assert "<svg" in bundle["image/svg+xml"]
        assert not re.search(r"(?:href|src)=.http", bundle["image/svg+xml"])
    assert "cdn" in alt.Chart().mark_point()._repr_mimebundle_()["text/html"]  # the charts of others are left alone


def test_a_renderer_that_was_chosen_shows_the_figures() -> None:
    with alt.renderers.enable("mimetype"):
        assert "vnd.vegalite" in str(curves_chart(curves())._repr_mimebundle_())


def test_runs_without_any_gain_can_be_drawn() -> None:
    nothing = gc.curves({"q": {"a": 0}}, {"x": {"q": ["a"]}, "y": {"q": ["b"]}}, ("CG", "nDCG"), depth=3)
    assert curves_chart(nothing).to_dict()
    assert effort_chart(nothing, rank=1).to_dict()
