import assert from "node:assert/strict"
import { existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { describe, test } from "node:test"
import { positionOf } from "../../src/core/domain/events/rules.ts"
import type { Store } from "../../src/core/domain/ports/store.ts"
import type { CopyTarget } from "../../src/core/sql/copying.ts"
import { openSqliteSource } from "../../src/core/sqlite/copy-ends.ts"
import { openSqlite } from "../../src/core/sqlite/open.ts"
import { newestTables } from "../../src/core/sqlite/tables.ts"
import { copyRows, tablesToCopy } from "../../src/parts/operator/copy/copy-database.ts"
import { openPostgresTarget } from "../../src/parts/replicas/postgres/copy-ends.ts"
import { openPostgres } from "../../src/parts/replicas/postgres/open.ts"
import { samplePet } from "../conformance/store/samples.ts"
import { fillEveryTable, onMachine } from "../harness/backups.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { dump } from "../harness/dump.ts"
import { startPetstore } from "../harness/petstore.ts"
import { startPostgres, withoutPostgres } from "../harness/postgres.ts"
import { use } from "../harness/use.ts"

describe("with PostgreSQL", { skip: withoutPostgres }, () => {
  const server = use(startPostgres)
  const place = use(async () => {
    const directory = temporaryDirectory()
    return { path: directory.path, [Symbol.asyncDispose]: async () => directory[Symbol.dispose]() }
  })
  const at = (name: string) => join(place.path, name)
  const copy = (from: string, to: string) => onMachine(place.path, ["copy", "--from", from, "--to", to])
  const contentOf = (file: string) => {
    const { leases: _leases, replicas: _replicas, ...content } = dump(file)
    return content
  }

  test("a copy to PostgreSQL and back is identical, and its counters continue", async () => {
    const [source, back, url] = [at("source.db"), at("back.db"), await server.createDatabase()]
    await openSqlite(source).close()
    fillEveryTable(source)
    const there = await copy(`sqlite:${source}`, url)
    assert.deepEqual({ code: there.code, err: there.err }, { code: 0, err: "" })
    assert.equal((await copy(url, `sqlite:${back}`)).err, "")
    assert.deepEqual(contentOf(back), contentOf(source))
    assert.match((await copy(`sqlite:${source}`, url)).err, /holds a Petstore already/)
  })

  test("a copy keeps the ids of events that have not been published, and they are published once", async () => {
    const [source, back, url] = [at("events.db"), at("events-back.db"), await server.createDatabase()]
    const add = (store: Store, id: number) =>
      store.transaction(async (tx) => void (await tx.events.add("pet.created", samplePet(id), id)))
    const publish = (store: Store) => store.transaction((tx) => tx.events.publish(0, 100))
    const idsOf = async (store: Store) => (await store.events.feed(0, 0, 100)).map(({ id }) => id)

    const first = openSqlite(source)
    for (const id of [1, 2]) await add(first, id)
    assert.equal(await publish(first), 2)
    for (const id of [3, 4]) await add(first, id)
    const ids = await idsOf(first)
    assert.equal(ids.length, 4)
    await first.close()

    assert.equal((await copy(`sqlite:${source}`, url)).err, "")
    const second = await openPostgres(url, { connections: 2 })
    assert.deepEqual(
      { before: await idsOf(second), published: await publish(second) },
      { before: ids.slice(0, 2), published: 2 },
    )
    assert.deepEqual(await idsOf(second), ids)
    await add(second, 5)
    await second.close()

    assert.equal((await copy(url, `sqlite:${back}`)).err, "")
    const third = openSqlite(back)
    await add(third, 6)
    const positions = (await idsOf(third)).map(positionOf)
    assert.deepEqual({ positions, published: await publish(third) }, { positions: [1, 2, 3, 4, 5, 6], published: 2 })
    await third.close()
  })

  test("an interrupted copy resumes, and no service starts on it before it is complete", async () => {
    const [source, url, tables] = [at("interrupted.db"), await server.createDatabase(), tablesToCopy(newestTables())]
    await openSqlite(source).close()
    fillEveryTable(source)
    {
      await using from = openSqliteSource(source)
      const id = (await from.query("SELECT id FROM identity"))[0]?.[0]
      await using to = await openPostgresTarget(url, `copy of ${id}`, tables)
      let left = 7
      const failing: CopyTarget = {
        ...to,
        async transaction(work) {
          if (left-- === 0) throw new Error("killed")
          await to.transaction(work)
        },
      }
      await assert.rejects(
        copyRows(from, failing, tables, () => {}),
        { message: "killed" },
      )
    }
    await assert.rejects(openPostgres(url, { connections: 4 }), /petstore copy has not finished it/)
    assert.equal((await copy(`sqlite:${source}`, url)).code, 0)
    assert.equal((await copy(url, `sqlite:${at("resumed.db")}`)).code, 0)
    assert.deepEqual(contentOf(at("resumed.db")), contentOf(source))
  })

  test("a service starts on the copy with its images; while it runs it cannot be copied, and its backup contains images and key", async () => {
    const [data, url] = [at("data"), await server.createDatabase()]
    const PETSTORE_SECRET_KEY = Buffer.alloc(32, 1).toString("base64")
    await (await startPetstore({ env: { PETSTORE_DATA_DIR: data, PETSTORE_SECRET_KEY } }))[Symbol.asyncDispose]()
    assert.equal((await copy(`sqlite:${join(data, "petstore.db")}`, url)).err, "")
    const env = { PETSTORE_DATA_DIR: data, PETSTORE_DATABASE_URL: url, PETSTORE_SECRET_KEY }
    const archive = at("archive")
    {
      await using petstore = await startPetstore({ env })
      const { value } = await petstore.as("special-key").addPet({ body: { name: "next", photoUrls: [] } })
      assert.equal(value.id, 11)
      assert.deepEqual((await petstore.as("special-key").getInventory()).value, { available: 8, pending: 2, sold: 1 })
      assert.match((await copy(url, `sqlite:${at("none.db")}`)).err, /A service is using the database at 127\.0\.0\.1/)
      const made = await onMachine(data, ["backup", archive], env)
      assert.match(made.out, /^.+: images and key without the database, .+ in 30 files\n/)
    }
    assert.equal((await onMachine(data, ["backup", "verify", archive], env)).code, 0)
    assert.equal(existsSync(join(archive, "petstore.db")), false)
    assert.match((await onMachine(data, ["restore", archive])).err, /The backup is of a store on PostgreSQL/)
    rmSync(join(data, "images"), { recursive: true })
    const restored = await onMachine(data, ["restore", archive], env)
    assert.deepEqual({ code: restored.code, err: restored.err }, { code: 0, err: "" })
    await using petstore = await startPetstore({ env })
    const [image] = (await petstore.as("special-key").listPetImages({ params: { petId: 1 } })).value
    assert.equal((await fetch(petstore.url + new URL(image?.url ?? "").pathname)).status, 200)
  })
})
