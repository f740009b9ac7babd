"""`jantaku games`: the finished matches of a server's data."""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from .command import DONE, FAILED, CommandError, counted

EXAMPLES: Final = """\
examples:
  jantaku games
  jantaku games --data games --json

Newest first, those of private tables too, which the server itself lists for nobody. The replays
lie in the folder `replays` of the data; `jantaku replay verify` and `jantaku replay show` read
them. With --json one object: `games`, a list with `id`, `started` and `ended` (seconds since
1970), `rules` (a preset), `length`, `changes` (which other options differ from the preset, in
words), `hands`, `replay` (a file name), `private`, and `players` with `seat`, `name`, `kind`,
`placement`, `score`, `points`."""


def add_parser(subparsers: Any) -> None:
    """Add the subcommand `games`."""
    parser = subparsers.add_parser(
        "games",
        help="list the finished matches of a server",
        description="List the finished matches of a server's data.",
        epilog=EXAMPLES,
    )
    parser.add_argument(
        "--data", metavar="DIR", help="folder of the server's data (the server's default)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the matches."""
    from jantaku_server.replay_files import list_games
    from jantaku_server.settings import SettingsError, read_settings

    try:
        data = read_settings({"data": arguments.data}, os.environ).data
    except SettingsError as error:
        raise CommandError(str(error)) from None
    try:
        games = list_games(data, newest=-1, private=True)  # all of them
    except FileNotFoundError as error:
        raise CommandError(str(error)) from None
    except sqlite3.Error as error:
        raise CommandError(f"{data}: the database cannot be read: {error}", FAILED) from None
    if arguments.json:
        print(json.dumps({"games": games}, ensure_ascii=False))
    else:
        print("\n".join(line for game in games for line in as_lines(game, data)) or "no games yet")
    return DONE


def as_lines(game: Mapping[str, Any], data: Path) -> list[str]:
    """One match: a line of its own, and one for each player, the winner first."""
    ended = datetime.fromtimestamp(game["ended"]).astimezone().strftime("%Y-%m-%d %H:%M")
    replay = data / "replays" / game["replay"]
    players = sorted(game["players"], key=lambda player: player["placement"])
    width = max((len(player["name"]) for player in players), default=0)
    changes = f" ({game['changes']})" if game["changes"] else ""
    rules = f"{game['rules']}{changes} {game['length']}"
    private = "private  " if game["private"] else ""
    return [
        f"{game['id']}  {ended}  {rules}, {counted(game['hands'], 'hand')}  {private}{replay}",
        *(
            f"  {player['placement']}.  {player['name']:<{width}}  {player['score']:>7}"
            f"  {player['points']:>+7.1f}  seat {player['seat']}"
            for player in players
        ),
    ]
