// What this browser remembers: choices, a name, and the keys to seats.

const PREFIX = "jantaku.";
const memory = new Map();

function read(name) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name));
  } catch {
    return memory.get(name) ?? null;
  }
}

function write(name, value) {
  memory.set(name, value);
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Private windows may refuse; the page works without.
  }
}

const DEFAULTS = { numerals: false, motion: true, confirm: false, name: "", lang: "", form: {} };
const prefs = { ...DEFAULTS, ...read("prefs") };
const listeners = new Set();

export function pref(name) {
  return prefs[name];
}

export function setPref(name, value) {
  prefs[name] = value;
  write("prefs", prefs);
  for (const listener of listeners) listener(name);
}

export function onPref(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// ---------------------------------------------------------------- seats

const MOST_SEATS = 20;

/** Remember the token of a seat: {token, seat, name, code, owner}. */
export function keepSeat(table, entry) {
  const seats = read("seats") ?? {};
  seats[table] = { ...seats[table], ...entry, at: Date.now() };
  const newest = Object.entries(seats).sort((a, b) => b[1].at - a[1].at).slice(0, MOST_SEATS);
  write("seats", Object.fromEntries(newest));
}

export function seatAt(table) {
  return (read("seats") ?? {})[table] ?? null;
}

export function forgetSeat(table) {
  const seats = read("seats") ?? {};
  delete seats[table];
  write("seats", seats);
}

/** The seats whose game may still be going on, newest first. */
export function openSeats() {
  return Object.entries(read("seats") ?? {})
    .filter(([, entry]) => entry.token && !entry.over)
    .sort((a, b) => b[1].at - a[1].at)
    .map(([table, entry]) => ({ table, ...entry }));
}
