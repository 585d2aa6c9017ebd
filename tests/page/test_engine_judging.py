"""Grades by rank, the share unjudged, and what is worth judging: the page's engine against plain loops over ids."""

import math

from experiments import Case, cases, close
from node import run

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


def divisor(settings: dict, i: int) -> float:
    """D(i) from its definition."""
    b = {"inf": math.inf}.get(settings["base"], settings["base"])
    return {
        "none": lambda: 1.0,
        "rank": lambda: float(i),
        "log": lambda: math.log2(i + 1),
        "jk2002": lambda: 1.0 if i < b else math.log(i, b),
        "jarvelin2008": lambda: 1.0 if b == math.inf else 1 + math.log(i, b),
        "kanoulas2011": lambda: 1.0 if b == math.inf else math.log(i + b - 1, b),
    }[settings["discount"]]()


def test_what_is_worth_judging_is_what_could_move_two_runs_apart():
    met = 0
    for case, answer in answers(52, 10):
        grades, topics = case.judgments.to_dict(), case.judgments.topics
        for settings, found in zip(case.settings, answer["judge"], strict=True):
            gain = dict(zip(case.judgments.scale.tolist(), settings["gains"], strict=True))
            best, depth = max(gain.values()), min(settings["depth"], 20)
            swings = {}
            for t, topic in enumerate(topics):
                ideal = sorted((gain[g] for g in grades[topic].values()), reverse=True)[: settings["depth"]]
                whole = max(sum(g / divisor(settings, i) for i, g in enumerate(ideal, 1)), best / divisor(settings, 1))
                lists = [one[topic][:depth] for one in ranked(case, settings)]
                for document in {d for one in lists for d in one}:
                    if is_judged(grades[topic].get(document), settings):
                        continue
                    places = [one.index(document) + 1 if document in one else 0 for one in lists]
                    worth = [1 / divisor(settings, rank) if rank else 0.0 for rank in places]
                    swing = best * (max(worth) - min(worth)) / whole / len(topics) if whole > 0 else 0.0
                    swings[t, document] = (swing, [(r, rank) for r, rank in enumerate(places) if rank])
            ids = [entry["ids"] for entry in case.document["documents"]]
            assert len(found) == len(swings)
            for one in found:
                swing, places = swings[one["topic"], ids[one["topic"]][one["document"]]]
                assert close(one["swing"], swing)
                assert [(place["run"], place["rank"]) for place in one["runs"]] == places
                met += 1
            order = [one["swing"] for one in found]
            assert order == sorted(order, reverse=True)
    assert met > 100
