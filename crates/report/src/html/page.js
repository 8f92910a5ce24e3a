// The page: its parts put together, filters and keys.

const report = JSON.parse(document.getElementById("report").textContent);
const part = (id) => document.getElementById(id);
/** Colours of a compiler's output. */
const COLOURS = /\x1b\[[\d;]*[mK]/g;
/** Kernels or files that a menu names; the search finds the others. */
const MOST_CHOICES = 200;
/** The fingerprint of the finding that was opened last. */
let opened = "";

/** What keys do while the list has the focus. */
const keysOfList = {
  ArrowDown: () => list.move(1),
  ArrowUp: () => list.move(-1),
  PageDown: () => list.move(list.page),
  PageUp: () => list.move(-list.page),
  Home: () => list.select(0, false),
  End: () => list.select(list.shown.length - 1, false),
  Enter: () => open(),
};

startTheme(part("theme"));
showHead();
const list = new FindingList(part("list"), part("rows"), report, choose);
const menus = {
  "by-code": { all: "All codes", of: (it) => [it.code], name: (code) => `${code} ${report.codes[code].title}` },
  "by-certainty": { all: "Any certainty", of: (it) => [it.certainty], name: (it) => ({ definite: "Definite", possible: "Possible", warning: "Warnings" })[it] },
  "by-kernel": { all: "All kernels", of: (it) => (it.kernel === null ? [] : [it.kernel]), name: (it) => it },
  "by-file": { all: "All files", of: (it) => [...new Set(it.sites.map((site) => report.files[site.file].name))], name: (it) => it },
};
for (const finding of report.findings) {
  const words = [finding.code, report.codes[finding.code].title, finding.kernel, finding.variable, finding.what];
  for (const site of finding.sites) words.push(report.files[site.file].name, site.text, site.function);
  finding.words = words.filter(Boolean).join("\n").toLowerCase();
}
for (const [id, menu] of Object.entries(menus)) fillMenu(part(id), menu);
part("filters").addEventListener("input", filter);
part("filters").addEventListener("submit", (event) => event.preventDefault());
part("filters").addEventListener("reset", () => setTimeout(filter));
document.addEventListener("keydown", key);
part("print").addEventListener("click", printAll);
part("print").hidden = !report.findings.length;
window.addEventListener("afterprint", () => {
  document.body.classList.remove("printing");
  part("all").replaceChildren();
});
window.addEventListener("hashchange", followHash);
window.matchMedia("(max-width: 760px)").addEventListener("change", () => list.draw());
filter();
followHash();

/** The head: the outcome of the check, and what limits it. */
function showHead() {
  part("summary").textContent = report.summary.replace(/^hirace: /, "");
  part("summary").dataset.status = report.status;
  document.title = report.summary;
  if (report.failure) {
    const { what, place, output, help } = report.failure;
    const failure = part("failure");
    failure.append(html("p", { class: "what" }, ...prose(place ? `${what} at ${place}` : what)));
    if (help) failure.append(html("p", {}, ...prose(help)));
    if (output) failure.append(html("pre", { tabindex: "0" }, output.replace(COLOURS, "")));
    failure.hidden = false;
  }
  const titles = report.lists.map(({ title, entries }) => `${entries.length.toLocaleString("en")} ${entries.length === 1 ? title.replace(/s$/, "") : title}`);
  const line = [report.coverage, ...titles].filter(Boolean);
  const limits = part("limits");
  if (!line.length) return;
  limits.hidden = false;
  limits.firstElementChild.textContent = line.join(" · ");
  limits.addEventListener("toggle", () => {
    if (limits.open) limits.lastElementChild.replaceChildren(...report.lists.map(listed));
  });
  if (!report.lists.length) limits.classList.add("flat");
}

/** A list of the head; a very long one is shown in part. */
function listed({ title, entries }) {
  const most = 500;
  const more = entries.length > most ? [html("li", { class: "quiet" }, `and ${entries.length - most} more`)] : [];
  const items = entries.slice(0, most).map((entry) => html("li", {}, ...prose(entry)));
  return html("section", {}, html("h3", {}, title), html("ul", {}, ...items, ...more));
}

/** The choices of a menu, the most frequent ones first, with their numbers. */
function fillMenu(select, { all, of, name }) {
  const counts = new Map();
  for (const finding of report.findings) {
    for (const value of of(finding)) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const sorted = [...counts].sort((a, b) => b[1] - a[1]).slice(0, MOST_CHOICES);
  const options = sorted.map(([value, count]) => html("option", { value }, `${name(value)} (${count.toLocaleString("en")})`));
  select.replaceChildren(html("option", { value: "" }, all), ...options);
  select.hidden = sorted.length < 2;
}

/** Shows the findings that all filters let pass. */
function filter() {
  const words = part("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const set = Object.entries(menus).map(([id, menu]) => [part(id).value, menu]).filter(([value]) => value);
  const passes = (finding) =>
    words.every((word) => finding.words.includes(word)) && set.every(([value, menu]) => menu.of(finding).includes(value));
  const shown = words.length || set.length ? report.findings.filter(passes) : report.findings;
  const all = counted(report.findings.length, "finding");
  part("count").textContent = shown.length === report.findings.length ? all : `${shown.length.toLocaleString("en")} of ${all}`;
  part("reset").hidden = !words.length && !set.length;
  list.show(shown);
}

/** Shows a finding in full. */
function choose(finding, opens) {
  const detail = part("detail");
  detail.scrollTop = 0;
  if (finding) {
    detail.replaceChildren(...detailOf(report, finding, close));
  } else {
    const nothing = report.findings.length ? "No finding matches." : report.failure ? "" : "Nothing was found.";
    detail.replaceChildren(html("p", { class: "empty quiet" }, nothing));
  }
  if (opens) open();
  reveal(detail);
}

/** Prints the findings that the list shows, each in full. */
function printAll() {
  const all = list.shown.map((finding) => html("article", {}, ...detailOf(report, finding, close)));
  part("all").replaceChildren(...all);
  for (const details of part("all").querySelectorAll("details")) details.open = true;
  document.body.classList.add("printing");
  window.print();
}

/** Moves on to the finding, which replaces the list on a narrow page. */
function open() {
  if (list.chosen === -1) return;
  document.body.classList.add("reading");
  reveal(part("detail"));
  opened = list.shown[list.chosen].fingerprint;
  location.replace(`#${opened}`);
  if (window.matchMedia("(max-width: 760px)").matches) window.scrollTo(0, 0);
  part("detail").focus({ preventScroll: true });
}

/** Goes back to the list. */
function close() {
  document.body.classList.remove("reading");
  part("list").focus({ preventScroll: true });
  list.draw();
  list.reveal();
}

/** An address may name a finding by its fingerprint. */
function followHash() {
  const wanted = location.hash.slice(1);
  const at = list.shown.findIndex((finding) => finding.fingerprint === wanted);
  if (at === -1) return;
  // Opening a finding sets the address, too; it may be closed again before that is noticed.
  if (wanted !== opened) list.select(at, true);
}

/** The keys of the page, unless something else has a use for them. */
function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { target } = event;
  const typing = target.matches("input, select");
  if (event.key === "Escape") {
    if (typing) part("list").focus();
    else close();
  } else if (typing) {
    if (event.key === "Enter" || (event.key === "ArrowDown" && target.id === "search")) part("list").focus();
    else return;
  } else if (event.key === "/") {
    part("search").focus();
    part("search").select();
  } else if (event.key === "j" || event.key === "k") {
    list.move(event.key === "j" ? 1 : -1);
  } else if (target === part("list") && keysOfList[event.key]) {
    keysOfList[event.key]();
  } else {
    return;
  }
  event.preventDefault();
}
