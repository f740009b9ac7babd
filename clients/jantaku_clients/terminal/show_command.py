"""`jantaku replay show`: the table of a record at any step, and a summary of the game."""

from __future__ import annotations

import argparse
import io
import sys
from typing import Any, Final

from rich.console import Console
from rich.text import Text

from jantaku_engine.match import DEFAULT_NAMES
from jantaku_replays.record import RecordError
from jantaku_replays.verify import complete

from ..command import DONE, CommandError
from ..records import add_rules, named_rules, read_one
from .cursor import Cursor, NoSuchStep
from .tiles import Look

EXAMPLES: Final = """\
examples:
  jantaku replay show game.xml                        the end of the game, and its summary
  jantaku replay show game.xml --kyoku 3              the end of the third hand
  jantaku replay show game.xml --kyoku S2-1 --step 40 South 2 with one honba after 40 events
  jantaku replay show game.mjson --seat 2             what seat 2 could see, with seat 2 below
  jantaku replay show - < game.mjson                  a record on stdin
  jantaku replay show game.mjson --follow             step through it by keys (? lists them)

Tiles are mpsz: 0p is the red five. A meld has the called tile in brackets where it lies:
(3)24m from the left, 7(7)7p from across, 77(7)p from the right; [1111m] is an ankan.
In rivers * is the riichi tile, ^ was called, # is both, a faint tile (. without colours) was
discarded as drawn. NO_COLOR, a pipe and a dumb terminal have no colours.
"""


def add_parser(commands: Any) -> None:
    """Add `show` to the subcommands of `jantaku replay`."""
    parser = commands.add_parser(
        "show",
        help="show the table of a record at a step",
        description="Show the table of a record at a step, or step through the game.",
        epilog=EXAMPLES,
    )
    parser.add_argument(
        "file",
        metavar="FILE",
        help="a record, a .zip with one, a link to Tenhou's viewer, or - for stdin",
    )
    parser.add_argument(
        "--kyoku", metavar="N", help="a hand: its number from 1, or its name such as E1-0 (last)"
    )
    parser.add_argument(
        "--step",
        type=int,
        metavar="K",
        help="events since the deal; -1 is the last one (-1)",
    )
    parser.add_argument(
        "--seat", type=int, choices=range(4), metavar="S", help="show only what seat 0-3 could see"
    )
    parser.add_argument("--follow", action="store_true", help="step through the game by keys")
    parser.add_argument(
        "--summary", action="store_true", help="the summary of the game and nothing else"
    )
    parser.add_argument("--hide-names", action="store_true", help="players are called A, B, C, D")
    add_rules(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Show one record."""
    name, record = read_one(arguments.file, named_rules(arguments))
    try:
        record = complete(record)[0]
    except RecordError as error:
        raise CommandError(f"{name}: {error}") from None
    names = DEFAULT_NAMES if arguments.hide_names else record.names
    console = Console(highlight=False)
    look = Look.of(console)
    cursor = Cursor(record, names, arguments.seat)
    if arguments.summary:
        _print(console, cursor.summary(look))
        return DONE
    try:
        if arguments.kyoku is not None:
            cursor.go_to_kyoku(arguments.kyoku)
        else:
            cursor.go_to_hand(0 if arguments.follow or arguments.step is not None else -1)
        step = arguments.step
        if step is None:
            step = 0 if arguments.follow else -1
        cursor.go_to_step(step)
    except NoSuchStep as error:
        raise CommandError(f"{name}: {error}") from None
    if arguments.follow:
        if not sys.stdin.isatty() or console.is_dumb_terminal or not console.is_terminal:
            raise CommandError("--follow needs a terminal with keys; leave it out, or name a step")
        from .follow import Follow

        Follow(cursor, look).run()
        return DONE
    lines = cursor.lines(look)
    if arguments.kyoku is None and arguments.step is None:
        lines += [Text(), *cursor.summary(look)]
    _print(console, lines)
    return DONE


def _print(console: Console, lines: list[Text]) -> None:
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A name may have letters that this output cannot show.
        sys.stdout.reconfigure(errors="replace")
    for line in lines:
        line.rstrip()
        console.print(line, soft_wrap=True)
