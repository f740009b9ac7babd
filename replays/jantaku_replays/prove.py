"""Proving the walls of a record: were the tiles fixed before the deal, and by whom?

A native record shows the key of each hand after the hand, and its SHA-256 was told before the
deal. So everybody can see that the key is the promised one, deal the wall again from it
(engine/FAIRNESS.md) and compare it with every tile that the record shows. When the record shows
the game's seed too, the keys must follow from it and from the bytes that the players sent.
Tenhou's records show the seed of all walls, without a promise made before.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from jantaku_engine import events as ev
from jantaku_engine.tiles import MJAI, UNKNOWN
from jantaku_engine.wall import (
    DORA_INDICATORS,
    HAIPAI,
    LIVE,
    RINSHAN,
    URA_INDICATORS,
    Wall,
    commitment,
)

from .origin import Origin, broken_promises
from .rebuilt import ShownTiles
from .record import KyokuRecord, Record

PROVED: Final = "proved"
REFUTED: Final = "refuted"
UNPROVED: Final = "unproved"
"""Nothing contradicts the walls, but the record does not show what would prove them."""

_WORST: Final = (REFUTED, UNPROVED, PROVED)
_KANS: Final = (ev.DAIMINKAN, ev.KAKAN, ev.ANKAN)


@dataclass(slots=True)
class HandProof:
    """What is proved of one hand's wall.

    Attributes:
        kyoku: name of the hand. verdict: `PROVED`, `REFUTED` or `UNPROVED`. words: why.
        tiles: how many tiles that the record shows were compared with the derived wall.
        promised: SHA-256 told before the deal. key: shown after the hand. Both hex, or "".
    """

    kyoku: str
    verdict: str
    words: str
    tiles: int = 0
    promised: str = ""
    key: str = ""


@dataclass(slots=True)
class Proof:
    """What is proved of a game.

    Attributes:
        file, form: of the record. hands: in order.
        seed_verdict, seed_words: whether all walls follow from one seed promised before.
    """

    file: str
    form: str
    seed_verdict: str
    seed_words: str
    hands: list[HandProof] = field(default_factory=list)

    @property
    def verdict(self) -> str:
        """`REFUTED` when anything is, `PROVED` when every hand is proved, else `UNPROVED`.

        Who does not show the seed leaves only that unproved, not the walls of the hands.
        """
        if self.seed_verdict == REFUTED:
            return REFUTED
        return min((hand.verdict for hand in self.hands), key=_WORST.index, default=UNPROVED)

    def to_dict(self) -> dict[str, Any]:
        """The object of `replay prove --json`."""
        return {
            "file": self.file,
            "form": self.form,
            "verdict": self.verdict,
            "seed": {"verdict": self.seed_verdict, "words": self.seed_words},
            "hands": [
                {
                    "kyoku": hand.kyoku,
                    "verdict": hand.verdict,
                    "words": hand.words,
                    "tiles": hand.tiles,
                    "promised": hand.promised,
                    "key": hand.key,
                }
                for hand in self.hands
            ],
        }


def prove(record: Record) -> Proof:
    """Derive every wall of a record again and compare."""
    if record.origin is not None:
        verdict, words = _prove_seed(record.origin, record)
        chained = verdict == PROVED
    else:
        chained = False
        verdict, words = UNPROVED, _no_seed_words(record)
    proof = Proof(record.name, record.form, verdict, words)
    proof.hands = [_prove_hand(record, kyoku, chained) for kyoku in record.kyokus]
    return proof


def _no_seed_words(record: Record) -> str:
    if any(_key(kyoku) for kyoku in record.kyokus):
        return "the record does not tell of a seed that all the keys come from"
    if any(kyoku.derived for kyoku in record.kyokus):
        return (
            "Tenhou's seed stands in the record; what it gives is compared hand by hand. "
            "Nothing in the record was promised before the game, so this proves that the tiles "
            "come from Tenhou's shuffle of this seed, not how the seed was chosen"
        )
    return "the record has neither keys nor a seed: nothing can be proved about its walls"


def _prove_seed(origin: Origin, record: Record) -> tuple[str, str]:
    """Whether the keys of all hands follow from the seed that was promised."""
    if not origin.seed:
        return UNPROVED, (
            "a seed was promised, but the record does not show it: whether the keys of all hands "
            "come from it cannot be proved"
        )
    broken = broken_promises(origin, record.kyokus, record.whole)
    if broken:
        first = broken[0]
        where = f"in {first.kyoku.title} " if first.kyoku is not None else ""
        return REFUTED, (
            f"{where}{first.what} is {first.told}, but the seed that was shown gives "
            f"{first.derived}: the game was not dealt as it was promised"
        )
    senders = sum(1 for given in origin.entropy if given)
    hands = "all hands" if record.whole else "these hands of the game"
    promised = (
        f"the keys of {hands} come from one seed, whose SHA-256 {origin.seed_hash} was "
        "promised before the first deal"
    )
    if senders:
        return PROVED, (
            f"{promised}, mixed with bytes from {senders} "
            f"player{'s' if senders > 1 else ''}: nobody, not even the server, could choose the "
            "walls as long as one of them sent bytes that could not be guessed"
        )
    return PROVED, (
        f"{promised}; no player sent bytes, so the server alone chose the seed, but could not "
        "change it after that"
    )


def _key(kyoku: KyokuRecord) -> str:
    end = kyoku.events[-1]
    return end.wall_key if isinstance(end, ev.EndKyoku) else ""


def _prove_hand(record: Record, kyoku: KyokuRecord, chained: bool) -> HandProof:
    start = kyoku.events[0]
    assert isinstance(start, ev.StartKyoku)
    key = _key(kyoku)
    promised = start.wall_hash
    proof = HandProof(kyoku.title, UNPROVED, "", 0, promised, key)
    if key:
        real = commitment(bytes.fromhex(key))
        if promised and promised != real:
            proof.verdict = REFUTED
            proof.words = (
                f"before the deal the SHA-256 {promised} was promised, but the key shown after "
                f"the hand has {real}: it is another key"
            )
            return proof
    elif not kyoku.derived:
        proof.words = (
            "a wall was promised, but its key is not shown: nothing can be proved"
            if promised
            else "the record has no key or seed of this wall: nothing can be proved"
        )
        return proof
    wall = Wall.from_key(bytes.fromhex(key)) if key else kyoku.wall
    compared, differs = compare_wall(record, kyoku, wall)
    proof.tiles = compared
    if differs:
        proof.verdict = REFUTED
        source = "its key" if key else "the seed"
        proof.words = f"the wall of {source} is another one: {differs}"
    elif not key:
        proof.verdict = PROVED
        proof.words = f"the seed deals exactly the {compared} tiles that were seen"
    elif promised or chained:
        proof.verdict = PROVED
        how = "is the one promised before the deal" if promised else "comes from the promised seed"
        proof.words = f"the key {how}, and deals exactly the {compared} tiles that were seen"
    else:
        proof.words = (
            f"the key deals exactly the {compared} tiles that were seen, but nothing was promised "
            "before the deal: the key may have been chosen afterwards"
        )
    return proof


# ---------------------------------------------------------------------- comparing


def compare_wall(record: Record, kyoku: KyokuRecord, wall: Wall) -> tuple[int, str]:
    """How many shown tiles were compared with a wall, and the first difference in words."""
    if kyoku.shown:
        for shown in kyoku.shown:
            if wall.ids[shown.slot] != shown.tile_id:
                want = MJAI[record.rules.tiles[wall.ids[shown.slot]]]
                got = MJAI[record.rules.tiles[shown.tile_id]]
                return 0, _differs(shown.slot, want, got)
        for note in kyoku.notes.values():
            for what, told, derived in note.contradictions:
                if what == "start_kyoku dice":
                    return 0, f"it throws the dice {derived}, the record has {told}"
        return len({shown.slot for shown in kyoku.shown}), ""
    tiles = shown_tiles(kyoku)
    dealt = [record.rules.tiles[tile_id] for tile_id in wall.ids]
    for wind, slots in enumerate(HAIPAI):
        # A hand may be listed in any order: what counts are its tiles.
        hands = (
            sorted(dealt[slot] for slot in slots),
            sorted(tiles.pop(slot) for slot in slots),
        )
        if hands[0] != hands[1]:
            names = [" ".join(MJAI[tile] for tile in hand) for hand in hands]
            who = ("East", "South", "West", "North")[wind]
            return 0, f"it deals {who} {names[0]}, the record has {names[1]}"
    for slot, tile in sorted(tiles.items()):
        if dealt[slot] != tile:
            return 0, _differs(slot, MJAI[dealt[slot]], MJAI[tile])
    return len(tiles) + sum(len(slots) for slots in HAIPAI), ""


def shown_tiles(kyoku: KyokuRecord) -> dict[int, int]:
    """Tile codes that a hand's events show, by their index in the wall."""
    start = kyoku.events[0]
    assert isinstance(start, ev.StartKyoku)
    shown = ShownTiles(start.oya, start.tehais)
    dora: list[int] = [start.dora_marker]
    ura: tuple[int, ...] = ()
    for event in kyoku.events:
        if event.type in _KANS:
            shown.kan()
        elif isinstance(event, ev.Tsumo) and event.pai != UNKNOWN:
            shown.draw(event.pai)
        elif isinstance(event, ev.Dora):
            dora.append(event.dora_marker)
        elif isinstance(event, ev.Hora) and event.ura_markers:
            ura = event.ura_markers
    shown.indicators(tuple(dora), ura)
    return shown.tiles


def _differs(slot: int, want: str, got: str) -> str:
    return f"{_place(slot)} is {want} in it, {got} in the record"


def _place(slot: int) -> str:
    """A place in the wall in words."""
    if slot in LIVE:
        return f"draw {slot - LIVE[0] + 1}"
    for words, slots in (
        ("dora indicator", DORA_INDICATORS),
        ("ura indicator", URA_INDICATORS),
        ("rinshan tile", RINSHAN),
    ):
        if slot in slots:
            return f"{words} {slots.index(slot) + 1}"
    return f"dealt tile {slot + 1}"
