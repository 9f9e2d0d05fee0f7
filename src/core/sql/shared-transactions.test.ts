import assert from "node:assert/strict"
import { test } from "node:test"
import { migratedDatabase } from "../../../test/harness/migrated.ts"
import { RowsUnavailable, type Store, StoreUnavailable } from "../domain/ports/store.ts"
import { SharedTransactions } from "./shared-transactions.ts"
import { repositories } from "./store.ts"

/** Transactions that a test ends; records the inputs of each run. */
function transactionsByHand(commonMax: number) {
  const { connection, ...database } = migratedDatabase()
  const tx = repositories(connection)
  const running: (() => void)[] = []
  const runs: number[][] = []
  let transactions = 0
  const transaction: Store["transaction"] = async (work) => {
    transactions++
    await new Promise<void>((resolve) => running.push(resolve))
    return work(tx)
  }
  const shared = new SharedTransactions({ common: transaction, commonMax })
  const work = async (_: unknown, inputs: readonly number[]) => {
    runs.push([...inputs])
    return inputs.map((input) => {
      if (input === 13) throw new Error("13")
      if (input === 98) throw new RowsUnavailable("98")
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
    [Symbol.dispose]: database[Symbol.dispose],
  }
}

const turn = () => new Promise(setImmediate)

test("while a transaction does not end, a thousand inputs wait for it and further ones are refused", async () => {
  using made = transactionsByHand(1)
  const { shared, work, running, end } = made
  const first = shared.run(work, 1)
  await turn()
  const waiting = Promise.all(Array.from({ length: 1_000 }, (_, n) => shared.run(work, 1_000 + n)))
  await assert.rejects(shared.run(work, 2), StoreUnavailable)
  while (running.length > 0) await end()
  assert.equal(await first, -1)
  assert.equal((await waiting).length, 1_000)
})

test("inputs of one turn share a transaction, a hundred at most, and so many transactions run at once", async () => {
  using made = transactionsByHand(2)
  const { shared, work, runs, running, end } = made
  const inputs = Array.from({ length: 250 }, (_, n) => 1000 + n)
  const all = Promise.all(inputs.map((input) => shared.run(work, input)))
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
    await all,
    inputs.map((input) => -input),
  )
})

test("it is measured how many inputs a transaction has, up to the bounds 1, 2, 4, 8, 16, 32, 64 and 100", async () => {
  using made = transactionsByHand(1)
  const { shared, work, end } = made
  for (const count of [1, 3, 100]) {
    const all = Promise.all(Array.from({ length: count }, (_, n) => shared.run(work, 1_000 + n)))
    await turn()
    await end()
    await all
  }
  const [sizes] = shared.metrics
  assert.ok(sizes?.type === "histogram")
  const [{ distribution } = assert.fail()] = sizes.read()
  assert.deepEqual([distribution.sum, distribution.counts], [104, [1, 0, 1, 0, 0, 0, 0, 1, 0]])
})

test("a transaction that runs for long keeps no further ones of its kind waiting", async () => {
  using made = transactionsByHand(1)
  const { shared, work, end, transactions } = made
  const all: Promise<number>[] = []
  for (let n = 1; n <= 4; n++) {
    all.push(shared.run(work, n))
    while (transactions() < n) await turn()
  }
  all.push(shared.run(work, 5))
  await turn()
  assert.equal(shared.waiting, 1)
  for (let n = 0; n < 3; n++) await end()
  assert.deepEqual(await Promise.all(all), [-1, -2, -3, -4, -5])
})

test("each kind of work has a queue of its own", async () => {
  using made = transactionsByHand(1)
  const { shared, work, running, end } = made
  const other = async (_: unknown, inputs: readonly string[]) => inputs.map((input) => `${input}!`)
  const results = Promise.all([shared.run(work, 1), shared.run(other, "a"), shared.run(work, 2)])
  await turn()
  assert.equal(running.length, 2)
  await end()
  assert.deepEqual(await results, [-1, "a!", -2])
})

test("of a hundred inputs with a wrong one, only that is refused, after 21 transactions", async () => {
  for (const failing of [13, 98]) {
    using made = transactionsByHand(1)
    const { shared, work, runs, end } = made
    const inputs = Array.from({ length: 100 }, (_, n) => (n === 42 ? failing : 1000 + n))
    const results = Promise.allSettled(inputs.map((input) => shared.run(work, input)))
    await turn()
    for (let n = 0; n < 3; n++) await end()
    assert.deepEqual(
      (await results).flatMap(({ status }, n) => (status === "rejected" ? n : [])),
      [42],
    )
    assert.equal(runs.length, 21)
  }
})

test("what fails alone, or because the store is unavailable, is not run again", async () => {
  for (const inputs of [[13], [1, 99, 2]]) {
    using made = transactionsByHand(1)
    const { shared, work, end, transactions } = made
    const results = Promise.allSettled(inputs.map((input) => shared.run(work, input)))
    await turn()
    await end()
    assert.ok((await results).every(({ status }) => status === "rejected"))
    assert.equal(transactions(), 1)
  }
})
