"""What a format means differently from others: judges, unrated rows, texts as ratings, several runs in a file."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from saving import saved_text as save

from gaincurve import evaluate_files
from gaincurve.errors import GaincurveError
from gaincurve.io.convert import Reading, converted
from gaincurve.io.formats import quepid
from gaincurve.io.read import read_judgments, read_run, read_runs

BOOK = "query,docid,Alice,Bob,Anonymous\nlamp,d1,3,1,\nlamp,d2,0,0,\nlamp,d3,,2,1\ndesk,d9,,,\n"


def error_of(path: Path | str, kind: str = "judgments", **choices: Any) -> str:
    with pytest.raises(GaincurveError) as caught:
        read_judgments(path, **choices) if kind == "judgments" else read_run(path, **choices)
    return str(caught.value)


def test_judges_that_differ_are_refused_with_an_example_and_the_rules(tmp_path: Path) -> None:
    message = error_of(save(tmp_path, BOOK))
    assert "error[judges-differ]: 3 judges differ about 2 of 3 documents judged by several" in message
    assert "topic lamp, document d1: Alice 3, Bob 1" in message and "f:2" in message and "--judges mean" in message


@pytest.mark.parametrize(("rule", "d1", "d3"), [("mean", 2.0, 1.5), ("median", 2.0, 1.5), ("min", 1, 1), ("max", 3, 2)])
def test_a_named_rule_merges_judges(tmp_path: Path, rule: str, d1: float, d3: float) -> None:
    judgments = read_judgments(save(tmp_path, BOOK), judges=rule)
    assert judgments.to_dict() == {"lamp": {"d1": d1, "d2": 0.0, "d3": d3}}
    assert judgments.source.format == f"Quepid book CSV, {rule} of 3 judges"
    assert {note.slug for note in judgments.notes} == {"judges-merged", "queries-unrated"}


def test_files_are_scored_with_a_rule_for_judges(tmp_path: Path) -> None:
    run = save(tmp_path, "lamp Q0 d3 1 2 t\nlamp Q0 d1 2 1 t\n", "a.run")
    scores = evaluate_files(save(tmp_path, BOOK), run, "CG@1", judges="max")
    assert scores.summary() == {"a": {"CG@1": 2.0}}
    with pytest.raises(GaincurveError, match="judges-differ"):
        evaluate_files(save(tmp_path, BOOK), run, "CG@1")


def test_one_judge_of_a_book_is_read_by_name(tmp_path: Path) -> None:
    path = save(tmp_path, BOOK)
    assert read_judgments(f"{path}#Bob").to_dict() == {"lamp": {"d1": 1, "d2": 0, "d3": 2}}
    assert "no judge bob" in error_of(f"{path}#bob") or "no judge 'bob' (did you mean Bob?)" in error_of(f"{path}#bob")


def test_a_judge_who_grades_a_document_twice_is_a_duplicate(tmp_path: Path) -> None:
    path = save(tmp_path, "query,docid,Alice,Bob\nlamp,d1,3,3\nlamp,d1,3,\n")
    assert "judgments-duplicate-document" in error_of(path)


def test_a_header_like_that_of_a_case_is_not_taken_for_a_judge(tmp_path: Path) -> None:
    assert "did you mean rating" in error_of(save(tmp_path, "query,docid,ratng\nlamp,d1,3\n"))


def test_a_book_in_a_zip_with_what_is_not_judged_left_out(tmp_path: Path) -> None:
    book = json.loads(quepid.BOOK.example)
    pair = book["query_doc_pairs"][0]
    pair["judgements"] += [
        {"rating": None, "unrateable": True, "user_email": "b@x.org"},
        {"rating": 1.0, "judge_later": True, "user_email": "c@x.org"},
    ]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("__MACOSX/._book.json", "x")
        archive.writestr("../../book_1.json", json.dumps(book))  # the name is never used
    (tmp_path / "book.zip").write_bytes(packed.getvalue())
    judgments = read_judgments(tmp_path / "book.zip")
    assert judgments.to_dict() == {"desk lamp": {"d1": 3, "d2": 0}}
    assert "2 times" in " ".join(note.text for note in judgments.notes)


@pytest.mark.parametrize("members", [0, 2])
def test_an_archive_of_other_than_one_file_is_refused(tmp_path: Path, members: int) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for i in range(members):
            archive.writestr(f"{i}.json", "{}")
        if not members:
            archive.writestr("folder/", "")
    message = error_of(tmp_path / "a.zip")
    assert "input-damaged" in message and f"this one has {members}" in message


def test_a_zip_bomb_is_noticed_on_the_way(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive, archive.open("b", "w") as inner:
        for _ in range(300):
            inner.write(b"1 0 d 1\n" * (1 << 17))
    assert (tmp_path / "bomb.zip").stat().st_size < 2_000_000
    assert "error[input-" in error_of(tmp_path / "bomb.zip")


def test_lz4_is_read(tmp_path: Path) -> None:
    frame = pytest.importorskip("lz4.frame")
    (tmp_path / "r.lz4").write_bytes(frame.compress(b'{"q1": {"d1": 2.5, "d2": 1.0}}'))
    assert read_run(tmp_path / "r.lz4").ranking_of("q1") == ["d1", "d2"]


def test_a_blank_before_what_a_spreadsheet_would_run_is_taken_off(tmp_path: Path) -> None:
    path = save(tmp_path, "query,docid,rating\n =1+1,d1,3\n @home,d2,1\n")
    assert read_judgments(path).to_dict() == {"=1+1": {"d1": 3}, "@home": {"d2": 1}}


def test_umbrela_says_how_many_answers_could_not_be_read(tmp_path: Path) -> None:
    record = {"qid": "1", "docid": "a", "judgment": 2, "result_status": 1}
    broken = [{**record, "docid": f"b{i}", "judgment": 0, "result_status": 0} for i in range(3)]
    judgments = read_judgments(save(tmp_path, "\n".join(map(json.dumps, [record, *broken]))))
    assert judgments.to_dict() == {"1": {"a": 2}}
    assert "result_status 0" in judgments.notes[0].text and "3 times" in judgments.notes[0].text


SNAPSHOTS = quepid.SNAPSHOT.example


def test_a_file_of_several_runs_is_several_runs(tmp_path: Path) -> None:
    path, qrels = save(tmp_path, SNAPSHOTS), tmp_path / "qrels.csv"
    qrels.write_text("query,docid,rating\ndesk lamp,d3,2\ndesk lamp,d1,0\n")
    assert [run.name for run in read_runs(path)] == ["before", "after"]
    scores = evaluate_files(qrels, [path], "RR")
    assert scores.summary() == {"before": {"RR": 0.5}, "after": {"RR": 1.0}}
    assert evaluate_files(qrels, [f"{path}#after"], "RR").summary() == {"after": {"RR": 1.0}}
    assert "holds 2 runs: before, after" in error_of(path, "run") and "f#before" in error_of(path, "run")
    assert "nothing called 'x': it holds before, after" in error_of(f"{path}#x", "run")


def test_splits_of_mteb_are_runs_and_one_can_be_named(tmp_path: Path) -> None:
    predictions = {
        "mteb_model_meta": {"model_name": "org/m", "revision": None},
        "de": {"dev": {"q1": {"d1": 0.5}}, "test": {"q2": {"d1": 0.25}}},
    }
    path = save(tmp_path, json.dumps(predictions))
    assert [run.name for run in read_runs(path)] == ["org/m de/dev", "org/m de/test"]
    assert read_run(f"{path}#de/test").topics == ("q2",)


def test_predictions_of_two_models_may_have_the_same_file_name(tmp_path: Path) -> None:
    paths = []
    for model in ("a", "b"):
        (tmp_path / model).mkdir()
        predictions = {"mteb_model_meta": {"model_name": model}, "default": {"test": {"q1": {"d1": 0.5}}}}
        paths.append(save(tmp_path / model, json.dumps(predictions)))
    qrels = tmp_path / "qrels"
    qrels.write_text("q1 0 d1 1\n")
    assert set(evaluate_files(qrels, paths, "RR").summary()) == {"a", "b"}


def hit(document: str, score: float | None, *names: str) -> dict[str, Any]:
    return {"_index": "i", "_id": document, "_score": score, **({"matched_queries": list(names)} if names else {})}


def test_hits_without_scores_keep_the_order_of_the_engine(tmp_path: Path) -> None:
    lines = [{"topic": "1", "hits": {"hits": [hit("b", None), hit("a", None)]}}]
    assert read_run(save(tmp_path, json.dumps(lines[0]) + "\n")).ranking_of("1") == ["b", "a"]


def test_responses_are_named_by_their_query_or_numbered(tmp_path: Path) -> None:
    answer = {"responses": [{"hits": {"hits": [hit("a", 2.0, "q7")]}}, {"hits": {"hits": [hit("b", 1.0)]}}]}
    run = read_run(save(tmp_path, json.dumps(answer)))
    assert run.topics == ("q7", "2") and run.notes[0].slug == "topics-numbered"


def test_what_an_engine_says_of_its_own_answer_is_passed_on(tmp_path: Path) -> None:
    body = {"topic": "1", "timed_out": True, "_shards": {"failed": 1}, "hits": {"hits": [hit("a", 2.0)]}}
    run = read_run(save(tmp_path, json.dumps(body) + "\n"))
    assert {note.slug for note in run.notes} == {"search-timed-out", "shards-failed"}
    failed = {"responses": [{"hits": {"hits": [hit("a", 1.0)]}}, {"error": {"type": "x"}, "status": 400}]}
    assert "answered with an error" in error_of(save(tmp_path, json.dumps(failed)), "run")


def test_a_response_that_names_no_topic_is_refused(tmp_path: Path) -> None:
    assert "which topic" in error_of(save(tmp_path, json.dumps({"hits": {"hits": [hit("a", 1.0)]}})), "run")


def test_hits_sorted_by_something_else_than_the_score_keep_their_order(tmp_path: Path) -> None:
    """A search sorted by a field with track_scores has scores that are not its order."""
    details = {
        "q1": {"hits": [{"hit": hit("b", 1.0)}, {"hit": hit("a", 2.0)}]},
        "q2": {"hits": [{"hit": hit("c", 2.0)}]},
    }
    run = read_run(save(tmp_path, json.dumps({"details": details})))
    assert run.ranking_of("q1") == ["b", "a"]
    assert {note.slug for note in run.notes} == {"hits-sorted", "order-counts"}


def test_documents_of_several_indices_are_noted(tmp_path: Path) -> None:
    ratings = [{"_index": "old", "_id": "1", "rating": 3}, {"_index": "new", "_id": "2", "rating": 1}]
    request = {"requests": [{"id": "q1", "ratings": ratings}]}
    judgments = read_judgments(save(tmp_path, json.dumps(request)))
    assert judgments.notes[0].slug == "indices-several" and "(old, new)" in judgments.notes[0].text
    ratings[1]["_id"] = "1"
    assert "topic q1 lists document 1 twice" in error_of(save(tmp_path, json.dumps(request)))
    hits = [{"hit": hit("1", 2.0)}, {"hit": {**hit("2", 1.0), "_index": "new"}}]
    assert read_run(save(tmp_path, json.dumps({"details": {"q1": {"hits": hits}}}))).notes[0].slug == "indices-several"


TWO_LISTS = {
    "search": [{"topic": "q", "hits": {"hits": [hit("a", 1.0)]}}, {"topic": "q", "hits": {"hits": [hit("b", 2.0)]}}],
    "opensearch-results": [{"searchText": "q", "documentIds": ["a"]}, {"searchText": "q", "documentIds": ["b"]}],
    "trec-rag": [{"run_id": "r", "topic_id": "q", "references": [name], "answer": []} for name in "ab"],
    "sentence-transformers": [{"query_id": "q", "results": [{"corpus_id": name, "score": 0.5}]} for name in "ab"],
    "ragas": [{"user_input": "q", "retrieved_context_ids": [n], "reference_context_ids": [n]} for n in "ab"],
}


@pytest.mark.parametrize("name", TWO_LISTS)
def test_two_lists_for_one_topic_are_not_read_as_one(tmp_path: Path, name: str) -> None:
    message = error_of(save(tmp_path, "\n".join(map(json.dumps, TWO_LISTS[name])) + "\n"), "run")
    assert "topic q has two lists" in message and "f:2" in message and "first" in message


def test_two_answers_to_one_named_query_are_refused(tmp_path: Path) -> None:
    answer = {"responses": [{"hits": {"hits": [hit(name, 1.0, "q7")]}} for name in "ab"]}
    assert "the query q7 is answered twice" in error_of(save(tmp_path, json.dumps(answer)), "run")
    request = {"requests": [{"id": "q1", "ratings": [{"_id": name, "rating": 1}]} for name in "ab"]}
    assert "the id q1 is that of another request" in error_of(save(tmp_path, json.dumps(request)))


HEAD = "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\n"


def test_snapshots_of_one_name_are_told_apart_by_time_and_case(tmp_path: Path) -> None:
    path = save(tmp_path, HEAD + "s,2026,7,lamp,a,1\ns,2027,7,lamp,b,1\ns,2027,8,lamp,c,1\n")
    assert {run.name: run.ranking_of("lamp") for run in read_runs(path)} == {
        "s": ["a"],
        "s 2027": ["b"],
        "s 2027 case 8": ["c"],
    }
    assert "position 1 of query lamp occurs twice in s" in error_of(
        save(tmp_path, HEAD + "s,2026,7,lamp,a,1\ns,2026,7,lamp,b,1\n"), "run"
    )


def test_a_status_written_as_text_is_a_status(tmp_path: Path) -> None:
    record = {"qid": "1", "docid": "a", "judgment": 2, "result_status": "1"}
    unread = {**record, "docid": "b", "judgment": 0, "result_status": "0"}
    assert read_judgments(save(tmp_path, f"{json.dumps(record)}\n{json.dumps(unread)}\n")).to_dict() == {"1": {"a": 2}}


LETOR = "2 qid:1 1:0.5 # docid = GX1 inc = 1\n0 qid:1 1:0.1 # GX2 some text\n1 qid:2 1:0.7\n"


def test_letor_names_documents_by_comment_or_line_and_scores_follow_the_lines(tmp_path: Path) -> None:
    (tmp_path / "test.letor").write_text(LETOR)
    assert read_judgments(tmp_path / "test.letor").to_dict() == {"1": {"GX1": 2, "GX2": 0}, "2": {"3": 1}}
    path = save(tmp_path, "0.1\n0.7\n-2e-1\n")
    run = read_run(f"{path}#{tmp_path / 'test.letor'}")
    assert (run.name, run.ranking_of("1"), run.ranking_of("2")) == ("f", ["GX2", "GX1"], ["3"])
    assert "f#FEATURES" in error_of(path, "run")


def test_a_score_file_of_another_length_is_refused(tmp_path: Path) -> None:
    (tmp_path / "test.letor").write_text(LETOR)
    message = error_of(f"{save(tmp_path, '0.5' + chr(10))}#{tmp_path / 'test.letor'}", "run")
    assert "1 score," in message and "3 lines" in message


def test_ragas_without_ids_of_queries_is_numbered_with_a_note(tmp_path: Path) -> None:
    records = [{"retrieved_context_ids": [7, "b"], "reference_context_ids": ["b"]}] * 2
    path = save(tmp_path, "\n".join(map(json.dumps, records)))
    assert read_judgments(path).to_dict() == {"1": {"b": 1}, "2": {"b": 1}}
    run = read_run(path)
    assert run.ranking_of("2") == ["7", "b"] and run.notes[0].slug == "topics-numbered"


HOSTILE = {
    "deep": '{"query_doc_pairs": ' + "[" * 100_000,
    "deep shape": '{"details": {"q": {"hits": ' + "[" * 500 + "]" * 500 + "}}}",
    "huge number": '{"details": {"q": {"hits": [{"hit": {"_id": "a", "_score": 1' + "0" * 5000 + "}}]}}}",
    "huge exponent": '{"details": {"q": {"hits": [{"hit": {"_id": "a", "_score": 1e999}}]}}}',
    "repeated key": '{"details": {"q": {"hits": [], "hits": []}}}',
    "half a pair": '{"details": {"q": {"hits": [{"hit": {"_id": "\\ud800", "_score": 1}}]}}}',
    "repeated document": '{"details": {"q": {"hits": [{"hit": {"_id": "a", "_score": 1}}, {"hit": {"_id": "a", '
    '"_score": 2}}]}}}',
    "list for an object": '{"details": {"q": {"hits": [[1]]}}}',
    "nothing": '{"details": {}}',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_documents_get_a_message(tmp_path: Path, name: str) -> None:
    assert error_of(save(tmp_path, HOSTILE[name]), "run").startswith("error[")


def test_names_of_queries_may_come_with_their_scores(tmp_path: Path) -> None:
    """With include_named_queries_score an engine returns {name: score} in place of a list of names."""
    hits = [{**hit("a", 2.0), "matched_queries": {"q7": 2.0}}, {**hit("b", 1.0), "matched_queries": {"q7": 1.0}}]
    assert read_run(save(tmp_path, json.dumps({"responses": [{"hits": {"hits": hits}}]}))).topics == ("q7",)


def test_a_query_that_finds_nothing_is_no_reason_to_number_the_others(tmp_path: Path) -> None:
    answer = {"responses": [{"hits": {"hits": [hit("a", 2.0, "q7")]}}, {"hits": {"hits": []}}]}
    run = read_run(save(tmp_path, json.dumps(answer)))
    assert run.topics == ("q7",) and [note.slug for note in run.notes] == ["queries-empty"]


def test_a_number_given_to_a_response_is_not_the_name_of_another(tmp_path: Path) -> None:
    answer = {"responses": [{"hits": {"hits": [hit("a", 2.0, "2")]}}, {"hits": {"hits": [hit("b", 1.0)]}}]}
    assert "the query 2 is answered twice" in error_of(save(tmp_path, json.dumps(answer)), "run")


def test_the_error_of_an_engine_is_quoted_with_its_place(tmp_path: Path) -> None:
    failed = {"error": {"root_cause": [], "type": "index_not_found_exception", "reason": "no such index [shp]"}}
    answer = {"responses": [{"hits": {"hits": [hit("a", 1.0)]}}, {**failed, "status": 404}]}
    message = error_of(save(tmp_path, json.dumps(answer)), "run")
    assert "(index_not_found_exception: no such index [shp])" in message and "responses[1]" in message
    assert "error[engine-error]" in message
    for whole in ({**failed, "status": 404}, {"error": "no handler found for uri [/shp/_serch]"}):
        message = error_of(save(tmp_path, json.dumps(whole)), "run")
        assert "error[engine-error]: the engine answered with an error" in message and "no " in message.split("\n")[0]
    details = {"details": {"q1": {"hits": [{"hit": hit("a", 1.0)}]}}, "failures": {"q2": failed}}
    assert "no such index [shp]" in read_run(save(tmp_path, json.dumps(details))).notes[0].text


def test_a_topic_given_twice_is_no_list(tmp_path: Path) -> None:
    assert "topic q has two lists" in error_of(save(tmp_path, '{"q": ["a"], "q": ["b"]}'), "run")
    assert read_run(save(tmp_path, '{"q": {"a": 1}, "q": {"b": 2}}')).ranking_of("q") == ["b", "a"]
    hits = '{"hits": [{"hit": {"_id": "%s", "_score": 1}}]}'
    details = f'{{"details": {{"q": {hits % "a"}, "q": {hits % "b"}}}}}'
    assert "the key 'q' occurs twice" in error_of(save(tmp_path, details), "run")


def test_a_query_whose_text_stands_in_a_template_is_named_by_its_group(tmp_path: Path) -> None:
    group = {"name": "lamps", "queries": [{"template": "lamp.json"}], "relevant_documents": {"d1": {"gain": 3}}}
    judgments = read_judgments(save(tmp_path, json.dumps({"query_groups": [group]})))
    assert judgments.to_dict() == {"lamps": {"d1": 3}} and judgments.notes[0].slug == "topics-by-group"
    group["relevant_documents"] = {"d1": []}
    assert "a list was given for 'd1', which is no gain" in error_of(
        save(tmp_path, json.dumps({"query_groups": [group]}))
    )


def test_a_status_that_is_neither_is_refused(tmp_path: Path) -> None:
    record = {"qid": "1", "docid": "a", "judgment": 2, "result_status": None}
    assert "result_status is None" in error_of(save(tmp_path, json.dumps(record) + "\n"))
    without = [{"qid": "1", "docid": "a", "judgment": 2}, {**record, "result_status": 0}]
    assert "no 'result_status'" in error_of(save(tmp_path, "\n".join(map(json.dumps, without))))


def test_the_only_column_of_a_judge_is_named(tmp_path: Path) -> None:
    judgments = read_judgments(save(tmp_path, "query,docid,clicks\nlamp,d1,3\nlamp,d2,0\n"))
    assert [note.slug for note in judgments.notes] == ["judges-one"] and "'clicks'" in judgments.notes[0].text


def test_what_a_reader_would_not_recognise_is_not_written(tmp_path: Path) -> None:
    path = save(tmp_path, json.dumps({"{": {"d1": 1}}))
    with pytest.raises(GaincurveError, match="convert-lossy"):
        converted(path, "o.qrels", None, Reading("judgments"))


def test_a_single_json_line_may_hold_more_than_a_record_needs(tmp_path: Path) -> None:
    record = {"qid": "lamp", "docno": "d1", "rel": 3, "fields": {"title": "Lamp"}}
    assert read_judgments(save(tmp_path, json.dumps(record) + "\n")).to_dict() == {"lamp": {"d1": 3}}


RANX = (  # {"q1": {"d1": 2.5, "d2": -1, "d3": 300}}, from the tables of RFC 8949 by hand
    b"\xa1\x62q1\xa3\x62d1\xf9\x41\x00\x62d2\x20\x62d3\x19\x01\x2c"
)


def test_what_ranx_saves_as_lz4_is_read(tmp_path: Path) -> None:
    """CBOR, compressed twice: by the file and by what is written into it."""
    frame = pytest.importorskip("lz4.frame")
    (tmp_path / "bm25.lz4").write_bytes(frame.compress(frame.compress(RANX)))
    run = read_run(tmp_path / "bm25.lz4")
    assert (run.name, run.to_dict()) == ("bm25", {"q1": {"d3": 300.0, "d1": 2.5, "d2": -1.0}})
    save(tmp_path, "q1 0 d1 1\n", "qrels")
    assert evaluate_files(tmp_path / "qrels", tmp_path / "bm25.lz4", "RR").summary() == {"bm25": {"RR": 0.5}}
    (tmp_path / "twice.lz4").write_bytes(frame.compress(frame.compress(b"q1 Q0 d1 1 2 t\n")))
    assert read_run(tmp_path / "twice.lz4").topics == ("q1",)
    for broken in (
        RANX[:-1],
        RANX + b"\x00",
        RANX[:-3] + b"\x40",
        b"\xbf" + RANX[1:],
        b"\xa2" + RANX[1:] * 2,
        b"\x81" * 99,
    ):
        (tmp_path / "broken.lz4").write_bytes(
            frame.compress(frame.compress(b"\xa1\x61q" * (broken[0] == 0x81) + broken))
        )
        assert "error[input-damaged]" in error_of(tmp_path / "broken.lz4", "run")


def test_judgements_without_a_user_are_not_all_by_one(tmp_path: Path) -> None:
    pair = {"query_text": "lamp", "doc_id": "d1", "judgements": [{"rating": 1.0}, {"rating": 3.0}]}
    path = save(tmp_path, json.dumps({"query_doc_pairs": [pair]}))
    assert "Anonymous 1, Anonymous 2 3" in error_of(path)
    assert read_judgments(path, judges="mean").to_dict() == {"lamp": {"d1": 2.0}}


def test_a_text_behind_the_id_of_a_letor_line_names_no_document(tmp_path: Path) -> None:
    """Quepid writes the id and the query; LETOR writes pairs."""
    text = "3 qid:1 # d1 what is docid = 5\n1 qid:1 1:0.1 #inc = 1 docid = d2\n"
    assert read_judgments(save(tmp_path, text)).to_dict() == {"1": {"d1": 3, "d2": 1}}
