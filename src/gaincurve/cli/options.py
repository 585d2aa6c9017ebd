"""Options that several commands share, each written once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from gaincurve.io.render import FORMATS
from gaincurve.io.scenarios import read_scenario
from gaincurve.model.discount import FORMS
from gaincurve.model.measure import Measure
from gaincurve.model.rows import DUPLICATES
from gaincurve.model.scenario import CHOICES, RULES, Scenario

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
quiet = click.option("--quiet", is_flag=True, help="No notes on stderr.")


def applied(options: list[Callable[[F], F]]) -> Callable[[F], F]:
    """Several options as one decorator."""

    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def choice(name: str, values: Mapping[str, str]) -> Callable[[F], F]:
    """An option that takes one of a few named rules."""
    listed = "; ".join(f"{value}: {about}" for value, about in values.items())
    return click.option(f"--{name}", metavar="|".join(values), help=f"{listed}.")


def _scenario(several: bool) -> list[Callable[[F], F]]:
    again = " Repeatable." if several else ""
    last = "Last rank for measures that name no cutoff" + (
        "; several, as 10,30,100, give regions." if several else ", and of curves."
    )
    return [
        click.option(
            "--scenario",
            default="default",
            metavar="NAME|FILE.toml",
            help="A named set of choices; see `ls scenarios`.",
        ),
        click.option(
            "--gains", multiple=several, help=f"Gain by grade: identity, binary, exp2, 0-1-10-100, 1=3,2=9.{again}"
        ),
        click.option("--discount", metavar="|".join(FORMS), help="Divisor by rank; see `ls discounts`."),
        click.option("--base", help="Base of a logarithmic discount: above 1, or inf."),
        click.option("--depth", help=last),
        *(choice(name, values) for name, values in RULES.items()),
    ]


scenario = applied(_scenario(several=False))
"""All choices that decide a number."""

regions = applied(_scenario(several=True))
"""The same, with several gains and depths side by side."""

duplicates = click.option(
    "--duplicates",
    default="error",
    metavar="|".join(DUPLICATES),
    help="A document listed twice for a topic: error: refuse; first: keep the first.",
)

subtopics = click.option(
    "--subtopics", is_flag=True, help="The second column of TREC qrels names the subtopic that was judged."
)

threads = click.option(
    "--threads",
    type=click.IntRange(1),
    help="Threads that read runs; all cores unless given. No number depends on it.",
)

output = applied(
    [
        click.option(
            "-f", "--format", "format", metavar="|".join(FORMATS), help="Output format; table on a terminal, else tsv."
        ),
        click.option("-o", "--out", metavar="FILE", help="Write to a file; without -f its suffix decides the format."),
        click.option(
            "--digits", type=click.IntRange(0, 17), help="Digits after the point (4 in tables, all in tsv and csv)."
        ),
        quiet,
    ]
)


def chosen_scenario(given: dict[str, Any]) -> Scenario:
    """The scenario named on the command line with the single choices put in."""
    return read_scenario(given["scenario"]).with_choices(**{name: given[name] for name in CHOICES})


def refuse_unused(given: dict[str, Any], measures: list[Measure]) -> None:
    """An option that changes none of the measures asked for is more likely a mistake than a wish."""
    used = {parameter for measure in measures for parameter in measure.definition.parameters}
    for option in ("gains", "discount", "base", "ideal", "points"):
        if given[option] is not None and option not in used:
            names = ", ".join(measure.name for measure in measures)
            raise click.UsageError(f"--{option} changes nothing about {names}")
