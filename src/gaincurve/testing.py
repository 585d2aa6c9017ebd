"""Rankings in a test suite: `gate` fails a test when a candidate is worse; `ranking_gate` keeps the baseline.

The fixture needs this module as a plugin of pytest: `pytest_plugins = ["gaincurve.testing"]` in the conftest.py at the
root of the tests, or `pytest -p gaincurve.testing`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from hashlib import sha1
from itertools import count
from pathlib import Path
from typing import Any

from gaincurve.errors import MissingExtra, Problem
from gaincurve.io.results import write_whole
from gaincurve.model.gate import Gate
from gaincurve.model.run import Run
from gaincurve.verbs.gate import gate as judge

try:
    import pytest
except ImportError as error:
    what = f"gaincurve.testing needs pytest: {error}"
    raise MissingExtra(Problem("extra-missing", what, hint="pip install pytest")) from None

FOLDER = "rankings"
"""Where baselines are kept, beside the test that uses them."""


def gate(
    judgments: object,
    baseline: object,
    candidate: object,
    max_drop: Mapping[str, float | str] | None = None,
    **limits: Any,
) -> Gate:
    """Fail the test if the candidate breaks a limit: those of `gaincurve.gate`, by the same names.

    `gate(judgments, old, new, {"nDCG@10": 0.01})` fails if nDCG@10 fell by more than .01 and significantly so; the
    failure names each broken limit, the worst topics and the signature.
    """
    __tracebackhide__ = True  # the failure points at the user's line
    verdict = judge(judgments, {"baseline": baseline, "candidate": candidate}, max_drop, **limits)
    if not verdict.passed:
        failed = [check for check in verdict.checks if check.failed]
        sentences = [check.sentence(verdict.baseline, verdict.candidate) for check in failed]
        raise AssertionError("\n".join([*sentences, *(str(check.signature) for check in failed)]))
    return verdict


def pytest_addoption(parser: pytest.Parser) -> None:
    """`pytest --update-rankings` keeps the rankings of this run as baselines."""
    about = "keep the rankings of this run as the baselines of ranking_gate"
    parser.getgroup("gaincurve").addoption("--update-rankings", action="store_true", help=about)


def _kept(module: Path, test: str, call: int) -> Path:
    """Where a test keeps the ranking of one of its calls: no two tests share a file."""
    name = re.sub(r"[^\w.-]+", "-", test)
    unlike = f"-{sha1(test.encode()).hexdigest()[:6]}" if name != test else ""
    return Path(module.parent, FOLDER, f"{module.stem}-{name}{unlike}{f'-{call}' if call > 1 else ''}.json")


@pytest.fixture
def ranking_gate(request: pytest.FixtureRequest) -> Callable[..., None]:
    """`ranking_gate(judgments, run, {"nDCG@10": 0.01})`: my ranking did not get worse than the one kept for this test.

    `pytest --update-rankings` keeps the ranking in the folder `rankings` beside the test: commit it. Without a kept
    ranking the test fails and says how to keep one. A test that calls it several times keeps a ranking for each call.
    """
    calls = count(1)

    def check(judgments: object, run: object, max_drop: Mapping[str, float | str] | None = None, **limits: Any) -> None:
        __tracebackhide__ = True
        path = _kept(request.path, request.node.nodeid.partition("::")[2], next(calls))
        if request.config.getoption("--update-rankings"):
            path.parent.mkdir(exist_ok=True)
            ranked = Run.of(run, "candidate")
            lists = {topic: ranked.ranking_of(topic) for topic in sorted(ranked.topics)}
            write_whole(path, json.dumps(lists, ensure_ascii=False, indent=0).encode())
        if not path.exists():
            pytest.fail(f"no ranking is kept in {path}: keep this one with pytest --update-rankings", pytrace=False)
        gate(judgments, json.loads(path.read_text("utf-8")), run, max_drop, **limits)

    return check
