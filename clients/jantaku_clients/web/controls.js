// Below the board: what may be done, the clock, waits and furiten, the switches, the phrases.

import { h, keep, setText } from "./dom.js";
import { OVER, sorted } from "./state.js";
import { tile, tileWords } from "./tiles.js";
import { say, tileName } from "./words.js";

export const KEYS = {
  hora: "W", reach: "R", pon: "P", chi: "C", daiminkan: "K", ankan: "K", kakan: "K", ryukyoku: "Y", noten: "F", none: "N",
};
export const SWITCH_KEYS = { F2: "calls", F3: "win", F4: "draw" };

const ORDER = ["hora", "reach", "ankan", "kakan", "daiminkan", "pon", "chi", "ryukyoku", "noten", "none"];

export class Controls {
  constructor(play) {
    this.play = play;
    this.looked = null;
    this.hints = h("div.hints");
    this.clock = h("div.clock", { role: "timer" }, h("b"), h("span"));
    this.actions = h("div.actions", { role: "group" });
    this.switches = h("div.switches");
    this.talk = h("div.talk");
  }

  draw() {
    this.drawActions();
    this.drawHints();
    this.drawFoot();
    this.tick();
  }

  drawActions() {
    const { play } = this;
    const { answers } = play;
    const shown = answers.menu()
      .map((action, index) => ({ action, index }))
      .filter(({ action }) => action.type !== "dahai")
      .sort((a, b) => ORDER.indexOf(a.action.type) - ORDER.indexOf(b.action.type));
    const key = [play.request?.id, play.open(), Boolean(answers.riichi), document.documentElement.lang];
    this.actions.setAttribute("aria-label", say("actions"));
    keep(this.actions, key, () => {
      if (answers.riichi) {
        return [
          h("span.ask", say("riichi.choose")),
          h("button.act.none", { type: "button", onclick: () => answers.cancelRiichi() }, say("act.cancel"), h("kbd", "Esc")),
        ];
      }
      const options = shown.filter(({ action }) => action.consumed).length > 1;
      let option = 0;
      return shown.map(({ action, index }, place) => {
        const numbered = options && action.consumed ? (option += 1) : 0;
        const alike = shown.filter((other) => other.action.type === action.type).length;
        const follows = shown[place - 1]?.action.type === action.type;
        return this.actionButton(action, index, numbered, alike, follows);
      });
    });
  }

  /** `alike`: how many actions are of this type; `follows`: one of them stands just before. */
  actionButton(action, index, option, alike, follows) {
    const { play } = this;
    const word = this.actionWord(action);
    const tiles = action.consumed
      ? sorted({ ankan: action.consumed.slice(0, 1), kakan: [action.pai] }[action.type] ?? action.consumed)
      : [];
    // Where there is no choice of tiles, none need be shown; the word stands once for its kind.
    const shows = tiles.length > 0 && (alike > 1 || !["pon", "daiminkan"].includes(action.type));
    const wordless = follows && shows;
    return h(
      `button.act.${action.type}${wordless ? ".more" : ""}`,
      {
        type: "button",
        "data-index": String(index),
        "data-option": option ? String(option) : null,
        "aria-label": tiles.length ? `${word} ${say("act.with", tileWords(tiles))}` : word,
        onclick: (event) => event.detail < 2 && play.answers.act(index),
      },
      !wordless && h("span", word),
      shows && h("span.tilesin", tiles.map((name) => tile(name))),
      h("kbd", option ? String(option) : KEYS[action.type]),
    );
  }

  actionWord(action) {
    if (action.type === "hora") return say(action.target === action.actor ? "act.tsumo" : "act.ron");
    if (action.type === "reach" && action.open) return say("act.open");
    return say(`act.${action.type}`);
  }

  /** A tile of the hand is looked at: its own waits are shown. */
  look(name) {
    this.looked = name;
    this.drawHints();
  }

  drawHints() {
    const { play } = this;
    const { hints } = play;
    const found = (hints.discards ?? []).find((d) => d.tile === this.looked);
    const waits = play.open() && found ? found.waits : hints.waits;
    const isFuriten = play.open() && found ? (found.furiten ? "river" : "") : hints.furiten;
    const show = play.seat >= 0 && play.state.dealt && play.state.phase !== OVER;
    const key = [show && waits, show && isFuriten, show ? hints.shanten : null, play.state.riichi[play.seat], Boolean(play.answers.riichi), document.documentElement.lang];
    keep(this.hints, key, () => {
      if (!show) return [];
      if (!waits?.length) return hints.shanten > 0 ? [h("small.shanten", say("shanten", hints.shanten))] : [];
      const silent = Boolean(play.answers.riichi) || play.state.riichi[play.seat] > 0;
      return [
        h(`div.waits${waits.length > 5 ? ".many" : ""}`, { role: "img", "aria-label": `${say("waits")}: ${waits.map((w) => `${tileName(w.tile)} ${say("wait.left", w.left)}`).join(", ")}` },
          h("small", say("waits")),
          waits.slice(0, 13).map((w) =>
            h(`span.wait${w.left ? "" : ".out"}`, tile(w.tile), h("small", String(w.left)), !w.yaku && !silent && h("em", say("no.yaku"))))),
        isFuriten && h("strong.furiten", { title: say(`furiten.${isFuriten}`) }, say("furiten")),
      ];
    });
  }

  drawFoot() {
    const { play } = this;
    keep(this.switches, [play.answers.auto, play.seat, play.info?.state, document.documentElement.lang], () =>
      play.seat < 0 || play.info?.state === "waiting"
        ? []
        : Object.entries(SWITCH_KEYS).map(([key, name]) =>
            h("button.switch", {
              type: "button", "aria-pressed": String(play.answers.auto[name]), "data-auto": name, title: key,
              onclick: () => play.answers.toggle(name),
            }, say(`auto.${name}`))),
    );
    const phrases = play.app.connection.welcome?.phrases ?? [];
    keep(this.talk, [play.info?.chat, play.seat, phrases, document.documentElement.lang], () =>
      play.info?.chat && play.seat >= 0
        ? h("select", {
            "aria-label": say("chat"),
            onchange: (event) => {
              play.app.connection.send({ type: "chat", phrase: event.target.value });
              event.target.selectedIndex = 0;
              event.target.blur();
            },
          }, h("option", { value: "", disabled: true, selected: true }, say("chat")), phrases.map((p) => h("option", { value: p }, say(`phrase.${p}`))))
        : [],
    );
  }

  tick() {
    const { play } = this;
    const { clock } = this;
    clock.classList.toggle("on", play.open());
    if (!play.open()) {
      setText(clock.children[0], "");
      setText(clock.children[1], "");
      return;
    }
    const [time, bank] = play.answers.left();
    setText(clock.children[0], String(Math.ceil(time / 1000)));
    setText(clock.children[1], bank ? `+${Math.ceil(bank / 1000)}` : "");
    clock.classList.toggle("late", time === 0);
    clock.setAttribute("aria-label", `${say("seconds", Math.ceil(time / 1000))}, ${say("bank")} ${say("seconds", Math.ceil(bank / 1000))}`);
  }
}
