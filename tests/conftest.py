"""What tests of several folders share: trec_eval's recorded outputs, and the closing line on what was skipped."""

from __future__ import annotations

import os
import tarfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings

settings.register_profile("gaincurve", deadline=None)  # no test has a time limit
settings.register_profile("mutate", deadline=None, phases=(Phase.explicit, Phase.generate))  # a failure is enough
settings.load_profile("gaincurve")

collect_ignore = [] if os.environ.get("GAINCURVE_PEERS") else ["peers"]  # they have an environment of their own

RECORDED = Path(__file__).parent / "data" / "trec_eval" / "recorded.tar.xz"


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for each case of `data/trec_eval/index.tsv`: judgments, a run, and what trec_eval printed for them."""
    folder = tmp_path_factory.mktemp("trec_eval")
    with tarfile.open(RECORDED) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # absent before Python 3.11.4
        archive.extractall(folder)
    return folder


@pytest.fixture(scope="session")
def playground(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with gaincurve-demo, as the demo writes it with figures and report, and with the papers' examples."""
    from gaincurve.cli import main  # noqa: PLC0415 -- tests without it start without the command line

    folder = tmp_path_factory.mktemp("playground")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert main(["demo", "gaincurve-demo"]) == 0
        assert main(["demo", "--papers", "papers"]) == 0
    return folder


TOGETHER = {
    "tests/browser/": "the browser and its reports",
    "tests/contract/test_docs.py": "the demo",
    "tests/page/test_one_verdict.py": "the demo",
    "tests/contract/test_add_a_measure.py": "a copy of the project",
    "tests/cli/test_demo.py": "the demo as a program",
    "tests/page/test_engine.py": "answers of the page's scripts",
    "tests/page/test_engine_comparison.py": "answers of the page's scripts",
}
"""Tests that one worker takes, by what they share that takes long to make."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Hand out tests one by one but for those that stand together.

    Marks of xdist_group do not reach xdist 3.8 under pytest 9: it writes them into a name that nobody reads.
    """
    from xdist.scheduler import LoadScopeScheduling  # noqa: PLC0415 -- only where xdist is used

    class Together(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return next((shared for start, shared in TOGETHER.items() if nodeid.startswith(start)), nodeid)

    return Together(config, log)


def pytest_unconfigure(config: pytest.Config) -> None:
    """End with one line that says how many tests were skipped, and why; workers of xdist leave that to their master."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and not config.option.collectonly and not hasattr(config, "workerinput"):
        reporter.write_line(skipped_line([report.longrepr[2] for report in reporter.stats.get("skipped", ())]))


def skipped_line(reasons: list[str]) -> str:
    """The reasons of skipped tests as one line, the most frequent first."""
    counted = Counter(" ".join(reason.removeprefix("Skipped: ").split()) for reason in reasons)
    if not counted:
        return "skipped: none"
    return f"skipped: {len(reasons)} — " + "; ".join(f"{n} because {why}" for why, n in counted.most_common())
