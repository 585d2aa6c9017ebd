"""Every measure's file: texts to try it under, a plain loop from the literature, when it is undefined, golden numbers.

Whoever adds a measure writes it in its family module and files it here; `test_laws.py` does the rest. All of LAWS hold
for a measure unless its file says which is broken, and why; that it is broken is proved too. Measures of sessions are
filed in `filed_sessions.py` and obey the same laws: a topic is a session there.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from plain import GAINS, Topic, dcg, gained, hits, how_many, ideal, is_relevant, top_gain

LAWS: dict[str, str] = {
    "plain": "the value is that of the plain loop, within the range of the record, undefined only where filed",
    "empty": "a topic without anything relevant is what the record says: 0, defined or undefined",
    "ideal-is-best": "no order of the same documents is better than by grade, highest first",
    "moving-up": "moving a relevant document up past a worthless one never makes it worse",
    "exchange": "so does a relevant document that changes places with a worthless one anywhere above it",
    "renaming": "renaming documents in an order-preserving way, and topics anyhow, changes no bit",
    "adding-a-topic": "another topic leaves the values of the others alone, bit for bit, if it uses the same grades",
    "twice": "a second call, alone or beside others, gives the same bits",
    "chunks": "one topic at a time, or a few, give the same bits as all together; so do their bounds",
    "files": "files give the bits of objects, on one thread and on two, whole and topic by topic",
    "ties": "what the record says: the exact mean over all tie orders, a block, or a refusal",
    "bounds": "every judging of the unjudged documents is within the bounds; where there are none the reason is given",
    "bounds-reached": "the lowest and the highest value over all judgings are the bounds",
    "condensed": "the value of the list without its unjudged documents",
    "missing": "a judged topic that a run lacks is an empty list, left out, or refused",
    "levels": "rel and only are the measure on grades replaced by 1 and 0",
    "curve": "the curve at rank k is the measure at k",
    "summary": "mean, median, sum and geometric mean are those of numpy",
    "golden": "the numbers printed or computed by hand",
}


class Golden(NamedTuple):
    """A number from elsewhere: `line` is a topic as `plain.Written` reads it; a text is a value as printed."""

    text: str
    line: str
    value: float | str
    source: str
    scores: tuple[float, ...] = ()
    choices: Mapping[str, str] = {}


@dataclass(frozen=True)
class Filed:
    """What is known of a measure from outside the library."""

    texts: tuple[str, ...]
    plain: Callable[..., float]
    undefined: Callable[..., bool]
    golden: tuple[Golden, ...]
    breaks: Mapping[str, str] = field(default_factory=dict)

    @property
    def laws(self) -> tuple[str, ...]:
        """The laws it obeys."""
        return tuple(law for law in LAWS if law not in self.breaks)


FILED: dict[str, Filed] = {}


def file(
    name: str,
    *texts: str,
    undefined: Callable[..., bool],
    golden: tuple[Golden, ...],
    breaks: Mapping[str, str] | None = None,
) -> Callable[[Callable[..., float]], Callable[..., float]]:
    """File the measure `name` with the decorated function as its plain loop."""

    def filed(plain: Callable[..., float]) -> Callable[..., float]:
        assert name not in FILED, f"{name} is filed twice"
        FILED[name] = Filed(texts, plain, undefined, golden, breaks or {})
        return plain

    return filed


# When a measure is undefined ---------------------------------------------------------------------------------------


def never(t: Topic, **_: object) -> bool:
    """It always has a value."""
    return False


def nothing_retrieved(t: Topic, **_: object) -> bool:
    """The list is empty."""
    return t.n == 0


def nothing_relevant(t: Topic, rel: float = 1, only: float | None = None, **_: object) -> bool:
    """No judged document is relevant."""
    return how_many(t, rel, only) == 0


def nothing_found(t: Topic, rel: float = 1, only: float | None = None, **_: object) -> bool:
    """No listed document is relevant."""
    return not any(hits(t, rel, only))


def nothing_relevant_or_retrieved(t: Topic, rel: float = 1, only: float | None = None, **_: object) -> bool:
    """Precision or recall is undefined."""
    return nothing_relevant(t, rel, only) or nothing_retrieved(t)


def nothing_to_gain(t: Topic, gains: str = "identity", **_: object) -> bool:
    """No judged document has a gain."""
    return max(ideal(t, gains), default=0) == 0


# The gain family ---------------------------------------------------------------------------------------------------

G2002 = "3 2 3 0 0 1 2 2 3 0 + 1 1 1"
PAPER = "Järvelin & Kekäläinen 2002, the vectors of section 2"


def averaged(by_rank: Callable[[int], float], cutoff: int | None, average: str | None) -> float:
    """Formula (6): the mean over ranks 1 … k where asked for."""
    if average is None or cutoff is None:
        return by_rank(cutoff)  # type: ignore[arg-type]
    return math.fsum(by_rank(k) for k in range(1, cutoff + 1)) / cutoff


@file(
    "CG",
    "CG", "CG@2", "CG(gains='0-1-10-100')@5", "CG(average='ranks')@3",
    undefined=never,
    golden=(
        Golden("CG@7", G2002, 11.0, PAPER),
        Golden("CG@10", G2002, 16.0, PAPER),
        Golden("CG(average='ranks')@3", "3 2 3", (3 + 5 + 8) / 3, "by hand"),
    ),
)  # fmt: skip
def cg(t: Topic, cutoff: int | None = None, gains: str = "identity", average: str | None = None) -> float:
    return averaged(lambda k: math.fsum(gained(t, gains)[:k]), cutoff, average)


@file(
    "DCG",
    "DCG", "DCG@3", "DCG(gains='exp2', discount='jk2002', base=2)@4", "DCG(discount='kanoulas2011', base=3)",
    "DCG(average='ranks')@4",
    undefined=never,
    golden=(
        Golden("DCG(discount='jk2002', base=2)@10", G2002, "9.605118", PAPER),
        Golden("DCG(gains='0-1-10-100', discount='jk2002', base=2)@10", G2002, "211.921721", PAPER),
        Golden("DCG(discount='jarvelin2008', base=4)@10", G2002, "9.235816", "Järvelin & al. 2008, corrected"),
        Golden("DCG(gains='exp2')@10", "3 2 3 0 0 1 2 2 3 0", "16.802601", "the slides' table"),
    ),
)  # fmt: skip
def dcg_(
    t: Topic, cutoff: int | None = None, gains: str = "identity", discount: str = "log", base: float | None = None,
    average: str | None = None,
) -> float:  # fmt: skip
    return averaged(lambda k: dcg(gained(t, gains), k, discount, base), cutoff, average)


CEILING = (
    "the ceiling lets unjudged documents add their gain without entering the ideal: quick and safe, but higher than "
    "what any judging gives"
)


def normalised(
    t: Topic, cutoff: int | None, gains: str, discount: str, base: float | None, ideal_: str, average: str | None
) -> float:
    best = sorted(gained(t, gains), reverse=True) if ideal_ == "retrieved" else ideal(t, gains)

    def by_rank(k: int | None) -> float:
        whole = dcg(best, k, discount, base)
        return dcg(gained(t, gains), k, discount, base) / whole if whole else 0.0

    return averaged(by_rank, cutoff, average)


@file(
    "nCG",
    "nCG", "nCG@2", "nCG(gains='exp2')@3", "nCG(ideal='retrieved')@2", "nCG(average='ranks')@3",
    undefined=nothing_to_gain,
    golden=(
        Golden("nCG@10", G2002, 16 / 19, PAPER),
        Golden("nCG@5", G2002, "0.615385", PAPER),
        Golden("nCG(ideal='retrieved')@2", "0 2 1", 2 / 3, "by hand; the sliding ratio"),
    ),
    breaks={"bounds-reached": CEILING},
)  # fmt: skip
def ncg(
    t: Topic, cutoff: int | None = None, gains: str = "identity", ideal: str = "judged", average: str | None = None
) -> float:
    return normalised(t, cutoff, gains, "none", None, ideal, average)


@file(
    "nDCG",
    "nDCG", "nDCG@2", "nDCG(gains='0-1-10-100', discount='jk2002', base=2)@3", "nDCG(discount='rank')@5",
    "nDCG(ideal='retrieved')@3", "nDCG(average='ranks')@3",
    undefined=nothing_to_gain,
    golden=(
        Golden("nDCG@10", G2002, "0.833613", PAPER),
        Golden("nDCG(discount='jk2002', base=2)@10", G2002, "0.811662", PAPER),
        Golden("nDCG(discount='jk2002', base=2, average='ranks')@10", G2002, "0.803055", f"{PAPER}, formula (6)"),
        Golden("nDCG(discount='jarvelin2008', base=4)@10", G2002, "0.835800", "Järvelin & al. 2008, corrected"),
        Golden("nDCG(gains='exp2', ideal='retrieved')@10", "3 2 3 0 0 1 2 2 3 0", "0.895134", "the slides' table"),
    ),
    breaks={"bounds-reached": CEILING},
)  # fmt: skip
def ndcg(
    t: Topic, cutoff: int | None = None, gains: str = "identity", discount: str = "log", base: float | None = None,
    ideal: str = "judged", average: str | None = None,
) -> float:  # fmt: skip
    return normalised(t, cutoff, gains, discount, base, ideal, average)


# Binary measures of ranked lists ------------------------------------------------------------------------------------

A, B, C, D = "1 0 1 1 1 1 0 0 0 1", "0 1 0 0 1 1 1 0 1 1", "1 0 0 0 0 1 0 0 0 1", "0 1 0 0 1 0 1 0 0 0"
SLIDES = "IR lecture slides, rankings A, B (R = 6), C, D (R = 3)"


@file(
    "P",
    "P@1", "P@3", "P@10", "P(rel=2)@2", "P(only=1)@3",
    undefined=never,
    golden=(Golden("P@5", A, 4 / 5, SLIDES), Golden("P@10", A, 6 / 10, SLIDES), Golden("P@10", "1 1", 0.2, "by hand")),
)  # fmt: skip
def precision(t: Topic, cutoff: int, rel: float = 1, only: float | None = None) -> float:
    return sum(hits(t, rel, only)[:cutoff]) / cutoff


@file(
    "R",
    "R@1", "R@3", "R(rel=2)@2", "R(only=1)@3",
    undefined=nothing_relevant,
    golden=(Golden("R@5", A, 4 / 6, SLIDES), Golden("R@6", C, 2 / 3, SLIDES), Golden("R@9", B, "0.8333", SLIDES)),
)  # fmt: skip
def recall(t: Topic, cutoff: int, rel: float = 1, only: float | None = None) -> float:
    return sum(hits(t, rel, only)[:cutoff]) / how_many(t, rel, only)


@file(
    "Success",
    "Success@1", "Success@3", "Success(rel=3)@2", "Success(only=1)@3",
    undefined=never,
    golden=(
        Golden("Success@1", B, 0.0, "by hand"),
        Golden("Success@5", B, 1.0, "by hand"),
        Golden("Success@2", "(1 0 0 1)", 1 - 2 / 4 * 1 / 3, "by hand: two of four places miss both",
               choices={"ties": "average"}),
    ),
)  # fmt: skip
def success(t: Topic, cutoff: int, rel: float = 1, only: float | None = None) -> float:
    return 1.0 if any(hits(t, rel, only)[:cutoff]) else 0.0


@file(
    "relative_P",
    "relative_P@1", "relative_P@3", "relative_P(rel=2)@2", "relative_P(only=1)@2",
    undefined=nothing_relevant,
    golden=(Golden("relative_P@10", A, 1.0, "by hand"), Golden("relative_P@5", A, 4 / 5, "by hand: min(5, 6)")),
)  # fmt: skip
def relative_precision(t: Topic, cutoff: int, rel: float = 1, only: float | None = None) -> float:
    return sum(hits(t, rel, only)[:cutoff]) / min(cutoff, how_many(t, rel, only))


@file(
    "Rprec",
    "Rprec", "Rprec(rel=2)", "Rprec(only=1)", "Rprec(mult=2)", "Rprec(mult=0.5)",
    undefined=nothing_relevant,
    golden=(
        Golden("Rprec", A, 5 / 6, "by hand"),
        Golden("Rprec(mult=0.5)", B, 1 / 3, "by hand: ⌊3.9⌋ = 3"),
        Golden("Rprec(mult=2)", C, 2 / 6, "by hand: two of the first six"),
    ),
)  # fmt: skip
def r_precision(t: Topic, rel: float = 1, only: float | None = None, mult: float = 1) -> float:
    cutoff = math.floor(mult * how_many(t, rel, only) + 0.9)
    return sum(hits(t, rel, only)[:cutoff]) / cutoff


@file(
    "AP",
    "AP", "AP@2", "AP(norm='min')@2", "AP(norm='min')@4", "AP(rel=2)", "AP(only=1)",
    undefined=nothing_relevant,
    golden=(
        Golden("AP", A, "0.7750", SLIDES),
        Golden("AP", B, "0.5212", SLIDES),
        Golden("AP", C, "0.5444", SLIDES),
        Golden("AP", D, "0.4429", SLIDES),
        Golden("AP@3", A, (1 + 2 / 3) / 6, "by hand; trec_eval's map_cut"),
        Golden("AP(norm='min')@3", A, (1 + 2 / 3) / 3, "by hand; the slides' AP₁@k"),
        Golden("AP", "(1 0)", 3 / 4, "by hand: 1 or ½", choices={"ties": "average"}),
    ),
)  # fmt: skip
def average_precision(
    t: Topic, cutoff: int | None = None, rel: float = 1, only: float | None = None, norm: str = "R"
) -> float:
    found, total = hits(t, rel, only), how_many(t, rel, only)
    there = [i for i, hit in enumerate(found[:cutoff], start=1) if hit]
    whole = total if norm == "R" or cutoff is None else min(cutoff, total)
    return math.fsum(sum(found[:i]) / i for i in there) / whole


@file(
    "RR",
    "RR", "RR@2", "RR(rel=2)", "RR(only=1)@3",
    undefined=never,
    golden=(
        Golden("RR", B, 1 / 2, SLIDES),
        Golden("RR@1", B, 0.0, "by hand"),
        Golden("RR", "0 0 0 1", 1 / 4, "the slides' remark: ranks 1, 2, 4"),
        Golden("RR", "(0 0 1)", (1 + 1 / 2 + 1 / 3) / 3, "by hand", choices={"ties": "average"}),
    ),
)  # fmt: skip
def reciprocal_rank(t: Topic, cutoff: int | None = None, rel: float = 1, only: float | None = None) -> float:
    return max((1 / i for i, hit in enumerate(hits(t, rel, only)[:cutoff], start=1) if hit), default=0.0)


@file(
    "FirstRank",
    "FirstRank", "FirstRank(rel=2)", "FirstRank(only=1)",
    undefined=nothing_found,
    golden=(Golden("FirstRank", B, 2.0, SLIDES), Golden("FirstRank", "0 0 0 1", 4.0, SLIDES)),
)  # fmt: skip
def first_rank(t: Topic, rel: float = 1, only: float | None = None) -> float:
    return 1.0 + hits(t, rel, only).index(True)


@file(
    "IPrec",
    "IPrec@0", "IPrec@0.5", "IPrec@0.8", "IPrec@1", "IPrec(rel=2)@0.3", "IPrec(only=1)@0.5",
    "IPrec(points='trec_eval-9')@0.3", "IPrec(points='trec_eval-10')@0.3",
    undefined=nothing_relevant,
    golden=(
        Golden("IPrec@0.8", A, 5 / 6, "by hand: ⌈.8·6⌉ = 5 documents at rank 6"),
        Golden("IPrec@0", B, 6 / 10, "by hand: its highest precision is that of the whole list"),
        Golden("IPrec@0.1", "0 1 + 1 1", 1 / 2, "by hand: one document is a third"),
        Golden("IPrec@0.4", "0 1 + 1 1", 0.0, "by hand: two are needed"),
    ),
)  # fmt: skip
def interpolated_precision(
    t: Topic, cutoff: float, rel: float = 1, only: float | None = None, points: str = "exact"
) -> float:
    found, total = hits(t, rel, only), how_many(t, rel, only)
    enough = {
        "exact": math.ceil(Fraction(str(cutoff)) * total),
        "trec_eval-9": int(cutoff * total + 0.9),
        "trec_eval-10": math.floor(cutoff * total + 0.5),
    }[points]
    return max((sum(found[:i]) / i for i in range(1, t.n + 1) if sum(found[:i]) >= enough), default=0.0)


@file(
    "AP11",
    "AP11", "AP11(rel=2)", "AP11(only=1)", "AP11(points='trec_eval-9')", "AP11(points='trec_eval-10')",
    "AP11(levels='0.2,0.5,0.8')",
    undefined=nothing_relevant,
    golden=(Golden("AP11", A, "0.8212", f"{SLIDES}, AP₂"), Golden("AP11", B, "0.6000", f"{SLIDES}, AP₂")),
)  # fmt: skip
def eleven_points(
    t: Topic, rel: float = 1, only: float | None = None, points: str = "exact", levels: str | None = None
) -> float:
    chosen = [i / 10 for i in range(11)] if levels is None else [float(level) for level in levels.split(",")]
    return math.fsum(interpolated_precision(t, level, rel, only, points) for level in chosen) / len(chosen)


# Sets ---------------------------------------------------------------------------------------------------------------


@file(
    "SetP",
    "SetP", "SetP(rel=2)", "SetP(only=1)",
    undefined=nothing_retrieved,
    golden=(Golden("SetP", A, 6 / 10, SLIDES),),
)  # fmt: skip
def set_precision(t: Topic, rel: float = 1, only: float | None = None) -> float:
    return sum(hits(t, rel, only)) / t.n


@file(
    "SetR",
    "SetR", "SetR(rel=2)", "SetR(only=1)",
    undefined=nothing_relevant,
    golden=(Golden("SetR", f"{C} + 1", 3 / 4, "by hand"),),
)  # fmt: skip
def set_recall(t: Topic, rel: float = 1, only: float | None = None) -> float:
    return sum(hits(t, rel, only)) / how_many(t, rel, only)


@file(
    "SetF",
    "SetF", "SetF(rel=2)", "SetF(only=1)", "SetF(beta=2)", "SetF(beta=0)", "SetF(alpha=0.25)",
    undefined=nothing_relevant_or_retrieved,
    golden=(
        Golden("SetF", f"{'1 ' * 611}{'0 ' * 39}+{' 1' * 1739}", "0.4073",
               "the slides' P = 611/650 = .94, R = 611/2350 = .26; they print .40"),
        Golden("SetF(beta=2)", f"{C} + 1", 5 * 0.3 * 0.75 / (4 * 0.3 + 0.75), "by hand"),
        Golden("SetF(alpha=0.2)", f"{C} + 1", 5 * 0.3 * 0.75 / (4 * 0.3 + 0.75), "by hand: β² = .8/.2"),
    ),
)  # fmt: skip
def set_f(t: Topic, rel: float = 1, only: float | None = None, beta: float = 1, alpha: float | None = None) -> float:
    p, r = set_precision(t, rel, only), set_recall(t, rel, only)
    if p == r == 0:
        return 0.0
    if alpha is None:
        return (beta**2 + 1) * p * r / (beta**2 * p + r)
    return 1 / (alpha / p + (1 - alpha) / r)  # van Rijsbergen's form


@file(
    "Fallout",
    "Fallout(N=40)", "Fallout(N=40, rel=2)", "Fallout(N=40, only=1)",
    undefined=never,  # N = R aside: see test_a_collection_in_which_everything_is_relevant
    golden=(Golden("Fallout(N=100)", A, 4 / 94, "by hand"),),
)  # fmt: skip
def fallout(t: Topic, N: int, rel: float = 1, only: float | None = None) -> float:  # noqa: N803
    return (t.n - sum(hits(t, rel, only))) / (N - how_many(t, rel, only))


@file(
    "SetAP",
    "SetAP", "SetAP(rel=2)", "SetAP(only=1)",
    undefined=nothing_relevant_or_retrieved,
    golden=(Golden("SetAP", f"{C} + 1", 0.3 * 0.75, "by hand"),),
)  # fmt: skip
def set_average_precision(t: Topic, rel: float = 1, only: float | None = None) -> float:
    return set_precision(t, rel, only) * set_recall(t, rel, only)


@file(
    "SetRelP",
    "SetRelP", "SetRelP(rel=2)", "SetRelP(only=1)",
    undefined=nothing_relevant_or_retrieved,
    golden=(Golden("SetRelP", f"{C} + 1", 3 / 4, "by hand"), Golden("SetRelP", "1 0 + 1 1", 1 / 2, "by hand")),
)  # fmt: skip
def set_relative_precision(t: Topic, rel: float = 1, only: float | None = None) -> float:
    return sum(hits(t, rel, only)) / min(t.n, how_many(t, rel, only))


@file(
    "Utility",
    "Utility", "Utility(rel=2)", "Utility(only=1)", "Utility(a=3, b=-2, c=-1)", "Utility(N=40, d=0.5)",
    undefined=never,
    golden=(
        Golden("Utility", A, 6 - 4, "by hand"),
        Golden("Utility(N=20, a=3, b=-2, c=-1, d=0.5)", "1 0 0 + 1", 3 - 4 - 1 + 0.5 * 16, "by hand"),
    ),
)  # fmt: skip
def utility(
    t: Topic, rel: float = 1, only: float | None = None, N: int = 0, a: float = 1, b: float = -1, c: float = 0,  # noqa: N803
    d: float = 0,
) -> float:  # fmt: skip
    found, total = sum(hits(t, rel, only)), how_many(t, rel, only)
    return a * found + b * (t.n - found) + c * (total - found) + d * (N - t.n - (total - found))


# Counts -------------------------------------------------------------------------------------------------------------


@file("NumRet", "NumRet", undefined=never, golden=(Golden("NumRet", "1 0 1 1", 4.0, "by hand"),))
def num_ret(t: Topic) -> float:
    return t.n


@file(
    "NumRel",
    "NumRel", "NumRel(rel=2)", "NumRel(only=1)",
    undefined=never,
    golden=(Golden("NumRel", "0 1 + 2 2", 3.0, "by hand"), Golden("NumRel(only=1)", "0 1 + 2 2", 1.0, "by hand")),
)  # fmt: skip
def num_rel(t: Topic, rel: float = 1, only: float | None = None) -> float:
    return how_many(t, rel, only)


@file(
    "NumRelRet",
    "NumRelRet", "NumRelRet(rel=2)", "NumRelRet(only=1)",
    undefined=never,
    golden=(Golden("NumRelRet", "1 0 1 1 + 1", 3.0, "by hand"),),
)  # fmt: skip
def num_rel_ret(t: Topic, rel: float = 1, only: float | None = None) -> float:
    return sum(hits(t, rel, only))


@file(
    "NumNonrelRet",
    "NumNonrelRet", "NumNonrelRet(rel=2)", "NumNonrelRet(only=1)",
    undefined=never,
    golden=(Golden("NumNonrelRet", "2 0 . 0 -1", 2.0, "by hand"),),
)  # fmt: skip
def num_nonrel_ret(t: Topic, rel: float = 1, only: float | None = None) -> float:
    return sum(g is not None and g >= 0 and not is_relevant(g, rel, only) for g in t.listed)


@file(
    "Judged",
    "Judged@1", "Judged@3", "Judged@10",
    undefined=nothing_retrieved,
    golden=(Golden("Judged@10", "1 . 0", 2 / 3, "by hand"), Golden("Judged@2", "1 . 0", 1 / 2, "by hand")),
)  # fmt: skip
def judged(t: Topic, cutoff: int) -> float:
    return sum(grade is not None for grade in t.listed[:cutoff]) / min(cutoff, t.n)


@file(
    "Unjudged",
    "Unjudged@1", "Unjudged@3", "Unjudged@10",
    undefined=never,
    golden=(Golden("Unjudged@10", "1 . 0", 1 / 10, "by hand"), Golden("Unjudged@2", "1 . 0", 1 / 2, "by hand")),
)  # fmt: skip
def unjudged(t: Topic, cutoff: int) -> float:
    return sum(grade is None for grade in t.listed[:cutoff]) / cutoff


# Measures that the 2002 paper compares with ---------------------------------------------------------------------------


def asl_undefined(t: Topic, rel: float = 1, only: float | None = None, N: int | None = None) -> bool:  # noqa: N803
    return nothing_found(t, rel, only) if N is None else nothing_relevant(t, rel, only)


@file(
    "ASL",
    "ASL", "ASL(N=40)", "ASL(rel=2)", "ASL(only=1)",
    undefined=asl_undefined,
    golden=(
        Golden("ASL", C, 17 / 3, "by hand"),
        Golden("ASL(N=30)", f"{C} + 1", (17 + 20.5) / 4, "by hand: a place between 11 and 30"),
        Golden("ASL", "(1 0) 1", (1.5 + 3) / 2, "by hand: a block at its mean rank"),
    ),
)  # fmt: skip
def average_search_length(t: Topic, rel: float = 1, only: float | None = None, N: int | None = None) -> float:  # noqa: N803
    ranks: list[float] = [i for i, hit in enumerate(hits(t, rel, only), start=1) if hit]
    if N is not None:
        ranks += [(t.n + 1 + N) / 2] * (how_many(t, rel, only) - len(ranks))
    return math.fsum(ranks) / len(ranks)


def fewer_than_wanted(t: Topic, rel: float = 1, only: float | None = None, wanted: int = 1, **_: object) -> bool:
    return sum(hits(t, rel, only)) < wanted


@file(
    "ESL",
    "ESL", "ESL(wanted=2)", "ESL(wanted=2, count='all')", "ESL(rel=2)", "ESL(only=1)",
    undefined=fewer_than_wanted,
    golden=(
        Golden("ESL", "(1 0 0 0)", 3 * 1 / 2, "by hand"),
        Golden("ESL(wanted=6)", "(1 1 1 0) (1 1 0 1 0 0 1) (1 0)", 1 + 3 * 3 / 5,
               "Cooper 1968: j = 1, then i = 3, r = 4 and s = 3 to go"),
        Golden("ESL(wanted=2, count='all')", "1 0 1", 3.0, "by hand"),
    ),
)  # fmt: skip
def search_length(
    t: Topic, rel: float = 1, only: float | None = None, wanted: int = 1, count: str = "nonrelevant"
) -> float:
    left, read = wanted, 0
    for hit in hits(t, rel, only):
        left, read = left - hit, read + (not hit)
        if left == 0:
            break
    return read + (wanted if count == "all" else 0)


@file(
    "NR",
    "NR(N=40)", "NR(N=40, rel=2)", "NR(N=40, only=1)",
    undefined=nothing_relevant,
    golden=(
        Golden("NR(N=20)", C, 1 - 11 / 51, "by hand"),
        Golden("NR(N=10)", "1 0 + 1", 1 - (1 + 10 - 3) / (2 * 8), "by hand: one at rank 1, one at the end"),
    ),
)  # fmt: skip
def normalised_recall(t: Topic, N: int, rel: float = 1, only: float | None = None) -> float:  # noqa: N803
    total = how_many(t, rel, only)
    ranks = [i for i, hit in enumerate(hits(t, rel, only), start=1) if hit]
    ranks += range(N, N - (total - len(ranks)), -1)
    return 1 - sum(actual - best for best, actual in enumerate(sorted(ranks), start=1)) / (total * (N - total))


def nothing_gained(t: Topic, gains: str = "identity", **_: object) -> bool:
    return sum(gained(t, gains)) == 0


@file(
    "RHL",
    "RHL", "RHL(gains='exp2')", "RHL(gains='binary')",
    undefined=nothing_gained,
    golden=(
        Golden("RHL", G2002, 2.5 + (8 - 5) / 3, "by hand"),
        Golden("RHL", "0 0 1", 3.0, "by hand: the middle of the third rank"),
    ),
)  # fmt: skip
def ranked_half_life(t: Topic, gains: str = "identity") -> float:
    gain = gained(t, gains)
    half, before = sum(gain) / 2, 0.0
    for m, g in enumerate(gain, start=1):
        if before + g >= half:
            return m - 0.5 + (half - before) / g
        before += g
    raise AssertionError("half of the gain is reached before the end")


@file(
    "gP",
    "gP@1", "gP@3", "gP(gains='exp2')@2", "gP(gains='binary')@3",
    undefined=never,
    golden=(Golden("gP@5", "3 2 3 0 0", 8 / 15, "by hand"),),
)  # fmt: skip
def generalised_precision(t: Topic, cutoff: int, gains: str = "identity") -> float:
    return sum(gained(t, gains)[:cutoff]) / (cutoff * (top_gain(t, gains) or 1))


@file(
    "gR",
    "gR@1", "gR@3", "gR(gains='exp2')@2", "gR(gains='binary')@3",
    undefined=nothing_to_gain,
    golden=(Golden("gR@5", G2002, 8 / 19, "by hand"),),
)  # fmt: skip
def generalised_recall(t: Topic, cutoff: int, gains: str = "identity") -> float:
    return sum(gained(t, gains)[:cutoff]) / sum(ideal(t, gains))


def no_length(t: Topic, gains: str = "identity") -> bool:
    return nothing_gained(t, gains) or not any(t.scores)


@file(
    "CosRel",
    "CosRel", "CosRel(gains='exp2')", "CosRel(gains='binary')",
    undefined=no_length,
    golden=(Golden("CosRel", "1 0 1", 4 / (math.sqrt(14) * math.sqrt(2)), "by hand", scores=(3, 2, 1)),),
)  # fmt: skip
def relative_relevance(t: Topic, gains: str = "identity") -> float:
    gain = gained(t, gains)
    return sum(map(float.__mul__, t.scores, map(float, gain))) / (math.hypot(*t.scores) * math.hypot(*gain))


# Satisfaction and frustration -----------------------------------------------------------------------------------------


@file(
    "SR",
    "SR", "SR@1", "SR@3", "SR(gains='exp2')@2",
    undefined=nothing_to_gain,
    golden=(
        Golden("SR@1", "0 2 1 + 3", 0.0, "by hand"),
        Golden("SR@2", "0 2 1 + 3", 2 / 3, "by hand"),
        Golden("SR@3", "0 2 1 + 3", 1.0, "by hand"),
    ),
)  # fmt: skip
def sliding_ratio(t: Topic, cutoff: int | None = None, gains: str = "identity") -> float:
    return normalised(t, cutoff, gains, "none", None, "retrieved", None)


@file(
    "SFT",
    "SFT", "SFT@2", "SFT(w=0.25)@3", "SFT(part='satisfaction')@2", "SFT(gains='exp2', frustration='0=1,1=0.5')@3",
    undefined=nothing_to_gain,
    golden=(
        Golden("SFT@2", "2 0 1 0", (2 / 3 + 1 / 2) / 2, "by hand"),
        Golden("SFT(part='satisfaction')@2", "2 0 1 0", 2 / 3, "by hand"),
        Golden("SFT(part='frustration')@2", "2 0 1 0", 1 / 2, "by hand"),
        Golden("SFT(frustration='0=1,1=0.5', part='frustration')@2", "1 2 . 0", 0.5 / 2, "by hand: '.' counts as 0"),
    ),
)  # fmt: skip
def satisfaction_frustration(
    t: Topic, cutoff: int | None = None, gains: str = "identity", w: float = 0.5, part: str = "total",
    frustration: str | None = None,
) -> float:  # fmt: skip
    satisfied = sliding_ratio(t, cutoff, gains)
    if frustration is None:
        weights = [1.0 if g == 0 else 0.0 for g in gained(t, gains)]
    else:
        by_grade = {float(g): float(v) for g, v in (pair.split("=") for pair in frustration.split(","))}
        weights = [by_grade.get(0.0 if grade is None else grade, 0.0) for grade in t.listed]
    worst = sum(sorted(weights, reverse=True)[:cutoff])
    frustrated = sum(weights[:cutoff]) / worst if worst else 0.0
    total = w * satisfied + (1 - w) * (1 - frustrated) if t.n else 0.0
    return {"satisfaction": satisfied, "frustration": frustrated}.get(part, total)


# Subtopics ------------------------------------------------------------------------------------------------------------


def nothing_covered(t: Topic, cutoff: int, rel: float = 1) -> bool:
    return not any(grade >= rel for document in t.coverable for grade in document.values())


@file(
    "InstanceRecall",
    "InstanceRecall@1", "InstanceRecall@2", "InstanceRecall(rel=2)@3",
    undefined=nothing_covered,
    golden=(
        Golden("InstanceRecall@2", "a a bc", 1 / 3, "by hand"),
        Golden("InstanceRecall@3", "a a bc", 1.0, "by hand"),
        Golden("InstanceRecall@2", ". ab + c cd", 2 / 4, "by hand"),
    ),
    breaks={"ideal-is-best": "two documents of the highest grade may cover the same subtopic"},
)  # fmt: skip
def instance_recall(t: Topic, cutoff: int, rel: float = 1) -> float:
    def covered(documents: tuple[dict[str, float], ...]) -> set[str]:
        return {subtopic for document in documents for subtopic, grade in document.items() if grade >= rel}

    return len(covered(t.covers[:cutoff])) / len(covered(t.coverable))


# Incomplete judgments -------------------------------------------------------------------------------------------------


@file(
    "bpref",
    "bpref", "bpref(rel=2)", "bpref(only=1)",
    undefined=nothing_relevant,
    golden=(
        Golden("bpref", "0 . 1 1 0", (1 / 2 + 1 / 2) / 2, "by hand"),
        Golden("bpref", "-1 0 1 0 0 1", (1 - 1 / 2) / 2, "by hand: the last has min(3, 2)/2 above it"),
    ),
)  # fmt: skip
def bpref(t: Topic, rel: float = 1, only: float | None = None) -> float:
    total = how_many(t, rel, only)
    nonrelevant = [grade is not None and grade >= 0 and not is_relevant(grade, rel, only) for grade in t.base]
    value, above = 0.0, 0
    for grade in t.listed:
        if is_relevant(grade, rel, only):
            value += 1 - min(above, total) / min(sum(nonrelevant), total) if above else 1
        elif grade is not None and grade >= 0:
            above += 1
    return value / total


@file(
    "infAP",
    "infAP", "infAP(rel=2)", "infAP(only=1)",
    undefined=nothing_relevant,
    golden=(
        Golden("infAP", "1 0 1", "0.8333", "by hand: AP, but for ε"),
        Golden("infAP", "1 -1 1", "1.0000", "by hand: 1/3 + 2/3·(2/2)·(1 + ε)/(1 + 2ε), the pooled taken for relevant"),
        Golden("infAP", "1 . 1", "0.8333", "by hand: 1/3 + 2/3·(1/2)·(1 + ε)/(1 + 2ε)"),
    ),
)  # fmt: skip
def inferred_ap(t: Topic, rel: float = 1, only: float | None = None) -> float:
    relevant = nonrelevant = pooled = 0
    value, epsilon = 0.0, 0.00001
    for k, grade in enumerate(t.listed, start=1):
        if grade is None:
            continue
        if grade < 0:
            pooled += 1
        elif not is_relevant(grade, rel, only):
            nonrelevant += 1
        else:
            share = (relevant + epsilon) / (relevant + nonrelevant + 2 * epsilon)
            inside = (pooled + relevant + nonrelevant) / (k - 1) if k > 1 else 0.0
            value += 1 / k + (k - 1) / k * inside * share
            relevant += 1
    return value / how_many(t, rel, only)


# Estimates from a stratified sample ---------------------------------------------------------------------------------

SKIP = "empty_strata='skip'"


class Stratum:
    """What sample_eval counts of a stratum: pooled, sampled and relevant, in the pool and in the list so far."""

    def __init__(self) -> None:
        self.pool = self.sampled = self.rel = self.nd = self.ns = self.nr = 0
        self.sap = self.gain = 0.0

    def inside(self) -> float:
        """The estimated number of relevant documents of the stratum in the list so far."""
        return self.nd * (self.nr + 0.00001) / (self.ns + 0.00003)


def pooled_by_stratum(t: Topic, rel: float = 1, only: float | None = None) -> dict[str, Stratum]:
    """The pool."""
    strata = {name: Stratum() for name in t.pool}
    for name, grade in zip(t.pool, t.base, strict=True):
        strata[name].pool += 1
        strata[name].sampled += grade >= 0
        strata[name].rel += grade >= 0 and is_relevant(grade, rel, only)
    return strata


def walked(t: Topic, cutoff: int | None, rel: float = 1, only: float | None = None) -> dict[str, Stratum]:
    """The list read from the top, as sample_eval does."""
    strata = pooled_by_stratum(t, rel, only)
    for r, (grade, name) in enumerate(zip(t.listed[:cutoff], t.strata, strict=False), start=1):
        if grade is None:
            continue
        here = strata[name]
        if grade >= 0 and is_relevant(grade, rel, only):
            n = sum(c.nd for c in strata.values())
            here.sap += 1 / r + (n / r) * sum(c.nd / n * (c.nr + 1e-5) / (c.ns + 3e-5) for c in strata.values() if c.nd)
        here.gain += max(grade, 0) / math.log2(r + 1)
        here.nd += 1
        here.ns += grade >= 0
        here.nr += grade >= 0 and is_relevant(grade, rel, only)
    return strata


def sampled_total(t: Topic, rel: float = 1, only: float | None = None, **_: object) -> float:
    """R."""
    return sum(c.rel * c.pool / c.sampled for c in pooled_by_stratum(t, rel, only).values() if c.sampled)


@file(
    "xinfAP",
    f"xinfAP({SKIP})", f"xinfAP({SKIP})@2", f"xinfAP(rel=2, {SKIP})", f"xinfAP(only=1, {SKIP})@3",
    undefined=nothing_relevant,
    golden=(
        Golden("xinfAP", "1 0 1", "0.8333", "by hand: AP, but for ε"),
        Golden("xinfAP", "1 . 1", "0.8333", "by hand: (1 + (1 + 1)/3)/2"),
    ),
)  # fmt: skip
def sampled_ap(t: Topic, cutoff: int | None = None, rel: float = 1, only: float | None = None, **_: object) -> float:
    strata, total = walked(t, cutoff, rel, only), sampled_total(t, rel, only)
    value = 0.0
    for c in strata.values():
        if c.rel:
            value += c.rel * c.pool / c.sampled / total * c.sap / c.rel
    return value * (total / cutoff if cutoff and total > cutoff else 1)


@file(
    "infNDCG",
    f"infNDCG({SKIP})", f"infNDCG({SKIP})@2", f"infNDCG(gains='0-1-10-100', {SKIP})@3",
    undefined=nothing_to_gain,
    golden=(Golden("infNDCG", "1 0 1", "0.9197", "by hand: (1 + 1/2)/(1 + 1/log2(3))"),),
)  # fmt: skip
def sampled_ndcg(t: Topic, cutoff: int | None = None, gains: str = "identity", **_: object) -> float:
    by_gain = Topic(
        tuple(None if g is None else -1 if g < 0 else GAINS[gains](g) for g in t.listed),
        tuple(-1 if g < 0 else GAINS[gains](g) for g in t.base), t.scale, strata=t.strata, pool=t.pool,
    )  # fmt: skip
    dcg = sum(c.nd * c.gain / c.ns for c in walked(by_gain, cutoff).values() if c.ns)
    strata, ideal, start = pooled_by_stratum(by_gain), 0.0, 0.0
    for gain in sorted({g for g in by_gain.base if g > 0}, reverse=True):
        number = sum(
            strata[name].pool / strata[name].sampled for name, g in zip(t.pool, by_gain.base, strict=True) if g == gain
        )
        r = start + 1
        while r <= start + number + 1e-9:
            ideal += gain / math.log2(r + 1)
            if r >= (cutoff or math.inf):
                break
            r += 1
        start += number
    return dcg / ideal


@file(
    "iP",
    f"iP({SKIP})@2", f"iP(rel=2, {SKIP})@3", f"iP(only=1, {SKIP})@5",
    undefined=never,
    golden=(Golden("iP@3", "1 0 1", "0.6667", "by hand: 2/3"),),
)  # fmt: skip
def sampled_precision(t: Topic, cutoff: int, rel: float = 1, only: float | None = None, **_: object) -> float:
    return sum(c.inside() for c in walked(t, cutoff, rel, only).values()) / cutoff


file(
    "iNumRel",
    f"iNumRel({SKIP})", f"iNumRel(rel=2, {SKIP})", f"iNumRel(only=1, {SKIP})",
    undefined=never,
    golden=(Golden("iNumRel", "1 0 -1 -1", 2.0, "by hand: of four documents two sampled, one of them relevant"),),
)(sampled_total)  # fmt: skip


@file(
    "iNumRelRet",
    f"iNumRelRet({SKIP})", f"iNumRelRet({SKIP})@2", f"iNumRelRet(rel=2, {SKIP})", f"iNumRelRet(only=1, {SKIP})",
    undefined=never,
    golden=(Golden("iNumRelRet", "1 . -1", "2.0000", "by hand: 2·(1 + ε)/(1 + 3ε)"),),
)  # fmt: skip
def sampled_found(t: Topic, cutoff: int | None = None, rel: float = 1, only: float | None = None, **_: object) -> float:
    return sum(c.inside() for c in walked(t, cutoff, rel, only).values())


# Users who go down the list ----------------------------------------------------------------------------------------


def full(t: Topic, top: object, gains: str = "identity") -> float:
    """What counts as full relevance."""
    if top == "topic":
        return max(ideal(t, gains), default=0) or 1
    return (top_gain(t, gains) if top == "judgments" else float(str(top))) or 1


@file(
    "RBP",
    "RBP", "RBP@2", "RBP(p=0.5)", "RBP(gains='exp2', top=7)@3", "RBP(gains='binary')", "RBP(top='topic')",
    undefined=never,
    golden=(
        Golden("RBP", "1 0 1", 0.2 * (1 + 0.64), "by hand"),
        Golden("RBP(p=0.5, top=2)@2", "2 1 2", 0.5 * (1 + 0.5 * 0.5), "by hand"),
    ),
    breaks={"bounds-reached": "the residual also counts what stands below the end of the list"},
)  # fmt: skip
def rank_biased_precision(
    t: Topic, cutoff: int | None = None, gains: str = "identity", p: float = 0.8, top: object = "judgments"
) -> float:
    whole = full(t, top, gains)
    return (1 - p) * math.fsum(p**i * min(g / whole, 1) for i, g in enumerate(gained(t, gains)[:cutoff]))


@file(
    "RBPResidual",
    "RBPResidual", "RBPResidual@2", "RBPResidual(p=0.5)",
    undefined=never,
    golden=(
        Golden("RBPResidual", "1 0 1", 0.8**3, "by hand"),
        Golden("RBPResidual(p=0.5)", "1 .", 1 / 2, "by hand: ¼ for the unjudged one, ¼ below the end"),
    ),
)  # fmt: skip
def rank_biased_residual(t: Topic, cutoff: int | None = None, p: float = 0.8) -> float:
    return 1 - (1 - p) * math.fsum(p**i for i, grade in enumerate(t.listed[:cutoff]) if grade is not None)


@file(
    "ERR",
    "ERR", "ERR@2", "ERR(top=4)@3", "ERR(top='topic')",
    undefined=never,
    golden=(
        Golden("ERR(top=3)", "3 0 1", 7 / 8 + 1 / 3 * 1 / 8 * 1 / 8, "by hand"),
        Golden("ERR", "3 2 4", 7 / 16 + 9 / 16 * 3 / 16 / 2 + 9 / 16 * 13 / 16 * 15 / 16 / 3,
               "by hand from the formula of Chapelle & al."),
    ),
)  # fmt: skip
def expected_reciprocal_rank(t: Topic, cutoff: int | None = None, top: object = "judgments") -> float:
    highest = full(t, top)
    reading, value = 1.0, 0.0
    for i, grade in enumerate(gained(t)[:cutoff], start=1):
        satisfied = (2**grade - 1) / 2**highest
        value += reading * satisfied / i
        reading *= 1 - satisfied
    return value


@file(
    "INST",
    "INST", "INST(T=2)", "INST(T=1.5, gains='exp2')", "INST(top='topic')",
    undefined=never,
    golden=(
        Golden("INST", "1", 6 / math.pi**2, "by hand: w[i] = 1/i²"),
        Golden("INST", "0 1", 4 / 9 / (1 + 4 / 9 * 4 * (math.pi**2 / 6 - 1)),
               "by hand: w[2] = (2/3)², then T[2] = 0 and w[i] = w[2]·4/i²"),
    ),
)  # fmt: skip
def inst(t: Topic, gains: str = "identity", T: float = 1, top: object = "judgments") -> float:  # noqa: N803
    highest, far = full(t, top, gains), 10_000
    relevance = [min(g / highest, 1) for g in gained(t, gains)]
    left, weight, weights, value = T, 1.0, 0.0, 0.0
    for i in range(1, far + 1):
        here = relevance[i - 1] if i <= t.n else 0.0
        weights, value, left = weights + weight, value + weight * here, left - here
        weight *= ((i + T + left - 1) / (i + T + left)) ** 2
    # what is left of the sum falls as 1/x²: the area from half a rank before
    x = far + T + left
    return value / (weights + weight * x**2 / (x - 0.5))


# Blends of precision and gain -----------------------------------------------------------------------------------------


@file(
    "Q",
    "Q", "Q(beta=10)", "Q(beta=0)", "Q(gains='0-1-10-100')",
    undefined=nothing_to_gain,
    breaks={"exchange": "on its way it passes better documents, and where these stand the measure looks"},
    golden=(
        Golden("Q", "0 3 1", (4 / 6 + 6 / 7) / 2, "by hand"),
        Golden("Q(beta=0)", A, "0.7750", "AP of the slides' ranking A"),
    ),
)  # fmt: skip
def q_measure(t: Topic, gains: str = "identity", beta: float = 1) -> float:
    gain, best = gained(t, gains), ideal(t, gains)
    blends = [
        (sum(g > 0 for g in gain[:r]) + beta * sum(gain[:r])) / (r + beta * sum(best[:r]))
        for r in range(1, t.n + 1)
        if gain[r - 1] > 0
    ]
    return math.fsum(blends) / sum(g > 0 for g in best)


@file(
    "binG",
    "binG", "binG(rel=2)", "binG(only=1)",
    undefined=nothing_relevant,
    golden=(Golden("binG", "1 0 1", (1 + 1 / math.log2(3)) / 2, "by hand"),),
)  # fmt: skip
def binary_g(t: Topic, rel: float = 1, only: float | None = None) -> float:
    found = hits(t, rel, only)
    worth = [1 / math.log2(2 + found[:i].count(False)) for i, hit in enumerate(found) if hit]
    return math.fsum(worth) / how_many(t, rel, only)


@file(
    "G",
    "G", "G(gains='exp2')", "G(gains='0-0.25-0.5-2.75')",
    undefined=nothing_to_gain,
    golden=(
        Golden("G", "1 0 1", (1 + 1 / math.log2(3)) / 2, "by hand"),
        Golden("G", "0 2 + 1", 2 / math.log2(2 + 3 - 2) / 3, "by hand: costs 2 and 3"),
    ),
)  # fmt: skip
def normalised_gain(t: Topic, gains: str = "identity") -> float:
    best, cost, sofar, value = ideal(t, gains), 0.0, 0.0, 0.0
    for i, g in enumerate(gained(t, gains)):
        cost += max(best[i] if i < len(best) else 0, 1)
        sofar += g
        value += g / math.log2(2 + cost - sofar)
    return value / sum(best)


def ndcg_at(t: Topic, r: int, gains: str, discount: str, base: float | None) -> float:
    return dcg(gained(t, gains), r, discount, base) / dcg(ideal(t, gains), r, discount, base)


@file(
    "ndcg_rel",
    "ndcg_rel", "ndcg_rel(gains='exp2')", "ndcg_rel(discount='jk2002', base=2)",
    undefined=nothing_to_gain,
    breaks={"exchange": "on its way it passes better documents, and where these stand the measure looks"},
    golden=(
        Golden("ndcg_rel", "0 1 + 1", (1 / math.log2(3)) / (1 + 1 / math.log2(3)), "by hand"),
        Golden("ndcg_rel", "1 0 1", (1 + (1 + 1 / 2) / (1 + 1 / math.log2(3))) / 2, "by hand"),
    ),
)  # fmt: skip
def ndcg_over_relevant(t: Topic, gains: str = "identity", discount: str = "log", base: float | None = None) -> float:
    gain, total = gained(t, gains), sum(g > 0 for g in ideal(t, gains))
    there = [ndcg_at(t, i, gains, discount, base) for i, g in enumerate(gain, start=1) if g > 0]
    last = ndcg_at(t, t.n + len(t.base), gains, discount, base)
    return (math.fsum(there) + (total - len(there)) * last) / total


@file(
    "Rndcg",
    "Rndcg", "Rndcg(gains='exp2')", "Rndcg(discount='jk2002', base=2)",
    undefined=nothing_to_gain,
    golden=(
        Golden("Rndcg", "0 1 2", (1 / math.log2(3)) / (2 + 1 / math.log2(3)) / 2, "by hand"),
        Golden("Rndcg", "0 0 1", 1 / 4, "by hand: nDCG[1] = 0, and ½ at the end, two ranks on"),
    ),
)  # fmt: skip
def ndcg_over_levels(t: Topic, gains: str = "identity", discount: str = "log", base: float | None = None) -> float:
    best = [g for g in ideal(t, gains) if g > 0]
    points = [r for r in range(1, len(best) + 1) if r == len(best) or best[r] < best[r - 1]]
    values = [ndcg_at(t, r, gains, discount, base) for r in points]
    if t.n > len(best) + 1:
        values.append(ndcg_at(t, t.n, gains, discount, base))
    return math.fsum(values) / len(values)
