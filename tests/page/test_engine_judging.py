"""Grades by rank, the share unjudged, and what is worth judging: the page's engine against plain loops over ids."""

import math

import numpy as np
from experiments import Case, cases, close
from node import run

import gaincurve
from gaincurve.model.scenario import Scenario

BODY = """
return input.map(({ document, settings, depth }) => {
  const observed = gc.observe(document);
  const grades = settings.map((one) => observed.runs.map((_, r) => gc.gradesByRank(observed, one, r, depth)));
  const judge = settings.map((one) => gc.toJudge(observed, one, 9999));
  return { grades, judge, unjudged: gc.unjudgedByRank(observed, depth) };
});
"""


def ranked(case: Case, settings: dict) -> list[dict[str, list[str]]]:
    return [{t: one.ranked(settings["ties"]).ranking_of(t) for t in case.judgments.topics} for one in case.runs]


def is_judged(grade: float | None, settings: dict) -> bool:
    return grade is not None and (grade >= 0 or settings["negative"] == "judged")


def answers(seed: int, depth: int):
    made = list(cases(seed=seed, experiments=12, settings=4))
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


def common_means(judged: dict, lists: list[dict], scenario: Scenario, depth: int) -> list[float]:
    """Mean nDCG of each run over the topics that all of them have; 0 where there are none."""
    scores = gaincurve.evaluate(
        judged, {f"r{i}": one for i, one in enumerate(lists)}, f"nDCG@{depth}", scenario=scenario
    )
    values = scores.values[:, 0]
    kept = values[:, ~np.isnan(values).any(axis=0)]
    return [math.fsum(row) / len(row) if len(row) else 0.0 for row in kept.tolist()]


def test_what_is_worth_judging_moves_two_runs_apart_by_what_it_says():
    """Each judgment is added, and everything evaluated anew."""
    met = moved = 0
    for case, answer in answers(52, 10):
        grades, topics = case.judgments.to_dict(), case.judgments.topics
        ids = [entry["ids"] for entry in case.document["documents"]]
        for settings, found in zip(case.settings, answer["judge"], strict=True):
            table = dict(zip(case.judgments.scale.tolist(), settings["gains"], strict=True))
            best = max(table, key=lambda grade: table[grade])
            scenario, depth = plain(settings, table), settings["depth"]
            if depth > case.document["shown"]:
                continue  # where else such a document stands is not known
            lists = [
                {t: one.ranked(settings["ties"]).ranking_of(t) for t in one.topics if t in grades} for one in case.runs
            ]
            before = common_means(grades, lists, scenario, depth)
            for one in [*found[:5], *found[-3:]]:
                topic, document = topics[one["topic"]], ids[one["topic"]][one["document"]]
                if table.get(grades[topic].get(document), 0) > 0:
                    continue  # pooled, not judged, and worth something all the same
                after = common_means({**grades, topic: {**grades[topic], document: best}}, lists, scenario, depth)
                changes = [new - old for new, old in zip(after, before, strict=True)]
                assert close(one["swing"], max(changes) - min(changes))
                met, moved = met + 1, moved + (one["swing"] > 1e-6)
            order = [one["swing"] for one in found]
            assert order == sorted(order, reverse=True)
    assert met > 150
    assert moved > 100


def plain(settings: dict, table: dict[float, float]) -> Scenario:
    """The scenario of some settings with documents where they stand and the ideal of the judgments."""
    names = ("missing", "empty", "negative")
    base = {"inf": math.inf}.get(settings["base"], settings["base"])
    return Scenario().with_choices(
        gains=table, discount=settings["discount"], base=base, **{name: settings[name] for name in names}
    )


def test_all_unjudged_documents_above_the_depth_are_listed_with_their_ranks():
    met = 0
    for case, answer in answers(53, 10):
        grades, topics = case.judgments.to_dict(), case.judgments.topics
        for settings, found in zip(case.settings, answer["judge"], strict=True):
            wanted = {}
            for t, topic in enumerate(topics):
                lists = [one[topic][: min(settings["depth"], 20)] for one in ranked(case, settings)]
                for document in {d for one in lists for d in one}:
                    if not is_judged(grades[topic].get(document), settings):
                        places = [(r, one.index(document) + 1) for r, one in enumerate(lists) if document in one]
                        wanted[t, document] = places
            ids = [entry["ids"] for entry in case.document["documents"]]
            listed = {
                (one["topic"], ids[one["topic"]][one["document"]]): [(p["run"], p["rank"]) for p in one["runs"]]
                for one in found
            }
            assert listed == wanted
            met += len(wanted)
    assert met > 100
