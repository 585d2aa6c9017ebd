"""gaincurve explain shows how binary measures come out, on ranking A of the lecture slides (IR:VIII)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gaincurve.measures.notation import definition_of, parse_measure
from tests.helpers.command import Command

A = (1, 0, 1, 1, 1, 1, 0, 0, 0, 1)
PRECISION = (1.00, 0.50, 0.67, 0.75, 0.80, 0.83, 0.71, 0.625, 0.56, 0.60)
RECALL = (0.17, 0.17, 0.33, 0.50, 0.67, 0.83, 0.83, 0.83, 0.83, 1.00)
"""As the slides print them; .625 is .63 there, rounded half up."""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.qrels").write_text("".join(f"1 0 d{i} {grade}\n" for i, grade in enumerate(A, 1)))
    Path("a.run").write_text("".join(f"1 Q0 d{i} {i} {99 - i} a\n" for i in range(1, 11)))
    Path("tied.run").write_text("".join(f"1 Q0 d{i} {i} 1 tied\n" for i in range(1, 11)))


pytestmark = pytest.mark.usefixtures("files")
ASKED = ("explain", "--topic", "1", "a.qrels", "a.run", "-m")


def explained(gaincurve: Command, measure: str) -> dict[str, Any]:
    shape: dict[str, Any] = json.loads(gaincurve(*ASKED, measure, "-f", "json").stdout)
    return shape


def test_ap_can_be_read_off(gaincurve: Command) -> None:
    shape = explained(gaincurve, "AP")
    assert [step["P@i"] for step in shape["steps"]] == pytest.approx(PRECISION, abs=0.005)
    assert [step["R@i"] for step in shape["steps"]] == pytest.approx(RECALL, abs=0.005)
    adds = [step["adds"] for step in shape["steps"]]
    assert [value is not None for value in adds] == [grade == 1 for grade in A]
    assert sum(value for value in adds if value) / 6 == pytest.approx(shape["value"])
    assert shape["sums"] == ["(1 + 0.6667 + 0.75 + 0.8 + 0.8333 + 0.6)/6 = 0.7750"]
    assert shape["sums"][0] in gaincurve(*ASKED, "AP", "-f", "table").stdout


def test_ap_at_k_divides_by_its_norm_and_counts_what_was_not_found(gaincurve: Command) -> None:
    assert explained(gaincurve, "AP@3")["sums"] == ["(1 + 0.6667)/6 = 0.2778; 4 relevant not found add 0"]
    assert explained(gaincurve, "AP(norm='min')@3")["sums"] == ["(1 + 0.6667)/3 = 0.5556; 1 relevant not found adds 0"]


def test_eleven_points(gaincurve: Command) -> None:
    shape = explained(gaincurve, "AP11")
    rows = shape["tables"][0]["rows"]
    assert [row["IPrec"] for row in rows] == pytest.approx([1] * 2 + [5 / 6] * 7 + [0.6] * 2)
    assert [row["reached at rank"] for row in rows] == [1, 1, 3, 3, 4, 4, 5, 6, 6, 10, 10]
    assert shape["sums"] == ["(2·1 + 7·0.8333 + 2·0.6)/11 = 0.8212"]
    (one,) = explained(gaincurve, "IPrec@0.8")["tables"][0]["rows"]
    assert list(one.values()) == pytest.approx([0.8, 5, 6, 5 / 6])


def test_contingency_table(gaincurve: Command) -> None:
    shape = explained(gaincurve, "SetF")
    assert [list(row.values()) for row in shape["tables"][0]["rows"]] == [
        ["retrieved", 6, 4, 10],
        ["not retrieved", 0, None, None],
        ["all", 6, None, None],
    ]
    assert shape["sums"][-1] == "F = 2·P·R/(P + R) = 2a/(2a + b + c) = 12/16 = 0.7500"
    fallout = explained(gaincurve, "Fallout(N=100)")
    assert [list(row.values())[1:] for row in fallout["tables"][0]["rows"]] == [[6, 4, 10], [0, 90, 90], [6, 94, 100]]
    assert fallout["sums"] == ["Fallout = b/(b + d) = 4/94 = 0.0426"]


def test_no_order_is_shown_where_ties_are_averaged(gaincurve: Command) -> None:
    done = gaincurve("explain", "--topic", "1", "a.qrels", "tied.run", "-m", "AP", "--ties", "average", "-f", "json")
    shape = json.loads(done.stdout)
    assert "P@i" not in shape["steps"][0]
    assert shape["sums"] == []


def test_names_of_textbooks() -> None:
    assert parse_measure("gMAP").text == "AP(summary='geometric')"
    assert (definition_of("gMAP").name, definition_of("f1").name, parse_measure("F1").text) == ("AP", "SetF", "SetF")
