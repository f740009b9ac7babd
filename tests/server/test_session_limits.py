"""A session given too much, by a client or by a fault of ours: the table goes on."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest
import structlog
from server_kit import (
    Peer,
    World,
    dull,
    first_choice,
    open_request,
    plain_only,
    refused,
    sample,
)

import paths
from jantaku_server import wire
from jantaku_server.limits import MAX_QUEUE
from jantaku_server.replay_desk import MOST_HELD, MOST_IDLE_S, MOST_SENT
from jantaku_server.replay_files import REPLAYS
from jantaku_server.session import (
    BURST,
    COSTS,
    FULL_PART,
    MOST_STRIKES,
    RATE,
)
from jantaku_server.table import FINISHED, PLAYING, LiveTable

# ---------------------------------------------------------------------- too much, too slow


def test_sixty_messages_at_once_and_twenty_a_second(world: World) -> None:
    peer = world.peer()  # its hello was the first
    for _ in range(int(BURST) - 1):
        assert peer.say("ping")["type"] == "pong"  # type: ignore[index]
    assert refused(peer.say("ping")) == "flooding"
    world.clock.advance(1)
    for _ in range(int(RATE)):
        assert peer.say("ping")["type"] == "pong"  # type: ignore[index]
    assert refused(peer.say("ping")) == "flooding"
    assert peer.line.closed is None
    assert sample(world.metrics, "jantaku_rejected_total", reason="flooding") == 2


@pytest.mark.parametrize(("kind", "cost"), COSTS.items())
def test_what_makes_the_server_work_counts_more(world: World, kind: str, cost: int) -> None:
    table, _ = world.seated(4, spectator_delay=0)
    fields: dict[str, Any] = {
        "spectate": {"table": table.id},
        "resume": {"token": "x"},
        "replay": {"game": "0" * 16},
    }.get(kind, {})
    peer = world.peer()
    world.clock.advance(1)  # its hello is forgotten
    codes = []
    for _ in range(int(BURST) // cost + 1):
        peer.say(kind, **fields)
        codes.append(peer.got[-1].get("code"))
    assert codes[-1] == "flooding"
    assert "flooding" not in codes[:-1]
    assert f"`{kind}`" in part_about_costs()


def part_about_costs() -> str:
    text = (paths.CHECKOUT / "server" / "PROTOCOL.md").read_text(encoding="utf-8")
    (line,) = [line for line in text.splitlines() if "count as 5 messages" in line]
    return line


def test_who_goes_on_flooding_is_closed_and_then_not_heard(world: World) -> None:
    peer = world.peer()
    for _ in range(200):
        peer.say("ping")
    assert peer.line.closed == (1008, "flooding")
    assert len(peer.got) == BURST + MOST_STRIKES
    assert sample(world.metrics, "jantaku_dropped_connections_total", reason="flooding") == 1


def test_refused_messages_in_a_row_close_the_connection_a_good_one_forgives(
    world: World,
) -> None:
    peer = world.peer()
    for _ in range(MOST_STRIKES - 1):
        world.clock.advance(1)
        assert refused(peer.send("nonsense")) == "malformed"
    peer.say("ping")
    for _ in range(MOST_STRIKES):
        assert peer.line.closed is None
        world.clock.advance(1)
        peer.send("nonsense")
    assert peer.line.closed == (1008, "malformed")
    assert peer.send("nonsense") is None


def test_accepted_answers_are_not_counted(world: World) -> None:
    table, peers = world.seated(4, play=first_choice, rules={"length": "tonpuu"})
    world.finish(table)
    moves = [len(peer.all("accepted")) for peer in peers]
    assert min(moves) > BURST, "in zero time"
    assert not any(peer.all("error") or peer.all("rejected") for peer in peers)
    assert sample(world.metrics, "jantaku_moves_total") == sum(moves)


def test_a_client_that_does_not_read_is_cut_and_its_seat_waits_for_it(world: World) -> None:
    table, peers = world.seated(4)
    slow = peers[1]
    slow.line.unread = MAX_QUEUE
    slow.say("ping")
    assert not slow.line.dropped
    slow.line.unread = MAX_QUEUE + 1
    slow.session.receive(wire.encode({"type": "ping"}, "json"))
    assert slow.line.dropped
    slow.hang_up()
    for peer in peers:
        peer.begin(dull)
    assert peers[0].last("presence") == {**peers[0].last("presence"), "seat": 1, "online": False}
    world.finish(table)
    assert sample(world.metrics, "jantaku_dropped_connections_total", reason="slow") == 1


def test_catching_up_waits_for_a_slow_reader_and_is_no_reason_to_cut_it(world: World) -> None:
    table, _ = world.seated(4, play=dull, spectator_delay=0)
    world.finish(table)
    late = world.peer()
    most = 0

    def fills_up(frame: str | bytes) -> None:
        nonlocal most
        late.line.unread += 2000 + len(frame)
        most = max(most, late.line.unread)

    late.line.on_frame = fills_up
    late.say("spectate", table=table.id)
    world.clock.advance(60)
    assert not late.line.dropped
    assert most == late.line.unread > MAX_QUEUE // 2, "it has read nothing, and it is waited for"
    late.line.on_frame = late._hear
    late.line.unread = 0
    world.clock.advance(1)
    assert late.got[-1]["type"] == "finished"
    assert late.all("event")[-1]["seq"] == table.published - 1
    assert table.state == FINISHED


# ---------------------------------------------------------------------- the replay desk


def test_a_finished_game_is_read_and_its_hands_are_fetched(world: World) -> None:
    table, peers = world.seated(4, play=dull, rules={"length": "tonpuu"})
    world.finish(table)
    peer = world.peer()
    assert refused(peer.say("replay_more", index=0)) == "unexpected"
    replay = peer.say("replay", game=table.id)
    assert replay is not None
    assert replay["names"] == [f"player {seat}" for seat in range(4)]
    for index in range(len(replay["kyokus"])):
        assert peer.say("replay_more", index=index)["index"] == index  # type: ignore[index]
    assert refused(peer.say("replay_more", index=len(replay["kyokus"]))) == "not_found"
    assert peers[0].all("finished")


def test_the_records_of_all_clients_together_are_bounded(world: World) -> None:
    table, _ = world.seated(4, play=dull, rules={"length": "tonpuu"})
    world.finish(table)
    peers = [world.peer() for _ in range(4)]
    peers[0].say("replay", game=table.id)
    events = world.desk.shelf._events
    assert events > 100
    world.desk.shelf._most = 3 * events
    for peer in peers[1:3]:
        assert peer.say("replay", game=table.id)["type"] == "replay"  # type: ignore[index]
    # The first is used again, so the second is put away when a fourth comes.
    assert peers[0].say("replay_more", index=0)["index"] == 0  # type: ignore[index]
    peers[3].say("replay", game=table.id)
    assert refused(peers[1].say("replay_more", index=0)) == "unexpected"
    assert world.desk.shelf._events == 3 * events
    for peer in (peers[0], peers[2], peers[3]):
        assert peer.say("replay_more", index=1)["index"] == 1  # type: ignore[index]
    # It may be opened again; a client keeps one record, and none when it is gone.
    for _ in range(3):
        assert peers[1].say("replay", game=table.id)["type"] == "replay"  # type: ignore[index]
    assert peers[1].say("replay_more", index=0)["index"] == 0  # type: ignore[index]
    for peer in peers:
        peer.session.closed()
    assert world.desk.shelf._events == 0


def test_one_record_is_read_however_long_it_is(world: World) -> None:
    table, _ = world.seated(4, play=dull, rules={"length": "tonpuu"})
    world.finish(table)
    world.desk.shelf._most = 10
    peer = world.peer()
    peer.say("replay", game=table.id)
    assert peer.say("replay_more", index=0)["index"] == 0  # type: ignore[index]


def test_a_game_that_is_played_cannot_be_read(world: World) -> None:
    table, _ = world.seated(4)
    peer = world.peer()
    assert refused(peer.say("replay", game=table.id)) == "not_found"
    assert peer.got[-1] == {**peer.got[-1], "about": "replay"}


def test_a_record_is_sent_in_parts_as_it_was_announced(world: World) -> None:
    table, _ = world.seated(4, play=dull, rules={"length": "tonpuu"})
    world.finish(table)
    record = (world.data / REPLAYS / table.replay).read_bytes()
    parts = [
        base64.b64encode(record[at : at + 9000]).decode() for at in range(0, len(record), 9000)
    ]
    peer = world.peer()
    assert refused(peer.say("replay_data", data=parts[0])) == "unexpected"
    peer.say("replay", size=len(record), name="my game.mjson.gz")
    for part in parts:
        peer.say("replay_data", data=part)
    assert peer.last("replay")["form"] == "native"
    for size, data, code in (
        (5, "????", "invalid"),
        (5, base64.b64encode(b"123456").decode(), "invalid"),
        (5, base64.b64encode(b"12345").decode(), "invalid"),
        (5_000_000, "", "invalid"),
    ):
        world.clock.advance(1)
        answer = peer.say("replay", size=size) or peer.say("replay_data", data=data)
        assert refused(answer) == code
    assert world.desk._held == 0
    peer.say("replay", size=7)
    assert world.desk._held == 7, "room is kept for what was announced"
    peer.hang_up()
    assert world.desk._held == 0


def test_records_that_stand_still_make_room_for_others(world: World) -> None:
    idle = [world.peer() for _ in range(MOST_HELD // MOST_SENT)]
    for peer in idle:
        peer.say("replay", size=MOST_SENT)
    late = world.peer()
    assert refused(late.say("replay", size=5)) == "full"
    world.clock.advance(MOST_IDLE_S - 1)
    part = base64.b64encode(b"12345").decode()
    idle[0].say("replay_data", data=part)
    world.clock.advance(2)
    assert late.say("replay", size=5) is None
    assert refused(idle[1].say("replay_data", data=part)) == "unexpected"
    assert idle[0].say("replay_data", data=part) is None, "it goes on"
    assert world.desk._held == MOST_SENT + 5
    for peer in (*idle, late):
        peer.hang_up()
    assert world.desk._held == 0


def test_small_parts_of_a_record_are_counted(world: World) -> None:
    peer = world.peer()
    peer.say("replay", size=MOST_SENT)
    part = base64.b64encode(b"1").decode()
    answers = [peer.say("replay_data", data=part) for _ in range(int(BURST))]
    assert refused(answers[-1]) == "flooding"
    world.clock.advance(10)
    full = base64.b64encode(bytes(FULL_PART)).decode()
    assert not any(peer.say("replay_data", data=full) for _ in range(2 * int(BURST)))


def test_of_many_records_asked_for_at_once_the_first_and_the_last_are_read(world: World) -> None:
    table, _ = world.seated(4, play=dull, rules={"length": "tonpuu"})
    world.finish(table)
    peer = world.peer()
    world.clock.advance(1)
    for game in [table.id, *["0" * 16] * 4, table.id]:
        peer.session.receive(wire.encode({"type": "replay", "game": game}, "json"))
    assert len(world.desk._waiting) <= 1
    world.clock.settle()
    assert len(peer.all("replay")) == 1
    assert not peer.all("error")


# ---------------------------------------------------------------------- faults of ours


@plain_only
def test_a_fault_is_caught_at_one_place_and_the_connection_and_table_live_on(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, peers = world.seated(4)
    peer, request = open_request(peers)

    def broken(*arguments: object) -> None:
        raise ZeroDivisionError("the hand is 1m 2m 3m")

    with structlog.testing.capture_logs() as logs, monkeypatch.context() as patched:
        patched.setattr(LiveTable, "answer", broken)
        before = len(peer.got)
        peer.say("answer", id=request["id"], index=0)
    rejected, again = peer.got[before:]
    assert refused(rejected) == "internal"
    assert "hand" not in rejected["message"]
    assert again["id"] == request["id"]
    (line,) = [entry for entry in logs if entry["log_level"] == "error"]
    assert line["error"] == "ZeroDivisionError"
    assert f"{Path(__file__).name}:" in line["where"]
    assert "1m" not in str(line)
    assert sample(world.metrics, "jantaku_faults_total") == 1
    peer.say("answer", id=request["id"], index=0)
    assert peer.last("accepted")["id"] == request["id"]
    assert table.state == PLAYING


@plain_only
def test_a_session_that_fails_while_it_is_told_something_is_closed_not_left_deaf(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, peers = world.seated(4)

    def broken(*arguments: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(peers[2].session, "event", broken)
    for peer in peers:
        peer.begin(dull)
    world.finish(table)
    assert peers[2].line.closed == (1011, "internal")
    assert refused(peers[2].got[-1]) == "internal"


def test_hints_come_to_who_asks_for_them_once_a_turn(world: World) -> None:
    table, peers = world.seated(4)
    plain, with_hints = world.peer(), Peer(world, hello=False)
    with_hints.say("hello", protocol=1, hints=True)
    for peer, old in ((plain, peers[0]), (with_hints, peers[1])):
        peer.say("resume", token=old.token)
    assert not plain.all("hints")
    assert with_hints.last("hints")["seq"] <= table.published
    assert len(with_hints.all("hints")) == 1
