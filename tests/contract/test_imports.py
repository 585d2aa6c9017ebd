"""Imports point one way, start-up stays small, and the library never prints: read from the source itself."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import gaincurve

SOURCE = Path(gaincurve.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))
DOORS: dict[str, set[str]] = {
    "catalogue": set(),
    "_version": set(),
    "_scan_py": set(),
    "_compiled": set(),  # finds the optional scanner; a leaf, so whoever has a compiled twin may ask it
    "demo": set(),
    "errors": {"catalogue"},
    "model": {"errors", "_compiled"},
    "io": {"model", "errors", "_scan_py", "_compiled"},
    "vectors": {"model", "errors"},
    "ir_measures": {"verbs", "measures", "model", "errors"},
    "torchmetrics": {"verbs", "measures", "model", "errors"},
    "sklearn": {"verbs", "measures", "model", "errors"},
    "testing": {"verbs", "io", "model", "errors"},
    "spark": {"verbs", "curve", "stats", "measures", "io", "model", "errors"},
    "measures": {"model", "errors"},
    "curve": {"measures", "model", "errors"},
    "stats": {"model", "errors"},
    "verbs": {"curve", "measures", "model", "errors", "stats"},
    "figures": {"verbs", "curve", "measures", "model", "errors", "io", "stats"},
    "files": {"verbs", "measures", "model", "errors", "io"},
    "session_files": {"files", "verbs", "measures", "model", "errors", "io"},
    "page": {"session_files", "files", "figures", "verbs", "curve", "measures", "model", "errors", "io", "stats"},
    "cli": {
        "page",
        "files",
        "session_files",
        "figures",
        "verbs",
        "curve",
        "stats",
        "measures",
        "model",
        "errors",
        "catalogue",
        "io",
        "demo",
        "spark",
        "_compiled",
    },
    "__main__": {"cli"},
    "__init__": {
        "errors",
        "model",
        "io",
        "measures",
        "curve",
        "verbs",
        "files",
        "session_files",
        "figures",
        "page",
        "stats",
        "vectors",
    },
}
"""Which part may import which; every part may also import itself and _version."""
THIRD_PARTY = {
    "numpy",
    "scipy",
    "click",
    "rich",
    "altair",
    "jinja2",
    "markupsafe",
    "vl_convert",
    "zstandard",
    "lz4",
    "ir_datasets",
    "pyarrow",
}


def module_name(path: Path) -> str:
    parts = ("gaincurve", *path.relative_to(SOURCE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in FILES}


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def imported(path: Path) -> Iterator[str]:
    """Modules imported anywhere in a file, in functions too; `from package import module` gives the module."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in MODULES else str(node.module)


PLUGINS = {
    "ir_measures": {"ir_measures"},
    "torchmetrics": {"torch", "torchmetrics"},
    "sklearn": {"sklearn"},
    "testing": {"pytest"},
    "spark": {"pyspark", "pyarrow", "py4j"},
}
"""Modules for users of another tool, who have it; nothing of ours imports them."""


def part(module: str) -> str:
    pieces = module.split(".")
    return pieces[1] if len(pieces) > 1 else "__init__"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_go_through_allowed_doors(path: Path) -> None:
    here = part(module_name(path))
    ours = {part(module) for module in imported(path) if module.split(".")[0] == "gaincurve"}
    assert ours - {here, "_version"} <= DOORS[here]


def test_no_cycles() -> None:
    graph = {
        name: {module for module in imported(path) if module in MODULES and module != name}
        for name, path in MODULES.items()
        if name != "gaincurve"  # the front door names everything, lazily
    }
    assert len(list(TopologicalSorter(graph).static_order())) >= len(graph)  # raises CycleError


def test_only_the_program_imports_the_command_line() -> None:
    users = {name for name, path in MODULES.items() if any(part(m) == "cli" for m in imported(path) if m in MODULES)}
    assert {part(name) for name in users} <= {"cli", "__main__"}


def test_only_declared_packages_are_imported() -> None:
    packages = {path: {module.split(".")[0] for module in imported(path)} for path in FILES}
    own = sys.stdlib_module_names | THIRD_PARTY | {"gaincurve"}
    for path, names in packages.items():
        assert names - own <= PLUGINS.get(part(module_name(path)), set()), path


def test_nothing_imports_a_plugin() -> None:
    importers = {
        name
        for name, path in MODULES.items()
        if any(part(m) in PLUGINS and part(m) != part(name) for m in imported(path) if m in MODULES)
    }
    assert importers == {"gaincurve.cli.engine"}  # --engine spark, imported where it is asked for


def test_the_library_never_prints_exits_or_logs() -> None:
    for path in FILES:
        calls = [node.func for node in ast.walk(tree(path)) if isinstance(node, ast.Call)]
        names = {f.id for f in calls if isinstance(f, ast.Name)}
        dotted = {
            f"{f.value.id}.{f.attr}" for f in calls if isinstance(f, ast.Attribute) and isinstance(f.value, ast.Name)
        }
        assert not names & {"print", "input", "breakpoint", "exit", "quit"}, path
        if part(module_name(path)) != "cli":
            assert not dotted & {"click.echo", "click.secho", "sys.exit", "logging.basicConfig"}, path
            assert not {"click", "logging"} & {module.split(".")[0] for module in imported(path)}, path


def test_nothing_is_asserted_of_a_user() -> None:
    found = [f"{path}:{node.lineno}" for path in FILES for node in ast.walk(tree(path)) if isinstance(node, ast.Assert)]
    assert found == []


def loaded_after(code: str) -> set[str]:
    """Top-level modules loaded after some code in a fresh interpreter."""
    tail = "print(json.dumps(sorted({m.split('.')[0] for m in sys.modules})), file=sys.stderr)"
    told = f"import sys, json\n{code}\n{tail}"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    return set(json.loads(done.stderr.splitlines()[-1]))


HEAVY = {"numpy", "scipy", "altair", "vl_convert", "rich", "pandas", "zstandard", "pyarrow"}


@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_help_imports_nothing_heavy(argument: str) -> None:
    loaded = loaded_after(f"from gaincurve.cli import main; assert main(['{argument}']) == 0")
    assert "click" in loaded
    assert not loaded & HEAVY


def test_import_gaincurve_imports_nothing_heavy() -> None:
    loaded = loaded_after("import gaincurve; gaincurve.__version__; dir(gaincurve); gaincurve.InputError")
    assert "gaincurve" in loaded
    assert not loaded & (HEAVY | {"click"})


def test_eval_imports_only_numpy(tmp_path: Path) -> None:
    (tmp_path / "q").write_text("1 0 a 1\n")
    (tmp_path / "r").write_text("1 Q0 a 1 1 x\n")
    arguments = ["eval", str(tmp_path / "q"), str(tmp_path / "r"), "--quiet"]
    loaded = loaded_after(f"from gaincurve.cli import main; assert main({arguments!r}) == 0")
    assert loaded & HEAVY == {"numpy"}
