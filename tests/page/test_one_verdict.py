"""One verdict everywhere: compare, sweep, gate, demo and report say the same of the same runs, to 1e-12.

Every surface is asked as a user asks it, on the command line, and answers in the form it is written in; the page's
scripts run under Node on what the page holds.
"""

from __future__ import annotations

import json
import math
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import beside
import node
import pytest
from command import Command
from experiments import close

from gaincurve.cli import main
from gaincurve.model.sentences import say
from gaincurve.page.packing import unpack

JUDGED = ("judged_a", "judged_b", "judged_low", "judged_high", "judged_p")
TESTED = ("difference", "low", "high", "p", "p_adjusted")
PAGE = """
const { document, settings, written } = input;
const observed = gc.observe(document);
return [null, written].map((given) => {
  const analysis = new gc.Analysis(observed, settings, given);
  const { comparison, verdict, methods, model, signature } = analysis;
  const pairs = comparison.pairs.map((pair) => ({ ...pair, standing: pair.standing }));
  const { names, groups } = { ...observed, ...comparison };
  return { pairs, names, groups, verdict, methods, model, signature: String(signature) };
});
"""


@pytest.fixture
def gaincurve(capsysbinary: pytest.CaptureFixture[bytes]) -> Command:
    def run(*arguments: object) -> Any:
        code = main([str(argument) for argument in arguments])
        out, err = capsysbinary.readouterr()
        assert code in (0, 1), err.decode()
        return json.loads(out) if "json" in arguments else out.decode()

    return run


def of_page(path: Path) -> list[dict[str, Any]]:
    """What the page's scripts say of the settings it is written with: computed anew, and as it was written."""
    html = path.read_text("utf-8")
    page = json.loads(re.findall(r'<script type="application/json" id="page">(.*?)</script>', html)[0])
    document = unpack(re.findall(r'<script type="text/plain" id="observed">(.*?)</script>', html)[0])
    given = {"document": document, "settings": page["settings"], "written": page["written"]}
    answers: list[dict[str, Any]] = node.run(PAGE, given)
    return answers


def seen_from(pair: dict[str, Any], run: str) -> dict[str, Any]:
    """A pair of compare's JSON with `run` as its a."""
    if pair["a"] == run:
        return pair
    other_side = {"low": "high", "high": "low", "judged_low": "judged_high", "judged_high": "judged_low"}
    negated = {end: None if pair[other] is None else -pair[other] for end, other in other_side.items()}
    swapped = {"a": pair["b"], "b": pair["a"], "judged_a": pair["judged_b"], "judged_b": pair["judged_a"]}
    return {**pair, **negated, **swapped, "difference": -pair["difference"]}


def assert_same_pair(pair: dict[str, Any], others: list[dict[str, Any]], tested: tuple[str, ...] = TESTED) -> None:
    """A pair as JSON against the one among compare's that has the same runs."""
    wanted = seen_from(next(other for other in others if {other["a"], other["b"]} == {pair["a"], pair["b"]}), pair["a"])
    for name in (*tested, *JUDGED):
        assert (pair[name] is None) == (wanted[name] is None), name
        assert pair[name] is None or close(pair[name], wanted[name]), (name, pair, wanted)
    for name in ("better", "certain", "decided_by_ties"):
        assert pair[name] == wanted[name]


def assert_one_verdict(gaincurve: Command, qrels: Path, runs: list[Path], measure: str, folder: Path) -> None:
    """Compare, gate and report on the same runs; every number parsed from what is printed."""
    comparison: Any = gaincurve("compare", qrels, *runs, "-m", measure, "-f", "json", "--quiet")
    pairs = comparison["pairs"]
    assert len(pairs) == len(runs) * (len(runs) - 1) // 2
    assert comparison["method"]["test"] == "t"
    assert comparison["method"]["adjust"] == "holm"

    for base, candidate in combinations(runs, 2):
        given = ("gate", qrels, base, candidate, "--max-drop", f"{measure}=0.01", "-f", "json", "--quiet")
        gate: Any = gaincurve(*given)
        pair = gate["checks"][0]["pair"]
        assert_same_pair(pair, pairs, ("difference", "low", "high", "p"))
        assert pair["p_adjusted"] == pair["p"]  # one comparison has nothing to correct

    out = folder / "report.html"
    gaincurve("report", qrels, *runs, "-m", measure, "-o", out, "--quiet")
    for answer in of_page(out):
        assert answer["verdict"] == comparison["sentences"][0]
        assert answer["methods"] == comparison["method"]["sentences"][0]
        assert answer["signature"] == comparison["measures"][0]["signature"]
        assert dict(zip(answer["names"], answer["groups"], strict=True)) == comparison["groups"][measure]
        prior = comparison["method"]["prior"]
        assert answer["model"] == (say("if judged", model=say(f"model {prior}")) if prior else "")
        assert (f"|prior:{prior}" in answer["signature"]) == bool(prior)
        assert len(answer["pairs"]) == len(pairs)
        for pair in answer["pairs"]:
            assert_same_pair(in_json(pair, answer["names"]), pairs)


def in_json(pair: dict[str, Any], names: list[str]) -> dict[str, Any]:
    """A pair of the page in the words of compare's JSON."""
    standing = {
        f"judged_{name}" if name in ("low", "high", "p") else name: pair["standing"][name] for name in pair["standing"]
    }
    runs = {name: names[pair[name]] if pair[name] >= 0 else None for name in ("a", "b", "better")}
    return {name: None if value in (math.nan,) else value for name, value in {**pair, **standing, **runs}.items()}


def assert_sweeps_alike(gaincurve: Command, qrels: Path, runs: list[Path]) -> None:
    """Each cell of a sweep against compare under the measure that the cell names."""
    axes = ("--gains", "identity", "--gains", "exp2", "--base", "2,10", "--depth", "10,50", "--ratio", "10")
    sweep: Any = gaincurve("sweep", qrels, *runs, *axes, "-f", "json", "--quiet")
    assert len(sweep["settings"]) == 2 * 2 * 2 + 2
    for cell in sweep["settings"]:
        asked = ("-m", cell["measure"], "--scenario", "jk2002", "-f", "json", "--quiet")
        comparison: Any = gaincurve("compare", qrels, *runs, *asked)
        ends = {cell["winner"], cell["runner_up"]}
        wanted = seen_from(next(p for p in comparison["pairs"] if {p["a"], p["b"]} == ends), cell["winner"])
        assert wanted["better"] == cell["winner"]
        names = {"margin": "difference", "low": "low", "high": "high", "p": "p_adjusted", "significant": "significant"}
        assert close([cell[name] for name in names], [wanted[name] for name in names.values()])
        for run in sweep["runs"]:
            assert close([cell["summary"][run]], [*comparison["summary"][run].values()])
        assert f"|topics:{cell['topics']}|" in comparison["measures"][0]["signature"]


CRANFIELD = beside.DATA / "cran"


@beside.needs("cran")
@pytest.mark.parametrize("measure", ["nDCG@10", "AP", "DCG@10"])
def test_six_cranfield_runs(gaincurve: Command, tmp_path: Path, measure: str) -> None:
    assert_one_verdict(gaincurve, CRANFIELD / "qrels.txt", sorted(CRANFIELD.glob("*.run.gz")), measure, tmp_path)


@beside.needs("cran")
def test_six_cranfield_runs_swept(gaincurve: Command) -> None:
    assert_sweeps_alike(gaincurve, CRANFIELD / "qrels.txt", sorted(CRANFIELD.glob("*.run.gz")))


@beside.needs("cran")
def test_cranfield_is_not_flagged_as_a_whole(gaincurve: Command) -> None:
    """Two thirds of the top ten and more are unjudged, so the worst case alone would leave all 15 pairs open."""
    runs = sorted(CRANFIELD.glob("*.run.gz"))
    comparison: Any = gaincurve("compare", CRANFIELD / "qrels.txt", *runs, "-m", "nDCG@10", "-f", "json", "--quiet")
    pairs = comparison["pairs"]
    assert all(0.65 < 1 - pair[side] < 0.8 for pair in pairs for side in ("judged_a", "judged_b"))
    assert all(pair["judged_low"] < 0 < pair["judged_high"] for pair in pairs)
    assert not any(pair["certain"] for pair in pairs)
    open_ = {(pair["a"], pair["b"]) for pair in pairs if pair["judged_p"] < 0.95}
    assert open_ == {("bm25", "ql_dir"), ("bm25", "tfidf"), ("ql_dir", "tfidf")}
    assert comparison["method"]["prior"] == "shown"


@pytest.fixture
def demo(playground: Path) -> Path:
    return playground / "gaincurve-demo"


@pytest.mark.parametrize("measure", ["nDCG@10", "P@10", "RR"])
def test_the_runs_of_the_demo(gaincurve: Command, demo: Path, tmp_path: Path, measure: str) -> None:
    assert_one_verdict(gaincurve, demo / "judgments.qrels", sorted((demo / "runs").glob("*.run")), measure, tmp_path)


def test_the_runs_of_the_demo_swept(gaincurve: Command, demo: Path) -> None:
    assert_sweeps_alike(gaincurve, demo / "judgments.qrels", sorted((demo / "runs").glob("*.run")))


def test_the_demo_and_its_report_say_what_compare_says(gaincurve: Command, demo: Path) -> None:
    runs = sorted((demo / "runs").glob("*.run"))
    wanted: Any = gaincurve("compare", demo / "judgments.qrels", *runs, "--scenario", "busy", "-f", "json", "--quiet")
    written = json.loads((demo / "comparison.json").read_text())
    assert {measure["signature"] for measure in written["measures"]} == {m["signature"] for m in wanted["measures"]}
    assert sorted(written["sentences"]) == sorted(wanted["sentences"])
    for pair in written["pairs"]:
        assert_same_pair(pair, [other for other in wanted["pairs"] if other["measure"] == pair["measure"]])
    for answer in of_page(demo / "report.html"):
        measure = answer["signature"].split("|")[0]
        assert answer["verdict"] in wanted["sentences"]
        for pair in answer["pairs"]:
            others = [other for other in wanted["pairs"] if other["measure"] == measure]
            assert_same_pair(in_json(pair, answer["names"]), others)
