"""What NIST's script sample_eval prints for one run, from our measures under its names."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gaincurve.errors import InputError, Problem
from gaincurve.measures.notation import parse_measure
from gaincurve.measures.sampled import Walk
from gaincurve.model.graded import Graded
from gaincurve.model.measure import Measure
from gaincurve.model.rows import Floats
from gaincurve.model.scenario import Scenario
from gaincurve.verbs.evaluate import score_topics
from gaincurve.verbs.experiment import Experiment, counted

DEPTH = 1000
CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
LEVELS = tuple(i / 10 for i in range(11))


def sample_eval_text(graded: Experiment, scenario: Scenario, empty_strata: str | None = None) -> str:
    """Every line that the script prints with -q: each topic's numbers, then those of all."""
    if len(graded.runs) != 1:
        raise InputError(Problem("format-one-run", f"sample_eval prints one run, and {len(graded.runs)} were given"))
    run, depth = graded.runs[0], scenario.depth or DEPTH
    named = _measures(depth, empty_strata)
    scores = score_topics(graded, [measure for _, measure in named], scenario)
    values = {name: scores.values[0, i] for i, (name, _) in enumerate(named)}
    values["num_ret"] = run.retrieved.astype(np.float64)
    topics = np.flatnonzero(counted(run, scenario))
    lines = []
    for t in _in_order(run.units.names, topics.tolist()):
        lines += [_line(name, run.units.names[t], _settled(by_topic[t])) for name, by_topic in values.items()]
    levels = _interpolated(run, depth)[topics].mean(axis=0)
    for name, by_topic in values.items():
        if name == "iP5":
            lines += [_line(f"iprec@rec{level:.2f}", "all", mean) for level, mean in zip(LEVELS, levels, strict=True)]
        chosen = np.nan_to_num(by_topic[topics])
        if name == "num_ret":  # of a topic the script counts the whole list, of all topics what it has read
            chosen = np.minimum(chosen, depth)
        lines.append(_line(name, "all", float(chosen.sum() if "num_" in name else chosen.mean())))
    return "".join(f"{line}\n" for line in lines)


def _measures(depth: int, empty_strata: str | None) -> list[tuple[str, Measure]]:
    """The names of the script, and our measures, in the order in which it prints them."""
    inside = "" if empty_strata is None else f"(empty_strata='{empty_strata}')"
    texts = {
        "infAP": f"xinfAP{inside}@{depth}",
        "infNDCG": f"infNDCG{inside}@{depth}",
        **{f"iP{k}": f"iP{inside}@{k}" for k in CUTOFFS},
        "inum_rel_ret": f"iNumRelRet{inside}@{depth}",
        "inum_rel": f"iNumRel{inside}",
    }
    return [(name, parse_measure(text)) for name, text in texts.items()]


def _in_order(names: Sequence[str], topics: list[int]) -> list[int]:
    """Topics by number where all are numbers, else by name."""
    if all(names[t].isdecimal() for t in topics):
        return sorted(topics, key=lambda t: int(names[t]))
    return sorted(topics, key=lambda t: names[t])


def _settled(value: float) -> float:
    """The script has no undefined values: a topic without anything relevant is 0."""
    return 0.0 if np.isnan(value) else float(value)


def _line(name: str, topic: str, value: float) -> str:
    if name == "num_ret":
        return f"{name}\t\t{topic}\t{value:9.0f}"
    if name in ("inum_rel", "inum_rel_ret"):
        return f"{name}\t{topic}\t{value:14.4f}"
    return f"{name}{'' if name.startswith('iprec') else chr(9)}\t{topic}\t\t{value:.4f}"


def _interpolated(run: Graded, depth: int) -> Floats:
    """Interpolated precision at eleven levels of estimated recall, by topic."""
    walk = Walk.of(run, 1.0, None, depth)
    run, total = walk.run, walk.total
    levels = np.zeros((run.lists, len(LEVELS)))
    starts = np.searchsorted(run.list, np.arange(run.lists + 1))
    for t, (start, stop) in enumerate(zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)):
        by_rank = np.zeros(int(run.retrieved[t]) + 1)
        by_rank[run.rank[start:stop]] = np.diff(walk.estimate[start:stop], prepend=0.0)
        levels[t] = _levels(np.cumsum(by_rank)[1:].tolist(), float(total[t]))
    return levels


def _levels(estimates: Sequence[float], total: float) -> list[float]:
    """From the last rank to the first the best precision so far goes to the levels that are no longer reached.

    `found[r − 1]` is the estimated number of relevant documents among the first r, at most one level goes at a rank.
    """
    reached = [0.0] * len(LEVELS)
    if not estimates:
        return reached
    level = max((i for i, share in enumerate(LEVELS) if share * total <= estimates[-1]), default=-1)
    best = 0.0
    for rank in range(len(estimates), 0, -1):
        best = max(best, estimates[rank - 1] / rank)
        if level >= 0 and LEVELS[level] * total > estimates[rank - 1]:
            reached[level] = best
            level -= 1
    return [best if i <= level else value for i, value in enumerate(reached)]
