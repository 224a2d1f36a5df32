// The page of `deduce app`: a server on this machine answers.
import { settings, startPage } from "./page.js";

/** @type {import("./face.js").Transport} */
const transport = {
  async ask(message) {
    const response = await fetch("api/answer", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(message),
    });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  },
  work(message, part) {
    const abort = new AbortController();
    read(message, part, abort.signal).catch((error) => {
      if (!abort.signal.aborted) part({ error: String(error.message), done: true });
    });
    return () => abort.abort();
  },
};

/** @param {object} message @param {(part: import("./face.js").Part) => void} part @param {AbortSignal} signal */
async function read(message, part, signal) {
  const response = await fetch("api/work", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(message),
    signal,
  });
  if (!response.ok || !response.body) throw new Error(await response.text());
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    const lines = (rest + (value ?? "")).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line) part(JSON.parse(line));
    if (done) return;
  }
}

startPage(transport, settings());
document.documentElement.dataset.state = "ready";
