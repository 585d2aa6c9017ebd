"""Systems on different sessions: Welch's t against scipy and by hand; `compare` on session scores of both designs."""

import itertools
import math

import numpy as np
import pytest
from made import scores_of
from scipy import stats as scipy_stats

import gaincurve as gc
from gaincurve.cli.compare.views import compare_wide
from gaincurve.figures import topics_chart
from gaincurve.stats import cohen_d, hedges_unpaired, welch_t
from gaincurve.verbs.detectable import detectable

JUDGMENTS = {"1": {"a": 2, "b": 1, "c": 0}}


def log(name: str, sessions: dict[str, list[list[str]]]) -> gc.SessionLog:
    records = [
        {"session": session, "query": i, "topic": "1", "ranking": ranking}
        for session, queries in sessions.items()
        for i, ranking in enumerate(queries, 1)
    ]
    return gc.sessions_from_records(records, name)


SHOWN = [["a", "b"], ["b", "c"], ["c"], ["c", "a"], ["b", "a"], ["a"]]


@pytest.mark.parametrize("seed", range(20))
def test_welch_is_scipys(seed: int) -> None:
    random = np.random.default_rng(seed)
    a = random.normal(0.4, 0.2, size=random.integers(2, 40))
    b = random.normal(0.5, 0.1, size=random.integers(2, 40))
    ours, theirs = welch_t(a, b), scipy_stats.ttest_ind(a, b, equal_var=False)
    interval = theirs.confidence_interval(0.95)
    assert (ours.statistic, ours.p, ours.df) == pytest.approx((theirs.statistic, theirs.pvalue, theirs.df), rel=1e-10)
    assert (ours.low, ours.high) == pytest.approx((interval.low, interval.high), rel=1e-9)
    pooled = math.sqrt(((len(a) - 1) * a.var(ddof=1) + (len(b) - 1) * b.var(ddof=1)) / (len(a) + len(b) - 2))
    assert cohen_d(a, b) == pytest.approx((a.mean() - b.mean()) / pooled)
    assert welch_t(b, a).p == ours.p


def test_the_worked_numbers() -> None:
    a, b = np.array([1.0, 2, 3, 4]), np.array([2.0, 4, 6, 8])
    found = welch_t(a, b)
    assert (round(found.statistic, 3), round(found.df, 3), round(found.p, 4)) == (-1.732, 4.412, 0.1516)
    assert round(cohen_d(a, b), 4) == -1.2247
    assert hedges_unpaired(a, b) == pytest.approx(
        cohen_d(a, b) * (1 - 3 / (4 * 6 - 1)), rel=2e-3
    )  # Hedges' approximation


@pytest.mark.parametrize(("sizes", "both"), [((3, 4), 1), ((3, 3), 2)])
def test_constant_samples_have_the_p_of_random_labels(sizes: tuple[int, int], both: int) -> None:
    a, b = np.full(sizes[0], 0.2), np.full(sizes[1], 0.7)
    whole = np.concatenate([a, b])
    chosen = [list(one) for one in itertools.combinations(range(len(whole)), len(a))]
    gaps = [abs(whole[one].mean() - np.delete(whole, one).mean()) for one in chosen]
    share = sum(gap >= 0.5 - 1e-12 for gap in gaps) / len(gaps)
    assert share == both / math.comb(sum(sizes), sizes[0])
    assert welch_t(a, b).p == share
    assert welch_t(a, a).p == 1
    assert (cohen_d(a, a), math.isnan(cohen_d(a, b))) == (0, True)


def test_different_sessions_are_compared_by_welch() -> None:
    one = log("one", {f"s{i}": [SHOWN[i % 6], SHOWN[(i + 1) % 6]] for i in range(12)})
    two = log("two", {f"z{i}": [SHOWN[(2 * i) % 6]] for i in range(9)})
    scores = gc.evaluate_sessions(JUDGMENTS, [one, two], "nsDCG", design="unpaired").scores
    assert scores.design == "unpaired"
    found = gc.compare(scores)
    (pair,) = found.pairs
    samples = [row[~np.isnan(row)] for row in scores.values[:, 0]]
    theirs = scipy_stats.ttest_ind(*samples, equal_var=False)
    assert [len(sample) for sample in samples] == [12, 9]
    assert pair.p == pytest.approx(theirs.pvalue)
    assert "Welch" in found.families[0].methods
    assert "design:unpaired" in str(found.families[0].signature)
    with pytest.raises(gc.ChoiceError, match="test-not-possible"):
        gc.compare(scores, test="t")


def test_the_same_sessions_are_compared_one_by_one() -> None:
    sessions = {f"s{i}": [SHOWN[i % 6]] for i in range(12)}
    other = {name: [SHOWN[(i + 2) % 6]] for i, name in enumerate(sessions)}
    scores = gc.evaluate_sessions(JUDGMENTS, [log("one", sessions), log("two", other)], "nsDCG").scores
    assert scores.design == "paired"
    found = gc.compare(scores)
    assert found.test == "t"
    theirs = scipy_stats.ttest_rel(*scores.values[:, 0])
    assert found.pairs[0].p == pytest.approx(theirs.pvalue)
    with pytest.raises(gc.ChoiceError, match="test-not-possible"):
        gc.compare(scores, test="welch")


def test_three_systems_are_adjusted_and_grouped() -> None:
    logs = [log(f"run{k}", {f"{k}-{i}": [SHOWN[(i * k) % 6]] for i in range(8)}) for k in (1, 2, 3)]
    found = gc.compare(gc.evaluate_sessions(JUDGMENTS, logs, ["nsDCG", "sDCG"], design="unpaired").scores)
    assert (len(found.pairs), found.adjust) == (6, "holm")
    for family in found.families:
        assert len(family.groups) == 3
        single = sorted(pair.p for pair in family.pairs)
        assert min(pair.p_adjusted for pair in family.pairs) == pytest.approx(min(1, 3 * single[0]))


def unpaired(sizes: tuple[int, int], *measures: str) -> gc.Scores:
    logs = [log(f"run{k}", {f"{k}-{i}": [SHOWN[(i + k) % 6]] for i in range(n)}) for k, n in enumerate(sizes)]
    return gc.evaluate_sessions(JUDGMENTS, logs, list(measures), design="unpaired").scores


def test_sentences_about_different_sessions() -> None:
    found = gc.compare(unpaired((12, 11), "nsDCG", "sDCG"))
    assert found.methods() == [
        "Two-sided Welch t-test over different sessions (12 run0, 11 run1), 1 comparison, α = .05."
    ]
    assert [note for note in found.notes if note.slug == "few-topics"] == []
    together = gc.compare(unpaired((12, 11), "nsDCG", "sDCG"), family="all-measures")
    assert together.methods()[0].endswith("(12 run0, 11 run1), Holm-adjusted over 2 comparisons, α = .05.")
    few = [note.text for note in gc.compare(unpaired((12, 9), "nsDCG")).notes if note.slug == "few-topics"]
    assert few == ["nsDCG: only 9 sessions of run1; a test over so few can miss large differences"]


def test_different_sessions_have_no_wins_and_no_topics() -> None:
    found = gc.compare(unpaired((12, 11), "nsDCG"))
    shape = found.pairs[0].to_dict()
    assert [shape[name] for name in ("wins", "ties", "losses")] == [None, None, None]
    wide = compare_wide(found, "runs", False, [])[-1]
    assert wide.rows[0][wide.columns.index("won/tied/lost")] == "–"
    assert found.tidy().only("wins", "ties", "losses").rows()[0] == (None, None, None)
    with pytest.raises(gc.ChoiceError, match="test-not-possible"):
        detectable(found, 0.05)
    with pytest.raises(gc.ChoiceError, match="no difference session by session"):
        topics_chart(found)


def test_less_may_be_better_for_sessions_too() -> None:
    values = np.full((2, 1, 30), math.nan)
    values[0, 0, :15] = np.linspace(1, 2, 15)
    values[1, 0, 15:] = np.linspace(3, 4, 15)
    topics = tuple(map(str, range(30)))
    low = scores_of(("a", "b"), ("FirstRank",), topics, values, design="unpaired")
    found = gc.compare(low)
    assert (found.pairs[0].better, found.families[0].higher_is_better, found.families[0].stars()) == (
        "a", False, "a > b**",
    )  # fmt: skip
    assert gc.gate(low, {"FirstRank": 0.5}).passed is False


def test_sessions_pass_a_gate_by_their_own_measures() -> None:
    scores = unpaired((12, 11), "nsDCG")
    found = gc.gate(scores, {"nsDCG": 0.01})
    assert found.comparison.test == "welch"
    assert (found.checks[0].topics, found.checks[0].lost) == ((), ())
    assert found.checks[0].pair.p == gc.compare(scores).pairs[0].p
    with pytest.raises(gc.ChoiceError, match="test-not-possible"):
        gc.gate(scores, {"nsDCG": 0.01}, test="wilcoxon")


def test_a_sweep_of_different_sessions_is_tested_by_welch_with_holm_as_compare_does() -> None:
    logs = [log(name, {f"{name}{i}": [SHOWN[(i + shift) % 6], SHOWN[(2 * i) % 6]] for i in range(11)})
            for shift, name in enumerate("xyz")]  # fmt: skip
    swept = gc.sweep(JUDGMENTS, logs, "nsDCG", gains=["identity", "exp2"], bases=[2], depths=[2], ratios=[])
    assert str(swept.signature).count("|test:welch|adjust:holm|") == 1
    sample = "different sessions (11 x, 11 y, 11 z)"
    assert swept.method.startswith(f"Two-sided Welch t-test over {sample} in every setting, Holm-adjusted over 3")
    for setting in swept.settings:
        compared = gc.compare(gc.evaluate_sessions(JUDGMENTS, logs, setting.measure))
        pair = next(p for p in compared.pairs if {p.a, p.b} == {setting.winner, setting.runner_up})
        ends = (pair.low, pair.high) if pair.difference > 0 else (-pair.high, -pair.low)
        assert compared.test == "welch"
        assert (setting.margin, setting.p) == pytest.approx((abs(pair.difference), pair.p_adjusted), abs=1e-12)
        assert (setting.low, setting.high) == pytest.approx(ends, abs=1e-12)
