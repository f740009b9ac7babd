"""Whole games with riichienv, its event log on, a uniform random legal policy: `SCRIPT GAMES`."""

import sys
from random import Random

from riichienv import RiichiEnv
from stopwatch import tell, timed

WARM_GAMES = 3


def main():
    games = int(sys.argv[1])
    rng = Random(1)
    timed(play_all, range(1_000_000, 1_000_000 + WARM_GAMES), rng)
    spent, played = timed(play_all, range(games), rng)
    # To read the log is dear, so the games are kept for it until the clock has stopped.
    events = [event["type"] for game in played for event in game.mjai_log]
    rounds = events.count("start_kyoku")
    tell(rounds, spent, rounds=rounds, games=games, events_per_round=len(events) / rounds)


def play_all(numbers, rng):
    return [play(number, rng) for number in numbers]


def play(number, rng):
    game = RiichiEnv(game_mode="4p-red-half", skip_mjai_logging=False, seed=number)
    observations = game.reset()
    while not game.done():
        answers = {}
        for seat, observation in observations.items():
            legal = observation.legal_actions()
            answers[seat] = legal[int(rng.random() * len(legal))]
        observations = game.step(answers)
    return game


if __name__ == "__main__":
    main()
