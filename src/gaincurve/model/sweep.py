"""A sweep: who wins under which user, by how much, and whether that is significant."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from gaincurve.model.scores import json_number
from gaincurve.model.sentences import say
from gaincurve.model.signature import Signature
from gaincurve.model.source import Note, Source, counted, number_text
from gaincurve.model.tables.result import Result
from gaincurve.model.tables.tidy import Cell, Kind, Tidy

TIED = "="
"""Stands for a winner where two runs share the best mean."""


AXES = {
    "gains": "gains",
    "discount": "discount",
    "query_discount": "query discount",
    "depth": "cutoff",
    "ratio": "weight ratio",
}
"""What is swept, by the field of a setting and as sentences call it."""


@dataclass(frozen=True)
class Setting:
    """One user: gains, discount and cutoff, with the mean of every run.

    `ratio` is the weight of a highly relevant document over a marginal one where gains come from it. `low` and `high`
    are the ends of the interval of the margin between winner and runner-up (t, this pair alone), `p` is adjusted by
    Holm over all pairs of runs; all three are nan with one topic, which allows no test. `query_discount` is that of
    sessions, where it decides the number; `sizes` are the units of each run where runs share none.
    """

    measure: str
    gains: str
    discount: str
    depth: int
    ratio: float | None
    means: tuple[float, ...]
    winner: str
    runner_up: str
    margin: float
    low: float
    high: float
    p: float
    significant: bool
    topics: int
    query_discount: str = ""
    sizes: tuple[int, ...] = ()

    def to_dict(self, runs: tuple[str, ...]) -> dict[str, object]:
        """One entry of `settings`."""
        return {
            "measure": self.measure,
            "gains": self.gains,
            "discount": self.discount,
            **({"query_discount": self.query_discount} if self.query_discount else {}),
            "depth": self.depth,
            "ratio": self.ratio,
            "winner": None if self.winner == TIED else self.winner,
            "runner_up": self.runner_up,
            "margin": json_number(self.margin),
            "low": json_number(self.low),
            "high": json_number(self.high),
            "p": json_number(self.p),
            "significant": self.significant,
            "topics": self.topics,
            "summary": {run: json_number(mean) for run, mean in zip(runs, self.means, strict=True)},
        }


@dataclass(frozen=True)
class Sweep(Result):
    """Settings over gains × discount × cutoff (`grid`) and over weight ratio × cutoff (`ratios`).

    A topic counts in a setting if every run has a score there, so settings may rest on different numbers of topics.
    `method` says in words how winner and runner-up were tested, `unit` what topics are: topics, sessions or users.
    """

    measure: str
    runs: tuple[str, ...]
    grid: tuple[Setting, ...]
    ratios: tuple[Setting, ...]
    alpha: float
    method: str
    signature: Signature
    inputs: tuple[Source, ...]
    notes: tuple[Note, ...]
    unit: str = "topic"

    def __repr__(self) -> str:
        counts = ((self.settings, "setting"), (self.runs, "run"), (self.flips, "flip"))
        return f"Sweep({self.measure}: {', '.join(counted(len(many), noun) for many, noun in counts)})"

    @property
    def settings(self) -> tuple[Setting, ...]:
        """All settings."""
        return self.grid + self.ratios

    @property
    def topics(self) -> tuple[int, int]:
        """The fewest and the most topics that a setting rests on."""
        numbers = [setting.topics for setting in self.settings]
        return min(numbers), max(numbers)

    @property
    def winner(self) -> str:
        """The run that wins most settings."""
        wins = Counter(setting.winner for setting in self.settings if setting.winner != TIED)
        return min(wins, key=lambda run: (-wins[run], run)) if wins else TIED

    @property
    def flips(self) -> tuple[Setting, ...]:
        """The settings that another run wins."""
        return tuple(setting for setting, flip in self.flipped() if flip)

    def sentence(self) -> str:
        """Under which users the verdict holds."""
        if self.winner == TIED:
            return say("no winner")
        won = [setting for setting in self.settings if setting.winner == self.winner]
        wins = say(
            "wins",
            run=self.winner,
            won=len(won),
            settings=counted(len(self.settings), "setting"),
            significant=sum(setting.significant for setting in won),
        )
        if not self.flips:
            return say("holds", wins=wins)
        wins_of_others = Counter(setting.winner for setting in self.flips)
        others = sorted(wins_of_others.items(), key=lambda other: (-other[1], other[0]))
        return say(
            "flips",
            wins=wins,
            others="; ".join(say("other wins", run=run, won=number, where=self._where(run)) for run, number in others),
            significant=sum(setting.significant for setting in self.flips) or "none",
        )

    def _where(self, run: str) -> str:
        """The one choice that explains best where a run wins: ', mostly with gains 0-1-1-1'."""
        best: tuple[float, str] = (0.0, "")
        for settings, axis in (
            (self.grid, "gains"),
            (self.grid, "discount"),
            (self.grid, "query_discount"),
            (self.grid, "depth"),
            (self.ratios, "ratio"),
        ):
            values = list(dict.fromkeys(getattr(setting, axis) for setting in settings))
            shares = {value: _share(settings, axis, value, run) for value in values}
            high = [value for value in values if shares[value] >= 0.5]
            if not high or len(high) == len(values):
                continue
            contrast = min(shares[value] for value in high) - max(
                shares[value] for value in values if value not in high
            )
            if contrast > best[0]:
                how = "exactly" if contrast == 1 else "mostly"
                best = (contrast, say("where", how=how, axis=AXES[axis], values=_values(axis, high)))
        return best[1]

    def ratio_sentence(self) -> str:
        """How the winner changes as highly relevant documents weigh more; '' without a ratio axis."""
        if not self.ratios:
            return ""
        depth = min({setting.depth for setting in self.ratios}, key=lambda depth: (abs(depth - 10), depth))
        settings = [setting for setting in self.ratios if setting.depth == depth]
        settings.sort(key=lambda setting: setting.ratio or 0.0)
        spans: list[tuple[str, list[str]]] = []
        for setting in settings:
            if not spans or spans[-1][0] != setting.winner:
                spans.append((setting.winner, []))
            spans[-1][1].append(number_text(setting.ratio or 0.0))
        low, high = number_text(settings[0].ratio or 0), number_text(settings[-1].ratio or 0)
        leaders = ["no run" if run == TIED else run for run, _ in spans]
        if len(spans) == 1:
            return (
                f"At cutoff {depth} {leaders[0]} leads whether a highly relevant document is worth {low} or {high} "
                "marginal ones."
            )
        weights = [" to ".join(dict.fromkeys((ratios[0], ratios[-1]))) for _, ratios in spans]
        leads = [f"{run} leads at {weight}" for run, weight in zip(leaders, weights, strict=True)]
        return (
            f"At cutoff {depth} the winner depends on how many marginal documents a highly relevant one is worth: "
            f"{', '.join(leads)}."
        )

    def flipped(self) -> list[tuple[Setting, bool]]:
        """Every setting, and whether another run than the usual one wins it."""
        usual = (self.winner, TIED)
        return [(setting, setting.winner not in usual) for setting in self.settings]

    def sentences(self) -> list[str]:
        """The verdict and, with a ratio axis, how the winner changes along it."""
        return [self.sentence(), *([self.ratio_sentence()] if self.ratios else [])]

    def tidy(self) -> Tidy:
        """measure, gains, discount, depth, ratio, topics, winner, runner_up, margin, p, significant, flip, run means.

        The query discount of sessions stands behind the discount, and what was tested in place of topics.
        """
        by_query = any(setting.query_discount for setting in self.settings)
        rows: list[tuple[Cell, ...]] = [
            (
                setting.measure, setting.gains, setting.discount, *([setting.query_discount] if by_query else []),
                setting.depth, setting.ratio, setting.topics, setting.winner, setting.runner_up, setting.margin,
                setting.p, setting.significant, flip, *setting.means, str(self.signature),
            )
            for setting, flip in self.flipped()
        ]  # fmt: skip
        kinds: dict[str, Kind] = {
            "measure": "text", "gains": "text", "discount": "text", **({"query_discount": "text"} if by_query else {}),
            "depth": "count", "ratio": "number", f"{self.unit}s": "count", "winner": "text", "runner_up": "text",
            "margin": "number", "p": "number", "significant": "truth", "flip": "truth",
            **dict.fromkeys(self.runs, "number"), "signature": "text",
        }  # fmt: skip
        return Tidy.of_rows("gaincurve.sweep/1", kinds, rows, [self.signature])

    def shown(self) -> Tidy:
        """Who wins where, by how much."""
        return self.tidy().only(
            "gains", "discount", "query_discount", "depth", "ratio", "winner", "runner_up", "margin", "p",
            "significant", "flip",
        )  # fmt: skip

    def to_dict(self) -> dict[str, object]:
        """The JSON shape gaincurve.sweep/1."""
        return {
            "schema": "gaincurve.sweep/1",
            "measures": [{"name": self.measure, "signature": str(self.signature)}],
            "runs": list(self.runs),
            "alpha": self.alpha,
            "unit": self.unit,
            "method": self.method,
            "topics": {"fewest": self.topics[0], "most": self.topics[1]},
            "winner": None if self.winner == TIED else self.winner,
            "wins": dict(Counter(setting.winner for setting in self.settings)),
            "flips": len(self.flips),
            "sentences": self.sentences(),
            "settings": [{**setting.to_dict(self.runs), "flip": flip} for setting, flip in self.flipped()],
        }


def topics_text(topics: tuple[int, int]) -> str:
    """'50', or '67–225' where settings differ."""
    return str(topics[0]) if topics[0] == topics[1] else f"{topics[0]}–{topics[1]}"


def _share(settings: tuple[Setting, ...], axis: str, value: object, run: str) -> float:
    here = [setting for setting in settings if getattr(setting, axis) == value]
    return sum(setting.winner == run for setting in here) / len(here)


def _values(axis: str, values: list[object]) -> str:
    shown = [number_text(value) if isinstance(value, float) else str(value) for value in values]
    return f"{shown[0]} to {shown[-1]}" if len(shown) > 2 and axis in ("depth", "ratio") else ", ".join(shown)
