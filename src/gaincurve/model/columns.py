"""The names people give to columns, and which of ours each one means."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gaincurve.errors import ChoiceError, InputError, Problem, one_of
from gaincurve.model.source import shorten

ALIASES: dict[str, tuple[str, ...]] = {
    "topic": (
        "topic", "topic_id", "topicid", "query_id", "queryid", "qid", "q_id", "query_no", "question_id", "query",
    ),
    "document": (
        "docno", "doc_id", "docid", "document_id", "documentid", "doc_no", "corpus_id", "did", "pid", "passage_id",
        "item_id", "document", "doc", "passage", "item",
    ),
    "grade": (
        "grade", "relevance", "rel", "label", "rating", "judgment", "judgement", "relevance_label", "score",
    ),
    "score": ("score", "sim", "similarity", "retrieval_score", "prediction", "predicted", "value"),
    "rank": ("rank", "position", "pos"),
    "subtopic": ("subtopic", "subtopic_id", "aspect", "nugget"),
    "stratum": ("stratum",),
    "p": ("p", "inclusion_probability"),
    "run": ("run", "run_id", "runid", "run_name", "system", "system_id", "system_name", "name"),
    "judge": ("judge", "judge_id", "assessor", "assessor_id", "annotator", "annotator_id"),
}  # fmt: skip
"""Names of each column. Case, spaces, hyphens and underscores make no difference."""

VAGUE: dict[str, tuple[str, ...]] = {
    "topic": ("query",),
    "document": ("document", "doc", "passage", "item"),
    "grade": ("score",),
    "score": ("prediction", "predicted", "value"),
    "rank": ("position", "pos"),
    "run": ("name",),
}
"""Names that often hold something else, such as a text; an exact name beside them is taken."""

TOOLS: tuple[tuple[str, dict[str, str], dict[str, str]], ...] = (
    ("PyTerrier", {"topic": "qid", "document": "docno"}, {"document": "docid"}),
)
"""Tools whose tables name a thing twice: the pair that holds the ids, and the column that holds something else."""

VALUE = {"judgments": "grade", "run": "score"}
"""The column that holds the number, by what is being read."""

Given = Mapping[str, str | Sequence[str]]
"""Columns named by the user: {role: name}, or several names of which a file has one."""


@dataclass(frozen=True)
class Doubt:
    """Columns that could be the same thing: one was taken, `others` not.

    Where the names do not decide, `settled` is False, and the columns must be equal row by row.
    """

    role: str
    taken: int
    others: tuple[int, ...]
    settled: bool
    because: str = ""


@dataclass(frozen=True)
class Columns:
    """Positions of the columns of a header; `value` is the grade or score, `rank` may stand in for a score.

    `given` are the roles whose columns the user named.
    """

    topic: int
    document: int
    value: int | None
    rank: int | None
    subtopic: int | None = None
    stratum: int | None = None
    p: int | None = None
    run: int | None = None
    judge: int | None = None
    names: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = field(default=())

    def named(self, column: int | None) -> str:
        """The name of a column in quotes, or nothing where columns have no names."""
        return repr(shorten(self.names[column])) if column is not None and self.names else ""

    @property
    def run_is_vague(self) -> bool:
        """Whether nobody said that the column of runs names runs: a `name` is more often that of a product."""
        return self.run is not None and "run" not in self.given and folded(self.names[self.run]) in VAGUE["run"]

    @property
    def run_of_text(self) -> int | None:
        """The column of runs in text and records, where a vague one must be named."""
        return None if self.run_is_vague else self.run


def split_columns(line: str) -> list[str]:
    """The columns of a line, split as the scanner does: at ASCII white space only."""
    return [column for column in re.split("[ \t-\r]+", line) if column]


def folded(name: str) -> str:
    """A column name with what makes no difference taken out."""
    return name.strip().strip('"').lower().replace("-", "_").replace(" ", "_")


def given_columns(given: Given | None) -> dict[str, tuple[str, ...]]:
    """The columns named by the user, checked: {role: names}."""
    if given is None:
        return {}
    try:
        pairs = list(given.items())
    except AttributeError:
        what = f"columns cannot be {shorten(repr(given))}"
        raise ChoiceError(Problem("choice-unknown", what, hint='for example columns={"topic": "qid"}')) from None
    return {
        one_of("a column's role", role, tuple(ALIASES)): (names,) if isinstance(names, str) else tuple(names)
        for role, names in pairs
    }


def parse_columns(text: str | None) -> dict[str, tuple[str, ...]]:
    """'topic=qid,document=docno' as {role: names}; a role may be named again for files with another header."""
    named: dict[str, tuple[str, ...]] = {}
    for part in text.split(",") if text else []:
        role, equals, name = (piece.strip() for piece in part.partition("="))
        if not equals or not name:
            what = f"--columns cannot be {text!r}"
            raise ChoiceError(Problem("choice-unknown", what, hint="for example --columns topic=qid,document=docno"))
        named[role] = (*named.get(role, ()), name)
    return given_columns(named)


def find(role: str, names: Sequence[str], given: Given | None = None) -> int | None:
    """The position of a column that can play `role`, or None."""
    doubt = _choice(role, names, given_columns(given).get(role, ()), "")
    return None if doubt is None else doubt.taken


def find_columns(
    names: Sequence[str], kind: str, given: Given | None = None, path: str = "", at: str = ""
) -> tuple[Columns | None, list[str]]:
    """The columns of judgments or a run, and the roles that have no column."""
    chosen = given_columns(given)
    roles = [
        "topic",
        "document",
        VALUE[kind],
        *(["rank", "run"] if kind == "run" else ["subtopic", "stratum", "p", "judge"]),
    ]
    choices = {role: _choice(role, names, chosen.get(role, ()), path, at) for role in roles}
    place = {role: None if choice is None else choice.taken for role, choice in choices.items()}
    topic, document, value = (place[role] for role in roles[:3])
    rank = place.get("rank")
    missing = [role for role, column in (("topic", topic), ("document", document)) if column is None]
    if value is None and rank is None:
        missing.append(VALUE[kind])
    if topic is None or document is None or missing:
        return None, missing
    used = roles if value is None else [role for role in roles if role != "rank"]
    doubts = tuple(choice for role in used if (choice := choices[role]) is not None and choice.others)
    beside = {role: place.get(role) for role in ("subtopic", "stratum", "p", "run", "judge")}
    return Columns(topic, document, value, rank, **beside, names=tuple(names), given=tuple(chosen), doubts=doubts), []


def _choice(role: str, names: Sequence[str], given: tuple[str, ...], path: str, at: str = "") -> Doubt | None:
    """Which column plays a role, and which others could; None where there is none."""
    if given:
        return _given_choice(role, names, given, path, at)
    known = [folded(name) for name in names]
    vague = VAGUE.get(role, ())
    exact = [i for i, name in enumerate(known) if name in ALIASES[role] and name not in vague]
    unsure = [i for i, name in enumerate(known) if name in vague]
    for tool, pair, other in TOOLS:
        if role in other and all(known.count(name) == 1 for name in pair.values()):
            taken, beside = known.index(pair[role]), [i for i in exact if known[i] == other[role]]
            if beside and len(exact) == len(beside) + 1:
                because = f"{tool} keeps the ids in {' and '.join(pair.values())}"
                return Doubt(role, taken, (*beside, *unsure), True, because)
    if len(exact) == 1:
        return Doubt(role, exact[0], tuple(unsure), True, "its name is the more exact one")
    candidates = exact or unsure
    return Doubt(role, candidates[0], tuple(candidates[1:]), False) if candidates else None


def _given_choice(role: str, names: Sequence[str], given: tuple[str, ...], path: str, at: str) -> Doubt | None:
    """The column the user named; a file without it is refused once it is read (with a path)."""
    for wanted in given:
        for same in (lambda name: name, folded):
            there = [i for i, name in enumerate(names) if same(name) == same(wanted)]
            if there:
                return Doubt(role, there[0], tuple(there[1:]), False)
    if not path:
        return None
    listed = " or ".join(repr(name) for name in given)
    what = f"{path} has no column {listed} for the {role}; its columns are {', '.join(map(shorten, names))}"
    hint = f"name a column it has; where files differ, give each name: {role}={given[0]},{role}=…"
    raise InputError(Problem("input-header", what, at, hint))
