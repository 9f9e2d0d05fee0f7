import assert from "node:assert/strict"
import { test } from "node:test"
import { refusedAs } from "../harness/petstore.ts"
import { spawnPetstore } from "../harness/spawn.ts"

const body = { url: "http://127.0.0.1:9/" }

test("a sandbox that listens on the network logs a warning, and cannot be used to reach other services of the machine", async () => {
  await using petstore = await spawnPetstore({ env: { PETSTORE_HOST: "0.0.0.0" } })
  const { level } = await petstore.logged({ host: "0.0.0.0" })
  assert.equal(level, 40)
  assert.match(petstore.stderr, /WARNING.*listens on 0\.0\.0\.0.*PETSTORE_HOST=127\.0\.0\.1/s)
  await assert.rejects(petstore.as("special-key").createWebhook({ body }), refusedAs("invalid-body"))

  await petstore.kill()
  await petstore.restart({ PETSTORE_WEBHOOK_ALLOW: "127.0.0.0/8" })
  assert.equal((await petstore.as("special-key").createWebhook({ body })).value.url, body.url)
})

test("a sandbox on loopback logs no warning", async () => {
  await using petstore = await spawnPetstore()
  assert.equal(petstore.stderr, "")
  assert.doesNotMatch(petstore.stdout, /"level":40/)
  assert.equal((await petstore.as("special-key").createWebhook({ body })).value.url, body.url)
})
