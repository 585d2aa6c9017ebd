"""Changes of spelling under which ids match that do not as they are: imported only where a join failed."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable, Sequence
from string import digits
from urllib.parse import unquote

from gaincurve.model.ids import encode

SAMPLE = 3_000
_SUFFIX = re.compile("[A-Za-z][A-Za-z0-9]{0,4}")
Pairs = list[tuple[int, str]]
"""The number of a topic, and an id."""


def _plain(change: Callable[[str], str]) -> Callable[[list[str]], list[str]]:
    return lambda texts: [change(text) for text in texts]


def _decoded(text: str) -> str:
    """Latin-1 bytes that were read as UTF-8, or UTF-8 that was read as Latin-1 and written again."""
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # bytes that are not UTF-8
        return encode(text).decode("cp1252", "replace")
    for codec in ("latin-1", "cp1252"):
        try:
            return text.encode(codec).decode("utf-8")
        except UnicodeError:
            continue
    return text


def _without_suffixes(text: str) -> str:
    """Worked: 'ft911-3.txt.gz' is 'ft911-3'."""
    parts = text.split(".")
    while len(parts) > 1 and _SUFFIX.fullmatch(parts[-1]):
        parts.pop()
    return ".".join(parts)


def _common_start(texts: list[str]) -> str:
    """What all texts begin with: what the first and the last in order share."""
    if not texts:
        return ""
    low, high = min(texts), max(texts)
    return next((low[:i] for i, character in enumerate(low) if high[i : i + 1] != character), low)


def _ends(texts: list[str]) -> tuple[str, str]:
    """What all ids begin and end with, without digits: 'doc:17.txt', 'doc:18.txt' give 'doc:' and '.txt'."""
    before = _common_start(texts).rstrip(digits)
    before = before if all(len(text) > len(before) for text in texts) else ""
    after = _common_start([text[len(before) :][::-1] for text in texts])[::-1]
    after = after if after.startswith(".") else after.lstrip(digits)
    return before, after if all(len(text) > len(before + after) for text in texts) else ""


def _bare(texts: list[str], before: str, after: str) -> list[str]:
    return [text[len(before) : len(text) - len(after)] for text in texts]


ENDS = {"run": "taking off the ends of the run's ids", "judged": "taking off the ends of the judged ids"}
"""What all ids of a side begin and end with; these two changes concern one side each."""

SURE = 10
"""Ids that lose their ends on both sides are equal soon: d1 and x1. So many must match before it is said."""

SPELLINGS: dict[str, Callable[[list[str]], list[str]]] = {
    "decoding %20 and &amp;": _plain(lambda text: html.unescape(unquote(text))),
    "reading Latin-1 and UTF-8 alike": _plain(_decoded),
    "Unicode normalisation (NFC)": _plain(lambda text: unicodedata.normalize("NFC", text)),
    "compatibility normalisation (NFKC)": _plain(lambda text: unicodedata.normalize("NFKC", text)),
    "taking off quotes and blanks": _plain(lambda text: text.strip(" \t\r\n\"'`<>\ufeff\u200b\xa0")),
    "writing 1.0 as 1": _plain(lambda text: re.sub(r"^([0-9]+)\.0+$", r"\1", text)),
    "lower-casing": _plain(str.lower),
    "dropping leading zeros": _plain(lambda text: re.sub(r"(?<![0-9.])0+(?=[0-9])", "", text)),
    "treating - and _ alike": _plain(lambda text: text.replace("_", "-").replace(" ", "-")),
    "dropping passage numbers (#3)": _plain(lambda text: re.sub(r"[#%][0-9]+$", "", text)),
    "dropping folders": _plain(lambda text: text.rsplit("/", 1)[-1].rsplit("\\", 1)[-1]),
    "dropping suffixes such as .txt": _plain(_without_suffixes),
    ENDS["run"]: lambda texts: _bare(texts, *_ends(texts)),
    ENDS["judged"]: lambda texts: _bare(texts, *_ends(texts)),
}
"""Every change of spelling that is tried, in the order in which they are applied."""


SIMPLE = (
    "lower-casing",
    "Unicode normalisation (NFC)",
    "reading Latin-1 and UTF-8 alike",
    "dropping leading zeros",
    "taking off quotes and blanks",
    "writing 1.0 as 1",
)
"""Changes after which two ids of one topic are hardly ever equal by chance; these are tried even if others match."""


def best_join(theirs: Pairs, ours: Pairs) -> tuple[str, int] | None:
    """The change that joins about as many as all of them together, or the fewest that do.

    They are looked for on a sample, and what they join is counted on everything.
    """
    some = theirs[:: max(1, len(theirs) // SAMPLE)]
    wanted = {number for number, _ in some}
    near = [pair for pair in ours if pair[0] in wanted]
    most = _joined(some, near, [*SPELLINGS])
    for name in dict.fromkeys((*SIMPLE, *SPELLINGS)):
        count = _joined(some, near, [name])
        if count and 2 * count >= most:
            return _words([name], theirs, ours), _joined(theirs, ours, [name])
    chosen = [*SPELLINGS]
    for name in reversed(SPELLINGS):  # do without the changes that are not needed, those that alter most first
        fewer = [other for other in chosen if other != name]
        if (count := _joined(some, near, fewer)) >= most:
            chosen, most = fewer, count
    joined = _joined(theirs, ours, chosen) if most else 0
    if not joined or (joined < SURE and set(ENDS.values()) <= set(chosen)):
        return None
    return _words(chosen, theirs, ours), joined


def _words(changes: Sequence[str], theirs: Pairs, ours: Pairs) -> str:
    """'lower-casing and taking 'doc:' off the run's ids'."""
    words = [name for name in changes if name not in ENDS.values()]
    for pairs, side in ((theirs, "run"), (ours, "judged")):
        if ENDS[side] in changes:
            ends = " and ".join(repr(end) for end in _ends([text for _, text in pairs]) if end)
            words.append(ENDS[side].replace("off the ends of", f"{ends} off"))
    return " and ".join(words)


def simple_join(theirs: Pairs, ours: Pairs) -> tuple[str, int] | None:
    """The simple change that joins most; a few ids among many are not left to a sample."""
    joins = [(name, _joined(theirs, ours, [name])) for name in SIMPLE]
    best = max(joins, key=lambda join: join[1])
    return best if best[1] else None


def _joined(theirs: Pairs, ours: Pairs, changes: Sequence[str]) -> int:
    """How many of their pairs are among ours once both are changed."""
    known = set(_changed(ours, [name for name in changes if name != ENDS["run"]]))
    return sum(pair in known for pair in _changed(theirs, [name for name in changes if name != ENDS["judged"]]))


def _changed(pairs: Pairs, changes: Sequence[str]) -> Pairs:
    texts = [text for _, text in pairs]
    for name in changes:
        texts = SPELLINGS[name](texts)
    return [(number, text) for (number, _), text in zip(pairs, texts, strict=True)]


def alike(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether most ids have the pattern of letters and digits of some judged id."""
    patterns = {_pattern(text) for text in ours}
    return 2 * sum(_pattern(text) in patterns for text in theirs) >= len(theirs)


def _pattern(text: str) -> str:
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"[0-9]+", "9", text))
