"""The page as HTML: nothing in it can end its element, run, or be fetched, whatever ids, names and texts hold."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest

import gaincurve as gc
from gaincurve.io.texts.read import clipped
from gaincurve.page.labels import labels, visible
from gaincurve.page.packing import unpack
from gaincurve.page.write import inside, policy, safe_json, shown

HOSTILE = (
    "</script><img src=x onerror=alert(1)>",
    "<!--<script>alert(2)</script>",
    "\"'><svg/onload=alert(3)>",
    "&lt;img&gt; &#60;",
    "]]> --> {{ 7 * 7 }} {% raw %} ${8}",
    "line\u2028and paragraph\u2029",
    "\u202eturned\u202c \u200f\u2066",
    "caf\udce9 \udcff",
    "nul\x00 bell\x07 escape\x1b[31m\r\n\t",
    "w" * 10_000,
    "__proto__",
    "日本語 🍣",
)


class Parsed(HTMLParser):
    """Elements, attributes, and what stands in each script and style."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inside: list[tuple[dict[str, str | None], str]] = []
        self.text: list[str] = []
        self._open = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag in ("script", "style"):
            self.inside.append((dict(attrs), ""))
            self._open = tag

    def handle_endtag(self, tag: str) -> None:
        self._open = "" if tag == self._open else self._open

    def handle_data(self, data: str) -> None:
        if self._open:
            attributes, before = self.inside[-1]
            self.inside[-1] = (attributes, before + data)
        else:
            self.text.append(data)

    def scripts(self) -> list[tuple[dict[str, str | None], str]]:
        """The script elements in their order."""
        return [(attributes, text) for attributes, text in self.inside if "type" in attributes]


def experiment() -> tuple[dict[str, dict[str, int]], dict[str, dict[str, dict[str, float]]]]:
    """Every hostile text as topic, document and run."""
    judgments = {
        topic: {f"{text}{t}": (i + t) % 4 for i, text in enumerate(HOSTILE)} for t, topic in enumerate(HOSTILE)
    }
    runs = {
        run: {
            topic: {f"{text}{t}": float((i * (r + 2) + t) % 13) for i, text in enumerate((*HOSTILE, "unjudged"))}
            for t, topic in enumerate(HOSTILE)
        }
        for r, run in enumerate(HOSTILE)
    }
    return judgments, runs


@pytest.fixture(scope="module")
def made() -> gc.Report:
    judgments, runs = experiment()
    texts = dict(zip(HOSTILE, HOSTILE, strict=True))
    documents = {f"{text}{t}": text for text in HOSTILE for t in range(len(HOSTILE))}
    return gc.report(judgments, runs, topics=texts, docs=documents, baseline=HOSTILE[0], title=HOSTILE[0])


@pytest.fixture(scope="module")
def parsed(made: gc.Report) -> Parsed:
    return Parsed(made.html)


def data(parsed: Parsed) -> dict[str, Any]:
    (found,) = [text for attributes, text in parsed.scripts() if attributes.get("id") == "page"]
    whole: dict[str, Any] = json.loads(found)
    return whole


def observed(parsed: Parsed) -> dict[str, Any]:
    (found,) = [text for attributes, text in parsed.scripts() if attributes.get("id") == "observed"]
    return unpack(found)


class TestHostile:
    def test_the_scripts_are_ours_and_no_others(self, parsed: Parsed) -> None:
        found = [(attributes["type"], attributes.get("id")) for attributes, _ in parsed.scripts()]
        expected = [("application/json", "page"), ("text/plain", "observed"), ("module", None), ("module", None)]
        assert found == expected
        assert len([tag for tag, _ in parsed.tags if tag == "script"]) == len(expected)

    def test_nothing_became_markup(self, parsed: Parsed) -> None:
        assert {tag for tag, _ in parsed.tags} & {"img", "svg", "iframe", "object", "embed", "base"} == set()
        assert [name for _, attributes in parsed.tags for name in attributes if name.startswith("on")] == []

    def test_the_file_is_text_without_hidden_characters(self, made: gc.Report) -> None:
        made.html.encode("utf-8")  # no half of a surrogate pair
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]", made.html)

    def test_everything_is_there(self, parsed: Parsed) -> None:
        found = observed(parsed)
        assert found["topics"]["ids"] == [visible(text) for text in HOSTILE]
        assert [run["name"] for run in found["runs"]] == [visible(text) for text in HOSTILE]
        for t, entry in enumerate(found["documents"]):
            assert sorted(entry["ids"]) == sorted(visible(f"{text}{t}") for text in (*HOSTILE, "unjudged"))
        assert found["topics"]["texts"][0] == HOSTILE[0]
        texts = dict(zip(found["texts"]["ids"], found["texts"]["texts"], strict=True))
        assert {texts[visible(f"{text}0")] for text in HOSTILE} == {clipped(text) for text in HOSTILE}

    def test_names_are_seen_as_they_are(self, parsed: Parsed) -> None:
        told = " ".join("".join(parsed.text).split())
        for label in labels(HOSTILE):
            assert " ".join(shown(label).split()) in told

    def test_the_title_is_text(self, parsed: Parsed, made: gc.Report) -> None:
        assert data(parsed)["title"] == HOSTILE[0]
        assert "<title>&lt;/script&gt;&lt;img" in made.html

    def test_templates_in_names_are_not_filled_in(self, made: gc.Report) -> None:
        assert "{{ 7 * 7 }}" in made.html


class TestOffline:
    def test_nothing_would_be_fetched(self, parsed: Parsed) -> None:
        for tag, attributes in parsed.tags:
            for name in ("src", "href", "action", "data", "srcset", "poster"):
                value = attributes.get(name)
                assert value is None or value.startswith(("#", "data:,")), (tag, value)
        style = "".join(text for attributes, text in parsed.inside if "type" not in attributes)
        assert "url(" not in style
        assert "@import" not in style

    def test_addresses_stand_only_in_scripts_and_definitions(self, parsed: Parsed) -> None:
        assert "http" not in "".join(parsed.text)

    def test_the_policy_admits_the_two_scripts_and_nothing_else(self, parsed: Parsed) -> None:
        (content,) = [
            attributes["content"] or ""
            for tag, attributes in parsed.tags
            if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
        ]
        rules = dict(rule.strip().split(" ", 1) for rule in content.split(";"))
        assert rules["default-src"] == "'none'"
        assert set(rules) == {"default-src", "script-src", "style-src", "img-src", "base-uri", "form-action"}
        modules = [text for attributes, text in parsed.scripts() if attributes["type"] == "module"]
        digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in modules]
        assert rules["script-src"] == " ".join(f"'sha256-{digest}'" for digest in digests)
        assert rules["img-src"] == "data: blob:"


class TestPieces:
    def test_json_cannot_end_its_element(self) -> None:
        told = {"</script>": ["<!--", "a&b", "\u2028\u2029", "\ud800", "\x00"]}
        written = safe_json(told)
        assert not set(written) & set("<>&\u2028\u2029")
        assert json.loads(written) == told

    @pytest.mark.parametrize("text", ["a</script>", "a</SCRIPT ", "x = '<!-- x'"])
    def test_a_script_that_would_end_its_element_is_refused(self, text: str) -> None:
        with pytest.raises(ValueError, match="cannot be part of HTML"):
            inside(text, "script")

    def test_line_ends_are_those_a_browser_sees(self) -> None:
        assert inside("a\r\nb\rc\n", "script") == "a\nb\nc\n"

    def test_a_policy_holds_digests_of_bytes(self) -> None:
        assert "'sha256-LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ='" in policy("hello")  # openssl dgst -sha256

    @pytest.mark.parametrize(
        ("text", "seen"),
        [
            ("plain é 日本", "plain é 日本"),
            ("a\x00b", r"a\x00b"),
            ("\u202ea", r"\u202ea"),
            ("a\u2028b", "a b"),
            ("x\ny", "x\ny"),
        ],
    )
    def test_what_cannot_be_seen_is_made_visible(self, text: str, seen: str) -> None:
        assert shown(text) == seen
