"""What a reader takes along: figures that stand alone, tables that are the command line's, text that can be pasted."""

from __future__ import annotations

import csv
import io
import json
import re
import struct
from pathlib import Path
from xml.etree import ElementTree

import pytest
from driving import chart, choose, leaderboard, ready, told
from playwright.sync_api import Locator, Page
from subjects import Report
from watched import Opener

from gaincurve.cli import main

SVG = "{http://www.w3.org/2000/svg}"
CHARTS = (
    "curve-CG", "curve-DCG", "curve-nCG", "curve-nDCG", "difference", "effort", "map", "topics", "scatter", "recall",
    "forest", "unjudged",
)  # fmt: skip


def saved(page: Page, button: Locator) -> tuple[str, bytes]:
    """The name and content of what a button hands out."""
    with page.expect_download() as waiting:
        button.click()
    path = waiting.value.path()
    return waiting.value.suggested_filename, Path(path).read_bytes()


def save(page: Page, name: str, kind: str) -> tuple[str, bytes]:
    return saved(page, chart(page, name).first.locator(f'[data-save="{kind}"]'))


@pytest.mark.parametrize("name", [*CHARTS, "grades"])
def test_an_svg_stands_alone(name: str, drawn: Page, open_page: Opener) -> None:
    file, content = save(drawn, name, "svg")
    assert file.endswith(".svg")
    root = ElementTree.fromstring(content)
    assert root.tag == f"{SVG}svg"
    assert root.find(f"{SVG}title") is not None
    description = root.findtext(f"{SVG}desc")
    assert description
    assert description == chart(drawn, name).first.locator(".plot").get_attribute("aria-label")
    tags = {element.tag for element in root.iter()}
    assert not tags & {f"{SVG}{tag}" for tag in ("script", "foreignObject", "image", "use", "style", "iframe")}
    for element in root.iter():
        for attribute, value in element.attrib.items():
            assert not attribute.endswith("href"), (element.tag, value)
            assert not re.search(r"https?://|file:|url\((?!['\"]?#)", value), (attribute, value)
            assert not attribute.startswith("on")
    wide, tall = (float(root.attrib[side]) for side in ("width", "height"))
    size = shown_as_image(open_page, content)
    assert size == pytest.approx([wide, tall], abs=1)
    words = " ".join(text for text in root.itertext())
    assert "nan" not in words.lower().split()
    assert "gaincurve:" in words  # signed


def shown_as_image(open_page: Opener, svg: bytes) -> list[float]:
    """The natural size of the figure in a page that has nothing to do with ours."""
    other = open_page("<!doctype html><title>elsewhere</title><img id='figure' alt=''>")
    size: list[float] = other.evaluate(
        """async (text) => {
          const image = document.getElementById("figure");
          image.src = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
          await image.decode();
          const canvas = document.createElement("canvas");
          [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
          const context = canvas.getContext("2d");
          context.drawImage(image, 0, 0);
          const colours = new Set();
          const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
          for (let i = 0; i < data.length; i += 4) colours.add(data[i] * 65536 + data[i + 1] * 256 + data[i + 2]);
          return colours.size < 5 ? ["empty", colours.size] : [image.naturalWidth, image.naturalHeight];
        }""",
        svg.decode(),
    )
    return size


@pytest.mark.parametrize("name", ["curve-nDCG", "map"])
def test_a_png_has_the_size_of_its_svg_twice(name: str, demo: Page) -> None:
    file, content = save(demo, name, "png")
    assert file.endswith(".png")
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    root = ElementTree.fromstring(save(demo, name, "svg")[1])
    wide, tall = struct.unpack(">II", content[16:24])
    assert (wide, tall) == pytest.approx([2 * float(root.attrib[side]) for side in ("width", "height")], abs=2)
    assert content.rstrip().endswith(b"IEND\xaeB`\x82")


def test_a_figure_is_light_also_from_a_dark_page(open_page: Opener, demo: Page, demo_report: Report) -> None:
    """The same figure, but for the numbers Vega counts its clip paths with."""
    dark = ready(open_page(demo_report.path, dark=True))
    figures = [re.sub(rb"clip\d+", b"clip", save(page, "curve-nDCG", "svg")[1]) for page in (dark, demo)]
    assert figures[0] == figures[1]


@pytest.mark.parametrize("name", CHARTS)
def test_the_table_behind_a_chart(name: str, demo: Page) -> None:
    figure = chart(demo, name).first
    if figure.locator("details").get_attribute("open") is None:
        figure.locator("details summary").click()
    figure.locator("details tbody tr").first.wait_for()  # the table is made when it is opened
    shown = [row.locator("th, td").all_text_contents() for row in figure.locator("details tbody tr").all()[:5]]
    file, content = save(demo, name, "csv")
    columns, *rows = list(csv.reader(io.StringIO(content.decode())))
    assert file.endswith(".csv")
    assert columns == figure.locator("details thead th").all_text_contents()
    assert len(rows) >= len(shown) > 0
    for row, cells in zip(rows, shown, strict=False):
        for text, cell in zip(row, cells, strict=True):
            if re.fullmatch(r"[−\d.]+", cell) and "." in cell:
                digits = len(cell.split(".")[1])
                assert float(text) == pytest.approx(float(cell.replace("−", "-")), abs=0.51 * 10**-digits)
    figure.locator("details summary").click()


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def command_csv(capsysbinary: pytest.CaptureFixture[bytes], *words: object) -> list[dict[str, str]]:
    capsysbinary.readouterr()
    assert main([str(word) for word in (*words, "-f", "csv", "--quiet")]) == 0
    return rows_of(capsysbinary.readouterr().out.decode())


SETTINGS: list[tuple[dict[str, object], list[str], str]] = [
    ({}, [], "nDCG@10"),
    ({"discount": "jk2002", "base": 3, "depth": 20, "unjudged": "condensed"},
     ["--discount", "jk2002", "--base", "3", "--unjudged", "condensed"], "nDCG@20"),
    ({"gain-1": 1, "gain-2": 10, "gain-3": 100, "depth": 5}, ["--gains", "0-1-10-100"], "nDCG@5"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "options", "measure"), SETTINGS, ids=[one[2] for one in SETTINGS])
def test_scores_are_those_of_the_command(
    changes: dict[str, object],
    options: list[str],
    measure: str,
    demo: Page,
    demo_report: Report,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    choose(demo, **changes)
    depth = measure.split("@")[1]
    asked = [word for one in (measure, "AP", "RR", f"P@{depth}", f"R@{depth}") for word in ("-m", one)]
    for button, more in (("leaderboard.csv", []), ("topics.csv", ["-q"])):
        file, content = saved(demo, demo.locator(f'[data-export="{button}"]'))
        assert file == button
        expected = command_csv(capsysbinary, "eval", demo_report.qrels, *demo_report.paths, *asked, *options, *more)
        hold_rows(rows_of(content.decode()), expected, ("run", "topic", "measure"), ("value",), ("signature",))


def hold_rows(
    found: list[dict[str, str]],
    expected: list[dict[str, str]],
    keys: tuple[str, ...],
    numbers: tuple[str, ...],
    words: tuple[str, ...],
) -> None:
    """The same rows by their keys, numbers to 1e-12, words exactly."""
    by_key = {tuple(row[key] for key in keys): row for row in found}
    assert len(by_key) == len(found)
    assert set(by_key) == {tuple(row[key] for key in keys) for row in expected}
    for row in expected:
        mine = by_key[tuple(row[key] for key in keys)]
        for name in numbers:
            if row[name] in ("", "nan"):
                assert mine[name] == row[name]
            else:
                assert float(mine[name]) == pytest.approx(float(row[name]), rel=1e-12, abs=1e-12), (name, row)
        assert {name: mine[name] for name in words} == {name: row[name] for name in words}


PAIR_NUMBERS = ("mean_a", "mean_b", "difference", "low", "high", "p", "p_adjusted", "effect", "relative")
PAIR_WORDS = ("significant", "practical", "wins", "ties", "losses", "better", "signature")


@pytest.mark.parametrize("baseline", ["", "legacy"])
def test_pairs_are_those_of_the_command(
    baseline: str, demo: Page, demo_report: Report, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    choose(demo, baseline=baseline)
    _, content = saved(demo, demo.locator('[data-export="pairs.csv"]'))
    options = ["--baseline", baseline] if baseline else []
    command = ["compare", demo_report.qrels, *demo_report.paths, "-m", "nDCG@10", "--test", "t", "--adjust", "holm"]
    expected = command_csv(capsysbinary, *command, *options)
    hold_rows(rows_of(content.decode()), expected, ("measure", "a", "b"), PAIR_NUMBERS, PAIR_WORDS)


def test_latex_is_a_tabular_that_compiles_by_its_structure(demo: Page) -> None:
    choose(demo, depth=20)
    file, content = saved(demo, demo.locator('[data-export="leaderboard.tex"]'))
    text = content.decode()
    assert file == "leaderboard.tex"
    lines = [line for line in text.splitlines() if not line.startswith("%")]
    shape = re.fullmatch(r"\\begin\{tabular\}\{([lr]+)\}", lines[0])
    assert shape
    assert (lines[1], lines[3], lines[-2], lines[-1]) == (
        "\\toprule", "\\midrule", "\\bottomrule", "\\end{tabular}",
    )  # fmt: skip
    body = [lines[2], *lines[4:-2]]
    assert len(body) == 1 + 4
    for line in body:
        assert line.endswith(" \\\\")
        assert len(re.findall(r"(?<!\\)&", line)) == len(shape[1]) - 1
        plain = re.sub(r"\\textsuperscript\{\w+\}|\\\\$|\\[&%$#_{}]", "", line)
        assert not re.search(r"[%$#_{}^~\\]", plain), line
    assert [line.split(" & ")[0] for line in body[1:]] == [place.run for place in leaderboard(demo)]
    assert told(demo, "verdict") in text
    assert told(demo, "signature") in text


def test_markdown_is_a_table_for_a_pull_request(demo: Page) -> None:
    _, content = saved(demo, demo.locator('[data-export="leaderboard.md"]'))
    lines = content.decode().splitlines()
    assert lines[0] == told(demo, "verdict")
    table = [line for line in lines if line.startswith("|")]
    assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table}) == 1
    assert re.fullmatch(r"\|( ---:? \|)+", table[1])
    assert [re.split(r" ?\| ?", line)[1] for line in table[2:]] == [place.run for place in leaderboard(demo)]
    assert f"`{told(demo, 'signature')}`" in content.decode()
    at = lines.index(table[0])
    assert lines[at - 1] == ""  # a table needs an empty line before it


def test_names_are_escaped(open_page: Opener, hostile_report: Report) -> None:
    page = ready(open_page(hostile_report.path))
    _, content = saved(page, page.locator('[data-export="leaderboard.tex"]'))
    for line in content.decode().splitlines():
        if not line.startswith(("%", "\\begin", "\\end", "\\toprule", "\\midrule", "\\bottomrule")):
            plain = re.sub(r"\\text\w+(\{\}|\{\w+\})|\\\\$|\\[&%$#_{}]|\$-\$", "", line).replace(" & ", "")
            assert not re.search(r"[%$#_{}^~\\&]", plain), plain
    _, content = saved(page, page.locator('[data-export="leaderboard.md"]'))
    table = [line for line in content.decode().splitlines() if line.startswith("|")]
    assert len(table) == 2 + len(hostile_report.experiment.runs)
    assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table}) == 1
    assert "<img" not in "".join(table)
    _, content = saved(page, page.locator('[data-export="topics.csv"]'))
    rows = rows_of(content.decode())
    assert {len(row) for row in rows} == {5}
    assert ElementTree.fromstring(save(page, "curve-nDCG", "svg")[1]).tag == f"{SVG}svg"


def test_observed_json_is_what_the_page_holds(demo: Page, demo_report: Report) -> None:
    import json  # noqa: PLC0415 -- only here

    _, content = saved(demo, demo.locator('[data-export="observed.json"]'))
    found = json.loads(content)
    assert found["schema"] == "gaincurve.observed/1"
    assert [run["name"] for run in found["runs"]] == list(demo_report.experiment.runs)


def test_copied_text_is_the_saved_text(demo: Page) -> None:
    for name, file in (("Copy LaTeX", "leaderboard.tex"), ("Copy Markdown", "leaderboard.md")):
        demo.locator(f'[data-copies="{name}"]').click()
        copied = demo.evaluate("() => navigator.clipboard.readText()")
        assert copied == saved(demo, demo.locator(f'[data-export="{file}"]'))[1].decode()
    demo.locator('[data-copy="signature"]').click()
    assert demo.evaluate("() => navigator.clipboard.readText()") == told(demo, "signature")


def test_the_pool_to_judge_next_is_handed_out_and_names_no_run(drawn: Page) -> None:
    file, content = saved(drawn, drawn.locator('#to-judge [data-export="pool.jsonl"]'))
    assert file == "pool.jsonl"
    records = [json.loads(line) for line in content.decode("utf-8").splitlines()]
    assert [set(record) for record in records[:1]] == [{"topic", "document", "priority", "stratum", "p", "runs"}]
    assert [record["priority"] for record in records] == list(range(1, len(records) + 1))
    assert drawn.locator("#to-judge code").inner_text().startswith("gaincurve pool ")
