"""Scenarios from TOML files."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from gaincurve.errors import ChoiceError, Problem, nearest
from gaincurve.model.scenario import CHOICES, SCENARIOS, Scenario
from gaincurve.model.sessions.rules import SessionRules

_KEYS = ("name", "about", "extends", *CHOICES, "session")

LONGEST = 1 << 20
"""A longer text is no scenario."""


def read_scenario(given: str | os.PathLike[str] | Scenario) -> Scenario:
    """A scenario by name, or from a TOML file whose keys are its choices; `extends` names the one it starts from."""
    if isinstance(given, Scenario) or (isinstance(given, str) and given in SCENARIOS):
        return Scenario.of(given)
    import tomllib  # noqa: PLC0415 -- only for scenarios in files

    path = os.fspath(given)
    if not path.endswith(".toml") and not os.path.exists(path):
        return Scenario.of(path)
    if not os.path.exists(path):
        raise ChoiceError(Problem("scenario-unknown", f"there is no scenario file {path}", path))
    try:
        with open(path, encoding="utf-8") as file:
            table = tomllib.loads(file.read(LONGEST))  # text cut here is TOML no more, or all of it was comments
    except (OSError, ValueError, RecursionError) as error:  # broken TOML and broken UTF-8 are ValueErrors
        raise ChoiceError(Problem("scenario-file", f"the scenario cannot be read: {error}", path)) from None
    for key in table:
        if key not in _KEYS:
            what = f"a scenario has no {key!r}{nearest(key, _KEYS)}"
            raise ChoiceError(Problem("scenario-file", what, path))
    try:
        return _from_table(table, path)
    except ChoiceError as error:  # what a scenario says is wrong there, wherever it was noticed
        placed = [replace(problem, at=problem.at or path) for problem in error.problems]
        raise ChoiceError(placed, error.more) from None


def _from_table(table: dict[str, Any], path: str) -> Scenario:
    start = Scenario.of(table.get("extends", "default"))
    choices = {key: table[key] for key in CHOICES if key in table}
    named = replace(
        start,
        name=str(table.get("name", os.path.splitext(os.path.basename(path))[0])),
        about=str(table.get("about", "")),
    )
    return replace(named.choosing(choices), session=_session(start, table.get("session", {}), path))


def _session(start: Scenario, table: object, path: str) -> SessionRules:
    """The table [session]: bq and the other rules only sessions have."""
    if not isinstance(table, dict):
        raise ChoiceError(Problem("scenario-file", "session is a table: [session], then e.g. bq = 4", path))
    return start.session.with_choices(**table)
