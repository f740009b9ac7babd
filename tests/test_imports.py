"""The house's arrows point down: who may import whom, read from the sources themselves."""

from __future__ import annotations

import ast
import graphlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import paths

PACKAGES = {
    name: paths.CHECKOUT / folder / name
    for folder, name in (
        ("engine", "jantaku_engine"),
        ("replays", "jantaku_replays"),
        ("server", "jantaku_server"),
        ("clients", "jantaku_clients"),
    )
}

MAY_IMPORT = {
    "jantaku_engine": set(),
    "jantaku_replays": {"jantaku_engine"},
    "jantaku_server": {"jantaku_engine", "jantaku_replays"},
    "jantaku_clients": {"jantaku_engine", "jantaku_replays"},
}
"""Packages of the house that each may import, besides itself."""

SHARED = "jantaku_server.wire"
"""The schema that a server and its clients share."""

STARTS_THE_SERVER = {
    "jantaku_clients.cli",
    "jantaku_clients.games_command",
    "jantaku_clients.serve_command",
}
"""Modules of clients that may import the server, and only inside a function."""

PURE = frozenset(
    (
        *(
            "__future__",
            "abc",
            "array",
            "base64",
            "bisect",
            "collections",
            "dataclasses",
            "difflib",
            "enum",
        ),
        *("fractions", "functools", "hashlib", "heapq", "hmac", "itertools", "math", "operator"),
        *("re", "string", "struct", "tomllib", "types", "typing", "zlib"),
    )
)
"""The standard modules that the engine may use: none knows a clock, a file or chance."""

IMPURE_BUILTINS = {"open", "print", "input", "exec", "eval", "compile", "__import__", "breakpoint"}

FLOORS: tuple[frozenset[str], ...] = tuple(
    frozenset(floor.split())
    for floor in (
        "tiles options",
        "options_play options_value presets rules melds shape_tables",
        "shapes wall payments",
        "yaku actions events mjai fu furiten readings",
        "hand win",
        "table settle",
        "draws menu",
        "kyoku view",
        "match",
    )
)
"""Modules of the engine from the ground up; a module imports its own floor and those below."""


def sources(package: str) -> list[Path]:
    return sorted(PACKAGES[package].rglob("*.py"))


def module_name(path: Path) -> str:
    package = next(p for p, folder in PACKAGES.items() if path.is_relative_to(folder))
    parts = path.relative_to(PACKAGES[package].parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def is_later(node: ast.AST) -> bool:
    """What does not run when the module is loaded: functions, and imports for types only."""
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)


def imports(path: Path) -> Iterator[tuple[str, bool]]:
    """Full name of each module that a file imports, and whether loading the file loads it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inside = {id(node) for later in ast.walk(tree) if is_later(later) for node in ast.walk(later)}
    here = module_name(path).split(".")
    if path.name != "__init__.py":
        here.pop()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, id(node) not in inside
        elif isinstance(node, ast.ImportFrom):
            base = here[: len(here) - node.level + 1] if node.level else []
            module = ".".join([*base, *filter(None, [node.module])])
            for alias in node.names:
                yield f"{module}.{alias.name}", id(node) not in inside


def engine_module(name: str) -> str | None:
    """The floor entry of an imported name: `jantaku_engine.tiles.KIND` is `tiles`."""
    parts = name.split(".")
    return parts[1] if parts[0] == "jantaku_engine" and len(parts) > 1 else None


def floor_of(module: str) -> int:
    for number, floor in enumerate(FLOORS):
        if module in floor:
            return number
    pytest.fail(f"engine module {module} stands on no floor: give it one in FLOORS")


ENGINE = [
    pytest.param(path, id=module_name(path))
    for path in sources("jantaku_engine")
    if module_name(path) != "jantaku_engine"
]
EVERYTHING = [
    pytest.param(package, path, id=module_name(path))
    for package in PACKAGES
    for path in sources(package)
]


@pytest.mark.parametrize(("package", "path"), EVERYTHING)
def test_packages_import_only_those_below(package: str, path: Path) -> None:
    for name, at_top in imports(path):
        root = name.split(".")[0]
        if root not in PACKAGES or root == package or root in MAY_IMPORT[package]:
            continue
        if package == "jantaku_clients" and (name + ".").startswith(SHARED + "."):
            continue
        lazy = root == "jantaku_server" and module_name(path) in STARTS_THE_SERVER and not at_top
        assert lazy, f"{module_name(path)} imports {name}"


@pytest.mark.parametrize("path", ENGINE)
def test_engine_imports_only_pure_standard_modules(path: Path) -> None:
    for name, _ in imports(path):
        root = name.split(".")[0]
        assert root == "jantaku_engine" or root in PURE, f"{module_name(path)} imports {name}"


@pytest.mark.parametrize("path", ENGINE)
def test_engine_calls_nothing_that_touches_the_world(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    called = {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not called & IMPURE_BUILTINS


@pytest.mark.parametrize("path", ENGINE)
def test_engine_modules_import_their_own_floor_and_those_below(path: Path) -> None:
    module = engine_module(module_name(path))
    assert module is not None
    floor = floor_of(module)
    for name, at_top in imports(path):
        imported = engine_module(name)
        if imported is not None:
            assert floor_of(imported) <= floor, f"{module} imports {imported}"
            assert at_top, f"{module} hides the import of {imported} in a function"


def test_no_engine_module_imports_itself_in_a_circle() -> None:
    modules = {module_name(path) for path in sources("jantaku_engine")}
    graph: dict[str, set[str]] = {}
    for path in sources("jantaku_engine"):
        # `from . import events` and `from .events import Event` both depend on `events`.
        targets = {
            name if name in modules else name.rpartition(".")[0] for name, _ in imports(path)
        }
        graph[module_name(path)] = (targets & modules) - {"jantaku_engine"}
    assert list(graphlib.TopologicalSorter(graph).static_order())


def test_no_module_stands_on_two_floors() -> None:
    named = [module for floor in FLOORS for module in floor]
    assert len(named) == len(set(named))


def test_loading_the_engine_loads_no_loop_log_socket_thread_or_chance() -> None:
    modules = ", ".join(module_name(path) for path in sources("jantaku_engine"))
    code = f"import sys; old = set(sys.modules); import {modules}; print(*set(sys.modules) - old)"
    loaded = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(paths.CHECKOUT / "engine")},
    ).stdout.split()
    for name in ("asyncio", "logging", "random", "secrets", "socket", "sqlite3", "threading"):
        assert name not in loaded
    houses = {name.split(".")[0] for name in loaded if name.startswith("jantaku_")}
    assert houses == {"jantaku_engine"}
