"""Efficiency numbers against plain loops, the standard library and arithmetic by hand; joining logs with scores."""

from __future__ import annotations

import json
import math
import statistics
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gaincurve as gc
from gaincurve.demo.experiment import make_logs
from gaincurve.model.efficiency.costs import NUMBERS, latency_numbers
from gaincurve.model.efficiency.records import efficiency_of

JUDGMENTS = {"q1": {"a": 1}, "q2": {"a": 1}}
RUNS = {  # nDCG: 1 and 1, 1/log2(3) and 1, 0 and 1/log2(3)
    "good": {"q1": ["a"], "q2": ["a"]},
    "fair": {"q1": ["x", "a"], "q2": ["a"]},
    "poor": {"q1": ["x"], "q2": ["x", "a"]},
}
L = math.log2(3)
INDEX = {"indexing_s": 812, "index_bytes": 300, "text_bytes": 1200}
LOAD = {"queries": 10_000, "wall_s": 40.0, "threads": 8}


def queries(*latencies: float, topic: str = "q1") -> list[dict[str, Any]]:
    return [{"topic": topic, "latency_ms": latency} for latency in latencies]


def log(*records: dict[str, Any], name: str = "good") -> gc.Efficiency:
    return efficiency_of(list(records), name)


def both_topics(latency: float) -> list[dict[str, Any]]:
    return queries(latency) + queries(latency, topic="q2")


def scores(*measures: str) -> gc.Scores:
    return gc.evaluate(JUDGMENTS, RUNS, list(measures) or ["nDCG@10"])


def percentile(values: list[float], share: float) -> float:
    """The definition written out: between the two values around place (n - 1)·share, counted from 0."""
    ordered, place = sorted(values), (len(values) - 1) * share
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


class TestLatency:
    def test_by_hand(self) -> None:
        found = latency_numbers(np.array([40.0, 10.0, 30.0, 20.0]))
        assert found["latency_mean_ms"] == 25
        assert found["latency_median_ms"] == 25
        assert found["latency_p95_ms"] == pytest.approx(38.5)  # place 2.85: 30 + 0.85 · 10
        assert found["latency_p99_ms"] == pytest.approx(39.7)  # place 2.97

    @given(st.lists(st.floats(0, 1e6), min_size=1, max_size=300))
    def test_against_a_loop_and_numpy(self, values: list[float]) -> None:
        found = latency_numbers(np.array(values))
        for name, share in (("median", 0.5), ("p95", 0.95), ("p99", 0.99)):
            told = found[f"latency_{name}_ms"]
            assert told == pytest.approx(percentile(values, share), rel=1e-12, abs=1e-9)
            assert told == np.percentile(values, 100 * share, method="linear")
        assert found["latency_mean_ms"] == math.fsum(values) / len(values)
        assert found["latency_median_ms"] == pytest.approx(statistics.median(values), rel=1e-12)

    @given(st.lists(st.floats(0, 1e6), min_size=2, max_size=300))
    def test_against_the_standard_library(self, values: list[float]) -> None:
        cuts = statistics.quantiles(values, n=100, method="inclusive")
        found = latency_numbers(np.array(values))
        assert found["latency_p95_ms"] == pytest.approx(cuts[94], rel=1e-12, abs=1e-9)
        assert found["latency_p99_ms"] == pytest.approx(cuts[98], rel=1e-12, abs=1e-9)

    def test_one_measurement_is_all_of_them_and_none_is_undefined(self) -> None:
        assert set(latency_numbers(np.array([7.5])).values()) == {7.5}
        assert all(math.isnan(value) for value in latency_numbers(np.zeros(0)).values())

    def test_every_measurement_counts_once_not_every_topic(self) -> None:
        found = log(*queries(10, 10, 10), *queries(50, topic="q2"))
        assert found.values()["latency_mean_ms"] == 20
        assert found.topics_measured == ("q1", "q2")
        assert found.by_topic()["q1"]["latency_mean_ms"] == 10
        assert found.by_topic()["q2"]["latency_p99_ms"] == 50


class TestOtherNumbers:
    def test_throughput_of_a_load(self) -> None:
        assert log(LOAD, *queries(1000)).throughput == 250

    def test_throughput_of_one_query_after_the_other(self) -> None:
        assert log(*queries(10, 30)).throughput == 50  # 2 queries in 40 ms

    def test_space_overhead(self) -> None:
        assert log(INDEX).space_overhead == 0.25

    @pytest.mark.parametrize("key", list(INDEX))
    def test_an_index_record_may_tell_one_thing_only(self, key: str) -> None:
        found = log({key: 5})
        assert getattr(found, key) == 5
        assert math.isnan(found.space_overhead)
        assert math.isnan(found.throughput)

    @pytest.mark.parametrize("records", [queries(0, 0), queries(5e-324)])
    def test_a_quotient_without_a_value_is_undefined(self, records: list[dict[str, Any]]) -> None:
        assert math.isnan(log(*records).throughput)

    def test_numpy_numbers_are_numbers(self) -> None:
        record = {"topic": np.int64(7), "latency_ms": np.float32(2.5)}
        found = log(record, {"index_bytes": np.int64(4), "text_bytes": 8.0})
        assert (found.topics, found.latencies.tolist(), found.space_overhead) == (("7",), [2.5], 0.5)

    def test_what_was_not_recorded_is_null_in_json(self) -> None:
        found = json.loads(json.dumps(log({"index_bytes": 5}).to_dict(), allow_nan=False))
        assert found["index_bytes"] == 5
        assert found["load"] is None
        assert {name for name in NUMBERS if found[name] is None} == set(NUMBERS) - {"index_bytes"}

    def test_json_tells_what_the_numbers_are_made_of(self) -> None:
        found = log(INDEX, LOAD, *queries(10, 20), *queries(60, topic="q2")).to_dict(topics=True)
        assert (found["measurements"], found["topics_measured"], found["text_bytes"]) == (3, 2, 1200)
        assert found["load"] == LOAD
        assert found["topics"]["q1"]["latency_mean_ms"] == 15  # type: ignore[index]

    def test_signatures(self) -> None:
        version = f"gaincurve:{gc.__version__}"
        timed, loaded = log(*queries(1, 2, 3)), log(LOAD)
        assert timed.signature("latency_p95_ms") == (
            f"latency_p95_ms|over:measurements|percentile:linear|measurements:3|{version}"
        )
        assert timed.signature("latency_mean_ms") == f"latency_mean_ms|over:measurements|measurements:3|{version}"
        assert timed.signature("throughput_qps") == f"throughput_qps|from:latencies|measurements:3|{version}"
        assert loaded.signature("throughput_qps") == f"throughput_qps|from:load|queries:10000|threads:8|{version}"

    def test_repr_tells_the_size(self) -> None:
        assert repr(log(INDEX, *queries(1, 2))) == "Efficiency('good', 2 measurements, 1 topic, index)"


class TestTradeoff:
    def test_rows_join_by_name(self) -> None:
        found = gc.tradeoff(scores(), {"poor": [*queries(1), INDEX], "good": queries(9)})
        rows = {row["run"]: row for row in found.rows()}
        assert list(rows) == ["good", "fair", "poor"]
        assert list(rows["good"]) == ["run", "nDCG@10", *NUMBERS]
        assert (rows["good"]["nDCG@10"], rows["good"]["latency_median_ms"]) == (1, 9)
        assert rows["poor"]["nDCG@10"] == pytest.approx(1 / L / 2)
        assert rows["poor"]["space_overhead"] == 0.25
        assert math.isnan(float(rows["fair"]["latency_mean_ms"]))

    def test_one_log_and_a_list_of_logs(self) -> None:
        one = log(*queries(3))
        assert gc.tradeoff(scores(), one).rows()[0] == pytest.approx(
            gc.tradeoff(scores(), [one]).rows()[0], nan_ok=True
        )

    def test_neither_a_run_nor_a_log_is_lost(self) -> None:
        found = gc.tradeoff(scores(), {"goood": queries(3), "poor": queries(4)})
        assert found.systems == ("good", "fair", "poor", "goood")
        assert found.rows()[3]["latency_mean_ms"] == 3
        assert math.isnan(float(found.rows()[3]["nDCG@10"]))
        told = {note.slug: note.sentence() for note in found.notes}
        assert told["efficiency-log-missing"] == "runs good, fair: no efficiency log, so no cost is shown"
        assert "no run is called goood (did you mean good?)" in told["efficiency-run-missing"]
        assert [point.name for point in found.points()] == ["poor"]

    def test_notes_about_the_measurements(self) -> None:
        found = gc.tradeoff(scores(), {"good": [*queries(3), *queries(4, topic="q9")], "fair": [INDEX], "poor": [LOAD]})
        told = [str(note) for note in found.notes]
        assert "note[efficiency-few]: run good: 101 measurements or fewer: p99 lies between the two slowest" in told
        assert (
            "note[efficiency-serial]: run good: no load record: queries/s is one query after the other, n / Σ latency"
            in told
        )
        assert "note[efficiency-topics]: run good: 1 judged topic without a latency: q2" in told
        assert "note[efficiency-topics]: run good: 1 topic with a latency but no judgments: q9" in told
        assert (
            "note[efficiency-no-latency]: runs fair, poor: the log has no query records, so latency is undefined"
            in told
        )

    @pytest.mark.parametrize(("count", "few"), [(101, True), (102, False)])
    def test_few_measurements_are_told_just_where_p99_lies_between_the_two_slowest(self, count: int, few: bool) -> None:
        values = [float(i) for i in range(count)]
        assert (percentile(values, 0.99) >= count - 2) == few
        found = gc.tradeoff(scores(), {"good": queries(*values)})
        assert ("efficiency-few" in {note.slug for note in found.notes}) == few

    def test_a_complete_log_needs_no_note(self) -> None:
        logs = {name: [*both_topics(5) * 60, LOAD] for name in RUNS}
        assert gc.tradeoff(scores(), logs).notes == scores().notes

    @pytest.mark.parametrize(
        ("latencies", "unbeaten"),
        [
            ({"good": 30, "fair": 20, "poor": 10}, ["good", "fair", "poor"]),
            ({"good": 10, "fair": 20, "poor": 30}, ["good"]),
            ({"good": 10, "fair": 10, "poor": 10}, ["good"]),
            ({"good": 30, "fair": 10, "poor": 20}, ["good", "fair"]),
        ],
    )
    def test_unbeaten(self, latencies: dict[str, float], unbeaten: list[str]) -> None:
        found = gc.tradeoff(scores(), {name: both_topics(latency) for name, latency in latencies.items()})
        assert found.best() == unbeaten
        assert found.to_dict()["tradeoff"] == {
            "measure": "nDCG@10",
            "latency": "latency_median_ms",
            "unbeaten": unbeaten,
        }

    def test_equals_are_both_unbeaten(self) -> None:
        runs = {"one": RUNS["good"], "two": RUNS["good"]}
        found = gc.tradeoff(gc.evaluate(JUDGMENTS, runs), {"one": both_topics(1), "two": both_topics(1)})
        assert found.best() == ["one", "two"]

    def test_lower_is_better_for_some_measures(self) -> None:
        found = gc.tradeoff(scores(), {name: both_topics(1) for name in RUNS})
        turned = type(found)(found.scores, found.logs, "lower", found.notes)
        assert (found.best(), turned.best()) == (["good"], ["poor"])

    def test_json_adds_to_the_shape_of_scores(self) -> None:
        found = gc.tradeoff(scores(), {"good": queries(3)})
        whole, plain = found.to_dict(topics=True), scores().to_dict(topics=True)
        assert {key: whole[key] for key in plain} == plain
        assert set(whole) - set(plain) == {"efficiency", "tradeoff"}
        assert found.inputs[-1].rows == 1

    def test_two_logs_of_one_name(self) -> None:
        with pytest.raises(gc.InputError) as refused:
            gc.tradeoff(scores(), [log(*queries(1)), log(*queries(2))])
        assert refused.value.slug == "efficiency-name-twice"

    @pytest.mark.parametrize(
        "logs", [[queries(1)], {"good": "log.jsonl"}, {"good": {"topic": "1"}}, {"good": [7]}, [7]]
    )
    def test_other_objects_are_refused(self, logs: Any) -> None:
        with pytest.raises(gc.InputError) as refused:
            gc.tradeoff(scores(), logs)
        assert refused.value.slug == "efficiency-record"


def test_the_demos_logs_are_the_same_each_time_and_complete() -> None:
    made = make_logs()
    assert made == make_logs() != make_logs(1)
    for name, text in made.items():
        found = log(*map(json.loads, text.splitlines()), name=name)
        assert (len(found.latencies), len(found.topics_measured)) == (150, 50)
        assert not [number for number, value in found.values().items() if math.isnan(value)]
