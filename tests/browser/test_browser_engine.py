"""The engine in Chromium gives Python's numbers, from the data inside a report, for settings nobody wrote down."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page
from subjects import Experiment, Report
from watched import Opener

from gaincurve.model.comparison import Family

CUT = ("CG", "DCG", "nCG", "nDCG", "P", "R")
BINARY = ("P", "R", "AP", "RR")
BASED = ("jk2002", "jarvelin2008", "kanoulas2011")
DISCOUNTS = ("log", "none", "rank", *BASED)
COUNT = 150
ANSWER = """
async (asked) => {
  const gc = globalThis.gaincurve;
  const observed = gc.observe(await gc.unpack(document.getElementById("observed").textContent));
  const number = (value) => Array.from(value);
  return asked.map((changes) => {
    const settings = { ...JSON.parse(document.getElementById("page").textContent).settings, ...changes };
    const comparison = gc.compare(observed, settings);
    return {
      scores: gc.scores(observed, settings, settings.measure, settings.cutoff).map(number),
      comparison: { ...comparison, means: number(comparison.means), order: number(comparison.order) },
      verdict: gc.verdict(observed, settings),
      signature: String(gc.signature(observed, settings, settings.measure, settings.cutoff)),
    };
  });
}
"""


def some_settings(seed: int, runs: list[str]) -> Iterator[dict[str, Any]]:
    """Settings of the page, at random but for their kind: each measure, discount and rule comes up often."""
    draw = random.Random(seed)
    while True:
        measure = draw.choice((*CUT, "AP", "RR"))
        discount = draw.choice(DISCOUNTS)
        gains = [0, *sorted(round(draw.choice((1, 10, 100)) * draw.random() + 0.01, 2) for _ in range(3))]
        depth = draw.choice((1, 2, 3, 5, 10, 17, 30, 100, 200, 500))
        yield {
            "measure": measure,
            "cutoff": depth if measure in CUT else None,
            "gains": gains,
            "gains_text": "-".join(f"{gain:.12g}" for gain in gains),
            "discount": discount,
            "base": draw.choice((2, 3, 10, 1.5, math.e, "inf")) if discount in BASED else None,
            "depth": depth,
            "unjudged": draw.choice(("zero", "condensed")),
            "rel": draw.choice((1, 1, 2, 3)),
            "baseline": draw.choice(("", "", *runs)),
        }


def in_python(experiment: Experiment, asked: dict[str, Any]) -> tuple[Any, Family]:
    """Scores and comparison for the same settings."""
    name = asked["measure"]
    rel = f"(rel={asked['rel']})" if name in BINARY and asked["rel"] != 1 else ""
    measure = f"{name}{rel}" + (f"@{asked['depth']}" if name in CUT else "")
    base = {"base": float(asked["base"])} if asked["base"] is not None else {}
    choices = {"gains": asked["gains_text"], "discount": asked["discount"], "unjudged": asked["unjudged"], **base}
    if name in BINARY:
        choices = {"unjudged": asked["unjudged"]}
    scores = experiment.scores(measure, **choices)
    return scores, experiment.family(measure, asked["baseline"] or None, **choices)


def close(found: float | None, expected: float) -> bool:
    if found is None or math.isnan(found):
        return math.isnan(expected)
    return abs(found - expected) <= 1e-12 * max(1.0, abs(expected))


@pytest.fixture
def page(open_page: Opener, demo_report: Report) -> Page:
    return open_page(demo_report.path)


def test_any_settings(page: Page, demo_report: Report) -> None:
    runs = list(demo_report.experiment.runs)
    asked = [settings for settings, _ in zip(some_settings(2002, runs), range(COUNT), strict=False)]
    answers = page.evaluate(ANSWER, asked)
    compared = 0
    for settings, answer in zip(asked, answers, strict=True):
        scores, family = in_python(demo_report.experiment, settings)
        for r in range(len(runs)):
            expected = scores.values[r, 0].tolist()
            assert len(answer["scores"][r]) == len(expected)
            assert all(map(close, answer["scores"][r], expected)), (settings, runs[r])
        hold_comparison(answer["comparison"], family, runs, settings)
        assert answer["verdict"] == family.words, settings
        assert answer["signature"] == scores.signatures[0], settings
        compared += 1
    assert compared == COUNT


def hold_comparison(found: dict[str, Any], family: Family, runs: list[str], settings: dict[str, Any]) -> None:
    assert found["order"] == family.best_first, settings
    assert all(map(close, found["means"], family.means)), settings
    assert len(found["pairs"]) == len(family.pairs)
    for mine, pair in zip(found["pairs"], family.pairs, strict=True):
        assert (runs[mine["a"]], runs[mine["b"]]) == (pair.a, pair.b)
        for name in ("mean_a", "mean_b", "difference", "low", "high", "p", "p_adjusted", "effect"):
            assert close(mine[name], getattr(pair, name)), (settings, name, mine[name], getattr(pair, name))
        for name in ("significant", "wins", "ties", "losses"):
            assert mine[name] == getattr(pair, name), (settings, name)
        better = "" if mine["better"] in (-1, None, "") else runs[mine["better"]]
        assert better == pair.better, settings
    assert list(found["groups"] or []) == list(family.groups), settings
