"""A BEIR folder: qrels/test.tsv, queries.jsonl and corpus.jsonl under one roof. FOLDER#dev is another split."""

from __future__ import annotations

import os

from gaincurve.errors import InputError, Problem
from gaincurve.model.source import examples

DEFAULT = "test"
_SUFFIX = ".tsv"


def is_folder(path: str) -> bool:
    """Whether a path is a folder with qrels in it."""
    return os.path.isdir(os.path.join(path, "qrels"))


def qrels_of(folder: str, split: str = "") -> str:
    """The qrels of a split: test unless named, or the only one there is."""
    inside = os.path.join(folder, "qrels")
    splits = sorted(name.removesuffix(_SUFFIX) for name in os.listdir(inside) if name.endswith(_SUFFIX))
    chosen = split or (DEFAULT if DEFAULT in splits or len(splits) != 1 else splits[0])
    if chosen in splits:
        return os.path.join(inside, chosen + _SUFFIX)
    what = f"{inside} has no {chosen}{_SUFFIX}; it has {examples(splits, 8) or 'no such files'}"
    hint = f"name one: {folder}#{splits[0]}" if splits else ""
    raise InputError(Problem("input-part", what, inside, hint))


def files_in(folder: str) -> list[str]:
    """Everything that may be read in such a folder: the qrels of all splits, and the texts; nothing elsewhere."""
    if not is_folder(folder):
        return []
    inside = os.path.join(folder, "qrels")
    return [*(os.path.join(inside, name) for name in sorted(os.listdir(inside))), *texts_of(folder).values()]


def texts_of(folder: str) -> dict[str, str]:
    """The files of texts beside the qrels: {"topics": queries, "documents": corpus}, those that exist."""
    there: dict[str, str] = {}
    for what, name in (("topics", "queries"), ("documents", "corpus")):
        for suffix in (".jsonl", ".jsonl.gz"):
            path = os.path.join(folder, name + suffix)
            if os.path.isfile(path):
                there.setdefault(what, path)
    return there
