"""Scoring with the package mahjong: its melds and `HandConfig` are built for each call."""

from mahjong.constants import EAST
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.meld import Meld
from stopwatch import Ids, as_result, run_scoring

RULES = OptionalRules(has_open_tanyao=True, has_aka_dora=True, has_double_yakuman=False)
TYPES = (Meld.CHI, Meld.PON, Meld.KAN, Meld.SHOUMINKAN, Meld.KAN)


def prepare(win):
    ids = Ids()
    tiles = ids.all([*win["hand"], win["win"]])
    tile = tiles[-1]
    melds = []
    for meld in win["melds"]:
        laid = ids.all(meld["tiles"])
        tiles += laid
        melds.append((TYPES[meld["type"]], laid, meld["type"] != 4))
    last = win["last_tile"]
    return (
        tiles,
        tile,
        melds,
        ids.all(win["dora"]),
        ids.all(win["ura"]),
        win["tsumo"],
        win["riichi"] > 0,
        win["riichi"] == 2,
        win["ippatsu"],
        last and win["tsumo"],
        last and not win["tsumo"],
        win["rinshan"],
        win["chankan"],
        EAST + win["seat"],
        EAST + win["round"],
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
    config = HandConfig(
        is_tsumo=tsumo,
        is_riichi=riichi,
        is_daburu_riichi=double,
        is_ippatsu=ippatsu,
        is_haitei=haitei,
        is_houtei=houtei,
        is_rinshan=rinshan,
        is_chankan=chankan,
        player_wind=seat,
        round_wind=round_,
        tsumi_number=honba,
        options=RULES,
    )
    return HandCalculator.estimate_hand_value(
        tiles,
        tile,
        melds=[Meld(*meld) for meld in melds],
        dora_indicators=dora,
        config=config,
        ura_dora_indicators=ura,
    )


def score(plain):
    return evaluated(plain).cost["main"]


def read(plain):
    result = evaluated(plain)
    cost = result.cost
    main = cost["main"] + cost["main_bonus"]
    other = cost["additional"] + cost["additional_bonus"]
    if not plain[5]:
        payments = [main, 0, 0]
    elif plain[13] == EAST:
        payments = [0, 0, main]
    else:
        payments = [0, main, other]
    yakuman = any(yaku.is_yakuman for yaku in result.yaku)
    return as_result(result.han, result.fu, yakuman, payments)


if __name__ == "__main__":
    run_scoring(prepare, score, read)
