"""Examples in the engine's pages and docstrings are run."""

from __future__ import annotations

import ast
import doctest
import importlib
import re

import pytest

import paths
from jantaku_engine.rules import Ruleset

ENGINE = paths.CHECKOUT / "engine"
PAGES = sorted(ENGINE.glob("*.md"))
MODULES = sorted(
    ".".join(file.relative_to(ENGINE).with_suffix("").parts)
    for file in ENGINE.rglob("*.py")
    if ">>>" in file.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_of_a_page_are_true(page) -> None:
    result = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert result.failed == 0
    assert result.attempted > 0 or ">>>" not in page.read_text(encoding="utf-8")


def test_the_readme_has_examples() -> None:
    assert (ENGINE / "README.md").read_text(encoding="utf-8").count(">>>") > 10


def test_the_house_rules_of_the_rule_book_are_read_in_both_notations() -> None:
    text = (ENGINE / "RULES.md").read_text(encoding="utf-8")
    (sample,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    rules = Ruleset.from_toml(sample)
    assert rules.preset_name == "tenhou"
    assert set(rules.changes()) == {
        *("length", "start", "kuitan", "uma", "aka_dora", "shibari2_honba")
    }
    # What a comment names as the other form of a value is one.
    for name, other in re.findall(r"^(\w+) = .*# or (.+)$", sample, re.MULTILINE):
        changed = Ruleset.from_toml(f'preset = "tenhou"\n{name} = {other}')
        same = getattr(changed, name) == getattr(rules, name)
        assert same == (name != "shibari2_honba"), name


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_a_module_are_true(name: str) -> None:
    # Read from the source: a compiled module keeps no docstrings.
    source = ENGINE.joinpath(*name.split(".")).with_suffix(".py")
    module = importlib.import_module(name)
    parser = doctest.DocTestParser()
    runner = doctest.DocTestRunner()
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            text = ast.get_docstring(node) or ""
            runner.run(parser.get_doctest(text, dict(vars(module)), name, str(source), 0))
    assert runner.tries > 0
    assert runner.failures == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_of_a_page_lead_somewhere(page) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (page.parent / target).exists(), target


def test_the_readme_names_every_module() -> None:
    text = (ENGINE / "README.md").read_text(encoding="utf-8")
    package = ENGINE / "jantaku_engine"
    modules = {file.stem for file in package.glob("*.py")} - {"__init__"}
    hidden = {"options_play", "options_value"}
    for module in modules - hidden:
        assert f"`{module}`" in text, module
