"""Take the figures of the report that the documentation shows: python tools/screenshots.py [FOLDER].

Makes the demo, opens its report in Chromium and writes docs/images/report-*.png. Needs what `make test` installs.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import programs
from playwright.sync_api import Page, sync_playwright

IMAGES = Path(__file__).parent.parent / "docs" / "images"
WIDTH, HEIGHT = 1400, 920
PANELS = ("curves", "difference", "map", "topics", "topic", "health", "sessions")
TALLEST = 900
"""A panel longer than this is shown down to here."""


def main(folder: Path) -> None:
    """The top of the page, light and dark, one setting changed, and the panels one by one."""
    browser_path = programs.find(programs.BROWSER)
    if browser_path is None:
        sys.exit(programs.advice([programs.BROWSER]))
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        home = Path(scratch) / "demo"
        subprocess.run([sys.executable, "-m", "gaincurve", "demo", str(home)], check=True, stdout=subprocess.DEVNULL)
        browser = playwright.chromium.launch(executable_path=browser_path, args=programs.flags())
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        opened(page, home / "report.html")
        page.screenshot(path=folder / "report-top.png")
        for panel in PANELS:
            shot(page, panel, folder)
        opened(page, home / "report.html", "#gains=0-1-1-1&depth=10")
        page.screenshot(path=folder / "report-another-user.png")
        dark = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="dark")
        opened(dark, home / "report.html")
        dark.screenshot(path=folder / "report-dark.png")
        browser.close()


def opened(page: Page, path: Path, fragment: str = "") -> None:
    """The report, drawn."""
    page.goto("about:blank")
    page.goto(path.as_uri() + fragment)
    page.wait_for_selector("html[data-ready]")
    page.wait_for_timeout(500)


def shot(page: Page, panel: str, folder: Path) -> None:
    """One panel, once its charts are drawn."""
    section = page.locator(f"#panel-{panel}")
    section.scroll_into_view_if_needed()
    page.wait_for_timeout(1000)
    box = section.bounding_box()
    if box is None:
        sys.exit(f"the report has no panel {panel}")
    clip = {"x": box["x"], "y": box["y"], "width": box["width"], "height": min(box["height"], TALLEST)}
    top = page.evaluate("window.scrollY")
    page.screenshot(path=folder / f"report-{panel}.png", clip={**clip, "y": clip["y"] + top}, full_page=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES)
