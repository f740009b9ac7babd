"""The ruleset: every option of the rule book as one frozen value.

>>> rules = Ruleset.preset("tenhou", aka_dora={"m": 0, "p": 0, "s": 0})
>>> rules.multi_ron, rules.aka_dora["p"]
('double', 0)
>>> Ruleset.from_dict(rules.to_dict()) == rules
True
"""

from __future__ import annotations

import dataclasses
import difflib
import functools
import tomllib
from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal

from .options import AkaDora, Option, RulesError, show
from .options_play import PLAY
from .options_value import VALUE
from .presets import PRESETS
from .tiles import tile_table

__all__ = ["DEFAULT", "OPTIONS", "PRESETS", "AkaDora", "Option", "RulesError", "Ruleset"]

_TABLE: Final = (*PLAY, *VALUE)

_UmaPoints = tuple[int, int, int, int]
_Limit = Literal["mangan", "haneman", "baiman", "sanbaiman", "yakuman"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Ruleset:
    """All options of one match; `OPTIONS` tells the values and meaning of each.

    `Ruleset()` is the preset `standard`. Two rulesets are equal when they play the same,
    whatever preset they began as.

    Raises:
        RulesError: a value that an option cannot have, or two options that contradict.
    """

    preset_name: str = dataclasses.field(default="standard", compare=False)

    # match
    length: Literal["tonpuu", "hanchan"] = "hanchan"
    start: int = 25_000
    target: int = 30_000
    oka: bool = True
    uma: _UmaPoints = (20, 10, -10, -20)
    tonpuu_uma: _UmaPoints | None = None
    points_rounding: Literal["none", "half_away", "goshashonyu"] = "none"
    tie: Literal["seat", "split_uma"] = "seat"
    leftover_riichi: Literal["first", "lost", "split"] = "first"
    renchan: Literal["tenpai", "agari", "noten", "none"] = "tenpai"
    agari_yame: bool = False
    tenpai_yame: bool = False
    extension: Literal["none", "sudden_death"] = "none"
    extension_renchan_first: bool = False
    extension_winds: int = 1
    tobi: Literal["lt0", "le0", "off"] = "lt0"

    # tiles and dora
    aka_dora: AkaDora = AkaDora()  # noqa: RUF009 - immutable
    dealer_first_tile: Literal["drawn", "dealt"] = "drawn"
    ippatsu: bool = True
    kan_dora: bool = True
    ura_dora: bool = True
    kan_ura: bool = True
    kan_dora_timing: Literal[
        "immediate", "ankan_now_minkan_at_discard", "ankan_now_minkan_after_pass"
    ] = "immediate"

    # calls
    call_priority: Literal["rank", "first_declared"] = "rank"
    multi_ron: Literal["head_bump", "double", "triple"] = "triple"
    sanchahou: bool = False
    kuikae: Literal["forbidden", "genbutsu_only_forbidden", "allowed"] = "forbidden"
    kan_min_live_left: int = 1
    kokushi_rob_ankan: bool = True

    # riichi and furiten
    riichi_min_score: int | Literal["none"] = 1000
    riichi_min_live_left: int = 4
    riichi_ankan: Literal["none", "same_shape", "same_waits"] = "same_waits"
    temp_furiten_end: Literal["own_draw", "own_discard"] = "own_draw"

    # draws
    tenpai_rule: Literal["keishiki"] = "keishiki"
    karaten_own4: Literal["tenpai", "noten_concealed4", "noten_hand_or_meld4"] = "tenpai"
    noten_declaration: bool = False
    nagashi: Literal["off", "draw", "win"] = "draw"
    nagashi_value: Literal["mangan", "baiman", "sanbaiman"] = "mangan"
    kyuushu_kyuuhai: bool = True
    suufon_renda: bool = True
    suucha_riichi: bool = True
    suukaikan: bool = True
    suukaikan_timing: Literal["after_discard", "immediate"] = "after_discard"

    # payments
    honba_value: int = 300
    multi_ron_honba: Literal["first", "each"] = "first"
    pao: bool = True
    pao_suukantsu: bool = False
    pao_daiminkan_rinshan: bool = False
    pao_local: bool = False
    pao_scope: Literal["part", "all"] = "part"
    pao_honba: Literal["liable", "discarder"] = "liable"

    # value of hands
    min_han: int = 1
    shibari2_honba: int | Literal["off"] = "off"
    kuitan: bool = True
    pinfu_tsumo: bool = True
    open_pinfu_fu: Literal[2, 0] = 2
    open_pinfu_yaku: bool = False
    chiitoitsu: Literal["2han25fu", "1han50fu"] = "2han25fu"
    honroutou_han: Literal[2, 3] = 2
    ryanpeikou_distinct: bool = False
    haitei_with_rinshan: bool = False
    houtei_after_rinshan: bool = True
    double_wind_pair_fu: Literal[4, 2] = 4
    kiriage: bool = False
    kazoe: Literal["yakuman", "sanbaiman", "stack"] = "yakuman"

    # yakuman
    double_yakuman: bool = True
    double_kokushi_musou_13: bool = True
    double_junsei_chuuren_poutou: bool = True
    double_suuankou_tanki: bool = True
    double_daisuushii: bool = True
    dai_yakuman: bool = False
    yakuman_stack: bool = True
    yakuman_cap: int | Literal["none"] = 6
    yakuman_add_dora: bool = False
    wait_variant_on_tenhou: Literal["actual", "single", "always_double"] = "actual"
    tenhou_double: bool = False
    suukantsu_double: bool = False
    chuuren_manzu_only: bool = False
    ryuuiisou_hatsu: Literal["any", "required"] = "any"
    ryuuiisou_pure_double: bool = False

    # local yaku
    open_riichi: bool = False
    open_double_riichi: bool = False
    open_riichi_dealin_yakuman: bool = False
    sanshoku_tsuukan: bool = False
    sanshoku_tsuukan_mode: Literal["closed2_open1", "closed1_only"] = "closed2_open1"
    isshoku_sanjun: bool = False
    isshoku_sanjun_open_han: Literal[2, 1] = 2
    sanrenkou: bool = False
    renhou: bool = False
    renhou_mode: _Limit | Literal["stack5"] = "yakuman"
    shiisan_puutou: bool = False
    shiisan_puutou_mode: Literal["yakuman", "mangan"] = "yakuman"
    shiisan_puutou_with_renhou: bool = False
    daichisei: bool = False
    daisharin: bool = False
    daisharin_suits: Literal["p", "any"] = "p"
    daisharin_double: bool = False
    touhoku_shinkansen: bool = False
    touhoku_open_ok: bool = True
    touhoku_souzu_only: bool = False
    hyakumangoku: bool = False
    hyakumangoku_strict_gt: bool = False
    hyakumangoku_exact_double: bool = False
    isshoku_yonjun: bool = False
    suurenkou: bool = False
    benikujaku: bool = False
    paarenchan: bool = False
    paarenchan_count: Literal["renchan", "wins"] = "renchan"
    paarenchan_needs_yaku: bool = True

    tiles: tuple[int, ...] = dataclasses.field(init=False, repr=False, compare=False)
    """Tile code of each tile id 0-135 under `aka_dora`."""
    _hash: int = dataclasses.field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _preset(self.preset_name)
        for option in _TABLE:
            value = getattr(self, option.name)
            try:
                checked = option.domain.check(value)
            except RulesError as error:
                raise RulesError(f"option {option.name}: {error}, not {_told(value)}") from None
            object.__setattr__(self, option.name, checked)
        _check_together(self)
        object.__setattr__(self, "tiles", tile_table(self.aka_dora))
        object.__setattr__(self, "_hash", hash(tuple(getattr(self, o.name) for o in _TABLE)))

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        # The hash of a text differs between processes: rebuild instead of carrying it over.
        return Ruleset.from_dict, (self.to_dict(),)

    def __str__(self) -> str:
        changes = ", ".join(f"{k}={show(v)}" for k, v in self.changes().items())
        return f"{self.preset_name} ({changes})" if changes else self.preset_name

    @classmethod
    def preset(cls, name: str, /, **overrides: Any) -> Ruleset:
        """The preset `name`, with some options set otherwise.

        Raises:
            RulesError: unknown preset or option, impossible value, contradiction.
        """
        changes = _preset(name)
        _check_names(overrides)
        return cls(preset_name=name, **{**changes, **overrides})

    @classmethod
    def from_dict(cls, options: Mapping[str, Any], base: Ruleset | None = None) -> Ruleset:
        """The ruleset of a JSON object: `preset` and options that differ from it.

        Without `preset` they differ from `base`, by default the preset `standard`.

        Raises:
            RulesError: unknown preset or option, impossible value, contradiction.
        """
        if not isinstance(options, Mapping):
            raise RulesError(f"rules: must be an object of options, not {_told(options)}")
        overrides = dict(options)
        base_name = "standard" if base is None else base.preset_name
        name = overrides.pop("preset", base_name)
        changes = dict(_preset(name))
        if base is not None and "preset" not in options:
            changes |= base.changes()
        _check_names(overrides)
        return cls(preset_name=name, **{**changes, **overrides})

    @classmethod
    def from_toml(cls, text: str) -> Ruleset:
        """The ruleset of a TOML text with the same keys as `from_dict`.

        Raises:
            RulesError: not TOML, or as `from_dict`.
        """
        try:
            options = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise RulesError(
                f"rules: not TOML: {error}; all but numbers, lists, true and false "
                'stands in quotes, as in kuitan = "off"'
            ) from None
        return cls.from_dict(options)

    def to_dict(self) -> dict[str, Any]:
        """All options as a JSON object, and `preset`; `from_dict` reads it back."""
        options = {option.name: _plain(getattr(self, option.name)) for option in _TABLE}
        return {"preset": self.preset_name, **options}

    def brief(self) -> dict[str, Any]:
        """`preset` and the options that differ from it; `from_dict` reads it back."""
        changes = {name: _plain(value) for name, value in self.changes().items()}
        return {"preset": self.preset_name, **changes}

    def changes(self, base: Ruleset | None = None) -> dict[str, Any]:
        """Options that differ from `base` (default: the preset that this began as)."""
        other = _whole(self.preset_name) if base is None else base
        return {
            option.name: getattr(self, option.name)
            for option in _TABLE
            if getattr(self, option.name) != getattr(other, option.name)
        }


def _told(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _guess(name: object, names: Iterable[str]) -> str:
    close = difflib.get_close_matches(str(name), list(names), n=1, cutoff=0.6)
    return f"; did you mean {close[0]}?" if close else ""


def _preset(name: object) -> Mapping[str, Any]:
    if not isinstance(name, str) or name not in PRESETS:
        hint = _guess(name, PRESETS) or f"; there are {', '.join(PRESETS)}"
        raise RulesError(f"preset {_told(name)} does not exist{hint}")
    return PRESETS[name].changes


@functools.cache
def _whole(preset: str) -> Ruleset:
    return Ruleset.preset(preset)


def _plain(value: Any) -> Any:
    """The JSON form of an option's value."""
    if isinstance(value, AkaDora):
        return dict(value)
    return list(value) if isinstance(value, tuple) else value


def _check_names(names: Iterable[object]) -> None:
    for name in names:
        if name not in OPTIONS:
            raise RulesError(f"option {_told(name)} does not exist{_guess(name, OPTIONS)}")


def _check_together(rules: Ruleset) -> None:
    """Refuse options that cannot both hold; options without effect are no contradiction."""
    if rules.target < rules.start:
        raise RulesError(f"option target: {rules.target} is less than start ({rules.start})")
    if rules.target > 4 * rules.start:
        raise RulesError(
            f"option target: {rules.target} is more than all points of the table "
            f"(4 x start = {4 * rules.start})"
        )
    if rules.sanchahou and rules.multi_ron != "double":
        raise RulesError(
            f'option sanchahou: needs multi_ron "double"; with "{rules.multi_ron}" '
            "three rons never abort a hand"
        )
    if rules.dealer_first_tile == "dealt" and rules.wait_variant_on_tenhou == "actual":
        raise RulesError(
            'option wait_variant_on_tenhou: "actual" needs a drawn tile, '
            'but dealer_first_tile is "dealt"'
        )
    if rules.open_riichi_dealin_yakuman and not (rules.open_riichi or rules.open_double_riichi):
        raise RulesError(
            "option open_riichi_dealin_yakuman: needs open_riichi or open_double_riichi"
        )


_DEFAULTS: Final[Mapping[str, Any]] = {
    field.name: field.default for field in dataclasses.fields(Ruleset) if field.init
}

OPTIONS: Final[Mapping[str, Option]] = {
    option.name: option._replace(default=_DEFAULTS[option.name]) for option in _TABLE
}
"""Every option by name, in the order of the rule book's table."""

DEFAULT: Final = Ruleset()
"""The preset `standard`."""
