import { setTimeout as after } from "node:timers/promises"
import { Refused } from "../../../../client/client.ts"
import type { Delivery } from "../../../../core/domain/webhooks/deliveries/contract.ts"
import { expect, Missed } from "../../../../examiner/verdict.ts"
import { type Bench, type Chapter, listOf, resultOf } from "../task.ts"

/** How long a message may take, in milliseconds; a slow body takes three seconds. */
const deliveredMs = 10_000

type Received = { status: number | undefined; event: Delivery["eventId"] }

/** Starts the receiver of the adapter, and resolves with its webhook. */
async function receive({ petstore, ask }: Bench): Promise<number> {
  const body = { url: "http://127.0.0.1:9/", events: ["pet.created" as const] }
  const { id, secret } = (await petstore.createWebhook({ body })).value
  const url = resultOf(await ask("receiveEvents", { secret }))
  expect(typeof url === "string" && isHttp(url), `the result is no URL of a receiver: ${JSON.stringify(url)}`)
  await petstore.updateWebhook({ params: { webhookId: id }, body: { url } }).catch((error) => {
    throw error instanceof Refused ? new Missed(`the receiver's URL is refused: ${error.message}`) : error
  })
  return id
}

const isHttp = (url: string): boolean => /^https?:$/.test(URL.parse(url)?.protocol ?? "")

/** Adds a pet, and resolves with what the receiver said to the message. */
async function send({ petstore }: Bench, webhookId: number): Promise<Received> {
  const before = (await petstore.listDeliveries({ params: { webhookId } })).value.length
  await petstore.addPet({ body: { name: "Rex", photoUrls: [] } })
  for (const end = Date.now() + deliveredMs; Date.now() < end; await after(20)) {
    const { value: deliveries } = await petstore.listDeliveries({ params: { webhookId } })
    const attempt = deliveries.length > before ? deliveries[0]?.lastAttempt : undefined
    if (attempt) return { status: attempt.status, event: deliveries[0]?.eventId as string }
  }
  throw new Error("no message was sent")
}

async function processed({ ask }: Bench): Promise<unknown[]> {
  return listOf(await ask("receivedEvents"))
}

const isSuccess = (status: number | undefined): boolean => status !== undefined && status >= 200 && status < 300

/** A valid message is accepted, and one that is altered as `spoil` says refused, and its event not processed. */
async function refuses(bench: Bench, spoil: (webhook: number) => Promise<unknown>): Promise<void> {
  const webhook = await receive(bench)
  const valid = await send(bench, webhook)
  expect(isSuccess(valid.status), `the status of a valid message was ${valid.status}`)
  await spoil(webhook)
  const { status, event } = await send(bench, webhook)
  const events = await processed(bench)
  expect(!events.includes(event), `the event was processed, with the status ${status}`)
  expect(!isSuccess(status), `the status was ${status}`)
}

/** The next message to the webhook has this fault. */
const faulty =
  ({ sandbox }: Bench, fault: string) =>
  (webhook: number) =>
    sandbox.setFaults({ body: { rules: [{ match: { webhook, times: 1 }, fault }] } })

const standardWebhooks = "Standard Webhooks 1.0.0"

export const receiving: Chapter = {
  name: "Webhooks",
  tasks: [
    {
      name: "accepts-a-message",
      source: standardWebhooks,
      expects: "A valid message is 2xx, and its event processed.",
      async examine(bench) {
        const { status, event } = await send(bench, await receive(bench))
        expect(isSuccess(status), `the status was ${status}`)
        const events = await processed(bench)
        expect(JSON.stringify(events) === JSON.stringify([event]), `processed were ${JSON.stringify(events)}`)
      },
    },
    {
      name: "refuses-a-forged-message",
      source: standardWebhooks,
      expects: "A message that is signed with another secret is refused.",
      examine: (bench) => refuses(bench, faulty(bench, "webhook=forged")),
    },
    {
      name: "refuses-a-stale-message",
      source: standardWebhooks,
      expects: "A message that is an hour old is refused, although its signature is correct.",
      examine: (bench) => refuses(bench, faulty(bench, "webhook=stale")),
    },
    {
      name: "refuses-an-altered-message",
      source: standardWebhooks,
      expects: "A message whose signature is of other bytes is refused.",
      examine: (bench) =>
        refuses(bench, () => bench.sandbox.setDefects({ body: { defects: ["signature-of-other-bytes"] } })),
    },
    {
      name: "processes-a-duplicate-once",
      expects: "A message that arrives again is 2xx again, and its event processed once.",
      source: standardWebhooks,
      needs: "duplicates",
      async examine(bench) {
        const webhook = await receive(bench)
        await faulty(bench, "webhook=duplicate")(webhook)
        const { status } = await send(bench, webhook)
        await after(200)
        const events = await processed(bench)
        expect(isSuccess(status), `the second status was ${status}`)
        expect(events.length === 1, `processed were ${JSON.stringify(events)}`)
      },
    },
  ],
}
