"""The ways in which mjai programs talk, and which question an answer belongs to.

* `line`: one answer for every message it reads, `none` where there is nothing to do;
* `act`: an answer only when it acts; when it passes, `none` or nothing;
* `batch`: reads a JSON array of the events since its last decision, answers each array once;
* `auto`: `line` or `act`, found out from its answers.

mjai answers do not say what they answer, programs are slow, and the clock may be first. The late
answer to one question must never be taken for the answer to a later one. Two rules see to that:

* By count. A program that answers everything has its n-th answer belong to its n-th message.
* By content. A program that answers only when it acts answers each turn of its own once, in
  order, and may keep silent about the others' tiles: an answer goes to the oldest moment still
  without one that it fits, and a `none` to the oldest moment of all.

`auto` lets both rules count along. When an answer is, by count, the one to the last message and
a question came with it, then the program has answered every message so far: it is certain, and
the style is `line`. When an answer cannot be one by count, the program answers only when it
acts, and its actions are taken by content; its `none` only after some turns in which it said
none too many. Until then the clock passes for it: slow, but never wrong.
"""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Mapping
from typing import Any, Final

from jantaku_engine import actions as act
from jantaku_engine import events as ev
from jantaku_engine.actions import Action
from jantaku_engine.events import Event
from jantaku_engine.tiles import MJAI

from .audience import Question

STYLES: Final = ("auto", "line", "act", "batch")

TURNS_TO_TRUST: Final = 2
"""Own turns that an `auto` program must have answered before its `none` is taken for a pass."""

_OWN: Final = ("dahai", "reach", "ankan", "kakan", "ryukyoku")
_CLAIMS: Final = ("none", "chi", "pon", "daiminkan", "hora")


def read_answer(message: Mapping[str, Any], question: Question) -> Action | None:
    """The action of the question's menu that an mjai answer means, or None.

    Programs leave out what they think is clear: a bare `reach`, no `tsumogiri`, no `consumed`,
    no `target`. What they do say of actor, target and tiles must fit; of several actions that
    fit, the first in the menu is taken. A discard without `tsumogiri` is the drawn tile where
    that is the same.
    """
    kind = message.get("type")
    pai = message.get("pai")
    consumed = message.get("consumed")
    target = message.get("target")
    if message.get("actor") not in (None, question.seat):
        return None
    if target not in (None, question.target) and kind != "none":
        return None
    if kind == "dahai" and pai is None:
        return None
    fitting = [a for a in question.menu if act.ACTION_NAMES[a.type] == kind]
    if pai is not None:
        fitting = [a for a in fitting if a.tile < 0 or MJAI[a.tile] == pai]
    if isinstance(consumed, list) and kind != "kakan":
        # A kakan is known by its tile; programs differ in what they call consumed there.
        names = sorted(map(str, consumed))
        fitting = [a for a in fitting if sorted(MJAI[t] for t in a.consumed) == names]
    if kind == "dahai":
        flag = message.get("tsumogiri") is not False
    else:
        flag = message.get("open") is True
    fitting.sort(key=lambda a: a.flag != flag)
    return fitting[0] if fitting else None


@dataclasses.dataclass(slots=True, eq=False)
class Moment:
    """A moment at which the program may have something to answer.

    Attributes:
        message: number of the message that it came with, from 0.
        question: what the table asked; None for an event that the program was told after it
            happened, where only the event says whether it could answer.
        own: whether it must act. pai, target: the tile that it may claim and whose it is.
        refused: its answer was one that the menu does not have.
    """

    message: int
    question: Question | None
    own: bool
    pai: str = ""
    target: int = -1
    refused: bool = False

    @staticmethod
    def of_question(message: int, question: Question) -> Moment:
        """The moment of a question that is open now."""
        return Moment(message, question, act.PASS not in question.menu)

    @staticmethod
    def of_event(message: int, event: Event, seat: int) -> Moment | None:
        """The moment of a past event, or None where `seat` had nothing to say."""
        actor = getattr(event, "actor", -1)
        if actor == seat:
            if event.type in (ev.TSUMO, ev.CHI, ev.PON, ev.REACH):
                return Moment(message, None, own=True, target=seat)
        elif isinstance(event, ev.Dahai | ev.Kakan):
            return Moment(message, None, own=False, pai=MJAI[event.pai], target=actor)
        elif isinstance(event, ev.Ankan):
            return Moment(message, None, own=False, target=actor)
        return None

    def fits(self, answer: Mapping[str, Any]) -> bool:
        """Whether the answer could be meant for this moment."""
        if self.question is not None:
            return read_answer(answer, self.question) is not None
        kind = answer.get("type")
        if kind == "hora" or not self.own:
            pai, target = answer.get("pai"), answer.get("target")
            tile_fits = pai is None or not self.pai or pai == self.pai
            return kind in _CLAIMS and tile_fits and target in (None, self.target)
        return kind in _OWN


class ByCount:
    """The n-th answer belongs to the n-th message."""

    def __init__(self, got: int) -> None:
        self.got = got
        self._moments: deque[Moment] = deque()

    def add(self, moment: Moment) -> None:
        """A moment has come."""
        if self._moments and self._moments[-1].message == moment.message:
            self._moments.pop()
        self._moments.append(moment)

    def take(self, answer: Mapping[str, Any]) -> tuple[Question | None, bool]:
        """The question of the next answer, if any, and whether the answer fits this rule."""
        index = self.got
        self.got += 1
        moments = self._moments
        while moments and moments[0].message < index:
            moments.popleft()
        if not moments or moments[0].message > index:
            return None, answer.get("type") == "none"
        moment = moments.popleft()
        return moment.question, moment.fits(answer)


class ByContent:
    """An answer belongs to the oldest moment without one that it fits."""

    def __init__(self) -> None:
        self.turns = 0
        self._moments: list[Moment] = []

    def add(self, moment: Moment) -> None:
        """A moment has come; one whose answer was refused gets no other any more."""
        moments = self._moments
        if moments and (moments[-1].refused or moments[-1].message == moment.message):
            moments.pop()
        moments.append(moment)

    def take(self, answer: Mapping[str, Any]) -> tuple[Question | None, bool]:
        """The question of the next answer, if any, and whether the answer fits this rule."""
        moments = self._moments
        kind = answer.get("type")
        if kind == "none":
            # Of an own turn the program has still to speak, so it is nothing about what follows.
            if not moments or moments[0].own:
                return None, False
            return moments.pop(0).question, True
        is_own = kind in _OWN
        for place, moment in enumerate(moments):
            if moment.fits(answer):
                self.turns += moment.own
                del moments[: place + 1]
                return moment.question, True
            if moment.own and not is_own:
                break  # it has still to speak of this turn, before it claims anything later
        return self._refused_turn() if is_own else self._refused_claim(answer), False

    def _refused_claim(self, answer: Mapping[str, Any]) -> Question | None:
        """A claim that fits nowhere: the question that it most likely was meant for, if any."""
        last = self._moments[-1] if self._moments else None
        return None if last is None or last.own or last.fits(answer) else last.question

    def _refused_turn(self) -> Question | None:
        """An action that fits no turn was the oldest turn's one answer."""
        for place, moment in enumerate(self._moments):
            if moment.own:
                if place == len(self._moments) - 1:
                    moment.refused = True  # while it is open, a better answer may come
                else:
                    del self._moments[: place + 1]
                return moment.question
        return None


class Dialect:
    """One program's talk at one seat.

    `sent` messages and `got` answers lie before this connection: a program that comes back names
    how many it has read, and how many of its answers it will not send again.

    Attributes:
        style: one of `STYLES`; `auto` becomes `line` or `act` when it is known.
        sent: messages that the program has been sent.
    """

    def __init__(self, style: str, seat: int, sent: int = 0, got: int = 0) -> None:
        self.style = style
        self.sent = sent
        self._seat = seat
        self._found_out = style == "auto"
        self._count = ByCount(got)
        self._content = ByContent()
        self._asked = False
        self._strange = False

    @property
    def owes_answers(self) -> bool:
        """Whether the program has sent fewer answers than it was sent messages."""
        return self._count.got < self.sent

    def ask(self, question: Question) -> None:
        """A question is open; it came with the last message sent."""
        self._asked = True
        self._add(Moment.of_question(self.sent - 1, question))

    def missed(self, event: Event, message: int) -> None:
        """The program is told an event late, or comes back having read it: was it asked then?"""
        moment = Moment.of_event(message, event, self._seat)
        if moment is not None:
            self._add(moment)

    def _add(self, moment: Moment) -> None:
        self._count.add(moment)
        self._content.add(moment)

    def answered(self, answer: Mapping[str, Any]) -> Question | None:
        """The question that an answer belongs to, which may be closed by now; None for none."""
        if not self.owes_answers:
            # More answers than messages: nothing can be said about it, and it must not count.
            return None
        by_count, count_fits = self._count.take(answer)
        by_content, content_fits = self._content.take(answer)
        if self.style in ("line", "batch"):
            return by_count
        if self._found_out:
            is_none = answer.get("type") == "none"
            self._strange |= is_none and self._asked and not content_fits
            if by_count is not None and not self.owes_answers:
                self.style = "line"
                return by_count
            if not count_fits:
                self.style = "act"
            if self.style == "auto" or (is_none and not self._trusts_none):
                return None
        return by_content

    @property
    def _trusts_none(self) -> bool:
        return self._content.turns >= TURNS_TO_TRUST and not self._strange
