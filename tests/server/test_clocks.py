"""The clocks of a table, each on its boundary, in no time at all."""

from __future__ import annotations

import pytest
from server_kit import Peer, World, dull
from table_kit import CLOCK, answer, events, four, is_asked, quiet, request, rig, stamp

from jantaku_engine import actions as act
from jantaku_engine.actions import Action, parse_action
from jantaku_server.clock import PRESETS, ClockError, TimeLimits
from jantaku_server.game import default_action
from jantaku_server.table import ARRIVAL_S, PLAYING, WAITING

MS = 0.001


# ---------------------------------------------------------------------- time per answer, and bank


def test_the_first_answer_may_take_longer_then_each_has_the_time_of_a_move(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig(monkeypatch, quiet())
    _, peers = four(world)
    assert request(peers[0])["time_ms"] == 20_000
    for peer in peers:
        answer(peer)
    assert request(peers[0])["time_ms"] == 8_000
    assert request(peers[0])["bank_ms"] == 3_000


def test_a_time_out_is_an_answer_too_the_next_has_the_time_of_a_move(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig(monkeypatch, quiet())
    _, peers = four(world)
    world.clock.advance(23)
    for peer in peers[1:]:
        answer(peer)
    assert request(peers[0])["time_ms"] == 8_000


@pytest.mark.parametrize(
    ("seconds", "bank"),
    [(0, 3_000), (19.999, 3_000), (20, 3_000), (20.001, 2_999), (21.5, 1_500), (22.999, 1)],
)
def test_the_bank_is_used_only_beyond_the_free_time(
    world: World, monkeypatch: pytest.MonkeyPatch, seconds: float, bank: int
) -> None:
    rig(monkeypatch, quiet())
    _, peers = four(world)
    world.clock.advance(seconds)
    for peer in peers:
        answer(peer)
    assert request(peers[0])["bank_ms"] == bank


def test_the_bank_is_never_filled_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    rig(monkeypatch, quiet())
    table, peers = four(world)
    world.clock.advance(21)
    banks = []
    for _ in range(4):
        for peer in peers:
            answer(peer)
            if peer is peers[3]:
                banks.append(request(peers[0])["bank_ms"])
                world.clock.advance(8.5)
    assert banks == [2_000, 1_500, 1_000, 500]
    for peer in peers:
        peer.play = dull
    answer(peers[0])
    world.clock.run_until(lambda: table.match is not None and table.match.dealt > 1)
    world.clock.run_until(lambda: len(peers[0].all("request")) > 40)
    assert request(peers[0])["bank_ms"] == 0


def test_the_clock_answers_at_the_deadline_and_not_a_millisecond_earlier(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig(monkeypatch, quiet())
    table, peers = four(world)
    world.clock.advance(22.999)
    assert is_asked(peers[0], table)
    assert events(peers[1], "dahai") == []
    world.clock.advance(MS)
    assert not is_asked(peers[0], table)
    (discard,) = events(peers[1], "dahai")
    assert (discard["pai"], discard["tsumogiri"]) == ("E", True)


def test_an_answer_a_millisecond_before_the_deadline_counts(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig(monkeypatch, quiet())
    _, peers = four(world)
    world.clock.advance(22.999)
    peers[0].say("answer", id=request(peers[0])["id"], index=0)
    assert peers[0].all("accepted")
    assert events(peers[0], "dahai")[0]["tsumogiri"] is False


@pytest.mark.parametrize("late", [0, MS, 1])
def test_an_answer_at_the_deadline_or_later_is_stale(
    world: World, monkeypatch: pytest.MonkeyPatch, late: float
) -> None:
    rig(monkeypatch, quiet())
    _, peers = four(world)
    asked = request(peers[0])["id"]
    world.clock.advance(23 + late)
    refused = peers[0].say("answer", id=asked, index=0)
    assert refused is not None
    assert (refused["type"], refused["code"]) == ("rejected", "stale")
    assert not peers[0].all("accepted")
    assert len(events(peers[0], "dahai")) == 1


def test_an_illegal_answer_costs_time_and_nothing_else(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig(monkeypatch, quiet())
    _, peers = four(world)
    world.clock.advance(21)
    peers[0].say("answer", id=request(peers[0])["id"], index=99)
    assert len(peers[0].all("request")) == 2
    assert (request(peers[0])["time_ms"], request(peers[0])["bank_ms"]) == (0, 2_000)
    world.clock.advance(1.999)
    assert events(peers[1], "dahai") == []
    world.clock.advance(MS)
    assert len(events(peers[1], "dahai")) == 1


def test_each_seat_that_is_asked_has_its_own_time(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Seat 0 discards a 5z that seat 1 may pon; seat 3 holds the same kind of chance on 2z later.
    rig(
        monkeypatch,
        quiet(hands=(_H0, "55z79m2479p24689s", _H2, "22z67m2467p24688s"), draws="5z 1z 2z 3z 4z"),
    )
    table, peers = four(world)
    answer(peers[0])
    assert [is_asked(peer, table) for peer in peers] == [False, True, False, False]
    world.clock.advance(22.999)
    assert is_asked(peers[1], table)
    world.clock.advance(MS)
    # The default of a claim is a pass: seat 1 draws, with its bank used up.
    assert [is_asked(peer, table) for peer in peers] == [False, True, False, False]
    assert events(peers[0])[-1]["type"] == "tsumo"
    assert (request(peers[1])["time_ms"], request(peers[1])["bank_ms"]) == (8_000, 0)
    answer(peers[1])
    answer(peers[2])
    assert [is_asked(peer, table) for peer in peers] == [False, False, False, True]
    assert request(peers[3])["time_ms"] == 20_000


_H0, _H2 = "1369m1369p13579s", "1358m1358p13579s"


def test_two_asked_together_run_out_one_after_the_other(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    # East, discarded by seat 0: seat 2 may pon; 4s (later) nobody. Seats 2 and 3 on 7s: chi, pon.
    rig(
        monkeypatch,
        quiet(
            hands=(
                "19m19p1234567z77s",
                "19m19p1234567z68s",
                "1458m1458p3377s1m",
                "2467m2467p24688s",
            ),
            draws=".",
        ),
    )
    table, peers = four(world)
    seven = next(i for i, a in enumerate(request(peers[0])["menu"]) if a.get("pai") == "7s")
    world.clock.advance(1)
    peers[0].say("answer", id=request(peers[0])["id"], index=seven)
    assert [is_asked(peer, table) for peer in peers] == [False, True, True, False]
    world.clock.advance(21)
    answer(peers[2])
    assert events(peers[0])[-1]["type"] == "dahai"
    world.clock.advance(1.999)
    assert is_asked(peers[1], table)
    world.clock.advance(MS)
    assert events(peers[0])[-1]["type"] == "tsumo"


@pytest.mark.parametrize(
    ("menu", "default"),
    [
        ("dahai 1m / dahai 9p / dahai E tsumogiri", "dahai E tsumogiri"),
        ("hora / dahai 1m / dahai E tsumogiri / reach", "dahai E tsumogiri"),
        ("dahai E tsumogiri / ankan 1m 1m 1m 1m", "dahai E tsumogiri"),
        ("dahai 1m / dahai 9p", "dahai 9p"),
        ("pon 1m 1m 1m / none", "none"),
        ("hora / none", "none"),
        ("noten / none", "none"),
    ],
)
def test_the_clock_passes_or_discards_the_drawn_tile_or_the_last_one_that_is_legal(
    menu: str, default: str
) -> None:
    actions: list[Action] = [parse_action(text.strip()) for text in menu.split("/")]
    assert default_action(actions) == parse_action(default)
    assert default_action(actions).type in (act.NONE, act.DAHAI)


# ---------------------------------------------------------------------- going and coming back


def back(world: World, peer: Peer, after: int = -1) -> Peer:
    """The same player on a new connection."""
    again = world.peer()
    again.say("resume", token=peer.token, after=after)
    again.token, again.seat = peer.token, peer.seat
    return again


def test_the_grace_ends_exactly_then_a_house_bot_plays(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig(monkeypatch, quiet())
    table, peers = four(world)
    peers[0].hang_up()
    world.clock.advance(4.999)
    assert table.seats[0].stand_in is None
    assert peers[1].last("presence") == {
        "type": "presence", "seat": 0, "online": False, "stand_in": False
    }  # fmt: skip
    world.clock.advance(MS)
    assert table.seats[0].stand_in is not None
    assert peers[1].last("presence")["stand_in"] is True
    assert len(events(peers[1], "dahai")) == 1


def test_who_is_back_a_millisecond_before_the_grace_ends_plays_on(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig(monkeypatch, quiet())
    table, peers = four(world)
    world.clock.advance(1)
    peers[0].hang_up()
    world.clock.advance(4.999)
    again = back(world, peers[0])
    world.clock.advance(10)
    assert table.seats[0].stand_in is None
    assert events(peers[1], "dahai") == []
    # The question is the same and its time went on: the way back is at the player's cost.
    assert request(again)["id"] == request(peers[0])["id"]
    assert request(again)["time_ms"] == 20_000 - 5_999


def test_a_grace_of_nothing_calls_the_stand_in_at_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig(monkeypatch, quiet())
    table, peers = four(world, clock={**CLOCK, "grace": 0})
    peers[2].hang_up()
    assert table.seats[2].stand_in is not None


def test_each_absence_has_its_own_grace(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    rig(monkeypatch, quiet())
    table, peers = four(world)
    peers[2].hang_up()
    world.clock.advance(3)
    again = back(world, peers[2])
    world.clock.advance(1)
    again.hang_up()
    world.clock.advance(4.999)
    assert table.seats[2].stand_in is None
    world.clock.advance(MS)
    assert table.seats[2].stand_in is not None


def test_the_clock_answers_for_an_absent_player_during_its_grace(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig(monkeypatch, quiet())
    table, peers = four(world, clock={**CLOCK, "grace": 60_000})
    peers[0].hang_up()
    world.clock.advance(23)
    assert table.seats[0].stand_in is None
    assert events(peers[1], "dahai")[0]["tsumogiri"] is True


def test_the_stand_in_stops_in_the_middle_of_its_thinking(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig(monkeypatch, quiet())
    table, peers = four(world, pace_ms=2_000)
    peers[0].hang_up()
    world.clock.advance(5 + 1.999)
    again = back(world, peers[0])
    assert table.seats[0].stand_in is None
    assert request(again)["time_ms"] == 20_000 - 6_999
    world.clock.advance(10)
    assert events(peers[1], "dahai") == []
    answer(again)
    assert len(events(peers[1], "dahai")) == 1
    assert again.all("accepted")


def test_what_the_stand_in_has_decided_stands_and_is_not_acknowledged_to_the_player(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig(monkeypatch, quiet())
    _, peers = four(world)
    peers[0].hang_up()
    world.journal.hold = True
    world.clock.advance(5)
    assert world.journal.waiting  # the bot's answer is on its way to the disk
    again = back(world, peers[0])
    assert again.all("request") == []
    world.journal.hold = False
    world.journal.commit()
    world.clock.settle()
    assert again.all("accepted") == []
    assert len(events(again, "dahai")) == 1


def test_player_and_stand_in_take_turns_to_the_end(world: World) -> None:
    table, peers = world.seated(4, play=dull, clock=CLOCK, pause_ms=1_000, call_window_ms=100)
    seat = table.seats[3]
    player = peers[3]
    heard = []
    turns = 0
    while table.state == PLAYING:
        until = table.published + 60
        world.clock.run_until(lambda: table.published > until or table.state != PLAYING)  # noqa: B023
        player.hang_up()
        heard += player.all("event")
        world.clock.run_until(lambda: seat.stand_in is not None or table.state != PLAYING)
        turns += seat.stand_in is not None
        player = back(world, player, heard[-1]["seq"])
        player.play = dull
        assert seat.stand_in is None
        if is_asked(player, table):
            player._answer(request(player))
    world.finish(table)
    heard += player.all("event")
    assert [message["seq"] for message in heard] == list(range(table.published))
    assert turns >= 1


def test_a_seat_lost_before_the_start_is_free_after_the_grace(world: World) -> None:
    table, _ = world.table(clock=CLOCK)
    peer = world.peer()
    peer.say("join", table=table.id, name="A", seat=2)
    peer.hang_up()
    world.clock.advance(4.999)
    assert table.seats[2].kind == "person"
    world.clock.advance(MS)
    assert table.seats[2].kind == "open"
    refused = world.peer().say("resume", token=peer.token)
    assert refused is not None
    assert refused["code"] == "bad_token"
    assert table.state == WAITING


def test_who_is_back_in_the_grace_before_the_start_keeps_the_seat(world: World) -> None:
    table, _ = world.table(clock=CLOCK)
    peer = world.peer()
    peer.say("join", table=table.id, name="A", seat=2)
    peer.hang_up()
    world.clock.advance(4.999)
    again = back(world, peer)
    world.clock.advance(60)
    assert table.seats[2].kind == "person"
    assert again.last("table")["seats"][2]["online"] is True


def test_a_seat_that_was_left_and_taken_again_is_not_freed_by_the_old_grace(world: World) -> None:
    table, _ = world.table(clock=CLOCK)
    first, second = world.peer(), world.peer()
    first.say("join", table=table.id, name="A", seat=2)
    first.say("leave")
    assert table.seats[2].kind == "open"
    second.say("join", table=table.id, name="B", seat=2)
    for seat in (0, 1, 3):
        world.peer().say("join", table=table.id, name="x", seat=seat)
    told = len(second.all("presence"))
    world.clock.advance(6)
    assert table.seats[2].name == "B"
    assert table.seats[2].listener is second.session
    assert table.seats[2].stand_in is None
    assert len(second.all("presence")) == told


def test_a_seat_that_nobody_arrives_at_is_freed(world: World) -> None:
    table, _ = world.table(clock=CLOCK)
    table.take_seat(1, "bot", "B", "0" * 64, "")
    world.clock.advance(ARRIVAL_S - MS)
    assert table.seats[1].kind == "bot"
    world.clock.advance(MS)
    assert table.seats[1].kind == "open"


def test_a_connection_that_dies_before_it_is_told_its_seat_leaves_it(world: World) -> None:
    table, _ = world.table(clock=CLOCK)
    peer = world.peer()
    world.journal.hold = True
    peer.say("join", table=table.id, name="A", seat=1)
    peer.hang_up()
    world.journal.hold = False
    world.journal.commit()
    world.clock.settle()
    assert table.seats[1].kind == "open"


# ---------------------------------------------------------------------- pauses


@pytest.mark.parametrize("pause_ms", [0, 1, 6_000])
def test_the_pause_between_hands_is_exact_and_none_is_before_the_first(
    world: World, monkeypatch: pytest.MonkeyPatch, pause_ms: int
) -> None:
    rig(monkeypatch, quiet())
    table, peers = four(world, pause_ms=pause_ms)
    heard = stamp(peers[0])
    assert len(events(peers[0], "start_kyoku")) == 1
    for peer in peers:
        peer.play = dull
    answer(peers[0])
    world.clock.run_until(lambda: table.match is not None and table.match.dealt >= 2)
    world.clock.settle()
    assert heard.first("start_kyoku") - heard.first("end_kyoku") == pause_ms


def test_a_house_bot_takes_its_pace_on_its_turn(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig(monkeypatch, quiet())
    _, peers = world.seated(1, clock=CLOCK, pace_ms=700)
    heard = stamp(peers[0])
    answer(peers[0])
    world.clock.advance(2.1)
    assert [moment for moment, kind in heard.events() if kind == "dahai"] == [0, 700, 1400, 2100]


def test_a_house_bot_decides_about_a_claim_within_the_window(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However slow its pace: or everybody would learn that it was asked."""
    moments = []
    for hand in ("2479m2479p24689s", "55z79m2479p24689s"):
        rig(monkeypatch, quiet(hands=(_H0, hand, _H2, "2467m2467p24688s"), draws="5z 1z 2z 3z"))
        _, peers = world.seated(1, clock=CLOCK, pace_ms=5_000, call_window_ms=600)
        heard = stamp(peers[0])
        answer(peers[0])
        world.clock.advance(4)
        moments.append(heard.events()[:2])
    assert moments[0] == moments[1] == [(0, "dahai"), (600, "tsumo")]


# ---------------------------------------------------------------------- limits by name and number


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_a_preset_is_itself(name: str) -> None:
    assert TimeLimits.of(name) == PRESETS[name]
    assert TimeLimits.of(PRESETS[name].to_dict()) == PRESETS[name]


def test_fields_that_are_not_named_are_those_of_people() -> None:
    limits = TimeLimits.of({"move": 1_000})
    assert limits.to_dict() == {**PRESETS["people"].to_dict(), "move": 1_000}


def test_a_move_longer_than_the_first_answer_makes_that_as_long() -> None:
    assert TimeLimits.of({"move": 50_000}).first == 50_000


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("blitz", "no preset 'blitz'"),
        ({"moves": 1}, "no field 'moves'"),
        ({"move": 99}, "100 to 600000"),
        ({"move": 600_001}, "100 to 600000"),
        ({"move": 1.5}, "100 to 600000"),
        ({"move": True}, "100 to 600000"),
        ({"move": "8000"}, "100 to 600000"),
        ({"bank": -1}, "0 to 3600000"),
        ({"grace": 3_600_001}, "0 to 3600000"),
        ({"move": 9_000, "first": 8_000}, "not be shorter"),
    ],
)
def test_limits_that_cannot_be_say_why(value: object, why: str) -> None:
    with pytest.raises(ClockError, match=why):
        TimeLimits.of(value)  # type: ignore[arg-type]


@pytest.mark.parametrize("field", ["move", "bank", "first", "grace"])
def test_the_bounds_themselves_are_allowed(field: str) -> None:
    low, high = {"move": (100, 600_000), "first": (8_000, 600_000)}.get(field, (0, 3_600_000))
    assert TimeLimits.of({field: low}).to_dict()[field] == low
    assert TimeLimits.of({field: high}).to_dict()[field] == high
