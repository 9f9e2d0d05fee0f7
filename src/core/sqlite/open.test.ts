import assert from "node:assert/strict"
import { existsSync, readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { samplePet } from "../../../test/conformance/store/samples.ts"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { heldDisk } from "../../../test/harness/disk.ts"
import { countAllOpen } from "../../../test/harness/open-files.ts"
import { tablesIn } from "../../../test/harness/tables.ts"
import { turns } from "../../../test/harness/turns.ts"
import { type Database, OutcomeUnknown } from "../domain/ports/store.ts"
import { CannotStart } from "../kernel/cannot-start.ts"
import { describeDatabase, findDamage } from "./description.ts"
import { openSqlite, versionOf } from "./open.ts"
import { openSqliteReader } from "./reader.ts"

const failure = (errcode: number) => Object.assign(new Error("no"), { errcode })

test("after a failure of the disk, only a write that succeeds ends the refusal", async () => {
  using directory = temporaryDirectory()
  const store = openSqlite(join(directory.path, "petstore.db"))
  await assert.rejects(store.transaction(() => Promise.reject(failure(10))))
  const refusal = "the disk reported an error"
  assert.equal(store.refusesWrites?.(), refusal)
  await store.transaction(async (tx) => tx.pets.read(1))
  assert.equal(store.refusesWrites?.(), refusal, "reading proves nothing")
  await store.transaction((tx) => tx.pets.add([samplePet(1)]))
  assert.equal(store.refusesWrites?.(), undefined)
  await store.close()
})

test("a full disk is tried again every five seconds until the store is closed", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] })
  using directory = temporaryDirectory()
  const file = join(directory.path, "petstore.db")
  const before = countAllOpen()
  const store = openSqlite(file)
  const fill = async () => {
    await assert.rejects(store.transaction(() => Promise.reject(failure(13))))
    await turns()
    assert.deepEqual([store.refusesWrites?.(), existsSync(`${file}.reserve`)], ["the disk is full", false])
  }
  await fill()
  t.mock.timers.tick(5_000)
  for (let n = 0; n < 20 && store.refusesWrites?.() !== undefined; n++) await turns()
  assert.deepEqual([store.refusesWrites?.(), existsSync(`${file}.reserve`)], [undefined, true])
  await fill()
  await store.close()
  t.mock.timers.tick(5_000)
  await turns()
  assert.deepEqual(
    [existsSync(`${file}.reserve`), readdirSync(directory.path).sort(), countAllOpen()],
    [false, ["petstore.db", "petstore.db.lock"], before],
  )
})

test("a flush that takes five seconds is reported and refuses writes, until it succeeds", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] })
  using directory = temporaryDirectory()
  const disk = heldDisk()
  const reports: unknown[] = []
  const store = openSqlite(join(directory.path, "petstore.db"), {
    openDisk: disk.openDisk,
    report: (...failure) => void reports.push(failure),
  })
  const lost = assert.rejects(
    store.transaction((tx) => tx.pets.add([samplePet(1)])),
    OutcomeUnknown,
  )
  const flush = await disk.next()
  t.mock.timers.tick(5_000)
  await lost
  const reason = "the disk has not confirmed a write for 5 seconds"
  assert.deepEqual([store.refusesWrites?.(), reports], [reason, [["flush", reason]]])
  flush.done()
  await turns()
  assert.deepEqual([store.refusesWrites?.(), reports.slice(1)], [undefined, [["flush", undefined]]])
  await store.close()
})

/** Adds a pet with a tag. */
const addTagged = (store: Database, fails = false) =>
  store.transaction(async (tx) => {
    const tags = [...(await tx.pets.tagIds(["tag"]))].map(([name, id]) => ({ id, name }))
    await tx.pets.add([samplePet(1, { tags })])
    if (fails) throw new Error("no")
  })

test("a name that was added by a transaction that failed is added again", async () => {
  using directory = temporaryDirectory()
  const store = openSqlite(join(directory.path, "petstore.db"))
  await assert.rejects(addTagged(store, true), /^Error: no$/)
  assert.equal(await store.pets.read(1), undefined)
  await addTagged(store)
  assert.ok(await store.pets.read(1))
  await store.close()
})

test("the sizes of the files and the waiting commits are measured", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "petstore.db")
  const store = openSqlite(file)
  await store.transaction((tx) => tx.pets.add([samplePet(1)]))
  const sizes = [file, `${file}-wal`].map((path) => statSync(path).size)
  const waiting = [1, 2].map(() => store.transaction(async () => undefined))
  const names = ["petstore_commits_waiting", "petstore_database_size_bytes", "petstore_database_wal_size_bytes"]
  const measured = store.metrics?.filter(({ name }) => names.includes(name)).map((metric) => metric.read())
  assert.deepEqual(
    await Promise.all(measured ?? []),
    [2, ...sizes].map((value) => [{ labels: {}, value }]),
  )
  await Promise.all(waiting)
  rmSync(`${file}-wal`)
  const log = store.metrics?.find(({ name }) => name === names[2])
  assert.deepEqual(await log?.read(), [{ labels: {}, value: 0 }], "a file that is gone has no size")
  await store.close()
})

test("a store that started over can still shrink, and knows no name of before", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "petstore.db")
  const store = openSqlite(file)
  await addTagged(store)
  await store.startOver?.(async () => undefined)
  assert.equal(await store.pets.read(1), undefined)
  await addTagged(store)
  assert.ok(await store.pets.read(1))
  await store.close()
  using db = new DatabaseSync(file)
  assert.deepEqual({ ...db.prepare("PRAGMA auto_vacuum").get() }, { auto_vacuum: 2 })
})

test("a store that started over gives its space back at once", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "petstore.db")
  const store = openSqlite(file)
  const photoUrls = Array(50).fill("u".repeat(2000))
  await store.transaction((tx) => tx.pets.add(Array.from({ length: 60 }, (_, n) => samplePet(n + 1, { photoUrls }))))
  const sizeAfter = async (work: Promise<unknown> | undefined) => {
    await work
    await store.transaction(async () => undefined)
    return statSync(file).size
  }
  const full = await sizeAfter(undefined)
  assert.ok(full > 5_000_000)
  assert.ok((await sizeAfter(store.startOver(async () => undefined))) < 1_000_000)
  await store.close()
})

test("a reader neither writes nor creates a file", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "petstore.db")
  const store = openSqlite(file)
  await assert.rejects(async () => store.pets.add([samplePet(1)]), /the database is read-only/)
  await store.close()
  {
    using reader = openSqliteReader(file)
    await assert.rejects(async () => reader.pets.add([samplePet(1)]), /the database is read-only/)
  }
  const absent = join(directory.path, "absent.db")
  assert.throws(() => versionOf(absent), CannotStart)
  for (const read of [openSqliteReader, describeDatabase, findDamage, tablesIn])
    assert.throws(() => read(absent), { errcode: 14 })
  assert.equal(existsSync(absent), false)
})
