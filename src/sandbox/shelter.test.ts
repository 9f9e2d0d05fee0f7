import assert from "node:assert/strict"
import { test } from "node:test"
import { shelterAnimals } from "./shelter.ts"

const animals = shelterAnimals()
const countsOf = (values: readonly string[]) =>
  Object.fromEntries([...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length]))

test("the shelter has three hundred animals of three species, mixed, and most of them are available", () => {
  assert.deepEqual(countsOf(animals.map(({ category }) => category)), { Dogs: 120, Cats: 120, Rabbits: 60 })
  assert.deepEqual(countsOf(animals.map(({ status }) => status)), { available: 240, pending: 30, sold: 30 })
  assert.deepEqual(
    animals.slice(0, 4).map(({ category }) => category),
    ["Dogs", "Cats", "Rabbits", "Dogs"],
  )
  assert.deepEqual(
    animals.slice(-3).map(({ category }) => category),
    ["Cats", "Dogs", "Cats"],
  )
})

test("no two animals of a species have the same name, and each has three or four tags", () => {
  assert.equal(new Set(animals.map(({ category, name }) => `${category} ${name}`)).size, 300)
  assert.deepEqual(countsOf(animals.map(({ tags }) => String(tags.length))), { 3: 100, 4: 200 })
  assert.equal(new Set(animals.map(({ picture }) => picture)).size, 7)
})

test("the animals are the same each time", () => {
  assert.deepEqual(shelterAnimals(), animals)
  const [dog, cat, rabbit, second] = animals
  assert.deepEqual(
    [dog, cat, rabbit, second],
    [
      {
        category: "Dogs",
        name: "Milo",
        tags: ["Border Collie", "young", "friendly"],
        picture: "dog-1",
        status: "available",
      },
      {
        category: "Cats",
        name: "Freya",
        tags: ["Domestic Shorthair", "adult", "playful"],
        picture: "cat-1",
        status: "available",
      },
      {
        category: "Rabbits",
        name: "Minnie",
        tags: ["Lionhead", "senior", "shy"],
        picture: "rabbit-1",
        status: "pending",
      },
      {
        category: "Dogs",
        name: "Luna",
        tags: ["Labrador", "senior", "calm", "good-with-children"],
        picture: "dog-3",
        status: "available",
      },
    ],
  )
})
