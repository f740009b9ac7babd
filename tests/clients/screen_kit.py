"""A real terminal for tests: tmux runs a program, its screen is read, keys are pressed."""

from __future__ import annotations

import os
import re
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import paths

SECONDS = 120.0


def need_tmux() -> str:
    """The tmux program; without it the test skips, or fails in CI."""
    found = shutil.which("tmux")
    if found is None:
        line = "tmux is not installed: the terminal client is not tested in a real terminal"
        if os.environ.get("CI") == "true":
            pytest.fail(line, pytrace=False)
        pytest.skip(line)
    return found


def environment() -> dict[str, str]:
    """An environment in which `python -m jantaku_clients.cli` runs these sources."""
    # A run of the installed packages has no source folder on its path, and gives none on.
    folders = [folder for folder in sys.path if folder.startswith(str(paths.CHECKOUT))]
    # A library that read a line here may have left the size of another terminal behind.
    not_ours = ("NO_COLOR", "TMUX", "FORCE_COLOR", "COLUMNS", "LINES")
    kept = {k: v for k, v in os.environ.items() if k not in not_ours}
    return {**kept, "PYTHONPATH": os.pathsep.join(folders), "LC_ALL": "C.UTF-8"}


class Screen:
    """One program in a tmux of its own, which ends with the test."""

    def __init__(self, folder: Path, *arguments: str, size: tuple[int, int] = (90, 30)) -> None:
        self._tmux = [need_tmux(), "-S", str(folder / "tmux"), "-f", os.devnull]
        self._fifo = folder / "screen"
        os.mkfifo(self._fifo)
        self._changes = os.open(self._fifo, os.O_RDWR | os.O_NONBLOCK)
        words = [sys.executable, "-m", "jantaku_clients.cli", *arguments]
        command = " ".join(f"'{word}'" for word in words)
        # A shell starts the program when its output is watched, and tells how it ended.
        self._run("new-session", "-d", "-x", str(size[0]), "-y", str(size[1]), "sh")
        self._run("pipe-pane", "-o", f"exec cat > '{self._fifo}'")
        self.type(f"{command}; echo ended $?", "Enter")

    def _run(self, *words: str) -> str:
        done = subprocess.run(
            [*self._tmux, *words], capture_output=True, text=True, env=environment(), check=True
        )
        return done.stdout

    def text(self, history: bool = False) -> str:
        """What the screen shows."""
        return self._run("capture-pane", "-p", *(["-S", "-200"] if history else []))

    def type(self, *keys: str) -> None:
        """Press keys, by tmux's names."""
        self._run("send-keys", *keys)

    def resize(self, width: int, height: int) -> None:
        """Change the window's size."""
        self._run("resize-window", "-x", str(width), "-y", str(height))

    def until(self, what: str | Callable[[str], object], seconds: float = SECONDS) -> str:
        """Wait until the screen matches; what it shows then."""
        deadline = time.monotonic() + seconds
        while True:
            shown = self.text()
            if re.search(what, shown) if isinstance(what, str) else what(shown):
                return shown
            if time.monotonic() > deadline:
                pytest.fail(f"the screen never showed {what!r}:\n{shown}")
            self.wait_for_change(1.0)

    def end(self) -> tuple[int, str]:
        """Wait until the program has ended; its exit status, and what the screen shows then."""
        # Not at the beginning of a line: a shell that starts slowly finds its command typed
        # already, and what the program leaves behind is the prompt.
        shown = self.until(r"ended \d+")
        found = re.search(r"ended (\d+)", shown)
        assert found
        return int(found[1]), shown[: found.start()]

    def wait_for_change(self, seconds: float) -> None:
        """Wait until the program writes something."""
        if select.select([self._changes], [], [], seconds)[0]:
            os.read(self._changes, 1 << 20)

    def close(self) -> None:
        """End the program and the terminal."""
        subprocess.run([*self._tmux, "kill-server"], capture_output=True, check=False)
        os.close(self._changes)


class Server:
    """`jantaku serve` as a process of its own, which can be killed and started again."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self.port = 0
        self.start()

    def start(self) -> None:
        """Start it, again on the port that it had."""
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-m", "jantaku_clients.cli", "serve"),
                *("--port", str(self.port), "--data", str(self._data), "--log-level", "error"),
            ],
            stdout=subprocess.PIPE,
            text=True,
            env=environment(),
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        found = re.search(r":(\d+)$", line.strip())
        assert found, f"the server said {line!r}"
        self.port = int(found[1])

    def kill(self) -> None:
        """End it without a warning."""
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()
