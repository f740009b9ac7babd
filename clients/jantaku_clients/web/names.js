// Names of players: what the server takes for one, and what of it a field holds.

import { toast } from "./dialogs.js";
import { pref, setPref } from "./prefs.js";
import { say } from "./words.js";

/** Characters that nothing is printed for, and that the server refuses: joiners, marks of direction. */
const UNPRINTABLE = /\p{C}/gu;

/** A name as the server takes it: what can be printed, with single plain spaces inside. */
export function cleanName(text) {
  return text.replace(/[\s\p{Z}]/gu, " ").replace(UNPRINTABLE, "").replace(/ +/g, " ").trim();
}

/** The name of last time. */
export function keptName() {
  return cleanName(pref("name"));
}

/**
 * The name in a field, kept for next time; one without a name gets a plain one. Null when
 * characters had to go: the field shows what is left, for the player to look at first.
 */
export function takeName(input) {
  const name = cleanName(input.value);
  const spoilt = input.value.search(UNPRINTABLE) >= 0;
  if (spoilt) {
    input.value = name;
    input.focus();
    toast(say(name ? "name.cleaned" : "name.empty"));
    return null;
  }
  setPref("name", name || say("name.default"));
  return pref("name");
}
