// Python in a web worker. Requests are answered one by one; a job gives other messages a turn after
// each of its steps, so it can be cancelled, and the first words of two jobs wait for neither. When
// a question has needed numpy, it is loaded, and the question is answered again.
import { keep, loadArrays, reportBytes, start } from "./start.js";

/** @type {Set<number>} */
const cancelled = new Set();
/** @type {any} */
let python;
/** @type {any} */
let door;
/** The module `deduce.system.arrays`. @type {any} */
let arrays;
/** @type {Promise<void> | null} */
let loading = null;

const next = (() => {
  const { port1, port2 } = new MessageChannel();
  /** @type {Array<() => void>} */
  const turns = [];
  port1.onmessage = () => turns.shift()?.();
  return () =>
    new Promise((resolve) => {
      turns.push(() => resolve(undefined));
      port2.postMessage(0);
    });
})();

/** Load numpy if a question needs it, and return whether that is to be asked again. */
async function triedArrays() {
  if (!arrays.is_awaited()) return false;
  loading ??= loadArrays(python);
  postMessage({ id: 0, arrays: true });
  await loading;
  door = python.globals.get("door");
  postMessage({ id: 0, arrays: false });
  return true;
}

/** @param {number} id @param {string} message */
async function work(id, message) {
  const parts = door.work(message);
  let shown = performance.now();
  for (;;) {
    const { value, done } = parts.next();
    if (done || cancelled.has(id)) break;
    const last = value.includes('"done":true'); // what it shows was shown before
    if (!last && value !== "{}") postMessage({ id, response: value });
    if (await triedArrays()) {
      parts.destroy();
      work(id, message);
      return;
    }
    if (last) postMessage({ id, response: value });
    if (performance.now() - shown > 5) {
      await next();
      shown = performance.now();
    }
  }
  cancelled.delete(id);
  parts.destroy();
}

/** @type {Promise<void>} */
let started;

/**
 * Start, and pass on what the other worker can start from.
 * @param {import("./start.js").Kept | null} given what that worker passed on
 * @param {boolean} fresh whether it is new, so that the browser has to keep it
 * @param {boolean} mayLoad whether the site has numpy
 */
async function begin(given, fresh, mayLoad) {
  if (!given) reportBytes((bytes) => postMessage({ id: 0, bytes }));
  const own = await start(given);
  python = own.python;
  door = python.globals.get("door");
  arrays = python.globals.get("arrays");
  arrays.can_come = mayLoad;
  if (given && fresh && !own.fresh) await keep(given);
  const kept = given ? null : own.kept;
  const transfer = kept ? [kept.memory.buffer, kept.modules.buffer] : [];
  postMessage({ id: 0, kept, fresh: own.fresh }, { transfer });
}

self.addEventListener("message", async ({ data }) => {
  if (data.cancel) {
    cancelled.add(data.id);
    return;
  }
  if (data.begin) {
    started = begin(data.kept, data.fresh, data.arrays);
    started.catch((error) => postMessage({ id: 0, error: String(error) }));
    return;
  }
  await started;
  if (data.ask !== undefined) {
    postMessage({ id: data.id, response: door.answer(data.ask) });
    if (await triedArrays()) postMessage({ id: 0, again: true });
  }
  if (data.work !== undefined && !cancelled.delete(data.id)) work(data.id, data.work);
});
