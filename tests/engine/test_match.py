"""A whole game (RULES 8): who deals, what is carried over, when it ends, and the final points."""

from __future__ import annotations

import pytest
from kit import columns, rules, wall, yaochuu
from kit_match import Hanchan

from jantaku_engine import events as ev
from jantaku_engine.actions import PASS
from jantaku_engine.kyoku import IllegalAction
from jantaku_engine.match import Match, MatchError, final_points
from jantaku_engine.rules import PRESETS, Ruleset

ONLINE = rules(
    agari_yame=True, tenpai_yame=True, extension="sudden_death", extension_renchan_first=True
)


def starts(game: Hanchan) -> list[ev.StartKyoku]:
    return [event for event in game.match.events if isinstance(event, ev.StartKyoku)]


# --- from hand to hand ---------------------------------------------------------------------------


def test_the_deal_passes_and_the_winds_follow() -> None:
    game = Hanchan(rules(tobi="off"))
    for _ in range(8):
        game.ron((game.oya + 2) % 4, game.oya)
    assert [(e.bakaze, e.kyoku, e.oya) for e in starts(game)] == [
        (wind, kyoku, kyoku - 1) for wind in (0, 1) for kyoku in (1, 2, 3, 4)
    ]
    assert all(e.honba == 0 for e in starts(game))


def test_honba_and_deposits_are_carried_over() -> None:
    game = Hanchan(Ruleset(), kyotaku=2)
    game.tsumo(0)
    assert (game.match.round, game.match.honba, game.match.kyotaku) == (0, 1, 0)
    game.exhaust(0)
    assert (game.match.round, game.match.honba) == (0, 2)
    game.abort()
    assert (game.match.round, game.match.honba) == (0, 3)
    game.exhaust(2)
    assert (game.match.round, game.match.honba) == (1, 4)
    game.ron(3, 2)
    assert (game.match.round, game.match.honba) == (2, 0)
    assert [(e.kyoku, e.honba) for e in starts(game)] == [(1, 0), (1, 1), (1, 2), (1, 3), (2, 4)]


def test_scores_are_carried_over() -> None:
    game = Hanchan(Ruleset()).tsumo(0)
    game.exhaust(1)
    assert starts(game)[1].scores == (31_000, 23_000, 23_000, 23_000)
    assert game.match.scores == [30_000, 26_000, 22_000, 22_000]


def test_a_deposit_stays_on_the_table_until_somebody_wins() -> None:
    game = Hanchan(Ruleset())
    game.deal(hands=("123m456m789m12p99s", "", "", ""), draws="5z", keep_out="3p")
    game.play("0: reach", "0: dahai P").tsumogiri()
    assert (game.match.kyotaku, game.match.scores[0]) == (1, 27_000)
    assert game.deal(seed=3).match.kyoku.table.kyotaku == 1  # type: ignore[union-attr]


def test_a_match_asks_nobody_between_hands() -> None:
    match = Match(Ruleset())
    assert match.between_hands
    assert match.pending == {}
    with pytest.raises(IllegalAction, match="no hand is being played"):
        match.answer(0, PASS)
    match.deal(wall())
    assert not match.between_hands
    with pytest.raises(MatchError, match="not over"):
        match.deal(wall())


def test_a_finished_match_deals_no_more() -> None:
    game = Hanchan(Ruleset(), round=7).exhaust()
    assert game.over
    assert not game.match.between_hands
    with pytest.raises(MatchError, match="over"):
        game.match.deal(wall())
    with pytest.raises(IllegalAction):
        game.match.answer(0, PASS)


def test_a_match_has_four_names() -> None:
    with pytest.raises(ValueError, match="four names"):
        Match(Ruleset(), ("A", "B", "C"))
    assert Match(Ruleset(), ("a", "b", "c", "d")).events[0].names == ("a", "b", "c", "d")  # type: ignore[attr-defined]


# --- the last hand -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scores", "over"),
    [
        ((25_000, 25_000, 25_000, 25_000), True),
        ((40_000, 18_000, 18_000, 24_000), False),
        ((24_000, 25_000, 27_100, 23_900), False),
        ((20_000, 27_000, 28_000, 25_000), True),
    ],
    ids=["top", "second", "below the target", "third before"],
)
def test_agari_yame_needs_the_top_and_the_target(scores: tuple[int, ...], over: bool) -> None:
    # The dealer of the last hand, seat 3, wins 2000 from each.
    game = Hanchan(rules(agari_yame=True), round=7, scores=scores).tsumo(3)
    assert game.over == over
    if not over:
        assert (game.match.round, game.match.honba) == (7, 1)


def test_a_tie_for_the_top_goes_to_the_earlier_seat() -> None:
    scores = (33_000, 19_000, 21_000, 27_000)
    tied = Hanchan(rules(agari_yame=True), round=7, scores=scores).tsumo(3)
    assert tied.match.scores[0] == 31_000
    assert tied.match.scores[3] == 33_000
    assert tied.over
    scores = (33_000, 21_000, 21_000, 25_000)
    tied = Hanchan(rules(agari_yame=True), round=7, scores=scores).tsumo(3)
    assert tied.match.scores[0] == tied.match.scores[3] == 31_000
    assert not tied.over


def test_an_abort_in_the_last_hand_ends_nothing() -> None:
    scores = (20_000, 20_000, 20_000, 40_000)
    game = Hanchan(ONLINE, round=7, scores=scores).abort()
    assert not game.over
    assert (game.match.round, game.match.honba) == (7, 1)


def test_a_noten_dealer_in_the_last_hand_ends_the_game_by_length() -> None:
    scores = (20_000, 20_000, 20_000, 40_000)
    assert Hanchan(ONLINE, round=7, scores=scores).exhaust().over


def test_tenpai_yame_counts_nagashi_as_an_exhaustive_draw() -> None:
    scores = (20_000, 20_000, 20_000, 40_000)
    game = Hanchan(ONLINE, round=7, scores=scores)
    hands = ("", "", "", "123m456m789m12p99s")
    game.deal(hands=hands, draws=columns({1: yaochuu()}, oya=3), keep_out="3p").tsumogiri()
    assert game.draw.nagashi == (1,)
    assert game.match.scores[3] == 36_000
    assert game.over


def test_earlier_hands_do_not_end_by_a_winning_top_dealer() -> None:
    game = Hanchan(ONLINE, round=6, scores=(20_000, 20_000, 40_000, 20_000)).tsumo(2)
    assert not game.over


# --- extension -----------------------------------------------------------------------------------

SUDDEN = rules(extension="sudden_death")


def test_the_extension_ends_at_exactly_the_target() -> None:
    scores = (26_000, 25_000, 25_000, 24_000)
    game = Hanchan(SUDDEN, round=7, scores=scores).tsumo(0)
    assert game.match.scores[0] == 30_000
    assert game.over
    below = Hanchan(SUDDEN, round=7, scores=(25_900, 25_000, 25_000, 24_100)).tsumo(0)
    assert below.match.scores[0] == 29_900
    assert not below.over
    assert below.match.round == 8


def test_deposits_do_not_count_for_the_target() -> None:
    scores = (29_000, 23_000, 23_000, 22_000)
    game = Hanchan(SUDDEN, round=7, kyotaku=3, scores=scores).exhaust()
    assert not game.over
    last = Hanchan(SUDDEN, round=11, kyotaku=3, scores=scores).exhaust()
    assert last.over
    assert last.end.scores == (32_000, 23_000, 23_000, 22_000)


def test_the_extension_has_one_more_wind_at_most() -> None:
    game = Hanchan(SUDDEN, round=7)
    for _ in range(5):
        assert not game.over
        game.exhaust()
    assert game.over
    assert [(e.bakaze, e.kyoku) for e in starts(game)] == [(1, 4), (2, 1), (2, 2), (2, 3), (2, 4)]


def test_a_staying_dealer_goes_on_in_the_last_hand_of_the_extension() -> None:
    game = Hanchan(SUDDEN, round=11).exhaust(3)
    assert not game.over
    assert (game.match.round, game.match.honba) == (11, 1)


@pytest.mark.parametrize("options", [SUDDEN, ONLINE], ids=["plain", "online"])
def test_the_game_ends_in_the_extension_as_soon_as_somebody_has_the_target(
    options: Ruleset,
) -> None:
    game = Hanchan(options, round=8, scores=(24_000, 25_000, 26_500, 24_500)).ron(2, 0)
    assert game.match.scores[2] == 29_100
    assert not game.over
    game.ron(2, 1)
    assert game.over


def test_a_tonpuu_goes_on_in_south() -> None:
    game = Hanchan(rules(length="tonpuu", extension="sudden_death"), round=3).exhaust()
    assert not game.over
    game.tsumo(0)
    assert starts(game)[-1].bakaze == 1


# --- bust ----------------------------------------------------------------------------------------


def test_a_bust_ends_the_game_at_once_though_the_dealer_would_stay() -> None:
    game = Hanchan(Ruleset(), scores=(30_000, 1000, 34_000, 35_000)).tsumo(0)
    assert game.match.events[-1].type == ev.END_GAME
    assert game.over
    assert game.end.scores == (36_000, -1000, 32_000, 33_000)
    assert game.end.ranks == (1, 4, 3, 2)


def test_a_bust_is_looked_for_after_all_winners_are_paid() -> None:
    # Seat 1 pays seat 2 and is paid nothing; seat 3 wins of it as well.
    game = Hanchan(Ruleset(), scores=(25_000, 4000, 36_000, 35_000))
    hands = ("", "", "123m456m789m78s55z", "123p456p789p78s66z")
    game.deal(hands=hands, draws=".9s", keep_out="69s", dora="1z").tsumogiri(2, 3)
    assert len(game.horas) == 2
    assert game.over
    assert game.end.scores[1] == 4000 - 5200


def test_an_abort_cannot_bust_but_deposits_below_zero_can() -> None:
    options = rules(riichi_min_score="none")
    game = Hanchan(options, scores=(500, 33_000, 33_000, 33_500))
    game.deal(hands=("123m456m789m12p99s", "", "", ""), draws="5z", keep_out="3p")
    game.play("0: reach", "0: dahai P").tsumogiri()
    assert game.match.scores[0] == 500 - 1000 + 3000
    assert not game.over


# --- final points --------------------------------------------------------------------------------


def test_equal_scores_are_ranked_by_seat() -> None:
    scores = [25_000, 25_000, 25_000, 25_000]
    assert final_points(scores, 0, Ruleset())[1] == (1, 2, 3, 4)
    assert final_points([20_000, 30_000, 30_000, 20_000], 0, Ruleset())[1] == (3, 1, 2, 4)


@pytest.mark.parametrize(
    ("scores", "points"),
    [
        ((30_000, 30_000, 30_000, 10_000), (10.0, 10.0, 10.0, -30.0)),
        ((40_000, 20_000, 20_000, 20_000), (30.0, -10.0, -10.0, -10.0)),
        ((25_000, 25_000, 25_000, 25_000), (0.0, 0.0, 0.0, 0.0)),
    ],
)
def test_equal_places_share_their_uma(scores: tuple[int, ...], points: tuple[float, ...]) -> None:
    # 15/5/-5/-15, counted from 25000.
    options = rules(tie="split_uma", uma=(15, 5, -5, -15), oka=False)
    assert final_points(scores, 0, options)[2] == points


def test_equal_firsts_share_oka_too() -> None:
    options = rules(tie="split_uma")
    points = final_points((35_000, 35_000, 20_000, 10_000), 0, options)[2]
    assert points == (5.0 + 25.0, 5.0 + 25.0, -20.0, -40.0)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_points_of_every_preset_follow_its_table(preset: str) -> None:
    rules_ = Ruleset.preset(preset)
    scores = (
        rules_.start + 12_300,
        rules_.start + 1200,
        rules_.start - 4400,
        rules_.start - 9100,
    )
    _, ranks, points = final_points(scores, 0, rules_)
    assert ranks == (1, 2, 3, 4)
    assert sum(points) == pytest.approx(0)
    origin = rules_.target if rules_.oka else rules_.start
    for place in (1, 2, 3):
        exact = (scores[place] - origin) / 1000 + rules_.uma[place]
        off = 0.5 if rules_.points_rounding != "none" else 0.0
        assert abs(points[place] - exact) <= off + 1e-9


def test_the_last_event_tells_the_final_scores() -> None:
    game = Hanchan(Ruleset(), round=7, kyotaku=1, scores=(39_000, 20_000, 20_000, 20_000))
    game.exhaust()
    assert [event.type for event in game.match.events[-3:]] == [
        ev.RYUKYOKU,
        ev.END_KYOKU,
        ev.END_GAME,
    ]
    assert game.end.scores == (40_000, 20_000, 20_000, 20_000)
    assert game.match.scores == [40_000, 20_000, 20_000, 20_000]
    assert game.match.kyotaku == 0
