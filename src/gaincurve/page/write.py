"""The page as HTML, laid out by a template: data cannot close its element, and a policy forbids all network access."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from typing import Any

from gaincurve.page.content import Page
from gaincurve.page.scripts import APP, ENGINE, source

TEMPLATE = "page.html.jinja"
NOTES = "notes.html.jinja"
STYLE = "page.css"

_SLOT = "\0"
"""Marks where text is put in later; no text on a page holds it, since control characters are made visible."""

_ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


@dataclass(frozen=True)
class Layout:
    """A page laid out, with room for its notes and for what was observed: the HTML before, between and after them."""

    before: str
    between: str
    behind: str
    notes: Callable[[Sequence[str]], str]

    def html(self, notes: Sequence[str], observed: str) -> str:
        """The whole page."""
        return "".join((self.before, self.notes(notes), self.between, observed, self.behind))

    def size(self, notes: Sequence[str]) -> int:
        """The bytes of the page without what was observed."""
        return len(self.html(notes, "").encode())


def write(page: Page) -> str:
    """The HTML text of a page; the same page gives the same text."""
    return lay_out(page).html(page.notes, page.observed)


def lay_out(page: Page) -> Layout:
    """Everything on the page but its notes and what was observed, which depend on how much room there is."""
    import jinja2  # noqa: PLC0415 -- an extra
    from markupsafe import Markup  # noqa: PLC0415 -- comes with jinja2

    vega, script = (inside(text, "script") for text in (bundle(), source((*ENGINE, *APP))))
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, finalize=shown, keep_trailing_newline=True
    )
    html = environment.from_string(_asset(TEMPLATE)).render(
        page=page,
        policy=policy(vega, script),
        style=Markup(inside(_asset(STYLE), "style")),
        data=Markup(json_block(page)),
        vega=Markup(vega),
        script=Markup(script),
        slot=Markup(_SLOT),
    )
    notes = environment.from_string(_asset(NOTES))
    before, between, behind = html.split(_SLOT)
    return Layout(before, between, behind, lambda texts: notes.render(notes=texts))


def bundle() -> str:
    """Vega, Vega-Lite and vega-embed as one script that needs no network."""
    import vl_convert  # noqa: PLC0415 -- an extra

    text: str = vl_convert.javascript_bundle()  # type: ignore[call-arg]  # its stub forgets that there is a default
    return text


def json_block(page: Page) -> str:
    """What the scripts start from, as JSON that means nothing to an HTML parser."""
    data: dict[str, Any] = {
        "title": page.title,
        "settings": page.settings,
        "scenarios": page.scenarios,
        "charts": page.charts,
        "dark": page.dark,
        "panels": [panel.id for panel in page.panels],
        "version": page.version,
        "provenance": asdict(page.provenance),
        **page.extra,
    }
    return safe_json(data)


def safe_json(data: Mapping[str, Any]) -> str:
    """JSON without a character that could end a script element or a line of JavaScript."""
    written = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return written.translate(_ESCAPES)


def inside(text: str, element: str) -> str:
    """A script or style as its element holds it; refused if it would close the element or open a comment.

    Line ends become those a browser makes of them, because the policy holds the digest of what the browser sees.
    """
    folded = text.lower()
    for mark in (f"</{element}", "<!--", _SLOT):
        if mark in folded:
            raise ValueError(f"a {element} of the page holds {mark!r} and cannot be part of HTML")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def policy(*scripts: str) -> str:
    """The content policy: these scripts and no others, and no address at all."""
    digests = (base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii") for script in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )


def shown(value: Any) -> Any:
    """A value as the page shows it: what is invisible, or reverses the text around it, is made visible.

    Ids and names are other people's text. Scripts and styles are ours and pass as they are.
    """
    if not isinstance(value, str) or hasattr(value, "__html__"):
        return value
    if value.isprintable():
        return value
    return "".join(c if c.isprintable() or c == "\n" else " " if c.isspace() else repr(c)[1:-1] for c in value)


def _asset(name: str) -> str:
    return (files("gaincurve.page") / "assets" / name).read_text(encoding="utf-8")
