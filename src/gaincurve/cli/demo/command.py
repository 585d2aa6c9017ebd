"""gaincurve demo."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

import click

from gaincurve.cli.curve.views import effort_wide
from gaincurve.cli.demo.report import DOCUMENTS, TOPICS, demo_report
from gaincurve.cli.demo.sessions import SessionDemo, session_demo
from gaincurve.cli.efficiency.views import tradeoff_wide
from gaincurve.cli.streams import write_out
from gaincurve.cli.views import scores_wide
from gaincurve.curve.points import Curves
from gaincurve.demo.experiment import make_experiment, make_logs
from gaincurve.demo.papers import paper_files
from gaincurve.demo.texts import make_texts
from gaincurve.errors import InputError, MissingExtra, Problem
from gaincurve.io.efficiency import read_efficiency
from gaincurve.io.read import read_judgments, read_run
from gaincurve.io.render import Table, render
from gaincurve.io.results import document, write_whole
from gaincurve.measures.notation import parse_measures
from gaincurve.model.comparison import Comparison
from gaincurve.model.scenario import Scenario
from gaincurve.model.source import counted
from gaincurve.model.tradeoff import Tradeoff
from gaincurve.verbs.compare import compare
from gaincurve.verbs.curves import DEFAULT_CURVES, draw
from gaincurve.verbs.efficiency import tradeoff
from gaincurve.verbs.effort import read_sideways
from gaincurve.verbs.evaluate import asked_measures
from gaincurve.verbs.experiment import Experiment, experiment
from gaincurve.verbs.score import score

FLAT, STEEP = "0-1-1-1", "0-1-10-100"


@click.command("demo")
@click.argument("folder", metavar="[DIR]", required=False)
@click.option("--papers", metavar="DIR", help="Write the worked examples of the papers, slides and textbook instead.")
def command(folder: str | None, papers: str | None) -> None:
    """Write a made-up experiment, evaluate it and draw it: the first thing to run.

    Into DIR (gaincurve-demo unless given) go judgments, four runs for 50 topics with texts of topics and documents, and
    a log of what each run costs, the scores as Markdown and JSON, the comparison of the runs, and figures of gain
    curves, effort, differences, and effectiveness over latency; into DIR/sessions the logs of 120 search sessions with
    two systems, their scores and the figures of the 2008 paper; and all of it as one page, DIR/report.html. Files of
    the same names are replaced, others are left alone.

    --papers DIR writes files with the numbers that the papers, the slides and the textbook work out by hand, for the
    page "The papers' examples, command by command" of the documentation.
    """
    if papers is not None:
        if folder is not None:
            raise click.UsageError("give DIR or --papers DIR")
        _say(_write_papers(_folder(papers, ())))
        return
    home = _folder(folder or "gaincurve-demo")
    paths = _write_inputs(home)
    judged, runs = read_judgments(paths[0]), [read_run(path) for path in paths[1:]]
    graded = experiment(judged, runs, Scenario())
    _say(f"\n50 topics, 4 made-up systems, grades 0 to 3. Judgments and runs are in {home}.")
    _say("\nWho wins depends on the user. If all relevant documents count alike (gains 0-1-1-1):\n")
    _say(_leaderboard(graded, FLAT, home))
    _say("\nIf excellent documents matter most (gains 0-1-10-100):\n")
    _say(_leaderboard(graded, STEEP, home))
    comparison = _comparison(graded)
    _say("\nIs that significant? (busy user)\n")
    _say("\n".join([*comparison.sentences(), *dict.fromkeys(family.methods for family in comparison.families)]))
    write_whole(home / "comparison.json", document(comparison.to_dict(), comparison.inputs, comparison.notes).encode())
    curves = draw(graded, parse_measures(["CG"]), Scenario())
    effort = read_sideways(curves)
    _say("\nThe same curves read sideways, as effort (gains = grades):\n")
    _say(render(effort_wide(effort), "table"))
    for crossing in curves.crossings("CG")[:1]:
        _say(f"The mean curves cross: at rank {crossing.rank} {crossing.ahead} gets ahead of {crossing.behind}.")
    write_whole(home / "effort.json", document(effort.to_dict(), effort.inputs, effort.notes).encode())
    costs = _costs(graded, home)
    _say("\nWhat it costs (busy user; the logs are made up too):\n")
    _say(render(tradeoff_wide(costs, per_topic=False), "table"))
    sessions = session_demo(home)
    _say(sessions.text)
    _say(_save_figures(graded, curves, comparison, costs, home, sessions))
    _say(demo_report(home, judged, runs, sessions.experiment))
    _say(_next_steps(home))


def _write_papers(home: Path) -> str:
    """Write the examples of the papers; return what to try with them."""
    files = paper_files()
    for name, text in files.items():
        write_whole(home / name, text.encode())
    here = shlex.quote(str(home))
    return f"""{counted(len(files), "file")} in {home}. Try:
  gaincurve eval {here}/gains.qrels {here}/gains.run --scenario jk2002
  gaincurve explain --topic 1 {here}/slides.qrels {here}/system-1.run -m AP
  gaincurve session {here}/tasks.qrels {here}/one.jsonl {here}/two.jsonl --show lengths"""


def _folder(folder: str, rooms: tuple[str, ...] = ("runs", "logs")) -> Path:
    home = Path(folder)
    try:
        for inner in ("", *rooms):
            (home / inner).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = "a file has this name" if isinstance(error, FileExistsError) else error.strerror or error
        what = f"the folder {folder} cannot be created: {why}"
        raise InputError(Problem("output-unwritable", what, folder)) from None
    return home


def _write_inputs(home: Path) -> list[Path]:
    """Write judgments, runs and texts; return the paths of the judgments and the runs."""
    generated = make_experiment()
    files = {home / "judgments.qrels": generated.qrels}
    files |= {home / "runs" / f"{name}.run": text for name, text in generated.runs.items()}
    texts = make_texts(generated)
    text_files = {home / TOPICS: texts.topics, home / DOCUMENTS: texts.documents}
    for path, text in (files | text_files).items():
        write_whole(path, text.encode())
    return list(files)


def _comparison(graded: Experiment) -> Comparison:
    """All pairs of the systems, as a busy user sees them."""
    busy = Scenario.of("busy")
    return compare(score(graded, asked_measures(None, busy), busy))


def _costs(graded: Experiment, home: Path) -> Tradeoff:
    """Write logs of what the systems cost, and set their numbers beside the scores of a busy user."""
    logs = {home / "logs" / f"{name}.jsonl": text for name, text in make_logs().items()}
    for path, text in logs.items():
        write_whole(path, text.encode())
    busy = Scenario.of("busy")
    return tradeoff(score(graded, asked_measures(None, busy), busy), [read_efficiency(path) for path in logs])


def _leaderboard(graded: Experiment, gains: str, home: Path) -> str:
    scenario = Scenario().with_choices(gains=gains)
    scores = score(graded, asked_measures(["nDCG@10", "nDCG@100", "CG@10"], scenario), scenario)
    table = scores_wide(scores, per_topic=False)
    write_whole(home / f"scores-{gains}.md", render(table, "md").encode())
    write_whole(home / f"scores-{gains}.json", document(scores.to_dict(True), scores.inputs, scores.notes).encode())
    best_first = sorted(table.rows, key=lambda row: -float(str(row[1])))
    return render(Table(table.columns, best_first, foot=table.foot), "table")


def _save_figures(
    graded: Experiment, curves: Curves, comparison: Comparison, costs: Tradeoff, home: Path, sessions: SessionDemo
) -> str:
    try:
        from gaincurve.figures import curves_chart, effort_chart, forest_chart, save, tradeoff_chart  # noqa: PLC0415
    except MissingExtra as missing:
        return f"\nNo figures: {missing.problems[0].what}.\nTry: {missing.problems[0].hint}"
    charts = {
        "effort.svg": effort_chart(curves),
        "differences.svg": forest_chart(comparison),
        "tradeoff.svg": tradeoff_chart(costs),
    }
    for gains in (FLAT, STEEP):
        scenario = Scenario().with_choices(gains=gains, discount="jk2002")
        charts[f"curves-{gains}.svg"] = curves_chart(draw(graded, parse_measures(DEFAULT_CURVES), scenario))
    charts |= sessions.charts()
    for name, chart in charts.items():
        save(chart, home / name)
    save(charts[f"curves-{STEEP}.svg"], home / f"curves-{STEEP}.png")
    return "\nFigures:\n" + "\n".join(f"  {home / name}" for name in (*charts, f"curves-{STEEP}.png"))


def _next_steps(home: Path) -> str:
    runs = shlex.quote(f"{home}/runs")
    sessions = shlex.quote(f"{home}/sessions")
    here = f"{shlex.quote(f'{home}/judgments.qrels')} {runs}"
    program = "gaincurve" if shutil.which("gaincurve") else _program()
    logs = shlex.quote(f"{home}/logs/*.jsonl")
    return f"""
Try next:
  {program} eval {here}/*.run --scenario busy
  {program} eval {here}/*.run --efficiency {logs} -o tradeoff.svg
  {program} compare {here}/*.run --baseline legacy
  {program} curve {here}/broad.run {runs}/sharp.run -m CG -o curves.svg
  {program} report {here}/*.run --baseline legacy --topics {shlex.quote(f"{home}/{TOPICS}")} -o legacy.html
  {program} explain --topic 1 {here}/sharp.run
  {program} check {here}/titles.run
  {program} session {sessions}/tasks.qrels {sessions}/*.jsonl --scenario session2008 --show lengths"""


def _program() -> str:
    """How to call gaincurve when it is not on the PATH: as it was called."""
    called = Path(sys.argv[0])
    return shlex.quote(str(called)) if called.stem == "gaincurve" else f"{shlex.quote(sys.executable)} -m gaincurve"


def _say(text: str) -> None:
    write_out((text.rstrip("\n") + "\n").encode("utf-8", "surrogateescape"))
