"""Whole games with Jantaku: `games.py random|tsumogiri GAMES`.

The engine keeps the full event log of each game. The policy is as plain as the peers': one of
the menu with equal chance; or the drawn tile goes, and everything else passes.
"""

import sys
from random import Random

from stopwatch import tell, timed

from jantaku_engine.actions import DAHAI, NONE
from jantaku_engine.match import Match
from jantaku_engine.rules import Ruleset
from jantaku_engine.wall import Wall

WARM_GAMES = 3
RULES = Ruleset.preset("tenhou")


def main():
    policy, games = sys.argv[1], int(sys.argv[2])
    choose = random_policy(Random(1)) if policy == "random" else tsumogiri
    timed(play_all, range(-WARM_GAMES, 0), choose)
    spent, (rounds, events) = timed(play_all, range(games), choose)
    tell(
        rounds,
        spent,
        rounds=rounds,
        games=games,
        events_per_round=events / rounds,
    )


def play_all(numbers, choose):
    """Rounds and events of the games; each is let go when it is over."""
    rounds = events = 0
    for number in numbers:
        match = play(number.to_bytes(32, "big", signed=True), choose)
        rounds += match.dealt
        events += len(match.events)
    return rounds, events


def play(seed, choose):
    match = Match(RULES)
    while not match.over:
        if match.between_hands:
            match.deal(Wall.from_seed(seed, match.dealt))
        for seat, action in [(seat, choose(menu)) for seat, menu in match.pending.items()]:
            match.answer(seat, action)
    return match


def random_policy(rng):
    def choose(menu):
        return menu[int(rng.random() * len(menu))]

    return choose


def tsumogiri(menu):
    if menu[-1].type == NONE:
        return menu[-1]
    for action in menu:
        if action.type == DAHAI and action.flag:
            return action
    return menu[-1]


if __name__ == "__main__":
    main()
