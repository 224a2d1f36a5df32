// The page of a game: draws the fragments that a presenter returns and sends what people do.
// It knows no game. What a tap means is in the HTML: `data-do` names the intent, the other `data-`
// attributes are its values; a form with `data-draft` reports every change.
import { draw, holdsText, unsent } from "./morph.js";

/**
 * @typedef {{text: string, kind: string}} Notice
 * @typedef {{name: string, slot: string, key: string, values: object, first: string}} Job
 * @typedef {{
 *   document: string | null, title: string, ui: object, fragments: Record<string, string>,
 *   notices: Notice[], jobs: Job[], focus: string, download: [string, string] | null,
 *   error?: string,
 * }} Response
 * @typedef {{html?: string, done?: boolean, error?: string}} Part
 * @typedef {{do: string, values?: Record<string, string>, form?: Record<string, string[]>,
 *   changed?: string[]}} Intent
 * @typedef {{
 *   ask: (message: object) => Promise<any>,
 *   work: (message: object, part: (part: Part) => void) => () => void,
 * }} Transport
 *   `ask` sends a request and returns the response; `work` starts a job, reports its parts, and
 *   returns the function that cancels it.
 * @typedef {{
 *   game: string, document?: string | null, ui?: object, link?: string, text?: string,
 * }} Start
 * @typedef {{
 *   keep?: (saved: {document: string | null, ui: object, title: string}) => string,
 *   latest?: () => string | null,
 *   local?: (name: string, element: HTMLElement) => boolean,
 *   failed?: (problem: string) => boolean,
 *   texts: Record<string, string>,
 *   language?: string,
 * }} Options
 *   `keep` stores the game and returns why it could not, if so; `latest` returns the document that
 *   is stored now, which another page may have changed, or null if none is; `local` does what
 *   concerns only the page and returns whether it did; `failed` is told why a game cannot be shown
 *   at all, and returns whether it shows the reason.
 */

const IGNORED = new Set(["do", "draft", "key", "slot", "local", "auto"]);

const TWICE = 350; // milliseconds between the taps of a double tap

export class Screen {
  /** @param {HTMLElement} root @param {Transport} transport @param {Options} options */
  constructor(root, transport, options) {
    this.root = root;
    this.transport = transport;
    this.options = options;
    this.game = "";
    /** @type {string | null} */
    this.document = null;
    /** @type {object} */
    this.ui = {};
    /** @type {Array<() => Promise<void>>} */
    this.queue = [];
    this.busy = false;
    this.opened = 0;
    /** @type {Set<string>} */
    this.changed = new Set();
    /** What each form sends that has not been answered. @type {WeakMap<HTMLFormElement, string>} */
    this.submitted = new WeakMap();
    /** @type {HTMLFormElement | null} */
    this.waitingDraft = null;
    /** @type {Map<string, {key: string, html: string, done?: boolean}>} */
    this.results = new Map();
    /** @type {Map<string, {key: string, cancel: () => void}>} */
    this.running = new Map();
    /** @type {Job[]} */
    this.jobs = [];
    this.status = this.part("div", "messages", "status");
    this.alert = this.part("div", "messages bad", "alert");
    this.content = this.part("div", "content", "");
    /** The panel over the views, as the last answer has it. */
    this.panel = "";
    /** It was closed, and the answer to that is under way: until then none is drawn. */
    this.closing = /** @type {object | null} */ (null);
    /** The job whose move was tapped by itself. */
    this.tapped = "";
    /** Where each view was scrolled to. @type {Map<string, number>} */
    this.scrolled = new Map();
    /** What gets the focus in the next frame. */
    this.focusing = "";
    this.frame = 0;
    /** @type {{target: EventTarget | null, time: number}} */
    this.clicked = { target: null, time: 0 };
    root.classList.add("deduce-screen");
    root.addEventListener("click", (event) => this.onClick(event));
    root.addEventListener("submit", (event) => this.onSubmit(event));
    root.addEventListener("input", ({ target }) => {
      if (holdsText(target)) unsent.add(target);
    });
    root.addEventListener("change", (event) => this.onChange(event));
    root.addEventListener("keydown", (event) => this.onKey(event));
    // Also where nothing has the focus, because what had it is gone.
    document.addEventListener("keydown", ({ key, target }) => {
      const here = target === document.body || (target instanceof Node && root.contains(target));
      if (key === "Escape" && here && root.isConnected) this.closePanel();
    });
    root.addEventListener(
      "scroll",
      ({ target }) => {
        if (target instanceof HTMLElement && target.checkVisibility()) {
          this.scrolled.set(this.viewOf(target), target.scrollTop);
        }
      },
      { capture: true, passive: true },
    );
  }

  /** @param {string} tag @param {string} name @param {string} role */
  part(tag, name, role) {
    const element = document.createElement(tag);
    element.className = name;
    if (role) element.setAttribute("role", role);
    this.root.append(element);
    return element;
  }

  /**
   * Show a game, with the first response of the presenter.
   * @param {Start} start
   */
  open(start) {
    this.close();
    this.game = start.game;
    this.document = start.document ?? null;
    this.ui = start.ui ?? {};
    const { link, text } = start;
    return this.enqueue(() => this.update({ link, text }));
  }

  /** Show the HTML of a game that is set up, until its first answer comes. @param {string} html */
  preview(html) {
    draw(this.content, html);
  }

  /** Show the game again: it was changed elsewhere. What is half entered here stays. */
  refresh() {
    return this.enqueue(() => this.update({}));
  }

  /** Forget the game and everything that is being computed. */
  close() {
    this.opened += 1;
    this.queue = [];
    this.waitingDraft = null;
    this.focusing = "";
    this.changed.clear();
    for (const { cancel } of this.running.values()) cancel();
    this.running.clear();
    this.results.clear();
    this.panel = "";
    this.closing = null;
    this.content.replaceChildren();
    this.say([]);
  }

  // What people do

  /** @param {Event} event */
  onClick(event) {
    if (!(event.target instanceof Element)) return;
    // The second tap of two in one place is not for what the first one has brought there.
    const { target, time } = this.clicked;
    this.clicked = { target: event.target, time: event.timeStamp };
    const twice = event instanceof MouseEvent && event.detail > 1;
    if (twice && event.timeStamp - time < TWICE && target !== event.target) return;
    const element = event.target.closest("[data-do]") ?? this.onBoard(event.target);
    if (!(element instanceof HTMLElement || element instanceof SVGElement)) return;
    if (element instanceof HTMLFormElement) return;
    if (element instanceof HTMLButtonElement && element.type === "submit") return;
    event.preventDefault();
    const local = element.dataset.local;
    if (local && element instanceof HTMLElement && this.options.local?.(local, element)) return;
    if (element.matches('.over [data-do="close"]')) {
      this.closePanel();
      return;
    }
    const form = element.closest("form");
    this.intend(element.dataset.do ?? "", element, form);
  }

  /**
   * A tap on a part of a picture is a tap on the button with the same action.
   * @param {Element} target
   */
  onBoard(target) {
    const action = target.closest("svg [data-action]")?.getAttribute("data-action");
    if (action === null || action === undefined) return null;
    return this.content.querySelector(`button[data-action="${CSS.escape(action)}"]`);
  }

  /** @param {SubmitEvent} event */
  async onSubmit(event) {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.dataset.do) return;
    event.preventDefault();
    const chosen = event.submitter instanceof HTMLElement ? event.submitter.dataset.do : "";
    const name = chosen || form.dataset.do;
    const text = JSON.stringify([name, [...new FormData(form)]]);
    if (this.submitted.get(form) === text) return; // tapped twice
    this.submitted.set(form, text);
    await this.intend(name, null, form);
    if (this.submitted.get(form) === text) this.submitted.delete(form);
  }

  /** @param {Event} event */
  onChange(event) {
    const control = event.target;
    const entry = control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement;
    if (!entry && !(control instanceof HTMLSelectElement)) return;
    const form = control.form;
    if (!form?.dataset.draft) return;
    this.changed.add(control.name);
    if (this.waitingDraft === form) return;
    this.waitingDraft = form;
    this.enqueue(() => {
      this.waitingDraft = null;
      return this.send({ do: form.dataset.draft ?? "", ...this.entered(form) }, form);
    });
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.target instanceof SVGElement && ["Enter", " "].includes(event.key)) {
      event.preventDefault();
      event.target.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    }
    if (!(event.target instanceof HTMLElement)) return;
    const grid = event.target.closest("[data-grid]");
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[
      event.key
    ];
    if (!grid || !step) return;
    event.preventDefault();
    const here = event.target.getBoundingClientRect();
    // The nearest button that is wholly on that side, in the same row or column.
    const near = [...grid.querySelectorAll("button")]
      .map((button) => ({ button, box: button.getBoundingClientRect() }))
      .map(({ button, box }) => ({
        button,
        along: step[0] ? step[0] * (box.y - here.y) : step[1] * (box.x - here.x),
        across: step[0] ? Math.abs(box.x - here.x) : Math.abs(box.y - here.y),
      }))
      .filter(({ along, across }) => along > 1 && across < (step[0] ? here.width : here.height) / 2)
      .sort((one, two) => one.along - two.along);
    near[0]?.button.focus();
  }

  /** Close the panel over the views, or the one that an answer on its way will open. */
  closePanel() {
    const closing = (this.closing = {});
    const inside = document.activeElement?.closest(".over");
    const cell = this.content.querySelector(".cell[aria-pressed]");
    this.drawPanel();
    if (inside && cell instanceof HTMLElement) cell.focus({ preventScroll: true });
    else if (inside) this.focus("title");
    return this.enqueue(async () => {
      try {
        if (this.panel) await this.send({ do: "close" }, null);
      } finally {
        if (this.closing === closing) this.closing = null;
        this.drawPanel();
      }
    });
  }

  drawPanel() {
    for (const place of this.slots("over")) draw(place, this.closing ? "" : this.panel);
  }

  /** @param {string} name @param {HTMLElement | SVGElement | null} element @param {HTMLFormElement | null} form */
  intend(name, element, form) {
    /** @type {Record<string, string>} */
    const values = {};
    for (const [key, value] of Object.entries(element?.dataset ?? {})) {
      if (!IGNORED.has(key) && value !== undefined) values[key] = value;
    }
    // The form as it is now: answers that are on their way will draw it again.
    const intent = { do: name, values, ...(form ? this.entered(form) : {}) };
    return this.enqueue(() => this.send(intent, form));
  }

  /** Return what is entered in a form, as fields of an intent. @param {HTMLFormElement} form */
  entered(form) {
    for (const control of form.elements) unsent.delete(control);
    /** @type {Record<string, string[]>} */
    const values = {};
    for (const [name, value] of new FormData(form)) {
      if (typeof value === "string") (values[name] ??= []).push(value);
    }
    return { form: values, changed: [...this.changed] };
  }

  // Requests, one after the other

  /** @param {() => Promise<void>} task */
  enqueue(task) {
    const opened = this.opened;
    return new Promise((resolve) => {
      this.queue.push(async () => {
        try {
          if (opened === this.opened) await task();
        } finally {
          resolve(undefined);
        }
      });
      this.next();
    });
  }

  async next() {
    if (this.busy) return;
    this.busy = true;
    for (let task = this.queue.shift(); task; task = this.queue.shift()) {
      try {
        await task();
      } catch (error) {
        this.say([{ text: String(error instanceof Error ? error.message : error), kind: "bad" }]);
      }
    }
    this.busy = false;
  }

  /** @param {Intent} intent @param {HTMLFormElement | null} form whose values it has */
  async send(intent, form) {
    try {
      const response = await this.ask({ intent });
      const refused = response?.notices.some(({ kind }) => kind === "bad");
      if (refused && response?.document === this.document) this.keepTyped(form, intent);
      if (response) await this.show(response);
    } catch (error) {
      this.keepTyped(form, intent);
      throw error;
    }
  }

  /**
   * What was typed in a form that was refused can be corrected, also if an earlier answer has drawn
   * the form meanwhile.
   * @param {HTMLFormElement | null} form @param {Intent} intent
   */
  keepTyped(form, intent) {
    for (const field of form?.elements ?? []) {
      if (!holdsText(field)) continue;
      const [typed, another] = intent.form?.[field.name] ?? [];
      if (typed && another === undefined && field.value === field.defaultValue) field.value = typed;
      if (field.value !== field.defaultValue) unsent.add(field);
    }
  }

  /** @param {object} fields */
  async update(fields) {
    const response = await this.ask(fields);
    if (response) await this.show(response);
  }

  /**
   * Ask for the game as it is stored. If another page changes it before the answer is here, ask
   * again: an answer on the older document, stored, would undo what that page did.
   * @param {object} fields @returns {Promise<Response | undefined>} nothing: no answer to be shown
   */
  async ask(fields) {
    const opened = this.opened;
    const latest = () => this.options.latest?.() ?? this.document;
    /** @type {Response} */
    let response;
    do {
      this.document = latest();
      const { game, document, ui } = this;
      const { language } = this.options;
      response = await this.transport.ask({ game, document, ui, language, ...fields });
      if (opened !== this.opened) return undefined;
    } while (latest() !== this.document);
    if (!response.error) return response;
    if (this.content.firstChild || !this.options.failed?.(response.error)) {
      this.say([{ text: response.error, kind: "bad" }]);
    }
    return undefined;
  }

  // Drawing

  /** @param {Response} response */
  async show(response) {
    this.document = response.document;
    this.ui = response.ui;
    const { document: kept, ui, title } = response;
    const problem = this.options.keep?.({ document: kept, ui, title });
    // What is stored and what is drawn would be one long task.
    const { opened } = this;
    await new Promise((draws) => setTimeout(draws));
    if (opened !== this.opened) return;
    const { frame, over = "", ...slots } = response.fragments;
    const focused = this.root.contains(document.activeElement);
    draw(this.content, frame ?? "");
    this.panel = over;
    this.drawPanel();
    for (const [slot, html] of Object.entries(slots)) {
      for (const element of this.slots(slot)) {
        // Newer taps in a form are on their way: its next response has them.
        if (!this.waitingDraft || !element.contains(this.waitingDraft)) draw(element, html);
      }
    }
    if (!this.waitingDraft) this.changed.clear();
    for (const grid of this.content.querySelectorAll("[data-grid]")) this.tabStop(grid);
    const bad = problem ? [{ text: problem, kind: "bad" }] : [];
    this.say([...response.notices, ...bad]);
    this.start(response.jobs);
    const lost = focused && !this.root.contains(document.activeElement);
    this.focusing = response.focus || this.focusing || (lost ? "title" : "");
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.settle());
    if (response.download) download(...response.download);
  }

  /** Scroll and focus. Both need the layout, which would make a task too long that also draws. */
  settle() {
    for (const pane of this.content.querySelectorAll(".pane")) {
      const top = this.scrolled.get(this.viewOf(pane)) ?? 0;
      if (pane.scrollTop !== top) pane.scrollTop = top;
    }
    this.focus(this.focusing);
    this.focusing = "";
  }

  /** Return what names the view in a pane that scrolls. @param {Element} pane */
  viewOf(pane) {
    const frame = /** @type {HTMLElement | null} */ (pane.closest(".frame"));
    const name = pane instanceof HTMLElement ? pane.dataset.pane ?? "" : "";
    return name === "side" ? `side.${frame?.dataset.side}` : name;
  }

  /** @param {Element} grid */
  tabStop(grid) {
    const buttons = [...grid.querySelectorAll("button")];
    const chosen =
      buttons.find((button) => button === document.activeElement) ??
      buttons.find((button) => button.getAttribute("aria-pressed") === "true") ??
      buttons[0];
    for (const button of buttons) {
      const stop = button === chosen ? "0" : "-1";
      if (button.getAttribute("tabindex") !== stop) button.setAttribute("tabindex", stop);
    }
  }

  /** Return the places of a fragment. @param {string} name @returns {NodeListOf<HTMLElement>} */
  slots(name) {
    return this.content.querySelectorAll(`[data-slot="${CSS.escape(name)}"]`);
  }

  /** @param {Notice[]} notices */
  say(notices) {
    for (const [region, kinds] of /** @type {const} */ ([
      [this.status, ["note", "good"]],
      [this.alert, ["bad"]],
    ])) {
      const lines = notices.filter(({ kind }) => kinds.some((each) => each === kind));
      region.replaceChildren(
        ...lines.map(({ text, kind }) => {
          const line = document.createElement("p");
          line.className = kind;
          line.textContent = text;
          const close = document.createElement("button");
          close.type = "button";
          close.textContent = "✕";
          close.setAttribute("aria-label", this.options.texts.dismiss ?? "");
          close.addEventListener("click", () => line.remove());
          line.append(close);
          return line;
        }),
      );
    }
  }

  /** @param {string} id */
  focus(id) {
    if (!id) return;
    const target = this.root.querySelector(`#${CSS.escape(id)}`);
    if (!(target instanceof HTMLElement)) return;
    if (target.tabIndex < 0 && !target.hasAttribute("tabindex")) {
      target.scrollIntoView({ block: "nearest" });
      const stop = target.querySelector('[data-grid] [tabindex="0"]');
      const first = stop ?? target.querySelector("input:checked, input, textarea, button");
      if (first instanceof HTMLElement) first.focus({ preventScroll: true });
    } else {
      target.focus();
    }
    // The cell that a panel explains stays in view beside it.
    const cell = target.closest(".over") && this.content.querySelector(".cell[aria-pressed]");
    cell?.scrollIntoView({ block: "nearest" });
  }

  // What is still being computed

  /** @param {Job[]} jobs */
  start(jobs) {
    this.jobs = jobs;
    if (!jobs.some(({ key }) => key === this.tapped)) this.tapped = "";
    for (const [slot, job] of this.running) {
      if (!jobs.some(({ key }) => key === job.key)) {
        job.cancel();
        this.running.delete(slot);
      }
    }
    for (const job of jobs) {
      const known = this.results.get(job.slot);
      if (job.first && known?.key !== job.key) {
        this.results.set(job.slot, { key: job.key, html: job.first });
      }
      this.drawJob(job.slot);
      if ((known?.done && known.key === job.key) || this.running.has(job.slot)) continue;
      const { language } = this.options;
      const message = { game: this.game, document: this.document, ui: this.ui, language, job };
      const cancel = this.transport.work(message, (part) => this.receive(job, part));
      this.running.set(job.slot, { key: job.key, cancel });
    }
  }

  /** @param {Job} job @param {Part} part */
  receive(job, part) {
    if (this.running.get(job.slot)?.key !== job.key) return;
    if (part.done) this.running.delete(job.slot);
    if (part.error) {
      this.results.set(job.slot, { key: job.key, html: "", done: true });
      this.say([{ text: part.error, kind: "bad" }]);
    } else if (part.html !== undefined) {
      this.results.set(job.slot, { key: job.key, html: part.html, done: part.done });
    } else {
      return;
    }
    this.drawJob(job.slot);
  }

  /** @param {string} slot */
  drawJob(slot) {
    const job = this.jobs.find((each) => each.slot === slot);
    if (job) for (const element of this.slots(slot)) this.drawResult(element, job);
  }

  /** @param {HTMLElement} element @param {Job} job whose result it shows */
  drawResult(element, job) {
    const kept = this.results.get(job.slot);
    const fresh = kept?.key === job.key;
    // The engine's move in an earlier position is not to be tapped.
    const result = fresh || !kept?.html.includes("data-auto") ? kept : { html: "" };
    if (result) draw(element, result.html);
    element.toggleAttribute("data-stale", Boolean(result?.html) && !fresh);
    element.setAttribute("aria-busy", String(!fresh));
    const { computing = "", stale = "" } = this.options.texts;
    element.dataset.note = fresh ? "" : result?.html ? `${computing} (${stale})` : computing;
    // What an engine found out goes on by itself.
    const auto = fresh ? element.querySelector("[data-auto]") : null;
    if (!(auto instanceof HTMLElement) || this.tapped === job.key) return;
    this.tapped = job.key;
    auto.click();
  }
}

/**
 * Return the language that a person wants most, of those that there are.
 * @param {string[]} known @param {readonly string[]} wanted
 */
export function preferred(known, wanted) {
  return wanted.map((tag) => tag.split("-")[0] ?? "").find((tag) => known.includes(tag)) ?? "en";
}

/** @param {string} name @param {string} text */
function download(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
