"""Sweep, gate and agree: their numbers are those of evaluate, compare and plain loops."""

from __future__ import annotations

import math

import beside
import numpy as np
import pytest
from made import scores_of

import gaincurve as gc
from gaincurve.demo.experiment import make_experiment
from gaincurve.errors import GaincurveError
from gaincurve.model.judgments import Judgments
from gaincurve.model.limits import Limit
from gaincurve.verbs.axes import flat_to_steep, weighted
from gaincurve.verbs.limits import parse_limit

Dicts = dict[str, dict[str, float]]


def read(text: str, document: int, value: int) -> Dicts:
    found: Dicts = {}
    for line in text.splitlines():
        parts = line.split()
        found.setdefault(parts[0], {})[parts[document]] = float(parts[value])
    return found


MADE = make_experiment(seed=4, topics=15)
QRELS = read(MADE.qrels, 2, 3)
RUNS = {name: read(text, 2, 4) for name, text in MADE.runs.items()}


def test_every_setting_is_what_evaluate_says_to_the_bit_and_p_what_compare_says() -> None:
    found = gc.sweep(QRELS, RUNS, gains=["0-1-1-1", "0-1-10-100"], bases=[2, 10], depths=[5, 30], ratios=[1, 7])
    assert (len(found.grid), len(found.ratios)) == (8, 4)
    scores = gc.evaluate(QRELS, RUNS, [s.measure for s in found.settings])
    compared = gc.compare(scores)
    for s in found.settings:
        assert s.means == tuple(scores[run, s.measure].mean() for run in found.runs)
        best = max(range(len(found.runs)), key=lambda r: s.means[r])
        assert s.winner == found.runs[best]
        pair = compared[s.measure, s.winner, s.runner_up]
        ends = (pair.low, pair.high) if pair.difference > 0 else (-pair.high, -pair.low)
        assert (s.margin, s.low, s.high) == pytest.approx((abs(pair.difference), *ends), abs=1e-12)
        assert s.p == pytest.approx(pair.p_adjusted, abs=1e-12)
        assert s.significant is pair.significant


def test_the_default_sweep_covers_the_seeds_users() -> None:
    found = gc.sweep(QRELS, RUNS)
    assert list(dict.fromkeys(s.gains for s in found.grid)) == ["0-1-1-1", "identity", "exp2", "0-1-10-100", "0-0-0-1"]
    assert [s.ratio for s in found.ratios if s.depth == 10][:: len(found.ratios)] == [1.0]
    assert {s.ratio for s in found.ratios} >= {1.0, 100.0, 1000.0}
    assert len(found.settings) == 190
    hundred = [s for s in found.ratios if s.ratio == 100]
    steep = [s for s in found.grid if s.gains == "0-1-10-100" and s.discount == "jk2002(base=2)"]
    assert [s.means for s in hundred] == [s.means for s in steep]


def test_flips_and_the_sentence() -> None:
    found = gc.sweep(QRELS, RUNS, bases=[2], depths=[20])
    winners = {s.gains: s.winner for s in found.grid}
    assert winners["0-1-1-1"] == "broad"
    assert winners["0-1-10-100"] == found.winner == "sharp"
    assert all(s.winner == "broad" for s in found.flips)
    assert "broad wins" in found.sentence()
    assert "sharp wins" in found.sentence()
    assert found.ratio_sentence() == (
        "At cutoff 20 the winner depends on how many marginal documents a highly relevant one is worth: "
        "broad leads at 1 to 2, sharp leads at 3 to 1000."
    )
    assert [flip for _, flip in found.flipped()].count(True) == len(found.flips) == found.to_dict()["flips"]
    sure = gc.sweep(QRELS, RUNS, gains=["0-0-0-1"], bases=[2], depths=[10], ratios=[])
    assert sure.sentence().endswith("the verdict holds for every user tried.")
    assert sure.ratio_sentence() == ""


@pytest.mark.parametrize(("scale", "ratio", "text"), [
    ([0, 1, 2, 3], 100, "0-1-10-100"), ([0, 1, 2, 3], 1, "0-1-1-1"), ([0, 1, 2], 1000, "0-1-1000"),
    ([-2, 0, 1, 4], 9, "1=1,4=9"), ([0, 1], 50, "0-1"),
])  # fmt: skip
def test_weights_by_ratio(scale: list[float], ratio: float, text: str) -> None:
    assert weighted(np.array(scale, float), ratio).text == text


def test_gains_suit_the_grades() -> None:
    assert [g.text for g in flat_to_steep(np.array([0.0, 1, 2, 3]))] == [
        "0-1-1-1", "identity", "exp2", "0-1-10-100", "0-0-0-1",
    ]  # fmt: skip
    assert len(flat_to_steep(np.array([0.0, 1]))) == 1
    assert [g.text for g in flat_to_steep(np.array([0.0]))] == ["identity"]


def test_other_measures_and_averages_sweep_too() -> None:
    found = gc.sweep(QRELS, RUNS, "nCG(average='ranks')", gains=["0-1-1-1"], depths=[10], ratios=[])
    assert found.grid[0].measure == "nCG(gains='0-1-1-1', average='ranks')@10"
    scores = gc.evaluate(QRELS, RUNS, found.grid[0].measure)
    assert found.grid[0].means == pytest.approx([scores[r, found.grid[0].measure].mean() for r in found.runs])
    cut = gc.sweep(QRELS, RUNS, "DCG@7", gains=["identity"], bases=[2], ratios=[])
    assert [s.depth for s in cut.settings] == [7]


@pytest.mark.parametrize(("given", "slug"), [
    ({"ratios": [0]}, "statistics-value"), ({"ratios": ["x"]}, "statistics-value"), ({"alpha": 2}, "statistics-value"),
    ({"depths": [0]}, "measure-cutoff"), ({"gains": ["nonsense"]}, "gains-syntax"), ({"gains": ["0-1"]}, "gains-grade"),
    ({"bases": [1]}, "discount-base"), ({"scenario": "default", "bases": [2]}, "discount-base"),
])  # fmt: skip
def test_a_sweep_refuses_nonsense(given: dict[str, object], slug: str) -> None:
    with pytest.raises(GaincurveError) as caught:
        gc.sweep(QRELS, RUNS, **given)  # type: ignore[arg-type]
    assert caught.value.slug == slug


def test_a_sweep_needs_two_runs() -> None:
    with pytest.raises(GaincurveError, match="runs-too-few"):
        gc.sweep(QRELS, {"one": RUNS["sharp"]})


def test_one_topic_has_a_margin_and_no_test_where_compare_and_gate_refuse() -> None:
    topic = {"1": QRELS["1"]}
    found = gc.sweep(topic, RUNS, bases=[2], depths=[10], ratios=[])
    assert found.method == "One topic: no test."
    assert "one topic: no test" in [note.text for note in found.notes]
    for setting in found.settings:
        assert math.isnan(setting.p)
        assert not setting.significant
        assert setting.to_dict(found.runs)["p"] is None
    assert max(setting.margin for setting in found.settings) > 0
    scores_of_one = gc.evaluate(topic, {name: RUNS[name] for name in ("sharp", "broad")}, "nDCG@10")
    with pytest.raises(GaincurveError, match="topics-too-few"):
        gc.compare(scores_of_one)
    with pytest.raises(GaincurveError, match="topics-too-few"):
        gc.gate(scores_of_one, {"nDCG@10": 0.1})


def test_equal_runs_tie_everywhere() -> None:
    found = gc.sweep(QRELS, {"a": RUNS["sharp"], "b": RUNS["sharp"]}, bases=[2], depths=[10], ratios=[1, 10])
    assert {s.winner for s in found.settings} == {"="}
    assert found.sentence() == "No run is ahead in any setting."
    assert "no run leads" in found.ratio_sentence()
    assert found.to_dict()["winner"] is None


def scores(*names: str) -> gc.Scores:
    return gc.evaluate(QRELS, {name: RUNS[name] for name in names}, ["nDCG@10", "nDCG@100"])


def test_the_gate_fails_only_beyond_the_limit_and_significantly() -> None:
    both = scores("sharp", "legacy")
    drop = both["sharp", "nDCG@10"].mean() - both["legacy", "nDCG@10"].mean()
    p = gc.compare(both).pairs[0].p
    assert p < 0.05
    failed = gc.gate(both, {"nDCG@10": 0.01})
    assert not failed.passed
    assert failed.checks[0].drop == pytest.approx(drop)
    assert gc.gate(both, {"nDCG@10": drop + 0.001}).passed  # significant, but within the limit
    assert gc.gate(both, {"nDCG@10": 0.01}, alpha=p / 2).passed  # beyond, but chance could explain it
    assert gc.gate(scores("legacy", "sharp"), {"nDCG@10": 0}).passed  # better, and significantly so
    assert gc.gate(both, {"nDCG@10": 0.01}, alpha=p / 2).checks[0].verdict.startswith("passed: beyond the limit")


def test_a_drop_of_exactly_the_limit_passes() -> None:
    judged = {f"t{i}": {"a": 1, "b": 1} for i in range(12)}
    old = {f"t{i}": {"a": 2.0, "b": 1.0} for i in range(12)}
    new = {f"t{i}": {"a": 2.0} for i in range(12)}
    made = gc.evaluate(judged, {"old": old, "new": new}, "nCG@2")
    assert gc.gate(made, {"nCG@2": 0.5}).passed
    assert not gc.gate(made, {"nCG@2": 0.4999}).passed


def test_several_limits_are_adjusted_together_and_worst_topics_listed() -> None:
    found = gc.gate(scores("sharp", "legacy"), {"nDCG@10": 0.01, "nDCG@100": 0.01}, worst=3)
    assert "Holm-adjusted over 2 comparisons" in found.comparison.families[0].methods
    before, after = (scores("sharp", "legacy")[run, "nDCG@10"] for run in ("sharp", "legacy"))
    falls = sorted(((after[t] - before[t], t) for t in before.topics), key=lambda x: (round(x[0], 12), x[1]))
    assert [topic for topic, _, _ in found.checks[0].topics] == [t for _, t in falls[:3]]
    shape = found.to_dict()
    assert (shape["schema"], shape["passed"]) == ("gaincurve.gate/1", False)
    assert "significant, and beyond the limit" in found.sentences()[0]


@pytest.mark.parametrize("text", ["nDCG@10", "nDCG@10=", "=0.1", "nDCG@10=-1", "nDCG@10=x", "nDCG@10=inf"])
def test_limits_that_cannot_be_read(text: str) -> None:
    with pytest.raises(GaincurveError, match="gate-limit"):
        Limit.of(parse_limit(text)[1], text)


def test_limits_may_hold_measures_with_parameters() -> None:
    assert parse_limit("nDCG(gains='0-1-10-100')@10=0.02") == ("nDCG(gains='0-1-10-100')@10", "0.02")


def test_a_gate_takes_two_runs_and_scores_it_has() -> None:
    with pytest.raises(GaincurveError, match="runs-too-few"):
        gc.gate(scores("sharp", "legacy", "broad"), {"nDCG@10": 0.1})
    with pytest.raises(GaincurveError, match="gate-limit"):
        gc.gate(scores("sharp", "legacy"), {"nDCG@5": 0.1})
    with pytest.raises(GaincurveError, match="gate-limit"):
        gc.gate(scores("sharp", "legacy"), {})


def second_judge() -> Dicts:
    random = np.random.default_rng(3)
    return {
        topic: {
            d: min(3.0, max(0.0, g + float(random.integers(-1, 2)))) for d, g in row.items() if random.random() < 0.9
        }
        for topic, row in QRELS.items()
    }


def test_agreement_is_that_of_a_plain_loop() -> None:
    other = second_judge()
    other["extra"] = {"d": 1.0}
    found = gc.agree(QRELS, other)
    pairs = [(g, other[t][d]) for t, row in QRELS.items() for d, g in row.items() if d in other.get(t, {})]
    assert found.common == len(pairs)
    assert found.same == pytest.approx(np.mean([a == b for a, b in pairs]))
    for i, a in enumerate(found.scale):
        for j, b in enumerate(found.scale):
            assert found.counts[i, j] == pairs.count((a, b))
    assert found.only_first == sum(map(len, QRELS.values())) - len(pairs)
    assert found.only_second == sum(map(len, other.values())) - len(pairs)
    observed = np.mean([a == b for a, b in pairs])
    chance = sum(
        np.mean([a == g for a, _ in pairs]) * np.mean([b == g for _, b in pairs]) for g in found.scale.tolist()
    )
    assert found.kappa == pytest.approx((observed - chance) / (1 - chance))


def test_the_orders_of_systems_under_two_judges() -> None:
    other = second_judge()
    found = gc.agree(QRELS, other, RUNS)
    orders = found.orders
    assert orders is not None
    one, two = (gc.evaluate(judged, RUNS, "nDCG@10") for judged in (QRELS, other))
    means = [[s[run, "nDCG@10"].mean() for run in RUNS] for s in (one, two)]
    assert orders.first == pytest.approx(means[0])
    assert orders.second == pytest.approx(means[1])
    assert orders.tau_b == pytest.approx(gc.stats.kendall_tau(np.array(means[0]), np.array(means[1])))
    pairs = list(zip(gc.compare(one).pairs, gc.compare(two).pairs, strict=True))
    both = sum(a.significant and b.significant and a.better == b.better for a, b in pairs)
    assert (orders.both, orders.conflict) == (both, 0)
    assert orders.first_only + orders.second_only == sum(a.significant != b.significant for a, b in pairs)
    assert gc.agree(QRELS, QRELS, RUNS).orders.share == 1  # type: ignore[union-attr]
    assert gc.agree(QRELS, QRELS).kappa == 1


def test_only_shared_topics_order_systems() -> None:
    fewer = {t: row for t, row in QRELS.items() if int(t) <= 10}
    found = gc.agree(QRELS, fewer, RUNS)
    assert found.orders is not None
    assert found.orders.topics == 10
    assert found.orders.first == found.orders.second
    assert "topics-aligned" in [note.slug for note in found.notes]


def test_strangers_cannot_agree() -> None:
    with pytest.raises(GaincurveError, match="judgments-disjoint"):
        gc.agree({"1": {"a": 1}}, {"1": {"b": 1}, "2": {"a": 1}})
    with pytest.raises(GaincurveError, match="runs-too-few"):
        gc.agree(QRELS, QRELS, {"one": RUNS["sharp"]})
    with pytest.raises(GaincurveError, match="topics-too-few"):
        gc.agree(QRELS, {"1": QRELS["1"]}, RUNS)


def test_one_grade_only_has_no_kappa_but_a_json() -> None:
    found = gc.agree({"1": {"a": 1, "b": 1}}, {"1": {"a": 1, "b": 1}})
    assert math.isnan(found.kappa)
    assert found.to_dict()["kappa"] is None


@beside.needs("cran")
def test_cranfield_against_scipy() -> None:
    """Six real systems: every paired t against scipy, Friedman against scipy."""
    import scipy.stats  # noqa: PLC0415 -- an oracle

    cran = beside.DATA / "cran"
    files = sorted(cran.glob("*.run.gz"))
    made = gc.evaluate_files(cran / "qrels.txt", files, "nDCG@10")
    found = gc.compare(made, "t", adjust="none")
    for pair in found.pairs:
        a, b = (np.array(made[run, "nDCG@10"]) for run in (pair.a, pair.b))
        kept = ~np.isnan(a) & ~np.isnan(b)
        assert pair.p == pytest.approx(scipy.stats.ttest_rel(a[kept], b[kept]).pvalue, rel=1e-9)
    ranked = gc.compare(made, "friedman").families[0]
    theirs = scipy.stats.friedmanchisquare(*np.round(ranked.scores, 10).T)
    assert ranked.overall["T1"] == pytest.approx(theirs.statistic)


def test_judgments_read_once_are_used_as_they_are() -> None:
    judged = Judgments.of(QRELS)
    assert gc.agree(judged, judged).common == len(judged)


def test_settings_may_rest_on_different_numbers_of_topics() -> None:
    judged = {f"{t}": {"a": 1.0, "b": 3.0 if t % 3 == 0 else 1.0, "c": 0.0} for t in range(12)}
    runs = {"x": {t: {"a": 2.0, "b": 1.0} for t in judged}, "y": {t: {"c": 2.0, "a": 1.0} for t in judged}}
    found = gc.sweep(judged, runs, gains=["0-1-1-1", "0-0-0-1"], bases=[2], depths=[2], ratios=[])
    defined = [len([t for t, row in judged.items() if max(row.values()) >= least]) for least in (1, 3)]
    assert [s.topics for s in found.settings] == defined == [12, 4]
    assert found.topics == (4, 12)
    assert "|topics:4–12|" in str(found.signature)
    shape = found.to_dict()
    assert shape["topics"] == {"fewest": 4, "most": 12}
    assert [s["topics"] for s in shape["settings"]] == [12, 4]  # type: ignore[index, attr-defined]
    assert [note.slug for note in found.notes] == ["few-topics"]


@pytest.mark.parametrize("name", ["Q", "G", "INST", "RHL", "Rndcg", "ndcg_rel", "CosRel"])
def test_a_measure_without_a_last_rank_is_not_swept(name: str) -> None:
    with pytest.raises(GaincurveError, match="no cutoff to sweep over"):
        gc.sweep(QRELS, RUNS, name)


def test_bounds_are_not_swept() -> None:
    with pytest.raises(GaincurveError, match="measure-no-bounds"):
        gc.sweep(QRELS, RUNS, unjudged="bounds")


def test_a_gate_by_ranks_fails_only_where_the_ranks_fell() -> None:
    ahead = np.array([0.55] * 18 + [-0.4] * 2) + np.linspace(0, 0.001, 20)
    values = np.array([[np.full(20, 0.5)], [ahead]])
    topics = tuple(f"t{i:02d}" for i in range(20))
    made = scores_of(("old", "new"), ("nDCG@10",), topics, values)
    found = gc.gate(made, {"nDCG@10": 0.01}, test="wilcoxon")
    assert (found.passed, found.checks[0].pair.significant, found.checks[0].beyond) == (True, True, True)
    assert found.checks[0].verdict == "passed: beyond the limit, but the test finds the candidate ahead"
    assert found.sentences()[0].endswith("but by signed ranks of differences new is ahead.")


def lost_everything(topics: int) -> gc.Scores:
    """The candidate finds the relevant document first, or in so many topics not at all."""
    judged = {f"t{i:02d}": {"a": 1.0} for i in range(12)}
    old = {topic: {"x": 2.0, "a": 1.0} for topic in judged}
    new = {topic: {"x": 1.0} if i < topics else {"a": 1.0} for i, topic in enumerate(judged)}
    return gc.evaluate(judged, {"old": old, "new": new}, ["FirstRank", "nDCG@10"])


def test_a_topic_that_loses_its_score_fails_the_gate() -> None:
    assert gc.gate(lost_everything(0), {"FirstRank": 0}).passed
    found = gc.gate(lost_everything(2), {"FirstRank": 0}, worst=3)
    check = found.checks[0]
    assert (found.passed, check.lost, check.drop < 0) == (False, ("t00", "t01"), True)
    assert check.verdict == "failed: 2 topics without a score"
    assert found.sentences() == [
        "FirstRank of new is undefined for 2 topics with a score for old: t00, t01; over the rest it got better by "
        "1.0000 (p = .0020)."
    ]
    shape = found.to_dict()["checks"][0]  # type: ignore[index]
    assert shape["lost_topics"] == ["t00", "t01"]
    assert shape["worst_topics"][0] == {"topic": "t00", "baseline": 2.0, "candidate": None}
    turned = gc.evaluate({"1": {"a": 1}, "2": {"a": 1}, "3": {"a": 1}},
                         {"old": {"1": {"a": 1.0}, "2": {"a": 1.0}, "3": {"x": 1.0}},
                          "new": {"1": {"a": 1.0}, "2": {"a": 1.0}, "3": {"a": 1.0}}}, "FirstRank")  # fmt: skip
    assert gc.gate(turned, {"FirstRank": 0}).passed  # a score that is new is no loss


def test_a_gate_keeps_the_summary_of_its_measure() -> None:
    found = gc.gate(lost_everything(0), {"nDCG@10": 0})
    assert "means-compared" not in [note.slug for note in found.notes]
    ranks = gc.gate(lost_everything(0), {"FirstRank": 0})
    assert "means-compared" in [note.slug for note in ranks.notes]
    assert "got better by" in ranks.sentences()[0]


def test_two_names_of_one_measure_cannot_have_two_limits() -> None:
    both = scores("sharp", "legacy")
    with pytest.raises(GaincurveError, match=r"--max-drop gives nDCG@10 two limits, 0 and 0\.5"):
        gc.gate(both, {"nDCG@10": 0, "NDCG@10": 0.5})


def test_places_count_the_runs_that_are_better() -> None:
    def places(measure: str) -> list[int]:
        orders = gc.agree(QRELS, QRELS, {**RUNS, "twin": RUNS["sharp"]}, measure).orders
        assert orders is not None
        return orders.places(orders.first)

    made = gc.evaluate(QRELS, {**RUNS, "twin": RUNS["sharp"]}, ["FirstRank(rel=3)", "nDCG@10"])
    for measure, sign in (("FirstRank(rel=3)", 1), ("nDCG@10", -1)):
        kept = ~np.isnan(made.values[:, made.measures.index(measure)]).any(axis=0)
        means = sign * made.values[:, made.measures.index(measure)][:, kept].mean(axis=1).round(10)
        assert places(measure) == [1 + int((means < mean).sum()) for mean in means]


def test_agree_tells_that_means_are_compared() -> None:
    notes = [note.slug for note in gc.agree(QRELS, QRELS, RUNS, "FirstRank").notes]
    assert "means-compared" in notes
