// Draws the images of the sandbox's classic pets into src/parts/sandbox/seeds/images, and the drawings that pages show for pets without an
// image into src/parts/site/pages/drawings. Run it after changing this file or one in drawings/.
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import sharp from "sharp"
import { catHead, dogHead, lionHead, rabbitHead } from "./drawings/heads.mjs"
import { poses } from "./drawings/scenes.mjs"
import { ellipse, line, path } from "./drawings/shapes.mjs"
import { variants } from "./drawings/variants.mjs"

const images = directory("../src/parts/sandbox/seeds/images/")
const drawings = directory("../src/parts/site/pages/drawings/")

function directory(relative) {
  const found = fileURLToPath(new URL(relative, import.meta.url))
  rmSync(found, { recursive: true, force: true })
  mkdirSync(found, { recursive: true })
  return found
}

const svg = (content) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 640" width="640" height="640">${content}</svg>`

const front = (headOf) => (colours) => poses.front(headOf(colours), colours.fur)
const [cat, dog, rabbit] = [catHead, dogHead, rabbitHead].map(front)

const stripes = line("M320 190 v66 M270 200 q4 34 14 54 M370 200 q-4 34 -14 54", 20, "#b5622a")
const mask = path("M320 185 Q400 190 470 265 Q420 330 330 300 Q310 240 320 185 Z", "#e39a4d")
const patch = ellipse(404, 320, 76, 86, "#8a5a3c", 12)
const blaze = path("M292 172 h56 l18 210 h-92 z", "#fff8ee")

const classic = {
  "cat-1": ["#bfe3d0", cat({ fur: "#f0a45d", belly: "#fff3e2", eye: "#9fd356", marks: stripes })],
  "cat-2": ["#f7d6d0", cat({ fur: "#5f6674", belly: "#e9ecf1", eye: "#f2c14e" })],
  "cat-3": ["#cfd9f5", cat({ fur: "#f7f1e8", belly: "#fffdf9", eye: "#6fb7e9", marks: mask })],
  "dog-1": ["#fbe3a8", dog({ fur: "#c98b52", ear: "#8f5a30", belly: "#f9e5cd" })],
  "dog-2": ["#cdeaf2", dog({ fur: "#fdf6ec", ear: "#8a5a3c", belly: "#ffffff", marks: patch })],
  "dog-3": ["#dcefc4", dog({ fur: "#4a4048", ear: "#352d33", belly: "#e8c6a0", marks: blaze })],
  "lion-1": ["#f8e7b9", lionHead({ fur: "#f2b95b", mane: "#b9652b", eye: "#e8d06a" })],
  "lion-2": ["#c9e6e8", lionHead({ fur: "#eec27a", mane: "#8d4a2b", eye: "#9cc56b" })],
  "lion-3": ["#f4d3c4", lionHead({ fur: "#f7d9a0", mane: "#d98a3d", eye: "#7fb5d9" })],
  "rabbit-1": ["#d9d2f0", rabbit({ fur: "#fbf7f2", inner: "#f5b5c0", belly: "#ffffff" })],
}

const filled = (colour) => `<rect width="640" height="640" fill="${colour}"/>`

for (const [name, [background, animal]] of Object.entries(classic)) {
  const halo = '<circle cx="320" cy="340" r="262" fill="#ffffff66"/>'
  const text = svg(`${filled(background)}${halo}${animal}`)
  for (const edge of [640, 320])
    writeFileSync(
      `${images}${name}-${edge}.webp`,
      await sharp(Buffer.from(text)).resize(edge).webp({ quality: 82, effort: 6 }).toBuffer(),
    )
}

/** Follows the color scheme of the page that shows it. */
const drawing = (kind, { ground: [light, dark], shapes }) =>
  svg(
    `<title>Drawing of a ${kind}</title><style>@media(prefers-color-scheme:dark){rect,.edge{fill:${dark}}.halo{opacity:.45}}</style>${filled(light)}` +
      `<circle class="halo" cx="320" cy="340" r="262" fill="#ffffff66"/>${shapes.replace('class="edge"', `class="edge" fill="${light}"`)}`,
  )

for (const [kind, all] of Object.entries(variants))
  for (const [index, each] of all.entries())
    writeFileSync(`${drawings}${kind}-${index + 1}.svg`, `${drawing(kind, each)}\n`)
