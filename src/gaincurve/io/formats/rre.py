"""Rated Ranking Evaluator: topics, groups of queries, and the documents relevant to a group."""

from __future__ import annotations

import math
from collections.abc import Iterator

from gaincurve.errors import near_key
from gaincurve.io.formats.record import Format, Row
from gaincurve.io.formats.shape import Node, Pairs, missing_key
from gaincurve.model.numbers import finite_number
from gaincurve.model.source import Note, shorten


def _rows(root: Node) -> Iterator[Row | Note]:
    above = [root, *([] if (topics := root.get("topics")) is None else topics.items())]
    groups = [group for node in above if (listed := node.get("query_groups")) is not None for group in listed.items()]
    for group in groups:
        for query in group["queries"].items():
            yield from _judged(query, group, group.get("relevant_documents"))
    if (queries := root.get("queries")) is not None:
        for query in queries.items():
            yield from _judged(query, query, query.get("relevant_documents"))


def _judged(query: Node, group: Node, documents: Node | None) -> Iterator[Row | Note]:
    topic = _typed(query)
    if topic is None:
        topic = group["name"].text()
        yield Note("topics-by-group", "a query with neither $query nor a single placeholder is named by its group")
    yield from _of_documents(topic, documents)


def _typed(query: Node) -> str | None:
    """What the user typed: `$query`, or the only placeholder; None where the template holds it."""
    placeholders = query.get("placeholders")
    if placeholders is None:
        keys = [key for key, _ in query.entries()]
        if near_key("placeholders", keys) is not None:
            raise query.problem(missing_key("placeholders", keys))
        return None
    texts = list(placeholders.once())
    named = [value for key, value in texts if key == "$query"] or ([texts[0][1]] if len(texts) == 1 else [])
    return named[0].text() if named else None


def _of_documents(topic: str, documents: Node | None) -> Iterator[Row | Note]:
    """{document: {"gain": 3}}, or by gain: {"3": [documents]}."""
    if documents is None:
        yield Note("queries-unrated", "a query without relevant documents is left out: nobody judged it")
        return
    for key, entry in documents.entries():
        if isinstance(entry.value, list) and not isinstance(entry.value, Pairs):
            if math.isnan(finite_number(key)):
                raise entry.problem(f"a list was given for {shorten(repr(key))}, which is no gain")
            for document in entry.items():
                yield Row(topic, document.value, key, document)
        else:
            yield Row(topic, key, entry["gain"].value, entry)


_QUERY = {"template?": "text", "placeholders?": {"*": "text"}}
_GROUP = {"queries": [_QUERY], "relevant_documents": {"*": "value"}}

RRE = Format(
    "rre",
    "RRE ratings",
    "judgments",
    "Rated Ranking Evaluator: topics are the texts of the queries ($query), which share the judgments of their group",
    '{"id_field": "id", "index": "shop", "topics": [{"description": "lighting", "query_groups": [{"name": "lamps", '
    '"queries": [{"template": "only_q.json", "placeholders": {"$query": "desk lamp"}}], "relevant_documents": {"d1": '
    '{"gain": 3}, "d2": {"gain": 1}}}]}]}',
    shape={"topics": [{"query_groups": [_GROUP]}]},
    rows=_rows,
    fields=("$query", "relevant_documents", "gain"),
)

QUERIES = Format(
    "rre-queries",
    "RRE ratings without topics",
    "judgments",
    "Rated Ranking Evaluator, as Quepid exports it: queries with their relevant documents by gain",
    '{"id_field": "id", "index": "shop", "template": "template.json", "queries": [{"placeholders": {"$query": '
    '"desk lamp"}, "relevant_documents": {"0": ["d2"], "3": ["d1"]}}]}',
    shape={"id_field": "text", "queries": [{"placeholders": {"*": "text"}, "relevant_documents?": {"*": "value"}}]},
    rows=_rows,
    fields=("$query", "relevant_documents", "gain"),
)

GROUPS = Format(
    "rre-groups",
    "RRE ratings with groups only",
    "judgments",
    "Rated Ranking Evaluator: groups of queries that belong to no topic",
    '{"id_field": "id", "index": "shop", "query_groups": [{"name": "lamps", "queries": [{"template": "only_q.json", '
    '"placeholders": {"$query": "desk lamp"}}], "relevant_documents": {"d1": {"gain": 3}}}]}',
    shape={"query_groups": [_GROUP]},
    rows=_rows,
    fields=("$query", "relevant_documents", "gain"),
)

FORMATS = (RRE, QUERIES, GROUPS)
