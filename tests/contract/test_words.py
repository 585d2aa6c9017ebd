"""A user reads the field's words: cutoff, not last rank; figure, not picture; 95%, not 95 %."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "gaincurve"

INSTEAD = {
    r"last ranks?": "cutoff",
    r"leagues?": "leaderboard",
    r"packed": "compressed",
    r"pictures?": "figure",
    r"ground[ -]truth": "judgments",
    r"tells?|told|telling": "show, say, report",
    r"more than chance": "significant",
    r"chance (could|does not|can) explain": "not significant",
    r"(with|of) exactly so many": "this many",
    r"stands?|stood": "is",
    r"whoever": "anyone who",
    r"anew": "again",
    r"hence|thereof|whereof|wherein": "so, of it",
    r"in vain": "that are not relevant",
    r"to the letter": "strictly",
}
WORDS = {re.compile(rf"\b({words})\b", re.IGNORECASE): better for words, better in INSTEAD.items()}
WORDS[re.compile(r"(^|[\d…]) %(?![a-z(}])")] = "95%"

JUSTIFIED = (
    r"stands for|stand-in",
    r"(tells?|told) (\w+ ){0,2}apart",
    r"first and last rank",  # of a block of ties: both ends, not a cutoff
    r"class=\"[^\"]*\"",
)
"""What keeps its sense with a banned word in it."""

LITERAL = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|`(?:[^`\\]|\\.)*`")
COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`\w])//[^\n]*", re.DOTALL)


def docstrings(tree: ast.AST) -> Iterator[ast.Constant]:
    """Texts that stand alone: docstrings of modules, classes, functions and names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value


def sentences_of_python(path: Path) -> Iterator[str]:
    """Every text of more than one word that code may print."""
    tree = ast.parse(path.read_text("utf-8"))
    silent = {id(node) for node in docstrings(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in silent:
            yield node.value


def sentences_of_javascript(path: Path) -> Iterator[str]:
    """Every text of more than one word in quotes, without the code in its braces."""
    code = COMMENT.sub("", path.read_text("utf-8"))
    for literal in LITERAL.findall(code):
        yield re.sub(r"\$\{[^}`]*[}`]", "…", literal)


def printed(path: Path) -> Iterator[str]:
    if path.suffix == ".py":
        found = sentences_of_python(path)
    elif path.suffix == ".js":
        found = sentences_of_javascript(path)
    else:
        found = iter(path.read_text("utf-8").splitlines())
    return (text for text in found if " " in text.strip())


def unwanted(text: str) -> list[str]:
    for phrase in JUSTIFIED:
        text = re.sub(phrase, "…", text, flags=re.IGNORECASE)
    return [
        f"{hit.group()!r} ({better}): {text[:160]}" for word, better in WORDS.items() for hit in word.finditer(text)
    ]


PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
"""Help texts, messages and the descriptions of measures are among them: docs/reference is made from the code."""
SOURCES = [path for suffix in ("py", "js", "jinja") for path in sorted(SOURCE.rglob(f"*.{suffix}"))]


@pytest.mark.parametrize("paths", [PAGES, SOURCES], ids=["docs", "source"])
def test_a_user_reads_the_words_of_the_field(paths: list[Path]) -> None:
    found = [f"{path.relative_to(ROOT)}: {what}" for path in paths for text in printed(path) for what in unwanted(text)]
    assert not found, "\n".join(found)


def test_words_are_noticed_where_they_are_printed(tmp_path: Path) -> None:
    module, script = tmp_path / "a.py", tmp_path / "a.js"
    module.write_text('"""A picture, in a docstring."""\nSAID = f"the last rank {3} of {95} % of users"\n')
    script.write_text("// no picture tells this\nconst said = `a picture of ${told.it}`;\n")
    assert [what.split(" (")[0] for text in printed(module) for what in unwanted(text)] == ["'last rank'", "' %'"]
    assert [what.split(" (")[0] for text in printed(script) for what in unwanted(text)] == ["'picture'"]
    assert unwanted("97.5 % of them")
    assert not unwanted("97.5% of them, told apart")
