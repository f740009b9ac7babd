"""`jantaku score`: one hand in words, many as JSON lines, and whatever else arrives."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import paths
from jantaku_clients import score_form
from jantaku_clients.cli import main
from jantaku_clients.score import LINE_LIMIT, answer_line, answer_lines, option_value
from jantaku_clients.score_form import FLAGS, FormError, read_question
from jantaku_engine.options import show
from jantaku_engine.rules import OPTIONS, Ruleset

PINFU = "234m456p67s22s345m+8s"

ASK: dict[str, Any] = {
    "id": "one",
    "hand": "234m456p67s22s345m",
    "win": "8s",
    "by": "tsumo",
    "seat": "S",
    "round": "E",
}


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]):
    def run_command(*argv: str) -> tuple[int, str, str]:
        status = main(["score", *argv])
        out, err = capsys.readouterr()
        return status, out, err

    return run_command


def answers(*lines: bytes | dict[str, Any]) -> list[dict[str, Any]]:
    encoded = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    return list(answer_lines(io.BytesIO(b"\n".join(encoded) + b"\n")))


def error_of(**changes: Any) -> str:
    fields = {name: value for name, value in {**ASK, **changes}.items() if value is not ...}
    (answer,) = answers(fields)
    assert set(answer) == {"id", "error"}
    assert "\n" not in answer["error"]
    return answer["error"]


# --- one hand ----------------------------------------------------------------------------------


def test_a_hand_in_words(run) -> None:
    status, out, err = run(PINFU, "--by", "tsumo", "--seat", "S")
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "233445m456p2267s + 8s",
        "   1 han  menzen_tsumo  門前清自摸和",
        "   1 han  pinfu         平和",
        "   1 han  tanyao        断么九",
        "3 han 20 fu",
        "fu: 20 base = 20",
        "the dealer pays 1300, the others 700 each, in all 2700",
    ]


def test_melds_dora_honba_and_deposits(run) -> None:
    status, out, _ = run(
        "234m67s22p+8s",
        *("--meld", "ankan 9999m", "--meld", "pon 777z", "--seat", "W"),
        *("--dora", "1p", "--honba", "2", "--deposits", "1"),
    )
    assert status == 0
    assert out.splitlines()[-3:] == [
        "3 han 60 fu",
        "fu: 20 base + 32 closed quad of 9m + 4 open triplet of 7z = 56, rounded up to 60",
        "the discarder pays 8300; with 1 deposit 9300",
    ]


def test_a_yakuman_in_words(run) -> None:
    _, out, _ = run("19m19p19s1234567z+9s", "--by", "tsumo")
    assert out.splitlines()[1:] == [
        "     2 x  kokushi_musou_13  国士無双十三面",
        "yakuman x2",
        "each other seat pays 32000, in all 96000",
    ]


def test_no_win_in_words(run) -> None:
    status, out, err = run("12m456p345678s99p+3m")
    assert (status, err) == (0, "")
    assert out == "no win: no_yaku: there is no yaku\n"
    assert run("12m456p345678s99p+4m")[1].startswith("no win: not_complete: ")
    assert run("345m678m234p55s78s+9s", "--set", "min_han=2")[1].startswith("no win: below_minimum")


def test_rules_and_options(run) -> None:
    hand = (PINFU, "--seat", "S", "--riichi", "--ippatsu")
    assert "the discarder pays 7700" in run(*hand)[1]
    assert "the discarder pays 8000" in run(*hand, "--rules", "mleague")[1]
    assert "the discarder pays 7700" in run(*hand, "--rules", "mleague", "--set", "kiriage=off")[1]
    assert "the discarder pays 8000" in run(*hand, "--set", "kiriage=true")[1]


def test_rules_of_a_file(run, tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('preset = "standard"\nkiriage = true\n')
    assert "mangan" in run(PINFU, "--riichi", "--ippatsu", "--rules", str(file))[1]


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("kiriage", "on", True),
        ("kiriage", "false", False),
        ("shibari2_honba", "off", "off"),
        ("shibari2_honba", "5", 5),
        ("kazoe", "stack", "stack"),
        ("kazoe", '"stack"', "stack"),
        ("uma", "20/10/-10/-20", (20, 10, -10, -20)),
        ("uma", "[30, 10, -10, -30]", (30, 10, -10, -30)),
        ("tonpuu_uma", "none", None),
        ("aka_dora", "1/2/1", {"m": 1, "p": 2, "s": 1}),
        ("aka_dora", '{"m": 0, "p": 0, "s": 0}', {"m": 0, "p": 0, "s": 0}),
    ],
)
def test_an_option_as_a_user_writes_it(name: str, text: str, value: object) -> None:
    assert getattr(Ruleset.from_dict({name: option_value(text)}), name) == value


def test_every_value_can_be_set_as_the_rules_print_it(run) -> None:
    for name, option in OPTIONS.items():
        for value in option.domain.examples():
            printed = show(value)
            assert option.domain.check(option_value(printed)) == value, (name, printed)
    assert run(PINFU, "--set", "uma=20/10/-10/-20")[0] == 0


@pytest.mark.parametrize("kind", ["riichi", "double"])
def test_kinds_of_riichi(run, kind: str) -> None:
    out = run(PINFU, "--riichi", kind)[1]
    assert {"riichi": " riichi ", "double": " double_riichi "}[kind] in out


def test_every_flag_is_an_option(run) -> None:
    melds = ("--meld", "ankan 1111z")
    assert "haitei_raoyue" in run(PINFU, "--haitei", "--by", "tsumo")[1]
    assert "houtei_raoyui" in run(PINFU, "--houtei")[1]
    assert "rinshan_kaihou" in run("456p67s22s345m+8s", *melds, "--rinshan", "--by", "tsumo")[1]
    assert "chankan" in run(PINFU, "--chankan")[1]
    assert "tenhou" in run(PINFU, "--tenhou", "--by", "tsumo")[1]
    assert "chiihou" in run(PINFU, "--chiihou", "--by", "tsumo", "--seat", "N")[1]
    assert "renhou" in run(PINFU, "--renhou", "--seat", "N", "--set", "renhou=on")[1]
    assert "ippatsu" in run(PINFU, "--riichi", "--ippatsu")[1]
    assert len(FLAGS) == 8


def test_the_rest_of_the_facts(run) -> None:
    eight = ("--set", "paarenchan=on", "--set", "paarenchan_count=wins", "--wins", "7")
    assert "paarenchan" in run(PINFU, *eight)[1]
    assert "paarenchan" in run(PINFU, "--set", "paarenchan=on", "--kept", "8")[1]
    shown = (PINFU, "--riichi", "open", "--set", "open_riichi=on")
    yakuman = ("--set", "open_riichi_dealin_yakuman=on")
    assert "yakuman x1" in run(*shown, *yakuman)[1]
    assert "yakuman" not in run(*shown, *yakuman, "--discarder-riichi")[1]
    assert "ura" in run(PINFU, "--riichi", "--ura", "1s")[1]
    status, out, err = run(PINFU, "--ura", "1s")
    assert (status, "ura" in out) == (0, False)
    assert "--ura counts only with --riichi" in err
    assert "aka" in run("234m406p67s22s345m+8s")[1]
    assert "1 han  yakuhai" not in run("234m678p99s56s+7s", "--meld", "pon 444z", "--round", "S")[1]


def test_one_hand_as_json(run) -> None:
    status, out, _ = run(PINFU, "--json")
    assert status == 0
    assert json.loads(out)["pay"] == {"discarder": 2900}


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        ([PINFU, "--set", "kiriag=on"], "did you mean kiriage"),
        ([PINFU, "--set", "kiriage"], "OPTION=VALUE"),
        ([PINFU, "--rules", "tenho"], "tenho"),
        ([PINFU, "--renhou"], "renhou is the ron of a seat that is not the dealer"),
        ([PINFU, "--ippatsu"], "ippatsu without riichi"),
        (["EEESSSWWWNNNP+P"], "at 'E' (position 0): write digits, then m, p, s or z; 1z..7z are"),
        (["234m456p67s22s345m8s"], "after a +"),
        (["11m+2m"], "2 concealed tiles"),
        (["22222s456p67s345m+8s"], "5 tiles of 2s"),
        ([PINFU, "--meld", "chi 135m"], "chi 135m"),
        ([PINFU, "--honba", "-1"], "honba"),
        ([PINFU, "--dora", "8z"], "8z"),
        (["234x+8s"], "234x"),
        ([], "either"),
        ([PINFU, "--jsonl", "-"], "either"),
        (["--jsonl", "no-such-file"], "no-such-file"),
    ],
)
def test_errors_are_one_line_and_status_2(run, argv: list[str], says: str) -> None:
    status, out, err = run(*argv)
    assert (status, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1


# --- many hands --------------------------------------------------------------------------------


def test_the_cases_by_the_command(run) -> None:
    file = paths.need("cases", "score.jsonl")
    status, out, _ = run("--jsonl", str(file))
    assert status == 0
    cases = paths.score_cases()
    for case, line in zip(cases, out.splitlines(), strict=True):
        answer = json.loads(line)
        assert answer["id"] == case["id"]
        assert {key: answer.get(key) for key in case["expect"]} == case["expect"]


def test_lines_from_stdin(run, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = json.dumps(ASK) + "\n\n" + json.dumps({**ASK, "id": "two", "win": "9s"}) + "\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    status, out, _ = run("--jsonl", "-")
    one, two = map(json.loads, out.splitlines())
    assert status == 0
    assert one == {
        "id": "one",
        "win": True,
        "yaku": {"menzen_tsumo": 1, "pinfu": 1, "tanyao": 1},
        "dora": 0,
        "ura": 0,
        "aka": 0,
        "han": 3,
        "fu": 20,
        "yakuman": 0,
        "limit": "none",
        "pay": {"dealer": 1300, "others": 700},
    }
    assert two == {"id": "two", "win": False, "reason": "not_complete"}


def test_the_lines_of_the_readme_and_their_answers(run, tmp_path: Path) -> None:
    text = (paths.CHECKOUT / "clients" / "README.md").read_text(encoding="utf-8")
    section = text.partition("## Many hands at once")[2].partition("\n## ")[0]
    asked, answered = re.findall(r"```json\n(.*?)```", section, re.DOTALL)
    file = tmp_path / "hands.jsonl"
    file.write_text(asked)
    assert run("--jsonl", str(file)) == (0, answered, "")
    fields = "".join(re.findall(r"^\| (`.*?) \|", section, re.MULTILINE))
    question = score_form.__doc__.partition("An answer has")[0]
    assert set(re.findall(r"`(\w+)`", fields)) <= set(re.findall(r"`(\w+)`", question))
    for line in asked.splitlines():
        assert set(json.loads(line)) <= set(re.findall(r"`(\w+)`", fields))
    for flag in FLAGS:
        assert f"`{flag}`" in section


def test_the_line_of_the_help_is_answered(run, monkeypatch: pytest.MonkeyPatch) -> None:
    text = run("--help")[1]
    (line,) = re.findall(r"^  (\{.*\})$", text, re.MULTILINE)
    assert answers(json.loads(line))[0]["win"] is True
    assert "clients/README.md" in text
    for name in json.loads(line).keys() - {"id"}:
        assert name in text.partition("has at least")[2].partition(":")[0]


def test_a_line_with_an_error_does_not_stop_the_run(run, tmp_path: Path) -> None:
    file = tmp_path / "hands.jsonl"
    file.write_text(f"{json.dumps(ASK)}\nnonsense\n{json.dumps(ASK)}\n")
    status, out, _ = run("--jsonl", str(file))
    assert status == 1
    kinds = [sorted(json.loads(line))[0] for line in out.splitlines()]
    assert kinds == ["aka", "error", "aka"]


def test_fields_with_a_default_may_be_left_out_and_unknown_ones_are_ignored() -> None:
    assert answers({**ASK, "why": "x", "expect": {}})[0]["win"] is True
    assert answers({name: ASK[name] for name in ASK if name != "id"})[0]["id"] is None


@pytest.mark.parametrize("name", ["hand", "win", "by", "seat", "round"])
def test_a_field_without_a_default_must_be_there(name: str) -> None:
    assert f"{name}: is missing" in error_of(**{name: ...})


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"hand": "22222s456p67s345m"}, "5 tiles of 2s"),
        ({"hand": "234m456p67s22s00m5m"}, "0m"),
        ({"dora": ["2s", "2s", "2s"]}, "5 tiles of 2s"),
        ({"hand": "234m456p67s22s34m"}, "12 concealed tiles with 0 melds"),
        ({"melds": ["pon 777z"]}, "13 concealed tiles with 1 meld"),
        ({"melds": ["pon 776z"]}, "pon 776z"),
        ({"melds": "pon 777z"}, "melds: must be a list"),
        ({"melds": [["pon", "777z"]]}, "melds: must be a list"),
        ({"hand": 5}, "hand: must be a text"),
        ({"hand": "234m456p67s22s345"}, "without a suit letter"),
        ({"win": "8s8s"}, "win: must be one tile"),
        ({"win": ""}, "win: must be one tile"),
        ({"by": "chi"}, "by: must be one of ron, tsumo"),
        ({"seat": "east"}, "seat: must be one of"),
        ({"round": "ES"}, "round: must be one of"),
        ({"round": ""}, "round: must be one of"),
        ({"riichi": "closed"}, "riichi: must be one of"),
        ({"riichi": True}, "riichi: must be one of"),
        ({"flags": ["tanyao"]}, "flags: 'tanyao' is none of"),
        ({"flags": [1]}, "flags: must be a list"),
        ({"flags": ["tenhou"]}, "flags: tenhou is the dealer's tsumo"),
        ({"flags": ["chiihou"], "by": "ron"}, "flags: chiihou"),
        ({"flags": ["ippatsu"]}, "ippatsu without riichi"),
        ({"flags": ["chankan"]}, "chankan with a tsumo"),
        ({"honba": -1}, "honba: must be a whole number"),
        ({"honba": True}, "honba: must be a whole number"),
        ({"honba": 1.5}, "honba: must be a whole number"),
        ({"deposits": "2"}, "deposits: must be a whole number"),
        ({"dora": ["8z"]}, "8z"),
        ({"dora": ["?"]}, "?"),
        ({"rules": {"kiriag": True}}, "kiriag"),
        ({"rules": {"preset": "tenho"}}, "tenho"),
        ({"rules": {"kiriage": 1}}, "kiriage"),
        ({"rules": {"open_pinfu_fu": 1}}, "open_pinfu_fu"),
        ({"rules": "tenhou"}, "rules: must be an object"),
        ({"rules": {"aka_dora": {"m": 9, "p": 1, "s": 1}}}, "aka_dora"),
        ({"discarder_riichi": 1}, "discarder_riichi: must be true or false"),
        ({"streak": [8, 8]}, "streak: must be an object"),
        ({"streak": {"kept": "8"}}, "kept: must be a whole number"),
        ({"id": 7}, "id: must be a text"),
        ({"hand": "9" * 100_000}, "hand: is longer than 100 characters"),
        ({"melds": ["pon " + "7" * 100_000]}, "melds: is longer than"),
        ({"flags": ["haitei"] * 100_000}, "flags: is longer than"),
        ({"by": "ron" * 100_000}, "by: must be one of"),
        ({"rules": {"k" * 100_000: 1}}, "option"),
    ],
)
def test_input_that_cannot_be(changes: dict[str, Any], says: str) -> None:
    error = error_of(**changes)
    assert error.startswith("line 1: ")
    assert says in error
    assert len(error) < 400


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"nonsense", "not JSON"),
        (b'{"id": "cut", "hand": "234', "not JSON"),
        (b"[1, 2]", "not a JSON object"),
        (b'"text"', "not a JSON object"),
        (b"null", "not a JSON object"),
        (b'{"id": "\xff"}', "not UTF-8 at byte 9"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 50_000, "nested too deeply"),
        (b'{"honba": ' + b"9" * 10_000 + b"}", "too many digits"),
        (b'{"honba": NaN}', "NaN is no number"),
        (b'{"honba": Infinity}', "Infinity is no number"),
        (b"\x00", "not JSON"),
        (b'{"id": "x"}' * 2, "not JSON"),
    ],
)
def test_lines_that_are_no_question_name_their_number(line: bytes, says: str) -> None:
    before, answer, after = answers(ASK, line, ASK)
    assert before["win"]
    assert after["win"]
    assert answer["id"] is None
    assert answer["error"].startswith("line 2: ")
    assert says in answer["error"]


def test_a_line_without_end_is_not_read_into_memory() -> None:
    huge = b'{"id": "' + b"x" * (3 * LINE_LIMIT) + b'"}'
    before, answer, after = answers(ASK, huge, ASK)
    assert before["win"]
    assert after["win"]
    assert answer == {"id": None, "error": f"line 2: longer than {LINE_LIMIT} bytes"}


def test_a_last_line_without_a_newline_and_a_byte_order_mark() -> None:
    stream = io.BytesIO(b"\xef\xbb\xbf" + json.dumps(ASK).encode())
    assert [answer["id"] for answer in answer_lines(stream)] == ["one"]


def test_an_id_that_no_encoding_can_write(run, tmp_path: Path) -> None:
    file = tmp_path / "hands.jsonl"
    file.write_text(json.dumps({**ASK, "id": "\ud800"}))
    status, out, _ = run("--jsonl", str(file))
    assert status == 0
    assert json.loads(out)["id"] == "\ud800"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from([*ASK, "melds", "flags", "dora", "rules", "streak"]), JSON))
def test_any_value_of_any_field_gives_an_answer_or_an_error(changes: dict[str, Any]) -> None:
    answer = answer_line(json.dumps({**ASK, **changes}).encode(), 1)
    assert ("error" in answer) != ("win" in answer)


@given(st.binary(max_size=40))
def test_any_bytes_give_an_error_and_nothing_worse(line: bytes) -> None:
    assert "error" in answer_line(line, 1)


def test_a_question_that_cannot_be_read_is_a_form_error() -> None:
    with pytest.raises(FormError, match="hand: is missing"):
        read_question({**ASK, "hand": None})
