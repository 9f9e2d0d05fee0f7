import assert from "node:assert/strict"
import { test } from "node:test"
import { emptyExchange } from "../../test/harness/exchange.ts"
import { principalOf } from "../../test/harness/principal.ts"
import type { Exchanged, ExchangeFacts } from "../domain/sandbox/model.ts"
import type { Clock } from "../kernel/clock.ts"
import { Journals } from "./journal.ts"

const { caller } = principalOf(1)

const exchanged = (facts: Partial<ExchangeFacts> = {}, bytes = 0): Exchanged => ({
  ...emptyExchange,
  facts: { ...emptyExchange.facts, ...facts },
  ...(bytes > 0 && { requestBody: new Uint8Array(bytes) }),
})

const identified = exchanged({ caller })
const clock: Clock = { now: () => 1000 }
const idsOf = (journal: ReturnType<Journals["open"]>) => journal.newest(undefined).map(({ id }) => id)
const fill = (journal: ReturnType<Journals["open"]>, ...added: Exchanged[]) => {
  for (const each of added) journal.add(each)
}
const times = (count: number, each: Exchanged) => Array.from({ length: count }, () => each)

/** The bytes of an entry without a body. */
const unit = (() => {
  const journal = new Journals().open(clock)
  journal.add(identified)
  return journal.newest(undefined)[0]?.bytes ?? 0
})()

test("entries are found by id, newest or oldest first, whether they had a credential or not", () => {
  const journal = new Journals().open(clock)
  assert.deepEqual([idsOf(journal), journal.last()], [[], 0])
  fill(journal, exchanged(), identified, exchanged({ webhookId: 1 }), exchanged())
  const newest = (before: number) => journal.newest(before).map(({ id }) => id)
  const after = (id: number, limit: number) => journal.after(id, limit).map((entry) => entry.id)
  assert.deepEqual([idsOf(journal), newest(5), newest(4), newest(1)], [[4, 3, 2, 1], [4, 3, 2, 1], [3, 2, 1], []])
  assert.deepEqual([after(0, 4), after(0, 2), after(2, 9), after(4, 9)], [[1, 2, 3, 4], [1, 2], [3, 4], []])
  assert.equal(journal.last(), 4)
  journal.clear()
  assert.deepEqual([idsOf(journal), journal.last(), journal.removedUntil()], [[], 4, undefined])
  journal.add(identified)
  assert.deepEqual(idsOf(journal), [5])
})

test("an entry has the time at which its request began, or that of a frozen clock", () => {
  for (const [isFrozen, at] of [
    [undefined, 750],
    [() => false, 750],
    [() => true, 1000],
  ] as const) {
    const journal = new Journals().open({ ...clock, ...(isFrozen && { isFrozen }) })
    journal.add(exchanged({ durationMs: 250 }))
    assert.equal(journal.newest(undefined)[0]?.at, at)
  }
})

test("a listener is called after each addition until it stops", () => {
  const journal = new Journals().open(clock)
  const lengths: number[] = []
  const stop = journal.listen(() => lengths.push(idsOf(journal).length))
  fill(journal, identified, exchanged())
  stop()
  journal.add(identified)
  assert.deepEqual(lengths, [1, 2])
})

test("a closed journal is empty and stays so", () => {
  const journal = new Journals().open(clock)
  const calls: number[] = []
  journal.listen(() => calls.push(1))
  fill(journal, identified, exchanged())
  journal[Symbol.dispose]()
  journal.add(identified)
  assert.deepEqual([idsOf(journal), journal.last(), calls.length], [[], 2, 2])
})

test("a journal knows until when entries made way for others since it was cleared", () => {
  const journal = new Journals({ entriesMax: 2 }).open(clock)
  fill(journal, exchanged({ durationMs: 100 }), exchanged({ durationMs: 300 }))
  assert.equal(journal.removedUntil(), undefined)
  journal.add(exchanged({ durationMs: 200 }))
  assert.equal(journal.removedUntil(), 900)
  journal.add(identified)
  assert.equal(journal.removedUntil(), 900, "the latest, although an earlier one was removed after it")
  journal.add(identified)
  assert.equal(journal.removedUntil(), 900)
  journal.clear()
  assert.equal(journal.removedUntil(), undefined)
})

test("the oldest entries are removed when there are more entries or bytes than the bounds", () => {
  const entries = new Journals({ entriesMax: 3 }).open(clock)
  fill(entries, ...times(3, identified))
  assert.deepEqual(idsOf(entries), [3, 2, 1])
  entries.add(identified)
  assert.deepEqual(idsOf(entries), [4, 3, 2])
  const bytes = new Journals({ bytesMax: 3 * unit }).open(clock)
  fill(bytes, ...times(3, identified))
  assert.deepEqual(idsOf(bytes), [3, 2, 1])
  bytes.add(exchanged({ caller }, 1))
  assert.deepEqual(idsOf(bytes), [4, 3])
  bytes.add(exchanged({ webhookId: 1 }))
  assert.deepEqual(idsOf(bytes), [5, 4])
})

for (const [name, bounds] of [
  ["entries of a journal", { entriesMax: 10 }],
  ["bytes of a journal", { bytesMax: 10 * unit }],
  ["bytes of all journals", { allBytesMax: 10 * unit }],
] as const)
  test(`requests without a valid credential can take four fifths of the ${name}`, () => {
    const within = new Journals(bounds).open(clock)
    fill(within, ...times(2, identified), ...times(8, exchanged()), identified)
    assert.deepEqual(idsOf(within), [11, 10, 9, 8, 7, 6, 5, 4, 3, 2], "with their share, the oldest makes way")
    const above = new Journals(bounds).open(clock)
    fill(above, identified, ...times(9, exchanged()), identified)
    assert.deepEqual(idsOf(above), [11, 10, 9, 8, 7, 6, 5, 4, 3, 1], "with more, their oldest one does")
    const few = new Journals(bounds).open(clock)
    fill(few, exchanged(), ...times(10, identified))
    assert.deepEqual(idsOf(few), [11, 10, 9, 8, 7, 6, 5, 4, 3, 2])
  })

test("all journals together keep their bytes: the oldest entry of any makes way", () => {
  const journals = new Journals({ allBytesMax: 4 * unit })
  const [one, two, three] = [journals.open(clock), journals.open(clock), journals.open(clock)]
  fill(one, identified)
  fill(two, identified, identified)
  fill(one, identified)
  assert.deepEqual(
    [idsOf(one), idsOf(two)],
    [
      [2, 1],
      [2, 1],
    ],
  )
  fill(three, identified)
  assert.deepEqual([idsOf(one), idsOf(two), idsOf(three)], [[2], [2, 1], [1]])
  fill(three, identified)
  assert.deepEqual([idsOf(one), idsOf(two), idsOf(three)], [[2], [2], [2, 1]])
  two.clear()
  fill(three, identified)
  assert.deepEqual(
    [idsOf(one), idsOf(two), idsOf(three)],
    [[2], [], [3, 2, 1]],
    "a cleared one leaves its bytes to others",
  )
})

test("what was removed no longer counts for the share of requests without a valid credential", () => {
  const journal = new Journals({ allBytesMax: 10 * unit }).open(clock)
  fill(journal, ...times(8, exchanged()))
  journal.clear()
  fill(journal, ...times(2, identified), ...times(8, exchanged()), identified)
  assert.deepEqual(idsOf(journal), [19, 18, 17, 16, 15, 14, 13, 12, 11, 10])
})

test("a journal keeps a thousand requests of 8 MiB, and all journals 64 MiB", () => {
  const mebibyte = 1024 * 1024
  const small = new Journals().open(clock)
  fill(small, ...times(1001, identified))
  assert.deepEqual([idsOf(small).length, idsOf(small).at(-1)], [1000, 2])
  const large = exchanged({ caller }, 16 * 1024)
  const bytes = unit + 16 * 1024
  const keptOf = (mebibytes: number) => Math.floor((mebibytes * mebibyte) / bytes)
  const journals = new Journals()
  const ten = times(10, large).map(() => journals.open(clock))
  for (const journal of ten) fill(journal, ...times(keptOf(8) + 1, large))
  const lengths = ten.map((journal) => idsOf(journal).length)
  assert.deepEqual([lengths.at(-1), lengths.reduce((sum, length) => sum + length, 0)], [keptOf(8), keptOf(64)])
})
