"""An mjai program that reads arrays of events and answers each with one object.

It wins never, and discards what it draws. It knows nothing but mjai: no import of the project,
no network; the second argument is a file to which it adds what it read.
"""

import json
import os
import sys

seat = int(sys.argv[1])
transcript = open((*sys.argv, os.devnull)[2], "a")  # noqa: SIM115

while line := sys.stdin.readline():
    transcript.write(line)
    transcript.flush()
    events = json.loads(line)
    if events[0]["type"] == "start_game":
        assert events[0]["id"] == seat
    last = events[-1]
    answer = {"type": "none"}
    if last["type"] == "tsumo" and last.get("actor") == seat:
        answer = {"type": "dahai", "actor": seat, "pai": last["pai"], "tsumogiri": True}
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()
