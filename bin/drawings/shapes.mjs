export const ink = "#33272a"

export const ellipse = (x, y, rx, ry, fill, turn = 0) =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}"${turn === 0 ? "" : ` transform="rotate(${turn} ${x} ${y})"`}/>`
export const path = (d, fill) => `<path d="${d}" fill="${fill}" stroke-linejoin="round"/>`
export const line = (d, width = 7, colour = ink) =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round"/>`
/** The shapes and their mirror image. */
export const both = (shapes) => `${shapes}${mirrored(shapes)}`
export const mirrored = (shapes) => `<g transform="matrix(-1 0 0 1 640 0)">${shapes}</g>`
export const placed = (transform, shapes) => `<g transform="${transform}">${shapes}</g>`
