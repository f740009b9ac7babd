"""What is measured of the engine and of records: each part returns rows of the table."""

import dataclasses
import os
from pathlib import Path
from statistics import median
from time import perf_counter

from environments import CHECKOUT, say
from table import Row, bounded, figure, paired

from bench import Failed, Neighbours, Side, own_cpu, rates

CORPUS_ROUNDS = 11_042


def scoring(bench):
    """The same 2,000 hands, inputs built for each call."""
    wins = bench.inputs() / "wins.json"
    sides = [
        Side("compiled", "compiled", "score_jantaku.py", (wins, bench.size(250, 5))),
        Side("riichienv", "peers", "score_riichienv.py", (wins, bench.size(250, 5))),
        Side("plain", "plain", "score_jantaku.py", (wins, bench.size(40, 2))),
        Side("mahjong", "peers", "score_mahjong.py", (wins, bench.size(10, 1))),
        Side("jansou", "peers", "score_jansou.py", (wins, bench.size(5, 1))),
    ]
    note = agreement(bench, sides, wins)
    results = bench.turns("scoring", sides)
    rate = {name: rates(found) for name, found in results.items()}
    others = bench.inputs() / "other-wins.json"
    new = bench.turns(
        "new_hands",
        [dataclasses.replace(side, arguments=(others, "new")) for side in sides[:2]],
    )
    cold = [result["first_pass_rate"] for result in results["compiled"]]
    cold_peer = [result["first_pass_rate"] for result in results["riichienv"]]
    return [
        paired(
            "scoring, compiled : riichienv", rate["compiled"], rate["riichienv"], 1.25, note=note
        ),
        paired("scoring, compiled : mahjong", rate["compiled"], rate["mahjong"], 20),
        paired("scoring, plain : mahjong", rate["plain"], rate["mahjong"], 4),
        paired("scoring, plain : jansou", rate["plain"], rate["jansou"], 8),
        paired("  the first 2,000 after the start : riichienv", cold, cold_peer),
        paired(
            "  40,000 other hands, each once : riichienv",
            rates(new["compiled"]),
            rates(new["riichienv"]),
        ),
    ]


def agreement(bench, sides, wins):
    """Whether all sides find the same han, fu and payments for every hand."""
    found = {
        side.name: bench.measure(bench.script(side.place, side.script, (wins, "results")))
        for side in sides
    }
    ours = found["compiled"]
    bench.measured["agreement"] = {
        name: [
            index
            for index, pair in enumerate(zip(ours, results, strict=True))
            if pair[0] != pair[1]
        ]
        for name, results in found.items()
    }
    differing = {name: len(where) for name, where in bench.measured["agreement"].items() if where}
    if not differing:
        return f"all agree on han, fu and payments of all {len(ours):,} hands"
    told = ", ".join(f"{name} on {number}" for name, number in differing.items())
    return f"of {len(ours):,} hands differ: {told}"


def shanten(bench):
    """Distinct hands; both are given a list of 34 counts, made beforehand."""
    counts = bench.inputs() / "counts.bin"
    size = (counts, 20_000, bench.size(400_000, 20_000))
    results = bench.turns(
        "shanten",
        [
            Side("compiled", "compiled", "shanten.py", ("jantaku", *size)),
            Side("xiangting", "peers", "shanten.py", ("xiangting", *size)),
        ],
    )
    sums = {result["checksum"] for found in results.values() for result in found}
    if len(sums) > 1:
        raise Failed(f"the libraries do not agree: sums of shanten {sorted(sums)}")
    ours, peer = results["compiled"], results["xiangting"]
    return [
        paired(
            "shanten, compiled : xiangting",
            rates(ours),
            rates(peer),
            1.0,
            note=f"{size[2]:,} hands, each once, after {size[1]:,} others; the same sum",
        ),
        paired(
            "  the first 20,000 after the start : xiangting",
            [result["cold_rate"] for result in ours],
            [result["cold_rate"] for result in peer],
        ),
    ]


def random_games(bench):
    """Whole games, one of the legal actions with equal chance, the event log kept."""
    results = bench.turns(
        "random",
        [
            Side("compiled", "compiled", "games.py", ("random", bench.size(350, 10))),
            Side("riichienv", "peers", "games_riichienv.py", (bench.size(120, 5),)),
            Side("plain", "plain", "games.py", ("random", bench.size(60, 5))),
            Side("jansou", "peers", "games_jansou.py", (bench.size(30, 2),)),
        ],
    )
    events = ", ".join(f"{n} {found[0]['events_per_round']:.0f}" for n, found in results.items())
    return [
        paired(
            "random games, compiled : riichienv",
            rates(results["compiled"]),
            rates(results["riichienv"]),
            1.5,
            " rounds/s",
            f"events in a round: {events}",
        ),
        paired(
            "random games, plain : jansou",
            rates(results["plain"]),
            rates(results["jansou"]),
            1.5,
            " rounds/s",
        ),
    ]


def tsumogiri_games(bench):
    """Whole games in which everybody discards what was drawn."""
    results = bench.turns(
        "tsumogiri",
        [
            Side("compiled", "compiled", "games.py", ("tsumogiri", bench.size(350, 10))),
            Side("cmajiang", "peers", "games_cmajiang.py", (bench.size(200, 10),)),
        ],
    )
    return [
        paired(
            "tsumogiri games, compiled : cmajiang",
            rates(results["compiled"]),
            rates(results["cmajiang"]),
            1.2,
            " rounds/s",
            "cmajiang keeps no record, Jantaku its full event log",
        )
    ]


def verify(bench):
    """The real games of the corpus, every draw, call and payment."""
    folder = Path(os.environ.get("JANTAKU_CORPUS") or CHECKOUT.parent / "shared" / "corpus")
    corpus = folder / "tenhou-games.zip"
    if not corpus.exists():
        raise Failed(f"no {corpus.name}: set JANTAKU_CORPUS to the folder that has it")
    command = [bench.places.command("compiled"), "replay", "verify", str(corpus), "--json"]
    seconds, busy = [], []
    neighbours = Neighbours()
    for turn in range(bench.size(3, 1)):
        start, cpu = perf_counter(), own_cpu()
        result = bench.measure(command)
        seconds.append(perf_counter() - start)
        busy.append(own_cpu() - cpu)
        say(f"  {turn + 1}: {seconds[-1]:.2f} s, of the CPU {busy[-1]:.2f} s")
    bench.measured["verify"] = {"seconds": seconds, "cpu_seconds": busy}
    if result["rounds"] != CORPUS_ROUNDS or result["mismatches"]:
        raise Failed(f"{result['rounds']} rounds, {len(result['mismatches'])} mismatches")
    what = f"replay verify, {result['rounds']:,} rounds, compiled"
    note = f"CPU seconds: {figure(median(busy))}"
    return neighbours.mark([bounded(what, seconds, 15, "s", note)])


def growth(bench):
    """Few rounds and many: the rate, and the memory of the process."""
    few, many = bench.size(1_000, 100), bench.size(100_000, 1_000)
    results = bench.turns(
        "growth",
        [
            Side("few", "compiled", "growth.py", ("random", few)),
            Side("many", "compiled", "growth.py", ("random", many)),
        ],
        bench.size(2, 1),
    )
    memory = [part["kib"] for part in results["many"][-1]["parts"]]
    greedy = bench.measure(
        bench.script("compiled", "growth.py", ("greedy", bench.size(5_000, 100)))
    )
    bench.measured["growth_greedy"] = greedy
    thinking = [part["kib"] for part in greedy["parts"]]
    return [
        paired(
            f"random games, {many:,} rounds : {few:,} rounds",
            rates(results["many"]),
            rates(results["few"]),
            0.9,
            " rounds/s",
        ),
        flat(f"memory at {many:,} rounds : at half of them", memory),
        flat(f"memory at {greedy['units']:,} rounds of greedy bots : at half", thinking),
    ]


def flat(what, memory):
    """The memory at the end beside that in the middle of the work."""
    middle, end = memory[4], memory[-1]
    return Row(
        what,
        f"{figure(end)} KiB",
        f"{figure(middle)} KiB",
        end / middle,
        asked="<= 1.05",
        met=end / middle <= 1.05,
        note=f"KiB at each tenth of the work: {', '.join(map(str, memory))}",
    )


def jobs(bench):
    """`jantaku simulate` with two processes beside one."""
    games = bench.size(2_500, 60)
    found = {1: [], 2: []}
    neighbours = Neighbours()
    for turn in range(bench.size(5, 1)):
        for number in found:
            result = bench.measure(
                [
                    bench.places.command("compiled"),
                    "simulate",
                    *("--games", str(games), "--bots", "random", "--seed", "1"),
                    *("--jobs", str(number), "--json"),
                ]
            )
            found[number].append(result["rounds"] / result["seconds"])
            say(f"  {turn + 1} --jobs {number}: {found[number][-1]:,.0f} rounds/s")
    bench.measured["jobs"] = {str(number): rates_ for number, rates_ in found.items()}
    row = paired("simulate --jobs 2 : --jobs 1", found[2], found[1], 1.8, " rounds/s")
    return neighbours.mark([row])
