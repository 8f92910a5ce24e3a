// Pictures of who touched the location: the blocks of the grid, and the threads of each block.

/** Columns of a one-dimensional grid that is drawn in several rows. */
const WRAP = 32;
/** Cells that are drawn one by one; more become an area to scale. */
const MOST_CELLS = 4096;

/** All pictures for a finding; none where the launch or the threads are not known. */
function threadPictures(finding) {
  const { launch, threads } = finding;
  if (!launch || threads.length === 0) return [];
  const pictures = slices(threads).map(([slice, marked]) => gridPicture(launch.grid, slice, marked));
  for (const [block, marked] of blocks(threads)) pictures.push(blockPicture(launch, block, marked));
  return pictures;
}

/** The threads by a key of theirs, in their order. */
function grouped(threads, key) {
  const groups = new Map();
  for (const thread of threads) {
    const name = key(thread);
    groups.set(name, [...(groups.get(name) ?? []), thread]);
  }
  return groups;
}

function slices(threads) {
  return [...grouped(threads, (it) => it.block[2])];
}

function blocks(threads) {
  return [...grouped(threads, (it) => triple(it.block)).values()].map((marked) => [marked[0].block, marked]);
}

/** The blocks of one slice of the grid. */
function gridPicture([x, y, z], slice, marked) {
  const line = y === 1 && x > WRAP;
  const columns = line ? WRAP : x;
  const rows = line ? Math.ceil(x / WRAP) : y;
  const place = ([bx, by]) => (line ? [bx % WRAP, Math.floor(bx / WRAP)] : [bx, by]);
  const size = z > 1 ? `${x} × ${y} × ${z}` : y > 1 ? `${x} × ${y}` : counted(x, "block");
  const title = z > 1 ? `Grid of ${size} blocks, slice z = ${slice}` : y > 1 ? `Grid of ${size} blocks` : `Grid of ${size}`;
  const marks = marked.map((it) => ({ number: it.number, at: place(it.block), name: `block ${triple(it.block)}` }));
  return picture(title, columns, rows, x * y, marks);
}

/** The threads of a block, a row for each warp. */
function blockPicture({ block: [x, y, z], warp_size }, block, marked) {
  const count = x * y * z;
  const warps = Math.ceil(count / warp_size);
  const linear = ([tx, ty, tz]) => tx + x * (ty + y * tz);
  const place = (thread) => [linear(thread) % warp_size, Math.floor(linear(thread) / warp_size)];
  const marks = marked.map((it) => {
    const [lane, warp] = place(it.thread);
    return { number: it.number, at: [lane, warp], name: `thread ${triple(it.thread)}, lane ${lane} of warp ${warp}` };
  });
  const title = `Block ${triple(block)}: ${counted(count, "thread")} in ${counted(warps, "warp")}`;
  return picture(title, Math.min(warp_size, count), warps, count, marks);
}

/** Cells in rows, with some of them marked. */
function picture(title, columns, rows, count, marks) {
  const width = 280;
  const cell = Math.max(Math.min(width / columns, 180 / Math.min(rows, 18), 14), 0);
  const single = count <= MOST_CELLS && cell >= 3;
  const [w, h] = single ? [cell, cell] : [width / columns, Math.min(width / columns, 160 / rows)];
  const gap = single ? Math.max(cell / 8, 0.6) : 0;
  const shapes = [single ? cells(columns, rows, count, cell, gap) : svg("rect", { class: "area", width: columns * w, height: rows * h })];
  const size = Math.max(w, 9);
  const tall = Math.max(h, 9);
  for (const [key, here] of grouped(marks, (it) => it.at.join())) {
    const [column, row] = key.split(",").map(Number);
    const left = Math.min(Math.max(column * w + (w - size) / 2, 0), Math.max(columns * w - size, 0));
    const top = Math.min(Math.max(row * h + (h - tall) / 2, 0), Math.max(rows * h - tall, 0));
    here.forEach(({ number, name }, index) => {
      const part = (size - gap) / here.length;
      const box = { class: `cell site-${number}`, x: left + index * part, y: top, width: part, height: tall - gap };
      shapes.push(svg("rect", box, svg("title", {}, `(${number}) ${name}`)));
    });
  }
  const [right, bottom] = [Math.max(columns * w, size), Math.max(rows * h, tall)];
  const label = `${title}. ${marks.map((it) => `(${it.number}) ${it.name}`).join("; ")}`;
  const drawing = svg("svg", { viewBox: `0 0 ${right} ${bottom}`, width: right, height: bottom, role: "img", "aria-label": label }, ...shapes);
  const legend = [...grouped(marks, (it) => it.name)].map(([name, here]) => html("li", {}, ...here.map(badge), name));
  return html("figure", { class: "threads" }, html("figcaption", {}, title), drawing, html("ul", {}, ...legend));
}

function badge({ number }) {
  return html("span", { class: `badge site-${number}` }, String(number));
}

/** The cells as one shape. */
function cells(columns, rows, count, size, gap) {
  const side = size - gap;
  let path = "";
  for (let i = 0; i < count; i++) {
    path += `M${(i % columns) * size} ${Math.floor(i / columns) * size}h${side}v${side}h${-side}z`;
  }
  return svg("path", { class: "cells", d: path });
}
