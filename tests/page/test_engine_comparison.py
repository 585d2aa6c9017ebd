"""Comparison, leaderboard, verdict, signature and methods of the page's engine: those of compare, word for word."""

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest
from experiments import Case, cases, close
from node import run

import gaincurve
from gaincurve.errors import InputError
from gaincurve.model.comparison import Comparison
from gaincurve.model.discount import Discount
from gaincurve.model.gains import Gains
from gaincurve.model.run import Run
from gaincurve.model.scenario import Scenario
from gaincurve.model.scores import Scores
from gaincurve.page.observed.runs import observe
from gaincurve.page.settings import settings_of
from gaincurve.stats.intervals import t_interval

BODY = """
return input.map(({ document, settings }) => {
  const observed = gc.observe(document);
  return settings.map((one) => {
    const analysis = new gc.Analysis(observed, one);
    const { comparison, leaderboard, verdict, methods, signature } = analysis;
    const told = (standing) => standing && { ...standing, text: gc.standingText(standing) };
    const standings = comparison.pairs.map((pair) => told(pair.standing));
    const own = analysis.signatureOf(analysis.primary.name);
    return { comparison, standings, leaderboard, verdict, methods, signature, own, measure: analysis.measure };
  });
});
"""


@dataclass(frozen=True)
class Tried:
    """One experiment under one setting, with what the engine and what Python says; None where Python refuses."""

    case: Case
    settings: dict[str, Any]
    answer: Any
    scores: Scores
    wanted: Comparison | None


def compared(scores: Scores, baseline: str) -> Comparison | None:
    adjust = "holm" if len(scores.runs) > 2 else None
    try:
        return gaincurve.compare(scores, "t", adjust=adjust, baseline=baseline or None, draws=10)
    except InputError as refused:
        assert refused.slug == "topics-too-few"
        return None


@cache
def tried() -> list[Tried]:
    made = [
        *cases(seed=2, experiments=60, settings=5, shown=50),
        *cases(seed=3, experiments=5, settings=4, topics=60, runs=8, shown=50),
    ]
    given = [{"document": case.document, "settings": case.settings} for case in made]
    found = []
    for case, answers in zip(made, run(BODY, given), strict=True):
        for (scenario, measure, baseline), settings, answer in zip(case.tried, case.settings, answers, strict=True):
            uncut = Scenario(**{**vars(scenario), "depth": None})
            scores = gaincurve.evaluate(case.judgments, case.runs, measure, scenario=uncut)
            found.append(Tried(case, settings, answer, scores, compared(scores, baseline)))
    return found


def test_signatures_are_those_of_evaluate():
    for one in tried():
        assert one.answer["own"] == one.scores.signatures[0]
        assert one.answer["measure"] == one.scores.measures[0]


def shown(case: Case, text: str) -> str:
    """Python's sentence with labels in place of names that are too long for one."""
    for told in case.document["runs"]:
        text = text.replace(told["name"], told["label"]) if told["name"] != told["label"] else text
    return text


def test_pairs_order_letters_and_words_are_those_of_compare():
    kinds = set()
    for one in tried():
        names = [run_["name"] for run_ in one.case.document["runs"]]
        found = one.answer["comparison"]
        if one.wanted is None:
            assert len(found["topics"]) < 2
            assert not any(pair["significant"] for pair in found["pairs"])
            continue
        family = one.wanted.families[0]
        assert sorted(one.case.document["topics"]["ids"][t] for t in found["topics"]) == list(family.topics)
        assert found["means"] == pytest.approx(family.means, rel=1e-14, abs=1e-14)
        assert found["order"] == family.best_first
        assert found["groups"] == list(family.groups)
        assert len(found["pairs"]) == len(family.pairs)
        for pair, wanted in zip(found["pairs"], family.pairs, strict=True):
            assert (names[pair["a"]], names[pair["b"]]) == (wanted.a, wanted.b)
            keys = ("mean_a", "mean_b", "difference", "low", "high", "p", "p_adjusted", "effect")
            assert close([pair[key] for key in keys], [getattr(wanted, key) for key in keys]), (pair, wanted)
            same = ("significant", "wins", "ties", "losses")
            assert [pair[key] for key in same] == [getattr(wanted, key) for key in same]
            assert (names[pair["better"]] if pair["better"] >= 0 else "") == wanted.better
        for standing, wanted in zip(one.answer["standings"], family.pairs, strict=True):
            assert wanted.standing is not None
            numbers = ("depth", "judged_a", "judged_b", "low", "high", "p")
            assert close([standing[key] for key in numbers], [getattr(wanted.standing, key) for key in numbers]), wanted
            assert standing["certain"] == wanted.standing.certain
            assert standing["decided_by_ties"] == wanted.standing.decided_by_ties
            assert standing["text"] == wanted.standing.text
        assert one.answer["verdict"] == shown(one.case, family.words)
        assert one.answer["methods"] == family.methods
        assert one.answer["signature"] == family.signature
        kinds.add((len(family.runs) == 2, bool(one.wanted.baseline), any(p.significant for p in family.pairs)))
    assert len(kinds) == 8, "two runs and more, with baseline and without, significant and not"


def test_the_leaderboard_goes_from_best_to_worst_with_the_interval_of_each_mean():
    for one in tried():
        if one.wanted is None:
            continue
        family = one.wanted.families[0]
        reference = one.settings["baseline"] or family.runs[family.best_first[0]]
        for place, (row, r) in enumerate(zip(one.answer["leaderboard"], family.best_first, strict=True), start=1):
            assert (row["place"], row["run"]) == (place, r)
            assert row["letters"] == (family.groups[r] if family.groups else "")
            assert close([row["low"], row["high"]], t_interval(family.scores[:, r]))
            if family.runs[r] == reference:
                assert row["against"] is None
                continue
            pair = one.wanted[family.measure, family.runs[r], reference]
            sign = 1 if pair.a == family.runs[r] else -1
            assert close(row["against"]["difference"], sign * pair.difference)
            assert close([row["against"]["low"], row["against"]["high"]], sorted([sign * pair.low, sign * pair.high]))
            assert (row["against"]["wins"], row["against"]["losses"]) == (pair.wins, pair.losses)[::sign]
            assert row["against"]["p_adjusted"] == pytest.approx(pair.p_adjusted, abs=1e-12)


def verdicts(judged: dict[str, dict[str, int]], lists: dict[str, dict[str, list[str]]], baseline: str = "") -> Any:
    judgments = gaincurve.Judgments.of(judged)
    runs = [Run.of(one, name) for name, one in lists.items()]
    scenario = Scenario(depth=2)
    given = {
        "document": observe(judgments, runs, scenario).to_dict(),
        "settings": settings_of(scenario, "P", judgments.scale, baseline),
    }
    body = """
    const analysis = new gc.Analysis(gc.observe(input.document), input.settings);
    return [analysis.verdict, analysis.comparison];
    """
    return run(body, given)


def test_a_constant_shift_is_answered_by_sign_flips():
    topics = [f"t{i}" for i in range(9)]
    judged = {t: {"r": 1, "n": 0} for t in topics}
    lists = {"a": {t: ["r", "x"] for t in topics}, "b": {t: ["x", "n"] for t in topics}}
    words, comparison = verdicts(judged, lists)
    assert comparison["pairs"][0]["p"] == 2**-8
    assert comparison["pairs"][0]["replaced"]
    scores = gaincurve.evaluate(judged, lists, "P@2")
    assert words == gaincurve.compare(scores, "t").sentences()[0]


def test_equal_runs_have_the_same_mean_and_go_by_name():
    topics = [f"t{i}" for i in range(4)]
    judged = {t: {"r": 1, "n": 0} for t in topics}
    lists = {name: {t: ["r", "x"] for t in topics} for name in ("𝔘", "\uffee", "b")}
    words, comparison = verdicts(judged, lists)
    assert words == "On P@2 all runs have the same mean."
    assert comparison["order"] == [2, 1, 0]
    assert comparison["groups"] == ["a", "a", "a"]


def test_one_run_and_too_few_topics_have_a_verdict_too():
    judged = {"t": {"r": 1, "n": 0}, "u": {"r": 1}}
    lists = {"only": {"t": ["r"], "u": ["x", "r", "r2"]}}
    alone = verdicts(judged, lists)[0]
    assert "scores 0.5000 (95% interval 0.5000 to 0.5000) over 2 topics" in alone
    written = gaincurve.report(judged, lists, measure="P@2").page.verdict
    assert alone == written
    one = {"a": {"t": ["x"]}, "b": {"t": ["r"]}, "c": {"t": ["x"]}}
    few = verdicts({"t": {"r": 1}}, one)[0]
    assert few == "On P@2 b is ahead of a by 0.5000; one topic: no test."
    assert gaincurve.report({"t": {"r": 1}}, one, measure="P@2").page.verdict == few
    level = {"a": {"t": ["x"]}, "b": {"t": ["x"]}}
    few = verdicts({"t": {"r": 1}}, level)[0]
    assert few == "On P@2 a and b have the same value; one topic: no test."
    assert gaincurve.report({"t": {"r": 1}}, level, measure="P@2").page.verdict == few


def test_gains_are_written_and_read_as_python_writes_and_reads_them():
    scales = ([0, 1, 2, 3], [0, 0.5, 2], [-1, 0, 1], [1, 2], [2, 5], [-2, 0], [0])
    texts = ("identity", "exp2", "binary", "binary(rel=2)", "binary:0.5", "0-1-10-100", "0-0.5-0.00001-3", "1=3,2=9",
             "0.5=1,2=4", "-1=2,1=3", "", "0-1-x", "1=,2=3", "7", "0-1--2", "0=-1,1=2,2=3,3=4")  # fmt: skip
    found = run(
        "return input[0].map((scale) => input[1].map((text) => {"
        "const gains = gc.parseGains(scale, text); return [gains, gains && gc.gainsText(scale, gains)]; }));",
        [scales, texts],
    )
    read = 0
    for scale, answers in zip(scales, found, strict=True):
        for text, (gains, written) in zip(texts, answers, strict=True):
            wanted = python_gains(text, scale)
            assert (gains is None) == (wanted is None), (text, scale)
            if gains is not None:
                assert gains == wanted
                assert python_gains(written, scale) == wanted
                assert Gains.of(written).text == written
                read += 1
    assert read > 30


def test_signatures_write_one_function_as_python_does():
    scales = ([0, 1, 2, 3], [0, 0.5, 2], [-1, 0, 1], [1, 2], [2, 5], [-2, 0], [0])
    texts = ("identity", "exp2", "binary", "0-1-1-1-1", "1=1,2=1,3=1,5=1,0.5=1", "binary(rel=2)", "0-0-1-1", "0-1-2-3",
             "0-1-3-7", "0-1-10-100", "1=3,2=9,5=1", "-1=2,1=3", "1-1-1-1", "0.5=1,2=4", "1=1e61",
             "1=1e-61")  # fmt: skip
    discounts = [
        ("log", None), ("kanoulas2011", 2), ("kanoulas2011", 3), ("jk2002", "inf"), ("jk2002", 2), ("none", None),
    ]  # fmt: skip
    answers, written = run(
        "return [input[0].map((scale) => input[1].map((text) => {"
        "const gains = gc.parseGains(scale, text); return gains && gc.canonicalGains(scale, gains); })),"
        "input[2].map(([discount, base]) => gc.canonicalDiscount({ discount, base }))];",
        [scales, texts, discounts],
    )
    for scale, answer in zip(scales, answers, strict=True):
        for text, canonical in zip(texts, answer, strict=True):
            if python_gains(text, scale) is None:
                assert canonical is None
            else:
                assert canonical == str(Gains.of(text).on(np.array(scale, dtype=float))), (text, scale)
    assert written == [str(Discount.of(name, base).canonical) for name, base in discounts]
    assert sum(text is not None for answer in answers for text in answer) > 40


def python_gains(text: str, scale: list[float]) -> list[float] | None:
    try:
        found = Gains.of(text).of_grades(gaincurve.Judgments.of({"q": {str(g): g for g in scale}}).scale).tolist()
    except gaincurve.ChoiceError:
        return None
    return None if any(map(math.isnan, found)) else found
