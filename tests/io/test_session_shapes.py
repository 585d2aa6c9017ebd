"""Other people's session logs: every shape of one log gives the same numbers, and what is nearly a log is named."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import gaincurve as gc
from gaincurve.errors import GaincurveError
from gaincurve.files.evaluate import evaluate_session_files
from gaincurve.model.sessions.times import idle_text

QRELS = "7 0 a 3\n7 0 b 2\n7 0 c 1\n7 0 n 0\n9 0 a 1\n9 0 e 2\n"
START = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
QUERIES: list[dict[str, Any]] = [
    {"session": "1", "query": 1, "topic": "7", "user": "u1", "text": "fish", "ranking": ["x", "b", "a"],
     "clicks": ["b"]},
    {"session": "1", "query": 2, "topic": "7", "user": "u1", "text": "chips", "ranking": [], "clicks": []},
    {"session": "1", "query": 3, "topic": "7", "user": "u1", "text": "both", "ranking": ["c", "a"], "clicks": ["a"]},
    {"session": "2", "query": 1, "topic": "9", "user": "u2", "text": "eel", "ranking": ["e", "n"], "clicks": []},
]  # fmt: skip


def stamped(minutes: tuple[int, ...] = (0, 10, 20, 5)) -> list[dict[str, Any]]:
    """The queries with times in place of numbers."""
    return [
        {key: value for key, value in record.items() if key != "query"}
        | {"time": (START + timedelta(minutes=minute)).isoformat()}
        for record, minute in zip(QUERIES, minutes, strict=True)
    ]


def lines(records: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def long_form(delimiter: str) -> str:
    rows = [["session", "query", "topic", "user", "text", "document", "rank", "clicked"]]
    for record in QUERIES:
        shared = [str(record[key]) for key in ("session", "query", "topic", "user", "text")]
        documents = list(enumerate(record["ranking"], 1))
        rows += [[*shared, doc, str(rank), str(int(doc in record["clicks"]))] for rank, doc in reversed(documents)]
        rows += [[*shared, "", "", ""]] * (not documents)
    return "".join(delimiter.join(row) + "\n" for row in rows)


def ubi(records: list[dict[str, Any]]) -> tuple[str, str]:
    queries, events = [], []
    for i, record in enumerate(records):
        query = {"query_id": f"q{i}", "client_id": record["user"], "user_query": record["text"], "query": "{}",
                 "query_response_id": f"r{i}", "timestamp": record["time"],
                 "query_response_hit_ids": record["ranking"] or None,
                 "query_attributes": {"topic": record["topic"]}}  # fmt: skip
        queries.append({"_index": "ubi_queries", "_id": str(i), "_source": query})
        shared = {"query_id": f"q{i}", "client_id": record["user"], "session_id": record["session"]}
        events.append({**shared, "action_name": "on_search"})
        for click in record["clicks"]:
            events.append({**shared, "action_name": "item_click", "event_attributes": {"object": {"object_id": click}}})
    return lines(queries), lines(events)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "q").write_text(QRELS)
    return tmp_path


def scored(home: Path, *files: str, **choices: Any) -> Any:
    return evaluate_session_files(home / "q", [home / name for name in files], ["sDCG", "nsDCG"], **choices)


def refused(home: Path, text: str, name: str = "x.jsonl", **choices: Any) -> str:
    (home / name).write_text(text)
    with pytest.raises(GaincurveError) as caught:
        scored(home, name, **choices)
    return str(caught.value)


def test_every_shape_of_one_log_gives_the_same_bits(home: Path) -> None:
    shuffled = [stamped()[i] for i in (2, 0, 3, 1)]
    renamed = [{**r, "session_id": r["session"], "results": r["ranking"]} for r in QUERIES]
    for record in renamed:
        del record["session"], record["ranking"]
    queries, events = ubi(stamped())
    files: dict[str, tuple[str, dict[str, Any]]] = {
        "lines.jsonl": (lines(QUERIES), {}),
        "array.json": (json.dumps(QUERIES, indent=1), {}),
        "long.csv": (long_form(","), {}),
        "long.tsv": (long_form("\t"), {}),
        "times.jsonl": (lines(shuffled), {}),
        "renamed.jsonl": (lines(renamed), {"fields": {"session": "session_id", "ranking": "results"}}),
    }
    for name, (text, _) in files.items():
        (home / name).write_text(text)
    (home / "ubi_queries.ndjson").write_text(queries)
    (home / "ubi_events.ndjson").write_text(events)
    results = [scored(home, name, scan="clicks", **choices) for name, (_, choices) in files.items()]
    fields = {"topic": "query_attributes.topic"}
    results.append(scored(home, "ubi_queries.ndjson", "ubi_events.ndjson", scan="clicks", fields=fields))
    judgments = gc.read_judgments(home / "q")
    results += [gc.evaluate_sessions(judgments, given, scan="clicks") for given in (QUERIES, {"mine": QUERIES})]
    first = results[0]
    # by hand, clicks cut the lists at 2, 0 and 2 documents, no click leaves it whole: 2/2 + (1 + 3/2)/(1 + log4 3)
    assert first.values[0, 0].tolist() == pytest.approx([1 + 2.5 / (1 + 0.7924812503605781), 2.0])
    for result in results[1:]:
        assert dict(zip(result.units, result.values[0].T.tolist(), strict=True)) == dict(
            zip(first.units, first.values[0].T.tolist(), strict=True)
        )
        assert list(map(str, result.signatures)) == list(map(str, first.signatures))


def test_a_system_field_splits_systems(home: Path) -> None:
    other = [{**record, "ranking": ["a"], "clicks": []} for record in QUERIES]
    both = [{**r, "system": "one"} for r in QUERIES] + [{**r, "system": "two"} for r in other]
    (home / "both.jsonl").write_text(lines(both))
    (home / "one.jsonl").write_text(lines(QUERIES))
    (home / "two.jsonl").write_text(lines(other))
    together, apart = scored(home, "both.jsonl"), scored(home, "one.jsonl", "two.jsonl")
    assert together.runs == apart.runs == ("one", "two")
    assert together.values.tolist() == apart.values.tolist()
    assert together.design == "paired"
    del both[0]["system"]
    assert "no 'system', and others have" in refused(home, lines(both))


@pytest.mark.parametrize(
    ("minutes", "names"),
    [((0, 30, 60, 5), ("1", "2")), ((0, 30, 61, 5), ("1#1", "1#2", "2"))],
    ids=["exactly-at-the-limit", "a-minute-longer"],
)
def test_idle_time_cuts_sessions_and_is_signed(home: Path, minutes: tuple[int, ...], names: tuple[str, ...]) -> None:
    (home / "log.jsonl").write_text(lines(stamped(minutes)))
    result = scored(home, "log.jsonl", idle="30m")
    assert result.units == names
    assert "|idle:30m|" in str(result.signatures[0])
    assert "idle" not in str(scored(home, "log.jsonl").signatures[0])
    assert scored(home, "log.jsonl", idle="0.5h").signatures == result.signatures
    if len(names) == 3:  # the third query is the first of a session of its own: 1 + 3/2, not discounted
        assert result.values[0, 0, 1] == pytest.approx(2.5)


def test_idle_time_makes_sessions_of_users(home: Path) -> None:
    records = stamped((0, 10, 90, 5))
    for record in records:
        del record["session"]
    (home / "log.jsonl").write_text(lines(records))
    assert scored(home, "log.jsonl", idle="30m").units == ("u1#1", "u1#2", "u2")


def test_time_zones_are_taken_into_account(home: Path) -> None:
    records = stamped()[:2]
    records[0]["time"], records[1]["time"] = "2026-03-01T10:00:00+02:00", "2026-03-01T09:00:00Z"  # 8:00 and 9:00 UTC
    (home / "log.jsonl").write_text(lines(records))
    assert gc.read_sessions(home / "log.jsonl").sessions.texts == ("fish", "chips")
    records[1]["time"] = "2026-03-01T09:00:00"
    assert "a time without time zone" in refused(home, lines(records))
    records[1]["time"] = 12.5
    assert "is a number" in refused(home, lines(records))
    records[1]["time"] = "soon"
    assert "time 'soon' is neither" in refused(home, lines(records))
    assert "--idle needs the time" in refused(home, lines(QUERIES), idle="30m")


def test_idle_is_spelt_one_way() -> None:
    assert [idle_text(text) for text in ("30m", "1800s", "0.5h", "24h", "1.5s")] == ["30m", "30m", "30m", "1d", "1.5s"]
    for text in ("30", "m", "0m", "-1h"):
        with pytest.raises(GaincurveError, match="--idle cannot be"):
            idle_text(text)


def test_unknown_keys_are_reported(home: Path) -> None:
    records = [{key: value for key, value in r.items() if key != "clicks"} | {"click": [], "page": 1} for r in QUERIES]
    (home / "log.jsonl").write_text(lines(records))
    notes = {note.slug: note for note in scored(home, "log.jsonl").notes}
    assert "did you mean 'clicks'?" in notes["fields-misspelt"].text
    assert notes["fields-misspelt"].loud
    assert notes["fields-unused"].text.endswith("keys that are not used: page")


@pytest.mark.parametrize(
    ("qrels", "signed"), [("1 0 a 3\n2 0 e 1\n", "topic"), ("1_1 0 a 3\n1_3 0 a 1\n2_1 0 e 1\n", "query")]
)
def test_a_log_whose_session_or_query_is_judged_scores_as_the_run_does(home: Path, qrels: str, signed: str) -> None:
    (home / "q").write_text(qrels)
    records = [{key: r[key] for key in ("session", "query", "ranking")} for r in QUERIES]
    (home / "log.jsonl").write_text(lines(records))
    run = [f"{r['session']}_{r['query']} Q0 {d} {i} {-i} r\n" for r in QUERIES for i, d in enumerate(r["ranking"], 1)]
    (home / "r.run").write_text("".join(run))
    log, trec = scored(home, "log.jsonl"), scored(home, "r.run", gaps="empty")
    assert log.values.tolist() == trec.values.tolist()
    assert f"judged-by:{signed}" in str(log.signatures[0])


def test_an_incomplete_map_is_one_message(home: Path) -> None:
    (home / "map").write_text("2\t9\n")
    records = [{"session": s, "query": 1, "ranking": ["a"]} for s in ("1", "2", "3")]
    message = refused(home, lines(records), topics=home / "map")
    assert message.count("error[") == 1
    assert "2 sessions have no topic: 1, 3" in message


NEARLY = {
    "renamed": (lines([{"session_id": "1", "turn": 1, "results": ["a"]}]),
                "--fields query=turn,ranking=results,session=session_id"),
    "array": (json.dumps([{"session_id": "1", "query": 1, "ranking": ["a"]}]), "--fields session=session_id"),
    "other": (lines([{"level": "info", "message": "started"}]), "a session log has one query a record"),
    "events": (ubi(stamped())[1], "give ubi_queries beside ubi_events"),
    "empty": ("[]", "has no queries"),
    "null": (lines([{**QUERIES[0], "session": None}]), "the record has no 'session'"),
    "type": (lines([{**QUERIES[0], "ranking": "a b"}]), "the ranking is text, not a list"),
    "header": ("session_id,query,doc_id\n1,1,a\n", "--fields document=doc_id,session=session_id"),
    "rank": ("session,query,topic,document,rank\n1,1,7,a,1\n1,1,7,b,1\n", "has rank 1 twice"),
    "topic": ("session,query,topic,document\n1,1,7,a\n1,1,9,b\n", "topic '9' here, '7' in another row"),
    "ragged": ("session,query,topic,document\n1,1,7\n", "3 fields where the header has 4"),
}  # fmt: skip


@pytest.mark.parametrize("name", NEARLY)
def test_nearly_right_logs_get_a_message_that_helps(home: Path, name: str) -> None:
    text, expected = NEARLY[name]
    assert expected in refused(home, text)


def test_fields_that_no_record_has_are_refused(home: Path) -> None:
    message = refused(home, lines(QUERIES), fields={"session": "sesion"})
    assert "no record has 'sesion' for the session (did you mean session?)" in message


def test_objects_of_python() -> None:
    judged = {"1": {"a": 3, "b": 2}}
    plain = gc.evaluate_sessions(judged, {"1": [["b", "a"], []]}, "sDCG")
    assert plain.summary() == {"sessions": {"sDCG": 2 + 3 / 2}}
    given = [{"session": "s", "query": 1, "ranking": ["a"]}]
    assert gc.evaluate_sessions(judged, given, "sDCG", topics={"s": "1"}).summary()["sessions"]["sDCG"] == 3

    class Frame:
        columns = ("session", "query", "document")

        def itertuples(self, index: bool, name: None) -> Any:
            return iter([("1", 1, "b"), ("1", 1, "a"), ("1", 2, None)])

    assert gc.evaluate_sessions(judged, Frame(), "sDCG").values.tolist() == plain.values.tolist()
    refusals = [("log.jsonl", "read_sessions"), (7, "cannot be made from int"), ([7], "is not a record"),
                (given[0], "single record"), ([], "has no queries"), ({"a": 3}, "cannot be made")]  # fmt: skip
    for broken, expected in refusals:
        with pytest.raises(GaincurveError, match=expected):
            gc.evaluate_sessions(judged, broken, "sDCG")


def test_an_incomplete_map_of_a_run_is_one_message(home: Path) -> None:
    (home / "map").write_text("2\t9\n")
    message = refused(home, "1_1 Q0 a 1 9 r\n2_1 Q0 a 1 9 r\n3_1 Q0 a 1 9 r\n", "r.run", topics=home / "map")
    assert message.count("error[") == 1
    assert "2 sessions have no topic: 1, 3; they are not in" in message


def test_a_table_of_queries_gives_sessions_and_topics(home: Path) -> None:
    (home / "r.run").write_text("1_1 Q0 a 1 9 r\n2_1 Q0 e 1 9 r\n")
    (home / "map").write_text("1\t7\n2\t9\n")
    (home / "names").write_text("1_1\n1_2\n2_1\n")
    (home / "table.tsv").write_text("session\tquery\ttopic\n1\t1\t7\n1\t2\t7\n2\t1\t9\n")
    listed = scored(home, "r.run", topics=home / "map", queries=home / "names")
    table = scored(home, "r.run", queries=home / "table.tsv")
    assert table.values.tolist() == listed.values.tolist()
    assert table.values[0, 1, 0] < scored(home, "r.run", topics=home / "map").values[0, 1, 0]  # an empty second query
    (home / "table.tsv").write_text("session\tquery\ttopic\n1\t1\t7\n1\t2\t9\n2\t1\t9\n")
    with pytest.raises(GaincurveError, match="session 1 has topic 9 here and topic 7 before"):
        scored(home, "r.run", queries=home / "table.tsv")
