"""Votes in place of judgments: elections against plain loops, marks that stay, and how wrong the order is."""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path

import numpy as np
import pytest

import gaincurve as gc
from gaincurve.cli import main
from gaincurve.errors import GaincurveError
from gaincurve.model.lists import Lists
from gaincurve.stats import voting
from gaincurve.verbs.lists import named_runs

RUNS = {
    "A": {"t": ["d1", "d2", "d3", "d4"], "u": ["e1", "e2"]},
    "B": {"t": ["d2", "d1", "d5", "d6"], "u": ["e2", "e3"]},
    "C": {"t": ["d2", "d7", "d1", "d8"], "u": ["e2", "e1"]},
}


def elected(**words: object) -> dict[str, dict[str, float]]:
    found = gc.votes(RUNS, **words).judgments  # type: ignore[arg-type]
    assert found is not None
    return found.to_dict()


def test_count_elects_what_most_runs_hold() -> None:
    """Topic t has eight documents, so four are taken: d1 and d2 of three runs, then by best rank d7 and d3.

    d7 has rank 2 in C, d3 and d5 rank 3 in A and B: A is declared first.
    """
    assert {d for d, g in elected()["t"].items() if g == 1} == {"d1", "d2", "d7", "d3"}
    assert elected()["t"]["d8"] == 0
    assert elected(grades=True)["t"]["d2"] == 3
    assert elected(take=0.1)["t"] == {f"d{i}": float(i == 1) for i in range(1, 9)}


def test_take_is_a_share_of_each_topics_pool() -> None:
    assert sum(elected(take=0.25)["t"].values()) == 2
    assert sum(elected(take=1.0)["u"].values()) == 3
    assert sum(elected(take=0.01)["u"].values()) == 1


def made(seed: int, runs: int = 5, documents: int = 14) -> dict[str, dict[str, list[str]]]:
    chance = random.Random(seed)
    return {f"r{r}": {"t": chance.sample([f"d{i:02}" for i in range(documents)], 7)} for r in range(runs)}


@pytest.mark.parametrize("seed", range(5))
def test_condorcet_is_wins_then_fewest_losses_in_a_plain_loop(seed: int) -> None:
    runs = made(seed)
    lists = Lists.of(named_runs(runs), 7)
    names = list(lists.documents)
    won, lost = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    for a, b in itertools.permutations(names, 2):
        margin = 0
        for run in runs.values():
            place = {d: i for i, d in enumerate(run["t"])}
            margin += place.get(a, 99) < place.get(b, 99)
            margin -= place.get(a, 99) > place.get(b, 99)
        won[a] += margin > 0
        lost[a] += margin < 0
    score = voting.condorcet(lists)
    order = sorted(range(len(names)), key=lambda i: (-score[i], i))
    assert order == sorted(range(len(names)), key=lambda i: (-won[names[i]], lost[names[i]], i))


def test_a_condorcet_winner_is_first() -> None:
    lists = Lists.of(named_runs(RUNS), 4, ["t"])
    assert list(lists.documents)[int(np.argmax(voting.condorcet(lists)))] == "d2"


def test_the_order_is_that_of_eval_on_the_pseudo_judgments() -> None:
    found = gc.votes(RUNS, measure="P@2")
    scores = gc.evaluate(elected(), RUNS, "P@2").summary()
    assert dict(zip(found.runs, found.means, strict=True)) == {run: row["P@2"] for run, row in scores.items()}
    assert "judgments:votes" in str(found.signature)
    assert "by:count|pool:30|take:0.5" in str(found.signature)


def test_random_draws_are_a_mean_of_evaluations_and_depend_on_nothing_but_seed_and_topic() -> None:
    runs = {r: {"t": row["t"]} for r, row in RUNS.items()}
    one = gc.votes(runs, measure="P@2", by="sample", rate=0.3, repeats=20, seed=3)
    single = [gc.votes(runs, measure="P@2", by="sample", rate=0.3, repeats=1, seed=3)]
    assert single[0].judgments is not None
    assert sum(single[0].judgments.to_dict()["t"].values()) == 2  # 8 documents, .3 of them, rounded
    assert one.judgments is None
    assert one.means == gc.votes(runs, measure="P@2", by="sample", rate=0.3, repeats=20, seed=3).means
    assert one.means != gc.votes(runs, measure="P@2", by="sample", rate=0.3, repeats=20, seed=4).means
    assert all(spread > 0 for spread in one.spread)


def test_every_document_has_the_same_chance() -> None:
    runs = {r: {"t": row["t"]} for r, row in RUNS.items()}
    found = gc.votes(runs, measure="P@4", by="sample", rate=0.5, repeats=400)
    assert found.means == pytest.approx([0.5] * 3, abs=0.05)


def test_marks_stay_with_the_judgments_through_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, topics in RUNS.items():
        lines = [f"{t} Q0 {d} {i} {9 - i} {name}" for t, row in topics.items() for i, d in enumerate(row, start=1)]
        (tmp_path / f"{name}.run").write_text("\n".join(lines) + "\n")
    runs = [str(tmp_path / f"{name}.run") for name in RUNS]
    pseudo = tmp_path / "votes.qrels"
    assert main(["votes", *runs, "-o", str(pseudo)]) == 0
    assert "judgments:votes" in capsys.readouterr().out
    assert pseudo.read_text().startswith("t votes d1 1\n")
    for command in (
        ["eval", str(pseudo), *runs, "-m", "AP", "-m", "nDCG@2"],
        ["compare", str(pseudo), *runs],
        ["curve", str(pseudo), *runs],
        ["curve", str(pseudo), *runs, "--precision-recall"],
        ["sweep", str(pseudo), *runs],
        ["decide", str(pseudo), *runs[:2]],
    ):
        assert main([*command, "-f", "json"]) == 0, command
        printed = capsys.readouterr()
        assert "|judgments:votes|" in printed.out, command
        assert "nobody judged them" in printed.err
    judgments = gc.read_judgments(pseudo)
    assert judgments.origin == "votes"
    assert judgments.to_qrels() == pseudo.read_text()
    assert main(["convert", str(pseudo), str(tmp_path / "again.qrels")]) == 0
    assert (tmp_path / "again.qrels").read_text() == pseudo.read_text()
    assert main(["convert", str(pseudo), str(tmp_path / "lost.json")]) == 2
    assert "nobody judged them" in capsys.readouterr().err
    assert main(["report", str(pseudo), *runs, "-o", str(tmp_path / "r.html")]) == 2
    assert "systems voted" in capsys.readouterr().err
    plain = tmp_path / "plain.qrels"
    plain.write_text(pseudo.read_text().replace(" votes ", " 0 "))
    assert gc.read_judgments(plain).origin is None


def test_one_marked_line_marks_the_file(tmp_path: Path) -> None:
    mixed = tmp_path / "mixed"
    mixed.write_text("t 0 d1 1\nt later d3 0\nt votes d2 1\n")
    assert gc.read_judgments(mixed).origin == "votes"
    mixed.write_text("t 0 d1 1\nt voted d3 0\n")
    assert gc.read_judgments(mixed).origin is None


def systems(best: bool, seed: int = 4) -> tuple[dict[str, dict[str, list[str]]], dict[str, dict[str, int]]]:
    """Eight runs: seven find the same relevant documents, and the best one finds many that no other does."""
    chance = random.Random(seed)
    runs: dict[str, dict[str, list[str]]] = {f"r{i}": {} for i in range(7)}
    judged = {}
    for t in range(12):
        common = [f"t{t}c{i}" for i in range(8)]
        own = [f"t{t}o{i}" for i in range(10)]
        noise = [f"t{t}n{i}" for i in range(40)]
        for i in range(7):
            listed = chance.sample(common, 1 + i) + chance.sample(noise, 9 - i)
            chance.shuffle(listed)
            runs[f"r{i}"][f"t{t}"] = listed
        if best:
            runs.setdefault("best", {})[f"t{t}"] = own
        judged[f"t{t}"] = {**dict.fromkeys(common, 1), **dict.fromkeys(own, 1), **dict.fromkeys(noise, 0)}
    return runs, judged


@pytest.mark.parametrize("by", ["count", "rrf", "condorcet"])
def test_votes_order_the_rest_and_bury_the_best(by: str) -> None:
    runs, judged = systems(best=True)
    found = gc.votes(runs, judged, "P@10", by=by, depth=10)
    voted, truly = (dict(zip(found.runs, found.places(m), strict=True)) for m in (found.means, found.true))
    assert truly["best"] == 1
    assert voted["best"] >= 4
    assert "the best run, best, has place" in found.sentences()[0]
    rest = gc.votes(systems(best=False)[0], judged, "P@10", by=by, depth=10)
    assert rest.tau_b > 0.7
    assert found.tau_ap < rest.tau_ap


def test_coefficients_are_those_of_scipy() -> None:
    from scipy.stats import kendalltau  # noqa: PLC0415 -- takes a second

    runs, judged = systems(best=True)
    found = gc.votes(runs, judged, "P@10", depth=10)
    assert found.tau_b == pytest.approx(kendalltau(found.true, found.means).statistic)


def test_json_table_and_figure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs, judged = systems(best=True)
    for name, topics in runs.items():
        lines = [f"{t} Q0 {d} {i} {99 - i} {name}" for t, row in topics.items() for i, d in enumerate(row, start=1)]
        (tmp_path / f"{name}.run").write_text("\n".join(lines) + "\n")
    qrels = tmp_path / "qrels"
    qrels.write_text("".join(f"{t} 0 {d} {g}\n" for t, row in judged.items() for d, g in row.items()))
    paths = [str(tmp_path / f"{name}.run") for name in runs]
    assert main(["votes", *paths, "--judgments", str(qrels), "-f", "json", "-m", "P@10"]) == 0
    shape = json.loads(capsys.readouterr().out)
    assert shape["schema"] == "gaincurve.votes/1"
    assert [row["place"] for row in shape["runs"]] == sorted(row["place"] for row in shape["runs"])
    assert "bury the best" in shape["caveat"]
    assert main(["votes", *paths, "--judgments", str(qrels), "-f", "table"]) == 0
    assert "τ_b" in capsys.readouterr().out
    assert main(["votes", *paths, "--judgments", str(qrels), "-o", str(tmp_path / "v.svg")]) == 0
    assert "by votes" in (tmp_path / "v.svg").read_text()
    assert main(["votes", *paths, "-o", str(tmp_path / "w.svg")]) == 2
    assert main(["votes", *paths, "--by", "sample", "-o", str(tmp_path / "w.qrels")]) == 2
    assert "--repeats 1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "slug"),
    [({"by": "acclamation"}, "choice-unknown"), ({"take": 0.0}, "choice-unknown"), ({"depth": 0}, "choice-unknown"),
     ({"by": "sample", "grades": True}, "choice-unknown")],
)  # fmt: skip
def test_choices_without_a_meaning_are_refused(words: dict[str, object], slug: str) -> None:
    with pytest.raises(GaincurveError) as caught:
        gc.votes(RUNS, **words)  # type: ignore[arg-type]
    assert caught.value.slug == slug


def test_one_run_cannot_vote() -> None:
    with pytest.raises(GaincurveError) as caught:
        gc.votes({"A": RUNS["A"]})
    assert caught.value.slug == "runs-too-few"
