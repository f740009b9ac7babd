// The screen that playing, watching and replays share: counters, board, tray, hand, foot.

import { Board } from "./board.js";
import { fill, h, icon, keep, setText } from "./dom.js";
import { HandBar } from "./hand.js";
import { doraOf, kind } from "./state.js";
import { markKind, tile, tileWords } from "./tiles.js";
import { roundName, say } from "./words.js";

export class TableView {
  /** `onPick`, `onLook` of the hand; `onPlate(seat)`; `onSettings`. */
  constructor({ onPick, onLook, onPlate, onSettings, back }) {
    this.board = new Board(onPlate);
    this.hand = new HandBar(onPick, (name) => {
      markKind(this.element, name);
      onLook?.(name);
    });
    this.dora = h("div.dora", { role: "img" });
    this.round = h("b.roundname");
    this.counters = h("div.counters");
    this.note = h("div.note");
    this.side = h("div.side-extra");
    this.tray = h("div.tray");
    this.foot = h("div.foot");
    this.panel = h("section.panel", { hidden: true, tabindex: "-1", role: "dialog" });
    this.announcer = h("div.unseen", { "aria-live": "polite", role: "status" });
    this.tools = h(
      "div.tools",
      h("a.button.quiet", { href: "#/", "data-say": "back", title: say("back") }, icon("left"), h("span.word", say("lobby"))),
      h("button.quiet.gear", { type: "button", onclick: onSettings, "aria-label": say("settings"), title: say("settings") }, icon("gear")),
    );
    if (back) this.tools.firstElementChild.setAttribute("href", back);
    this.stage = h("div.stage", this.board.element, this.panel);
    this.element = h(
      "main.table",
      h("header.hud", this.tools, h("div.facts", this.round, this.counters), this.dora, this.note),
      this.stage,
      h("aside.beside", this.side),
      this.tray,
      this.hand.element,
      this.foot,
      this.announcer,
    );
  }

  /** Show a view (see `Board.update`) with the hand of `view.bottom` below. */
  update(view) {
    const { state } = view;
    this.board.update(view);
    this.element.classList.toggle("dealt", state.dealt);
    setText(this.round, state.dealt ? roundName(state.bakaze, state.kyoku) : "");
    keep(this.counters, [state.honba, state.kyotaku, document.documentElement.lang, state.dealt], () =>
      state.dealt
        ? [
            counter("honba", "honba.label", state.honba),
            counter("deposit", "deposits.label", state.kyotaku),
          ]
        : [],
    );
    keep(this.dora, [state.dora, document.documentElement.lang], () =>
      state.dora.length ? [h("small", say("dora.markers")), [0, 1, 2, 3, 4].map((n) => tile(state.dora[n] ?? "?"))] : [],
    );
    this.dora.setAttribute(
      "aria-label",
      `${say("dora.markers")}: ${tileWords(state.dora)}; ${say("dora")}: ${tileWords(state.dora.map(doraOf))}`,
    );
  }

  /** Whether a tile is a dora now. */
  isDora(state, name) {
    return name.length === 3 || state.dora.some((marker) => doraOf(marker) === kind(name));
  }

  /** Open the panel over the board. */
  openPanel(title, ...content) {
    fill(this.panel, h("h2", title), content);
    this.panel.setAttribute("aria-label", title);
    this.panel.hidden = false;
  }

  closePanel() {
    if (this.panel.hidden) return;
    this.panel.hidden = true;
    fill(this.panel);
  }

  announce(text) {
    setText(this.announcer, text);
  }
}

function counter(name, label, value) {
  return h(
    `span.counter.${name}`,
    { title: say(label), "aria-label": `${say(label)} ${value}` },
    h("i", { "aria-hidden": "true" }),
    h("small", say(label)),
    h("b", String(value)),
  );
}
