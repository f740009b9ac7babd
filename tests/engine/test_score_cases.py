"""Every hand of the scoring cases, with every key of its expected result."""

from __future__ import annotations

from typing import Any

import pytest

import paths
from jantaku_clients.score_form import read_question, write_answer
from jantaku_engine.win import evaluate


def cases() -> list[Any]:
    try:
        return [pytest.param(case, id=case["id"]) for case in paths.score_cases()]
    except pytest.skip.Exception as skipped:
        return [pytest.param({}, id="no-cases", marks=pytest.mark.skip(reason=str(skipped)))]


@pytest.mark.parametrize("case", cases())
def test_case(case: dict[str, Any]) -> None:
    win, rules = read_question(case)
    answer = write_answer(win, evaluate(win, rules))
    expected = case["expect"]
    assert {key: answer.get(key) for key in expected} == expected, case["why"]
    if not expected["win"]:
        assert answer["reason"] in ("not_complete", "no_yaku", "below_minimum")
    elif "fu" not in expected:
        assert "fu" not in answer
