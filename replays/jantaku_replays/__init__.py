"""Records of games: reading, verifying, converting and writing them."""

from .library import Game, Hand, read
from .record import NotRiichiError, RecordError

__all__ = ["Game", "Hand", "NotRiichiError", "RecordError", "read"]
