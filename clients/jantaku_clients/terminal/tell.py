"""What happened, in words: events, wins, draws, the end of a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from jantaku_engine import events as ev
from jantaku_engine.events import Event
from jantaku_engine.tiles import UNKNOWN
from jantaku_engine.yaku.catalogue import YAKU
from jantaku_replays.files import printable

from .tiles import Look, hand_text, tile_text, tiles_text

DRAW_WORDS: Final = {
    ev.EXHAUSTIVE: "the wall is empty",
    ev.NAGASHI_MANGAN: "nagashi mangan",
    ev.KYUUSHU_KYUUHAI: "nine kinds of terminals and honours (kyuushu kyuuhai)",
    ev.SUUFON_RENDA: "four equal winds discarded (suufon renda)",
    ev.SUUCHA_RIICHI: "four riichi (suucha riichi)",
    ev.SANCHAHOU: "three rons on one tile (sanchahou)",
    ev.SUUKAIKAN: "four kans (suukaikan)",
}
PLACES: Final = ("1st", "2nd", "3rd", "4th")
_NAKI: Final = {ev.CHI: "chi", ev.PON: "pon", ev.DAIMINKAN: "kan"}
_LIMIT_WORDS: Final = {"kazoe_yakuman": "counted yakuman"}


def event_text(event: Event, names: Sequence[str], look: Look) -> Text:
    """One event as a sentence."""
    text = Text()
    actor: int = getattr(event, "actor", -1)
    if actor >= 0:
        text.append(printable(names[actor]), style="bold").append(" ")
    if isinstance(event, ev.StartKyoku):
        return text.append("the hand is dealt")
    if isinstance(event, ev.Tsumo):
        return _with_tile(text.append("draws "), event.pai, look)
    if isinstance(event, ev.Dahai):
        _with_tile(text.append("discards "), event.pai, look)
        return text.append(" as drawn" if event.tsumogiri else "")
    if isinstance(event, ev.Naki):
        text.append(f"calls {_NAKI[event.type]} on ")
        _with_tile(text, event.pai, look).append(" with ")
        return text.append_text(tiles_text(event.consumed, look))
    if isinstance(event, ev.Kakan):
        return _with_tile(text.append("adds "), event.pai, look).append(" to a pon (kakan)")
    if isinstance(event, ev.Ankan):
        return text.append("makes a concealed kan of ").append_text(
            tiles_text(event.consumed, look)
        )
    if isinstance(event, ev.Dora):
        return _with_tile(text.append("new dora indicator "), event.dora_marker, look)
    if isinstance(event, ev.Reach):
        return text.append("declares open riichi" if event.open else "declares riichi")
    if isinstance(event, ev.ReachAccepted):
        return text.append("pays the riichi deposit")
    if isinstance(event, ev.Hora):
        return _win_title(event, names, look)
    if isinstance(event, ev.Ryukyoku):
        return text.append(f"draw: {DRAW_WORDS[event.reason]}")
    if isinstance(event, ev.EndKyoku):
        return text.append("the hand is over")
    return text.append("the game is over" if isinstance(event, ev.EndGame) else "the game begins")


def _with_tile(text: Text, tile: int, look: Look) -> Text:
    if tile == UNKNOWN:
        return text.append("a tile")
    text.append_text(tile_text(tile, look, "bold"))
    return text


def _win_title(event: ev.Hora, names: Sequence[str], look: Look) -> Text:
    text = Text(printable(names[event.actor]), style="bold")
    if event.actor == event.target:
        return _with_tile(text.append(" wins by tsumo on "), event.pai, look)
    _with_tile(text.append(" wins by ron on "), event.pai, look)
    return text.append(" from ").append(printable(names[event.target]), style="bold")


def value_words(event: ev.Hora) -> str:
    """Han, fu and limit of a win: `4 han 30 fu`, `5 han 40 fu, mangan`, `double yakuman`."""
    if event.yakuman:
        multiple = f"{event.yakuman:g}"
        times = {"1": "", "2": "double ", "3": "triple "}.get(multiple, f"{multiple} times ")
        return f"{times}yakuman"
    words = f"{event.han} han {event.fu} fu"
    return words if event.limit == "none" else f"{words}, {limit_word(event.limit)}"


def limit_word(limit: str) -> str:
    """The name of a limit for people."""
    return _LIMIT_WORDS.get(limit, limit)


def yaku_words(event: ev.Hora, look: Look) -> str:
    """Each yaku and each kind of dora of a win, with its han or multiple."""
    separator = " · " if look.unicode else ", "
    return separator.join(f"{words} {value}" for words, value in _yaku_items(event, look))


def _yaku_items(event: ev.Hora, look: Look) -> list[tuple[str, str]]:
    unit = "×" if look.unicode else "x"
    items: list[tuple[str, str]] = []
    for name, value in event.yaku:
        words = name.replace("_", " ")
        kanji = YAKU[name].kanji if name in YAKU and look.unicode else ""
        items.append(
            (f"{words} {kanji}".strip(), f"{unit}{value:g}" if event.yakuman else f"{value:g}")
        )
    counts = (("dora", event.dora), ("ura dora", event.ura), ("red fives", event.aka))
    return items + [(words, str(count)) for words, count in counts if count]


def result_lines(event: ev.Hora | ev.Ryukyoku, names: Sequence[str], look: Look) -> list[Text]:
    """A win or draw in full: hand, yaku, han, fu, and what everybody pays and has."""
    lines = [event_text(event, names, look)]
    if isinstance(event, ev.Hora):
        lines.append(Text("  ").append_text(hand_text(event.tehai, event.pai, look)))
        if event.ura_markers:
            lines.append(Text("  ura indicators ").append_text(tiles_text(event.ura_markers, look)))
        lines.append(Text(f"  {yaku_words(event, look)}"))
        lines.append(Text(f"  {value_words(event)}: {event.points:,} points", style="bold"))
        if event.pao >= 0:
            lines.append(Text(f"  {printable(names[event.pao])} is liable (pao)"))
    else:
        for seat in range(4):
            if event.tenpais[seat]:
                hand = hand_text(event.tehais[seat], -1, look)
                lines.append(Text(f"  {printable(names[seat])} tenpai ").append_text(hand))
        for seat in event.nagashi:
            lines.append(Text(f"  {printable(names[seat])} has a nagashi mangan"))
    return lines + [
        payment_line(names[seat], event.deltas[seat], event.scores[seat]) for seat in range(4)
    ]


def payment_line(name: str, delta: int, score: int) -> Text:
    """A name, what it gains or loses, and its score after that."""
    line = Text("  ")
    shown = Text(printable(name))
    shown.truncate(20, overflow="ellipsis", pad=True)
    line.append_text(shown)
    style = "green" if delta > 0 else "red" if delta else "dim"
    return line.append(f"{delta:>+9,}" if delta else " " * 9, style=style).append(f"{score:>10,}")


def ranking_lines(event: ev.EndGame, names: Sequence[str]) -> list[Text]:
    """The end of a game: places, names, scores, points with uma."""
    order = sorted(range(4), key=lambda seat: event.ranks[seat])
    lines = [Text("the game is over", style="bold")]
    for seat in order:
        name = Text(printable(names[seat]))
        name.truncate(20, overflow="ellipsis", pad=True)
        lines.append(
            Text(f"  {PLACES[event.ranks[seat] - 1]} ")
            .append_text(name)
            .append(f"{event.scores[seat]:>10,}{event.points[seat]:>+9.1f}")
        )
    return lines
