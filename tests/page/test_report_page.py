"""The report as a whole: the numbers of the verbs in its tables, nothing without data, the same bytes each time."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import gaincurve as gc
from gaincurve.demo.experiment import make_experiment
from gaincurve.demo.sessions import make_sessions
from gaincurve.demo.texts import ASPECTS, SUBJECTS, make_texts, title
from gaincurve.errors import ChoiceError, InputError, MissingExtra
from gaincurve.model.wording import p_text
from gaincurve.page.build import LARGE, SMALL, most_bytes
from gaincurve.page.packing import unpack

RUNS = ("broad", "sharp", "titles", "legacy")
PANELS = (
    "verdict", "controls", "curves", "difference", "effort", "map", "topics", "topic", "grades", "recall", "pairs",
    "health", "sessions", "provenance", "export",
)  # fmt: skip


class Tables(HTMLParser):
    """The body rows of every table by its id, the text of other elements by theirs, and the panels."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.rows: dict[str, list[list[str]]] = {}
        self.heads: dict[str, list[str]] = {}
        self.texts: dict[str, str] = {}
        self.panels: list[str] = []
        self._table = self._cell = self._named = ""
        self._body = self._head = False
        self.feed(html)

    def column(self, table: str, head: str) -> list[str]:
        """One column by its heading."""
        at = [one.lower() for one in self.heads[table]].index(head.lower())
        return [row[at] for row in self.rows[table]]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag == "section":
            self.panels.append((found["id"] or "").removeprefix("panel-"))
        if tag == "table":
            self._table = found["id"] or ""
            self.rows[self._table], self.heads[self._table] = [], []
        if tag == "thead":
            self._head = True
        if tag == "th" and self._head:
            self.heads[self._table].append("")
        if tag == "tbody":
            self._body = True
        if tag == "tr" and self._body:
            self.rows[self._table].append([])
        if tag in ("td", "th") and self._body:
            self.rows[self._table][-1].append("")
            self._cell = tag
        if found.get("id") in ("verdict", "signature", "command", "notes", "bibtex", "methods"):
            self._named = str(found["id"])
            self.texts[self._named] = ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "tbody":
            self._body = False
        if tag == "thead":
            self._head = False
        if tag == self._cell:
            self._cell = ""
        if tag in ("p", "code", "ul", "pre", "dd"):
            self._named = ""

    def handle_data(self, data: str) -> None:
        if self._head:
            self.heads[self._table][-1:] = (
                [self.heads[self._table][-1] + data.strip()] if self.heads[self._table] else []
            )
        if self._cell:
            self.rows[self._table][-1][-1] += data.strip()
        if self._named:
            self.texts[self._named] += data


def number(text: str) -> float:
    return float(text.removesuffix(" *").replace("−", "-"))


def data(html: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(re.findall(r'<script type="application/json" id="page">(.*?)</script>', html)[0])
    return found


def observed(html: str) -> dict[str, Any]:
    return unpack(re.findall(r'<script type="text/plain" id="observed">(.*?)</script>', html)[0])


def texts_of(html: str) -> dict[str, str]:
    """The texts of documents by id."""
    found = observed(html)["texts"]
    return dict(zip(found["ids"], found["texts"], strict=True))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's judgments, runs, texts and sessions."""
    home = tmp_path_factory.mktemp("report")
    made = make_experiment()
    (home / "q.qrels").write_text(made.qrels)
    for name, text in made.runs.items():
        (home / f"{name}.run").write_text(text)
    texts = make_texts(made)
    (home / "topics.tsv").write_text(texts.topics)
    (home / "documents.tsv").write_text(texts.documents)
    sessions = make_sessions()
    (home / "tasks.qrels").write_text(sessions.qrels)
    for name, text in sessions.logs.items():
        (home / f"{name}.jsonl").write_text(text)
    return home


@pytest.fixture(scope="module")
def judgments(folder: Path) -> gc.Judgments:
    return gc.read_judgments(folder / "q.qrels")


@pytest.fixture(scope="module")
def runs(folder: Path) -> list[gc.Run]:
    return [gc.read_run(folder / f"{name}.run") for name in RUNS]


@pytest.fixture(scope="module")
def plain(judgments: gc.Judgments, runs: list[gc.Run]) -> gc.Report:
    return gc.report(judgments, runs)


@pytest.fixture(scope="module")
def full(folder: Path, judgments: gc.Judgments, runs: list[gc.Run]) -> gc.Report:
    return gc.report(
        judgments,
        runs,
        folder / "full.html",
        topics=gc.read_texts(folder / "topics.tsv"),
        docs=gc.read_texts(folder / "documents.tsv"),
        sessions=[gc.read_sessions(folder / f"{name}.jsonl") for name in ("keywords", "semantic")],
        session_judgments=gc.read_judgments(folder / "tasks.qrels"),
        session_scenario="session2008",
        scenario="busy",
    )


class TestTables:
    """What stands in the HTML without any scripting."""

    def test_the_leaderboard_is_that_of_a_plain_loop(
        self, plain: gc.Report, judgments: gc.Judgments, runs: list[gc.Run]
    ) -> None:
        table = Tables(plain.html)
        graded, means = judgments.to_dict(), {}
        for run in runs:
            values = []
            for topic, grades in graded.items():
                best = sorted(grades.values(), reverse=True)[:10]
                ideal = sum(g / math.log2(i + 1) for i, g in enumerate(best, 1))
                ranked = run.ranking_of(topic)[:10]
                values.append(sum(grades.get(d, 0) / math.log2(i + 1) for i, d in enumerate(ranked, 1)) / ideal)
            means[run.name] = np.array(values)
        order = sorted(means, key=lambda name: -means[name].mean())
        best = means[order[0]].mean()
        gaps = [means[name] - means[order[0]] for name in order[1:]]
        ends = [stats.t.interval(0.95, len(d) - 1, d.mean(), stats.sem(d)) for d in gaps]
        assert table.column("leaderboard", "Run") == order
        assert table.column("leaderboard", "nDCG@10") == [f"{means[name].mean():.4f}" for name in order]
        assert table.column("leaderboard", "95% interval") == [
            "", *(f"{low:.4f} to {high:.4f}".replace("-", "−") for low, high in ends)
        ]  # fmt: skip
        assert "of the mean" not in plain.page.leaderboard.caption
        assert table.column("leaderboard", "behind the best") == [
            "", *(f"{means[name].mean() - best:+.4f}".replace("-", "−") for name in order[1:])
        ]  # fmt: skip

    def test_measures_beside_it_are_those_of_eval(
        self, plain: gc.Report, judgments: gc.Judgments, runs: list[gc.Run]
    ) -> None:
        assert plain.page.leaderboard.others == ("AP", "RR", "P@10", "R@10")
        expected = gc.evaluate(judgments, runs, plain.page.leaderboard.others).summary()
        for row in Tables(plain.html).rows["leaderboard"]:
            assert row[-4:] == [f"{value:.4f}" for value in expected[row[1]].values()]

    def test_pairs_are_those_of_compare(self, plain: gc.Report, judgments: gc.Judgments, runs: list[gc.Run]) -> None:
        rows = Tables(plain.html).rows["pairs"]
        compared = gc.compare(gc.evaluate(judgments, runs, "nDCG@10"), "t", adjust="holm")
        assert len(rows) == 6
        for row, pair in zip(rows, compared.pairs, strict=True):
            assert row[:2] == [pair.a, pair.b]
            ends = [number(end) for end in row[3].split(" to ")]
            assert [number(row[2]), *ends] == pytest.approx([pair.difference, pair.low, pair.high], abs=5.1e-5)
            assert row[4:6] == [p_text(pair.p), p_text(pair.p_adjusted)]
            assert number(row[6]) == pytest.approx(pair.effect, abs=5.1e-5)
            assert row[7:9] == [f"{pair.wins} / {pair.ties} / {pair.losses}", "yes" if pair.significant else "no"]
            assert row[9:] == [pair.standing.text if pair.standing else "–"]
        told = Tables(plain.html).texts
        assert told["verdict"] == compared.families[0].words
        assert told["signature"] == compared.families[0].signature

    def test_letters_group_runs_that_are_not_shown_to_differ(self, plain: gc.Report) -> None:
        table = Tables(plain.html)
        rows = dict(zip(table.column("leaderboard", "Run"), table.column("leaderboard", "Letters"), strict=True))
        pairs = Tables(plain.html).rows["pairs"]
        assert all(bool(set(rows[a]) & set(rows[b])) == (significant == "no") for a, b, *_, significant, _ in pairs)

    def test_a_baseline(self, judgments: gc.Judgments, runs: list[gc.Run]) -> None:
        found = gc.report(judgments, runs, baseline="legacy", measure="AP")
        compared = gc.compare(gc.evaluate(judgments, runs, "AP"), "t", baseline="legacy")
        table = Tables(found.html)
        columns = (table.column("leaderboard", name) for name in ("Run", found.page.leaderboard.reference))
        against = dict(zip(*columns, strict=True))
        assert found.page.leaderboard.reference == "against legacy"
        assert against["legacy"] == ""
        for pair in compared.pairs:
            assert number(against[pair.a]) == pytest.approx(pair.difference, abs=5.1e-5)
            assert against[pair.a].endswith(" *") == pair.significant
        assert len(found.page.pairs) == 3
        assert data(found.html)["settings"]["baseline"] == "legacy"

    def test_a_bar_in_a_name_does_not_break_the_signature(self) -> None:
        judged = {topic: {"d1": 2, "d2": 1} for topic in ("x", "y")}
        lists = {"a|b": {"x": ["d1"], "y": ["d2"]}, "c": {"x": ["d2"], "y": ["d2"]}}
        found = gc.report(judged, lists, baseline="a|b")
        assert "baseline:a|b" in found.page.signature
        assert '<span class="part">baseline:a|b|</span>' in found.html
        assert Tables(found.html).texts["signature"] == "|".join(found.page.signature)

    def test_health(self, plain: gc.Report, judgments: gc.Judgments, runs: list[gc.Run]) -> None:
        rows = {row[0]: row for row in Tables(plain.html).rows["health"]}
        assert plain.page.health.ranks == (5, 10)
        judged = judgments.to_dict()
        bounds = gc.evaluate(judgments, runs, "nDCG@10", unjudged="bounds").bounds()
        checked = {f.subject: f for f in gc.check(judgments, runs, "nDCG@10").findings if f.about == "ties"}
        for run in runs:
            row = rows[run.name]
            for rank, share in zip((5, 10), row[1:3], strict=True):
                seen = [run.ranking_of(topic)[:rank] for topic in judged]
                missing = [sum(d not in judged[t] for d in one) / len(one) for t, one in zip(judged, seen, strict=True)]
                assert share == f"{100 * sum(missing) / len(missing):.1f}%"
            low, high = bounds[run.name]["nDCG@10"]
            assert row[5] == f"{low:.4f} to {high:.4f}"
            ties = checked[run.name]
            assert row[4] == ("–" if ties.low is None else f"{ties.low:.4f} to {ties.high:.4f}")
            scores: dict[tuple[int, float], int] = {}
            for topic, score in zip(run.topic.tolist(), run.scores.tolist(), strict=True):
                scores[topic, score] = scores.get((topic, score), 0) + 1
            tied = sum(count for count in scores.values() if count > 1)
            assert row[3].replace(" ", "") == str(tied)
        assert "grade 3: 338" in plain.page.health.grades

    def test_provenance(self, plain: gc.Report, folder: Path) -> None:
        told = plain.page.provenance
        assert told.command == "gaincurve.report(judgments, runs)"
        assert [row.role for row in told.inputs] == ["judgments", *["run"] * 4]
        assert all(re.fullmatch("[0-9a-f]{64}", row.sha256) for row in told.inputs)
        assert dict(told.versions).keys() >= {"gaincurve", "Python", "NumPy", "SciPy", "Altair", "Vega-Lite"}
        assert [row.measure for row in told.signatures] == [
            "nDCG@10", "AP", "RR", "P@10", "R@10", "CG@10", "DCG@10", "nCG@10",
        ]  # fmt: skip
        assert told.seeds == "nothing was drawn at random"
        assert "paired t-test over 50 topics, Holm-adjusted over 6 comparisons" in told.methods[0]
        assert "ACM Transactions on Information Systems 20(4), 422–446" in told.citation
        assert told.bibtex.count("@") == 2
        assert Tables(plain.html).rows["inputs"][0][:4] == ["judgments", str(folder / "q.qrels"), "TREC qrels", "50"]


class TestPanels:
    def test_without_texts_and_sessions_there_are_none(self, plain: gc.Report) -> None:
        assert Tables(plain.html).panels.count("sessions") == 0
        assert sorted(Tables(plain.html).panels) == sorted(set(PANELS) - {"sessions"})
        found = observed(plain.html)
        assert "sessions" not in found
        assert "texts" not in found["topics"]
        assert "texts" not in found
        assert not [name for name in data(plain.html)["charts"] if name.startswith("session")]

    def test_with_everything(self, full: gc.Report) -> None:
        assert sorted(Tables(full.html).panels) == sorted(PANELS)
        found = observed(full.html)
        assert found["topics"]["texts"][2] == "maintenance costs of night trains"
        assert {run["name"] for run in found["sessions"]["runs"]} == {"keywords", "semantic"}
        assert {"session-curve", "session-last"} <= set(data(full.html)["charts"])
        told = full.page.provenance
        assert [row.role for row in told.inputs[5:]] == [
            "texts of topics", "texts of documents", "judgments of sessions", "sessions", "sessions",
        ]  # fmt: skip
        assert [row.measure for row in told.signatures[-2:]] == ["sDCG", "nsDCG"]
        assert "ECIR 2008" in told.citation

    def test_texts_of_documents_stand_beside_the_documents(self, full: gc.Report, folder: Path) -> None:
        texts = dict(line.split("\t") for line in (folder / "documents.tsv").read_text().splitlines())
        entry, shown = observed(full.html)["documents"][0], texts_of(full.html)
        first = [entry["ids"][i] for i in entry["lists"][1][:5]]
        assert [shown[name] for name in first] == [texts[name] for name in first]

    def test_it_was_written(self, full: gc.Report, folder: Path) -> None:
        assert (folder / "full.html").read_text("utf-8") == full.html
        assert (
            repr(full) == f"Report('nDCG@30: broad, sharp, titles and legacy', {len(full.html.encode()) / 1e6:.1f} MB)"
        )

    def test_one_run_alone(self, judgments: gc.Judgments, runs: list[gc.Run]) -> None:
        found = gc.report(judgments, runs[1], measure="P@5")
        told = Tables(found.html)
        assert set(PANELS) - set(told.panels) == {"sessions", "difference", "map", "pairs"}
        mean = gc.evaluate(judgments, runs[1], "P@5").summary()["sharp"]["P@5"]
        assert re.match(
            rf"On P@5 sharp scores {mean:.4f} \(95% interval .* over 50 topics; there is no other run",
            told.texts["verdict"],
        )
        assert told.rows["leaderboard"][0][1:3] == ["sharp", f"{mean:.4f}"]
        assert "pairs" not in told.rows

    def test_one_topic_and_one_run(self) -> None:
        found = gc.report({"q": {"a": 2, "b": 1}}, {"q": ["b", "a"]})
        assert (
            found.page.verdict == "On nDCG@10 run scores 0.8597 over 1 topic; there is no other run to compare it with."
        )
        assert found.page.leaderboard.rows[0].interval == "–"


class TestSettings:
    def test_scenario_and_choices(self, full: gc.Report) -> None:
        settings = data(full.html)["settings"]
        assert (settings["measure"], settings["depth"], settings["gains"]) == ("nDCG", 30, [0, 1, 10, 100])
        assert (settings["discount"], settings["base"], settings["scenario"]) == ("jk2002", 2, "busy")
        assert full.page.health.ranks == (5, 10, 30)
        assert full.page.scenario == "Scenario busy: the 2002 paper's busy user: few, excellent documents."

    @pytest.mark.parametrize(
        ("measure", "choices", "words"),
        [
            ("nDCG@20", {}, "Scenario default: what most people call nDCG today."),
            ("nDCG", {"gains": "exp2"}, "Scenario default, changed: gains exp2, discount log2(i+1), cutoff 10."),
            (
                "nDCG@5",
                {"scenario": "busy", "unjudged": "condensed"},
                "Scenario busy, changed: gains 0-1-10-100, discount jk2002(base=2), cutoff 5, unjudged condensed.",
            ),
            ("nDCG", {"scenario": gc.Scenario(name="mine")}, "Scenario mine."),
        ],
    )
    def test_the_scenario_in_words(self, measure: str, choices: dict[str, Any], words: str) -> None:
        found = gc.report({"q": {"a": 2}}, {"q": ["a"]}, measure=measure, **choices)
        assert found.page.scenario == words

    def test_buttons_for_kinds_of_user(self, plain: gc.Report) -> None:
        buttons = {one["name"]: one for one in data(plain.html)["scenarios"]}
        assert list(buttons) == ["default", "jk2002", "busy", "patient", "burges"]
        assert buttons["busy"]["settings"]["gains"] == [0, 1, 10, 100]
        assert buttons["burges"]["settings"]["gains"] == [0, 1, 3, 7]
        assert buttons["jk2002"]["settings"]["depth"] == 200
        assert buttons["default"]["settings"]["depth"] == 10
        assert all(one["about"] for one in buttons.values())

    def test_a_button_that_does_not_fit_says_why(self) -> None:
        found = gc.report({"q": {"a": 4, "b": 0}, "r": {"a": 1}}, {"q": ["a"], "r": ["a"]})
        buttons = {one["name"]: one for one in data(found.html)["scenarios"]}
        assert buttons["busy"]["reason"] == "its gains 0-1-10-100 have no value for grade 4"
        assert "settings" not in buttons["busy"]
        assert "reason" not in buttons["burges"]

    def test_a_scenario_of_ones_own_comes_first(self) -> None:
        own = gc.Scenario(name="mine", about="ours").with_choices(gains="0-5", discount="rank")
        found = gc.report({"q": {"a": 1}, "r": {"a": 1}}, {"q": ["a"], "r": ["a"]}, scenario=own)
        first = data(found.html)["scenarios"][0]
        assert (first["name"], first["about"], first["settings"]["discount"]) == ("mine", "ours", "rank")

    def test_condensed_lists(self, judgments: gc.Judgments, runs: list[gc.Run]) -> None:
        found = gc.report(judgments, runs[2:], unjudged="condensed")
        expected = gc.evaluate(judgments, runs[2:], "nDCG@10", unjudged="condensed").summary()
        for row in Tables(found.html).rows["leaderboard"]:
            assert row[2] == f"{expected[row[1]]['nDCG@10']:.4f}"
        assert found.page.health.rows[1].unjudged != ("0.0%", "0.0%")  # what was taken out is still told

    def test_bounds_become_zero_on_the_page(self, judgments: gc.Judgments, runs: list[gc.Run]) -> None:
        found = gc.report(judgments, runs[2:], unjudged="bounds")
        assert data(found.html)["settings"]["unjudged"] == "zero"


class TestNotes:
    def test_they_stand_on_the_page_and_in_the_result(self) -> None:
        judgments = {"1": {"a": 1}, "2": {"a": 1}, "3": {"b": 0}}
        found = gc.report(judgments, {"1": ["a"], "2": ["b"], "9": ["a"]}, topics={"01": "one"})
        slugs = [note.slug for note in found.notes]
        assert set(slugs) == {"topics-missing", "topics-unjudged", "undefined", "texts-missing"}
        assert "no topic has a text: 1, 2, 3; texts were given for 01" in Tables(found.html).texts["notes"]
        assert len(slugs) == len(set(slugs))

    def test_ids_that_are_numbers(self) -> None:
        found = gc.report({"7": {"a": 1}}, {"7": ["a"]}, topics={7: "seven"})  # type: ignore[dict-item]
        assert observed(found.html)["topics"]["texts"] == ["seven"]


class TestSize:
    def test_the_limits_grow_with_the_lists(self) -> None:
        assert most_bytes(50, 5) == most_bytes(1, 1) == SMALL < 1_500_000
        assert most_bytes(1000, 10) == most_bytes(10**6, 10) == LARGE < 8_000_000
        assert SMALL < most_bytes(200, 10) < LARGE

    def experiment(self, topics: int, runs: int, depth: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """Ids as long as those of web collections."""
        random = np.random.default_rng(3)
        judgments: dict[str, dict[str, int]] = {}
        made: dict[str, dict[str, list[str]]] = {f"system-{r}": {} for r in range(runs)}
        for t in range(1, topics + 1):
            names = [f"clueweb09-en{n:010d}" for n in random.choice(10**9, 3 * depth, replace=False)]
            grades = random.choice(4, size=len(names), p=(0.8, 0.1, 0.06, 0.04))
            judgments[str(t)] = {d: int(g) for d, g in zip(names[:depth], grades, strict=False)}
            for run in made.values():
                order = np.argsort(-grades + random.normal(0, 1, len(names)))[:depth]
                run[str(t)] = [names[i] for i in order]
        return judgments, made

    def test_50_topics_5_runs_depth_100(self) -> None:
        judgments, runs = self.experiment(50, 5, 100)
        bare = gc.report(judgments, runs)
        assert len(bare.html.encode()) < 1_500_000
        assert [note for note in bare.notes if note.slug == "report-size"] == []
        assert len(observed(bare.html)["documents"][0]["lists"][0]) == 100

    def test_texts_are_left_out_from_the_bottom_and_that_is_told(self) -> None:
        judgments, runs = self.experiment(50, 5, 100)
        random = np.random.default_rng(4)
        words = ["".join(random.choice(list("abcdefghijklmnop"), size=6)) for _ in range(4000)]
        names = {d for run in runs.values() for row in run.values() for d in row}
        docs = {name: " ".join(random.choice(words, size=60)) for name in sorted(names)}
        found = gc.report(judgments, runs, docs=docs)
        assert len(found.html.encode()) < 1_500_000
        (note,) = [note for note in found.notes if note.slug == "report-size"]
        said = re.fullmatch(
            r"to keep the page small only the documents of ranks 1 to (\d+) have a text; [\d ]+ texts left out",
            note.text,
        )
        assert said
        cut = int(said[1])
        assert set(texts_of(found.html)) == {d for run in runs.values() for row in run.values() for d in row[:cut]}
        assert note.text in Tables(found.html).texts["notes"]

    def test_a_text_that_many_topics_share_is_written_once(self) -> None:
        shared = " ".join(f"{n:x}" for n in np.random.default_rng(5).integers(0, 2**32, 30))
        judgments = {str(t): {"d": 1} for t in range(400)}
        run = {str(t): ["d"] for t in range(400)}
        more = [len(gc.report(judgments, run, docs=docs).html) for docs in (None, {"d": shared})]
        assert more[1] - more[0] < 2 * len(shared)


class TestSameBytes:
    CODE = """
import hashlib, sys
import gaincurve as gc
folder = sys.argv[1]
runs = [gc.read_run(f"{folder}/{name}.run") for name in ("broad", "sharp", "titles", "legacy")]
texts = gc.read_texts(f"{folder}/documents.tsv", {f"D{n:05d}" for n in range(3000)})
made = gc.report(gc.read_judgments(f"{folder}/q.qrels"), runs, docs=texts, topics=gc.read_texts(f"{folder}/topics.tsv"))
print(hashlib.sha256(made.html.encode()).hexdigest())
"""

    def test_in_fresh_processes_with_other_seeds_of_hashing(self, folder: Path) -> None:
        found = {
            subprocess.run(
                [sys.executable, "-c", self.CODE, str(folder)],
                env={**os.environ, "PYTHONHASHSEED": seed},
                cwd=where,
                capture_output=True,
                text=True,
                check=True,
            ).stdout
            for seed, where in (("1", folder), ("27", folder.parent))
        }
        assert len(found) == 1

    def test_in_one_process(self, plain: gc.Report, judgments: gc.Judgments, runs: list[gc.Run]) -> None:
        assert gc.report(judgments, runs).html == plain.html

    def test_no_host_no_date(self, plain: gc.Report) -> None:
        import datetime  # noqa: PLC0415
        import platform  # noqa: PLC0415

        words = set(re.findall(r"[\w-]+", " ".join(Tables(plain.html).texts.values())))
        words |= {word for row in Tables(plain.html).rows["inputs"] for cell in row for word in cell.split()}
        assert not words & {platform.node(), str(datetime.datetime.now(tz=datetime.UTC).date())}


class TestRefusals:
    @pytest.mark.parametrize(
        ("choices", "slug"),
        [
            ({"measure": "ERR@10"}, "report-choices"),
            ({"measure": "nDCG(average='ranks')@10"}, "report-choices"),
            ({"ties": "average"}, "report-choices"),
            ({"baseline": "brod"}, "run-unknown"),
            ({"gains": "0-1-10"}, "gains-grade"),
            ({"measure": "P@5", "gains": "0-1-10"}, "gains-grade"),
            ({"scenario": "hasty"}, "scenario-unknown"),
            ({"colour": "blue"}, "choice-unknown"),
        ],
    )
    def test_choices(self, choices: dict[str, Any], slug: str, judgments: gc.Judgments, runs: list[gc.Run]) -> None:
        with pytest.raises(ChoiceError) as caught:
            gc.report(judgments, runs, **choices)
        assert caught.value.slug == slug

    @pytest.mark.parametrize(
        ("given", "slug"),
        [
            ({"topics": "topics.tsv"}, "input-object"),
            ({"docs": {"a": 3}}, "texts-record"),
            ({"missing": "error"}, "topics-missing"),
        ],
    )
    def test_inputs(self, given: dict[str, Any], slug: str) -> None:
        with pytest.raises(InputError) as caught:
            gc.report({"q": {"a": 1}, "r": {"a": 1}}, {"q": ["a"]}, **given)
        assert caught.value.slug == slug

    def test_two_runs_on_one_topic_are_shown_and_not_tested(self) -> None:
        page = gc.report({"q": {"a": 1}}, {"x": {"q": ["b"]}, "y": {"q": ["a"]}}).page
        assert page.verdict == "On nDCG@10 y is ahead of x by 1.0000; one topic: no test."
        assert [(row.run, row.mean) for row in page.leaderboard.rows] == [("y", "1.0000"), ("x", "0.0000")]
        assert page.pairs == ()
        assert page.leaderboard.interval == ""

    @pytest.mark.parametrize(("measure", "choices"), [("AP", {"depth": 2}), ("AP@2", {}), ("RR", {"depth": 2})])
    def test_a_depth_cuts_what_names_no_cutoff(self, measure: str, choices: dict[str, Any]) -> None:
        judged = {t: {"a": 1, "b": 1} for t in "qr"}
        runs = {"x": {t: ["n", "a", "b"] for t in "qr"}, "y": {"q": ["n", "m", "a"], "r": ["a", "b"]}}
        page = gc.report(judged, runs, measure=measure, **choices).page
        scores = gc.evaluate(judged, runs, measure, **choices)
        assert page.leaderboard.measure == scores.measures[0] == f"{measure[:2]}@2"
        assert {row.run: row.mean for row in page.leaderboard.rows} == {
            run: f"{values[scores.measures[0]]:.4f}" for run, values in scores.summary().items()
        }
        assert (page.settings["depth"], page.settings["cutoff"]) == (2, 2)

    @pytest.mark.parametrize("package", ["altair", "jinja2", "vl_convert"])
    def test_without_the_extra(self, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, package, None)
        with pytest.raises(MissingExtra, match=r"pip install 'gaincurve\[figures\]'"):
            gc.report({"q": {"a": 1}}, {"q": ["a"]})

    def test_a_file_that_cannot_be_written(self, tmp_path: Path) -> None:
        with pytest.raises(InputError) as caught:
            gc.report({"q": {"a": 1}}, {"q": ["a"]}, tmp_path)
        assert caught.value.slug == "output-unwritable"


class TestDemoTexts:
    def test_titles_tell_topics_apart(self) -> None:
        assert len({title(topic) for topic in range(1, 51)}) == 50 == len(SUBJECTS) * len(ASPECTS)

    def test_the_best_documents_speak_of_their_topic(self) -> None:
        made = make_experiment(topics=3)
        texts = make_texts(made)
        assert texts == make_texts(made)
        assert texts != make_texts(made, seed=1)
        documents = dict(line.split("\t") for line in texts.documents.splitlines())
        excellent = [line.split() for line in made.qrels.splitlines() if line.endswith(" 3")]
        told = [(title(int(topic)), documents[d]) for topic, _, d, _ in excellent if d in documents]
        assert sum(wanted in text for wanted, text in told) > 0.9 * len(told) > 0  # a document may serve two topics
