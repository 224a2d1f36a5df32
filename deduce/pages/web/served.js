// The page of `deduce app`: a server on this machine answers.
import { settings, startPage } from "./page.js";

/** The step of the log that this page shows, if the server keeps the log. */
let version = -1;

/** @type {import("./screen.js").Transport} */
const transport = {
  async ask(message) {
    const response = await fetch("api/answer", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(message),
    });
    if (!response.ok) throw new Error(await response.text());
    const answer = await response.json();
    version = answer.version ?? version;
    return answer;
  },
  work(message, part) {
    const abort = new AbortController();
    read(message, part, abort.signal).catch((error) => {
      if (!abort.signal.aborted) part({ error: String(error.message), done: true });
    });
    return () => abort.abort();
  },
};

/** @param {object} message @param {(part: import("./screen.js").Part) => void} part @param {AbortSignal} signal */
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

/** Show the steps that other pages of the same log take. @param {import("./screen.js").Screen} screen */
async function follow(screen) {
  for (;;) {
    try {
      const response = await fetch(`api/changes?since=${version}`);
      if (!response.ok) return;
      const changed = (await response.json()).version;
      if (changed !== version) await screen.refresh();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 5000)); // the server may come back
    }
  }
}

const options = settings();
const screen = startPage(transport, options);
if (options.table) follow(screen);
document.documentElement.dataset.state = "ready";
