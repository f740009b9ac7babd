// The page: one connection, one screen at a time, chosen by what stands after the #.

import { openSettings } from "./dialogs.js";
import { h, setText } from "./dom.js";
import { Lobby } from "./lobby.js";
import { Connection } from "./net.js";
import { Play } from "./play.js";
import { onPref, pref } from "./prefs.js";
import { Replay } from "./replay.js";
import { say, startLanguage } from "./words.js";

const app = {
  connection: new Connection(),
  screen: null,
  file: null,
  openSettings: () => openSettings(() => show(true)),
  go(hash) {
    if (location.hash === hash) show(true);
    else location.hash = hash;
  },
};

const banner = h("div.banner", { role: "status", hidden: true });
let root = null;

function screenFor(hash) {
  const [name, ...rest] = hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  if (name === "t" && rest[0]) return new Play(app, { table: rest[0] });
  if (name === "c" && rest[0]) return new Play(app, { code: rest[0] });
  if (name === "w" && rest[0]) return new Play(app, { table: rest[0], watch: true });
  if (name === "wc" && rest[0]) return new Play(app, { code: rest[0], watch: true });
  if (name === "r" && rest[0]) return new Replay(app, { game: rest[0], place: rest.slice(1) });
  if (name === "file" && app.file) return new Replay(app, { file: app.file, place: rest });
  return new Lobby(app);
}

/** Show the screen of the address; `again`: even when it is the one that is shown. */
function show(again) {
  const hash = location.hash || "#/";
  if (!again && app.screen?.follows?.(hash)) return;
  const before = app.screen;
  const kept = again ? before?.keep?.() : null;
  before?.close?.();
  app.screen = kept ?? screenFor(hash);
  document.title = say("app.title");
  root.replaceChildren(app.screen.element);
  // What a session listens to ends with it: a screen that listened leaves a fresh one behind.
  const renew = !kept && before?.ownsSession;
  app.connection.listen(app.screen, !kept && !renew);
  if (renew) app.connection.restart();
  stateChanged(app.connection.state);
}

function stateChanged(state) {
  banner.hidden = state === "open" || state === "connecting";
  if (state === "lost") setText(banner, say("lost"));
  if (state === "stopped") {
    banner.replaceChildren(
      say("stopped"), " ",
      h("button", { type: "button", onclick: () => app.connection.restart() }, say("take.back")),
    );
  }
  app.screen?.onState?.(state);
}

function applyPrefs() {
  document.documentElement.classList.toggle("numerals", pref("numerals"));
  document.documentElement.classList.toggle("still", !pref("motion"));
}

/** A record for the viewer: a dropped or chosen file. */
app.openFile = (file) => {
  app.file = file;
  if (location.hash.startsWith("#/file")) show(true);
  else location.hash = "#/file";
};

function start() {
  root = document.getElementById("app");
  startLanguage();
  applyPrefs();
  onPref(applyPrefs);
  document.body.append(banner);
  const { connection } = app;
  connection.onState = stateChanged;
  addEventListener("hashchange", () => show(false));
  addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) document.body.classList.remove("dropping");
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    const file = event.dataTransfer.files[0];
    if (file) app.openFile(file);
  });
  addEventListener("keydown", (event) => {
    if (event.target.closest?.("input, select, textarea, dialog")) return;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    app.screen?.onKey?.(event);
  });
  connection.open();
  show(true);
  // What tests compare with the engine's own state.
  globalThis.jantaku = { app };
}

start();
