"""Whole games with cmajiang, the drawn tile discarded each time: `SCRIPT GAMES`.

`Game()` keeps no record unless it is asked to, and is not asked here.
"""

import sys

from cmajiang import Game, Message, Status, set_seed
from stopwatch import tell, timed

WARM_GAMES = 3


def main():
    games = int(sys.argv[1])
    set_seed(1)
    timed(play_all, WARM_GAMES)
    spent, rounds = timed(play_all, games)
    tell(rounds, spent, rounds=rounds, games=games)


def play_all(games):
    return sum(play() for _ in range(games))


def play():
    game = Game()
    game.kaiju()
    rounds = 0
    while True:
        status = game.status
        if status in (Status.ZIMO, Status.GANGZIMO):
            game.reply(game.lunban_player_id, Message.DAPAI, game.get_dapai()[-1])
        elif status == Status.QIPAI:
            rounds += 1
        elif status == Status.JIEJI:
            return rounds
        game.next()


if __name__ == "__main__":
    main()
