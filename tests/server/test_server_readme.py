"""The example of server/README.md runs."""

from __future__ import annotations

import subprocess
import sys

from app_kit import ENVIRONMENT

import paths


def test_the_example_of_the_readme_runs() -> None:
    readme = paths.CHECKOUT / "server" / "README.md"
    run = subprocess.run(
        [sys.executable, "-m", "doctest", "-v", str(readme)],
        capture_output=True,
        text=True,
        timeout=60,
        env=ENVIRONMENT,
    )
    assert run.returncode == 0, run.stdout
    assert "Test passed." in run.stdout
    assert run.stderr == "", "not a warning in the log"
