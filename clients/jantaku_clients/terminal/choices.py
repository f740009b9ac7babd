"""What a player may do now, as a numbered menu: the tiles of the hand, then everything else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from rich.text import Text

from jantaku_engine import actions as act
from jantaku_engine.actions import Action
from jantaku_engine.menu import Menu
from jantaku_engine.table import Table
from jantaku_engine.tiles import sort_tiles

from .tiles import Look, tile_text, tiles_text

KEYS: Final = {
    act.HORA: "w",
    act.REACH: "r",
    act.CHI: "c",
    act.PON: "p",
    act.DAIMINKAN: "k",
    act.KAKAN: "k",
    act.ANKAN: "k",
    act.RYUUKYOKU: "d",
    act.NOTEN: "f",
    act.NONE: "x",
}
"""The key of each action that is no discard."""

_WORDS: Final = {
    act.REACH: "riichi",
    act.CHI: "chi",
    act.PON: "pon",
    act.DAIMINKAN: "kan",
    act.KAKAN: "kan",
    act.ANKAN: "kan",
    act.RYUUKYOKU: "draw (kyuushu kyuuhai)",
    act.NOTEN: "show no tenpai",
    act.NONE: "pass",
}


class Choice(NamedTuple):
    """One entry: its number, its place in the request's menu, its key ("" for a discard)."""

    number: int
    place: int
    action: Action
    key: str


class Question:
    """One request of the server, and how its time runs.

    Attributes:
        id: the request's. choices: by number. tiles: the hand as it is numbered, 1 first;
            drawn: whether the last of them is the tile just drawn. selected: index in `choices`.
    """

    def __init__(
        self, request: int, menu: Menu, table: Table, seat: int, time_ms: int, bank_ms: int
    ) -> None:
        hand = table.hands[seat]
        self.id = request
        self.menu = menu
        self.tiles = sort_tiles(hand.tiles_but_drawn())
        self.drawn = hand.drawn >= 0
        if self.drawn:
            self.tiles.append(hand.drawn)
        self.choices = _choices(menu, self.tiles, self.drawn)
        self.is_own_turn = table.turn == seat
        self.selected = self._default()
        self._time_ms = time_ms
        self._bank_ms = bank_ms

    def left(self, elapsed_ms: float) -> tuple[float, float]:
        """Milliseconds left of the free time and of the bank, as the server counts them.

        `elapsed_ms` is what has passed since the request came.
        """
        over = max(0.0, elapsed_ms - self._time_ms)
        return max(0.0, self._time_ms - elapsed_ms), max(0.0, self._bank_ms - over)

    def _default(self) -> int:
        """A win, else the drawn tile, else to pass, else the last entry."""
        for wanted in (act.HORA, act.DAHAI, act.NONE):
            for place in range(len(self.choices) - 1, -1, -1):
                action = self.choices[place].action
                if action.type == wanted and (wanted != act.DAHAI or action.flag):
                    return place
        discards = [p for p, choice in enumerate(self.choices) if not choice.key]
        return discards[-1] if discards else len(self.choices) - 1

    def move(self, by: int) -> None:
        """Select the next or previous entry."""
        self.selected = (self.selected + by) % len(self.choices)

    def press(self, key: str) -> Choice | None:
        """The only entry with this key; of several the next one is selected instead."""
        places = [place for place, choice in enumerate(self.choices) if choice.key == key]
        if len(places) == 1:
            return self.choices[places[0]]
        if places:
            later = [place for place in places if place > self.selected]
            self.selected = (later or places)[0]
        return None

    def numbered(self, number: int) -> Choice | None:
        """The entry with a number."""
        return next((choice for choice in self.choices if choice.number == number), None)


def _choices(menu: Menu, tiles: Sequence[int], drawn: bool) -> list[Choice]:
    """The discards by their place in the hand, then what else the menu has."""
    choices: list[Choice] = []
    listed: set[int] = set()
    for place, tile in enumerate(tiles):
        is_drawn = drawn and place == len(tiles) - 1
        action = (act.TSUMOGIRI if is_drawn else act.DISCARDS)[tile]
        if action in menu:
            index = menu.index(action)
            listed.add(index)
            choices.append(Choice(place + 1, index, action, ""))
    number = len(tiles)
    for index, action in enumerate(menu):
        if index not in listed:
            number += 1
            choices.append(Choice(number, index, action, KEYS.get(action.type, "")))
    return choices


def choice_words(choice: Choice, question: Question, look: Look) -> Text:
    """An entry that is no discard, in words."""
    action = choice.action
    if action.type == act.HORA:
        return Text("tsumo" if question.is_own_turn else "ron")
    if action.type == act.DAHAI:
        return Text("discard ").append_text(tile_text(action.tile, look))
    text = Text("open riichi" if action.type == act.REACH and action.flag else "")
    text.append("" if text else _WORDS[action.type])
    if action.tile >= 0:
        text.append(" ").append_text(tile_text(action.tile, look))
    if action.consumed:
        text.append(" with " if action.tile >= 0 else " ")
        text.append_text(tiles_text(action.consumed, look))
    return text


def question_lines(question: Question, look: Look) -> list[Text]:
    """The hand with its numbers, and the other entries with number and key."""
    selected = question.choices[question.selected]
    by_number = {choice.number: choice for choice in question.choices}
    numbers, tiles = Text(" "), Text(" ")
    for place, tile in enumerate(question.tiles, 1):
        apart = "  " if question.drawn and place == len(question.tiles) else ""
        choice = by_number.get(place)
        is_selected = choice is selected
        mark = "[" if is_selected else " "
        end = "]" if is_selected else " "
        style = "bold reverse" if is_selected else "" if choice else "dim"
        numbers.append(f"{apart} {place if choice else '':>2} ", style="bold" if choice else "dim")
        tiles.append(f"{apart}{mark}").append_text(tile_text(tile, look, style)).append(end)
    lines = [numbers, tiles] if question.tiles else []
    others = Text(" ")
    for choice in question.choices:
        if choice.number > len(question.tiles):
            is_selected = choice is selected
            entry = Text("[" if is_selected else " ")
            entry.append(f"{choice.number} ", style="bold")
            entry.append_text(choice_words(choice, question, look))
            entry.append(f" ({choice.key})" if choice.key else "", style="dim")
            if is_selected:
                entry.stylize("bold reverse", 1)
            others.append_text(entry).append("]" if is_selected else " ").append(" ")
    return [*lines, others] if others.plain.strip() else lines
