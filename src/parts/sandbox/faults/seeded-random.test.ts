import assert from "node:assert/strict"
import { test } from "node:test"
import { createSeededRandom, nameAt } from "./seeded-random.ts"

test("each owner's series of a seed draws the same numbers, from its beginning after it was forgotten", () => {
  const random = createSeededRandom()
  const draws = (owner: string, seed: string) => [random.next(owner, seed), random.next(owner, seed)]
  const first = draws("one", "s")
  assert.deepEqual(first, [
    { share: 0.000020266743376851082, choice: 0.09941310458816588 },
    { share: 0.5899246816989034, choice: 0.41816570702940226 },
  ])
  assert.deepEqual(draws("other", "s"), first)
  assert.notDeepEqual(draws("one", "s"), first)
  assert.notDeepEqual(draws("one", "t"), first)
  random.forget()
  assert.deepEqual(draws("one", "s"), first)
})

test("a series without a seed is random, and its numbers are independent", () => {
  const random = createSeededRandom()
  const numbers = [1, 2, 3].flatMap(() => Object.values(random.next("one", undefined)))
  assert.equal(new Set(numbers).size, 6)
  assert.ok(numbers.every((each) => each >= 0 && each < 1))
})

test("of a thousand and one series the least recently used restarts", () => {
  const random = createSeededRandom()
  const first = random.next("0", "s")
  for (let n = 1; n < 1000; n++) random.next(String(n), "s")
  const second = random.next("0", "s")
  assert.notDeepEqual(second, first, "a thousand are kept")
  random.next("1000", "s")
  assert.deepEqual(random.next("1", "s"), first, "the least recently used one was dropped")
  assert.notDeepEqual(random.next("0", "s"), second)
  assert.notDeepEqual(random.next("3", "s"), first)
})

test("a name that is added changes only the choices that it takes, and each name has its share", () => {
  const random = createSeededRandom()
  const names = ["a", "b", "c", "d", "e", "f", "g"]
  const choices = Array.from({ length: 80 }, (_, seed) =>
    Array.from({ length: 100 }, () => random.next("one", String(seed)).choice),
  ).flat()
  const counts = new Map<string, number>()
  for (const choice of choices) {
    const chosen = nameAt(choice, [...names, "added"])
    if (chosen !== "added") assert.equal(chosen, nameAt(choice, names))
    counts.set(chosen, (counts.get(chosen) ?? 0) + 1)
  }
  assert.equal(counts.size, 8)
  for (const [name, count] of counts) assert.ok(count > 850 && count < 1150, `${name} ${count}`)
})
