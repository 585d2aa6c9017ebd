"""Measures as text: Name(parameter=value, …)@cutoff, and the spellings of other tools."""

from __future__ import annotations

import copyreg
import importlib
from collections.abc import Iterable, Mapping

from gaincurve.errors import ChoiceError, Problem, nearest
from gaincurve.measures import FAMILIES
from gaincurve.measures.registry import REGISTRY
from gaincurve.measures.syntax import bad_syntax, keyword_arguments, separated, taken_apart
from gaincurve.measures.trec_names import TREC_NAMES, from_trec_eval
from gaincurve.model.measure import Definition, Measure
from gaincurve.model.source import shorten

for family in FAMILIES:  # importing a family registers its measures
    importlib.import_module(f"gaincurve.measures.{family}")

_F = "SetF is F of all that was retrieved, SetF(beta=2) weights recall; F at a cutoff: P@10 and R@10 side by side"
_MEANT = {
    **dict.fromkeys(("f", "f_1", "f1_score", "fmeasure", "f_measure"), _F),
    **dict.fromkeys(("accuracy", "acc"), "P@1 is the share of topics whose first document is relevant"),
    **dict.fromkeys(("auc", "roc_auc"), "AP or bpref, which compare relevant with non-relevant documents in a ranking"),
}
"""Names from elsewhere that no registered measure has, and what to use instead."""

_OTHER_NAMES = {"gmap": "gm_map", "f1": "SetF"}
"""Names of textbooks that are no alias, because they fix a parameter or are written for a name of trec_eval."""
_ONLY_TREC_EVAL = ("all_trec", "official", "set", "num_q", "runid", "relstring")


def make_measure(name: str, parameters: Mapping[str, object], cutoff: object = None) -> Measure:
    """A checked measure by its registered name."""
    return Measure.of(REGISTRY[name], parameters, cutoff)


def parse_measures(texts: str | Measure | Iterable[str | Measure]) -> list[Measure]:
    """Measures from their texts; one text may name several cutoffs (nDCG@5,10) or measures (nDCG@10,P@5)."""
    several = isinstance(texts, Iterable) and not isinstance(texts, str) and not _is_theirs(texts)
    entries: list[object] = list(texts) if several else [texts]  # type: ignore[arg-type]
    given: list[str | Measure] = []
    for entry in entries:
        named = str(entry) if _is_theirs(entry) else entry
        if not isinstance(named, str | Measure):
            raise bad_syntax(f"{shorten(repr(entry))} is not a measure, but {type(entry).__name__}")
        given.append(named)
    measures = [
        measure
        for entry in given
        for part in ([entry] if isinstance(entry, Measure) else separated(entry.strip()))
        for measure in ([part] if isinstance(part, Measure) else _parse(part))
    ]
    return list(dict.fromkeys(measures))


def _is_theirs(entry: object) -> bool:
    """Whether it is a measure of ir_measures, whose text is understood."""
    return type(entry).__module__.partition(".")[0] == "ir_measures"


def parse_measure(text: str | Measure) -> Measure:
    """Exactly one measure; one that is parsed already stays as it is."""
    measures = parse_measures(text)
    if len(measures) != 1:
        raise bad_syntax(f"{text!r} names {len(measures)} measures where one is wanted")
    return measures[0]


def _parse(text: str) -> list[Measure]:
    text = _OTHER_NAMES.get(text.lower(), text)
    trec = None if text in REGISTRY else from_trec_eval(text)
    if trec is not None:
        return [make_measure(*parts) for parts in trec]
    written = taken_apart(text)
    name = _known_name(written.name)
    parameters = _translated(REGISTRY[name], keyword_arguments(written.inside, text))
    if written.cutoff is None:
        return [make_measure(name, parameters)]
    return [make_measure(name, parameters, cutoff.strip()) for cutoff in written.cutoff.split(",")]


def _restored(name: str, text: str, cutoff: float | None, parameters: tuple[tuple[str, object], ...]) -> Measure:
    """A measure as it was pickled: its record is the registered one, which holds functions that cannot be pickled."""
    return Measure(text, REGISTRY[name], cutoff, parameters)


copyreg.pickle(Measure, lambda m: (_restored, (m.name, m.text, m.cutoff, m.parameters)))


def definitions() -> list[Definition]:
    """The record of every measure."""
    return list(REGISTRY.values())


def definition_of(text: str) -> Definition:
    """The record of the measure that a text names, even if it does not give all that is needed to compute it."""
    text = _OTHER_NAMES.get(text.lower(), text)
    trec = None if text in REGISTRY else from_trec_eval(text)
    return REGISTRY[trec[0][0] if trec else _known_name(taken_apart(text).name)]


def _known_name(name: str) -> str:
    by_folded = {alias.lower(): known for known, definition in REGISTRY.items() for alias in definition.aliases}
    by_folded |= {known.lower(): known for known in REGISTRY}
    registered = by_folded.get(name.lower()) or by_folded.get(name.lower().replace("_", ""))
    if registered is None:
        if name in _ONLY_TREC_EVAL:
            what = f"{name!r} is printed by trec_eval, but is not a measure of `eval`"
            raise ChoiceError(Problem("measure-unknown", what, hint=f"gaincurve trec_eval -m {name} JUDGMENTS RUN"))
        if name.lower() in _MEANT:
            what = f"there is no measure {name!r} of ranked lists"
            raise ChoiceError(Problem("measure-unknown", what, hint=_MEANT[name.lower()]))
        aliases = (alias for definition in REGISTRY.values() for alias in definition.aliases)
        known = [*TREC_NAMES, *aliases, *REGISTRY]  # ours win
        raise ChoiceError(Problem("measure-unknown", f"there is no measure {name!r}{nearest(name, known)}"))
    return registered


def _translated(definition: Definition, parameters: dict[str, object]) -> dict[str, object]:
    """Parameters in our words: ir_measures writes nDCG(dcg='exp-log2') for gains='exp2', discount='log'."""
    translated: dict[str, object] = {}
    for key, value in parameters.items():
        if isinstance(value, str | int) and (key, value) in definition.spellings:
            translated.update(definition.spellings[key, value])
        elif key == "cutoff":
            raise bad_syntax(f"the cutoff of {definition.name} is written {definition.name}@{value}")
        elif key == "judged_only":
            raise ChoiceError(
                Problem(
                    "measure-parameter", "judged_only is a choice for all measures here", hint="--unjudged condensed"
                )
            )
        else:
            translated[key] = value
    return translated
