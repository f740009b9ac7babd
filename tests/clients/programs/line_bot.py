"""An mjai program that answers every line: wins, else discards what it draws.

It knows nothing but mjai: no import of the project, no network. argv: its seat, then options.
"""

import json
import os
import sys

seat = int(sys.argv[1])
options = dict(word.split("=", 1) for word in sys.argv[2:])
transcript = open(options.get("transcript", os.devnull), "a")  # noqa: SIM115
left = int(options.get("die_after", -1))

for line in sys.stdin:
    transcript.write(line)
    transcript.flush()
    if left == 0:
        if "signal" in options:
            os.kill(os.getpid(), int(options["signal"]))
        print("the model is broken", file=sys.stderr, flush=True)
        sys.exit(3)
    left -= 1
    event = json.loads(line)
    answer = {"type": "none"}
    if event["type"] == "tsumo" and event["actor"] == seat:
        answer = {"type": "dahai", "actor": seat, "pai": event["pai"], "tsumogiri": True}
    if "notes" in options:
        print("thinking about", event["type"])
        answer["meta"] = {"q_values": [0.5, float("nan")], "mask_bits": 2**64, "log": "x" * 50_000}
    print(json.dumps(answer), flush="notes" not in options)

if "lingers" in options:
    import signal

    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        signal.pause()
