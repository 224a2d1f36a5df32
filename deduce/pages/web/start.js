// How Python starts in a worker: from its modules, or from the memory that an earlier start left,
// which is several times as fast. The browser keeps that memory beside the files of the site.
import createModule from "./pyodide/pyodide.asm.mjs";
import { loadPyodide } from "./pyodide/pyodide.mjs";

/**
 * @typedef {Uint8Array<ArrayBuffer>} Bytes
 * @typedef {{memory: Bytes, modules: Bytes}} Kept
 *   Python's memory after a start, and the archive of the modules that are imported later.
 * @typedef {{memory: Bytes | Promise<Bytes>, modules: Bytes | Promise<Bytes>}} Coming
 *   The same, perhaps while it is being read.
 * @typedef {{python: any, kept: Kept | null, fresh: boolean}} Started
 *   Python, what another start can begin from, and whether that is new.
 */

const here = new URL(".", import.meta.url).href;

/** The cache of this version of the site; sw.js deletes those of its other versions. */
const CACHE = `deduce ${new URL("..", here).href} memory ${here.split("/").at(-2)}`;

/** Memory contains indexes of functions that Pyodide makes of what the browser can do. */
const MEMORY = `${here}memory?${encodeURIComponent(navigator.userAgent)}`;
const MODULES = `${here}app.zip`;

const UNPACK = `
import lzma
with lzma.open("/app.zip.xz") as packed, open("/app.zip", "wb") as unpacked:
    while part := packed.read(1 << 16):
        unpacked.write(part)
`;

const BEGIN = `
import sys
sys.path.insert(0, "/app.zip")
from deduce.pages.messages import Door
from deduce.system import arrays
door = Door()
door.answer('{"game": "cluedo"}')
`;

/** A numpy that cannot be imported is as if there were none. */
const AGAIN = `
try:
    import numpy
except Exception as error:
    print(error, file=sys.stderr)
    sys.modules["numpy"] = None
arrays.has_arrays.cache_clear()
arrays.can_come = arrays.missed = False
door = Door()
`;

const options = { indexURL: `${here}pyodide/` };

/**
 * Start Python.
 * @param {Kept | null} given what another worker left; without it, what the browser keeps
 * @returns {Promise<Started>}
 */
export async function start(given) {
  try {
    const kept = given ?? (await take());
    if (kept) return await resume(kept);
  } catch (error) {
    console.warn(error);
    await self.caches?.delete(CACHE).catch(() => false);
  }
  return begin();
}

/**
 * Load numpy, if there is a network or it was kept, and forget what was answered without it.
 * @param {any} python
 */
export async function loadArrays(python) {
  const quietly = { messageCallback() {}, errorCallback: console.warn };
  try {
    const [{ fileName }] = await python.loadPackage("numpy", quietly);
    const cache = await self.caches?.open(CACHE);
    await cache?.add(`${options.indexURL}${fileName}`);
  } catch (error) {
    console.warn(error);
  }
  python.runPython(AGAIN);
}

/**
 * Report what is loaded: how many bytes of this page's files have come.
 * @param {(bytes: number) => void} report
 */
export function reportBytes(report) {
  const whole = self.fetch;
  self.fetch = async (...request) => {
    const response = await whole(...request);
    if (!response.body || !response.ok) return response;
    const counter = new TransformStream({
      transform(/** @type {Uint8Array} */ part, controller) {
        report(part.byteLength);
        controller.enqueue(part);
      },
    });
    const { status, headers } = response;
    return new Response(response.body.pipeThrough(counter), { status, headers });
  };
}

/** @returns {Promise<Started>} */
async function begin() {
  const archive = fetch(`${MODULES}.xz`).then((response) => response.arrayBuffer());
  const pyodide = await loadPyodide({
    ...options,
    createPyodideModule: createModule,
    _makeSnapshot: true,
  });
  pyodide.FS.writeFile("/app.zip.xz", new Uint8Array(await archive));
  pyodide.runPython(UNPACK);
  pyodide.FS.unlink("/app.zip.xz");
  pyodide.runPython(BEGIN);
  /** @type {Kept | null} */
  let kept = null;
  try {
    kept = { memory: pyodide.makeMemorySnapshot(), modules: pyodide.FS.readFile("/app.zip") };
  } catch (error) {
    console.warn(error); // too little memory for a copy: the next start is as slow as this one
  }
  return { python: pyodide, kept, fresh: true };
}

/** @param {Coming} coming @returns {Promise<Started>} */
async function resume(coming) {
  const pyodide = await loadPyodide({
    ...options,
    _loadSnapshot: Promise.resolve(coming.memory),
    async createPyodideModule(/** @type {object} */ settings) {
      const module = await createModule(settings);
      // Pyodide copies the memory into what there is, which does not grow by itself. What is
      // allocated here is overwritten.
      const { length } = await coming.memory;
      while (module.HEAP8.length < length) {
        if (!module._malloc(length - module.HEAP8.length)) throw new Error("no memory");
      }
      return module;
    },
  });
  const kept = { memory: await coming.memory, modules: await coming.modules };
  pyodide.FS.writeFile("/app.zip", kept.modules);
  return { python: pyodide, kept, fresh: false };
}

/**
 * Return what an earlier visit left; `null` if there is nothing.
 * @returns {Promise<Coming | null>}
 */
async function take() {
  if (!self.caches) return null; // the page is neither from https nor from this computer
  const cache = await caches.open(CACHE);
  const [memory, modules] = await Promise.all([cache.match(MEMORY), cache.match(MODULES)]);
  return memory && modules ? { memory: bytes(memory), modules: bytes(modules) } : null;
}

/** @param {Response} response */
async function bytes(response) {
  return new Uint8Array(await response.arrayBuffer());
}

/**
 * Keep what a start left for the next visit.
 * @param {Kept} kept
 */
export async function keep({ memory, modules }) {
  try {
    const cache = await caches.open(CACHE);
    await cache.put(MODULES, new Response(modules));
    await cache.put(MEMORY, new Response(memory));
  } catch (error) {
    console.warn(error); // no room, or the browser keeps nothing: the next start is as slow
  }
}
