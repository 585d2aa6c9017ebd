"""Judgments by the compiled scanner and by NumPy: the same judgments, or the same message."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from gaincurve import _compiled
from gaincurve.errors import GaincurveError
from gaincurve.io import trec
from gaincurve.io.read import read_judgments
from gaincurve.model import ids, lookup

pytestmark = pytest.mark.skipif(_compiled.scan is None, reason="no C compiler")


def outcome(path: Path, subtopics: bool, duplicates: str) -> object:
    """Everything judgments hold, or what was wrong with them."""
    try:
        found = read_judgments(path, subtopics=subtopics, duplicates=duplicates)
    except GaincurveError as error:
        return str(error)
    table, strata = found.subtopics, found.sampling and found.sampling.stratum
    return (
        found.topics,
        found.topic.tolist(),
        found.documents.texts(),
        found.grades.tolist(),
        found.keys.tolist(),
        found.notes,
        found.source,
        None if table is None else (table.judgment.tolist(), table.grade.tolist(), table.subtopic.tolist()),
        None if strata is None else strata.texts(),
        found.origin,
    )


def both(path: Path, subtopics: bool = False, duplicates: str = "error") -> tuple[object, object]:
    """What the compiled scanner's and what NumPy's judgments are."""
    compiled = outcome(path, subtopics, duplicates)
    with pytest.MonkeyPatch.context() as patch:
        for module in (trec, ids, lookup):
            patch.setattr(module, "compiled", None)
        return compiled, outcome(path, subtopics, duplicates)


TOPIC = st.sampled_from(["1", "2", "t é", "topic-with-a-long-name"])
GRADE = st.sampled_from(["0", "1", "2", "-1", "0.5", "1e0", "+1", "١", "x", "nan", "1_0", "9" * 20])
SECOND = st.sampled_from(["0", "0", "0", "0", "a", "b", "votes"])
LINE = st.builds(
    lambda topic, second, document, grade, space, width: space.join(
        {3: [topic, document, grade], 4: [topic, second, document, grade], 5: [topic, "0", document, second, grade]}[
            width
        ]
    ),
    TOPIC,
    SECOND,
    st.integers(0, 12).map("d{}".format),
    GRADE.filter(lambda grade: re.fullmatch("[0-2]", grade)) | GRADE,
    st.sampled_from([" ", "\t", "  ", "\xa0"]),
    st.just(4) | st.sampled_from([3, 4, 4, 4, 4, 5]),
)
ODD = st.sampled_from(["", "   ", "# comment", "1 0 d1", "\x0b", "\r"])


@given(
    lines=st.lists(LINE | LINE | LINE | ODD, min_size=1, max_size=20),
    end=st.sampled_from(["\n", "\r\n"]),
    subtopics=st.booleans(),
    duplicates=st.sampled_from(["error", "first"]),
)
@settings(max_examples=examples(400), deadline=None)
def test_both_scanners_read_the_same_judgments(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], end: str, subtopics: bool, duplicates: str
) -> None:
    path = tmp_path_factory.mktemp("judged") / "a.qrels"
    path.write_bytes(end.join(lines).encode())
    compiled, twin = both(path, subtopics, duplicates)
    assert compiled == twin


@pytest.mark.parametrize(
    "text",
    [
        "1 0 d1 1\n2 0 d1 2\n1 0 d2 0\n",  # a topic comes back
        "1 0 d1 1\n1 0 d1 1\n",  # a document twice
        "1 0 d1 1\n1 0 d2 high\n",
        "1 0 d1 1\n1 0 d2\n",
        "1 votes d1 1\n1 0 d2 0\n",
        "1 0 d1 s1 1\n1 0 d2 s2 -1\n1 0 d3 s1 0\n",
        f"1 0 {'d' * 600} 1\n1 0 {'d' * 599}e 2\n",  # longer than any id of the scanner
        "\ufeff1 0 d1 1\n",
        "1 0 d1 1",
    ],
)
def test_odd_judgments_are_the_same_from_both(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.qrels"
    path.write_text(text)
    compiled, twin = both(path)
    assert compiled == twin


def test_plain_judgments_are_read_by_the_compiled_scanner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the comparison above would compare NumPy with itself."""
    path = tmp_path / "a.qrels"
    path.write_text("1 0 d1 1\n1 0 d2 0\n# comment\n\n2\t0\td1\t2\n")
    monkeypatch.setattr(trec, "scan", None)
    found = read_judgments(path)
    assert (found.topics, found.documents.texts(), found.grades.tolist()) == (("1", "2"), ["d1", "d2", "d1"], [1, 0, 2])
    assert len(found.documents.buffer) < 100  # the text of the file is not kept


def test_columns_outside_the_buffer_are_refused() -> None:
    text = np.zeros(20, dtype=np.uint8)
    scan = _compiled.scan
    starts, lengths = np.array([15]), np.array([4], dtype=np.int32)
    with pytest.raises(ValueError, match="outside"):
        scan.read_columns(text, 0, 13, 4, 2, 3)
    with pytest.raises(ValueError, match="make no sense"):
        scan.read_columns(text, 0, 12, 4, 4, 3)
    with pytest.raises(ValueError, match="outside"):
        scan.hash_ids(text, starts, lengths)
    with pytest.raises(ValueError, match="outside"):
        scan.pack(text, starts, lengths, np.zeros(3, dtype=np.uint8))
    with pytest.raises(ValueError, match="outside"):
        scan.next_boundary(text, 0, 13)
