"""Sums that no order changes: against fractions, and the same however rows are dealt."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats as scipy_stats

from gaincurve.model.exact import ColumnSums, exact_parts, exact_rows, squares
from gaincurve.stats.moments import Moments
from gaincurve.stats.paired import paired_t_of
from gaincurve.stats.signflip import reached_by, sign_flip, sign_sums


def numbers(rows: int, columns: int = 3) -> np.ndarray:
    draw = np.random.default_rng(rows)
    return draw.normal(size=(rows, columns)) * 10.0 ** draw.integers(-12, 12, (rows, columns))


@pytest.mark.parametrize("rows", [0, 1, 3, 100, 4096, 9001])
def test_parts_add_up_to_the_sum_of_fractions(rows: int) -> None:
    matrix = numbers(rows)
    parts = exact_rows(matrix)
    for column in range(3):
        assert sum(map(Fraction, parts[:, column].tolist()), Fraction(0)) == sum(
            map(Fraction, matrix[:, column].tolist()), Fraction(0)
        )
    assert len(parts) <= 6


def test_what_is_not_finite_is_added_as_it_is() -> None:
    assert exact_parts(np.array([1.0, math.inf])) == [math.inf]
    assert math.isnan(exact_parts(np.array([1.0, math.nan]))[0])
    assert exact_parts(np.array([1e308, 1e308])) == [math.inf]


def test_squares_are_exact_in_two_parts() -> None:
    values = np.random.default_rng(3).random(500)
    for value, *parts in zip(values.tolist(), *(part.tolist() for part in squares(values)), strict=True):
        assert sum(map(Fraction, parts)) == Fraction(value) ** 2


def test_means_of_columns_leave_out_rows_with_nan_and_may_be_put_together() -> None:
    matrix = numbers(200)
    matrix[7, 1] = math.nan
    whole = ColumnSums.of(matrix)
    cut = ColumnSums.of(matrix[:50]) + ColumnSums.of(matrix[50:])
    assert whole.count == cut.count == 199
    expected = [math.fsum(np.delete(column, 7)) / 199 for column in matrix.T]
    assert whole.means.tolist() == cut.means.tolist() == expected
    assert np.isnan(ColumnSums.of(matrix[7:8]).means).all()


@pytest.mark.parametrize("cut", [1, 17, 60])
def test_moments_put_together_give_the_t_of_all_topics(cut: int) -> None:
    differences = np.random.default_rng(5).normal(0.05, 0.2, (4, 61))
    whole, both = Moments.of(differences), Moments.of(differences[:, :cut]) + Moments.of(differences[:, cut:])
    assert whole.spread.tolist() == both.spread.tolist()
    assert [part.tolist() for part in paired_t_of(whole)] == [part.tolist() for part in paired_t_of(both)]
    expected = scipy_stats.ttest_1samp(differences, 0, axis=1)
    assert paired_t_of(both).p == pytest.approx(expected.pvalue, rel=1e-12)
    assert both.spread == pytest.approx(differences.std(axis=1, ddof=1), rel=1e-14)


@pytest.mark.parametrize("cuts", [(0, 700), (0, 10, 333, 700), (0, 64, 128, 700)], ids=str)
def test_sign_sums_of_parts_are_those_of_the_whole(cuts: tuple[int, ...]) -> None:
    """A part gives its topics the signs that they have among all: the p of sign_flip, whatever the parts."""
    differences = np.random.default_rng(8).normal(0.01, 0.2, (2, 700))
    draws, seed = 3000, 4
    spans = list(pairwise(cuts))
    sums = sum(sign_sums(differences[:, start:end], draws, seed, start, 700) for start, end in spans)
    reached = reached_by(np.asarray(sums), differences.sum(axis=1), np.abs(differences).sum(axis=1))
    assert ((1 + reached) / (1 + draws)).tolist() == sign_flip(differences, draws, seed).p.tolist()
