"""The unit of a test over sessions: users and topics by plain loops and scipy, on a Latin square as in 2008."""

from __future__ import annotations

import math

import numpy as np
import pytest
from latin_square import JUDGMENTS, LOGS, RECORDS, TASKS, logs_of, queries, unit_means
from scipy import stats as scipy_stats

import gaincurve as gc
from gaincurve.verbs.detectable import detectable


@pytest.mark.parametrize("unit", ["user", "topic"])
@pytest.mark.parametrize("score", ["final", "first", "last", "best", "queries", "average"])
@pytest.mark.parametrize("name", ["sDCG", "nsDCG"])
def test_units_are_paired_by_the_means_of_their_sessions(name: str, score: str, unit: str) -> None:
    scores = gc.evaluate_sessions(JUDGMENTS, LOGS, f"{name}(score='{score}')")
    assert scores.design == "unpaired"
    compared = gc.compare(scores, unit=unit)
    old, new = unit_means(scores, 0, unit)
    names = sorted(old)
    a, b = ([side[one] for one in names] for side in (old, new))
    theirs = scipy_stats.ttest_rel(a, b)
    interval = theirs.confidence_interval(0.95)
    (pair,) = compared.pairs
    assert (compared.test, compared.families[0].topics, compared.families[0].unit) == ("t", tuple(names), unit)
    assert (pair.p, pair.mean_a, pair.mean_b) == pytest.approx((theirs.pvalue, np.mean(a), np.mean(b)), rel=1e-9)
    assert (pair.low, pair.high) == pytest.approx((interval.low, interval.high), rel=1e-8)
    won = sum(x > y for x, y in zip(a, b, strict=True))
    assert (pair.wins, pair.ties, pair.losses) == (won, 0, len(names) - won)
    assert compared.methods()[0].startswith(
        f"Two-sided paired t-test over {len(names)} {unit}s (means of their sessions), 1 comparison"
    )
    signature = str(compared.families[0].signature)
    assert f"|sessions:24|unit:{unit}|{unit}s:{len(names)}|test:t|" in signature
    assert not any(note.slug.startswith("session-") for note in compared.notes)


def test_sessions_that_share_a_topic_or_a_user_are_noted() -> None:
    compared = gc.compare(gc.evaluate_sessions(JUDGMENTS, LOGS, "nsDCG"))
    notes = {note.slug: note.text for note in compared.notes}
    assert notes["session-dependence"] == (
        "48 sessions on 4 topics by 12 users: sessions on one topic or by one user are not independent, so p can be "
        "too small; --unit topic or --unit user tests the means of each"
    )
    assert "session-users" not in notes  # said already
    alone = [gc.sessions_from_records(queries("A", "s1", "u1") + queries("B", "s2", "u2"), n) for n in ("x", "y")]
    apart = gc.compare(gc.evaluate_sessions(JUDGMENTS, alone, "nsDCG", design="unpaired"))
    assert not any(note.slug == "session-dependence" for note in apart.notes)


def test_an_undefined_session_is_left_out_of_its_users_mean() -> None:
    judged = {**JUDGMENTS, "E": {"E1": 0}}  # nothing to gain: nsDCG is undefined
    extra: dict[str, object] = {"session": "u0-E", "query": 1, "topic": "E", "user": "u0", "ranking": ["E1"]}
    more = logs_of({**RECORDS, "old": [*RECORDS["old"], extra]})
    with_it = gc.compare(gc.evaluate_sessions(judged, more, "nsDCG"), unit="user")
    without = gc.compare(gc.evaluate_sessions(judged, LOGS, "nsDCG"), unit="user")
    assert with_it.families[0].scores.tolist() == without.families[0].scores.tolist()


def only(users: range) -> list[dict[str, object]]:
    return [record for record in RECORDS["new"] if record["user"] in {f"u{u}" for u in users}]


def test_users_of_one_system_each_are_compared_by_welch() -> None:
    old = [record for record in RECORDS["old"] if record["user"] in {f"u{u}" for u in range(7)}]
    scores = gc.evaluate_sessions(JUDGMENTS, logs_of({"old": old, "new": only(range(7, 12))}), "nsDCG")
    compared = gc.compare(scores, unit="user")
    theirs = scipy_stats.ttest_ind(*(list(side.values()) for side in unit_means(scores, 0, "user")), equal_var=False)
    assert compared.pairs[0].p == pytest.approx(theirs.pvalue, rel=1e-9)
    assert "Welch t-test over different users (7 old, 5 new)" in compared.methods()[0]
    assert "|unit:user|users:7+5|test:welch|design:unpaired|" in str(compared.families[0].signature)
    with pytest.raises(gc.ChoiceError, match="the systems share 0 users, and pairs need at least two"):
        gc.compare(scores, unit="user", design="paired")
    with pytest.raises(gc.ChoiceError, match="scored on different users"):
        gc.compare(scores, "wilcoxon", unit="user")
    with pytest.raises(gc.ChoiceError, match="how many users it takes is known for systems scored on the same users"):
        detectable(compared, 0.1)


@pytest.mark.parametrize(("shared", "design"), [(6, "paired"), (5, "unpaired")])
def test_half_of_the_users_shared_make_a_paired_design(shared: int, design: str) -> None:
    scores = gc.evaluate_sessions(JUDGMENTS, logs_of({**RECORDS, "new": only(range(shared))}), "sDCG")
    compared = gc.compare(scores, unit="user")
    assert compared.test == {"paired": "t", "unpaired": "welch"}[design]
    sides = unit_means(scores, 0, "user")
    both = sorted(set(sides[0]) & set(sides[1]))
    paired = scipy_stats.ttest_rel(*([side[user] for user in both] for side in sides)).pvalue
    apart = scipy_stats.ttest_ind(*(list(side.values()) for side in sides), equal_var=False).pvalue
    assert compared.pairs[0].p == pytest.approx(paired if design == "paired" else apart, rel=1e-9)
    assert gc.compare(scores, unit="user", design="paired").pairs[0].p == pytest.approx(paired, rel=1e-9)
    assert gc.compare(scores, unit="user", design="unpaired").pairs[0].p == pytest.approx(apart, rel=1e-9)
    left_out = [note.text for note in compared.notes if note.slug == "topics-aligned"]
    assert left_out == (
        ["sDCG: 6 users without a score for some run, left out for all: u10, u11, u6, … (6 in all)"]
        if design == "paired"
        else []
    )


def test_what_has_no_such_unit_is_refused() -> None:
    anonymous = logs_of({name: [{**row, "user": None} for row in rows] for name, rows in RECORDS.items()})
    with pytest.raises(gc.ChoiceError, match="--unit user: session u0-A has no user"):
        gc.compare(gc.evaluate_sessions(JUDGMENTS, anonymous, "nsDCG"), unit="user")
    moved = [{**row, "topic": TASKS[i % 4]} for i, row in enumerate(RECORDS["old"])]
    with pytest.raises(gc.ChoiceError, match="is judged on several topics"):
        gc.compare(gc.evaluate_sessions(JUDGMENTS, logs_of({**RECORDS, "old": moved}), "nsDCG"), unit="topic")
    topics = gc.evaluate({"1": {"a": 1}, "2": {"a": 1}}, {"x": {"1": {"a": 1}}, "y": {"2": {"a": 1}}}, "nDCG@5")
    assert gc.compare(topics, unit="topic").families[0].unit == "topic"
    with pytest.raises(gc.ChoiceError, match="scores are those of topics, and --unit user is for sessions"):
        gc.compare(topics, unit="user")
    with pytest.raises(gc.ChoiceError, match="person"):
        gc.compare(gc.evaluate_sessions(JUDGMENTS, LOGS, "nsDCG"), unit="person")


def test_the_order_of_the_sessions_changes_no_bit() -> None:
    turned = logs_of({name: sorted(rows, key=lambda row: (str(row["session"])[::-1], row["query"]))
                      for name, rows in RECORDS.items()})  # fmt: skip
    pairs = [
        gc.compare(gc.evaluate_sessions(JUDGMENTS, logs, "nsDCG"), unit="user").pairs[0] for logs in (LOGS, turned)
    ]
    assert pairs[0] == pairs[1]


def test_a_gate_over_users() -> None:
    scores = gc.evaluate_sessions(JUDGMENTS, LOGS, "sDCG")
    old, new = unit_means(scores, 0, "user")
    gate = gc.gate(scores, {"sDCG": 0.0}, unit="user", worst=3)
    check = gate.checks[0]
    falls = sorted((new[user] - old[user], user) for user in old)
    assert [user for user, _, _ in check.topics] == [user for fall, user in falls[:3] if fall < 0]
    assert check.drop == pytest.approx(np.mean(list(old.values())) - np.mean(list(new.values())))
    assert check.pair.p == pytest.approx(scipy_stats.ttest_rel([old[u] for u in old], [new[u] for u in old]).pvalue)
    assert check.unit == "user"


def test_a_sweep_over_b_bq_and_x_by_user() -> None:
    swept = gc.sweep(JUDGMENTS, LOGS, "nsDCG", bases=[2, 5], bqs=[2, math.inf], depths=[3, 10], ratios=[], unit="user")
    assert len(swept.grid) == 8
    assert {setting.query_discount for setting in swept.grid} == {"jarvelin2008(base=2)", "jarvelin2008(base=inf)"}
    for setting in swept.grid:
        scores = gc.evaluate_sessions(JUDGMENTS, LOGS, setting.measure)
        old, new = unit_means(scores, 0, "user")
        means = [np.mean(list(side.values())) for side in (old, new)]
        theirs = scipy_stats.ttest_rel([old[user] for user in old], [new[user] for user in old])
        assert setting.means == pytest.approx(means, rel=1e-12)
        assert (setting.p, setting.topics) == (pytest.approx(theirs.pvalue, rel=1e-9), 12)
        assert setting.winner == ("old" if means[0] > means[1] else "new")
    assert swept.method.startswith("Two-sided paired t-test over 12 users (means of their sessions) in every setting")
    assert "|discount:2 swept|query-discount:2 swept|" in str(swept.signature)
    assert "|sessions:24|unit:user|users:12|ranks:3–10|settings:8|test:t|" in str(swept.signature)


def test_a_sweep_takes_the_measures_own_choices_and_the_usual_bases() -> None:
    swept = gc.sweep(JUDGMENTS, LOGS, "nsDCG(gains='exp2', query_discount='kanoulas2011')@5", ratios=[1, 10])
    assert {setting.gains for setting in swept.grid} == {"exp2"}
    assert {setting.depth for setting in swept.settings} == {5}
    assert [setting.query_discount for setting in swept.grid[:4]] == [
        f"kanoulas2011(base={base})" for base in ("2", "4", "10", "inf")
    ]
    # the weight of the best grade is tried on the user of the scenario, not on the first of the map
    assert {setting.query_discount for setting in swept.ratios} == {"kanoulas2011(base=4)"}


def test_a_sweep_of_logs_of_different_sizes_is_tested_by_welch() -> None:
    logs = logs_of({**RECORDS, "new": only(range(7))})
    swept = gc.sweep(JUDGMENTS, logs, "sDCG", bases=[2], bqs=[4], depths=[10], ratios=[])
    samples = [
        [v for v in row if not math.isnan(v)] for row in gc.evaluate_sessions(JUDGMENTS, logs, "sDCG").values[:, 0]
    ]
    assert [len(sample) for sample in samples] == [24, 14]
    (setting,) = swept.grid
    assert setting.p == pytest.approx(scipy_stats.ttest_ind(*samples, equal_var=False).pvalue, rel=1e-9)
    assert setting.means == pytest.approx([np.mean(sample) for sample in samples])
    assert "over different sessions (24 old, 14 new)" in swept.method
    assert "|sessions:24+14|" in str(swept.signature)
    assert {"session-unpaired", "session-dependence"} <= {note.slug for note in swept.notes}


@pytest.mark.parametrize("score", ["first", "last", "best", "queries"])
def test_single_queries_have_no_query_discount_to_sweep(score: str) -> None:
    swept = gc.sweep(JUDGMENTS, LOGS, f"nsDCG(score='{score}')", bases=[2], depths=[10], ratios=[])
    assert [setting.query_discount for setting in swept.grid] == [""]
    alone = gc.evaluate_sessions(JUDGMENTS, LOGS, swept.grid[0].measure).summary()
    assert swept.grid[0].means == pytest.approx([alone[run][swept.grid[0].measure] for run in ("old", "new")])
    with pytest.raises(gc.ChoiceError, match="has no query discount to sweep over"):
        gc.sweep(JUDGMENTS, LOGS, f"nsDCG(score='{score}')", bqs=[2])
