"""Public names, and the catalogue of problems against the source that raises them."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest

import gaincurve as gc
from gaincurve.catalogue import CATALOGUE
from gaincurve.errors import ChoiceError, GaincurveError, InputError, MissingExtra, Problem

SOURCE = Path(gc.__file__).parent
TREES = {path: ast.parse(path.read_text("utf-8")) for path in sorted(SOURCE.rglob("*.py"))}
PROMISED = {
    "read_efficiency", "tradeoff", "report", "Report", "read_texts",
    "read_judgments", "read_run", "evaluate", "curves", "effort", "explain", "check", "vectors", "figures", "Judgments",
    "Run", "Scenario", "Scores", "Curves", "GaincurveError", "InputError", "ChoiceError", "MissingExtra", "__version__",
}  # fmt: skip


def test_all_names_resolve_and_are_listed_once() -> None:
    assert len(set(gc.__all__)) == len(gc.__all__)
    assert set(gc.__all__) >= PROMISED
    assert dir(gc) == sorted(gc.__all__)
    for name in gc.__all__:
        assert getattr(gc, name) is not None


@pytest.mark.parametrize("name", [name for name in gc.__all__ if name != "__version__"])
def test_public_names_are_documented(name: str) -> None:
    thing = getattr(gc, name)
    assert len((inspect.getdoc(thing) or "").split()) >= 3
    if inspect.isclass(thing) and not issubclass(thing, Exception):
        public = [m for key, m in vars(thing).items() if callable(m) and not key.startswith("_")]
        assert all(inspect.getdoc(member) for member in public)


def test_unknown_names_are_attribute_errors() -> None:
    with pytest.raises(AttributeError, match="'gaincurve' has no attribute 'ndcg'"):
        gc.ndcg  # noqa: B018


def test_vectors_has_the_papers_algebra() -> None:
    assert set(gc.vectors.__all__) == {
        "cg", "dcg", "ideal", "norm_vect", "avg_vect", "avg_pos", "ap", "gains", "sdcg", "nsdcg",
    }  # fmt: skip
    for name, formula in {"cg": "(1)", "dcg": "(2)", "avg_vect": "(3)", "norm_vect": "(5)", "avg_pos": "(6)"}.items():
        assert formula in getattr(gc.vectors, name).__doc__


def slugs_raised() -> set[str]:
    """The first argument of every Problem(...) that is written out."""
    return {
        str(node.args[0].value)
        for tree in TREES.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Problem"
        if node.args and isinstance(node.args[0], ast.Constant)
    }


def test_every_problem_raised_is_in_the_catalogue() -> None:
    assert len(slugs_raised()) > 20
    assert slugs_raised() <= set(CATALOGUE)


def test_every_slug_of_the_catalogue_is_used() -> None:
    texts = {
        node.value
        for path, tree in TREES.items()
        if path.name != "catalogue.py"
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert set(CATALOGUE) - texts == set()


@pytest.mark.parametrize("slug", CATALOGUE)
def test_every_entry_says_why_what_next_and_what_it_means(slug: str) -> None:
    entry = CATALOGUE[slug]
    assert entry.why.strip()
    assert entry.hint.strip()
    assert len(entry.explanation.split()) >= 4
    assert slug == slug.lower().strip("-")
    assert str(Problem(slug, "what", "where")) == (
        f"error[{slug}]: what\n  at   where\n  why  {entry.why}\n  try  {entry.hint}"
    )


def test_errors_form_one_tree_that_the_docstring_draws() -> None:
    from gaincurve import errors  # noqa: PLC0415 -- the module, for its docstring

    for kind in (InputError, ChoiceError, MissingExtra):
        assert issubclass(kind, GaincurveError)
        assert kind.__name__ in (errors.__doc__ or "")


def test_at_most_20_problems_are_told_and_the_rest_counted() -> None:
    error = InputError([Problem("input-empty", f"file {i}") for i in range(23)], more=4)
    assert len(error.problems) == 20
    assert str(error).count("error[input-empty]") == 20
    assert str(error).endswith("… and 7 more of the kind")
    assert error.slug == "input-empty"


def test_modules_say_what_they_are() -> None:
    assert [str(path) for path, tree in TREES.items() if not ast.get_docstring(tree)] == []


def test_every_command_is_also_a_function() -> None:
    from gaincurve.cli import COMMANDS  # noqa: PLC0415 -- the command line, which the library does not need

    in_python = {"eval": "evaluate", "curve": "curves", "effort": "effort", "explain": "explain", "check": "check"}
    in_python |= {name: name for name in ("compare", "sweep", "gate", "agree", "report", "pool", "decide", "convert")}
    in_python |= {name: name for name in ("estimate", "votes")}
    in_python["session"] = "evaluate_sessions"
    assert set(COMMANDS) - set(in_python) == {"demo", "ls", "trec_eval"}  # the last is `evaluate` in another dress
    assert all(callable(getattr(gc, name)) for name in in_python.values())
