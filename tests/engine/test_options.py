"""A switch without a test on each of its values does not exist: this test looks for them.

A test of an option has a parameter with the option's name; its values are read from there. The
options of what a hand is worth are tested by the scoring cases; what they lack is named below.
"""

from __future__ import annotations

import importlib.util
import itertools
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import paths
from jantaku_engine.options import Aka, Choice, Number
from jantaku_engine.options_value import VALUE
from jantaku_engine.rules import OPTIONS, Ruleset

HERE = Path(__file__).parent
AT_THE_TABLE = (
    "test_options_play.py",
    "test_options_match.py",
    "test_options_yaku.py",
    "test_table_cases.py",
    "test_table_cases_ends.py",
)
SCORING = {option.name for option in VALUE}


def load(file: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"options_in_{file[:-3]}", HERE / file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def parameters(module: ModuleType) -> list[tuple[str, Any]]:
    """(name, value) of every parameter of every test of a module."""
    found: list[tuple[str, Any]] = []
    for name, function in vars(module).items():
        if not name.startswith("test_"):
            continue
        for mark in getattr(function, "pytestmark", []):
            if mark.name != "parametrize":
                continue
            names, rows = mark.args[0], mark.args[1]
            if isinstance(names, str):
                found.extend((names, row) for row in rows)
            else:
                pairs = itertools.chain.from_iterable(zip(names, row, strict=True) for row in rows)
                found.extend(pairs)
    return found


@pytest.fixture(scope="module")
def tested() -> dict[str, list[Any]]:
    """Values of each option that a test at the table has."""
    values: dict[str, list[Any]] = {}
    for file in AT_THE_TABLE:
        for name, value in parameters(load(file)):
            if name in OPTIONS:
                values.setdefault(name, []).append(value)
    return values


def scored() -> dict[str, list[Any]]:
    """Values of each option that a scoring case names; a case of its own has the default too."""
    values: dict[str, list[Any]] = {}
    for case in paths.score_cases():
        for name, value in case.get("rules", {}).items():
            if name in OPTIONS:
                values.setdefault(name, [OPTIONS[name].default]).append(value)
    return values


def lacking(name: str, values: list[Any]) -> list[Any]:
    """What must still be tested: every choice and word, two numbers, two sets of red fives."""
    domain = OPTIONS[name].domain
    known = [(type(value), value) for value in values]
    if isinstance(domain, Choice):
        return [value for value in domain.values if (type(value), value) not in known]
    words = list(domain.words) if isinstance(domain, Number) else []
    missing = [word for word in words if word not in values]
    other = {str(value) for value in values if value not in words}
    return missing if len(other) >= (1 if words else 2) else [*missing, "another value"]


@pytest.mark.parametrize("name", [name for name in OPTIONS if name not in SCORING])
def test_every_value_of_an_option_of_play_is_tested(
    name: str, tested: dict[str, list[Any]]
) -> None:
    assert lacking(name, tested.get(name, [])) == []


@pytest.mark.parametrize("name", sorted(SCORING))
def test_every_value_of_an_option_of_scoring_is_tested(
    name: str, tested: dict[str, list[Any]]
) -> None:
    values = [*tested.get(name, []), *scored().get(name, [])]
    assert lacking(name, values) == []


def test_the_search_would_notice_a_missing_value() -> None:
    assert lacking("multi_ron", ["double", "triple"]) == ["head_bump"]
    assert lacking("pao", [True]) == [False]
    assert lacking("open_pinfu_fu", [True, 0]) == [2]
    assert lacking("riichi_min_score", [1000]) == ["none"]
    assert lacking("start", [25_000]) == ["another value"]
    assert lacking("aka_dora", []) == ["another value"]
    assert isinstance(OPTIONS["aka_dora"].domain, Aka)


def test_options_of_play_and_of_scoring_are_all_options() -> None:
    fields = set(Ruleset().to_dict()) - {"preset"}
    assert fields == set(OPTIONS)
    assert fields >= SCORING
