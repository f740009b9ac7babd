"""What a hand must have paid, worked out again from its events and the rule book alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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


# ---------------------------------------------------------------------- the game


def check_match(events: Sequence[ev.Event], rules: Ruleset) -> None:
    """Who dealt next, with which honba and deposits, and when and how the game ended (RULES 8)."""
    state = {"round": 0, "honba": 0, "kyotaku": 0, "kept": 0, "wins": 0}
    scores = [rules.start] * 4
    ended = False
    for hand in hands_of(events):
        start = hand[0]
        assert isinstance(start, ev.StartKyoku)
        assert not ended, "a hand after the end"
        told = {
            "round": start.bakaze * 4 + start.kyoku - 1,
            "honba": start.honba,
            "kyotaku": start.kyotaku,
            "kept": start.kept,
            "wins": start.wins,
        }
        assert told == state
        assert list(start.scores) == scores
        assert start.oya == start.kyoku - 1
        check(hand, rules)
        scores, ended = step(hand, rules, state, scores)
    last = events[-1]
    assert isinstance(last, ev.EndGame) == ended
    if isinstance(last, ev.EndGame):
        check_points(last, scores, state["kyotaku"], rules)


def hands_of(events: Sequence[ev.Event]) -> Iterator[list[ev.Event]]:
    """The events of each finished hand."""
    hand: list[ev.Event] = []
    for event in events:
        if isinstance(event, ev.StartKyoku):
            hand = []
        hand.append(event)
        if isinstance(event, ev.EndKyoku):
            yield hand


def step(
    hand: Sequence[ev.Event], rules: Ruleset, state: dict[str, int], scores: list[int]
) -> tuple[list[int], bool]:
    """Moves the state on by one hand; the scores after it, and whether the game is over."""
    oya = state["round"] % 4
    sticks = state["kyotaku"] + sum(isinstance(event, ev.ReachAccepted) for event in hand)
    ending = [event for event in hand if isinstance(event, ev.Hora | ev.Ryukyoku)]
    last = ending[-1]
    scores = list(last.scores)
    draw = last if isinstance(last, ev.Ryukyoku) else None
    if draw is None:
        winners = [event.actor for event in ending]  # type: ignore[union-attr]
    else:
        winners = list(draw.nagashi) if rules.nagashi == "win" else []
    abort = draw is not None and draw.reason not in (ev.EXHAUSTIVE, ev.NAGASHI_MANGAN)
    dealer_won = oya in winners
    dealer_tenpai = draw is not None and not abort and not winners and draw.tenpais[oya]
    if abort:
        stays = True
    elif rules.renchan == "none":
        stays = False
    elif winners:
        stays = dealer_won
    else:
        stays = {"tenpai": dealer_tenpai, "agari": False, "noten": True}[rules.renchan]
    order = sorted(range(4), key=lambda seat: (-scores[seat], seat))
    dealer_is_top = order[0] == oya and scores[oya] >= rules.target
    scheduled = 8 if rules.length == "hanchan" else 4
    at = state["round"]

    over = (rules.tobi == "lt0" and min(scores) < 0) or (rules.tobi == "le0" and min(scores) <= 0)
    if stays and not abort and at >= scheduled - 1 and dealer_is_top:
        over |= rules.agari_yame and dealer_won
        over |= rules.tenpai_yame and dealer_tenpai
    if at >= scheduled - 1 and not stays:
        # The last scheduled hand, or one of the extension, is done.
        last_extra = scheduled + 4 * rules.extension_winds - 1
        over |= rules.extension == "none" or max(scores) >= rules.target or at == last_extra
    elif at >= scheduled and stays and max(scores) >= rules.target:
        over |= not rules.extension_renchan_first or dealer_is_top

    state["kyotaku"] = 0 if winners else sticks
    state["honba"] = 0 if winners and not dealer_won else state["honba"] + 1
    state["round"] = at if stays else at + 1
    state["kept"] = state["kept"] + 1 if stays else 0
    state["wins"] = state["wins"] + 1 if stays and dealer_won else 0
    return scores, over


def check_points(end: ev.EndGame, scores: list[int], kyotaku: int, rules: Ruleset) -> None:
    """Final scores, ranks and points (RULES 8.6)."""
    order = sorted(range(4), key=lambda seat: (-scores[seat], seat))
    firsts = [seat for seat in order if scores[seat] == scores[order[0]]]
    final = list(scores)
    if rules.leftover_riichi == "first" or (rules.leftover_riichi == "split" and len(firsts) == 1):
        final[order[0]] += 1000 * kyotaku
    elif rules.leftover_riichi == "split":
        assert sum(end.scores) == sum(scores) + 1000 * kyotaku
        shares = [end.scores[seat] - scores[seat] for seat in firsts]
        assert max(shares) - min(shares) <= 100
        final = list(end.scores)
    assert list(end.scores) == final
    lost = kyotaku if rules.leftover_riichi == "lost" else 0
    assert abs(sum(end.points) + lost) < 1e-6
    uma = rules.tonpuu_uma if rules.length == "tonpuu" and rules.tonpuu_uma else rules.uma
    origin = rules.target if rules.oka else rules.start
    for place, seat in enumerate(order):
        tied = rules.tie == "split_uma" and sum(scores[s] == scores[seat] for s in range(4)) > 1
        if rules.tie == "split_uma":
            assert end.ranks[seat] == 1 + sum(score > scores[seat] for score in scores)
        else:
            assert end.ranks[seat] == place + 1
        if place == 0 or tied:
            continue
        points = Fraction(final[seat], 1000)
        if rules.points_rounding != "none":
            whole, rest = divmod(abs(final[seat]), 1000)
            whole += rest >= (500 if rules.points_rounding == "half_away" else 501)
            points = Fraction(whole if final[seat] >= 0 else -whole)
        assert abs(float(points - Fraction(origin, 1000) + uma[place]) - end.points[seat]) < 1e-6
