"""`jantaku replay prove`: were the tiles fixed before the deal?"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any, Final

from jantaku_replays.prove import PROVED, REFUTED, UNPROVED, Proof, prove
from jantaku_replays.record import RecordError

from .command import BAD_USAGE, DONE, FAILED, counted, shortened
from .many_records import ManyRecords
from .records import add_paths, add_rules, named_rules

EXAMPLES: Final = """\
examples:
  jantaku replay prove game.mjson.gz       every wall of one game
  jantaku replay prove games/ --json       one JSON object on stdout

A wall is proved when its key is the one promised before the deal and deals exactly the tiles
that were seen, or, in a record of Tenhou, when the seed deals them. It is refuted when anything
differs, and unproved when the record has neither key nor seed.
Exit status: 0 every wall is proved; 1 something is refuted or unproved (the words and --json
say which), or there was no wall to prove, as in games of three players; 2 something cannot be
read.
"""


def add_parser(commands: Any) -> None:
    """Add `prove` to the subcommands of `jantaku replay`."""
    parser = commands.add_parser(
        "prove",
        help="prove that the tiles were fixed before the deal",
        description="Derive every wall again from its key or seed, and compare it with what was "
        "promised and with what was seen.",
        epilog=EXAMPLES,
    )
    add_paths(parser)
    add_rules(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Prove all records under the paths."""
    proofs: list[Proof] = []
    records = ManyRecords(arguments.paths, "jantaku replay prove", named_rules(arguments))
    for record in records:
        try:
            proofs.append(prove(record))
        except RecordError as error:
            records.complain(f"{record.name}: {error}")
    hands = [hand for proof in proofs for hand in proof.hands]
    counts = {
        "games": len(proofs),
        "hands": len(hands),
        "proved": sum(hand.verdict == PROVED for hand in hands),
        "refuted": sum(hand.verdict == REFUTED for hand in hands),
    }
    if arguments.json:
        games = [proof.to_dict() for proof in proofs]
        print(json.dumps({**counts, "records": games, "skipped": records.skipped}))
    else:
        for proof in proofs:
            print("\n".join(proof_lines(proof)))
        for item in records.skipped:
            print(f"{item['file']}: skipped: {item['why']}")
        seeds = [proof.file for proof in proofs if proof.seed_verdict == REFUTED]
        print(
            f"{counted(len(proofs), 'game')}, {counted(len(hands), 'wall')}: "
            f"{counts['proved']:,} proved, {counts['refuted']:,} refuted, "
            f"{counts['hands'] - counts['proved'] - counts['refuted']:,} unproved"
            + (f"; {counted(len(seeds), 'seed')} refuted: {shortened(seeds)}" if seeds else "")
        )
    if records.broken:
        return BAD_USAGE
    if not proofs:
        print("jantaku replay prove: nothing was proved: no game of four players", file=sys.stderr)
        return FAILED
    return DONE if all(proof.verdict == PROVED for proof in proofs) else FAILED


def proof_lines(proof: Proof) -> list[str]:
    """What is proved of a game, for people."""
    seed = f"{proof.seed_verdict}: " if proof.seed_verdict != UNPROVED else ""
    lines = [f"{proof.file}: {proof.verdict}", f"  seed: {seed}{proof.seed_words}"]
    return lines + [f"  {hand.kyoku}: {hand.verdict}: {hand.words}" for hand in proof.hands]
