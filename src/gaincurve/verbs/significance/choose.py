"""Turn what was asked for, and what was left open, into a procedure; refuse what makes no sense."""

from __future__ import annotations

import math

from gaincurve.errors import ChoiceError, InputError, Problem, nearest, one_of
from gaincurve.model.numbers import whole_number
from gaincurve.model.scores import Scores
from gaincurve.model.source import examples, grouped, shorten
from gaincurve.stats.corrections import ADJUSTMENTS
from gaincurve.verbs.significance import PAIRED, TESTS, UNPAIRED
from gaincurve.verbs.significance.records import Procedure, SignificanceTest

POST_HOC = {name: rule for test in TESTS.values() for name, rule in test.post_hoc.items()}
"""The comparisons of pairs after an overall test, of all tests that have any."""


def checked_runs(scores: Scores, baseline: str | None) -> None:
    """Two systems at least, the baseline among them."""
    if len(scores.runs) < 2:
        raise InputError(Problem("runs-too-few", f"only one run was given: {scores.runs[0]}"))
    if baseline is not None and baseline not in scores.runs:
        what = f"there is no run {baseline!r}{nearest(baseline, scores.runs)}"
        raise ChoiceError(Problem("run-unknown", what, hint=f"runs: {examples(list(scores.runs), 10)}"))


def chosen_test(scores: Scores, name: str | None, after: bool) -> str:
    """The name of the test asked for, or the default: the paired t, Welch's where systems share no sessions.

    `after` says that comparisons after Friedman's test were named.
    """
    _refuse_design(scores, name)
    if scores.design == "unpaired":
        return next(iter(UNPAIRED))
    return one_of("test", name or ("friedman" if after else next(iter(PAIRED))), tuple(PAIRED))


def _refuse_design(scores: Scores, name: str | None) -> None:
    """A paired test needs the same units for every system, and an unpaired one different ones."""
    if scores.design == "unpaired" and name is not None and name not in UNPAIRED:
        what = f"the systems were scored on different {scores.kind}s, and {name} compares them one by one"
        raise ChoiceError(
            Problem("test-not-possible", what, hint=f"use test={next(iter(UNPAIRED))!r}, or leave it out")
        )
    if scores.design != "unpaired" and name in UNPAIRED:
        called = UNPAIRED[name].called
        what = f"the systems were scored on the same {scores.kind}s: {called} would throw away what they share"
        raise ChoiceError(Problem("test-not-possible", what, hint=f"use test={next(iter(PAIRED))!r}, or leave it out"))


def chosen_post_hoc(test: SignificanceTest, asked: str | None) -> str:
    """The comparisons after the test; empty for a test that has none."""
    if test.post_hoc:
        return one_of("post_hoc", asked or next(iter(test.post_hoc)), tuple(test.post_hoc))
    if asked is not None:
        what = f"{one_of('post_hoc', asked, tuple(POST_HOC))} comes after Friedman's test, not after {test.name}"
        raise ChoiceError(Problem("test-not-possible", what, hint="use --test friedman"))
    return ""


def chosen_adjustment(scores: Scores, asked: str | None, family: str, whole: bool) -> str:
    """The correction asked for; Holm's for several comparisons, none where the p-values are already `whole`."""
    if asked is not None:
        return one_of("adjust", asked, tuple(ADJUSTMENTS))
    alone = len(scores.runs) == 2 and (family == "measure" or len(scores.measures) == 1)
    return "none" if whole or alone else "holm"


def refuse_contradictions(procedure: Procedure, adjust: str | None) -> None:
    """What a test has decided itself cannot be asked for again, and a baseline is for tests that take one."""
    name = procedure.post_hoc or procedure.test.name
    if procedure.whole and (adjust is not None or procedure.family != "measure"):
        what = f"p-values of {name} already hold for all comparisons of one measure together"
        raise ChoiceError(Problem("test-not-possible", what, hint="leave out --adjust and --family"))
    if procedure.whole and procedure.baseline and not procedure.test.needs_baseline:
        what = f"{name} compares all pairs, not systems with a baseline"
        raise ChoiceError(Problem("test-not-possible", what, hint="use --test max-t, or t, which is adjusted by Holm"))
    if procedure.test.needs_baseline and not procedure.baseline:
        what = f"{name} compares systems with a baseline, and none was named"
        raise ChoiceError(Problem("test-not-possible", what, hint="name one: --baseline RUN"))


MOST_DRAWS = 10_000_000
"""More draws take memory and time, and change no digit of a p-value that anybody reads."""


def counted_from(name: str, given: object, least: int, most: float = math.inf) -> int:
    """A seed or a number of draws."""
    number = None if isinstance(given, str) else whole_number(given)
    if number is None or number < least:
        raise ChoiceError(Problem("statistics-value", f"{name} cannot be {given!r}"))
    if number > most:
        what = f"{name} cannot be {shorten(str(number))}"
        raise ChoiceError(Problem("statistics-value", what, hint=f"give at most {grouped(int(most))}"))
    return number
