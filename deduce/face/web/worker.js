// Python in a web worker. Requests are answered one by one; a job gives other messages a turn after
// each of its steps, so it can be cancelled.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const here = new URL(".", import.meta.url).href;
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

const BEGIN = `
import json
import lzma
import sys
with open("/app.zip.xz", "rb") as packed, open("/app.zip", "wb") as unpacked:
    unpacked.write(lzma.decompress(packed.read()))
sys.path.insert(0, "/app.zip")
from deduce.face.messages import Door
door = Door()
door.answer('{"game": "cluedo"}')
`;

const started = (async () => {
  const archive = fetch(`${here}app.zip.xz`).then((response) => response.arrayBuffer());
  const pyodide = await loadPyodide({ indexURL: `${here}pyodide/` });
  pyodide.FS.writeFile("/app.zip.xz", new Uint8Array(await archive));
  pyodide.runPython(BEGIN);
  door = pyodide.globals.get("door");
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

/** @type {Promise<any>} */
let jobs = started;

self.addEventListener("message", async ({ data }) => {
  if (data.cancel) {
    cancelled.add(data.id);
    return;
  }
  await started;
  if (data.ask !== undefined) postMessage({ id: data.id, response: door.answer(data.ask) });
  if (data.work !== undefined) {
    jobs = jobs.then(async () => {
      if (!cancelled.delete(data.id)) await work(data.id, data.work);
    });
  }
});

started.then(
  () => postMessage({ id: 0 }),
  (error) => postMessage({ id: 0, error: String(error) }),
);
