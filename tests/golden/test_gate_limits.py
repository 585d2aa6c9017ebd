"""Every kind of limit of a gate against plain loops and scipy's one-sided t."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import gaincurve as gc
from gaincurve.cli import main
from gaincurve.model.limits import FAILING, PASSING, Drop, JudgedLimit, Limit, Margin, TopicLimit

TOPICS = [f"t{i:02d}" for i in range(20)]


def shifted(by: float, spread: float, topics: list[str] = TOPICS) -> tuple[dict, dict, np.ndarray]:
    """Judgments, two runs of which the candidate ranks worse the larger `by`, and its differences in nDCG@5."""
    chance = np.random.default_rng([int(1000 * (1 + by)), int(1000 * spread), len(topics)])
    judged = {topic: {f"d{j}": int(chance.integers(0, 4)) for j in range(12)} for topic in topics}
    old = {t: {d: g + chance.normal(0, 1) for d, g in docs.items()} for t, docs in judged.items()}
    new = {t: {d: s - by * judged[t][d] + chance.normal(0, spread) for d, s in docs.items()} for t, docs in old.items()}
    scores = gc.evaluate(judged, {"old": old, "new": new}, "nDCG@5")
    return judged, {"old": old, "new": new}, scores["new", "nDCG@5"].values - scores["old", "nDCG@5"].values


@pytest.mark.parametrize("margin", [0.0, 0.005, 0.01, 0.03, 0.05, 0.1, 0.2])
@pytest.mark.parametrize(("by", "spread"), [(0.0, 0.1), (0.2, 0.5), (-0.3, 0.5), (0.5, 0.1)])
def test_non_inferiority_is_the_one_sided_t_of_scipy(margin: float, by: float, spread: float) -> None:
    judged, runs, differences = shifted(by, spread)
    for alpha in (0.05, 0.01, 0.2):
        gate = gc.gate(judged, runs, not_worse_by={"nDCG@5": margin}, alpha=alpha)
        (check,) = gate.checks
        assert isinstance(check, Margin)
        bound = stats.ttest_1samp(differences, 0, alternative="greater").confidence_interval(1 - alpha).low
        assert check.bound == pytest.approx(bound, abs=1e-12)
        p = stats.ttest_1samp(differences, -margin, alternative="greater").pvalue
        assert gate.passed == (p < alpha)
        assert check.why == ("within-limit" if p < alpha else "not-shown")


def test_non_inferiority_where_nothing_varies() -> None:
    judged = {t: {"a": 1, "b": 1} for t in TOPICS}
    old = {t: {"a": 2.0, "b": 1.0} for t in TOPICS}
    same = gc.gate(judged, {"old": old, "new": old}, not_worse_by={"nCG@2": 0.001})
    assert (same.passed, same.checks[0].to_dict()["bound"]) == (True, 0.0)
    half = {t: {"a": 2.0} for t in TOPICS}  # every topic falls by exactly 0.5
    assert gc.gate(judged, {"old": old, "new": half}, not_worse_by={"nCG@2": 0.51}).passed
    assert not gc.gate(judged, {"old": old, "new": half}, not_worse_by={"nCG@2": 0.5}).passed
    few = {t: judged[t] for t in TOPICS[:3]}  # 2^-3 is above .05: three topics cannot show it
    gate = gc.gate(few, {"old": old, "new": half}, not_worse_by={"nCG@2": 0.51})
    assert (gate.passed, gate.checks[0].to_dict()["bound"]) == (False, None)


def test_few_topics_count_against_the_candidate_only_where_it_must_be_shown() -> None:
    judged = {t: {"a": 1} for t in TOPICS[:6]}
    runs = {"old": {t: ["a"] for t in judged}, "new": {t: ["x", "a"] if t == "t03" else ["a"] for t in judged}}
    assert gc.gate(judged, runs, {"RR": 0.0}).passed  # one of six topics fell: chance could explain it
    assert not gc.gate(judged, runs, not_worse_by={"RR": 0.01}).passed
    assert not gc.gate(judged, runs, {"RR": 0.0}, strict=True).passed


def test_margins_on_sessions_of_their_own_use_welch() -> None:
    chance = np.random.default_rng(14)
    judged = {"1": {"a": 2, "b": 1}}
    lists = {system: [chance.permutation(["a", "b", "x", "y"]).tolist() for _ in range(12)] for system in "ab"}
    logs = {
        system: {f"{system}{i}": [ranking] for i, ranking in enumerate(rankings)} for system, rankings in lists.items()
    }
    topics = {session: "1" for log in logs.values() for session in log}
    scores = gc.evaluate_sessions(judged, logs, "nsDCG", topics=topics)
    assert scores.design == "unpaired"
    (check,) = gc.gate(scores, not_worse_by={"nsDCG": 0.2}).checks
    values = [scores[s, "nsDCG"].values[~np.isnan(scores[s, "nsDCG"].values)] for s in scores.runs]
    welch = stats.ttest_ind(values[1], values[0], equal_var=False, alternative="greater")
    assert isinstance(check, Margin)
    assert check.bound == pytest.approx(welch.confidence_interval(0.95).low, abs=1e-12)
    with pytest.raises(gc.ChoiceError, match="cannot be compared one by one"):
        gc.gate(scores, max_topic_drop={"nsDCG": 0.2})


def test_strict_fails_on_any_drop_beyond_the_limit() -> None:
    judged, runs, differences = shifted(0.05, 0.5)
    drop = -differences.mean()
    loose = gc.gate(judged, runs, {"nDCG@5": 0.0})
    strict = gc.gate(judged, runs, {"nDCG@5": 0.0}, strict=True)
    assert strict.passed == (drop <= 0)
    assert isinstance(loose.checks[0], Drop)
    assert loose.checks[0].pair.p == pytest.approx(stats.ttest_1samp(differences, 0).pvalue)
    assert gc.gate(judged, runs, {"nDCG@5": abs(drop) + 1e-6}, strict=True).passed


def test_a_relative_limit_is_a_share_of_the_baselines_mean() -> None:
    judged, runs, differences = shifted(0.6, 0.2)
    mean = gc.evaluate(judged, runs["old"], "nDCG@5").summary()["run"]["nDCG@5"]
    share = -differences.mean() / mean
    assert share > 0.01
    check = gc.gate(judged, runs, {"nDCG@5": "1%"}).checks[0]
    assert isinstance(check, Drop)
    assert check.limit == pytest.approx(0.01 * mean)
    assert gc.gate(judged, runs, {"nDCG@5": f"{100 * share + 0.01}%"}, strict=True).passed
    assert not gc.gate(judged, runs, {"nDCG@5": f"{100 * share - 0.01}%"}, strict=True).passed
    binary = {t: {"a": 1, "b": 0} for t in TOPICS}
    nothing = {"old": {t: ["b"] for t in TOPICS}, "new": {t: ["a"] for t in TOPICS}}
    with pytest.raises(gc.ChoiceError, match=r"1% of the mean P@5 of old, which is 0, is no limit"):
        gc.gate(binary, nothing, {"P@5": "1%"})


def test_a_floor_is_about_the_summary_that_eval_prints() -> None:
    judged, runs, _ = shifted(0.0, 0.3)
    measure = "nDCG(summary='median')@5"
    value = gc.evaluate(judged, runs, measure).summary()["new"][measure]
    assert gc.gate(judged, runs, min_score={measure: value}).passed
    failed = gc.gate(judged, runs, min_score={measure: value + 1e-6})
    assert (failed.passed, failed.checks[0].why) == (False, "below-minimum")
    ranks = gc.evaluate(judged, runs, "FirstRank").summary()["new"]["FirstRank"]
    assert gc.gate(judged, runs, min_score={"FirstRank": ranks}).passed  # less is better: the highest rank allowed
    assert not gc.gate(judged, runs, min_score={"FirstRank": ranks - 0.01}).passed


def test_a_floor_needs_no_test_and_so_no_second_topic() -> None:
    judged, runs = {"q": {"a": 1}}, {"old": {"q": ["a"]}, "new": {"q": ["b", "a"]}}
    assert gc.gate(judged, runs, min_score={"RR": 0.5}).passed
    assert not gc.gate(judged, runs, min_score={"RR": 0.51}).passed


def test_topics_that_fall_too_far_are_counted_by_a_plain_loop() -> None:
    judged, runs, differences = shifted(0.6, 0.5)
    for limit in (0.0, 0.05, 0.1, 0.2, 0.4):
        beyond = [t for t, d in zip(TOPICS, differences, strict=True) if -d > limit + 1e-9]
        for allowed in range(len(TOPICS) + 1):
            gate = gc.gate(judged, runs, max_topic_drop={"nDCG@5": (limit, allowed)})
            assert gate.passed == (len(beyond) <= allowed)
            assert sorted(gate.checks[0].to_dict()["beyond_topics"]) == beyond  # type: ignore[call-overload]
        assert gc.gate(judged, runs, max_topic_drop={"nDCG@5": f"{limit}:20"}).passed


def test_a_topic_without_a_score_any_more_has_fallen_too_far() -> None:
    judged = {t: {"a": 1} for t in TOPICS}
    old = {t: ["x", "a"] for t in TOPICS}
    new = {t: ["a"] for t in TOPICS[1:]} | {TOPICS[0]: ["x"]}
    gate = gc.gate(judged, {"old": old, "new": new}, max_topic_drop={"FirstRank": 5})
    assert (gate.passed, gate.why) == (False, ["FirstRank: topic-drops"])


def test_the_share_judged_is_that_of_a_plain_loop() -> None:
    judged, runs, _ = shifted(0.0, 0.3)
    unjudged = dict(zip(TOPICS, np.random.default_rng(14).integers(0, 9, len(TOPICS)).tolist(), strict=True))
    new = {t: {**docs, **{f"u{i}": 9.0 + i for i in range(unjudged[t])}} for t, docs in runs["new"].items()}
    shares = [
        np.mean([d in judged[t] for d in sorted(docs, key=lambda d: (-docs[d], d))[:10]]) for t, docs in new.items()
    ]
    share = float(np.mean(shares))
    both = {"old": runs["old"], "new": new}
    gate = gc.gate(judged, both, min_judged=(share, 10))
    assert gate.passed
    assert gate.checks[0].after == pytest.approx(share)
    assert gc.gate(judged, both, min_judged=(share + 1e-6, 10)).why == ["judged@10: few-judged"]


def test_drops_are_one_family_and_each_margin_stands_for_itself() -> None:
    judged, runs, _ = shifted(0.3, 0.4)
    measures = ["nDCG@5", "P@5", "AP"]
    scores = gc.evaluate(judged, runs, measures)
    p = {m: stats.ttest_rel(scores["new", m].values, scores["old", m].values).pvalue for m in measures}
    holm, worst = {}, 0.0
    for i, m in enumerate(sorted(p, key=p.__getitem__)):
        worst = max(worst, min(1.0, (3 - i) * p[m]))
        holm[m] = worst
    gate = gc.gate(scores, dict.fromkeys(measures, 0.0), not_worse_by={"nDCG@5": 0.05})
    for check in gate.checks[:3]:
        assert check.pair is not None
        assert check.pair.p_adjusted == pytest.approx(holm[check.measure.text])
    alone = gc.gate(scores, not_worse_by={"nDCG@5": 0.05}).checks[0]
    assert isinstance(alone, Margin)
    assert isinstance(gate.checks[3], Margin)
    assert gate.checks[3].bound == alone.bound


def test_one_margin_for_all_measures() -> None:
    judged, runs, _ = shifted(0.0, 0.3)
    scores = gc.evaluate(judged, runs, ["nDCG@5", "P@5"])
    assert [check.name for check in gc.gate(scores, not_worse_by=0.2).checks] == ["nDCG@5", "P@5"]
    assert [check.name for check in gc.gate(judged, runs, {"P@5": 1}, not_worse_by="5%").checks] == ["P@5", "P@5"]
    assert [check.name for check in gc.gate(judged, runs, not_worse_by=0.2).checks] == ["nDCG@10"]


def test_scores_and_what_they_are_made_of_give_the_same_gate() -> None:
    judged, runs, _ = shifted(0.3, 0.4)
    scores = gc.evaluate(judged, runs, ["nDCG@5"], gains="exp2", ties="trec-float32")
    one = gc.gate(scores, {"nDCG@5": 0.01})
    two = gc.gate(judged, runs, {"nDCG@5": 0.01}, gains="exp2", ties="trec-float32")
    assert one.to_dict() == two.to_dict()
    cut = gc.gate(judged, runs, {"nDCG": 0.01}, gains="exp2", ties="trec-float32", depth=5)
    assert cut.to_dict() == two.to_dict()
    compared = gc.compare(judged, runs, ["nDCG@5"], gains="exp2", ties="trec-float32")
    assert compared.to_dict() == gc.compare(scores).to_dict()
    assert gc.compare(judged, runs, "nDCG@5", test="wilcoxon").test == gc.compare(scores, "wilcoxon").test == "wilcoxon"
    with pytest.raises(gc.ChoiceError, match="choices-made"):
        gc.gate(scores, {"nDCG@5": 0.01}, gains="exp2")
    with pytest.raises(gc.ChoiceError, match="choices-made"):
        gc.compare(scores, scenario="busy")
    with pytest.raises(gc.GaincurveError, match="runs are missing"):
        gc.compare(judged)  # type: ignore[arg-type]


def test_sessions_too_come_as_judgments_and_logs() -> None:
    chance = np.random.default_rng(14)
    judged = {"1": {"a": 2, "b": 1}}
    logs = {s: {f"s{i}": [chance.permutation(["a", "b", "x"]).tolist()] for i in range(6)} for s in ("old", "new")}
    records = {
        s: [{"session": k, "query": 1, "topic": "1", "ranking": v[0]} for k, v in log.items()]
        for s, log in logs.items()
    }
    scores = gc.evaluate_sessions(judged, records, "nsDCG", bq=2)
    assert gc.compare(judged, records, "nsDCG", bq=2).to_dict() == gc.compare(scores).to_dict()
    assert gc.gate(judged, records, {"nsDCG": 0.5}, bq=2).to_dict() == gc.gate(scores, {"nsDCG": 0.5}).to_dict()


@pytest.mark.parametrize(
    "given",
    [
        {"max_drop": {"nDCG@10": "x%"}}, {"max_drop": {"nDCG@10": "-1%"}}, {"max_drop": "nDCG@10=0.01"},
        {"min_score": {"nDCG@10": "nan"}}, {"max_topic_drop": {"nDCG@10": "0.3:"}},
        {"max_topic_drop": {"nDCG@10": "0.3:-1"}}, {"max_topic_drop": {"nDCG@10": (0.3, 1.5)}},
        {"min_judged": "0.5"}, {"min_judged": "1.5@10"}, {"min_judged": "0.5@0"}, {"not_worse_by": "little"}, {},
        {"strict": True, "min_score": {"nDCG@10": 0.1}},
    ],
)  # fmt: skip
def test_limits_that_make_no_sense_are_refused(given: dict) -> None:
    judged, runs, _ = shifted(0.0, 0.3)
    with pytest.raises(gc.ChoiceError, match="gate-limit"):
        gc.gate(judged, runs, **given)


def test_limits_say_themselves_as_they_were_written() -> None:
    assert (str(Limit.of("1.5%", "")), str(Limit.of(0.01, ""))) == ("1.5%", "0.01")
    assert TopicLimit.of("0.3:2", "") == TopicLimit.of((0.3, 2), "") == (0.3, 2)
    assert JudgedLimit.of("0.5@10") == JudgedLimit.of((0.5, 10)) == (0.5, 10)


def test_the_command_says_in_one_field_why_it_failed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    judged, runs, _ = shifted(0.8, 0.2)
    paths = {name: str(tmp_path / name) for name in ("qrels", "old", "new")}
    Path(paths["qrels"]).write_text("".join(f"{t} 0 {d} {g}\n" for t, docs in judged.items() for d, g in docs.items()))
    for name, run in runs.items():
        text = "".join(f"{t} Q0 {d} 1 {s!r} x\n" for t, docs in run.items() for d, s in docs.items())
        Path(paths[name]).write_text(text)
    given = ["--max-drop", "nDCG@5=1%", "--not-worse-by", "P@5=.5", "--min", "nDCG@5=.99", "--max-topic-drop",
             "nDCG@5=.01:1", "--min-judged", ".5@10"]  # fmt: skip
    assert main(["gate", *paths.values(), *given, "-f", "json"]) == 1
    shape = json.loads(capsys.readouterr().out)
    assert shape["why"] == ["nDCG@5: significant-drop", "nDCG@5: below-minimum", "nDCG@5: topic-drops"]
    assert [check["rule"] for check in shape["checks"]] == [
        "max-drop", "not-worse-by", "min", "max-topic-drop", "min-judged",
    ]  # fmt: skip
    assert {check["why"] for check in shape["checks"]} <= {*FAILING, *PASSING}
    assert [m["name"] for m in shape["measures"]] == ["nDCG@5", "P@5"]
    for form in ("table", "tsv", "csv", "jsonl", "md", "latex"):
        assert main(["gate", *paths.values(), *given, "-f", form]) == 1
        assert capsys.readouterr().out
    assert main(["gate", *paths.values(), "--not-worse-by", ".9", "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["why"] == []
    assert main(["gate", *paths.values()]) == 2
    assert "no limit was given" in capsys.readouterr().err
