"""Reading Tenhou XML records (mjlog) into `Record`."""

from __future__ import annotations

from typing import Final
from urllib.parse import unquote

from jantaku_engine import events as ev
from jantaku_engine.rules import Ruleset

from .record import KyokuRecord, Note, NotRiichiError, Record, RecordError
from .rule_bits import told_further
from .tenhou_hand import HandReader
from .tenhou_wall import TenhouWalls
from .xml_elements import SCORE_LIMIT, Element, number, read_elements, required, whole

_NO_REDS: Final = 0x02
_NO_KUITAN: Final = 0x04
_HANCHAN: Final = 0x08
_THREE_PLAYERS: Final = 0x10

_GAME_UNTOLD: Final = frozenset({"ranks"})


def read_tenhou_xml(data: bytes, name: str) -> Record:
    """The game of a Tenhou XML record; `name` is told in errors by the caller.

    Raises:
        RecordError: no such record, cut off, or tiles and numbers that cannot be.
        NotRiichiError: a three-player game.
    """
    elements = read_elements(data)
    rules = _rules(elements)
    reader = _Reader(rules)
    for element in elements:
        reader.take(element)
    return reader.record(name)


def _rules(elements: list[Element]) -> Ruleset:
    """The rules that a record names by its GO bits, its age and its kind of final points."""
    go = next((element for element in elements if element.tag == "GO"), None)
    if go is None:
        raise RecordError("has no <GO> element: the rules are unknown")
    bits = whole(go, "type", 0, 0xFFFF)
    if bits & _THREE_PLAYERS:
        raise NotRiichiError("a three-player game")
    told = told_further(go.attributes.get("jantaku"), f"{go}: jantaku")
    if told is not None:
        return told
    old = any(e.tag == "INIT" and "shuffle" in e.attributes for e in elements)
    owari = next((e for e in reversed(elements) if "owari" in e.attributes), None)
    # Points are rounded to thousands unless the record shows tenths.
    tenths = owari is not None and any(p % 1 for p in _owari(owari)[1])
    reds = 0 if bits & _NO_REDS else 1
    return Ruleset.preset(
        "tenhou2009" if old else "tenhou",
        length="hanchan" if bits & _HANCHAN else "tonpuu",
        aka_dora={"m": reds, "p": reds, "s": reds},
        kuitan=not bits & _NO_KUITAN,
        points_rounding="none" if tenths else "half_away",
    )


def _owari(element: Element) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Final scores and points of the four seats."""
    parts = required(element, "owari").split(",")
    if len(parts) != 8:
        raise RecordError(f"{element}: owari has {len(parts)} numbers, not 8")
    scores = [
        number(text, element, "owari", -SCORE_LIMIT, SCORE_LIMIT) * 100 for text in parts[::2]
    ]
    points: list[float] = []
    for text in parts[1::2]:
        whole, _, tenths = text.partition(".")
        number(whole, element, "owari", -SCORE_LIMIT, SCORE_LIMIT)
        number(tenths or "0", element, "owari", 0, 9)
        points.append(float(text))
    return tuple(scores), tuple(points)


class _Reader:
    """Takes the elements in order and collects the hands."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.names: tuple[str, ...] = ()
        self.walls: TenhouWalls | None = None
        self.shuffle = ""
        self.kyokus: list[KyokuRecord] = []
        self.hand: HandReader | None = None
        self.end: tuple[ev.Event, int, Note] | None = None
        self.last: Element | None = None

    def take(self, element: Element) -> None:
        """Take the next element."""
        tag = element.tag
        self.last = element
        if tag in ("UN", "TAIKYOKU", "BYE", "GO", "SHUFFLE"):
            # Players leave and return at any point; it changes nothing at the table.
            self._about_the_game(element)
        elif self.end is not None and tag != "AGARI":
            raise RecordError(f"{element}: stands after the end of the game")
        elif tag == "INIT":
            self._finish_hand()
            derived = None if self.walls is None else self.walls.next_wall()
            self.hand = HandReader(self.rules, element, derived)
        elif self.hand is None:
            raise RecordError(f"{element}: stands before the first <INIT>")
        else:
            self.hand.take(element)
            if "owari" in element.attributes:
                scores, points = _owari(element)
                event = ev.EndGame(scores, (1, 2, 3, 4), points)
                self.end = (event, element.number, Note(untold=_GAME_UNTOLD))

    def _about_the_game(self, element: Element) -> None:
        if element.tag == "UN" and not self.names:
            texts = [element.attributes.get(f"n{seat}", "") for seat in range(4)]
            self.names = tuple(unquote(text) for text in texts)
        elif element.tag == "SHUFFLE":
            if self.walls is not None or self.hand is not None:
                raise RecordError(f"{element}: stands twice or too late")
            self.shuffle = required(element, "seed")
            try:
                self.walls = TenhouWalls(self.shuffle)
            except RecordError as error:
                raise RecordError(f"{element}: {error}") from None

    def _finish_hand(self) -> None:
        if self.hand is not None:
            self.kyokus.append(self.hand.finish())

    def record(self, name: str) -> Record:
        """The whole record."""
        self._finish_hand()
        if not self.kyokus:
            raise RecordError("has no hand (<INIT>)")
        if self.end is None:
            raise RecordError(f"ends after {self.last}, before the game does (no owari)")
        names = self.names or ("", "", "", "")
        return Record(
            name,
            "tenhou_xml",
            self.rules,
            names,
            ("",) * 4,
            "element",
            self.kyokus,
            self.end,
            shuffle=self.shuffle,
        )
