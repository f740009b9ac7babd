"""Clients for a server: tables of four connections that answer whatever they are asked.

    server_load.py PORT --pid SERVER --tables N --format raw|msgpack|json [--library]
        [--think SECONDS] [--warm SECONDS] [--seconds SECONDS]
    server_load.py PORT --pid SERVER --tables N,M --format msgpack|json --until EVENTS

Each table's first connection creates it, all four join, and every request is answered with one
action of its menu, all with equal chance: at once, or `--think` seconds after it came. A match
that ends is played again. With `--until` there are first N tables, then M; each stops at that
event, and what the server's memory has grown by from N to M is told.
"""

import argparse
import json
import os
import re
import resource
from array import array
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from urllib.request import urlopen

import msgpack
import orjson
from lines import LibraryLoop, Loop

PATIENCE_S = 120.0
CLOCK = {"move": 600_000, "bank": 0, "first": 600_000, "grace": 600_000}
HEADS = (
    (b'{"type":"event"', b'{"type":"accepted"', b'{"type":"request"', 0),
    (b"\xa4type\xa5event", b"\xa4type\xa8accepted", b"\xa4type\xa7request", 1),
)
"""How the three frequent messages begin, and after how many bytes, in JSON and in msgpack."""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("--pid", type=int, required=True)
    parser.add_argument("--tables", type=numbers, required=True)
    parser.add_argument("--format", choices=("raw", "msgpack", "json"), required=True)
    parser.add_argument("--library", action="store_true")
    parser.add_argument("--think", type=float, default=0.0)
    parser.add_argument("--warm", type=float, default=3.0)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--until", type=int, default=0)
    options = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if 4 * options.tables[-1] + 50 > hard:
        raise SystemExit(f"{4 * options.tables[-1]} connections need more open files than {hard}")
    loop = LibraryLoop() if options.library else Loop()
    load = (RawLoad if options.format == "raw" else Load)(options, loop)
    result = (grow if options.until else press)(options, loop, load)
    loop.close()
    print(json.dumps(result))


def numbers(text):
    return [int(part) for part in text.split(",")]


def press(options, loop, load):
    """The rate and the times of a while of play."""
    idle = resident_kib(options.pid)
    (tables,) = options.tables
    load.connect(tables)
    if not loop.run(PATIENCE_S, load.has_begun):
        raise SystemExit(f"only {load.begun} of {tables} tables began")
    loop.run(options.warm)
    before = snapshot(options, load)
    loop.run(options.seconds)
    result = between(before, snapshot(options, load), load)
    kib = resident_kib(options.pid)
    return result | {"tables": tables, "kib_per_table": (kib - idle) / tables}


def grow(options, loop, load):
    """The memory that more tables in the middle of their match take."""
    steps = []
    for tables in options.tables:
        load.connect(tables)
        if not loop.run(10 * PATIENCE_S, load.has_stopped):
            raise SystemExit(f"only {load.stopped} of {tables} tables came so far")
        loop.run(1.0)
        steps.append((tables, resident_kib(options.pid)))
    (few, small), (many, large) = steps
    return {"steps": steps, "kib_per_table": (large - small) / (many - few)}


# ---------------------------------------------------------------------- the load


class Load:
    """Tables of Jantaku."""

    def __init__(self, options, loop):
        self.options = options
        self.loop = loop
        self.rng = Random(1)
        self.moves = 0
        self.shown = 0
        self.begun = 0
        self.stopped = 0
        self.games = 0
        self.waits = array("d")
        self.tables = []
        self.binary = options.format != "json"
        self.protocol = "" if options.format == "raw" else f"jantaku.v1.{options.format}"
        self._event, self._accepted, self._request, self._skip = HEADS[self.binary]

    def connect(self, tables):
        """Add tables until there are so many."""
        for number in range(len(self.tables), tables):
            table = self.seated(number)
            for line in table.lines:
                self.say(line, {"type": "hello", "protocol": 1})

    def seated(self, number):
        """A table with its four connections."""
        table = Table()
        self.tables.append(table)
        for seat in range(4):
            line = self.loop.open(self.options.port, self.path(number), self.protocol, self.take)
            line.table, line.seat, line.sent_at, line.heard = table, seat, 0.0, 0
            table.lines.append(line)
        return table

    def path(self, number):
        return "/ws"

    def has_begun(self):
        return self.begun == len(self.tables)

    def has_stopped(self):
        return self.stopped == len(self.tables)

    def say(self, line, message):
        line.send(self.encoded(message))

    def encoded(self, message):
        if self.binary:
            return msgpack.packb(message)
        return orjson.dumps(message).decode()

    def decoded(self, payload):
        return msgpack.unpackb(payload) if self.binary else orjson.loads(payload)

    def take(self, line, payload):
        """One message; a request is answered."""
        # The server counts the events; here they only have to be received.
        skip = self._skip
        if payload.startswith(self._event, skip):
            return
        if payload.startswith(self._accepted, skip):
            self.waits.append(perf_counter() - line.sent_at)
            self.moves += 1
            return
        message = self.decoded(payload)
        if payload.startswith(self._request, skip):
            self.asked(line, message)
        else:
            self.other(line, message)

    def asked(self, line, message):
        table = line.table
        think = self.options.think
        if not table.asked:
            table.asked = True
            self.begun += 1
            # Tables begin at their own moments, not in step.
            think *= self.rng.random()
        if self.options.until and message["id"] >= self.options.until:
            if not table.stopped:
                table.stopped = True
                self.stopped += 1
            return
        menu = message["menu"]
        index = int(self.rng.random() * len(menu))
        self.shown += menu[index]["type"] != "none"
        answer = self.encoded({"type": "answer", "id": message["id"], "index": index})
        if think:
            self.loop.later(think, self.answer, line, answer)
        else:
            self.answer(line, answer)

    def answer(self, line, answer):
        line.sent_at = perf_counter()
        line.send(answer)

    def other(self, line, message):
        kind = message["type"]
        table = line.table
        if kind == "welcome":
            if line.seat == 0:
                self.say(line, create_message())
        elif kind == "created":
            table.id = message["table"]
            for other in table.lines:
                join = {"type": "join", "table": table.id, "seat": other.seat, "kind": "bot"}
                self.say(other, {**join, "name": f"seat {other.seat}"})
        elif kind == "finished":
            self.games += line.seat == 0
            self.say(line, {"type": "rematch"})
        elif kind in ("error", "rejected"):
            raise SystemExit(f"the server refused: {message}")


class RawLoad(Load):
    """Tables of the raw server: after each move the next seat makes one."""

    def connect(self, tables):
        self._moves = [
            self.encoded({"type": "answer", "id": 100 + seat, "index": seat}) for seat in range(4)
        ]
        for number in range(tables):
            self.seated(number)
        # The server counts a connection to its table a moment after the handshake.
        self.loop.run(0.5)
        for table in self.tables:
            self.begun += 1
            self.answer(table.lines[0], self._moves[0])

    def path(self, number):
        return f"/{number}"

    def take(self, line, payload):
        line.heard += 1
        turn = line.heard & 3
        if turn == line.seat:
            self.answer(line, self._moves[turn])
        elif turn == (line.seat + 1) & 3:
            # The own move has come back.
            self.waits.append(perf_counter() - line.sent_at)
            self.moves += 1
            self.shown += 1


class Table:
    """Four lines."""

    def __init__(self):
        self.id = ""
        self.lines = []
        self.asked = False
        self.stopped = False


def create_message():
    return {
        "type": "create",
        "seats": ["open"] * 4,
        "clock": CLOCK,
        "call_window_ms": 0,
        "pause_ms": 0,
        "pace_ms": 0,
    }


# ---------------------------------------------------------------------- what is measured


def snapshot(options, load):
    figures = {} if options.format == "raw" else server_figures(options.port)
    return {
        "at": perf_counter(),
        "moves": load.moves,
        "shown": load.shown,
        "games": load.games,
        "waits": len(load.waits),
        "client_cpu": process_time(),
        "server_cpu": cpu_seconds(options.pid),
        "figures": figures,
    }


def between(before, after, load):
    seconds = after["at"] - before["at"]
    waits = sorted(load.waits[before["waits"] : after["waits"]])
    result = {
        "rate": (after["moves"] - before["moves"]) / seconds,
        "shown_rate": (after["shown"] - before["shown"]) / seconds,
        "moves": after["moves"] - before["moves"],
        "games": after["games"] - before["games"],
        "seconds": seconds,
        "server_cpu": (after["server_cpu"] - before["server_cpu"]) / seconds,
        "client_cpu": (after["client_cpu"] - before["client_cpu"]) / seconds,
        "client_ms": {f"p{q:g}": 1000 * quantile(waits, q / 100) for q in (50, 99, 99.9)},
    }
    if after["figures"]:
        change = {
            name: value - before["figures"].get(name, 0.0)
            for name, value in after["figures"].items()
        }
        result["server_ms"] = {f"p{q:g}": bucket_ms(change, q / 100) for q in (50, 99, 99.9)}
        result["within_25_ms"] = share_within(change, "0.025")
        result["dropped"] = sum_of(change, "jantaku_dropped_connections_total")
        result["refused"] = sum_of(change, "jantaku_rejected_total")
        result["timeouts"] = sum_of(change, "jantaku_timeouts_total")
        result["events_rate"] = sum_of(change, "jantaku_events_total") / seconds
    return result


def quantile(ordered, share):
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def server_figures(port):
    """The server's own figures by name with labels."""
    text = urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30).read().decode("ascii")
    pairs = (line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    return {name: float(value) for name, value in pairs}


def sum_of(figures, name):
    return sum(value for key, value in figures.items() if key.partition("{")[0] == name)


def buckets(figures):
    """Upper bound in seconds and number of answers up to it."""
    pattern = re.compile(r'jantaku_answer_seconds_bucket\{le="([^"]+)"\}')
    found = [(pattern.fullmatch(key), value) for key, value in figures.items()]
    return sorted((float(match[1]), value) for match, value in found if match)


def bucket_ms(figures, share):
    """A quantile of the server's own histogram, between the bounds of its bucket on a line."""
    low, below = 0.0, 0.0
    bounds = buckets(figures)
    wanted = share * bounds[-1][1]
    for bound, number in bounds:
        if number >= wanted and number > below:
            if bound == float("inf"):
                return 1000 * low
            return 1000 * (low + (bound - low) * (wanted - below) / (number - below))
        low, below = bound, number
    return 1000 * low


def share_within(figures, bound):
    bounds = dict(buckets(figures))
    total = bounds[float("inf")]
    return bounds[float(bound)] / total if total else 0.0


def cpu_seconds(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_kib(pid):
    text = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", text)[1])


if __name__ == "__main__":
    main()
