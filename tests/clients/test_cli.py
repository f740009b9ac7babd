"""The command `jantaku`: its dispatcher, its errors, and `jantaku rules`."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import paths
from jantaku_clients import rules_command
from jantaku_clients.address import parse_address
from jantaku_clients.cli import COMMANDS, build_parser, main
from jantaku_clients.command import FAILED, CommandError, engine_is_compiled, version
from jantaku_engine.rules import DEFAULT, OPTIONS, PRESETS, Ruleset

Run = tuple[int, str, str]
SUBCOMMANDS = sorted(
    next(a for a in build_parser()._actions if a.dest == "command").choices  # type: ignore[arg-type]
)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]):
    def run_command(*argv: str) -> Run:
        status = main(argv)
        out, err = capsys.readouterr()
        return status, out, err

    return run_command


def as_process(*argv: str, **options: object) -> subprocess.Popen[str]:
    folders = [str(paths.CHECKOUT / name) for name in ("engine", "replays", "server", "clients")]
    return subprocess.Popen(
        [sys.executable, "-m", "jantaku_clients.cli", *argv],
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(folders)},
        **options,  # type: ignore[call-overload]
    )


def one_line(text: str) -> bool:
    return text.count("\n") == 1 and text.endswith("\n")


# --- the dispatcher -------------------------------------------------------------------------------


def test_version_tells_whether_the_engine_is_compiled(run) -> None:
    status, out, err = run("--version")
    engine = "compiled" if engine_is_compiled() else "plain Python"
    assert (status, out, err) == (0, f"jantaku {version()} ({engine} engine)\n", "")
    assert re.match(r"\d+\.\d+\.\d+", version())


def test_help_lists_every_command(run) -> None:
    status, out, err = run("--help")
    assert (status, err) == (0, "")
    for name in SUBCOMMANDS:
        assert re.search(rf"^    {name} ", out, re.MULTILINE), name
    assert "  jantaku serve " in out.partition("examples:")[2]
    assert "run a server" in out


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_help_of_every_command_has_an_example(run, name: str) -> None:
    status, out, err = run(name, "--help")
    assert (status, err) == (0, "")
    examples = out.partition("example")[2]
    assert f"jantaku {name}" in examples


@pytest.mark.parametrize("name", ["play", "bot"])
def test_links_of_tables_in_the_help_open_in_a_browser_too(run, name: str) -> None:
    text = run(name, "--help")[1]
    assert "/#/c/CODE" in text
    (link,) = re.findall(r"http://127\.0\.0\.1:8765/\S+", text)
    assert str(parse_address(link)) == link


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        ([], "jantaku: the following arguments are required: COMMAND (see jantaku --help)"),
        (["rulez"], "jantaku: argument COMMAND: invalid choice: 'rulez'"),
        (["--nonsense"], "jantaku: "),
        (
            ["rules", "--nonsense"],
            "jantaku rules: unrecognized arguments: --nonsense (see jantaku rules --help)",
        ),
        (["score", "11m+1m", "--sett", "a=b"], "jantaku score: unrecognized arguments: --sett a=b"),
        (["rules", "a", "b"], "jantaku rules: unrecognized arguments: b (see jantaku rules --help"),
        (["replay", "show", "x", "--y"], "jantaku replay show: unrecognized arguments: --y"),
        (["--nonsense", "rules"], "jantaku: unrecognized arguments: --nonsense"),
        (["rules", "--json", "--markdown", "x"], "not allowed with argument"),
    ],
)
def test_bad_usage_is_one_line_and_status_2(run, argv: Sequence[str], says: str) -> None:
    status, out, err = run(*argv)
    assert (status, out) == (2, "")
    assert says in err
    assert one_line(err)


def test_options_cannot_be_abbreviated(run) -> None:
    # An abbreviation in somebody's script would break when a longer option comes.
    assert run("rules", "--js")[0] == 2


def test_errors_of_a_command_are_one_line_with_their_status(run, monkeypatch) -> None:
    def fail(rules: Ruleset) -> list[str]:
        raise CommandError("3 of 5 differ", FAILED)

    monkeypatch.setattr(rules_command, "as_lines", fail)
    assert run("rules") == (1, "", "jantaku rules: 3 of 5 differ\n")


def test_interrupt_is_quiet(run, monkeypatch) -> None:
    def interrupt(rules: Ruleset) -> list[str]:
        raise KeyboardInterrupt

    monkeypatch.setattr(rules_command, "as_lines", interrupt)
    assert run("rules") == (130, "", "")


def test_a_bug_is_not_disguised_as_bad_input(monkeypatch) -> None:
    def bug(rules: Ruleset) -> list[str]:
        raise ValueError("nobody expected this")

    monkeypatch.setattr(rules_command, "as_lines", bug)
    with pytest.raises(ValueError, match="nobody expected this"):
        main(["rules"])


@pytest.mark.parametrize("argv", [("rules", "--json"), ("rules",)])
def test_a_closed_pipe_is_quiet(argv: tuple[str, ...]) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    process = as_process(*argv, stdout=write_end, stderr=subprocess.PIPE)
    os.close(write_end)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (128 + signal.SIGPIPE, "")


def test_every_command_module_is_there() -> None:
    for name in COMMANDS:
        assert importlib.util.find_spec(f"jantaku_clients.{name}"), name


# --- jantaku rules --------------------------------------------------------------------------------


def line_of(out: str, option: str) -> str:
    found = re.search(rf"^.{{4}}{option} .*$", out, re.MULTILINE)
    assert found, option
    return found[0]


@pytest.mark.parametrize("preset", PRESETS)
def test_rules_prints_every_option_with_value_and_meaning(run, preset: str) -> None:
    status, out, err = run("rules", preset)
    assert (status, err) == (0, "")
    assert out.startswith(f"{preset}: {PRESETS[preset].title}\n")
    rules = Ruleset.preset(preset)
    for name, option in OPTIONS.items():
        line = line_of(out, name)
        assert option.meaning in line
        assert ("†" in line[:4]) == (name in PRESETS[preset].unconfirmed)
        assert (name in rules.changes(DEFAULT)) == ("*" in line[:4])


def test_rules_without_a_preset_are_standard(run) -> None:
    assert run("rules") == run("rules", "standard")


def test_values_are_shown_as_one_writes_them(run) -> None:
    out = run("rules", "mleague")[1]
    assert re.match(r'  \* riichi_min_score +"none" +', line_of(out, "riichi_min_score"))
    assert re.match(r"  \* uma +30/10/-10/-30 +", line_of(out, "uma"))
    assert re.match(r"    kuitan +on +", line_of(out, "kuitan"))
    assert re.match(r"  † pao_scope +\"part\" +", line_of(out, "pao_scope"))
    assert re.match(r" \*† riichi_ankan +\"same_shape\" +", line_of(out, "riichi_ankan"))


@pytest.mark.parametrize("preset", PRESETS)
def test_rules_as_json(run, preset: str) -> None:
    status, out, err = run("rules", preset, "--json")
    assert (status, err) == (0, "")
    told = json.loads(out)
    assert told["preset"] == preset
    assert list(told["options"]) == list(OPTIONS)
    values = {name: option["value"] for name, option in told["options"].items()}
    assert Ruleset.from_dict({"preset": preset, **values}) == Ruleset.preset(preset)
    for name, option in told["options"].items():
        assert option["standard"] == DEFAULT.to_dict()[name]
        assert option["confirmed"] == (name not in PRESETS[preset].unconfirmed)
        assert {"values", "meaning", "source"} <= set(option)


def test_the_file_of_house_rules_in_the_help_is_read(run, tmp_path: Path) -> None:
    sample = run("rules", "--help")[1].partition("house.toml, a file")[2].partition("\n")[2]
    file = tmp_path / "house.toml"
    file.write_text(sample)
    status, out, err = run("rules", str(file))
    assert (status, err) == (0, "")
    for line in sample.strip().splitlines()[1:]:
        name, value = (part.strip().strip('"') for part in line.split("="))
        assert re.search(rf"^  \* {name} +{re.escape(value)} ", out, re.MULTILINE), line


def test_rules_of_a_file_are_its_preset_with_changes(run, tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('preset = "ema2016"\nkiriage = false\n[aka_dora]\nm = 1\np = 1\ns = 1\n')
    status, out, _ = run("rules", str(file))
    assert status == 0
    assert out.startswith("ema2016 with changes: European Mahjong Association 2016\n")
    # The doubt was about the preset's own value, not about this one.
    assert "†" not in line_of(out, "kiriage")[:4]
    assert "†" in line_of(out, "kazoe")[:4]
    told = json.loads(run("rules", str(file), "--json")[1])
    assert told["options"]["aka_dora"]["value"] == {"m": 1, "p": 1, "s": 1}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("kuitann = true", "option 'kuitann' does not exist; did you mean kuitan?"),
        ("kuitan = 3", "option kuitan: must be off or on (false or true), not 3"),
        ("kuitan = ", "rules: not TOML"),
        ('preset = "tenho"', "preset 'tenho' does not exist; did you mean tenhou?"),
        (b"\xff\xfe", "is not UTF-8 text"),
    ],
)
def test_a_bad_file_is_named_in_one_line(run, tmp_path: Path, content, says: str) -> None:
    file = tmp_path / "house.toml"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    status, out, err = run("rules", str(file))
    assert (status, out) == (2, "")
    assert err.startswith(f"jantaku rules: {file}: ")
    assert says in err
    assert one_line(err)


@pytest.mark.parametrize(
    ("argument", "says"),
    [
        ("tenhu", "preset 'tenhu' does not exist; did you mean tenhou?"),
        ("nonsense", "preset 'nonsense' does not exist; there are standard, tenhou"),
        ("", "preset '' does not exist"),
        ("no/such.toml", "no/such.toml: cannot be read: No such file or directory"),
    ],
)
def test_an_unknown_preset_or_file_is_one_line(run, argument: str, says: str) -> None:
    status, out, err = run("rules", argument)
    assert (status, out) == (2, "")
    assert says in err
    assert one_line(err)


def test_a_terminal_gets_a_table(run, monkeypatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "160")
    status, out, err = run("rules", "tenhou")
    assert (status, err) == (0, "")
    assert "option" in out
    assert "━" in out or "─" in out
    for name in OPTIONS:
        assert name in out
