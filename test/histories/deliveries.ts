import { setTimeout as after } from "node:timers/promises"
import { createPetstoreClient } from "../../src/client/petstore-client.ts"
import { type Received, startReceiver } from "../harness/receiver.ts"
import type { Call, Recorder } from "./record.ts"
import { shiftMsMax } from "./schedule.ts"

/** The pets of a history have ids from here on. */
export const firstId = 1_000_000

/** A claim lasts a minute by the clock of its replica; without progress for longer, nothing more is delivered. */
const patienceMs = 60_000 + shiftMsMax + 30_000

type Change = Pick<Call, "key" | "do" | "input">

const atNoTime = { client: 0, start: 0, end: 0 }

/** The change that an event is about, if it is one of a pet of the history. */
function changeIn(event: { event: string; data: object }): Change | undefined {
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

const nameOf = ({ key, do: what, input }: Change): string => `${key} ${what} ${input?.name}`

/** Receives every change of a pet in its order, now and then with a failure, and records what arrives. */
export async function subscribe(service: { readonly url: string }, recorder: Recorder, random: () => number) {
  const receiver = await startReceiver()
  const failed = new Set<string>()
  const accepted = new Set<string>()
  let isSettled = false
  receiver.respond((request, response) => {
    const { body } = receiver.received.at(-1) as Received
    const change = changeIn(JSON.parse(body))
    const etag = String(request.headers["webhook-id"])
    // Once only: the third attempt is five minutes after the second.
    const status = random() < 0.03 && !failed.has(etag) ? 500 : 204
    if (status === 500) failed.add(etag)
    if (change && !isSettled) {
      recorder.calls.push({ ...change, ...atNoTime, kind: "delivery", output: { etag }, status })
      if (status === 204) accepted.add(nameOf(change))
    }
    response.writeHead(status).end()
  })
  // Its address changes with a restart.
  const client = () => createPetstoreClient({ url: service.url, apiKey: "special-key" })
  const events = ["pet.created" as const, "pet.updated" as const, "pet.deleted" as const]
  const { value: webhook } = await client().createWebhook({ body: { url: receiver.url, ordered: true, events } })

  async function readFeed(): Promise<Change[]> {
    const changes: Change[] = []
    for (let last: string | undefined, isLast = false; !isLast; ) {
      const query = { limit: 1000, ...(last !== undefined && { after: last }) }
      const { value: page } = await client().listEvents({ query })
      changes.push(...page.flatMap((event) => changeIn(event) ?? []))
      last = page.at(-1)?.id
      isLast = page.length < 1000
    }
    return changes
  }

  /** Retries what has failed twice, because a connection broke too: the next attempt would be five minutes later. */
  async function retryPostponed(): Promise<void> {
    const params = { webhookId: webhook.id }
    const { value: pending } = await client().listDeliveries({ params, query: { state: ["pending"] } })
    for (const { id: deliveryId, attempts } of pending)
      if (attempts > 1) await client().retryDelivery({ params: { ...params, deliveryId } })
  }

  return {
    /**
     * Records the events, once all have arrived, or never will: what a killed replica had claimed is due again when its lease ends. A
     * request without a response may still have had its effect meanwhile.
     */
    async settle(): Promise<void> {
      let feed = await readFeed()
      let [count, since] = [accepted.size, performance.now()]
      while (feed.some((change) => !accepted.has(nameOf(change))) && performance.now() < since + patienceMs) {
        await retryPostponed()
        await after(250)
        feed = await readFeed()
        if (accepted.size > count) [count, since] = [accepted.size, performance.now()]
      }
      isSettled = true
      for (const change of feed) recorder.calls.push({ ...change, ...atNoTime, kind: "event", status: 200 })
    },
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  }
}
