"""The table at each step: what a hand can become, and the picture that Jupyter shows."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import pytest
import record_kit as kit

import jantaku_replays
from jantaku_engine import events as ev
from jantaku_engine.rules import Ruleset
from jantaku_engine.table import Table
from jantaku_engine.tiles import parse_mpsz
from jantaku_replays.files import parse
from jantaku_replays.outlook import Outlook, Wait, furiten, outlook
from jantaku_replays.states import TableState, hand_states
from jantaku_replays.verify import complete

NAMES = ("Aoi", "Beni", "Chika", "<Daigo & Co>")
SVG = "{http://www.w3.org/2000/svg}"


def tiles(text: str) -> tuple[int, ...]:
    return tuple(parse_mpsz(text))


def tile(text: str) -> int:
    return tiles(text)[0]


HANDS = (
    tiles("123m456p789s1122z"),
    tiles("147m258p369s1234z"),
    tiles("1112345678999m"),
    tiles("19m19p19s1234567z"),
)


def start(hands: tuple[tuple[int, ...], ...] = HANDS) -> ev.StartKyoku:
    return ev.StartKyoku(0, 1, 0, 0, 0, tile("3s"), (25_000,) * 4, hands)


def table_of(*events: ev.Event) -> Table:
    table = Table(Ruleset())
    for event in events:
        table.apply(event)
    return table


# ---------------------------------------------------------------------- outlook


def test_a_tenpai_hand_waits_and_counts_what_it_has_not_seen() -> None:
    table = table_of(start())
    # East waits for 1z and 2z and holds two of each; the others are hidden from it.
    assert outlook(table, 0) == Outlook(0, (Wait(27, 2), Wait(28, 2)), "")


def test_a_discard_and_an_indicator_are_seen() -> None:
    hands = (tiles("23m456p789s11122z"), *HANDS[1:])
    seen = table_of(start(hands), ev.Tsumo(0, tile("9p")), ev.Dahai(0, tile("9p"), True))
    assert outlook(seen, 0) == Outlook(0, (Wait(0, 4), Wait(3, 4)), "")
    seen.apply(ev.Tsumo(1, tile("5s")))
    seen.apply(ev.Dahai(1, tile("1m"), False))
    looked = outlook(seen, 0)
    assert looked is not None
    assert looked.waits == (Wait(0, 3), Wait(3, 4))
    # The next draw closes the window: it let 1m pass.
    seen.apply(ev.Tsumo(2, tile("5s")))
    assert furiten(seen, 0) == "temporary"


def test_an_own_discard_makes_furiten_by_the_river() -> None:
    table = table_of(start(), ev.Tsumo(0, tile("1z")), ev.Dahai(0, tile("1z"), True))
    assert furiten(table, 0) == "river"
    assert furiten(table, 2) == ""


def test_a_riichi_that_lets_its_tile_go_is_furiten_for_good() -> None:
    table = table_of(
        start(),
        ev.Tsumo(0, tile("5s")),
        ev.Reach(0),
        ev.Dahai(0, tile("5s"), True),
        ev.ReachAccepted(0, (24_000, 25_000, 25_000, 25_000)),
        ev.Tsumo(1, tile("2z")),
        ev.Dahai(1, tile("2z"), True),
        ev.Tsumo(2, tile("5s")),
    )
    assert furiten(table, 0) == "riichi"


def test_a_hand_far_from_tenpai_has_its_shanten_and_no_waits() -> None:
    assert outlook(table_of(start()), 1) == Outlook(6, (), "")


def test_an_unknown_hand_has_no_outlook() -> None:
    masked = table_of(start().seen_by(0))
    assert outlook(masked, 1) is None
    assert outlook(masked, 0) is not None


# ---------------------------------------------------------------------- states

EVENTS: list[ev.Event] = [
    start(),
    ev.Tsumo(0, tile("0p")),
    ev.Dahai(0, tile("0p"), True),
    ev.Tsumo(1, tile("4s")),
    ev.Dahai(1, tile("1z"), False),
    ev.Naki(ev.PON, 0, 1, tile("1z"), tiles("11z")),
    ev.Dahai(0, tile("2z"), False),
]


def test_states_go_from_the_deal_to_the_end_and_stay_what_they_are() -> None:
    states = list(hand_states(Ruleset(), NAMES, EVENTS))
    assert [state.step for state in states] == list(range(len(EVENTS)))
    assert states[0].title == "E1-0"
    assert states[0].table.rivers == [[], [], [], []]
    assert states[-1].table.hands[0].melds[0].target == 1
    assert states[0].table.hands[0].melds == []
    assert repr(states[1]) == "<TableState E1-0 step 1: tsumo>"


def test_a_seat_sees_its_own_draws_and_no_others() -> None:
    own, other = (
        TableState(Ruleset(), NAMES, EVENTS, 1, 0),
        TableState(Ruleset(), NAMES, EVENTS, 1, 1),
    )
    assert own.table.hands[0].drawn == tile("0p")
    assert not other.table.hands[0].known
    assert other.event.to_mjai()["pai"] == "?"


@pytest.mark.parametrize("step", [-1, len(EVENTS)])
def test_there_is_no_state_outside_the_hand(step: int) -> None:
    with pytest.raises(ValueError, match=f"step {step}: this hand has steps 0 to 6"):
        TableState(Ruleset(), NAMES, EVENTS, step)


def test_events_of_a_hand_begin_with_the_deal() -> None:
    with pytest.raises(ValueError, match="start_kyoku"):
        TableState(Ruleset(), NAMES, EVENTS[1:], 0)


# ---------------------------------------------------------------------- the picture


def drawn(svg: str) -> dict[tuple[int, str], list[str]]:
    """Tiles of a picture by seat and first word of their class, read back from it."""
    found: dict[tuple[int, str], list[str]] = {}
    for group in ET.fromstring(svg).iter(f"{SVG}g"):
        if group.get("class") != "seat":
            continue
        for mark in group.iter(f"{SVG}g"):
            words = (mark.get("class") or "").split()
            if words[:1] == ["tile"]:
                key = (int(group.get("data-seat") or -1), words[1])
                found.setdefault(key, []).append(mark.get("data-tile") or "")
    return found


def test_the_picture_has_every_tile_where_it_lies() -> None:
    state = TableState(Ruleset(), NAMES, EVENTS, len(EVENTS) - 1)
    svg = state._repr_svg_()
    found = drawn(svg)
    assert found[(0, "meld")] == ["1z", "1z", "1z"]
    assert found[(0, "discard")] == ["0p", "2z"]
    assert found[(1, "discard")] == ["1z"]
    assert found[(2, "hand")] == [
        "1m",
        "1m",
        "1m",
        "2m",
        "3m",
        "4m",
        "5m",
        "6m",
        "7m",
        "8m",
        "9m",
        "9m",
        "9m",
    ]
    assert len(found[(0, "hand")]) == 10


def test_the_picture_says_who_sits_where_and_what_counts() -> None:
    state = TableState(Ruleset(), NAMES, EVENTS, 1)
    texts = [
        "".join(text.itertext()) for text in ET.fromstring(state._repr_svg_()).iter(f"{SVG}text")
    ]
    assert "East 1" in texts
    assert "69 tiles left" in texts
    assert any("<Daigo & Co>" in text for text in texts)
    assert any("25,000" in text for text in texts)
    assert "dora 4s" in texts


def test_a_seat_s_picture_shows_backs_and_the_seat_below() -> None:
    svg = TableState(Ruleset(), NAMES, EVENTS, 1, 1)._repr_svg_()
    found = drawn(svg)
    assert set(found[(0, "hand")]) == {"?"}
    assert "?" not in found[(1, "hand")]
    seats = [g for g in ET.fromstring(svg).iter(f"{SVG}g") if g.get("class") == "seat"]
    assert (seats[0].get("data-seat"), seats[0].get("transform")) == ("1", "rotate(0 360 360)")


def test_nothing_of_a_picture_comes_from_outside() -> None:
    svg = TableState(Ruleset(), NAMES, EVENTS, 1)._repr_svg_()
    assert "href" not in svg
    assert svg.count("http") == 1  # the namespace


def test_pictures_of_a_real_game_show_136_tiles_less_the_wall() -> None:
    name = kit.games_with("rounds_with_3+_kan")[0]
    record, _ = complete(parse(kit.corpus_texts()[name].encode(), name))
    for kyoku in record.kyokus:
        for state in list(hand_states(record.rules, record.names, kyoku.events))[::7]:
            found = drawn(state._repr_svg_())
            kinds = Counter(key[1] for key in found for _ in found[key])
            table = state.table
            in_hands = sum(hand.size + 3 * len(hand.melds) + hand.kans for hand in table.hands)
            called = sum(d.called for river in table.rivers for d in river)
            rivers = sum(map(len, table.rivers))
            assert kinds["hand"] + kinds["meld"] == in_hands, (name, state)
            assert kinds["discard"] == rivers
            # A called tile is shown in the meld and, faded, in the river.
            out = 52 + table.draws + table.rinshan_draws
            assert in_hands + rivers - called == out, (name, state)


def test_every_state_of_a_game_that_is_read_shows_itself_in_jupyter(tmp_path: Path) -> None:
    path = tmp_path / "tiny.xml"
    path.write_text(kit.TINY)
    (game,) = jantaku_replays.read(path)
    states = [state for hand in game for state in hand.states(seat=1)]
    assert len(states) == len(game.hands[0].events)
    for state in states:
        found = drawn(state._repr_svg_())
        assert len(found[(1, "hand")]) == 13
        assert set(found[(2, "hand")]) == {"?"}
