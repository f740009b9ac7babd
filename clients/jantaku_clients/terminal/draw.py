"""A table as lines of text: four seats where they sit, and what lies in the middle.

The viewer's seat is below; across sits the next but one, and the seats left and right of the
viewer stand left and right. Works on any `Table`, full or masked: what it does not know it
draws as backs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from jantaku_engine.table import OVER, Table
from jantaku_engine.tiles import DORA_OF, KIND
from jantaku_engine.win import DOUBLE, NO_RIICHI, OPEN, OPEN_DOUBLE
from jantaku_replays.files import printable
from jantaku_replays.outlook import Outlook, outlook

from .tiles import (
    BOTH_MARK,
    CALLED_MARK,
    RIICHI_MARK,
    TSUMOGIRI_MARK,
    Look,
    hand_text,
    meld_text,
    river_lines,
    tile_text,
    wind_name,
)

TWO_COLUMNS: Final = 76
"""Least width for two seats beside each other."""

WIDEST: Final = 100
"""More columns than this only tear the table apart."""

GAP: Final = 2
WIND_NAMES: Final = ("East", "South", "West", "North")
_RIICHI_WORDS: Final = {DOUBLE: "double riichi", OPEN: "open riichi", OPEN_DOUBLE: "open double"}


def table_lines(
    table: Table,
    names: Sequence[str],
    bottom: int,
    look: Look,
    side: Sequence[Text] = (),
    below: Sequence[Text] = (),
) -> list[Text]:
    """The lines of a table with seat `bottom` below.

    `side` are lines under the middle's (the last event), `below` lines beside the seat below.
    """
    width = min(look.width, WIDEST)
    middle = [*middle_lines(table, look), *side]
    seats = [(bottom + turn) % 4 for turn in range(4)]
    if width < TWO_COLUMNS:
        blocks = [seat_lines(table, seat, names[seat], look, width) for seat in seats]
        stacked = [*middle, *blocks[2], *blocks[3], *blocks[1], *blocks[0], *below]
        return [_fitted(line, width) for line in stacked]
    column = (width - GAP) // 2
    own, right, across, left = (
        seat_lines(table, seat, names[seat], look, column) for seat in seats
    )
    return [
        *beside(across, middle, column),
        *beside(left, right, column),
        *beside(own, below, column),
    ]


def beside(left: Sequence[Text], right: Sequence[Text], column: int) -> list[Text]:
    """Two blocks of lines as two columns of equal width."""
    lines: list[Text] = []
    for index in range(max(len(left), len(right))):
        one = left[index] if index < len(left) else Text()
        other = right[index] if index < len(right) else Text()
        # A fresh line: the style of the left one must not reach over to the right.
        line = Text().append_text(_fitted(one, column, pad=True)).append(" " * GAP)
        lines.append(line.append_text(_fitted(other, column)))
    return lines


def _fitted(line: Text, width: int, pad: bool = False) -> Text:
    line = line.copy()
    line.truncate(width, overflow="ellipsis", pad=pad)
    return line


def middle_lines(table: Table, look: Look) -> list[Text]:
    """The hand, its counters and dora, and what the marks in the rivers mean."""
    title = f"{WIND_NAMES[table.bakaze]} {table.kyoku}"
    if look.unicode:
        title = f"{wind_name(table.bakaze, look)}{table.kyoku}局 {title}"
    counters = Text(f"honba {table.honba}  deposits {table.kyotaku}  ")
    counters.append(f"wall {max(table.live_left, 0)}", style="bold")
    dora = Text("dora ")
    dora.append_text(_tile_row([DORA_OF[KIND[marker]] for marker in table.dora_markers], look))
    dora.append(" from ", style="dim").append_text(_tile_row(table.dora_markers, look))
    return [Text(title, style="bold"), counters, dora, _legend(look)]


def _tile_row(tiles: Sequence[int], look: Look) -> Text:
    return Text(" ").join(tile_text(tile, look) for tile in tiles)


def _legend(look: Look) -> Text:
    legend = f"{RIICHI_MARK} riichi  {CALLED_MARK} called  {BOTH_MARK} both  "
    drawn = "faint drawn" if look.styles else f"{TSUMOGIRI_MARK} drawn"
    return Text(legend + drawn, style="dim")


def seat_lines(table: Table, seat: int, name: str, look: Look, width: int) -> list[Text]:
    """One seat: title, hand and melds, outlook of a known hand, three rows of discards."""
    hand = table.hands[seat] if table.hands else None
    lines = [seat_title(table, seat, name, look, width)]
    if hand is not None:
        pieces = [hand_text(hand.tiles_but_drawn(), hand.drawn, look)]
        pieces += [meld_text(meld, seat, look) for meld in hand.melds]
        lines += flowed(pieces, width)
        seen = outlook(table, seat)
        if seen is not None:
            lines += outlook_lines(seen, look, width)
    lines.extend(river_lines(table.rivers[seat], look))
    return lines


def flowed(pieces: Sequence[Text], width: int, gap: str = "  ") -> list[Text]:
    """Pieces beside each other, in as many lines as they need; later lines are indented."""
    lines = [pieces[0]]
    for piece in pieces[1:]:
        if lines[-1].cell_len + len(gap) + piece.cell_len <= width:
            lines[-1].append(gap).append_text(piece)
        else:
            lines.append(Text("  ").append_text(piece))
    return lines


def seat_title(table: Table, seat: int, name: str, look: Look, width: int) -> Text:
    """Wind, name, riichi and score, with a line between them."""
    on_turn = table.turn == seat and table.phase != OVER
    style = "bold reverse" if on_turn else "bold"
    left = Text()
    left.append("▶" if look.unicode else ">", style="bold") if on_turn else left.append(" ")
    dealer = " dealer" if seat == table.oya else ""
    left.append(f"{wind_name(table.seat_wind(seat), look)} {printable(name)}", style=style)
    left.append(dealer, style="dim")
    right = Text()
    if table.riichi[seat] != NO_RIICHI:
        word = _RIICHI_WORDS.get(table.riichi[seat], "riichi")
        right.append(f" {word}", style="bold red").append(" ippatsu" * table.ippatsu[seat])
    right.append(f" {table.scores[seat]:,}", style="bold")
    room = width - right.cell_len - 1
    left.truncate(room, overflow="ellipsis")
    line = ("─" if look.unicode else "-") * max(0, width - left.cell_len - right.cell_len - 1)
    return left.append(" ").append(line, style="dim").append_text(right)


def outlook_lines(seen: Outlook, look: Look, width: int) -> list[Text]:
    """Shanten, or furiten and the waits with how many are left."""
    if not seen.waits:
        if seen.shanten > 0:
            return [Text(f"  {seen.shanten}-shanten", style="dim")]
        return [Text("  tenpai" if seen.shanten == 0 else "  complete", style="bold")]
    head = Text("  ")
    if seen.furiten:
        head.append(f"furiten ({seen.furiten}) ", style="bold red")
    pieces = [head.append("waits", style="bold")]
    for wait in seen.waits:
        left = f"{'×' if look.unicode else 'x'}{wait.left}"
        pieces.append(tile_text(wait.kind, look).append(left, style="dim"))
    return flowed(pieces, width, " ")
