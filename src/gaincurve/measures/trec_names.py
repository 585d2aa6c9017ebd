"""The measures of trec_eval under their names there, in the order in which it prints them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gaincurve.errors import ChoiceError, Problem

_RANKS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
_LEVELS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
_MULTIPLES = (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0)


@dataclass(frozen=True)
class TrecName:
    """A name of trec_eval: the measure it is here, and what may follow it after a point.

    `takes` is 'ranks', 'levels' (of recall) or 'multiples' (of R), for which there is one value each and `unless` are
    the defaults; or 'gains', 'weight' (β²), 'worths', 'p' (and gains), 'points' (of recall, averaged over), which
    change the one value there is.
    """

    name: str
    measure: str
    parameters: tuple[tuple[str, object], ...] = ()
    takes: str = ""
    unless: tuple[float, ...] = ()
    count: bool = False
    since: int = 9

    @property
    def listed(self) -> bool:
        """Whether it stands for one value per cutoff."""
        return self.takes in ("ranks", "levels", "multiples")


TREC_NAMES: dict[str, TrecName] = {
    record.name: record
    for record in (
        TrecName("num_ret", "NumRet", count=True),
        TrecName("num_rel", "NumRel", count=True),
        TrecName("num_rel_ret", "NumRelRet", count=True),
        TrecName("map", "AP"),
        TrecName("gm_map", "AP", (("summary", "geometric"),)),
        TrecName("Rprec", "Rprec"),
        TrecName("bpref", "bpref"),
        TrecName("recip_rank", "RR"),
        TrecName("iprec_at_recall", "IPrec", takes="levels", unless=_LEVELS),
        TrecName("P", "P", takes="ranks", unless=_RANKS),
        TrecName("recall", "R", takes="ranks", unless=_RANKS),
        TrecName("infAP", "infAP"),
        TrecName("gm_bpref", "bpref", (("summary", "geometric"),)),
        TrecName("Rprec_mult", "Rprec", takes="multiples", unless=_MULTIPLES),
        TrecName("utility", "Utility", takes="worths"),
        TrecName("11pt_avg", "AP11", takes="points"),
        TrecName("binG", "binG"),
        TrecName("G", "G", takes="gains"),
        TrecName("dcg", "DCG", takes="gains", since=10),
        TrecName("ndcg", "nDCG", takes="gains"),
        TrecName("ndcg_rel", "ndcg_rel", takes="gains"),
        TrecName("Rndcg", "Rndcg", takes="gains"),
        TrecName("ndcg_cut", "nDCG", takes="ranks", unless=_RANKS),
        TrecName("map_cut", "AP", takes="ranks", unless=_RANKS),
        TrecName("relative_P", "relative_P", takes="ranks", unless=_RANKS),
        TrecName("success", "Success", takes="ranks", unless=(1, 5, 10)),
        TrecName("set_P", "SetP"),
        TrecName("set_relative_P", "SetRelP"),
        TrecName("set_recall", "SetR"),
        TrecName("set_map", "SetAP"),
        TrecName("set_F", "SetF", takes="weight"),
        TrecName("num_nonrel_judged_ret", "NumNonrelRet", count=True),
        TrecName("rbp", "RBP", (("p", 0.9), ("top", "topic")), takes="p", since=10),
        TrecName("rbp_resid", "RBPResidual", (("p", 0.9),), since=10),
        TrecName("unj", "Unjudged", takes="ranks", unless=(5, 10, 20), since=10),
    )
}

Asked = tuple[str, dict[str, object], float | None]
"""Name, parameters and cutoff of a measure."""


def names_in_trec_eval(measure: str) -> list[str]:
    """What trec_eval calls a measure."""
    return [record.name for record in TREC_NAMES.values() if record.measure == measure]


def from_trec_eval(text: str) -> list[Asked] | None:
    """map, ndcg.1=3,2=9, P_5, P.5,10, iprec_at_recall_0.10: the measures meant; None if it is not such a name."""
    if text in TREC_NAMES:
        return list(asked(TREC_NAMES[text], ""))
    for name in sorted(TREC_NAMES, key=len, reverse=True):
        rest = text[len(name) + 1 :]
        if TREC_NAMES[name].takes and text.startswith((f"{name}.", f"{name}_")) and re.match(r"[-\d.p]", rest):
            return list(asked(TREC_NAMES[name], rest))
    return None


def asked(one: TrecName, values: str) -> Iterator[Asked]:
    """What a name with its values stands for."""
    parameters = dict(one.parameters)
    if one.listed:
        for cutoff in cutoffs(one, values):
            yield _with_cutoff(one, parameters, cutoff)
        return
    if not values:
        yield one.measure, parameters, None
    elif one.takes == "gains":
        yield one.measure, {**parameters, "gains": values}, None
    elif one.takes == "weight":
        weight = _number(values, one)
        if not weight >= 0:
            raise _bad(one, f"{one.name} takes β², which is not negative, not {values!r}")
        yield one.measure, {**parameters, "beta": math.sqrt(weight)}, None
    elif one.takes == "points":
        yield one.measure, {**parameters, "levels": values}, None
    elif one.takes == "p":
        yield one.measure, {**parameters, **_persistence(values)}, None
    else:
        worths = [_number(value, one) for value in values.split(",")]
        if len(worths) != 4:
            raise _bad(one, f"{one.name} takes four worths, not {len(worths)}")
        yield one.measure, {**parameters, **dict(zip("abcd", worths, strict=True))}, None


def _persistence(values: str) -> dict[str, object]:
    """p=0.8,1=3,2=9: the probability of reading on, and gains; 0.8 alone is p."""
    pairs = (values if "=" in values else f"p={values}").split(",")
    gains = ",".join(pair for pair in pairs if not pair.startswith("p="))
    chances = [pair.removeprefix("p=") for pair in pairs if pair.startswith("p=")]
    given = {"p": next(iter(chances), None), "gains": gains or None}
    return {name: value for name, value in given.items() if value is not None}


def cutoffs(one: TrecName, values: str) -> Iterable[float]:
    """The cutoffs given, or those that trec_eval takes."""
    return [_number(value, one) for value in values.split(",")] if values else one.unless


def _with_cutoff(record: TrecName, parameters: dict[str, object], cutoff: float) -> Asked:
    if record.takes == "multiples":
        return record.measure, {**parameters, "mult": cutoff}, None
    return record.measure, parameters, cutoff


def _number(text: str, record: TrecName) -> float:
    try:
        return float(text)
    except ValueError:
        raise _bad(record, f"{record.name} cannot take {text!r}") from None


def _bad(record: TrecName, what: str) -> ChoiceError:
    return ChoiceError(Problem("measure-cutoff" if record.listed else "measure-parameter", what))
