"""The names people give to columns, and which of ours each one means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

ALIASES: dict[str, tuple[str, ...]] = {
    "topic": (
        "topic", "topic_id", "topicid", "query_id", "queryid", "query", "qid", "q_id", "query_no", "question_id",
    ),
    "document": (
        "document", "document_id", "documentid", "doc_id", "docid", "doc", "docno", "doc_no", "corpus_id", "did",
        "pid", "passage_id", "passage", "item_id", "item",
    ),
    "grade": (
        "grade", "relevance", "rel", "label", "rating", "judgment", "judgement", "relevance_label", "score",
    ),
    "score": ("score", "sim", "similarity", "retrieval_score", "prediction", "predicted", "value"),
    "rank": ("rank", "position", "pos"),
    "subtopic": ("subtopic", "subtopic_id", "aspect", "nugget"),
}  # fmt: skip
"""Earlier names win. Case, spaces, hyphens and underscores make no difference."""

VALUE = {"judgments": "grade", "run": "score"}
"""The column that holds the number, by what is being read."""


@dataclass(frozen=True)
class Columns:
    """Positions of the columns of a header; `value` is the grade or score, `rank` may stand in for a score."""

    topic: int
    document: int
    value: int | None
    rank: int | None
    subtopic: int | None = None


def split_columns(line: str) -> list[str]:
    """The columns of a line, split as the scanner does: at ASCII white space only."""
    return [column for column in re.split("[ \t-\r]+", line) if column]


def folded(name: str) -> str:
    """A column name with what makes no difference taken out."""
    return name.strip().strip('"').lower().replace("-", "_").replace(" ", "_")


def find(role: str, names: Sequence[str]) -> int | None:
    """The position of the column that plays `role`, or None."""
    known = {folded(name): i for i, name in reversed(list(enumerate(names)))}
    return next((known[alias] for alias in ALIASES[role] if alias in known), None)


def find_columns(names: Sequence[str], kind: str) -> tuple[Columns | None, list[str]]:
    """The columns of judgments or a run, and the roles that have no column."""
    topic, document, value = (find(role, names) for role in ("topic", "document", VALUE[kind]))
    rank = find("rank", names) if kind == "run" else None
    missing = [role for role, column in (("topic", topic), ("document", document)) if column is None]
    if value is None and rank is None:
        missing.append(VALUE[kind])
    if topic is None or document is None or missing:
        return None, missing
    subtopic = find("subtopic", names) if kind == "judgments" else None
    return Columns(topic, document, value, rank, subtopic), []
