// Stepping through a finished game: every tile open, every step reachable.

import { fill, h, icon, keep, setText } from "./dom.js";
import { cleanName } from "./names.js";
import { copyText } from "./panels.js";
import { check } from "./proof.js";
import { finalBody, resultBody, resultTitle } from "./result.js";
import { apply, emptyState, OVER } from "./state.js";
import { TableView } from "./table_view.js";
import { tile, tileWords } from "./tiles.js";
import { honbaName, roundName, say, signed } from "./words.js";
import { toastError } from "./dialogs.js";

const CHUNK = 10500;
/** Most bytes of a record that the server takes, packed and unpacked. */
const MOST_SENT = 4 << 20;
const MOST_UNPACKED = 8 << 20;
const AHEAD = 3;
const WHEEL = 40;
const LATER_MS = 1000;
const SPEEDS = [["0.5×", 1600], ["1×", 800], ["2×", 400], ["4×", 200]];
const GZIP = [0x1f, 0x8b];
const ZIP = [0x50, 0x4b, 0x03, 0x04];
const LIVE = [52, 122];
const DORA = [130, 128, 126, 124, 122];
const URA = [131, 129, 127, 125, 123];
const RINSHAN = [134, 135, 132, 133];
const TABS = ["rp.hands", "rp.wall", "rp.proof"];

export class Replay {
  constructor(app, { game = null, file = null, place = [] }) {
    this.app = app;
    this.ownsSession = false;
    this.source = { game, file };
    const [k, s, v] = place.map((text) => Number(text) || 0);
    this.kyoku = Math.max(0, (k || 1) - 1);
    this.step = s || 0;
    this.bottom = (v || 0) % 4;
    this.all = true;
    this.named = true;
    this.tab = "rp.hands";
    this.speed = 800;
    this.game = null;
    this.kyokus = [];
    this.state = emptyState();
    this.wheeled = 0;
    this.sending = 0;
    this.refused = false;
    this.view = new TableView({
      onPlate: (seat) => this.look({ bottom: seat }),
      onSettings: app.openSettings,
    });
    this.element = this.view.element;
    this.element.classList.add("replaying");
    this.hintBox = h("div.hints");
    this.stepText = h("div.steps");
    fill(this.view.tray, this.hintBox, this.stepText);
    this.bar = h("div.bar", { role: "toolbar", "aria-label": say("replay") });
    this.choices = h("div.choices");
    fill(this.view.foot, this.bar, this.choices);
    this.tabs = h("div.tabs", { role: "tablist" });
    this.tabBody = h("div.tabbody");
    fill(this.view.side, this.tabs, this.tabBody);
    this.view.stage.addEventListener("wheel", (event) => this.onWheel(event), { passive: false });
    this.view.openPanel(say("replay"), h("p", say("replay.reading")));
  }

  close() {
    clearTimeout(this.playTimer);
    clearTimeout(this.addressTimer);
    clearTimeout(this.laterTimer);
    this.closed = true;
  }

  keep() {
    if (!this.game) return null;
    const again = new Replay(this.app, this.source);
    for (const name of ["kyoku", "step", "bottom", "all", "named", "tab", "speed", "game", "kyokus"]) again[name] = this[name];
    again.view.closePanel();
    again.show();
    return again;
  }

  // -------------------------------------------------------------- fetching

  onReady() {
    if (this.game && this.kyokus.filter(Boolean).length === this.game.kyokus.length) return;
    if (this.refused) return;
    if (this.source.game) this.app.connection.send({ type: "replay", game: this.source.game });
    else this.upload(this.source.file);
  }

  async upload(file) {
    const turn = (this.sending += 1);
    if (file.size > MOST_UNPACKED) return this.tooLarge();
    let bytes = new Uint8Array(await file.arrayBuffer());
    if (startsWith(bytes, ZIP)) return this.fail(say("replay.zip"));
    if (globalThis.CompressionStream && !startsWith(bytes, GZIP)) {
      const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
      bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    }
    if (bytes.length > MOST_SENT) return this.tooLarge();
    if (turn !== this.sending || this.closed) return;
    this.packed = bytes;
    const { connection } = this.app;
    connection.send({ type: "replay", name: cleanName(file.name.slice(0, 120)) || "record", size: Math.max(1, bytes.length) });
    // Its pong comes after a refusal.
    connection.send({ type: "ping", nonce: `record ${turn}` });
  }

  /** The server waits for the record: large pieces are not counted. */
  sendPieces() {
    const { packed } = this;
    for (let at = 0; at < packed.length; at += CHUNK) {
      const part = packed.subarray(at, at + CHUNK);
      this.app.connection.send({ type: "replay_data", data: btoa(String.fromCharCode(...part)) });
    }
  }

  tooLarge() {
    this.fail(say("replay.large", MOST_SENT >> 20));
  }

  onMessage(message) {
    if (message.type === "replay") {
      this.game = message;
      if (this.kyokus.length !== message.kyokus.length) this.kyokus = new Array(message.kyokus.length).fill(null);
      this.kyoku = Math.min(this.kyoku, message.kyokus.length - 1);
      this.asked = new Set();
      this.askFor(this.kyokus[this.kyoku] ? this.kyokus.indexOf(null) : this.kyoku);
    } else if (message.type === "replay_kyoku") {
      this.kyokus[message.index] = message;
      if (message.index === this.kyokus.length - 1 && this.game.end) message.events.push(this.game.end);
      if (message.index === this.kyoku) this.show();
      const missing = this.kyokus.map((k, n) => (k ? -1 : n)).filter((n) => n >= 0 && !this.asked.has(n));
      for (const index of missing.slice(0, AHEAD)) this.askFor(index);
      if (this.kyokus.every(Boolean)) this.element.dataset.whole = "true";
    } else if (message.type === "pong") {
      if (message.nonce === `record ${this.sending}`) this.sendPieces();
    } else if (message.type === "error") {
      if (message.code === "flooding") this.askLater();
      else if (message.about === "replay_more" && message.code === "unexpected") this.openAgain();
      else if (message.about.startsWith("replay")) this.fail(message.message);
      else toastError(message);
    }
  }

  askFor(index) {
    if (index < 0) return;
    this.asked.add(index);
    this.app.connection.send({ type: "replay_more", index });
  }

  /** The server had too much to do for this client, and dropped what it was asked. */
  askLater() {
    clearTimeout(this.laterTimer);
    this.sending += 1;
    this.laterTimer = setTimeout(() => {
      if (!this.game) return this.onReady();
      this.asked = new Set();
      this.askFor(this.kyokus.indexOf(null));
    }, LATER_MS);
  }

  /** The server has put the record away before all of it was fetched. */
  openAgain() {
    if (this.asked.size === 0) return; // asked for already
    this.asked = new Set();
    this.onReady();
  }

  /** It cannot be read; what else is refused after this follows from it. */
  fail(why) {
    if (this.refused || this.closed) return;
    this.refused = !this.game;
    this.sending += 1;
    this.view.openPanel(say("replay.failed"), h("p", why), h("a.button.main", { href: "#/" }, say("back")));
  }

  // -------------------------------------------------------------- moving

  events() {
    return this.kyokus[this.kyoku]?.events ?? [];
  }

  /** Go to a step of a hand; beyond its ends lie the neighbouring hands. */
  go(kyoku, step) {
    if (!this.game) return;
    let to = Math.max(0, Math.min(kyoku, this.kyokus.length - 1));
    if (to !== kyoku) step = kyoku < 0 ? 0 : Infinity;
    this.kyoku = to;
    if (this.kyokus[to]) this.step = Math.max(0, Math.min(step, this.events().length - 1));
    else this.step = Number.isFinite(step) ? step : 0;
    this.show();
  }

  by(steps) {
    const to = this.step + steps;
    if (to < 0) {
      if (this.kyoku > 0) this.go(this.kyoku - 1, Infinity);
    } else if (to >= this.events().length) {
      if (this.kyoku < this.kyokus.length - 1) this.go(this.kyoku + 1, 0);
      else this.pause();
    } else {
      this.go(this.kyoku, to);
    }
  }

  /** The next or previous draw (or call) of the seat that is looked from. */
  turn(direction) {
    const events = this.events();
    for (let at = this.step + direction; at >= 0 && at < events.length; at += direction) {
      const event = events[at];
      const mine = event.actor === this.bottom && ["tsumo", "chi", "pon", "daiminkan"].includes(event.type);
      if (mine || event.type === "hora" || event.type === "ryukyoku" || event.type === "start_kyoku") {
        this.go(this.kyoku, at);
        return;
      }
    }
    this.by(direction > 0 ? events.length - this.step : -this.step - 1);
  }

  look(change) {
    Object.assign(this, change);
    this.show();
  }

  play() {
    this.playing = true;
    clearTimeout(this.playTimer);
    const next = () => {
      if (!this.playing || this.closed) return;
      this.by(1);
      const over = this.state.phase === OVER;
      this.playTimer = setTimeout(next, over ? this.speed * 3 : this.speed);
    };
    this.playTimer = setTimeout(next, this.speed);
    this.show();
  }

  pause() {
    this.playing = false;
    clearTimeout(this.playTimer);
    this.show();
  }

  onWheel(event) {
    if (event.ctrlKey || event.target.closest(".panel")) return;
    event.preventDefault();
    this.wheeled += event.deltaY * (event.deltaMode ? 40 : 1);
    while (Math.abs(this.wheeled) >= WHEEL) {
      const direction = Math.sign(this.wheeled);
      this.wheeled -= direction * WHEEL;
      this.by(direction);
      if (Math.abs(this.wheeled) > WHEEL * 3) this.wheeled = 0;
    }
  }

  onKey(event) {
    const { key } = event;
    const moves = {
      ArrowRight: () => (event.shiftKey ? this.turn(1) : this.by(1)),
      ArrowLeft: () => (event.shiftKey ? this.turn(-1) : this.by(-1)),
      ArrowDown: () => this.go(this.kyoku + 1, 0),
      ArrowUp: () => this.go(this.step > 0 ? this.kyoku : this.kyoku - 1, 0),
      PageDown: () => this.turn(1),
      PageUp: () => this.turn(-1),
      Home: () => this.go(0, 0),
      End: () => this.go(this.kyokus.length - 1, Infinity),
      " ": () => (this.playing ? this.pause() : this.play()),
      h: () => this.look({ all: !this.all }),
      n: () => this.look({ named: !this.named }),
      v: () => this.look({ bottom: (this.bottom + 1) % 4 }),
    };
    const move = moves[key];
    if (!move || (key === " " && event.target.closest?.("button, a"))) return;
    event.preventDefault();
    move();
  }

  // -------------------------------------------------------------- showing

  names() {
    return this.named ? this.game.names : [0, 1, 2, 3].map((seat) => say(`wind.${seat}`));
  }

  /** Shanten, waits and furiten of each seat at this step. */
  facts() {
    const facts = [null, null, null, null];
    for (const [at, seat, shanten, waits, furiten] of this.kyokus[this.kyoku].facts) {
      if (at > this.step) break;
      facts[seat] = { shanten, waits, furiten };
    }
    return facts;
  }

  show() {
    if (!this.game || this.closed) return;
    const kyoku = this.kyokus[this.kyoku];
    if (!kyoku) return;
    this.step = Math.max(0, Math.min(this.step, kyoku.events.length - 1));
    let state = emptyState();
    for (const event of kyoku.events.slice(0, this.step + 1)) state = apply(state, event, this.game.rules);
    this.state = state;
    const names = this.names();
    const facts = this.facts();
    const open = [0, 1, 2, 3].map((seat) => this.all || seat === this.bottom);
    this.view.update({
      state, bottom: this.bottom, names, open, pressable: true,
      statuses: facts.map((fact, seat) => (open[seat] && fact ? shantenStatus(fact) : "")),
    });
    const own = state.hands[this.bottom];
    this.view.hand.update({
      tiles: own.tiles, drawn: own.drawn, melds: own.melds, seat: this.bottom, name: names[this.bottom], plain: true,
      isDora: (name) => this.view.isDora(state, name),
    });
    this.showHints(facts[this.bottom]);
    this.showEnd(names, kyoku);
    this.showControls();
    this.showTab(names, kyoku);
    setText(this.stepText, say("rp.step", this.step + 1, kyoku.events.length));
    this.element.dataset.place = `${this.kyoku}/${this.step}`;
    this.keepAddress();
  }

  showHints(fact) {
    keep(this.hintBox, [fact, document.documentElement.lang], () => {
      if (!fact) return [];
      if (!fact.waits.length) return [h("small.shanten", shantenWord(fact))];
      return [
        h(`div.waits${fact.waits.length > 5 ? ".many" : ""}`, { role: "img", "aria-label": `${say("waits")}: ${tileWords(fact.waits.map(([name]) => name))}` },
          h("small", say("waits")),
          fact.waits.map(([name, left]) => h(`span.wait${left ? "" : ".out"}`, tile(name), h("small", String(left))))),
        fact.furiten && h("strong.furiten", { title: say(`furiten.${fact.furiten}`) }, say("furiten")),
      ];
    });
  }

  showEnd(names, kyoku) {
    const last = kyoku.events[this.step];
    setText(this.view.note, this.game.differences ? say("replay.differs", this.game.differences) : "");
    if (last.type === "end_game") this.view.openPanel(say("final"), finalBody(last, names));
    else if (this.state.phase === OVER) {
      const wins = kyoku.events.map((event, at) => (event.type === "hora" ? at : -1)).filter((at) => at >= 0);
      this.view.openPanel(resultTitle(this.state, names), resultBody(this.state, names, (index) => kyoku.fu_parts[String(wins[index])] ?? []));
    } else this.view.closePanel();
  }

  showControls() {
    keep(this.bar, [this.playing, document.documentElement.lang], () => [
      control("start", "rp.prev.hand", "↑", () => this.go(this.step > 0 ? this.kyoku : this.kyoku - 1, 0)),
      control("turnback", "rp.prev.turn", "⇧←", () => this.turn(-1)),
      control("back", "rp.prev", "←", () => this.by(-1)),
      control(this.playing ? "pause" : "play", this.playing ? "rp.pause" : "rp.play", "␣", () => (this.playing ? this.pause() : this.play()), "main"),
      control("on", "rp.next", "→", () => this.by(1)),
      control("turnon", "rp.next.turn", "⇧→", () => this.turn(1)),
      control("end", "rp.next.hand", "↓", () => this.go(this.kyoku + 1, 0)),
    ]);
    const names = this.names();
    keep(this.choices, [this.bottom, this.all, this.named, this.speed, names, document.documentElement.lang], () => [
      h("label", h("span.unseen", say("rp.view")),
        h("select.view", { "aria-label": say("rp.view"), onchange: (e) => this.look({ bottom: Number(e.target.value) }) },
          names.map((name, seat) => h("option", { value: String(seat), selected: seat === this.bottom }, `${say(`wind.short.${seat}`)} ${name}`)))),
      toggle("rp.all", this.all, "H", () => this.look({ all: !this.all })),
      toggle("rp.names", this.named, "N", () => this.look({ named: !this.named })),
      h("select.speed", { "aria-label": say("rp.speed"), onchange: (e) => { this.speed = Number(e.target.value); } },
        SPEEDS.map(([text, value]) => h("option", { value: String(value), selected: value === this.speed }, text))),
      h("button.quiet.link", {
        type: "button", disabled: !this.source.game, title: say(this.source.game ? "rp.link" : "rp.link.none"),
        onclick: (event) => copyText(this.address(), event.currentTarget),
      }, say(this.source.game ? "rp.link.short" : "rp.link.short.none")),
    ]);
  }

  address() {
    const base = location.href.split("#")[0];
    return `${base}#/r/${this.source.game}/${this.kyoku + 1}/${this.step}/${this.bottom}`;
  }

  /** The address bar is the link to this step too. */
  keepAddress() {
    if (!this.source.game) return;
    clearTimeout(this.addressTimer);
    this.addressTimer = setTimeout(() => !this.closed && history.replaceState(null, "", this.address()), 400);
  }

  // -------------------------------------------------------------- beside the board

  showTab(names, kyoku) {
    keep(this.tabs, [this.tab, document.documentElement.lang], () =>
      TABS.map((name) => h("button", { type: "button", role: "tab", "aria-selected": String(name === this.tab), onclick: () => this.look({ tab: name }) }, say(name))),
    );
    const key = [this.tab, document.documentElement.lang, this.kyoku, this.named, this.tab === "rp.wall" ? [this.state.draws, this.state.rinshan, this.state.dora.length] : 0];
    keep(this.tabBody, key, () => {
      if (this.tab === "rp.wall") return this.wall(kyoku);
      if (this.tab === "rp.proof") return this.proof(kyoku);
      return this.contents(names);
    });
  }

  contents(names) {
    return h("ol.contents", this.game.kyokus.map((one, index) => {
      const wind = "ESWN".indexOf(one.bakaze);
      const result = one.draw ? say(`draw.${one.draw}`) : one.winners.map((seat) => names[seat]).join(", ");
      return h("li", h(
        "button.quiet",
        { type: "button", "aria-current": String(index === this.kyoku), onclick: () => this.go(index, 0) },
        h("b", roundName(wind, one.kyoku)), h("small", one.honba > 0 ? honbaName(one.honba) : ""),
        h("span.who", result),
        h("span.deltas", one.deltas.map((delta, seat) => h(`span.${delta > 0 ? "up" : delta < 0 ? "down" : "zero"}`, { title: names[seat] }, delta ? signed(delta) : "0"))),
      ));
    }));
  }

  wall(kyoku) {
    const { state } = this;
    const kans = state.hands.reduce((sum, hand) => sum + hand.melds.filter((m) => m.tiles.length === 4).length, 0);
    const live = kyoku.wall.slice(...LIVE).map((name, index) => {
      const gone = index < state.draws || index >= 70 - kans;
      return tile(name, gone && "gone", index === state.draws && "next");
    });
    const pick = (places, gone) => places.map((place, n) => tile(kyoku.wall[place], gone(n) && "gone"));
    return h(
      "div.wall",
      h("h3", say("rp.live")),
      h("div.walltiles", { role: "img", "aria-label": tileWords(kyoku.wall.slice(LIVE[0] + state.draws, LIVE[1] - kans)) }, live),
      h("h3", say("rp.dead")),
      h("div.dead",
        h("small", say("dora")), h("span", pick(DORA, (n) => n >= state.dora.length)),
        h("small", say("ura")), h("span", pick(URA, (n) => n >= state.dora.length)),
        h("small", say("rp.rinshan")), h("span", pick(RINSHAN, (n) => n < state.rinshan))),
    );
  }

  proof(kyoku) {
    const start = kyoku.events[0];
    const end = kyoku.events.find((event) => event.type === "end_kyoku");
    const hash = start.wall_hash ?? "";
    const key = end?.wall_key ?? "";
    if (!hash || !key) {
      const verdict = kyoku.proof.verdict;
      if (verdict === "refuted") return h("p.verdict.bad", "✗ ", say("proof.wall.bad"));
      return kyoku.derived && verdict === "proved" ? h("p.verdict.good", "✓ ", say("proof.derived", kyoku.proof.tiles)) : h("p", say("proof.none"));
    }
    const found = check(hash, key, kyoku.ids);
    const line = (good, yes, no) => h(`p.verdict.${good ? "good" : "bad"}`, good ? "✓ " : "✗ ", say(good ? yes : no));
    return h(
      "div.proof",
      h("h3", say("proof.hash")), h("code", hash),
      h("h3", say("proof.key")), h("code", key),
      line(found.key, "proof.key.ok", "proof.key.bad"),
      line(found.wall, "proof.wall.ok", "proof.wall.bad"),
      h("small.soft", say("proof.here")),
    );
  }
}

function startsWith(bytes, sign) {
  return sign.every((byte, at) => bytes[at] === byte);
}

function control(sign, name, key, onclick, ...classes) {
  return h(`button${classes.map((c) => `.${c}`).join("")}`, { type: "button", onclick, "aria-label": say(name), title: `${say(name)} (${key})`, "data-control": name }, icon(sign));
}

function toggle(name, on, key, onclick) {
  return h("button.switch", { type: "button", "aria-pressed": String(on), "data-toggle": name, title: key, onclick }, say(name));
}

function shantenStatus(fact) {
  return fact.waits.length ? { text: say("tenpai"), tiles: fact.waits.map(([name]) => name) } : shantenWord(fact);
}

function shantenWord(fact) {
  return fact.shanten > 0 ? say("shanten", fact.shanten) : fact.shanten === 0 ? say("tenpai") : say("agari");
}
