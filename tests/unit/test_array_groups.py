"""Documents with the list each belongs to: the same numbers as list by list, whatever the order of the rows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import gaincurve as gc
from gaincurve.errors import GaincurveError

SCORES = [3.0, 2.0, 1.0, 5.0, 4.0]
GRADES = [0, 2, 1, 1, 3]
GROUPS = ["b", "b", "b", "a", "a"]


def by_hand() -> dict[str, float]:
    """nDCG@2 of both lists from the formula: b: (2/log2 3)/(2 + 1/log2 3), a: (1 + 3/log2 3)/(3 + 1/log2 3)."""
    second = 1 / np.log2(3)
    return {"b": 2 * second / (2 + second), "a": (1 + 3 * second) / (3 + second)}


def test_lists_by_name_and_by_size() -> None:
    named = gc.evaluate_arrays(SCORES, GRADES, "nDCG@2", groups=GROUPS)
    assert dict(named["run", "nDCG@2"].items()) == pytest.approx(by_hand(), abs=1e-15)
    sized = gc.evaluate_arrays(SCORES, GRADES, "nDCG@2", sizes=[3, 2])
    assert [name for name, _ in sized["run", "nDCG@2"].items()] == ["0", "1"]
    assert sized.values.tolist() == named.values.tolist()


def test_rows_may_come_in_any_order() -> None:
    order = np.random.default_rng(3).permutation(5)
    mixed = gc.evaluate_arrays(
        *(np.array(x)[order] for x in (SCORES, GRADES)), "nDCG@2", groups=np.array(GROUPS)[order]
    )
    assert dict(mixed["run", "nDCG@2"].items()) == pytest.approx(by_hand(), abs=1e-15)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"groups": GROUPS, "sizes": [3, 2]}, "give one of them"),
        ({"groups": GROUPS[:4]}, "list of each of the 5 documents"),
        ({"groups": [0.5] * 5}, "by text or whole number"),
        ({"sizes": [3, 3]}, "add up to 6, but there are 5"),
        ({"sizes": [5, 0]}, "whole numbers from 1 on"),
        ({"sizes": [2.5, 2.5]}, "whole numbers from 1 on"),
    ],
)
def test_groups_that_do_not_fit_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(GaincurveError, match=message):
        gc.evaluate_arrays(SCORES, GRADES, "nDCG@2", **given)


def test_a_matrix_has_no_groups() -> None:
    with pytest.raises(GaincurveError, match="one vector"):
        gc.evaluate_arrays([SCORES, SCORES], [GRADES, GRADES], "nDCG@2", groups=GROUPS)


def test_padding_by_label_is_named_or_refused() -> None:
    logits, labels = [[0.2, 0.9, 0.4], [0.1, 0.8, 9.9]], [[3, 0, 1], [0, 2, -1]]
    plain = gc.evaluate_arrays([0.2, 0.9, 0.4, 0.1, 0.8], [3, 0, 1, 0, 2], "nDCG@10", sizes=[3, 2])
    assert gc.evaluate_arrays(logits, labels, "nDCG@10", padding=-1).summary() == plain.summary()
    with pytest.raises(gc.GaincurveError, match="at the end of its row") as error:
        gc.evaluate_arrays(logits, labels, "nDCG@10")
    assert error.value.problems[0].slug == "arrays-padding"
    judged = gc.evaluate_arrays(logits, labels, "nDCG@10", negative="judged")["run", "nDCG@10"]["1"]
    assert judged == pytest.approx(1 / math.log2(3), abs=1e-12)  # a document that is not relevant stands first
    within = gc.evaluate_arrays(logits, [[3, -1, 1], [0, -1, 2]], "nDCG@10")  # −1 before other grades is a grade
    assert within["run", "nDCG@10"]["1"] == 1
