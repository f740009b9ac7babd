"""What plain GET requests get: the web client, health, figures, finished games, replays."""

from __future__ import annotations

import asyncio
import hmac
import json
import re
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from jantaku_engine.rules import PRESETS, Ruleset

from .lobby import Lobby
from .metrics import Metrics
from .replay_files import REPLAYS, list_games
from .web_files import WebFiles

_REPLAY_NAME: Final = re.compile(r"[0-9a-f]{16}\.mjson\.gz")


def respond(status: HTTPStatus, body: bytes, content_type: str, **headers: str) -> Response:
    """A whole HTTP response; `headers` come besides the usual ones, or instead of them."""
    fields = {
        "Content-Type": content_type,
        "Content-Length": str(len(body)),
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
        "Connection": "close",
    }
    fields.update({name.replace("_", "-"): value for name, value in headers.items()})
    return Response(status.value, status.phrase, Headers(fields), body)


def _json(data: Any) -> Response:
    body = json.dumps(data, ensure_ascii=False).encode()
    return respond(HTTPStatus.OK, body, "application/json; charset=utf-8")


def _text(status: HTTPStatus, text: str) -> Response:
    return respond(status, f"{text}\n".encode(), "text/plain; charset=utf-8")


def _newest(query: str) -> int | None:
    """How many games `?newest=N` asks for, 1000 without it; None when N is no whole number."""
    text = parse_qs(query, keep_blank_values=True).get("newest", ["1000"])[-1]
    return min(int(text[:9]), 1000) if text.isascii() and text.isdigit() else None


def _presets() -> dict[str, Any]:
    return {
        "presets": [
            {"name": name, "title": preset.title, "rules": Ruleset.preset(name).to_dict()}
            for name, preset in PRESETS.items()
        ]
    }


class Pages:
    """The answers to GET requests of one server."""

    def __init__(
        self,
        data: Path,
        lobby: Lobby,
        metrics: Metrics,
        metrics_token: str,
        version: str,
        is_healthy: Callable[[], bool],
        web: Path | None = None,
    ) -> None:
        self._data = data
        self._lobby = lobby
        self._metrics = metrics
        self._token = metrics_token
        self._version = version
        self._is_healthy = is_healthy
        self._web = None if web is None else WebFiles(web)
        self._presets = _presets()

    async def get(self, request: Request, is_local: bool) -> Response:
        """The response to a request that is no websocket."""
        path, _, query = request.path.partition("?")
        if path == "/healthz":
            healthy = self._is_healthy()
            status = HTTPStatus.OK if healthy else HTTPStatus.SERVICE_UNAVAILABLE
            body = json.dumps({"status": "ok" if healthy else "failing", "version": self._version})
            return respond(status, body.encode(), "application/json")
        if path == "/metrics":
            return self._figures(request, is_local)
        if path == "/api/games":
            newest = _newest(query)
            if newest is None:
                return _text(HTTPStatus.BAD_REQUEST, "newest must be a whole number")
            return _json({"games": await asyncio.to_thread(list_games, self._data, newest)})
        if path == "/api/tables":
            return _json({"tables": self._lobby.public()})
        if path == "/api/presets":
            return _json(self._presets)
        if path.startswith("/replays/"):
            return await self._replay(path.removeprefix("/replays/"))
        page = None if self._web is None else self._web.get(request, path)
        if page is not None:
            return page
        if path == "/":
            return _text(HTTPStatus.OK, f"Jantaku {self._version}: websockets at /ws and /mjai")
        return _text(HTTPStatus.NOT_FOUND, f"nothing at {path[:100]!r}")

    def _figures(self, request: Request, is_local: bool) -> Response:
        # Figures move with every answer, also with those that nobody may see.
        given = request.headers.get("Authorization", "")
        if self._token:
            allowed = hmac.compare_digest(given.encode(), f"Bearer {self._token}".encode())
        else:
            allowed = is_local
        if not allowed:
            return _text(HTTPStatus.FORBIDDEN, "figures are for the operator")
        return respond(HTTPStatus.OK, self._metrics.text(), "text/plain; version=0.0.4")

    async def _replay(self, name: str) -> Response:
        # Only names that this server gives, so no path climbs out; only finished matches.
        if not _REPLAY_NAME.fullmatch(name):
            return _text(HTTPStatus.NOT_FOUND, "no such replay")
        try:
            body = await asyncio.to_thread((self._data / REPLAYS / name).read_bytes)
        except OSError:
            return _text(HTTPStatus.NOT_FOUND, "no such replay")
        disposition = f'attachment; filename="{name}"'
        return respond(HTTPStatus.OK, body, "application/gzip", Content_Disposition=disposition)
