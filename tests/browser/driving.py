"""What a reader does with a report, and what it then shows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from playwright.sync_api import Page

SETTLED = """() => {
  const { failed, ready, settled, updated } = document.documentElement.dataset;
  return Boolean(failed) || ready === "error" || (ready === "yes" && settled === updated);
}"""


def ready(page: Page) -> Page:
    """Wait until the page answers: verdict, leaderboard and controls stand, charts may follow."""
    page.wait_for_function("() => document.documentElement.dataset.ready")
    return page


def settle(page: Page) -> Page:
    """Wait until the page has drawn all it has to draw; a part that failed fails here, with its reason."""
    page.wait_for_function(SETTLED)
    failed = page.evaluate("() => document.documentElement.dataset.failed ?? null")
    assert failed is None, failed
    return page


def choose(page: Page, **controls: object) -> Page:
    """Set controls one after the other, as a reader would: a list by choosing, a field by typing and leaving it.

    Verdict and leaderboard follow at once, the rest when there is time: `settle` waits for it.
    """
    for name, value in controls.items():
        control = page.locator(f"#control-{name.replace('_', '-')}")
        if control.evaluate("(element) => element.tagName") == "SELECT":
            control.select_option(str(value))
        else:
            control.fill(str(value))
            control.blur()
    return page


def gains(page: Page, *values: object) -> Page:
    """The gains of grades 1, 2, …"""
    return choose(page, **{f"gain-{i}": value for i, value in enumerate(values, 1)})


@dataclass(frozen=True)
class Place:
    """A row of the leaderboard as it is read."""

    run: str
    mean: float
    low: float | None
    high: float | None
    letters: str


def number(text: str) -> float:
    """What the page prints, with its true minus sign; a dash is nan."""
    return float("nan") if text in ("–", "") else float(text.replace("−", "-"))


def texts(page: Page, rows: str) -> list[list[str]]:
    """The cells of every row that a selector finds."""
    found: list[list[str]] = page.evaluate(
        "(rows) => [...document.querySelectorAll(rows)].map((r) => [...r.cells].map((c) => c.textContent.trim()))", rows
    )
    return found


def leaderboard(page: Page) -> list[Place]:
    """From best to worst, by the headings of the table."""
    [heads] = texts(page, "#leaderboard thead tr")
    at = {head: i for i, head in enumerate(heads)}
    letters = at.get("Letters")
    found = []
    for cells in texts(page, "#leaderboard tbody tr"):
        ends = cells[at["95% interval"]].split(" to ") if "95% interval" in at else []
        low, high = map(number, ends) if len(ends) == 2 else (None, None)
        found.append(Place(cells[1], number(cells[2]), low, high, "" if letters is None else cells[letters]))
    return found


def told(page: Page, element: str) -> str:
    """The text of an element, as one line."""
    return re.sub(r"\s+", " ", page.locator(f"#{element}").text_content() or "").strip()


def fragment(page: Page) -> dict[str, str]:
    """What the address keeps."""
    return dict(parse_qsl(urlsplit(page.url).fragment, keep_blank_values=True))


def state(page: Page) -> dict[str, Any]:
    """The settings and the view the page has now."""
    found: dict[str, Any] = page.evaluate(
        "() => ({ ...gaincurve.app.current.settings, view: gaincurve.app.current.view })"
    )
    return found


def chart(page: Page, name: str) -> Any:
    """The figure of a chart."""
    return page.locator(f'figure[data-chart="{name}"]')
