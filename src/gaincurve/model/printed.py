"""What the tools print: our measures that have their number in a tool, and where a tool's number is another one."""

from __future__ import annotations

from typing import NamedTuple


class Printed(NamedTuple):
    """A measure of ours, its name in a tool, and when the tool's number is another.

    `differs` is one of `DIFFERS`, '' where the numbers are always the same; `why` is what the tool does then. `value`
    is what the choice named there has to be. `hint` says how to go on. A measure with several cases has a record each.
    """

    measure: str
    theirs: str
    differs: str = ""
    why: str = ""
    value: object = None
    hint: str = ""


DIFFERS: dict[str, str] = {
    "always": "",
    "short": "a list shorter than the cutoff",
    "unrated": "unjudged documents above the cutoff",
    "fractions": "grades between 0 and 1",
    "above": "grades above the highest one",
    "gains": "other gains",
    "top": "another highest grade",
    "norm": "another divisor",
}
"""When the number of a tool is another: always, for some lists or grades, or unless a choice is made."""

_SHORT = "it divides by the hits returned, not by the cutoff"
_OWN_THRESHOLD = "it sets the threshold for each query, at the 90th percentile of its ratings or half of the highest"
_NO_RATING = "it has no number for a document without a rating, and its server saves 0 for the query"
_SCORE = "it takes grades of 0 and 1 only, and a document with a score of 0 or less is not relevant to it"
_MAXIMUM = "its maximum_relevance is part of the request"
_ABOVE_0 = "a document is relevant to it if its rating is above 0"
_BEYOND = "it takes such a document for relevant with a probability above 1"

_QUEPID = (
    Printed("CG", "CG@10", "gains", "it sums the ratings as they are", "identity", "CG(gains='identity')@10"),
    Printed("CG", "CG@10", "unrated", _NO_RATING),
    Printed("DCG", "DCG@10", "unrated", _NO_RATING),
    Printed("P", "P@10", "short", _SHORT),
    *(
        Printed(name, f"{name}@10", "fractions", _ABOVE_0, hint=f"write the lowest relevant grade: {name}(rel=0.1)@10")
        for name in ("P", "AP", "RR")
    ),
    Printed("ERR", "ERR@10", "top", "its highest grade is 3, whatever the scale", 3.0, "ERR(top=3)@10"),
    Printed("ERR", "ERR@10", "above", _BEYOND),
)

PRINTED: dict[str, tuple[Printed, ...]] = {
    "elasticsearch": (
        Printed("nDCG", "dcg with normalize"),
        Printed("DCG", "dcg"),
        Printed("P", "precision", "short", _SHORT),
        Printed("R", "recall"),
        Printed("RR", "mean_reciprocal_rank"),
        Printed("ERR", "expected_reciprocal_rank", "top", _MAXIMUM, None, "write it in the measure: ERR(top=3)@10"),
        Printed("ERR", "expected_reciprocal_rank", "above", _BEYOND),
    ),
    "opensearch-workbench": (
        Printed("nDCG", "NDCG@k"),
        Printed("DCG", "DCG@k"),
        Printed("P", "Precision@k", "always", _OWN_THRESHOLD),
        Printed("R", "Recall@k", "always", _OWN_THRESHOLD),
        Printed("AP", "MAP@k", "always", _OWN_THRESHOLD),
        Printed("RR", "MRR", "always", _OWN_THRESHOLD),
        Printed("Judged", "Coverage@k", "always", "it divides all judged hits by all hits, whatever k is"),
    ),
    "quepid-8.6": (Printed("nDCG", "nDCG@10"), *_QUEPID),
    "quepid-cut": (Printed("nDCG", "nDCG_CUT@10"), *_QUEPID),
    "sklearn": (
        Printed("nDCG", "ndcg_score"),
        Printed("DCG", "dcg_score"),
        Printed(
            "AP", "label_ranking_average_precision_score", "always",
            "it gives 1 to a list without relevant documents and the worst rank of its block to a tied document",
        ),
    ),
    "lightgbm": (
        Printed("nDCG", "ndcg"),
        Printed(
            "AP", "map", "always", "it divides by the relevant rows or the cutoff, and gives 1 where none is relevant",
        ),
    ),
    "ranx": (
        Printed("nDCG", "ndcg"),
        Printed("DCG", "dcg"),
        Printed("P", "precision"),
        Printed("R", "recall"),
        Printed("AP", "map"),
        Printed("RR", "mrr"),
        Printed("Success", "hit_rate"),
        Printed("Rprec", "r-precision"),
        Printed("bpref", "bpref", "always", "it is nan where no document was judged not relevant"),
        Printed("RBP", "rbp", "always", "it sums the grades as they are, and can exceed 1"),
    ),
    "mteb": (
        Printed("nDCG", "ndcg_at_k"),
        Printed("P", "precision_at_k"),
        Printed("R", "recall_at_k"),
        Printed("AP", "map_at_k"),
        Printed("RR", "mrr_at_k"),
        Printed("Success", "hit_rate_at_k"),
    ),
    "spark-4": (
        Printed("nDCG", "ndcgAt"),
        Printed("P", "precisionAt"),
        Printed("R", "recallAt"),
        Printed(
            "AP", "meanAveragePrecisionAt", "norm", "it divides by the relevant documents that fit above the cutoff",
            "min", "AP(norm='min')@10",
        ),
    ),
    "torchmetrics": (
        Printed("nDCG", "RetrievalNormalizedDCG"),
        *(
            Printed(ours, f"Retrieval{theirs}", "always", _SCORE)
            for ours, theirs in (
                ("P", "Precision"), ("R", "Recall"), ("AP", "MAP"), ("RR", "MRR"), ("Success", "HitRate"),
                ("Rprec", "RPrecision"), ("Fallout", "FallOut"),
            )
        ),
    ),
}  # fmt: skip
"""By scenario. A measure that is not named is none of the tool's; it is ours, with the tool's choices."""
