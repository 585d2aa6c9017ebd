"""The tables that need no scripts: the runs from best to worst, and all pairs, with the numbers of `compare`."""

from __future__ import annotations

import math

import numpy as np

from gaincurve.model.comparison import Comparison, Family, Pair
from gaincurve.model.rows import Floats
from gaincurve.model.scores import Scores
from gaincurve.model.sentences import say
from gaincurve.model.source import counted
from gaincurve.model.summaries import mean
from gaincurve.model.wording import p_text
from gaincurve.page.content import Leaderboard, LeaderboardRow, PairRow
from gaincurve.stats.intervals import t_interval

ABSENT = "–"


def number(value: float) -> str:
    """Four digits after the point; a dash for what is undefined."""
    return ABSENT if math.isnan(value) else f"{value:.4f}".replace("-", "−")


def difference(value: float) -> str:
    """The same with its sign."""
    return ABSENT if math.isnan(value) else f"{value:+.4f}".replace("-", "−")


def interval(low: float, high: float) -> str:
    """Both ends of an interval; a dash where it is undefined."""
    return ABSENT if math.isnan(low) or math.isnan(high) else say("ends", low=number(low), high=number(high))


def leaderboard_of(scores: Scores, comparison: Comparison) -> Leaderboard:
    """Several runs on the first measure of `scores`, which was compared; the other measures are further columns."""
    family = comparison.families[0]
    base = comparison.baseline or family.runs[family.best_first[0]]
    reference = f"against {base}" if comparison.baseline else "behind the best"
    about = {"measure": family.measure, "reference": base, "intervals": family.intervals}
    return Leaderboard(
        caption=say("best to worst, differences", **about),
        measure=family.measure.text,
        interval=f"{_level(comparison.alpha)}% interval",
        reference=reference,
        others=scores.texts[1:],
        rows=tuple(
            LeaderboardRow(
                place=place,
                run=family.runs[r],
                mean=number(family.means[r]),
                interval=_difference_interval(family, family.runs[r], base),
                letters=family.groups[r] if family.groups else "",
                behind=_behind(family, r, base) + _mark(comparison, family.runs[r]),
                others=_others(scores, r),
            )
            for place, r in enumerate(family.best_first, 1)
        ),
    )


def leaderboard_untested(scores: Scores, alpha: float) -> Leaderboard:
    """Runs that cannot be compared because there is only one run, or only one topic: their means alone."""
    means = [mean(values) for values in scores.values[:, 0]]
    best_first = sorted(range(len(means)), key=lambda r: (-round(np.nan_to_num(means[r]), 10), scores.runs[r]))
    alone = len(scores.runs) == 1
    rows = tuple(
        LeaderboardRow(
            place=place,
            run=scores.runs[r],
            mean=number(means[r]),
            interval=_mean_interval(scores.values[r, 0][~np.isnan(scores.values[r, 0])], alpha) if alone else "",
            letters="",
            behind="",
            others=_others(scores, r),
        )
        for place, r in enumerate(best_first, start=1)
    )
    return Leaderboard(
        caption=say("mean and interval" if alone else "best to worst", measure=scores.texts[0], level=_level(alpha)),
        measure=scores.texts[0],
        interval=f"{_level(alpha)}% interval" if alone else "",
        reference="",
        others=scores.texts[1:],
        rows=rows,
    )


def _level(alpha: float) -> str:
    return f"{100 * (1 - alpha):g}"


def _difference_interval(family: Family, run: str, base: str) -> str:
    """The interval of the difference between a run and the one it is compared with; '' for that one itself."""
    for pair in family.pairs:
        if (pair.a, pair.b) == (run, base):
            return interval(pair.low, pair.high)
        if (pair.a, pair.b) == (base, run):
            return interval(-pair.high, -pair.low)
    return ""


def _mean_interval(values: Floats, alpha: float) -> str:
    return interval(*t_interval(values, alpha)) if len(values) > 1 else ABSENT


def _behind(family: Family, r: int, base: str) -> str:
    gap = family.means[r] - family.means[family.runs.index(base)]
    return "" if family.runs[r] == base else difference(gap)


def _mark(comparison: Comparison, run: str) -> str:
    """A star where a run differs from the baseline."""
    pairs = comparison.families[0].pairs if comparison.baseline else ()
    return " *" if any(pair.significant and run == pair.a for pair in pairs) else ""


def _others(scores: Scores, r: int) -> tuple[str, ...]:
    return tuple(number(mean(values)) for values in scores.values[r, 1:])


def pair_rows(comparison: Comparison) -> tuple[PairRow, ...]:
    """Every comparison of the first measure."""
    return tuple(_pair_row(pair) for pair in comparison.families[0].pairs)


def _pair_row(pair: Pair) -> PairRow:
    return PairRow(
        a=pair.a,
        b=pair.b,
        difference=difference(pair.difference),
        interval=interval(pair.low, pair.high),
        p=p_text(pair.p),
        p_adjusted=p_text(pair.p_adjusted),
        effect=difference(pair.effect),
        won=ABSENT if pair.wins is None else f"{pair.wins} / {pair.ties} / {pair.losses}",
        significant=pair.significant,
        judged=ABSENT if pair.standing is None else pair.standing.text,
    )


def pairs_caption(comparison: Comparison) -> str:
    """What the table of pairs shows: the measure, the test and the correction."""
    family = comparison.families[0]
    return f"{family.measure}: {family.methods} Intervals: {family.intervals}. {family.model}".rstrip()


def verdict_untested(scores: Scores, alpha: float) -> str:
    """What can be said where nothing can be compared."""
    if len(scores.runs) > 1:
        common = np.flatnonzero((~np.isnan(scores.values[:, 0])).all(axis=0))
        if len(common) == 1:
            return _verdict_on_one_topic(scores, scores.values[:, 0, common[0]].tolist())
        return say("too few topics", measure=scores.measures[0], topics=counted(len(common), "topic"))
    return _verdict_of_one(scores, alpha)


def _verdict_on_one_topic(scores: Scores, values: list[float]) -> str:
    """Which of the two best is ahead on the only topic that all runs share, and by how much."""
    first, second = sorted(range(len(values)), key=lambda r: (-round(values[r], 10), scores.runs[r]))[:2]
    gap = values[first] - values[second]
    about = {"measure": scores.measures[0], "better": scores.runs[first], "worse": scores.runs[second]}
    return say("one topic", **about, size=f"{gap:.4f}") if round(gap, 10) else say("one topic, level", **about)


def _verdict_of_one(scores: Scores, alpha: float) -> str:
    """What can be said of one run alone."""
    values = scores.values[0, 0]
    values = values[~np.isnan(values)]
    about = {"measure": scores.measures[0], "run": scores.runs[0], "topics": counted(len(values), "topic")}
    if not len(values):
        return say("no score", **about)
    about["mean"] = number(mean(values))
    ends = _mean_interval(values, alpha)
    if ends == ABSENT:
        return say("one run", **about)
    return say("one run, interval", **about, interval=say("interval", level=_level(alpha), ends=ends))
