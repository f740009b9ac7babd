// The own hand: large tiles that are buttons. Elements stay while their tile stays, so that a
// press is never lost because the hand was drawn anew beneath it.

import { h } from "./dom.js";
import { showMelds } from "./board.js";
import { dress, meldsWidth } from "./tiles.js";
import { say, tileName } from "./words.js";

export class HandBar {
  /** `onPick({tile, tsumogiri})` on a press; `onLook(tile or null)` on hover and focus. */
  constructor(onPick, onLook) {
    this.onPick = onPick;
    this.onLook = onLook;
    this.tiles = h("div.tiles", { role: "group" });
    this.melds = h("div.melds", { role: "img" });
    this.element = h("div.handbar", this.tiles, this.melds);
    this.nodes = new Map();
    this.tiles.addEventListener("click", (event) => {
      const node = event.target.closest("button.t");
      // The second press of a double click is nobody's wish to discard again.
      if (node && event.detail < 2) this.pick(node);
    });
    for (const [kindOf, on] of [["pointerover", true], ["pointerout", false], ["focusin", true], ["focusout", false]]) {
      this.tiles.addEventListener(kindOf, (event) => {
        const node = event.target.closest?.("button.t");
        if (node) this.onLook?.(on ? node.dataset.t : null);
      });
    }
  }

  pick(node) {
    if (node.getAttribute("aria-disabled") === "true") return;
    this.onPick?.({ tile: node.dataset.t, tsumogiri: node.dataset.key === "drawn" }, node);
  }

  /**
   * Show a hand: {tiles, drawn, melds, seat, name, may(tile, isDrawn), active, marks(tile),
   * going: key of the tile that was just pressed, plain: not to be pressed at all}.
   */
  update(view) {
    const count = new Map();
    const wanted = [];
    for (const name of view.tiles) {
      const n = count.get(name) ?? 0;
      count.set(name, n + 1);
      wanted.push([`${name}#${n}`, name]);
    }
    if (view.drawn !== null) wanted.push(["drawn", view.drawn]);
    const keys = new Set(wanted.map(([key]) => key));
    for (const [key, node] of this.nodes) {
      if (!keys.has(key)) {
        node.remove();
        this.nodes.delete(key);
      }
    }
    let place = this.tiles.firstElementChild;
    for (const [key, name] of wanted) {
      let node = this.nodes.get(key);
      if (!node) {
        node = h("button", { type: "button", "data-key": key, tabindex: "-1" });
        this.nodes.set(key, node);
        if (key === "drawn" && !view.plain) {
          node.classList.add("fresh");
          setTimeout(() => node.classList.remove("fresh"), 300);
        }
      }
      this.dressTile(node, key, name, view);
      if (node === place) place = place.nextElementSibling;
      else this.tiles.insertBefore(node, place);
    }
    this.tiles.classList.toggle("active", Boolean(view.active));
    this.tiles.setAttribute("aria-label", say(view.plain ? "hand.of" : "your.hand", view.name));
    this.rove();
    showMelds(this.melds, view.melds, view.seat, view.name);
    // How wide all this is, in tiles: the stylesheet makes it fit.
    const laid = view.melds.length ? meldsWidth(view.melds) : 0;
    this.element.style.setProperty("--laid", Math.max(1, laid).toFixed(2));
    this.element.style.setProperty("--need", (view.tiles.length + 1.3 + (laid ? 0.5 + 0.78 * laid : 0)).toFixed(2));
  }

  dressTile(node, key, name, view) {
    dress(node, name);
    const isDrawn = key === "drawn";
    const may = !view.plain && view.active && view.may(name, isDrawn);
    node.classList.toggle("drawn", isDrawn);
    node.classList.toggle("off", Boolean(view.active && !may && !view.plain));
    node.classList.toggle("may", Boolean(may));
    node.classList.toggle("keeps", Boolean(view.marks?.(name)));
    node.classList.toggle("going", view.going === key);
    node.classList.toggle("isdora", Boolean(view.isDora?.(name)));
    node.setAttribute("aria-disabled", may ? "false" : "true");
    const label = isDrawn ? `${tileName(name)}, ${say("drawn")}` : tileName(name);
    if (node.getAttribute("aria-label") !== label) node.setAttribute("aria-label", label);
  }

  list() {
    return [...this.tiles.children];
  }

  /** One tile of the hand can be reached by Tab; the arrows do the rest. */
  rove() {
    const nodes = this.list();
    if (!nodes.length || nodes.some((node) => node.tabIndex === 0)) return;
    nodes.at(-1).tabIndex = 0;
  }

  /** Move the keyboard's place by one tile. */
  move(step) {
    const nodes = this.list();
    if (!nodes.length) return;
    const now = nodes.indexOf(document.activeElement);
    const next = now < 0 ? nodes.length - 1 : (now + step + nodes.length) % nodes.length;
    for (const node of nodes) node.tabIndex = node === nodes[next] ? 0 : -1;
    nodes[next].focus();
  }
}
