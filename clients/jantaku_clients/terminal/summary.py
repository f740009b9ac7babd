"""A game on one page: every hand with its result, the biggest hand, the placements."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from jantaku_engine import events as ev
from jantaku_engine.events import Event
from jantaku_engine.rules import Ruleset
from jantaku_engine.table import Table
from jantaku_replays.files import printable
from jantaku_replays.record import Record

from ..command import counted
from .tell import DRAW_WORDS, ranking_lines, value_words, yaku_words
from .tiles import Look, hand_text, meld_text


def summary_lines(record: Record, names: Sequence[str], look: Look) -> list[Text]:
    """The summary of a game that was completed by the engine."""
    shown = [printable(name) for name in names]
    rules = record.rules
    hands = counted(len(record.kyokus), "hand")
    lines = [Text(f"{hands}, {rules.length}, rules {rules}", style="bold")]
    biggest: tuple[ev.Hora, str, Text] | None = None
    for kyoku in record.kyokus:
        wins = [event for event in kyoku.events if isinstance(event, ev.Hora)]
        for number, win in enumerate(wins):
            title = kyoku.title if not number else ""
            lines.append(_win_line(title, win, shown))
            if biggest is None or win.points > biggest[0].points:
                biggest = (win, kyoku.title, _melds(rules, kyoku.events, win, look))
        for event in kyoku.events:
            if isinstance(event, ev.Ryukyoku):
                lines.append(_draw_line(kyoku.title, event, shown))
    if biggest is not None:
        lines += _biggest_lines(*biggest, shown, look)
    end = record.end[0]
    if record.whole and isinstance(end, ev.EndGame):
        lines += [Text(), *ranking_lines(end, names)]
    return lines


def _win_line(title: str, win: ev.Hora, names: Sequence[str]) -> Text:
    how = "tsumo" if win.actor == win.target else f"ron from {names[win.target]}"
    return _row(title, names[win.actor], win.points).append(f"  {how}, {value_words(win)}")


def _draw_line(title: str, event: ev.Ryukyoku, names: Sequence[str]) -> Text:
    tenpai = ", ".join(names[seat] for seat in range(4) if event.tenpais[seat])
    words = DRAW_WORDS[event.reason]
    return _row(title, "draw", None).append(f"  {words}{f'; tenpai: {tenpai}' if tenpai else ''}")


def _row(title: str, name: str, points: int | None) -> Text:
    cell = Text(name)
    cell.truncate(16, overflow="ellipsis", pad=True)
    amount = f"{points:>8,}" if points is not None else " " * 8
    line = Text(f"  {title:<6}", style="bold").append_text(cell)
    return line.append(amount)


def _melds(rules: Ruleset, events: Sequence[Event], win: ev.Hora, look: Look) -> Text:
    """The winner's melds, found among the events of the hand."""
    table = Table(rules)
    for event in events:
        if event is win:
            break
        table.apply(event)
    text = Text()
    for meld in table.hands[win.actor].melds:
        text.append("  ").append_text(meld_text(meld, win.actor, look))
    return text


def _biggest_lines(
    win: ev.Hora, title: str, melds: Text, names: Sequence[str], look: Look
) -> list[Text]:
    return [
        Text(),
        Text(f"biggest hand: {names[win.actor]}, {title}, {win.points:,} points", style="bold"),
        Text("  ").append_text(hand_text(win.tehai, win.pai, look)).append_text(melds),
        Text(f"  {yaku_words(win, look)} ({value_words(win)})"),
    ]
