import assert from "node:assert/strict"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { startPetstore, temporaryDirectory } from "../../test/harness/petstore.ts"
import { CannotStart } from "../kernel/cannot-start.ts"
import { openSealing } from "./sealing-key.ts"

test("a database with sealed secrets does not open without their key", async () => {
  await using petstore = await startPetstore()
  await petstore.as("special-key").createWebhook({ body: { url: "http://127.0.0.1:9/" } })
  using elsewhere = temporaryDirectory()
  const settings = { secretKey: undefined, dataDir: elsewhere.path }
  await assert.rejects(openSealing(petstore.store, settings), CannotStart)
  await assert.rejects(openSealing(petstore.store, { ...settings, secretKey: new Uint8Array(32) }), CannotStart)
  writeFileSync(join(elsewhere.path, "secret.key"), "half a k")
  await assert.rejects(openSealing(petstore.store, settings), CannotStart)
  rmSync(join(elsewhere.path, "secret.key"))
})
