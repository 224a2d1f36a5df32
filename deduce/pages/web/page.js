// The page around the screen: the list of games and saved games, addresses, and the parts of a page
// that no presenter knows (printing, copying, QR codes).
//
//   #                      the list
//   #/new/GAME             a game is set up
//   #/saved/ID             a saved game
//   #GAME:LOG              a log in the address, which no server sees
import { preferred, Screen } from "./screen.js";
import { draw } from "./morph.js";
import { keyOf, load, newId, remove, save, savedGames } from "./store.js";

/** @typedef {import("./screen.js").Transport} Transport */
/**
 * @typedef {{texts: Record<string, string>, language: string, table?: string | null,
 *   bytes?: number, arrays?: number}} Settings
 *   `texts`: those of the language; `table`: the name of the one game that the server keeps; the page has no list then. `bytes`: what
 *   the engine loads on a first visit; `arrays`: what numpy adds when a question needs it.
 */

const MAX_FILE = 4_000_000; // bytes; the text has up to a million characters

const LANGUAGE = "deduce.language"; // what was chosen on the page

/**
 * Choose the language, show the list of games in it, and return the settings.
 * @returns {Settings}
 */
export function settings() {
  const found = JSON.parse(document.getElementById("settings")?.textContent ?? "{}");
  const wanted = [storedLanguage(), ...navigator.languages];
  const language = preferred(Object.keys(found.texts), wanted);
  document.documentElement.lang = document.documentElement.dataset.lang = language;
  const own = document.querySelector(`template[lang="${language}"]`);
  if (own instanceof HTMLTemplateElement) {
    document.getElementById("list")?.replaceChildren(own.content.cloneNode(true));
  }
  document.getElementById("language")?.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLSelectElement)) return;
    localStorage.setItem(LANGUAGE, target.value);
    location.reload();
  });
  return { ...found, language, texts: found.texts[language] };
}

function storedLanguage() {
  try {
    return localStorage.getItem(LANGUAGE) ?? "";
  } catch {
    return ""; // the browser lets the page keep nothing
  }
}

/** @param {Transport} transport @param {Settings} options */
export function startPage(transport, { texts, language, table }) {
  const list = /** @type {HTMLElement} */ (document.getElementById("list"));
  const root = /** @type {HTMLElement} */ (document.getElementById("screen"));
  let id = "";
  let game = "";
  let warned = false;

  const screen = new Screen(root, transport, {
    texts,
    language,
    local,
    failed(problem) {
      if (table) return false;
      showList();
      refuse(problem);
      return true;
    },
    keep(saved) {
      if (table || !saved.document) return "";
      if (!id) {
        id = newId();
        history.replaceState(null, "", `#/saved/${id}`);
      }
      document.title = `${saved.title} – deduce`;
      const known = warned;
      warned = !save(id, game, saved);
      return warned && !known ? texts.unsaved ?? "" : "";
    },
    latest: () => (table || warned || !id ? null : load(id)?.document ?? null),
  });

  /** @param {string} name @param {HTMLElement} element */
  function local(name, element) {
    if (name === "home") location.hash = "";
    else if (name === "print") print();
    else if (name === "copy") copy(element);
    else if (name === "qr") qr(element);
    else return false;
    return true;
  }

  /** @param {HTMLElement} element */
  function address(element) {
    return `${location.origin}${location.pathname}#${element.dataset.link ?? ""}`;
  }

  /** @param {HTMLElement} element */
  async function copy(element) {
    const entry = element.parentElement?.querySelector("input");
    try {
      await navigator.clipboard.writeText(address(element));
      screen.say([{ text: texts.copied ?? "", kind: "note" }]);
    } catch {
      if (!entry) return;
      entry.value = address(element);
      entry.select();
    }
  }

  /** @param {HTMLElement} element */
  async function qr(element) {
    const box = element.closest(".link-box")?.querySelector(".qr");
    const response = await transport.ask({ language, qr: address(element) });
    if (box) draw(box, response.html || texts.too_long || "");
  }

  /**
   * Open a file that was chosen or dropped, as a game of its own.
   * @param {File} file
   */
  async function openFile(file) {
    refuse("");
    const [text, problem] = await read(file);
    const response = problem ? { error: problem } : await transport.ask({ language, file: [file.name, text] });
    if (response.error) {
      refuse(response.error);
      return;
    }
    history.pushState(null, "", `#/new/${response.game}`);
    id = "";
    game = response.game;
    show();
    screen.open({ game, text });
  }

  /** @param {File} file @returns {Promise<[string, string]>} its text, and why it is refused */
  async function read(file) {
    if (file.size > MAX_FILE) return ["", texts.too_big ?? ""];
    try {
      const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
      return text.includes("\0") ? ["", texts.no_text ?? ""] : [text, ""];
    } catch {
      return ["", texts.no_text ?? ""];
    }
  }

  /** @param {string} problem what is wrong with a file; empty: nothing */
  function refuse(problem) {
    const line = document.getElementById("file-problem");
    if (line) line.textContent = problem;
    if (game && problem) screen.say([{ text: problem, kind: "bad" }]);
  }

  function takeFiles() {
    const chooser = /** @type {HTMLInputElement | null} */ (document.getElementById("file"));
    chooser?.addEventListener("change", () => {
      const file = chooser.files?.[0];
      if (file) openFile(file);
      chooser.value = "";
    });
    // Without this a dropped file would replace the page.
    window.addEventListener("dragover", (event) => event.preventDefault());
    window.addEventListener("drop", (event) => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file && !table) openFile(file);
    });
  }

  function showList() {
    id = "";
    game = "";
    screen.close();
    document.title = "deduce";
    show();
    const saved = /** @type {HTMLElement} */ (document.getElementById("saved"));
    const items = savedGames().map((entry) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = `#/saved/${encodeURIComponent(entry.id)}`;
      link.className = "row";
      const title = document.createElement("b");
      title.textContent = entry.title || entry.game;
      const detail = document.createElement("small");
      detail.textContent = `${entry.game} · ${new Date(entry.time).toLocaleString(language)}`;
      link.append(title, detail);
      const drop = document.createElement("button");
      drop.type = "button";
      drop.className = "button quiet";
      drop.textContent = "✕";
      drop.setAttribute("aria-label", `${texts.delete ?? ""} ${entry.title}`);
      drop.addEventListener("click", () => {
        if (!confirm(`${texts.delete ?? ""} ${entry.title}?`)) return;
        remove(entry.id);
        showList();
        document.getElementById("list-title")?.focus();
      });
      item.append(link, drop);
      return item;
    });
    saved.replaceChildren(...items);
    const last = savedGames()[0];
    const resume = document.getElementById("continue");
    resume?.toggleAttribute("hidden", !last);
    if (last) resume?.setAttribute("href", `#/saved/${encodeURIComponent(last.id)}`);
    saved.parentElement?.toggleAttribute("hidden", !items.length);
  }

  function route() {
    const hash = decode(location.hash.slice(1));
    const link = /^([a-z0-9-]+):([\w-]+)$/.exec(hash);
    const [, kind, name] = /^\/(\w+)\/(.+)$/.exec(hash) ?? [];
    id = "";
    if (table) {
      game = table;
      screen.open({ game });
    } else if (link) {
      [, game] = /** @type {any} */ (link);
      screen.open({ game, link: link[2] });
    } else if (kind === "new" && name) {
      game = name;
      const last = savedGames().find((entry) => entry.game === game);
      const { setup } = /** @type {{setup?: object}} */ (last ? load(last.id)?.ui ?? {} : {});
      screen.open({ game, ui: setup ? { setup } : {} });
      const first = document.querySelector(`template[data-game="${CSS.escape(game)}"]`);
      if (!setup && first) screen.preview(first.innerHTML);
    } else if (kind === "saved" && name) {
      const saved = load(name);
      if (!saved) {
        showList();
        refuse(texts.no_such ?? "");
        return;
      }
      id = name;
      game = saved.game;
      screen.open({ game, document: saved.document, ui: saved.ui });
    } else {
      showList();
      refuse(hash || location.hash.length > 1 ? texts.bad_link ?? "" : "");
      return;
    }
    refuse("");
    show();
  }

  // Two tabs with the same game: what one does, the other shows, so that neither undoes it.
  window.addEventListener("storage", (event) => {
    const saved = id && event.key === keyOf(id) ? load(id) : null;
    if (saved?.document && saved.document !== screen.document) screen.refresh();
  });

  function show() {
    list.hidden = Boolean(game);
    root.hidden = !game;
    window.scrollTo(0, 0);
  }

  takeFiles();
  window.addEventListener("hashchange", route);
  route();
  return screen;
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
