"""Sessions on Spark: logs are read and matched with judgments where they are, and scored by the code of one machine.

A bucket of sessions reads its records and looks every document up in the judgments of their topics. What travels on are
queries, and of their documents the judged ones: rank and key. From these the driver has what a log on one machine comes
to, so every measure, choice and note is the same.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

from gaincurve.errors import ChoiceError, GaincurveError, InputError, Problem
from gaincurve.model.choices import SessionChoices
from gaincurve.model.columns import Given
from gaincurve.model.judgments import Judgments
from gaincurve.model.measure import Measure
from gaincurve.model.scenario import Scenario, session_scenario
from gaincurve.model.scores import Scores
from gaincurve.model.sessions.shapes import LogRules
from gaincurve.model.source import counted
from gaincurve.spark.dealt import MOST_ROWS
from gaincurve.spark.frames import counted_buckets, functions, named
from gaincurve.spark.logs import LogPart, graded_log, parts_of
from gaincurve.spark.values import MOST_VALUES
from gaincurve.verbs.evaluate import asked_measures
from gaincurve.verbs.experiment import Experiment
from gaincurve.verbs.remarks import with_remarks
from gaincurve.verbs.sessions.evaluate import DEFAULT_MEASURES, score_sessions
from gaincurve.verbs.sessions.experiment import session_experiment

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

RECORDS_A_BUCKET = 200_000
"""Records are Python objects while they are read, about 1 kB each."""


def evaluate_sessions(
    judgments: DataFrame,
    logs: DataFrame | Mapping[str, DataFrame],
    measures: str | Measure | Iterable[str | Measure] = DEFAULT_MEASURES,
    *,
    scenario: Scenario | str = "session",
    by: str | None = None,
    design: str | None = None,
    topics: Mapping[str, str] | None = None,
    fields: Mapping[str, str] | None = None,
    idle: str | None = None,
    columns: Given | None = None,
    grades_are_scores: bool = False,
    duplicates: str = "error",
    buckets: int | None = None,
    most_rows: int = MOST_ROWS,
    **choices: Unpack[SessionChoices],
) -> Scores:
    """Score whole sessions, as `gaincurve.evaluate_sessions` does: the same arguments, and the same scores.

    `logs` is a data frame, or {system: frame}, with a row for each query (session, query, topic, ranking: an array) or
    for each result (session, query, topic, document, rank); `fields` gives other names. Queries and judgments reach the
    driver, documents that nobody judged do not. Sessions are in the order of their names.
    """
    chosen = session_scenario(scenario, **choices)
    asked = asked_measures(measures, chosen, "session")
    rules = LogRules(topics=topics or {}, fields=fields or {}, idle=idle, duplicates=duplicates)
    graded = graded_sessions(judgments, logs, chosen, rules, columns, grades_are_scores, design, buckets, most_rows)
    return with_remarks(score_sessions(graded, asked, chosen, by=by), graded, chosen)


def graded_sessions(
    judgments: DataFrame,
    logs: DataFrame | Mapping[str, DataFrame],
    scenario: Scenario,
    rules: LogRules,
    columns: Given | None = None,
    grades_are_scores: bool = False,
    design: str | None = None,
    buckets: int | None = None,
    most_rows: int = MOST_ROWS,
) -> Experiment:
    """An experiment from logs that Spark holds."""
    frame = _one_log(logs, rules)
    ours = named(judgments, "judgments", columns)
    rows, judged_rows = frame.count(), ours.count()
    if not rows:
        raise InputError(Problem("input-empty", "sessions has no queries", "sessions"))
    if judged_rows > MOST_VALUES:
        most = counted(MOST_VALUES, "judgment")
        what = f"{counted(judged_rows, 'judgment')} do not fit on the driver, which takes {most}"
        raise ChoiceError(Problem("spark-driver", what, hint="keep those of the topics that sessions are on"))
    judged = Judgments.of(ours.toArrow(), "error", grades_are_scores=grades_are_scores)
    parts = _parts(ours, frame, rules, counted_buckets(buckets, rows, RECORDS_A_BUCKET), most_rows)
    systems = sorted({part.name for part in parts})
    graded = [graded_log(judged, [part for part in parts if part.name == name]) for name in systems]
    return session_experiment(judged, graded, scenario, design=design)


def _one_log(logs: DataFrame | Mapping[str, DataFrame], rules: LogRules) -> DataFrame:
    """The logs of all systems as one frame."""
    f = functions()
    if not isinstance(logs, Mapping):
        return logs
    system = rules.fields.get("system", "system")
    frames = [
        frame if system in frame.columns else frame.withColumn(system, f.lit(str(name))) for name, frame in logs.items()
    ]
    if not frames:
        raise InputError(Problem("run-none", "no sessions were given"))
    whole: DataFrame = frames[0]
    for frame in frames[1:]:
        whole = whole.unionByName(frame, allowMissingColumns=True)
    return whole


def _parts(ours: DataFrame, logs: DataFrame, rules: LogRules, buckets: int, most_rows: int) -> list[LogPart]:
    """What the buckets of sessions read, in the order of the buckets."""
    f = functions()
    owner = _column(logs, rules, "session", "user" if rules.idle else "session")
    bucket = f.pmod(f.xxhash64(f.col(owner).cast("string")), f.lit(buckets))
    dealt = logs.withColumn("gaincurve_bucket", bucket)
    numbers = f.explode(f.sequence(f.lit(0), f.lit(buckets - 1)))
    if rules.topics:  # the sessions do not say which judgments they need
        wanted = ours.where(f.col("topic").isin(*sorted(set(rules.topics.values()))))
        spread = wanted.withColumn("gaincurve_bucket", numbers.cast("long"))
    else:
        topic = f.col(_column(logs, rules, "topic")).cast("string").alias("topic")
        needed = logs.select(topic, bucket.alias("gaincurve_bucket")).distinct()
        spread = ours.join(needed, "topic")
    both = [rows.repartition(buckets, "gaincurve_bucket").groupBy("gaincurve_bucket") for rows in (spread, dealt)]
    read = both[0].cogroup(both[1]).applyInArrow(partial(_read, rules, most_rows), "bucket int, result binary")
    results = [pickle.loads(row["result"]) for row in sorted(read.collect())]
    broken = [result for result in results if isinstance(result, _Broken)]
    if broken:
        problems = sorted({problem for each in broken for problem in each.problems}, key=str)
        kind = ChoiceError if any(each.of_choice for each in broken) else InputError
        raise kind(problems, sum(each.more for each in broken))
    return [part for parts in results for part in parts]


@dataclass(frozen=True)
class _Broken:
    """What is wrong in a bucket: raised in a task, it would be tried again and reach the user as a Java stack trace."""

    problems: tuple[Problem, ...]
    more: int
    of_choice: bool


def _column(logs: DataFrame, rules: LogRules, *roles: str) -> str:
    """The first column of one of these roles, or an error that says which there are."""
    names = [rules.fields.get(role, role) for role in roles]
    name = next((name for name in names if name in logs.columns), None)
    if name is None:
        what = f"sessions has no column {names[0]!r}; its columns are {', '.join(logs.columns)}"
        raise InputError(Problem("input-header", what, "sessions", f"name it: fields={{{roles[0]!r}: ...}}"))
    return name


def _read(rules: LogRules, most_rows: int, key: Any, judgments: Any, sessions: Any) -> Any:
    """The parts of a bucket's logs, or what is wrong with them, as bytes."""
    import pyarrow as pa  # noqa: PLC0415 -- the extra

    number = key[0].as_py()
    result: Sequence[LogPart] | _Broken
    try:
        if len(judgments) + len(sessions) > most_rows:
            what = f"a bucket of sessions has {counted(len(judgments) + len(sessions), 'row')}"
            raise ChoiceError(Problem("spark-bucket", what))
        result = parts_of(judgments.drop(["gaincurve_bucket"]), sessions.drop(["gaincurve_bucket"]), rules)
    except GaincurveError as error:
        result = _Broken(error.problems, error.more, isinstance(error, ChoiceError))
    return pa.table({"bucket": pa.array([number], pa.int32()), "result": pa.array([pickle.dumps(result)], pa.binary())})
