"""What the Makefile's targets do for a newcomer."""

from __future__ import annotations

import shutil
import subprocess

import pytest

import paths


def steps(*target: str) -> str:
    """The commands of a target with variables, as if nothing were there yet."""
    make = shutil.which("make")
    if make is None:
        pytest.skip("make is not installed")
    words = [make, "--dry-run", "--always-make", "--no-print-directory", *target]
    done = subprocess.run(words, cwd=paths.CHECKOUT, capture_output=True, text=True, check=True)
    return done.stdout


def test_the_server_starts_without_what_only_developers_need() -> None:
    assert "jantaku serve" in steps("serve")
    assert "--group dev" not in steps("serve")


def test_the_server_can_be_opened_to_other_machines() -> None:
    assert "jantaku serve --demo\n" in steps("serve")
    assert "jantaku serve --demo --host 0.0.0.0 --port 80\n" in steps(
        "serve", "HOST=0.0.0.0", "PORT=80"
    )


def test_clean_removes_what_the_installation_left_beside_the_sources() -> None:
    removed = steps("clean").split()
    for made in (".venv", ".venv-compiled", "build", "*.egg-info"):
        assert made in removed


def test_the_environment_of_developers_runs_the_server_too() -> None:
    assert "--editable ." in steps("venv")
    assert "--group dev" in steps("venv")
