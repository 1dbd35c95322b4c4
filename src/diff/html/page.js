"use strict";
(() => {
  const objects = [...document.querySelectorAll("#objects > details")];
  const texts = objects.map((object) => object.textContent.toLowerCase());
  const search = document.getElementById("search");
  const controls = document.getElementById("controls");
  const boxes = [...document.querySelectorAll("[name=fate]")];
  const visible = () => objects.filter((object) => !object.hidden);

  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fates = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    objects.forEach((object, at) => {
      object.hidden =
        !fates.has(object.dataset.fate) || !words.every((word) => texts[at].includes(word));
    });
    const count = visible().length;
    document.getElementById("none").hidden = count > 0 || objects.length === 0;
    document.getElementById("shown").value = `${count} of ${objects.length} shown`;
  }

  function go(step) {
    const list = visible();
    const at = list.indexOf(document.activeElement.closest("#objects > details"));
    const next = list[at < 0 ? (step > 0 ? 0 : list.length - 1) : at + step];
    if (next) {
      next.querySelector("summary").focus();
      next.scrollIntoView({ block: "nearest" });
    }
  }

  const all = (open) => visible().forEach((object) => { object.open = open; });
  document.getElementById("open").addEventListener("click", () => all(true));
  document.getElementById("close").addEventListener("click", () => all(false));
  search.addEventListener("input", filter);
  boxes.forEach((box) => box.addEventListener("change", filter));
  controls.addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target === search) {
      if (event.key === "Escape") { search.value = ""; filter(); search.blur(); }
      return;
    }
    const current = document.activeElement.closest("#objects > details");
    if (event.key === "/") search.focus();
    else if (event.key === "j") go(1);
    else if (event.key === "k") go(-1);
    else if (event.key === "o" && current) current.open = !current.open;
    else return;
    event.preventDefault();
  });
  controls.hidden = false;
  filter();
})();
