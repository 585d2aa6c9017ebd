"""gaincurve session and explain --session on three small sessions of two systems."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from command import Command

from gaincurve.cli import main

A = [("s1", 1, "t1", "u1", ["x", "a"]), ("s1", 2, "t1", "u1", ["b", "a"]), ("s2", 1, "t1", "u2", []),
     ("s3", 1, "t2", "u1", ["e"])]  # fmt: skip
B = [("s1", 1, "t1", "u1", ["a", "b"]), ("s1", 2, "t1", "u1", []), ("s2", 1, "t1", "u2", ["d"]),
     ("s3", 1, "t2", "u1", ["f"])]  # fmt: skip


@pytest.fixture
def logs(folder: Path) -> Path:
    """a.jsonl and b.jsonl beside q.qrels, and the same sessions of b as a TREC run with a map."""
    for name, queries in (("a", A), ("b", B)):
        lines = [
            json.dumps({"session": s, "query": q, "topic": t, "user": u, "text": f"words of {q}", "ranking": r}) + "\n"
            for s, q, t, u, r in queries
        ]
        (folder / f"{name}.jsonl").write_text("".join(lines))
    run = [f"{s}.q{q} Q0 {d} {i} {9 - i} c\n" for s, q, _, _, r in B for i, d in enumerate(r, 1)]
    (folder / "c.run").write_text("".join(run))
    (folder / "map.tsv").write_text("s1\tt1\ns2\tt1\ns3\tt2\n")
    return folder


def rows(text: str, delimiter: str = "\t") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text), delimiter=delimiter))


def test_summary(gaincurve: Command, logs: Path) -> None:
    done = gaincurve("session", "q.qrels", "a.jsonl", "b.jsonl", "-m", "sDCG")
    assert done.returncode == 0
    found = {row["run"]: float(row["value"]) for row in rows(done.stdout)}
    a = (3 / 2) + (2 + 3 / 2) / 1.5  # x a, then b a; t1: a 3, b 2, d 1
    assert found == {"a": pytest.approx((a + 0 + 1) / 3), "b": pytest.approx((3 + 2 / 2 + 1 + 0) / 3)}
    assert "read 3 sessions, 4 queries, 5 documents, session JSON lines: a.jsonl" in done.stderr


def test_signature_names_every_option(gaincurve: Command, logs: Path) -> None:
    done = gaincurve("session", "q.qrels", "a.jsonl", "-m", "nsDCG", "--bq", "3", "--horizon", "4", "--depth", "5",
                     "--quiet")  # fmt: skip
    signature = rows(done.stdout)[0]["signature"]
    for part in (
        "gain:identity", "discount:jarvelin2008(base=2)", "query-discount:jarvelin2008(base=3)", "X:5",
        "rank-scope:query", "normalise:concat", "ideal:repeat", "horizon:4", "pad:x", "scan:top", "empty-lists:count",
        "repeats:count", "average:mean-of-ratios", "empty:undefined", "judged-by:topic", "sessions:3", "gaincurve:",
    ):  # fmt: skip
        assert part in signature


@pytest.mark.parametrize("format_", ["table", "tsv", "csv", "json", "jsonl", "md", "latex"])
@pytest.mark.parametrize("show", ["scores", "curve", "sessions", "last", "positions", "lengths", "best",
                                  "reformulations"])  # fmt: skip
def test_every_view_in_every_format(gaincurve: Command, logs: Path, show: str, format_: str) -> None:
    done = gaincurve("session", "q.qrels", "a.jsonl", "b.jsonl", "--show", show, "-f", format_)
    assert done.returncode == 0
    assert "a" in done.stdout
    if format_ == "json":
        found = json.loads(done.stdout)
        assert found["schema"] == "gaincurve.sessions/1"
        assert found["design"] == "paired"
        assert set(found) >= {"summary", "curves", "lengths", "positions", "last", "inputs", "notes", "intervals",
                              "best", "reformulations"}  # fmt: skip


def test_json_shape(gaincurve: Command, logs: Path) -> None:
    found = json.loads(gaincurve("session", "q.qrels", "a.jsonl", "-q", "-f", "json", "--quiet").stdout)
    assert list(found["summary"]) == ["a"]
    assert found["sessions"]["a"]["s1"]["queries"] == 2
    assert found["sessions"]["a"]["s1"]["topic"] == "t1"
    assert found["sessions"]["a"]["s2"] == {"topic": "t1", "user": "u2", "queries": 1, "sDCG": 0.0, "nsDCG": 0.0}
    assert len(found["curves"]["a"]["nsDCG"]) == 20
    assert found["lengths"]["a"] == {"sessions": [2, 1], "mean": pytest.approx(4 / 3)}
    assert found["inputs"][1]["sha256"]


def test_per_session_and_groups(gaincurve: Command, logs: Path) -> None:
    done = gaincurve("session", "q.qrels", "b.jsonl", "-m", "sDCG", "-q", "--quiet")
    assert {row["session"]: float(row["value"]) for row in rows(done.stdout)} == {
        "s1": 4.0, "s2": 1.0, "s3": 0.0, "all": pytest.approx(5 / 3),
    }  # fmt: skip
    done = gaincurve("session", "q.qrels", "b.jsonl", "-m", "sDCG", "--by", "topic", "--quiet")
    assert {row["topic"]: float(row["value"]) for row in rows(done.stdout)} == {"t1": 2.5, "t2": 0.0, "all": 1.25}
    done = gaincurve("session", "q.qrels", "b.jsonl", "-m", "sDCG", "--by", "user", "--quiet", "-f", "table")
    assert "u1" in done.stdout
    done = gaincurve("session", "q.qrels", "c.run", "--map", "map.tsv", "--by", "user", "--gaps", "empty")
    assert done.returncode == 2
    assert "error[session-by]" in done.stderr


def test_a_run_with_a_map_and_a_log_are_compared_on_the_same_sessions(gaincurve: Command, logs: Path) -> None:
    done = gaincurve("session", "q.qrels", "b.jsonl", "c.run", "-m", "nsDCG", "-q")
    values: dict[str, list[str]] = {}
    for row in rows(done.stdout):
        values.setdefault(row["run"], []).append(row["value"])
    assert values["b"] == values["c"]
    assert "1 query without results, counted as empty lists" in done.stderr


def test_one_topic_and_long_sessions(gaincurve: Command, logs: Path) -> None:
    done = gaincurve("session", "q.qrels", "a.jsonl", "--show", "curve", "-m", "sDCG", "--topic", "t1", "--at-least",
                     "2", "-f", "table", "--quiet")  # fmt: skip
    assert "a, 2+ queries" in done.stdout
    assert "sessions:2" in done.stdout
    done = gaincurve("session", "q.qrels", "a.jsonl", "--topic", "t9")
    assert (done.returncode, "error[topic-unknown]" in done.stderr) == (2, True)


@pytest.mark.parametrize("show", ["curve", "sessions", "last", "positions", "lengths", "best", "reformulations"])
@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_pictures(gaincurve: Command, logs: Path, show: str, suffix: str) -> None:
    done = gaincurve("session", "q.qrels", "a.jsonl", "b.jsonl", "--show", show, "-m", "sDCG", "-o", f"x.{suffix}")
    assert done.returncode == 0, done.stderr
    begins = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF"}[suffix]
    assert (logs / f"x.{suffix}").read_bytes().startswith(begins)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--show", "scores", "-o", "x.svg"], "--show scores has no figure"),
        (["--show", "sessions", "--bq", "2,4"], "several bases belong to --show curve"),
        (["--show", "curve", "--bq", "2,x"], "bq"),
        (["--show", "curve", "-q"], "-q belongs to --show scores and reformulations"),
        (["--show", "nothing"], "--show cannot be 'nothing'"),
        (["--show", "curve", "-m", "sRBP"], "sRBP has no curve over a session"),
        (["--show", "last", "-m", "sDCG", "-m", "sDCG(bq=2)"], "--show last takes one measure"),
        (["-o", "x.svg", "-m", "sDCG", "-m", "nsDCG"], "sDCG and nsDCG do not have one scale"),
        (["-m", "nDCG"], "error[measure-kind]: nDCG is a measure of single lists, not of sessions"),
        (["-m", "nsDGC"], "there is no measure 'nsDGC' (did you mean nsDCG?)"),
        (["-m", "sDCG", "--ideal", "bound"], "--ideal changes nothing about sDCG"),
        (["-m", "sDCG(b=2)"], "sDCG has no parameter 'b'"),
        (["-m", "nsDCG(ideal=bound, normalise=per_query)"], "error[session-choices]"),
        (["--bq", "1"], "error[discount-base]"),
        (["--bq", "nan"], "bq, the base of the query discount, cannot be nan"),
        (["--bq", "0.5"], "try  for example --bq 4"),
        (["-m", "sDCG(bq=1)"], "try  for example --bq 4"),
        (["--query-discount", "none", "--bq", "2"], "the query discount none has no base, but bq 2 was given"),
        (["--depth", "100000000"], "2 queries × 100000000 ranks of one session are more than 10000000 places"),
        (["-m", "nsDCG", "--horizon", "1000", "--depth", "1000000"], "error[session-choices]"),
        (["-m", "esNDCG@100000000"], "error[session-choices]"),
        (["--unjudged", "condensed", "--scan", "clicks"], "scan='clicks' counts ranks of whole lists"),
        (["--base", "0.5"], "error[discount-base]"),
        (["--horizon", "0"], "the horizon cannot be '0'"),
        (["--pad", "min:x"], "pad cannot be 'min:x'"),
        (["--repeats", "never"], "repeats cannot be 'never'"),
        (["--gains", "0-1"], "error[gains-grade]"),
        (["--ties", "average", "-m", "sIR"], "error[measure-no-ties]"),
        (["--unjudged", "bounds"], "error[measure-no-bounds]: no bounds are defined for nsDCG"),
        (["--unjudged", "bounds", "-m", "esNDCG"], "error[measure-no-bounds]"),
        (["--unjudged", "bounds", "-m", "sIR"], "error[measure-no-bounds]"),
        (["--unjudged", "bounds", "-m", "sDCG", "--by", "user"], "error[session-choices]"),
        (["--at-least", "3"], "--at-least belongs to --show curve"),
        (["-m", "sIR"], "error[measure-needs-subtopics]"),
        (["-m", "esNDCG(p_down=2)"], "p_down cannot be 2"),
        (["-m", "esNDCG(p_down"], "error[measure-syntax]"),
        (["--map", "nowhere"], "error[input-missing]"),
        (["-o", "x.docx"], "error[format-unknown]"),
    ],
)
def test_what_is_refused(gaincurve: Command, logs: Path, arguments: list[str], told: str) -> None:
    done = gaincurve("session", "q.qrels", "a.jsonl", *arguments)
    assert done.returncode == 2
    assert told in done.stderr
    assert done.stdout == ""


def test_eval_refuses_a_measure_of_sessions(gaincurve: Command, folder: Path) -> None:
    done = gaincurve("eval", "q.qrels", "good.run", "-m", "nsDCG")
    assert (done.returncode, done.stdout) == (2, "")
    assert "error[measure-kind]: nsDCG is a measure of whole sessions" in done.stderr
    assert "try  gaincurve session JUDGMENTS SESSIONS -m nsDCG" in done.stderr


def test_tied_documents_share_their_gains(gaincurve: Command, logs: Path) -> None:
    (logs / "tied.run").write_text("s1.q1 Q0 a 1 5 r\ns1.q1 Q0 x 2 5 r\ns1.q2 Q0 b 1 5 r\n")
    asked = ("session", "q.qrels", "tied.run", "--map", "map.tsv", "--missing", "skip", "--ties", "average", "--quiet")
    done = gaincurve(*asked, "-m", "sDCG")
    assert done.returncode == 0, done.stderr
    (row,) = rows(done.stdout)
    assert float(row["value"]) == pytest.approx(1.5 + 1.5 / 2 + 2 / 1.5)  # a, 3, stands at rank 1 or 2, each as likely
    assert "|ties:average|" in row["signature"]
    for refused in (["-m", "sDCG(score='best')"], ["-m", "sDCG", "--repeats", "first"]):
        done = gaincurve(*asked, *refused)
        assert (done.returncode, done.stdout) == (2, "")
        assert "error[measure-no-ties]" in done.stderr


def test_bounds_and_other_summaries(gaincurve: Command, logs: Path) -> None:
    asked = ("session", "q.qrels", "a.jsonl", "-m", "sDCG", "-m", "sDCG(summary='sum')", "--unjudged", "bounds", "-q")
    found = {row["measure"]: row for row in rows(gaincurve(*asked).stdout)}
    value = 3 / 2 + (2 + 3 / 2) / 1.5 + 0 + 1  # x a, then b a; nothing; e
    for measure, share in (("sDCG", 3), ("sDCG(summary='sum')", 1)):
        row = found[measure]
        assert float(row["value"]) == float(row["low"]) == pytest.approx(value / share)
        assert float(row["high"]) == pytest.approx((value + 3) / share)  # x, unjudged at rank 1, could be of grade 3


def test_empty_rules(gaincurve: Command, logs: Path) -> None:
    (logs / "n.jsonl").write_text(
        '{"session": "n", "query": 1, "topic": "t3", "ranking": ["g"]}\n'
        '{"session": "m", "query": 1, "topic": "t1", "ranking": ["a"]}\n'
    )
    values = {}
    for rule in ("undefined", "zero"):
        done = gaincurve("session", "q.qrels", "n.jsonl", "-m", "nsDCG", "--empty", rule)
        values[rule] = float(rows(done.stdout)[-1]["value"])
    assert values["zero"] == pytest.approx(values["undefined"] / 2)
    assert values["undefined"] == pytest.approx(3 / (3 + 2 / 2 + 1 / 2.584962500721156))
    done = gaincurve("session", "q.qrels", "n.jsonl", "-m", "nsDCG", "--empty", "error")
    assert (done.returncode, "error[session-undefined]" in done.stderr) == (2, True)


def test_a_ratio_of_means_is_signed_where_it_is_one(gaincurve: Command, logs: Path) -> None:
    done = gaincurve("session", "q.qrels", "a.jsonl", "-m", "nsDCG", "-q", "--average", "ratio-of-means")
    signed = {row["session"]: "average:ratio-of-means" in row["signature"] for row in rows(done.stdout)}
    assert signed == {"s1": False, "s2": False, "s3": False, "all": True}


def test_unusual_bases_are_noted(gaincurve: Command, logs: Path) -> None:
    done = gaincurve("session", "q.qrels", "a.jsonl", "--bq", "100", "--base", "inf")
    assert "note[base-unusual]: bq = 100 lies outside 1.5 to 10" in done.stderr
    assert "b = inf" not in done.stderr


def test_explain_a_session(gaincurve: Command, logs: Path) -> None:
    done = gaincurve("explain", "--session", "s1", "q.qrels", "a.jsonl", "--quiet")
    found = rows(done.stdout)
    assert [row["document"] for row in found[:2]] == ["x", "a"]
    assert float(found[1]["added"]) == 1.5
    assert float(found[10]["query_divisor"]) == 1.5
    assert len(found) == 20
    people = gaincurve("explain", "--session", "s1", "q.qrels", "a.jsonl", "-f", "table", "--quiet").stdout
    assert "session s1, topic t1, system a: nsDCG = " in people
    assert "words of 2" in people
    assert "unjudged" in people
    shape = json.loads(gaincurve("explain", "--session", "s1", "q.qrels", "a.jsonl", "-f", "json", "--quiet").stdout)
    assert shape["schema"] == "gaincurve.session-explanation/1"
    assert sum(step["added"] for step in shape["steps"]) == pytest.approx(1.5 + 3.5 / 1.5)
    run = gaincurve("explain", "--session", "s1", "q.qrels", "c.run", "--map", "map.tsv", "--quiet")
    assert float(rows(run.stdout)[1]["added"]) == 1.0


def test_explain_shows_the_queries_the_horizon_adds(gaincurve: Command, logs: Path) -> None:
    asked = ["explain", "--session", "s3", "q.qrels", "a.jsonl", "-m", "nsDCG(horizon=2)@2", "--quiet", "-f"]
    shape = json.loads(gaincurve(*asked, "json").stdout)
    assert [step["asked"] for step in shape["steps"]] == [True, True, False, False]
    assert shape["steps"][-1]["value"] == shape["value"]
    assert "(not asked: the horizon)" in gaincurve(*asked, "table").stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--session", "s9", "q.qrels", "a.jsonl"], "a has no session s9"),
        (["--session", "s1", "q.qrels"], "--session needs JUDGMENTS and one file of SESSIONS"),
        (["--session", "s1", "q.qrels", "a.jsonl", "-m", "sRBP"], "sRBP has no curve"),
        (["--session", "s1", "q.qrels", "a.jsonl", "--ideal", "pooled"], "--ideal is for topics"),
        (["nDCG", "--bq", "3"], "--bq belongs to sessions"),
    ],
)
def test_what_explain_refuses(gaincurve: Command, logs: Path, arguments: list[str], told: str) -> None:
    done = gaincurve("explain", *arguments)
    assert (done.returncode, told in done.stderr) == (2, True), done.stderr


def test_session_measures_are_found_where_others_are(gaincurve: Command, folder: Path) -> None:
    listed = gaincurve("ls", "measures").stdout
    for name in ("sDCG", "nsDCG", "sDCG/q", "esNDCG", "sRBP", "sIR"):
        assert f"\n{name}\t" in listed
        told = gaincurve("explain", name)
        assert told.returncode == 0
        assert "Worked:" in told.stdout
    assert "jarvelin2008(base=4)" in gaincurve("ls", "scenarios").stdout
    assert "session: ideal\tbound" in gaincurve("ls", "rules").stdout
    assert "TREC Session Track XML" in gaincurve("ls", "formats").stdout


def test_a_scenario_file_holds_session_rules(gaincurve: Command, logs: Path) -> None:
    (logs / "mine.toml").write_text('extends = "session2008"\ngains = "identity"\n[session]\nbq = 2\nideal = "bound"\n')
    done = gaincurve("session", "q.qrels", "a.jsonl", "-m", "nsDCG", "--scenario", "mine.toml", "--quiet")
    assert "query-discount:jarvelin2008(base=2)" in done.stdout
    assert "ideal:bound" in done.stdout
    (logs / "mine.toml").write_text("[session]\nbase = 2\n")
    done = gaincurve("session", "q.qrels", "a.jsonl", "--scenario", "mine.toml")
    assert (done.returncode, "sessions have no choice named 'base'" in done.stderr) == (2, True)


def test_stdin_and_names(monkeypatch: pytest.MonkeyPatch, gaincurve: Command, logs: Path) -> None:
    assert main(["session", "-", "-"]) == 2
    assert "error[stdin-twice]" in gaincurve("session", "-", "-").stderr
    (logs / "more").mkdir()
    (logs / "more" / "a.jsonl").write_text((logs / "a.jsonl").read_text())
    assert "two systems are named 'a'" in gaincurve("session", "q.qrels", "a.jsonl", "more/a.jsonl").stderr


def test_instance_recall_of_a_session_from_diversity_qrels(gaincurve: Command, tmp_path: Path) -> None:
    """Subtopics a, b and c have a relevant document; the two queries show d1 (a, b) and d2 (b)."""
    (tmp_path / "subtopics").write_text("1 a d1 1\n1 b d1 1\n1 b d2 1\n1 c d3 1\n1 d d4 0\n")
    lines = [
        '{"session": "s1", "query": 1, "topic": "1", "ranking": ["d2", "x"]}',
        '{"session": "s1", "query": 2, "topic": "1", "ranking": ["d1", "d2"]}',
        '{"session": "s2", "query": 1, "topic": "1", "ranking": ["d4", "d2"]}',
    ]
    (tmp_path / "log.jsonl").write_text("\n".join(lines))
    asked = [tmp_path / "subtopics", tmp_path / "log.jsonl", "-m", "sIR", "-q", "-f", "json"]
    found = json.loads(gaincurve("session", *asked).stdout)
    assert {s: row["sIR"] for s, row in found["sessions"]["log"].items()} == {"s1": 2 / 3, "s2": 1 / 3}


def test_filters_are_signed_and_leave_something(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "q").write_text("a 0 d1 1\nb 0 d1 1\n")
    rows = [("s1", 1, "a"), ("s1", 2, "a"), ("s2", 1, "b"), ("s3", 1, "c")]
    lines = [json.dumps({"session": s, "query": q, "topic": t, "ranking": ["d1"]}) for s, q, t in rows]
    (tmp_path / "log.jsonl").write_text("\n".join(lines) + "\n")
    files = [str(tmp_path / "q"), str(tmp_path / "log.jsonl")]
    signatures = []
    for topic in ("a", "b"):
        assert main(["session", *files, "-m", "nsDCG", "--topic", topic, "-f", "csv"]) == 0
        signatures.append(capsys.readouterr().out.strip().splitlines()[-1])
    assert "|topic:a|" in signatures[0]
    assert "|topic:b|" in signatures[1]
    assert main(["session", *files, "--show", "curve", "--at-least", "2", "-f", "csv"]) == 0
    out = capsys.readouterr().out
    assert {part for part in out.replace("\n", "|").split("|") if "at-least" in part} == {"at-least:1", "at-least:2"}
    assert main(["session", *files, "--show", "curve", "--at-least", "3"]) == 2
    assert "2 sessions, the longest of 2 queries" in capsys.readouterr().err
    assert main(["session", *files, "--topic", "c"]) == 2
    assert "log: 0 of 1 judged, 3 sessions in all" in capsys.readouterr().err


def test_last_queries_are_not_signed_as_normalised(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "q").write_text("a 0 d1 1\n")
    (tmp_path / "log.jsonl").write_text('{"session": "s", "query": 1, "topic": "a", "ranking": ["d1"]}\n')
    files = [str(tmp_path / "q"), str(tmp_path / "log.jsonl")]
    assert main(["session", *files, "--show", "last", "-m", "nsDCG"]) == 2
    assert "nsDCG has no such value" in capsys.readouterr().err
    for show in ("last", "positions"):
        assert main(["session", *files, "--show", show, "-f", "csv"]) == 0
        out = capsys.readouterr().out
        assert "normalise:" not in out
        assert out.splitlines()[0].endswith("value,signature")


def test_lengths_count_one_set_of_sessions(gaincurve: Command, logs: Path) -> None:
    (logs / "one.qrels").write_text("t1 0 a 1\nt1 0 b 1\n")  # s3 is on t2, which nobody judged
    asked = ("session", "one.qrels", "a.jsonl", "c.run", "--map", "map.tsv", "--show", "lengths")
    counts: dict[str, dict[int, int]] = {}
    for row in rows(gaincurve(*asked, "-f", "tsv").stdout):
        counts.setdefault(row["run"], {})[int(row["queries"])] = int(row["sessions"])
    assert counts == {"a": {1: 1, 2: 1}, "c": {1: 1, 2: 1}}


def test_lengths_say_how_many_queries_are_judged(gaincurve: Command, logs: Path) -> None:
    lines = [
        {"session": "s", "query": 1, "topic": "t1", "ranking": ["a"]},
        {"session": "s", "query": 2, "topic": "t9", "ranking": ["a"]},
    ]
    (logs / "mixed.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    table = gaincurve("session", "q.qrels", "mixed.jsonl", "--show", "lengths", "-f", "table").stdout
    assert "|queries:1/2|" in table


def test_several_bases_are_those_measures(gaincurve: Command, logs: Path) -> None:
    """--base and --bq with commas are every combination, signed each as the measure written out."""
    files = ("session", "q.qrels", "a.jsonl", "b.jsonl", "--show", "curve", "-f", "tsv", "--quiet")
    bases = gaincurve(*files, "-m", "sDCG", "--base", "2,10", "--bq", "2,4").stdout
    named = [f"sDCG(base={b}, bq={bq})" for b in (2, 10) for bq in (2, 4)]
    written = gaincurve(*files, *(part for name in named for part in ("-m", name))).stdout
    assert bases == written
    assert {line.split("\t")[1] for line in bases.splitlines()[1:]} == set(named)
    single = gaincurve(*files, "-m", named[1]).stdout.splitlines()
    assert set(single) <= set(bases.splitlines())


def test_reformulations_one_by_one(gaincurve: Command, logs: Path) -> None:
    done = gaincurve("session", "q.qrels", "a.jsonl", "--show", "reformulations", "-q", "-f", "jsonl", "--quiet")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert rows
    assert all(row["after"] - row["before"] == pytest.approx(row["change"]) for row in rows)
    assert all(row["signature"].startswith("single queries|") for row in rows)
