"""The first page of the project says what is so: its example runs, its commands and links exist."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

import paths
from jantaku_clients.cli import build_parser, main

PAGE = paths.CHECKOUT / "README.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_the_example_is_true() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False)
    assert result.attempted > 5
    assert result.failed == 0


@pytest.mark.parametrize("line", re.findall(r"^\$ jantaku (.+)$", TEXT, re.MULTILINE))
def test_each_command_line_can_be_read(line: str) -> None:
    build_parser().parse_args(shlex.split(line))


def test_a_stranger_can_run_every_command_in_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = re.findall(r"^\$ jantaku (.+)$", TEXT, re.MULTILINE)
    ran = [line for line in lines if not line.startswith("play ")]
    assert len(ran) == len(lines) - 1 > 5
    for line in ran:
        if line.startswith("simulate "):
            line += " --length tonpuu --jobs 1"  # the same folder and names, sooner
        assert main(shlex.split(line)) == 0, line
    capsys.readouterr()


@pytest.mark.parametrize("target", re.findall(r"^\$ make ([a-z-]+)", TEXT, re.MULTILINE))
def test_each_make_target_exists(target: str) -> None:
    makefile = (paths.CHECKOUT / "Makefile").read_text(encoding="utf-8")
    assert re.search(rf"^{target}:", makefile, re.MULTILINE)


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", TEXT):
        assert (paths.CHECKOUT / target).exists(), target
