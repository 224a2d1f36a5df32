// Compiles Python modules with the Python of Pyodide: node compile.mjs PYODIDE SOURCE.zip OUT.zip
// and prints the modules that Pyodide itself has imported, as JSON. Each module becomes one .pyc
// without docstrings and columns, which are a quarter of it, so that nothing is compiled in the
// browser. The __init__.py of our packages stay as they are: deduce.system.imports reads them.
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, source, target] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(resolve(folder, "pyodide.mjs")).href);
const args = ["-X", "no_debug_ranges"];
const pyodide = await loadPyodide({ indexURL: resolve(folder), args });
const names = pyodide.runPython("import sys, json; json.dumps(sorted(sys.modules))");
pyodide.FS.writeFile("/source.zip", new Uint8Array(readFileSync(source)));
pyodide.runPython(`
import importlib.util
import marshal
import zipfile

with zipfile.ZipFile("/source.zip") as source, zipfile.ZipFile("/target.zip", "w") as target:
    for name in sorted(source.namelist()):
        data = source.read(name)
        lazy = name.startswith(("deduce/", "games/")) and name.endswith("/__init__.py")
        if name.endswith(".py") and not lazy:
            code = compile(data, name, "exec", dont_inherit=True, optimize=2)
            # An unchecked hash-based header: four bytes of magic, flags 1, eight of hash.
            data = importlib.util.MAGIC_NUMBER + bytes([1, 0, 0, 0]) + bytes(8) + marshal.dumps(code)
            name = name + "c"
        info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        target.writestr(info, data)
`);
writeFileSync(target, pyodide.FS.readFile("/target.zip"));
// Numpy is fetched beside Pyodide, whose list of packages knows from where, if it is not there.
await pyodide.loadPackage("numpy", { messageCallback() {}, errorCallback() {} }).catch(() => []);
process.stdout.write(names);
