// Tiles and melds as elements. The pictures are cells of one sheet, chosen in the stylesheet.

import { h } from "./dom.js";
import { kind, sorted } from "./state.js";
import { tileName } from "./words.js";

const LETTERS = { E: "E", S: "S", W: "W", N: "N", P: "Wh", F: "G", C: "R" };

/** What stands in the corner of a tile for newcomers. */
function corner(name) {
  if (name === "?") return "";
  return name.length === 1 ? LETTERS[name] : name[0];
}

/** Dress an element as a tile. */
export function dress(element, name) {
  element.classList.add("t");
  if (element.dataset.t !== name) {
    element.dataset.t = name;
    element.dataset.n = corner(name);
  }
  return element;
}

/** A tile to look at; it is named to screen readers by what it lies in. */
export function tile(name, ...classes) {
  const element = dress(h("span", { "aria-hidden": "true" }), name);
  element.classList.add(...classes.filter(Boolean));
  return element;
}

/** A tile alone, with its own name. */
export function namedTile(name, ...classes) {
  const element = tile(name, ...classes);
  element.removeAttribute("aria-hidden");
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", tileName(name));
  return element;
}

/** A tile that lies on its side. */
export function sideways(name, ...classes) {
  return h("span.side", { "aria-hidden": "true" }, tile(name, ...classes));
}

/** A list of tiles as words. */
export function tileWords(names) {
  return names.map(tileName).join(", ");
}

/** The called tile lies sideways at the side of whom it came from. */
export function meldElement(meld, owner) {
  if (meld.type === "ankan") {
    const inner = sorted(meld.tiles).slice(-2);
    return h("span.meld", tile("?"), tile(inner[0]), tile(inner[1]), tile("?"));
  }
  const rest = [...meld.tiles];
  rest.splice(rest.indexOf(meld.called), 1);
  if (meld.added !== null) rest.splice(rest.indexOf(meld.added), 1);
  const from = (meld.target - owner + 4) % 4;
  const place = from === 3 ? 0 : from === 2 ? 1 : rest.length;
  const parts = rest.map((name) => tile(name));
  const lying = meld.added === null
    ? sideways(meld.called, "taken")
    : h("span.pile", sideways(meld.added), sideways(meld.called, "taken"));
  parts.splice(place, 0, lying);
  return h("span.meld", parts);
}

const MELD_WIDTHS = { chi: 3.36, pon: 3.36, kakan: 3.36, daiminkan: 4.36, ankan: 4 };
const MELD_GAP = 0.16;

/** How wide some melds are side by side, in tiles. */
export function meldsWidth(melds) {
  return melds.reduce((sum, meld) => sum + MELD_WIDTHS[meld.type] + MELD_GAP, -MELD_GAP);
}

/** Melds of a seat as words. */
export function meldWords(meld, word) {
  return `${word} ${tileWords(meld.tiles)}`;
}

/** All elements under `root` that show a tile of the same kind, marked. */
export function markKind(root, name) {
  for (const element of root.querySelectorAll(".t.same")) element.classList.remove("same");
  if (!name || name === "?") return;
  for (const element of root.querySelectorAll(".t[data-t]")) {
    if (kind(element.dataset.t) === kind(name)) element.classList.add("same");
  }
}
