"""What a seat may do, worked out from all events so far and the rule book, in the slowest way.

It shares nothing with the engine's table, menu, furiten or waits; it asks the engine's win
evaluator alone, with facts that it has found itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from brute import YAOCHUU, counted, readings, waits

from jantaku_engine import events as ev
from jantaku_engine.melds import ANKAN, CHI, DAIMINKAN, KAKAN, PON, Meld
from jantaku_engine.rules import Ruleset
from jantaku_engine.tiles import KIND, MJAI, SORT_KEY
from jantaku_engine.win import (
    DOUBLE,
    NO_RIICHI,
    OPEN,
    OPEN_DOUBLE,
    RIICHI,
    Win,
    WinResult,
    evaluate,
)

WINDS = (27, 28, 29, 30)


class Seat:
    """One seat's tiles and marks."""

    def __init__(self, tiles: Sequence[int]) -> None:
        self.hand = list(tiles)
        self.melds: list[Meld] = []
        self.drawn = -1
        self.river: list[int] = []
        self.riichi = NO_RIICHI
        self.ippatsu = False
        self.missed = False
        self.missed_in_riichi = False

    def before_draw(self) -> list[int]:
        """The hand without the tile just drawn."""
        hand = list(self.hand)
        if self.drawn >= 0:
            hand.remove(self.drawn)
        return hand

    def waits(self) -> frozenset[int]:
        hand = self.before_draw()
        return waits(counted(hand)) if len(hand) % 3 == 1 else frozenset()

    def closed(self) -> bool:
        return all(meld.type == ANKAN for meld in self.melds)


class Oracle:
    """The hand as its events tell it."""

    def __init__(self, events: Sequence[ev.Event], rules: Ruleset) -> None:
        self.rules = rules
        start = events[0]
        assert isinstance(start, ev.StartKyoku)
        self.start = start
        self.seats = [Seat(tiles) for tiles in start.tehais]
        self.scores = list(start.scores)
        self.dora = [start.dora_marker]
        self.draws = 0
        self.broken = False
        self.rinshan = False
        self.after_kan = False
        self.declaring = -1
        self.declared = NO_RIICHI
        self.events = events
        for index, event in enumerate(events[1:], 1):
            self.last = event
            self.take(event)
            if index + 1 < len(events) and not isinstance(events[index + 1], ev.Hora):
                self.window_closes(event)

    # ------------------------------------------------------------------ the fold

    def take(self, event: ev.Event) -> None:
        if isinstance(event, ev.Tsumo):
            seat = self.seats[event.actor]
            seat.hand.append(event.pai)
            seat.drawn = event.pai
            self.draws += 1
            self.rinshan = self.after_kan
            self.after_kan = False
            if self.rules.temp_furiten_end == "own_draw":
                seat.missed = False
        elif isinstance(event, ev.Dahai):
            seat = self.seats[event.actor]
            if seat.riichi and KIND[seat.drawn] in seat.waits():
                seat.missed_in_riichi = True
            seat.ippatsu = False
            seat.hand.remove(event.pai)
            seat.drawn = -1
            seat.river.append(KIND[event.pai])
            if self.rules.temp_furiten_end == "own_discard":
                seat.missed = False
        elif isinstance(event, ev.Naki):
            kind = {ev.CHI: CHI, ev.PON: PON, ev.DAIMINKAN: DAIMINKAN}[event.type]
            tiles = (event.pai, *event.consumed)
            self.lay(event.actor, Meld(kind, tiles, event.pai, event.target), event.consumed)
            self.after_kan = kind == DAIMINKAN
            self.rinshan = False
            self.interrupt()
        elif isinstance(event, ev.Ankan):
            self.lay(event.actor, Meld(ANKAN, event.consumed), event.consumed)
        elif isinstance(event, ev.Kakan):
            seat = self.seats[event.actor]
            pon = next(
                m for m in seat.melds if m.type == PON and KIND[m.tiles[0]] == KIND[event.pai]
            )
            seat.melds[seat.melds.index(pon)] = Meld(
                KAKAN, (*pon.tiles, event.pai), pon.called, pon.target, event.pai
            )
            seat.hand.remove(event.pai)
            seat.drawn = -1
        elif isinstance(event, ev.Dora):
            self.dora.append(event.dora_marker)
        elif isinstance(event, ev.Reach):
            double = self.first_turn(event.actor)
            kinds = {
                (False, False): RIICHI,
                (False, True): DOUBLE,
                (True, False): OPEN,
                (True, True): OPEN_DOUBLE if self.rules.open_double_riichi else OPEN,
            }
            self.declared = kinds[event.open, double]
            self.declaring = event.actor
        elif isinstance(event, ev.ReachAccepted):
            seat = self.seats[event.actor]
            seat.riichi = self.declared
            seat.ippatsu = True
            self.scores[event.actor] -= 1000
            self.declaring = -1

    def lay(self, actor: int, meld: Meld, consumed: Sequence[int]) -> None:
        seat = self.seats[actor]
        for tile in consumed:
            seat.hand.remove(tile)
        seat.melds.append(meld)
        seat.drawn = -1

    def interrupt(self) -> None:
        self.broken = True
        for seat in self.seats:
            seat.ippatsu = False

    def window_closes(self, event: ev.Event) -> None:
        """The tile just shown was not won."""
        if isinstance(event, ev.Dahai | ev.Kakan):
            kind = KIND[event.pai]
        elif isinstance(event, ev.Ankan):
            kind = KIND[event.consumed[0]]
        else:
            return
        for number, seat in enumerate(self.seats):
            if number == event.actor or kind not in seat.waits():
                continue
            if isinstance(event, ev.Ankan) and not self.kokushi_may_rob(seat):
                continue
            if seat.riichi:
                seat.missed_in_riichi = True
            else:
                seat.missed = True
        if isinstance(event, ev.Kakan | ev.Ankan):
            self.after_kan = True
            self.interrupt()

    # ------------------------------------------------------------------ facts

    def kokushi_may_rob(self, seat: Seat) -> bool:
        if not self.rules.kokushi_rob_ankan or seat.melds:
            return False
        return not any(KIND[tile] not in YAOCHUU for tile in seat.hand) and bool(seat.waits())

    def first_turn(self, seat: int) -> bool:
        return not self.broken and not self.seats[seat].river

    def live_left(self) -> int:
        return 70 - self.draws

    def kans(self) -> int:
        return sum(len(meld.tiles) == 4 for seat in self.seats for meld in seat.melds)

    def may_kan(self) -> bool:
        return self.live_left() >= self.rules.kan_min_live_left and self.kans() < 4

    def furiten(self, number: int) -> bool:
        seat = self.seats[number]
        return seat.missed or seat.missed_in_riichi or bool(seat.waits() & set(seat.river))

    def tenpai(self, number: int, hand: Sequence[int]) -> bool:
        """Tenpai by `karaten_own4` with this hand."""
        counts = counted(hand)
        if self.rules.karaten_own4 == "tenpai":
            return bool(waits(counts))
        own = list(counts)
        if self.rules.karaten_own4 == "noten_hand_or_meld4":
            for meld in self.seats[number].melds:
                for tile in meld.tiles:
                    own[KIND[tile]] += 1
        return any(own[kind] < 4 for kind in waits(counts))

    def wins(self, number: int, tile: int, tsumo: bool, chankan: bool = False) -> bool:
        return self.value(number, tile, tsumo, chankan).win

    def value(
        self,
        number: int,
        tile: int,
        tsumo: bool,
        chankan: bool = False,
        ura: tuple[int, ...] = (),
    ) -> WinResult:
        """The evaluator's word on a win, asked with the facts found here."""
        seat = self.seats[number]
        hand = list(seat.hand)
        if tsumo:
            hand.remove(tile)
        dealer = number == self.start.oya
        actor = getattr(self.last, "actor", -1)
        question = Win(
            hand=tuple(sorted(hand)),
            win_tile=tile,
            melds=tuple(seat.melds),
            tsumo=tsumo,
            seat_wind=(number - self.start.oya) % 4,
            round_wind=self.start.bakaze,
            riichi=seat.riichi,
            ippatsu=seat.ippatsu,
            last_tile=self.live_left() == 0,
            rinshan=self.rinshan,
            chankan=chankan,
            first_turn=self.first_turn(number),
            dora=tuple(self.dora),
            ura=ura,
            honba=self.start.honba,
            discarder_riichi=not tsumo and self.seats[actor].riichi != NO_RIICHI,
            kept=self.start.kept if dealer else 0,
            wins=self.start.wins if dealer else 0,
        )
        return evaluate(question, self.rules)

    def aborts(self) -> bool:
        """The discard just made ends the hand unless it is won."""
        rules = self.rules
        riichi = sum(seat.riichi != NO_RIICHI for seat in self.seats) + (self.declaring >= 0)
        first = [seat.river[0] for seat in self.seats if len(seat.river) == 1]
        same_winds = len(first) == 4 and len(set(first)) == 1 and first[0] in WINDS
        kans = [sum(len(m.tiles) == 4 for m in seat.melds) for seat in self.seats]
        return (
            (rules.suucha_riichi and riichi == 4)
            or (rules.suufon_renda and same_winds and not self.broken)
            or (
                rules.suukaikan
                and rules.suukaikan_timing == "after_discard"
                and sum(kans) == 4
                and max(kans) < 4
            )
        )

    # ------------------------------------------------------------------ menus

    def menu(self, number: int) -> set[str]:
        """Text forms of everything that the seat may do now."""
        event = self.last
        actor = getattr(event, "actor", -1)
        items: set[str] = set()
        if isinstance(event, ev.Tsumo) and actor == number:
            return set(self.draw_menu(number))
        if isinstance(event, ev.Reach) and actor == number:
            return set(self.discards(number, self.riichi_kinds(number)))
        if isinstance(event, ev.Naki) and event.type != ev.DAIMINKAN and actor == number:
            return set(self.discards(number, set(range(34)) - self.kuikae(event)))
        if isinstance(event, ev.Dahai):
            items = set(self.claims(number, event)) if actor != number else set()
            if self.may_fold(number, actor):
                items.add("noten")
        elif isinstance(event, ev.Kakan) and actor != number:
            if not self.furiten(number) and self.wins(number, event.pai, False, True):
                items.add("hora")
        elif isinstance(event, ev.Ankan) and actor != number:
            seat = self.seats[number]
            tile = event.consumed[0]
            may = self.kokushi_may_rob(seat) and KIND[tile] in seat.waits()
            if may and not self.furiten(number) and self.wins(number, tile, False):
                items.add("hora")
        return items | {"none"} if items else items

    def may_fold(self, number: int, actor: int) -> bool:
        seat = self.seats[number]
        return (
            self.rules.noten_declaration
            and self.live_left() == 0
            and not seat.riichi
            and self.declaring != number
            and not self.aborts()
            and self.tenpai(number, seat.hand)
        )

    def discards(self, number: int, allowed: set[int]) -> Iterator[str]:
        seat = self.seats[number]
        dealt = (
            self.rules.dealer_first_tile == "dealt"
            and number == self.start.oya
            and self.draws == 1
            and not isinstance(self.last, ev.Naki)
        )
        for tile in set(seat.hand):
            if KIND[tile] not in allowed:
                continue
            if tile != seat.drawn or seat.hand.count(tile) > 1 or dealt:
                yield f"dahai {MJAI[tile]}"
            if tile == seat.drawn and not dealt:
                yield f"dahai {MJAI[tile]} tsumogiri"

    def riichi_kinds(self, number: int) -> set[int]:
        kinds = set()
        for tile in set(self.seats[number].hand):
            rest = list(self.seats[number].hand)
            rest.remove(tile)
            if self.tenpai(number, rest):
                kinds.add(KIND[tile])
        return kinds

    def draw_menu(self, number: int) -> Iterator[str]:
        rules = self.rules
        seat = self.seats[number]
        counts = counted(seat.hand)
        if self.wins(number, seat.drawn, True):
            yield "hora"
        if seat.riichi:
            yield f"dahai {MJAI[seat.drawn]} tsumogiri"
        else:
            yield from self.discards(number, set(range(34)))
            enough = rules.riichi_min_score
            if (
                seat.closed()
                and (enough == "none" or self.scores[number] >= enough)
                and self.live_left() >= rules.riichi_min_live_left
                and self.riichi_kinds(number)
            ):
                yield "reach"
                if rules.open_riichi or (rules.open_double_riichi and self.first_turn(number)):
                    yield "reach open"
            if (
                rules.kyuushu_kyuuhai
                and self.first_turn(number)
                and sum(counts[kind] > 0 for kind in YAOCHUU) >= 9
            ):
                yield "ryukyoku"
        if not self.may_kan():
            return
        for kind in range(34):
            if counts[kind] == 4 and (not seat.riichi or self.may_kan_in_riichi(number, kind)):
                yield "ankan " + named(tile for tile in seat.hand if KIND[tile] == kind)
        if seat.riichi:
            return
        for meld in seat.melds:
            for tile in set(seat.hand):
                if meld.type == PON and KIND[tile] == KIND[meld.tiles[0]]:
                    yield f"kakan {MJAI[tile]} {named(meld.tiles)}"

    def may_kan_in_riichi(self, number: int, kind: int) -> bool:
        rule = self.rules.riichi_ankan
        seat = self.seats[number]
        before = counted(seat.before_draw())
        if rule == "none" or kind != KIND[seat.drawn] or kind in waits(before):
            return False
        after = list(before)
        after[kind] -= 3
        if waits(tuple(after)) != waits(before):
            return False
        if rule == "same_waits":
            return True
        for wait in waits(before):
            won = list(before)
            won[wait] += 1
            if any((kind, 1) not in groups for _, groups in readings(tuple(won))):
                return False
        return True

    def kuikae(self, event: ev.Naki) -> set[int]:
        if self.rules.kuikae == "allowed":
            return set()
        called = KIND[event.pai]
        forbidden = {called}
        if event.type == ev.CHI and self.rules.kuikae == "forbidden":
            low, high = sorted(KIND[tile] for tile in event.consumed)
            for other in range(27):
                run = sorted((low, high, other))
                same_suit = len({kind // 9 for kind in run}) == 1
                if same_suit and run == [run[0], run[0] + 1, run[0] + 2] and high - low == 1:
                    forbidden.add(other)
        return forbidden

    def claims(self, number: int, event: ev.Dahai) -> Iterator[str]:
        seat = self.seats[number]
        tile = event.pai
        kind = KIND[tile]
        if not self.furiten(number) and self.wins(number, tile, False):
            yield "hora"
        if self.live_left() == 0 or seat.riichi or self.aborts():
            return
        mine = sorted(seat.hand)
        seen = set()
        for i, first in enumerate(mine):
            for second in mine[i + 1 :]:
                kinds = sorted((kind, KIND[first], KIND[second]))
                if (first, second) in seen:
                    continue
                seen.add((first, second))
                pon = kinds[0] == kinds[2]
                chi = (
                    (event.actor + 1) % 4 == number
                    and kinds[2] < 27
                    and kinds == [kinds[0], kinds[0] + 1, kinds[0] + 2]
                    and kinds[0] // 9 == kinds[2] // 9
                )
                if not (pon or chi):
                    continue
                word, type_ = ("pon", ev.PON) if pon else ("chi", ev.CHI)
                rest = list(mine)
                rest.remove(first)
                rest.remove(second)
                call = ev.Naki(type_, number, event.actor, tile, (first, second))
                if any(KIND[left] not in self.kuikae(call) for left in rest):
                    yield f"{word} {MJAI[tile]} {named((first, second))}"
        three = [held for held in mine if KIND[held] == kind]
        if len(three) == 3 and self.may_kan():
            yield f"daiminkan {MJAI[tile]} {named(three)}"


def named(tiles: Iterator[int] | Sequence[int]) -> str:
    return " ".join(MJAI[tile] for tile in sorted(tiles, key=SORT_KEY.__getitem__))


def check_wins(events: Sequence[ev.Event], rules: Ruleset) -> None:
    """Every win of a hand has the yaku, dora, fu and limit that its events give."""
    horas = [event for event in events if isinstance(event, ev.Hora)]
    if not horas:
        return
    before = events[: events.index(horas[0])]
    for hora in horas:
        oracle = Oracle(before, rules)
        chankan = isinstance(oracle.last, ev.Kakan)
        tsumo = hora.actor == hora.target
        assert hora.target == oracle.last.actor  # type: ignore[attr-defined]
        result = oracle.value(hora.actor, hora.pai, tsumo, chankan, hora.ura_markers)
        told = (hora.yaku, hora.dora, hora.ura, hora.aka, hora.fu, hora.han, hora.yakuman)
        assert told == (
            result.yaku,
            result.dora,
            result.ura,
            result.aka,
            result.fu,
            result.han,
            result.yakuman,
        )
        assert hora.limit == result.limit
        in_riichi = oracle.seats[hora.actor].riichi != NO_RIICHI
        shown = len(oracle.dora) if rules.kan_ura else 1
        assert len(hora.ura_markers) == (shown if in_riichi and rules.ura_dora else 0)
