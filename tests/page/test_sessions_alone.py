"""A page about sessions without single lists: from Python and from the command line, with what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import gaincurve as gc
from gaincurve.cli import main
from gaincurve.demo.sessions import make_sessions
from gaincurve.errors import InputError
from gaincurve.model.sessions.objects import sessions_from_records


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("alone")
    made = make_sessions()
    (home / "tasks.qrels").write_text(made.qrels)
    for name, text in made.logs.items():
        (home / f"{name}.jsonl").write_text(text)
    return home


def test_both_doors_make_the_same_page(home: Path) -> None:
    logs = [home / "keywords.jsonl", home / "semantic.jsonl"]
    for name, words in {"a": [*logs, "-m", "nsDCG"], "b": ["--sessions", logs[0], "--sessions", logs[1]]}.items():
        asked = ["report", home / "tasks.qrels", *words, "-o", home / f"{name}.html", "--quiet"]
        assert main([str(word) for word in asked]) == 0
    pages = [(home / f"{name}.html").read_text("utf-8").split('id="command"') for name in "ab"]
    assert pages[0][0] == pages[1][0]
    judgments = gc.read_judgments(home / "tasks.qrels")
    page = gc.report(judgments, sessions=[gc.read_sessions(path) for path in logs]).page
    assert page.verdict in pages[0][0]
    assert page.provenance.command == "gaincurve.report(judgments, sessions=sessions)"
    assert [panel.id for panel in page.panels] == ["verdict", "controls", "sessions", "provenance"]


def test_numbers_are_those_of_compare(home: Path) -> None:
    judgments = gc.read_judgments(home / "tasks.qrels")
    logs = [gc.read_sessions(home / f"{name}.jsonl") for name in ("keywords", "semantic")]
    page = gc.report(judgments, sessions=logs, session_scenario="session2008", depth=5).page
    scores = gc.evaluate_sessions(judgments, logs, ["nsDCG", "sDCG"], scenario="session2008", depth=5)
    family = gc.compare(scores.of("nsDCG")).families[0]
    assert page.verdict == family.words
    means = scores.summary()
    assert {row.run: (row.mean, row.others) for row in page.leaderboard.rows} == {
        name: (f"{means[name]['nsDCG']:.4f}", (f"{means[name]['sDCG']:.4f}",)) for name in means
    }
    assert page.settings["depth"] == 5
    assert page.settings["discount"] == "jarvelin2008"
    assert any("Welch" in text for text in page.provenance.methods)


@pytest.mark.parametrize("systems", [1, 2, 3])
@pytest.mark.parametrize("sessions", [1, 2, 30])
def test_few_systems_and_few_sessions(systems: int, sessions: int) -> None:
    records = [
        {"session": f"s{s}", "query": q, "topic": "t", "ranking": ["a", "b"][(s + q) % 2 :]}
        for s in range(sessions)
        for q in (1, 2)
    ]
    logs = [sessions_from_records(records, f"system {i}") for i in range(systems)]
    page = gc.report({"t": {"a": 1, "b": 2}}, sessions=logs).page
    assert len(page.leaderboard.rows) == systems
    assert page.verdict


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "Missing argument 'RUN...'"),
        (["LOGS", "-m", "nsDCG", "--topics", "x.tsv"], "--topics belongs to a page with runs"),
        (["LOGS", "-m", "nsDCG", "--session-scenario", "session2008"], "belongs to a page with runs: --scenario"),
        (["LOGS", "-m", "nsDCG", "--baseline", "nobody"], "there is no run 'nobody'"),
        (["LOGS", "-m", "sDCG"], "decides by nsDCG"),
        (["--sessions", "LOG", "-m", "AP"], "-m AP: a page about sessions decides by nsDCG"),
    ],
)
def test_what_is_refused(home: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], told: str) -> None:
    logs = {"LOGS": [str(home / "keywords.jsonl"), str(home / "semantic.jsonl")], "LOG": [str(home / "keywords.jsonl")]}
    words = [word for argument in arguments for word in logs.get(argument, [argument])]
    assert main(["report", str(home / "tasks.qrels"), *words, "-o", str(home / "no.html")]) == 2
    assert told in capsys.readouterr().err
    assert not (home / "no.html").exists()


def test_nothing_at_all_is_refused() -> None:
    with pytest.raises(InputError, match="no run and no sessions"):
        gc.report({"t": {"a": 1}})
