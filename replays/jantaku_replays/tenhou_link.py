"""Links to Tenhou's public viewer that carry a record in themselves."""

from __future__ import annotations

from typing import Final
from urllib.parse import unquote_to_bytes

from .record import RecordError

STARTS: Final = ("http://", "https://")
_MARK: Final = "#json="
_HOSTS: Final = ("tenhou.net/", "www.tenhou.net/")


def json_of_link(link: str) -> bytes:
    """The Tenhou JSON in a link `https://tenhou.net/6/#json=...` (or `/5/`).

    Raises:
        RecordError: another link; one to a log on Tenhou's server is not fetched.
    """
    address = link.strip()
    for start in STARTS:
        address = address.removeprefix(start)
    if not address.startswith(_HOSTS):
        raise RecordError("is no link to Tenhou's viewer (https://tenhou.net/6/#json=...)")
    _, mark, text = address.partition(_MARK)
    if not mark:
        raise RecordError(
            "is a link to a log on Tenhou's server, which is not fetched: "
            "save the log as a file and give that"
        )
    return unquote_to_bytes(text)
