"""The page of `jantaku replay stats --html`: tables and plots in one file, nothing from outside."""

from __future__ import annotations

from html import escape
from typing import Final

from jantaku_replays.stats import PlayerTally, Stats

from .command import counted
from .stats_command import COLUMNS, cells, places_text, shown_name

_PLACE_COLOURS: Final = ("#2f7d4f", "#6fae7f", "#d8a24a", "#b5483a")
_PLACE_NAMES: Final = ("1st", "2nd", "3rd", "4th")
_RATES: Final = (
    ("win", "win_rate", "#2f7d4f"),
    ("deal-in", "deal_in_rate", "#b5483a"),
    ("riichi", "riichi_rate", "#3c6ea8"),
    ("call", "call_rate", "#d8a24a"),
    ("tenpai at draw", "tenpai_at_draw_rate", "#7a5ba6"),
)
_STYLE: Final = """
:root { color-scheme: light dark; --ink: #1d2433; --paper: #fbfaf6; --line: #c9c5b8; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e6df; --paper: #181c22; --line: #424a55; }
}
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 68rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2.2rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { white-space: nowrap; padding: .25rem .6rem; text-align: right;
  border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; max-width: 16rem; overflow: hidden;
  text-overflow: ellipsis; white-space: nowrap; }
tr.overall td { font-weight: 600; }
svg { max-width: 100%; height: auto; } svg text { fill: var(--ink); font-size: 12px; }
.key span { display: inline-block; margin-right: 1.2rem; }
.key i { display: inline-block; width: .8rem; height: .8rem; margin-right: .35rem; }
"""
_NAME_WIDTH: Final = 170
_PLOT_WIDTH: Final = 560
_BAR: Final = 14
_ROW: Final = 24
_MOST_YAKU: Final = 30


def stats_page(stats: Stats, top: int) -> str:
    """The page of some statistics with its `top` first players."""
    ranked = stats.ranked()[:top]
    overall = stats.overall()
    everybody = [*((shown_name(name), tally) for name, tally in ranked), ("overall", overall)]
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>Riichi statistics</title><style>{_STYLE}</style></head><body>",
        "<h1>Riichi statistics</h1>",
        f"<p>{counted(stats.games, 'game')}, {counted(stats.rounds, 'hand')}, "
        f"{counted(len(stats.players), 'player')}"
        f"{f', of whom {len(ranked)} are shown' if len(ranked) < len(stats.players) else ''}.</p>",
        "<h2>Players</h2>",
        _table(everybody),
    ]
    if stats.games:
        parts += ["<h2>Placements</h2>", _key(zip(_PLACE_NAMES, _PLACE_COLOURS, strict=True))]
        parts.append(_placements(everybody))
    if stats.rounds:
        parts += ["<h2>Rates</h2>", _key((name, colour) for name, _, colour in _RATES)]
        parts.append(_rates(everybody))
    if overall.wins:
        parts += ["<h2>Yaku, as shares of all wins</h2>", _yaku(overall)]
    parts.append("</body></html>")
    return "\n".join(parts) + "\n"


def _table(players: list[tuple[str, PlayerTally]]) -> str:
    heads = "".join(f"<th>{head}</th>" for head in ("", "1-2-3-4", *(c[0] for c in COLUMNS)))
    rows = []
    for index, (name, tally) in enumerate(players):
        kind = ' class="overall"' if index == len(players) - 1 else ""
        values = (escape(name), places_text(tally), *cells(tally))
        rows.append(f"<tr{kind}>" + "".join(f"<td>{value}</td>" for value in values) + "</tr>")
    return f'<div class="wide"><table><tr>{heads}</tr>{"".join(rows)}</table></div>'


def _key(items: object) -> str:
    spans = "".join(
        f'<span><i style="background:{colour}"></i>{escape(name)}</span>'
        for name, colour in items  # type: ignore[attr-defined]
    )
    return f'<p class="key">{spans}</p>'


def _plot(height: int, title: str, inside: list[str]) -> str:
    width = _NAME_WIDTH + _PLOT_WIDTH + 110
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" role="img" '
        f'aria-label="{escape(title)}"><title>{escape(title)}</title>{"".join(inside)}</svg>'
    )


def _label(name: str, y: float) -> str:
    short = name if len(name) <= 22 else name[:21] + "…"
    return f'<text x="{_NAME_WIDTH - 8}" y="{y}" text-anchor="end">{escape(short)}</text>'


def _bar(x: float, y: float, width: float, height: float, colour: str, told: str) -> str:
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" '
        f'fill="{colour}"><title>{escape(told)}</title></rect>'
    )


def _placements(players: list[tuple[str, PlayerTally]]) -> str:
    """A bar for each player, in the shares of its placements."""
    inside: list[str] = []
    shown = [(name, tally) for name, tally in players if tally.games]
    for row, (name, tally) in enumerate(shown):
        y = row * _ROW + 4
        inside.append(_label(name, y + 12))
        x = float(_NAME_WIDTH)
        for place, count in enumerate(tally.places):
            width = _PLOT_WIDTH * count / tally.games
            told = f"{name}: {_PLACE_NAMES[place]} {count} times, {count / tally.games:.1%}"
            inside.append(_bar(x, y, width, _BAR, _PLACE_COLOURS[place], told))
            x += width
    return _plot(len(shown) * _ROW + 8, "Placements of each player", inside)


def _rates(players: list[tuple[str, PlayerTally]]) -> str:
    """A group of bars for each player."""
    inside: list[str] = []
    y = 4.0
    figures = [(name, tally.to_dict()) for name, tally in players]
    most = max((values[key] or 0.0 for _, values in figures for _, key, _ in _RATES), default=0.0)
    scale = _PLOT_WIDTH / (most or 1.0)
    for name, values in figures:
        inside.append(_label(name, y + 4 * len(_RATES) + 4))
        for rate, key, colour in _RATES:
            value = values[key]
            if value is not None:
                told = f"{name}: {rate} {value:.1%}"
                inside.append(_bar(_NAME_WIDTH, y, value * scale, 7, colour, told))
                inside.append(
                    f'<text x="{_NAME_WIDTH + value * scale + 5:.1f}" y="{y + 7:.1f}" '
                    f'style="font-size:8px">{value:.1%}</text>'
                )
            y += 8
        y += 10
    return _plot(round(y), "Rates of each player", inside)


def _yaku(overall: PlayerTally) -> str:
    items = list(overall.to_dict()["yaku"].items())[:_MOST_YAKU]
    most = items[0][1] if items else 1
    inside: list[str] = []
    for row, (name, count) in enumerate(items):
        y = row * _ROW + 4
        width = _PLOT_WIDTH * count / most
        told = f"{count:,}, {count / overall.wins:.1%}"
        inside.append(_label(name, y + 12))
        inside.append(_bar(_NAME_WIDTH, y, width, _BAR, "#3c6ea8", f"{name}: {told}"))
        inside.append(f'<text x="{_NAME_WIDTH + width + 6:.1f}" y="{y + 12}">{told}</text>')
    return _plot(len(items) * _ROW + 8, "How often each yaku was won with", inside)
