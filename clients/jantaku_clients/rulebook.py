"""The tables of the rule book that are printed from the code, so that neither can drift.

A block of the book begins with `<!-- printed: NAME -->` and ends with `<!-- end -->`; what
stands between is replaced.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from jantaku_engine.options import ON_OFF, show
from jantaku_engine.rules import OPTIONS, PRESETS, Ruleset
from jantaku_engine.yaku.catalogue import CATALOGUE, Yaku

_BLOCK: Final = re.compile(r"(<!-- printed: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


class BookError(ValueError):
    """A rule book whose marks name no block."""


def _table(header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [header, tuple("---" for _ in header), *rows]
    return "".join("| " + " | ".join(cells) + " |\n" for cells in lines)


def options_block() -> str:
    """Every option: name, values, default, meaning, source; one table for each heading."""
    parts = []
    groups: dict[str, list[tuple[str, ...]]] = {}
    for name, option in OPTIONS.items():
        values = "on or off" if option.domain == ON_OFF else str(option.domain)
        default = show(option.default)
        source = option.source.removeprefix("RULES ")
        cells = (f"`{name}`", values, default, option.meaning, source)
        groups.setdefault(option.group, []).append(cells)
    for group, rows in groups.items():
        table = _table(("option", "values", "standard", "meaning", "source"), rows)
        parts.append(f"\n**{group[0].upper()}{group[1:]}**\n\n{table}")
    return "".join(parts) + "\n"


def presets_block() -> str:
    """Every option in which some preset differs from `standard`, or is not confirmed."""
    rulesets = {name: Ruleset.preset(name) for name in PRESETS}
    rows = []
    for name, option in OPTIONS.items():
        cells = [f"`{name}`"]
        for preset, rules in rulesets.items():
            dagger = "†" if name in PRESETS[preset].unconfirmed else ""
            value = getattr(rules, name)
            same = preset != "standard" and value == option.default
            cells.append(("·" if same and not dagger else show(value)) + dagger)
        if set(cells[2:]) != {"·"}:
            rows.append(tuple(cells))
    return "\n" + _table(("option", *PRESETS), rows) + "\n"


def _value(yaku: Yaku, amount: float) -> str:
    if not amount:
        return "-"
    return f"x{amount:g}" if yaku.yakuman else f"{amount:g}"


def _yaku_block(kind: str) -> str:
    rows = [
        (
            f"`{yaku.id}`",
            yaku.kanji,
            yaku.english,
            _value(yaku, yaku.closed),
            _value(yaku, yaku.open),
            ", ".join(f"`{replaced}`" for replaced in yaku.replaces),
        )
        for yaku in CATALOGUE
        if yaku.kind == kind
    ]
    return "\n" + _table(("yaku", "kanji", "English", "closed", "open", "replaces"), rows) + "\n"


def ordinary_block() -> str:
    """Ordinary yaku of the catalogue with their han."""
    return _yaku_block("ordinary")


def yakuman_block() -> str:
    """Yakuman of the catalogue with their multiples."""
    return _yaku_block("yakuman")


def local_block() -> str:
    """Local yaku of the catalogue: han, or multiples of a yakuman."""
    return _yaku_block("local")


BLOCKS: Final[Mapping[str, Callable[[], str]]] = {
    "yaku_ordinary": ordinary_block,
    "yaku_yakuman": yakuman_block,
    "yaku_local": local_block,
    "presets": presets_block,
    "options": options_block,
}
"""What can be printed into a rule book, by the name of the mark."""


def update_book(text: str) -> str:
    """The rule book with its printed blocks as the code prints them now.

    Raises:
        BookError: a mark with an unknown name, or no mark at all.
    """
    found = [match[2] for match in _BLOCK.finditer(text)]
    if not found or text.count("<!-- printed:") != len(found):
        raise BookError("has no blocks between '<!-- printed: NAME -->' and '<!-- end -->'")
    for name in found:
        if name not in BLOCKS:
            raise BookError(f"no block is named {name}; there are {', '.join(BLOCKS)}")
    return _BLOCK.sub(lambda match: match[1] + BLOCKS[match[2]]() + match[3], text)
