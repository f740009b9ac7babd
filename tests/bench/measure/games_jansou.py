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
    spent, (rounds, events) = timed(play_all, range(games), rng)
    tell(rounds, spent, rounds=rounds, games=games, events_per_round=events / rounds)


def play_all(numbers, rng):
    """Rounds and events of the games; each is let go when it is over."""
    rounds = events = 0
    for number in numbers:
        game = play(number, rng)
        rounds += len(game.records)
        events += sum(map(len, game.records))
    return rounds, events


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
