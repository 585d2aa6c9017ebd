"""The unit of a test over sessions: the sessions themselves, or the means of each user's or each topic's sessions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gaincurve.errors import ChoiceError, Problem, one_of
from gaincurve.model.ids import Ints
from gaincurve.model.rows import Floats
from gaincurve.model.scores import Evidence, Scores
from gaincurve.model.sentences import say
from gaincurve.model.sessions.tables import DESIGNS
from gaincurve.model.source import Note, counted, shorten
from gaincurve.model.summaries import mean
from gaincurve.model.units import Index, Units

UNITS: dict[str, str] = {
    "session": "every session for itself (the default)",
    "user": "the mean of each user's sessions with a system, so that a searcher is compared with themselves",
    "topic": "the mean of each topic's sessions with a system",
}
"""What a test over sessions can take as its unit."""


def members(units: Units, by: str, path: str, option: str = "--by") -> dict[str, list[int]]:
    """The sessions of each topic or user, by name; `option` is what asked for them."""
    if by == "topic":
        number, names = units.topic_of_unit(), units.topics
        lacking, hint = "is judged on several topics", f"drop {option}, or group by user"
    else:
        number, names = (np.full(len(units), -1, dtype=np.int32) if units.user is None else units.user), units.users
        lacking, hint = "has no user", f"drop {option}, or add the user to the log"
    if (number < 0).any():
        unit = int(np.flatnonzero(number < 0)[0])
        what = f"{option} {by}: session {shorten(units.ids[unit])} {lacking}"
        raise ChoiceError(Problem("session-by", what, path, hint))
    grouped: dict[str, list[int]] = {}
    for unit, group in enumerate(number.tolist()):
        grouped.setdefault(names[group], []).append(unit)
    return dict(sorted(grouped.items()))


@dataclass(frozen=True, eq=False)
class Grouping:
    """Sessions put together by user or topic: `place[run, session]` is an index into `names`, −1 for another's session.

    `design` is 'paired' where systems are compared user by user, or topic by topic.
    """

    kind: str
    names: tuple[str, ...]
    place: Ints
    design: str

    @classmethod
    def of(
        cls,
        tables: Sequence[Units],
        sessions: Sequence[str],
        unit: str,
        paths: Sequence[str],
        design: str | None = None,
    ) -> Grouping:
        """The sessions of every system by `unit`, as values[run, session] stand.

        Unless `design` says otherwise, units are paired if at least half of them are shared by all systems.
        """
        index = {name: i for i, name in enumerate(sessions)}
        groups = [members(table, unit, path, "--unit") for table, path in zip(tables, paths, strict=True)]
        names = tuple(sorted({name for group in groups for name in group}))
        place = np.full((len(tables), len(sessions)), -1, dtype=np.int64)
        for r, (table, group) in enumerate(zip(tables, groups, strict=True)):
            own = np.array([index[name] for name in table.names], dtype=np.int64)
            for number, name in enumerate(names):
                place[r, own[group.get(name, [])]] = number
        shared = sum(all(name in group for group in groups) for name in names)
        observed = "paired" if shared >= 2 and 2 * shared >= len(names) else "unpaired"
        if design is not None and one_of("--design", design, tuple(DESIGNS)) == "paired" and shared < 2:
            what = f"the systems share {counted(shared, unit)}, and pairs need at least two"
            raise ChoiceError(Problem("session-design", what, hint="leave out --design"))
        return cls(unit, names, place, design or observed)

    def means(self, values: Floats) -> Floats:
        """values[run, …, session] as the mean of each unit's sessions, nan where it has none with a value."""
        means = np.full((*values.shape[:-1], len(self.names)), np.nan)
        for r, place in enumerate(self.place):
            order = np.argsort(place, kind="stable")
            ends = np.searchsorted(place[order], np.arange(len(self.names) + 1))
            rows = values[r].reshape(-1, values.shape[-1])
            for u in range(len(self.names)):
                inside = order[ends[u] : ends[u + 1]]
                means[r].reshape(-1, len(self.names))[:, u] = [mean(row[inside]) for row in rows]
        return means

    def counts(self, values: Floats) -> str:
        """How many units have a value: '30', or '30+28' by system where they share none."""
        defined = ~np.isnan(values)
        if self.design == "paired":
            return str(int(defined.all(axis=0).sum()))
        return "+".join(map(str, defined.sum(axis=-1).tolist()))


def in_units(scores: Scores, unit: str | None, design: str | None = None) -> Scores:
    """Scores of sessions as scores of users or topics: the mean of each one's sessions with each system.

    None, or what the scores are of, leaves them as they are. Systems whose sessions differ can still be paired: in a
    Latin square every searcher uses every system, on different tasks.
    """
    if unit is None or (unit == scores.kind and design in (None, scores.design)):
        return scores
    if scores.kind != "session" or not scores.tables:
        what = f"the scores are those of {scores.kind}s, and --unit {unit} is for sessions"
        raise ChoiceError(
            Problem("session-by", what, hint="leave it out, or give a measure of sessions, such as nsDCG")
        )
    if one_of("--unit", unit, tuple(UNITS)) == "session":
        what = "the design of single sessions is decided where they are read"
        raise ChoiceError(Problem("session-design", what, hint="give design= to evaluate_sessions"))
    plain = scores.scores
    paths = [source.path for source in scores.inputs[-len(scores.runs) :]]
    grouping = Grouping.of(plain.tables, plain.units, unit, paths, design)
    values = grouping.means(plain.values)
    signatures = tuple(
        signature.but(unit=unit, **{f"{unit}s": grouping.counts(values[:, m])})
        for m, signature in enumerate(plain.signatures)
    )
    about_sessions = design_notes(scores.design, scores.tables)
    return replace(
        plain,
        units=grouping.names,
        values=values,
        signatures=signatures,
        notes=tuple(note for note in plain.notes if note not in about_sessions),
        low=None,
        high=None,
        kind=unit,
        design=grouping.design,
        tables=(),
        evidence=_evidence(plain, grouping),
    )


def sample_text(units: str) -> str:
    """'30 users (means of their sessions)': what a test ran over where sessions were put together."""
    return say("means of sessions", units=units)


def put_together(scores: Scores) -> bool:
    """Whether these are scores of users or topics, made from those of sessions."""
    return scores.kind != "session" and scores.measures[0].definition.over == "session"


def _evidence(scores: Scores, grouping: Grouping) -> Evidence | None:
    """What the scores were computed from, each session under the name of its unit."""
    if scores.evidence is None:
        return None
    index = {name: i for i, name in enumerate(scores.units)}
    names = tuple(
        tuple(grouping.names[grouping.place[r, index[session]]] for session in run.units.names)
        for r, run in enumerate(scores.evidence.runs)
    )
    return replace(scores.evidence, names=names)


def design_notes(design: str, tables: Sequence[Units]) -> list[Note]:
    """What holds for the single sessions of systems that do not share them."""
    if len(tables) < 2 or design != "unpaired":
        return []
    text = "the systems have sessions of their own: their means are those of different sessions, not of pairs"
    return [Note("session-unpaired", text), *shared_users(tables)]


def shared_users(tables: Sequence[Units]) -> list[Note]:
    """Users who searched with several systems tie their sessions together."""
    systems: dict[str, int] = {}
    for table in tables:
        for name in _users([table], frozenset(table.names)):
            systems[name] = systems.get(name, 0) + 1
    shared = sum(count > 1 for count in systems.values())
    if not shared:
        return []
    which = "both" if len(tables) == 2 else "several systems"
    text = f"{counted(shared, 'user')} searched with {which}: sessions of one user are not independent"
    return [Note("session-users", text)]


def dependence_notes(tables: Sequence[Units], scored: Collection[str]) -> list[Note]:
    """Of the sessions scored, how many share a topic or a user: a test over sessions takes them to be independent."""
    sessions = frozenset(scored)
    shared = {}
    for unit, names in (("topic", _topics(tables, sessions)), ("user", _users(tables, sessions))):
        if names and len(names) < len(sessions):
            shared[unit] = counted(len(names), unit)
    if not shared:
        return []
    where = " ".join(f"{'on' if unit == 'topic' else 'by'} {text}" for unit, text in shared.items())
    which = " or ".join(f"{'on' if unit == 'topic' else 'by'} one {unit}" for unit in shared)
    instead = " or ".join(f"--unit {unit}" for unit in shared)
    text = (
        f"{counted(len(sessions), 'session')} {where}: sessions {which} are not independent, so p can be too small; "
        f"{instead} tests the means of each"
    )
    return [Note("session-dependence", text)]


def scored_sessions(scores: Scores) -> list[str]:
    """The sessions with a value of any measure, for any system."""
    return [scores.units[i] for i in np.flatnonzero(~np.isnan(scores.values).all(axis=(0, 1)))]


def _topics(tables: Sequence[Units], sessions: frozenset[str]) -> set[str]:
    """The topics of sessions that have one each."""
    return {table.topics[i] for table in tables for i in _of(table, table.topic_of_unit(), sessions)}


def _users(tables: Sequence[Units], sessions: frozenset[str]) -> set[str]:
    return {table.users[i] for table in tables if table.user is not None for i in _of(table, table.user, sessions)}


def _of(table: Units, numbers: Index, sessions: frozenset[str]) -> set[int]:
    """The numbers of some sessions, those that have one."""
    pairs = zip(table.names, numbers.tolist(), strict=True)
    return {number for name, number in pairs if number >= 0 and name in sessions}
