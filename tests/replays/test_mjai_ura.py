"""mjai logs whose wins in riichi do not show the ura dora indicators."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chain_kit
import pytest
import record_kit as kit

from jantaku_clients.cli import main
from jantaku_engine import events as ev
from jantaku_replays import convert, mjai_log
from jantaku_replays.files import parse
from jantaku_replays.record import Record
from jantaku_replays.verify import verify

Lines = list[dict[str, Any]]
FIGURES = ("fan", "fu", "hora_points", "deltas", "scores", "yakus")


def riichi_wins(record: Record) -> list[ev.Hora]:
    events = (event for kyoku in record.kyokus for event in kyoku.events)
    return [event for event in events if isinstance(event, ev.Hora) and event.ura_markers]


@functools.cache
def games() -> tuple[Record, ...]:
    """Games with ura dora: by ron, by tsumo, after a kan, and of two winners on one tile."""
    chosen: list[Record] = []
    names = [
        "g0001.xml",
        *kit.games_with("double_ron")[:20],
        *kit.games_with("rounds_with_2+_kan")[:20],
    ]
    doubles = kans = 0
    for name in names:
        record = convert.completed(parse(kit.corpus_texts()[name].encode(), name))
        wins = riichi_wins(record)
        double = any(
            sum(isinstance(e, ev.Hora) and bool(e.ura_markers) for e in kyoku.events) > 1
            for kyoku in record.kyokus
        )
        kan = any(len(win.ura_markers) > 1 and win.ura for win in wins)
        if not chosen or (double and doubles < 1) or (kan and kans < 1):
            doubles += double
            kans += kan
            chosen.append(record)
    assert doubles
    assert kans
    return tuple(chosen)


def stripped(record: Record, keep: tuple[str, ...], starts: bool = False) -> Lines:
    """The game as mjai without ura indicators; its wins have only the figures to `keep`."""
    lines: Lines = [json.loads(line) for line in mjai_log.dumps(record).splitlines()]
    for line in lines:
        if line["type"] == "hora":
            for name in {"ura_markers", *FIGURES} - set(keep):
                line.pop(name, None)
        elif not starts:
            line.pop("scores", None)
    return lines


def read(lines: Lines) -> Record:
    text = "".join(json.dumps(line) + "\n" for line in lines)
    return parse(text.encode(), "game.jsonl")


@pytest.mark.parametrize(
    ("keep", "starts"),
    [
        (FIGURES, True),
        (FIGURES, False),
        (("deltas",), False),
        (("scores",), False),
        (("fan", "fu", "hora_points"), False),
        (("yakus",), False),
        ((), True),
    ],
)
def test_as_many_ura_dora_are_taken_as_the_figures_tell(
    keep: tuple[str, ...], starts: bool
) -> None:
    for record in games():
        read_record = read(stripped(record, keep, starts))
        tally = verify(read_record)
        assert tally.mismatches == []
        assert tally.ura_unknown == len(riichi_wins(record))
        again = convert.completed(read_record)
        for before, after in zip(riichi_wins(record), riichi_wins(again), strict=True):
            assert after.deltas == before.deltas
            if "fan" in keep or "yakus" in keep:
                assert (after.han, after.ura) == (before.han, before.ura)


def test_a_log_that_tells_nothing_has_the_fewest_and_stays_legal_in_every_form() -> None:
    """Where such scores do not end the game when it did, its hands stand alone."""
    for record in games():
        again = convert.completed(read(stripped(record, ())))
        assert sum(win.ura for win in riichi_wins(again)) <= sum(
            win.ura for win in riichi_wins(record)
        )
        for form in convert.FORMS:
            if form == "tenhou-xml" and not again.whole:
                continue
            chain_kit.assert_same_game(again, chain_kit.through(again, form))


def test_an_empty_list_tells_nothing() -> None:
    lines = stripped(games()[0], FIGURES)
    for line in lines:
        if line["type"] == "hora":
            line["ura_markers"] = []
    assert verify(read(lines)).mismatches == []


def wrong_fan(win: dict[str, Any]) -> None:
    win["fan"] += 40


def wrong_payment(win: dict[str, Any]) -> None:
    win["deltas"][0] += 100


@pytest.mark.parametrize(
    ("edit", "what"), [(wrong_fan, "hora fan"), (wrong_payment, "hora deltas")]
)
def test_everything_else_is_checked(edit: Callable[[dict[str, Any]], None], what: str) -> None:
    lines = stripped(games()[0], FIGURES, starts=True)
    wins = [line for line in lines if line["type"] == "hora"]
    riichi = next(win for win in wins if any(name == "riichi" for name, _ in win["yakus"]))
    edit(riichi)
    assert kit.whats(verify(read(lines)).mismatches) == [what]


def test_the_report_says_that_they_could_not_be_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = games()[0]
    count = len(riichi_wins(record))
    path = tmp_path / "game.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in stripped(record, FIGURES)))
    assert main(["replay", "verify", str(path)]) == 0
    assert f"\n{count} wins in riichi whose ura dora could not be checked" in (
        capsys.readouterr().out
    )
    assert main(["replay", "verify", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ura_unknown"] == count
    assert main(["replay", "convert", str(path), str(tmp_path / "game.json")]) == 0
    assert f"; invented: ura dora indicators of {count} wins" in capsys.readouterr().out
