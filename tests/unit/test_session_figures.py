"""The pictures of sessions: what is drawn, readable with one session and with many."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from gaincurve import figures
from gaincurve.errors import GaincurveError
from gaincurve.model.sessions.objects import sessions_from_records
from gaincurve.verbs.sessions.curves import SessionCurves, session_curves

JUDGMENTS = {"t": {"a": 3, "b": 2, "c": 1}}


def curves(sessions: int, measure: str = "sDCG", **choices: Any) -> SessionCurves:
    chance = np.random.default_rng(sessions)
    records = [
        {
            "session": f"s{s}",
            "query": q,
            "topic": "t",
            "ranking": chance.permutation(["a", "b", "c", "x", "y"]).tolist(),
        }
        for s in range(sessions)
        for q in range(1, 2 + s % 4)
    ]
    logs = [sessions_from_records(records, name) for name in ("one", "two")]
    return session_curves(JUDGMENTS, logs, measure, depth=5, per_session=True, **choices)


def datasets(chart: Any) -> list[list[dict[str, Any]]]:
    """The data of every layer."""
    found: list[list[dict[str, Any]]] = []

    def walk(node: Any) -> None:
        if isinstance(node, dict):
            rows = node.get("values")
            if isinstance(rows, list) and rows and isinstance(rows[0], dict):
                found.append(rows)
            for value in node.values():
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    walk(json.loads(chart.to_json()))
    return found


@pytest.mark.parametrize("sessions", [1, 4, 133])
def test_every_session_has_a_line_and_a_dot_at_its_end(sessions: int) -> None:
    drawn = curves(sessions)
    data = datasets(figures.single_sessions_chart(drawn))
    dots = [rows for rows in data if rows and set(rows[0]) == {"line", "place", "value"} and len(rows) == sessions]
    assert len(dots) >= 2  # a panel for each system
    expected = {f"s{s}": 5 * (1 + s % 4) for s in range(sessions)}
    assert {row["line"]: row["place"] for row in dots[0]} == expected
    lines = max(data, key=len)
    for name, end in expected.items():
        assert max(row["place"] for row in lines if row["line"] == name) == end  # not drawn beyond its end


def test_names_are_shown_only_where_they_can_be_read() -> None:
    few, many = (json.dumps(figures.single_sessions_chart(curves(n)).to_dict()) for n in (4, 133))
    assert few.count('"text": {"field": "line"') == 4  # each on a border of paper, so that lines do not cross it
    assert few.count('"strokeWidth": 3') == 2
    assert many.count('"text": {"field": "line"') == 0


def test_queries_are_marked_and_long_sessions_have_their_own_line() -> None:
    drawn = curves(8, at_least=3)
    data = datasets(figures.session_curves_chart(drawn))
    names = next(rows for rows in data if rows and "name" in rows[0])
    assert [row["name"] for row in names] == ["Q1", "Q2", "Q3", "Q4"]
    lines = max(data, key=len)
    assert {row["line"] for row in lines} == {"one", "two", "one, 3+ queries", "two, 3+ queries"}
    last = {row["line"]: row["value"] for row in lines if row["place"] == 20}
    assert last["one"] == pytest.approx(drawn["one"][-1])


def test_last_queries_are_drawn_beside_the_others() -> None:
    drawn = curves(6)
    lines = max(datasets(figures.last_queries_chart(drawn)), key=len)
    assert {row["line"] for row in lines} == {f"{r}, {s} quer{e}" for r in ("one", "two")
                                              for s, e in (("last", "y"), ("other", "ies"))}  # fmt: skip
    alone = max(datasets(figures.last_queries_chart(curves(1))), key=len)
    assert {row["line"] for row in alone} == {"one, last query", "two, last query"}  # there are no others


@pytest.mark.parametrize("measure", ["sDCG", "nsDCG"])
def test_captions_fit_and_sign(measure: str) -> None:
    spec = figures.session_curves_chart(curves(3, measure)).to_dict()
    caption = spec["title"]["text"]
    assert all(len(line) < 130 for line in caption)
    assert "X:5" in " ".join(caption)
    assert "sessions:3" in " ".join(caption)


@pytest.mark.parametrize("chart", ["session_curves_chart", "single_sessions_chart", "last_queries_chart"])
def test_the_form_of_both_discounts_stands_below_the_picture(chart: str) -> None:
    drawn = curves(2, discount="kanoulas2011", base=3, query_discount="jk2002")
    below = " ".join(getattr(figures, chart)(drawn).to_dict()["title"]["text"])
    assert " discount:kanoulas2011(base=3)" in f" {below}"
    assert "query-discount:jk2002(base=4)" in below
    assert "gain:" not in below


def test_a_filter_is_named_in_title_and_caption() -> None:
    """The topic, and how long sessions are at least; without a filter there is no title."""
    chart = json.loads(figures.session_curves_chart(curves(8, topic="t", at_least=2)).to_json())
    text = json.dumps(chart, ensure_ascii=False)
    assert "topic t; all sessions, and those with 2 queries or more" in text
    assert "topic:t" in text
    assert "at-least:1,2" in text
    last = json.dumps(json.loads(figures.last_queries_chart(curves(8, topic="t")).to_json()), ensure_ascii=False)
    assert '"text": "topic t"' in last
    singles = json.dumps(json.loads(figures.single_sessions_chart(curves(8, topic="t")).to_json()), ensure_ascii=False)
    assert "one: 8 sessions on topic t, a dot where each stopped" in singles
    assert "topic t" not in json.dumps(figures.session_curves_chart(curves(8)).to_json())


@pytest.mark.parametrize("chart", [figures.session_curves_chart, figures.single_sessions_chart])
def test_every_query_is_named_in_every_panel(chart: Any) -> None:
    drawn = chart(curves(8, topic="t"))
    names = [[row["name"] for row in rows] for rows in datasets(drawn) if "name" in rows[0]]
    assert names
    assert all(panel == ["Q1", "Q2", "Q3", "Q4"] for panel in names)
    assert "transform" not in drawn.to_json()  # nothing is left to the width of the whole figure


@pytest.mark.parametrize("sessions", [1, 4, 133])
def test_sessions_that_asked_each_query_are_counted_above_the_plot(sessions: int) -> None:
    rows = [rows for rows in datasets(figures.session_curves_chart(curves(sessions))) if "text" in rows[0]]
    numbers = [[row["text"] for row in one] for one in rows if len(one) > 1 or one[0]["text"].isdigit()]
    asked = [str(sum(1 + s % 4 >= q for s in range(sessions))) for q in range(1, 1 + min(4, sessions))]
    assert numbers == [asked, asked]
    assert {one[0]["text"] for one in rows if not one[0]["text"].isdigit()} == {"one: sessions", "two: sessions"}


def test_bands_are_intervals_over_the_sessions() -> None:
    drawn = curves(20, "nsDCG")
    bands = [rows for rows in datasets(figures.session_curves_chart(drawn)) if "low" in rows[0]]
    assert len(bands) == 2
    for rows, single in zip(bands, drawn.singles, strict=True):
        at_end = single.values[:, -1]
        low, high = stats.t.interval(0.95, 19, at_end.mean(), at_end.std(ddof=1) / np.sqrt(20))
        assert rows[-1] == {"place": 20, "low": pytest.approx(low), "high": pytest.approx(high)}
    assert "95% t interval" in " ".join(figures.session_curves_chart(drawn).to_dict()["title"]["text"])
    many = figures.session_curves_chart(curves(20, "nsDCG", at_least=2))
    assert not [rows for rows in datasets(many) if "low" in rows[0]]
    assert "interval" not in " ".join(many.to_dict()["title"]["text"])


def test_the_labels_of_the_last_ticks_stand_under_them() -> None:
    for chart in (figures.session_curves_chart, figures.single_sessions_chart, figures.last_queries_chart):
        axes = [axis for axis in _nodes(chart(curves(4)).to_dict(), "axis") if axis and "format" in axis]
        assert axes
        assert all(axis["labelFlush"] is False for axis in axes)


def _nodes(node: Any, key: str) -> list[Any]:
    if isinstance(node, list):
        return [found for value in node for found in _nodes(value, key)]
    if not isinstance(node, dict):
        return []
    return [*([node[key]] if key in node else []), *(found for value in node.values() for found in _nodes(value, key))]


@pytest.mark.parametrize("chart", ["positions_chart", "lengths_chart", "best_chart", "reformulations_chart"])
@pytest.mark.parametrize("sessions", [1, 3, 133])
def test_figures_of_single_queries_can_be_saved_and_sign(chart: str, sessions: int, tmp_path: Path) -> None:
    drawn = getattr(figures, chart)(curves(sessions, "nsDCG", topic="t"))
    figures.save(drawn, tmp_path / "f.svg")
    text = (tmp_path / "f.svg").read_text()
    assert "topic:t" in text
    assert "topic t" in text
    assert f"sessions:{sessions}" in text
    assert "NaN" not in text


def test_figures_of_single_queries_draw_what_the_tables_say() -> None:
    drawn = curves(133, "nsDCG")
    bars = max(datasets(figures.lengths_chart(drawn)), key=len)
    assert [row["sessions"] for row in bars if row["system"] == "one"] == [34, 33, 33, 33]
    rows = max(datasets(figures.positions_chart(drawn)), key=len)
    assert [row["over"] for row in rows if row["system"] == "two"] == [133, 99, 66, 33]
    best = max(datasets(figures.best_chart(drawn)), key=len)
    assert sum(row["sessions"] for row in best if row["system"] == "one") == 99
    steps = [rows for rows in datasets(figures.reformulations_chart(drawn)) if "change" in rows[0]]
    ours = [row for row in max(steps, key=len) if row["system"] == "one"]
    assert [row["step"] for row in ours] == ["Q1 → Q2", "Q2 → Q3", "Q3 → Q4", "all"]
    assert [row["change"] for row in ours] == [step.change for step in drawn.steps() if step.run == "one"]


def test_several_bases_share_one_panel_and_one_scale() -> None:
    every = [curves(6, f"sDCG(bq={bq})") for bq in (2, 10)]
    spec = figures.session_curves_chart(every).to_dict()
    lines = max(datasets(figures.session_curves_chart(every)), key=len)
    assert {row["line"] for row in lines} == {f"{run}, sDCG(bq={bq})" for run in ("one", "two") for bq in (2, 10)}
    assert "layer" in spec
    assert "query-discount:jarvelin2008(base=2) or jarvelin2008(base=10)" in " ".join(spec["title"]["text"])
    with pytest.raises(GaincurveError, match="do not have one scale"):
        figures.session_curves_chart([curves(6), curves(6, "nsDCG")])
    with pytest.raises(GaincurveError, match="read 5 and 3 documents"):
        figures.session_curves_chart([curves(6), curves(6, "sDCG@3")])


@pytest.mark.parametrize("chart", ["positions_chart", "reformulations_chart"])
def test_the_tenth_query_does_not_stand_before_the_second(chart: str) -> None:
    records = [
        {"session": f"s{s}", "query": q, "topic": "t", "ranking": ["a", "b", "c"][(s + q) % 3 :]}
        for s in range(6)
        for q in range(1, 13)
    ]
    drawn = session_curves(JUDGMENTS, sessions_from_records(records, "one"), "nsDCG")
    axes = [x for x in _nodes(getattr(figures, chart)(drawn).to_dict(), "x") if isinstance(x, dict) and "field" in x]
    queries = [f"Q{q}" for q in range(1, 13)]
    steps = [*(f"{a} → {b}" for a, b in pairwise(queries)), "all"]
    assert len(axes) > 2
    assert all(x["sort"] == (queries if chart == "positions_chart" else steps) for x in axes)
