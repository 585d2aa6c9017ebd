"""The choices of every verb are typed keywords: editors see them, type checkers refuse what does not exist."""

from __future__ import annotations

import ast
import inspect
import re
import typing
from pathlib import Path

import pytest
from mypy import api

import gaincurve as gc
from gaincurve.model import choices as typed
from gaincurve.model.discount import FORMS
from gaincurve.model.scenario import CHOICES, RULES
from gaincurve.model.sessions.rules import RULE_NAMES, SESSION_RULES

ROOT = Path(__file__).parents[2]
VERBS = [name for name in gc.__all__ if inspect.isfunction(getattr(gc, name))]
RIGHT = """
import gaincurve as gc

J = {"q1": {"d1": 3}}
R = {"q1": {"d1": 9.5}}
gc.evaluate(J, R, "nDCG@10", gains="exp2", ties="trec-float32", depth=20)
gc.evaluate(J, R, gains=[0, 1, 10, 100], discount="jk2002", base=2)
gc.evaluate(J, R, gains={1: 1, 2: 10}, missing=None)
gc.curves(J, R, unjudged="condensed").notes
gc.evaluate_sessions(J, {"s1": [["d1"]]}, bq=4, ideal="spread", horizon=5, pad="min:3")
gc.check(J, R, ideal="pooled")
gc.Scenario.of("busy").with_choices(gains="exp2", negative="unjudged")
"""
WRONG = [
    'gc.evaluate(J, R, "nDCG@10", gian="exp2")',
    'gc.evaluate(J, R, ties="tirec")',
    "gc.evaluate(J, R, depth=1.5)",
    'gc.evaluate(J, R, discount="log2")',
    "gc.curves(J, R, bq=4)",
    'gc.evaluate_sessions(J, {}, ideal="judged")',
    'gc.evaluate_arrays([[1.0]], [[1.0]], ties="trec", gians=1)',
    'gc.sweep(J, R, base="two")',
    "gc.report(J, R, dept=3)",
    'gc.Scenario.of("busy").with_choices(idael="judged")',
]


def test_a_type_checker_accepts_right_calls_and_refuses_each_wrong_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)  # with the settings and the cache of `make types`
    snippet = tmp_path / "snippet.py"
    snippet.write_text(RIGHT + "\n".join(WRONG) + "\n", "utf-8")
    text, errors, _ = api.run(["--config-file", "pyproject.toml", "--no-error-summary", str(snippet)])
    assert errors == ""
    first = RIGHT.count("\n") + 1
    refused = {int(line) for line in re.findall(r"snippet\.py:(\d+): error", text)}
    assert refused == set(range(first, first + len(WRONG))), text


def values(of: type, key: str) -> set[str]:
    """The words that a choice may be, as its type names them."""
    hint = str(typing.get_type_hints(of)[key])
    return {word for listed in re.findall(r"Literal\[([^]]*)\]", hint) for word in re.findall(r"'([^']+)'", listed)}


def test_the_types_name_every_choice_and_every_value_of_the_rules() -> None:
    assert set(typed.ScenarioChoices.__annotations__) == set(CHOICES)
    # a session has rules of its own for ideal and empty; the others are those of single lists
    assert set(typed.SessionChoices.__annotations__) == {*CHOICES, *RULE_NAMES}
    for key, rule in RULES.items():
        assert values(typed.ScenarioChoices, key) == set(rule), key
    for key, rule in SESSION_RULES.items():
        assert values(typed.SessionChoices, key) == {word for word in rule if word not in ("N", "min:K")}, key
    assert values(typed.ScenarioChoices, "discount") == set(FORMS)
    assert values(typed.SessionChoices, "query_discount") == set(FORMS)


def test_every_choice_is_documented_where_it_is_named() -> None:
    tree = ast.parse(inspect.getsource(typed))
    for body in (node.body for node in tree.body if isinstance(node, ast.ClassDef)):
        for line, after in zip(body, [*body[1:], None], strict=True):
            if isinstance(line, ast.AnnAssign):
                assert isinstance(after, ast.Expr), ast.unparse(line)


@pytest.mark.parametrize("name", VERBS)
def test_no_function_hides_its_choices(name: str) -> None:
    for parameter in inspect.signature(getattr(gc, name)).parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:
            assert str(parameter.annotation).startswith("Unpack["), parameter
