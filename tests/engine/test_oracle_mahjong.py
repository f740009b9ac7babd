"""The evaluator beside the package `mahjong` on random hands: yaku, han, fu, points.

Where the package is known to answer another question, the comparison stays clear of it:

* it refuses haitei with rinshan and houtei with chankan; ours takes both facts and scores what
  the options say (RULES 5.3), so no hand here has both;
* it wants claims that are true where ours takes facts: rinshan is said of a tsumo only, tenhou
  of the dealer only;
* it has a word for a win without yaku and another for no complete hand, as ours has, but no
  `below_minimum`: the rules here ask for one han;
* it gives a yakuman the fu of its reading; ours has none, so these are not compared;
* its daichisei is one yakuman beside tsuuiisou, ours two that replace it: the same sum;
* without `fu_for_open_pinfu` it counts 20 fu for an open tsumo too, since it gives the 2 fu for a
  tsumo only beside other fu; ours keeps them (RULES 7.1), so such hands are won by ron here;
* it says the value of yakuman as 13 han each.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest
from mahjong.constants import EAST
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, HandConstants, OptionalRules
from mahjong.hand_calculating.hand_response import HandResponse
from mahjong.meld import Meld as OracleMeld

from jantaku_engine.melds import ANKAN, CHI, DAIMINKAN, KAKAN, PON, Meld
from jantaku_engine.rules import Ruleset
from jantaku_engine.tiles import KIND, YAOCHUU, TileError, check_possible, format_mpsz
from jantaku_engine.win import (
    DOUBLE,
    NO_RIICHI,
    OPEN,
    OPEN_DOUBLE,
    RIICHI,
    Win,
    WinResult,
    check_win,
    evaluate,
)
from jantaku_engine.yaku.catalogue import YAKU

HANDS = 20_000
PARTS = 4
SEED = 136

LOCAL = {
    "open_riichi": True,
    "open_double_riichi": True,
    "renhou": True,
    "renhou_mode": "stack5",
    "daisharin": True,
    "daichisei": True,
}
"""Local yaku that both know."""

RULES = [
    (
        Ruleset.from_dict({**LOCAL, **ours}),
        {"has_open_tanyao": True, "has_daisharin": True, "has_daichisei": True, **theirs},
    )
    for ours, theirs in (
        ({}, {}),
        ({"kuitan": False}, {"has_open_tanyao": False}),
        ({"kiriage": True}, {"kiriage": True}),
        ({"double_yakuman": False}, {"has_double_yakuman": False}),
        ({"kazoe": "sanbaiman"}, {"kazoe_limit": HandConstants.KAZOE_SANBAIMAN}),
        ({"kazoe": "stack"}, {"kazoe_limit": HandConstants.KAZOE_NO_LIMIT}),
        ({"open_pinfu_fu": 0}, {"fu_for_open_pinfu": False}),
        ({"pinfu_tsumo": False}, {"fu_for_pinfu_tsumo": True}),
        ({"yakuman_cap": "none"}, {"limit_to_sextuple_yakuman": False}),
    )
]
"""The same rules in both languages."""

NAMES = {
    "tsumo": "menzen_tsumo",
    "daburu_riichi": "double_riichi",
    "daburu_open_riichi": "open_double_riichi",
    "rinshan": "rinshan_kaihou",
    "haitei": "haitei_raoyue",
    "houtei": "houtei_raoyui",
    "iipeiko": "iipeikou",
    "ryanpeiko": "ryanpeikou",
    "haku": "yakuhai_haku",
    "hatsu": "yakuhai_hatsu",
    "chun": "yakuhai_chun",
    "chantai": "chanta",
    "ittsu": "ittsuu",
    "sanshoku": "sanshoku_doujun",
    "sanshoku_douko": "sanshoku_doukou",
    "honroto": "honroutou",
    "shosangen": "shousangen",
    "kokushi": "kokushi_musou",
    "daburu_kokushi": "kokushi_musou_13",
    "daburu_chuuren_poutou": "junsei_chuuren_poutou",
    "chinroto": "chinroutou",
    "tsuisou": "tsuuiisou",
    "daisuushi": "daisuushii",
    "shosuushi": "shousuushii",
    "ryuisou": "ryuuiisou",
    **{f"seat_wind_{wind}": "yakuhai_seat_wind" for wind in ("east", "south", "west", "north")},
    **{f"round_wind_{wind}": "yakuhai_round_wind" for wind in ("east", "south", "west", "north")},
}
"""Names of the package that differ from ours."""

GREEN = (19, 20, 21, 23, 25, 32)
DORA = {"dora": "dora", "aka_dora": "aka", "ura_dora": "ura"}


# --- random hands --------------------------------------------------------------------------------


def random_kinds(chance: random.Random) -> tuple[int, ...]:
    """The kinds that a hand is made of: all, or a narrow choice that yaku like."""
    suit = chance.randrange(3) * 9
    one_suit = tuple(range(suit, suit + 9))
    honours = tuple(range(27, 34))
    return chance.choice(
        (
            *(tuple(range(34)),) * 4,
            *(tuple(kind for kind in range(34) if kind not in YAOCHUU),) * 2,
            *((*one_suit, *honours),) * 2,
            one_suit,
            honours,
            YAOCHUU,
            (*YAOCHUU, 1, 2, 6, 7, 10, 11, 15, 16, 19, 20, 24, 25),
            GREEN,
            tuple(kind for kind in range(34) if kind % 9 in (1, 2, 3)),
        )
    )


Group = tuple[int, ...]


def random_groups(chance: random.Random) -> list[Group]:
    """Four groups and a pair; a group is often a copy or a neighbour of the one before."""
    kinds = random_kinds(chance)
    lows = [k for k in kinds if k < 27 and k % 9 < 7 and k + 1 in kinds and k + 2 in kinds]
    with_triplets = chance.random()
    groups: list[Group] = []
    for _ in range(4):
        if lows and chance.random() > with_triplets:
            low = chance.choice(lows)
            last = groups[-1][0] if groups else 0
            step = chance.choice((0, 3, 9, 18))
            if groups and chance.random() < 0.4 and (last + step) % 27 in lows:
                low = (last + step) % 27
            groups.append((low, low + 1, low + 2))
        else:
            kind = chance.choice(kinds)
            last = groups[-1][0] if groups else 0
            if groups and last < 27 and chance.random() < 0.3 and (last + 9) % 27 in kinds:
                kind = (last + 9) % 27
            groups.append((kind,) * 3)
    groups.append((chance.choice(kinds),) * 2)
    return groups


def random_concealed(chance: random.Random) -> list[int]:
    """Fourteen tiles of a form that allows no open meld."""
    form = chance.randrange(10)
    if form < 2:
        return [*YAOCHUU, chance.choice(YAOCHUU)]
    if form < 4:
        suit = chance.randrange(3) * 9
        return [suit + n for n in (0, 0, 0, *range(1, 8), 8, 8, 8, chance.randrange(9))]
    if form < 5:
        return [9 + n for n in range(1, 8) for _ in range(2)]
    if form < 6:
        return [kind for kind in range(27, 34) for _ in range(2)]
    kinds = random_kinds(chance)
    if len(kinds) < 7:
        kinds = tuple(range(34))
    return [kind for kind in chance.sample(kinds, 7) for _ in range(2)]


def lay_down(chance: random.Random, groups: list[Group]) -> tuple[list[Meld], list[int]]:
    """Some groups laid down, and the kinds of the rest."""
    melds: list[Meld] = []
    concealed = list(groups[4])
    calls = chance.choice((0, 0, 1, 2, 3, 4))
    only_ankan = chance.random() < 0.3
    for number, group in enumerate(groups[:4]):
        if number >= calls:
            concealed += group
        elif group[0] != group[-1]:
            if only_ankan:
                concealed += group
            else:
                melds.append(Meld(CHI, group, group[0]))
        else:
            type_ = ANKAN if only_ankan else chance.choice((PON, PON, DAIMINKAN, KAKAN, ANKAN))
            melds.append(Meld(type_, group if type_ == PON else (*group, group[0])))
    return melds, concealed


def redden(chance: random.Random, tiles: tuple[int, ...]) -> tuple[int, ...]:
    """Some of the fives red; whether the set has them is checked later."""
    reds = {4: 34, 13: 35, 22: 36}
    return tuple(reds[t] if t in reds and chance.random() < 0.4 else t for t in tiles)


def random_win(chance: random.Random) -> Win | None:
    """A hand, mostly complete, in a moment that can be; None when its tiles cannot be."""
    melds: list[Meld] = []
    if chance.random() < 0.15:
        concealed = random_concealed(chance)
    else:
        melds, concealed = lay_down(chance, random_groups(chance))
    if chance.random() < 0.03:
        concealed[-1] = chance.randrange(34)
    chance.shuffle(concealed)
    closed = all(meld.type == ANKAN for meld in melds)
    kans = any(meld.is_kan for meld in melds)
    tsumo = chance.random() < 0.5
    seat = chance.randrange(4)
    riichi = NO_RIICHI
    if closed and chance.random() < 0.5:
        riichi = chance.choice((RIICHI, RIICHI, DOUBLE, OPEN, OPEN_DOUBLE))
    rinshan = tsumo and kans and chance.random() < 0.3
    chankan = not tsumo and chance.random() < 0.1
    first = not melds and not riichi and not chankan and chance.random() < 0.05
    first = first and (tsumo or seat != 0)
    tiles = redden(chance, tuple(concealed))
    win = Win(
        hand=tiles[1:],
        win_tile=tiles[0],
        melds=tuple(Meld(m.type, redden(chance, m.tiles)) for m in melds),
        tsumo=tsumo,
        seat_wind=seat,
        round_wind=chance.randrange(4),
        riichi=riichi,
        ippatsu=bool(riichi) and not rinshan and chance.random() < 0.3,
        last_tile=not (rinshan or chankan or first) and chance.random() < 0.15,
        rinshan=rinshan,
        chankan=chankan,
        first_turn=first,
        dora=tuple(chance.choices(range(37), k=chance.randrange(4))),
        ura=tuple(chance.choices(range(37), k=chance.randrange(4))),
        honba=chance.choice((0, 0, 1, 3)),
    )
    try:
        check_possible((*win.tiles, *win.dora, *win.ura))
    except TileError:
        return None
    return win


# --- the same question in both languages ---------------------------------------------------------


class Ids:
    """Physical tiles for tile codes: reds are the first copies of their kind."""

    def __init__(self) -> None:
        self.used: Counter[int] = Counter()

    def take(self, tiles: tuple[int, ...]) -> list[int]:
        taken = []
        for tile in tiles:
            kind = KIND[tile]
            copy = 0
            if tile < 34:
                copy = self.used[tile] + (kind in (4, 13, 22))
                self.used[tile] += 1
            taken.append(4 * kind + copy)
        return taken


ORACLE_TYPES = {
    CHI: (OracleMeld.CHI, True),
    PON: (OracleMeld.PON, True),
    DAIMINKAN: (OracleMeld.KAN, True),
    KAKAN: (OracleMeld.SHOUMINKAN, True),
    ANKAN: (OracleMeld.KAN, False),
}


def ask_oracle(win: Win, options: dict[str, object]) -> tuple[HandResponse, HandConfig]:
    ids = Ids()
    win_tile = ids.take((win.win_tile,))
    tiles = win_tile + ids.take(win.hand)
    melds = []
    for meld in win.melds:
        type_, opened = ORACLE_TYPES[meld.type]
        melds.append(OracleMeld(type_, ids.take(meld.tiles), opened))
        tiles += melds[-1].tiles
    dealer = win.seat_wind == 0
    config = HandConfig(
        is_tsumo=win.tsumo,
        is_riichi=win.riichi in (RIICHI, OPEN),
        is_daburu_riichi=win.riichi in (DOUBLE, OPEN_DOUBLE),
        is_open_riichi=win.riichi in (OPEN, OPEN_DOUBLE),
        is_ippatsu=win.ippatsu,
        is_rinshan=win.rinshan,
        is_chankan=win.chankan,
        is_haitei=win.last_tile and win.tsumo,
        is_houtei=win.last_tile and not win.tsumo,
        is_tenhou=win.first_turn and win.tsumo and dealer,
        is_chiihou=win.first_turn and win.tsumo and not dealer,
        is_renhou=win.first_turn and not win.tsumo,
        player_wind=EAST + win.seat_wind,
        round_wind=EAST + win.round_wind,
        tsumi_number=win.honba,
        options=OptionalRules(has_aka_dora=True, **options),  # type: ignore[arg-type]
    )
    response = HandCalculator.estimate_hand_value(
        tiles,
        win_tile[0],
        melds=melds,
        dora_indicators=ids.take(win.dora),
        config=config,
        ura_dora_indicators=ids.take(win.ura),
    )
    return response, config


Answer = dict[str, object]


def oracle_answer(response: HandResponse, config: HandConfig) -> Answer:
    if response.error:
        reasons = {
            HandCalculator.ERR_HAND_NOT_WINNING: "not_complete",
            HandCalculator.ERR_NO_YAKU: "no_yaku",
        }
        return {"reason": reasons[response.error]}
    attributes = {id(value): name for name, value in vars(config.yaku).items()}
    dora = dict.fromkeys(DORA.values(), 0)
    yaku = {}
    yakuman = any(found.is_yakuman for found in response.yaku)
    for found in response.yaku:
        name = attributes[id(found)]
        value = found.han_open if response.is_open_hand and found.han_open else found.han_closed
        if name in DORA:
            dora[DORA[name]] = value
        else:
            yaku[NAMES.get(name, name)] = value // 13 if yakuman else value
    if "daichisei" in yaku:
        yaku["daichisei"] += yaku.pop("tsuuiisou")
    cost = response.cost
    main = cost["main"] + cost["main_bonus"]
    additional = cost["additional"] + cost["additional_bonus"]
    answer: Answer = {"yaku": yaku, **dora}
    if not yakuman:
        answer |= {"han": response.han, "fu": response.fu}
    if not config.is_tsumo:
        answer["pay"] = (main,)
    else:
        answer["pay"] = (0 if config.is_dealer else main, additional)
    return answer


def our_answer(win: Win, result: WinResult) -> Answer:
    if not result.win:
        return {"reason": result.reason}
    answer: Answer = {
        "yaku": dict(result.yaku),
        "dora": result.dora,
        "ura": result.ura,
        "aka": result.aka,
    }
    if not result.yakuman:
        answer |= {"han": result.han, "fu": result.fu}
    if win.tsumo:
        answer["pay"] = (result.pay_dealer, result.pay_others)
    else:
        answer["pay"] = (result.pay_discarder,)
    return answer


def told(win: Win) -> str:
    melds = ", ".join(map(str, win.melds))
    return f"{format_mpsz(win.hand)} + {format_mpsz([win.win_tile])} [{melds}]"


@pytest.mark.parametrize("part", range(PARTS))
def test_random_hands_agree(part: int) -> None:
    seed = SEED + part
    print(f"seed {seed}")
    chance = random.Random(seed)
    hands = wins = 0
    reached: Counter[str] = Counter()
    while hands < HANDS // PARTS:
        win = random_win(chance)
        if win is None:
            continue
        hands += 1
        rules, options = chance.choice(RULES)
        if win.tsumo and rules.open_pinfu_fu == 0:
            rules, options = RULES[0]
        check_win(win, rules)
        result = evaluate(win, rules)
        ours = our_answer(win, result)
        assert ours == oracle_answer(*ask_oracle(win, options)), told(win)
        if result.fu:
            total = sum(fu for _, fu in result.fu_parts)
            assert total == result.fu or (result.fu != 25 and 0 < result.fu - total < 10)
        wins += result.win
        reached.update(name for name, _ in result.yaku)
        reached[result.limit] += 1
    print(f"{wins} wins of {hands}, {len(reached)} yaku and limits reached")
    assert wins > hands * 0.7
    missing = {
        entry.id
        for entry in YAKU.values()
        if entry.kind in ("ordinary", "yakuman") or entry.id in LOCAL
    } - set(reached)
    assert not missing
