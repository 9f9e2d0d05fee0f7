import { createPetstoreClient } from "../../src/client/petstore-client.ts"
import { type Received, startReceiver } from "../harness/receiver.ts"
import { until } from "../harness/until.ts"
import type { Call, Recorder } from "./record.ts"

/** The pets of a history have ids from here on. */
export const firstId = 1_000_000

const leaseMs = 60_000

/** The change that an event is about, if it is one of a pet of the history. */
export function changeIn(event: { event: string; data: object }): Pick<Call, "key" | "do" | "input"> | undefined {
  const changes = new Map([
    ["pet.created", "create"],
    ["pet.updated", "replace"],
    ["pet.deleted", "delete"],
  ])
  const { id, name } = event.data as { id: number; name: string }
  const change = changes.get(event.event)
  if (change === undefined || id < firstId) return undefined
  return { key: String(id), do: change, input: change === "delete" ? {} : { name } }
}

/** Receives every change of a pet in its order, now and then with a failure, and records what arrives. */
export async function subscribe(service: { readonly url: string }, recorder: Recorder) {
  const receiver = await startReceiver()
  const failed = new Set<string>()
  receiver.respond((request, response) => {
    const { body } = receiver.received.at(-1) as Received
    const change = changeIn(JSON.parse(body))
    const etag = String(request.headers["webhook-id"])
    // Once only: the third attempt is five minutes after the second.
    const status = Math.random() < 0.03 && !failed.has(etag) ? 500 : 204
    if (status === 500) failed.add(etag)
    const output = { etag }
    if (change) recorder.calls.push({ ...change, client: 0, kind: "delivery", output, status, start: 0, end: 0 })
    response.writeHead(status).end()
  })
  // Its address changes with a restart.
  const client = () => createPetstoreClient({ url: service.url, apiKey: "special-key" })
  const events = ["pet.created" as const, "pet.updated" as const, "pet.deleted" as const]
  const { value: webhook } = await client().createWebhook({ body: { url: receiver.url, ordered: true, events } })
  return {
    /** Waits until everything has arrived; what a killed replica had claimed is due again when its lease ends. */
    async settle(): Promise<void> {
      const pending = async () =>
        (await client().listDeliveries({ params: { webhookId: webhook.id }, query: { state: ["pending"], limit: 1 } }))
          .value.length
      await until(async () => (await pending()) === 0, "not everything was delivered", leaseMs + 30_000)
    },
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  }
}
