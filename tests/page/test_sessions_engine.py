"""Sessions in the page's engine: the same numbers as Python for any choice, and those of the 2008 paper."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from typing import Any

import beside
import node
import numpy as np
import pytest

from gaincurve.files.experiment import read_experiment
from gaincurve.files.reading import Reading, SessionReading
from gaincurve.measures.notation import parse_measures
from gaincurve.model.discount import Discount
from gaincurve.model.gains import Gains
from gaincurve.model.judgments import Judgments
from gaincurve.model.scenario import Scenario, session_scenario
from gaincurve.model.sessions.log import grade_log
from gaincurve.model.sessions.objects import sessions_from_records
from gaincurve.page.observed.sessions import observe_sessions, session_settings
from gaincurve.verbs.compare import compare
from gaincurve.verbs.experiment import Experiment
from gaincurve.verbs.sessions.curves import draw_sessions
from gaincurve.verbs.sessions.evaluate import score_sessions
from gaincurve.verbs.sessions.experiment import session_experiment

BODY = """
return input.map(({ document, cases, baseline }) => {
  const observed = gc.observeSessions(document);
  return cases.map((settings) => {
    const nsDCG = new gc.SessionAnalysis(observed, settings, { baseline });
    const sDCG = new gc.SessionAnalysis(observed, settings, { shown: "sDCG" });
    const { scores, last, positions, comparison, told } = nsDCG;
    const signatures = ["sDCG", "nsDCG"].map((name) => nsDCG.signature(name));
    return { scores, sDCG: sDCG.curve, nsDCG: nsDCG.curve, last, positions, comparison, told, signatures };
  });
});
"""
FORMS = ("none", "rank", "jk2002", "jarvelin2008", "log", "kanoulas2011")
BASED = ("jk2002", "jarvelin2008", "kanoulas2011")
GAINS = ("identity", "exp2", "0-1-10-100", "0-0-0-1", "binary", "1=3,2=1,3=7")
POOL = [f"d{i}" for i in range(40)]
TOPICS = ("a", "b", "c", "nothing relevant", "not judged")


def close(found: Any, expected: Any, what: str) -> None:
    """Equal to 1e-12, relative to values above 1, and undefined together."""
    ours, theirs = np.asarray(found, dtype=np.float64), np.asarray(expected, dtype=np.float64)
    assert ours.shape == theirs.shape, what
    assert (np.isnan(ours) == np.isnan(theirs)).all(), what
    worst = np.nan_to_num(np.abs(ours - theirs) / np.maximum(1.0, np.abs(theirs))).max(initial=0.0)
    assert worst <= 1e-12, f"{what}: {worst}"


def judged(chance: np.random.Generator) -> Judgments:
    """Three topics whose documents overlap, and one with nothing to gain; a few grades are negative."""
    grades: dict[str, dict[str, int]] = {
        topic: dict(zip(POOL[start : start + 20], chance.choice([-1, 0, 0, 1, 2, 3], 20).tolist(), strict=True))
        for start, topic in enumerate(TOPICS[:3])
    }
    grades[TOPICS[0]] |= dict(zip(POOL[:5], (-1, 0, 1, 2, 3), strict=True))  # every grade is used
    return Judgments.of({**grades, TOPICS[3]: dict.fromkeys(POOL[:4], 0)})


def made_up(seed: int, scenario: Scenario, shared: bool, repeated: bool = False) -> Experiment:
    """Three systems on the same sessions, or each on its own; some lists are empty, some depths and clicks known.

    `repeated`: lists may hold a document twice, and keep it as it was seen.
    """
    chance, asked = np.random.default_rng(seed), np.random.default_rng(seed + 1000)
    judgments = replace(judged(chance), origin="mean(judges=3)" if seed % 2 else None)
    plan = [int(asked.integers(1, 7)) for _ in range(14)]
    logs = []
    for name in ("one", "two", "three"):
        records = []
        for s, queries in enumerate(plan if shared else [int(asked.integers(1, 7)) for _ in plan]):
            for q in range(1, queries + 1):
                size = int(chance.integers(0, 15)) if chance.random() < 0.8 else 0
                ranking = chance.choice(POOL, size, replace=repeated).tolist()
                record: dict[str, Any] = {"session": f"s{s}" if shared else f"{name} {s}", "query": q}
                record |= {"topic": TOPICS[s % len(TOPICS)], "ranking": ranking}
                if chance.random() < 0.7:
                    record["depth"] = int(chance.integers(0, 13))
                if size and chance.random() < 0.7:
                    record["clicks"] = chance.integers(1, size + 1, 2).tolist()
                records.append(record)
        logs.append(sessions_from_records(records, name, duplicates="seen" if repeated else "error"))
    return session_experiment(judgments, [grade_log(judgments, log) for log in logs], scenario)


def some_rules(chance: random.Random) -> dict[str, str]:
    """Rules that stay as the page was written."""
    found = {
        "rank_scope": chance.choice(["query", "session"]),
        "ideal": chance.choice(["repeat", "spread", "bound"]),
        "horizon": chance.choice(["own", "own", "longest", "8", "3"]),
        "pad": chance.choice(["x", "none", "min:3"]),
        "scan": chance.choice(["top", "top", "observed", "clicks"]),
        "empty_lists": chance.choice(["count", "skip"]),
        "repeats": chance.choice(["count", "first"]),
        "average": chance.choice(["mean-of-ratios", "ratio-of-means"]),
        "empty": chance.choice(["undefined", "zero"]),
        "missing": chance.choice(["zero", "skip"]),
    }
    if found["ideal"] == "repeat" and chance.random() < 0.5:
        found["normalise"] = "per_query"
    if found["scan"] == "top" and chance.random() < 0.3:
        found["unjudged"] = "condensed"
    return found


def some_choices(chance: random.Random, gains: tuple[str, ...] = GAINS) -> dict[str, object]:
    """What the controls of the page and of the panel can be set to."""
    found: dict[str, object] = {"depth": chance.randint(1, 14), "gains": chance.choice(gains)}
    for form, base in (("discount", "base"), ("query_discount", "bq")):
        found[form] = chance.choice(FORMS)
        if found[form] in BASED:
            found[base] = chance.choice([2, 3, 4, 10, 1.5, 2.7, "inf"])
    return found


def asked(experiment: Experiment, start: Scenario, cases: list[Scenario], baseline: str = "") -> dict[str, Any]:
    """What the engine is given."""
    scale = experiment.judgments.scale
    document = observe_sessions(experiment, start)
    return {"document": document, "cases": [session_settings(case, scale) for case in cases], "baseline": baseline}


def nearly_tied(scenario: Scenario, queries: int) -> bool:
    """Whether places weigh the same but for rounding: which of them an ideal session fills first is then chance."""
    c = 1 / scenario.session.query_discount.divisors(queries)
    d = 1 / scenario.discount.divisors(queries * (scenario.depth or 10))
    weights = np.sort((c[:, None] * d).ravel())
    gaps = np.diff(weights) / weights[1:]
    return bool(((gaps > 0) & (gaps < 1e-12)).any())


def agree(experiment: Experiment, scenario: Scenario, found: dict[str, Any]) -> None:
    """Scores, means, curves, last queries, positions and signatures of one case."""
    scored = score_sessions(experiment, parse_measures(["sDCG", "nsDCG"]), scenario)
    assert found["scores"]["ids"] == list(scored.scores.topics)
    assert found["signatures"] == list(scored.signatures)
    for i, name in enumerate(("sDCG", "nsDCG")):
        close(found["scores"][name], scored.scores.values[:, i], name)
        close(found["scores"]["means"][name], [row[name] for row in scored.summary().values()], f"mean {name}")
        curves = draw_sessions(experiment, parse_measures(name)[0], scenario)
        drawn = found[name]
        assert (drawn["queries"], drawn["depth"]) == (curves.queries, curves.depth)
        by_chance = name == "nsDCG" and scenario.session.ideal == "bound" and nearly_tied(scenario, curves.queries)
        for r, line in enumerate(curves.lines):
            assert drawn["going"][r] == line.going.tolist()
            assert drawn["sessions"][r] == line.sessions
            if not by_chance:
                close(drawn["values"][r], line.values, f"curve {name}")
                close(drawn["ideal"][r], line.ideal, f"ideal {name}")
        for ours, theirs in zip(found["last"], curves.last, strict=True):
            close(ours["last"], theirs.last, "last queries")
            close(ours["others"], theirs.others, "other queries")
            assert (ours["sessions"], ours["otherQueries"]) == (theirs.sessions, theirs.other_queries)
        listed = [row for rows in found["positions"] for row in rows]
        for ours, own in zip(listed, curves.positions, strict=True):
            for part in ("position", "queries", "dcg", "discounted", "ndcg", "empty"):
                close(ours[part], getattr(own, part), f"position {part}")


@pytest.mark.parametrize("start", [0, 10, 20])
def test_random_settings_agree_with_python(start: int) -> None:
    """Ten sets of sessions, each under rules of its own and twelve settings of the controls."""
    given, cases, experiments = [], [], []
    for seed in range(start, start + 10):
        chance = random.Random(seed)
        case = session_scenario("session", **some_rules(chance))
        experiment = made_up(seed, case, shared=chance.random() < 0.6)
        some = [session_scenario(case, **some_choices(chance)) for _ in range(12)]
        given.append(asked(experiment, case, some))
        cases.append(some)
        experiments.append(experiment)
    for experiment, some, found in zip(experiments, cases, node.run(BODY, given), strict=True):
        for one, ours in zip(some, found, strict=True):
            agree(experiment, one, ours)


@pytest.mark.parametrize("rules", [{}, {"repeats": "first"}, {"pad": "none", "unjudged": "condensed"}], ids=str)
def test_a_document_twice_in_a_list_gains_once_in_the_page_too(rules: dict[str, str]) -> None:
    case = session_scenario("session", **rules)
    experiment = made_up(11, case, shared=True, repeated=True)
    assert all(run.kept for run in experiment.runs)
    some = [session_scenario(case, **some_choices(random.Random(seed))) for seed in range(6)]
    for scenario, found in zip(some, node.run(BODY, [asked(experiment, case, some)])[0], strict=True):
        agree(experiment, scenario, found)
        assert all("|duplicates:seen|" in signature for signature in found["signatures"])


def test_lists_condensed_in_the_page_are_those_condensed_by_python() -> None:
    plain = session_scenario("session", empty_lists="skip")
    condensed = plain.with_choices(unjudged="condensed")
    experiment = made_up(5, plain, shared=True)
    given = asked(experiment, plain, [condensed])
    agree(made_up(5, condensed, shared=True), condensed, node.run(BODY, [given])[0][0])


def test_a_cut_page_has_the_same_numbers_down_to_where_it_was_cut() -> None:
    case = session_scenario("session", depth=3)
    experiment = made_up(7, case, shared=True)
    whole = observe_sessions(experiment, case)
    room = sum(3 * len(run["retrieved"]) + 1.6 * len(run["step"]) for run in whole["runs"])
    cut = observe_sessions(experiment, case, most=int(room))
    assert whole["reach"] is None
    assert 3 <= cut["reach"] < 14
    for unjudged in ("zero", "condensed"):
        other = case.with_choices(unjudged=unjudged, depth=cut["reach"])
        settings = [session_settings(other, experiment.judgments.scale)]
        found = node.run(BODY, [{"document": doc, "cases": settings, "baseline": ""} for doc in (whole, cut)])
        assert found[0] == found[1]


GOLDEN = [[3, 2, 3, 0, 0, 1, 2, 2, 3, 0], [2, 3, 1], [], [1, 0, 3]]
"""Lists of grades of the four queries; the recall base is 3 3 3 2 2 2 1 1 1 1."""


def golden_log() -> tuple[dict[str, dict[str, int]], list[dict[str, Any]]]:
    """The session as documents: a list may show more documents of a grade than the topic has, so topics differ."""
    base = [3, 3, 3, 2, 2, 2, 1, 1, 1, 1]
    judgments: dict[str, dict[str, int]] = {}
    records = []
    for q, grades in enumerate(GOLDEN, 1):
        topic = judgments.setdefault(f"t{q}", {})
        left: dict[int, list[str]] = {}
        for i, grade in enumerate(base):
            topic[f"{q}-{i}"] = grade
            left.setdefault(grade, []).append(f"{q}-{i}")
        ranking = [left[grade].pop() if grade else f"{q}-no-{i}" for i, grade in enumerate(grades)]
        records.append({"session": "s", "query": q, "topic": f"t{q}", "ranking": ranking})
    return judgments, records


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        ({}, (10.8558, 0.4704)),
        ({"gains": "0-1-10-100"}, (233.1725, 0.4305)),
        ({"horizon": "6"}, (10.8558, 0.3537)),
        ({"normalise": "per_query"}, (10.8558, 1.2815)),
        ({"discount": "kanoulas2011", "query_discount": "kanoulas2011"}, (13.8835, None)),
        ({"discount": "kanoulas2011", "query_discount": "kanoulas2011", "rank_scope": "session"}, (10.2864, None)),
    ],
)
def test_the_numbers_of_the_2008_paper(choices: dict[str, Any], expected: tuple[float, float | None]) -> None:
    judgments, records = golden_log()
    case = session_scenario("session", **choices)
    graded = Judgments.of(judgments)
    experiment = session_experiment(graded, [grade_log(graded, sessions_from_records(records, "x"))], case)
    means = node.run(BODY, [asked(experiment, case, [case])])[0][0]["scores"]["means"]
    assert means["sDCG"][0] == pytest.approx(expected[0], abs=5e-5)
    if expected[1] is not None:
        assert means["nsDCG"][0] == pytest.approx(expected[1], abs=5e-5)


def test_nsdcg_is_the_weighed_mean_of_the_queries_own_ndcg() -> None:
    """The identity of the 2008 paper, with c(q) written down here."""
    judgments, records = golden_log()
    case = session_scenario("session")
    graded = Judgments.of(judgments)
    experiment = session_experiment(graded, [grade_log(graded, sessions_from_records(records, "x"))], case)
    found = node.run(BODY, [asked(experiment, case, [case])])[0][0]
    weights = [1 / (1 + math.log(q) / math.log(4)) for q in range(1, 5)]
    shares = [row["ndcg"] for row in found["positions"][0]]
    mean = sum(c * share for c, share in zip(weights, shares, strict=True)) / sum(weights)
    assert found["scores"]["means"]["nsDCG"][0] == pytest.approx(mean, abs=1e-12)


@pytest.mark.parametrize("baseline", ["", "two"])
@pytest.mark.parametrize("shared", [True, False], ids=["paired", "unpaired"])
def test_comparisons_agree_with_python(shared: bool, baseline: str) -> None:
    case = session_scenario("session", empty="zero")
    experiment = made_up(3, case, shared)
    found = node.run(BODY, [asked(experiment, case, [case], baseline)])[0][0]
    scored = score_sessions(experiment, parse_measures(["nsDCG"]), case)
    compared = compare(scored.scores, "t" if shared else None, baseline=baseline or None, adjust="holm")
    family = compared.families[0]
    for ours, theirs in zip(found["comparison"]["pairs"], family.pairs, strict=True):
        assert (experiment.names[ours["a"]], experiment.names[ours["b"]]) == (theirs.a, theirs.b)
        for part in ("difference", "low", "high", "effect", "p", "p_adjusted"):
            assert ours[part] == pytest.approx(getattr(theirs, part), rel=1e-10, abs=1e-12), part
        assert ours["significant"] == theirs.significant
        if shared:
            assert (ours["wins"], ours["ties"], ours["losses"]) == (theirs.wins, theirs.ties, theirs.losses)
    assert found["told"]["words"] == family.words
    assert found["told"]["methods"] == family.methods.replace("topics", "sessions")


@pytest.mark.parametrize("shared", [True, False], ids=["paired", "unpaired"])
def test_systems_that_gave_the_same_do_not_differ(shared: bool) -> None:
    """Where nothing spreads there is no t, and the answers are fixed."""
    judgments = Judgments.of({"t": {"a": 1, "b": 0}})
    logs = [
        sessions_from_records(
            [{"session": f"{'' if shared else name}{s}", "query": 1, "topic": "t", "ranking": ["a"]} for s in range(4)],
            name,
        )
        for name in ("one", "two")
    ]
    case = session_scenario("session")
    experiment = session_experiment(judgments, [grade_log(judgments, log) for log in logs], case)
    found = node.run(BODY, [asked(experiment, case, [case])])[0][0]
    scored = score_sessions(experiment, parse_measures(["nsDCG"]), case)
    assert found["comparison"]["pairs"][0]["p"] == compare(scored.scores).families[0].pairs[0].p == 1
    assert found["told"]["words"] == "On nsDCG one and two have the same mean."


def test_constant_but_different_samples_have_the_p_of_their_labels() -> None:
    found = node.run("return [gc.welchT([1, 1, 1], [0, 0, 0], 0.05), gc.welchT([1, 2, 3, 4], [2, 4, 6, 8], 0.05)];")
    assert found[0]["p"] == pytest.approx(2 / math.comb(6, 3))
    assert math.isnan(found[0]["low"])
    assert found[1]["p"] == pytest.approx(0.1516, abs=5e-5)  # stats/unpaired.py's worked example
    assert found[1]["effect"] == pytest.approx(-1.2247, abs=5e-5)


def real(name: str) -> tuple[Experiment, Scenario]:
    home = beside.DATA / name
    case = session_scenario("session")
    reading = {
        "session2013": SessionReading(topics=home / "sessiontopicmap.txt", unmapped="skip"),
        "cast2021": SessionReading(pattern="{session}_{query}"),
    }[name]
    lists = sorted(home.glob("*.run.gz"))
    return read_experiment(home / "qrels.txt", lists, case, Reading(sessions=reading)), case


@beside.needs("session2013", "cast2021")
@pytest.mark.parametrize("name", ["session2013", "cast2021"])
def test_real_sessions_agree_with_python(name: str) -> None:
    experiment, case = real(name)
    chance = random.Random(name)
    gains = tuple(text for text in GAINS if Gains.of(text).unusable(experiment.judgments.scale) is None)
    cases = [case, *(session_scenario(case, **some_choices(chance, gains)) for _ in range(20))]
    given = asked(experiment, case, cases)
    for one, found in zip(cases, node.run(BODY, [given])[0], strict=True):
        agree(experiment, one, found)


def test_discounts_are_those_of_python() -> None:
    """The page discounts queries by the same forms as ranks."""
    forms = [(form, base) for form in FORMS for base in ((2, 4, 10, 2.7, "inf") if form in BASED else (None,))]
    found = node.run("return input.map(([discount, base]) => gc.divisors({ discount, base }, 30));", forms)
    for (form, base), ours in zip(forms, found, strict=True):
        close(ours, Discount.of(form, base).divisors(30), f"{form} {base}")
