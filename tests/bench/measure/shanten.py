"""Shanten of distinct hands of 13 tiles: `shanten.py jantaku|xiangting COUNTS WARM TIMED`.

Both libraries are given a list of how many tiles of each kind the hand has, made beforehand.
The first WARM hands of the file warm up; then TIMED others are counted, each of them once.
"""

import sys
from pathlib import Path

from stopwatch import tell, timed


def main():
    peer, path, warm, number = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    data = Path(path).read_bytes()
    if len(data) < 34 * (warm + number):
        sys.exit(f"{path}: fewer than {warm + number} hands")
    hands = [list(data[34 * i : 34 * i + 34]) for i in range(warm + number)]
    work = jantaku() if peer == "jantaku" else xiangting()
    cold, _ = timed(work, hands[:warm])
    spent, total = timed(work, hands[warm:])
    tell(number, spent, cold_rate=warm / cold.cpu if warm else 0, checksum=total)


def jantaku():
    from jantaku_engine.shapes import shanten

    def work(hands):
        total = 0
        for hand in hands:
            total += shanten(hand, 0)
        return total

    return work


def xiangting():
    from xiangting import PlayerCount, calculate_replacement_number

    four = PlayerCount.FOUR

    def work(hands):
        total = 0
        for hand in hands:
            total += calculate_replacement_number(hand, four)
        return total - len(hands)

    return work


if __name__ == "__main__":
    main()
