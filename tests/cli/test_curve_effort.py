"""gaincurve curve and gaincurve effort: hand arithmetic for the numbers, magic bytes and text for the pictures."""

from __future__ import annotations

import csv
import io
import json
import math
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from xml.etree import ElementTree as ET

import pytest

Command = Callable[..., "CompletedProcess[str]"]

RUNS = ("q.qrels", "good.run", "poor.run", "late.run")
GOOD, POOR, LATE = [1, 4 / 3, 2, 2], [1 / 3, 1 / 3, 4 / 3, 4 / 3], [2 / 3, 2, 2, 2]  # mean CG over t1, t2, t3
IDEAL = [4 / 3, 2, 7 / 3, 7 / 3]
MAGIC = {"svg": b"<svg", "png": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF-"}
pytestmark = pytest.mark.usefixtures("folder")


def texts(svg: bytes) -> set[str]:
    return {text for element in ET.fromstring(svg).iter() if (text := (element.text or "").strip())}


class TestCurve:
    def test_json(self, gaincurve: Command) -> None:
        found = json.loads(gaincurve("curve", *RUNS, "-m", "CG", "--depth", "4", "-f", "json").stdout)
        assert list(found)[:4] == ["schema", "tool", "inputs", "measures"]
        assert (found["schema"], found["depth"]) == ("gaincurve.curves/1", 4)
        assert [i["path"] for i in found["inputs"]] == list(RUNS)
        (measure,) = found["measures"]
        assert measure["name"] == "CG"
        assert measure["signature"].startswith("CG@4|gain:identity|ties:trec|")
        assert list(found["curves"]) == ["good", "poor", "late", "ideal"]
        for run, expected in zip(found["curves"].values(), (GOOD, POOR, LATE, IDEAL), strict=True):
            assert run["CG"] == pytest.approx(expected, abs=1e-15)
        assert found["stopping"] == {"mean": 2.0, "flat_from": 3, "topics": {"t1": 3, "t2": 1, "t3": 0}}
        assert [note["slug"] for note in found["notes"]] == ["topics-missing"]

    def test_crossings(self, gaincurve: Command) -> None:
        found = json.loads(gaincurve("curve", *RUNS, "-m", "CG", "--depth", "4", "-f", "json").stdout)
        assert found["crossings"]["CG"] == [{"rank": 2, "ahead": "late", "behind": "good"}]
        table = gaincurve("curve", *RUNS, "-m", "CG", "--depth", "4", "-f", "table").stdout
        assert "CG: at rank 2 late gets ahead of good." in table
        assert found["curves"]["late"]["CG"][2] == found["curves"]["good"]["CG"][2]  # and they are level at rank 3,
        assert "from rank" not in table  # so nothing is said of later ranks

    def test_default_is_the_four_curves_to_100(self, gaincurve: Command) -> None:
        found = json.loads(gaincurve("curve", *RUNS, "-f", "json").stdout)
        assert [m["name"] for m in found["measures"]] == ["CG", "DCG", "nCG", "nDCG"]
        assert {len(line) for run in found["curves"].values() for line in run.values()} == {100}

    def test_both_normalisations(self, gaincurve: Command) -> None:
        asked = ("curve", "q.qrels", "good.run", "-m", "nDCG", "-m", "nCG@3", "-f", "json", "--normalise")
        ratios = json.loads(gaincurve(*asked, "mean-of-ratios").stdout)["curves"]["good"]
        log = math.log2(3)
        ideal = [3, 3 + 2 / log, 3 + 2 / log + 0.5]
        assert ratios["nDCG"] == pytest.approx(
            [(1 + 0) / 2, (3 / ideal[1] + 1 / log) / 2, (4 / ideal[2] + 1 / log) / 2]
        )
        assert ratios["nCG"] == pytest.approx([(1 + 0) / 2, (3 / 5 + 1) / 2, (5 / 6 + 1) / 2])
        means = gaincurve(*asked, "ratio-of-means")
        assert json.loads(means.stdout)["curves"]["good"]["nCG"] == pytest.approx([3 / 4, 4 / 6, 6 / 7])
        assert "|normalise:ratio-of-means|" in means.stdout
        assert gaincurve(*asked, "neither").returncode == 2

    def test_signature_tells_over_how_many_topics_the_mean_goes(self, gaincurve: Command) -> None:
        asked = ("q.qrels", "good.run", "-m", "nDCG@3", "-f", "json")
        curve, score = (json.loads(gaincurve(command, *asked).stdout) for command in ("curve", "eval"))
        assert curve["curves"]["good"]["nDCG"][-1] == score["summary"]["good"]["nDCG@3"]  # t3 is left out of both
        assert "|topics:2/3|" in curve["measures"][0]["signature"]

    def test_topics_left_out_of_a_curve_are_noted(self, gaincurve: Command) -> None:
        asked = ("curve", "q.qrels", "good.run", "-f", "json", "-m")
        normalised, plain = (json.loads(gaincurve(*asked, name).stdout)["notes"] for name in ("nDCG", "CG"))
        assert [(note["slug"], "t3" in note["text"]) for note in normalised] == [("undefined", True)]
        assert plain == []

    def test_table(self, gaincurve: Command) -> None:
        lines = gaincurve("curve", *RUNS, "-m", "CG@4", "-f", "table").stdout.splitlines()
        assert lines[0].split() == ["curve", "rank", "good", "poor", "late", "ideal"]
        assert lines[2].split() == ["CG", "1", "1.0000", "0.3333", "0.6667", "1.3333"]
        assert [line.split()[1] for line in lines[2:6]] == ["1", "2", "3", "4"]
        assert lines[6].startswith("Even an ideal list gains nothing more after rank 2.0 on average, rank 3 ")
        assert lines[-1].startswith("CG@4|gain:identity|")

    def test_tsv_per_topic(self, gaincurve: Command) -> None:
        done = gaincurve("curve", "q.qrels", "good.run", "-m", "CG@3", "-q")
        rows = list(csv.DictReader(io.StringIO(done.stdout), delimiter="\t"))
        assert list(rows[0]) == ["curve", "run", "topic", "rank", "value", "signature"]
        lines: dict[tuple[str, str], list[float]] = {}
        for row in rows:
            lines.setdefault((row["run"], row["topic"]), []).append(float(row["value"]))
        assert lines["good", "t1"] == [3, 3, 5]
        assert lines["good", "t2"] == [0, 1, 1]
        assert lines["ideal", "all"] == pytest.approx(IDEAL[:3])
        nested = json.loads(gaincurve("curve", "q.qrels", "good.run", "-m", "CG@3", "-q", "-f", "json").stdout)
        assert nested["topics"]["good"] == {"t1": {"CG": [3, 3, 5]}, "t2": {"CG": [0, 1, 1]}, "t3": {"CG": [0, 0, 0]}}

    def test_one_curve_once_however_many_cutoffs_are_named(self, gaincurve: Command) -> None:
        rows = gaincurve("curve", "q.qrels", "good.run", "-m", "CG@2", "-m", "CG@3").stdout.splitlines()[1:]
        assert len(rows) == len(set(rows)) == 2 * 3

    @pytest.mark.parametrize(
        ("arguments", "slug"),
        [
            (("-m", "nDCG(average='ranks')@3"), "measure-no-curve"),
            (("--unjudged", "bounds"), "measure-no-bounds"),
            (("--gains", "0-1-2"), "gains-grade"),
        ],
    )
    def test_refused(self, gaincurve: Command, arguments: tuple[str, ...], slug: str) -> None:
        done = gaincurve("curve", "q.qrels", "good.run", *arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert f"error[{slug}]: " in done.stderr

    def test_a_depth_beyond_memory_is_the_users_not_ours(self, gaincurve: Command) -> None:
        done = gaincurve("curve", "q.qrels", "good.run", "--depth", 10**15)
        assert done.returncode == 2, done.stderr


class TestPictures:
    @pytest.mark.parametrize("command", ["curve", "effort"])
    @pytest.mark.parametrize("suffix", MAGIC)
    def test_file_has_the_right_magic(self, gaincurve: Command, folder: Path, command: str, suffix: str) -> None:
        done = gaincurve(command, *RUNS, "-m", "CG", "--depth", "12", "-o", f"out.{suffix}")
        assert (done.returncode, done.stdout) == (0, "")
        assert f"wrote out.{suffix}" in done.stderr
        assert (folder / f"out.{suffix}").read_bytes().startswith(MAGIC[suffix])

    def test_same_bytes_twice(self, folder: Path) -> None:
        """One process for each time, as a user would; several pictures, for chance can make two equal."""
        names = [f"{command}{i}.{suffix}" for suffix in MAGIC for i in range(2) for command in ("curve", "effort")]
        code = f"import sys; from gaincurve.cli import main\nfor name in {names}:\n"
        code += "    main([name.rstrip('.svgpndf0123'), *sys.argv[1:], '-o', name]) and sys.exit('failed')"
        drawn = []
        for _ in range(2):
            subprocess.run([sys.executable, "-c", code, *RUNS, "--depth", "12", "--quiet"], check=True)
            drawn.append({name: (folder / name).read_bytes() for name in names})
        assert [name for name in names if drawn[0][name] != drawn[1][name]] == []

    def test_svg_names_runs_ideal_gains_and_base(self, gaincurve: Command, folder: Path) -> None:
        gaincurve("curve", *RUNS, "--gains", "0-1-10-100", "--discount", "jk2002", "--base", "2.5", "-o", "c.svg")
        found = texts((folder / "c.svg").read_bytes())
        assert {"good", "poor", "late", "ideal"} <= found
        assert {"CG", "DCG", "nCG", "nDCG", "rank (documents read)"} <= found
        assert {"gains 0-1-10-100", "gains 0-1-10-100, discount jk2002(base=2.5)"} <= found

    def test_effort_svg_tells_the_ranks(self, gaincurve: Command, folder: Path) -> None:
        gaincurve("effort", *RUNS[:3], "--rank", "1", "--depth", "4", "-o", "e.svg")
        found = texts((folder / "e.svg").read_bytes())
        assert {"poor: 3", "good: 1", "documents read with good", "CG, gains identity"} <= found
        assert "to gain what good" in found

    def test_one_run_and_depth_one(self, gaincurve: Command, folder: Path) -> None:
        for command in ("curve", "effort"):
            done = gaincurve(
                command,
                "q.qrels",
                "good.run",
                "-m",
                "CG@1",
                "-o",
                f"{command}.svg",
                *(("--rank", "1") if command == "effort" else ()),
            )
            assert done.returncode == 0, done.stderr
            assert any("good" in text for text in texts((folder / f"{command}.svg").read_bytes()))

    def test_hostile_run_name_stays_text(self, gaincurve: Command, folder: Path) -> None:
        name = "<script>alert(1)&amp;"
        (folder / f"{name}.run").write_bytes((folder / "good.run").read_bytes())
        assert gaincurve("curve", "q.qrels", f"{name}.run", "-m", "CG@3", "-o", "h.svg").returncode == 0
        assert name in texts((folder / "h.svg").read_bytes())
        assert not [e for e in ET.fromstring((folder / "h.svg").read_bytes()).iter() if e.tag.endswith("script")]

    @pytest.mark.parametrize(("command", "out"), [("curve", "c.gif"), ("effort", "e.html"), ("eval", "e.svg")])
    def test_wrong_suffix_is_refused_before_anything_is_read(
        self, gaincurve: Command, folder: Path, command: str, out: str
    ) -> None:
        done = gaincurve(command, "absent.qrels", "absent.run", "-o", out)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("error[format-unknown]: ")
        assert "absent.qrels" not in done.stderr
        assert not (folder / out).exists()

    def test_gain_wanted_beyond_the_first_ranks_is_drawn(self, gaincurve: Command, folder: Path) -> None:
        done = gaincurve("effort", *RUNS[:3], "--depth", "4", "--gain", "2", "-o", "e.svg")
        assert done.returncode in (0, 2), done.stderr


class TestEffort:
    SAID = (
        "To gain what the ideal gives in 1 document, read 2 with good and 3 with poor.",
        "To gain what good gives in 1 document, read 3 with poor.",
    )

    def test_json(self, gaincurve: Command) -> None:
        found = json.loads(gaincurve("effort", *RUNS[:3], "--rank", "1", "--depth", "4", "-f", "json").stdout)
        assert (found["schema"], found["rank"], found["depth"]) == ("gaincurve.effort/1", 1, 4)
        ideal, good, poor = found["targets"]
        assert [t["gain"] for t in found["targets"]] == pytest.approx([4 / 3, 1, 1 / 3])
        assert ideal["ranks"] == ideal["ratio"] == {"good": 2, "poor": 3}
        assert (good["ranks"], poor["ranks"]) == ({"good": 1, "poor": 3}, {"good": 1, "poor": 1})
        assert found["sentences"] == list(self.SAID)
        assert found["measures"][0]["signature"].startswith("CG@4|gain:identity|")

    def test_ratio_is_ranks_over_the_rank_asked(self, gaincurve: Command) -> None:
        found = json.loads(gaincurve("effort", *RUNS[:3], "--rank", "2", "--depth", "4", "-f", "json").stdout)
        by = {t["gain_of"]: t for t in found["targets"]}  # CG@2: ideal 2, good 4/3
        assert (by["good"]["ranks"], by["good"]["ratio"]) == ({"good": 2, "poor": 3}, {"good": 1, "poor": 1.5})
        assert (by["ideal"]["ranks"], by["ideal"]["ratio"]) == ({"good": 3, "poor": None}, {"good": 1.5, "poor": None})

    def test_table(self, gaincurve: Command) -> None:
        lines = gaincurve("effort", *RUNS[:3], "--rank", "1", "--depth", "4", "-f", "table").stdout.splitlines()
        assert " ".join(lines[0].split()) == "target CG read with good read with poor"
        assert lines[2].split() == ["ideal", "@1", "1.3333", "2", "3"]
        assert tuple(lines[5:7]) == self.SAID
        assert lines[-1].startswith("CG@4|gain:identity|")

    def test_gain_wanted_whole_and_between_ranks(self, gaincurve: Command) -> None:
        asked = ("effort", *RUNS[:3], "--depth", "4", "--gain", "2", "--gain", "1.5", "-f", "json")
        found = json.loads(gaincurve(*asked).stdout)
        assert [t["ranks"] for t in found["targets"]] == [{"good": 3, "poor": None}] * 2
        assert found["sentences"][0] == "To gain 2, read 3 with good and more than 4 with poor."
        between = json.loads(gaincurve(*asked, "--interpolate").stdout)
        assert between["targets"][1]["ranks"]["good"] == pytest.approx(2 + (1.5 - 4 / 3) / (2 - 4 / 3))

    def test_tsv_leaves_unreached_empty(self, gaincurve: Command) -> None:
        rows = gaincurve("effort", *RUNS[:3], "--depth", "4", "--gain", "2").stdout.splitlines()
        assert [row.split("\t")[:5] for row in rows] == [
            ["gain_of", "gain", "run", "ranks", "ratio"],
            ["gain 2", "2.0", "good", "3.0", ""],
            ["gain 2", "2.0", "poor", "", ""],
        ]
        assert all(row.split("\t")[5].startswith("CG@4|") for row in rows[1:])

    @pytest.mark.parametrize(
        ("arguments", "piece"),
        [
            (("-m", "nDCG"), "error[measure-no-curve]"),
            (("--rank", "5", "--depth", "4"), "error[measure-cutoff]"),
            (("--gain", "-1"), "--gain"),
            (("--gain", "nan"), "error[choice-unknown]"),
            (("--rank", "0"), "--rank"),
        ],
    )
    def test_refused(self, gaincurve: Command, arguments: tuple[str, ...], piece: str) -> None:
        done = gaincurve("effort", *RUNS[:2], *arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert piece in done.stderr
