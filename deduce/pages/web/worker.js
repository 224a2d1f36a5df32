// Python in a web worker. Requests are answered one by one; a job gives other messages a turn after
// each of its steps, so it can be cancelled, and the first words of two jobs wait for neither.
import { keep, reportBytes, start } from "./start.js";

/** @type {Set<number>} */
const cancelled = new Set();
/** @type {any} */
let door;

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

/** @param {number} id @param {string} message */
async function work(id, message) {
  const parts = door.work(message);
  let shown = performance.now();
  for (;;) {
    const { value, done } = parts.next();
    if (done || cancelled.has(id)) break;
    if (value !== "{}") postMessage({ id, response: value });
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
 */
async function begin(given, fresh) {
  if (!given) reportBytes((bytes) => postMessage({ id: 0, bytes }));
  const own = await start(given);
  door = own.door;
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
    started = begin(data.kept, data.fresh);
    started.catch((error) => postMessage({ id: 0, error: String(error) }));
    return;
  }
  await started;
  if (data.ask !== undefined) postMessage({ id: data.id, response: door.answer(data.ask) });
  if (data.work !== undefined && !cancelled.delete(data.id)) work(data.id, data.work);
});
