"""What a user sees of a command: its own options on --help, shared ones on --help-choices, what a shell completes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial

import click
from click.shell_completion import CompletionItem

SHARED: dict[str, str] = {
    "choices": "What decides a number",
    "regions": "What decides a number",
    "discount_by_query": "What decides a number",
    "of_sessions": "How sessions are tested",
    "session_files": "How sessions are read",
    "reading": "How files are read",
}
"""Groups of options that many commands share, with their heading on the second page."""

_WORDS = re.compile(r"\w[\w.@-]*(\|\w[\w.@-]*)+")


class Command(click.Command):
    """A command whose help has two pages, and whose options and files a shell completes."""

    @classmethod
    def of(cls, command: click.Command) -> click.Command:
        """The same command with pages; one with another class of its own stays as it is."""
        paged = command
        if type(command) is click.Command:
            paged = cls(
                command.name,
                context_settings=command.context_settings,
                callback=command.callback,
                params=list(command.params),
                help=command.help,
            )
        if not isinstance(paged, Command) or any("--help-choices" in parameter.opts for parameter in paged.params):
            return paged
        if any(_group(parameter) for parameter in paged.params):
            paged.params.append(_second_page())
        for parameter in paged.params:
            complete = _completion(parameter)
            if complete is not None:
                setattr(parameter, "shell_complete", complete)  # noqa: B010 -- what click asks of every parameter
        return paged

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The command's own options in full, the shared ones by name."""
        shown = [p for p in self.get_params(ctx) if isinstance(p, click.Option) and not _group(p)]
        _write(ctx, formatter, "Options", shown)
        for heading, parameters in self.shared(ctx).items():
            with formatter.section(f"{heading} (see --help-choices)"):
                formatter.write_text(", ".join(parameter.opts[-1] for parameter in parameters))

    def shared(self, ctx: click.Context) -> dict[str, list[click.Parameter]]:
        """The shared options by heading."""
        by_heading: dict[str, list[click.Parameter]] = {}
        for parameter in self.get_params(ctx):
            if _group(parameter):
                by_heading.setdefault(SHARED[_group(parameter)], []).append(parameter)
        return by_heading

    def get_choices(self, ctx: click.Context) -> str:
        """The second page: the shared options in full."""
        formatter = ctx.make_formatter()
        self.format_usage(ctx, formatter)
        for heading, parameters in self.shared(ctx).items():
            _write(ctx, formatter, heading, parameters)
        return formatter.getvalue().rstrip("\n")


def mark(parameters: Iterable[click.Parameter], group: str) -> None:
    """Remember to which group of options parameters belong."""
    for parameter in parameters:
        if not _group(parameter):  # of two groups, one in the other, a shared one counts
            setattr(parameter, "group", group)  # noqa: B010 -- click's parameters have no place for it


def _group(parameter: click.Parameter) -> str:
    group = str(getattr(parameter, "group", ""))
    return group if group in SHARED else ""


def _write(
    ctx: click.Context, formatter: click.HelpFormatter, heading: str, parameters: Iterable[click.Parameter]
) -> None:
    records = [record for parameter in parameters if (record := parameter.get_help_record(ctx))]
    if records:
        with formatter.section(heading):
            formatter.write_dl(records)


def _second_page() -> click.Option:
    def show(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
        if asked and isinstance(ctx.command, Command):
            click.echo(ctx.command.get_choices(ctx))
            ctx.exit()

    return click.Option(
        ["--help-choices"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=show,
        help="Show the options that many commands share, with all their values.",
    )


Complete = Callable[[click.Context, str], list[CompletionItem]]


def _completion(parameter: click.Parameter) -> Complete | None:
    """What a shell offers: the words that an option takes, names of measures and scenarios, or files."""
    metavar = str(parameter.metavar or "")
    if metavar.endswith("FILE.toml"):
        return _scenarios
    if _WORDS.fullmatch(metavar):
        return partial(_words, metavar.split("|"))
    if isinstance(parameter, click.Argument):
        return _measures_or_files if metavar.startswith("MEASURE") else _files
    if "-m" in parameter.opts:
        return _measures
    return _files if metavar in ("FILE", "LOG", "DIR", "FOLDER") else None


def _words(words: Iterable[str], _: click.Context, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(word) for word in words if word.startswith(incomplete)]


def _files(_: click.Context, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(incomplete, type="file")]


def _measures(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    from gaincurve.measures.notation import definitions  # noqa: PLC0415 -- only for a shell that asks

    return _words([definition.name for definition in definitions()], ctx, incomplete)


def _measures_or_files(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    return _measures(ctx, incomplete) + _files(ctx, incomplete)


def _scenarios(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    from gaincurve.model.scenario import SCENARIOS  # noqa: PLC0415 -- only for a shell that asks

    return _words(SCENARIOS, ctx, incomplete) or _files(ctx, incomplete)
