"""Shared set-up: `import paths` works in every test, hypothesis prints how to repeat a failure."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent))

settings.register_profile("local", deadline=None, print_blob=True, max_examples=100)
settings.register_profile("ci", parent=settings.get_profile("local"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") == "true" else "local")

AT_THE_EDGE = ("terminal", "test_show.py", "test_mjai_pipe.py", "test_bot_command.py")
"""Tests that drive a terminal or other processes: a busy machine can be too slow for them, so
such a test is tried again before it counts as failed."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let the tests at the edge be tried again; `-p no:rerunfailures` tries them once."""
    if not config.pluginmanager.hasplugin("rerunfailures"):
        return
    for item in items:
        if any(part in item.nodeid for part in AT_THE_EDGE):
            item.add_marker(pytest.mark.flaky(reruns=2))
