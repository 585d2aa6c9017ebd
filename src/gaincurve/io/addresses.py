"""What a path given as judgments or runs leads to: a file, a folder, a pattern, or FILE#NAME, a part of one."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator, Sequence

from gaincurve.io.formats import beir

Path = str | os.PathLike[str]

SUFFIXES = (".parquet", ".pq", ".arrow", ".feather", ".ipc", ".arrows")
"""Of files that are looked for in folders."""

KEY = re.compile(r"([^=/]+)=([^/]*)/")
"""A folder whose name gives a column and its value, as in run=bm25/part-0.parquet."""

_NULL = "__HIVE_DEFAULT_PARTITION__"
_MAGIC = {b"PAR1": "Parquet", b"ARROW1": "Arrow file", b"\xff\xff\xff\xff": "Arrow stream"}
_HEAD = 1 << 12
_PART = re.compile(r"part[-_.]?\d|\d+\.", re.IGNORECASE)


def split_part(path: Path) -> tuple[str, str]:
    """'preds.json#default/test' as file and part; a path without '#', or of a file that has it in its name, alone."""
    text = os.fspath(path)
    file, mark, part = text.rpartition("#")
    return (text, "") if not mark or not file or os.path.exists(text) else (file, part)


def is_table(path: Path) -> bool:
    """Whether a path leads to Parquet or Arrow data, by the first bytes, or to a folder of such files."""
    file, _ = split_part(path)
    if os.path.isdir(file):
        return bool(files_in(file))
    return bool(kind_of(file))


def expanded(paths: Sequence[Path]) -> list[str]:
    """Patterns such as runs/*.parquet as their files, and folders of tables as the tables in them.

    A folder is one table if its files are named part-… or numbered, or lie in folders named key=value, as Spark, Dask
    and Polars write them; otherwise each of its files is a table of its own, and each of its folders by the same rule.
    """
    listed: list[str] = []
    for text in [os.fspath(path) for path in paths]:
        if os.path.isdir(text):
            listed += _tables_in(text) or [text]
        elif not os.path.exists(text) and glob.has_magic(text):
            listed += sorted(glob.glob(text, recursive=True)) or [text]
        else:
            listed.append(text)
    return listed


def files_of(path: str) -> Iterator[str]:
    """All files that a path may lead to: without its #PART, by its pattern, in its folder of tables or of BEIR."""
    file, _ = split_part(path)
    for place in glob.glob(file, recursive=True) if not os.path.exists(file) and glob.has_magic(file) else [file]:
        yield place
        if os.path.isdir(place):
            yield from files_in(place)
            yield from beir.files_in(place)


def parts_or_files(path: Path) -> list[Path]:
    """A folder of text whose files are named as parts of one table, as itself; otherwise each of its files."""
    text = os.fspath(path)
    if not os.path.isdir(text) or files_in(text):
        return [path]
    files = parts_in(text)
    one_table = all(_PART.match(os.path.basename(file)) for file in files) or not all(map(os.path.isfile, files))
    return [path] if one_table else [*files]


def parts_in(folder: str) -> list[str]:
    """The tables in a folder, or where it has none what is visible in it."""
    visible = sorted(name for name in os.listdir(folder) if not name.startswith((".", "_")))
    return files_in(folder) or [os.path.join(folder, name) for name in visible]


def kind_of(file: str) -> str:
    """Parquet, Arrow file or stream, by the first bytes; '' for anything else, and for what cannot be read twice."""
    if not os.path.isfile(file):
        return ""
    try:
        with open(file, "rb") as opened:
            head = opened.read(_HEAD)
    except OSError:  # the reader reports what is wrong with it
        return ""
    kind = next((kind for magic, kind in _MAGIC.items() if head.startswith(magic)), "")
    return kind if b"\0" in head else ""  # a topic may begin like a binary format


def keys_in(folder: str) -> list[tuple[str, str | None]]:
    """The columns that the names of folders give, as Hive and its heirs write them: escaped, with a word for null."""
    from urllib.parse import unquote  # noqa: PLC0415 -- it loads much that text needs not

    return [(unquote(name), None if value == _NULL else unquote(value)) for name, value in KEY.findall(folder + "/")]


def files_in(folder: str) -> list[str]:
    """The Parquet and Arrow files in a folder and in those below it, in order of their names."""
    files = list[str]()
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith((".", "_"))]
        visible = (name for name in names if not name.startswith((".", "_")))
        files += [os.path.join(place, name) for name in visible if name.lower().endswith(SUFFIXES)]
    return sorted(files)


def _tables_in(folder: str) -> list[str]:
    """The tables in a folder, in order of their names: the folder itself, or its files and those of its folders."""
    inside = [os.path.relpath(file, folder) for file in files_in(folder)]
    if inside and all(KEY.match(file) or _PART.match(file) for file in inside):
        return [folder]
    tables = []
    for first in sorted({os.path.join(folder, file.split(os.sep, 1)[0]) for file in inside}):
        tables += _tables_in(first) if os.path.isdir(first) else [first]
    return tables
