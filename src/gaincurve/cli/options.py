"""Options that several commands share: each group with the request that holds its values."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial, wraps
from typing import Any, TypeVar

import click

from gaincurve.cli.output import Output
from gaincurve.cli.pages import mark
from gaincurve.io.render import FORMATS
from gaincurve.io.scenarios import read_scenario
from gaincurve.model.columns import parse_columns
from gaincurve.model.discount import FORMS
from gaincurve.model.gains import SPELLINGS
from gaincurve.model.judges import JUDGES
from gaincurve.model.measure import Measure
from gaincurve.model.rows import DUPLICATES, rule_for_judgments
from gaincurve.model.scenario import RULES, Scenario, checked_depth, session_scenario

F = TypeVar("F", bound=Callable[..., Any])

judgments = click.argument("judgments", metavar="JUDGMENTS")
runs = click.argument("runs", metavar="RUN...", nargs=-1, required=True)
measures = click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    help="A measure, e.g. nDCG@10 or 'DCG(discount=rank)@9'. Repeatable.",
)
efficiency = click.option(
    "--efficiency",
    "logs",
    multiple=True,
    metavar="LOG",
    help="What a run costs, as JSON lines; named like its run, or NAME=LOG, or a pattern in quotes: 'logs/*.jsonl'. "
    "Repeatable. See `ls formats`.",
)
quiet = click.option("--quiet", is_flag=True, help="No notes on stderr.")


class FiniteRange(click.FloatRange):
    """A range of numbers; nan, which click compares with no end of a range, is not in it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number, or the error of click."""
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{number} is not a finite number.", param, ctx)
        return number


def applied(options: Sequence[Callable[[F], F]]) -> Callable[[F], F]:
    """Several options as one decorator."""

    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def gathered(
    name: str, request: Callable[..., object], options: Sequence[Callable[[Any], Any]]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Several options as one decorator: the command receives their values as one `request` under `name`."""

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        @wraps(function)
        def command(*arguments: object, **values: object) -> None:
            own = {option: values.pop(option) for option in names}
            function(*arguments, **values, **{name: request(**own)})

        before = len(getattr(command, "__click_params__", ()))
        applied(options)(command)
        parameters = getattr(command, "__click_params__")[before:]  # noqa: B009 -- click's
        mark(parameters, name)
        names = [parameter.name for parameter in parameters]
        return command

    return decorate


def choice(name: str, values: Mapping[str, str]) -> Callable[[F], F]:
    """An option that takes one of a few named rules."""
    listed = "; ".join(f"{value}: {about}" for value, about in values.items())
    return click.option(f"--{name}", metavar="|".join(values), help=f"{listed}.")


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The choices that are given at most once; None leaves one as the scenario has it."""

    scenario: str
    discount: str | None
    base: str | None
    ideal: str | None
    ties: str | None
    unjudged: str | None
    missing: str | None
    empty: str | None
    negative: str | None
    points: str | None


@dataclass(frozen=True, kw_only=True)
class Choices(Rules):
    """All choices that decide a number."""

    gains: str | None
    depth: str | None

    def chosen(self, over: str = "topic", **of_sessions: str | None) -> Scenario:
        """The scenario named on the command line with the single choices applied; `over`: topic or session."""
        return _chosen({**asdict(self), **of_sessions}, over)


@dataclass(frozen=True, kw_only=True)
class Regions(Rules):
    """The same with several gains, bases and cutoffs side by side."""

    gains: tuple[str, ...]
    depth: str | None

    @property
    def depths(self) -> list[int]:
        """The cutoffs asked for, in the order given."""
        return [checked_depth(part) for part in listed(self.depth) or []]

    def with_one(self, over: str = "topic", **choices: str | int | None) -> Scenario:
        """The scenario, with these choices in place of those that may have several values."""
        return _chosen({**asdict(self), "gains": None, "depth": None, **choices}, over)


def _chosen(choices: dict[str, Any], over: str) -> Scenario:
    name = choices.pop("scenario")
    if over == "topic":
        return read_scenario(name).choosing(choices)
    return session_scenario(read_scenario("session" if name == "default" else name), **choices)


def listed(text: str | None) -> list[str] | None:
    """The parts of '10, 30, 100'; None if there is no text."""
    return [part.strip() for part in text.split(",")] if text else None


def refuse_unused(given: Choices | Regions, measures: Sequence[Measure]) -> None:
    """Refuse an option that changes none of the measures asked for: it is most likely a mistake."""
    options = {
        "gains": given.gains or None,
        "discount": given.discount,
        "base": given.base,
        "ideal": given.ideal,
        "points": given.points,
    }
    refuse_idle(options, measures)


def refuse_idle(options: Mapping[str, object], measures: Sequence[Measure]) -> None:
    """Refuse options, by name, that are no parameter of any measure asked for."""
    used = {parameter for measure in measures for parameter in measure.definition.parameters}
    for option, value in options.items():
        if value is not None and option not in used:
            names = ", ".join(measure.name for measure in measures)
            raise click.UsageError(f"--{option.replace('_', '-')} changes nothing about {names}")


def _scenario(several: bool) -> list[Callable[[F], F]]:
    repeatable = " Repeatable." if several else ""
    depth_help = "Cutoff of measures that name none" + (
        "; several, as 10,30,100, give regions." if several else ", and of curves."
    )
    return [
        click.option(
            "--scenario",
            default="default",
            metavar="NAME|FILE.toml",
            help="A named set of choices; see `ls scenarios`.",
        ),
        click.option("--gains", multiple=several, help=f"Gain by grade: {SPELLINGS}.{repeatable}"),
        click.option("--discount", metavar="|".join(FORMS), help="Divisor by rank; see `ls discounts`."),
        click.option("--base", help="Base of a logarithmic discount: above 1, or inf."),
        click.option("--depth", help=depth_help),
        *(choice(name, values) for name, values in RULES.items()),
    ]


scenario = gathered("choices", Choices, _scenario(several=False))
"""All choices that decide a number."""

regions = gathered("regions", Regions, _scenario(several=True))
"""The same, with several gains and depths side by side."""


@dataclass(frozen=True)
class Reading:
    """How judgments and runs are read; `threads` None means all cores."""

    duplicates: str = "error"
    subtopics: bool = False
    threads: int | None = None
    columns: str | None = None
    grades_are_scores: bool = False
    judges: str = "error"

    @property
    def judgments(self) -> dict[str, Any]:
        """How judgments are read, beside their subtopics: arguments of `read_judgments`."""
        return {**self.files, "duplicates": rule_for_judgments(self.duplicates)}

    @property
    def runs(self) -> dict[str, Any]:
        """How runs beside sessions are read: arguments of `read_run`."""
        own = ("grades_are_scores", "judges")
        return {name: value for name, value in self.judgments.items() if name not in own}

    @property
    def files(self) -> dict[str, Any]:
        """How all files are read: arguments of `files.reading.Reading`."""
        columns = parse_columns(self.columns)
        return {
            "duplicates": self.duplicates,
            "columns": columns,
            "grades_are_scores": self.grades_are_scores,
            "judges": self.judges,
        }


duplicates = click.option(
    "--duplicates",
    default="error",
    metavar="|".join(DUPLICATES),
    help="A document listed twice for a topic: error: refuse; first: keep the first. In sessions also seen: all keep "
    "their ranks, and only the first gains.",
)

subtopics = click.option(
    "--subtopics", is_flag=True, help="The second column of TREC qrels names the subtopic that was judged."
)

threads = click.option(
    "--threads",
    type=click.IntRange(1),
    help="Threads for reading runs; all cores unless given. Results do not depend on it.",
)

columns = click.option(
    "--columns",
    metavar="ROLE=NAME,...",
    help="Columns of tables, e.g. topic=qid,document=docno; also grade, score, rank, subtopic. Where files differ, "
    "name a role again.",
)

grades_are_scores = click.option(
    "--grades-are-scores", is_flag=True, help="Accept judgments that look like a run: their values are grades."
)

judges = click.option(
    "--judges",
    default="error",
    metavar="|".join(JUDGES),
    help="Where several judges graded a document: "
    + "; ".join(f"{rule}: {about}" for rule, about in JUDGES.items())
    + ". FILE#NAME reads one judge.",
)

doors = [columns, grades_are_scores, judges]
"""What decides where content alone could be misread."""

reading = gathered("reading", Reading, [duplicates, subtopics, *doors, threads])
"""How judgments and runs are read."""

runs_reading = gathered("reading", Reading, [duplicates, *doors, threads])
"""The same for commands without --subtopics."""

check_reading = gathered("reading", partial(Reading, "first"), [subtopics, *doors])
"""The same for `check`, which reports documents listed twice and goes on."""

documents_reading = gathered("reading", Reading, [duplicates, subtopics, *doors])
"""The same for commands that keep documents, and so read on one thread."""


@dataclass(frozen=True)
class Destination:
    """The values of -f, -o, --digits and --quiet as they were given."""

    format: str | None
    out: str | None
    digits: int | None
    quiet: bool

    def output(self, figures: bool = False, dvc: bool = False) -> Output:
        """Check the choices before anything is read: a wrong suffix should not cost a long wait."""
        return Output.checked(self.format, self.out, self.digits, self.quiet, figures, dvc)


_output = [
    click.option(
        "-f", "--format", "format", metavar="|".join(FORMATS), help="Output format; table on a terminal, else tsv."
    ),
    click.option("-o", "--out", metavar="FILE", help="Write to a file; without -f its suffix decides the format."),
    click.option(
        "--digits", type=click.IntRange(0, 17), help="Digits after the point (4 in tables, all in tsv and csv)."
    ),
    quiet,
]

destination = gathered("destination", Destination, _output)
"""Where results go, and in which format."""
