// For the layout tests: a table that no server stands behind, told what to show.
async () => {
  const module = (name) => import(document.querySelector(`link[href$="/${name}.js"]`).href);
  const [{ Play }, { apply, emptyState }, words] = await Promise.all(["play", "state", "words"].map(module));
  const { app } = jantaku;
  app.connection.listen({}, false);
  const sent = [];
  app.connection.send = (message) => sent.push(message) > 0;
  const info = (names) => ({
    type: "table", table: "t", state: "playing", chat: true, spectator_delay: 0,
    seats: names.map((name, seat) => ({ seat, name, kind: seat % 2 ? "person" : "house", online: false, stand_in: seat === 1 })),
  });
  let screen = null;

  /** A fresh table seen from a seat. */
  const open = (seat, names) => {
    app.screen?.close?.();
    screen = new Play(app, { table: "t" });
    app.screen = screen;
    screen.quietUntil = Infinity;
    document.getElementById("app").replaceChildren(screen.element);
    screen.on_table(info(names));
    screen.names = names;
    screen.seat = screen.bottom = seat;
  };

  let id = 0;
  const ask = (menu, hints) => {
    screen.hints = hints ?? {};
    screen.answers.request = null;
    id += 1;
    if (menu) screen.on_request({ type: "request", id, menu, time_ms: 88000, bank_ms: 88000 });
    screen.answers.stop();
  };

  const show = () => {
    screen.draw();
    screen.controls.tick();
  };

  globalThis.stage = {
    sent,
    say: words.setLanguage,
    /** The result of a hand. */
    ending({ seat, names, events, parts }) {
      open(seat, names);
      events.forEach((event, seq) => screen.takeEvent(seq, event));
      parts.forEach(([seq, fu_parts]) => screen.on_hints({ type: "hints", seq, fu_parts }));
      ask(null);
      show();
      screen.showResult();
    },
    /** The end of a game. */
    final({ seat, names, end }) {
      open(seat, names);
      screen.takeEvent(0, end);
      screen.replay = "0123456789abcdef.mjson.gz";
      screen.showFinal();
    },
    /** A moment of a game. */
    game({ seat, names, events, menu, hints }) {
      open(seat, names);
      events.forEach((event, seq) => screen.takeEvent(seq, event));
      ask(menu, hints);
      show();
    },
    /** Made-up melds and rivers for all four seats; `more` is laid over the state. */
    made({ melds, rivers }, names, more = {}) {
      open(0, names);
      const state = emptyState();
      Object.assign(state, { dealt: true, phase: 1, turn: 0, kyoku: 4, bakaze: 1, honba: 12, kyotaku: 3, scores: [123400, -12300, 25000, 0], dora: ["1m", "2m", "3m", "4m", "5mr"], riichi: [1, 1, 1, 1] });
      state.hands = melds.map((own, seat) => ({
        tiles: Array(13 - 3 * own.length).fill(seat ? "?" : "3p"), drawn: seat ? "?" : "5pr", melds: own,
      }));
      state.rivers = rivers.map((count, seat) => Array.from({ length: count }, (_, n) => ({
        tile: n % 2 ? "C" : "8s", tsumogiri: n % 3 === 0, riichi: n === seat * 4 || n === seat * 4 + 1 || n === 13, called: n % 5 === 0,
      })));
      screen.state = Object.assign(state, more);
      ask(null);
      show();
    },
    /** Another question at the table that is shown. */
    ask(menu, hints, riichi) {
      ask(menu, hints);
      if (riichi) screen.answers.riichi = { index: 0, tiles: new Set(["3p"]) };
      show();
    },
  };
}
