"""Scenarios from TOML files."""

from __future__ import annotations

import os
import tomllib
from dataclasses import replace
from pathlib import Path

from gaincurve.errors import ChoiceError, Problem, nearest
from gaincurve.model.scenario import CHOICES, SCENARIOS, Scenario

_KEYS = ("name", "about", "extends", *CHOICES)


def read_scenario(given: str | os.PathLike[str] | Scenario) -> Scenario:
    """A scenario by name, or from a TOML file whose keys are its choices; `extends` names the one it starts from."""
    if isinstance(given, Scenario) or (isinstance(given, str) and given in SCENARIOS):
        return Scenario.of(given)
    path = Path(given)
    if path.suffix != ".toml" and not path.exists():
        return Scenario.of(os.fspath(given))
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ChoiceError(Problem("scenario-file", f"the scenario cannot be read: {error}", str(path))) from None
    for key in table:
        if key not in _KEYS:
            what = f"a scenario has no {key!r}{nearest(key, _KEYS)}"
            raise ChoiceError(Problem("scenario-file", what, str(path)))
    start = Scenario.of(table.get("extends", "default"))
    choices = {key: _value(table[key]) for key in CHOICES if key in table}
    named = replace(start, name=str(table.get("name", path.stem)), about=str(table.get("about", "")))
    return named.with_choices(**choices)


def _value(value: object) -> object:
    """TOML tables have text keys; gains by grade want numbers, which Gains makes of them."""
    return value
