"""The page's engine against Python: the same experiment, the same settings, the same numbers to 1e-12."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from experiments import MEASURES, Case, cases, close
from node import run

import gaincurve
from gaincurve.curve.points import Curves
from gaincurve.model.discount import FORMS
from gaincurve.model.run import Run
from gaincurve.model.scenario import IDEALS, Scenario
from gaincurve.model.scores import Scores
from gaincurve.page.observed.runs import observe
from gaincurve.page.settings import BEYOND, settings_of

CURVES = ("CG", "DCG", "nCG", "nDCG", "P", "R")
WHOLE = ("CG", "DCG", "nCG", "nDCG", "AP", "RR")
BINARY = ("P", "R", "AP", "RR")

BODY = """
return input.map(({ document, settings }) => {
  const observed = gc.observe(document);
  return settings.map((one) => {
    const analysis = new gc.Analysis(observed, one);
    const curves = {};
    const differences = {};
    for (const name of ["CG", "DCG", "nCG", "nDCG", "P", "R"]) {
      curves[name] = gc.curve(observed, one, name, one.depth);
      differences[name] = gc.difference(observed, one, name, one.depth, 0, 1);
    }
    const scores = {};
    for (const name of ["CG", "DCG", "nCG", "nDCG", "P", "R", "AP", "RR"]) {
      scores[name] = [gc.scores(observed, one, name, one.depth)];
      if (name !== "P" && name !== "R") scores[name].push(gc.scores(observed, one, name, null));
    }
    const last = observed.topics.count - 1;
    return {
      scores, curves, differences,
      topic: Object.keys(curves).map((name) => gc.topicCurve(observed, one, name, one.depth, 1, last)),
      effort: ["CG", "DCG"].map((name) => gc.effort(observed, one, name, one.depth, Math.ceil(one.depth / 2))),
      recall: analysis.recallPoints,
      reach: analysis.reach,
    };
  });
});
"""


@dataclass(frozen=True)
class Tried:
    """One experiment under one setting: what the engine found, and what Python did."""

    case: Case
    scenario: Scenario
    rel: float
    answer: Any
    scores: Scores
    whole: Scores
    curves: Curves


@cache
def tried() -> list[Tried]:
    made = list(cases(seed=1, experiments=60, settings=6))
    given = [{"document": case.document, "settings": case.settings} for case in made]
    found = []
    for case, answers in zip(made, run(BODY, given), strict=True):
        for (scenario, _, _), settings, answer in zip(case.tried, case.settings, answers, strict=True):
            found.append(by_python(case, scenario, settings["rel"], answer))
    return found


def by_python(case: Case, scenario: Scenario, rel: float, answer: Any) -> Tried:
    def texts(names: Iterable[str], cutoff: str = "") -> list[str]:
        return [f"{name}(rel={rel!r}){cutoff}" if name in BINARY else f"{name}{cutoff}" for name in names]

    uncut = replace(scenario, depth=None)
    inputs = (case.judgments, case.runs)
    return Tried(
        case=case,
        scenario=scenario,
        rel=rel,
        answer=answer,
        scores=gaincurve.evaluate(*inputs, texts(MEASURES, f"@{scenario.depth}"), scenario=scenario),
        whole=gaincurve.evaluate(*inputs, texts(WHOLE), scenario=uncut),
        curves=gaincurve.curves(*inputs, texts(CURVES), scenario=scenario, per_topic=True),
    )


def test_hundreds_of_settings_are_tried():
    assert len(tried()) >= 300
    assert {one.scenario.discount.name for one in tried()} == set(FORMS)
    refused = {value for choice, value, _ in BEYOND if choice == "ideal"}  # of other tools; the page does not have them
    assert {one.scenario.ideal for one in tried()} == set(IDEALS) - refused


@pytest.mark.parametrize("name", MEASURES)
def test_scores_are_those_of_evaluate(name):
    for one in tried():
        assert close(one.answer["scores"][name][0], one.scores.values[:, MEASURES.index(name)]), one.scenario


@pytest.mark.parametrize("name", WHOLE)
def test_scores_of_whole_lists_are_those_of_evaluate(name):
    for one in tried():
        assert close(one.answer["scores"][name][1], one.whole.values[:, WHOLE.index(name)]), one.scenario


@pytest.mark.parametrize("name", CURVES)
def test_curves_are_those_of_curves(name):
    for one in tried():
        wanted = one.curves.curves[CURVES.index(name)]
        assert close(one.answer["curves"][name]["values"], wanted.values), one.scenario
        assert close(one.answer["curves"][name]["ideal"], wanted.ideal), one.scenario
        topic = one.answer["topic"][CURVES.index(name)]
        assert close(topic["values"], wanted.by_topic[1, -1]), one.scenario


@pytest.mark.parametrize("name", CURVES)
def test_intervals_by_rank_are_those_of_scipy(name):
    from scipy import stats  # noqa: PLC0415 -- a second to import

    for one in tried():
        rows = one.curves.curves[CURVES.index(name)].by_topic
        kept, both = (values[~np.isnan(values).any(axis=1)] for values in (rows[0], rows[0] - rows[1]))
        curve, gaps = one.answer["curves"][name], one.answer["differences"][name]
        ends = ((kept, curve["low"][0], curve["high"][0]), (both, gaps["low"], gaps["high"]))
        for values, low, high in ends:
            if len(values) < 2:
                assert np.isnan([low, high]).all()
                continue
            half = stats.t.ppf(0.975, len(values) - 1) * stats.sem(values, axis=0)
            assert close(low, values.mean(axis=0) - half)
            assert close(high, values.mean(axis=0) + half)
        if len(both):
            assert close(gaps["values"], both.mean(axis=0))


@pytest.mark.parametrize("name", CURVES)
def test_crossings_are_those_of_curves(name):
    met = 0
    for one in tried():
        if one.scenario.missing == "skip":  # there the page compares the topics that both have
            continue
        names = [run_.name for run_ in one.case.runs]
        every = one.curves.crossings(one.curves.names[CURVES.index(name)])
        wanted = [(c.rank, c.ahead, c.behind) for c in every if {c.ahead, c.behind} == set(names[:2])]
        told = one.answer["differences"][name]["crossings"]
        assert [(c["rank"], names[c["ahead"]], names[c["behind"]]) for c in told] == wanted
        met += len(wanted)
    assert met


def test_effort_is_that_of_effort():
    for one in tried()[::2]:
        for name, found in zip(("CG", "DCG"), one.answer["effort"], strict=True):
            rank = -(-one.scenario.depth // 2)
            wanted = gaincurve.effort(one.case.judgments, one.case.runs, name, rank=rank, scenario=one.scenario)
            assert close(found["targets"], wanted.targets)
            assert close(found["needed"], wanted.needed)
            assert found["givers"][0] == "ideal"


def test_precision_by_recall_is_that_of_precision_recall():
    for one in tried():
        wanted = gaincurve.precision_recall(one.case.judgments, one.case.runs, levels=one.rel, scenario=one.scenario)
        assert close(one.answer["recall"], wanted.levels[0].values)


def test_curves_reach_the_depth_or_rank_100_but_no_further_than_lists():
    for one in tried():
        longest = max(int(np.diff(run_.offsets).max()) for run_ in one.case.runs)
        assert one.answer["reach"] == min(longest, max(one.scenario.depth, 100))


def test_lists_cut_to_save_room_are_scored_as_runs_cut_there():
    for case in cases(seed=5, experiments=8, settings=3):
        scenario = case.tried[0][0]
        document = observe(case.judgments, case.runs, scenario, shown=0, reach=7).to_dict()
        cut = [
            Run.of({t: one.ranked(scenario.ties).ranking_of(t)[:7] for t in one.topics}, one.name, "file")
            for one in case.runs
        ]
        body = "return input.settings.map((s) => gc.scores(gc.observe(input.document), s, 'AP', null));"
        found = run(body, {"document": document, "settings": case.settings})
        for (chosen, _, _), settings, answer in zip(case.tried, case.settings, found, strict=True):
            uncut = replace(chosen, depth=None, ties="file")
            wanted = gaincurve.evaluate(case.judgments, cut, f"AP(rel={settings['rel']})", scenario=uncut)
            assert close(answer, wanted.values[:, 0])


def test_worked_numbers_of_the_2002_paper():
    gains = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0]
    judged = {f"d{i}": gain for i, gain in enumerate(gains)} | {"x": 1, "y": 1, "z": 1}  # recall base 3332 2211 11
    judgments = gaincurve.Judgments.of({"q": judged})
    listed = Run.of({"q": [f"d{i}" for i in range(10)]}, "paper")
    found = {}
    for discount, base in (("jk2002", 2), ("log", None)):
        scenario = Scenario().with_choices(discount=discount, base=base, depth=10)
        given = {
            "document": observe(judgments, [listed], scenario).to_dict(),
            "settings": settings_of(scenario, "nDCG", judgments.scale),
        }
        body = """
        const observed = gc.observe(input.document);
        return ["CG", "DCG", "nCG", "nDCG"].map((name) => gc.scores(observed, input.settings, name, 10)[0][0]);
        """
        found[discount] = run(body, given)
    assert found["jk2002"][0] == 16
    assert found["jk2002"][1] == pytest.approx(9.605118, abs=5e-7)
    assert found["jk2002"][2] == pytest.approx(16 / 19, abs=1e-15)
    assert found["jk2002"][3] == pytest.approx(0.811662, abs=5e-7)
    assert found["log"][3] == pytest.approx(0.833613, abs=5e-7)
