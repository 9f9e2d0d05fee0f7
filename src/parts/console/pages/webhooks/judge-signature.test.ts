import assert from "node:assert/strict"
import { test } from "node:test"
import { Webhook } from "standardwebhooks"
import { judgeSignature } from "./judge-signature.ts"

const now = Date.UTC(2026, 0, 1)
const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
const other = "whsec_HxwdHhsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA="
const body = '{"event":"pet.created","data":{"name":"Rex"}}'
const sign = (text: string, by = secret, at = now) => new Webhook(by).sign("evt_1_4f1d2c3b4a59", new Date(at), text)
const message = { id: "evt_1_4f1d2c3b4a59", timestamp: String(now / 1000), signature: sign(body), body, secret }

const judge = (changed: Partial<typeof message>, sent?: string, at = now) =>
  judgeSignature({ ...message, ...changed }, sent, at)

for (const [name, changed] of [
  ["a message signed by the receivers' library", {}],
  ["several signatures of which one is valid", { signature: `v1,${"A".repeat(43)}= ${sign(body)}` }],
  ["line breaks normalized by a form", { body: "a\r\nb", signature: sign("a\nb") }],
  ["unchanged line breaks", { body: "a\r\nb", signature: sign("a\r\nb") }],
  ["white space around the body", { body: ` ${body}\r\n` }],
] as const)
  test(`${name}: the message is valid`, () => {
    assert.deepEqual(
      judge(changed).filter(({ isGood }) => !isGood),
      [],
    )
  })

for (const [name, changed, sent, explanation] of [
  ["another secret, and the body is known", { secret: other }, body, /^Wrong secret/],
  ["another body than the known one", { body: body.replace("Rex", "Max") }, body, /^The body was changed: the secret/],
  ["another body and another secret", { body: "{}", secret: other }, body, /and the secret is wrong, too/],
  ["a reformatted body", { body: '{ "a": 1 }', signature: sign('{"a":1}') }, undefined, /reformatted/],
  ["a mismatch without a known body", { secret: other }, undefined, /^The signature does not match/],
  ["another id", { id: "evt_2_4f1d2c3b4a59" }, undefined, /^The signature does not match/],
  ["a secret without its prefix", { secret: secret.slice(6) }, body, /does not start with whsec_/],
  ["a secret that is no base64", { secret: "whsec_!" }, body, /is not base64/],
  ["a signature of another version", { signature: "v2,abc" }, body, /v1,BASE64/],
  ["a time that is no number", { timestamp: "2026-01-01T00:00:00Z" }, body, /not a number of seconds/],
  ["milliseconds", { timestamp: String(now) }, body, /not a number of seconds/],
] as const)
  test(`${name}: is the only failure`, () => {
    const wrong = judge(changed, sent).filter(({ isGood }) => !isGood)
    assert.equal(wrong.length, 1)
    assert.match(wrong[0]?.explanation ?? "", explanation)
  })

test("a timestamp more than five minutes off is refused in both directions, and the signature is still checked", () => {
  const minutes = 60_000
  const wrongAt = (offMs: number) =>
    judge({}, undefined, now + offMs)
      .filter(({ isGood }) => !isGood)
      .map(({ explanation }) => explanation)
  for (const offMs of [5 * minutes, -5 * minutes]) assert.deepEqual(wrongAt(offMs), [])
  assert.match(wrongAt(5 * minutes + 1).join(), /^The timestamp is stale: it is 5 minutes old/)
  assert.match(wrongAt(-5 * minutes - 1).join(), /^The timestamp is 5 minutes ahead/)
  assert.ok(
    judge({}, undefined, now + 86_400_000).some(({ explanation }) => explanation.startsWith("The signature is valid")),
  )
})
