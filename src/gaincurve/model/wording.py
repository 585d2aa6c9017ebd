"""A comparison in plain words: what may be claimed, and what may not."""

from __future__ import annotations

import math

from gaincurve.model.comparison import Family, Pair
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


def in_words(family: Family, baseline: str, alpha: float) -> str:
    """One measure's verdict in one or two sentences."""
    if len(family.pairs) == 1:
        return _one_pair(family, family.pairs[0], alpha)
    return _against_baseline(family, baseline) if baseline else _all_pairs(family)


def _one_pair(family: Family, pair: Pair, alpha: float) -> str:
    level = f"{100 * (1 - alpha):g} % interval {_ends(pair)}"
    size = f"{abs(pair.difference):.4f}"
    if not pair.better:
        topics = counted(len(family.topics), "topic")
        return f"On {pair.measure} {pair.a} and {pair.b} have the same mean over {topics}."
    start = f"On {pair.measure} {pair.better} is ahead of {pair.worse} by {size} ({level})"
    if pair.significant:
        return f"{start}: more than chance explains (p = {p_text(pair.p_adjusted)})".replace("= <", "<") + "."
    return (
        f"{start}, which chance could explain (p = {p_text(pair.p_adjusted)}): "
        "no difference is shown, and no equality either."
    ).replace("= <", "<")


def _ends(pair: Pair) -> str:
    ends = (pair.low, pair.high) if pair.difference >= 0 else (-pair.high, -pair.low)
    return f"{ends[0]:.4f} to {ends[1]:.4f}" if not any(map(math.isnan, ends)) else "undefined"


def _against_baseline(family: Family, base: str) -> str:
    up = [pair.better for pair in family.pairs if pair.significant and pair.worse == base]
    down = [pair.worse for pair in family.pairs if pair.significant and pair.better == base]
    rest = [pair.a if pair.b == base else pair.b for pair in family.pairs if not pair.significant]
    parts = []
    if up:
        parts.append(f"{joined(up)} {_are(up)} significantly better than {base}")
    if down:
        parts.append(f"{joined(down)} {_are(down)} significantly worse" + ("" if up else f" than {base}"))
    if rest:
        parts.append(f"{joined(rest)} {_are(rest)} not shown to differ" + ("" if up or down else f" from {base}"))
    return f"On {family.measure} {'; '.join(parts)}."


def _all_pairs(family: Family) -> str:
    first = family.runs[family.best_first[0]]
    beaten = set(family.beaten_by(first))
    level = [family.runs[r] for r in family.best_first[1:] if family.runs[r] not in beaten]
    found = sum(pair.significant for pair in family.pairs)
    head = f"On {family.measure} {first} {'scores highest' if family.higher_is_better else 'is best'}"
    tail = f"{found} of {counted(len(family.pairs), 'pair')} differ significantly"
    if not found:
        return f"{head}, but no difference between any two runs is shown."
    if not level:
        return f"{head} and is significantly better than every other run; {tail}."
    return f"{head}; {joined(level)} {_are(level)} not shown to be worse, which does not make them equal; {tail}."


def _are(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"
