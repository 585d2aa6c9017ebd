"""A comparison of systems: every pair with all that a table, a figure or a sentence needs."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from gaincurve.errors import nearest
from gaincurve.model.measure import Measure
from gaincurve.model.rows import Floats
from gaincurve.model.scores import json_number, place_of
from gaincurve.model.sentences import say
from gaincurve.model.signature import Signature
from gaincurve.model.source import Note, Source, counted, examples
from gaincurve.model.standing import Standing
from gaincurve.model.tables.result import Result
from gaincurve.model.tables.tidy import Cell, Kind, Tidy

STRONG = 0.01
"""Two stars in the 2002 paper's Table II."""

JUDGING = ("judged_low", "judged_high", "judged_p", "judged_a", "judged_b", "certain", "decided_by_ties")
"""The columns that say how a difference stands against what is not judged."""


PAIR_COLUMNS: dict[str, Kind] = {
    "measure": "text", "a": "text", "b": "text", "mean_a": "number", "mean_b": "number", "difference": "number",
    "low": "number", "high": "number", "p": "number", "p_adjusted": "number", "p_randomisation": "number",
    "significant": "truth", "effect": "number", "hedges_g": "number", "relative": "number", "practical": "text",
    "wins": "count", "ties": "count", "losses": "count", "better": "text",
    **{name: "truth" if name in ("certain", "decided_by_ties") else "number" for name in JUDGING},
    "signature": "text",
}  # fmt: skip
"""What is known of a pair, as typed columns."""


@dataclass(frozen=True)
class Pair:
    """System `a` against system `b` on one measure; the difference is a less b, and so are wins and effect.

    `low` and `high` are the ends of its interval; `p` is that of the single test, `p_adjusted` that within the family
    (both the same where the test is one for the whole family). `check` is the sign-flip p beside a t-test. `better`
    names the one that the test puts ahead, '' if neither: by means, or by topics won or ranks where the test is about
    these. Undefined numbers are nan; wins, ties and losses are None where the systems share no topics. `standing` says
    what judging the unjudged documents could change, where that is known.
    """

    measure: Measure
    a: str
    b: str
    mean_a: float
    mean_b: float
    difference: float
    low: float
    high: float
    p: float
    p_adjusted: float
    significant: bool
    effect: float
    hedges_g: float
    relative: float
    practical: str
    wins: int | None
    ties: int | None
    losses: int | None
    better: str
    check: float = math.nan
    standing: Standing | None = None

    @property
    def doubtful(self) -> bool:
        """Whether unjudged or tied documents leave it open who is ahead."""
        return self.standing is not None and self.standing.doubtful

    @property
    def worse(self) -> str:
        """The one behind, '' if they are equal."""
        return {self.a: self.b, self.b: self.a}.get(self.better, "")

    @property
    def has_interval(self) -> bool:
        """Whether the difference has an interval."""
        return not (math.isnan(self.low) or math.isnan(self.high))

    @property
    def stars(self) -> str:
        """'**' for an adjusted p of at most .01, '*' for one within alpha, '' for others."""
        if not self.significant:
            return ""
        return "**" if self.p_adjusted <= STRONG else "*"

    def to_dict(self) -> dict[str, object]:
        """One entry of `pairs` in gaincurve.comparison/1."""
        numbers = ("mean_a", "mean_b", "difference", "low", "high", "p", "p_adjusted", "effect", "hedges_g", "relative")
        entry: dict[str, object] = {"measure": self.measure.text, "a": self.a, "b": self.b}
        entry |= {name: json_number(getattr(self, name)) for name in numbers}
        entry |= {"practical": self.practical, "wins": self.wins, "ties": self.ties, "losses": self.losses}
        entry |= {"significant": self.significant, "stars": self.stars, "better": self.better or None}
        if not math.isnan(self.check):
            entry["p_randomisation"] = self.check
        return {**entry, **self.judging()}

    def judging(self) -> dict[str, float | bool | None]:
        """What is known of the unjudged documents, for tables and JSON; None where it is not."""
        standing = self.standing
        if standing is None:
            return dict.fromkeys(JUDGING)
        numbers = (standing.low, standing.high, standing.p, standing.judged_a, standing.judged_b)
        return dict(zip(JUDGING, (*map(json_number, numbers), standing.certain, standing.decided_by_ties), strict=True))


@dataclass(frozen=True, eq=False)
class Family:
    """All comparisons of one measure.

    `scores[topic, run]` are the scores tested, `overall` the statistics of the test over all systems at once, `groups`
    the letters that systems share unless they differ, `mean_ranks` and `critical` what a critical-difference diagram
    shows; both are there only where they have a meaning. `by` is what the test goes by: means, or ranks of some kind;
    `correction` how p-values were corrected and over how many comparisons, '' where they were not. `unit` is what
    `topics` names: topics, sessions, or the users or topics whose sessions were put together.
    """

    measure: Measure
    signature: Signature
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    scores: Floats
    means: tuple[float, ...]
    higher_is_better: bool
    pairs: tuple[Pair, ...]
    methods: str
    intervals: str
    words: str
    overall: dict[str, float] = field(default_factory=dict)
    groups: tuple[str, ...] = ()
    mean_ranks: tuple[float, ...] = ()
    critical: float = math.nan
    by: str = "means"
    correction: str = ""
    unit: str = "topic"

    @property
    def model(self) -> str:
        """What the chances that an order holds once all is judged rest on, in a sentence; '' where there are none."""
        priors = {pair.standing.prior for pair in self.pairs if pair.standing} - {""}
        return say("if judged", model=say(f"model {priors.pop()}")) if priors else ""

    @property
    def best_first(self) -> list[int]:
        """Runs from best to worst mean; equal ones by name."""
        sign = -1 if self.higher_is_better else 1
        return sorted(range(len(self.runs)), key=lambda r: (sign * round(self.means[r], 10), self.runs[r]))

    def mean_better(self, pair: Pair) -> str:
        """The run with the better mean, '' if the means are equal."""
        gap = round(pair.difference, 10) * (1 if self.higher_is_better else -1)
        return pair.a if gap > 0 else pair.b if gap < 0 else ""

    def disagreeing(self, alpha: float) -> list[Pair]:
        """The pairs about which the test and the sign-flip check beside it decide differently."""
        checked = (pair for pair in self.pairs if not math.isnan(pair.check))
        return [pair for pair in checked if (pair.p <= alpha) != (pair.check <= alpha)]

    def beaten_by(self, run: str) -> list[str]:
        """The runs that `run` is significantly better than."""
        return [pair.worse for pair in self.pairs if pair.significant and pair.better == run]

    def stars(self) -> str:
        """The significant differences as the 2002 paper writes them: 'D, E > A**'; '' if there are none."""
        by_loser: dict[tuple[str, str], list[str]] = {}
        for r in self.best_first[::-1]:
            for pair in self.pairs:
                if pair.significant and pair.worse == self.runs[r]:
                    by_loser.setdefault((self.runs[r], pair.stars), []).append(pair.better)
        merged: dict[tuple[tuple[str, ...], str], list[str]] = {}
        place = {self.runs[r]: i for i, r in enumerate(self.best_first)}
        for (loser, stars), winners in by_loser.items():
            merged.setdefault((tuple(sorted(winners, key=place.__getitem__)), stars), []).append(loser)
        return "; ".join(
            f"{', '.join(winners)} > {', '.join(losers)}{stars}" for (winners, stars), losers in merged.items()
        )

    def topic_differences(self, a: str, b: str) -> list[tuple[str, float]]:
        """Topic and difference (a less b), largest gain of `a` first."""
        gaps = self.scores[:, place_of(a, self.runs, "run")] - self.scores[:, place_of(b, self.runs, "run")]
        return sorted(zip(self.topics, gaps.tolist(), strict=True), key=lambda row: (-row[1], row[0]))


@dataclass(frozen=True, eq=False)
class Comparison(Result):
    """Families of comparisons, one per measure, under one test."""

    runs: tuple[str, ...]
    families: tuple[Family, ...]
    test: str
    adjust: str
    post_hoc: str
    baseline: str
    alpha: float
    seed: int
    draws: int
    family: str
    effect_name: str
    inputs: tuple[Source, ...]
    notes: tuple[Note, ...]

    def __repr__(self) -> str:
        significant = sum(pair.significant for pair in self.pairs)
        measures = ", ".join(self.measures)
        return f"Comparison({self.test}: {counted(len(self.pairs), 'pair')}, {significant} significant, {measures})"

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures compared."""
        return tuple(family.measure.text for family in self.families)

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """All pairs of all measures."""
        return tuple(pair for family in self.families for pair in family.pairs)

    def __getitem__(self, key: tuple[str, str, str]) -> Pair:
        """`comparison["nDCG@10", "splade", "bm25"]`: that pair, as it was compared."""
        measure, a, b = key
        for pair in self.of(measure).pairs:
            if {pair.a, pair.b} == {a, b}:
                return pair
        known = examples(list(self.runs), 10)
        raise KeyError(f"{a} and {b} were not compared{nearest(a, self.runs)}; there are {known}")

    def of(self, measure: str | Measure) -> Family:
        """The family of one measure."""
        return self.families[place_of(str(measure), self.measures, "measure")]

    def methods(self) -> list[str]:
        """Each methods sentence once; where they differ, with the measures it holds for."""
        return self._each_once({family.measure.text: family.methods for family in self.families})

    def intervals(self) -> list[str]:
        """What the intervals are, likewise."""
        return self._each_once({family.measure.text: family.intervals for family in self.families})

    def _each_once(self, by_measure: dict[str, str]) -> list[str]:
        measures: dict[str, list[str]] = {}
        for measure, text in by_measure.items():
            measures.setdefault(text, []).append(measure)
        if len(measures) == 1:
            return list(measures)
        return [f"{', '.join(names)}: {text}" for text, names in measures.items()]

    def sentences(self) -> list[str]:
        """The result in plain words, one sentence per measure."""
        return [family.words for family in self.families]

    def tidy(self) -> Tidy:
        """One row per pair, with everything known about it."""
        kinds = {name: kind for name, kind in PAIR_COLUMNS.items() if name != "p_randomisation" or self.test == "t"}
        rows = [
            tuple(_cells(pair, str(family.signature))[name] for name in kinds)
            for family in self.families
            for pair in family.pairs
        ]
        return Tidy.of_rows("gaincurve.comparison/1", kinds, rows, (family.signature for family in self.families))

    def shown(self) -> Tidy:
        """Each pair with its difference, interval and p."""
        names = ("measure", "a", "b", "mean_a", "mean_b", "difference", "low", "high", "p_adjusted", "significant")
        return self.tidy().only(*names)

    def to_dict(self) -> dict[str, object]:
        """The JSON shape gaincurve.comparison/1."""
        return {
            "schema": "gaincurve.comparison/1",
            "measures": [{"name": family.measure.text, "signature": str(family.signature)} for family in self.families],
            "runs": list(self.runs),
            "method": {
                "test": self.test,
                "adjust": self.adjust,
                "post_hoc": self.post_hoc or None,
                "baseline": self.baseline or None,
                "alpha": self.alpha,
                "seed": self.seed if self.draws else None,
                "draws": self.draws or None,
                "family": self.family,
                "effect": self.effect_name,
                "prior": next((p.standing.prior for p in self.pairs if p.standing and p.standing.prior), None),
                "sentences": self.methods(),
                "intervals": self.intervals(),
            },
            "summary": {
                run: {family.measure.text: json_number(family.means[r]) for family in self.families}
                for r, run in enumerate(self.runs)
            },
            "overall": {
                family.measure.text: {name: json_number(value) for name, value in family.overall.items()}
                for family in self.families
                if family.overall
            },
            "groups": {
                family.measure.text: dict(zip(family.runs, family.groups, strict=True))
                for family in self.families
                if family.groups
            },
            "stars": {family.measure.text: family.stars() for family in self.families},
            "pairs": [pair.to_dict() for pair in self.pairs],
            "sentences": self.sentences(),
        }


def _cells(pair: Pair, signature: str) -> dict[str, Cell]:
    """The cells of a pair by column."""
    own = {name: getattr(pair, name) for name in PAIR_COLUMNS if hasattr(pair, name)}
    return {
        **own, "measure": pair.measure.text, "p_randomisation": pair.check, **pair.judging(), "signature": signature
    }  # fmt: skip
