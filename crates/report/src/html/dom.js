// Elements and text. All that comes from the report becomes text nodes here, never markup.

const SVG = "http://www.w3.org/2000/svg";

/** Fills an element: attributes by name, then its children, texts or nodes. */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === undefined || value === null) continue;
    if (name === "class") element.setAttribute("class", value);
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** An HTML element. */
function html(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** An SVG element. */
function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/** A sentence in which backquotes mark code. */
function prose(text) {
  return text.split("`").map((part, index) => (index % 2 === 1 ? html("code", {}, part) : part));
}

/** A paragraph and the list after it, whose items begin with a hyphen. */
function paragraph(text) {
  const [first, ...items] = `\n${text}`.split("\n- ");
  const list = items.map((item) => html("li", {}, ...prose(item)));
  return [first.trim() && html("p", {}, ...prose(first.trim())), list.length !== 0 && html("ul", { class: "points" }, ...list)].filter(Boolean);
}

/** A word on a finding that is not definite, before or after other nodes. */
function certaintyOf(finding) {
  return finding.certainty === "definite" ? null : html("span", { class: "possible" }, finding.certainty);
}

/** `1 race`, `2,000 races`. */
function counted(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

/** `(1,0,0)`. */
function triple(coordinates) {
  return `(${coordinates.join(",")})`;
}
