"""gaincurve report."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from typing import cast

import click

from gaincurve.cli import options
from gaincurve.cli.inputs import progress
from gaincurve.cli.output import check_out, tell
from gaincurve.cli.pages import Command
from gaincurve.cli.report import sessions as report_sessions
from gaincurve.cli.report.sessions import SessionPanel
from gaincurve.cli.session.options import QueryDiscount, SessionFiles
from gaincurve.cli.streams import write_out
from gaincurve.errors import ChoiceError, InputError, Problem
from gaincurve.files.reading import Gathered, check_names
from gaincurve.io.addresses import expanded, split_part
from gaincurve.io.formats import beir
from gaincurve.io.read import read_judgments, read_runs
from gaincurve.io.results import write_whole
from gaincurve.io.texts.read import Texts, read_texts
from gaincurve.model.judgments import Judgments
from gaincurve.model.run import Run
from gaincurve.model.scenario import Scenario
from gaincurve.model.wording import joined
from gaincurve.page.document_texts import best_ranks
from gaincurve.page.facts import DEFAULT, NAMES, SESSIONS
from gaincurve.page.inputs.runs import page_inputs
from gaincurve.page.inputs.sessions import SessionInputs
from gaincurve.page.report import make_report, need_extra
from gaincurve.page.settings import settled
from gaincurve.verbs.significance import PAIRED

PRIMARY = next(iter(SESSIONS))
"""The measure that decides a page about sessions."""

_MEASURES = f"{', '.join(NAMES[:-1])} or {NAMES[-1]}"
SUFFIXES = (".html", ".htm")
NOT_SHOWN = {"-o": 1, "--out": 1, "--quiet": 0}
"""Options that decide nothing on the page, with the number of values they take; the page's command line omits them."""


class _AsGiven(Command):
    """A command that remembers its arguments as they were given."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta["gaincurve.given"] = tuple(args)
        return super().parse_args(ctx, args)


@click.command("report", cls=_AsGiven)
@options.judgments
@click.argument("runs", metavar="[RUN...]", nargs=-1)
@click.option(
    "-o",
    "--out",
    metavar="FILE.html",
    default="report.html",
    show_default=True,
    help="The page to write; - is standard output.",
)
@click.option(
    "-m",
    "--measure",
    default=DEFAULT,
    show_default=True,
    help=f"The measure that decides: {_MEASURES}, with or without a cutoff; or {PRIMARY} for a page about sessions.",
)
@click.option(
    "-t",
    "--test",
    type=click.Choice(tuple(PAIRED)),
    default="t",
    show_default=True,
    help="The test behind the verdict as written; settings changed on the page are tested by t with Holm.",
)
@click.option("--baseline", metavar="RUN", help="Compare every run with this one, not all pairs.")
@click.option(
    "--topics",
    "topic_texts",
    metavar="TEXTS",
    help="Texts of topics by id: TSV, CSV, JSON, JSON lines, SMART or TREC topics; see `ls formats`.",
)
@click.option("--docs", "document_texts", metavar="TEXTS", help="Texts of documents by id, in the same formats.")
@click.option("--title", default="", help="The heading of the page; measure and runs unless given.")
@options.scenario
@report_sessions.options
@options.documents_reading
@options.quiet
@click.pass_context
def command(
    ctx: click.Context,
    /,
    judgments: str,
    runs: tuple[str, ...],
    out: str,
    measure: str,
    test: str,
    baseline: str | None,
    topic_texts: str | None,
    document_texts: str | None,
    title: str,
    quiet: bool,
    choices: options.Choices,
    reading: options.Reading,
    panel: SessionPanel,
    session_files: SessionFiles,
    discount_by_query: QueryDiscount,
) -> None:
    """Write one offline page: change the user model and see whether the verdict holds.

    The page holds what was observed, not finished scores, and recomputes them for any gains, discount and cutoff:
    the verdict, gain curves, effort, a map of who wins for whom, topics with their rankings, all pairs, judgment health
    and provenance. It is one file that needs no network and can be sent by e-mail.

    \b
    gaincurve report qrels.txt bm25.run splade.run -o report.html
    gaincurve report qrels.txt *.run --scenario busy --baseline bm25 --topics topics.tsv --docs corpus.jsonl.gz
    gaincurve report qrels.txt system-a.jsonl system-b.jsonl -m nsDCG -o sessions.html

    With -m nsDCG, or with --sessions alone, the page is about whole sessions: RUN... are their logs.
    """
    _check_out(out)
    alone = not runs or measure in SESSIONS
    if alone:
        runs, measure, panel = (), DEFAULT, _of_sessions(runs, measure, panel, topic_texts, document_texts)
    of_sessions = choices.chosen("session", **asdict(discount_by_query)) if alone else None
    scenario = of_sessions or choices.chosen()
    settled(scenario, measure)
    need_extra()
    beside = beir.texts_of(split_part(judgments)[0])
    files = {
        "topic_texts": topic_texts or beside.get("topics"),
        "document_texts": document_texts or beside.get("documents"),
    }
    texts_wanted = {name: path for name, path in files.items() if path is not None}
    notify = partial(tell, quiet)
    read_panel = partial(
        report_sessions.sessions_of,
        judgments,
        runs,
        scenario.gains,
        panel,
        session_files,
        discount_by_query,
        reading,
        notify,
        of_sessions,
    )
    judged, loaded_runs, sessions, texts = _read(
        judgments, runs, scenario, reading, texts_wanted, panel, read_panel, notify
    )
    inputs = page_inputs(
        judged,
        loaded_runs,
        scenario,
        measure,
        baseline=baseline,
        topics=texts.get("topic_texts"),
        documents=texts.get("document_texts"),
        sessions=sessions,
        command=_as_given(ctx.meta["gaincurve.given"]),
        title=title,
        test=test,
    )
    with _steps() as step:
        page = make_report(inputs, step)
    tell(quiet, *page.notes)
    html = page.html.encode("utf-8")
    if out == "-":
        write_out(html)
        return
    write_whole(out, html)
    tell(quiet, f"wrote {out} ({len(html) / 1e6:.1f} MB)")


def _of_sessions(
    runs: tuple[str, ...], measure: str, panel: SessionPanel, topics: str | None, documents: str | None
) -> SessionPanel:
    """The logs of a page about sessions alone, and no option that is about single lists."""
    logs = (*runs, *panel.sessions)
    if not logs:
        raise click.UsageError("Missing argument 'RUN...': runs, or logs of sessions with -m nsDCG or --sessions.")
    if measure not in (DEFAULT, PRIMARY):
        raise click.UsageError(
            f"-m {measure}: a page about sessions decides by {PRIMARY} and shows {joined(list(SESSIONS))}"
        )
    given = {"topics": topics, "docs": documents, "session-scenario": panel.session_scenario}
    for name, value in given.items():
        if value is not None:
            instead = "--scenario" if name == "session-scenario" else "leave it out"
            raise click.UsageError(f"--{name} belongs to a page with runs: {instead}")
    return replace(panel, sessions=logs)


def _check_out(out: str) -> None:
    """Refuse, before anything is read, a file that does not end in .html, or is an input."""
    if out != "-" and os.path.splitext(out)[1].lower() not in SUFFIXES:
        what = f"a report is HTML, and {out} does not end in .html"
        raise ChoiceError(Problem("format-unknown", what, hint="name it e.g. report.html"))
    check_out(out)


def _read(
    judgments: str,
    run_paths: Sequence[str],
    scenario: Scenario,
    reading: options.Reading,
    text_paths: Mapping[str, str],
    panel: SessionPanel,
    read_panel: Callable[[], SessionInputs | None],
    notify: Callable[[str], None],
) -> tuple[Judgments, list[Run], SessionInputs | None, dict[str, Texts]]:
    """Everything from files; the problems of all files are reported together."""
    own_judgments = panel.session_judgments
    others = [*panel.sessions, *([own_judgments] if own_judgments else []), *text_paths.values()]
    if [judgments, *run_paths, *others].count("-") > 1:
        raise InputError(Problem("stdin-twice", "'-' was given more than once"))
    if not run_paths:
        alone = cast("SessionInputs", read_panel())  # there are logs: without any, _of_sessions refused to go on
        return alone.experiment.judgments, [], alone, {}
    run_paths = expanded(run_paths)
    check_names(judgments, run_paths, grades_are_scores=reading.grades_are_scores)
    gathered = Gathered()
    with gathered.keeping():
        judged = read_judgments(judgments, subtopics=reading.subtopics, **reading.judgments)
        notify(f"read {judged.describe()}: {judged.source.path}")
    broken = bool(gathered.problems)  # then problems in the other files can still be reported
    runs: list[Run] = []
    for path in progress(run_paths, run_paths):
        with gathered.keeping():
            for run in read_runs(path, ties=scenario.ties, **reading.runs):
                runs.append(run)
                notify(f"read {run.source.describe()}: {run.source.path}")
    sessions: SessionInputs | None = None
    if not broken or own_judgments:
        with gathered.keeping():
            sessions = read_panel()
    texts: dict[str, Texts] = {}
    for name, path in text_paths.items():
        wanted = () if broken else judged.topics if name == "topic_texts" else best_ranks(judged, runs)
        with gathered.keeping():
            texts[name] = read_texts(path, set(wanted))
            notify(f"read {texts[name].describe()}: {texts[name].source.path}")
    gathered.stop_if_any()
    return judged, runs, sessions, texts


def _as_given(arguments: Sequence[str]) -> str:
    """The command line as typed, without the options that decide nothing on the page."""
    shown: list[str] = []
    skip = 0
    for argument in arguments:
        name, equals, _ = argument.partition("=")
        if skip:
            skip -= 1
        elif name in NOT_SHOWN:
            skip = 0 if equals else NOT_SHOWN[name]
        elif not (argument.startswith("-o") and len(argument) > 2 and not argument.startswith("--")):
            shown.append(argument)
    return shlex.join(("gaincurve", "report", *shown))


@contextmanager
def _steps() -> Iterator[Callable[[str], None]]:
    """A progress bar on stderr over the steps of writing, if stderr is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console  # noqa: PLC0415 -- only where a bar is drawn
    from rich.progress import Progress  # noqa: PLC0415

    from gaincurve.page.build import STEPS  # noqa: PLC0415 -- needs the extra

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=len(STEPS))

        def step(what: str) -> None:
            bar.update(task, description=what, completed=STEPS.index(what))

        yield step
