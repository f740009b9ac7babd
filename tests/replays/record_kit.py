"""Records for tests: a tiny game by hand, games out of the corpus, and games played here."""

from __future__ import annotations

import functools
import random
import re
import zipfile
from collections import Counter

import paths
from jantaku_engine import actions as act
from jantaku_engine.actions import Action
from jantaku_engine.match import Match
from jantaku_engine.rules import Ruleset
from jantaku_engine.shapes import shanten
from jantaku_engine.tiles import KIND
from jantaku_engine.wall import Wall
from jantaku_replays.files import parse
from jantaku_replays.findings import Mismatch, Tally
from jantaku_replays.verify import verify

TINY = """<mjloggm ver="2.3">
<GO type="9"/>
<UN n0="%41da" n1="Ben" n2="Cho" n3="Dee" dan="0,0,0,0" rate="1500,1500,1500,1500" sx="M,F,M,F"/>
<TAIKYOKU oya="0"/>
<INIT seed="0,0,0,1,2,84" ten="250,250,250,250" oya="0"
 hai0="4,8,12,20,24,28,40,44,48,56,60,64,76" hai1="0,32,36,68,72,104,108,112,116,120,124,128,132"
 hai2="5,9,13,21,25,29,41,45,49,57,61,65,77" hai3="6,10,14,22,26,30,42,46,50,58,62,66,78"/>
<T109/>
<BYE who="3"/>
<D109/>
<AGARI ba="0,0" hai="0,32,36,68,72,104,108,109,112,116,120,124,128,132" machi="109"
 ten="0,32000,5" yakuman="48" doraHai="84" who="1" fromWho="0"
 sc="250,-320,250,320,250,0,250,0" owari="-70,-57.0,570,67.0,250,5.0,250,-15.0"/>
</mjloggm>
"""
"""A whole game: the dealer's first discard is won by thirteen orphans, and the dealer is bust."""


def check(text: str, name: str = "game.xml") -> Tally:
    """Verify a record from its text."""
    return verify(parse(text.encode(), name))


def whats(mismatches: list[Mismatch]) -> list[str]:
    """What differs."""
    return [mismatch.what for mismatch in mismatches]


@functools.cache
def corpus_texts() -> dict[str, str]:
    """Every game of the corpus by name."""
    with zipfile.ZipFile(paths.corpus_zip()) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def games_with(feature: str) -> list[str]:
    """Names of the corpus games that the index says have a feature, shortest first."""
    rows = [row for row in paths.corpus_index() if feature in row["features"].split(",")]
    names = [row["name"] for row in sorted(rows, key=lambda row: int(row["rounds"]))]
    assert names, f"no game of the corpus has {feature}"
    return names


def change(text: str, pattern: str, replacement: str) -> str:
    """The text with the first place that a pattern matches changed; it must be there."""
    changed, number = re.subn(pattern, replacement, text, count=1, flags=re.DOTALL)
    assert number == 1, f"{pattern} is not in the record"
    assert changed != text
    return changed


def count_decisions(text: str) -> int:
    """Draws, discards, calls, riichi, wins and nine-terminals declarations, counted as text."""
    tags = Counter(re.findall(r"<([A-Z]+)", text))
    drawn_or_discarded = sum(tags[letter] for letter in "TUVWDEFG")
    reach = len(re.findall(r'<REACH [^>]*step="1"', text))
    yao9 = len(re.findall(r'<RYUUKYOKU [^>]*type="yao9"', text))
    return drawn_or_discarded + tags["N"] + reach + tags["AGARI"] + yao9


def play(rules: Ruleset, seed: int) -> Match:
    """A whole game from a seed: wins, riichi and the best discard, sometimes anything."""
    chance = random.Random(seed)
    match = Match(rules, ("Aoi", "Beni", "Chika", "Daigo"))
    while not match.over:
        match.deal(Wall.from_seed(seed.to_bytes(32, "big"), match.dealt))
        while match.pending:
            seat, menu = next(iter(match.pending.items()))
            match.answer(seat, _choose(match, seat, menu, chance))
    return match


def _choose(match: Match, seat: int, menu: tuple[Action, ...], chance: random.Random) -> Action:
    for action in menu:
        if action in (act.WIN, act.RIICHI, act.OPEN_RIICHI):
            return action
    if chance.random() < 0.1 or act.PASS in menu:
        return act.PASS if act.PASS in menu and chance.random() < 0.8 else chance.choice(menu)
    assert match.kyoku
    hand = match.kyoku.table.hands[seat]

    def lacking(action: Action) -> int:
        if action.type != act.DAHAI:
            return 9
        counts = list(hand.counts)
        counts[KIND[action.tile]] -= 1
        return shanten(counts, len(hand.melds))

    return min(menu, key=lacking)
