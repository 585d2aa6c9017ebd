"""The documentation is true: its commands print what it says, its sessions run, its pages are complete, not stale."""

from __future__ import annotations

import ast
import doctest
import os
import re
import shlex
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import gaincurve
from gaincurve.catalogue import CATALOGUE
from gaincurve.cli import COMMANDS, main
from gaincurve.measures.notation import definitions
from gaincurve.measures.registry import REGISTRY

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
PLAIN = re.compile(r"(gaincurve [^|<>&;$?`~]+)(?:\| ([^|<>&;$]+))?")
"""A command and what it is piped into. The command is called in this process, which spares most of the time."""
LINK = re.compile(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)")


def blocks(page: Path, language: str) -> list[str]:
    return [body for name, body in BLOCK.findall(page.read_text("utf-8")) if name == language]


CONSOLE = [(page, i, body) for page in PAGES for i, body in enumerate(blocks(page, "console"))]


def words(command: str) -> list[str]:
    """The arguments as a shell would pass them: patterns outside quotes become files."""
    arguments = []
    for word in shlex.split(command, posix=False)[1:]:
        arguments += sorted(map(str, Path().glob(word))) if "*" in word and word[0] not in "\"'" else shlex.split(word)
    return arguments


@pytest.mark.parametrize(("page", "i", "body"), CONSOLE, ids=[f"{p.relative_to(ROOT)}-{i}" for p, i, _ in CONSOLE])
def test_a_console_block_prints_what_it_says(
    page: Path,
    i: int,
    body: str,
    playground: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    monkeypatch.chdir(playground)
    engine = ROOT / "tests" / "data" / "engine"  # a curl that answers without a network
    monkeypatch.setenv("PATH", os.pathsep.join([str(engine), str(Path(sys.executable).parent), os.environ["PATH"]]))
    commands = [line[2:] for line in body.splitlines() if line.startswith("$ ")]
    expected = [
        part.split("\n", 1)[1] if "\n" in part else "" for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]
    ]
    for command, output in zip(commands, expected, strict=True):
        given = errors = b""
        rest: str | None = command
        if plain := PLAIN.fullmatch(command):
            main(words(plain[1]))
            given, errors = capsysbinary.readouterr()
            rest = plain[2]
        if rest:
            done = subprocess.run(["bash", "-c", rest], input=given, capture_output=True, check=False)
            given, errors = done.stdout, errors + done.stderr
        assert (given.decode().rstrip("\n"), errors.decode()) == (output.rstrip("\n"), ""), command


@pytest.mark.parametrize("page", PAGES, ids=[str(p.relative_to(ROOT)) for p in PAGES])
def test_python_sessions_run(page: Path, playground: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = "\n".join(blocks(page, "python"))
    monkeypatch.chdir(playground)
    test = doctest.DocTestParser().get_doctest(sessions, {}, str(page.name), None, 0)
    result = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test)
    assert result.failed == 0


def test_the_cells_of_the_notebook_page_run(playground: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In order, and each last line shows itself; tooltips need a package of their own."""
    monkeypatch.chdir(playground)
    names: dict[str, object] = {}
    shown: list[object] = []
    with warnings.catch_warnings():
        for cell in blocks(ROOT / "docs" / "how-to" / "use-in-a-notebook.md", "py"):
            if "anywidget" in cell:
                continue
            body = ast.parse(cell)
            last = body.body.pop() if isinstance(body.body[-1], ast.Expr) else None
            exec(compile(body, "cell", "exec"), names)
            if last is not None:
                shown.append(eval(compile(ast.Expression(last.value), "cell", "eval"), names))
    assert shown[0]._repr_html_().startswith("<div><table>")  # type: ignore[attr-defined]
    assert any("svg" in str(getattr(each, "_repr_mimebundle_", str)()) for each in shown)


def test_weights_and_biases_gets_numbers_and_rows(playground: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The recipe with a stand-in for wandb that has what it uses."""
    monkeypatch.chdir(playground)
    logged: list[dict[str, Any]] = []
    started: list[dict[str, Any]] = []

    @contextmanager
    def init(**choices: Any) -> Iterator[SimpleNamespace]:
        started.append(choices)
        yield SimpleNamespace(log=logged.append)

    monkeypatch.setitem(sys.modules, "wandb", SimpleNamespace(init=init, Table=lambda dataframe: dataframe))
    scores = gaincurve.evaluate("gaincurve-demo/judgments.qrels", "gaincurve-demo/runs/sharp.run", ["nDCG@10"])
    recipe = next(
        block for block in blocks(ROOT / "docs" / "how-to" / "track-with-mlflow-and-dvc.md", "py") if "wandb" in block
    )
    exec(compile(recipe, "recipe", "exec"), {"scores": scores})
    assert started[0]["config"] == {"nDCG@10": str(scores.signatures[0])}
    assert logged[0] == {"sharp/nDCG@10": scores.summary()["sharp"]["nDCG@10"]}
    assert len(logged[1]["topics"]) == 50


@pytest.mark.parametrize("page", PAGES, ids=[str(p.relative_to(ROOT)) for p in PAGES])
def test_links_lead_somewhere(page: Path) -> None:
    missing = [link for link in LINK.findall(page.read_text("utf-8")) if not (page.parent / link).exists()]
    assert missing == []


def test_reference_pages_are_not_stale() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "reference.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_reference_covers_every_command_measure_and_slug() -> None:
    reference = {page.stem: page.read_text("utf-8") for page in (ROOT / "docs" / "reference").glob("*.md")}
    assert [c for c in COMMANDS if f"## {c}\n" not in reference["commands"]] == []
    assert [m for m in REGISTRY if f"## {m}: " not in reference["measures"]] == []
    assert [s for s in CATALOGUE if f"## {s}\n" not in reference["errors"]] == []


def test_the_readme_counts_the_measures() -> None:
    count = Counter(definition.over for definition in definitions())
    assert f"{count['topic']} measures of ranked lists and {count['session']} of sessions" in (
        ROOT / "README.md"
    ).read_text("utf-8")


def test_module_examples_run() -> None:
    from gaincurve import vectors  # noqa: PLC0415

    assert doctest.testmod(gaincurve).failed == 0
    assert doctest.testmod(vectors).failed == 0
