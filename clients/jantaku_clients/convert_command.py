"""`jantaku replay convert`: a record in another form, or as links to Tenhou's viewer."""

from __future__ import annotations

import argparse
import gzip
import io
import os
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from jantaku_replays import tenhou_json_writer
from jantaku_replays.convert import FORMS, GZIP, Form, completed, convert, form_of_name
from jantaku_replays.files import printable
from jantaku_replays.record import RecordError

from .command import BAD_USAGE, DONE, CommandError, counted
from .records import add_rules, named_rules, read_one

EXAMPLES: Final = """\
examples:
  jantaku replay convert game.xml game.mjson       Tenhou XML to native
  jantaku replay convert game.mjson game.json      to Tenhou JSON
  jantaku replay convert game.mjson log.jsonl.gz   to plain mjai, compressed
  jantaku replay convert game.json --url           a link to Tenhou's viewer for each hand
  jantaku replay convert 'https://tenhou.net/6/#json=...' hand.mjson

The end of OUT says the form: .mjson native, .jsonl plain mjai, .json Tenhou JSON, .xml or
.mjlog Tenhou XML; with .gz at the end it is compressed; - is stdout, with --to. IN may have any
form, its content says which; - is stdin. A record that does not verify is not converted.
"""
STDOUT: Final = "-"


def add_parser(commands: Any) -> None:
    """Add `convert` to the subcommands of `jantaku replay`."""
    parser = commands.add_parser(
        "convert",
        help="write a record in another form",
        description="Write a record of a game in another form.",
        epilog=EXAMPLES,
    )
    parser.add_argument(
        "source",
        metavar="IN",
        help="a record, also in an archive (GAMES.zip/GAME.xml), a link to Tenhou's viewer,"
        " or - for stdin",
    )
    parser.add_argument("target", metavar="OUT", nargs="?", help="the file to write")
    parser.add_argument("--to", choices=sorted(FORMS), help="the form, whatever OUT is called")
    parser.add_argument("--url", action="store_true", help="print a link for each hand instead")
    parser.add_argument("--hide-names", action="store_true", help="call the players A, B, C, D")
    parser.add_argument("--force", action="store_true", help="overwrite OUT")
    add_rules(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Convert one record."""
    if arguments.url == (arguments.target is not None):
        raise CommandError("name either OUT or --url")
    form = None if arguments.url else _form(arguments.target, arguments.to)
    name, record = read_one(arguments.source, named_rules(arguments))
    try:
        if form is None:
            full = completed(record, arguments.hide_names)
            print("\n".join(tenhou_json_writer.links(full)))
            return DONE
        result = convert(record, form, arguments.hide_names)
    except RecordError as error:
        raise CommandError(f"{name}: {error}") from None
    _write(result.text, arguments.target, arguments.force)
    lost = f"without {'; '.join(result.dropped)}" if result.dropped else "nothing dropped"
    if result.invented:
        lost += f"; invented: {'; '.join(result.invented)}"
    hands = counted(len(result.record.kyokus), "hand")
    # With the record itself on stdout the line must not stand in it.
    told = sys.stderr if arguments.target == STDOUT else sys.stdout
    print(f"{printable(arguments.target)}: {form.title}, {hands}, {lost}", file=told)
    return DONE


def _form(target: str, to: str | None) -> Form:
    form = FORMS[to] if to is not None else form_of_name(target)
    if form is None:
        raise CommandError(
            f"{printable(target)}: no form has this ending: "
            "name the file .mjson, .jsonl, .json or .xml (or .gz after it), or say --to"
        )
    return form


def _write(text: str, target: str, force: bool) -> None:
    """Write the whole file or nothing; the same text gives the same bytes."""
    data = text.encode()
    if target.lower().endswith(GZIP):
        buffer = io.BytesIO()
        # No name and no time inside.
        with gzip.GzipFile(filename="", mode="wb", fileobj=buffer, mtime=0) as file:
            file.write(data)
        data = buffer.getvalue()
    if target == STDOUT:
        sys.stdout.buffer.write(data)
        return
    path = Path(target)
    if os.path.lexists(path):
        if not force:
            raise CommandError(f"{printable(target)}: exists (--force overwrites it)")
        if not path.is_file():
            raise CommandError(f"{printable(target)}: is no file, it is left alone")
    try:
        _replace(path, data)
    except OSError as error:
        why = error.strerror or error
        raise CommandError(f"{printable(target)}: cannot be written: {why}", BAD_USAGE) from None


def _replace(path: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:100]}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(name, 0o666 & ~umask)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
