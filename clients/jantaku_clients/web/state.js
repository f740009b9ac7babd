// The state of a hand, folded from its mjai events: what lies where. No rule is judged here;
// what may be done comes from the server's menu. Tiles are mjai texts, "?" an unknown one.

export const WINDS = ["E", "S", "W", "N"];
const HONOURS = "ESWNPFC";
const SUITS = "mps";

export const IDLE = 0;
export const DRAWN = 1;
export const CALLED = 2;
export const DECLARED = 3;
export const DISCARDED = 4;
export const KAN_WINDOW = 5;
export const KAN = 6;
export const OVER = 7;

/** Order of a tile in a hand: by suit and number, a red five after the ordinary ones. */
export function order(tile) {
  if (tile === "?") return 99;
  if (tile.length === 1) return 27 + HONOURS.indexOf(tile);
  return SUITS.indexOf(tile[1]) * 9 + Number(tile[0]) - 1 + (tile[2] ? 0.5 : 0);
}

export function sorted(tiles) {
  return [...tiles].sort((a, b) => order(a) - order(b));
}

/** Tile without its colour: "5mr" is a "5m" to every rule. */
export function kind(tile) {
  return tile.length === 3 ? tile.slice(0, 2) : tile;
}

/** The dora that an indicator points to. */
export function doraOf(marker) {
  const tile = kind(marker);
  if (tile.length === 2) return `${(Number(tile[0]) % 9) + 1}${tile[1]}`;
  const next = { E: "S", S: "W", W: "N", N: "E", P: "F", F: "C", C: "P" };
  return next[tile] ?? tile;
}

function hand(tiles) {
  return { tiles: sorted(tiles), drawn: null, melds: [] };
}

function take(own, tiles) {
  if (own.drawn !== null) {
    own.tiles.push(own.drawn);
    own.drawn = null;
  }
  for (const tile of tiles) {
    const index = own.tiles.indexOf(own.tiles.includes("?") ? "?" : tile);
    if (index >= 0) own.tiles.splice(index, 1);
  }
  own.tiles = sorted(own.tiles);
}

/** A new hand's state; before the first hand there is one without tiles. */
export function emptyState() {
  return {
    bakaze: 0, kyoku: 1, oya: 0, honba: 0, kyotaku: 0, scores: [0, 0, 0, 0],
    phase: IDLE, turn: -1, last: null, hands: [hand([]), hand([]), hand([]), hand([])],
    rivers: [[], [], [], []], dora: [], draws: 0, rinshan: 0, riichi: [0, 0, 0, 0],
    declaring: -1, declared: 0, uninterrupted: true, sideways: [false, false, false, false],
    kan: "", ippatsu: [false, false, false, false], wallHash: "", wallKey: "", ura: [],
    horas: [], ryukyoku: null, dealt: false,
  };
}

/** Tiles that can still be drawn. */
export function liveLeft(state) {
  return 70 - state.draws - state.rinshan;
}

/** Wind of a seat, 0-3. */
export function seatWind(state, seat) {
  return (seat - state.oya + 4) % 4;
}

/** Take one event: the new state (a new object for a new hand, else the same one, changed). */
export function apply(state, event, rules) {
  if ((state.phase === DISCARDED || state.phase === KAN_WINDOW) && event.type !== "hora") {
    closeWindow(state);
  }
  const handler = HANDLERS[event.type];
  return handler ? handler(state, event, rules ?? {}) ?? state : state;
}

function closeWindow(state) {
  if (state.phase === KAN_WINDOW) {
    state.uninterrupted = false;
    state.ippatsu = [false, false, false, false];
    state.kan = "";
    state.phase = KAN;
  } else {
    state.phase = IDLE;
  }
}

function naki(state, event) {
  const own = state.hands[event.actor];
  take(own, event.consumed);
  own.melds.push({
    type: event.type, tiles: sorted([event.pai, ...event.consumed]),
    called: event.pai, target: event.target, added: null,
  });
  const discard = state.rivers[event.target].at(-1);
  discard.called = true;
  state.sideways[event.target] = discard.riichi;
  state.uninterrupted = false;
  state.ippatsu = [false, false, false, false];
  state.turn = event.actor;
  state.last = null;
  state.phase = event.type === "daiminkan" ? KAN : CALLED;
}

const HANDLERS = {
  start_kyoku(_, event) {
    return {
      ...emptyState(),
      bakaze: WINDS.indexOf(event.bakaze), kyoku: event.kyoku, oya: event.oya,
      honba: event.honba, kyotaku: event.kyotaku, scores: [...event.scores],
      hands: event.tehais.map(hand), dora: [event.dora_marker],
      wallHash: event.wall_hash ?? "", dealt: true,
    };
  },
  tsumo(state, event) {
    if (state.phase === KAN) state.rinshan += 1;
    else state.draws += 1;
    state.hands[event.actor].drawn = event.pai;
    state.turn = event.actor;
    state.last = null;
    state.phase = DRAWN;
  },
  dahai(state, event) {
    const seat = event.actor;
    const own = state.hands[seat];
    state.ippatsu[seat] = false;
    if (event.tsumogiri) {
      own.drawn = null;
    } else {
      const index = own.tiles.indexOf(own.tiles.includes("?") ? "?" : event.pai);
      if (index >= 0) {
        own.tiles.splice(index, 1);
        if (own.drawn !== null) own.tiles.push(own.drawn);
      }
      own.drawn = null;
      own.tiles = sorted(own.tiles);
    }
    state.rivers[seat].push({
      tile: event.pai, tsumogiri: event.tsumogiri, riichi: state.sideways[seat], called: false,
    });
    state.sideways[seat] = false;
    state.turn = seat;
    state.last = event.pai;
    state.phase = DISCARDED;
  },
  chi: naki,
  pon: naki,
  daiminkan: naki,
  kakan(state, event) {
    const own = state.hands[event.actor];
    take(own, [event.pai]);
    const pon = own.melds.find((m) => m.type === "pon" && kind(m.called) === kind(event.pai));
    if (pon) {
      pon.type = "kakan";
      pon.tiles = sorted([...pon.tiles, event.pai]);
      pon.added = event.pai;
    }
    openKan(state, event.actor, event.pai, "kakan");
  },
  ankan(state, event) {
    const own = state.hands[event.actor];
    take(own, event.consumed);
    own.melds.push({ type: "ankan", tiles: sorted(event.consumed), called: null, target: -1, added: null });
    openKan(state, event.actor, sorted(event.consumed)[0], "ankan");
  },
  dora(state, event) {
    state.dora.push(event.dora_marker);
  },
  reach(state, event) {
    const first = state.uninterrupted && state.rivers[event.actor].length === 0;
    state.declaring = event.actor;
    state.declared = event.open ? (first ? 4 : 3) : first ? 2 : 1;
    state.sideways[event.actor] = true;
    state.phase = DECLARED;
  },
  reach_accepted(state, event) {
    state.scores = [...event.scores];
    state.kyotaku += 1;
    state.riichi[event.actor] = state.declared || 1;
    state.ippatsu[event.actor] = true;
    state.declaring = -1;
    state.declared = 0;
    if (event.tehai?.length) state.hands[event.actor].tiles = sorted(event.tehai);
  },
  hora(state, event) {
    if (state.phase === KAN_WINDOW) voidKan(state);
    state.scores = [...event.scores];
    state.kyotaku = 0;
    state.ura = event.ura_markers.length ? event.ura_markers : state.ura;
    state.horas.push(event);
    const own = state.hands[event.actor];
    if (own.tiles.includes("?")) own.tiles = sorted(event.hora_tehais);
    if (own.drawn === "?") own.drawn = event.pai;
    state.phase = OVER;
  },
  ryukyoku(state, event, rules) {
    state.scores = [...event.scores];
    state.ryukyoku = event;
    if (event.reason === "nagashi_mangan" && rules.nagashi === "win") state.kyotaku = 0;
    event.tehais.forEach((tiles, seat) => {
      const own = state.hands[seat];
      if (!tiles.includes("?") && own.tiles.includes("?")) {
        own.tiles = sorted(tiles);
        own.drawn = null;
      }
    });
    state.phase = OVER;
  },
  end_kyoku(state, event) {
    state.wallKey = event.wall_key ?? "";
  },
  end_game(state, event) {
    state.scores = [...event.scores];
    state.kyotaku = 0;
  },
};

function openKan(state, seat, tile, type) {
  state.turn = seat;
  state.last = tile;
  state.kan = type;
  state.phase = KAN_WINDOW;
}

/** A robbed kan: its tile is the winner's, the rest goes back to where it was. */
function voidKan(state) {
  const own = state.hands[state.turn];
  const index = own.melds.findIndex((m) => m.type === state.kan && kind(m.tiles[0]) === kind(state.last));
  if (index < 0) return;
  const [meld] = own.melds.splice(index, 1);
  const rest = [...meld.tiles];
  rest.splice(rest.indexOf(state.last), 1);
  if (meld.type === "kakan") own.melds.push({ ...meld, type: "pon", tiles: rest, added: null });
  else own.tiles = sorted([...own.tiles, ...rest]);
}
