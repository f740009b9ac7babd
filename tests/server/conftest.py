"""`import server_kit` works in every test of the server; fixtures that most of them use."""

from __future__ import annotations

import os
import random
import secrets
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from server_kit import World

from jantaku_server import lobby


@pytest.fixture(autouse=True)
def _same_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """The walls and the house bots of a test are the same in each run, and others with SEED=N."""
    seed = int(os.environ.get("SEED", "0"))
    print(f"SEED={seed}")
    rng = random.Random(seed)
    chances = SimpleNamespace(
        token_bytes=rng.randbytes,
        randbits=rng.getrandbits,
        token_hex=secrets.token_hex,
    )
    monkeypatch.setattr(lobby, "secrets", chances)


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A lobby without sockets, disk or time."""
    return World(tmp_path)
