"""What was observed as text that fits into a page: JSON, deflated, in base64. The same document gives the same text."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from gaincurve.model.graded import Graded
from gaincurve.model.judgments import Judgments
from gaincurve.model.run import Run
from gaincurve.model.scenario import Scenario
from gaincurve.model.source import Note, counted, grouped
from gaincurve.page.observed.runs import SHOWN, longest_list, observe

BUDGET = 5_000_000
"""The most bytes of packed text: with charts and scripts the page can still be sent by e-mail."""

_LEVEL = 6
"""Level 9 makes the text 2% shorter and takes five times as long."""
_SHOWN = (100, 50, 20, 10, 0)
_REACH = (1000, 500, 200, 100, 50, 20, 10)


def pack(document: Mapping[str, object]) -> str:
    """A document as ASCII text without any character that means something in HTML."""
    written = json.dumps(document, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(written.encode("ascii"), _LEVEL)).decode("ascii")


def unpack(text: str) -> dict[str, object]:
    """The document that was packed."""
    document: dict[str, object] = json.loads(zlib.decompress(base64.b64decode(text)))
    return document


@dataclass(frozen=True)
class Packed:
    """A document that fits: its text, and what is left of each list, `shown` documents named and `reach` kept."""

    text: str
    shown: int
    reach: int | None
    notes: tuple[Note, ...]

    def noting(self, *notes: Note) -> Packed:
        """The same with further notes."""
        return replace(self, notes=(*self.notes, *notes))


def fit(
    judgments: Judgments,
    runs: Sequence[Run],
    scenario: Scenario,
    *,
    graded: Sequence[Graded] | None = None,
    budget: int = BUDGET,
    shown: int = SHOWN,
    topic_texts: Mapping[str, str] | None = None,
    extra: Mapping[str, object] | None = None,
) -> Packed:
    """What was observed in at most `budget` bytes of text: first fewer documents are named, then lists are cut.

    Names of documents decide no number; a cut list does, so the page says where. `graded` are the runs, where they have
    been graded before; `extra` joins the document as it is.
    If even the shortest lists take more, they are what is packed.
    """
    text = ""
    for named, reach in _steps(shown, longest_list(runs)):
        observed = observe(
            judgments,
            runs,
            scenario,
            graded=graded,
            shown=named,
            reach=reach,
            topic_texts=topic_texts,
        )
        text = pack({**observed.to_dict(), **(extra or {})})
        if len(text) <= budget:
            break
    return Packed(text, named, reach, tuple(_notes(shown, named, reach)))


def _steps(shown: int, longest: int) -> Iterator[tuple[int, int | None]]:
    """What to try, from everything to the least."""
    for named in (shown, *(fewer for fewer in _SHOWN if fewer < shown)):
        yield named, None
    for reach in _REACH:
        if reach < longest:
            yield 0, reach


def _notes(asked: int, shown: int, reach: int | None) -> Iterator[Note]:
    if shown < asked:
        first = "document of each list is" if shown == 1 else f"{counted(shown, 'document')} of each list are"
        seen = f"the first {first}" if shown else "no documents are"
        yield Note("report-size", f"to keep the page small {seen} named")
    if reach is not None:
        text = (
            f"to keep the page small every list is cut after rank {grouped(reach)}; AP, RR and recall beyond it differ"
        )
        yield Note("report-size", text)
