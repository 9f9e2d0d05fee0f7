import assert from "node:assert/strict"
import { test } from "node:test"
import { plainEndpoint } from "../../../test/harness/endpoint.ts"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import { principalOf } from "../../../test/harness/principal.ts"
import type { Endpoint } from "../../kernel/endpoint/endpoint.ts"
import { type Problem, problem } from "../../kernel/problem.ts"
import { Type } from "../../kernel/schema/type.ts"
import { createContext } from "./context.ts"

const endpoint: Endpoint = plainEndpoint
const store = { transaction: (work: (tx: object) => unknown) => work({}) }

function contextOf(headers: Record<string, string>, more: Partial<Endpoint> = {}, isAnonymous = false) {
  const exchange = exchangeOf("/pet", { headers })
  exchange.caller = isAnonymous ? undefined : principalOf(7).caller
  const lines: unknown[] = []
  const ports = { log: { info: (...line: unknown[]) => void lines.push(line) }, clock: { now: () => 0 } }
  const [given, inside] = [ports, store] as unknown as [
    Parameters<typeof createContext>[0],
    Parameters<typeof createContext>[3],
  ]
  return { ...createContext(given, exchange, { ...endpoint, ...more }, inside), lines }
}

test("headers have a meaning where the operation honours them", () => {
  const headers = {
    authorization: "Bearer a",
    "last-event-id": "5",
    prefer: "count=exact",
    "if-match": '"a", W/"b"',
  }
  const read = (more: Partial<Endpoint>, of = headers) => {
    const { bearer, lastEventId, wantsTotal, ifMatch } = contextOf(of, more).context
    return { bearer, lastEventId, wantsTotal, ifMatch }
  }
  const none = { bearer: "a", lastEventId: undefined, wantsTotal: false, ifMatch: undefined }
  assert.deepEqual(read({}), none)
  assert.deepEqual(read({ streams: true }), { ...none, lastEventId: "5" })
  assert.deepEqual(read({ counted: true }), { ...none, wantsTotal: true })
  assert.deepEqual(read({ counted: true }, { ...headers, prefer: "count=none" }), none)
  assert.ok(read({ conditional: true }).ifMatch?.includes('"a"'))
})

test("an operation ends with a problem, accepts results, and can attempt a part", async () => {
  const { context } = contextOf({})
  const { refuse, accept, attempt, valid } = context
  const titled = { code: "pet-not-found", detail: "Pet not found" }
  const code = "pet-not-found" as never
  assert.throws(() => refuse(code), titled)
  assert.throws(() => refuse(code, "another detail"), { code: "pet-not-found", detail: "another detail" })
  assert.throws(() => accept(problem("pet-not-found", "a") as never), { detail: "a" })
  assert.equal(accept(5), 5)
  const refusal = problem("pet-exists", "")
  assert.equal(await attempt(() => Promise.reject(refusal)), refusal)
  assert.equal(await attempt(async () => 5), 5)
  await assert.rejects(
    attempt(() => Promise.reject(new Error("bug"))),
    /bug/,
  )
  assert.deepEqual(valid(Type.Object({ a: Type.Integer() }), { a: 1 }), { a: 1 })
  assert.throws(
    () => valid(Type.Object({ a: Type.Integer() }), {}),
    (error: Problem) => error.code === "invalid-body" && error.violations.length === 1,
  )
})

test("changes of credentials are noted, and log lines name the request and its caller", () => {
  const { context, changed, lines } = contextOf({})
  context.credentialsChanged(3)
  context.credentialsChanged(3)
  assert.deepEqual([...changed], [3])
  context.log("done", { userId: 4 })
  const [[facts, what]] = lines as [[Record<string, unknown>, string]]
  assert.deepEqual(
    [what, facts.requestId, facts.userId, "account" in facts || "accountId" in facts],
    ["done", "request-1", 4, true],
  )
  const anonymous = contextOf({}, {}, true)
  anonymous.context.log("done", {})
  assert.deepEqual(anonymous.lines, [[{ requestId: "request-1" }, "done"]])
})

test("only operations with audited actions write to the audit log", () => {
  const { audit } = contextOf({}).context
  const note = (of: typeof audit) => of("key.created" as never, "key:1")
  assert.equal(note(audit), undefined)
  assert.throws(() => note(contextOf({}, { audited: ["key.created"] }).context.audit), /outside a transaction/)
})
