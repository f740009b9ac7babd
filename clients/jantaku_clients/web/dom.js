// Making and changing elements, and nothing else.

/** A new element: `h("button.big", {onclick, "aria-label": ""}, "text", child, [more])`. */
export function h(spec, attributes, ...children) {
  const [tag, ...classes] = spec.split(".");
  const element = document.createElement(tag || "div");
  if (classes.length) element.className = classes.join(" ");
  if (attributes && (attributes instanceof Node || typeof attributes !== "object" || Array.isArray(attributes))) {
    children.unshift(attributes);
    attributes = null;
  }
  for (const [name, value] of Object.entries(attributes ?? {})) set(element, name, value);
  append(element, children);
  return element;
}

function set(element, name, value) {
  if (value === undefined || value === null || value === false) return;
  if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
  else if (name === "value" || name === "checked" || name === "selected" || name === "disabled") element[name] = value;
  else element.setAttribute(name, value === true ? "" : value);
}

function append(element, children) {
  for (const child of children.flat(9)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child);
  }
}

/** Put other children into an element. */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

/**
 * Run `make` and put its result into `element` only when `key` differs from the last time, so
 * that what has not changed is not touched (and no click falls between two elements).
 */
export function keep(element, key, make) {
  const text = typeof key === "string" ? key : JSON.stringify(key);
  if (element.keptKey === text) return false;
  element.keptKey = text;
  fill(element, make());
  return true;
}

/** Set text only when it differs. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const SVG = "http://www.w3.org/2000/svg";
const ICONS = {
  start: "M5 4h3v16H5zM20 4v16L9 12z",
  end: "M16 4h3v16h-3zM4 4v16l11-8z",
  back: "M16 4v16L5 12z",
  on: "M8 4v16l11-8z",
  turnback: "M12 4v16L2 12zM22 4v16l-10-8z",
  turnon: "M12 4v16l10-8zM2 4v16l10-8z",
  play: "M6 3v18l15-9z",
  pause: "M5 4h5v16H5zM14 4h5v16h-5z",
  left: "M15 3l2 2-7 7 7 7-2 2-9-9z",
  gear: "M10 2h4l.6 2.7 1.9.8 2.4-1.5 2.8 2.8-1.5 2.4.8 1.9 2.8.6v4l-2.8.6-.8 1.9 1.5 2.4-2.8 2.8-2.4-1.5-1.9.8L14 22h-4l-.6-2.7-1.9-.8-2.4 1.5-2.8-2.8 1.5-2.4-.8-1.9L.2 14v-4l2.8-.6.8-1.9-1.5-2.4 2.8-2.8 2.4 1.5 1.9-.8zM12 8.2a3.8 3.8 0 100 7.6 3.8 3.8 0 000-7.6z",
};

/** A small picture that no font can lack. */
export function icon(name) {
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", "0 0 24 24");
  picture.setAttribute("class", "icon");
  picture.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  path.setAttribute("fill-rule", "evenodd");
  picture.append(path);
  return picture;
}
