import { both, ellipse, ink, line, path } from "./shapes.mjs"

/** Eyes by expression: `colour` is that of the iris. */
const eyesOf = (colour, mood) =>
  mood === "content" ? both(line("M222 336 q28 -34 56 0", 9)) : colour === undefined ? roundEyes : eyes(colour)
const eyes = (colour) =>
  both(ellipse(250, 330, 30, 36, colour) + ellipse(252, 332, 15, 27, ink) + ellipse(260, 318, 9, 9, "#fff"))
const roundEyes = both(ellipse(248, 325, 25, 29, ink) + ellipse(257, 314, 9, 9, "#fff"))
const smile = line("M320 412 q0 34 -38 34 M320 412 q0 34 38 34")
const whiskers = both(line("M240 408 L120 386 M238 424 L118 432 M244 440 L134 478", 4))
const cheeks = both(ellipse(210, 400, 34, 22, "#ff8fa355"))

export const catHead = ({ fur, belly, eye, marks = "" }, mood) =>
  both(path("M150 300 L142 110 Q146 96 160 104 L300 196 Z", fur) + path("M176 240 L172 150 L248 200 Z", "#f4a9b4")) +
  ellipse(320, 355, 195, 175, fur) +
  marks +
  ellipse(320, 425, 92, 68, belly) +
  eyesOf(eye, mood) +
  cheeks +
  path("M298 388 h44 l-22 26 z", "#e5707e") +
  smile +
  whiskers

const ears = {
  hanging: (colour) => both(ellipse(142, 330, 58, 140, colour, 14)),
  pointed: (colour, fur) =>
    both(path("M150 290 L128 96 Q132 78 150 88 L300 205 Z", colour) + path("M176 232 L164 140 L238 200 Z", fur)),
  folded: (colour) =>
    both(path("M176 236 Q150 150 200 138 Q262 150 276 196 Q214 196 196 300 Q160 300 128 232 Z", colour)),
}

export const dogHead = ({ fur, ear, belly, marks = "", shape = "hanging" }, mood) =>
  (shape === "pointed" ? ears.pointed(ear, belly) : "") +
  ellipse(320, 345, 180, 180, fur) +
  marks +
  (shape === "pointed" ? "" : ears[shape](ear)) +
  ellipse(320, 425, 105, 88, belly) +
  eyesOf(undefined, mood) +
  path("M296 448 h48 v42 q-24 32 -48 0 z", "#ef7a85") +
  ellipse(320, 386, 40, 29, ink) +
  ellipse(308, 377, 11, 6, "#ffffff88") +
  line("M320 412 q0 38 -46 36 M320 412 q0 38 46 36")

export const lionHead = ({ fur, mane, eye }, mood) =>
  Array.from({ length: 18 }, (_, n) => {
    const angle = (n / 18) * 2 * Math.PI
    const [x, y] = [Math.round(320 + 190 * Math.cos(angle)), Math.round(345 + 185 * Math.sin(angle))]
    return ellipse(x, y, 80, 52, mane, (n / 18) * 360)
  }).join("") +
  ellipse(320, 345, 205, 200, mane) +
  both(ellipse(178, 208, 48, 48, fur) + ellipse(178, 210, 25, 25, "#a8603a")) +
  ellipse(320, 360, 162, 158, fur) +
  ellipse(320, 432, 86, 62, "#fff1d6") +
  eyesOf(eye, mood) +
  cheeks +
  path("M288 386 h64 l-32 32 z", "#8c4a32") +
  smile

const teeth =
  '<rect x="302" y="464" width="17" height="32" rx="5" fill="#fff"/><rect x="321" y="464" width="17" height="32" rx="5" fill="#fff"/>'
const muzzle = (mood) =>
  (mood === "content"
    ? both(line("M218 368 q28 -34 56 0", 9))
    : both(ellipse(246, 362, 25, 31, ink) + ellipse(255, 350, 9, 9, "#fff"))) +
  cheeks +
  path("M300 418 h40 l-20 22 z", "#e5707e") +
  line("M320 438 q0 28 -32 28 M320 438 q0 28 32 28") +
  teeth +
  whiskers

export const rabbitHead = ({ fur, inner, belly, isLop = false, marks = "" }, mood) =>
  (isLop ? "" : both(ellipse(230, 160, 48, 150, fur, -8) + ellipse(231, 170, 24, 112, inner, -8))) +
  ellipse(320, 390, 172, 158, fur) +
  marks +
  (isLop ? both(ellipse(152, 388, 52, 150, fur, 12) + ellipse(150, 400, 26, 112, inner, 12)) : "") +
  ellipse(320, 452, 86, 62, belly) +
  muzzle(mood)

export const hamsterHead = ({ fur, belly, marks = "", earSize = 52 }, mood) =>
  both(ellipse(190, 240, earSize, earSize, fur) + ellipse(192, 244, earSize * 0.55, earSize * 0.55, "#f4a9b4")) +
  ellipse(320, 390, 200, 165, fur) +
  marks +
  both(ellipse(218, 455, 92, 72, belly)) +
  ellipse(320, 455, 80, 70, belly) +
  muzzle(mood)
