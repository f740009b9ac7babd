"""Scoring with jansou: its `Meld`, `Hand` and `WinContext` are built for each call."""

from jansou.core.hand import CallSource, Hand, Meld, MeldType
from jansou.core.rules import preset
from jansou.core.tiles import Tile, TileKind, Wind
from jansou.scoring.context import WinContext
from jansou.scoring.score import score as jansou_score
from stopwatch import as_result, run_scoring

RULES = preset("tenhou")
TYPES = (
    MeldType.CHII,
    MeldType.PON,
    MeldType.DAIMINKAN,
    MeldType.SHOUMINKAN,
    MeldType.ANKAN,
)
SOURCES = (None, CallSource.SHIMOCHA, CallSource.TOIMEN, CallSource.KAMICHA)
WINDS = (Wind.EAST, Wind.SOUTH, Wind.WEST, Wind.NORTH)
TILES = [Tile(TileKind(kind)) for kind in range(34)]
TILES += [Tile(TileKind(kind), True) for kind in (4, 13, 22)]


def prepare(win):
    last = win["last_tile"]
    return (
        [TILES[code] for code in (*win["hand"], win["win"])],
        TILES[win["win"]],
        [prepare_meld(meld) for meld in win["melds"]],
        win["tsumo"],
        win["riichi"] == 1,
        win["riichi"] == 2,
        win["ippatsu"],
        last and win["tsumo"],
        last and not win["tsumo"],
        win["rinshan"],
        win["chankan"],
        WINDS[win["seat"]],
        WINDS[win["round"]],
        tuple([TILES[code] for code in win["dora"]]),
        tuple([TILES[code] for code in win["ura"]]),
        win["honba"],
    )


def prepare_meld(meld):
    type_ = TYPES[meld["type"]]
    tiles = tuple([TILES[code] for code in meld["tiles"]])
    if type_ is MeldType.ANKAN:
        return (type_, tiles)
    called = TILES[meld["called"]]
    if type_ is MeldType.SHOUMINKAN:
        rest = list(tiles)
        rest.remove(called)
        return (type_, tiles, called, SOURCES[meld["from"]], rest[0])
    return (type_, tiles, called, SOURCES[meld["from"]])


def evaluated(plain):
    (
        concealed,
        tile,
        melds,
        tsumo,
        riichi,
        double,
        ippatsu,
        haitei,
        houtei,
        rinshan,
        chankan,
        seat,
        round_,
        dora,
        ura,
        honba,
    ) = plain
    hand = Hand(concealed, [Meld(*meld) for meld in melds])
    context = WinContext(
        rules=RULES,
        round_wind=round_,
        seat_wind=seat,
        is_tsumo=tsumo,
        riichi=riichi,
        double_riichi=double,
        ippatsu=ippatsu,
        haitei=haitei,
        houtei=houtei,
        rinshan=rinshan,
        chankan=chankan,
        dora_indicators=dora,
        ura_indicators=ura,
        honba=honba,
    )
    return jansou_score(hand, tile, context)


def score(plain):
    return evaluated(plain).payment.total


def read(plain):
    result = evaluated(plain)
    payment = result.payment
    honba = plain[-1] * 100
    payments = [payment.ron, payment.tsumo_dealer, payment.tsumo_non_dealer]
    shares = [3 * honba, honba, honba]
    payments = [paid and paid + share for paid, share in zip(payments, shares, strict=True)]
    return as_result(result.han, result.fu.total, result.is_yakuman, payments)


if __name__ == "__main__":
    run_scoring(prepare, score, read)
