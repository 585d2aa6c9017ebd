"""Files graded as they are read give what objects give; a bar shows on a terminal only."""

from __future__ import annotations

import io
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import gaincurve as gc
from gaincurve.cli import inputs
from gaincurve.demo.experiment import make_experiment
from gaincurve.errors import InputError
from gaincurve.io.threads import Workers
from gaincurve.model.arrow.table import table_of

MEASURES = ["nDCG@10", "DCG(discount='jk2002', base=10)@50", "nCG(ideal='pooled')@20"]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    made = make_experiment(topics=8)
    (folder / "q.qrels").write_text(made.qrels)
    for name, text in made.runs.items():
        (folder / f"{name}.run").write_text(text)
    return folder


@pytest.mark.parametrize("threads", [1, 2, 5, None])
@pytest.mark.parametrize(
    "choices", [{}, {"ties": "average"}, {"unjudged": "condensed"}, {"scenario": "trec_eval-9.0.8"}]
)
def test_files_give_the_same_bits_as_objects(home: Path, threads: int | None, choices: dict[str, str]) -> None:
    paths = sorted(home.glob("*.run"))
    found = gc.evaluate_files(home / "q.qrels", paths, MEASURES, threads=threads, **choices)
    runs = [gc.read_run(path) for path in paths]
    plain = gc.evaluate(gc.read_judgments(home / "q.qrels"), runs, MEASURES, **choices)
    assert np.array_equal(found.values, plain.values, equal_nan=True)
    assert (found.runs, found.topics, found.signatures) == (plain.runs, plain.topics, plain.signatures)
    assert [source.sha256 for source in found.inputs] == [source.sha256 for source in plain.inputs]


def test_one_path_is_one_run_and_all_problems_come_together(home: Path, tmp_path: Path) -> None:
    assert gc.evaluate_files(home / "q.qrels", home / "sharp.run").runs == ("sharp",)
    (tmp_path / "bad.run").write_text("1 Q0 d 1 x t\n")
    with pytest.raises(InputError) as raised:
        gc.evaluate_files(home / "q.qrels", [tmp_path / "bad.run", tmp_path / "none.run"])
    assert [problem.slug for problem in raised.value.problems] == ["run-score", "input-missing"]


def test_a_bar_is_drawn_on_a_terminal_for_large_files_only(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    paths = [str(path) for path in sorted(home.glob("*.run"))]
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert list(inputs.progress(paths, [1, 2, 3, 4])) == [1, 2, 3, 4]
    assert terminal.getvalue() == ""
    monkeypatch.setattr(inputs, "PROGRESS_BYTES", 1)
    assert list(inputs.progress(paths, [1, 2, 3, 4])) == [1, 2, 3, 4]
    assert "reading runs" in terminal.getvalue()
    table = table_of(pa.table({"a": pa.chunked_array([[1, 2, 3], [4, 5]])}), "a[b].parquet")
    assert table is not None
    bars = inputs.Bars(paths)
    for _ in bars.each([1]):
        for columns in bars.rows(replace(table, rows=5)).open([0], []):
            bars._bars.refresh()  # type: ignore[union-attr]
            assert columns[0].length in (3, 2)
    assert "rows of a[b].parquet" in terminal.getvalue()
    assert "60%" in terminal.getvalue()
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert inputs.progress(paths, [1]) == [1]


def test_a_thread_does_not_read_a_table_to_its_end_when_the_program_is_stopped() -> None:
    table = table_of([pa.record_batch({"a": [i]}) for i in range(1000)], "long")
    assert table is not None
    read = []
    with pytest.raises(KeyboardInterrupt), Workers(2) as workers:

        def reading() -> None:
            for columns in table.until(lambda: workers.stopping).open([0], []):
                read.append(columns)
                time.sleep(0.001)

        workers.submit(reading)
        while not read:
            time.sleep(0.001)
        raise KeyboardInterrupt
    assert len(read) < 1000
