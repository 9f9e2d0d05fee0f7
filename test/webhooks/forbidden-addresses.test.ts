import assert from "node:assert/strict"
import { test } from "node:test"
import { allowAddresses } from "../../src/core/workers/delivery/sending/address-guard.ts"
import { forbiddenHosts, forbiddenUrls } from "../harness/forbidden-addresses.ts"
import { startPetstore } from "../harness/petstore.ts"

test("no spelling of a forbidden address can be registered or set on a webhook later (slow)", async () => {
  await using petstore = await startPetstore({
    delivery: { allowed: allowAddresses(false, true, []), resolve: async () => ["93.184.215.14"] },
  })
  const store = petstore.as("special-key")
  const { value } = await store.createWebhook({ body: { url: "https://receiver.example/" } })
  const refused = (error: unknown) => {
    const { code, status } = (error as { problem: { code: string; status: number } }).problem
    return code === "invalid-body" && status === 422
  }
  for (const url of [...forbiddenHosts.map((host) => `https://${host}/`), ...forbiddenUrls]) {
    await assert.rejects(store.createWebhook({ body: { url } }), refused, url)
    await assert.rejects(store.updateWebhook({ params: { webhookId: value.id }, body: { url } }), refused, url)
  }
})
