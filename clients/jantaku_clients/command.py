"""What all commands share: their errors, their rules argument, the program's version."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import pkgutil
from collections.abc import Sequence
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Final

import jantaku_engine
from jantaku_engine.rules import RulesError, Ruleset

DONE: Final = 0
FAILED: Final = 1
"""Exit status: a difference was found, or something failed."""

BAD_USAGE: Final = 2
"""Exit status: wrong arguments or input that cannot be read."""


class CommandError(Exception):
    """What stops a command: one line for the user, and the exit status."""

    def __init__(self, message: str, status: int = BAD_USAGE) -> None:
        super().__init__(message)
        self.status = status


def read_rules(argument: str) -> Ruleset:
    """The ruleset that a user named: a preset, or a TOML file of options.

    Raises:
        CommandError: no such preset, a file that cannot be read, or options that cannot be.
    """
    if not argument.endswith(".toml"):
        try:
            return Ruleset.preset(argument)
        except RulesError as error:
            raise CommandError(f"{error} (or name a file that ends in .toml)") from None
    try:
        return Ruleset.from_toml(Path(argument).read_text(encoding="utf-8"))
    except OSError as error:
        raise CommandError(f"{argument}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise CommandError(f"{argument}: is not UTF-8 text") from None
    except RulesError as error:
        raise CommandError(f"{argument}: {error}") from None


def counted(number: int, what: str) -> str:
    """A number of things for people: 1 game, 1,203 games."""
    return f"{number:,} {what}{'s' * (number != 1)}"


def shortened(names: Sequence[str], most: int = 3) -> str:
    """The first of some names, and how many more there are."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def version() -> str:
    """Version of the installed distribution."""
    try:
        return importlib.metadata.version("jantaku")
    except importlib.metadata.PackageNotFoundError:
        return "(not installed)"


def engine_is_compiled() -> bool:
    """True when any module of the engine is loaded from a compiled file."""
    names = [module.name for module in pkgutil.iter_modules(jantaku_engine.__path__)]
    specs = [importlib.util.find_spec(f"jantaku_engine.{name}") for name in names]
    files = [spec.origin or "" for spec in specs if spec]
    return any(file.endswith(tuple(EXTENSION_SUFFIXES)) for file in files)
