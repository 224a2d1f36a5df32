// The page of a static site: Python in two web workers answers. The second one computes jobs, so
// that nothing ever waits for them, and starts when the first one is ready.
import { settings, startPage } from "./page.js";

/**
 * @typedef {import("./screen.js").Part} Part
 * @typedef {import("./start.js").Kept} Kept
 */

/** One worker with its own Python. */
class Engine {
  /**
   * @param {string} name
   * @param {{kept?: Kept | null, fresh?: boolean}} from what another engine passed on
   */
  constructor(name, { kept = null, fresh = false } = {}) {
    this.worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module", name });
    this.count = 0;
    /** @type {Map<number, (message: any) => void>} */
    this.waiting = new Map();
    /** @type {Promise<{kept: Kept | null, fresh: boolean}>} */
    this.ready = new Promise((resolve, reject) => {
      this.waiting.set(0, (message) => {
        if (message.bytes) loaded(message.bytes);
        else if (message.arrays !== undefined) noteArrays(message.arrays);
        else if (message.again) screen.refresh();
        else if (message.error) reject(message.error);
        else resolve(message);
      });
    });
    this.worker.addEventListener("message", ({ data }) => this.waiting.get(data.id)?.(data));
    this.worker.addEventListener("error", (event) => {
      this.waiting.get(0)?.({ error: event.message || "the worker could not be loaded" });
    });
    const buffers = kept ? [kept.memory.buffer, kept.modules.buffer] : [];
    this.worker.postMessage({ begin: true, kept, fresh, arrays: Boolean(options.arrays) }, buffers);
  }

  /** @param {object} message @returns {Promise<any>} */
  ask(message) {
    const id = (this.count += 1);
    this.worker.postMessage({ id, ask: JSON.stringify(message) });
    return new Promise((resolve) => {
      this.waiting.set(id, ({ response }) => {
        this.waiting.delete(id);
        resolve(JSON.parse(response));
      });
    });
  }

  /** @param {object} message @param {(part: Part) => void} part */
  work(message, part) {
    const id = (this.count += 1);
    this.worker.postMessage({ id, work: JSON.stringify(message) });
    this.waiting.set(id, ({ response }) => {
      const received = JSON.parse(response);
      if (received.done) this.waiting.delete(id);
      part(received);
    });
    return () => {
      if (this.waiting.delete(id)) this.worker.postMessage({ id, cancel: true });
    };
  }
}

const options = settings();
const engine = /** @type {HTMLElement} */ (document.getElementById("engine"));
engine.textContent = options.texts.loading ?? "";
const bar = /** @type {HTMLProgressElement} */ (document.getElementById("progress"));
const total = Number(options.bytes ?? 0);

/** Show how much of the engine has come. @param {number} bytes */
function loaded(bytes) {
  const done = Math.min(bar.value + bytes, total);
  if (!total || document.documentElement.dataset.state !== "loading") return;
  bar.hidden = false;
  bar.value = done;
  bar.max = total;
  const figures = { done: megabytes(done), all: megabytes(total), percent: "" };
  figures.percent = String(Math.floor((100 * done) / total));
  const text = options.texts.loaded ?? "";
  const label = document.getElementById("progress-text");
  if (label) {
    label.textContent = text.replace(/\{(\w+)\}/g, (_, name) =>
      figures[/** @type {"done" | "all" | "percent"} */ (name)],
    );
  }
}

/** @param {number} bytes */
function megabytes(bytes) {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return (bytes / 1e6).toLocaleString(options.language, digits);
}

/** Say that numpy is being loaded. @param {boolean} loading */
function noteArrays(loading) {
  const text = (options.texts.arrays ?? "").replace("{size}", megabytes(options.arrays ?? 0));
  engine.textContent = loading ? text : "";
}

/** What the bar shows is no longer needed. */
function hideProgress() {
  document.getElementById("progress-box")?.remove();
}

const answers = new Engine("answers");
// Where there is no second worker, for want of memory or of a network, the first one does its work.
const jobs = answers.ready.then((started) => {
  const second = new Engine("jobs", started);
  return second.ready.then(
    () => second,
    () => answers,
  );
});

const screen = startPage(
  {
    ask: (message) => answers.ask(message),
    work(message, part) {
      let cancelled = false;
      let cancel = () => {
        cancelled = true;
      };
      jobs.then((engine) => {
        if (!cancelled) cancel = engine.work(message, part);
      });
      return () => cancel();
    },
  },
  options,
);

answers.ready.then(
  ({ fresh }) => {
    engine.textContent = "";
    hideProgress();
    document.documentElement.dataset.start = fresh ? "modules" : "memory";
    document.documentElement.dataset.state = "ready";
    jobs.then(keepOffline);
  },
  (error) => {
    engine.textContent = options.texts.offline_failed ?? "";
    hideProgress();
    document.documentElement.dataset.state = "failed";
    console.error(error);
  },
);

/** Keep the site for flight mode. It is fetched from the browser's cache, not a second time. */
async function keepOffline() {
  if (!("serviceWorker" in navigator)) return;
  const registration = await navigator.serviceWorker.register("./sw.js").catch(() => null);
  if (!registration) return;
  await navigator.serviceWorker.ready;
  document.documentElement.dataset.offline = "ready";
  registration.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", () => {
      if (registration.waiting) engine.textContent = options.texts.update ?? "";
    });
  });
}
