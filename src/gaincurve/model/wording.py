"""A comparison in plain words: what may be claimed, and what may not."""

from __future__ import annotations

import math

from gaincurve.model.comparison import Family, Pair
from gaincurve.model.numbers import LEVELS, no_level
from gaincurve.model.sentences import say
from gaincurve.model.source import counted, examples
from gaincurve.model.standing import chance_text

MOST_NAMES = 6
MOST_DOUBTS = 2
"""More doubts than this are put into one clause."""


def p_text(p: float) -> str:
    """A p-value as papers print it: .048, < .0001, never 0.

    Worked: 0.04779 is '.048', 0.00004 is '< .0001', 0.0016 is '.0016', 0.0502 is '.0502'.
    """
    if math.isnan(p):
        return "–"
    if p < 0.0001:
        return "< .0001"
    if p > 1 - 1e-9:
        return "1"
    return no_level(p, 4 if p < 0.01 else 3, LEVELS).removeprefix("0")


def alpha_text(alpha: float) -> str:
    """0.05 as '.05'."""
    return f"{alpha:g}".removeprefix("0")


def joined(names: list[str]) -> str:
    """'a', 'a and b', 'a, b and c'; many are cut short."""
    if len(names) > MOST_NAMES:
        return examples(names, MOST_NAMES - 1)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def same_means(family: Family) -> bool:
    """Whether no two runs differ in their mean."""
    return len({round(mean, 10) for mean in family.means}) == 1


def in_words(family: Family, baseline: str, alpha: float) -> str:
    """One measure's verdict in one or two sentences: who is ahead, by how much, and what leaves it open."""
    if len(family.pairs) == 1:
        pair = family.pairs[0]
        turned = family.by != "means" and pair.better != family.mean_better(pair)
        return _one_pair_by_ranks(family, pair) if turned else _one_pair(family, pair, alpha)
    words = _against_baseline(family, baseline, alpha) if baseline else _all_pairs(family, alpha)
    return words + _turned(family)


def _one_pair(family: Family, pair: Pair, alpha: float) -> str:
    if not pair.better:
        both = {"measure": pair.measure, "a": pair.a, "b": pair.b}
        if pair.wins is None:
            return say("same mean", **both)
        return say("same mean over", **both, topics=counted(len(family.topics), family.unit))
    size = size_text(family, pair, pair.better, alpha)
    ahead = say("ahead", measure=pair.measure, better=pair.better, worse=pair.worse, size=size)
    decided = "ahead, significant" if pair.significant else "ahead, open"
    if pair.doubtful:
        return say(f"{decided}, doubted", ahead=ahead, doubt=doubt_text(pair))
    return say(decided, ahead=ahead)


def size_text(family: Family, pair: Pair, ahead: str, alpha: float) -> str:
    """'0.0310 (95% interval 0.0020 to 0.0600, p = .021 after Holm over 15 comparisons)', from the side of `ahead`.

    Where the pair's own interval leaves out 0 and the corrected p is not significant, both are said.
    """
    side = 1 if (ahead == pair.a) == family.higher_is_better else -1
    size, p = f"{side * pair.difference:.4f}", chance_of(pair.p_adjusted)
    if family.by != "means":
        p = say("p by", p=p, by=family.by)
    if not pair.has_interval:
        interval = say("no interval")
    else:
        low, high = sorted((side * pair.low, side * pair.high))
        ends = say("ends", low=f"{low:.4f}", high=f"{high:.4f}")
        interval = say("interval", level=f"{100 * (1 - alpha):g}", ends=ends)
        if family.correction and not pair.significant and (low > 0 or high < 0):
            return say("size of this pair alone", size=size, interval=interval, correction=family.correction, p=p)
    if family.correction:
        p = say("p corrected", p=p, correction=family.correction)
    return say("size", size=size, interval=interval, p=p)


def doubt_text(pair: Pair) -> str:
    """What leaves it open who is ahead: unjudged documents, or the order of tied ones."""
    standing = pair.standing
    if standing is None:
        return ""
    doubts = []
    if standing.few_judged or standing.unlikely:
        share, run = min((standing.judged_a, pair.a), (standing.judged_b, pair.b))
        unjudged = say("unjudged", percent=f"{100 * (1 - share):.0f}", run=run, depth=standing.depth)
        if math.isnan(standing.p):
            doubts.append(say("unjudged, open", unjudged=unjudged))
        elif standing.unlikely:
            p = chance_text(standing.p)
            doubts.append(say("unjudged, likely", unjudged=unjudged, better=pair.better or pair.a, p=p))
        else:
            doubts.append(say("unjudged, few", unjudged=unjudged))
    if standing.decided_by_ties:
        doubts.append(say("tied"))
    return doubts[0] if len(doubts) == 1 else say("doubts", first=doubts[0], second=doubts[1])


def chance_of(p: float) -> str:
    """'p = .048', 'p < .0001'."""
    text = p_text(p)
    return say("p below" if text.startswith("<") else "p", p=text)


def _one_pair_by_ranks(family: Family, pair: Pair) -> str:
    """A test that is not about means, where the means say something else."""
    chance = f"({chance_of(pair.p_adjusted)})"
    ahead = family.mean_better(pair)
    means = f"the mean of {ahead} is better by {abs(pair.difference):.4f}" if ahead else "the means are equal"
    if not pair.better:
        return f"On {pair.measure} neither {pair.a} nor {pair.b} is ahead by {family.by} {chance}, although {means}."
    won = f"{pair.a} better on {pair.wins}, {pair.b} on {pair.losses} of {counted(len(family.topics), family.unit)}"
    start = f"On {pair.measure} {pair.better} is ahead of {pair.worse} by {family.by} ({won})"
    if pair.significant:
        return f"{start}, significantly {chance}, although {means}."
    return f"{start}, but not significantly {chance}, although {means}."


def _turned(family: Family) -> str:
    """The significant pairs whose means say the opposite of the ranks."""
    pairs = [pair for pair in family.pairs if pair.significant and pair.better != family.mean_better(pair)]
    if not pairs:
        return ""
    named = examples([f"{pair.better} over {pair.worse}" for pair in pairs])
    return f" The test compares {family.by}; the means point the other way for {named}."


def _against_baseline(family: Family, base: str, alpha: float) -> str:
    """Which run to ship: the best of those that are shown to be better, and by how much."""
    place = {family.runs[r]: i for i, r in enumerate(family.best_first)}
    pairs = sorted(family.pairs, key=lambda pair: place[pair.a if pair.b == base else pair.b])
    other = {pair: pair.a if pair.b == base else pair.b for pair in pairs}
    sure = [pair for pair in pairs if pair.significant and not pair.doubtful]
    better = [other[pair] for pair in sure if pair.worse == base]
    worse = [other[pair] for pair in sure if pair.better == base]
    if better:
        most = next(pair for pair in sure if pair.worse == base)
        clauses = [
            say(
                "better" if len(better) == 1 else "better, several",
                runs=joined(better),
                are=_are(better),
                baseline=base,
                best=other[most],
                size=size_text(family, most, other[most], alpha),
            )
        ]
    elif not pairs[0].better:
        clauses = [say("none better, level", baseline=base, best=other[pairs[0]])]
    else:
        side = "ahead" if pairs[0].worse == base else "behind"
        size = size_text(family, pairs[0], pairs[0].better, alpha)
        clauses = [say("none better", baseline=base, best=other[pairs[0]], side=side, size=size)]
    doubted = [pair for pair in pairs if pair.significant and pair.doubtful]
    if len(doubted) > MOST_DOUBTS:
        clauses.append(say("doubted, several", runs=joined([other[pair] for pair in doubted]), baseline=base))
    else:
        for pair in doubted:
            side = "ahead of" if pair.worse == base else "behind"
            clauses.append(say("doubted", run=other[pair], side=side, baseline=base, doubt=doubt_text(pair)))
    if worse:
        clauses.append(say("worse", runs=joined(worse), are=_are(worse), baseline=base))
    undecided = [other[pair] for pair in pairs if not pair.significant]
    if undecided:
        clauses.append(say("open", runs=joined(undecided), are=_are(undecided), baseline=base))
    return say("against a baseline", measure=family.measure, clauses="; ".join(clauses))


def _all_pairs(family: Family, alpha: float) -> str:
    first, second = (family.runs[r] for r in family.best_first[:2])
    of_first = {pair.a if pair.b == first else pair.b: pair for pair in family.pairs if first in (pair.a, pair.b)}
    above = [pair.better for pair in of_first.values() if pair.significant and pair.worse == first]
    significant = sum(pair.significant for pair in family.pairs)
    pairs = _significant_pairs(family, significant)
    if same_means(family):
        return say("all the same, but" if significant else "all the same", measure=family.measure, pairs=pairs)
    best = say("highest" if family.higher_is_better else "lowest", measure=family.measure, run=first)
    if family.mean_better(of_first[second]):
        best = say("best, ahead", best=best, second=second, size=size_text(family, of_first[second], first, alpha))
    else:
        best = say("best, level", best=best, second=second)
    others = [family.runs[r] for r in family.best_first[1:]]
    if above:
        level = [run for run in others if not of_first[run].significant]
        rest = f"; {joined(level)} {_are(level)} not significantly different from it" if level else ""
        return f"{best}, but {joined(above)} {_are(above)} significantly better by {family.by}{rest}; {pairs}."
    beaten = [run for run in others if of_first[run].significant and not of_first[run].doubtful]
    doubted = [run for run in others if of_first[run].significant and of_first[run].doubtful]
    level = [run for run in others if not of_first[run].significant]
    clauses = [best]
    if len(beaten) == len(others):
        clauses.append(say("beats all"))
    elif beaten:
        clauses.append(say("beats", runs=joined(beaten)))
    if len(doubted) > MOST_DOUBTS:
        clauses.append(say("leads open", runs=joined(doubted)))
    else:
        clauses += [say("lead open", run=run, doubt=doubt_text(of_first[run])) for run in doubted]
    if not significant:
        clauses.append(say("nothing shown"))
    else:
        clauses += [say("level", runs=joined(level), are=_are(level))] if level else []
        clauses.append(pairs)
    return say("clauses", clauses="; ".join(clauses))


def _significant_pairs(family: Family, significant: int) -> str:
    """'9 of 15 pairs differ significantly', and how many of them stand on unjudged or tied documents."""
    differ = "differs" if significant == 1 else "differ"
    counts = {"significant": significant, "differ": differ, "pairs": counted(len(family.pairs), "pair")}
    doubted = sum(pair.significant and pair.doubtful for pair in family.pairs)
    if not doubted:
        return say("significant pairs", **counts)
    depend = "depends" if doubted == 1 else "depend"
    return say("significant pairs, doubted", **counts, doubted=doubted, depend=depend)


def _are(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"
