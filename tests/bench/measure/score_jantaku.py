"""Scoring with Jantaku: `Win` is built for each call."""

from stopwatch import as_result, run_scoring

from jantaku_engine.melds import Meld
from jantaku_engine.rules import Ruleset
from jantaku_engine.win import Win, evaluate

RULES = Ruleset.preset("tenhou")


def prepare(win):
    return (
        tuple(win["hand"]),
        win["win"],
        tuple((m["type"], tuple(m["tiles"]), m["called"], m["from"]) for m in win["melds"]),
        win["tsumo"],
        win["seat"],
        win["round"],
        win["riichi"],
        win["ippatsu"],
        win["last_tile"],
        win["rinshan"],
        win["chankan"],
        tuple(win["dora"]),
        tuple(win["ura"]),
        win["honba"],
    )


def evaluated(plain):
    (
        hand,
        tile,
        melds,
        tsumo,
        seat,
        round_,
        riichi,
        ippatsu,
        last,
        rinshan,
        chankan,
        dora,
        ura,
        honba,
    ) = plain
    win = Win(
        hand,
        tile,
        tuple([Meld(*meld) for meld in melds]),
        tsumo,
        seat,
        round_,
        riichi,
        ippatsu,
        last,
        rinshan,
        chankan,
        False,
        dora,
        ura,
        honba,
    )
    return evaluate(win, RULES)


def score(plain):
    result = evaluated(plain)
    return result.pay_others or result.pay_discarder


def read(plain):
    result = evaluated(plain)
    payments = [result.pay_discarder, result.pay_dealer, result.pay_others]
    return as_result(result.han, result.fu, bool(result.yakuman), payments)


if __name__ == "__main__":
    run_scoring(prepare, score, read)
