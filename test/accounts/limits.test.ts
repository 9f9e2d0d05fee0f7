import assert from "node:assert/strict"
import { test } from "node:test"
import { startPetstore } from "../harness/petstore.ts"
import { type AskOptions, asker } from "../harness/send.ts"

type Petstore = Awaited<ReturnType<typeof startPetstore>>

const get = (petstore: Petstore, key: string, path = "/pet/1", { headers, ...init }: AskOptions = {}) =>
  asker(petstore, "/api/v3")(path, { ...init, headers: { api_key: key, ...headers } })

async function statuses(asked: Promise<Response>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  for (const response of await Promise.all(asked)) {
    await response.bytes()
    counts[response.status] = (counts[response.status] ?? 0) + 1
  }
  return counts
}

test("of 500 concurrent requests with a Free key exactly 60 are admitted (slow)", async () => {
  await using petstore = await startPetstore()
  const asked = Array.from({ length: 500 }, () => get(petstore, "free-key"))
  assert.deepEqual(await statuses(asked), { 200: 60, 429: 440 })
})

test("jumps of the wall clock do not affect limits", async () => {
  await using petstore = await startPetstore({ env: { PETSTORE_PLAN_FREE: "2/minute, 100/day" } })
  await get(petstore, "free-key")
  petstore.clock.jump(3_600_000)
  await get(petstore, "free-key")
  assert.equal((await get(petstore, "free-key")).headers.get("retry-after"), "60")
  petstore.clock.jump(-7_200_000)
  assert.equal((await get(petstore, "free-key")).headers.get("retry-after"), "60")
})
