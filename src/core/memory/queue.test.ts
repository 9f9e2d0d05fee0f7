import assert from "node:assert/strict"
import { test } from "node:test"
import { Queue } from "./queue.ts"

test("a queue holds what was pushed and not shifted, in order, at every length", () => {
  const queue = new Queue<number>()
  const expected: number[] = []
  const compare = () => {
    const { length } = expected
    assert.deepEqual(
      { length: queue.length, last: queue.last, items: Array.from({ length: length + 1 }, (_, n) => queue.at(n)) },
      { length, last: expected.at(-1), items: [...expected, undefined] },
    )
  }
  const push = (times: number) => {
    for (let n = 0; n < times; n++) {
      queue.push(n)
      expected.push(n)
    }
  }
  const shift = (times: number) => {
    for (let n = 0; n < times; n++) {
      queue.shift()
      expected.shift()
      compare()
    }
  }
  compare()
  for (const [pushed, shifted] of [
    [1, 1],
    [3, 2],
    [200, 150],
    [10, 61],
    [0, 2],
    [2, 1],
  ] as const) {
    push(pushed)
    compare()
    shift(shifted)
  }
})
