"""What the server counts, for `GET /metrics` (Prometheus text).

What is counted at every move is added up in plain numbers (`tally`) and handed to the library when
somebody reads the page; the rest are the library's own counters.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from .tally import Level, Tally, Times

_SECONDS: Final = (
    *(0.0005, 0.001, 0.0025, 0.005, 0.0075, 0.01, 0.0125, 0.015, 0.02),
    *(0.025, 0.05, 0.1, 0.25, 0.5, 1.0),
)
_THINKING: Final = (0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10, 20, 60)


class Metrics:
    """The figures of one server; each server has its own registry.

    Nothing here has a label by table or seat: figures must not tell who could call.
    """

    def __init__(self) -> None:
        registry = self._registry = CollectorRegistry()
        self.moves = Tally("jantaku_moves", "Answers taken by tables")
        self.events = Tally("jantaku_events", "Game events published")
        self.answer_seconds = Times(
            "jantaku_answer_seconds",
            "From the moment an answer is read to the moment its events are written",
            _SECONDS,
        )
        self.thinking_seconds = Times(
            "jantaku_thinking_seconds", "From question to answer", _THINKING
        )
        self.commit_seconds = Times(
            "jantaku_commit_seconds", "From handing a row to the journal to its commit", _SECONDS
        )
        self.journal_queue = Level("jantaku_journal_queue", "Rows that wait for a commit")
        registry.register(_Tallies(self))
        self.tables = Gauge("jantaku_tables", "Tables by state", ["state"], registry=registry)
        self.connections = Gauge(
            "jantaku_connections", "Open websocket connections", registry=registry
        )
        self.games = Counter("jantaku_games", "Matches finished", registry=registry)
        self.timeouts = Counter(
            "jantaku_timeouts", "Questions answered by the clock", registry=registry
        )
        self.send_queue = Gauge(
            "jantaku_send_queue_bytes",
            "Largest number of bytes that wait for one client",
            registry=registry,
        )
        self.rejected = Counter(
            "jantaku_rejected", "Messages refused, by reason", ["reason"], registry=registry
        )
        self.dropped = Counter(
            "jantaku_dropped_connections",
            "Connections closed by the server, by reason",
            ["reason"],
            registry=registry,
        )
        self.faults = Counter(
            "jantaku_faults", "Exceptions that nobody expected: report them", registry=registry
        )

    def text(self) -> bytes:
        """The figures in Prometheus text form."""
        return generate_latest(self._registry)


class _Tallies(Collector):
    """The plain numbers as the library wants them."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    def collect(self) -> Iterator[Metric]:
        metrics = self._metrics
        for tally in (metrics.moves, metrics.events):
            yield CounterMetricFamily(tally.name, tally.says, value=tally.number)
        level = metrics.journal_queue
        yield GaugeMetricFamily(level.name, level.says, value=level.number)
        for times in (metrics.answer_seconds, metrics.thinking_seconds, metrics.commit_seconds):
            buckets = [("+Inf" if bound is None else str(bound), n) for bound, n in times.up_to()]
            yield HistogramMetricFamily(times.name, times.says, buckets, times.sum)
