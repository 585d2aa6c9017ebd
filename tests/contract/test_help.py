"""Help: every command and option says what it does, and the short list agrees with the long texts."""

from __future__ import annotations

import inspect

import click
import pytest

from gaincurve.cli import COMMANDS, gaincurve, main
from gaincurve.io.render import FORMATS
from gaincurve.model.discount import FORMS
from gaincurve.model.order import TIE_RULES
from gaincurve.model.scenario import IDEALS, MISSING, UNJUDGED


def command(name: str) -> click.Command:
    found = gaincurve.get_command(click.Context(gaincurve), name)
    assert isinstance(found, click.Command)
    return found


@pytest.mark.parametrize("name", COMMANDS)
def test_one_liner_is_the_first_line_of_the_help(name: str) -> None:
    text = inspect.cleandoc(command(name).help or "")
    assert text.splitlines()[0] == COMMANDS[name]
    assert len(text.splitlines()) > 2
    assert command(name).name == name


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_help(name: str) -> None:
    options = [p for p in command(name).params if isinstance(p, click.Option)]
    assert [o.name for o in options if not (o.help or "").strip()] == []
    assert len({o.name for o in options}) == len(options)


def test_commands_of_the_issue_are_there() -> None:
    assert list(gaincurve.list_commands(click.Context(gaincurve))) == list(COMMANDS)
    assert set(COMMANDS) >= {"eval", "curve", "effort", "explain", "ls", "check", "demo"}


def test_the_front_page_lists_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    for name, line in COMMANDS.items():
        assert f"{name} {line}" in shown


@pytest.mark.parametrize("name", ["eval", "curve", "effort", "explain", "check"])
def test_choices_that_decide_a_number_are_options_with_every_value_told(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([name, "--help"]) == 0
    shown = capsys.readouterr().out
    for option in (
        "scenario",
        "gains",
        "discount",
        "base",
        "depth",
        "ideal",
        "ties",
        "unjudged",
        "missing",
        "format",
        "out",
    ):
        assert f"--{option}" in shown
    for values in (FORMS, TIE_RULES, IDEALS, UNJUDGED, MISSING, FORMATS):
        assert all(value in shown for value in values)


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "demo"])
def test_examples_in_the_help_begin_with_the_program(name: str) -> None:
    text = inspect.cleandoc(command(name).help or "")
    assert f"gaincurve {name} " in text
