"""A comparison in plain words: what may be claimed, and what may not."""

from __future__ import annotations

import math

from gaincurve.model.comparison import Family, Pair
from gaincurve.model.sentences import say
from gaincurve.model.source import counted, examples

MOST_NAMES = 6


def p_text(p: float) -> str:
    """A p-value as papers print it: .048, < .0001, never 0.

    Worked: 0.04779 is '.048', 0.00004 is '< .0001', 0.0016 is '.0016'.
    """
    if math.isnan(p):
        return "–"
    if p < 0.0001:
        return "< .0001"
    text = f"{p:.3f}" if p >= 0.01 else f"{p:.4f}"
    return text.removeprefix("0") if p < 1 else "1"


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
    """One measure's verdict in one or two sentences."""
    if len(family.pairs) == 1:
        pair = family.pairs[0]
        turned = family.by != "means" and pair.better != family.mean_better(pair)
        return _one_pair_by_ranks(family, pair) if turned else _one_pair(family, pair, alpha)
    return (_against_baseline(family, baseline) if baseline else _all_pairs(family)) + _turned(family)


def _one_pair(family: Family, pair: Pair, alpha: float) -> str:
    if not pair.better:
        both = {"measure": pair.measure, "a": pair.a, "b": pair.b}
        if pair.wins is None:
            return say("same mean", **both)
        return say("same mean over", **both, topics=counted(len(family.topics), "topic"))
    ahead = say(
        "ahead",
        measure=pair.measure,
        better=pair.better,
        worse=pair.worse,
        size=f"{abs(pair.difference):.4f}",
        interval=say("interval", level=f"{100 * (1 - alpha):g}", ends=_ends(pair)),
    )
    return say("ahead, significant" if pair.significant else "ahead, open", ahead=ahead, p=_chance(pair))


def _chance(pair: Pair) -> str:
    """'(p = .048)', '(p < .0001)'."""
    p = p_text(pair.p_adjusted)
    return say("p below" if p.startswith("<") else "p", p=p)


def _one_pair_by_ranks(family: Family, pair: Pair) -> str:
    """A test that is not about means, where the means say something else."""
    chance = _chance(pair)
    ahead = family.mean_better(pair)
    means = f"the mean of {ahead} is better by {abs(pair.difference):.4f}" if ahead else "the means are equal"
    if not pair.better:
        return f"On {pair.measure} neither {pair.a} nor {pair.b} is ahead by {family.by} {chance}, although {means}."
    won = f"{pair.a} better on {pair.wins}, {pair.b} on {pair.losses} of {counted(len(family.topics), 'topic')}"
    start = f"On {pair.measure} {pair.better} is ahead of {pair.worse} by {family.by} ({won})"
    if pair.significant:
        return f"{start}, more than chance explains {chance}, although {means}."
    return f"{start}, which chance could explain {chance}, although {means}: no difference is shown."


def _turned(family: Family) -> str:
    """The significant pairs whose means say the opposite of the ranks."""
    pairs = [pair for pair in family.pairs if pair.significant and pair.better != family.mean_better(pair)]
    if not pairs:
        return ""
    named = examples([f"{pair.better} over {pair.worse}" for pair in pairs])
    return f" The test goes by {family.by}; the mean says otherwise about {named}."


def _ends(pair: Pair) -> str:
    ends = (pair.low, pair.high) if pair.difference >= 0 else (-pair.high, -pair.low)
    if any(map(math.isnan, ends)):
        return "undefined"
    return say("ends", low=f"{ends[0]:.4f}", high=f"{ends[1]:.4f}")


def _against_baseline(family: Family, base: str) -> str:
    better = [pair.better for pair in family.pairs if pair.significant and pair.worse == base]
    worse = [pair.worse for pair in family.pairs if pair.significant and pair.better == base]
    undecided = [pair.a if pair.b == base else pair.b for pair in family.pairs if not pair.significant]
    groups = [
        say(sentence, runs=joined(runs), are=_are(runs), baseline=base)
        for sentence, runs in (
            ("better", better),
            ("worse, too" if better else "worse", worse),
            ("open, too" if better or worse else "open", undecided),
        )
        if runs
    ]
    return say("against a baseline", measure=family.measure, groups="; ".join(groups))


def _all_pairs(family: Family) -> str:
    first = family.runs[family.best_first[0]]
    beaten = set(family.beaten_by(first))
    above = [pair.better for pair in family.pairs if pair.significant and pair.worse == first]
    level = [family.runs[r] for r in family.best_first[1:] if family.runs[r] not in beaten.union(above)]
    significant = sum(pair.significant for pair in family.pairs)
    best = say("highest" if family.higher_is_better else "lowest", measure=family.measure, run=first)
    pairs = say("significant pairs", significant=significant, pairs=counted(len(family.pairs), "pair"))
    if same_means(family):
        return say("all the same, but" if significant else "all the same", measure=family.measure, pairs=pairs)
    if not significant:
        return say("nothing shown", best=best)
    if above:
        rest = f"; {joined(level)} {_are(level)} not shown to differ from it" if level else ""
        return f"{best}, but {joined(above)} {_are(above)} significantly better by {family.by}{rest}; {pairs}."
    if not level:
        return say("beats all", best=best, pairs=pairs)
    return say("some level", best=best, runs=joined(level), are=_are(level), pairs=pairs)


def _are(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"
