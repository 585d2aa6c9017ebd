"""gaincurve as a provider of ir_measures, and so of PyTerrier: import this module once.

Measures that ir_measures does not have get their own name (`CG@10`, `nCG@10`, `RBPResidual(p=0.8)`, …). Those it has in
another form are `gaincurve.nDCG`, … here, so that `gaincurve.nDCG(gains='0-1-10-100', base=2)@10` never is mistaken for
its nDCG. `take_over()` lets gaincurve compute ir_measures' own measures, too: one order of tied documents for all.

The `iteration` of a Qrel is the stratum for infNDCG and the other measures of samples (relevance −1: pooled, not
sampled), and the subtopic for InstanceRecall.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from gaincurve.errors import GaincurveError, MissingExtra, Problem
from gaincurve.measures.notation import parse_measure
from gaincurve.measures.registry import REGISTRY
from gaincurve.model.judgments import Judgments
from gaincurve.model.measure import Definition, Measure
from gaincurve.model.run import Run
from gaincurve.model.summaries import summarised
from gaincurve.verbs.evaluate import evaluate

try:
    import ir_measures
    from ir_measures import Metric, measures, providers
except ImportError as error:
    what = f"gaincurve.ir_measures needs ir_measures: {error}"
    raise MissingExtra(Problem("extra-missing", what, hint="pip install ir-measures")) from None

NAME = "gaincurve"
SAME = (
    "AP", "Bpref", "IPrec", "Judged", "NumRet", "P", "R", "RR", "Rprec", "SetAP", "SetF", "SetP", "SetR", "Success",
    "infAP", "nDCG",
)  # fmt: skip
"""ir_measures' own measures that `take_over` computes: names under which both mean the same number."""


class _All(measures.MeanAgg):  # type: ignore[misc]  # its types are not known here
    """The summary of a measure, undefined values left out."""

    def __init__(self, kind: str):
        self.kind, self.values = kind, list[float]()

    def add(self, value: float) -> None:
        self.values.append(value)

    def result(self) -> float:
        return summarised(np.array(self.values), self.kind)


def _register(definition: Definition) -> measures.Measure:
    """The class of a measure as ir_measures wants it, and its first object."""
    clash = definition.name in measures.registry
    name = f"{NAME}.{definition.name}" if clash else definition.name
    parameters = {key: measures.ParamInfo(desc=definition.parameter(key).help) for key in definition.parameters}
    if definition.cutoff != "none":
        parameters["cutoff"] = measures.ParamInfo(required=definition.cutoff == "required", desc="ranking cutoff")
    members = {
        "__name__": name,
        "NAME": name,
        "PRETTY_NAME": definition.title,
        "SHORT_DESC": definition.about.partition("\n")[0],
        "SUPPORTED_PARAMS": parameters,
        "DEFAULT": float("nan") if definition.empty == "undefined" else 0.0,
        "aggregator": lambda asked: _All(parsed(asked).summary),
        "__doc__": definition.about,
    }
    measure = type(f"_{definition.name}", (measures.Measure,), members)()
    measures.register(measure)
    return measure


def parsed(measure: measures.Measure) -> Measure:
    """One of ir_measures' measures as ours; its `judged_only` is a choice of ours and left out."""
    if measure.params.get("judged_only"):
        measure = measure(judged_only=False)
    if measure.NAME == "SetF" and "beta" in measure.params:
        measure = measure(beta=math.sqrt(measure["beta"]))  # theirs is handed to trec_eval, which takes β²
    return parse_measure(str(measure).removeprefix(f"{NAME}."))


class GaincurveProvider(providers.Provider):  # type: ignore[misc]
    """gaincurve: cumulated gain with any gains, discount and ideal, and the measures of other papers."""

    NAME = NAME
    taking_over = False

    def supports(self, measure: measures.Measure) -> bool:
        """Ours, and ir_measures' own once `take_over` was called."""
        measure.validate_params()
        if not (measure.NAME in _OURS or (self.taking_over and measure.NAME in SAME)):
            return False
        try:
            parsed(measure)
        except GaincurveError:
            return measure.NAME in _OURS  # our own error says more than "unsupported"
        return True

    def _evaluator(self, asked: Iterable[measures.Measure], qrels: Any) -> providers.Evaluator:
        return _Evaluator(list(asked), list(ir_measures.util.QrelsConverter(qrels).as_namedtuple_iter()))


class _Evaluator(providers.Evaluator):  # type: ignore[misc]
    def __init__(self, asked: list[measures.Measure], qrels: list[ir_measures.Qrel]):
        super().__init__(asked, {qrel.query_id for qrel in qrels})
        self.groups: dict[tuple[str, bool], dict[Measure, measures.Measure]] = {}
        for measure in self.measures:
            ours = parsed(measure)
            group = _ITERATION.get(ours.definition.needs, ""), bool(measure.params.get("judged_only"))
            self.groups.setdefault(group, {})[ours] = measure
        self.judgments = {iteration: _judgments(qrels, iteration) for iteration, _ in self.groups}

    def _iter_calc(self, run: Any) -> Iterator[Metric]:
        rows = [(d.query_id, d.doc_id, d.score) for d in ir_measures.util.RunConverter(run).as_namedtuple_iter()]
        if not rows:
            return  # PyTerrier asks so for topics a system found nothing for: they get the default
        ranked = Run.of(rows, NAME)
        for (iteration, judged_only), asked in self.groups.items():
            judgments = self.judgments[iteration]
            scores = evaluate(judgments, ranked, list(asked), unjudged="condensed" if judged_only else "zero")
            for ours, measure in asked.items():
                for topic, value in scores[NAME, str(ours)].items():
                    if not (math.isnan(value) and measure.NAME in SAME):  # theirs give the default where undefined
                        yield Metric(query_id=topic, measure=measure, value=value)


def _judgments(qrels: list[ir_measures.Qrel], iteration: str) -> Judgments:
    """The judgments, with their iteration under the name of what it holds; '' where it holds nothing."""
    if not iteration:
        return Judgments.of((qrel.query_id, qrel.doc_id, qrel.relevance) for qrel in qrels)
    return Judgments.of(
        {"topic": qrel.query_id, "document": qrel.doc_id, "grade": qrel.relevance, iteration: str(qrel.iteration)}
        for qrel in qrels
    )


def take_over() -> None:
    """Let gaincurve compute also the measures that ir_measures has: one order of tied documents for all of them."""
    PROVIDER.taking_over = True
    pipeline = ir_measures.DefaultPipeline.providers
    pipeline.remove(PROVIDER)
    pipeline.insert(0, PROVIDER)


_ITERATION = {"strata": "stratum", "subtopics": "subtopic"}
"""What the iteration of a judgment holds, by what a measure needs of the judgments."""
_BY_NAME = {definition.name: _register(definition) for definition in REGISTRY.values() if definition.over == "topic"}
_OURS = {measure.NAME for measure in _BY_NAME.values()}
PROVIDER = GaincurveProvider()
providers.register(PROVIDER)
ir_measures.DefaultPipeline.providers.append(PROVIDER)


def __getattr__(name: str) -> measures.Measure:
    try:
        return _BY_NAME[name]
    except KeyError:
        raise AttributeError(f"gaincurve.ir_measures has no measure {name}") from None
