"""A server that dies or is stopped, and the one that comes after it.

`crashed` is what a new process makes of what was committed: nothing else is left of the old one.
Real processes are killed in test_kills.py.
"""

from __future__ import annotations

import copy
import gzip
from collections.abc import Callable
from typing import Any

import pytest
import structlog
from server_kit import FakeClock, FakeJournal, FakeListener, Peer, World, dull
from table_kit import CLOCK, HANDS, answer, events, four, is_asked, quiet, request, rig, stamp

from jantaku_engine.rules import Ruleset
from jantaku_replays.files import parse
from jantaku_replays.findings import Tally
from jantaku_replays.verify import verify
from jantaku_server.lobby import ABANDONED_S, LINGER_S
from jantaku_server.replay_files import REPLAYS
from jantaku_server.table import FINISHED, PLAYING, WAITING, LiveTable

TONPUU = {"rules": {"preset": "standard", "length": "tonpuu"}}
QUICK = {**TONPUU, "clock": CLOCK, "pause_ms": 1_000}
PON = "55z79m2479p24689s"


def crashed(world: World, seconds: float = 0.0) -> World:
    """A new process `seconds` later; the old one goes on in peace for comparison."""
    clock = FakeClock(world.clock.now() + seconds, world.clock.wall_time() + seconds)
    journal = FakeJournal(clock)
    journal.tables = copy.deepcopy(world.journal.tables)
    journal.games, journal.players = dict(world.journal.games), dict(world.journal.players)
    again = World(world.data, journal, clock)
    again.lobby.restore()
    return again


def stopped(world: World, seconds: float = 0.0) -> World:
    """A new process after the old one was stopped in order."""
    world.lobby.close()
    world.clock.settle()
    return crashed(world, seconds)


def back(world: World, peer: Peer, **fields: Any) -> Peer:
    """The player of a peer, at the new server, asking for what it has not seen."""
    again = world.peer()
    again.token, again.seat = peer.token, peer.seat
    seen = [message["seq"] for message in peer.all("event")]
    again.say("resume", token=peer.token, after=seen[-1] if seen else -1, **fields)
    return again


def play_on(again: World, table: LiveTable, peers: list[Peer]) -> list[Peer]:
    """Everybody comes back, plays to the end and has seen all; the replay verifies."""
    players = [back(again, peer) for peer in peers]
    for player in players:
        player.play = dull
        if is_asked(player, table):
            player._answer(player.last("request"))
    again.clock.run_until(lambda: table.replay != "")
    for old, new in zip(peers, players, strict=True):
        told = old.all("event") + new.all("event")
        assert [message["seq"] for message in told] == list(range(table.published))
        assert table.match is not None
        masked = [event.seen_by(new.seat).to_mjai() for event in table.match.events]
        assert [message["event"] for message in told] == masked
    tally = verified(again, table)
    assert tally.mismatches == []
    assert tally.walls_checked == tally.rounds
    return players


def verified(world: World, table: LiveTable) -> Tally:
    """What the verifier finds in the replay of a finished table."""
    data = (world.data / REPLAYS / table.replay).read_bytes()
    return verify(parse(gzip.decompress(data), "game.mjson"))


# ---------------------------------------------------------------------- at any moment


@pytest.mark.parametrize("window", [0, 40])
def test_after_every_commit_a_new_process_knows_all_that_was_told(
    world: World, window: int
) -> None:
    """No event that was told is lost or another one, and no acknowledged answer is asked again."""
    table, peers = world.seated(4, play=dull, **{**QUICK, "pause_ms": 100}, call_window_ms=window)
    world.journal.hold = True
    for peer in peers:
        for message in peer.all("request")[-1:]:
            peer._answer(message)
    checks = commits = 0
    while not table.replay:
        if world.journal.waiting:
            world.journal.commit(1)
            commits += 1
            if commits % 5 == 0 and table.state == PLAYING:
                _knows_all(world, table, peers)
                checks += 1
        elif not world.clock.step():
            raise AssertionError("the game has stopped")
    assert checks > 40
    for peer in peers:
        assert [m["seq"] for m in peer.all("event")] == list(range(table.published))


def _knows_all(world: World, table: LiveTable, peers: list[Peer]) -> None:
    again = crashed(world).lobby.tables[table.id]
    match = again.match
    for peer in peers:
        told = peer.all("event")
        if told:
            assert match is not None
            assert again.published >= len(told)
            seen = [event.seen_by(peer.seat).to_mjai() for event in match.events[: len(told)]]
            assert [message["event"] for message in told] == seen
        question = again.question_of(again.seats[peer.seat])
        acknowledged = {message["id"] for message in peer.all("accepted")}
        if question is not None:
            assert question.id not in acknowledged
            mine = table.question_of(table.seats[peer.seat])
            if mine is not None and mine.id == question.id:
                assert (mine.menu, mine.free_ms, mine.bank_ms) == (
                    question.menu,
                    question.free_ms,
                    question.bank_ms,
                )


def test_a_game_that_dies_every_few_events_is_one_game(world: World) -> None:
    """The same players through one crash after another, to the end."""
    table, peers = world.seated(4, play=dull, **QUICK, call_window_ms=40)
    told: list[list[Any]] = [[], [], [], []]
    crashes = 0
    while not table.replay:
        until = table.published + 23
        world.clock.run_until(
            lambda: table.published > until or bool(table.replay)  # noqa: B023
        )
        for seat, peer in enumerate(peers):
            told[seat] += peer.all("event")
        if table.replay:
            break
        crashes += 1
        world = crashed(world, 2)
        table = world.lobby.tables[table.id]
        peers = [back(world, peer) for peer in peers]
        for peer in peers:
            peer.play = dull
            if is_asked(peer, table):
                peer._answer(peer.last("request"))
    assert crashes > 10
    for seat in range(4):
        # A client that saw nothing between two crashes asks from the last one that it knows.
        assert [message["seq"] for message in told[seat]] == list(range(table.published))
    assert verified(world, table).mismatches == []


# ---------------------------------------------------------------------- tables in every state


def test_a_table_that_waits_keeps_its_seats(world: World) -> None:
    table, owner = world.table(private=True, **QUICK)
    peers = [world.peer() for _ in range(4)]
    code = owner.last("created")["code"]
    peers[0].say("join", code=code, name="A", seat=2)
    peers[0].say("ready", ready=False)
    again = crashed(world)
    table = again.lobby.tables[table.id]
    assert table.state == WAITING
    assert [seat.kind for seat in table.seats] == ["open", "open", "person", "open"]
    assert table.seats[2].ready is False
    player = back(again, peers[0])
    assert player.last("table")["seats"][2]["name"] == "A"
    for seat in (0, 1, 3):
        again.peer().say("join", code=code, name="x", seat=seat)
    assert table.state == WAITING
    player.say("ready")
    assert table.state == PLAYING


def test_a_seat_that_was_left_is_free(world: World) -> None:
    table, _ = world.table(**QUICK)
    peer = world.peer()
    peer.say("join", table=table.id, name="A", seat=1)
    peer.say("leave")
    assert crashed(world).lobby.tables[table.id].seats[1].kind == "open"


def test_who_does_not_come_back_to_a_waiting_table_loses_the_seat_after_the_grace(
    world: World,
) -> None:
    table, _ = world.table(**QUICK)
    peer = world.peer()
    peer.say("join", table=table.id, name="A", seat=1)
    again = crashed(world)
    again.clock.advance(4.999)
    assert again.lobby.tables[table.id].seats[1].kind == "person"
    again.clock.advance(0.001)
    assert again.lobby.tables[table.id].seats[1].kind == "open"
    again.clock.advance(ABANDONED_S)
    assert again.lobby.tables == {}
    assert again.journal.tables == {}


def test_a_full_table_whose_start_was_not_committed_starts_when_all_are_back(
    world: World,
) -> None:
    table, _ = world.table(**QUICK)
    peers = [world.peer() for _ in range(4)]
    world.journal.hold = True
    for seat, peer in enumerate(peers):
        peer.say("join", table=table.id, name="x", seat=seat)
    world.journal.commit(8)  # four seats, and that they are told; not the start
    assert all(peer.token for peer in peers)
    again = crashed(world)
    table = again.lobby.tables[table.id]
    players = [back(again, peer) for peer in peers[:3]]
    again.clock.advance(1)
    assert table.state == WAITING
    back(again, peers[3])
    assert table.state == PLAYING
    assert [event["type"] for event in events(players[0])] == ["start_game", "start_kyoku", "tsumo"]


def test_a_seat_whose_player_was_never_told_its_token_is_free_after_the_grace(
    world: World,
) -> None:
    """Its join was committed and the server died: nobody can come back to it."""
    table, _ = world.table(**QUICK)
    peers = [world.peer() for _ in range(4)]
    for seat, peer in enumerate(peers[:3]):
        peer.say("join", table=table.id, name="x", seat=seat)
    world.journal.hold = True
    peers[3].say("join", table=table.id, name="ghost", seat=3)
    world.journal.waiting[0][0]()  # on the disk, and nobody heard of it
    again = crashed(world)
    table = again.lobby.tables[table.id]
    for peer in peers[:3]:
        back(again, peer)
    retry = again.peer()
    refused = retry.say("join", table=table.id, name="x")
    assert refused is not None
    assert refused["code"] == "full"
    again.clock.advance(5)
    retry.say("join", table=table.id, name="x")
    assert retry.seat == 3
    assert table.state == PLAYING


def test_a_table_of_house_bots_plays_on(world: World) -> None:
    table, _ = world.table(seats=["bot:greedy"] * 4, pace_ms=100, **QUICK)
    world.clock.run_until(lambda: table.published > 100)
    again = crashed(world)
    table = again.lobby.tables[table.id]
    assert table.published >= 100
    again.clock.run_until(lambda: table.replay != "")
    assert verified(again, table).mismatches == []


def test_between_hands_the_pause_begins_again(world: World) -> None:
    table, peers = world.seated(4, play=None, **QUICK)
    for peer in peers:
        peer.play = dull
    answer(peers[0])
    world.clock.run_until(lambda: len(events(peers[0], "end_kyoku")) == 1)
    world.clock.advance(0.5)
    again = crashed(world)
    table = again.lobby.tables[table.id]
    assert table.match is not None
    assert table.match.between_hands
    players = [back(again, peer) for peer in peers]
    heard = stamp(players[0])
    again.clock.advance(0.999)
    assert heard.events() == []
    again.clock.advance(0.001)
    assert heard.events() == [(1_000, "start_kyoku"), (1_000, "tsumo")]


def test_in_a_claim_with_one_answer_in_only_the_other_is_asked_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Seat 1 may chi the 7s, seat 2 pon it.
    hands = ("19m19p1234567z77s", "19m19p1234567z68s", "1458m1458p3377s1m", HANDS[3])
    rig(monkeypatch, quiet(hands=hands, draws="."))
    table, peers = four(world)
    seven = next(i for i, a in enumerate(request(peers[0])["menu"]) if a.get("pai") == "7s")
    peers[0].say("answer", id=request(peers[0])["id"], index=seven)
    answer(peers[2], "pon")
    assert peers[2].all("accepted")
    again = crashed(world)
    players = [back(again, peer) for peer in peers]
    table = again.lobby.tables[table.id]
    assert [is_asked(player, table) for player in players] == [False, True, False, False]
    assert request(players[1]) == request(peers[1])
    answer(players[1], "chi")
    assert events(players[3])[-1]["type"] == "pon"  # the one of before the crash


def test_in_the_window_of_a_kan_the_robber_is_asked_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = ("1369m1369p13s666z", "19m19p19s1234577z", HANDS[2], HANDS[3])
    rules = Ruleset.preset("standard", kokushi_rob_ankan=True)
    rig(monkeypatch, quiet(hands=hands, draws="6z2z3z4z2z3z4z", rinshan="2z"))
    table, peers = four(world, rules=rules.to_dict())
    answer(peers[0], "ankan")
    assert [action["type"] for action in request(peers[1])["menu"]] == ["hora", "none"]
    again = crashed(world)
    players = [back(again, peer) for peer in peers]
    assert request(players[1]) == request(peers[1])
    answer(players[1], "hora")
    assert events(players[0], "hora")[0]["actor"] == 1
    assert again.lobby.tables[table.id].state == FINISHED  # thirteen orphans: the dealer is bust


def test_after_a_riichi_declaration_the_discard_is_asked_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig(monkeypatch, quiet(hands=("123456789m11p24s", *HANDS[1:]), draws="5z2z3z4z6z7z2z3z"))
    _, peers = four(world)
    answer(peers[0], "reach")
    again = crashed(world)
    players = [back(again, peer) for peer in peers]
    assert request(players[0])["menu"] == request(peers[0])["menu"]
    assert {action["type"] for action in request(players[0])["menu"]} == {"dahai"}
    answer(players[0])
    assert [event["type"] for event in events(players[1])] == ["dahai", "reach_accepted", "tsumo"]


def test_what_the_call_window_held_back_is_told_after_the_restart(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig(monkeypatch, quiet())
    _, peers = four(world, call_window_ms=500)
    answer(peers[0])
    assert events(peers[1])[-1]["type"] == "dahai"
    again = crashed(world)
    players = [back(again, peer) for peer in peers]
    assert [event["type"] for event in events(players[1])] == ["tsumo"]
    assert players[1].all("request")


@pytest.mark.parametrize("told", [False, True], ids=["before", "after the row of the end"])
def test_a_finished_match_whose_replay_was_not_written_gets_it(world: World, told: bool) -> None:
    table, peers = world.seated(4, **QUICK)
    (world.data / REPLAYS).write_text("a file where a folder should be")
    for peer in peers:
        peer.play = dull
    answer(peers[0])
    world.clock.run_until(lambda: table.state == FINISHED)
    world.journal.hold = not told
    world.clock.advance(1)
    (world.data / REPLAYS).unlink()
    again = crashed(world, 30)
    again.clock.settle()
    table = again.lobby.tables[table.id]
    assert table.replay == f"{table.id}.mjson.gz"
    assert verified(again, table).mismatches == []
    assert list(again.journal.games) == [table.id]
    # When the match ended is when it ended, not when the replay was written.
    ended = again.journal.games[table.id][2]
    assert (ended < world.clock.wall_time() - 0.5) == told
    assert back(again, peers[1]).last("finished")["replay"] == table.replay


def test_a_crash_between_the_rows_of_the_game_and_the_mark_at_its_table(world: World) -> None:
    """The game is listed once, and the table learns again that it is saved."""
    table, peers = world.seated(4, play=dull, **QUICK)
    world.clock.run_until(lambda: table.state == FINISHED)
    world.clock.run_until(lambda: len(world.journal.waiting) == 1)  # the row of the end
    world.journal.hold = True
    world.clock.run_until(lambda: len(world.journal.waiting) == 3)
    world.journal.commit(2)
    assert list(world.journal.games) == [table.id]
    assert table.replay == ""
    again = crashed(world)
    again.clock.settle()
    assert again.lobby.tables[table.id].replay == f"{table.id}.mjson.gz"
    assert list(again.journal.games) == [table.id]
    assert back(again, peers[0]).all("finished")


def test_a_finished_table_lingers_on_for_the_rest_of_its_time(world: World) -> None:
    table, peers = world.seated(4, play=dull, **QUICK)
    world.clock.run_until(lambda: table.replay != "")
    written = (world.data / REPLAYS / table.replay).stat().st_mtime_ns
    world.clock.advance(200)
    again = crashed(world, 100)
    table = again.lobby.tables[table.id]
    assert (table.state, bool(table.replay)) == (FINISHED, True)
    player = back(again, peers[3])
    assert player.last("finished") == peers[3].last("finished")
    watcher = again.peer()
    watcher.say("spectate", table=table.id)
    assert len(watcher.all("event")) == table.published
    assert watcher.got[-1]["type"] == "finished"
    again.clock.advance(LINGER_S - 300.5)
    assert table.id in again.lobby.tables
    again.clock.advance(1)
    assert again.lobby.tables == {}
    assert again.journal.tables == {}
    assert list(again.journal.games) == [table.id]
    assert (again.data / REPLAYS / table.replay).stat().st_mtime_ns == written


def test_a_finished_table_of_long_ago_goes_at_once(world: World) -> None:
    table, _ = world.seated(4, play=dull, **QUICK)
    world.clock.run_until(lambda: table.replay != "")
    again = crashed(world, 10 * LINGER_S)
    again.clock.settle()
    assert again.lobby.tables == {}


def test_after_a_rematch_the_tokens_open_the_new_table(world: World) -> None:
    table, peers = world.seated(4, play=dull, **QUICK)
    world.clock.run_until(lambda: table.replay != "")
    for peer in peers:
        peer.play = None
        peer.say("rematch")
    new = peers[0].last("rematch")["table"]
    again = crashed(world, 1)
    assert set(again.lobby.tables) == {table.id, new}
    player = again.peer()
    player.say("resume", token=peers[0].token)
    assert player.last("resumed")["table"] == new
    again.lobby.forget(again.lobby.tables[table.id])
    another = again.peer()
    another.say("resume", token=peers[1].token)
    assert another.last("resumed")["table"] == new


def test_players_bytes_make_the_same_walls_after_a_crash(world: World) -> None:
    table, _ = world.table(**QUICK)
    peers = [world.peer() for _ in range(4)]
    for seat, peer in enumerate(peers):
        peer.say("join", table=table.id, name="x", seat=seat, entropy=f"{seat:02x}" * 8)
    again = crashed(world)
    players = play_on(again, again.lobby.tables[table.id], peers)
    assert players[0].last("finished")["entropy"][3] == "03" * 8


# ---------------------------------------------------------------------- the clocks


def asked_after(
    world: World, monkeypatch: pytest.MonkeyPatch, stop: Callable[[World], World]
) -> tuple[World, LiveTable, list[Peer]]:
    """Seat 0 has thought for 21 seconds of 20 and 3; then the server goes and comes back."""
    rig(monkeypatch, quiet())
    table, peers = four(world)
    world.clock.advance(21)
    again = stop(world)
    return again, again.lobby.tables[table.id], peers


def test_a_clean_stop_keeps_the_time_that_was_used(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    again, _, peers = asked_after(world, monkeypatch, lambda w: stopped(w, 3_600))
    asked = request(back(again, peers[0]))
    assert (asked["time_ms"], asked["bank_ms"]) == (0, 2_000)
    again.clock.advance(1.999)
    player = back(again, peers[1])
    assert events(player) == []
    again.clock.advance(0.001)
    assert events(player)[0]["type"] == "dahai"


@pytest.mark.parametrize(
    ("thought", "left"),
    [
        (0, (8_000, 1_750)),
        (4.999, (8_000, 1_750)),
        (5, (3_000, 1_750)),
        (7, (3_000, 1_750)),
        (9.7, (3_000, 1_750)),
    ],
)
def test_after_a_kill_the_open_question_gets_at_most_five_seconds_back(
    world: World, monkeypatch: pytest.MonkeyPatch, thought: float, left: tuple[int, int]
) -> None:
    rig(monkeypatch, quiet())
    _, peers = four(world)
    world.clock.advance(21.25)
    for peer in peers:
        answer(peer)
    world.clock.advance(thought)
    again = crashed(world, 3_600)
    asked = request(back(again, peers[0]))
    assert (asked["time_ms"], asked["bank_ms"]) == left


def test_kill_after_kill_gives_back_five_seconds_each_at_most(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig(monkeypatch, quiet())
    _, peers = four(world)
    left = 23_000
    for thought, kept in ((6, 5_000), (4, 0), (11, 10_000), (5, 5_000)):
        world.clock.advance(thought)
        world = crashed(world, 60)
        player = back(world, peers[0])
        left -= kept
        assert request(player)["time_ms"] + request(player)["bank_ms"] == left
    assert left == 3_000
    world.clock.advance(2.999)
    assert events(player) == []
    world.clock.advance(0.001)
    assert events(player)[0]["type"] == "dahai"


def kept(world: World, table: LiveTable) -> int:
    """How often the time of open questions was written."""
    return [row.kind for row in world.journal.tables[table.id].rows].count("used")


def test_the_time_of_slow_players_is_written_each_five_seconds_and_no_more(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig(monkeypatch, quiet())
    table, peers = four(world)
    for seconds, rows in ((4.9, 0), (0.1, 1), (4.9, 1), (0.2, 2), (9.8, 3)):
        world.clock.advance(seconds)
        assert kept(world, table) == rows
    answer(peers[0])
    world.clock.advance(4.9)
    assert kept(world, table) == 3
    world.clock.advance(0.2)
    assert kept(world, table) == 4


def test_quick_players_have_no_time_written(world: World) -> None:
    table, _ = world.seated(4, play=dull, **QUICK)
    world.clock.run_until(lambda: table.state == FINISHED)
    assert kept(world, table) == 0


def two_asked(world: World, monkeypatch: pytest.MonkeyPatch) -> list[Peer]:
    """Four players, of whom seats 1 and 2 may claim the tile that seat 0 has just discarded."""
    hands = ("19m19p1234567z77s", "19m19p1234567z68s", "1458m1458p3377s1m", HANDS[3])
    rig(monkeypatch, quiet(hands=hands, draws="."))
    _, peers = four(world)
    seven = next(i for i, a in enumerate(request(peers[0])["menu"]) if a.get("pai") == "7s")
    peers[0].say("answer", id=request(peers[0])["id"], index=seven)
    return peers


def test_an_answer_leaves_the_others_the_time_that_they_have_used(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    peers = two_asked(world, monkeypatch)
    world.clock.advance(6)
    answer(peers[1])
    again = crashed(world)
    assert request(back(again, peers[2]))["time_ms"] == 15_000


def test_the_clock_waits_for_its_player_until_the_grace_is_over(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    again, _, peers = asked_after(world, monkeypatch, stopped)
    again.clock.advance(4.999)
    asked = request(back(again, peers[0]))
    assert (asked["time_ms"], asked["bank_ms"]) == (0, 2_000)
    again.clock.advance(1)
    asked = request(back(again, peers[0]))
    assert (asked["time_ms"], asked["bank_ms"]) == (0, 1_000)


def test_a_player_who_does_not_come_back_is_played_for_after_the_grace(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    again, table, peers = asked_after(world, monkeypatch, stopped)
    players = [back(again, peer) for peer in peers[1:]]
    again.clock.advance(4.999)
    assert events(players[0]) == []
    assert table.seats[0].stand_in is None
    again.clock.advance(0.001)
    assert table.seats[0].stand_in is not None
    assert events(players[0])[0]["type"] == "dahai"


def test_two_stops_in_a_row_add_up(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    rig(monkeypatch, quiet())
    _, peers = four(world)
    world.clock.advance(12)
    again = stopped(world, 60)
    player = back(again, peers[0])
    again.clock.advance(5.5)
    third = stopped(again, 60)
    asked = request(back(third, player))
    assert (asked["time_ms"], asked["bank_ms"]) == (2_500, 3_000)
    # A stop before anybody was back, and a kill after it, take nothing away.
    fourth = crashed(stopped(third, 60), 60)
    asked = request(back(fourth, player))
    assert (asked["time_ms"], asked["bank_ms"]) == (2_500, 3_000)


def test_the_time_of_one_question_is_not_that_of_the_next(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    again, _, peers = asked_after(world, monkeypatch, stopped)
    players = [back(again, peer) for peer in peers]
    for player in players:
        answer(player)
    asked = request(back(crashed(again), players[0]))
    assert (asked["time_ms"], asked["bank_ms"]) == (8_000, 2_000)


def test_both_who_are_asked_keep_their_own_time(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    peers = two_asked(world, monkeypatch)
    world.clock.advance(4)
    again = stopped(world)
    one = back(again, peers[1])
    again.clock.advance(2)
    two = back(again, peers[2])
    assert request(one)["time_ms"] == request(two)["time_ms"] == 16_000
    again.clock.advance(1)
    third = stopped(again)
    assert request(back(third, one))["time_ms"] == 13_000
    assert request(back(third, two))["time_ms"] == 15_000


def test_first_answers_and_banks_come_back_as_they_were(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig(monkeypatch, quiet())
    table, peers = four(world)
    world.clock.advance(22)
    answer(peers[0])
    again = crashed(world)
    player = back(again, peers[1])
    assert request(player)["time_ms"] == 20_000
    answer(player)
    for peer in peers[2:]:
        answer(back(again, peer))
    asked = request(back(again, peers[0]))
    assert (asked["time_ms"], asked["bank_ms"]) == (8_000, 1_000)
    assert table.id in again.lobby.tables


# ---------------------------------------------------------------------- stopping in order


def test_everybody_is_told_that_the_server_stops(world: World) -> None:
    table, peers = world.seated(4, **QUICK)
    outside = world.peer()
    outside.say("spectate", table=table.id)
    world.lobby.close()
    assert [peer.last("error")["code"] for peer in (*peers, outside)] == ["going_down"] * 5


def test_after_the_stop_nothing_happens_any_more(world: World) -> None:
    table, peers = world.seated(4, **QUICK)
    question = table.question_of(table.seats[0])
    world.lobby.close()
    world.clock.settle()
    rows = len(world.journal.tables[table.id].rows)
    heard = [len(peer.got) for peer in peers]
    world.clock.advance(10_000)
    assert question is not None
    with pytest.raises(ValueError, match="not open"):
        table.answer(table.seats[0], question.id, 0)
    assert len(world.journal.tables[table.id].rows) == rows
    assert [len(peer.got) for peer in peers] == heard


def test_an_answer_on_its_way_when_the_server_stops_is_kept(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig(monkeypatch, quiet())
    _, peers = four(world)
    world.journal.hold = True
    answer(peers[0])
    world.lobby.close()
    world.journal.hold = False
    world.journal.commit()
    world.clock.settle()
    again = crashed(world)
    players = [back(again, peer) for peer in peers]
    assert [event["type"] for event in events(players[3])] == ["dahai", "tsumo"]
    assert request(players[1])["time_ms"] == 20_000


def test_a_house_bot_that_thought_too_long_does_not_answer_after_the_stop(world: World) -> None:
    table, _ = world.table(seats=["bot:greedy"] * 4, pace_ms=500, **QUICK)
    world.clock.advance(0.6)
    world.lobby.close()
    world.clock.advance(60)
    kinds = [row.kind for row in world.journal.tables[table.id].rows]
    assert kinds[-1] == "stop"
    assert kinds.count("stop") == 1


def test_a_listener_of_a_stopped_table_is_not_attached(world: World) -> None:
    table, _ = world.seated(4, **QUICK)
    world.lobby.close()
    listener = FakeListener()
    table.attach(table.seats[0], listener, -1)
    assert [notice["type"] for notice in listener.notices] == ["error"]


def test_every_restored_table_is_one_line_in_the_log(world: World) -> None:
    table, _ = world.table(**QUICK)
    running, _ = world.seated(4, **QUICK)
    with structlog.testing.capture_logs() as log:
        crashed(world)
    assert [
        (entry["table"], entry["state"]) for entry in log if entry["event"] == "table restored"
    ] == [(table.id, WAITING), (running.id, PLAYING)]
