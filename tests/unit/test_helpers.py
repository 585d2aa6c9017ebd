"""Small things that many modules lean on: numbers as they come, rows in groups, the first problems of many."""

import math

import numpy as np
import pytest

from gaincurve.errors import MOST_PROBLEMS, InputError, Problem, Problems
from gaincurve.model.groups import owners, spans, spread, take
from gaincurve.model.numbers import finite_number, whole_number


@pytest.mark.parametrize(
    ("given", "number"),
    [("12", 12), (" -3 ", -3), (np.int32(7), 7), (True, None), (2.0, None), ("2.0", None), (None, None), ("", None)],
)
def test_whole_numbers(given: object, number: int | None) -> None:
    assert whole_number(given) == number


@pytest.mark.parametrize("given", ["nan", "inf", -math.inf, 10**400, "x", None, [1]])
def test_what_is_not_finite_is_nan(given: object) -> None:
    assert math.isnan(finite_number(given))


def test_finite_numbers() -> None:
    assert [finite_number(given) for given in ("1e3", 2, np.float32(0.5))] == [1000.0, 2.0, 0.5]


def test_groups() -> None:
    assert owners(np.array([2, 0, 3])).tolist() == [0, 0, 2, 2, 2]
    assert spans(np.array([5, 0, 9]), np.array([2, 0, 3])).tolist() == [5, 6, 9, 10, 11]
    assert spread(np.array([7, 8]), np.array([0, 2]), 5).tolist() == [7, 7, 8, 8, 8]
    assert take(None, np.array([0])) is None
    chosen = take(np.array([4, 5, 6]), np.array([2, 0]))
    assert chosen is not None
    assert chosen.tolist() == [6, 4]


def test_the_first_problems_are_worded_and_the_others_counted() -> None:
    worded: list[int] = []

    def problem(number: int) -> Problem:
        worded.append(number)
        return Problem("input-table", f"row {number}")

    error = InputError.each(range(MOST_PROBLEMS + 3), problem)
    assert (len(error.problems), error.more, len(worded)) == (MOST_PROBLEMS, 3, MOST_PROBLEMS)
    problems = Problems()
    problems.stop_if_any()
    problems.add(problem(0))
    problems.each(range(MOST_PROBLEMS + 1), problem)
    problems.add(problem(1))
    with pytest.raises(InputError) as stopped:
        problems.stop_if_any()
    assert (len(stopped.value.problems), stopped.value.more) == (MOST_PROBLEMS, 3)
