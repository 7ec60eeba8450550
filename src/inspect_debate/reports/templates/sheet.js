"use strict";
(() => {
  const sheet = JSON.parse(document.getElementById("sheet").textContent);
  const form = document.getElementById("form");
  const debates = [...document.querySelectorAll("article")];
  const kept = `judging sheet ${sheet.sheet}`;
  const told = document.getElementById("told");

  const value = (name) => form.elements[name].value;

  const filled = () =>
    Object.fromEntries(
      [...new FormData(form)].filter(([, entry]) => entry !== "")
    );

  const save = () => {
    try {
      localStorage.setItem(kept, JSON.stringify(filled()));
      told.textContent = "Kept in this browser.";
    } catch {
      told.textContent = "Not kept by this browser: download before you close the page.";
    }
  };

  const restore = () => {
    let before = {};
    try {
      before = JSON.parse(localStorage.getItem(kept) ?? "{}");
    } catch {
      told.textContent = "Not kept by this browser: download before you close the page.";
    }
    for (const [name, entry] of Object.entries(before)) {
      if (form.elements[name]) form.elements[name].value = entry;
    }
  };

  const count = () => {
    let done = 0;
    for (const debate of debates) {
      const judged = value(`verdict-${debate.id}`) !== "";
      done += judged;
      document.querySelector(`a[href="#${debate.id}"]`).classList.toggle("done", judged);
    }
    document.getElementById("done").textContent = done;
  };

  // What a spreadsheet would take for a formula is set off, as in the table.
  const cell = (text) => {
    const safe = /^(?:\s*[=+\-@＝＋－＠]|[\t\r])/.test(text) ? `'${text}` : text;
    return `"${safe.replaceAll('"', '""')}"`;
  };

  const table = () => {
    const lines = sheet.rows.map((row) => {
      const [code] = row;
      const given = ["verdict", "confidence", "comment"].map((n) => value(`${n}-${code}`));
      // The texts before were set off when the page was written.
      const texts = row.map((text) => `"${text.replaceAll('"', '""')}"`);
      return [...texts, ...given.map(cell)].join(",");
    });
    return "\ufeff" + [sheet.columns.join(","), ...lines, ""].join("\r\n");
  };

  const download = () => {
    if (!form.reportValidity()) return;
    const judge = value("judge").trim().replace(/[^\p{L}\p{N}]+/gu, "_");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([table()], { type: "text/csv" }));
    link.download = `${judge || "judge"}.csv`;
    link.click();
    URL.revokeObjectURL(link.href);
  };

  const current = () => {
    const focused = document.activeElement.closest("article");
    const visible = debates.find((d) => d.getBoundingClientRect().bottom > 120);
    return focused ?? visible ?? debates[0];
  };

  const go = (step) => {
    const next = debates[debates.indexOf(current()) + step];
    if (!next) return;
    next.scrollIntoView();
    next.focus({ preventScroll: true });
  };

  const decide = (letter) => {
    form.elements[`verdict-${current().id}`].value = letter;
    save();
    count();
  };

  document.addEventListener("keydown", (event) => {
    const writes = event.target.matches("textarea, input:not([type=radio])");
    if (writes || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === "n") go(1);
    else if (key === "p") go(-1);
    else if (key === "x" || key === "y") decide(key.toUpperCase());
    else return;
    event.preventDefault();
  });
  form.addEventListener("input", () => {
    save();
    count();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  document.getElementById("download").addEventListener("click", download);
  restore();
  count();
})();
