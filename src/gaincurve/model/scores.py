"""Scores: a value for each topic or session and measure of each run, with what they were computed from and how."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gaincurve.errors import nearest
from gaincurve.model.graded import Graded
from gaincurve.model.measure import Measure
from gaincurve.model.rows import Floats
from gaincurve.model.scenario import Scenario
from gaincurve.model.signature import Signature
from gaincurve.model.source import Note, Source, counted, examples
from gaincurve.model.summaries import mean, summarised
from gaincurve.model.tables.frames import frame_of
from gaincurve.model.tables.result import Result, Series
from gaincurve.model.tables.tidy import Tidy, coded, each_signature, stacked
from gaincurve.model.units import Units


def json_number(value: float) -> float | None:
    """A number for JSON: undefined is null."""
    return None if math.isnan(value) else float(value)


def _for_json(values: Mapping[str, float]) -> dict[str, float | None]:
    return {name: json_number(value) for name, value in values.items()}


@dataclass(frozen=True, eq=False)
class TopicScores:
    """One measure of one run: a value per topic or session, nan where it is undefined or was left out."""

    topics: tuple[str, ...]
    values: Floats

    def __len__(self) -> int:
        return len(self.topics)

    def __iter__(self) -> Iterator[float]:
        return iter(self.values.tolist())

    def __getitem__(self, topic: str) -> float:
        return float(self.values[place_of(topic, self.topics, "topic")])

    def __array__(self, dtype: object = None, copy: bool | None = None) -> NDArray[np.generic]:
        return np.array(self.values, dtype=dtype, copy=True)  # type: ignore[call-overload, no-any-return]

    def items(self) -> Iterator[tuple[str, float]]:
        """Pairs of topic and value."""
        return zip(self.topics, self.values.tolist(), strict=True)

    def mean(self) -> float:
        """The mean of the defined values."""
        return mean(self.values)


@dataclass(frozen=True, eq=False)
class Evidence:
    """What scores were computed from: the graded runs, in their order, and the scenario.

    `names` are those under which the units of each run were scored, where these are not their own: the user or topic
    of every session.
    """

    runs: tuple[Graded, ...]
    scenario: Scenario
    names: tuple[tuple[str, ...], ...] = ()

    def names_of(self, r: int) -> tuple[str, ...]:
        """The name under which each unit of run r was scored."""
        return self.names[r] if self.names else self.runs[r].units.names


@dataclass(frozen=True, eq=False)
class Scores(Result):
    """`values[run, measure, unit]`; nan is undefined or left out. `low` and `high` are bounds where asked for.

    `design` is 'paired' where every run was scored on the same units, 'unpaired' where each has its own and is nan on
    the others'. Sessions can be summarised otherwise than by a summary of their values: by a ratio of means, or `by`
    topic or user as a mean of the means of `groups`; then `summarised[run, measure]` is the summary, `signatures` are
    the summary's, and `single` those of single sessions. `tables` holds what is known of each system's sessions,
    `evidence` the graded runs that the values come from, while they are at hand.
    """

    runs: tuple[str, ...]
    measures: tuple[Measure, ...]
    units: tuple[str, ...]
    values: Floats
    signatures: tuple[Signature, ...]
    inputs: tuple[Source, ...]
    notes: tuple[Note, ...]
    low: Floats | None = None
    high: Floats | None = None
    kind: str = "topic"
    design: str = "paired"
    single: tuple[Signature, ...] = ()
    summarised: Floats | None = None
    by: str = ""
    groups: Mapping[str, Mapping[str, Mapping[str, float]]] | None = None
    tables: tuple[Units, ...] = ()
    evidence: Evidence | None = field(default=None, repr=False)

    def __getstate__(self) -> dict[str, object]:
        """What is pickled or copied: the scores without the graded runs behind them."""
        return {**vars(self), "evidence": None}

    def __repr__(self) -> str:
        units = f"{counted(len(self.units), self.kind)}, {', '.join(self.texts)}"
        return f"Scores({counted(len(self.runs), 'run')}, {units}{'' if self.kind == 'topic' else ', ' + self.design})"

    def __iter__(self) -> Iterator[tuple[str, str, TopicScores]]:
        """Run, measure and scores by topic, one after the other."""
        return ((run, measure, self[run, measure]) for run in self.runs for measure in self.texts)

    def __getitem__(self, key: tuple[str, str | Measure]) -> TopicScores:
        if not isinstance(key, tuple) or len(key) != 2:
            raise KeyError(
                f"{key!r} is not a pair of run and measure: scores[{self.runs[0]!r}, {self.texts[0]!r}] gives the "
                f"scores of each topic, scores.summary()[{self.runs[0]!r}] the means"
            )
        run, measure = key
        return TopicScores(self.units, self.values[place_of(run, self.runs, "run"), self._place(measure)])

    @property
    def topics(self) -> tuple[str, ...]:
        """The names of what was scored: topics, or sessions."""
        return self.units

    @property
    def summaries(self) -> tuple[str, ...]:
        """What stands for all units together, measure by measure."""
        return tuple(measure.summary for measure in self.measures)

    @property
    def means(self) -> dict[str, dict[str, float]]:
        """The summary, as sessions have always called it."""
        return self.summary()

    @property
    def texts(self) -> tuple[str, ...]:
        """The measures as text."""
        return tuple(measure.text for measure in self.measures)

    @property
    def scores(self) -> Scores:
        """The same values with the plain summary of each measure: what the statistics take."""
        if not self.single:
            return self
        return replace(self, signatures=self.single, single=(), summarised=None, by="", groups=None)

    def of(self, *measures: str | Measure) -> Scores:
        """The scores of some of the measures."""
        places = [self._place(measure) for measure in measures]
        low, high, summary = (
            None if values is None else values[:, places] for values in (self.low, self.high, self.summarised)
        )
        signatures, single = (
            tuple(signed[i] for i in places) if signed else () for signed in (self.signatures, self.single)
        )
        chosen = tuple(self.measures[i] for i in places)
        return replace(self, measures=chosen, values=self.values[:, places], low=low, high=high, summarised=summary,
                       signatures=signatures, single=single)  # fmt: skip

    def _place(self, measure: str | Measure) -> int:
        return place_of(str(measure), self.texts, "measure")

    def summary(self) -> dict[str, dict[str, float]]:
        """{run: {measure: mean over topics or sessions}}, or the summary that the measure names."""
        if self.summarised is None:
            return self._summarised(self.values)
        return {run: dict(zip(self.texts, self.summarised[r].tolist(), strict=True)) for r, run in enumerate(self.runs)}

    def bounds(self) -> dict[str, dict[str, tuple[float, float]]]:
        """{run: {measure: (lowest, highest summary)}}; empty unless the scenario asked for bounds."""
        if self.low is None or self.high is None:
            return {}
        low, high = (self._summarised(side) for side in (self.low, self.high))
        return {run: {measure: (low[run][measure], high[run][measure]) for measure in self.texts} for run in self.runs}

    def _summarised(self, values: Floats) -> dict[str, dict[str, float]]:
        return {
            run: {measure.text: summarised(values[r, i], measure.summary) for i, measure in enumerate(self.measures)}
            for r, run in enumerate(self.runs)
        }

    def to_dict(self, topics: bool = False) -> dict[str, object]:
        """The JSON shape gaincurve.scores/1, of sessions gaincurve.sessions/1; with `topics` the single scores too."""
        sessions = self.kind == "session"
        shape: dict[str, object] = {
            "schema": f"gaincurve.{'sessions' if sessions else 'scores'}/1",
            "measures": [{"name": signed.measure.text, "signature": str(signed)} for signed in self.signatures],
        }
        if sessions:
            shape["design"] = self.design
        shape["summary"] = {run: _for_json(row) for run, row in self.summary().items()}
        if self.groups is not None:
            shape["by"] = self.by
            shape["groups"] = {
                run: {group: _for_json(row) for group, row in groups.items()} for run, groups in self.groups.items()
            }
        if self.low is not None:
            shape["bounds"] = {
                run: {measure: [json_number(end) for end in ends] for measure, ends in row.items()}
                for run, row in self.bounds().items()
            }
        if topics:
            shape["sessions" if sessions else "topics"] = {
                run: {
                    self.units[u]: {
                        **facts,
                        **dict(zip(self.texts, map(json_number, self.values[r, :, u]), strict=True)),
                    }
                    for u, facts in self.facts(r)
                }
                for r, run in enumerate(self.runs)
            }
        if topics and self.low is not None and self.high is not None:
            ends = np.stack([self.low, self.high], axis=-1)
            shape[f"{self.kind}_bounds"] = {
                run: {
                    unit: {measure: [json_number(end) for end in ends[r, i, u]] for i, measure in enumerate(self.texts)}
                    for u, unit in enumerate(self.units)
                }
                for r, run in enumerate(self.runs)
            }
        return shape

    def tidy(self, topics: bool = True, summary: bool | None = None) -> Tidy:
        """run, topic, measure, value, signature; low and high where bounds were asked for.

        A row for each topic or session, or without `topics` for the summary, called 'all' (behind that of each group).
        """
        lines = self._lines(topics, not topics if summary is None else summary)
        counts = [len(codes) for codes, _ in lines]
        repeats = [count for count in counts for _ in self.measures]
        groups = self.groups is not None and not topics
        names = (*self.units, "all", *(self._group_names() if groups else ()))
        each = np.arange(len(self.measures))
        columns = {
            "run": coded(self.runs, np.repeat(np.arange(len(self.runs)), np.array(counts) * len(self.measures))),
            self.by if groups else self.kind: coded(names, np.concatenate([np.tile(c, len(each)) for c, _ in lines])),
            "measure": coded(self.texts, np.repeat(np.tile(each, len(lines)), repeats)),
            **{name: stacked(block[i] for _, block in lines) for i, name in enumerate(self._ends())},
        }
        if not self.single:
            signed = each_signature(self.signatures * len(lines), repeats)
        else:
            of_summary = [codes >= len(self.units) for codes, _ in lines]
            codes = [np.where(behind, i, i + len(each)) for behind in of_summary for i in range(len(each))]
            signed = coded(map(str, (*self.signatures, *self.single)), np.concatenate(codes))
        signatures = self.single if self.single and topics else self.signatures
        return Tidy(self._schema, {**columns, "signature": signed}, tuple(map(str, signatures)))

    def wide(self, topics: bool = True) -> Tidy:
        """A row for each run and topic, or without `topics` for each run, and a column for each measure."""
        lines = self._lines(topics, not topics)
        names = (*self.units, "all", *self._group_names())
        columns = {"run": coded(self.runs, np.repeat(np.arange(len(self.runs)), [len(codes) for codes, _ in lines]))}
        if topics or self.groups is not None:
            unit = self.kind if topics else self.by
            columns[unit] = coded(names, np.concatenate([codes for codes, _ in lines]))
        for i, measure in enumerate(self.texts):
            for side, end in enumerate(self._ends()):
                name = measure if end == "value" else f"{measure} {end}"
                columns[name] = stacked(block[side, i] for _, block in lines)
        signatures = self.single if self.single and topics else self.signatures
        return Tidy(self._schema, columns, tuple(map(str, signatures)))

    def shown(self) -> Tidy:
        """Runs and the summary of each measure."""
        return self.wide(topics=False)

    def series(self) -> list[Series]:
        """The summary of each run and measure."""
        summary = self.summary()
        return [
            Series(run, measure, str(signature), (summary[run][measure],))
            for run in self.runs
            for measure, signature in zip(self.texts, self.signatures, strict=True)
        ]

    def to_dvc(self) -> dict[str, dict[str, float]]:
        """The summaries as a file of metrics: {run: {measure: value}}, without those that are undefined."""
        return {
            run: {measure: value for measure, value in row.items() if not math.isnan(value)}
            for run, row in self.summary().items()
        }

    def to_frame(self, library: str | None = None, *, wide: bool = False, topics: bool = True) -> Any:
        """A data frame: 'pandas', 'polars' or 'pyarrow', else the first of these that is installed.

        The long form has run, topic, measure, value and signature; `wide` has a column for each measure. Without
        `topics` a frame holds the summary of each run.
        """
        return frame_of(self.wide(topics) if wide else self.tidy(topics), library)

    @property
    def _schema(self) -> str:
        return f"gaincurve.{self.kind}s/1" if self.kind == "session" else "gaincurve.scores/1"

    def _ends(self) -> tuple[str, ...]:
        return ("value",) if self.low is None or self.high is None else ("value", "low", "high")

    def _group_names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(group for groups in (self.groups or {}).values() for group in groups))

    def _lines(self, units: bool, summary: bool) -> list[tuple[NDArray[np.int64], Floats]]:
        """By run: where the name of each line stands among units, 'all' and groups, and values[end, measure, line]."""
        sides = np.stack([side for side in (self.values, self.low, self.high) if side is not None])
        ends = len(self._ends())
        means, bounds = (self.summary(), self.bounds()) if summary else ({}, {})
        groups = self._group_names()
        lines = []
        for r, run in enumerate(self.runs):
            places = np.array([u for u, _ in self.facts(r)], dtype=np.int64) if units else np.zeros(0, dtype=np.int64)
            codes, parts = [places], [sides[:, r][:, :, places]]
            if self.groups is not None and not units:
                codes.append(np.array([len(self.units) + 1 + groups.index(name) for name in self.groups[run]]))
                by_group = np.full((ends, len(self.texts), len(self.groups[run])), np.nan)
                by_group[0] = np.array([list(row.values()) for row in self.groups[run].values()]).T
                parts.append(by_group)
            if summary:
                codes.append(np.array([len(self.units)]))
                all_ends = [(means[run][text], *(bounds[run][text] if bounds else ())) for text in self.texts]
                parts.append(np.array(all_ends).T[:, :, None])
            lines.append((np.concatenate(codes).astype(np.int64), np.concatenate(parts, axis=2)))
        return lines

    def facts(self, r: int) -> Iterator[tuple[int, dict[str, object]]]:
        """The units of run r: their place in the scores and, of sessions, topic, user and number of queries."""
        if not self.tables:
            yield from ((u, {}) for u in range(len(self.units)))
            return
        table = self.tables[r]
        topic, lengths = table.topic_of_unit().tolist(), table.lengths.tolist()
        user = [-1] * len(table) if table.user is None else table.user.tolist()
        index = {name: i for i, name in enumerate(self.units)}
        for i, name in enumerate(table.names):
            facts: dict[str, object] = {"topic": table.topics[topic[i]] if topic[i] >= 0 else None}
            if user[i] >= 0:
                facts["user"] = table.users[user[i]]
            yield index[name], {**facts, "queries": lengths[i]}


SessionScores = Scores
"""The scores of sessions are scores; the name stays for those who import it."""


def place_of(name: str, names: tuple[str, ...], kind: str) -> int:
    """Where a name stands, or a KeyError that suggests the nearest."""
    if name not in names:
        raise KeyError(f"no {kind} {name!r}{nearest(name, names)}; there are {examples(list(names), 10)}")
    return names.index(name)
