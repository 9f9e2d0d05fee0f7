import { createHmac } from "node:crypto"
import { expect } from "../../verdict.ts"
import type { ConformChapter } from "../check.ts"
import { openReceiver } from "../receiver.ts"
import {
  addAnyPet,
  addPetFirst,
  claim,
  expectEqual,
  expectRefusal,
  expectStatus,
  jsonOf,
  type Reply,
  type Subject,
  unusedName,
} from "../subject.ts"

const pageSize = 3
const list = `/pet/findByStatus?status=sold&limit=${pageSize}`

const idsOf = (reply: Reply): number[] => (jsonOf(reply) as { id: number }[]).map(({ id }) => id)
/** The address of the next page, which may be relative to that of this one (RFC 8288 section 3.1). */
function nextOf({ headers, address }: Reply): string | undefined {
  const [, next] = /<([^>]+)>; *rel="?next"?/.exec(headers.get("link") ?? "") ?? []
  return next && (URL.parse(next, address)?.href ?? next)
}

/** The pages of a list with more than one; claimed when a page has no more than its limit. */
async function pages(subject: Subject): Promise<Reply[]> {
  for (let n = 0; n <= pageSize; n++) await addPetFirst(subject, { status: "sold" })
  const read: Reply[] = []
  for (let page: string | undefined = list; page !== undefined; ) {
    const reply: Reply = await subject.send("GET", page)
    expectStatus(reply, 200)
    read.push(reply)
    claim(idsOf(reply).length <= pageSize, "its lists have no limit")
    expect(read.length < 10_000, "the list has no end")
    page = nextOf(reply)
  }
  return read
}

export const lists: ConformChapter = {
  name: "Pages",
  tasks: [
    {
      name: "has-each-once",
      expects: "The pages that Link leads to have each pet once.",
      async examine(subject) {
        const found = (await pages(subject)).flatMap(idsOf)
        expectEqual(found.length, new Set(found).size, "the number of pets")
        const { id } = await addAnyPet(subject, { status: "sold" })
        const again = (await pages(subject)).flatMap(idsOf)
        expect(again.includes(id) && found.every((one) => again.includes(one)), "a pet is missing")
      },
    },
    {
      name: "goes-on-after-a-change",
      expects: "A pet that is added or deleted between two pages moves no other.",
      async examine(subject) {
        const before = (await pages(subject)).flatMap(idsOf)
        const first = await subject.send("GET", list)
        const added = await addAnyPet(subject, { status: "sold" })
        await subject.send("DELETE", `/pet/${before[0]}`)
        const second = idsOf(await subject.send("GET", nextOf(first) as string))
        // The new pet is anywhere in the order of the list.
        const known = second.filter((id) => id !== added.id)
        expectEqual(known, before.slice(pageSize, pageSize + known.length), "the second page")
        expect(known.length > 0, "the second page is empty")
      },
    },
    {
      name: "refuses-other-limits",
      expects: "A limit of 0, or that is no number, is refused.",
      async examine(subject) {
        await pages(subject)
        for (const limit of ["0", "-1", "many"])
          expectRefusal(await subject.send("GET", `/pet/findByStatus?status=sold&limit=${limit}`))
      },
    },
    {
      name: "refuses-an-unknown-cursor",
      expects: "A cursor that the service has not issued is refused, not an empty list.",
      async examine(subject) {
        await pages(subject)
        expectRefusal(await subject.send("GET", `${list}&cursor=unknown`))
      },
    },
  ],
}

type Webhook = { id: number; secret: string }

/** Creates a webhook, where the service has them. */
async function createWebhook({ send }: Subject, url: string): Promise<Webhook> {
  const reply = await send("POST", "/webhooks", { body: { url, events: ["pet.created", "pet.deleted"] } })
  claim(![404, 405, 501].includes(reply.status), "it has no webhooks")
  expectStatus(reply, 201)
  const webhook = jsonOf(reply) as Webhook
  claim(webhook.secret?.startsWith("whsec_") === true, "its webhooks have no secret of Standard Webhooks")
  return webhook
}

export const webhookChecks: ConformChapter = {
  name: "Webhooks",
  tasks: [
    {
      name: "signs",
      expects:
        "A message has webhook-id, webhook-timestamp and webhook-signature, which is of its body (Standard Webhooks).",
      async examine(subject) {
        await using receiver = await openReceiver()
        const { id, secret } = await createWebhook(subject, receiver.url)
        const name = unusedName("Rex")
        await addAnyPet(subject, { name })
        const { headers, body } = await receiver.message((text) => text.includes(name))
        await subject.send("DELETE", `/webhooks/${id}`)
        const key = Buffer.from(secret.slice("whsec_".length), "base64")
        const content = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`
        const expected = `v1,${createHmac("sha256", key).update(content).digest("base64")}`
        const signatures = String(headers["webhook-signature"]).split(" ")
        expect(signatures.includes(expected), `the signature is ${signatures.join(" ")} instead of ${expected}`)
      },
    },
    {
      name: "announces-a-deletion",
      expects: "DELETE of a pet sends pet.deleted.",
      async examine(subject) {
        await using receiver = await openReceiver()
        const webhook = await createWebhook(subject, receiver.url)
        const { id } = await addAnyPet(subject)
        await subject.send("DELETE", `/pet/${id}`)
        await receiver.message((text) => text.includes('"pet.deleted"') && text.includes(`"id":${id},`))
        await subject.send("DELETE", `/webhooks/${webhook.id}`)
      },
    },
    {
      name: "shows-its-secret-once",
      expects: "The secret of a webhook is in the response to its creation only.",
      async examine(subject) {
        const { id, secret } = await createWebhook(subject, "http://127.0.0.1:9/")
        const { text } = await subject.send("GET", `/webhooks/${id}`)
        await subject.send("DELETE", `/webhooks/${id}`)
        expect(!text.includes(secret), "the secret is shown")
      },
    },
    {
      name: "ends-with-the-webhook",
      expects: "A deleted webhook is 404, and receives nothing.",
      async examine(subject) {
        const { id } = await createWebhook(subject, "http://127.0.0.1:9/")
        expectStatus(await subject.send("DELETE", `/webhooks/${id}`), 200, 204)
        expectStatus(await subject.send("GET", `/webhooks/${id}`), 404)
      },
    },
  ],
}

/** What a plan with limits says of itself. */
export const limits: ConformChapter = {
  name: "Limits",
  tasks: [
    {
      name: "says-what-is-left",
      expects: "A response to the limited key has RateLimit-Policy and RateLimit.",
      async examine({ send, limitedKey }) {
        const { status, headers } = await send("GET", "/pet/1", { key: limitedKey })
        claim(status !== 401, "the limited key is unknown")
        claim(headers.has("ratelimit-policy"), "it has no RateLimit-Policy")
        expect(/"\w+";q=\d+;w=\d+/.test(headers.get("ratelimit-policy") ?? ""), `${headers.get("ratelimit-policy")}`)
        expect(/"\w+";r=\d+;t=\d+/.test(headers.get("ratelimit") ?? ""), `RateLimit is ${headers.get("ratelimit")}`)
      },
    },
    {
      name: "counts-no-refusal",
      expects: "A request with an unknown credential is not counted.",
      async examine({ send, limitedKey }) {
        const left = async () =>
          /r=(\d+)/.exec((await send("GET", "/pet/1", { key: limitedKey })).headers.get("ratelimit") ?? "")?.[1]
        const first = await left()
        claim(first !== undefined, "it has no RateLimit")
        claim(Number(first) > 2, "the limited key has no request left")
        for (let n = 0; n < 5; n++) await send("GET", "/pet/1", { key: "unknown" })
        expectEqual(Number(await left()), Number(first) - 1, "the number of requests left")
      },
    },
  ],
}
