"""The six invariants of the engine, at every moment of simulated games under every preset."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from random import Random

import audit
import pytest
from sim import (
    EVERYTHING,
    Hand,
    any_rules,
    every_action,
    first_seed,
    lines,
    lucky,
    play,
    players,
    wall,
)

from jantaku_engine import actions as act
from jantaku_engine import events as ev
from jantaku_engine.kyoku import IllegalAction, Kyoku
from jantaku_engine.match import Match
from jantaku_engine.mjai import event_from_mjai
from jantaku_engine.rules import Ruleset
from jantaku_engine.table import KAN_WINDOW, Table
from jantaku_engine.tiles import UNKNOWN
from jantaku_engine.view import SeatView
from jantaku_engine.wall import DORA_INDICATORS, FIRST_LIVE, HAIPAI, RINSHAN, Wall

WHO = ("random", "greedy", "eager", "mixed")


# --- 1, 2, 5 and the views: after every event ----------------------------------------------------


class Auditor:
    """Folds the events of a game again, and looks at everything after each of them."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.fold = Table(rules)
        self.views = [SeatView(seat, rules) for seat in (0, 1, 2, 3, -1)]
        self.by_text = [SeatView(seat, rules) for seat in range(4)]
        self.told = 0
        self.points = 4 * rules.start
        self.robbed = -1
        self.set = Counter(rules.tiles)
        self.wall: Wall | None = None
        self.checked = 0

    def look(self, match: Match) -> None:
        """At a moment of asking."""
        kyoku = match.kyoku
        assert kyoku is not None
        self.take(match)
        assert self.fold.snapshot() == kyoku.table.snapshot()
        for seat in range(4):
            menu = match.pending.get(seat, ())
            assert self.views[seat].menu() == menu, f"seat {seat}"
            assert self.by_text[seat].menu() == menu, f"seat {seat}, by text"
        assert self.views[4].menu() == ()

    def take(self, match: Match) -> None:
        """Every new event."""
        for event in match.events[self.told :]:
            if isinstance(event, ev.StartKyoku):
                self.fold = Table(self.rules)
                self.robbed = -1
                assert match.kyoku is not None
                self.wall = match.kyoku._wall
            if isinstance(event, ev.StartGame | ev.EndGame):
                continue
            before = self.fold.phase
            if isinstance(event, ev.Hora) and before == KAN_WINDOW:
                self.robbed = event.pai
            self.fold.apply(event)
            self.check_points(event)
            self.check_tiles()
            self.checked += 1
            whole = json.loads(json.dumps(event.to_mjai()))
            assert event_from_mjai(whole) == event
            for view in self.views:
                view.apply(event.seen_by(view.seat))
            for view in self.by_text:
                message = json.loads(json.dumps(event.seen_by(view.seat).to_mjai()))
                seen = event_from_mjai(message)
                assert seen == event.seen_by(view.seat)
                view.apply(seen)
        self.told = len(match.events)

    def check_points(self, event: ev.Event) -> None:
        table = self.fold
        assert sum(table.scores) + 1000 * table.kyotaku == self.points
        assert all(score % 100 == 0 for score in table.scores)
        if isinstance(event, ev.Hora | ev.Ryukyoku):
            assert all(delta % 100 == 0 for delta in event.deltas)

    def check_tiles(self) -> None:
        """Invariant 1, with the places counted from the wall and not from the engine's counts."""
        assert self.wall is not None
        table = self.fold
        ids = self.wall.ids
        gone = {index for hand in HAIPAI for index in hand}
        gone.update(range(FIRST_LIVE, FIRST_LIVE + table.draws))
        gone.update(RINSHAN[: table.rinshan_draws])
        gone.update(DORA_INDICATORS[: len(table.dora_markers)])
        places = Counter(self.rules.tiles[ids[i]] for i in range(136) if i not in gone)
        places.update(table.dora_markers)
        for hand, river in zip(table.hands, table.rivers, strict=True):
            concealed = hand.tiles()
            assert len(concealed) == hand.size
            assert hand.size + 3 * len(hand.melds) in (13, 14)
            places.update(concealed)
            for meld in hand.melds:
                places.update(meld.tiles)
            places.update(discard.tile for discard in river if not discard.called)
        if self.robbed >= 0:
            places[self.robbed] += 1
        assert places == self.set
        assert table.live_left == 70 - table.draws - table.rinshan_draws
        assert table.live_left >= 0
        last_live = FIRST_LIVE + table.draws - 1
        assert last_live <= 121 - table.rinshan_draws


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("rules", EVERYTHING)
def test_tiles_points_views_and_folds_agree_after_every_event(rules: Ruleset, who: str) -> None:
    for deal in (wall, lucky):
        seed = first_seed(rules)
        auditor = Auditor(rules)
        # With every switch on, a game need not end: a dealer may stay for ever.
        match, _ = play(rules, players(who, seed), seed, auditor.look, 12, deal)
        auditor.take(match)
        assert auditor.checked == len(match.events) - 1 - match.over
        audit.check_match(match.events, rules)


@pytest.mark.parametrize("seed", range(30))
def test_games_under_options_at_random(seed: int) -> None:
    rng = Random(seed)
    rules = any_rules(rng)
    auditor = Auditor(rules)
    who = players(rng.choice(WHO), seed)
    match, _ = play(rules, who, seed, auditor.look, 10, rng.choice((wall, lucky)))
    auditor.take(match)
    audit.check_match(match.events, rules)


# --- 2: any prefix -------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", EVERYTHING)
def test_any_prefix_of_answers_or_of_stored_events_rebuilds_the_hand(rules: Ruleset) -> None:
    seed = first_seed(rules)
    rng = Random(seed)
    _, hands = play(rules, players("eager", seed), seed, hands=3, deal=lucky)
    for number, hand in enumerate(hands):
        whole = hand.replay(len(hand.answers))
        assert whole.over
        stored = [json.dumps(event.to_mjai()) for event in whole.events]
        for _ in range(4):
            answers = rng.randrange(len(hand.answers))
            live = hand.replay(answers)
            told = len(live.events)
            where = f"seed {seed}, hand {number}, {answers} answers"
            assert lines(live.events) == stored[:told], where
            rebuilt = Table(rules)
            for line in stored[:told]:
                rebuilt.apply(event_from_mjai(json.loads(line)))
            assert rebuilt.snapshot() == live.table.snapshot(), where
            for seat, action in hand.answers[answers:]:
                live.answer(seat, action)
            assert lines(live.events) == stored, where


# --- 3: nothing hidden is told -------------------------------------------------------------------


def hidden_places(hand: Hand, kyoku: Kyoku, seat: int) -> list[int]:
    """Indices of the wall that `seat` may not know, as far as another deal can explain the game.

    The hand of a seat in riichi stays: it has to be tenpai.
    """
    rules = hand.rules
    ids = hand.wall.ids
    held: list[list[int]] = [list(HAIPAI[(s - kyoku.table.oya) % 4]) for s in range(4)]
    shown = {DORA_INDICATORS[0]}
    draws = rinshan = 0
    drawn = [-1] * 4
    kan = False

    def lay(owner: int, tile: int, prefer: int = -1) -> None:
        mine = [i for i in held[owner] if rules.tiles[ids[i]] == tile]
        index = prefer if prefer in mine else mine[0]
        held[owner].remove(index)
        shown.add(index)

    for event in kyoku.events:
        if isinstance(event, ev.Tsumo):
            index = RINSHAN[rinshan] if kan else FIRST_LIVE + draws
            rinshan += kan
            draws += not kan
            kan = False
            drawn[event.actor] = index
            held[event.actor].append(index)
        elif isinstance(event, ev.Dahai):
            lay(event.actor, event.pai, drawn[event.actor] if event.tsumogiri else -1)
        elif isinstance(event, ev.Naki | ev.Ankan):
            for tile in event.consumed:
                lay(event.actor, tile)
            kan = isinstance(event, ev.Ankan) or event.type == ev.DAIMINKAN
        elif isinstance(event, ev.Kakan):
            lay(event.actor, event.pai)
            kan = True
    shown.update(DORA_INDICATORS[: len(kyoku.table.dora_markers)])
    if seat >= 0:
        shown.update(held[seat])
    for owner in range(4):
        if kyoku.table.riichi[owner] or kyoku.table.declaring == owner:
            shown.update(held[owner])
    return [index for index in range(136) if index not in shown]


def same_answers(hand: Hand, other: Wall, until: int) -> Kyoku | None:
    """The hand on another wall with the same answers; None when one is not legal there.

    A seat that is asked there and was not asked before passes.
    """
    kyoku = hand.deal(other)
    given = iter(hand.answers[:until])
    coming = next(given, None)
    while coming is not None:
        seat, action = coming
        asked = kyoku.pending.get(seat, ())
        claims = [s for s, menu in kyoku.pending.items() if act.PASS in menu]
        if action in asked:
            kyoku.answer(seat, action)
            coming = next(given, None)
        elif action == act.PASS:
            coming = next(given, None)
        elif claims and action.type not in (act.CHI, act.PON, act.DAIMINKAN):
            kyoku.answer(claims[0], act.PASS)
        else:
            return None
    return kyoku


@pytest.mark.parametrize("rules", EVERYTHING)
def test_nothing_that_is_sent_depends_on_a_hidden_tile(rules: Ruleset) -> None:
    first = first_seed(rules)
    compared = 0
    for who, deal in (("random", wall), ("eager", lucky)):
        rng = Random(first)
        _, hands = play(rules, players(who, first), first, hands=4, deal=deal)
        for number, hand in enumerate(hands):
            for _ in range(6):
                until = rng.choice(hand.decisions)
                seat = rng.randrange(-1, 4)
                live = hand.replay(until)
                hidden = hidden_places(hand, live, seat)
                moved = hidden.copy()
                rng.shuffle(moved)
                ids = list(hand.wall.ids)
                for index, source in zip(hidden, moved, strict=True):
                    ids[index] = hand.wall.ids[source]
                other = same_answers(hand, Wall(ids), until)
                if other is None:
                    continue
                # Who is asked may differ: whoever is asked in the other game alone passes.
                known = len(live.events)
                while len(other.events) < known:
                    other.answer(next(s for s in other.pending if s != seat), act.PASS)
                where = f"seed {first}, {who}, hand {number}, {until} answers, seat {seat}"
                assert sent(live, seat, known) == sent(other, seat, known), where
                if len(other.events) == known:
                    assert live.pending.get(seat) == other.pending.get(seat), where
                compared += 1
    assert compared >= 24


def sent(kyoku: Kyoku, seat: int, events: int) -> list[str]:
    """What a seat was sent, but the commitment to the wall, which another wall cannot have."""
    messages = [event.seen_by(seat).to_mjai() for event in kyoku.events[:events]]
    messages[0].pop("wall_hash", None)
    return [json.dumps(message) for message in messages]


def test_masked_events_have_no_tile_of_others() -> None:
    rules = Ruleset.preset("standard")
    match, _ = play(rules, players("eager", 5), 5)
    for event in match.events:
        for seat in (0, 1, 2, 3, -1):
            seen = event.seen_by(seat)
            if isinstance(seen, ev.StartKyoku):
                for owner, hand in enumerate(seen.tehais):
                    assert (set(hand) == {UNKNOWN}) == (owner != seat)
            elif isinstance(seen, ev.Tsumo):
                assert (seen.pai == UNKNOWN) == (seen.actor != seat)
            else:
                assert lines([seen]) == lines([event])


# --- 4: exactly the menu -------------------------------------------------------------------------

ACTIONS = list(dict.fromkeys(every_action()))


@pytest.mark.parametrize("rules", EVERYTHING)
def test_every_offered_action_applies_and_every_other_is_refused(rules: Ruleset) -> None:
    seed = first_seed(rules) + 50
    rng = Random(seed)
    _, hands = play(rules, players("eager", seed), seed, hands=3, deal=lucky)
    for number, hand in enumerate(hands):
        for _ in range(3):
            until = rng.choice(hand.decisions)
            where = f"seed {seed}, hand {number}, {until} answers"
            live = hand.replay(until)
            before = (live.table.snapshot(), len(live.events), dict(live.pending))
            for seat in range(4):
                menu = live.pending.get(seat, ())
                assert len(set(menu)) == len(menu)
                assert set(menu) <= set(ACTIONS), where
                for action in ACTIONS:
                    if action not in menu:
                        with pytest.raises(IllegalAction):
                            live.answer(seat, action)
                assert before == (live.table.snapshot(), len(live.events), dict(live.pending))
                for action in menu:
                    applied = hand.replay(until)
                    applied.answer(seat, action)
                    assert seat not in applied.pending or len(applied.events) > before[1], where
                    for other in sorted(applied.pending):
                        if other in live.pending and len(applied.events) == before[1]:
                            applied.answer(other, rng.choice(applied.pending[other]))
                    assert len(applied.events) > before[1], where
                    assert applied.over or applied.pending, where


def test_every_action_has_a_text_and_a_number_of_its_own() -> None:
    assert len({action.code for action in ACTIONS}) == len(ACTIONS)
    assert len({str(action) for action in ACTIONS}) == len(ACTIONS)
    assert len(ACTIONS) > 300


# --- 6: the same again ---------------------------------------------------------------------------

DIGEST = """
import sys
sys.path[:0] = sys.argv[1:]
from hashlib import sha256
from sim import lines, play, players
from jantaku_engine.rules import Ruleset
for who in ("random", "greedy"):
    match, _ = play(Ruleset.preset("tenhou"), players(who, 3), 3, hands=2)
    print(sha256("\\n".join(lines(match.events)).encode()).hexdigest())
"""


def test_the_same_seed_and_answers_give_the_same_events_in_another_process() -> None:
    def digest(hash_seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        command = [sys.executable, "-c", DIGEST, *sys.path]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return done.stdout

    first = digest("1")
    assert len(first.split()) == 2
    assert first == digest("2")


@pytest.mark.parametrize("who", WHO)
def test_the_same_seed_gives_the_same_game(who: str) -> None:
    rules = Ruleset.preset("mahjongsoul", length="tonpuu")
    first, hands = play(rules, players(who, 7), 7)
    again, _ = play(rules, players(who, 7), 7)
    assert lines(first.events) == lines(again.events)
    other, _ = play(rules, players(who, 8), 8)
    assert lines(first.events) != lines(other.events)
    for hand in hands:
        assert lines(hand.replay(len(hand.answers)).events)[-1] in lines(first.events)
