"""Write what both sides of a pair are given: the same hands, made once from a seed.

    python inputs.py FOLDER

`wins.json` holds 2,000 winning hands, `other-wins.json` 60,000 others, `counts.bin` distinct hands
of 13 tiles, 34 bytes each (how many of each kind). Run it where Jantaku is installed: a hand
without a yaku is thrown away, because two of the peers refuse it instead of scoring it.
"""

import json
import sys
from pathlib import Path
from random import Random

from jantaku_engine.melds import ANKAN, CHI, DAIMINKAN, KAKAN, PON, Meld
from jantaku_engine.rules import Ruleset
from jantaku_engine.win import Win, evaluate

SEED = 20_240_601
WINS = 2_000
OTHER_WINS = 60_000
HANDS = 420_000

RED_OF = {4: 34, 13: 35, 22: 36}


class Retry(Exception):
    """The tiles of a hand ran out; begin it anew."""


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, number, seed in (("wins", WINS, SEED), ("other-wins", OTHER_WINS, SEED + 1)):
        wins = folder / f"{name}.json"
        if not wins.exists():
            made = json.dumps(make_wins(number, seed), separators=(",", ":"))
            write(wins, made.encode("ascii"))
    counts = folder / "counts.bin"
    if not counts.exists():
        write(counts, make_counts())


def write(path, data):
    part = path.with_suffix(".part")
    part.write_bytes(data)
    part.rename(path)


# ---------------------------------------------------------------------- winning hands


def make_wins(number, seed):
    """Winning hands with a yaku, no two the same."""
    rng = Random(seed)
    rules = Ruleset.preset("tenhou")
    found = {}
    while len(found) < number:
        try:
            win = make_win(rng)
        except Retry:
            continue
        if evaluate(question(win), rules).win:
            found.setdefault(json.dumps(win), win)
    return list(found.values())


def question(win):
    """What Jantaku is asked about a hand of the file."""
    return Win(
        tuple(win["hand"]),
        win["win"],
        tuple(Meld(m["type"], tuple(m["tiles"]), m["called"], m["from"]) for m in win["melds"]),
        tsumo=win["tsumo"],
        seat_wind=win["seat"],
        round_wind=win["round"],
        riichi=win["riichi"],
        ippatsu=win["ippatsu"],
        last_tile=win["last_tile"],
        rinshan=win["rinshan"],
        chankan=win["chankan"],
        dora=tuple(win["dora"]),
        ura=tuple(win["ura"]),
        honba=win["honba"],
    )


def make_win(rng):
    """A random winning hand; sets, calls, riichi and dora about as often as in real games."""
    left = [4] * 34
    reds = {4: True, 13: True, 22: True}

    def chance(share):
        return rng.random() < share

    def below(number):
        return int(rng.random() * number)

    def take(kind):
        if not left[kind]:
            raise Retry
        # One of the tiles of a five that are left is the red one.
        red = kind in RED_OF and reds[kind] and below(left[kind]) == 0
        left[kind] -= 1
        if red:
            reds[kind] = False
        return RED_OF[kind] if red else kind

    def run():
        first = 9 * below(3) + below(7)
        while first not in wanted or first + 2 not in wanted:
            first = 9 * below(3) + below(7)
        return [take(first + step) for step in range(3)]

    def same(size):
        kind = below(34)
        while kind not in wanted:
            kind = below(34)
        return copies(kind, size)

    def copies(kind, size):
        if size > left[kind]:
            raise Retry
        return [take(kind) for _ in range(size)]

    seat = below(4)
    round_ = below(2)
    wanted = range(34)
    form = rng.random()
    melds = []
    if form < 0.025:
        hand = []
        for kind in distinct(rng, 34, 7):
            hand += [take(kind), take(kind)]
    elif form < 0.026:
        orphans = (0, 8, 9, 17, 18, 26, *range(27, 34))
        hand = [take(kind) for kind in orphans] + [take(orphans[below(13)])]
    else:
        called = 0
        while called < 4 and chance((0.5, 0.55, 0.4, 0.1)[called]):
            called += 1
        sequences = (0.7, 0.7, 0.6, 0.5, 0.3)[called]
        # Called hands need a yaku: most are tanyao or yakuhai, some honitsu.
        aim = rng.random() if called else 1.0
        if aim < 0.4:
            wanted = [kind for kind in range(27) if 1 <= kind % 9 <= 7]
        elif 0.8 <= aim < 0.9:
            suit = below(3)
            wanted = [kind for kind in range(34) if kind // 9 in (suit, 3)]
        hand = same(2)
        for group in range(4):
            if group == 0 and 0.4 <= aim < 0.8:
                yakuhai = (31, 32, 33, 27 + seat, 27 + round_)[below(5)]
                melds.append(meld(PON, copies(yakuhai, 3), rng))
            elif group >= called:
                if chance(0.015):
                    melds.append(meld(ANKAN, same(4), rng))
                else:
                    hand += run() if chance(sequences) else same(3)
            elif chance(sequences):
                melds.append(meld(CHI, run(), rng))
            elif chance(0.1):
                melds.append(meld((DAIMINKAN, KAKAN)[below(2)], same(4), rng))
            else:
                melds.append(meld(PON, same(3), rng))
    win = hand.pop(below(len(hand)))
    closed = all(m["type"] == ANKAN for m in melds)
    riichi = int(closed and chance(0.7)) and (2 if chance(0.02) else 1)
    tsumo = chance(0.4)
    kans = sum(1 for m in melds if m["type"] in (DAIMINKAN, KAKAN, ANKAN))
    rinshan = bool(tsumo and kans and chance(0.2))
    chankan = not tsumo and chance(0.005)
    indicators = [take(below(34)) for _ in range(2 * (1 + kans))]
    return {
        "hand": hand,
        "win": win,
        "melds": melds,
        "tsumo": tsumo,
        "seat": seat,
        "round": round_,
        "riichi": riichi,
        "ippatsu": bool(riichi and not rinshan and chance(0.15)),
        "last_tile": not rinshan and not chankan and chance(0.02),
        "rinshan": rinshan,
        "chankan": chankan,
        "dora": indicators[: 1 + kans],
        "ura": indicators[1 + kans :] if riichi else [],
        "honba": below(3) if chance(0.3) else 0,
    }


def meld(type_, tiles, rng):
    """`from` is relative to the winner, who sits at seat 0: 3 = the seat before (kamicha)."""
    if type_ == ANKAN:
        return {"type": type_, "tiles": tiles, "called": -1, "from": -1}
    source = 3 if type_ == CHI else 1 + int(rng.random() * 3)
    return {
        "type": type_,
        "tiles": tiles,
        "called": tiles[int(rng.random() * 3)],
        "from": source,
    }


def distinct(rng, bound, number):
    chosen = []
    while len(chosen) < number:
        value = int(rng.random() * bound)
        if value not in chosen:
            chosen.append(value)
    return chosen


# ---------------------------------------------------------------------- hands of 13 tiles


def make_counts():
    """Hands dealt from a whole set, each of them once, in the order they came."""
    rng = Random(SEED + 1)
    tiles = list(range(136))
    seen = set()
    hands = []
    while len(hands) < HANDS:
        counts = bytearray(34)
        for place in range(13):
            other = place + int(rng.random() * (136 - place))
            tiles[place], tiles[other] = tiles[other], tiles[place]
            counts[tiles[place] // 4] += 1
        hand = bytes(counts)
        if hand not in seen:
            seen.add(hand)
            hands.append(hand)
    return b"".join(hands)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
