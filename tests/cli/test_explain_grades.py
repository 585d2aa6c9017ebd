"""gaincurve explain MEASURE --grades: the numbers of the papers and slides, without files."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

import gaincurve as gc
from gaincurve import vectors
from gaincurve.errors import ChoiceError
from tests.helpers.command import Command

G, BASE = "3 2 3 0 0 1 2 2 3 0", "3 3 3 2 2 2 1 1 1 1"
SESSION = (G, "2 3 1", "", "1 0 3")
LIST = ("--grades", G, "--recall-base", BASE)


def shape(gaincurve: Command, *arguments: str) -> dict[str, Any]:
    done = gaincurve("explain", *arguments, "-f", "json")
    assert done.stderr == ""
    data: dict[str, Any] = json.loads(done.stdout)
    return data


@pytest.mark.parametrize(
    ("measure", "key", "values"),
    [
        ("CG", "sum", [3, 5, 8, 8, 8, 9, 11, 13, 16, 16]),
        ("CG", "ideal_sum", [3, 6, 9, 11, 13, 15, 16, 17, 18, 19]),
        ("DCG(discount='jk2002', base=2)", "sum",
         [3, 5, 6.892789, 6.892789, 6.892789, 7.279642, 7.992056, 8.658723, 9.605118, 9.605118]),
        ("nDCG(discount='jk2002', base=2)", "value",
         [1, .833333, .873302, .775099, .706653, .691465, .734290, .771902, .832848, .811662]),
        ("nDCG(discount='jk2002', base=2, gains='0-1-10-100')", "value",
         [1, .55, .657916, .645645, .635437, .627940, .640008, .651273, .764306, .763477]),
        ("nDCG(discount='jarvelin2008', base=4)", "value",
         [1, .866667, .900105, .782807, .698555, .680266, .735795, .784949, .865225, .835800]),
        ("nDCG", "value", [1, .871049, .901306, .794285, .717734, .699987, .747745, .789819, .858480, .833613]),
    ],
)  # fmt: skip
def test_the_worked_vectors_of_2002_and_2008(gaincurve: Command, measure: str, key: str, values: list[float]) -> None:
    steps = shape(gaincurve, measure, *LIST)["steps"]
    assert [step[key] for step in steps] == pytest.approx(values, abs=5.1e-7)


def test_choices_by_option_and_by_notation_agree(gaincurve: Command) -> None:
    by_option = shape(gaincurve, "nDCG@7", *LIST, "--gains", "exp2", "--discount", "jk2002", "--base", "3")
    by_name = shape(gaincurve, "nDCG(gains='exp2', discount='jk2002', base=3)@7", *LIST)
    assert [step["value"] for step in by_option["steps"]] == [step["value"] for step in by_name["steps"]]
    gains, divisors = [7, 3, 7, 0, 0, 1, 3], [1, 1, 1, *(math.log(i, 3) for i in (4, 5, 6, 7))]
    best = [7, 7, 7, 3, 3, 3, 1]
    actual, ideal = (math.fsum(g / d for g, d in zip(side, divisors, strict=True)) for side in (gains, best))
    assert by_name["value"] == pytest.approx(actual / ideal)


def test_every_measure_of_lists_is_explained(gaincurve: Command) -> None:
    own = {"Fallout": "Fallout(N=50)", "NR": "NR(N=50)", "IPrec": "IPrec@0.5", "INST": "INST(T=2)"}
    for definition in gc_definitions():
        if definition.over == "session" or definition.needs:  # scores, subtopics, samples
            continue
        name = own.get(definition.name, definition.name)
        name += "@5" if definition.cutoff == "required" and "@" not in name else ""
        done = gaincurve("explain", name, *LIST, "-f", "json")
        assert (done.returncode, definition.name, done.stdout[:1]) == (0, definition.name, "{"), done.stderr


def gc_definitions() -> list[Any]:
    from gaincurve.measures.notation import definitions  # noqa: PLC0415 -- not public

    return definitions()


def test_the_session_of_2008(gaincurve: Command) -> None:
    queries = [word for grades in SESSION for word in ("--grades", grades)]
    data = shape(gaincurve, "nsDCG", *queries, "--recall-base", BASE)
    ends = [step for step in data["steps"] if step["rank"] == 10]
    assert [step["sum"] for step in ends] == pytest.approx([7.1842, 9.7755, 9.7755, 10.8558], abs=5.1e-5)
    assert [step["ideal_sum"] for step in ends] == pytest.approx([8.4710, 14.1184, 18.8442, 23.0797], abs=5.1e-5)
    assert [step["value"] for step in ends] == pytest.approx([0.8481, 0.6924, 0.5188, 0.4704], abs=5.1e-5)
    steep = shape(gaincurve, "sDCG", *queries, "--recall-base", BASE, "--scenario", "session2008")
    assert steep["value"] == pytest.approx(233.1725, abs=5.1e-5)


def test_a_dash_is_an_unjudged_document(gaincurve: Command) -> None:
    data = shape(gaincurve, "P@3", "--grades", "- 1 0", "--recall-base", "1 0", "--unjudged", "condensed")
    assert data["value"] == pytest.approx(1 / 3)
    assert [step["grade"] for step in data["steps"]] == [1, 0, None]


def test_without_a_recall_base_a_note_says_so(gaincurve: Command) -> None:
    done = gaincurve("explain", "AP", "--grades", "1,0,1,1,1,1,0,0,0,1", "-f", "table")
    assert "(1 + 0.6667 + 0.75 + 0.8 + 0.8333 + 0.6)/6 = 0.7750" in done.stdout
    assert "note[recall-base-assumed]" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("AP", "--grades", "1 x"), "'x' is not a grade"),
        (("AP", "--grades", "3 3", "--recall-base", "3"), "a list has 2 documents of grade 3, the recall base 1"),
        (("AP", "--grades", "1", "--grades", "1"), "AP is a measure of one list, and 2 are given"),
        (("AP", "--grades", ""), "no grade is given"),
        (("AP", "--recall-base", "1"), "--recall-base goes with --grades"),
        (("AP", "--grades", "1", "-m", "P@1"), "--grades goes with MEASURE alone"),
        (("AP", "--grades", "1", "--gains", "exp2"), "--gains changes nothing about AP"),
        (("AP", "--grades", "1", "--bq", "4"), "measure of sessions"),
        (("nsDCG", "--grades", "1", "--ideal", "pooled"), "--ideal is for topics"),
    ],
)
def test_what_makes_no_example_is_refused(gaincurve: Command, arguments: tuple[str, ...], says: str) -> None:
    done = gaincurve("explain", *arguments)
    assert (done.returncode, says in done.stderr) == (2, True), done.stderr


class TestVectors:
    gains = tuple(map(int, G.split()))
    recall_base = tuple(map(int, BASE.split()))
    session = ((3, 2, 3, 0, 0, 1, 2, 2, 3, 0), (2, 3, 1), (), (1, 0, 3))

    def test_default_discount_is_that_of_evaluate(self) -> None:
        judged = {"1": {f"d{i}": grade for i, grade in enumerate(self.gains)}}
        run = {"1": [f"d{i}" for i in range(10)]}
        expected = math.fsum(grade / math.log2(i + 1) for i, grade in enumerate(self.gains, 1))
        assert vectors.dcg(self.gains)[-1] == pytest.approx(expected)
        assert gc.evaluate(judged, run, "DCG@10")["run", "DCG@10"]["1"] == pytest.approx(expected)

    def test_sessions(self) -> None:
        assert vectors.sdcg(self.session)[9::10] == pytest.approx([7.1842, 9.7755, 9.7755, 10.8558], abs=5.1e-5)
        assert vectors.nsdcg(self.session, self.recall_base)[9::10] == pytest.approx(
            [0.8481, 0.6924, 0.5188, 0.4704], abs=5.1e-5
        )
        steep, best = (
            [vectors.gains(list(part), "0-1-10-100") for part in side] for side in (self.session, [self.recall_base])
        )
        assert vectors.sdcg(steep)[9::10] == pytest.approx([173.0720, 213.3299, 213.3299, 233.1725], abs=5.1e-5)
        assert vectors.nsdcg(steep, best[0])[9::10] == pytest.approx([0.8706, 0.6438, 0.4824, 0.4305], abs=5.1e-5)
        kanoulas = vectors.sdcg(self.session, discount="kanoulas2011", query_discount="kanoulas2011")
        assert kanoulas[-1] == pytest.approx(13.8835, abs=5.1e-5)
        assert len(vectors.sdcg(self.session, k=3)) == 12

    def test_average_precision_of_the_slides(self) -> None:
        for ranking, relevant, right in (("1011110001", 6, .7750), ("0100111011", 6, .5212),
                                         ("1000010001", 3, .5444), ("0100101000", 3, .4429)):  # fmt: skip
            assert vectors.ap([int(bit) for bit in ranking], relevant) == pytest.approx(right, abs=5.1e-5)
        assert vectors.ap([0, 1], 4) == 0.125
        assert vectors.ap([0, 0], 4) == 0.0
        assert math.isnan(vectors.ap([0, 0]))
        with pytest.raises(ChoiceError, match="the list has 2 relevant documents"):
            vectors.ap([1, 1], 1)

    def test_gains_by_name(self) -> None:
        assert vectors.gains([3, 2, 0], "exp2").tolist() == [7, 3, 0]
        with pytest.raises(ChoiceError, match="have no value for grade 4"):
            vectors.gains([4], "0-1-10-100")
