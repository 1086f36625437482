"use strict";
(() => {
  const all = (what, inside = document) => [...inside.querySelectorAll(what)];
  const make = (name, text, kind) => { const e = document.createElement(name); if (text !== undefined) e.textContent = text; if (kind) e.className = kind; return e; };

  // Of many lines of source, elements are made when they come into sight or are looked for, and of the others when there is nothing else to do.
  const SIZE = 250, parts = [];
  const fill = (part) => { if (part.text) { part.box.innerHTML = part.text.join("\n"); part.text = undefined; } };
  const sight = new IntersectionObserver((seen) => { for (const { isIntersecting, target } of seen) if (isIntersecting) { sight.unobserve(target); fill(parts[Number(target.dataset.part)]); } }, { rootMargin: "800px" });
  const holders = new Map();
  for (const holder of all(".source[data-lines]")) {
    const lines = holder.querySelector("noscript").textContent.trim().split("\n"), first = parts.length;
    for (let at = 0; at < lines.length; at += SIZE) {
      const text = lines.slice(at, at + SIZE), box = make("div", undefined, "part");
      box.style.setProperty("--lines", text.length); box.dataset.part = parts.length;
      parts.push({ box, text }); sight.observe(box);
    }
    holder.replaceChildren(...parts.slice(first).map(({ box }) => box));
    holders.set(holder.closest("details").id.replace(/0$/, ""), first);
  }
  const rest = () => parts.forEach(fill);
  let next = 0;
  const idle = (time) => { while (next < parts.length && time.timeRemaining() > 4) fill(parts[next++]); if (next < parts.length) requestIdleCallback(idle); };
  if (parts.length) addEventListener("load", () => setTimeout(() => requestIdleCallback(idle), 1000));
  // The element of a name, made if it is a line.
  const element = (id) => {
    const known = document.getElementById(id), found = /^(.*-)(\d+)$/.exec(id), first = found && holders.get(found[1]);
    if (known || first === undefined || first === null) return known;
    const part = parts[first + Math.floor((Number(found[2]) - 1) / SIZE)];
    if (part) fill(part);
    return document.getElementById(id);
  };

  // Whatever a link leads to is unfolded.
  const unfold = (e) => { for (let at = e; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true; };
  const go = (e) => { unfold(e); all(".here").forEach((old) => old.classList.remove("here")); e.classList.add("here"); e.scrollIntoView({ block: "center" }); };
  const arrive = () => { const e = location.hash.length > 1 && element(decodeURIComponent(location.hash.slice(1))); if (e) go(e); };
  addEventListener("hashchange", arrive);

  // Commands are copied; pages that were opened as files may have no clipboard.
  const copy = async (text) => {
    try { await navigator.clipboard.writeText(text); } catch {
      const area = make("textarea", text); document.body.append(area); area.select(); document.execCommand("copy"); area.remove();
    }
  };
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button.copy");
    if (!button) return;
    event.preventDefault();
    await copy(button.dataset.copy);
    button.textContent = "copied"; setTimeout(() => { button.textContent = "copy"; }, 1500);
  });

  // Tables are sorted by a click on a head, and searched. Of a long one the first rows are shown.
  const key = (row, at) => { const cell = row.cells[at], by = cell.dataset.by; return by === undefined ? cell.textContent.trim() : Number(by); };
  const compare = (a, b) => typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), undefined, { numeric: true });
  const rows = (table) => [...table.tBodies].flatMap((body) => [...body.rows]), later = (table) => table.tBodies[1], HITS = 300;
  all(".sortable th").forEach((head) => head.querySelector("button").addEventListener("click", () => {
    const table = head.closest("table"), at = head.cellIndex, down = head.getAttribute("aria-sort") === "ascending";
    all("th", table).forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const sorted = rows(table).sort((a, b) => (down ? -1 : 1) * compare(key(a, at), key(b, at))), first = later(table) ? table.tBodies[0].rows.length : sorted.length;
    table.tBodies[0].append(...sorted.slice(0, first)); if (later(table)) later(table).append(...sorted.slice(first));
  }));
  const button = (table) => all("button.all").find((each) => each.dataset.table === table.id);
  all("input.filter").forEach((input) => input.addEventListener("input", () => {
    const wanted = input.value.toLowerCase(), table = document.getElementById(input.dataset.table), few = button(table);
    let hits = 0;
    for (const row of rows(table)) row.hidden = !row.textContent.toLowerCase().includes(wanted) || (few && wanted && ++hits > HITS);
    if (few) later(table).classList.toggle("shown", wanted !== "");
  }));
  all("button.all").forEach((few) => few.addEventListener("click", () => { later(document.getElementById(few.dataset.table)).classList.add("shown"); few.remove(); }));

  // The arms of a line, with the case that took each first.
  const explain = (document.body.dataset.explain || "");
  let popover;
  const close = () => { if (popover) popover.remove(); popover = undefined; };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button.a");
    if (!button) { if (popover && !popover.contains(event.target)) close(); return; }
    close();
    popover = make("div"); popover.id = "popover";
    const table = popover.appendChild(make("table"));
    for (const [name, state, file] of JSON.parse(button.dataset.arms)) {
      const row = table.insertRow();
      row.insertCell().append(make("code", name)); row.insertCell().append(state);
      if (file) { const link = make("a", file); link.href = file; row.insertCell().append(link); }
    }
    if (button.dataset.case) {
      const row = table.insertRow(), link = make("a", button.dataset.case); link.href = button.dataset.case;
      row.insertCell().append("this line"); row.insertCell().append("reached first by"); row.insertCell().append(link);
    }
    if (explain) {
      const command = `${explain} ${button.dataset.at}`, line = popover.appendChild(make("p")), one = make("button", "copy", "copy");
      one.dataset.copy = command; line.append(make("code", command), one);
    }
    document.body.append(popover);
    const box = button.getBoundingClientRect();
    popover.style.left = `${box.left + scrollX}px`; popover.style.top = `${box.bottom + scrollY + 4}px`;
  });

  // Keys: next failure, next and previous missed line, search.
  let place = -1;
  const missed = () => { rest(); return all("#source .l.missed, #source .l.partly"); };
  const stretches = () => missed().filter((line, at, lines) => at === 0 || lines[at - 1].nextElementSibling !== line);
  const step = (list, by) => { if (list.length) { place = (place + by + list.length) % list.length; go(list[place]); } };
  let kind;
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") { close(); document.activeElement.blur(); return; }
    if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|TEXTAREA/.test(event.target.tagName)) return;
    if (event.key === "/") { const input = document.querySelector("#find, input.filter"); if (input) { event.preventDefault(); input.focus(); } return; }
    const list = { f: "f", n: "n", p: "n" }[event.key];
    if (!list) return;
    if (kind !== list) { kind = list; place = event.key === "p" ? 0 : -1; }
    if (list === "f") { const failures = all(".failure"); step(failures, 1); if (failures.length) failures[place].open = true; } else step(stretches(), event.key === "p" ? -1 : 1);
  });

  // The path tree: elements are made when a decision is opened.
  const source = document.getElementById("paths-data"), tree = document.getElementById("tree");
  if (source && tree) {
    const { states, words, sites, nodes } = JSON.parse(source.textContent);
    const parents = new Map();
    nodes.forEach((node, at) => { for (let arm = 2; arm < node.length; arm++) if (node[arm] > 0) parents.set(node[arm], [at, arm - 2]); });
    const items = new Map();
    const label = (at) => {
      const [where, inside, , text, to] = sites[nodes[at][0]], span = make("span");
      const link = make(to ? "a" : "code", where); if (to) link.href = `#${to}`;
      span.append(link, " "); if (text) span.append(make("code", text, "line"));
      span.title = `${inside ? `in ${inside}, ` : ""}first reached by run ${nodes[at][1]}`;
      return span;
    };
    const named = (at, arm) => sites[nodes[at][0]][2][arm] || String(arm + 1);
    const list = (at) => {
      const ul = make("ul");
      for (let arm = 0; arm + 2 < nodes[at].length; arm++) {
        const to = nodes[at][arm + 2], li = ul.appendChild(make("li"));
        li.append(make("span", named(at, arm), "arm"), " ");
        if (to > 0) node(to, li); else li.append(make("span", words[-to - 1], states[-to - 1]));
      }
      return ul;
    };
    const open = (at) => {
      const li = items.get(at); if (!li || li.querySelector(":scope > ul")) return;
      li.append(list(at)); li.querySelector(":scope > button.fold").textContent = "▾ "; li.setAttribute("aria-expanded", "true");
    };
    const shut = (at) => {
      const li = items.get(at), ul = li.querySelector(":scope > ul"); if (!ul) return;
      all("li", ul).forEach((inner) => items.delete(Number(inner.dataset.node))); ul.remove();
      li.querySelector(":scope > button.fold").textContent = "▸ "; li.setAttribute("aria-expanded", "false");
    };
    function node(at, li) {
      items.set(at, li); li.dataset.node = at; li.setAttribute("aria-expanded", "false");
      const button = make("button", "▸ ", "fold");
      button.addEventListener("click", () => { if (li.querySelector(":scope > ul")) shut(at); else { open(at); chain(at); } });
      li.append(button, label(at));
    }
    // A decision with one way on is opened with it.
    const chain = (at) => {
      for (let turns = 0; turns < 50; turns++) {
        const below = nodes[at].slice(2).filter((to) => to > 0);
        if (below.length !== 1) return;
        at = below[0]; open(at);
      }
    };
    const reveal = (at) => {
      const way = []; for (let up = at; up !== undefined; up = parents.get(up)?.[0]) way.push(up);
      way.reverse().forEach(open); go(items.get(at));
    };
    node(0, tree.appendChild(make("li"))); open(0);
    let shown = 1; const queue = [0];
    while (queue.length && shown < 24) { const at = queue.shift(); open(at); for (const to of nodes[at].slice(2)) if (to > 0) { queue.push(to); shown++; } }

    const find = document.getElementById("find"), found = document.getElementById("found"), hits = document.getElementById("hits");
    let soon;
    const search = () => {
      hits.replaceChildren(); found.textContent = "";
      const wanted = find.value.trim().toLowerCase(); if (!wanted) return;
      const state = Math.max(states.indexOf(wanted), words.indexOf(wanted)), near = sites.map((site) => `${site[0]} ${site[1]} ${site[3]}`.toLowerCase().includes(wanted));
      let count = 0;
      nodes.forEach((each, at) => {
        if (!(state >= 0 ? each.indexOf(-state - 1, 2) >= 0 : near[each[0]])) return;
        if (++count > 50) return;
        const hit = make("button", `${sites[each[0]][0]}, run ${each[1]}`); hit.addEventListener("click", () => reveal(at)); hits.append(hit);
      });
      found.textContent = count === 0 ? "nothing" : count > 50 ? `${count} decisions, the first 50:` : `${count} decision${count === 1 ? "" : "s"}`;
    };
    find.addEventListener("input", () => { clearTimeout(soon); soon = setTimeout(search, 120); });
    find.addEventListener("keydown", (event) => { if (event.key === "Enter") { clearTimeout(soon); search(); hits.querySelector("button")?.click(); } });
  }
  arrive();
})();
