"""The example of the README runs."""

from __future__ import annotations

import doctest

import paths


def test_the_example_runs() -> None:
    readme = paths.CHECKOUT / "replays" / "README.md"
    failed, tried = doctest.testfile(str(readme), module_relative=False)
    assert tried > 8
    assert failed == 0
