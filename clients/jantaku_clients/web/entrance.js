// How one comes to a table: with the token of a seat, by a link and a name, or only to watch;
// and what this browser keeps of it.

import { keptName } from "./names.js";
import { forgetSeat, keepSeat, seatAt } from "./prefs.js";
import { say } from "./words.js";

/** The server's list is cut off at so many tables. */
const MOST_LISTED = 200;

export class Entrance {
  constructor(app, { table = null, code = null, watch = false }) {
    this.app = app;
    this.address = { table, code };
    this.watch = watch;
    this.joining = false;
    this.tableId = null;
    this.token = !watch && table ? seatAt(table)?.token ?? null : null;
  }

  /** Ask the server for the table after event `seq`; false: the player must be asked for a name. */
  enter(seq) {
    const { connection } = this.app;
    const own = this.own();
    this.token ??= this.watch ? null : own.token ?? null;
    if (this.watch) {
      connection.send({ type: "spectate", ...this.named(), after: seq });
      // Its pong comes when everything that has happened so far has come.
      connection.send({ type: "ping", nonce: "caught up" });
    } else if (this.token) {
      connection.send({ type: "resume", token: this.token, after: seq });
    } else if (own.join || this.joining) {
      this.join(keptName() || say("name.default"));
    } else {
      return false;
    }
    return true;
  }

  /**
   * What the server's list says of the table: null when nobody can join it, undefined when that
   * cannot be known, as of a private table, which is on no list.
   */
  async listed() {
    const { table } = this.address;
    if (!table) return undefined;
    try {
      const { tables } = await (await fetch("/api/tables")).json();
      return tables.find((one) => one.table === table) ?? (tables.length < MOST_LISTED ? null : undefined);
    } catch {
      return undefined;
    }
  }

  join(name) {
    this.joining = true;
    this.app.connection.send({ type: "join", ...this.named(), name, kind: "person", entropy: entropy() });
  }

  startWatching() {
    const { table, code } = this.address;
    this.app.go(code ? `#/wc/${code}` : `#/w/${table}`);
  }

  leave() {
    this.app.connection.send({ type: "leave" });
    this.forget();
    this.app.go("#/");
  }

  /** The table as messages name it. */
  named() {
    const { table, code } = this.address;
    return code ? { code } : { table };
  }

  /** Id of the table, once known. */
  id() {
    const { table, code } = this.address;
    return this.tableId ?? table ?? seatAt(`code ${code}`)?.table ?? null;
  }

  /** The address that a friend needs. */
  link() {
    const base = location.href.split("#")[0];
    const code = this.address.code ?? this.own().code;
    return code ? `${base}#/c/${code}` : `${base}#/t/${this.address.table}`;
  }

  // -------------------------------------------------------------- what is kept

  /** What this browser keeps of the seat at this table. */
  own() {
    const id = this.id();
    return (id && seatAt(id)) || {};
  }

  joined({ table, token, seat }) {
    this.tableId = table;
    this.token = token;
    this.joining = false;
    keepSeat(table, { token, seat, join: false, code: this.address.code });
    if (this.address.code) keepSeat(`code ${this.address.code}`, { table });
  }

  /** The same people, seats and tokens at a new table. */
  moved(table) {
    keepSeat(table, { ...this.own(), token: this.token, over: false });
    this.tableId = table;
    if (this.address.code) {
      keepSeat(`code ${this.address.code}`, { table });
    } else {
      this.address = { table, code: null };
      history.replaceState(null, "", `#/t/${table}`);
    }
  }

  /** The game is over: the lobby need not offer the way back. */
  over() {
    if (this.token && this.id()) keepSeat(this.id(), { over: true });
  }

  forget() {
    forgetSeat(this.id());
    this.token = null;
  }
}

function entropy() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
