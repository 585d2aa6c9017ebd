"""Names, ids and texts that try to be markup, script or layout; data that is damaged."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from driving import choose, leaderboard, ready, settle, told
from playwright.sync_api import Browser, Page, expect
from subjects import EVIL, Report
from watched import Opener, Watched

INJECTED = """() => ({
  pwned: globalThis.pwned ?? null,
  images: document.images.length,
  scripts: document.scripts.length,
  frames: document.querySelectorAll("iframe, object, embed, base, link[rel=stylesheet]").length,
  handlers: document.querySelectorAll("[onerror], [onload], [onclick], [onfocus], [onmouseover]").length,
  links: [...document.links].filter((link) => !link.getAttribute("href").startsWith("#")).length,
})"""


@pytest.fixture(scope="module")
def opened(browser: Browser, hostile_report: Report) -> Iterator[Watched]:
    watched = Watched(browser, hostile_report.path)
    yield watched
    watched.close()


@pytest.fixture
def page(opened: Watched) -> Iterator[Page]:
    ready(opened.page).evaluate("() => { location.hash = ''; }")
    opened.page.wait_for_function("() => !gaincurve.app.current.changed")
    yield settle(opened.page)
    opened.hold()


def hold(page: Page) -> None:
    assert page.evaluate(INJECTED) == {"pwned": None, "images": 0, "scripts": 4, "frames": 0, "handlers": 0, "links": 0}


def test_nothing_becomes_more_than_text(page: Page, hostile_report: Report) -> None:
    hold(page)
    page.evaluate("() => { for (const one of document.querySelectorAll('details')) one.open = true; }")
    hold(settle(page))
    for topic in range(len(EVIL)):
        page.locator("#topic-choice").select_option(str(topic))
        settle(page)
    hold(page)
    choose(page, measure="AP", baseline=EVIL[0])
    assert len(leaderboard(page)) == len(hostile_report.experiment.runs)
    hold(page)
    page.go_back()
    hold(settle(page))


def test_numbers_are_right_whatever_the_names(page: Page, hostile_report: Report) -> None:
    found = page.evaluate(
        """() => {
          const { analysis: { comparison }, observed } = gaincurve.app.current;
          const runs = observed.runs.map((run) => run.name);
          return { runs, order: [...comparison.order], means: [...comparison.means] };
        }"""
    )
    family = hostile_report.experiment.family("nDCG@10")
    assert found["order"] == family.best_first
    assert found["means"] == pytest.approx(family.means, abs=1e-12)
    assert found["runs"][0] == EVIL[0]
    assert len(found["runs"]) == len(EVIL) == len(set(found["runs"]))


def test_ids_are_shown_as_they_are(page: Page) -> None:
    for i in (0, 1, 2, 4, 9, 10, 12):
        page.locator("#topic-choice").select_option(str(i))
        settle(page)
        assert told(page, "topic-title") == f"Topic {EVIL[i]}"
        expect(page.locator("#topic blockquote")).to_have_text(EVIL[i])
    shown = page.locator("#leaderboard tbody th bdi").all_text_contents()
    for i in (2, 3, 4, 9, 10, 12):
        assert EVIL[i] in shown
    assert all(len(name) <= 41 for name in shown)
    assert not any(re.search("[\u202a-\u202e\u2028\u2029\x07\x1b\t]", name) for name in shown)


def test_ids_stand_in_their_own_direction(page: Page) -> None:
    """What turns the writing round stays inside its element."""
    wrapped = page.evaluate(
        """() => {
          const found = [];
          const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          for (let node = walk.nextNode(); node; node = walk.nextNode()) {
            const inside = node.parentElement.closest("bdi, option, svg, script, style, [dir]");
            if (/[\\u202a-\\u202e\\u2066-\\u2069]/.test(node.data) && !inside) found.push(node.data.slice(0, 200));
          }
          return found;
        }"""
    )
    assert wrapped == []


@pytest.mark.parametrize("width", [1400, 400])
def test_ten_thousand_characters_do_not_widen_the_page(width: int, open_page: Opener, hostile_report: Report) -> None:
    page = settle(open_page(hostile_report.path, width=width))
    longest = max(range(len(EVIL)), key=lambda i: len(EVIL[i]))
    page.locator("#topic-choice").select_option(str(longest))
    page.evaluate("() => { for (const one of document.querySelectorAll('details')) one.open = true; }")
    settle(page)
    wide = page.evaluate("() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert wide[0] <= wide[1] <= width


def test_an_address_full_of_evil(open_page: Opener, hostile_report: Report) -> None:
    asked = 'topic=<img src=x onerror="window.pwned=9">&gains=__proto__&off=constructor'
    hold(settle(open_page(hostile_report.path, fragment=asked)))


def test_the_policy_stops_a_script_that_got_in(hostile_report: Report, open_page: Opener, tmp_path: Path) -> None:
    """Were an id to become markup after all, it still could not run or send: the browser says so on the console."""
    text = hostile_report.path.read_text("utf-8")
    spoiled = tmp_path / "spoiled.html"
    evil = "<script>window.pwned=1</script><img src=x onerror='window.pwned=2'>"
    spoiled.write_text(text.replace("<main>", f"<main>{evil}", 1), "utf-8")
    watched: list[str] = []
    page = open_page(tmp_path / "spoiled.html", held=False)
    page.on("console", lambda message: watched.append(message.text))
    page.reload()
    settle(page)
    assert page.evaluate("() => globalThis.pwned ?? null") is None
    assert any("Content Security Policy" in text for text in watched)


DATA = re.compile(r'(<script type="text/plain" id="observed">)([^<]*)(</script>)')


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[: len(data) // 2],
        lambda data: "",
        lambda data: "%%%" + data[3:],
        lambda data: data[:200] + data[400:],
    ],
    ids=["cut short", "empty", "no base64", "a piece lost"],
)
def test_damaged_data_is_told(
    damage: Callable[[str], str], open_page: Opener, demo_report: Report, tmp_path: Path
) -> None:
    text = demo_report.path.read_text("utf-8")
    spoiled = tmp_path / "damaged.html"
    spoiled.write_text(DATA.sub(lambda found: found[1] + damage(found[2]) + found[3], text), "utf-8")
    page = settle(open_page(spoiled))
    expect(page.locator("#problem")).to_be_visible()
    expect(page.locator("#problem")).to_contain_text("cannot be read")
    expect(page.locator("#problem")).to_have_attribute("role", "alert")
    for name in ("verdict", "leaderboard", "pairs"):
        expect(page.locator(f"#{name}")).to_be_visible()
    assert [one for one in page.locator("form select, form input, figure.chart svg").all() if one.is_visible()] == []
