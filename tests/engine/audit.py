"""What a hand must have paid, worked out again from its events and the rule book alone."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from jantaku_engine import events as ev
from jantaku_engine.rules import Ruleset
from jantaku_engine.tiles import KIND

LIMITS = {"mangan": 2000, "haneman": 3000, "baiman": 4000, "sanbaiman": 6000}


def hundred(points: Fraction | int) -> int:
    """Rounded up to a multiple of 100."""
    return int(-(-points // 100) * 100)


def base_points(hora: ev.Hora, rules: Ruleset) -> Fraction:
    """RULES 7.2, from han and fu; a limit that the event claims must be the one they give."""
    if hora.yakuman:
        assert hora.limit == "yakuman"
        return Fraction(8000) * Fraction(hora.yakuman)
    han, fu = hora.han, hora.fu
    floor = 0
    names = dict(hora.yaku)
    if "renhou" in names and rules.renhou_mode not in ("yakuman", "stack5"):
        floor = LIMITS[rules.renhou_mode]
    if han >= 13:
        base = {"sanbaiman": 6000, "yakuman": 8000, "stack": 8000 * (han // 13)}[rules.kazoe]
    elif han >= 11:
        base = 6000
    elif han >= 8:
        base = 4000
    elif han >= 6:
        base = 3000
    elif han == 5:
        base = 2000
    else:
        base = fu * 2 ** (2 + han)
        if base > 2000 or (rules.kiriage and (han, fu) in ((4, 30), (3, 60))):
            base = 2000
    base = max(base, floor)
    if han < 13 and "shiisan_puutou" not in names:
        expected = next((name for name, points in LIMITS.items() if points == base), "none")
        assert hora.limit == expected, (han, fu, hora.limit)
    return Fraction(base)


def liable_seats(events: Sequence[ev.Event], hora: ev.Hora, rules: Ruleset) -> dict[str, int]:
    """Yakuman of the winner and who has to answer for it (RULES 7.6), from the calls."""
    liable: dict[str, int] = {}
    if not rules.pao:
        return liable
    dragons = winds = 0
    for event in events:
        if not isinstance(event, ev.Naki | ev.Ankan) or event.actor != hora.actor:
            continue
        if event.type == ev.CHI:
            continue
        kind = KIND[event.consumed[0]]
        feeder = event.target if isinstance(event, ev.Naki) else -1
        if kind >= 31:
            dragons += 1
            if dragons == 3 and feeder >= 0:
                liable["daisangen"] = feeder
        elif kind >= 27:
            winds += 1
            if winds == 4 and feeder >= 0:
                liable["daisuushii"] = feeder
    won = {name for name, _ in hora.yaku}
    return {
        name: seat
        for name, seat in liable.items()
        if name in won and seat != hora.target and hora.yakuman
    }


def expected_win(
    hora: ev.Hora, events: Sequence[ev.Event], rules: Ruleset, oya: int, honba: int, kyotaku: int
) -> list[int]:
    """Changes of the scores by one win."""
    base = base_points(hora, rules)
    deltas = [0, 0, 0, 0]
    dealer = hora.actor == oya
    tsumo = hora.actor == hora.target
    liable = liable_seats(events, hora, rules)

    def pay(seat: int, points: int) -> None:
        deltas[seat] -= points
        deltas[hora.actor] += points

    def share(part: Fraction) -> None:
        """An ordinary win of this base."""
        if tsumo:
            for seat in range(4):
                if seat != hora.actor:
                    pay(seat, hundred(part * (2 if dealer or seat == oya else 1)))
        else:
            pay(hora.target, hundred(part * (6 if dealer else 4)))

    assert len(set(liable.values())) <= 1, "two liable seats: not worked out here"
    if not liable:
        share(base)
        if tsumo:
            for seat in range(4):
                if seat != hora.actor:
                    pay(seat, honba * rules.honba_value // 3)
        else:
            pay(hora.target, honba * rules.honba_value)
    else:
        seat = next(iter(liable.values()))
        multiples = dict(hora.yaku)
        part = sum(Fraction(8000) * Fraction(multiples[name]) for name in liable)
        part = base if rules.pao_scope == "all" else min(part, base)
        points = int(part * (6 if dealer else 4))
        if tsumo:
            pay(seat, points)
            pay(seat, honba * rules.honba_value)
        else:
            pay(seat, points // 2)
            pay(hora.target, points // 2)
            payer = seat if rules.pao_honba == "liable" else hora.target
            pay(payer, honba * rules.honba_value)
        share(base - part)
    deltas[hora.actor] += kyotaku * 1000
    return deltas


def check(events: Sequence[ev.Event], rules: Ruleset) -> None:
    """Every payment of one hand; `events` from its start_kyoku to its end_kyoku."""
    start = events[0]
    assert isinstance(start, ev.StartKyoku)
    scores = list(start.scores)
    kyotaku = start.kyotaku
    rivers: list[list[tuple[int, bool]]] = [[], [], [], []]
    discarder = -1
    horas = 0
    for index, event in enumerate(events):
        if isinstance(event, ev.Dahai):
            rivers[event.actor].append((KIND[event.pai], False))
            discarder = event.actor
        elif isinstance(event, ev.Naki):
            kind, _ = rivers[event.target].pop()
            rivers[event.target].append((kind, True))
        elif isinstance(event, ev.ReachAccepted):
            scores[event.actor] -= 1000
            kyotaku += 1
            assert list(event.scores) == scores
            assert event.actor == discarder
        elif isinstance(event, ev.Hora):
            each = rules.multi_ron_honba == "each"
            honba = start.honba if horas == 0 or each else 0
            expected = expected_win(event, events[:index], rules, start.oya, honba, kyotaku)
            assert list(event.deltas) == expected, event
            scores = [a + b for a, b in zip(scores, expected, strict=True)]
            assert list(event.scores) == scores
            kyotaku = 0
            horas += 1
        elif isinstance(event, ev.Ryukyoku):
            expected = expected_draw(event, start, rules, rivers, kyotaku)
            assert list(event.deltas) == expected, event
            scores = [a + b for a, b in zip(scores, expected, strict=True)]
            assert list(event.scores) == scores
    assert isinstance(events[-1], ev.EndKyoku)
    most = {"head_bump": 1, "double": 2, "triple": 3}[rules.multi_ron]
    assert horas <= most


def expected_draw(
    draw: ev.Ryukyoku,
    start: ev.StartKyoku,
    rules: Ruleset,
    rivers: list[list[tuple[int, bool]]],
    kyotaku: int,
) -> list[int]:
    """Changes of the scores by a draw (RULES 5.5, 6)."""
    deltas = [0, 0, 0, 0]
    if draw.reason not in (ev.EXHAUSTIVE, ev.NAGASHI_MANGAN):
        return deltas
    yaochuu = {0, 8, 9, 17, 18, 26, *range(27, 34)}
    order = [(start.oya + turn) % 4 for turn in range(4)]
    nagashi = [
        seat
        for seat in order
        if rules.nagashi != "off"
        and rivers[seat]
        and all(kind in yaochuu and not called for kind, called in rivers[seat])
    ]
    assert list(draw.nagashi) == nagashi
    assert draw.reason == (ev.NAGASHI_MANGAN if nagashi else ev.EXHAUSTIVE)
    if nagashi:
        base = LIMITS[rules.nagashi_value]
        for number, seat in enumerate(nagashi):
            first = rules.nagashi == "win" and number == 0
            honba = start.honba * rules.honba_value // 3 if first else 0
            for payer in range(4):
                if payer != seat:
                    points = base * (2 if start.oya in (seat, payer) else 1) + honba
                    deltas[payer] -= points
                    deltas[seat] += points
            deltas[seat] += 1000 * kyotaku if first else 0
        return deltas
    tenpai = sum(draw.tenpais)
    if tenpai in (0, 4):
        return deltas
    return [3000 // tenpai if t else -3000 // (4 - tenpai) for t in draw.tenpais]
