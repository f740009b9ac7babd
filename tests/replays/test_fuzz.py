"""A fuzzer over all readers: whatever is damaged, there is a verdict in one line.

A minute in CI, ten seconds elsewhere and in its compiled run; each input comes from its number.
"""

from __future__ import annotations

import functools
import itertools
import json
import os
import re
import time

import fuzz_kit
import pytest
import record_kit as kit

from jantaku_clients.command import engine_is_compiled
from jantaku_engine.rules import Ruleset
from jantaku_replays import convert, native, tenhou_json_writer
from jantaku_replays.files import parse
from jantaku_replays.record import NotRiichiError, Record, RecordError
from jantaku_replays.verify import verify

FORMS = ("native", "mjai", "bare-mjai", "tenhou-json", "foreign-json", "tenhou-xml", "link")
SECONDS = (60 if os.environ.get("CI") == "true" and not engine_is_compiled() else 10) / len(FORMS)
"""For each form."""

SLOWEST = 10
"""Seconds of work that no input may need: a record is small."""


@functools.cache
def records() -> tuple[Record, ...]:
    """Short games that have much in them: calls, kans, riichi, a draw, rare wins."""
    texts = [native.dumps(kit.play(Ruleset(length="tonpuu"), seed).events) for seed in (2, 5)]
    games = [parse(text.encode(), "game") for text in texts]
    names = ("yaku_03_chankan", "abort_kaze4", "nagashi_mangan", "double_ron", "meld_daiminkan")
    games += [parse(kit.corpus_texts()[kit.games_with(n)[0]].encode(), n) for n in names]
    return tuple(convert.completed(game) for game in games)


@functools.cache
def texts(form: str) -> tuple[bytes, ...]:
    """The games in a form."""
    if form == "link":
        return tuple(tenhou_json_writer.links(record)[0].encode() for record in records())
    if form == "bare-mjai":
        return tuple(re.sub(rb'"ura_markers":[^]]*],', b"", text) for text in texts("mjai"))
    if form == "foreign-json":
        # Without a title of Tenhou's both settings of open tanyao are tried.
        title = '"disp":"玉の間"'.encode()
        return tuple(re.sub(rb'"disp":"[^"]*"', title, text) for text in texts("tenhou-json"))
    return tuple(convert.FORMS[form].dumps(record).encode() for record in records())


def verdict(data: bytes) -> str:
    """What is said about a record: the reason why it is refused, or "" when it was read."""
    try:
        tally = verify(parse(data, "game"))
    except (RecordError, NotRiichiError) as error:
        return str(error)
    json.dumps([mismatch.to_dict() for mismatch in tally.mismatches], allow_nan=False)
    return ""


@pytest.mark.parametrize("form", FORMS)
def test_every_damaged_record_gets_a_verdict(form: str) -> None:
    originals = texts(form)
    assert {verdict(data) for data in originals} == {""}
    refused = read = 0
    end = time.monotonic() + SECONDS
    for number in itertools.count():
        if time.monotonic() > end and number > 20:
            break
        data = fuzz_kit.damaged(originals[number % len(originals)], f"{form} {number}")
        before = time.process_time()
        try:
            why = verdict(data)
        except Exception as error:
            raise AssertionError(f"{form} {number}: {error!r}") from error
        assert time.process_time() - before < SLOWEST, f"{form} {number}"
        assert "\n" not in why, f"{form} {number}: {why}"
        assert len(why) < 600, f"{form} {number}: {why}"
        refused += bool(why)
        read += not why
    print(f"{form}: {refused} refused, {read} read")
    assert refused
