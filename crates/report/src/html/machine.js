// The path of the location through the state machine.

/** The picture of a path; none where there is no path. */
function machinePicture(path) {
  if (!path) return null;
  const steps = path.steps.map((step, index) => stepItem(step, index === path.steps.length - 1 ? "race" : "state"));
  const out = path.alternatives.map((step) => stepItem(step, "way-out"));
  const parts = [html("ol", { class: "machine" }, ...steps)];
  if (out.length) parts.push(html("p", { class: "quiet" }, "The same access would not have raced:"), html("ul", { class: "machine out" }, ...out));
  if (path.note) parts.push(html("p", { class: "quiet" }, path.note));
  return html("div", {}, ...parts);
}

function stepItem({ by, state, means }, kind) {
  const edge = by ? [html("span", { class: "edge" }, ...prose(by))] : [];
  return html("li", { class: kind }, ...edge, html("span", { class: "node" }, state), html("span", { class: "means" }, means));
}
