"""Draws the web client's tiles: `python -m jantaku_clients.draw_tiles` writes `web/tiles.svg`.

One picture with a cell for each tile, ten to a row: 1-9m and the red 5m, then pinzu, souzu, and
the honours. Faces and shadows are the stylesheet's. Every shape is drawn here: characters are
brush strokes, given as points on a square of 100, from where the brush is set down to where it
is lifted.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Final

INK: Final = "#1c2b4b"
RED: Final = "#c8201f"
GREEN: Final = "#12713f"
BLUE: Final = "#1f57a4"

WIDTH: Final = 60
HEIGHT: Final = 80

Point = tuple[float, float]
Stroke = tuple[str, tuple[Point, ...]]

PROFILES: Final[dict[str, tuple[float, ...]]] = {
    "h": (1.05, 0.8, 0.8, 1.2),
    "v": (1.15, 0.95, 0.95, 1.0),
    "p": (1.15, 1.0, 0.75, 0.15),
    "n": (0.35, 0.8, 1.35, 0.4),
    "d": (0.4, 1.0, 1.35, 0.9),
    "c": (1.0, 1.0, 1.0, 0.35),
}
"""Width of the brush along a stroke: level, upright, falling left, falling right, dot, curve.

A stroke of kind `z` turns sharply and keeps its width.
"""

CHARACTERS: Final[dict[str, tuple[float, tuple[Stroke, ...]]]] = {
    "1": (13, (("h", ((8, 53), (92, 48))),)),
    "2": (13, (("h", ((24, 27), (77, 23))), ("h", ((7, 80), (94, 76))))),
    "3": (
        12,
        (
            ("h", ((18, 18), (83, 15))),
            ("h", ((26, 49), (75, 46))),
            ("h", ((6, 84), (95, 80))),
        ),
    ),
    "4": (
        10.5,
        (
            ("v", ((14, 20), (20, 88))),
            ("z", ((12, 24), (88, 22), (81, 88))),
            ("p", ((39, 26), (38, 46), (27, 62))),
            ("c", ((60, 26), (60, 48), (63, 57), (77, 56))),
            ("h", ((19, 79), (81, 78))),
        ),
    ),
    "5": (
        11.5,
        (
            ("h", ((14, 16), (86, 13))),
            ("v", ((47, 16), (33, 82))),
            ("z", ((17, 49), (73, 46), (67, 84))),
            ("h", ((4, 88), (96, 84))),
        ),
    ),
    "6": (
        12,
        (
            ("d", ((45, 6), (55, 24))),
            ("h", ((6, 38), (94, 34))),
            ("p", ((36, 51), (28, 70), (8, 93))),
            ("n", ((59, 52), (73, 70), (93, 92))),
        ),
    ),
    "7": (
        12,
        (
            ("h", ((6, 53), (94, 37))),
            ("c", ((43, 8), (43, 60), (46, 80), (60, 88), (86, 87), (91, 66))),
        ),
    ),
    "8": (
        12.5,
        (
            ("p", ((38, 20), (33, 54), (6, 89))),
            ("n", ((55, 12), (64, 50), (95, 88))),
        ),
    ),
    "9": (
        11.5,
        (
            ("p", ((42, 6), (40, 52), (7, 92))),
            ("z", ((12, 37), (67, 33), (65, 60))),
            ("c", ((65, 52), (64, 74), (72, 88), (90, 87), (94, 68))),
        ),
    ),
    "man": (
        7.6,
        (
            ("h", ((8, 16), (92, 14))),
            ("v", ((34, 5), (36, 27))),
            ("v", ((66, 4), (64, 27))),
            ("v", ((24, 32), (27, 61))),
            ("z", ((23, 35), (77, 33), (73, 61))),
            ("h", ((27, 47), (73, 46))),
            ("h", ((28, 59), (73, 58))),
            ("v", ((50, 34), (50, 84))),
            ("v", ((13, 68), (15, 97))),
            ("z", ((11, 71), (88, 69), (86, 93), (77, 92))),
            ("c", ((32, 87), (46, 86), (62, 82))),
            ("d", ((58, 75), (69, 90))),
        ),
    ),
    "E": (
        9,
        (
            ("h", ((11, 20), (89, 17))),
            ("v", ((24, 33), (27, 64))),
            ("z", ((22, 36), (78, 35), (74, 64))),
            ("h", ((27, 49), (73, 48))),
            ("h", ((27, 62), (74, 61))),
            ("v", ((50, 3), (50, 97))),
            ("p", ((47, 63), (35, 78), (6, 94))),
            ("n", ((53, 63), (67, 78), (95, 93))),
        ),
    ),
    "S": (
        8.8,
        (
            ("h", ((12, 17), (88, 14))),
            ("v", ((50, 2), (49, 34))),
            ("v", ((15, 34), (16, 97))),
            ("z", ((12, 37), (87, 35), (86, 93), (74, 91))),
            ("d", ((34, 43), (41, 54))),
            ("p", ((66, 42), (62, 50), (56, 56))),
            ("h", ((29, 60), (71, 58))),
            ("h", ((25, 76), (75, 74))),
            ("v", ((50, 58), (50, 94))),
        ),
    ),
    "W": (
        9.4,
        (
            ("h", ((8, 16), (92, 13))),
            ("v", ((15, 36), (20, 95))),
            ("z", ((12, 39), (88, 37), (82, 95))),
            ("p", ((39, 16), (38, 52), (27, 69))),
            ("c", ((61, 16), (61, 54), (65, 65), (78, 63))),
            ("h", ((20, 87), (82, 86))),
        ),
    ),
    "N": (
        10,
        (
            ("h", ((9, 37), (37, 33))),
            ("v", ((38, 7), (38, 95))),
            ("h", ((5, 81), (38, 66))),
            ("c", ((60, 5), (60, 60), (62, 80), (72, 88), (90, 86), (94, 66))),
            ("p", ((91, 24), (78, 40), (61, 52))),
        ),
    ),
    "F": (
        7.4,
        (
            ("z", ((12, 15), (42, 13), (34, 30))),
            ("p", ((36, 24), (26, 39), (6, 52))),
            ("d", ((13, 26), (24, 37))),
            ("p", ((74, 4), (68, 14), (60, 21))),
            ("n", ((52, 6), (66, 32), (95, 49))),
            ("p", ((91, 17), (83, 28), (72, 33))),
            ("z", ((13, 56), (43, 55), (41, 67))),
            ("h", ((17, 67), (43, 66))),
            ("z", ((19, 65), (17, 79), (44, 78), (41, 94), (31, 92))),
            ("p", ((61, 53), (60, 63), (50, 71))),
            ("z", ((60, 56), (81, 55), (81, 66), (94, 68))),
            ("z", ((54, 77), (84, 76), (76, 86))),
            ("p", ((78, 83), (68, 91), (49, 98))),
            ("n", ((57, 80), (70, 90), (95, 98))),
        ),
    ),
    "C": (
        11.5,
        (
            ("v", ((17, 29), (21, 69))),
            ("z", ((14, 34), (85, 32), (80, 69))),
            ("h", ((20, 64), (81, 63))),
            ("v", ((50, 2), (50, 99))),
        ),
    ),
}
"""Width of the brush and strokes of each character."""


def _number(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")


def _path(points: list[Point], closed: bool) -> str:
    steps = " ".join(f"{_number(x)} {_number(y)}" for x, y in points)
    return f"M{steps}{'Z' if closed else ''}"


def _smooth(points: tuple[Point, ...], count: int) -> list[Point]:
    """Points along a curve through the given ones (Catmull and Rom)."""
    padded = (points[0], *points, points[-1])
    found: list[Point] = []
    for step in range(count + 1):
        place = step / count * (len(points) - 1)
        index = min(int(place), len(points) - 2)
        t = place - index
        p0, p1, p2, p3 = padded[index : index + 4]
        found.append(
            tuple(  # type: ignore[arg-type]
                0.5
                * (
                    2 * b
                    + (c - a) * t
                    + (2 * a - 5 * b + 4 * c - d) * t * t
                    + (3 * b - a - 3 * c + d) * t**3
                )
                for a, b, c, d in zip(p0, p1, p2, p3, strict=True)
            )
        )
    return found


def _width_at(profile: tuple[float, ...], place: float) -> float:
    index = min(int(place * (len(profile) - 1)), len(profile) - 2)
    t = place * (len(profile) - 1) - index
    t = t * t * (3 - 2 * t)
    return profile[index] * (1 - t) + profile[index + 1] * t


def _brush(kind: str, points: tuple[Point, ...], width: float) -> str:
    """The outline of one stroke."""
    count = 6 if len(points) == 2 else 6 * (len(points) - 1)
    line = _smooth(points, count)
    left: list[Point] = []
    right: list[Point] = []
    for index, (x, y) in enumerate(line):
        x0, y0 = line[max(0, index - 1)]
        x1, y1 = line[min(count, index + 1)]
        length = math.hypot(x1 - x0, y1 - y0) or 1
        half = width / 2 * _width_at(PROFILES[kind], index / count)
        nx, ny = -(y1 - y0) / length * half, (x1 - x0) / length * half
        left.append((x + nx, y + ny))
        right.append((x - nx, y - ny))
    return _path(left + right[::-1], True)


def character(name: str, x: float, y: float, size: float, height: float, colour: str) -> str:
    """A character in a box of `size` by `height`."""
    width, strokes = CHARACTERS[name]
    bodies = "".join(_brush(kind, points, width) for kind, points in strokes if kind != "z")
    turns = "".join(_path(list(points), False) for kind, points in strokes if kind == "z")
    turned = (
        f'<path d="{turns}" fill="none" stroke="{colour}" stroke-width="{_number(width)}"/>'
        if turns
        else ""
    )
    scale = f"scale({size / 100:.3f} {height / 100:.3f})"
    return (
        f'<g transform="translate({_number(x)} {_number(y)}) {scale}">'
        f'<path fill="{colour}" d="{bodies}"/>{turned}</g>'
    )


# ---------------------------------------------------------------------- pinzu


def _disc(x: float, y: float, r: float, colour: str) -> str:
    rings = (
        (r, colour),
        (r * 0.76, "#fff"),
        (r * 0.56, colour),
        (r * 0.2, "#fff"),
    )
    return "".join(
        f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(size)}" fill="{fill}"/>'
        for size, fill in rings
    )


def _one_pin() -> str:
    petals = "".join(
        f'<circle cx="{_number(30 + 15 * math.cos(turn * math.pi / 6))}" '
        f'cy="{_number(40 + 15 * math.sin(turn * math.pi / 6))}" r="3.4" fill="{RED}"/>'
        for turn in range(12)
    )
    return (
        f'<circle cx="30" cy="40" r="24" fill="{BLUE}"/><circle cx="30" cy="40" r="20.4" '
        f'fill="#fff"/>{petals}<circle cx="30" cy="40" r="9.5" fill="{BLUE}"/>'
        f'<circle cx="30" cy="40" r="5.6" fill="#fff"/><circle cx="30" cy="40" r="3" fill="{RED}"/>'
    )


PINS: Final[dict[int, tuple[float, str]]] = {
    2: (13.5, "30,21g 30,59b"),
    3: (11.6, "14,16b 30,40r 46,64g"),
    4: (11.6, "16.5,21b 43.5,21g 16.5,59g 43.5,59b"),
    5: (10.6, "15.5,18b 44.5,18g 30,40r 15.5,62g 44.5,62b"),
    6: (10.2, "17.5,15g 42.5,15g 17.5,42r 42.5,42r 17.5,65r 42.5,65r"),
    7: (9.2, "13,12g 30,20g 47,28g 18.5,47r 41.5,47r 18.5,67r 41.5,67r"),
    8: (8.8, "18.5,12b 41.5,12b 18.5,30.7b 41.5,30.7b 18.5,49.3b 41.5,49.3b 18.5,68b 41.5,68b"),
    9: (8.9, "11.5,14g 30,14g 48.5,14g 11.5,40r 30,40r 48.5,40r 11.5,66b 30,66b 48.5,66b"),
}
"""Radius, then place and colour of each disc."""

COLOURS: Final = {"r": RED, "g": GREEN, "b": BLUE}


def pins(number: int, red: bool) -> str:
    """The discs of a pinzu tile."""
    if number == 1:
        return _one_pin()
    radius, places = PINS[number]
    parts = []
    for place in places.split():
        x, y = place[:-1].split(",")
        parts.append(_disc(float(x), float(y), radius, RED if red else COLOURS[place[-1]]))
    return "".join(parts)


# ---------------------------------------------------------------------- souzu


def _stick(x: float, y: float, height: float, colour: str, turn: float = 0) -> str:
    half, w = height / 2, 4.4
    knot = 1.5
    shape = (
        f"M{-w} {_number(-half)}h{2 * w}l-1.6 {_number(half - knot)}h1.2v{2 * knot}h-1.2"
        f"l1.6 {_number(half - knot)}h{-2 * w}l1.6 {_number(knot - half)}h-1.2v{-2 * knot}h1.2z"
    )
    turned = f" rotate({_number(turn)})" if turn else ""
    return (
        f'<g transform="translate({_number(x)} {_number(y)}){turned}">'
        f'<path fill="{colour}" stroke="{colour}" stroke-width="1.4" stroke-linejoin="round" '
        f'd="{shape}"/><path d="M0 {_number(-half + 2.5)}V{_number(-knot - 1.5)}M0 '
        f'{_number(knot + 1.5)}V{_number(half - 2.5)}" stroke="#fff" stroke-width="1.5" '
        f'stroke-opacity=".75"/></g>'
    )


def _bird() -> str:
    """One of souzu: a bird on a stem of bamboo."""
    feathers = "".join(
        f'<path d="M29 50 Q{x1} {y1} {x2} {y2}" fill="none" stroke="{colour}" '
        'stroke-width="4" stroke-linecap="round"/>'
        for x1, y1, x2, y2, colour in (
            (22, 62, 8, 66, GREEN),
            (24, 66, 17, 73, RED),
            (30, 68, 29, 75, GREEN),
            (36, 66, 41, 73, RED),
        )
    )
    return (
        f"{feathers}"
        f'<path d="M39 15 C48 17 50 28 46 38 C43 50 34 57 25 55 C13 52 9 41 15 33 '
        f'C20 26 27 30 30 24 C31 18 34 14 39 15Z" fill="{GREEN}"/>'
        f'<path d="M17 37 C23 33 31 36 35 45 C28 50 19 48 17 37Z" fill="#fff"/>'
        f'<path d="M20 39 C24 37 29 39 31 44 C27 46 22 45 20 39Z" fill="{BLUE}"/>'
        f'<path d="M45 19 L55 22 L45 26Z" fill="{RED}"/><circle cx="40.5" cy="21.5" r="3" '
        f'fill="#fff"/><circle cx="41" cy="21.5" r="1.6" fill="{INK}"/>'
        f'<path d="M37 14 C35 9 37 6 41 5 M40 14 C41 10 43 8 46 8" fill="none" stroke="{RED}" '
        'stroke-width="2.4" stroke-linecap="round"/>'
    )


STICKS: Final[dict[int, tuple[float, str]]] = {
    2: (27, "30,22g 30,58b"),
    3: (27, "30,22b 16,58g 44,58g"),
    4: (27, "17,22b 43,22g 17,58g 43,58b"),
    5: (25, "14,21g 46,21b 30,40r 14,59b 46,59g"),
    6: (27, "13,22g 30,22g 47,22g 13,58b 30,58b 47,58b"),
    7: (20, "30,14r 13,40g 30,40b 47,40g 13,66g 30,66b 47,66g"),
    9: (20, "13,14g 30,14r 47,14g 13,40g 30,40r 47,40g 13,66g 30,66r 47,66g"),
}
"""Height, then place and colour of each stick."""

_EIGHT: Final = (
    (10, 21, 0, GREEN), (50, 21, 0, GREEN), (22.5, 22, -32, BLUE), (37.5, 22, 32, BLUE),
    (10, 59, 0, GREEN), (50, 59, 0, GREEN), (22.5, 58, 32, BLUE), (37.5, 58, -32, BLUE),
)  # fmt: skip


def sticks(number: int, red: bool) -> str:
    """The bamboo of a souzu tile."""
    if number == 1:
        return _bird()
    if number == 8:
        return "".join(_stick(x, y, 27, colour, turn) for x, y, turn, colour in _EIGHT)
    height, places = STICKS[number]
    parts = []
    for place in places.split():
        x, y = place[:-1].split(",")
        colour = RED if red else GREEN if place[-1] == "b" else COLOURS[place[-1]]
        parts.append(_stick(float(x), float(y), height, colour))
    return "".join(parts)


# ---------------------------------------------------------------------- the sheet


def _man(number: int, red: bool) -> str:
    numeral = character(str(number), 12, 4, 36, 33, RED if red else INK)
    return numeral + character("man", 10.5, 39, 39, 37, RED)


def _honour(name: str) -> str:
    if name == "P":
        return (
            f'<rect x="9" y="10" width="42" height="60" rx="5" fill="none" stroke="{BLUE}" '
            f'stroke-width="4"/><rect x="15" y="16" width="30" height="48" rx="2.5" fill="none" '
            f'stroke="{BLUE}" stroke-width="1.6"/>'
        )
    colour = {"F": GREEN, "C": RED}.get(name, INK)
    return character(name, 7, 12, 46, 56, colour)


def sheet() -> str:
    """The whole picture."""
    rows = [
        [_man(number, False) for number in range(1, 10)] + [_man(5, True)],
        [pins(number, False) for number in range(1, 10)] + [pins(5, True)],
        [sticks(number, False) for number in range(1, 10)] + [sticks(5, True)],
        [_honour(name) for name in "ESWNPFC"],
    ]
    cells = "".join(
        f'<g transform="translate({column * WIDTH} {row * HEIGHT})">{picture}</g>\n'
        for row, pictures in enumerate(rows)
        for column, picture in enumerate(pictures)
    )
    size = f"{WIDTH * 10} {HEIGHT * 4}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" '
        f'width="{WIDTH * 10}" height="{HEIGHT * 4}">\n{cells}</svg>\n'
    )


def main() -> None:
    """Write the file."""
    path = Path(__file__).parent / "web" / "tiles.svg"
    path.write_text(sheet(), encoding="utf-8")
    print(f"{path}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
