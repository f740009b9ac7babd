"""What a seat or a spectator is sent does not depend on a tile that it may not know.

Whole games are played by greedy bots in the engine. Then each hand's wall is changed in tiles
that one watcher never saw, so that everybody can still do what it did, and both games are played
again at a table with a call window: the watcher's bytes, and the moments at which they come, must
be the same, although others are asked about other tiles.
"""

from __future__ import annotations

import random
from pathlib import Path
from types import SimpleNamespace

import pytest
from server_kit import Peer, World, unpack
from table_kit import stamp

from jantaku_clients.bots import BOTS
from jantaku_engine import actions as act
from jantaku_engine import events as ev
from jantaku_engine.actions import Action
from jantaku_engine.kyoku import IllegalAction
from jantaku_engine.match import Match
from jantaku_engine.rules import Ruleset
from jantaku_engine.view import SeatView
from jantaku_engine.wall import FIRST_LIVE, HAIPAI, RINSHAN, Wall
from jantaku_server import game

WINDOW_MS = 100
CLOCK = {"move": 5_000, "bank": 0, "first": 5_000, "grace": 1_000}
WATCHERS = (0, 1, 2, 3, -1)

Script = dict[tuple[int, int], Action]
"""What a seat answered when so many events had happened."""


# ---------------------------------------------------------------------- a game to play again


def play(seed: int, rules: Ruleset) -> tuple[list[Wall], Script, list[ev.Event]]:
    """The walls, answers and events of a game of greedy bots."""
    rng = random.Random(seed)
    match = Match(rules)
    bots = [BOTS["greedy"](random.Random(seed + seat)) for seat in range(4)]
    views = [SeatView(seat, rules) for seat in range(4)]
    walls: list[Wall] = []
    script: Script = {}
    seen = 0
    while not match.over:
        if match.between_hands:
            ids = list(range(136))
            rng.shuffle(ids)
            walls.append(Wall(ids))
            match.deal(walls[-1])
        for event in match.events[seen:]:
            for view in views:
                view.apply(event.seen_by(view.seat))
        seen = len(match.events)
        for seat, menu in list(match.pending.items()):
            action = bots[seat].choose(views[seat], menu)
            script[seat, seen] = action
            match.answer(seat, action)
    return walls, script, match.events


def play_again(walls: list[Wall], script: Script, rules: Ruleset) -> list[ev.Event] | None:
    """The events when everybody does the same and passes what is new; None if somebody cannot."""
    match = Match(rules)
    while not match.over:
        if match.between_hands:
            if match.dealt == len(walls):
                return None
            match.deal(walls[match.dealt])
        number = len(match.events)
        for seat in list(match.pending):
            try:
                match.answer(seat, script.get((seat, number), act.PASS))
            except IllegalAction:
                return None
    return match.events


# ---------------------------------------------------------------------- what a watcher never saw


def unseen_places(hand: list[ev.Event], wall: Wall, watcher: int, rules: Ruleset) -> list[int]:
    """Indices of a hand's wall whose tiles the watcher never saw, and that may be exchanged."""
    start = hand[0]
    assert isinstance(start, ev.StartKyoku)
    held = {seat: list(HAIPAI[(seat - start.oya) % 4]) for seat in range(4)}
    codes = [rules.tiles[tile_id] for tile_id in wall.ids]
    fixed = {seat for seat in range(4) if seat == watcher}
    draws = kans = 0
    rinshan = False

    def show(seat: int, tiles: tuple[int, ...], drawn: bool = False) -> None:
        for tile in tiles:
            places = [p for p in reversed(held[seat]) if codes[p] == tile]
            if places:
                # A tile that was just drawn is the last one; another of its kind lay before it.
                own = places if drawn else [p for p in places if p != held[seat][-1]] or places
                held[seat].remove(own[0])

    for event in hand:
        if isinstance(event, ev.Tsumo):
            if rinshan:
                held[event.actor].append(RINSHAN[kans - 1])
                rinshan = False
            else:
                held[event.actor].append(FIRST_LIVE + draws)
                draws += 1
        elif isinstance(event, ev.Dahai):
            show(event.actor, (event.pai,), event.tsumogiri)
        elif isinstance(event, ev.Naki):
            show(event.actor, event.consumed)
        elif isinstance(event, ev.Kakan):
            show(event.actor, (event.pai,), True)
        elif isinstance(event, ev.Ankan):
            show(event.actor, event.consumed, True)
        elif isinstance(event, ev.Reach | ev.Hora):
            fixed.add(event.actor)
        elif isinstance(event, ev.Ryukyoku):
            fixed |= {seat for seat in range(4) if event.tenpais[seat]}
        if event.type in (ev.DAIMINKAN, ev.KAKAN, ev.ANKAN):
            kans += 1
            rinshan = True
    places = [place for seat in range(4) if seat not in fixed for place in held[seat]]
    # The rest of the live wall: never drawn, also when a kan has taken tiles from its end.
    return places + list(range(FIRST_LIVE + draws, 118))


def changed(
    walls: list[Wall], script: Script, events: list[ev.Event], watcher: int, rules: Ruleset
) -> tuple[list[Wall], int]:
    """Walls with other hidden tiles in which everybody can still do the same; how many tiles."""
    hands: list[list[ev.Event]] = []
    for event in events:
        if isinstance(event, ev.StartKyoku):
            hands.append([])
        if hands:
            hands[-1].append(event)
    rng = random.Random(watcher)
    result = list(walls)
    number = 0
    public = [e for e in events if isinstance(e, ev.Ryukyoku)]
    for index, hand in enumerate(hands):
        places = unseen_places(hand, walls[index], watcher, rules)
        for most in (len(places), 30, 20, 12, 8, 6, 4, 4, 2, 2, 2):
            chosen = rng.sample(places, min(most, len(places)))
            ids = list(walls[index].ids)
            moved = chosen[1:] + chosen[:1]
            for place, other in zip(chosen, moved, strict=True):
                ids[place] = walls[index].ids[other]
            trial = [*result[:index], Wall(ids), *result[index + 1 :]]
            again = play_again(trial, script, rules)
            # Who turns out tenpai at a draw shows its hand: then the tiles are no secret.
            if again is not None and [e.tenpais for e in again if isinstance(e, ev.Ryukyoku)] == [
                e.tenpais for e in public
            ]:
                result = trial
                number += len(chosen)
                break
    return result, number


# ---------------------------------------------------------------------- the same game at a table


def streams(
    data: Path, monkeypatch: pytest.MonkeyPatch, walls: list[Wall], script: Script, rules: Ruleset
) -> tuple[list[list[tuple[int, str | bytes]]], int]:
    """Moment and bytes of what each watcher heard; how often somebody was asked something new."""
    dealer = SimpleNamespace(from_seed=lambda seed, number: walls[number])
    monkeypatch.setattr(game, "Wall", dealer)
    world = World(data)
    table, owner = world.table(
        rules=rules.to_dict(), clock=CLOCK, call_window_ms=WINDOW_MS, pause_ms=50, spectator_delay=0
    )
    outside = world.peer()
    outside.say("spectate", table=table.id)
    peers = [world.peer("json" if seat % 2 else "msgpack") for seat in range(4)]
    new = 0

    def player(peer: Peer, seat: int) -> None:
        def decide(request: dict[str, object]) -> None:
            nonlocal new
            question = table.question_of(table.seats[seat])
            assert question is not None
            action = script.get((seat, question.id))
            new += action is None
            wanted = question.menu.index(act.PASS if action is None else action)
            # On its turn anybody may think as it likes; about a claim within the window.
            pause = 0.07 if question.target == seat else 0.01 + 0.02 * seat
            world.clock.call_at(
                world.clock.now() + pause,
                lambda: peer.say("answer", id=question.id, index=wanted) and None,
            )

        peer.play = lambda request: decide(request)

    stamps = [stamp(peer) for peer in (*peers, outside)]
    for seat, peer in enumerate(peers):
        player(peer, seat)
        peer.say("join", table=table.id, name=f"player {seat}", seat=seat)
    world.finish(table)
    assert owner
    told = []
    for stamps_of in stamps:
        heard = [(moment, frame, unpack(frame)["type"]) for moment, frame in stamps_of.heard]
        told.append([(m, f) for m, f, kind in heard if kind in ("event", "request", "accepted")])
    return told, new


@pytest.mark.parametrize(("preset", "seed"), [("standard", 1), ("tenhou", 2)])
def test_a_whole_game_looks_the_same_with_other_hidden_tiles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, preset: str, seed: int
) -> None:
    rules = Ruleset.preset(preset, length="tonpuu")
    walls, script, events = play(seed, rules)
    print(f"seed {seed}: {len(walls)} hands, {len(events)} events")
    real, asked = streams(tmp_path / "real", monkeypatch, walls, script, rules)
    assert asked == 0
    for index, watcher in enumerate(WATCHERS):
        other, tiles = changed(walls, script, events, watcher, rules)
        seen, new = streams(tmp_path / f"w{watcher}", monkeypatch, other, script, rules)
        print(f"watcher {watcher}: {tiles} tiles exchanged, {new} new questions to others")
        assert tiles >= 20 * len(walls) / 2
        assert new > 0
        assert len(seen[index]) > len(events) / 2
        for mine, theirs in zip(real[index], seen[index], strict=True):
            assert mine == theirs
        # The change is real: somebody else saw another game.
        assert any(real[i] != seen[i] for i in range(5) if i != index)
