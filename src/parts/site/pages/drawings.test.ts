import assert from "node:assert/strict"
import { test } from "node:test"
import { drawingOf, findDrawing } from "./drawings.ts"

const kindOf = (category: string | undefined, id = 1) =>
  drawingOf({ id, ...(category !== undefined && { category: { id: 1, name: category } }) }).name.split("-")[0]

test("a word of the category decides the kind of drawing", () => {
  for (const [category, kind] of [
    ...["Dog", "dogs", "Big DOGS", "Puppies", "Dogs and cats"].map((name) => [name, "dog"]),
    ...["Cat", "CATS", "Kittens"].map((name) => [name, "cat"]),
    ...["Bird", "Canaries", "budgerigar"].map((name) => [name, "bird"]),
    ...["Rabbits", "bunny"].map((name) => [name, "rabbit"]),
    ...["Guinea pig", "Rodents", "Mice"].map((name) => [name, "hamster"]),
    ...["Fish", "Goldfish", "Catfish"].map((name) => [name, "fish"]),
    ["Lions", "lion"] as const,
    ["Tortoise", "turtle"] as const,
    ["Snakes", "snake"] as const,
    ...["Livestock", "Other", "Cattle", "Hotdogstand", "", "ねこ", "__proto__"].map((name) => [name, "pet"]),
  ] as const)
    assert.equal(kindOf(category), kind, category)
  assert.equal(kindOf(undefined), "pet")
  assert.deepEqual(new Set([1, 4, 7].map((id) => kindOf("Reptiles", id))), new Set(["gecko", "turtle", "snake"]))
})

test("a pet always has the same drawing, and pets in sequence have different ones", () => {
  for (const name of ["Dog", "Cat", "Bird", "Rabbit", "Rodent", "Fish", "Reptile", "Other"]) {
    const namesFrom = (start: number) =>
      Array.from({ length: 26 }, (_, n) => drawingOf({ id: start + n, category: { id: 1, name } }).name)
    for (const start of [1, 24_977, Number.MAX_SAFE_INTEGER - 25]) {
      assert.deepEqual(namesFrom(start), namesFrom(start))
      assert.ok(namesFrom(start).every((each, n, all) => each !== all[n + 1]))
    }
    assert.ok(new Set(namesFrom(1)).size >= 5, name)
  }
})

test("the drawings of a kind are in the order of their numbers, and found by their names", () => {
  const all = Array.from({ length: 13 }, (_, id) => drawingOf({ id, category: { id: 1, name: "Dog" } }))
  const numbers = all.map(({ name }) => Number(/^dog-(\d+)-/.exec(name)?.[1]))
  assert.deepEqual(
    numbers,
    numbers.toSorted((a, b) => a - b),
  )
  for (const each of all) assert.equal(findDrawing(each.name), each)
  assert.deepEqual([findDrawing("dog-1"), findDrawing(undefined)], [undefined, undefined])
})

test("a drawing is an SVG image without scripts and references, in light and dark colors", async () => {
  const names = new Set(
    ["Dog", "Cat", "Bird", "Rabbit", "Rodent", "Fish", "Reptile", "Lion", "Other"].flatMap((name) =>
      Array.from({ length: 26 }, (_, id) => drawingOf({ id, category: { id: 1, name } }).name),
    ),
  )
  assert.ok(names.size > 60)
  for (const name of names) {
    const { body } = (await findDrawing(name)?.respond(false)) ?? {}
    const text = String(body)
    assert.match(text, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 640 640"/)
    assert.match(text, /prefers-color-scheme:dark/)
    assert.doesNotMatch(text, /<script|href|url\(|\son\w+=|NaN|undefined/, name)
  }
})
