"""Sessions on the page: what is written into it, what follows its controls, what its charts draw, and the command."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import node
import pytest
import vl_convert
from test_sessions_engine import made_up

from gaincurve.cli import main
from gaincurve.errors import ChoiceError, GaincurveError
from gaincurve.figures import colours, last_queries_chart, session_curves_chart
from gaincurve.figures.sessions.page import session_chart_specs
from gaincurve.measures.notation import parse_measures
from gaincurve.model.gains import Gains
from gaincurve.model.judgments import Judgments
from gaincurve.model.scenario import session_scenario
from gaincurve.model.sessions.objects import sessions_from_records
from gaincurve.page.inputs.sessions import SessionInputs, session_inputs, session_page_scenario
from gaincurve.page.observed.sessions import observe_sessions
from gaincurve.page.packing import unpack
from gaincurve.verbs.sessions.curves import draw_sessions

JUDGMENTS = {"t": {"a": 3, "b": 2, "c": 1, "n": 0}}
RECORDS = [
    {"session": "s1", "query": 1, "topic": "t", "ranking": ["x", "a", "y"]},
    {"session": "s1", "query": 2, "topic": "t", "ranking": []},
    {"session": "s2", "query": 1, "topic": "t", "ranking": ["n", "a"]},
]


def sessions(**choices: Any) -> SessionInputs:
    return session_inputs(
        Judgments.of(JUDGMENTS), sessions_from_records(RECORDS, "one"), Gains.of("identity"), **choices
    )


def test_what_was_observed_can_be_read() -> None:
    found = sessions().observed()
    assert found["scale"] == [0, 1, 2, 3]
    assert found["topics"] == {"ids": ["t"], "base": [[1, 1, 1, 1]]}
    assert found["tables"] == [{"ids": ["s1", "s2"], "queries": [2, 1], "topic": [0, 0, 0]}]
    [run] = found["runs"]
    assert run == {
        "name": "one",
        "label": "one",
        "table": 0,
        "present": [1, 1],
        "retrieved": [3, 0, 2],
        "judged": [1, 0, 2],
        "step": [2, 1, 1],
        "grade": [3, 0, 3],
    }
    assert found["rules"]["horizon"] == "own"
    assert found["settings"]["bq"] == 4


def test_documents_and_reading_depths_are_written_only_where_a_rule_needs_them() -> None:
    assert sessions(repeats="first").observed()["runs"][0]["document"] == [0, 1, 0]
    assert sessions(scan="clicks").observed()["runs"][0]["read"] == [-1, -1, -1]


def test_systems_on_the_same_sessions_share_one_table() -> None:
    case = session_scenario("session")
    assert len(observe_sessions(made_up(1, case, shared=True), case)["tables"]) == 1
    assert len(observe_sessions(made_up(1, case, shared=False), case)["tables"]) == 3


def test_names_and_ids_that_are_no_text_can_be_written() -> None:
    evil = "</script>\udcff\u202e"
    records = [{"session": evil, "query": 1, "topic": "t", "ranking": ["a"]}]
    found = session_inputs(Judgments.of(JUDGMENTS), sessions_from_records(records, evil), Gains.of("identity"))
    json.dumps(found.observed(), ensure_ascii=False).encode("utf-8")
    assert all(label.isprintable() for label in found.labels)


def test_too_many_sessions_are_refused() -> None:
    case = session_scenario("session")
    with pytest.raises(ChoiceError, match="too many to be computed again") as refused:
        observe_sessions(made_up(1, case, shared=True), case, most=10)
    assert refused.value.slug == "report-choices"


def test_sessions_whose_ties_have_no_order_are_refused() -> None:
    """Python scores them as expected gain over tied blocks; the page knows one order only."""
    with pytest.raises(ChoiceError, match="no one order that could be shown") as refused:
        sessions(ties="average")
    assert refused.value.slug == "report-choices"


def test_sessions_have_the_gains_of_the_page_unless_they_have_a_scenario() -> None:
    steep = Gains.of("0-1-10-100")
    scenario = session_page_scenario(None, steep, bq=2)
    assert (scenario.name, scenario.gains.text, str(scenario.discount)) == (
        "session",
        steep.text,
        "jarvelin2008(base=2)",
    )
    assert scenario.session.query_discount.base == 2
    assert session_page_scenario("session2008", Gains.of("exp2")).gains.text == "0-1-10-100"
    with pytest.raises(GaincurveError, match="no value for grade 3"):
        session_inputs(Judgments.of(JUDGMENTS), sessions_from_records(RECORDS, "one"), Gains.of("0-1-2"))


PAGE = {
    "gains": [0, 1, 2, 3],
    "gains_text": "identity",
    "discount": "log",
    "base": None,
    "depth": 30,
    "unjudged": "zero",
}


def followed(changes: dict[str, Any], written: dict[str, Any] | None = None, **choices: Any) -> dict[str, Any]:
    """The settings of sessions after a reader changed those of the page."""
    start = written or PAGE
    body = """
    const { observed, now, written } = input;
    return gc.sessionSettings(gc.observeSessions(observed), now, written, { scale: [0, 1, 2, 3] }, input.own);
    """
    own = choices.pop("own", {})
    given = {"observed": sessions(**choices).observed(), "now": {**start, **changes}, "written": start, "own": own}
    found: dict[str, Any] = node.run(body, given)
    return found


def test_sessions_follow_the_controls_that_were_moved_and_no_others() -> None:
    own = sessions().observed()["settings"]
    assert followed({}) == {**own, "followed": []}
    moved = followed({"gains": [0, 1, 10, 100], "gains_text": "0-1-10-100"})
    assert moved == {**own, "gains": [0, 1, 10, 100], "gains_text": "0-1-10-100", "followed": ["gains"]}
    assert followed({"depth": 5}) == {**own, "depth": 5, "followed": ["depth"]}
    moved = followed({"discount": "jk2002", "base": 3})
    assert (moved["discount"], moved["base"], moved["followed"]) == ("jk2002", 3, ["discount"])
    moved = followed({"base": 3}, {**PAGE, "discount": "jk2002", "base": 2})
    assert (moved["discount"], moved["base"], moved["followed"]) == ("jarvelin2008", 3, ["base"])
    assert followed({"unjudged": "condensed"})["unjudged"] == "condensed"
    assert followed({}, own={"bq": "inf"})["bq"] == "inf"


def test_what_cannot_be_followed_is_left_alone() -> None:
    without = followed({"base": 3}, {**PAGE, "discount": "jk2002", "base": 2}, discount="log")
    assert (without["base"], without["followed"]) == (None, [])
    assert followed({"unjudged": "condensed"}, scan="clicks")["followed"] == []
    assert followed({"unjudged": "zero"}, {**PAGE, "unjudged": "condensed"}, unjudged="condensed")["followed"] == []
    assert followed({"depth": 5000})["depth"] == 1000


FEEDS = """
const { observed, settings, options, name } = input;
const analysis = new gc.SessionAnalysis(gc.observeSessions(observed), settings, options);
return gc.feeds[name](analysis, {});
"""


def datasets(chart: Any) -> list[list[dict[str, Any]]]:
    """The rows of every layer of a figure."""
    found: list[list[dict[str, Any]]] = []
    for layer in chart.to_dict()["layer"]:
        rows = layer["data"].get("values", []) if "data" in layer else []
        if rows:
            found.append(rows)
    return found


def rounded(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows as both sides have them: only a page, whose width changes, needs `nth` and `room` to place its names."""
    return [
        {k: round(v, 11) if isinstance(v, float) else v for k, v in row.items() if k not in ("nth", "room")}
        for row in rows
    ]


FOR_THE_WIDTH = ("nth", "room")
"""What only the page's rows have: its width changes, and with it which names have room."""


@pytest.mark.parametrize("depth", [1, 6])
@pytest.mark.parametrize(("name", "measure"), [("session-curve", "nsDCG"), ("session-last", "sDCG")])
def test_the_page_draws_what_the_figure_draws(name: str, measure: str, depth: int) -> None:
    case = session_scenario("session", depth=depth)
    experiment = made_up(11, case, shared=False)
    curves = draw_sessions(experiment, parse_measures(measure)[0], case)
    curve = name == "session-curve"
    chart = session_curves_chart(curves, intervals=False) if curve else last_queries_chart(curves)
    observed = observe_sessions(experiment, case)
    given = {"observed": observed, "settings": observed["settings"], "options": {"shown": measure}, "name": name}
    feed = node.run(FEEDS, given)
    drawn = [rounded(rows) for rows in datasets(chart)]
    assert {"lines", "labels"} <= feed["data"].keys()
    for part, rows in feed["data"].items():
        shown = [{key: cell for key, cell in row.items() if key not in FOR_THE_WIDTH} for row in rows]
        assert not rows or rounded(shown) in drawn, part
    assert feed["signals"]["top"] == pytest.approx(
        json.loads(chart.to_json())["layer"][-1]["encoding"]["y"]["scale"]["domain"][1]
    )
    assert feed["signature"] == str(curves.signature)
    assert len(feed["table"]["rows"]) == (curves.queries * depth if curve else depth)
    assert all(len(row) == len(feed["table"]["columns"]) for row in feed["table"]["rows"])


def test_the_description_tells_where_the_lines_end() -> None:
    case = session_scenario("session")
    experiment = made_up(2, case, shared=True)
    observed = observe_sessions(experiment, case)
    given = {
        "observed": observed,
        "settings": observed["settings"],
        "options": {"shown": "sDCG"},
        "name": "session-curve",
    }
    feed = node.run(FEEDS, given)
    curves = draw_sessions(experiment, parse_measures("sDCG")[0], case)
    for line in curves.lines:
        assert f"{line.label} {line.values[-1]:.4f}" in feed["description"]
    assert feed["table"]["columns"] == ["query", "rank", "one", "two", "three", "ideal"]
    hidden = node.run(FEEDS, {**given, "options": {"off": ["two"]}})
    assert hidden["table"]["columns"] == ["query", "rank", "one", "three"]


@pytest.mark.parametrize("systems", [1, 2, 5, 12])
def test_definitions_are_valid_and_dark_twins_known(systems: int) -> None:
    for spec in session_chart_specs([f"s{i}" for i in range(systems)]).values():
        vl_convert.vegalite_to_vega(spec)
        strings = re.findall(r'"(#[0-9a-fA-F]{3,8})"', json.dumps(spec))
        assert strings
        assert {tone for tone in strings if tone not in colours.DARK} == set()


def test_a_system_looks_like_the_run_of_its_name() -> None:
    spec = session_chart_specs(["new", "c", "a"], ["a", "b", "c"])["session-curve"]
    [scale] = {
        json.dumps(layer["encoding"]["color"]["scale"])
        for layer in spec["layer"]
        if "color" in layer.get("encoding", {})
    }
    tones = dict(zip(*json.loads(scale).values(), strict=True))
    assert [tones[name] for name in ("a", "new", "c")] == list(colours.COLOURS[:3])


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """q.qrels and r.run; turns.run with topics such as 7_1, judged in turns.qrels; logs of the same sessions."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q.qrels").write_text("".join(f"t 0 {d} {g}\n" for d, g in JUDGMENTS["t"].items()))
    (tmp_path / "r.run").write_text("t Q0 b 1 3 x\nt Q0 a 2 2 x\n")
    turns = [(1, ["a", "b"]), (2, ["c"])]
    (tmp_path / "turns.qrels").write_text(
        "".join(f"7_{q} 0 {d} {g}\n" for q, _ in turns for d, g in JUDGMENTS["t"].items())
    )
    rows = [f"7_{q} Q0 {d} {i} {9 - i} x\n" for q, listed in turns for i, d in enumerate(listed, 1)]
    (tmp_path / "turns.run").write_text("".join(rows))
    (tmp_path / "log.jsonl").write_text("".join(json.dumps(record) + "\n" for record in RECORDS))
    return tmp_path


def observed_in(path: Path) -> dict[str, Any]:
    """What stands packed inside a page."""
    found = re.search(r'<script type="text/plain" id="observed">([^<]*)</script>', path.read_text("utf-8"))
    assert found is not None
    document: dict[str, Any] = unpack(found[1])
    return document


def test_the_command_puts_logs_of_sessions_beside_the_runs(files: Path) -> None:
    assert main(["report", "q.qrels", "r.run", "--sessions", "log.jsonl", "--bq", "2", "-o", "p.html", "--quiet"]) == 0
    found = observed_in(files / "p.html")["sessions"]
    assert found["runs"][0]["retrieved"] == [3, 0, 2]
    assert found["settings"]["bq"] == 2
    page = (files / "p.html").read_text("utf-8")
    assert 'id="panel-sessions"' in page
    parts = ("nsDCG", "gain:identity", "discount:jarvelin2008(base=2)", "query-discount:jarvelin2008(base=2)", "X:10")
    assert "".join(f'<span class="part">{part}|</span>' for part in parts) in page
    assert json.dumps(parts, separators=(",", ":"))[:-1] in page


def test_the_command_reads_runs_of_turns_as_sessions_too(files: Path) -> None:
    asked = ["report", "turns.qrels", "turns.run", "--pattern", "{session}_{query}", "-o", "p.html", "--quiet"]
    assert main(asked) == 0
    found = observed_in(files / "p.html")
    assert found["topics"]["ids"] == ["7_1", "7_2"]
    assert found["sessions"]["tables"] == [{"ids": ["7"], "queries": [2], "topic": [0, 1]}]
    assert found["sessions"]["judged_by"] == "query"


def test_sessions_may_be_judged_by_a_file_of_their_own(files: Path) -> None:
    asked = ["report", "q.qrels", "r.run", "--sessions", "turns.run", "--session-judgments", "turns.qrels"]
    assert main([*asked, "--session-scenario", "session2008", "-o", "p.html", "--quiet"]) == 0
    found = observed_in(files / "p.html")["sessions"]
    assert found["settings"]["scenario"] == "session2008"
    assert found["settings"]["gains"] == [0, 1, 10, 100]


def test_a_page_without_sessions_has_no_panel_for_them(files: Path) -> None:
    assert main(["report", "q.qrels", "r.run", "-o", "p.html", "--quiet"]) == 0
    assert "sessions" not in observed_in(files / "p.html")
    assert 'id="panel-sessions"' not in (files / "p.html").read_text("utf-8")


@pytest.mark.parametrize("option", [("--bq", "4"), ("--session-judgments", "q.qrels"), ("--gaps", "empty")])
def test_options_of_sessions_without_sessions_are_refused(
    files: Path, option: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", "q.qrels", "r.run", *option, "-o", str(files / "p.html")]) == 2
    assert f"{option[0]} belongs to sessions" in capsys.readouterr().err
    assert not (files / "p.html").exists()
