"""Measures as text: one canonical form that parses back, other tools' spellings, suggestions, errors, signatures."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gaincurve._version import __version__
from gaincurve.errors import ChoiceError
from gaincurve.measures.notation import Measure, parse_measure, parse_measures
from gaincurve.measures.registry import REGISTRY
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
    ],
)
def test_one_canonical_form_that_parses_back(given_: str, canonical: str) -> None:
    measure = parse_measure(given_)
    assert str(measure) == measure.text == canonical
    assert parse_measure(canonical) == measure
    assert hash(parse_measure(canonical)) == hash(measure)


finite = st.floats(min_value=0, allow_nan=False, allow_infinity=False)
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


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(["CG", "DCG", "nCG", "nDCG"]), parameters, st.none() | st.integers(1, 10**6))
def test_every_measure_parses_back_to_itself(name: str, given_: dict[str, object], cutoff: int | None) -> None:
    known = {key: value for key, value in given_.items() if key in REGISTRY[name].parameters}
    measure = Measure.make(name, known, cutoff)
    assert parse_measure(measure.text) == measure
    assert parse_measure(measure.text).text == measure.text


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
        ("nDCG@10", "nDCG@10"),
        ("nDCG(dcg='log2')@10", "nDCG(gains='identity', discount='log')@10"),
        ("nDCG(dcg='exp-log2')@10", "nDCG(gains='exp2', discount='log')@10"),
        ("nDCG(gains={0:0,1:1,2:3})@20", "nDCG(gains='0=0,1=1,2=3')@20"),
    ],
)
def test_ir_measures_spellings(given_: str, expected: str) -> None:
    assert parse_measure(given_).text == expected


def test_the_same_measure_asked_for_twice_is_one_measure() -> None:
    assert [m.text for m in parse_measures(["nDCG@10", "ndcg_cut_10", "nDCG@10,5"])] == ["nDCG@10", "nDCG@5"]


@pytest.mark.parametrize(
    ("given_", "nearest"),
    [("ndgc@10", "nDCG"), ("nDGC", "nDCG"), ("DGC", "DCG"), ("nCGG", "nCG")],
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


@settings(max_examples=300, deadline=None)
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
            "nDCG(gains={1: 2}, discount='jarvelin2008', base=2.5, ideal='pooled')@3",
            {"scenario": "patient"},
            "nDCG(gains='1=2', discount='jarvelin2008', base=2.5, ideal='pooled')@3|gain:1=2|"
            "discount:jarvelin2008(base=2.5)|ideal:pooled@3|ties:trec|unjudged:zero|missing:zero|topics:1|",
        ),
        (
            "nDCG@3",
            {"scenario": "trec_eval-9.0.8"},
            "nDCG@3|gain:identity|discount:log2(i+1)|ideal:judged@3|ties:trec-float32|unjudged:zero|negative:unjudged|"
            "empty:zero|topics:1|",
        ),
        ("DCG@3", {"discount": "jk2002", "base": math.inf}, "DCG@3|gain:identity|discount:jk2002(base=inf)|"),
    ],
)
def test_signatures_tell_every_choice_in_one_order(measure: str, words: dict[str, object], expected: str) -> None:
    signature = evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, measure, **words).signatures[0]
    assert signature.startswith(expected)
    assert signature.endswith(f"|gaincurve:{__version__}")
