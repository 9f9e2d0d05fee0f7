import { catHead, dogHead, hamsterHead, lionHead, rabbitHead } from "./heads.mjs"
import { bird, chick, fish, gecko, kennel, paw, poses, snake, stripesOf, tails, trail, turtle } from "./scenes.mjs"
import { ellipse, line, mirrored, path } from "./shapes.mjs"

const stripes = (colour) => line("M320 190 v66 M270 200 q4 34 14 54 M370 200 q-4 34 -14 54", 20, colour)
const calico = path("M320 185 Q400 190 470 265 Q420 330 330 300 Q310 240 320 185 Z", "#e39a4d")
const tuxedo = path("M320 240 Q366 330 400 400 H240 Q274 330 320 240 Z", "#f7f4ee")
const points = ellipse(320, 380, 130, 120, "#7a5a4a")
const eyePatch = (colour) => ellipse(404, 320, 76, 86, colour, 12)
const blaze = (colour) => path("M292 172 h56 l18 210 h-92 z", colour)
const saddle = (colour) =>
  path("M160 262 Q210 166 320 164 Q430 166 480 262 Q400 220 372 300 H268 Q240 220 160 262 Z", colour)

const cats = {
  ginger: { fur: "#f0a45d", belly: "#fff3e2", eye: "#9fd356", marks: stripes("#b5622a") },
  grey: { fur: "#7f8796", belly: "#e9ecf1", eye: "#f2c14e" },
  calico: { fur: "#f7f1e8", belly: "#fffdf9", eye: "#6fb7e9", marks: calico },
  tuxedo: { fur: "#4c4750", belly: "#f7f4ee", eye: "#b6d94c", marks: tuxedo },
  siamese: { fur: "#f1e2c8", belly: "#8a6857", eye: "#6fc0ee", marks: points },
  tabby: { fur: "#b3977a", belly: "#f3e7d6", eye: "#a9d160", marks: stripes("#6d5440") },
}
const dogs = {
  brown: { fur: "#c98b52", ear: "#8f5a30", belly: "#f9e5cd" },
  patched: { fur: "#fdf6ec", ear: "#8a5a3c", belly: "#ffffff", marks: eyePatch("#8a5a3c") },
  black: { fur: "#564b55", ear: "#3d343a", belly: "#e8c6a0", marks: blaze("#e8c6a0") },
  golden: { fur: "#efc27f", ear: "#d79a4c", belly: "#fff0d6" },
  shepherd: { fur: "#d9a05f", ear: "#4a3d38", belly: "#f4dab6", marks: saddle("#4a3d38"), shape: "pointed" },
  husky: { fur: "#8d97a6", ear: "#6d7786", belly: "#ffffff", marks: blaze("#ffffff"), shape: "pointed" },
  terrier: { fur: "#fbf3e6", ear: "#c07b45", belly: "#ffffff", marks: eyePatch("#d99a5f"), shape: "folded" },
}
const lions = {
  sand: { fur: "#f2b95b", mane: "#b9652b", eye: "#e8d06a" },
  pale: { fur: "#f7d9a0", mane: "#d98a3d", eye: "#7fb5d9" },
  dark: { fur: "#eec27a", mane: "#8d4a2b", eye: "#9cc56b" },
}
const rabbits = {
  white: { fur: "#fbf7f2", inner: "#f5b5c0", belly: "#ffffff" },
  brown: { fur: "#b98d66", inner: "#efc4b4", belly: "#f6e7d6" },
  grey: { fur: "#9aa0ab", inner: "#e9c3c8", belly: "#eef0f3", isLop: true },
  dutch: { fur: "#5b525c", inner: "#d9a9ac", belly: "#ffffff", marks: path("M286 240 h68 l24 180 h-116 z", "#ffffff") },
  fawn: { fur: "#e6c193", inner: "#f3c6b2", belly: "#fff3e2", isLop: true },
}
const hamsters = {
  golden: { fur: "#e8a85c", belly: "#fff3e2" },
  grey: { fur: "#a9a5a8", belly: "#f4f1f0" },
  guineaPig: {
    fur: "#f7efe4",
    belly: "#ffffff",
    marks: path("M320 226 Q470 226 516 380 Q420 420 330 330 Z", "#a8683c"),
  },
  mouse: { fur: "#b9b3bb", belly: "#f4eff2", earSize: 96 },
  brown: { fur: "#a9744a", belly: "#f6dfc4" },
}
const birds = {
  parrot: { body: "#e0554a", wing: "#3f7fc4", belly: "#f2a03d", beak: "#f3d9a0" },
  budgie: { body: "#7cc567", wing: "#3f8f56", belly: "#f6e06a", beak: "#e8a33d" },
  canary: { body: "#f8d24a", wing: "#e3a92f", belly: "#fdeea2", beak: "#ef8a3c" },
  cockatiel: { body: "#c9ced6", wing: "#8a94a3", belly: "#eef0f3", beak: "#b08a6a", crest: "#f2cf57" },
  blue: { body: "#6aaee4", wing: "#3a78b8", belly: "#e8f3fb", beak: "#f0a23c" },
  robin: { body: "#a57a56", wing: "#7a563a", belly: "#e8734a", beak: "#5b4636" },
  hen: { body: "#fbf3e6", wing: "#e6d4bd", belly: "#ffffff", beak: "#f0a23c", crest: "#d8463e" },
}
const fishes = {
  gold: { body: "#f39a3c", fin: "#e0702c", belly: "#fbc779" },
  clown: { body: "#f07a32", fin: "#d95f22", belly: "#f59a58", stripes: stripesOf("#ffffff") },
  blue: { body: "#4f94d8", fin: "#f3cf4e", belly: "#86bdf0" },
  betta: { body: "#a04a9c", fin: "#d0568a", belly: "#c67fc4" },
  green: { body: "#58b5a0", fin: "#33857a", belly: "#a6ddcf", stripes: stripesOf("#2f7f73") },
}
const turtles = {
  green: { shell: "#5b8a4a", plate: "#86b266", skin: "#a9cf85" },
  brown: { shell: "#8a5f3a", plate: "#bb8a55", skin: "#c9c07e" },
  teal: { shell: "#3d7f7c", plate: "#66aea6", skin: "#a8d8c0" },
}
const snakes = {
  green: { body: "#6aa84f", marks: "#e9d66b", belly: "#cfe6a8" },
  coral: { body: "#d9694f", marks: "#fbe3a8", belly: "#f6c9b0" },
  sand: { body: "#c9a063", marks: "#7a5a34", belly: "#f0dfb8" },
}
const geckos = {
  leopard: { skin: "#eec25e", spots: "#8a6230", belly: "#fbe7b0" },
  green: { skin: "#7fc25f", spots: "#d8573f", belly: "#c4e6a6" },
  blue: { skin: "#79a9c9", spots: "#e98a4a", belly: "#cfe2ee" },
}

/** Backgrounds in light and dark mode. */
const grounds = {
  mint: ["#cfeadd", "#35564a"],
  rose: ["#f7dcd6", "#5a403f"],
  sky: ["#d6e4f7", "#36495f"],
  straw: ["#f8e9bd", "#57492c"],
  lilac: ["#e2dcf3", "#48405f"],
  leaf: ["#e0eecb", "#45532f"],
  water: ["#cdeaf0", "#2d5059"],
}

const posed = (headOf, tailOf) => (colours, pose, ground, mood) => ({
  ground: grounds[ground],
  shapes: poses[pose](headOf(colours, mood), colours.fur, colours.belly, tailOf?.(colours.fur)),
})
const cat = posed(catHead, tails.cat)
const dog = posed(dogHead, tails.dog)
const lion = posed(lionHead)
const rabbit = posed(rabbitHead)
const hamster = posed(hamsterHead)
const on = (ground, shapes) => ({ ground: grounds[ground], shapes })

/** The drawings of each kind, in the order in which the ids of pets choose them. */
export const variants = {
  dog: [
    dog(dogs.brown, "front", "straw"),
    dog(dogs.husky, "left", "sky"),
    dog(dogs.golden, "sitting", "mint"),
    dog(dogs.patched, "peeking", "rose"),
    dog(dogs.shepherd, "right", "leaf"),
    dog(dogs.black, "sitting", "lilac"),
    dog(dogs.terrier, "front", "water"),
    dog(dogs.golden, "left", "sky", "content"),
    dog(dogs.shepherd, "sitting", "straw"),
    dog(dogs.brown, "peeking", "mint", "content"),
    dog(dogs.husky, "front", "rose", "content"),
    dog(dogs.patched, "sitting", "leaf"),
    dog(dogs.black, "right", "water"),
  ],
  cat: [
    cat(cats.ginger, "front", "mint"),
    cat(cats.grey, "sitting", "rose"),
    cat(cats.siamese, "right", "lilac"),
    cat(cats.calico, "peeking", "sky"),
    cat(cats.tuxedo, "left", "straw"),
    cat(cats.tabby, "sitting", "leaf"),
    cat(cats.grey, "front", "straw", "content"),
    cat(cats.ginger, "sitting", "sky"),
    cat(cats.tuxedo, "peeking", "rose"),
    cat(cats.tabby, "right", "mint", "content"),
    cat(cats.calico, "front", "lilac"),
    cat(cats.siamese, "sitting", "water"),
    cat(cats.ginger, "peeking", "leaf", "content"),
  ],
  rabbit: [
    rabbit(rabbits.white, "front", "lilac"),
    rabbit(rabbits.grey, "left", "leaf"),
    rabbit(rabbits.brown, "front", "mint"),
    rabbit(rabbits.dutch, "front", "straw"),
    rabbit(rabbits.fawn, "peeking", "sky", "content"),
  ],
  hamster: [
    hamster(hamsters.golden, "front", "sky"),
    hamster(hamsters.guineaPig, "peeking", "leaf"),
    hamster(hamsters.mouse, "left", "rose"),
    hamster(hamsters.grey, "front", "straw", "content"),
    hamster(hamsters.brown, "right", "water"),
  ],
  bird: [
    on("sky", bird(birds.budgie)),
    on("straw", chick(birds.blue)),
    on("mint", mirrored(bird(birds.parrot))),
    on("water", chick(birds.canary)),
    on("lilac", bird(birds.cockatiel)),
    on("leaf", mirrored(bird(birds.robin))),
    on("rose", chick(birds.hen)),
  ],
  fish: [
    on("water", fish(fishes.gold)),
    on("sky", mirrored(fish(fishes.clown))),
    on("mint", fish(fishes.blue)),
    on("lilac", mirrored(fish(fishes.betta))),
    on("straw", fish(fishes.green)),
  ],
  turtle: [
    on("straw", turtle(turtles.green)),
    on("sky", mirrored(turtle(turtles.brown))),
    on("rose", turtle(turtles.teal)),
  ],
  snake: [on("straw", snake(snakes.green)), on("mint", mirrored(snake(snakes.coral))), on("lilac", snake(snakes.sand))],
  gecko: [
    on("leaf", gecko(geckos.leopard)),
    on("rose", mirrored(gecko(geckos.green))),
    on("straw", gecko(geckos.blue)),
  ],
  lion: [
    lion(lions.sand, "front", "straw"),
    lion(lions.dark, "left", "water"),
    lion(lions.pale, "front", "rose", "content"),
  ],
  pet: [
    on("straw", paw("#d9925b")),
    on("mint", kennel({ wall: "#e6bd8a", roof: "#b5533c", eye: "#f2d45c" })),
    on("sky", trail("#6f9bd1")),
    on("rose", paw("#d9776b")),
    on("leaf", trail("#87a955")),
    on("lilac", kennel({ wall: "#cfc3e6", roof: "#6f5aa6", eye: "#9fe08a" })),
    on("water", paw("#55a3b0")),
  ],
}
