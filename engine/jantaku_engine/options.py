"""The options of a ruleset as data: allowed values, meaning, source.

The default of each option stands once, in the dataclass `rules.Ruleset`; `rules.OPTIONS` is
this table with the defaults filled in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

SUITS: Final = ("m", "p", "s")


class RulesError(ValueError):
    """An option that does not exist, a value that it cannot have, or two that contradict."""


class AkaDora(Mapping[str, int]):
    """Red fives in the set, 0-4 in each suit: an immutable mapping of `m`, `p`, `s` (RULES 1.1)."""

    __slots__ = ("_counts",)

    def __init__(self, m: int = 1, p: int = 1, s: int = 1) -> None:
        self._counts = (m, p, s)

    def __getitem__(self, suit: str) -> int:
        if suit not in SUITS:
            raise KeyError(suit)
        return self._counts[SUITS.index(suit)]

    def __iter__(self) -> Iterator[str]:
        return iter(SUITS)

    def __len__(self) -> int:
        return 3

    def __hash__(self) -> int:
        return hash(self._counts)

    def __reduce__(self) -> tuple[type[AkaDora], tuple[int, int, int]]:
        return AkaDora, self._counts

    def __repr__(self) -> str:
        return "AkaDora(m={}, p={}, s={})".format(*self._counts)


class Choice(NamedTuple):
    """One of a few words, numbers or truth values."""

    values: tuple[str | int | bool, ...]

    def check(self, value: object) -> object:
        """The value, when it is one of these and of the same type (1 is not true)."""
        for allowed in self.values:
            if type(value) is type(allowed) and value == allowed:
                return value
        raise RulesError(f"must be {self}")

    def __str__(self) -> str:
        return _one_of([show(value) for value in self.values])

    def examples(self) -> tuple[object, ...]:
        """Every value."""
        return self.values


class Number(NamedTuple):
    """A whole number from `low` to `high` in steps, or one of `words`."""

    low: int
    high: int
    step: int = 1
    words: tuple[str, ...] = ()

    def check(self, value: object) -> object:
        """The value, when it is such a number or word."""
        if type(value) is int and self.low <= value <= self.high and value % self.step == 0:
            return value
        if type(value) is str and value in self.words:
            return value
        raise RulesError(f"must be {self}")

    def __str__(self) -> str:
        multiple = f" in steps of {self.step}" if self.step > 1 else ""
        return _one_of([f"{self.low}..{self.high}{multiple}", *map(show, self.words)])

    def examples(self) -> tuple[object, ...]:
        """The ends of the range and every word."""
        return (self.low, self.high, *self.words)


class Uma(NamedTuple):
    """Four whole thousands, first to fourth place, that sum to zero."""

    optional: bool = False

    def check(self, value: object) -> object:
        """The value as a tuple; None for "none" where that is allowed."""
        if self.optional and (value is None or value == "none"):
            return None
        if (
            isinstance(value, list | tuple)
            and len(value) == 4
            and all(type(place) is int for place in value)
            and sum(value) == 0
        ):
            return tuple(value)
        raise RulesError(f"must be {self}")

    def __str__(self) -> str:
        words = ["four whole thousands, first to fourth place, with sum 0"]
        return _one_of(words + ['"none"'] * self.optional)

    def examples(self) -> tuple[object, ...]:
        """A few."""
        return ((20, 10, -10, -20), (0, 0, 0, 0), *[None] * self.optional)


class Aka(NamedTuple):
    """Counts of red fives for the three suits."""

    def check(self, value: object) -> object:
        """The value as `AkaDora`."""
        if (
            isinstance(value, Mapping)
            and set(value) == set(SUITS)
            and all(type(count) is int and 0 <= count <= 4 for count in value.values())
        ):
            return AkaDora(value["m"], value["p"], value["s"])
        raise RulesError(f"must be {self}")

    def __str__(self) -> str:
        return "counts 0..4 of m, p and s"

    def examples(self) -> tuple[object, ...]:
        """A few."""
        return (AkaDora(1, 1, 1), AkaDora(0, 0, 0), AkaDora(1, 2, 1))


Domain = Choice | Number | Uma | Aka


class Option(NamedTuple):
    """One option of the rules.

    Attributes:
        name: field of `Ruleset`.
        group: heading under which it is listed.
        domain: what values it can have.
        meaning: one sentence.
        source: section of the rule book, then the source texts that name it.
        default: value in the preset `standard`.
    """

    name: str
    group: str
    domain: Domain
    meaning: str
    source: str
    default: Any = None


def show(value: object) -> str:
    """A value as text for people: as in TOML, with `on` and `off` for truth values."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, AkaDora):
        return "/".join(str(count) for count in value.values())
    if isinstance(value, tuple):
        return "/".join(str(place) for place in value)
    if value is None:
        return '"none"'
    return f'"{value}"' if isinstance(value, str) else str(value)


def _one_of(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


_ON_OFF: Final = Choice((False, True))

_TABLE: Final[tuple[tuple[str, tuple[tuple[str, Domain, str, str], ...]], ...]] = (
    (
        "match",
        (
            ("length", Choice(("tonpuu", "hanchan")), "scheduled winds: East only, or East and South", "8.2"),
            ("start", Number(1000, 1_000_000, 100), "points of each seat at the start", "8.6"),
            ("target", Number(1000, 1_000_000, 100), "points that end an extension and that final points are counted from with oka", "8.3, 8.6"),
            ("oka", _ON_OFF, "the first place gets 4 x (target - start); off: final points are counted from start", "8.6"),
            ("uma", Uma(), "thousands added by place, first to fourth", "8.6"),
            ("tonpuu_uma", Uma(optional=True), "uma of a tonpuu where it differs", "8.6, 9"),
            ("points_rounding", Choice(("none", "half_away", "goshashonyu")), "final points to 0.1; scores to thousands, halves away from zero; or up to 500 towards zero", "8.6"),
            ("tie", Choice(("seat", "split_uma")), "equal scores: the earlier seat is ahead, or the places share uma and oka", "8.6"),
            ("leftover_riichi", Choice(("first", "lost", "split")), "deposits left at the end: to the first place, to nobody, or shared by tied firsts", "8.6"),
            ("renchan", Choice(("tenpai", "agari", "noten", "none")), "the dealer stays after a win and: tenpai at an exhaustive draw; nothing more; any draw; or never stays", "8.1"),
            ("agari_yame", _ON_OFF, "the match ends when the dealer of the last hand wins and is first with the target", "8.4"),
            ("tenpai_yame", _ON_OFF, "the same when the dealer stays by tenpai at an exhaustive draw", "8.4"),
            ("extension", Choice(("none", "sudden_death")), "play on after the last hand while nobody has the target", "8.3"),
            ("extension_renchan_first", _ON_OFF, "a dealer who stays in the extension plays on unless first with the target", "8.3"),
            ("extension_winds", Number(1, 2), "most winds that an extension adds", "8.3, 9"),
            ("tobi", Choice(("lt0", "le0", "off")), "the match ends when a seat is below zero, at or below zero, or never for that", "8.5"),
        ),
    ),
    (
        "tiles and dora",
        (
            ("aka_dora", Aka(), "red fives in the set", "1.1; S3"),
            ("dealer_first_tile", Choice(("drawn", "dealt")), "the dealer draws the 14th tile, or is dealt 14 tiles of which none is the drawn one", "1.4"),
            ("ippatsu", _ON_OFF, "ippatsu counts", "3.7"),
            ("kan_dora", _ON_OFF, "kans turn further dora indicators", "1.6"),
            ("ura_dora", _ON_OFF, "a winner in riichi counts the tiles under the indicators", "1.6"),
            ("kan_ura", _ON_OFF, "ura dora also under the kan-dora indicators", "1.6"),
            ("kan_dora_timing", Choice(("immediate", "ankan_now_minkan_at_discard", "ankan_now_minkan_after_pass")), "when the indicator of a kan turns: at once; for daiminkan and kakan just before the next discard or kan draw; or when that discard was passed", "2.9; S3"),
        ),
    ),
    (
        "calls",
        (
            ("call_priority", Choice(("rank", "first_declared")), "competing calls: ron over pon and kan over chi, or whoever answered first", "2.2; S3"),
            ("multi_ron", Choice(("head_bump", "double", "triple")), "how many may ron one tile: the next in turn order, two, or three", "2.4; S1"),
            ("sanchahou", _ON_OFF, "three rons on one tile abort the hand", "2.4, 6.2"),
            ("kuikae", Choice(("forbidden", "genbutsu_only_forbidden", "allowed")), "swap calling: discards forbidden right after a call are the called kind and the other end of the run, the called kind only, or none", "2.7; S3"),
            ("kan_min_live_left", Number(1, 70), "live tiles that must be left when a kan is declared", "2.8"),
            ("kokushi_rob_ankan", _ON_OFF, "kokushi may ron the tile of an ankan", "2.10; S2 S3 S4, variant S0 S1"),
        ),
    ),
    (
        "riichi and furiten",
        (
            ("riichi_min_score", Number(0, 1_000_000, 100, ("none",)), "points that a seat must have to declare riichi", "3.1"),
            ("riichi_min_live_left", Number(0, 70), "live tiles that must be left after the draw of the declaration", "3.1"),
            ("riichi_ankan", Choice(("none", "same_shape", "same_waits")), "ankan of the drawn kind in riichi: never, when it keeps every reading, or when it keeps the waits", "3.5; S1 S3"),
            ("temp_furiten_end", Choice(("own_draw", "own_discard")), "temporary furiten ends at the own next draw or discard", "4.2; S3"),
        ),
    ),
    (
        "draws",
        (
            ("tenpai_rule", Choice(("keishiki",)), "tenpai at an exhaustive draw is a matter of shape; no yaku is needed", "6.4; S3"),
            ("karaten_own4", Choice(("tenpai", "noten_concealed4", "noten_hand_or_meld4")), "a hand all of whose waits are kinds that it holds four times: tenpai; noten when all four are concealed; noten also with melds", "6.4; S3"),
            ("noten_declaration", _ON_OFF, "a tenpai seat that is not in riichi may fold at an exhaustive draw", "6.4"),
            ("nagashi", Choice(("off", "draw", "win")), "nagashi mangan: not played, a kind of draw, or a kind of win", "5.5; S0 S1 S2 S4"),
            ("nagashi_value", Choice(("mangan", "baiman", "sanbaiman")), "what nagashi is worth", "5.5; S0 S2 S4, variant S1"),
            ("kyuushu_kyuuhai", _ON_OFF, "nine kinds of terminals and honours on the first draw may abort the hand", "6.2; S3"),
            ("suufon_renda", _ON_OFF, "four equal winds as the first four discards abort the hand", "6.2; S3"),
            ("suucha_riichi", _ON_OFF, "the fourth riichi aborts the hand", "6.2; S3"),
            ("suukaikan", _ON_OFF, "four kans by two or more seats abort the hand", "6.2; S3"),
            ("suukaikan_timing", Choice(("after_discard", "immediate")), "that abort comes when the next discard was passed, or with the fourth kan", "6.2"),
        ),
    ),
    (
        "payments",
        (
            ("honba_value", Number(0, 30_000, 300), "points that each honba adds to a ron; a third of it from each payer of a tsumo", "7.3"),
            ("multi_ron_honba", Choice(("first", "each")), "with several rons honba goes to the first winner in turn order or to each", "7.4"),
            ("pao", _ON_OFF, "liability for daisangen and daisuushii", "7.6; S3"),
            ("pao_suukantsu", _ON_OFF, "liability for the daiminkan that completes suukantsu", "7.6"),
            ("pao_daiminkan_rinshan", _ON_OFF, "who fed a daiminkan pays the whole of a rinshan win on it", "7.6; variant S3"),
            ("pao_local", _ON_OFF, "liability for the local yakuman suurenkou and isshoku yonjun", "7.6"),
            ("pao_scope", Choice(("part", "all")), "the liable seat answers for its yakuman only, or for the whole hand", "7.6"),
            ("pao_honba", Choice(("liable", "discarder")), "who pays the honba of a ron that is shared by liability", "7.6"),
        ),
    ),
    (
        "value of hands",
        (
            ("min_han", Number(1, 13), "least han from yaku, dora excluded, for a win", "5.2; S0 S1 S2 S3 S4"),
            ("shibari2_honba", Number(1, 100, 1, ("off",)), "from this many honba on a win needs two han from yaku", "5.2; S0 S2"),
            ("kuitan", _ON_OFF, "tanyao counts with an open hand", "5.3; S0"),
            ("pinfu_tsumo", _ON_OFF, "pinfu counts on a tsumo, without the 2 fu for tsumo; off: no pinfu on a tsumo", "5.3"),
            ("open_pinfu_fu", Choice((2, 0)), "fu added to an open ron that would total 20 fu", "7.1"),
            ("open_pinfu_yaku", _ON_OFF, "pinfu counts 1 han with an open hand", "5.3; S2"),
            ("chiitoitsu", Choice(("2han25fu", "1han50fu")), "value of seven pairs", "5.4; S0 S2"),
            ("honroutou_han", Choice((2, 3)), "honroutou: 2 han, or 3 closed and 2 open", "5.4; 2: S0 S1 S2 S4, 3: variant S0 S2"),
            ("ryanpeikou_distinct", _ON_OFF, "the two double runs of ryanpeikou must differ; four equal runs are iipeikou", "5.4"),
            ("haitei_with_rinshan", _ON_OFF, "haitei counts on a last tile that comes from the dead wall", "5.3; off S0 S2"),
            ("houtei_after_rinshan", _ON_OFF, "houtei counts on a last discard after a draw from the dead wall", "5.3; S0, against it S2"),
            ("double_wind_pair_fu", Choice((4, 2)), "fu of a pair that is both seat wind and round wind", "7.1"),
            ("kiriage", _ON_OFF, "4 han 30 fu and 3 han 60 fu are mangan", "7.2; S1"),
            ("kazoe", Choice(("yakuman", "sanbaiman", "stack")), "13 han or more: one yakuman, sanbaiman, or one yakuman for each full 13", "5.6"),
        ),
    ),
    (
        "yakuman",
        (
            ("double_yakuman", _ON_OFF, "master switch of the four double yakuman; off: each counts once", "5.6; S0, variant S1 S4"),
            ("double_kokushi_musou_13", _ON_OFF, "thirteen-wait kokushi counts double", "5.6; S0"),
            ("double_junsei_chuuren_poutou", _ON_OFF, "nine-wait chuuren counts double", "5.6; S0"),
            ("double_suuankou_tanki", _ON_OFF, "suuankou on a pair wait counts double", "5.6; S0"),
            ("double_daisuushii", _ON_OFF, "daisuushii counts double", "5.6; S0"),
            ("dai_yakuman", _ON_OFF, "the four doubles count one and a half", "5.6; S1"),
            ("yakuman_stack", _ON_OFF, "several yakuman add up; off: never more than one", "5.6"),
            ("yakuman_cap", Number(1, 100, 1, ("none",)), "upper bound of the total multiple", "5.6"),
            ("yakuman_add_dora", _ON_OFF, "yakuman count 13 han each and dora are added, each full 13 han being one yakuman", "1.6; S1"),
            ("wait_variant_on_tenhou", Choice(("actual", "single", "always_double")), "form of kokushi, suuankou and chuuren on a tenhou: by the tile drawn, the single form, or the double form if the tiles allow it", "5.6; single, actual S0"),
            ("tenhou_double", _ON_OFF, "tenhou counts double", "5.6; S0"),
            ("suukantsu_double", _ON_OFF, "suukantsu counts double", "5.6"),
            ("chuuren_manzu_only", _ON_OFF, "chuuren, both forms, in characters only", "5.6"),
            ("ryuuiisou_hatsu", Choice(("any", "required")), "whether ryuuiisou must contain Green", "5.6; any S0, required S1 S4"),
            ("ryuuiisou_pure_double", _ON_OFF, "ryuuiisou without Green counts double", "5.6"),
        ),
    ),
    (
        "local yaku",
        (
            ("open_riichi", _ON_OFF, "open riichi is played, 2 han", "5.7"),
            ("open_double_riichi", _ON_OFF, "open double riichi is played, 3 han", "5.7"),
            ("open_riichi_dealin_yakuman", _ON_OFF, "a ron of an open riichi on a seat that is not in riichi is a yakuman", "5.7"),
            ("sanshoku_tsuukan", _ON_OFF, "123, 456 and 789 in three suits", "5.7"),
            ("sanshoku_tsuukan_mode", Choice(("closed2_open1", "closed1_only")), "value of sanshoku tsuukan", "5.7"),
            ("isshoku_sanjun", _ON_OFF, "three equal runs, 2 han closed", "5.7"),
            ("isshoku_sanjun_open_han", Choice((2, 1)), "value of isshoku sanjun with an open hand", "5.7"),
            ("sanrenkou", _ON_OFF, "three consecutive triplets of a suit, 2 han", "5.7"),
            ("renhou", _ON_OFF, "ron before the own first draw, no call or kan before", "5.7; S0"),
            ("renhou_mode", Choice(("yakuman", "mangan", "haneman", "baiman", "sanbaiman", "stack5")), "value of renhou: yakuman, at least a limit, or 5 han more", "5.7; S0"),
            ("shiisan_puutou", _ON_OFF, "thirteen unconnected tiles on the own first turn", "5.7; S0"),
            ("shiisan_puutou_mode", Choice(("yakuman", "mangan")), "value of shiisan puutou", "5.7"),
            ("shiisan_puutou_with_renhou", _ON_OFF, "shiisan puutou also by a ron that would be renhou", "5.7; S0"),
            ("daichisei", _ON_OFF, "the seven honours as pairs, double yakuman", "5.7"),
            ("daisharin", _ON_OFF, "22334455667788 of one suit", "5.7; S0"),
            ("daisharin_suits", Choice(("p", "any")), "suits in which daisharin counts", "5.7; S0 has both"),
            ("daisharin_double", _ON_OFF, "daisharin counts double", "5.7"),
            ("touhoku_shinkansen", _ON_OFF, "straight with East and North, one a triplet, one the pair", "5.7"),
            ("touhoku_open_ok", _ON_OFF, "touhoku shinkansen counts with an open hand", "5.7"),
            ("touhoku_souzu_only", _ON_OFF, "its straight must be in bamboo", "5.7"),
            ("hyakumangoku", _ON_OFF, "all characters with numbers that sum to 100 or more", "5.7"),
            ("hyakumangoku_strict_gt", _ON_OFF, "the sum must be more than 100", "5.7"),
            ("hyakumangoku_exact_double", _ON_OFF, "a sum of exactly 100 counts double", "5.7"),
            ("isshoku_yonjun", _ON_OFF, "four equal runs", "5.7"),
            ("suurenkou", _ON_OFF, "four consecutive triplets of a suit", "5.7"),
            ("benikujaku", _ON_OFF, "triplets and pair of 1579 bamboo and Red only", "5.7; S0"),
            ("paarenchan", _ON_OFF, "a dealer's eighth hand in a row", "5.7"),
            ("paarenchan_count", Choice(("renchan", "wins")), "what is counted: deals kept, or wins in a row", "5.7"),
            ("paarenchan_needs_yaku", _ON_OFF, "the hand needs another yaku", "5.7"),
        ),
    ),
)  # fmt: skip

TABLE: Final[tuple[Option, ...]] = tuple(
    Option(name, group, domain, meaning, f"RULES {source}")
    for group, rows in _TABLE
    for name, domain, meaning, source in rows
)
"""Every option in the order of the rule book's table, without defaults."""
