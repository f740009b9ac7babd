// The end of a hand and of a game: who won with what, who paid, how it stands now.

import { h } from "./dom.js";
import { seatWind, sorted } from "./state.js";
import { meldElement, tile, tileWords } from "./tiles.js";
import { fuName, number, points, say, signed, yakuName } from "./words.js";

/**
 * The result of the hand in `state`; `parts(index)` gives the fu parts of the nth win, `mine` is
 * the seat that looks at it, if any.
 */
export function resultBody(state, names, parts, mine = -1) {
  const blocks = state.horas.map((hora, index) => winBlock(state, names, hora, parts?.(index) ?? []));
  if (state.ryukyoku) blocks.push(drawBlock(state, names));
  const endings = [...state.horas, ...(state.ryukyoku ? [state.ryukyoku] : [])];
  return h("div.result", blocks, payments(state, names, endings, mine));
}

/** The title of the dialog. */
export function resultTitle(state, names) {
  if (state.ryukyoku) return say(`draw.${state.ryukyoku.reason}`);
  return state.horas
    .map((hora) => `${names[hora.actor]} · ${say(hora.actor === hora.target ? "win.tsumo" : "win.ron")}`)
    .join("  /  ");
}

function winBlock(state, names, hora, parts) {
  const melds = state.hands[hora.actor].melds;
  const tsumo = hora.actor === hora.target;
  return h(
    "section.win",
    state.horas.length > 1 &&
      h("h3", `${names[hora.actor]} · ${say(tsumo ? "win.tsumo" : "win.ron")}`),
    h(
      "div.won",
      { role: "img", "aria-label": `${tileWords(hora.hora_tehais)}; ${tileWords([hora.pai])}` },
      h("span.run", sorted(hora.hora_tehais).map((name) => tile(name))),
      h("span.run.wintile", tile(hora.pai)),
      melds.length > 0 && h("span.run.laid", melds.map((meld) => meldElement(meld, hora.actor))),
    ),
    !tsumo && h("p.from", say("win.from", names[hora.target])),
    hora.pao !== undefined && h("p.from", say("pao", names[hora.pao])),
    h("div.markers", indicators("dora.markers", state.dora), hora.ura_markers.length > 0 && indicators("ura.markers", hora.ura_markers)),
    yakuList(hora),
    h("p.value", valueWords(hora)),
    parts.length > 0 && fuLine(parts, hora.fu),
  );
}

function indicators(key, markers) {
  return h(
    "span.indicators",
    { role: "img", "aria-label": `${say(key)}: ${tileWords(markers)}` },
    h("small", say(key)),
    markers.map((name) => tile(name)),
  );
}

function yakuList(hora) {
  const rows = hora.yakus.map(([id, value]) => [
    yakuName(id),
    hora.yakuman ? (value === 1 ? say("limit.yakuman") : say("yakuman.times", value)) : value ? say("han", value) : "",
  ]);
  for (const [key, count] of [["dora", hora.dora], ["ura", hora.uradora], ["aka", hora.akadora]]) {
    if (count) rows.push([say(key), say("han", count)]);
  }
  return h("dl.yaku", rows.map(([name, value]) => h("div", h("dt", name), h("dd", value))));
}

/** "4 han 30 fu · Mangan · 8,000 points". */
export function valueWords(hora) {
  const words = [];
  if (hora.yakuman) {
    words.push(hora.yakuman === 1 ? say("limit.yakuman") : say("yakuman.times", hora.yakuman));
  } else {
    words.push(hora.fu ? `${say("han", hora.fan)} ${say("fu", hora.fu)}` : say("han", hora.fan));
    if (hora.limit !== "none") words.push(say(`limit.${hora.limit}`));
  }
  words.push(say("points", number(hora.hora_points)));
  return words.join(" · ");
}

function fuLine(parts, fu) {
  const sum = parts.reduce((total, [, value]) => total + value, 0);
  const words = parts.map(([name, value]) => h("span", `${fuName(name)} ${value}`));
  return h("p.fuparts", h("b", say("fu.title")), words, h("span.sum", sum === fu ? `= ${fu}` : `= ${sum} → ${fu}`));
}

function drawBlock(state, names) {
  const { tenpais, tehais, reason, nagashi } = state.ryukyoku;
  const shown = tehais
    .map((tiles, seat) => ({ tiles, seat }))
    .filter(({ tiles }) => !tiles.includes("?"));
  return h(
    "section.win",
    nagashi?.length > 0 && h("p.from", nagashi.map((seat) => names[seat]).join(", ")),
    shown.map(({ tiles, seat }) =>
      h(
        "div.shown",
        h("span.who", names[seat], reason === "exhaustive" && h("small", say(tenpais[seat] ? "tenpai" : "noten"))),
        h(
          "span.won",
          { role: "img", "aria-label": tileWords(tiles) },
          h("span.run", sorted(tiles).map((name) => tile(name))),
          state.hands[seat].melds.length > 0 &&
            h("span.run.laid", state.hands[seat].melds.map((meld) => meldElement(meld, seat))),
        ),
      ),
    ),
    reason === "exhaustive" &&
      h(
        "p.from",
        tenpais.map((is, seat) => (is ? null : names[seat])).filter(Boolean).join(", ") || "",
        tenpais.some((is) => !is) ? ` · ${say("noten")}` : "",
      ),
  );
}

function payments(state, names, endings, mine) {
  const total = [0, 1, 2, 3].map((seat) => endings.reduce((sum, event) => sum + event.deltas[seat], 0));
  const rows = [0, 1, 2, 3].map((seat) => ({ seat, delta: total[seat], now: state.scores[seat] }));
  return h(
    "table.pay",
    h(
      "tbody",
      rows.map(({ seat, delta, now }) =>
        h(
          seat === mine ? "tr.mine" : "tr",
          h("th", { scope: "row" }, h("small.seatwind", say(`wind.short.${seatWind(state, seat)}`)), names[seat]),
          h("td.delta", { class: `delta ${delta > 0 ? "up" : delta < 0 ? "down" : ""}` }, delta ? signed(delta) : "0"),
          h("td", number(now)),
        ),
      ),
    ),
  );
}

/** The table of a finished game. */
export function finalBody(end, names) {
  const seats = [0, 1, 2, 3].sort((a, b) => end.ranks[a] - end.ranks[b]);
  return h(
    "table.final",
    h("thead", h("tr", ["place", "player", "score", "final.points"].map((key) => h("th", { scope: "col" }, say(key))))),
    h(
      "tbody",
      seats.map((seat) =>
        h(
          "tr",
          h("td.rank", String(end.ranks[seat])),
          h("th", { scope: "row" }, names[seat]),
          h("td", number(end.scores[seat])),
          h("td", { class: end.points[seat] > 0 ? "up" : "down" }, points(end.points[seat])),
        ),
      ),
    ),
  );
}
