"""The web client's files, kept in memory and served with their caching and their policy.

The start page is asked for every time and answered by its tag; everything that it uses lies
under a folder named after the content of all files, so it never changes and is kept for good.
"""

from __future__ import annotations

import gzip
import hashlib
from http import HTTPStatus
from pathlib import Path
from typing import Final, NamedTuple

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

START_PAGE: Final = "index.html"

TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json; charset=utf-8",
    ".webmanifest": "application/manifest+json",
}
"""Content type of each suffix; files of other suffixes are not served."""

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)

_SECURITY: Final = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Vary": "Accept-Encoding",
}
_FOREVER: Final = "public, max-age=31536000, immutable"


class _File(NamedTuple):
    body: bytes
    packed: bytes
    content_type: str
    tag: str


class WebFiles:
    """The files under one folder, read once; nothing else can be reached through it."""

    def __init__(self, folder: Path) -> None:
        found = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file() and path.suffix in TYPES
        }
        digest = hashlib.sha256()
        for name, body in found.items():
            digest.update(f"{name}\0{len(body)}\0".encode() + body)
        self.version = digest.hexdigest()[:16]
        prefix = f"static/{self.version}/"
        page = found.pop(START_PAGE, b"").replace(b"static/", prefix.encode())
        self._page = _file(page, ".html")
        self._files = {
            f"/{prefix}{name}": _file(body, Path(name).suffix) for name, body in found.items()
        }

    def get(self, request: Request, path: str) -> Response | None:
        """The response to a GET of `path`; None for a path that is no file of the client."""
        if path == "/":
            return _respond(request, self._page, "no-cache")
        file = self._files.get(path)
        return None if file is None else _respond(request, file, _FOREVER)


def _file(body: bytes, suffix: str) -> _File:
    packed = gzip.compress(body, mtime=0)
    return _File(body, packed, TYPES[suffix], f'"{hashlib.sha256(body).hexdigest()[:20]}"')


def _respond(request: Request, file: _File, caching: str) -> Response:
    fields = Headers({"ETag": file.tag, "Cache-Control": caching, "Connection": "close"})
    for name, value in _SECURITY.items():
        fields[name] = value
    if file.tag in request.headers.get("If-None-Match", ""):
        fields["Content-Length"] = "0"
        status = HTTPStatus.NOT_MODIFIED
        return Response(status.value, status.phrase, fields, b"")
    body = file.body
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        body = file.packed
        fields["Content-Encoding"] = "gzip"
    fields["Content-Type"] = file.content_type
    fields["Content-Length"] = str(len(body))
    return Response(HTTPStatus.OK.value, HTTPStatus.OK.phrase, fields, body)
