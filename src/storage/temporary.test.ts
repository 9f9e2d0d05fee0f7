import assert from "node:assert/strict"
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { temporaryDirectory } from "../../test/harness/directory.ts"
import type { Pet } from "../domain/pets/contract.ts"
import { StoreUnavailable } from "../domain/ports/store.ts"
import { processDirectory, removeLeftovers } from "./process-directory.ts"
import { openTemporaryData, type TemporaryData } from "./temporary.ts"

const samplePet = (id: number, photoUrls: string[] = []): Pet => ({
  id,
  name: `pet ${id}`,
  photoUrls,
  tags: [],
  status: "available",
})

const failed = (error: unknown) => assert.fail(String(error))

/** Fills a home with a pet and an image of three bytes. */
async function fill(home: TemporaryData): Promise<void> {
  assert.ok(existsSync(home.directory))
  const [store, blobs] = [home.openDatabase(), home.openBlobs()]
  await store.transaction((tx) => tx.pets.add([samplePet(1)]))
  await using stage = await blobs.stage(0)
  const write = (name: string) =>
    stage.write(
      name,
      (async function* () {
        yield Buffer.from("x")
      })(),
    )
  await blobs.keep({ original: await write("a"), "320": await write("b"), "1280": await write("c") }, 0)
  await store.close()
}

async function petsIn(home: TemporaryData): Promise<number[]> {
  const store = home.openDatabase()
  const { json } = await store.pets.byStatus(["available"], { limit: 10, before: undefined })
  await store.close()
  return JSON.parse(json).map(({ id }: { id: number }) => id)
}

test("each home is a copy of the template, which is made once, or of another home as it is then", async () => {
  using directory = temporaryDirectory()
  const parent = join(directory.path, "temporary")
  let fills = 0
  const counted = async (home: TemporaryData) => {
    fills++
    await fill(home)
  }
  const stores = openTemporaryData(parent, counted, failed)
  const [one, other] = await Promise.all([stores.make(), stores.make()])
  assert.equal(fills, 1)
  assert.deepEqual([one.imageBytes(), readdirSync(join(one.imageDirectory, "kept")).length], [3, 1])
  const store = one.openDatabase()
  await store.transaction((tx) => tx.pets.add([samplePet(2)]))
  const copy = await stores.make(one)
  await store.close()
  assert.deepEqual([await petsIn(one), await petsIn(copy), await petsIn(other)], [[2, 1], [2, 1], [1]])
  assert.equal(new Set([one, other, copy].map((home) => home.directory)).size, 3)
  assert.equal((statSync(one.directory).mode & 0o777).toString(8), "700")
  const bytes =
    statSync(one.databaseFile).size + (statSync(`${one.databaseFile}-wal`, { throwIfNoEntry: false })?.size ?? 0)
  assert.equal(one.bytes(), bytes + 3)
  for (let n = 0; n < 2; n++) await one.remove()
  assert.deepEqual([existsSync(one.directory), existsSync(copy.directory), one.bytes()], [false, true, 3])
  await stores[Symbol.asyncDispose]()
  assert.equal(existsSync(parent), false)
})

test("a template or a home that could not be filled is made again", async () => {
  using directory = temporaryDirectory()
  const parent = join(directory.path, "temporary")
  let fails = true
  const failing = async (home: TemporaryData) => {
    await fill(home).catch(() => undefined)
    if (fails) throw new Error("no")
  }
  await using stores = openTemporaryData(parent, failing, failed)
  await assert.rejects(stores.make(), /no/)
  fails = false
  assert.deepEqual(await petsIn(await stores.make()), [1])
  const homes = () => readdirSync(join(parent, readdirSync(parent).find((name) => !name.includes(".")) ?? "")).length
  const before = homes()
  await assert.rejects(
    stores.makeWith(() => Promise.reject(new Error("no"))),
    /no/,
  )
  assert.equal(homes(), before, "nothing of it is left")
  const made = await stores.makeWith(fill)
  assert.deepEqual([await petsIn(made), homes()], [[1], before + 1])
})

test("the database of a home has at most 32 MiB, and its images 64 MiB", async () => {
  using directory = temporaryDirectory()
  await using stores = openTemporaryData(join(directory.path, "temporary"), fill, failed)
  const home = await stores.make()
  const store = home.openDatabase()
  let id = 10
  for (const kilobytes of [1000, 100, 10, 1])
    for (let isFull = false; !isFull; )
      await store
        .transaction((tx) => tx.pets.add([samplePet(++id, ["u".repeat(1000 * kilobytes)])]))
        .catch((error: unknown) => {
          assert.ok(error instanceof StoreUnavailable)
          isFull = true
        })
  await store.close()
  const { size } = statSync(home.databaseFile)
  assert.ok(size > 31.9 * 2 ** 20 && size <= 32 * 2 ** 20, `${size} bytes`)

  const blobs = home.openBlobs()
  const keep = async (bytes: number) => {
    await using stage = await blobs.stage(0)
    const write = (name: string) => stage.write(name, (async function* () {})())
    const parts = { original: await write("a"), "320": await write("b"), "1280": await write("c") }
    truncateSync(parts.original, bytes)
    return await blobs.keep(parts, 0)
  }
  const copied = home.imageBytes()
  await keep(64 * 2 ** 20 - copied)
  assert.equal(home.imageBytes(), 64 * 2 ** 20)
  await assert.rejects(keep(1), StoreUnavailable)
})

test("a home that is full says how to empty it", async () => {
  using directory = temporaryDirectory()
  await using stores = openTemporaryData(join(directory.path, "temporary"), fill, failed)
  const home = await stores.make()
  const store = home.openDatabase()
  const full = new StoreUnavailable("the sandbox is full; a reset empties it")
  const large = (id: number) => samplePet(id, Array(50).fill("u".repeat(2000)))
  const add = async () => {
    for (let id = 10; ; id += 50)
      await store.transaction((tx) => tx.pets.add(Array.from({ length: 50 }, (_, n) => large(id + n))))
  }
  await assert.rejects(add(), full)
  const failing = store.shared((tx) => tx.pets.add(Array.from({ length: 50 }, (_, n) => large(90_000 + n))), 1)
  await assert.rejects(failing, full)
  const bytes = statSync(home.databaseFile).size + statSync(`${home.databaseFile}-wal`).size
  assert.ok(bytes > 16 * 1024 * 1024, `${bytes} bytes`)
  await assert.rejects(
    store.transaction(() => Promise.reject(new Error("other"))),
    /^Error: other$/,
  )
  await store.close()
})

test("directories of ended processes are removed, and those of running ones are not", async () => {
  using directory = temporaryDirectory()
  const parent = join(directory.path, "temporary")
  const own = processDirectory(parent)
  const path = own.open()
  assert.equal(own.open(), path)
  assert.equal((statSync(path).mode & 0o777).toString(8), "700")
  mkdirSync(join(parent, "ended"))
  writeFileSync(join(parent, "ended/file"), "left")
  writeFileSync(join(parent, "lost.lock"), "")
  writeFileSync(join(directory.path, "beside"), "stays")
  await removeLeftovers(parent)
  assert.deepEqual(
    readdirSync(parent).filter((name) => !name.endsWith("-journal")),
    [path, `${path}.lock`].map((each) => each.slice(parent.length + 1)),
  )
  await own[Symbol.asyncDispose]()
  assert.equal(existsSync(parent), false)
  assert.equal(readFileSync(join(directory.path, "beside"), "utf8"), "stays")
  await removeLeftovers(parent)
  await processDirectory(parent)[Symbol.asyncDispose]()
  mkdirSync(parent)
  await removeLeftovers(parent)
  assert.equal(existsSync(parent), false, "an empty directory is removed")
})
