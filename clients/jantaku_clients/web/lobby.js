// The lobby: play at once, make a table, join or watch one, look at finished games.

import { languageButtons, toastError } from "./dialogs.js";
import { fill, h, icon, keep } from "./dom.js";
import { cleanName, keptName, takeName } from "./names.js";
import { keepSeat, openSeats, pref, setPref } from "./prefs.js";
import { tile } from "./tiles.js";
import { has, points, say, signed } from "./words.js";

const LIST_MS = 3000;
const PAUSE_MS = 8000;

/** Name in the form of the server's own rules, which a table has that names no preset. */
const HOUSE = "house";

export class Lobby {
  constructor(app) {
    this.app = app;
    this.presets = [];
    this.form = { preset: "", length: "hanchan", clock: "people", bots: "0", bot: "greedy", private: true, delay: "hand", ...pref("form") };
    this.tables = h("div.list", { "aria-live": "polite" });
    this.games = h("div.list");
    this.options = h("ul.chips");
    this.formBox = h("div");
    this.returnBox = h("div.returns");
    this.element = h("main.lobby", this.header(), this.returnBox, this.hero(), h("div.cards", this.newTable(), this.right()));
    this.timer = setInterval(() => this.refresh(), LIST_MS);
    this.loadPresets();
    this.loadGames();
    this.showReturns();
  }

  close() {
    clearInterval(this.timer);
  }

  onReady(welcome) {
    this.welcome = welcome;
    this.showForm();
    this.refresh();
  }

  refresh() {
    if (!document.hidden) this.app.connection.send({ type: "list" });
  }

  onMessage(message) {
    if (message.type === "tables") this.showTables(message.tables);
    else if (message.type === "created") this.created(message);
    else if (message.type === "error") toastError(message);
  }

  // -------------------------------------------------------------- parts

  header() {
    return h(
      "header.top",
      h("h1", h("span.mark", { "aria-hidden": "true" }, tile("C"), tile("F"), tile("P")), say("app.title")),
      h("p", say("app.tagline")),
      languageButtons(() => this.app.go("#/")),
      h("button.quiet.gear", { type: "button", onclick: this.app.openSettings, "aria-label": say("settings"), title: say("settings") }, icon("gear")),
    );
  }

  hero() {
    this.name = h("input", {
      type: "text", id: "name", maxlength: "20", autocomplete: "nickname", value: keptName(),
      placeholder: say("name.default"), oninput: () => setPref("name", cleanName(this.name.value)),
    });
    return h(
      "section.hero",
      h("label.field", { for: "name" }, h("span", say("name.ask")), this.name),
      h("div.go", h("button.main.big", { type: "button", onclick: () => this.playNow() }, say("play.now")), h("small", say("play.now.help"))),
    );
  }

  newTable() {
    return h("section.card.create", h("h2", say("new.table")), this.formBox);
  }

  right() {
    const file = h("input.unseen", {
      type: "file", id: "file", accept: ".xml,.mjlog,.json,.mjson,.gz,.jsonl,.log,.txt",
      onchange: () => file.files[0] && this.app.openFile(file.files[0]),
    });
    return h(
      "div.stack",
      h("section.card", h("h2", say("tables")), this.tables),
      h("section.card", h("h2", say("games")), this.games),
      h("section.card.dropzone", h("h2", say("replay.open")), file, h("label.drop", { for: "file" }, h("b", say("replay.drop")), h("small", say("replay.forms")))),
    );
  }

  showReturns() {
    fill(
      this.returnBox,
      openSeats()
        .filter((entry) => !entry.table.startsWith("code "))
        .slice(0, 2)
        .map((entry) =>
          h("a.return", { href: entry.code ? `#/c/${entry.code}` : `#/t/${entry.table}` }, h("span", say("return.help")), h("b", say("return")))),
    );
  }

  // -------------------------------------------------------------- a new table

  async loadPresets() {
    try {
      const response = await fetch("/api/presets");
      this.presets = (await response.json()).presets;
    } catch {
      this.presets = [];
    }
    this.showForm();
  }

  set(name, value) {
    this.form[name] = value;
    setPref("form", { ...pref("form"), [name]: value });
    if (name === "preset") this.showOptions();
  }

  /** The rules that a table may have; first those of this server, where it has rules of its own. */
  choices() {
    const own = this.welcome?.rules;
    const base = this.presets.find((preset) => preset.name === own?.preset);
    if (!base) return this.presets;
    const others = this.presets.filter((preset) => preset !== base);
    if (Object.keys(own).length === 1) return [base, ...others];
    return [{ name: HOUSE, rules: { ...base.rules, ...own } }, ...this.presets];
  }

  showForm() {
    const names = this.choices().map((preset) => preset.name);
    const clocks = Object.entries(this.welcome?.clocks ?? {}).filter(([name]) => name !== "bots");
    const bots = this.welcome?.bots ?? [];
    keep(this.formBox, [names, clocks, bots], () => {
      if (!names.length || !clocks.length) return [h("p.soft", say("connecting"))];
      return [
        h(
          "form.stack",
          { onsubmit: (event) => this.submit(event) },
          this.select("preset", "rules", names.map((name) => [name, say(`preset.${name}`)])),
          this.options,
          h("div.pair",
            this.select("length", "length", [["tonpuu", say("tonpuu")], ["hanchan", say("hanchan")]]),
            this.select("clock", "clock", clocks.map(([name, c]) => [name, `${say(`clock.${name}`)} (${say("clock.words", c.move / 1000, c.bank / 1000)})`]))),
          h("div.pair.uneven",
            this.select("bots", "bots", ["0", "1", "2", "3"].map((n) => [n, say("bots.count", n)])),
            this.select("bot", "bots.kind", bots.map((name) => [name, has(`bot.${name}`) ? say(`bot.${name}`) : name]))),
          this.select("delay", "delay", [
            ["hand", say("delay.hand")], ["0", say("delay.live")], ["60", say("delay.seconds", 60)],
            ["300", say("delay.seconds", 300)], ["none", say("delay.none")],
          ]),
          h("label.check", h("input", { type: "checkbox", checked: this.form.private, onchange: (e) => this.set("private", e.target.checked) }), h("span", say("private"))),
          h("button.main", { type: "submit" }, say("create")),
        ),
      ];
    });
    this.showOptions();
  }

  select(name, label, options) {
    const id = `form-${name}`;
    if (!options.some(([value]) => value === this.form[name])) this.form[name] = options[0][0];
    return h(
      "label.field",
      { for: id },
      h("span", say(label)),
      h("select", { id, onchange: (event) => this.set(name, event.target.value) },
        options.map(([value, text]) => h("option", { value, selected: value === this.form[name] }, text))),
    );
  }

  showOptions() {
    const preset = this.choices().find((one) => one.name === this.form.preset);
    if (preset) fill(this.options, optionWords(preset.rules).map((text) => h("li", text)));
  }

  submit(event) {
    event.preventDefault();
    const { preset, length, clock, bots, bot, delay } = this.form;
    this.create({
      rules: preset === HOUSE ? { length } : { preset, length },
      clock,
      seats: seatsWith(Number(bots), bot),
      private: this.form.private,
      ...(delay === "none" ? { spectators: false } : { spectator_delay: delay === "hand" ? "hand" : Number(delay) }),
    });
  }

  playNow() {
    const bot = this.welcome?.bots.includes("greedy") ? "greedy" : this.welcome?.bots[0];
    if (!bot) return;
    this.create({ rules: { length: "tonpuu" }, clock: "people", seats: seatsWith(3, bot), private: false });
  }

  create(settings) {
    if (!takeName(this.name)) return;
    this.wanted = this.form.bot;
    this.app.connection.send({ type: "create", pause_ms: PAUSE_MS, chat: true, ...settings });
  }

  created({ table, code, owner }) {
    keepSeat(table, { owner, code: code || null, join: true, bot: this.wanted });
    if (code) keepSeat(`code ${code}`, { table });
    this.app.go(code ? `#/c/${code}` : `#/t/${table}`);
  }

  // -------------------------------------------------------------- lists

  showTables(tables) {
    keep(this.tables, [tables.map((t) => [t.table, t.state, t.seats]), document.documentElement.lang], () => {
      if (!tables.length) return [h("p.soft", say("tables.none"))];
      return tables.map((table) => {
        const free = table.seats.some((seat) => seat.kind === "open");
        return h(
          "article.line",
          tableWords(table),
          h("div.row",
            free && table.state === "waiting" && h("a.button.main", { href: `#/t/${table.table}` }, say("join")),
            table.spectators && h("a.button", { href: `#/w/${table.table}` }, say("watch"))),
        );
      });
    });
  }

  async loadGames() {
    let games = [];
    try {
      games = (await (await fetch("/api/games?newest=12")).json()).games;
    } catch {
      // The list is a comfort; without it the lobby still works.
    }
    fill(
      this.games,
      games.length
        ? games.map((game) => gameLine(game))
        : h("p.soft", say("games.none")),
    );
  }
}

function gameLine(game) {
  const players = [...game.players].sort((a, b) => a.placement - b.placement);
  const when = new Date(game.ended * 1000);
  return h(
    "article.line",
    h("div.what",
      h("b", has(`preset.${game.rules}`) ? say(`preset.${game.rules}`) : game.rules), " ", h("span", say(game.length)), " ", changes(game.changes),
      h("small.tag", when.toLocaleString(document.documentElement.lang, { dateStyle: "short", timeStyle: "short" })),
      h("div.who", players.map((p) => h("span.seat", `${p.placement}. ${p.name} `, h("small", points(p.points)))))),
    h("div.row",
      h("a.button", { href: `#/r/${game.id}` }, say("replay")),
      h("a.button.quiet", { href: `/replays/${game.replay}`, download: true }, say("download"))),
  );
}

/** A table in short: its rules and who sits at it. */
export function tableWords(table) {
  return h(
    "div.what",
    h("b", say(`preset.${table.preset}`)), " ", h("span", say(table.length)), " ", changes(table.changes),
    h("small.tag", say(`state.${table.state}`)),
    h("div.who", table.seats.map((seat) => h(`span.seat.${seat.kind}`, seat.kind === "open" ? say("seat.open") : seat.name))),
  );
}

/** What of the rules differs from the preset. */
function changes(text) {
  return text ? h("small.tag.changes", { title: text }, text) : null;
}

/** Four seats with so many bots among them, in an order that chance decides. */
function seatsWith(count, bot) {
  const seats = [0, 1, 2, 3].map((n) => (n < count ? `bot:${bot}` : "open"));
  for (let last = 3; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    [seats[last], seats[other]] = [seats[other], seats[last]];
  }
  return seats;
}

/** The main options of a ruleset in words. */
export function optionWords(rules) {
  const aka = Object.values(rules.aka_dora).reduce((a, b) => a + b, 0);
  return [
    say("opt.start", rules.start),
    say("opt.target", rules.target),
    say("opt.uma", rules.uma.map((n) => signed(n)).join("/")),
    aka ? say("opt.aka", aka) : say("opt.noaka"),
    say(rules.kuitan ? "opt.kuitan" : "opt.nokuitan"),
    say(`opt.multi.${rules.multi_ron}`),
    say(rules.kyuushu_kyuuhai ? "opt.abort" : "opt.noabort"),
    rules.kiriage && say("opt.kiriage"),
    rules.double_yakuman && say("opt.double"),
    rules.nagashi !== "off" && say("opt.nagashi"),
    rules.extension !== "none" && say("opt.extension"),
    rules.agari_yame && say("opt.yame"),
    say(rules.tobi === "off" ? "opt.notobi" : "opt.tobi"),
  ].filter(Boolean);
}
