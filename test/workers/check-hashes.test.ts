import assert from "node:assert/strict"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import pino from "pino"
import { hashedKinds } from "../../src/core/domain/ports/hashes.ts"
import { createHashCheck } from "../../src/core/workers/check-hashes.ts"
import { changeOnDisk, damage } from "../harness/backups.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore({}, "one for each test")

const change = (statement: string) => changeOnDisk(petstore, statement)

const noneFound = Object.fromEntries([...hashedKinds, "images"].map((kind) => [kind, 0]))

/** Compares everything once; returns the lines of the log without their time. */
async function check(hashes = createHashCheck()) {
  const lines: Record<string, unknown>[] = []
  const log = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const { store, blobs } = petstore
  await hashes.checkHashes({ store, blobs, log })
  return { hashes, lines }
}

test("a store whose content matches its hashes has no line in the log", async () => {
  await petstore.as("special-key").createKey({ body: { name: "audited", scopes: ["read:pets"] } })
  const { hashes, lines } = await check()
  assert.deepEqual(lines, [])
  assert.deepEqual(hashes.found(), noneFound)
})

test("a running service finds a pet, an entry of the audit log and an image that changed on the disk", async () => {
  for (const name of ["one", "two", "three"])
    await petstore.as("special-key").createKey({ body: { name, scopes: ["read:pets"] } })
  await change('UPDATE pets SET json = replace(json, \'"name":"\', \'"name":"X\') WHERE id = 7')
  await change("UPDATE audit SET json = replace(json, 'key.created', 'key.revoked') WHERE id = 2")
  const [key = ""] = readdirSync(join(petstore.imageDirectory, "kept"))
  damage(join(petstore.imageDirectory, "kept", key, "original"))

  const { hashes, lines } = await check()
  assert.deepEqual(
    lines.map(({ level, msg, ...facts }) => ({ level, ...facts })),
    [
      { level: 50, pets: [7], count: 1 },
      { level: 50, audit: [2], count: 1 },
      { level: 50, images: [key], count: 1 },
    ],
  )
  for (const { msg } of lines) assert.match(String(msg), /See "Damaged and missing files" in docs\/backup\.md$/)
  const [metric] = hashes.metrics
  assert.deepEqual(await metric?.read(), [
    { labels: { kind: "pets" }, value: 1 },
    ...["orders", "users", "events"].map((kind) => ({ labels: { kind }, value: 0 })),
    { labels: { kind: "audit" }, value: 1 },
    ...["accounts", "keys", "clients", "webhooks"].map((kind) => ({ labels: { kind }, value: 0 })),
    { labels: { kind: "images" }, value: 1 },
  ])

  // The client that has the right data repairs the pet.
  await petstore.as("special-key").updatePet({ body: { id: 7, name: "Rex", photoUrls: [] } })
  assert.deepEqual({ ...(await check(hashes)).hashes.found() }, { ...noneFound, audit: 1, images: 1 })
})

test("an entry of the audit log that was removed or rewritten with its hash breaks the chain", async () => {
  for (const name of ["one", "two", "three", "four"])
    await petstore.as("special-key").createKey({ body: { name, scopes: ["read:pets"] } })
  await change("DELETE FROM audit WHERE id = 2")
  assert.deepEqual(
    (await check()).lines.map(({ audit }) => audit),
    [[3]],
  )
  await change("UPDATE audit_head SET hash = 'other'")
  const { audit } = (await check()).lines.at(-1) ?? {}
  assert.ok(Array.isArray(audit) && audit.length === 2 && audit[0] === 3)
})

test("a round compares 20,000 pets, the next one continues after them, and the last one starts again (slow)", async () => {
  // One more pet, which is not damaged, is added with the change.
  await change(`
    DELETE FROM pet_tags; DELETE FROM pet_images; DELETE FROM orders; DELETE FROM pets;
    WITH RECURSIVE ids (n) AS (SELECT 1000 UNION ALL SELECT n + 1 FROM ids WHERE n < 21000)
    INSERT INTO pets (id, status, name_key, json, etag) SELECT n, 'sold', 'n', '{"id":' || n || '}', 'wrong' FROM ids`)
  const hashes = createHashCheck()
  const counts: unknown[] = []
  for (let rounds = 0; rounds < 3; rounds++)
    counts.push((await check(hashes)).lines.find((line) => "pets" in line)?.count)
  assert.deepEqual(counts, [19_999, 2, 19_999])
})
