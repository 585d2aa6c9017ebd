"""What logged sessions show of rules: one set of sessions, one rule for unjudged queries, what a test ran over."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import beside
import pytest

from gaincurve.demo.sessions import make_sessions

Command = Callable[..., "CompletedProcess[str]"]

CAST, TRACK = beside.DATA / "cast2021", beside.DATA / "session2013"
LOG, BM25 = TRACK / "sessiontrack2013.xml.gz", TRACK / "bm25.run.gz"


def rows(done: CompletedProcess[str]) -> list[dict[str, str]]:
    assert done.returncode == 0, done.stderr
    return list(csv.DictReader(io.StringIO(done.stdout), delimiter="\t"))


@beside.needs("cast2021")
@pytest.mark.parametrize(("rule", "mean", "over"), [("zero", 0.7194, 19), ("skip", 1.3668, 10)])
def test_last_turns_that_nobody_judged_follow_one_rule_everywhere(
    gaincurve: Command, rule: str, mean: float, over: int
) -> None:
    """9 of 19 last turns of CAsT 2021 are not judged: both means are right, each under its name."""
    asked = ("session", CAST / "qrels.txt", CAST / "org_manual_ance.run.gz", "--unjudged-queries", rule, "--quiet")
    last = [row for row in rows(gaincurve(*asked, "--show", "last")) if (row["queries"], row["rank"]) == ("last", "10")]
    assert float(last[0]["value"]) == pytest.approx(mean, abs=5e-5)
    assert f"|unjudged-queries:{rule}|" in last[0]["signature"]
    assert "|queries:158/185|" in last[0]["signature"]
    scored = rows(gaincurve(*asked, "-m", "sDCG(score='last')"))[0]
    assert f"|sessions:{over}/26|" in scored["signature"]
    eleventh = [row for row in rows(gaincurve(*asked, "--show", "positions")) if row["query"] == "11"]
    assert {row["over"] for row in eleventh} == {"6" if rule == "zero" else "2"}  # DCG and nDCG alike
    table = gaincurve(*asked, "--show", "last", "-f", "table").stdout
    assert f"org_manual_ance: {over} last and" in table


@beside.needs("session2013")
def test_a_log_and_a_run_are_counted_over_the_same_sessions(gaincurve: Command) -> None:
    found = rows(gaincurve("session", TRACK / "qrels.txt", LOG, BM25, "--show", "lengths", "--quiet"))
    totals = {
        run: sum(int(row["sessions"]) for row in found if row["run"] == run) for run in ("sessiontrack2013", "bm25")
    }
    assert totals == {"sessiontrack2013": 116, "bm25": 116}
    assert all("|sessions:116|" in row["signature"] for row in found)


@beside.needs("session2013")
def test_lists_cut_at_clicks_are_not_held_against_lists_that_are_not(gaincurve: Command) -> None:
    done = gaincurve("session", TRACK / "qrels.txt", LOG, BM25, "--scan", "clicks", "-m", "nsDCG")
    assert (done.returncode, done.stdout) == (2, "")
    assert "cuts the lists of sessiontrack2013, but not those of bm25, which records no clicks" in done.stderr


@beside.needs("session2013")
def test_a_test_says_over_how_many_sessions_or_topics_it_ran(gaincurve: Command) -> None:
    asked = ("compare", TRACK / "qrels.txt", LOG, BM25, "-m", "nsDCG", "-f", "table")
    done = gaincurve(*asked)
    assert "t-test over 116 sessions" in done.stdout
    assert "116 topics" not in done.stdout
    assert "note[session-dependence]: 116 sessions on 49 topics" in done.stderr
    by_topic = gaincurve(*asked, "--unit", "topic")
    assert "t-test over 49 topics (means of their sessions)" in by_topic.stdout


def test_the_last_queries_of_the_demo_are_signed_as_what_they_are(gaincurve: Command, tmp_path: Path) -> None:
    """45.4954 is a discounted gain: it was once signed as a normalised measure."""
    made = make_sessions()
    (tmp_path / "tasks.qrels").write_text(made.qrels)
    (tmp_path / "keywords.jsonl").write_text(made.logs["keywords"])
    asked = ("session", tmp_path / "tasks.qrels", tmp_path / "keywords.jsonl", "--scenario", "session2008")
    at_end = next(row for row in rows(gaincurve(*asked, "--show", "last", "--quiet")) if row["rank"] == "10")
    assert float(at_end["value"]) == pytest.approx(45.4954, abs=5e-5)
    assert at_end["signature"].startswith("single queries|gain:0-1-10-100|")
    assert "normalise" not in at_end["signature"]
    assert "|ideal:" not in at_end["signature"]
    done = gaincurve(*asked, "--show", "last", "-m", "nsDCG")
    assert (done.returncode, done.stdout) == (2, "")
    by_topic = {topic: json.loads(gaincurve(*asked, "--topic", topic, "-f", "json").stdout) for topic in "AD"}
    signatures = {topic: found["measures"][0]["signature"] for topic, found in by_topic.items()}
    assert all(f"|topic:{topic}|" in signature for topic, signature in signatures.items())
