"""The facts that the page takes from Python: each has its arithmetic in the scripts, and is written in one place."""

import re
from pathlib import Path

from node import run

import gaincurve.page
from gaincurve.measures.registry import REGISTRY
from gaincurve.model.discount import FORMS
from gaincurve.page.facts import DISCOUNTS, MEASURES, NAMES, SESSION_SIGNATURE, SIGNATURE, facts
from gaincurve.page.scripts import APP, ENGINE

PAGE = Path(gaincurve.page.__file__).parent


def test_every_measure_of_the_menu_has_a_function_and_every_function_a_measure() -> None:
    assert sorted(run("return Object.keys(gc.MEASURES);")) == sorted(MEASURES)


def test_every_discount_has_a_divisor_and_a_name_in_the_menus() -> None:
    assert set(DISCOUNTS) == set(FORMS) == set(facts()["discounts_by_query"])
    settings = [{"discount": name, "base": 2 if form.based else None} for name, form in FORMS.items()]
    first = run("return input.map((settings) => gc.divisors(settings, 1)[0]);", settings)
    assert first == [1] * len(FORMS)


def test_the_page_orders_runs_from_the_highest_mean_so_it_holds_no_measure_of_which_less_is_better() -> None:
    assert {REGISTRY[name].better for name in NAMES} == {"higher"}


def test_a_signature_is_written_in_the_order_given_whatever_the_order_of_its_parts() -> None:
    for order in (SIGNATURE, SESSION_SIGNATURE):
        parts = {part: f"<{i}>" for i, part in enumerate(order)}
        backwards = dict(reversed(parts.items()))
        written = run("return gc.signed('m', input.parts, input.order);", {"parts": backwards, "order": order})
        assert written == "|".join(("m", *(f"{part}:{value}" for part, value in parts.items())))


def test_every_script_is_loaded_once() -> None:
    there = [path.relative_to(PAGE / "assets").as_posix() for path in (PAGE / "assets").rglob("*.js")]
    assert sorted((*ENGINE, *APP)) == sorted(there)


def test_no_list_of_measures_stands_outside_the_facts() -> None:
    """Two names of measures in one pair of brackets are a list; the facts have one, and the engine its functions."""
    names = "|".join(map(re.escape, NAMES))
    listed = re.compile(rf"""[\[(][^\[\]()]*["'](?:{names})["']\s*,\s*["'](?:{names})["']""")
    found = {
        path.relative_to(PAGE).as_posix()
        for path in PAGE.rglob("*")
        if path.suffix in (".py", ".js", ".jinja") and listed.search(path.read_text("utf-8"))
    }
    assert found == {"facts.py"}
