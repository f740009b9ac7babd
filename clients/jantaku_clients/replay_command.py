"""`jantaku replay`: what can be done with records of games."""

from __future__ import annotations

import importlib
from typing import Any, Final

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
        help="verify and convert records of games",
        description="Work with records of games.",
        epilog="example: jantaku replay verify games.zip",
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in COMMANDS:
        importlib.import_module(f"{__package__}.{name}").add_parser(commands)
