"""The verb `votes`: systems' results taken as votes for what is relevant, in place of judgments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gaincurve.errors import ChoiceError, InputError, Problem, one_of
from gaincurve.measures.notation import parse_measure
from gaincurve.model.graded import Graded
from gaincurve.model.ids import encode
from gaincurve.model.judgments import Judgments
from gaincurve.model.lists import Lists
from gaincurve.model.measure import Measure
from gaincurve.model.recall import TopicGrades
from gaincurve.model.rows import Floats, Rows, distinct
from gaincurve.model.run import Run
from gaincurve.model.sampling import VOTES
from gaincurve.model.scenario import Scenario
from gaincurve.model.source import Note, counted
from gaincurve.model.summaries import mean
from gaincurve.model.votes import Votes
from gaincurve.stats import pooling, voting
from gaincurve.stats.orders import kendall_tau, tau_ap
from gaincurve.verbs.evaluate import asked_measures, score_runs, score_topics
from gaincurve.verbs.experiment import Experiment, experiment, grade_run, graded_experiment
from gaincurve.verbs.lists import named_runs

DEPTH = 30
TAKE = 0.5
RATE = 0.1
REPEATS = 50


@dataclass(frozen=True)
class Election:
    """A way to elect documents: its rule, and the score by which they are ordered (None: by chance)."""

    name: str
    rule: str
    score: Callable[[Lists], Floats] | None = None


ELECTIONS: dict[str, Election] = {
    election.name: election
    for election in (
        Election("count", "runs that hold the document", voting.held),
        Election("rrf", "Σ 1/(60 + rank) over runs", pooling.reciprocal_ranks),
        Election("condorcet", "duels won against other documents, then fewest lost (Nuray & Can 2006)",
                 voting.condorcet),
        Election("sample", "a random share of the pool is called relevant, many times over (Soboroff 2001)"),
    )
}  # fmt: skip


@dataclass(frozen=True)
class Ballot:
    """What was asked of `votes`, checked."""

    by: str = "count"
    depth: int = DEPTH
    take: float = TAKE
    grades: bool = False
    rate: float = RATE
    repeats: int = REPEATS
    seed: int = 0

    def __post_init__(self) -> None:
        one_of("--by", self.by, tuple(ELECTIONS))
        for option, share in (("--take", self.take), ("--rate", self.rate)):
            if not 0 < share <= 1:
                raise ChoiceError(Problem("choice-unknown", f"{option} cannot be {share}", hint="above 0, at most 1"))
        for option, number in (("--depth", self.depth), ("--repeats", self.repeats)):
            if number < 1:
                raise ChoiceError(Problem("choice-unknown", f"{option} cannot be {number}", hint="a number from 1"))
        if self.by == "sample" and self.grades:
            raise ChoiceError(Problem("choice-unknown", "--grades are counts of votes, and --by sample counts none"))

    @property
    def parts(self) -> dict[str, object]:
        """What the signature says of it."""
        if self.by == "sample":
            drawn = {"rate": f"{self.rate:g}", "repeats": self.repeats, "seed": self.seed}
            return {"by": self.by, "pool": self.depth, **drawn}
        return {"by": self.by, "pool": self.depth, "take": f"{self.take:g}", "votes": "grades" if self.grades else None}


def votes(
    runs: object,
    judgments: object = None,
    measure: str | Measure = "nDCG@10",
    *,
    by: str = "count",
    depth: int = DEPTH,
    take: float = TAKE,
    grades: bool = False,
    rate: float = RATE,
    repeats: int = REPEATS,
    seed: int = 0,
    scenario: Scenario | str = "default",
) -> Votes:
    """The order of systems if what they agree on were relevant; with `judgments` how far that is right.

    Of the first `pool depth` documents of all runs, the share `take` with the most votes gets grade 1 (with `grades`
    the number of runs that hold it), the rest 0. `by='sample'` calls a random share `rate` relevant, `repeats` times.
    It favours the middle and buries the best system.
    """
    chosen = Scenario.of(scenario)
    ballot = Ballot(by, depth, take, grades, rate, repeats, seed)
    judged = None if judgments is None else Judgments.of(judgments)
    return elect(named_runs(runs, chosen.ties), judged, parse_measure(str(measure)), ballot, chosen)


def elect(runs: Sequence[Run], judged: Judgments | None, measure: Measure, ballot: Ballot, scenario: Scenario) -> Votes:
    """The same from runs with their documents."""
    if len(runs) < 2:
        raise InputError(
            Problem("runs-too-few", f"votes need the lists of several runs, and only {runs[0].name} was given")
        )
    asked = asked_measures([measure], scenario)
    true = None if judged is None else _judged(judged, runs, scenario)
    lists = Lists.of(runs, ballot.depth, None if judged is None else judged.topics)
    if not len(lists):
        raise InputError(Problem("topics-disjoint", "no topic of the runs is judged", runs[0].source.path))
    elected = _pseudo(lists, _elected(lists, ballot))
    graded = experiment(elected, list(runs), scenario)
    several = ballot.by == "sample" and ballot.repeats > 1
    draws = _draws(lists, ballot) if several else [elected.grades]
    drawn = np.array([_means(graded, elected, grade, asked, scenario) for grade in draws])
    means = tuple(mean(drawn[:, r]) for r in range(len(runs)))
    signature = score_topics(graded, asked, scenario).signatures[0].but(**ballot.parts)
    spread = drawn.std(axis=0, ddof=1) if several else np.full(len(runs), np.nan)
    votes = Votes(
        measure=asked[0],
        runs=graded.names,
        means=means,
        spread=tuple(spread.tolist()),
        topics=len(elected.topics),
        signature=signature,
        judgments=None if several else elected,
        inputs=tuple(run.source for run in runs),
    )
    return votes if true is None else _beside(votes, true, asked, scenario)


def _judged(judged: Judgments, runs: Sequence[Run], scenario: Scenario) -> Experiment:
    return graded_experiment(judged, [grade_run(judged, run, scenario) for run in runs], scenario)


def _beside(votes: Votes, true: Experiment, asked: list[Measure], scenario: Scenario) -> Votes:
    """The votes with the true order beside them."""
    scores = score_topics(true, asked, scenario)
    summary = scores.summary()
    truth = tuple(summary[run][asked[0].text] for run in votes.runs)
    sign = -1 if asked[0].lower_is_better else 1
    voted, judged = sign * np.array(votes.means), sign * np.array(truth)
    return replace(
        votes,
        true=truth,
        true_signature=scores.signatures[0],
        tau_b=kendall_tau(judged, voted),
        tau_ap=tau_ap(judged, voted),
        inputs=true.inputs,
        notes=(*votes.notes, *scores.notes, *_few(len(votes.runs))),
    )


def _few(runs: int) -> list[Note]:
    if runs >= 5:
        return []
    return [Note("runs-few", f"{counted(runs, 'run')}: so few votes elect little, and an order of so few says little")]


def _elected(lists: Lists, ballot: Ballot) -> Floats:
    """The grade of every document of the pool."""
    score = ELECTIONS[ballot.by].score
    if score is None:
        return _drawn(lists, ballot, 0)
    order, place = pooling.ordered(lists, score(lists))
    size = np.diff(lists.offsets)
    most = np.array([pooling.drawn_from(int(n), ballot.take) if n else 0 for n in size])
    grade = np.zeros(len(lists))
    taken = order[place <= most[lists.topic[order]]]
    grade[taken] = lists.held[taken] if ballot.grades else 1.0
    return grade


def _draws(lists: Lists, ballot: Ballot) -> list[Floats]:
    return [_drawn(lists, ballot, repeat) for repeat in range(ballot.repeats)]


def _drawn(lists: Lists, ballot: Ballot, repeat: int) -> Floats:
    """A random share of each topic's pool; another topic or repeat changes nothing."""
    grade = np.zeros(len(lists))
    for name, start, stop in zip(lists.topics, lists.offsets[:-1], lists.offsets[1:], strict=True):
        if stop > start:
            seed = [ballot.seed, repeat, int.from_bytes(encode(name))]
            random = np.random.Generator(np.random.PCG64(seed))
            size = pooling.drawn_from(int(stop - start), ballot.rate)
            grade[start + random.choice(stop - start, size=size, replace=False)] = 1.0
    return grade


def _pseudo(lists: Lists, grade: Floats) -> Judgments:
    """Judgments that nobody made, marked as such."""
    present = np.flatnonzero(np.diff(lists.offsets) > 0)
    number = np.full(len(lists.topics), -1, dtype=np.int32)
    number[present] = np.arange(len(present))
    rows = Rows(
        topics=tuple(lists.topics[t] for t in present.tolist()),
        topic=number[lists.topic],
        documents=lists.documents,
        values=grade,
        place=lambda i: f"votes, document {lists.documents[i]}",
        path="votes",
        format="votes of runs",
        origin=VOTES,
    )
    return Judgments.from_rows(rows)


def _means(
    graded: Experiment, judged: Judgments, grade: Floats, asked: list[Measure], scenario: Scenario
) -> list[float]:
    """The mean of every run if the pool had these grades."""
    recall = TopicGrades(judged.topic, grade, len(judged.topics))
    seen = replace(judged.judged, recall=recall, scale=distinct(grade))
    runs: list[Graded] = [replace(run, grade=grade[run.judgment], judgments=seen) for run in graded.runs]
    summary = score_runs(runs, asked, scenario).summary()
    return [summary[run.name][asked[0].text] for run in runs]
