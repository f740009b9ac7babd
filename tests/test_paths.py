"""The tests' own helper: missing data skips alone and fails in CI."""

from __future__ import annotations

from pathlib import Path

import pytest

import paths


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("JANTAKU_CORPUS", str(tmp_path))
    monkeypatch.delenv("CI", raising=False)
    return tmp_path


def test_missing_data_skips_with_one_line_that_says_where_it_was_sought(nowhere: Path) -> None:
    with pytest.raises(pytest.skip.Exception) as skipped:
        paths.corpus_zip()
    assert str(skipped.value) == (
        f"tenhou-games.zip is not in {nowhere}: set JANTAKU_CORPUS to the folder that has it"
    )


def test_missing_data_fails_in_ci(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="is not in"):
        paths.corpus_zip()


def test_data_is_found_where_the_variable_says(nowhere: Path) -> None:
    (nowhere / "tenhou-games.zip").touch()
    assert paths.corpus_zip() == nowhere / "tenhou-games.zip"


def test_data_lies_beside_the_checkout_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JANTAKU_CASES", raising=False)
    assert paths.folder("cases") == paths.CHECKOUT.parent / "shared" / "cases"
