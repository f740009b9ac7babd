"""`import server_kit` works in every test of the server; fixtures that most of them use."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from server_kit import World


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A lobby without sockets, disk or time."""
    return World(tmp_path)
