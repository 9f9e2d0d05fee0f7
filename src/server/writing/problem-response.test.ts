import assert from "node:assert/strict"
import { test } from "node:test"
import type { Logger } from "pino"
import { Problem } from "../../kernel/problem.ts"
import type { Exchange } from "../exchange/exchange.ts"
import { errorResponder, problemReader } from "./problem-response.ts"

const problems = {
  "not-found": { status: 404, title: "Not found", meaning: "" },
  "internal-error": { status: 500, title: "Internal error", meaning: "" },
  unavailable: { status: 503, title: "Unavailable", meaning: "" },
}

function exchangeOf(path: string, accept?: string): Exchange {
  const exchange = { id: "r1", path, request: { headers: { accept } }, outside: (path: string) => `/s/a${path}` }
  return exchange as unknown as Exchange
}

const respond = (problem: Problem, path = "/api/v3/pet/1", accept?: string, hasV2 = true) =>
  errorResponder({ problems, publicUrl: () => "https://a.example", toProblem: () => problem, hasV2 })(
    exchangeOf(path, accept),
    problem,
  )

const missing = new Problem("not-found", "No pet <1>")
const typed = (type: string) => ["content-type", type, "cache-control", "no-store"]
const document = {
  type: "https://a.example/problems/not-found",
  title: "Not found",
  status: 404,
  detail: "No pet <1>",
  instance: "/s/a/api/v3/pet/1",
  code: "not-found",
  message: "No pet <1>",
  requestId: "r1",
}

test("a problem is a document in JSON, or in XML where the client prefers it", () => {
  const { status, headers, body } = respond(missing)
  assert.deepEqual([status, headers, JSON.parse(body as string)], [404, typed("application/problem+json"), document])
  const xml = respond(missing, undefined, "application/xml")
  assert.deepEqual(xml.headers, typed("application/problem+xml"))
  assert.match(xml.body as string, /^<\?xml .*\n<problem [^>]*>.*<detail>No pet &lt;1&gt;<\/detail>/)
})

test("a problem of the classic v2 is classic, unless the client accepts problem documents by name", () => {
  const classic = respond(missing, "/v2/pet/1")
  assert.deepEqual(classic.headers, typed("application/json"))
  assert.equal(classic.body, '{"code":1,"type":"error","message":"No pet <1>"}')
  const xml = respond(missing, "/v2/pet/1", "application/xml")
  assert.deepEqual(xml.headers, typed("application/xml"))
  assert.match(
    xml.body as string,
    /\n<apiResponse><code>1<\/code><type>error<\/type><message>No pet &lt;1&gt;<\/message><\/apiResponse>$/,
  )
  const modern = typed("application/problem+json")
  assert.deepEqual(respond(missing, "/v2/pet/1", "application/problem+json").headers, modern)
  assert.deepEqual(respond(missing, "/v2/pet/1", undefined, false).headers, modern)
  assert.deepEqual(respond(missing, "/v22/pet/1").headers, modern)
})

test("a problem has its headers, one for each value", () => {
  const headers = { "www-authenticate": ["Bearer", "Basic"], allow: "GET" }
  const problem = new Problem("unavailable", "Later", { retryAfter: 0, headers })
  assert.deepEqual(respond(problem).headers, [
    ...typed("application/problem+json"),
    ...["retry-after", "0", "www-authenticate", "Bearer", "www-authenticate", "Basic", "allow", "GET"],
  ])
})

test("an error that was not raised as a problem is logged if it is the service's own failure", () => {
  const logged: unknown[][] = []
  const log = { error: (...line: unknown[]) => logged.push(line) } as unknown as Logger
  const codes = { gone: "not-found", down: "internal-error" } as const
  const read = problemReader(log, problems, (error) => new Problem(codes[(error as Error).message as "gone"], "x"))
  const [gone, down] = [new Error("gone"), new Error("down")]
  for (const [error, code] of [
    [missing, "not-found"],
    [new Problem("unavailable", "Later"), "unavailable"],
    [gone, "not-found"],
    [down, "internal-error"],
  ] as const) {
    const exchange = exchangeOf("/")
    assert.equal(read(exchange, error).code, code)
    assert.equal(exchange.problem, code)
  }
  assert.deepEqual(logged, [[{ err: down, requestId: "r1", code: "internal-error" }, "request failed"]])
})

test("an explanation has the violations of the problem", () => {
  const violations = [{ pointer: "/a", code: "b", detail: "c" }]
  const exchange = { ...exchangeOf("/"), explanation: { violations: [] } } as unknown as Exchange
  problemReader({} as Logger, problems, () => missing)(exchange, new Problem("not-found", "", { violations }))
  assert.deepEqual(exchange.explanation?.violations, violations)
})
