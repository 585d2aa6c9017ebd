"""The sentences about a comparison or a sweep, as templates: the library and the page's scripts fill the same."""

from __future__ import annotations

SENTENCES: dict[str, str] = {
    # the size of a difference
    "p": "p = {p}",
    "p below": "p {p}",
    "p by": "{p} by {by}",
    "corrected": "{name} over {comparisons}",
    "p corrected": "{p} after {correction}",
    "interval": "{level}% interval {ends}",
    "ends": "{low} to {high}",
    "no interval": "no interval, as nothing varies",
    "size": "{size} ({interval}, {p})",
    "size of this pair alone": "{size} ({interval} for this pair alone; not significant after {correction}, {p})",
    # what leaves it open who is ahead
    "unjudged": "{percent}% of {run}'s top {depth} are unjudged",
    "unjudged, open": "{unjudged}, and judging them could reverse the order",
    "unjudged, likely": "{unjudged}, and under a model {better} stays ahead with probability {p} once they are judged",
    "unjudged, few": "{unjudged}, too many for a verdict",
    "tied": "the order of tied documents alone could reverse it",
    "doubts": "{first}; {second}",
    "if judged": "If all judged: the probability that the order holds, under the model that {model}.",
    "model pooled": "an unjudged document is as good as the judged ones that the two systems show",
    "model shown": "an unjudged document is as good as the average that the two systems show, unjudged ones counted "
    "as not relevant",
    # one pair
    "same mean": "On {measure} {a} and {b} have the same mean.",
    "same mean over": "On {measure} {a} and {b} have the same mean over {topics}.",
    "ahead": "On {measure} {better} is ahead of {worse} by {size}",
    "ahead, significant": "{ahead}: a significant difference.",
    "ahead, open": "{ahead}: not significant, which does not mean that they are equal.",
    "ahead, significant, doubted": "{ahead}: significant, but {doubt}.",
    "ahead, open, doubted": "{ahead}: not significant, and {doubt}.",
    # runs against a baseline
    "against a baseline": "On {measure} {clauses}.",
    "better": "{runs} {are} significantly better than {baseline}, by {size}",
    "better, several": "{runs} {are} significantly better than {baseline}, {best} the most, by {size}",
    "none better": "no run is significantly better than {baseline}; the best, {best}, is {side} by {size}",
    "none better, level": "no run is significantly better than {baseline}; the best, {best}, has the same mean",
    "worse": "{runs} {are} significantly worse than {baseline}",
    "open": "{runs} {are} not significantly different from {baseline}",
    "doubted, several": "whether {runs} are better or worse than {baseline} depends on unjudged or tied documents",
    "doubted": "{run} is {side} {baseline}, but {doubt}",
    # all pairs
    "highest": "On {measure} {run} scores highest",
    "lowest": "On {measure} {run} is best",
    "best, ahead": "{best}, ahead of {second} by {size}",
    "best, level": "{best}, level with {second}",
    "significant pairs": "{significant} of {pairs} {differ} significantly",
    "significant pairs, doubted": "{significant} of {pairs} {differ} significantly, but {doubted} of them {depend} on "
    "unjudged or tied documents",
    "all the same": "On {measure} all runs have the same mean.",
    "all the same, but": "On {measure} all runs have the same mean; {pairs}.",
    "nothing shown": "no two runs differ significantly",
    "beats all": "it is significantly better than every other run",
    "beats": "it is significantly better than {runs}",
    "leads open": "its leads over {runs} are uncertain: unjudged or tied documents could reverse them",
    "lead open": "its lead over {run} is uncertain: {doubt}",
    "level": "{runs} {are} not significantly worse, which does not mean that they are equal",
    "clauses": "{clauses}.",
    # nothing to compare
    "too few topics": "On {measure} {topics} with a score for every run are too few to compare.",
    "one topic": "On {measure} {better} is ahead of {worse} by {size}; one topic: no test.",
    "one topic, level": "On {measure} {better} and {worse} have the same value; one topic: no test.",
    "no score": "On {measure} {run} has no score: it is undefined for every topic.",
    "one run": "On {measure} {run} scores {mean} over {topics}; there is no other run to compare it with.",
    "one run, interval": "On {measure} {run} scores {mean} ({interval}) over {topics}; there is no other run to "
    "compare it with.",
    # how it was tested
    "method": "{test} over {sample}, {comparisons}, α = {alpha}.",
    "paired t": "Two-sided paired t-test",
    "welch": "Two-sided Welch t-test",
    "means of sessions": "{units} (means of their sessions)",
    "different units": "different {unit}s ({sizes})",
    "adjusted": "{name}-adjusted over {comparisons}",
    "not adjusted": "{comparisons} not adjusted",
    "paired t intervals": "each {level}%, paired t",
    "no test": "One {unit}: no test.",
    # a sweep
    "method of a sweep": "{test} over {sample} in every setting, {comparisons}, α = {alpha}; {settings} tried, so "
    "exploratory.",
    "no winner": "No run is ahead in any setting.",
    "wins": "{run} wins {won} of {settings}, {significant} of them significantly",
    "holds": "{wins}: the verdict holds for every user tried.",
    "flips": "{wins}; {others}; {significant} of those significantly.",
    "other wins": "{run} wins {won}{where}",
    "where": ", {how} with {axis} {values}",
    # the report
    "heading": "{measure}: {runs}",
    "scenario": "Scenario {name}.",
    "scenario about": "Scenario {name}: {about}.",
    "scenario changed": "Scenario {name}, changed: {changes}.",
    "best to worst": "Runs from best to worst on {measure}.",
    "best to worst, differences": "Runs from best to worst on {measure}, and how far each is from {reference}, with "
    "the interval of that difference ({intervals}).",
    "exploratory": "Exploratory: the paired t with Holm's correction, {settings} tried.",
    "mean and interval": "The mean on {measure} with its {level}% interval.",
}
"""Each by what it says; the fields are named in braces."""


def say(sentence: str, **values: object) -> str:
    """The sentence with its fields filled."""
    return SENTENCES[sentence].format(**values)
