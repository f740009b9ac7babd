"""Simulated games for tests: players, a loop that can be watched, and how to play it again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from random import Random

import pytest

from jantaku_clients.bots import Greedy, RandomBot, Tsumogiri
from jantaku_clients.bots.greedy import best_discard
from jantaku_clients.bots.player import Bot
from jantaku_engine import actions as act
from jantaku_engine.actions import Action
from jantaku_engine.events import Event
from jantaku_engine.kyoku import Kyoku
from jantaku_engine.match import Match
from jantaku_engine.menu import Menu
from jantaku_engine.rules import OPTIONS, PRESETS, RulesError, Ruleset
from jantaku_engine.tiles import KIND, YAOCHUU
from jantaku_engine.view import SeatView
from jantaku_engine.wall import HAIPAI, Wall

Answers = list[tuple[int, Action]]


EAGERNESS = {
    act.HORA: 0.7,
    act.ANKAN: 0.9,
    act.KAKAN: 0.9,
    act.DAIMINKAN: 0.8,
    act.PON: 0.6,
    act.CHI: 0.3,
    act.REACH: 0.8,
    act.RYUUKYOKU: 0.3,
    act.NOTEN: 0.3,
}


class Eager(Bot):
    """Calls and kans and declares whenever it can, wins mostly, and discards by chance."""

    __slots__ = ()
    needs_view = False

    def choose(self, view: SeatView, menu: Menu) -> Action:
        for action in menu:
            if self.rng.random() < EAGERNESS.get(action.type, 0):
                return action
        passive = [a for a in menu if a.type in (act.NONE, act.DAHAI)]
        return passive[int(self.rng.random() * len(passive))]


class Collector(Bot):
    """Keeps the kinds of a theme and takes whatever of them it can get."""

    __slots__ = ("calls", "theme")

    def __init__(self, rng: Random, theme: frozenset[int], calls: bool = True) -> None:
        super().__init__(rng)
        self.theme = theme
        self.calls = calls

    def choose(self, view: SeatView, menu: Menu) -> Action:
        if act.WIN in menu:
            return act.WIN
        for action in menu:
            tiles = (action.tile, *action.consumed)
            wanted = all(KIND[tile] in self.theme for tile in tiles if tile >= 0)
            if self.calls and wanted and action.type in CALLS:
                return action
        if act.PASS in menu:
            return act.PASS
        discards = [action for action in menu if action.type == act.DAHAI]
        useless = [action for action in discards if KIND[action.tile] not in self.theme]
        if useless:
            return useless[int(self.rng.random() * len(useless))]
        return best_discard(view.table, view.seat, menu)


CALLS = (act.PON, act.DAIMINKAN, act.KAKAN, act.ANKAN)

THEMES: dict[str, frozenset[int]] = {
    "honours": frozenset(range(27, 34)),
    "winds": frozenset(range(27, 31)),
    "dragons": frozenset(range(31, 34)),
    "terminals": frozenset((0, 8, 9, 17, 18, 26)),
    "yaochuu": frozenset(YAOCHUU),
    "green": frozenset((19, 20, 21, 23, 25, 32)),
    "peacock": frozenset((18, 22, 24, 26, 33)),
    "four in a row": frozenset((10, 11, 12, 13)),
    "characters": frozenset(range(9)),
    "big characters": frozenset(range(4, 9)),
    "circles": frozenset(range(10, 17)),
    "simples": frozenset(range(34)) - frozenset(YAOCHUU),
}


def collectors(theme: str, seed: int) -> list[Bot]:
    """One seat collects a theme, the others discard what they draw."""
    kinds = THEMES[theme]
    calls = theme not in ("yaochuu", "simples", "characters", "circles")
    seats: list[Bot] = [Tsumogiri(Random(seed)) for _ in range(4)]
    seats[seed % 4] = Collector(Random(seed), kinds, calls)
    return seats


def themed(theme: str) -> Callable[[int, int], Wall]:
    """Walls that deal ten tiles of the theme to the seat that collects it, and more early."""

    def deal(seed: int, hand: int) -> Wall:
        rng = Random(f"{theme} {seed} {hand}")
        rest = list(range(136))
        rng.shuffle(rest)
        wanted = [tile for tile in rest if tile // 4 in THEMES[theme]][:16]
        rest = [tile for tile in rest if tile not in set(wanted)]
        ids = [-1] * 136
        places = list(HAIPAI[(seed - hand) % 4])[:10]
        places += rng.sample(range(52, 100), len(wanted) - len(places))
        for place, tile in zip(places, wanted, strict=True):
            ids[place] = tile
        for place in range(136):
            if ids[place] < 0:
                ids[place] = rest.pop()
        return Wall(ids)

    deal.__name__ = f"{theme} wall"
    return deal


PLAYERS: dict[str, tuple[type[Bot], ...]] = {
    "random": (RandomBot,) * 4,
    "greedy": (Greedy,) * 4,
    "eager": (Eager,) * 4,
    "mixed": (Greedy, Eager, Greedy, RandomBot),
}


def players(name: str, seed: int) -> list[Bot]:
    """Four players, by the name of their table."""
    return [kind(Random(seed * 4 + seat)) for seat, kind in enumerate(PLAYERS[name])]


def wall(seed: int, hand: int) -> Wall:
    """The wall of hand number `hand` of the game with this seed."""
    return Wall.from_seed(seed.to_bytes(32, "big"), hand)


def lucky(seed: int, hand: int) -> Wall:
    """A wall that deals groups: hands near tenpai, quads and pairs, so that much happens."""
    rng = Random(seed * 1000 + hand)
    left = [[4 * kind + copy for copy in range(4)] for kind in range(34)]
    for copies in left:
        rng.shuffle(copies)
    groups: list[list[int]] = []
    while any(left):
        kind = rng.choice([k for k in range(34) if left[k]])
        run = [kind, kind + 1, kind + 2]
        if kind < 27 and kind % 9 < 7 and all(left[k] for k in run) and rng.random() < 0.5:
            groups.append([left[k].pop() for k in run])
        else:
            size = min(len(left[kind]), rng.choice((1, 2, 3, 3, 4)))
            groups.append([left[kind].pop() for _ in range(size)])
    tiles = [tile for group in groups for tile in group]
    ids = [0] * 136
    for place, tile in zip([i for haipai in HAIPAI for i in haipai], tiles, strict=False):
        ids[place] = tile
    rest = tiles[52:]
    rng.shuffle(rest)
    ids[52:] = rest
    return Wall(ids)


class Hand:
    """One hand as it was played: what it began with, and all answers in order.

    Attributes:
        decisions: how many answers had been given at each moment of asking.
    """

    def __init__(self, match: Match, wall: Wall) -> None:
        self.rules = match.rules
        self.wall = wall
        self.start = (
            match.round // 4,
            match.round % 4 + 1,
            match.honba,
            match.kyotaku,
            tuple(match.scores),
            match.kept,
            match.wins,
        )
        self.answers: Answers = []
        self.decisions: list[int] = []

    def deal(self, wall: Wall | None = None) -> Kyoku:
        """The hand again from its beginning, on its own or another wall."""
        return Kyoku(self.rules, wall or self.wall, *self.start)

    def replay(self, answers: int) -> Kyoku:
        """The hand as it was after so many answers."""
        kyoku = self.deal()
        for seat, action in self.answers[:answers]:
            kyoku.answer(seat, action)
        return kyoku


def play(
    rules: Ruleset,
    who: Sequence[Bot],
    seed: int,
    watch: Callable[[Match], None] = lambda match: None,
    hands: int = 1000,
    deal: Callable[[int, int], Wall] = wall,
) -> tuple[Match, list[Hand]]:
    """Play a game to its end (or so many hands); `watch` looks at every moment of asking.

    Everybody who is asked chooses before anybody's answer is known. A failure tells the seed.
    """
    match = Match(rules)
    played: list[Hand] = []
    views = [SeatView(seat, rules) for seat in range(4)]
    told = 0
    try:
        while not match.over and (not match.between_hands or match.dealt < hands):
            if match.between_hands:
                this = deal(seed, match.dealt)
                played.append(Hand(match, this))
                match.deal(this)
            for event in match.events[told:]:
                for seat, player in enumerate(who):
                    if player.needs_view:
                        views[seat].apply(event.seen_by(seat))
            told = len(match.events)
            watch(match)
            played[-1].decisions.append(len(played[-1].answers))
            answers = [
                (seat, who[seat].choose(views[seat], menu)) for seat, menu in match.pending.items()
            ]
            for seat, action in answers:
                played[-1].answers.append((seat, action))
                match.answer(seat, action)
    except BaseException as error:
        error.add_note(f"rules {rules}, players {[type(w).__name__ for w in who]}, seed {seed}")
        error.add_note(f"walls {deal.__name__}")
        error.add_note(f"hand {match.dealt - 1}, after {len(played[-1].answers)} answers")
        raise
    return match, played


def lines(events: Sequence[Event]) -> list[str]:
    """The bytes of events as they would be sent."""
    return [json.dumps(event.to_mjai()) for event in events]


def every_action() -> Iterator[Action]:
    """Every action that exists."""
    yield from (act.PASS, act.WIN, act.KYUUSHU, act.FOLD, act.RIICHI, act.OPEN_RIICHI)
    yield from act.DISCARDS
    yield from act.TSUMOGIRI
    for kind in range(34):
        reds = {4: 34, 13: 35, 22: 36}
        looks = [kind, reds[kind]] if kind in reds else [kind]
        for tile in looks:
            for number, call in ((2, act.PON), (3, act.DAIMINKAN), (3, act.KAKAN)):
                for red in range(number + 1 if len(looks) > 1 else 1):
                    consumed = (kind,) * (number - red) + (looks[-1],) * red
                    yield act.call(call, tile, consumed)
        for red in range(5 if len(looks) > 1 else 1):
            yield act.ankan((kind,) * (4 - red) + (looks[-1],) * red)
        if kind < 27 and kind % 9 <= 6:
            run = (kind, kind + 1, kind + 2)
            for position in range(3):
                for first in (run[position], reds.get(run[position], -1)):
                    others = [k for k in run if k != run[position]]
                    for swap in range(4):
                        consumed = tuple(
                            reds.get(k, k) if swap >> i & 1 else k for i, k in enumerate(others)
                        )
                        if first >= 0:
                            yield act.call(act.CHI, first, consumed)


# ---------------------------------------------------------------------- rules

GAMES = [
    pytest.param(Ruleset.preset(preset, length=length), id=f"{preset}-{length}")
    for preset in PRESETS
    for length in ("tonpuu", "hanchan")
]
LOCAL = Ruleset.preset(
    "standard",
    open_riichi=True,
    open_double_riichi=True,
    open_riichi_dealin_yakuman=True,
    renhou=True,
    shiisan_puutou=True,
    shiisan_puutou_with_renhou=True,
    noten_declaration=True,
    kan_dora_timing="ankan_now_minkan_after_pass",
    nagashi="win",
    multi_ron="double",
    sanchahou=True,
    suukaikan_timing="immediate",
    kuikae="genbutsu_only_forbidden",
    riichi_ankan="same_shape",
    karaten_own4="noten_concealed4",
    call_priority="first_declared",
    multi_ron_honba="each",
    dealer_first_tile="dealt",
    wait_variant_on_tenhou="single",
    pao_suukantsu=True,
    pao_daiminkan_rinshan=True,
    paarenchan=True,
    leftover_riichi="split",
    riichi_min_live_left=0,
    riichi_min_score="none",
    renchan="noten",
    tobi="off",
)
EVERYTHING = [*GAMES, pytest.param(LOCAL, id="every-switch")]


def first_seed(rules: Ruleset) -> int:
    """Other games for each set of rules, the same in every run."""
    return sum(map(ord, str(rules))) % 1000


def any_rules(rng: Random) -> Ruleset:
    """Options of play at random, as far as they go together."""
    while True:
        chosen = {}
        for name, option in OPTIONS.items():
            values = [v for v in option.domain.examples() if not isinstance(v, int) or v < 100]
            if values and rng.random() < 0.5 and name not in ("start", "target"):
                chosen[name] = rng.choice(values)
        try:
            return Ruleset.preset("standard", **{**chosen, "length": "tonpuu"})
        except RulesError:
            continue
