"""Tiles, hands, melds and rivers as styled text.

Tiles are written in mpsz, suit letters once a run (`234m 406p`; 0 is a red five), honours as
kanji, or as mjai letters where the terminal has no Unicode. Every fact that a style tells is
told by a mark too when there are no styles.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from jantaku_engine.melds import ANKAN, KAKAN, Meld
from jantaku_engine.table import Discard
from jantaku_engine.tiles import MJAI, MPSZ, UNKNOWN, sort_tiles
from jantaku_replays.picture import called_place

HONOURS: Final = "東南西北白發中"
WINDS: Final = "東南西北"

RIICHI_MARK: Final = "*"
CALLED_MARK: Final = "^"
BOTH_MARK: Final = "#"
TSUMOGIRI_MARK: Final = "."

_SUIT_STYLES: Final = {"m": "yellow", "p": "cyan", "s": "green", "z": "bold"}
_RED: Final = "bold red"
_HATSU: Final = 32
_CHUN: Final = 33
ROW: Final = 6
"""Discards in one row of a river; the third row takes all that are left."""


class Look(NamedTuple):
    """What a terminal can show.

    Attributes:
        styles: colours and faint text; without them marks tell the same.
        unicode: kanji and lines; without it letters and ASCII.
        width: columns.
    """

    styles: bool = True
    unicode: bool = True
    width: int = 80

    @staticmethod
    def of(console: Console) -> Look:
        """The look for a console; `NO_COLOR`, a dumb terminal and a pipe have no styles."""
        styles = console.color_system is not None and not console.no_color
        return Look(styles, console.encoding.startswith("utf"), console.width)


def wind_name(wind: int, look: Look) -> str:
    """The character of a wind 0-3."""
    return WINDS[wind] if look.unicode else "ESWN"[wind]


def tile_text(tile: int, look: Look, style: str = "") -> Text:
    """One tile, two columns wide."""
    text = _name(tile, look)
    return Text(text + " " * (2 - cell_len(text)), style=f"{_style(tile)} {style}".strip())


def _name(tile: int, look: Look) -> str:
    if tile == UNKNOWN:
        return "▯" if look.unicode else "?"
    if 27 <= tile < 34:
        return HONOURS[tile - 27] if look.unicode else MJAI[tile]
    return MPSZ[tile]


def _style(tile: int) -> str:
    if tile == UNKNOWN:
        return "dim"
    text = MPSZ[tile]
    if text[0] == "0" or tile == _CHUN:
        return _RED
    return "bold green" if tile == _HATSU else _SUIT_STYLES[text[1]]


def tiles_text(tiles: Iterable[int], look: Look, gap: str = " ") -> Text:
    """Tiles in the order given, the suit letter once a run; `gap` between runs."""
    text = Text()
    run = ""
    for tile in tiles:
        name = _name(tile, look)
        suit = name[-1] if len(name) == 2 and name[0].isdigit() else "honour"
        if suit != run:
            _end_run(text, run)
            text.append(gap if text else "")
            run = suit
        text.append(name[0] if suit != "honour" else name, style=_style(tile))
    _end_run(text, run)
    return text


def _end_run(text: Text, suit: str) -> None:
    if suit in _SUIT_STYLES:
        text.append(suit, style=_SUIT_STYLES[suit])


def hand_text(tiles: Iterable[int], drawn: int, look: Look) -> Text:
    """Concealed tiles sorted, and the tile just drawn (-1 for none) apart from them."""
    text = tiles_text(sort_tiles(tiles), look)
    if drawn >= 0:
        text.append(" +")
        text.append_text(tile_text(drawn, look, "" if drawn == UNKNOWN else "underline"))
    return text


def meld_text(meld: Meld, seat: int, look: Look) -> Text:
    """A meld of `seat`: `(3)24m` is called from the left, `5(5)5p` from across, `55(5)p` right.

    A kakan has the added tile in the brackets too, `5(5+0)5p`; an ankan is `[1111m]`.
    """
    if meld.type == ANKAN:
        return Text("[").append_text(tiles_text(meld.tiles, look)).append("]")
    rest = list(meld.tiles)
    rest.remove(meld.called)
    inner = [meld.called]
    if meld.type == KAKAN:
        rest.remove(meld.added)
        inner.append(meld.added)
    place = called_place(meld, seat, len(rest))
    text = Text()
    for index in range(len(rest) + 1):
        if index == place:
            text.append("(", style="bold")
            for number, tile in enumerate(inner):
                text.append("+" if number else "")
                text.append(_digit(tile, look), style=_style(tile))
            text.append(")", style="bold")
        else:
            tile = rest.pop(0)
            text.append(_digit(tile, look), style=_style(tile))
    suit = _name(meld.kind, look)[-1]
    if meld.kind < 27:
        text.append(suit, style=_SUIT_STYLES[suit])
    return text


def _digit(tile: int, look: Look) -> str:
    return _name(tile, look)[0]


def river_lines(river: Sequence[Discard], look: Look) -> list[Text]:
    """Three rows of six discards, three columns each: the tile and its mark."""
    rows = [river[:ROW], river[ROW : 2 * ROW], river[2 * ROW :]]
    return [Text().join(_discard(discard, look) for discard in row) for row in rows]


def _discard(discard: Discard, look: Look) -> Text:
    style = ""
    mark = " "
    if discard.riichi:
        style = "reverse"
        mark = BOTH_MARK if discard.called else RIICHI_MARK
    elif discard.called:
        style = "dim strike"
        mark = CALLED_MARK
    elif discard.tsumogiri:
        style = "dim"
        mark = " " if look.styles else TSUMOGIRI_MARK
    return tile_text(discard.tile, look, style).append(mark, style="bold")
