"""Each format of the same data gives the same judgments and the same run, whatever the file is called."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import json
import lzma
import os
import sys
from collections import defaultdict, namedtuple
from collections.abc import Callable, Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
import zstandard
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from gaincurve.io.read import read_judgments, read_run, run_name
from gaincurve.model.judgments import Judgments
from gaincurve.model.run import Run

GRADES: dict[str, dict[str, float]] = {
    "001": {"FT911-3": 3, "d:1": 0, "grün": 1.5},
    "1": {"FT911-3": -1, "d#5": 2, "007": 0.25},
}
SCORES: dict[str, dict[str, float]] = {
    "001": {"d:1": 0.5, "FT911-3": 7.25, "new": -2.0, "grün": 7.25},
    "1": {"7": 1e-3, "007": 12.0, "d#5": 3.5},
}
ORDER = {"001": ["grün", "FT911-3", "d:1", "new"], "1": ["007", "d#5", "7"]}  # score ↓, then id ↓ by bytes
JUDGED = [(topic, document, value) for topic, listed in GRADES.items() for document, value in listed.items()]
SCORED = [(topic, document, value) for topic, listed in SCORES.items() for document, value in listed.items()]
RANKED = [(topic, document, rank) for topic, listed in ORDER.items() for rank, document in enumerate(listed, 1)]

Rows = list[tuple[Any, ...]]


def lines(rows: Rows, separator: str = " ", end: str = "\n") -> bytes:
    return "".join(separator.join(map(str, row)) + end for row in rows).encode()


def table(header: str, rows: Rows, separator: str = ",") -> bytes:
    return header.encode() + b"\n" + lines(rows, separator)


def records(names: tuple[str, ...], rows: Rows) -> list[dict[str, Any]]:
    return [dict(zip(names, row, strict=True)) for row in rows]


def json_lines(names: tuple[str, ...], rows: Rows) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records(names, rows)).encode()


def scores_of(run: Run) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {topic: {} for topic in run.topics}
    for topic, document, score in zip(run.topic.tolist(), run.documents, run.scores.tolist(), strict=True):
        found[run.topics[topic]][document] = score
    return found


def order_of(run: Run) -> dict[str, list[str]]:
    return {topic: run.ranking_of(topic) for topic in run.topics}


QRELS = lines([(t, 0, d, g) for t, d, g in JUDGED])
RUN_FILE = lines([(t, "Q0", d, 1, s, "tag") for t, d, s in SCORED])

# What happens to text files on their way: none of it may change a number.
TRAVELS: dict[str, Callable[[bytes], bytes]] = {
    "as it is": lambda text: text,
    "tabs": lambda text: text.replace(b" ", b"\t"),
    "spaces and tabs": lambda text: b"".join(
        b" \t" + one.replace(b" ", b" \t  ", 1) if i % 2 else one.replace(b" ", b"\t\t")
        for i, one in enumerate(text.splitlines(keepends=True))
    ),
    "spaces at the end": lambda text: text.replace(b"\n", b" \t\n"),
    "CRLF": lambda text: text.replace(b"\n", b"\r\n"),
    "byte order mark": lambda text: b"\xef\xbb\xbf" + text,
    "byte order mark and comment": lambda text: b"\xef\xbb\xbf# made by hand\r\n" + text,
    "blank lines": lambda text: b"\n \t\n" + text.replace(b"\n", b"\n\n\r\n") + b"\n   ",
    "comments": lambda text: b"# one\n#two\n" + text.replace(b"\n", b"\n  # 1 0 x 1\n", 2) + b"#last",
    "no newline at the end": lambda text: text.rstrip(b"\n"),
    "exponents": lambda text: text.replace(b" 12.0", b" 1.2e1"),
}


@pytest.mark.parametrize("travel", TRAVELS)
def test_trec_text_is_read_however_it_was_laid_out(tmp_path: Path, travel: str) -> None:
    (tmp_path / "a").write_bytes(TRAVELS[travel](QRELS))
    (tmp_path / "b").write_bytes(TRAVELS[travel](RUN_FILE))
    assert read_judgments(tmp_path / "a").to_dict() == GRADES
    run = read_run(tmp_path / "b")
    assert (scores_of(run), order_of(run)) == (SCORES, ORDER)


QUERY, CORPUS = ("query_id", "doc_id", "relevance"), ("query-id", "corpus-id", "score")
JUDGMENT_FILES: dict[str, bytes] = {
    "TREC qrels": QRELS,
    "TREC qrels of 3 columns": lines(JUDGED),
    "CSV": table("query_id,doc_id,relevance", JUDGED),
    "CSV with quotes": b"".join(
        b'"%s"\r\n' % one.replace(b",", b'","') for one in table("topic,document,grade", JUDGED).splitlines()
    ),
    "CSV with other columns": table(
        "note,Rating,DocNo,Topic ID,extra", [("a b", g, d, t, '"x, ""y"""') for t, d, g in JUDGED]
    ),
    "CSV with CRLF, BOM, blank lines and comments": b"\xef\xbb\xbf# ours\n\n"
    + table("qid,docno,label", JUDGED).replace(b"\n", b"\r\n\r\n#1,x,1\r\n"),
    "CSV without newline at the end": table("qid,docno,label", JUDGED).rstrip(b"\n"),
    "CSV with semicolons": table("qid;docno;rel", JUDGED, ";"),
    "TSV": table("query-id\tcorpus-id\tscore", JUDGED, "\t"),
    "columns with a header": table("qid docno label", JUDGED, " "),
    "JSON": json.dumps(GRADES).encode(),
    "JSON, indented": json.dumps(GRADES, indent=2, ensure_ascii=False).encode(),
    "JSON with CRLF and BOM": b"\xef\xbb\xbf" + json.dumps(GRADES, indent=1).replace("\n", "\r\n").encode(),
    "JSON with numbers as text": json.dumps(
        {t: {d: str(g) for d, g in one.items()} for t, one in GRADES.items()}
    ).encode(),
    "JSON with a topic in two parts": b'{"001":{"FT911-3":3},"1":{"FT911-3":-1,"d#5":2,"007":0.25},'
    b'"001":{"d:1":0,"gr\xc3\xbcn":1.5}}',
    "JSON records": json.dumps(records(QUERY, JUDGED)).encode(),
    "JSON records, indented": json.dumps(records(QUERY, JUDGED), indent=4).encode(),
    "JSON lines": json_lines(QUERY, JUDGED),
    "JSON lines with CRLF, blank lines and comments": b"# ours\n"
    + json_lines(CORPUS, JUDGED).replace(b"\n", b"\r\n\r\n#{}\r\n"),
    "JSON lines with nested values": "".join(
        json.dumps({"qid": t, "docno": d, "rel": g, "by": {"judge": 1}}) + "\n" for t, d, g in JUDGED
    ).encode(),
}
RUN_FILES: dict[str, bytes] = {
    "TREC run": RUN_FILE,
    "TREC run of 5 columns": lines([(t, "Q0", d, 1, s) for t, d, s in SCORED]),
    "TREC run, topics scattered": lines([(t, "Q0", d, 1, s, "x") for t, d, s in SCORED[::2] + SCORED[1::2]]),
    "CSV": table("qid,docno,score", SCORED),
    "CSV with ranks that say otherwise": table("qid,docno,rank,score", [(t, d, 1, s) for t, d, s in SCORED]),
    "TSV": table("query-id\tcorpus-id\tscore", SCORED, "\t"),
    "columns with a header": table("topic q0 docno rank score tag", [(t, 0, d, 1, s, "x") for t, d, s in SCORED], " "),
    "JSON": json.dumps(SCORES).encode(),
    "JSON pairs": json.dumps({t: list(one.items()) for t, one in SCORES.items()}).encode(),
    "JSON records": json.dumps(records(CORPUS, SCORED)).encode(),
    "JSON lines": json_lines(("query_id", "doc_id", "score"), SCORED),
}
RANKED_FILES: dict[str, bytes] = {
    "TREC run of 3 columns": lines(RANKED),
    "TREC run of 3 columns, upside down": lines([row for row in RANKED[::-1] if row[0] == "001"] + RANKED[4:]),
    "CSV of ranks": table("query_id,doc_id,rank", RANKED[:4][::-1] + RANKED[4:]),
    "JSON lists": json.dumps(ORDER).encode(),
    "JSON lines of ranks": json_lines(("topic", "document", "position"), RANKED),
}


@pytest.mark.parametrize("form", JUDGMENT_FILES)
def test_every_format_gives_the_same_judgments(tmp_path: Path, form: str) -> None:
    path = tmp_path / "misleading.run.gz"
    path.write_bytes(JUDGMENT_FILES[form])
    judgments = read_judgments(path)
    assert judgments.to_dict() == GRADES
    assert judgments.topics == ("001", "1")
    assert judgments.source.sha256 == hashlib.sha256(JUDGMENT_FILES[form]).hexdigest()
    assert [note.slug for note in judgments.notes] == ["negative-grades"]


@pytest.mark.parametrize("form", RUN_FILES)
def test_every_format_gives_the_same_run(tmp_path: Path, form: str) -> None:
    path = tmp_path / "bm25.qrels.json"
    path.write_bytes(RUN_FILES[form])
    run = read_run(path)
    assert (scores_of(run), order_of(run)) == (SCORES, ORDER)
    assert (run.name, run.ties, run.notes) == ("bm25.qrels", "trec", ())


@pytest.mark.parametrize("form", RANKED_FILES)
def test_every_format_of_ranks_gives_the_same_order(tmp_path: Path, form: str) -> None:
    (tmp_path / "ranked").write_bytes(RANKED_FILES[form])
    assert order_of(read_run(tmp_path / "ranked")) == ORDER


@pytest.mark.parametrize("form", ["TREC run of 3 columns", "CSV of ranks", "JSON lines of ranks"])
def test_a_rank_column_can_be_followed(tmp_path: Path, form: str) -> None:
    (tmp_path / "ranked").write_bytes(RANKED_FILES[form])
    assert order_of(read_run(tmp_path / "ranked", ties="rank")) == ORDER


def test_the_rank_column_beats_scores_when_asked(tmp_path: Path) -> None:
    (tmp_path / "a.run").write_text("t Q0 a 3 9 x\nt Q0 b 1 5 x\nt Q0 c 2 7 x\n")
    assert read_run(tmp_path / "a.run").ranking_of("t") == ["a", "c", "b"]
    assert read_run(tmp_path / "a.run", ties="rank").ranking_of("t") == ["b", "c", "a"]
    assert read_run(tmp_path / "a.run", ties="file").ranking_of("t") == ["a", "b", "c"]


def test_what_was_understood_is_told(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(QRELS)
    (tmp_path / "b").write_bytes(RUN_FILE)
    assert read_judgments(tmp_path / "a").describe() == "2 topics, 6 judgments, grades -1 to 3, TREC qrels"
    assert read_run(tmp_path / "b").source.describe() == "2 topics, 7 documents, TREC run"
    (tmp_path / "c").write_bytes(lines([("t", 0, f"d{i}", 1) for i in range(1432)]))
    assert read_judgments(tmp_path / "c").describe() == "1 topic, 1 432 judgments, grade 1 only, TREC qrels"


TOPIC_NAMES = ["query_id", "qid", "query-id", "topic", "topic_id", "Query ID", "queryId", "QUERY", "query"]
DOCUMENT_NAMES = ["doc_id", "docno", "corpus-id", "docid", "Document", "document_id", "doc", "DocNo"]
GRADE_NAMES = ["relevance", "rel", "label", "rating", "grade", "score", "Relevance"]


@pytest.mark.parametrize("topic", TOPIC_NAMES)
@pytest.mark.parametrize("document", DOCUMENT_NAMES)
def test_usual_names_of_topic_and_document(tmp_path: Path, topic: str, document: str) -> None:
    (tmp_path / "a").write_text(f"{document},{topic},score\n5,01,2\n")
    assert read_judgments(tmp_path / "a").to_dict() == {"01": {"5": 2.0}}
    assert scores_of(read_run(tmp_path / "a")) == {"01": {"5": 2.0}}


@pytest.mark.parametrize("grade", GRADE_NAMES)
def test_usual_names_of_the_grade(tmp_path: Path, grade: str) -> None:
    (tmp_path / "a").write_text(f"query_id\titeration\tdoc_id\t{grade}\n01\t9\t5\t2\n")
    assert read_judgments(tmp_path / "a").to_dict() == {"01": {"5": 2.0}}


def test_a_grade_column_is_preferred_to_a_score_column(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("qid,docno,score,label\n1,a,0.5,3\n")
    assert read_judgments(tmp_path / "a").to_dict() == {"1": {"a": 3.0}}
    assert scores_of(read_run(tmp_path / "a")) == {"1": {"a": 0.5}}


PACKINGS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstandard.ZstdCompressor().compress,
}


@pytest.mark.parametrize("packing", PACKINGS)
@pytest.mark.parametrize("name", ["plain.txt", "a.gz", "a.zst", "noname"])
@pytest.mark.parametrize("form", ["TREC qrels", "CSV", "JSON, indented", "JSON lines"])
def test_packed_files_are_known_by_their_first_bytes(tmp_path: Path, packing: str, name: str, form: str) -> None:
    stored = PACKINGS[packing](JUDGMENT_FILES[form])
    (tmp_path / name).write_bytes(stored)
    judgments = read_judgments(tmp_path / name)
    assert judgments.to_dict() == GRADES
    assert judgments.source.sha256 == hashlib.sha256(stored).hexdigest()


@pytest.mark.parametrize("packing", PACKINGS)
def test_packed_in_parts_and_beyond_one_block(tmp_path: Path, packing: str) -> None:
    rows = [("t", "Q0", f"document-{i:07}", i, -i, "tag") for i in range(60_000)]
    pack = PACKINGS[packing]
    (tmp_path / "big.run").write_bytes(pack(lines(rows[:10])) + pack(lines(rows[10:])))
    assert read_run(tmp_path / "big.run").ranking_of("t") == [row[2] for row in rows]


class Stdin:
    """A standard input whose bytes are `buffer`."""

    def __init__(self, buffer: Any):
        self.buffer = buffer


@pytest.mark.parametrize("text", [QRELS, gzip.compress(QRELS)], ids=["plain", "packed"])
def test_standard_input_through_a_pipe(monkeypatch: pytest.MonkeyPatch, text: bytes) -> None:
    reading, writing = os.pipe()
    os.write(writing, text)
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        monkeypatch.setattr(sys, "stdin", Stdin(file))
        judgments = read_judgments("-")
    assert judgments.to_dict() == GRADES
    assert judgments.source.path == "standard input"


def test_standard_input_from_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_bytes(RUN_FILE)
    with (tmp_path / "a").open("rb") as file:
        monkeypatch.setattr(sys, "stdin", Stdin(file))
        run = read_run("-")
    assert (run.name, scores_of(run)) == ("stdin", SCORES)


def test_standard_input_that_is_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(RUN_FILE)))  # as click's test runner does
    assert scores_of(read_run("-")) == SCORES


def test_a_file_may_be_called_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("standard input").write_bytes(QRELS)
    assert read_judgments("standard input").to_dict() == GRADES


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("runs/bm25.run.gz", "bm25"),
        ("bm25.RUN", "bm25"),
        ("a/b.c/splade.v2.trec.zst", "splade.v2"),
        ("plain", "plain"),
        (".run", ".run"),
        (Path("runs") / "x.tsv", "x"),
        ("-", "stdin"),
    ],
)
def test_a_run_is_named_after_its_file(path: str | Path, name: str) -> None:
    assert run_name(path) == name


# Ids are text, whatever they are made of.

ODD_IDS = ["d\u00a0x", "d\u2028x", "d\u0085x", "d\u3000x", "PAR1", '"quoted"', "a,b", "[1]x", "\ufeffd"]


@pytest.mark.parametrize("document", ODD_IDS, ids=ascii)
def test_only_ascii_white_space_separates_trec_columns(tmp_path: Path, document: str) -> None:
    (tmp_path / "a").write_bytes(lines([("t1", 0, document, 2), ("t2", 0, document, 1)]))
    (tmp_path / "b").write_bytes(lines([("t1", "Q0", document, 1, 2.5, "x")]))
    assert read_judgments(tmp_path / "a").to_dict() == {"t1": {document: 2.0}, "t2": {document: 1.0}}
    assert scores_of(read_run(tmp_path / "b")) == {"t1": {document: 2.5}}


@pytest.mark.parametrize("document", ["d\u2028x", "d\u0085x", "d\x0cx", "d\x1cx"], ids=ascii)
@pytest.mark.parametrize("form", ["CSV", "TSV", "JSON", "JSON lines"])
def test_only_newlines_end_a_line(tmp_path: Path, document: str, form: str) -> None:
    texts = {
        "CSV": table("qid,docno,rel", [("t", document, 2)]),
        "TSV": table("qid\tdocno\trel", [("t", document, 2)], "\t"),
        "JSON": json.dumps({"t": {document: 2}}, ensure_ascii=False).encode(),
        "JSON lines": json.dumps({"qid": "t", "docno": document, "rel": 2}, ensure_ascii=False).encode(),
    }
    (tmp_path / "a").write_bytes(texts[form])
    assert read_judgments(tmp_path / "a").to_dict() == {"t": {document: 2.0}}


@pytest.mark.parametrize("topic", ["PAR1", "SQLi"])
def test_a_topic_may_begin_like_a_binary_format(tmp_path: Path, topic: str) -> None:
    (tmp_path / "a").write_bytes(lines([(topic, 0, "d1", 1), (topic, 0, "d2", 0)]))
    assert read_judgments(tmp_path / "a").to_dict() == {topic: {"d1": 1.0, "d2": 0.0}}


def test_bytes_that_are_no_utf8_survive_in_every_format(tmp_path: Path) -> None:
    texts = [
        b"t 0 caf\xe9 1\n",
        b"qid,docno,rel\nt,caf\xe9,1\n",
        b'{"t":{"caf\xe9":1}}',
        b'{"qid":"t","docno":"caf\xe9","rel":1}',
    ]
    for text in texts:
        (tmp_path / "a").write_bytes(text)
        judgments = read_judgments(tmp_path / "a")
        assert [judgments.documents.bytes_at(i) for i in range(len(judgments))] == [b"caf\xe9"]


def test_a_comment_may_be_indented_above_a_header(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"  # ours, with a comma\n" + table("qid,docno,rel", JUDGED))
    assert read_judgments(tmp_path / "a").to_dict() == GRADES


def test_json_lines_with_nested_values_below_a_comment(tmp_path: Path) -> None:
    form = "JSON lines with nested values"
    (tmp_path / "a").write_bytes(b"# ours\n" + JUDGMENT_FILES[form])
    assert read_judgments(tmp_path / "a").to_dict() == GRADES


# Objects in memory.

Judged = namedtuple("Judged", "query_id doc_id relevance iteration")
Scored = namedtuple("Scored", "query_id doc_id score")


class LikePandas:
    """What is used of a pandas data frame."""

    def __init__(self, names: list[str], rows: Rows):
        self.columns, self._rows = np.array(names, dtype=object), rows

    def itertuples(self, index: bool = True, name: str | None = "Pandas") -> Iterator[tuple[Any, ...]]:
        assert (index, name) == (False, None)
        return iter(self._rows)


class LikePolars:
    """What is used of a polars data frame."""

    def __init__(self, names: list[str], rows: Rows):
        self.columns, self._rows = names, rows

    def iter_rows(self) -> Iterator[tuple[Any, ...]]:
        return iter(self._rows)


def as_objects(rows: Rows) -> dict[str, object]:
    by_topic: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    for topic, document, value in rows:
        by_topic[topic][document] = value
    swapped = [(value, document, topic) for topic, document, value in rows]
    return {
        "dict": dict(by_topic),
        "defaultdict": by_topic,
        "read-only mapping": MappingProxyType({t: MappingProxyType(one) for t, one in by_topic.items()}),
        "bytes as ids": {t.encode(): {d.encode(): v for d, v in one.items()} for t, one in by_topic.items()},
        "NumPy values": {
            np.str_(t): {np.str_(d): np.float32(v) for d, v in one.items()} for t, one in by_topic.items()
        },
        "tuples": rows,
        "lists": [list(row) for row in rows],
        "generator": (row for row in rows),
        "set": set(rows),
        "like pandas": LikePandas(["score", "docno", "qid"], swapped),
        "like polars": LikePolars(["score", "docno", "qid"], swapped),
        "named tuples": [Scored(*row) for row in rows],
    }


@pytest.mark.parametrize("form", as_objects(JUDGED))
def test_every_object_gives_the_same_judgments(form: str) -> None:
    assert Judgments.of(as_objects(JUDGED)[form]).to_dict() == GRADES


@pytest.mark.parametrize("form", as_objects([(t, d, np.float32(s)) for t, d, s in SCORED]))
def test_every_object_gives_the_same_run(form: str) -> None:
    expected = {t: {d: float(np.float32(s)) for d, s in one.items()} for t, one in SCORES.items()}
    run = Run.of(as_objects([(t, d, float(np.float32(s))) for t, d, s in SCORED])[form], "mine")
    assert (scores_of(run), order_of(run), run.name) == (expected, ORDER, "mine")


def test_named_tuples_may_have_more_fields() -> None:
    assert Judgments.of(Judged(t, d, g, "0") for t, d, g in JUDGED).to_dict() == GRADES


@pytest.mark.parametrize("ranked", [ORDER, {t: tuple(one) for t, one in ORDER.items()}], ids=["lists", "tuples"])
def test_lists_are_taken_as_ranked(ranked: dict[str, Any]) -> None:
    assert order_of(Run.of(ranked)) == ORDER


def test_iterators_inside_a_dict_are_read_once() -> None:
    assert order_of(Run.of({t: iter(one) for t, one in ORDER.items()})) == ORDER
    assert scores_of(Run.of({t: list(one.items()) for t, one in SCORES.items()})) == SCORES


def test_whole_numbers_have_one_spelling_as_ids() -> None:
    assert Judgments.of({1: {7: 2}, "01": {np.int64(7): 1}}).to_dict() == {"1": {"7": 2.0}, "01": {"7": 1.0}}


def test_judgments_and_runs_pass_through() -> None:
    judgments, run = Judgments.of(GRADES), Run.of(SCORES)
    assert Judgments.of(judgments) is judgments
    assert Run.of(run) is run
    assert Run.of(run, ties="file").ranking_of("001") == list(SCORES["001"])


# Any data at all: every format against the TREC text of the same data.

ids = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), min_size=1, max_size=8).filter(
    lambda text: text[0] not in "#{[\ufeff" and text != "first"  # the topic of the line that every file begins with
)
grades = st.one_of(st.integers(-5, 10).map(float), st.floats(allow_nan=False, allow_infinity=False))
judged = st.dictionaries(ids, st.dictionaries(ids, grades, min_size=1, max_size=5), min_size=1, max_size=5)


@settings(deadline=None, derandomize=True, max_examples=examples(150))
@given(judged)
def test_any_judgments_are_the_same_in_every_format(
    tmp_path_factory: pytest.TempPathFactory, data: dict[str, dict[str, float]]
) -> None:
    path = tmp_path_factory.getbasetemp() / "any"
    rows = [(t, d, repr(g)) for t, one in data.items() for d, g in one.items()]
    quoted = [tuple('"' + field.replace('"', '""') + '"' for field in row) for row in rows]
    texts = {
        "TREC": lines([("first", 0, "line", 0)] + [(t, 0, d, g) for t, d, g in rows]),
        "CSV": table("qid,docno,rel", [("first", "line", 0), *quoted]),
        "JSON": json.dumps({"first": {"line": 0}} | data, ensure_ascii=False).encode(),
        "JSON lines": json_lines(QUERY, [("first", "line", 0), *rows]),
    }
    expected = {"first": {"line": 0.0}}
    for topic, one in data.items():
        expected[topic] = expected.get(topic, {}) | one
    for form, text in texts.items():
        path.write_bytes(text)
        assert read_judgments(path).to_dict() == expected, form
    assert Judgments.of({"first": {"line": 0}} | data).to_dict() == expected
