"""gaincurve eval --efficiency: scores beside what each run costs."""

from __future__ import annotations

from collections.abc import Sequence

from gaincurve.cli.efficiency.logs import load_with_logs
from gaincurve.cli.efficiency.views import tradeoff_tidy, tradeoff_wide
from gaincurve.cli.options import Reading
from gaincurve.cli.output import Output
from gaincurve.model.measure import Measure
from gaincurve.model.scenario import Scenario
from gaincurve.verbs.efficiency import tradeoff
from gaincurve.verbs.evaluate import score_topics
from gaincurve.verbs.remarks import with_remarks


def emit_tradeoff(
    judgments: str,
    runs: Sequence[str],
    logs: Sequence[str],
    measures: list[Measure],
    scenario: Scenario,
    reading: Reading,
    output: Output,
    per_topic: bool,
) -> None:
    """Read, score and show runs and their efficiency logs."""
    graded, efficiency = load_with_logs(judgments, runs, scenario, logs, reading, output, measures)
    scores_and_costs = tradeoff(with_remarks(score_topics(graded, measures, scenario), graded, scenario), efficiency)
    if output.is_figure:
        from gaincurve.figures import tradeoff_chart  # noqa: PLC0415 -- an extra

        output.draw(lambda: tradeoff_chart(scores_and_costs), scores_and_costs.notes)
        return
    output.emit(
        lambda: tradeoff_wide(scores_and_costs, per_topic),
        lambda: tradeoff_tidy(scores_and_costs, per_topic),
        lambda: scores_and_costs.to_dict(topics=per_topic),
        scores_and_costs.inputs,
        scores_and_costs.notes,
    )
