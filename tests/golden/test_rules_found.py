"""The rule behind a number: every scenario is recognised by its number, and nothing is explained by chance."""

from __future__ import annotations

import math

import pytest
from helpers.tool_cases import CASES

import gaincurve as gc
from gaincurve.model.scenario import SCENARIOS
from gaincurve.verbs.why import Theirs

CASE = CASES["deep"]
SHORT = CASES["k above n"]
PARTIAL = {"q1": {"a": 3, "b": 2, "c": 2, "d": 1}, "q2": {"e": 2, "f": 1}}
HITS = {"q1": {"b": 9.0, "x": 8.0, "a": 7.0}, "q2": {"f": 5.0, "e": 4.0}}


def test_the_rule_of_elasticsearch_is_recognised() -> None:
    """By hand: gains 3, 7 at ranks 1, 3 of q1, whose ideal is 7, 3, 3 after three hits; 1, 3 against 3, 1 in q2."""
    third = 1 / math.log2(3)
    q1 = (3 + 7 / 2) / (7 + 3 * third + 3 / 2)
    q2 = (1 + 3 * third) / (3 + third)
    found = gc.why_different(PARTIAL, HITS, f"{(q1 + q2) / 2:.4f}")
    assert found.reasons[0].tools == ("elasticsearch",)
    assert found.reasons[0].changes == ("gains exp2", "ideal capped")
    assert "is the rule of elasticsearch: gains exp2; ideal capped (as judged, but no longer" in found.sentence


@pytest.mark.parametrize("name", ["elasticsearch", "quepid-8.6", "quepid-cut", "sklearn", "lightgbm", "spark-4"])
def test_every_scenario_is_found_by_its_number(name: str) -> None:
    theirs = gc.evaluate(PARTIAL, HITS, "nDCG@10", scenario=name).summary()["run"]["nDCG@10"]
    found = gc.why_different(PARTIAL, HITS, f"{theirs:.6f}")
    tools = [any(SCENARIOS[tool].prints for tool in reason.tools) for reason in found.reasons]
    order = [(not tool, len(reason.changes)) for tool, reason in zip(tools, found.reasons, strict=True)]
    assert name in found.reasons[0].tools
    assert order == sorted(order)


def test_few_digits_fit_many_rules_and_the_sentence_says_so() -> None:
    """One digit, which many numbers round to: a tool's rule is named first, and the others are counted."""
    qrels, run = PARTIAL | {"q3": {"h": 0}}, HITS | {"q3": {"h": 1.0}}
    theirs = gc.evaluate(qrels, {"run": run}, "nDCG@10", scenario="elasticsearch").summary()["run"]["nDCG@10"]
    found = gc.why_different(qrels, run, f"{theirs:.1f}")
    values = {round(reason.value, 9) for reason in found.reasons}
    others = sum(abs(reason.value - found.reasons[0].value) > 1e-9 for reason in found.reasons)
    assert len(values) > 1
    assert any(SCENARIOS[tool].prints for tool in found.reasons[0].tools)
    assert f" may be the rule of {found.reasons[0].tools[0]}" in found.sentence
    assert f"; {others} other explanation" in found.sentence
    assert found.sentence.endswith(f"{theirs:.1f} as well: more digits or a second run would decide")


def test_a_share_given_without_its_sign_is_refused() -> None:
    with pytest.raises(gc.GaincurveError, match=r"nDCG@10 is at most 1, and 71\.11 is above"):
        gc.why_different(PARTIAL, HITS, "71.11")
    assert gc.why_different(PARTIAL, HITS, "71.11%").reasons[0].tools == ("elasticsearch",)


@pytest.mark.parametrize(
    ("choices", "change"),
    [
        ({"gains": "exp2"}, "gains exp2"),
        ({"discount": "jk2002", "base": 2}, "discount jk2002(base=2)"),
        ({"unjudged": "condensed"}, "unjudged condensed"),
    ],
)
def test_one_choice_is_found(choices: dict[str, object], change: str) -> None:
    theirs = gc.evaluate(CASE.qrels, CASE.run, "nDCG@25", **choices).summary()["run"]["nDCG@25"]
    found = gc.why_different(CASE.qrels, CASE.run, f"{theirs:.8f}", "nDCG@25")
    assert found.reasons[0].changes == (change,)


def test_a_missing_topic_and_another_cutoff_are_found() -> None:
    missing = CASES["missing"]
    skipped = gc.evaluate(missing.qrels, missing.run, "nDCG@3", missing="skip").summary()["run"]["nDCG@3"]
    assert ("missing skip",) in [
        r.changes for r in gc.why_different(missing.qrels, missing.run, skipped, "nDCG@3").reasons
    ]
    other = gc.evaluate(CASE.qrels, CASE.run, "P@5").summary()["run"]["P@5"]
    assert ("cutoff 5",) in [r.changes for r in gc.why_different(CASE.qrels, CASE.run, f"{other:.4f}", "P@25").reasons]


def test_choices_in_the_measure_are_choices() -> None:
    plain = gc.evaluate(CASE.qrels, CASE.run, "nDCG@25").summary()["run"]["nDCG@25"]
    found = gc.why_different(CASE.qrels, CASE.run, plain, "nDCG(gains='exp2')@25")
    assert found.reasons[0].changes == ("gains identity",)


def test_numbers_as_they_are_printed() -> None:
    assert Theirs.of("0.50").fits(0.4951)
    assert not Theirs.of("0.500").fits(0.4951)
    assert Theirs.of("68.87%").fits(0.68874)
    assert not Theirs.of("68.87%").fits(0.68876)
    assert Theirs.of("5e-1").fits(0.54)
    for text in ("good", "nan", ""):
        with pytest.raises(gc.GaincurveError, match="is not a number"):
            Theirs.of(text)


def test_no_reason_and_no_difference_are_said() -> None:
    same = gc.why_different(PARTIAL, HITS, "0.7373")
    assert same.agree
    assert "nothing to explain" in same.sentence
    none = gc.why_different(PARTIAL, HITS, "0.12345")
    assert none.reasons == ()
    assert "nothing that was tried gives 0.12345" in none.sentence
    assert none.tried > 300
    tied = CASES["ties"]
    assert "lightgbm" in gc.why_different(tied.qrels, tied.run, "0.12345", "nDCG@2").refused
