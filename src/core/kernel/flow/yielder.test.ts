import assert from "node:assert/strict"
import { test } from "node:test"
import { createYielder } from "./yielder.ts"

test("a slice of work is over after 5 ms, and a new one starts with the next turn", async (t) => {
  let now = 1_000
  t.mock.method(performance, "now", () => now)
  const turn = createYielder()
  for (let slices = 0; slices < 2; slices++) {
    now += 4
    assert.equal(turn.isOver(), false)
    now += 1
    assert.equal(turn.isOver(), true)
    await turn.next()
  }
})

test("work starts at once, or behind work that waits, and no two share a turn", async () => {
  let turns = 0
  const count = () => {
    turns++
    counting = setImmediate(count)
  }
  let counting = setImmediate(count)
  const startedAt = async (work: Promise<void>) => work.then(() => turns)
  assert.equal(await startedAt(createYielder().start()), 0)
  const [first, second, third] = await Promise.all([
    startedAt(createYielder().next()),
    startedAt(createYielder().next()),
    startedAt(createYielder().start()),
  ])
  assert.ok(
    (first as number) < (second as number) && (second as number) < (third as number),
    `${[first, second, third]}`,
  )
  const [waits, starts] = await Promise.all([startedAt(createYielder().next()), startedAt(createYielder().start())])
  assert.ok(waits < starts, `${[waits, starts]}`)
  const before = turns
  assert.equal(await startedAt(createYielder().start()), before)
  clearImmediate(counting)
})
