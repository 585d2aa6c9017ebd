"""The command convert: files, streams, archives, and what it refuses."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from command import Command
from saving import saved_text as save

from gaincurve.io.read import read_judgments


def test_the_command_writes_files_streams_and_archives(tmp_path: Path, gaincurve: Command) -> None:
    path = save(tmp_path, "1 0 a 2\n1 0 b 0\n", "q.txt")
    done = gaincurve("convert", path, "-", "--to", "csv")
    assert (done.returncode, done.stdout) == (0, "query_id,doc_id,relevance\n1,a,2\n1,b,0\n")
    for out in ("o.qrels.gz", "o.csv.xz", "o.jsonl.bz2", "o.zip", "o.json.zip", "o.tsv.zst"):
        done = gaincurve("convert", path, str(tmp_path / out))
        assert done.returncode == 0, done.stderr
        assert read_judgments(tmp_path / out).to_dict() == {"1": {"a": 2, "b": 0}}
    assert gzip.decompress((tmp_path / "o.qrels.gz").read_bytes()) == b"1 0 a 2\n1 0 b 0\n"
    assert "wrote" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("o.xyz",), "the suffix of o.xyz names no format"),
        (("-",), "standard output has no suffix"),
        (("o.csv", "--to", "cvs"), "did you mean csv"),
        (("o", "--to", "trec-run"), "has the 4 columns of judgments"),
        (("o", "--to", "trec-strata"), "needs strata"),
        (("o.csv", "--as", "runs"), "did you mean run"),
    ],
)
def test_what_cannot_be_converted_gets_a_message(
    tmp_path: Path, gaincurve: Command, arguments: tuple[str, ...], message: str
) -> None:
    done = gaincurve("convert", save(tmp_path, "1 0 a 2\n", "q.txt"), *arguments)
    assert done.returncode == 2 and message in done.stderr, done.stderr


def test_an_input_is_never_overwritten(tmp_path: Path, gaincurve: Command) -> None:
    path = save(tmp_path, "1 0 a 2\n", "q.txt")
    done = gaincurve("convert", path, path)
    assert done.returncode == 2 and "output-is-input" in done.stderr
