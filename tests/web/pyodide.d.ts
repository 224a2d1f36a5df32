// What the worker uses of Pyodide, which is fetched when the site is built.
declare module "*/pyodide/pyodide.mjs" {
  export function loadPyodide(options: { indexURL: string }): Promise<any>;
}
