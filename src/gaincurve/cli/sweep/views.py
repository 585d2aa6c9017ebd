"""A sweep as tables: a map for people, one setting per row for programs."""

from __future__ import annotations

from gaincurve.cli.compare.views import truth
from gaincurve.io.render import Cell, Table
from gaincurve.model.source import number_text
from gaincurve.model.sweep import TIED, Setting, Sweep, topics_text


def sweep_wide(sweep: Sweep) -> list[Table]:
    """Who wins by how much: gains and discount by cutoff, then the weight ratio by cutoff; ! marks a flip."""
    legend = (
        "Winner and margin over the next best; * significant; ! won by another run than most settings.",
        sweep.sentence(),
        *([sweep.ratio_sentence()] if sweep.ratios else []),
        f"Tukey's HSD on two-way ANOVA over {topics_text(sweep.topics)} topics in every setting, "
        f"α = {sweep.alpha:g}; not adjusted over settings.",
        str(sweep.signature),
    )
    tables = []
    if sweep.grid:
        tables.append(_map(sweep, sweep.grid, ("gains", "discount")))
    if sweep.ratios:
        tables.append(_map(sweep, sweep.ratios, ("ratio",)))
    last = tables[-1]
    tables[-1] = Table(last.columns, last.rows, last.title, legend)
    return tables


def _map(sweep: Sweep, settings: tuple[Setting, ...], axes: tuple[str, ...]) -> Table:
    depths = list(dict.fromkeys(setting.depth for setting in settings))
    rows: dict[tuple[str, ...], dict[int, str]] = {}
    for setting in settings:
        key = tuple(_text(getattr(setting, axis)) for axis in axes)
        rows.setdefault(key, {})[setting.depth] = _cell(sweep, setting)
    heads = {"ratio": "weight ratio"}
    columns = (*(heads.get(axis, axis) for axis in axes), *(f"@{depth}" for depth in depths))
    return Table(columns, [(*key, *(row[depth] for depth in depths)) for key, row in rows.items()])


def _text(value: object) -> str:
    return f"{number_text(value)} : 1" if isinstance(value, float) else str(value)


def _cell(sweep: Sweep, setting: Setting) -> str:
    if setting.winner == TIED:
        return "equal"
    flip = "" if setting.winner == sweep.winner else "! "
    return f"{flip}{setting.winner} {setting.margin:.3f}{'*' if setting.significant else ''}"


def sweep_tidy(sweep: Sweep, as_json: bool = False) -> Table:
    """measure, gains, discount, depth, ratio, topics, winner, runner_up, margin, p, significant, flip, run means."""
    rows: list[tuple[Cell, ...]] = [
        (
            setting.measure, setting.gains, setting.discount, setting.depth, setting.ratio, setting.topics,
            setting.winner, setting.runner_up, setting.margin, setting.p,
            truth(setting.significant, as_json), truth(flip, as_json), *setting.means, str(sweep.signature),
        )
        for setting, flip in sweep.flipped()
    ]  # fmt: skip
    columns = ("measure", "gains", "discount", "depth", "ratio", "topics", "winner", "runner_up", "margin", "p")
    return Table((*columns, "significant", "flip", *sweep.runs, "signature"), rows)
