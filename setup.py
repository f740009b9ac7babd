"""Build step: compile what is hot and pure with mypyc where a C compiler is there.

Everything else about the distribution stands in pyproject.toml. No compiled file can stand
before an edited source: only a wheel is compiled, never a checkout in its place (an editable
install, `build_ext --inplace`), and each build has a folder of its own, so that nothing of an
older build gets into it. `JANTAKU_COMPILE=0` builds plain Python anywhere.
"""

import os
import sys
import tempfile
from pathlib import Path

from setuptools import setup

FOLDERS = ("engine/jantaku_engine", "server/jantaku_server", "replays/jantaku_replays")
"""Packages of which something is compiled."""

SERVER = (
    *("audience", "clock", "frames", "game", "limits", "lines", "seats"),
    *("session", "spectators", "table", "tally", "wire"),
)
"""The modules of the server that every move goes through."""

REPLAYS = (
    *("drive", "rebuilt", "tenhou_codes", "tenhou_hand", "tenhou_wall", "tenhou_xml"),
    *("verify", "xml_elements"),
)
"""The modules of the records that every event of a Tenhou XML game goes through. What reads JSON
stays Python: there any value may have any type."""

PLAIN = ("rules", "presets", "options", "options_play", "options_value", "mjai", "wall")
"""Modules of the engine that stay Python: they take whatever a user wrote and say what is wrong
with it, where compiled code would refuse a value of another type before they see it."""


def wants_compiling() -> bool:
    """Whether this build may compile: that of a wheel, with a compiler that works."""
    if os.environ.get("JANTAKU_COMPILE") == "0" or "bdist_wheel" not in sys.argv:
        return False
    return has_compiler()


def has_compiler() -> bool:
    """Try the compiler, and the headers of Python, on one line of C."""
    from setuptools._distutils.ccompiler import new_compiler
    from setuptools._distutils.errors import CompileError, DistutilsError
    from setuptools._distutils.sysconfig import customize_compiler, get_python_inc

    compiler = new_compiler()
    try:
        customize_compiler(compiler)
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "probe.c")
            source.write_text("#include <Python.h>\nint probe(void) { return 0; }\n")
            compiler.compile([str(source)], folder, include_dirs=[get_python_inc()])
    except (CompileError, DistutilsError, OSError) as error:
        print(f"jantaku: no C compiler ({error}): the engine will run as plain Python")
        return False
    return True


def sources() -> list[Path]:
    """What is compiled."""
    engine = [path for path in Path(FOLDERS[0]).rglob("*.py") if path.stem not in PLAIN]
    server = [Path(FOLDERS[1], f"{name}.py") for name in SERVER]
    replays = [Path(FOLDERS[2], f"{name}.py") for name in REPLAYS]
    return sorted(engine) + server + replays


def extensions(folder: str) -> list:
    """The modules as extensions, their C in the folder."""
    from mypyc.build import mypycify

    os.environ["MYPYPATH"] = "engine:replays:server"
    options = ["--ignore-missing-imports", "--explicit-package-bases", "--config-file="]
    words = [*options, *map(str, sources())]
    return mypycify(words, opt_level="3", debug_level="0", verbose=False, target_dir=folder)


with tempfile.TemporaryDirectory() as place:
    setup(
        ext_modules=extensions(place) if wants_compiling() else [],
        options={"build": {"build_base": place}},
    )
