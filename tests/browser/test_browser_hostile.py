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

from gaincurve import report
from gaincurve.model.names import elided
from gaincurve.page.labels import WIDTH

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
        assert elided(EVIL[i], WIDTH) in shown
    assert all(len(name) <= WIDTH for name in shown)
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


SAME = "collection-robust04-retrieval-with-a-learned-sparse-mode"


@pytest.mark.parametrize("width", [1400, 400])
@pytest.mark.parametrize("at", [0, 28, 56], ids=["start", "middle", "end"])
def test_names_of_sixty_letters_stay_apart(at: int, width: int, open_page: Opener, tmp_path: Path) -> None:
    """In every table and list of the page what tells two names apart is there, and the layout does not hide it."""
    parts = ("bm25", "lsi2", "sp-1")
    names = [SAME[:at] + part + SAME[at:] for part in parts]
    judged = {f"t{i}": {"a": 2, "b": 1, "c": 0} for i in range(4)}
    orders = (["a", "b", "c"], ["b", "a", "c"], ["c", "a", "b"])
    lists = {name: dict.fromkeys(judged, order) for name, order in zip(names, orders, strict=True)}
    path = tmp_path / "long.html"
    report(judged, lists, path)
    page = settle(open_page(path, width=width))
    seen = page.evaluate(
        """(selectors) => selectors.map((selector) => [...document.querySelectorAll(selector)].map((one) => {
          const cut = [one, ...one.querySelectorAll("span")].some((part) => part.scrollWidth > part.clientWidth + 1
            && getComputedStyle(part).overflow === "hidden");
          return [one.textContent, cut];
        }))""",
        ["#leaderboard tbody bdi", "#health tbody bdi", "#switches bdi", "#control-baseline option:not(:first-child)"],
    )
    for found in seen:
        assert len(found) == 3
        assert sorted(part for text, _ in found for part in parts if part in text) == sorted(parts)
        assert not any(cut for _, cut in found)


def test_an_id_that_is_cut_keeps_its_end(open_page: Opener, tmp_path: Path) -> None:
    documents = [f"msmarco_v2.1_doc_13_{'0123456789' * 8}#{i}" for i in range(3)]
    path = tmp_path / "ids.html"
    report({"q": dict.fromkeys(documents, 1)}, {"run": {"q": documents}}, path)
    page = settle(open_page(path))
    tails = page.locator("#topic .ranking li bdi.long > span:last-child").all_text_contents()
    assert tails == [f"{'0123456789'}#{i}" for i in range(3)]
    for tail in page.locator("#topic .ranking li bdi.long > span:last-child").all():
        box, around = tail.bounding_box(), tail.locator("xpath=..").bounding_box()
        assert box is not None
        assert around is not None
        assert box["x"] + box["width"] <= around["x"] + around["width"] + 1
