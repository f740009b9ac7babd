"""The lobby, by mouse: a table of one's own, tables of others, and the way to them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from browser import Player, Watched, play_until, running_server

Visit = Callable[..., Watched]


def test_a_table_that_nothing_was_chosen_for_waits_for_friends(visit: Visit, url: str) -> None:
    owner = visit()
    owner.open_lobby(url)
    owner.page.click(".create button.main")
    owner.page.wait_for_selector(".panel .seats")
    table = owner.wait_for_frame("table")
    assert (table["state"], table["private"]) == ("waiting", True)
    assert sorted(seat["kind"] for seat in table["seats"]) == ["open", "open", "open", "person"]
    owner.page.click(".panel .seats ~ .row button.main")
    owner.page.wait_for_selector(".table.dealt")


def test_a_table_is_created_by_its_form_and_joined_by_its_link(visit: Visit, url: str) -> None:
    owner, friend = visit(), visit(language="zh-CN")
    owner.open_lobby(url)
    page = owner.page
    page.fill("#name", "Aki")
    # Each preset tells its main options in words.
    before = page.locator(".chips li").all_inner_texts()
    assert "start 25000" in before
    page.select_option("#form-preset", "mleague")
    after = page.locator(".chips li").all_inner_texts()
    assert "no abortive draws" in after
    assert before != after
    page.select_option("#form-length", "tonpuu")
    page.select_option("#form-clock", "slow")
    page.select_option("#form-bots", "1")
    page.select_option("#form-bot", "tsumogiri")
    page.select_option("#form-delay", "0")
    page.click(".create button.main")
    page.wait_for_selector(".panel .seats")
    link = page.input_value(".panel input")
    table = owner.wait_for_frame("table")
    assert (table["preset"], table["length"], table["private"]) == ("mleague", "tonpuu", True)
    assert (table["spectators"], table["spectator_delay"]) == (True, 0)
    assert [seat["kind"] for seat in table["seats"]].count("house") == 1
    page.click(".panel .field button")
    page.wait_for_selector(".panel .field button:has-text('Copied')")
    # The link names this machine itself: who sends it to another one is told so.
    assert "on this machine only" in page.inner_text(".panel .here")
    # A friend has the link alone; who is there is seen at once; bots take what is left.
    friend.page.goto(link)
    friend.page.fill("#join-name", "陈")
    friend.page.keyboard.press("Enter")
    page.wait_for_selector(".panel .seats li:has-text('陈')")
    page.click(".panel .seats ~ .row button.main")
    for watched in (owner, friend):
        watched.wait_for_frame("event")
        watched.page.wait_for_selector(".table.dealt")
    # It is on nobody's list.
    guest = visit()
    guest.open_lobby(url)
    listed = guest.wait_for_frame("tables")["tables"]
    assert table["table"] not in [one["table"] for one in listed]


def test_only_a_host_s_names_for_itself_are_of_no_use_elsewhere(visit: Visit, url: str) -> None:
    watched = visit()
    watched.open_lobby(url)
    own = ["localhost", "jantaku.localhost", "127.0.0.1", "127.8.8.8", "[::1]"]
    others = ["192.168.1.7", "mahjong.club", "127.0.0.1.club", "localhost.club", "[fe80::1]"]
    found = watched.page.evaluate(
        """async (hosts) => {
          const module = document.querySelector('link[href$="panels.js"]').href;
          const { isLoopback } = await import(module);
          return hosts.filter(isLoopback);
        }""",
        own + others,
    )
    assert found == own


@pytest.mark.parametrize(
    ("language", "told"), [("zh-CN", "立即开始"), ("ja", "すぐに開始"), ("en", "starts at once")]
)
def test_a_game_against_bots_starts_at_once_as_every_language_says(
    visit: Visit, url: str, language: str, told: str
) -> None:
    watched = visit(language=language)
    watched.open_lobby(url)
    assert told in watched.page.inner_text(".hero small")
    watched.page.click(".hero button.main")
    # Sooner than a pause between two hands is over.
    watched.page.wait_for_selector(".table.dealt", timeout=6000)


def test_public_tables_are_listed_joined_and_watched(visit: Visit, url: str) -> None:
    owner, friend, watcher = visit(), visit(), visit()
    owner.open_lobby(url)
    owner.page.select_option("#form-bots", "2")
    owner.page.uncheck(".create input[type=checkbox]")
    owner.page.click(".create button.main")
    table = owner.wait_for_frame("table")["table"]
    friend.open_lobby(url)
    line = f'.line:has(a[href="#/t/{table}"])'
    friend.page.wait_for_selector(line)
    assert "Standard" in friend.page.inner_text(line)
    assert "free seat" in friend.page.inner_text(line)
    friend.page.click(f"{line} a.main")
    # What table it is, before one joins it.
    friend.page.wait_for_selector(".panel .what:has-text('Standard East and South')")
    assert friend.page.locator(".panel .what .seat.house").count() == 2
    friend.page.fill("#join-name", "Bo")
    friend.page.click(".panel button.main")
    for watched in (owner, friend):
        watched.page.wait_for_selector(".table.dealt")
    watcher.open_lobby(url)
    watcher.page.click(f'a[href="#/w/{table}"]')
    watcher.page.wait_for_selector(".note:has-text('Watching')")


def test_who_leaves_a_game_finds_the_way_back_in_the_lobby(visit: Visit, url: str) -> None:
    watched = visit()
    watched.open_lobby(url)
    watched.create()
    player = Player(watched)
    play_until([player], lambda: player.clicks >= 2)
    request = player.wait_for_question()
    watched.page.click(".tools a")
    watched.page.click("a.return")
    watched.page.wait_for_selector(".table.asked")
    assert watched.page.evaluate("jantaku.app.screen.request.id") == request["id"]
    play_until([player], lambda: player.clicks >= 4)


def test_a_link_to_a_table_that_is_gone_is_told_in_words(visit: Visit, url: str) -> None:
    watched = visit()
    watched.open_lobby(url)
    watched.page.goto(f"{url}/#/t/0123456789abcdef")
    watched.page.wait_for_selector(".panel h2:has-text('no longer there')")
    assert not [message for message in watched.sent if message["type"] == "join"]
    watched.page.click(".panel a.main")
    watched.page.wait_for_selector("main.lobby")


FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
"""One picture of three people, held together by what cannot be printed."""


@pytest.mark.parametrize(
    ("typed", "left", "told"),
    [
        (f"Aki {FAMILY}", "Aki \U0001f468\U0001f469\U0001f467", "名前から除きました"),
        ("\u202eikA", "ikA", "名前から除きました"),
        ("\u200f", "", "文字がありません"),
    ],
    ids=["joined", "turned round", "nothing"],
)
def test_a_name_that_cannot_be_printed_is_cleaned_before_a_table_is_made(
    visit: Visit, url: str, typed: str, left: str, told: str
) -> None:
    watched = visit(language="ja")
    watched.open_lobby(url)
    page = watched.page
    page.fill("#name", typed)
    page.click(".create button.main")
    page.wait_for_selector(f".toast:has-text('{told}')")
    assert page.input_value("#name") == left
    assert not [message for message in watched.sent if message["type"] == "create"]
    page.click(".create button.main")
    page.wait_for_selector(".panel .seats")
    seated = [s["name"] for s in watched.wait_for_frame("table")["seats"] if s["kind"] == "person"]
    assert seated == [left or "プレイヤー"]


def test_spaces_of_every_kind_are_plain_ones_in_a_name(visit: Visit, url: str) -> None:
    watched = visit()
    watched.open_lobby(url)
    watched.page.fill("#name", "\u3000山田\u3000\u00a0太郎 ")
    watched.create(seats=["open"] * 4, private=True)
    names = [seat["name"] for seat in watched.wait_for_frame("table")["seats"]]
    assert "山田 太郎" in names


def test_a_name_that_the_server_refuses_is_asked_for_again(visit: Visit, url: str) -> None:
    owner, friend = visit(), visit(language="zh-CN")
    owner.open_lobby(url)
    # A character that this browser knows and the server does not, at the owner's and the friend's.
    spoil = """() => {
      const { connection } = jantaku.app;
      const { send } = connection;
      connection.send = function (message) {
        if (message.type !== "join") return send.call(this, message);
        connection.send = send;
        return send.call(this, { ...message, name: "\u0378" });
      };
    }"""
    owner.page.evaluate(spoil)
    owner.page.fill("#name", "Aki")
    owner.page.click(".create button.main")
    owner.page.wait_for_selector(".toast:has-text('does not take this name')")
    owner.page.click(".panel button.main")
    owner.page.wait_for_selector(".panel .seats li:has-text('Aki')")
    friend.page.goto(owner.page.input_value(".panel input"))
    # The invitation stays when its language changes.
    for language, title in (("ja", "招待"), ("zh", "邀请")):
        friend.page.click(".gear")
        friend.page.click(f'dialog [data-lang="{language}"]')
        friend.page.wait_for_selector(f".panel h2:has-text('{title}')")
    friend.page.fill("#join-name", "\u200f陈\u200f")
    friend.page.click(".panel button.main")
    friend.page.wait_for_selector(".toast:has-text('已去掉')")
    assert friend.page.input_value("#join-name") == "陈"
    friend.page.evaluate(spoil)
    friend.page.click(".panel button.main")
    friend.page.wait_for_selector(".toast:has-text('不接受这个名字')")
    friend.page.click(".panel button.main")
    owner.page.wait_for_selector(".panel .seats li:has-text('陈')")


def test_a_server_s_own_rules_come_first_and_are_what_one_plays_at_once(
    visit: Visit, tmp_path: Path
) -> None:
    rules = tmp_path / "house.toml"
    rules.write_text('preset = "mleague"\nkuitan = false\numa = [50, 10, -20, -40]\n')
    with running_server(tmp_path / "data", "--rules", str(rules)) as address:
        owner = visit()
        owner.open_lobby(address)
        page = owner.page
        names = page.locator("#form-preset option").all_inner_texts()
        assert (names[0], page.input_value("#form-preset")) == ("House rules", "house")
        words = page.locator(".chips li").all_inner_texts()
        assert {"no open tanyao", "uma +50/+10/−20/−40"} <= set(words)
        page.click(".hero button.main")
        table = owner.wait_for_frame("table")
        told = (table["preset"], table["length"], table["rules"]["kuitan"], table["rules"]["uma"])
        assert told == ("mleague", "tonpuu", False, [50, 10, -20, -40])
        guest = visit()
        guest.open_lobby(address)
        guest.page.wait_for_selector(".line .changes:has-text('kuitan=off')")
        # The server goes before the pages do: they must not ask for it.
        for watched in (owner, guest):
            watched.page.goto("about:blank")
