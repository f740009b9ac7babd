"""What an mjai answer means, and which question it belongs to."""

from __future__ import annotations

from typing import Any

import pytest

from jantaku_engine import events as ev
from jantaku_engine.actions import parse_action
from jantaku_engine.tiles import parse_mjai
from jantaku_server.audience import Question
from jantaku_server.mjai_dialect import Dialect, read_answer

SEAT = 1

DRAWN = "dahai 3m/dahai 5m/dahai 5mr/dahai E/dahai 3m tsumogiri"
TSUMO = f"hora/{DRAWN}/reach/ankan 9s 9s 9s 9s/kakan P P P P/ryukyoku"
CALLED = "dahai 3m/dahai 5m/dahai E"
CLAIM = "hora/pon 5m 5m 5m/pon 5m 5m 5mr/chi 5m 3m 4m/chi 5m 4m 6m/none"


def question(menu: str, target: int = SEAT, number: int = 10) -> Question:
    actions = tuple(parse_action(text) for text in menu.split("/"))
    return Question(number, SEAT, target, actions, 5000, 0, 0.0)


def read(menu: str, asked_of: int, answer: dict[str, Any]) -> str | None:
    action = read_answer(answer, question(menu, asked_of))
    return None if action is None else str(action)


# ---------------------------------------------------------------------- what an answer means


@pytest.mark.parametrize(
    ("answer", "means"),
    [
        ({"pai": "E", "tsumogiri": False}, "dahai E"),
        ({"pai": "E", "actor": 1}, "dahai E"),
        ({"pai": "5mr"}, "dahai 5mr"),
        ({"pai": "3m"}, "dahai 3m tsumogiri"),
        ({"pai": "3m", "tsumogiri": True}, "dahai 3m tsumogiri"),
        ({"pai": "3m", "tsumogiri": False}, "dahai 3m"),
        ({"pai": "E", "tsumogiri": True}, "dahai E"),
        ({"pai": "3m", "tsumogiri": None, "actor": None}, "dahai 3m tsumogiri"),
        ({"pai": "2m"}, None),
        ({"pai": "E", "actor": 2}, None),
        ({"tsumogiri": True}, None),
        ({"pai": ["E"]}, None),
        ({"pai": 7}, None),
    ],
)
def test_a_discard(answer: dict[str, Any], means: str | None) -> None:
    assert read(DRAWN, SEAT, {"type": "dahai", **answer}) == means


@pytest.mark.parametrize(
    ("answer", "means"),
    [
        ({"type": "reach"}, "reach"),
        ({"type": "reach", "actor": 1}, "reach"),
        ({"type": "hora"}, "hora"),
        ({"type": "hora", "actor": 1, "target": 1, "pai": "3m"}, "hora"),
        ({"type": "hora", "target": 0}, None),
        ({"type": "ankan"}, "ankan 9s 9s 9s 9s"),
        ({"type": "ankan", "consumed": ["9s"] * 4}, "ankan 9s 9s 9s 9s"),
        ({"type": "ankan", "consumed": ["8s"] * 4}, None),
        ({"type": "ankan", "pai": "9s"}, "ankan 9s 9s 9s 9s"),
        ({"type": "kakan", "pai": "P", "consumed": ["P", "P", "P"]}, "kakan P P P P"),
        ({"type": "kakan", "pai": "P"}, "kakan P P P P"),
        ({"type": "kakan", "pai": "F"}, None),
        ({"type": "ryukyoku", "reason": "kyushukyuhai"}, "ryukyoku"),
        ({"type": "none"}, None),
        ({"type": "pon", "pai": "5m"}, None),
        ({"type": "nonsense"}, None),
        ({}, None),
    ],
)
def test_an_own_turn(answer: dict[str, Any], means: str | None) -> None:
    assert read(TSUMO, SEAT, answer) == means


def test_open_riichi_only_when_it_says_so() -> None:
    assert read("reach/reach open", SEAT, {"type": "reach"}) == "reach"
    assert read("reach/reach open", SEAT, {"type": "reach", "open": True}) == "reach open"


@pytest.mark.parametrize(
    ("answer", "means"),
    [
        ({"type": "none"}, "none"),
        ({"type": "none", "actor": 1, "target": 3, "meta": {}}, "none"),
        ({"type": "hora", "actor": 1, "target": 0, "pai": "5m"}, "hora"),
        ({"type": "hora"}, "hora"),
        ({"type": "pon"}, "pon 5m 5m 5m"),
        ({"type": "pon", "pai": "5m", "consumed": ["5mr", "5m"]}, "pon 5m 5m 5mr"),
        ({"type": "pon", "pai": "5m", "target": 0}, "pon 5m 5m 5m"),
        ({"type": "pon", "pai": "5m", "target": 2}, None),
        ({"type": "pon", "pai": "4m"}, None),
        ({"type": "pon", "consumed": ["5m", "5p"]}, None),
        ({"type": "chi", "pai": "5m", "consumed": ["6m", "4m"]}, "chi 5m 4m 6m"),
        ({"type": "chi", "consumed": []}, None),
        ({"type": "daiminkan", "pai": "5m"}, None),
        ({"type": "dahai", "pai": "5m"}, None),
    ],
)
def test_a_claim(answer: dict[str, Any], means: str | None) -> None:
    assert read(CLAIM, 0, answer) == means


# ---------------------------------------------------------------------- which question


class Talk:
    """A dialect, and questions with names: the events that come with them are counted."""

    def __init__(self, style: str, sent: int = 0, got: int = 0) -> None:
        self.dialect = Dialect(style, SEAT, sent, got)

    def tell(self, number: int = 1) -> None:
        """So many messages that ask nothing."""
        self.dialect.sent += number

    def ask(self, menu: str, target: int = SEAT) -> Question:
        """A message that asks."""
        self.tell()
        asked = question(menu, target, self.dialect.sent)
        self.dialect.ask(asked)
        return asked

    def hear(self, kind: str = "none", **fields: Any) -> Question | None:
        return self.dialect.answered({"type": kind, **fields})


DAHAI = {"kind": "dahai", "pai": "E"}


def test_by_count_the_third_answer_is_to_the_third_message() -> None:
    talk = Talk("line")
    talk.tell(2)
    asked = talk.ask(TSUMO)
    assert [talk.hear(), talk.hear(), talk.hear(**DAHAI)] == [None, None, asked]


def test_by_count_a_late_none_is_not_the_answer_to_a_later_question() -> None:
    talk = Talk("line")
    talk.tell(2)
    first = talk.ask(CLAIM, 0)  # the clock passes for it
    talk.tell(3)
    second = talk.ask(CLAIM, 2)
    assert [talk.hear() for _ in range(7)] == [None, None, first, None, None, None, second]


def test_by_count_an_answer_too_many_is_nothing() -> None:
    talk = Talk("line")
    talk.tell()
    assert [talk.hear(), talk.hear(), talk.hear()] == [None, None, None]
    asked = talk.ask(TSUMO)
    assert talk.hear(**DAHAI) is asked


def test_by_count_it_goes_on_where_it_was() -> None:
    talk = Talk("line", sent=20, got=18)
    talk.dialect.ask(asked := question(TSUMO, number=20))
    assert [talk.hear(), talk.hear(**DAHAI)] == [None, asked]


def test_by_content_silence_passes_and_the_next_turn_is_found() -> None:
    talk = Talk("act")
    talk.tell(3)
    talk.ask(CLAIM, 0)
    talk.tell(2)
    turn = talk.ask(TSUMO)
    assert talk.hear(**DAHAI) is turn


def test_by_content_a_late_discard_is_for_the_turn_that_it_was_asked_in() -> None:
    talk = Talk("act")
    talk.tell(2)
    first = talk.ask(TSUMO)
    talk.tell(7)
    second = talk.ask(TSUMO)
    assert talk.hear(**DAHAI) is first
    assert talk.hear(**DAHAI) is second


def test_by_content_a_late_none_is_for_the_tile_that_it_was_asked_about() -> None:
    talk = Talk("act")
    talk.tell(2)
    first = talk.ask(CLAIM, 0)
    talk.tell(1)
    second = talk.ask(CLAIM, 2)
    assert [talk.hear(), talk.hear()] == [first, second]


def test_by_content_a_none_says_nothing_about_tiles_after_a_turn_not_yet_played() -> None:
    talk = Talk("act")
    talk.tell(2)
    turn = talk.ask(TSUMO)
    talk.tell(1)
    tile = talk.ask(CLAIM, 2)
    assert talk.hear() is None
    assert [talk.hear(**DAHAI), talk.hear()] == [turn, tile]


def test_by_content_a_claim_is_of_the_tile_it_names() -> None:
    talk = Talk("act")
    talk.tell(2)
    talk.ask("pon 3s 3s 3s/none", 0)
    second = talk.ask(CLAIM, 0)
    assert talk.hear("pon", pai="5m") is second


def test_by_content_no_claim_leaps_over_a_turn_not_yet_played() -> None:
    # Twice the same tile from the same seat; the first claim comes late, and a stray none took
    # its place. It must not be taken for the second.
    talk = Talk("act")
    talk.tell(2)
    first = talk.ask(CLAIM, 0)
    talk.ask(TSUMO)
    talk.tell(6)
    talk.ask(CLAIM, 0)
    assert talk.hear() is first
    assert talk.hear("pon", pai="5m", target=0) is None


def test_by_content_an_illegal_answer_does_not_put_the_next_one_off() -> None:
    talk = Talk("act")
    talk.tell(2)
    first = talk.ask(TSUMO)
    assert talk.hear("dahai", pai="9p") is first  # refused by its menu; the clock plays
    talk.tell(7)
    second = talk.ask(TSUMO)
    assert talk.hear(**DAHAI) is second


def test_by_content_a_better_answer_is_taken_while_there_is_time() -> None:
    talk = Talk("act")
    talk.tell(2)
    first = talk.ask(TSUMO)
    assert talk.hear("dahai", pai="9p") is first
    assert talk.hear(**DAHAI) is first


def test_by_content_an_illegal_claim_is_told_of_the_question_that_is_open() -> None:
    talk = Talk("act")
    talk.tell(2)
    asked = talk.ask(CLAIM, 0)
    assert talk.hear("pon", pai="9p") is asked
    assert talk.hear("pon", pai="5m") is asked


def test_by_content_what_nobody_asked_for_is_nothing() -> None:
    talk = Talk("act")
    talk.tell(5)
    assert talk.hear() is None
    assert talk.hear("pon", pai="5m") is None
    assert talk.hear(**DAHAI) is None


# ---------------------------------------------------------------------- what it missed


def event(kind: str, actor: int, pai: str = "5m") -> ev.Event:
    tile = parse_mjai(pai)
    tiles = (tile,) * 4
    made: dict[str, ev.Event] = {
        "tsumo": ev.Tsumo(actor, tile),
        "dahai": ev.Dahai(actor, tile, False),
        "pon": ev.Naki(ev.PON, actor, (actor + 1) % 4, tile, tiles[:2]),
        "daiminkan": ev.Naki(ev.DAIMINKAN, actor, (actor + 1) % 4, tile, tiles[:3]),
        "kakan": ev.Kakan(actor, tile, tiles[:3]),
        "ankan": ev.Ankan(actor, tiles),
        "reach": ev.Reach(actor),
        "dora": ev.Dora(tile),
    }
    return made[kind]


def returned(*events: ev.Event, read: int) -> Talk:
    """A program comes back that has read some of these events; it sends all answers again."""
    talk = Talk("act", sent=read)
    for number, one in enumerate(events):
        if number >= read:
            talk.tell()
        talk.dialect.missed(one, number)
    return talk


def test_a_turn_that_the_stand_in_played_gets_its_answer() -> None:
    talk = returned(event("tsumo", SEAT), event("dahai", SEAT), event("tsumo", 2), read=0)
    asked = talk.ask(TSUMO)
    assert talk.hear(**DAHAI) is None
    assert talk.hear(**DAHAI) is asked


@pytest.mark.parametrize("kind", ["tsumo", "pon", "reach"])
def test_own_events_after_which_it_must_act(kind: str) -> None:
    talk = returned(event(kind, SEAT), read=1)
    asked = talk.ask(CLAIM, 0)
    assert talk.hear(**DAHAI) is None
    assert talk.hear() is asked


@pytest.mark.parametrize("kind", ["dahai", "ankan", "kakan", "daiminkan", "dora"])
def test_own_events_after_which_it_says_nothing(kind: str) -> None:
    talk = returned(event(kind, SEAT), read=1)
    asked = talk.ask(CLAIM, 0)
    assert talk.hear() is asked


@pytest.mark.parametrize("kind", ["dahai", "kakan", "ankan"])
def test_a_none_may_belong_to_any_tile_of_others_that_it_missed(kind: str) -> None:
    talk = returned(event(kind, 2), read=0)
    asked = talk.ask(CLAIM, 0)
    assert [talk.hear(), talk.hear()] == [None, asked]


@pytest.mark.parametrize(
    ("claim", "is_missed"),
    [
        ({"kind": "pon", "pai": "5m"}, True),
        ({"kind": "pon"}, True),
        ({"kind": "pon", "pai": "5m", "target": 2}, True),
        ({"kind": "hora", "target": 2}, True),
        ({"kind": "pon", "pai": "5m", "target": 0}, False),
        ({"kind": "hora", "target": 0}, False),
    ],
)
def test_a_claim_goes_to_the_missed_tile_if_it_fits(claim: dict[str, Any], is_missed: bool) -> None:
    talk = returned(event("dahai", 2), read=0)
    asked = talk.ask(CLAIM, 0)
    assert talk.hear(**claim) is (None if is_missed else asked)


def test_the_question_still_open_takes_the_place_of_its_event() -> None:
    talk = returned(event("dahai", 0), event("tsumo", SEAT), read=2)
    asked = question(TSUMO, number=2)
    talk.dialect.ask(asked)
    assert talk.hear(**DAHAI) is asked


# ---------------------------------------------------------------------- finding out


def test_auto_knows_who_has_answered_every_message() -> None:
    talk = Talk("auto")
    talk.tell(2)
    asked = talk.ask(CLAIM, 0)
    assert [talk.hear(), talk.hear(), talk.hear()] == [None, None, asked]
    assert talk.dialect.style == "line"


def test_auto_takes_no_answer_to_start_game_for_a_pass() -> None:
    # The program loads its model: everything has happened before it says its first word.
    talk = Talk("auto")
    talk.tell(3)
    asked = talk.ask(CLAIM, 0)
    assert [talk.hear(), talk.hear(), talk.hear()] == [None, None, None]
    assert talk.hear("pon", pai="5m") is asked


def test_auto_knows_who_acts_out_of_turn_by_count() -> None:
    talk = Talk("auto")
    talk.tell(2)
    asked = talk.ask(TSUMO)
    assert talk.hear(**DAHAI) is asked
    assert talk.dialect.style == "act"


def test_auto_trusts_a_none_after_two_turns() -> None:
    talk = Talk("auto")
    talk.tell(2)
    taken = []
    for _ in range(3):
        own = talk.ask(TSUMO)
        assert talk.hear(**DAHAI) is own
        talk.tell(2)
        tile = talk.ask(CLAIM, 2)
        taken.append(talk.hear() is tile)
    assert taken == [False, True, True]


def test_auto_never_trusts_a_none_of_who_says_none_unasked() -> None:
    talk = Talk("auto")
    talk.tell(2)
    for _ in range(5):
        own = talk.ask(TSUMO)
        assert talk.hear(**DAHAI) is own
        talk.tell(2)
        assert talk.hear() is None  # to a discard that it was not asked about
        talk.ask(CLAIM, 2)
        assert talk.hear() is None


def test_auto_forgives_a_none_before_the_first_question() -> None:
    talk = Talk("auto")
    talk.tell()
    assert talk.hear() is None  # to start_game
    talk.tell()
    for _ in range(2):
        own = talk.ask(TSUMO)
        assert talk.hear(**DAHAI) is own
        talk.tell(2)
    tile = talk.ask(CLAIM, 2)
    assert talk.hear() is tile
