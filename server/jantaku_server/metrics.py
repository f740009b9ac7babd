"""What the server counts, for `GET /metrics` (Prometheus text)."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0)
_THINKING = (0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10, 20, 60)


class Metrics:
    """The figures of one server; each server has its own registry.

    Nothing here has a label by table or seat: figures must not tell who could call.
    """

    def __init__(self) -> None:
        registry = self._registry = CollectorRegistry()
        self.tables = Gauge("jantaku_tables", "Tables by state", ["state"], registry=registry)
        self.connections = Gauge(
            "jantaku_connections", "Open websocket connections", registry=registry
        )
        self.moves = Counter("jantaku_moves", "Answers taken by tables", registry=registry)
        self.events = Counter("jantaku_events", "Game events published", registry=registry)
        self.games = Counter("jantaku_games", "Matches finished", registry=registry)
        self.timeouts = Counter(
            "jantaku_timeouts", "Questions answered by the clock", registry=registry
        )
        self.answer_seconds = Histogram(
            "jantaku_answer_seconds",
            "From the moment an answer is read to the moment its events are written",
            buckets=_SECONDS,
            registry=registry,
        )
        self.thinking_seconds = Histogram(
            "jantaku_thinking_seconds",
            "From question to answer",
            buckets=_THINKING,
            registry=registry,
        )
        self.commit_seconds = Histogram(
            "jantaku_commit_seconds",
            "From handing a row to the journal to its commit",
            buckets=_SECONDS,
            registry=registry,
        )
        self.journal_queue = Gauge(
            "jantaku_journal_queue", "Rows that wait for a commit", registry=registry
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
