"""What a page is made from: judgments, whole runs, and what was chosen, checked and graded once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from gaincurve.errors import ChoiceError, Problem, nearest, one_of
from gaincurve.io.texts.read import Texts, clipped, unmatched_notes
from gaincurve.measures.notation import make_measure, parse_measure
from gaincurve.model.graded import grade
from gaincurve.model.judgments import Judgments
from gaincurve.model.measure import Measure
from gaincurve.model.run import Run
from gaincurve.model.scenario import Scenario
from gaincurve.model.source import Note, Source, examples
from gaincurve.page.document_texts import best_ranks
from gaincurve.page.facts import DEFAULT
from gaincurve.page.inputs.sessions import SessionInputs
from gaincurve.page.labels import labels
from gaincurve.page.settings import settled
from gaincurve.verbs.experiment import Experiment, check_gains, graded_experiment, under_rules
from gaincurve.verbs.significance import PAIRED


@dataclass(frozen=True, eq=False)
class PageInputs:
    """Everything a page is about.

    `plain` holds the graded runs with unjudged documents where they stood, `graded` those under the scenario's rule.
    Texts are by topic and by document id, cut to what is shown; `read` are the sources beside judgments and runs.
    """

    judgments: Judgments
    runs: tuple[Run, ...]
    plain: Experiment
    graded: Experiment
    scenario: Scenario
    measure: Measure
    baseline: str
    topics: Mapping[str, str] | None
    documents: Mapping[str, str] | None
    sessions: SessionInputs | None
    command: str
    title: str
    test: str
    read: tuple[tuple[str, Source], ...]
    notes: tuple[Note, ...]

    @property
    def labels(self) -> list[str]:
        """The runs as charts and tables call them."""
        return labels([run.name for run in self.runs])


def page_inputs(
    judgments: Judgments,
    runs: Sequence[Run],
    scenario: Scenario,
    measure: str | Measure,
    *,
    baseline: str | None = None,
    topics: Mapping[str, str] | None = None,
    documents: Mapping[str, str] | None = None,
    sessions: SessionInputs | None = None,
    command: str = "",
    title: str = "",
    test: str = "t",
) -> PageInputs:
    """Judgments and runs graded for a page, which without runs has sessions. Refuses choices that it cannot show."""
    one_of("test", test, tuple(PAIRED))
    chosen, decides = settled(scenario, _cut(measure, scenario))
    names = [run.name for run in runs] or list(sessions.experiment.names if sessions else ())
    if baseline is not None and baseline not in names:
        what = f"there is no run {baseline!r}{nearest(baseline, names)}"
        raise ChoiceError(Problem("run-unknown", what, hint=f"runs: {examples(names, 10)}"))
    check_gains(judgments, [make_measure(DEFAULT, {}, chosen.depth), decides], chosen)
    ranked = tuple(run.ranked(chosen.ties) for run in runs)
    zero = replace(chosen, unjudged="zero")
    seen = [under_rules(grade(judgments, run), zero) for run in ranked]
    plain = graded_experiment(judgments, seen, chosen) if ranked else Experiment(judgments, ())
    graded = plain
    if chosen.unjudged == "condensed" and ranked:
        graded = graded_experiment(judgments, [run.condensed() for run in plain.runs])
    notes: tuple[Note, ...] = ()
    read: list[tuple[str, Source]] = []
    if topics is not None:
        topics, more = _shown_texts(topics, judgments.topics, "topic", "texts of topics", read)
        notes += more
    if documents is not None:
        documents, more = _shown_texts(documents, best_ranks(judgments, ranked), "document", "texts of documents", read)
        notes += more
    if sessions is not None:
        own, *logs = sessions.inputs
        read += [("judgments of sessions" if runs else "judgments", own)] if own != judgments.source or not runs else []
        read += [("sessions", source) for source in logs]
        notes += tuple(replace(note, text=f"sessions: {note.text}") for note in sessions.notes) if runs else ()
    return PageInputs(
        judgments=judgments,
        runs=ranked,
        plain=plain,
        graded=graded,
        scenario=chosen,
        measure=decides,
        baseline=baseline or "",
        topics=topics,
        documents=documents,
        sessions=sessions,
        command=command,
        title=title,
        test=test,
        read=tuple(read),
        notes=notes,
    )


def _cut(measure: str | Measure, scenario: Scenario) -> Measure:
    """The measure with the scenario's depth as its cutoff if it names none, as `evaluate` takes it."""
    parsed = parse_measure(measure)
    return parsed.at_depth(scenario.depth)


def _shown_texts(
    given: Mapping[str, str], wanted: Collection[str], noun: str, role: str, read: list[tuple[str, Source]]
) -> tuple[dict[str, str], tuple[Note, ...]]:
    """The texts that can be shown, with notes about those that are missing."""
    notes = unmatched_notes(given, wanted, noun)
    texts = {name: given[name] for name in wanted if name in given}
    if not isinstance(given, Texts):
        return {name: clipped(text) for name, text in texts.items()}, notes
    read.append((role, given.source))
    return texts, (*given.notes, *notes)
