"""A thousand topics: the page opens, answers, and stays within reason."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from driving import choose, leaderboard, settle, told
from playwright.sync_api import Browser, Page
from subjects import Report
from watched import Watched

MEGABYTE = 1_000_000


def test_sizes_of_the_files(demo_report: Report, large_report: Report) -> None:
    assert demo_report.path.stat().st_size < 1.5 * MEGABYTE
    assert large_report.path.stat().st_size < 8 * MEGABYTE


@pytest.fixture(scope="module")
def opened(browser: Browser, large_report: Report) -> Iterator[Watched]:
    watched = Watched(browser, large_report.path)
    yield watched
    watched.close()


@pytest.fixture
def page(opened: Watched) -> Iterator[Page]:
    yield settle(opened.page)
    opened.hold()


def test_a_thousand_topics_open_and_follow_the_controls(page: Page, large_report: Report) -> None:
    family = large_report.experiment.family("nDCG@10")
    assert told(page, "verdict") == family.words
    choose(page, discount="jk2002", base=2, depth=20)
    family = large_report.experiment.family("nDCG@20", discount="jk2002", base=2)
    assert told(page, "verdict") == family.words
    assert [place.run for place in leaderboard(page)] == [family.runs[r] for r in family.best_first]
    assert [place.letters for place in leaderboard(page)] == [family.groups[r] for r in family.best_first]
    choose(page, measure="AP", unjudged="condensed")
    assert told(page, "verdict") == large_report.experiment.family("AP", unjudged="condensed").words


def test_one_of_a_thousand_topics(page: Page) -> None:
    page.locator("#topic-search").fill("777")
    page.locator('#topics-table [data-topic="777"]').click()
    assert told(settle(page), "topic-title") == "Topic 777"
    assert page.locator("#topic .ranking").count() == 10


def test_the_document_stays_small(page: Page) -> None:
    """Tables are cut and drawn when opened, so a thousand topics do not become a hundred thousand elements."""
    assert page.evaluate("() => document.querySelectorAll('*').length") < 40_000
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    used = session.send("Runtime.getHeapUsage")["usedSize"]
    assert used < 300 * MEGABYTE
