"""The engine's menus beside those of an oracle that reads nothing but the events and the rules."""

from __future__ import annotations

import random
from functools import partial

import pytest
from audit import hands_of
from oracle import Oracle, check_wins
from sim import EVERYTHING, any_rules, first_seed, lucky, play, players, wall

from jantaku_engine import events as ev
from jantaku_engine.actions import WIN
from jantaku_engine.match import Match
from jantaku_engine.rules import Ruleset


def compare(match: Match) -> None:
    """Both know the same choices of every seat at this moment."""
    kyoku = match.kyoku
    assert kyoku is not None
    oracle = Oracle(kyoku.events, match.rules)
    for seat in range(4):
        engine = {str(action) for action in kyoku.pending.get(seat, ())}
        assert engine == oracle.menu(seat), f"seat {seat} after {kyoku.events[-1]}"


def some(match: Match, rng: random.Random, often: float) -> None:
    """Compare at rare moments always, at the others now and then: the oracle is slow."""
    kyoku = match.kyoku
    assert kyoku is not None
    table = kyoku.table
    rare = (
        table.live_left < 6
        or isinstance(kyoku.events[-1], ev.Reach | ev.Naki | ev.Kakan | ev.Ankan)
        or any(menu[0] == WIN for menu in match.pending.values())
        or table.kans >= 3
    )
    if rng.random() < (0.5 if rare else often):
        compare(match)


@pytest.mark.parametrize("rules", EVERYTHING)
def test_menus_under_every_preset(rules: Ruleset) -> None:
    seed = first_seed(rules) + 200
    for who, deal in (("eager", lucky), ("mixed", lucky), ("random", wall)):
        watch = partial(some, rng=random.Random(seed), often=0.08)
        match, _ = play(rules, players(who, seed), seed, watch, 8, deal)
        for hand in hands_of(match.events):
            check_wins(hand, rules)


@pytest.mark.parametrize("seed", range(16))
def test_menus_under_options_at_random(seed: int) -> None:
    rng = random.Random(seed)
    rules = any_rules(rng)
    who = rng.choice(("eager", "mixed"))
    match, _ = play(rules, players(who, seed), seed, partial(some, rng=rng, often=0.1), 8, lucky)
    for hand in hands_of(match.events):
        check_wins(hand, rules)
