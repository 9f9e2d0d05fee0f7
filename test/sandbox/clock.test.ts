import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { createClient } from "../../src/client/client.ts"
import { api } from "../../src/domain/api.ts"
import { sandbox } from "../../src/domain/sandbox/contract.ts"
import { serverUrl } from "../harness/database.ts"
import { respondWith, startReceiver } from "../harness/receiver.ts"
import { use, usePetstore } from "../harness/use.ts"

describe("the clock of a named sandbox", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
  const petstore = usePetstore()
  const receiver = use(startReceiver)
  const at = (name: string, key = "special-key") =>
    createClient({ ...api, ...sandbox }, { url: `${petstore.url}/s/${name}`, headers: { api_key: key } })

  test("a delivery that fails is attempted ten times before an advance of a week responds", async () => {
    const hooked = at("hooked")
    receiver.respond(respondWith(500))
    await hooked.createWebhook({ body: { url: receiver.url, events: ["pet.created"] } })
    await hooked.addPet({ body: { name: "Rex", photoUrls: [] } })
    const { value } = await hooked.advanceClock({ body: { advance: "P7D" } })
    assert.deepEqual(value, {
      time: "2026-01-08T00:00:00.000Z",
      aheadSeconds: 604_800,
      isComplete: true,
      deliveriesAttempted: 10,
      keysExpired: 0,
      ordersCancelled: 0,
    })
  })
})
