"""One contender, one job, one process: `contenders.py NAME JOB ARGUMENTS` does it and prints the seconds it took.

Jobs: `text QRELS RUN` reads and scores, `all QRELS RUN` with all measures; `dicts TOPICS DEPTH` and `arrays TOPICS
DEPTH` make inputs in memory first and time only the scoring. The driver measures whole processes too (time and peak
memory).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

MEASURES = ("nDCG@10", "nDCG@100", "nDCG", "DCG@100")


def made_dicts(topics: int, depth: int) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Judgments and a run as dicts of dicts."""
    random = np.random.default_rng(2002)
    judgments: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for topic in range(topics):
        names = [str(number) for number in random.choice(8_841_823, size=depth + 10, replace=False).tolist()]
        run[str(topic)] = dict(zip(names[:depth], random.random(depth).tolist(), strict=True))
        pool = names[depth:] + [names[i] for i in random.choice(depth, size=10, replace=False).tolist()]
        judgments[str(topic)] = dict(zip(pool, random.integers(0, 4, size=20).tolist(), strict=True))
    return judgments, run


def made_arrays(topics: int, depth: int) -> tuple[Any, Any]:
    """Scores and grades as matrices."""
    random = np.random.default_rng(2002)
    return random.random((topics, depth)), random.integers(0, 4, size=(topics, depth)).astype(float)


def pytrec_eval_text(qrels: str, run: str, measures: set[str] | None = None) -> None:
    """pytrec_eval from text, as its documentation does it."""
    import pytrec_eval  # noqa: PLC0415

    with open(qrels) as judged, open(run) as ranked:  # noqa: PTH123
        pytrec_eval_dicts(pytrec_eval.parse_qrel(judged), pytrec_eval.parse_run(ranked), measures)


def pytrec_eval_all(qrels: str, run: str) -> None:
    """The same with all measures it has."""
    import pytrec_eval  # noqa: PLC0415

    pytrec_eval_text(qrels, run, set(pytrec_eval.supported_measures))


def pytrec_eval_dicts(judgments: Any, run: Any, measures: set[str] | None = None) -> None:
    """pytrec_eval on dicts."""
    import pytrec_eval  # noqa: PLC0415

    asked = measures or {"ndcg_cut.10", "ndcg_cut.100", "ndcg", "map"}
    evaluator = pytrec_eval.RelevanceEvaluator(judgments, asked)
    rows = evaluator.evaluate(run).values()
    print(f"{sum(row['ndcg_cut_10'] for row in rows) / len(rows):.6f}", file=sys.stderr)


def ir_measures_text(qrels: str, run: str) -> None:
    """ir_measures from text."""
    import ir_measures  # noqa: PLC0415

    asked = [ir_measures.parse_measure(text) for text in ("nDCG@10", "nDCG@100", "nDCG", "AP")]
    found = ir_measures.calc_aggregate(asked, ir_measures.read_trec_qrels(qrels), ir_measures.read_trec_run(run))
    print(f"{found[asked[0]]:.6f}", file=sys.stderr)


def ranx_text(qrels: str, run: str) -> None:
    """ranx from text."""
    import ranx  # noqa: PLC0415

    judged, ranked = ranx.Qrels.from_file(qrels, kind="trec"), ranx.Run.from_file(run, kind="trec")
    found = ranx.evaluate(judged, ranked, ["ndcg@10", "ndcg@100", "ndcg", "map"], make_comparable=True)
    print(f"{found['ndcg@10']:.6f}", file=sys.stderr)


def gaincurve_dicts(judgments: Any, run: Any) -> None:
    """gaincurve on dicts."""
    import gaincurve  # noqa: PLC0415

    scores = gaincurve.evaluate(judgments, run, MEASURES, scenario="trec_eval-9.0.8")
    print(f"{scores.summary()['run']['nDCG@10']:.6f}", file=sys.stderr)


def gaincurve_arrays(scores: Any, grades: Any) -> None:
    """gaincurve on matrices."""
    import gaincurve  # noqa: PLC0415

    print(gaincurve.evaluate_arrays(scores, grades, "nDCG@10").summary()["run"]["nDCG@10"], file=sys.stderr)


def sklearn_arrays(scores: Any, grades: Any) -> None:
    """scikit-learn on matrices."""
    from sklearn.metrics import ndcg_score  # noqa: PLC0415

    print(ndcg_score(grades, scores, k=10), file=sys.stderr)


def polars_parquet(qrels: str, run: str) -> None:
    """nDCG@10 in Polars: sort by score and id, join, sum."""
    import polars as pl  # noqa: PLC0415

    judged = pl.scan_parquet(qrels)
    discount = (pl.col("rank") + 1).log(2)
    rank = pl.int_range(1, pl.len() + 1).over("qid").alias("rank")
    top = (
        pl.scan_parquet(run)
        .sort("qid", "score", "docno", descending=[False, True, True])
        .with_columns(rank)
        .filter(pl.col("rank") <= 10)
        .join(judged, on=["qid", "docno"])
        .group_by("qid")
        .agg((pl.col("grade") / discount).sum().alias("gained"))
    )
    best = (
        judged.filter(pl.col("grade") > 0)
        .sort("qid", "grade", descending=[False, True])
        .with_columns(rank)
        .filter(pl.col("rank") <= 10)
        .group_by("qid")
        .agg((pl.col("grade") / discount).sum().alias("best"))
    )
    found = best.join(top, on="qid", how="left").select((pl.col("gained").fill_null(0.0) / pl.col("best")).mean())
    print(found.collect(engine="streaming").item())


def duckdb_parquet(qrels: str, run: str) -> None:
    """The same in SQL."""
    import duckdb  # noqa: PLC0415

    query = """
        WITH top AS (
            SELECT qid, docno, row_number() OVER (PARTITION BY qid ORDER BY score DESC, docno DESC) AS rank
            FROM read_parquet(?) QUALIFY rank <= 10
        ), gained AS (
            SELECT qid, sum(grade / log2(rank + 1)) AS gained
            FROM top JOIN read_parquet(?) USING (qid, docno) GROUP BY qid
        ), ideal AS (
            SELECT qid, grade, row_number() OVER (PARTITION BY qid ORDER BY grade DESC) AS rank
            FROM read_parquet(?) WHERE grade > 0 QUALIFY rank <= 10
        ), best AS (SELECT qid, sum(grade / log2(rank + 1)) AS best FROM ideal GROUP BY qid)
        SELECT avg(coalesce(gained, 0) / best) FROM best LEFT JOIN gained USING (qid)
    """
    print(duckdb.execute(query, [run, qrels, qrels]).fetchone()[0])


JOBS: dict[tuple[str, str], Callable[..., None]] = {
    ("pytrec_eval", "text"): pytrec_eval_text,
    ("pytrec_eval", "all"): pytrec_eval_all,
    ("ir_measures", "text"): ir_measures_text,
    ("ranx", "text"): ranx_text,
    ("pytrec_eval", "dicts"): pytrec_eval_dicts,
    ("gaincurve", "dicts"): gaincurve_dicts,
    ("gaincurve", "arrays"): gaincurve_arrays,
    ("scikit-learn", "arrays"): sklearn_arrays,
    ("polars", "parquet"): polars_parquet,
    ("duckdb", "parquet"): duckdb_parquet,
}
MAKERS = {"dicts": made_dicts, "arrays": made_arrays}


def main() -> None:
    """Command line."""
    name, job, *arguments = sys.argv[1:]
    made = MAKERS[job](int(arguments[0]), int(arguments[1])) if job in MAKERS else tuple(arguments)
    if job in MAKERS:  # imports and first-call costs are not what is measured in memory
        JOBS[name, job](*MAKERS[job](3, 20))
    before = time.perf_counter()
    JOBS[name, job](*made)
    print(time.perf_counter() - before)


if __name__ == "__main__":
    main()
