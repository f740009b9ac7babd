"""What a build makes: a wheel compiled or plain, and nothing compiled beside a source."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

import paths

MADE = ("__pycache__", "*.egg-info", "*.so")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The sources in a place of their own."""
    place = tmp_path / "checkout"
    place.mkdir()
    for folder in paths.FOLDERS:
        skip = shutil.ignore_patterns(*MADE)
        shutil.copytree(paths.CHECKOUT / folder, place / folder, ignore=skip)
    for file in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(paths.CHECKOUT / file, place)
    return place


def run(place: Path, *words: str, **variables: str) -> str:
    environment = {key: value for key, value in os.environ.items() if key != "JANTAKU_COMPILE"}
    done = subprocess.run(
        [sys.executable, *words],
        cwd=place,
        env=environment | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_without_a_compiler_the_wheel_is_plain_and_one_line_says_so(copy: Path) -> None:
    # What an older build with a compiler left behind.
    for folder in ("lib", "lib.linux-x86_64-cpython-311"):
        stale = copy / "build" / folder / "jantaku_engine"
        stale.mkdir(parents=True)
        (stale / f"kyoku{EXTENSION_SUFFIXES[0]}").touch()
    words = ("-m", "pip", "wheel", "-v", "--no-deps", "--no-build-isolation", "-w", "wheels", ".")
    told = run(copy, *words, CC="no-such-compiler")
    (line,) = [line.strip() for line in told.split("\n") if "plain Python" in line]
    assert line.startswith("jantaku: no C compiler (")
    (wheel,) = copy.glob("wheels/*.whl")
    assert wheel.name.endswith("-none-any.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "jantaku_engine/kyoku.py" in names
    assert not [name for name in names if name.endswith(tuple(EXTENSION_SUFFIXES))]


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(("build_ext", "--inplace"), id="in place"),
        pytest.param(("editable_wheel",), id="editable"),
    ],
)
def test_nothing_is_compiled_beside_its_source(copy: Path, words: tuple[str, ...]) -> None:
    run(copy, "setup.py", *words)
    assert paths.compiled_files(copy) == []


def test_a_compiled_file_beside_a_source_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "engine" / "jantaku_engine"
    folder.mkdir(parents=True)
    (folder / "kyoku.py").touch()
    stale = folder / f"kyoku{EXTENSION_SUFFIXES[0]}"
    stale.touch()
    assert paths.compiled_files(tmp_path) == [stale]
