"""What `make bench` prints: what, ours, peer, ratio, spread, what is asked, met or not."""

import dataclasses
from statistics import median

HEAD = ("what", "ours", "peer", "ratio", "spread", "asked", "met?")


@dataclasses.dataclass
class Row:
    """One line.

    Attributes:
        what: what was measured. ours, peer: figures as text. ratio: the figure that counts.
        low, high: the smallest and the largest ratio of the repeats.
        asked: the bound as text, empty for a row that is only told. met: None for such a row.
        noisy: others used the machine, so that nothing can be said.
        note: what a reader must know to believe it.
    """

    what: str
    ours: str
    peer: str = "-"
    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    asked: str = ""
    met: bool | None = None
    note: str = ""
    noisy: bool = False

    def cells(self):
        spread = "" if self.low is None else f"{self.low:.3g}-{self.high:.3g}"
        ratio = "" if self.ratio is None else f"{self.ratio:.3g}"
        verdict = "NOISY" if self.noisy else {True: "met", False: "MISSED", None: ""}[self.met]
        return (self.what, self.ours, self.peer, ratio, spread, self.asked, verdict)


def paired(what, ours, peer, asked=None, unit="/s", note=""):
    """A row of two sides measured in turn: the ratio is the median of the ratios of the turns."""
    ratios = [a / b for a, b in zip(ours, peer, strict=True)]
    ratio = median(ratios)
    return Row(
        what,
        figure(median(ours)) + unit,
        figure(median(peer)) + unit,
        ratio,
        min(ratios),
        max(ratios),
        "" if asked is None else f">= {asked:g}",
        None if asked is None else ratio >= asked,
        note,
    )


def bounded(what, values, most, unit, note=""):
    """A row that has a bound instead of a peer: the median must not be above it."""
    value = median(values)
    return Row(
        what,
        f"{figure(value)} {unit}",
        low=min(values),
        high=max(values),
        asked=f"<= {most:g} {unit}",
        met=value <= most,
        note=note,
    )


def failed(what, reason):
    """A row that could not be measured."""
    return Row(what, "failed", met=False, note=reason)


def figure(value):
    """Three digits, thousands apart."""
    if abs(value) >= 1000:
        return f"{float(f'{value:.3g}'):,.0f}"
    return f"{value:.3g}"


def as_text(rows):
    """The table in columns, notes below."""
    lines = [HEAD, *(row.cells() for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEAD))]
    text = [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    ]
    text.insert(1, "  ".join("-" * width for width in widths))
    notes = [f"{row.what}: {row.note}" for row in rows if row.note]
    return "\n".join([*text, "", *notes])
