"""The verb `check`: what in the input could change a number, and by how much."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Unpack

import numpy as np

from gaincurve.measures.notation import parse_measure
from gaincurve.model.choices import AnyChoices
from gaincurve.model.graded import Graded, grade
from gaincurve.model.judgments import Judgments
from gaincurve.model.measure import Measure
from gaincurve.model.run import Run
from gaincurve.model.scenario import Scenario, session_scenario
from gaincurve.model.signature import Signature
from gaincurve.model.source import Note, Source, counted, examples, number_text
from gaincurve.model.tables.result import Result
from gaincurve.model.tables.tidy import Kind, Tidy
from gaincurve.verbs.evaluate import need, score_runs
from gaincurve.verbs.experiment import Experiment, check_gains, grade_run, graded_experiment, ranked_runs
from gaincurve.verbs.sessions.evaluate import score_sessions
from gaincurve.verbs.sessions.experiment import graded_logs
from gaincurve.verbs.ties import TieOrders, tie_orders, without_bounds

SEEN = 10
"""Unjudged documents are counted among this many first ones."""


LEVELS: dict[str, str] = {
    "error": "the files contradict themselves or each other, and numbers are most likely wrong",
    "remark": "a property of sound data that a reader of the numbers should know",
    "fine": "nothing to know",
}


@dataclass(frozen=True)
class Finding:
    """One thing looked at, and its level, one of `LEVELS`; `low` and `high` are the range of the number, if known."""

    about: str
    subject: str
    level: str
    text: str
    low: float | None = None
    high: float | None = None

    def to_dict(self) -> dict[str, object]:
        """The JSON shape of one finding."""
        return {
            "about": self.about,
            "subject": self.subject,
            "level": self.level,
            "text": self.text,
            "range": None if self.low is None else [self.low, self.high],
        }


@dataclass(frozen=True)
class Findings(Result):
    """Everything that was looked at."""

    findings: tuple[Finding, ...]
    measure: str
    signature: Signature
    inputs: tuple[Source, ...]
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        size = f"{counted(len(self.errors), 'error')}, {counted(len(self.remarks), 'remark')}"
        return f"Findings({size}, {self.measure})"

    @property
    def errors(self) -> tuple[Finding, ...]:
        """What makes numbers wrong: `gaincurve check` fails."""
        return self.of("error")

    @property
    def remarks(self) -> tuple[Finding, ...]:
        """What a reader of the numbers should know: it fails only with --strict."""
        return self.of("remark")

    def of(self, level: str) -> tuple[Finding, ...]:
        """The findings of one level."""
        return tuple(finding for finding in self.findings if finding.level == level)

    def tidy(self) -> Tidy:
        """about, of, level, text, low, high: a finding a row, with the range of its number where it is known."""
        kinds: dict[str, Kind] = {
            "about": "text", "of": "text", "level": "text", "text": "text", "low": "number", "high": "number",
        }  # fmt: skip
        rows = [(f.about, f.subject, f.level, f.text, f.low, f.high) for f in self.findings]
        return Tidy.of_rows("gaincurve.check/1", kinds, rows, [self.signature])

    def shown(self) -> Tidy:
        """The findings in words."""
        return self.tidy().without("low", "high")

    def to_dict(self) -> dict[str, object]:
        """The JSON shape gaincurve.check/1."""
        findings = [finding.to_dict() for finding in self.findings]
        signed = [{"name": self.measure, "signature": str(self.signature)}]
        return {"schema": "gaincurve.check/1", "measures": signed, "errors": len(self.errors),
                "remarks": len(self.remarks), "findings": findings}  # fmt: skip


def check(
    judgments: object,
    runs: object,
    measure: str | Measure = "nDCG@10",
    *,
    scenario: Scenario | str = "default",
    **choices: Unpack[AnyChoices],
) -> Findings:
    """Look at judgments and runs; scores are also checked against the rank column of files and tables.

    The range over tie orders is that of `measure` under the scenario, whose tie rule says which scores are equal.
    """
    parsed = parse_measure(measure)
    if parsed.definition.over == "session":
        named = "session" if scenario == "default" else scenario
        chosen = _finding_missing(session_scenario(named, **choices))
        return check_sessions(graded_logs(judgments, runs, chosen), parsed, chosen)
    chosen = _finding_missing(Scenario.of(scenario).choosing(choices))
    at_depth = parsed.at_depth(chosen.depth).stopping()
    judged = Judgments.of(judgments)
    check_gains(judged, [at_depth], chosen)
    ranked = ranked_runs(runs, chosen.ties, with_ranks=True)
    scores = need("scores", [at_depth])
    graded = graded_experiment(judged, [grade_run(judged, run, chosen, scores) for run in ranked], chosen)
    findings = _judgment_findings(judged)
    for run, graded_run in zip(ranked, graded.runs, strict=True):
        findings += _run_findings(judged, run, graded_run, at_depth, chosen)
    signature = score_runs(graded.runs, [at_depth], without_bounds(chosen), ()).signatures[0]
    return Findings(tuple(findings), at_depth.text, signature, graded.inputs)


def _finding_missing(scenario: Scenario) -> Scenario:
    """A missing topic or session is a finding here, not an error."""
    return replace(scenario, missing="zero") if scenario.missing == "error" else scenario


def check_sessions(graded: Experiment, measure: Measure, scenario: Scenario) -> Findings:
    """What could change the numbers of sessions that are already graded."""
    plain = without_bounds(scenario)
    scores = score_sessions(graded, [measure], plain)
    findings = _judgment_findings(graded.judgments)
    for run in graded.runs:
        if run.dropped:
            findings.append(_dropped(run.name, f"{counted(run.dropped, 'repeated document')} left out"))
        findings += _session_findings(run)
        findings += _tie_finding(run, tie_orders(run, tied_rows(run), measure, plain), measure)
        findings.append(_unjudged_finding(run, measure))
    return Findings(tuple(findings), measure.text, scores.signatures[0], graded.inputs)


def _session_findings(run: Graded) -> list[Finding]:
    """Sessions that the system lacks, and sessions and queries without judgments."""
    judged = run.judged_units
    unjudged = run.units.named(np.flatnonzero(~judged))
    missing = run.units.named(np.flatnonzero(~run.present & judged))
    queries = int(((run.base < 0) & judged[run.units.unit]).sum())
    findings = []
    if missing:
        text = f"{counted(len(missing), 'session')} missing (--missing decides): {examples(missing)}"
        findings.append(Finding("sessions", run.name, "error", text))
    if unjudged:
        text = f"{counted(len(unjudged), 'session')} without judgments for the topic, ignored: {examples(unjudged)}"
        findings.append(Finding("sessions", run.name, "fine", text))
    if queries:
        text = f"{queries} quer{'y' if queries == 1 else 'ies'} on topics that are not judged, adding nothing"
        findings.append(Finding("sessions", run.name, "remark", text))
    if not findings:
        text = f"{_all(len(run.units), 'session')} present and judged"
        findings.append(Finding("sessions", run.name, "fine", text))
    return findings


def tied_rows(run: Graded) -> int:
    """How many judged documents share their score with another document of the list."""
    return int((run.last > run.first).sum())


def _judgment_findings(judgments: Judgments) -> list[Finding]:
    name = judgments.source.path
    histogram = ", ".join(f"grade {number_text(level)}: {count}" for level, count in judgments.histogram().items())
    relevant = np.bincount(judgments.topic[judgments.grades > 0], minlength=len(judgments.topics))
    empty = [judgments.topics[i] for i in np.flatnonzero(relevant == 0)]
    findings = [Finding("grades", name, "fine", histogram)]
    if judgments.dropped:
        findings.append(_dropped(name, f"{name}: {counted(judgments.dropped, 'repeated judgment')} left out"))
    if (judgments.grades < 0).any():
        text = f"{counted(int((judgments.grades < 0).sum()), 'negative grade')}, gaining 0"
        findings.append(Finding("grades", name, "remark", text))
    if empty:
        text = f"{counted(len(empty), 'topic')} without a relevant document, undefined for nDCG: {examples(empty)}"
        findings.append(Finding("recall base", name, "remark", text))
    return findings


def _run_findings(
    judgments: Judgments, run: Run, graded: Graded, measure: Measure, scenario: Scenario
) -> list[Finding]:
    findings = []
    if run.dropped:
        repeated = counted(run.dropped, "repeated document")
        findings.append(_dropped(run.name, f"{run.source.path}: {repeated} left out"))
    findings += _topic_findings(judgments, run, graded)
    findings += _tie_finding(graded, tie_orders(graded, tied_documents(run), measure, scenario), measure)
    findings += [_unjudged_finding(grade(judgments, run), measure)]
    findings += _rank_findings(run)
    return findings


def _dropped(subject: str, text: str) -> Finding:
    return Finding("duplicates", subject, "error", f"{text}; without --duplicates first they are refused")


def _topic_findings(judgments: Judgments, run: Run, graded: Graded) -> list[Finding]:
    missing = [judgments.topics[i] for i in np.flatnonzero(~graded.present)]
    judged = set(judgments.topics)
    extra = [topic for topic in run.topics if topic not in judged]
    findings = []
    if missing:
        text = f"{counted(len(missing), 'judged topic')} missing (--missing decides): {examples(missing)}"
        findings.append(Finding("topics", run.name, "error", text))
    if extra:
        text = f"{counted(len(extra), 'topic')} without judgments, ignored: {examples(extra)}"
        findings.append(Finding("topics", run.name, "fine", text))
    strangers = graded.present & (graded.retrieved > 0) & (graded.judged_at(len(run)) == 0)
    if strangers.any():
        topics = [judgments.topics[i] for i in np.flatnonzero(strangers)]
        text = (
            f"no judged document retrieved in {counted(len(topics), 'topic')} (do the ids agree?): {examples(topics)}"
        )
        findings.append(Finding("ids", run.name, "remark", text))
    if not missing and not extra:
        findings.append(Finding("topics", run.name, "fine", f"{_all(len(judgments.topics), 'judged topic')} present"))
    return findings


def tied_documents(run: Run) -> int:
    """How many documents share their score with another one of the topic."""
    sizes = np.diff(run.blocks())
    return int(sizes[sizes > 1].sum())


def _tie_finding(run: Graded, ties: TieOrders, measure: Measure) -> list[Finding]:
    documents = "documents" if run.units.kind == "topic" else "judged documents"
    if not ties.tied:
        return [Finding("ties", run.name, "fine", "no tied scores")]
    if ties.low is None:
        return [Finding("ties", run.name, "remark", f"{ties.tied} {documents} in tied blocks")]
    text = f"{ties.tied} {documents} in tied blocks; over all orders {measure} can be {ties.low:.6f} to {ties.high:.6f}"
    text += f", {counted(ties.affected, run.units.kind)} affected"
    return [Finding("ties", run.name, "remark" if ties.affected else "fine", text, ties.low, ties.high)]


def _unjudged_finding(graded: Graded, measure: Measure) -> Finding:
    seen = np.minimum(graded.retrieved, SEEN)
    unjudged = graded.unjudged_at(SEEN)
    share = float(unjudged.sum() / max(1, seen.sum()))
    text = f"{share:.1%} of the top {SEEN} documents are unjudged"
    if measure.definition.bounds is not None:
        text += " (--unjudged bounds shows what they could change)"
    return Finding("unjudged", graded.name, "remark" if unjudged.any() else "fine", text)


def _rank_findings(run: Run) -> list[Finding]:
    """Whether the file's rank column gives another order than the scores."""
    if run.ranks is None or np.array_equal(run.ranks, -run.scores):  # no ranks, or nothing but ranks
        return []
    if not np.isfinite(run.ranks).all():
        return [Finding("rank column", run.name, "fine", "not all ranks are numbers; scores decide")]
    topics = run.ranked("trec").contradicting()
    if not topics:
        return [Finding("rank column", run.name, "fine", "agrees with the scores")]
    text = f"contradicts the scores in {counted(len(topics), 'topic')}; scores decide (--ties rank would not): "
    return [Finding("rank column", run.name, "error", text + examples(topics))]


def _all(number: int, noun: str) -> str:
    """'all 50 topics', 'the only topic'."""
    return f"the only {noun}" if number == 1 else f"all {counted(number, noun)}"
