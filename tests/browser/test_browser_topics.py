"""Topics: the table and its filters, the drill-down with rankings, grades, moves and sums, against the run files."""

from __future__ import annotations

import pytest
from driving import chart, choose, number, settle, texts, told
from playwright.sync_api import Page, expect
from subjects import Report

TOPICS = range(1, 51)


def ranked(report: Report, run: str, topic: str) -> list[str]:
    """Documents as trec_eval orders them: score down, then id down."""
    [path] = [path for path in report.paths if path.stem == run]
    rows = [line.split() for line in path.read_text().splitlines()]
    found = [(float(row[4]), row[2]) for row in rows if row[0] == topic]
    return [document for _, document in sorted(found, reverse=True)]


def grades(report: Report, topic: str) -> dict[str, str]:
    assert report.qrels is not None
    rows = [line.split() for line in report.qrels.read_text().splitlines()]
    return {row[2]: row[3] for row in rows if row[0] == topic}


def test_the_table_has_every_topic_with_pythons_scores(drawn: Page, demo_report: Report) -> None:
    scores = demo_report.experiment.scores("nDCG@10")
    by_topic = {topic: i for i, topic in enumerate(scores.topics)}
    heads = [head.split("\n")[0] for head in texts(drawn, "#topics-table thead tr")[0]]
    a, b = heads[1], heads[2]
    rows = texts(drawn, "#topics-table tbody tr")
    assert {row[0] for row in rows} == {str(t) for t in TOPICS}
    for row in rows:
        of, against = (scores.values[scores.runs.index(run), 0, by_topic[row[0]]] for run in (a, b))
        assert (number(row[1]), number(row[2])) == pytest.approx((of, against), abs=5.01e-5)
        assert number(row[3].replace("+", "")) == pytest.approx(of - against, abs=5.01e-5)
    gaps = [number(row[3].replace("+", "")) for row in rows]
    assert gaps == sorted(gaps, reverse=True)


def test_search_and_filters(drawn: Page) -> None:
    drawn.locator("#topic-search").fill("subject 17")
    expect(drawn.locator("#topics-table tbody tr")).to_have_count(1)
    drawn.locator("#topic-search").fill("no such topic")
    expect(drawn.locator("#topics-table tbody tr")).to_have_count(0)
    drawn.locator("#topic-search").fill("")
    drawn.locator("#topic-outcome").select_option("lost")
    rows = texts(drawn, "#topics-table tbody tr")
    assert rows
    assert all(row[4] == "lost" for row in rows)
    drawn.locator("#topic-outcome").select_option("")
    drawn.locator("#topic-least").fill("0.3")
    large = texts(drawn, "#topics-table tbody tr")
    assert 0 < len(large) < 50
    assert all(abs(number(row[3].replace("+", ""))) >= 0.29995 for row in large)
    drawn.locator("#topic-least").fill("")


def test_a_column_sorts_both_ways(drawn: Page) -> None:
    head = drawn.locator('#topics-table [data-sort="name"]')
    head.click()
    assert [row[0] for row in texts(drawn, "#topics-table tbody tr")] == [str(t) for t in TOPICS]
    drawn.locator('#topics-table [data-sort="name"]').click()
    assert [row[0] for row in texts(drawn, "#topics-table tbody tr")] == [str(t) for t in reversed(TOPICS)]
    expect(drawn.locator("#topics-table th").first).to_have_attribute("aria-sort", "descending")
    drawn.locator('#topics-table [data-sort="difference"]').click()


def test_a_row_opens_its_topic(drawn: Page, demo_report: Report) -> None:
    drawn.locator('#topics-table [data-topic="23"]').click()
    settle(drawn)
    assert told(drawn, "topic-title") == "Topic 23"
    assert drawn.evaluate("() => document.activeElement.id") == "panel-topic"
    expect(drawn.locator("#topic blockquote")).to_have_text("what is known about subject 23")
    judged = grades(demo_report, "23")
    for run in demo_report.experiment.runs:
        column = drawn.locator(f'#topic .ranking[data-run="{run}"]')
        documents = [text.strip() for text in column.locator(":scope > ol > li > bdi").all_text_contents()]
        assert documents == ranked(demo_report, run, "23")[: len(documents)]
        assert len(documents) >= 10
        chips = [text.strip() for text in column.locator(":scope > ol > li > .chip").all_text_contents()]
        assert chips == [judged.get(document, "?") for document in documents]


def test_moves_are_ranks_of_the_reference_less_ranks_here(drawn: Page, demo_report: Report) -> None:
    drawn.locator("#topic-choice").select_option(label="5")
    drawn.locator("#topic-reference").select_option(label="broad")
    settle(drawn)
    before = {document: i for i, document in enumerate(ranked(demo_report, "broad", "5")[:100], 1)}
    column = drawn.locator('#topic .ranking[data-run="sharp"]')
    documents = column.locator(":scope > ol > li > bdi").all_text_contents()
    shown = column.locator(":scope > ol > li > .moved").all_text_contents()
    for i, (document, text) in enumerate(zip(documents, shown, strict=True), 1):
        if document not in before:
            assert text == "new"
        else:
            by = before[document] - i
            assert text == (f"↑{by}" if by > 0 else f"↓{-by}" if by < 0 else "=")


def test_ties_are_marked(drawn: Page, demo_report: Report) -> None:
    """`titles` counts words, so its scores tie: a document is marked exactly if its neighbour has its score."""
    drawn.locator("#topic-choice").select_option(label="9")
    settle(drawn)
    [path] = [path for path in demo_report.paths if path.stem == "titles"]
    score = {row[2]: row[4] for row in map(str.split, path.read_text().splitlines()) if row[0] == "9"}
    items = drawn.locator('#topic .ranking[data-run="titles"] > ol > li').all()
    found = {str(item.locator("bdi").text_content()): "tied" in str(item.get_attribute("class")) for item in items}
    values = list(score.values())
    assert found == {document: values.count(score[document]) > 1 for document in found}
    assert any(found.values())


def test_the_sums_end_in_the_score(drawn: Page, demo_report: Report) -> None:
    choose(drawn, discount="jk2002", base=2, depth=10)
    drawn.locator("#topic-choice").select_option(label="31")
    settle(drawn)
    column = drawn.locator('#topic .ranking[data-run="sharp"]')
    column.get_by_text("How the number is made").click()
    column.locator("table").wait_for()  # it is made when the browser says that the details are open
    rows = [
        [str(cell) for cell in row.locator("th, td").all_text_contents()]
        for row in column.locator("table tbody tr").all()
    ]
    scores = demo_report.experiment.scores("nDCG@10", discount="jk2002", base=2)
    expected = scores.values[scores.runs.index("sharp"), 0, list(scores.topics).index("31")]
    assert number(rows[9][-1]) == pytest.approx(expected, abs=5.01e-5)
    running = 0.0
    for row in rows[:10]:  # gain ÷ divisor, added up
        running += number(row[3]) / number(row[4])
        assert number(row[6]) == pytest.approx(running, abs=1e-3)


def test_a_bar_opens_its_topic(drawn: Page) -> None:
    figure = chart(drawn, "topics")
    figure.scroll_into_view_if_needed()
    settle(drawn)
    bars = figure.locator(".plot svg .mark-rect path, .plot svg .mark-rule line")
    seen = set()
    for i in (0, bars.count() // 2):
        bars.nth(i).click(force=True)
        settle(drawn)
        seen.add(told(drawn, "topic-title"))
        figure.scroll_into_view_if_needed()
    assert len(seen) == 2
    assert all(title.startswith("Topic ") for title in seen)


def test_previous_and_next_go_round(drawn: Page) -> None:
    drawn.locator("#topic-choice").select_option(label="1")
    settle(drawn)
    first = told(drawn, "topic-title")
    drawn.locator("#topic-previous").click()
    last = told(settle(drawn), "topic-title")
    drawn.locator("#topic-next").click()
    assert told(settle(drawn), "topic-title") == first != last


def test_unjudged_documents_leave_a_condensed_list(drawn: Page, demo_report: Report) -> None:
    choose(drawn, unjudged="condensed")
    drawn.locator("#topic-choice").select_option(label="2")
    settle(drawn)
    judged = grades(demo_report, "2")
    column = drawn.locator('#topic .ranking[data-run="legacy"]')
    documents = column.locator(":scope > ol > li > bdi").all_text_contents()
    assert documents == [d for d in ranked(demo_report, "legacy", "2")[:100] if d in judged][: len(documents)]
