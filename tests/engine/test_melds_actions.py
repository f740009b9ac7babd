"""Melds and actions: values with a text form that round-trips (RULES 2.1, 2.5, 2.8)."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jantaku_engine import actions
from jantaku_engine.actions import (
    ACTION_NAMES,
    DISCARDS,
    FOLD,
    KYUUSHU,
    OPEN_RIICHI,
    PASS,
    RIICHI,
    TSUMOGIRI,
    WIN,
    Action,
    ActionError,
    from_mjai,
    meld_type,
    parse_action,
)
from jantaku_engine.melds import (
    ANKAN,
    CHI,
    DAIMINKAN,
    KAKAN,
    MELD_NAMES,
    PON,
    Meld,
    parse_meld,
)
from jantaku_engine.tiles import KIND, TileError, parse_mpsz

RED = {4: 34, 13: 35, 22: 36}


def tiles_of(kind: int, count: int, red: bool) -> tuple[int, ...]:
    """`count` tiles of a kind, one of them red if it can be."""
    if red and kind in RED:
        return (*[kind] * (count - 1), RED[kind])
    return (kind,) * count


@st.composite
def run_tiles(draw: st.DrawFn) -> tuple[int, ...]:
    low = draw(st.sampled_from([k for k in range(27) if k % 9 <= 6]))
    red = draw(st.booleans())
    return tuple(RED.get(k, k) if red else k for k in (low, low + 1, low + 2))


@st.composite
def melds(draw: st.DrawFn) -> Meld:
    type_ = draw(st.integers(CHI, ANKAN))
    if type_ == CHI:
        tiles = draw(run_tiles())
    else:
        count = 4 if type_ >= DAIMINKAN else 3
        tiles = tiles_of(draw(st.integers(0, 33)), count, draw(st.booleans()))
    return Meld(type_, tuple(draw(st.permutations(tiles))))


@st.composite
def any_action(draw: st.DrawFn) -> Action:
    simple = st.sampled_from([PASS, WIN, KYUUSHU, FOLD, RIICHI, OPEN_RIICHI])
    if draw(st.booleans()):
        return draw(simple | st.sampled_from([*DISCARDS, *TSUMOGIRI]))
    meld = draw(melds())
    tiles = tuple(draw(st.permutations(meld.tiles)))
    if meld.type == ANKAN:
        return actions.ankan(tuple(tiles))
    type_ = {CHI: actions.CHI, PON: actions.PON, DAIMINKAN: actions.DAIMINKAN}.get(
        meld.type, actions.KAKAN
    )
    return actions.call(type_, tiles[0], tuple(tiles[1:]))


# --- melds ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "type_", "is_kan", "is_open"),
    [
        ("chi 234p", CHI, False, True),
        ("pon 777z", PON, False, True),
        ("daiminkan 8888s", DAIMINKAN, True, True),
        ("kakan 5550p", KAKAN, True, True),
        ("ankan 9999m", ANKAN, True, False),
    ],
)
def test_kinds_of_meld(text: str, type_: int, is_kan: bool, is_open: bool) -> None:
    meld = parse_meld(text)
    assert (meld.type, meld.is_kan, meld.is_open) == (type_, is_kan, is_open)
    assert str(meld) == text
    assert repr(meld).startswith(f"<Meld {text} ")


@given(melds())
def test_meld_text_round_trips(meld: Meld) -> None:
    again = parse_meld(str(meld))
    assert again == meld
    assert hash(again) == hash(meld)
    assert again.kind == min(KIND[tile] for tile in meld.tiles)


def test_meld_tiles_may_come_in_any_order() -> None:
    assert parse_meld("chi 432p") == parse_meld("chi 234p")
    assert parse_meld("kakan 0555p").tiles == (13, 13, 13, 35)


def test_melds_differ_by_tiles_and_by_where_they_came_from() -> None:
    pon = Meld(PON, (4, 4, 34), called=34, target=2)
    assert pon != Meld(PON, (4, 4, 34), called=4, target=2)
    assert pon != Meld(PON, (4, 4, 34), called=34, target=1)
    assert pon != Meld(PON, (4, 4, 4), called=4, target=2)
    assert pon != Meld(KAKAN, (4, 4, 4, 34), called=34, target=2, added=4)
    assert pon != "pon 550m"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "write one of chi, pon, daiminkan, kakan, ankan"),
        ("chi", "write one of"),
        ("kan 1111m", "write one of"),
        ("chi 234p 5", "write one of"),
        ("chi 23p", "chi has 3 tiles"),
        ("pon 7777z", "pon has 3 tiles"),
        ("ankan 777z", "ankan has 4 tiles"),
        ("chi 235p", "not three consecutive tiles of one suit"),
        ("chi 891m", "not three consecutive tiles of one suit"),
        ("chi 89m1p", "not three consecutive tiles of one suit"),
        ("chi 123z", "not three consecutive tiles of one suit"),
        ("chi 222p", "not three consecutive tiles of one suit"),
        ("pon 777z8z", "is no tile"),
        ("pon 77z1z", "not all of one kind"),
        ("ankan 999m9p", "not all of one kind"),
        ("pon 777", "ends in digits"),
    ],
)
def test_tiles_that_make_no_meld_are_refused(text: str, says: str) -> None:
    with pytest.raises(TileError) as error:
        parse_meld(text)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


@given(st.sampled_from(MELD_NAMES), st.text("0123456789mpsz ", max_size=7))
def test_any_text_is_a_meld_or_a_tile_error(name: str, rest: str) -> None:
    text = f"{name} {rest}"
    try:
        meld = parse_meld(text)
    except TileError:
        return
    assert sorted(meld.tiles) == sorted(parse_mpsz(rest.strip()))


# --- actions --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (PASS, "none"),
        (WIN, "hora"),
        (KYUUSHU, "ryukyoku"),
        (FOLD, "noten"),
        (RIICHI, "reach"),
        (OPEN_RIICHI, "reach open"),
        (DISCARDS[34], "dahai 5mr"),
        (TSUMOGIRI[27], "dahai E tsumogiri"),
        (actions.call(actions.CHI, 2, (34, 3)), "chi 3m 4m 5mr"),
        (actions.call(actions.PON, 4, (34, 4)), "pon 5m 5m 5mr"),
        (actions.call(actions.DAIMINKAN, 33, (33,) * 3), "daiminkan C C C C"),
        (actions.call(actions.KAKAN, 35, (13,) * 3), "kakan 5pr 5p 5p 5p"),
        (actions.ankan((22, 36, 22, 22)), "ankan 5s 5s 5s 5sr"),
    ],
)
def test_actions_have_a_text_form(action: Action, text: str) -> None:
    assert str(action) == text
    assert parse_action(text) is action
    assert repr(action) == f"<Action {text}>"


@given(any_action())
def test_action_text_round_trips_to_the_same_object(action: Action) -> None:
    assert parse_action(str(action)) is action


@given(any_action(), st.integers(0, 3), st.integers(0, 3))
def test_mjai_answer_round_trips(action: Action, seat: int, target: int) -> None:
    message = json.loads(json.dumps(action.to_mjai(seat, target)))
    assert from_mjai(message) is action
    assert message.get("actor", seat) == seat


@given(any_action(), any_action())
def test_actions_are_equal_exactly_when_their_text_is(one: Action, other: Action) -> None:
    same = str(one) == str(other)
    assert (one == other) == same
    assert (one.code == other.code) == same
    assert (hash(one) == hash(other)) == same


def test_an_action_equals_no_text() -> None:
    assert PASS != "none"


def test_mjai_answers_name_actor_and_target_as_bots_do() -> None:
    chi = actions.call(actions.CHI, 2, (3, 34))
    assert chi.to_mjai(1, 0) == {
        "type": "chi",
        "actor": 1,
        "target": 0,
        "pai": "3m",
        "consumed": ["4m", "5mr"],
    }
    assert TSUMOGIRI[0].to_mjai(2) == {
        "type": "dahai",
        "actor": 2,
        "pai": "1m",
        "tsumogiri": True,
    }
    assert WIN.to_mjai(3) == {"type": "hora", "actor": 3, "target": 3}
    assert WIN.to_mjai(3, 1) == {"type": "hora", "actor": 3, "target": 1}
    assert PASS.to_mjai(0) == {"type": "none"}
    assert RIICHI.to_mjai(0) == {"type": "reach", "actor": 0}
    assert OPEN_RIICHI.to_mjai(0) == {"type": "reach", "actor": 0, "open": True}


def test_mjai_fields_that_nobody_needs_are_ignored() -> None:
    assert from_mjai({"type": "none", "actor": 2, "meta": {"q": [1.0]}}) is PASS
    assert from_mjai({"type": "hora", "actor": 0, "target": 1, "pai": "E"}) is WIN


def test_each_call_makes_its_meld() -> None:
    made = [meld_type(type_) for type_ in range(len(ACTION_NAMES))]
    calls = {"chi": CHI, "pon": PON, "daiminkan": DAIMINKAN, "kakan": KAKAN, "ankan": ANKAN}
    assert made == [calls.get(name, -1) for name in ACTION_NAMES]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "an action begins with one of none, dahai"),
        ("tsumo", "an action begins with one of"),
        ("dahai", "wrong number of tiles for dahai"),
        ("dahai 1m 2m", "wrong number of tiles for dahai"),
        ("dahai 1x", "'1x' is no tile"),
        ("dahai ?", "an action needs known tiles"),
        ("dahai 1m open", "'open' is no tile"),
        ("none 1m", "wrong number of tiles for none"),
        ("hora tsumogiri", "'tsumogiri' is no tile"),
        ("chi 3m 4m", "wrong number of tiles for chi"),
        ("chi 3m 4m 6m", "not three consecutive tiles of one suit"),
        ("chi E S W", "not three consecutive tiles of one suit"),
        ("pon 3m 3m 4m", "not all of one kind"),
        ("kakan 3m 3m 3m", "wrong number of tiles for kakan"),
        ("ankan 3m 3m 3m 4m", "not all of one kind"),
        ("ankan 3m 3m 3m", "wrong number of tiles for ankan"),
    ],
)
def test_texts_that_name_no_action_are_refused(text: str, says: str) -> None:
    with pytest.raises(ActionError) as error:
        parse_action(text)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("message", "says"),
    [
        ({}, "unknown type None"),
        ({"type": "tsumo"}, "unknown type 'tsumo'"),
        ({"type": 5}, "unknown type 5"),
        ({"type": "dahai", "tsumogiri": False}, "mjai dahai: field 'pai' is missing"),
        ({"type": "dahai", "pai": "1m"}, "mjai dahai: field 'tsumogiri' is missing"),
        ({"type": "dahai", "pai": "1m", "tsumogiri": 1}, "true or false"),
        ({"type": "dahai", "pai": "zz", "tsumogiri": False}, "mjai dahai: 'zz' is no tile"),
        ({"type": "dahai", "pai": None, "tsumogiri": False}, "None is no tile"),
        ({"type": "dahai", "pai": "?", "tsumogiri": False}, "an action needs known tiles"),
        ({"type": "reach", "open": "yes"}, "true or false"),
        ({"type": "chi", "pai": "3m"}, "mjai chi: field 'consumed' is missing"),
        ({"type": "chi", "pai": "3m", "consumed": "4m5m"}, "consumed must be a list of tiles"),
        ({"type": "chi", "pai": "3m", "consumed": ["4m"]}, "wrong number of tiles for chi"),
        ({"type": "pon", "pai": "3m", "consumed": ["3m", "4m"]}, "not all of one kind"),
        ({"type": "ankan", "consumed": [["3m"], 1, 2, 3]}, "is no tile"),
    ],
)
def test_mjai_messages_that_name_no_action_are_refused(
    message: dict[str, object], says: str
) -> None:
    with pytest.raises(ActionError) as error:
        from_mjai(message)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from(["1m", "5mr", "E", "?", "chi", "dahai"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=6,
)


@given(
    st.fixed_dictionaries(
        {"type": st.sampled_from(ACTION_NAMES) | json_values},
        optional=dict.fromkeys(("pai", "consumed", "tsumogiri", "open"), json_values),
    )
)
def test_any_mjai_message_is_an_action_or_an_action_error(message: dict[str, object]) -> None:
    try:
        action = from_mjai(message)
    except ActionError:
        return
    assert parse_action(str(action)) is action


def test_the_interned_actions_stay_few_whatever_is_sent() -> None:
    # An answer that is refused must not leave an object behind for ever.
    before = len(actions._INTERNED)
    for _ in range(3):
        for text in ("chi 3m 4m 6m", "dahai ?", "ankan 3m 3m 3m 4m"):
            with pytest.raises(ActionError):
                parse_action(text)
    assert len(actions._INTERNED) == before
