// What opens over the board at a table: the invitation, the wait for players, results.

import { toast } from "./dialogs.js";
import { h, setText } from "./dom.js";
import { tableWords } from "./lobby.js";
import { keptName, takeName } from "./names.js";
import { finalBody, resultBody, resultTitle } from "./result.js";
import { say } from "./words.js";

/** Somebody came by a link: ask for a name; `table`: what is known of it. */
export function askName(play, table) {
  const input = h("input", { type: "text", maxlength: "20", value: keptName(), id: "join-name", autocomplete: "nickname" });
  const submit = (event) => {
    event.preventDefault();
    const name = takeName(input);
    if (name) play.entrance.join(name);
  };
  play.view.openPanel(
    say("invited"),
    h(
      "form.stack",
      { onsubmit: submit },
      table && tableWords(table),
      h("label.field", { for: "join-name" }, h("span", say("name.ask")), input),
      h("div.row",
        h("button.main", { type: "submit" }, say("join")),
        h("button", { type: "button", onclick: () => play.entrance.startWatching() }, say("watch"))),
    ),
  );
  input.focus();
}

/** The table is not there any more. */
export function showGone(play) {
  play.view.openPanel(say("table.gone"), h("a.button.main", { href: "#/" }, say("back")));
}

/** Whether a host is this machine, which nobody else can reach by that name. */
export function isLoopback(host) {
  return /^((.+\.)?localhost|127(\.\d+){3}|\[::1\])$/.test(host);
}

/** Seats are free: who is here, and the link for who is not. */
export function showWaiting(play) {
  const own = play.entrance.own();
  const link = play.entrance.link();
  const field = h("input", {
    type: "text", readonly: true, value: link, "aria-label": say("waiting.link"), onclick: () => field.select(),
  });
  const copy = h("button", { type: "button", onclick: () => copyText(link, copy) }, say("copy"));
  const fill = { type: "fill", owner: own.owner, ...(own.bot ? { bot: own.bot } : {}) };
  play.view.openPanel(
    say("waiting.title"),
    h("ol.seats", play.info.seats.map((seat, index) =>
      h("li",
        h("small", say(`wind.${index}`)),
        h("span", seat.kind === "open" ? say("seat.open") : seat.name),
        index === play.seat && h("em", say("you"))))),
    h("label.field", h("span", say("waiting.link")), h("div.row", field, copy)),
    isLoopback(location.hostname) && h("small.here", say("waiting.here")),
    h(
      "div.row",
      own.owner && h("button.main", { type: "button", onclick: () => play.app.connection.send(fill) }, say("fill.bots")),
      h("button", { type: "button", onclick: () => play.entrance.leave() }, say("leave")),
    ),
  );
}

/** A hand is over. */
export function showResult(play, fresh) {
  const { view, state, names } = play;
  view.openPanel(
    resultTitle(state, names),
    resultBody(state, names, (index) => play.parts.get(play.horaSeqs[index]), play.seat),
    h("div.row",
      h("button.main", { type: "button", onclick: () => play.afterResult() }, say(play.end ? "final" : "continue")),
      !play.end && h("small.soft", say("next.hand"))),
  );
  // Who plays by keys goes on by keys.
  const typing = document.activeElement?.matches?.("select, input");
  if (fresh && !typing) view.panel.querySelector("button.main").focus({ focusVisible: false });
}

/** The game is over. */
export function showFinal(play) {
  const asked = play.rematchSeats.includes(play.seat);
  play.view.openPanel(
    say("final"),
    finalBody(play.end, play.names),
    h(
      "div.row",
      play.seat >= 0 && h("button.main.rematch", {
        type: "button", disabled: asked, onclick: () => play.app.connection.send({ type: "rematch" }),
      }, say(asked ? "rematch.waiting" : "rematch")),
      play.replay && h("a.button.see", { href: `#/r/${play.replay.split(".")[0]}` }, say("see.replay")),
      h("a.button", { href: "#/" }, say("back")),
    ),
  );
}

export async function copyText(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h("textarea.unseen", { value: text });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  if (!button) {
    toast(say("copied"));
    return;
  }
  const before = button.textContent;
  setText(button, say("copied"));
  setTimeout(() => setText(button, before), 1500);
}
