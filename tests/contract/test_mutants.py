"""The list of mutants follows the code: `make mutate` itself takes too long for every run of the tests."""

from __future__ import annotations

from mutate import MUTANTS, out_of_date


def test_every_mutant_changes_a_text_that_stands_in_the_code_once():
    assert out_of_date(MUTANTS) == []
