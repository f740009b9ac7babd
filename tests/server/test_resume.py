"""Going and coming back: at every point of a game, byte for byte, with the time that is left."""

from __future__ import annotations

from typing import Any

import pytest
from server_kit import FakeListener, Peer, World, dull, unpack
from table_kit import CLOCK, answer, events, four, quiet, request, rig

from jantaku_server.audience import PIECE

QUICK = {"rules": {"preset": "standard", "length": "tonpuu"}, "clock": CLOCK, "pause_ms": 1_000}


def back(world: World, peer: Peer, **fields: Any) -> Peer:
    """The player of a peer on a new connection of the same format."""
    again = world.peer(peer.fmt)
    again.token, again.seat = peer.token, peer.seat
    again.say("resume", token=peer.token, **fields)
    return again


def event_frames(peer: Peer) -> list[str | bytes]:
    return [frame for frame in peer.line.frames if unpack(frame)["type"] == "event"]


# ---------------------------------------------------------------------- at every sequence number


@pytest.mark.parametrize("fmt", ["json", "msgpack"])
def test_at_every_sequence_number_the_rest_is_byte_for_byte_the_same(
    world: World, fmt: Any
) -> None:
    """Seat 2 drops whenever it has been told something, and resumes: no frame is lost or told
    twice, and together they are those of one connection that is told the whole game."""
    table, peers = world.seated(4, play=dull, formats=(fmt,), call_window_ms=50, **QUICK)
    seat = table.seats[2]
    player = peers[2]
    frames: list[str | bytes] = []
    drops = 0
    while not table.replay:
        before = len(frames) + len(event_frames(player))
        world.clock.run_until(
            lambda: table.published > before or bool(table.replay)  # noqa: B023
        )
        seen = event_frames(player)
        frames += seen
        player.hang_up()
        drops += 1
        player = back(world, player, after=len(frames) - 1)
        player.play = dull
        question = table.question_of(seat)
        if question is not None:
            player._answer(player.last("request"))
    frames += event_frames(player)
    assert [unpack(frame)["seq"] for frame in frames] == list(range(table.published))
    # What somebody sees who comes only now is the same to the last byte.
    whole = back(world, player, after=-1)
    assert event_frames(whole) == frames
    print(f"{drops} drops in {table.published} events")
    assert drops > table.published / 4


def test_every_after_gives_exactly_the_rest(world: World) -> None:
    table, peers = world.seated(4, play=dull, formats=("json", "msgpack"), **QUICK)
    world.clock.run_until(lambda: table.replay != "")
    for peer in peers[:2]:
        whole = event_frames(peer)
        assert len(whole) == table.published
        for after in range(-1, table.published):
            listener = Frames(peer.fmt)
            table.attach(table.seats[peer.seat], listener, after)
            world.clock.settle()
            assert listener.frames == whole[after + 1 :]


class Frames(FakeListener):
    """A listener that keeps the frames of events in one format."""

    def __init__(self, fmt: Any) -> None:
        super().__init__()
        self.fmt = fmt
        self.frames: list[str | bytes] = []

    def event(self, seq: int, event: Any, seat: int, frames: Any) -> None:
        self.frames.append(frames.frame(event, self.fmt))


def test_more_than_there_is_cannot_have_been_seen(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig(monkeypatch, quiet())
    table, peers = four(world)
    assert table.published == 3
    again = back(world, peers[1], after=3)
    assert again.got[-1]["code"] == "invalid"
    assert table.seats[1].listener is peers[1].session
    again.say("resume", token=peers[1].token, after=2)
    assert again.all("resumed")


def test_without_after_everything_comes(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    rig(monkeypatch, quiet())
    _, peers = four(world)
    answer(peers[0])
    again = back(world, peers[1])
    assert event_frames(again) == event_frames(peers[1])


# ---------------------------------------------------------------------- the open question


@pytest.mark.parametrize(
    ("gone", "time_ms", "bank_ms"),
    [(0, 20_000, 3_000), (0.001, 19_999, 3_000), (4.999, 15_001, 3_000)],
)
def test_the_open_question_comes_back_with_the_time_that_is_left(
    world: World, monkeypatch: pytest.MonkeyPatch, gone: float, time_ms: int, bank_ms: int
) -> None:
    rig(monkeypatch, quiet())
    _, peers = four(world)
    peers[0].hang_up()
    world.clock.advance(gone)
    again = back(world, peers[0], after=2)
    assert again.last("request") == {
        **peers[0].last("request"), "time_ms": time_ms, "bank_ms": bank_ms
    }  # fmt: skip
    assert again.got[-1] == again.last("presence")
    assert again.got[-2] == again.last("request")


def test_time_that_is_over_comes_from_the_bank(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig(monkeypatch, quiet())
    _, peers = four(world)
    world.clock.advance(18)
    peers[0].hang_up()
    world.clock.advance(3.25)
    asked = request(back(world, peers[0], after=2))
    assert (asked["time_ms"], asked["bank_ms"]) == (0, 1_750)


def test_a_claim_comes_back_too(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    hands = ("1369m1369p13579s", "55z79m2479p24689s", "1358m1358p13579s", "2467m2467p24688s")
    rig(monkeypatch, quiet(hands=hands, draws="5z1z2z3z4z"))
    _, peers = four(world)
    answer(peers[0])
    asked = request(peers[1])
    peers[1].hang_up()
    world.clock.advance(1)
    again = back(world, peers[1], after=3)
    assert again.all("event") == []
    assert request(again) == {**asked, "time_ms": asked["time_ms"] - 1_000}
    answer(again, "pon")
    assert events(again)[-1]["type"] == "pon"


def test_nothing_is_asked_again_of_who_has_answered(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two are asked, one answers and drops: it is not asked again, and its answer counts."""
    hands = ("19m19p1234567z77s", "19m19p1234567z68s", "1458m1458p3377s1m", "2467m2467p24688s")
    rig(monkeypatch, quiet(hands=hands, draws="."))
    table, peers = four(world)
    seven = next(i for i, a in enumerate(request(peers[0])["menu"]) if a.get("pai") == "7s")
    peers[0].say("answer", id=request(peers[0])["id"], index=seven)
    answer(peers[2], "pon")
    peers[2].hang_up()
    again = back(world, peers[2], after=3)
    assert again.all("request") == []
    assert table.question_of(table.seats[1]) is not None
    answer(peers[1])
    assert events(again)[-1] == {
        "type": "pon", "actor": 2, "target": 0, "pai": "7s", "consumed": ["7s", "7s"]
    }  # fmt: skip


def test_an_answer_that_was_on_its_way_is_acknowledged_on_the_new_connection(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig(monkeypatch, quiet())
    _, peers = four(world)
    world.journal.hold = True
    answer(peers[0])
    peers[0].hang_up()
    again = back(world, peers[0], after=2)
    assert again.all("request") == again.all("accepted") == []
    world.journal.commit()
    world.clock.settle()
    assert [message["id"] for message in again.all("accepted")] == [request(peers[0])["id"]]
    assert [message["seq"] for message in again.all("event")] == [3, 4]


# ---------------------------------------------------------------------- two connections, one seat


def test_the_second_login_takes_the_seat_over(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig(monkeypatch, quiet())
    table, peers = four(world)
    asked = request(peers[0])
    again = back(world, peers[0], after=2)
    assert peers[0].last("error")["code"] == "taken_over"
    assert peers[0].line.closed is not None
    assert request(again) == asked
    # The first one is heard no more, and its going is no absence.
    peers[0].say("answer", id=asked["id"], index=0)
    assert events(again, "dahai") == []
    peers[0].hang_up()
    assert table.seats[0].listener is again.session
    world.clock.advance(10)
    assert table.seats[0].stand_in is None
    answer(again)
    assert len(events(again, "dahai")) == 1


def test_presence_is_told_to_the_others(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    rig(monkeypatch, quiet())
    _, peers = four(world)
    heard = len(peers[3].all("presence"))
    peers[1].hang_up()
    world.clock.advance(5)
    back(world, peers[1])
    told = peers[3].all("presence")[heard:]
    assert [(m["online"], m["stand_in"]) for m in told] == [
        (False, False), (False, True), (True, False)
    ]  # fmt: skip


# ---------------------------------------------------------------------- after the end


def test_who_comes_back_after_the_end_still_gets_it(world: World) -> None:
    table, peers = world.seated(4, play=dull, **QUICK)
    world.clock.run_until(lambda: table.published > 100)
    peers[1].hang_up()
    world.clock.run_until(lambda: table.replay != "")
    world.clock.advance(300)
    again = back(world, peers[1], after=50)
    assert [message["seq"] for message in again.all("event")] == list(range(51, table.published))
    assert again.all("request") == []
    assert again.last("event")["event"]["type"] == "end_game"
    order = [message["type"] for message in again.got]
    assert order.index("finished") > max(i for i, kind in enumerate(order) if kind == "event")
    assert again.last("finished")["replay"] == table.replay


def test_who_waits_for_the_replay_is_told_once(world: World) -> None:
    table, peers = world.seated(4, play=dull, **QUICK)
    world.finish(table)
    world.clock.advance(60)
    assert [len(peer.all("finished")) for peer in peers] == [1] * 4


# ---------------------------------------------------------------------- a long way back


class Slow(FakeListener):
    """A listener that says when it is busy."""

    full = False

    def busy(self) -> bool:
        return self.full


def test_a_long_way_is_gone_in_pieces_and_the_question_comes_last(world: World) -> None:
    table, peers = world.seated(4, play=dull, **QUICK)
    peers[0].play = None
    world.clock.run_until(lambda: table.published > 3 * PIECE)
    world.clock.run_until(lambda: table.question_of(table.seats[0]) is not None)
    listener = Slow()
    table.attach(table.seats[0], listener, -1)
    assert len(listener.events) == PIECE
    assert listener.questions == []
    while len(listener.events) < table.published:
        assert listener.questions == []
        world.clock.step()
    assert [seq for seq, _ in listener.events] == list(range(table.published))
    assert len(listener.questions) == 1


def test_what_happens_meanwhile_comes_in_its_place(world: World) -> None:
    table, peers = world.seated(4, play=dull, **QUICK)
    world.clock.run_until(lambda: table.published > 3 * PIECE)
    listener = Slow()
    listener.full = True
    table.attach(table.seats[1], listener, -1)
    before = table.published
    world.clock.run_until(lambda: table.published > before + 20, within=60)
    assert listener.events == []
    listener.full = False
    world.finish(table)
    assert [seq for seq, _ in listener.events] == list(range(table.published))
    assert listener.notices[-1]["type"] == "finished"
    assert peers


def test_two_that_catch_up_at_once_do_not_mix(world: World) -> None:
    """The seat is taken over while its first connection still catches up."""
    table, _ = world.seated(4, play=dull, **QUICK)
    world.clock.run_until(lambda: table.published > 3 * PIECE)
    first, second = Slow(), Slow()
    table.attach(table.seats[1], first, -1)
    table.attach(table.seats[1], second, -1)
    world.clock.settle()
    assert len(first.events) == PIECE
    assert first.notices[-1]["code"] == "taken_over"
    assert [seq for seq, _ in second.events] == list(range(len(second.events)))
    assert len(second.events) >= 3 * PIECE
