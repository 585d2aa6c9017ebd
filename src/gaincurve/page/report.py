"""The verb `report`: judgments and runs in, one offline page out."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Unpack

from gaincurve.errors import InputError, Problem, extra_missing
from gaincurve.io.results import write_whole
from gaincurve.io.texts.read import Texts
from gaincurve.model.choices import ScenarioChoices
from gaincurve.model.judgments import Judgments
from gaincurve.model.measure import Measure
from gaincurve.model.scenario import Scenario
from gaincurve.model.scenario import session_scenario as session_scenario_of
from gaincurve.model.sessions.log import SessionLog
from gaincurve.model.source import Note, shorten
from gaincurve.page.content import Page
from gaincurve.page.facts import DEFAULT
from gaincurve.page.inputs.runs import PageInputs, page_inputs
from gaincurve.page.inputs.sessions import SessionInputs, session_inputs
from gaincurve.verbs.experiment import ranked_runs
from gaincurve.verbs.sessions.experiment import graded_logs


@dataclass(frozen=True, eq=False)
class Report:
    """One page as HTML text: it opens from a disk or an e-mail and needs no network."""

    html: str
    page: Page
    notes: tuple[Note, ...]

    def __repr__(self) -> str:
        return f"Report({self.page.title!r}, {len(self.html.encode()) / 1e6:.1f} MB)"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file, whole or not at all."""
        write_whole(path, self.html.encode("utf-8"))


def report(
    judgments: object,
    runs: object = None,
    out: str | os.PathLike[str] | None = None,
    *,
    measure: str | Measure = DEFAULT,
    baseline: str | None = None,
    topics: Mapping[str, str] | None = None,
    docs: Mapping[str, str] | None = None,
    sessions: SessionLog | Iterable[SessionLog] | None = None,
    session_judgments: object = None,
    session_scenario: Scenario | str | None = None,
    title: str = "",
    test: str = "t",
    scenario: Scenario | str = "default",
    **choices: Unpack[ScenarioChoices],
) -> Report:
    """One offline page in which a reader can change the user model and see whether the verdict survives.

    Judgments, runs, scenario and choices are those of `evaluate`; `measure` is one that the page can compute, as
    `gaincurve report --help` lists them. `topics` and `docs` are {id: text}, or what `read_texts` returns; `sessions`
    what `read_sessions` returns, one log a system, judged by `session_judgments` if not by `judgments`. `test`
    decides the verdict of the page as it is written, one of those of `compare`; settings changed on the page are tested
    by the paired t with Holm's correction and called exploratory. Without runs the page is about the sessions alone,
    under `session_scenario` and the `choices`. With `out` the page is also written there. Needs the extra `figures`.
    """
    need_extra()
    alone = runs is None
    if alone and sessions is None:
        raise InputError(Problem("run-none", "no run and no sessions were given"))
    judged = Judgments.of(judgments)
    session_part: SessionInputs | None = None
    if alone:
        chosen = session_scenario_of(session_scenario or "session", **choices)
        judged = judged if session_judgments is None else Judgments.of(session_judgments)
        session_part = SessionInputs.scored(graded_logs(judged, sessions, chosen), chosen)
    else:
        chosen = Scenario.of(scenario).with_choices(**choices)
    if sessions is not None and not alone:
        of_sessions = judged if session_judgments is None else Judgments.of(session_judgments)
        session_part = session_inputs(of_sessions, sessions, chosen.gains, scenario=session_scenario)
    named = "session_scenario" if alone else "scenario"
    inputs = page_inputs(
        judged,
        [] if alone else ranked_runs(runs, chosen.ties),
        chosen,
        measure,
        baseline=baseline,
        topics=_texts(topics, "topics"),
        documents=_texts(docs, "docs"),
        sessions=session_part,
        command=_call(
            {
                "runs": runs,
                "topics": topics,
                "docs": docs,
                "sessions": sessions,
                "session_judgments": session_judgments,
            },
            {"measure": str(measure), "baseline": baseline, "test": test, named: chosen.name, **choices},
        ),
        title=title,
        test=test,
    )
    page = make_report(inputs)
    if out is not None:
        page.save(out)
    return page


def make_report(inputs: PageInputs, step: Callable[[str], None] = lambda _: None) -> Report:
    """The report about some inputs; `step` is called with what is being done."""
    need_extra()
    from gaincurve.page.build import STEPS, build, most_bytes, pack_inputs  # noqa: PLC0415 -- needs the extra
    from gaincurve.page.write import lay_out  # noqa: PLC0415

    page, notes = build(inputs, step)
    step(STEPS[3])
    layout = lay_out(page)
    room = most_bytes(len(inputs.judgments.topics), len(inputs.runs)) - layout.size(_sentences(notes))
    packed = pack_inputs(inputs, room)
    step(STEPS[4])
    notes = (*notes, *packed.notes)
    page = replace(page, observed=packed.text, notes=_sentences(notes))
    return Report(layout.html(page.notes, page.observed), page, notes)


def _sentences(notes: Iterable[Note]) -> tuple[str, ...]:
    return tuple(note.sentence() for note in notes)


def need_extra() -> None:
    """Raise at once where the extra is missing: charts, template and Vega need it."""
    try:
        for package in ("altair", "jinja2", "vl_convert"):
            importlib.import_module(package)
    except ImportError:
        raise extra_missing("figures", "writing a report") from None


def _texts(given: object, name: str) -> Mapping[str, str] | None:
    """Texts by id; ids that are whole numbers become text, as everywhere."""
    if given is None or isinstance(given, Texts):
        return given
    if not isinstance(given, Mapping):
        what = f"{name} cannot be {type(given).__name__} {shorten(repr(given))}"
        hint = "pass {id: text}, or what gaincurve.read_texts(path) returns"
        raise InputError(Problem("input-object", what, hint=hint))
    for key, text in given.items():
        if not isinstance(text, str):
            raise InputError(Problem("texts-record", f"the text of {shorten(repr(key))} is not text", name))
    return {str(key): text for key, text in given.items()}


def _call(objects: Mapping[str, object], choices: Mapping[str, object]) -> str:
    """The call as code, with every argument that is not the default."""
    defaults = {"measure": DEFAULT, "scenario": "default", "session_scenario": "session", "test": "t"}
    given = [name if name == "runs" else f"{name}={name}" for name, value in objects.items() if value is not None]
    given += [
        f"{name}={value!r}" for name, value in choices.items() if value is not None and value != defaults.get(name)
    ]
    return f"gaincurve.report({', '.join(('judgments', *given))})"
