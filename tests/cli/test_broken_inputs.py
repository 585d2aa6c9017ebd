"""A new user's broken files and absurd options: each ends with exit code 2 and says what, where, why and what next."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import pickle
import sqlite3
import tarfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import zstandard

from gaincurve.cli import main

QRELS = "1 0 a 1\n1 0 b 0\n2 0 c 2\n2 0 d 0\n"
RUN = "1 Q0 a 1 5.5 x\n1 Q0 b 2 4.5 x\n2 Q0 c 1 3 x\n2 Q0 d 2 2 x\n"
LONG = "".join(f"1 Q0 doc{i} {i} {9000 - i} x\n" for i in range(1, 9000)).encode()
LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a21\nsize 12345\n"
NOISE = np.random.default_rng(14).integers(0, 256, 5000, dtype=np.uint8).tobytes()


def zipped(*names: str) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name in names:
            archive.writestr(name, RUN)
    return data.getvalue()


def tarred() -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as archive:
        member = tarfile.TarInfo("a.run")
        member.size = len(RUN)
        archive.addfile(member, io.BytesIO(RUN.encode()))
    return data.getvalue()


def database() -> bytes:
    connection = sqlite3.connect(":memory:")
    connection.execute("create table run (topic, document, score)")
    return connection.serialize()


def array() -> bytes:
    data = io.BytesIO()
    np.save(data, np.arange(12).reshape(3, 4))
    return data.getvalue()


@dataclass
class Case:
    """What is in `file`, how it is used, and what the message has to say."""

    name: str
    content: bytes | str | Callable[[Path], None] | None
    says: str
    arguments: str = "eval q.qrels bad.run"
    file: str = "bad.run"


CASES = [
    # files that are not there, not readable, or hold nothing
    Case("no such file", None, "bad.run"),
    Case("a folder", Path.mkdir, "is a folder"),
    Case("a name in a file", None, "a.run/bad.run", "eval q.qrels a.run/bad.run"),
    Case("a broken link", lambda path: path.symlink_to("nowhere"), "bad.run"),
    Case("empty", "", "is empty"),
    Case("blank lines", "\n \n\t\n", "only blank lines"),
    Case("ten million blank lines", b"\n" * 10_000_000, "only blank lines"),
    Case("only comments", "# nothing\n# here\n", "bad.run"),
    Case("empty judgments", "", "is empty", "eval bad.qrels a.run", "bad.qrels"),
    # encodings
    Case("UTF-16 with a mark", RUN.encode("utf-16"), "UTF-16"),
    Case("UTF-16 without a mark", RUN.encode("utf-16-le"), "bad.run"),
    Case("UTF-32", RUN.encode("utf-32"), "UTF-32"),
    Case("NUL bytes", RUN.replace("a", "\0"), "bad.run"),
    Case("non-breaking spaces", RUN.replace(" ", "\xa0"), "non-breaking"),
    Case("lines end with CR alone", RUN.replace("\n", "\r"), "bad.run"),
    # something else altogether
    Case("noise", NOISE, "bad.run"),
    Case("a picture", b"\x89PNG\r\n\x1a\n" + NOISE, "bad.run"),
    Case("a PDF", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n" + NOISE, "bad.run"),
    Case("a spreadsheet", zipped("[Content_Types].xml", "xl/workbook.xml", "xl/sheet1.xml"), "bad.run"),
    Case("an archive of two", zipped("a.run", "b.run"), "bad.run"),
    Case("a database", database(), "bad.run"),
    Case("a NumPy array", array(), "bad.run"),
    Case("a pickle", pickle.dumps({"1": {"a": 1.5}}), "bad.run"),
    Case("a web page", "<!DOCTYPE html>\n<html><body>404</body></html>\n", "web page"),
    Case("an LFS pointer", LFS, "Git LFS pointer"),
    Case("YAML", "runs:\n  - topic: 1\n    documents: [a, b]\n", "bad.run"),
    Case("prose", "Dear reviewer,\n\nplease find the run attached.\n", "bad.run"),
    Case("XML", '<?xml version="1.0"?>\n<run><topic id="1"/></run>\n', "bad.run"),
    Case("an error of a server", '{"error": {"code": 500, "message": "gone"}}', "bad.run"),
    # JSON
    Case("JSON cut short", '{"1": {"a": 5.5, "b": 4', "bad.run"),
    Case("JSON with a comment", '{"1": {"a": 5.5} // best\n}', "bad.run"),
    Case("JSON with single quotes", "{'1': {'a': 5.5}}", "bad.run"),
    Case("JSON of scores as text", '{"1": {"a": "high"}}', "high"),
    Case("JSON with null", '{"1": {"a": null}}', "bad.run"),
    Case("JSON nested without end", "[" * 100_000, "bad.run"),
    Case("JSON lines of another program", '{"took": 3, "hits": 7}\n{"took": 2, "hits": 5}\n', "bad.run"),
    # compressed
    Case("cut gzip", gzip.compress(LONG)[:2000], "gz"),
    Case("cut bzip2", bz2.compress(LONG)[:2000], "bz2"),
    Case("cut xz", lzma.compress(LONG)[:2000], "xz"),
    Case("cut zstandard", zstandard.compress(LONG)[:2000], "zst"),
    Case("gzip with a flipped byte", gzip.compress(LONG)[:900] + b"\0\1\2" + gzip.compress(LONG)[903:], "gz"),
    Case("something behind gzip", gzip.compress(RUN.encode()) + b"and more", "bad.run"),
    Case("a gzip bomb", gzip.compress(bytes(300_000_000)), "bad.run"),
    # columns and values
    Case("decimal commas", RUN.replace(".", ","), "decimal point"),
    Case("words for scores", RUN.replace("5.5", "high"), "high"),
    Case("a score that is no number", RUN.replace("5.5", "nan"), "nan"),
    Case("an infinite score", RUN.replace("5.5", "1e999"), "bad.run:1"),
    Case("a line cut short", RUN[:-7], "bad.run:4"),
    Case("a column too many", RUN.replace("5.5 x", "5.5 x y z"), "bad.run"),
    Case("one column", "a\nb\nc\n", "bad.run"),
    Case("a header of unknown names", "Search Term,Found Doc,My Number\nx,a,1\n", "Search Term"),
    Case("a line of ten million bytes", "1" * 10_000_000, "bad.run"),
    Case("a document twice", RUN + "1 Q0 a 3 1 x\n", "bad.run:5"),
    Case("judgments with words", QRELS.replace(" 2\n", " relevant\n"), "relevant", "eval bad.qrels a.run", "bad.qrels"),
    Case("judgments of thousands of digits", f"1 0 a {'9' * 5000}\n", "bad.qrels", "eval bad.qrels a.run", "bad.qrels"),
    Case("topics of another collection", RUN.replace("1 Q", "401 Q").replace("2 Q", "402 Q"), "401"),
    Case("documents of another collection", RUN.replace(" a ", " FT1 ").replace(" c ", " FT2 ").replace(" b ", " FT3 ")
         .replace(" d ", " FT4 "), "no document of bad is judged"),
    Case("exchanged arguments", RUN, "bad.run", "eval bad.run q.qrels"),
    Case("one file as both", None, "q.qrels", "eval q.qrels q.qrels"),
    Case("two runs of one name", None, "named 'a'", "eval q.qrels a.run ./a.run"),
    # scenarios, logs, texts
    Case("broken TOML", "gains = \n", "bad.toml", "eval q.qrels a.run --scenario bad.toml", "bad.toml"),
    Case("TOML of something else", '[tool.ruff]\nline-length = 120\n', "bad.toml",
         "eval q.qrels a.run --scenario bad.toml", "bad.toml"),
    Case("a log of something else", '{"level": "info", "msg": "started"}\n', "bad.jsonl", "session q.qrels bad.jsonl",
         "bad.jsonl"),
    Case("a cut session track file", '<sessiontrack2013><session num="1"><topic num="1">', "bad.xml",
         "session q.qrels bad.xml", "bad.xml"),
    Case("costs of something else", '{"speed": "fast"}\n', "bad.log", "eval q.qrels a.run --efficiency a=bad.log",
         "bad.log"),
    # options
    *(Case(text, None, says, f"eval q.qrels a.run {text}") for text, says in {
        "--depth 0": "0", "--depth -5": "-5", "--depth ten": "ten", "--depth 1e99": "1e99", "--base 1": "1",
        "--base nan": "nan", "--gains 1--2": "1--2", "--gains 0-1-x": "x", "--gains 5": "5", "--gains 1=2,3": "1=2,3",
        "--discount linear": "linear", "--digits 99": "99", "--threads 0": "0", "-f xml": "xml",
        "-o result.xyz": "result.xyz",
        "-o no/such/folder.json": "no/such", "-o .": ".", "-m nDCG@0": "nDCG@0", "-m nDCG@ten": "nDCG@ten",
        "-m nDCG@-1": "nDCG@-1", "-m nDGC@10": "did you mean nDCG", "-m ()": "()", "-m nDCG(x=1)@10": "x",
        "--scenario bussy": "did you mean busy", "--scenario .": ".", "--ties random": "random",
        "--columns foo": "foo", "--missing maybe": "maybe", "--judges all": "all", "--nonsense": "--nonsense",
        "--ideal retreived": "did you mean retrieved", "-o q.qrels -f json": "would replace an input",
    }.items()),
    Case("alpha of 2", None, "2", "compare q.qrels a.run b.run --alpha 2"),
    Case("alpha of -1", None, "-1", "compare q.qrels a.run b.run --alpha -1"),
    Case("an unknown baseline", None, "did you mean", "compare q.qrels a.run b.run --baseline aa"),
    Case("one run to compare", None, "only one run was given: a", "compare q.qrels a.run"),
    Case("an unknown test", None, "wilcoxon", "compare q.qrels a.run b.run --test wilcoxn"),
    Case("a gate without a limit", None, "no limit", "gate q.qrels a.run b.run"),
    Case("a limit without a measure", None, "0.01", "gate q.qrels a.run b.run --max-drop 0.01"),
    Case("an unknown command", None, "compare", "comparre q.qrels a.run"),
    Case("an unknown list", None, "measures", "ls mesures"),
    Case("a measure nobody knows", None, "XYZ", "explain XYZ@10"),
    Case("a topic that is not there", None, "77", "explain --topic 77 q.qrels a.run"),
    Case("a figure of an unknown kind", None, "gif", "curve q.qrels a.run -o x.gif"),
    Case("a curve of depth 0", None, "0", "curve q.qrels a.run --depth 0"),
    Case("a pool of depth 0", None, "0", "pool a.run --depth 0"),
]  # fmt: skip


LOG = '{"session": "s1", "query": 1, "topic": "1", "ranking": ["a", "b"]}\n'
OTHERS = [
    # archives, programs and files of other programs
    Case("a tar archive", tarred(), "unpack it", "eval q.qrels runs.tar.gz", "runs.tar.gz"),
    Case("an empty zip archive", zipped(), "empty zip archive"),
    Case("a 7z archive", b"7z\xbc\xaf\x27\x1c" + bytes(200), "7z archive"),
    Case("a program", b"\x7fELF\x02\x01\x01" + bytes(60), "a program"),
    Case("a notebook", '{"cells": [], "metadata": {}, "nbformat": 4}', "nbformat"),
    Case("an Arrow file of noise", b"ARROW1\0\0" + NOISE, "Arrow"),
    Case("scores in place of a run", "run,topic,measure,value\na,1,AP,.5\n", "topic, measure, value"),
    Case("output of trec_eval as a run", "map\tall\t0.5\nP_5\tall\t0.2\n", "0.5 is not a rank"),
    Case("output of trec_eval as judgments", "map\tall\t0.5\n", "no topic", "eval bad.qrels a.run", "bad.qrels"),
    Case("marks of a merge", f"<<<<<<< HEAD\n{RUN}=======\n", "<<<<<<< HEAD"),
    Case("a link to itself", lambda path: path.symlink_to(path.name), "symbolic links"),
    Case("a pattern that fits nothing", None, "no file matches", "eval q.qrels *.runs"),
    Case("an empty name", None, "the name of a file is empty", "eval q.qrels "),
    Case("an address", None, "remote address", "eval q.qrels http://localhost/a.run"),
    # values
    Case("percentages for scores", RUN.replace("5.5", "95%"), "95%"),
    Case("thousands separators", RUN.replace("5.5", "1,234.5"), "plain number"),
    Case("grades of yes and no", "topic,document,grade\n1,a,yes\n", "yes", "eval bad.csv a.run", "bad.csv"),
    Case("an empty grade", "topic,document,grade\n1,a,\n", "not a finite number", "eval bad.csv a.run", "bad.csv"),
    Case("semicolons and decimal commas", "topic;document;score\n1;a;5,5\n", "decimal point"),
    Case("a row too short", "topic,document,score\n1,a,5\n1,b\n", "2 fields where"),
    Case("a quotation that never ends", 'topic,document,score\n1,"a,5\n', "unexpected end"),
    Case("only a header", "topic,document,score\n", "no rows"),
    Case("typographic quotation marks", RUN.replace("1 Q", "“1” Q").replace("2 Q", "“2” Q"), "“1”"),
    Case("two JSON documents in a row", '{"1": {"a": 5.5}}{"2": {"c": 1}}', "Extra data"),
    Case("JSON one level too deep", '{"1": {"a": {"score": 5}}}', "{'score': 5}"),
    Case("JSON that is null", "null", "1 column"),
    Case("half a character in JSON", '{"\\ud800": {"a": 1}}', "cannot be a topic id"),
    # commands, one by one
    Case("a pool of judgments", None, "columns of judgments", "pool q.qrels"),
    Case("a pool by no known method", None, "mm-ns", "pool a.run --method best"),
    Case("strata without shares", None, "RANK-RANK:SHARE", "pool a.run --method sample --strata 1-10"),
    Case("strata upside down", None, "10-1", "pool a.run --method sample --strata 10-1:.5"),
    Case("a replay without answers", None, "judgments", "pool a.run --replay"),
    Case("a pool into a spreadsheet", None, "pool.xlsx", "pool a.run -o pool.xlsx"),
    Case("a pool until soon", None, "plausible, certain", "pool a.run --stop soon"),
    Case("a relevant grade of nan", None, "--rel", "pool a.run --rel nan"),
    Case("a pace of nan", None, "--pace", "pool a.run --pace nan"),
    Case("provenance onto a run", None, "would replace an input", "pool a.run b.run --provenance b.run"),
    Case("provenance onto the pool", None, "same file", "pool a.run -o pool.jsonl --provenance ./pool.jsonl"),
    Case("a decision about one run", None, "two runs", "decide q.qrels a.run"),
    Case("a decision by Rprec", None, "nDCG", "decide q.qrels a.run b.run -m Rprec"),
    Case("a confidence of nan", None, "--confidence", "decide q.qrels a.run b.run --confidence nan"),
    Case("a prior from no file", None, "there is no file maybe", "decide q.qrels a.run b.run --prior maybe"),
    Case("an estimate without a sample", None, "how their documents were chosen", "estimate q.qrels a.run"),
    Case("a pool as judgments", '{"topic": "1", "document": "a", "priority": 1}\n', "grade", "estimate bad.jsonl a.run",
         "bad.jsonl"),
    Case("votes of one run", None, "several runs", "votes a.run"),
    Case("votes of nothing", None, "above 0", "votes a.run b.run --take 0"),
    Case("a conversion to an unknown suffix", None, "trec-run", "convert a.run a.xyz"),
    Case("a conversion onto itself", None, "would replace an input", "convert a.run ./a.run --to trec-run"),
    Case("a conversion into no folder", None, "there is no folder no", "convert a.run no/a.csv"),
    Case("a conversion below a file", None, "is a file, not a folder", "convert a.run b.run/a.csv"),
    Case("sessions without a name", LOG.replace('"session": "s1", ', ""), "query, topic, ranking",
         "session q.qrels bad.jsonl", "bad.jsonl"),
    Case("a query number of -1", LOG.replace("1, ", "-1, ", 1), "-1", "session q.qrels bad.jsonl", "bad.jsonl"),
    Case("a query twice", LOG * 2, "query 1 twice", "session q.qrels bad.jsonl", "bad.jsonl"),
    Case("a ranking as text", LOG.replace('["a", "b"]', '"a b"'), "is text, not a list", "session q.qrels bad.jsonl",
         "bad.jsonl"),
    Case("a log with entities", '<!DOCTYPE x [<!ENTITY a "b">]><sessiontrack2013/>', "DOCTYPE",
         "session q.qrels bad.xml", "bad.xml"),
    Case("a map with one column", "s1\n", "expected a session and its topic", "session q.qrels a.run --map bad.txt",
         "bad.txt"),
    Case("a measure of lists for sessions", LOG, "not of sessions", "session q.qrels bad.jsonl -m nDCG@10", "-"),
    Case("sessions compared as lists", LOG * 2, "session, query, topic, ranking", "compare q.qrels a.run bad.jsonl",
         "bad.jsonl"),
    Case("a sweep of AP", None, "no gains", "sweep q.qrels a.run b.run -m AP"),
    Case("a sweep by a ratio of 0", None, "ratio", "sweep q.qrels a.run b.run --ratio 0"),
    Case("effort for a gain of nan", None, "positive number", "effort q.qrels a.run --gain nan"),
    Case("a curve of AP", None, "no curve by rank", "curve q.qrels a.run -m AP"),
    Case("a level without its option", None, "--precision-recall", "curve q.qrels a.run --level 2"),
    Case("a report as PDF", None, ".html", "report q.qrels a.run -o r.pdf"),
    Case("a report with texts of nothing", "nothing here\n", "not in a known format",
         "report q.qrels a.run -o r.html --topics bad.tsv", "bad.tsv"),
    Case("a topic limit of x topics", None, ".3:x", "gate q.qrels a.run b.run --max-topic-drop nDCG@10=.3:x"),
    Case("a negative limit", None, "-1", "gate q.qrels a.run b.run --max-drop nDCG@10=-1"),
    Case("a judged share of 2", None, "2@10", "gate q.qrels a.run b.run --min-judged 2@10"),
    Case("agreement with a run", None, "columns of a run", "agree q.qrels a.run"),
    Case("a demo onto a file", None, "a file has this name", "demo q.qrels"),
    Case("a scenario in words", 'discount = "jk2002"\nbase = "two"\n', "two", "eval q.qrels a.run --scenario bad.toml",
         "bad.toml"),
    Case("a scenario that extends itself", 'extends = "bad.toml"\n', "no scenario named",
         "eval q.qrels a.run --scenario bad.toml", "bad.toml"),
    Case("a scenario with a misspelt key", 'gain = "0-1"\n', "did you mean gains",
         "eval q.qrels a.run --scenario bad.toml", "bad.toml"),
]  # fmt: skip
"""Mistakes with each command, among them those that a file of the right kind can hold."""


COLUMNS = "a,b,c\n1,2,3\n"
SCENARIO = "eval q.qrels a.run --scenario bad.toml"
MORE = [
    # columns, grades and scores
    Case("the document in the second column", "1 a 0 1\n1 b 0 0\n", "topic, 0 or Q0, document", "eval bad.qrels a.run",
         "bad.qrels"),
    Case("a run with the document in the second column", RUN.replace("Q0 a", "a Q0").replace("Q0 b", "b Q0")
         .replace("Q0 c", "c Q0").replace("Q0 d", "d Q0"), "topic, 0 or Q0, document"),
    Case("leading zeros", "01 Q0 a 1 5 x\n02 Q0 c 1 5 x\n", "dropping leading zeros"),
    Case("topics that became decimals", "topic,document,score\n1.0,a,1\n2.0,c,2\n", "writing 1.0 as 1"),
    Case("no header", "1.0,a,1\n2.0,c,2\n", "no column of the header is known", "eval bad.csv a.run", "bad.csv"),
    Case("two columns of scores", "topic,document,score,score\n1,a,5,4\n", "which differ"),
    Case("a column that is not there", COLUMNS, "no column of the header is known: a, b, c",
         "eval q.qrels bad.run --columns topic=nosuch,document=b"),
    Case("fractions for grades", "1 0 a 1/2\n", "1/2", "eval bad.qrels a.run", "bad.qrels"),
    Case("a half for a grade", "1 0 a ½\n", "½", "eval bad.qrels a.run", "bad.qrels"),
    Case("Arabic digits", "1 0 a ٣\n", "٣", "eval bad.qrels a.run", "bad.qrels"),
    Case("a hexadecimal grade", "1 0 a 0x1\n", "0x1", "eval bad.qrels a.run", "bad.qrels"),
    Case("grades whose sum overflows", "1 0 a 1e308\n1 0 b 1e308\n", "worth 1e+308", "eval bad.qrels a.run",
         "bad.qrels"),
    Case("a suffix of C", RUN.replace("5.5", "5.5f"), "5.5f"),
    Case("a number of Python", RUN.replace("5.5", "1_000"), "1_000"),
    Case("two signs", RUN.replace("5.5", "+-1"), "+-1"),
    Case("an exponent without digits", RUN.replace("5.5", "1e"), "'1e'"),
    Case("a point", RUN.replace("5.5", "."), "'.'"),
    # JSON
    Case("a list of lists", '[["1", "a", 5.5]]', "a list of lists"),
    Case("JSON with NaN", '{"1": {"a": NaN}}', "nan"),
    Case("a document twice in JSON", '{"1": {"a": 1, "a": 2}}', "lists document a twice"),
    Case("JSON lines with commas", '{"topic": "1", "document": "a", "score": 1},\n' * 2, "Extra data"),
    # parts, folders and suffixes
    Case("a part of one run", None, "nothing called 'x'", "eval q.qrels a.run#x"),
    Case("compressed Parquet", None, "name it out.parquet", "convert a.run out.parquet.gz"),
    Case("compressed twice", None, "names no format", "convert a.run out.csv.gz.zip"),
    # scenarios
    *(Case(text, f"{text}\n", says, SCENARIO, "bad.toml") for text, says in {
        'depth = "ten"': "ten", "depth = true": "True", "depth = 10.0": "10.0", "depth = 1979-05-27": "1979",
        "gains = []": "two entries", "gains = [[1]]": "[1]", "gains = {a = 1}": "'a'", 'gains = {1 = "x"}': "'x'",
        "ties = 5": "5", "extends = 5": "5", "session = 1": "[session]", "[session] # \nx = 1": "'x'",
        "[session] #\npad = []": "[]", "[session]\nbq = 'x'": "bq",
    }.items()),
    # sessions
    *(Case(name, LOG.replace(old, new), says, "session q.qrels bad.jsonl", "bad.jsonl") for name, old, new, says in [
        ("a query number in words", '"query": 1', '"query": "first"', "'first'"),
        ("half a query", '"query": 1', '"query": 1.5', "1.5"),
        ("a list with a document twice", '"b"', '"a"', "document a twice"),
        ("a session without a topic", '"topic": "1"', '"topic": null', "no topic"),
        ("a session called null", '"s1"', "null", "no 'session'"),
        ("a list of numbers", '"b"', "1.5", "1.5"),
        ("a list of lists in a log", '"b"', '["b"]', "['b']"),
        ("a third query alone", '"query": 1', '"query": 3', "lacks query 1"),
        ("a click on nothing", '"ranking"', '"clicks": ["z"], "ranking"', "click 'z'"),
    ]),
    Case("a log nested without end", "<sessiontrack2013>" + "<a>" * 100_000, "nested deeper",
         "session q.qrels bad.xml", "bad.xml"),
    # options
    Case("a grade with two gains", None, "grade 1 two gains", "eval q.qrels a.run --gains 0=0,1=1,1=5,2=2"),
    Case("a gain of nan", None, "nan", "eval q.qrels a.run --gains 1=nan"),
    Case("draws without end", None, "10 000 000", f"compare q.qrels a.run b.run --test bootstrap --draws {'9' * 30}"),
    Case("two limits for one measure", None, "two limits",
         "gate q.qrels a.run b.run --max-drop nDCG@10=.1 --max-drop ndcg_cut_10=.2"),
    Case("a limit of nan", None, "nan", "gate q.qrels a.run b.run --min nDCG@10=nan"),
    Case("a limit with a comma", None, "0,4", "gate q.qrels a.run b.run --min nDCG@10=0,4"),
    Case("strict about nothing", None, "max-drop", "gate q.qrels a.run b.run --min AP=.1 --strict"),
    Case("no time for idling", None, "30m", "session q.qrels a.run --idle 5"),
    Case("a base of 1 over queries", LOG, "bq", "session q.qrels bad.jsonl --bq 1", "-"),
    Case("a horizon of 0", LOG, "horizon", "session q.qrels bad.jsonl --horizon 0", "-"),
    Case("two cutoffs in a measure", None, "5@10", "eval q.qrels a.run -m P@5@10"),
    Case("a cutoff in percent", None, "10%", "eval q.qrels a.run -m nDCG@10%"),
    Case("patience without end", None, "below 1", "eval q.qrels a.run -m RBP(p=1)"),
    Case("a scale upside down", None, "3-0", "decide q.qrels a.run b.run --scale 3-0"),
]  # fmt: skip
"""What a later look with fresh eyes found missing: shapes that are nearly right, and words that look like numbers."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q.qrels").write_text(QRELS)
    (tmp_path / "a.run").write_text(RUN)
    (tmp_path / "b.run").write_text(RUN.replace("5.5", "0.5"))
    return tmp_path


@pytest.mark.parametrize("case", CASES + OTHERS + MORE, ids=lambda case: case.name.replace(" ", "-").replace("/", "_"))
def test_a_broken_input_ends_in_a_clear_message(case: Case, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / case.file
    if callable(case.content):
        case.content(path)
    elif case.content is not None:
        path.write_bytes(case.content if isinstance(case.content, bytes) else case.content.encode())
    code = main(case.arguments.split(" "))
    shown = capsys.readouterr()
    assert code == 2, (code, shown)
    assert shown.out == ""
    assert "Traceback" not in shown.err
    assert "error[bug]" not in shown.err
    message = shown.err[shown.err.index("error[") if "error[" in shown.err else shown.err.index("Error: ") :]
    assert case.says in message
    assert max(map(len, message.splitlines())) <= 700
    if message.startswith("error["):
        lines = message.splitlines()
        assert any(line.startswith("  why  ") and len(line) > 20 for line in lines)
        assert any(line.startswith("  try  ") and len(line) > 10 for line in lines)
        if (folder / case.file).is_file() and "/" not in case.arguments:
            assert case.file in message


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.run").chmod(0)
    assert main(["eval", "q.qrels", "a.run"]) == 2
    assert "a.run" in capsys.readouterr().err


def test_the_list_is_long_enough_and_has_no_two_of_a_kind() -> None:
    assert min(len(CASES), len(OTHERS), len(MORE)) >= 40
    assert len({case.name for case in CASES + OTHERS + MORE}) == len(CASES + OTHERS + MORE)
