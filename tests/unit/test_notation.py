"""Measures as text: one canonical form that parses back, other tools' spellings, suggestions, errors, signatures."""

import math

import pytest
from effort import examples
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gaincurve._version import __version__
from gaincurve.errors import ChoiceError
from gaincurve.measures.notation import make_measure, parse_measure, parse_measures
from gaincurve.measures.registry import REGISTRY
from gaincurve.measures.trec_names import TREC_NAMES
from gaincurve.model.measure import Measure
from gaincurve.model.parameters import PARAMETERS
from gaincurve.model.scenario import SCENARIOS
from gaincurve.verbs.evaluate import evaluate


def texts(given_: str) -> list[str]:
    return [measure.text for measure in parse_measures(given_)]


@pytest.mark.parametrize(
    ("given_", "canonical"),
    [
        ("nDCG@10", "nDCG@10"),
        ("nDCG", "nDCG"),
        ("  nDCG@10 ", "nDCG@10"),
        ("ndcg@10", "nDCG@10"),
        ("NDCG@10", "nDCG@10"),
        ("cg", "CG"),
        ("nDCG()@10", "nDCG@10"),
        ("nDCG@010", "nDCG@10"),
        # product.md, section Measure notation
        (
            "nDCG(gains='0-1-10-100', discount='jk2002', base=2)@100",
            "nDCG(gains='0-1-10-100', discount='jk2002', base=2)@100",
        ),
        ("nDCG(average='ranks')@200", "nDCG(average='ranks')@200"),
        # parameters in any order, quoted either way or not at all
        ("nDCG(base=2.0, discount=jk2002)@5", "nDCG(discount='jk2002', base=2)@5"),
        ('nDCG(gains="exp2")', "nDCG(gains='exp2')"),
        ("CG(gains=0-1-10-100)@5", "CG(gains='0-1-10-100')@5"),
        ("CG(gains='0-1.0-10')", "CG(gains='0-1-10')"),
        ("CG(gains=[0, 1, 0.5])", "CG(gains='0-1-0.5')"),
        ("CG(gains={2: 9, 1: 3})", "CG(gains='1=3,2=9')"),
        ("CG(gains='binary(rel=2)')", "CG(gains='binary(rel=2)')"),
        ("CG(gains=binary(rel=2))", "CG(gains='binary(rel=2)')"),
        ("CG(gains='binary:2')", "CG(gains='binary(rel=2)')"),
        ("CG(gains='binary(rel=1)')", "CG(gains='binary')"),
        ("DCG(discount='jk2002', base=inf)", "DCG(discount='jk2002', base=inf)"),
        ("DCG(discount='jk2002', base='2.5')", "DCG(discount='jk2002', base=2.5)"),
        ("nCG(ideal='retrieved')@3", "nCG(ideal='retrieved')@3"),
        # parameters of the other families
        ("P(rel=2)@5", "P(rel=2)@5"),
        ("P(rel=2.0)@5", "P(rel=2)@5"),
        ("P(rel='2')@5", "P(rel=2)@5"),
        ("R(only=0.5)@5", "R(only=0.5)@5"),
        ("AP(rel=-1)", "AP(rel=-1)"),
        ("AP(norm=min)@5", "AP(norm='min')@5"),
        ("ap@100", "AP@100"),
        ("SetF(beta=2.0)", "SetF(beta=2)"),
        ("SetF(alpha=0.5, rel=2)", "SetF(rel=2, alpha=0.5)"),
        ("Fallout(N=1e6)", "Fallout(N=1000000)"),
        ("NR(rel=2, N=100)", "NR(rel=2, N=100)"),
        ("ESL(count=all, wanted=2)", "ESL(wanted=2, count='all')"),
        ("Rprec(mult=0.50)", "Rprec(mult=0.5)"),
        ("IPrec@.1", "IPrec@0.1"),
        ("IPrec@0.10", "IPrec@0.1"),
        ("IPrec@1.0", "IPrec@1"),
        ("IPrec@0", "IPrec@0"),
        ("IPrec(points='trec_eval-9', rel=2)@0.25", "IPrec(points='trec_eval-9', rel=2)@0.25"),
        ("AP11(points=exact)", "AP11(points='exact')"),
        ("RBP(top=4.0, p=.9)@10", "RBP(p=0.9, top=4)@10"),
        ("ERR(top=topic)@20", "ERR(top='topic')@20"),
        ("ERR(top='judgments')", "ERR(top='judgments')"),
        ("INST(T=3, top=4)", "INST(top=4, T=3)"),
        ("Q(beta=.5, gains=exp2)", "Q(gains='exp2', beta=0.5)"),
        ("SFT(part=frustration, w=1)@3", "SFT(w=1, part='frustration')@3"),
        ("SFT(frustration={0: 1, 1: 0.5})@3", "SFT(frustration='0=1,1=0.5')@3"),
        ("Utility(d=-2, a=1.0, N=50)", "Utility(N=50, a=1, d=-2)"),
        ("InstanceRecall(rel=2)@10", "InstanceRecall(rel=2)@10"),
        ("FirstRank(summary=mean)", "FirstRank(summary='mean')"),
        ("AP(summary='geometric')", "AP(summary='geometric')"),
        ("nDCG(summary='median')@10", "nDCG(summary='median')@10"),
        # names in any case; a parameter that is the default is kept, for it was asked for
        ("instancerecall@5", "InstanceRecall@5"),
        ("BPREF", "bpref"),
        ("P(rel=1)@5", "P(rel=1)@5"),
    ],
)
def test_one_canonical_form_that_parses_back(given_: str, canonical: str) -> None:
    measure = parse_measure(given_)
    assert str(measure) == measure.text == canonical
    assert parse_measure(canonical) == measure
    assert hash(parse_measure(canonical)) == hash(measure)


finite = st.just(0.0) | st.floats(1e-60, 1e60)
gains = (
    st.sampled_from(["identity", "exp2", "binary"])
    | st.lists(finite, min_size=2, max_size=5)
    | st.dictionaries(st.floats(allow_nan=False, allow_infinity=False), finite, min_size=1, max_size=4)
    | st.floats(allow_nan=False, allow_infinity=False).map(lambda rel: f"binary(rel={rel!r})")
)
parameters = st.fixed_dictionaries(
    {},
    optional={
        "gains": gains,
        "discount": st.sampled_from(["jk2002", "jarvelin2008", "kanoulas2011"]),
        "base": st.floats(min_value=1, exclude_min=True, allow_nan=False),
        "ideal": st.sampled_from(["judged", "retrieved", "pooled"]),
        "average": st.just("ranks"),
    },
)


@settings(max_examples=examples(300), deadline=None)
@given(st.sampled_from(["CG", "DCG", "nCG", "nDCG"]), parameters, st.none() | st.integers(1, 10**6))
def test_every_measure_parses_back_to_itself(name: str, given_: dict[str, object], cutoff: int | None) -> None:
    known = {key: value for key, value in given_.items() if key in REGISTRY[name].parameters}
    measure = make_measure(name, known, cutoff)
    assert parse_measure(measure.text) == measure
    assert parse_measure(measure.text).text == measure.text


number = st.floats(allow_nan=False, allow_infinity=False)
above = st.floats(min_value=0, exclude_min=True, allow_nan=False, allow_infinity=False)
VALUES: dict[str, st.SearchStrategy[object]] = {
    "gains": gains,
    "discount": st.sampled_from(["none", "rank", "jk2002", "jarvelin2008", "log", "kanoulas2011"]),
    "base": st.floats(min_value=1, exclude_min=True, allow_nan=False),
    "ideal": st.sampled_from(["judged", "retrieved", "pooled"]),
    "points": st.sampled_from(["exact", "trec_eval-9", "trec_eval-10"]),
    "levels": st.lists(st.floats(0, 1), min_size=1, unique=True).map(lambda levels: ",".join(map(str, levels))),
    "average": st.just("ranks"),
    "rel": number,
    "only": number,
    "norm": st.sampled_from(["R", "min"]),
    "beta": st.floats(0, 1e6),
    "alpha": st.floats(1e-12, 1),
    "N": st.integers(1, 10**12),
    "mult": st.floats(0, 1e6, exclude_min=True),
    "wanted": st.integers(1, 10**9),
    "count": st.sampled_from(["nonrelevant", "all"]),
    "p": st.floats(min_value=0, max_value=1, exclude_min=True, exclude_max=True),
    "top": st.sampled_from(["judgments", "topic"]) | above,
    "T": st.floats(1, 1e6),
    "w": st.floats(0, 1),
    "part": st.sampled_from(["total", "satisfaction", "frustration"]),
    "frustration": st.dictionaries(finite, finite, min_size=1, max_size=4),
    "a": st.floats(-1e6, 1e6),
    "b": st.floats(-1e6, 1e6),
    "c": st.floats(-1e6, 1e6),
    "d": st.floats(-1e6, 1e6),
    "empty_strata": st.sampled_from(["error", "skip"]),
    "summary": st.sampled_from(["mean", "median", "sum", "geometric"]),
}


share = st.floats(0, 1)
OF_SESSIONS: dict[str, st.SearchStrategy[object]] = {
    "score": st.sampled_from(["final", "average", "first", "last", "best", "queries"]),
    "p_down": share,
    "p_reform": share,
    "p": st.floats(0, 0.999999),
    "b": share,
    "gains": gains,
    "discount": VALUES["discount"],
    "base": VALUES["base"],
    "query_discount": VALUES["discount"],
    "bq": VALUES["base"],
    "rank_scope": st.sampled_from(["query", "session"]),
    "normalise": st.sampled_from(["concat", "per_query"]),
    "ideal": st.sampled_from(["repeat", "spread", "bound"]),
    "horizon": st.sampled_from(["own", "longest"]) | st.integers(1, 1000),
    "pad": st.sampled_from(["x", "none", "min:3"]),
    "scan": st.sampled_from(["top", "observed", "clicks"]),
    "repeats": st.sampled_from(["count", "first"]),
    "empty_lists": st.sampled_from(["count", "skip"]),
    "unjudged_queries": st.sampled_from(["skip", "zero", "error"]),
    "summary": VALUES["summary"],
}
ALL_VALUES = {"topic": VALUES, "session": OF_SESSIONS}


def test_every_parameter_has_values_to_try() -> None:
    for over, known in PARAMETERS.items():
        assert list(ALL_VALUES[over]) == list(known)


@st.composite
def any_measure(draw: st.DrawFn) -> Measure:
    """Any measure there is with any of its parameters."""
    definition = REGISTRY[draw(st.sampled_from(sorted(REGISTRY)))]
    values = ALL_VALUES[definition.over]
    optional = {key: values[key] for key in definition.parameters if key not in definition.required}
    given_ = draw(st.fixed_dictionaries({key: values[key] for key in definition.required}, optional=optional))
    for one, other in (("rel", "only"), ("beta", "alpha")):
        if one in given_ and other in given_:
            del given_[draw(st.sampled_from([one, other]))]
    cutoff: object = None
    if definition.cutoff == "recall":
        cutoff = draw(st.none() | st.floats(0, 1))
    elif definition.cutoff != "none":
        cutoff = draw(st.none() | st.integers(1, 10**9))
    try:
        return make_measure(definition.name, given_, cutoff)
    except ChoiceError:
        assume(definition.over == "topic")  # not all rules of sessions go together; other measures take anything
        raise


@settings(max_examples=examples(400), deadline=None)
@given(any_measure())
def test_any_measure_with_any_parameters_parses_back_to_itself(measure: Measure) -> None:
    again = parse_measure(measure.text)
    assert again == measure
    assert again.text == measure.text
    assert again.parameters == measure.parameters
    assert parse_measures([measure.text, measure]) == [measure]


def test_tiny_gains_survive_their_canonical_text() -> None:
    """Gains below 0.0001 print with an exponent, whose minus sign must not split the list."""
    measure = parse_measure("CG(gains=[0, 0.00001, 1])@5")
    assert parse_measure(measure.text) == measure
    assert evaluate({"q": {"d": 1}}, {"q": ["d"]}, measure.text).values.tolist() == [[[1e-5]]]


@pytest.mark.parametrize(
    ("given_", "expected"),
    [
        ("ndcg", ["nDCG"]),
        ("ndcg_cut_10", ["nDCG@10"]),
        ("ndcg_cut.10", ["nDCG@10"]),
        ("ndcg_cut.5,10", ["nDCG@5", "nDCG@10"]),
        ("ndcg_cut_5,10", ["nDCG@5", "nDCG@10"]),
        ("ndcg_cut", [f"nDCG@{k}" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)]),
        ("ndcg.1=3,2=9", ["nDCG(gains='1=3,2=9')"]),
        ("nDCG@5,10", ["nDCG@5", "nDCG@10"]),
        ("nDCG@5, 10", ["nDCG@5", "nDCG@10"]),
    ],
)
def test_trec_eval_names_and_several_cutoffs(given_: str, expected: list[str]) -> None:
    assert texts(given_) == expected


@pytest.mark.parametrize(
    ("given_", "expected"),
    [
        ("map", ["AP"]),
        ("map_cut_5", ["AP@5"]),
        ("map_cut.5,10", ["AP@5", "AP@10"]),
        ("map_cut", [f"AP@{k}" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)]),
        ("gm_map", ["AP(summary='geometric')"]),
        ("gm_bpref", ["bpref(summary='geometric')"]),
        ("11pt_avg", ["AP11"]),
        ("11pt_avg.0.2,0.5,0.8", ["AP11(levels='0.2,0.5,0.8')"]),
        ("11pt_avg_.8,0.20,.5", ["AP11(levels='0.2,0.5,0.8')"]),
        ("recip_rank", ["RR"]),
        ("iprec_at_recall_0.10", ["IPrec@0.1"]),
        ("iprec_at_recall.0.25,0.75", ["IPrec@0.25", "IPrec@0.75"]),
        ("iprec_at_recall", [f"IPrec@{i / 10:g}" for i in range(11)]),
        ("P_5", ["P@5"]),
        ("P.5,10", ["P@5", "P@10"]),
        ("recall_1000", ["R@1000"]),
        ("recall.1,2", ["R@1", "R@2"]),
        ("relative_P_5", ["relative_P@5"]),
        ("success", ["Success@1", "Success@5", "Success@10"]),
        ("success_1", ["Success@1"]),
        ("Rprec_mult.0.2,1.0", ["Rprec(mult=0.2)", "Rprec(mult=1)"]),
        ("Rprec_mult_0.20", ["Rprec(mult=0.2)"]),
        ("Rprec_mult", [f"Rprec(mult={i / 5:g})" for i in range(1, 11)]),
        ("set_P", ["SetP"]),
        ("set_recall", ["SetR"]),
        ("set_F", ["SetF"]),
        ("set_F_0.5", [f"SetF(beta={math.sqrt(0.5)})"]),  # theirs is β²
        ("set_F.4", ["SetF(beta=2)"]),
        ("set_map", ["SetAP"]),
        ("set_relative_P", ["SetRelP"]),
        ("utility", ["Utility"]),
        ("utility.1,-1,0,0", ["Utility(a=1, b=-1, c=0, d=0)"]),
        ("utility_2,-0.5,-1,0", ["Utility(a=2, b=-0.5, c=-1, d=0)"]),
        ("num_ret", ["NumRet"]),
        ("num_rel", ["NumRel"]),
        ("num_rel_ret", ["NumRelRet"]),
        ("num_nonrel_judged_ret", ["NumNonrelRet"]),
        ("ndcg_1=3,2=9", ["nDCG(gains='1=3,2=9')"]),
        ("G.1=3,2=9", ["G(gains='1=3,2=9')"]),
        ("ndcg_rel.1=3,2=9", ["ndcg_rel(gains='1=3,2=9')"]),
        ("Rndcg.1=3,2=9", ["Rndcg(gains='1=3,2=9')"]),
        ("dcg", ["DCG"]),
        ("unj", ["Unjudged@5", "Unjudged@10", "Unjudged@20"]),
        ("unj_7", ["Unjudged@7"]),
        ("rbp", ["RBP(p=0.9, top='topic')"]),
        ("rbp.p=0.5", ["RBP(p=0.5, top='topic')"]),
        ("rbp.1=3,p=0.5,2=9", ["RBP(gains='1=3,2=9', p=0.5, top='topic')"]),
        ("rbp.1=3", ["RBP(gains='1=3', p=0.9, top='topic')"]),
        ("rbp_resid", ["RBPResidual(p=0.9)"]),
    ],
)
def test_trec_eval_names_of_all_kinds(given_: str, expected: list[str]) -> None:
    assert texts(given_) == expected


@pytest.mark.parametrize("name", TREC_NAMES)
def test_every_trec_eval_name_can_be_asked_for(name: str) -> None:
    """Alone where it is not also a name of ours that needs a cutoff; with a cutoff in any case."""
    asked = f"{name}.5" if name in ("P", "relative_P") else name
    for scenario in ("trec_eval-9.0.8", "trec_eval-10"):
        found = evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, asked, scenario=SCENARIOS[scenario])
        assert found.measures


@pytest.mark.parametrize(
    ("given_", "expected"),
    [
        ("MAP", "AP"),
        ("MAP@5", "AP@5"),
        ("mrr", "RR"),
        ("MRR@10", "RR@10"),
        ("Recall@10", "R@10"),
        ("recall@10", "R@10"),
        ("Precision@5", "P@5"),
        ("precision(rel=2)@5", "P(rel=2)@5"),
        ("HitRate@10", "Success@10"),
        ("Hits@1", "Success@1"),
        ("SubtopicRecall@5", "InstanceRecall@5"),
        ("StRecall@5", "InstanceRecall@5"),
    ],
)
def test_names_that_others_give_to_the_same_measure(given_: str, expected: str) -> None:
    assert parse_measure(given_).text == expected


def test_every_alias_means_one_measure_and_is_no_other_name() -> None:
    names = [name.lower() for name in REGISTRY]
    aliases = [alias.lower() for definition in REGISTRY.values() for alias in definition.aliases]
    assert len(set(names)) == len(names)
    assert len(set(aliases)) == len(aliases)
    assert not set(names) & set(aliases)


@pytest.mark.parametrize(
    ("given_", "expected"),
    [
        ("nDCG@10", "nDCG@10"),
        ("nDCG(dcg='log2')@10", "nDCG(gains='identity', discount='log')@10"),
        ("nDCG(dcg='exp-log2')@10", "nDCG(gains='exp2', discount='log')@10"),
        ("nDCG(gains={0:0,1:1,2:3})@20", "nDCG(gains='0=0,1=1,2=3')@20"),
        ("P(rel=2)@5", "P(rel=2)@5"),
        ("AP(rel=2)@100", "AP(rel=2)@100"),
        ("RR(rel=2)@10", "RR(rel=2)@10"),
        ("R@1000", "R@1000"),
        ("Rprec(rel=2)", "Rprec(rel=2)"),
        ("Bpref(rel=2)", "bpref(rel=2)"),
        ("Success(rel=1)@5", "Success(rel=1)@5"),
        ("SetF(beta=0.5)", "SetF(beta=0.5)"),
        ("IPrec(rel=2)@0.1", "IPrec(rel=2)@0.1"),
        ("infAP", "infAP"),
        ("Judged@10", "Judged@10"),
        ("ERR@20", "ERR@20"),
        ("RBP(p=0.9)", "RBP(p=0.9)"),
        ("INST(T=1.0)", "INST(T=1)"),
        ("NumRet", "NumRet"),
    ],
)
def test_ir_measures_spellings(given_: str, expected: str) -> None:
    assert parse_measure(given_).text == expected


def test_the_same_measure_asked_for_twice_is_one_measure() -> None:
    assert [m.text for m in parse_measures(["nDCG@10", "ndcg_cut_10", "nDCG@10,5"])] == ["nDCG@10", "nDCG@5"]


@pytest.mark.parametrize(
    ("given_", "nearest"),
    [
        ("ndgc@10", "nDCG"),
        ("nDGC", "nDCG"),
        ("DGC", "DCG"),
        ("nCGG", "nCG"),
        ("Sucess@5", "Success"),
        ("bprf", "bpref"),
        ("InstanceRecal@5", "InstanceRecall"),
        ("Falout(N=5)", "Fallout"),
        ("Utilty", "Utility"),
        ("FirstRnk", "FirstRank"),
        # names of other tools are known as well
        ("precison@5", "Precision"),
        ("recal@5", "Recall"),
        ("recip_rnk", "recip_rank"),
        ("map_cutt", "map_cut"),
    ],
)
def test_unknown_names_suggest_the_nearest(given_: str, nearest: str) -> None:
    with pytest.raises(ChoiceError) as caught:
        parse_measures(given_)
    assert caught.value.slug == "measure-unknown"
    assert f"did you mean {nearest}?" in str(caught.value)


def test_unknown_names_far_from_any_suggest_nothing() -> None:
    with pytest.raises(ChoiceError) as caught:
        parse_measures("accuracy@10")
    assert caught.value.slug == "measure-unknown"
    assert "did you mean" not in str(caught.value)


@pytest.mark.parametrize(
    ("given_", "slug", "words"),
    [
        ("", "measure-syntax", ""),
        ("@10", "measure-syntax", "@10"),
        ("10", "measure-syntax", "10"),
        ("nDCG(", "measure-syntax", "nDCG("),
        ("nDCG(gains=)", "measure-syntax", "cannot be read"),
        ("nDCG(gains='exp2'", "measure-syntax", ""),
        ("nDCG('exp2')", "measure-syntax", "name=value"),
        ("nDCG(**{})", "measure-syntax", "name=value"),
        ("nDCG(gains='exp2')(base=2)", "measure-syntax", ""),
        ("nDCG)+f(", "measure-syntax", ""),
        ("nDCG(gains='exp2', gains='identity')", "measure-syntax", "gains"),
        ("nDCG(cutoff=10)", "measure-syntax", "nDCG@10"),
        ("nDCG@", "measure-cutoff", ""),
        ("nDCG@0", "measure-cutoff", "0"),
        ("nDCG@-3", "measure-cutoff", "-3"),
        ("nDCG@1.5", "measure-cutoff", "1.5"),
        ("nDCG@ten", "measure-cutoff", "ten"),
        ("nDCG@5,", "measure-cutoff", ""),
        ("ndcg_cut.5,x", "measure-cutoff", "x"),
        ("nDCG(gain='exp2')", "measure-parameter", "did you mean gains?"),
        ("CG(base=2)", "measure-parameter", "base"),
        ("nDCG(judged_only=True)", "measure-parameter", "judged_only"),
        ("nDCG(gains='steep')", "gains-syntax", "steep"),
        ("nDCG(gains={1: 'x'})", "gains-syntax", "x"),
        ("nDCG(gains={[1]: 2})", "gains-syntax", ""),
        ("nDCG(discount='jk2020')", "choice-unknown", "did you mean jk2002?"),
        ("nDCG(discount='jk2002', base=1)", "discount-base", "1"),
        ("nDCG(ideal='best')", "choice-unknown", "judged"),
        ("nDCG(average='topics')@5", "choice-unknown", "ranks"),
        ("AP@5(rel=1)", "measure-syntax", "AP@5(rel=1)"),
        ("P@", "measure-cutoff", "''"),
        ("P_0", "measure-cutoff", "0"),
        ("P_5.5", "measure-cutoff", "5.5"),
        ("success.1,0", "measure-cutoff", "0"),
        ("map_cut_0", "measure-cutoff", "0"),
        ("iprec_at_recall_1.5", "measure-cutoff", "between 0 and 1"),
        ("IPrec@1.01", "measure-cutoff", "between 0 and 1"),
        ("IPrec@-0.1", "measure-cutoff", "between 0 and 1"),
        ("IPrec@nan", "measure-cutoff", "between 0 and 1"),
        ("IPrec@half", "measure-cutoff", "half"),
        ("Rprec@5", "measure-cutoff", "Rprec has no cutoff"),
        ("AP11@5", "measure-cutoff", "AP11 has no cutoff"),
        ("SetP@5", "measure-cutoff", "SetP has no cutoff"),
        ("Rprec_mult_0", "measure-parameter", "mult cannot be 0"),
        ("utility.1,2", "measure-parameter", "four worths"),
        ("utility.1,2,3,x", "measure-parameter", "'x'"),
        ("set_F_-1", "measure-parameter", "-1"),
        ("rbp.p=2", "measure-parameter", "above 0 and below 1"),
        ("11pt_avg.0.2,1.5", "measure-parameter", "between 0 and 1"),
        ("AP11(levels='0.2,0.2')", "measure-parameter", "each once"),
        ("AP11(levels='a')", "measure-parameter", "levels of recall"),
        ("RBP(p=1)", "measure-parameter", "above 0 and below 1"),
        ("RBP(p=True)", "measure-parameter", "True"),
        ("RBP(only=1)", "measure-parameter", "no parameter 'only'"),
        ("NumRet(rel=1)", "measure-parameter", "no parameter 'rel'"),  # of ir_measures: NumRelRet here
        ("ERR(top=0)", "measure-parameter", "above 0"),
        ("ERR(top='highest')", "measure-parameter", "'judgments', 'topic'"),
        ("INST(T=0.5)", "measure-parameter", "at least 1"),
        ("SetF(beta=-1)", "measure-parameter", "at least 0"),
        ("SetF(alpha=0)", "measure-parameter", "above 0"),
        ("SetF(beta=1, alpha=1)", "measure-parameter", "beta or alpha, not both"),
        ("P(rel=1, only=1)@5", "measure-parameter", "rel or only, not both"),
        ("P(rel='high')@5", "measure-parameter", "high"),
        ("P(rel=nan)@5", "measure-parameter", "nan"),
        ("P(rel=1e999)@5", "measure-parameter", "inf"),
        ("P(reel=1)@5", "measure-parameter", "did you mean rel?"),
        ("Fallout", "measure-parameter", "Fallout(N=…)"),
        ("Fallout(N=0.5)", "measure-parameter", "whole number"),
        ("AP(norm='max')@5", "choice-unknown", "min"),
        ("AP11(points='exactly')", "choice-unknown", "did you mean exact?"),
        ("AP(summary='mode')", "choice-unknown", "geometric"),
    ],
)
def test_what_cannot_be_read_is_refused_by_name(given_: str, slug: str, words: str) -> None:
    with pytest.raises(ChoiceError) as caught:
        parse_measure(given_)
    assert caught.value.slug == slug
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "given_",
    [
        "nDCG(gains=" + "(" * 5000 + ")" * 5000 + ")",
        "nDCG(base=" + "-" * 100_000 + "2)",
        "nDCG(base=9" + "9" * 5000 + ")",
    ],
    ids=["brackets", "minus signs", "digits"],
)
def test_monstrous_text_is_refused_not_crashed_on(given_: str) -> None:
    with pytest.raises(ChoiceError):
        parse_measure(given_)


@settings(max_examples=examples(300), deadline=None)
@given(st.text(max_size=30) | st.text("nDCG@0123456789(),.='-_[]{}: baseginscut", max_size=40))
def test_any_text_is_a_measure_or_a_choice_error(given_: str) -> None:
    try:
        found = parse_measures(given_)
    except ChoiceError:
        return
    assert parse_measures([measure.text for measure in found]) == found


def test_one_measure_where_several_are_named_is_refused() -> None:
    with pytest.raises(ChoiceError) as caught:
        parse_measure("nDCG@5,10")
    assert caught.value.slug == "measure-syntax"


def test_no_measure_is_refused() -> None:
    with pytest.raises(ChoiceError) as caught:
        evaluate({"q": {"d": 1}}, {"q": ["d"]}, [])
    assert caught.value.slug == "measure-syntax"


@pytest.mark.parametrize(
    ("measure", "example"),
    [("P", "P@10"), ("R(rel=2)", "R(rel=2)@10"), ("Success", "Success@10"), ("relative_P", "relative_P@10"),
     ("IPrec", "IPrec@0.5"), ("Judged", "Judged@10"), ("Unjudged", "Unjudged@10"), ("gP", "gP@10")],
)  # fmt: skip
def test_a_measure_that_needs_a_cutoff_says_so_with_an_example(measure: str, example: str) -> None:
    with pytest.raises(ChoiceError) as caught:
        evaluate({"q": {"d": 1}}, {"q": ["d"]}, measure)
    assert caught.value.slug == "measure-cutoff"
    assert f"e.g. {example}" in str(caught.value)


def test_average_over_ranks_needs_a_cutoff() -> None:
    with pytest.raises(ChoiceError) as caught:
        evaluate({"q": {"d": 1}}, {"q": ["d"]}, "nDCG(average='ranks')")
    assert caught.value.slug == "measure-cutoff"


def test_signature_of_the_default_is_that_of_product_md() -> None:
    judgments, run = {f"t{i}": {"d": 1} for i in range(50)}, {f"t{i}": {"d": 1.0} for i in range(50)}
    expected = (
        "nDCG@10|gain:identity|discount:log2(i+1)|ideal:judged@10|ties:trec|unjudged:zero|missing:zero|topics:50|"
        f"gaincurve:{__version__}"
    )
    assert evaluate(judgments, run).signatures == (expected,)
    assert evaluate(judgments, run, "ndcg_cut_10").signatures == (expected,)
    assert evaluate(judgments, run).to_dict()["measures"] == [{"name": "nDCG@10", "signature": expected}]


@pytest.mark.parametrize(
    ("measure", "words", "expected"),
    [
        ("CG@5", {}, "CG@5|gain:identity|ties:trec|unjudged:zero|missing:zero|topics:1|"),
        ("nCG", {}, "nCG|gain:identity|ideal:judged|ties:trec|unjudged:zero|missing:zero|topics:1|"),
        (
            "DCG",
            {"scenario": "busy", "unjudged": "condensed", "ties": "average", "missing": "skip"},
            "DCG@30|gain:0-1-10-100|discount:jk2002(base=2)|ties:average|unjudged:condensed|missing:skip|topics:1|",
        ),
        (
            "nDCG(gains={1: 2, 2: 3, 3: 4}, discount='jarvelin2008', base=2.5, ideal='pooled')@3",
            {"scenario": "patient"},
            "nDCG(gains='0-2-3-4', discount='jarvelin2008', base=2.5, ideal='pooled')@3|gain:0-2-3-4|"
            "discount:jarvelin2008(base=2.5)|ideal:pooled@3|ties:trec|unjudged:zero|missing:zero|topics:1|",
        ),
        (
            "nDCG@3",
            {"scenario": "trec_eval-9.0.8"},
            "nDCG@3|gain:identity|discount:log2(i+1)|ideal:judged@3|ties:trec-float32|unjudged:zero|negative:unjudged|"
            "missing:skip|empty:zero|topics:1|",
        ),
        ("DCG@3", {"discount": "jk2002", "base": math.inf}, "DCG@3|gain:identity|discount:none|"),
        ("AP", {}, "AP|rel:1|norm:R|ties:trec|unjudged:zero|missing:zero|topics:1|"),
        ("P(only=1)@5", {}, "P(only=1)@5|only:1|ties:trec|"),
        ("map_cut_5", {}, "AP@5|rel:1|norm:R|"),
        ("gm_map", {}, "AP(summary='geometric')|rel:1|norm:R|summary:geometric|ties:trec|"),
        ("FirstRank", {}, "FirstRank|rel:1|summary:median|ties:trec|"),
        ("IPrec@0.5", {"scenario": "trec_eval-10"}, "IPrec@0.5|points:trec_eval-10|rel:1|ties:trec|"),
        ("ESL", {"ties": "average"}, "ESL|rel:1|wanted:1|count:nonrelevant|ties:blocks|"),
        ("RBP", {"gains": "exp2"}, "RBP|gain:exp2|p:0.8|top:judgments|ties:trec|"),
        ("SetF(alpha=0.5)", {}, "SetF(alpha=0.5)|rel:1|alpha:0.5|ties:trec|"),
        ("NumRet", {}, "NumRet|summary:sum|ties:trec|"),
    ],
)
def test_signatures_tell_every_choice_in_one_order(measure: str, words: dict[str, object], expected: str) -> None:
    signature = str(evaluate({"q": {"d": 1, "e": 2, "f": 3}}, {"q": {"d": 1.0}}, measure, **words).signatures[0])
    assert signature.startswith(expected)
    assert signature.endswith(f"|gaincurve:{__version__}")


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [("RBP(rel=1)", "RBP(gains='binary')"), ("RBP(p=0.9, rel=2)@10", "RBP(gains='binary(rel=2)', p=0.9)@10"),
     ("INST(T=3, max_rel=2)", "INST(top=2, T=3)")],
)  # fmt: skip
def test_parameters_of_ir_measures_are_put_into_our_words(theirs: str, ours: str) -> None:
    assert str(parse_measure(theirs)) == ours


@pytest.mark.parametrize(
    "text",
    ["Fallout(N=1e30)", "NR(N=1e20)", "Rprec(mult=1e30)", "ESL(wanted=99999999999999999999)", "INST(T=1e300)",
     "SetF(beta=1e200)", "P@99999999999999999999", "nDCG@1000000000000001"],
)  # fmt: skip
def test_numbers_beyond_all_sense_are_refused(text: str) -> None:
    with pytest.raises(ChoiceError) as caught:
        parse_measure(text)
    assert caught.value.slug in ("measure-parameter", "measure-cutoff")


def test_a_huge_cutoff_prints_as_it_is_read() -> None:
    assert str(parse_measure("AP@1000000000000000")) == "AP@1000000000000000"


@pytest.mark.parametrize("name", ["all_trec", "official", "set", "num_q", "relstring"])
def test_what_only_trec_eval_prints_is_pointed_to(name: str) -> None:
    with pytest.raises(ChoiceError, match=f"gaincurve trec_eval -m {name}"):
        parse_measure(name)
