// The list of findings: only the rows in sight exist.

/** The height of a row, and of one whose first line may be two: titles are sentences. */
const ROW = 60, TALL_ROW = 76;
/** Rows kept beyond either edge, so that scrolling shows no blank. */
const MARGIN = 8;

/** A list in `box`, whose rows lie in `rows`; `choose` is called with the chosen finding. */
class FindingList {
  constructor(box, rows, report, choose) {
    Object.assign(this, { box, rows, report, choose, shown: [], chosen: -1, drawn: new Map(), alike: new Map() });
    this.height = report.findings.every(memoryOf) ? ROW : TALL_ROW;
    rows.style.setProperty("--row", `${this.height}px`);
    for (const finding of report.findings) {
      for (const key of [this.key(finding, false), this.key(finding, true)]) {
        if (!this.alike.has(key)) this.alike.set(key, []);
        this.alike.get(key).push(finding);
      }
    }
    box.addEventListener("scroll", () => this.draw(), { passive: true });
    new ResizeObserver(() => this.draw()).observe(box);
    rows.addEventListener("click", (event) => {
      const row = event.target.closest("[role=option]");
      if (row) this.select(Number(row.dataset.at), true);
    });
  }

  /** Shows these findings. The one that was chosen stays so while it is among them. */
  show(findings) {
    const before = this.shown[this.chosen];
    this.shown = findings;
    this.rows.style.height = `${findings.length * this.height}px`;
    for (const row of this.drawn.values()) row.remove();
    this.drawn.clear();
    const at = before === undefined ? -1 : findings.indexOf(before);
    this.chosen = -1;
    this.select(at === -1 ? (findings.length ? 0 : -1) : at, false);
  }

  /** Chooses a row. `opened` says that the reader asked for just this one. */
  select(at, opened) {
    const next = Math.min(Math.max(at, this.shown.length ? 0 : -1), this.shown.length - 1);
    this.drawn.get(this.chosen)?.setAttribute("aria-selected", "false");
    this.chosen = next;
    this.reveal();
    this.draw();
    this.drawn.get(next)?.setAttribute("aria-selected", "true");
    if (next === -1) this.box.removeAttribute("aria-activedescendant");
    else this.box.setAttribute("aria-activedescendant", `finding-${next}`);
    this.choose(next === -1 ? null : this.shown[next], opened);
  }

  move(by) {
    this.select(this.chosen + by, false);
  }

  /** Rows on a page. */
  get page() {
    return Math.max(1, Math.floor(this.box.clientHeight / this.height) - 1);
  }

  /** Scrolls as little as brings the chosen row into sight. */
  reveal() {
    if (this.chosen === -1) return;
    const top = this.chosen * this.height;
    const { scrollTop, clientHeight } = this.box;
    if (top < scrollTop) this.box.scrollTop = top;
    else if (top + this.height > scrollTop + clientHeight) this.box.scrollTop = top + this.height - clientHeight;
  }

  /** Makes the rows in sight, and takes the others away. */
  draw() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / this.height) - MARGIN);
    const last = Math.min(this.shown.length, Math.ceil((this.box.scrollTop + this.box.clientHeight) / this.height) + MARGIN);
    for (const [at, row] of this.drawn) {
      if (at >= first && at < last) continue;
      row.remove();
      this.drawn.delete(at);
    }
    for (let at = first; at < last; at++) {
      if (this.drawn.has(at)) continue;
      const row = this.row(at);
      this.drawn.set(at, row);
      this.rows.append(row);
    }
  }

  /** Where a finding is: `a.cu:14, 22`, or `a.cu:14, b.cu:3`; with columns `a.cu:14:9, 22:3`. */
  places(finding, columns) {
    let file = null;
    const named = new Set();
    const places = finding.sites.map((site) => {
      const name = this.report.files[site.file].name;
      const line = [site.line, columns && site.column].filter(Boolean).join(":");
      const whole = [name, line].filter(Boolean).join(":");
      const place = site.file === file && line ? line : whole;
      file = site.file;
      return named.has(whole) ? null : named.add(whole) && place;
    });
    return places.filter(Boolean).join(", ");
  }

  /** What a row says of a finding, as far as rows may be the same. */
  key(finding, columns) {
    return JSON.stringify([columns, finding.code, finding.kernel, finding.variable, this.places(finding, columns)]);
  }

  /** Where a finding is, told from all others: by columns, or else by a number. */
  place(finding) {
    if (this.alike.get(this.key(finding, false)).length === 1) return this.places(finding, false);
    const place = this.places(finding, true);
    const alike = this.alike.get(this.key(finding, true));
    return alike.length === 1 ? place : `${place} (${alike.indexOf(finding) + 1} of ${alike.length})`;
  }

  row(at) {
    const finding = this.shown[at];
    const attributes = {
      id: `finding-${at}`, class: "row", role: "option", "data-at": at,
      "aria-selected": at === this.chosen, "aria-setsize": this.shown.length, "aria-posinset": at + 1,
    };
    const memory = memoryOf(finding);
    const name = memory || this.report.codes[finding.code].title;
    const certainty = certaintyOf(finding);
    const row = html(
      "div", attributes,
      html("span", { class: memory ? "name" : "name title", title: name }, ...(memory ? middleCut(name) : [name])),
      html("span", { class: "second" },
        html("span", { class: "id" }, finding.code),
        html("span", { class: "kernel", title: finding.kernel || "" }, ...middleCut(finding.kernel || "")),
        html("span", { class: "times" }, certainty, certainty && " ", `${finding.count.toLocaleString("en")}×`)),
      // What does not fit is cut at its beginning: lines tell entries apart.
      html("span", { class: "third" }, html("bdi", { dir: "ltr" }, this.place(finding))),
    );
    row.style.top = `${at * this.height}px`;
    return row;
  }
}

/** What a finding calls the memory; empty if it has no name. */
function memoryOf(finding) {
  return finding.memory || finding.variable;
}

/** A long name as two spans, of which only the first one shrinks: names that begin alike often differ at the end. */
function middleCut(name) {
  const [whole, end] = [24, 12];
  if (name.length <= whole) return [name];
  return [html("span", { class: "head" }, name.slice(0, -end)), html("span", { class: "tail" }, name.slice(-end))];
}
