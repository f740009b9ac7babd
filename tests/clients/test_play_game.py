"""The player's side of a game: the numbered menu, the keys, the clock, and what is told."""

from __future__ import annotations

from typing import Any

import pytest

from jantaku_clients.terminal.choices import Question, choice_words, question_lines
from jantaku_clients.terminal.game import Game
from jantaku_clients.terminal.tiles import Look
from jantaku_engine import actions as act
from jantaku_engine import events as ev
from jantaku_engine.actions import Action
from jantaku_engine.events import Event
from jantaku_engine.rules import Ruleset
from jantaku_engine.tiles import parse_mpsz
from jantaku_engine.view import SeatView
from jantaku_engine.wall import commitment

LOOK = Look(styles=False, unicode=True, width=80)
NAMES = ("Aoi", "Beni", "Chika", "Daigo")
HIDDEN = (37,) * 13


def tiles(text: str) -> tuple[int, ...]:
    return tuple(parse_mpsz(text))


def tile(text: str) -> int:
    return tiles(text)[0]


def start(hand: str, wall_hash: str = "") -> ev.StartKyoku:
    hands = (tiles(hand), HIDDEN, HIDDEN, HIDDEN)
    return ev.StartKyoku(0, 1, 0, 0, 0, tile("3s"), (25_000,) * 4, hands, wall_hash=wall_hash)


def question(hand: str, *events: Event, time_ms: int = 8_000, bank_ms: int = 30_000) -> Question:
    """What seat 0 is asked after these events."""
    view = SeatView(0, Ruleset())
    for event in (start(hand), *events):
        view.apply(event)
    return Question(7, view.menu(), view.table, 0, time_ms, bank_ms)


def draw(text: str) -> ev.Tsumo:
    return ev.Tsumo(0, tile(text))


def from_left(text: str) -> tuple[Event, ...]:
    """Seat 3 discards a tile."""
    return (
        *(draw("9s"), ev.Dahai(0, tile("9s"), True)),
        *(ev.Tsumo(3, 37), ev.Dahai(3, tile(text), False)),
    )


def numbers(asked: Question) -> dict[int, str]:
    return {choice.number: str(choice.action) for choice in asked.choices}


# ---------------------------------------------------------------------- the menu


def test_discards_are_numbered_as_the_hand_lies_and_the_drawn_tile_is_last() -> None:
    asked = question("147m258p369s1234z", draw("5z"))
    assert numbers(asked)[1] == "dahai 1m"
    assert numbers(asked)[13] == "dahai N"
    assert numbers(asked)[14] == "dahai P tsumogiri"
    assert len(asked.choices) == 14


def test_equal_tiles_of_the_hand_are_the_same_discard_under_each_number() -> None:
    asked = question("11m47m258p369s123z", draw("1m"))
    assert numbers(asked)[1] == numbers(asked)[2] == "dahai 1m"
    assert numbers(asked)[14] == "dahai 1m tsumogiri"


def test_every_action_of_the_menu_has_a_number() -> None:
    for asked in (
        question("1111m44p234567s22z", draw("2z")),
        question("23m456p789s11122z", draw("1m")),
        question("23467m11p567s222z", *from_left("5m")),
    ):
        assert {choice.place for choice in asked.choices} == set(range(len(asked.menu)))
        assert len({choice.number for choice in asked.choices}) == len(asked.choices)


def test_other_actions_follow_the_hand_with_their_keys() -> None:
    asked = question("23467m11p567s222z", *from_left("5m"))
    others = [(choice.key, str(choice.action)) for choice in asked.choices]
    assert others == [
        ("c", "chi 5m 3m 4m"),
        ("c", "chi 5m 4m 6m"),
        ("c", "chi 5m 6m 7m"),
        ("x", "none"),
    ]
    assert [choice.number for choice in asked.choices] == [14, 15, 16, 17]


def test_the_default_is_to_win_else_the_drawn_tile_else_to_pass() -> None:
    win = question("23m456p789s11122z", draw("1m"))
    assert win.choices[win.selected].action is act.WIN
    plain = question("147m258p369s1234z", draw("5z"))
    assert plain.choices[plain.selected].action == act.TSUMOGIRI[tile("5z")]
    claim = question("23467m11p567s222z", *from_left("5m"))
    assert claim.choices[claim.selected].action is act.PASS


def test_after_a_call_nothing_drawn_is_there_and_kuikae_has_no_number() -> None:
    call = ev.Naki(ev.CHI, 0, 3, tile("5m"), tiles("34m"))
    asked = question("23467m11p567s222z", *from_left("5m"), call)
    assert not asked.drawn
    assert "dahai 2m" not in numbers(asked).values()
    assert 1 not in numbers(asked)
    assert asked.choices[asked.selected].key == ""


# ---------------------------------------------------------------------- keys


def test_a_key_that_is_unique_chooses() -> None:
    asked = question("23m456p789s11122z", draw("1m"))
    chosen = asked.press("w")
    assert chosen is not None
    assert chosen.action is act.WIN
    assert asked.press("p") is None


def test_a_key_of_several_goes_from_one_to_the_next() -> None:
    asked = question("23467m11p567s222z", *from_left("5m"))
    selected = []
    for _ in range(4):
        assert asked.press("c") is None
        selected.append(str(asked.choices[asked.selected].action))
    assert selected[0] == selected[3] == "chi 5m 3m 4m"
    assert len(set(selected)) == 3


def test_arrows_go_round() -> None:
    asked = question("147m258p369s1234z", draw("5z"))
    asked.move(1)
    assert asked.choices[asked.selected].number == 1
    asked.move(-1)
    assert asked.choices[asked.selected].number == 14


# ---------------------------------------------------------------------- the clock


@pytest.mark.parametrize(
    ("elapsed", "left"),
    [(0, (8_000, 30_000)), (5_000, (3_000, 30_000)), (8_000, (0, 30_000)),
     (12_500, (0, 25_500)), (38_000, (0, 0)), (90_000, (0, 0))],
)  # fmt: skip
def test_the_bank_runs_when_the_free_time_is_used_up(elapsed: int, left: tuple[int, int]) -> None:
    assert question("147m258p369s1234z", draw("5z")).left(elapsed) == left


# ---------------------------------------------------------------------- how it looks


def test_the_selected_entry_stands_in_brackets_under_its_number() -> None:
    asked = question("147m258p369s1234z", draw("5z"))
    above, below = (line.plain for line in question_lines(asked, LOOK))
    assert below.endswith("[白]")
    assert above.rstrip().endswith("14")
    asked.move(1)
    assert question_lines(asked, LOOK)[1].plain.startswith(" [1m]")


def test_other_entries_say_what_they_do() -> None:
    def words(asked: Question) -> list[str]:
        return [choice_words(c, asked, LOOK).plain for c in asked.choices if c.key]

    assert "tsumo" in words(question("23m456p789s11122z", draw("1m")))
    assert "chi 5m with 34m" in words(question("23467m11p567s222z", *from_left("5m")))
    assert "kan 1111m" in words(question("1111m44p234567s22z", draw("7z")))
    assert "riichi" in words(question("23m456p789s11122z", draw("9p")))
    line = question_lines(question("23467m11p567s222z", *from_left("5m")), LOOK)[-1].plain
    assert "14 chi 5m with 34m (c)" in line
    assert "[17 pass (x)]" in line


# ---------------------------------------------------------------------- the game


def started(*events: Event, hand: str = "147m258p369s1234z") -> Game:
    game = Game(seat=0)
    first = ev.StartGame(NAMES, Ruleset(length="tonpuu").to_dict())
    for event in (first, start(hand), *events):
        tell(game, event)
    return game


def tell(game: Game, event: Event) -> None:
    game.take({"type": "event", "seq": 0, "event": event.to_mjai()}, 0.0)


def request(game: Game, *menu: Action, now: float = 100.0, id: int = 3) -> None:
    game.take(
        {
            "type": "request",
            "id": id,
            "menu": [action.to_mjai(0) for action in menu],
            "time_ms": 5_000,
            "bank_ms": 20_000,
        },
        now,
    )


def shown(game: Game) -> str:
    return "\n".join(line.plain for line in game.lines(LOOK))


def test_before_the_game_the_seats_are_told() -> None:
    game = Game(seat=1)
    info: dict[str, Any] = {"type": "table", "length": "tonpuu", "preset": "standard", "seats": []}
    for seat, (kind, name) in enumerate((("house", "greedy 1"), ("person", "Aoi"), ("open", ""))):
        info["seats"].append({"seat": seat, "kind": kind, "name": name})
    game.take(info, 0.0)
    assert "seat 1: Aoi  <- you" in shown(game)
    assert "seat 2: free" in shown(game)


def test_a_request_opens_a_question_and_the_next_event_closes_it() -> None:
    game = started(draw("5z"))
    request(game, *act.DISCARDS[:1], act.TSUMOGIRI[tile("5z")])
    assert game.question is not None
    assert game.clock_text(102.0).plain == "your turn  3 s + 20 s bank"
    assert game.clock_text(110.0).plain == "your turn  0 s + 15 s bank"
    tell(game, ev.Dahai(0, tile("5z"), True))
    assert game.question is None
    assert game.clock_text(110.0).plain == ""


def test_the_same_question_asked_again_keeps_what_was_selected() -> None:
    game = started(draw("5z"))
    menu = (act.DISCARDS[0], act.TSUMOGIRI[tile("5z")])
    request(game, *menu)
    assert game.question is not None
    game.question.move(1)
    request(game, *menu, now=120.0)
    assert game.question.selected == 0
    assert game.asked_at == 120.0


def test_a_refused_answer_is_told_and_a_late_one_closes_the_question() -> None:
    game = started(draw("5z"))
    request(game, act.TSUMOGIRI[tile("5z")])
    game.take({"type": "rejected", "id": 3, "code": "illegal", "message": "no such"}, 0.0)
    assert game.question is not None
    assert "no such" in game.problem
    game.take({"type": "rejected", "id": 3, "code": "stale", "message": "too late"}, 0.0)
    assert game.question is None


def test_an_accepted_answer_closes_the_question() -> None:
    game = started(draw("5z"))
    request(game, act.TSUMOGIRI[tile("5z")])
    game.take({"type": "accepted", "id": 3}, 0.0)
    assert game.question is None


def test_a_result_stands_under_the_table_until_the_next_deal() -> None:
    game = started(
        draw("5z"),
        ev.Ryukyoku(ev.EXHAUSTIVE, (HIDDEN,) * 4, (False,) * 4, (0,) * 4, (25_000,) * 4),
        ev.EndKyoku(),
    )
    assert "draw: the wall is empty" in shown(game)
    tell(game, start("147m258p369s1234z"))
    assert "the wall is empty" not in shown(game)


def test_the_end_has_places_and_the_record() -> None:
    game = started(draw("5z"), ev.EndKyoku())
    end = ev.EndGame((40_000, 20_000, 30_000, 10_000), (1, 3, 2, 4), (50.0, -20.0, 10.0, -40.0))
    tell(game, end)
    game.take({"type": "finished", "table": "t", "replay": "t.mjson.gz"}, 0.0)
    assert "1st Aoi" in shown(game)
    assert "t.mjson.gz" in shown(game)


def test_a_broken_promise_about_the_wall_is_told() -> None:
    kept, other = bytes(32), bytes([1] * 32)
    for key, broken in ((kept, False), (other, True)):
        game = Game(seat=0)
        first = ev.StartGame(NAMES, Ruleset().to_dict())
        for event in (first, start("147m258p369s1234z", commitment(kept)), ev.EndKyoku(key.hex())):
            tell(game, event)
        assert ("NOT THE PROMISED ONE" in shown(game)) is broken
        # The warning stays when the next hand is dealt.
        tell(game, start("147m258p369s1234z"))
        assert ("NOT THE PROMISED ONE" in shown(game)) is broken


def test_what_others_do_beside_the_game_is_told() -> None:
    game = started(draw("5z"))
    game.take({"type": "presence", "seat": 2, "online": False, "stand_in": True}, 0.0)
    game.take({"type": "chat", "seat": 1, "phrase": "nice_hand"}, 0.0)
    assert "Chika is away, a house bot plays" in shown(game)
    assert "Beni: Nice hand!" in shown(game)


def test_events_without_a_beginning_are_refused() -> None:
    with pytest.raises(ValueError, match="come back by the token"):
        tell(Game(seat=0), draw("5z"))
