"""A small kit for tests at the table: wish for a wall, deal, play by text, read what happened.

Tiles that a test wishes for are mpsz text (`0m` = red five, `1z` = East); `.` is any tile.
Actions are `seat: action` with mjai tiles, as `actions.parse_action` reads them, for example
`1: pon 5m 5m 5mr`. Short forms: `0: tsumogiri`, `0: reach 5m` (declaration and discard), and a
`dahai` that does not say whether the tile was just drawn. A seat that the script does not name
passes, and on its turn discards what it drew.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from jantaku_engine import actions as act
from jantaku_engine import events as ev
from jantaku_engine.actions import Action, parse_action
from jantaku_engine.kyoku import IllegalAction, Kyoku
from jantaku_engine.rules import Ruleset
from jantaku_engine.shapes import shanten
from jantaku_engine.table import DRAWN, Table
from jantaku_engine.tiles import KIND, MJAI, MPSZ, kind_counts, parse_mjai, parse_mpsz
from jantaku_engine.view import SeatView
from jantaku_engine.wall import (
    DORA_INDICATORS,
    FIRST_LIVE,
    HAIPAI,
    LAST_LIVE,
    RINSHAN,
    URA_INDICATORS,
    Wall,
)

ANY = -1
NO_HANDS = ("", "", "", "")
FAR = 3
"""Least shanten of a hand that a test left to chance: it neither wins nor counts as tenpai."""


def wish(text: str) -> list[int]:
    """Tile codes of mpsz groups and dots: `123m . 5p` -> 0, 1, 2, ANY, 13."""
    wishes: list[int] = []
    for part in text.replace(".", " . ").split():
        wishes.extend([ANY] if part == "." else parse_mpsz(part))
    return wishes


def wall(
    options: Ruleset | None = None,
    *,
    oya: int = 0,
    hands: Sequence[str] = NO_HANDS,
    draws: str = "",
    last: str = "",
    rinshan: str = "",
    dora: str = "",
    ura: str = "",
    keep_out: str = "",
    seed: int = 0,
) -> Wall:
    """A wall with the tiles wished for; what is left over is shuffled into the other places.

    Args:
        hands: haipai of seats 0-3. draws: live draws from the first one on.
        last: the last live draws; its last tile is the last of the live wall.
        rinshan, dora, ura: replacement tiles and indicators in the order of the kans.
        keep_out: kinds of which no left-over tile may be drawn from the live wall.
        seed: of the shuffle; a hand that is left to chance is far from tenpai.
    """
    codes = (options or Ruleset()).tiles
    wanted: dict[int, int] = {}

    def put(indices: Iterable[int], text: str) -> None:
        tiles = wish(text)
        places = list(indices)
        assert len(tiles) <= len(places), f"{text!r}: more than {len(places)} tiles"
        for index, tile in zip(places, tiles, strict=False):
            if tile != ANY:
                assert index not in wanted, f"{text!r}: place {index} is wished for twice"
                wanted[index] = tile

    for seat, hand in enumerate(hands):
        put(HAIPAI[(seat - oya) % 4], hand)
    put(range(FIRST_LIVE, LAST_LIVE + 1), draws)
    put(range(LAST_LIVE + 1 - len(wish(last)), LAST_LIVE + 1), last)
    put(RINSHAN, rinshan)
    put(DORA_INDICATORS, dora)
    put(URA_INDICATORS, ura)

    by_code: dict[int, list[int]] = {}
    for tile_id, code in enumerate(codes):
        by_code.setdefault(code, []).append(tile_id)
    ids = [-1] * 136
    for index, tile in wanted.items():
        assert by_code.get(tile), f"the wall has no more {MJAI[tile]}"
        ids[index] = by_code[tile].pop()
    rest = sorted(tile_id for left in by_code.values() for tile_id in left)
    banned = {KIND[tile] for tile in wish(keep_out)}
    live = [i for i in range(FIRST_LIVE, LAST_LIVE + 1) if ids[i] < 0]
    elsewhere = [i for i in range(136) if ids[i] < 0 and i not in set(live)]
    chance = [
        list(HAIPAI[(seat - oya) % 4])
        for seat in range(4)
        if any(ids[index] < 0 for index in HAIPAI[(seat - oya) % 4])
    ]
    rng = random.Random(seed)
    for _ in range(2000):
        rng.shuffle(rest)
        outside = [t for t in rest if t // 4 in banned]
        inside = [t for t in rest if t // 4 not in banned]
        assert len(outside) <= len(elsewhere), "too many tiles to keep out of the live wall"
        spare = inside[len(live) :]
        others = outside + spare
        rng.shuffle(others)
        filled = ids.copy()
        for index, tile_id in zip(live + elsewhere, inside[: len(live)] + others, strict=True):
            filled[index] = tile_id
        if all(
            shanten(kind_counts(codes[filled[index]] for index in hand), 0) >= FAR
            for hand in chance
        ):
            return Wall(filled)
    raise AssertionError("no filling keeps the hands that are left to chance far from tenpai")


class Game:
    """One scripted hand.

    Attributes:
        kyoku: the engine. views: each seat's view, rebuilt from its masked events; index 4 is
            a spectator's.
    """

    def __init__(
        self,
        options: Ruleset | None = None,
        *,
        oya: int = 0,
        bakaze: int = 0,
        honba: int = 0,
        kyotaku: int = 0,
        scores: Sequence[int] | None = None,
        kept: int = 0,
        wins: int = 0,
        **wishes: Any,
    ) -> None:
        self.rules = options or Ruleset()
        self.wall = wall(self.rules, oya=oya, **wishes)
        self.start = tuple(scores or (self.rules.start,) * 4)
        self.kyoku = Kyoku(
            self.rules, self.wall, bakaze, oya + 1, honba, kyotaku, self.start, kept, wins
        )
        self.deposits = kyotaku
        self.views = [SeatView(seat, self.rules) for seat in (0, 1, 2, 3, -1)]
        self._seen = 0
        self._waiting = False
        self._check()

    # ------------------------------------------------------------------ playing

    @property
    def table(self) -> Table:
        """The state of the hand."""
        return self.kyoku.table

    @property
    def pending(self) -> dict[int, tuple[Action, ...]]:
        """Seats that are asked, each with its menu."""
        return self.kyoku.pending

    @property
    def over(self) -> bool:
        """Whether the hand has ended."""
        return self.kyoku.over

    def _check(self) -> None:
        """What must hold at every step: masked views agree, and no point is lost."""
        for event in self.kyoku.events[self._seen :]:
            for view in self.views:
                view.apply(event.seen_by(view.seat))
        self._seen = len(self.kyoku.events)
        for seat, menu in self.pending.items():
            assert self.views[seat].menu() == menu, f"the view of seat {seat} has another menu"
        table = self.table
        total = sum(table.scores) + 1000 * table.kyotaku
        assert total == sum(self.start) + 1000 * self.deposits, "points were lost or made"

    def answer(self, seat: int, action: Action) -> None:
        """One answer."""
        asked = len(self.pending)
        self.kyoku.answer(seat, action)
        self._waiting = asked > 1
        self._check()

    def refuses(self, line: str) -> bool:
        """Whether the engine refuses this answer now, and changes nothing by it."""
        seat, text = split(line)
        before = (self.table.snapshot(), len(self.kyoku.events), dict(self.pending))
        try:
            self.kyoku.answer(seat, parse_action(text))
        except IllegalAction:
            after = (self.table.snapshot(), len(self.kyoku.events), dict(self.pending))
            assert before == after, f"{line}: refused, but something changed"
            return True
        return False

    def default(self, seat: int) -> Action:
        """What a seat does that the script does not name."""
        menu = self.pending[seat]
        if act.PASS in menu:
            return act.PASS
        return tsumogiri_of(menu, self.table.hands[seat].drawn)

    def step(self) -> None:
        """Every seat that is asked does the default thing, once."""
        for seat in sorted(self.pending):
            if seat in self.pending:
                self.answer(seat, self.default(seat))

    def settle(self) -> Game:
        """If some seats have answered a discard, the others pass."""
        while self._waiting and self.pending:
            seat = min(self.pending)
            self.answer(seat, self.default(seat))
        self._waiting = False
        return self

    def play(self, *lines: str) -> Game:
        """Play the lines in order; the last window of claims is closed with passes."""
        for line in lines:
            seat, text = split(line)
            self._play_one(seat, text, line)
        return self.settle()

    def _play_one(self, seat: int, text: str, line: str) -> None:
        if text.startswith("reach ") and text != "reach open":
            words = text.split()
            declared = "reach open" if words[1] == "open" else "reach"
            self._play_one(seat, declared, line)
            self._play_one(seat, f"dahai {words[-1]}", line)
            return
        for _ in range(400):
            assert not self.over, f"{line}: the hand is over\n{self}"
            choice = self._find(seat, text)
            if choice is not None:
                self.answer(seat, choice)
                return
            menu = self.pending.get(seat)
            own_turn = menu is not None and act.PASS not in menu
            assert not own_turn, f"{line}: not in {[str(a) for a in menu or ()]}\n{self}"
            if self._waiting:
                self.settle()
            else:
                self.step()
        raise AssertionError(f"{line}: never possible\n{self}")

    def _find(self, seat: int, text: str) -> Action | None:
        menu = self.pending.get(seat, ())
        if text == "tsumogiri":
            return self.default(seat) if menu and act.PASS not in menu else None
        wanted = parse_action(text)
        if wanted in menu:
            return wanted
        if wanted.type == act.DAHAI and act.TSUMOGIRI[wanted.tile] in menu:
            return act.TSUMOGIRI[wanted.tile]
        return None

    def until(self, condition: Callable[[Game], bool]) -> Game:
        """Default play until the condition holds between two decisions."""
        self.settle()
        for _ in range(400):
            if condition(self):
                return self
            assert not self.over, f"the hand ended before the condition held\n{self}"
            self.step()
        raise AssertionError("the condition never held")

    def until_turn(self, seat: int, live_left: int | None = None) -> Game:
        """Default play until the seat has drawn (and so many live tiles are left)."""
        return self.until(
            lambda game: (
                game.table.phase == DRAWN
                and game.table.turn == seat
                and live_left in (None, game.table.live_left)
            )
        )

    def to_end(self) -> Game:
        """Default play to the end of the hand."""
        return self.until(lambda game: game.over)

    # ------------------------------------------------------------------ reading

    def menu(self, seat: int) -> list[str]:
        """Text forms of what the seat may do now; empty when it is not asked."""
        return [str(action) for action in self.pending.get(seat, ())]

    def claims(self, seat: int) -> list[str]:
        """What the seat may do with the tile that another has just discarded or added."""
        menu = self.menu(seat)
        return menu if "none" in menu else []

    def offers(self, seat: int, *words: str) -> list[str]:
        """The actions of the menu that begin with one of the words (all words: any action)."""
        return [text for text in self.menu(seat) if text.split()[0] in words]

    def discards(self, seat: int) -> set[str]:
        """Tiles that the seat may discard now, mjai names."""
        return {MJAI[a.tile] for a in self.pending.get(seat, ()) if a.type == act.DAHAI}

    def all(self, kind: type[ev.Event]) -> list[Any]:
        """Events of a class so far."""
        return [event for event in self.kyoku.events if isinstance(event, kind)]

    @property
    def types(self) -> list[str]:
        """Names of the events so far."""
        return [ev.EVENT_NAMES[event.type] for event in self.kyoku.events]

    @property
    def horas(self) -> list[ev.Hora]:
        """The wins of the hand, in order."""
        return self.all(ev.Hora)

    @property
    def hora(self) -> ev.Hora:
        """The only win of the hand."""
        assert len(self.horas) == 1, f"{len(self.horas)} wins\n{self}"
        return self.horas[0]

    @property
    def yaku(self) -> dict[str, float]:
        """Yaku of the only win."""
        return dict(self.hora.yaku)

    @property
    def draw(self) -> ev.Ryukyoku:
        """How the hand was drawn."""
        draws = self.all(ev.Ryukyoku)
        assert len(draws) == 1, f"no draw\n{self}"
        result: ev.Ryukyoku = draws[0]
        return result

    @property
    def gains(self) -> tuple[int, ...]:
        """What each seat has gained since the deal, deposits paid included."""
        return tuple(s - b for s, b in zip(self.table.scores, self.start, strict=True))

    def furiten(self, seat: int) -> bool:
        """Whether the seat is in any furiten."""
        return self.table.is_furiten(seat)

    def __str__(self) -> str:
        lines = [str(event.to_mjai()) for event in self.kyoku.events]
        lines += [f"seat {seat} may {self.menu(seat)}" for seat in self.pending]
        return "\n".join(lines)


def split(line: str) -> tuple[int, str]:
    seat, _, text = line.partition(":")
    return int(seat), text.strip()


def columns(seats: dict[int, str], oya: int = 0) -> str:
    """Draws of a hand without calls in which these seats draw these tiles, turn by turn."""
    tiles = {seat: wish(text) for seat, text in seats.items()}
    draws = [ANY] * 70
    for seat, column in tiles.items():
        for index, drawn in zip(range((seat - oya) % 4, 70, 4), column, strict=False):
            draws[index] = drawn
    return " ".join("." if drawn == ANY else MPSZ[drawn] for drawn in draws)


def at(indices: Iterable[int], text: str) -> str:
    """Draws that have these tiles at these numbers of the draw, from 0."""
    draws = [ANY] * 70
    for index, drawn in zip(indices, wish(text), strict=False):
        draws[index] = drawn
    return " ".join("." if drawn == ANY else MPSZ[drawn] for drawn in draws)


def yaochuu(seat: int = 0) -> str:
    """Eighteen terminals and honours for the draws of one of two seats (0 or 1)."""
    kinds = ("1m", "9m", "1p", "9p", "1s", "9s", "1z", "2z", "3z", "4z", "5z", "6z", "7z")
    return " ".join((kinds * 3)[18 * seat : 18 * seat + 18])


def tile(text: str) -> int:
    """Tile code of an mjai name."""
    return parse_mjai(text)


def rules(**options: Any) -> Ruleset:
    """The preset `standard` with these options."""
    return Ruleset.preset("standard", **options)


# ---------------------------------------------------------------------- situations

RON_9S = ("123m456m789m78s55z", "123p456p789p78s66z", "234m234p234s78s77z")
"""Three hands that wait for 6s and 9s, each two han and 40 fu by ron: 2600, dealer 3900."""


def fourth_kan(options: Ruleset, drawn: str, second: str = "", third: str = "") -> Game:
    """Seat 0 has made three kans, seat 1 makes the fourth and draws `drawn`.

    Seat 1 is tenpai; `second` and `third` are the hands of seats 2 and 3.
    """
    hands = ("1111z2222z3333z4m", "444s456m789m78p99p", second, third)
    game = Game(options, hands=hands, draws="6z4s", rinshan=f"1p1m1s{drawn}", keep_out="69s6p")
    for wind in "ESW":
        game.play(f"0: ankan {wind} {wind} {wind} {wind}")
    return game.play("0: dahai F", "1: ankan 4s 4s 4s 4s")


def pons(options: Ruleset, kinds: str, rest: str, **wishes: Any) -> Game:
    """The dealer pons three or four kinds: the last from seat 2, the others from seat 1.

    `rest` completes the dealer's haipai with as many tiles as there are pons, which it discards
    (its last tiles), after what it keeps.
    """
    tiles = wish(kinds)
    pairs = "".join(MPSZ[t] * 2 for t in tiles)
    from_1 = "".join(MPSZ[t] for t in tiles[:-1])
    hands = [pairs + rest, from_1, MPSZ[tiles[-1]] + "9s", "9s"]
    game = Game(options, hands=hands, keep_out="9s", **wishes)
    thrown = wish(rest)[-len(tiles) :]
    game.play("0: tsumogiri")
    for index, (kind, discard) in enumerate(zip(tiles, thrown, strict=True)):
        feeder = 2 if index == len(tiles) - 1 else 1
        name = MJAI[kind]
        game.play(f"{feeder}: dahai {name}", f"0: pon {name} {name} {name}")
        game.play(f"0: dahai {MJAI[discard]}")
    return game


def tsumogiri_of(menu: Sequence[Action], drawn: int) -> Action:
    """The discard of the tile just drawn, or where that is not to be told any discard."""
    discards = [action for action in menu if action.type == act.DAHAI]
    for action in discards:
        if action.flag:
            return action
    return next((action for action in discards if action.tile == drawn), discards[0])
