"""Elasticsearch and OpenSearch: ranking evaluation, search responses, and the search relevance workbench."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import pairwise

from gaincurve.errors import InputError, Problem
from gaincurve.io.formats.data import Data
from gaincurve.io.formats.record import Empty, Format, Row
from gaincurve.io.formats.shape import Node, Pairs, missing_key
from gaincurve.model.numbers import finite_number
from gaincurve.model.source import Note, examples, shorten

_HIT = {"_id": "value", "_score?": "number"}


def _of_indices(named: Iterable[Node]) -> Iterator[Note]:
    """A note where ratings or hits are of several indices, which `_id` alone may not tell apart."""
    indices = dict.fromkeys(index.text() for node in named if (index := node.get("_index")) is not None)
    if len(indices) > 1:
        text = f"documents of several indices ({examples(list(indices))}) are named by their _id alone"
        yield Note("indices-several", text)


def _rated_requests(root: Node) -> Iterator[Row | Note]:
    requests = list(root["requests"].items())
    yield from _of_indices(rating for request in requests for rating in request["ratings"].items())
    seen: dict[str, str] = {}
    for request in requests:
        topic = request["id"].value
        if (first := seen.setdefault(request["id"].text(), request.place())) != request.place():
            raise request.problem(f"the id {shorten(request['id'].text())} is that of another request, {first}")
        ratings = list(request["ratings"].items())
        if not ratings:
            yield Note("queries-unrated", "a query without ratings is left out: nobody judged it")
        for rating in ratings:
            yield Row(topic, rating["_id"].value, rating["rating"].value, rating)


REQUEST = Format(
    "rank-eval-request",
    "_rank_eval request",
    "judgments",
    "Elasticsearch, OpenSearch: requests with ratings; topics are the ids of the requests",
    '{"requests": [{"id": "q1", "request": {"query": {"match": {"title": "lamp"}}}, "ratings": [{"_index": "shop", '
    '"_id": "d1", "rating": 3}, {"_index": "shop", "_id": "d2", "rating": 0}]}], "metric": {"dcg": {}}}',
    shape={"requests": [{"id": "value", "ratings": [{"_id": "value", "rating": "number"}]}]},
    rows=_rated_requests,
    fields=("id", "_id", "rating"),
)


def _hits(topic: object, listed: list[Node], at: Node) -> Iterator[Row | Empty | Note]:
    """The hits as the engine ranked them: by score, or by their places where it sorted by something else."""
    if not listed:
        yield Empty(topic, at)
    scores = [None if (score := hit.get("_score")) is None else score.value for hit in listed]
    known = [finite_number(score) for score in scores if score is not None]
    if any(after > before for before, after in pairwise(known)):
        yield Note("hits-sorted", "hits are not in the order of their scores: the engine sorted them by something else")
        scores = [None] * len(scores)
    for hit, score in zip(listed, scores, strict=True):
        yield Row(topic, hit["_id"].value, score, hit)


def _details(root: Node) -> Iterator[Row | Empty | Note]:
    details = list(root["details"].once())
    lists = [[entry["hit"] for entry in detail["hits"].items()] for _, detail in details]
    yield from _of_indices(hit for hits in lists for hit in hits)
    for (topic, detail), hits in zip(details, lists, strict=True):
        yield from _hits(topic, hits, detail)
    if (failures := root.get("failures")) is not None:
        for topic, failure in failures.entries():
            why = _reason(failure["error"].value) if "error" in failure else ""
            yield Note("queries-failed", f"the engine failed on query {topic!r}, which has no hits here{why}")


RESPONSE = Format(
    "rank-eval-response",
    "_rank_eval response",
    "run",
    "Elasticsearch, OpenSearch: the hits of each request, as the engine ranked them",
    '{"metric_score": 0.6, "details": {"q1": {"metric_score": 0.6, "unrated_docs": [{"_index": "shop", "_id": "d3"}], '
    '"hits": [{"hit": {"_index": "shop", "_id": "d1", "_score": 2.5}, "rating": 3}, {"hit": {"_index": "shop", "_id": '
    '"d3", "_score": 1.25}, "rating": null}]}}, "failures": {}}',
    marks=("metric_score",),
    shape={"details": {"*": {"hits": [{"hit": _HIT}]}}},
    rows=_details,
    fields=("details", "_id", "_score"),
)


def _response(response: Node, topic: object) -> Iterator[Row | Empty | Note]:
    """One search response; the topic is that given beside it, else the `_name` of the query that found its hits."""
    if (error := response.get("error")) is not None:
        raise InputError(_error(error.value, response.place()))
    if (late := response.get("timed_out")) is not None and late.value is True:
        yield Note("search-timed-out", "a search timed out: its hits may not be all")
    shards = response.get("_shards")
    if shards is not None and (failed := shards.get("failed")) is not None and failed.value:
        yield Note("shards-failed", "shards failed to answer: hits may be missing")
    hits = list(response["hits"]["hits"].items())
    yield from _of_indices(hits)
    yield from _hits(topic, hits, response)


def _error(error: object, at: str) -> Problem:
    return Problem("engine-error", f"the engine answered with an error, not with hits{_reason(error)}", at)


def refuse_error(value: object, path: str) -> None:
    """Refuse a document that is the error of an engine and nothing else."""
    keys = dict(value) if isinstance(value, Pairs) else {}
    if keys.keys() <= {"error", "status"} and _reason(keys.get("error")):
        raise InputError(_error(keys["error"], path))


def _reason(error: object) -> str:
    """What the engine says is wrong, as Elasticsearch and OpenSearch write it: {"type", "reason"}, or a text."""
    said = dict(error) if isinstance(error, Pairs) else {"reason": error}
    words = [text for key in ("type", "reason") if isinstance(text := said.get(key), str) and text]
    return f" ({shorten(': '.join(words), 160)})" if words else ""


def _named(response: Node) -> str | None:
    """The one name that all hits have in `matched_queries`, a list of names or {name: score}; None without."""
    names = {
        tuple(name for name, _ in matched.entries())
        if isinstance(matched.value, Pairs)
        else tuple(name.text() for name in matched.items())
        for hit in _hits_of(response)
        if (matched := hit.get("matched_queries")) is not None
    }
    return names.pop()[0] if len(names) == 1 and len(next(iter(names))) == 1 else None


def _hits_of(response: Node) -> list[Node]:
    inner = response.get("hits")
    hits = None if inner is None else inner.get("hits")
    return [] if hits is None else list(hits.items())


def _several(root: Node) -> Iterator[Row | Empty | Note]:
    seen: dict[str, str] = {}
    responses = [(response, _named(response)) for response in root["responses"].items()]
    for number, (response, name) in enumerate(responses, 1):
        if name is None and any(other for _, other in responses) and "hits" in response and not _hits_of(response):
            yield Note("queries-empty", "a query without hits has no name here, so its topic counts as missing")
            continue
        topic = str(number) if name is None else name
        if (first := seen.setdefault(topic, response.place())) != response.place():
            raise response.problem(f"the query {shorten(topic)} is answered twice, first in {first}")
        if name is None and _hits_of(response):
            text = "topics are numbered 1, 2, 3, … in the order of the responses, where no query has a _name"
            yield Note("topics-numbered", text)
        yield from _response(response, topic)


RESPONSES = Format(
    "msearch",
    "_msearch response",
    "run",
    "Elasticsearch, OpenSearch: topics are the _name of each query, else the numbers 1, 2, 3, … of the responses",
    '{"took": 5, "responses": [{"took": 3, "timed_out": false, "hits": {"total": {"value": 2, "relation": "eq"}, '
    '"hits": [{"_index": "shop", "_id": "d1", "_score": 2.5, "matched_queries": ["q1"]}, {"_index": "shop", "_id": '
    '"d3", "_score": 1.25, "matched_queries": ["q1"]}]}, "status": 200}]}',
    shape={"responses": [{"hits?": {"hits": [_HIT]}}]},
    rows=_several,
    fields=("responses", "_id", "_score"),
)


def _one(record: Node) -> Iterator[Row | Empty | Note]:
    topic = record.get("topic")
    name = _named(record) if topic is None else topic.value
    if name is None:
        keys = [key for key, _ in record.entries()]
        raise record.problem(f"a search response does not say which topic it answers: {missing_key('topic', keys)}")
    yield from _response(record, name)


SEARCH = Format(
    "search",
    "search responses",
    "run",
    'Elasticsearch, OpenSearch: one _search response a line with "topic" added, or with a _name in its query',
    '{"topic": "q1", "took": 3, "timed_out": false, "hits": {"total": {"value": 2, "relation": "eq"}, "hits": '
    '[{"_index": "shop", "_id": "d1", "_score": 2.5}, {"_index": "shop", "_id": "d3", "_score": 1.25}]}}\n',
    shape={"topic?": "text", "hits": {"hits": [_HIT]}},
    records=True,
    rows=_one,
    fields=("topic", "_id", "_score"),
)


def _workbench(root: Node) -> Iterator[Row | Note]:
    for query in root["judgmentRatings"].items():
        for rating in query["ratings"].items():
            yield Row(query["query"].value, rating["docId"].value, rating["rating"].value, rating)


def _workbench_text(data: Data) -> str:
    rated = [
        {"query": topic, "ratings": [{"rating": str(grade), "docId": document} for document, grade in listed]}
        for topic, listed in data.by_topic()
    ]
    content = {"name": "judgments", "description": "", "type": "IMPORT_JUDGMENT", "judgmentRatings": rated}
    return json.dumps(content, ensure_ascii=False) + "\n"


WORKBENCH = Format(
    "opensearch-judgments",
    "OpenSearch judgment list",
    "judgments",
    "search relevance workbench: queries with ratings, which are texts",
    '{"name": "lamps", "type": "IMPORT_JUDGMENT", "judgmentRatings": [{"query": "desk lamp", "ratings": [{"rating": '
    '"3.0", "docId": "d1"}, {"rating": "0.0", "docId": "d2"}]}]}',
    marks=("judgmentRatings",),
    shape={"judgmentRatings": [{"query": "text", "ratings": [{"rating": "text", "docId": "value"}]}]},
    rows=_workbench,
    write=_workbench_text,
    fields=("query", "docId", "rating"),
)


def _result(record: Node) -> Iterator[Row | Empty]:
    query, documents = record["searchText"].value, list(record["documentIds"].items())
    if not documents:
        yield Empty(query, record)
    for document in documents:
        yield Row(query, document.value, None, document)


def _results_text(data: Data) -> str:
    records = [{"searchText": topic, "documentIds": documents} for topic, documents in data.lists()]
    return json.dumps(records, ensure_ascii=False) + "\n"


RESULTS = Format(
    "opensearch-results",
    "OpenSearch evaluation results",
    "run",
    "search relevance workbench: the documents of each query in order",
    '[{"searchText": "desk lamp", "documentIds": ["d1", "d3"]}]',
    marks=("documentIds",),
    shape={"searchText": "text", "documentIds": ["value"]},
    records=True,
    rows=_result,
    write=_results_text,
    carries=frozenset({"order", "empty"}),
    fields=("searchText", "documentIds", ""),
    loses="scores",
)

FORMATS = (REQUEST, RESPONSE, RESPONSES, SEARCH, WORKBENCH, RESULTS)
