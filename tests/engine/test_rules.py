"""The ruleset: its options, presets, contradictions and text forms."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
import re
import subprocess
import sys
import tomllib
import typing

import pytest
from hypothesis import given
from hypothesis import strategies as st

import paths
from jantaku_engine.options import Aka, AkaDora, Choice, Number, Uma, show
from jantaku_engine.rules import DEFAULT, OPTIONS, PRESETS, RulesError, Ruleset

COMPANIONS = {
    ("sanchahou", True): {"multi_ron": "double"},
    ("dealer_first_tile", "dealt"): {"wait_variant_on_tenhou": "single"},
    ("open_riichi_dealin_yakuman", True): {"open_riichi": True},
    ("start", 1000): {"target": 1000},
    ("start", 1_000_000): {"target": 1_000_000},
    ("target", 1000): {"start": 1000},
    ("target", 1_000_000): {"start": 1_000_000},
}
"""What else must be set for a value that would contradict the preset `standard` alone."""

EVERY_VALUE = [
    pytest.param(name, value, id=f"{name}={show(value)}")
    for name, option in OPTIONS.items()
    for value in option.domain.examples()
]


def with_option(name: str, value: object) -> Ruleset:
    companions = COMPANIONS.get((name, value), {}) if not isinstance(value, AkaDora) else {}
    return Ruleset.preset("standard", **companions, **{name: value})


# --- the table of options and the dataclass say the same -----------------------------------------


def test_every_field_is_an_option_and_every_option_a_field() -> None:
    fields = [f.name for f in dataclasses.fields(Ruleset) if f.init and f.name != "preset_name"]
    assert fields == list(OPTIONS)


def test_every_default_is_a_value_that_the_option_can_have() -> None:
    for name, option in OPTIONS.items():
        assert option.domain.check(option.default) == option.default, name
        assert getattr(DEFAULT, name) == option.default


def test_static_types_agree_with_the_table() -> None:
    hints = typing.get_type_hints(Ruleset)
    for name, option in OPTIONS.items():
        parts = typing.get_args(hints[name]) or (hints[name],)
        words = {w for p in parts for w in (typing.get_args(p) or (p,))} - {type(None)}
        match option.domain:
            case Choice((False, True)):
                assert hints[name] is bool, name
            case Choice(values):
                assert words == set(values), name
            case Number(words=extra):
                assert words == {int, *extra}, name
            case Aka():
                assert hints[name] is AkaDora
            case Uma(optional=optional):
                assert (type(None) in parts) == optional, name


def test_every_option_tells_its_meaning_and_source_in_one_line() -> None:
    for option in OPTIONS.values():
        assert option.meaning
        assert "\n" not in option.meaning
        assert re.match(r"RULES \d(\.\d+)?[\w ,.:;]*$", option.source), option
        assert str(option.domain)


def test_every_scoring_option_has_the_name_values_and_default_of_the_fixed_table() -> None:
    rows = re.findall(
        r"^\| `(\w+)` \| (.*?) \| (.*?) \| ", paths.rules_text("options.md"), re.MULTILINE
    )
    assert len(rows) > 60
    for name, values, default in rows:
        if name == "preset":
            continue
        option = OPTIONS[name]
        for word in re.findall(r'`"(\w+)"`', values):
            assert option.domain.check(word) == word, name
        assert (
            json.loads(default.split("`")[1] if "`" in default else default)
            == Ruleset().to_dict()[name]
        ), name


def test_every_option_named_in_the_source_rules_exists() -> None:
    renamed = {
        "open_ok": "touhoku_open_ok",
        "souzu_only": "touhoku_souzu_only",
        "strict_gt": "hyakumangoku_strict_gt",
        "renchan_first": "extension_renchan_first",
    }
    no_options = {"wait_variant_on_tenhou", "live_left", "w", "haitei", "score"}
    values = {
        str(value) for option in OPTIONS.values() for value in option.domain.examples()
    } | set(PRESETS)
    text = paths.rules_text("RULES.md")
    named = set(re.findall(r"`([a-z_0-9]*_[a-z_0-9]*|uma|oka|pao|tobi|tie|length)[`=]", text))
    assert len(named) > 50
    for name in named - values - no_options:
        assert renamed.get(name, name) in OPTIONS, name


# --- values ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "value"), EVERY_VALUE)
def test_every_value_of_every_option_loads_and_survives_json(name: str, value: object) -> None:
    rules = with_option(name, value)
    assert getattr(rules, name) == value
    again = Ruleset.from_dict(json.loads(json.dumps(rules.to_dict())))
    assert again == rules
    assert hash(again) == hash(rules)
    assert Ruleset.from_dict(json.loads(json.dumps(rules.brief()))) == rules
    assert Ruleset.from_dict({}, rules) == rules
    assert (rules == DEFAULT) == (value == OPTIONS[name].default)


NO_VALUES = ("nonsense", 3.5, None, -17, 10**9, [], {}, "True", b"none")


@pytest.mark.parametrize("name", OPTIONS)
def test_a_value_that_an_option_cannot_have_is_refused_by_name(name: str) -> None:
    for value in NO_VALUES:
        if name == "tonpuu_uma" and value is None:
            continue
        with pytest.raises(RulesError) as error:
            Ruleset.from_dict({name: value})
        assert str(error.value).startswith(f"option {name}: must be ")
        assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", OPTIONS)
def test_a_truth_value_is_no_number_and_a_number_no_truth_value(name: str) -> None:
    wrong = 1 if OPTIONS[name].domain == Choice((False, True)) else True
    with pytest.raises(RulesError, match=f"option {name}: must be"):
        Ruleset.from_dict({name: wrong})


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"honba_value": 400}, "option honba_value: must be 0..30000 in steps of 300, not 400"),
        ({"uma": [20, 10, -10, -19]}, "option uma: must be four whole thousands"),
        ({"uma": [20, 10, -30]}, "option uma: must be four whole thousands"),
        ({"uma": [20.0, 10, -10, -20]}, "option uma: must be four whole thousands"),
        ({"aka_dora": {"m": 5, "p": 0, "s": 0}}, "option aka_dora: must be counts 0..4"),
        ({"aka_dora": {"m": 1, "p": 1}}, "option aka_dora: must be counts 0..4"),
        ({"aka_dora": {"m": True, "p": 1, "s": 1}}, "option aka_dora: must be counts 0..4"),
        ({"start": 25_050}, "option start: must be 1000..1000000 in steps of 100"),
        ({"multi_ron": "quadruple"}, 'must be "head_bump", "double" or "triple"'),
        ({"yakuman_cap": 0}, 'option yakuman_cap: must be 1..100 or "none", not 0'),
        ({"kuitann": True}, "option 'kuitann' does not exist; did you mean kuitan?"),
        ({"zzz": 1}, "option 'zzz' does not exist"),
        ({7: 1}, "option 7 does not exist"),
        ({"preset": "tenho"}, "preset 'tenho' does not exist; did you mean tenhou?"),
        ({"preset": "xyzzy"}, "preset 'xyzzy' does not exist; there are standard, tenhou"),
        ({"preset": ["tenhou"]}, "preset ['tenhou'] does not exist"),
        ({"preset": None}, "preset None does not exist"),
        ({"target": 20_000}, "option target: 20000 is less than start (25000)"),
        ({"target": 100_100}, "option target: 100100 is more than all points of the table"),
        ({"sanchahou": True}, 'option sanchahou: needs multi_ron "double"; with "triple"'),
        (
            {"preset": "tenhou", "multi_ron": "head_bump"},
            'option sanchahou: needs multi_ron "double"; with "head_bump"',
        ),
        ({"dealer_first_tile": "dealt"}, 'option wait_variant_on_tenhou: "actual" needs a drawn'),
        ({"open_riichi_dealin_yakuman": True}, "option open_riichi_dealin_yakuman: needs open"),
        ({"length": "x" * 500}, 'option length: must be "tonpuu" or "hanchan", not'),
    ],
)
def test_bad_options_get_one_line_that_names_them(options: dict[str, object], says: str) -> None:
    with pytest.raises(RulesError) as error:
        Ruleset.from_dict(options)
    assert says in str(error.value)
    assert len(str(error.value)) < 250
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("options", [None, [], "tenhou", 5])
def test_rules_that_are_no_object_are_refused(options: typing.Any) -> None:
    with pytest.raises(RulesError, match="rules: must be an object of options"):
        Ruleset.from_dict(options)


def test_options_without_effect_are_no_contradiction() -> None:
    Ruleset.preset("standard", daisharin=False, daisharin_suits="any", nagashi="off")
    Ruleset.preset("standard", open_double_riichi=True, open_riichi=False)
    Ruleset.preset("standard", double_yakuman=False, dai_yakuman=True)


def test_every_scoring_case_has_rules_that_load() -> None:
    for case in paths.score_cases():
        given_rules = case.get("rules", {})
        rules = Ruleset.from_dict(given_rules)
        for name, value in given_rules.items():
            assert name == "preset" or getattr(rules, name) == value, case["id"]


# --- the value itself -----------------------------------------------------------------------------


def test_a_ruleset_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        DEFAULT.kuitan = False  # type: ignore[misc]
    with pytest.raises(TypeError):
        DEFAULT.aka_dora["m"] = 2  # type: ignore[index]


def test_rulesets_are_equal_when_they_play_the_same() -> None:
    by_hand = Ruleset.preset("standard", **PRESETS["tenhou"].changes)
    assert by_hand == Ruleset.preset("tenhou")
    assert hash(by_hand) == hash(Ruleset.preset("tenhou"))
    assert by_hand != DEFAULT
    assert len({by_hand, Ruleset.preset("tenhou"), DEFAULT}) == 2


def test_changes_are_told_against_the_own_preset_or_any_other() -> None:
    rules = Ruleset.preset("tenhou", aka_dora={"m": 0, "p": 0, "s": 0}, length="tonpuu")
    assert rules.changes() == {"length": "tonpuu", "aka_dora": {"m": 0, "p": 0, "s": 0}}
    assert rules.changes(rules) == {}
    assert str(rules) == 'tenhou (length="tonpuu", aka_dora=0/0/0)'
    assert str(DEFAULT) == "standard"


def test_replacing_an_option_checks_again() -> None:
    assert dataclasses.replace(DEFAULT, kuitan=False).kuitan is False
    with pytest.raises(RulesError, match="option start"):
        dataclasses.replace(DEFAULT, start=1)
    with pytest.raises(RulesError, match="preset 'nobody'"):
        Ruleset(preset_name="nobody")


def test_a_ruleset_can_be_copied_and_sent_to_another_process() -> None:
    rules = Ruleset.preset("mleague", aka_dora={"m": 0, "p": 2, "s": 1})
    assert copy.deepcopy(rules) == rules
    assert pickle.loads(pickle.dumps(rules)) == rules
    code = (
        "import pickle, sys; from jantaku_engine.rules import Ruleset; "
        "rules = pickle.loads(sys.stdin.buffer.read()); "
        "print(rules in {Ruleset.from_dict(rules.to_dict())}, rules.preset_name)"
    )
    other = subprocess.run(
        [sys.executable, "-c", code],
        input=pickle.dumps(rules),
        capture_output=True,
        check=True,
        env={"PYTHONPATH": str(paths.CHECKOUT / "engine"), "PYTHONHASHSEED": "7"},
    )
    assert other.stdout.decode().split() == ["True", "mleague"]


def test_red_fives_read_like_a_mapping_and_give_the_tiles_of_the_set() -> None:
    rules = Ruleset.preset("standard", aka_dora={"m": 0, "p": 2, "s": 1})
    assert dict(rules.aka_dora) == {"m": 0, "p": 2, "s": 1}
    assert rules.aka_dora == {"m": 0, "p": 2, "s": 1}
    assert repr(rules.aka_dora) == "AkaDora(m=0, p=2, s=1)"
    with pytest.raises(KeyError):
        rules.aka_dora["z"]
    assert len(rules.tiles) == 136
    assert rules.tiles[16:20] == (4, 4, 4, 4)
    assert rules.tiles[52:56] == (35, 35, 13, 13)
    assert rules.tiles[88:92] == (36, 22, 22, 22)


# --- presets --------------------------------------------------------------------------------------

SECTION_9 = {
    # option: standard, tenhou, mahjongsoul, mleague, wrc2022, ema2016
    "start": (25_000, 25_000, 25_000, 25_000, 30_000, 30_000),
    "target": (30_000,) * 6,
    "uma": (
        (20, 10, -10, -20),
        (20, 10, -10, -20),
        (15, 5, -5, -15),
        (30, 10, -10, -30),
        (15, 5, -5, -15),
        (15, 5, -5, -15),
    ),
    "oka": (True, True, False, True, False, False),
    "length": ("hanchan",) * 6,
    "aka_dora": (*[{"m": 1, "p": 1, "s": 1}] * 4, *[{"m": 0, "p": 0, "s": 0}] * 2),
    "kuitan": (True,) * 6,
    "ippatsu": (True,) * 6,
    "ura_dora": (True,) * 6,
    "kan_ura": (True,) * 6,
    "kuikae": ("forbidden",) * 6,
    "kan_dora_timing": (
        "immediate",
        "ankan_now_minkan_at_discard",
        "ankan_now_minkan_at_discard",
        "immediate",
        "immediate",
        "immediate",
    ),
    "kokushi_rob_ankan": (True, False, True, False, False, True),
    "double_yakuman": (True, False, True, False, False, False),
    "yakuman_stack": (True, True, True, True, False, False),
    "kazoe": ("yakuman", "yakuman", "yakuman", "sanbaiman", "sanbaiman", "sanbaiman"),
    "kiriage": (False, False, False, True, True, True),
    "double_wind_pair_fu": (4, 4, 4, 2, 2, 2),
    "pinfu_tsumo": (True,) * 6,
    "chiitoitsu": ("2han25fu",) * 6,
    "honroutou_han": (2,) * 6,
    "ryanpeikou_distinct": (False,) * 6,
    "haitei_with_rinshan": (False,) * 6,
    "shibari2_honba": ("off",) * 6,
    "renhou": (False, False, False, False, True, True),
    "renhou_mode": ("yakuman", "yakuman", "yakuman", "yakuman", "stack5", "mangan"),
    "nagashi": ("draw", "draw", "draw", "off", "off", "off"),
    "multi_ron": ("triple", "double", "triple", "head_bump", "head_bump", "triple"),
    "sanchahou": (False, True, False, False, False, False),
    "kyuushu_kyuuhai": (True, True, True, False, False, False),
    "suufon_renda": (True, True, True, False, False, False),
    "suucha_riichi": (True, True, True, False, False, False),
    "suukaikan": (True, True, True, False, False, False),
    "multi_ron_honba": ("first", "first", "first", "first", "first", "each"),
    "pao": (True,) * 6,
    "pao_suukantsu": (False, False, False, True, True, False),
    "pao_scope": ("part", "all", "part", "part", "part", "part"),
    "pao_honba": ("liable", "liable", "liable", "liable", "liable", "discarder"),
    "pao_daiminkan_rinshan": (False,) * 6,
    "riichi_min_score": (1000, 1000, 1000, "none", 1000, 1000),
    "riichi_min_live_left": (4, 4, 4, 0, 4, 4),
    "riichi_ankan": (*["same_waits"] * 3, *["same_shape"] * 3),
    "temp_furiten_end": (
        "own_draw",
        "own_discard",
        "own_discard",
        "own_draw",
        "own_draw",
        "own_draw",
    ),
    "karaten_own4": (
        "tenpai",
        "noten_hand_or_meld4",
        "tenpai",
        "noten_hand_or_meld4",
        "noten_hand_or_meld4",
        "noten_hand_or_meld4",
    ),
    "renchan": ("tenpai",) * 6,
    "agari_yame": (False, True, True, False, False, False),
    "tenpai_yame": (False, True, True, False, False, False),
    "extension": ("none", "sudden_death", "sudden_death", "none", "none", "none"),
    "extension_renchan_first": (False, True, True, False, False, False),
    "tobi": ("lt0", "lt0", "lt0", "off", "off", "off"),
    "leftover_riichi": ("first", "first", "first", "first", "lost", "lost"),
    "tie": ("seat", "seat", "seat", "split_uma", "split_uma", "split_uma"),
    # said outside the table of section 9: 8.6, 5.6, 1.4
    "points_rounding": ("none", "half_away", "none", "none", "none", "none"),
    "wait_variant_on_tenhou": ("actual", "single", "always_double", "actual", "actual", "actual"),
    "dealer_first_tile": ("drawn", "dealt", "drawn", "drawn", "drawn", "drawn"),
}
COLUMNS = ("standard", "tenhou", "mahjongsoul", "mleague", "wrc2022", "ema2016")


@pytest.mark.parametrize("preset", COLUMNS)
def test_preset_has_the_cells_of_section_9_and_is_standard_elsewhere(preset: str) -> None:
    rules = Ruleset.preset(preset)
    column = COLUMNS.index(preset)
    for name, option in OPTIONS.items():
        cell = SECTION_9[name][column] if name in SECTION_9 else option.default
        assert getattr(rules, name) == cell, name


def test_tenhou2009_differs_from_tenhou_in_three_things() -> None:
    assert Ruleset.preset("tenhou2009").changes(Ruleset.preset("tenhou")) == {
        "tonpuu_uma": (10, 5, -5, -10),
        "tenpai_yame": False,
        "extension_winds": 2,
    }


def test_cells_that_nobody_confirmed_are_those_marked_with_a_dagger() -> None:
    marked: dict[str, set[str]] = {name: set() for name in COLUMNS}
    table = paths.rules_text("RULES.md").split("## 9. Presets")[1]
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 7:
            for preset, cell in zip(COLUMNS, cells[1:], strict=True):
                if "†" in cell:
                    marked[preset].add(cells[0])
    assert sum(map(len, marked.values())) > 15
    for preset, options in marked.items():
        assert set(PRESETS[preset].unconfirmed) == options, preset


@pytest.mark.parametrize("name", PRESETS)
def test_preset_round_trips_and_keeps_its_name(name: str) -> None:
    rules = Ruleset.preset(name)
    assert rules.preset_name == name
    assert rules.to_dict()["preset"] == name
    assert list(rules.to_dict()) == ["preset", *OPTIONS]
    again = Ruleset.from_dict(rules.to_dict())
    assert (again, again.preset_name) == (rules, name)
    assert PRESETS[name].title
    assert rules.changes(DEFAULT) == PRESETS[name].changes


# --- TOML -----------------------------------------------------------------------------------------


def test_rules_load_from_toml() -> None:
    rules = Ruleset.from_toml(
        """
        preset = "tenhou"
        length = "tonpuu"            # a comment
        uma = [30, 10, -10, -30]
        tonpuu_uma = "none"
        riichi_min_score = "none"
        kuitan = false
        [aka_dora]
        m = 1
        p = 2
        s = 1
        """
    )
    assert rules == Ruleset.preset(
        "tenhou",
        length="tonpuu",
        uma=(30, 10, -10, -30),
        riichi_min_score="none",
        kuitan=False,
        aka_dora={"m": 1, "p": 2, "s": 1},
    )
    assert Ruleset.from_toml("") == DEFAULT


def test_toml_takes_every_value_as_it_is_printed() -> None:
    for name, option in OPTIONS.items():
        for value in option.domain.examples():
            printed = show(value)
            text = printed if type(value) is int or printed.startswith('"') else f'"{printed}"'
            assert option.domain.check(tomllib.loads(f"x = {text}")["x"]) == value, name
    assert Ruleset.from_toml('uma = "+20/+10/-10/-20"\naka_dora = "1/2/1"\nkuitan = "off"') == (
        Ruleset(kuitan=False, aka_dora=AkaDora(1, 2, 1))
    )


@pytest.mark.parametrize(
    "text", ["", "/", "1/1", "1/1/1/1", "1/ 1/1", "1_0/1/1", "١/1/1", "-1/1/1"]
)
def test_a_text_that_is_not_printed_so_is_no_value(text: str) -> None:
    with pytest.raises(RulesError, match="option aka_dora: must be counts"):
        Ruleset.from_dict({"aka_dora": text})
    with pytest.raises(RulesError, match="option uma: must be four"):
        Ruleset.from_dict({"uma": f"{text}/1"})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("kuitan = yes", "rules: not TOML"),
        ("preset = ", "rules: not TOML"),
        ("kuitann = true", "did you mean kuitan"),
        ("kuitan = 1", "option kuitan: must be off or on (false or true), not 1"),
        ("length = 2024-01-01", "option length"),
        ("kuitan = off", 'stands in quotes, as in kuitan = "off"'),
        ('uma = "20/10/-10"', '"20/10/-10/-20" or [20, 10, -10, -20], not '),
        ('aka_dora = "1/1/5"', '"1/1/1" or {m = 1, p = 1, s = 1}, not '),
        ('kuitan = "yes"', "option kuitan: must be off or on (false or true), not 'yes'"),
    ],
)
def test_bad_toml_gets_one_line(text: str, says: str) -> None:
    with pytest.raises(RulesError) as error:
        Ruleset.from_toml(text)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


# --- any combination ------------------------------------------------------------------------------

any_options = st.fixed_dictionaries(
    {},
    optional={name: st.sampled_from(o.domain.examples()) for name, o in OPTIONS.items()},
)


@given(preset=st.sampled_from(sorted(PRESETS)), options=any_options)
def test_any_options_give_a_ruleset_that_round_trips_or_one_named_error(
    preset: str, options: dict[str, object]
) -> None:
    try:
        rules = Ruleset.preset(preset, **options)
    except RulesError as error:
        named = re.match(r"option (\w+): ", str(error))
        assert named
        assert named[1] in OPTIONS
        return
    assert all(getattr(rules, name) == value for name, value in options.items())
    assert Ruleset.from_dict(json.loads(json.dumps(rules.to_dict()))) == rules


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from([*OPTIONS, "preset", "nonsense"]), json_values, max_size=4))
def test_any_json_gives_a_ruleset_or_a_rules_error(options: dict[str, object]) -> None:
    try:
        rules = Ruleset.from_dict(options)
    except RulesError as error:
        told = str(error)
    else:
        told = str(rules)
    assert "\n" not in told
