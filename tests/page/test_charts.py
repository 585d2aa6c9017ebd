"""The definitions of the page: valid, single, without data, in colours that have a dark twin, and drawn with a feed."""

import dataclasses
import re
from collections.abc import Iterator
from functools import cache
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import vl_convert
from feeding import Case, fed, made_up, recoloured

from gaincurve.figures.colours import ALIKE, COLOURS, DARK, GRADES, HATCH, OPEN, PAPER, grade_tones
from gaincurve.page.charts import chart_specs
from gaincurve.page.labels import labels

OF_ONE = {"curve-CG", "curve-DCG", "curve-nCG", "curve-nDCG", "effort", "grades", "recall", "unjudged"}
OF_TWO = {"difference", "forest", "map", "scatter", "topics"}
OF_SESSIONS = {"session-curve", "session-last"}
NAMES = ["a", "white", "x" * 40, "</script><img src=x onerror=alert(1)>", 'q"uote', "\u2028", "عربي", "__proto__"]
COLOUR_KEYS = re.compile("(?i)colou?r|^fill$|^stroke$|^shade$|^ink$|^background$|^range$")
HEX = re.compile("#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")


@cache
def specs(runs: int = 4) -> dict[str, dict[str, Any]]:
    return chart_specs([f"run{i}" for i in range(runs)], [f"run{i}" for i in range(runs)])


@cache
def experiment() -> Case:
    return made_up(runs=4, topics=12)


@cache
def feeds() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = experiment().told()["feeds"]
    return found


def parts(node: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """Every value inside, with the key it stands under; those of lists under the key of the list."""
    yield key, node
    for name, child in (
        node.items() if isinstance(node, dict) else [(key, one) for one in node] if isinstance(node, list) else []
    ):
        yield from parts(child, name)


def test_which_charts_there_are() -> None:
    assert set(specs()) == OF_ONE | OF_TWO | OF_SESSIONS
    assert set(chart_specs(["only"])) == OF_ONE
    assert set(chart_specs(["a", "b"])) == OF_ONE | OF_TWO


@pytest.mark.parametrize("runs", [2, 4, 15])
def test_every_definition_is_one_view_that_compiles(runs: int) -> None:
    for chart, spec in specs(runs).items():
        assert {"layer", "params", "config", "width", "height"} <= set(spec), chart
        assert not {"concat", "hconcat", "vconcat", "facet", "datasets"} & set(spec), chart
        vega = vl_convert.vegalite_to_vega(spec)
        assert {signal["name"] for signal in vega["signals"]} >= {param["name"] for param in spec["params"]}, chart


def test_data_sets_are_named_and_those_of_the_feed() -> None:
    for chart, feed in feeds().items():
        named = {node["data"]["name"] for _, node in parts(specs()[chart]) if _names_data(node)}
        assert named == set(feed["data"]), chart
        inside = [node["data"]["values"] for _, node in parts(specs()[chart]) if _holds_data(node)]
        assert all(rows in ([{}], [{"difference": 0}]) for rows in inside), chart  # where a text or a line stands


def _names_data(node: Any) -> bool:
    return isinstance(node, dict) and isinstance(node.get("data"), dict) and "name" in node["data"]


def _holds_data(node: Any) -> bool:
    return isinstance(node, dict) and isinstance(node.get("data"), dict) and "values" in node["data"]


@pytest.mark.parametrize("chart", sorted(OF_ONE | OF_TWO))
@pytest.mark.parametrize("dark", [False, True])
def test_every_chart_is_drawn_from_its_feed(chart: str, dark: bool) -> None:
    one, feed = experiment(), feeds()[chart]
    svg = vl_convert.vegalite_to_svg(fed(one.specs[chart], feed, dark))
    assert not re.search("NaN|undefined|Infinity", re.sub('aria-[a-z]+="[^"]*"', "", svg))
    root = ET.fromstring(svg)
    texts = {"".join(node.itertext()) for node in root.iter() if node.tag.endswith("text")}
    for _, words in _shown(chart, feed):
        assert words in texts, words
    assert vl_convert.vegalite_to_png(fed(one.specs[chart], feed, dark)).startswith(b"\x89PNG")


def _shown(chart: str, feed: dict[str, Any]) -> list[tuple[str, str]]:
    """Words that must stand in the figure."""
    signals, data = feed["signals"], feed["data"]
    found = [(name, signals[name]) for name in ("up", "across", "above", "below", "first", "second") if name in signals]
    if chart != "grades" and "shown" in signals and "labels" not in data:
        found += [("shown", name) for name in signals["shown"]]
    found += [("label", row["run"]) for row in data.get("labels", [])]
    found += [("margin", row["margin"]) for row in data.get("cells", [])]
    found += [("p", row["label"]) for row in data.get("pairs", [])]
    found += [("grade", name) for name in signals["shown"]] if chart == "grades" else []
    return [(key, words) for key, words in found if isinstance(words, str)]


def test_every_colour_has_a_dark_twin() -> None:
    for chart, spec in specs(15).items():
        _all_known(chart, spec)
    for chart, feed in feeds().items():
        _all_known(chart, [feed["data"], feed["signals"]])
    for runs in (1, 12):
        for chart, feed in made_up(runs=runs, topics=6, gains="identity").told()["feeds"].items():
            _all_known(chart, [feed["data"], feed["signals"]])


def _all_known(chart: str, node: Any) -> None:
    for key, value in parts(node):
        if not isinstance(value, str):
            continue
        if HEX.fullmatch(value):
            assert value in DARK, (chart, key, value)
        elif COLOUR_KEYS.search(key):
            assert value in NO_COLOURS, (chart, key, value)


NO_COLOURS = ("transparent", "independent", "triangle-up", "triangle-down", "circle")
"""What else may stand where a colour may."""


def test_every_colour_is_written_so_that_no_run_is_called_like_it() -> None:
    assert all(re.fullmatch("#[0-9a-fA-F]{6}", colour) for pair in DARK.items() for colour in pair)
    assert len({tone.lower() for tone in DARK}) == len(DARK)


def test_runs_called_like_colours_keep_their_names_in_the_dark() -> None:
    spec = recoloured(chart_specs(["white", "black", "red"])["curve-nDCG"])
    scale = next(node for _, node in parts(spec) if isinstance(node, dict) and "white" in node.get("domain", []))
    assert scale["domain"] == ["white", "black", "red", "ideal"]
    assert scale["range"][0] == DARK[COLOURS[0]]


def luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.2)."""
    shares = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def test_lines_and_texts_stand_out_from_the_page() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    written = ("#000000", "#222222", "#333333", "#777777", "#444444", "#8c8c8c", OPEN, HATCH, ALIKE)
    for colour in (*COLOURS, *written):
        assert contrast(colour, PAPER) >= 3, colour
        assert contrast(DARK[colour], DARK[PAPER]) >= 4.5, colour


def test_better_grades_stand_out_more() -> None:
    for paper, tones in ((PAPER, GRADES), (DARK[PAPER], [DARK[tone] for tone in GRADES])):
        steps = [contrast(tone, paper) for tone in tones]
        assert steps == sorted(steps)
    assert grade_tones([-1, 0, 1])[:2] == grade_tones([0, 1])[:1] * 2
    assert len(set(grade_tones([0, 1, 2, 3, 4]))) == 5
    assert len(grade_tones([i / 10 for i in range(30)])) == 30


def test_few_runs_have_labels_and_many_a_legend() -> None:
    for runs, labelled in ((4, True), (9, True), (10, False), (24, False)):
        spec = specs(runs)["curve-nDCG"]
        assert ("text" in marks(spec)) is labelled
        assert any(key == "legend" and value for key, value in parts(spec["layer"])) is not labelled


def marks(spec: dict[str, Any]) -> list[str]:
    return [layer["mark"]["type"] for layer in spec["layer"]]


@pytest.mark.parametrize("chart", ["curve-nDCG", "unjudged"])
def test_the_legend_of_many_runs_is_drawn_in_full_colour(chart: str) -> None:
    one = made_up(runs=12, topics=6)
    svg = vl_convert.vegalite_to_svg(fed(one.specs[chart], one.told()["feeds"][chart]))
    for name in one.names:
        assert f">{name}</text>" in svg
    symbols = re.search("role-legend-symbol.*?</g>", svg)
    assert symbols is not None
    assert set(re.findall('opacity="([^"]*)"', symbols[0])) <= {"1"}


SAME = "collection-robust04-retrieval-with-a-learned-sparse-mode"


@pytest.mark.parametrize("at", [0, 28, 56], ids=["start", "middle", "end"])
def test_names_of_sixty_letters_stay_apart_in_every_chart(at: int) -> None:
    """The page's labels are short, and no chart cuts them: not even one that is narrow."""
    whole = made_up(runs=4, topics=6)
    names = [SAME[:at] + part + SAME[at:] for part in ("bm25", "lsi2", "sp-1", "sp-2")]
    runs = [dataclasses.replace(run, name=name) for run, name in zip(whole.runs, names, strict=True)]
    long = dataclasses.replace(whole, runs=runs)
    shown = labels(names)
    drawn = chart_specs(shown, topics=6)
    told = long.told()["feeds"]
    for chart in ("curve-nDCG", "unjudged", "recall", "effort", "forest", "difference", "topics", "scatter"):
        svg = vl_convert.vegalite_to_svg(fed(drawn[chart], told[chart], width=200))
        texts = re.findall("<(?:text|tspan)[^>]*>([^<]*)</", svg)
        expected = shown[:2] if chart in ("difference", "topics", "scatter") else shown
        assert all(any(label in text for text in texts) for label in expected), chart


def test_odd_names_stay_text() -> None:
    spec_of = chart_specs(labels(NAMES))
    for spec in spec_of.values():
        vl_convert.vegalite_to_vega(spec)
    rows = [{"rank": 10, "value": i / 9, "run": name} for i, name in enumerate(labels(NAMES))]
    feed = {"data": {"labels": rows}, "signals": {"last": 10}}
    svg = vl_convert.vegalite_to_svg(fed(spec_of["curve-nDCG"], feed, width=200))
    assert "<img" not in svg
    assert "xxxx…xxxx" in svg
    assert float(ET.fromstring(svg).attrib["width"]) < 200 + 250


def test_a_thousand_topics_have_bars_without_names_and_columns_to_click() -> None:
    spec = chart_specs(["a", "b"], topics=1000)["topics"]
    assert spec["layer"][0]["encoding"]["x"]["axis"]["labels"] is False
    rows = [
        {"place": i, "topic": f"t{i}", "index": i, "difference": i / 1000 - 0.5, "ahead": "x", "chosen": i == 7}
        for i in range(1000)
    ]
    feed = {
        "data": {"topics": rows, "mean": [{"difference": 0.1}]},
        "signals": {"first": "x", "second": "y", "up": "u", "first_tone": COLOURS[0], "second_tone": COLOURS[1]},
    }
    svg = vl_convert.vegalite_to_svg(fed(spec, feed))
    assert svg.count('aria-roledescription="bar"') == 2000  # a bar, and over it a column as high as the figure
    assert chart_specs(["a", "b"], topics=30)["topics"]["layer"][0]["encoding"]["x"]["axis"]["labels"] is True


@pytest.mark.parametrize("chart", ["difference", "scatter", "topics"])
@pytest.mark.parametrize("dark", [False, True])
def test_two_runs_are_drawn_in_their_own_colours(chart: str, dark: bool) -> None:
    one = experiment()
    svg = vl_convert.vegalite_to_svg(fed(one.specs[chart], one.told(a=3, b=2)["feeds"][chart], dark))
    for place in range(4):
        tone = DARK[COLOURS[place]] if dark else COLOURS[place]
        assert (tone in svg) is (place in (2, 3)), place


@pytest.mark.parametrize("width", [150, 240, 800])
def test_rows_of_the_map_can_be_told_apart_however_narrow_it_is(width: int) -> None:
    one = made_up(runs=2, topics=4, gains="0-1-2-123456789", base=4, depth=30)
    feed = one.told()["feeds"]["map"]
    svg = vl_convert.vegalite_to_svg(fed(one.specs["map"], feed, width=width))
    texts = ["".join(node.itertext()) for node in ET.fromstring(svg).iter() if node.tag.endswith("text")]
    rows = {cell["row"] for cell in feed["data"]["cells"]}
    assert len(rows) == 6 * 6
    assert all(texts.count(row) == 1 for row in rows)
    assert "gains, base b of the discount jk2002" in texts


@pytest.mark.parametrize("chart", ["forest", "map", "topics"])
def test_names_along_an_axis_are_sorted_by_their_rows(chart: str) -> None:
    vega = vl_convert.vegalite_to_vega(specs()[chart])
    bands = [scale for scale in vega["scales"] if scale["type"] == "band"]
    assert bands
    for scale in bands:  # without it, names that were there before a change would keep their old places
        assert scale["domain"]["sort"]["field"] in ("place", "line", "last")
        assert scale["domain"]["sort"]["op"] == "min"


def test_pairs_keep_their_order_where_some_have_no_interval() -> None:
    spec = chart_specs(["a", "b"])["forest"]
    row = {"p": "1", "label": "p = 1", "shade": OPEN, "fill": PAPER}
    ends: list[dict[str, Any]] = [{"low": None, "high": None}] * 2 + [{"low": -4, "high": 0}] * 2
    pairs = [{**row, **ends[i], "place": i, "pair": f"pair {i}", "difference": -i} for i in range(4)]
    svg = vl_convert.vegalite_to_svg(fed(spec, {"data": {"pairs": pairs}, "signals": {"least": -5, "most": 5}}))
    assert re.findall(">(pair \\d)</text>", svg) == [f"pair {i}" for i in range(4)]
