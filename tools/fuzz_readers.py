"""Feed every reader and parser broken and odd text, in this process: an answer or a message, and nothing else.

usage: python tools/fuzz_readers.py [--inputs 100000] [--seed 0] [--only TARGET]      (`make fuzz` runs it)

Inputs are made by mutating good ones of each kind: bytes and words of the formats are changed, cut out, put in and
doubled. An answer is fine, and so is a GaincurveError; anything else stops it with the input, by which it can be
repeated. For runs, the compiled scanner and its NumPy twin must give the same answer, or the same message.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path

from fuzz_scanner import PIECES, mutated

from gaincurve.errors import GaincurveError
from gaincurve.files.evaluate import evaluate_files
from gaincurve.io import grading
from gaincurve.io.convert import Reading, converted
from gaincurve.io.efficiency import read_efficiency
from gaincurve.io.formats.registry import FORMATS
from gaincurve.io.read import read_judgments, read_runs
from gaincurve.io.scenarios import read_scenario
from gaincurve.io.sessions.logs import read_session_logs
from gaincurve.io.texts.read import read_texts
from gaincurve.measures.notation import parse_measures
from gaincurve.model.gains import Gains
from gaincurve.model.limits import JudgedLimit, Limit, TopicLimit

QRELS = [b"1 0 a 1\n1 0 b 0\n2 0 c 3\n", b"topic,document,grade\n1,a,1\n1,b,0\n", b"1\t0\ta\t1\r\n1\t0\tb\t-1\r\n"]
RUNS = [b"1 Q0 a 1 5.5 x\n1 Q0 b 2 4.5 x\n2 Q0 c 1 1 x\n", b"1 a 1\n1 b 2\n2 c 1\n", b"qid,docno,score\n1,a,5\n2,c,4\n"]
JSON = [
    b'{"1": {"a": 1, "b": 0}, "2": {"c": 3}}', b'{"topic": "1", "document": "a", "grade": 1, "score": 2.5}\n' * 2,
    b'[{"topic": "1", "document": "a", "score": 1.5}]', b'{"qrels": {"1": {"a": 1}}, "runs": {"x": {"1": {"a": 1.5}}}}',
    b'{"1": [["a", 1.5], ["b", 1]]}', b'{"1": ["a", "b"], "2": ["c"]}',
]  # fmt: skip
SESSIONS = [
    b'{"session": "s1", "query": 1, "topic": "1", "ranking": ["a", "b"], "clicks": ["a"], '
    b'"time": "2020-01-01T00:00:00Z"}\n'
    b'{"session": "s1", "query": 2, "topic": "1", "ranking": ["c"], "user": "u"}\n',
    b"session,query,topic,rank,document\ns1,1,1,1,a\ns1,1,1,2,b\ns1,2,1,1,c\n",
    b'<sessiontrack2013><session num="1" userid="u"><topic num="1"><desc>x</desc></topic><interaction num="1" '
    b'starttime="1"><query>q</query><results><result rank="1"><url>u</url><clueweb12id>a</clueweb12id></result>'
    b"</results></interaction></session></sessiontrack2013>",
    b"s1.q1 Q0 a 1 5 x\ns1.q2 Q0 b 1 4 x\n", b'{"s1": [["a", "b"], ["c"]]}',
    b'{"query_id": "q", "user_query": "x", "client_id": "c", "timestamp": "2020-01-01T00:00:00Z", '
    b'"query_response_hit_ids": ["a"]}\n',
]  # fmt: skip
TEXTS = [
    b"7\twind power\n8\tsea\n", b'{"id": "7", "text": "wind"}\n', b"<top>\n<num> Number: 7\n<title> wind\n</top>\n",
    b".I 1\n.T\nwind\n.W\npower\n", b"query_id,query\n7,wind\n", b"<DOC>\n<DOCNO> a </DOCNO>\n<TEXT>x</TEXT>\n</DOC>\n",
    b'{"7": "wind", "8": {"title": "sea"}}',
]  # fmt: skip
TOML = [
    b'gains = "0-1-10-100"\ndiscount = "jk2002"\nbase = 2\ndepth = 30\n', b'extends = "busy"\n[session]\nbq = 4\n',
    b'name = "x"\nabout = "y"\ngains = [0, 1, 2]\nties = "trec"\n',
    b"gains = {1 = 1, 2 = 10}\nunjudged = 'condensed'\n",
]  # fmt: skip
NOTATION = [
    b"nDCG@10", b"nDCG(gains='0-1-10-100', discount='jk2002', base=2)@100", b"P(rel=2)@5,AP", b"ndcg_cut_10",
    b"SetF(beta=2)", b"nDCG(dcg='exp-log2')@10", b"IPrec@0.1", b"nsDCG(score='last')", b"RBP(p=0.8,rel=1)@20",
    b"11pt_avg.0.2,0.5",
]  # fmt: skip
GAINS = [b"0-1-10-100", b"1=3,2=9", b"binary(rel=2)", b"exp2", b"identity", b"0.01:2", b"5%", b"0.5@10"]
COSTS = [
    b'{"topic": "301", "latency_ms": 12.5}\n{"topic": "302", "latency_ms": 3}\n',
    b'{"indexing_s": 812.0, "index_bytes": 1000, "text_bytes": 4000}\n{"queries": 100, "wall_s": 4, "threads": 8}\n',
]
WORDS = [
    b"{", b"}", b"[", b"]", b'"', b"'", b":", b",", b"=", b"(", b")", b"@", b"<", b">", b"</", b"&#1;", b"&lt;",
    b"null", b"true",
    b"NaN", b"Infinity", b"-Infinity", b"1e999", b"\\u0000", b"\\ud800", b"\\", b"/", b"//", b"\xc2\xa0",
    b"\xe2\x80\xa8", b"\xef\xbb\xbf",
    b"\xff\xfe", b"[[", b"9" * 5000, b"[" * 2000, b"{\"a\":" * 1500, b"=1+1", b"topic", b"document", b"grade", b"score",
    b"session", b"query", b"ranking", b"<!DOCTYPE x [", b"<![CDATA[", b"inf", b"1979-05-27", b"'''", b'"""',
    b"\x1f\x8b\x08", b"BZh9",
    b"\xfd7zXZ\x00", b"(\xb5/\xfd", b"PK\x03\x04", b"PAR1", b"ARROW1", b"version https://git-lfs", b"<html>",
    b"%", b"..",     b"-" * 300,
]  # fmt: skip
CHEAP = ("notation", "choices", "toml")
"""Targets that take microseconds."""
SHAPES = [format_.example.encode() for format_ in FORMATS]
"""A literal of each format, as its tool writes it."""
JUDGED = b"1 0 a 1\n1 0 b 0\n2 0 c 3\n"


def graded(run: Path, judgments: Path, scanner: object) -> tuple[str, object]:
    """What one scanner makes of a run: numbers, or the message."""
    before, grading.compiled = grading.compiled, scanner
    try:
        scores = evaluate_files(judgments, run, ["nDCG@10", "AP", "FirstRank"], threads=1)
    except GaincurveError as error:
        return "message", str(error)
    finally:
        grading.compiled = before
    notes = tuple(map(str, scores.notes))
    return "numbers", (scores.runs, scores.units, scores.values.tobytes(), notes)


def targets(folder: Path) -> dict[str, tuple[list[bytes], Callable[[bytes], object]]]:
    """Each target with good inputs, and what is done with a bad one."""
    path, judgments = folder / "input", folder / "judgments"
    judgments.write_bytes(JUDGED)
    compiled = grading.compiled

    def reading(read: Callable[[Path], object]) -> Callable[[bytes], object]:
        def feed(data: bytes) -> object:
            path.write_bytes(data)
            return read(path)

        return feed

    def scanners(data: bytes) -> None:
        path.write_bytes(data)
        one, two = (graded(path, judgments, scanner) for scanner in (compiled, None))
        if one != two:
            raise AssertionError(f"the scanners differ: {one} and {two}")

    def scenario(data: bytes) -> object:
        toml = folder / "input.toml"
        toml.write_bytes(data)
        return read_scenario(toml)

    def notation(data: bytes) -> None:
        for measure in parse_measures(data.decode("utf-8", "surrogateescape")):
            if parse_measures(measure.text) != [measure]:
                raise AssertionError(f"{measure.text} does not parse back")

    def choices(data: bytes) -> None:
        text = data.decode("utf-8", "surrogateescape")
        for parse in (Gains.of, JudgedLimit.of, lambda t: Limit.of(t, "x"), lambda t: TopicLimit.of(t, "x")):
            try:
                parse(text)  # type: ignore[operator]
            except GaincurveError:
                continue

    def conversions(data: bytes) -> None:
        path.write_bytes(data)
        for name, kind in (("json", "judgments"), ("csv", "run")):
            try:
                converted(path, f"out.{name}", name, Reading(kind, "first", judges="mean"))
            except GaincurveError:
                continue

    return {
        "judgments": (QRELS, reading(read_judgments)),
        "runs": (RUNS, reading(read_runs)),
        "scanners": (RUNS, scanners),
        "json": (JSON, reading(read_judgments)),
        "json-runs": (JSON, reading(read_runs)),
        "shapes": (SHAPES, reading(read_judgments)),
        "shape-runs": (SHAPES, reading(read_runs)),
        "conversions": (SHAPES, conversions),
        "sessions": (SESSIONS, reading(read_session_logs)),
        "texts": (TEXTS, reading(read_texts)),
        "toml": (TOML, scenario),
        "notation": (NOTATION, notation),
        "choices": (GAINS, choices),
        "efficiency": (COSTS, reading(read_efficiency)),
    }


def fuzz(name: str, good: list[bytes], feed: Callable[[bytes], object], inputs: int, seed: int) -> bool:
    """Mutate, feed, and stop at the first surprise; whether there was none."""
    dice = random.Random(f"{name} {seed}")
    pieces = [*PIECES, *WORDS]
    answered = 0
    for i in range(inputs):
        data = (
            mutated(dice, dice.choice(good), pieces) if dice.random() < 0.97 else dice.randbytes(dice.randint(0, 200))
        )
        try:
            feed(data)
            answered += 1
        except GaincurveError as error:
            if not str(error).startswith("error["):
                raise
        except Exception:
            traceback.print_exc()
            print(f"{name}: input {i} of seed {seed}: {data!r}", flush=True)
            return False
    print(f"{name}: {inputs} inputs, {answered} answered, the others refused with a message (seed {seed})", flush=True)
    return True


def main() -> None:
    """Every target in turn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=100_000, help="of each target; those that read files get a fifth")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only")
    given = parser.parse_args()
    warnings.simplefilter("error")
    shared = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=shared if os.access(shared, os.W_OK) else None) as folder:
        fine = [
            fuzz(name, good, feed, given.inputs if name in CHEAP else given.inputs // 5, given.seed)
            for name, (good, feed) in targets(Path(folder)).items()
            if given.only in (None, name)
        ]
    sys.exit(0 if all(fine) else 1)


if __name__ == "__main__":
    main()
