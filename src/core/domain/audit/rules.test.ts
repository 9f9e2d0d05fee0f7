import assert from "node:assert/strict"
import { test } from "node:test"
import { principalOf } from "../../../../test/harness/principal.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Caller } from "../accounts/model.ts"
import { actorOf, chooseEntries, composeEntry } from "./rules.ts"

const from = { address: "192.0.2.1", requestId: "r" }
const { caller } = principalOf(7)

test("the actor is the person or the program, and anonymous without a credential", () => {
  assert.deepEqual(actorOf(undefined, from), { principal: "anonymous", ...from })
  assert.deepEqual(actorOf(caller, from), { principal: "key:1", credential: "key:1", account: 7, ...from })
  for (const [kind, noun] of [
    ["key", "key"],
    ["session", "session"],
    ["oauthClient", "oauth-client"],
    ["externalIssuer", "external-issuer"],
  ] as const) {
    const credential = { kind, id: 3 }
    const user: Caller["user"] = { id: 9, username: "ada", role: "staff", accountId: 7 }
    const reference = `${noun}:3`
    assert.deepEqual(actorOf({ ...caller, credential }, from).principal, reference)
    const actor = { principal: "user:9", credential: reference, account: 7, ...from }
    assert.deepEqual(actorOf({ ...caller, credential, user }, from), actor)
  }
})

test("the text of an entry has its members in one order, and only a refused login is refused", () => {
  const entry = { principal: "key:1", ...from, thing: "webhook:1", action: "key.created" } as const
  const position = { id: 2, at: 0, previous: "p" }
  assert.equal(
    composeEntry({ ...entry, credential: "key:1", account: 7, details: { a: "b" } }, position),
    '{"id":2,"time":"1970-01-01T00:00:00.000Z","action":"key.created","result":"done","principal":"key:1","credential":"key:1",' +
      '"account":7,"address":"192.0.2.1","requestId":"r","thing":"webhook:1","details":{"a":"b"},"previous":"p"}',
  )
  const { result } = JSON.parse(composeEntry({ ...entry, action: "login.refused" }, position)) as { result: string }
  assert.equal(result, "refused")
})

test("entries are chosen by one filter and times", () => {
  const chosen = (query: object) => {
    const filter = chooseEntries(query)
    return filter instanceof Problem ? filter.violations[0] : filter
  }
  assert.deepEqual(chosen({}), { by: undefined, since: undefined, until: undefined })
  assert.deepEqual(chosen({ account: 3, since: "1970-01-01T00:00:01Z", until: "1970-01-01T00:00:02Z" }), {
    by: ["account", 3],
    since: 1000,
    until: 2000,
  })
  assert.deepEqual(chosen({ action: "key.created" }), {
    by: ["action", "key.created"],
    since: undefined,
    until: undefined,
  })
  const refused = (parameter: string, code: string, detail: string) => ({ parameter, code, detail })
  const detail = "cannot be combined with account: only since and until can be combined with another filter"
  assert.deepEqual(chosen({ thing: "webhook:1", account: 3 }), refused("thing", "not-combinable", detail))
  const unknown = "is no action of the audit log"
  assert.deepEqual(
    chosen({ action: "key.creatd" }),
    refused("action", "unknown", `${unknown}; did you mean key.created?`),
  )
  assert.deepEqual(chosen({ action: "zzzzzzzzzzzzz" }), refused("action", "unknown", unknown))
})
