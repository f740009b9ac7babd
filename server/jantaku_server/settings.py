"""The server's settings: one table of them; flags, environment and a TOML file fill it.

A flag wins over the environment, the environment over the file, the file over the default.
"""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import platformdirs

PREFIX: Final = "JANTAKU_"


class SettingsError(ValueError):
    """A setting that does not exist or cannot have its value."""


class Setting(NamedTuple):
    """One row of the table: its kind (`text`, `int`, `bool`, `list`), range, and meaning."""

    kind: str
    default: Any
    meaning: str
    low: int = 0
    high: int = 0


SETTINGS: Final[dict[str, Setting]] = {
    "host": Setting("text", "127.0.0.1", "address to listen on"),
    "port": Setting("int", 8765, "port to listen on; 0 takes a free one", 0, 65535),
    "data": Setting("text", "", "folder of the database and the replays; default: the user's own"),
    "rules": Setting("text", "standard", "ruleset of new tables: a preset or FILE.toml"),
    "demo": Setting("bool", False, "keep a table at which four house bots play"),
    "log_level": Setting("text", "info", "debug, info, warning or error"),
    "log_format": Setting("text", "auto", "console, json, or auto: console on a terminal"),
    "max_tables": Setting("int", 2000, "most tables at once", 1, 100_000),
    "max_connections": Setting("int", 10_000, "most connections at once", 1, 1_000_000),
    "origins": Setting("list", [], "web origins allowed besides the server's own"),
    "metrics_token": Setting(
        "text", "", "bearer token for /metrics; without one only this machine may read it"
    ),
}
"""Every setting by name; `JANTAKU_` and its name in capitals is its environment variable."""


@dataclasses.dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one server; see `SETTINGS`."""

    host: str
    port: int
    data: Path
    rules: str
    demo: bool
    log_level: str
    log_format: str
    max_tables: int
    max_connections: int
    origins: tuple[str, ...]
    metrics_token: str


def read_settings(
    flags: Mapping[str, Any],
    environment: Mapping[str, str],
    file_text: str = "",
    file_name: str = "",
) -> Settings:
    """The settings from flags (None = not given), environment variables and TOML text.

    Raises:
        SettingsError: an unknown name, or a value of the wrong kind or out of range.
    """
    values = {name: setting.default for name, setting in SETTINGS.items()}
    if file_text:
        try:
            given = tomllib.loads(file_text)
        except tomllib.TOMLDecodeError as error:
            raise SettingsError(f"{file_name}: {error}") from None
        for name, value in given.items():
            values[_known(name, file_name)] = _checked(name, value, file_name)
    for variable, text in environment.items():
        name = variable.removeprefix(PREFIX).lower()
        if variable.startswith(PREFIX) and variable not in _OTHERS:
            values[_known(name, variable)] = _parsed(name, text, variable)
    for name, value in flags.items():
        if value is not None:
            values[_known(name, "flags")] = _checked(name, value, f"--{name.replace('_', '-')}")
    if values["log_level"] not in ("debug", "info", "warning", "error"):
        raise SettingsError("log_level: must be debug, info, warning or error")
    if values["log_format"] not in ("auto", "console", "json"):
        raise SettingsError("log_format: must be auto, console or json")
    folder = values["data"] or platformdirs.user_data_dir("jantaku", appauthor=False)
    return Settings(**{**values, "data": Path(folder), "origins": tuple(values["origins"])})


_OTHERS: Final = frozenset({"JANTAKU_CORPUS", "JANTAKU_CASES", "JANTAKU_RULES_DIR"})
"""Variables of this prefix that the tests use; they are no settings."""


def _known(name: str, where: str) -> str:
    if name not in SETTINGS:
        raise SettingsError(f"{where}: no setting {name!r}; there are {', '.join(SETTINGS)}")
    return name


def _checked(name: str, value: Any, where: str) -> Any:
    setting = SETTINGS[name]
    if setting.kind == "int":
        fits = (
            isinstance(value, int)
            and not isinstance(value, bool)
            and setting.low <= value <= setting.high
        )
        if not fits:
            raise SettingsError(
                f"{where}: {name} must be a whole number from {setting.low} to {setting.high}"
            )
    elif setting.kind == "bool" and not isinstance(value, bool):
        raise SettingsError(f"{where}: {name} must be true or false")
    elif setting.kind == "text" and not isinstance(value, str):
        raise SettingsError(f"{where}: {name} must be text")
    elif setting.kind == "list" and not (
        isinstance(value, list) and all(isinstance(item, str) for item in value)
    ):
        raise SettingsError(f"{where}: {name} must be a list of texts")
    return value


def _parsed(name: str, text: str, where: str) -> Any:
    kind = SETTINGS[name].kind
    if kind == "int":
        try:
            return _checked(name, int(text), where)
        except ValueError as error:
            if isinstance(error, SettingsError):
                raise
            raise SettingsError(f"{where}: {name} must be a whole number") from None
    if kind == "bool":
        words = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
        if text.lower() not in words:
            raise SettingsError(f"{where}: {name} must be true or false")
        return words[text.lower()]
    return [item for item in text.split(",") if item] if kind == "list" else text
