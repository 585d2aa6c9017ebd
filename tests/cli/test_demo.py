"""gaincurve demo: what it writes, what it claims (recomputed with plain loops), and that it needs no extra."""

from __future__ import annotations

import html
import json
import math
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

SYSTEMS = ("broad", "sharp", "titles", "legacy")
FLAT, STEEP, GRADES = (0, 1, 1, 1), (0, 1, 10, 100), (0, 1, 2, 3)


class Demo(NamedTuple):
    """A finished demo: the folder it was started in, its name there, and what it said."""

    where: Path
    home: Path
    said: str


def environment(where: Path) -> dict[str, str]:
    """No gaincurve on the path, but a python that can import it."""
    folder = where / "bin"
    folder.mkdir(exist_ok=True)
    (folder / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    (folder / "python").chmod(0o755)
    return {**os.environ, "PATH": f"{folder}{os.pathsep}{os.defpath}"}


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    where = tmp_path_factory.mktemp("demo")
    done = subprocess.run(
        [sys.executable, "-m", "gaincurve", "demo", "my demo"],
        cwd=where,
        env=environment(where),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    return Demo(where, where / "my demo", done.stdout)


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    """The demo where altair is not installed, into the default folder."""
    where = tmp_path_factory.mktemp("bare")
    code = "import sys; sys.modules['altair'] = None; from gaincurve.cli import main; sys.exit(main(['demo']))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=where, capture_output=True, text=True, encoding="utf-8", check=True
    )
    return Demo(where, where / "gaincurve-demo", done.stdout)


def judgments(home: Path) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for line in (home / "judgments.qrels").read_text().splitlines():
        topic, _, document, grade = line.split()
        found.setdefault(topic, {})[document] = int(grade)
    return found


def rankings(home: Path, system: str) -> dict[str, list[tuple[float, str]]]:
    """Score and document, score ↓ then id ↓."""
    found: dict[str, list[tuple[float, str]]] = {}
    for line in (home / "runs" / f"{system}.run").read_text().splitlines():
        topic, _, document, _, score, tag = line.split()
        assert tag == system
        found.setdefault(topic, []).append((float(score), document))
    return {topic: sorted(row, reverse=True) for topic, row in found.items()}


def ndcg(home: Path, system: str, gains: tuple[int, ...], cutoff: int) -> float:
    total = 0.0
    judged = judgments(home)
    ranked = rankings(home, system)
    for topic, grades in judged.items():
        got = sum(gains[grades.get(d, 0)] / math.log2(i + 1) for i, (_, d) in enumerate(ranked[topic][:cutoff], 1))
        best = sorted((gains[g] for g in grades.values()), reverse=True)[:cutoff]
        total += got / sum(gain / math.log2(i + 1) for i, gain in enumerate(best, 1))
    return total / len(judged)


def mean_cg(home: Path, system: str, depth: int) -> list[float]:
    judged, ranked = judgments(home), rankings(home, system)
    at = [sum(judged[t].get(ranked[t][i][1], 0) for t in judged) / len(judged) for i in range(depth)]
    return [sum(at[: i + 1]) for i in range(depth)]


def lines_after(said: str, heading: str) -> Iterator[str]:
    for line in said.split(f"\n{heading}:\n")[1].splitlines():
        if not line.startswith("  "):
            return
        yield line.strip()


def test_files(demo: Demo) -> None:
    written = {str(path.relative_to(demo.home)) for path in demo.home.rglob("*") if path.is_file()}
    assert written >= {"judgments.qrels", "effort.json", *(f"runs/{system}.run" for system in SYSTEMS)}
    assert not [name for name in written if name.split("/")[-1].startswith(".")]
    judged = judgments(demo.home)
    assert len(judged) == 50
    assert {g for row in judged.values() for g in row.values()} == {0, 1, 2, 3}
    for path in demo.home.glob("scores-*.json"):
        assert json.loads(path.read_text())["schema"] == "gaincurve.scores/1"


def test_data_are_the_same_bytes_each_time(demo: Demo, bare: Demo) -> None:
    for name in ("judgments.qrels", *(f"runs/{system}.run" for system in SYSTEMS)):
        assert (demo.home / name).read_bytes() == (bare.home / name).read_bytes()


def test_another_seed_makes_another_experiment() -> None:
    from gaincurve.demo.experiment import make_experiment  # noqa: PLC0415 -- the only test that looks inside

    assert make_experiment(1, topics=2) == make_experiment(1, topics=2)
    assert make_experiment(1, topics=2) != make_experiment(2, topics=2)


@pytest.mark.parametrize("cutoff", [10, 100])
def test_the_winner_under_flat_gains_loses_under_steep_ones(demo: Demo, cutoff: int) -> None:
    winners = [max(SYSTEMS, key=lambda s: ndcg(demo.home, s, gains, cutoff)) for gains in (FLAT, STEEP)]
    assert winners == ["broad", "sharp"]


@pytest.mark.parametrize(("name", "gains"), [("0-1-1-1", FLAT), ("0-1-10-100", STEEP)])
def test_table_is_ranked_and_right(demo: Demo, name: str, gains: tuple[int, ...]) -> None:
    expected = {s: f"{ndcg(demo.home, s, gains, 10):.4f}" for s in SYSTEMS}
    table = demo.said.split(f"(gains {name}):\n")[1].split("nDCG@10|")[0]
    shown = [line.split()[:2] for line in table.splitlines() if line.split()[:1] and line.split()[0] in SYSTEMS]
    assert shown == sorted(([s, v] for s, v in expected.items()), key=lambda row: row[1], reverse=True)
    signed = {"0-1-1-1": "binary"}.get(name, name)
    assert f"nDCG@10|gain:{signed}|discount:log2(i+1)|ideal:judged@10|" in demo.said


def test_mean_curves_cross_where_it_says(demo: Demo) -> None:
    said = re.search(r"at rank (\d+) (\w+) gets ahead of (\w+)", demo.said)
    assert said
    rank, ahead, behind = int(said[1]), said[2], said[3]
    first, second = mean_cg(demo.home, ahead, rank), mean_cg(demo.home, behind, rank)
    assert first[-1] > second[-1] + 1e-9
    assert first[-2] <= second[-2] + 1e-9
    assert any(a < b - 1e-9 for a, b in zip(first, second, strict=True))


def test_effort_sentence(demo: Demo) -> None:
    curves = {s: mean_cg(demo.home, s, 100) for s in SYSTEMS}
    best = max(SYSTEMS, key=lambda s: curves[s][9])
    (sentence,) = re.findall(rf"^To gain what {best} gives in 10 documents, read (.+)\.$", demo.said, re.MULTILINE)
    told = {system: int(ranks) for ranks, system in re.findall(r"(\d+) with (\w+)", sentence)}
    target = curves[best][9] - 1e-9
    assert told == {s: next(i for i, v in enumerate(curves[s], 1) if v >= target) for s in SYSTEMS if s != best}


def test_ties_and_unjudged_documents(demo: Demo) -> None:
    judged = judgments(demo.home)
    unjudged, tied = Counter[str](), Counter[str]()
    for system in SYSTEMS:
        for topic, row in rankings(demo.home, system).items():
            tied[system] += sum(a[0] == b[0] for a, b in pairwise(row))
            unjudged[system] += sum(document not in judged[topic] for _, document in row[:10])
    assert tied["titles"] > 1000 > tied["broad"]
    assert unjudged["legacy"] > 0
    assert unjudged["broad"] == 0  # the pool holds its first 40


def test_it_ends_with_pictures_and_what_to_try_next(demo: Demo) -> None:
    places = [demo.said.index(piece) for piece in ("To gain what", "\nFigures:\n", "\nTry next:\n")]
    assert places == sorted(places)
    figures = list(lines_after(demo.said, "Figures"))
    assert len(figures) >= 3
    for figure in figures:
        magic = b"<svg" if figure.endswith(".svg") else b"\x89PNG"
        assert (demo.where / figure).read_bytes().startswith(magic)


def test_the_commands_to_try_next_work_as_printed(demo: Demo) -> None:
    commands = list(lines_after(demo.said, "Try next"))
    assert len(commands) >= 3
    for command in commands:
        done = subprocess.run(
            command,
            shell=True,
            cwd=demo.where,
            env=environment(demo.where),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode in (0, 1), f"{command}\n{done.stderr}"
        assert ("read 4 topics" if " session " in command else "read 50 topics") in done.stderr


def test_without_the_extra(bare: Demo) -> None:
    assert "No figures: " in bare.said
    assert "pip install 'gaincurve[figures]'" in bare.said
    assert "To gain what sharp gives in 10 documents" in bare.said
    assert len(bare.said.rstrip().partition("Try next:\n")[2].splitlines()) == 8
    assert not list(bare.home.rglob("*.svg"))
    assert "No report: " in bare.said
    assert not list(bare.home.rglob("*.html"))


def test_the_report(demo: Demo) -> None:
    (path,) = lines_after(demo.said, "The report, one page to open in a browser or to send around")
    page = (demo.where / path).read_text("utf-8")
    assert "On nDCG@30 sharp scores highest, ahead of titles by 0.2777 (95% interval " in page
    assert 'id="panel-sessions"' in page
    assert len(page.encode()) < 1_500_000
    assert str(demo.where) not in page


def test_the_command_in_the_report_writes_the_same_page(demo: Demo) -> None:
    page = (demo.home / "report.html").read_text("utf-8")
    command = html.unescape(re.findall(r'<code id="command">(.*?)</code>', page)[0])
    again = command.replace("gaincurve", "python -m gaincurve", 1) + " --quiet -o again.html"
    subprocess.run(again, shell=True, cwd=demo.where, env=environment(demo.where), check=True)
    assert (demo.where / "again.html").read_text("utf-8") == page


def test_texts_are_beside_the_runs(demo: Demo, bare: Demo) -> None:
    topics = dict(line.split("\t") for line in (demo.home / "topics.tsv").read_text().splitlines())
    documents = dict(line.split("\t") for line in (demo.home / "documents.tsv").read_text().splitlines())
    assert set(topics) == set(judgments(demo.home))
    for system in SYSTEMS:
        assert {d for row in rankings(demo.home, system).values() for _, d in row[:100]} <= set(documents)
    for name in ("topics.tsv", "documents.tsv"):
        assert (demo.home / name).read_bytes() == (bare.home / name).read_bytes()


def test_curve_without_the_extra_is_a_users_error(bare: Demo) -> None:
    code = "import sys; sys.modules['altair'] = None; from gaincurve.cli import main; sys.exit(main(sys.argv[1:]))"
    arguments = ("curve", "judgments.qrels", "runs/broad.run", "-o", "curves.svg")
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=bare.home, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "error[extra-missing]: " in done.stderr
    assert "pip install 'gaincurve[figures]'" in done.stderr
    assert not (bare.home / "curves.svg").exists()


def test_an_ascii_terminal_is_no_bug(tmp_path: Path) -> None:
    code = "import sys; sys.modules['altair'] = None; from gaincurve.cli import main; sys.exit(main(['demo']))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("mine")
    done = subprocess.run(
        [sys.executable, "-m", "gaincurve", "demo", "taken"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error[output-unwritable]: ")
    assert (tmp_path / "taken").read_text() == "mine"


def test_sessions_are_a_balanced_square(demo: Demo) -> None:
    logs = {
        name: [json.loads(line) for line in (demo.home / "sessions" / f"{name}.jsonl").read_text().splitlines()]
        for name in ("keywords", "semantic")
    }
    cells = Counter(
        (name, record["topic"]) for name, records in logs.items() for record in records if record["query"] == 1
    )
    assert cells == {(name, task): 15 for name in logs for task in "ABCD"}
    by_user = Counter(
        (name, record["user"]) for name, records in logs.items() for record in records if record["query"] == 1
    )
    assert set(by_user.values()) == {2}
    assert len({user for _, user in by_user}) == 30
    lengths = Counter(record["session"] for records in logs.values() for record in records)
    assert len(lengths) == 120
    assert 2.0 < sum(lengths.values()) / 120 < 3.5
    assert max(lengths.values()) >= 6
    assert any(not record["ranking"] for records in logs.values() for record in records)


def test_what_is_said_of_sessions_is_right(demo: Demo) -> None:
    """nsDCG of both systems again, from the formula."""
    judged: dict[str, dict[str, int]] = {}
    for line in (demo.home / "sessions" / "tasks.qrels").read_text().splitlines():
        topic, _, document, grade = line.split()
        judged.setdefault(topic, {})[document] = STEEP[int(grade)]
    for name in ("keywords", "semantic"):
        sessions: dict[str, list[dict[str, object]]] = {}
        for line in (demo.home / "sessions" / f"{name}.jsonl").read_text().splitlines():
            record = json.loads(line)
            sessions.setdefault(record["session"], []).append(record)
        values = []
        for records in sessions.values():
            above = below = 0.0
            for q, record in enumerate(records, 1):
                gains = judged[str(record["topic"])]
                best = sorted(gains.values(), reverse=True)[:10]
                c = 1 / (1 + math.log(q, 4))
                ranking = list(record["ranking"])[:10]  # type: ignore[call-overload]
                above += c * sum(gains.get(d, 0) / (1 + math.log2(r)) for r, d in enumerate(ranking, 1))
                below += c * sum(g / (1 + math.log2(r)) for r, g in enumerate(best, 1))
            values.append(above / below)
        said = re.search(rf"{name} +[\d.]+ +([\d.]+)", demo.said)
        assert said is not None
        assert float(said[1]) == pytest.approx(sum(values) / len(values), abs=5e-5)


def test_it_tells_whether_the_difference_is_more_than_chance(demo: Demo) -> None:
    said = demo.said[demo.said.index("Is that significant?") :]
    assert "On nDCG@30 sharp scores highest, ahead of titles by 0.2777 (95% interval " in said
    found = json.loads((demo.home / "comparison.json").read_text())
    assert found["schema"] == "gaincurve.comparison/1"
    assert found["method"]["sentences"][0] in said
