"""sDCG, nsDCG and the measures beside them on one small session, to printed digits and against a plain loop.

The session is built on the gain vector of the 2008 paper's appendix; its values follow from the formulas by hand
and were computed independently of this package.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from pathlib import Path

import beside
import numpy as np
import pytest
import session_reference as plain

from gaincurve.files.reading import Reading
from gaincurve.files.sessions import load_log
from gaincurve.io.read import read_judgments
from gaincurve.measures.notation import definitions
from gaincurve.model.instances import Instances
from gaincurve.model.judgments import Judgments
from gaincurve.model.scenario import session_scenario
from gaincurve.model.sessions.log import SessionLog
from gaincurve.model.sessions.objects import sessions_from_records
from gaincurve.verbs.evaluate import evaluate
from gaincurve.verbs.sessions.curves import session_curves
from gaincurve.verbs.sessions.evaluate import evaluate_sessions
from gaincurve.verbs.sessions.explain import explain_session

JUDGMENTS = {"t": {f"{g}{n}": g for g, count in ((3, 3), (2, 3), (1, 4)) for n in range(count)} | {"zero": 0}}
LISTS = [
    ["30", "20", "31", "x", "y", "10", "21", "22", "32", "z"],  # 3 2 3 0 0 1 2 2 3 0
    ["20", "30", "10"],  # 2 3 1
    [],
    ["10", "x", "30"],  # 1 0 3
]


def log(*sessions: list[list[str]], name: str = "system") -> SessionLog:
    return sessions_from_records(
        [
            {"session": f"s{s}", "query": q, "topic": "t", "ranking": ranking}
            for s, lists in enumerate(sessions, 1)
            for q, ranking in enumerate(lists, 1)
        ],
        name,
    )


def value(measure: str, lists: list[list[str]] = LISTS, **choices: object) -> float:
    found = evaluate_sessions(JUDGMENTS, log(lists), measure, **choices)
    return next(iter(found.summary()["system"].values()))


@pytest.mark.parametrize(
    ("queries", "s", "i", "ns", "s_steep", "ns_steep"),
    [
        (1, 7.1842, 8.4710, 0.8481, 173.0720, 0.8706),
        (2, 9.7755, 14.1184, 0.6924, 213.3299, 0.6438),
        (3, 9.7755, 18.8442, 0.5188, 213.3299, 0.4824),
        (4, 10.8558, 23.0797, 0.4704, 233.1725, 0.4305),
    ],
)
def test_the_table(queries: int, s: float, i: float, ns: float, s_steep: float, ns_steep: float) -> None:
    lists = LISTS[:queries]
    assert value("sDCG", lists) == pytest.approx(s, abs=5e-5)
    assert value("nsDCG", lists) == pytest.approx(ns, abs=5e-5)
    assert value("sDCG", lists) / value("nsDCG", lists) == pytest.approx(i, abs=1e-4)
    assert value("sDCG", lists, scenario="session2008") == pytest.approx(s_steep, abs=5e-5)
    assert value("nsDCG", lists, scenario="session2008") == pytest.approx(ns_steep, abs=5e-5)


@pytest.mark.parametrize(("queries", "own"), [(1, 7.1842), (2, 3.8869), (3, 0), (4, 2.1606)])
def test_own_dcg_of_each_query(queries: int, own: float) -> None:
    assert value("sDCG(score='last')", LISTS[:queries]) == pytest.approx(own, abs=5e-5)
    assert value("sDCG(score='first')", LISTS[:queries]) == pytest.approx(7.1842, abs=5e-5)
    assert value("sDCG(score='best')", LISTS[:queries]) == pytest.approx(7.1842, abs=5e-5)


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("nsDCG(score='average')", 0.6560),
        ("nsDCG(horizon=6)", 0.3537),
        ("nsDCG(normalise='per_query')", 1.2815),
        ("sDCG(discount='kanoulas2011', query_discount='kanoulas2011')", 13.8835),
        ("sDCG(discount='kanoulas2011', query_discount='kanoulas2011', rank_scope='session')", 10.2864),
        ("sDCG(discount='kanoulas2011', query_discount='kanoulas2011', gains='exp2')", 26.8274),
        ("sRBP(p=0.9, b=0.75)", 0.4430),
        ("sDCG/q", 10.8558 / 4),
        ("esNDCG(p_down=0.7, p_reform=0.9)", 0.856285),
    ],
)
def test_each_option_to_printed_digits(measure: str, expected: float) -> None:
    digits = 5e-7 if "esNDCG" in measure else 5e-5
    assert value(measure) == pytest.approx(expected, abs=digits)


def test_the_bound_is_what_the_best_documents_give_on_the_best_places() -> None:
    assert value("sDCG") / value("nsDCG(ideal='bound')") == pytest.approx(10.6940, abs=5e-5)


def test_the_weights_are_those_of_the_paper() -> None:
    scenario = session_scenario("session2008")
    c = 1 / scenario.session.query_discount.divisors(11)
    assert c.round(4).tolist() == [1, 0.6667, 0.5579, 0.5, 0.4628, 0.4362, 0.4160, 0.4, 0.3869, 0.3758, 0.3663]
    d = 1 / scenario.discount.divisors(10)
    assert d.round(4).tolist() == [1, 0.5, 0.3869, 0.3333, 0.3010, 0.2789, 0.2626, 0.25, 0.2398, 0.2314]


def test_nsdcg_is_the_weighted_mean_of_the_queries_ndcg() -> None:
    c = [plain.weight("jarvelin2008", 4, q) for q in range(1, 5)]
    runs = {f"q{q}": {d: -r for r, d in enumerate(ranking)} for q, ranking in enumerate(LISTS, 1) if ranking}
    judged = dict.fromkeys(("q1", "q2", "q3", "q4"), JUDGMENTS["t"])
    scores = evaluate(judged, runs, "nDCG@10", scenario="session")["run", "nDCG@10"]
    assert value("nsDCG") == pytest.approx(sum(w * s for w, s in zip(c, scores, strict=True)) / sum(c), abs=1e-12)


def test_one_query_is_ndcg() -> None:
    runs = {"t": {d: -r for r, d in enumerate(LISTS[0])}}
    expected = evaluate(JUDGMENTS, runs, "nDCG@10", scenario="session").summary()["run"]["nDCG@10"]
    assert value("nsDCG", LISTS[:1]) == pytest.approx(expected, abs=1e-15)


def test_without_query_discount_it_is_the_sum_of_dcgs() -> None:
    assert value("sDCG(bq=inf)") == pytest.approx(7.184237837 + 3.886852807 + 2.160558422, abs=1e-8)


def test_a_session_that_cannot_be_better_is_1_everywhere() -> None:
    best = [f"{g}{n}" for g, count in ((3, 3), (2, 3), (1, 4)) for n in range(count)]
    curve = session_curves(JUDGMENTS, log([best, best, best]), "nsDCG")["system"]
    assert curve == pytest.approx(np.ones(30), abs=1e-12)


def test_curves_are_flat_on_zero_gains_and_held_after_the_end() -> None:
    curves = session_curves(JUDGMENTS, log(LISTS, [LISTS[0]]), "sDCG", per_session=True)
    line = curves.singles[0].values[0]
    assert (np.diff(line) >= 0).all()
    assert line[20:30] == pytest.approx(np.full(10, 9.775473), abs=1e-6)  # the third query returned nothing
    assert (curves.singles[0].values[1][9:] == curves.singles[0].values[1][9]).all()
    assert curves["system"] == pytest.approx(curves.singles[0].values.mean(axis=0), abs=1e-12)
    assert curves.lines[0].going.tolist() == [2, 1, 1, 1]


def test_the_curve_ends_at_the_score() -> None:
    for measure in ("sDCG", "nsDCG", "nsDCG(normalise='per_query')", "nsDCG(ideal='spread')", "nsDCG(horizon=6)"):
        assert session_curves(JUDGMENTS, log(LISTS), measure)["system"][-1] == pytest.approx(value(measure), abs=1e-12)


def test_last_queries_positions_and_lengths() -> None:
    curves = session_curves(JUDGMENTS, log(LISTS, [LISTS[0], LISTS[1]]), "sDCG")
    last = curves.last[0]
    own = {"Q1": 7.184237837, "Q2": 3.886852807, "Q4": 2.160558422}
    assert last.last[-1] == pytest.approx((own["Q4"] / 2 + own["Q2"] / 1.5) / 2, abs=1e-8)
    assert last.others[-1] == pytest.approx((own["Q1"] + own["Q2"] / 1.5 + 0 + own["Q1"]) / 4, abs=1e-8)
    assert (last.sessions, last.other_queries) == (2, 4)
    assert [(p.position, p.queries, p.empty) for p in curves.positions] == [(1, 2, 0), (2, 2, 0), (3, 1, 1), (4, 1, 0)]
    assert curves.positions[1].dcg == pytest.approx(own["Q2"], abs=1e-8)
    assert curves.positions[1].discounted == pytest.approx(own["Q2"] / 1.5, abs=1e-8)
    assert curves.positions[1].ndcg == pytest.approx(own["Q2"] / 8.4710111857656, abs=1e-8)
    assert curves.lengths[0].sessions == (0, 1, 0, 1)
    assert curves.lengths[0].mean == 3.0


def test_the_explanation_adds_up() -> None:
    found = explain_session(JUDGMENTS, log(LISTS), "s1", "nsDCG")
    assert found.value == pytest.approx(0.470359, abs=1e-6)
    assert sum(step.added for step in found.steps) == pytest.approx(10.855752, abs=1e-6)
    assert sum(step.ideal_added for step in found.steps) == pytest.approx(23.079715, abs=1e-6)
    assert [found.steps[i].document for i in (0, 3, 10, 13, 20)] == ["30", "x", "20", None, None]
    assert found.steps[10].query_divisor == 1.5
    assert found.steps[3].grade is None
    assert found.steps[-1].value == found.value


def test_ratio_of_means_and_macro_means() -> None:
    found = evaluate_sessions(JUDGMENTS, log(LISTS, [LISTS[1]]), "nsDCG", average="ratio-of-means")
    s = [10.855752252808, 3.886852807235]
    i = [23.079715194761, 8.471011185766]
    assert found.summary()["system"]["nsDCG"] == pytest.approx(sum(s) / sum(i), abs=1e-10)
    records = [
        {"session": "a", "query": 1, "topic": "t", "user": "u", "ranking": LISTS[0]},
        {"session": "b", "query": 1, "topic": "t", "user": "u", "ranking": []},
        {"session": "c", "query": 1, "topic": "t", "user": "v", "ranking": LISTS[0]},
    ]
    by_user = evaluate_sessions(JUDGMENTS, sessions_from_records(records), "sDCG", by="user")
    assert by_user.summary()["sessions"]["sDCG"] == pytest.approx(7.184237837 * 0.75, abs=1e-8)
    assert by_user.groups is not None
    assert by_user.groups["sessions"]["u"]["sDCG"] == pytest.approx(7.184237837 / 2, abs=1e-8)


def test_instance_recall() -> None:
    judged = Judgments.of({"t": {"a": 1, "b": 1, "c": 1, "d": 1, "n": 0}})
    instances = Instances.of(np.array([0, 1, 1, 2, 3]), np.array([0, 1, 2, 2, 3]), np.zeros(4, dtype=np.int32))
    found = evaluate_sessions(judged, log([["a", "b"], ["b"]], [["d"]], [["n"]]), "sIR", instances=instances)
    assert found.scores.values[0, 0].tolist() == [0.75, 0.25, 0.0]
    covers = [("t", "one", "a"), ("t", "two", "b"), ("t", "three", "b"), ("t", "three", "c"), ("t", "four", "d"),
              ("t", "five", "never judged"), ("elsewhere", "one", "a")]  # fmt: skip
    named = Instances.named(judged, covers)
    found = evaluate_sessions(judged, log([["a", "b"], ["b"]], [["d"]], [["n"]]), "sIR", instances=named)
    assert found.scores.values[0, 0].tolist() == [0.6, 0.2, 0.0]


def test_esndcg_is_the_mean_of_random_paths() -> None:
    gains = [[3, 2, 3, 0, 0, 1, 2, 2, 3, 0], [2, 3, 1], [], [1, 0, 3]]
    base = [3.0, 3, 3, 2, 2, 2, 1, 1, 1, 1]
    for p_down, p_reform in ((0.7, 0.9), (0.5, 0.3), (1.0, 1.0), (0.0, 0.5)):
        measure = f"esNDCG(p_down={p_down}, p_reform={p_reform})"
        exact = plain.esndcg_by_paths([list(map(float, one)) for one in gains], base, p_down, p_reform)
        assert value(measure) == pytest.approx(exact, abs=1e-12)
        mean, error = plain.esndcg_by_sampling([list(map(float, g)) for g in gains], base, p_down, p_reform, 20_000, 7)
        assert abs(value(measure) - mean) <= 5 * error + 1e-12


# ---- against the plain loop, on made-up and on real sessions, under every option ----

OPTIONS: list[dict[str, object]] = [
    {},
    {"rank_scope": "session"},
    {"form": "kanoulas2011", "query_form": "kanoulas2011", "bq": 3.0},
    {"form": "jk2002", "b": 3.0, "query_form": "jk2002"},
    {"form": "none", "query_form": "none"},
    {"form": "rank", "query_form": "log"},
    {"form": "log", "query_form": "rank", "rank_scope": "session", "ideal": "bound"},
    {"bq": math.inf, "b": math.inf},
    {"normalise": "per_query"},
    {"normalise": "per_query", "rank_scope": "session", "pad": "none"},
    {"ideal": "spread"},
    {"ideal": "bound"},
    {"ideal": "bound", "repeats": "first"},
    {"ideal": "bound", "rank_scope": "session", "pad": "min:3", "horizon": 5},
    {"ideal": "spread", "pad": "none", "horizon": 4},
    {"horizon": 6},
    {"pad": "none"},
    {"pad": "min:3"},
    {"pad": "none", "rank_scope": "session"},
    {"skip_empty": True},
    {"skip_empty": True, "horizon": 3},
    {"repeats": "first"},
    {"x": 3},
    {"x": 25, "horizon": 7, "rank_scope": "session"},
    {"unjudged_queries": "zero"},
    {"unjudged_queries": "zero", "normalise": "per_query", "pad": "none"},
]


def options_of(rules: plain.Rules) -> dict[str, object]:
    """The plain loop's rules in the package's words."""
    named: dict[str, object] = {"discount": rules.form, "query_discount": rules.query_form}
    if rules.form not in ("none", "rank", "log"):
        named["base"] = rules.b
    if rules.query_form not in ("none", "rank", "log"):
        named["bq"] = rules.bq
    return {
        **named,
        "depth": rules.x,
        "rank_scope": rules.rank_scope,
        "normalise": rules.normalise,
        "ideal": rules.ideal,
        "horizon": rules.horizon or "own",
        "pad": rules.pad,
        "empty_lists": "skip" if rules.skip_empty else "count",
        "repeats": rules.repeats,
        "unjudged_queries": rules.unjudged_queries,
    }


def plain_sessions(one: SessionLog) -> dict[str, list[plain.Query]]:
    found: dict[str, list[plain.Query]] = {name: [] for name in one.sessions.names}
    names = one.sessions.names
    documents = one.documents.texts()
    ends = np.searchsorted(one.query, np.arange(len(one.sessions.unit) + 1))
    for q, s in enumerate(one.sessions.unit.tolist()):
        topic = one.sessions.topics[one.sessions.topic[q]] if one.sessions.topic[q] >= 0 else None
        found[names[s]].append((topic, documents[ends[q] : ends[q + 1]], None))
    return found


def assert_agrees(judgments: Judgments, one: SessionLog, rules: plain.Rules) -> int:
    """Every session under these rules: final, average, first, last and best of both measures, and the curve."""
    measures = [f"{m}(score='{s}')" for m in ("sDCG", "nsDCG") for s in ("final", "average", "first", "last", "best")]
    found = evaluate_sessions(judgments, one, measures, **options_of(rules)).scores
    gains = {t: {d: max(0.0, g) for d, g in row.items()} for t, row in judgments.to_dict().items()}
    compared = 0
    for s, (name, session) in enumerate(plain_sessions(one).items()):
        if all(topic not in gains for topic, _, _ in session):
            assert np.isnan(found.values[0, :, s]).all()
            continue
        alone = replace(rules, horizon=0)  # sDCG has no ideal session, so no horizon either
        vector = plain.cumulated(plain.cells(session, alone), plain.actual_gains(session, gains, alone))
        shares = plain.nsdcg_vector(session, gains, rules)
        own, relative = (plain.own_scores(session, gains, rules, side) for side in (False, True))
        both = [[x for x in row if not math.isnan(x)] for row in (own, relative)]
        best = [max(row) if row else math.nan for row in both]
        of_ranks, of_shares = (
            plain.average(plain.counting(session, gains, each, row)) for each, row in ((alone, vector), (rules, shares))
        )
        expected = [
            vector[-1] if vector else 0.0,
            of_ranks,
            *((own[0], own[-1]) if own else (math.nan,) * 2),
            best[0],
            shares[-1] if shares else math.nan,
            of_shares,
            *((relative[0], relative[-1]) if relative else (math.nan,) * 2),
            best[1],
        ]
        for got, wanted in zip(found.values[0, :, s].tolist(), expected, strict=True):
            assert got == pytest.approx(wanted, rel=1e-12, abs=1e-12, nan_ok=True), (name, rules)
        compared += 1
    return compared


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_plain_loop_agrees_on_made_up_sessions(options: dict[str, object]) -> None:
    chance = np.random.default_rng(8)
    pool = [f"d{i}" for i in range(30)]
    judged = {t: {d: int(chance.integers(0, 4)) for d in chance.choice(pool, 12, replace=False)} for t in "abc"}
    judged["nothing"] = {"d1": 0}
    records = []
    for s, n in enumerate([1, 2, 3, 7, 1, 4, 2, 3]):
        topic = "abc"[s % 3] if s < 6 else ("nothing", "unjudged")[s - 6]
        for q in range(1, n + 1):
            size = int(chance.integers(0, 14)) if q % 3 else 0
            records.append({"session": s, "query": q, "topic": topic,
                            "ranking": chance.choice(pool, size, replace=False).tolist()})  # fmt: skip
    assert assert_agrees(Judgments.of(judged), sessions_from_records(records), plain.Rules(**options)) == 7  # type: ignore[arg-type]


@beside.needs("session2013")
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_plain_loop_agrees_on_logged_sessions(options: dict[str, object]) -> None:
    home = beside.DATA / "session2013"
    judgments = read_judgments(home / "qrels.txt")
    scenario = session_scenario("session")
    one = load_log(judgments, home / "sessiontrack2013.xml.gz", scenario, Reading())
    assert assert_agrees(judgments, one, plain.Rules(**options)) == 116  # type: ignore[arg-type]


@beside.needs("cast2021")
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_plain_loop_agrees_on_conversations_judged_turn_by_turn(options: dict[str, object]) -> None:
    home = beside.DATA / "cast2021"
    judgments = read_judgments(home / "qrels.txt")
    scenario = session_scenario("session")
    one = load_log(judgments, home / "org_convdr_bert.run.gz", scenario, Reading())
    assert assert_agrees(judgments, one, plain.Rules(**options)) == 19  # type: ignore[arg-type]


@beside.needs("session2013")
def test_esndcg_and_srbp_agree_on_logged_sessions() -> None:
    home = beside.DATA / "session2013"
    judgments = read_judgments(home / "qrels.txt")
    scenario = session_scenario("session")
    one = load_log(judgments, home / "sessiontrack2013.xml.gz", scenario, Reading())
    found = evaluate_sessions(judgments, one, ["sRBP", "esNDCG@3"]).scores
    gains = {t: {d: max(0.0, g) for d, g in row.items()} for t, row in judgments.to_dict().items()}
    for s, session in enumerate(plain_sessions(one).values()):
        topic = session[0][0] or ""
        if topic not in gains:
            continue
        expected = plain.srbp(session, gains, 0.9, 0.75, 10)
        assert found.values[0, 0, s] == pytest.approx(expected, abs=1e-12)
        if len(session) <= 6:  # 3^6 paths
            lists = [[gains[topic].get(d, 0.0) for d in documents[:3]] for _, documents, _ in session]
            base = sorted(gains[topic].values(), reverse=True)
            exact = plain.esndcg_by_paths(lists, base, 0.7, 0.9)
            assert found.values[0, 1, s] == pytest.approx(exact, abs=1e-12)


def test_every_session_measure_has_its_golden_number_here() -> None:
    text = Path(__file__).read_text("utf-8")
    assert [d.name for d in definitions() if d.over == "session" and f'"{d.name}' not in text] == []


def test_a_session_has_the_same_bits_alone_and_among_others() -> None:
    many = log(*itertools.islice(itertools.cycle([LISTS, LISTS[:2], [LISTS[3]]]), 30))
    measures = ["sDCG", "nsDCG", "nsDCG(score='average')", "nsDCG(ideal='bound')", "esNDCG", "sRBP"]
    together = evaluate_sessions(JUDGMENTS, many, measures).scores.values[0]
    alone = evaluate_sessions(JUDGMENTS, log(LISTS), measures).scores.values[0]
    assert (together[:, 0] == alone[:, 0]).all()
    assert (together[:, 27] == alone[:, 0]).all()
