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

_EXAMPLE = """example:
  jantaku serve --port 8765 --data games --rules tenhou

Every setting can also stand in a TOML file (--config FILE) or in the environment as
JANTAKU_ and its name in capitals; a flag wins over the environment, that over the file."""


def add_parser(subparsers: Any) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser("serve", help="run the server", epilog=_EXAMPLE)
    parser.add_argument("--host", help="address to listen on (127.0.0.1)")
    parser.add_argument("--port", type=int, help="port to listen on (8765; 0: a free one)")
    parser.add_argument("--data", metavar="DIR", help="folder of the database and the replays")
    parser.add_argument("--rules", metavar="R", help="preset or FILE.toml of new tables (standard)")
    parser.add_argument("--config", metavar="FILE", help="settings in a TOML file")
    parser.add_argument(
        "--demo", action="store_true", default=None, help="keep a table of four house bots"
    )
    parser.add_argument("--log-level", help="debug, info, warning, error (info)")
    parser.add_argument("--log-format", help="console, json, auto (auto)")
    parser.add_argument("--max-tables", type=int, help="most tables at once (2000)")
    parser.add_argument("--max-connections", type=int, help="most connections at once (10000)")
    parser.add_argument(
        "--origin", action="append", dest="origins", help="a web origin to allow (may repeat)"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the server until Ctrl-C."""
    from jantaku_server.app import StartError, set_up_logs
    from jantaku_server.app import run as run_server
    from jantaku_server.journal import JournalError
    from jantaku_server.settings import SETTINGS, SettingsError, read_settings

    text = ""
    if arguments.config:
        try:
            text = Path(arguments.config).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{arguments.config}: {error}") from None
    flags = {name: getattr(arguments, name, None) for name in SETTINGS}
    try:
        settings = read_settings(flags, os.environ, text, arguments.config or "")
    except SettingsError as error:
        raise CommandError(str(error)) from None
    rules = read_rules(settings.rules)
    set_up_logs(settings.log_level, settings.log_format)

    def ready(app: Any) -> None:
        print(_welcome(app.settings.host, app.port, app.settings.data), flush=True)

    try:
        kept = asyncio.run(run_server(settings, rules, BOTS, version(), ready, WEB))
    except (StartError, JournalError) as error:
        raise CommandError(str(error), FAILED) from None
    print("stopped; every table is kept", file=sys.stderr)
    return DONE if kept else FAILED


def _welcome(host: str, port: int, data: Path) -> str:
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{port}"
    return "\n".join(
        (
            f"Jantaku is at {address}",
            f"  connect a bot:  jantaku bot {address} --bot greedy",
            f'  an mjai bot:    jantaku bot {address} --exec "COMMAND {{seat}}"',
            f"  games played:   jantaku games --data {data}",
            "  stop:           Ctrl-C; every table is kept",
        )
    )
