"""House bots: what each of them does in a situation, and what it may know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from jantaku_clients.bots import BOTS, Bot, BotError, make_bot
from jantaku_clients.simulate import Setup, play, run_match
from jantaku_engine import actions as act
from jantaku_engine import events as ev
from jantaku_engine.actions import (
    DISCARDS,
    KYUUSHU,
    PASS,
    RIICHI,
    TSUMOGIRI,
    WIN,
    Action,
    parse_action,
)
from jantaku_engine.match import Match
from jantaku_engine.menu import Menu
from jantaku_engine.presets import PRESETS
from jantaku_engine.rules import Ruleset
from jantaku_engine.shapes import shanten
from jantaku_engine.tiles import KIND, MPSZ, UNKNOWN, format_mpsz, kind_counts, parse_mpsz
from jantaku_engine.view import SeatView

HIDDEN = (UNKNOWN,) * 13


def tile(text: str) -> int:
    (code,) = parse_mpsz(text)
    return code


def seat_view(hand: str, *events: ev.Event, dora: str = "1s", oya: int = 0) -> SeatView:
    """What seat 0 knows: its 13 tiles in East 1, then these events."""
    view = SeatView(0, Ruleset())
    hands = (tuple(parse_mpsz(hand)), HIDDEN, HIDDEN, HIDDEN)
    view.apply(ev.StartKyoku(0, oya + 1, oya, 0, 0, tile(dora), (25_000,) * 4, hands))
    for event in events:
        view.apply(event)
    return view


def drawn(text: str) -> ev.Tsumo:
    return ev.Tsumo(0, tile(text))


def discarded(seat: int, text: str) -> tuple[ev.Event, ev.Event]:
    """Another seat draws and discards."""
    return ev.Tsumo(seat, UNKNOWN), ev.Dahai(seat, tile(text), True)


def choice(name: str, view: SeatView) -> Action:
    """What the bot of this name answers at the view's own menu."""
    menu = view.menu()
    action = make_bot(name, Random(0)).choose(view, menu)
    assert action in menu
    return action


# ---------------------------------------------------------------------- all bots


def test_an_unknown_name_is_refused_with_the_list_of_bots() -> None:
    with pytest.raises(BotError, match=r"'mortal'; there are greedy, random, tsumogiri"):
        make_bot("mortal", Random(0))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", BOTS)
def test_every_bot_plays_a_game_to_its_end_under_every_preset(name: str, preset: str) -> None:
    rules = Ruleset.preset(preset, length="tonpuu")
    game = play(Setup(rules, (name,) * 4, seed=11), 0)
    end = game.match.events[-1]
    assert isinstance(end, ev.EndGame)
    assert sum(end.scores) + 1000 * game.match.kyotaku <= 4 * rules.start


@pytest.mark.parametrize("name", BOTS)
def test_the_same_chances_give_the_same_game(name: str) -> None:
    setup = Setup(Ruleset(length="tonpuu"), (name,) * 4, seed=12)
    assert play(setup, 3).match.events == play(setup, 3).match.events


class Witness(Bot):
    """Notes what it is given, and discards what it draws."""

    def __init__(self, needs_view: bool) -> None:
        super().__init__(Random(0))
        self.needs_view = needs_view  # type: ignore[misc]
        self.seen: list[ev.Event] = []
        self.hands_known: set[tuple[bool, ...]] = set()
        self.menus_agree = True

    def see(self, event: ev.Event) -> None:
        self.seen.append(event)

    def choose(self, view: SeatView, menu: Menu) -> Action:
        self.hands_known.add(tuple(hand.known for hand in view.table.hands))
        self.menus_agree = self.menus_agree and view.menu() == menu
        return make_bot("tsumogiri", self.rng).choose(view, menu)


def play_with(witness: Witness, seat: int) -> Match:
    players: list[Bot] = [make_bot("random", Random(n)) for n in range(4)]
    players[seat] = witness
    match = Match(Ruleset(length="tonpuu"))
    run_match(match, players, bytes(32))
    return match


def test_a_player_with_a_view_is_told_every_event_and_no_hidden_tile() -> None:
    witness = Witness(needs_view=True)
    match = play_with(witness, 2)
    # What happens after its last answer concerns nobody any more.
    assert witness.seen == [event.seen_by(2) for event in match.events[: len(witness.seen)]]
    assert any(isinstance(event, ev.EndKyoku) for event in witness.seen)
    assert witness.hands_known == {(False, False, True, False)}
    assert witness.menus_agree
    for event in witness.seen:
        if isinstance(event, ev.Tsumo) and event.actor != 2:
            assert event.pai == UNKNOWN


def test_a_player_without_a_view_is_given_nothing_but_its_menus() -> None:
    witness = Witness(needs_view=False)
    play_with(witness, 2)
    assert witness.seen == []
    assert witness.hands_known == {()}


# ---------------------------------------------------------------------- random


def test_random_takes_every_action_of_its_menu_equally_often() -> None:
    view = seat_view("123m456p789s1122z", drawn("1z"))
    menu = view.menu()
    seed = 5
    bot = make_bot("random", Random(seed))
    times = Counter(bot.choose(view, menu) for _ in range(1000 * len(menu)))
    assert set(times) == set(menu)
    # Five standard deviations of a binomial count around 1000.
    assert all(abs(count - 1000) < 160 for count in times.values()), f"seed {seed}: {times}"


# ---------------------------------------------------------------------- tsumogiri


def test_tsumogiri_discards_the_drawn_tile_even_when_it_wins() -> None:
    view = seat_view("123m456p789s1122z", drawn("1z"))
    assert WIN in view.menu()
    assert choice("tsumogiri", view) == TSUMOGIRI[tile("1z")]


def test_tsumogiri_lets_discards_pass_even_those_that_it_could_win() -> None:
    view = seat_view("123m456p789s1122z", *discarded(1, "1z"))
    assert WIN in view.menu()
    assert choice("tsumogiri", view) == PASS


def test_tsumogiri_discards_the_last_tile_listed_when_no_tile_is_the_drawn_one() -> None:
    game = play(Setup(Ruleset.preset("tenhou", length="tonpuu"), ("tsumogiri",) * 4, seed=1), 0)
    discards = [e for e in game.match.events if isinstance(e, ev.Dahai)]
    from_hand = [e for e in discards if not e.tsumogiri]
    assert len(from_hand) == game.match.dealt
    assert not any(isinstance(e, ev.Hora | ev.Naki | ev.Reach) for e in game.match.events)


# ---------------------------------------------------------------------- greedy: wins and riichi


def test_greedy_wins_by_tsumo() -> None:
    assert choice("greedy", seat_view("123m456p789s1122z", drawn("1z"))) == WIN


def test_greedy_wins_by_ron() -> None:
    assert choice("greedy", seat_view("123m456p789s1122z", *discarded(1, "1z"))) == WIN


def test_greedy_takes_every_win_that_it_is_offered() -> None:
    offered = 0

    class Watched(Bot):
        def choose(self, view: SeatView, menu: Menu) -> Action:
            nonlocal offered
            action = make_bot("greedy", self.rng).choose(view, menu)
            offered += WIN in menu
            assert (action == WIN) == (WIN in menu)
            return action

    for number in range(3):
        match = Match(Ruleset(length="tonpuu"))
        run_match(match, [Watched(Random(0)) for _ in range(4)], bytes([number]) * 32)
    assert offered > 5


def test_greedy_declares_riichi_as_soon_as_it_can() -> None:
    assert choice("greedy", seat_view("123m456p789s1113z", drawn("2z"))) == RIICHI


def test_greedy_in_riichi_makes_the_kan_that_it_may() -> None:
    riichi = (
        drawn("9p"),
        ev.Reach(0),
        ev.Dahai(0, tile("9p"), True),
        ev.ReachAccepted(0, (24_000, 25_000, 25_000, 25_000)),
        *discarded(1, "9s"),
        *discarded(2, "9s"),
        *discarded(3, "9s"),
    )
    view = seat_view("123m456p23s55m111z", *riichi, drawn("1z"))
    assert choice("greedy", view).type == act.ANKAN


# ---------------------------------------------------------------------- greedy: discards


def best_by_brute_force(tiles: Sequence[int], marker: int) -> set[int]:
    """Kinds whose discard leaves the least shanten, and then the most unseen useful tiles."""
    ranked: dict[int, tuple[int, int]] = {}
    unseen = [4 - count for count in kind_counts([*tiles, marker])]
    for kind in {KIND[code] for code in tiles}:
        counts = kind_counts(tiles)
        counts[kind] -= 1
        now = shanten(counts, 0)
        useful = 0
        for other in range(34):
            counts[other] += 1
            if unseen[other] > 0 and shanten(counts, 0) < now:
                useful += unseen[other]
            counts[other] -= 1
        ranked[kind] = (now, -useful)
    best = min(ranked.values())
    return {kind for kind, rank in ranked.items() if rank == best}


def test_greedy_discards_for_shanten_first_and_for_useful_tiles_second() -> None:
    rng = Random(21)
    for number in range(60):
        wall = [tile_id // 4 for tile_id in rng.sample(range(136), 15)]
        hand, draw, marker = wall[:13], wall[13], wall[14]
        view = seat_view(format_mpsz(hand), ev.Tsumo(0, draw), dora=MPSZ[marker])
        menu = tuple(action for action in view.menu() if action.type == act.DAHAI)
        chosen = make_bot("greedy", Random(0)).choose(view, menu)
        best = best_by_brute_force(wall[:14], marker)
        assert KIND[chosen.tile] in best, f"hand {number} of Random(21): {format_mpsz(wall[:14])}"


def lone_wind_to_keep(*events: ev.Event, dora: str = "9s") -> Action:
    """Tenpai on either of two lone winds, South (drawn) and West: what greedy discards."""
    view = seat_view("123m456p789s1113z", *events, drawn("2z"), ev.Reach(0), dora=dora)
    return choice("greedy", view)


def test_greedy_waits_for_the_tile_of_which_more_are_unseen() -> None:
    first = (drawn("9p"), ev.Dahai(0, tile("9p"), True))
    south = (*discarded(1, "2z"), *discarded(2, "9m"), *discarded(3, "9m"))
    west = (*discarded(1, "3z"), *discarded(2, "9m"), *discarded(3, "9m"))
    assert lone_wind_to_keep(*first, *south) == TSUMOGIRI[tile("2z")]
    assert lone_wind_to_keep(*first, *west) == DISCARDS[tile("3z")]


def test_greedy_keeps_the_dora_of_two_tiles_that_are_equally_useful() -> None:
    # The indicator East points to South, the indicator South (one less to draw) to West.
    assert lone_wind_to_keep(dora="1z") == DISCARDS[tile("3z")]
    assert lone_wind_to_keep(dora="2z") == TSUMOGIRI[tile("2z")]


def test_greedy_keeps_the_red_five_of_two_fives() -> None:
    view = seat_view("123m456p79s112z50s", drawn("5s"))
    menu = (DISCARDS[tile("0s")], DISCARDS[tile("5s")], TSUMOGIRI[tile("5s")])
    assert make_bot("greedy", Random(0)).choose(view, menu).tile == tile("5s")


def test_greedy_declares_nine_terminals_unless_thirteen_orphans_are_near() -> None:
    assert choice("greedy", seat_view("19m19p19s123z2457p", drawn("4z"))) == KYUUSHU
    near = seat_view("19m19p19s12345z45p", drawn("1z"))
    assert KYUUSHU in near.menu()
    assert choice("greedy", near).type == act.DAHAI


# ---------------------------------------------------------------------- greedy: calls

FAR = "1357m2468p66s772z"
"""Nothing but pairs of 6s and of the red dragon."""


def test_greedy_calls_pon_of_yakuhai() -> None:
    assert choice("greedy", seat_view(FAR, *discarded(1, "7z"))) == parse_action("pon C C C")


@pytest.mark.parametrize(("oya", "wind"), [(0, "1z"), (3, "2z"), (3, "1z")])
def test_yakuhai_is_also_the_seat_wind_and_the_round_wind(oya: int, wind: str) -> None:
    hand = f"1357m2468p66s{wind[0]}{wind[0]}7z"
    view = seat_view(hand, *discarded(1, wind), oya=oya)
    assert choice("greedy", view).type == act.PON


def test_greedy_does_not_open_its_hand_for_anything_else() -> None:
    assert choice("greedy", seat_view(FAR, *discarded(1, "6s"))) == PASS
    guest = seat_view("1357m2468p66s227z", *discarded(1, "2z"))
    assert choice("greedy", guest) == PASS
    chi = seat_view("13m24568p6799s77z", *discarded(3, "2m"))
    assert any(action.type == act.CHI for action in chi.menu())
    assert choice("greedy", chi) == PASS


def test_greedy_does_not_open_a_closed_tenpai() -> None:
    view = seat_view("123m456p78s11177z", *discarded(1, "7z"))
    assert any(action.type == act.PON for action in view.menu())
    assert choice("greedy", view) == PASS


def open_view(*events: ev.Event) -> SeatView:
    """Red dragons called, 13m 2468p 67s 9m 2z left: then these events."""
    chun = tile("7z")
    return seat_view(
        "139m2468p67s2477z",
        *discarded(1, "7z"),
        ev.Naki(ev.PON, 0, 1, chun, (chun, chun)),
        ev.Dahai(0, tile("4z"), False),
        *events,
    )


def test_with_a_yaku_laid_down_greedy_calls_what_brings_it_nearer() -> None:
    view = open_view(*discarded(1, "9p"), *discarded(2, "9p"), *discarded(3, "2m"))
    assert choice("greedy", view) == parse_action("chi 2m 1m 3m")


def test_with_a_yaku_laid_down_greedy_lets_pass_what_brings_it_no_nearer() -> None:
    view = seat_view(
        "123m345s2468p377z",
        *discarded(1, "7z"),
        ev.Naki(ev.PON, 0, 1, tile("7z"), (tile("7z"), tile("7z"))),
        ev.Dahai(0, tile("3z"), False),
        *discarded(1, "9p"),
        *discarded(2, "9p"),
        *discarded(3, "4m"),
    )
    assert any(action.type == act.CHI for action in view.menu())
    assert choice("greedy", view) == PASS


def test_greedy_makes_a_concealed_kan_only_where_it_costs_nothing() -> None:
    assert choice("greedy", seat_view("1357m2468p222z6s", drawn("2z"))).type == act.ANKAN
    # The fourth 1m belongs to 123m.
    needed = seat_view("11123m469p78s577z", drawn("1m"))
    assert any(action.type == act.ANKAN for action in needed.menu())
    assert choice("greedy", needed).type == act.DAHAI


def test_greedy_makes_no_kan_of_a_discard() -> None:
    view = seat_view("1357m2468p66s777z", *discarded(1, "7z"))
    assert any(action.type == act.DAIMINKAN for action in view.menu())
    assert choice("greedy", view).type == act.PON
