"""Where the tests find data that is not part of the project.

The folders `corpus`, `cases` and `rules` lie in `../shared` beside the checkout, or where
`JANTAKU_CORPUS`, `JANTAKU_CASES` and `JANTAKU_RULES` say. A test that needs one of them skips
with one line where it is absent; with `CI=true` it fails instead, so that CI cannot be green
without having looked.
"""

from __future__ import annotations

import json
import os
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any

import pytest

CHECKOUT = Path(__file__).resolve().parents[1]
FOLDERS = ("engine", "replays", "server", "clients")


def compiled_files(checkout: Path) -> list[Path]:
    """Compiled files beside the sources: they would run in place of what was edited since."""
    suffixes = tuple(EXTENSION_SUFFIXES)
    files = [path for folder in FOLDERS for path in checkout.glob(f"{folder}/**/*")]
    return sorted(path for path in files if path.name.endswith(suffixes))


def variable(name: str) -> str:
    """The environment variable that names a shared folder; `JANTAKU_RULES` is a server setting."""
    return "JANTAKU_RULES_DIR" if name == "rules" else f"JANTAKU_{name.upper()}"


def folder(name: str) -> Path:
    """Where the folder `corpus`, `cases` or `rules` should be."""
    return Path(os.environ.get(variable(name)) or CHECKOUT.parent / "shared" / name)


def need(name: str, file: str) -> Path:
    """A file of a shared folder; skips the test or module, or fails it in CI, without it."""
    path = folder(name) / file
    if path.exists():
        return path
    line = f"{file} is not in {path.parent}: set {variable(name)} to the folder that has it"
    if os.environ.get("CI") == "true":
        pytest.fail(line, pytrace=False)
    pytest.skip(line, allow_module_level=True)


def corpus_zip() -> Path:
    """The real games, Tenhou XML."""
    return need("corpus", "tenhou-games.zip")


def corpus_index() -> list[dict[str, str]]:
    """One row a game of the corpus: file, and what happens in it."""
    lines = need("corpus", "INDEX.tsv").read_text(encoding="utf-8").splitlines()
    names = lines[0].split("\t")
    return [dict(zip(names, line.split("\t"), strict=True)) for line in lines[1:]]


def score_cases() -> list[dict[str, Any]]:
    """The hands with their right result."""
    text = need("cases", "score.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def table_cases() -> dict[str, list[str]]:
    """The table situations: id to the cells of its row."""
    rows: dict[str, list[str]] = {}
    for line in need("cases", "table.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and cells[0] not in ("id", "---"):
            rows[cells[0]] = cells
    return rows


def rules_text(file: str) -> str:
    """A text of the rules folder: RULES.md, options.md or yaku.tsv."""
    return need("rules", file).read_text(encoding="utf-8")
