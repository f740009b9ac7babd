// One answer to each question: what is pressed, what was decided before, what the switches do.

import { pref } from "./prefs.js";

const AUTO_MS = 350;
const ALONE_MS = 600;

export class Answers {
  /** `send(message)`; `changed()` after everything that shows; `hints()` the last hints. */
  constructor({ send, changed, hints }) {
    this.send = send;
    this.changed = changed;
    this.hints = hints;
    this.reset();
  }

  /** A new game. */
  reset() {
    this.request = null;
    this.askedAt = 0;
    this.answered = -1;
    this.sent = null;
    this.newHand();
  }

  /** A new hand: nothing chosen, and the switches are off as everywhere in this field. */
  newHand() {
    this.pending = null;
    this.riichi = null;
    this.going = null;
    this.raised = null;
    this.auto = { calls: false, win: false, draw: false };
    clearTimeout(this.timer);
  }

  /** Go on as another did: the screen was drawn anew. */
  follow(other) {
    for (const name of ["request", "askedAt", "answered", "sent", "pending", "riichi", "going", "auto"]) {
      this[name] = other[name];
    }
    clearTimeout(other.timer);
    if (this.open()) this.plan();
  }

  stop() {
    clearTimeout(this.timer);
  }

  // -------------------------------------------------------------- questions

  /** The server asks. */
  take(request) {
    const again = this.sent?.id === request.id && this.answered === request.id;
    this.request = request;
    this.askedAt = performance.now();
    this.raised = null;
    if (again) {
      // The answer was on its way when the line broke: the same question, the same answer.
      this.send(this.sent);
      return;
    }
    this.answered = -1;
    this.going = null;
    this.riichi = null;
    if (this.pending) {
      const { tile, tsumogiri } = this.pending;
      this.pending = null;
      const index = this.discardIndex(tile, tsumogiri);
      if (index >= 0) {
        this.answer(index);
        return;
      }
    }
    this.plan();
  }

  accepted(id) {
    if (this.request?.id === id) this.request = null;
    if (this.sent?.id === id) this.sent = null;
  }

  rejected(id, closed) {
    if (this.sent?.id === id) this.sent = null;
    this.going = null;
    if (this.request?.id !== id) return;
    this.answered = -1;
    if (closed) this.request = null;
  }

  /** Whether a question waits for an answer. */
  open() {
    return this.request !== null && this.answered !== this.request.id;
  }

  menu() {
    return this.open() ? this.request.menu : [];
  }

  /** Milliseconds left of the free time and of the bank. */
  left() {
    const used = performance.now() - this.askedAt;
    const { time_ms: time, bank_ms: bank } = this.request;
    return [Math.max(0, time - used), Math.max(0, bank - Math.max(0, used - time))];
  }

  // -------------------------------------------------------------- answers

  answer(index) {
    if (!this.open() || index < 0) return;
    const { id } = this.request;
    this.answered = id;
    this.riichi = null;
    clearTimeout(this.timer);
    this.sent = { type: "answer", id, index };
    this.send(this.sent);
    this.changed();
  }

  discardIndex(tile, tsumogiri) {
    const { menu } = this.request;
    const exact = menu.findIndex((a) => a.type === "dahai" && a.pai === tile && a.tsumogiri === tsumogiri);
    return exact >= 0 ? exact : menu.findIndex((a) => a.type === "dahai" && a.pai === tile);
  }

  mayDiscard(tile, isDrawn) {
    if (!this.open()) return false;
    if (this.riichi) return this.riichi.tiles.has(tile);
    const { menu } = this.request;
    const drawnAsked = menu.some((a) => a.type === "dahai" && a.tsumogiri);
    return menu.some((a) => a.type === "dahai" && a.pai === tile && (a.tsumogiri === isDrawn || !drawnAsked));
  }

  /** A tile was pressed; `key` names it among its equals. */
  pick({ tile, tsumogiri }, key) {
    if (!this.mayDiscard(tile, tsumogiri)) return;
    if (pref("confirm") && this.raised !== key) {
      this.raised = key;
      this.changed();
      return;
    }
    this.going = key;
    if (this.riichi) {
      // The server asks for the tile after the declaration; it is chosen already.
      this.pending = { tile, tsumogiri };
      this.answer(this.riichi.index);
    } else {
      this.answer(this.discardIndex(tile, tsumogiri));
    }
  }

  /** An action of the menu was pressed. Riichi first asks here for its tile. */
  act(index) {
    const action = this.menu()[index];
    if (!action) return;
    const tiles = (this.hints().discards ?? []).filter((d) => d.riichi).map((d) => d.tile);
    if (action.type === "reach" && !action.open && tiles.length) {
      this.riichi = { index, tiles: new Set(tiles) };
      this.changed();
    } else {
      this.answer(index);
    }
  }

  cancelRiichi() {
    this.riichi = null;
    this.changed();
  }

  // -------------------------------------------------------------- automatic switches

  toggle(name) {
    this.auto[name] = !this.auto[name];
    if (this.open()) this.plan();
    this.changed();
  }

  plan() {
    clearTimeout(this.timer);
    const index = this.autoIndex();
    if (index < 0) return;
    const { id, menu } = this.request;
    this.timer = setTimeout(() => {
      if (this.request?.id === id && this.autoIndex() === index) this.answer(index);
    }, menu.length === 1 ? ALONE_MS : AUTO_MS);
  }

  /** Which answer nobody needs to think about, -1 for none. */
  autoIndex() {
    const menu = this.menu();
    const hora = menu.findIndex((a) => a.type === "hora");
    if (hora >= 0) return this.auto.win ? hora : -1;
    const pass = menu.findIndex((a) => a.type === "none");
    if (pass >= 0) {
      const calls = menu.every((a) => ["none", "chi", "pon", "daiminkan"].includes(a.type));
      return this.auto.calls && calls ? pass : -1;
    }
    if (menu.length === 1 && menu[0].type === "dahai") return 0;
    return this.auto.draw ? menu.findIndex((a) => a.type === "dahai" && a.tsumogiri) : -1;
  }
}
