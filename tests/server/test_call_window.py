"""The uniform call window: no pause tells who could have claimed a tile.

Seat 0 draws a White Dragon (5z) and discards it. What the others hold decides who is asked; the
moment at which everybody learns what comes next must not.
"""

from __future__ import annotations

import pytest
from server_kit import Peer, World
from table_kit import CLOCK, HANDS, Stamps, answer, events, four, is_asked, quiet, rig, stamp, wish

from jantaku_engine.rules import Ruleset
from jantaku_engine.wall import HAIPAI, Wall
from jantaku_server.table import LiveTable

WINDOW = 600
NOBODY = HANDS[1]
PON = "55z79m2479p24689s"
RON = "123456789m1155z"
"""Tenpai on East and White."""

DULL = "2z3z4z6z7z" * 3
"""Draws that nobody here can claim."""


def white(one: str = NOBODY, two: str = HANDS[2], three: str = HANDS[3], zero: str = "") -> Wall:
    """A wall whose first draw is a White Dragon for seat 0, with these hands."""
    hands = (zero or HANDS[0], one, two, three)
    return quiet(hands=hands, draws="5z" + DULL)


def begin(
    world: World, monkeypatch: pytest.MonkeyPatch, wall: Wall, window: int = WINDOW
) -> tuple[LiveTable, list[Peer], Stamps]:
    """The table after seat 0 has discarded its first draw, heard by seat 0."""
    rig(monkeypatch, wall)
    table, peers = four(world, call_window_ms=window, spectator_delay=0)
    world.clock.advance(1)
    heard = stamp(peers[0])
    answer(peers[0])
    return table, peers, heard


def passes(peer: Peer) -> None:
    answer(peer, "none")


# ---------------------------------------------------------------------- nobody claims


def test_when_nobody_could_claim_the_next_draw_waits_for_the_window(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, peers, heard = begin(world, monkeypatch, white())
    assert not any(is_asked(peer, table) for peer in peers)
    world.clock.advance(5)
    assert heard.events() == [(0, "dahai"), (WINDOW, "tsumo")]


@pytest.mark.parametrize("hand", [PON, RON])
@pytest.mark.parametrize("at", [0, 1, 300, 599, 600])
def test_who_could_and_passed_within_the_window_is_not_noticed(
    world: World, monkeypatch: pytest.MonkeyPatch, hand: str, at: int
) -> None:
    table, peers, heard = begin(world, monkeypatch, white(hand))
    assert is_asked(peers[1], table)
    world.clock.advance(at / 1000)
    passes(peers[1])
    world.clock.advance(5)
    assert heard.events() == [(0, "dahai"), (WINDOW, "tsumo")]


def test_two_who_passed_within_the_window_are_not_noticed(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Seat 1 may chi the 5p, seat 2 may pon it.
    hands = (HANDS[0], "2479m46p29p24689s", "1358m55p18p13579s", HANDS[3])
    table, peers, heard = begin(world, monkeypatch, quiet(hands=hands, draws="5p" + DULL))
    assert [is_asked(peer, table) for peer in peers] == [False, True, True, False]
    world.clock.advance(0.2)
    passes(peers[2])
    world.clock.advance(0.2)
    passes(peers[1])
    world.clock.advance(5)
    assert heard.events() == [(0, "dahai"), (WINDOW, "tsumo")]


def test_who_passes_after_the_window_is_waited_for(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, peers, heard = begin(world, monkeypatch, white(PON))
    world.clock.advance(0.9)
    passes(peers[1])
    assert heard.events() == [(0, "dahai"), (900, "tsumo")]


def test_the_clock_that_passes_is_no_faster_than_the_window(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig(monkeypatch, white(PON))
    _, peers = four(
        world, call_window_ms=WINDOW, clock={**CLOCK, "move": 100, "first": 100, "bank": 0}
    )
    heard = stamp(peers[0])
    world.clock.advance(2)
    moments = [moment for moment, kind in heard.events() if kind in ("dahai", "tsumo")]
    assert moments[:3] == [100, 100 + WINDOW, 100 + WINDOW + 100]


@pytest.mark.parametrize("hand", [NOBODY, PON, RON])
def test_a_table_without_a_window_waits_for_nobody_who_is_not_asked(
    world: World, monkeypatch: pytest.MonkeyPatch, hand: str
) -> None:
    _, peers, heard = begin(world, monkeypatch, white(hand), window=0)
    world.clock.advance(0.1)
    if hand != NOBODY:
        assert heard.events() == [(0, "dahai")]
        passes(peers[1])
    assert heard.events() == [(0, "dahai"), (0 if hand == NOBODY else 100, "tsumo")]


# ---------------------------------------------------------------------- somebody claims


@pytest.mark.parametrize("at", [0, 100, 599, 600, 900])
def test_a_pon_is_told_when_the_window_is_over(
    world: World, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    """An early pon would tell its caller that nobody else was asked."""
    _, peers, heard = begin(world, monkeypatch, white(PON))
    world.clock.advance(at / 1000)
    answer(peers[1], "pon")
    assert peers[1].all("accepted")
    world.clock.advance(2)
    assert heard.events() == [(0, "dahai"), (max(WINDOW, at), "pon")]


@pytest.mark.parametrize("at", [0, 100, 900])
def test_a_win_is_told_when_the_window_is_over(
    world: World, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    _, peers, heard = begin(world, monkeypatch, white(RON))
    world.clock.advance(at / 1000)
    answer(peers[1], "hora")
    world.clock.advance(1)
    assert heard.events()[:2] == [(0, "dahai"), (max(WINDOW, at), "hora")]


def test_a_caller_cannot_tell_whether_another_was_asked(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seat 1 has chi of a 5p at once; seat 3 has pon of it or not, and passes in the window."""
    moments = []
    for three in ("2467m2467p24688s", "2467m55p27p24688s"):
        hands = (HANDS[0], "2479m46p29p24689s", "1358m1348p13579s", three)
        wall = quiet(hands=hands, draws="5p" + DULL)
        table, peers, heard = begin(world, monkeypatch, wall)
        caller = stamp(peers[1])
        answer(peers[1], "chi")
        world.clock.advance(0.25)
        if is_asked(peers[3], table):
            passes(peers[3])
        world.clock.advance(1)
        moments.append((heard.events(), caller.events()))
    assert moments[0] == moments[1]
    assert moments[0][0] == [(0, "dahai"), (WINDOW, "chi")]


# ---------------------------------------------------------------------- other moments like it


def test_the_stick_of_a_riichi_waits_too(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """That it is accepted tells that nobody won: only when everybody may know."""
    moments = []
    for one in (NOBODY, PON):
        wall = white(one, zero="123456789m11p24s")
        rig(monkeypatch, wall)
        table, peers = four(world, call_window_ms=WINDOW)
        heard = stamp(peers[2])
        answer(peers[0], "reach")
        answer(peers[0])
        if is_asked(peers[1], table):
            world.clock.advance(0.1)
            passes(peers[1])
        world.clock.advance(2)
        moments.append(heard.events())
    assert moments[0] == moments[1] == [
        (0, "reach"), (0, "dahai"), (WINDOW, "reach_accepted"), (WINDOW, "tsumo")
    ]  # fmt: skip


@pytest.mark.parametrize("can_rob", [False, True])
def test_a_kan_that_could_be_robbed_waits_like_one_that_could_not(
    world: World, monkeypatch: pytest.MonkeyPatch, can_rob: bool
) -> None:
    """Thirteen orphans may rob a concealed kan: the draw after each ankan waits the same."""
    robber = "19m19p19s1234577z" if can_rob else HANDS[1]
    hands = ("1369m1369p13s666z", robber, HANDS[2], HANDS[3])
    rules = Ruleset.preset("standard", kokushi_rob_ankan=True)
    wall = quiet(hands=hands, draws="6z2z3z4z2z3z4z", rinshan="2z")
    rig(monkeypatch, wall)
    table, peers = four(world, call_window_ms=WINDOW, rules=rules.to_dict())
    heard = stamp(peers[2])
    answer(peers[0], "ankan")
    assert is_asked(peers[1], table) == can_rob
    if can_rob:
        world.clock.advance(0.3)
        passes(peers[1])
    world.clock.advance(2)
    assert heard.events() == [(0, "ankan"), (WINDOW, "dora"), (WINDOW, "tsumo")]


def test_the_end_of_the_wall_waits_like_a_draw(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig(monkeypatch, quiet())
    _, peers = four(world, call_window_ms=WINDOW)
    heard = stamp(peers[0])
    for peer in peers:
        peer.play = lambda request: next(
            index
            for index, action in enumerate(request["menu"])
            if action["type"] == "none" or action.get("tsumogiri")
        )
    answer(peers[0])
    world.clock.run_until(lambda: events(peers[0], "ryukyoku") != [])
    told = heard.events()
    last = max(moment for moment, kind in told if kind == "dahai")
    assert heard.first("ryukyoku") == last + WINDOW


# ---------------------------------------------------------------------- byte for byte


@pytest.mark.parametrize("hand", [PON, RON])
@pytest.mark.parametrize("watcher", ["seat 0", "seat 3", "spectator"])
def test_all_bytes_and_their_moments_are_the_same_for_who_is_not_asked(
    world: World, monkeypatch: pytest.MonkeyPatch, hand: str, watcher: str
) -> None:
    """The whole stream of another seat and of a live spectator, with and without the chance."""
    streams = []
    for one in (NOBODY, hand):
        rig(monkeypatch, _same_elsewhere(white(NOBODY), one))
        table, peers = four(world, call_window_ms=WINDOW, spectator_delay=0)
        outside = world.peer()
        outside.say("spectate", table=table.id)
        world.clock.advance(1)
        peer = outside if watcher == "spectator" else peers[int(watcher[-1])]
        heard = stamp(peer)
        answer(peers[0])
        world.clock.advance(0.123)
        if is_asked(peers[1], table):
            passes(peers[1])
        world.clock.advance(WINDOW / 1000 - 0.123)
        answer(peers[1])
        world.clock.advance(2)
        streams.append(heard.heard)
    assert streams[0] == streams[1]
    assert len(streams[0]) >= 3


def _same_elsewhere(base: Wall, one: str) -> Wall:
    """The wall with this hand at seat 1, by exchanges among tiles that nobody else sees."""
    codes = Ruleset().tiles
    ids = list(base.ids)
    unseen = [*range(60, 122), 123, 125, 127, 129, 131, 132, 133, 134, 135]
    mine = list(HAIPAI[1])
    wanted = wish(one)
    for place in mine:
        code = codes[ids[place]]
        if code in wanted:
            wanted.remove(code)
        else:
            unseen.append(place)
    for place in [place for place in mine if place in unseen]:
        code = wanted.pop()
        other = next(p for p in unseen if codes[ids[p]] == code and (p not in mine or p == place))
        ids[place], ids[other] = ids[other], ids[place]
        unseen.remove(place)
    return Wall(ids)
