"""Spectators: late by a hand, by seconds or not at all; masked always; there to the end."""

from __future__ import annotations

from typing import Any

import pytest
from server_kit import FakeListener, Peer, World, dull
from table_kit import CLOCK, answer, events, four, quiet, rig, stamp

from jantaku_engine import events as ev
from jantaku_engine.match import Match
from jantaku_server.audience import PIECE
from jantaku_server.table import FINISHED, LiveTable

QUICK = {"rules": {"preset": "standard", "length": "tonpuu"}, "clock": CLOCK, "pause_ms": 1_000}
ALL = ("hand", 0, 1, 30)


def watch(world: World, table: LiveTable, **fields: Any) -> Peer:
    """A new spectator."""
    peer = world.peer()
    peer.say("spectate", table=table.id, **fields)
    return peer


def end(world: World, table: LiveTable) -> None:
    """Play to the end, and let everybody see it."""
    world.finish(table)
    world.clock.advance(60)


def seqs(peer: Peer) -> list[int]:
    return [message["seq"] for message in peer.all("event")]


def public(table: LiveTable) -> list[dict[str, Any]]:
    """The table's events as anybody may know them."""
    match = table.match
    assert match is not None
    return [event.seen_by(-1).to_mjai() for event in match.events]


def hands_told(match: Match | None) -> int:
    """How many events there are up to the end of the last hand that is over."""
    assert match is not None
    ends = [n for n, event in enumerate(match.events, 1) if isinstance(event, ev.EndKyoku)]
    return ends[-1] if ends else 0


# ---------------------------------------------------------------------- how late


def test_by_default_a_hand_is_shown_when_it_is_over(world: World) -> None:
    table, peers = world.seated(4, play=None, **QUICK, call_window_ms=100)
    outside = watch(world, table)
    assert outside.last("table")["spectator_delay"] == "hand"
    for peer in peers:
        peer.play = dull
    answer(peers[0])
    told = 0
    for _ in range(3):
        # All through the hand nothing; then the whole of it at once.
        world.clock.run_until(lambda: table.published > told + 40)  # noqa: B023
        assert seqs(outside) == list(range(told))
        world.clock.run_until(lambda: hands_told(table.match) > told)  # noqa: B023
        assert seqs(outside) == list(range(told))
        world.clock.advance(0.1)
        told = hands_told(table.match)
        assert seqs(outside) == list(range(told))


PATIENT = {**CLOCK, "move": 600_000, "first": 600_000}


@pytest.mark.parametrize("delay", [1, 30])
def test_seconds_are_exact_for_every_event(
    world: World, monkeypatch: pytest.MonkeyPatch, delay: int
) -> None:
    rig(monkeypatch, quiet())
    table, peers = four(world, spectator_delay=delay, clock=PATIENT)
    outside = watch(world, table)
    world.clock.advance(100)
    heard, player = stamp(outside), stamp(peers[3])
    for turn in range(12):
        world.clock.advance(0.1 + 0.37 * turn)
        answer(peers[turn % 4])
    world.clock.advance(delay)
    late = [(moment - 1000 * delay, kind) for moment, kind in heard.events()]
    assert late == player.events()
    assert len(late) == 24


@pytest.mark.parametrize("delay", [1, 30])
def test_not_a_millisecond_early(world: World, monkeypatch: pytest.MonkeyPatch, delay: int) -> None:
    rig(monkeypatch, quiet())
    table, peers = four(world, spectator_delay=delay, clock=PATIENT)
    outside = watch(world, table)
    world.clock.advance(delay - 0.001)
    assert seqs(outside) == []
    world.clock.advance(0.001)
    assert seqs(outside) == [0, 1, 2]
    world.clock.advance(1)
    answer(peers[0])
    world.clock.advance(delay - 0.001)
    assert seqs(outside) == [0, 1, 2]
    world.clock.advance(0.001)
    assert seqs(outside) == [0, 1, 2, 3, 4]


def test_live_is_at_the_same_moment_as_the_players(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also inside the call window, when the discard is out and nothing else."""
    rig(monkeypatch, quiet())
    table, peers = four(world, spectator_delay=0, call_window_ms=500)
    outside = watch(world, table)
    heard, player = stamp(outside), stamp(peers[3])
    for turn in range(8):
        answer(peers[turn % 4])
        world.clock.advance(0.7)
    assert heard.events() == player.events()
    assert len(heard.events()) == 16


@pytest.mark.parametrize("delay", ALL)
def test_a_claim_to_have_seen_more_lifts_the_delay_for_nobody(
    world: World, delay: str | int
) -> None:
    """One who asks for what comes after event 10,000 changes nothing for the others."""
    table, peers = world.seated(4, play=None, **QUICK, spectator_delay=delay)
    honest = watch(world, table)
    before = len(seqs(honest))
    greedy = watch(world, table, after=10_000)
    assert seqs(greedy) == []
    assert len(seqs(honest)) == before
    answer(peers[0])
    assert len(seqs(honest)) == (table.published if delay == 0 else 0)


@pytest.mark.parametrize("delay", ALL)
def test_who_has_seen_some_of_it_gets_exactly_the_rest(world: World, delay: str | int) -> None:
    """Also who says so before it may see any of it."""
    table, _ = world.seated(4, play=dull, **QUICK, spectator_delay=delay)
    outside = watch(world, table, after=50)
    world.clock.run_until(lambda: table.published > 20)
    honest = watch(world, table)
    end(world, table)
    assert seqs(outside) == list(range(51, table.published))
    assert seqs(honest) == list(range(table.published))


@pytest.mark.parametrize("delay", ALL)
def test_when_the_match_is_over_nothing_is_held_back(world: World, delay: str | int) -> None:
    table, _ = world.seated(4, play=dull, **QUICK, spectator_delay=delay)
    outside = watch(world, table)
    world.clock.run_until(lambda: table.state == FINISHED)
    world.clock.settle()
    assert seqs(outside) == list(range(table.published))
    assert outside.got[-1]["type"] == "finished"


# ---------------------------------------------------------------------- never a hidden tile


@pytest.mark.parametrize("delay", ALL)
def test_every_event_is_masked_and_all_of_them_come(world: World, delay: str | int) -> None:
    table, _ = world.seated(4, play=dull, **QUICK, spectator_delay=delay)
    outside = watch(world, table)
    end(world, table)
    assert seqs(outside) == list(range(table.published))
    assert events(outside) == public(table)
    for event in events(outside, "tsumo"):
        assert event["pai"] == "?"
    for event in events(outside, "start_kyoku"):
        assert event["tehais"] == [["?"] * 13] * 4


def test_nobody_asks_a_spectator_anything(world: World) -> None:
    table, _ = world.seated(4, play=dull, **QUICK, spectator_delay=0)
    outside = watch(world, table)
    end(world, table)
    assert outside.all("request") == []
    assert outside.all("accepted") == []


# ---------------------------------------------------------------------- coming and going


@pytest.mark.parametrize("delay", ALL)
def test_who_comes_late_sees_all_that_may_be_seen_by_then(world: World, delay: str | int) -> None:
    table, _ = world.seated(4, play=dull, **QUICK, spectator_delay=delay)
    world.clock.run_until(lambda: table.published > 250)
    early = watch(world, table)
    late = watch(world, table)
    assert events(late) == events(early)
    assert events(late) == public(table)[: len(events(late))]
    end(world, table)
    assert events(late) == events(early) == public(table)


@pytest.mark.parametrize("delay", ALL)
def test_who_comes_back_gets_the_rest_byte_for_byte(world: World, delay: str | int) -> None:
    table, _ = world.seated(4, play=dull, **QUICK, spectator_delay=delay)
    stays = watch(world, table)
    goes = watch(world, table)
    frames: list[str | bytes] = []
    for until in range(40, 400, 40):
        world.clock.run_until(lambda: table.published > until or bool(table.replay))  # noqa: B023
        goes.hang_up()
        frames += [frame for frame in goes.line.frames if _seq(frame) >= 0]
        goes = watch(world, table, after=_seq(frames[-1]) if frames else -1)
    end(world, table)
    frames += [frame for frame in goes.line.frames if _seq(frame) >= 0]
    assert frames == [frame for frame in stays.line.frames if _seq(frame) >= 0]
    assert len(frames) == table.published


def _seq(frame: str | bytes) -> int:
    text = str(frame)
    if not text.startswith('{"type":"event","seq":'):
        return -1
    return int(text.split(":")[2].split(",")[0])


def test_who_came_in_the_middle_of_a_game_is_told_the_end(world: World) -> None:
    table, _ = world.seated(4, play=dull, **QUICK)
    outside = watch(world, table)
    world.finish(table, within=1_000)
    assert outside.got[-1] == outside.last("finished")
    assert outside.last("finished")["replay"] == table.replay


def test_who_comes_after_the_end_sees_the_whole_game_and_the_end_last(world: World) -> None:
    table, _ = world.seated(4, play=dull, **QUICK)
    world.clock.run_until(lambda: table.replay != "")
    outside = watch(world, table)
    assert events(outside) == public(table)
    assert len(outside.all("finished")) == 1
    assert outside.got[-1]["type"] == "finished"


def test_a_spectator_that_leaves_hears_no_more(world: World) -> None:
    table, _ = world.seated(4, play=dull, **QUICK, spectator_delay=0)
    outside = watch(world, table)
    outside.say("leave")
    world.clock.run_until(lambda: table.published > 100)
    heard = len(outside.got)
    end(world, table)
    assert len(outside.got) == heard


def test_a_table_may_have_no_spectators(world: World) -> None:
    table, _ = world.seated(4, play=None, **QUICK, spectators=False)
    refused = world.peer().say("spectate", table=table.id)
    assert refused is not None
    assert (refused["type"], refused["code"]) == ("error", "forbidden")


# ---------------------------------------------------------------------- many, and slow ones


class Slow(FakeListener):
    """A listener that says when it is busy."""

    full = False

    def busy(self) -> bool:
        return self.full


def test_a_long_way_is_gone_in_pieces(world: World) -> None:
    table, _ = world.seated(4, play=dull, **QUICK, spectator_delay=0)
    world.clock.run_until(lambda: table.published > 3 * PIECE)
    first, second = Slow(), Slow()
    table.spectate(first, -1)
    assert len(first.events) == PIECE
    world.clock.settle()
    assert len(first.events) == table.published
    table.spectate(second, PIECE - 1)
    assert [seq for seq, _ in second.events] == list(range(PIECE, 2 * PIECE))


def test_who_does_not_read_is_waited_for(world: World) -> None:
    table, _ = world.seated(4, play=dull, **QUICK, spectator_delay=0)
    world.clock.run_until(lambda: table.published > 3 * PIECE)
    listener = Slow()
    table.spectate(listener, -1)
    listener.full = True
    world.clock.run_until(lambda: table.published > 3 * PIECE + 50)
    assert len(listener.events) == PIECE
    listener.full = False
    end(world, table)
    assert [seq for seq, _ in listener.events] == list(range(table.published))
    assert listener.notices[-1]["type"] == "finished"


def test_a_crowd_is_shown_a_hand_in_small_steps(world: World) -> None:
    table, peers = world.seated(4, play=None, **QUICK)
    crowd = [Slow() for _ in range(PIECE)]
    for listener in crowd:
        table.spectate(listener, -1)
    for peer in peers:
        peer.play = dull
    answer(peers[0])
    most = 0
    while hands_told(table.match) == 0:
        world.clock.step()
    while len(crowd[0].events) < hands_told(table.match):
        before = sum(len(listener.events) for listener in crowd)
        world.clock.step()
        most = max(most, sum(len(listener.events) for listener in crowd) - before)
    assert most <= PIECE
    end(world, table)
    for listener in crowd:
        assert [seq for seq, _ in listener.events] == list(range(table.published))
        assert listener.notices[-1]["type"] == "finished"
