import { createHmac } from "node:crypto"
import { expect } from "../../verdict.ts"
import type { ConformChapter } from "../check.ts"
import { openReceiver } from "../receiver.ts"
import {
  addPetFirst,
  claim,
  expectEqual,
  expectStatus,
  jsonOf,
  type Reply,
  type Subject,
  unusedName,
} from "../subject.ts"

/** Creates a webhook, where the service has them. */
async function createWebhook({ send }: Subject, url: string): Promise<Reply> {
  const reply = await send("POST", "/webhooks", { body: { url, events: ["pet.created", "pet.deleted"] } })
  claim(![404, 405, 501].includes(reply.status), "it has no webhooks")
  expectStatus(reply, 200, 201)
  return reply
}

type Webhook = { id: number; secret: string }

/** Creates a webhook that signs. */
async function createSigning(subject: Subject, url: string): Promise<Webhook> {
  const webhook = jsonOf(await createWebhook(subject, url)) as Webhook
  claim(webhook.secret?.startsWith("whsec_") === true, "its webhooks have no secret of Standard Webhooks")
  return webhook
}

/** An address where nothing listens. */
const nowhere = "http://127.0.0.1:9/"

export const webhookChecks: ConformChapter = {
  name: "Webhooks",
  tasks: [
    {
      name: "sends-an-event",
      expects: "POST /pet sends pet.created to a webhook: event, data with id, name and status, and timestamp.",
      source: "ours",
      async examine(subject) {
        await using receiver = await openReceiver()
        await createWebhook(subject, receiver.url)
        const name = unusedName("Rex")
        const { id } = await addPetFirst(subject, { name })
        const { body: message } = await receiver.message((text) => text.includes(name))
        const { event, data, timestamp, ...more } = JSON.parse(message)
        expectEqual(
          { event, data, more },
          { event: "pet.created", data: { id, name, status: "available" }, more: {} },
          "the event",
        )
        expect(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(timestamp), `timestamp is ${timestamp}`)
      },
    },
    {
      name: "signs",
      expects:
        "A message has webhook-id, webhook-timestamp and webhook-signature, which is of its body (Standard Webhooks).",
      source: "ours",
      async examine(subject) {
        await using receiver = await openReceiver()
        const { secret } = await createSigning(subject, receiver.url)
        const name = unusedName("Rex")
        await addPetFirst(subject, { name })
        const { headers, body } = await receiver.message((text) => text.includes(name))
        const key = Buffer.from(secret.slice("whsec_".length), "base64")
        const content = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`
        const expected = `v1,${createHmac("sha256", key).update(content).digest("base64")}`
        const signatures = String(headers["webhook-signature"]).split(" ")
        expect(signatures.includes(expected), `the signature is ${signatures.join(" ")} instead of ${expected}`)
      },
    },
    {
      name: "gives-an-event-one-id",
      expects: "All messages of one event have the same webhook-id (Standard Webhooks).",
      source: "ours",
      async examine(subject) {
        await using receiver = await openReceiver()
        await createSigning(subject, receiver.url)
        const [name, later] = [unusedName("Rex"), unusedName("Max")]
        await addPetFirst(subject, { name })
        await receiver.message((text) => text.includes(name))
        // Once a later event has arrived, a second message of the first one has too.
        await addPetFirst(subject, { name: later })
        await receiver.message((text) => text.includes(later))
        expectEqual(receiver.idsOf((text) => text.includes(name)).size, 1, "the number of ids of an event")
      },
    },
    {
      name: "announces-a-deletion",
      expects: "DELETE of a pet sends pet.deleted.",
      source: "ours",
      async examine(subject) {
        await using receiver = await openReceiver()
        await createSigning(subject, receiver.url)
        const { id } = await addPetFirst(subject)
        await subject.send("DELETE", `/pet/${id}`)
        await receiver.message((text) => text.includes('"pet.deleted"') && text.includes(`"id":${id},`))
      },
    },
    {
      name: "shows-its-secret-once",
      expects: "The secret of a webhook is in the response to its creation only.",
      source: "ours",
      async examine(subject) {
        const { id, secret } = await createSigning(subject, nowhere)
        const { text } = await subject.send("GET", `/webhooks/${id}`)
        expect(!text.includes(secret), "the secret is shown")
      },
    },
    {
      name: "ends-with-the-webhook",
      expects: "A deleted webhook is 404, and receives nothing.",
      source: "ours",
      async examine(subject) {
        const { id } = jsonOf(await createWebhook(subject, nowhere))
        expectStatus(await subject.send("DELETE", `/webhooks/${id}`), 200, 204)
        expectStatus(await subject.send("GET", `/webhooks/${id}`), 404)
      },
    },
  ],
}
