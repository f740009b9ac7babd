"""A small kit for tests of winning hands: ask in the words of `jantaku score`."""

from __future__ import annotations

from typing import Any

from jantaku_engine.melds import parse_meld
from jantaku_engine.options import Choice, Number
from jantaku_engine.rules import OPTIONS, Ruleset
from jantaku_engine.tiles import parse_mpsz
from jantaku_engine.win import RIICHI_NAMES, Win, WinResult, check_win, evaluate

WINDS = "ESWN"


def question(text: str, *facts: str, dora: str = "", ura: str = "", **numbers: int) -> Win:
    """The question of `345m22z+2z`, with facts in any order.

    Facts are melds (`pon 777z`), `ron` or `tsumo`, two winds (`SE`: seat South, round East),
    a kind of riichi (`riichi`, `double`, `open`, `open_double`), and names of attributes of
    `Win` that are true. Without them: ron, seat South, round East.
    """
    hand, _, win_tile = text.partition("+")
    known: dict[str, Any] = {"tsumo": False, "seat_wind": 1, "round_wind": 0}
    melds = []
    for fact in facts:
        if " " in fact:
            melds.append(parse_meld(fact))
        elif fact in ("ron", "tsumo"):
            known["tsumo"] = fact == "tsumo"
        elif fact in RIICHI_NAMES:
            known["riichi"] = RIICHI_NAMES.index(fact)
        elif len(fact) == 2:
            known["seat_wind"], known["round_wind"] = map(WINDS.index, fact)
        else:
            known[fact] = True
    return Win(
        hand=tuple(parse_mpsz(hand)),
        win_tile=parse_mpsz(win_tile)[0],
        melds=tuple(melds),
        dora=tuple(parse_mpsz(dora)),
        ura=tuple(parse_mpsz(ura)),
        **known,
        **numbers,
    )


def score(text: str, *facts: str, rules: Ruleset | None = None, **more: Any) -> WinResult:
    """The result of a question under `rules`, or under standard rules.

    `more` are dora, ura, numbers of `Win`, and options of the rules.
    """
    asked = {name: more.pop(name) for name in tuple(more) if name in _OF_WIN}
    win = question(text, *facts, **asked)
    rules = rules or Ruleset.from_dict(more)
    check_win(win, rules)
    return evaluate(win, rules)


_OF_WIN = ("dora", "ura", "honba", "kept", "wins")


def yaku(text: str, *facts: str, **more: Any) -> dict[str, float]:
    """Yaku and their values; empty for no win."""
    return dict(score(text, *facts, **more).yaku)


def has(**values: float) -> dict[str, Any]:
    """The expectation that a hand has exactly these yaku."""
    return {"yaku": values}


Row = tuple[str, Any, str, list[str], dict[str, Any], dict[str, Any]]
"""Option, its value, hand, facts, other options and numbers, what must come out."""


def check_row(row: Row) -> None:
    """The hand of a row comes out as it says."""
    option, value, text, facts, more, expected = row
    result = score(text, *facts, **{option: value}, **more)
    found = {name: getattr(result, name) for name in expected}
    if "yaku" in found:
        found["yaku"] = dict(found["yaku"])
    assert found == expected
    for name, number in result.yaku:
        assert type(number) is (float if number == 1.5 else int), name


def check_values(name: str, rows: list[Row]) -> None:
    """The rows try every value of an option, or several where it is a number."""
    tried = [row[1] for row in rows if row[0] == name]
    domain = OPTIONS[name].domain
    if isinstance(domain, Choice):
        assert {(type(v), v) for v in tried} == {(type(v), v) for v in domain.values}
    else:
        assert isinstance(domain, Number)
        numbers = {value for value in tried if type(value) is int}
        assert len(numbers) + len(domain.words) >= 2
        assert set(domain.words) <= set(tried)
