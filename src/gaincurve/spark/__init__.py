"""The same numbers on Spark, for judgments and runs that one machine does not hold.

    from gaincurve import spark as gs
    per = gs.evaluate(judgments, runs, ["nDCG@10", "AP"])  # two Spark data frames
    per.frame  # a Spark data frame: run, topic, measure, value
    gs.summary(per)  # an Arrow table: run, measure, mean, n, sd, se, signature
    gs.compare(per, baseline="bm25")  # the same Comparison as gc.compare
    gs.curves(judgments, runs)  # the same Curves as gc.curves

Rows are dealt to buckets by their topic, and each bucket is graded and scored by the code that does it on one machine:
no measure, tie rule or message is written a second time. Only data frames are used, so Spark Connect works as well.
"""

from __future__ import annotations

from gaincurve.spark.compare import compare
from gaincurve.spark.curves import curves
from gaincurve.spark.evaluate import evaluate
from gaincurve.spark.sessions import evaluate_sessions
from gaincurve.spark.values import TopicValues, summary

__all__ = ["TopicValues", "compare", "curves", "evaluate", "evaluate_sessions", "summary"]
