// Draws the images of the sandbox's classic pets into src/sandbox/images. Run it after changing this file.
import { mkdirSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import sharp from "sharp"

const directory = fileURLToPath(new URL("../src/sandbox/images/", import.meta.url))
const ink = "#33272a"

const ellipse = (x, y, rx, ry, fill, turn = 0) =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}" transform="rotate(${turn} ${x} ${y})"/>`
const path = (d, fill) => `<path d="${d}" fill="${fill}" stroke-linejoin="round"/>`
const line = (d, width = 7) =>
  `<path d="${d}" fill="none" stroke="${ink}" stroke-width="${width}" stroke-linecap="round"/>`
/** The shapes and their mirror image. */
const both = (shapes) => `${shapes}<g transform="matrix(-1 0 0 1 640 0)">${shapes}</g>`

const eyes = (colour) =>
  both(ellipse(250, 330, 30, 36, colour) + ellipse(252, 332, 15, 27, ink) + ellipse(260, 318, 9, 9, "#fff"))
const roundEyes = both(ellipse(248, 325, 25, 29, ink) + ellipse(257, 314, 9, 9, "#fff"))
const smile = line("M320 412 q0 34 -38 34 M320 412 q0 34 38 34")
const whiskers = both(line("M240 408 L120 386 M238 424 L118 432 M244 440 L134 478", 4))
const cheeks = both(ellipse(210, 400, 34, 22, "#ff8fa355"))

const cat = (fur, belly, eye, marks = "") =>
  both(path("M150 300 L142 110 Q146 96 160 104 L300 196 Z", fur) + path("M176 240 L172 150 L248 200 Z", "#f4a9b4")) +
  ellipse(320, 700, 190, 170, fur) +
  ellipse(320, 355, 195, 175, fur) +
  marks +
  ellipse(320, 425, 92, 68, belly) +
  eyes(eye) +
  cheeks +
  path("M298 388 h44 l-22 26 z", "#e5707e") +
  smile +
  whiskers

const dog = (fur, ears, belly, marks = "") =>
  ellipse(320, 710, 190, 180, fur) +
  ellipse(320, 345, 180, 180, fur) +
  marks +
  both(ellipse(142, 330, 58, 140, ears, 14)) +
  ellipse(320, 425, 105, 88, belly) +
  roundEyes +
  path("M296 448 h48 v42 q-24 32 -48 0 z", "#ef7a85") +
  ellipse(320, 386, 40, 29, ink) +
  ellipse(308, 377, 11, 6, "#ffffff88") +
  line("M320 412 q0 38 -46 36 M320 412 q0 38 46 36")

const lion = (fur, mane, eye) =>
  Array.from({ length: 18 }, (_, n) => {
    const angle = (n / 18) * 2 * Math.PI
    return ellipse(320 + 190 * Math.cos(angle), 345 + 185 * Math.sin(angle), 80, 52, mane, (n / 18) * 360)
  }).join("") +
  ellipse(320, 345, 205, 200, mane) +
  both(ellipse(178, 208, 48, 48, fur) + ellipse(178, 210, 25, 25, "#a8603a")) +
  ellipse(320, 360, 162, 158, fur) +
  ellipse(320, 432, 86, 62, "#fff1d6") +
  eyes(eye) +
  cheeks +
  path("M288 386 h64 l-32 32 z", "#8c4a32") +
  smile

const rabbit = (fur, inner, belly) =>
  both(ellipse(230, 160, 48, 150, fur, -8) + ellipse(231, 170, 24, 112, inner, -8)) +
  ellipse(320, 700, 180, 170, fur) +
  ellipse(320, 390, 172, 158, fur) +
  ellipse(320, 452, 86, 62, belly) +
  both(ellipse(246, 362, 25, 31, ink) + ellipse(255, 350, 9, 9, "#fff")) +
  cheeks +
  path("M300 418 h40 l-20 22 z", "#e5707e") +
  line("M320 438 q0 28 -32 28 M320 438 q0 28 32 28") +
  `<rect x="302" y="464" width="17" height="32" rx="5" fill="#fff"/><rect x="321" y="464" width="17" height="32" rx="5" fill="#fff"/>` +
  whiskers

const stripes = ["M320 190 v66", "M270 200 q4 34 14 54", "M370 200 q-4 34 -14 54"]
  .map((d) => `<path d="${d}" stroke="#b5622a" stroke-width="20" stroke-linecap="round" fill="none"/>`)
  .join("")
const mask = path("M320 185 Q400 190 470 265 Q420 330 330 300 Q310 240 320 185 Z", "#e39a4d")
const patch = ellipse(404, 320, 76, 86, "#8a5a3c", 12)
const blaze = path("M292 172 h56 l18 210 h-92 z", "#fff8ee")

const pets = {
  "Cat 1": ["#bfe3d0", cat("#f0a45d", "#fff3e2", "#9fd356", stripes)],
  "Cat 2": ["#f7d6d0", cat("#5f6674", "#e9ecf1", "#f2c14e")],
  "Cat 3": ["#cfd9f5", cat("#f7f1e8", "#fffdf9", "#6fb7e9", mask)],
  "Dog 1": ["#fbe3a8", dog("#c98b52", "#8f5a30", "#f9e5cd")],
  "Dog 2": ["#cdeaf2", dog("#fdf6ec", "#8a5a3c", "#ffffff", patch)],
  "Dog 3": ["#dcefc4", dog("#4a4048", "#352d33", "#e8c6a0", blaze)],
  "Lion 1": ["#f8e7b9", lion("#f2b95b", "#b9652b", "#e8d06a")],
  "Lion 2": ["#c9e6e8", lion("#eec27a", "#8d4a2b", "#9cc56b")],
  "Lion 3": ["#f4d3c4", lion("#f7d9a0", "#d98a3d", "#7fb5d9")],
  "Rabbit 1": ["#d9d2f0", rabbit("#fbf7f2", "#f5b5c0", "#ffffff")],
}

mkdirSync(directory, { recursive: true })
for (const [name, [background, animal]] of Object.entries(pets)) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 640" width="640" height="640"><rect width="640" height="640" fill="${background}"/><circle cx="320" cy="340" r="262" fill="#ffffff66"/>${animal}</svg>`
  const file = name.toLowerCase().replace(" ", "-")
  for (const edge of [640, 320])
    writeFileSync(
      `${directory}${file}-${edge}.webp`,
      await sharp(Buffer.from(svg)).resize(edge).webp({ quality: 82, effort: 6 }).toBuffer(),
    )
}
