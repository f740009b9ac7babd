"""Running measurements: each in a process of its own, the sides of a pair in turns."""

import contextlib
import dataclasses
import json
import os
import subprocess
from pathlib import Path
from time import perf_counter

from environments import clean_environment, say

MEASURE = Path(__file__).resolve().parent / "measure"
LONGEST_S = 1200


class Failed(RuntimeError):
    """A measurement could not be made."""


@dataclasses.dataclass(frozen=True)
class Side:
    """One side of a pair: a script of `measure/` with its arguments, and where it runs."""

    name: str
    place: str
    script: str
    arguments: tuple = ()


class Bench:
    """One run of the whole: its places, its size, and everything that was measured."""

    def __init__(self, places, quick, repeats):
        self.places = places
        self.quick = quick
        self.repeats = repeats
        self.measured = {}
        self.home = places.home

    def size(self, full, quick):
        """An amount of work."""
        return quick if self.quick else full

    def inputs(self):
        """The folder with what both sides of a pair are given; made once."""
        folder = self.home / "inputs"
        self._run(self.script("plain", "inputs.py", (folder,)))
        return folder

    def script(self, place, script, arguments=()):
        """The command line of a script of `measure/` in a place."""
        return [self.places.python(place), str(MEASURE / script), *map(str, arguments)]

    def turns(self, part, sides, repeats=None):
        """Let the sides run in turns; the results of each by its name."""
        results = {side.name: [] for side in sides}
        for turn in range(repeats or self.repeats):
            for side in sides:
                result = self.measure(self.script(side.place, side.script, side.arguments))
                if result.get("compiled", side.place == "compiled") != (side.place == "compiled"):
                    raise Failed(f"{side.name}: the engine in {side.place} is not {side.place}")
                results[side.name].append(result)
                say(f"  {turn + 1} {side.name:>12}: {result['rate']:>12,.0f}/s")
        self.measured[part] = results
        return results

    def measure(self, command):
        """Run one measurement; the JSON object that it prints."""
        return json.loads(self._run(command))

    def text(self, command):
        """Run a command; what it prints."""
        return self._run(command)

    def _run(self, command):
        try:
            done = subprocess.run(
                command,
                env=clean_environment(),
                cwd=self.home,
                capture_output=True,
                text=True,
                timeout=LONGEST_S,
            )
        except subprocess.TimeoutExpired:
            raise Failed(f"{name_of(command)} did not end within {LONGEST_S} s") from None
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["no message"])[-1]
            raise Failed(f"{name_of(command)} ended with {done.returncode}: {last}")
        return done.stdout

    def write(self, machine, rows):
        """Keep everything measured so far."""
        text = json.dumps(
            {
                "machine": machine,
                "quick": self.quick,
                "repeats": self.repeats,
                "rows": [dataclasses.asdict(row) for row in rows],
                "measured": self.measured,
            },
            indent=1,
        )
        (self.home / "results.json").write_text(text + "\n")


def rates(results):
    return [result["rate"] for result in results]


def name_of(command):
    return " ".join(Path(part).name for part in command)


class Neighbours:
    """How much of the machine others use meanwhile: what goes by the clock must know it."""

    QUIET_CORES = 0.15

    def __init__(self):
        self._start = (perf_counter(), machine_cpu(), own_cpu())

    def cores(self):
        """Cores that other processes kept busy since the start, on average."""
        at, machine, own = self._start
        others = (machine_cpu() - machine) - (own_cpu() - own)
        return max(0.0, others / (perf_counter() - at))

    def mark(self, rows):
        """Rows that nobody may believe when others used the machine; with the reason."""
        cores = self.cores()
        for row in rows:
            if row.met is not None and cores > self.QUIET_CORES:
                row.noisy = True
                row.note += f"{'; ' if row.note else ''}others kept {cores:.2f} cores busy"
        return rows


def machine_cpu():
    """CPU seconds of all processes since the machine was started."""
    line = Path("/proc/stat").read_text().partition("\n")[0]
    user, nice, system, _, _, irq, softirq = map(int, line.split()[1:8])
    return (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK")


def own_cpu():
    """CPU seconds of this process and of those that it started and that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


@contextlib.contextmanager
def pinned(core):
    """Processes started meanwhile run on one core."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
