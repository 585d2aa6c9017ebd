"""A page about sessions alone in Chromium: verdict, panel and controls are those of sessions, and nothing else is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from driving import choose, settle
from watched import Opener

from gaincurve import read_judgments, read_sessions
from gaincurve.cli import main
from gaincurve.demo.sessions import make_sessions
from gaincurve.model.scores import Scores
from gaincurve.verbs.compare import compare
from gaincurve.verbs.sessions.evaluate import evaluate_sessions

SYSTEMS = ("keywords", "semantic")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's sessions, and a page about nothing else."""
    home = tmp_path_factory.mktemp("alone")
    made = make_sessions()
    (home / "tasks.qrels").write_text(made.qrels)
    for name, text in made.logs.items():
        (home / f"{name}.jsonl").write_text(text)
    logs = [home / f"{name}.jsonl" for name in SYSTEMS]
    asked = ["report", home / "tasks.qrels", *logs, "-m", "nsDCG", "--scenario", "session2008"]
    assert main([str(word) for word in (*asked, "-o", home / "page.html", "--quiet")]) == 0
    return home


def python(home: Path, **choices: Any) -> Scores:
    logs = [read_sessions(home / f"{name}.jsonl") for name in SYSTEMS]
    return evaluate_sessions(read_judgments(home / "tasks.qrels"), logs, ["nsDCG", "sDCG"], **choices)


def test_it_has_a_verdict_controls_sessions_and_provenance(home: Path, open_page: Opener) -> None:
    page = settle(open_page(home / "page.html"))
    found = page.locator("section.panel").evaluate_all("all => all.map((one) => one.id)")
    assert set(found) == {"panel-controls", "panel-verdict", "panel-sessions", "panel-provenance"}
    words = compare(python(home, scenario="session2008").of("nsDCG").scores).families[0].words
    assert page.locator("#verdict").text_content() == words
    assert page.locator("#sessions .told").text_content() == words
    assert page.locator("#control-measure").count() == 0
    assert page.locator("#control-rel").count() == 0
    assert page.locator("#control-depth").input_value() == "10"
    assert page.locator("#control-discount").input_value() == "jarvelin2008"
    assert page.locator("#as-written").is_hidden()


def test_the_verdict_follows_the_controls_and_comes_back(home: Path, open_page: Opener) -> None:
    page = settle(open_page(home / "page.html"))
    written = page.locator("#verdict").text_content()
    settle(choose(page, depth=3))
    words = compare(python(home, scenario="session2008", depth=3).of("nsDCG").scores).families[0].words
    assert page.locator("#verdict").text_content() == words
    assert words != written
    assert page.locator("#as-written").text_content() == f"As written: {written}"
    page.locator("#reset").click()
    settle(page)
    assert page.locator("#verdict").text_content() == written
    assert page.locator("#as-written").is_hidden()
    page.locator("#session-query_discount").select_option("none")
    settle(page)
    flat = compare(python(home, scenario="session2008", query_discount="none").of("nsDCG").scores).families[0].words
    assert page.locator("#verdict").text_content() == flat


def test_without_scripts_the_table_as_written_stands(home: Path) -> None:
    text = (home / "page.html").read_text("utf-8")
    scores = python(home, scenario="session2008")
    for name in SYSTEMS:
        assert f"{scores.summary()[name]['nsDCG']:.4f}" in text
    assert "Discounted cumulated gain based evaluation of multiple-query IR sessions" in text
    assert "2 systems, 60 sessions, 144 queries and 60 sessions, 143 queries" in text
