"""Places to measure in: Jantaku compiled, Jantaku plain, and the peers, each in its own venv.

The sources are copied before they are built, so that no build folder of the checkout and no file
that was compiled before can take part. A place is made anew when what it was made from changes.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
SOURCES = ("engine", "replays", "server", "clients", "pyproject.toml", "setup.py")
TEXTS = ("README.md", "LICENSE")
PEERS = ("riichienv", "cmajiang", "mahjong", "jansou", "xiangting")


class Environments:
    """The venvs under one folder, usually `.bench` of the checkout."""

    def __init__(self, home):
        self.home = home

    def python(self, name):
        """The interpreter of a place: `compiled`, `plain` or `peers`."""
        return str(self.home / name / "bin" / "python")

    def command(self, name):
        """The command `jantaku` of a place."""
        return str(self.home / name / "bin" / "jantaku")

    def prepare(self, names):
        """Make the places that are missing or out of date."""
        self.home.mkdir(parents=True, exist_ok=True)
        for name in names:
            if name == "peers":
                self._make(name, " ".join((sys.version, *PEERS)), PEERS)
            else:
                self._make(name, source_hash(), None)

    def versions(self):
        """Version of each peer and of Jantaku, as installed."""
        code = "from importlib.metadata import version; import sys; print(version(sys.argv[1]))"
        found = {}
        for place, packages in (("peers", PEERS), ("compiled", ("jantaku", "websockets"))):
            for package in packages:
                if Path(self.python(place)).exists():
                    found[package] = _output([self.python(place), "-c", code, package])
        return found

    def _make(self, name, stamp, packages):
        place = self.home / name
        made = place / "made-from.txt"
        if made.exists() and made.read_text() == stamp:
            return
        say(f"making {place}")
        shutil.rmtree(place, ignore_errors=True)
        _run([sys.executable, "-m", "venv", str(place)])
        pip = [self.python(name), "-m", "pip", "install", "--quiet"]
        _run([*pip, "--upgrade", "pip>=25.1"])
        if packages is not None:
            _run([*pip, *packages])
        else:
            self._install_jantaku(name, pip)
        made.write_text(stamp)

    def _install_jantaku(self, name, pip):
        source = self.home / f"source-{name}"
        shutil.rmtree(source, ignore_errors=True)
        source.mkdir()
        for entry in (*SOURCES, *TEXTS):
            path = CHECKOUT / entry
            if path.is_dir():
                skip = shutil.ignore_patterns("__pycache__", "*.so", "*.egg-info")
                shutil.copytree(path, source / entry, ignore=skip)
            else:
                shutil.copy(path, source / entry)
        environment = dict(os.environ)
        environment.pop("JANTAKU_COMPILE", None)
        if name == "plain":
            environment["JANTAKU_COMPILE"] = "0"
        _run([*pip, str(source)], environment)
        shutil.rmtree(source)
        told = _output([self.command(name), "--version"])
        if (name == "compiled") != ("compiled" in told):
            raise SystemExit(f"{name}: `jantaku --version` says {told!r}")


def source_hash():
    """One number for everything that a build of Jantaku is made from."""
    digest = hashlib.sha256(sys.version.encode())
    for entry in SOURCES:
        path = CHECKOUT / entry
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in files:
            if file.is_file() and "__pycache__" not in file.parts and file.suffix != ".so":
                digest.update(str(file.relative_to(CHECKOUT)).encode() + b"\0")
                digest.update(file.read_bytes())
    return digest.hexdigest()


def say(text):
    print(text, file=sys.stderr, flush=True)


def clean_environment():
    """The environment of a measurement: nothing of Python or Jantaku from outside."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "JANTAKU_", "VIRTUAL_ENV"))
    }


def _run(command, environment=None):
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout[-2000:]}{done.stderr[-4000:]}")


def _output(command):
    done = subprocess.run(
        command, env=clean_environment(), capture_output=True, text=True, cwd="/", check=True
    )
    return done.stdout.strip()
