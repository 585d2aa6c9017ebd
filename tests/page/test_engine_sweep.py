"""The sweep of the page's engine against Python: every setting scored by evaluate and tested by compare."""

import random

import pytest
from experiments import cases, close
from node import run

import gaincurve
from gaincurve.errors import InputError
from gaincurve.model.scenario import Scenario
from gaincurve.model.sweep import TIED, Setting, Sweep
from gaincurve.verbs.axes import BASES, DEPTHS, flat_to_steep

BODY = """
return input.map(({ document, settings }) => {
  const observed = gc.observe(document);
  return settings.map((one) => ({ axes: gc.defaultAxes(observed, one), ...gc.sweep(observed, one) }));
});
"""


def setting_of(case, measure, scenario, found, alpha=0.05):
    """The same setting by Python: evaluate, then t with Holm's correction over all pairs."""
    base = {"inf": float("inf")}.get(found["base"], found["base"])
    chosen = scenario.with_choices(
        gains=found["gains_text"], discount=found["discount"], base=base, depth=found["depth"]
    )
    scores = gaincurve.evaluate(case.judgments, case.runs, measure, scenario=chosen)
    adjust = "holm" if len(case.runs) > 2 else None
    family = gaincurve.compare(scores, "t", adjust=adjust, draws=10).families[0]
    first, second = family.best_first[:2]
    pair = next(p for p in family.pairs if {p.a, p.b} == {family.runs[first], family.runs[second]})
    return Setting(
        measure=measure,
        gains=found["gains_text"],
        discount=str(chosen.discount),
        depth=found["depth"],
        ratio=None,
        means=family.means,
        winner=pair.better or TIED,
        runner_up=family.runs[second],
        margin=abs(family.means[first] - family.means[second]),
        low=0.0,
        high=0.0,
        p=pair.p_adjusted,
        significant=pair.significant and bool(pair.better),
        topics=len(family.topics),
    )


@pytest.mark.parametrize("seed", range(3))
def test_the_sweep_is_that_of_evaluate_and_compare(seed):
    made = list(cases(seed=20 + seed, experiments=4, settings=2))
    given = [{"document": case.document, "settings": case.settings} for case in made]
    tested = 0
    for case, answers in zip(made, run(BODY, given), strict=True):
        names = [one["name"] for one in case.document["runs"]]
        labels = [one["label"] for one in case.document["runs"]]
        for (scenario, _, _), settings, answer in zip(case.tried, case.settings, answers, strict=True):
            measure = settings["measure"] if settings["measure"] in ("CG", "DCG", "nCG", "nDCG") else "nDCG"
            assert answer["measure"] == measure
            try:
                wanted = [setting_of(case, measure, scenario, found) for found in answer["settings"]]
            except InputError:  # in some setting fewer than two topics can be scored
                continue
            for found, one in zip(answer["settings"], wanted, strict=True):
                assert close(found["means"], one.means)
                assert (names[found["winner"]] if found["winner"] >= 0 else TIED) == one.winner
                assert names[found["runner_up"]] == one.runner_up
                assert close([found["margin"], found["p"]], [one.margin, one.p])
                assert (found["significant"], found["topics"]) == (one.significant, one.topics)
            told = Sweep(measure, tuple(names), tuple(wanted), (), 0.05, "", "", (), ()).sentence()
            for name, label in zip(names, labels, strict=True):
                told = told.replace(name, label) if name != label else told
            assert answer["sentence"] == told
            tested += 1
    assert tested


def test_what_is_swept_unless_told_otherwise():
    for case in cases(seed=30, experiments=12, settings=4):
        found = run(BODY, [{"document": case.document, "settings": case.settings}])[0]
        for (scenario, _, _), settings, answer in zip(case.tried, case.settings, found, strict=True):
            scale = case.judgments.scale
            schemes = flat_to_steep(scale)
            usual = [(gains.text, gains.of_grades(scale).tolist()) for gains in schemes]
            gains = [(one["gains_text"], one["gains"]) for one in answer["axes"]["gains"]]
            own = [] if settings["gains"] in [values for _, values in usual] else [settings["gains"]]
            assert [one for one in gains if one[1] not in own] == usual
            assert [values for _, values in gains if values in own] == own
            assert answer["axes"]["depths"] == sorted({*DEPTHS, scenario.depth})
            wanted = discounts_tried(scenario, settings)
            assert [(one["discount"], one["base"]) for one in answer["axes"]["discounts"]] == wanted
            assert len(answer["settings"]) == len(gains) * len(wanted) * len(answer["axes"]["depths"])
            tried = [(s["gains"], s["discount"], s["base"], s["depth"]) for s in answer["settings"]]
            chosen = (settings["gains"], settings["discount"], settings["base"], settings["depth"])
            assert tried.count(chosen) == 1


def discounts_tried(scenario, settings):
    """Every base of the discount and its own; or the discount and every base of the 2002 paper's, none only once."""
    name, base = scenario.discount.name, scenario.discount.base
    if settings["measure"] in ("CG", "nCG"):
        return [(name, settings["base"])]
    if base is not None:
        bases = sorted({*BASES, base})
        return [(name, "inf" if one == float("inf") else one) for one in bases]
    paper = [("jk2002", "inf" if one == float("inf") else one) for one in BASES]
    return [*paper[:-1], ("none", None)] if name == "none" else [(name, None), *paper]


AXES = "return input.settings.map((one) => gc.defaultAxes({ scale: input.scale }, one));"


@pytest.mark.parametrize(
    ("gains", "place"),
    [
        ((0, 5, 5, 5), 1),  # as flat as all alike
        ((0, 1, 1, 2), 2),  # the best grade has the half of all, as in 0-1-2-3
        ((0, 1, 2, 4), 2),
        ((0, 1, 3, 8), 3),
        ((0, 1, 10, 1000), 4),
        ((0, 0, 0, 9), 5),
        ((0, 0, 0, 0), 0),
        ((3, 3, 3, 3), 0),  # flatter than all: even what is not relevant counts
    ],
)
def test_gains_of_ones_own_stand_between_flatter_and_steeper_ones(gains, place):
    plain = {"measure": "nDCG", "discount": "jk2002", "base": 2, "depth": 10}
    settings = [{**plain, "gains": list(gains), "gains_text": "mine"}]
    (found,) = run(AXES, {"scale": [0, 1, 2, 3], "settings": settings})
    texts = [one["gains_text"] for one in found["gains"]]
    assert texts.index("mine") == place
    assert [text for text in texts if text != "mine"] == ["0-1-1-1", "identity", "exp2", "0-1-10-100", "0-0-0-1"]


def test_settings_among_the_usual_ones_add_nothing():
    plain = {"measure": "nDCG", "discount": "jk2002", "gains": [0, 1, 2, 3], "gains_text": "0=0,1=1,2=2,3=3"}
    settings = [{**plain, "base": base, "depth": depth} for base in (2, "inf") for depth in (5, 100)]
    found = run(AXES, {"scale": [0, 1, 2, 3], "settings": settings})
    assert all(axes == found[0] for axes in found)
    assert [len(found[0][axis]) for axis in ("gains", "discounts", "depths")] == [5, 5, 5]


def test_the_grid_agrees_with_the_verb_sweep():
    """The verb tests otherwise (Tukey), but winners, margins and settings are the same."""
    case = next(cases(seed=41, experiments=1, settings=1))
    scenario = Scenario(ties=case.tried[0][0].ties).with_choices(
        discount="jk2002", base=2, missing="zero", empty="zero"
    )
    settings = {**case.settings[0], "measure": "nDCG", "discount": "jk2002", "base": 2, "unjudged": "zero",
                "ideal": "judged", "missing": "zero", "empty": "zero", "negative": "judged"}  # fmt: skip
    answer = run(BODY, [{"document": case.document, "settings": [settings]}])[0][0]
    found, axes = answer["settings"], answer["axes"]
    wanted = gaincurve.sweep(
        case.judgments,
        case.runs,
        "nDCG",
        scenario=scenario,
        gains=[one["gains_text"] for one in axes["gains"]],
        bases=[float(one["base"]) for one in axes["discounts"]],
        depths=axes["depths"],
    ).grid
    assert len(wanted) == len(found)
    names = [one.name for one in case.runs]
    assert [(s["gains_text"], s["depth"]) for s in found] == [(s.gains, s.depth) for s in wanted]
    assert [names[s["winner"]] if s["winner"] >= 0 else TIED for s in found] == [s.winner for s in wanted]
    assert close([s["margin"] for s in found], [s.margin for s in wanted])


def test_the_sentence_is_that_of_python_whoever_wins_where():
    rng = random.Random(60)
    names = ("b", "a", "𝔘")
    given = []
    for _ in range(300):
        axes = [(gains, base, depth) for gains in ("0-1", "exp2") for base in (2, "inf") for depth in (5, 10, 20, 50)]
        usual, other = rng.choice((-1, 0, 1)), rng.randrange(3)
        here = rng.choice(
            (lambda g, b, d: g == "exp2", lambda g, b, d: b == 2, lambda g, b, d: d > 5, lambda *_: False)
        )
        noise = rng.choice((0, 0, 0.2))
        given.append([
            {"gains_text": g, "discount": "jk2002", "base": b, "depth": d, "significant": rng.random() < 0.3,
             "winner": rng.randrange(-1, 3) if rng.random() < noise else other if here(g, b, d) else usual}
            for g, b, d in axes
        ])  # fmt: skip
    body = "return input[1].map((settings) => gc.sweepSentence({ names: input[0], labels: input[0] }, settings));"
    for settings, told in zip(given, run(body, [names, given]), strict=True):
        grid = tuple(
            Setting(
                measure="nDCG",
                gains=one["gains_text"],
                discount=f"jk2002(base={one['base']})",
                depth=one["depth"],
                ratio=None,
                means=(),
                winner=names[one["winner"]] if one["winner"] >= 0 else TIED,
                runner_up="",
                margin=0.0,
                low=0.0,
                high=0.0,
                p=1.0,
                significant=one["significant"],
                topics=2,
            )
            for one in settings
        )
        assert told == Sweep("nDCG", names, grid, (), 0.05, "", "", (), ()).sentence()
