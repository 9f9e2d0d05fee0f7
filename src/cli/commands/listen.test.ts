import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { test } from "node:test"
import { spawnPetstore } from "../../../test/harness/spawn.ts"

test("a newcomer sees pet.created arrive, verified, and the webhook is gone when they stop listening", async () => {
  await using petstore = await spawnPetstore()
  const store = petstore.as("special-key")
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, "..", "main.ts"), "listen", "--events", "pet.created", "--json"],
    { env: { PATH: process.env.PATH, PETSTORE_URL: petstore.url }, stdio: ["ignore", "pipe", "pipe"] },
  )
  const [ready] = await once(createInterface({ input: child.stderr }), "line")
  assert.match(ready, /^Listening on http:\/\/127\.0\.0\.1:\d+\/ for pet\.created/)
  const url = /http:\S+/.exec(ready)?.[0] as string
  const forged = await fetch(url, { method: "POST", body: '{"event":"pet.created"}' })
  assert.equal(forged.status, 400)

  const line = once(createInterface({ input: child.stdout }), "line")
  const { value: pet } = await store.addPet({ body: { name: "Rex", photoUrls: [] } })
  const [event] = await line
  assert.deepEqual(JSON.parse(event).data, { id: pet.id, name: "Rex", status: "available" })

  child.kill("SIGINT")
  const [code] = await once(child, "close")
  assert.equal(code, 0)
  assert.deepEqual((await store.listWebhooks()).value, [])
})
