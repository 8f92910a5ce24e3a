// A finding in full.

/** The nodes of a finding. `back` leads to the list where only one of the two is shown. */
function detailOf(report, finding, back) {
  const { title, about } = report.codes[finding.code];
  const what = finding.what.endsWith(`: ${title}`) ? finding.what.slice(0, -title.length - 2) : finding.what;
  const [reason, ...more] = finding.remarks;
  const kind = certaintyOf(finding);
  return [
    html("button", { type: "button", class: "back", onclick: back }, "Back to the list"),
    html("p", { class: "eyebrow" }, html("span", { class: "id" }, finding.code), ` ${title}`, kind && " ", kind),
    html("h2", {}, ...prose(what[0].toUpperCase() + what.slice(1))),
    ...(reason ? [html("p", { class: "reason" }, ...prose(sentence(reason)))] : []),
    ...more.map((line) => html("p", { class: "remark" }, ...prose(sentence(line)))),
    ...excerpts(report, finding),
    section("What helps", html("p", {}, ...prose(sentence(finding.help)))),
    section(finding.threads.length > 1 ? "Who touched it" : "Which thread", ...flow(threadPictures(finding))),
    folded("Details: how the state machine saw it", machinePicture(finding.path)),
    section(`About ${finding.code}`, ...about.split("\n\n").flatMap(paragraph), html("p", { class: "quiet" }, "More: ", html("code", {}, `hirace explain ${finding.code}`))),
    html("p", { class: "fingerprint quiet" }, "Fingerprint ", html("code", {}, finding.fingerprint)),
  ].filter(Boolean);
}

/** An excerpt for each file. */
function excerpts(report, finding) {
  const files = [...new Set(finding.sites.map((site) => site.file))];
  return files.map((file) => excerpt(report.files[file], finding.sites.filter((site) => site.file === file)));
}

function section(title, ...content) {
  const shown = content.filter(Boolean);
  return shown.length ? html("section", {}, html("h3", {}, title), ...shown) : null;
}

/** A section that a click opens. */
function folded(title, content) {
  return content && html("details", { class: "folded" }, html("summary", {}, title), content);
}

function flow(pictures) {
  return pictures.length ? [html("div", { class: "pictures" }, ...pictures)] : [];
}

/** A fragment as a sentence; one that begins with code stays as it is. */
function sentence(text) {
  return text[0].toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");
}
