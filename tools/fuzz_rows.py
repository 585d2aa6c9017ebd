"""Feed the part of the compiled scanner that takes columns odd rows and odd columns, and hold it against a plain loop.

`tools/fuzz_scanner.py` runs this inside its build with AddressSanitizer.
"""

from __future__ import annotations

import random
import sys
from typing import Any

IDS = [b"", b"a", b"d1", b"d2", b"d10", b"\xff\x00\xfe", b"twelve bytes", b"exactly16 bytes!", b"x" * 511, b"x" * 512]
"""Ids that stand in judgments and lists: short, beyond ASCII, of the lengths where the words of the hash end."""

LONG = b"y" * 513


def fuzz_rows(inputs: int, seed: int) -> None:
    """The loop, inside the sanitized build."""
    import numpy as np  # noqa: PLC0415 -- the outer process needs it not

    from gaincurve import _compiled  # noqa: PLC0415
    from gaincurve.model.ids import decode  # noqa: PLC0415
    from gaincurve.model.judgments import Judgments  # noqa: PLC0415
    from gaincurve.model.kernel import index_of  # noqa: PLC0415

    dice = random.Random(seed)
    names = [decode(name) for name in IDS if name]
    judgments = Judgments.of({f"t{t}": {name: i % 3 for i, name in enumerate(names) if i % 3 != t} for t in range(3)})
    nothing, no_names = np.zeros(0, np.int32), np.zeros(0, np.int64)
    no_keys = (np.zeros(0, np.uint64), np.zeros(0, np.uint8), no_names, nothing, nothing)
    index = index_of(_compiled.scan, judgments, no_keys)
    row_of = {(int(t), d): i for i, (t, d) in enumerate(zip(judgments.topic, judgments.documents, strict=True))}
    answered = refused = 0
    for i in range(inputs):
        rows = dice.randint(1, 12)
        bounds = np.array(sorted({0, rows, *(dice.randint(0, rows) for _ in range(3))}), dtype=np.int64)
        base = np.array([dice.randint(-1, 2) for _ in bounds[1:]], dtype=np.int32)
        ids = [dice.choice(IDS) if dice.random() < 0.995 else LONG for _ in range(rows)]
        lengths = np.array([len(name) for name in ids], dtype=np.int32)
        starts = (np.cumsum(lengths) - lengths).astype(np.int64)
        buffer = np.frombuffer(b"".join(ids) + bytes(8), dtype=np.uint8).copy()  # no byte more than promised
        scores = np.array([dice.choice([0.0, -0.0, 1.0, 2.5, dice.gauss(0, 1), 1e300]) for _ in range(rows)])
        ranks = np.array([float(dice.randint(0, 9)) for _ in range(rows)]) if dice.random() < 0.5 else np.zeros(0)
        spoilt = dice.random() < 0.1
        if spoilt:
            column = dice.choice([starts, lengths, bounds, base])
            column[dice.randrange(len(column))] = dice.choice([-1, -(2**31), 2**31 - 1, len(buffer) - 7])
        shown = dice.randint(0, 3)
        try:
            found = _compiled.scan.grade_rows(index, bounds, base, buffer, starts, lengths, scores, ranks, 0, shown)
        except ValueError:
            refused += 1
            if not spoilt:
                sys.exit(f"good columns are refused: input {i} of seed {seed}")
            continue
        if spoilt:
            continue  # what was changed may still make sense
        wanted = _plain(bounds, base, ids, scores, row_of)
        if (found is None) != (wanted is None):
            sys.exit(f"one answers and one does not: input {i} of seed {seed}")
        if found is not None and wanted is not None:
            answered += 1
            if sorted(map(tuple, found[0].tolist())) != wanted:
                sys.exit(f"the scanner and the loop disagree on input {i} of seed {seed}")
        _gather(dice, np, _compiled.scan)
    print(f"{inputs} inputs in columns, {answered} answered as the plain loop does, {refused} refused (seed {seed})")


def _plain(bounds: Any, base: Any, ids: list[bytes], scores: Any, row_of: dict[tuple[int, str], int]) -> Any:
    """List, rank, tied block and judgment of every judged row; None where the scanner should leave it to its twin."""
    from gaincurve.model.ids import decode  # noqa: PLC0415

    judged = []
    for number, (start, stop) in enumerate(zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)):
        listed = list(zip(scores[start:stop].tolist(), ids[start:stop], strict=True))
        if len(set(ids[start:stop])) < len(listed) or LONG in ids[start:stop]:
            return None
        ranked = sorted(listed, key=lambda pair: (pair[0], pair[1]), reverse=True)
        for rank, (score, name) in enumerate(ranked, 1):
            judgment = row_of.get((int(base[number]), decode(name)), -1)
            if judgment >= 0:
                tied = [at for at, (other, _) in enumerate(ranked, 1) if other == score]
                judged.append((number, rank, tied[0], tied[-1], judgment))
    return sorted(judged)


def _gather(dice: random.Random, np: Any, scan: Any) -> None:
    """Pieces of memory are copied one after the other."""
    data = np.frombuffer(dice.randbytes(40), dtype=np.uint8).copy()
    pieces = [(start, dice.randint(0, 40 - start)) for start in (dice.randint(0, 40) for _ in range(3))]
    addresses = np.array([data.ctypes.data + start for start, _ in pieces], dtype=np.uint64)
    sizes = np.array([size for _, size in pieces], dtype=np.int64)
    to = np.empty(int(sizes.sum()), dtype=np.uint8)
    scan.gather(addresses, sizes, to)
    if to.tobytes() != b"".join(data[start : start + size].tobytes() for start, size in pieces):
        sys.exit("pieces of memory are not what they were")
