"""`jantaku simulate`: whole games of house bots, counted and, if wanted, recorded."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import secrets
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from jantaku_replays.files import SUFFIXES

from .bots import BOTS
from .command import DONE, FAILED, CommandError, counted, engine_is_compiled, read_rules
from .simulate import Progress, Setup, SimulationError, simulate
from .tally import Tally

EXAMPLES: Final = """\
examples:
  jantaku simulate --games 100                       four greedy bots, a seed by chance
  jantaku simulate --games 1000 --seed 7 --bots greedy,random,random,tsumogiri
  jantaku simulate --games 10 --rules tenhou --length tonpuu --out games --json

Game number N (from 0) of a seed is always the same game, whatever --games and --jobs are.
Bots keep their seats: the first one deals East 1.
"""

_ROWS: Final = (
    ("average win", "average_win", "{:,.0f}"),
    ("average deal-in", "average_deal_in", "{:,.0f}"),
    ("average score", "average_score", "{:,.0f}"),
    ("average points", "average_points", "{:+.1f}"),
)
_RATES: Final = (
    ("win rate", "win_rate"),
    ("deal-in rate", "deal_in_rate"),
    ("riichi rate", "riichi_rate"),
    ("call rate", "call_rate"),
)
_PLACES: Final = ("1st", "2nd", "3rd", "4th")


def add_parser(subparsers: Any) -> None:
    """Add the subcommand `simulate`."""
    parser = subparsers.add_parser(
        "simulate",
        help="play whole games of house bots without a network",
        description="Play whole games of house bots without a network, and print figures.",
        epilog=EXAMPLES,
    )
    parser.add_argument(
        "--games", type=_count, required=True, metavar="N", help="how many games to play"
    )
    parser.add_argument(
        "--seed", type=_whole, metavar="S", help="a whole number (default: by chance, printed)"
    )
    parser.add_argument(
        "--bots",
        type=_bots,
        default=("greedy",) * 4,
        metavar="A,B,C,D",
        help=f"bots of seats 0-3, or one for all: {', '.join(BOTS)} (default: greedy)",
    )
    parser.add_argument(
        "--rules", default="standard", metavar="R", help="a preset or FILE.toml (default: standard)"
    )
    parser.add_argument(
        "--length", choices=("tonpuu", "hanchan"), help="length of a game (default: by the rules)"
    )
    parser.add_argument(
        "--jobs",
        type=_count,
        default=_cores(),
        metavar="J",
        help="processes that play (default: one for each core); without effect on the results",
    )
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="write every game there, seedS-gameN.mjson.gz"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play the games and print the figures."""
    rules = read_rules(arguments.rules)
    if arguments.length:
        rules = dataclasses.replace(rules, length=arguments.length)
    if arguments.out:
        _prepare(arguments.out)
    seed = arguments.seed
    if seed is None:
        # Small enough for every JSON reader, large enough never to come twice.
        seed = secrets.randbits(53)
        print(f"seed {seed}", file=sys.stderr)
    setup = Setup(rules, arguments.bots, seed)
    start = perf_counter()
    try:
        with _progress(arguments.games) as progress:
            tally = simulate(setup, arguments.games, arguments.jobs, arguments.out, progress)
    except SimulationError as error:
        raise CommandError(str(error), FAILED) from error
    except OSError as error:
        where = error.filename or arguments.out or "simulation"
        raise CommandError(f"{where}: {error.strerror}", FAILED) from None
    seconds = perf_counter() - start
    if arguments.json:
        print(json.dumps(as_json(setup, tally, seconds)))
    else:
        _print_table(setup, tally, seconds)
    return DONE


def as_json(setup: Setup, tally: Tally, seconds: float) -> dict[str, Any]:
    """The result as a JSON object."""
    return {
        "games": tally.games,
        "rounds": tally.rounds,
        "decisions": tally.decisions,
        "seconds": round(seconds, 3),
        "compiled": engine_is_compiled(),
        "seed": setup.seed,
        "bots": [
            {"seat": seat, "bot": setup.bots[seat], **tally.seats[seat].figures(tally.rounds)}
            for seat in range(4)
        ],
    }


# ---------------------------------------------------------------------- arguments


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a whole number, not {text!r}") from None


def _count(text: str) -> int:
    number = _whole(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, not {text!r}")
    return number


def _bots(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(","))
    for name in names:
        if name not in BOTS:
            raise argparse.ArgumentTypeError(
                f"no house bot is named {name!r}; there are {', '.join(BOTS)}"
            )
    if len(names) not in (1, 4):
        raise argparse.ArgumentTypeError(
            f"name one bot for all seats or four, one a seat, not {len(names)}"
        )
    return names * 4 if len(names) == 1 else names


def _cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _prepare(out: Path) -> None:
    """Make the folder, see that files can be written there, and say when others are there."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=out):
            pass
        mixed = any(path.name.lower().endswith(SUFFIXES) for path in out.iterdir())
    except FileExistsError:
        raise CommandError(f"--out {out}: is no folder") from None
    except OSError as error:
        raise CommandError(f"--out {out}: cannot be written: {error.strerror}") from None
    if mixed:
        print(
            f"jantaku simulate: --out {out}: has records already; these games come among them, "
            "over those of the same name",
            file=sys.stderr,
        )


# ---------------------------------------------------------------------- output


@contextmanager
def _progress(games: int) -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining

    console = Console(stderr=True)
    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), Remaining())
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("games", total=games)
        yield lambda played: bar.advance(task, played)


def table_rows(tally: Tally) -> list[tuple[str, ...]]:
    """The summary: a name and the text for each seat."""
    figures = [seat.figures(tally.rounds) for seat in tally.seats]
    rows: list[tuple[str, ...]] = []
    for place, name in enumerate(_PLACES):
        shares = (f"{seat['placements'][place] / tally.games:.1%}" for seat in figures)
        rows.append((name, *shares))
    ranks = (_with_error(seat["average_rank"], seat["rank_error"]) for seat in figures)
    rows.append(("average rank", *ranks))
    for name, key in _RATES:
        rows.append((name, *(f"{seat[key]:.1%}" for seat in figures)))
    for name, key, form in _ROWS:
        texts = ("-" if seat[key] is None else form.format(seat[key]) for seat in figures)
        rows.append((name, *texts))
    return rows


def _with_error(value: float, error: float | None) -> str:
    return f"{value:.2f}" if error is None else f"{value:.2f} ± {error:.2f}"


def _print_table(setup: Setup, tally: Tally, seconds: float) -> None:
    from rich.console import Console
    from rich.table import Table

    engine = "compiled" if engine_is_compiled() else "plain Python"
    console = Console(highlight=False)
    table = Table(show_edge=False, pad_edge=False)
    table.add_column("")
    for seat, name in enumerate(setup.bots):
        table.add_column(f"{seat} {name}", justify="right", no_wrap=True)
    for row in table_rows(tally):
        table.add_row(*row)
    console.print(
        f"{counted(tally.games, 'game')}, {counted(tally.rounds, 'round')}, "
        f"{counted(tally.decisions, 'decision')} "
        f"in {seconds:.1f} s ({tally.games / seconds:.1f} games/s, {engine} engine)\n"
        f"rules {setup.rules}, {setup.rules.length}; seed {setup.seed}\n",
        soft_wrap=True,
        markup=False,
    )
    console.print(table)
