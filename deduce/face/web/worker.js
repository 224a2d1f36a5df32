// Python in a web worker. Requests are answered one by one; a job gives other messages a turn after
// each of its steps, so it can be cancelled.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const here = new URL(".", import.meta.url).href;
/** @type {Set<number>} */
const cancelled = new Set();
/** @type {any} */
let door;
/** The cache with the snapshot of this version of the site; see sw.js. */
const SNAPSHOT = `snapshot ${here.split("/").at(-2)}`;

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

const UNPACK = `
import lzma
with open("/app.zip.xz", "rb") as packed, open("/app.zip", "wb") as unpacked:
    unpacked.write(lzma.decompress(packed.read()))
`;

const BEGIN = `
import json
import sys
sys.path.insert(0, "/app.zip")
from deduce.face.messages import Door
door = Door()
door.answer('{"game": "cluedo"}')
`;

const started = (async () => {
  const archive = fetch(`${here}app.zip.xz`).then((response) => response.arrayBuffer());
  const options = { indexURL: `${here}pyodide/` };
  const snapshot = await takeSnapshot();
  /** @type {any} */
  let pyodide;
  if (snapshot) {
    try {
      pyodide = await loadPyodide({ ...options, _loadSnapshot: snapshot });
    } catch {
      await caches.delete(SNAPSHOT);
    }
  }
  const begins = !pyodide;
  const keeps = begins && self.name === "jobs" && "caches" in self;
  pyodide ??= await loadPyodide({ ...options, _makeSnapshot: keeps });
  const memory = pyodide._module.HEAP8.length;
  pyodide.FS.writeFile("/app.zip.xz", new Uint8Array(await archive));
  pyodide.runPython(UNPACK);
  if (begins) pyodide.runPython(BEGIN);
  // A start copies the snapshot into the memory that Python begins with, so it must not have grown.
  if (keeps && pyodide._module.HEAP8.length === memory) {
    await keepSnapshot(pyodide.makeMemorySnapshot());
  }
  door = pyodide.globals.get("door");
  return !begins;
})();

/** Return the memory of Python as it was after an earlier start; a start from it is much faster. */
async function takeSnapshot() {
  try {
    const kept = await (await caches.open(SNAPSHOT)).match(here);
    return kept && new Uint8Array(await kept.arrayBuffer());
  } catch {
    return undefined; // the browser keeps nothing for this page
  }
}

/** @param {Uint8Array<ArrayBuffer>} snapshot */
async function keepSnapshot(snapshot) {
  try {
    await (await caches.open(SNAPSHOT)).put(here, new Response(snapshot));
  } catch {
    // There is no room for it: the next start is as slow as this one.
  }
}

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
  (fast) => postMessage({ id: 0, fast }),
  (error) => postMessage({ id: 0, error: String(error) }),
);
