"""What Spark is there for: values that no driver takes, lists that no task takes, runs that are stopped halfway."""

from __future__ import annotations

import json
import random
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from spark_rows import Rows, arrow, frames, local, rows, same_bits

import gaincurve as gc
from gaincurve import spark as gs
from gaincurve.cli import main
from gaincurve.curve.points import Curves
from gaincurve.verbs import compare as comparing

COMPARE, CUT, DEALT = (import_module(f"gaincurve.spark.{name}") for name in ("compare", "cut", "dealt"))


@pytest.mark.parametrize(
    "choices",
    [
        {},
        {"normalise": "ratio-of-means", "gains": "exp2"},
        {"missing": "skip", "empty": "zero", "ties": "average", "depth": 7},
        {"unjudged": "condensed"},
    ],
    ids=str,
)
def test_curves_are_those_of_one_machine(spark: Any, choices: dict[str, Any]) -> None:
    judged, listed = rows(7, 30)
    ours, runs = frames(spark, judged, listed)
    same_curves(gs.curves(ours, runs, buckets=5, **choices), alone(judged, listed, **choices))


def test_the_curves_of_one_topic(spark: Any) -> None:
    judged, listed = rows(7, 12)
    ours, runs = frames(spark, judged, listed)
    expected = alone(judged, listed, measures=["DCG", "nDCG", "P"], topic="t3")
    same_curves(gs.curves(ours, runs, ["DCG", "nDCG", "P"], topic="t3", buckets=3), expected)
    with pytest.raises(gc.InputError, match="topic t99 is not judged"):
        gs.curves(ours, runs, topic="t99")


def alone(judged: Rows, listed: Rows, **choices: Any) -> Curves:
    ours, runs = arrow(judged, listed)
    return gc.curves(ours, runs, **choices)


def same_curves(ours: Curves, theirs: Curves) -> None:
    place = [theirs.runs.index(run) for run in ours.runs]
    assert ours.names == theirs.names
    for one, other in zip(ours.curves, theirs.curves, strict=True):
        assert one.values.tobytes() == other.values[place].tobytes()
        assert one.ideal.tobytes() == other.ideal.tobytes()
        assert (str(one.signature), one.axis) == (str(other.signature), other.axis)
    assert ours.stopping.by_topic == theirs.stopping.by_topic
    assert (ours.stopping.mean, ours.stopping.flat_from) == (theirs.stopping.mean, theirs.stopping.flat_from)
    if ours.topic is None:
        assert {(note.slug, note.text) for note in ours.notes} == {(note.slug, note.text) for note in theirs.notes}


@pytest.mark.parametrize(
    "choices",
    [
        {},
        {"baseline": "bm25", "min_diff": 0.1, "missing": "zero"},
        {"test": "randomisation", "draws": 3000, "seed": 5, "family": "all-measures"},
    ],
    ids=str,
)
def test_compare_from_sums_is_compare(spark: Any, choices: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """No value reaches the driver, and every number is the one that all values give: t, Holm, effects, sign flips."""
    monkeypatch.setattr(COMPARE, "TOPICS_A_RANGE", 20)
    monkeypatch.setattr(COMPARE, "SAMPLED", 5)
    judged, listed = rows(topics=75)
    measures = ["nDCG@10", "P@5", "RR"]
    rule = {"missing": "skip"} if "missing" in choices else {}
    per = gs.evaluate(*frames(spark, judged, listed), measures, buckets=3, **rule)
    monkeypatch.setattr(type(per), "scores", None)
    ours = gs.compare(per, collected=0, **choices)
    expected = gc.compare(local(judged, listed, *measures, **rule), **choices)
    for mine, theirs in zip(ours.families, expected.families, strict=True):
        assert [pair.to_dict() | pair_of_documents for pair in mine.pairs] == [
            pair.to_dict() | pair_of_documents for pair in theirs.pairs
        ]
        assert (mine.means, mine.words, mine.methods, mine.groups) == (
            theirs.means, theirs.words, theirs.methods, theirs.groups,
        )  # fmt: skip
    with pytest.raises(gc.ChoiceError, match="'t' or 'randomisation'"):
        monkeypatch.setattr(COMPARE, "MOST_VALUES", 10)
        gs.compare(per, "wilcoxon", collected=0)


pair_of_documents = dict.fromkeys(("judged_low", "judged_high", "judged_p", "judged_a", "judged_b", "certain",
                                   "decided_by_ties"))  # fmt: skip
"""What unjudged documents could change: on Spark the documents stay where they are."""


def long_list(topic: str, documents: int, seed: int = 1) -> Rows:
    """A list with scores that many documents share."""
    draw = random.Random(seed)
    return [("bm25", topic, f"d{i}", float(draw.randint(0, documents // 3))) for i in range(documents)]


def test_a_long_list_is_cut_and_no_value_changes(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists are cut to rank 10 and what is tied with it, the longest in 40 salts; retrieved counts are whole."""
    judged, listed = rows(topics=12)
    measures = ["nDCG@10", "P@5", "DCG@7", "RR@3"]
    listed = [row for row in listed if row[:2] != ("bm25", "t1")] + long_list("t1", 2000)
    expected = local(judged, listed, *measures)
    for name, value in (("LONG", 200), ("SALT_ROWS", 50)):
        monkeypatch.setattr(CUT, name, value)
    monkeypatch.setattr(DEALT, "LONG_ENOUGH", 20)
    ours, runs = frames(spark, judged, listed)
    longest = CUT.cut(runs.select("run", "topic", "document", "score"), 10, "trec", 2000)
    assert longest.where("topic = 't1' and run = 'bm25'").count() < 100
    per = gs.evaluate(ours, runs, measures, buckets=3)
    same_bits(expected, per.scores())
    assert {note.text for note in per.notes} == {note.text for note in expected.notes}
    with pytest.raises(gc.InputError) as caught:  # beyond every rank that counts
        gs.evaluate(*frames(spark, judged, [*listed, ("bm25", "t1", "x", -5.0), ("bm25", "t1", "x", -6.0)]), measures)
    assert caught.value.slug == "run-duplicate-document"
    with pytest.raises(gc.InputError) as caught:
        gs.evaluate(*frames(spark, judged, [*listed, ("bm25", "t1", "x", float("-inf"))]), measures)
    assert caught.value.slug == "run-score"


def test_a_list_that_is_needed_whole_and_too_long_is_refused(spark: Any) -> None:
    judged, listed = rows(topics=12)
    ours, runs = frames(spark, judged, listed + [("bm25", "t99", f"d{i}", float(i)) for i in range(3000)])
    with pytest.raises(gc.ChoiceError, match="its longest topic is t99 with 3 000 rows") as caught:
        gs.evaluate(ours, runs, "AP", most_rows=2500, buckets=4)
    assert caught.value.slug == "spark-bucket"


def test_duplicates_first_keeps_the_place_ranked_first(spark: Any) -> None:
    judged, listed = rows(topics=6)
    twice = [*listed, *((run, topic, document, score - 1) for run, topic, document, score in listed[::7])]
    ours, runs = frames(spark, [*judged, *judged[::5]], twice)
    per = gs.evaluate(ours, runs, ["nDCG@10", "AP"], duplicates="first", buckets=3)
    same_bits(local(judged, listed, "nDCG@10", "AP"), per.scores())
    dropped = {note.text for note in per.notes if note.slug == "duplicates-dropped"}
    assert f"judgments: {len(judged[::5])} repeated judgments left out" in dropped
    again = [("bm25", "t1", "a", 1.0)]
    with pytest.raises(gc.InputError) as caught:  # two grades for one document: neither is the first
        gs.evaluate(*frames(spark, [("t1", "a", 1.0), ("t1", "a", 2.0)], again), "AP", duplicates="first")
    assert caught.value.slug == "judgments-duplicate-document"


def test_what_was_stopped_goes_on_and_what_is_other_is_refused(spark: Any, tmp_path: Path) -> None:
    """Values stand bucket by bucket; a missing bucket is computed again, the others are read."""
    judged, listed = rows(topics=20)
    ours, runs = frames(spark, judged, listed)
    folder = tmp_path / "values"
    (folder / "choices" / "_temporary").mkdir(parents=True)  # stopped before anything was written
    expected = local(judged, listed, "nDCG@10", "AP")
    choices: dict[str, Any] = {"measures": ["nDCG@10", "AP"], "buckets": 6, "out": str(folder)}
    same_bits(expected, gs.evaluate(ours, runs, **choices).scores())
    buckets = sorted((folder / "values").glob("bucket=*"))
    assert len(buckets) == 6
    parts = {part: part.stat().st_mtime_ns for bucket in buckets[1:] for part in bucket.glob("*.parquet")}
    for part in buckets[0].iterdir():
        part.unlink()
    buckets[0].rmdir()
    per = gs.evaluate(ours, runs, **choices)
    same_bits(expected, per.scores())
    assert parts == {part: part.stat().st_mtime_ns for part in parts}
    made = json.loads(next((folder / "choices").glob("part-*")).read_text())
    assert made["buckets"] == "6"
    for other, message in (
        ({"gains": "exp2"}, "other measures"),
        ({"buckets": 7}, "other buckets: 6, and now 7"),
        ({"duplicates": "first"}, "other duplicates"),
    ):
        with pytest.raises(gc.InputError, match=message):
            gs.evaluate(ours, runs, **{**choices, **other})
    with pytest.raises(gc.InputError, match="other rows of runs"):
        gs.evaluate(ours, runs.withColumn("score", runs.score + 1), **choices)


def sessions(systems: tuple[str, ...] = ("a", "b"), count: int = 30, seed: int = 4) -> list[dict[str, Any]]:
    """Records of sessions of one to four queries, some empty, some on a topic that nobody judged."""
    draw = random.Random(seed)
    shapes = [(f"s{s}", f"t{draw.randint(0, 9)}", f"u{s % 7}", draw.randint(1, 4)) for s in range(count)]
    return [
        {"session": session, "query": query, "topic": topic, "user": user, "system": system,
         "ranking": [f"d{d}" for d in draw.sample(range(60), draw.choice([0, 5, 12]))]}
        for system in systems
        for session, topic, user, length in shapes
        for query in range(1, length + 1)
    ]  # fmt: skip


RECORD = "session string, query int, topic string, user string, system string, ranking array<string>"


@pytest.mark.parametrize(
    "choices",
    [
        {},
        {"by": "user", "horizon": "longest"},
        {"average": "ratio-of-means", "bq": 2, "repeats": "first"},
        {"gains": "exp2", "depth": 5, "unjudged": "condensed"},
    ],
    ids=str,
)
def test_sessions_are_those_of_one_machine(spark: Any, choices: dict[str, Any]) -> None:
    judged = rows(seed=6, topics=8)[0]
    records = sessions()
    expected = gc.evaluate_sessions(arrow(judged, [("r", "t", "d", 1.0)])[0], records, ["sDCG", "nsDCG"], **choices)
    random.Random(1).shuffle(records)
    logs = spark.createDataFrame(records, RECORD)
    ours = gs.evaluate_sessions(frames(spark, judged, [("r", "t", "d", 1.0)])[0], logs, ["sDCG", "nsDCG"],
                                buckets=5, **choices)  # fmt: skip
    same_sessions(ours, expected)
    pairs = [comparing.compare(scores, unit="user").pairs[0].to_dict() for scores in (ours, expected)]
    assert pairs[0] == pairs[1]


def same_sessions(ours: gc.Scores, expected: gc.Scores) -> None:
    order = [expected.units.index(unit) for unit in ours.units]
    assert sorted(ours.units) == sorted(expected.units)
    assert ours.values.tobytes() == expected.values[:, :, order].tobytes()
    assert ours.summary() == expected.summary()
    assert ours.groups == expected.groups
    assert list(map(str, ours.signatures)) == list(map(str, expected.signatures))
    assert (ours.design, ours.kind) == (expected.design, expected.kind)
    assert {note.slug for note in ours.notes} == {note.slug for note in expected.notes}


def test_logs_in_long_form_of_systems_with_sessions_of_their_own(spark: Any) -> None:
    judged = rows(seed=6, topics=10)[0]
    long = [
        {"sid": record["session"] + record["system"], **{role: record[role] for role in ("query", "topic")},
         "document": document, "rank": rank}
        for record in sessions()
        for rank, document in enumerate(record["ranking"], 1)
    ]  # fmt: skip
    by_system = {name: [row for row in long if row["sid"].endswith(name)] for name in "ab"}
    judgments = arrow(judged, [("r", "t", "d", 1.0)])[0]
    schema = "sid string, query int, topic string, document string, rank int"
    frames_by_system = {name: spark.createDataFrame(rows, schema) for name, rows in by_system.items()}
    with pytest.raises(gc.InputError, match="has no column 'session'"):
        gs.evaluate_sessions(spark.createDataFrame(judgments), frames_by_system)
    fields = {"session": "sid"}
    for rows_of in by_system.values():  # a log in which a query returned nothing has a gap in its numbers
        renumber(rows_of)
    frames_by_system = {name: spark.createDataFrame(rows, schema) for name, rows in by_system.items()}
    expected = gc.evaluate_sessions(judgments, by_system, fields=fields)
    ours = gs.evaluate_sessions(spark.createDataFrame(judgments), frames_by_system, fields=fields, buckets=4)
    assert ours.design == "unpaired"
    same_sessions(ours, expected)


def renumber(rows_of: list[dict[str, Any]]) -> None:
    """Queries 1, 2, … in every session."""
    numbers: dict[str, dict[int, int]] = {}
    for row in rows_of:
        own = numbers.setdefault(row["sid"], {})
        row["query"] = own.setdefault(row["query"], len(own) + 1)


def test_broken_sessions_are_refused_with_their_place(spark: Any) -> None:
    judged = frames(spark, rows(topics=3)[0], [("r", "t", "d", 1.0)])[0]
    records = sessions(("a",))
    twice = [*records, {**records[0]}]
    with pytest.raises(gc.InputError) as caught:
        gs.evaluate_sessions(judged, spark.createDataFrame(twice, RECORD))
    assert "s0" in str(caught.value)
    elsewhere = [{**record, "topic": "x9"} for record in records]
    with pytest.raises(gc.InputError) as caught:
        gs.evaluate_sessions(judged, spark.createDataFrame(elsewhere, RECORD))
    assert caught.value.slug == "topics-disjoint"


def test_the_command_session_prints_what_one_machine_prints(
    spark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    judged = rows(seed=6, topics=8)[0]
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("".join(f"{topic} 0 {document} {grade:.0f}\n" for topic, document, grade in judged))
    logs = []
    for name in "ab":
        records = sorted(sessions((name,)), key=lambda record: (record["session"], record["query"]))
        logs.append(tmp_path / f"{name}.jsonl")
        logs[-1].write_text("".join(json.dumps({**record, "system": name}) + "\n" for record in records))
    for command in (["session", "-f", "tsv", "-q"], ["session", "--show", "lengths", "-f", "tsv"],
                    ["compare", "-m", "nsDCG", "--unit", "user", "-f", "tsv"]):  # fmt: skip
        printed = []
        for engine in ("local", "spark"):
            arguments = [command[0], str(qrels), *map(str, logs), *command[1:], "--engine", engine, "--quiet"]
            assert main(arguments) == 0, capsys.readouterr().err
            printed.append(capsys.readouterr().out)
        assert printed[0] == printed[1]
