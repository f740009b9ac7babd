"""The interface of a player in the process: one verb, `choose`.

A player knows what its seat knows: a `SeatView`, rebuilt from the events as the seat may see
them, and the menu of the moment. Whoever runs the table keeps the view and asks; a player that
is asked in the middle of a hand needs nothing but the view to go on.
"""

from __future__ import annotations

from random import Random
from typing import ClassVar, Protocol

from jantaku_engine.actions import Action
from jantaku_engine.events import Event
from jantaku_engine.menu import Menu
from jantaku_engine.view import SeatView


class Player(Protocol):
    """Who answers for one seat.

    Attributes:
        needs_view: False for a player that looks at its menus only: it is given a view that
            has seen no event, and no events, which is much faster.
    """

    @property
    def needs_view(self) -> bool:
        """See the attributes of the class."""
        ...

    def see(self, event: Event) -> None:
        """Take note of an event, masked for the seat; the view knows it already."""
        ...

    def choose(self, view: SeatView, menu: Menu) -> Action:
        """One of the actions of `menu`, which is never empty."""
        ...


class Bot:
    """Base of the house bots: they see through their view, and chance is handed to them."""

    __slots__ = ("rng",)
    needs_view: ClassVar[bool] = True

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def see(self, event: Event) -> None:
        """Nothing to remember: the view does."""

    def choose(self, view: SeatView, menu: Menu) -> Action:
        """See `Player.choose`."""
        raise NotImplementedError
