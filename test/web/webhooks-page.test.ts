import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { Webhook } from "standardwebhooks"
import { createSignatureHeaders } from "../../src/core/workers/delivery/sending/sign.ts"

const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "webhooks.md"), "utf8")
const value = (name: string): string => new RegExp(`^${name} +(.*)$`, "m").exec(page)?.[1] as string
const [secret, id, timestamp, body, signature] = ["secret", "id", "timestamp", "body", "signature"].map(value) as [
  string,
  string,
  string,
  string,
  string,
]

test("the page for receivers shows the signatures of this service and of the specification", () => {
  const headers = createSignatureHeaders([secret], { eventId: id, body, at: Number(timestamp) * 1000 })
  assert.deepEqual(headers, { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature })
  assert.equal(new Webhook(secret).sign(id, new Date(Number(timestamp) * 1000), body), signature)
})

test("the code on that page accepts the test vector, also with a second signature, and rejects everything else", async () => {
  const code = /```js\n(.*?)```/s.exec(page)?.[1] as string
  const { verify } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  assert.equal(verify(secret, id, timestamp, body, signature), true)
  assert.equal(verify(secret, id, timestamp, body, `v1,AAAA ${signature}`), true)
  for (const changed of [`${body} `, body.replace("Rex", "Max"), ""])
    assert.equal(verify(secret, id, timestamp, changed, signature), false)
  assert.equal(verify(secret, id, "1767268801", body, signature), false)
})
