// Runs in a process of its own.
import assert from "node:assert/strict"
import { copyFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { after, test } from "node:test"
import { type Change, type Database, OutcomeUnknown, StoreUnavailable } from "../../src/core/domain/ports/store.ts"
import { framesMax } from "../../src/core/sqlite/checkpoint.ts"
import { lockDatabase } from "../../src/core/sqlite/lock.ts"
import { openSqlite } from "../../src/core/sqlite/open.ts"
import { examine } from "../harness/consistency.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { heldDisk, worstDisk } from "../harness/disk.ts"
import { turns } from "../harness/turns.ts"
import { samplePet } from "./store/samples.ts"

const directory = temporaryDirectory()
after(() => directory[Symbol.dispose]())

let count = 0
const newFile = () => join(directory.path, `${count++}.db`)
const pageBytes = 4096

/** A store on a disk whose flushes the test completes or fails; records what the store did when the disk failed. */
function openHeld() {
  const disk = heldDisk()
  const ends: StoreUnavailable[] = []
  const store = openSqlite(newFile(), { openDisk: disk.openDisk, endProcess: (error) => void ends.push(error) })
  return { store, disk, ends }
}

const addPet = (store: Database, id: number, pages = 0) =>
  store.transaction(async (tx) => {
    await tx.pets.add([samplePet(id, { photoUrls: Array(pages * 2).fill("x".repeat(2040)) })])
    await tx.events.add("pet.created", { id, name: `pet ${id}`, status: "available" }, 1)
    return id
  })

/** The outcomes of promises so far, in order. */
function watch(promises: Record<string, Promise<unknown>>): string[] {
  const ended: string[] = []
  for (const [name, promise] of Object.entries(promises))
    void promise.then(
      () => ended.push(name),
      (error: Error) => ended.push(`${name}: ${error.message}`),
    )
  return ended
}

test("a commit is neither reported nor readable before it is durable", async () => {
  const { store, disk } = openHeld()
  const told: Change[][] = []
  store.onCommit((changes) => void told.push([...changes]))
  const ended = watch({ pet: addPet(store, 1) })
  const call = await disk.next()
  await turns()
  assert.deepEqual({ ended, told, read: store.pets.read(1) }, { ended: [], told: [], read: undefined })

  call.done()
  await turns()
  assert.deepEqual({ ended, told }, { ended: ["pet"], told: [["event-added"]] })
  assert.ok(store.pets.read(1))
  await store.close()
})

test("transactions that arrive during a flush run, commit together afterwards, and are not readable before they are durable", async () => {
  const { store, disk } = openHeld()
  const ran: number[] = []
  const add = (id: number) =>
    store.transaction(async (tx) => {
      await tx.pets.add([samplePet(id)])
      ran.push(id)
    })
  const first = add(1)
  const call = await disk.next()
  const later = []
  for (let id = 2; id <= 100; id++) {
    later.push(add(id))
    if (id < 5) await new Promise(setImmediate)
  }
  await turns()
  assert.deepEqual(ran.slice(0, 10), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  assert.ok(disk.isIdle(), "no second commit before the first is durable, however many wait")

  call.done()
  await first
  const second = await disk.next()
  await turns()
  assert.deepEqual([!!(await store.pets.read(1)), await store.pets.read(2), disk.isIdle()], [true, undefined, true])
  second.done()
  ;(await disk.next()).done()
  await Promise.all(later)
  assert.ok(await store.pets.read(100))
  await store.close()
})

test("a refusal that depends on a commit that is not durable yet waits for the flush, too", async () => {
  const { store, disk } = openHeld()
  const refuse = store.transaction.bind(store)
  const first = addPet(store, 1)
  const call = await disk.next()
  const ended = watch({
    refused: refuse(async (tx) => {
      if (await tx.pets.read(1)) throw new Error("exists")
    }),
  })
  await turns()
  assert.deepEqual(ended, [])
  call.done()
  await first
  await turns()
  assert.deepEqual(ended, ["refused: exists"])
  await store.close()
})

test("a transaction that wrote nothing is not flushed, and the next one that writes is", async () => {
  const { store, disk } = openHeld()
  const isThere = () => store.transaction(async (tx) => (await tx.pets.read(1)) !== undefined)
  assert.equal(await isThere(), false)
  const ended = watch({ pet: addPet(store, 1) })
  const call = await disk.next()
  await turns()
  assert.deepEqual(ended, [])
  call.done()
  await turns()
  assert.deepEqual(
    { ended, isThere: await isThere(), isIdle: disk.isIdle() },
    { ended: ["pet"], isThere: true, isIdle: true },
  )
  await store.close()
})

test("ten thousand transactions wait at most", async () => {
  const { store } = openHeld()
  const nothing = async () => undefined
  const waiting = Array.from({ length: 10_000 }, () => store.transaction(nothing))
  await assert.rejects(store.transaction(nothing), new StoreUnavailable("too many writes are waiting"))
  await Promise.all(waiting)
  await store.close()
})

test("after a flush of five seconds writes are refused, and waiting callers receive the known outcome", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] })
  const { store, disk, ends } = openHeld()
  const told: Change[][] = []
  store.onCommit((changes) => void told.push([...changes].sort()))
  const causes = (results: PromiseSettledResult<unknown>[]) =>
    results.map((result) => (result.status === "rejected" ? result.reason.constructor : result.value))
  const committed = Promise.allSettled([addPet(store, 1)])
  const call = await disk.next()
  const running = Promise.allSettled([addPet(store, 2)])
  await turns()
  const waiting = Promise.allSettled(Array.from({ length: 100 }, (_, n) => addPet(store, 100 + n)))

  t.mock.timers.tick(4_999)
  await turns()
  assert.equal(store.refusesWrites?.(), undefined)
  t.mock.timers.tick(1)
  await turns()
  assert.equal(store.refusesWrites?.(), "the disk has not confirmed a write for 5 seconds")
  const onTheWay = await committed
  const undone = [...(await running), ...(await waiting), ...(await Promise.allSettled([addPet(store, 3)]))]
  assert.deepEqual(causes(onTheWay), [OutcomeUnknown])
  assert.deepEqual(causes(undone), Array(102).fill(StoreUnavailable))
  assert.deepEqual({ read: await store.pets.read(1), isIdle: disk.isIdle() }, { read: undefined, isIdle: true })

  call.done()
  await turns()
  assert.deepEqual(
    { refusal: store.refusesWrites?.(), told },
    { refusal: undefined, told: [["event-added", "outcome-unknown"]] },
  )
  const next = addPet(store, 4)
  ;(await disk.next()).done()
  assert.equal(await next, 4)
  const ids = [1, 2, 3, 4, 100, 199]
  const found = await Promise.all(ids.map((id) => store.pets.read(id)))
  assert.deepEqual(
    ids.filter((_, n) => found[n]),
    [1, 4],
  )
  assert.deepEqual(ends, [])
  await store.close()
})

test("when the disk fails no commit is reported or readable, writing ends, and so does the process", async () => {
  const { store, disk, ends } = openHeld()
  const first = addPet(store, 1)
  ;(await disk.next()).done()
  await first

  const unknown = watch({ unknown: addPet(store, 2) })
  const call = await disk.next()
  const after = watch({ after: addPet(store, 3) })
  await turns()
  call.fail(new Error("EIO"))
  await turns()
  await assert.rejects(addPet(store, 4), StoreUnavailable)
  assert.deepEqual({ unknown, after }, { unknown: [], after: ["after: the disk failed"] })
  assert.deepEqual(
    ends.map(({ cause }) => cause),
    [new Error("EIO")],
  )
  assert.ok(disk.isIdle())
  assert.deepEqual([!!(await store.pets.read(1)), await store.pets.read(2)], [true, undefined])
  await store.close()
})

test("after a failed flush the next start copies the log into the database before anything else", async () => {
  const { store, disk, ends } = openHeld()
  const file = join(directory.path, `${count - 1}.db`)
  const ended = watch({ pet: addPet(store, 1) })
  ;(await disk.next()).fail(new Error("EIO"))
  await turns()
  assert.deepEqual({ ended, ends: ends.length }, { ended: [], ends: 1 })
  // A copy of the ended process's files, because this process still holds its locks.
  const left = newFile()
  for (const suffix of ["", "-wal"]) copyFileSync(file + suffix, left + suffix)
  assert.ok(statSync(`${left}-wal`).size > 0)

  const unlock = lockDatabase(left)
  assert.equal(statSync(`${left}-wal`, { throwIfNoEntry: false })?.size ?? 0, 0)
  unlock()
  const copied = newFile()
  copyFileSync(left, copied)
  assert.ok(examine(copied).pets.has(1), "the database itself holds what the log held")
  await store.close()
})

test("the log is overwritten only once the database is durable, and never after a failed flush", async () => {
  const { store, disk, ends } = openHeld()
  const first = addPet(store, 1, framesMax)
  ;(await disk.next()).done()
  await first
  const ended = watch({ next: addPet(store, 2) })
  const call = await disk.next()
  await turns()
  assert.deepEqual({ what: call.what, ended, isIdle: disk.isIdle() }, { what: "database", ended: [], isIdle: true })
  assert.ok(await store.pets.read(1), "a read does not wait")

  call.fail(new Error("EIO"))
  await turns()
  assert.deepEqual({ ended, ends: ends.length }, { ended: ["next: the disk failed"], ends: 1 })
  await store.close()
})

test("under steady writes and reads the log stays bounded", async () => {
  const file = newFile()
  const store = openSqlite(file)
  for (let id = 1; id <= 400; id++) {
    await Promise.all([addPet(store, id, 20), addPet(store, 1000 + id)])
    assert.ok(await store.pets.read(id))
  }
  const bytes = statSync(`${file}-wal`).size
  assert.ok(bytes > framesMax * pageBytes, "the log was filled")
  assert.ok(bytes < framesMax * pageBytes * 1.5, `${bytes} bytes`)
  await store.close()
})

test("after a power failure at any time, every acknowledged change is stored, and none in part", async () => {
  const left = newFile()
  const store = openSqlite(newFile(), { ...worstDisk(left), endProcess: assert.fail })
  const acknowledged = new Set<number>()
  const found: number[] = []
  for (let round = 1; round <= 60; round++) {
    const ids = Array.from({ length: 5 }, (_, n) => round * 10 + n)
    const writing = ids.map((id) => addPet(store, id, 5).then((id) => acknowledged.add(id)))
    await writing[0]
    const expected = [...acknowledged]
    const copy = newFile()
    for (const suffix of ["", "-wal"]) copyFileSync(`${left}${suffix}`, `${copy}${suffix}`)
    const { pets, contradictions } = examine(copy)
    assert.deepEqual(contradictions, [])
    assert.deepEqual(
      expected.filter((id) => !pets.has(id)),
      [],
    )
    found.push(pets.size)
    await Promise.all(writing)
  }
  assert.ok((found.at(-1) as number) > framesMax / 5, "the log was copied and started over meanwhile")
  await store.close()
})
