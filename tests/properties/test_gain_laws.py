"""What the gain family obeys besides the laws of every measure: under any gains, discount, base, cutoff and ideal."""

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from effort import examples
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from plain import DISCOUNTS, GAINS

from gaincurve.errors import GaincurveError
from gaincurve.measures.notation import parse_measure
from gaincurve.measures.registry import REGISTRY
from gaincurve.model.measure import Measure
from gaincurve.model.scenario import SCENARIOS, Scenario
from gaincurve.verbs.curves import curves
from gaincurve.verbs.evaluate import evaluate
from gaincurve.verbs.experiment import experiment

Table = dict[str, dict[str, float]]

EVERY = (
    "range", "ideal-is-best", "moving-up", "renaming", "adding-a-topic", "twice", "chunks", "curve", "average-ties",
    "condensed", "bounds", "missing",
)  # fmt: skip
GAIN_FAMILY: dict[str, tuple[str, ...]] = {
    "CG": EVERY,
    "DCG": EVERY,
    "nCG": (*EVERY, "ideal-gives-1", "ideals"),
    "nDCG": (*EVERY, "ideal-gives-1", "ideals"),
}


def law(name: str) -> Callable[[Any], Any]:
    """Run a test for every measure filed under a law, on a modest number of examples."""
    filed = [measure for measure, laws in GAIN_FAMILY.items() if name in laws]
    quick = settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.too_slow])
    return lambda test: pytest.mark.parametrize("name", filed)(quick(test))


# Plain references ------------------------------------------------------------------------------------------------


def plain(name: str, listed: list[float], base: list[float], k: int | None, divisor: Callable[[int], float]) -> float:
    """A measure of the gain family from the list's gains and those of the recall base."""
    d = divisor if name.endswith("DCG") else lambda i: 1.0
    best = sorted(base, reverse=True)
    actual = math.fsum(g / d(i) for i, g in enumerate(listed[:k], start=1))
    ideal = math.fsum(g / d(i) for i, g in enumerate(best[:k], start=1))
    return actual if not name.startswith("n") else actual / ideal if ideal else math.nan


def ranked(scores: dict[str, float]) -> list[str]:
    return sorted(scores, key=lambda d: (scores[d], d.encode()), reverse=True)


class Choices:
    """Choices drawn for one example, in our words and as plain functions."""

    def __init__(self, gains: str, discount: tuple[str, float | None], cutoff: int | None) -> None:
        self.gains, self.discount, self.cutoff = gains, discount, cutoff
        self.gain, self.divisor = GAINS[gains], DISCOUNTS[discount]

    def __repr__(self) -> str:
        return f"Choices({self.gains}, {self.discount}, @{self.cutoff})"

    def text(self, name: str) -> str:
        return name if self.cutoff is None else f"{name}@{self.cutoff}"

    @property
    def words(self) -> dict[str, Any]:
        return {"gains": self.gains, "discount": self.discount[0], "base": self.discount[1]}

    def plain(self, name: str, grades: dict[str, float], listed: list[str], base: list[float] | None = None) -> float:
        recall_base = list(grades.values()) if base is None else base
        gains = [self.gain(grades[d]) if d in grades else 0.0 for d in listed]
        found = plain(name, gains, [self.gain(g) for g in recall_base], self.cutoff, self.divisor)
        if math.isnan(found) and any(self.gain(g) > 0 for g in grades.values()):
            return 0.0  # undefined only where the recall base is empty (measures.md 1): here the list found nothing
        return found


choices = st.builds(
    Choices,
    st.sampled_from(list(GAINS)),
    st.sampled_from([d for d in DISCOUNTS if d[0] != "none"]),
    st.sampled_from([None, 1, 2, 3, 5, 10]),
)
grade = st.sampled_from([-1, 0, 0, 1, 2, 3])
documents = st.sampled_from([f"d{i}" for i in range(9)] + ["u1", "u2", "a" + "1" * 40])
scores = st.sampled_from([0.0, 1.0, 1.0, 2.0, 2.5, -3.0, 1e9])
topic_grades = st.dictionaries(documents.filter(lambda d: d[0] == "d"), grade, min_size=1, max_size=8)
topic_scores = st.dictionaries(documents, scores, min_size=1, max_size=8)


@st.composite
def experiments(draw: st.DrawFn) -> tuple[Table, Table]:
    """Judgments of one to four topics and a run that has the first and some of the others."""
    topics = [f"t{i}" for i in range(draw(st.integers(1, 4)))]
    judgments = {topic: draw(topic_grades) for topic in topics}
    run = {topic: draw(topic_scores) for topic in topics if topic == "t0" or draw(st.booleans())}
    return judgments, run


def values(judgments: object, run: object, text: str, **words: Any) -> np.ndarray:
    return evaluate(judgments, run, text, **words).values[0, 0]


def same(one: np.ndarray, other: np.ndarray) -> bool:
    """Bit for bit, undefined at the same places."""
    return np.array_equal(one, other, equal_nan=True)


def refused(slug: str, call: Callable[[], object]) -> str:
    with pytest.raises(GaincurveError) as caught:
        call()
    assert caught.value.slug == slug
    return str(caught.value)


# Laws ------------------------------------------------------------------------------------------------------------


@law("range")
@given(experiments(), choices, st.sampled_from(["judged", "retrieved", "pooled"]), st.sampled_from(["trec", "average"]))
def test_values_are_the_plain_ones_and_within_range(
    name: str, given_: tuple[Table, Table], chosen: Choices, ideal: str, ties: str
) -> None:
    judgments, run = given_
    found = values(judgments, run, chosen.text(name), ideal=ideal, ties=ties, **chosen.words)
    definition = REGISTRY[name]
    defined = found[~np.isnan(found)]
    assert (defined >= definition.low).all()
    assert definition.high is None or (defined <= definition.high + 1e-12).all()
    if ties == "trec" and ideal == "judged":
        expected = [chosen.plain(name, grades, ranked(run.get(topic, {}))) for topic, grades in judgments.items()]
        assert found.tolist() == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)


@law("ideal-is-best")
@given(topic_grades, choices, st.randoms(use_true_random=False))
def test_no_order_beats_the_ideal_order(name: str, grades: dict[str, float], chosen: Choices, draw: Any) -> None:
    best = sorted(grades, key=lambda d: -chosen.gain(grades[d]))
    other = draw.sample(best, len(best))
    found = evaluate({"q": grades}, [{"q": best}, {"q": other}], chosen.text(name), **chosen.words).values[:, 0, 0]
    assert np.isnan(found).all() or found[0] >= found[1] - 1e-12 * abs(found[1])


@law("ideal-gives-1")
@given(topic_grades, choices, st.sampled_from(["judged", "retrieved", "pooled"]))
def test_the_ideal_order_gives_exactly_1(name: str, grades: dict[str, float], chosen: Choices, ideal: str) -> None:
    best = sorted(grades, key=lambda d: -chosen.gain(grades[d]))
    found = values({"q": grades}, {"q": best}, chosen.text(name), ideal=ideal, **chosen.words)[0]
    assert found == 1.0 if any(chosen.gain(g) > 0 for g in grades.values()) else math.isnan(found)


@law("moving-up")
@given(topic_grades, choices, st.data())
def test_moving_a_more_valuable_document_up_never_hurts(
    name: str, grades: dict[str, float], chosen: Choices, data: st.DataObject
) -> None:
    listed = data.draw(st.permutations([*grades, "u1", "u2"]))
    worth = [chosen.gain(grades[d]) if d in grades else 0.0 for d in listed]
    pairs = [(i, j) for i, j in itertools.combinations(range(len(listed)), 2) if worth[j] > worth[i]]
    assume(pairs)
    i, j = data.draw(st.sampled_from(pairs))
    moved = list(listed)
    moved[i], moved[j] = moved[j], moved[i]
    before, after = evaluate({"q": grades}, [{"q": listed}, {"q": moved}], chosen.text(name), **chosen.words).values[
        :, 0, 0
    ]
    assert after >= before - 1e-12 * before
    if chosen.cutoff is None and name.endswith("DCG") and chosen.divisor(j + 1) > chosen.divisor(i + 1):
        assert after > before


@law("renaming")
@given(experiments(), choices, st.sampled_from(["trec", "average"]), st.data())
def test_renaming_documents_in_order_and_topics_anyhow_changes_nothing(
    name: str, given_: tuple[Table, Table], chosen: Choices, ties: str, data: st.DataObject
) -> None:
    judgments, run = given_
    used = sorted({d for table in given_ for row in table.values() for d in row}, key=str.encode)
    tails = data.draw(st.lists(st.sampled_from(["a", "é", "long" * 5]), min_size=len(used), max_size=len(used)))
    document = {old: f"{i:03}{tail}" for i, (old, tail) in enumerate(zip(used, tails, strict=True))}
    topic = {old: f"{9 - i} {old * data.draw(st.integers(1, 9))}" for i, old in enumerate(judgments)}

    def renamed(table: Table) -> Table:
        return {topic[t]: {document[d]: value for d, value in row.items()} for t, row in table.items()}

    text, words = chosen.text(name), {**chosen.words, "ties": ties}
    assert same(values(judgments, run, text, **words), values(renamed(judgments), renamed(run), text, **words))


@law("adding-a-topic")
@given(experiments(), choices, topic_grades, st.none() | topic_scores, st.sampled_from(["trec", "average"]))
def test_adding_a_topic_leaves_the_others_alone(
    name: str,
    given_: tuple[Table, Table],
    chosen: Choices,
    grades: dict[str, float],
    listed: dict[str, float] | None,
    ties: str,
) -> None:
    judgments, run = given_
    text, words = chosen.text(name), {**chosen.words, "ties": ties}
    before = evaluate(judgments, run, text, **words)
    more = {"new": listed, **run} if listed else run
    after = evaluate({"new": grades, **judgments}, more, text, **words)
    for topic, value in before["run", text].items():
        assert same(np.array(after["run", text][topic]), np.array(value))


@law("twice")
@given(experiments(), choices)
def test_a_second_call_gives_the_same_and_measures_of_one_call_share_nothing(
    name: str, given_: tuple[Table, Table], chosen: Choices
) -> None:
    judgments, run = given_
    first = values(judgments, run, chosen.text(name), **chosen.words)
    others = list(dict.fromkeys([chosen.text(name), f"{name}(gains='exp2')@2", f"{name}@1"]))
    together = evaluate(judgments, run, others, **chosen.words)
    assert same(first, values(judgments, run, chosen.text(name), **chosen.words))
    assert same(first, together.values[0, 0])
    for i, other in enumerate(others):
        assert same(together.values[0, i], values(judgments, run, other, **chosen.words))


def in_chunks(judgments: Table, runs: object, measure: Measure, scenario: Scenario, size: int, use: str) -> None:
    compute = getattr(measure.definition, use)
    for run in experiment(judgments, runs, scenario).runs:
        arguments = measure.arguments(scenario)
        whole = np.atleast_2d(compute(run, **arguments))
        places = [np.arange(i, min(i + size, run.lists)) for i in range(0, run.lists, size)]
        pieces = [np.atleast_2d(compute(run.select(place), **arguments)) for place in places]
        assert same(whole, np.concatenate(pieces, axis=1))


@law("chunks")
@given(
    experiments(),
    choices,
    st.integers(1, 3),
    st.sampled_from(["judged", "retrieved"]),
    st.sampled_from([("trec", "zero"), ("trec", "condensed"), ("average", "zero"), ("average", "condensed")]),
)
def test_chunks_of_topics_equal_the_whole(
    name: str, given_: tuple[Table, Table], chosen: Choices, size: int, ideal: str, rules: tuple[str, str]
) -> None:
    scenario = Scenario().with_choices(**chosen.words, ideal=ideal, ties=rules[0], unjudged=rules[1])
    in_chunks(*given_, parse_measure(chosen.text(name)), scenario, size, "compute")


@law("chunks")
@given(experiments(), choices, st.integers(1, 3))
def test_bounds_of_chunks_equal_the_whole(name: str, given_: tuple[Table, Table], chosen: Choices, size: int) -> None:
    scenario = Scenario().with_choices(**chosen.words)
    in_chunks(*given_, parse_measure(chosen.text(name)), scenario, size, "bounds")


@pytest.mark.parametrize("name", ["nCG", "nDCG"])
def test_chunks_equal_the_whole_with_a_pooled_ideal(name: str) -> None:
    judgments = {"t1": {"a": 1, "b": 3, "c": 2}, "t2": {"a": 2, "b": 1}}
    runs = {"one": {"t1": {"a": 2.0}, "t2": {"b": 1.0}}, "two": {"t1": {"c": 1.0, "a": 0.5}, "t2": {"b": 1.0}}}
    in_chunks(judgments, runs, parse_measure(name), Scenario().with_choices(ideal="pooled"), 1, "compute")


@law("curve")
@given(
    experiments(), choices, st.sampled_from(["judged", "retrieved", "pooled"]), st.sampled_from(["zero", "condensed"])
)
def test_the_curve_at_rank_k_is_the_measure_at_k(
    name: str, given_: tuple[Table, Table], chosen: Choices, ideal: str, unjudged: str
) -> None:
    judgments, run = given_
    words = {**chosen.words, "ideal": ideal, "unjudged": unjudged}
    drawn = curves(judgments, run, name, depth=6, per_topic=True, **words)
    for k in range(1, 7):
        scores = evaluate(judgments, run, f"{name}@{k}", **words)
        assert same(scores.values[0, 0], drawn.curve(name).by_topic[0, :, k - 1])
        mean = scores.summary()["run"][f"{name}@{k}"]
        assert drawn["run", name][k - 1] == pytest.approx(mean, rel=1e-12, nan_ok=True)


def tie_orders(scores: dict[str, float]) -> list[list[str]]:
    """Every ranking that the scores allow."""
    blocks = [[d for d in scores if scores[d] == s] for s in sorted(set(scores.values()), reverse=True)]
    return [list(itertools.chain(*order)) for order in itertools.product(*map(itertools.permutations, blocks))]


@law("average-ties")
@given(
    topic_grades,
    st.dictionaries(documents, st.sampled_from([1.0, 2.0]), min_size=1, max_size=6),
    choices,
    st.sampled_from(["judged", "retrieved"]),
    st.sampled_from(["zero", "condensed"]),
)
def test_average_ties_are_the_mean_over_all_tie_orders(
    name: str, grades: dict[str, float], scores: dict[str, float], chosen: Choices, ideal: str, unjudged: str
) -> None:
    counted = {d: s for d, s in scores.items() if unjudged == "zero" or d in grades}
    base = None if ideal == "judged" else [grades[d] for d in counted if d in grades]
    orders = [chosen.plain(name, grades, order, base) for order in tie_orders(counted)]
    words = {**chosen.words, "ideal": ideal, "unjudged": unjudged, "ties": "average"}
    found = values({"q": grades}, {"q": scores}, chosen.text(name), **words)[0]
    expected = math.fsum(orders) / len(orders)
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)
    if chosen.cutoff is not None:
        drawn = curves({"q": grades}, {"q": scores}, name, depth=chosen.cutoff, **words)
        assert drawn["run", name][-1] == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)
        in_mean = values({"q": grades}, {"q": scores}, f"{name}(average='ranks')@{chosen.cutoff}", **words)[0]
        assert in_mean == pytest.approx(drawn["run", name].mean(), rel=1e-12, abs=1e-12, nan_ok=True)


@law("condensed")
@given(experiments(), choices, st.sampled_from(["judged", "retrieved"]), st.sampled_from(["trec", "average"]))
def test_condensed_is_the_run_without_its_unjudged_documents(
    name: str, given_: tuple[Table, Table], chosen: Choices, ideal: str, ties: str
) -> None:
    judgments, run = given_
    by_hand = {topic: {d: s for d, s in row.items() if d in judgments[topic]} for topic, row in run.items()}
    assume(any(by_hand.values()))
    text, words = chosen.text(name), {**chosen.words, "ideal": ideal, "ties": ties}
    assert same(
        values(judgments, run, text, unjudged="condensed", **words),
        values(judgments, by_hand, text, unjudged="zero", **words),
    )


SCALE = {"s0": 0.0, "s1": 1.0, "s3": 3.0}


def judged_anyhow(
    name: str, grades: dict[str, float], scores: dict[str, float], chosen: Choices, orders: list[list[str]]
) -> list[float]:
    """The value (mean over `orders`) under every grading of the unjudged documents that may stand within the cutoff."""
    within = {d for order in orders for d in order[: chosen.cutoff]}
    open_ = sorted(within - grades.keys())
    gradings = [dict(zip(open_, new, strict=True)) for new in itertools.product(SCALE.values(), repeat=len(open_))]
    return [math.fsum(chosen.plain(name, grades | new, order) for order in orders) / len(orders) for new in gradings]


@law("bounds")
@given(
    st.dictionaries(documents.filter(lambda d: d[0] == "d"), st.sampled_from([0, 0, 1, 3]), min_size=1, max_size=5),
    st.permutations(["d0", "d1", "d2", "d3", "u1", "u2", "u3"]),
    st.integers(1, 7),
    choices,
)
def test_bounds_hold_every_grading_of_the_unjudged_documents(
    name: str, grades: dict[str, float], listed: list[str], length: int, chosen: Choices
) -> None:
    judgments, run = {"scale": SCALE, "q": grades}, {"q": listed[:length], "scale": ["s3"]}
    found = evaluate(judgments, run, chosen.text(name), unjudged="bounds", **chosen.words)
    value, low, high = (side[0, 0, 1] for side in (found.values, found.low, found.high))
    assume(not math.isnan(value))
    possible = judged_anyhow(name, grades, run["q"], chosen, [run["q"]])
    assert all(low - 1e-12 * max(1, low) <= one <= high + 1e-12 * max(1, high) for one in [*possible, value])
    assert low == pytest.approx(min(possible), rel=1e-12, abs=1e-12)
    if not name.startswith("n"):
        assert high == pytest.approx(max(possible), rel=1e-12, abs=1e-12)
    assert found.low[0, 0, 0] == found.values[0, 0, 0] == found.high[0, 0, 0]  # everything there is judged


@pytest.mark.parametrize("name", ["CG", "DCG"])
@settings(max_examples=examples(40), deadline=None)
@given(
    st.dictionaries(st.sampled_from(["a", "m", "z"]), st.sampled_from([0, 1, 3]), min_size=1),
    st.dictionaries(st.sampled_from(["a", "m", "z", "b", "y"]), st.sampled_from([1.0, 2.0]), min_size=1),
    choices,
)
def test_bounds_hold_under_average_ties(
    name: str, grades: dict[str, float], scores: dict[str, float], chosen: Choices
) -> None:
    judgments, run = {"scale": SCALE, "q": grades}, {"q": scores, "scale": {"s3": 1.0}}
    found = evaluate(judgments, run, chosen.text(name), unjudged="bounds", ties="average", **chosen.words)
    possible = judged_anyhow(name, grades, scores, chosen, tie_orders(scores))
    assert found.low[0, 0, 1] == pytest.approx(min(possible), rel=1e-12, abs=1e-12)
    assert found.high[0, 0, 1] == pytest.approx(max(possible), rel=1e-12, abs=1e-12)


def test_bounds_of_a_tied_block_that_straddles_the_cutoff() -> None:
    """a and b share ranks 1 and 2; b is worthless, a unjudged, so CG@1 is between 0 and 3/2."""
    found = evaluate({"q": {"b": 0, "c": 3}}, {"q": {"a": 1.0, "b": 1.0}}, "CG@1", unjudged="bounds", ties="average")
    assert found.bounds()["run"]["CG@1"] == (0, 1.5)


def test_unjudged_documents_of_one_topic_leave_the_bounds_of_another_alone() -> None:
    """Everything in q is judged and in ideal order, so both its bounds are exactly 1, whatever else there is."""
    judgments, run = {"q": {"a": 2, "b": 2}, "other": {"c": 3}}, {"q": ["a", "b"], "other": ["u", "v", "c"]}
    found = evaluate(judgments, run, "nDCG", unjudged="bounds", gains="0-1-10-100")
    assert (found.low[0, 0, 0], found.high[0, 0, 0]) == (1, 1)


def test_bounds_of_a_topic_without_relevant_documents_that_counts_as_0() -> None:
    """Judging u could make the value 1; a topic that counts as 0 must say so."""
    judgments = {"q": {"d": 0}, "other": {"e": 2}}
    run = {"q": {"u": 2.0, "d": 1.0}, "other": {"e": 1.0}}
    found = evaluate(judgments, run, "nDCG@10", unjudged="bounds", empty="zero")
    assert (found.low[0, 0, 0], found.high[0, 0, 0]) == (0, 1)


def test_bounds_that_are_not_defined_are_refused() -> None:
    judgments, run = {"q": {"d": 1}}, {"q": {"d": 1.0}}
    for choice in ({"ties": "average"}, {"ideal": "retrieved"}, {"ideal": "pooled"}):
        refused("measure-no-bounds", lambda c=choice: evaluate(judgments, run, "nDCG@1", unjudged="bounds", **c))
    text = "CG(average='ranks')@2"
    refused("measure-no-bounds", lambda: evaluate(judgments, run, text, unjudged="bounds"))
    refused("measure-no-bounds", lambda: curves(judgments, run, "CG", unjudged="bounds"))


@law("ideals")
@given(st.lists(experiments().map(lambda pair: pair[1]["t0"]), min_size=1, max_size=3), topic_grades, choices)
def test_retrieved_and_pooled_ideals_are_the_plain_ones(
    name: str, listed: list[dict[str, float]], grades: dict[str, float], chosen: Choices
) -> None:
    runs = [{"q": row} for row in listed]
    pool = {d for row in listed for d in row} & grades.keys()
    text, words = chosen.text(name), chosen.words
    for ideal in ("retrieved", "pooled"):
        found = evaluate({"q": grades}, runs, text, ideal=ideal, **words).values[:, 0, 0]
        bases = [pool if ideal == "pooled" else row.keys() & grades.keys() for row in listed]
        expected = [
            chosen.plain(name, grades, ranked(row), [grades[d] for d in base])
            for row, base in zip(listed, bases, strict=True)
        ]
        assert found.tolist() == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)


@law("missing")
@given(experiments(), choices)
def test_missing_topics_count_0_are_skipped_or_refused(name: str, given_: tuple[Table, Table], chosen: Choices) -> None:
    judgments, run = given_
    absent = [topic for topic in judgments if topic not in run]
    assume(absent)
    text = chosen.text(name)
    zero, skip = (evaluate(judgments, run, text, missing=rule, **chosen.words) for rule in ("zero", "skip"))
    for topic in judgments:
        expected = chosen.plain(name, judgments[topic], ranked(run.get(topic, {})))
        assert zero["run", text][topic] == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)
        skipped = math.nan if topic in absent else expected
        assert skip["run", text][topic] == pytest.approx(skipped, rel=1e-12, abs=1e-12, nan_ok=True)
    kept = [value for topic, value in zero["run", text].items() if topic in run and not math.isnan(value)]
    mean = math.fsum(kept) / len(kept) if kept else math.nan
    assert skip.summary()["run"][text] == pytest.approx(mean, rel=1e-12, nan_ok=True)
    for scores, done in ((zero, "counted as empty lists"), (skip, "left out of its means")):
        notes = [note.text for note in scores.notes if note.slug == "topics-missing"]
        assert len(notes) == 1
        assert done in notes[0]
        assert f"{len(absent)} judged topic" in notes[0]
    message = refused("topics-missing", lambda: evaluate(judgments, run, text, missing="error", **chosen.words))
    assert absent[0] in message


# Single facts ----------------------------------------------------------------------------------------------------


def test_topics_without_judgments_are_ignored_and_noted() -> None:
    scores = evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}, "stranger": {"d": 1.0}}, "nDCG@5")
    assert scores.topics == ("q",)
    assert [note.slug for note in scores.notes] == ["topics-unjudged"]
    assert "stranger" in scores.notes[0].text


def test_undefined_topics_are_left_out_counted_and_noted() -> None:
    judgments, run = {"q": {"d": 1}, "empty": {"d": 0}}, {"q": {"d": 1.0}, "empty": {"d": 1.0}}
    scores = evaluate(judgments, run, ["nDCG@5", "nCG@5", "CG@5"])
    assert scores.summary()["run"] == {"nDCG@5": 1, "nCG@5": 1, "CG@5": 0.5}
    assert math.isnan(scores["run", "nDCG@5"]["empty"])
    assert ["topics:1/2" in str(signature) for signature in scores.signatures] == [True, True, False]
    assert [note.slug for note in scores.notes] == ["undefined", "undefined"]
    zero = evaluate(judgments, run, "nDCG@5", empty="zero")
    assert zero.summary()["run"]["nDCG@5"] == 0.5
    assert "|empty:zero|topics:2|" in str(zero.signatures[0])


def test_a_run_that_found_nothing_scores_0_whatever_the_ideal_is_made_of() -> None:
    """Undefined is a topic with an empty recall base, not a list that found nothing of what there is."""
    runs = {"found": {"q": {"d": 1.0}, "p": {"d": 1.0}}, "lost": {"q": {"x": 1.0}, "p": {"d": 1.0}}}
    for ideal in ("judged", "retrieved", "pooled"):
        scores = evaluate({"q": {"d": 1}, "p": {"d": 1}}, runs, "nDCG@5", ideal=ideal)
        assert scores.values[:, 0].tolist() == [[1, 1], [0, 1]]
        assert [note.slug for note in scores.notes] == ["unjudged"]


def test_skipped_topics_are_noted_as_missing_not_as_undefined() -> None:
    scores = evaluate({"q": {"d": 1}, "p": {"d": 1}}, {"q": {"d": 1.0}}, "nDCG@5", missing="skip")
    assert [note.slug for note in scores.notes] == ["topics-missing"]


def test_curves_note_and_count_undefined_topics_like_evaluate() -> None:
    judgments, run = {"q": {"d": 1}, "empty": {"d": 0}}, {"q": {"d": 1.0}, "empty": {"d": 1.0}}
    drawn = curves(judgments, run, "nDCG", depth=3)
    assert drawn["run", "nDCG"].tolist() == [1, 1, 1]
    assert "|topics:1/2|" in str(drawn.curves[0].signature)
    assert any(note.slug == "undefined" for note in drawn.notes)


def test_curves_count_empty_topics_as_0_where_the_scenario_says_so() -> None:
    judgments, run = {"q": {"d": 1}, "empty": {"d": 0}}, {"q": {"d": 1.0}, "empty": {"d": 1.0}}
    drawn = curves(judgments, run, "nDCG", depth=3, scenario="trec_eval-9.0.8", per_topic=True)
    assert drawn["run", "nDCG"].tolist() == [0.5, 0.5, 0.5]
    assert drawn.curve("nDCG").by_topic[0, 1].tolist() == [0, 0, 0]


def test_grade_beyond_the_list_is_named() -> None:
    judgments, run = {"q7": {"ok": 1, "wild": 4}}, {"q7": {"ok": 1.0}}
    for call in (evaluate, curves):
        message = refused("gains-grade", lambda c=call: c(judgments, run, "CG", gains="0-1-10-100"))
        assert "grade 4" in message
        assert "q7" in message
        assert "wild" in message
    assert "grade 4" in refused("gains-grade", lambda: evaluate(judgments, run, "CG@5", gains={1: 2}))
    assert "grade 4" in refused("gains-grade", lambda: evaluate(judgments, run, "CG(gains='0-1')@5"))
    fractional = {"q": {"d": 1.5}}
    assert "grade 1.5" in refused("gains-grade", lambda: evaluate(fractional, {"q": ["d"]}, "CG", gains="0-1-2"))


def test_negative_grades_gain_0_and_are_noted() -> None:
    judgments, run = {"q": {"a": -2, "b": -1, "c": 3}}, {"q": ["a", "b", "c"]}
    for gains, worth in (("identity", 3), ("exp2", 7), ("0-1-10-100", 100), ("binary", 1), ("3=8", 8)):
        scores = evaluate(judgments, run, ["CG@2", "CG@3", "nCG@3"], gains=gains)
        assert scores.values[0, :, 0].tolist() == [0, worth, 1]
        assert [note.slug for note in scores.notes] == ["negative-grades"]
        assert "2 negative grades" in scores.notes[0].text
    assert evaluate(judgments, run, "CG@2", gains={-2: 1, 3: 8}).values[0, 0, 0] == 1


def test_fractional_grades_are_gains() -> None:
    scores = evaluate({"q": {"a": 0.5, "b": 2.25}}, {"q": ["a", "b"]}, ["CG@1", "CG@2", "nCG@1"])
    assert scores.values[0, :, 0].tolist() == [0.5, 2.75, 0.5 / 2.25]


def test_a_gain_too_large_for_a_number_is_refused() -> None:
    refused("gains-range", lambda: evaluate({"q": {"d": 2000}}, {"q": ["d"]}, "nDCG@5", gains="exp2"))


@pytest.mark.parametrize("gains", [
    "", "x", "0", "0-x", "0--1", "1=", "=1", "1=2,", "1=-3", "nan-1", "0-inf", {}, [], [1], {1: -1}, {1: math.nan},
    {"a": 1}, 5, None.__class__, "binary(rel=x)", "binary(rel=nan)", [0, 10**400],
], ids=lambda gains: repr(gains)[:20])  # fmt: skip
def test_gains_that_make_no_sense_are_refused(gains: object) -> None:
    refused("gains-syntax", lambda: evaluate({"q": {"d": 1}}, {"q": ["d"]}, "CG", gains=gains))


def test_file_order_and_ranked_lists() -> None:
    judgments, run = {"q": {"a": 1}}, {"q": {"a": 1.0, "z": 1.0, "b": 9.0}}
    for ties, rank in (("file", 1), ("trec", 3), ("trec-float32", 3)):
        assert values(judgments, run, "DCG", discount="rank", ties=ties)[0] == 1 / rank
    assert values(judgments, run, "DCG", discount="rank", ties="average")[0] == (1 / 2 + 1 / 3) / 2
    assert values(judgments, {"q": ["z", "a"]}, "DCG", discount="rank")[0] == 1 / 2
    refused("run-without-ranks", lambda: evaluate(judgments, run, "CG", ties="rank"))


def test_a_constant_scorer_gets_no_perfect_score() -> None:
    judgments = {"q": {f"d{i}": int(i < 2) for i in range(10)}}
    constant = {"q": dict.fromkeys(judgments["q"], 1.0)}
    assert values(judgments, constant, "nDCG@10", ties="file")[0] == 1
    assert values(judgments, constant, "nDCG@10")[0] < 0.6
    expected = math.fsum(1 / math.log2(i + 1) for i in range(1, 11)) * 2 / 10 / (1 + 1 / math.log2(3))
    assert values(judgments, constant, "nDCG@10", ties="average")[0] == pytest.approx(expected, rel=1e-12)


SCENARIO_TABLE: dict[str, tuple[str, str, float | None, int | None]] = {  # product.md, section Scenarios
    "default": ("identity", "log", None, None),
    "jk2002": ("identity", "jk2002", 2, 200),
    "busy": ("0-1-10-100", "jk2002", 2, 30),
    "patient": ("0-1-2-3", "jk2002", 10, 200),
    "session": ("identity", "jarvelin2008", 2, 10),  # sessions.md: the defaults of `session`
    "session2008": ("0-1-10-100", "jarvelin2008", 2, 10),
    "burges": ("exp2", "log", None, None),
    "trec_eval-9.0.8": ("identity", "log", None, None),
    "trec_eval-10": ("identity", "log", None, None),
    "sample_eval": ("identity", "log", None, 1000),
}


def test_every_scenario_is_in_the_table() -> None:
    """Those of other tools, which refuse what they cannot reproduce, have their own: tests/golden/test_presets.py."""
    own = {name for name, scenario in SCENARIOS.items() if not scenario.refuses}
    assert own == set(SCENARIO_TABLE)


@pytest.mark.parametrize("name", SCENARIO_TABLE)
def test_a_scenario_is_its_choices(name: str) -> None:
    gains, discount, base, depth = SCENARIO_TABLE[name]
    draw = np.random.default_rng(7)
    judgments = {"q": {f"d{i:03}": int(draw.integers(0, 4)) for i in range(300)}}
    run = {"q": {d: float(draw.normal()) for d in judgments["q"]}}
    by_name = evaluate(judgments, run, "nDCG", scenario=name)
    by_hand = evaluate(judgments, run, "nDCG", gains=gains, discount=discount, base=base, depth=depth)
    assert by_name.measures == by_hand.measures == ("nDCG" if depth is None else f"nDCG@{depth}",)
    assert same(by_name.values, by_hand.values)


def test_single_choices_override_a_scenario_and_a_measure_overrides_both() -> None:
    judgments = {"q": {"a": 1, "b": 3, "c": 2}}
    run = {"q": ["a", "b", "c"]}

    def signed(measure: str, **words: object) -> tuple[float, str]:
        scores = evaluate(judgments, run, measure, **words)
        return scores.values[0, 0, 0], str(scores.signatures[0])

    value, signature = signed("DCG", scenario="busy")
    assert value == pytest.approx(1 + 100 + 10 / math.log2(3))
    assert signature.startswith("DCG@30|gain:0-1-10-100|discount:jk2002(base=2)|")
    value, signature = signed("DCG", scenario="busy", gains="identity", depth=2)
    assert value == 4
    assert signature.startswith("DCG@2|gain:identity|discount:jk2002(base=2)|")
    value, signature = signed("DCG", scenario="busy", base=10)
    assert value == 111
    assert "|discount:jk2002(base=10)|" in signature
    value, signature = signed("DCG", scenario="busy", discount="log")
    assert value == pytest.approx(1 + 100 / math.log2(3) + 10 / 2)
    assert "|discount:log2(i+1)|" in signature
    value, signature = signed("DCG(gains='exp2', discount='rank')@3", scenario="busy", gains="identity")
    assert value == pytest.approx(1 + 7 / 2 + 3 / 3)
    assert "|gain:exp2|discount:rank|" in signature


def test_unknown_scenarios_and_choices_suggest_the_nearest() -> None:
    judgments, run = {"q": {"d": 1}}, {"q": ["d"]}
    message = refused("scenario-unknown", lambda: evaluate(judgments, run, scenario="jk2020"))
    assert "did you mean jk2002?" in message
    message = refused("choice-unknown", lambda: evaluate(judgments, run, unjuged="zero"))
    assert "did you mean unjudged?" in message
    for key, value in (
        ("ties", "trek"),
        ("missing", "zeros"),
        ("unjudged", "bound"),
        ("ideal", "judge"),
        ("empty", ""),
    ):
        refused("choice-unknown", lambda k=key, v=value: evaluate(judgments, run, **{k: v}))
    for depth in (0, -1, 1.5, "x", True):
        refused("measure-cutoff", lambda d=depth: evaluate(judgments, run, depth=d))
