"""Comparisons as tables: a leaderboard with marks for a paper, the pairs for people, one row per pair for programs."""

from __future__ import annotations

from gaincurve.io.render import Bounded, Cell, Marked, Table
from gaincurve.model.comparison import STRONG, Comparison, Pair
from gaincurve.model.wording import alpha_text, p_text
from gaincurve.stats.letters import letter

MOST_PAIRS = 45
"""People see the pairs of up to ten systems; more are not printed."""

LAYOUTS = {
    "runs": "a row for each run, best first, letters of the runs it is significantly better than",
    "measures": "a row for each measure, significant differences as the 2002 paper's Table II writes them",
}


def difference_cell(pair: Pair) -> Cell:
    """A difference with its interval, where it has one."""
    return Bounded(pair.difference, pair.low, pair.high) if pair.has_interval else pair.difference


def compare_wide(comparison: Comparison, layout: str, paper: bool, said: list[str]) -> list[Table]:
    """The leaderboard and, unless it is for a paper, the pairs; the sentences `said` go under them."""
    leaderboard = (_by_run if layout == "runs" else _by_measure)(comparison)
    models = [] if paper else [family.model for family in comparison.families if family.model]
    foot = (*leaderboard.foot, *_methods(comparison), *dict.fromkeys(models), *comparison.sentences(), *said)
    foot += tuple(str(family.signature) for family in comparison.families)
    pairs = [_pairs(comparison)] if not paper and layout == "runs" and _few(comparison) else []
    tables = [leaderboard, *pairs]
    if not pairs and not paper:
        foot = ("Every pair with its difference, interval and p: -f tsv or json.", *foot)
    last = tables[-1]
    tables[0] = Table(leaderboard.columns, leaderboard.rows, leaderboard.title)
    tables[-1] = Table(last.columns, last.rows, last.title, foot)
    return tables


def _few(comparison: Comparison) -> bool:
    return all(len(family.pairs) <= MOST_PAIRS for family in comparison.families)


def _methods(comparison: Comparison) -> list[str]:
    """Each sentence about methods once, with the intervals."""
    methods, intervals = comparison.methods(), comparison.intervals()
    if len(intervals) > 1:
        sentences = [*methods, *(f"Intervals: {text}." for text in intervals)]
    else:
        sentences = [f"{text} Intervals: {intervals[0]}." for text in methods]
    if not all(pair.has_interval for pair in comparison.pairs):
        units = f"{comparison.families[0].unit}s"
        sentences.append(
            f"Differences without an interval have none at this level: too few {units}, or nothing varies."
        )
    overall = [
        f"{family.measure}: {', '.join(_statistic(name, value) for name, value in family.overall.items())}."
        for family in comparison.families
        if family.overall
    ]
    return [*sentences, *overall]


def _statistic(name: str, value: float) -> str:
    text = p_text(value) if name.startswith("p") else f"{value:.4g}"
    return f"{name} {text}" if text.startswith("<") else f"{name} = {text}"


def _by_run(comparison: Comparison) -> Table:
    """Runs by the first measure's mean, each with its letter."""
    first = comparison.families[0]
    order = first.best_first
    letters = {first.runs[r]: letter(place) for place, r in enumerate(order)}
    rows: list[tuple[Cell, ...]] = []
    for r in order:
        run = comparison.runs[r]
        cells: list[Cell] = []
        for family in comparison.families:
            marks = sorted((letters[beaten] for beaten in family.beaten_by(run)), key=lambda text: (len(text), text))
            joined = ("," if len(order) > 26 else "").join(marks)
            cells.append(Marked(family.means[r], joined))
            if family.groups:
                cells.append(family.groups[r])
        rows.append((letters[run], run, *cells))
    columns = ["", "run"]
    for family in comparison.families:
        columns += [family.measure.text, "group"] if family.groups else [family.measure.text]
    foot = ["Letters beside a mean: the runs it is significantly better than."]
    if any(family.groups for family in comparison.families):
        foot.append("Runs that share a group letter do not differ significantly.")
    foot += _star_lines(comparison)
    return Table(tuple(columns), rows, foot=tuple(foot))


def _star_lines(comparison: Comparison) -> list[str]:
    lines = [f"{family.measure}: {family.stars()}" for family in comparison.families if family.stars()]
    return [*lines, _legend(comparison.alpha)] if lines else []


def _legend(alpha: float) -> str:
    """What the stars mean; at a level of .01 or less there are no single stars."""
    if alpha <= STRONG:
        return f"** adjusted p ≤ {alpha_text(alpha)}."
    return f"** adjusted p ≤ .01, * adjusted p ≤ {alpha_text(alpha)}."


def _by_measure(comparison: Comparison) -> Table:
    """Table II of the 2002 paper: measures × runs and what is significant."""
    rows: list[tuple[Cell, ...]] = [
        (family.measure.text, *family.means, family.stars() or "–") for family in comparison.families
    ]
    columns = ("measure", *comparison.runs, "significant")
    return Table(columns, rows, foot=(_legend(comparison.alpha),))


def _pairs(comparison: Comparison) -> Table:
    checked = comparison.test == "t"
    standing = any(pair.standing is not None for pair in comparison.pairs)
    unadjusted = all(pair.p == pair.p_adjusted for pair in comparison.pairs)
    rows: list[tuple[Cell, ...]] = []
    for pair in comparison.pairs:
        p_values = [pair.p, *([] if unadjusted else [pair.p_adjusted]), *([pair.check] if checked else [])]
        record = "–" if pair.wins is None else f"{pair.wins}/{pair.ties}/{pair.losses}"
        relative = "–" if pair.relative != pair.relative else f"{pair.relative:+.1f}% {pair.practical}"
        name = f"{pair.a} − {pair.b}"
        rows.append(
            (
                pair.measure.text,
                name,
                difference_cell(pair),
                *map(p_text, p_values),
                pair.stars,
                pair.effect,
                record,
                relative,
                *([pair.standing.text if pair.standing else "–"] if standing else []),
            )
        )
    columns = ["measure", "pair", "difference", "p", *([] if unadjusted else ["adjusted p"])]
    columns += [*(["p by sign flips"] if checked else []), "", comparison.effect_name, "won/tied/lost", "relative"]
    columns += ["if all judged"] if standing else []
    return Table(tuple(columns), rows)
