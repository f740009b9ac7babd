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
