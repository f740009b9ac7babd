"""`jantaku replay verify`: records go through the engine, and everything is compared."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any, Final

from jantaku_replays.files import Problem
from jantaku_replays.findings import Mismatch, Tally
from jantaku_replays.record import NotRiichiError, RecordError
from jantaku_replays.verify import verify

from .command import BAD_USAGE, DONE, FAILED, counted
from .many_records import progress_bar
from .records import add_paths, add_rules, named_rules, record_files

VERIFY_EXAMPLES: Final = """\
examples:
  jantaku replay verify game.xml            one record
  jantaku replay verify games/ more.zip     all records in a folder and an archive
  jantaku replay verify games.zip --json    one JSON object on stdout

Reads Jantaku's own records (.mjson), Tenhou XML (.xml, .mjlog), Tenhou JSON (.json) and mjai
logs (.jsonl), each also as .gz.
Exit status: 0 nothing differs, 1 something differs, 2 something cannot be read or is no
legal game; everything else is verified all the same.
"""

SHOWN: Final = 100
"""Differences that are printed; `--json` has all of them."""


def add_parser(commands: Any) -> None:
    """Add `verify` to the subcommands of `jantaku replay`."""
    parser = commands.add_parser(
        "verify",
        help="replay records through the engine and compare everything",
        description="Replay records through the engine and compare everything that they tell.",
        epilog=VERIFY_EXAMPLES,
    )
    add_paths(parser)
    add_rules(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Verify all records under the paths."""
    report = Report()
    rules = named_rules(arguments)
    with record_files(arguments.paths) as files, progress_bar() as progress:
        for problem in files.problems:
            report.unreadable(problem)
        task = progress.add_task("verifying", total=len(files.sources))
        for source in files.sources:
            try:
                report.verified(verify(files.read(source, rules)))
            except NotRiichiError as error:
                report.skipped.append({"file": source.name, "why": str(error)})
            except RecordError as error:
                report.unreadable(Problem(source.name, str(error)))
            progress.advance(task)
    if arguments.json:
        print(json.dumps(report.to_dict(), ensure_ascii=False))
    else:
        report.print()
    return report.status


class Report:
    """What was found; lines about files that cannot be used go to stderr at once."""

    def __init__(self) -> None:
        self.tally = Tally()
        self.skipped: list[dict[str, str]] = []
        self.broken = 0

    @property
    def status(self) -> int:
        """The exit status."""
        if self.broken:
            return BAD_USAGE
        return FAILED if self.tally.mismatches else DONE

    def unreadable(self, problem: Problem) -> None:
        """A file that cannot be read."""
        self._complain(str(problem))

    def verified(self, tally: Tally) -> None:
        """A record that was replayed."""
        self.tally.add(tally)
        for mismatch in tally.mismatches:
            if mismatch.illegal:
                self._complain(str(mismatch))

    def _complain(self, line: str) -> None:
        self.broken += 1
        print(f"jantaku replay verify: {line}", file=sys.stderr)

    def to_dict(self) -> dict[str, Any]:
        """The object of `--json`."""
        tally = self.tally
        # Only where it is needed: everything else in the object is fixed.
        ura = {"ura_unknown": tally.ura_unknown} if tally.ura_unknown else {}
        return {
            "games": tally.games,
            "rounds": tally.rounds,
            "wins": tally.wins,
            "draws": tally.draws,
            "decisions": tally.decisions,
            "walls_checked": tally.walls_checked,
            "mismatches": [mismatch.to_dict() for mismatch in tally.mismatches],
            "skipped": self.skipped,
            **ura,
        }

    def print(self) -> None:
        """The summary for people."""
        tally = self.tally
        differing = [mismatch for mismatch in tally.mismatches if not mismatch.illegal]
        _print_lines(differing)
        for item in self.skipped:
            print(f"{item['file']}: skipped: {item['why']}")
        print(
            f"{counted(tally.games, 'game')}, {counted(tally.rounds, 'round')}, "
            f"{counted(tally.wins, 'win')}, {counted(tally.draws, 'draw')}"
        )
        print(f"{counted(tally.decisions, 'decision')} checked against the engine")
        print(f"{counted(tally.walls_checked, 'wall')} derived again from seed or key")
        if tally.seeds_checked:
            seeds = counted(tally.seeds_checked, "promised seed")
            print(f"{seeds} gave the keys of all hands")
        if tally.ura_unknown:
            print(
                f"{counted(tally.ura_unknown, 'win')} in riichi whose ura dora could not be "
                "checked: the record does not show the indicators"
            )
        count = len(tally.mismatches)
        print(
            f"{count:,} mismatch{'es' * (count != 1)}, {len(self.skipped):,} skipped, "
            f"{self.broken:,} that cannot be read or are illegal"
        )


def _print_lines(mismatches: list[Mismatch]) -> None:
    for mismatch in mismatches[:SHOWN]:
        print(mismatch)
    if len(mismatches) > SHOWN:
        print(f"... and {len(mismatches) - SHOWN:,} more (--json lists all)")
