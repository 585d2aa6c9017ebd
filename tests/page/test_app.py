"""What the page's app computes without a document: its texts, its address, its lists and running sums."""

from __future__ import annotations

import csv
import math
import random
from typing import Any

import pytest
from node import run

import gaincurve as gc
from gaincurve.io.render import Marked, Table, render
from gaincurve.model.judgments import Judgments
from gaincurve.model.run import Run
from gaincurve.model.scenario import Scenario
from gaincurve.page.observed.runs import observe
from gaincurve.page.scripts import ENGINE
from gaincurve.page.settings import settings_of, settled
from gaincurve.verbs.explain import explain

SCRIPTS = (
    *ENGINE,
    "app/analysis.js",
    "app/formats.js",
    "app/state.js",
    "app/leaderboard.js",
    "app/verdict.js",
    "app/ranking.js",
    "app/sums.js",
    "app/export.js",
)
HOSTILE = ["plain", 'say "yes"', "a,b", "line\nbreak", "a|b*c_d%$&#{}~^\\", "<img src=x>", "–−", "</script>", "\r"]


def made(seed: int, topics: int = 6, grades: tuple[float, ...] = (0, 1, 2, 3)) -> tuple[dict[str, Any], dict[str, Any]]:
    """Judgments and three runs with ties and unjudged documents."""
    chance = random.Random(seed)
    documents = [f"d{i:02d}" for i in range(40)]
    judged = {f"t{t}": {d: chance.choice(grades) for d in chance.sample(documents, 25)} for t in range(topics)}
    runs = {
        name: {t: {d: chance.randrange(12) / 4 for d in chance.sample(documents, 20)} for t in judged}
        for name in ("alpha", "beta", "gamma")
    }
    return judged, runs


def of_page(judged: dict[str, Any], runs: dict[str, Any], scenario: Scenario, measure: str) -> dict[str, Any]:
    """The observed document and the settings of a page."""
    chosen, _ = settled(scenario, measure)
    judgments = Judgments.of(judged)
    found = observe(judgments, [Run.of(r, name, chosen.ties) for name, r in runs.items()], chosen)
    return {"document": found.to_dict(), "settings": settings_of(scenario, measure, judgments.scale)}


def test_numbers_are_written_as_python_writes_them() -> None:
    chance = random.Random(7)
    numbers = [chance.uniform(-1, 1) * 10.0 ** chance.randint(-20, 20) for _ in range(500)]
    numbers += [0.0, 1.0, -1.0, 1e-4, 1e-5, 9999999999999998.0, 1e16, 1e21, 1e22, 0.1 + 0.2, 5e-324, 1.7e308]
    assert run("return input.map(gaincurve.app.formats.real)", numbers, SCRIPTS) == [repr(x) for x in numbers]


def test_an_analysis_that_shares_says_what_a_fresh_one_says() -> None:
    judged, runs = made(11)
    page = of_page(judged, runs, Scenario(), "nDCG@5")
    chance = random.Random(3)
    choices: dict[str, list[Any]] = {
        "measure": ["nDCG", "CG", "P", "AP"],
        "gains": [[0, 1, 2, 3], [0, 1, 1, 1], [0, 1, 7, 9]],
        "discount": ["log", "jk2002", "none"],
        "depth": [1, 5, 7, 20],
        "unjudged": ["zero", "condensed"],
        "rel": [1, 2],
    }
    tried = [{key: chance.choice(values) for key, values in choices.items()} for _ in range(40)]
    script = """
    const { document, settings, tried } = input;
    const observed = gc.observe(document);
    const kept = new Map();
    const told = (analysis) => [
      analysis.curve("nDCG"), analysis.curve("P"), analysis.difference("CG", 0, 2), analysis.difference("P", 1, 0),
      analysis.recallPoints, analysis.gradesByRank(1), analysis.unjudgedByRank(), analysis.sweep, analysis.verdict,
    ];
    return tried.map((changed) => {
      const asked = { ...settings, ...changed };
      asked.gains_text = gc.gainsText(observed.scale, asked.gains);
      asked.base = asked.discount === "jk2002" ? 2 : null;
      asked.cutoff = asked.measure === "AP" ? null : asked.depth;
      return [told(new gaincurve.app.SharingAnalysis(observed, asked, kept)), told(new gc.Analysis(observed, asked))];
    });
    """
    answers = run(script, {**page, "tried": tried}, SCRIPTS)
    assert [repr(shared) for shared, _ in answers] == [repr(fresh) for _, fresh in answers]
    assert len({repr(fresh) for _, fresh in answers}) > 30


def test_csv_is_that_of_the_command_line() -> None:
    rows = [(text, 0.1 + 0.2, 3, math.nan, True) for text in HOSTILE]
    table = Table(("run", "value", "count", "none", "stands"), [(a, b, c, d, "yes") for a, b, c, d, _ in rows])
    told = [[a, b, c, None, True] for a, b, c, _, _ in rows]
    script = 'return gaincurve.app.formats.csv(["run", "value", "count", "none", "stands"], input)'
    assert run(script, told, SCRIPTS) == render(table, "csv")


def test_latex_and_markdown_are_those_of_the_command_line() -> None:
    texts = [text for text in HOSTILE if text != "line\nbreak"]
    table = Table(("run", "nDCG@10"), [(text, Marked(0.5, "ab")) for text in texts], foot=("nDCG@10|gaincurve:0",))
    rows = [[text, {"text": "0.5000", "mark": "ab"}] for text in texts]
    given = {"columns": ["run", "nDCG@10"], "numeric": [False, True], "rows": rows, "foot": ["nDCG@10|gaincurve:0"]}
    script = "const f = gaincurve.app.formats; return [f.latex(input), f.markdown({ ...input, head: [] })]"
    latex, markdown = run(script, given, SCRIPTS)
    assert latex == render(table, "latex")
    assert markdown == render(table, "md")


STATE = """
  const gc = globalThis.gaincurve;
  const observed = gc.observe(input.document);
  const first = { settings: input.settings, view: { on: [0, 1, 2], a: 0, b: 1, topic: 0, run: 0 } };
"""


@pytest.mark.parametrize("seed", range(20))
def test_the_address_keeps_what_was_chosen_and_only_that(seed: int) -> None:
    chance = random.Random(seed)
    page = of_page(*made(seed), Scenario.of("default"), "nDCG@10")
    choices: dict[str, Any] = {
        "measure": ["nDCG", "CG", "AP", "P"],
        "gains": [[0, 1, 10, 100], [0, 1, 1, 1], [0, 0.5, 2, 1e-7], [0, 1, 2, 3]],
        "discount": ["log", "jk2002", "rank"],
        "base": [2, 1.5, "inf"],
        "depth": [1, 10, 1000],
        "unjudged": ["zero", "condensed"],
        "rel": [1, 2],
        "baseline": ["", "beta"],
    }
    changed = {key: chance.choice(values) for key, values in choices.items()}
    view = {
        "on": chance.choice([[0, 1, 2], [2]]),
        "a": 2,
        "b": chance.choice([0, 1]),
        "topic": chance.randrange(6),
        "run": 0,
    }
    script = f"""{STATE}
      const settings = gc.app.state.settled(first.settings, observed.scale, {{ ...first.settings, ...input.changed }});
      const text = gc.app.state.fragment({{ settings, view: input.view, observed }}, first);
      const back = gc.app.state.parsed(text, first, observed);
      const none = gc.app.state.fragment({{ ...first, observed }}, first);
      return {{ settings, text, back, none }};
    """
    found = run(script, {**page, "changed": changed, "view": view}, SCRIPTS)
    assert found["back"]["refused"] == []
    assert found["back"]["settings"] == found["settings"]
    assert found["back"]["view"] == view
    assert found["none"] == ""
    told = dict(part.split("=", 1) for part in found["text"].split("&"))
    assert ("depth" in told) == (changed["depth"] != 10)
    assert ("unjudged" in told) == (changed["unjudged"] != "zero")
    assert ("topic" in told) == (view["topic"] != 0)
    base = found["settings"]["base"]
    assert (base is None) == (changed["discount"] not in ("jk2002", "jarvelin2008", "kanoulas2011"))


def test_the_address_survives_any_name() -> None:
    judged = {"a=b&c": {"d": 1}, "#,%": {"d": 1}}
    names = ["x,y", "a&off=b", "100 % = all"]
    runs = {name: {t: {"d": 1.0} for t in judged} for name in names}
    page = of_page(judged, runs, Scenario.of("default"), "nDCG@10")
    script = f"""{STATE}
      const view = {{ on: [1], a: 2, b: 0, topic: 1, run: 0 }};
      const settings = {{ ...first.settings, baseline: observed.names[2] }};
      const text = gc.app.state.fragment({{ settings, view, observed }}, first);
      return [view, gc.app.state.parsed(text, first, observed)];
    """
    view, back = run(script, page, SCRIPTS)
    assert back["view"] == view
    assert back["settings"]["baseline"] == names[2]
    assert back["refused"] == []


def test_what_an_address_cannot_ask_for_is_told_and_left() -> None:
    page = of_page(*made(1), Scenario.of("default"), "nDCG@10")
    asked = "measure=MAP&base=1&depth=0&gains=0-1&discount=cube&rel=x&baseline=nobody&a=nobody&topic=t99&unjudged=maybe"
    script = f"{STATE} return gc.app.state.parsed(input.asked, first, observed)"
    found = run(script, {**page, "asked": asked}, SCRIPTS)
    assert len(found["refused"]) == 10
    assert found["settings"] == page["settings"]
    assert found["view"]["topic"] == 0


def test_lists_tell_what_moved_entered_and_left() -> None:
    judged = {"t": {"a": 2, "b": 0}}
    runs = {"old": {"t": {"a": 3.0, "b": 2.0, "c": 1.0}}, "new": {"t": {"b": 9.0, "d": 8.0, "a": 8.0}}}
    page = of_page(judged, runs, Scenario.of("default"), "nDCG@2")
    script = """
      const { app, observe } = globalThis.gaincurve;
      const observed = observe(input.document);
      const [old, now] = [0, 1].map((r) => app.ranking(observed, input.settings, r, 0));
      const before = app.ranksOf(old);
      const condensed = app.ranking(observed, { ...input.settings, unjudged: "condensed" }, 1, 0);
      return {
        moved: now.map((entry) => [entry.name, entry.rank, app.moved(entry, before).kind, app.moved(entry, before).by]),
        grades: now.map((entry) => entry.grade), tied: now.map((entry) => entry.tied),
        left: app.left(now, old, 2).map((entry) => [entry.name, entry.rank, entry.now]),
        condensed: condensed.map((entry) => [entry.name, entry.rank]),
      };
    """
    found = run(script, page, SCRIPTS)
    assert found["moved"] == [["b", 1, "up", 1], ["d", 2, "new", 0], ["a", 3, "down", 2]]
    assert found["grades"] == [0, None, 1]
    assert found["tied"] == [None, [2, 3], [2, 3]]
    assert found["left"] == [["a", 1, 3]]
    assert found["condensed"] == [["b", 1], ["a", 2]]


@pytest.mark.parametrize("scenario", ["default", "busy", "patient"])
@pytest.mark.parametrize("measure", ["CG@8", "DCG@8", "nCG@8", "nDCG@8"])
@pytest.mark.parametrize("unjudged", ["zero", "condensed"])
def test_running_sums_are_those_of_explain(scenario: str, measure: str, unjudged: str) -> None:
    judged, runs = made(3)
    rules = Scenario.of(scenario).with_choices(unjudged=unjudged)
    script = """
      const { app, observe } = globalThis.gaincurve;
      const observed = observe(input.document);
      const entries = app.ranking(observed, input.settings, 1, 2);
      return app.sums(observed, input.settings, 1, 2, entries, 8);
    """
    found = run(script, of_page(judged, runs, rules, measure), SCRIPTS)
    told = explain(judged, Run.of(runs["beta"], "beta", rules.ties), "t2", measure, scenario=rules)
    for row, step in zip(found["rows"], told.steps, strict=True):
        assert row[1] == (step.document or "")
        assert [float(x) for x in row[5:8]] == pytest.approx(
            [step.gain / step.divisor, step.sum, step.ideal_sum], abs=5.1e-5
        )
        assert float(row[-1]) == pytest.approx(step.value if measure.startswith("n") else step.ideal_sum, abs=5.1e-5)
    assert f"{told.value:.6f}" in found["caption"]


EXPORTED = """
  const gc = globalThis.gaincurve;
  const observed = gc.observe(input.document);
  const state = { observed, settings: input.settings, analysis: new gc.Analysis(observed, input.settings) };
"""


@pytest.mark.parametrize("per_topic", [False, True])
def test_exported_scores_are_those_of_eval(per_topic: bool) -> None:
    judged, runs = made(5)
    page = of_page(judged, runs, Scenario.of("busy"), "nDCG@10")
    found = run(f"{EXPORTED} return gc.app.scoresCsv(state, input.perTopic)", {**page, "perTopic": per_topic}, SCRIPTS)
    user = {"gains": "0-1-10-100", "discount": "jk2002", "base": 2}  # without its depth, which would cut AP and RR too
    scores = gc.evaluate(judged, runs, ["nDCG@10", "AP", "RR", "P@10", "R@10"], **user)
    assert found == render(scores.tidy(per_topic, summary=True), "csv")


def test_exported_pairs_are_those_of_compare() -> None:
    judged, runs = made(5, topics=12)
    page = of_page(judged, runs, Scenario.of("default"), "nDCG@10")
    found = run(f"{EXPORTED} return gc.app.pairsCsv(state)", page, SCRIPTS)
    comparison = gc.compare(gc.evaluate(judged, runs, ["nDCG@10"]), test="t")
    table = comparison.tidy().without("p_randomisation", "hedges_g")
    columns = tuple(table.columns)
    wanted = render(table, "csv").splitlines()
    lines = found.splitlines()
    assert lines[0] == wanted[0]
    for mine, theirs in zip(csv.reader(lines[1:]), csv.reader(wanted[1:]), strict=True):
        for name, one, other in zip(columns, mine, theirs, strict=True):
            if name in ("low", "high", "p", "p_adjusted", "effect", "relative", "mean_a", "mean_b", "difference"):
                assert float(one) == pytest.approx(float(other), rel=1e-12, abs=1e-15), name
            else:
                assert one == other, name


def test_heading_and_scenario_in_words() -> None:
    judged, runs = made(5)
    page = of_page(judged, runs, Scenario.of("busy"), "nDCG")
    flat = {"gains": [0, 1, 1, 1], "gains_text": "0-1-1-1", "discount": "none", "base": None}
    buttons = [
        {"name": "busy", "about": "few, excellent", "settings": page["settings"]},
        {"name": "flat", "about": "", "settings": {**page["settings"], **flat}},
        {"name": "odd", "about": "", "reason": "its gains have no value for grade 3"},
    ]
    tried = [{}, {"measure": "P"}, {"depth": 5}, flat, {**flat, "gains_text": "binary"}, {**flat, "depth": 5}]
    script = """
    const { document, settings, scenarios, tried } = input;
    const { app } = gaincurve;
    const observed = gc.observe(document);
    const first = { settings, analysis: new gc.Analysis(observed, settings) };
    const texts = (titled) => tried.map((changed) => {
      const asked = { ...settings, ...changed };
      asked.cutoff = asked.depth;
      const page = { title: "as written", titled, scenarios };
      const analysis = new gc.Analysis(observed, asked);
      return [app.headingText(page, first, analysis), app.scenarioText(page, first, asked, "The written one.")];
    });
    return [texts(false), texts(true)];
    """
    free, titled = run(script, {**page, "scenarios": buttons, "tried": tried}, (*SCRIPTS, "app/heading.js"))
    assert [heading for heading, _ in free] == [
        "as written", "P@30: alpha, beta and gamma", "nDCG@5: alpha, beta and gamma", "as written", "as written",
        "nDCG@5: alpha, beta and gamma",
    ]  # fmt: skip
    assert [heading for heading, _ in titled][1:3] == ["as written (now P@30)", "as written (now nDCG@5)"]
    assert [scenario for _, scenario in free] == [
        "The written one.",
        "The written one.",
        "Scenario busy, changed: gains 0-1-10-100, discount jk2002(base=2), cutoff 5.",
        "Scenario flat.",
        "Scenario flat.",
        "Scenario busy, changed: gains 0-1-1-1, discount none, cutoff 5.",
    ]


def test_why_a_control_cannot_be_used() -> None:
    script = "return Object.fromEntries(gc.facts.menu.map((name) => [name, gaincurve.app.state.unusedText(name)]))"
    reasons = run(script, None, SCRIPTS)
    assert [name for name, reason in reasons.items() if not reason] == ["nDCG", "DCG"]
    assert reasons["CG"] == "CG has no discount: it can be changed under nDCG and DCG."
    assert reasons["AP"] == "AP has no gains and no discount: they can be changed under nDCG, DCG, nCG and CG."
