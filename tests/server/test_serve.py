"""`jantaku serve` as a process: what it prints, how it stops, and what it cannot do."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
from pathlib import Path

import pytest
from app_kit import COMMAND, ENVIRONMENT, ask, receive, served
from websockets.asyncio.client import connect

from jantaku_clients.cli import build_parser, main
from jantaku_server.settings import read_settings


def refused(*arguments: str, **environment: str) -> tuple[int, str]:
    """Exit status and error line of a server that cannot start."""
    run = subprocess.run(
        [*COMMAND, "serve", *arguments],
        capture_output=True,
        text=True,
        timeout=30,
        env={**ENVIRONMENT, **environment},
    )
    assert run.stdout == ""
    lines = [line for line in run.stderr.splitlines() if not line.startswith("{")]
    assert len(lines) == 1, run.stderr
    return run.returncode, lines[0]


@pytest.mark.parametrize(
    ("words", "demo"), [([], True), (["--demo"], True), (["--no-demo"], False)]
)
def test_a_flag_takes_back_what_the_environment_or_the_file_switched_on(
    words: list[str], demo: bool
) -> None:
    flags = {"demo": build_parser().parse_args(["serve", *words]).demo}
    assert read_settings(flags, {"JANTAKU_DEMO": "1"}).demo == demo
    assert read_settings(flags, {}, "demo = true").demo == demo


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
async def test_it_says_what_to_do_next_and_stops_with_every_table_kept(
    tmp_path: Path, how: signal.Signals
) -> None:
    async with served(tmp_path, "--demo") as server:
        text = "\n".join(server.lines)
        for hint in (
            f"open {server.address} in a browser",
            f"jantaku play {server.address}",
            f"jantaku bot {server.address} --bot greedy",
            f'jantaku bot {server.address} --exec "COMMAND {{seat}}"',
            f"jantaku games --data {tmp_path}",
            "other machines: cannot get in; jantaku serve --host 0.0.0.0 lets them",
            "Ctrl-C",
        ):
            assert hint in text
        async with connect(server.websocket) as client:
            await ask(client, "hello", "welcome", protocol=1)
            made = await ask(client, "create", "created", seats=["open", *["bot:greedy"] * 3])
            seat = await ask(client, "join", "joined", table=made["table"], name="x")
            request = await receive(client, "request")
            assert await server.stop(how) == 0
            assert (await receive(client, "error"))["code"] == "going_down"
    assert server.log[-1] == "stopped; every table is kept"
    entries = [json.loads(line) for line in server.log[:-1]]
    assert entries[0]["event"] == "server started"
    assert entries[-1]["event"] == "server stopped"
    assert {entry["level"] for entry in entries} == {"info"}
    assert not any(
        secret in line for secret in (seat["token"], made["owner"]) for line in server.log
    )
    async with served(tmp_path) as again, connect(again.websocket) as client:
        await ask(client, "hello", "welcome", protocol=1)
        await ask(client, "resume", "resumed", token=seat["token"])
        same = await receive(client, "request")
        assert (same["id"], same["menu"]) == (request["id"], request["menu"])


async def test_listening_everywhere_it_prints_an_address_for_other_machines(tmp_path: Path) -> None:
    async with served(tmp_path, "--host", "0.0.0.0") as server:
        (line,) = (line for line in server.lines if "other machines" in line)
        address = line.rsplit(" ", 1)[1]
        assert address.startswith("http://")
        assert "0.0.0.0" not in address
        host, _, port = address.removeprefix("http://").rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(f"GET / HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        assert (await asyncio.wait_for(reader.read(), 20)).startswith(b"HTTP/1.1 200")
        writer.close()
        assert await server.stop() == 0


async def test_the_page_in_a_browser_and_an_ipv6_address(tmp_path: Path) -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError as error:
        pytest.skip(f"this machine has no IPv6: {error}")
    async with served(tmp_path, "--host", "::1", "--log-level", "warning") as server:
        assert server.address.startswith("http://[::1]:")
        port = int(server.address.rsplit(":", 1)[1])
        reader, writer = await asyncio.open_connection("::1", port)
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        page = await asyncio.wait_for(reader.read(), 20)
        writer.close()
        assert page.startswith(b"HTTP/1.1 200")
        assert b"text/html" in page
        assert await server.stop() == 0
    assert server.log == ["stopped; every table is kept"], "the log level is respected"


async def test_a_taken_port_and_a_taken_folder_are_one_line_and_status_1(tmp_path: Path) -> None:
    async with served(tmp_path / "a") as server:
        port = server.address.rsplit(":", 1)[1]
        status, line = await asyncio.to_thread(
            refused, "--port", port, "--data", str(tmp_path / "b")
        )
        assert status == 1
        assert line.startswith(f"jantaku serve: 127.0.0.1:{port}: cannot listen there (")
        status, line = await asyncio.to_thread(
            refused, "--port", "0", "--data", str(tmp_path / "a")
        )
        assert status == 1
        assert "another server uses this folder" in line
        assert await server.stop() == 0


def test_a_setting_that_cannot_be_is_one_line_and_status_2(tmp_path: Path) -> None:
    config = tmp_path / "server.toml"
    config.write_text("prot = 1")
    assert refused("--config", str(config)) == (
        2,
        f"jantaku serve: {config}: no setting 'prot'; there are host, port, data, rules, demo, "
        "log_level, log_format, max_tables, max_connections, origins, metrics_token",
    )


@pytest.mark.parametrize(
    ("arguments", "environment", "says"),
    [
        (["--port", "70000"], {}, "--port: port must be a whole number from 0 to 65535"),
        (["--port", "x"], {}, "--port: invalid int value"),
        (["--speed"], {}, "--speed"),
        (["--rules", "nobody"], {}, "nobody"),
        (["--config", "no/such.toml"], {}, "no/such.toml: cannot be read"),
        ([], {"JANTAKU_PROT": "1"}, "JANTAKU_PROT: no setting 'prot'"),
        ([], {"JANTAKU_LOG_LEVEL": "loud"}, "JANTAKU_LOG_LEVEL: log_level must be debug"),
    ],
)
def test_other_bad_usage_too(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    environment: dict[str, str],
    says: str,
) -> None:
    for name in [name for name in os.environ if name.startswith("JANTAKU_")]:
        monkeypatch.delenv(name)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert main(["serve", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert says in said.err
