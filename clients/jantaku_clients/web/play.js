// The game at a table, from a seat or from beside it: what the server tells becomes the view,
// and what is pressed becomes an answer, once for each question.

import { Answers } from "./answers.js";
import { Controls, KEYS, SWITCH_KEYS } from "./controls.js";
import { toast, toastError } from "./dialogs.js";
import { fill, setText } from "./dom.js";
import { Entrance } from "./entrance.js";
import { Pace } from "./pace.js";
import { askName, showFinal, showGone, showResult, showWaiting } from "./panels.js";
import { apply, emptyState, OVER } from "./state.js";
import { TableView } from "./table_view.js";
import { say, tileName } from "./words.js";

const RESULT_AFTER_MS = 1100;
const FINAL_AFTER_MS = 9000;
const QUIET_MS = 1500;

export class Play {
  /** `address`: see `Entrance`. */
  constructor(app, address) {
    this.app = app;
    this.ownsSession = true;
    this.entrance = new Entrance(app, address);
    this.watch = this.entrance.watch;
    this.pace = new Pace({
      take: (seq, event) => {
        this.takeEvent(seq, event);
        this.drawSoon();
      },
      isLive: () => this.info?.spectator_delay === 0,
      isOver: () => this.state.phase === OVER,
    });
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
    this.pace.queue = [];
    this.shownResult = null;
    this.rematchSeats = [];
  }

  close() {
    clearInterval(this.clockTimer);
    clearTimeout(this.resultTimer);
    clearTimeout(this.finalTimer);
    this.pace.stop();
    this.answers.stop();
    this.closed = true;
  }

  /** Another language: the same screen, drawn anew, keeps its game. */
  keep() {
    const again = new Play(this.app, { watch: this.watch });
    for (const name of ["entrance", "info", "seat", "bottom", "state", "seq", "rules", "names", "hints", "parts", "horaSeqs", "end", "replay", "rematchSeats", "seenStart"]) {
      again[name] = this[name];
    }
    again.answers.follow(this.answers);
    if (!this.info && !this.watch && !this.entrance.token) again.invite();
    else if (this.info?.state === "waiting" && this.seat >= 0) again.showWaiting();
    else if (this.finalShown) again.showFinal();
    else if (this.state.phase === OVER) again.planResult(0);
    if (this.end && !this.finalShown) again.gameOver();
    again.pace.follow(this.pace);
    return again;
  }

  // -------------------------------------------------------------- connection

  onReady() {
    this.answers.request = null;
    if (!this.entrance.enter(this.lastSeq())) this.invite();
    // What comes now has happened before: no calls are shouted.
    else if (this.entrance.token) this.quietUntil = performance.now() + QUIET_MS;
  }

  /** Somebody came by a link; if nobody can join the table any more, what is left of it is shown. */
  async invite() {
    const table = await this.entrance.listed();
    if (this.closed || this.entrance.joining) return;
    if (table === null) this.entrance.startWatching();
    else askName(this, table);
  }

  on_pong() {
    this.seenStart = true;
  }

  /** Number of the last event that has come. */
  lastSeq() {
    return Math.max(this.seq, this.pace.lastSeq());
  }

  onMessage(message) {
    const handler = this[`on_${message.type}`];
    if (handler) handler.call(this, message);
    this.drawSoon();
  }

  on_joined(message) {
    this.entrance.joined(message);
    this.seat = this.bottom = message.seat;
    this.view.closePanel();
  }

  on_resumed(message) {
    this.entrance.tableId = message.table;
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
      this.entrance.forget();
      showGone(this);
    } else if (message.about === "join" || message.about === "spectate" || message.about === "resume") {
      this.entrance.joining = false;
      if (message.code === "not_found") showGone(this);
      else if (message.code === "unexpected" || message.code === "full") {
        toastError(message);
        if (message.about === "join") this.entrance.startWatching();
      } else if (message.about === "join" && message.message.includes("'name'")) {
        askName(this);
        toast(say("err.name"));
      } else toastError(message);
    } else if (message.code === "not_found") {
      if (!this.end) showGone(this);
    } else {
      toastError(message);
    }
  }

  showWaiting() {
    this.waitingShown = true;
    showWaiting(this);
  }

  // -------------------------------------------------------------- events

  on_event({ seq, event }) {
    if (seq <= this.lastSeq()) return;
    // A spectator who has just come sees the past at once and the rest at its pace.
    if (this.watch && this.seenStart) this.pace.add(seq, event);
    else this.takeEvent(seq, event);
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
    const late = delay === "hand" ? say(this.state.dealt ? "watch.delay.hand" : "watch.first") : delay ? say("watch.delay.seconds", delay) : "";
    setText(this.view.note, this.watch && this.info ? [say("watching"), late].filter(Boolean).join(" · ") : "");
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
    this.entrance.over();
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
    this.entrance.moved(message.table);
    this.finalShown = false;
    this.resetGame();
    this.view.closePanel();
  }

  /** Whether this screen already shows an address. */
  follows() {
    return false;
  }
}
