import assert from "node:assert/strict"
import { test } from "node:test"
import { factsOf, openVisit, type VisitGiven, waysOf } from "../../../../../test/harness/visit.ts"
import { Markup } from "../../html.ts"
import { keyPage } from "./key.ts"

const key = { id: 7, name: "Import", scopes: ["read:pets"], allowedCidrs: [], createdAt: "1970-01-01T00:00:00Z" }

/** The page of a key. */
async function shown(changed: object = {}, given: VisitGiven = {}) {
  const calls = { getKey: { value: { ...key, ...changed } } }
  const isKnownKey = async () => false
  const { visit } = openVisit({ path: "/keys/7", params: { keyId: "7" }, calls, isKnownKey, ...given })
  const { text } = await keyPage.show(visit)
  return { facts: factsOf(text), ways: waysOf(text), isWellKnown: text.includes("This is a well-known key") }
}

test("a key is revoked or rotated, once; a public one of a sandbox is neither", async () => {
  const ways = async (changed: object, given: VisitGiven = {}) => (await shown(changed, given)).ways.slice(1)
  assert.deepEqual(await ways({}), ["revoke", "rotate"])
  assert.deepEqual(await ways({ rotatedAt: key.createdAt }), ["revoke"])
  const known = { isKnownKey: async (id: number) => id === 7 }
  assert.deepEqual(await ways({}, known), [])
  assert.deepEqual([(await shown()).isWellKnown, (await shown({}, known)).isWellKnown], [false, true])
})

test("the facts about a key say who may use it from where, and when it was used", async () => {
  const { facts } = await shown()
  const [scope = "", address, used, rotated, expires] = [
    facts.Scopes,
    facts["Allowed addresses"],
    facts["Last used"],
    facts.Rotated,
    facts.Expires,
  ]
  assert.match(scope, /^<ul class="lines"><li>.+ <code>read:pets<\/code><\/li><\/ul>$/)
  assert.deepEqual([address, used, rotated, expires], ["any", "never", undefined, "never"])
  const other = (await shown({ allowedCidrs: ["192.0.2.0/24", "::1/128"], rotatedAt: key.createdAt })).facts
  const cidrs = "<li><code>192.0.2.0/24</code></li><li><code>::1/128</code></li>"
  assert.equal(other["Allowed addresses"], `<ul class="lines">${cidrs}</ul>`)
  assert.match(other.Rotated ?? "", /^<time datetime="1970-01-01T00:00:00Z">.*, replaced by another key$/)
})

test("the old key works for as long as was chosen, a day when nothing was, and the new one is shown once", async () => {
  const rotated = async (fields: Record<string, string>) => {
    const calls = { rotateKey: { value: { id: 8, name: "Import", secret: "new secret" } } }
    const { visit, called } = openVisit({ params: { keyId: "7" }, calls })
    const done = await keyPage.actions?.rotate?.(visit, new URLSearchParams(fields))
    const text = done && "show" in done && done.show instanceof Markup ? done.show.text : ""
    assert.match(text, /new secret.*href="\/console\/keys\/8"/s)
    return [called, /The old key (.*?)\. Configure/.exec(text)?.[1]]
  }
  const asked = (overlapSeconds: number) => [["rotateKey", { params: { id: 7 }, query: { overlapSeconds } }]]
  assert.deepEqual(await rotated({ overlap: "0" }), [asked(0), "no longer works"])
  assert.deepEqual(await rotated({ overlap: "604800" }), [asked(604_800), "works for another 7 days"])
  assert.deepEqual(await rotated({ overlap: "" }), [asked(86_400), "works for another 24 hours"])
  assert.deepEqual(await rotated({ overlap: "5" }), [asked(5), "works for another while"])
})

test("a key is revoked", async () => {
  const { visit, called } = openVisit({ params: { keyId: "7" }, calls: { revokeKey: {} } })
  const done = await keyPage.actions?.revoke?.(visit, new URLSearchParams())
  assert.deepEqual(
    [done, called],
    [{ to: "/keys", notice: "The key was revoked" }, [["revokeKey", { params: { id: 7 } }]]],
  )
})
