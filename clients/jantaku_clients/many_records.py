"""Going through many records: a progress bar on stderr, and one line for each that fails."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from jantaku_engine.rules import Ruleset
from jantaku_replays.record import NotRiichiError, Record, RecordError

from .records import record_files


class ManyRecords:
    """The readable records under some paths.

    Attributes:
        broken: how many files cannot be read. skipped: file and reason of each other game.
    """

    def __init__(self, paths: list[str], command: str, rules: Ruleset | None = None) -> None:
        self.broken = 0
        self.skipped: list[dict[str, str]] = []
        self._paths = paths
        self._command = command
        self._rules = rules

    def __iter__(self) -> Iterator[Record]:
        with record_files(self._paths) as files, progress_bar() as progress:
            for problem in files.problems:
                self.complain(str(problem))
            task = progress.add_task("reading", total=len(files.sources))
            for source in files.sources:
                try:
                    yield files.read(source, self._rules)
                except NotRiichiError as error:
                    self.skipped.append({"file": source.name, "why": str(error)})
                except RecordError as error:
                    self.complain(f"{source.name}: {error}")
                progress.advance(task)

    def complain(self, line: str) -> None:
        """Tell of a record that cannot be used."""
        self.broken += 1
        print(f"{self._command}: {line}", file=sys.stderr)


def progress_bar() -> Progress:
    """How far a command has come, on stderr, when somebody looks at it."""
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
