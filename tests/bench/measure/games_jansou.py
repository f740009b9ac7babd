"""Whole games with jansou, its records kept, a uniform random legal policy: `SCRIPT GAMES`.

`Environment.play` is used: `Environment.run`, which shows each event to four agents, is slower.
"""

import sys
from random import Random

from jansou.core.rules import preset
from jansou.game.environment import Environment
from stopwatch import tell, timed

WARM_GAMES = 1
RULES = preset("tenhou")


def main():
    games = int(sys.argv[1])
    rng = Random(1)
    timed(play_all, range(1_000_000, 1_000_000 + WARM_GAMES), rng)
    spent, played = timed(play_all, range(games), rng)
    rounds = sum(len(game.records) for game in played)
    events = sum(len(record) for game in played for record in game.records)
    tell(rounds, spent, rounds=rounds, games=games, events_per_round=events / rounds)


def play_all(numbers, rng):
    return [play(number, rng) for number in numbers]


def play(number, rng):
    game = Environment(RULES, seed=number)
    steps = game.play()
    request = next(steps)
    while True:
        legal = request.actions
        try:
            request = steps.send(legal[int(rng.random() * len(legal))])
        except StopIteration:
            return game


if __name__ == "__main__":
    main()
