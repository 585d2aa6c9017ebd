"""Session logs in: JSON lines, Session Track XML, TREC runs with a map, conversations; and what is refused, by name."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from gaincurve.errors import ChoiceError, GaincurveError
from gaincurve.files.evaluate import evaluate_session_files
from gaincurve.io.read import read_judgments
from gaincurve.io.sessions.lists import SessionLists
from gaincurve.io.sessions.logs import read_sessions
from gaincurve.io.sessions.query_ids import Pattern
from gaincurve.model.ids import Ids
from gaincurve.model.judgments import Judgments
from gaincurve.model.lookup import numbered, places
from gaincurve.model.sessions.log import SessionLog, grade_log
from gaincurve.model.sessions.objects import sessions_from_records
from gaincurve.verbs.sessions.curves import session_curves
from gaincurve.verbs.sessions.evaluate import evaluate_sessions

QRELS = "7 0 a 3\n7 0 b 2\n7 0 c 1\n7 0 n 0\n9 0 a 1\n9 0 e 2\n"
XML = """<?xml version="1.0" encoding="UTF-8"?>
<sessiontrack2013>
 <session num="1" starttime="0" userid="u1">
  <topic num="7"><desc>Fish & chips &nbsp; &lt;now&gt;</desc></topic>
  <interaction num="1"><query>fish & chips</query>
   <results>
    <result rank="1"><url>http://x?a=1&b=2</url><clueweb12id>a</clueweb12id><snippet>AT&T \x01</snippet></result>
    <result rank="2"><url>u</url><clueweb12id>x</clueweb12id></result>
   </results>
   <clicked><click num="1"><rank>2</rank></click></clicked>
  </interaction>
  <interaction num="2"><query>chips</query><results></results></interaction>
  <currentquery><query>vinegar</query></currentquery>
 </session>
 <session num="2"><topic num="9"/>
  <interaction num="1"><query>eel</query><results><result rank="1"><clueweb12id>e</clueweb12id></result></results>
  </interaction>
 </session>
</sessiontrack2013>
"""
RECORDS = [
    {"session": "1", "query": 1, "topic": "7", "user": "u1", "text": "fish & chips", "ranking": ["a", "x"],
     "clicks": ["x"], "time": 12.5},
    {"session": "1", "query": 2, "topic": "7", "ranking": []},
    {"session": "2", "query": 1, "topic": "9", "ranking": ["e"]},
]  # fmt: skip
RUN = "s1.q1 Q0 a 1 9 r\ns1.q1 Q0 x 2 8 r\ns2.q1 Q0 e 1 9 r\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "q").write_text(QRELS)
    (tmp_path / "log.xml").write_text(XML)
    (tmp_path / "log.jsonl").write_text("".join(json.dumps(record) + "\n" for record in RECORDS))
    (tmp_path / "r.run").write_text(RUN)
    (tmp_path / "map").write_text("1\t7\n2\t9\n")
    return tmp_path


def scores(home: Path, *files: str, **choices: object) -> dict[str, list[float]]:
    found = evaluate_session_files(home / "q", [home / f for f in files], "sDCG", **choices).scores  # type: ignore[arg-type]
    return {run: found.values[r, 0].tolist() for r, run in enumerate(found.runs)}


def refused(home: Path, *files: str, **choices: object) -> str:
    with pytest.raises(GaincurveError) as caught:
        scores(home, *files, **choices)
    return str(caught.value)


def test_all_formats_give_the_same_sessions(home: Path) -> None:
    assert scores(home, "log.jsonl") == {"log": [3.0, 2.0]}
    assert scores(home, "log.xml") == {"log": [3.0, 2.0]}
    assert scores(home, "r.run", topics=home / "map") == {"r": [3.0, 2.0]}
    xml, lines = (read_sessions(home / name) for name in ("log.xml", "log.jsonl"))
    for one in (xml, lines):
        assert one.sessions.names == ("1", "2")
        assert one.sessions.position.tolist() == [1, 2, 1]
        assert one.retrieved.tolist() == [2, 0, 1]
        assert one.sessions.texts is not None
        assert one.sessions.texts[0] == "fish & chips"
        assert one.sessions.clicked is not None
        assert one.sessions.clicked.tolist() == [2, 0, 0]
        assert one.sessions.users == ("u1",)


def test_a_complete_log_tells_runs_their_sessions_and_topics(home: Path) -> None:
    found = evaluate_session_files(home / "q", [home / "log.xml", home / "r.run"], "nsDCG")
    assert found.design == "paired"
    one, other = (found.scores[run, "nsDCG"] for run in ("log", "r"))
    assert list(one) == list(other)  # the run's missing s1.q2 is an empty list, as in the log


def test_conversations_are_judged_turn_by_turn(tmp_path: Path) -> None:
    (tmp_path / "q").write_text("c_1 0 a 2\nc_2 0 b 1\n")
    (tmp_path / "r").write_text("c_1 Q0 a 1 9 r\nc_2 Q0 a 1 9 r\nc_2 Q0 b 2 8 r\nc_3 Q0 a 1 9 r\n")
    found = evaluate_session_files(tmp_path / "q", tmp_path / "r", "sDCG")
    assert found.scores.values[0, 0].tolist() == pytest.approx([2 + (1 / 1.5) * 0.5])
    assert "judged-by:query" in str(found.scores.signatures[0])
    assert [note.slug for note in found.scores.notes] == ["query-unjudged", "unjudged"]


def test_several_systems_share_the_queries_of_all(home: Path) -> None:
    (home / "other.run").write_text("s1.q1 Q0 n 1 9 r\ns1.q2 Q0 b 1 9 r\n")
    found = evaluate_session_files(home / "q", [home / "r.run", home / "other.run"], "sDCG/q", topics=home / "map")
    assert found.scores.values[:, 0].tolist() == [[1.5, 2.0], [pytest.approx(2 / 1.5 / 2), 0.0]]
    assert {note.slug for note in found.scores.notes} >= {"queries-empty", "sessions-missing"}
    skipped = evaluate_session_files(
        home / "q", [home / "r.run", home / "other.run"], "sDCG/q", topics=home / "map", missing="skip"
    )
    assert np.isnan(skipped.scores.values[1, 0, 1])
    told = refused(home, "r.run", "other.run", topics=home / "map", missing="error")
    assert "error[session-missing]: other lacks 1 session: 2" in told


@pytest.mark.parametrize("packed", [False, True])
def test_streaming_gives_what_reading_as_a_whole_gives(tmp_path: Path, packed: bool) -> None:
    chance = np.random.default_rng(3)
    qrels = "".join(f"t{t} 0 d{d} {chance.integers(-1, 4)}\n" for t in range(20) for d in range(0, 60, 2))
    lines, sessions = [], []
    for s in range(400):
        sessions.append(f"s{s}\tt{s % 23}\n")  # some topics are not judged
        for q in range(1, int(chance.integers(2, 5))):
            for d in chance.choice(60, 12, replace=False):
                lines.append(f"s{s}.q{q} Q0 d{d} 1 {chance.integers(0, 9)} x\n")
    (tmp_path / "q").write_text(qrels)
    (tmp_path / "m").write_text("".join(sessions))
    path = tmp_path / ("r.run.gz" if packed else "r.run")
    if packed:
        import gzip  # noqa: PLC0415

        path.write_bytes(gzip.compress("".join(lines).encode()))
    else:
        path.write_text("".join(lines))
    judgments = read_judgments(tmp_path / "q")
    from gaincurve.io.sessions.maps import read_session_topics  # noqa: PLC0415

    for ties in ("trec", "trec-float32", "file"):
        lists = SessionLists(judgments, read_session_topics(tmp_path / "m"))
        streamed = lists.grader(ties, "error", threads=2, digest=False).grade(path)
        whole = grade_log(judgments, lists.log(path, ties, "error"))
        for column in ("base", "list", "rank", "grade", "judgment", "retrieved", "present"):
            assert (getattr(streamed, column) == getattr(whole, column)).all(), column
        assert streamed.units.names == whole.units.names
        assert len(streamed.rank) > 1000


def test_a_query_that_comes_back_is_ranked_together(home: Path) -> None:
    (home / "r.run").write_text("s1.q1 Q0 x 1 1 r\ns2.q1 Q0 e 1 9 r\ns1.q1 Q0 a 2 5 r\n")
    assert scores(home, "r.run", topics=home / "map") == {"r": [3.0, 2.0]}


@pytest.mark.parametrize(
    ("pattern", "text", "session", "number"),
    [
        ("s{session}.q{query}", "s12.q3", "12", 3),
        ("{session}_{query}", "a_b_17", "a_b", 17),
        ("{session}.{query}", "12.3", "12", 3),
        ("x{session}-t{query}z", "xab-t009z", "ab", 9),
    ],
)
def test_patterns(pattern: str, text: str, session: str, number: int) -> None:
    sessions, numbers, fits = Pattern.of(pattern).split(Ids.from_texts(["?", text, ""]))
    assert fits.tolist() == [False, True, False]
    assert (sessions[1], numbers[1]) == (session, number)


@pytest.mark.parametrize("pattern", ["{session}", "{query}.{session}", "{session}{query}", "x", "{session}.{query}{z}"])
def test_patterns_that_cannot_be(pattern: str) -> None:
    with pytest.raises(GaincurveError, match="session-pattern"):
        Pattern.of(pattern)


def test_ids_are_looked_up_by_their_bytes() -> None:
    table, number = numbered(Ids.from_texts(["b", "a", "b", "c", "a"]))
    assert (table.texts(), number.tolist()) == (["b", "a", "c"], [0, 1, 0, 2, 1])
    assert places(Ids.from_texts(["c", "x", "b"]), table).tolist() == [2, -1, 0]
    assert places(Ids.from_texts([]), table).tolist() == []


BROKEN = {
    "no-ranking": ('{"session": "1", "query": 1, "topic": "7"}', "session-record", "the record has no 'ranking'"),
    "no-session": ('{"session": null, "query": 1, "ranking": []}', "session-record", "the record has no 'session'"),
    "number": ('{"session": "1", "query": "x", "ranking": []}', "session-query", "query number 'x' is not 1, 2, …"),
    "zero": ('{"session": "1", "query": 0, "ranking": []}', "session-query", "query number 0 is not"),
    "list": ('{"session": "1", "query": 1, "ranking": "a"}', "session-record", "the ranking is text, not a list"),
    "document": ('{"session": "1", "query": 1, "ranking": [1.5]}', "input-id", "cannot be a document id"),
    "click": ('{"session": "1", "query": 1, "ranking": ["a"], "clicks": ["b"]}', "session-record", "click 'b'"),
    "depth": ('{"session": "1", "query": 1, "ranking": ["a"], "depth": -2}', "session-record", "depth -2"),
    "deep": ('{"session": "1", "query": 1, "ranking": ["a"], "depth": 100000000000000000000000}', "session-record",
             "depth 100000000000000000000000 is not a number of documents"),
    "click-list": ('{"session": "1", "query": 1, "ranking": ["a"], "clicks": [["a"]]}', "session-record",
                   "click ['a'] is neither"),
    "click-object": ('{"session": "1", "query": 1, "ranking": ["a"], "clicks": [{"a": 1}]}', "session-record",
                     "click {'a': 1} is neither"),
    "click-beyond": ('{"session": "1", "query": 1, "ranking": ["a"], "clicks": [2]}', "session-record",
                     "click 2 is neither in the ranking nor a rank of it"),
    "click-far": ('{"session": "1", "query": 1, "ranking": ["a"], "clicks": [100000000000000000000000]}',
                  "session-record", "is neither in the ranking nor a rank of it"),
    "click-true": ('{"session": "1", "query": 1, "ranking": ["a"], "clicks": [true]}', "session-record", "click True"),
    "true": ('{"session": "1", "query": true, "ranking": []}', "session-query", "query number True is not 1, 2, …"),
    "users": ('{"session": "1", "query": 1, "topic": "7", "user": "u", "ranking": []}\n'
              '{"session": "1", "query": 2, "topic": "7", "user": "v", "ranking": []}', "session-record",
              "session 1 has two users, u and v"),
    "twice": ('{"session": "1", "query": 1, "topic": "7", "ranking": ["a", "b", "a"]}', "run-duplicate-document",
              "holds document a twice"),
    "topic": ('{"session": "1", "query": 1, "ranking": ["a"]}', "session-without-topic", "session 1 has no topic"),
    "json": ('{"session": "1", "query": 1, "ranking": ["a"]}\n{"sess', "input-json", "not JSON"),
    "repeated": ('{"session": "1", "query": 1, "topic": "7", "ranking": []}\n' * 2, "session-query",
                 "session 1 has query 1 twice"),
    "gap": ('{"session": "1", "query": 1, "topic": "7", "ranking": []}\n'
            '{"session": "1", "query": 3, "topic": "7", "ranking": []}', "session-query",
            "session 1 lacks query 2, but has query 3"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_broken_records_are_named(home: Path, name: str) -> None:
    text, slug, what = BROKEN[name]
    (home / "x.jsonl").write_text(text + "\n")
    told = refused(home, "x.jsonl")
    assert f"error[{slug}]" in told
    assert what in told
    assert f"{home / 'x.jsonl'}:" in told
    if name not in ("no-ranking", "no-session", "number", "zero", "true", "json"):
        assert "session 1" in told


def test_a_repeat_inside_a_list_can_be_dropped(home: Path) -> None:
    (home / "x.jsonl").write_text(BROKEN["twice"][0])
    assert scores(home, "x.jsonl", duplicates="first") == {"x": [4.0]}


RUNS = {
    "unmapped": ("s1.q1 Q0 a 1 9 r\ns5.q1 Q0 a 1 9 r\n", "session-without-topic", "session 5 of query s5.q1", ":2"),
    "gap": ("s1.q1 Q0 a 1 9 r\ns2.q1 Q0 a 1 9 r\ns2.q3 Q0 a 1 9 r\n", "session-query", "session 2 lacks query 2", ""),
    "pattern": ("s1.q1 Q0 a 1 9 r\nhello Q0 a 1 9 r\n", "session-pattern", "topic hello", ":2"),
    "zero": ("s1.q1 Q0 a 1 9 r\ns2.q0 Q0 a 1 9 r\n", "session-pattern", "topic s2.q0", ":2"),
    "spelled": ("s1.q1 Q0 a 1 9 r\ns1.q01 Q0 a 1 9 r\ns2.q1 Q0 a 1 9 r\n", "session-query",
                "session 1 has query 1 twice", ":2"),
    "absent": ("s1.q1 Q0 a 1 9 r\n", "session-unknown", "1 session of the map in no file: 2", ""),
    "score": ("s1.q1 Q0 a 1 nan r\n", "run-score", "is not a finite number", ":1"),
    "twice": ("s1.q1 Q0 a 1 9 r\ns1.q1 Q0 a 2 8 r\ns2.q1 Q0 a 1 9 r\n", "run-duplicate-document", "s1.q1", ":2"),
}  # fmt: skip


@pytest.mark.parametrize("name", RUNS)
def test_broken_runs_are_named(home: Path, name: str) -> None:
    text, slug, what, line = RUNS[name]
    (home / "r.run").write_text(text)
    told = refused(home, "r.run", topics=home / "map")
    assert f"error[{slug}]" in told
    assert what in told
    assert str(home / ("map" if name == "absent" else "r.run")) + line in told


def test_what_was_refused_can_be_asked_for(home: Path) -> None:
    (home / "r.run").write_text(RUNS["unmapped"][0] + "s2.q2 Q0 e 1 9 r\n")
    found = evaluate_session_files(home / "q", home / "r.run", topics=home / "map", unmapped="skip", gaps="empty")
    assert found.scores.topics == ("1", "2")
    assert {"session-unmapped", "queries-empty"} <= {note.slug for note in found.scores.notes}
    (home / "r.run").write_text(RUNS["absent"][0])
    found = evaluate_session_files(home / "q", home / "r.run", topics=home / "map", missing="skip")
    assert "session-unknown" in {note.slug for note in found.scores.notes}
    (home / "all").write_text("s1.q1\textra\ns2.q1\ns2.q2\n")
    found = evaluate_session_files(home / "q", home / "r.run", "sDCG", topics=home / "map", queries=home / "all")
    assert found.scores.values[0, 0].tolist() == [3.0, 0.0]
    (home / "all").write_text("s1.q1\ns2.q2\n")
    assert "does not have the queries 1, 2" in refused(home, "r.run", topics=home / "map", queries=home / "all")


def test_maps_are_checked(home: Path) -> None:
    (home / "map").write_text("session topic\n1 7\n2 9\n1 9\n")
    assert "session 1 has topic 9 here and topic 7 before" in refused(home, "r.run", topics=home / "map")
    (home / "map").write_text("1 7\n2\n")
    told = refused(home, "r.run", topics=home / "map")
    assert "error[session-map]" in told
    assert f"{home / 'map'}:2" in told
    (home / "map").write_text("# nothing\n")
    assert "error[input-empty]" in refused(home, "r.run", topics=home / "map")


def test_a_run_without_a_map_needs_judged_names(home: Path) -> None:
    told = refused(home, "r.run")
    assert "error[session-without-topic]" in told
    assert f"{home / 'r.run'}:1" in told
    (home / "r.run").write_text("7.1 Q0 a 1 9 r\n7.2 Q0 b 1 9 r\n")  # the session is itself the topic
    assert scores(home, "r.run") == {"r": [pytest.approx(3 + 2 / 1.5)]}


def test_two_logs_that_differ_are_unpaired(home: Path) -> None:
    (home / "b.jsonl").write_text(json.dumps({**RECORDS[2], "session": "3"}))
    found = evaluate_session_files(home / "q", [home / "log.jsonl", home / "b.jsonl"], "sDCG")
    assert found.design == found.scores.design == "unpaired"
    assert found.scores.topics == ("1", "2", "3")
    assert np.isnan(found.scores.values[0, 0, 2])
    assert np.isnan(found.scores.values[1, 0, :2]).all()
    assert found.summary() == {"log": {"sDCG": 2.5}, "b": {"sDCG": 2.0}}
    assert "error[session-design]" in refused(home, "log.jsonl", "b.jsonl", design="paired")
    assert "error[session-design]" in refused(home, "log.jsonl", "b.jsonl", "r.run")
    (home / "r.run").write_text("s3.q1 Q0 e 1 9 r\n")
    (home / "map").write_text("1 7\n2 9\n3 9\n")
    assert "session 3 of r is not among the sessions" in refused(home, "log.jsonl", "r.run", topics=home / "map")
    (home / "r.run").write_text("s2.q2 Q0 e 1 9 r\n")
    assert "session 2 has no query 2, which r answers" in refused(home, "log.jsonl", "r.run")


# ---- XML ----

HOSTILE = {
    "external": '<!DOCTYPE s [<!ENTITY x SYSTEM "file:///etc/passwd">]><s><session num="1">&x;</session></s>',
    "parameter": '<!DOCTYPE s SYSTEM "http://localhost/evil.dtd"><s/>',
    "bomb": "<!DOCTYPE s [" + "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10 if i else "ha"}">' for i in range(20))
            + "]><s>&a19;</s>",
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_entities_are_refused(home: Path, name: str) -> None:
    (home / "x.xml").write_text(HOSTILE[name])
    told = refused(home, "x.xml")
    assert "error[session-xml-entity]" in told
    assert f"{home / 'x.xml'}:1" in told
    assert "root:" not in told


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ('<session num="2">', '<session num="1">', "session 1 occurs twice, first at line 3"),
        ('<session num="2">', "<session>", "a <session> has no num"),
        ('<interaction num="2">', '<interaction num="two">', "the num of an interaction is 'two'"),
        ('<result rank="2">', '<result rank="1">', "rank 1 occurs twice"),
        ('<result rank="2">', "<result>", "the rank of a result is ''"),
        ('<result rank="2">', '<result rank="0">', "the rank of a result is '0'"),
        ('<result rank="2">', f'<result rank="{"9" * 5000}">', "the rank of a result is '999"),
        ("<rank>2</rank>", "<rank>3</rank>", "a click is on rank 3, which the list does not have"),
        ("</sessiontrack2013>", "", "not well-formed XML"),
        ("<clueweb12id>e</clueweb12id>", "", "a <result> names no document"),
    ],
)
def test_broken_xml_is_named(home: Path, old: str, new: str, what: str) -> None:
    (home / "x.xml").write_text(XML.replace(old, new))
    told = refused(home, "x.xml")
    assert "error[session-xml]" in told
    assert what in told
    assert f"{home / 'x.xml'}:" in told


def test_xml_numbers_and_topics_are_checked_as_elsewhere(home: Path) -> None:
    (home / "x.xml").write_text(XML.replace('<interaction num="2">', '<interaction num="3">'))
    assert "session 1 lacks query 2, but has query 3" in refused(home, "x.xml")
    (home / "x.xml").write_text(XML.replace('<topic num="9"/>', ""))
    assert "session 2 has no topic" in refused(home, "x.xml")
    assert scores(home, "x.xml", topics=home / "map") == {"x": [3.0, 2.0]}
    (home / "x.xml").write_text("<a>" * 40 + "</a>" * 40)
    assert "nested deeper than 32" in refused(home, "x.xml")
    (home / "x.xml").write_text("<html><body>hello</body></html>")
    assert "has no <session> element" in refused(home, "x.xml")
    (home / "x.xml").write_text(XML.replace("UTF-8", "UTF-7"))
    assert "error[input-encoding]" in refused(home, "x.xml")


def test_older_shapes_of_xml(home: Path) -> None:
    old = XML.replace("clueweb12id", "clueweb09id").replace("UTF-8", "ISO-8859-1")
    old = old.replace("</topic>", "<narr>long</narr></topic>")
    (home / "x.xml").write_bytes(old.encode("latin-1"))
    assert scores(home, "x.xml") == {"x": [3.0, 2.0]}


def test_missing_ranks_in_xml_are_closed_up_and_noted(home: Path) -> None:
    (home / "x.xml").write_text(XML.replace('<result rank="2">', '<result rank="5">').replace("<rank>2<", "<rank>5<"))
    log = read_sessions(home / "x.xml")
    assert [note.text.split(": ", 1)[1] for note in log.notes] == [
        "1 list with ranks missing, closed up: session 1 query 1"
    ]
    assert log.sessions.clicked is not None
    assert log.sessions.clicked.tolist() == [2, 0, 0]  # the fifth of the page is the second of the list
    assert read_sessions(home / "log.xml").notes == ()


def test_ids_that_are_not_utf8_are_noted_and_snippets_are_not(home: Path) -> None:
    text = XML.replace(">x<", ">Caf\xe9<").encode("latin-1")
    (home / "x.xml").write_bytes(text)
    told = [(note.slug, note.text) for note in read_sessions(home / "x.xml").notes]
    assert [slug for slug, _ in told] == ["session-encoding"]
    assert "1 id with bytes that are not UTF-8, read as U+FFFD: Caf\ufffd" in told[0][1]
    (home / "x.xml").write_bytes(text.replace(b"UTF-8", b"ISO-8859-1"))
    assert read_sessions(home / "x.xml").notes == ()
    (home / "x.xml").write_bytes(XML.replace("AT&T", "Caf\xe9").encode("latin-1"))
    assert read_sessions(home / "x.xml").notes == ()


def one_query_each(name: str, **values: object) -> SessionLog:
    records = [{"session": s, "query": 1, "topic": "7", "ranking": ["a"], **values} for s in ("1", "2")]
    return sessions_from_records(records, name)


def test_sessions_of_other_users_or_topics_are_other_sessions() -> None:
    judged = Judgments.of({"7": {"a": 3}, "9": {"a": 1}})
    one, other, unnamed = one_query_each("one", user="u"), one_query_each("other", user="v"), one_query_each("unnamed")
    found = evaluate_sessions(judged, [one, other], "sDCG", by="user")
    assert found.design == "unpaired"
    assert found.groups is not None
    assert {run: list(groups) for run, groups in found.groups.items()} == {"one": ["u"], "other": ["v"]}
    assert evaluate_sessions(judged, [one, unnamed], "sDCG").design == "paired"
    with pytest.raises(GaincurveError, match=r"(?s)session 1 has no user.*add the user to the log"):
        evaluate_sessions(judged, [one, unnamed], "sDCG", by="user")
    turns = [
        sessions_from_records(
            [{"session": "s", "query": q, "topic": t, "ranking": ["a"]} for q, t in enumerate(topics, 1)], name
        )
        for name, topics in (("one", "779"), ("same", "779"), ("other", "797"))
    ]
    assert evaluate_sessions(judged, turns[:2], "sDCG").design == "paired"
    assert evaluate_sessions(judged, [turns[0], turns[2]], "sDCG").design == "unpaired"
    with pytest.raises(GaincurveError, match=r"(?s)judged on several topics.*drop --by, or group by user"):
        evaluate_sessions(judged, turns[0], "sDCG", by="topic")


def test_a_run_beside_a_log_has_its_users(home: Path) -> None:
    lines = [{**record, "user": f"u{record['session']}", "depth": 1} for record in RECORDS]
    lines[0]["ranking"] = ["x", "a"]
    (home / "log.jsonl").write_text("".join(json.dumps(record) + "\n" for record in lines))
    (home / "r.run").write_text("s1.q1 Q0 x 1 9 r\ns1.q1 Q0 a 2 8 r\ns2.q1 Q0 e 1 9 r\n")
    found = evaluate_session_files(home / "q", [home / "log.jsonl", home / "r.run"], "sDCG", by="user")
    assert found.groups is not None
    assert found.groups["r"] == {"u1": {"sDCG": 1.5}, "u2": {"sDCG": 2.0}}
    with pytest.raises(ChoiceError, match="--scan observed cuts the lists of log, but not those of r"):
        evaluate_session_files(home / "q", [home / "log.jsonl", home / "r.run"], "sDCG", scan="observed")


def test_one_topic_keeps_the_names_of_each_systems_sessions() -> None:
    judged = Judgments.of({"7": {"a": 3}})
    logs = [
        sessions_from_records([{"session": f"{name}1", "query": 1, "topic": "7", "ranking": ["a"]}], name)
        for name in ("one", "two")
    ]
    curves = session_curves(judged, logs, "sDCG", topic="7", per_session=True)
    assert [single.sessions for single in curves.singles] == [("one1",), ("two1",)]
    alike = [one_query_each("one", depth=0), one_query_each("two", depth=1)]
    curves = session_curves(judged, alike, "sDCG", topic="7", scan="observed", depth=1)
    assert [line.values.tolist() for line in curves.lines] == [[0.0], [3.0]]


def test_users_who_searched_with_both_systems_are_noted() -> None:
    judged = Judgments.of({"7": {"a": 3}})
    records = [
        {"session": s, "query": 1, "topic": "7", "user": u, "ranking": ["a"]} for s, u in (("1", "u"), ("2", "v"))
    ]
    one = sessions_from_records(records, "one")
    other = sessions_from_records(
        [{**records[0], "session": "3"}, {**records[1], "session": "4", "user": "w"}], "other"
    )
    notes = {note.slug: note.text for note in evaluate_sessions(judged, [one, other], "sDCG").scores.notes}
    assert notes == {
        "session-unpaired": "the systems have sessions of their own: their means are those of different sessions, "
        "not of pairs",
        "session-users": "1 user searched with both: sessions of one user are not independent",
    }
    apart = [one, one_query_each("apart", user="x")]
    assert [note.slug for note in evaluate_sessions(judged, apart, "sDCG").scores.notes] == ["session-unpaired"]


def test_absent_sessions_without_judgments_are_not_said_to_count(home: Path) -> None:
    extra = {"session": "5", "query": 1, "topic": "no", "ranking": ["a"]}
    (home / "log.jsonl").write_text("".join(json.dumps(record) + "\n" for record in [*RECORDS, extra]))
    found = evaluate_session_files(home / "q", [home / "log.jsonl", home / "r.run"], "sDCG")
    slugs = [note.slug for note in found.scores.notes]
    assert "session-unjudged" in slugs
    assert "sessions-missing" not in slugs
    told = next(note.text for note in found.scores.notes if note.slug == "queries-empty")
    assert told == "1 query without results, counted as empty lists"  # s1.q2; the query of session 5 is left out


def test_a_topic_without_judgments_is_noted_not_fatal() -> None:
    records = [*RECORDS, {"session": "5", "query": 1, "topic": "no", "ranking": ["a"]}]
    found = evaluate_sessions(Judgments.of({"7": {"a": 3}, "9": {"e": 2}}), sessions_from_records(records), "sDCG")
    assert found.scores.values[0, 0].tolist()[:2] == [3.0, 2.0]
    assert np.isnan(found.scores.values[0, 0, 2])
    assert "session-unjudged" in {note.slug for note in found.scores.notes}
    assert "sessions:2/3" in str(found.scores.signatures[0])
