"""The server's settings: one table of them; flags, environment and a TOML file fill it.

A flag wins over the environment, the environment over the file, the file over the default.
"""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import platformdirs

from .logs import FORMATS, LEVELS

PREFIX: Final = "JANTAKU_"


class SettingsError(ValueError):
    """A setting that does not exist or cannot have its value."""


class Setting(NamedTuple):
    """One row of the table: its kind (`text`, `int`, `bool`, `list`), values, and meaning."""

    kind: str
    default: Any
    meaning: str
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()

    @property
    def values(self) -> str:
        """What it may be, in words."""
        if self.choices:
            return f"{', '.join(self.choices[:-1])} or {self.choices[-1]}"
        if self.kind == "int":
            return f"a whole number from {self.low} to {self.high}"
        return {"bool": "true or false", "list": "a list of texts"}.get(self.kind, self.kind)


SETTINGS: Final[dict[str, Setting]] = {
    "host": Setting("text", "127.0.0.1", "address to listen on; empty: all of them"),
    "port": Setting("int", 8765, "port to listen on; 0 takes a free one", 0, 65535),
    "data": Setting("text", "", "folder of the database and the replays; empty: the user's own"),
    "rules": Setting(
        "text", "standard", "rules of tables that name no preset: a preset or FILE.toml"
    ),
    "demo": Setting("bool", False, "keep a table at which four house bots play"),
    "log_level": Setting("text", "info", "least important lines to log", choices=tuple(LEVELS)),
    "log_format": Setting(
        "text",
        "auto",
        "form of the log; auto: console on a terminal, else JSON",
        choices=FORMATS,
    ),
    "max_tables": Setting("int", 2000, "most tables at once", 1, 100_000),
    "max_connections": Setting("int", 10_000, "most websockets at once", 1, 1_000_000),
    "origins": Setting("list", [], "web origins allowed besides the server's own"),
    "metrics_token": Setting(
        "text", "", "bearer token for /metrics; empty: only this machine may read it"
    ),
}
"""Every setting by name; `JANTAKU_` and its name in capitals is its environment variable."""

FLAGS: Final = {name: f"--{name.replace('_', '-')}" for name in SETTINGS} | {
    "origins": "--origin",
    "metrics_token": "",
}
"""The flag of each setting; a secret has none, since everybody sees a process's arguments."""

_OTHERS: Final = frozenset(
    {
        "JANTAKU_COMPILE",
        *("JANTAKU_CORPUS", "JANTAKU_CASES", "JANTAKU_RULES_DIR", "JANTAKU_CHROMIUM"),
    }
)
"""Variables of this prefix that the build and the tests use; they are no settings."""


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
    metrics_token: str = dataclasses.field(repr=False)


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
    try:
        given = tomllib.loads(file_text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{file_name}: {error}") from None
    for name, value in given.items():
        values[name] = _checked(_known(name, file_name), value, file_name)
    for variable, text in environment.items():
        name = variable.removeprefix(PREFIX).lower()
        if variable.startswith(PREFIX) and variable not in _OTHERS:
            value = _parsed(_known(name, variable), text)
            values[name] = _checked(name, value, variable)
    for name, value in flags.items():
        if value is not None:
            values[name] = _checked(_known(name, "flags"), value, FLAGS[name] or name)
    folder = values["data"] or platformdirs.user_data_dir("jantaku", appauthor=False)
    return Settings(
        **{**values, "data": Path(folder).expanduser(), "origins": tuple(values["origins"])}
    )


def _known(name: str, where: str) -> str:
    if name not in SETTINGS:
        raise SettingsError(f"{where}: no setting {name!r}; there are {', '.join(SETTINGS)}")
    return name


def _checked(name: str, value: Any, where: str) -> Any:
    setting = SETTINGS[name]
    if setting.kind == "int":
        fits = type(value) is int and setting.low <= value <= setting.high
    elif setting.kind == "bool":
        fits = isinstance(value, bool)
    elif setting.kind == "list":
        fits = isinstance(value, list) and all(isinstance(item, str) for item in value)
    else:
        fits = isinstance(value, str) and (not setting.choices or value in setting.choices)
    if not fits:
        raise SettingsError(f"{where}: {name} must be {setting.values}")
    return value


_WORDS: Final = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}


def _parsed(name: str, text: str) -> Any:
    """The value of an environment variable, or the text itself when it is none."""
    kind = SETTINGS[name].kind
    if kind == "int":
        return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text
    if kind == "bool":
        return _WORDS.get(text.lower(), text)
    if kind == "list":
        return [item.strip() for item in text.split(",") if item.strip()]
    return text


def markdown() -> Iterator[str]:
    """The lines of the table of settings, as `server/README.md` shows it."""
    yield "| setting | flag | environment | values | default | meaning |"
    yield "|---|---|---|---|---|---|"
    for name, setting in SETTINGS.items():
        flag = f"`{FLAGS[name]}`" if FLAGS[name] else ""
        default = str(setting.default).lower() if setting.kind == "bool" else setting.default
        shown = f"`{default}`" if default not in ("", []) else "empty"
        variable = f"`{PREFIX}{name.upper()}`"
        yield f"| `{name}` | {flag} | {variable} | {setting.values} | {shown} | {setting.meaning} |"
