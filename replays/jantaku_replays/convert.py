"""Converting records between the forms, and what each form cannot carry."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from jantaku_engine import events as ev
from jantaku_engine.rules import Ruleset

from . import mjai_log, native, tenhou_json_writer, tenhou_xml_writer
from .findings import Tally
from .record import Record, RecordError
from .rule_bits import bits_of, further, inferred
from .verify import complete


def native_text(record: Record) -> str:
    """The native text of a complete record."""
    start = ev.StartGame(record.names, record.rules.to_dict())
    events = [start, *(event for kyoku in record.kyokus for event in kyoku.events)]
    return native.dumps(
        [*events, record.end[0]], record.bots, record.origin, record.shuffle, record.whole
    )


class Form(NamedTuple):
    """A form of records.

    Attributes:
        name: as `--to` has it. title: for people. suffixes: of files. dumps: a complete record's
            text. links: whether Tenhou's viewer takes it.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    dumps: Callable[[Record], str]


FORMS: Final[Mapping[str, Form]] = {
    form.name: form
    for form in (
        Form("native", "native", (".mjson",), native_text),
        Form("mjai", "plain mjai", (".jsonl",), mjai_log.dumps),
        Form("tenhou-json", "Tenhou JSON", (".json",), tenhou_json_writer.dumps),
        Form("tenhou-xml", "Tenhou XML", (".xml", ".mjlog"), tenhou_xml_writer.dumps),
    )
}
"""Every form by name."""

GZIP: Final = ".gz"
HIDDEN_NAMES: Final = ("A", "B", "C", "D")


def form_of_name(name: str) -> Form | None:
    """The form that a file name asks for; None when it asks for none."""
    plain = name.lower().removesuffix(GZIP)
    return next((form for form in FORMS.values() if plain.endswith(form.suffixes)), None)


_PASSED_OVER: Final[Mapping[str, tuple[str, ...]]] = {
    "tenhou_xml": ("the players' dan, rate and sex, the room, disconnects, ids of equal tiles",),
    "tenhou_json": ("the title, the players' dan, rate and sex, the room",),
}
"""What is not taken over from a form, whatever the other form is."""


class Converted(NamedTuple):
    """A record in another form.

    Attributes:
        record: the complete record. text: in the form. dropped: what it does not carry.
        invented: what it has that the first form did not tell.
    """

    record: Record
    text: str
    dropped: tuple[str, ...]
    invented: tuple[str, ...] = ()


def completed(record: Record, hide_names: bool = False) -> Record:
    """The record with everything that follows from the rules, when nothing in it is wrong.

    Raises:
        RecordError: it differs from what the engine finds; the text says where first.
    """
    return _completed(record, hide_names)[0]


def _completed(record: Record, hide_names: bool) -> tuple[Record, Tally]:
    full, tally = complete(record)
    if tally.mismatches:
        more = len(tally.mismatches) - 1
        others = f" (and {more} more)" if more else ""
        raise RecordError(f"{tally.mismatches[0].line}{others}")
    if hide_names:
        full = dataclasses.replace(full, names=HIDDEN_NAMES, bots=("",) * 4)
    return full, tally


def convert(record: Record, form: Form, hide_names: bool = False) -> Converted:
    """A record in another form.

    Raises:
        RecordError: it does not verify, or has what the form has no place for.
    """
    full, tally = _completed(record, hide_names)
    wins = f"{tally.ura_unknown} win{'s' * (tally.ura_unknown > 1)}"
    invented = (f"ura dora indicators of {wins}, which the record does not show",)
    return Converted(
        full,
        form.dumps(full),
        dropped(full, form.name),
        invented if tally.ura_unknown else (),
    )


def dropped(record: Record, form: str) -> tuple[str, ...]:
    """What a form does not carry of a complete record, in words."""
    lost = list(_PASSED_OVER.get(record.form, ()))
    if form == "native":
        return tuple(lost)
    events = [event for kyoku in record.kyokus for event in kyoku.events]
    if any(isinstance(event, ev.StartKyoku) and event.wall_hash for event in events):
        lost.append("keys and commitments of the walls")
    elif record.shuffle and form != "tenhou-xml":
        lost.append("the seed of the walls")
    if record.origin is not None:
        lost.append("the seed of the game and its promise")
    if any(record.bots):
        lost.append("who the bots are")
    if form == "mjai" and record.whole:
        lost.append("final points and ranks")
    if form == "tenhou-json" and not record.whole:
        lost.append("how things stand at the end")
    if _has_further_rules(record.rules):
        lost.append("rules beyond Tenhou's for other programs (they stand in an extra field)")
    return tuple(lost)


def _has_further_rules(rules: Ruleset) -> bool:
    bits = bits_of(rules)
    tenths = rules.points_rounding == "none"
    return bool(further(rules, inferred(bits._replace(tenths=tenths))))
