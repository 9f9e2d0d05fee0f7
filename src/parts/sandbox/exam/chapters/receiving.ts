import { setTimeout as after } from "node:timers/promises"
import type { Delivery } from "../../../../core/domain/webhooks/deliveries/contract.ts"
import { expect } from "../../../../examiner/verdict.ts"
import { type Bench, type Chapter, resultOf } from "../task.ts"

/** How long a message may take, in milliseconds; a slow body takes three seconds. */
const deliveredMs = 10_000

type Received = { status: number | undefined; durationMs: number; event: Delivery["eventId"] }

/** Starts the receiver of the adapter, and resolves with its webhook. */
async function receive({ petstore, ask }: Bench): Promise<number> {
  const body = { url: "http://127.0.0.1:9/", events: ["pet.created" as const] }
  const { id, secret } = (await petstore.createWebhook({ body })).value
  const url = resultOf(await ask("receiveEvents", { secret }))
  expect(typeof url === "string" && URL.canParse(url), `the result is no URL: ${JSON.stringify(url)}`)
  await petstore.updateWebhook({ params: { webhookId: id }, body: { url } })
  return id
}

/** Adds a pet, and resolves with what the receiver said to the message. */
async function send({ petstore }: Bench, webhookId: number): Promise<Received> {
  const before = (await petstore.listDeliveries({ params: { webhookId } })).value.length
  await petstore.addPet({ body: { name: "Rex", photoUrls: [] } })
  for (const end = Date.now() + deliveredMs; Date.now() < end; await after(20)) {
    const { value: deliveries } = await petstore.listDeliveries({ params: { webhookId } })
    const attempt = deliveries.length > before ? deliveries[0]?.lastAttempt : undefined
    if (attempt)
      return { status: attempt.status, durationMs: attempt.durationMs, event: deliveries[0]?.eventId as string }
  }
  throw new Error("no message was sent")
}

async function processed({ ask }: Bench): Promise<unknown[]> {
  const events = resultOf(await ask("receivedEvents"))
  expect(Array.isArray(events), `the result is no list: ${JSON.stringify(events)}`)
  return events
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

export const receiving: Chapter = {
  name: "Webhooks",
  tasks: [
    {
      name: "accepts-a-message",
      expects: "A valid message is 2xx, and its event processed.",
      async examine(bench) {
        const { status, event } = await send(bench, await receive(bench))
        expect(isSuccess(status), `the status was ${status}`)
        const events = await processed(bench)
        expect(JSON.stringify(events) === JSON.stringify([event]), `processed were ${JSON.stringify(events)}`)
      },
    },
    {
      name: "responds-in-time",
      expects: "A message has its response within two seconds.",
      async examine(bench) {
        const { status, durationMs } = await send(bench, await receive(bench))
        expect(isSuccess(status) && durationMs < 2000, `the status was ${status} after ${durationMs} ms`)
      },
    },
    {
      name: "refuses-a-forged-message",
      expects: "A message that is signed with another secret is refused.",
      examine: (bench) => refuses(bench, faulty(bench, "webhook=forged")),
    },
    {
      name: "refuses-a-stale-message",
      expects: "A message that is an hour old is refused, although its signature is correct.",
      examine: (bench) => refuses(bench, faulty(bench, "webhook=stale")),
    },
    {
      name: "refuses-an-altered-message",
      expects: "A message whose signature is of other bytes is refused.",
      examine: (bench) =>
        refuses(bench, () => bench.sandbox.setDefects({ body: { defects: ["signature-of-other-bytes"] } })),
    },
    {
      name: "processes-a-duplicate-once",
      expects: "A message that arrives twice is 2xx twice, and its event processed once.",
      async examine(bench) {
        const webhook = await receive(bench)
        await faulty(bench, "webhook=duplicate")(webhook)
        const { status } = await send(bench, webhook)
        await after(200)
        const events = await processed(bench)
        expect(isSuccess(status), `the status was ${status}`)
        expect(events.length === 1, `processed were ${JSON.stringify(events)}`)
      },
    },
  ],
}
