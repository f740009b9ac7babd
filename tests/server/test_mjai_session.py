"""The mjai endpoint: programs of every way of talking, slow, late, cut off and back again."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from random import Random
from typing import Any
from urllib.parse import parse_qsl

import pytest
from mjai_kit import PAIRS, Delay, Program, for_every_message, to_start, when_deciding
from server_kit import COMPILED, FakeLine, World

from jantaku_engine.actions import PASS, Action
from jantaku_server import game
from jantaku_server.mjai_session import MjaiSession
from jantaku_server.table import FINISHED, LiveTable

SEEDS = range(2)


@pytest.fixture(autouse=True)
def chance(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The walls, tokens and house bots of a test are the same every time."""
    rng = Random(request.node.name)
    monkeypatch.setattr(secrets, "token_bytes", rng.randbytes)
    monkeypatch.setattr(secrets, "randbits", rng.getrandbits)


@pytest.fixture
def by_clock(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Action, ...]]:
    """The menus of the questions that the clock answers, as a list that grows."""
    if COMPILED:
        pytest.skip("a compiled game does not let a test listen to its clock")
    menus: list[tuple[Action, ...]] = []
    answer = game.default_action
    monkeypatch.setattr(game, "default_action", lambda menu: menus.append(menu) or answer(menu))
    return menus


def live(world: World, program: Program) -> LiveTable:
    return world.lobby.tables[program.table]


def hands(seed: int, **clock: int) -> dict[str, Any]:
    """A table of one free seat for a short game."""
    bots = ["bot:random", "bot:tsumogiri", "bot:random"]
    seats = [*bots[: seed % 4], "open", *bots[seed % 4 :]]
    return {
        "rules": {"preset": "standard", "length": "tonpuu"},
        "seats": seats,
        "clock": {"move": 5_000, "bank": 10_000, "first": 60_000, "grace": 5_000, **clock},
    }


def play(
    world: World, talk: str, style: str, seed: int, delay: Delay = lambda decides: 0.0, **query: Any
) -> Program:
    table, _ = world.table(**hands(seed))
    program = Program(world, talk, style, seed, delay).connect(table=table.id, **query)
    world.finish(table)
    return program


# ---------------------------------------------------------------------- ways of talking


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("talk", "style"),
    [
        ("line", "line"),
        ("line", "auto"),
        ("act, passing with none", "act"),
        ("batch", "batch"),
    ],
)
def test_a_quick_program_plays_every_turn_itself(world, by_clock, talk, style, seed) -> None:
    program = play(world, talk, style, seed)
    assert by_clock == []
    assert program.errors == []
    assert program.taken > 20


@pytest.mark.parametrize("seed", SEEDS)
def test_a_program_that_passes_in_silence_plays_its_own_turns_itself(world, by_clock, seed) -> None:
    program = play(world, "act, passing in silence", "act", seed)
    assert program.errors == []
    assert by_clock
    assert all(PASS in menu for menu in by_clock)


@pytest.mark.parametrize("seed", SEEDS)
def test_silence_is_a_pass_as_soon_as_the_owner_says(world, by_clock, seed) -> None:
    before = world.clock.now()
    play(world, "act, passing in silence", "act", seed, pass_after=50)
    assert by_clock == []
    assert world.clock.now() - before < 60


@pytest.mark.parametrize("seed", SEEDS)
def test_auto_finds_out_who_answers_only_when_it_acts(world, by_clock, seed) -> None:
    program = play(world, "act, passing with none", "auto", seed)
    # A first pass can be the answer to start_game: the clock has it until some turns are over.
    assert all(PASS in menu for menu in by_clock)
    assert len(by_clock) <= 4
    assert program.errors == []


SPEEDS: Mapping[str, Callable[[Random], Delay]] = {
    "too slow to decide, now and then": lambda rng: when_deciding(rng, 0.0, 0.1, 1.0, 7.0, 16.0),
    "too slow to decide, mostly": lambda rng: when_deciding(rng, 1.0, 6.0, 9.0, 40.0),
    "slow to read": lambda rng: for_every_message(rng, 0.0, 0.0, 0.3, 1.0),
    "far too slow to read": lambda rng: for_every_message(rng, 0.0, 0.0, 5.0, 20.0),
    "slow to start": lambda rng: to_start(rng, 90.0),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("speed", SPEEDS)
@pytest.mark.parametrize(("talk", "style"), PAIRS)
def test_no_answer_is_taken_for_another_question(world, talk, style, speed, seed) -> None:
    program = play(world, talk, style, seed, SPEEDS[speed](Random(seed)))
    assert program.events == len(live(world, program).match.events)
    assert program.taken > 0 or speed in ("too slow to decide, mostly", "far too slow to read")


# ---------------------------------------------------------------------- breaks


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("talk", "style"),
    [
        ("line", "line"),
        ("line", "auto"),
        ("act, passing with none", "act"),
        ("act, passing with none", "auto"),
        ("act, passing in silence", "act"),
        ("batch", "batch"),
    ],
)
@pytest.mark.parametrize("away", [0.0, 1.0, 9.0, 40.0])
def test_breaks_lose_no_answer_and_double_none(world, talk, style, away, seed) -> None:
    rng = Random(seed)
    table, _ = world.table(**hands(seed))
    program = Program(world, talk, style, seed, when_deciding(rng, 0.0, 0.2, 1.0, 6.0, 20.0))
    program.connect(table=table.id)
    while table.state != FINISHED:
        world.clock.advance(rng.uniform(0.0, 30.0))
        if table.state != FINISHED:
            program.drop()
            world.clock.advance(away)
            program.connect()
    world.clock.advance(100)
    assert program.events == len(table.match.events)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("style", ["line", "batch"])
def test_who_answers_everything_sends_its_last_answer_again(world, by_clock, style, seed) -> None:
    table, _ = world.table(**hands(seed))
    program = Program(world, style, style, seed, when_deciding(Random(seed), 0.0, 1.0))
    program.connect(table=table.id)
    while table.state != FINISHED:
        world.clock.advance(0.7)
        program.drop()
        world.clock.advance(1.0)
        program.connect(resend_from=max(0, len(program.answers) - 1))
    assert by_clock == []


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("talk", "style"),
    [("line", "auto"), ("act, passing with none", "act"), ("batch", "batch")],
)
def test_a_restarted_server_goes_on_with_a_running_program(world, talk, style, seed) -> None:
    rng = Random(seed)
    table, _ = world.table(**hands(seed))
    program = Program(world, talk, style, seed, when_deciding(rng, 0.0, 0.5, 6.0))
    program.connect(table=table.id)
    for _ in range(6):
        world.clock.advance(rng.uniform(0.0, 20.0))
        if live(world, program).state == FINISHED:
            break
        program.drop()
        world = program.world = world.after_crash(1.0)
        program.connect()
    world.finish(live(world, program))
    world.clock.advance(100)
    assert program.events == len(live(world, program).match.events)


def test_an_answer_that_got_lost_is_taken_after_the_return(world) -> None:
    table, _ = world.table(**hands(0))
    program = Program(world, "act, passing with none", "act", 1, lambda decides: decides * 1.0)
    program.connect(table=table.id)
    seat = table.seats[program.seat]
    world.clock.run_until(lambda: table.question_of(seat) is not None)
    question = table.question_of(seat)
    program.drop()
    world.clock.advance(2.0)  # the program has answered into the dark
    assert table.question_of(seat) is question
    program.connect()
    assert table.question_of(seat) is not question
    assert program.taken == 1


def test_a_second_program_takes_the_seat_over(world) -> None:
    table, _ = world.table(**hands(0))
    first = Program(world, "line", "line", 0, lambda decides: 1.0).connect(table=table.id)
    second = Program(world, "line", "line")
    second.token = first.token
    second.connect()
    assert first.line.closed == (4000, "taken_over")
    assert first.errors[-1]["code"] == "taken_over"
    assert second.seat == first.seat


# ---------------------------------------------------------------------- what is said


def lines_of(program: Program) -> list[Any]:
    return [json.loads(frame) for frame in program.line.frames]


def test_hello_comes_first_and_start_game_tells_the_seat(world) -> None:
    table, _ = world.table(**hands(2))
    program = Program(world, "line", "line").connect(table=table.id)
    hello, start_game, start_kyoku = lines_of(program)[:3]
    assert hello["type"] == "hello"
    assert (hello["table"], hello["seat"]) == (table.id, 2)
    assert (start_game["type"], start_game["id"]) == ("start_game", 2)
    assert start_kyoku["scores"] == [25000] * 4
    assert start_kyoku["tehais"][1] == ["?"] * 13
    assert "?" not in start_kyoku["tehais"][2]


def test_batches_end_at_decisions_and_at_the_ends_of_hands(world) -> None:
    table, _ = world.table(**hands(1))
    program = Program(world, "batch", "batch", 1).connect(table=table.id)
    world.finish(table)
    arrays = lines_of(program)[1:]
    assert [event["type"] for event in arrays[0]] == ["start_game"]
    assert [event["type"] for array in arrays for event in array] == [
        event.to_mjai()["type"] for event in table.match.events
    ]
    assert len(program.answers) == len(arrays)
    last = {array[-1]["type"] for array in arrays}
    assert last <= {*("start_game", "tsumo", "dahai", "chi", "pon", "reach"), "end_kyoku"} | {
        *("end_game", "kakan", "ankan", "reach_accepted")
    }


def test_a_refused_answer_is_told_and_the_question_stays(world) -> None:
    table, _ = world.table(**hands(0))
    program = Program(world, "act, passing in silence", "act", 0, lambda decides: 1000.0)
    program.connect(table=table.id)
    seat = table.seats[program.seat]
    world.clock.run_until(lambda: table.question_of(seat) is not None)
    question = table.question_of(seat)
    program.session.receive('{"type":"ankan","consumed":["E","E","E","E"]}')
    assert program.errors[-1]["code"] == "illegal"
    assert "it may: " in program.errors[-1]["message"]
    assert table.question_of(seat) is question
    program.session.receive(json.dumps(question.menu[0].to_mjai(seat.index, question.target)))
    assert table.question_of(seat) is not question


def test_a_late_action_is_told_and_changes_nothing(world) -> None:
    table, _ = world.table(**hands(0))
    program = Program(world, "act, passing with none", "act", 0, lambda decides: 100.0)
    program.connect(table=table.id)
    world.clock.run_until(lambda: program.errors != [])
    assert program.errors[0]["code"] == "stale"
    assert program.errors[0]["message"].startswith("too late: ")
    assert program.taken == 0


def test_lines_that_are_no_messages_are_not_answers(world, by_clock) -> None:
    table, _ = world.table(**hands(1))
    program = Program(world, "line", "line", 1, lambda decides: 0.5).connect(table=table.id)
    say = program.session.receive
    say('{"type":"join","name":"manue","room":"default"}\n\nloading model\n')
    say("[1, 2]")
    world.finish(table)
    assert [error["code"] for error in program.errors] == ["malformed", "malformed"]
    assert by_clock == []


def test_answers_nobody_can_use_still_count(world, by_clock) -> None:
    # The clock plays for each of them, and the next answer finds its own question.
    table, _ = world.table(**hands(0))
    program = Program(world, "line", "line", 0)
    rng = Random(5)
    said = program._told

    def told(action: Action) -> dict[str, Any]:
        return said(action) if rng.random() < 0.9 else {"type": "dahai", "pai": 10**300}

    program._told = told  # type: ignore[method-assign]
    program.connect(table=table.id)
    world.finish(table)
    assert {error["code"] for error in program.errors} == {"malformed"}
    assert len(by_clock) >= len(program.errors) > 0
    assert program.taken > 10


def test_more_answers_than_messages_do_not_count(world, by_clock) -> None:
    table, _ = world.table(**hands(1))
    program = Program(world, "line", "line", 1, lambda decides: 0.1)
    program.connect(table=table.id)
    world.clock.run_until(lambda: len(program.answers) == program.lines)
    for _ in range(5):
        program.session.receive('{"type":"none"}')
    world.finish(table)
    assert by_clock == []


def test_a_flood_is_cut_off(world) -> None:
    table, _ = world.table(**hands(1))
    program = Program(world, "line", "line", 0, lambda decides: 1000.0).connect(table=table.id)
    for _ in range(2000):
        program.session.receive("x" * 1000)
    assert program.line.closed is not None
    assert program.line.closed[0] == 1008
    assert len(program.errors) <= 60


def test_bytes_are_no_mjai(world) -> None:
    table, _ = world.table(**hands(1))
    program = Program(world, "line", "line", 0, lambda decides: 1.0).connect(table=table.id)
    program.session.receive(b'{"type":"none"}')
    assert program.errors[-1]["code"] == "malformed"


# ---------------------------------------------------------------------- where it sits


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("style=loud", "invalid"),
        ("seat=4", "invalid"),
        ("seat=x", "invalid"),
        ("name=", "invalid"),
        ("table=0000", "not_found"),
        ("code=wrong", "not_found"),
        ("token=wrong", "bad_token"),
        ("pass_after=-1", "invalid"),
        ("pass_after=99999999999999999999", "invalid"),
        ("games=x", "invalid"),
        ("games=0", "invalid"),
        ("games=1000001", "invalid"),
    ],
)
def test_an_impossible_wish_closes_with_its_reason(world, query, code) -> None:
    world.table(seats=["open"] * 4)
    line = FakeLine()
    asked = dict(parse_qsl(query, keep_blank_values=True))
    MjaiSession(line, asked, world.lobby, world.clock, world.metrics).open()
    world.clock.settle()
    assert json.loads(line.frames[-1])["code"] == code
    assert line.closed == (1008, code)


def test_more_read_than_happened_is_refused(world) -> None:
    table, _ = world.table(**hands(0))
    program = Program(world, "line", "line").connect(table=table.id)
    program.drop()
    program.lines = len(table.match.events) + 1
    program.connect()
    assert program.errors[-1]["code"] == "invalid"


def test_without_a_table_it_takes_a_free_public_seat(world) -> None:
    private, _ = world.table(seats=["open"] * 4, private=True)
    public, _ = world.table(seats=["bot:greedy", "open", "open", "open"])
    program = Program(world, "line", "line").connect()
    assert (program.table, program.seat) == (public.id, 1)
    assert private.seats[0].kind == "open"


def test_without_a_free_seat_it_plays_house_bots(world, by_clock) -> None:
    program = Program(world, "line", "line").connect()
    world.finish(live(world, program))
    assert [seat.kind for seat in live(world, program).seats] == ["bot", "house", "house", "house"]
    assert by_clock == []


@pytest.mark.parametrize("seat", range(4))
def test_the_seat_that_is_asked_for_is_the_free_one_of_a_new_table(world, by_clock, seat) -> None:
    program = Program(world, "line", "line").connect(seat=seat)
    assert program.seat == seat
    world.finish(live(world, program))
    assert by_clock == []


def test_a_free_seat_elsewhere_is_not_the_one_that_is_asked_for(world) -> None:
    table, _ = world.table(seats=["open", "open", "bot:tsumogiri", "bot:tsumogiri"])
    there = Program(world, "line", "line").connect(seat=1)
    assert (there.table, there.seat) == (table.id, 1)
    elsewhere = Program(world, "line", "line").connect(seat=1)
    assert elsewhere.table != table.id
    assert elsewhere.seat == 1


@pytest.mark.parametrize("query", ["seat=4", "name=%00", "name=", "style=loud"])
def test_a_wish_that_cannot_be_leaves_no_table_behind(world, query) -> None:
    line = FakeLine()
    asked = dict(parse_qsl(query, keep_blank_values=True))
    MjaiSession(line, asked, world.lobby, world.clock, world.metrics).open()
    world.clock.settle()
    assert line.closed == (1008, "invalid")
    assert world.lobby.tables == {}
    assert world.journal.tables == {}


@pytest.mark.parametrize("commits", range(7))
def test_a_program_that_leaves_at_once_leaves_no_table_behind(world, commits) -> None:
    world.journal.hold = True
    session = MjaiSession(FakeLine(), {}, world.lobby, world.clock, world.metrics)
    session.open()
    for _ in range(commits):
        world.journal.commit(1)
        world.clock.settle()
    session.closed()
    world.journal.hold = False
    for _ in range(5):
        world.journal.commit()
        world.clock.settle()
    assert world.lobby.tables == {}
    assert world.journal.tables == {}


def test_two_programs_that_come_at_once_both_play(world) -> None:
    world.journal.hold = True
    first = Program(world, "line", "line").connect()
    second = Program(world, "line", "line").connect()
    world.journal.hold = False
    world.journal.commit()
    world.clock.settle()
    assert {first.seat, second.seat} == {0}
    assert first.table != second.table
    world.finish(live(world, first))
    world.finish(live(world, second))


def test_a_program_that_leaves_while_it_is_seated_blocks_no_seat(world) -> None:
    table, _ = world.table(seats=["open", "bot:greedy", "bot:greedy", "bot:greedy"])
    world.journal.hold = True
    program = Program(world, "line", "line").connect(table=table.id)
    program.drop()
    world.journal.hold = False
    world.journal.commit()
    world.clock.advance(60)
    assert table.seats[0].kind == "open"


def test_several_games_at_one_table(world, by_clock) -> None:
    table, _ = world.table(**hands(0))
    program = Program(world, "line", "line", 3).connect(table=table.id, games=3)
    world.clock.run_until(lambda: len(world.journal.games) == 3)
    world.clock.advance(100)
    assert program.starts == 3
    assert by_clock == []
    assert len(world.journal.games) == 3
    assert program.line.closed == (1000, "finished")


@pytest.mark.parametrize("style", ["line", "batch"])
def test_after_the_last_game_is_kept_the_connection_is_closed(world, style) -> None:
    table, _ = world.table(**hands(0))
    program = Program(world, style, style, 0, lambda decides: 1.0).connect(table=table.id)
    assert program.line.closed is None
    world.clock.run_until(lambda: program.line.closed is not None)
    assert program.line.closed == (1000, "finished")
    assert program.events == len(table.match.events)
    assert table.id in world.journal.games


def test_an_answer_to_the_end_changes_nothing(world) -> None:
    table, _ = world.table(**hands(0))
    program = Program(world, "line", "line").connect(table=table.id)
    world.finish(table)
    world.clock.advance(100)
    told = list(program.line.frames)
    refused = world.metrics.text()
    for frame in ('{"type":"none"}', "garbage", b"bytes"):
        program.session.receive(frame)
    assert program.line.frames == told
    assert world.metrics.text() == refused
    assert program.line.closed == (1000, "finished")


def test_who_comes_back_after_the_end_is_told_the_rest_and_let_go(world) -> None:
    table, _ = world.table(**hands(0))
    program = Program(world, "line", "line").connect(table=table.id)
    world.clock.run_until(lambda: program.lines > 20)
    program.drop()
    world.finish(table)
    world.clock.advance(100)
    program.connect()
    world.clock.advance(100)
    assert program.events == len(table.match.events)
    assert program.line.closed == (1000, "finished")


def test_a_stopping_server_tells_and_lets_go(world) -> None:
    table, _ = world.table(**hands(0))
    program = Program(world, "line", "line", 0, lambda decides: 1.0).connect(table=table.id)
    world.lobby.close()
    assert program.errors[-1]["code"] == "going_down"
    assert program.line.closed == (1001, "going_down")


def test_a_program_that_does_not_read_is_dropped(world) -> None:
    table, _ = world.table(**hands(0))
    program = Program(world, "line", "line", 0, lambda decides: 1000.0).connect(table=table.id)
    program.line.unread = 10**9
    world.clock.run_until(lambda: program.line.dropped)
