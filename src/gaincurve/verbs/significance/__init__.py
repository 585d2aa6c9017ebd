"""The tests of significance that `compare` and `gate` offer: one record each, in the table of its module."""

from gaincurve.verbs.significance import all_runs, pairwise, welch
from gaincurve.verbs.significance.records import SignificanceTest

TESTS: dict[str, SignificanceTest] = {test.name: test for test in (*pairwise.TESTS, *all_runs.TESTS, *welch.TESTS)}
"""Every test by name, in the order in which they are listed."""

PAIRED = {name: test for name, test in TESTS.items() if test.design == "paired"}
"""Those for systems scored on the same topics, as all runs are."""

UNPAIRED = {name: test for name, test in TESTS.items() if test.design == "unpaired"}
"""Those for systems scored on different sessions."""
