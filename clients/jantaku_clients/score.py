"""`jantaku score`: what a hand is worth, one on the command line or many as JSON lines."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final

from jantaku_engine.options import RulesError
from jantaku_engine.tiles import MPSZ, TileError, format_mpsz, parse_mpsz
from jantaku_engine.win import RIICHI_NAMES, Win, WinError, WinResult, evaluate
from jantaku_engine.yaku.catalogue import YAKU

from .command import DONE, FAILED, CommandError, counted, read_rules
from .score_form import FLAGS, WINDS, FormError, payers, read_question, write_answer

EXAMPLES: Final = """\
examples:
  jantaku score "234m456p67s22s345m+8s" --by tsumo --seat S
  jantaku score "234m67s22p+8s" --meld "ankan 9999m" --meld "pon 777z" --dora 1p --honba 2
  jantaku score "234m456p67s22s345m+8s" --riichi --ippatsu --rules mleague --set kiriage=off
  jantaku score --jsonl hands.jsonl

Tiles: digits then m, p, s or z; 0 is a red five; 1z..7z are E S W N White Green Red.

A line for --jsonl has at least hand, win, by, seat and round:
  {"id": "a", "hand": "234m456p67s22s345m", "win": "8s", "by": "tsumo", "seat": "S", "round": "E"}
and, where they apply, melds, riichi, flags, dora, ura, honba, deposits, rules, discarder_riichi
and streak. The section "Many hands at once" of clients/README.md has every field, and the answer's.
"""

LINE_LIMIT: Final = 1 << 20
"""Bytes of one JSON line; a longer one is not read."""

REASONS: Final = {
    "not_complete": "the tiles are no complete hand",
    "no_yaku": "there is no yaku",
    "below_minimum": "the yaku are worth less than the rules ask for",
}


def add_parser(subparsers: Any) -> None:
    """Add the subcommand `score`."""
    parser = subparsers.add_parser(
        "score",
        help="score one hand, or many as JSON lines",
        description="Print yaku, han, fu with their parts, and payments of a winning hand.",
        epilog=EXAMPLES,
    )
    parser.add_argument(
        "hand", nargs="?", metavar="HAND", help="concealed tiles, +, winning tile: 345m22z+2z"
    )
    parser.add_argument(
        "--jsonl",
        metavar="FILE",
        help="score one JSON object a line of FILE (- = stdin); one object a line on stdout",
    )
    parser.add_argument("--by", choices=("ron", "tsumo"), default="ron", help="default: ron")
    parser.add_argument("--seat", choices=WINDS, default="E", help="seat wind (default: E)")
    parser.add_argument("--round", choices=WINDS, default="E", help="round wind (default: E)")
    parser.add_argument(
        "--meld",
        action="append",
        default=[],
        metavar="MELD",
        help="a laid-down set, such as 'chi 234p', 'kakan 5550p'; may be repeated",
    )
    parser.add_argument(
        "--riichi",
        nargs="?",
        const="riichi",
        default="none",
        choices=RIICHI_NAMES,
        help="in riichi, or another kind of it",
    )
    for flag in FLAGS:
        parser.add_argument(
            f"--{flag}", dest="flags", action="append_const", const=flag, help=_FLAG_HELP[flag]
        )
    parser.add_argument("--dora", default="", metavar="TILES", help="dora indicators")
    parser.add_argument("--ura", default="", metavar="TILES", help="ura dora indicators")
    parser.add_argument("--honba", type=int, default=0, metavar="N", help="honba counters")
    parser.add_argument("--deposits", type=int, default=0, metavar="N", help="riichi deposits")
    parser.add_argument(
        "--discarder-riichi", action="store_true", help="the discarder is in riichi"
    )
    parser.add_argument(
        "--kept", type=int, default=0, metavar="N", help="deals that the dealer has kept"
    )
    parser.add_argument(
        "--wins", type=int, default=0, metavar="N", help="wins of the dealer in a row before"
    )
    parser.add_argument(
        "--rules", default="standard", metavar="PRESET", help="a preset or FILE.toml"
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        dest="options",
        metavar="OPTION=VALUE",
        help="an option that differs from the preset; may be repeated",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    parser.set_defaults(run=run)


_FLAG_HELP: Final = {
    "ippatsu": "within one go-round after riichi",
    "haitei": "the last live tile is drawn",
    "houtei": "the last tile is discarded",
    "rinshan": "tsumo: on a tile from the dead wall; ron: the discarder had just drawn from it",
    "chankan": "the ron takes the tile of a kan",
    "tenhou": "first own turn of the dealer, no call before",
    "chiihou": "first own turn of another seat, no call before",
    "renhou": "ron before the first own turn, no call before",
}


def run(arguments: argparse.Namespace) -> int:
    """Score the hand of the command line, or every line of a file."""
    if (arguments.hand is None) == (arguments.jsonl is None):
        raise CommandError("give either a HAND or --jsonl FILE")
    if arguments.jsonl is not None:
        return score_lines(arguments.jsonl)
    try:
        win, rules = read_question(_fields(arguments))
    except (FormError, WinError) as error:
        raise CommandError(str(error)) from None
    result = evaluate(win, rules)
    if arguments.json:
        print(json.dumps(write_answer(win, result)))
    else:
        print("\n".join(as_lines(win, result, arguments.deposits)))
    return DONE


# --- One hand ----------------------------------------------------------------------------------


def _fields(arguments: argparse.Namespace) -> dict[str, Any]:
    """The question of the command line in the form of a JSON line."""
    hand, plus, win = arguments.hand.partition("+")
    if not plus:
        raise CommandError(f"{arguments.hand!r}: write the winning tile after a +, as in 22z+2z")
    if arguments.ura and arguments.riichi == "none":
        print("jantaku score: --ura counts only with --riichi", file=sys.stderr)
    rules = read_rules(arguments.rules).to_dict()
    for text in arguments.options:
        name, equals, value = text.partition("=")
        if not equals:
            raise CommandError(f"--set {text}: write OPTION=VALUE")
        rules[name] = option_value(value)
    return {
        "hand": hand,
        "win": win,
        "melds": arguments.meld,
        "by": arguments.by,
        "seat": arguments.seat,
        "round": arguments.round,
        "riichi": arguments.riichi,
        "flags": arguments.flags or [],
        "dora": [MPSZ[tile] for tile in parse_mpsz(arguments.dora)],
        "ura": [MPSZ[tile] for tile in parse_mpsz(arguments.ura)],
        "honba": arguments.honba,
        "deposits": arguments.deposits,
        "discarder_riichi": arguments.discarder_riichi,
        "streak": {"kept": arguments.kept, "wins": arguments.wins},
        "rules": rules,
    }


def option_value(text: str) -> Any:
    """The value of an option as a user writes it: JSON, or a text such as on, triple, 1/2/1."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def as_lines(win: Win, result: WinResult, deposits: int) -> list[str]:
    """The result as text: yaku, han and fu, the parts of the fu, the payments."""
    if not result.win:
        return [f"no win: {result.reason}: {REASONS[result.reason]}"]
    unit = "x" if result.yakuman else "han"
    rows = [(f"{value:g} {unit}", name, YAKU[name].kanji) for name, value in result.yaku]
    for name, kanji, count in (
        ("dora", "ドラ", result.dora),
        ("ura", "裏ドラ", result.ura),
        ("aka", "赤ドラ", result.aka),
    ):
        if count:
            rows.append((f"{count} han", name, kanji))
    width = max(len(name) for _, name, _ in rows)
    lines = [format_mpsz(win.hand) + " + " + MPSZ[win.win_tile] + _melds(win)]
    lines += [f"  {value:>6}  {name:<{width}}  {kanji}" for value, name, kanji in rows]
    if result.yakuman:
        lines.append(f"yakuman x{result.yakuman:g}")
    else:
        worth = f"{result.han} han" + (f" {result.fu} fu" if result.fu else "")
        lines.append(worth + ("" if result.limit == "none" else f", {result.limit}"))
    if result.fu_parts:
        parts = " + ".join(f"{fu} {name}" for name, fu in result.fu_parts)
        total = sum(fu for _, fu in result.fu_parts)
        rounded = "" if total == result.fu else f", rounded up to {result.fu}"
        lines.append(f"fu: {parts} = {total}{rounded}")
    lines.append(_payments(win, result, deposits))
    return lines


def _melds(win: Win) -> str:
    return "".join(f", {meld}" for meld in win.melds)


def _payments(win: Win, result: WinResult, deposits: int) -> str:
    pay = payers(win, result)
    if not win.tsumo:
        total = pay["discarder"]
        text = f"the discarder pays {total}"
    elif win.seat_wind == 0:
        total = 3 * pay["others"]
        text = f"each other seat pays {pay['others']}, in all {total}"
    else:
        total = pay["dealer"] + 2 * pay["others"]
        text = f"the dealer pays {pay['dealer']}, the others {pay['others']} each, in all {total}"
    if deposits:
        text += f"; with {counted(deposits, 'deposit')} {total + 1000 * deposits}"
    return text


# --- Many hands --------------------------------------------------------------------------------


def score_lines(name: str) -> int:
    """Score every line of a file, one JSON object out for each; 1 when a line had an error."""
    status = DONE
    for answer in _answers(name):
        if "error" in answer:
            status = FAILED
        print(json.dumps(answer))
    return status


def _answers(name: str) -> Iterator[dict[str, Any]]:
    if name == "-":
        yield from answer_lines(sys.stdin.buffer)
        return
    try:
        with Path(name).open("rb") as stream:
            yield from answer_lines(stream)
    except OSError as error:
        raise CommandError(f"{name}: cannot be read: {error.strerror}") from None


def answer_lines(stream: BinaryIO) -> Iterator[dict[str, Any]]:
    """The answer of every line that is not empty, in order."""
    for number, line in enumerate(_lines(stream), 1):
        if line is None:
            yield {"id": None, "error": f"line {number}: longer than {LINE_LIMIT} bytes"}
        elif line.strip():
            yield answer_line(line, number)


def answer_line(line: bytes, number: int) -> dict[str, Any]:
    """The answer of one line, or its error."""
    name: Any = None
    try:
        fields = _read_object(line)
        name = fields.get("id")
        if name is not None and not isinstance(name, str):
            name = None
            raise FormError("id: must be a text")
        win, rules = read_question(fields)
    except (FormError, RulesError, TileError, WinError) as error:
        return {"id": name, "error": f"line {number}: {error}"}
    return {"id": name, **write_answer(win, evaluate(win, rules))}


def _lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """Lines of a file; None for one that is too long, of which the rest is skipped."""
    while line := stream.readline(LINE_LIMIT + 1):
        if len(line) <= LINE_LIMIT:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(LINE_LIMIT)
        yield None


def _no_constant(text: str) -> None:
    raise FormError(f"not JSON: {text} is no number")


def _read_object(line: bytes) -> dict[str, Any]:
    try:
        fields = json.loads(line.decode("utf-8-sig"), parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        raise FormError(f"not UTF-8 at byte {error.start + 1}") from None
    except json.JSONDecodeError as error:
        raise FormError(f"not JSON: {error.msg} at character {error.pos + 1}") from None
    except RecursionError:
        raise FormError("not readable: nested too deeply") from None
    except ValueError as error:
        if isinstance(error, FormError):
            raise
        raise FormError("not readable: a number with too many digits") from None
    if not isinstance(fields, dict):
        raise FormError("not a JSON object")
    return fields
