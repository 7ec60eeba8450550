"use strict";
(() => {
  const form = document.querySelector("form");
  if (!form) return;
  const { answer, percent, remark } = form.elements;

  // What is left for the other answer.
  const rest = document.getElementById("rest");
  const tell = () => {
    const p = percent.valueAsNumber;
    const known = answer.value && p >= 50 && p <= 100;
    const other = answer.value === "X" ? "Y" : "X";
    rest.textContent = known ? `Answer ${other}: ${+(100 - p).toFixed(2)} %` : "";
  };
  form.addEventListener("input", tell);
  const quick = document.getElementById("quick");
  quick.hidden = false;
  quick.addEventListener("click", (event) => {
    if (!event.target.value) return;
    percent.value = event.target.value;
    tell();
  });
  tell();
  form.addEventListener("submit", () => {
    form.querySelector(".send button").disabled = true;
  });
  addEventListener("pageshow", () => {
    form.querySelector(".send button").disabled = false;
  });

  // Finding words in the text that the debate is about.
  const material = document.getElementById("material");
  const words = document.getElementById("words");
  const found = document.getElementById("found");
  const texts = [...material.querySelectorAll(".searched")].map((part) => part.firstChild);
  const LONGEST = 2000; // characters that are looked for
  let hits = [];
  let at = -1;
  const show = () => {
    found.textContent = words.value.trim() ? (hits.length ? `${at + 1} of ${hits.length}` : "not found") : "";
    CSS.highlights.set("hit", new Highlight(...hits));
    CSS.highlights.set("at", new Highlight(...hits.slice(at, at + 1)));
    if (!hits.length) return;
    const place = hits[at].getBoundingClientRect();
    const box = material.getBoundingClientRect();
    material.scrollTop += place.top - box.top - box.height / 2;
  };
  const find = () => {
    const parts = words.value.trim().slice(0, LONGEST).split(/\s+/).filter(Boolean);
    const pattern = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("\\s+");
    hits = [];
    for (const node of pattern ? texts : []) {
      for (const match of node.data.matchAll(new RegExp(pattern, "giu"))) {
        const range = new Range();
        range.setStart(node, match.index);
        range.setEnd(node, match.index + match[0].length);
        hits.push(range);
      }
    }
    at = 0;
    show();
  };
  const next = () => {
    if (hits.length) at = (at + 1) % hits.length;
    show();
  };
  const length = texts.reduce((sum, node) => sum + node.length, 0);
  const searches = "highlights" in CSS && length > 400;
  if (searches) {
    document.getElementById("search").hidden = false;
    document.getElementById("slash").hidden = false;
    words.addEventListener("input", find);
    document.getElementById("next").addEventListener("click", next);
    words.addEventListener("keydown", (event) => {
      if (event.key === "Enter") next();
      else if (event.key === "Escape") form.focus();
    });
    // A verified quote leads to its place, where the text is shown.
    for (const mark of document.querySelectorAll("mark.verified .hidden")) {
      const quote = mark.parentElement;
      const text = quote.lastChild.data ?? "";
      words.value = text;
      find();
      if (!hits.length || text.length > LONGEST) continue;
      quote.setAttribute("role", "button");
      quote.tabIndex = 0;
      const go = () => {
        words.value = text;
        find();
        material.scrollIntoView({ block: "nearest" });
      };
      quote.addEventListener("click", go);
      quote.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          go();
        }
      });
    }
    words.value = "";
    find();
    material.scrollTop = 0;
  }

  form.querySelector(".keys").hidden = false;
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === "Enter" && event.target === remark) {
      form.requestSubmit();
    }
    const writes = event.target.matches("textarea, input:not([type=radio])");
    if (writes || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === "x" || key === "y") {
      answer.value = key.toUpperCase();
      tell();
      percent.focus();
    } else if (key === "/" && searches) words.focus();
    else return;
    event.preventDefault();
  });
})();
