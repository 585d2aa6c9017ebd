"""MTEB and sentence-transformers: what their evaluators save of a model's rankings."""

from __future__ import annotations

from collections.abc import Iterator

from gaincurve.io.formats.record import Empty, Format, Row
from gaincurve.io.formats.shape import Node

_META = "mteb_model_meta"


def _predictions(root: Node) -> Iterator[Row | Empty]:
    meta = root[_META]
    revision = meta.get("revision")
    model = meta["model_name"].text() + ("" if revision is None else f"@{revision.text()}")
    splits = [
        (f"{subset}/{split}", topics)
        for subset, by_split in root.once()
        if subset != _META
        for split, topics in by_split.once()
    ]
    for split, topics in splits:
        run = model if len(splits) == 1 else f"{model} {split}"
        for topic, documents in topics.once():
            scores = list(documents.entries())
            if not scores:
                yield Empty(topic, documents, run)
            for document, score in scores:
                yield Row(topic, document, score.given(), score, run=run)


MTEB = Format(
    "mteb",
    "MTEB predictions",
    "run",
    "the run is named model@revision; of several subsets and splits each is a run: FILE#default/test is one",
    '{"mteb_model_meta": {"model_name": "org/model", "revision": "a1b2"}, "default": {"test": {"q1": {"d1": 0.83, '
    '"d3": 0.5}}}}',
    marks=(_META,),
    shape={_META: {"model_name": "text", "revision?": "text"}, "*": {"*": {"*": {"*": "number"}}}},
    rows=_predictions,
    fields=("", "", "score"),
    names_runs=True,
)


def _results(record: Node) -> Iterator[Row | Empty]:
    results = list(record["results"].items())
    if not results:
        yield Empty(record["query_id"].value, record)
    for result in results:
        yield Row(record["query_id"].value, result["corpus_id"].value, result["score"].given(), result)


SENTENCE_TRANSFORMERS = Format(
    "sentence-transformers",
    "sentence-transformers results",
    "run",
    "one query a line with its results, as InformationRetrievalEvaluator saves them",
    '{"query_id": "q1", "query": "desk lamp", "results": [{"corpus_id": "d1", "score": 0.9}, {"corpus_id": "d3", '
    '"score": 0.4}]}\n',
    shape={"query_id": "value", "results": [{"corpus_id": "value", "score": "number"}]},
    records=True,
    rows=_results,
    fields=("query_id", "corpus_id", "score"),
)

FORMATS = (MTEB, SENTENCE_TRANSFORMERS)
