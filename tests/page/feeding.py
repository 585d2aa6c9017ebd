"""A made-up experiment, the feeds that the page's scripts make of it, and definitions with a feed put in."""

import random
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from node import run as run_node

import gaincurve as gc
from gaincurve.curve.points import Curves
from gaincurve.figures.style import DARK
from gaincurve.model.comparison import Comparison
from gaincurve.model.judgments import Judgments
from gaincurve.model.run import Run
from gaincurve.model.scenario import Scenario
from gaincurve.page.charts import chart_specs
from gaincurve.page.observed.runs import observe
from gaincurve.page.settings import settings_of
from gaincurve.verbs.experiment import Experiment, experiment

FEEDS = """
const observed = gc.observe(input.document);
const analysis = new gc.Analysis(observed, input.settings);
const on = input.on ?? observed.runs.map((_, r) => r);
const view = { on, a: 0, b: Math.min(1, observed.runs.length - 1), topic: 2, run: 0, ...input.view };
return {
  reach: analysis.reach,
  feeds: Object.fromEntries(input.charts.map((id) => [id, gc.feeds[id](analysis, view)])),
};
"""


@dataclass(frozen=True)
class Case:
    """Judgments and runs under a scenario, decided by one measure."""

    judgments: Judgments
    runs: list[Run]
    scenario: Scenario
    measure: str = "nDCG"
    baseline: str = ""

    @property
    def names(self) -> list[str]:
        return [run.name for run in self.runs]

    @cached_property
    def settings(self) -> dict[str, Any]:
        return settings_of(self.scenario, self.measure, self.judgments.scale, self.baseline)

    @cached_property
    def specs(self) -> dict[str, dict[str, Any]]:
        scale = self.judgments.scale.tolist()
        return chart_specs(self.names, scale=scale, topics=len(self.judgments.topics))

    @cached_property
    def graded(self) -> Experiment:
        return experiment(self.judgments, self.runs, self.scenario)

    def told(self, on: list[int] | None = None, **view: Any) -> dict[str, Any]:
        """What the scripts answer: the feeds of every chart, and how far curves go."""
        document = observe(self.judgments, self.runs, self.scenario).to_dict()
        asked = {"document": document, "settings": self.settings, "charts": list(self.specs), "on": on, "view": view}
        answer: dict[str, Any] = run_node(FEEDS, asked)
        return answer

    def curves(self, names: list[str], reach: int) -> Curves:
        """The same curves by Python, with their topics."""
        deep = replace(self.scenario, depth=reach)
        return gc.curves(self.judgments, self.runs, names, per_topic=True, scenario=deep)

    def compared(self) -> Comparison:
        """The comparison of the page by Python."""
        depth = self.scenario.depth
        scores = gc.evaluate(self.judgments, self.runs, [f"{self.measure}@{depth}"], scenario=self.scenario)
        adjust = "holm" if len(self.runs) > 2 else "none"
        return gc.compare(scores, "t", adjust=adjust, baseline=self.baseline or None, missing="intersect")


def made_up(
    runs: int = 4, topics: int = 20, seed: int = 5, listed: int = 110, measure: str = "nDCG", **choices: Any
) -> Case:
    """Runs of different quality over judgments that leave a third of the documents out; some lists are short."""
    draw = random.Random(seed)
    documents = [f"d{i}" for i in range(150)]
    grades = lambda: draw.choices([0, 1, 2, 3], [6, 3, 2, 1])[0]  # noqa: E731
    judged = {f"t{i:02}": {d: grades() for d in draw.sample(documents, 100)} for i in range(topics)}
    names = ["sharp", "broad", "base", "fast", *(f"run{i}" for i in range(4, runs))][:runs]
    made = []
    for i, name in enumerate(names):
        lists = {}
        for topic, graded in judged.items():
            seen = draw.sample(documents, draw.choice([listed, listed, listed // 2]))
            lists[topic] = {d: graded.get(d, 0) * (1.2 - 0.15 * (i % 6)) + 3 * draw.random() for d in seen}
        made.append(Run.of(lists, name))
    chosen = Scenario().with_choices(**{"depth": 10, "gains": "0-1-10-100", "discount": "jk2002", **choices})
    return Case(Judgments.of(judged), made, chosen, measure)


def fed(spec: dict[str, Any], feed: dict[str, Any], dark: bool = False, width: int = 560) -> dict[str, Any]:
    """A definition with the rows and signals of a feed in it, as the page puts them in."""
    signals = feed["signals"]
    params = [{**one, "value": signals[one["name"]]} if one["name"] in signals else one for one in spec["params"]]
    made = {**spec, "width": width, "datasets": feed["data"], "params": params}
    return recoloured({**made, "background": "#ffffff"}) if dark else {**made, "background": "#ffffff"}


def recoloured(value: Any) -> Any:
    """Every colour by its dark twin, as the page does it."""
    if isinstance(value, str):
        return DARK.get(value, value)
    if isinstance(value, list):
        return [recoloured(one) for one in value]
    if isinstance(value, dict):
        return {key: recoloured(one) for key, one in value.items()}
    return value
