"""The worked examples of the papers, slides and textbook as files: their numbers, with names of our own.

2002 paper: Järvelin & Kekäläinen, ACM TOIS 20(4), section 2. 2008 paper: Järvelin, Price, Delcambre & Nielsen,
ECIR 2008, Table 2. Slides: IR:VIII, "Performance Measures". Textbook: Zhai & Massung 2016, figure 9.7.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

GAINS = (3, 2, 3, 0, 0, 1, 2, 2, 3, 0)
"""G' of the 2002 paper, which the 2008 paper and the slides use too; its recall base has three more of grade 1."""
RANKINGS = {"system-1": ("1011110001", "1000010001"), "system-2": ("0100111011", "0100101000")}
"""Rankings A and C, B and D of the slides: 1 is a relevant document, and all relevant ones are found."""
FIRST_RANKS = {"mrr-1": (1, 2, 4), "mrr-2": (2, 2, 2)}
"""The ranks of the first relevant document in the slides' remark on MRR."""
SETS = {"red": (611, 650, 2350), "blue": (2277, 2300, 2475)}
"""Relevant retrieved, retrieved, relevant: precision .94 and recall .26, precision .99 and recall .92."""
TEXTBOOK = (3, 2, 1, 1, 3, 1, 1, 2, 1, 1)
LENGTHS = {"one": (28, 7, 10, 4, 5, 4, 1, 1, 0, 0, 0), "two": (21, 7, 9, 11, 2, 4, 2, 2, 0, 1, 1)}
"""Sessions of 1, 2, … queries with Systems 1 and 2 of the 2008 paper."""


def paper_files() -> dict[str, str]:
    """Text by file name."""
    files = {
        "gains.qrels": _qrels([[*GAINS, 1, 1, 1]]),
        "gains.run": _run([len(GAINS)]),
        "textbook.qrels": _qrels([[*TEXTBOOK, *[3] * 7]]),
        "textbook.run": _run([len(TEXTBOOK)]),
        "ranks.qrels": _qrels([[0] * (rank - 1) + [1] for rank in range(1, 11)]),
        "ranks.run": _run([10] * 10),
    }
    files["slides.qrels"] = "".join(
        f"{topic} 0 {name} {mark}\n"
        for topic, ranking in enumerate(RANKINGS["system-1"], 1)
        for name, mark in zip(_names(ranking), ranking, strict=True)
    )
    files |= {f"{name}.run": _ranked(rankings) for name, rankings in RANKINGS.items()}
    files["mrr.qrels"] = "".join(f"{topic} 0 r1 1\n" for topic in (1, 2, 3))
    files |= {f"{name}.run": _ranked(["0" * (rank - 1) + "1" for rank in ranks]) for name, ranks in FIRST_RANKS.items()}
    for name, (both, retrieved, wanted) in SETS.items():
        files[f"{name}.qrels"] = _qrels([[1] * both + [0] * (retrieved - both) + [1] * (wanted - both)])
        files[f"{name}.run"] = _run([retrieved])
    files["tasks.qrels"] = "1 0 d1 1\n"
    return files | {f"{name}.jsonl": _log(name, counts) for name, counts in LENGTHS.items()}


def _qrels(grades: Sequence[Sequence[int]]) -> str:
    """Judgments of d1, d2, … for topics 1, 2, …"""
    return "".join(f"{t} 0 d{i} {grade}\n" for t, listed in enumerate(grades, 1) for i, grade in enumerate(listed, 1))


def _run(lengths: Sequence[int]) -> str:
    """Lists of d1, d2, … for topics 1, 2, …"""
    return _lines([[f"d{i}" for i in range(1, length + 1)] for length in lengths])


def _ranked(rankings: Sequence[str]) -> str:
    return _lines([_names(ranking) for ranking in rankings])


def _names(ranking: str) -> list[str]:
    """Documents of '1011': r1, r2, … are relevant, n1, n2, … are not."""
    return [f"{'r' if mark == '1' else 'n'}{ranking[:i].count(mark)}" for i, mark in enumerate(ranking, 1)]


def _lines(lists: Sequence[Sequence[str]]) -> str:
    return "".join(
        f"{topic} Q0 {name} {rank} {len(names) + 1 - rank} list\n"
        for topic, names in enumerate(lists, 1)
        for rank, name in enumerate(names, 1)
    )


def _log(system: str, counts: Sequence[int]) -> str:
    """Sessions of the lengths counted; what their queries found is not known, and nothing is listed."""
    lengths = [length for length, number in enumerate(counts, 1) for _ in range(number)]
    records = (
        {"session": f"{system}-{s}", "query": query, "topic": "1", "ranking": []}
        for s, length in enumerate(lengths, 1)
        for query in range(1, length + 1)
    )
    return "".join(json.dumps(record) + "\n" for record in records)
