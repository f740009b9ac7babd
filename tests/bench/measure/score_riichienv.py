"""Scoring with riichienv: `Meld`, `HandEvaluator` and `Conditions` are built for each call.

`HandEvaluator` and `Conditions` of the package itself are Python around those of its Rust core;
the core is called here, which is half as fast again.
"""

from riichienv import Meld, MeldType, Wind
from riichienv._riichienv import Conditions, HandEvaluator
from stopwatch import Ids, as_result, run_scoring

TYPES = (MeldType.Chi, MeldType.Pon, MeldType.Daiminkan, MeldType.Kakan, MeldType.Ankan)
WINDS = (Wind.East, Wind.South, Wind.West, Wind.North)


def prepare(win):
    ids = Ids()
    tiles = ids.all([*win["hand"], win["win"]])
    last = win["last_tile"]
    return (
        tiles,
        tiles[-1],
        [
            (TYPES[m["type"]], ids.all(m["tiles"]), m["type"] != 4, m["from"] if m["from"] else -1)
            for m in win["melds"]
        ],
        ids.all(win["dora"]),
        ids.all(win["ura"]),
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
        win["honba"],
    )


def evaluated(plain):
    (
        tiles,
        tile,
        melds,
        dora,
        ura,
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
        honba,
    ) = plain
    evaluator = HandEvaluator(tiles, [Meld(*meld) for meld in melds])
    conditions = Conditions(
        tsumo,
        riichi,
        double,
        ippatsu,
        haitei,
        houtei,
        rinshan,
        chankan,
        False,
        seat,
        round_,
        0,
        honba,
    )
    return evaluator.calc(tile, dora, ura, conditions)


def score(plain):
    result = evaluated(plain)
    return result.tsumo_agari_ko or result.ron_agari


def read(plain):
    result = evaluated(plain)
    # A dealer's tsumo has no dealer to pay; the field then holds the counters alone.
    from_dealer = 0 if plain[13] is WINDS[0] else result.tsumo_agari_oya
    payments = [result.ron_agari, from_dealer, result.tsumo_agari_ko]
    return as_result(result.han, result.fu, result.yakuman, payments)


if __name__ == "__main__":
    run_scoring(prepare, score, read)
