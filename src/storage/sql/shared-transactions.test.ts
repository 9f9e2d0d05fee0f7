import assert from "node:assert/strict"
import { test } from "node:test"
import { StoreUnavailable } from "../../domain/ports/store.ts"
import { SharedTransactions } from "./shared-transactions.ts"

test("while a transaction does not end, a thousand inputs wait for it and further ones are refused", async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const shared = new SharedTransactions(async (work) => {
    await ended
    return work(undefined as never)
  }, 1)
  const work = async (_: unknown, inputs: readonly number[]) => inputs.map((input) => -input)
  const first = shared.run(work, 1)
  await new Promise(setImmediate)
  const waiting = Array.from({ length: 1_000 }, (_, n) => shared.run(work, n))
  await assert.rejects(shared.run(work, 2), StoreUnavailable)
  end()
  assert.equal(await first, -1)
  assert.deepEqual(
    await Promise.all(waiting),
    Array.from({ length: 1_000 }, (_, n) => -n),
  )
  assert.equal(await shared.run(work, 3), -3)
})

/** Transactions that a test ends; records the inputs of each run. */
function transactionsByHand(runningMax: number) {
  const running: (() => void)[] = []
  const runs: number[][] = []
  let transactions = 0
  const shared = new SharedTransactions(async (work) => {
    transactions++
    await new Promise<void>((resolve) => running.push(resolve))
    return work(undefined as never)
  }, runningMax)
  const work = async (_: unknown, inputs: readonly number[]) => {
    runs.push([...inputs])
    return inputs.map((input) => {
      if (input === 13) throw new Error("13")
      if (input === 99) throw new StoreUnavailable("99")
      return -input
    })
  }
  return {
    shared,
    work,
    runs,
    running,
    transactions: () => transactions,
    async end(count = running.length) {
      for (const end of running.splice(0, count)) end()
      await new Promise(setImmediate)
    },
  }
}

const turn = () => new Promise(setImmediate)

test("inputs of one turn share a transaction, a hundred at most, and so many transactions run at once", async () => {
  const { shared, work, runs, running, end } = transactionsByHand(2)
  const all = Promise.all(Array.from({ length: 250 }, (_, n) => shared.run(work, 1000 + n)))
  assert.equal(running.length, 0, "it waits for the end of the turn")
  await turn()
  assert.equal(running.length, 2)
  await end(1)
  assert.equal(running.length, 2, "the rest runs when one has ended")
  await end()
  assert.deepEqual(
    runs.map(({ length }) => length),
    [100, 100, 50],
  )
  assert.deepEqual(
    runs.flat(),
    Array.from({ length: 250 }, (_, n) => 1000 + n),
  )
  assert.deepEqual(
    await all,
    Array.from({ length: 250 }, (_, n) => -1000 - n),
  )
  const later = shared.run(work, 7)
  await turn()
  await end()
  assert.equal(await later, -7)
})

test("each kind of work has a queue of its own", async () => {
  const { shared, work, running, end } = transactionsByHand(1)
  const other = async (_: unknown, inputs: readonly string[]) => inputs.map((input) => `${input}!`)
  const results = Promise.all([shared.run(work, 1), shared.run(other, "a"), shared.run(work, 2)])
  await turn()
  assert.equal(running.length, 2)
  await end()
  assert.deepEqual(await results, [-1, "a!", -2])
})

test("an input that fails is run alone, like those beside it, and only it is refused", async () => {
  for (const [inputs, expected] of [
    [
      [1, 13, 2],
      [-1, "13", -2],
    ],
    [
      [13, 1],
      ["13", -1],
    ],
  ] as const) {
    const { shared, work, runs, end } = transactionsByHand(1)
    const results = Promise.allSettled(inputs.map((input) => shared.run(work, input)))
    await turn()
    for (let n = 0; n <= inputs.length; n++) await end()
    assert.deepEqual(
      (await results).map((result) => (result.status === "fulfilled" ? result.value : result.reason.message)),
      expected,
    )
    assert.deepEqual(runs, [inputs, ...inputs.map((input) => [input])])
  }
})

test("what fails alone, or because the store is unavailable, is not run again", async () => {
  for (const inputs of [[13], [1, 99, 2]]) {
    const { shared, work, end, transactions } = transactionsByHand(1)
    const results = Promise.allSettled(inputs.map((input) => shared.run(work, input)))
    await turn()
    await end()
    assert.ok((await results).every(({ status }) => status === "rejected"))
    assert.equal(transactions(), 1)
  }
})
