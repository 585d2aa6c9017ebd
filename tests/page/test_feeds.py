"""The rows that the scripts give the charts, against those that Python's own figures draw."""

from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from feeding import Case, made_up
from node import run as run_node

import gaincurve as gc
from gaincurve.figures.colours import ALIKE, COLOURS
from gaincurve.figures.curves import curve_sheet
from gaincurve.figures.differences import forest_sheet, topics_sheet
from gaincurve.figures.effort import reading
from gaincurve.figures.judging import grades_sheet, unjudged_by_rank, unjudged_sheet
from gaincurve.figures.precision_recall import recall_sheet
from gaincurve.figures.sheet import Sheet
from gaincurve.figures.style import kept_ranks, spread_labels
from gaincurve.figures.sweep import map_sheet, rows_title
from gaincurve.figures.two_runs import difference_sheet, scatter_sheet
from gaincurve.model.sweep import TIED, Setting, Sweep

GAIN_CURVES = ("CG", "DCG", "nCG", "nDCG")
CASES: dict[str, dict[str, Any]] = {
    "four runs": {},
    "two runs": {"runs": 2, "seed": 1},
    "one run": {"runs": 1, "seed": 2},
    "twelve runs": {"runs": 12, "seed": 3, "topics": 8},
    "condensed": {"unjudged": "condensed", "gains": "exp2", "discount": "log", "depth": 25},
    "long lists": {"runs": 3, "listed": 130, "depth": 130, "topics": 6},
    "no discount": {"discount": "none", "gains": "identity", "measure": "CG", "seed": 8},
    "precision": {"measure": "P", "seed": 9, "depth": 5},
}


@cache
def case(name: str) -> Case:
    return made_up(**CASES[name])


@cache
def told(name: str) -> dict[str, Any]:
    return case(name).told()


def same(found: Any, wanted: Any) -> bool:
    """Whether values agree, numbers to 1e-12 of their size or of 1."""
    if isinstance(wanted, float | int) and isinstance(found, float | int):
        return abs(found - wanted) <= 1e-12 * max(1.0, abs(wanted))
    if isinstance(wanted, list):
        return len(found) == len(wanted) and all(map(same, found, wanted))
    return bool(found == wanted)


def agree(feed: dict[str, Any], sheet: Sheet, *data: str) -> None:
    """The data sets named, and all values of the figure, are those of the feed."""
    for name in data:
        rows, wanted = feed["data"][name], sheet.rows[name]
        assert len(rows) == len(wanted)
        for row, other in zip(rows, wanted, strict=True):
            assert all(same(row[key], value) for key, value in other.items()), (name, row, other)
    for name, value in sheet.values.items():
        assert same(feed["signals"][name], value), name


@pytest.mark.parametrize("name", CASES)
def test_curves_bands_and_labels(name: str) -> None:
    answer = told(name)
    curves = case(name).curves(list(GAIN_CURVES), answer["reach"])
    for curve in curves.curves:
        feed = answer["feeds"][f"curve-{curve.name}"]
        alone = len(curves.runs) == 1  # beside a paired test the intervals of single means would mislead
        agree(feed, curve_sheet(curves, curve, intervals=alone), "lines", "labels", "dots")
        if alone:
            agree(feed, curve_sheet(curves, curve, intervals=True), "band")
        assert bool(feed["data"]["band"]) == alone == any("low" in name for name in feed["table"]["columns"])
        depth = case(name).scenario.depth
        assert feed["data"]["depth"] == ([{"rank": depth}] if depth <= answer["reach"] else [])


@pytest.mark.parametrize("name", [name for name in CASES if name != "one run"])
def test_differences_with_their_crossings(name: str) -> None:
    answer, one = told(name), case(name)
    curves = one.curves([one.measure], answer["reach"])
    sheet = difference_sheet(curves, curves.curves[0], *one.names[:2])
    agree(answer["feeds"]["difference"], sheet, "line", "band", "crossings")


def test_some_difference_has_crossings_and_not_all_are_named() -> None:
    rows = [
        row for name in CASES if name != "one run" for row in told(name)["feeds"]["difference"]["data"]["crossings"]
    ]
    assert len({row["label"] == "" for row in rows}) == 2


@pytest.mark.parametrize("name", CASES)
def test_effort(name: str) -> None:
    answer, one = told(name), case(name)
    rank = min(one.scenario.depth or 0, answer["reach"])
    sheet = reading(one.curves(["CG"], answer["reach"]), rank).sheet(rank)
    feed = answer["feeds"]["effort"]
    entries, own = feed["signals"]["entries"], sheet.values["entries"]
    assert entries[: len(own)] == own
    assert len(entries) == len(one.names) + 1  # the ideal has its place at the end, drawn or not
    agree(feed, Sheet(sheet.rows, {**sheet.values, "entries": entries}), "lines", "dots", "rule")


@pytest.mark.parametrize("name", [name for name in CASES if name != "one run"])
def test_topics_pairs_and_points(name: str) -> None:
    answer, one = told(name), case(name)
    family = one.compared().families[0]
    a, b = one.names[:2]
    agree(answer["feeds"]["topics"], topics_sheet(family, a, b), "topics", "mean")
    agree(answer["feeds"]["scatter"], scatter_sheet(family, a, b), "topics", "diagonal")
    agree(answer["feeds"]["forest"], forest_sheet(family), "pairs")
    for chart in ("topics", "scatter"):
        rows = answer["feeds"][chart]["data"]["topics"]
        topics = one.judgments.topics
        assert all(topics[row["index"]] == row["topic"] for row in rows)
        assert [row["topic"] for row in rows if row["chosen"]] == [topics[2]]


@pytest.mark.parametrize("name", CASES)
def test_recall_grades_and_unjudged(name: str) -> None:
    answer, one = told(name), case(name)
    recall = gc.precision_recall(one.judgments, one.runs, scenario=one.scenario)
    agree(answer["feeds"]["recall"], recall_sheet(recall, recall.levels[0]), "lines")
    agree(answer["feeds"]["grades"], grades_sheet(one.graded.runs[0], answer["reach"]), "bars", "hatch")
    plain = made_up(**{**CASES[name], "unjudged": "zero"})
    lines = [unjudged_by_rank(run, answer["reach"]) for run in plain.graded.runs]
    agree(answer["feeds"]["unjudged"], unjudged_sheet(one.names, lines), "lines", "labels")


def test_the_map_has_the_winners_that_evaluate_and_compare_find() -> None:
    one = case("four runs")
    feed = told("four runs")["feeds"]["map"]
    assert len(feed["data"]["cells"]) == 5 * 5 * 5
    rows = feed["table"]["rows"]
    for i in range(0, len(rows), 9):
        gains, discount, depth, winner, second, margin, p, sure = rows[i]
        form, _, base = discount.rstrip(")").partition("(base=")
        measure = f"nDCG(gains={gains},discount={form},base={base})@{depth}"
        scores = gc.evaluate(one.judgments, one.runs, [measure], scenario=one.scenario)
        family = gc.compare(scores, "t", adjust="holm", missing="intersect").families[0]
        order = family.best_first
        ahead, behind = (family.runs[r] for r in order[:2])
        pair = next(pair for pair in family.pairs if {pair.a, pair.b} == {ahead, behind})
        assert second == behind
        assert winner == (ahead if round(pair.difference, 10) else "no run (equal)")
        assert same([margin, p], [abs(pair.difference), pair.p_adjusted])
        assert sure == ("yes" if pair.significant else "no")
        cell = feed["data"]["cells"][i]
        assert (cell["gains"], cell["discount"], cell["depth"]) == (gains, discount, str(depth))
        assert cell["row"] == f"{gains}, {'no discount' if base == 'inf' else f'b={base}'}"
        assert cell["winner"] == winner
        assert cell["margin"] == (f"{margin:.3f}" if pair.significant else f"({margin:.3f})")
        assert cell["shade"] == (1 if pair.significant else 0.35)
    here = [(row["row"], row["depth"]) for row in feed["data"]["cells"] if row["here"]]
    assert here == [("0-1-10-100, b=2", "10")]


@pytest.mark.parametrize("name", [name for name in CASES if name != "one run"])
def test_the_map_is_that_of_python_and_marks_the_settings_chosen(name: str) -> None:
    one, feed = case(name), told(name)["feeds"]["map"]
    measure = "nDCG" if one.measure == "P" else one.measure
    kind = f"{measure}(discount=x)" if measure == "nDCG" else measure
    settings = tuple(
        Setting(kind, gains, discount, depth, None, (), TIED if "no run" in winner else winner, second, margin, 0.0,
                0.0, p, sure == "yes", 9)
        for gains, discount, depth, winner, second, margin, p, sure in feed["table"]["rows"]
    )  # fmt: skip
    sheet = map_sheet(Sweep(measure, tuple(one.names), settings, (), 0.05, "", "", (), ()), settings)
    agree(feed, sheet, "cells")
    assert feed["signals"]["up"] == rows_title(s.discount for s in settings if measure == "nDCG")
    (here,) = [row for row in feed["data"]["cells"] if row["here"]]
    chosen = one.scenario
    assert here["last"] == chosen.depth
    assert here["gains"] == ("0-1-10-100" if name == "four runs" else here["gains"])
    assert here["discount"] == (str(chosen.discount) if measure == "nDCG" else "no discount")
    assert len({(row["row"], row["depth"]) for row in feed["data"]["cells"]}) == len(settings)
    assert feed["description"].endswith("The settings chosen are outlined.")


@pytest.mark.parametrize(
    ("choices", "row", "depth", "title"),
    [
        ({"gains": "0-1-2-7", "base": 4, "depth": 30}, "0-1-2-7, b=4", "30", "jk2002"),
        ({"gains": "0-1-2-7", "discount": "kanoulas2011", "base": 2.5}, "0-1-2-7, b=2.5", "10", "kanoulas2011"),
        ({"gains": "0-1-1-2", "discount": "rank", "depth": 7}, "0-1-1-2, rank", "7", "jk2002"),
        ({"gains": "identity", "discount": "none", "depth": 5}, "identity, no discount", "5", "jk2002"),
        ({"gains": "0-1-2-123456789.25"}, "0-1-2-12345… (1), b=2", "10", "jk2002"),
    ],
)
def test_the_settings_chosen_are_always_in_the_map(choices: dict[str, Any], row: str, depth: str, title: str) -> None:
    feed = made_up(runs=2, topics=4, **choices).told()["feeds"]["map"]
    assert [(cell["row"], cell["depth"]) for cell in feed["data"]["cells"] if cell["here"]] == [(row, depth)]
    assert feed["signals"]["up"] == f"gains, base b of the discount {title}"
    assert f"of {len(feed['data']['cells'])} settings" in feed["description"]


@pytest.mark.parametrize(("a", "b"), [(1, 0), (3, 2), (11, 1), (9, 10)])
def test_two_runs_have_their_own_colours(a: int, b: int) -> None:
    one = case("twelve runs")
    answer = one.told(a=a, b=b)
    feeds, names = answer["feeds"], (one.names[a], one.names[b])
    family, curves = one.compared().families[0], one.curves([one.measure], answer["reach"])
    agree(feeds["topics"], topics_sheet(family, *names))
    agree(feeds["scatter"], scatter_sheet(family, *names))
    agree(feeds["difference"], difference_sheet(curves, curves.curves[0], *names))
    first, second = (feeds["topics"]["signals"][f"{side}_tone"] for side in ("first", "second"))
    assert first == COLOURS[a % 10]
    assert second == (ALIKE if (a, b) == (11, 1) else COLOURS[b % 10])


def test_nobody_wins_under_a_name_that_no_run_has() -> None:
    one = made_up(runs=2, topics=3)
    runs = [replace(one.runs[0], name=name) for name in ("equal", "no run (equal)")]
    twins = replace(one, runs=runs)
    feed = twins.told()["feeds"]["map"]
    assert {cell["winner"] for cell in feed["data"]["cells"]} == {"(no run (equal))"}
    assert feed["signals"]["seen"] == ["(no run (equal))"]
    scale = twins.specs["map"]["layer"][0]["encoding"]["color"]["scale"]
    assert scale["domain"] == ["equal", "no run (equal)", "(no run (equal))"]


def test_runs_that_are_switched_off_are_not_drawn() -> None:
    feeds = case("four runs").told(on=[1, 3])["feeds"]
    for chart in (*(f"curve-{name}" for name in GAIN_CURVES), "unjudged", "recall"):
        drawn = {row["run"] for row in feeds[chart]["data"]["lines"]}
        assert drawn - {"ideal"} == {"broad", "fast"}, chart
        assert set(feeds[chart]["signals"]["shown"]) == drawn
    effort = feeds["effort"]
    assert {row["run"].split(":")[0] for row in effort["data"]["lines"]} == {"broad", "fast"}
    assert len(effort["signals"]["shown"]) == 2
    assert effort["signals"]["entries"][0] == "sharp"  # its place, and so the colours of the others, are kept
    alone = case("four runs").told(on=[2])["feeds"]["effort"]
    assert alone["signals"]["across"] == "documents read with the ideal"


def test_a_run_drawn_alone_has_the_interval_of_its_mean() -> None:
    alone = case("four runs").told(on=[2])["feeds"]["curve-nDCG"]
    assert {row["run"] for row in alone["data"]["band"]} == {"base"}
    assert alone["table"]["columns"] == ["rank", "base", "base, low", "base, high", "ideal"]


def numbers(value: Any) -> list[float]:
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return []
    if isinstance(value, float | int):
        return [value]
    return [n for one in (value.values() if isinstance(value, dict) else value) for n in numbers(one)]


@pytest.mark.parametrize("name", CASES)
def test_every_feed_is_whole(name: str) -> None:
    answer, one = told(name), case(name)
    for chart, feed in answer["feeds"].items():
        assert np.isfinite(numbers(feed)).all(), chart
        assert feed["title"]
        assert feed["description"].endswith(".")
        assert "undefined" not in feed["description"]
        assert "NaN" not in feed["description"]
        columns, rows = feed["table"]["columns"], feed["table"]["rows"]
        assert rows
        assert {len(row) for row in rows} == {len(columns)}, chart
        spec = one.specs[chart]
        assert set(feed["signals"]) == {param["name"] for param in spec["params"]}, chart


def test_tables_hold_every_rank_and_every_topic() -> None:
    feeds, one = told("long lists")["feeds"], case("long lists")
    assert len(feeds["curve-nDCG"]["table"]["rows"]) == 130
    assert {row[0] for row in feeds["topics"]["table"]["rows"]} == set(one.judgments.topics)
    by_rank = feeds["grades"]["table"]["rows"]
    assert {sum(row[1:]) for row in by_rank} == {len(one.judgments.topics)}


def test_labels_are_spread_as_in_python() -> None:
    draw = np.random.default_rng(3)
    tried = [[draw.random(n).round(draw.integers(1, 5)).tolist(), 0.0, 1.0, 280] for n in range(13) for _ in range(20)]
    found = run_node("return input.map((one) => gc.spreadLabels(...one));", tried)
    for given, placed in zip(tried, found, strict=True):
        assert same(placed, spread_labels(*given))


def test_long_lines_are_thinned_as_in_python() -> None:
    found = run_node(
        "return input.map((depth) => gc.feeding.keptRanks(depth));", depths := [1, 2, 499, 999, 1000, 2501]
    )
    assert found == [kept_ranks(depth) for depth in depths]
    assert all(b - a <= 5 for a, b in pairwise(found[-1]))


def test_topics_without_a_score_leave_empty_figures_not_errors() -> None:
    one = made_up(runs=2, topics=3)
    nothing = gc.Judgments.of({topic: {"d1": 0, "d2": 0} for topic in one.judgments.topics})
    feeds = Case(nothing, one.runs, one.scenario.with_choices(gains="identity")).told()["feeds"]
    assert feeds["topics"]["data"] == {"topics": [], "mean": []}
    assert {row["run"] for row in feeds["curve-nDCG"]["data"]["lines"]} == {"ideal"}
    assert np.isfinite(numbers([feed["data"] for feed in feeds.values()])).all()
    assert np.isfinite(numbers([feed["signals"] for feed in feeds.values()])).all()
