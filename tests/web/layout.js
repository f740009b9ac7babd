// What is wrong with the layout of the table that is shown, in words; nothing is a good answer.
() => {
  const known = new Map();
  const boxes = (selector) => {
    if (!known.has(selector)) {
      known.set(selector, [...document.querySelectorAll(selector)]
        .map((e) => ({ e, r: e.getBoundingClientRect() }))
        .filter(({ e, r }) => r.width > 1 && r.height > 1 && (e.dataset.t || getComputedStyle(e).visibility !== "hidden")));
    }
    return known.get(selector);
  };
  const name = (e) => `${e.tagName === "SPAN" ? "" : e.tagName.toLowerCase()}.${e.className}${e.dataset.t ? ` ${e.dataset.t}` : ""}${e.dataset.place ? `@${e.dataset.place}` : ""}`;
  const px = (n) => Math.round(n * 10) / 10;
  const found = [];
  const parted = (ones, others) => {
    for (const a of ones) for (const b of others) {
      const x = Math.min(a.r.right, b.r.right) - Math.max(a.r.left, b.r.left);
      const y = Math.min(a.r.bottom, b.r.bottom) - Math.max(a.r.top, b.r.top);
      if (x > 1.5 && y > 1.5) found.push(`${name(a.e)} lies on ${name(b.e)} by ${px(x)}x${px(y)}`);
    }
  };

  const apart = [
    [".river .t", ".centre"], [".river .t", ".plate > *"], [".river .t", ".rack .t"],
    [".rack .t", ".plate > *"], [".rack .t", ".centre"], [".plate > *", ".centre"],
    [".board", ".tray"], [".board", ".handbar .t"], [".board", ".hud > *"], [".board", ".foot button"],
    [".actions button", ".handbar .t"], [".actions button", ".board"], [".actions button", ".hud > *"],
    [".actions button", ".clock.on"], [".handbar .t", ".foot button"], [".hints > *", ".clock.on"],
    [".actions button", ".foot button"], [".hints > *", ".handbar .t"], [".hints > *", ".actions button"],
    [".hud > *", ".foot > *"], [".hud > *", ".tray > *"], [".ask", ".actions button"], [".ask", ".clock.on"],
    [".handbar .tiles .t", ".handbar .melds .t"], [".middle .round", ".middle .left"], [".middle > div", ".score > *"],
    [".stick", ".score > *"], [".stick", ".middle > div"], [".choices", ".side-extra"], [".bar", ".tray > *"],
  ];
  for (const [one, other] of apart) parted(boxes(one), boxes(other));
  for (const group of [".river", ".rack", ".score", ".plate"]) {
    const each = boxes(group).map(({ e }) => boxes(`${group} .t, ${group} > span`).filter((box) => e.contains(box.e)));
    each.forEach((mine, n) => each.slice(n + 1).forEach((others) => parted(mine, others)));
  }
  for (const group of [".actions", ".switches", ".bar", ".choices", ".hud", ".waits"]) {
    const children = boxes(`${group} > *`);
    children.forEach((one, n) => parted([one], children.slice(n + 1)));
  }

  const { clientWidth: wide, clientHeight: high } = document.documentElement;
  const inside = (box, selector, at) => {
    for (const { e, r } of boxes(selector)) {
      const out = Math.max(box.left - r.left, box.top - r.top, r.right - box.right, r.bottom - box.bottom);
      if (out > 1) found.push(`${name(e)} is cut off ${at} by ${px(out)}`);
    }
  };
  const scrolls = document.querySelector("main.replaying") !== null;
  const window_ = { left: 0, top: 0, right: wide, bottom: scrolls ? Infinity : high };
  inside(window_, ".board, .handbar .t, .actions > *, .foot button, .foot select, .hud > *, .hud button, .hud a, .dora .t, .hints > *, .clock.on, .tray, .tabs button, .choices > *, .bar > *", "at the window");
  for (const { r } of boxes(".board")) inside(r, ".rack .t, .river .t, .plate > *, .centre, .stick", "at the board");
  for (const { r } of boxes(".centre")) inside(r, ".middle > div, .score > *, .stick", "at the middle");
  for (const selector of ["html", "body", "#app", ".table", ".stage", ".tray", ".hints", ".handbar", ".foot", ".hud", ".beside"]) {
    for (const e of document.querySelectorAll(selector)) {
      if (e.scrollWidth > e.clientWidth + 1 && e.clientWidth) found.push(`${selector} is ${e.scrollWidth - e.clientWidth} too wide`);
      if (!scrolls && ["html", "body", "#app", ".table"].includes(selector) && e.scrollHeight > e.clientHeight + 1) found.push(`${selector} is ${e.scrollHeight - e.clientHeight} too high`);
    }
  }
  for (const { e } of boxes(".act, .switch, .counter, .roundname, .hints > *, .plate .status, .tools a, .ask")) {
    if (e.scrollWidth > e.clientWidth + 1 && e.clientWidth) found.push(`the text of ${name(e)} is cut: ${e.textContent}`);
  }
  return [...new Set(found)];
}
