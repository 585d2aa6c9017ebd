"""A sweep as tables: a map for people, one setting per row for programs."""

from __future__ import annotations

from gaincurve.io.render import Table
from gaincurve.model.source import number_text
from gaincurve.model.sweep import TIED, Setting, Sweep


def sweep_wide(sweep: Sweep) -> list[Table]:
    """Who wins by how much: gains and discount by cutoff, then the weight ratio by cutoff; ! marks a flip."""
    legend = (
        "Winner and margin over the next best; * significant; ! won by another run than most settings.",
        sweep.sentence(),
        *([sweep.ratio_sentence()] if sweep.ratios else []),
        sweep.method,
        str(sweep.signature),
    )
    tables = []
    if sweep.grid:
        by_query = ("query_discount",) if _by_query(sweep) else ()
        tables.append(_map(sweep, sweep.grid, ("gains", "discount", *by_query)))
    if sweep.ratios:
        tables.append(_map(sweep, sweep.ratios, ("ratio",)))
    last = tables[-1]
    tables[-1] = Table(last.columns, last.rows, last.title, legend)
    return tables


def _by_query(sweep: Sweep) -> bool:
    """Whether there is a discount by query to name."""
    return any(setting.query_discount for setting in sweep.settings)


def _map(sweep: Sweep, settings: tuple[Setting, ...], axes: tuple[str, ...]) -> Table:
    depths = list(dict.fromkeys(setting.depth for setting in settings))
    rows: dict[tuple[str, ...], dict[int, str]] = {}
    for setting in settings:
        key = tuple(_text(getattr(setting, axis)) for axis in axes)
        rows.setdefault(key, {})[setting.depth] = _cell(sweep, setting)
    heads = {"ratio": "weight ratio", "query_discount": "query discount"}
    columns = (*(heads.get(axis, axis) for axis in axes), *(f"@{depth}" for depth in depths))
    return Table(columns, [(*key, *(row[depth] for depth in depths)) for key, row in rows.items()])


def _text(value: object) -> str:
    return f"{number_text(value)} : 1" if isinstance(value, float) else str(value)


def _cell(sweep: Sweep, setting: Setting) -> str:
    if setting.winner == TIED:
        return "equal"
    flip = "" if setting.winner == sweep.winner else "! "
    return f"{flip}{setting.winner} {setting.margin:.3f}{'*' if setting.significant else ''}"
