"""A session: what it says to each message, in which state, and whom it lets go."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from server_kit import Peer, World, dull, open_request, refused, sample

from jantaku_engine.rules import Ruleset
from jantaku_server import wire
from jantaku_server.limits import MAX_QUEUE
from jantaku_server.session import (
    HELLO_S,
    MOST_GUESSES,
    MOST_OWN,
)
from jantaku_server.table import PLAYING, WAITING

# ---------------------------------------------------------------------- hello


def test_hello_is_answered_by_welcome_with_what_a_client_needs(world: World) -> None:
    welcome = Peer(world).got[-1]
    assert welcome["type"] == "welcome"
    assert welcome["protocol"] == wire.PROTOCOL
    assert welcome["bots"] == ["greedy", "random", "tsumogiri"]
    assert "tenhou" in welcome["presets"]
    assert welcome["clocks"]["people"]["grace"] == 15_000
    assert welcome["phrases"] == list(wire.PHRASES)


def test_the_first_message_is_hello_and_the_second_is_not(world: World) -> None:
    peer = Peer(world, hello=False)
    assert refused(peer.say("list")) == "unexpected"
    assert peer.say("hello", protocol=1)["type"] == "welcome"  # type: ignore[index]
    assert refused(peer.say("hello", protocol=1)) == "unexpected"
    assert peer.line.closed is None


def test_another_version_is_told_ours_and_closed(world: World) -> None:
    peer = Peer(world, hello=False)
    answer = peer.say("hello", protocol=2)
    assert refused(answer) == "version"
    assert "protocol 1" in answer["message"]  # type: ignore[index]
    assert peer.line.closed == (1008, "version")


def test_who_says_no_hello_is_closed_after_ten_seconds(world: World) -> None:
    silent, greeted = Peer(world, hello=False), Peer(world)
    world.clock.advance(HELLO_S - 0.001)
    assert silent.line.closed is None
    world.clock.advance(0.001)
    assert silent.got[-1]["code"] == "silent"
    assert silent.line.closed == (1008, "silent")
    assert greeted.line.closed is None


def test_a_connection_that_ends_before_its_hello_leaves_no_timer(world: World) -> None:
    Peer(world, hello=False).hang_up()
    assert world.clock.next_at is None


# ---------------------------------------------------------------------- lists and tables


def test_list_shows_public_tables_without_their_rules_and_hides_private_ones(world: World) -> None:
    table, _ = world.table()
    private, _ = world.table(private=True)
    answer = world.peer().say("list")
    assert answer is not None
    assert [shown["table"] for shown in answer["tables"]] == [table.id]
    assert "rules" not in answer["tables"][0]
    assert private.settings.code
    assert private.settings.code not in str(answer)


def test_a_list_is_bounded_and_shows_waiting_tables_first(world: World) -> None:
    world.lobby._max_tables = 1000
    for _ in range(250):
        world.table()
    world.seated(4)
    peer = world.peer()
    tables = peer.say("list")["tables"]  # type: ignore[index]
    assert len(tables) == 200
    assert {table["state"] for table in tables} == {WAITING}
    assert len(peer.line.frames[-1]) < MAX_QUEUE, "it waits without being too much"


def test_a_list_of_long_names_is_no_reason_to_cut_who_reads_it(world: World) -> None:
    world.lobby._max_tables = 1000
    for _ in range(200):
        table, _ = world.table()
        for seat in range(3):
            world.peer().say("join", table=table.id, name=f"{seat}" + "\U0001f004" * 39)
    peer = world.peer()
    tables = peer.say("list")["tables"]  # type: ignore[index]
    assert 100 < len(tables) < 200
    assert len(peer.line.frames[-1].encode()) < MAX_QUEUE  # type: ignore[union-attr]


def test_a_private_table_is_joined_by_its_code_only(world: World) -> None:
    table, owner = world.table(private=True)
    peer = world.peer()
    by_id = peer.say("join", table=table.id, name="x")
    nowhere = peer.say("join", table="0" * 16, name="x")
    assert refused(by_id) == "not_found"
    assert by_id == nowhere, "the answer does not tell that the table is there"
    assert refused(peer.say("join", code=table.id, name="x")) == "not_found"
    peer.say("join", code=owner.last("created")["code"], name="x")
    assert peer.last("joined")["table"] == table.id


def test_a_connection_may_have_eight_waiting_tables(world: World) -> None:
    owner = world.peer()
    for _ in range(MOST_OWN):
        owner.say("create")
    assert len(owner.all("created")) == MOST_OWN
    assert refused(owner.say("create")) == "full"
    assert len(world.lobby.tables) == MOST_OWN
    assert world.peer().say("create")["type"] == "created"  # type: ignore[index]


def test_tables_that_are_created_at_once_are_counted_before_they_are_written(world: World) -> None:
    owner = world.peer()
    world.journal.hold = True
    for _ in range(MOST_OWN + 5):
        owner.session.receive(wire.encode({"type": "create"}, "json"))
    assert len(world.lobby.tables) == MOST_OWN


def test_a_table_at_which_people_play_is_no_longer_counted(world: World) -> None:
    owner = world.peer()
    for _ in range(MOST_OWN):
        owner.say("create", seats=["open", *["bot:tsumogiri"] * 3], clock="bots")
    world.peer().say("join", table=owner.all("created")[0]["table"], name="x")
    assert owner.say("create")["type"] == "created"  # type: ignore[index]


HOUSE_RULES = Ruleset.preset("tenhou", kuitan=False, uma=(30, 10, -10, -30))


def test_a_client_is_told_the_rules_of_the_house(world: World) -> None:
    assert world.peer().last("welcome")["rules"] == {"preset": "standard"}
    world.lobby.rules = HOUSE_RULES
    told = world.peer().last("welcome")["rules"]
    assert told == {"preset": "tenhou", "uma": [30, 10, -10, -30], "kuitan": False}
    assert Ruleset.from_dict(told) == HOUSE_RULES


@pytest.mark.parametrize(
    ("rules", "wanted"),
    [
        (None, HOUSE_RULES),
        ({}, HOUSE_RULES),
        ({"length": "tonpuu"}, dataclasses.replace(HOUSE_RULES, length="tonpuu")),
        ({"kuitan": True}, dataclasses.replace(HOUSE_RULES, kuitan=True)),
        ({"preset": "tenhou", "length": "tonpuu"}, Ruleset.preset("tenhou", length="tonpuu")),
        ({"preset": "standard"}, Ruleset()),
    ],
)
def test_options_without_a_preset_are_added_to_the_rules_of_the_house(
    world: World, rules: dict[str, Any] | None, wanted: Ruleset
) -> None:
    world.lobby.rules = HOUSE_RULES
    table, _ = world.table(rules=rules)
    assert table.settings.rules == wanted
    assert table.settings.rules.preset_name == wanted.preset_name


def test_a_list_of_tables_spends_few_words_on_the_rules_of_one(world: World) -> None:
    rules = {name: value for name, value in world.lobby.rules.to_dict().items() if value is True}
    table, _ = world.table(rules=dict.fromkeys(rules, False))
    assert len(table.brief()["changes"]) == 120
    assert table.brief()["changes"].endswith("...")


def test_a_server_has_a_largest_number_of_tables(world: World) -> None:
    world.lobby._max_tables = 2
    world.table()
    world.table()
    assert refused(world.peer().say("create")) == "full"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"rules": {"preset": "nobody"}}, "rules"),
        ({"rules": {"kuitann": True}}, "rules"),
        ({"rules": {"uma": [[[[1]]]]}}, "rules"),
        ({"rules": {"start": 2**53}}, "rules"),
        ({"rules": {"preset": {"a": [1]}}}, "rules"),
        ({"clock": "sundial"}, "invalid"),
        ({"clock": {"move": 1}}, "invalid"),
        ({"clock": {"tick": 1000}}, "invalid"),
        ({"clock": {"move": [1000]}}, "invalid"),
        ({"clock": {"move": 9000, "first": 8000}}, "invalid"),
        ({"seats": ["bot:nobody", "open", "open", "open"]}, "invalid"),
    ],
)
def test_a_table_that_cannot_be_is_not_made(
    world: World, fields: dict[str, Any], code: str
) -> None:
    assert refused(world.peer().say("create", **fields)) == code
    assert not world.lobby.tables
    assert sample(world.metrics, "jantaku_faults_total") == 0


def test_only_the_owner_fills_a_table(world: World) -> None:
    table, owner = world.table()
    token = owner.last("created")["owner"]
    guest = world.peer()
    assert refused(guest.say("fill")) == "unexpected"
    guest.say("join", table=table.id, name="guest")
    assert refused(guest.say("fill")) == "forbidden"
    assert refused(guest.say("fill", owner="wrong")) == "forbidden"
    assert refused(guest.say("fill", owner=token, bot="nobody")) == "invalid"
    assert table.state == WAITING
    guest.say("fill", owner=token)
    assert table.state == PLAYING
    assert refused(guest.say("fill", owner=token)) == "unexpected"


# ---------------------------------------------------------------------- seats


def test_a_connection_has_one_table_at_a_time(world: World) -> None:
    table, _ = world.table()
    other, _ = world.table()
    peer = world.peer()
    peer.say("join", table=table.id, name="x")
    for message in (
        {"kind": "join", "table": other.id, "name": "x"},
        {"kind": "join", "table": table.id, "name": "x"},
        {"kind": "spectate", "table": other.id},
        {"kind": "resume", "token": peer.token},
    ):
        assert refused(peer.say(**message)) == "unexpected"
    assert [seat.kind for seat in table.seats] == ["person", "open", "open", "open"]
    peer.say("leave")
    assert peer.got[-1] == {"type": "left", "table": table.id}
    peer.say("join", table=other.id, name="x")
    assert peer.last("joined")["table"] == other.id


def test_two_joins_in_one_breath_take_one_seat(world: World) -> None:
    table, _ = world.table()
    peer = world.peer()
    for _ in range(2):
        peer.session.receive(wire.encode({"type": "join", "table": table.id, "name": "x"}, "json"))
    world.clock.settle()
    assert len(peer.all("joined")) == 1
    assert refused(peer.all("error")[0]) == "unexpected"


def test_a_taken_seat_and_a_full_table_are_full(world: World) -> None:
    table, _ = world.table()
    for seat in range(3):
        world.peer().say("join", table=table.id, name="x", seat=seat)
    peer = world.peer()
    assert refused(peer.say("join", table=table.id, name="x", seat=2)) == "full"
    world.peer().say("join", table=table.id, name="x")
    assert refused(peer.say("join", table=table.id, name="x")) == "unexpected", "it has begun"


def test_who_leaves_before_joining_is_written_leaves_no_seat_behind(world: World) -> None:
    table, _ = world.table()
    peer = world.peer()
    world.journal.hold = True
    peer.say("join", table=table.id, name="x")
    peer.say("leave")
    world.journal.hold = False
    world.journal.commit()
    world.clock.settle()
    assert not peer.all("joined")
    assert table.seats[0].kind == "open"
    assert peer.say("join", table=table.id, name="x") is not None
    assert peer.last("joined")["seat"] == 0


def test_who_is_gone_before_joining_is_written_leaves_no_seat_behind(world: World) -> None:
    table, _ = world.table()
    peer = world.peer()
    world.journal.hold = True
    peer.say("join", table=table.id, name="x")
    peer.hang_up()
    world.journal.hold = False
    world.journal.commit()
    world.clock.advance(60)
    assert table.seats[0].kind == "open"


def test_a_seat_that_is_not_ready_holds_the_start(world: World) -> None:
    table, peers = world.seated(3, seats=["open", "open", "open", "open"])
    late = world.peer()
    peers[0].say("ready", ready=False)
    if table.state == WAITING:
        late.say("join", table=table.id, name="late")
        assert table.state == WAITING
        peers[0].say("ready")
    assert table.state == PLAYING
    assert refused(peers[0].say("ready")) == "unexpected"


def test_without_a_seat_there_is_nothing_to_answer(world: World) -> None:
    table, _ = world.seated(4)
    watcher = world.peer()
    watcher.say("spectate", table=table.id)
    for peer in (world.peer(), watcher):
        for fields in (
            {"kind": "answer", "id": 3, "index": 0},
            {"kind": "ready"},
            {"kind": "chat", "phrase": "hello"},
            {"kind": "rematch"},
        ):
            assert refused(peer.say(**fields)) == "unexpected"
    assert refused(world.peer().say("leave")) == "unexpected"


# ---------------------------------------------------------------------- answers


BAD_ANSWERS = {
    "a number that the menu does not have": ({"index": 900}, "illegal"),
    "an action that the menu does not have": (
        {"action": {"type": "chi", "pai": "2m", "consumed": ["1m", "3m"]}},
        "illegal",
    ),
    "no action of mahjong": ({"action": {"type": "castle"}}, "illegal"),
    "an action without its tile": ({"action": {"type": "dahai"}}, "illegal"),
    "tiles that do not exist": (
        {"action": {"type": "dahai", "pai": "9z", "tsumogiri": True}},
        "illegal",
    ),
    "tiles that are no text": ({"action": {"type": "dahai", "pai": ["1m"]}}, "illegal"),
    "consumed that is no list": (
        {"action": {"type": "pon", "pai": "1m", "consumed": 7}},
        "illegal",
    ),
    "an unknown tile": ({"action": {"type": "dahai", "pai": "?", "tsumogiri": False}}, "illegal"),
    "an index that is no number": ({"index": "0"}, "invalid"),
    "an index and an action": ({"index": 0, "action": {"type": "none"}}, "invalid"),
    "neither index nor action": ({}, "invalid"),
}


@pytest.mark.parametrize(("fields", "code"), BAD_ANSWERS.values(), ids=BAD_ANSWERS)
def test_a_bad_answer_is_rejected_with_the_same_request_again(
    world: World, fields: dict[str, Any], code: str
) -> None:
    table, peers = world.seated(4)
    peer, request = open_request(peers)
    events = list(table.match.events)  # type: ignore[union-attr]
    before = len(peer.got)
    peer.say("answer", id=request["id"], **fields)
    rejected, again = peer.got[before:]
    assert refused(rejected) == code
    assert rejected["type"] == "rejected"
    assert rejected["id"] == request["id"]
    assert again == request
    assert table.match.events == events  # type: ignore[union-attr]
    assert sample(world.metrics, "jantaku_rejected_total", reason=code) == 1
    peer.say("answer", id=request["id"], index=0)
    assert peer.last("accepted") == {"type": "accepted", "id": request["id"]}


def test_an_answer_for_another_seat_is_rejected(world: World) -> None:
    table, peers = world.seated(4)
    peer, request = open_request(peers)
    other = (peer.seat + 1) % 4
    before = len(peer.got)
    peer.say("answer", id=request["id"], action={**request["menu"][0], "actor": other})
    assert refused(peer.got[before]) == "illegal"
    assert f"seat {peer.seat}" in peer.got[before]["message"]
    # And another seat cannot answer this one's question.
    assert refused(peers[other].say("answer", id=request["id"], index=0)) == "stale"
    assert table.question_of(table.seats[peer.seat]) is not None


def test_an_answer_by_action_is_the_one_of_the_menu(world: World) -> None:
    _, peers = world.seated(4)
    peer, request = open_request(peers)
    peer.say("answer", id=request["id"], action=request["menu"][-1])
    assert peer.last("accepted")["id"] == request["id"]


def test_late_repeated_and_early_answers_are_stale_and_change_nothing(world: World) -> None:
    table, peers = world.seated(4)
    peer, request = open_request(peers)
    answer = wire.encode({"type": "answer", "id": request["id"], "index": 0}, "json")
    peer.session.receive(answer)
    peer.session.receive(answer)  # repeated, before the first is written
    world.clock.settle()
    assert [m["code"] for m in peer.all("rejected")] == ["stale"]
    assert len(peer.all("accepted")) == 1
    events = len(table.match.events)  # type: ignore[union-attr]
    before = len(peer.got)
    peer.send(answer)  # repeated, after it
    assert [m["type"] for m in peer.got[before:]] == ["rejected"]
    assert refused(peer.say("answer", id=request["id"] + 1000, index=0)) == "stale"  # early
    late, question = open_request(peers)
    world.clock.advance(120)  # the clock has answered, for everybody
    assert refused(late.say("answer", id=question["id"], index=0)) == "stale"
    assert len(table.match.events) > events  # type: ignore[union-attr]
    assert sample(world.metrics, "jantaku_rejected_total", reason="stale") == 4


# ---------------------------------------------------------------------- coming back


def test_a_second_login_takes_the_seat_over(world: World) -> None:
    table, peers = world.seated(4)
    first, request = open_request(peers)
    second = world.peer()
    second.say("resume", token=first.token)
    assert refused(first.got[-1]) == "taken_over"
    assert first.got[-1]["about"] == ""
    assert first.line.closed == (4000, "taken_over")
    assert second.last("resumed") == {"type": "resumed", "table": table.id, "seat": first.seat}
    assert {**second.last("request"), "time_ms": 0} == {**request, "time_ms": 0}
    # What the first one still sends, and its end, change nothing.
    first.say("answer", id=request["id"], index=0)
    first.hang_up()
    assert table.question_of(table.seats[first.seat]) is not None
    assert table.seats[first.seat].listener is second.session
    second.say("answer", id=request["id"], index=0)
    assert second.last("accepted")["id"] == request["id"]


def test_who_resumes_gets_the_events_after_the_last_one_seen(world: World) -> None:
    table, peers = world.seated(4)
    peer, _ = open_request(peers)
    peer.hang_up()
    for after in range(-1, table.published):
        again = world.peer()
        again.say("resume", token=peer.token, after=after)
        world.clock.settle()
        assert [m["seq"] for m in again.all("event")] == list(range(after + 1, table.published))
        assert again.last("request")["id"] == table.published
        again.hang_up()
    greedy = world.peer()
    assert refused(greedy.say("resume", token=peer.token, after=table.published)) == "invalid"
    assert greedy.say("resume", token=peer.token) is not None
    assert greedy.all("resumed")


def test_wrong_tokens_and_codes_close_the_connection_however_they_are_spread(
    world: World,
) -> None:
    peer = world.peer()
    for number in range(MOST_GUESSES):
        assert peer.line.closed is None
        world.clock.advance(1)
        if number % 2:
            assert refused(peer.say("resume", token=f"t{number}")) == "bad_token"
        else:
            assert refused(peer.say("join", code=f"c{number}", name="x")) == "not_found"
        peer.say("ping")  # a good message in between does not help
    assert peer.line.closed == (1008, "guessing")
    assert sample(world.metrics, "jantaku_rejected_total", reason="bad_token") == MOST_GUESSES // 2
    assert sample(world.metrics, "jantaku_dropped_connections_total", reason="guessing") == 1


def test_the_owners_token_cannot_be_guessed_either(world: World) -> None:
    table, _ = world.table()
    guest = world.peer()
    guest.say("join", table=table.id, name="x")
    for number in range(MOST_GUESSES):
        world.clock.advance(1)
        guest.say("fill", owner=f"o{number}")
        guest.say("ping")
    assert guest.line.closed == (1008, "guessing")
    assert table.state == WAITING


def test_a_seat_of_a_finished_match_is_told_its_replay(world: World) -> None:
    table, peers = world.seated(4, play=dull, rules={"length": "tonpuu"})
    world.finish(table)
    peers[0].hang_up()
    again = world.peer()
    again.say("resume", token=peers[0].token, after=table.published - 2)
    world.clock.advance(1)
    types = [m["type"] for m in again.got]
    assert types.index("finished") > types.index("event")
    assert again.last("finished") == peers[1].last("finished")


@pytest.mark.parametrize("delay", ["hand", 0, 30])
def test_the_table_is_told_again_when_it_is_over_and_saved(world: World, delay: str | int) -> None:
    table, peers = world.seated(4, rules={"length": "tonpuu"}, spectator_delay=delay)
    watcher = world.peer()
    watcher.say("spectate", table=table.id)
    for peer in peers:
        peer.begin(dull)
    world.finish(table)
    world.clock.advance(60)
    for one in (*peers, watcher):
        told, finished = one.got[-2:]
        assert finished["type"] == "finished"
        assert told == {"type": "table", **table.info()}
        assert (told["state"], told["replay"]) == ("finished", finished["replay"])
        assert len(one.all("event")) == table.published


def test_an_answer_from_a_seat_is_accepted_or_rejected_and_any_other_is_an_error(
    world: World,
) -> None:
    _, peers = world.seated(4)
    player = peers[0]
    asked = player.last("request")["id"]
    for wrong in ({"index": 99}, {"index": -1}, {}, {"action": {"type": "tea"}}, {"index": "0"}):
        told = player.say("answer", id=asked, **wrong)
        assert told == player.last("request"), "the same question again"
        assert player.got[-2]["type"] == "rejected"
        assert player.got[-2]["id"] == asked
    assert player.say("answer", id=10**6, index=0) == player.last("rejected")
    assert len(player.all("rejected")) == 6
    assert player.all("error") == []
    assert refused(world.peer().say("answer", id=asked, index=0)) == "unexpected"
    while player.say("answer", id=10**6, index=0)["type"] == "rejected":  # type: ignore[index]
        assert len(player.all("rejected")) < 100
    assert player.got[-1]["code"] == "flooding"


def test_a_closed_table_lets_its_people_go(world: World) -> None:
    table, _ = world.table()
    peer = world.peer()
    peer.say("join", table=table.id, name="x")
    world.lobby.forget(table)
    world.clock.settle()
    assert peer.got[-1]["type"] == "error"
    other, _ = world.table()
    peer.say("join", table=other.id, name="x")
    assert peer.last("joined")["table"] == other.id


# ---------------------------------------------------------------------- after the match


def test_chat_is_of_known_phrases_and_off_unless_asked_for(world: World) -> None:
    _, quiet = world.seated(4)
    assert refused(quiet[0].say("chat", phrase="hello")) == "forbidden"
    _, loud = world.seated(4, chat=True)
    loud[2].say("chat", phrase="nice_hand")
    for peer in loud:
        assert peer.got[-1] == {"type": "chat", "seat": 2, "phrase": "nice_hand"}
    assert refused(loud[2].say("chat", phrase="something else")) == "invalid"


def test_a_rematch_begins_when_everybody_wants_it_and_only_once(world: World) -> None:
    table, peers = world.seated(4, rules={"length": "tonpuu"}, spectator_delay=0)
    assert refused(peers[0].say("rematch")) == "unexpected"
    for peer in peers:
        peer.begin(dull)
    world.finish(table)
    watcher = world.peer()
    watcher.say("spectate", table=table.id)
    world.clock.advance(1)
    for peer in peers:
        peer.play = None
    for peer in peers[:3]:
        peer.say("rematch")
    assert peers[3].last("rematch_wanted")["seats"] == [0, 1, 2]
    world.journal.hold = True
    for _ in range(3):
        peers[3].say("rematch")
    world.journal.hold = False
    world.journal.commit()
    world.clock.settle()
    again = [t for t in world.lobby.tables.values() if t is not table]
    assert len(again) == 1
    for peer in [*peers, watcher]:
        assert peer.last("rematch")["table"] == again[0].id
        assert peer.last("event")["event"]["type"] != "end_game"
    peer, request = open_request(peers)
    peer.say("answer", id=request["id"], index=0)
    assert peer.last("accepted")["id"] == request["id"]
    watcher.say("leave")
    assert watcher.got[-1] == {"type": "left", "table": again[0].id}
