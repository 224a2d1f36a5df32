// Compares what Python answers inside Pyodide, with the modules of a built site, with CPython:
// node cases.mjs SITE PYTHON [pages]. With "pages", the pages of the example logs too. Every line
// must be the same to the byte, and every case must pass.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [site, python, pages] = process.argv.slice(2);
const root = resolve(fileURLToPath(import.meta.url), "../../..");
const script = join(root, "tests/web/answers.py");
const data = join(root, "tests/data");
const logs = join(root, "games/cluedo/examples");
const version = readdirSync(site).find((name) => /^v[0-9a-f]{12}$/.test(name));
const folder = resolve(site, version);

const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide/pyodide.mjs")).href);
const pyodide = await loadPyodide({ indexURL: join(folder, "pyodide") + "/" });
pyodide.FS.writeFile("/app.zip.xz", readFileSync(join(folder, "app.zip.xz")));
for (const [from, to] of [[data, "/data"], [logs, "/logs"]]) {
  pyodide.FS.mkdir(to);
  for (const name of readdirSync(from).filter((each) => /\.(json|cluedo)$/.test(each))) {
    pyodide.FS.writeFile(`${to}/${name}`, readFileSync(join(from, name)));
  }
}
pyodide.FS.writeFile("/answers.py", readFileSync(script));
const inside = pyodide
  .runPython(
    `
import lzma
import sys
with open("/app.zip.xz", "rb") as packed, open("/app.zip", "wb") as unpacked:
    unpacked.write(lzma.decompress(packed.read()))
sys.path[:0] = ["/app.zip", "/"]
from pathlib import Path
from answers import answers
"\\n".join(answers(Path("/data")${pages ? ', Path("/logs")' : ""}))
`,
  )
  .split("\n");

const outside = execFileSync(python, [script, data, ...(pages ? [logs] : [])], {
  encoding: "utf8",
  maxBuffer: 1 << 28,
}).trimEnd().split("\n");

let passed = 0;
let failed = 0;
const undecided = new Set();
for (let at = 0; at < Math.max(inside.length, outside.length); at += 1) {
  const fields = JSON.parse(inside[at] ?? "{}");
  if (fields.undecided && fields.case) {
    undecided.add(`${fields.file}: ${fields.case}`);
  } else if (inside[at] === outside[at] && !(fields.case && fields.lines)) {
    passed += 1;
  } else {
    failed += 1;
    if (failed <= 5) {
      console.log(`line ${at + 1} differs:`);
      console.log(`  Pyodide ${String(inside[at]).slice(0, 400)}`);
      console.log(`  CPython ${String(outside[at]).slice(0, 400)}`);
    }
  }
}
if (undecided.size) console.log(`undecided inside Pyodide: ${[...undecided].join("; ")}`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
