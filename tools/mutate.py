"""Change the numeric code in one place at a time: the tests named for it must fail, every time.

usage: python tools/mutate.py [-j JOBS] [WORD ...]

A mutant is a file of the package, a text that stands in it exactly once, what replaces it, and the tests that must
notice. The package and its tests are copied to a temporary folder, where the tests must pass first. With words, only
mutants whose file or text contains one of them are tried. Exit 0: all died; 1: some survived; 2: the list is out of
date, because a text is not there (or not once), or the tests of a mutant cannot run.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).parents[1]
PACKAGE = Path("src") / "gaincurve"


@dataclass(frozen=True)
class Mutant:
    """One change, and the tests that must fail under it."""

    file: str
    source: str
    replacement: str
    tests: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.file}: {self.source!r} → {self.replacement!r}"


CORNERS = "tests/golden/test_corners.py"
GAIN_LAWS = "tests/properties/test_gain_laws.py"
BOUNDS = "test_bounds_hold"
EMPTY = "test_bounds_of_a_topic_without_relevant_documents_that_counts_as_0"
LAWS = "tests/properties/test_laws.py"
PLAIN = f"{LAWS}::test_values_are_the_plain_ones_and_within_the_range_of_the_record"
GOLDEN = f"{LAWS}::test_golden_numbers"
TIES = f"{LAWS}::test_average_ties_are_the_mean_over_all_tie_orders"
JUDGINGS = f"{LAWS}::test_the_bounds_are_the_lowest_and_the_highest_value_of_all_judgings"
TREC_EVAL = "tests/golden/test_trec_eval_conformance.py"
ORACLES = "tests/properties/test_statistics_oracles.py"
STATISTICS = "tests/golden/test_statistics.py"
EFFORT = "tests/golden/test_curves_effort.py"
SESSIONS = "tests/golden/test_sessions_2008.py"
BY_LOOP = "tests/golden/test_sessions_by_loop.py"

Changes = tuple[tuple[str, str], ...]
ROOMS: tuple[tuple[str, tuple[str, ...], Changes], ...] = (
    (
        "model/summaries.py",
        (CORNERS,),
        (("math.fsum(defined) / len(defined)", "float(np.sum(defined)) / len(defined)"),),
    ),
    (
        "model/summaries.py",
        (f"{LAWS}::test_summaries_are_those_of_numpy",),
        (
            ("LEAST = 1e-5", "LEAST = 1e-4"),
            ("float(np.median(values))", "float(np.mean(values))"),
            ('"sum": math.fsum', '"sum": mean'),
        ),
    ),
    (
        "model/gains.py",
        (GAIN_LAWS, "tests/golden/test_gain_2002.py"),
        (
            ("return np.maximum(grades, 0.0)", "return np.abs(grades)"),
            ("grades >= self.rel", "grades > self.rel"),
            ("exp2(np.maximum(grades, 0.0)) - 1.0", "exp2(np.maximum(grades, 0.0))"),
            ("np.where(grades <= 0, 0.0, np.nan)", "np.where(grades < 0, 0.0, np.nan)"),
            ("if gain < 0:", "if gain < -1:"),
        ),
    ),
    (
        "model/discount.py",
        ("tests/golden/test_discounts.py", GAIN_LAWS),
        (
            ("log(i + 1, 2)", "log(i + 2, 2)"),
            ("i < self.base, 1.0", "i < self.base + 2, 1.0"),
            ("1.0 + log(i, self.base)", "log(i + 1, self.base)"),
            ("log(i + self.base - 1, self.base)", "log(i + self.base, self.base)"),
            ("base <= 1", "base < 1"),
        ),
    ),
    (
        "model/elementary.py",
        ("tests/unit/test_elementary.py",),
        (("np.log(_long(x))", "np.log(np.asarray(x))"), ("np.longdouble(base) **", "base **")),
    ),
    ("model/graded.py", (CORNERS,), (("last=np.minimum(above.last, depth)", "last=above.last"),)),
    (
        "measures/cumulate.py",
        (GAIN_LAWS,),
        (
            ("/ (last - first + 1)", "/ (last - first + 2)"),
            ("- running[first - 1]", "- running[first]"),
            ('if ideal == "pooled" and', 'if ideal == "never" and'),
            ("within = rank <= reach", "within = rank < reach"),
            ("where=ideal > 0", "where=ideal > 1"),
            ("undefined & can_gain()", "undefined & ~can_gain()"),
            ("(gain / size)[row]", "gain[row]"),
        ),
    ),
    (
        "measures/cumulate.py",
        ("tests/golden/test_gain_2002.py",),
        (("/ matrix.shape[1]", "/ (matrix.shape[1] + 1)"),),
    ),
    ("measures/cumulate.py", (CORNERS,), (("(gain[1:] > gain[:-1])", "(gain[1:] < gain[:-1])"),)),
    (
        "measures/bounds.py",
        (CORNERS,),
        (
            ("(run.retrieved == judged_documents)", "(run.retrieved < 0)"),
            ("np.minimum(ratio(high_sum, ideal_sum), 1.0)", "ratio(high_sum, ideal_sum)"),
            ("top * running[added]", "running[added]"),
            ("if cutoff is None else cutoff :]", "if cutoff is None else cutoff + 1 :]"),
            ("np.fmin(low, ratio(sum_, ideal_sum))", "np.fmax(low, ratio(sum_, ideal_sum))"),
        ),
    ),
    (
        "measures/bounds.py",
        (f"{GAIN_LAWS}::{BOUNDS}_every_grading_of_the_unjudged_documents", f"{GAIN_LAWS}::{EMPTY}"),
        (("np.isnan(value) & (high_sum > 0)", "np.isnan(value) & (high_sum < 0)"),),
    ),
    (
        "measures/bounds.py",
        (JUDGINGS,),
        (
            ("self.nth > self.count[topic] - m", "self.nth >= self.count[topic] - m"),
            ("np.fmax(high, value)", "np.fmin(high, value)"),
            ("range(1, judged.most + 1)", "range(1, judged.most)"),
        ),
    ),
    (
        "measures/binary.py",
        (GOLDEN, PLAIN, TIES),
        (
            ("np.clip(cutoff - hits.first[heads] + 1, 0, n)", "np.clip(cutoff - hits.first[heads], 0, n)"),
            (
                "np.minimum(total_relevant(run, rel, only), cutoff)",
                "np.maximum(total_relevant(run, rel, only), cutoff)",
            ),
            ('norm == "R" or cutoff is None', 'norm == "min" or cutoff is None'),
            ("hits.rank <= cutoff", "hits.rank < cutoff"),
            ("1.0 / hits.rank[reached]", "1.0 / (hits.rank[reached] + 1)"),
            ("(r - 1) / np.maximum(n - 1, 1)", "r / np.maximum(n - 1, 1)"),
            ("(size[heads] + 1) / (inside[heads] + 1)", "size[heads] / (inside[heads] + 1)"),
            ("np.maximum(needed(hits.total, level, points), 1)", "needed(hits.total, level, points)"),
            ("-(-total * level.numerator // level.denominator)", "total * level.numerator // level.denominator"),
            ("np.maximum(n - j - r + 1, 0)", "np.maximum(n - j - r, 0)"),
        ),
    ),
    (
        "measures/binary.py",
        (TREC_EVAL,),
        (
            ('{"trec_eval-9": 0.9, "trec_eval-10": 0.5}', '{"trec_eval-9": 0.5, "trec_eval-10": 0.9}'),
            ("np.floor(mult * hits.total + 0.9)", "np.floor(mult * hits.total + 0.5)"),
        ),
    ),
    (
        "measures/relevant.py",
        (GOLDEN, PLAIN),
        (
            ("grade >= rel if only is None", "grade > rel if only is None"),
            ("(grade >= 0) & ~is_relevant", "(grade > 0) & ~is_relevant"),
            ("self.last - self.first + 1", "self.last - self.first"),
        ),
    ),
    (
        "measures/earlier.py",
        (GOLDEN, PLAIN, "tests/golden/test_earlier_measures.py"),
        (
            ("/ (inside[rows] + 1)", "/ inside[rows]"),
            ("(2 * N - missing + 1) / 2", "(2 * N - missing) / 2"),
            ("(run.retrieved + 1 + N) / 2", "(run.retrieved + N) / 2"),
            ("rank[halfway] - 0.5 +", "rank[halfway] +"),
            ("half * (1 - 1e-12)", "half * (1 + 1e-12)"),
        ),
    ),
    (
        "measures/blended.py",
        (GOLDEN, PLAIN),
        (
            ("+ beta * ideal.at(", "+ ideal.at("),
            ("2.0 + hits.rank - hits.nth", "3.0 + hits.rank - hits.nth"),
            ("np.maximum(ideal.gain, 1.0)", "ideal.gain"),
            ("(ideal.size - retrieved) * cumulated", "ideal.size * cumulated"),
            ("run.retrieved > ideal.size + 1", "run.retrieved > ideal.size"),
        ),
    ),
    (
        "measures/cascade.py",
        (GOLDEN, PLAIN),
        (
            ("(1 - p) * weighted(", "weighted("),
            ("power(p, -np.arange(depth,", "power(p, -np.arange(1, depth + 1,"),
            ("satisfied * arrived / rank", "satisfied / rank"),
            ("+ 2 * T - np.cumsum", "+ T - np.cumsum"),
            ("((denominator - 1) / denominator)[:, :-1] ** 2", "((denominator - 1) / denominator)[:, :-1]"),
        ),
    ),
    ("measures/cascade.py", (CORNERS,), (("satisfied[grade > full] = 1.0", "satisfied[grade > full] = 0.5"),)),
    (
        "measures/satisfaction.py",
        (GOLDEN, PLAIN),
        (
            ("(1 - w) * (1 - frustrated)", "(1 - w) * frustrated"),
            ("distinct(np.append(weight, unjudged))[::-1]", "distinct(np.append(weight, unjudged))"),
        ),
    ),
    (
        "measures/incomplete.py",
        (GOLDEN, PLAIN),
        (
            ("(r + n + 2 * EPSILON)", "(r + n + EPSILON)"),
            ("r[relevant] - 1", "r[relevant]"),
            (
                "np.minimum(total_nonrelevant(run, rel, only), total)",
                "np.maximum(total_nonrelevant(run, rel, only), total)",
            ),
        ),
    ),
    (
        "measures/counts.py",
        (GOLDEN, PLAIN),
        (("- _judged_at(run, cutoff)) / cutoff", "- _judged_at(run, cutoff)) / (cutoff + 1)"),),
    ),
    (
        "measures/sessions.py",
        (SESSIONS,),
        (("power((p - b * p) / (1 - b * p),", "power(p - b * p,"), ("power(b * p,", "power(b,")),
    ),
    (
        "measures/paths.py",
        (SESSIONS,),
        (("else 1.0 - p_reform", "else p_reform"), ("* p_down ** (r - 1)", "* p_down**r")),
    ),
    (
        "measures/grid.py",
        (SESSIONS,),
        (
            ("before[:, None] + weight[:, None] * own", "before[:, None] + own"),
            ("(cells, -weight[cells], owner)", "(cells, weight[cells], owner)"),
            ("running[sessions] += whole[rows]", "running[sessions] = whole[rows]"),
        ),
    ),
    (
        "measures/grid.py",
        (BY_LOOP,),
        (
            ("taken[order] = running - np.repeat(", "taken[order] = np.repeat("),
            ("where=ideal > 0", "where=ideal > 1"),
        ),
    ),
    (
        "curve/sessions.py",
        (BY_LOOP, "tests/golden/test_unjudged_queries.py", "tests/golden/test_session_queries.py"),
        (
            ("ratio(mean, ideal) if pooled else mean", "mean"),
            ("sums[[2, 2, 3]]", "sums[[0, 2, 3]]"),
            ("(used & is_last, used & ~is_last)", "(used & is_last, used)"),
            ("last = cells[:, -1]", "last = cells[:, 0]"),
        ),
    ),
    (
        "curve/crossings.py",
        (EFFORT,),
        (("if now and before and now != before", "if now and now != before"), ("now or before", "now")),
    ),
    (
        "curve/effort.py",
        (EFFORT,),
        (("curve >= target - SAME * abs(target)", "curve >= target"), ("(target - below) / step", "target / step")),
    ),
    ("curve/points.py", (EFFORT,), (("by_topic.values() if rank]", "by_topic.values()]"),)),
    (
        "curve/recall.py",
        ("tests/golden/test_precision_recall.py",),
        (("np.maximum.accumulate(hits.precision[::-1])[::-1]", "hits.precision"),),
    ),
    (
        "stats/intervals.py",
        (CORNERS,),
        (
            (
                "(np.count_nonzero(means < mean) + np.count_nonzero(means <= mean)) / 2",
                "np.count_nonzero(means < mean)",
            ),
            ("np.count_nonzero(means < mean) +", "np.count_nonzero(means <= mean) +"),
            ("(6 * float(", "(3 * float("),
            ("mean - (differences.sum()", "-mean + (differences.sum()"),
        ),
    ),
    (
        "stats/intervals.py",
        (ORACLES, "tests/golden/test_compare.py"),
        (("t_quantile(1 - alpha / 2, n - 1) * float(", "t_quantile(1 - alpha / 2, n) * float("),),
    ),
    (
        "stats/paired.py",
        (ORACLES, "tests/golden/test_compare.py"),
        (("t_quantile(1 - alpha / 2, n - 1) * error", "t_quantile(1 - alpha / 2, n) * error"),),
    ),
    (
        "stats/friedman.py",
        (CORNERS, ORACLES),
        (
            ("room <= 1e-9 * n", "room <= 1e-2 * n"),
            ("left > 1e-9 / n", "left > 1e-3"),
            ("(n - 1) * t1 / room", "n * t1 / room"),
            ("2 * n * ranked.spread", "n * ranked.spread"),
            ("(6 * ranked.topics)", "(12 * ranked.topics)"),
        ),
    ),
    (
        "stats/anova.py",
        (CORNERS, ORACLES),
        (
            ("np.sort(scores, axis=1).mean(axis=1)", "scores.mean(axis=1)"),
            ("np.sort((system - grand) ** 2).sum()", "((system - grand) ** 2).sum()"),
            ("np.sort(residuals**2, axis=1).sum(axis=1)", "(residuals**2).sum(axis=1)"),
            ("(residual / ((n - 1) * (k - 1)))", "(residual / (n * (k - 1)))"),
        ),
    ),
    (
        "stats/anova.py",
        (STATISTICS,),
        (("q = np.abs(differences)", "q = 2 * np.abs(differences)"),),
    ),
    (
        "stats/corrections.py",
        (f"{ORACLES}::test_corrections_agree_with_statsmodels",),
        (
            ("_step_down(p, len(p) + 1 - _places(p))", "_step_down(p, len(p) - _places(p))"),
            ("np.minimum.accumulate((p * factors)[::-1])[::-1]", "p * factors"),
            ("np.maximum.accumulate(p * factors)", "p * factors"),
            ("range(1, count + 1)", "range(1, count)"),
        ),
    ),
    (
        "stats/paired.py",
        (ORACLES,),
        (
            ("zero * (zero + 1)) / 4", "zero * (zero + 1)) / 2"),
            ("abs(smaller - mean) - 0.5", "abs(smaller - mean)"),
            ("int(smaller) + 1", "int(smaller)"),
            ("/ 48", "/ 24"),
        ),
    ),
    (
        "stats/power.py",
        (ORACLES,),
        (
            ("+ normal_lower(-shift - critical", "- normal_lower(-shift - critical"),
            ("(df - 1) * log(spread)", "df * log(spread)"),
            ("t_quantile(alpha / 2,", "t_quantile(alpha,"),
        ),
    ),
    (
        "stats/signflip.py",
        (ORACLES, STATISTICS),
        (
            (">= observed - 0.5", ">= observed + 0.5"),
            ("-wanted - first", "wanted - first"),
            ("np.maximum.accumulate(sums[:, ::-1], axis=1)[:, ::-1]", "sums"),
            ("adjusted[order] = np.maximum.accumulate(p)", "adjusted[order] = p"),
        ),
    ),
    (
        "stats/signflip.py",
        (CORNERS,),
        (("(n - 1) * r2 / (n - r2)", "n * r2 / (n - r2)"),),
    ),
    (
        "stats/permuted.py",
        (ORACLES, STATISTICS),
        (("np.abs(sums) - self.slack", "np.abs(sums) + self.slack"),),
    ),
    ("stats/studentized.py", (ORACLES,), (("_power(inside, systems - 1)", "_power(inside, systems)"),)),
    (
        "stats/unpaired.py",
        ("tests/golden/test_unpaired.py",),
        (
            ("parts[1] ** 2 / (len(b) - 1)", "parts[1] ** 2 / len(b)"),
            ("/ free if free > 0", "/ (free + 1) if free > 0"),
        ),
    ),
    (
        "stats/effects.py",
        (CORNERS, f"{ORACLES}::test_hedges_g_by_its_definition"),
        (("size > ESSENTIAL", "size >= ESSENTIAL"), ("math.lgamma((df - 1) / 2)", "math.lgamma(df / 2)")),
    ),
    (
        "stats/rounding.py",
        (ORACLES,),
        (("DECIMALS = 10", "DECIMALS = 17"), ("(first + last) / 2 + 1", "first + 1.0")),
    ),
    (
        "stats/judges.py",
        (ORACLES, STATISTICS),
        (('"quadratic": apart**2', '"quadratic": apart'), ("(margin.sum() - 1)", "margin.sum()")),
    ),
    (
        "stats/orders.py",
        (ORACLES, STATISTICS),
        (("2 * share.mean() - 1", "share.mean()"), ("(d - s) / (s * d)", "(d - s) / (s * s)")),
    ),
    (
        "verbs/sweep.py",
        (CORNERS, "tests/golden/test_sweep_gate_agree.py"),
        (('if ideal is None or choices.get("ideal") != "judged":', "if ideal is None:"),),
    ),
    ("verbs/axes.py", ("tests/golden/test_sweep_gate_agree.py",), (("ratio ** (i / steps)", "ratio ** i"),)),
    (
        "model/recall.py",
        ("tests/unit/test_recall_base.py",),
        (
            ("highest - np.arange(grades)", "highest + np.arange(grades)"),
            ("or (grade != np.floor(grade)).any()", ""),
            ("topic[rows] - np.int32(first)", "topic[rows]"),
        ),
    ),
)
MUTANTS = tuple(Mutant(file, *change, tests) for file, tests, changes in ROOMS for change in changes)


def out_of_date(mutants: tuple[Mutant, ...]) -> list[str]:
    """Mutants whose text does not stand exactly once in its file, with how often it does."""
    counted = [(m, (ROOT / PACKAGE / m.file).read_text("utf-8").count(m.source)) for m in mutants]
    return [f"{mutant}: the text stands there {count} times" for mutant, count in counted if count != 1]


def copied(folder: Path) -> Path:
    """A copy of the package and its tests, compiled, so that a run compiles the mutated module only."""
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info", ".hypothesis")
    for name in ("src", "tests", "tools"):
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", folder)
    subprocess.run([sys.executable, "-m", "compileall", "-q", "src", "tests"], cwd=folder, check=True)
    return folder


@contextmanager
def applied(mutant: Mutant, copy: Path) -> Iterator[None]:
    """The copy with the mutant in it."""
    path = copy / PACKAGE / mutant.file
    whole = path.read_text("utf-8")
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*"):
        compiled.unlink()
    path.write_text(whole.replace(mutant.source, mutant.replacement), "utf-8")
    try:
        yield
    finally:
        path.write_text(whole, "utf-8")


def pytest(copy: Path, tests: tuple[str, ...], *options: str) -> subprocess.CompletedProcess[str]:
    """Run tests in the copy, to the first that fails."""
    environment = {**os.environ, "PYTHONPATH": str(copy / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    quiet = ("-x", "--tb=no", "-p", "no:cacheprovider", "--hypothesis-seed=0", "--hypothesis-profile=mutate")
    command = [sys.executable, "-m", "pytest", *quiet, *options, *tests]
    return subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)


def main(arguments: list[str] | None = None) -> int:
    """0 if all mutants died."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("words", nargs="*")
    asked = parser.parse_args(arguments)
    stale = out_of_date(MUTANTS)
    if stale:
        print("\n".join(stale), file=sys.stderr)
        return 2
    chosen = tuple(m for m in MUTANTS if not asked.words or any(word in str(m) for word in asked.words))
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        copies: SimpleQueue[Path] = SimpleQueue()
        first = copied(Path(folder) / "0")
        whole = pytest(first, tuple(sorted({test for m in chosen for test in m.tests})), "-n", str(asked.jobs))
        if whole.returncode:
            print(whole.stdout[-3000:], "the tests fail without any mutant", sep="\n", file=sys.stderr)
            return 2
        copies.put(first)
        for job in range(1, asked.jobs):
            copies.put(copied(Path(folder) / str(job)))

        def tried(mutant: Mutant) -> int:
            copy = copies.get()
            with applied(mutant, copy):
                done = pytest(copy, mutant.tests)
            copies.put(copy)
            verdict = {0: "SURVIVED", 1: "died"}.get(done.returncode, f"CANNOT RUN: {done.stdout[-500:]}")
            print(f"{verdict:9} {mutant}", flush=True)
            return done.returncode

        with ThreadPoolExecutor(asked.jobs) as pool:
            codes = list(pool.map(tried, chosen))
    survived, broken = codes.count(0), sum(code > 1 for code in codes)
    taken = time.monotonic() - begun
    print(f"{len(chosen)} mutants: {codes.count(1)} died, {survived} survived, {broken} could not run; {taken:.0f} s")
    return 2 if broken else 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
