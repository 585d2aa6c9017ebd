"""The shape of a measure's text, Name(parameter=value, …)@cutoff, whatever the names mean."""

from __future__ import annotations

import ast
import re
from typing import NamedTuple

from gaincurve.errors import ChoiceError, Problem
from gaincurve.model.source import shorten

_SHAPE = re.compile(r"(?P<name>[A-Za-z][\w/]*)(?:\((?P<inside>.*)\))?(?:@(?P<cutoff>[^()]*))?", re.DOTALL)
_NEXT_NAME = re.compile(r"[\s,]+([A-Za-z](?=[@._(])|[A-Z]\b|[A-Za-z]\w+(?!\w|\s*=)|11pt)")
_LONGEST = 2000  # a longer text is no measure, and Python's parser could run out of memory on it


class Written(NamedTuple):
    """A measure's text taken apart: its name, what stands in the brackets, what follows the @."""

    name: str
    inside: str
    cutoff: str | None


def taken_apart(text: object) -> Written:
    """The parts of a text that has the shape of a measure."""
    shape = _SHAPE.fullmatch(text.strip()) if isinstance(text, str) and len(text) <= _LONGEST else None
    if shape is None:
        raise bad_syntax(f"{shorten(str(text))!r} is not a measure")
    return Written(shape["name"], shape["inside"] or "", shape["cutoff"])


def separated(text: str) -> list[str]:
    """Several measures in one text, 'nDCG@10,P@5' or 'nDCG@10 P@5'; brackets stay whole, and so does nDCG@5,10.

    A comma or space divides measures where a letter follows that begins a name, and nothing before it is left open.
    """
    if len(text) > _LONGEST:
        return [text]
    parts, depth, start = [], 0, 0
    for place, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if depth == 0 and character in ", \t\n" and _NEXT_NAME.match(text, place) and text[start:place].strip(" ,"):
            parts.append(text[start:place])
            start = place
    return [part.lstrip(" ,\t\n") for part in (*parts, text[start:])]


def keyword_arguments(inside: str, text: str) -> dict[str, object]:
    """What stands in the brackets; values may be literals or bare words such as binary or 0-1-10."""
    source = f"f({inside})"
    try:
        call = ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise bad_syntax(f"the parameters of {shorten(text)!r} cannot be read") from None
    if (
        not isinstance(call, ast.Call)
        or not isinstance(call.func, ast.Name)
        or call.args
        or any(keyword.arg is None for keyword in call.keywords)
    ):
        raise bad_syntax(f"the parameters of {shorten(text)!r} must be written name=value")
    names = [str(keyword.arg) for keyword in call.keywords]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise bad_syntax(f"{shorten(text)!r} gives {twice} more than once")
    return {str(keyword.arg): _value(keyword.value, source) for keyword in call.keywords}


def _value(node: ast.expr, source: str) -> object:
    try:
        value: object = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return ast.get_source_segment(source, node)
    else:
        return value


def bad_syntax(what: str) -> ChoiceError:
    """The error for a text that is not written as a measure is."""
    return ChoiceError(Problem("measure-syntax", what))
