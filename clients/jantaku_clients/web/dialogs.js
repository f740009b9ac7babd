// Settings, and short messages that go away by themselves.

import { h } from "./dom.js";
import { pref, setPref } from "./prefs.js";
import { LANGUAGES, language, say, setLanguage } from "./words.js";

/** Buttons that switch the language. */
export function languageButtons(onChange) {
  return h(
    "div.languages",
    { role: "group", "aria-label": say("language") },
    Object.entries(LANGUAGES).map(([name, text]) =>
      h(
        "button.quiet",
        {
          type: "button", lang: name, "data-lang": name,
          "aria-pressed": String(name === language()),
          onclick: () => {
            setLanguage(name);
            onChange();
          },
        },
        text,
      ),
    ),
  );
}

const KEYS = [
  ["← →", "key.tiles"],
  ["T", "key.tsumogiri"],
  ["W R P C K N", "key.actions"],
  ["1 – 9", "key.options"],
  ["Y F Esc", "key.rare"],
  ["F2 F3 F4", "key.switches"],
];
const REPLAY_KEYS = [
  ["← →", "key.step"],
  ["⇧← ⇧→", "key.turn"],
  ["↑ ↓", "key.hand"],
  ["Home End", "key.ends"],
  ["␣", "key.play"],
  ["H N V", "key.look"],
];

/** The settings; `onLanguage` is called when another language was chosen. */
export function openSettings(onLanguage) {
  const dialog = h("dialog.settings");
  const close = () => {
    dialog.close();
    dialog.remove();
  };
  const choice = (name) =>
    h(
      "label.check",
      h("input", {
        type: "checkbox", checked: pref(name), "data-pref": name,
        onchange: (event) => setPref(name, event.target.checked),
      }),
      h("span", say(`set.${name}`), document.createElement("br"), h("small", say(`set.${name}.help`) === `set.${name}.help` ? "" : say(`set.${name}.help`))),
    );
  dialog.append(
    h("h2", say("settings")),
    h("div.field", h("span", say("language")), languageButtons(() => {
      close();
      onLanguage();
    })),
    choice("numerals"),
    choice("motion"),
    choice("confirm"),
    h("h3", say("keys")), keyList(KEYS),
    h("h3", say("keys.replay")), keyList(REPLAY_KEYS),
    h("button.main", { type: "button", onclick: close }, say("close")),
  );
  dialog.addEventListener("click", (event) => event.target === dialog && close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function keyList(rows) {
  return h("dl.keys", rows.map(([keys, text]) => h("div", h("dt", keys.split(" ").map((k) => h("kbd", k))), h("dd", say(text)))));
}

let box = null;

/** A short message at the edge of the screen. */
export function toast(text) {
  box ??= document.body.appendChild(h("div.toasts", { role: "status", "aria-live": "polite" }));
  const line = h("div.toast", text);
  box.append(line);
  setTimeout(() => line.remove(), 4500);
}

/** What the server refused, in the reader's words where there are some. */
export function toastError(message) {
  const key = `err.${message.code}`;
  const known = say(key);
  toast(known === key ? say("error", message.message) : known);
}
