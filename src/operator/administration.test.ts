import assert from "node:assert/strict"
import { join } from "node:path"
import { test } from "node:test"
import { temporaryDirectory } from "../../test/harness/directory.ts"
import { migratedDatabase } from "../../test/harness/migrated.ts"
import { readConfig } from "../config/config.ts"
import type { AdminRequest } from "../domain/admin/contract.ts"
import type { Seed } from "../domain/sandbox/start/contract.ts"
import { repositories } from "../storage/sql/store.ts"
import { migrateSqlite, openSqlite } from "../storage/sqlite/open.ts"
import { administerStopped, administration } from "./administration.ts"

type Deps = Parameters<typeof administration>[0]

/** Requests to a service on port 8080 whose sandbox can be reset, with other parts; records resets and lines of the log. */
function service(more: object = {}) {
  const resets: unknown[] = []
  const deps = {
    clock: { now: () => 1000 },
    sealing: { rotate: async () => 7 },
    url: "https://pets.example/api",
    address: "http://127.0.0.1:8080",
    reset: async (seed: Seed) => void resets.push(seed),
    log: { warn: (facts: object, text: string) => void resets.push(facts, text) },
    ...more,
  } as unknown as Deps
  return { ask: (request: object) => administration(deps)(request as AdminRequest), resets }
}

const reset = (url: string, seed = "empty") => ({ action: "reset", seed, url })

test("a sandbox is reset through the files of the same service only", async () => {
  for (const url of [
    "https://pets.example/api",
    "http://127.0.0.1:8080",
    "http://localhost:8080/",
    "http://[::1]:8080",
  ]) {
    const { ask, resets } = service()
    assert.ok("message" in (await ask(reset(url))), url)
    assert.deepEqual(resets, ["empty", { seed: "empty" }, "the sandbox was reset by a command on this machine"])
  }
  for (const url of [
    "https://pets.example/",
    "http://127.0.0.1:8081",
    "http://127.0.0.1:8080/api",
    "http://192.0.2.1:8080",
    "",
    "no URL",
  ]) {
    const { ask, resets } = service()
    const error = `The files here belong to the service at http://127.0.0.1:8080, not to ${url}; nothing was changed.`
    assert.deepEqual([await ask(reset(url)), resets], [{ error }, []])
  }
})

test("nothing is reset where there is no sandbox, or to an unknown state", async () => {
  const error = "There is no sandbox to reset here; nothing was changed."
  const here = "http://127.0.0.1:8080"
  const { ask, resets } = service()
  assert.deepEqual([await ask(reset(here, "unknown")), resets], [{ error }, []])
  assert.deepEqual(await service({ reset: undefined }).ask(reset(here)), { error })
  const withoutAddress = service({ address: undefined, log: undefined })
  assert.ok("error" in (await withoutAddress.ask(reset(here))))
  assert.ok("message" in (await withoutAddress.ask(reset("https://pets.example/api"))))
})

test("what cannot be done has an error as its response", async () => {
  const { ask } = service()
  assert.deepEqual(await ask({ action: "inspect" }), { error: "No service is running here." })
  assert.deepEqual(await ask({ action: "other" }), { error: "Unknown action." })
  assert.deepEqual(await ask({ action: "rotate-sealing" }), { secrets: 7 })
})

test("a key is created once the service has an account", async () => {
  using database = migratedDatabase()
  const tx = repositories(database.connection)
  const store = { ...tx, transaction: (work: (parts: unknown) => Promise<unknown>) => work(tx) }
  const { ask } = service({ store })
  const create = { action: "create-key", name: "mine" }
  assert.deepEqual(await ask(create), {
    error: "There is no data yet. The first start of the service creates the first key.",
  })
  await tx.accounts.add({ name: "first", plan: "free" })
  assert.ok(!("error" in (await ask(create))))
  assert.equal((await tx.keys.list(1, { limit: 10, before: undefined })).items[0]?.name, "mine")
})

test("the database of a stopped service is free again after each request, also after one that failed", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "petstore.db")
  await migrateSqlite(file)
  const ask = (env: Record<string, string> = {}) =>
    administerStopped(readConfig({ PETSTORE_DATA_DIR: directory.path, ...env }), { action: "rotate-sealing" })
  assert.deepEqual(await ask(), { secrets: 0 })
  await assert.rejects(ask({ PETSTORE_SECRET_KEY: Buffer.alloc(32).toString("base64") }), /PETSTORE_SECRET_KEY/)
  assert.deepEqual(await ask(), { secrets: 0 })
  await openSqlite(file).close()
})
