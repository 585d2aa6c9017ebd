"""What the single queries of sessions gave: by position, the best one, reformulations; and how long sessions are."""

from __future__ import annotations

import math
from typing import Any

import altair as alt

from gaincurve.figures.colours import GREY, INK, RULE
from gaincurve.figures.sessions.parts import HEIGHT, WIDTH, filtered, titled, tone_of, wrapped
from gaincurve.figures.sheet import Rows
from gaincurve.figures.style import finished, values_data
from gaincurve.verbs.sessions.curves import SessionCurves, session_lengths, single_queries

OUTCOMES = {
    "last": "the last query",
    "tied": "the last, and an earlier one as good",
    "earlier": "an earlier query",
    "nothing": "none: nothing found",
}
"""Which query was the best, as the legend says it."""
FEWEST = 5
"""The fewest reformulations with an interval in the figure: those of two or three would flatten all others."""
MOST_POSITIONS = 20
"""Further positions are not drawn: there are few sessions as long."""


def positions_chart(curves: SessionCurves, width: int = WIDTH, height: int = HEIGHT) -> Any:
    """The mean score of first, second, … queries by system, and above them of how many queries."""
    score = "ndcg" if curves.normalised else "dcg"
    rows: Rows = [
        {
            "query": f"Q{position.position}",
            "system": position.run,
            "value": getattr(position, score),
            "over": position.defined if curves.normalised else position.entering,
        }
        for position in curves.positions
        if position.position <= MOST_POSITIONS and not math.isnan(getattr(position, score))
    ]
    base = alt.Chart(values_data(rows)).encode(
        x=_queries(rows),
        y=alt.Y("value:Q", title=f"mean {curves.query_score} of a query", scale=alt.Scale(zero=True)),
        color=_systems(curves),
        tooltip=[alt.Tooltip(f"{name}:N") for name in ("system", "query", "value", "over")],
    )
    marks = [base.mark_line(strokeWidth=1.5), base.mark_point(filled=True, size=45, opacity=1)]
    runs = list(dict.fromkeys(row["system"] for row in rows))
    for i, run in enumerate(reversed(runs)):
        own = [row for row in rows if row["system"] == run]
        text = alt.Chart(values_data(own)).mark_text(fontSize=10, color=tone_of(_index(curves, run)))
        marks.append(text.encode(x=_queries(rows), y=alt.value(-8 - 12 * i), text="over:N"))
    about = "Above: over how many queries each mean is."
    return _done(alt.layer(*marks).properties(width=width, height=height), curves, about)


def lengths_chart(curves: SessionCurves, width: int = WIDTH, height: int = HEIGHT) -> Any:
    """Table 2 as bars: how many sessions had exactly 1, 2, … queries, by system."""
    rows: Rows = [
        {"queries": str(length), "system": lengths.run, "sessions": count}
        for lengths in curves.lengths
        for length, count in enumerate(lengths.sessions, 1)
    ]
    x = alt.X("queries:N", title="queries in the session", sort=None, axis=alt.Axis(labelAngle=0, grid=False))
    base = alt.Chart(values_data(rows)).encode(x=x, xOffset=_beside(curves))
    y = alt.Y("sessions:Q", title="sessions", axis=alt.Axis(tickMinStep=1, format="d"))
    bars = base.mark_bar().encode(y=y, color=_systems(curves))
    filled = [row for row in rows if row["sessions"]]
    numbers = alt.Chart(values_data(filled)).mark_text(dy=-6, fontSize=9, color=INK)
    drawn = [bars]
    if len(rows) * 14 <= width:
        drawn.append(numbers.encode(x=x, xOffset=_beside(curves), y="sessions:Q", text="sessions:N"))
    about = "Queries per session: " + ", ".join(f"{lengths.run} {lengths.mean:.2f}" for lengths in curves.lengths) + "."
    return _done(alt.layer(*drawn).properties(width=width, height=height), curves, about, session_lengths(curves))


def best_chart(curves: SessionCurves, width: int = WIDTH) -> Any:
    """In how many sessions of several queries the last one was the best, by system."""
    rows: Rows = [
        {"system": best.run, "best": text, "sessions": getattr(best, outcome), "nth": nth}
        for best in curves.best
        for nth, (outcome, text) in enumerate(OUTCOMES.items())
    ]
    tones = [tone_of(2), tone_of(4), tone_of(1), GREY]
    order = alt.Order("nth:Q")
    base = alt.Chart(values_data(rows)).encode(
        y=alt.Y("system:N", title=None, sort=None, axis=alt.Axis(grid=False, labelLimit=0)),
        x=alt.X("sessions:Q", title="sessions of at least two queries", stack="zero", axis=alt.Axis(tickMinStep=1)),
        order=order,
    )
    legend = alt.Legend(title=f"the best query, by {curves.query_score}", labelLimit=0)
    bars = base.mark_bar().encode(
        color=alt.Color("best:N", scale=alt.Scale(domain=list(OUTCOMES.values()), range=tones), legend=legend)
    )
    return _done(bars.properties(width=width, height=alt.Step(30)), curves, " ".join(curves.best_sentences()))


def reformulations_chart(curves: SessionCurves, width: int = WIDTH, height: int = HEIGHT) -> Any:
    """The mean gain or loss of each reformulation with its interval; above, how many gained, changed nothing, lost."""
    steps = [step for step in curves.steps() if step.query is None or step.query <= MOST_POSITIONS]
    queries = sorted({step.query for step in steps if step.query is not None})
    order = [*(f"Q{query - 1} → Q{query}" for query in queries), "all"]
    rows: Rows = [
        {
            "step": "all" if step.query is None else f"Q{step.query - 1} → Q{step.query}",
            "system": step.run,
            "change": step.change,
            **({} if math.isnan(step.low) or step.n < FEWEST else {"low": step.low, "high": step.high}),
            "counts": f"{step.gained}/{step.same}/{step.lost}",
        }
        for step in steps
    ]
    x = alt.X("step:N", title=None, sort=order, axis=alt.Axis(labelAngle=0, grid=False))
    y = alt.Y("change:Q", title=f"mean change of {curves.query_score}")
    base = alt.Chart(values_data(rows)).encode(x=x, xOffset=_beside(curves))
    ends = [row for row in rows if "low" in row]
    intervals = alt.Chart(values_data(ends)).mark_rule(strokeWidth=1.5).encode(
        x=x, xOffset=_beside(curves), y="low:Q", y2="high:Q", color=_systems(curves)
    )  # fmt: skip
    zero = alt.Chart(values_data([{"at": 0}])).mark_rule(color=RULE).encode(y="at:Q")
    marks = [zero, intervals, base.mark_point(filled=True, size=50, opacity=1).encode(y=y, color=_systems(curves))]
    for i, run in enumerate(reversed(list(dict.fromkeys(row["system"] for row in rows)))):
        own = [row for row in rows if row["system"] == run]
        text = alt.Chart(values_data(own)).mark_text(fontSize=10, color=tone_of(_index(curves, run)))
        marks.append(text.encode(x=x, y=alt.value(-8 - 12 * i), text="counts:N"))
    about = (
        "Above: reformulations that gained / changed nothing / lost. Bars: the 95% t interval of the mean change "
        f"where there are at least {FEWEST}, sessions taken as independent."
    )
    wide = max(width, 70 * len(order))
    return _done(alt.layer(*marks).properties(width=wide, height=height), curves, about)


def _queries(rows: Rows) -> Any:
    order = sorted({row["query"] for row in rows}, key=lambda name: int(name[1:]))
    return alt.X("query:N", title="query of the session", sort=order, axis=alt.Axis(labelAngle=0, grid=False))


def _names(curves: SessionCurves) -> list[str]:
    return [lengths.run for lengths in curves.lengths]


def _index(curves: SessionCurves, run: str) -> int:
    return _names(curves).index(run)


def _systems(curves: SessionCurves) -> Any:
    """A colour for each system; one alone needs no legend."""
    names = _names(curves)
    scale = alt.Scale(domain=names, range=[tone_of(i) for i in range(len(names))])
    return alt.Color("system:N", scale=scale, legend=alt.Legend(title=None, labelLimit=0) if len(names) > 1 else None)


def _beside(curves: SessionCurves) -> Any:
    return alt.XOffset("system:N", scale=alt.Scale(domain=_names(curves), paddingOuter=0.2))


def _done(chart: Any, curves: SessionCurves, about: str, signed: str = "") -> Any:
    """The chart with its title and caption; without a filter the title names the only system."""
    signature = (signed or single_queries(curves)).replace("|", "  ")
    caption = [*wrapped(about, WIDTH + 100), *wrapped(signature, WIDTH + 100)]
    if len(_names(curves)) == 1 and not filtered(curves):
        title = alt.TitleParams(_names(curves)[0], anchor="start", frame="group", offset=10)
        return finished(alt.concat(chart.properties(title=title)), caption)
    return finished(titled(chart, curves), caption)
