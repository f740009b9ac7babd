"""Fair walls: what is promised before the deal, what is shown after, and whoever may check it.

`repeat` is written from engine/FAIRNESS.md alone, with nothing of the project.
"""

from __future__ import annotations

import gzip
import hashlib
import hmac
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import structlog
from app_kit import plain_get, running
from server_kit import World, dull
from table_kit import events

from jantaku_engine.rules import Ruleset
from jantaku_replays.files import parse
from jantaku_replays.findings import Tally
from jantaku_replays.record import RecordError
from jantaku_replays.verify import verify
from jantaku_server.replay_files import REPLAYS
from jantaku_server.table import LiveTable

QUICK = {"rules": {"preset": "standard", "length": "tonpuu"}, "clock": "bots"}

# ---------------------------------------------------------------------- a third party


def repeat(seed: bytes, entropy: list[bytes], number: int) -> tuple[bytes, list[int]]:
    """The key and the wall of a hand."""
    if any(entropy):
        message = b"jantaku entropy 1"
        for given in entropy:
            message += len(given).to_bytes(4, "big") + given
        seed = hmac.new(seed, message, hashlib.sha256).digest()
    label = b"jantaku kyoku 1" + number.to_bytes(4, "big")
    key = hmac.new(seed, label, hashlib.sha256).digest()
    words: list[int] = []
    block = 0
    wall = list(range(136))
    for last in range(135, 0, -1):
        n = last + 1
        while True:
            if not words:
                text = b"jantaku shuffle 1" + key + block.to_bytes(4, "big")
                digest = hashlib.sha256(text).digest()
                words = [digest[i] << 8 | digest[i + 1] for i in range(0, 32, 2)]
                block += 1
            word = words.pop(0)
            if word < 65536 - 65536 % n:
                break
        j = word % n
        wall[last], wall[j] = wall[j], wall[last]
    return key, wall


def name(tile_id: int) -> str:
    """The mjai name of a tile id with one red five a suit."""
    if tile_id in (16, 52, 88):
        return f"5{'mps'[tile_id // 36]}r"
    kind = tile_id // 4
    return f"{kind % 9 + 1}{'mps'[kind // 9]}" if kind < 27 else "ESWNPFC"[kind - 27]


def played(world: World, *entropy: str) -> tuple[LiveTable, list[dict[str, Any]], dict[str, Any]]:
    """A finished table, the lines of its record, and what its last player heard at the end."""
    table, _ = world.table(**QUICK)
    peers = []
    for seat in range(4):
        peer = world.peer()
        peer.play = dull
        given = {"entropy": entropy[seat]} if seat < len(entropy) and entropy[seat] else {}
        peer.say("join", table=table.id, name=f"player {seat}", seat=seat, **given)
        peers.append(peer)
    world.finish(table)
    text = gzip.decompress((world.data / REPLAYS / table.replay).read_bytes()).decode()
    return table, [json.loads(line) for line in text.splitlines()], peers[3].last("finished")


ENTROPY = ("aa", "", "00" * 32, "0123456789abcdef")


@pytest.mark.parametrize("entropy", [(), ENTROPY], ids=["no bytes", "bytes of three players"])
def test_anybody_can_deal_every_wall_again(world: World, entropy: tuple[str, ...]) -> None:
    _, record, finished = played(world, *entropy)
    seed = bytes.fromhex(finished["seed"])
    given = [bytes.fromhex(text) for text in finished["entropy"]]
    assert [text.hex() for text in given] == list(entropy or ("",) * 4)
    starts = [line for line in record if line["type"] == "start_kyoku"]
    ends = [line for line in record if line["type"] == "end_kyoku"]
    assert len(starts) >= 4
    for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
        key, wall = repeat(seed, given, number)
        assert end["wall_key"] == key.hex()
        assert start["wall_hash"] == hashlib.sha256(key).hexdigest()
        assert start["dora_marker"] == name(wall[130])
        for seat in range(4):
            wind = (seat - start["oya"]) % 4
            places = [block * 16 + wind * 4 + i for block in range(3) for i in range(4)]
            dealt = sorted(name(wall[place]) for place in [*places, 48 + wind])
            assert sorted(start["tehais"][seat]) == dealt
    draws = [line["pai"] for line in record if line["type"] == "tsumo"]
    assert draws[0] == name(repeat(seed, given, 0)[1][52])


def test_the_hash_of_the_seed_is_told_before_anybody_gives_bytes(world: World) -> None:
    table, owner = world.table(**QUICK)
    listed = owner.say("list")
    assert listed is not None
    promised = listed["tables"][0]["seed_hash"]
    peers = [world.peer() for _ in range(4)]
    for seat, peer in enumerate(peers):
        peer.play = dull
        peer.say("join", table=table.id, name="x", seat=seat, entropy="ff" * (seat + 1))
        assert {message["seed_hash"] for message in peer.all("table")} == {promised}
    world.finish(table)
    seed = bytes.fromhex(peers[0].last("finished")["seed"])
    assert hashlib.sha256(seed).hexdigest() == promised


def test_who_watches_a_private_table_sees_its_promise_before_joining(world: World) -> None:
    table, owner = world.table(**QUICK, private=True)
    told = world.peer().say("spectate", code=owner.last("created")["code"])
    assert told is not None
    assert told["seed_hash"] == hashlib.sha256(table.seed).hexdigest()


def test_nothing_of_the_seed_is_told_while_the_match_is_played(world: World) -> None:
    table, peers = world.seated(4, **QUICK)
    outside = world.peer()
    outside.say("spectate", table=table.id)
    secrets = {table.seed.hex()} | {repeat(table.seed, [], n)[0].hex() for n in range(40)}
    told: set[str] = set()
    for peer in (*peers, outside):
        for frame in peer.line.frames:
            told |= {secret for secret in secrets if secret in str(frame)}
    assert told == set()
    for peer in peers:
        peer.play = dull
        for message in peer.all("request")[-1:]:
            peer._answer(message)
    world.clock.run_until(lambda: len(events(peers[0], "end_kyoku")) == 2)
    # Two hands are over: their keys are told, no later one, and not the seed.
    frames = "".join(str(frame) for frame in peers[0].line.frames)
    dealt = table.match.dealt if table.match else 0
    shown = [n for n in range(40) if repeat(table.seed, [], n)[0].hex() in frames]
    assert shown == list(range(len(events(peers[0], "end_kyoku"))))
    assert dealt >= 2
    assert table.replay or table.seed.hex() not in frames


def test_each_wall_is_promised_before_its_hand_and_opened_after_it(world: World) -> None:
    _, record, _ = played(world)
    kinds = [line["type"] for line in record if "wall_hash" in line or "wall_key" in line]
    assert kinds == ["start_kyoku", "end_kyoku"] * (len(kinds) // 2)


def test_a_rematch_has_a_new_seed_and_does_not_use_old_bytes(world: World) -> None:
    """Bytes that the server knew before it promised the new seed would prove nothing."""
    table, _ = world.table(**QUICK)
    peers = [world.peer() for _ in range(4)]
    for seat, peer in enumerate(peers):
        peer.play = dull
        peer.say("join", table=table.id, name="x", seat=seat, entropy="ab")
    world.finish(table, within=60)
    for peer in peers:
        peer.say("rematch")
    again = world.lobby.tables[peers[0].last("rematch")["table"]]
    world.finish(again, within=60)
    assert again.seed != table.seed
    assert peers[0].last("finished")["entropy"] == [""] * 4
    assert peers[0].last("finished")["seed"] == again.seed.hex()


# ---------------------------------------------------------------------- the verifier


def tally_of(lines: list[dict[str, Any]]) -> Tally:
    """What the verifier finds in a record."""
    text = "".join(json.dumps(line) + "\n" for line in lines)
    return verify(parse(text.encode(), "game.mjson"))


@pytest.mark.parametrize("entropy", [(), ENTROPY], ids=["no bytes", "bytes of three players"])
def test_the_record_proves_itself(world: World, entropy: tuple[str, ...]) -> None:
    table, record, _ = played(world, *entropy)
    assert record[0]["seed_hash"] == hashlib.sha256(table.seed).hexdigest()
    assert record[0]["entropy"] == list(entropy or ("",) * 4)
    assert record[-1]["seed"] == table.seed.hex()
    tally = tally_of(record)
    assert tally.mismatches == []
    assert tally.walls_checked == tally.rounds == table.match.dealt  # type: ignore[union-attr]
    assert tally.seeds_checked == 1


def _of(record: list[dict[str, Any]], kind: str, number: int = 1) -> dict[str, Any]:
    return [line for line in record if line["type"] == kind][number]


def _flip(digits: str) -> str:
    return f"{int(digits[0], 16) ^ 1:x}{digits[1:]}"


TAMPERINGS: dict[str, tuple[Callable[[list[dict[str, Any]]], object], set[str]]] = {
    "the promise of the seed": (
        lambda r: r[0].update(seed_hash=_flip(r[0]["seed_hash"])),
        {"start_game seed_hash"},
    ),
    "no promise of the seed": (lambda r: r[0].pop("seed_hash"), {"start_game seed_hash"}),
    "another seed": (
        lambda r: r[-1].update(seed=_flip(r[-1]["seed"])),
        {"start_game seed_hash", "end_kyoku wall_key"},
    ),
    "no seed": (lambda r: r[-1].pop("seed"), {"end_game seed"}),
    "bytes that no player gave": (
        lambda r: r[0].update(entropy=["", "77", "", ""]),
        {"end_kyoku wall_key"},
    ),
    "the promise of a wall": (
        lambda r: _of(r, "start_kyoku").update(wall_hash=_flip(_of(r, "start_kyoku")["wall_hash"])),
        {"start_kyoku wall_hash"},
    ),
    "no promise of a wall": (
        lambda r: _of(r, "start_kyoku").pop("wall_hash"),
        {"start_kyoku wall_hash"},
    ),
    "no key of a wall": (lambda r: _of(r, "end_kyoku").pop("wall_key"), {"end_kyoku wall_key"}),
}


@pytest.mark.parametrize("what", TAMPERINGS)
def test_tampering_is_found(world: World, what: str) -> None:
    _, record, _ = played(world)
    tamper, found = TAMPERINGS[what]
    tamper(record)
    tally = tally_of(record)
    assert {mismatch.what for mismatch in tally.mismatches} == found
    assert tally.seeds_checked == (1 if "promise of a wall" in what else 0)
    assert tally.walls_checked < tally.rounds or "wall" not in what


def test_another_key_is_found(world: World) -> None:
    """It neither has the promised hash nor follows from the seed nor deals the tiles."""
    _, record, _ = played(world)
    end = _of(record, "end_kyoku")
    end["wall_key"] = _flip(end["wall_key"])
    whats = {mismatch.what for mismatch in tally_of(record).mismatches}
    assert {"end_kyoku wall_key", "start_kyoku wall_hash", "start_kyoku tehais"} <= whats


def test_players_bytes_that_were_left_out_are_found(world: World) -> None:
    _, record, _ = played(world, *ENTROPY)
    record[0]["entropy"] = [""] * 4
    tally = tally_of(record)
    assert {mismatch.what for mismatch in tally.mismatches} == {"end_kyoku wall_key"}
    assert len(tally.mismatches) == tally.rounds


@pytest.mark.parametrize("seat", [0, 2, 3])
def test_one_changed_byte_of_a_player_is_found(world: World, seat: int) -> None:
    _, record, _ = played(world, *ENTROPY)
    record[0]["entropy"][seat] = _flip(record[0]["entropy"][seat])
    assert {mismatch.what for mismatch in tally_of(record).mismatches} == {"end_kyoku wall_key"}


def test_players_bytes_in_other_seats_are_found(world: World) -> None:
    _, record, _ = played(world, *ENTROPY)
    record[0]["entropy"].reverse()
    assert tally_of(record).mismatches


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda r: r[0].update(seed_hash="ab"), "line 1: seed_hash must be 64"),
        (lambda r: r[0].update(seed_hash=7), "line 1: seed_hash must be 64"),
        (lambda r: r[0].update(seed_hash="A" * 64), "line 1: seed_hash must be 64"),
        (lambda r: r[0].update(entropy=["", ""]), "line 1: entropy must be four"),
        (lambda r: r[0].update(entropy=["", "", "", "a"]), "line 1: entropy must be texts"),
        (lambda r: r[0].update(entropy=["", "", "", None]), "line 1: entropy must be texts"),
        (lambda r: r[-1].update(seed="00"), r"line \d+: seed must be 64"),
        (lambda r: r[-1].update(seed=["00"]), r"line \d+: seed must be 64"),
    ],
)
def test_what_cannot_be_read_is_said(
    world: World, change: Callable[[list[dict[str, Any]]], object], why: str
) -> None:
    _, record, _ = played(world)
    change(record)
    with pytest.raises(RecordError, match=why):
        tally_of(record)


# ---------------------------------------------------------------------- secrets stay where they are


def test_neither_seeds_nor_tokens_nor_hands_are_in_the_log(world: World) -> None:
    with structlog.testing.capture_logs() as log:
        table, peers = world.seated(4, play=dull, private=True, **QUICK)
        world.clock.settle()
        peers[0].hang_up()
        world.finish(table)
        world.lobby.forget(table)
    assert {entry["event"] for entry in log} >= {"table created", "match started", "table closed"}
    text = json.dumps(log)
    secrets = [table.seed.hex(), table.settings.code, table.settings.owner_hash]
    secrets += [peer.token for peer in peers]
    secrets += [seat.token_hash for seat in table.seats]
    for secret in secrets:
        assert secret
        assert secret not in text
    keys = {key for entry in log for key in entry}
    assert not keys & {"token", "seed", "key", "entropy", "menu", "pai", "hand", "tehai", "action"}


async def test_the_replay_of_a_running_game_cannot_be_fetched(tmp_path: Path) -> None:
    async with running(tmp_path) as app:
        app.lobby.create({"seats": ["bot:tsumogiri"] * 4, "pace_ms": 10_000}, lambda *_: None)
        (table,) = app.lobby.tables.values()
        status, _, _ = await plain_get(app, f"/replays/{table.id}.mjson.gz")
        assert status == 404
        status, _, body = await plain_get(app, "/api/games")
        assert (status, json.loads(body)) == (200, {"games": []})
        assert not list(tmp_path.glob("replays/*"))


def test_the_rules_of_the_record_are_those_of_the_table(world: World) -> None:
    table, record, _ = played(world)
    assert record[0]["rules"] == table.settings.rules.to_dict()
    assert Ruleset.from_dict(record[0]["rules"]) == table.settings.rules
