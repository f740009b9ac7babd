"""One thing changed in a real game: exactly that is reported."""

from __future__ import annotations

import re

import pytest
import record_kit as kit
from record_kit import TINY, change, whats

from jantaku_engine import events as ev
from jantaku_replays.files import parse
from jantaku_replays.verify import replay

SEEDED = "g0020.xml"
"""A seeded hanchan with a double ron."""


def seeded() -> str:
    return kit.corpus_texts()[SEEDED]


def test_the_tiny_game_verifies() -> None:
    tally = kit.check(TINY)
    assert tally.mismatches == []
    assert (tally.games, tally.rounds, tally.wins, tally.draws) == (1, 1, 1, 0)
    # The draw, the discard, the win.
    assert tally.decisions == 3
    assert tally.walls_checked == 0


def test_the_game_as_it_was_verifies() -> None:
    tally = kit.check(seeded())
    assert tally.mismatches == []
    assert tally.decisions == kit.count_decisions(seeded())
    assert tally.walls_checked == tally.rounds


FIRST_WIN = r"(<AGARI [^>]*?"

CHANGES = {
    "start_kyoku scores": (r'(<INIT [^>]*?ten=")\d+', r"\g<1>251"),
    "start_kyoku oya": (r'(<INIT seed="1,[^>]*?oya=")1', r"\g<1>2"),
    "start_kyoku honba": (r'(<INIT seed="0),0', r"\1,1"),
    "start_kyoku kyotaku": (r'(<INIT seed="0,0),0', r"\1,2"),
    "start_kyoku kyoku": (r'<INIT seed="0,', '<INIT seed="1,'),
    "start_kyoku dora_marker": (r'(<INIT seed="\d,\d,\d,\d,\d,)\d+', r"\g<1>{other}"),
    "start_kyoku dice": (r'(<INIT seed="\d,\d,\d,)\d', r"\g<1>{die}"),
    "reach_accepted scores": (r'(<REACH [^>]*?ten=")\d+', r"\g<1>1"),
    "hora fu": (FIRST_WIN + r'ten=")\d+', r"\g<1>110"),
    "hora hora_points": (FIRST_WIN + r'ten="\d+,)\d+', r"\g<1>77700"),
    "hora limit": (FIRST_WIN + r'ten="\d+,\d+,)\d', r"\g<1>{limit}"),
    "hora honba": (FIRST_WIN + r'ba=")\d+', r"\g<1>9"),
    "hora deposits": (FIRST_WIN + r'ba="\d+,)\d+', r"\g<1>9"),
    "hora dora_markers": (FIRST_WIN + r'doraHai=")\d+', r"\g<1>{other}"),
    "hora m": (FIRST_WIN + r'm=")\d+', r"\g<1>{kan}"),
    "hora deltas": (FIRST_WIN + r'sc="-?\d+,)-?\d+', r"\g<1>777"),
    "hora scores before": (FIRST_WIN + r'sc=")-?\d+', r"\g<1>777"),
    "ryukyoku deltas": (r'(<RYUUKYOKU [^>]*?sc="-?\d+,)-?\d+', r"\g<1>777"),
    "ryukyoku honba": (r'(<RYUUKYOKU [^>]*?ba=")\d+', r"\g<1>9"),
    "ryukyoku deposits": (r'(<RYUUKYOKU [^>]*?ba="\d+,)\d+', r"\g<1>9"),
    "end_game scores": (r'(owari=")-?\d+', r"\g<1>999"),
    "end_game points": (r'(owari="-?\d+,)-?[\d.]+', r"\g<1>99.0"),
}
"""What is reported: the first place in the record to change, and to what."""


@pytest.mark.parametrize("what", CHANGES)
def test_one_change_is_one_mismatch(what: str) -> None:
    text = seeded()
    pattern, replacement = CHANGES[what]
    record = parse(text.encode(), SEEDED)
    first = record.kyokus[0]
    # The red 5p: whatever lies there in this game is another tile.
    other = 52 if first.wall.ids[130] != 52 else 16
    die = 5 if '<INIT seed="0,0,0,5' not in text else 0
    win = next(e for k in record.kyokus for e in k.events if isinstance(e, ev.Hora))
    limit = 2 if win.limit == "none" else 0
    replacement = replacement.format(other=other, die=die, limit=limit, kan=132 << 8)
    tally = kit.check(change(text, pattern, replacement), SEEDED)
    assert whats(tally.mismatches) == [what]
    (mismatch,) = tally.mismatches
    assert mismatch.file == SEEDED
    assert mismatch.place.startswith("element ")
    assert re.fullmatch(r"[ES][1-4]-\d|end", mismatch.kyoku)
    assert mismatch.expected != mismatch.got
    wall_parts = {"start_kyoku dora_marker", "start_kyoku dice"}
    if what in wall_parts:
        assert tally.walls_checked == tally.rounds - 1


def test_one_yaku_changed() -> None:
    text = change(seeded(), r'(<AGARI [^>]*?yaku=")\d+,', r"\g<1>32,")
    (mismatch,) = kit.check(text).mismatches
    assert mismatch.what == "hora yakus"
    assert "ryanpeikou" in mismatch.expected
    assert "ryanpeikou" not in mismatch.got


def test_one_draw_changed_in_a_seeded_game() -> None:
    text = change(seeded(), r"<U\d+/>", "<U52/>")
    tally = kit.check(text)
    assert whats(tally.mismatches) == ["tsumo pai"]
    assert tally.mismatches[0].expected == "5pr"
    assert tally.walls_checked == 0


def test_another_copy_of_the_indicator_is_seen_by_its_id() -> None:
    text = change(TINY, 'doraHai="84"', 'doraHai="85"')
    (mismatch,) = kit.check(text).mismatches
    assert (mismatch.what, mismatch.expected, mismatch.got) == ("wall tile", 85, 84)


def test_another_copy_of_the_right_tile_is_seen_by_its_id() -> None:
    # An honour that is drawn and discarded at once: another of its four is written instead.
    tsumogiri = re.search(r"<U(108|109|110|112|113|114|116|117|118)/><E\1/>", seeded())
    assert tsumogiri
    drawn = int(tsumogiri[1])
    tally = kit.check(change(seeded(), tsumogiri[0], f"<U{drawn + 1}/><E{drawn + 1}/>"))
    (mismatch,) = tally.mismatches
    assert (mismatch.what, mismatch.expected, mismatch.got) == ("wall tile", drawn + 1, drawn)
    assert tally.walls_checked == tally.rounds - 1


@pytest.mark.parametrize(
    ("pattern", "replacement"),
    [
        (r"<D109/>", "<D110/>"),
        (r"<D109/>", "<D76/>"),
        (r"<T109/>", "<T111/>"),
        (r"<T109/>", ""),
        (r"<D109/>", '<D109/><N who="2" m="10240"/>'),
        (r"<D109/>", '<REACH who="1" step="1"/><D109/>'),
        (r"<D109/>", '<N who="0" m="1024"/><D109/>'),
        (r'who="1" fromWho="0"', 'who="2" fromWho="0"'),
        (r"<D109/>", "<D109/><U53/>"),
        (r"<D109/>", "<D109/><V53/>"),
        (r"<AGARI ", '<RYUUKYOKU type="yao9" ba="0,0" sc="250,0,250,0,250,0,250,0"/><AGARI '),
    ],
)
def test_a_move_that_nobody_could_make(pattern: str, replacement: str) -> None:
    text = change(TINY, pattern, replacement)
    if "yao9" in replacement:
        text = change(text, "<D109/>", "")
    tally = kit.check(text)
    assert len(tally.mismatches) == 1, tally.mismatches
    (mismatch,) = tally.mismatches
    assert mismatch.kyoku == "E1-0"
    assert mismatch.place.startswith("element ")


def test_an_illegal_move_says_what_was_legal() -> None:
    (mismatch,) = kit.check(change(TINY, "<D109/>", "<D77/>")).mismatches
    assert mismatch.illegal
    assert mismatch.what == "illegal move"
    assert mismatch.expected == {"type": "dahai", "actor": 0, "pai": "2s", "tsumogiri": False}
    assert mismatch.got == "seat 0 does not hold tile 77"
    assert str(mismatch).startswith("game.xml: E1-0, element 7: illegal move: ")


def test_a_game_that_goes_on_after_its_end() -> None:
    tiny_hand = TINY[TINY.index("<INIT") : TINY.index("<AGARI")]
    hand = tiny_hand + TINY[TINY.index("<AGARI") : TINY.index("</mjloggm>")]
    once = change(hand, r"owari=[^/]*", "")
    tally = kit.check(TINY.replace(hand, once + hand))
    assert "end of the game" in whats(tally.mismatches)


def test_a_game_that_stops_before_its_end() -> None:
    text = change(TINY, 'yakuman="48"', 'yaku="1,1"')
    tally = kit.check(text)
    assert "hora yakus" in whats(tally.mismatches)


@pytest.mark.parametrize(
    "feature",
    [
        "abort_kan4", "abort_kaze4", "abort_reach4", "abort_ron3", "abort_yao9", "chankan",
        "double_ron_with_honba_or_sticks", "double_ron_2nd_has_ba(!)", "end_all_below_30000",
        "end_dealer_tenpai_yame", "end_in_south_round(east-game)", "end_in_west_round(hanchan)",
        "exhaustive_draw_tenpai_0", "exhaustive_draw_tenpai_4", "game_nokuitan", "game_nored",
        "games_with_disconnect(BYE)", "multiple_yakuman_win", "nagashi_mangan",
        "owari_adjusted(leftover sticks to top)", "pao_tsumo", "pao_with_honba",
        "rounds_with_4_kan_mixed", "yaku_03_chankan", "yaku_04_rinshan", "yaku_37_tenhou",
        "yaku_40_suuankou", "yaku_41_suuankou-tanki", "yaku_43_ryuuiisou", "yaku_47_kokushi",
    ],
)  # fmt: skip
def test_rare_things_in_real_games(feature: str) -> None:
    for name in kit.games_with(feature)[:3]:
        text = kit.corpus_texts()[name]
        tally = kit.check(text, name)
        assert tally.mismatches == []
        assert tally.decisions == kit.count_decisions(text)


def test_the_replayed_match_has_the_game() -> None:
    name = kit.games_with("pao_with_honba")[0]
    tally, match = replay(parse(kit.corpus_texts()[name].encode(), name))
    assert tally.mismatches == []
    assert match.over
    wins = [event for event in match.events if isinstance(event, ev.Hora)]
    assert [win.pao for win in wins if win.pao >= 0] == [2]
