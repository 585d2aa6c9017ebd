"""The command line: one module per command, imported only when it is called."""

from __future__ import annotations

import errno
import gc
import importlib
import io
import os
import sys
from contextlib import suppress

import click

from gaincurve._version import __version__
from gaincurve.cli import streams
from gaincurve.cli.pages import Command
from gaincurve.errors import GaincurveError, Problem, nearest, visible

COMMANDS: dict[str, str] = {
    "demo": "Write a made-up experiment, evaluate it and draw it: the first thing to run.",
    "eval": "Score runs against judgments.",
    "curve": "Show CG, DCG, nCG, nDCG, P and R by rank, with the ideal; or precision by recall.",
    "effort": "Read curves sideways: how many documents each run takes for the same gain.",
    "compare": "Test which differences between systems are significant, and show how large they are.",
    "sweep": "Try other gains, discounts and cutoffs: does the verdict hold for another user?",
    "gate": "Fail if a candidate is worse than the baseline: beyond a limit, and significantly.",
    "agree": "Compare two judges: do they agree on grades, and on which system is better?",
    "pool": "Choose what to judge: depth, fused, adaptive or sampled pools of the runs' documents.",
    "decide": "Find which unjudged documents could still change the verdict, and which to judge next.",
    "votes": "Order systems without judgments: what many runs retrieve counts as relevant.",
    "estimate": "Estimate measures of a whole pool from a judged sample of it, with intervals.",
    "session": "Score whole search sessions: sDCG, nsDCG, curves over queries, first, last and best query.",
    "report": "Write one offline page: change the user model and see whether the verdict holds.",
    "explain": "Explain what a measure means, or how the number of a topic or session is computed.",
    "convert": "Convert judgments or a run from any format to another.",
    "check": "Look for what could change a number: ties, duplicates, unjudged documents.",
    "trec_eval": "Drop-in for trec_eval: same flags, same text, same exit codes.",
    "ls": "List measures, scenarios, formats, gains, discounts, rules, tests, pools, errors, or versions.",
}
"""Each command with its one line of help, so that --help imports none of them; a test compares the two."""


OTHER_NAMES = {"evaluate": "eval", "score": "eval", "plot": "curve", "list": "ls", "validate": "check", "lint": "check"}
"""What other programs call a command."""


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 -- click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"gaincurve.cli.{cmd_name}")
        if hasattr(module, "__path__"):  # a command with views or options of its own is a package
            module = importlib.import_module(f"gaincurve.cli.{cmd_name}.command")
        return Command.of(module.command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            known = OTHER_NAMES.get(args[0].lower())
            near = f" (did you mean {known}?)" if known else nearest(args[0], COMMANDS)
            ctx.fail(f"There is no command {visible(args[0], 60)!r}{near}.")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="gaincurve %(version)s")
def gaincurve() -> None:
    """Show which ranking serves its users better: by how much, at which rank, and for which kind of user.

    Judgments come first, then one or more runs. Try `gaincurve demo`, then `gaincurve eval JUDGMENTS RUN...`.
    """


def main(arguments: list[str] | None = None) -> int:
    """Run a command and return its exit code: 0 fine, 1 a check failed, 2 input or arguments, 3 our bug."""
    try:
        code = gaincurve.main(args=arguments, prog_name="gaincurve", standalone_mode=False)
        streams.finish()
    except (BrokenPipeError, SystemExit):  # click makes SystemExit(1) of a broken pipe, and of nothing else here
        with suppress(GaincurveError):
            streams.finish()
        return 0
    except Exception as error:
        return _report_error(error)
    except KeyboardInterrupt:
        streams.say("stopped")
        return 130
    except streams.Stopped as stopped:
        streams.say("stopped")
        return 128 + stopped.number
    return code if isinstance(code, int) else 0


def _report_error(error: Exception) -> int:
    """Report what went wrong, and return the exit code for it."""
    if isinstance(error, click.exceptions.Exit):
        return error.exit_code
    if isinstance(error, click.Abort):
        streams.say("stopped")
        return 130
    known = _as_message(error)
    if known is not None:
        streams.say(known)
        return 2
    if os.environ.get("GAINCURVE_DEBUG"):
        raise error
    streams.say(f"error[bug]: {type(error).__name__}: {error}")
    streams.say("  why  this is our mistake, not yours\n  try  again with GAINCURVE_DEBUG=1 and report what it prints")
    return 3


def _as_message(error: Exception) -> str | None:
    """The message for what a user or the machine can cause; None for a bug."""
    if isinstance(error, click.ClickException):
        text = io.StringIO()
        error.show(file=text)
        return text.getvalue().rstrip("\n")
    if isinstance(error, MemoryError):
        return str(Problem("memory", "there is not enough memory for this"))
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EBADF):
        return str(streams.unwritable(error))
    return str(error) if isinstance(error, GaincurveError) else None


def entry() -> None:
    """The console script, in a process of its own: what is set here is for all of it, before NumPy is imported."""
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")  # idle threads of NumPy's BLAS sleep instead of spinning
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")  # batches reuse memory that the system need not clear
    gc.set_threshold(100_000)  # imports make many objects and no garbage
    streams.prepare()
    sys.exit(main())
