"""The panel of sessions in Chromium: its own controls, the page's controls, names that try to be something else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from driving import chart, choose, number, settle, texts, told
from playwright.sync_api import Page
from subjects import EVIL
from watched import Opener

from gaincurve import Judgments, read_judgments, read_sessions, report
from gaincurve.cli import main
from gaincurve.demo.sessions import make_sessions
from gaincurve.model.scores import Scores
from gaincurve.model.sessions.objects import sessions_from_records
from gaincurve.verbs.compare import compare
from gaincurve.verbs.sessions.evaluate import evaluate_sessions

SYSTEMS = ("keywords", "semantic")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's sessions: judgments, a log for each system, and a page about them beside one run of their tasks."""
    home = tmp_path_factory.mktemp("sessions")
    made = make_sessions()
    (home / "tasks.qrels").write_text(made.qrels)
    for name, text in made.logs.items():
        (home / f"{name}.jsonl").write_text(text)
    lines = [line.split() for line in made.qrels.splitlines()]
    (home / "one.run").write_text(
        "".join(f"{topic} Q0 {document} 1 {i} x\n" for i, (topic, _, document, _) in enumerate(lines))
    )
    logs = [word for name in SYSTEMS for word in ("--sessions", home / f"{name}.jsonl")]
    asked = ["report", home / "tasks.qrels", home / "one.run", *logs, "-o", home / "page.html", "--quiet"]
    assert main([str(word) for word in asked]) == 0
    return home


def python(folder: Path, **choices: Any) -> Scores:
    logs = [read_sessions(folder / f"{name}.jsonl") for name in SYSTEMS]
    return evaluate_sessions(read_judgments(folder / "tasks.qrels"), logs, ["nsDCG", "sDCG"], **choices)


def shows(page: Page, expected: Scores) -> None:
    """The table of systems, the sentence and the signatures are those of Python."""
    settle(page)
    rows = {cells[0]: [number(cells[1]), number(cells[2])] for cells in texts(page, "#session-systems tbody tr")}
    means = expected.summary()
    assert rows == {name: [round(means[name][m], 4) for m in ("nsDCG", "sDCG")] for name in SYSTEMS}
    signatures = page.locator("[data-signature]").all_text_contents()
    assert signatures == list(expected.signatures)
    family = compare(expected.scores).families[0]
    assert page.locator("#sessions .told").text_content() == family.words


def test_the_panel_starts_with_the_choices_of_sessions(folder: Path, open_page: Opener) -> None:
    page = settle(open_page(folder / "page.html"))
    shows(page, python(folder))
    assert "scenario session" in told(page, "session-choices")
    for name in ("session-curve", "session-last"):
        assert chart(page, name).locator("svg").count() >= 1
        assert chart(page, name).locator(".plot").get_attribute("aria-label")


def test_its_own_controls_change_the_panel(folder: Path, open_page: Opener) -> None:
    page = settle(open_page(folder / "page.html"))
    page.locator("#session-bq").fill("inf")
    shows(page, python(folder, bq="inf"))
    page.locator("#session-bq").fill("one")
    assert "above 1" in told(page, "error-bq")
    shows(page, python(folder, bq="inf"))  # what is wrong changes nothing
    page.locator("#session-query_discount").select_option("rank")
    shows(page, python(folder, query_discount="rank"))
    assert page.locator("#session-bq").is_disabled()
    page.locator("#session-shown").select_option("sDCG")
    settle(page)
    assert "sDCG" in (chart(page, "session-curve").locator("figcaption").text_content() or "")


def test_it_follows_the_controls_of_the_page(folder: Path, open_page: Opener) -> None:
    page = settle(open_page(folder / "page.html"))
    choose(page, depth=5)
    shows(page, python(folder, depth=5))
    choose(page, discount="kanoulas2011", base=3)
    shows(page, python(folder, depth=5, discount="kanoulas2011", base=3))
    assert "discount and cutoff do so now" in told(page, "session-choices")


def test_names_of_systems_and_sessions_stay_text(open_page: Opener, tmp_path: Path) -> None:
    judgments = {evil: {"a": 2, "b": 1} for evil in EVIL}
    logs = [
        sessions_from_records(
            [{"session": f"{evil}{r}", "query": 1, "topic": evil, "ranking": ["b", "a"][r:]} for evil in EVIL], name
        )
        for r, name in enumerate(EVIL[:2])
    ]
    made = report(Judgments.of(judgments), {"run": {evil: ["a"] for evil in EVIL}}, tmp_path / "p.html", sessions=logs)
    assert "sessions" in [panel.id for panel in made.page.panels]
    page = settle(open_page(tmp_path / "p.html"))
    assert [cells[0] for cells in texts(page, "#session-systems tbody tr")] != []
    assert page.evaluate("() => window.pwned ?? null") is None
    assert page.locator("#panel-sessions img").count() == 0


def test_the_address_keeps_the_choices_of_sessions(folder: Path, open_page: Opener) -> None:
    page = settle(open_page(folder / "page.html"))
    page.locator("#session-bq").fill("2")
    page.locator("#session-shown").select_option("sDCG")
    page.wait_for_function("location.hash.includes('session_curve')")
    fragment = page.evaluate("location.hash")
    assert fragment == "#bq=2&session_curve=sDCG"
    page.evaluate("location.hash = '#bq=inf&query_discount=jk2002'")
    page.wait_for_function("document.getElementById('session-bq').value === 'inf'")
    assert page.locator("#session-query_discount").input_value() == "jk2002"
    shows(page, python(folder, query_discount="jk2002", bq="inf"))
    page.evaluate("location.hash = '#bq=1'")
    page.wait_for_function("!document.getElementById('problem').hidden")
    assert "bq=1" in told(page, "problem")
    assert page.locator("#session-bq").input_value() == "4"
