"""The verb `check`: what in the input could change a number, and by how much."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gaincurve.measures.notation import parse_measure
from gaincurve.measures.relevant import is_relevant
from gaincurve.model.graded import Graded, grade
from gaincurve.model.judgments import Judgments
from gaincurve.model.measure import Measure
from gaincurve.model.rows import Floats, distinct
from gaincurve.model.run import Run
from gaincurve.model.scenario import Scenario
from gaincurve.model.signature import Signature
from gaincurve.model.source import Note, Source, counted, examples, number_text
from gaincurve.model.summaries import summarised
from gaincurve.verbs.evaluate import need, score_runs
from gaincurve.verbs.experiment import check_gains, each_run, grade_run, graded_experiment

SEEN = 10
"""Unjudged documents are counted among the first so many."""


@dataclass(frozen=True)
class Finding:
    """One thing looked at. `matters` says that it could change a number; `low` and `high` are the range, if known."""

    about: str
    subject: str
    matters: bool
    text: str
    low: float | None = None
    high: float | None = None

    def to_dict(self) -> dict[str, object]:
        """The JSON shape of one finding."""
        return {
            "about": self.about,
            "subject": self.subject,
            "matters": self.matters,
            "text": self.text,
            "range": None if self.low is None else [self.low, self.high],
        }


@dataclass(frozen=True)
class Findings:
    """Everything that was looked at."""

    findings: tuple[Finding, ...]
    measure: str
    signature: Signature
    inputs: tuple[Source, ...]
    notes: tuple[Note, ...] = ()

    @property
    def matters(self) -> bool:
        """Whether anything could change a number."""
        return any(finding.matters for finding in self.findings)

    def to_dict(self) -> dict[str, object]:
        """The JSON shape gaincurve.check/1."""
        found = [finding.to_dict() for finding in self.findings]
        signed = [{"name": self.measure, "signature": str(self.signature)}]
        return {"schema": "gaincurve.check/1", "measures": signed, "matters": self.matters, "findings": found}


def check(
    judgments: object,
    runs: object,
    measure: str | Measure = "nDCG@10",
    *,
    scenario: Scenario | str = "default",
    **choices: object,
) -> Findings:
    """Look at judgments and runs; runs read with their rank column are also held against it.

    The range over tie orders is that of `measure` under the scenario, whose tie rule says which scores are equal.
    """
    chosen = Scenario.of(scenario).with_choices(**choices)
    if chosen.missing == "error":  # a missing topic is a finding here
        chosen = replace(chosen, missing="zero")
    one = (parse_measure(measure) if isinstance(measure, str) else measure).at_depth(chosen.depth).stopping()
    judged = Judgments.of(judgments)
    check_gains(judged, [one], chosen)
    ranked = [Run.of(run, name, chosen.ties) for name, run in each_run(runs)]
    scores = need("scores", [one])
    graded = graded_experiment(judged, [grade_run(judged, run, chosen, scores) for run in ranked])
    findings = _judgment_findings(judged)
    for run, seen in zip(ranked, graded.runs, strict=True):
        findings += _run_findings(judged, run, seen, one, chosen)
    signature = score_runs(graded.runs, [one], _plain(chosen), ()).signatures[0]
    return Findings(tuple(findings), one.text, signature, graded.inputs)


def _judgment_findings(judgments: Judgments) -> list[Finding]:
    name = judgments.source.path
    histogram = ", ".join(f"grade {number_text(g)}: {n}" for g, n in judgments.histogram().items())
    relevant = np.bincount(judgments.topic[judgments.grades > 0], minlength=len(judgments.topics))
    empty = [judgments.topics[i] for i in np.flatnonzero(relevant == 0)]
    found = [Finding("grades", name, False, histogram)]
    found += [_dropped(name, note) for note in judgments.notes if note.slug == "duplicates-dropped"]
    if (judgments.grades < 0).any():
        text = f"{counted(int((judgments.grades < 0).sum()), 'negative grade')}, gaining 0"
        found.append(Finding("grades", name, True, text))
    if empty:
        text = f"{counted(len(empty), 'topic')} without a relevant document, undefined for nDCG: {examples(empty)}"
        found.append(Finding("recall base", name, True, text))
    return found


def _run_findings(
    judgments: Judgments, run: Run, graded: Graded, measure: Measure, scenario: Scenario
) -> list[Finding]:
    found = [_dropped(run.name, note) for note in run.notes if note.slug == "duplicates-dropped"]
    found += _topic_findings(judgments, run, graded)
    found += _tie_findings(run, graded, measure, scenario)
    found += [_unjudged_finding(run, grade(judgments, run))]
    found += _rank_findings(run)
    return found


def _dropped(subject: str, note: Note) -> Finding:
    return Finding("duplicates", subject, True, f"{note.text}; without --duplicates first they are refused")


def _topic_findings(judgments: Judgments, run: Run, graded: Graded) -> list[Finding]:
    missing = [judgments.topics[i] for i in np.flatnonzero(~graded.present)]
    judged = set(judgments.topics)
    extra = [topic for topic in run.topics if topic not in judged]
    found = []
    if missing:
        text = f"{counted(len(missing), 'judged topic')} missing (--missing decides): {examples(missing)}"
        found.append(Finding("topics", run.name, True, text))
    if extra:
        text = f"{counted(len(extra), 'topic')} without judgments, ignored: {examples(extra)}"
        found.append(Finding("topics", run.name, False, text))
    strangers = graded.present & (graded.retrieved > 0) & (graded.judged_at(len(run)) == 0)
    if strangers.any():
        topics = [judgments.topics[i] for i in np.flatnonzero(strangers)]
        text = (
            f"no judged document retrieved in {counted(len(topics), 'topic')} (do the ids agree?): {examples(topics)}"
        )
        found.append(Finding("ids", run.name, True, text))
    if not missing and not extra:
        found.append(
            Finding("topics", run.name, False, f"all {counted(len(judgments.topics), 'judged topic')} present")
        )
    return found


@dataclass(frozen=True)
class TieOrders:
    """How many documents are tied, and how far the order of tied ones can move a measure, on how many topics."""

    tied: int
    low: float | None = None
    high: float | None = None
    affected: int = 0


def tie_orders(run: Run, graded: Graded, measure: Measure, scenario: Scenario) -> TieOrders:
    """The range of a measure over all orders of tied documents; none where nothing is tied, or where none is known.

    None is known for a measure without bounds: with it a relevant document higher up need not be better.
    """
    blocks = run.blocks()
    tied = int((np.diff(blocks)[np.diff(blocks) > 1]).sum())
    if not tied or measure.definition.bounds is None:
        return TieOrders(tied)
    worth = _worth(graded, measure, scenario)
    orders = [reordered(graded, worth, best) for best in (False, True)]
    ends = [score_runs([run_], [measure], _plain(scenario), ()).values[0, 0] for run_ in orders]
    affected = int((np.abs(np.nan_to_num(ends[1]) - np.nan_to_num(ends[0])) > 1e-12).sum())
    low, high = sorted(summarised(values, measure.summary) for values in ends)
    return TieOrders(tied, low, high, affected)


def _tie_findings(run: Run, graded: Graded, measure: Measure, scenario: Scenario) -> list[Finding]:
    ties = tie_orders(run, graded, measure, scenario)
    if not ties.tied:
        return [Finding("ties", run.name, False, "no tied scores")]
    if ties.low is None:
        return [Finding("ties", run.name, True, f"{ties.tied} documents in tied blocks")]
    text = f"{ties.tied} documents in tied blocks; over all orders {measure} can be {ties.low:.6f} to {ties.high:.6f}"
    text += f", {counted(ties.affected, 'topic')} affected"
    return [Finding("ties", run.name, ties.affected > 0, text, ties.low, ties.high)]


def _plain(scenario: Scenario) -> Scenario:
    """The scenario without bounds, which `check` does not show."""
    return replace(scenario, unjudged="zero") if scenario.unjudged == "bounds" else scenario


def _worth(run: Graded, measure: Measure, scenario: Scenario) -> Floats:
    """What each document is worth to the measure: its gain, its grade, or whether it is relevant."""
    if "gains" in measure.definition.parameters:
        return measure.choices(scenario).gains.of_grades(run.grade)
    if "rel" not in measure.definition.parameters:
        return np.maximum(run.grade, 0.0)
    own = dict(measure.parameters)
    return is_relevant(run.grade, float(own.get("rel", 1)), own.get("only")).astype(np.float64)  # type: ignore[arg-type]


def reordered(run: Graded, worth: Floats, best: bool) -> Graded:
    """The run with every tied block in its best (or worst) order: what is worth most first (or last)."""
    order = np.lexsort((-worth if best else worth, run.first, run.list))
    topic, first, last = run.list[order], run.first[order], run.last[order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (topic[1:] != topic[:-1]) | (first[1:] != first[:-1])
    block = np.cumsum(new) - 1
    place = np.arange(len(order)) - np.flatnonzero(new)[block]
    rank = first + place if best else last - np.bincount(block)[block] + 1 + place
    return replace(
        run,
        list=topic,
        rank=rank,
        grade=run.grade[order],
        first=rank,
        last=rank,
        judgment=run.judgment[order],
        spread=False,
    )


def _unjudged_finding(run: Run, graded: Graded) -> Finding:
    seen = np.minimum(graded.retrieved, SEEN)
    unjudged = graded.unjudged_at(SEEN)
    share = float(unjudged.sum() / max(1, seen.sum()))
    text = f"{share:.1%} of the first {SEEN} documents are unjudged (--unjudged bounds shows what they could change)"
    return Finding("unjudged", run.name, bool(unjudged.any()), text)


def _rank_findings(run: Run) -> list[Finding]:
    """Whether the file's rank column tells another order than the scores."""
    if run.ranks is None or np.array_equal(run.ranks, -run.scores):  # no ranks, or nothing but ranks
        return []
    if not np.isfinite(run.ranks).all():
        return [Finding("rank column", run.name, False, "not all ranks are numbers; scores decide")]
    scores = run.scores[np.lexsort((run.ranks, run.topic))]
    rising = (run.topic[1:] == run.topic[:-1]) & (scores[1:] > scores[:-1])
    topics = [run.topics[i] for i in distinct(run.topic[1:][rising])]
    if not topics:
        return [Finding("rank column", run.name, False, "agrees with the scores")]
    text = f"contradicts the scores in {counted(len(topics), 'topic')}; scores decide (--ties rank would not): "
    return [Finding("rank column", run.name, True, text + examples(topics))]
