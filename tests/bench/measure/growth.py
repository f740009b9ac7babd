"""Whether many games are played as fast as few, in as much memory: `growth.py BOTS ROUNDS`.

Games are played as `jantaku simulate` plays them: one after the other, counted and let go. Each
tenth of the work is timed apart; the memory is what the process holds at its end.
"""

import sys
from pathlib import Path
from time import process_time

from stopwatch import tell, timed

from jantaku_clients.simulate import Setup, play
from jantaku_clients.tally import Tally
from jantaku_engine.rules import Ruleset

WARM_GAMES = 3
PAGE_KIB = 4


def main():
    bots, wanted = sys.argv[1], int(sys.argv[2])
    setup = Setup(Ruleset(), (bots,) * 4, 1)
    for number in range(WARM_GAMES):
        play(setup, 1_000_000 + number)
    spent, (rounds, parts) = timed(play_all, setup, wanted)
    tell(rounds, spent, parts=parts)


def play_all(setup, wanted):
    tally = Tally()
    parts = []
    number = rounds = 0
    for tenth in range(1, 11):
        before, since = rounds, process_time()
        while rounds < wanted * tenth // 10:
            match = play(setup, number).match
            tally.count(match.events)
            rounds += match.dealt
            number += 1
        rate = (rounds - before) / (process_time() - since)
        parts.append({"rounds": rounds, "rate": rate, "kib": resident_kib()})
    return rounds, parts


def resident_kib():
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE_KIB


if __name__ == "__main__":
    main()
