"""Every measure of trec_eval 9.0.8, topic by topic, against pytrec-eval-terrier, which is built from its C sources.

Random topics hold ties, scores that collide in 32 bits only, negative grades, unjudged documents, lists of one
document, topics without relevant documents, topics that the run lacks, and topics that nobody judged. Two things
cannot be asked of it, because its C code then writes out of bounds or stops the process: a topic in which every grade
is negative, and values that are no list of numbers in ascending order (ndcg.1=3,2=9 and utility.2,-1,0,0; what
trec_eval printed for the former is held against ours in test_against_trec_eval.py).
"""

import math
import random
from collections.abc import Iterable

import numpy as np
import pytest
import pytrec_eval
import pytrec_eval_ext

from gaincurve.measures.notation import parse_measures
from gaincurve.verbs.evaluate import evaluate

Table = dict[str, dict[str, float]]
Found = dict[str, dict[str, float]]

TAILS = ("", "", "-é", "-of-eight-bytes-and-many-more")
SCENARIO = "trec_eval-9.0.8"

NO_NUMBERS = {"runid", "relstring", "num_q"}  # names, the list as digits, and the number of topics itself
GEOMETRIC = {"gm_map": "map", "gm_bpref": "bpref"}  # per topic they are logarithms, and only their summary is printed

BOUND = dict.fromkeys(pytrec_eval.supported_measures - NO_NUMBERS, 1e-12)


def random_topics(seed: int, topics: int) -> tuple[Table, Table]:
    """Judgments with grades −2 to 4 and a run."""
    draw = random.Random(seed)
    judgments: Table = {}
    run: Table = {}
    for topic in (f"t{i:05}" for i in range(topics)):
        documents = [f"d{draw.randrange(10**4)}" + draw.choice(TAILS) for _ in range(draw.choice([1, 3, 10, 40, 120]))]
        grades = draw.choice([[0], [0, -1], [0, 0, 1], [0, 0, 1, 2, 3, 4], [-2, -1, 0, 0, 1, 2], [1], [1, 3]])
        judgments[topic] = {d: draw.choice(grades) for d in dict.fromkeys(documents)}
        judgments[topic][documents[0]] = max(judgments[topic][documents[0]], 0)  # see above
        if topic != "t00000" and draw.random() < 0.05:
            continue
        unjudged = [f"u{draw.randrange(10**4)}" + draw.choice(TAILS) for _ in range(draw.choice([0, 1, 20, 200]))]
        listed = draw.sample(documents + unjudged, k=draw.randint(1, len(documents) + len(unjudged)))
        score = draw.choice([
            lambda: draw.gauss(0, 10),
            lambda: float(draw.randint(0, 3)),
            lambda: 1.0 + draw.randint(0, 6) * 3e-8,
            lambda: 1e-3 * draw.randint(-2, 2) + draw.randint(0, 3) * 1e-12,
            lambda: 7.0,
        ])  # fmt: skip
        run[topic] = {d: score() for d in dict.fromkeys(listed)}
    run["nobody judged this"] = {"d1": 1.0}
    return judgments, run


def oracle(judgments: Table, run: Table, asked: Iterable[str], level: int = 1) -> Found:
    """{topic: {trec_eval's name of a number: value}}."""
    judged = {topic: scores for topic, scores in run.items() if topic in judgments}
    return pytrec_eval.RelevanceEvaluator(judgments, set(asked), relevance_level=level).evaluate(judged)


def ours(judgments: Table, run: Table, name: str) -> dict[str, float]:
    """{topic: value} under trec_eval's name of one number, e.g. P_5 or iprec_at_recall_0.10."""
    (measure,) = parse_measures(name)
    return dict(evaluate(judgments, run, [measure], scenario=SCENARIO)["run", measure.text].items())


def compare(judgments: Table, run: Table, expected: Found, bound: float = 1e-12) -> int:
    """Hold every number of every topic against ours; returns how many were compared."""
    measures = {name: parse_measures(name)[0] for name in sorted(next(iter(expected.values())))}
    scores = evaluate(judgments, run, list(measures.values()), scenario=SCENARIO)
    compared = 0
    for name, measure in measures.items():
        values = dict(scores["run", measure.text].items())
        assert values.keys() == judgments.keys()
        for topic, value in values.items():
            if topic in run:
                assert abs(value - expected[topic][name]) <= bound, (name, topic, value, expected[topic][name])
                compared += 1
            else:
                assert math.isnan(value), (name, topic)  # 9.0.8 leaves a topic out that the run lacks
    return compared


@pytest.fixture(scope="module", params=[1, 2, 3])
def batch(request: pytest.FixtureRequest) -> tuple[Table, Table]:
    return random_topics(request.param, 300)


def test_random_topics_hold_what_they_should() -> None:
    judgments, run = random_topics(1, 300)
    assert 0 < len(judgments.keys() - run.keys()) < 60
    assert run.keys() - judgments.keys()
    assert any(all(grade <= 0 for grade in grades.values()) for grades in judgments.values())
    assert any(grade < 0 for grades in judgments.values() for grade in grades.values())
    assert any(len(set(scores.values())) < len(scores) for scores in run.values())
    single = [np.array(list(scores.values())) for scores in run.values()]
    assert any(len(set(s)) > len(set(s.astype(np.float32))) for s in single)
    assert any(set(scores) - set(judgments[topic]) for topic, scores in run.items() if topic in judgments)
    assert any(len(scores) == 1 for scores in run.values())
    assert any(len(scores) > 100 for scores in run.values())


def test_every_measure_that_it_offers_is_compared() -> None:
    """A measure that a new release adds must be looked at here, not be left out in silence."""
    for name in BOUND:
        assert parse_measures(name), name
    assert len(BOUND) == 31


@pytest.mark.parametrize("name", sorted(BOUND.keys() - GEOMETRIC.keys()))
def test_measure_with_its_default_cutoffs(batch: tuple[Table, Table], name: str) -> None:
    judgments, run = batch
    expected = oracle(judgments, run, [name])
    assert compare(judgments, run, expected, BOUND[name]) >= 250
    assert any(value for values in expected.values() for value in values.values())  # not all nothing


@pytest.mark.parametrize("asked", [
    "P.1,2,3,7,64,5000", "recall.1,2,3,7,64,5000", "ndcg_cut.1,2,3,7,64,5000", "map_cut.1,2,3,7,64,5000",
    "relative_P.1,2,3,7,64,5000", "success.1,2,3,7,64", "iprec_at_recall.0.05,0.33,0.5,0.77,0.95",
    "Rprec_mult.0.01,0.1,0.35,0.5,1.5,3.0,10.0", "set_F.0.5", "set_F.2.0", "set_F.0.0",
])  # fmt: skip
def test_measure_with_cutoffs_and_values_of_its_own(batch: tuple[Table, Table], asked: str) -> None:
    judgments, run = batch
    expected = oracle(judgments, run, [asked])
    if not asked.startswith("set_F"):
        assert compare(judgments, run, expected) >= 250
        return
    found = ours(judgments, run, asked)  # one number, whatever pytrec_eval calls it
    for topic, values in expected.items():
        assert abs(found[topic] - next(iter(values.values()))) <= 1e-12, topic


@pytest.mark.parametrize("gm", GEOMETRIC)
def test_geometric_means(batch: tuple[Table, Table], gm: str) -> None:
    judgments, run = batch
    expected = oracle(judgments, run, [gm, GEOMETRIC[gm]])
    logarithms = [values[gm] for values in expected.values()]
    mean = math.exp(math.fsum(logarithms) / len(logarithms))
    (measure,) = parse_measures(gm)
    scores = evaluate(judgments, run, [measure], scenario=SCENARIO)
    assert scores.summary()["run"][measure.text] == pytest.approx(mean, abs=1e-12)
    for topic, value in scores["run", measure.text].items():
        if topic in run:
            assert math.log(max(value, 1e-5)) == pytest.approx(expected[topic][gm], abs=1e-11), topic


@pytest.mark.parametrize("name", ["map", "P_10", "num_rel", "num_ret", "num_rel_ret", "num_nonrel_judged_ret", "ndcg"])
def test_summaries_are_those_of_the_tool(batch: tuple[Table, Table], name: str) -> None:
    """compute_aggregated_measure is pytrec_eval's own: sums of counts, means of everything else."""
    judgments, run = batch
    expected = [values[name] for values in oracle(judgments, run, [name.replace("_10", ".10")]).values()]
    (measure,) = parse_measures(name)
    found = evaluate(judgments, run, [measure], scenario=SCENARIO).summary()["run"][measure.text]
    assert found == pytest.approx(pytrec_eval.compute_aggregated_measure(name, expected), rel=1e-12)


LEVELLED = {
    "map": "AP(rel={l})", "Rprec": "Rprec(rel={l})", "bpref": "bpref(rel={l})", "recip_rank": "RR(rel={l})",
    "P_5": "P(rel={l})@5", "recall_10": "R(rel={l})@10", "infAP": "infAP(rel={l})", "11pt_avg": "AP11(rel={l})",
    "binG": "binG(rel={l})", "map_cut_10": "AP(rel={l})@10", "relative_P_5": "relative_P(rel={l})@5",
    "success_5": "Success(rel={l})@5", "set_P": "SetP(rel={l})", "set_recall": "SetR(rel={l})",
    "set_map": "SetAP(rel={l})", "set_relative_P": "SetRelP(rel={l})", "set_F": "SetF(rel={l})",
    "utility": "Utility(rel={l})", "num_rel": "NumRel(rel={l})", "num_rel_ret": "NumRelRet(rel={l})",
    "num_nonrel_judged_ret": "NumNonrelRet(rel={l})", "iprec_at_recall_0.50": "IPrec(rel={l})@0.5",
}  # fmt: skip


@pytest.mark.parametrize("name", LEVELLED)
@pytest.mark.parametrize("level", [2, 3])
def test_relevance_level(batch: tuple[Table, Table], name: str, level: int) -> None:
    """trec_eval -l: grades below it count as judged and not relevant."""
    judgments, run = batch
    head, _, last = name.rpartition("_")
    asked = f"{head}.{last}" if last[:1].isdigit() else name
    expected = oracle(judgments, run, [asked], level)
    measure = LEVELLED[name].format(l=level)
    for topic, value in evaluate(judgments, run, measure, scenario=SCENARIO)["run", measure].items():
        if topic in run:
            assert abs(value - expected[topic][name]) <= 1e-12, (topic, value, expected[topic][name])


def test_one_call_for_all_measures_equals_one_call_each(batch: tuple[Table, Table]) -> None:
    """Measures share no state: asked for together, in any order, each is what it is alone."""
    judgments, run = batch
    ours_too = ("P", "relative_P")  # alone these are our own names, which need a cutoff
    names = [f"{name}.5,10,1000" if name in ours_too else name for name in sorted(BOUND)]
    together = evaluate(judgments, run, names, scenario=SCENARIO)
    again = evaluate(judgments, run, names[::-1], scenario=SCENARIO)
    for measure in parse_measures(names):
        alone = evaluate(judgments, run, [measure], scenario=SCENARIO)["run", measure.text].values
        assert np.array_equal(together["run", measure.text].values, alone, equal_nan=True)
        assert np.array_equal(again["run", measure.text].values, alone, equal_nan=True)


EXACT = (
    "11pt_avg",
    "11pt_avg.0.2,0.5,0.8",
    "11pt_avg.0.3",
    "set_F",
    "set_F.0.5",
    "set_F.0.1",
    "set_F.3",
    "map",
    "infAP",
)


@pytest.mark.parametrize("name", EXACT)
def test_sums_and_weights_are_those_of_the_program_to_the_last_bit(name: str) -> None:
    judgments, run = random_topics(11, 300)
    theirs = oracle(judgments, run, [name])
    expected = {topic: value for topic, values in theirs.items() for value in values.values()}
    measured = ours(judgments, run, name)
    assert {topic: measured[topic] for topic in expected} == expected


@pytest.mark.parametrize(("gains", "grades", "theirs"), [
    ("1=0.5", {"a": 1, "b": 0}, 0.0),
    ("1=2.5,2=2", {"a": 1, "b": 2}, 1.0515846770964656),
    ("1=2.5", {"a": 1, "b": 0}, 1.0),
])  # fmt: skip
def test_trec_eval_sorts_fractional_gains_as_whole_numbers(gains: str, grades: dict[str, int], theirs: float) -> None:
    """Its ideal is then no ideal, as docs/agreement.md says. The wrapper reads no gains, the module below it does."""
    run = {"1": {"a": 2.0, "b": 1.0}}
    measure = f"ndcg.{gains}"
    found = pytrec_eval_ext.RelevanceEvaluator({"1": grades}, {measure}, 1).evaluate(run)
    assert found["1"]["ndcg"] == pytest.approx(theirs, abs=1e-12)
    assert evaluate({"1": grades}, run, measure, scenario=SCENARIO).summary()["run"][f"nDCG(gains='{gains}')"] == 1
