"""TREC's columns: which of them a first line has, and what is said where it has none."""

from __future__ import annotations

import re

from gaincurve.errors import InputError, Problem
from gaincurve.io.content import Content
from gaincurve.io.formats.opening import ROLES, is_number
from gaincurve.io.formats.opening import fields as fields_of
from gaincurve.io.trec import LAYOUTS, Layout
from gaincurve.model.chosen import near_names
from gaincurve.model.columns import VALUE, find
from gaincurve.model.source import counted, shorten


def layout_of(content: Content, kind: str, fields: list[str], offset: int) -> Layout:
    """The columns of a first line, or an error that says what it looks like."""
    width = len(fields)
    place = content.place(offset)
    _refuse_foreign(content, content.line_at(offset), place)
    if kind == "judgments" and _of_a_run(fields):
        raise InputError(Problem("judgments-look-like-run", f"{content.path} has the {width} columns of a run", place))
    if kind == "run" and width == 4 and _ranked_and_scored(fields):
        what = f"4 columns that could be topic, document, rank and score: {shorten(' '.join(fields))}"
        hint = "name the columns in a first line: topic document rank score"
        raise InputError(Problem("input-columns", what, place, hint))
    if kind == "run" and width == 4 and is_number(fields[3]):
        raise InputError(Problem("run-looks-like-judgments", f"{content.path} has the 4 columns of judgments", place))
    if kind == "run" and width in (5, 6) and _exchanged(fields[3], fields[4]):
        what = f"rank {shorten(fields[3])} and score {shorten(fields[4])} seem to be exchanged"
        raise InputError(Problem("run-rank", what, place))
    if width in LAYOUTS[kind] and not _is_header(fields):
        return LAYOUTS[kind][width]
    text = " ".join(fields)
    line = shorten(text)
    if "\xa0" in content.line_at(offset):
        what = f"the columns are separated by non-breaking spaces: {line}"
        hint = f"replace them, e.g. sed 's/\\xc2\\xa0/ /g' {content.path}"
        raise InputError(Problem("input-columns", what, place, hint))
    delimiter = next((mark for mark in ("\t", ",", ";") if content.line_at(offset).count(mark) >= 2), None)
    if delimiter is not None or (width == 1 and ("," in text or ";" in text)) or _is_header(fields):
        names = fields if _is_header(fields) else fields_of(content.line_at(offset), delimiter or ",")
        unknown = [role for role in ("topic", "document", VALUE[kind]) if find(role, names) is None]
        known = "no column of the header is" if len(unknown) == 3 else "not all columns of the header are"
        what = f"{known} known: {', '.join(map(shorten, names))}{near_names(names, unknown)}"
        hint = f"--columns topic=…,document=…,{VALUE[kind]}=… says which is which; known names: gaincurve ls formats"
        raise InputError(Problem("input-header", what, place, hint))
    if (width == 1 and not text.isascii()) or any(not char.isprintable() for char in "".join(fields[:6])):
        raise InputError(Problem("input-format", f"the first line is not in a known format: {line}", place))
    expected = "; ".join(f"{count}: {layout.columns}" for count, layout in LAYOUTS[kind].items())
    *others, last = sorted(LAYOUTS[kind])
    widths = f"{', '.join(map(str, others))} or {last}"
    what = f"{counted(width, 'column')} where {widths} were expected ({expected}): {line}"
    raise InputError(Problem("input-columns", what, place))


def _is_header(fields: list[str]) -> bool:
    """Whether columns are named, most of them by names that are known, where a line has a number."""
    known = [name for name in fields if any(find(role, [name]) is not None for role in ROLES)]
    return not any(map(is_number, fields)) and 2 * len(known) > len(fields)


def _of_a_run(fields: list[str]) -> bool:
    """Whether a line of 5 or 6 columns is that of a run; judgments with strata have 5, a 0 and a whole grade."""
    if len(fields) == 5 and fields[1] == "0" and re.fullmatch(r"-?\d+", fields[4]):
        return False
    return len(fields) in (5, 6) and is_number(fields[4])


def _refuse_foreign(content: Content, line: str, place: str) -> None:
    """Refuse what is often saved or checked out in place of a file of judgments or runs."""
    head = line.lstrip().lower()
    if head.startswith("version https://git-lfs.github.com/"):
        what = f"{content.path} is a Git LFS pointer, not the file itself"
        raise InputError(Problem("input-format", what, place, "git lfs pull"))
    if head.startswith(("<!doctype html", "<html", "<head", "<body")):
        what = f"{content.path} is a web page, not a file of judgments or runs"
        hint = "a download often saves the page around the file, or a login or error page: fetch the file itself"
        raise InputError(Problem("input-format", what, place, hint))


def _ranked_and_scored(fields: list[str]) -> bool:
    """Whether the 4 columns of a first line look like topic, document, first rank and score, not like judgments."""
    return fields[1] not in ("0", "Q0") and fields[2] in ("0", "1") and is_number(fields[3])


def _exchanged(rank: str, score: str) -> bool:
    """Whether the rank of a first line is a fraction and its score the first rank."""
    return is_number(rank) and float(rank) % 1 != 0 and score in ("0", "1")
