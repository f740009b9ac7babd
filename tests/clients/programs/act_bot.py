"""An mjai program that speaks only when it acts, and passes in silence.

It pons every triplet it can and declares riichi never; after a pon it discards from its hand.
It knows nothing but mjai: no import of the project, no network.
"""

import json
import sys

seat = int(sys.argv[1])
hand = []
left = 0


def kind(tile):
    return tile.replace("r", "")


def say(**answer):
    print(json.dumps(answer), flush=True)


for line in sys.stdin:
    event = json.loads(line)
    actor = event.get("actor")
    if event["type"] == "start_kyoku":
        hand = list(event["tehais"][seat])
        left = 70
    elif event["type"] == "tsumo":
        left -= 1
        if actor == seat:
            hand.append(event["pai"])
            say(type="dahai", pai=event["pai"])
    elif event["type"] == "dahai" and actor == seat:
        hand.remove(event["pai"])
    elif event["type"] == "dahai":
        pair = [tile for tile in hand if kind(tile) == kind(event["pai"])]
        # Only where a legal discard is left (no kuikae) and the discard is not the last one.
        others = [tile for tile in hand if kind(tile) != kind(event["pai"])]
        if len(pair) >= 2 and left > 0 and others:
            say(type="pon", actor=seat, target=actor, pai=event["pai"], consumed=pair[:2])
    elif event["type"] == "pon" and actor == seat:
        for tile in event["consumed"]:
            hand.remove(tile)
        others = [tile for tile in hand if kind(tile) != kind(event["pai"])]
        say(type="dahai", actor=seat, pai=others[0], tsumogiri=False)
