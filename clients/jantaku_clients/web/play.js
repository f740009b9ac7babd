// A seat at a table, or a place beside it: what the server tells becomes the view, and what is
// pressed becomes an answer, once for each question.

import { Answers } from "./answers.js";
import { Controls, KEYS, SWITCH_KEYS } from "./controls.js";
import { toastError } from "./dialogs.js";
import { fill, setText } from "./dom.js";
import { askName, showFinal, showGone, showResult, showWaiting } from "./panels.js";
import { forgetSeat, keepSeat, pref, seatAt } from "./prefs.js";
import { apply, emptyState, OVER } from "./state.js";
import { TableView } from "./table_view.js";
import { say, tileName } from "./words.js";

const RESULT_AFTER_MS = 1100;
const FINAL_AFTER_MS = 9000;
const WATCH_MS = 550;
const QUIET_MS = 1500;

export class Play {
  constructor(app, { table = null, code = null, watch = false }) {
    this.app = app;
    this.ownsSession = true;
    this.address = { table, code };
    this.watch = watch;
    this.view = new TableView({
      onPick: (choice, node) => this.answers.pick(choice, node.dataset.key),
      onLook: (name) => this.controls.look(name),
      onPlate: (seat) => this.turnTo(seat),
      onSettings: app.openSettings,
    });
    this.element = this.view.element;
    this.info = null;
    this.seat = -1;
    this.bottom = 0;
    this.token = null;
    this.answers = new Answers({
      send: (message) => app.connection.send(message),
      changed: () => this.drawSoon(),
      hints: () => this.hints,
    });
    this.resetGame();
    this.clockTimer = setInterval(() => this.controls.tick(), 200);
    this.controls = new Controls(this);
    fill(this.view.tray, this.controls.hints, this.controls.clock, this.controls.actions);
    fill(this.view.foot, this.controls.switches, this.controls.talk);
    if (!watch && table) this.token = seatAt(table)?.token ?? null;
    this.drawSoon();
  }

  resetGame() {
    this.state = emptyState();
    this.seq = -1;
    this.rules = {};
    this.names = ["", "", "", ""];
    this.answers.reset();
    this.hints = {};
    this.parts = new Map();
    this.horaSeqs = [];
    this.end = null;
    this.replay = null;
    this.queue = [];
    this.shownResult = null;
    this.rematchSeats = [];
  }

  close() {
    clearInterval(this.clockTimer);
    clearTimeout(this.resultTimer);
    clearTimeout(this.finalTimer);
    clearTimeout(this.queueTimer);
    this.answers.stop();
    this.closed = true;
  }

  /** Another language: the same screen, drawn anew, keeps its game. */
  keep() {
    const again = new Play(this.app, { ...this.address, watch: this.watch });
    for (const name of ["info", "seat", "bottom", "token", "state", "seq", "rules", "names", "hints", "parts", "horaSeqs", "end", "replay", "queue", "rematchSeats", "joining", "tableId", "seenStart"]) {
      again[name] = this[name];
    }
    again.answers.follow(this.answers);
    if (this.info?.state === "waiting" && this.seat >= 0) again.showWaiting();
    else if (this.finalShown) again.showFinal();
    else if (this.state.phase === OVER) again.planResult(0);
    if (this.end && !this.finalShown) again.gameOver();
    again.pumpQueue();
    return again;
  }

  // -------------------------------------------------------------- connection

  onReady() {
    const { connection } = this.app;
    this.answers.request = null;
    if (this.watch) {
      connection.send({ type: "spectate", ...this.named(), after: this.lastSeq() });
      connection.send({ type: "ping", nonce: "caught up" });
      return;
    }
    const own = this.own();
    this.token ??= own.token ?? null;
    // What comes now has happened before: no calls are shouted.
    if (this.token) this.quietUntil = performance.now() + QUIET_MS;
    if (this.token) connection.send({ type: "resume", token: this.token, after: this.lastSeq() });
    else if (own.join || this.joining) this.join(pref("name") || say("name.default"));
    else this.askName();
  }

  /** The table as messages name it. */
  named() {
    const { table, code } = this.address;
    return code ? { code } : { table };
  }

  /** Id of the table, once known. */
  id() {
    const { table, code } = this.address;
    return this.tableId ?? table ?? seatAt(`code ${code}`)?.table ?? null;
  }

  /** What this browser keeps of the seat at this table. */
  own() {
    const id = this.id();
    return (id && seatAt(id)) || {};
  }

  on_pong() {
    this.seenStart = true;
  }

  lastSeq() {
    return this.queue.length ? this.queue.at(-1).seq : this.seq;
  }

  askName() {
    askName(this);
  }

  join(name) {
    this.joining = true;
    this.app.connection.send({ type: "join", ...this.named(), name, kind: "person", entropy: entropy() });
  }

  startWatching() {
    const { table, code } = this.address;
    this.app.go(code ? `#/wc/${code}` : `#/w/${table}`);
  }

  onMessage(message) {
    const handler = this[`on_${message.type}`];
    if (handler) handler.call(this, message);
    this.drawSoon();
  }

  on_joined(message) {
    this.tableId = message.table;
    this.token = message.token;
    this.joining = false;
    this.seat = this.bottom = message.seat;
    keepSeat(message.table, { token: message.token, seat: message.seat, join: false, code: this.address.code });
    if (this.address.code) keepSeat(`code ${this.address.code}`, { table: message.table });
    this.view.closePanel();
  }

  on_resumed(message) {
    this.tableId = message.table;
    if (this.seat !== message.seat) this.seat = this.bottom = message.seat;
  }

  on_table(message) {
    this.info = message;
    if (message.replay) this.replay = message.replay;
    if (message.state !== "waiting" && !this.state.dealt) this.names = message.seats.map((seat) => seat.name);
    if (message.state === "waiting") this.names = message.seats.map((seat) => seat.name || say("seat.open"));
    if (message.state === "waiting" && !this.watch) this.showWaiting();
    else if (this.waitingShown) {
      this.waitingShown = false;
      this.view.closePanel();
    }
  }

  on_presence(message) {
    const seat = this.info?.seats[message.seat];
    if (seat) Object.assign(seat, { online: message.online, stand_in: message.stand_in });
  }

  on_chat(message) {
    this.view.board.bubble(message.seat, say(`phrase.${message.phrase}`), "chat");
  }

  on_error(message) {
    if (message.code === "taken_over" || message.code === "going_down") return;
    if (message.code === "bad_token") {
      forgetSeat(this.id());
      this.token = null;
      this.gone();
    } else if (message.about === "join" || message.about === "spectate" || message.about === "resume") {
      this.joining = false;
      if (message.code === "not_found") this.gone();
      else if (message.code === "unexpected" || message.code === "full") {
        toastError(message);
        if (message.about === "join") this.startWatching();
      } else toastError(message);
    } else if (message.code === "not_found") {
      if (!this.end) this.gone();
    } else {
      toastError(message);
    }
  }

  gone() {
    showGone(this);
  }

  showWaiting() {
    this.waitingShown = true;
    showWaiting(this);
  }

  leave() {
    this.app.connection.send({ type: "leave" });
    forgetSeat(this.id());
    this.app.go("#/");
  }

  // -------------------------------------------------------------- events

  on_event({ seq, event }) {
    if (seq <= this.lastSeq()) return;
    // A spectator who has just come sees the past at once and the rest at its pace.
    if (this.watch && this.seenStart) {
      this.queue.push({ seq, event });
      this.pumpQueue();
      return;
    }
    this.takeEvent(seq, event);
  }

  pumpQueue() {
    if (this.queueTimer || this.closed || !this.queue.length) return;
    const behind = this.queue.length;
    const next = this.queue[0].event;
    const starts = this.queue.slice(1).some(({ event }) => event.type === "start_kyoku");
    let wait = this.info?.spectator_delay === 0 ? 0 : WATCH_MS;
    if (behind > 200 || starts) wait = Math.min(wait, 120);
    if (next.type === "dora" || next.type === "reach" || next.type === "reach_accepted") wait = Math.min(wait, 150);
    if (next.type === "start_kyoku" && this.state.phase === OVER && wait) wait = 5000;
    this.queueTimer = setTimeout(() => {
      this.queueTimer = 0;
      const { seq, event } = this.queue.shift();
      this.takeEvent(seq, event);
      this.drawSoon();
      this.pumpQueue();
    }, wait);
  }

  takeEvent(seq, event) {
    this.seq = seq;
    const live = performance.now() - (this.lastEventAt ?? 0) > 20;
    this.lastEventAt = performance.now();
    if (event.type === "start_game") {
      this.names = event.names;
      this.rules = event.rules ?? {};
      return;
    }
    if (event.type === "start_kyoku") this.startHand();
    this.state = apply(this.state, event, this.rules);
    if (event.type === "hora") {
      this.horaSeqs.push(seq);
      this.planResult(RESULT_AFTER_MS);
    } else if (event.type === "ryukyoku") {
      this.planResult(RESULT_AFTER_MS);
    } else if (event.type === "end_game") {
      this.end = event;
      this.gameOver();
    }
    if (event.type === "dahai" && event.actor === this.seat) this.answers.going = null;
    if (performance.now() > (this.quietUntil ?? 0) && (live || event.type !== "dahai")) this.tell(event);
  }

  startHand() {
    this.hints = {};
    this.parts.clear();
    this.horaSeqs = [];
    this.answers.newHand();
    clearTimeout(this.resultTimer);
    this.shownResult = null;
    this.view.closePanel();
  }

  on_hints(message) {
    if (message.fu_parts) {
      this.parts.set(message.seq, message.fu_parts);
      if (this.shownResult) this.showResult();
      return;
    }
    this.hints = message;
  }

  /** Words over the seat, and for those who listen. */
  tell(event) {
    const { board } = this.view;
    const calls = { chi: "chi", pon: "pon", daiminkan: "kan", kakan: "kan", ankan: "kan", reach: "reach" };
    const name = event.actor === undefined ? "" : event.actor === this.seat ? say("you") : this.names[event.actor];
    if (event.type in calls) {
      board.bubble(event.actor, say(`call.${calls[event.type]}`), "call");
      this.view.announce(say("say.calls", name, say(`call.${calls[event.type]}`)));
    } else if (event.type === "hora") {
      const word = say(event.actor === event.target ? "call.tsumo" : "call.ron");
      board.bubble(event.actor, word, "call");
      this.view.announce(say("say.wins", name, word));
    } else if (event.type === "dahai" && event.actor !== this.seat) {
      this.view.announce(say("say.discards", name, tileName(event.pai)));
    } else if (event.type === "tsumo" && event.actor === this.seat) {
      this.view.announce(say("say.draws", tileName(event.pai)));
    }
  }

  // -------------------------------------------------------------- questions and answers

  on_request(message) {
    this.answers.take(message);
    if (!this.open()) return;
    const words = message.menu.filter((action) => action.type !== "dahai").map((action) => this.controls.actionWord(action));
    if (words.length) this.view.announce(`${say("actions")}: ${words.join(", ")}`);
    if (document.hidden) document.title = `● ${say("your.turn")}`;
  }

  on_accepted(message) {
    this.answers.accepted(message.id);
  }

  on_rejected(message) {
    this.answers.rejected(message.id, message.code === "stale");
    if (message.code !== "stale") toastError(message);
  }

  get request() {
    return this.answers.request;
  }

  get answered() {
    return this.answers.answered;
  }

  /** Whether a question waits for this seat. */
  open() {
    return this.answers.open();
  }

  // -------------------------------------------------------------- keys

  onKey(event) {
    const { key } = event;
    const { answers } = this;
    if (key in SWITCH_KEYS) {
      event.preventDefault();
      answers.toggle(SWITCH_KEYS[key]);
      return;
    }
    if (key === "ArrowLeft" || key === "ArrowRight") {
      event.preventDefault();
      this.view.hand.move(key === "ArrowLeft" ? -1 : 1);
    } else if (key === "Escape" && answers.riichi) {
      answers.cancelRiichi();
    } else if (key.length === 1 && !event.repeat) {
      const upper = key.toUpperCase();
      if (upper === "T") {
        const drawn = this.view.hand.nodes.get("drawn");
        if (drawn) this.view.hand.pick(drawn);
      } else if (/[1-9]/.test(key)) {
        this.controls.actions.querySelectorAll("button[data-option]")[Number(key) - 1]?.click();
      } else {
        answers.act(answers.menu().findIndex((a) => KEYS[a.type] === upper));
      }
    }
  }

  // -------------------------------------------------------------- showing

  drawSoon() {
    if (this.drawing || this.closed) return;
    this.drawing = true;
    requestAnimationFrame(() => {
      this.drawing = false;
      if (!this.closed) this.draw();
    });
  }

  turnTo(seat) {
    if (this.seat >= 0) return;
    this.bottom = seat;
    this.drawSoon();
  }

  draw() {
    const { state, view } = this;
    document.title = say("app.title");
    const own = state.hands[this.bottom];
    const myTurn = this.answers.menu().some((a) => a.type === "dahai");
    view.element.classList.toggle("asked", this.open());
    view.update({
      state,
      bottom: this.bottom,
      names: this.names,
      statuses: this.statuses(),
      open: state.hands.map((hand) => hand.tiles.length > 0 && !hand.tiles.includes("?")),
      pressable: this.seat < 0,
    });
    const tenpai = new Set((this.hints.discards ?? []).map((d) => d.tile));
    view.hand.update({
      tiles: own.tiles,
      drawn: own.drawn,
      melds: own.melds,
      seat: this.bottom,
      name: this.names[this.bottom],
      plain: this.seat < 0,
      active: myTurn,
      may: (name, isDrawn) => this.answers.mayDiscard(name, isDrawn),
      marks: (name) => myTurn && tenpai.has(name),
      isDora: (name) => name !== "?" && view.isDora(state, name),
      going: this.answers.going ?? this.answers.raised,
    });
    this.controls.draw();
    this.drawNote();
  }

  statuses() {
    return [0, 1, 2, 3].map((seat) => {
      const info = this.info?.seats[seat];
      if (!info || info.kind === "house" || info.kind === "open") return "";
      if (info.stand_in) return say("stand.in");
      return info.online || this.info.state === "finished" ? "" : say("offline");
    });
  }

  drawNote() {
    const delay = this.info?.spectator_delay;
    const text = this.watch && this.info
      ? `${say("watching")}. ${delay === "hand" ? say(this.state.dealt ? "watch.delay.hand" : "watch.first") : delay ? say("watch.delay.seconds", delay) : ""}`
      : "";
    setText(this.view.note, text);
  }

  // -------------------------------------------------------------- endings

  planResult(after) {
    clearTimeout(this.resultTimer);
    this.resultTimer = setTimeout(() => !this.closed && this.state.phase === OVER && this.showResult(), after);
  }

  showResult() {
    const fresh = !this.shownResult;
    this.shownResult = true;
    showResult(this, fresh);
  }

  afterResult() {
    this.shownResult = null;
    if (this.end) this.showFinal();
    else this.view.closePanel();
  }

  gameOver() {
    if (this.seat >= 0 && this.id()) keepSeat(this.id(), { over: true });
    clearTimeout(this.finalTimer);
    this.finalTimer = setTimeout(() => !this.closed && this.showFinal(), FINAL_AFTER_MS);
    if (this.shownResult) this.showResult();
  }

  showFinal() {
    clearTimeout(this.finalTimer);
    clearTimeout(this.resultTimer);
    if (!this.end) return;
    this.shownResult = null;
    this.finalShown = true;
    showFinal(this);
  }

  on_finished(message) {
    this.replay = message.replay;
    if (this.finalShown) this.showFinal();
  }

  on_rematch_wanted(message) {
    this.rematchSeats = message.seats;
    if (this.finalShown) this.showFinal();
  }

  on_rematch(message) {
    // The same people, seats and tokens at a new table.
    keepSeat(message.table, { ...this.own(), token: this.token, over: false });
    this.finalShown = false;
    this.resetGame();
    this.tableId = message.table;
    this.view.closePanel();
    if (this.address.code) keepSeat(`code ${this.address.code}`, { table: message.table });
    else {
      this.address = { table: message.table, code: null };
      history.replaceState(null, "", `#/t/${message.table}`);
    }
  }

  /** Whether this screen already shows an address. */
  follows() {
    return false;
  }
}

function entropy() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
