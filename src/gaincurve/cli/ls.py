"""gaincurve ls."""

from __future__ import annotations

import platform
from collections.abc import Callable

import click
import numpy as np

from gaincurve._compiled import scanner_name
from gaincurve._version import __version__
from gaincurve.catalogue import CATALOGUE
from gaincurve.cli import options
from gaincurve.errors import ChoiceError, Problem, nearest
from gaincurve.io.convert import WRITTEN
from gaincurve.io.formats.record import Format
from gaincurve.io.formats.registry import LISTED
from gaincurve.io.render import FIGURES, FORMATS, SUFFIXES, Cell, Table
from gaincurve.io.sessions.lists import UNMAPPED
from gaincurve.io.sessions.logs import SESSION_FORMATS
from gaincurve.io.texts.formats import FORMATS as TEXT_FORMATS
from gaincurve.io.threads import default_threads
from gaincurve.measures.notation import definitions
from gaincurve.model.columns import ALIASES
from gaincurve.model.discount import FORMS
from gaincurve.model.gains import SCHEMES
from gaincurve.model.measure import Definition
from gaincurve.model.scenario import REFUSED, RULES, SCENARIOS
from gaincurve.model.sessions.rules import SESSION_RULES
from gaincurve.model.sessions.tables import DESIGNS, GAPS
from gaincurve.stats.corrections import ADJUSTMENTS
from gaincurve.verbs.pools.methods import METHODS
from gaincurve.verbs.significance import PAIRED
from gaincurve.verbs.significance.choose import POST_HOC


def measures() -> Table:
    """Every measure, those of whole sessions last."""
    rows: list[tuple[Cell, ...]] = [
        (
            definition.name,
            definition.title,
            definition.range,
            definition.better,
            _cutoff(definition),
            ", ".join(definition.parameters),
            definition.source,
        )
        for definition in definitions()
    ]
    return Table(("name", "title", "range", "better", "cutoff", "parameters", "source"), rows)


def _cutoff(definition: Definition) -> str:
    """How the measure is cut, in the notation itself."""
    return {"required": "@k", "optional": "or @k", "recall": "@r", "none": "", "lists": "or @X"}[definition.cutoff]


def scenarios() -> Table:
    """Every named scenario with its choices."""
    rows: list[tuple[Cell, ...]] = [
        (
            scenario.name,
            str(scenario.gains),
            str(scenario.discount),
            str(scenario.session.query_discount),
            str(scenario.depth or "own"),
            *(getattr(scenario, rule) for rule in RULES),
            "; ".join(REFUSED[refusal.case].what for refusal in scenario.refuses),
            scenario.about,
        )
        for scenario in SCENARIOS.values()
    ]
    return Table(("name", "gains", "discount", "discount by query", "depth", *RULES, "refuses", "about"), rows)


def formats() -> Table:
    """What can be read and written."""
    suffix = {name: suffix for suffix, name in SUFFIXES.items()}
    rows: list[tuple[Cell, ...]] = list(LISTED)
    rows += [("read sessions", known.title, known.about) for known in SESSION_FORMATS]
    rows += [("read texts", known.title, known.about) for known in TEXT_FORMATS]
    rows += [("column names", role, ", ".join(names)) for role, names in ALIASES.items()]
    rows += [
        ("write -f", name, f"{about} ({suffix[name]})" if name in suffix else about) for name, about in FORMATS.items()
    ]
    drawing = "figures, by curve, effort, compare, sweep, session and eval --efficiency; needs the extra 'figures'"
    rows += [("write --to", name, _carried(format_)) for name, format_ in WRITTEN.items()]
    rows.append(("write -o", " ".join(FIGURES), drawing))
    return Table(("what", "name", "about"), rows)


def _carried(format_: Format) -> str:
    """What `convert` writes, and what it cannot keep."""
    return f"{format_.title}, by convert" + (f"; cannot keep {format_.loses}" if format_.loses else "")


def gains() -> Table:
    """The gain schemes."""
    return Table(("gains", "about"), list(SCHEMES.items()))


def discounts() -> Table:
    """The discounts."""
    rows: list[tuple[Cell, ...]] = [
        (name, form.formula, "yes" if form.based else "no", form.source) for name, form in FORMS.items()
    ]
    return Table(("discount", "divisor D(i)", "base", "source"), rows)


def rules() -> Table:
    """The named rules for ties, ideals, unjudged documents and missing topics."""
    rows: list[tuple[Cell, ...]] = [
        (choice, value, about) for choice, values in RULES.items() for value, about in values.items()
    ]
    of_sessions = {**SESSION_RULES, "gaps": GAPS, "unmapped": UNMAPPED, "design": DESIGNS}
    rows += [
        (f"session: {choice}", value, about)
        for choice, values in of_sessions.items()
        for value, about in values.items()
    ]
    return Table(("choice", "value", "about"), rows)


def tests() -> Table:
    """The tests of `compare`, the corrections, and the comparisons after Friedman's test."""
    rows: list[tuple[Cell, ...]] = [("--test", name, test.about) for name, test in PAIRED.items()]
    rows += [("--adjust", name, about) for name, about in ADJUSTMENTS.items()]
    rows += [("--post-hoc", name, rule.about) for name, rule in POST_HOC.items()]
    return Table(("option", "value", "about"), rows)


def pools() -> Table:
    """The methods of `pool`."""
    rows: list[tuple[Cell, ...]] = [(name, m.rule, m.when, m.weakness) for name, m in METHODS.items()]
    return Table(("method", "rule", "when", "weakness"), rows)


def errors() -> Table:
    """Every error slug."""
    return Table(("slug", "what it means"), [(slug, entry.explanation) for slug, entry in CATALOGUE.items()])


def build() -> Table:
    """What this installation is made of, and which scanner reads runs."""
    rows: list[tuple[Cell, ...]] = [
        ("gaincurve", __version__),
        ("scanner", scanner_name()),
        ("threads", str(default_threads())),
        ("Python", platform.python_version()),
        ("NumPy", np.__version__),
    ]
    return Table(("part", "version"), rows)


LISTS: dict[str, Callable[[], Table]] = {
    "measures": measures,
    "scenarios": scenarios,
    "formats": formats,
    "gains": gains,
    "discounts": discounts,
    "rules": rules,
    "tests": tests,
    "pools": pools,
    "errors": errors,
    "build": build,
}


@click.command("ls")
@click.argument("what", metavar="|".join(LISTS), default="measures")
@options.destination
def command(what: str, destination: options.Destination) -> None:
    """List measures, scenarios, formats, gains, discounts, rules, tests, pools, errors, or versions.

    \b
    gaincurve ls scenarios
    """
    output = destination.output()
    if what not in LISTS:
        known = f"there is no list of {what!r}{nearest(what, LISTS)}"
        raise ChoiceError(Problem("list-unknown", known, hint=f"use one of: {', '.join(LISTS)}"))
    table = LISTS[what]()
    records = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    output.emit(lambda: table, lambda: table, lambda: {"schema": "gaincurve.list/1", "list": what, "entries": records})
