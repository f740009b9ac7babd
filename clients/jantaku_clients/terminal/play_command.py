"""`jantaku play`: a seat at a table of a running server, in the terminal."""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import getpass
import sys
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final

from rich.console import Console

from ..command import DONE, FAILED, CommandError, read_rules
from .tiles import Look

if TYPE_CHECKING:
    from ..client import Client

EXAMPLES: Final = """\
examples:
  jantaku play http://127.0.0.1:8765                a free seat, or a new table with house bots
  jantaku play http://127.0.0.1:8765/#/t/ID         that table (a private one: /#/c/CODE)
  jantaku play http://127.0.0.1:8765 --create --free 3 --private --length tonpuu
                                                    a new table for four people, by its code
  jantaku play http://127.0.0.1:8765 --resume TOKEN back to a seat that was left

Arrows and enter, a number and enter, or a letter choose; ? shows all keys.
"""

PATIENCE_S: Final = 600.0
"""How long a lost connection is tried again."""


def add_parser(subparsers: Any) -> None:
    """Add the subcommand `play`."""
    parser = subparsers.add_parser(
        "play",
        help="play at a table of a running server, in the terminal",
        description="Play at a table of a running server, in the terminal.",
        epilog=EXAMPLES,
    )
    parser.add_argument("url", metavar="URL", help="the server, or the link of a table")
    parser.add_argument("--name", default="", help="your name at the table (your login name)")
    parser.add_argument("--resume", metavar="TOKEN", help="come back to a seat by its token")
    table = parser.add_argument_group("a table of your own")
    table.add_argument("--create", action="store_true", help="make a new table")
    table.add_argument(
        "--free", type=int, choices=range(4), default=0, help="seats kept free for people (0)"
    )
    table.add_argument("--bot", default="greedy", help="house bot on the other seats (greedy)")
    table.add_argument("--rules", metavar="R", help="preset or FILE.toml (the server's own)")
    table.add_argument("--length", choices=("tonpuu", "hanchan"), help="length (as in the rules)")
    table.add_argument("--clock", default="people", help="people, slow, fast (people)")
    table.add_argument("--private", action="store_true", help="only who has the code may join")
    table.add_argument("--chat", action="store_true", help="phrases may be said")
    for flag, meaning in (
        ("--pace", "thinking of house bots"),
        ("--window", "time to claim a discard"),
        ("--pause", "time to read a result"),
    ):
        table.add_argument(flag, type=int, metavar="MS", help=f"{meaning} (the server's)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play until the player leaves."""
    from ..address import AddressError, parse_address
    from ..client import Client, ClientError, Retry

    console = Console()
    if not sys.stdin.isatty() or not console.is_terminal or console.is_dumb_terminal:
        raise CommandError("needs a terminal with keys; programs play by `jantaku bot`")
    try:
        address = parse_address(arguments.url)
    except AddressError as error:
        raise CommandError(str(error)) from None
    settings = _settings(arguments)
    told: list[Callable[[], None]] = []

    async def sleep(seconds: float) -> None:
        for tell in told:
            tell()
        await asyncio.sleep(seconds)

    retry = Retry(longest=2.0, patience=PATIENCE_S, sleep=sleep)
    client = Client(address, retry=retry, program="jantaku play")
    try:
        return asyncio.run(_play(client, arguments, settings, Look.of(console), told))
    except ClientError as error:
        raise CommandError(str(error), FAILED) from None


async def _play(
    client: Client,
    arguments: argparse.Namespace,
    settings: dict[str, Any],
    look: Look,
    told: list[Callable[[], None]],
) -> int:
    from .play_app import Play

    async with client:
        owner, link = await _sit(client, arguments, settings)
        app = Play(client, owner, link, look)
        told.append(app.lost)
        await app.run_async()
    if app.game.over is None and client.token:
        server = dataclasses.replace(client.address, table="", code="")
        print(f"your seat waits: jantaku play {server} --resume {client.token}")
    if app.failure:
        raise CommandError(app.failure, FAILED)
    return DONE


async def _sit(
    client: Client, arguments: argparse.Namespace, settings: dict[str, Any]
) -> tuple[str, str]:
    """Take a seat as the arguments say; the owner's token and the link of a new table, or ""."""
    from ..client import Refused

    name = arguments.name or _login_name()
    join: Callable[..., Awaitable[None]] = client.join
    if arguments.resume:
        await client.resume(arguments.resume)
        return "", ""
    address = client.address
    if address.table or address.code:
        await join(name, address.table, address.code, kind="person")
        return "", ""
    if not arguments.create:
        for table in await client.tables():
            free = any(seat["kind"] == "open" for seat in table["seats"])
            if table["state"] == "waiting" and free:
                try:
                    await join(name, table["table"], kind="person")
                except Refused:
                    continue  # somebody else was quicker
                return "", ""
    if arguments.bot not in client.welcome["bots"]:
        known = ", ".join(client.welcome["bots"])
        raise CommandError(f"--bot: the server has no house bot {arguments.bot!r}; it has {known}")
    made = await client.create(**settings)
    await join(name, made["table"] if not made["code"] else "", made["code"] or "", kind="person")
    link = dataclasses.replace(address, table=made["table"])
    if made["code"]:
        link = dataclasses.replace(address, code=made["code"])
    return str(made["owner"]), str(link) if arguments.free else ""


def _settings(arguments: argparse.Namespace) -> dict[str, Any]:
    """The fields of `create`."""
    seats = ["open"] * (1 + arguments.free) + [f"bot:{arguments.bot}"] * (3 - arguments.free)
    settings: dict[str, Any] = {
        "seats": seats,
        "clock": arguments.clock,
        "private": arguments.private,
        "chat": arguments.chat,
        "pace_ms": arguments.pace,
        "call_window_ms": arguments.window,
        "pause_ms": arguments.pause,
    }
    if arguments.rules:
        rules = read_rules(arguments.rules)
        if arguments.length:
            rules = dataclasses.replace(rules, length=arguments.length)
        settings["rules"] = rules.to_dict()
    elif arguments.length:
        settings["rules"] = {"length": arguments.length}
    return settings


def _login_name() -> str:
    try:
        return getpass.getuser()[:40] or "guest"
    except (OSError, KeyError):
        return "guest"
