"""Grades by rank, the share unjudged, and what is worth judging: the page's engine against plain loops over ids."""

import json
import math

from experiments import Case, cases, close
from node import run

import gaincurve
from gaincurve.model.scenario import Scenario
from gaincurve.page.observed.runs import observe
from gaincurve.page.settings import settings_of

BODY = """
return input.map(({ document, settings, depth }) => {
  const observed = gc.observe(document);
  const grades = settings.map((one) => observed.runs.map((_, r) => gc.gradesByRank(observed, one, r, depth)));
  const stops = ["plausible", "certain"];
  const judge = settings.map((one) => stops.map((stop) => gc.toJudge(observed, one, stop)));
  return { grades, judge, unjudged: gc.unjudgedByRank(observed, depth) };
});
"""


def ranked(case: Case, settings: dict) -> list[dict[str, list[str]]]:
    return [{t: one.ranked(settings["ties"]).ranking_of(t) for t in case.judgments.topics} for one in case.runs]


def is_judged(grade: float | None, settings: dict) -> bool:
    return grade is not None and (grade >= 0 or settings["negative"] == "judged")


def answers(seed: int, depth: int, experiments: int = 12):
    made = list(cases(seed=seed, experiments=experiments, settings=4))
    found = run(BODY, [{"document": c.document, "settings": c.settings, "depth": depth} for c in made])
    return zip(made, found, strict=True)


def test_grades_by_rank_count_every_topic_once_at_every_rank():
    for case, answer in answers(50, 30):
        grades = case.judgments.to_dict()
        for settings, by_run in zip(case.settings, answer["grades"], strict=True):
            for lists, run_, found in zip(ranked(case, settings), case.runs, by_run, strict=True):
                topics = [t for t in case.judgments.topics if settings["missing"] != "skip" or t in run_.topics]
                for k in range(30):
                    counts = dict.fromkeys(found["labels"], 0)
                    for topic in topics:
                        seen = [grades[topic].get(d) for d in lists[topic]]
                        if settings["unjudged"] == "condensed":
                            seen = [grade for grade in seen if is_judged(grade, settings)]
                        if k >= len(seen):
                            counts["nothing"] += 1
                        elif is_judged(seen[k], settings):
                            counts[f"{seen[k]:g}"] += 1
                        else:
                            counts["unjudged"] += 1
                    assert found["counts"][k] == list(counts.values())


def test_the_share_unjudged_is_a_mean_over_topics_that_retrieved_anything():
    for case, answer in answers(51, 20):
        grades, settings = case.judgments.to_dict(), case.settings[0]
        for lists, found in zip(ranked(case, settings), answer["unjudged"], strict=True):
            for k in range(1, 21):
                shares = []
                for topic, documents in lists.items():
                    seen = documents[:k]
                    if seen:
                        shares.append(sum(not is_judged(grades[topic].get(d), settings) for d in seen) / len(seen))
                assert close(found[k - 1], math.fsum(shares) / len(shares))


def wanted_by(case: Case, settings: dict, tried: tuple, stop: str) -> list[dict] | None:
    """What `gaincurve decide` asks next about the same runs; None where it refuses the measure."""
    scenario, measure, _ = tried
    try:
        decision = gaincurve.decide(
            case.judgments, case.runs, measure, scale=scale_of(case, settings), stop=stop, scenario=scenario
        )
    except gaincurve.ChoiceError as error:
        assert error.slug in ("decide-measure", "decide-scale")
        return None
    except gaincurve.InputError as error:
        assert error.slug == "topics-too-few"
        return None
    return [{"topic": row.topic, "document": row.document, "moves": row.moves} for row in decision.next]


def scale_of(case: Case, settings: dict) -> list[float]:
    """The grades that occur: a page knows no others."""
    return [grade for grade in case.judgments.scale.tolist() if is_judged(grade, settings)]


def test_what_is_worth_judging_is_what_decide_asks_next():
    met = refused = open_ = 0
    for case, answer in answers(52, 10, 80):
        topics = case.judgments.topics
        documents = case.document["documents"]
        by_stop = [
            (s, t, *one)
            for s, t, r in zip(case.settings, case.tried, answer["judge"], strict=True)
            for one in zip(("plausible", "certain"), r, strict=True)
        ]
        for settings, tried, stop, rows in by_stop:
            cutoff = settings["depth"]
            if cutoff > case.document["shown"]:
                continue  # a page names no documents so far down
            wanted = wanted_by(case, settings, tried, stop)
            if wanted is None:
                refused += 1
                assert not rows
                continue
            assert rows is not None
            named = [(topics[row["topic"]], documents[row["topic"]]["ids"][row["document"]]) for row in rows]
            assert named == [(row["topic"], row["document"]) for row in wanted]
            assert close([row["moves"] for row in rows], [row["moves"] for row in wanted])
            lists = ranked(case, settings)
            for (topic, document), row in zip(named, rows, strict=True):
                places = [(r, one[topic].index(document) + 1) for r, one in enumerate(lists) if document in one[topic]]
                assert [(p["run"], p["rank"]) for p in row["runs"]] == [p for p in places if p[1] <= cutoff]
            met, open_ = met + 1, open_ + bool(rows)
    assert met > 40
    assert open_ > 30
    assert refused > 40


def test_the_pool_to_download_is_what_the_command_writes():
    judged = {"t": {"a": 2, "b": 0}, "ü": {"c": 1, "b": 0}}
    runs = {"x": {"t": ["a", 'q"', "b"], "ü": ["z", "c"]}, "y": {"t": ["b", "a", "r"], "ü": ["c", "日本"]}}
    ranked_runs = [gaincurve.Run.of(lists, name) for name, lists in runs.items()]
    document = observe(gaincurve.Judgments.of(judged), ranked_runs, Scenario()).to_dict()
    chosen = settings_of(Scenario(), "nDCG@3", gaincurve.Judgments.of(judged).scale)
    body = "const o = gc.observe(input[0]); return gc.poolLines(o, gc.toJudge(o, input[1]));"
    drawn = gaincurve.pool(runs, judged, method="decide", depth=3, measure="nDCG@3")
    lines = sorted(drawn.to_jsonl().splitlines(), key=lambda line: json.loads(line)["priority"])
    assert len(lines) == 4
    assert run(body, [document, chosen]).splitlines() == lines
