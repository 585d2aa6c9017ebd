"""Laws that session measures obey on any sessions; one that is registered but not filed fails the suite."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gaincurve.errors import GaincurveError
from gaincurve.measures.session_registry import SESSION_MEASURES, parse_session_measures
from gaincurve.model.sessions.records import sessions_from_records
from gaincurve.verbs.sessions.curves import session_curves
from gaincurve.verbs.sessions.evaluate import evaluate_sessions

FILED = {
    "sDCG": {"grows", "renaming", "alone"},
    "nsDCG": {"unit", "ideal", "renaming", "alone"},
    "sDCG/q": {"renaming", "alone"},
    "esNDCG": {"renaming", "alone", "ideal"},
    "sRBP": {"unit", "grows", "renaming", "alone"},
    "sIR": set(),  # needs subtopics: tests/golden/test_sessions_2008.py
}
DOCUMENTS = [f"d{i}" for i in range(12)]
JUDGMENTS = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 3), min_size=1).filter(lambda j: any(j.values()))
LISTS = st.lists(st.lists(st.sampled_from(DOCUMENTS), unique=True, max_size=12), min_size=1, max_size=5)
LAWS = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def of_law(law: str) -> list[str]:
    return [name for name, laws in FILED.items() if law in laws]


def value(judged: dict[str, int], lists: list[list[str]], measure: str, **choices: Any) -> float:
    log = sessions_from_records(
        [{"session": "s", "query": q, "topic": "t", "ranking": r} for q, r in enumerate(lists, 1)]
    )
    return float(evaluate_sessions({"t": judged}, log, measure, **choices).scores.values[0, 0, 0])


def test_every_session_measure_is_filed() -> None:
    assert set(FILED) == set(SESSION_MEASURES)


@pytest.mark.parametrize("name", SESSION_MEASURES)
def test_records_are_complete(name: str) -> None:
    record = SESSION_MEASURES[name]
    assert "Worked:" in record.about
    assert record.formula
    assert record.source
    assert parse_session_measures(name)[0].text == name


@pytest.mark.parametrize("measure", of_law("unit"))
@LAWS
@given(judged=JUDGMENTS, lists=LISTS)
def test_between_0_and_1(measure: str, judged: dict[str, int], lists: list[list[str]]) -> None:
    assert 0 <= value(judged, lists, measure) <= 1 + 1e-12


@pytest.mark.parametrize("measure", of_law("grows"))
@LAWS
@given(judged=JUDGMENTS, lists=LISTS, more=st.lists(st.sampled_from(DOCUMENTS), unique=True, max_size=5))
def test_a_further_query_never_takes_anything_away(
    measure: str, judged: dict[str, int], lists: list[list[str]], more: list[str]
) -> None:
    assert value(judged, [*lists, more], measure) >= value(judged, lists, measure) - 1e-12


@pytest.mark.parametrize("measure", of_law("ideal"))
@LAWS
@given(judged=JUDGMENTS, n=st.integers(1, 4), depth=st.integers(1, 12))
def test_the_ideal_session_is_1(measure: str, judged: dict[str, int], n: int, depth: int) -> None:
    best = sorted(judged, key=lambda d: -judged[d])
    queries = 1 if measure == "esNDCG" else n
    assert value(judged, [best] * queries, measure, depth=depth) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("measure", of_law("renaming"))
@LAWS
@given(judged=JUDGMENTS, lists=LISTS)
def test_names_do_not_matter(measure: str, judged: dict[str, int], lists: list[list[str]]) -> None:
    names = {d: f"other-{d[::-1]}" for d in DOCUMENTS}
    renamed = value({names[d]: g for d, g in judged.items()}, [[names[d] for d in one] for one in lists], measure)
    assert renamed == value(judged, lists, measure)


@pytest.mark.parametrize("measure", of_law("alone"))
@LAWS
@given(judged=JUDGMENTS, sessions=st.lists(LISTS, min_size=2, max_size=4))
def test_other_sessions_do_not_matter(measure: str, judged: dict[str, int], sessions: list[list[list[str]]]) -> None:
    log = sessions_from_records(
        [
            {"session": s, "query": q, "topic": "t", "ranking": ranking}
            for s, lists in enumerate(sessions)
            for q, ranking in enumerate(lists, 1)
        ]
    )
    together = evaluate_sessions({"t": judged}, log, measure).scores.values[0, 0].tolist()
    assert together == [value(judged, lists, measure) for lists in sessions]


@LAWS
@given(judged=JUDGMENTS, lists=LISTS, bq=st.floats(1.01, 50), base=st.floats(1.01, 50), depth=st.integers(1, 12))
def test_curves_grow_and_stay_below_the_ideal(
    judged: dict[str, int], lists: list[list[str]], bq: float, base: float, depth: int
) -> None:
    log = sessions_from_records(
        [{"session": "s", "query": q, "topic": "t", "ranking": r} for q, r in enumerate(lists, 1)]
    )
    curves = session_curves({"t": judged}, log, "sDCG", bq=bq, base=base, depth=depth)
    line = curves.lines[0]
    assert (np.diff(line.values) >= -1e-12).all()
    assert (line.values <= line.ideal + 1e-9).all()


@LAWS
@given(judged=JUDGMENTS, lists=LISTS)
def test_without_repeats_nothing_exceeds_the_bound(judged: dict[str, int], lists: list[list[str]]) -> None:
    assert value(judged, lists, "nsDCG(ideal='bound', repeats='first')") <= 1 + 1e-12


@LAWS
@given(judged=JUDGMENTS, lists=LISTS)
def test_sum_of_dcgs_without_query_discount(judged: dict[str, int], lists: list[list[str]]) -> None:
    each = sum(judged.get(d, 0) / (1 + math.log2(r)) for ranking in lists for r, d in enumerate(ranking[:10], 1))
    assert value(judged, lists, "sDCG(bq=inf)") == pytest.approx(each, abs=1e-9)


@given(text=st.text(max_size=40))
def test_no_text_breaks_the_parser(text: str) -> None:
    for measure in (text, f"nsDCG({text})", f"sDCG@{text}"):
        try:
            found = parse_session_measures(measure)[0]
        except GaincurveError:
            continue
        assert parse_session_measures(found.text) == [found]
