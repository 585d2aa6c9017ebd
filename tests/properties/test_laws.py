"""Every registered measure obeys the laws it is filed under; what is filed stands in `filed.py`.

A measure that is registered but not filed fails here, and so does one without a golden number.
"""

import functools
import itertools
import math
import random
import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from effort import examples
from filed import FILED, LAWS, Golden
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from plain import GAINS, UNJUDGED, Grade, Topic, Written

from gaincurve.errors import GaincurveError
from gaincurve.files.evaluate import evaluate_files
from gaincurve.io.grading import RunGrader
from gaincurve.io.read import read_judgments, read_run
from gaincurve.measures.notation import make_measure, parse_measure
from gaincurve.measures.registry import REGISTRY
from gaincurve.model.measure import Measure
from gaincurve.model.scenario import Scenario
from gaincurve.model.scores import Scores
from gaincurve.verbs.curves import curves
from gaincurve.verbs.evaluate import evaluate
from gaincurve.verbs.experiment import experiment

Grades = dict[str, float]
Table = dict[str, dict[str, float]]

# The measures of each law ------------------------------------------------------------------------------------------

OF_LISTS = [name for name, definition in REGISTRY.items() if definition.over == "topic"]
"""The measures whose laws are here; those of sessions have theirs in test_session_laws.py."""


def law(name: str, of: Callable[[str], bool] = lambda _: True) -> Callable[[Any], Any]:
    """Run a test for every measure filed under a law, of those for which it says something."""
    assert name in LAWS
    names = [measure for measure, filed in FILED.items() if name in filed.laws and measure in REGISTRY and of(measure)]
    return pytest.mark.parametrize("name", names)


quick = settings(max_examples=examples(8), deadline=None, suppress_health_check=[HealthCheck.too_slow])


def test_every_registered_measure_is_filed_with_golden_numbers() -> None:
    assert set(OF_LISTS) == set(FILED), "file the new measure in filed.py"
    for name, filed in FILED.items():
        assert filed.texts, f"{name}: file a text to try it under"
        assert filed.golden, f"{name}: file a number from elsewhere"
        assert {parse_measure(text).name for text in filed.texts} == {name}
        assert {parse_measure(golden.text).name for golden in filed.golden} == {name}
        assert set(filed.breaks) <= MAY_BREAK, f"{name}: this law has no exceptions"
        assert all(filed.breaks.values()), f"{name}: say why the law does not hold"


MAY_BREAK = {"ideal-is-best", "exchange", "bounds-reached"}
"""No measure is excused from the other laws."""


@pytest.mark.parametrize("name", OF_LISTS)
def test_every_parameter_of_a_measure_is_tried(name: str) -> None:
    filed = FILED[name]
    tried = {
        key for text in [*filed.texts, *(g.text for g in filed.golden)] for key, _ in parse_measure(text).parameters
    }
    assert tried >= set(REGISTRY[name].parameters) - {"summary"}


# From an experiment to plain topics --------------------------------------------------------------------------------


def ranked(scores: Mapping[str, float]) -> list[str]:
    return sorted(scores, key=lambda d: (scores[d], d.encode()), reverse=True)


def covered_by_number(document: str, grade: float) -> Grades:
    """Two of three subtopics, by the number in the document's name."""
    number = int(re.sub(r"\D", "", document) or 0)
    return {f"s{number % 3}": grade, f"s{(number + 1 + number // 3 % 2) % 3}": grade - 1}


def stratum_by_number(document: str) -> str:
    """One of two strata, by the number in the document's name."""
    return "ab"[int(re.sub(r"\D", "", document) or 0) % 2]


class Sampled(NamedTuple):
    """A pooled document of a sample."""

    topic: str
    document: str
    grade: float
    stratum: str


def sampled(judgments: Table, stratum: Callable[[str], str] = stratum_by_number) -> list[Sampled]:
    """Judgments of a sample: grade −1 is pooled and not sampled."""
    return [Sampled(topic, d, g, stratum(d)) for topic, row in judgments.items() for d, g in row.items()]


def topic_of(grades: Grades, scores: Mapping[str, float], scale: Iterable[float]) -> Topic:
    listed = ranked(scores)
    return Topic(
        listed=tuple(grades.get(d, UNJUDGED) for d in listed),
        base=tuple(grades.values()),
        scale=tuple(scale),
        scores=tuple(float(scores[d]) for d in listed),
        tied=tuple(len(list(block)) for _, block in itertools.groupby(scores[d] for d in listed)),
        covers=tuple(covered_by_number(d, grades[d]) if d in grades else {} for d in listed),
        coverable=tuple(covered_by_number(d, grade) for d, grade in grades.items()),
        strata=tuple(stratum_by_number(d) for d in listed),
        pool=tuple(stratum_by_number(d) for d in grades),
    )


@functools.cache
def written(text: str) -> tuple[str, dict[str, Any]]:
    """The name of a measure and what is written in its brackets and behind its @."""
    measure = parse_measure(text)
    cut = {} if measure.cutoff is None else {"cutoff": measure.cutoff if measure.rank is None else measure.rank}
    return measure.name, {key: value for key, value in measure.parameters if key != "summary"} | cut


def expected(text: str, topic: Topic) -> float:
    """What the plain loop says, nan where the measure is filed as undefined."""
    name, given_ = written(text)
    filed = FILED[name]
    return math.nan if filed.undefined(topic, **given_) else float(filed.plain(topic, **given_))


def mean_over_orders(text: str, topic: Topic) -> float:
    values = [expected(text, order) for order in topic.orders()]
    return math.fsum(values) / len(values)


def expected_under(ties: str, text: str, topic: Topic) -> float:
    """With ties: a measure of blocks is what the literature calls it, the expectation over the tied documents."""
    kind = REGISTRY[written(text)[0]].ties
    return mean_over_orders(text, topic) if kind == "blocks" or ties == "average" else expected(text, topic)


def near(value: float | list[float]) -> Any:
    return pytest.approx(value, rel=1e-11, abs=1e-11, nan_ok=True)


def read(name: str, judgments: Table) -> Any:
    """Judgments as the measure needs them: by subtopic where it asks for that."""
    if REGISTRY[name].needs == "strata":
        return sampled(judgments)
    if REGISTRY[name].needs != "subtopics":
        return judgments
    return {topic: {d: covered_by_number(d, g) for d, g in row.items()} for topic, row in judgments.items()}


def scored(name: str, judgments: Table, run: object, texts: str | Iterable[str | Measure], **words: Any) -> Scores:
    return evaluate(read(name, judgments), run, texts, **words)


def values(name: str, judgments: Table, run: Table, text: str, **words: Any) -> np.ndarray:
    return scored(name, judgments, run, text, **words).values[0, 0]


def all_values(name: str, judgments: Table, run: Table, **words: Any) -> np.ndarray:
    """One row for each text under which the measure is filed."""
    return scored(name, judgments, run, FILED[name].texts, **words).values[0]


def same(one: object, other: object) -> bool:
    """Bit for bit, undefined at the same places."""
    return np.array_equal(np.asarray(one), np.asarray(other), equal_nan=True)


def refused(slug: str, call: Callable[[], object]) -> str:
    with pytest.raises(GaincurveError) as caught:
        call()
    assert caught.value.slug == slug
    return str(caught.value)


def tie_rules(name: str) -> tuple[str, ...]:
    return ("trec",) if REGISTRY[name].ties == "refused" else ("trec", "average")


# Experiments -------------------------------------------------------------------------------------------------------

SCALE: Grades = {"s1": 3, "s2": 2, "s3": 1, "s4": 0, "s5": -1}
"""A topic in which every grade stands: what counts as full relevance is the same whatever else is drawn."""

grade = st.sampled_from([-1, 0, 0, 1, 1, 2, 3])
judged_ids = st.sampled_from([f"d{i}" for i in range(9)])
ids = judged_ids | st.sampled_from(["u1", "u2", "u3"])
topic_grades = st.dictionaries(judged_ids, grade, min_size=1, max_size=8)
topic_scores = st.dictionaries(ids, st.sampled_from([0.0, 1.0, 1.0, 2.0, 2.5, -3.0, 7.0]), min_size=1, max_size=6)


@st.composite
def experiments(draw: st.DrawFn) -> tuple[Table, Table]:
    """Judgments of two to four topics, one of them SCALE, and a run that lacks some of the others."""
    topics = [f"t{i}" for i in range(draw(st.integers(1, 3)))]
    judgments = {"scale": SCALE} | {topic: draw(topic_grades) for topic in topics}
    run = {"scale": {"s2": 5.0, "u1": 4.0, "s1": 3.0}}
    return judgments, run | {topic: draw(topic_scores) for topic in topics if draw(st.integers(0, 3))}


def plain_topics(judgments: Table, run: Table) -> list[Topic]:
    scale = sorted({grade for row in judgments.values() for grade in row.values()})
    return [topic_of(grades, run.get(topic, {}), scale) for topic, grades in judgments.items()]


# Values ------------------------------------------------------------------------------------------------------------


@law("plain")
@quick
@given(experiments())
def test_values_are_the_plain_ones_and_within_the_range_of_the_record(name: str, given_: tuple[Table, Table]) -> None:
    definition, topics = REGISTRY[name], plain_topics(*given_)
    for text, found in zip(FILED[name].texts, all_values(name, *given_), strict=True):
        assert found.tolist() == near([expected_under("trec", text, topic) for topic in topics]), text
        defined = found[~np.isnan(found)]
        assert definition.low is None or (defined >= definition.low).all(), text
        assert definition.high is None or (defined <= definition.high + 1e-12).all(), text


@law("empty")
def test_the_record_says_what_a_topic_without_anything_relevant_is(name: str) -> None:
    judgments = {"scale": SCALE, "q": {"d1": 0, "d2": 0}}
    run = {"scale": {"s1": 2.0}, "q": {"d1": 3.0, "u1": 2.0, "d2": 1.0}}
    kind = REGISTRY[name].empty.partition(";")[0]
    assert kind in ("0", "undefined", "defined")
    for text in FILED[name].texts:
        value = values(name, judgments, run, text)[1]
        assert math.isnan(value) == (kind == "undefined"), text
        assert kind != "0" or value == 0, text
        if kind == "undefined" and REGISTRY[name].better == "higher":
            assert values(name, judgments, run, text, empty="zero")[1] == 0


# Orders: all short lists of the grades 0, 1 and 3 and unjudged documents, with something missed or not --------------

TOKENS: tuple[Grade, ...] = (UNJUDGED, 0, 1, 3)
LISTS = [listed for n in range(1, 5) for listed in itertools.product(TOKENS, repeat=n)]
MISSED = ((), (1,), (3, 0))
Short = tuple[tuple[Grade, ...], tuple[float, ...]]
BY_GRADE = {3: {"a": 3}, 1: {"b": 1}, 0: {"a": 0, "b": 0}}


@functools.cache
def short_topics() -> tuple[dict[Short, str], Table, Table]:
    """Every short list with every missed, each a topic; scores fall from the top and are above 0."""
    names = {short: f"t{i}" for i, short in enumerate(itertools.product(LISTS, MISSED)) if has_grade(short)}
    judgments = {topic: graded(short) for short, topic in names.items()}
    return names, judgments, {topic: scores_of(short[0]) for short, topic in names.items()}


def has_grade(short: Short) -> bool:
    return bool(short[1]) or any(grade is not UNJUDGED for grade in short[0])


def graded(short: Short) -> Grades:
    listed = {f"d{i}": grade for i, grade in enumerate(short[0]) if grade is not UNJUDGED}
    return listed | {f"m{i}": grade for i, grade in enumerate(short[1])}


def scores_of(listed: tuple[Grade, ...]) -> dict[str, float]:
    return {f"d{i}": float(len(listed) - i) for i in range(len(listed))}


@functools.cache
def short_values(text: str) -> dict[Short, float]:
    """The value of every short list; better is higher."""
    names, judgments, run = short_topics()
    definition = REGISTRY[parse_measure(text).name]
    by_subtopic = {t: {d: BY_GRADE[int(g)] for d, g in row.items()} for t, row in judgments.items()}
    given_ = {"subtopics": by_subtopic, "strata": sampled(judgments, lambda _: "one")}.get(definition.needs, judgments)
    found = evaluate(given_, run, text).values[0, 0]
    side = -1.0 if definition.better == "lower" else 1.0
    return dict(zip(names, (side * found).tolist(), strict=True))


@functools.cache
def worth(text: str, grade: Grade) -> float:
    """What a document counts for under the measure: its gain, or whether it is relevant."""
    _, chosen = written(text)
    if grade is UNJUDGED:
        return 0.0
    if "only" in chosen or "rel" in chosen:
        return float(grade == chosen["only"] if "only" in chosen else grade >= chosen["rel"])
    return GAINS[str(chosen.get("gains", "identity"))](grade)


def worse_when_moved_up(text: str) -> list[tuple[Short, Short]]:
    """Lists that are better than the same with a document of worth moved up past a worthless one."""
    return worse_when_exchanged(text, furthest=1)


def worse_when_exchanged(text: str, furthest: int = 4) -> list[tuple[Short, Short]]:
    """Lists that are better than the same with a document of worth in the place of a worthless one above it."""
    found = short_values(text)
    pairs = []
    for listed, missed in found:
        for i, j in itertools.combinations(range(len(listed)), 2):
            if j - i <= furthest and worth(text, listed[i]) == 0 < worth(text, listed[j]):
                moved = list(listed)
                moved[i], moved[j] = listed[j], listed[i]
                pairs.append(((listed, missed), (tuple(moved), missed)))
    assert all(math.isnan(found[one]) == math.isnan(found[other]) for one, other in pairs)
    return [(one, other) for one, other in pairs if found[other] < found[one] - 1e-12]


def better_than_ideal(text: str) -> list[tuple[Short, Short]]:
    """Lists that are better than the same documents by worth, judged ones before unjudged ones."""
    found = short_values(text)
    best = {s: tuple(sorted(s[0], key=lambda g: (-worth(text, g), g is UNJUDGED, -(g or 0)))) for s in found}
    return [(s, (best[s], s[1])) for s in found if found[s] > found[best[s], s[1]] + 1e-12]


def has_direction(name: str) -> bool:
    return REGISTRY[name].better != "neither"


@law("moving-up", has_direction)
def test_moving_a_relevant_document_up_past_a_worthless_one_never_hurts(name: str) -> None:
    for text in FILED[name].texts:
        assert worse_when_moved_up(text)[:3] == [], text


@law("exchange", has_direction)
def test_a_relevant_document_in_the_place_of_a_worthless_one_above_never_hurts(name: str) -> None:
    for text in FILED[name].texts:
        assert worse_when_exchanged(text)[:3] == [], text


@law("ideal-is-best", has_direction)
def test_no_order_beats_the_ideal_order(name: str) -> None:
    for text in FILED[name].texts:
        assert better_than_ideal(text)[:3] == [], text


@pytest.mark.parametrize(
    ("name", "broken"), [(name, broken) for name, filed in FILED.items() for broken in filed.breaks]
)
def test_a_law_that_is_filed_as_broken_is_broken(name: str, broken: str) -> None:
    counterexamples = {
        "exchange": worse_when_exchanged, "ideal-is-best": better_than_ideal, "bounds-reached": bounds_not_reached,
    }  # fmt: skip
    assert any(counterexamples[broken](text) for text in FILED[name].texts)


# Nothing else matters -----------------------------------------------------------------------------------------------


@law("renaming")
@quick
@given(experiments(), st.data())
def test_renaming_documents_in_order_and_topics_anyhow_changes_nothing(
    name: str, given_: tuple[Table, Table], data: st.DataObject
) -> None:
    used = sorted({d for table in given_ for row in table.values() for d in row}, key=str.encode)
    tails = data.draw(st.lists(st.sampled_from(["a", "é", "long" * 5]), min_size=len(used), max_size=len(used)))
    document = {old: f"{i:03}{tail}" for i, (old, tail) in enumerate(zip(used, tails, strict=True))}
    topic = {old: f"{9 - i} {old * data.draw(st.integers(1, 9))}" for i, old in enumerate(given_[0])}

    def renamed(table: Any) -> Any:
        if isinstance(table, list):
            return [row._replace(topic=topic[row.topic], document=document[row.document]) for row in table]
        return {topic[t]: {document[d]: value for d, value in row.items()} for t, row in table.items()}

    judgments, run = read(name, given_[0]), given_[1]
    for ties in tie_rules(name):
        before = evaluate(judgments, run, FILED[name].texts, ties=ties)
        after = evaluate(renamed(judgments), renamed(run), FILED[name].texts, ties=ties)
        assert same(before.values, after.values), ties


@law("adding-a-topic")
@quick
@given(experiments(), topic_grades, st.none() | topic_scores)
def test_adding_a_topic_leaves_the_others_alone(
    name: str, given_: tuple[Table, Table], grades: Grades, listed: dict[str, float] | None
) -> None:
    judgments, run = given_
    more = {"new": listed, **run} if listed else run
    for ties in tie_rules(name):
        before = all_values(name, judgments, run, ties=ties)
        assert same(before, all_values(name, {"new": grades, **judgments}, more, ties=ties)[:, 1:]), ties


@law("twice")
@quick
@given(experiments())
def test_a_second_call_gives_the_same_and_measures_of_one_call_share_nothing(
    name: str, given_: tuple[Table, Table]
) -> None:
    texts = FILED[name].texts
    first = [values(name, *given_, text) for text in texts]
    others = [text for text in ("nDCG@2", "AP", "RBP(p=0.5)") if text not in texts]
    together = scored(name, *given_, [*others, *texts]).values[0, len(others) :]
    assert same(first, together)
    assert same(first, [values(name, *given_, text) for text in texts])


@law("chunks")
@quick
@given(
    experiments(), st.integers(1, 3), st.sampled_from(["zero", "condensed"]), st.sampled_from(["judged", "unjudged"])
)
def test_chunks_of_topics_equal_the_whole(
    name: str, given_: tuple[Table, Table], size: int, unjudged: str, negative: str
) -> None:
    for ties in tie_rules(name):
        scenario = Scenario().with_choices(ties=ties, unjudged=unjudged, negative=negative)
        (run,) = experiment(read(name, given_[0]), given_[1], scenario, REGISTRY[name].needs == "scores").runs
        places = [np.arange(i, min(i + size, run.lists)) for i in range(0, run.lists, size)]
        for measure in map(parse_measure, FILED[name].texts):
            arguments = measure.arguments(scenario)
            uses = [measure.definition.compute]
            if measure.definition.bounds is not None and ties == "trec" and has_bounds(measure.text):
                uses.append(measure.definition.bounds)
            for use in uses:
                whole = np.atleast_2d(use(run, **arguments))
                pieces = [np.atleast_2d(use(run.select(place), **arguments)) for place in places]
                assert same(whole, np.concatenate(pieces, axis=1)), (measure.text, ties)


# Files -------------------------------------------------------------------------------------------------------------


class Home:
    """An experiment of 24 topics on files, plain and by subtopic, whole and topic by topic."""

    def __init__(self, folder: Path) -> None:
        draw = random.Random(2002)
        self.folder = folder
        self.topics = ["scale", *(f"t{i}" for i in range(23))]
        qrels = {"scale": [f"scale 0 {d} {int(g)}" for d, g in SCALE.items()]}
        by_subtopic = {"scale": [f"scale {d} {d} {int(g)}" for d, g in SCALE.items()]}
        strata = {"scale": [f"scale 0 {d} {stratum_by_number(d)} {int(g)}" for d, g in SCALE.items()]}
        lines = {"scale": ["scale Q0 s2 1 2.5 r", "scale Q0 s5 2 0.5 r"]}
        for topic in self.topics[1:]:
            judged = draw.sample(range(36), draw.randint(1, 25))
            grades = {f"d{i}": draw.choice([-1, 0, 0, 1, 2, 3]) for i in judged}
            qrels[topic] = [f"{topic} 0 {d} {g}" for d, g in grades.items()]
            by_subtopic[topic] = [
                f"{topic} {s} {d} {int(v)}" for d, g in grades.items() for s, v in covered_by_number(d, g).items()
            ]
            strata[topic] = [f"{topic} 0 {d} {stratum_by_number(d)} {g}" for d, g in grades.items()]
            listed = draw.sample(range(36), draw.randint(0, 30))
            lines[topic] = [f"{topic} Q0 d{i} {n} {draw.randint(-20, 60) / 8} r" for n, i in enumerate(listed)]
        self.write("all", qrels, by_subtopic, strata, lines)
        for topic in self.topics[1:]:  # a run needs a judged topic: "scale" stands in each
            kept = ("scale", topic)
            self.write(topic, *({t: table[t] for t in kept} for table in (qrels, by_subtopic, strata, lines)))

    def write(self, name: str, *tables: Any) -> None:
        for suffix, table in zip(("qrels", "subtopics", "strata", "run"), tables, strict=True):
            (self.folder / f"{name}.{suffix}").write_text(
                "".join(f"{line}\n" for row in table.values() for line in row)
            )

    def judgments(self, name: str, of: str) -> Path:
        needs = REGISTRY[name].needs
        return self.folder / f"{of}.{needs if needs in ('subtopics', 'strata') else 'qrels'}"

    def run(self, of: str) -> Path:
        return self.folder / f"{of}.run"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    return Home(tmp_path_factory.mktemp("laws"))


@law("files")
def test_files_equal_objects_on_any_threads_and_topic_by_topic(
    name: str, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gaincurve.files.experiment.RunGrader", functools.partial(RunGrader, block=1 << 12, piece=256))
    needs_subtopics = REGISTRY[name].needs == "subtopics"
    texts, path = FILED[name].texts, home.judgments(name, "all")
    objects = read_judgments(path, subtopics=needs_subtopics), read_run(home.run("all"))
    for ties in tie_rules(name):
        whole = evaluate(*objects, texts, ties=ties)
        assert not np.isnan(whole.values).all()
        for threads in (1, 2):
            found = evaluate_files(path, home.run("all"), texts, threads=threads, ties=ties)
            assert found.topics == whole.topics == tuple(home.topics)
            assert same(found.values, whole.values), (ties, threads)
        for i, topic in enumerate(home.topics[1:], start=1) if ties == "trec" else ():
            single = evaluate_files(home.judgments(name, topic), home.run(topic), texts, threads=1, ties=ties)
            assert same(single.values[0, :, 1], whole.values[0, :, i]), (ties, topic)


# Ties --------------------------------------------------------------------------------------------------------------


def tied_experiment(lists: Iterable[tuple[Grade, ...]], patterns: Iterable[tuple[int, ...]]) -> tuple[Table, Table]:
    """Lists in blocks of equal scores; one more relevant document was missed in each."""
    judgments: Table = {"scale": SCALE}
    run: Table = {"scale": {"s1": 2.0, "s2": 1.0}}
    for i, (listed, pattern) in enumerate(itertools.product(lists, patterns)):
        if len(listed) == sum(pattern):
            block = [b for b, size in enumerate(pattern) for _ in range(size)]
            judgments[f"t{i}"] = {f"d{n}": g for n, g in enumerate(listed) if g is not UNJUDGED} | {"m8": 1}
            run[f"t{i}"] = {f"d{n}": 9.0 - b for n, b in enumerate(block)}
    return judgments, run


@functools.cache
def ties_of_short_lists() -> tuple[Table, Table, list[Topic]]:
    """All lists of three, and some of five, tied in several ways."""
    draw = random.Random(1968)
    five = [tuple(draw.choice([UNJUDGED, 0, -1, 1, 2, 3]) for _ in range(5)) for _ in range(12)]
    patterns = [(3,), (1, 2), (2, 1), (5,), (1, 3, 1), (2, 3), (3, 2)]
    judgments, run = tied_experiment([*itertools.product(TOKENS, repeat=3), *five], patterns)
    return judgments, run, plain_topics(judgments, run)


@law("ties", lambda name: REGISTRY[name].ties == "exact")
def test_average_ties_are_the_mean_over_all_tie_orders(name: str) -> None:
    judgments, run, topics = ties_of_short_lists()
    for text, found in zip(FILED[name].texts, all_values(name, judgments, run, ties="average"), strict=True):
        assert found.tolist() == near([mean_over_orders(text, topic) for topic in topics]), text


@law("ties", lambda name: REGISTRY[name].ties == "blocks")
def test_a_block_is_a_block_under_every_rule_that_looks_at_scores(name: str) -> None:
    judgments, run, topics = ties_of_short_lists()
    for text in FILED[name].texts:
        found = [values(name, judgments, run, text, ties=ties) for ties in ("trec", "trec-float32", "average")]
        assert same(found[0], found[1])
        assert same(found[0], found[2])
        assert found[0].tolist() == near([mean_over_orders(text, topic) for topic in topics]), text


@law("ties", lambda name: REGISTRY[name].ties == "refused")
def test_an_average_over_ties_that_is_not_known_is_refused(name: str) -> None:
    for text in FILED[name].texts:
        call = functools.partial(scored, name, {"q": {"d1": 1}}, {"q": {"d1": 1.0}}, text, ties="average")
        assert parse_measure(text).text in refused("measure-no-ties", call)


# Unjudged documents -------------------------------------------------------------------------------------------------


def has_bounds(text: str) -> bool:
    """Whether there are bounds for what is written in the measure's brackets."""
    _, chosen = written(text)
    plain_ideal = chosen.get("ideal", "judged") == "judged" and "average" not in chosen
    return plain_ideal and chosen.get("top") != "topic"  # judging can change what full relevance is in a topic


def bounded(name: str) -> bool:
    return REGISTRY[name].bounds is not None


@functools.cache
def unjudged_lists() -> tuple[Table, Table, list[Topic]]:
    """All lists of up to three documents of grades 0, 1, 3, and unjudged, in a scale of these grades."""
    judgments, run = {"scale": {"s1": 3.0, "s2": 1.0, "s3": 0.0}}, {"scale": {"s1": 1.0}}
    shorts = itertools.product([listed for listed in LISTS if len(listed) <= 3], ((), (1,), (3, 0)))
    for i, short in enumerate(short for short in shorts if has_grade(short)):
        judgments[f"t{i}"], run[f"t{i}"] = graded(short), scores_of(short[0])
    return judgments, run, plain_topics(judgments, run)


Range = tuple[float, float]


@functools.cache
def ranges(text: str) -> list[tuple[float, Range, Range]]:
    """For every list: the value, its bounds, and the lowest and highest value of all judgings within the cutoff."""
    judgments, run, topics = unjudged_lists()
    found = evaluate(judgments, run, text, unjudged="bounds")
    columns = (side[0, 0].tolist() for side in (found.values, found.low, found.high))
    measured = []
    for topic, value, low, high in zip(topics, *columns, strict=True):
        possible = [expected(text, judged) for judged in topic.judgings(parse_measure(text).rank)]
        defined = [one for one in possible if not math.isnan(one)] or [math.nan]
        measured.append((value, (low, high), (min(defined), max(defined))))
    return measured


def bounds_not_reached(text: str) -> list[tuple[float, Range, Range]]:
    if not has_bounds(text):
        return []
    return [one for one in ranges(text) if not math.isnan(one[0]) and one[1] != near(one[2])]


@law("bounds", bounded)
def test_bounds_hold_every_judging_of_the_unjudged_documents(name: str) -> None:
    for text in filter(has_bounds, FILED[name].texts):
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
    for text in filter(has_bounds, FILED[name].texts):
        assert bounds_not_reached(text)[:3] == [], text


@law("bounds", lambda name: REGISTRY[name].ties == "blocks" and bounded(name))
def test_bounds_of_tied_blocks_hold_every_judging(name: str) -> None:
    judgments, run = tied_experiment(itertools.product(TOKENS, repeat=3), [(3,), (1, 2), (2, 1)])
    for text in FILED[name].texts:
        found = evaluate(judgments, run, text, unjudged="bounds")
        columns = (side[0, 0].tolist() for side in (found.values, found.low, found.high))
        for topic, value, low, high in zip(plain_topics(judgments, run), *columns, strict=True):
            if not math.isnan(value):
                possible = [mean_over_orders(text, judged) for judged in topic.judgings(None)]
                possible = [one for one in possible if not math.isnan(one)]
                assert low - 1e-12 <= min(possible), (text, topic.listed, topic.tied)
                assert max(possible) <= high + 1e-12, (text, topic.listed, topic.tied)


@law("bounds")
def test_a_measure_without_bounds_says_why(name: str) -> None:
    definition, judgments, run = REGISTRY[name], {"q": {"d1": 1}}, {"q": {"d1": 1.0}}
    assert (definition.bounds is None) == bool(definition.unbounded)
    for text in FILED[name].texts:
        call = functools.partial(scored, name, judgments, run, text, unjudged="bounds")
        if definition.bounds is None:
            assert definition.unbounded in refused("measure-no-bounds", call)
        elif not has_bounds(text):
            refused("measure-no-bounds", call)
        else:
            call()


@law("condensed")
@quick
@given(experiments(), st.sampled_from(["judged", "unjudged"]))
def test_condensed_is_the_run_without_its_unjudged_documents(
    name: str, given_: tuple[Table, Table], negative: str
) -> None:
    judgments, run = given_
    least = 0 if negative == "unjudged" or REGISTRY[name].needs == "strata" else -math.inf
    by_hand = {t: {d: s for d, s in row.items() if judgments[t].get(d, math.nan) >= least} for t, row in run.items()}
    for ties in tie_rules(name):
        words = {"ties": ties, "negative": negative}
        condensed = all_values(name, judgments, run, unjudged="condensed", **words)
        plain = all_values(name, judgments, {t: row for t, row in by_hand.items() if row}, **words)
        assert same(condensed, plain), words


# Topics -------------------------------------------------------------------------------------------------------------


@law("missing")
@quick
@given(experiments())
def test_missing_topics_are_empty_lists_skipped_or_refused(name: str, given_: tuple[Table, Table]) -> None:
    judgments, run = given_
    absent = [topic for topic in judgments if topic not in run]
    assume(absent)
    zeros, skips = (all_values(name, *given_, missing=rule) for rule in ("zero", "skip"))
    for text, zero, skip in zip(FILED[name].texts, zeros, skips, strict=True):
        for i, (topic, plain) in enumerate(zip(judgments, plain_topics(*given_), strict=True)):
            if topic in absent:
                assert zero[i] == near(expected(text, plain)), text
                assert math.isnan(skip[i])
            else:
                assert same(zero[i], skip[i])
    call = functools.partial(all_values, name, *given_, missing="error")
    assert absent[0] in refused("topics-missing", call)


COLLECTION = ["Fallout(N={})", "NR(N={})", "ASL(N={})"]


@pytest.mark.parametrize("text", COLLECTION)
def test_a_collection_smaller_than_what_is_known_is_refused(text: str) -> None:
    """Three documents were retrieved and three others judged: there are at least six."""
    judgments, run = {"q": {"d1": 1, "d2": 1, "d3": 1}}, {"q": {"u1": 3.0, "u2": 2.0, "u3": 1.0}}
    refused("measure-parameter", lambda: evaluate(judgments, run, text.format(5)))
    evaluate(judgments, run, text.format(6))


@pytest.mark.parametrize("text", COLLECTION[:2])
def test_a_collection_in_which_everything_is_relevant(text: str) -> None:
    assert math.isnan(evaluate({"q": {"d1": 1, "d2": 1}}, {"q": {"d1": 1.0}}, text.format(2)).values[0, 0, 0])


# Levels, curves, summaries ------------------------------------------------------------------------------------------


@law("levels", lambda name: "only" in REGISTRY[name].parameters)
@quick
@given(experiments(), st.sampled_from([{"only": 1}, {"only": 2}, {"rel": 2}, {"rel": 3}]))
def test_levels_are_the_measure_on_grades_replaced(
    name: str, given_: tuple[Table, Table], level: dict[str, int]
) -> None:
    def replaced(grade: float) -> float:
        if grade < 0:  # pooled but not judged, for the measures that tell the two apart
            return grade
        return float(grade == level["only"] if "only" in level else grade >= level["rel"])

    judgments, run = given_
    binary = {topic: {d: replaced(g) for d, g in row.items()} for topic, row in judgments.items()}
    measures = [parse_measure(text) for text in FILED[name].texts if not {"rel", "only"} & written(text)[1].keys()]
    at_level = [make_measure(name, {**dict(m.parameters), **level}, m.cutoff) for m in measures]
    found, plain = scored(name, judgments, run, at_level).values, scored(name, binary, run, measures).values
    assert same(found, plain), measures


@law("curve", lambda name: REGISTRY[name].curve is not None)
@quick
@given(experiments(), st.sampled_from(["zero", "condensed"]))
def test_the_curve_at_rank_k_is_the_measure_at_k(name: str, given_: tuple[Table, Table], unjudged: str) -> None:
    for measure in map(parse_measure, FILED[name].texts):
        own = dict(measure.parameters)
        if "average" in own:
            continue
        for ties in tie_rules(name):
            words = {"ties": ties, "unjudged": unjudged}
            uncut = make_measure(name, own)
            drawn = curves(*given_, uncut, depth=6, per_topic=True, **words).curve(uncut.text).by_topic[0]
            cut = scored(name, *given_, [make_measure(name, own, k) for k in range(1, 7)], **words).values[0]
            for k, found in enumerate(cut, start=1):
                assert drawn[:, k - 1].tolist() == near(found.tolist()), (measure.text, k)
                assert ties == "average" or same(drawn[:, k - 1], found), (measure.text, k)


NUMPY: dict[str, Callable[[np.ndarray], float]] = {
    "mean": np.mean,
    "median": np.median,
    "sum": np.sum,
    "geometric": lambda found: np.exp(np.mean(np.log(np.maximum(found, 1e-5)))),
}


@law("summary")
@quick
@given(experiments(), st.sampled_from([None, *NUMPY]))
def test_summaries_are_those_of_numpy(name: str, given_: tuple[Table, Table], kind: str | None) -> None:
    more = {} if kind is None else {"summary": kind}
    plain = [parse_measure(text) for text in FILED[name].texts]
    scores = scored(name, *given_, [make_measure(name, {**dict(m.parameters), **more}, m.cutoff) for m in plain])
    assert same(scores.values[0], all_values(name, *given_))
    for text, found in zip(scores.measures, scores.values[0], strict=True):
        defined = found[~np.isnan(found)]
        wanted = NUMPY[kind or REGISTRY[name].summary](defined) if len(defined) else math.nan
        assert scores.summary()["run"][text] == pytest.approx(wanted, rel=1e-12, abs=1e-15, nan_ok=True), text


# Golden numbers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "golden",
    [golden for filed in FILED.values() for golden in filed.golden],
    ids=lambda g: f"{g.text} of {g.line[:30]}",
)
def test_golden_numbers(golden: Golden) -> None:
    written = Written(golden.line, golden.scores)
    judgments = written.judgments
    if parse_measure(golden.text).definition.needs == "strata":
        judgments = sampled(judgments)
    found = evaluate(judgments, written.run, golden.text, **golden.choices).values[0, 0, 0]
    if isinstance(golden.value, str):
        decimals = len(golden.value.partition(".")[2])
        assert found == pytest.approx(float(golden.value), abs=0.5 * 10**-decimals + 1e-12), golden.source
    else:
        assert found == pytest.approx(golden.value, rel=1e-12, abs=1e-12), golden.source


@pytest.mark.parametrize("name", OF_LISTS)
def test_the_worked_number_of_the_docstring_is_golden(name: str) -> None:
    worked = REGISTRY[name].about.partition("Worked:")[2]
    assert worked, f"{name}: the docstring has no worked number"
    printed = re.findall(r"\d+/\d+|\d*\.\d+|\d+", worked)
    golden = [float(one.value) for one in FILED[name].golden]
    assert any(prints(text, value) for text in printed for value in golden), f"{name}: file the number {worked.strip()}"


def prints(text: str, value: float) -> bool:
    """Whether a text is the value, as a fraction or rounded."""
    if "/" in text:
        return value == pytest.approx(float(Fraction(text)))
    return abs(value - float(text)) <= 0.5 * 10.0 ** -len(text.partition(".")[2]) * ("." in text) + 1e-9
