"""Proving walls: what holds is proved, what was changed is refuted, what is not told is neither."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import record_kit as kit

from jantaku_clients.cli import main
from jantaku_engine.match import Match
from jantaku_engine.rules import Ruleset
from jantaku_engine.wall import Wall, commitment, kyoku_key
from jantaku_replays import native
from jantaku_replays.files import parse
from jantaku_replays.origin import Origin
from jantaku_replays.prove import PROVED, REFUTED, UNPROVED, Proof, prove
from jantaku_replays.verify import verify

SEED = bytes(range(32))
Lines = list[dict[str, Any]]


def game(origin: Origin | None) -> str:
    """A record of a tonpuu in which everybody discards what was drawn."""
    seed = SEED if origin is None else origin.walls_seed()
    match = Match(Ruleset(length="tonpuu"), ("Aoi", "Beni", "Chika", "Daigo"))
    while not match.over:
        match.deal(Wall.from_seed(seed, match.dealt))
        while match.pending:
            seat, menu = next(iter(match.pending.items()))
            match.answer(seat, menu[-1])
    return native.dumps(match.events, origin=origin)


def proof_of(text: str, name: str = "game.mjson") -> Proof:
    return prove(parse(text.encode(), name))


def changed(text: str, change: Callable[[Lines], None]) -> str:
    lines = [json.loads(line) for line in text.splitlines()]
    change(lines)
    return "\n".join(map(json.dumps, lines))


def line_of(lines: Lines, kind: str, number: int = 0) -> dict[str, Any]:
    return [line for line in lines if line["type"] == kind][number]


PLAIN = game(None)
MIXED = game(Origin.of(SEED, (b"", b"jantaku", b"", b"\x00\xff")))
ALONE = game(Origin.of(SEED))

# ---------------------------------------------------------------------- native records


def test_an_honest_game_is_proved_hand_by_hand() -> None:
    proof = proof_of(PLAIN)
    assert proof.verdict == PROVED
    assert [hand.verdict for hand in proof.hands] == [PROVED] * len(proof.hands)
    first = proof.hands[0]
    key = kyoku_key(SEED, 0)
    assert (first.key, first.promised) == (key.hex(), commitment(key))
    # 52 dealt tiles, 70 draws and the indicator: the wall was played to its end.
    assert first.tiles == 123
    assert "the one promised before the deal" in first.words
    assert "123 tiles" in first.words


def test_without_a_seed_only_the_chain_stays_unproved() -> None:
    proof = proof_of(PLAIN)
    assert proof.seed_verdict == UNPROVED
    assert "does not tell of a seed" in proof.seed_words


def test_keys_that_come_from_the_promised_seed_and_the_players_bytes_prove_the_chain() -> None:
    proof = proof_of(MIXED)
    assert (proof.verdict, proof.seed_verdict) == (PROVED, PROVED)
    assert "bytes from 2 players" in proof.seed_words
    assert commitment(SEED) in proof.seed_words


def test_without_players_bytes_the_words_say_who_chose() -> None:
    proof = proof_of(ALONE)
    assert proof.seed_verdict == PROVED
    assert "the server alone chose the seed" in proof.seed_words


def test_another_key_than_promised_is_refuted() -> None:
    def swap(lines: Lines) -> None:
        line_of(lines, "end_kyoku", 1)["wall_key"] = "00" * 32

    proof = proof_of(changed(PLAIN, swap))
    assert [hand.verdict for hand in proof.hands[:3]] == [PROVED, REFUTED, PROVED]
    assert "it is another key" in proof.hands[1].words
    assert proof.verdict == REFUTED


def test_a_tile_that_the_wall_does_not_have_there_is_refuted_with_its_place() -> None:
    def exchange(lines: Lines) -> None:
        # East draws something else in the third go-round, and discards it.
        draws = [n for n, line in enumerate(lines) if line["type"] == "tsumo"]
        other = "1m" if lines[draws[8]]["pai"] != "1m" else "2m"
        lines[draws[8]]["pai"] = lines[draws[8] + 1]["pai"] = other

    proof = proof_of(changed(PLAIN, exchange))
    assert proof.hands[0].verdict == REFUTED
    assert "draw 9 is" in proof.hands[0].words


def test_a_changed_deal_is_refuted_and_another_order_of_a_hand_is_not() -> None:
    def turn_round(lines: Lines) -> None:
        line_of(lines, "start_kyoku")["tehais"][2].reverse()

    def exchange(lines: Lines) -> None:
        hands = line_of(lines, "start_kyoku")["tehais"]
        hands[0][0], hands[1][0] = hands[1][0], hands[0][0]

    assert proof_of(changed(PLAIN, turn_round)).verdict == PROVED
    proof = proof_of(changed(PLAIN, exchange))
    assert proof.hands[0].verdict == REFUTED
    assert "it deals East" in proof.hands[0].words


def test_another_seed_than_promised_is_refuted_and_named() -> None:
    def swap(lines: Lines) -> None:
        lines[-1]["seed"] = "11" * 32

    proof = proof_of(changed(MIXED, swap))
    assert (proof.verdict, proof.seed_verdict) == (REFUTED, REFUTED)
    assert "seed_hash" in proof.seed_words


def test_bytes_that_a_player_did_not_send_refute_the_chain() -> None:
    def swap(lines: Lines) -> None:
        lines[0]["entropy"][1] = "00"

    proof = proof_of(changed(MIXED, swap))
    assert proof.seed_verdict == REFUTED
    assert "E1-0" in proof.seed_words


def test_a_seed_that_is_kept_secret_leaves_the_walls_proved() -> None:
    def hide(lines: Lines) -> None:
        del lines[-1]["seed"]

    proof = proof_of(changed(MIXED, hide))
    assert (proof.verdict, proof.seed_verdict) == (PROVED, UNPROVED)
    assert "does not show it" in proof.seed_words


def part(text: str) -> str:
    """The game without its first hand and one in the middle."""

    def cut(lines: Lines) -> None:
        starts = [n for n, line in enumerate(lines) if line["type"] == "start_kyoku"]
        del lines[starts[2] : starts[3]]
        del lines[1 : starts[1]]
        lines[0]["whole"] = False

    return changed(text, cut)


@pytest.mark.parametrize("text", [MIXED, ALONE], ids=["mixed", "alone"])
def test_an_honest_part_of_a_game_keeps_its_promises(text: str) -> None:
    record = parse(part(text).encode(), "part.mjson")
    tally = verify(record)
    assert tally.mismatches == []
    assert (tally.seeds_checked, tally.walls_checked) == (1, len(record.kyokus))
    proof = prove(record)
    assert (proof.verdict, proof.seed_verdict) == (PROVED, PROVED)
    assert "the keys of these hands of the game come from one seed" in proof.seed_words


def test_a_part_of_a_game_that_shows_no_seed_breaks_no_promise() -> None:
    def hide(lines: Lines) -> None:
        del lines[-1]["seed"]

    record = parse(changed(part(MIXED), hide).encode(), "part.mjson")
    assert verify(record).mismatches == []
    assert verify(record).seeds_checked == 0
    assert prove(record).seed_verdict == UNPROVED


def test_a_part_of_a_game_with_a_key_of_another_seed_is_refuted_by_both() -> None:
    def swap(lines: Lines) -> None:
        lines[0]["entropy"][1] = "00"

    record = parse(changed(part(MIXED), swap).encode(), "part.mjson")
    assert {m.what for m in verify(record).mismatches} == {"end_kyoku wall_key"}
    assert prove(record).seed_verdict == REFUTED


def test_hands_of_a_part_in_another_order_are_refuted() -> None:
    """Each key must be that of a later hand than the one before."""
    record = parse(part(MIXED).encode(), "part.mjson")
    record.kyokus.reverse()
    assert prove(record).seed_verdict == REFUTED


def test_a_key_without_a_promise_proves_nothing() -> None:
    def forget(lines: Lines) -> None:
        for line in lines:
            line.pop("wall_hash", None)

    proof = proof_of(changed(PLAIN, forget))
    assert proof.verdict == UNPROVED
    assert "may have been chosen afterwards" in proof.hands[0].words


def test_a_promise_without_a_key_proves_nothing() -> None:
    def forget(lines: Lines) -> None:
        for line in lines:
            line.pop("wall_key", None)

    proof = proof_of(changed(PLAIN, forget))
    assert proof.verdict == UNPROVED
    assert "its key is not shown" in proof.hands[0].words


# ---------------------------------------------------------------------- Tenhou


def seeded() -> str:
    names = [name for name, text in kit.corpus_texts().items() if "<SHUFFLE" in text]
    return min(names, key=lambda name: len(kit.corpus_texts()[name]))


def test_a_tenhou_seed_deals_the_tiles_of_its_record() -> None:
    name = seeded()
    proof = proof_of(kit.corpus_texts()[name], name)
    assert proof.verdict == PROVED
    assert all("the seed deals exactly" in hand.words for hand in proof.hands)
    assert "not how the seed was chosen" in proof.seed_words


def test_another_tenhou_seed_is_refuted() -> None:
    other, name = sorted(
        (name for name, text in kit.corpus_texts().items() if "n288-base64" in text)
    )[:2]
    seed = kit.corpus_texts()[other].split('seed="mt')[1].split('"')[0]
    text = kit.change(kit.corpus_texts()[name], 'seed="mt[^"]*"', f'seed="mt{seed}"')
    proof = proof_of(text, name)
    assert proof.verdict == REFUTED
    assert "another one" in proof.hands[0].words


def test_a_tenhou_record_without_a_seed_proves_nothing_and_says_why() -> None:
    proof = proof_of(kit.TINY, "tiny.xml")
    assert proof.verdict == UNPROVED
    assert "neither keys nor a seed" in proof.seed_words


# ---------------------------------------------------------------------- the command


def run(tmp_path: Path, text: str, *options: str, name: str = "game.mjson") -> int:
    path = tmp_path / name
    path.write_text(text)
    return main(["replay", "prove", str(path), *options])


def test_status_is_0_for_proved_1_for_refuted_and_unproved_2_for_unreadable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, PLAIN) == 0
    assert "proved: the key is the one promised" in capsys.readouterr().out
    assert run(tmp_path, forged()) == 1
    assert "refuted" in capsys.readouterr().out
    assert run(tmp_path, kit.TINY, name="tiny.xml") == 1
    assert "nothing can be proved" in capsys.readouterr().out
    assert run(tmp_path, "{}") == 2
    assert capsys.readouterr().err.startswith("jantaku replay prove: ")


def test_nothing_proved_is_not_done(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    three = kit.change(kit.TINY, 'type="9"', 'type="25"')
    assert run(tmp_path, three, name="three.xml") == 1
    captured = capsys.readouterr()
    assert "three.xml: skipped: a three-player game" in captured.out
    assert captured.err == ("jantaku replay prove: nothing was proved: no game of four players\n")
    assert run(tmp_path, three, "--json", name="three.xml") == 1
    # Beside a game whose walls are proved it changes nothing.
    (tmp_path / "game.mjson").write_text(PLAIN)
    assert main(["replay", "prove", str(tmp_path)]) == 0


def test_the_last_line_names_the_games_whose_seed_is_refuted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def other(lines: Lines) -> None:
        lines[-1]["seed"] = "11" * 32

    hands = len(proof_of(MIXED).hands)
    assert run(tmp_path, changed(MIXED, other)) == 1
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == (
        f"1 game, {hands} walls: {hands} proved, 0 refuted, 0 unproved; "
        f"1 seed refuted: {tmp_path / 'game.mjson'}"
    )
    assert run(tmp_path, MIXED) == 0
    assert capsys.readouterr().out.endswith(" 0 unproved\n")


def forged() -> str:
    def swap(lines: Lines) -> None:
        line_of(lines, "end_kyoku")["wall_key"] = "00" * 32

    return changed(PLAIN, swap)


def test_json_has_counts_and_every_hand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, MIXED, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["games"] == 1
    assert told["hands"] == told["proved"] == len(told["records"][0]["hands"])
    assert told["refuted"] == 0
    assert told["records"][0]["seed"]["verdict"] == PROVED
    assert set(told["records"][0]["hands"][0]) == {
        *("kyoku", "verdict", "words", "tiles", "promised", "key")
    }
