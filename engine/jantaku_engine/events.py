"""Events: what happened, in the vocabulary of mjai; the one truth of a game.

An event is born with the knowledge of who may see what in it: `seen_by(seat)` is the event as
that seat (or, with -1, a spectator) may know it. Everything else is a projection of the stream:
the table's state (`table.Table`), a seat's view (`view.SeatView`), the wire, records, replays.

`to_mjai` gives the mjai message; facts that mjai has no field for are extra fields. `from_mjai`
reads one back. Scores and deltas are points for seats 0-3.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from .tiles import MJAI, UNKNOWN

START_GAME: Final = 0
START_KYOKU: Final = 1
TSUMO: Final = 2
DAHAI: Final = 3
CHI: Final = 4
PON: Final = 5
DAIMINKAN: Final = 6
KAKAN: Final = 7
ANKAN: Final = 8
DORA: Final = 9
REACH: Final = 10
REACH_ACCEPTED: Final = 11
HORA: Final = 12
RYUKYOKU: Final = 13
END_KYOKU: Final = 14
END_GAME: Final = 15

EVENT_NAMES: Final = (
    "start_game",
    "start_kyoku",
    "tsumo",
    "dahai",
    "chi",
    "pon",
    "daiminkan",
    "kakan",
    "ankan",
    "dora",
    "reach",
    "reach_accepted",
    "hora",
    "ryukyoku",
    "end_kyoku",
    "end_game",
)
"""The mjai `type` of each event type, by number."""

WINDS: Final = "ESWN"

EXHAUSTIVE: Final = "exhaustive"
NAGASHI_MANGAN: Final = "nagashi_mangan"
KYUUSHU_KYUUHAI: Final = "kyuushu_kyuuhai"
SUUFON_RENDA: Final = "suufon_renda"
SUUCHA_RIICHI: Final = "suucha_riichi"
SANCHAHOU: Final = "sanchahou"
SUUKAIKAN: Final = "suukaikan"

DRAW_REASONS: Final = (
    EXHAUSTIVE,
    NAGASHI_MANGAN,
    KYUUSHU_KYUUHAI,
    SUUFON_RENDA,
    SUUCHA_RIICHI,
    SANCHAHOU,
    SUUKAIKAN,
)
"""Why a hand can end without a win (RULES 6)."""

Tiles = tuple[int, ...]
Points = tuple[int, ...]


class EventError(ValueError):
    """A message that is no event."""


class Event:
    """One thing that happened; immutable. The subclasses say what."""

    __slots__ = ()
    type: int = -1

    def seen_by(self, seat: int) -> Event:
        """This event as `seat` (0-3; -1 a spectator) may know it."""
        return self

    def code(self) -> int:
        """A small number that only equal events have; -1: this one has none.

        Draws and discards, by far the most frequent, have one: what is made of them can be kept.
        """
        return -1

    def to_mjai(self) -> dict[str, Any]:
        """The mjai message of this event, unmasked."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Event) and self.to_mjai() == other.to_mjai()

    def __hash__(self) -> int:
        return hash(repr(self))

    def __repr__(self) -> str:
        return f"<{self.to_mjai()}>"


class StartGame(Event):
    """A game begins. `rules` is the ruleset's dict, `names` the four players' names."""

    __slots__ = ("names", "rules")
    type = START_GAME

    def __init__(self, names: tuple[str, ...], rules: Mapping[str, Any]) -> None:
        self.names = names
        self.rules = rules

    def to_mjai(self) -> dict[str, Any]:
        """See `Event.to_mjai`."""
        return {
            "type": "start_game",
            "names": list(self.names),
            "kyoku_first": 4 if self.rules.get("length") == "tonpuu" else 0,
            "aka_flag": any(self.rules.get("aka_dora", {"m": 1}).values()),
            "rules": dict(self.rules),
        }


class StartKyoku(Event):
    """A hand begins.

    Attributes:
        bakaze: round wind 0-3. kyoku: 1-4 within it. oya: dealer's seat.
        honba, kyotaku: counters and deposits on the table.
        dora_marker: first indicator. scores: before the hand.
        tehais: 13 tile codes a seat; hidden from the others.
        kept, wins: the dealer's streak so far (RULES 5.7, paarenchan).
        wall_hash: SHA-256 of the wall's key in hex, or "" (the commitment to this wall).
    """

    __slots__ = (
        "bakaze",
        "dora_marker",
        "honba",
        "kept",
        "kyoku",
        "kyotaku",
        "oya",
        "scores",
        "tehais",
        "wall_hash",
        "wins",
    )
    type = START_KYOKU

    def __init__(
        self,
        bakaze: int,
        kyoku: int,
        oya: int,
        honba: int,
        kyotaku: int,
        dora_marker: int,
        scores: Points,
        tehais: tuple[Tiles, ...],
        kept: int = 0,
        wins: int = 0,
        wall_hash: str = "",
    ) -> None:
        self.bakaze = bakaze
        self.kyoku = kyoku
        self.oya = oya
        self.honba = honba
        self.kyotaku = kyotaku
        self.dora_marker = dora_marker
        self.scores = scores
        self.tehais = tehais
        self.kept = kept
        self.wins = wins
        self.wall_hash = wall_hash

    def seen_by(self, seat: int) -> Event:
        """See `Event.seen_by`: only the seat's own tiles."""
        return StartKyoku(
            self.bakaze,
            self.kyoku,
            self.oya,
            self.honba,
            self.kyotaku,
            self.dora_marker,
            self.scores,
            tuple(
                hand if owner == seat else (UNKNOWN,) * len(hand)
                for owner, hand in enumerate(self.tehais)
            ),
            self.kept,
            self.wins,
            self.wall_hash,
        )

    def to_mjai(self) -> dict[str, Any]:
        """See `Event.to_mjai`."""
        message: dict[str, Any] = {
            "type": "start_kyoku",
            "bakaze": WINDS[self.bakaze],
            "dora_marker": MJAI[self.dora_marker],
            "kyoku": self.kyoku,
            "honba": self.honba,
            "kyotaku": self.kyotaku,
            "oya": self.oya,
            "scores": list(self.scores),
            "tehais": [_names(hand) for hand in self.tehais],
        }
        if self.kept or self.wins:
            message["streak"] = {"kept": self.kept, "wins": self.wins}
        if self.wall_hash:
            message["wall_hash"] = self.wall_hash
        return message


class Tsumo(Event):
    """`actor` draws `pai`, from the dead wall when it follows a kan."""

    __slots__ = ("actor", "pai")
    type = TSUMO

    def __init__(self, actor: int, pai: int) -> None:
        self.actor = actor
        self.pai = pai

    def seen_by(self, seat: int) -> Event:
        """See `Event.seen_by`: the tile is its owner's."""
        return self if seat == self.actor else _HIDDEN_DRAWS[self.actor]

    def code(self) -> int:
        """See `Event.code`."""
        return self.actor << 6 | self.pai

    def to_mjai(self) -> dict[str, Any]:
        """See `Event.to_mjai`."""
        return {"type": "tsumo", "actor": self.actor, "pai": MJAI[self.pai]}


_HIDDEN_DRAWS: Final = tuple(Tsumo(actor, UNKNOWN) for actor in range(4))
"""A draw as the others see it: always the same events, so that what is made of them is too."""


class Dahai(Event):
    """`actor` discards `pai`; `tsumogiri` when it is the tile just drawn."""

    __slots__ = ("actor", "pai", "tsumogiri")
    type = DAHAI

    def __init__(self, actor: int, pai: int, tsumogiri: bool) -> None:
        self.actor = actor
        self.pai = pai
        self.tsumogiri = tsumogiri

    def code(self) -> int:
        """See `Event.code`."""
        return (1 + self.tsumogiri) << 8 | self.actor << 6 | self.pai

    def to_mjai(self) -> dict[str, Any]:
        """See `Event.to_mjai`."""
        return {
            "type": "dahai",
            "actor": self.actor,
            "pai": MJAI[self.pai],
            "tsumogiri": self.tsumogiri,
        }


class Naki(Event):
    """A chi, pon or daiminkan: `actor` takes `pai` from `target`, with `consumed` of its own."""

    __slots__ = ("actor", "consumed", "pai", "target", "type")

    def __init__(self, type: int, actor: int, target: int, pai: int, consumed: Tiles) -> None:
        self.type = type
        self.actor = actor
        self.target = target
        self.pai = pai
        self.consumed = consumed

    def to_mjai(self) -> dict[str, Any]:
        """See `Event.to_mjai`."""
        return {
            "type": EVENT_NAMES[self.type],
            "actor": self.actor,
            "target": self.target,
            "pai": MJAI[self.pai],
            "consumed": _names(self.consumed),
        }


class Kakan(Event):
    """`actor` adds `pai` to its pon of `consumed`."""

    __slots__ = ("actor", "consumed", "pai")
    type = KAKAN

    def __init__(self, actor: int, pai: int, consumed: Tiles) -> None:
        self.actor = actor
        self.pai = pai
        self.consumed = consumed

    def to_mjai(self) -> dict[str, Any]:
        """See `Event.to_mjai`."""
        return {
            "type": "kakan",
            "actor": self.actor,
            "pai": MJAI[self.pai],
            "consumed": _names(self.consumed),
        }


class Ankan(Event):
    """`actor` makes a concealed kan of `consumed`."""

    __slots__ = ("actor", "consumed")
    type = ANKAN

    def __init__(self, actor: int, consumed: Tiles) -> None:
        self.actor = actor
        self.consumed = consumed

    def to_mjai(self) -> dict[str, Any]:
        """See `Event.to_mjai`."""
        return {"type": "ankan", "actor": self.actor, "consumed": _names(self.consumed)}


class Dora(Event):
    """A kan-dora indicator turns (RULES 2.9)."""

    __slots__ = ("dora_marker",)
    type = DORA

    def __init__(self, dora_marker: int) -> None:
        self.dora_marker = dora_marker

    def to_mjai(self) -> dict[str, Any]:
        """See `Event.to_mjai`."""
        return {"type": "dora", "dora_marker": MJAI[self.dora_marker]}


class Reach(Event):
    """`actor` declares riichi; its discard follows. `open`: open riichi (RULES 5.7)."""

    __slots__ = ("actor", "open")
    type = REACH

    def __init__(self, actor: int, open: bool = False) -> None:
        self.actor = actor
        self.open = open

    def to_mjai(self) -> dict[str, Any]:
        """See `Event.to_mjai`."""
        message: dict[str, Any] = {"type": "reach", "actor": self.actor}
        if self.open:
            message["open"] = True
        return message


class ReachAccepted(Event):
    """The declaration discard survived: the deposit is paid (RULES 3.3).

    `tehai` is the hand that an open riichi shows, else empty.
    """

    __slots__ = ("actor", "scores", "tehai")
    type = REACH_ACCEPTED

    def __init__(self, actor: int, scores: Points, tehai: Tiles = ()) -> None:
        self.actor = actor
        self.scores = scores
        self.tehai = tehai

    def to_mjai(self) -> dict[str, Any]:
        """See `Event.to_mjai`."""
        message: dict[str, Any] = {
            "type": "reach_accepted",
            "actor": self.actor,
            "deltas": [-1000 if seat == self.actor else 0 for seat in range(4)],
            "scores": list(self.scores),
        }
        if self.tehai:
            message["tehai"] = _names(self.tehai)
        return message


class Hora(Event):
    """`actor` wins on `pai` from `target` (itself by tsumo).

    Attributes:
        tehai: its concealed tiles without the winning one. ura_markers: shown for riichi only.
        yaku: (id, han or multiple) pairs. dora, ura, aka: counts. fu, han, limit: see
            `win.WinResult`. yakuman: total multiple. points: without honba and deposits.
        pao: the liable seat, or -1 (RULES 7.6).
        deltas: changes of the scores with honba and deposits. scores: after them.
    """

    __slots__ = (
        "actor",
        "aka",
        "deltas",
        "dora",
        "fu",
        "han",
        "limit",
        "pai",
        "pao",
        "points",
        "scores",
        "target",
        "tehai",
        "ura",
        "ura_markers",
        "yaku",
        "yakuman",
    )
    type = HORA

    def __init__(
        self,
        actor: int,
        target: int,
        pai: int,
        tehai: Tiles,
        ura_markers: Tiles,
        yaku: tuple[tuple[str, float], ...],
        dora: int,
        ura: int,
        aka: int,
        fu: int,
        han: int,
        yakuman: float,
        limit: str,
        points: int,
        pao: int,
        deltas: Points,
        scores: Points,
    ) -> None:
        self.actor = actor
        self.target = target
        self.pai = pai
        self.tehai = tehai
        self.ura_markers = ura_markers
        self.yaku = yaku
        self.dora = dora
        self.ura = ura
        self.aka = aka
        self.fu = fu
        self.han = han
        self.yakuman = yakuman
        self.limit = limit
        self.points = points
        self.pao = pao
        self.deltas = deltas
        self.scores = scores

    def to_mjai(self) -> dict[str, Any]:
        """See `Event.to_mjai`."""
        message: dict[str, Any] = {
            "type": "hora",
            "actor": self.actor,
            "target": self.target,
            "pai": MJAI[self.pai],
            "hora_tehais": _names(self.tehai),
            "ura_markers": _names(self.ura_markers),
            "uradora_markers": _names(self.ura_markers),
            "yakus": [list(item) for item in self.yaku],
            "dora": self.dora,
            "uradora": self.ura,
            "akadora": self.aka,
            "fu": self.fu,
            "fan": self.han,
            "yakuman": self.yakuman,
            "limit": self.limit,
            "hora_points": self.points,
            "deltas": list(self.deltas),
            "scores": list(self.scores),
        }
        if self.pao >= 0:
            message["pao"] = self.pao
        return message


class Ryukyoku(Event):
    """The hand ends without a win.

    Attributes:
        reason: one of `DRAW_REASONS`. tenpais: seats that are tenpai (and show it).
        tehais: the hands that are shown; the others are unknown tiles.
        nagashi: seats paid a nagashi mangan.
    """

    __slots__ = ("deltas", "nagashi", "reason", "scores", "tehais", "tenpais")
    type = RYUKYOKU

    def __init__(
        self,
        reason: str,
        tehais: tuple[Tiles, ...],
        tenpais: tuple[bool, ...],
        deltas: Points,
        scores: Points,
        nagashi: tuple[int, ...] = (),
    ) -> None:
        self.reason = reason
        self.tehais = tehais
        self.tenpais = tenpais
        self.deltas = deltas
        self.scores = scores
        self.nagashi = nagashi

    def to_mjai(self) -> dict[str, Any]:
        """See `Event.to_mjai`."""
        message: dict[str, Any] = {
            "type": "ryukyoku",
            "reason": self.reason,
            "tehais": [_names(hand) for hand in self.tehais],
            "tenpais": list(self.tenpais),
            "deltas": list(self.deltas),
            "scores": list(self.scores),
        }
        if self.nagashi:
            message["nagashi"] = list(self.nagashi)
        return message


class EndKyoku(Event):
    """The hand is over; `wall_key` (hex, or "") opens the commitment of `StartKyoku`."""

    __slots__ = ("wall_key",)
    type = END_KYOKU

    def __init__(self, wall_key: str = "") -> None:
        self.wall_key = wall_key

    def to_mjai(self) -> dict[str, Any]:
        """See `Event.to_mjai`."""
        message: dict[str, Any] = {"type": "end_kyoku"}
        if self.wall_key:
            message["wall_key"] = self.wall_key
        return message


class EndGame(Event):
    """The game is over (RULES 8.6): `scores` with leftover deposits, `ranks` 1-4, `points`."""

    __slots__ = ("points", "ranks", "scores")
    type = END_GAME

    def __init__(self, scores: Points, ranks: tuple[int, ...], points: tuple[float, ...]) -> None:
        self.scores = scores
        self.ranks = ranks
        self.points = points

    def to_mjai(self) -> dict[str, Any]:
        """See `Event.to_mjai`."""
        return {
            "type": "end_game",
            "scores": list(self.scores),
            "ranks": list(self.ranks),
            "points": list(self.points),
        }


def _names(tiles: Tiles) -> list[str]:
    return [MJAI[tile] for tile in tiles]
