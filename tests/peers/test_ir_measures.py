"""The provider of ir_measures, asked through ir_measures' own pipeline and through PyTerrier's Experiment."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

import ir_measures
import pandas as pd
import pyterrier as pt
import pytest
from ir_measures import AP, RR, Qrel, Rprec, ScoredDoc, nDCG

import gaincurve as gc
import gaincurve.ir_measures as provider
from gaincurve.ir_measures import CG, PROVIDER, SAME, nCG, take_over

QRELS = [Qrel("q1", "d1", 3), Qrel("q1", "d2", 0), Qrel("q1", "d3", 1), Qrel("q2", "d4", 2)]
RUN = [ScoredDoc("q1", "d2", 3.0), ScoredDoc("q1", "d1", 2.0), ScoredDoc("q1", "d3", 1.0), ScoredDoc("q2", "d9", 1.0)]


@pytest.fixture
def ours_first() -> Iterator[None]:
    pipeline = ir_measures.DefaultPipeline.providers
    before = list(pipeline)
    take_over()
    yield
    PROVIDER.taking_over = False
    pipeline[:] = before


def test_cumulated_gain_through_their_pipeline() -> None:
    """CG of q1 at 2 is 0 + 3, of q2 it is 0; the ideal of q1 is 3 + 1."""
    values = {(m.measure, m.query_id): m.value for m in ir_measures.iter_calc([CG @ 2, nCG @ 2], QRELS, RUN)}
    assert values == {(CG @ 2, "q1"): 3, (CG @ 2, "q2"): 0, (nCG @ 2, "q1"): 0.75, (nCG @ 2, "q2"): 0}
    assert ir_measures.calc_aggregate([CG @ 2, nDCG @ 2], QRELS, RUN)[CG @ 2] == 1.5


def test_ndcg_with_gains_and_base_is_no_other_providers() -> None:
    steep = provider.nDCG(gains="0-1-10-100", discount="jk2002", base=2) @ 3
    assert str(steep) == "gaincurve.nDCG(gains='0-1-10-100',discount='jk2002',base=2)@3"
    assert not ir_measures.pytrec_eval.supports(steep)
    value = ir_measures.calc_aggregate([steep], QRELS, RUN)[steep]
    q1 = (100 / 1 + 1 / math.log2(3)) / (100 + 1)  # ranks 1 and 2 are not discounted under base 2
    assert value == pytest.approx(q1 / 2, abs=1e-15)


def test_a_summary_is_the_measures_own() -> None:
    first = provider.FirstRank
    assert ir_measures.calc_aggregate([first], QRELS, RUN)[first] == 2  # q2 found none: left out of the median
    assert ir_measures.calc_aggregate([provider.NumRelRet], QRELS, RUN)[provider.NumRelRet] == 2


def test_pyterrier_experiments_take_our_measures() -> None:
    results = pd.DataFrame([{"qid": d.query_id, "docno": d.doc_id, "score": d.score, "rank": 0} for d in RUN])
    topics = pd.DataFrame({"qid": ["q1", "q2"], "query": ["one", "two"]})
    qrels = pd.DataFrame([{"qid": q.query_id, "docno": q.doc_id, "label": q.relevance} for q in QRELS])
    table = pt.Experiment([results], topics, qrels, eval_metrics=[CG @ 2, "ndcg_cut_10"], names=["made up"])
    assert table["CG@2"].tolist() == [1.5]


def test_a_pyterrier_experiment_by_query_and_against_a_baseline() -> None:
    topics = pd.DataFrame({"qid": ["q1", "q2", "q3"], "query": ["one", "two", "three"]})
    qrels = pd.DataFrame(
        [("q1", "d1", 3), ("q1", "d3", 1), ("q2", "d4", 2), ("q3", "d5", 1)], columns=["qid", "docno", "label"]
    )
    poor = pd.DataFrame([("q1", "d3", 2.0, 0), ("q2", "d9", 1.0, 0)], columns=["qid", "docno", "score", "rank"])
    good = pd.DataFrame(
        [("q1", "d1", 2.0, 0), ("q2", "d4", 1.0, 0), ("q3", "d5", 1.0, 0)], columns=["qid", "docno", "score", "rank"]
    )
    steep = provider.nDCG(gains="exp2") @ 2
    ideal = 7 + 1 / math.log2(3)
    settings = {"eval_metrics": [CG @ 2, steep], "names": ["poor", "good"]}
    table = pt.Experiment([poor, good], topics, qrels, **settings, baseline=0)
    assert table["CG@2"].tolist() == pytest.approx([1 / 3, 2])
    assert table[str(steep)].tolist() == pytest.approx([1 / ideal / 3, (7 / ideal + 2) / 3])
    assert table["CG@2 +"].tolist()[1] == 3
    rows = pt.Experiment([poor, good], topics, qrels, **settings, perquery=True)
    by_query = {
        (row.name_, row.qid, row.measure): row.value for row in rows.rename(columns={"name": "name_"}).itertuples()
    }
    assert by_query["poor", "q3", "CG@2"] == 0
    assert by_query["good", "q1", str(steep)] == pytest.approx(7 / ideal)
    comparison = gc.compare(rows, baseline="poor")
    differences = sorted(pair.difference for family in comparison.families for pair in family.pairs)
    assert differences == pytest.approx([(6 / ideal + 2) / 3, 5 / 3])
    assert "scores-direction" not in [note.slug for note in comparison.notes]


def test_samples_and_subtopics_are_read_from_the_iteration() -> None:
    """One stratum of four, all sampled, and a list 1 0 1 that holds all the relevant: 1.5 / (1 + 1/log2(3))."""
    sampled = [Qrel("q", name, grade, "s1") for name, grade in (("a", 1), ("b", 0), ("c", 1), ("d", 0))]
    listed = [ScoredDoc("q", name, -rank) for rank, name in enumerate("abc")]
    values = ir_measures.calc_aggregate([provider.infNDCG, CG @ 2], sampled, listed)
    assert values[provider.infNDCG] == pytest.approx(1.5 / (1 + 1 / math.log2(3)), abs=1e-4)
    assert values[CG @ 2] == 1
    subtopics = [Qrel("q", "a", 1, "1"), Qrel("q", "a", 1, "2"), Qrel("q", "b", 1, "3"), Qrel("q", "c", 1, "4")]
    recall = provider.InstanceRecall
    assert ir_measures.calc_aggregate([recall @ 1, recall @ 2], subtopics, listed) == {
        recall @ 1: 0.5,
        recall @ 2: 0.75,
    }


REQUIRED = {"Fallout": {"N": 1000}, "NR": {"N": 1000}, "IPrec": {"cutoff": 0.5}}
STRATUM = [Qrel(qrel.query_id, qrel.doc_id, qrel.relevance, "s1") for qrel in QRELS]


@pytest.mark.parametrize("name", sorted({*provider._BY_NAME} - {"InstanceRecall"}))  # it has a test of its own
def test_every_measure_goes_through_their_pipeline(name: str) -> None:
    """With the value that gaincurve gives to the same judgments and run."""
    measure = getattr(provider, name)
    needed = {"cutoff": 3} if getattr(measure.SUPPORTED_PARAMS.get("cutoff"), "required", False) else {}
    measure = measure(**needed, **REQUIRED.get(name, {}))
    ours = provider.parsed(measure)
    field = {"stratum": "s1"} if ours.definition.needs == "strata" else {}
    rows = [{"topic": q.query_id, "document": q.doc_id, "grade": q.relevance} | field for q in QRELS]
    scores = gc.evaluate(rows, [tuple(d) for d in RUN], ours)["run", str(ours)]
    values = {m.query_id: m.value for m in ir_measures.iter_calc([measure], STRATUM, RUN)}
    assert values == pytest.approx(dict(scores.items()), abs=1e-15, nan_ok=True)


def made_up(seed: int, ties: bool) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    rng = random.Random(seed)
    topics = [f"q{i}" for i in range(12)]
    judgments = {t: {f"d{i}": rng.choice((0, 0, 1, 2)) for i in rng.sample(range(40), 15)} for t in topics}
    scores = [float(i) for i in range(10 if ties else 400)]
    run = {
        t: dict(zip((f"d{i}" for i in rng.sample(range(40), 25)), rng.sample(scores * 25, 25), strict=True))
        for t in topics[1:]
    }
    return judgments, run


ASKED = [
    AP, AP @ 10, nDCG, nDCG @ 10, RR, Rprec, ir_measures.P @ 5, ir_measures.P(rel=2) @ 5, ir_measures.R @ 10,
    ir_measures.Success @ 3, ir_measures.SetP, ir_measures.SetR, ir_measures.SetF, ir_measures.SetAP,
    ir_measures.IPrec @ 0.4, ir_measures.Bpref, ir_measures.infAP, ir_measures.NumRet, ir_measures.Judged @ 10,
    AP(judged_only=True), ir_measures.SetF(beta=2.0),
]  # fmt: skip


@pytest.mark.usefixtures("ours_first")
@pytest.mark.parametrize("measure", ASKED, ids=str)
def test_what_we_take_over_is_the_number_of_their_provider(measure: ir_measures.Measure) -> None:
    assert measure.NAME in SAME
    judgments, run = made_up(5, ties=False)
    theirs = next(p for p in ir_measures.DefaultPipeline.providers[1:] if p.supports(measure) and p.is_available())
    assert ir_measures.DefaultPipeline.providers[0] is PROVIDER
    assert PROVIDER.supports(measure)
    ours_by_topic, theirs_by_topic = (
        {m.query_id: m.value for m in p.iter_calc([measure], judgments, run)} for p in (PROVIDER, theirs)
    )
    assert ours_by_topic == pytest.approx(theirs_by_topic, abs=1e-6)  # some add in single precision
    assert ir_measures.calc_aggregate([measure], judgments, run)[measure] == pytest.approx(
        theirs.calc_aggregate([measure], judgments, run)[measure], abs=1e-6
    )


@pytest.mark.usefixtures("ours_first")
def test_one_order_of_tied_documents_for_all_measures() -> None:
    judgments, run = made_up(6, ties=True)
    asked = [AP, nDCG @ 10, CG @ 10]
    values = ir_measures.calc_aggregate(asked, judgments, run)
    scores = gc.evaluate(judgments, run, ["AP", "nDCG@10", "CG@10"], empty="zero").summary()["run"]
    assert [values[m] for m in asked] == pytest.approx(list(scores.values()), abs=1e-15)


def test_measures_that_share_a_name_only_are_left_to_others() -> None:
    """Their NumRel counts only topics that the run has; their RBP is another number for graded judgments."""
    take_over()
    try:
        assert not PROVIDER.supports(ir_measures.RBP(p=0.8))
        assert not PROVIDER.supports(ir_measures.NumRel)
    finally:
        PROVIDER.taking_over = False


def test_a_measure_with_wrong_parameters_says_what_is_wrong() -> None:
    with pytest.raises(gc.GaincurveError, match="gain"):
        ir_measures.calc_aggregate([CG(gains="steep") @ 2], QRELS, RUN)


def test_ir_measures_keeps_the_last_line_of_a_document_listed_twice() -> None:
    """As docs/pitfalls.md says: d1 falls from rank 1 to the end of the list, where we refuse it."""
    run = [ScoredDoc("q", "d1", 5.0), ScoredDoc("q", "d2", 4.0), ScoredDoc("q", "d1", 1.0)]
    assert ir_measures.calc_aggregate([RR], [Qrel("q", "d1", 1), Qrel("q", "d2", 0)], run) == {RR: 0.5}
    with pytest.raises(gc.InputError, match="lists document d1 twice"):
        gc.evaluate({"q": {"d1": 1, "d2": 0}}, run, "RR")
