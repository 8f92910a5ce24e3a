// Excerpts of the source, with the places of a finding.

/** Lines shown around a place where no function can be made out. */
const CONTEXT = 4;
/** How far the head or the end of the function may be. */
const FUNCTION = 24;
/** Places closer than this share an excerpt. */
const GAP = 30;
/** Lines that a click shows more. */
const MORE = 20;

const KEYWORDS = new Set(
  ("alignas auto bool break case char class const constexpr continue default do double else enum " +
    "explicit extern false float for goto if inline int long mutable namespace new nullptr operator " +
    "private protected public return short signed sizeof static struct switch template this true " +
    "typedef typename union unsigned using virtual void volatile while __global__ __device__ __host__ " +
    "__shared__ __constant__ __managed__ __restrict__ __launch_bounds__ __forceinline__ __noinline__").split(" "),
);
const TOKENS = /\/\/.*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|[A-Za-z_]\w*|\d[\w.']*/g;

/** The lines of a file, and which of them begin within a comment. */
function linesOf(file) {
  if (!file.lines) {
    file.lines = file.text.replace(/^\uFEFF/, "").split(/\r?\n/);
    let within = false;
    file.commented = file.lines.map((line) => {
      const before = within;
      // Of the marks on a line, the last one counts; strings that hold one are rare.
      const code = within ? line : line.replace(/\/\/.*/, "");
      const open = code.lastIndexOf("/*");
      const close = code.lastIndexOf("*/");
      if (open !== -1 || close !== -1) within = open > close;
      return before;
    });
  }
  return file.lines;
}

/** What kind of text each token of a line is. */
function* tokens(line, commented) {
  let rest = 0;
  if (commented) {
    const end = line.indexOf("*/");
    rest = end === -1 ? line.length : end + 2;
    yield [0, rest, "comment"];
  }
  if (rest === 0 && /^\s*#/.test(line)) {
    yield [0, line.length, "directive"];
    return;
  }
  TOKENS.lastIndex = rest;
  for (const match of line.matchAll(TOKENS)) {
    if (match.index < rest) continue;
    const text = match[0];
    const kind = /^\/[/*]/.test(text) ? "comment" : /^["']/.test(text) ? "string" : KEYWORDS.has(text) ? "keyword" : null;
    if (kind) yield [match.index, match.index + text.length, kind];
  }
}

/** A line as nodes, with its tint and the marks `[from, to, number]` of its places. */
function tinted(line, commented, marks) {
  const kinds = [...tokens(line, commented)];
  const cuts = new Set([0, line.length]);
  for (const [from, to] of [...kinds, ...marks]) cuts.add(Math.min(from, line.length)).add(Math.min(to, line.length));
  const sorted = [...cuts].sort((a, b) => a - b);
  const covering = (list, at) => list.find(([from, to]) => from <= at && at < to);
  const nodes = [];
  for (let i = 0; i + 1 < sorted.length; i++) {
    const text = line.slice(sorted[i], sorted[i + 1]);
    const kind = covering(kinds, sorted[i]);
    const here = marks.filter(([from, to]) => from <= sorted[i] && sorted[i] < to).map((mark) => mark[2]);
    const node = kind ? html("span", { class: kind[2] }, text) : text;
    nodes.push(here.length ? html("mark", { class: here.map((it) => `site-${it}`).join(" ") }, node) : node);
  }
  return nodes;
}

/** Where a character, counted from 1, is in a line. */
function offset(line, column) {
  return [...line].slice(0, column - 1).join("").length;
}

/** The place as `[from, to, number]` of its line; all of the line where only that is known. */
function markOf(site, line) {
  if (!site.length || !site.column) {
    const indent = line.length - line.trimStart().length;
    return [indent, line.trimEnd().length, site.number];
  }
  const from = offset(line, site.column);
  return [from, from + [...line.slice(from)].slice(0, site.length).join("").length, site.number];
}

/** The lines to show around `line`: the function's, where its head and end stand at the margin. */
function around(lines, line) {
  let from = Math.max(1, line - CONTEXT);
  for (let at = line; at >= Math.max(1, line - FUNCTION); at--) {
    if (/^[A-Za-z_]/.test(lines[at - 1]) && !/^(public|private|protected|namespace)\b|:$/.test(lines[at - 1])) {
      from = at > 1 && /^template\b/.test(lines[at - 2]) ? at - 1 : at;
      break;
    }
  }
  let to = Math.min(lines.length, line + CONTEXT);
  for (let at = line; at <= Math.min(lines.length, line + FUNCTION); at++) {
    if (/^\}/.test(lines[at - 1])) {
      to = at;
      break;
    }
  }
  return [from, to];
}

/** The parts of a file to show, as `[from, to]`, in order and apart. */
function hunks(lines, sites) {
  const wanted = sites.map((site) => around(lines, site.line)).sort((a, b) => a[0] - b[0]);
  const all = [];
  for (const [from, to] of wanted) {
    const last = all.at(-1);
    if (last && from <= last[1] + GAP) last[1] = Math.max(last[1], to);
    else all.push([from, to]);
  }
  return all;
}

/** The excerpt of a file that holds `sites`. */
function excerpt(file, sites) {
  const known = sites.filter((site) => site.line);
  const body = html("div", { class: "code", tabindex: "0", role: "group", "aria-label": `Source of ${file.name}` });
  const lines = file.text === null ? [] : linesOf(file);
  const parts = file.text === null ? [] : hunks(lines, known.filter((site) => site.line <= lines.length));
  const draw = () => {
    body.replaceChildren();
    let after = 0;
    for (const part of parts) {
      body.append(...gap(after + 1, part[0] - 1, (count) => (part[0] = Math.max(after + 1, part[0] - count)), "above"));
      for (let at = part[0]; at <= part[1]; at++) body.append(...row(file, lines[at - 1], at, known));
      after = part[1];
    }
    const last = parts.at(-1);
    if (last) body.append(...gap(after + 1, lines.length, (count) => (last[1] = Math.min(lines.length, last[1] + count)), "below"));
  };
  const gap = (from, to, show, where) => {
    if (to < from) return [];
    const more = Math.min(MORE, to - from + 1);
    const click = () => {
      show(more);
      draw();
      body.focus({ preventScroll: true });
    };
    return [html("button", { type: "button", class: "gap", onclick: click }, `${counted(more, "line")} more ${where}`)];
  };
  draw();
  const missing = parts.length ? [] : known.map((site) => html("p", { class: "elsewhere" }, note(site), ` at ${file.name}:${site.line}: `, html("code", {}, site.text ?? "")));
  const unplaced = sites.filter((site) => !site.line).map((site) => html("p", { class: "elsewhere" }, note(site)));
  const reason = parts.length ? [] : [html("p", { class: "quiet" }, "The file is not available in the version that was checked.")];
  const title = html("figcaption", {}, file.name, ...functionsOf(sites));
  return html("figure", { class: "excerpt" }, title, ...(parts.length ? [body] : []), ...missing, ...unplaced, ...reason);
}

/** Moves excerpts that are narrower than their lines to the first place, whose beginning stays in sight. */
function reveal(detail) {
  for (const code of detail.querySelectorAll(".code")) {
    const mark = code.querySelector("mark");
    if (!mark) continue;
    const [box, place, number] = [code, mark, code.querySelector(".number")].map((it) => it.getBoundingClientRect());
    const beyond = place.right - box.right + number.width / 2;
    if (beyond > 0) code.scrollLeft += Math.min(beyond, place.left - box.left - 2 * number.width);
  }
}

function functionsOf(sites) {
  const names = [...new Set(sites.map((site) => site.function).filter(Boolean))];
  return names.length ? [html("span", { class: "quiet" }, ` in ${names.join(" and ")}`)] : [];
}

function note(site) {
  return html("span", { class: `note site-${site.number}` }, ...prose(site.label));
}

/** A line, and below it what happened there. */
function row(file, line, at, sites) {
  const here = sites.filter((site) => site.line === at);
  const marks = here.map((site) => markOf(site, line));
  const code = html("code", {}, ...tinted(line, file.commented[at - 1], marks));
  const numbers = [html("span", { class: "number" }, String(at))];
  const rows = [html("div", { class: here.length ? "line here" : "line" }, ...numbers, code)];
  for (const [index, site] of here.entries()) {
    const indent = html("span", { class: "indent" }, line.slice(0, marks[index][0]).replace(/[^\t]/g, " "));
    rows.push(html("div", { class: "line below" }, html("span", { class: "number" }), html("span", { class: "label" }, indent, note(site))));
  }
  return rows;
}
