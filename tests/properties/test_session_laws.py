"""Every registered session measure obeys the laws it is filed under; what is filed stands in `filed_sessions.py`.

A session measure that is registered but not filed fails here, and so does one without a golden number. A topic is a
session here, its list are the lists of its queries, and files are JSON lines or TREC runs.
"""

from __future__ import annotations

import functools
import itertools
import json
import math
import random
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from effort import examples
from filed_sessions import FILED_SESSIONS, GoldenSession
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from plain import GAINS, UNJUDGED, Grade
from plain_sessions import Query, Session, WrittenSession
from test_laws import (
    BY_GRADE,
    MAY_BREAK,
    NUMPY,
    SCALE,
    Table,
    covered_by_number,
    ids,
    near,
    prints,
    quick,
    ranked,
    read,
    refused,
    same,
    topic_grades,
    written,
)

from gaincurve import _compiled
from gaincurve.errors import GaincurveError
from gaincurve.files.evaluate import evaluate_session_files
from gaincurve.files.experiment import read_experiment
from gaincurve.files.reading import Reading, SessionReading
from gaincurve.io import grading
from gaincurve.io.read import read_judgments
from gaincurve.measures.notation import make_measure, parse_measure, parse_measures
from gaincurve.measures.registry import REGISTRY
from gaincurve.measures.sessions import QUERY_SCORES
from gaincurve.model.measure import READ, Measure
from gaincurve.model.parameters import PARAMETERS, SCORES
from gaincurve.model.scenario import session_scenario
from gaincurve.model.scores import Scores
from gaincurve.model.sessions.log import SessionLog
from gaincurve.model.sessions.objects import sessions_from_records
from gaincurve.model.sessions.rules import SESSION_RULES
from gaincurve.verbs.experiment import Experiment
from gaincurve.verbs.sessions.curves import session_curves
from gaincurve.verbs.sessions.evaluate import evaluate_sessions
from gaincurve.verbs.sessions.experiment import graded_logs, on_data

Record = dict[str, Any]
Given = tuple[Table, list[Record]]
SESSION_MEASURES = {name: record for name, record in REGISTRY.items() if record.over == "session"}

# The measures of each law ------------------------------------------------------------------------------------------


def law(name: str, of: Callable[[str], bool] = lambda _: True) -> Callable[[Any], Any]:
    """Run a test for every session measure that has a text under which a law holds, of those it says something of."""
    names = [one for one, filed in FILED_SESSIONS.items() if filed.under(name) and one in SESSION_MEASURES and of(one)]
    return pytest.mark.parametrize("name", names)


SESSIONS_MAY_BREAK = MAY_BREAK | {"plain"}
"""'plain' is the range of the record, which is that of the defaults: rules of the ideal session may lead beyond it.

That the value is the plain loop's is proved under every text all the same.
"""


def test_every_registered_session_measure_is_filed_with_golden_numbers() -> None:
    assert set(SESSION_MEASURES) == set(FILED_SESSIONS), "file the new measure in filed_sessions.py"
    for name, filed in FILED_SESSIONS.items():
        assert filed.texts, f"{name}: file a text to try it under"
        assert filed.golden, f"{name}: file a number from elsewhere"
        assert {parse_measure(text).name for text in filed.texts} == {name}
        assert {parse_measure(golden.text).name for golden in filed.golden} == {name}
        assert set(filed.breaks) <= SESSIONS_MAY_BREAK, f"{name}: this law has no exceptions"
        for broken in filed.breaks.values():
            assert set(broken) < set(filed.texts), f"{name}: a law is broken under a text that is filed, not under all"
            assert all(broken.values()), f"{name}: say why the law does not hold"


def tried(name: str) -> dict[str, set[str]]:
    """{parameter: its values in the texts and golden numbers of a measure}."""
    filed = FILED_SESSIONS[name]
    found: dict[str, set[str]] = {}
    for text in [*filed.texts, *(golden.text for golden in filed.golden)]:
        for key, value in parse_measure(text).parameters:
            found.setdefault(key, set()).add(str(value))
    return found


@pytest.mark.parametrize("name", list(SESSION_MEASURES))
def test_every_parameter_of_a_session_measure_is_tried(name: str) -> None:
    assert set(tried(name)) >= set(SESSION_MEASURES[name].parameters) - {"summary"}


@pytest.mark.parametrize("name", list(SESSION_MEASURES))
def test_every_rule_that_changes_a_session_measure_is_tried(name: str) -> None:
    """Of each rule every value; one of them is that of the plain text, and numbers stand for N and K."""
    values = tried(name)
    for key in values.keys() & {*SESSION_RULES, "score"}:
        named = {value for value in {**SESSION_RULES, "score": SCORES}[key] if value not in ("N", "min:K", "error")}
        assert len(named - values[key]) <= 1, (key, named - values[key])


@pytest.mark.parametrize("name", list(SESSION_MEASURES))
def test_records_are_complete(name: str) -> None:
    record = SESSION_MEASURES[name]
    assert "Worked:" in record.about
    assert record.formula
    assert record.source
    assert parse_measure(name).text == name


# From an experiment to plain sessions --------------------------------------------------------------------------------


def plain_sessions(judgments: Table, records: Iterable[Record]) -> list[Session]:
    grouped: dict[str, list[Record]] = {}
    for record in records:
        grouped.setdefault(record["session"], []).append(record)
    covers = {t: {d: covered_by_number(d, g) for d, g in row.items()} for t, row in judgments.items()}
    longest = max(map(len, grouped.values()))
    return [Session(tuple(map(query_of, session)), judgments, covers, longest) for session in grouped.values()]


def query_of(record: Record) -> Query:
    clicks = record.get("clicks")
    return Query(
        tuple(record["ranking"]), record["topic"], record.get("depth"), max(clicks) if clicks else None,
        record.get("tied", ()),
    )  # fmt: skip


def expected(text: str, session: Session) -> float:
    """What the plain loop says, nan where the measure is filed as undefined or no query is judged."""
    name, given_ = written(text)
    filed = FILED_SESSIONS[name]
    judged = any(query.topic in session.judged for query in session.queries)
    return float(filed.plain(session, **given_)) if judged and not filed.undefined(session, **given_) else math.nan


def fit(name: str, given_: Given) -> Given:
    """The experiment with one topic a session where the measure takes no others."""
    judgments, records = given_
    first: dict[str, str] = {}
    if not FILED_SESSIONS[name].one_topic:
        return given_
    return judgments, [{**r, "topic": first.setdefault(r["session"], r["topic"])} for r in records]


def logged(records: Iterable[Record], name: str = "run") -> SessionLog:
    keys = ("session", "query", "topic", "ranking", "depth", "clicks")
    return sessions_from_records([{key: record[key] for key in keys if key in record} for record in records], name)


def scored(name: str, given_: Given, texts: str | Iterable[str | Measure], **words: Any) -> Scores:
    judgments, records = fit(name, given_)
    return evaluate_sessions(read(name, judgments), logged(records), texts, **words)


def values(name: str, given_: Given, texts: Iterable[str] | None = None, **words: Any) -> np.ndarray:
    """One row for each text, all under which the measure is filed unless given."""
    return scored(name, given_, FILED_SESSIONS[name].texts if texts is None else texts, **words).values[0]


def chosen(text: str, key: str) -> Any:
    """What is written in a measure's brackets."""
    return written(text)[1].get(key)


def reach_of(text: str) -> int:
    return parse_measure(text).rank or READ


# Experiments -------------------------------------------------------------------------------------------------------

WHOLE: list[Record] = [
    {"ranking": ["s2", "u1", "s1"], "depth": 2, "clicks": [1]},
    {"ranking": ["s3"], "depth": 0},
    {"ranking": [], "depth": 4},
    {"ranking": ["s1", "s4"], "clicks": [2, 1]},
]
"""A session on the topic in which every grade stands, as long as any that is drawn; of one list nothing was read."""

rankings = st.lists(ids, unique=True, max_size=5)
session_topics = st.sampled_from(["t0", "t0", "t1", "scale", "nowhere"])


@st.composite
def queries(draw: st.DrawFn, session: str) -> list[Record]:
    """A session of one to four queries, most on its topic; of some it is known how far they were read and clicked."""
    topic = draw(session_topics)
    records = []
    for q, ranking in enumerate(draw(st.lists(rankings, min_size=1, max_size=4)), start=1):
        other = draw(st.integers(0, 5)) == 0
        record = {"session": session, "query": q, "topic": draw(session_topics) if other else topic, "ranking": ranking}
        if draw(st.booleans()):
            record["depth"] = draw(st.integers(0, 4))
        if ranking and draw(st.booleans()):
            record["clicks"] = draw(st.lists(st.integers(1, len(ranking)), min_size=1, max_size=2))
        records.append(record)
    return records


@st.composite
def experiments(draw: st.DrawFn) -> Given:
    """Judgments of three topics, one of them SCALE, and two to four sessions, one of them WHOLE."""
    judgments = {"scale": SCALE, "t0": draw(topic_grades), "t1": draw(topic_grades)}
    records = [{"session": "whole", "query": q, "topic": "scale", **record} for q, record in enumerate(WHOLE, 1)]
    for i in range(draw(st.integers(1, 3))):
        records += draw(queries(f"s{i}"))
    return judgments, records


# Values ------------------------------------------------------------------------------------------------------------


@law("plain")
@quick
@given(experiments())
def test_values_are_the_plain_ones_and_within_the_range_of_the_record(name: str, given_: Given) -> None:
    definition, sessions = SESSION_MEASURES[name], plain_sessions(*fit(name, given_))
    for text, found in zip(FILED_SESSIONS[name].texts, values(name, given_), strict=True):
        assert found.tolist() == near([expected(text, session) for session in sessions]), text
        if text in FILED_SESSIONS[name].under("plain"):
            assert not beyond(definition, found), text


def beyond(definition: Any, found: np.ndarray) -> bool:
    """Whether a value lies outside the range of the record."""
    defined = found[~np.isnan(found)]
    low = definition.low is not None and bool((defined < definition.low).any())
    return low or (definition.high is not None and bool((defined > definition.high + 1e-12).any()))


def beyond_the_range(text: str) -> bool:
    """Whether sessions that return the best documents again and again lead beyond the range."""
    judgments = {"t": {"a": 3.0, "b": 1.0, "c": 0.0}}
    lists = {"again": [["a"], ["a"], ["a"]], "both": [["a", "b"], ["a", "b"]], "apart": [["a"], ["b"]]}
    records = [
        {"session": s, "query": q, "topic": "t", "ranking": ranking}
        for s, session in lists.items()
        for q, ranking in enumerate(session, 1)
    ]
    return beyond(parse_measure(text).definition, values(parse_measure(text).name, (judgments, records), [text]))


@law("empty")
def test_the_record_says_what_a_session_without_anything_relevant_is(name: str) -> None:
    judgments: Table = {"scale": SCALE, "t": {"d1": 0, "d2": 0}}
    lists = [["d1", "u1", "d2"], ["u1"], ["d2"]]
    records = [{"session": "s", "query": q, "topic": "t", "ranking": one} for q, one in enumerate(lists, start=1)]
    kind = SESSION_MEASURES[name].empty.partition(";")[0]
    assert kind in ("0", "undefined", "defined")
    for text in FILED_SESSIONS[name].texts:
        value = values(name, (judgments, records), [text])[0, 0]
        assert math.isnan(value) == (kind == "undefined"), text
        assert kind != "0" or value == 0, text
        if kind == "undefined":
            assert values(name, (judgments, records), [text], empty="zero")[0, 0] == 0
            refused("session-undefined", functools.partial(values, name, (judgments, records), [text], empty="error"))


@pytest.mark.parametrize("name", [name for name, filed in FILED_SESSIONS.items() if filed.one_topic])
def test_a_session_judged_on_several_topics_is_refused_by_a_measure_of_one(name: str) -> None:
    judgments = {"t": {"d1": 1.0}, "other": {"d1": 1.0}}
    records = [{"session": "s", "query": q, "topic": t, "ranking": ["d1"]} for q, t in enumerate(judgments, start=1)]
    refused("session-choices", lambda: evaluate_sessions(judgments, logged(records), name))


# Orders: all short sessions of the grades 0, 1 and 3 and unjudged documents, with something missed or not -----------

TOKENS: tuple[Grade, ...] = (UNJUDGED, 0, 1, 3)
SHAPES = ((1,), (2,), (3,), (0, 2), (2, 0), (1, 1), (2, 1), (1, 2), (2, 2), (3, 1), (1, 3), (1, 1, 1))
"""How long the lists of a short session are."""
MISSED: tuple[tuple[float, ...], ...] = ((), (1,), (3, 0))
Short = tuple[tuple[tuple[Grade, ...], ...], tuple[float, ...]]


def short_sessions_of(shapes: Iterable[tuple[int, ...]]) -> list[Short]:
    found = []
    for shape in shapes:
        for lists in itertools.product(*(itertools.product(TOKENS, repeat=n) for n in shape)):
            found += [(lists, missed) for missed in MISSED if missed or any(g is not UNJUDGED for g in sum(lists, ()))]
    return found


def named(short: Short) -> Iterable[tuple[str, Grade]]:
    """Every document of a short session with its grade: no document comes twice."""
    lists, missed = short
    for q, listed in enumerate(lists):
        yield from ((f"d{q}{r}", grade) for r, grade in enumerate(listed))
    yield from ((f"m{i}", grade) for i, grade in enumerate(missed))


def laid_out(shorts: Iterable[Short]) -> Given:
    """Every short session on a topic of its own."""
    judgments: Table = {}
    records: list[Record] = []
    for i, short in enumerate(shorts):
        judgments[f"t{i}"] = {d: grade for d, grade in named(short) if grade is not UNJUDGED}
        for q, listed in enumerate(short[0]):
            ranking = [f"d{q}{r}" for r in range(len(listed))]
            records.append({"session": f"s{i}", "query": q + 1, "topic": f"t{i}", "ranking": ranking})
    return judgments, records


@functools.cache
def short_sessions() -> tuple[list[Short], Given, SessionLog]:
    shorts = short_sessions_of(SHAPES)
    given_ = laid_out(shorts)
    return shorts, given_, logged(given_[1])


@functools.cache
def short_values(text: str) -> dict[Short, float]:
    """The value of every short session; better is higher."""
    shorts, (judgments, _), log = short_sessions()
    definition = parse_measure(text).definition
    by_subtopic = {t: {d: BY_GRADE[int(g)] for d, g in row.items()} for t, row in judgments.items()}
    found = evaluate_sessions(by_subtopic if definition.needs == "subtopics" else judgments, log, text).values[0, 0]
    side = -1.0 if definition.better == "lower" else 1.0
    return dict(zip(shorts, (side * found).tolist(), strict=True))


@functools.cache
def worth(text: str, grade: Grade) -> float:
    """What a document counts for under the measure."""
    return 0.0 if grade is UNJUDGED else GAINS[str(chosen(text, "gains") or "identity")](grade)


def exchanged(short: Short, one: tuple[int, int], other: tuple[int, int]) -> Short:
    lists = [list(listed) for listed in short[0]]
    (q, r), (p, n) = one, other
    lists[q][r], lists[p][n] = lists[p][n], lists[q][r]
    return tuple(map(tuple, lists)), short[1]


def stands_above(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """In no later query, and no deeper in its list: under no rule does such a place count for less."""
    return one != other and one[0] <= other[0] and one[1] <= other[1]


def stands_just_above(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """One rank higher in the same list."""
    return one[0] == other[0] and other[1] == one[1] + 1


@functools.cache
def pairs(
    above: Callable[[tuple[int, int], tuple[int, int]], bool], worthless: frozenset[Grade]
) -> list[tuple[Short, Short]]:
    """Every short session, and the same with a document of worth in the place of a worthless one above it."""
    found = []
    for short in short_sessions()[0]:
        at = [(q, r) for q, listed in enumerate(short[0]) for r in range(len(listed))]
        for one, other in itertools.permutations(at, 2):
            upper, lower = (short[0][q][r] in worthless for q, r in (one, other))
            if upper and not lower and above(one, other):
                found.append((short, exchanged(short, one, other)))
    assert found
    return found


def worse_when_moved_up(text: str) -> list[tuple[Short, Short]]:
    """Sessions that are better than the same with a document of worth moved up in its list past a worthless one."""
    return worse_when_exchanged(text, stands_just_above)


def worse_when_exchanged(
    text: str, above: Callable[[tuple[int, int], tuple[int, int]], bool] = stands_above
) -> list[tuple[Short, Short]]:
    """Sessions that are better than the same with a document of worth in the place of a worthless one above it."""
    found = short_values(text)
    moved = pairs(above, frozenset(grade for grade in TOKENS if worth(text, grade) == 0))
    assert all(math.isnan(found[one]) == math.isnan(found[other]) for one, other in moved)
    return [(one, other) for one, other in moved if found[other] < found[one] - 1e-12]


def better_than_ideal(text: str) -> list[tuple[Short, Short]]:
    """Sessions that are better than the same documents by worth in each list, judged ones before unjudged ones."""

    def best(listed: tuple[Grade, ...]) -> tuple[Grade, ...]:
        return tuple(sorted(listed, key=lambda g: (-worth(text, g), g is UNJUDGED, -(g or 0))))

    found = short_values(text)
    ideal = {short: (tuple(map(best, short[0])), short[1]) for short in found}
    return [(short, ideal[short]) for short in found if found[short] > found[ideal[short]] + 1e-12]


def has_direction(name: str) -> bool:
    return SESSION_MEASURES[name].better != "neither"


@law("moving-up", has_direction)
def test_moving_a_relevant_document_up_past_a_worthless_one_never_hurts(name: str) -> None:
    for text in FILED_SESSIONS[name].under("moving-up"):
        assert worse_when_moved_up(text)[:3] == [], text


@law("exchange", has_direction)
def test_a_relevant_document_in_the_place_of_a_worthless_one_above_never_hurts(name: str) -> None:
    for text in FILED_SESSIONS[name].under("exchange"):
        assert worse_when_exchanged(text)[:3] == [], text


@law("ideal-is-best", has_direction)
def test_no_order_beats_the_ideal_order(name: str) -> None:
    for text in FILED_SESSIONS[name].under("ideal-is-best"):
        assert better_than_ideal(text)[:3] == [], text


@pytest.mark.parametrize(
    ("name", "broken", "text"),
    [(name, broken, text) for name, filed in FILED_SESSIONS.items() for broken in filed.breaks
     for text in filed.breaks[broken]],
)  # fmt: skip
def test_a_law_that_is_filed_as_broken_is_broken(name: str, broken: str, text: str) -> None:
    counterexamples: dict[str, Callable[[str], object]] = {
        "exchange": worse_when_exchanged, "ideal-is-best": better_than_ideal, "bounds-reached": bounds_not_reached,
        "plain": beyond_the_range,
    }  # fmt: skip
    assert counterexamples[broken](text), name


# Nothing else matters -----------------------------------------------------------------------------------------------


@law("renaming")
@quick
@given(experiments(), st.permutations(range(17)), st.sampled_from(["", "é", "-long" * 5]))
def test_renaming_documents_topics_and_sessions_changes_nothing(
    name: str, given_: Given, order: list[int], tail: str
) -> None:
    """The order of a log is its ranking, so documents may be renamed anyhow; of runs with scores see below."""
    judgments, records = fit(name, given_)
    used = sorted({*itertools.chain(*judgments.values(), *(record["ranking"] for record in records))})
    document = {old: f"{order[i]:03}{tail}" for i, old in enumerate(used)}
    topic = {old: f"{9 - i} {old}{tail}" for i, old in enumerate([*judgments, "nowhere"])}
    other = [
        {**r, "session": f"{tail} {r['session'][::-1]}", "topic": topic[r["topic"]],
         "ranking": [document[d] for d in r["ranking"]]} for r in records
    ]  # fmt: skip
    known = read(name, judgments)
    renamed = {topic[t]: {document[d]: value for d, value in row.items()} for t, row in known.items()}
    texts = FILED_SESSIONS[name].texts
    before = evaluate_sessions(known, logged(records), texts)
    assert same(before.values, evaluate_sessions(renamed, logged(other), texts).values)


@law("adding-a-topic")
@quick
@given(experiments(), topic_grades, queries("new"))
def test_adding_a_session_leaves_the_others_alone(
    name: str, given_: Given, grades: dict[str, float], new: list[Record]
) -> None:
    """It is no longer than the longest, which horizon='longest' looks at, and may be on a topic of its own."""
    judgments, records = given_
    more = [{**record, "topic": {"t1": "new"}.get(record["topic"], record["topic"])} for record in new]
    before = values(name, given_)
    assert same(before, values(name, ({"new": grades, **judgments}, [*more, *records]))[:, 1:])


@law("twice")
@quick
@given(experiments())
def test_a_second_call_gives_the_same_and_measures_of_one_call_share_nothing(name: str, given_: Given) -> None:
    texts = FILED_SESSIONS[name].texts
    first = [values(name, given_, [text])[0] for text in texts]
    others = [text for text in ("sDCG@2", "nsDCG", "sRBP(p=0.5)") if text not in texts]
    together = scored(name, given_, [*others, *texts]).values[0, len(others) :]
    assert same(first, together)
    assert same(first, [values(name, given_, [text])[0] for text in texts])


def chunks_equal_the_whole(graded: Experiment, texts: Iterable[str], scenario: Any, size: int, bounds: bool) -> None:
    (run,) = graded.runs
    places = [np.arange(i, min(i + size, len(run.units))) for i in range(0, len(run.units), size)]
    for measure in map(parse_measure, texts):
        arguments = measure.arguments(on_data(graded, measure, scenario))
        uses: list[Callable[..., Any]] = [measure.definition.compute]
        if measure.definition.bounds is not None and bounds:
            uses.append(measure.definition.bounds)
        for use in uses:
            whole = np.atleast_2d(use(run, **arguments))
            pieces = [np.atleast_2d(use(run.select(place), **arguments)) for place in places]
            assert same(whole, np.concatenate(pieces, axis=1)), measure.text


@law("chunks")
@quick
@given(
    experiments(), st.integers(1, 3), st.sampled_from(["zero", "condensed"]), st.sampled_from(["judged", "unjudged"])
)
def test_chunks_of_sessions_equal_the_whole(name: str, given_: Given, size: int, unjudged: str, negative: str) -> None:
    judgments, records = fit(name, given_)
    scenario = session_scenario("session", unjudged=unjudged, negative=negative)
    texts = [text for text in FILED_SESSIONS[name].texts if unjudged == "zero" or not chosen(text, "scan")]
    graded = graded_logs(read(name, judgments), logged(records), scenario)
    chunks_equal_the_whole(graded, texts, scenario, size, bounds=True)


# Files -------------------------------------------------------------------------------------------------------------


class Home:
    """Sessions on files: judgments plain and by subtopic, a log in JSON lines, and a TREC run with a map.

    A run holds no query that returned nothing: these stand in the list of queries.
    """

    def __init__(self, folder: Path, judgments: Table, records: list[Record], scores: Mapping[str, Any]) -> None:
        self.folder, self.records = folder, records
        self.sessions = [*dict.fromkeys(record["session"] for record in records)]
        rows = [(t, d, g) for t, row in judgments.items() for d, g in row.items()]
        self.write("qrels", (f"{t} 0 {d} {int(g)}" for t, d, g in rows))
        self.write(
            "subtopics", (f"{t} {s} {d} {int(v)}" for t, d, g in rows for s, v in covered_by_number(d, g).items())
        )
        self.write("map", {f"{record['session']} {record['topic']}": None for record in records})
        self.write("queries", (query_id(record) for record in records))
        self.write("jsonl", (json.dumps(record) for record in records))
        self.write(
            "run",
            (f"{q} Q0 {d} {n} {score} r" for q, row in scores.items() for n, (d, score) in enumerate(row.items())),
        )

    def write(self, suffix: str, lines: Iterable[str]) -> None:
        (self.folder / f"all.{suffix}").write_text("".join(f"{line}\n" for line in lines), "utf-8")

    def path(self, suffix: str) -> Path:
        return self.folder / f"all.{suffix}"

    def judgments(self, name: str) -> Path:
        return self.path("subtopics" if SESSION_MEASURES[name].needs == "subtopics" else "qrels")

    @property
    def beside(self) -> dict[str, Path]:
        return {"topics": self.path("map"), "queries": self.path("queries")}


def query_id(record: Record) -> str:
    return f"s{record['session']}.q{record['query']}"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """24 sessions of one to six queries on six topics; some lists are empty, many scores are equal."""
    draw = random.Random(2008)
    judgments: Table = {"scale": SCALE}
    for t in range(5):
        judged = draw.sample(range(36), draw.randint(1, 25))
        judgments[f"t{t}"] = {f"d{i}": draw.choice([-1, 0, 0, 1, 2, 3]) for i in judged}
    records: list[Record] = []
    scores: dict[str, dict[str, float]] = {}
    for s in range(24):
        topic = draw.choice([*judgments, "nowhere"]) if s else "t0"
        for q in range(1, (6 if s == 0 else draw.randint(1, 6)) + 1):
            listed = {f"d{i}": draw.randint(-20, 60) / 8 for i in draw.sample(range(36), draw.choice([0, 1, 5, 12]))}
            record = {"session": f"{s:02}", "query": q, "topic": topic, "ranking": ranked(listed)}
            if listed:
                scores[query_id(record)] = listed
                record |= {"depth": draw.randint(0, 12), "clicks": [draw.randint(1, len(listed))]}
            records.append(record)
    return Home(tmp_path_factory.mktemp("laws"), judgments, records, scores)


SCANNERS = ["compiled", "twin"] if _compiled.scan is not None else ["twin"]


def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = functools.partial(grading.RunGrader, block=1 << 12, piece=256)
    monkeypatch.setattr("gaincurve.io.sessions.lists.RunGrader", pieces)


def without_reading(records: Iterable[Record]) -> list[Record]:
    """Records as a run knows them: nobody recorded how far lists were read."""
    return [{key: record[key] for key in ("session", "query", "topic", "ranking")} for record in records]


@law("files")
def test_json_lines_equal_objects_whole_and_session_by_session(name: str, home: Home, tmp_path: Path) -> None:
    texts, path = FILED_SESSIONS[name].texts, home.judgments(name)
    judgments = read_judgments(path, subtopics=SESSION_MEASURES[name].needs == "subtopics")
    whole = evaluate_sessions(judgments, logged(home.records), texts)
    assert not np.isnan(whole.values).all()
    for threads in (1, 2):
        found = evaluate_session_files(path, home.path("jsonl"), texts, threads=threads)
        assert found.units == whole.units == tuple(home.sessions)
        assert same(found.values, whole.values), threads
    first = home.sessions[0]  # the longest stands in each
    for i, session in enumerate(home.sessions[1:], start=1):
        kept = [record for record in home.records if record["session"] in (first, session)]
        (tmp_path / "one.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in kept), "utf-8")
        single = evaluate_session_files(path, tmp_path / "one.jsonl", texts, threads=1)
        assert same(single.values[0, :, 1], whole.values[0, :, i]), session


@law("files")
def test_runs_equal_objects_on_any_threads_with_either_scanner(
    name: str, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_blocks(monkeypatch)
    path = home.judgments(name)
    judgments = read_judgments(path, subtopics=SESSION_MEASURES[name].needs == "subtopics")
    for ties in ("trec", "average"):
        texts = [text for text in FILED_SESSIONS[name].texts if ties == "trec" or averages(text)]
        if not texts:
            continue
        by_scanner = {}
        for scanner, threads in itertools.product(SCANNERS, (1, 2)):
            with pytest.MonkeyPatch.context() as patch:
                if scanner == "twin":
                    patch.setattr(grading, "compiled", None)
                by_scanner[scanner, threads] = evaluate_session_files(
                    path, home.path("run"), texts, threads=threads, ties=ties, **home.beside
                )
        first = next(iter(by_scanner.values()))
        if ties == "trec":
            first = evaluate_sessions(judgments, logged(without_reading(home.records)), texts)
        for how, found in by_scanner.items():
            assert found.units == first.units == tuple(home.sessions)
            assert same(found.values, first.values), (ties, how)


@law("chunks")
def test_chunks_of_tied_runs_equal_the_whole(name: str, home: Home) -> None:
    texts = [text for text in FILED_SESSIONS[name].texts if averages(text)]
    scenario = session_scenario("session", ties="average")
    reading = Reading(sessions=SessionReading(**home.beside)).needed_by(map(parse_measure, texts))
    graded = read_experiment(home.judgments(name), [home.path("run")], scenario, reading) if texts else None
    for size in (1, 5) if graded else ():
        chunks_equal_the_whole(graded, texts, scenario, size, bounds=False)


@law("renaming")
def test_renaming_documents_of_a_run_in_order_changes_nothing(name: str, home: Home, tmp_path: Path) -> None:
    texts = FILED_SESSIONS[name].texts
    for suffix in ("qrels", "subtopics", "run"):
        text = home.path(suffix).read_text("utf-8")
        (tmp_path / suffix).write_text(re.sub(r"\b([ds])(\d+)(?= )(?! d\d)", r"doc-\1\2-é", text), "utf-8")
    for ties in ("trec", "average"):
        asked = [text for text in texts if ties == "trec" or averages(text)]
        judgments = tmp_path / home.judgments(name).suffix[1:]
        pairs = ((home.judgments(name), home.path("run")), (judgments, tmp_path / "run"))
        before, after = (
            evaluate_session_files(q, r, asked, ties=ties, **home.beside) if asked else None for q, r in pairs
        )
        assert before is None or same(before.values, after.values), ties


# Ties --------------------------------------------------------------------------------------------------------------


def averages(text: str) -> bool:
    """Whether there is an expected value over tied documents: not of a best query, nor of what comes first."""
    exact = parse_measure(text).definition.ties == "exact"
    return exact and chosen(text, "score") != "best" and chosen(text, "repeats") != "first"


@functools.cache
def tied_sessions() -> tuple[Table, list[Record], dict[str, dict[str, float]]]:
    """Sessions of one to three queries with up to four documents each, in blocks of equal scores."""
    draw = random.Random(1968)
    judgments: Table = {"scale": SCALE}
    records: list[Record] = []
    scores: dict[str, dict[str, float]] = {}
    for s in range(60):
        judged = draw.sample(range(7), draw.randint(2, 5))
        judgments[f"t{s}"] = {f"d{i}": draw.choice([-1, 0, 1, 2, 3]) for i in judged} | {"m8": 1}
        for q in range(1, draw.randint(1, 3) + 1):
            listed = {
                f"d{i}": float(draw.randint(1, 2)) for i in draw.sample(range(8), draw.randint(q == 1, 4 - q // 2))
            }
            ranking = ranked(listed)
            sizes = tuple(len(list(block)) for _, block in itertools.groupby(listed[d] for d in ranking))
            record = {"session": str(s), "query": q, "topic": f"t{s}", "ranking": ranking, "tied": sizes}
            scores |= {query_id(record): listed} if listed else {}
            records.append(record)
    return judgments, records, scores


@pytest.fixture(scope="module")
def tied_home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    judgments, records, scores = tied_sessions()
    return Home(tmp_path_factory.mktemp("ties"), judgments, records, scores)


def mean_over_orders(text: str, session: Session) -> float:
    each = [expected(text, order) for order in session.orders()]
    return math.fsum(each) / len(each)


@law("ties")
def test_average_ties_are_the_mean_over_all_tie_orders_or_refused(name: str, tied_home: Home) -> None:
    judgments, records, _ = tied_sessions()
    sessions = plain_sessions(judgments, records)
    for text in FILED_SESSIONS[name].texts:
        call = functools.partial(
            evaluate_session_files, tied_home.judgments(name), tied_home.path("run"), text, **tied_home.beside
        )
        assert call().values[0, 0].tolist() == near([expected(text, session) for session in sessions]), text
        if averages(text):
            found = call(ties="average").values[0, 0]
            assert found.tolist() == near([mean_over_orders(text, session) for session in sessions]), text
        else:
            refused("measure-no-ties", functools.partial(call, ties="average"))


# Unjudged documents -------------------------------------------------------------------------------------------------


def bounded(name: str) -> bool:
    return SESSION_MEASURES[name].bounds is not None


@functools.cache
def unjudged_sessions() -> tuple[Given, list[Session]]:
    """Short sessions in a scale of the grades 0, 1 and 3; and some in which an unjudged document comes again."""
    judgments, records = laid_out(short_sessions_of([(1,), (2,), (1, 1), (2, 1), (1, 0, 1)]))
    judgments["scale"] = {"s1": 3.0, "s2": 1.0, "s3": 0.0}
    for s, lists in enumerate(([["u"], ["u"]], [["s1", "u"], ["u", "s2"]], [["u", "v"], ["w"], ["v"]])):
        records += [
            {"session": f"again{s}", "query": q, "topic": "scale", "ranking": one} for q, one in enumerate(lists, 1)
        ]
    mixed = [("scale", ["s2", "u"]), ("nowhere", ["s1"]), ("t0", ["s2"])]
    records += [{"session": "mixed", "query": q, "topic": t, "ranking": one} for q, (t, one) in enumerate(mixed, 1)]
    return (judgments, records), plain_sessions(judgments, records)


Range = tuple[float, float]


@functools.cache
def ranges(text: str) -> list[tuple[float, Range, Range]]:
    """For every session: the value, its bounds, and the lowest and highest value of all judgings of what is read."""
    name = parse_measure(text).name
    given_, _ = unjudged_sessions()
    given_ = fit(name, given_)
    found = scored(name, given_, text, unjudged="bounds")
    columns = (side[0, 0].tolist() for side in (found.values, found.low, found.high))
    measured = []
    for session, value, low, high in zip(plain_sessions(*given_), *columns, strict=True):
        of_queries = chosen(text, "score") in (*QUERY_SCORES, "average")
        possible = [expected(text, judged) for judged in session.judgings(reach_of(text), of_queries)]
        defined = [one for one in possible if not math.isnan(one)] or [math.nan]
        measured.append((value, (low, high), (min(defined), max(defined))))
    return measured


def bounds_not_reached(text: str) -> list[tuple[float, Range, Range]]:
    return [one for one in ranges(text) if not math.isnan(one[0]) and one[1] != near(one[2])]


@law("bounds", bounded)
def test_bounds_hold_every_judging_of_the_unjudged_documents(name: str) -> None:
    for text in FILED_SESSIONS[name].under("bounds"):
        for value, (low, high), (least, most) in ranges(text):
            if math.isnan(value):
                assert math.isnan(low)
                assert math.isnan(high)
            else:
                slack = 1e-12 * max(1, abs(high))
                assert low - slack <= min(least, value), (text, value, (low, high), (least, most))
                assert max(most, value) <= high + slack, (text, value, (low, high), (least, most))


@law("bounds-reached", bounded)
def test_the_bounds_are_the_lowest_and_the_highest_value_of_all_judgings(name: str) -> None:
    for text in FILED_SESSIONS[name].under("bounds-reached"):
        assert bounds_not_reached(text)[:3] == [], text


@law("bounds")
def test_a_session_measure_without_bounds_says_why(name: str, tied_home: Home) -> None:
    definition, records = SESSION_MEASURES[name], [{"session": "s", "query": 1, "topic": "t", "ranking": ["d1", "d2"]}]
    assert (definition.bounds is None) == bool(definition.unbounded)
    for text in FILED_SESSIONS[name].texts:
        call = functools.partial(scored, name, ({"t": {"d1": 1.0, "d2": 2.0}}, records), text, unjudged="bounds")
        if definition.bounds is None:
            assert definition.unbounded in refused("measure-no-bounds", call)
            continue
        call()
        tied = functools.partial(
            evaluate_session_files, tied_home.judgments(name), tied_home.path("run"), text, unjudged="bounds",
            ties="average", **tied_home.beside,
        )  # fmt: skip
        refused("measure-no-bounds" if averages(text) else "measure-no-ties", tied)


@law("condensed")
@quick
@given(experiments(), st.sampled_from(["judged", "unjudged"]))
def test_condensed_is_the_log_without_its_unjudged_documents(name: str, given_: Given, negative: str) -> None:
    judgments, records = given_ = fit(name, given_)
    least = 0 if negative == "unjudged" else -math.inf

    def kept(record: Record) -> list[str]:
        return [d for d in record["ranking"] if judgments.get(record["topic"], {}).get(d, math.nan) >= least]

    by_hand = [{**record, "ranking": kept(record)} for record in without_reading(records)]
    for text in FILED_SESSIONS[name].texts:
        condense = functools.partial(values, name, given_, [text], unjudged="condensed", negative=negative)
        if chosen(text, "scan"):  # it counts ranks of the list as it was
            refused("session-choices", condense)
        else:
            assert same(condense(), values(name, (judgments, by_hand), [text], negative=negative)), text


# Sessions -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("missing")


@law("missing")
@quick
@given(given_=experiments(), gone=st.integers(0, 3))
def test_sessions_that_a_system_lacks_are_empty_lists_skipped_or_refused(
    name: str, folder: Path, given_: Given, gone: int
) -> None:
    """A log has the sessions it has; of a run beside others it is known which it lacks."""
    judgments, records = given_
    first: dict[str, str] = {}
    records = [{**r, "topic": first.setdefault(r["session"], r["topic"])} for r in without_reading(records)]
    lost = [*first][gone % len(first)]
    ours = [record if record["session"] != lost else {**record, "ranking": []} for record in records]
    there = {record["session"] for record in ours if record["ranking"]}
    absent = [session for session in first if session not in there and first[session] in judgments]
    assume(absent and there)
    scores = {query_id(r): {d: 9.0 - i for i, d in enumerate(r["ranking"])} for r in ours if r["ranking"]}
    files = Home(folder, judgments, records, scores)
    texts = FILED_SESSIONS[name].texts
    call = functools.partial(evaluate_session_files, files.judgments(name), files.path("run"), texts, **files.beside)
    zeros, skips = (call(missing=rule).values[0] for rule in ("zero", "skip"))
    for text, zero, skip in zip(texts, zeros, skips, strict=True):
        assert zero.tolist() == near([expected(text, session) for session in plain_sessions(judgments, ours)]), text
        for session, with_zero, without in zip(first, zero, skip, strict=True):
            assert math.isnan(without) if session in absent else same(with_zero, without), text
    assert absent[0] in refused("session-missing", functools.partial(call, missing="error"))


# Levels, curves, summaries ------------------------------------------------------------------------------------------


def test_no_session_measure_has_levels_of_its_own() -> None:
    """Gains do it all: binary(rel=…) is what rel is to measures of lists."""
    assert not {"rel", "only"} & PARAMETERS["session"].keys()


@law("levels", lambda name: "gains" in SESSION_MEASURES[name].parameters and not SESSION_MEASURES[name].needs)
@quick
@given(experiments(), st.sampled_from([1, 2, 3]))
def test_binary_gains_from_a_grade_on_are_the_measure_on_grades_replaced(name: str, given_: Given, rel: int) -> None:
    """sIR is left out: it counts what a document says of each subtopic, whatever the document's own grade."""
    judgments, records = given_
    binary = {topic: {d: float(g >= rel) for d, g in row.items()} for topic, row in judgments.items()}
    asked = [parse_measure(text) for text in FILED_SESSIONS[name].texts]
    at_level, plain = (
        [make_measure(name, {**dict(m.parameters), "gains": gains}, m.cutoff) for m in asked]
        for gains in (f"binary(rel={rel})", "binary")
    )
    found = scored(name, given_, at_level).values
    assert same(found, scored(name, (binary, records), plain).values), rel


def has_curve(text: str) -> bool:
    return parse_measure(text).definition.over_ranks and chosen(text, "score") in (None, "final")


@law("curve")
def test_a_session_measure_without_a_curve_says_so(name: str) -> None:
    judgments, records = {"t": {"d1": 1.0}}, [{"session": "s", "query": 1, "topic": "t", "ranking": ["d1"]}]
    for text in FILED_SESSIONS[name].texts:
        call = functools.partial(session_curves, read(name, judgments), logged(records), text)
        if has_curve(text):
            call()
        else:
            refused("measure-no-curve", call)


@law("curve", lambda name: SESSION_MEASURES[name].over_ranks)
@settings(quick, max_examples=examples(4))
@given(experiments(), st.sampled_from(["zero", "condensed"]))
def test_the_curve_ends_at_the_measure_and_is_everywhere_that_of_a_session_that_ends_there(
    name: str, given_: Given, unjudged: str
) -> None:
    judgments, records = given_
    for text in filter(has_curve, FILED_SESSIONS[name].texts):
        if chosen(text, "scan") and unjudged == "condensed":
            continue
        curves = session_curves(judgments, logged(records), text, per_session=True, unjudged=unjudged)
        scores = scored(name, given_, text, unjudged=unjudged)
        drawn = dict(zip(curves.singles[0].sessions, curves.singles[0].values, strict=True))
        ends = {session: value for session, value in scores["run", parse_measure(text)].items() if session in drawn}
        assert [drawn[session][-1] for session in ends] == near(list(ends.values())), text
        own = {"scan", "ideal", "horizon", "empty_lists", "repeats"} & written(text)[1].keys()
        if own or unjudged == "condensed":  # these look beyond the place
            continue
        measure, x = parse_measure(text), reach_of(text)
        stopping = make_measure(name, {**dict(measure.parameters), "scan": "observed"}, measure.cutoff)
        cut = [
            {**record, "session": f"{last['session']}|{(last['query'] - 1) * x + r}",
             **({"depth": r} if record is last else {})}
            for last in without_reading(records) for r in range(1, x + 1)
            for record in [*(one for one in without_reading(records) if one["session"] == last["session"]
                             and one["query"] < last["query"]), last]
        ]  # fmt: skip
        found = evaluate_sessions(judgments, logged(cut), stopping)
        zero = chosen(text, "unjudged_queries") == "zero"  # a session without a judged query has no score, but a line
        judged = {record["session"] for record in cut if record["topic"] in judgments or not zero}
        for unit, value in zip(found.units, found.values[0, 0].tolist(), strict=True):
            session, _, place = unit.partition("|")
            if session in drawn and unit in judged:
                assert drawn[session][int(place) - 1] == near(value), (text, unit)


@law("summary")
@quick
@given(experiments(), st.sampled_from([None, *NUMPY]))
def test_summaries_are_those_of_numpy(name: str, given_: Given, kind: str | None) -> None:
    more = {} if kind is None else {"summary": kind}
    plain = [parse_measure(text) for text in FILED_SESSIONS[name].texts]
    scores = scored(name, given_, [make_measure(name, {**dict(m.parameters), **more}, m.cutoff) for m in plain])
    assert same(scores.values[0], values(name, given_))
    for text, found in zip(scores.texts, scores.values[0], strict=True):
        defined = found[~np.isnan(found)]
        wanted = NUMPY[kind or SESSION_MEASURES[name].summary](defined) if len(defined) else math.nan
        assert scores.summary()["run"][text] == pytest.approx(wanted, rel=1e-12, abs=1e-15, nan_ok=True), text


# Golden numbers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "golden",
    [golden for filed in FILED_SESSIONS.values() for golden in filed.golden],
    ids=lambda g: f"{g.text} of {g.line[:30]}",
)
def test_golden_numbers(golden: GoldenSession) -> None:
    session = WrittenSession(golden.line)
    found = evaluate_sessions(session.judgments, logged(session.records), golden.text, **golden.choices).values[0, 0, 0]
    if isinstance(golden.value, str):
        decimals = len(golden.value.partition(".")[2])
        assert found == pytest.approx(float(golden.value), abs=0.5 * 10**-decimals + 1e-12), golden.source
    else:
        assert found == pytest.approx(golden.value, rel=1e-12, abs=1e-12), golden.source


@pytest.mark.parametrize("name", list(SESSION_MEASURES))
def test_the_worked_number_of_the_docstring_is_golden(name: str) -> None:
    worked = SESSION_MEASURES[name].about.partition("Worked:")[2]
    printed = re.findall(r"\d+/\d+|\d*\.\d+|\d+", worked)
    golden = [float(one.value) for one in FILED_SESSIONS[name].golden]
    assert any(prints(text, value) for text in printed for value in golden), f"{name}: file the number {worked.strip()}"


# What only sessions have --------------------------------------------------------------------------------------------

DOCUMENTS = [f"d{i}" for i in range(12)]
JUDGED = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 3), min_size=1).filter(lambda j: any(j.values()))
LISTS = st.lists(st.lists(st.sampled_from(DOCUMENTS), unique=True, max_size=12), min_size=1, max_size=5)
often = settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])


def value(judged: dict[str, int], lists: list[list[str]], measure: str, **choices: Any) -> float:
    records = [{"session": "s", "query": q, "topic": "t", "ranking": ranking} for q, ranking in enumerate(lists, 1)]
    return float(evaluate_sessions({"t": judged}, logged(records), measure, **choices).values[0, 0, 0])


@pytest.mark.parametrize("measure", ["nsDCG", "sRBP"])
@often
@given(judged=JUDGED, lists=LISTS)
def test_between_0_and_1(measure: str, judged: dict[str, int], lists: list[list[str]]) -> None:
    assert 0 <= value(judged, lists, measure) <= 1 + 1e-12


@pytest.mark.parametrize("measure", ["sDCG", "sRBP"])
@often
@given(judged=JUDGED, lists=LISTS, more=st.lists(st.sampled_from(DOCUMENTS), unique=True, max_size=5))
def test_a_further_query_never_takes_anything_away(
    measure: str, judged: dict[str, int], lists: list[list[str]], more: list[str]
) -> None:
    assert value(judged, [*lists, more], measure) >= value(judged, lists, measure) - 1e-12


@pytest.mark.parametrize("measure", ["nsDCG", "esNDCG"])
@often
@given(judged=JUDGED, n=st.integers(1, 4), depth=st.integers(1, 12))
def test_the_ideal_session_is_1(measure: str, judged: dict[str, int], n: int, depth: int) -> None:
    best = sorted(judged, key=lambda d: -judged[d])
    asked = 1 if measure == "esNDCG" else n
    assert value(judged, [best] * asked, measure, depth=depth) == pytest.approx(1, abs=1e-12)


@often
@given(judged=JUDGED, lists=LISTS, bq=st.floats(1.01, 50), base=st.floats(1.01, 50), depth=st.integers(1, 12))
def test_curves_grow_and_stay_below_the_ideal(
    judged: dict[str, int], lists: list[list[str]], bq: float, base: float, depth: int
) -> None:
    records = [{"session": "s", "query": q, "topic": "t", "ranking": ranking} for q, ranking in enumerate(lists, 1)]
    line = session_curves({"t": judged}, logged(records), "sDCG", bq=bq, base=base, depth=depth).lines[0]
    assert (np.diff(line.values) >= -1e-12).all()
    assert (line.values <= line.ideal + 1e-9).all()


@often
@given(judged=JUDGED, lists=LISTS)
def test_without_repeats_nothing_exceeds_the_bound(judged: dict[str, int], lists: list[list[str]]) -> None:
    assert value(judged, lists, "nsDCG(ideal='bound', repeats='first')") <= 1 + 1e-12


@often
@given(judged=JUDGED, lists=LISTS)
def test_sum_of_dcgs_without_query_discount(judged: dict[str, int], lists: list[list[str]]) -> None:
    each = sum(judged.get(d, 0) / (1 + math.log2(r)) for ranking in lists for r, d in enumerate(ranking[:10], 1))
    assert value(judged, lists, "sDCG(bq=inf)") == pytest.approx(each, abs=1e-9)


@given(text=st.text(max_size=40))
def test_no_text_breaks_the_parser(text: str) -> None:
    for measure in (text, f"nsDCG({text})", f"sDCG@{text}"):
        try:
            found = parse_measures(measure)[0]
        except GaincurveError:
            continue
        assert parse_measures(found.text) == [found]
