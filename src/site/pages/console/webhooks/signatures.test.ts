import assert from "node:assert/strict"
import { test } from "node:test"
import { Webhook } from "standardwebhooks"
import type { Visit } from "../page.ts"
import { signaturesPage } from "./signatures.ts"

const secret = `whsec_${Buffer.alloc(24).toString("base64")}`

/** Checks a message with this id and signature; what was read to find the body that was sent, and the verdict. */
async function check(
  id: string,
  feed: readonly object[] = [],
  signature = `v1,${Buffer.alloc(32).toString("base64")}`,
) {
  const read: object[] = []
  const call = {
    async listEvents({ query }: { query: object }) {
      read.push(query)
      return { value: feed }
    },
  }
  const visit = {
    call,
    root: "/console",
    path: "/webhooks/signatures",
    query: new URLSearchParams(),
    scopes: new Set(),
    token: "T",
    service: { now: () => 0 },
  } as unknown as Visit
  const form = new URLSearchParams({ id, timestamp: " 0 ", signature, body: '{"event":"pet.created"}', secret })
  const done = await signaturesPage.actions?.check?.(visit, form)
  assert.ok(done && "show" in done)
  const { text } = done.show
  const [, verdict, words] = /<section class="verdict (\w+)" role="status">\s*<p><strong>(.*?)</.exec(text) ?? []
  return {
    read,
    verdict: [verdict, words],
    findings: [...text.matchAll(/<li class="bad">(.*?)<\/li>/g)].map(([, text]) => text),
  }
}
const refused = ["bad", "Receivers must refuse this message."]
const eventOf = (position: number) => `evt_${position}_${"a".repeat(12)}`
const unknown = "The signature does not match: the secret is wrong, or the id, the timestamp or the body was changed."
const sameBody = "Wrong secret: this body was sent with this id. Or the timestamp is that of another attempt."

test("the body that was sent with an id is the first event after the position before it", async () => {
  const feed = (position: number) => [{ id: eventOf(position), event: "pet.created" }]
  assert.deepEqual(await check(eventOf(1), feed(1)), { read: [{ limit: 1 }], verdict: refused, findings: [sameBody] })
  for (const position of [2, 30]) {
    const query = { after: `evt_${position - 1}_000000000000`, limit: 1 }
    assert.deepEqual(await check(` ${eventOf(position)} `, feed(position)), {
      read: [query],
      verdict: refused,
      findings: [sameBody],
    })
  }
  assert.deepEqual((await check(eventOf(2), feed(3))).findings, [unknown])
  assert.deepEqual((await check(eventOf(2))).findings, [unknown])
})

test("a message with the signature of its secret is valid", async () => {
  const signature = new Webhook(secret).sign("mine", new Date(0), '{"event":"pet.created"}')
  const { verdict, findings } = await check("mine", [], signature)
  assert.deepEqual([verdict, findings], [["good", "This message is valid."], []])
})

test("an id that is no event's is not looked up", async () => {
  for (const id of ["", "mine", "evt_0_aaaaaaaaaaaa", "evt_x"])
    assert.deepEqual(await check(id, [{ id, event: "pet.created" }]), {
      read: [],
      verdict: refused,
      findings: [unknown],
    })
})
