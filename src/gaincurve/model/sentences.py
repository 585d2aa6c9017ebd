"""The sentences about a comparison or a sweep, as templates: the library and the page's scripts fill the same."""

from __future__ import annotations

SENTENCES: dict[str, str] = {
    # one pair
    "p": "(p = {p})",
    "p below": "(p {p})",
    "interval": "{level} % interval {ends}",
    "ends": "{low} to {high}",
    "same mean": "On {measure} {a} and {b} have the same mean.",
    "same mean over": "On {measure} {a} and {b} have the same mean over {topics}.",
    "ahead": "On {measure} {better} is ahead of {worse} by {size} ({interval})",
    "ahead, significant": "{ahead}: more than chance explains {p}.",
    "ahead, open": "{ahead}, which chance could explain {p}: no difference is shown, and no equality either.",
    # runs against a baseline
    "against a baseline": "On {measure} {groups}.",
    "better": "{runs} {are} significantly better than {baseline}",
    "worse": "{runs} {are} significantly worse than {baseline}",
    "worse, too": "{runs} {are} significantly worse",
    "open": "{runs} {are} not shown to differ from {baseline}",
    "open, too": "{runs} {are} not shown to differ",
    # all pairs
    "highest": "On {measure} {run} scores highest",
    "lowest": "On {measure} {run} is best",
    "significant pairs": "{significant} of {pairs} differ significantly",
    "all the same": "On {measure} all runs have the same mean.",
    "all the same, but": "On {measure} all runs have the same mean; {pairs}.",
    "nothing shown": "{best}, but no difference between any two runs is shown.",
    "beats all": "{best} and is significantly better than every other run; {pairs}.",
    "some level": "{best}; {runs} {are} not shown to be worse, which does not make them equal; {pairs}.",
    # nothing to compare
    "too few topics": "On {measure} {topics} with a score for every run are too few to compare.",
    "no score": "On {measure} {run} has no score: it is undefined for every topic.",
    "one run": "On {measure} {run} scores {mean} over {topics}; with one run there is nothing to compare it with.",
    "one run, interval": "On {measure} {run} scores {mean} ({interval}) over {topics}; with one run there is nothing "
    "to compare it with.",
    # how it was tested
    "method": "{test} over {sample}, {comparisons}, α = {alpha}.",
    "paired t": "Two-sided paired t-test",
    "welch": "Two-sided Welch t-test",
    "different sessions": "different sessions ({sizes})",
    "adjusted": "{name}-adjusted over {comparisons}",
    "not adjusted": "{comparisons} not adjusted",
    "paired t intervals": "each {level} %, paired t",
    # a sweep
    "no winner": "No run is ahead in any setting.",
    "wins": "{run} wins {won} of {settings}, {significant} of them significantly",
    "holds": "{wins}: the verdict holds for every user tried.",
    "flips": "{wins}; {others}; {significant} of those significantly.",
    "other wins": "{run} wins {won}{where}",
    "where": ", {how} with {axis} {values}",
}
"""Each by what it says; the fields are named in braces."""


def say(sentence: str, **values: object) -> str:
    """The sentence with its fields filled."""
    return SENTENCES[sentence].format(**values)
