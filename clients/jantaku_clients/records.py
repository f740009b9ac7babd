"""What the commands that read records share: where the records lie, and their rules."""

from __future__ import annotations

import argparse
import sys
from typing import Any, Final

from jantaku_engine.rules import Ruleset
from jantaku_replays.files import STDIN, RecordFiles
from jantaku_replays.record import NotRiichiError, Record, RecordError

from .command import CommandError, read_rules, shortened

RULES_HELP: Final = (
    "a preset or .toml: what mjai logs or Tenhou JSON were played by, if not Tenhou's"
)


def add_paths(parser: Any) -> None:
    """Add the argument `paths`."""
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="PATH",
        help="a file, a folder, a .zip of records or one of them (GAMES.zip/GAME.xml),"
        " a link to Tenhou's viewer, or - for stdin",
    )


def add_rules(parser: Any) -> None:
    """Add the option `--rules`."""
    parser.add_argument("--rules", metavar="RULES", help=RULES_HELP)


def named_rules(arguments: argparse.Namespace) -> Ruleset | None:
    """The ruleset that the user named.

    Raises:
        CommandError: it cannot be read.
    """
    return None if arguments.rules is None else read_rules(arguments.rules)


def record_files(paths: list[str]) -> RecordFiles:
    """The records under the paths that a user named.

    Raises:
        CommandError: stdin twice.
    """
    if paths.count(STDIN) > 1:
        raise CommandError("- (stdin) can be read only once")
    # There may be no stdin at all.
    return RecordFiles(paths, getattr(sys.stdin, "buffer", None))


def read_one(place: str, rules: Ruleset | None) -> tuple[str, Record]:
    """The record at a path, in a link or on stdin, as it was written, and its name for messages.

    Raises:
        CommandError: nothing there, more than one record, or one that cannot be read.
    """
    with record_files([place]) as files:
        if len(files.sources) > 1:
            names = shortened([source.name for source in files.sources])
            count = len(files.sources)
            raise CommandError(f"{place}: has {count} records; name one of them ({names})")
        if not files.sources:
            raise CommandError(str(files.problems[0]))
        name = files.sources[0].name
        try:
            return name, files.read(files.sources[0], rules)
        except (RecordError, NotRiichiError) as error:
            raise CommandError(f"{name}: {error}") from None
