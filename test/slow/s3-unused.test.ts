// Runs in a process of its own.
import assert from "node:assert/strict"
import { createRequire } from "node:module"
import { test } from "node:test"
import { startPetstore } from "../harness/petstore.ts"

test("a service without S3 does not load its client", async () => {
  const loaded = () => Object.keys(createRequire(import.meta.url).cache).filter((path) => path.includes("@aws-sdk"))
  await using petstore = await startPetstore()
  assert.equal((await fetch(`${petstore.url}/readyz`)).status, 200)
  assert.deepEqual(loaded(), [])
  await import("../../src/parts/replicas/s3/blobs.ts")
  assert.ok(loaded().length > 10)
})
