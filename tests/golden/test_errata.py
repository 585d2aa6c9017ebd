"""The errata of the source documents (measures.md section 2): the right value, and how far off the printed one is."""

import math

import pytest

from gaincurve import vectors
from gaincurve.verbs.curves import curves

G = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0]
RECALL_BASE = [3, 3, 3, 2, 2, 2, 1, 1, 1, 1]
JUDGMENTS = {"q": {f"d{i}": grade for i, grade in enumerate(G)} | {"x": 1, "y": 1, "z": 1}}
RUN = {"q": [f"d{i}" for i in range(10)]}


def running(terms: list[float]) -> list[float]:
    return [math.fsum(terms[: i + 1]) for i in range(len(terms))]


def half_up(value: float, decimals: int) -> float:
    return math.floor(value * 10**decimals + 0.5) / 10**decimals


class TestAppendix2008:
    """004 appendix, DCG' with b = 4."""

    printed = (3, 4, 5.67, 5.67, 5.67, 6.11, 6.94, 8.14, 9.30, 9.30)
    right = (3, 4.333333, 6.006991, 6.006991, 6.006991, 6.443200, 7.275258, 8.075258, 9.235816, 9.235816)

    def test_right_vector(self) -> None:
        own = running([gain / (1 + math.log(i, 4)) for i, gain in enumerate(G, start=1)])
        assert own == pytest.approx(self.right, abs=5.1e-7)
        assert vectors.dcg(G, 4, "jarvelin2008").tolist() == pytest.approx(self.right, abs=5.1e-7)
        drawn = curves(JUDGMENTS, RUN, "DCG", discount="jarvelin2008", base=4, depth=10)
        assert drawn["run", "DCG"].tolist() == pytest.approx(self.right, abs=5.1e-7)

    def test_printed_vector_differs_from_rank_2_on_by_the_two_slips(self) -> None:
        differences = [p - r for p, r in zip(self.printed, vectors.dcg(G, 4, "jarvelin2008"), strict=True)]
        first, second = 2 / 2 - 2 / 1.5, 3 / 2.5 - 2 / 2.5
        assert differences == pytest.approx([0] + [first] * 6 + [first + second] * 3, abs=0.0051)

    def test_the_two_slips_alone_reproduce_what_is_printed(self) -> None:
        terms = [gain / (1 + math.log(i, 4)) for i, gain in enumerate(G, start=1)]
        terms[1], terms[7] = 2 / 2, 3 / 2.5  # rank 2 added 2/2 for 2/1.5, rank 8 added 3/2.5 for 2/2.5
        assert running(terms) == pytest.approx(self.printed, abs=0.0051)

    def test_formula_as_printed_with_the_last_rank_as_divisor_is_not_what_was_computed(self) -> None:
        """Appendix (2) has log_b i inside the sum over j; by its letter the vector would not even rise."""
        by_letter = [math.fsum(G[:i]) / (1 + math.log(i, 4)) for i in range(1, 11)]
        assert by_letter[4] < by_letter[3] < by_letter[2]
        assert max(abs(a - b) for a, b in zip(by_letter, self.printed, strict=True)) > 1


@pytest.mark.parametrize(("rank", "printed", "right"), [(6, 10.52, 10.5278), (8, 11.21, 11.2174)])
def test_ideal_dcg_of_2002_is_cut_not_rounded(rank: int, printed: float, right: float) -> None:
    for found in (
        vectors.dcg(vectors.ideal(RECALL_BASE, 10), base=2)[rank - 1],
        curves(JUDGMENTS, RUN, "DCG", discount="jk2002", base=2, depth=10)["ideal", "DCG"][rank - 1],
    ):
        assert found == pytest.approx(right, abs=5.1e-5)
        assert half_up(found, 2) != printed
        assert 0.005 < found - printed < 0.01


def test_ideal_dcg_of_2002_is_right_at_its_other_ranks() -> None:
    printed = {1: 3, 2: 6, 3: 7.89, 4: 8.89, 5: 9.75, 7: 10.88, 9: 11.53, 10: 11.83}
    found = vectors.dcg(vectors.ideal(RECALL_BASE, 10), base=2)
    assert {rank: half_up(found[rank - 1], 2) for rank in printed} == printed


def test_dcg_of_2002_is_printed_right() -> None:
    printed = [3, 5, 6.89, 6.89, 6.89, 7.28, 7.99, 8.66, 9.61, 9.61]
    assert [half_up(value, 2) for value in vectors.dcg(G, base=2)] == printed


@pytest.mark.parametrize(("part", "whole", "printed", "right"), [(691, 2772, 25.0, 24.93), (364, 5737, 6.4, 6.34)])
def test_table_1_of_2002_percentages(part: int, whole: int, printed: float, right: float) -> None:
    found = 100 * part / whole
    assert half_up(found, 2) == right
    assert half_up(found, 1) != printed
    assert 0.05 < printed - found < 0.1


A, B, C, D = "1011110001", "0100111011", "1000010001", "0100101000"  # rankings of the slides (002), 1 = relevant


def recall(ranking: str, relevant: int) -> list[float]:
    return [ranking[:k].count("1") / relevant for k in range(1, 11)]


def average_precision(ranking: str, relevant: int) -> float:
    """Precision at each relevant document, over all relevant documents: the slides' alternative 1."""
    hits = [ranking[:k].count("1") / k for k in range(1, 11) if ranking[k - 1] == "1"]
    return math.fsum(hits) / relevant


def test_slides_map_of_system_1() -> None:
    right = (average_precision(A, 6) + average_precision(C, 3)) / 2
    assert [average_precision(A, 6), average_precision(C, 3)] == pytest.approx([0.7750, 0.5444], abs=5.1e-5)
    assert right == pytest.approx(0.6597, abs=5.1e-5)
    assert half_up((0.78 + 0.44) / 2, 2) == 0.61  # what the printed sum would have given
    assert abs(right - 0.66) < 0.005  # so .66 was computed with .54 and only C's value is a slip


def test_slides_map_of_system_2_is_printed_right() -> None:
    assert half_up((average_precision(B, 6) + average_precision(D, 3)) / 2, 2) == 0.48


def test_slides_recall_of_ranking_c_and_b() -> None:
    assert recall(C, 3)[5:9] == pytest.approx([0.6667] * 4, abs=5.1e-5)
    assert all(half_up(value, 2) == 0.67 and 0.005 < value - 0.66 < 0.01 for value in recall(C, 3)[5:9])
    precision = B[:9].count("1") / 9
    assert recall(B, 6)[8] == pytest.approx(0.8333, abs=5.1e-5)
    assert half_up(precision, 2) == 0.56  # printed as recall: it is the precision of that rank


def test_slides_f_measure_is_no_erratum() -> None:
    """The printed recall .26 and precision .94 give F = .4073, but values that round to these give the printed .40."""
    assert pytest.approx(0.4073, abs=5.1e-5) == 2 * 0.26 * 0.94 / (0.26 + 0.94)
    rounded = [(r / 10_000, p / 10_000) for r in range(2550, 2650) for p in range(9350, 9450)]
    assert {(half_up(r, 2), half_up(p, 2)) for r, p in rounded} == {(0.26, 0.94)}
    assert {half_up(2 * r * p / (r + p), 2) for r, p in rounded} == {0.40, 0.41}
