"""House bots, by name."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Final

from .greedy import Greedy
from .plain import RandomBot, Tsumogiri
from .player import Bot, Player

__all__ = ["BOTS", "Bot", "BotError", "Player", "make_bot"]

BOTS: Final[Mapping[str, type[Bot]]] = {
    "greedy": Greedy,
    "random": RandomBot,
    "tsumogiri": Tsumogiri,
}
"""The house bots."""


class BotError(ValueError):
    """A name that no house bot has."""


def make_bot(name: str, rng: Random) -> Bot:
    """The house bot `name`, drawing its chances from `rng`.

    Raises:
        BotError: there is no such bot.
    """
    if name not in BOTS:
        raise BotError(f"no house bot is named {name!r}; there are {', '.join(BOTS)}")
    return BOTS[name](rng)
