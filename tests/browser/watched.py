"""A page that is watched: what it asks for, what it says to the console, what goes wrong in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Dialog, Error, Page

Opener = Callable[..., Page]
"""The fixture `open_page`: a report and, by name, how to open it."""
INSIDE = ("data", "blob")
"""What a page may ask for besides its own file: nothing of this leaves it."""


class Watched:
    """A report in a context of its own, without network; `hold` fails if it asked for more or complained.

    A test that makes a page misbehave on purpose says `held=False`, and nobody calls `hold`.
    """

    def __init__(
        self,
        browser: Browser,
        report: Path | str,
        *,
        fragment: str = "",
        width: int = 1400,
        height: int = 900,
        dark: bool = False,
        scripting: bool = True,
        held: bool = True,
    ) -> None:
        self.held = held
        self.context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            java_script_enabled=scripting,
            offline=True,
            reduced_motion="reduce",
        )
        self.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.asked: list[str] = []
        self.said: list[str] = []
        self.page = self.context.new_page()
        self._watch(self.page)
        if isinstance(report, Path):
            self.home = report.as_uri()
            self.page.goto(self.home + (f"#{fragment}" if fragment else ""))
        else:
            self.home = "about:blank"
            self.page.set_content(report)

    def _watch(self, page: Page) -> None:
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("console", self._note_message)
        page.on("pageerror", self._note_error)
        page.on("dialog", self._note_dialog)
        page.on("popup", lambda other: self.said.append(f"opened {other.url}"))

    def _note_message(self, message: ConsoleMessage) -> None:
        self.said.append(f"{message.type}: {message.text}")

    def _note_error(self, error: Error) -> None:
        self.said.append(f"uncaught: {error.message}")

    def _note_dialog(self, dialog: Dialog) -> None:
        self.said.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def outside(self) -> list[str]:
        """What was asked for besides the file itself."""
        return [url for url in self.asked if urlsplit(url).scheme not in INSIDE and url.split("#")[0] != self.home]

    def hold(self) -> None:
        """Fail unless nothing left the page and the console is empty."""
        assert self.outside() == [], f"the page asks for something outside itself: {self.outside()}"
        said, self.said = self.said, []
        assert said == [], f"the page complains: {said}"

    def close(self) -> None:
        """The page and its context."""
        self.context.close()
