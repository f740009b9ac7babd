"""The rule book agrees with the code: printed tables, names, sections."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import paths
from jantaku_clients.cli import main
from jantaku_clients.rulebook import BLOCKS, BookError, update_book
from jantaku_engine.rules import OPTIONS, PRESETS, Ruleset
from jantaku_engine.yaku.catalogue import CATALOGUE

FILE = paths.CHECKOUT / "engine" / "RULES.md"
BOOK = FILE.read_text(encoding="utf-8")
PROSE = re.sub(r"<!-- printed.*?<!-- end -->", "", BOOK, flags=re.DOTALL)


def test_printed_tables_are_what_the_code_prints() -> None:
    same = update_book(BOOK) == BOOK
    assert same, "run: jantaku rules --markdown engine/RULES.md"


def test_every_block_stands_in_the_book_once() -> None:
    assert sorted(re.findall(r"<!-- printed: (\w+) -->", BOOK)) == sorted(BLOCKS)


def test_the_printed_tables_name_every_option_preset_and_yaku() -> None:
    for name in [*OPTIONS, *PRESETS]:
        assert name in BLOCKS["options"]() + BLOCKS["presets"](), name
    printed = "".join(BLOCKS[name]() for name in BLOCKS if name.startswith("yaku"))
    for yaku in CATALOGUE:
        if yaku.kind in ("ordinary", "yakuman", "local"):
            row = f"| `{yaku.id}` | {yaku.kanji} | {yaku.english} | "
            assert printed.count(row) == 1


def test_the_presets_table_shows_the_value_of_every_preset() -> None:
    rows = [line.strip("| ").split(" | ") for line in BLOCKS["presets"]().splitlines() if line]
    names = rows[0][1:]
    cells = {row[0].strip("`"): dict(zip(names, row[1:], strict=True)) for row in rows[2:]}
    assert names == list(PRESETS)
    for name in PRESETS:
        for option in Ruleset.preset(name).changes(Ruleset()):
            assert not cells[option][name].startswith("·"), (name, option)
        for option in PRESETS[name].unconfirmed:
            assert cells[option][name].endswith("†"), (name, option)
    assert sum(cell.endswith("†") for row in cells.values() for cell in row.values()) == sum(
        len(preset.unconfirmed) for preset in PRESETS.values()
    )


@pytest.mark.parametrize("name", OPTIONS)
def test_the_text_explains_every_option(name: str) -> None:
    assert f"`{name}`" in PROSE


def test_the_text_explains_every_yaku() -> None:
    for yaku in CATALOGUE:
        if yaku.kind in ("ordinary", "yakuman", "local"):
            assert f"`{yaku.id}`" in PROSE, yaku.id


def test_every_name_in_the_text_exists() -> None:
    values = {str(value) for option in OPTIONS.values() for value in option.domain.examples()}
    known = {
        *OPTIONS,
        *PRESETS,
        *values,
        *(yaku.id for yaku in CATALOGUE),
        "live_left",
        "Ruleset",
        "x2",
    }
    for name in re.findall(r"`\"?(\w+)\"?`", PROSE):
        assert name in known, name


def test_sections_have_the_numbers_that_the_code_cites() -> None:
    sections = re.findall(r"^(?:\*\*|#+ )(\d(?:\.\d+)?)\b", BOOK, re.MULTILINE)
    assert len(sections) == len(set(sections))
    for file in (paths.CHECKOUT / "engine").rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        for cited in re.findall(r"RULES (\d+(?:\.\d+)?)", text):
            assert cited in sections, f"{file.name} cites RULES {cited}"
    for option in OPTIONS.values():
        numbers = re.findall(r"\b\d\.\d+|\b\d$", option.source.split(";")[0])
        assert numbers, option.name
        for cited in numbers:
            assert cited in sections, option.name


def test_the_book_has_every_numbered_section_of_its_source() -> None:
    numbered = r"^(?:\*\*|#+ )?(\d(?:\.\d+)?)\b[. ]"
    theirs = set(re.findall(numbered, paths.rules_text("RULES.md"), re.MULTILINE))
    lists = {"1", "2", "3", "4", "5", "6", "7", "8", "9"}
    ours = set(re.findall(r"^(?:\*\*|#+ )(\d+(?:\.\d+)?)\b", BOOK, re.MULTILINE))
    assert len(theirs) > 50
    assert theirs | lists <= ours


# --- jantaku rules --markdown ---------------------------------------------------------------------


def test_command_rewrites_a_stale_book_and_leaves_the_rest(tmp_path: Path, capsys) -> None:
    file = tmp_path / "BOOK.md"
    file.write_text("before\n<!-- printed: presets -->\nstale\n<!-- end -->\nafter\n")
    assert main(["rules", "--markdown", str(file)]) == 0
    text = file.read_text(encoding="utf-8")
    assert text.startswith("before\n<!-- printed: presets -->\n\n| option | standard |")
    assert text.endswith("<!-- end -->\nafter\n")
    assert "stale" not in text
    assert main(["rules", "--markdown", str(file)]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert err == f"{file}: rewritten\n{file}: unchanged\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("nothing here", "has no blocks between"),
        ("<!-- printed: presets -->\nno end", "has no blocks between"),
        ("<!-- printed: yakus -->\n<!-- end -->", "no block is named yakus; there are yaku_"),
    ],
)
def test_a_book_with_bad_marks_is_refused(text: str, says: str, tmp_path: Path, capsys) -> None:
    with pytest.raises(BookError, match=says):
        update_book(text)
    file = tmp_path / "BOOK.md"
    file.write_text(text)
    assert main(["rules", "--markdown", str(file)]) == 2
    assert capsys.readouterr().err.startswith(f"jantaku rules: {file}: ")
    assert file.read_text() == text


def test_markdown_takes_no_preset_and_a_file_that_exists(tmp_path: Path, capsys) -> None:
    assert main(["rules", "tenhou", "--markdown", str(FILE)]) == 2
    assert main(["rules", "--markdown", str(tmp_path / "none.md")]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "jantaku rules: --markdown writes all presets; leave the preset out"
    assert lines[1].endswith("none.md: No such file or directory")
