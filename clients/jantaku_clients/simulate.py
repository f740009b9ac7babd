"""Whole games without a network: house bots at the engine, as fast as it goes.

>>> setup = Setup(Ruleset(length="tonpuu"), ("tsumogiri",) * 4, seed=1)
>>> tally = simulate(setup, games=2)
>>> tally.games, tally.seats[0].wins
(2, 0)

Game number `n` of a seed is the same game whoever plays it and whatever was played before: its
walls and the chances of its bots come from the seed, the number and the seat alone. So games
can be dealt out to any number of processes, and the sums are the same.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from typing import NamedTuple

from jantaku_engine.match import Match
from jantaku_engine.rules import Ruleset
from jantaku_engine.view import SeatView
from jantaku_engine.wall import Wall
from jantaku_replays import native

from .bots import Player, make_bot
from .tally import Tally

Progress = Callable[[int], None]
"""Called with the number of games played since the last call."""


class SimulationError(RuntimeError):
    """A game that could not be played to its end, named by its seed and number."""


class Setup(NamedTuple):
    """What all games of a simulation have in common; `bots` sit on seats 0-3 in this order."""

    rules: Ruleset
    bots: tuple[str, ...]
    seed: int


class Game(NamedTuple):
    """One finished game: its seed of 32 bytes, the match, and how many answers were given."""

    seed: bytes
    match: Match
    decisions: int


def derive(label: str, seed: int, number: int) -> bytes:
    """32 bytes for one purpose in game `number`, from 0.

    The SHA-256 of the ASCII text `jantaku simulate 1 LABEL SEED NUMBER` in decimals; `label` is
    `match` for the seed of the walls, and `seat 0` .. `seat 3` for the chances of a bot.
    """
    return sha256(f"jantaku simulate 1 {label} {seed} {number}".encode("ascii")).digest()


def play(setup: Setup, number: int) -> Game:
    """Play game `number` of a setup.

    Raises:
        bots.BotError: no such bot.
        SimulationError: the engine or a bot failed.
    """
    players = [
        make_bot(name, Random(int.from_bytes(derive(f"seat {seat}", setup.seed, number), "big")))
        for seat, name in enumerate(setup.bots)
    ]
    seed = derive("match", setup.seed, number)
    match = Match(setup.rules, setup.bots)
    try:
        decisions = run_match(match, players, seed)
    except Exception as error:
        raise SimulationError(
            f"game {number} of seed {setup.seed}: {type(error).__name__}: {error}"
        ) from error
    return Game(seed, match, decisions)


def run_match(match: Match, players: Sequence[Player], seed: bytes) -> int:
    """Let `players` play a match to its end on the walls of `seed`; how many answers they gave.

    Everybody who is asked at a moment chooses before anybody's answer is known.

    Raises:
        kyoku.IllegalAction: a player chose what its menu does not have.
    """
    views = [SeatView(seat, match.rules) for seat in range(4)]
    watching = [
        (seat, views[seat], player) for seat, player in enumerate(players) if player.needs_view
    ]
    events = match.events
    told = 0
    decisions = 0
    while not match.over:
        if match.between_hands:
            match.deal(Wall.from_seed(seed, match.dealt))
        if watching:
            for event in events[told:]:
                for seat, view, player in watching:
                    seen = event.seen_by(seat)
                    view.apply(seen)
                    player.see(seen)
            told = len(events)
        answers = [
            (seat, players[seat].choose(views[seat], menu)) for seat, menu in match.pending.items()
        ]
        for seat, action in answers:
            match.answer(seat, action)
        decisions += len(answers)
    return decisions


# ---------------------------------------------------------------------- many games


def simulate(
    setup: Setup,
    games: int,
    jobs: int = 1,
    out: Path | None = None,
    progress: Progress = lambda played: None,
) -> Tally:
    """Play games 0 .. `games` - 1 in `jobs` processes, and count.

    With `out`, an existing folder, every game is written there (`replay_name`). The same setup
    gives the same tally and the same files for any number of jobs.

    Raises:
        bots.BotError: no such bot.
        SimulationError: a game could not be played, or a process ended early.
        OSError: a file could not be written.
    """
    for name in setup.bots:
        make_bot(name, Random(0))
    total = Tally()
    jobs = min(jobs, games)
    if jobs <= 1:
        for number in range(games):
            total.add(_play_and_count(setup, number, out))
            progress(1)
        return total
    with _workers(setup, games, jobs, out) as pipes:
        for tally in _received(pipes):
            total.add(tally)
            progress(tally.games)
    if total.games != games:
        raise SimulationError(
            f"{games - total.games} of {games} games of seed {setup.seed} are missing: "
            "a process ended early"
        )
    return total


def replay_name(setup: Setup, number: int) -> str:
    """Name of the file in which game `number` is written."""
    return f"seed{setup.seed}-game{number:06d}.mjson.gz"


def _play_and_count(setup: Setup, number: int, out: Path | None) -> Tally:
    game = play(setup, number)
    tally = Tally()
    tally.count(game.match.events)
    tally.decisions = game.decisions
    if out is not None:
        native.write(out / replay_name(setup, number), game.match.events, setup.bots)
    return tally


@contextlib.contextmanager
def _workers(setup: Setup, games: int, jobs: int, out: Path | None) -> Iterator[list[Connection]]:
    """Processes that each play every `jobs`-th game; when this ends, so have they.

    A worker notices by its broken pipe that nobody waits for it any more, at the latest when
    its game is over; this holds as well when the process that started it has been killed.
    """
    # A process like the one that a user starts, on every system.
    context = multiprocessing.get_context("spawn")
    pipes: list[Connection] = []
    processes: list[BaseProcess] = []
    try:
        with _interrupts_blocked():
            for first in range(jobs):
                pipe, end = context.Pipe(duplex=False)
                pipes.append(pipe)
                numbers = range(first, games, jobs)
                process = context.Process(target=_work, args=(end, setup, numbers, out))
                process.start()
                processes.append(process)
                end.close()
        yield pipes
    finally:
        for pipe in pipes:
            pipe.close()
        for worker in processes:
            worker.join()


def _received(pipes: Sequence[Connection]) -> Iterator[Tally]:
    """What the workers send until the last of them has ended.

    Raises:
        SimulationError, OSError: what a worker sent instead of a tally.
    """
    running = list(pipes)
    while running:
        ready = wait(running)
        for pipe in [pipe for pipe in running if pipe in ready]:
            try:
                result: Tally | Exception = pipe.recv()
            except EOFError:
                running.remove(pipe)
                continue
            if isinstance(result, Exception):
                raise result
            yield result


@contextlib.contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Ctrl-C waits until this is over; processes started meanwhile never hear of it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # It would unblock the signal on its own start.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(pipe: Connection, setup: Setup, numbers: range, out: Path | None) -> None:
    with contextlib.suppress(BrokenPipeError):
        for number in numbers:
            try:
                result: Tally | Exception = _play_and_count(setup, number, out)
            except (SimulationError, OSError) as error:
                result = error
            pipe.send(result)
            if isinstance(result, Exception):
                return
