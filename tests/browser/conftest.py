"""One browser for all tests here, reports made once, pages that are watched: nothing leaves, the console is empty."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import programs
import pytest
from driving import ready, settle
from needed import need
from playwright.sync_api import Browser, Page, sync_playwright
from subjects import EVIL, Report, from_files, hostile, write_demo, write_large
from watched import Opener, Watched

from gaincurve import report
from gaincurve.cli import main


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A browser with a profile of its own, which ends with the tests."""
    path = need(programs.BROWSER)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=programs.flags())
        yield started
        started.close()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Opener]:
    """Open a report, by its path or as HTML, in a context of its own; `Watched` says how, and what is held after it."""
    opened: list[Watched] = []

    def open_(report: Path | str, **how: object) -> Page:
        opened.append(Watched(browser, report, **how))  # type: ignore[arg-type]
        return opened[-1].page

    yield open_
    for one in opened:
        one.close()
    for one in opened:
        if one.held:
            one.hold()


@pytest.fixture(scope="session")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the reports of this session stand."""
    return tmp_path_factory.mktemp("reports")


def by_command(folder: Path, qrels: Path, runs: list[Path], *options: object) -> Report:
    """A report as the command writes it."""
    page = folder / "report.html"
    asked = ["report", qrels, *runs, "-o", page, "--quiet", *options]
    assert main([str(word) for word in asked]) == 0
    return Report(page, from_files(qrels, runs), qrels, tuple(runs))


@pytest.fixture(scope="session")
def demo_report(reports: Path) -> Report:
    """The demo's experiment: 50 topics, four systems that tie, lack judgments, win for different users; with texts."""
    folder = reports / "demo"
    qrels, runs = write_demo(folder)
    topics = folder / "topics.tsv"
    topics.write_text("".join(f"{t}\twhat is known about subject {t}\n" for t in range(1, 50)))  # one has no text
    return by_command(folder, qrels, runs, "--topics", topics)


@pytest.fixture(scope="session")
def pair_report(reports: Path) -> Report:
    """Two of the demo's systems on a few topics: one comparison, no letters, no correction."""
    folder = reports / "pair"
    qrels, runs = write_demo(folder, topics=8)
    return by_command(folder, qrels, runs[:2], "-m", "AP", "--baseline", "sharp")


@pytest.fixture(scope="session")
def single_report(reports: Path) -> Report:
    """One run: nothing to compare."""
    folder = reports / "single"
    qrels, runs = write_demo(folder, topics=5)
    return by_command(folder, qrels, runs[:1])


@pytest.fixture(scope="session")
def hostile_report(reports: Path) -> Report:
    """Names, ids and texts that try to be something else."""
    found = hostile()
    page = reports / "hostile.html"
    documents = {
        document: evil for judged in found.judgments.values() for document, evil in zip(judged, EVIL, strict=True)
    }
    report(found.judgments, found.runs, page, topics=dict(zip(EVIL, EVIL, strict=True)), docs=documents, title=EVIL[0])
    return Report(page, found)


@pytest.fixture(scope="session")
def large_report(reports: Path) -> Report:
    """1 000 topics, 10 runs, depth 100."""
    folder = reports / "large"
    return by_command(folder, *write_large(folder))


@pytest.fixture(scope="module")
def shared_demo(browser: Browser, demo_report: Report) -> Iterator[Watched]:
    """The demo's page, opened once a module."""
    watched = Watched(browser, demo_report.path)
    yield watched
    watched.close()


@pytest.fixture
def demo(shared_demo: Watched) -> Iterator[Page]:
    """The demo's page as it was written, whatever the test before did to it; watched like the others.

    Verdict and leaderboard are there at once; `drawn` also waits for the charts and the other tables.
    """
    page = shared_demo.page
    ready(page).evaluate("() => { location.hash = ''; }")
    page.wait_for_function("() => !gaincurve.app.current.changed")
    yield page
    shared_demo.hold()


@pytest.fixture
def drawn(demo: Page) -> Page:
    """The same with every part drawn."""
    return settle(demo)
