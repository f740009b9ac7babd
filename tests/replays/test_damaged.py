"""Damaged records: whatever is changed, there is a verdict and never another error."""

from __future__ import annotations

import json
import random
import re

import pytest
import record_kit as kit

from jantaku_engine.rules import Ruleset
from jantaku_replays import native
from jantaku_replays.files import parse
from jantaku_replays.record import NotRiichiError, RecordError
from jantaku_replays.verify import verify

ROUNDS = 150


def damage(text: str, chance: random.Random) -> str:
    """Move, repeat or drop a part, or change a number or a few characters."""
    parts = re.findall(r"<[^>]*>\s*|[^\n]*\n", text)
    way = chance.randrange(6)
    if way < 3 and len(parts) > 1:
        here, there = chance.randrange(len(parts)), chance.randrange(len(parts))
        if way == 0:
            del parts[here]
        elif way == 1:
            parts[here], parts[there] = parts[there], parts[here]
        else:
            parts.insert(here, parts[there])
        return "".join(parts)
    numbers = list(re.finditer(r"\d+", text))
    if way < 5 and numbers:
        number = chance.choice(numbers)
        value = chance.choice([chance.randrange(136), chance.randrange(65536), -1, 0, 3])
        return f"{text[: number.start()]}{value}{text[number.end() :]}"
    place = chance.randrange(len(text) + 1)
    noise = chance.choice(["", "x", '"', "<", "\x00", "}", "[", "NaN", "é"])
    return text[:place] + noise + text[place + chance.randrange(3) :]


@pytest.mark.parametrize("form", ["tiny", "tenhou", "native"])
def test_a_damaged_record_gets_a_verdict(form: str) -> None:
    if form == "tenhou":
        text = kit.corpus_texts()[kit.games_with("abort_kan4")[0]]
    elif form == "native":
        text = native.dumps(kit.play(Ruleset(length="tonpuu"), 2).events)
    else:
        text = kit.TINY
    lines: list[str] = []
    verdicts = {"read": 0, "refused": 0}
    for seed in range(ROUNDS):
        chance = random.Random(f"{form} {seed}")
        damaged = text
        for _ in range(chance.randrange(1, 4)):
            damaged = damage(damaged, chance)
        print(f"{form}, seed {seed}")
        try:
            tally = verify(parse(damaged.encode(), "game"))
        except (RecordError, NotRiichiError) as error:
            verdicts["refused"] += 1
            lines.append(str(error))
        else:
            verdicts["read"] += 1
            json.dumps([mismatch.to_dict() for mismatch in tally.mismatches], allow_nan=False)
    assert [line for line in lines if "\n" in line or len(line) > 400] == []
    assert min(verdicts.values()) > 10
