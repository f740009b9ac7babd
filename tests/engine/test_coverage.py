"""Every rare event has happened: found by searching seeds, or played on a wall built for it.

Each hand of the search and each built hand is audited (`audit.check`) by payments that are worked
out again from the rule book, and its table by a fold of its events. The report of what was found
with which seed, and what was built, is printed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import audit
import pytest
from kit import RON_9S, Game, at, columns, fourth_kan, pons, rules, yaochuu
from oracle import check_wins
from sim import THEMES, collectors, lucky, play, players, themed, wall

import paths
from jantaku_clients.bots.player import Bot
from jantaku_engine import events as ev
from jantaku_engine.rules import OPTIONS, Ruleset
from jantaku_engine.table import Table
from jantaku_engine.wall import Wall

Events = Sequence[ev.Event]
Detector = Callable[[Events, Ruleset], bool]

LOCAL = dict.fromkeys(
    (
        "open_riichi",
        "open_double_riichi",
        "renhou",
        "shiisan_puutou",
        "shiisan_puutou_with_renhou",
        "daichisei",
        "daisharin",
        "touhoku_shinkansen",
        "hyakumangoku",
        "isshoku_yonjun",
        "suurenkou",
        "benikujaku",
        "paarenchan",
    ),
    True,
)
RULES = {
    "standard": rules(),
    "tenhou": Ruleset.preset("tenhou"),
    "mahjongsoul": Ruleset.preset("mahjongsoul"),
    "every local yaku": rules(**LOCAL),
    "every local yaku, triple ron aborts": rules(multi_ron="double", sanchahou=True, **LOCAL),
}
TABLES = (
    ("standard", "eager", lucky),
    ("every local yaku, triple ron aborts", "mixed", lucky),
    ("tenhou", "greedy", lucky),
    ("mahjongsoul", "mixed", lucky),
    ("every local yaku", "eager", lucky),
    ("every local yaku", "greedy", wall),
    ("standard", "eager", wall),
)
"""Rules, players and walls of the search."""

GAMES = 40
"""How many games of each table, and of each theme, are searched."""


# --- what counts as having happened --------------------------------------------------------------


def horas(events: Events) -> list[ev.Hora]:
    return [event for event in events if isinstance(event, ev.Hora)]


def kans_by_seat(events: Events) -> list[int]:
    """Kans that stood; a robbed one is none."""
    kans = [0, 0, 0, 0]
    for event, following in pairwise(events):
        kan = isinstance(event, ev.Ankan | ev.Kakan) or event.type == ev.DAIMINKAN
        if kan and not isinstance(following, ev.Hora):
            kans[event.actor] += 1  # type: ignore[attr-defined]
    return kans


def live_left_at(events: Events, what: Callable[[ev.Event], bool]) -> list[int]:
    """Live tiles left at each such event."""
    left = 70
    found = []
    for event in events:
        left -= isinstance(event, ev.Tsumo)
        if what(event):
            found.append(left)
    return found


def drawn(reason: str) -> Detector:
    return lambda events, options: any(
        isinstance(event, ev.Ryukyoku) and event.reason == reason for event in events
    )


def won_with(yaku: str) -> Detector:
    return lambda events, options: any(yaku in dict(hora.yaku) for hora in horas(events))


def robbed_by_kokushi(events: Events, options: Ruleset) -> bool:
    return any(
        isinstance(event, ev.Ankan) and isinstance(following, ev.Hora)
        for event, following in pairwise(events)
    )


def double_ron_on_a_full_table(events: Events, options: Ruleset) -> bool:
    start = events[0]
    assert isinstance(start, ev.StartKyoku)
    sticks = start.kyotaku + sum(isinstance(event, ev.ReachAccepted) for event in events)
    return len(horas(events)) == 2 and start.honba > 0 and sticks > 0


def nagashi_by(number: int) -> Detector:
    return lambda events, options: any(
        isinstance(event, ev.Ryukyoku) and len(event.nagashi) == number for event in events
    )


def riichi_on_the_last_legal_draw(events: Events, options: Ruleset) -> bool:
    left = live_left_at(events, lambda event: isinstance(event, ev.Reach))
    return options.riichi_min_live_left in left


def rinshan_on_the_last_tile(events: Events, options: Ruleset) -> bool:
    left = live_left_at(events, lambda event: isinstance(event, ev.Hora))
    return won_with("rinshan_kaihou")(events, options) and left[0] == 0


RARE: dict[str, Detector] = {
    "four kans by one": lambda events, options: 4 in kans_by_seat(events),
    "four kans by several": lambda events, options: (
        sum(kans_by_seat(events)) == 4 and 4 not in kans_by_seat(events)
    ),
    "chankan": won_with("chankan"),
    "kokushi robbing an ankan": robbed_by_kokushi,
    "triple ron": lambda events, options: len(horas(events)) == 3,
    "double ron with honba and deposits": double_ron_on_a_full_table,
    "nagashi by one": nagashi_by(1),
    "nagashi by two": nagashi_by(2),
    **{
        f"abort: {reason}": drawn(reason)
        for reason in ev.DRAW_REASONS
        if reason not in (ev.EXHAUSTIVE, ev.NAGASHI_MANGAN)
    },
    "pao by tsumo": lambda events, options: any(
        hora.pao >= 0 and hora.actor == hora.target for hora in horas(events)
    ),
    "pao by ron": lambda events, options: any(
        hora.pao >= 0 and hora.actor != hora.target for hora in horas(events)
    ),
    "riichi on the last legal draw": riichi_on_the_last_legal_draw,
    "haitei": won_with("haitei_raoyue"),
    "houtei": won_with("houtei_raoyui"),
    "rinshan on the last tile": rinshan_on_the_last_tile,
    "counted yakuman": lambda events, options: any(
        hora.limit == "kazoe_yakuman" for hora in horas(events)
    ),
}


def yakuman_ids() -> list[str]:
    """Every yakuman of the catalogue, local ones too."""
    rows = [line.split("\t") for line in paths.rules_text("yaku.tsv").splitlines()[1:]]
    return [row[0] for row in rows if row[3].startswith("y") and row[5] in ("yakuman", "local")]


# --- walls built for it --------------------------------------------------------------------------

Build = Callable[[], Game]


def by_tsumo(hand: str, drawn: str, **options: object) -> Build:
    """Seat 1 draws the winning tile in its second turn."""

    def build() -> Game:
        game = Game(rules(**options), hands=("", hand, "", ""), draws=at([1, 5], f"2p{drawn}"))
        return game.play("1: dahai 2p").until_turn(1).play("1: hora")

    return build


def first_ron(hand: str, discarded: str, name: str, **options: object) -> Build:
    def build() -> Game:
        game = Game(rules(**options), hands=(discarded, hand, "", ""))
        return game.play(f"0: dahai {name}", "1: hora")

    return build


def first_draw(seat: int, hand: str, drawn: str, **options: object) -> Build:
    def build() -> Game:
        hands = ["", "", "", ""]
        hands[seat] = hand
        game = Game(rules(**options), hands=hands, draws=at([seat], drawn))
        return game.until_turn(seat).play(f"{seat}: hora")

    return build


def four_kans() -> Game:
    game = Game(hands=("1111m2222m3333m4p", "", "", ""), draws="5z", rinshan="4p4p4p5z")
    for kind in ("1m", "2m", "3m", "4p"):
        game.play(f"0: ankan {kind} {kind} {kind} {kind}")
    return game.play("0: hora")


def robbed_kakan() -> Game:
    hands = ("99s", "", RON_9S[0], "9s")
    game = Game(hands=hands, draws=at([7], "9s"), keep_out="69s", honba=1, kyotaku=1)
    game.play("3: dahai 9s", "0: pon 9s 9s 9s", "0: tsumogiri", "0: kakan 9s 9s 9s 9s")
    return game.play("2: hora")


def robbed_ankan() -> Game:
    hands = ("1111z", "19m19p19s234567z1m", "", "")
    return Game(hands=hands).play("0: ankan E E E E", "1: hora")


def many_rons(options: Ruleset, *lines: str) -> Build:
    def build() -> Game:
        game = Game(options, hands=("9s", *RON_9S), keep_out="69s", honba=2, kyotaku=3)
        return game.play("0: dahai 9s", *lines)

    return build


def nagashi(*seats: int) -> Build:
    draws = columns({seat: yaochuu(number) for number, seat in enumerate(seats)})
    return lambda: Game(draws=draws, honba=1, kyotaku=1).to_end()


def nine_kinds() -> Game:
    hands = ("19m19p19s123z568m7p", "", "", "")
    return Game(hands=hands, draws="7p").play("0: ryukyoku")


def four_winds() -> Game:
    game = Game(draws="3z3z3z3z")
    return game.play(*(f"{seat}: dahai W" for seat in range(4)))


def four_riichi() -> Game:
    hands = ("123m456m789m46p99s", "123p456p789p46s99m", "123s456s789s46m11p", "222333444z46p11m")
    game = Game(hands=hands, draws="5z6z7z7z", keep_out="5m5p5s")
    return game.play("0: reach P", "1: reach F", "2: reach C", "3: reach C")


def pao(*lines: str) -> Build:
    return lambda: pons(rules(), "567z", "234p9s357m", draws=at([8], "9s"), honba=1).play(*lines)


def last_riichi() -> Game:
    game = Game(hands=("", "123m456m789m46p99s", "", ""), draws=at([65], "5z"), keep_out="5p")
    return game.until_turn(1, 4).play("1: reach P").to_end()


def last_tile(*lines: str) -> Build:
    """Seat 1 draws the last live tile, for which it and seat 2 wait."""

    def build() -> Game:
        hands = ("", RON_9S[0], RON_9S[1], "")
        game = Game(hands=hands, last="9s", keep_out="69s")
        return game.until_turn(1, 0).play(*lines)

    return build


def last_rinshan() -> Game:
    hands = ("999p234s567s78m99m", "", "", "")
    game = Game(hands=hands, last="9p.", rinshan="6m", keep_out="69m")
    return game.until_turn(0, 1).play("0: ankan 9p 9p 9p 9p", "0: hora")


def counted() -> Game:
    """Double riichi, ippatsu, tsumo, pinfu, tanyao, ryanpeikou and a pure flush."""
    game = Game(hands=("", "2233445566778p", "", ""), draws=at([1, 5], "3z8p"), keep_out="58p")
    return game.play("1: reach W", "1: hora")


BUILT: dict[str, Build] = {
    "four kans by one": four_kans,
    "four kans by several": lambda: fourth_kan(rules(), "9m").play("1: dahai 9m"),
    "chankan": robbed_kakan,
    "kokushi robbing an ankan": robbed_ankan,
    "triple ron": many_rons(rules(), "1: hora", "2: hora", "3: hora"),
    "double ron with honba and deposits": many_rons(rules(), "1: hora", "3: hora"),
    "nagashi by one": nagashi(2),
    "nagashi by two": nagashi(0, 2),
    "abort: kyuushu_kyuuhai": nine_kinds,
    "abort: suufon_renda": four_winds,
    "abort: suucha_riichi": four_riichi,
    "abort: sanchahou": many_rons(
        rules(multi_ron="double", sanchahou=True), "1: hora", "2: hora", "3: hora"
    ),
    "abort: suukaikan": lambda: fourth_kan(rules(), "9m").play("1: dahai 9m"),
    "pao by tsumo": pao("0: hora"),
    "pao by ron": pao("3: dahai 9s", "0: hora"),
    "riichi on the last legal draw": last_riichi,
    "haitei": last_tile("1: hora"),
    "houtei": last_tile("1: dahai 9s", "2: hora"),
    "rinshan on the last tile": last_rinshan,
    "counted yakuman": counted,
}


def four_runs() -> Game:
    options = rules(isshoku_yonjun=True)
    hands = ("4444p5550p9s357m9m", "", "", "6666p")
    game = Game(options, hands=hands, draws=at([16], "9s"), keep_out="9s")
    for discard in ("3m", "5m", "7m", "9m"):
        red = "5pr" if discard == "9m" else "5p"
        game.play("3: dahai 6p", f"0: chi 6p 4p {red}", f"0: dahai {discard}")
    return game.play("0: hora")


YAKUMAN: dict[str, Build] = {
    "tenhou": first_draw(0, "123m456m789m46p99s", "5p"),
    "chiihou": first_draw(1, "123m456m789m46p99s", "5p"),
    "renhou": first_ron("123m456m789m46p99s", "5p", "5p", renhou=True),
    "kokushi_musou": by_tsumo("119m19p19s124567z", "3z"),
    "kokushi_musou_13": by_tsumo("19m19p19s1234567z", "1m"),
    "chuuren_poutou": by_tsumo("1112234567899m", "9m"),
    "junsei_chuuren_poutou": by_tsumo("1112345678999m", "1m"),
    "suuankou": by_tsumo("111m222p333s44s55m", "5m"),
    "suuankou_tanki": by_tsumo("111m222p333s444s7z", "7z"),
    "suukantsu": four_kans,
    "chinroutou": by_tsumo("111m999m111p99p11s", "1s"),
    "tsuuiisou": by_tsumo("111z222z33z444z55z", "5z"),
    "daisuushii": by_tsumo("111z222z444z33z55s", "3z"),
    "shousuushii": by_tsumo("111z222z33z44z567s", "4z"),
    "daisangen": by_tsumo("555z666z77z456s11m", "7z"),
    "ryuuiisou": by_tsumo("234234s66s888s66z", "6s"),
    "shiisan_puutou": first_draw(1, "147m258p369s1234z", "1z", shiisan_puutou=True),
    "daichisei": by_tsumo("1122334455667z", "7z", daichisei=True),
    "daisharin": by_tsumo("2233445566778p", "8p", daisharin=True),
    "touhoku_shinkansen": by_tsumo("123s456s789s11z44z", "1z", touhoku_shinkansen=True),
    "hyakumangoku": by_tsumo("5566677788899m", "9m", hyakumangoku=True),
    "isshoku_yonjun": four_runs,
    "suurenkou": by_tsumo("222s333s444s55s99p", "5s", suurenkou=True),
    "benikujaku": by_tsumo("111s55s777s999s77z", "5s", benikujaku=True),
    "paarenchan": lambda: Game(
        rules(paarenchan=True), kept=8, hands=("123m456m789m46p99s", "5p", "", ""), keep_out="5p"
    ).play("1: dahai 5p", "0: hora"),
}


# --- the search ----------------------------------------------------------------------------------


def examine(events: Events, options: Ruleset) -> list[str]:
    """Audit a hand; what rare things happened in it."""
    audit.check(events, options)
    check_wins(events, options)
    fold = Table(options)
    for event in events:
        fold.apply(event)
        assert fold.kans <= 4
    assert fold.kans == sum(kans_by_seat(events))
    last = [e for e in events if isinstance(e, ev.Hora | ev.Ryukyoku)][-1]
    assert fold.scores == list(last.scores)
    names = [name for name, happened in RARE.items() if happened(events, options)]
    return names + [name for hora in horas(events) for name, _ in hora.yaku]


@pytest.fixture(scope="module")
def found() -> dict[str, str]:
    """What happened in the search, and where first."""
    found: dict[str, str] = {}

    def search(ruleset: str, table: str, who: list[Bot], deal: Callable[[int, int], Wall]) -> None:
        options = RULES[ruleset]
        match, _ = play(options, who, seed, hands=8, deal=deal)
        for number, events in enumerate(audit.hands_of(match.events)):
            where = f"{ruleset}, {table}, {deal.__name__}, seed {seed}, hand {number}"
            try:
                for name in examine(events, options):
                    found.setdefault(name, where)
            except AssertionError as error:
                error.add_note(where)
                raise

    for seed in range(GAMES):
        for ruleset, who, deal in TABLES:
            search(ruleset, who, players(who, seed), deal)
        for theme in THEMES:
            ruleset = list(RULES)[seed % len(RULES)]
            search(ruleset, "collector", collectors(theme, seed), themed(theme))
    return found


@pytest.mark.parametrize("name", BUILT)
def test_it_happens_on_a_wall_built_for_it(name: str) -> None:
    game = BUILT[name]()
    assert game.over
    assert name in examine(game.kyoku.events, game.rules)


@pytest.mark.parametrize("name", YAKUMAN)
def test_each_yakuman_happens_on_a_wall_built_for_it(name: str) -> None:
    game = YAKUMAN[name]()
    assert name in examine(game.kyoku.events, game.rules)
    hora = game.hora
    assert hora.limit == "yakuman"
    assert hora.yakuman == sum(value for _, value in hora.yaku)
    dealer = hora.actor == 0
    won = int(hora.yakuman * (48_000 if dealer else 32_000))
    assert game.gains[hora.actor] == won


def test_everything_rare_has_happened_and_is_reported(
    found: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    names = [*RARE, *yakuman_ids()]
    missing = [n for n in names if n not in found and n not in BUILT and n not in YAKUMAN]
    with capsys.disabled():
        print(f"\n{'rare event':38} found by search, or built")
        for name in names:
            print(f"{name:38} {found.get(name, 'built')}")
    assert missing == []


def test_nothing_rare_or_yakuman_is_without_a_wall() -> None:
    assert set(BUILT) == set(RARE)
    assert set(YAKUMAN) == set(yakuman_ids())
    assert set(LOCAL) <= set(OPTIONS)


def test_the_search_finds_most_things(found: dict[str, str]) -> None:
    searched = [name for name in RARE if name in found]
    assert len(searched) >= 12, sorted(set(RARE) - set(searched))
