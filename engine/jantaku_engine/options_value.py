"""Options of what a hand is worth (RULES 5, 7.1, 7.2)."""

from __future__ import annotations

from typing import Final

from .options import ON_OFF, Choice, Number, Option, group

VALUE_OF_HANDS: Final = group(
    "value of hands",
    (
        "min_han",
        Number(1, 13),
        "least han from yaku, dora excluded, for a win",
        "5.2; S0 S1 S2 S3 S4",
    ),
    (
        "shibari2_honba",
        Number(1, 100, words=("off",)),
        "from this many honba on a win needs two han from yaku",
        "5.2; S0 S2",
    ),
    ("kuitan", ON_OFF, "tanyao counts with an open hand", "5.3; S0"),
    (
        "pinfu_tsumo",
        ON_OFF,
        "pinfu counts on a tsumo, without the 2 fu for tsumo; off: no pinfu on a tsumo",
        "5.3",
    ),
    ("open_pinfu_fu", Choice((2, 0)), "fu added to an open ron that would total 20 fu", "7.1"),
    ("open_pinfu_yaku", ON_OFF, "pinfu counts 1 han with an open hand", "5.3; S2"),
    ("chiitoitsu", Choice(("2han25fu", "1han50fu")), "value of seven pairs", "5.4; S0 S2"),
    (
        "honroutou_han",
        Choice((2, 3)),
        "honroutou: 2 han, or 3 closed and 2 open",
        "5.4; 2: S0 S1 S2 S4, 3: variant S0 S2",
    ),
    (
        "ryanpeikou_distinct",
        ON_OFF,
        "the two double runs of ryanpeikou must differ; four equal runs are iipeikou",
        "5.4",
    ),
    (
        "haitei_with_rinshan",
        ON_OFF,
        "haitei counts on a last tile that comes from the dead wall",
        "5.3; off S0 S2",
    ),
    (
        "houtei_after_rinshan",
        ON_OFF,
        "houtei counts on a last discard after a draw from the dead wall",
        "5.3; S0, against it S2",
    ),
    (
        "double_wind_pair_fu",
        Choice((4, 2)),
        "fu of a pair that is both seat wind and round wind",
        "7.1",
    ),
    ("kiriage", ON_OFF, "4 han 30 fu and 3 han 60 fu are mangan", "7.2; S1"),
    (
        "kazoe",
        Choice(("yakuman", "sanbaiman", "stack")),
        "13 han or more: one yakuman, sanbaiman, or one yakuman for each full 13",
        "5.6",
    ),
)

YAKUMAN: Final = group(
    "yakuman",
    (
        "double_yakuman",
        ON_OFF,
        "master switch of the four double yakuman; off: each counts once",
        "5.6; S0, variant S1 S4",
    ),
    ("double_kokushi_musou_13", ON_OFF, "thirteen-wait kokushi counts double", "5.6; S0"),
    ("double_junsei_chuuren_poutou", ON_OFF, "nine-wait chuuren counts double", "5.6; S0"),
    ("double_suuankou_tanki", ON_OFF, "suuankou on a pair wait counts double", "5.6; S0"),
    ("double_daisuushii", ON_OFF, "daisuushii counts double", "5.6; S0"),
    ("dai_yakuman", ON_OFF, "the four doubles count one and a half", "5.6; S1"),
    ("yakuman_stack", ON_OFF, "several yakuman add up; off: never more than one", "5.6"),
    ("yakuman_cap", Number(1, 100, words=("none",)), "upper bound of the total multiple", "5.6"),
    (
        "yakuman_add_dora",
        ON_OFF,
        "yakuman count 13 han each and dora are added, each full 13 han being one yakuman",
        "1.6; S1",
    ),
    (
        "wait_variant_on_tenhou",
        Choice(("actual", "single", "always_double")),
        "kokushi, suuankou, chuuren on a tenhou: by the drawn tile, single, or double if possible",
        "5.6; single, actual S0",
    ),
    ("tenhou_double", ON_OFF, "tenhou counts double", "5.6; S0"),
    ("suukantsu_double", ON_OFF, "suukantsu counts double", "5.6"),
    ("chuuren_manzu_only", ON_OFF, "chuuren, both forms, in characters only", "5.6"),
    (
        "ryuuiisou_hatsu",
        Choice(("any", "required")),
        "whether ryuuiisou must contain Green",
        "5.6; any S0, required S1 S4",
    ),
    ("ryuuiisou_pure_double", ON_OFF, "ryuuiisou without Green counts double", "5.6"),
)

LOCAL_YAKU: Final = group(
    "local yaku",
    ("open_riichi", ON_OFF, "open riichi is played, 2 han", "5.7"),
    ("open_double_riichi", ON_OFF, "open double riichi is played, 3 han", "5.7"),
    (
        "open_riichi_dealin_yakuman",
        ON_OFF,
        "a ron of an open riichi on a seat that is not in riichi is a yakuman",
        "5.7",
    ),
    ("sanshoku_tsuukan", ON_OFF, "123, 456 and 789 in three suits", "5.7"),
    (
        "sanshoku_tsuukan_mode",
        Choice(("closed2_open1", "closed1_only")),
        "value of sanshoku tsuukan",
        "5.7",
    ),
    ("isshoku_sanjun", ON_OFF, "three equal runs, 2 han closed", "5.7"),
    ("isshoku_sanjun_open_han", Choice((2, 1)), "value of isshoku sanjun with an open hand", "5.7"),
    ("sanrenkou", ON_OFF, "three consecutive triplets of a suit, 2 han", "5.7"),
    ("renhou", ON_OFF, "ron before the own first draw, no call or kan before", "5.7; S0"),
    (
        "renhou_mode",
        Choice(("yakuman", "mangan", "haneman", "baiman", "sanbaiman", "stack5")),
        "value of renhou: yakuman, at least a limit, or 5 han more",
        "5.7; S0",
    ),
    ("shiisan_puutou", ON_OFF, "thirteen unconnected tiles on the own first turn", "5.7; S0"),
    ("shiisan_puutou_mode", Choice(("yakuman", "mangan")), "value of shiisan puutou", "5.7"),
    (
        "shiisan_puutou_with_renhou",
        ON_OFF,
        "shiisan puutou also by a ron that would be renhou",
        "5.7; S0",
    ),
    ("daichisei", ON_OFF, "the seven honours as pairs, double yakuman", "5.7"),
    ("daisharin", ON_OFF, "22334455667788 of one suit", "5.7; S0"),
    (
        "daisharin_suits",
        Choice(("p", "any")),
        "suits in which daisharin counts",
        "5.7; S0 has both",
    ),
    ("daisharin_double", ON_OFF, "daisharin counts double", "5.7"),
    (
        "touhoku_shinkansen",
        ON_OFF,
        "straight with East and North, one a triplet, one the pair",
        "5.7",
    ),
    ("touhoku_open_ok", ON_OFF, "touhoku shinkansen counts with an open hand", "5.7"),
    ("touhoku_souzu_only", ON_OFF, "its straight must be in bamboo", "5.7"),
    ("hyakumangoku", ON_OFF, "all characters with numbers that sum to 100 or more", "5.7"),
    ("hyakumangoku_strict_gt", ON_OFF, "the sum must be more than 100", "5.7"),
    ("hyakumangoku_exact_double", ON_OFF, "a sum of exactly 100 counts double", "5.7"),
    ("isshoku_yonjun", ON_OFF, "four equal runs", "5.7"),
    ("suurenkou", ON_OFF, "four consecutive triplets of a suit", "5.7"),
    ("benikujaku", ON_OFF, "triplets and pair of 1579 bamboo and Red only", "5.7; S0"),
    ("paarenchan", ON_OFF, "a dealer's eighth hand in a row", "5.7"),
    (
        "paarenchan_count",
        Choice(("renchan", "wins")),
        "what is counted: deals kept, or wins in a row",
        "5.7",
    ),
    ("paarenchan_needs_yaku", ON_OFF, "the hand needs another yaku", "5.7"),
)

VALUE: Final[tuple[Option, ...]] = (*VALUE_OF_HANDS, *YAKUMAN, *LOCAL_YAKU)
