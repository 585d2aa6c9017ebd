"""Precision–recall charts as data: which points are drawn, in which order, in whose colours."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

import gaincurve as gc
from gaincurve.curve.recall import POINTS
from gaincurve.figures import precision_recall_chart, save
from gaincurve.figures.style import COLOURS

DRAW = random.Random(3)
TOPICS = ("q1", "q2", "q3")
JUDGMENTS = {t: {f"d{i:02}": DRAW.choice([0, 0, 1, 2, 3, 4]) for i in range(25)} for t in TOPICS}
JUDGMENTS["q3"] = {"d00": 1}


def curves(runs: int = 2, **choices: Any) -> gc.RecallCurves:
    draw = random.Random(runs)
    pool = [f"d{i:02}" for i in range(30)]
    made = {f"run{i}": {t: draw.sample(pool, k=20) for t in TOPICS} for i in range(runs)}
    return gc.precision_recall(JUDGMENTS, made, **choices)


def parts(node: Any) -> Iterator[dict[str, Any]]:
    """Every object inside a definition."""
    if isinstance(node, dict):
        yield node
    for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from parts(child)


def marks(panel: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [part for part in parts(panel) if isinstance(part.get("mark"), dict) and part["mark"]["type"] == kind]


def rows(chart: dict[str, Any], panel: dict[str, Any], part: dict[str, Any]) -> list[dict[str, Any]]:
    """The data of a part or of its panel, inline or by name."""
    data = {**panel, **part}["data"]
    found = data["values"] if "values" in data else chart["datasets"][data["name"]]
    return list(found)


@pytest.mark.parametrize(
    ("runs", "levels", "topic"),
    [  # every two values of different columns meet; a panel takes a tenth of a second to validate
        (1, (1,), None), (1, (1, 2, 3, 4), "q1"), (1, (1, 2, 3, 4), "q3"), (2, (1, 2, 3, 4), None), (2, (1,), "q1"),
        (2, (1,), "q3"), (6, (1, 2, 3, 4), None), (6, (1,), "q1"), (6, (1,), "q3"), (12, (1, 2, 3, 4), None),
        (12, (1,), "q1"), (12, (1,), "q3"),
    ],
)  # fmt: skip
def test_definitions_are_valid_and_have_a_panel_for_each(runs: int, levels: tuple[int, ...], topic: str | None) -> None:
    chart = precision_recall_chart(curves(runs, levels=levels, topic=topic)).to_dict(validate=True)
    assert len(chart["concat"]) == len(levels) * (runs if topic else 1)
    assert chart["columns"] <= 4
    domains = [part["scale"]["domain"] for part in parts(chart) if part.get("field") in ("recall", "precision")
               and "scale" in part]  # fmt: skip
    assert domains
    assert all(domain == [0, 1] for domain in domains)  # panels can be held against each other


class TestAveraged:
    def test_every_line_holds_the_eleven_values(self) -> None:
        found = curves(3, levels=(1, 2), only=(3,))
        chart = precision_recall_chart(found).to_dict()
        for panel, level in zip(chart["concat"], found.levels, strict=True):
            (line,) = marks(panel, "line")
            assert panel["title"]["text"].startswith(f"relevant: {level.relevant} (topics: ")
            for run in found.runs:
                drawn = [(r["recall"], r["precision"]) for r in rows(chart, panel, line) if r["run"] == run]
                assert drawn == list(zip(POINTS, found[run, level.name].tolist(), strict=True))

    @pytest.mark.parametrize("runs", [1, 2, 6, 12])
    def test_no_two_lines_look_the_same(self, runs: int) -> None:
        (panel,) = precision_recall_chart(curves(runs)).to_dict()["concat"]
        (line,) = marks(panel, "line")
        colour, dash = (line["encoding"][channel]["scale"] for channel in ("color", "strokeDash"))
        assert colour["domain"] == dash["domain"] == [f"run{i}" for i in range(runs)]
        looks = [(c, tuple(d)) for c, d in zip(colour["range"], dash["range"], strict=True)]
        assert len(set(looks)) == runs
        assert set(colour["range"]) <= set(COLOURS)

    def test_a_legend_beside_the_picture_names_them(self) -> None:
        (panel,) = precision_recall_chart(curves(2)).to_dict()["concat"]
        (line,) = marks(panel, "line")
        assert line["encoding"]["color"]["legend"]["orient"] == "right"

    def test_caption_has_what_all_panels_share(self) -> None:
        caption = precision_recall_chart(curves(2, levels=(1, 4), missing="skip")).to_dict()["title"]["text"]
        for part in ("points:exact", "ties:trec", "missing:skip", f"gaincurve:{gc.__version__}"):
            assert part in caption
        assert "rel:" not in caption
        assert "topics:" not in caption  # these differ, and stand above each panel

    def test_a_level_that_no_document_has_is_an_empty_panel(self, tmp_path: Path) -> None:
        chart = precision_recall_chart(curves(2, levels=(1, 9)))
        save(chart, tmp_path / "c.svg")
        assert "NaN" not in (tmp_path / "c.svg").read_text("utf-8")
        definition = chart.to_dict()
        assert "(topics: 0/3)" in definition["concat"][1]["title"]["text"]


class TestOneTopic:
    # the slides' rankings A = 1011110001 and B = 0100111011 of six relevant documents
    JUDGED = {"t": {f"r{i}": 1 for i in range(6)}}  # noqa: RUF012 -- read only
    LISTS = {"A": "1011110001", "B": "0100111011"}  # noqa: RUF012

    def chart(self) -> dict[str, Any]:
        runs = {
            name: {"t": [f"r{bits[:i].count('1')}" if bit == "1" else f"n{i}" for i, bit in enumerate(bits)]}
            for name, bits in self.LISTS.items()
        }
        found: dict[str, Any] = precision_recall_chart(gc.precision_recall(self.JUDGED, runs, topic="t")).to_dict()
        return found

    def test_lines_by_hand(self) -> None:
        chart = self.chart()
        panel = chart["concat"][0]
        behind, strong, path = (rows(chart, panel, line) for line in marks(panel, "line"))
        assert [(r["recall"], r["precision"]) for r in strong] == [
            (0, 1), (1 / 6, 1), (2 / 6, 5 / 6), (3 / 6, 5 / 6), (4 / 6, 5 / 6), (5 / 6, 5 / 6), (1, 0.6)
        ]  # fmt: skip
        assert {(r["run"], r["precision"]) for r in behind} == {("B", 0.6)}
        # ranks 7 and 8 lie on the line from rank 6 down to 9 and need no point of their own
        assert [r["rank"] for r in path] == [1, 2, 3, 4, 5, 6, 9, 10]
        assert [(r["recall"], r["precision"]) for r in path[:3]] == [(1 / 6, 1), (1 / 6, 0.5), (2 / 6, 2 / 3)]

    def test_dots_are_the_relevant_documents(self) -> None:
        chart = self.chart()
        for panel, ranks in zip(chart["concat"], ([1, 3, 4, 5, 6, 10], [2, 5, 6, 7, 9, 10]), strict=True):
            (dots,) = marks(panel, "point")
            assert [r["rank"] for r in rows(chart, panel, dots)] == ranks

    def test_points_are_joined_by_rank_and_steps_hold_until_the_next_recall(self) -> None:
        for panel in self.chart()["concat"]:
            behind, strong, path = marks(panel, "line")
            assert path["encoding"]["order"]["field"] == "rank"
            for steps in (behind, strong):
                assert steps["mark"]["interpolate"] == "step-before"
                assert steps["encoding"]["order"]["field"] == "at"

    def test_a_run_has_the_colour_it_has_elsewhere(self) -> None:
        tones = [marks(panel, "line")[1]["mark"]["color"] for panel in self.chart()["concat"]]
        assert tones == list(COLOURS[:2])

    def test_recall_that_is_never_reached_has_precision_0(self) -> None:
        found = gc.precision_recall(self.JUDGED, {"A": {"t": ["r0"]}}, topic="t")
        chart = precision_recall_chart(found).to_dict()
        (panel,) = chart["concat"]
        _, strong, _ = marks(panel, "line")
        assert [r["precision"] for r in rows(chart, panel, strong)] == [1, 1, 0, 0, 0, 0, 0]
        assert "grey" not in chart["title"]["text"]  # there are no other runs


def test_saved_twice_gives_the_same_bytes_and_fetches_nothing(tmp_path: Path) -> None:
    for topic in (None, "q1"):
        chart = precision_recall_chart(curves(2, topic=topic))
        for name in ("first.svg", "second.svg"):
            save(chart, tmp_path / name)
        first = (tmp_path / "first.svg").read_bytes()
        assert first == (tmp_path / "second.svg").read_bytes()
        root = ET.fromstring(first)
        assert not [v for e in root.iter() for k, v in e.attrib.items() if "href" in k or "url(http" in v]
