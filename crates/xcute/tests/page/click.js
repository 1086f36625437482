// Clicks through a page as a person would, and writes down what it saw.
(async () => {
  const seen = { errors: [] };
  addEventListener("error", (event) => seen.errors.push(String(event.message)));
  const all = (what) => [...document.querySelectorAll(what)], one = (what) => document.querySelector(what);
  const soon = (ms) => new Promise((done) => setTimeout(done, ms));
  const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const shown = (e) => !!e && e.checkVisibility();
  const column = (table, at) => [...table.tBodies[0].rows].map((row) => row.cells[at].textContent.trim());
  try {
    seen.verdict = one(".verdict").textContent; seen.colour = one(".verdict").className;
    seen.footer = one("footer").textContent;
    seen.next = one(".next") ? one(".next").textContent : "";
    // Of many lines those are made that somebody looks at; a link makes its line.
    const lazy = one(".source[data-lines]");
    if (lazy) {
      const made = () => all("#source .l").length;
      seen.made = made();
      const link = one(".failure .excerpt .fails a"); link.click(); await soon(50);
      seen.jumped = made(); seen.line = one("#source .l.here .n").textContent;
      press("n"); seen.whole = made();
    }
    seen.dead = all("a[href^='#']").map((a) => a.getAttribute("href").slice(1)).filter((id) => !document.getElementById(id));
    seen.files = [...new Set(all("a[href]").map((a) => a.getAttribute("href")).filter((href) => !href.startsWith("#")))];

    // Failures fold, and their commands are copied.
    const failures = all(".failure");
    seen.failures = failures.length;
    seen.open = failures.map((failure) => failure.open);
    if (failures.length) {
      failures[0].querySelector("summary").click(); seen.folded = !failures[0].open;
      press("f"); seen.unfolded = failures[0].open;
      const copy = failures[0].querySelector("button.copy"); seen.command = copy.dataset.copy;
      copy.click(); await soon(50); seen.copied = copy.textContent;
      seen.excerpt = shown(failures[0].querySelector(".excerpt .fails"));
      seen.memory = failures[0].querySelectorAll(".memory rect").length;
      seen.lanes = failures[0].querySelectorAll(".interleaving .lane").length; seen.end = failures[0].querySelectorAll(".interleaving .end").length;
      seen.drawings = all(".drawing img").filter((image) => image.naturalWidth > 0).length;
    }

    // Tables are sorted both ways.
    const table = one("#functions");
    if (table) {
      const head = table.tHead.rows[0].cells[0], before = column(table, 0);
      head.querySelector("button").click(); const up = column(table, 0);
      head.querySelector("button").click(); const down = column(table, 0);
      seen.functions = before.length; seen.sorted = head.getAttribute("aria-sort") === "descending" && up.join() === [...down].reverse().join();
    }

    // Of a long table the first rows are shown, those that are looked for, and all of them if somebody asks.
    const few = one("button.all");
    if (few) {
      const table = one(`#${few.dataset.table}`), seenRows = () => [...table.querySelectorAll("tbody tr")].filter(shown).length, filter = one(`input[data-table="${table.id}"]`);
      seen.few = seenRows();
      filter.value = table.tBodies[1].rows[7].cells[0].textContent.trim(); filter.dispatchEvent(new Event("input")); seen.filtered = seenRows();
      filter.value = ""; filter.dispatchEvent(new Event("input")); seen.unfiltered = seenRows();
      few.click(); seen.rows = seenRows(); seen.dropped = !one("button.all");
    }

    // Every line that ran leads to the case that came there first.
    seen.caseless = all("#source .l.ran, #source .l.partly").filter((line) => !line.querySelector("a.a") && !(line.querySelector("button.a") || { dataset: {} }).dataset.case).map((line) => line.id);
    seen.held = [...(one(".failure .held") || { rows: [] }).rows].map((row) => [...row.cells].map((cell) => cell.textContent).join("=")).join(" ");

    // The arms of a line, with the cases that took them; Escape closes them.
    const arms = all("#source button.a").find((button) => button.dataset.arms.includes(".json")) || one("#source button.a");
    if (arms) {
      arms.click(); seen.arms = [...one("#popover table").rows].map((row) => row.textContent); seen.cases = all("#popover a").map((a) => a.getAttribute("href"));
      seen.explain = one("#popover p code").textContent;
      press("Escape"); seen.closed = !one("#popover");
    }
    seen.colours = ["k", "s", "c", "n"].filter((kind) => one(`#source code .${kind}`)).join("");

    // Keys lead to what was missed.
    press("n"); const here = one("#source .here"); seen.missed = here ? here.className : "";
    seen.partly = all("#source .l.partly, #source .l.missed").length;

    // A link unfolds what it leads to.
    const file = one("#source details.file");
    if (file) { file.open = false; location.hash = file.querySelector(".l").id; await soon(50); seen.arrived = file.open; }

    // The path tree opens, closes, and is searched.
    if (one("#tree")) {
      const root = one("#tree > li"), fold = root.querySelector("button");
      seen.nodes = all("#tree li").length;
      fold.click(); seen.shut = all("#tree li").length; fold.click(); seen.again = all("#tree li").length;
      const find = one("#find"); find.value = "failed"; find.dispatchEvent(new Event("input")); await soon(300);
      seen.found = one("#found").textContent; const hit = one("#hits button");
      if (hit) { hit.click(); seen.revealed = shown(one("#tree .here")); }
      find.value = "no such thing"; find.dispatchEvent(new Event("input")); await soon(300); seen.nothing = one("#found").textContent;
    }

    // Every table is sorted by each of its heads, both ways; rows are neither lost nor doubled.
    seen.unsorted = [];
    for (const table of all("table.sortable")) {
      const rows = () => [...table.tBodies].flatMap((body) => [...body.rows]), many = new Set(rows()).size;
      for (const head of table.tHead.rows[0].cells) {
        const keys = () => rows().map((row) => row.cells[head.cellIndex]).map((cell) => cell.dataset.by === undefined ? cell.textContent.trim() : Number(cell.dataset.by));
        for (const [order, by] of [["ascending", 1], ["descending", -1]]) {
          head.querySelector("button").click();
          const sorted = keys(), right = [...sorted].sort((a, b) => by * (typeof a === "number" ? a - b : a.localeCompare(b, undefined, { numeric: true })));
          if (head.getAttribute("aria-sort") !== order || sorted.join("\n") !== right.join("\n") || new Set(rows()).size !== many) seen.unsorted.push(`${table.id}: ${head.textContent} ${order}`);
        }
      }
    }

    // The other keys: back to what was missed before, to the search, and nowhere while somebody types.
    press("n"); const next = one("#source .here"); press("p"); seen.back = seen.partly < 2 || one("#source .here") !== next || seen.missed === "";
    const box = one("#find, input.filter");
    press("/"); seen.slash = !box || document.activeElement === box;
    if (box) box.dispatchEvent(new KeyboardEvent("keydown", { key: "f", bubbles: true }));
    press("Escape"); seen.left = document.activeElement === document.body;

    // Every link of the contents and of the interleavings leads to its place.
    seen.lost = [];
    for (const link of all("nav a, .failure p a[href^='#'], .interleaving a")) {
      const hash = link.getAttribute("href") || (link.href && link.href.baseVal) || "";
      location.hash = hash; await soon(5);
      const to = document.getElementById(hash.slice(1)); if (!to || !to.classList.contains("here")) seen.lost.push(hash);
    }

    // Whatever folds opens, and every command can be copied.
    all("details").forEach((each) => { if (!each.open) each.querySelector("summary").click(); });
    await soon(30); seen.closedStill = all("details").filter((each) => !each.open).length;
    // How long a clipboard takes is not a matter of the page: the first copy was real.
    const copied = []; Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => { copied.push(text); } }, configurable: true });
    seen.uncopied = [];
    for (const button of all("button.copy")) { button.click(); await soon(5); if (copied.at(-1) !== button.dataset.copy || !button.dataset.copy.startsWith("xcute ")) seen.uncopied.push(button.dataset.copy); }

    // What there is to see, by kind.
    const parts = {
      "verdict": ".verdict", "next step": ".next", "contents": "nav a", "failure": "#failures > .failure", "other way": ".ways .failure", "unconfirmed": ".unconfirmed .warning",
      "excerpt": ".failure .excerpt .fails", "values": ".failure .held td", "stack": ".failure .frame", "inputs": ".failure .inputs:not(.held) td", "memory": ".failure .memory rect",
      "lanes": ".failure .interleaving .lane", "marked step": ".failure .interleaving .marked", "end": ".failure .interleaving .end", "failure drawing": ".failure .drawing img",
      "replay": ".failure .files .copy", "case": ".failure .files a[href$='.json']", "test": ".failure .files a:not([href$='.json'])", "coverage": "#coverage > p", "files": "#files tbody tr",
      "functions": "#functions tbody tr", "limits": "#limits tbody tr", "advice": "#limits .note b", "figures": ".figures tr", "time": ".phases .phase", "profile": "#search a[href='profile.svg']",
      "layers": "#search details tbody tr", "timeline": ".timeline polyline", "machine": "main > .drawing img", "choices": "table.choices tr", "tree": "#tree li", "find": "#find", "legend": ".legend span",
      "ran": "#source .l.ran", "partly": "#source .l.partly", "missed": "#source .l.missed", "unreachable": "#source .l.never", "arms": "#source button.a", "reached by": "#source a.a", "fails": "#source .l.fails .to",
      "provenance": "footer p", "command": "footer .copy",
    };
    seen.parts = Object.entries(parts).filter(([, what]) => all(what).some(shown)).map(([name]) => name);
    // Texts can be read on what is below them: the contrast that WCAG asks for (AA), what is see-through counted.
    const rgba = (text) => { const [r, g, b, a = 1] = (text.match(/[\d.]+/g) || []).map(Number); return [r, g, b, a]; };
    const over = ([r, g, b, a], under) => [r, g, b].map((part, at) => part * a + under[at] * (1 - a));
    const probe = document.body.appendChild(document.createElement("p")); probe.style.background = "Canvas"; const canvas = rgba(getComputedStyle(probe).backgroundColor); probe.remove();
    const light = (colour) => { const [r, g, b] = colour.map((part) => part / 255).map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
    const ratio = (e) => {
      const above = []; for (let at = e; at; at = at.parentElement) above.unshift(at);
      let under = canvas.slice(0, 3), opacity = 1;
      for (const at of above) { const style = getComputedStyle(at), [r, g, b, a] = rgba(style.backgroundColor); opacity *= Number(style.opacity); under = over([r, g, b, a * opacity], under); }
      const [r, g, b, a] = rgba(getComputedStyle(e).color), [one, two] = [light(over([r, g, b, a * opacity], under)), light(under)].sort((x, y) => y - x);
      return (one + 0.05) / (two + 0.05);
    };
    const faint = {};
    for (const e of all("body *")) {
      if (!shown(e) || e.closest("svg, .phases") || ![...e.childNodes].some((child) => child.nodeType === 3 && child.data.trim())) continue;
      const found = ratio(e), name = `${e.tagName.toLowerCase()}.${e.className}`;
      if (found < 4.5 && !(faint[name] < found)) faint[name] = found;
    }
    seen.faint = Object.entries(faint).map(([name, found]) => `${name} ${found.toFixed(2)}`);
    seen.dark = light(canvas.slice(0, 3)) < 0.2;
    // A row of figures says something.
    seen.zeros = all(".figures td, #functions td, #files td, #search details td").map((cell) => cell.textContent.trim()).filter((text) => /^0( |$)/.test(text) && !/\d.*[1-9]/.test(text));
    seen.overflow = document.documentElement.scrollWidth > innerWidth;
  } catch (error) { seen.errors.push(String(error.stack)); }
  const result = document.createElement("pre"); result.id = "seen"; result.textContent = JSON.stringify(seen); document.body.append(result);
})();
