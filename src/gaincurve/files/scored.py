"""Scores by topic from a file: CSV, TSV, JSON lines or Parquet, as another tool or `gaincurve eval -q` wrote them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

from gaincurve.errors import InputError, Problem
from gaincurve.io.addresses import kind_of
from gaincurve.io.content import Content, new_digest, read_content, telling_why
from gaincurve.io.formats.opening import Opening
from gaincurve.io.tables import RepeatedKey, parse_record, split_rows, without_repeats
from gaincurve.model.ids import decode
from gaincurve.model.scores import Scores
from gaincurve.model.source import counted, shorten
from gaincurve.model.tables.frames import imported
from gaincurve.verbs.scored_elsewhere import EXPECTED, Rows, scores_of

Place = Callable[[int], str]


def read_scores(path: str | os.PathLike[str]) -> Scores:
    """Scores by topic from a table with a row for each run, topic and measure, for `compare`.

    The columns are those of PyTerrier's pt.Experiment(…, perquery=True), name, qid, measure and value, or of
    `gaincurve eval -q`: run, topic, measure and value. CSV, TSV, JSON lines and Parquet are read.
    """
    file = os.fspath(path)
    if kind_of(file):
        return _of_parquet(file)
    content = read_content(file)
    opening = Opening(content)
    if opening.is_json:
        table, place = _of_lines(content) if opening.is_lines else _of_list(content)
    else:
        table, place = _of_rows(content, max("\t,;", key=opening.line.count))
    return scores_of(table, content.path, place, content.sha256)


def _of_parquet(file: str) -> Scores:
    parquet = imported("pyarrow.parquet", "reading Parquet files")
    with telling_why(file), open(file, "rb") as stored:  # noqa: PTH123 -- as the readers do: pathlib is slow to import
        digest = new_digest(stored.read()).hexdigest()
    try:
        table: Rows = parquet.read_table(file).to_pydict()
    except Exception as error:  # what pyarrow raises has many types
        why = str(error).split("\n", 1)[0]
        raise InputError(Problem("input-damaged", f"{file} cannot be read: {why}", file)) from None
    return scores_of(table, file, None, digest)


def _of_rows(content: Content, delimiter: str) -> tuple[Rows, Place]:
    numbered = list(split_rows(content, delimiter))
    (_, header), rows = numbered[0], numbered[1:]
    for line, row in rows:
        if len(row) != len(header):
            what = f"{counted(len(row), 'field')} where the header has {len(header)}: {shorten(' | '.join(row))}"
            raise InputError(Problem("input-table", what, f"{content.path}:{line}"))
    table = {name: [row[i] for _, row in rows] for i, name in enumerate(header)}
    if len(table) < len(header):
        twice = next(name for name in header if header.count(name) > 1)
        raise InputError(Problem("input-header", f"the column {twice!r} occurs twice", content.path))
    return table, lambda i: f"{content.path}:{rows[i][0]}"


def _of_lines(content: Content) -> tuple[Rows, Place]:
    records: list[dict[str, Any]] = []
    lines: list[int] = []
    for number, line in enumerate(decode(content.bytes()).split("\n"), 1):
        if not line.strip():
            continue
        record = parse_record(line)
        if isinstance(record, str):
            raise InputError(Problem("input-json", f"{record}: {shorten(line)}", f"{content.path}:{number}"))
        records.append(record)
        lines.append(number)
    return _columns(records), lambda i: f"{content.path}:{lines[i]}"


def _of_list(content: Content) -> tuple[Rows, Place]:
    try:
        value = json.loads(decode(content.bytes()), object_pairs_hook=without_repeats)
    except RepeatedKey as error:
        raise InputError(Problem("input-json", str(error), content.path)) from None
    if not isinstance(value, list) or not all(isinstance(record, dict) for record in value):
        what = f"no scores by topic: {shorten(json.dumps(value))}"
        raise InputError(Problem("scores-table", what, content.path, EXPECTED))
    return _columns(value), lambda i: f"{content.path}[{i}]"


def _columns(records: list[dict[str, Any]]) -> Rows:
    names = dict.fromkeys(name for record in records for name in record)
    return {name: [record.get(name) for record in records] for name in names}
