import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { manualClock } from "../../../test/harness/clock.ts"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { cannotListOpenFiles, countOpen } from "../../../test/harness/open-files.ts"
import { UsageError } from "../command/command.ts"
import { openJournal } from "./journal.ts"

const hourMs = 60 * 60 * 1000
const identity = { source: "file-1", url: "http://a", store: "s1", newIds: false, reading: undefined }
const pet = (line: number, name = `pet ${line}`) => ({ line, mark: `m${line}`, draft: { name, photoUrls: [] } })

/** A journal in a directory that is removed, with its lines. */
function openState(text?: string) {
  const directory = temporaryDirectory()
  const path = join(directory.path, "state")
  if (text !== undefined) writeFileSync(path, text)
  const clock = manualClock()
  return {
    path,
    clock,
    open: (changed: object = {}) => openJournal(path, { ...identity, ...changed }, clock),
    entries: () =>
      readFileSync(path, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    [Symbol.dispose]: directory[Symbol.dispose],
  }
}

test("a journal records batches before they are sent and their results, and a later run continues it", () => {
  using state = openState()
  const first = state.open()
  const { source, url, store, newIds, reading, doneBefore, open } = first
  assert.deepEqual({ source, url, store, newIds, reading }, identity)
  assert.deepEqual([doneBefore, open], [0, []])
  assert.deepEqual([first.nextNumber(), first.nextNumber()], [0, 1])
  first.recordBatch({ key: "k0", pets: [{ ...pet(1), bytes: Buffer.from("x") }, pet(2), pet(3)] })
  first.recordResults("k0", [11, null, 13])
  state.clock.advance(1000)
  first.recordBatch({ key: "k1", pets: [pet(4)] })
  first.recordBatch({ key: "k2", pets: [pet(5)] })
  first.recordResults("k1", [])
  first.recordResults("other", [1])
  first.close()
  const time = "2026-01-01T00:00:00.000Z"
  assert.deepEqual(state.entries(), [
    { import: 2, source: "file-1", url: "http://a", store: "s1", newIds: false },
    { batch: "k0", time, pets: [pet(1), pet(2), pet(3)] },
    { batch: "k0", ids: [11, null, 13] },
    { batch: "k1", time: time.replace("00.000", "01.000"), pets: [pet(4)] },
    { batch: "k2", time: time.replace("00.000", "01.000"), pets: [pet(5)] },
    { batch: "k1", ids: [] },
    { batch: "other", ids: [1] },
  ])

  const second = state.open({ source: "file-2" })
  assert.equal(second.source, "file-1")
  assert.equal(second.doneBefore, 2)
  assert.deepEqual(
    ["m1", "m2", "m3", "m4", "m5"].map((mark) => second.isDone(mark)),
    [true, false, true, false, false],
  )
  assert.deepEqual(second.open, [{ key: "k2", pets: [pet(5)], isStale: false }])
  assert.equal(second.nextNumber(), 3)
  second.recordFinished()
  second.close()
  assert.deepEqual(state.entries().slice(7), [{ finished: time.replace("00.000", "01.000") }])
})

test("a batch without results is stale once its key may have expired, after 23 hours", () => {
  using state = openState()
  const journal = state.open()
  journal.recordBatch({ key: "k0", pets: [pet(1)] })
  journal.close()
  const isStale = () => {
    const later = state.open()
    later.close()
    return later.open.map((batch) => batch.isStale)
  }
  state.clock.advance(23 * hourMs)
  assert.deepEqual(isStale(), [false])
  state.clock.advance(1)
  assert.deepEqual(isStale(), [true])
})

test("without a path a journal is in memory only", () => {
  const journal = openJournal(undefined, identity, manualClock())
  journal.recordBatch({ key: "k0", pets: [pet(1)] })
  journal.recordResults("k0", [1])
  journal.recordFinished()
  journal.close()
  assert.deepEqual([journal.isDone("m1"), journal.open, journal.doneBefore], [false, [], 0])
})

test("an import is continued in the same way at the same place only", () => {
  const head = (more: object = {}) => `${JSON.stringify({ import: 2, ...identity, ...more })}\n`
  const done = `${JSON.stringify({ batch: "k", pets: [pet(1)] })}\n${JSON.stringify({ batch: "k", ids: [1] })}\n`
  const refusals: [text: string, changed: object, why: string][] = [
    ["{}\n", {}, "is not the state of an import; name another file with --state"],
    ["no JSON\n", {}, "is not the state of an import; name another file with --state"],
    [head({ import: 3 }), {}, "is not the state of an import; name another file with --state"],
    [
      head({ url: "http://b" }),
      {},
      "belongs to an import into http://b; use another --state, or start over with --again",
    ],
    [
      head({ store: "s2" }),
      {},
      "belongs to an import into an earlier store at http://a, which was reset or replaced; import into the " +
        "current one with another --state, or with --again",
    ],
    [
      head() + done,
      { newIds: true },
      "belongs to an import without --new-ids; continue it the same way, or start over with --again",
    ],
    [
      head({ newIds: true }) + done,
      {},
      "belongs to an import with --new-ids; continue it the same way, or start over with --again",
    ],
    [
      head() + done,
      { reading: "--map a=name" },
      "belongs to an import without --map and --columns; continue it the same way, or start over with --again",
    ],
    [
      head({ reading: "--map a=name" }) + done,
      {},
      "belongs to an import with --map a=name; continue it the same way, or start over with --again",
    ],
  ]
  for (const [text, changed, why] of refusals) {
    using state = openState(text)
    assert.throws(() => state.open(changed), new UsageError(`${state.path} ${why}`))
    assert.equal(readFileSync(state.path, "utf8"), text)
  }
  for (const store of [undefined, "s2"]) {
    using state = openState(head({ store }) + done)
    const journal = state.open(store === undefined ? {} : { store: undefined })
    assert.deepEqual([journal.store, journal.doneBefore], [store, 1])
    journal.close()
  }
})

test("a journal of no pets is replaced by an import in another way", () => {
  const refused = `${JSON.stringify({ batch: "k", pets: [pet(1)] })}\n${JSON.stringify({ batch: "k", ids: [null] })}\n`
  const open = `${JSON.stringify({ batch: "k", pets: [pet(1)] })}\n`
  const text = `${JSON.stringify({ import: 2, ...identity })}\n`
  for (const changed of [{ newIds: true }, { reading: "--columns a" }]) {
    using state = openState(text + refused)
    state.open({ ...changed, source: "file-2" }).close()
    assert.deepEqual(state.entries(), [
      JSON.parse(JSON.stringify({ import: 2, ...identity, ...changed, source: "file-2" })),
    ])
    using sent = openState(text + open)
    assert.throws(() => sent.open(changed), UsageError)
  }
  using same = openState(text + refused)
  const journal = same.open({ source: "file-2" })
  assert.deepEqual([journal.source, journal.nextNumber()], ["file-1", 1])
  journal.close()
  assert.equal(same.entries().length, 3)
})

test("an entry that is torn is ignored, and the next one is on a line of its own", () => {
  using state = openState(`${JSON.stringify({ import: 2, ...identity })}\n\n{"batch":"k","pets":[`)
  const journal = state.open()
  journal.recordBatch({ key: "k1", pets: [pet(1)] })
  journal.recordResults("k1", [1])
  journal.close()
  const again = state.open()
  assert.deepEqual([again.isDone("m1"), again.open], [true, []])
  again.close()
  assert.match(readFileSync(state.path, "utf8"), /\n\{"batch":"k","pets":\[\n\{"batch":"k1"[^\n]*\n[^\n]*\n$/)
})

test("a journal may be larger than what is read at once, with characters of several bytes", () => {
  using state = openState()
  const journal = state.open()
  const name = "犬".repeat(700_001)
  journal.recordBatch({ key: "k0", pets: [pet(1, name)] })
  journal.recordBatch({ key: "k1", pets: [pet(2)] })
  journal.close()
  const again = state.open()
  assert.deepEqual(
    again.open.map(({ pets }) => pets[0]),
    [pet(1, name), pet(2)],
  )
  again.close()
})

test("a journal is read to its last byte, also when that is read alone", () => {
  const head = `${JSON.stringify({ import: 2, ...identity })}\n`
  const open = (name: string) => JSON.stringify({ batch: "k", time: "2026-01-01T00:00:00Z", pets: [pet(1, name)] })
  const name = "x".repeat(1024 * 1024 + 1 - head.length - open("").length)
  using state = openState(head + open(name))
  const journal = state.open()
  assert.deepEqual(journal.open, [{ key: "k", pets: [pet(1, name)], isStale: false }])
  journal.close()
})

test("a journal keeps its file open once, until it is closed", { skip: cannotListOpenFiles }, () => {
  using state = openState()
  for (const _ of ["new", "continued"]) {
    const journal = state.open()
    assert.equal(countOpen(state.path), 1)
    journal.close()
    assert.equal(countOpen(state.path), 0)
  }
  assert.throws(() => state.open({ url: "http://b" }), UsageError)
  assert.equal(countOpen(state.path), 0)
})

test("a state that cannot be read or written is refused", () => {
  using directory = temporaryDirectory()
  assert.throws(() => openJournal(directory.path, identity, manualClock()), { code: "EISDIR" })
  const below = join(directory.path, "none", "state")
  assert.throws(
    () => openJournal(below, identity, manualClock()),
    new UsageError(`the file of --state cannot be written: ${below} does not exist`),
  )
})
