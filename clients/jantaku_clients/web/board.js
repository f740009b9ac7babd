// The middle of the table: rivers, the others' hands, melds, scores. It shows a state and
// touches only what has changed since it last did.

import { h, keep, setText } from "./dom.js";
import { liveLeft, seatWind } from "./state.js";
import { meldElement, meldsWidth, meldWords, sideways, tile, tileWords } from "./tiles.js";
import { number, roundName, say, signed } from "./words.js";

const ROW = 6;

export class Board {
  /** `onPlate(seat)` is called when a player's plate is pressed. */
  constructor(onPlate) {
    this.compare = false;
    this.view = null;
    this.frames = [];
    this.plates = [];
    this.scores = [];
    this.sticks = [];
    this.lamps = [];
    this.racks = [null];
    this.rivers = [];
    this.element = h("div.board");
    for (let place = 0; place < 4; place += 1) this.addPlace(place, onPlate);
    this.round = h("div.round");
    this.left = h("div.left");
    this.middle = h("button.middle", { type: "button" }, this.round, this.left);
    const on = () => this.setCompare(true);
    const off = () => this.setCompare(false);
    this.middle.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && on());
    this.middle.addEventListener("pointerdown", on);
    this.middle.addEventListener("pointerup", (event) => event.pointerType !== "mouse" && off());
    this.middle.addEventListener("pointercancel", off);
    this.middle.addEventListener("pointerleave", off);
    this.middle.addEventListener("focus", () => this.middle.matches(":focus-visible") && on());
    this.middle.addEventListener("blur", off);
    this.element.append(h("div.centre", this.middle, this.scores, this.lamps));
    this.element.append(...this.plates);
  }

  addPlace(place, onPlate) {
    const river = h("div.river", { role: "img" });
    const stick = h("div.stick", { hidden: true });
    const frame = h("div.frame", { "data-place": place }, river, stick);
    if (place) {
      const rack = h("div.rack", h("div.backs", { role: "img" }), h("div.melds", { role: "img" }));
      frame.append(rack);
      this.racks.push(rack);
    }
    this.frames.push(frame);
    this.rivers.push(river);
    this.sticks.push(stick);
    this.scores.push(h("div.score", { "data-place": place }, h("b"), h("span")));
    this.lamps.push(h("div.lamp", { "data-place": place }));
    const plate = h("button.plate", { type: "button", "data-place": place }, h("span.name"), h("span.status"));
    plate.addEventListener("click", () => onPlate?.(this.seatAt(place)));
    this.plates.push(plate);
    this.element.append(frame);
  }

  seatAt(place) {
    return ((this.view?.bottom ?? 0) + place) % 4;
  }

  setCompare(on) {
    if (this.compare === on) return;
    this.compare = on;
    if (this.view) this.update(this.view);
  }

  /**
   * Show `view`: {state, bottom, names, statuses, open: seats whose hands are shown, pressable}.
   */
  update(view) {
    this.view = view;
    const { state, bottom } = view;
    for (let place = 0; place < 4; place += 1) {
      const seat = (bottom + place) % 4;
      this.river(place, seat, view);
      if (place) this.rack(place, seat, view);
      this.plate(place, seat, view);
      this.scoreOf(place, seat, view);
      this.sticks[place].hidden = !state.riichi[seat];
      const turn = state.dealt && state.turn === seat && state.phase !== 7 && state.phase !== 4;
      this.lamps[place].classList.toggle("on", turn);
      this.plates[place].classList.toggle("turn", turn);
    }
    setText(this.round, state.dealt ? roundName(state.bakaze, state.kyoku) : "");
    setText(this.left, state.dealt ? say("left", liveLeft(state)) : "");
    this.middle.setAttribute(
      "aria-label",
      `${roundName(state.bakaze, state.kyoku)}, ${say("left", liveLeft(state))}. ${say("score.help")}`,
    );
    this.middle.title = say("score.help");
  }

  river(place, seat, { state, names }) {
    const element = this.rivers[place];
    const discards = state.rivers[seat];
    const isLast = state.phase === 4 && state.turn === seat;
    const key = `${seat}|${isLast}|${discards.map((d) => `${d.tile}${d.tsumogiri ? "t" : ""}${d.riichi ? "r" : ""}${d.called ? "c" : ""}`).join()}`;
    const before = element.childElementCount ? element.count ?? 0 : 0;
    const grew = discards.length === before + 1 && element.seat === seat;
    element.count = discards.length;
    element.seat = seat;
    keep(element, key, () => {
      const rows = [h("div.row"), h("div.row"), h("div.row")];
      discards.forEach((discard, index) => {
        const last = index === discards.length - 1;
        const classes = [
          discard.tsumogiri && "tsumogiri",
          discard.called && "called",
          last && isLast && "last",
          last && grew && isLast && "fresh",
        ];
        const one = discard.riichi ? sideways(discard.tile, ...classes) : tile(discard.tile, ...classes);
        rows[Math.min(2, Math.floor(index / ROW))].append(one);
      });
      rows.forEach((row, index) => measureRow(row, discards.slice(index * ROW, index < 2 ? (index + 1) * ROW : undefined)));
      return rows;
    });
    element.setAttribute(
      "aria-label",
      `${say("river.of", names[seat])}: ${tileWords(discards.map((d) => d.tile)) || say("none")}`,
    );
  }

  rack(place, seat, { state, names, open }) {
    const own = state.hands[seat];
    const [backs, melds] = this.racks[place].children;
    const shown = open[seat];
    const tiles = shown ? own.tiles : own.tiles.map(() => "?");
    const drawn = own.drawn === null ? null : shown ? own.drawn : "?";
    keep(backs, `${tiles.join()}|${drawn}`, () => [
      tiles.map((name) => tile(name)),
      drawn !== null && tile(drawn, "drawn"),
    ]);
    const known = tiles.filter((name) => name !== "?");
    backs.setAttribute(
      "aria-label",
      `${say("hand.of", names[seat])}: ${known.length ? tileWords(known) : tiles.length + (drawn ? 1 : 0)}`,
    );
    showMelds(melds, own.melds, seat, names[seat]);
    // Room for a drawn tile is kept, so that nothing moves with each draw.
    const need = tiles.length + 1.4 + (own.melds.length ? 0.16 + meldsWidth(own.melds) : 0);
    this.racks[place].style.setProperty("--need", need.toFixed(2));
  }

  plate(place, seat, { names, statuses, pressable, state }) {
    const plate = this.plates[place];
    setText(plate.children[0], names[seat] ?? "");
    const status = statuses?.[seat] ?? "";
    keep(plate.children[1], status, () =>
      typeof status === "string" ? [status] : [status.text, h("span.minis", status.tiles.map((name) => tile(name)))],
    );
    plate.disabled = !pressable;
    plate.title = names[seat] ?? "";
    plate.classList.toggle("dealer", state.dealt && state.oya === seat);
  }

  scoreOf(place, seat, { state, bottom }) {
    const element = this.scores[place];
    const base = state.scores[bottom];
    const differs = this.compare && place;
    const text = differs ? signed(state.scores[seat] - base) : number(state.scores[seat]);
    setText(element.children[0], state.dealt ? say(`wind.short.${seatWind(state, seat)}`) : "");
    setText(element.children[1], state.dealt ? text : "");
    element.classList.toggle("dealer", state.dealt && seat === state.oya);
    element.classList.toggle("up", Boolean(differs) && state.scores[seat] > base);
    element.classList.toggle("down", Boolean(differs) && state.scores[seat] < base);
  }

  /** A word over a seat: a call, or what somebody says. */
  bubble(seat, text, kindOf) {
    const place = (seat - (this.view?.bottom ?? 0) + 4) % 4;
    const element = h(`div.bubble.${kindOf}`, { "data-place": place }, text);
    this.element.append(element);
    setTimeout(() => element.remove(), kindOf === "chat" ? 4000 : 1300);
  }
}

/** How long a row of discards would be, in tiles; the stylesheet pushes it together if it must. */
function measureRow(row, discards) {
  const length = discards.reduce((sum, discard) => sum + (discard.riichi ? 1.36 : 1), 0);
  row.style.setProperty("--len", length.toFixed(2));
  row.style.setProperty("--gaps", String(Math.max(1, discards.length - 1)));
}

/** Put a seat's melds into an element. */
export function showMelds(element, melds, seat, name) {
  keep(element, melds.map((m) => `${m.type}${m.tiles.join("")}${m.called}${m.target}`).join(), () =>
    melds.map((meld) => meldElement(meld, seat)),
  );
  element.hidden = melds.length === 0;
  const words = melds.map((meld) => meldWords(meld, say(`act.${meld.type}`)));
  element.setAttribute("aria-label", `${say("melds.of", name)}: ${words.join("; ")}`);
}
