"""Notes are warnings in scripts: seen where the script called, filterable, and never from the command line."""

from __future__ import annotations

import inspect
import pickle
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import gaincurve as gc
from gaincurve.cli import main

JUDGMENTS = {"q1": {"d1": 1}, "q2": {"d2": 1}}
RUN = {"q1": {"d1": 1.0}}


def test_a_note_of_a_result_is_a_warning_at_the_callers_line() -> None:
    with pytest.warns(gc.GaincurveWarning, match="^topics-missing: run run: 1 judged topic missing") as raised:
        scores = gc.evaluate(JUDGMENTS, RUN, "nDCG@10")
        line = inspect.currentframe().f_lineno - 1  # type: ignore[union-attr]
    assert [(w.filename, w.lineno) for w in raised] == [(__file__, line)]
    assert len(raised) == len(scores.notes)


def test_one_kind_of_note_can_be_ignored_by_its_slug() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", category=gc.GaincurveWarning, message="topics-missing")
        gc.evaluate(JUDGMENTS, RUN, "nDCG@10")


def test_what_was_said_of_an_argument_is_not_said_again() -> None:
    with pytest.warns(gc.GaincurveWarning):
        scores = gc.evaluate(JUDGMENTS, {"a": RUN, "b": {"q1": {"d9": 1.0, "d1": 0.5}, "q2": {"d2": 1.0}}}, "P@1")
    with warnings.catch_warnings(record=True) as raised:
        warnings.simplefilter("always")
        comparison = gc.compare(scores)
    texts = [str(w.message) for w in raised]
    assert {note.slug for note in comparison.notes} >= {"topics-missing", "few-topics"}
    assert any(text.startswith("few-topics: ") for text in texts)
    assert not any(text.startswith("topics-missing") for text in texts)


def test_control_characters_in_names_stay_visible_text() -> None:
    with pytest.warns(gc.GaincurveWarning) as raised:
        gc.evaluate({"q1": {"d1": 1}, "q\x1b[2J": {"d2": 1}}, RUN, "nDCG@10")
    assert not any("\x1b" in str(w.message) for w in raised)


def test_public_functions_keep_their_names_and_can_be_pickled() -> None:
    assert gc.evaluate is gc.evaluate
    assert pickle.loads(pickle.dumps(gc.evaluate)) is gc.evaluate
    assert "judgments" in inspect.signature(gc.evaluate).parameters
    assert inspect.getdoc(gc.evaluate).startswith("Score runs")  # type: ignore[union-attr]


def test_the_command_line_prints_notes_and_raises_no_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "q").write_text("q1 0 d1 1\nq2 0 d2 1\n", "utf-8")
    (tmp_path / "r").write_text("q1 Q0 d1 1 2.0 x\n", "utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert main(["eval", str(tmp_path / "q"), str(tmp_path / "r")]) == 0
    assert "note[topics-missing]" in capsys.readouterr().err


def test_a_script_sees_its_notes_without_asking_for_them(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(f"import gaincurve as gc\ngc.evaluate({JUDGMENTS}, {RUN}, 'nDCG@10')\n", "utf-8")
    ran = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    assert ran.stderr.startswith(f"{script}:2: GaincurveWarning: topics-missing: ")
