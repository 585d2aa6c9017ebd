"""The controls move; verdict, leaderboard, map, charts and address follow, each number Python's for the settings."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from driving import chart, choose, fragment, gains, leaderboard, ready, settle, state, told
from playwright.sync_api import Page, expect
from scipy import stats
from subjects import Report
from watched import Opener

from gaincurve import report
from gaincurve.model.comparison import Family
from gaincurve.model.scenario import SCENARIOS


def hold(page: Page, family: Family, *, letters: bool = True) -> None:
    """Verdict and leaderboard are those of Python's comparison."""
    assert told(page, "verdict") == family.words
    places = leaderboard(page)
    assert [place.run for place in places] == [family.runs[r] for r in family.best_first]
    for place, r in zip(places, family.best_first, strict=True):
        assert place.mean == pytest.approx(family.means[r], abs=5.01e-5)
        if letters:
            assert place.letters == family.groups[r]


def test_the_page_opens_with_what_python_wrote(open_page: Opener, demo_report: Report) -> None:
    without = open_page(demo_report.path, scripting=False)
    written = {name: told(without, name) for name in ("verdict", "signature")}
    page = ready(open_page(demo_report.path))
    assert {name: told(page, name) for name in written} == written
    assert written["verdict"] == demo_report.experiment.family("nDCG@10").words
    assert fragment(page) == {}
    hold(page, demo_report.experiment.family("nDCG@10"))


@pytest.mark.parametrize("baseline", ["", "titles"])
def test_the_leaderboard_has_intervals_of_what_is_tested(baseline: str, demo: Page, demo_report: Report) -> None:
    """The differences from the best run or the baseline, not the means: whose intervals overlap may still differ."""
    choose(demo, baseline=baseline)
    scores = demo_report.experiment.scores("nDCG@10")
    places = leaderboard(demo)
    of_run = {run: scores.values[r, 0] for r, run in enumerate(scores.runs)}
    reference = baseline or places[0].run
    for place in places:
        if place.run == reference:
            assert place.low is None
            continue
        gaps = of_run[place.run] - of_run[reference]
        low, high = stats.t.interval(0.95, len(gaps) - 1, gaps.mean(), stats.sem(gaps))
        assert (place.low, place.high) == pytest.approx((low, high), abs=5.01e-5)
    assert demo.locator("#leaderboard .bar").count() == len(places) - 1
    caption = demo.locator("#leaderboard caption").text_content() or ""
    assert f"how far each is from {reference}" in caption
    assert "of the mean" not in caption


CHANGES: list[tuple[dict[str, object], str, dict[str, Any]]] = [
    ({"depth": 3}, "nDCG@3", {}),
    ({"discount": "jk2002", "base": 10, "depth": 50}, "nDCG@50", {"discount": "jk2002", "base": 10}),
    ({"discount": "none"}, "nDCG@10", {"discount": "none"}),
    ({"discount": "jarvelin2008", "base": "inf"}, "nDCG@10", {"discount": "jarvelin2008", "base": math.inf}),
    ({"gain-1": 0, "gain-2": 0, "gain-3": 1}, "nDCG@10", {"gains": "0-0-0-1"}),
    ({"gain-1": 1, "gain-2": 1, "gain-3": 1, "depth": 100}, "nDCG@100", {"gains": "0-1-1-1"}),
    ({"measure": "DCG"}, "DCG@10", {}),
    ({"measure": "CG", "depth": 200}, "CG@200", {}),
    ({"measure": "nCG", "unjudged": "condensed"}, "nCG@10", {"unjudged": "condensed"}),
    ({"measure": "P", "rel": 2}, "P(rel=2)@10", {}),
    ({"measure": "R", "depth": 100}, "R@100", {}),
    ({"measure": "AP", "unjudged": "condensed"}, "AP", {"unjudged": "condensed"}),
    ({"measure": "RR", "rel": 3}, "RR(rel=3)", {}),
]


@pytest.mark.parametrize(("changes", "measure", "choices"), CHANGES, ids=[str(one[0]) for one in CHANGES])
def test_a_change_is_followed(
    changes: dict[str, object], measure: str, choices: dict[str, Any], demo: Page, demo_report: Report
) -> None:
    choose(demo, **changes)
    family = demo_report.experiment.family(measure, **choices)
    hold(demo, family)
    assert told(demo, "signature") == family.signature
    assert f" on {measure}, " in (demo.locator("#leaderboard caption").text_content() or "")
    assert demo.title() == told(demo, "heading") == f"{measure}: broad, sharp, titles and legacy"
    named = {key: str(value) for key, value in changes.items() if not key.startswith("gain-")}
    assert fragment(demo).items() >= named.items()
    assert ("gains" in fragment(demo)) is any(key.startswith("gain-") for key in changes)


@pytest.mark.parametrize("measure", ["nDCG", "RR"])
def test_the_pairs_follow(measure: str, demo: Page, demo_report: Report) -> None:
    settle(choose(demo, measure=measure, depth=20))
    family = demo_report.experiment.family("RR" if measure == "RR" else "nDCG@20")
    pairs = {
        (row.get_attribute("data-a"), row.get_attribute("data-b")): row.text_content()
        for row in demo.locator("#pairs tbody tr").all()
    }
    assert list(pairs) == [(pair.a, pair.b) for pair in family.pairs]
    for pair in family.pairs:
        assert f"{pair.wins} / {pair.ties} / {pair.losses}" in str(pairs[pair.a, pair.b])


def test_a_baseline_compares_every_run_with_it(demo: Page, demo_report: Report) -> None:
    choose(demo, baseline="titles")
    family = demo_report.experiment.family("nDCG@10", "titles")
    hold(demo, family, letters=False)
    expect(demo.locator("#pairs tbody tr")).to_have_count(3)
    assert fragment(demo) == {"baseline": "titles"}


def test_a_preset_of_gains(demo: Page, demo_report: Report) -> None:
    demo.get_by_role("button", name="tenfold").click()
    hold(demo, demo_report.experiment.family("nDCG@10", gains="0-1-10-100"))
    expect(demo.get_by_role("button", name="tenfold")).to_have_attribute("aria-pressed", "true")
    assert demo.locator("#control-gain-3").input_value() == "100"


@pytest.mark.parametrize("name", ["jk2002", "busy", "patient", "burges", "default"])
def test_a_named_scenario(name: str, demo: Page, demo_report: Report) -> None:
    choose(demo, depth=7)
    demo.locator(f'[data-scenario="{name}"]').click()
    scenario = SCENARIOS[name]
    base = {} if scenario.discount.base is None else {"base": scenario.discount.base}
    measure = f"nDCG@{scenario.depth or 10}"
    family = demo_report.experiment.family(
        measure, gains=scenario.gains.text, discount=scenario.discount.name, unjudged=scenario.unjudged, **base
    )
    hold(demo, family)
    assert told(demo, "signature") == family.signature
    expect(demo.locator(f'[data-scenario="{name}"]')).to_have_attribute("aria-pressed", "true")


def test_heading_title_and_scenario_follow_and_go_back(demo: Page) -> None:
    heads = ("heading", "scenario")
    written = [demo.title(), *(told(demo, name) for name in heads)]
    choose(demo, depth=3, unjudged="condensed")
    now = [demo.title(), *(told(demo, name) for name in heads)]
    assert now[:2] == ["nDCG@3: broad, sharp, titles and legacy"] * 2
    assert now[2] == "Scenario default, changed: gains identity, discount log2(i+1), cutoff 3, unjudged condensed."
    demo.locator('[data-scenario="busy"]').click()
    assert told(demo, "scenario") == f"Scenario busy: {SCENARIOS['busy'].about}."
    demo.go_back()
    demo.wait_for_function("() => document.title.startsWith('nDCG@3:')")
    assert told(demo, "scenario") == now[2]
    demo.locator("#reset").click()
    assert [demo.title(), *(told(demo, name) for name in heads)] == written


def test_a_title_of_ones_own_stays(open_page: Opener, tmp_path: Path) -> None:
    path = tmp_path / "own.html"
    report({"q": {"a": 2}, "r": {"a": 1}}, {"q": ["b", "a"], "r": ["a"]}, path, title="Spring release, nDCG@10")
    page = ready(open_page(path))
    choose(page, measure="P", depth=5)
    assert page.title() == told(page, "heading") == "Spring release, nDCG@10 (now P@5)"
    page.locator("#reset").click()
    assert page.title() == told(page, "heading") == "Spring release, nDCG@10"


GAINED = ["#control-gain-1", "#control-gain-3", "#gains button"]
DISCOUNTED = ["#control-discount", "#control-base"]


@pytest.mark.parametrize("measure", ["P", "R", "AP", "RR", "CG", "nCG"])
def test_controls_without_effect_cannot_be_used(measure: str, demo: Page) -> None:
    choose(demo, discount="jk2002", measure=measure)
    gained = measure in ("CG", "nCG")
    off = DISCOUNTED if gained else [*GAINED, *DISCOUNTED]
    for control in off:
        expect(demo.locator(control).first).to_be_disabled()
    reason = told(demo, "unused")
    assert reason.startswith(f"{measure} has no discount" if gained else f"{measure} has no gains and no discount")
    assert demo.locator("#control-discount").get_attribute("title") == reason
    assert "unused" in (demo.locator("#control-measure").get_attribute("aria-describedby") or "")
    for control in ("#control-depth", "#control-unjudged", "#control-rel", *(GAINED if gained else [])):
        expect(demo.locator(control).first).to_be_enabled()
    choose(demo, measure="DCG")
    for control in (*GAINED, *DISCOUNTED):
        expect(demo.locator(control).first).to_be_enabled()
    assert told(demo, "unused") == ""
    assert demo.locator("#control-discount").get_attribute("title") == ""


def test_as_written_goes_back(demo: Page, demo_report: Report) -> None:
    choose(demo, measure="RR", depth=3)
    assert told(demo, "verdict").startswith("On RR ")
    expect(demo.locator("#as-written")).to_be_visible()
    demo.locator("#reset").click()
    hold(demo, demo_report.experiment.family("nDCG@10"))
    assert fragment(demo) == {}
    expect(demo.locator("#as-written")).to_be_hidden()


@pytest.mark.parametrize(
    ("control", "value", "words"),
    [
        ("depth", "0", "a whole number of ranks"),
        ("depth", "3.5", "a whole number of ranks"),
        ("depth", "many", "a whole number of ranks"),
        ("gain-2", "-1", "a number, 0 or more"),
        ("gain-2", "", "a number, 0 or more"),
        ("base", "1", "a number above 1"),
    ],
)
def test_a_value_that_cannot_be_is_told_and_not_taken(control: str, value: str, words: str, demo: Page) -> None:
    choose(demo, discount="jk2002")
    before = (told(demo, "verdict"), told(demo, "signature"), fragment(demo))
    demo.locator(f"#control-{control}").fill(value)
    place = "error-gains" if control.startswith("gain") else f"error-{control}"
    expect(demo.locator(f"#{place}")).to_contain_text(words)
    expect(demo.locator(f"#control-{control}")).to_have_attribute("aria-invalid", "true")
    assert (told(demo, "verdict"), told(demo, "signature"), fragment(demo)) == before


def test_every_gain_zero_is_an_answer_too(demo: Page) -> None:
    """No document is worth anything: nDCG is undefined, which is said and not a 0."""
    gains(demo, 0, 0, 0)
    assert all(math.isnan(place.mean) for place in leaderboard(demo))
    assert "NaN" not in demo.locator("main").inner_text()
    assert told(demo, "verdict") == "On nDCG@10 0 topics with a score for every run are too few to compare."


def test_the_address_restores_the_state(open_page: Opener, demo: Page, demo_report: Report) -> None:
    demo.locator('#switches input[data-run="titles"]').uncheck()
    gains(demo, 1, 10, 100)
    choose(demo, measure="nDCG", discount="jk2002", base=3, depth=30, unjudged="condensed", baseline="broad")
    demo.locator('[data-choices="pair"] select[name="a"]').first.select_option(label="legacy")
    demo.locator("#topic-choice").select_option(label="17")
    kept = settle(demo).url.split("#")[1]
    asked = {"gains": "0-1-10-100", "discount": "jk2002", "base": "3", "depth": "30", "unjudged": "condensed"}
    asked |= {"baseline": "broad", "a": "legacy", "topic": "17", "off": "titles"}
    assert fragment(demo).items() >= asked.items()
    other = settle(open_page(demo_report.path, fragment=kept))
    assert state(other) == state(demo)
    for name in ("verdict", "signature", "topic-title"):
        assert told(other, name) == told(demo, name)
    assert leaderboard(other) == leaderboard(demo)
    assert fragment(other) == fragment(demo)
    assert not other.locator('#switches input[data-run="titles"]').is_checked()


def test_back_and_forward(demo: Page) -> None:
    first = told(demo, "verdict")
    choose(demo, measure="RR")
    second = told(demo, "verdict")
    demo.go_back()
    expect(demo.locator("#verdict")).to_have_text(first)
    demo.go_forward()
    expect(demo.locator("#verdict")).to_have_text(second)
    assert first != second


def test_an_address_that_cannot_be_followed_is_told(open_page: Opener, demo_report: Report) -> None:
    page = ready(open_page(demo_report.path, fragment="depth=-4&measure=Foo&topic=%3Cimg%20src=x%3E&a=nobody&zz=1"))
    problem = page.locator("#problem")
    expect(problem).to_be_visible()
    for part in ("depth=-4", "measure=Foo", "topic=<img src=x>", "a=nobody"):
        expect(problem).to_contain_text(part)
    hold(page, demo_report.experiment.family("nDCG@10"))
    assert page.locator("#problem *").count() == 0


def test_contents_lead_to_panels_and_keep_the_settings(demo: Page) -> None:
    choose(demo, depth=20)
    demo.locator('nav a[href="#panel-pairs"]').click()
    assert demo.evaluate("() => document.activeElement.id") == "panel-pairs"
    assert fragment(demo) == {"depth": "20"}


def test_runs_are_switched_in_the_charts(drawn: Page) -> None:
    figure = chart(drawn, "curve-nDCG")
    figure.scroll_into_view_if_needed()
    settle(drawn)
    expect(figure.locator("svg")).to_contain_text("legacy")
    drawn.locator('#switches input[data-run="legacy"]').uncheck()
    settle(drawn)
    expect(figure.locator("svg")).not_to_contain_text("legacy")
    assert drawn.locator('figure[data-chart="grades"]').count() == 3
    assert len(leaderboard(drawn)) == 4  # what is drawn is not what is compared
    for name in ("broad", "sharp"):
        drawn.locator(f'#switches input[data-run="{name}"]').uncheck()
    drawn.locator('#switches input[data-run="titles"]').click()  # the last one stays
    assert drawn.locator('#switches input[data-run="titles"]').is_checked()
    assert fragment(settle(drawn)) == {"off": "broad,sharp,legacy"}


def test_the_map_follows(drawn: Page, demo_report: Report) -> None:
    """Each cell names the winner by the mean over topics in Python."""
    cells = drawn.evaluate("() => gaincurve.app.current.analysis.sweep.settings")
    assert len(cells) >= 100
    runs = list(demo_report.experiment.runs)
    for cell in cells[:: len(cells) // 12]:
        base = {} if cell["base"] is None else {"base": float(cell["base"])}
        family = demo_report.experiment.family(
            f"nDCG@{cell['depth']}", gains=cell["gains_text"], discount=cell["discount"], **base
        )
        first, second = family.best_first[:2]
        assert runs[cell["winner"]] == family.runs[first]
        assert cell["margin"] == pytest.approx(family.means[first] - family.means[second], abs=1e-12)
        [pair] = [p for p in family.pairs if {p.a, p.b} == {family.runs[first], family.runs[second]}]
        assert cell["significant"] is pair.significant
    before = told(drawn, "map-sentence")
    label = chart(drawn, "map").locator(".plot").get_attribute("aria-label")
    choose(drawn, unjudged="condensed")
    assert before
    assert label
    assert drawn.evaluate("() => gaincurve.app.current.analysis.sweep.settings") != cells


def test_another_test_for_two_runs(open_page: Opener, pair_report: Report) -> None:
    page = ready(open_page(pair_report.path))
    family = pair_report.experiment.family("AP", "sharp")
    hold(page, family, letters=False)
    assert page.locator("#as-written").is_hidden()
    choose(page, baseline="")
    exploratory = "Exploratory: the paired t with Holm's correction, 2 settings tried. As written: "
    assert exploratory in told(page, "as-written")
    hold(page, pair_report.experiment.family("AP"), letters=False)
    choose(page, measure="nDCG", depth=5)
    hold(page, pair_report.experiment.family("nDCG@5"), letters=False)


def test_one_run_compares_nothing(open_page: Opener, single_report: Report) -> None:
    page = settle(open_page(single_report.path))
    for panel in ("difference", "map", "pairs", "sessions"):
        assert page.locator(f"#panel-{panel}").count() == 0
    assert [place.run for place in leaderboard(page)] == ["broad"]
    choose(page, depth=3)
    expected = single_report.experiment.scores("nDCG@3").summary()["broad"]["nDCG@3"]
    assert leaderboard(page)[0].mean == pytest.approx(expected, abs=5.01e-5)
    values = single_report.experiment.scores("nDCG@3").values[0, 0]
    low, high = stats.t.interval(0.95, len(values) - 1, values.mean(), stats.sem(values))
    assert (leaderboard(page)[0].low, leaderboard(page)[0].high) == pytest.approx((low, high), abs=5.01e-5)
    assert page.locator("#leaderboard caption").text_content() == "The mean on nDCG@3 with its 95% interval."
