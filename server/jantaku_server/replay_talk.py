"""A session's talk with the replay desk: announce or name a record, send it, fetch its hands."""

from __future__ import annotations

import base64
import functools
from collections.abc import Callable
from typing import Final

from .replay_desk import ReplayDesk, Upload
from .wire import Message, WireError

ABOUT: Final = "replay"


class ReplayTalk:
    """One client at the desk. `tell` sends it a message, `refuse` tells it an error.

    The desk reads one record for it at a time; of what it asks for in the meantime only the
    last is read.
    """

    def __init__(
        self,
        desk: ReplayDesk,
        tell: Callable[[Message], None],
        refuse: Callable[[WireError, str], None],
    ) -> None:
        self._desk = desk
        self._tell = tell
        self._refuse = refuse
        self._upload: Upload | None = None
        self._is_reading = False
        self._next: Callable[[], None] | None = None
        self._closed = False

    def open(self, message: Message) -> None:
        """`replay`: a finished game of this server, or the size of a record that follows.

        Raises:
            WireError: see `ReplayDesk`.
        """
        self._forget()
        if message.get("game") is not None:
            self._start(functools.partial(self._desk.read_game, message["game"], self._read))
        else:
            self._upload = self._desk.begin(message.get("name") or "record", message["size"])

    def data(self, message: Message) -> None:
        """`replay_data`: the next bytes of the announced record.

        Raises:
            WireError: nothing was announced, no base64, too many bytes, or too late.
        """
        upload = self._upload
        if upload is None:
            raise WireError("unexpected", "no record has been announced")
        try:
            part = base64.b64decode(message["data"], validate=True)
        except ValueError:
            raise WireError("invalid", "replay_data: data must be base64") from None
        if self._desk.add(upload, part):
            self._drop_upload()
            self._start(functools.partial(self._desk.read_upload, upload, self._read))

    def more(self, message: Message) -> None:
        """`replay_more`: a hand of the record that was read.

        Raises:
            WireError: no record is open, or it has no such hand.
        """
        record = self._desk.shelf.take(self)
        if not record:
            raise WireError("unexpected", "no record is open, or it was put away: open it again")
        index = message["index"] + 1
        if index >= len(record):
            raise WireError("not_found", "the record has no such hand")
        self._tell(record[index])

    def close(self) -> None:
        """The client is gone."""
        self._closed = True
        self._forget()

    def _start(self, read: Callable[[], None]) -> None:
        if self._is_reading:
            self._next = read
            return
        self._is_reading = True
        try:
            read()
        except WireError:
            self._is_reading = False
            raise

    def _forget(self) -> None:
        self._drop_upload()
        self._next = None
        self._desk.shelf.remove(self)

    def _drop_upload(self) -> None:
        if self._upload is not None:
            self._desk.drop(self._upload)
        self._upload = None

    def _read(self, result: list[Message] | WireError) -> None:
        self._is_reading = False
        if self._closed:
            return
        if self._next is not None:
            read, self._next = self._next, None
            try:
                self._start(read)
            except WireError as error:
                self._refuse(error, ABOUT)
            return
        if isinstance(result, WireError):
            self._refuse(result, ABOUT)
            return
        self._desk.shelf.put(self, result)
        self._tell(result[0])
