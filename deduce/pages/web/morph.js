// Changes a part of the page into new HTML while keeping the elements that stay: so the keyboard
// focus, the scroll positions, open details and half-typed text survive.

/** Fields with text that a person has typed and not sent yet. @type {WeakSet<Element>} */
export const unsent = new WeakSet();

/** @param {unknown} node @returns {node is HTMLInputElement | HTMLTextAreaElement} */
export function holdsText(node) {
  if (node instanceof HTMLTextAreaElement) return true;
  return node instanceof HTMLInputElement && !["radio", "checkbox"].includes(node.type);
}

/** @param {Node} node @returns {string} what makes a node the same as before */
function keyOf(node) {
  if (!(node instanceof Element)) return "";
  return node.id || node.getAttribute("data-key") || node.getAttribute("data-slot") || "";
}

/**
 * Return whether an attribute is the page's own: what is unfolded, the tab stops of a grid.
 * @param {Element} element @param {string} name
 */
function isOwn(element, name) {
  if (name === "open") return element instanceof HTMLDetailsElement;
  return name === "tabindex" && element.closest("[data-grid]") !== null;
}

/** @param {Element} from @param {Element} to */
function attributes(from, to) {
  const text = textOf(from, to);
  const chosen = isChosen(from, to);
  for (const { name } of [...from.attributes]) {
    if (!to.hasAttribute(name) && !isOwn(from, name)) from.removeAttribute(name);
  }
  for (const { name, value } of [...to.attributes]) {
    if (from.getAttribute(name) !== value) from.setAttribute(name, value);
  }
  if (holdsText(from) && holdsText(to)) from.value = text;
  else if (from instanceof HTMLInputElement) from.checked = chosen;
  else if (from instanceof HTMLOptionElement) from.selected = to.hasAttribute("selected");
}

/**
 * Return the text that a field holds after it is drawn. What is typed and not sent yet stays, unless
 * the page has another text for a field that nobody is in.
 * @param {Element} from @param {Element} to
 */
function textOf(from, to) {
  if (!holdsText(from) || !holdsText(to)) return "";
  const same = from.defaultValue === to.defaultValue || document.activeElement === from;
  return unsent.has(from) && same ? from.value : to.defaultValue;
}

/**
 * Return whether a box is ticked after it is drawn. In a form that does not report every change,
 * what was tapped stays, unless the page has another choice.
 * @param {Element} from @param {Element} to
 */
function isChosen(from, to) {
  const box = from instanceof HTMLInputElement && from.form && !from.form.dataset.draft;
  const drawn = to.hasAttribute("checked");
  return box && from.hasAttribute("checked") === drawn ? from.checked : drawn;
}

/** @param {Node} from @param {Node} to */
function same(from, to) {
  return from.nodeName === to.nodeName && keyOf(from) === keyOf(to);
}

/**
 * Change the children of an element into those of another one. A slot, an element with
 * `data-slot`, keeps its contents: they have fragments of their own.
 * @param {Element} from
 * @param {Element | DocumentFragment} to
 */
export function morphChildren(from, to) {
  /** @type {Map<string, Element>} */
  const keyed = new Map();
  for (const child of from.children) {
    const key = keyOf(child);
    if (key) keyed.set(key, child);
  }
  /** @type {Set<Node | null>} */
  const kept = new Set();
  let next = from.firstChild;
  const pairs = [...to.childNodes].map((child) => {
    const key = keyOf(child);
    /** @type {Node | null} */
    let match = key ? keyed.get(key) ?? null : null;
    if (match && match.nodeName !== child.nodeName) match = null;
    if (!match && next && same(next, child)) match = next;
    if (match) kept.add(match);
    while (next && kept.has(next)) next = next.nextSibling;
    return { child, match };
  });
  // First of all, because the browser lays out the page when what has the focus is removed.
  for (const node of [...from.childNodes]) if (!kept.has(node)) from.removeChild(node);
  let place = from.firstChild;
  for (const { child, match } of pairs) {
    if (match && match === place) place = place.nextSibling;
    else from.insertBefore(match ?? child, place);
    if (match instanceof Element && child instanceof Element) {
      attributes(match, child);
      if (!match.hasAttribute("data-slot")) morphChildren(match, child);
    } else if (match && match.nodeValue !== child.nodeValue) {
      match.nodeValue = child.nodeValue;
    }
  }
}

/**
 * Change the contents of an element into escaped HTML.
 * @param {Element} element
 * @param {string} html
 */
export function draw(element, html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  morphChildren(element, template.content);
}
