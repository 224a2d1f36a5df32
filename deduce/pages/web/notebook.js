// The page in a notebook, as a widget of anywidget: the kernel answers. A job advances by one part
// for each message, so the kernel answers other messages between two parts and needs no thread.
import { preferred, Screen } from "./screen.js";

/**
 * @typedef {{
 *   get: (name: string) => any, send: (message: object) => void,
 *   on: (event: string, handler: (...values: any[]) => void) => void,
 *   off: (event: string, handler: (...values: any[]) => void) => void,
 * }} Model
 */

/** @param {{model: Model, el: HTMLElement}} widget */
function render({ model, el }) {
  const root = document.createElement("div");
  root.classList.add("deduce-notebook");
  const language = preferred(Object.keys(model.get("texts")), navigator.languages);
  root.lang = root.dataset.lang = language;
  root.dataset.lmSuppressShortcuts = "true"; // the arrow keys are the page's own, not JupyterLab's
  el.append(root);
  const view = Math.random().toString(36).slice(2);
  let count = 0;
  /** @type {Map<string, (response: any) => void>} */
  const waiting = new Map();

  let version = model.get("version");
  /** @param {{id: string, response: string}} message */
  const receive = (message) => waiting.get(message.id)?.(JSON.parse(message.response));
  model.on("msg:custom", receive);

  const screen = new Screen(
    root,
    {
      ask(message) {
        const id = `${view}.${(count += 1)}`;
        model.send({ id, ask: JSON.stringify(message) });
        return new Promise((resolve) => {
          waiting.set(id, (response) => {
            waiting.delete(id);
            version = response.version ?? version;
            resolve(response);
          });
        });
      },
      work(message, part) {
        const id = `${view}.${(count += 1)}`;
        model.send({ id, work: JSON.stringify(message) });
        waiting.set(id, (received) => {
          if (received.done) waiting.delete(id);
          else model.send({ id, next: true });
          part(received);
        });
        return () => {
          if (waiting.delete(id)) model.send({ id, cancel: true });
        };
      },
    },
    {
      texts: model.get("texts")[language],
      language,
      local(name, element) {
        if (name === "copy") navigator.clipboard?.writeText(`#${element.dataset.link ?? ""}`);
        return name === "copy" || name === "home" || name === "print" || name === "qr";
      },
    },
  );

  const theme = () => {
    const { dataset, classList } = document.body;
    const dark = dataset.jpThemeLight === "false" || classList.contains("vscode-dark");
    const light = dataset.jpThemeLight === "true" || classList.contains("vscode-light");
    if (dark || light) root.dataset.theme = dark ? "dark" : "light";
  };
  theme();
  const observer = new MutationObserver(theme);
  observer.observe(document.body, { attributeFilter: ["data-jp-theme-light", "class"] });

  const refresh = () => {
    if (model.get("version") !== version) screen.refresh();
  };
  model.on("change:version", refresh);
  screen.open({ game: model.get("game"), ui: model.get("ui") });

  return () => {
    model.off("msg:custom", receive);
    model.off("change:version", refresh);
    observer.disconnect();
    screen.close();
  };
}

export default { render };
