"""Documents and topics that do not match the judgments: refused with what would join them, or noted, never silent."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from command import Command

import gaincurve as gc
from gaincurve import _compiled
from gaincurve.errors import InputError
from gaincurve.io import grading
from gaincurve.model.spellings import ENDS, SPELLINGS

DOCUMENTS = [f"doc-é{i}" for i in range(1, 61)]
TOPICS = ["101", "102", "103"]
Change = Callable[[str], str]


def judged(change: Change = str) -> dict[str, dict[str, int]]:
    """Twenty judged documents a topic."""
    return {
        topic: {change(document): i % 3 for i, document in enumerate(DOCUMENTS[20 * t : 20 * t + 20])}
        for t, topic in enumerate(TOPICS)
    }


def listed(change: Change = str, shift: int = 0) -> dict[str, dict[str, float]]:
    """Twenty documents a topic, the first ten of which are judged."""
    return {
        topic: {change(DOCUMENTS[(20 * t + 10 + i + shift) % 60]): 20.0 - i for i in range(20)}
        for t, topic in enumerate(TOPICS)
    }


def numbers(text: str) -> str:
    return text.removeprefix("doc-é")


def numbers_after(text: str) -> Change:
    return lambda document: text + numbers(document)


NFD: Change = lambda text: unicodedata.normalize("NFD", text)  # noqa: E731
SPELT: dict[str, tuple[Change, Change, str]] = {
    "case": (str.upper, str.lower, "lower-casing"),
    "Unicode form": (str, NFD, "Unicode normalisation (NFC)"),
    "Latin-1": (str, lambda text: text.encode("latin-1").decode("utf-8", "surrogateescape"), "Latin-1 and UTF-8 alike"),
    "UTF-8 twice": (str, lambda text: text.encode().decode("latin-1"), "Latin-1 and UTF-8 alike"),
    "leading zeros": (numbers, lambda text: numbers(text).zfill(6), "dropping leading zeros"),
    "zeros inside": (lambda text: f"D{numbers(text)}", lambda text: f"D{numbers(text):0>6}", "dropping leading zeros"),
    "prefix": (numbers, lambda text: f"doc:{numbers(text)}", "taking 'doc:' off the run's ids"),
    "suffix": (str, lambda text: f"{text}.txt", "suffixes such as .txt"),
    "both ends": (numbers, lambda text: f"<{numbers(text)}|x>", "taking '<' and '|x>' off the run's ids"),
    "prefix of the judged": (lambda text: f"msmarco:{text}", numbers, "taking 'msmarco:doc-é' off the judged ids"),
    "folder": (str, lambda text: f"corpus/{len(text)}/{text}", "dropping folders"),
    "float": (numbers, lambda text: f"{numbers(text)}.0", "writing 1.0 as 1"),
    "quotes": (str, lambda text: f'"{text}"', "quotes and blanks"),
    "percent": (lambda text: f"{text} a/b", lambda text: f"{text}%20a%2Fb", "decoding %20"),
    "hyphen": (str, lambda text: text.replace("-", "_"), "treating - and _ alike"),
    "passage": (str, lambda text: f"{text}#3", "passage numbers"),
    "ends of both": (numbers_after("x"), numbers_after("doc:"), "taking 'doc:' off the run's ids and taking 'x' off"),
    "two changes": (
        lambda text: f"{numbers(text)[-1]}É{numbers(text)[0]}x{numbers(text)}{numbers(text)[0]}",
        lambda text: NFD(f"{numbers(text)[-1]}é{numbers(text)[0]}x{numbers(text)}{numbers(text)[0]}"),
        "Unicode normalisation (NFC) and lower-casing",
    ),
}


@pytest.mark.parametrize("case", SPELT)
def test_a_run_that_spells_every_id_otherwise_is_refused_with_what_would_join(case: str) -> None:
    ours, theirs, how = SPELT[case]
    with pytest.raises(InputError) as caught:
        gc.evaluate(judged(ours), listed(theirs))
    assert caught.value.slug == "documents-disjoint"
    what = caught.value.problems[0].what
    assert "0 of 60 documents match; 30 match after " in what  # ten of twenty a topic, counted by hand
    assert how in what


def test_every_change_of_spelling_is_tested() -> None:
    named = {how for _, _, how in SPELT.values()}
    plain = [name for name in SPELLINGS if not any(how in name or name in how for how in named)]
    assert plain == ["compatibility normalisation (NFKC)", *ENDS.values()]
    with pytest.raises(InputError, match=r"after compatibility normalisation \(NFKC\)"):
        gc.evaluate(judged(lambda text: f"ﬁle{text}"), listed(lambda text: f"file{text}"))


ENGINES = ["twin", pytest.param("compiled", marks=pytest.mark.skipif(_compiled.scan is None, reason="no C compiler"))]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("ties", ["trec", "file"])
def test_a_streamed_file_says_the_same(engine: str, ties: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if engine == "twin":
        monkeypatch.setattr(grading, "compiled", None)
    with pytest.raises(InputError) as caught:
        gc.evaluate_files(*written(tmp_path, judged(str.upper), listed(str.lower)), ties=ties)
    assert "0 of 60 documents match; 30 match after lower-casing" in str(caught.value)


def written(folder: Path, judgments: dict[str, dict[str, int]], run: dict[str, dict[str, float]]) -> tuple[Path, Path]:
    qrels, path = folder / "qrels.txt", folder / "a.run"
    qrels.write_bytes(
        b"".join(
            f"{t} 0 {d} {g}\n".encode(errors="surrogateescape") for t, row in judgments.items() for d, g in row.items()
        )
    )
    path.write_bytes(
        b"".join(
            f"{t} Q0 {d} 1 {s} x\n".encode(errors="surrogateescape") for t, row in run.items() for d, s in row.items()
        )
    )
    return qrels, path


COMMANDS = {
    "eval": ["eval"],
    "compare": ["compare", "AGAIN"],
    "curve": ["curve"],
    "sweep": ["sweep", "AGAIN"],
    "check": ["check"],
    "gate": ["gate", "AGAIN", "--max-drop", "nDCG@10=0.01"],
    "report": ["report", "-o", "page.html"],
    "effort": ["effort"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_refuses(
    gaincurve: Command, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    qrels, path = written(tmp_path, judged(str.upper), listed(str.lower))
    again = tmp_path / "b.run"
    again.write_bytes(path.read_bytes())
    name, *rest = COMMANDS[command]
    given = [str(again) if word == "AGAIN" else word for word in rest]
    done = gaincurve(name, str(qrels), str(path), *given, "--quiet")
    assert done.returncode == 2
    assert "error[documents-disjoint]" in done.stderr
    assert "match after lower-casing" in done.stderr


def test_trec_eval_prints_what_trec_eval_prints(gaincurve: Command, tmp_path: Path) -> None:
    done = gaincurve("trec_eval", "-m", "map", *map(str, written(tmp_path, judged(str.upper), listed(str.lower))))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == ["map", "all", "0.0000"]


def test_sessions_are_refused_too(gaincurve: Command, tmp_path: Path) -> None:
    run = listed(str.lower)
    records = [{"session": f"s{topic}", "query": 1, "topic": topic, "ranking": list(row)} for topic, row in run.items()]
    with pytest.raises(InputError, match="30 match after lower-casing"):
        gc.evaluate_sessions(judged(str.upper), gc.sessions_from_records(records))
    qrels, _ = written(tmp_path, judged(str.upper), run)
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps(record) + "\n" for record in records))
    lists = tmp_path / "lists.run"
    lists.write_text("".join(f"{t}_1 Q0 {d} 1 {s} x\n" for t, row in run.items() for d, s in row.items()))
    for path in (log, lists):
        done = gaincurve("session", str(qrels), str(path), "--quiet")
        assert done.returncode == 2
        assert "30 match after lower-casing" in done.stderr


# Some match, some do not.


def test_ids_of_which_most_are_spelt_otherwise_are_refused() -> None:
    """Zeros before numbers of up to two digits; three digits stay as they are and match."""
    plain = {str(i): 1 for i in range(60, 120)}
    padded = {str(i).zfill(3): float(i) for i in range(60, 120)}  # 40 differ, 20 are the same
    with pytest.raises(InputError, match=r"20 of 60 documents match; 40 more match after dropping leading zeros"):
        gc.evaluate({"1": plain}, {"1": padded})


def test_a_few_ids_spelt_otherwise_are_noted_and_quiet_does_not_hide_it(gaincurve: Command, tmp_path: Path) -> None:
    odd = {"x1", "x2", "x3"}
    ours = {"1": {("é" + d if d in odd else d): 1 for d in (f"x{i}" for i in range(50))}}
    theirs = {"1": {(NFD("é") + d if d in odd else d): 99.0 - i for i, d in enumerate(f"x{i}" for i in range(50))}}
    notes = {note.slug: note.text for note in gc.evaluate(ours, theirs).notes}
    assert "47 of 50 documents match; 3 more match after Unicode normalisation (NFC)" in notes["documents-spelling"]
    done = gaincurve("eval", *map(str, written(tmp_path, ours, theirs)), "--quiet")
    assert done.returncode == 0
    assert done.stderr.startswith("note[documents-spelling]: run a: 47 of 50 documents match; 3 more")


def test_a_document_that_is_another_ones_spelling_is_not_taken_for_it() -> None:
    """A and a are both judged, and both were retrieved: nothing is spelt otherwise."""
    both = {document: 1 for i in range(20) for document in (f"A{i}", f"a{i}")}
    scores = gc.evaluate({"1": both}, {"1": {document: float(i) for i, document in enumerate(both)}})
    assert not [note for note in scores.notes if note.slug.startswith("documents")]


def test_few_matches_are_noted_with_their_share() -> None:
    """Fifty judged, two retrieved among a hundred: below a tenth of the fifty that could have been."""
    judgments = {"1": {f"d{i}": 1 for i in range(50)}}
    few = {f"d{i}": 200.0 - i for i in range(48, 148)}
    notes = {note.slug: note.text for note in gc.evaluate(judgments, {"1": few}).notes}
    assert notes["documents-few"].startswith("2 of 100 documents match (2.0%) (judged ids: d0, d1, d2; ")
    enough = {f"d{i}": 200.0 - i for i in range(45, 145)}  # five of fifty: a tenth
    assert "documents-few" not in {note.slug for note in gc.evaluate(judgments, {"1": enough}).notes}


# Nothing matches, and nothing would join them.


def test_ids_of_another_collection_are_refused() -> None:
    with pytest.raises(InputError) as caught:
        gc.evaluate({"1": {"184": 1, "29": 2}}, {"1": {"clueweb09-en0000-01": 2.0, "clueweb09-en0000-02": 1.0}})
    assert "0 of 2 documents match (judged ids: 184, 29; retrieved: clueweb09" in caught.value.problems[0].what


def test_many_judged_documents_and_none_retrieved_are_refused_even_if_ids_look_alike() -> None:
    with pytest.raises(InputError) as caught:
        gc.evaluate({"1": {f"d{i}": 1 for i in range(20)}}, {"1": {f"d{i}": float(i) for i in range(100, 120)}})
    assert caught.value.slug == "documents-disjoint"


def test_documents_judged_for_other_topics_are_counted() -> None:
    judgments = judged()
    turned = dict(zip(TOPICS, [listed()[topic] for topic in TOPICS[1:] + TOPICS[:1]], strict=True))
    assert not any(set(row) & set(judgments[topic]) for topic, row in turned.items())
    with pytest.raises(InputError, match="0 of 60 documents match; 60 are judged for other topics"):
        gc.evaluate(judgments, turned)


def test_a_small_miss_is_noted_even_quietly(gaincurve: Command, tmp_path: Path) -> None:
    """One judged document that was not retrieved says nothing of the ids."""
    scores = gc.evaluate({"1": {"d1": 1}}, {"1": {"d2": 1.0}}, "P@1")
    assert scores.values.tolist() == [[[0.0]]]
    assert [note.slug for note in scores.notes] == ["documents-unmatched", "unjudged"]
    done = gaincurve("eval", *map(str, written(tmp_path, {"1": {"d1": 1}}, {"1": {"d2": 1.0}})), "--quiet")
    assert done.returncode == 0
    assert done.stderr.startswith("note[documents-unmatched]: run a: 0 of 1 document match")


def test_a_new_system_beside_others_is_noted_under_ids_that_look_alike() -> None:
    """Its documents have ids like those that were judged, and other runs match: it may just be new."""
    new = {topic: {f"doc-é{i}": float(i) for i in range(100, 120)} for topic in TOPICS}
    scores = gc.evaluate(judged(), {"known": listed(), "new": new})
    (note,) = [note for note in scores.notes if note.slug.startswith("documents")]
    assert (note.slug, note.runs) == ("documents-unmatched", ("new",))
    spelt = {topic: {NFD(document): score for document, score in row.items()} for topic, row in listed().items()}
    with pytest.raises(InputError, match="no document of new is judged: 0 of 60 documents match; 30 match after"):
        gc.evaluate(judged(), {"known": listed(), "new": spelt})


def test_bounds_answer_for_a_run_without_judged_documents() -> None:
    new = {topic: {f"doc-é{i}": float(-i) for i in range(100, 120)} for topic in TOPICS}
    scores = gc.evaluate(judged(), new, "P@5", unjudged="bounds")
    assert scores.high is not None
    assert scores.high.min() == 1.0
    assert [note.slug for note in scores.notes] == ["documents-unmatched", "unjudged"]
    with pytest.raises(InputError):
        gc.evaluate(judged(), listed(NFD), "P@5", unjudged="bounds")


# Topics.


def test_topics_that_do_not_match_say_what_would_join_them() -> None:
    run = {topic.zfill(5): row for topic, row in listed().items()}
    with pytest.raises(InputError, match="3 of 3 match after dropping leading zeros"):
        gc.evaluate(judged(), run)
    records = [{"session": t, "query": 1, "topic": f"Q{t}", "ranking": list(row)} for t, row in listed().items()]
    with pytest.raises(InputError, match="3 of 3 match after taking 'Q' off the run's ids"):
        gc.evaluate_sessions(judged(), gc.sessions_from_records(records))


def test_some_topics_spelt_otherwise_are_noted_even_quietly(gaincurve: Command, tmp_path: Path) -> None:
    run = listed()
    run["0103"] = run.pop("103")
    done = gaincurve("eval", *map(str, written(tmp_path, judged(), run)), "--quiet")
    text = "run a: 1 topic without judgments would match a judged one after dropping leading zeros: 0103"
    assert done.stderr == f"note[topics-spelling]: {text}\n"
