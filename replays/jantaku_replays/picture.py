"""A table as an SVG picture: four seats around the middle, each drawn once and turned."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final
from xml.sax.saxutils import escape

from jantaku_engine.events import WINDS
from jantaku_engine.melds import ANKAN, KAKAN, Meld
from jantaku_engine.table import Discard, Table
from jantaku_engine.tiles import DORA_OF, KIND, MPSZ, UNKNOWN, sort_tiles
from jantaku_engine.win import NO_RIICHI

SIZE: Final = 720
"""Width and height of the picture in its own units; it scales to whatever shows it."""

_TILE: Final = 28
_TALL: Final = 38
_MIDDLE: Final = 264
_ROW: Final = 664
_INK: Final = {"m": "#8c2f1b", "p": "#1f57a4", "s": "#12713f", "z": "#1c2b4b"}
_RED: Final = "#d11d1d"
_SUITS: Final = {"m": "萬", "p": "筒", "s": "索"}
_HONOURS: Final = "東南西北白發中"
_FELT: Final = "#0f5c4a"
_FONT: Final = "'Noto Sans CJK JP','Noto Sans JP','Hiragino Sans','Yu Gothic',sans-serif"


def table_svg(table: Table, names: Sequence[str], bottom: int = 0) -> str:
    """The picture of a table with seat `bottom` below; unknown tiles show their backs."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}" width="{SIZE}" '
        f'height="{SIZE}" role="img" font-family="{_FONT}">',
        f"<title>{escape(_title(table))}</title>",
        f'<rect width="{SIZE}" height="{SIZE}" rx="14" fill="{_FELT}"/>',
        _middle(table),
    ]
    for turn in range(4):
        seat = (bottom + turn) % 4
        half = SIZE // 2
        parts.append(
            f'<g class="seat" data-seat="{seat}" transform="rotate({-90 * turn} {half} {half})">'
        )
        parts.append(_name_plate(table, seat, names[seat]))
        parts.extend(_river(table.rivers[seat]))
        parts.extend(_hand(table, seat))
        parts.append("</g>")
    parts.append("</svg>")
    return "\n".join(parts)


def _title(table: Table) -> str:
    wind = ("East", "South", "West", "North")[table.bakaze]
    return f"{wind} {table.kyoku}, {table.honba} honba, {table.live_left} tiles left"


def _middle(table: Table) -> str:
    """Hand, counters and dora indicators."""
    x = SIZE // 2
    wind = ("East", "South", "West", "North")[table.bakaze]
    lines = (
        (f"{wind} {table.kyoku}", 22, SIZE // 2 - 40),
        (f"honba {table.honba}  deposits {table.kyotaku}", 12, SIZE // 2 - 20),
        (f"{max(table.live_left, 0)} tiles left", 12, SIZE // 2 - 4),
    )
    parts = [
        f'<rect x="{_MIDDLE}" y="{_MIDDLE}" width="{SIZE - 2 * _MIDDLE}" '
        f'height="{SIZE - 2 * _MIDDLE}" rx="10" fill="#0a3f33"/>'
    ]
    parts += [
        f'<text x="{x}" y="{y}" font-size="{size}" fill="#f3ead2" text-anchor="middle">'
        f"{escape(text)}</text>"
        for text, size, y in lines
    ]
    markers = [*table.dora_markers, *[UNKNOWN] * (5 - len(table.dora_markers))]
    start = x - 5 * _TILE // 2
    parts += [
        _tile(tile, start + index * _TILE, SIZE // 2 + 8, "dora")
        for index, tile in enumerate(markers)
    ]
    doras = " ".join(_name(DORA_OF[KIND[tile]]) for tile in table.dora_markers)
    parts.append(
        f'<text x="{x}" y="{SIZE // 2 + 62}" font-size="12" fill="#f3ead2" '
        f'text-anchor="middle">dora {escape(doras)}</text>'
    )
    return "".join(parts)


def _name(tile: int) -> str:
    return _HONOURS[tile - 27] if 27 <= tile < 34 else MPSZ[tile]


def _name_plate(table: Table, seat: int, name: str) -> str:
    shown = "".join(char for char in name if char.isprintable())
    wind = WINDS[table.seat_wind(seat)]
    riichi = "  riichi" if table.riichi[seat] != NO_RIICHI else ""
    turn = ' font-weight="bold" fill="#ffe08a"' if table.turn == seat else ' fill="#f3ead2"'
    text = f"{_HONOURS[WINDS.index(wind)]} {shown}  {table.scores[seat]:,}{riichi}"
    return (
        f'<text x="{SIZE // 2}" y="{_ROW - 16}" font-size="15" text-anchor="middle"{turn}>'
        f"{escape(text)}</text>"
    )


def _river(river: Sequence[Discard]) -> Iterable[str]:
    """Discards in rows of six, the third row as long as it must be; riichi lies sideways."""
    x = start = SIZE // 2 - 3 * _TILE
    for index, discard in enumerate(river):
        row = min(index // 6, 2)
        if index in (6, 12):
            x = start
        y = SIZE - _MIDDLE + 8 + row * (_TALL + 2)
        kinds = ["discard"]
        kinds += ["tsumogiri"] if discard.tsumogiri else []
        kinds += ["called"] if discard.called else []
        if discard.riichi:
            yield _sideways(discard.tile, x, y, " ".join([*kinds, "riichi"]))
            x += _TALL
        else:
            yield _tile(discard.tile, x, y, " ".join(kinds))
            x += _TILE


def _hand(table: Table, seat: int) -> Iterable[str]:
    hand = table.hands[seat] if table.hands else None
    if hand is None:
        return
    x = 70
    for tile in sort_tiles(hand.tiles_but_drawn()):
        yield _tile(tile, x, _ROW, "hand")
        x += _TILE
    if hand.drawn >= 0:
        yield _tile(hand.drawn, x + 8, _ROW, "hand drawn")
    x = SIZE - 24
    for meld in hand.melds:
        drawn, x = _meld(meld, seat, x)
        yield from drawn


def _meld(meld: Meld, seat: int, right: int) -> tuple[list[str], int]:
    """A meld that ends at `right`, and where the next one ends.

    The tile that was called lies sideways, on the side of the seat that it came from.
    """
    if meld.type == ANKAN:
        left = right - 4 * _TILE
        tiles = (UNKNOWN, *meld.tiles[1:3], UNKNOWN)
        drawn = [
            _tile(tile, left + index * _TILE, _ROW, "meld") for index, tile in enumerate(tiles)
        ]
        return drawn, left - 8
    rest = list(meld.tiles)
    rest.remove(meld.called)
    if meld.type == KAKAN:
        rest.remove(meld.added)
    place = called_place(meld, seat, len(rest))
    left = right - len(rest) * _TILE - _TALL
    drawn = []
    x = left
    for index in range(len(rest) + 1):
        if index == place:
            drawn.append(_sideways(meld.called, x, _ROW, "meld called-from"))
            if meld.type == KAKAN:
                drawn.append(_sideways(meld.added, x, _ROW - _TILE, "meld added"))
            x += _TALL
        else:
            drawn.append(_tile(rest.pop(0), x, _ROW, "meld"))
            x += _TILE
    return drawn, left - 8


def called_place(meld: Meld, seat: int, others: int) -> int:
    """Where the called tile lies among `others` more: left, middle or right, by its source."""
    return {3: 0, 2: 1, 1: others}.get((meld.target - seat) % 4, 0)


def _sideways(tile: int, x: float, y: float, kinds: str) -> str:
    """A tile turned by a quarter, its lower edge on the row's."""
    top = y + _TALL - _TILE
    turned = f'<g transform="translate({x} {top + _TILE}) rotate(-90)">'
    return f"{turned}{_tile(tile, 0, 0, kinds)}</g>"


def _tile(tile: int, x: float, y: float, kinds: str) -> str:
    words = kinds.split()
    face = "#b9c9c3" if "tsumogiri" in words else "#faf5e6"
    faded = ' opacity="0.4"' if "called" in words else ""
    open_ = (
        f'<g class="tile {kinds}" data-tile="{MPSZ[tile]}" transform="translate({x} {y})"{faded}>'
    )
    box = f'<rect x="1" y="1" width="{_TILE - 2}" height="{_TALL - 2}" rx="4"'
    if tile == UNKNOWN:
        return f'{open_}{box} fill="#d9a441" stroke="#7d5a16"/></g>'
    edge = "#d11d1d" if "drawn" in words else "#8d8672"
    body = f'{open_}{box} fill="{face}" stroke="{edge}"/>'
    text = MPSZ[tile]
    middle = _TILE / 2
    if text[1] == "z":
        colour = {"6": "#12713f", "7": _RED}.get(text[0], _INK["z"])
        face_text = _HONOURS[int(text[0]) - 1]
        return (
            f'{body}<text x="{middle}" y="26" font-size="19" text-anchor="middle" '
            f'fill="{colour}">{face_text}</text></g>'
        )
    colour = _RED if text[0] == "0" else _INK[text[1]]
    digit = "5" if text[0] == "0" else text[0]
    return (
        f'{body}<text x="{middle}" y="18" font-size="16" font-weight="bold" text-anchor="middle" '
        f'fill="{colour}">{digit}</text><text x="{middle}" y="33" font-size="12" '
        f'text-anchor="middle" fill="{colour}">{_SUITS[text[1]]}</text></g>'
    )
