import assert from "node:assert/strict"
import { hash } from "node:crypto"
import { test } from "node:test"
import { type AuditEntry, hashedText } from "../../../../domain/audit/contract.ts"
import { encodeCursor } from "../../../../kernel/endpoint/page.ts"
import type { Visit } from "../page.ts"
import { auditEntryPage } from "./audit-entry.ts"

const entryOf = (changed: Partial<AuditEntry>): AuditEntry => {
  const time = "2026-01-01T00:00:00.000Z"
  const entry = { id: 7, time, action: "key.created", result: "done", principal: "service", previous: "p", hash: "" }
  const whole = { ...entry, ...changed } as AuditEntry
  return { ...whole, hash: changed.hash ?? hash("sha256", hashedText(whole)) }
}
const before = entryOf({ id: 6 })
const entry = entryOf({ previous: before.hash })

/** The page of an entry of a log, newest first. */
async function shown(log: readonly AuditEntry[], entryId = "7", asked: unknown[] = []): Promise<string> {
  const listAudit = async ({ query }: { query: object }) => {
    asked.push(query)
    return { value: log, request: { method: "GET", target: "/audit" } }
  }
  const call = { listAudit }
  const service = { now: () => Date.parse(entry.time), publicUrl: () => "https://pets.example" }
  const visit = { call, params: { entryId }, root: "/console", path: `/audit/${entryId}`, service, mayGo: () => false }
  return (await auditEntryPage.show(visit as unknown as Visit)).text
}
const verdict = async (...log: AuditEntry[]) =>
  /<p>(.*?)<\/p>\n<p class="soft"><code>petstore audit/.exec(await shown(log))?.[1]
const alarm = (label: string) => `<strong class="alarm">${label}</strong>`

test("an entry is unchanged when its hash fits, and follows the one that it names", async () => {
  const follows = 'This entry is unchanged and follows <a href="/console/audit/6">entry 6</a>.'
  assert.equal(await verdict(entry, before), follows)
  assert.equal(await verdict(entry), "This entry is unchanged. It is the oldest entry that is retained.")
  const changed = alarm("This entry was changed: its hash does not match its content.")
  assert.equal(await verdict({ ...entry, principal: "another" }, before), changed)
  const replaced = alarm("The entry before this one was changed, replaced or removed.")
  assert.equal(await verdict(entry, { ...before, hash: "other" }), replaced)
  assert.equal(await verdict(entry, { ...before, id: 5 }), replaced)
})

test("there is no page of an entry that the log does not have", async () => {
  const asked: unknown[] = []
  for (const id of ["0", "-1", "x", "1.5", "9007199254740991"])
    await assert.rejects(shown([entry], id, asked), { code: "not-found" })
  assert.deepEqual(asked, [])
  await assert.rejects(shown([before]), { code: "not-found" })
  await assert.rejects(shown([]), { code: "not-found" })
})

test("an entry and the one before it are read from the list", async () => {
  for (const id of [1, 7, 9_007_199_254_740_990]) {
    const asked: unknown[] = []
    assert.match(await shown([entryOf({ id })], String(id), asked), new RegExp(`<dt>Entry</dt><dd>${id}</dd>`))
    assert.deepEqual(asked, [{ cursor: encodeCursor({ sort: "-id", id: id + 1 }), limit: 2 }])
  }
})

test("an entry has the facts that were recorded", async () => {
  const facts = async (changed: Partial<AuditEntry>) =>
    [...(await shown([entryOf(changed)])).matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)]
      .map(([, name, value]) => `${name}: ${value}`)
      .filter((fact) => !/^(Entry|When|Hash|Previous hash): /.test(fact))
  const link = (filter: string, value: string, words: string) =>
    `<a href="/console/audit?${filter}=${value}">all entries ${words}</a>`
  const actor = `Actor: service ${link("principal", "service", "of this actor")}`
  assert.deepEqual(await facts({}), [actor])
  const details = { scopes: "read:pets", plan: 7 }
  const more = { credential: "x:1", thing: "x:2", address: "203.0.113.7", requestId: "r-1", details }
  assert.deepEqual(await facts(more), [
    actor,
    "Credential: x:1",
    `Subject: x:2 ${link("thing", "x%3A2", "about this subject")}`,
    "IP: 203.0.113.7",
    "Request: <code>r-1</code>",
    "Details: scopes: <code>read:pets</code>",
    "Details: plan: <code>7</code>",
  ])
})
