// A table with cells to click. Texts become text nodes, so names are never read as markup.
function element(tag, className, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

function cell(data, at, column, pick) {
  const td = element("td", data.faint ? "deduce-faint" : "");
  if (data.shade) td.style.backgroundColor = data.shade;
  if (data.certain) td.classList.add("deduce-certain");
  if (data.hover) td.title = data.hover;
  if (!data.pick) {
    td.textContent = data.text;
    return td;
  }
  const button = element("button", "", data.text);
  button.type = "button";
  button.dataset.place = `${at},${column}`;
  button.addEventListener("click", () => pick(at, column));
  td.append(button);
  return td;
}

function render({ model, el }) {
  const root = element("div", "deduce-sheet");
  el.append(root);

  const pick = (at, column) => {
    model.set("picked", [at, column]);
    model.save_changes();
  };

  const mark = () => {
    const place = model.get("picked").join(",");
    for (const button of root.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button.dataset.place === place));
    }
    const marked = new Set(model.get("marked"));
    for (const row of root.querySelectorAll("tr[data-row]")) {
      row.classList.toggle("deduce-marked", marked.has(Number(row.dataset.row)));
    }
  };

  // Turn the headings upright if they would make the table wider than the page.
  const fit = () => {
    const wide = root.querySelector(".deduce-wide");
    root.classList.remove("deduce-upright");
    root.classList.toggle("deduce-upright", wide.scrollWidth > wide.clientWidth);
  };

  const draw = () => {
    const focus = root.contains(document.activeElement) && document.activeElement.dataset.place;
    const { title, head, rows, notes, wraps } = model.get("table");
    const table = element("table", wraps ? "deduce-wraps" : "");
    if (title) table.setAttribute("aria-label", title);
    if (head && head.some((text) => text)) {
      const line = element("tr");
      for (const text of head) {
        const th = element("th");
        th.scope = "col";
        th.append(element("span", "", text));
        line.append(th);
      }
      const top = element("thead");
      top.append(line);
      table.append(top);
    }
    const body = element("tbody");
    (rows || []).forEach((row, at) => {
      const line = element("tr");
      line.dataset.row = String(at);
      const th = element("th", row.cells.length ? "" : "deduce-group");
      th.append(element("span", "", row.head));
      th.scope = row.cells.length ? "row" : "colgroup";
      if (!row.cells.length) th.colSpan = head.length;
      line.append(th, ...row.cells.map((data, column) => cell(data, at, column, pick)));
      body.append(line);
    });
    table.append(body);
    const below = (notes || []).map((note) => element("div", "deduce-note", note));
    const above = title ? [element("div", "deduce-title", title)] : [];
    const wide = element("div", "deduce-wide");
    wide.append(table);
    root.replaceChildren(...above, wide, ...below);
    fit();
    mark();
    if (focus) root.querySelector(`button[data-place="${focus}"]`)?.focus();
  };

  model.on("change:table", draw);
  model.on("change:picked", mark);
  model.on("change:marked", mark);
  draw();

  let width = root.clientWidth;
  const observer = new ResizeObserver(() => {
    if (root.clientWidth === width) return;
    width = root.clientWidth;
    requestAnimationFrame(fit);
  });
  observer.observe(root);
  return () => observer.disconnect();
}

export default { render };
