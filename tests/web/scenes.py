"""Tables for the layout tests: moments of games by players who call whatever they can.

Such games have what an evening of ordinary ones lacks: four melds at every seat, each kind of
kan turned towards each side, rivers of three rows and more, menus with many buttons.
"""

from __future__ import annotations

import itertools
import random
from typing import Any, Final

from jantaku_clients.bots import make_bot
from jantaku_clients.simulate import run_match
from jantaku_engine import actions as act
from jantaku_engine import events as ev
from jantaku_engine.actions import Action
from jantaku_engine.match import Match
from jantaku_engine.menu import Menu
from jantaku_engine.rules import Ruleset
from jantaku_engine.wall import Wall
from jantaku_server.hints import Hints

Scene = dict[str, Any]

GAMES: Final = 12
NAMES: Final = ["Aki", "Bartholomew the Long", "陳大文", "プレイヤー名前が長い人"]
LONG_NAMES: Final = [
    "W" * 20,
    "incomprehensibilities",
    "名前がとても長いプレイヤー田中次郎左衛門",
    "Bartholomew the Long",
]
CALLS: Final = (act.CHI, act.PON, act.DAIMINKAN, act.KAKAN, act.ANKAN, act.REACH)
_KINDS: Final = ("chi", "pon", "daiminkan", "kakan", "ankan")


def from_games() -> list[Scene]:
    """Moments of real games, each with something that no earlier one has."""
    seen: set[Any] = set()
    scenes: list[Scene] = []
    for seed in range(GAMES):
        scenes += _game(seed, seen)
    return scenes


def _game(seed: int, seen: set[Any]) -> list[Scene]:
    rng = random.Random(seed)
    rules = Ruleset.preset("standard", length="tonpuu", tobi="off")
    match = Match(rules, NAMES)
    hints = [Hints(seat, rules) for seat in range(4)]
    told = 0
    hand_start = 0
    last: list[Any] = [{}] * 4
    scenes: list[Scene] = []
    eager = [rng.choice((0.3, 0.9, 1.0)) for _ in range(4)]
    while not match.over and match.dealt < 6:
        if match.between_hands:
            match.deal(Wall.from_seed(seed.to_bytes(32, "big"), match.dealt))
        for seq in range(told, len(match.events)):
            if isinstance(match.events[seq], ev.StartKyoku):
                hand_start = seq
            for seat in range(4):
                hints[seat].note(seq, match.events[seq].seen_by(seat))
        told = len(match.events)
        if not match.pending:
            continue
        seat, menu = next(iter(match.pending.items()))
        news = _features(match, seat, menu) - seen
        if news:
            seen |= news
            for message in hints[seat].news():
                if "shanten" in message:
                    last[seat] = message
            start: Any = match.events[0]
            assert match.kyoku is not None
            target = match.kyoku.table.turn
            scenes.append(
                {
                    "seat": seat,
                    "names": list(start.names),
                    "events": [
                        event.seen_by(seat).to_mjai() for event in match.events[hand_start:told]
                    ],
                    "menu": [action.to_mjai(seat, target) for action in menu],
                    "hints": last[seat],
                }
            )
        match.answer(seat, _choose(rng, eager[seat], menu))
    return scenes


def _features(match: Match, seat: int, menu: Menu) -> set[Any]:
    assert match.kyoku is not None
    table = match.kyoku.table
    found: set[Any] = {("menu", *sorted(action.type for action in menu if action.type > 1))}
    for other in range(4):
        place = (other - seat) % 4
        melds = table.hands[other].melds
        turned = tuple((m.type, (m.target - other) % 4 if m.target >= 0 else -1) for m in melds)
        found.add(("melds", place, turned[-1:], len(turned), sum(kind > 1 for kind, _ in turned)))
        river = table.rivers[other]
        found.add(("river", place, len(river) // 3, sum(d.riichi for d in river)))
    return found


def _choose(rng: random.Random, eager: float, menu: Menu) -> Action:
    calls = [action for action in menu if action.type in CALLS]
    if calls and rng.random() < eager:
        return rng.choice(calls)
    rest = [action for action in menu if action.type in (act.DAHAI, act.NONE)]
    return rng.choice(rest or list(menu))


def endings() -> list[Scene]:
    """Results of hands, each with something that no earlier one has."""
    rules = Ruleset.preset("standard", length="tonpuu", tobi="off")
    seen: set[Any] = set()
    scenes: list[Scene] = []
    for seed in range(40):
        match = Match(rules, LONG_NAMES)
        bots = [make_bot("greedy", random.Random(seed + n)) for n in range(4)]
        run_match(match, bots, seed.to_bytes(32, "big"))
        for events in _hands(match.events):
            features: set[Any] = set()
            hints = Hints(0, rules)
            parts: list[Any] = []
            for seq, event in enumerate(events):
                hints.note(seq, event.seen_by(0))
                parts += [[seq, m["fu_parts"]] for m in hints.news() if "fu_parts" in m]
                if isinstance(event, ev.Hora):
                    features |= {("yaku", len(event.yaku)), ("fu", len(parts[-1][1]) // 2)}
                elif isinstance(event, ev.Ryukyoku):
                    features.add((event.reason, sum(event.tenpais)))
            features.add(("wins", sum(isinstance(event, ev.Hora) for event in events)))
            if features - seen:
                seen |= features
                masked = [event.seen_by(0).to_mjai() for event in events]
                scenes.append({"seat": 0, "names": LONG_NAMES, "events": masked, "parts": parts})
    return scenes


def _hands(events: list[ev.Event]) -> list[list[ev.Event]]:
    starts = [seq for seq, event in enumerate(events) if isinstance(event, ev.StartKyoku)]
    ends = [seq for seq, event in enumerate(events) if isinstance(event, ev.EndKyoku)]
    return [events[start:end] for start, end in zip(starts, ends, strict=True)]


def made_up() -> list[Scene]:
    """Every choice of up to four kinds of melds, at all four seats, with long rivers."""
    scenes = []
    for count in range(5):
        for number, kinds in enumerate(itertools.combinations_with_replacement(_KINDS, count)):
            order = kinds[:: (-1) ** number]
            melds = [
                [_meld(kind, seat, number + n) for n, kind in enumerate(order)] for seat in range(4)
            ]
            scenes.append({"melds": melds, "rivers": [18 + (number + s) % 10 for s in range(4)]})
    return scenes


def _meld(kind: str, seat: int, turn: int) -> dict[str, Any]:
    tiles = {"chi": ["7s", "8s", "9s"], "pon": ["E"] * 3}.get(kind, ["5m", "5m", "5m", "5mr"])
    return {
        "type": kind,
        "tiles": tiles,
        "called": None if kind == "ankan" else tiles[0],
        "target": -1
        if kind == "ankan"
        else (seat + 3 if kind == "chi" else seat + 1 + turn % 3) % 4,
        "added": "5mr" if kind == "kakan" else None,
    }


def menus() -> list[list[dict[str, Any]]]:
    """Questions from one button to as many as there can be."""

    def say(kind: str, *consumed: str, **more: Any) -> dict[str, Any]:
        message = {"type": kind, "actor": 0, "target": 3, **more}
        return {**message, "consumed": list(consumed)} if consumed else message

    chis = [
        say("chi", *pair.split(), pai="4p")
        for pair in ("2p 3p", "3p 5p", "3p 5pr", "5p 6p", "5pr 6p")
    ]
    pons = [say("pon", "5p", other, pai="5p") for other in ("5p", "5pr")]
    kan = say("daiminkan", "5p", "5p", "5pr", pai="5p")
    ron = say("hora", pai="4p")
    tsumo, riichi, nine = say("hora", target=0), say("reach"), say("ryukyoku")
    ankans = [say("ankan", *[tile] * 4) for tile in ("1m", "9s", "C")]
    kakans = [say("kakan", *[tile] * 3, pai=tile) for tile in ("E", "7p", "3s")]
    called = [
        *([ron], chis[:1], chis[:3], chis, pons[:1], pons, [pons[0], kan], [ron, *pons, kan]),
        [ron, *chis[:3], *pons, kan],
        [ron, *chis, pons[0], kan],
    ]
    own = [
        *([], [tsumo], [riichi], [nine], [tsumo, riichi], ankans[:1], kakans[:1]),
        *([tsumo, riichi, *ankans], [tsumo, *kakans], [tsumo, *ankans[:1], *kakans[:2]]),
        [nine, *ankans[:2]],
    ]
    none = {"type": "none"}
    discard = {"type": "dahai", "actor": 0, "pai": "1m", "tsumogiri": False}
    return [*([*some, none] for some in called), *([*some, discard] for some in own)]


WAITS: Final = [
    {"tile": tile, "left": n % 5, "yaku": n % 3 > 0}
    for n, tile in enumerate(
        ("1m", "9m", "1p", "9p", "1s", "9s", "E", "S", "W", "N", "P", "F", "C")
    )
]
"""The most that one hand can wait for."""
