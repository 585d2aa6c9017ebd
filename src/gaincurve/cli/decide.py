"""gaincurve decide."""

from __future__ import annotations

from collections.abc import Mapping

import click

from gaincurve.cli import options
from gaincurve.cli.pool import load_runs
from gaincurve.errors import InputError, Problem
from gaincurve.files.reading import Gathered
from gaincurve.io.content import read_content
from gaincurve.io.read import read_judgments
from gaincurve.io.render import Cell, Table
from gaincurve.measures.notation import parse_measure
from gaincurve.model.decision import Decision
from gaincurve.model.numbers import finite_number
from gaincurve.verbs.decide import decide
from gaincurve.verbs.deciding.case import STOPS, TOPICS
from gaincurve.verbs.deciding.closing import closing_paths
from gaincurve.verbs.deciding.prior import PRIORS

LISTED = 10
"""So many of the next documents are shown in a table."""
NOTHING = "none"
"""In place of judgments: nobody has judged anything yet."""


def _listed(rules: Mapping[str, str]) -> str:
    return "; ".join(f"{name}: {about}" for name, about in rules.items())


@click.command("decide")
@options.judgments
@options.runs
@click.option("-m", "--measure", default="nDCG@10", show_default=True, help="The measure that decides.")
@click.option("--scale", help="Grades a judge can give: 0-3, or 0,1,3; else those that occur or that the gains list.")
@click.option("--prior", metavar="|".join([*PRIORS, "FILE"]),
              help=f"{_listed(PRIORS)}; FILE: lines GRADE WEIGHT.")  # fmt: skip
@click.option("--stop", default="plausible", metavar="|".join(STOPS),
              help=f"{_listed(STOPS)}.")  # fmt: skip
@click.option(
    "--confidence",
    type=options.FiniteRange(0.5, 1),
    default=0.95,
    show_default=True,
    help="The P at which a pair counts as decided.",
)
@click.option("--topics", default="judged", metavar="|".join(TOPICS),
              help=f"{_listed(TOPICS)}.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the draws for nDCG, nCG and R.")
@click.option("-q", "--per-topic", is_flag=True, help="The difference and its bounds for every topic as well.")
@options.scenario
@options.documents_reading
@options.destination
def command(
    judgments: str,
    runs: tuple[str, ...],
    measure: str,
    scale: str | None,
    prior: str | None,
    stop: str,
    confidence: float,
    topics: str,
    seed: int,
    per_topic: bool,
    choices: options.Choices,
    reading: options.Reading,
    destination: options.Destination,
) -> None:
    """Find which unjudged documents could still change the verdict, and which to judge next.

    For each pair of runs: the difference so far, its lowest and highest value over all ways of judging what either run
    shows above the cutoff, and P, the probability that the first is ahead under a model of the unjudged documents.
    Documents that no run shows count as not relevant. `none` in place of JUDGMENTS starts from nothing; it needs
    --scale. -o FILE.svg, .png or .pdf draws how the bounds of each difference close from the first judgment on.

    \b
    gaincurve decide qrels.txt old.run new.run -m nDCG@10
    gaincurve decide none old.run new.run -m DCG@10 --scale 0-3
    gaincurve decide qrels.txt old.run new.run -o closing.svg
    """
    output = destination.output(figures=True)
    scenario = choices.chosen()
    options.refuse_unused(choices, [parse_measure(measure)])
    gathered = Gathered()
    judged = None
    if judgments != NOTHING:
        with gathered.keeping():
            judged = read_judgments(judgments, subtopics=reading.subtopics, **reading.judgments)
            output.tell(f"read {judged.describe()}: {judged.source.path}")
    ranked = load_runs(runs, scenario.ties, reading, output, gathered)
    given = prior if prior is None or prior in PRIORS else _weights(prior)
    if output.is_figure:
        from gaincurve import figures  # noqa: PLC0415 -- an extra

        paths = closing_paths(judged, ranked, measure, scenario=scenario, scale=scale, prior=given, topics=topics)
        output.draw(lambda: figures.closing_chart(paths, measure), ())
        return
    decision = decide(
        judged, ranked, measure, scale=scale, prior=given, stop=stop, confidence=confidence, topics=topics, seed=seed,
        scenario=scenario,
    )  # fmt: skip
    output.emit(lambda: _wide(decision, per_topic), decision.tidy, decision.to_dict, decision.inputs, decision.notes)


def _weights(path: str) -> dict[float, float]:
    """Weights by grade from a file of two columns."""
    content = read_content(path, False)
    weights: dict[float, float] = {}
    lines = content.buffer[content.start : content.stop].tobytes().decode("utf-8", "replace").splitlines()
    for number, line in enumerate(lines, start=1):
        if not line.split() or line.startswith("#"):
            continue
        values = [finite_number(part) for part in line.split()]
        if len(values) != 2 or values[0] in weights:
            raise InputError(Problem("decide-prior", f"{line.strip()!r} is not GRADE WEIGHT", f"{path}:{number}"))
        weights[values[0]] = values[1]
    return weights


def _wide(decision: Decision, per_topic: bool) -> list[Table]:
    measure = decision.signature.measure.text
    foot = (*decision.sentences(), str(decision.signature))
    rows: list[tuple[Cell, ...]] = [
        (pair.a, pair.b, pair.difference, pair.low, pair.high, "yes" if pair.certain else "no", pair.p, pair.matter)
        for pair in decision.pairs
    ]
    columns = ("a", "b", "a − b", "at least", "at most", "certain", "P(a > b)", "can matter")
    tables = [Table(columns, rows, f"{measure} once all is judged", foot)]
    if per_topic:
        by_topic: list[tuple[Cell, ...]] = [
            (pair.a, pair.b, *topic) for pair in decision.pairs for topic in pair.by_topic
        ]
        tables.append(Table(("a", "b", "topic", "a − b", "at least", "at most"), by_topic, "Topic by topic"))
    if decision.next:
        following: list[tuple[Cell, ...]] = [(n.topic, n.document, n.moves) for n in decision.next[:LISTED]]
        more = len(decision.next) - len(following)
        left = (f"… and {more} more; `gaincurve pool --method decide` writes them all.",) if more else ()
        tables.append(Table(("topic", "document", "moves the mean sum by at most"), following, "Judge next", left))
    return tables
