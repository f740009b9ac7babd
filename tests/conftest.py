"""Shared set-up: `import paths` works in every test, hypothesis prints how to repeat a failure."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent))

import paths

settings.register_profile("local", deadline=None, print_blob=True, max_examples=100)
settings.register_profile("ci", parent=settings.get_profile("local"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") == "true" else "local")


def pytest_configure() -> None:
    """No test may run a compiled file in place of an edited source."""
    if files := paths.compiled_files(paths.CHECKOUT):
        raise pytest.UsageError(f"remove what was compiled beside its source: {files[0]} ...")
