"""`jantaku replay`: what can be done with records of games."""

from __future__ import annotations

import importlib
from typing import Any, Final

EXAMPLES: Final = """\
examples:
  jantaku replay verify games.zip                       is everything in them right?
  jantaku replay convert game.xml game.mjson            a record in another form
  jantaku replay show game.mjson --kyoku 3 --step 20    the table at a step
  jantaku replay prove game.mjson                       were the tiles fixed before the deal?
  jantaku replay stats games/                           figures of the players
"""

COMMANDS: Final = (
    "verify_command",
    "convert_command",
    "terminal.show_command",
    "prove_command",
    "stats_command",
)
"""Modules of this package that each add one subcommand with `add_parser(commands)`."""


def add_parser(subparsers: Any) -> None:
    """Add the subcommand `replay` with its own subcommands."""
    parser = subparsers.add_parser(
        "replay",
        help="verify, convert, show, prove and count records of games",
        description="Verify, convert, show, prove and count records of games: Jantaku's own, "
        "mjai logs, Tenhou XML and JSON.",
        epilog=EXAMPLES,
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in COMMANDS:
        importlib.import_module(f"{__package__}.{name}").add_parser(commands)
    for name, command in commands.choices.items():
        # Errors begin with the command that was given.
        command.set_defaults(command=f"replay {name}")
