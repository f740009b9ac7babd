"""Events and their mjai messages: what is written is read back, anything else is refused."""

from __future__ import annotations

import math
from typing import Any

import pytest
import record_kit as kit

from jantaku_engine import events as ev
from jantaku_engine.events import Event, EventError
from jantaku_engine.mjai import event_from_mjai
from jantaku_engine.rules import Ruleset

START = ev.StartKyoku(0, 1, 0, 0, 0, 5, (25_000,) * 4, (tuple(range(13)),) * 4)
HORA = ev.Hora(
    1, 0, 35, (1, 1), (4,), (("riichi", 1), ("tanyao", 1)), 0, 1, 1, 30, 4, 0, "none", 7700, -1,
    (-7700, 7700, 0, 0), (17_300, 32_700, 25_000, 25_000),
)  # fmt: skip
ONE_OF_EACH: tuple[Event, ...] = (
    ev.StartGame(("A", "B", "C", "D"), {"length": "tonpuu"}),
    START,
    ev.StartKyoku(3, 4, 3, 9, 2, 36, (0, -100, 1, 2), (tuple(range(13)),) * 4, 8, 7, "0f" * 32),
    ev.Tsumo(2, 34),
    ev.Dahai(2, 34, True),
    ev.Naki(ev.CHI, 3, 2, 34, (3, 5)),
    ev.Naki(ev.PON, 0, 3, 27, (27, 27)),
    ev.Naki(ev.DAIMINKAN, 0, 1, 13, (13, 13, 35)),
    ev.Kakan(1, 36, (22, 22, 22)),
    ev.Ankan(1, (4, 4, 4, 34)),
    ev.Dora(33),
    ev.Reach(3),
    ev.Reach(3, True),
    ev.ReachAccepted(3, (25_000, 25_000, 25_000, 24_000)),
    ev.ReachAccepted(3, (25_000, 25_000, 25_000, 24_000), tuple(range(13))),
    HORA,
    ev.Ryukyoku(
        ev.NAGASHI_MANGAN, ((37,) * 13, (37,) * 10, tuple(range(13)), (37,) * 4),
        (False, False, True, False), (-2000, -2000, 8000, -4000), (23_000, 23_000, 33_000, 21_000),
        (2,),
    ),
    ev.EndKyoku(),
    ev.EndKyoku("ab" * 32),
    ev.EndGame((25_000,) * 4, (1, 2, 3, 4), (40.0, 5.5, -15, -30.5)),
)  # fmt: skip


@pytest.mark.parametrize("event", ONE_OF_EACH, ids=lambda event: ev.EVENT_NAMES[event.type])
def test_an_event_is_read_back_from_its_message(event: Event) -> None:
    again = event_from_mjai(event.to_mjai())
    assert type(again) is type(event)
    assert again == event


def test_every_type_of_event_is_tried_here() -> None:
    assert {event.type for event in ONE_OF_EACH} == set(range(len(ev.EVENT_NAMES)))


def test_all_events_of_games_are_read_back_open_and_masked() -> None:
    for seed in range(3):
        for event in kit.play(Ruleset(length="tonpuu"), seed).events:
            for seen in (event, *(event.seen_by(seat) for seat in (-1, 0, 3))):
                assert event_from_mjai(seen.to_mjai()) == seen, seed


def test_fields_of_later_versions_are_ignored() -> None:
    message = {**ev.Tsumo(1, 2).to_mjai(), "clock": 7, "meta": {"shanten": 1}}
    assert event_from_mjai(message) == ev.Tsumo(1, 2)


def changed(event: Event, **fields: Any) -> dict[str, Any]:
    return {**event.to_mjai(), **fields}


TSUMO = ev.Tsumo(1, 2)
DAHAI = ev.Dahai(1, 2, False)
CHI = ev.Naki(ev.CHI, 3, 2, 34, (3, 5))
PON = ev.Naki(ev.PON, 0, 3, 27, (27, 27))
ACCEPTED = ev.ReachAccepted(3, (25_000, 25_000, 25_000, 24_000))
DRAW = next(event for event in ONE_OF_EACH if isinstance(event, ev.Ryukyoku))
END = ONE_OF_EACH[-1]


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ([], "is an object"),
        ({}, "type: None is no event"),
        ({"type": "nukidora"}, "'nukidora' is no event"),
        ({"type": ["tsumo"]}, "is no event"),
        ({"type": "tsumo", "pai": "1m"}, "tsumo: field actor is missing"),
        (changed(TSUMO, actor=4), "field actor: must be a whole number 0..3, not 4"),
        (changed(TSUMO, actor=True), "field actor"),
        (changed(TSUMO, actor=1.0), "field actor"),
        (changed(TSUMO, actor="1"), "field actor"),
        (changed(TSUMO, pai="0m"), "field pai: '0m' is no tile"),
        (changed(TSUMO, pai=["1m"]), "field pai"),
        (changed(TSUMO, pai=None), "field pai"),
        (changed(DAHAI, pai="?"), "field pai: everybody sees this tile"),
        (changed(DAHAI, tsumogiri=0), "field tsumogiri: must be true or false"),
        (changed(CHI, consumed=["4m"]), "field consumed: must be a list of 2"),
        (changed(CHI, consumed="4m6m"), "field consumed: must be a list of 2"),
        (changed(CHI, consumed=["4m", "?"]), "field consumed: everybody sees"),
        (changed(CHI, consumed=["4m", "7m"]), "make no such set"),
        (changed(CHI, target=1), "seat 3 cannot take this tile from seat 1"),
        (changed(PON, target=0), "seat 0 cannot take this tile from seat 0"),
        (changed(PON, consumed=["E", "S"]), "make no such set"),
        (changed(ev.Kakan(1, 36, (22, 22, 22)), consumed=["5s", "5s", "6s"]), "no such set"),
        (changed(ev.Ankan(1, (4, 4, 4, 34)), consumed=["5m", "5m", "5m"]), "must be a list of 4"),
        (changed(ev.Dora(33), dora_marker="?"), "field dora_marker"),
        (changed(ev.Reach(3), open=1), "field open"),
        (changed(ACCEPTED, deltas=[0, 0, -1000, 0]), "field deltas: a deposit is"),
        (changed(ACCEPTED, scores=[0, 0, 0]), "field scores: must be a list of 4"),
        (changed(ACCEPTED, scores=[0, 0, 0, 0.5]), "field scores"),
        (changed(ACCEPTED, scores=[0, 0, 0, 10**12]), "field scores"),
        (changed(START, bakaze="P"), "field bakaze: must be one of E, S, W, N"),
        (changed(START, kyoku=0), "field kyoku"),
        (changed(START, honba=-1), "field honba"),
        (changed(START, tehais=[["1m"] * 12] * 4), r"field tehais\[0\]: must be a list of 13"),
        (changed(START, tehais=[["1m"] * 13] * 3), "field tehais: must be a list of 4"),
        (changed(START, streak=3), "field streak"),
        (changed(START, streak={"kept": 1}), "field wins is missing"),
        (changed(START, wall_hash="AB" * 32), "field wall_hash: must be 64 hex digits"),
        (changed(ev.EndKyoku(), wall_key="ab"), "field wall_key: must be 64 hex digits"),
        (changed(HORA, yakus=[["riichi"]]), "field yakus: must be a list of 2"),
        (changed(HORA, yakus=[["riichi", 1], ["riichi", 1]]), "stands there twice"),
        (changed(HORA, yakus=[["riichi", math.nan]]), "field yakus: must be a number"),
        (changed(HORA, yakuman=math.inf), "field yakuman"),
        (changed(HORA, limit="big"), "field limit: must be one of none"),
        (changed(HORA, pao=4), "field pao"),
        (changed(HORA, fu="30"), "field fu"),
        (changed(HORA, uradora_markers=["1m"]), "field uradora_markers"),
        (changed(HORA, hora_tehais=["?"] * 13), "field hora_tehais"),
        (changed(DRAW, reason="rain"), "field reason: must be one of exhaustive"),
        (changed(DRAW, reason=["exhaustive"]), "field reason"),
        (changed(DRAW, tenpais=[0, 0, 1, 0]), "field tenpais"),
        (changed(DRAW, nagashi=[2, 2]), "field nagashi"),
        (changed(END, ranks=[1, 2, 3, 5]), "field ranks"),
        (changed(END, points=[1, 2, 3, "4"]), "field points"),
        (changed(ONE_OF_EACH[0], names=["A", "B", "C"]), "field names: must be a list of 4"),
        (changed(ONE_OF_EACH[0], names=["A", "B", "C", 4]), "field names: must be a text"),
        (changed(ONE_OF_EACH[0], rules=["tenhou"]), "field rules"),
        (changed(TSUMO, actor=10**5000), "field actor: .* too large to print"),
    ],
)
def test_a_wrong_field_is_refused_by_its_name(message: Any, why: str) -> None:
    with pytest.raises(EventError, match=why):
        event_from_mjai(message)


@pytest.mark.parametrize("event", ONE_OF_EACH, ids=lambda event: ev.EVENT_NAMES[event.type])
def test_no_field_may_be_of_another_type(event: Event) -> None:
    optional = {"streak", "wall_hash", "wall_key", "pao", "nagashi", "open", "tehai"}
    ignored = {"kyoku_first", "aka_flag", "rules"}
    for name in event.to_mjai().keys() - ignored:
        for wrong in (None, {"a": 1}, -1.5, "~"):
            with pytest.raises(EventError):
                event_from_mjai(changed(event, **{name: wrong}))
        without = {key: value for key, value in event.to_mjai().items() if key != name}
        if name not in optional | {"deltas", "uradora_markers"}:
            with pytest.raises(EventError):
                event_from_mjai(without)
