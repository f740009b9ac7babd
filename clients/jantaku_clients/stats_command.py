"""`jantaku replay stats`: figures of the players of many records."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from jantaku_engine.match import DEFAULT_NAMES
from jantaku_replays.files import STDIN, printable
from jantaku_replays.record import RecordError
from jantaku_replays.stats import PlayerTally, Stats
from jantaku_replays.verify import complete

from .command import BAD_USAGE, DONE, FAILED, CommandError, counted
from .many_records import ManyRecords
from .records import add_paths, add_rules, named_rules

EXAMPLES: Final = """\
examples:
  jantaku replay stats games/                        a table
  jantaku replay stats games.zip --json              one JSON object on stdout
  jantaku replay stats games/ --html stats.html      a page with plots

Rates are shares of the hands played; tenpai is counted when the wall runs out. Average win and
deal-in are points with honba and deposits. Exit status: 0 done, 2 something cannot be read;
everything else is counted all the same.
"""

COLUMNS: Final[tuple[tuple[str, str, str], ...]] = (
    ("games", "games", "{:,}"),
    ("rank", "average_rank", "{:.2f}"),
    ("points", "average_points", "{:+.1f}"),
    ("hands", "rounds", "{:,}"),
    ("win", "win_rate", "{:.1%}"),
    ("deal-in", "deal_in_rate", "{:.1%}"),
    ("riichi", "riichi_rate", "{:.1%}"),
    ("call", "call_rate", "{:.1%}"),
    ("tenpai", "tenpai_at_draw_rate", "{:.1%}"),
    ("avg win", "average_win", "{:,.0f}"),
    ("avg loss", "average_deal_in", "{:,.0f}"),
)
"""Head, figure and form of each column."""

NAMELESS: Final = "(no name)"
_YAKU_COLUMNS: Final = 3


def add_parser(commands: Any) -> None:
    """Add `stats` to the subcommands of `jantaku replay`."""
    parser = commands.add_parser(
        "stats",
        help="figures of the players of records",
        description="Placements, rates, average points and yaku of the players of records.",
        epilog=EXAMPLES,
    )
    add_paths(parser)
    add_rules(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    parser.add_argument("--html", metavar="FILE", help="write a page with plots (- is stdout)")
    parser.add_argument(
        "--top", type=int, default=20, metavar="N", help="players in the table and page (20)"
    )
    parser.add_argument(
        "--hide-names", action="store_true", help="players are told by seat: A, B, C, D"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Count all records under the paths."""
    if arguments.top < 1:
        raise CommandError("--top: must be at least 1")
    if arguments.json and arguments.html == STDIN:
        raise CommandError("--json and --html -: both would stand on stdout")
    stats = Stats()
    records = ManyRecords(arguments.paths, "jantaku replay stats", named_rules(arguments))
    for record in records:
        try:
            whole = complete(record)[0]
        except RecordError as error:
            records.complain(f"{record.name}: {error}")
            continue
        if arguments.hide_names:
            whole.names = DEFAULT_NAMES
        stats.count(whole)
    if arguments.html:
        from .stats_page import stats_page

        page = stats_page(stats, arguments.top)
        if arguments.html == STDIN:
            sys.stdout.buffer.write(page.encode())
            return BAD_USAGE if records.broken else DONE
        try:
            Path(arguments.html).write_text(page, encoding="utf-8")
        except OSError as error:
            line = f"--html {arguments.html}: cannot be written: {error.strerror}"
            raise CommandError(line, FAILED) from None
    if arguments.json:
        print(json.dumps({**stats.to_dict(), "skipped": records.skipped}, ensure_ascii=False))
    else:
        print_stats(stats, arguments.top)
        for item in records.skipped:
            print(f"{item['file']}: skipped: {item['why']}")
    return BAD_USAGE if records.broken else DONE


def cells(tally: PlayerTally) -> list[str]:
    """The figures of a player as the table shows them."""
    figures = tally.to_dict()
    return ["-" if figures[key] is None else form.format(figures[key]) for _, key, form in COLUMNS]


def shown_name(name: str) -> str:
    """A player's name on one line."""
    return printable(name) or NAMELESS


def places_text(tally: PlayerTally) -> str:
    """Placements as counts, 1st to 4th."""
    return " ".join(f"{count}" for count in tally.places)


def print_stats(stats: Stats, top: int) -> None:
    """The tables for people."""
    console = Console(highlight=False)
    overall = stats.overall()
    players = counted(len(stats.players), "player")
    print(f"{counted(stats.games, 'game')}, {counted(stats.rounds, 'hand')}, {players}")
    if not stats.rounds:
        return
    table = Table(show_edge=False, pad_edge=False)
    table.add_column("", overflow="ellipsis", no_wrap=True, max_width=20)
    table.add_column("1-2-3-4", justify="right", no_wrap=True)
    for head, _, _ in COLUMNS:
        table.add_column(head, justify="right", no_wrap=True)
    ranked = stats.ranked()
    for name, tally in ranked[:top]:
        table.add_row(shown_name(name), places_text(tally), *cells(tally))
    table.add_section()
    table.add_row("overall", places_text(overall), *cells(overall))
    wide = console if console.is_terminal else Console(highlight=False, width=200)
    wide.print(table)
    if len(ranked) > top:
        print(f"... and {len(ranked) - top:,} more players (--top N, --json)")
    figures = overall.to_dict()
    if overall.wins:
        print(
            f"\n{overall.wins:,} wins, {figures['tsumo_share']:.1%} by tsumo; in a win "
            f"{figures['dora']:.2f} dora, {figures['ura_dora']:.2f} ura dora, "
            f"{figures['red_fives']:.2f} red fives"
        )
        wide.print(_yaku_table(overall))


def _yaku_table(overall: PlayerTally) -> Table:
    """Every yaku with its count and share of the wins, in columns."""
    table = Table.grid(padding=(0, 2))
    items = list(overall.to_dict()["yaku"].items())
    rows = -(-len(items) // _YAKU_COLUMNS)
    for _ in range(_YAKU_COLUMNS):
        table.add_column(no_wrap=True)
        table.add_column(justify="right", no_wrap=True)
        table.add_column(justify="right", no_wrap=True)
    for row in range(rows):
        line: list[str] = []
        for name, count in items[row::rows]:
            line += [name, f"{count:,}", f"{count / overall.wins:.1%}"]
        table.add_row(*line)
    return table
