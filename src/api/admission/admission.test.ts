import assert from "node:assert/strict"
import { test } from "node:test"
import { plainEndpoint } from "../../../test/harness/endpoint.ts"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import { principalOf } from "../../../test/harness/principal.ts"
import type { Caller } from "../../domain/accounts/model.ts"
import type { Endpoint } from "../../kernel/endpoint/endpoint.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Principal } from "../authentication/principal-cache.ts"
import { admission } from "./admission.ts"

const endpoint: Endpoint = { ...plainEndpoint, scope: "read:pets" }
const open: Endpoint = { ...endpoint, scope: "open" }
const any: Endpoint = { ...endpoint, scope: "any" }
const { caller } = principalOf(7)
const reader: Caller = { ...caller, scopes: new Set(["read:pets"]) }
const refused = new Problem("unauthorized", "unknown")

type Found = Principal | Error

/** Admission that finds this principal or problem, at once or later, and what it called. */
function admitting(found: Found, { isLater = false, budget }: { isLater?: boolean; budget?: Problem } = {}) {
  const calls: string[] = []
  const fail = (error: Error) => {
    throw error
  }
  const parts = admission({
    authenticate: (_, address) => {
      calls.push(`authenticate ${address}`)
      if (isLater) return found instanceof Error ? Promise.reject(found) : Promise.resolve(found)
      return found instanceof Error ? fail(found) : found
    },
    limitAddress: async (kind: string, address: string) => void calls.push(`${kind} ${address}`),
    limitAccount: () => {
      calls.push("account")
      return isLater ? Promise.resolve() : undefined
    },
    requireUnreadBudget: () => {
      calls.push("unread")
      if (budget) throw budget
    },
    metadataUrl: () => "https://a.example/meta",
  })
  return { ...parts, calls }
}

const principal = (by: Caller, ending?: Record<string, string>): Principal => ({
  caller: by,
  expiresAt: undefined,
  ...(ending && { ending }),
})
const authenticated = "authenticate 192.0.2.1"
const codeOf = async (work: () => unknown) => {
  try {
    await work()
    return undefined
  } catch (error) {
    return error instanceof Problem ? [error.code, error.headers["www-authenticate"]] : error
  }
}
const bearer = (error: string) => `Bearer realm="petstore"${error}, resource_metadata="https://a.example/meta"`
const both = (error = "") => `${bearer(error)}, ApiKey realm="petstore", in="header", name="api_key"`
const missing = (scope: string) => ["forbidden", bearer(`, error="insufficient_scope", scope="${scope}"`)]

for (const isLater of [false, true])
  test(`a caller with the scope is admitted and counted, ${isLater ? "later" : "at once"}`, async () => {
    const { admit, calls } = admitting(principal(reader, { deprecation: "@1", sunset: "then" }), { isLater })
    const exchange = exchangeOf("/pet")
    await admit(exchange, endpoint)
    assert.deepEqual([exchange.caller, exchange.headers], [reader, ["deprecation", "@1", "sunset", "then"]])
    assert.deepEqual(calls, [authenticated, "account"])
    const without = admitting(principal(caller), { isLater })
    assert.deepEqual(await codeOf(() => without.admit(exchangeOf("/pet"), endpoint)), missing("read:pets"))
    assert.deepEqual(without.calls, [authenticated, "account"], "a request without the scope is counted, too")
    assert.equal(await codeOf(() => without.admit(exchangeOf("/pet"), any)), undefined)
  })

test("a request that costs nothing is not counted, and a page needs memory before it is", async () => {
  const free = admitting(principal(reader))
  await free.admit(exchangeOf("/pet"), { ...endpoint, cost: 0, paged: true })
  assert.deepEqual(free.calls, [authenticated])
  const paged = admitting(principal(reader))
  await paged.admit(exchangeOf("/pet"), { ...endpoint, paged: true })
  assert.deepEqual(paged.calls, [authenticated, "unread", "account"])
  const full = admitting(principal(reader), { budget: new Problem("overloaded", "") })
  assert.deepEqual(await codeOf(() => full.admit(exchangeOf("/pet"), { ...endpoint, paged: true })), [
    "overloaded",
    undefined,
  ])
  assert.deepEqual(full.calls, [authenticated, "unread"])
})

for (const isLater of [false, true])
  test(`a credential that is refused counts against the address, ${isLater ? "later" : "at once"}`, async () => {
    const outcome = async (headers: Record<string, string>, found: Found = refused) => {
      const { admit, calls } = admitting(found, { isLater })
      return [await codeOf(() => admit(exchangeOf("/pet", { headers }), endpoint)), calls.slice(1)]
    }
    assert.deepEqual(await outcome({}), [["unauthorized", both()], ["anonymous 192.0.2.1"]])
    assert.deepEqual(await outcome({ api_key: "a" }), [["unauthorized", both()], ["failed 192.0.2.1"]])
    const invalid = ["unauthorized", both(', error="invalid_token"')]
    assert.deepEqual(await outcome({ authorization: "Bearer a" }), [invalid, ["failed 192.0.2.1"]])
    assert.deepEqual(await outcome({}, new Problem("unavailable", "")), [["unavailable", undefined], []])
    const bug = new Error("bug")
    assert.deepEqual(await outcome({}, bug), [bug, []])
  })

test("an open operation is limited by address, and more where it hashes a password", async () => {
  const { admit, admitKnown, calls } = admitting(refused)
  await admit(exchangeOf("/user"), open)
  await admitKnown(exchangeOf("/user"), open)
  assert.deepEqual(calls.splice(0), ["anonymous 192.0.2.1", "anonymous 192.0.2.1"])
  await admit(exchangeOf("/user"), { ...open, hashesPassword: true })
  assert.deepEqual(calls, ["anonymous 192.0.2.1", "password 192.0.2.1"])
})

test("a visitor whom a page knows needs the scope only", async () => {
  const { admitKnown, calls } = admitting(refused)
  const known = (by: Caller | undefined, to: Endpoint) =>
    codeOf(() => admitKnown({ caller: by, address: "192.0.2.1" }, to))
  assert.deepEqual([await known(reader, endpoint), await known(caller, any)], [undefined, undefined])
  assert.deepEqual(await known(caller, endpoint), missing("read:pets"))
  assert.deepEqual(await known(undefined, any), missing("any"))
  assert.deepEqual(calls, [])
})

test("work that outlives its request is admitted again without being counted", async () => {
  const by = { request: exchangeOf("/pet", { headers: { authorization: "Bearer a" } }).request, address: "192.0.2.1" }
  const again = (found: Found, to = endpoint) => codeOf(() => admitting(found).readmit(by, to))
  const { readmit, calls } = admitting(principal(reader))
  assert.deepEqual(await readmit(by, endpoint), principal(reader))
  assert.deepEqual(calls, [authenticated])
  assert.deepEqual(await again(principal(caller)), missing("read:pets"))
  assert.deepEqual(await again(refused), ["unauthorized", both(', error="invalid_token"')])
  assert.deepEqual(await again(new Problem("unavailable", "")), ["unavailable", undefined])
})
