"""What every measurement shares: a fixed amount of work, timed once, told as one line of JSON.

The rate is that of the process's own CPU seconds, so that whoever else uses the machine does
not come into it; on a quiet machine they are the seconds of the clock, which are told as well.
"""

import gc
import json
import resource
import sys
from pathlib import Path
from time import perf_counter, process_time
from typing import NamedTuple


class Spent(NamedTuple):
    """Seconds of the CPU and of the clock."""

    cpu: float
    wall: float


def timed(work, *arguments):
    """What a call spends, and what it returns.

    What lies ready, the inputs above all, is no business of the garbage collector meanwhile.
    """
    gc.collect()
    gc.freeze()
    cpu, wall = process_time(), perf_counter()
    result = work(*arguments)
    return Spent(process_time() - cpu, perf_counter() - wall), result


def tell(units, spent, **facts):
    """The result: units of work a second, and whatever else is worth knowing."""
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    result = {"rate": units / spent.cpu, "units": units, "cpu": spent.cpu, "wall": spent.wall}
    engine = sys.modules.get("jantaku_engine.tiles")
    if engine is not None:
        result["compiled"] = not engine.__file__.endswith(".py")
    print(json.dumps({**result, "peak_kib": memory, **facts}))


def score_all(score, hands, passes):
    """Score the hands `passes` times, after a first pass that warms up and is timed apart.

    `score` takes one hand as plain data, builds what its library wants, and returns what the
    winner is paid by one payer.
    """
    cold, _ = timed(score_once, score, hands)
    spent, total = timed(score_often, score, hands, passes)
    tell(passes * len(hands), spent, first_pass_rate=len(hands) / cold.cpu, checksum=total)


def score_new(score, hands):
    """Score each hand once; those that count come after as many others as half of them."""
    begin = len(hands) // 3
    score_once(score, hands[:begin])
    spent, _ = timed(score_once, score, hands[begin:])
    tell(len(hands) - begin, spent)


def score_once(score, hands):
    for hand in hands:
        score(hand)


def score_often(score, hands, passes):
    total = 0
    for _ in range(passes):
        for hand in hands:
            total += score(hand)
    return total


def run_scoring(prepare, score, read):
    """`SCRIPT WINS PASSES`; `SCRIPT WINS new`: each hand once; `SCRIPT WINS results`: print han,
    fu and payments of each hand.
    """
    hands = [prepare(win) for win in json.loads(Path(sys.argv[1]).read_bytes())]
    if sys.argv[2] == "results":
        print(json.dumps([read(hand) for hand in hands]))
    elif sys.argv[2] == "new":
        score_new(score, hands)
    else:
        score_all(score, hands, int(sys.argv[2]))


def as_result(han, fu, yakuman, payments):
    """One result in a form that every library can give: payments by discarder, dealer, others.

    Whether a yakuman has han and fu is a matter of taste: it has none here.
    """
    return [0, 0, payments] if yakuman else [han, fu, payments]


class Ids:
    """Gives each tile code of one hand a physical tile, 0-135; red fives are 16, 52, 88."""

    def __init__(self):
        self._next = {}

    def of(self, code):
        if code >= 34:
            return (16, 52, 88)[code - 34]
        first = 1 if code in (4, 13, 22) else 0
        used = self._next.get(code, first)
        self._next[code] = used + 1
        return code * 4 + used

    def all(self, codes):
        return [self.of(code) for code in codes]
