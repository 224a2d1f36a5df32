// A picture: each part with a data-action can be clicked, or activated with the Enter key.
function render({ model, el }) {
  const root = document.createElement("div");
  root.className = "deduce-board";
  el.append(root);

  const draw = () => {
    root.innerHTML = model.get("picture"); // drawn by deduce, with all names escaped
    for (const part of root.querySelectorAll("[data-action]")) {
      part.setAttribute("tabindex", "0");
      part.setAttribute("role", "button");
    }
  };

  const choose = (event) => {
    const part = event.target.closest("[data-action]");
    if (!part || (event.type === "keydown" && event.key !== "Enter")) return;
    model.set("action", part.dataset.action);
    model.save_changes();
  };

  root.addEventListener("click", choose);
  root.addEventListener("keydown", choose);
  model.on("change:picture", draw);
  draw();
}

export default { render };
