"""What is on the page, as plain values: the template lays it out and computes nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Panel:
    """One part of the page: its id, its heading and the question it answers."""

    id: str
    title: str
    question: str


@dataclass(frozen=True)
class LeaderboardRow:
    """One run's place, all numbers as text: what a reader sees while scripts are off."""

    place: int
    run: str
    mean: str
    interval: str
    letters: str
    behind: str
    others: tuple[str, ...]


@dataclass(frozen=True)
class Leaderboard:
    """The runs from best to worst on the primary measure, with other measures in further columns.

    Several runs have the interval of the difference from the best one or the baseline, which is what is tested; a run
    alone has that of its mean.
    """

    caption: str
    measure: str
    interval: str
    reference: str
    others: tuple[str, ...]
    rows: tuple[LeaderboardRow, ...]


@dataclass(frozen=True)
class PairRow:
    """One comparison, all numbers as text."""

    a: str
    b: str
    difference: str
    interval: str
    p: str
    p_adjusted: str
    effect: str
    won: str
    significant: bool
    judged: str


@dataclass(frozen=True)
class HealthRow:
    """How well one run is judged: unjudged documents, ties, and what both could change."""

    run: str
    unjudged: tuple[str, ...]
    tied: str
    tie_range: str
    bounds: str


@dataclass(frozen=True)
class Health:
    """Judgment health under the settings the page was written with."""

    measure: str
    ranks: tuple[int, ...]
    rows: tuple[HealthRow, ...]
    grades: str


@dataclass(frozen=True)
class InputRow:
    """One file or object that the page was made from."""

    role: str
    path: str
    format: str
    topics: str
    rows: str
    sha256: str
    metadata: str = ""


@dataclass(frozen=True)
class SignatureRow:
    """A measure and the parts of its signature, the measure among them, as text."""

    measure: str
    parts: tuple[str, ...]


@dataclass(frozen=True)
class Provenance:
    """Everything a reviewer needs to repeat the numbers."""

    command: str
    versions: tuple[tuple[str, str], ...]
    seeds: str
    inputs: tuple[InputRow, ...]
    signatures: tuple[SignatureRow, ...]
    methods: tuple[str, ...]
    citation: str
    bibtex: str


@dataclass(frozen=True)
class Page:
    """The whole page: what is laid out at once, and what the scripts start from."""

    title: str
    summary: str
    scenario: str
    verdict: str
    signature: tuple[str, ...]
    leaderboard: Leaderboard
    pairs: tuple[PairRow, ...]
    pairs_caption: str
    health: Health
    provenance: Provenance
    notes: tuple[str, ...]
    panels: tuple[Panel, ...]
    settings: dict[str, Any]
    scenarios: tuple[dict[str, Any], ...]
    charts: dict[str, dict[str, Any]]
    dark: dict[str, str]
    observed: str
    version: str
    extra: dict[str, Any] = field(default_factory=dict)
