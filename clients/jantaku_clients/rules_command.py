"""`jantaku rules`: every option of a ruleset, its value and its meaning."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Final

from jantaku_engine.options import ON_OFF, Option, show
from jantaku_engine.rules import DEFAULT, OPTIONS, PRESETS, Ruleset

from .command import DONE, CommandError, read_rules
from .rulebook import BookError, update_book

EXAMPLES: Final = """\
examples:
  jantaku rules                    the default rules
  jantaku rules mleague            a preset; * marks what differs from standard
  jantaku rules house.toml --json  a file of options, as JSON

house.toml, a file of house rules, has values as they are printed, in quotes unless a number:
  preset = "tenhou"
  kuitan = "off"
  uma = "15/5/-5/-15"
  aka_dora = "1/2/1"
  shibari2_honba = 5
"""


def add_parser(subparsers: Any) -> None:
    """Add the subcommand `rules`."""
    parser = subparsers.add_parser(
        "rules",
        help="print every option of the rules, its value and its meaning",
        description=f"Print every option of a ruleset. Presets: {', '.join(PRESETS)}.",
        epilog=EXAMPLES,
    )
    parser.add_argument(
        "preset", nargs="?", metavar="PRESET", help="a preset or FILE.toml (default: standard)"
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON object on stdout")
    form.add_argument(
        "--markdown", metavar="FILE", type=Path, help="rewrite the printed tables of a rule book"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the ruleset, or rewrite the tables of a rule book."""
    if arguments.markdown:
        if arguments.preset is not None:
            raise CommandError("--markdown writes all presets; leave the preset out")
        return _rewrite(arguments.markdown)
    rules = read_rules("standard" if arguments.preset is None else arguments.preset)
    if arguments.json:
        print(json.dumps(as_json(rules), ensure_ascii=False, indent=2))
    elif sys.stdout.isatty():
        _print_table(rules)
    else:
        print("\n".join(as_lines(rules)))
    return DONE


def _unconfirmed(rules: Ruleset, name: str) -> bool:
    """Whether the preset's value stands and no primary text confirmed it."""
    return name in PRESETS[rules.preset_name].unconfirmed and name not in rules.changes()


def _mark(rules: Ruleset, name: str) -> str:
    differs = "*" if getattr(rules, name) != getattr(DEFAULT, name) else ""
    return differs + ("†" if _unconfirmed(rules, name) else "")


def _meaning(option: Option) -> str:
    return option.meaning if option.domain == ON_OFF else f"{option.meaning} ({option.domain})"


def _legend(rules: Ruleset) -> str:
    own = " with changes" if rules.changes() else ""
    title = f"{rules.preset_name}{own}: {PRESETS[rules.preset_name].title}"
    return f"{title}\n* differs from standard   † not confirmed from a primary text"


def as_json(rules: Ruleset) -> dict[str, Any]:
    """The ruleset as a JSON object: `preset`, `title`, `options`."""
    values = rules.to_dict()
    standard = DEFAULT.to_dict()
    return {
        "preset": rules.preset_name,
        "title": PRESETS[rules.preset_name].title,
        "options": {
            name: {
                "value": values[name],
                "standard": standard[name],
                "confirmed": not _unconfirmed(rules, name),
                "values": str(option.domain),
                "meaning": option.meaning,
                "source": option.source,
            }
            for name, option in OPTIONS.items()
        },
    }


def as_lines(rules: Ruleset) -> list[str]:
    """The ruleset as plain lines: mark, option, value, meaning."""
    names = max(len(name) for name in OPTIONS)
    values = max(len(show(getattr(rules, name))) for name in OPTIONS)
    lines = _legend(rules).splitlines()
    group = ""
    for name, option in OPTIONS.items():
        if option.group != group:
            group = option.group
            lines += ["", group]
        value = show(getattr(rules, name))
        lines.append(
            f"{_mark(rules, name):>3} {name:<{names}}  {value:<{values}}  {_meaning(option)}"
        )
    return lines


def _print_table(rules: Ruleset) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    console.print(Text(_legend(rules)))
    table = Table(show_edge=False, pad_edge=False)
    table.add_column("")
    table.add_column("option", no_wrap=True)
    table.add_column("value", overflow="fold")
    table.add_column("meaning", overflow="fold")
    group = ""
    for name, option in OPTIONS.items():
        if option.group != group:
            group = option.group
            table.add_section()
            table.add_row("", Text(group, style="bold"))
        mark = _mark(rules, name)
        style = "bold yellow" if mark.startswith("*") else ""
        value = Text(show(getattr(rules, name)), style=style)
        table.add_row(mark, Text(name, style=style), value, Text(_meaning(option)))
    console.print(table)


def _rewrite(path: Path) -> int:
    try:
        old = path.read_text(encoding="utf-8")
        new = update_book(old)
        if new != old:
            path.write_text(new, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from None
    except BookError as error:
        raise CommandError(f"{path}: {error}") from None
    print(f"{path}: {'unchanged' if new == old else 'rewritten'}", file=sys.stderr)
    return DONE
