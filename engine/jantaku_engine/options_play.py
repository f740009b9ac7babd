"""Options of the match, the table and the payments (RULES 1-4, 6, 7.3-7.6, 8)."""

from __future__ import annotations

from typing import Final

from .options import ON_OFF, Aka, Choice, Number, Option, Uma, group

MATCH: Final = group(
    "match",
    (
        "length",
        Choice(("tonpuu", "hanchan")),
        "scheduled winds: East only, or East and South",
        "8.2",
    ),
    ("start", Number(1_000, 1_000_000, step=100), "points of each seat at the start", "8.6"),
    (
        "target",
        Number(1_000, 1_000_000, step=100),
        "points that end an extension, and that final points with oka are counted from",
        "8.3, 8.6",
    ),
    (
        "oka",
        ON_OFF,
        "the first place gets 4 x (target - start); off: final points are counted from start",
        "8.6",
    ),
    ("uma", Uma(), "thousands added by place, first to fourth", "8.6"),
    ("tonpuu_uma", Uma(optional=True), "uma of a tonpuu where it differs", "8.6, 9"),
    (
        "points_rounding",
        Choice(("none", "half_away", "goshashonyu")),
        "final points to 0.1; scores to thousands, halves away from zero; halves towards zero",
        "8.6",
    ),
    (
        "tie",
        Choice(("seat", "split_uma")),
        "equal scores: the earlier seat is ahead, or the places share uma and oka",
        "8.6",
    ),
    (
        "leftover_riichi",
        Choice(("first", "lost", "split")),
        "deposits left at the end: to the first place, to nobody, or shared by equal firsts",
        "8.6",
    ),
    (
        "renchan",
        Choice(("tenpai", "agari", "noten", "none")),
        "the dealer stays after: a win or tenpai; a win; a win or any draw; an abort only",
        "8.1",
    ),
    (
        "agari_yame",
        ON_OFF,
        "the match ends when the dealer of the last hand wins and is first with the target",
        "8.4",
    ),
    (
        "tenpai_yame",
        ON_OFF,
        "the same when the dealer stays by tenpai at an exhaustive draw",
        "8.4",
    ),
    (
        "extension",
        Choice(("none", "sudden_death")),
        "play on after the last hand while nobody has the target",
        "8.3",
    ),
    (
        "extension_renchan_first",
        ON_OFF,
        "a dealer who stays in the extension plays on unless first with the target",
        "8.3",
    ),
    ("extension_winds", Number(1, 2), "most winds that an extension adds", "8.3, 9"),
    (
        "tobi",
        Choice(("lt0", "le0", "off")),
        "the match ends when a seat is below zero, at or below zero, or never for that",
        "8.5",
    ),
)

TILES_AND_DORA: Final = group(
    "tiles and dora",
    ("aka_dora", Aka(), "red fives in the set", "1.1; S3"),
    (
        "dealer_first_tile",
        Choice(("drawn", "dealt")),
        "the dealer draws the 14th tile, or is dealt all 14",
        "1.4",
    ),
    ("ippatsu", ON_OFF, "ippatsu counts", "3.7"),
    ("kan_dora", ON_OFF, "kans turn further dora indicators", "1.6"),
    ("ura_dora", ON_OFF, "a winner in riichi counts the tiles under the indicators", "1.6"),
    ("kan_ura", ON_OFF, "ura dora also under the kan-dora indicators", "1.6"),
    (
        "kan_dora_timing",
        Choice(("immediate", "ankan_now_minkan_at_discard", "ankan_now_minkan_after_pass")),
        "when the indicator of a kan turns (an ankan's always at once)",
        "2.9; S3",
    ),
)

CALLS: Final = group(
    "calls",
    (
        "call_priority",
        Choice(("rank", "first_declared")),
        "competing calls: ron over pon and kan over chi, or whoever answered first",
        "2.2; S3",
    ),
    (
        "multi_ron",
        Choice(("head_bump", "double", "triple")),
        "how many may ron one tile: the next in turn order, two, or three",
        "2.4; S1",
    ),
    ("sanchahou", ON_OFF, "three rons on one tile abort the hand", "2.4, 6.2"),
    (
        "kuikae",
        Choice(("forbidden", "genbutsu_only_forbidden", "allowed")),
        "discards right after a call: not the same kind nor the run's other end; not the kind; any",
        "2.7; S3",
    ),
    (
        "kan_min_live_left",
        Number(1, 70),
        "live tiles that must be left when a kan is declared",
        "2.8",
    ),
    (
        "kokushi_rob_ankan",
        ON_OFF,
        "kokushi may ron the tile of an ankan",
        "2.10; S2 S3 S4, variant S0 S1",
    ),
)

RIICHI_AND_FURITEN: Final = group(
    "riichi and furiten",
    (
        "riichi_min_score",
        Number(0, 1_000_000, step=100, words=("none",)),
        "points that a seat must have to declare riichi",
        "3.1",
    ),
    (
        "riichi_min_live_left",
        Number(0, 70),
        "live tiles that must be left after the draw of the declaration",
        "3.1",
    ),
    (
        "riichi_ankan",
        Choice(("none", "same_shape", "same_waits")),
        "ankan of the drawn kind in riichi: never, if it keeps the readings, if it keeps the waits",
        "3.5; S1 S3",
    ),
    (
        "temp_furiten_end",
        Choice(("own_draw", "own_discard")),
        "temporary furiten ends at the own next draw or discard",
        "4.2; S3",
    ),
)

DRAWS: Final = group(
    "draws",
    (
        "tenpai_rule",
        Choice(("keishiki",)),
        "tenpai at an exhaustive draw is a matter of shape; no yaku is needed",
        "6.4; S3",
    ),
    (
        "karaten_own4",
        Choice(("tenpai", "noten_concealed4", "noten_hand_or_meld4")),
        "a hand that waits only for kinds it holds four of: tenpai, or noten (also with melds)",
        "6.4; S3",
    ),
    (
        "noten_declaration",
        ON_OFF,
        "a tenpai seat that is not in riichi may fold at an exhaustive draw",
        "6.4",
    ),
    (
        "nagashi",
        Choice(("off", "draw", "win")),
        "nagashi mangan: not played, a kind of draw, or a kind of win",
        "5.5; S0 S1 S2 S4",
    ),
    (
        "nagashi_value",
        Choice(("mangan", "baiman", "sanbaiman")),
        "what nagashi is worth",
        "5.5; S0 S2 S4, variant S1",
    ),
    (
        "kyuushu_kyuuhai",
        ON_OFF,
        "nine kinds of terminals and honours on the first draw may abort the hand",
        "6.2; S3",
    ),
    (
        "suufon_renda",
        ON_OFF,
        "four equal winds as the first four discards abort the hand",
        "6.2; S3",
    ),
    ("suucha_riichi", ON_OFF, "the fourth riichi aborts the hand", "6.2; S3"),
    ("suukaikan", ON_OFF, "four kans by two or more seats abort the hand", "6.2; S3"),
    (
        "suukaikan_timing",
        Choice(("after_discard", "immediate")),
        "that abort comes when the next discard was passed, or with the fourth kan",
        "6.2",
    ),
)

PAYMENTS: Final = group(
    "payments",
    (
        "honba_value",
        Number(0, 30_000, step=300),
        "points that each honba adds to a ron; a third of it from each payer of a tsumo",
        "7.3",
    ),
    (
        "multi_ron_honba",
        Choice(("first", "each")),
        "with several rons honba goes to the first winner in turn order or to each",
        "7.4",
    ),
    ("pao", ON_OFF, "liability for daisangen and daisuushii", "7.6; S3"),
    ("pao_suukantsu", ON_OFF, "liability for the daiminkan that completes suukantsu", "7.6"),
    (
        "pao_daiminkan_rinshan",
        ON_OFF,
        "who fed a daiminkan pays the whole of a rinshan win on it",
        "7.6; variant S3",
    ),
    ("pao_local", ON_OFF, "liability for the local yakuman suurenkou and isshoku yonjun", "7.6"),
    (
        "pao_scope",
        Choice(("part", "all")),
        "the liable seat answers for its yakuman only, or for the whole hand",
        "7.6",
    ),
    (
        "pao_honba",
        Choice(("liable", "discarder")),
        "who pays the honba of a ron that is shared by liability",
        "7.6",
    ),
)

PLAY: Final[tuple[Option, ...]] = (
    *MATCH,
    *TILES_AND_DORA,
    *CALLS,
    *RIICHI_AND_FURITEN,
    *DRAWS,
    *PAYMENTS,
)
