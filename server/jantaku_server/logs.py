"""Structured logs: one line an event, for people on a terminal or in JSON.

What is logged must be safe in anybody's hands: no tokens, codes, seeds or keys at any level, no
hands at `info` and above.
"""

from __future__ import annotations

import logging
import sys
import traceback
from pathlib import Path
from typing import Any, Final

import structlog

log = structlog.get_logger("jantaku")

LEVELS: Final = {"debug": 10, "info": 20, "warning": 30, "error": 40}
FORMATS: Final = ("auto", "console", "json")


def set_up_logs(level: str, fmt: str) -> None:
    """Structured lines on stderr: for people on a terminal, JSON elsewhere or on request."""
    as_json = fmt == "json" or (fmt == "auto" and not sys.stderr.isatty())
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer()
            if as_json
            else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty()),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
    # The library's own lines carry addresses with tokens; operators need none of them.
    logging.getLogger("websockets").setLevel(logging.CRITICAL)


def fault(event: str, error: BaseException, **fields: Any) -> None:
    """One line about an exception that nobody expected: its kind, and where it came from.

    Its text may hold anything that was worked on, so it is told at level `debug` only.
    """
    frames = traceback.extract_tb(error.__traceback__)[-6:]
    where = " < ".join(
        f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in reversed(frames)
    )
    log.error(event, error=type(error).__name__, where=where, **fields)
    log.debug(event, text=str(error)[:300])
