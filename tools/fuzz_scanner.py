"""Feed the compiled scanner broken and odd text under AddressSanitizer, and hold it against its NumPy twin.

usage: python tools/fuzz_scanner.py [--inputs 200000] [--seed 0] [--plain]    (needs gcc or clang; `make fuzz` runs it)

Builds the package with -fsanitize=address in a temporary folder, starts itself again with that build, and runs inputs
made by mutating good lines, whose first field names a topic or, by one of several patterns, a session and a query. Any
read or write outside a buffer stops it with the sanitizer's report; any block on which both scanners have an answer but
not the same one stops it with the input.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from fuzz_columns import fuzz_columns
from fuzz_rows import fuzz_rows

ROOT = Path(__file__).parent.parent
PIECES = [
    b" ", b"\t", b"\n", b"\n# \0 \n", b"\r\n", b"#", b"\0", b"-", b"+", b".", b"e", b"9" * 30, b"1e5", b"-0", b"1_0",
    b"nan", b"inf", b"\xff", b"\xef\xbb\xbf", b"t1", b"d3", b"x" * 600, b"0x1p3", b"1e-400", b"1e400", b"\x85",
    b"1234567890123456789", b"0." + b"0" * 90 + b"1e95", b"q", b"q1", b"_", b"1" * 9, b"1" * 10, b".q.q1", b"s",
]  # fmt: skip
PATTERNS = [
    "s{session}.q{query}",
    "{session}_{query}",
    "{session}.q{query}",
    "{session}-{query}z",
    "tt{session}::{query}0",
]


QUERIES = ["1", "2", "3", "17", "007", "999999999", "1000000000"]


def named(topic: int, query: str, pattern: str | None) -> str:
    """A topic, or a query of a session as the pattern writes it."""
    return f"t{topic}" if pattern is None else pattern.replace("{session}", f"t{topic}").replace("{query}", query)


def good_lines(dice: random.Random, columns: int, pattern: str | None) -> bytes:
    """A few topics, or queries of sessions, with documents, ties and disorder."""
    lines = []
    for topic in dice.sample(range(9), dice.randint(1, 4)):
        name = named(topic, dice.choice(QUERIES), pattern)
        many = 3000 if dice.random() < 0.01 else 30  # now and then a topic that outgrows its first buffers
        for document in dice.sample(range(many), dice.randint(1, many // 2)):
            score = dice.choice(["1", "2.5", "-3", "1e-3", "0.1", f"{dice.random():.17g}", f"{dice.gauss(0, 9):.3f}"])
            row = [name, "Q0", f"d{document}", "1", score, "tag"]
            rank = str(dice.randint(1, many))
            lines.append(" ".join(row[:columns] if columns > 3 else [row[0], row[2], rank]))
    return "\n".join(lines).encode()


def mutated(dice: random.Random, text: bytes, pieces: list[bytes] = PIECES) -> bytes:
    """The text with a few bytes changed, cut out or put in."""
    data = bytearray(text)
    for _ in range(dice.choice([0, 0, 1, 1, 2, 5])):
        at = dice.randrange(len(data) + 1)
        kind = dice.randrange(4)
        if kind == 0:
            data[at:at] = dice.choice(pieces)
        elif kind == 1:
            del data[at : at + dice.randint(1, 9)]
        elif kind == 2 and at < len(data):
            data[at] = dice.randrange(256)
        else:
            data[at:at] = data[max(0, at - dice.randint(1, 60)) : at]
    return bytes(data)


def fuzz(inputs: int, seed: int) -> None:
    """The loop, inside the sanitized build."""
    import numpy as np  # noqa: PLC0415 -- the outer process needs neither

    from gaincurve import _compiled  # noqa: PLC0415
    from gaincurve.io.grading import RunGrader, TopicLists  # noqa: PLC0415
    from gaincurve.io.sessions.lists import SessionLists  # noqa: PLC0415
    from gaincurve.io.sessions.maps import SessionTopics  # noqa: PLC0415
    from gaincurve.io.trec import LAYOUTS  # noqa: PLC0415
    from gaincurve.model.ids import Ids  # noqa: PLC0415
    from gaincurve.model.judgments import Judgments  # noqa: PLC0415
    from gaincurve.model.kernel import index_of  # noqa: PLC0415
    from gaincurve.model.source import Source  # noqa: PLC0415

    if _compiled.scan is None or "gaincurve-fuzz" not in str(_compiled.scan.__file__):
        sys.exit("the sanitized scanner was not loaded")
    dice = random.Random(seed)
    judgments = Judgments.of({f"t{t}": {f"d{d}": d % 4 for d in range(t, 30, 3)} for t in range(6)})
    ids = Ids.from_texts([f"t{t}" for t in range(8)])  # of the sessions t0 to t7, two are on topics nobody judged
    on_topic = np.arange(8, dtype=np.int32)[::-1].copy()
    mapped = SessionTopics(ids, tuple(f"t{t}" for t in range(8)), on_topic, Source("map", "session map", 8, 8, ""))
    ways: list[tuple[str | None, TopicLists | SessionLists]] = [(None, TopicLists(judgments))]
    for text in PATTERNS:
        ways += [(text, SessionLists(judgments, known, pattern=text)) for known in (None, mapped)]
    graders = []
    for pattern, lists in ways:
        first = Ids.from_texts([named(1, "1", pattern)])  # settles how all lists are named
        for ties in ("trec", "trec-float32", "file"):
            grader = RunGrader(judgments, ties, lists=lists)
            grader.index = index_of(_compiled.scan, judgments, lists.look_up(first, ""))
            graders.append((pattern, grader))
    columns = ("base", "retrieved", "list", "rank", "first", "last", "judgment")
    answered = with_base = 0
    for i in range(inputs):
        width = dice.choice([6, 5, 3])
        pattern, grader = dice.choice(graders)
        good = good_lines(dice, width, pattern)
        block = mutated(dice, good) if dice.random() < 0.95 else dice.randbytes(dice.randint(0, 200))
        buffer = np.frombuffer(block + bytes(8), dtype=np.uint8).copy()  # no byte more than promised
        found = grader._compiled(LAYOUTS["run"][width], buffer, 0, len(block))
        if found is None or len(set(found.names)) < len(found.names):
            continue
        answered += 1
        with_base += bool((found.base >= 0).any())
        spare = np.concatenate([buffer, np.zeros(64, dtype=np.uint8)])
        twin = grader._twin(LAYOUTS["run"][width], "", spare, 0, len(block)) if len(found.names) else found
        same = twin is not None and found.names.texts() == twin.names.texts()
        same = same and all(
            np.array_equal(getattr(_sorted(found, np), name), getattr(_sorted(twin, np), name)) for name in columns
        )
        if not same:
            how = f"{grader.ties}, {width} columns, {pattern or 'topics'}"
            sys.exit(f"the scanners disagree on input {i} of seed {seed} ({how}): {block!r}")
        if i % 20_000 == 0:
            print(f"{i} inputs", file=sys.stderr, flush=True)
    told = f"{answered} answered by both scanners and the same, {with_base} of them with judged lists"
    print(f"{inputs} inputs, {told}, no fault found (seed {seed})")


def _sorted(found: object, np: object) -> object:
    from dataclasses import replace  # noqa: PLC0415

    order = np.lexsort((found.rank, found.list))  # type: ignore[attr-defined]
    names = ("list", "rank", "first", "last", "judgment")
    return replace(found, **{name: getattr(found, name)[order] for name in names})  # type: ignore[type-var]


def main() -> None:
    """Build, then start again inside the build."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--plain", action="store_true", help="as on machines without SSE2")
    given = parser.parse_args()
    if os.environ.get("GAINCURVE_FUZZING"):
        fuzz(given.inputs, given.seed)
        fuzz_rows(given.inputs // 4, given.seed)
        fuzz_columns(given.inputs // 4, given.seed, mutated, [*PIECES, b" votes "])
        return
    with tempfile.TemporaryDirectory(prefix="gaincurve-fuzz") as folder:
        package = Path(folder) / "src" / "gaincurve"
        shutil.copytree(ROOT / "src" / "gaincurve", package, ignore=shutil.ignore_patterns("*.so", "_scan.c"))
        made = package / f"_scan{sysconfig.get_config_var('EXT_SUFFIX')}"
        subprocess.run([sys.executable, "-m", "cython", "-3", str(package / "_scan.pyx")], check=True)
        flags = ["-fsanitize=address", "-g", "-O1", "-fno-omit-frame-pointer", "-shared", "-fPIC"]
        flags += ["-DGAINCURVE_PLAIN"] if given.plain else []
        include = f"-I{sysconfig.get_paths()['include']}"
        subprocess.run(["gcc", *flags, include, str(package / "_scan.c"), "-o", str(made)], check=True)
        library = subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True)
        environment = {
            **os.environ,
            "GAINCURVE_FUZZING": "1",
            "LD_PRELOAD": library.stdout.strip(),
            "ASAN_OPTIONS": "detect_leaks=0",
            "PYTHONPATH": str(Path(folder) / "src"),
            "PYTHONMALLOC": "malloc",
        }
        sys.exit(subprocess.run([sys.executable, __file__, *sys.argv[1:]], env=environment, check=False).returncode)


if __name__ == "__main__":
    main()
