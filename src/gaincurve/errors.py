"""What can go wrong for a user, each with a stable slug.

GaincurveError
├── InputError        a file or object cannot be read as what it should be (exit 2)
├── ChoiceError       a measure, scenario, option or argument makes no sense (exit 2)
└── MissingExtra      an optional package is needed for what was asked (exit 2)

GaincurveWarning      a note on a result, where a script calls the library

Every error carries one or more `Problem`s: what, where, why, what next. The catalogue holds the part that is
the same each time a slug occurs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Self, TypeVar

from gaincurve.catalogue import CATALOGUE

T = TypeVar("T")
MOST_PROBLEMS = 20
"""A reader reports this many problems and counts the others."""
MOST_PLACES = 5
"""A sentence that is true of many places names this many."""


LONGEST_LINE = 600
"""A line of a message has at most this many characters."""


def visible(text: str, width: int = LONGEST_LINE) -> str:
    """Text with visible control characters, so that a name cannot move the cursor; a long one loses its middle."""
    if len(text) > width:
        text = f"{text[: width * 2 // 3]} … {text[len(text) - width // 3 :]}"
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong: `what` and `at` say what and where; why and what next come from the catalogue."""

    slug: str
    what: str
    at: str = ""
    hint: str = ""

    def __str__(self) -> str:
        return "\n".join(_told_once([self]))


def _told_once(problems: Sequence[Problem]) -> Iterator[str]:
    """The lines of several problems: what is the same for neighbours, down to the sentence, stands once."""
    for (slug, hint), of_a_kind in groupby(problems, key=lambda problem: (problem.slug, problem.hint)):
        for what, same in groupby(of_a_kind, key=lambda problem: problem.what):
            places = [problem.at for problem in same if problem.at]
            yield f"error[{slug}]: {visible(what)}"
            if places:
                more = f", and {len(places) - MOST_PLACES} more" if len(places) > MOST_PLACES else ""
                yield f"  at   {'; '.join(map(visible, places[:MOST_PLACES]))}{more}"
        yield f"  why  {CATALOGUE[slug].why}"
        yield f"  try  {visible(hint or CATALOGUE[slug].hint)}"


class GaincurveError(Exception):
    """Base of everything gaincurve raises on purpose."""

    def __init__(self, problems: Problem | Iterable[Problem], more: int = 0):
        listed = [problems] if isinstance(problems, Problem) else list(problems)
        self.problems: tuple[Problem, ...] = tuple(listed[:MOST_PROBLEMS])
        self.more = more + max(0, len(listed) - MOST_PROBLEMS)
        super().__init__(str(self))

    @classmethod
    def each(cls, broken: Sequence[T], problem: Callable[[T], Problem]) -> Self:
        """The error for many broken things: the first are reported one by one, the others counted."""
        return cls([problem(item) for item in broken[:MOST_PROBLEMS]], more=max(0, len(broken) - MOST_PROBLEMS))

    @property
    def slug(self) -> str:
        """The slug of the first problem."""
        return self.problems[0].slug

    def __str__(self) -> str:
        parts = list(_told_once(self.problems))
        if self.more:
            parts.append(f"… and {self.more} more of the kind")
        return "\n".join(parts)


class InputError(GaincurveError):
    """A file or object cannot be read as what it should be."""


@dataclass
class Problems:
    """What is wrong with an input, gathered while it is read: the first problems in full, the others counted."""

    first: list[Problem] = field(default_factory=list)
    more: int = 0

    def __bool__(self) -> bool:
        return bool(self.first)

    def add(self, problem: Problem) -> None:
        """Add a problem."""
        self.each([problem], lambda same: same)

    def take(self, error: GaincurveError) -> None:
        """Add the problems of an error, with those it only counts."""
        self.each(error.problems, lambda same: same)
        self.more += error.more

    def each(self, broken: Sequence[T], problem: Callable[[T], Problem]) -> None:
        """Add a problem for each broken thing; those beyond the limit are only counted."""
        room = MOST_PROBLEMS - len(self.first)
        self.first += [problem(item) for item in broken[:room]]
        self.more += max(0, len(broken) - room)

    def stop_if_any(self) -> None:
        """Raise the gathered problems."""
        if self.first:
            raise InputError(self.first, self.more)


class ChoiceError(GaincurveError):
    """A measure, scenario, option or argument makes no sense."""


class MissingExtra(GaincurveError):
    """An optional package is needed for what was asked."""


class GaincurveWarning(UserWarning):
    """A note on a result: a surprise that still allows an answer, by slug and sentence ('few-topics: …').

    Every function of `gaincurve` raises the notes of its result as warnings of this kind; the command line prints them
    instead. `warnings.filterwarnings("ignore", message="few-topics", category=gc.GaincurveWarning)` hides one of them.
    """


def extra_missing(extra: str, purpose: str) -> MissingExtra:
    """The error for a missing optional package, with its install line."""
    hint = f"pip install 'gaincurve[{extra}]'"
    return MissingExtra(Problem("extra-missing", f"{purpose} needs the extra {extra!r}", hint=hint))


def nearest(word: object, known: Iterable[str]) -> str:
    """' (did you mean X?)' for the known word nearest to `word`, or nothing."""
    near = near_key(str(word), known)
    return "" if near is None else f" (did you mean {near}?)"


def near_key(word: str, known: Iterable[str]) -> str | None:
    """The known word that was probably meant by `word`; None where none is near."""
    import difflib  # noqa: PLC0415 -- only for those who mistyped

    folded = {name.lower(): name for name in known}
    matches = difflib.get_close_matches(word.lower(), list(folded), n=1, cutoff=0.6)
    return folded[matches[0]] if matches else None


def one_of(option: str, value: object, choices: Sequence[str]) -> str:
    """`value` if it is among the choices of `option`, else a ChoiceError that lists them."""
    if isinstance(value, str) and value in choices:
        return value
    what = f"{option} cannot be {value!r}{nearest(str(value), choices)}"
    raise ChoiceError(Problem("choice-unknown", what, hint=f"use one of: {', '.join(choices)}"))
