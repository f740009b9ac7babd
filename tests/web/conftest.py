"""One browser and one server for each module of the web client's tests.

Not for the whole session: while Playwright runs, no other test could run an event loop.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import browser as kit


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with kit.running_browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def url(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with kit.running_server(tmp_path_factory.mktemp("data")) as address:
        yield address


@pytest.fixture
def visit(chromium: Any) -> Iterator[Callable[..., kit.Watched]]:
    """Opens watched pages; at the end none of them may have complained in its console."""
    opened: list[kit.Watched] = []

    def open_one(**options: Any) -> kit.Watched:
        watched = kit.Watched(chromium, **options)
        opened.append(watched)
        return watched

    yield open_one
    for watched in opened:
        watched.close()
