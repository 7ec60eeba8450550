"use strict";
(() => {
  const { run, debates } = JSON.parse(document.getElementById("index").textContent);
  const main = document.getElementById("debate");
  const list = document.getElementById("debates");
  const search = document.getElementById("search");
  const show = document.getElementById("show");
  const judge = document.getElementById("judge");
  const count = document.getElementById("count");

  // Everything that debaters wrote goes through here, as text and never as markup.
  const element = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (value !== undefined && value !== null) made.setAttribute(key, value);
    }
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
  };
  const hidden = (text) => element("span", { class: "hidden" }, text);
  const SIGNS = { right: "✓ right", wrong: "✗ wrong", undecided: "– undecided" };
  const signed = (result) =>
    SIGNS[result] ? element("span", { class: result }, SIGNS[result]) : null;

  // The list, and what is left of it.

  const result = (debate) => {
    const one = judge.value && debate.judges ? debate.judges[judge.value] : null;
    if (judge.value) return one ? one.result : "none";
    return debate.result ?? "";
  };
  const FILTERS = {
    "all debates": () => true,
    right: (debate) => result(debate) === "right",
    wrong: (debate) => result(debate) === "wrong",
    undecided: (debate) => result(debate) === "undecided",
    "flipped by the debate": (debate) => debate.flipped,
    "flipped to right": (debate) => debate.flipped === "to right",
    "flipped to wrong": (debate) => debate.flipped === "to wrong",
    "with what could not be read": (debate) => debate.unread,
    "without a debate": (debate) => !debate.debated,
    "not finished": (debate) => debate.error,
  };
  const judges = [...new Set(debates.flatMap((d) => Object.keys(d.judges ?? {})))];
  judge.append(new Option("all together", ""), ...judges.map((id) => new Option(id, id)));
  document.getElementById("judged").hidden = judges.length < 2;

  const links = debates.map((debate, place) => {
    const epoch = debates.some((d) => d.epoch > 1) ? ` · epoch ${debate.epoch}` : "";
    const told = element("span", {});
    const link = element(
      "a",
      { href: `#${place}` },
      element("b", {}, debate.id),
      told,
      element("span", { class: "begins" }, debate.begins ?? "")
    );
    const sign = () => {
      const said = judge.value ? debate.judges?.[judge.value]?.said : debate.outcome;
      const text = debate.error ? "not finished" : said ?? "";
      told.replaceChildren(...[signed(result(debate)), ` ${text}${epoch}`].filter(Boolean));
    };
    return { link, item: element("li", {}, link), sign };
  });
  list.append(...links.map(({ item }) => item));

  const fill = () => {
    const before = show.value;
    const options = Object.entries(FILTERS).map(([name, keeps]) => {
      const n = debates.filter(keeps).length;
      return n || name === before ? new Option(`${name} (${n})`, name) : null;
    });
    show.replaceChildren(...options.filter(Boolean));
    show.value = before || "all debates";
  };
  let kept = [];
  const filter = () => {
    fill();
    const words = search.value.toLowerCase();
    kept = debates.flatMap((debate, place) => {
      const fits =
        FILTERS[show.value](debate) &&
        `${debate.id} ${debate.begins ?? ""}`.toLowerCase().includes(words);
      links[place].item.hidden = !fits;
      links[place].sign();
      return fits ? [place] : [];
    });
    count.textContent = `${kept.length} of ${debates.length} debates`;
  };

  // One debate.

  const marks = (text, quotes) => {
    const parts = [];
    let at = 0;
    for (const { start, end, kind, id } of quotes) {
      parts.push(text.slice(at, start));
      parts.push(element("mark", { class: kind, id }, text.slice(start, end)));
      at = end;
    }
    return [...parts, text.slice(at)];
  };

  const long = (text) => text.length > 80;
  const folded = (title, text) =>
    text ? element("details", {}, element("summary", {}, title), element("div", { class: "text" }, text)) : null;

  const material = (debate) => {
    const found = {}; // by source, where its quotes stand
    for (const turn of debate.turns) {
      for (const passage of turn.text ?? []) {
        const source = debate.material.find(({ name }) => name === passage.source);
        if (!source) continue;
        let { start, end } = passage;
        if (start === undefined || start === null) {
          start = [...source.text].join("").indexOf(passage.text);
          if (start < 0) continue;
          end = start + passage.text.length;
        } else {
          // Places count characters, of which a script may take two units for one.
          const characters = [...source.text];
          if (characters.length !== source.text.length) {
            end = characters.slice(0, end).join("").length;
            start = characters.slice(0, start).join("").length;
          }
        }
        (found[source.name] ??= []).push({ start, end, passage });
      }
    }
    let number = 0;
    const quotes = (name) => {
      // Quotes that overlap are one mark.
      const merged = [];
      for (const { start, end, passage } of (found[name] ?? []).sort((x, y) => x.start - y.start)) {
        const last = merged.at(-1);
        if (last && start < last.end) last.end = Math.max(last.end, end);
        else merged.push({ start, end, kind: passage.quote, id: `quote-${number++}` });
        passage.at = merged.at(-1).id;
      }
      return merged;
    };
    const sections = debate.material.flatMap(({ name, title, text }) => [
      element("h3", {}, title),
      element(
        "div",
        { class: "text" },
        ...marks(text, quotes(name))
      ),
    ]);
    if (long(debate.target)) sections.push(folded("A right answer", debate.target));
    return element("section", { id: "material", "aria-label": "Material", tabindex: "0" }, ...sections);
  };

  const QUOTES = {
    verified: "verified quote: ",
    typography: "verified quote, in other typography: ",
    unverified: "quote that was not found: ",
  };
  const passage = (part) => {
    if (!part.quote) return part.text;
    const mark = element("mark", { class: part.quote, title: QUOTES[part.quote].replace(": ", "") });
    mark.append(hidden(QUOTES[part.quote]));
    const there = part.at && document.getElementById(part.at);
    if (there) {
      const link = element("a", { href: `#${part.at}` }, part.text);
      link.addEventListener("click", (event) => {
        event.preventDefault();
        document.querySelector("mark.now")?.classList.remove("now");
        there.classList.add("now");
        there.scrollIntoView({ block: "center" });
      });
      mark.append(link);
    } else mark.append(part.text);
    return mark;
  };

  const turnOf = (debate, index, column) => {
    const turn = debate.turns[index];
    const who = debate.people.find(({ id }) => id === turn.who);
    const side = who.defends && who.defends !== who.name.toLowerCase() ? `, for ${who.defends}` : "";
    const body = element("div", { class: "text" });
    body.append(...(turn.text ?? [{ text: "(nothing public)" }]).map(passage));
    const fields = (turn.fields ?? []).map(([name, value]) =>
      element("div", {}, element("dt", {}, name), element("dd", {}, value))
    );
    const told = [turn.shown ?? "", turn.reused ? "reused" : ""];
    return element(
      "article",
      { class: `turn ${column === 0 ? "a" : column === 1 ? "b" : "whole"}` },
      element("h4", {}, `${who.name}${side} `, element("small", {}, [who.model, ...told].filter(Boolean).join(" · "))),
      body,
      fields.length ? element("dl", {}, ...fields) : null,
      folded("Private thoughts", turn.private),
      folded("Reasoning of the model", turn.reasoning),
      ...(turn.superseded ?? []).map((text) => folded("A reply that was asked for again", text))
    );
  };

  const svg = (name, attributes, ...children) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };
  const figure = ({ title, series }) => {
    const rounds = [...new Set(series.flatMap(({ points }) => points.map(([at]) => at)))].sort((x, y) => x - y);
    const x = (round) => 40 + (rounds.indexOf(round) / Math.max(1, rounds.length - 1)) * 250;
    const y = (value) => 130 - value * 1.15;
    const drawn = [0, 50, 100].flatMap((value) => [
      svg("line", { x1: 34, x2: 300, y1: y(value), y2: y(value), stroke: "var(--rule)" }),
      svg("text", { x: 4, y: y(value) + 4 }, `${value}`),
    ]);
    drawn.push(...rounds.map((round) => svg("text", { x: x(round) - 3, y: 148 }, `${round}`)));
    series.forEach(({ name, points }, n) => {
      const colour = ["var(--a)", "var(--b)", "var(--ink)"][n % 3];
      const path = points.map(([at, value]) => `${x(at)},${y(value)}`).join(" ");
      const dashes = n ? { "stroke-dasharray": "5 3" } : {};
      drawn.push(svg("polyline", { points: path, fill: "none", stroke: colour, "stroke-width": 2, ...dashes }));
      drawn.push(
        ...points.map(([at, value]) =>
          n
            ? svg("rect", { x: x(at) - 3.5, y: y(value) - 3.5, width: 7, height: 7, fill: colour })
            : svg("circle", { cx: x(at), cy: y(value), r: 4, fill: colour })
        )
      );
    });
    let lowest = -Infinity; // names do not cover one another
    for (const { name, points } of [...series].sort((s, z) => z.points.at(-1)[1] - s.points.at(-1)[1])) {
      const [at, value] = points.at(-1);
      lowest = Math.max(y(value) + 4, lowest + 13);
      drawn.push(svg("text", { x: x(at) + 8, y: lowest }, name));
    }
    const words = series
      .map(({ name, points }) => `${name}: ${points.map(([at, v]) => `round ${at}, ${v}`).join("; ")}`)
      .join(". ");
    return element(
      "figure",
      {},
      element("figcaption", {}, title),
      svg("svg", { viewBox: "0 0 370 155", role: "img", "aria-label": `${title}, by round. ${words}` }, ...drawn)
    );
  };

  const told = (debate) => {
    const facts = [];
    if (debate.outcome) facts.push(element("span", {}, "Outcome: ", element("b", {}, debate.outcome), " ", signed(debate.result) ?? ""));
    if (debate.target && !long(debate.target)) facts.push(element("span", {}, "Right answer: ", element("b", {}, debate.target)));
    if (debate.flipped) facts.push(element("span", {}, `Flipped ${debate.flipped === "changed" ? "" : debate.flipped}`));
    for (const [id, { said, result }] of Object.entries(debate.judges ?? {})) {
      if (judges.length > 1) facts.push(element("span", {}, `${id}: ${said} `, signed(result) ?? ""));
    }
    return element("div", { class: "facts" }, ...facts);
  };

  let current = -1;
  const open = (place, focus) => {
    current = place;
    const debate = JSON.parse(document.getElementById(`debate-${place}`).textContent);
    links.forEach(({ link }, n) => {
      if (n === place) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
    const step = (text, by) => {
      const button = element("button", { type: "button" }, text);
      button.addEventListener("click", () => move(by));
      return button;
    };
    const log = (debate.log ?? run.log).split("/").map(encodeURIComponent).join("/");
    const sample = `${encodeURIComponent(debate.id)}/${debate.epoch}/`;
    const viewer = `${run.viewer}${log}/samples/sample/${sample}`;
    const head = [
      element("h2", {}, debate.id),
      element(
        "div",
        { class: "bar" },
        told(debate),
        step("Previous", -1),
        step("Next", 1),
        element("a", { class: "viewer", href: viewer, rel: "noreferrer" }, "in inspect view")
      ),
    ];
    if (debate.turns?.some(({ text }) => text?.some(({ quote }) => quote))) {
      head.push(
        element(
          "p",
          { class: "legend" },
          "Quotes: ",
          element("mark", { class: "verified" }, "✓ found in the material"),
          ", ",
          element("mark", { class: "typography" }, "≈ found in other typography"),
          ", ",
          element("mark", { class: "unverified" }, "✗ not found"),
          ". A found quote leads to its place."
        )
      );
    }
    for (const note of [debate.error, ...(debate.notes ?? [])].filter(Boolean)) {
      head.push(element("p", { class: "warning" }, note));
    }
    main.replaceChildren(...head);
    if (debate.turns) {
      const both = element("div", { class: "both" });
      main.append(both);
      both.append(material(debate)); // there before the speeches, whose quotes point at it
      const rows = debate.rows.flatMap(({ stage, cells }) => [
        element("h3", {}, stage),
        element("div", { class: "row" }, ...cells.map(([index, column]) => turnOf(debate, index, column))),
      ]);
      both.append(element("section", { "aria-label": "Debate" }, ...debate.beliefs.map(figure), ...rows));
    }
    document.title = `${debate.id} · ${run.title}`;
    if (focus) {
      main.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    links[place].link.scrollIntoView({ block: "nearest" });
  };
  const move = (by) => {
    const at = kept.indexOf(current);
    const next = at < 0 ? kept[0] : kept[at + by];
    if (next !== undefined) location.hash = `#${next}`;
  };
  const follow = (focus) => {
    const place = Number.parseInt(location.hash.slice(1), 10);
    if (place in debates && place !== current) open(place, focus);
    else if (current < 0) open(kept[0] ?? 0, false);
  };

  for (const control of [search, show, judge]) control.addEventListener("input", filter);
  addEventListener("hashchange", () => follow(true));
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, select, textarea")) {
      if (event.key === "Escape") main.focus();
      return;
    }
    if (event.key === "j") move(1);
    else if (event.key === "k") move(-1);
    else if (event.key === "/") {
      event.preventDefault();
      search.focus();
    }
  });
  filter();
  follow(false);
})();
