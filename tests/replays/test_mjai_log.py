"""Plain mjai logs: those of other programs, with little in them, and broken ones."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
import record_kit as kit

from jantaku_engine.rules import Ruleset
from jantaku_replays import convert, mjai_log, native
from jantaku_replays.files import parse
from jantaku_replays.record import NotRiichiError, Record, RecordError
from jantaku_replays.verify import verify

Lines = list[dict[str, Any]]

SLIM = {
    "start_game": ("type", "names"),
    "start_kyoku": ("type", "bakaze", "dora_marker", "kyoku", "honba", "oya", "tehais"),
    "hora": ("type", "actor", "target", "ura_markers"),
    "ryukyoku": ("type",),
    "reach_accepted": ("type", "actor"),
    "end_game": ("type",),
}
"""The least that a program writes: no scores, no payments, no reason of a draw."""


def corpus_game(feature: str) -> Record:
    name = kit.games_with(feature)[0]
    return convert.completed(parse(kit.corpus_texts()[name].encode(), name))


def lines_of(record: Record) -> Lines:
    return [json.loads(line) for line in mjai_log.dumps(record).splitlines()]


def read(lines: Lines) -> Record:
    text = "".join(json.dumps(line) + "\n" for line in lines)
    return parse(text.encode(), "game.jsonl")


def game() -> Lines:
    events = kit.play(Ruleset.preset("tenhou", length="tonpuu"), 2).events
    return lines_of(convert.completed(parse(native.dumps(events).encode(), "game")))


@pytest.mark.parametrize(
    "feature",
    [
        *("abort_yao9", "abort_kaze4", "abort_reach4", "abort_ron3", "abort_kan4"),
        *("nagashi_mangan", "double_ron", "yaku_03_chankan", "pao", "end_dealer_tenpai_yame"),
        *("exhaustive_draw_tenpai_4", "exhaustive_draw_tenpai_0", "yaku_37_tenhou"),
    ],
)
def test_what_a_log_leaves_out_is_found_by_the_engine(feature: str) -> None:
    record = corpus_game(feature)
    slim = [
        {key: line[key] for key in line if key in SLIM.get(line["type"], line)}
        for line in lines_of(record)
    ]
    again = convert.completed(read(slim))
    for before, after in zip(record.kyokus, again.kyokus, strict=True):
        for left, right in zip(before.events, after.events, strict=True):
            assert left == right
    assert again.end[0].to_mjai()["scores"] == record.end[0].to_mjai()["scores"]


def test_messages_of_other_kinds_and_a_list_of_messages_are_read() -> None:
    lines = game()
    lines.insert(3, {"type": "none"})
    lines.insert(0, {"type": "hello", "protocol": "mjsonp"})
    assert verify(parse(json.dumps(lines).encode(), "game")).mismatches == []
    assert verify(read(lines)).mismatches == []


def test_a_log_without_a_head_is_read() -> None:
    lines = game()[1:]
    record = read(lines)
    assert record.names == ("", "", "", "")
    assert record.rules.preset_name == "tenhou"
    assert verify(record).mismatches == []


def test_a_dora_indicator_may_stand_anywhere_in_its_hand() -> None:
    record = corpus_game("meld_daiminkan")
    lines = lines_of(record)
    places = [i for i, line in enumerate(lines) if line["type"] == "dora"]
    assert places
    for place in places:
        lines[place - 1], lines[place] = lines[place], lines[place - 1]
    assert verify(read(lines)).mismatches == []


def test_reasons_of_older_programs() -> None:
    lines = game()
    draws = [line for line in lines if line["type"] == "ryukyoku"]
    assert draws
    for line in draws:
        assert line["reason"] == "exhaustive"
        line["reason"] = "fanpai"
    assert verify(read(lines)).mismatches == []
    draws[0]["reason"] = "sukaikan"
    assert "ryukyoku reason" in kit.whats(verify(read(lines)).mismatches)


@pytest.mark.parametrize("field", ["deltas", "scores"])
def test_payments_are_compared(field: str) -> None:
    lines = game()
    win = next(line for line in lines if line["type"] == "hora")
    win[field][0] += 100
    (first, *_) = verify(read(lines)).mismatches
    assert first.what == f"hora {field}"
    assert first.place == f"line {lines.index(win) + 1}"


def test_yaku_in_our_names_are_compared_and_others_not() -> None:
    lines = game()
    win = next(line for line in lines if line["type"] == "hora" and line["yakus"])
    win["fan"] += 1
    assert "hora fan" in kit.whats(verify(read(lines)).mismatches)
    win["yakus"][0][0] = "tanyaochu"
    assert verify(read(lines)).mismatches == []


def tsumo(lines: Lines, number: int = 0) -> int:
    return [i for i, line in enumerate(lines) if line["type"] == "tsumo"][number]


Edit = Callable[[Lines], object]


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (lambda lines: lines.insert(2, lines[1]), "line 3: a hand begins, but E1-0 has no result"),
        (lambda lines: lines.pop(1), "line 2: tsumo stands before the first start_kyoku"),
        (lambda lines: lines.__delitem__(slice(9, None)), "line 9: the log ends before E1-0 does"),
        (lambda lines: lines.__delitem__(slice(1, None)), "has no hand (start_kyoku)"),
        (lambda lines: lines.insert(1, lines[0]), "line 2: a second start_game"),
        (lambda lines: lines.append(lines[1]), "stands after end_game"),
        (lambda lines: lines[2].update(type="nuki"), "line 3: 'nuki' is no mjai event"),
        (lambda lines: lines[2].update(type=[]), "line 3: type must be a text, not []"),
        (lambda lines: lines[2].update(pai="9z"), "line 3: tsumo: field pai: '9z' is no tile"),
        (lambda lines: lines[2].update(pai="?"), "line 3: a hidden tile"),
        (lambda lines: lines[1]["tehais"][0].__setitem__(0, "?"), "line 2: has hidden tiles"),
        (lambda lines: lines[1]["tehais"][0].pop(), "line 2: start_kyoku: field tehais"),
        (lambda lines: lines[1].update(oya=1), "line 2: seat 1 cannot be the dealer"),
        (lambda lines: lines[1].update(scores=[1]), "line 2: scores: has 1 entries, not 4"),
        (
            lambda lines: lines[1]["tehais"].__setitem__(0, ["1s"] * 5 + lines[1]["tehais"][0][5:]),
            "E1-0, shows 1s more often than the set has it (4)",
        ),
        (lambda lines: lines[3].update(pai="9z"), "line 4: dahai: field pai"),
        (lambda lines: lines[3].update(actor=2), "line 4: {'type': 'dahai', 'actor': 2"),
        (lambda lines: lines.pop(3), "it is the turn of seat 0"),
        (lambda lines: lines.pop(4), "seat 1 must draw here"),
        (
            lambda lines: lines.insert(
                4,
                {"type": "pon", "actor": 2, "target": 0, "pai": lines[3]["pai"],
                 "consumed": [lines[3]["pai"]] * 2},
            ),
            "is illegal",
        ),
        (lambda lines: lines[0].update(names=["a"] * 5), "names: has 5 entries"),
        (lambda lines: lines[0].update(names=[1] * 4), "names: must be a text"),
        (lambda lines: lines[0].update(rules={"preset": "x"}), "rules: preset 'x'"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_its_line(edit: Edit, why: str) -> None:
    lines = game()
    edit(lines)
    with pytest.raises(RecordError) as error:
        read(lines)
    assert why in str(error.value)


def test_three_players_are_another_game() -> None:
    lines = game()
    lines[0]["names"] = ["a", "b", "c"]
    with pytest.raises(NotRiichiError, match="a game of 3 players"):
        read(lines)
