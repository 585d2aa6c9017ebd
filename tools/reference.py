"""Write docs/reference/*.md from the code: commands, measures, lists, errors. A test fails when they are stale.

usage: python tools/reference.py [--check]
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from gaincurve.catalogue import CATALOGUE
from gaincurve.cli import COMMANDS, gaincurve
from gaincurve.cli.explain import about_measure
from gaincurve.cli.ls import LISTS
from gaincurve.cli.pages import Command
from gaincurve.io.render import render
from gaincurve.measures.notation import definitions

HOME = Path(__file__).parent.parent / "docs" / "reference"
MADE = "<!-- made by `make docs` from the code; edit the code instead -->\n\n"


def commands() -> str:
    """Every command's help."""
    parts = ["# Commands\n"]
    context = click.Context(gaincurve, info_name="gaincurve", max_content_width=100, terminal_width=100)
    parts.append(f"```text\n{gaincurve.get_help(context)}\n```\n")
    for name in COMMANDS:
        command = gaincurve.get_command(context, name)
        if command is None:
            raise LookupError(name)
        inner = click.Context(command, info_name=name, parent=context, max_content_width=100, terminal_width=100)
        parts.append(f"## {name}\n\n```text\n{command.get_help(inner)}\n```\n")
        if isinstance(command, Command) and command.shared(inner):
            parts.append(f"`gaincurve {name} --help-choices`:\n\n```text\n{command.get_choices(inner)}\n```\n")
    return "\n".join(parts)


def measures() -> str:
    """Every measure's record."""
    parts = ["# Measures\n", render(LISTS["measures"](), "md")]
    for about in map(about_measure, definitions()):
        parts.append(f"## {about[0][1]}\n")
        for heading, text in about[1:]:
            lines = text.splitlines() if "\n\n" not in text else [text]
            body = "\n".join(f"- {line}" for line in lines) if len(lines) > 1 else text
            parts.append(f"**{heading}**\n\n{body}\n")
    return "\n".join(parts)


def lists() -> str:
    """Scenarios, formats, gains, discounts and rules."""
    parts = ["# Scenarios, formats, gains, discounts, rules, tests\n"]
    for name in ("scenarios", "formats", "gains", "discounts", "rules", "tests"):
        parts += [f"## {name.capitalize()}\n", render(LISTS[name](), "md")]
    return "\n".join(parts)


def errors() -> str:
    """A paragraph for every error slug."""
    parts = ["# Errors\n\nEvery error has a stable slug, printed in brackets: `error[slug]`. Exit code 2.\n"]
    for slug, entry in CATALOGUE.items():
        parts.append(f"## {slug}\n\n{entry.explanation}\n\n*Why:* {entry.why}.\n\n*Try:* {entry.hint}.\n")
    return "\n".join(parts)


PAGES = {"commands.md": commands, "measures.md": measures, "lists.md": lists, "errors.md": errors}


def page(name: str) -> str:
    """The text of one page."""
    return MADE + PAGES[name]().rstrip() + "\n"


def main() -> None:
    """Write the pages, or with --check tell which are stale."""
    stale = [name for name in PAGES if not (HOME / name).exists() or (HOME / name).read_text("utf-8") != page(name)]
    if "--check" in sys.argv:
        sys.exit(f"stale, run `make docs`: {', '.join(stale)}" if stale else 0)
    HOME.mkdir(parents=True, exist_ok=True)
    for name in stale:
        (HOME / name).write_text(page(name), "utf-8")
        print(f"wrote docs/reference/{name}")


if __name__ == "__main__":
    main()
