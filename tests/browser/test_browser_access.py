"""The page for everyone: by keyboard, by screen reader, in the dark, on paper, on a telephone, without scripting."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from driving import choose, fragment, leaderboard, ready, settle, texts, told
from playwright.sync_api import Page, expect
from subjects import Report
from watched import Opener

WIDTHS = (1400, 900, 400)
RULES = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]},
    "resultTypes": ["violations"],
}
FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex='0']"


def open_everything(page: Page) -> Page:
    """Every part drawn and every table behind a chart open."""
    page.evaluate("() => { for (const one of document.querySelectorAll('details')) one.open = true; }")
    return settle(page)


@pytest.mark.parametrize(
    ("width", "dark", "fragment"),
    [(1400, False, ""), (400, True, ""), (1400, False, "measure=P")],
    ids=["wide and light", "narrow and dark", "controls without effect"],
)
def test_axe_finds_nothing(width: int, dark: bool, fragment: str, open_page: Opener, demo_report: Report) -> None:
    """Names, roles, structure and contrast of the whole page, with one table of each kind open."""
    page = settle(open_page(demo_report.path, width=width, dark=dark, fragment=fragment))
    for details in ("#controls-box", 'figure[data-chart="recall"] details', "#topic .ranking details:last-of-type"):
        page.locator(details).first.evaluate("(details) => { details.open = true; }")
    found = Axe().run(page, options=RULES).response
    told = [
        f"{one['id']}: {one['help']}\n    " + "\n    ".join(str(node["html"])[:160] for node in one["nodes"][:4])
        for one in found["violations"]
    ]
    assert not told, "\n".join(told)
    assert len(found["passes"]) > 20


def test_every_chart_tells_a_screen_reader_its_main_number(drawn: Page) -> None:
    plots = drawn.evaluate(
        """() => [...document.querySelectorAll("figure.chart .plot")].map((plot) => ({
          name: plot.closest("figure").dataset.chart,
          role: plot.getAttribute("role"),
          label: plot.getAttribute("aria-label") ?? "",
        }))"""
    )
    assert len(plots) >= 12
    for plot in plots:
        assert plot["role"] == "img", plot
        assert len(plot["label"]) > 30, plot
        assert re.search(r"\d", plot["label"]), plot
        assert "NaN" not in plot["label"]
        assert "undefined" not in plot["label"]
    assert len({plot["label"] for plot in plots}) == len(plots)


def test_headings_step_down_one_level_at_a_time(drawn: Page) -> None:
    levels = drawn.evaluate("() => [...document.querySelectorAll('h1, h2, h3, h4')].map((h) => Number(h.tagName[1]))")
    assert levels.count(1) == 1
    assert all(later - earlier <= 1 for earlier, later in pairwise(levels))


def test_the_verdict_is_announced_when_it_changes(drawn: Page) -> None:
    assert drawn.locator("#verdict").get_attribute("aria-live") == "polite"


def test_tab_reaches_every_control(drawn: Page) -> None:
    """From the top, Tab alone comes to everything that can be used and is seen, in the order of the page."""
    drawn.evaluate("() => { scrollTo(0, 0); document.activeElement?.blur(); }")
    wanted = drawn.evaluate(
        f"""() => [...document.querySelectorAll("{FOCUSABLE}")].filter((one) =>
          !one.disabled && one.checkVisibility() && !one.closest("details:not([open]) > :not(summary)")
        ).map((one, i) => (one.dataset.tabTest = String(i)))"""
    )
    reached = []
    for _ in range(len(wanted) + 20):
        drawn.keyboard.press("Tab")
        at = drawn.evaluate("() => document.activeElement.dataset.tabTest ?? null")
        if at is None or at in reached:
            break
        reached.append(at)
    assert set(wanted) - set(reached) == set()
    assert [int(at) for at in reached] == sorted(int(at) for at in reached)


def test_what_has_the_focus_is_seen(drawn: Page) -> None:
    """The focus ring of a button, a field, a link and a table's box."""
    for selector in ("#reset", "#control-depth", "nav a", "#panel-pairs .table-box", "#topics-table [data-sort]"):
        choose(drawn, depth=9)  # so that the way back is open
        drawn.locator(selector).first.scroll_into_view_if_needed()
        settle(drawn)  # a table that comes into sight is drawn anew, and a new one has no focus
        drawn.locator(selector).first.focus()
        drawn.keyboard.press("Shift+Tab")
        drawn.keyboard.press("Tab")  # the ring of the keyboard
        ring = drawn.evaluate(
            """(selector) => {
              const at = document.activeElement;
              const { outlineWidth, outlineStyle: kind, boxShadow: shadow } = getComputedStyle(at);
              return { mine: at.matches(selector), width: parseFloat(outlineWidth), kind, shadow };
            }""",
            selector,
        )
        assert ring["mine"], selector
        assert (ring["kind"] != "none" and ring["width"] >= 1) or ring["shadow"] != "none", (selector, ring)


def test_the_keyboard_alone_changes_the_user_and_opens_a_topic(drawn: Page, demo_report: Report) -> None:
    drawn.locator('[data-scenario="busy"]').focus()
    drawn.keyboard.press("Enter")
    assert fragment(settle(drawn))["depth"] == "30"
    drawn.locator('[data-scenario="default"]').focus()
    drawn.keyboard.press("Space")
    assert fragment(settle(drawn)) == {}
    drawn.locator("#control-measure").focus()
    drawn.keyboard.type("RR")
    drawn.keyboard.press("Enter")
    settle(drawn)
    assert told(drawn, "verdict") == demo_report.experiment.family("RR").words
    drawn.locator('#switches input[data-run="broad"]').focus()
    drawn.keyboard.press("Space")
    assert fragment(settle(drawn))["off"] == "broad"
    drawn.locator('#topics-table [data-topic="12"]').focus()
    drawn.keyboard.press("Enter")
    assert told(settle(drawn), "topic-title") == "Topic 12"
    assert drawn.evaluate("() => document.activeElement.id") == "panel-topic"
    drawn.locator('figure[data-chart="recall"] summary').focus()
    drawn.keyboard.press("Enter")
    expect(drawn.locator('figure[data-chart="recall"] details table')).to_be_visible()
    drawn.keyboard.press("Enter")
    expect(drawn.locator('figure[data-chart="recall"] details table')).to_be_hidden()


def test_skip_leads_to_the_verdict(open_page: Opener, demo_report: Report) -> None:
    page = ready(open_page(demo_report.path))
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_text("Skip to the verdict")
    expect(page.locator(":focus")).to_be_in_viewport()
    page.keyboard.press("Enter")
    assert page.evaluate("() => document.activeElement.id") == "panel-verdict"


def test_without_scripting_the_tables_stand(open_page: Opener, demo_report: Report) -> None:
    page = open_page(demo_report.path, scripting=False)
    family = demo_report.experiment.family("nDCG@10")
    for name in ("verdict", "leaderboard", "signature", "pairs", "provenance"):
        place = f"#{name}" if name != "provenance" else "#panel-provenance"
        expect(page.locator(place)).to_be_visible()
    assert page.locator("#leaderboard tbody tr").count() == 4
    assert page.locator("#pairs tbody tr").count() == 6
    rows = page.locator("#leaderboard tbody tr").all()
    assert [row.locator("th").inner_text() for row in rows] == [family.runs[r] for r in family.best_first]
    for selector in ("#inputs tbody tr", "#signatures tbody tr", "#command", "#bibtex", "#methods p"):
        assert page.locator(selector).first.is_visible(), selector
    expect(page.locator("noscript p")).to_be_visible()
    expect(page.locator("noscript p")).to_contain_text("Scripting is off")
    for selector in ("button", "input", "select", "form", "figure", "canvas"):
        assert [one for one in page.locator(selector).all() if one.is_visible()] == [], selector
    for heading in page.locator("h2").all():
        assert not heading.is_visible() or heading.inner_text() in {
            "Verdict", "All pairs", "Judgment health", "Provenance",
        }  # fmt: skip


def test_tables_of_python_and_of_the_page_are_the_same(open_page: Opener, drawn: Page, demo_report: Report) -> None:
    """What is read without scripting is what is read with it."""
    without = open_page(demo_report.path, scripting=False)
    still = [row.locator("th, td").all_text_contents() for row in without.locator("#pairs tbody tr").all()]
    assert [[text.strip() for text in row] for row in still] == texts(drawn, "#pairs tbody tr")


CONTRAST = (Path(__file__).parent / "contrast.js").read_text("utf-8")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_words_in_charts_can_be_read(dark: bool, open_page: Opener, demo_report: Report) -> None:
    """Axe does not look at the words in figures: 4.5 to 1 against what they stand on."""
    found = settle(open_page(demo_report.path, dark=dark)).evaluate(CONTRAST)["charts"]
    assert len(found) > 100
    assert sorted({(one["chart"], round(one["ratio"], 2)) for one in found if one["ratio"] < 4.5}) == []


def test_dark_is_dark(open_page: Opener, demo_report: Report) -> None:
    light, dark = (ready(open_page(demo_report.path, dark=one)).evaluate(CONTRAST) for one in (False, True))
    assert light["paper"] > 0.8
    assert light["ink"] < 0.2
    assert dark["paper"] < 0.1
    assert dark["ink"] > 0.5


STROKES = """() => [...document.querySelectorAll('figure[data-chart="curve-nDCG"] svg path[stroke]')]
  .map((path) => path.getAttribute("stroke"))"""


def test_the_button_turns_the_light_on_and_off(open_page: Opener, demo_report: Report) -> None:
    page = settle(open_page(demo_report.path))
    before = page.evaluate(STROKES)
    page.locator("#theme").click()
    assert settle(page).evaluate(CONTRAST)["paper"] < 0.1
    assert page.evaluate(STROKES) != before
    page.locator("#theme").click()
    assert settle(page).evaluate(CONTRAST)["paper"] > 0.8
    assert page.evaluate(STROKES) == before


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_on_paper(dark: bool, open_page: Opener, demo_report: Report) -> None:
    """Black on white, charts and tables, and nothing to press."""
    page = settle(open_page(demo_report.path, dark=dark))
    page.emulate_media(media="print", color_scheme="dark" if dark else "light")
    settle(page)
    found = page.evaluate(CONTRAST)
    assert found["paper"] > 0.9
    assert found["ink"] < 0.2
    for selector in ("#controls", "nav.contents", "#theme", "figure .tools button", "[data-copy]"):
        assert [one for one in page.locator(selector).all() if one.is_visible()] == [], selector
    for selector in ("#verdict", "#leaderboard", "#pairs", 'figure[data-chart="curve-nDCG"] svg', "#panel-provenance"):
        expect(page.locator(selector)).to_be_visible()
    assert len(page.pdf(format="A4")) > 50_000


@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_fits_its_window(width: int, open_page: Opener, demo_report: Report) -> None:
    page = open_everything(settle(open_page(demo_report.path, width=width)))
    wide = page.evaluate("() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert wide[0] <= wide[1] <= width
    over = page.evaluate(
        """() => [...document.querySelectorAll("figure.chart .plot svg")]
          .filter((svg) => svg.getBoundingClientRect().right > svg.closest(".plot").getBoundingClientRect().right + 1)
          .map((svg) => svg.closest("figure").dataset.chart)"""
    )
    assert over == []


def test_a_window_that_changes_its_width(open_page: Opener, demo_report: Report) -> None:
    page = settle(open_page(demo_report.path, width=1400))
    svg = page.locator('figure[data-chart="curve-nDCG"] .plot svg')
    before = svg.evaluate("(svg) => svg.getBoundingClientRect().width")
    page.set_viewport_size({"width": 400, "height": 900})
    page.wait_for_function(
        """(before) => { const svg = document.querySelector('figure[data-chart="curve-nDCG"] .plot svg');
          return svg.getBoundingClientRect().width < before && svg.getBoundingClientRect().right <= innerWidth; }""",
        arg=before,
    )
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_on_a_small_screen_the_controls_open_by_hand(open_page: Opener, demo_report: Report) -> None:
    page = ready(open_page(demo_report.path, width=400, height=800))
    expect(page.locator("#control-depth")).to_be_hidden()
    page.locator("#controls-box summary").click()
    choose(page, depth=3)
    assert told(page, "verdict") == demo_report.experiment.family("nDCG@3").words
    assert len(leaderboard(page)) == 4
