"""Settings: who wins over whom, what is refused, and the one table of them in the README."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import paths
from jantaku_clients.cli import build_parser
from jantaku_server.settings import (
    FLAGS,
    PREFIX,
    SETTINGS,
    Settings,
    SettingsError,
    markdown,
    read_settings,
)

OTHER: dict[str, tuple[Any, str, str]] = {
    "host": ("::1", "::1", '"::1"'),
    "port": (0, "0", "0"),
    "data": ("games", "games", '"games"'),
    "rules": ("tenhou", "tenhou", '"tenhou"'),
    "demo": (True, "yes", "true"),
    "log_level": ("debug", "debug", '"debug"'),
    "log_format": ("json", "json", '"json"'),
    "max_tables": (7, "7", "7"),
    "max_connections": (9, "9", "9"),
    "origins": (["http://a", "http://b"], "http://a, http://b", '["http://a", "http://b"]'),
    "metrics_token": ("secret", "secret", '"secret"'),
}
"""For each setting a value that is not its default: as it is, in the environment, in TOML."""


def value(settings: Settings, name: str) -> Any:
    found = getattr(settings, name)
    return str(found) if name == "data" else list(found) if name == "origins" else found


def test_the_table_of_other_values_has_every_setting() -> None:
    assert list(OTHER) == list(SETTINGS)
    assert all(OTHER[name][0] != SETTINGS[name].default for name in SETTINGS)


@pytest.mark.parametrize("name", SETTINGS)
def test_each_setting_can_come_from_each_place(name: str) -> None:
    wanted, in_environment, in_toml = OTHER[name]
    assert value(read_settings({name: wanted}, {}), name) == wanted
    assert value(read_settings({}, {PREFIX + name.upper(): in_environment}), name) == wanted
    assert value(read_settings({}, {}, f"{name} = {in_toml}", "s.toml"), name) == wanted


@pytest.mark.parametrize("name", SETTINGS)
def test_a_flag_wins_over_the_environment_that_over_the_file_that_over_the_default(
    name: str,
) -> None:
    wanted, in_environment, in_toml = OTHER[name]
    default = SETTINGS[name].default
    plain = {"bool": ("false", "false"), "list": ("", "[]")}.get(
        SETTINGS[name].kind, (str(default), repr(default).replace("'", '"'))
    )
    variable = PREFIX + name.upper()
    # The default, said by the stronger, hides the other value, said by the weaker.
    by_flag = read_settings({name: default}, {variable: in_environment}, f"{name} = {in_toml}")
    by_environment = read_settings({name: None}, {variable: plain[0]}, f"{name} = {in_toml}")
    by_file = read_settings({name: None}, {}, f"{name} = {plain[1]}")
    bare = read_settings({}, {})
    for settings in (by_flag, by_environment, by_file):
        assert value(settings, name) == value(bare, name)
    assert value(read_settings({name: wanted}, {variable: plain[0]}), name) == wanted


@pytest.mark.parametrize(
    ("flags", "environment", "toml", "says"),
    [
        ({}, {}, "prot = 1", "s.toml: no setting 'prot'; there are host, port"),
        ({}, {}, "[server]\nport = 1", "s.toml: no setting 'server'"),
        ({}, {}, "port =", "s.toml: Invalid value"),
        ({}, {}, "port = 65536", "s.toml: port must be a whole number from 0 to 65535"),
        ({}, {}, "port = true", "s.toml: port must be a whole number"),
        ({}, {}, "port = 1.0", "s.toml: port must be a whole number"),
        ({}, {}, 'demo = "yes"', "s.toml: demo must be true or false"),
        ({}, {}, "host = 1", "s.toml: host must be text"),
        ({}, {}, 'origins = "x"', "s.toml: origins must be a list of texts"),
        ({}, {}, "origins = [1]", "s.toml: origins must be a list of texts"),
        ({}, {"JANTAKU_PROT": "1"}, "", "JANTAKU_PROT: no setting 'prot'"),
        ({}, {"JANTAKU_PORT": ""}, "", "JANTAKU_PORT: port must be a whole number"),
        ({}, {"JANTAKU_PORT": "-1"}, "", "JANTAKU_PORT: port must be a whole number"),
        ({}, {"JANTAKU_PORT": "٣"}, "", "JANTAKU_PORT: port must be a whole number"),
        ({}, {"JANTAKU_MAX_TABLES": "0"}, "", "must be a whole number from 1"),
        ({}, {"JANTAKU_DEMO": "maybe"}, "", "JANTAKU_DEMO: demo must be true or false"),
        ({}, {"JANTAKU_LOG_LEVEL": "loud"}, "", "must be debug, info, warning or error"),
        ({"log_format": "xml"}, {}, "", "--log-format: log_format must be auto, console or json"),
        ({"port": 70_000}, {}, "", "--port: port must be a whole number from 0 to 65535"),
        ({"speed": 1}, {}, "", "flags: no setting 'speed'"),
    ],
)
def test_what_is_unknown_or_cannot_be_is_refused_in_one_line(
    flags: dict[str, Any], environment: dict[str, str], toml: str, says: str
) -> None:
    with pytest.raises(SettingsError) as refused:
        read_settings(flags, environment, toml, "s.toml")
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


def test_other_variables_of_the_environment_are_nobodys_business() -> None:
    others = {"JANTAKUX": "1", "JANTAKU_CORPUS": "/data", "JANTAKU_COMPILE": "0"}
    settings = read_settings({}, {"PORT": "1", **others})
    assert settings.port == 8765


def test_data_is_the_users_folder_unless_named() -> None:
    assert read_settings({}, {}).data.name == "jantaku"
    assert read_settings({"data": "~/games"}, {}).data == Path.home() / "games"


def test_the_secret_is_not_shown_with_the_settings() -> None:
    assert "hush" not in repr(read_settings({"metrics_token": "hush"}, {}))


def test_the_readme_has_the_table_of_settings_that_the_code_prints() -> None:
    text = (paths.CHECKOUT / "server" / "README.md").read_text(encoding="utf-8")
    assert "\n".join(markdown()) in text


def test_each_flag_is_one_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        build_parser().parse_args(["serve", "--help"])
    told = capsys.readouterr().out
    assert "examples:\n  jantaku serve" in told
    for flag in filter(None, FLAGS.values()):
        assert f"{flag} " in told
    assert "metrics" not in told
