"""`jantaku serve`: run the server."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from pathlib import Path
from typing import Any

from .bots import BOTS
from .command import DONE, FAILED, CommandError, read_rules, version

WEB = Path(__file__).parent / "web"
"""The web client's files."""

_EXAMPLE = """examples:
  jantaku serve --port 8765 --data games --rules tenhou
  jantaku serve --host 0.0.0.0        for the machines of friends, too: prints the address

Every setting can also stand in a TOML file (--config FILE) or in the environment as
JANTAKU_ and its name in capitals; a flag wins over the environment, that over the file.
Ctrl-C stops the server and keeps every table: the next start goes on with them."""


def add_parser(subparsers: Any) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "serve",
        help="run the server",
        description="Run the server: tables over websockets, the web client, saved replays.",
        epilog=_EXAMPLE,
    )
    add = parser.add_argument
    add("--host", metavar="H", help="address to listen on (127.0.0.1)")
    add("--port", metavar="P", type=int, help="port to listen on (8765; 0: a free one)")
    add("--data", metavar="DIR", help="folder of the database and the replays (the user's own)")
    add("--rules", metavar="R", help="preset or FILE.toml of tables that name no preset (standard)")
    add("--config", metavar="FILE", help="settings in a TOML file")
    add(
        "--demo",
        action=argparse.BooleanOptionalAction,
        help="keep a table of four house bots (no)",
    )
    add("--log-level", metavar="L", help="debug, info, warning or error (info)")
    add("--log-format", metavar="F", help="console, json or auto (auto)")
    add("--max-tables", metavar="N", type=int, help="most tables at once (2000)")
    add("--max-connections", metavar="N", type=int, help="most connections at once (10000)")
    add(
        "--origin",
        metavar="ORIGIN",
        action="append",
        dest="origins",
        help="a web origin to allow besides the server's own (may repeat)",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the server until Ctrl-C or SIGTERM."""
    from jantaku_server.app import App, StartError
    from jantaku_server.app import run as run_server
    from jantaku_server.journal import JournalError
    from jantaku_server.logs import set_up_logs
    from jantaku_server.settings import SETTINGS, SettingsError, read_settings

    text = ""
    if arguments.config:
        try:
            text = Path(arguments.config).read_text(encoding="utf-8")
        except OSError as error:
            raise CommandError(f"{arguments.config}: cannot be read: {error.strerror}") from None
        except UnicodeDecodeError:
            raise CommandError(f"{arguments.config}: is not UTF-8 text") from None
    flags = {name: getattr(arguments, name, None) for name in SETTINGS}
    try:
        settings = read_settings(flags, os.environ, text, arguments.config or "")
    except SettingsError as error:
        raise CommandError(str(error)) from None
    rules = read_rules(settings.rules)
    set_up_logs(settings.log_level, settings.log_format)

    def ready(app: App) -> None:
        print(_welcome(app.address, app.network_address, app.settings.data), flush=True)

    try:
        kept = asyncio.run(run_server(settings, rules, BOTS, version(), ready, WEB))
    except (StartError, JournalError) as error:
        raise CommandError(str(error), FAILED) from None
    if not kept:
        raise CommandError("the journal cannot be written (see the log); stopped", FAILED)
    print("stopped; every table is kept", file=sys.stderr)
    return DONE


def _welcome(address: str, network: str, data: Path) -> str:
    others = (
        f"open {network}" if network else "cannot get in; jantaku serve --host 0.0.0.0 lets them"
    )
    return "\n".join(
        (
            f"Jantaku is at {address}",
            f"  watch or join:  open {address} in a browser",
            f"  other machines: {others}",
            f"  in a terminal:  jantaku play {address}",
            f"  connect a bot:  jantaku bot {address} --bot greedy",
            f'  an mjai bot:    jantaku bot {address} --exec "COMMAND {{seat}}"',
            f"  games played:   jantaku games --data {data}",
            "  stop:           Ctrl-C; every table is kept",
        )
    )
