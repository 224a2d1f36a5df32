// What a worker uses of Pyodide, which is fetched when the site is built.
declare module "*/pyodide/pyodide.mjs" {
  export function loadPyodide(options: {
    indexURL: string;
    createPyodideModule: (settings: object) => Promise<any>;
    _makeSnapshot?: boolean;
    _loadSnapshot?: Promise<Uint8Array>;
  }): Promise<any>;
}
declare module "*/pyodide/pyodide.asm.mjs" {
  export default function createModule(settings: object): Promise<any>;
}
