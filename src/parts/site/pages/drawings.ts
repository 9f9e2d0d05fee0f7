// Decision: docs/decisions/console.md#a-pet-without-an-image-has-a-drawing-chosen-by-its-id

import { readdirSync, readFileSync } from "node:fs"
import type { Pet } from "../../../core/domain/pets/contract.ts"
import { programFile } from "../../../program.ts"
import { type Asset, makeAsset } from "./assets.ts"

/** The kinds of drawings for a category that contains one of these words; the first line that matches applies. */
const kindsByWord: readonly [RegExp, readonly string[]][] = [
  [/\b(dogs?|pupp(y|ies)|hounds?)\b/i, ["dog"]],
  [/\b(cats?|kittens?|kitt(y|ies))\b/i, ["cat"]],
  [/\blions?\b/i, ["lion"]],
  [/\b(rabbits?|bunn(y|ies)|hares?)\b/i, ["rabbit"]],
  [/\b(hamsters?|guinea ?pigs?|gerbils?|mouse|mice|rats?|rodents?)\b/i, ["hamster"]],
  [/\b(birds?|parrots?|budg\w+|parakeets?|canar(y|ies)|cockatiels?|finch(es)?|chicks?|chickens?|hens?)\b/i, ["bird"]],
  [/fish(es)?\b/i, ["fish"]],
  [/\b(turtles?|tortoises?)\b/i, ["turtle"]],
  [/\b(snakes?|pythons?)\b/i, ["snake"]],
  [/\b(geckos?|lizards?)\b/i, ["gecko"]],
  [/\breptiles?\b/i, ["gecko", "turtle", "snake"]],
]
const otherKinds = ["pet"]

let read: ReadonlyMap<string, readonly Asset[]> | undefined

/** Every drawing, by kind. */
const drawings = (): ReadonlyMap<string, readonly Asset[]> => {
  read ??= Map.groupBy(readDrawings(), ({ name }) => name.slice(0, name.indexOf("-")))
  return read
}

export const findDrawing = (name: string | undefined): Asset | undefined =>
  [...drawings().values()].flat().find((each) => each.name === name)

/** The drawing of a pet, always the same. Its category decides the kind. */
export function drawingOf({ id, category }: Pick<Pet, "id" | "category">): Asset {
  const [, kinds] = kindsByWord.find(([word]) => word.test(category?.name ?? "")) ?? [undefined, otherKinds]
  const choice = kinds.flatMap((kind) => drawings().get(kind) ?? [])
  return choice[id % choice.length] as Asset
}

function readDrawings(): Asset[] {
  const directory = programFile("parts/site/pages/drawings")
  const byNumber = new Intl.Collator("en", { numeric: true })
  const files = readdirSync(directory).sort(byNumber.compare)
  return files.map((file) => makeAsset(file.replace(".svg", ""), "svg", readFileSync(`${directory}/${file}`, "utf8")))
}
