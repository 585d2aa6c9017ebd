"""Spark, the real one in local mode: the bits of one machine, however rows are dealt, shuffled or lost."""

from __future__ import annotations

import math
import os
import random
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from pyarrow import csv
from pyspark.mllib.evaluation import RankingMetrics
from spark_rows import MEASURES, Rows, arrow, frames, local, rows, same_bits

import gaincurve as gc
from gaincurve import spark as gs
from gaincurve.cli import main
from gaincurve.model.exact import exact_parts


@pytest.mark.parametrize("buckets", [1, 2, 7, 64])
def test_the_bits_of_one_machine_for_any_number_of_buckets(spark: Any, buckets: int) -> None:
    judged, listed = rows()
    expected = local(judged, listed)
    random.Random(buckets).shuffle(listed)
    random.Random(buckets).shuffle(judged)
    spark.conf.set("spark.sql.adaptive.enabled", str(buckets % 2 == 0).lower())
    per = gs.evaluate(*frames(spark, judged, listed), MEASURES, buckets=buckets)
    same_bits(expected, per.scores())
    table = gs.summary(per).to_pylist()
    assert {(row["run"], row["measure"]): row["mean"] for row in table} == {
        (run, measure): value for run, means in expected.summary().items() for measure, value in means.items()
    }
    for row in table:
        values = expected[row["run"], row["measure"]].values
        values = values[~np.isnan(values)]
        assert row["n"] == len(values)
        assert row["sd"] == pytest.approx(np.std(values, ddof=1), rel=1e-12)
        assert row["se"] == pytest.approx(np.std(values, ddof=1) / np.sqrt(len(values)), rel=1e-12)
    slugs = {(note.slug, note.runs) for note in per.notes}
    assert slugs == {(note.slug, note.runs) for note in expected.notes}
    ours = {note.slug: note.text for note in per.notes if note.slug in ("unjudged", "ties", "negative-grades")}
    assert ours == {note.slug: note.text for note in expected.notes if note.slug in ours}


@pytest.mark.parametrize(
    "choices",
    [
        {"ties": "average"},
        {"unjudged": "condensed"},
        {"unjudged": "bounds"},
        {"missing": "skip"},
        {"gains": "exp2", "ideal": "retrieved"},
        {"empty": "zero", "discount": "jk2002", "base": 3.0},
    ],
    ids=str,
)
def test_choices_are_those_of_one_machine(spark: Any, choices: dict[str, Any]) -> None:
    judged, listed = rows(5, 12)
    measures = ["nDCG@10", "DCG@5"]
    expected, theirs = (
        local(judged, listed, *measures, **choices),
        gs.evaluate(*frames(spark, judged, listed), measures, buckets=5, **choices).scores(),
    )
    same_bits(expected, theirs)
    if choices.get("unjudged") == "bounds":
        assert expected.bounds() == theirs.bounds()


def test_compare_is_compare(spark: Any) -> None:
    """Also in what unjudged documents could change, which all judgments and runs are brought to the driver for."""
    judged, listed = rows()
    alone = local(judged, listed, "nDCG@10", "AP")
    per = gs.evaluate(*frames(spark, judged, listed), ["nDCG@10", "AP"], buckets=3)
    for choices in ({"baseline": "bm25"}, {"test": "randomisation", "draws": 500}):
        ours, expected = gs.compare(per, **choices), gc.compare(alone, **choices)
        assert ours.pairs == expected.pairs
        assert all(pair.standing is not None for pair in ours.pairs)
        assert [str(family.signature) for family in ours.families] == [
            str(family.signature) for family in expected.families
        ]


def test_columns_and_ids_as_numbers(spark: Any) -> None:
    ours = spark.createDataFrame([(1, 10, 3), (1, 11, 1), (2, 10, 1)], "user_id long, item_id int, rating int")
    runs = spark.createDataFrame([("1", "11", 2.0), ("1", "10", 1.0)], "user_id string, item_id string, score double")
    per = gs.evaluate(ours, {"als": runs}, "nDCG@10", columns={"topic": "user_id", "grade": "rating"})
    expected = gc.evaluate({"1": {"10": 3, "11": 1}, "2": {"10": 1}}, {"als": {"1": {"11": 2.0, "10": 1.0}}}, "nDCG@10")
    assert per.scores().summary() == expected.summary()
    assert per.scores().units == ("1", "2")


@pytest.mark.parametrize(
    ("listed", "slug"),
    [
        ([("x", "t1", "a", 1.0), ("x", "t1", "a", 2.0)], "run-duplicate-document"),
        ([("x", "t1", "a", float("nan"))], "run-score"),
        ([("x", "t9", "a", float("nan")), ("x", "t1", "a", 1.0)], "run-score"),
        ([("x", "t1", "a", 1.0), ("x", "t1", None, 1.0)], "input-id"),
        ([("x", "t9", "a", 1.0)], "topics-disjoint"),
        ([("x", "t1", "zz-9", 1.0)], "documents-disjoint"),
    ],
)
def test_wrong_rows_are_refused_in_the_words_of_one_machine(spark: Any, listed: Rows, slug: str) -> None:
    judged = [("t1", "a", 1.0), ("t1", "b", 0.0), ("t2", "c", 2.0)]
    with pytest.raises(gc.InputError) as caught:
        gs.evaluate(*frames(spark, judged, listed), "AP", buckets=3)
    with pytest.raises(gc.InputError) as alone:
        local(judged, listed, "AP")
    assert caught.value.slug == slug
    ours, theirs = (error.value.problems[0].what.partition(" (judged ids")[0] for error in (caught, alone))
    assert ours == theirs


def test_all_that_is_wrong_is_counted_and_named(spark: Any) -> None:
    """As on one machine, beyond the twenty that are shown; rows have no numbers here, so they are named."""
    judged = [(f"t{i}", "a", 1.0) for i in range(60)]
    listed = [("x", f"t{i}", "a", math.nan if i % 2 else 1.0) for i in range(60)]
    with pytest.raises(gc.InputError) as caught:
        gs.evaluate(*frames(spark, judged, listed), "AP", buckets=7)
    with pytest.raises(gc.InputError) as alone:
        local(judged, listed, "AP")
    assert len(caught.value.problems) == len(alone.value.problems) == 20
    assert caught.value.more == alone.value.more == 10
    assert {problem.what for problem in caught.value.problems} == {problem.what for problem in alone.value.problems}
    assert caught.value.problems[0].at == "x, topic t1, document a"
    with pytest.raises(gc.InputError) as caught:
        gs.evaluate(*frames(spark, [*judged, *judged[:30]], listed[::2]), "AP", buckets=7)
    assert (len(caught.value.problems), caught.value.more) == (20, 10)


def test_ranks_beside_scores(spark: Any) -> None:
    """A rank column decides where it is asked to, and is compared with the scores where it is not."""
    ours, _ = frames(spark, [("t1", "a", 1.0), ("t2", "b", 1.0)], [("r", "t", "d", 1.0)])
    runs = [("t1", "a", 1.0, 1), ("t1", "b", 2.0, 2), ("t2", "b", 2.0, 1), ("t9", "b", 2.0, 2), ("t9", "c", 3.0, 1)]
    listed = spark.createDataFrame(runs, "topic string, document string, score double, rank int")
    by_score, by_rank = (gs.evaluate(ours, {"r": listed}, "RR", ties=ties, buckets=2) for ties in ("trec", "rank"))
    assert [per.scores().summary()["r"]["RR"] for per in (by_score, by_rank)] == [0.75, 1.0]
    texts = [note.text for note in by_score.notes if note.slug == "rank-column"]
    assert texts == ["the rank column contradicts the scores in 1 of 3 topics; scores decide "
                     "(--ties rank follows the ranks)"]  # fmt: skip
    assert "rank-column" not in [note.slug for note in by_rank.notes]


def test_samples_of_a_pool_and_exchanged_frames_are_refused(spark: Any) -> None:
    ours, runs = frames(spark, *rows(topics=5))
    with pytest.raises(gc.InputError, match="of a sample of a pool"):
        gs.evaluate(ours.withColumn("stratum", ours.topic), runs)
    judged = [(f"t{t}", f"d{d}", 9 - d + t / 10) for t in range(5) for d in range(9)]
    listed = [("r", f"t{t}", f"d{d}", float(d % 3)) for t in range(5) for d in range(9)]
    for score in (lambda: gs.evaluate(*frames(spark, judged, listed)), lambda: local(judged, listed)):
        with pytest.raises(gc.InputError) as caught:
            score()
        assert caught.value.slug == "judgments-scores"


def test_several_runs_in_one_frame_keep_their_names(spark: Any) -> None:
    ours, runs = frames(spark, *rows(topics=5))
    assert gs.evaluate(ours, {"all": runs}).runs == ("bm25", "dense", "splade")
    with pytest.raises(gc.InputError, match="two runs are named 'dense'"):
        gs.evaluate(ours, {"all": runs, "dense": runs.where("run = 'dense'")})


def test_what_has_no_meaning_here_is_refused(spark: Any) -> None:
    judged, listed = rows(topics=3)
    ours, runs = frames(spark, judged, listed)
    with pytest.raises(gc.ChoiceError, match="no order"):
        gs.evaluate(ours, runs, ties="file")
    with pytest.raises(gc.ChoiceError, match="subtopics of judgments"):
        gs.evaluate(ours, runs, "subtopicRecall@10")
    with pytest.raises(gc.ChoiceError, match="its longest topic is t"):
        gs.evaluate(ours, runs, most_rows=50, buckets=1)
    with pytest.raises(gc.ChoiceError, match="buckets cannot be 0"):
        gs.evaluate(ours, runs, buckets=0)
    with pytest.raises(gc.InputError, match="cannot be an id"):
        gs.evaluate(ours.withColumn("topic", ours.grade), runs)
    with pytest.raises(gc.InputError, match="no column for"):
        gs.evaluate(ours.drop("grade"), runs)


def test_a_killed_worker_is_tried_again(spark: Any, tmp_path: Path) -> None:
    """The first task that gets there is killed with signal 9; Spark starts it again, and no bit changes."""
    judged, listed = rows(topics=10)
    ours, runs = frames(spark, judged, listed)
    mark = tmp_path / "killed"

    def killing(batches: Any) -> Any:
        try:
            os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
            os.kill(os.getpid(), signal.SIGKILL)
        except FileExistsError:
            pass
        yield from batches

    per = gs.evaluate(ours, runs.mapInArrow(killing, runs.schema), MEASURES, buckets=4)
    assert mark.exists()
    same_bits(local(judged, listed), per.scores())


def test_sums_are_exact_however_they_are_cut() -> None:
    draw = np.random.default_rng(2)
    values = (draw.normal(size=400) * 10.0 ** draw.integers(-9, 9, 400)).tolist()
    for cuts in (1, 3, 50):
        parts = [part for i in range(cuts) for part in exact_parts(np.array(values[i::cuts]))]
        assert math.fsum(parts) == math.fsum(values)
    assert exact_parts(np.array([])) == []


SUITE = [
    ([1, 6, 2, 7, 8, 3, 9, 10, 4, 5], [1, 2, 3, 4, 5]),
    ([4, 1, 5, 6, 2, 7, 3, 8, 9, 10], [1, 2, 3]),
    ([1, 2, 3, 4, 5], []),
]
"""The rankings and relevant items of Spark's RankingMetricsSuite."""


def test_spark_agrees_where_it_is_right(spark: Any) -> None:
    """Numbers of RankingMetricsSuite, by Spark and by us: binary, no duplicates; a list without relevant items is 0."""
    ours = [(f"q{q}", str(d), 1.0) for q, (_, labels) in enumerate(SUITE) for d in labels] + [("q2", "99", 0.0)]
    runs = [("run", f"q{q}", str(d), -float(i)) for q, (ranked, _) in enumerate(SUITE) for i, d in enumerate(ranked)]
    measures = ["nDCG@3", "nDCG@5", "nDCG@10", "P@5", "P@15", "AP"]
    per = gs.evaluate(*frames(spark, ours, runs), measures, empty="zero", buckets=2)
    means = {row["measure"]: row["mean"] for row in gs.summary(per).to_pylist()}
    published = {
        "nDCG@3": 1 / 3,
        "nDCG@5": 0.328788,
        "nDCG@10": 0.487913,
        "P@5": 0.8 / 3,
        "P@15": 8 / 45,
        "AP": 0.355026,
    }
    assert means == pytest.approx(published, abs=1e-6)
    theirs = RankingMetrics(spark.sparkContext.parallelize(SUITE))
    assert [theirs.ndcgAt(k) for k in (3, 5, 10)] == pytest.approx([means[f"nDCG@{k}"] for k in (3, 5, 10)], abs=1e-12)
    assert [theirs.precisionAt(k) for k in (5, 15)] == pytest.approx([means[f"P@{k}"] for k in (5, 15)], abs=1e-12)
    assert theirs.meanAveragePrecision == pytest.approx(means["AP"], abs=1e-12)


def test_spark_is_wrong_on_three_rows(spark: Any) -> None:
    context = spark.sparkContext
    worst = RankingMetrics(context.parallelize([(["a", "b"], ["a", "b"], [1.0, 3.0])])).ndcgAt(2)
    twice = RankingMetrics(context.parallelize([(["a", "a", "a"], ["a", "b"])])).recallAt(3)
    assert worst == 1.0  # the grades are dropped
    assert twice == 1.5
    right = gs.evaluate(
        *frames(spark, [("q", "a", 1.0), ("q", "b", 3.0)], [("run", "q", "a", 2.0), ("run", "q", "b", 1.0)]),
        "nDCG@2",
        gains="exp2",
    )
    expected = (1 + 7 / math.log2(3)) / (7 + 1 / math.log2(3))
    assert gs.summary(right)["mean"].to_pylist() == [pytest.approx(expected, abs=1e-15)]


def test_the_class_in_scala_takes_grades_and_never_sorts_the_ideal(spark: Any) -> None:
    """The best order of a document of grade 3 and one of grade 1, whose judgments name the lower grade first."""
    context = spark.sparkContext
    jvm, gateway = context._jvm, context._gateway

    def array(kind: Any, values: list[Any]) -> Any:
        filled = gateway.new_array(kind, len(values))
        for i, value in enumerate(values):
            filled[i] = value
        return filled

    names = jvm.java.lang.Object
    row = jvm.scala.Tuple3(array(names, ["b", "a"]), array(names, ["a", "b"]), array(jvm.double, [1.0, 3.0]))
    rows = context._jsc.parallelize(jvm.java.util.ArrayList(jvm.java.util.Arrays.asList(array(names, [row])))).rdd()
    metrics = jvm.org.apache.spark.mllib.evaluation.RankingMetrics(rows, jvm.scala.reflect.ClassTag.Object())
    assert metrics.ndcgAt(1) == pytest.approx(7.0, abs=1e-12)
    ours = gs.evaluate(
        *frames(spark, [("q", "a", 1.0), ("q", "b", 3.0)], [("run", "q", "b", 2.0), ("run", "q", "a", 1.0)]),
        "nDCG@1",
        gains="exp2",
    )
    assert gs.summary(ours)["mean"].to_pylist() == [1.0]


PAGES = Path(__file__).parents[2] / "docs" / "how-to"


@pytest.mark.parametrize("name", ["evaluate-on-spark", "spark-ranking-metrics"])
def test_the_page_runs_as_printed(spark: Any, name: str) -> None:
    page, names = PAGES / f"{name}.md", dict[str, Any]()
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert len(blocks) > 3
    for block in blocks:
        exec(compile(block, str(page), "exec"), names)


ALONE = """
import os, random, sys, time
from pyspark import TaskContext
from pyspark.sql import SparkSession
import gaincurve as gc
from gaincurve import spark as gs
from gaincurve.cli import main

how, folder = sys.argv[1:]
builder = SparkSession.builder.config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "3")
if how == "speculation":
    builder = builder.master(os.environ["MASTER"]).config("spark.speculation", "true")
    for name, value in (("interval", "100ms"), ("multiplier", "1.1"), ("quantile", "0.4"), ("minTaskRuntime", "100ms")):
        builder = builder.config(f"spark.speculation.{name}", value)
else:
    builder = builder.remote("local[2]") if how == "connect" else builder.master("local[2,4]")
spark = builder.getOrCreate()
assert ("connect" in type(spark).__module__) == (how == "connect")


def slow(batches):
    "The first task to come here takes long; the copy that Spark starts of it meanwhile leaves a mark."
    context = TaskContext.get()
    if context.attemptNumber():
        open(f"{folder}/copied", "w").close()
    elif context.partitionId() == 0 and not os.path.exists(f"{folder}/slept"):
        open(f"{folder}/slept", "w").close()
        for _ in range(900):
            if os.path.exists(f"{folder}/copied"):
                break
            time.sleep(0.2)
    yield from batches


draw = random.Random(1)
judged = [(f"t{t}", f"d{d}", float(draw.randint(0, 3))) for t in range(9) for d in draw.sample(range(40), 15)]
listed = [(r, f"t{t}", f"d{d}", float(draw.randint(0, 9))) for r in "ab" for t in range(9)
          for d in draw.sample(range(40), 20)]
ours = spark.createDataFrame(judged, "topic string, document string, grade double")
runs = spark.createDataFrame(listed, "run string, topic string, document string, score double").repartition(4)
if how == "speculation":
    runs = runs.mapInArrow(slow, runs.schema)
per = gs.evaluate(ours, runs, ["nDCG@10", "AP", "ERR"], buckets=3)
for run, measure, values in per.scores():
    print(run, measure, *(f"{topic}={value.hex()}" for topic, value in values.items()))
for row in gs.summary(per).to_pylist():
    print(row["run"], row["measure"], row["mean"].hex())
print(gs.compare(per, baseline="a").pairs[0].p.hex())
print(gs.compare(per, baseline="a", collected=0).pairs[0].check.hex())
for name, curve in zip(("DCG", "nDCG"), gs.curves(ours, runs, ["DCG", "nDCG"], depth=9, buckets=2).curves):
    print(name, *map(float.hex, curve.values.ravel().tolist()))
logs = [(f"s{i}", 1, f"t{i}", [f"d{d}" for d in draw.sample(range(40), 9)]) for i in range(9)]
logs = spark.createDataFrame(logs, "session string, query int, topic string, ranking array<string>")
sessions = gs.evaluate_sessions(ours, logs, "nsDCG", buckets=2)
print(*map(float.hex, sessions.values.ravel().tolist()))
spark.stop()
"""


@contextmanager
def two_hosts(environment: dict[str, str], folder: Path) -> Iterator[None]:
    """A cluster of two workers under two addresses of this machine: Spark starts no copy of a task on the same host."""
    import pyspark  # noqa: PLC0415 -- only in the environment of the peers

    home = Path(pyspark.__file__).parent
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment["MASTER"] = f"spark://127.0.0.1:{port}"
    begun = [
        ["master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", "0"],
        *(
            ["worker.Worker", "--host", f"127.0.0.{i}", "--cores", "1", "--memory", "1g", "--webui-port", "0",
             "--work-dir", str(folder / f"worker{i}"), environment["MASTER"]]
            for i in (1, 2)
        ),
    ]  # fmt: skip
    with ExitStack() as stack:
        for name, *options in begun:
            process = stack.enter_context(
                subprocess.Popen(
                    [str(home / "bin" / "spark-class"), f"org.apache.spark.deploy.{name}", *options],
                    env=environment | {"SPARK_HOME": str(home)}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                )
            )  # fmt: skip
            stack.callback(process.terminate)
        yield


@pytest.mark.parametrize("how", ["connect", "twin", "speculation"])
def test_elsewhere_the_same_bits(spark: Any, how: str, tmp_path: Path) -> None:
    """Under Spark Connect, where nothing was compiled, and where Spark starts a slow task a second time.

    Each in a process of its own.
    """
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("SPARK_", "PYSPARK_"))}
    environment = clean | {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    environment |= {"GAINCURVE_PURE": "1"} if how == "twin" else {}
    with two_hosts(environment, tmp_path) if how == "speculation" else nullcontext(""):
        done = subprocess.run(
            [sys.executable, "-c", ALONE, how, str(tmp_path)],
            env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    draw = random.Random(1)
    judged = [(f"t{t}", f"d{d}", float(draw.randint(0, 3))) for t in range(9) for d in draw.sample(range(40), 15)]
    listed = [
        (r, f"t{t}", f"d{d}", float(draw.randint(0, 9)))
        for r in "ab"
        for t in range(9)
        for d in draw.sample(range(40), 20)
    ]
    alone = local(judged, listed, "nDCG@10", "AP", "ERR")
    expected = [
        " ".join([run, measure, *(f"{topic}={value.hex()}" for topic, value in sorted(values.items()))])
        for run, measure, values in alone
    ]
    expected += [
        f"{run} {measure} {mean.hex()}" for run, row in alone.summary().items() for measure, mean in row.items()
    ]
    pair = gc.compare(alone, baseline="a").pairs[0]
    expected += [pair.p.hex(), pair.check.hex()]
    ours, runs = arrow(judged, listed)
    for curve in gc.curves(ours, runs, ["DCG", "nDCG"], depth=9).curves:
        expected.append(" ".join([curve.name, *map(float.hex, curve.values.ravel().tolist())]))
    logs = {f"s{i}": [[f"d{d}" for d in draw.sample(range(40), 9)]] for i in range(9)}
    topics = {session: f"t{session[1:]}" for session in logs}
    sessions = gc.evaluate_sessions(ours, logs, "nsDCG", topics=topics)
    expected.append(" ".join(map(float.hex, sessions.values.ravel().tolist())))
    assert done.stdout.splitlines() == expected
    assert (tmp_path / "copied").exists() == (how == "speculation")


COMMANDS = {
    "eval": ["-m", "nDCG@10", "-m", "AP", "-q"],
    "compare": ["-m", "nDCG@10", "-m", "AP"],
    "curve": ["-m", "nDCG", "-m", "CG", "--depth", "12"],
}


@pytest.mark.parametrize(
    ("form", "command", "shown"),
    [("parquet", "eval", "json"), ("csv", "compare", "json"), ("trec", "eval", "tsv"), ("trec", "curve", "json"),
     ("folder", "compare", "table"), ("folder", "eval", "tsv")],
)  # fmt: skip
def test_the_command_line_prints_what_one_machine_prints(
    spark: Any, form: str, command: str, shown: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Byte by byte, on the same files; of a folder of parts one machine is given the parts as one file."""
    judged, listed = rows(topics=12)
    names = ("bm25", "dense")
    ours, _ = arrow(judged, listed)
    runs = {name: arrow(judged, [row for row in listed if row[0] == name])[1].drop(["run"]) for name in names}
    suffix = {"parquet": ".parquet", "csv": ".csv", "trec": ".txt", "folder": ".parquet"}[form]
    paths = [tmp_path / f"{name}{suffix}" for name in ("judgments", *names)]
    if form == "trec":
        comment = "# of 2026\n\t \n"
        paths[0].write_text(comment + "".join(f"\t{t} 0 {d} {g:.0f} \r\n" for t, d, g in judged))
        for name, path in zip(names, paths[1:], strict=True):
            path.write_text("".join(f"{t}\tQ0 {d} 1 {s} x\n" for r, t, d, s in listed if r == name))
    else:
        write = csv.write_csv if form == "csv" else pq.write_table
        for table, path in zip((ours, *runs.values()), paths, strict=True):
            write(table, path)
    given = paths
    if form == "folder":
        given = [tmp_path / "parts" / path.stem for path in paths]
        for path, folder in zip(paths, given, strict=True):
            spark.read.parquet(str(path)).coalesce(1).write.parquet(str(folder))
            (folder / "_SUCCESS").touch()
            (folder / ".hidden.parquet").write_text("nothing")
    printed = []
    for engine, files in (("local", paths), ("spark", given)):
        arguments = [command, *map(str, files), *COMMANDS[command], "-f", shown, "--engine", engine, "--quiet"]
        assert main(arguments) == 0, capsys.readouterr().err
        printed.append(capsys.readouterr().out)
    assert "bm25" in printed[0]
    assert printed[0] == printed[1]


def test_a_folder_of_runs_is_its_runs(spark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As on one machine: files named otherwise than parts are runs of their own, and no two have one name."""
    qrels, folder = tmp_path / "qrels.txt", tmp_path / "runs"
    folder.mkdir()
    qrels.write_text("t1 0 a 1\nt2 0 b 1\n")
    (folder / "one.run").write_text("t1 Q0 a 1 2 x\n")
    (folder / "two.run").write_text("t2 Q0 b 1 2 x\nt1 Q0 c 1 2 x\n")
    arguments = ["eval", str(qrels), "-m", "RR", "-f", "csv", "--quiet", "--engine", "spark"]
    assert main([*arguments[:2], str(folder), *arguments[2:]]) == 0
    shown = [line.split(",")[::3][:2] for line in capsys.readouterr().out.splitlines()[1:]]
    assert shown == [["one", "0.5"], ["two", "0.5"]]
    (tmp_path / "one.run").write_text("t1 Q0 a 1 2 x\n")
    assert main([*arguments[:2], str(folder), str(tmp_path / "one.run"), *arguments[2:]]) == 2
    assert "two runs are named 'one'" in capsys.readouterr().err


@pytest.mark.parametrize("column", ["name", "run"])
def test_a_column_of_names_means_in_text_what_it_means_on_one_machine(
    spark: Any, column: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    qrels, run = tmp_path / "qrels.txt", tmp_path / "run.csv"
    qrels.write_text("t1 0 a 2\nt2 0 c 1\n")
    run.write_text(f"topic,document,score,{column}\nt1,a,3,Lamp\nt1,b,2,Desk\nt2,d,3,Lamp\nt2,c,1,Desk\n")
    printed = []
    for engine in ("local", "spark"):
        assert main(["eval", str(qrels), str(run), "-f", "tsv", "--quiet", "--engine", engine]) == 0
        printed.append(sorted(capsys.readouterr().out.splitlines()))  # Spark gives the runs of a file by name
    assert printed[0] == printed[1]
    assert any("Lamp" in line for line in printed[0]) == (column == "run")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("runs.csv", "topic,document,score\nt1,a,1\nt2,b\n", "a row that does not have 3 columns: t2,b"),
        ("run.txt", "t1 Q0 a 1 2 x\nt1 Q0 b 1 2\n", "5 columns where 6 were expected"),
        ("run.txt", "t1 Q0 a 1 3f x\n", "score '3f' is not a finite number"),
        ("run.txt", "t1 0 a 1\n", "has the 4 columns of judgments"),
        ("run.jsonl", '{"topic": "t1", "document": "a", "score": 1}\n', "JSON lines, which Spark does not read"),
        ("run.txt", "# nothing\n", "only blank lines and comments"),
        ("run.parquet", "nothing", "Spark says: "),
        ("other/..", "", "no files"),
    ],
)
def test_files_that_are_no_runs(
    spark: Any, name: str, text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    qrels, run = tmp_path / "qrels.txt", tmp_path / "runs" / name
    qrels.write_text("t1 0 a 1\nt2 0 b 1\n")
    run.parent.mkdir(parents=True)
    if text:
        run.write_text(text)
    assert main(["eval", str(qrels), str(run), "--engine", "spark"]) == 2
    assert said in capsys.readouterr().err


def test_quotes_and_white_space_of_csv_are_those_of_one_machine(
    spark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    qrels, run = tmp_path / "qrels.csv", tmp_path / "run.csv"
    qrels.write_text('topic,document,grade\n1,"a ""b"" \\ c",1\n1, d ,2\n')
    run.write_text('# made by hand\ntopic,document,score\n1,"a ""b"" \\ c", 2.5\n1,d,1\n')
    printed = []
    for engine in ("local", "spark"):
        assert main(["eval", str(qrels), str(run), "-f", "tsv", "--engine", engine, "--quiet"]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]


def test_a_file_that_was_written_again_is_read_again(spark: Any, tmp_path: Path) -> None:
    """Spark keeps what it computed of an equal plan; numbers of yesterday's file would be wrong today."""
    ours, _ = frames(spark, [("t", "a", 1.0), ("t", "b", 0.0)], [("r", "t", "a", 1.0)])
    means = []
    for best in "ab":
        scores = {"a": 1.0, "b": 1.0, best: 2.0}
        path = tmp_path / "run.parquet"
        pq.write_table(arrow([("t", "a", 1.0)], [("r", "t", d, s) for d, s in scores.items()])[1], path)
        per = gs.evaluate(ours, spark.read.parquet(str(path)), "RR")
        means += gs.summary(per)["mean"].to_pylist()
    assert means == [1.0, 0.5]
