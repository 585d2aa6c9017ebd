"""The watch itself: a page that asks for something, speaks, fails or opens a dialog is caught."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser
from watched import Watched

PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="


def watch(browser: Browser, folder: Path, body: str, **how: object) -> Watched:
    """What came of opening this body."""
    file = folder / "page.html"
    file.write_text(f"<!doctype html><title>test</title>{body}", "utf-8")
    watched = Watched(browser, file, **how)  # type: ignore[arg-type]
    watched.page.wait_for_load_state("load")
    watched.page.evaluate("() => new Promise((done) => setTimeout(done, 0))")
    watched.close()
    return watched


def test_a_quiet_page_passes(browser: Browser, tmp_path: Path) -> None:
    found = watch(browser, tmp_path, f"<p>quiet</p><img src='{PIXEL}'>", fragment="depth=20")
    found.hold()
    assert found.asked == [found.home]


@pytest.mark.parametrize(
    "body",
    [
        "<img src='https://example.invalid/x.png'>",
        "<link rel='stylesheet' href='other.css'>",
        "<iframe src='https://example.invalid/'></iframe>",
        "<script>fetch('https://example.invalid/').catch(() => 0)</script>",
    ],
    ids=["image", "file beside it", "frame", "fetch"],
)
def test_a_request_is_caught(body: str, browser: Browser, tmp_path: Path) -> None:
    found = watch(browser, tmp_path, body)
    assert len(found.outside()) == 1
    with pytest.raises(AssertionError, match="outside itself"):
        found.hold()


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("<script>console.log('hello')</script>", "log: hello"),
        ("<script>console.error('broken')</script>", "error: broken"),
        ("<script>throw new Error('oh')</script>", "uncaught: oh"),
        ("<script>Promise.reject(new Error('late'))</script>", "uncaught: late"),
        ("<script>alert(1)</script>", "dialog: 1"),
    ],
    ids=["log", "error", "exception", "rejection", "dialog"],
)
def test_a_word_is_caught(body: str, said: str, browser: Browser, tmp_path: Path) -> None:
    found = watch(browser, tmp_path, body)
    assert found.said == [said]
    with pytest.raises(AssertionError, match="complains"):
        found.hold()


def test_scripting_can_be_off(browser: Browser, tmp_path: Path) -> None:
    body = "<p id='p'>as written</p><script>document.title = 'changed'</script>"
    file = tmp_path / "page.html"
    file.write_text(f"<!doctype html><title>test</title>{body}", "utf-8")
    watched = Watched(browser, file, scripting=False)
    assert watched.page.title() == "test"
    watched.close()
    watched.hold()
