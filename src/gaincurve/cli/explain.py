"""gaincurve explain."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

import click

from gaincurve.cli import options
from gaincurve.cli.inputs import load_one
from gaincurve.cli.output import Output
from gaincurve.cli.session import options as session_options
from gaincurve.cli.session.options import QueryDiscount, SessionFiles
from gaincurve.cli.session.views import steps_table
from gaincurve.files.reading import Reading
from gaincurve.files.sessions import load_log
from gaincurve.io.read import read_judgments
from gaincurve.io.render import Cell, Table
from gaincurve.measures.notation import definition_of, parse_measures
from gaincurve.measures.trec_names import names_in_trec_eval
from gaincurve.model.discount import FORMS
from gaincurve.model.measure import CUTOFFS, TIES, Definition
from gaincurve.model.numbers import finite_number
from gaincurve.model.scenario import Scenario, session_scenario
from gaincurve.model.source import Note, number_text
from gaincurve.model.tables.tidy import Kind, Tidy
from gaincurve.verbs.curves import curves
from gaincurve.verbs.evaluate import asked_measures, kind_of, need
from gaincurve.verbs.explain import Explanation, explain
from gaincurve.verbs.explain_grades import explain_grades
from gaincurve.verbs.sessions.explain import SessionExplanation, explain_session
from gaincurve.verbs.why import Theirs, why_different


@click.command("explain")
@click.argument("words", metavar="MEASURE | JUDGMENTS RUN | MINE THEIRS JUDGMENTS RUN", nargs=-1, required=True)
@click.option("--topic", help="Explain this topic's number instead of the measure.")
@click.option("--session", help="Explain this session's number: query by query, what each document added.")
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    help="With --topic or --session: the measure; with --topic repeatable.  [default: nDCG@10, nsDCG]",
)
@click.option(
    "--grades",
    multiple=True,
    help="Explain the MEASUREs on this list, without files: grades by rank, as '3 2 3 0 - 1', - for unjudged. "
    "Repeatable for the queries of a session.",
)
@click.option(
    "--recall-base",
    metavar="GRADES",
    help="With --grades: the grades of all judged documents; unless given, those of the list.",
)
@click.option(
    "--why-different",
    "differs",
    is_flag=True,
    help="MINE THEIRS JUDGMENTS RUN: which rules give THEIRS, a number someone else got, and not ours. "
    "MINE is the measure, or our number (then -m names the measure).",
)
@options.scenario
@session_options.files
@session_options.query_discount
@options.documents_reading
@options.destination
def command(
    words: tuple[str, ...],
    topic: str | None,
    session: str | None,
    measures: tuple[str, ...],
    grades: tuple[str, ...],
    recall_base: str | None,
    differs: bool,
    choices: options.Choices,
    reading: options.Reading,
    destination: options.Destination,
    session_files: SessionFiles,
    discount_by_query: QueryDiscount,
) -> None:
    """Explain what a measure means, or how the number of a topic or session is computed.

    With --topic or --grades: rank by rank the document, its grade and the value of the list that ends there; for CG,
    DCG, nCG and nDCG also gain, divisor, running sum and ideal; for binary measures P@i and R@i, what each rank adds to
    AP, the levels of recall of AP11 and IPrec, and a contingency table for the set measures. With
    --topic, -o FILE.svg, .png or .pdf draws the curve of the list beside the ideal.

    \b
    gaincurve explain nDCG
    gaincurve explain nDCG --grades "3 2 3 0 0 1 2 2 3 0" --recall-base "3 3 3 2 2 2 1 1 1 1"
    gaincurve explain --topic 301 qrels.txt bm25.run -m nDCG@10
    gaincurve explain --topic 301 qrels.txt bm25.run -m DCG@20 -m nDCG@20 -o topic-301.svg
    gaincurve explain --session s12 qrels.txt sessions.jsonl
    gaincurve explain --why-different nDCG@10 0.6887 qrels.txt bm25.run
    """
    output = destination.output(figures=True)
    if output.is_figure and (topic is None or session is not None):
        raise click.UsageError("figures are drawn with --topic; of sessions by gaincurve session --show curve")
    if differs:
        alone = topic is None and session is None and not grades
        _explain_difference(words if alone else (), measures, choices.chosen(), reading, output)
        return
    if session is not None:
        if len(words) != 2 or topic is not None:
            raise click.UsageError("--session needs JUDGMENTS and one file of SESSIONS, and no --topic")
        if len(measures) > 1:
            raise click.UsageError("--session explains one measure: give -m once")
        measure = measures[0] if measures else "nsDCG"
        _explain_session(*words, session, measure, choices, discount_by_query, session_files, reading, output)
        return
    session_files.refuse("give --session")
    if grades:
        if topic is not None or measures:
            raise click.UsageError("--grades goes with MEASURE alone: without files, --topic and -m")
        _explain_grades(words, grades, recall_base, choices, discount_by_query, output)
        return
    if recall_base is not None:
        raise click.UsageError("--recall-base goes with --grades")
    discount_by_query.refuse("give --session")
    if topic is None:
        if len(words) != 1 or measures:
            raise click.UsageError("give one MEASURE to explain, or --topic T JUDGMENTS RUN")
        definition = definition_of(words[0].strip())
        output.emit(lambda: _about(definition), lambda: _about_tidy(definition), lambda: _shape(definition))
        return
    if len(words) != 2:
        raise click.UsageError("--topic needs JUDGMENTS and one RUN")
    scenario = choices.chosen()
    names = measures or ("nDCG@10",)
    asked = asked_measures(names, scenario)
    reading = replace(reading, subtopics=reading.subtopics or need("subtopics", asked))
    judged, run = load_one(*words, scenario.ties, reading, output)
    if output.is_figure:
        from gaincurve.figures import curves_chart  # noqa: PLC0415 -- an extra

        drawn = curves(judged, run, parse_measures(names), scenario=scenario, topic=topic)
        output.draw(lambda: curves_chart(drawn), drawn.notes)
        return
    explanations = [explain(judged, run, topic, measure, scenario=scenario) for measure in parse_measures(names)]
    _emit(explanations, output)


def _emit(explanations: Sequence[Explanation], output: Output) -> None:
    first = explanations[0]
    several = len(explanations) > 1
    output.emit(
        lambda: [table for explanation in explanations for table in _tables(explanation)],
        lambda: _together(explanations) if several else first.tidy(),
        lambda: _explanations(explanations) if several else first.to_dict(),
        first.inputs,
        dict.fromkeys(note for explanation in explanations for note in explanation.notes),
    )


def _explain_grades(
    names: Sequence[str],
    grades: tuple[str, ...],
    recall_base: str | None,
    choices: options.Choices,
    discount_by_query: QueryDiscount,
    output: Output,
) -> None:
    asked = parse_measures(names)
    sessions = kind_of(asked) == "session"
    if sessions and len(asked) > 1:
        raise click.UsageError("--grades explains one measure of sessions at a time")
    if sessions:
        _refuse_of_topics(choices)
    else:
        discount_by_query.refuse("name a measure of sessions")
    options.refuse_unused(choices, asked)
    of_queries = asdict(discount_by_query) if sessions else {}
    scenario = choices.chosen("session" if sessions else "topic", **of_queries)
    shown = [explain_grades(*grades, recall_base=recall_base, measure=measure, scenario=scenario) for measure in asked]
    (session,) = shown if sessions else (None,)
    if isinstance(session, SessionExplanation):
        _emit_session(session, output)
        return
    _emit([explanation for explanation in shown if isinstance(explanation, Explanation)], output)


def _explain_difference(
    words: tuple[str, ...], measures: tuple[str, ...], scenario: Scenario, reading: options.Reading, output: Output
) -> None:
    if len(words) != 4:
        raise click.UsageError("--why-different needs MINE THEIRS JUDGMENTS RUN, and no --topic or --session")
    mine, theirs, judgments, run = words
    number = None if math.isnan(finite_number(mine)) else Theirs.of(mine)
    if len(measures) > 1 or (measures and number is None):
        raise click.UsageError("--why-different explains one measure: write it as MINE, or MINE a number and -m once")
    measure = mine if number is None else (measures or ("nDCG@10",))[0]
    judged, loaded = load_one(judgments, run, scenario.ties, reading, output)
    difference = why_different(judged, loaded, theirs, measure, scenario=scenario)
    notes = []
    if number is not None and not number.fits(difference.ours):
        text = f"{difference.measure} is {difference.ours:.6f} under these choices, and not {mine}"
        notes = [Note("number-mine", text, (difference.run,))]
    rows: list[tuple[Cell, ...]] = [
        (len(reason.changes), ", ".join(reason.tools), "; ".join(reason.changes), reason.value)
        for reason in difference.reasons
    ]
    columns = ("changes", "scenario", "choices", difference.measure)
    output.emit(
        lambda: Table(
            columns if rows else (), rows, title=difference.sentence, foot=difference.scope, column_digits={3: 6}
        ),
        difference.tidy,
        difference.to_dict,
        difference.inputs,
        notes,
    )


def _explain_session(
    judgments: str,
    sessions: str,
    session: str,
    measure: str,
    choices: options.Choices,
    discount_by_query: QueryDiscount,
    session_files: SessionFiles,
    reading: options.Reading,
    output: Output,
) -> None:
    _refuse_of_topics(choices)
    scenario = session_scenario(choices.chosen("session"), **asdict(discount_by_query))
    judged = read_judgments(judgments, subtopics=reading.subtopics, **reading.judgments)
    files = Reading(subtopics=reading.subtopics, **reading.files, sessions=session_files.reading)
    log = load_log(judged, sessions, scenario, files)
    output.tell(f"read {judged.describe()}: {judged.source.path}",
                f"read {log.sessions.describe()}, {log.source.format}: {log.source.path}")  # fmt: skip
    explanation = explain_session(judged, log, session, measure, scenario=scenario, gaps=session_files.reading.gaps)
    _emit_session(explanation, output)


def _emit_session(explanation: SessionExplanation, output: Output) -> None:
    output.emit(
        lambda: steps_table(explanation),
        explanation.tidy,
        explanation.to_dict,
        explanation.inputs,
        explanation.notes,
    )


def _refuse_of_topics(choices: options.Choices) -> None:
    for name in ("ideal", "empty"):
        if getattr(choices, name) is not None:
            raise click.UsageError(f"--{name} is for topics; for a session write e.g. nsDCG(ideal='bound')")


def about_measure(definition: Definition) -> list[tuple[str, str]]:
    """Everything known about a measure, as pairs of heading and text."""
    parameters = "\n".join(f"{name}: {_help(definition, name)}" for name in definition.parameters)
    rows = [
        ("measure", f"{definition.name}: {definition.title}"),
        ("formula", definition.formula),
        ("what it says", definition.about),
        ("unit", f"{definition.unit}, {definition.range}; {_better(definition)}"),
        ("cutoff", CUTOFFS[definition.cutoff]),
        (f"over {definition.over}s", definition.summary),
        ("nothing relevant", definition.empty),
        ("ties", TIES[definition.ties]),
        ("unjudged bounds", f"none: {definition.unbounded}" if definition.unbounded else "yes"),
        ("parameters", parameters),
    ]
    if "discount" in definition.parameters:
        discounts = "\n".join(f"{name}: {form.formula} ({form.source})" for name, form in FORMS.items())
        rows.append(("discounts D(i)", discounts))
    rows.append(("source", definition.source))
    if definition.against:
        rows.append(("the 2002 paper on it", definition.against))
    if definition.aliases:
        rows.append(("also written", ", ".join(definition.aliases)))
    names = names_in_trec_eval(definition.name)
    names_in = {"trec_eval": f" ({', '.join(names)})" if names else ""}
    return rows + [(f"in {tool}{names_in.get(tool, '')}", text) for tool, text in definition.elsewhere.items()]


def _better(definition: Definition) -> str:
    return "it is neither good nor bad" if definition.better == "neither" else f"{definition.better} is better"


def _help(definition: Definition, parameter: str) -> str:
    default = definition.defaults.get(parameter, definition.summary if parameter == "summary" else None)
    text = definition.parameter(parameter).help
    if default is not None:
        text += f" ({number_text(default) if isinstance(default, float) else default} unless given)"
    return text + (" (must be given)" if parameter in definition.required else "")


def _about(definition: Definition) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for heading, text in about_measure(definition):
        lines = [line for part in _paragraphs(text) for line in (textwrap.wrap(part, 96) or [""])]
        rows += [(heading if i == 0 else "", line) for i, line in enumerate(lines)]
    return Table(("about", definition.name), rows)


def _about_tidy(definition: Definition) -> Table:
    rows: list[tuple[Cell, ...]] = [(heading, " ".join(text.split())) for heading, text in about_measure(definition)]
    return Table(("about", definition.name), rows)


def _paragraphs(text: str) -> list[str]:
    """Prose is wrapped again; lists (name: text) keep their lines."""
    if "\n\n" not in text:
        return text.splitlines()
    return [line for part in text.split("\n\n") for line in (" ".join(part.split()), "")][:-1]


def _shape(definition: Definition) -> dict[str, object]:
    return {"schema": "gaincurve.measure/1", "name": definition.name, "about": dict(about_measure(definition))}


def _steps(explanation: Explanation) -> Table:
    def grade_cell(grade: float | None, document: str | None) -> Cell:
        if grade is None:
            return "unjudged" if document is not None else ""
        return number_text(grade)

    summed = any(step.gain is not None for step in explanation.steps)
    rows: list[tuple[Cell, ...]] = [
        (
            step.rank,
            step.document or "",
            grade_cell(step.grade, step.document),
            *((step.gain, step.divisor, step.sum, step.ideal_gain, step.ideal_sum) if summed else ()),
            *(value for _, value in step.more),
            step.value,
        )
        for step in explanation.steps
    ]
    sums = ("gain", "divisor", "running sum", "ideal gain", "ideal sum") if summed else ()
    columns = ("rank", "document", "grade", *sums, *explanation.working.columns, explanation.measure)
    value = "undefined" if math.isnan(explanation.value) else f"{explanation.value:.6f}"
    title = f"topic {explanation.topic}, run {explanation.run}: {explanation.measure} = {value}"
    return Table(columns, rows, title=title, foot=(*explanation.working.sums, str(explanation.signature)))


def _together(explanations: Sequence[Explanation]) -> Tidy:
    """The ranks of several measures in one table: what a measure does not have is left empty."""
    tables = [explanation.tidy() for explanation in explanations]
    known = {name: column.kind for table in tables for name, column in table.columns.items()}
    last = {name: known.pop(name) for name in ("value", "signature")}
    kinds: dict[str, Kind] = {"measure": "text", **known, **last}
    rows: list[list[Any]] = []
    for explanation, table in zip(explanations, tables, strict=True):
        named = [dict(zip(table.columns, row, strict=True)) for row in table.rows()]
        rows += [[({"measure": explanation.measure} | row).get(name) for name in kinds] for row in named]
    return Tidy.of_rows("gaincurve.explanations/1", kinds, rows, (each.signature for each in explanations))


def _explanations(explanations: Sequence[Explanation]) -> dict[str, object]:
    return {
        "schema": "gaincurve.explanations/1",
        "explanations": [explanation.to_dict() for explanation in explanations],
    }


def _tables(explanation: Explanation) -> list[Table]:
    """The ranks, and below them the small tables of the working, for people."""
    parts = [Table(part.columns, [*part.rows], title=part.title) for part in explanation.working.parts]
    return [_steps(explanation), *parts]
