import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { steadyClock, systemClock } from "../../src/core/kernel/clock.ts"
import { createSignatureHeaders } from "../../src/core/workers/delivery/sending/sign.ts"
import { freePort } from "./free-port.ts"
import { missingProgram } from "./installed.ts"
import { openRecipe } from "./recipe.ts"
import { until } from "./until.ts"
import { use, usePetstore } from "./use.ts"

const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
const otherSecret = "whsec_HxwdHh8AAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRo="
const minuteMs = 60_000
/** Go compiles its standard library on the first run. */
const compileTimeoutMs = 100_000

/** The required behaviour of every receiver in docs/recipes; `program` runs it, and the tests are skipped when it is not installed. */
export function testReceiver(page: string, program: string, command: string): void {
  describe(`docs/recipes/${page}.md`, { skip: missingProgram(program) }, () => {
    const petstore = usePetstore({ clock: systemClock, steady: steadyClock })
    const port = freePort()
    const recipe = use(async () => openRecipe(page, petstore.url, { 3000: String(await port) }))
    const address = async () => `http://127.0.0.1:${await port}/hook`
    const start = async (withSecret: string) => {
      const running = recipe.start(command, { [secret]: withSecret })
      await until(async () => isListening(await address(), running.output), `${page} does not listen`, compileTimeoutMs)
      return running
    }

    test("accepts a delivery of the service", async () => {
      const store = petstore.as("special-key")
      const { value: webhook } = await store.createWebhook({ body: { url: await address(), events: ["pet.created"] } })
      const running = await start(webhook.secret)
      await store.addPet({ body: { name: "Zoë “Rex”", photoUrls: [] } })
      await running.waitForOutput("pet.created")
      const statuses = async () => {
        const { value } = await store.listDeliveries({ params: { webhookId: webhook.id } })
        return value.map(({ state }) => state)
      }
      await until(async () => (await statuses()).includes("delivered"), "not delivered")
      await running.end()
    })

    test("refuses messages with another secret, changed, old or from the future", async () => {
      const running = await start(secret)
      const body = JSON.stringify({ event: "pet.created", data: {}, timestamp: "2026-01-01T12:00:00.000Z" })
      const signed = (secrets: string[], ageMs = 0) =>
        createSignatureHeaders(secrets, { eventId: "evt_1", body, at: Date.now() - ageMs })
      const post = async (headers: Record<string, string>, sent = body) =>
        (await fetch(await address(), { method: "POST", headers, body: sent })).status

      assert.equal(await post(signed([secret])), 204)
      assert.equal(await post(signed([secret], 4 * minuteMs)), 204)
      assert.equal(await post(signed([otherSecret, secret])), 204)
      assert.equal(await post(signed([otherSecret])), 400)
      assert.equal(await post(signed([secret], 6 * minuteMs)), 400)
      assert.equal(await post(signed([secret], -6 * minuteMs)), 400)
      assert.equal(await post(signed([secret]), body.replace("created", "deleted")), 400)
      for (const [name, value] of [
        ["webhook-id", "evt_2"],
        ["webhook-timestamp", String(Math.floor(Date.now() / 1000) + 60)],
        ["webhook-timestamp", "9".repeat(5000)],
        ["webhook-timestamp", "soon"],
        ["webhook-signature", "v1,"],
        ["webhook-signature", ""],
      ] as const)
        assert.equal(await post({ ...signed([secret]), [name]: value }), 400, `${name}: ${value.slice(0, 20)}`)
      for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"]) {
        const { [name]: _, ...others } = signed([secret])
        assert.equal(await post(others), 400, `without ${name}`)
      }
      // When the server closes the connection because the body is too long, the client may see that before the response.
      const tooLong = await post(signed([secret]), "x".repeat(2 ** 20 + 1)).catch(() => 413)
      assert.equal(tooLong, 413)
      assert.equal(await post(signed([secret])), 204)
      await running.end()
    })
  })
}

async function isListening(address: string, output: () => string): Promise<boolean> {
  try {
    await fetch(address, { method: "POST", body: "" })
    return true
  } catch (error) {
    if ((error as { cause?: { code?: string } }).cause?.code === "ECONNREFUSED") return false
    throw new Error(`${error}: ${output()}`)
  }
}
