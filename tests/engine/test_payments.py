"""Base points, limits, and what each seat pays."""

from __future__ import annotations

import pytest

from jantaku_engine.payments import (
    LIMIT_BASE,
    NAGASHI_BASE,
    hand_base,
    honba_on_ron,
    honba_on_tsumo,
    ron_points,
    round_up,
    tsumo_points,
    yakuman_base,
)


@pytest.mark.parametrize(
    ("han", "fu", "ron", "dealer_ron", "tsumo", "dealer_tsumo"),
    [
        (1, 30, 1000, 1500, (500, 300), (0, 500)),
        (1, 40, 1300, 2000, (700, 400), (0, 700)),
        (1, 110, 3600, 5300, (1800, 900), (0, 1800)),
        (2, 20, 1300, 2000, (700, 400), (0, 700)),
        (2, 25, 1600, 2400, (800, 400), (0, 800)),
        (2, 110, 7100, 10600, (3600, 1800), (0, 3600)),
        (3, 25, 3200, 4800, (1600, 800), (0, 1600)),
        (3, 60, 7700, 11600, (3900, 2000), (0, 3900)),
        (4, 20, 5200, 7700, (2600, 1300), (0, 2600)),
        (4, 25, 6400, 9600, (3200, 1600), (0, 3200)),
        (4, 30, 7700, 11600, (3900, 2000), (0, 3900)),
        (3, 70, 8000, 12000, (4000, 2000), (0, 4000)),
        (4, 40, 8000, 12000, (4000, 2000), (0, 4000)),
    ],
)
def test_points_below_and_at_mangan(
    han: int,
    fu: int,
    ron: int,
    dealer_ron: int,
    tsumo: tuple[int, int],
    dealer_tsumo: tuple[int, int],
) -> None:
    base, limit = hand_base(han, fu, False, 1)
    assert ron_points(base, False) == ron
    assert ron_points(base, True) == dealer_ron
    assert tsumo_points(base, False) == tsumo
    assert tsumo_points(base, True) == dealer_tsumo
    assert limit == ("mangan" if ron == 8000 else "none")


@pytest.mark.parametrize(
    ("han", "limit", "ron"),
    [
        (5, "mangan", 8000),
        (6, "haneman", 12000),
        (7, "haneman", 12000),
        (8, "baiman", 16000),
        (10, "baiman", 16000),
        (11, "sanbaiman", 24000),
        (12, "sanbaiman", 24000),
        (13, "kazoe_yakuman", 32000),
        (40, "kazoe_yakuman", 32000),
    ],
)
def test_limits_by_han(han: int, limit: str, ron: int) -> None:
    base, name = hand_base(han, 30, False, 1)
    assert (name, ron_points(base, False)) == (limit, ron)


@pytest.mark.parametrize(
    ("counted", "han", "limit", "base"),
    [
        (0, 13, "sanbaiman", 6000),
        (0, 26, "sanbaiman", 6000),
        (1, 26, "kazoe_yakuman", 8000),
        (6, 25, "kazoe_yakuman", 8000),
        (6, 26, "kazoe_yakuman", 16000),
        (6, 39, "kazoe_yakuman", 24000),
        (2, 39, "kazoe_yakuman", 16000),
    ],
)
def test_thirteen_han(counted: int, han: int, limit: str, base: int) -> None:
    assert hand_base(han, 30, False, counted) == (base, limit)


@pytest.mark.parametrize(("han", "fu"), [(4, 30), (3, 60)])
def test_kiriage_rounds_up_to_mangan(han: int, fu: int) -> None:
    assert hand_base(han, fu, True, 1) == (2000, "mangan")
    assert hand_base(han, fu, False, 1) == (1920, "none")


@pytest.mark.parametrize(("han", "fu"), [(4, 25), (3, 50), (2, 110), (4, 20)])
def test_kiriage_leaves_other_hands(han: int, fu: int) -> None:
    assert hand_base(han, fu, True, 1) == hand_base(han, fu, False, 1)


def test_multiples_of_yakuman() -> None:
    assert [ron_points(yakuman_base(m), False) for m in (1, 1.5, 2, 6)] == [
        32000,
        48000,
        64000,
        192000,
    ]
    assert ron_points(yakuman_base(2.5), True) == 120000
    assert tsumo_points(yakuman_base(1), False) == (16000, 8000)
    assert tsumo_points(yakuman_base(1), True) == (0, 16000)


def test_nagashi_is_paid_as_a_tsumo_of_its_limit() -> None:
    assert tsumo_points(NAGASHI_BASE["mangan"], True) == (0, 4000)
    assert tsumo_points(NAGASHI_BASE["mangan"], False) == (4000, 2000)
    assert tsumo_points(NAGASHI_BASE["sanbaiman"], False) == (12000, 6000)
    assert set(NAGASHI_BASE) == {"mangan", "baiman", "sanbaiman"}
    assert LIMIT_BASE["yakuman"] == yakuman_base(1)


def test_honba() -> None:
    assert (honba_on_ron(2, 300), honba_on_tsumo(2, 300)) == (600, 200)
    assert (honba_on_ron(2, 1500), honba_on_tsumo(2, 1500)) == (3000, 1000)


def test_rounding_is_up_to_the_next_hundred() -> None:
    assert [round_up(points) for points in (0, 1, 100, 101, 1920)] == [0, 100, 100, 200, 2000]


def test_every_payment_is_a_multiple_of_100() -> None:
    for han in range(1, 15):
        for fu in (20, 25, *range(30, 140, 10)):
            base, _ = hand_base(han, fu, False, 1)
            for dealer in (False, True):
                for points in (ron_points(base, dealer), *tsumo_points(base, dealer)):
                    assert points % 100 == 0
