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
    seen.overflow = document.documentElement.scrollWidth > innerWidth;
  } catch (error) { seen.errors.push(String(error.stack)); }
  const result = document.createElement("pre"); result.id = "seen"; result.textContent = JSON.stringify(seen); document.body.append(result);
})();
