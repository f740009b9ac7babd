"""Numbers that Tenhou writes: calls as bit fields, yaku ids, limits, kinds of draws."""

from __future__ import annotations

from typing import Final, NamedTuple

from jantaku_engine import events as ev

from .record import RecordError


class Call(NamedTuple):
    """A call with its tiles as ids.

    Attributes:
        type: event type, `events.CHI` .. `events.ANKAN`.
        target: seat that the tile came from; the caller itself for kakan and ankan.
        tile: the called tile, or the one added by a kakan; -1 for an ankan.
        consumed: ids from the own hand; for a kakan the three of the pon.
    """

    type: int
    target: int
    tile: int
    consumed: tuple[int, ...]


def decode_call(m: int, who: int) -> Call:
    """The call that the number `m` of seat `who` tells.

    Raises:
        RecordError: the number is no call of a four-player game.
    """
    if not 0 <= m < 1 << 16:
        raise RecordError(f"m: {m} is not in 0..65535")
    target = (who + (m & 3)) % 4
    if m & 4:
        return _chi(m, who, target)
    if m & 0x18:
        return _pon_or_kakan(m, who, target)
    if m & 0x20:
        raise RecordError(f"m: {m} is a call of three-player games")
    return _kan(m, who, target)


def _chi(m: int, who: int, target: int) -> Call:
    pattern = m >> 10
    run = pattern // 3
    if run > 20 or target != (who + 3) % 4:
        raise RecordError(f"m: {m} is no chi that seat {who} can make")
    low = run // 7 * 9 + run % 7
    tiles = [
        low * 4 + (m >> 3 & 3),
        low * 4 + 4 + (m >> 5 & 3),
        low * 4 + 8 + (m >> 7 & 3),
    ]
    called = tiles.pop(pattern % 3)
    return Call(ev.CHI, target, called, tuple(tiles))


def _pon_or_kakan(m: int, who: int, target: int) -> Call:
    pattern = m >> 9
    kind = pattern // 3
    if kind > 33 or target == who:
        raise RecordError(f"m: {m} is no pon that seat {who} can make")
    fourth = kind * 4 + (m >> 5 & 3)
    tiles = [tile for tile in range(kind * 4, kind * 4 + 4) if tile != fourth]
    if m & 0x10:
        return Call(ev.KAKAN, who, fourth, tuple(tiles))
    called = tiles.pop(pattern % 3)
    return Call(ev.PON, target, called, tuple(tiles))


def _kan(m: int, who: int, target: int) -> Call:
    tile = m >> 8
    if tile > 135:
        raise RecordError(f"m: {m} is no kan")
    tiles = list(range(tile // 4 * 4, tile // 4 * 4 + 4))
    if target == who:
        return Call(ev.ANKAN, who, -1, tuple(tiles))
    tiles.remove(tile)
    return Call(ev.DAIMINKAN, target, tile, tuple(tiles))


def encode_call(call: Call, who: int) -> int:
    """The number of a call of seat `who`; the other way round of `decode_call`.

    Here the target and tile of a kakan are those of its pon, and the added tile is the last of
    `consumed`.
    """
    relative = (call.target - who) % 4
    if call.type == ev.CHI:
        tiles = sorted((call.tile, *call.consumed))
        low = tiles[0] // 4
        pattern = (low // 9 * 7 + low % 9) * 3 + tiles.index(call.tile)
        copies = (tiles[0] & 3) << 3 | (tiles[1] & 3) << 5 | (tiles[2] & 3) << 7
        return pattern << 10 | copies | 4 | relative
    if call.type in (ev.PON, ev.KAKAN):
        kind = call.tile // 4
        tiles = sorted((call.tile, *call.consumed[:2]))
        (fourth,) = set(range(kind * 4, kind * 4 + 4)).difference(tiles)
        pattern = kind * 3 + tiles.index(call.tile)
        return pattern << 9 | (fourth & 3) << 5 | (8 if call.type == ev.PON else 0x10) | relative
    tile = call.consumed[0] if call.type == ev.ANKAN else call.tile
    return tile << 8 | relative


def meld_ids(call: Call) -> frozenset[int]:
    """All tiles of the set that a call lays down."""
    return frozenset(call.consumed if call.tile < 0 else (call.tile, *call.consumed))


FIRST_SEAT_WIND: Final = 10
FIRST_ROUND_WIND: Final = 14

YAKU: Final[tuple[str, ...]] = (
    "menzen_tsumo", "riichi", "ippatsu", "chankan", "rinshan_kaihou", "haitei_raoyue",
    "houtei_raoyui", "pinfu", "tanyao", "iipeikou",
    "yakuhai_seat_wind", "yakuhai_seat_wind", "yakuhai_seat_wind", "yakuhai_seat_wind",
    "yakuhai_round_wind", "yakuhai_round_wind", "yakuhai_round_wind", "yakuhai_round_wind",
    "yakuhai_haku", "yakuhai_hatsu", "yakuhai_chun", "double_riichi", "chiitoitsu", "chanta",
    "ittsuu", "sanshoku_doujun", "sanshoku_doukou", "sankantsu", "toitoi", "sanankou",
    "shousangen", "honroutou", "ryanpeikou", "junchan", "honitsu", "chinitsu",
    "renhou", "tenhou", "chiihou", "daisangen", "suuankou", "suuankou_tanki", "tsuuiisou",
    "ryuuiisou", "chinroutou", "chuuren_poutou", "junsei_chuuren_poutou", "kokushi_musou",
    "kokushi_musou_13", "daisuushii", "shousuushii", "suukantsu",
)  # fmt: skip
"""Name of each yaku id below the dora."""

DORA: Final = 52
URA_DORA: Final = 53
AKA_DORA: Final = 54


def yaku_name(number: int, seat_wind: int, round_wind: int) -> str:
    """Name of a yaku id; a wind that is not the winner's or the round's names itself.

    Raises:
        RecordError: no such yaku.
    """
    if not 0 <= number < len(YAKU):
        raise RecordError(f"yaku: there is no yaku {number}")
    name = YAKU[number]
    if FIRST_SEAT_WIND <= number < FIRST_ROUND_WIND + 4:
        wind = (number - FIRST_SEAT_WIND) % 4
        right = seat_wind if number < FIRST_ROUND_WIND else round_wind
        return name if wind == right else f"{name} {ev.WINDS[wind]}"
    return name


LIMITS: Final = ("none", "mangan", "haneman", "baiman", "sanbaiman", "yakuman")

DRAWS: Final = {
    "": ev.EXHAUSTIVE,
    "nm": ev.NAGASHI_MANGAN,
    "yao9": ev.KYUUSHU_KYUUHAI,
    "kaze4": ev.SUUFON_RENDA,
    "reach4": ev.SUUCHA_RIICHI,
    "ron3": ev.SANCHAHOU,
    "kan4": ev.SUUKAIKAN,
}
