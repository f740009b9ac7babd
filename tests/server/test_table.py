"""Tables from their creation to the end of their lingering."""

from __future__ import annotations

import gc
import gzip
import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import structlog
from server_kit import FakeListener, Peer, World, dull
from table_kit import CLOCK, answer, events, four, is_asked, quiet, request, rig

from jantaku_clients.bots import BOTS
from jantaku_engine.rules import Ruleset
from jantaku_server.house import HouseSeat
from jantaku_server.lobby import ABANDONED_S, LINGER_S, MOST_LINGERING, RETRY_S
from jantaku_server.replay_files import REPLAYS, remove_partial
from jantaku_server.seats import TableSettings
from jantaku_server.table import FINISHED, PLAYING, WAITING, LiveTable
from jantaku_server.wire import WireError

TONPUU = {"rules": {"preset": "standard", "length": "tonpuu"}}
QUICK = {**TONPUU, "clock": CLOCK}


def code_of(reply: dict[str, Any] | None) -> str:
    """The code of an error that came back."""
    assert reply is not None
    assert reply["type"] == "error", reply
    return str(reply["code"])


# ---------------------------------------------------------------------- seats


def test_four_who_join_are_dealt_in(world: World) -> None:
    table, peers = world.seated(4)
    assert table.state == PLAYING
    assert [peer.seat for peer in peers] == [0, 1, 2, 3]
    assert events(peers[0])[0]["names"] == [f"player {seat}" for seat in range(4)]
    assert [event["type"] for event in events(peers[3])] == ["start_game", "start_kyoku", "tsumo"]


def test_without_a_wish_the_first_free_seat_is_given(world: World) -> None:
    table, _ = world.table(seats=["open", "bot:greedy", "open", "open"])
    given = []
    for _ in range(3):
        peer = world.peer()
        peer.say("join", table=table.id, name="x")
        given.append(peer.seat)
    assert given == [0, 2, 3]


def names_of(table: LiveTable) -> list[str]:
    return [seat.name for seat in table.seats]


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        (["Owner", "Aoi", "Owner", "Owner"], ["Owner", "Aoi", "Owner 2", "Owner 3"]),
        (["Owner 2", "Owner", "Owner", "x"], ["Owner 2", "Owner", "Owner 3", "x"]),
        (["A" * 40, "A" * 40, "x", "y"], ["A" * 40, "A" * 38 + " 2", "x", "y"]),
        (["A" * 37 + " BC"] * 2 + ["x", "y"], ["A" * 37 + " BC", "A" * 37 + " 2", "x", "y"]),
    ],
)
def test_no_two_at_a_table_have_one_name(
    world: World, asked: Sequence[str], given: Sequence[str]
) -> None:
    table, _ = world.table()
    peers = [world.peer() for _ in asked]
    for peer, name in zip(peers, asked, strict=True):
        peer.say("join", table=table.id, name=name)
    assert names_of(table) == given
    assert [seat["name"] for seat in peers[0].last("table")["seats"]] == given
    assert events(peers[0])[0]["names"] == given


def test_nobody_has_the_name_of_a_house_bot(world: World) -> None:
    table, _ = world.table(seats=["bot:greedy", "open", "open", "open"])
    for name in ("greedy 1", "tsumogiri 4"):
        world.peer().say("join", table=table.id, name=name)
    table.fill("tsumogiri")
    assert names_of(table) == ["greedy 1", "greedy 1 2", "tsumogiri 4", "tsumogiri 5"]


def test_a_house_bot_with_another_number_is_the_same_bot(world: World) -> None:
    table, _ = world.table(**QUICK)
    peer = world.peer()
    peer.play = dull
    peer.say("join", table=table.id, name="tsumogiri 4")
    table.fill("tsumogiri")
    table.start_if_full()
    world.finish(table)
    assert names_of(table) == ["tsumogiri 4", "tsumogiri 2", "tsumogiri 3", "tsumogiri 5"]
    path = world.data / REPLAYS / table.replay
    head = json.loads(gzip.decompress(path.read_bytes()).splitlines()[0])
    assert head["bots"] == ["", "tsumogiri", "tsumogiri", "tsumogiri"]


def test_names_stay_as_they_are_in_a_rematch_and_after_a_restart(world: World) -> None:
    table, _ = world.table(**QUICK)
    peers = [world.peer() for _ in range(4)]
    for peer in peers:
        peer.play = dull
        peer.say("join", table=table.id, name="Owner")
    given = names_of(table)
    world.finish(table)
    for peer in peers:
        peer.say("rematch")
    again = peers[0].last("rematch")["table"]
    assert names_of(world.lobby.tables[again]) == given
    assert names_of(world.after_crash(1.0).lobby.tables[again]) == given


def test_a_seat_is_taken_once(world: World) -> None:
    table, _ = world.table()
    world.peer().say("join", table=table.id, name="A", seat=1)
    assert code_of(world.peer().say("join", table=table.id, name="B", seat=1)) == "full"
    assert table.seats[1].name == "A"


def test_nobody_joins_a_running_match(world: World) -> None:
    table, _ = world.seated(4)
    assert code_of(world.peer().say("join", table=table.id, name="B")) == "unexpected"


def test_each_token_opens_its_own_seat(world: World) -> None:
    _, peers = world.seated(4)
    assert len({peer.token for peer in peers}) == 4
    for peer in peers:
        again = world.peer()
        again.say("resume", token=peer.token)
        assert again.last("resumed")["seat"] == peer.seat


def test_a_match_starts_when_all_seats_are_taken_and_ready(world: World) -> None:
    table, _ = world.table()
    peers = [world.peer() for _ in range(4)]
    for seat, peer in enumerate(peers[:3]):
        peer.say("join", table=table.id, name="x", seat=seat)
    peers[1].say("ready", ready=False)
    peers[3].say("join", table=table.id, name="x", seat=3)
    assert table.state == WAITING
    assert [seat["ready"] for seat in peers[0].last("table")["seats"]] == [True, False, True, True]
    peers[1].say("ready")
    assert table.state == PLAYING
    assert code_of(peers[1].say("ready")) == "unexpected"


def test_everybody_at_the_table_hears_who_sits_down_and_who_leaves(world: World) -> None:
    table, _ = world.table()
    first, second = world.peer(), world.peer()
    first.say("join", table=table.id, name="A", seat=0)
    second.say("join", table=table.id, name="B", seat=3)
    assert first.last("table")["seats"][3]["name"] == "B"
    second.say("leave")
    assert first.last("table")["seats"][3]["kind"] == "open"
    assert second.last("left")["table"] == table.id


def test_a_token_of_a_seat_that_was_left_opens_nothing(world: World) -> None:
    table, _ = world.table()
    peer = world.peer()
    peer.say("join", table=table.id, name="A")
    peer.say("leave")
    assert code_of(world.peer().say("resume", token=peer.token)) == "bad_token"


def test_who_leaves_a_running_match_is_played_for_and_may_come_back(world: World) -> None:
    table, peers = world.seated(4, **QUICK)
    peers[2].say("leave")
    assert peers[2].last("left")
    assert table.state == PLAYING
    world.clock.advance(5)
    assert table.seats[2].stand_in is not None
    assert peers[2].say("resume", token=peers[2].token) is not None
    assert table.seats[2].stand_in is None


def test_house_bots_fill_the_free_seats_and_the_match_starts(world: World) -> None:
    table, owner = world.table()
    peer = world.peer()
    peer.say("join", table=table.id, name="A", seat=2)
    assert code_of(peer.say("fill", bot="greedy")) == "forbidden"
    peer.say("fill", bot="tsumogiri", owner=owner.last("created")["owner"])
    assert table.state == PLAYING
    assert [seat.kind for seat in table.seats] == ["house", "house", "person", "house"]
    assert table.seats[3].name == "tsumogiri 4"


def test_a_table_of_house_bots_plays_by_itself(world: World) -> None:
    table, _ = world.table(seats=["bot:greedy", "bot:random", "bot:tsumogiri", "bot:greedy"],
                           **QUICK)  # fmt: skip
    world.finish(table)
    assert f"{table.id}.mjson.gz" in world.journal.games[table.id]


# ---------------------------------------------------------------------- finding tables


def test_a_private_table_is_found_by_its_code_only(world: World) -> None:
    table, owner = world.table(private=True)
    code = owner.last("created")["code"]
    assert code
    assert table.id not in str(owner.say("list"))
    assert code_of(world.peer().say("join", table=table.id, name="A")) == "not_found"
    assert code_of(world.peer().say("join", code=code[:-1], name="A")) == "not_found"
    peer = world.peer()
    peer.say("join", code=code, name="A")
    assert peer.table == table.id
    assert code not in "".join(str(frame) for frame in peer.line.frames)


def test_the_list_has_waiting_tables_first_and_the_newest_of_each(world: World) -> None:
    playing = [world.seated(4)[0].id for _ in range(2)]
    waiting = [world.table()[0].id for _ in range(3)]
    finished, _ = world.seated(4, play=dull, **QUICK)
    world.finish(finished)
    listed = [brief["table"] for brief in world.lobby.public()]
    assert listed == [*reversed(waiting), *reversed(playing)]
    assert [brief["table"] for brief in world.lobby.public(2)] == listed[:2]
    assert "rules" not in world.lobby.public(1)[0]
    assert "rules" in world.lobby.tables[waiting[0]].info()


def test_a_server_has_so_many_tables_and_no_more(tmp_path: Path) -> None:
    world = World(tmp_path, max_tables=2)
    world.table()
    table, _ = world.seated(4, play=dull, **QUICK, pause_ms=1_000)
    assert code_of(world.peer().say("create")) == "full"
    world.clock.run_until(lambda: table.replay != "")
    owner = world.peer()
    owner.say("create")  # a finished table does not count
    assert owner.all("created")
    with pytest.raises(WireError, match="has its 2 tables"):
        world.lobby.rematch(table)


@pytest.mark.parametrize(
    ("create", "code"),
    [
        ({"seats": ["open", "open", "open", "bot:genius"]}, "invalid"),
        ({"rules": {"preset": "blood battle"}}, "rules"),
        ({"rules": {"preset": "standard", "kuikae": "maybe"}}, "rules"),
        ({"clock": "blitz"}, "invalid"),
        ({"clock": {"move": 1}}, "invalid"),
    ],
)
def test_a_table_that_cannot_be_is_refused_and_nothing_is_kept(
    world: World, create: dict[str, Any], code: str
) -> None:
    assert code_of(world.peer().say("create", **create)) == code
    assert world.lobby.tables == {}
    assert world.journal.tables == {}


def test_tables_of_bots_and_of_people_have_other_paces(world: World) -> None:
    owner = world.peer()
    owner.say("create")
    owner.say("create", clock="bots")
    people, bots = (table.settings for table in world.lobby.tables.values())
    assert (people.call_window_ms, people.pause_ms, people.pace_ms) == (700, 6_000, 500)
    assert (bots.call_window_ms, bots.pause_ms, bots.pace_ms) == (0, 0, 0)


def test_the_settings_round_trip_through_the_journal(world: World) -> None:
    table, _ = world.table(
        private=True, chat=True, spectator_delay=7, clock=CLOCK, rules={"preset": "tenhou"}
    )
    stored = world.journal.tables[table.id].settings
    assert TableSettings.from_dict(json.loads(json.dumps(stored))) == table.settings
    assert table.settings.rules == Ruleset.preset("tenhou")


# ---------------------------------------------------------------------- answers


def test_an_answer_is_an_index_or_an_action(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    rig(monkeypatch, quiet())
    _, peers = four(world)
    asked = request(peers[0])
    action = asked["menu"][0]
    peers[0].say("answer", id=asked["id"], action=action)
    assert events(peers[1], "dahai")[0] == action


@pytest.mark.parametrize("index", [-1, 14, 99, 10**9])
def test_an_index_that_the_menu_does_not_have_is_refused(
    world: World, monkeypatch: pytest.MonkeyPatch, index: int
) -> None:
    rig(monkeypatch, quiet())
    table, peers = four(world)
    asked = table.question_of(table.seats[0])
    assert asked is not None
    with pytest.raises(WireError, match="the menu has") as caught:
        table.answer(table.seats[0], asked.id, index)
    assert caught.value.code == "illegal"
    assert table.question_of(table.seats[0]) is asked
    assert events(peers[1], "dahai") == []


def test_nobody_answers_for_another_seat_or_another_question(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig(monkeypatch, quiet())
    table, _ = four(world)
    for seat, question in ((1, 3), (0, 2), (0, 4), (3, 99)):
        with pytest.raises(WireError, match="is not open") as caught:
            table.answer(table.seats[seat], question, 0)
        assert caught.value.code == "stale"
    table.answer(table.seats[0], 3, 0)


def test_before_the_start_nothing_is_asked(world: World) -> None:
    table, _ = world.table()
    with pytest.raises(WireError, match="is not open"):
        table.answer(table.seats[0], 0, 0)


def test_the_id_of_a_question_is_the_number_of_events_before_it(world: World) -> None:
    table, peers = world.seated(4, play=dull, **QUICK)
    world.finish(table)
    for peer in peers:
        last = -1
        for message in peer.got:
            if message["type"] == "event":
                last = message["seq"]
            elif message["type"] == "request":
                assert message["id"] == last + 1


# ---------------------------------------------------------------------- house bots


class Stubborn:
    """A player that fails now and then: by an error, or by an action that it does not have."""

    needs_view = False

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def see(self, event: object) -> None:
        pass

    def choose(self, view: object, menu: Any) -> Any:
        if self.rng.random() < 0.3:
            raise ValueError("cannot decide about 1m 2m 3m")
        return menu[0]


def test_a_house_bot_that_fails_costs_its_own_seat_only(tmp_path: Path) -> None:
    world = World(tmp_path, players={**BOTS, "stubborn": Stubborn})
    with structlog.testing.capture_logs() as log:
        table, _ = world.table(seats=["bot:stubborn"] * 4, **QUICK)
        world.finish(table)
    failures = [entry for entry in log if entry["event"] == "house bot failed"]
    assert failures
    assert {entry["why"] for entry in failures} == {"ValueError"}
    assert "1m" not in json.dumps(failures)


def test_a_house_bot_is_one_threads_at_a_time(world: World) -> None:
    """When the clock was faster than its thought, its next thought waits for that one to end."""
    running: list[Callable[[], Any]] = []
    answered: list[int] = []
    house = HouseSeat(
        BOTS["tsumogiri"](random.Random(0)),
        None,  # type: ignore[arg-type]
        world.clock,
        0,
        0,
        lambda compute, done: running.append(lambda: done(compute())),
        lambda house, question, action: answered.append(question.id),
    )
    table, peers = world.seated(4, play=None, **QUICK)
    question = table.question_of(table.seats[0])
    assert question is not None
    for number in range(3):
        question.id = number
        house.question(type(question)(number, 0, 0, question.menu, 1, 1, 0.0), 0.0)
    assert len(running) == 1
    running.pop()()
    assert answered == [0]
    assert len(running) == 1  # the newest; the one between is closed by now
    running.pop()()
    assert answered == [0, 2]
    assert running == []
    assert peers


def test_a_listener_that_fails_is_let_go_and_the_others_hear_everything(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Failing(FakeListener):
        def event(self, seq: int, event: Any, seat: int, frames: Any) -> None:
            raise KeyError("a fault")

    rig(monkeypatch, quiet())
    table, peers = four(world)
    failing = Failing()
    table.seats[1].listener = failing
    answer(peers[0])
    assert table.seats[1].listener is None
    assert [len(events(peers[seat])) for seat in (0, 2, 3)] == [5, 5, 5]
    world.clock.advance(5)
    assert table.seats[1].stand_in is not None


# ---------------------------------------------------------------------- the end


def placements(world: World, table_id: str) -> list[Any]:
    return sorted(row[4] for row in world.journal.players[table_id])


def test_a_finished_match_has_a_replay_and_its_rows(world: World) -> None:
    table, peers = world.seated(4, play=dull, **QUICK)
    world.finish(table)
    path = world.data / REPLAYS / table.replay
    lines = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    assert lines[0]["names"] == [f"player {seat}" for seat in range(4)]
    assert lines[0]["bots"] == [""] * 4
    end = lines[-1]
    assert end["type"] == "end_game"
    game = world.journal.games[table.id]
    assert table.match is not None
    assert game[3:] == ("tonpuu", "standard", table.match.dealt, table.replay, "", False)
    assert 0 < game[1] <= game[2]
    rows = world.journal.players[table.id]
    assert [row[1:4] for row in rows] == [(s, f"player {s}", "person") for s in range(4)]
    assert [row[4] for row in rows] == end["ranks"]
    assert [row[5] for row in rows] == end["scores"]
    assert [row[6] for row in rows] == end["points"]
    assert peers[0].last("finished")["replay"] == table.replay


def test_the_record_names_the_house_bots(world: World) -> None:
    table, _ = world.seated(1, play=dull, **QUICK)
    world.finish(table)
    path = world.data / REPLAYS / table.replay
    head = json.loads(gzip.decompress(path.read_bytes()).splitlines()[0])
    assert head["bots"] == ["", "tsumogiri", "tsumogiri", "tsumogiri"]
    assert [row[3] for row in world.journal.players[table.id]] == ["person", *["house"] * 3]


def test_a_replay_that_cannot_be_written_is_tried_again(world: World) -> None:
    """Nothing is called finished, nothing half-written lies there, and the match is kept."""
    table, peers = world.seated(4, **QUICK)
    (world.data / REPLAYS).write_text("a file where a folder should be")
    for peer in peers:
        peer.play = dull
    with structlog.testing.capture_logs() as log:
        answer(peers[0])
        world.clock.run_until(lambda: table.state == FINISHED)
        world.clock.advance(1)
    assert [entry["event"] for entry in log if entry["log_level"] == "error"] == [
        "replay not written"
    ]
    assert peers[0].all("finished") == []
    assert world.journal.games == {}
    (world.data / REPLAYS).unlink()
    world.clock.advance(RETRY_S)
    assert peers[0].last("finished")["replay"] == table.replay
    assert list(world.journal.games) == [table.id]


def test_a_replay_appears_under_its_name_when_it_is_whole(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = world.data / REPLAYS
    seen: list[list[str]] = []
    rename = Path.rename

    def watched(path: Path, target: Path) -> Path:
        seen.append(sorted(file.name for file in folder.iterdir()))
        gzip.decompress(path.read_bytes())
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", watched)
    table, _ = world.seated(4, play=dull, **QUICK)
    world.finish(table)
    assert seen == [[f".{table.id}.part.gz"]]
    assert [file.name for file in folder.iterdir()] == [table.replay]


def test_what_a_killed_server_left_half_written_is_removed(tmp_path: Path) -> None:
    folder = tmp_path / REPLAYS
    folder.mkdir()
    (folder / ".0123456789abcdef.part.gz").write_bytes(b"half")
    (folder / "0123456789abcdef.mjson.gz").write_bytes(b"whole")
    remove_partial(tmp_path)
    assert [file.name for file in folder.iterdir()] == ["0123456789abcdef.mjson.gz"]
    remove_partial(tmp_path / "nowhere")


# ---------------------------------------------------------------------- playing again


def finished(world: World, **create: Any) -> tuple[Any, list[Peer]]:
    table, peers = world.seated(4, play=dull, **{**QUICK, "pause_ms": 1_000, **create})
    world.clock.run_until(lambda: table.replay != "")
    return table, peers


def test_when_all_want_to_they_play_again_in_the_same_seats(world: World) -> None:
    table, peers = finished(world)
    for peer in peers[:3]:
        peer.say("rematch")
    assert peers[3].last("rematch_wanted")["seats"] == [0, 1, 2]
    assert len(world.lobby.tables) == 1
    peers[3].say("rematch")
    again = world.lobby.tables[peers[0].last("rematch")["table"]]
    assert again.state == PLAYING
    assert [seat.name for seat in again.seats] == [seat.name for seat in table.seats]
    assert again.settings == table.settings
    world.clock.run_until(lambda: again.replay != "")
    for peer in peers:
        seqs = [message["seq"] for message in peer.all("event")]
        assert seqs == [*range(table.published), *range(again.published)]


def test_house_bots_play_again_without_being_asked(world: World) -> None:
    table, peers = world.seated(1, play=dull, **QUICK, pause_ms=1_000)
    world.clock.run_until(lambda: table.replay != "")
    peers[0].say("rematch")
    again = world.lobby.tables[peers[0].last("rematch")["table"]]
    assert [seat.kind for seat in again.seats] == ["person", "house", "house", "house"]
    world.clock.run_until(lambda: again.replay != "")


def test_tokens_go_on_to_the_rematch(world: World) -> None:
    table, peers = finished(world)
    for peer in peers:
        peer.say("rematch")
    again = world.peer()
    again.say("resume", token=peers[2].token)
    assert again.last("resumed")["table"] == peers[2].last("rematch")["table"] != table.id


def test_who_dropped_after_agreeing_is_waited_for(world: World) -> None:
    _, peers = finished(world)
    for peer in peers[:3]:
        peer.say("rematch")
    peers[0].hang_up()
    peers[3].say("rematch")
    again = world.lobby.tables[peers[3].last("rematch")["table"]]
    assert again.state == WAITING
    back = world.peer()
    back.say("resume", token=peers[0].token)
    assert back.last("resumed") == {"type": "resumed", "table": again.id, "seat": 0}
    assert again.state == PLAYING
    assert is_asked(peers[0], again)


def test_a_match_does_not_begin_without_a_player(world: World) -> None:
    """The table fills while somebody is away: it starts when that one is back, or replaced."""
    for returns in (True, False):
        table, _ = world.table(**QUICK)
        peers = [world.peer() for _ in range(5)]
        peers[0].say("join", table=table.id, name="x", seat=0)
        peers[0].hang_up()
        for seat in (1, 2, 3):
            peers[seat].say("join", table=table.id, name="x", seat=seat)
        assert table.state == WAITING
        if returns:
            world.peer().say("resume", token=peers[0].token)
        else:
            world.clock.advance(5)
            assert table.state == WAITING
            peers[4].say("join", table=table.id, name="y")
        assert table.state == PLAYING


def test_there_is_one_rematch_however_often_it_is_wanted(world: World) -> None:
    table, peers = finished(world)
    world.journal.hold = True
    for peer in peers:
        peer.say("rematch")
    with pytest.raises(WireError, match="plays again already"):
        world.lobby.rematch(table)
    peers[0].say("rematch")
    world.journal.hold = False
    world.journal.commit()
    world.clock.settle()
    assert len(world.lobby.tables) == 2


def test_the_old_table_goes_without_taking_anybody_along(world: World) -> None:
    """Its players and its code are the new table's by then."""
    table, peers = finished(world, private=True, clock={**CLOCK, "first": 600_000})
    code = table.settings.code
    for peer in peers:
        peer.play = None
        peer.say("rematch")
    again = world.lobby.tables[peers[0].last("rematch")["table"]]
    world.clock.advance(LINGER_S)
    assert list(world.lobby.tables) == [again.id]
    assert all(peer.all("error") == [] for peer in peers)
    assert [seat.listener for seat in again.seats] == [peer.session for peer in peers]
    watcher = world.peer()
    watcher.say("spectate", code=code)
    assert watcher.last("table")["table"] == again.id
    answer(peers[0])
    assert peers[0].all("accepted")


# ---------------------------------------------------------------------- tables that go


def test_a_finished_table_lingers_then_goes(world: World) -> None:
    table, peers = finished(world)
    world.clock.advance(LINGER_S - 0.001)
    assert list(world.lobby.tables) == [table.id]
    world.clock.advance(0.001)
    assert world.lobby.tables == {}
    assert peers[0].last("error")["code"] == "closed"
    assert code_of(world.peer().say("resume", token=peers[0].token)) == "bad_token"


def test_a_table_that_is_gone_takes_its_memory_with_it(world: World) -> None:
    """No timer of half an hour keeps its events, and no cycle leaves them to a sweep."""
    table, peers = finished(world)
    for peer in peers:
        peer.hang_up()
    world.clock.settle()
    table_id = table.id
    gc.collect()
    gc.disable()
    try:
        world.lobby.forget(table)
        world.clock.settle()
        del table
        tables = [one for one in gc.get_objects() if isinstance(one, LiveTable)]
    finally:
        gc.enable()
    assert [one for one in tables if one.id == table_id] == []


def test_of_many_finished_tables_the_oldest_go_first(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jantaku_server.lobby.MOST_LINGERING", 3)
    assert MOST_LINGERING >= 50
    kept, players = finished(world)
    made = []
    for _ in range(5):
        table, peers = world.seated(1, play=dull, **QUICK)
        world.clock.run_until(lambda: table.replay != "")  # noqa: B023
        peers[0].hang_up()
        made.append(table.id)
    # Who still sits at a table keeps it.
    assert list(world.lobby.tables) == [kept.id, *made[-2:]]
    assert players[0].all("error") == []


def test_a_table_that_nobody_comes_to_is_forgotten(world: World) -> None:
    table, _ = world.table(private=True)
    world.clock.advance(ABANDONED_S - 0.001)
    assert list(world.lobby.tables) == [table.id]
    world.clock.advance(0.001)
    assert world.lobby.tables == {}
    assert world.journal.tables == {}
    code = table.settings.code
    assert code_of(world.peer().say("join", code=code, name="A")) == "not_found"


def test_a_table_at_which_somebody_waits_is_kept(world: World) -> None:
    table, _ = world.table()
    peer = world.peer()
    peer.say("join", table=table.id, name="A")
    world.clock.advance(3 * ABANDONED_S)
    assert list(world.lobby.tables) == [table.id]
    peer.hang_up()
    world.clock.advance(ABANDONED_S)
    assert world.lobby.tables == {}


def test_a_match_that_all_players_left_is_played_to_its_end(world: World) -> None:
    table, peers = world.seated(4, play=None, **QUICK, pause_ms=1_000)
    for peer in peers:
        peer.hang_up()
    world.clock.run_until(lambda: table.replay != "")
    assert placements(world, table.id) == [1, 2, 3, 4]


def test_nothing_is_done_at_a_table_that_is_closed(world: World) -> None:
    table, _ = world.table()
    peer = world.peer()
    peer.say("join", table=table.id, name="A")
    seat = table.seats[peer.seat]
    world.lobby.forget(table)
    world.clock.settle()
    for call in (
        lambda: table.take_seat(None, "person", "B", "x", ""),
        lambda: table.set_ready(seat, True),
        lambda: table.spectate(FakeListener(), -1),
        lambda: table.answer(seat, 0, 0),
    ):
        with pytest.raises(WireError):
            call()
    table.leave_seat(seat)
    table.start_if_full()
    listener = FakeListener()
    table.attach(seat, listener, -1)
    assert [notice["code"] for notice in listener.notices] == ["not_found"]
    world.clock.settle()
    assert world.journal.tables == {}


# ---------------------------------------------------------------------- what the operator reads


def test_the_log_has_one_line_for_each_thing_an_operator_cares_for(world: World) -> None:
    with structlog.testing.capture_logs() as log:
        table, peers = world.seated(4, play=dull, **QUICK, call_window_ms=50)
        peers[2].hang_up()
        world.clock.advance(5)
        peers[2].say("hello", protocol=1)
        back = world.peer()
        back.say("resume", token=peers[2].token)
        back.play = dull
        world.finish(table)
        world.clock.advance(LINGER_S)
    mine = [entry for entry in log if entry.get("table") == table.id]
    assert [(entry["event"], entry.get("seat")) for entry in mine if "connection" not in entry] == [
        ("table created", None),
        ("match started", None),
        ("seat lost", 2),
        ("stand-in plays", 2),
        ("seat regained", 2),
        ("match finished", None),
        ("replay written", None),
        ("table closed", None),
    ]
    assert {entry["log_level"] for entry in mine} == {"info"}
