"""What is measured of the server: each part returns rows of the table.

The server has one core to itself and the clients another; the bare server that is the ceiling
is measured in the same way, in turns with ours.
"""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
from statistics import median

from environments import clean_environment, say
from table import Row, bounded, figure, paired

from bench import MEASURE, Failed, Neighbours, pinned

STARTED = re.compile(r"Jantaku is at http://127\.0\.0\.1:(\d+)")


def ceiling(bench):
    """50 tables of four clients that answer at once, beside a server that only passes moves on."""
    rows = []
    for clients, extra, turns in (("bare", (), 5), ("websockets", ("--library",), 3)):
        found = {"raw": [], "msgpack": [], "json": []}
        neighbours = Neighbours()
        for turn in range(bench.size(turns, 1)):
            for fmt in found:
                seconds = ("--warm", bench.size(3, 1), "--seconds", bench.size(8, 2))
                result = load(bench, fmt, "--tables", 50, *seconds, *extra)
                found[fmt].append(result)
                say(
                    f"  {turn + 1} {clients} {fmt:>8}: {result['rate']:>7,.0f}/s, cores: server "
                    f"{result['server_cpu']:.2f}, clients {result['client_cpu']:.2f}"
                )
        bench.measured[f"ceiling_{clients}"] = found
        rows += neighbours.mark(ceiling_rows(clients, found))
    return rows


def ceiling_rows(clients, found):
    def rates(fmt, key="rate"):
        return [result[key] for result in found[fmt]]

    def busy(fmt):
        server = median([result["server_cpu"] for result in found[fmt]])
        client = median([result["client_cpu"] for result in found[fmt]])
        return f"{fmt} {server:.0%} and {client:.0%}"

    note = f"busy cores of server and clients: {', '.join(map(busy, found))}"
    raw = rates("raw")
    whole = clients == "bare"
    what = "server, 50 tables, {} : bare broadcast" + ("" if whole else ", websockets clients")
    rows = [
        paired(what.format("msgpack"), rates("msgpack"), raw, 0.6, " moves/s", note),
        paired(what.format("JSON"), rates("json"), raw, 0.5, " moves/s"),
    ]
    if whole:
        shown = rates("msgpack", "shown_rate")
        rows.append(paired("  msgpack moves that are no passes", shown, raw, unit=" moves/s"))
    for fmt in ("msgpack", "json"):
        what = f"  {fmt} by CPU seconds of the server"
        rows.append(paired(what, by_cpu(found[fmt]), by_cpu(found["raw"]), unit=" moves/s"))
    return rows


def by_cpu(results):
    """Moves a second of the server's CPU: what other processes take does not come into it."""
    return [result["rate"] / result["server_cpu"] for result in results]


def steady(bench):
    """1,000 tables at a walking pace: what an answer waits for."""
    tables = bench.size(1_000, 20)
    seconds = ("--warm", bench.size(10, 2), "--seconds", bench.size(60, 3))
    rows = []
    for pace, think in ((1, 1.0), (4, 0.25)):
        neighbours = Neighbours()
        result = load(bench, "msgpack", "--tables", tables, "--think", think, *seconds)
        bench.measured[f"steady_{pace}"] = result
        server, client = result["server_ms"], result["client_ms"]
        lost = int(result["dropped"] + result["timeouts"])
        say(f"  {pace} a second: server {server}, clients {client}, lost {lost}")
        row = bounded(
            f"server, {tables:,} tables, {pace} move{'s' * (pace > 1)}/s each: p99 of an answer",
            [server["p99"]],
            25,
            "ms",
            f"{result['rate']:,.0f} moves/s, server busy {result['server_cpu']:.0%}, within 25 ms "
            f"{result['within_25_ms']:.2%}, dropped {lost}; seen by the clients from send to "
            f"`accepted`: p50 {client['p50']:.1f}, p99 {client['p99']:.1f} ms",
        )
        row.low = row.high = None
        row.met = bool(result["within_25_ms"] >= 0.99 and not lost)
        neighbours.mark([row])
        if pace > 1:
            row.asked, row.met, row.noisy = "", None, False
        rows.append(row)
    return rows


def memory(bench):
    """What a table in the middle of its match takes, with its four connections."""
    few, many, events = bench.size((100, 500, 600), (5, 15, 100))
    result = load(bench, "msgpack", "--tables", f"{few},{many}", "--until", events)
    bench.measured["memory"] = result
    steps = result["steps"]
    kib = result["kib_per_table"]
    say(f"  {steps}: {kib:.0f} KiB a table")
    return [
        Row(
            f"server memory of a table at event {events}, four connections",
            f"{figure(kib)} KiB",
            asked="<= 200 KiB",
            met=kib <= 200,
            note=", ".join(f"{size:,} KiB with {tables} tables" for tables, size in steps),
        )
    ]


# ---------------------------------------------------------------------- two processes


def load(bench, fmt, *arguments):
    """Start a server, let the clients play, and stop it; what the clients tell."""
    server_core, client_core = two_cores()
    start = raw_server if fmt == "raw" else jantaku_server
    with start(bench, server_core) as (process, port), pinned(client_core):
        script = bench.script(
            "plain",
            "server_load.py",
            (port, "--pid", process.pid, "--format", fmt, *arguments),
        )
        return bench.measure(script)


def two_cores():
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        raise Failed("server and clients need a core each, and there is only one")
    return cores[:2]


@contextlib.contextmanager
def raw_server(bench, core):
    command = [bench.places.python("compiled"), str(MEASURE / "raw_server.py")]
    with started(command, core, bench.home) as process:
        yield process, int(process.stdout.readline())


@contextlib.contextmanager
def jantaku_server(bench, core):
    data = tempfile.mkdtemp(prefix="data-", dir=bench.home)
    command = [
        bench.places.command("compiled"),
        "serve",
        *("--port", "0", "--data", data, "--log-level", "warning"),
    ]
    try:
        with started(command, core, bench.home) as process:
            match = STARTED.search(process.stdout.readline())
            if match is None:
                raise Failed("jantaku serve did not start")
            yield process, int(match[1])
    finally:
        shutil.rmtree(data, ignore_errors=True)


@contextlib.contextmanager
def started(command, core, home):
    with open(home / "server.log", "w") as log, pinned(core):
        process = subprocess.Popen(
            command,
            env=clean_environment(),
            cwd=home,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()
