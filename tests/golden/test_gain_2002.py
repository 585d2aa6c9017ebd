"""The worked vectors of measures.md section 1, on plain arrays and from dicts of judgments and runs.

Every expected number is that of a source document, computed there to two decimals and by the specification to six.
"""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import pytest

from gaincurve import vectors
from gaincurve.model.gains import Gains
from gaincurve.verbs.curves import curves
from gaincurve.verbs.evaluate import evaluate

G = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0]  # G' of the 2002 paper, section 2.1; also the example of the slides
RECALL_BASE = [3, 3, 3, 2, 2, 2, 1, 1, 1, 1]  # I' of the 2002 paper, section 2.2, before its trailing zeros
JUDGMENTS = {"q": {f"d{i:02}": grade for i, grade in enumerate(G, start=1)} | {"x1": 1, "x2": 1, "x3": 1}}
RUN = {"q": {f"d{i:02}": float(-i) for i in range(1, 11)}}


@dataclass(frozen=True)
class Worked:
    """One row of the table: where it comes from, what is drawn, under which choices, and the vector."""

    source: str
    name: str
    of: str
    vector: list[float]
    choices: dict[str, object] = field(default_factory=dict)


JK2 = {"discount": "jk2002", "base": 2}
STEEP = {**JK2, "gains": "0-1-10-100"}
J2008 = {"discount": "jarvelin2008", "base": 4}
SLIDES = {"gains": "exp2", "discount": "log", "ideal": "retrieved"}
WORKED = [
    Worked("2002 section 2.1, CG'", "CG", "run", [3, 5, 8, 8, 8, 9, 11, 13, 16, 16]),
    Worked("2002 section 2.2, CG_I'", "CG", "ideal", [3, 6, 9, 11, 13, 15, 16, 17, 18, 19]),
    Worked("2002 section 2.3, nCG'", "nCG", "run",
           [1, .833333, .888889, .727273, .615385, .6, .6875, .764706, .888889, .842105]),
    Worked("2002 section 2.1, DCG' b=2", "DCG", "run",
           [3, 5, 6.892789, 6.892789, 6.892789, 7.279642, 7.992056, 8.658723, 9.605118, 9.605118], JK2),
    Worked("2002 section 2.2, DCG_I' b=2", "DCG", "ideal",
           [3, 6, 7.892789, 8.892789, 9.754142, 10.527848, 10.884055, 11.217389, 11.532853, 11.833883], JK2),
    Worked("2002 section 2.3, nDCG' b=2", "nDCG", "run",
           [1, .833333, .873302, .775099, .706653, .691465, .734290, .771902, .832848, .811662], JK2),
    Worked("2002 gains 0-1-10-100, b=2", "DCG", "run",
           [100, 110, 173.092975, 173.092975, 173.092975, 173.479828, 177.041900, 180.375233, 211.921721, 211.921721],
           STEEP),
    Worked("2002 gains 0-1-10-100, b=2, normalised", "nDCG", "run",
           [1, .55, .657916, .645645, .635437, .627940, .640008, .651273, .764306, .763477], STEEP),
    Worked("2008 appendix (2), b=4, own rank", "DCG", "run",
           [3, 4.333333, 6.006991, 6.006991, 6.006991, 6.443200, 7.275258, 8.075258, 9.235816, 9.235816], J2008),
    Worked("2008 appendix (2), b=4, normalised", "nDCG", "run",
           [1, .866667, .900105, .782807, .698555, .680266, .735795, .784949, .865225, .835800], J2008),
    Worked("trec_eval's log2(i+1), recall base ideal", "nDCG", "run",
           [1, .871049, .901306, .794285, .717734, .699987, .747745, .789819, .858480, .833613], {"discount": "log"}),
    Worked("slides 002, DCG@k", "DCG", "run",
           [7, 8.892789, 12.392789, 12.392789, 12.392789, 12.748996, 13.748996, 14.695391, 16.802601, 16.802601],
           {"gains": "exp2", "discount": "log"}),
    Worked("slides 002, NDCG@k", "nDCG", "run",
           [1, .778941, .830810, .764584, .713496, .691463, .732457, .782875, .895134, .895134], SLIDES),
]  # fmt: skip
VECTORS = pytest.mark.parametrize("worked", WORKED, ids=lambda worked: worked.source)
SCALARS = pytest.mark.parametrize(
    "worked", [worked for worked in WORKED if worked.of == "run"], ids=lambda worked: worked.source
)


def close(expected: list[float]) -> object:
    return pytest.approx(expected, rel=0, abs=5.1e-7)


def by_algebra(worked: Worked) -> list[float]:
    """The vector by gaincurve.vectors, with gains looked up by hand."""
    scheme = worked.choices.get("gains", "identity")
    gain = {"identity": float, "exp2": lambda g: 2**g - 1, "0-1-10-100": [0, 1, 10, 100].__getitem__}[scheme]
    listed = [gain(grade) for grade in G]
    base = listed if worked.choices.get("ideal") == "retrieved" else [gain(grade) for grade in RECALL_BASE]
    name = str(worked.choices.get("discount", "log"))

    def cumulated(gains: object) -> object:
        if worked.name.endswith("DCG"):
            return vectors.dcg(gains, worked.choices.get("base"), name)
        return vectors.cg(gains)

    if worked.of == "ideal":
        return cumulated(vectors.ideal(base, 10)).tolist()
    if worked.name.startswith("n"):
        return vectors.norm_vect(cumulated(listed), cumulated(vectors.ideal(base, 10))).tolist()
    return cumulated(listed).tolist()


@VECTORS
def test_vector_by_the_papers_algebra(worked: Worked) -> None:
    assert by_algebra(worked) == close(worked.vector)


@VECTORS
def test_vector_by_curves_from_dicts(worked: Worked) -> None:
    drawn = curves(JUDGMENTS, RUN, worked.name, depth=10, **worked.choices)
    assert drawn[worked.of, worked.name].tolist() == close(worked.vector)


@SCALARS
def test_every_cutoff_by_evaluate_from_dicts(worked: Worked) -> None:
    scores = evaluate(JUDGMENTS, RUN, f"{worked.name}@1,2,3,4,5,6,7,8,9,10", **worked.choices)
    assert [scores["run", f"{worked.name}@{k}"]["q"] for k in range(1, 11)] == close(worked.vector)
    assert scores.summary()["run"][f"{worked.name}@10"] == close(worked.vector[9])


@SCALARS
def test_choices_written_in_the_measure_are_the_same_choices(worked: Worked) -> None:
    inside = ", ".join(f"{key}={value!r}" for key, value in worked.choices.items())
    found = evaluate(JUDGMENTS, RUN, f"{worked.name}({inside})@10")
    assert found.values.ravel().tolist() == close([worked.vector[9]])


def test_avg_pos_of_ndcg_2002_formula_6() -> None:
    ndcg = vectors.norm_vect(vectors.dcg(G, base=2), vectors.dcg(vectors.ideal(RECALL_BASE, 10), base=2))
    assert vectors.avg_pos(ndcg, 10) == close(0.803055)
    text = "nDCG(average='ranks')@10"
    assert evaluate(JUDGMENTS, RUN, text, **JK2)["run", text]["q"] == close(0.803055)


def test_avg_pos_of_cg_is_the_mean_of_its_ranks() -> None:
    assert vectors.avg_pos(vectors.cg(G), 4) == (3 + 5 + 8 + 8) / 4
    text = "CG(average='ranks')@4"
    assert evaluate(JUDGMENTS, RUN, text)["run", text]["q"] == (3 + 5 + 8 + 8) / 4


def test_ideal_curves_turn_flat_after_the_recall_base() -> None:
    """2002 section 2.2: CG_I' goes on 19, 19, 19, …, and DCG_I' goes on 11.83, 11.83, …."""
    assert vectors.cg(vectors.ideal(RECALL_BASE, 13)).tolist()[9:] == [19, 19, 19, 19]
    drawn = curves(JUDGMENTS, RUN, ["CG", "DCG"], depth=13, **JK2)
    assert drawn["ideal", "CG"].tolist()[9:] == [19, 19, 19, 19]
    assert drawn["ideal", "DCG"].tolist()[9:] == close([11.833883] * 4)
    assert drawn.stopping.by_topic == {"q": 10}


def test_lists_shorter_than_the_cutoff_are_padded_with_nothing() -> None:
    short = {"q": {"d01": 2.0, "d02": 1.0}}
    scores = evaluate(JUDGMENTS, short, ["CG@10", "nCG@10", "nCG@2"])
    assert [scores["run", m]["q"] for m in ("CG@10", "nCG@10", "nCG@2")] == close([5, 5 / 19, 5 / 6])


def test_normalised_ideal_is_one_at_every_rank() -> None:
    """2002 section 2.3: norm-vect(I, I) = ⟨1, 1, …, 1⟩."""
    best = vectors.dcg(vectors.ideal(RECALL_BASE, 12), base=2)
    assert vectors.norm_vect(best, best).tolist() == [1.0] * 12
    assert curves(JUDGMENTS, RUN, "nDCG", depth=12, **JK2)["ideal", "nDCG"].tolist() == [1.0] * 12


def test_avg_vect_2002_formula_3() -> None:
    assert vectors.avg_vect([[3, 5, 8], [1, 2, 2]]).tolist() == [2, 3.5, 5]


def test_slides_print_the_same_to_two_decimals() -> None:
    """Slides 002: DCG* 7.00 11.42 14.92 16.21 17.37 18.44 18.77 …; NDCG 1.00 0.78 …, rounded half up."""
    exp2 = [2**grade - 1 for grade in G]
    best = vectors.dcg(vectors.ideal(exp2), discount="log").tolist()
    assert best == pytest.approx([7, 11.42, 14.92, 16.21, 17.37, 18.44, 18.77, 18.77, 18.77, 18.77], abs=0.0051)


class TestTextbook:
    """Textbook 003, figure 9.7: grades 1 to 3, nine documents rated 3 in the collection, rank 1 undiscounted."""

    gains = (3, 2, 1, 1, 3, 1, 1, 2, 1, 1)
    judgments: ClassVar = {"q": {f"D{i:02}": g for i, g in enumerate(gains, start=1)} | {f"E{i}": 3 for i in range(7)}}
    run: ClassVar = {"q": [f"D{i:02}" for i in range(1, 11)]}

    def test_by_the_papers_algebra(self) -> None:
        dcg, best = vectors.dcg(self.gains, 2)[9], vectors.dcg(vectors.ideal([3] * 9 + [2, 2, 1], 10), 2)[9]
        assert vectors.cg(self.gains)[9] == 16
        assert [dcg, best, dcg / best] == pytest.approx([9.4492, 15.4625, 0.6111], abs=5.1e-5)

    def test_from_dicts(self) -> None:
        scores = evaluate(self.judgments, self.run, ["CG@10", "DCG@10", "nDCG@10"], discount="jk2002")
        assert scores["run", "CG@10"]["q"] == 16
        assert scores["run", "DCG@10"]["q"] == pytest.approx(9.4492, abs=5.1e-5)
        assert scores["run", "nDCG@10"]["q"] == pytest.approx(0.6111, abs=5.1e-5)
        assert curves(self.judgments, self.run, "DCG", discount="jk2002")["ideal", "DCG"][9] == pytest.approx(
            15.4625, abs=5.1e-5
        )

    def test_a_list_of_gains_may_begin_above_zero(self) -> None:
        """The same figure with grades 0 to 2 whose lowest, "non-relevant", gains 1."""
        lowered = {"q": {document: grade - 1 for document, grade in self.judgments["q"].items()}}
        scores = evaluate(lowered, self.run, ["CG@10", "nDCG@10"], discount="jk2002", gains="1-2-3")
        assert scores["run", "CG@10"]["q"] == 16
        assert scores["run", "nDCG@10"]["q"] == pytest.approx(0.6111, abs=5.1e-5)


@pytest.mark.parametrize(
    ("scheme", "expected"),
    [
        ("identity", [0, 0, 1, 2, 3]),
        ("0-1-10-100", [0, 0, 1, 10, 100]),
        ("0-0.5-1-1.5", [0, 0, 0.5, 1, 1.5]),
        ("binary", [0, 0, 1, 1, 1]),
        ("binary(rel=2)", [0, 0, 0, 1, 1]),
        ("exp2", [0, 0, 1, 3, 7]),
        ({1: 3, 2: 9, 3: 0}, [0, 0, 3, 9, 0]),
        ([0, 1, 10, 100], [0, 0, 1, 10, 100]),
    ],
    ids=str,
)
def test_gain_of_grades_minus_one_to_three(scheme: object, expected: list[float]) -> None:
    assert Gains.of(scheme).of_grades(np.array([-1.0, 0, 1, 2, 3])).tolist() == expected
