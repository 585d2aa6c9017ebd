"""One function, one signature: however gains and discounts are written, what gives the same numbers signs alike."""

import numpy as np
import pytest

import gaincurve as gc
from gaincurve.model.discount import Discount
from gaincurve.model.gains import Gains

JUDGMENTS = {"q": {"a": 3, "b": 1, "c": 0, "d": 2}}
RUN = {"q": ["c", "a", "b"]}
ALIKE = [
    ("binary", "0-1-1-1", "0-1-1-1-1", "1=1,2=1,3=1", "binary(rel=0.5)"),
    ("identity", "0-1-2-3", "0-1-2-3-9", "1=1,2=2,3=3,7=2"),
    ("exp2", "0-1-3-7", "1=1,2=3,3=7"),
    ("binary(rel=2)", "0-0-1-1", "binary:2", "binary(rel=1.5)"),
    ("0-1-10-100", "1=1,2=10,3=100", "0-1-10-100-1000"),
    ("binary(rel=0)", "1-1-1-1"),
    ("1-2-3-4", "0=1,1=2,2=3,3=4"),
]


@pytest.mark.parametrize("ways", ALIKE, ids=lambda ways: ways[0])
def test_gains_of_one_function_sign_alike(ways: tuple[str, ...]) -> None:
    as_option = {str(gc.evaluate(JUDGMENTS, RUN, "nDCG@3", gains=way).signatures[0]) for way in ways}
    in_brackets = {str(gc.evaluate(JUDGMENTS, RUN, f"nDCG(gains={way!r})@3").signatures[0]) for way in ways}
    curves = {str(gc.curves(JUDGMENTS, RUN, "nDCG", depth=3, gains=way).curves[0].signature) for way in ways}
    assert {len(as_option), len(in_brackets), len(curves)} == {1}
    for text in (*as_option, *in_brackets, *curves):
        assert f"|gain:{ways[0]}|" in text
    assert in_brackets.pop().startswith(f"nDCG(gains='{ways[0]}')@3|")
    assert len({gc.evaluate(JUDGMENTS, RUN, "nDCG@3", gains=way).values.tobytes() for way in ways}) == 1


def test_different_functions_sign_differently() -> None:
    scale = np.array([0.0, 1, 2, 3])
    texts = [str(Gains.of(ways[0]).on(scale)) for ways in ALIKE]
    assert texts == [ways[0] for ways in ALIKE]


@pytest.mark.parametrize("scale", [[0, 1, 2, 3], [-2, 0, 1, 4], [0.5, 1, 2.5], [0], [1, 2], [-1, 0], [2, 7]])
def test_the_text_is_the_same_function_on_the_scale(scale: list[float]) -> None:
    grades = np.array(scale, dtype=np.float64)
    draw = np.random.default_rng(5)
    for _ in range(300):
        table = dict(zip(scale, draw.choice([0, 0, 1, 1, 2, 3, 7, 0.25], len(scale)).tolist(), strict=True))
        gains = Gains.of(table)
        written = gains.on(grades)
        again = Gains.of(str(written))
        assert again.of_grades(grades).tolist() == gains.of_grades(grades).tolist()
        assert again.on(grades) == written


@pytest.mark.parametrize(("written", "same"), [
    (("kanoulas2011", 2), ("log", None)), (("jk2002", "inf"), ("none", None)),
    (("jarvelin2008", "inf"), ("none", None)), (("kanoulas2011", "inf"), ("none", None)),
])  # fmt: skip
def test_discounts_of_one_function_sign_alike(written: tuple[str, object], same: tuple[str, object]) -> None:
    one, other = Discount.of(*written), Discount.of(*same)
    assert one.divisors(500).tolist() == other.divisors(500).tolist()
    signatures = [
        gc.evaluate(JUDGMENTS, RUN, "nDCG@3", discount=name, base=base).signatures[0] for name, base in (written, same)
    ]
    assert signatures[0] == signatures[1]
    assert Discount.of("jk2002", 2).canonical == Discount.of("jk2002", 2)
