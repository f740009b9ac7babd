"""`jantaku bot`: a house bot or any mjai program at a table of a running server."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import dataclasses
import shutil
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

from .address import Address, AddressError, parse_address
from .bots import BOTS, BotError, make_bot
from .command import BAD_USAGE, DONE, FAILED, CommandError

if TYPE_CHECKING:
    # The network is loaded when it is used, not by every other command.
    from .client import Result

    Report = Callable[[Result], None]

EXAMPLES: Final = """\
examples:
  jantaku bot http://127.0.0.1:8765 --bot greedy
  jantaku bot http://127.0.0.1:8765/#/t/ID --bot random --games 3
  jantaku bot http://127.0.0.1:8765 --exec "python3 mybot.py {seat}" --name "my bot"

URL is what `jantaku serve` prints, or the link of a table as a browser shows it, which ends in
/#/t/ID, or /#/c/CODE for a private one. Without a table the bot takes a free public seat, or
makes a table with three house bots. `{seat}` becomes the number of the seat, 0 to 3. The
placements go to stdout when a game is over.

How an mjai program talks (--style):
  line    one answer for every line it reads, {"type":"none"} where there is nothing to do
  act     an answer only when it acts; when it passes, {"type":"none"} or nothing
  batch   reads a JSON array of the events since its last decision, answers each array once
  auto    line or act, found out from its answers
A program that passes in silence is waited for until its clock runs out, since it might still be
thinking. Where it is quick, --pass-after 500 takes half a second of silence for a pass."""

STYLES: Final = ("auto", "line", "act", "batch")

_SAVED_S: Final = 30.0
_SCRIPTS: Final = (".py", ".rb", ".js", ".ts", ".pl", ".sh")


def add_parser(subparsers: Any) -> None:
    """Add the subcommand `bot`."""
    parser = subparsers.add_parser(
        "bot",
        help="connect a house bot or an mjai program to a server",
        description="Connect a house bot, or any mjai program, to a table of a running server.",
        epilog=EXAMPLES,
    )
    parser.add_argument("url", metavar="URL", help="address of a server or link of a table")
    who = parser.add_mutually_exclusive_group(required=True)
    who.add_argument("--bot", metavar="NAME", help=f"a house bot: {', '.join(BOTS)}")
    who.add_argument("--exec", metavar="COMMAND", dest="command_line", help="an mjai program")
    parser.add_argument("--style", choices=STYLES, help="how the program talks (auto)")
    parser.add_argument(
        "--pass-after", type=_milliseconds, metavar="MS", help="silence that is a pass (never)"
    )
    parser.add_argument("--name", help="name at the table (the bot's or the program's)")
    parser.add_argument("--table", metavar="ID", help="a public table")
    parser.add_argument("--code", metavar="CODE", help="a private table")
    parser.add_argument(
        "--games", type=_count, default=1, metavar="N", help="how many games to play (1)"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play the games and print their placements."""
    from .client import ClientError

    address = _address(arguments)
    try:
        if arguments.bot is not None:
            asyncio.run(_play_house(address, arguments))
        else:
            asyncio.run(_play_program(address, arguments))
    except ClientError as error:
        raise CommandError(str(error), FAILED) from None
    return DONE


# ---------------------------------------------------------------------- arguments


def _address(arguments: argparse.Namespace) -> Address:
    try:
        address = parse_address(arguments.url)
    except AddressError as error:
        raise CommandError(str(error)) from None
    if arguments.table and arguments.code:
        raise CommandError("--table and --code name two tables; give one of them")
    if arguments.table or arguments.code:
        if address.table or address.code:
            raise CommandError("the link names a table already; leave out --table and --code")
        address = dataclasses.replace(
            address, table=arguments.table or "", code=arguments.code or ""
        )
    return address


def _name(wanted: str | None, default: str) -> str:
    from jantaku_server import wire

    field = wire.CLIENT_MESSAGES["join"]["name"]
    if wanted is None:
        return default if field.check(default) else "mjai"
    if not field.check(wanted):
        raise CommandError(f"--name must be {field.says}")
    return wanted


def _program_name(words: Sequence[str]) -> str:
    """What to call a program: its script where an interpreter runs it."""
    scripts = (Path(word) for word in words[1:] if Path(word).suffix in _SCRIPTS)
    return next((script.stem for script in scripts), Path(words[0]).name)


def _count(text: str) -> int:
    return _whole(text, 1, 1_000_000)


def _milliseconds(text: str) -> int:
    return _whole(text, 1, 60_000)


def _whole(text: str, low: int, high: int) -> int:
    if not (text.isascii() and text.isdigit() and low <= int(text) <= high):
        raise argparse.ArgumentTypeError(f"must be a whole number from {low} to {high}")
    return int(text)


# ---------------------------------------------------------------------- playing


async def _play_house(address: Address, arguments: argparse.Namespace) -> None:
    from .client import Client

    bot = arguments.bot
    try:
        make_bot(bot, Random())
    except BotError as error:
        raise CommandError(str(error), BAD_USAGE) from None
    if arguments.style or arguments.pass_after:
        raise CommandError("--style and --pass-after are for --exec")
    name = _name(arguments.name, bot)
    async with Client(address, program=f"jantaku bot {bot}") as client:

        async def play(games: int, report: Report) -> None:
            if not client.table:
                await client.sit(name)
                _tell_seat(client.table, client.seat)
            report(await client.play_as(make_bot(bot, Random())))
            # The next command of a script may be about the replay.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_SAVED_S):
                    await client.finished()
            if games > 1:
                await client.rematch()
            else:
                await client.leave()

        await _play_all(address, arguments.games, play)


async def _play_program(address: Address, arguments: argparse.Namespace) -> None:
    from .mjai_pipe import Pipe, split_command

    try:
        words = split_command(arguments.command_line)
    except ValueError as error:
        raise CommandError(f"--exec: {error}") from None
    if shutil.which(words[0]) is None:
        raise CommandError(f"--exec: there is no program {words[0]!r}")
    pipe = Pipe(
        address,
        words,
        _name(arguments.name, _program_name(words)),
        arguments.style or "auto",
        arguments.pass_after or 0,
        on_seat=_tell_seat,
    )

    async def play(games: int, report: Report) -> None:
        report(await pipe.play(games))
        if games == 1:
            await pipe.close()

    try:
        await _play_all(address, arguments.games, play)
    finally:
        await pipe.close()


async def _play_all(
    address: Address, games: int, play: Callable[[int, Report], Awaitable[None]]
) -> None:
    """Play games, all at the table of the address, or each at a table of its own.

    `play` is told how many games are left at its table.
    """
    stays = bool(address.table or address.code)
    for game in range(games):
        title = f"game {game + 1} of {games}:\n" if games > 1 else ""

        def report(result: Result, title: str = title) -> None:
            print(title + "\n".join(result.lines()), flush=True)

        await play(games - game if stays else 1, report)


def _tell_seat(table: str, seat: int) -> None:
    print(f"seat {seat} of table {table}", file=sys.stderr, flush=True)
