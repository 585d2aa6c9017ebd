"""TREC Session Track XML, 2011 to 2014: sessions with interactions, their queries, results and clicks.

The files are other people's text. A document type is refused before anything in it is acted upon, so there is no
external entity to fetch and no entity to expand; nesting and the length of an element's text are bounded. A bare & and
control characters, which these files hold, are read as text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from xml.parsers import expat

from gaincurve.errors import InputError, Problem
from gaincurve.io.content import Content
from gaincurve.model.sessions.log import SessionLog
from gaincurve.model.sessions.records import QueryRecord, session_log
from gaincurve.model.source import Note, counted, examples, shorten

DEEPEST = 32
LONGEST_TEXT = 10_000
MOST_DIGITS = 9
_BARE = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});)")
_CONTROL = bytes.maketrans(bytes(byte for byte in range(32) if byte not in b"\t\n\r"), b" " * 29)
_DECLARED = re.compile(rb"^\s*<\?xml[^>]*encoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")
_ENCODINGS = {"utf-8", "us-ascii", "ascii", "iso-8859-1", "latin-1", "windows-1252"}
_DOCUMENT = re.compile(r"clueweb\d*id|docno|docid", re.IGNORECASE)
_TEXT_TAGS = ("query", "url", "rank")


def read_session_xml(
    content: Content,
    name: str,
    *,
    topics: Mapping[str, str] | None = None,
    duplicates: str = "error",
    unmapped: str = "error",
) -> SessionLog:
    """The logged sessions; a session's current query, which has no results, is not part of it."""
    reading = _Reading(content.path)
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = reading.refuse_doctype
    parser.EntityDeclHandler = reading.refuse_doctype
    parser.ExternalEntityRefHandler = reading.refuse_doctype
    parser.StartElementHandler = reading.start
    parser.EndElementHandler = reading.end
    parser.CharacterDataHandler = reading.text
    reading.parser = parser
    try:
        parser.Parse(_clean(content), True)
    except expat.ExpatError as error:
        what = f"not well-formed XML: {expat.errors.messages.get(error.code, error)}"
        raise InputError(Problem("session-xml", what, f"{content.path}:{error.lineno}")) from None
    if not reading.sessions:
        raise InputError(Problem("session-xml", f"{content.path} has no <session> element", content.path))
    return session_log(
        reading.queries,
        name,
        content.path,
        "TREC Session Track XML",
        sha256=content.sha256,
        topics=topics,
        duplicates=duplicates,
        unmapped=unmapped,
        notes=reading.notes(),
    )


def _clean(content: Content) -> bytes:
    data = content.bytes()
    declared = _DECLARED.match(data[:200])
    encoding = declared[1].decode("ascii").lower() if declared else "utf-8"
    if encoding not in _ENCODINGS:
        what = f"{content.path} is declared as {shorten(encoding)}; convert it to UTF-8"
        raise InputError(Problem("input-encoding", what, content.path))
    text = data.translate(_CONTROL)
    codec = "utf-8" if encoding in ("us-ascii", "ascii") else encoding
    return _BARE.sub(b"&amp;", text.decode(codec, "replace").encode())


class _Reading:
    """Where the parser stands, and the queries read so far."""

    def __init__(self, path: str):
        self.path = path
        self.parser: expat.XMLParserType | None = None
        self.stack: list[str] = []
        self.pieces: list[str] = []
        self.queries: list[QueryRecord] = []
        self.sessions: dict[str, int] = {}
        self.without: list[str] = []
        self.gapped: list[str] = []
        self.garbled: dict[str, None] = {}
        self.clicked: int = 0
        self._begin_session("", None)

    def notes(self) -> tuple[Note, ...]:
        """Notes about what was not taken literally."""
        notes: list[Note] = []
        if self.without:
            text = f"{self.path}: {counted(len(self.without), 'session')} without an answered query left out"
            notes.append(Note("session-empty", text))
        if self.gapped:
            text = f"{self.path}: {counted(len(self.gapped), 'list')} with ranks missing, closed up: "
            notes.append(Note("session-ranks", text + examples(self.gapped)))
        if self.garbled:
            text = f"{self.path}: {counted(len(self.garbled), 'id')} with bytes that are not UTF-8, read as U+FFFD: "
            notes.append(Note("session-encoding", text + examples(list(self.garbled))))
        return tuple(notes)

    @property
    def line(self) -> int:
        return 0 if self.parser is None else self.parser.CurrentLineNumber

    def refuse_doctype(self, *_: object) -> int:
        what = "the file declares a document type, through which entities can be defined or fetched"
        raise InputError(Problem("session-xml-entity", what, f"{self.path}:{self.line}"))

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.stack.append(tag)
        if len(self.stack) > DEEPEST:
            raise self._broken(f"elements are nested deeper than {DEEPEST}")
        self.pieces = []
        inside = self.stack[-2] if len(self.stack) > 1 else ""
        if tag == "session":
            self._new_session(attributes)
        elif tag == "topic" and inside == "session":
            self.topic = attributes.get("num") or attributes.get("id")
        elif tag == "interaction":
            self._new_query(attributes)
        elif tag == "result":
            self.document, self.url = "", ""
            self.rank = self._number(attributes.get("rank"), "rank of a result")
        elif tag == "click":
            self.click = self._number(attributes["rank"], "rank of a click") if "rank" in attributes else 0

    def end(self, tag: str) -> None:
        self.stack.pop()
        inside = self.stack[-1] if self.stack else ""
        text = "".join(self.pieces).strip()
        if tag == "session":
            self._end_session()
        elif tag == "interaction":
            self._end_query()
        elif tag == "query" and inside == "interaction":
            self.query_text = text
        elif inside == "result" and _DOCUMENT.fullmatch(tag):
            self.document = text
        elif inside == "result" and tag == "url":
            self.url = text
        elif tag == "rank" and inside == "click":
            self.click = self._number(text, "rank of a click")
        elif tag == "click":
            self.clicked = max(self.clicked, self.click)
        elif tag == "result":
            self._end_result()
        self.pieces = []

    def text(self, data: str) -> None:
        tag = self.stack[-1] if self.stack else ""
        if (tag in _TEXT_TAGS or _DOCUMENT.fullmatch(tag)) and sum(map(len, self.pieces)) < LONGEST_TEXT:
            self.pieces.append(data[:LONGEST_TEXT])

    def _begin_session(self, name: str, user: str | None) -> None:
        self.session, self.user, self.topic = name, user, None
        self.begun = len(self.queries)
        self._begin_query(0)

    def _begin_query(self, number: int) -> None:
        self.number, self.query_text = number, ""
        self.clicked = self.click = 0
        self.results: dict[int, str] = {}

    def _new_session(self, attributes: dict[str, str]) -> None:
        name = (attributes.get("num") or attributes.get("id") or "").strip()
        if not name:
            raise self._broken("a <session> has no num")
        if name in self.sessions:
            raise self._broken(f"session {shorten(name)} occurs twice, first at line {self.sessions[name]}")
        self.sessions[name] = self.line
        self._begin_session(name, attributes.get("userid") or attributes.get("user"))

    def _end_session(self) -> None:
        if len(self.queries) == self.begun:
            self.without.append(self.session)
        if "\ufffd" in (self.topic or ""):
            self.garbled[str(self.topic)] = None
        queries = self.queries[self.begun :]  # a topic may stand behind the interactions
        self.queries[self.begun :] = [replace(query, topic=self.topic) for query in queries]

    def _new_query(self, attributes: dict[str, str]) -> None:
        if not self.session:
            raise self._broken("an <interaction> is outside any session")
        self._begin_query(self._number(attributes.get("num"), "num of an interaction"))

    def _end_query(self) -> None:
        place = f"{self.path}:{self.line}, session {shorten(self.session)}, query {self.number}"
        ranks = sorted(self.results)
        ranking = [self.results[rank] for rank in ranks]
        if ranks and ranks[-1] != len(ranks):
            self.gapped.append(f"session {self.session} query {self.number}")
        self.garbled |= dict.fromkeys(name for name in (self.session, *ranking) if "\ufffd" in name)
        if self.clicked and self.clicked not in self.results:
            raise self._broken(f"a click is on rank {self.clicked}, which the list does not have")
        self.clicked = ranks.index(self.clicked) + 1 if self.clicked else 0
        self.queries.append(
            QueryRecord(
                self.session, self.number, ranking, place, None, self.user, self.query_text, clicked=self.clicked
            )
        )

    def _end_result(self) -> None:
        document = self.document or self.url
        if not document:
            raise self._broken("a <result> names no document")
        if self.rank in self.results:
            raise self._broken(f"rank {self.rank} occurs twice")
        self.results[self.rank] = document

    def _number(self, text: str | None, what: str) -> int:
        stripped = (text or "").strip()
        digits = stripped.lstrip("0")
        if not (digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS):
            raise self._broken(f"the {what} is {shorten(repr(stripped))}, not 1, 2, …")
        return int(digits)

    def _broken(self, what: str) -> InputError:
        place = f"{self.path}:{self.line}"
        if self.session:
            place += f", session {shorten(self.session)}" + (f", query {self.number}" if self.number else "")
        return InputError(Problem("session-xml", what, place))
