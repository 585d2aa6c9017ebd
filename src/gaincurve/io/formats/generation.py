"""Retrieval for generated answers: UMBRELA's judgments, TREC RAG answers, ragas and LlamaIndex."""

from __future__ import annotations

from collections.abc import Iterator

from gaincurve.io.formats.record import Empty, Format, Row
from gaincurve.io.formats.shape import Node
from gaincurve.model.numbers import finite_number
from gaincurve.model.source import Note, shorten


def _umbrela(record: Node) -> Iterator[Row | Note]:
    row = Row(record["qid"].value, record["docid"].value, record["judgment"].value, record)
    status = record["result_status"]
    if finite_number(status.value) not in (0, 1):
        raise status.problem(f"result_status is {shorten(repr(status.value))}: 1 is a judgment, 0 is none")
    if finite_number(status.value) == 0:
        yield Note("not-judged", "an answer of the model could not be read (result_status 0): the document is unjudged")
        return
    yield row


UMBRELA = Format(
    "umbrela",
    "UMBRELA judgments",
    "judgments",
    "a model's judgments, one a line; result_status 0 is an unjudged document",
    '{"qid": "q1", "docid": "d1", "model": "m", "query": "desk lamp", "passage": "A lamp.", "prediction": "##final '
    'score: 3", "judgment": 3, "result_status": 1}\n{"qid": "q1", "docid": "d2", "model": "m", "query": "desk lamp", '
    '"passage": "A desk.", "prediction": "?", "judgment": 0, "result_status": 0}\n',
    marks=("result_status",),
    shape={"qid": "value", "docid": "value", "judgment": "number", "result_status": "number"},
    records=True,
    rows=_umbrela,
    fields=("qid", "docid", "judgment"),
)


def _answers(record: Node) -> Iterator[Row | Empty]:
    topic, run = record["topic_id"].value, record["run_id"].text()
    references = list(record["references"].items())
    if not references:
        yield Empty(topic, record, run)
    for reference in references:
        yield Row(topic, reference.value, None, reference, run=run)


TREC_RAG = Format(
    "trec-rag",
    "TREC RAG answers",
    "run",
    "the references of each answer, in order; several run_id are several runs",
    '{"run_id": "r1", "topic_id": "q1", "references": ["d1", "d3"], "answer": [{"text": "Lamps.", '
    '"citations": [0]}]}\n',
    shape={"run_id": "text", "topic_id": "value", "references": ["value"]},
    records=True,
    rows=_answers,
    fields=("topic_id", "references", ""),
    loses="scores",
)


def _listed(
    judged: str, retrieved: str, query: str, kind: str, number: int, record: Node
) -> Iterator[Row | Empty | Note]:
    given = record.get(query)
    if given is None:
        yield Note("topics-numbered", f"topics are numbered 1, 2, 3, … by record, where there is no {query}")
    topic = str(number) if given is None else given.text()
    documents = list(record[judged if kind == "judgments" else retrieved].items())
    if not documents and kind == "run":
        yield Empty(topic, record)
    for document in documents:
        yield Row(topic, document.value, 1 if kind == "judgments" else None, document)


def _both(name: str, title: str, judged: str, retrieved: str, query: str, example: str) -> Format:
    return Format(
        name,
        title,
        "both",
        f"{judged} as judgments (grade 1), {retrieved} as a run; topics are the texts of {query}, else the numbers of "
        "the records",
        example,
        marks=(judged, retrieved),
        shape={judged: ["value"], retrieved: ["value"], f"{query}?": "text"},
        records=True,
        numbered=lambda kind, number, record: _listed(judged, retrieved, query, kind, number, record),
        fields=(query, "", ""),
        loses="grades beyond 0 and 1, and scores",
    )


RAGAS = _both(
    "ragas",
    "ragas samples",
    "reference_context_ids",
    "retrieved_context_ids",
    "user_input",
    '{"user_input": "desk lamp", "retrieved_context_ids": ["d1", "d3"], "reference_context_ids": ["d1", "d2"]}\n',
)
LLAMAINDEX = _both(
    "llamaindex",
    "LlamaIndex retrieval results",
    "expected_ids",
    "retrieved_ids",
    "query",
    '{"query": "desk lamp", "expected_ids": ["d1", "d2"], "retrieved_ids": ["d1", "d3"]}\n',
)

FORMATS = (UMBRELA, TREC_RAG, RAGAS, LLAMAINDEX)
