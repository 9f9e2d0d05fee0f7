import { both, ellipse, ink, line, path, placed } from "./shapes.mjs"

/** How an animal with a head holds itself. */
export const poses = {
  front: (head, body) => ellipse(320, 700, 190, 170, body) + head,
  left: (head, body) => ellipse(330, 700, 190, 170, body) + placed("rotate(-10 320 560)", head),
  right: (head, body) => ellipse(310, 700, 190, 170, body) + placed("rotate(10 320 560)", head),
  /** Behind the lower edge, with both front paws on it. */
  peeking: (head, body, chest) =>
    placed("translate(0 88)", head) +
    '<path class="edge" d="M0 572 h640 v68 h-640 z"/>' +
    both(ellipse(208, 576, 58, 40, body) + line("M190 584 v22 M226 584 v22", 6, chest)),
  sitting: (head, body, chest, tail) =>
    (tail ?? "") +
    both(ellipse(228, 566, 74, 56, body)) +
    path("M226 600 Q200 330 320 330 Q440 330 414 600 Z", body) +
    ellipse(320, 470, 62, 96, chest) +
    both(ellipse(278, 600, 44, 28, body) + line("M266 604 v16 M290 604 v16", 5)) +
    placed("translate(121 20) scale(.62)", head),
}

export const tails = {
  cat: (fur) => line("M400 590 C520 610 560 520 520 440 C506 412 530 388 552 396", 44, fur),
  dog: (fur) => line("M410 570 Q500 560 526 470", 46, fur),
}

export const bird = ({ body, wing, belly, beak, crest }) =>
  line("M60 566 Q320 540 580 572", 26, "#8a5a3c") +
  line("M150 556 q-20 -50 -54 -58 M500 564 q22 -40 58 -38", 14, "#8a5a3c") +
  path("M420 400 L590 520 L540 550 L380 490 Z", wing) +
  ellipse(330, 390, 160, 145, body, 20) +
  (crest ? line("M252 140 q-10 -56 30 -76 M276 136 q8 -50 50 -56 M236 150 q-34 -30 -14 -70", 22, crest) : "") +
  ellipse(258, 258, 125, 120, body) +
  ellipse(276, 420, 100, 104, belly, 20) +
  path("M330 340 Q470 320 480 440 Q470 500 400 500 Q310 470 330 340 Z", wing) +
  line("M372 400 q44 10 84 0 M380 444 q36 10 72 0", 7, "#ffffff66") +
  path("M150 240 Q86 262 96 306 Q150 320 176 290 Z", beak) +
  ellipse(236, 236, 27, 30, "#fff") +
  ellipse(230, 238, 17, 21, ink) +
  ellipse(236, 229, 7, 7, "#fff") +
  ellipse(252, 296, 30, 18, "#ff8fa355") +
  line("M300 520 v36 M348 524 v36", 13, "#d98a3d")

export const chick = ({ body, wing, belly, beak, crest }) =>
  both(line("M268 560 v40 m0 0 l-26 18 m26 -18 l26 18", 13, "#d98a3d")) +
  (crest ? line("M320 150 q-4 -56 -40 -62 M320 150 q4 -64 44 -66", 20, crest) : "") +
  ellipse(320, 370, 205, 215, body) +
  both(path("M150 320 Q70 380 112 480 Q180 470 196 380 Z", wing)) +
  ellipse(320, 450, 132, 122, belly) +
  both(ellipse(244, 296, 40, 44, "#fff") + ellipse(250, 300, 25, 30, ink) + ellipse(259, 288, 9, 9, "#fff")) +
  both(ellipse(196, 366, 32, 20, "#ff8fa355")) +
  path("M276 342 Q320 318 364 342 Q348 404 320 412 Q292 404 276 342 Z", beak) +
  line("M282 352 Q320 366 358 352", 6)

export const fish = ({ body, fin, belly, stripes = "" }) =>
  path("M440 330 Q520 220 574 218 Q590 222 580 250 Q548 330 580 412 Q590 440 574 444 Q520 440 440 330 Z", fin) +
  path("M230 200 Q300 96 420 150 Q400 190 410 250 Z", fin) +
  path("M250 440 Q280 530 360 540 Q352 490 380 430 Z", fin) +
  path("M74 336 Q150 176 300 180 Q430 190 496 330 Q430 470 300 480 Q150 484 74 336 Z", body) +
  path("M92 368 Q190 430 300 424 Q390 420 462 384 Q410 470 300 480 Q160 484 92 368 Z", belly) +
  stripes +
  path("M300 340 Q380 330 400 380 Q360 420 300 396 Z", fin) +
  ellipse(180, 300, 36, 38, "#fff") +
  ellipse(174, 302, 22, 26, ink) +
  ellipse(182, 290, 8, 8, "#fff") +
  ellipse(196, 366, 28, 17, "#ff8fa355") +
  line("M94 352 q22 26 54 16", 8) +
  ["62 200 20", "104 140 13", "70 96 9"]
    .map((each) => each.split(" "))
    .map(([x, y, r]) => `<circle cx="${x}" cy="${y}" r="${r}" fill="#ffffff99"/>`)
    .join("")

export const stripesOf = (colour) =>
  line("M268 206 Q236 320 268 456 M404 232 Q380 330 404 430", 40, colour) +
  line("M240 212 Q208 320 240 450 M296 204 Q264 320 296 458 M380 214 Q356 330 380 442 M428 262 Q408 330 428 398", 6)

export const turtle = ({ shell, plate, skin }) =>
  line("M548 500 L604 518", 30, skin) +
  ellipse(220, 530, 46, 62, skin, 12) +
  ellipse(450, 530, 46, 62, skin, -12) +
  path("M190 470 Q130 470 120 380 Q60 400 40 336 Q36 250 116 236 Q196 236 200 320 Q202 400 260 440 Z", skin) +
  path("M160 496 Q170 190 350 186 Q540 190 566 496 Q360 548 160 496 Z", shell) +
  [
    "M314 250 h76 l34 62 l-34 62 h-76 l-34 -62 z",
    "M256 334 l34 58 l-28 62 l-64 -6 q4 -70 58 -114 z",
    "M448 334 l-34 58 l28 62 l82 -6 q-14 -80 -76 -114 z",
    "M318 402 h68 l28 56 q-64 14 -124 0 z",
  ]
    .map((d) => path(d, plate))
    .join("") +
  line("M160 496 Q360 548 566 496", 22, skin) +
  ellipse(108, 300, 22, 26, ink) +
  ellipse(114, 290, 8, 8, "#fff") +
  ellipse(140, 346, 26, 15, "#ff8fa355") +
  line("M52 352 q28 28 62 12", 7)

export const snake = ({ body, marks, belly }) => {
  const coil = "M470 300 Q560 330 552 410 Q536 470 420 440 Q300 400 190 440 Q90 480 130 548 Q200 600 400 572 L540 556"
  return (
    line(coil, 74, body) +
    `<g stroke-dasharray="4 54">${line(coil, 18, marks)}</g>` +
    line("M470 300 Q350 270 300 330", 74, body) +
    ellipse(270, 254, 130, 102, body, -8) +
    ellipse(262, 300, 96, 46, belly, -8) +
    line("M176 342 q-30 24 -30 56 l-18 18 m18 -18 l16 20", 8, "#e0485a") +
    ellipse(222, 232, 26, 30, "#fff") +
    ellipse(218, 236, 16, 21, ink) +
    ellipse(224, 226, 7, 7, "#fff") +
    ellipse(322, 220, 26, 30, "#fff") +
    ellipse(318, 224, 16, 21, ink) +
    ellipse(324, 214, 7, 7, "#fff") +
    ellipse(190, 290, 24, 15, "#ff8fa355") +
    line("M196 316 Q264 344 334 300", 7)
  )
}

export const gecko = ({ skin, spots, belly }) =>
  both(
    line("M250 320 Q160 300 132 220 M262 470 Q170 470 140 560", 42, skin) +
      line(
        "M132 220 l-36 -16 M132 220 l-12 -40 M132 220 l30 -28 M140 560 l-38 -6 M140 560 l-14 38 M140 560 l30 30",
        18,
        skin,
      ),
  ) +
  line("M320 540 Q320 610 420 604 Q520 596 540 500", 46, skin) +
  ellipse(320, 420, 92, 160, skin) +
  ellipse(320, 190, 128, 112, skin) +
  ellipse(320, 420, 34, 120, belly) +
  ["286 330", "356 372", "282 426", "358 474", "300 520"]
    .map((each) => ellipse(...each.split(" ").map(Number), 14, 12, spots))
    .join("") +
  both(
    ellipse(218, 158, 44, 46, skin) +
      ellipse(216, 154, 31, 33, "#fff") +
      ellipse(218, 158, 19, 24, ink) +
      ellipse(225, 147, 8, 8, "#fff"),
  ) +
  both(ellipse(238, 232, 26, 16, "#ff8fa355") + ellipse(302, 196, 5, 5, ink)) +
  line("M248 250 Q320 296 392 250", 8)

const print =
  '<ellipse cx="32" cy="43" rx="14" ry="12"/><ellipse cx="12.5" cy="30" rx="5.5" ry="7.5" transform="rotate(-24 12.5 30)"/>' +
  '<ellipse cx="25" cy="18" rx="5.8" ry="8.5" transform="rotate(-8 25 18)"/><ellipse cx="39" cy="18" rx="5.8" ry="8.5" transform="rotate(8 39 18)"/>' +
  '<ellipse cx="51.5" cy="30" rx="5.5" ry="7.5" transform="rotate(24 51.5 30)"/>'

const prints = (colour, ...positions) =>
  `<g fill="${colour}">${positions.map(([x, y, size, turn]) => placed(`translate(${x} ${y}) rotate(${turn}) scale(${size}) translate(-32 -34)`, print)).join("")}</g>`

export const paw = (colour) => prints(colour, [320, 340, 6, 0])
export const trail = (colour) =>
  prints(colour, [170, 520, 2.8, 24], [300, 430, 2.8, 40], [300, 270, 2.8, 20], [450, 190, 2.8, 38])

/** A kennel; two eyes look out of the dark. */
export const kennel = ({ wall, roof, eye }) =>
  path("M140 300 h360 v270 h-360 z", wall) +
  line("M150 366 h340 M150 432 h340 M150 498 h340", 5, "#00000018") +
  path("M320 96 L560 310 L520 350 L320 176 L120 350 L80 310 Z", roof) +
  path("M140 330 L320 176 L500 330 Z", wall) +
  path("M222 570 V430 Q222 330 320 330 Q418 330 418 430 V570 Z", "#3a2c2e") +
  both(ellipse(282, 440, 22, 27, eye) + ellipse(284, 442, 11, 20, "#1c1416") + ellipse(289, 433, 6, 6, "#fff")) +
  path("M96 570 h448 v28 h-448 z", "#00000022") +
  prints(roof, [320, 256, 1.3, 0])
