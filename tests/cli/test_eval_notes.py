"""What eval says beside its numbers: ties that decide one, what was never judged, ranks against scores; a line each."""

from __future__ import annotations

import itertools
import json
import math
import random
from pathlib import Path

import numpy as np
import pytest
from command import Command

import gaincurve as gc
from gaincurve import _compiled
from gaincurve.io import grading

ENGINES = ["twin", pytest.param("compiled", marks=pytest.mark.skipif(_compiled.scan is None, reason="no C compiler"))]
GRADES = {"d1": 2, "d2": 0, "d3": 1, "d4": 0, "d5": 0}


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "twin":
        monkeypatch.setattr(grading, "compiled", None)
    return str(request.param)


def files(folder: Path, lines: list[str], name: str = "a.run", grades: dict[str, int] = GRADES) -> tuple[str, str]:
    (folder / "q.txt").write_text("".join(f"{t} 0 {d} {g}\n" for t in (1, 2) for d, g in grades.items()))
    (folder / name).write_text("".join(lines))
    return str(folder / "q.txt"), str(folder / name)


def notes(done: str) -> dict[str, str]:
    return {line[5 : line.index("]")]: line[line.index("]") + 3 :] for line in done.splitlines() if line[:5] == "note["}


# Ties.


def test_ties_that_decide_a_number_are_noted_with_its_range(gaincurve: Command, tmp_path: Path, engine: str) -> None:
    """All five documents tied: DCG@2 between 0 and 2 + 1/log2(3), each over the ideal; the other topic is not tied."""
    ordered = ["d1", "d3", "d2", "d4", "d5"]
    lines = [f"1 Q0 d{i} 1 7 x\n" for i in range(1, 6)] + [f"2 Q0 {d} 1 {9 - i} x\n" for i, d in enumerate(ordered)]
    done = gaincurve("eval", *files(tmp_path, lines), "-m", "nDCG@2", "-m", "P@1")
    ideal = 2 + 1 / math.log2(3)
    reached = [
        sum(GRADES[d] / math.log2(i + 2) for i, d in enumerate(order[:2])) / ideal
        for order in itertools.permutations(GRADES)
    ]
    low, high = (min(reached) + 1) / 2, (max(reached) + 1) / 2
    ranges = f"nDCG@2 of a ({low:.4f} to {high:.4f}), P@1 of a (0.5000 to 1.0000)"
    text = f"the order of tied documents decides {ranges} (--ties average gives the mean over all orders)"
    assert notes(done.stderr)["ties"] == text
    assert "ties" not in notes(gaincurve("eval", *files(tmp_path, lines), "--ties", "average").stderr)
    assert json.loads(gaincurve("eval", *files(tmp_path, lines), "-f", "json").stdout)["notes"][0]["slug"] == "ties"


def test_ties_that_change_no_printed_digit_are_not_noted(gaincurve: Command, tmp_path: Path) -> None:
    lines = [f"{t} Q0 {d} 1 {s} x\n" for t in (1, 2) for d, s in (("d1", 9), ("d3", 8), ("d2", 7), ("d4", 7))]
    assert notes(gaincurve("eval", *files(tmp_path, lines), "-m", "AP").stderr) == {}


def test_the_widest_ranges_come_first_and_the_others_are_counted() -> None:
    tied = {t: dict.fromkeys(GRADES, 1.0) for t in "12"}
    scores = gc.evaluate({"1": GRADES, "2": GRADES}, dict.fromkeys("abcd", tied), ["P@1", "RR"])
    (note,) = [note for note in scores.notes if note.slug == "ties"]
    assert note.text.startswith("the order of tied documents decides P@1 of a (0.0000 to 1.0000), P@1 of b (")
    assert "P@1 of c (0.0000 to 1.0000), … (8 in all) (" in note.text


# Unjudged documents.


def test_unjudged_shares_are_those_of_the_first_documents(gaincurve: Command, tmp_path: Path) -> None:
    """Of the first four of topic 1 two are unjudged, of topic 2 one; a topic without judgments does not count."""
    one = ["d1", "x1", "x2", "d3", "x3"]
    two = ["d1", "d2", "x1", "d3", "x3"]
    lines = [f"{t} Q0 {d} 1 {9 - i} x\n" for t, row in ((1, one), (2, two), (3, ["y"] * 1)) for i, d in enumerate(row)]
    given = files(tmp_path, lines)
    text = "unjudged in the top 4: a 38% (--unjudged bounds shows what they could change)"
    assert notes(gaincurve("eval", *given, "-m", "nDCG@4").stderr)["unjudged"] == text
    assert "top 10: a 50%" in notes(gaincurve("eval", *given, "-m", "AP").stderr)["unjudged"]
    assert "unjudged" not in notes(gaincurve("eval", *given, "--unjudged", "condensed").stderr)
    assert (
        notes(gaincurve("eval", *given, "-m", "nDCG@4", "--unjudged", "bounds").stderr)["unjudged"]
        == text.partition(" (")[0]
    )
    assert gaincurve("eval", *given, "--quiet").stderr == ""


@pytest.mark.parametrize(("unjudged", "noted"), [(0, False), (1, False), (2, True)])
def test_few_unjudged_documents_are_not_worth_a_line(unjudged: int, noted: bool) -> None:
    """One of eleven is less than a tenth, two are more."""
    listed = [f"d{i}" for i in range(11 - unjudged)] + [f"x{i}" for i in range(unjudged)]
    scores = gc.evaluate({"1": {f"d{i}": i % 2 for i in range(11)}}, {"1": listed}, "nDCG@11")
    assert [note.slug for note in scores.notes] == ["unjudged"] * noted


def test_many_runs_take_one_line() -> None:
    runs = {
        name: {"1": [*(f"x{i}" for i in range(n)), *(f"d{i}" for i in range(10 - n))]} for n, name in enumerate("abcde")
    }
    (note,) = gc.evaluate({"1": {f"d{i}": 1 for i in range(10)}}, runs, "P@10").notes
    assert note.text.startswith("unjudged in the top 10: e 40%, d 30%, c 20%, … least a 0% (")


# Ranks against scores.

RANKS: dict[str, tuple[list[str], list[float], bool]] = {
    "ascending": (["1", "2", "3", "4"], [9, 8, 7, 7], False),
    "from 0 with gaps": (["0", "5", "7", "19"], [9, 8, 7, 7], False),
    "constant": (["1", "1", "1", "1"], [7, 9, 8, 1], False),
    "upside down": (["1", "2", "3", "4"], [1, 2, 3, 4], True),
    "one pair": (["1", "2", "3", "4"], [9, 8, 6, 7], True),
    "shuffled lines that agree": (["3", "1", "4", "2"], [7, 9, 6, 8], False),
    "shuffled lines that do not": (["3", "1", "4", "2"], [7, 8, 6, 9], True),
    "tied ranks across": (["1", "1", "2", "3"], [5, 9, 7, 1], True),
    "tied ranks within": (["1", "1", "2", "3"], [8, 9, 7, 1], False),
    "tied scores": (["4", "3", "2", "1"], [5, 5, 5, 5], False),
    "whole floats": (["1.0", "2.0", "3.0", "4.0"], [9, 8, 6, 7], True),
    "no numbers": (["a", "b", "c", "d"], [6, 7, 8, 9], False),
    "one that is no number": (["1", "2", "x", "4"], [6, 7, 8, 9], False),
}


@pytest.mark.parametrize("case", RANKS)
def test_a_rank_column_that_contradicts_the_scores_is_noted(
    gaincurve: Command, tmp_path: Path, engine: str, case: str
) -> None:
    ranks, scores, noted = RANKS[case]
    lines = [f"1 Q0 d{i} {rank} {score} x\n" for i, (rank, score) in enumerate(zip(ranks, scores, strict=True), 1)]
    lines += [f"2 Q0 d{i} {i} {9 - i} x\n" for i in range(1, 5)]
    done = gaincurve("eval", *files(tmp_path, lines), "-m", "P@4")
    text = (
        "run a: the rank column contradicts the scores in 1 of 2 topics; scores decide (--ties rank follows the ranks)"
    )
    assert notes(done.stderr).get("rank-column") == (text if noted else None)
    assert "rank-column" not in notes(gaincurve("eval", *files(tmp_path, lines), "--ties", "file").stderr)


@pytest.mark.parametrize("seed", range(20))
def test_the_scanner_finds_the_topics_a_plain_loop_finds(tmp_path: Path, engine: str, seed: int) -> None:
    chance = random.Random(seed)
    topics: dict[int, list[tuple[int, int]]] = {}
    for topic in range(1, 9):
        rows = [(chance.randint(1, 4), chance.randint(1, 4)) for _ in range(chance.randint(1, 4))]
        topics[topic] = sorted(rows) if chance.random() < 0.7 else rows
    contradicting = sum(
        any(low < high and score < other for low, score in rows for high, other in rows) for rows in topics.values()
    )
    lines = [f"{t} Q0 d{i} {rank} {score} x\n" for t, rows in topics.items() for i, (rank, score) in enumerate(rows, 1)]
    judgments = gc.read_judgments(files(tmp_path, lines)[0])
    grader = grading.RunGrader(judgments, threads=2, block=60, piece=20)
    found = [note.text for note in grader.grade(tmp_path / "a.run").notes if note.slug == "rank-column"]
    expected = [f"the rank column contradicts the scores in {contradicting} of 8 topics"] if contradicting else []
    assert [text.split(";")[0] for text in found] == expected


def test_frames_with_ranks_are_compared_too() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"qid": "1", "docno": ["d1", "d2"], "rank": [0, 1], "score": [1.0, 2.0]})
    assert "rank-column" in {note.slug for note in gc.evaluate({"1": GRADES}, {"a": frame}, "P@1").notes}
    agreeing = frame.assign(score=[2.0, 1.0])
    assert "rank-column" not in {note.slug for note in gc.evaluate({"1": GRADES}, {"a": agreeing}, "P@1").notes}


RISING: dict[str, tuple[str, bool]] = {
    "ranks as scores, no rank column": ("qid,docno,score\n{t},d{i},{i}\n", True),
    "distances, no rank column": ("qid,docno,score\n{t},d{i},{i}.25\n", True),
    "ranks as scores, the rank column is 0": ("{t} Q0 d{i} 0 {i} x\n", True),
    "distances, the rank column is text": ("{t} Q0 d{i} - {i} x\n", True),
    "best first": ("{t} Q0 d{i} 0 -{i} x\n", False),
    "worst first with ranks that agree": ("{t} Q0 d{i} {back} {i} x\n", False),
    "worst first, JSON lines": ('{{"qid": "{t}", "docno": "d{i}", "score": {i}}}\n', True),
}


@pytest.mark.parametrize("case", RISING)
def test_scores_that_rise_from_line_to_line_are_noted(
    gaincurve: Command, tmp_path: Path, engine: str, case: str
) -> None:
    *head, line = RISING[case][0].splitlines(keepends=True)
    lines = [line.format(t=t, i=i, back=12 - i) for t in (1, 2) for i in range(1, 12)]
    note = notes(gaincurve("eval", *files(tmp_path, [*head, *lines]), "-m", "P@4", "--quiet").stderr).get(
        "scores-rising"
    )
    noted = notes(gaincurve("eval", *files(tmp_path, [*head, *lines]), "-m", "P@4").stderr).get("scores-rising")
    assert (noted is not None) == RISING[case][1]
    assert note == noted, "it decides every number, so --quiet does not hide it"
    assert noted is None or noted.startswith("run a: scores rise from line to line, so the last document of each list")


def test_a_few_rising_scores_are_no_pattern(gaincurve: Command, tmp_path: Path, engine: str) -> None:
    lines = [f"{t} Q0 d{i} 0 {i} x\n" for t in (1, 2) for i in range(1, 11)]  # 18 steps
    assert "scores-rising" not in notes(gaincurve("eval", *files(tmp_path, lines), "-m", "P@4").stderr)
    mixed = [f"{t} Q0 d{i} 0 {i % 7} x\n" for t in (1, 2) for i in range(1, 30)]
    assert "scores-rising" not in notes(gaincurve("eval", *files(tmp_path, mixed), "-m", "P@4").stderr)


def test_dicts_and_frames_written_worst_first_are_noted() -> None:
    runs = {"a": {t: {f"d{i}": float(i) for i in range(12)} for t in "12"}}
    assert "scores-rising" in {note.slug for note in gc.evaluate({"1": GRADES, "2": GRADES}, runs, "P@1").notes}
    for ties in ("file", "rank"):
        ranked = gc.evaluate({"1": GRADES, "2": GRADES}, runs, "P@1", ties="file")
        assert "scores-rising" not in {note.slug for note in ranked.notes}, ties


def test_trec_eval_stays_silent(gaincurve: Command, tmp_path: Path) -> None:
    lines = [f"{t} Q0 {d} {i} 1 x\n" for t in (1, 2) for i, d in enumerate(["d1", "d2", "x1", "x2"])]
    lines[0] = lines[0].replace(" 1 x", " 0 x")
    done = gaincurve("trec_eval", *files(tmp_path, lines))
    assert (done.returncode, done.stderr) == (0, "")


def test_an_ordinary_run_has_no_notes(gaincurve: Command, tmp_path: Path) -> None:
    lines = [f"{t} Q0 d{i} {i} {9.5 - i} x\n" for t in (1, 2) for i in range(1, 6)]
    assert notes(gaincurve("eval", *files(tmp_path, lines)).stderr) == {}


def test_the_same_scores_with_and_without_notes(tmp_path: Path) -> None:
    tied = {t: dict.fromkeys(GRADES, 1.0) for t in "12"}
    scores = gc.evaluate({"1": GRADES, "2": GRADES}, tied, "nDCG@5")
    files(tmp_path, [f"{t} Q0 {d} 1 1 x\n" for t in (1, 2) for d in GRADES])
    read = gc.evaluate_files(tmp_path / "q.txt", tmp_path / "a.run", "nDCG@5")
    assert np.array_equal(scores.values, read.values)
    assert {note.slug for note in scores.notes} == {note.slug for note in read.notes} == {"ties"}
