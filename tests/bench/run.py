"""`make bench`: Jantaku beside its peers, one process at a time, in turns; see README.md.

    python tests/bench/run.py [--only NAME,...] [--quick] [--repeats N] [--home DIR]

The table goes to stdout, progress to stderr, and everything measured to `results.json` in the
folder of the places (`.bench`).
"""

import argparse
import json
import os
import platform
import sys
from pathlib import Path

import engine_rows
import server_rows
import table
from environments import CHECKOUT, Environments, say

from bench import Bench, Failed

PARTS = {
    "scoring": engine_rows.scoring,
    "shanten": engine_rows.shanten,
    "random": engine_rows.random_games,
    "tsumogiri": engine_rows.tsumogiri_games,
    "verify": engine_rows.verify,
    "growth": engine_rows.growth,
    "jobs": engine_rows.jobs,
    "ceiling": server_rows.ceiling,
    "steady": server_rows.steady,
    "memory": server_rows.memory,
}
"""What can be measured, in this order."""


def main():
    parser = argparse.ArgumentParser(description="Measure Jantaku beside its peers.")
    parser.add_argument("--only", default="", help=f"some of {','.join(PARTS)}")
    parser.add_argument("--quick", action="store_true", help="little work: only shows that it runs")
    parser.add_argument("--repeats", type=int, default=0, help="turns of each pair (7; quick: 2)")
    parser.add_argument("--home", type=Path, default=CHECKOUT / ".bench", help="where to build")
    options = parser.parse_args()
    names = options.only.split(",") if options.only else list(PARTS)
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        parser.error(f"no part {', '.join(unknown)}; there are {', '.join(PARTS)}")
    places = Environments(options.home.resolve())
    places.prepare(("compiled", "plain", "peers"))
    bench = Bench(places, options.quick, options.repeats or (2 if options.quick else 7))
    machine = describe(places)
    say(json.dumps(machine))
    rows = []
    for name in names:
        say(f"--- {name}")
        try:
            rows += PARTS[name](bench)
        except Failed as error:
            rows.append(table.failed(name, str(error)))
        bench.write(machine, rows)
    print(table.as_text(rows))
    print("\n" + " ".join(f"{key}={value}" for key, value in machine.items()))
    if options.quick:
        print("quick run: these figures say nothing but that everything runs")


def describe(places):
    """What a ratio depends on."""
    model = next(
        (
            line.partition(":")[2].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ),
        platform.processor(),
    )
    return {
        "cpu": model,
        "cores": len(os.sched_getaffinity(0)),
        "python": platform.python_version(),
        "load_before": round(os.getloadavg()[0], 2),
        **places.versions(),
    }


if __name__ == "__main__":
    sys.exit(main())
