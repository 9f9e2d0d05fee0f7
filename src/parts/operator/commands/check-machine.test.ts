import assert from "node:assert/strict"
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import files from "node:fs/promises"
import { basename, join } from "node:path"
import { test } from "node:test"
import { applyToImports } from "../../../../test/harness/builtins.ts"
import { manualClock } from "../../../../test/harness/clock.ts"
import { temporaryDirectory } from "../../../../test/harness/directory.ts"
import { readConfig } from "../../../config.ts"
import { checkClock, checkPermissions } from "./check-machine.ts"

const about = "permissions"

test("the service's files are accessible by their owner only, and other files beside them are not checked", async () => {
  using directory = temporaryDirectory()
  const at = (name: string) => join(directory.path, name)
  const check = () => checkPermissions({ readConfig: () => readConfig({ PETSTORE_DATA_DIR: directory.path }) })
  writeFileSync(at("other.txt"), "", { mode: 0o644 })
  assert.deepEqual(await check(), [])
  const ours = ["petstore.db", "petstore.db-wal", "secret.key", "secret.key.next", "admin.sock"]
  for (const name of ours) writeFileSync(at(name), "", { mode: 0o600 })
  mkdirSync(at("images"), { mode: 0o700 })
  assert.deepEqual(await check(), [{ about, found: "6 files and directories are accessible by their owner only" }])

  writeFileSync(at("first-admin-key.txt"), "", { mode: 0o600 })
  assert.deepEqual(await check(), [
    { about, found: "7 files and directories are accessible by their owner only" },
    {
      about: "first key",
      found: `it is still in ${at("first-admin-key.txt")}`,
      advice: "Store it in another place and delete the file",
    },
  ])
  for (const mode of [0o640, 0o610, 0o601]) {
    for (const name of [...ours, "images", "first-admin-key.txt"]) {
      chmodSync(at(name), mode)
      const advice = `chmod -R go= ${directory.path}`
      assert.deepEqual(await check(), [{ about, found: `other users can read ${name}`, advice }])
      chmodSync(at(name), 0o700)
    }
  }
  chmodSync(at("petstore.db"), 0o604)
  chmodSync(at("images"), 0o750)
  assert.match((await check())[0]?.found ?? "", /^other users can read (petstore\.db, images|images, petstore\.db)$/)
})

test("files of several owners are a problem", async (t) => {
  using directory = temporaryDirectory()
  const ours = ["petstore.db", "petstore.db-wal", "secret.key"]
  for (const name of ours) writeFileSync(join(directory.path, name), "", { mode: 0o600 })
  const owners = new Map<string, number>()
  const { lstat } = files
  t.mock.method(files, "lstat", async (path: string) =>
    Object.assign(await lstat(path), { uid: owners.get(basename(path)) ?? 1000 }),
  )
  applyToImports(t)
  const check = () => checkPermissions({ readConfig: () => readConfig({ PETSTORE_DATA_DIR: directory.path }) })
  assert.deepEqual(await check(), [{ about, found: "3 files and directories are accessible by their owner only" }])
  const advice = "Make the service's user the owner of all of them"
  for (const [n, name] of ours.slice(1).entries()) {
    owners.set(name, n)
    assert.deepEqual(await check(), [{ about, found: "the files have several owners", advice }])
  }
})

test("without a database file or its directory there are no permissions to check", async () => {
  const onServer = {
    PETSTORE_DATABASE_URL: "postgres://db/petstore",
    PETSTORE_SECRET_KEY: Buffer.alloc(32).toString("base64"),
  }
  for (const env of [onServer, { PETSTORE_DATA_DIR: "/nowhere" }])
    assert.deepEqual(await checkPermissions({ readConfig: () => readConfig(env) }), [])
})

test("the clock of the service may be five seconds off", () => {
  const clock = manualClock()
  const found = (skewMs: number) => checkClock(new Date(clock.now() + skewMs).toISOString(), { clock })
  for (const skewMs of [-5000, 0, 5000])
    assert.deepEqual(found(skewMs), [{ about: "clock", found: "in sync with the service" }])
  const advice = "Synchronize both with NTP: signatures, tokens and limits depend on the time"
  for (const skewMs of [-5001, 5001])
    assert.deepEqual(found(skewMs), [{ about: "clock", found: "5 seconds off the service's clock", advice }])
  assert.match(found(3_600_000)[0]?.found ?? "", /^3,600 seconds off/)
  assert.deepEqual(checkClock(null, { clock }), [])
  assert.deepEqual(checkClock("yesterday", { clock }), [])
})
