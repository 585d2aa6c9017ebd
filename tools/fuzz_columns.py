"""Feed broken and odd judgments to both readers: the same rows, or the same problems."""

from __future__ import annotations

import random
import sys
from typing import Any


def good_qrels(dice: random.Random, width: int) -> bytes:
    """A few topics with judged documents; sometimes scattered."""
    lines = []
    for topic in dice.sample(range(9), dice.randint(1, 4)):
        for document in dice.sample(range(30), dice.randint(1, 15)):
            grade = dice.choice(["0", "1", "2", "3", "-1", "0.5", "1e1", "+2"])
            second = dice.choice(["0", "0", "0", "Q0", f"s{document % 3}", "votes"])
            row = [f"t{topic}", second, f"d{document}", f"s{document % 4}", grade]
            lines.append(" ".join({3: [row[0], row[2], grade], 4: [*row[:3], grade], 5: row}[width]))
    if dice.random() < 0.2:
        dice.shuffle(lines)
    return dice.choice(["\n", "\r\n", "\n\n"]).join(lines).encode()


def outcome(content: Any, layout: Any, subtopics: bool, np: Any) -> object:
    """What reading gives, in a form that can be compared."""
    from gaincurve.errors import GaincurveError  # noqa: PLC0415
    from gaincurve.io.trec import read_trec  # noqa: PLC0415

    try:
        rows = read_trec(content, "judgments", layout, with_subtopics=subtopics)
    except GaincurveError as error:
        return str(error)
    ids = (rows.documents, rows.subtopics, rows.stratum)
    places = [rows.place(i) for i in range(len(rows))]
    values = rows.values.view(np.uint64).tolist()
    texts = [None if column is None else column.texts() for column in ids]
    return rows.topics, rows.topic.tolist(), values, texts, rows.origin, places, rows.keys().tolist()


def fuzz_columns(inputs: int, seed: int, mutated: Any, pieces: list[bytes]) -> None:
    """The loop, inside the sanitized build."""
    import numpy as np  # noqa: PLC0415 -- the outer process needs neither

    from gaincurve.io import blocks, trec  # noqa: PLC0415
    from gaincurve.io.content import Content  # noqa: PLC0415
    from gaincurve.model import ids, lookup  # noqa: PLC0415

    dice = random.Random(seed)
    compiled, answered = trec.compiled, 0
    for i in range(inputs):
        width = dice.choice([3, 4, 4, 5])
        text = mutated(dice, good_qrels(dice, width), pieces).replace(b"\0", b" ")
        if not text:
            continue
        buffer = np.frombuffer(text + bytes(32), dtype=np.uint8).copy()
        content = Content("a.qrels", buffer, 0, len(text), None)
        layout, subtopics = trec.LAYOUTS["judgments"][width], dice.random() < 0.3
        start, exact = dice.randrange(len(text) + 1), buffer[: len(text) + 8].copy()  # no byte more than promised
        found = outcome(content, layout, subtopics, np), blocks.next_boundary(exact, start, len(text))
        answered += compiled.read_columns(exact, 0, len(text), width, layout.document, layout.value) is not None
        for module in (trec, blocks, ids, lookup):
            module.compiled = None
        twin = outcome(content, layout, subtopics, np), blocks.next_boundary(buffer, start, len(text))
        for module in (trec, blocks, ids, lookup):
            module.compiled = compiled
        if found != twin:
            sys.exit(f"the readers disagree on input {i} of seed {seed} ({width} columns): {text!r}\n{found}\n{twin}")
    print(f"{inputs} judgments, {answered} read by the compiled reader, all as by NumPy (seed {seed})")
