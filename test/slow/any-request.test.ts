import assert from "node:assert/strict"
import { hash, randomBytes } from "node:crypto"
import { describe, test } from "node:test"
import fc from "fast-check"
import { problemsOf } from "../../src/core/api/problems/problem-responses.ts"
import { api } from "../../src/core/domain/api.ts"
import { mintSecret } from "../../src/core/domain/keys/secret.ts"
import { hashedKinds } from "../../src/core/domain/ports/hashes.ts"
import { type ProblemCode, problems } from "../../src/core/domain/problems/problems.ts"
import { allScopes, type Scope } from "../../src/core/domain/scopes.ts"
import { type Endpoint, queryOf } from "../../src/core/kernel/endpoint/endpoint.ts"
import { basePath } from "../../src/core/kernel/network/path.ts"
import { anyText, nearlyValid } from "../harness/arbitraries.ts"
import { effort } from "../harness/effort.ts"
import { exchange } from "../harness/raw-http.ts"
import { usePetstore } from "../harness/use.ts"

const requests = effort(30, 6)

const petstore = usePetstore()

describe("any body and any parameters return success or a problem, never a 500", () => {
  for (const [name, endpoint] of Object.entries<Endpoint<Scope, ProblemCode>>(api))
    test(name, async () => {
      const api_key = await newKey()
      const request = fc.record({
        params: anyParameters(Object.keys(endpoint.params?.properties ?? {})),
        query: anyParameters(Object.keys(queryOf(endpoint).properties)),
        body: endpoint.body
          ? nearlyValid(endpoint.body).map((value) => JSON.stringify(value) ?? "null")
          : fc.constant(undefined),
        idempotencyKey: fc.option(
          fc.string({ maxLength: 300 }).filter((key) => !/[^\x20-\x7e]/.test(key)),
          { nil: undefined },
        ),
      })
      await fc.assert(
        fc.asyncProperty(request, async ({ params, query, body, idempotencyKey }) => {
          const path = endpoint.path.replace(/\{(\w+)\}/g, (_, parameter) =>
            encodeURIComponent(params[parameter] ?? "1"),
          )
          const search = new URLSearchParams(
            Object.entries(query).filter(([, text]) => text !== undefined) as [string, string][],
          )
          const response = await fetch(`${petstore.url}${basePath}${path}?${search}`, {
            method: endpoint.method,
            headers: {
              api_key,
              "content-type": endpoint.consumes?.[0] ?? "application/json",
              ...(idempotencyKey && { "idempotency-key": idempotencyKey }),
            },
            ...(body !== undefined && { body }),
          })
          // An empty parameter, or one of dots, changes the path to that of another endpoint or of none.
          const isAtItsPath = Object.values(params).every((text) => !/^\.{0,2}$/.test(text ?? "1"))
          const isStream = endpoint.streams && response.ok
          const text = isStream ? await response.body?.cancel() : await response.text()
          assertSuccessOrProblem(response.status, response.headers, text ?? "", endpoint, isAtItsPath)
        }),
        { numRuns: requests },
      )
    })
})

test("any bytes in the URL return success or a problem", async () => {
  const part = fc.oneof(
    anyText(),
    fc.constantFrom(
      "%",
      "%zz",
      "%ff",
      "%00",
      "%ed%a0%80",
      "%2f",
      "..",
      "//",
      "?",
      "#",
      "&&",
      "=",
      "status=",
      "tags=a&tags=b",
      "9".repeat(400),
      "a".repeat(3000),
    ),
  )
  const paths = Object.values<Endpoint>(api)
    .filter(({ method, streams }) => method === "GET" && !streams)
    .map(({ path }) => path.replace(/\{\w+\}/g, ""))
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), fc.array(part, { maxLength: 4 }), async (path, parts) => {
      const target = `${basePath}${path}${parts.join("")}`.replace(/[ \r\n]/g, "+")
      const { status, headers, body } = await exchange(
        petstore.url,
        `GET ${target} HTTP/1.1\r\nHost: petstore\r\napi_key: special-key\r\n\r\n`,
      )
      assertSuccessOrProblem(status, headers, body)
    }),
    { numRuns: effort(400, 80) },
  )
})

test("no request of this file causes an internal error", () => {
  assert.deepEqual(
    petstore.lines.filter((line) => line.includes('"level":50')),
    [],
  )
})

/** Any text for each parameter, or none. */
const anyParameters = (names: string[]): fc.Arbitrary<Record<string, string | undefined>> =>
  fc.record(
    Object.fromEntries(
      names.map((name) => [
        name,
        fc.option(
          fc.oneof(
            anyText(),
            fc.integer({ min: 10, max: 40 }).map(String),
            fc.constantFrom("0", "-1", "1e2", "9007199254740992", "a,b,,c", "available", "user3"),
          ),
          { nil: undefined },
        ),
      ]),
    ),
  )

function assertSuccessOrProblem(
  status: number,
  headers: Headers,
  body: string,
  endpoint?: Endpoint<Scope, ProblemCode>,
  isAtItsPath = true,
): void {
  if (status < 300) return void (endpoint && assert.equal(status, endpoint.status))
  assert.ok(status >= 400 && status < 500, `${status} ${body}`)
  assert.match(headers.get("content-type") ?? "", /^application\/problem\+json/)
  const problem = JSON.parse(body)
  assert.equal(problem.status, status)
  assert.equal(problems[problem.code as ProblemCode].status, status)
  if (endpoint && isAtItsPath)
    assert.ok(problemsOf(endpoint).includes(problem.code), `${endpoint.path} does not list ${problem.code}`)
  assert.equal(problem.requestId, headers.get("x-request-id"))
  for (const field of ["type", "title", "detail", "message"]) assert.equal(typeof problem[field], "string", field)
  if (status === 422 && problem.code === "invalid-body") assert.ok(problem.errors.length > 0)
  for (const violation of problem.errors ?? []) {
    assert.ok(typeof violation.pointer === "string" || typeof violation.parameter === "string")
    assert.ok(violation.code && violation.detail)
  }
}

/** A key of a new account, so that endpoints do not share a rate limit. */
async function newKey(): Promise<string> {
  const secret = mintSecret(randomBytes)
  await petstore.store.transaction(async (tx) => {
    const { id } = await tx.accounts.add({ name: "any", plan: "enterprise" })
    await tx.keys.add({
      accountId: id,
      name: "any",
      scopes: allScopes,
      hash: hash("sha256", secret),
      expiresAt: undefined,
      allowedCidrs: [],
      createdAt: 0,
    })
  })
  return secret
}

test("after all of these requests each record has the hash of its text", async () => {
  for (const kind of hashedKinds)
    for (let position: number | undefined = 0; position !== undefined; ) {
      const examined = await petstore.store.hashes.examine(kind, position, 100)
      assert.deepEqual([examined.damaged, examined.withoutHash], [[], 0], kind)
      position = examined.last
    }
})
