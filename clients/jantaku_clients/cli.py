"""The command `jantaku`: finds the subcommand, and turns errors into one line and a status."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any, Final, NoReturn

from jantaku_engine.rules import RulesError
from jantaku_engine.tiles import TileError

from .command import BAD_USAGE, DONE, CommandError, engine_is_compiled, version

COMMANDS: Final = (
    "serve_command",
    "bot_command",
    "terminal.play_command",
    "score",
    "replay_command",
    "simulate_command",
    "rules_command",
    "games_command",
)
"""Modules of this package that each add one subcommand with `add_parser(subparsers)`.

The parser that it adds names its function with `set_defaults(run=...)`; `run(arguments)`
returns the exit status, and raises `CommandError` for what the user must repair.
"""

INTERRUPTED: Final = 130
PIPE_CLOSED: Final = 141


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, and whose help keeps the lines of its examples."""

    def __init__(self, *args: object, **options: object) -> None:
        options.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        options.setdefault("allow_abbrev", False)
        super().__init__(*args, **options)  # type: ignore[arg-type]

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Read the words; one that is not known is an error of this parser, not of a caller's."""
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return found, unknown

    def error(self, message: str) -> NoReturn:
        """Print one line and leave with status 2."""
        line = " ".join(message.split())
        self.exit(BAD_USAGE, f"{self.prog}: {line} (see {self.prog} --help)\n")


def build_parser() -> Parser:
    """The parser of the whole command."""
    parser = Parser(
        prog="jantaku",
        description="Riichi mahjong: run a server, play at it or send a bot, score hands,"
        " verify records, simulate games, read the rules.",
        epilog="""examples:
  jantaku serve --demo
  jantaku play http://127.0.0.1:8765
  jantaku rules tenhou""",
    )
    engine = "compiled" if engine_is_compiled() else "plain Python"
    parser.add_argument(
        "--version", action="version", version=f"jantaku {version()} ({engine} engine)"
    )
    subparsers = parser.add_subparsers(
        title="commands", metavar="COMMAND", dest="command", required=True, parser_class=Parser
    )
    for name in COMMANDS:
        importlib.import_module(f"{__package__}.{name}").add_parser(subparsers)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the result is its exit status.

    0 done, 1 found a difference or a failure, 2 bad usage or unreadable input.
    """
    command = "jantaku"
    try:
        try:
            arguments = build_parser().parse_args(argv)
        except SystemExit as exit_:
            sys.stdout.flush()
            return exit_.code if isinstance(exit_.code, int) else DONE
        command = f"jantaku {arguments.command}"
        status: int = arguments.run(arguments)
        sys.stdout.flush()
        return status
    except CommandError as error:
        print(f"{command}: {error}", file=sys.stderr)
        return error.status
    except (RulesError, TileError) as error:
        print(f"{command}: {error}", file=sys.stderr)
        return BAD_USAGE
    except BrokenPipeError:
        # Nobody reads on; the interpreter's own flush at exit must not complain either.
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
