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


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "trec_eval"])
def test_options_are_listed_without_the_arguments_of_the_usage_line(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Click 8.5 would list them as well, by name alone."""
    assert main([name, "--help"]) == 0
    options = capsys.readouterr().out.split("Options:\n", 1)[1]
    assert options.startswith("  -")


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
    front = capsys.readouterr().out
    assert main([name, "--help-choices"]) == 0
    second = capsys.readouterr().out
    assert front.index("Options:") < front.index("What decides a number (see --help-choices):")
    shown = front + second
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
        assert f"--{option}" in front
    for values in (FORMS, TIE_RULES, IDEALS, UNJUDGED, MISSING, FORMATS):
        assert all(value in shown for value in values)


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "demo"])
def test_examples_in_the_help_begin_with_the_program(name: str) -> None:
    text = inspect.cleandoc(command(name).help or "")
    assert f"gaincurve {name} " in text


@pytest.mark.parametrize("name", COMMANDS)
def test_the_first_page_is_short_and_the_second_holds_the_rest(name: str) -> None:
    context = click.Context(command(name), info_name=f"gaincurve {name}")
    front = command(name).get_help(context)
    assert len(front.splitlines()) <= 130
    for option in (p for p in command(name).params if isinstance(p, click.Option)):
        assert option.opts[-1] in front


def completed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], line: str) -> list[str]:
    """What bash is offered at the end of a line."""
    words = line.split(" ")
    monkeypatch.setenv("_GAINCURVE_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    assert main([]) == 0
    return capsys.readouterr().out.split()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("gaincurve comp", ["plain,compare"]),
        ("gaincurve eval --ties trec", ["plain,trec", "plain,trec-float32"]),
        ("gaincurve eval --discount j", ["plain,jk2002", "plain,jarvelin2008"]),
        ("gaincurve compare --test w", ["plain,wilcoxon"]),
        ("gaincurve eval -m nDC", ["plain,nDCG"]),
        ("gaincurve eval --scenario bu", ["plain,busy", "plain,burges"]),
        ("gaincurve eval --scenario my", ["file,my"]),
        ("gaincurve eval qre", ["file,qre"]),
        ("gaincurve ls me", ["plain,measures"]),
        ("gaincurve explain nsD", ["plain,nsDCG", "file,nsD"]),
        ("gaincurve eval q.qrels a.run -o res", ["file,res"]),
        ("gaincurve gate --max-t", ["plain,--max-topic-drop"]),
    ],
)
def test_a_shell_completes_commands_values_and_files(
    line: str, offered: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert completed(monkeypatch, capsys, line) == offered
