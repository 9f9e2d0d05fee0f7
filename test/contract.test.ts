import assert from "node:assert/strict"
import { hash, randomBytes } from "node:crypto"
import { describe, test } from "node:test"
import { Ajv2020 } from "ajv/dist/2020.js"
import { api } from "../src/core/domain/api.ts"
import { mintSecret } from "../src/core/domain/keys/secret.ts"
import { allScopes } from "../src/core/domain/scopes.ts"
import type { Endpoint } from "../src/core/kernel/endpoint/endpoint.ts"
import { bodyBytesMaxOf, queryOf, takesJson } from "../src/core/kernel/endpoint/endpoint.ts"
import { basePath, filledPath } from "../src/core/kernel/network/path.ts"
import { Type } from "../src/core/kernel/schema/type.ts"
import { exampleOf } from "../src/parts/descriptions/openapi/example.ts"
import { exchange, rawConnection } from "./harness/raw-http.ts"
import { usePetstore } from "./harness/use.ts"

const petstore = usePetstore()

for (const [name, endpoint] of Object.entries<Endpoint>(api)) {
  describe(name, () => {
    const call = (more: RequestOptions = {}) => sendTo(endpoint, more)

    if (endpoint.scope !== "open") {
      test("without a credential or with an unknown one: 401 and a challenge", async () => {
        for (const headers of [
          {},
          { api_key: "unknown" },
          { api_key: "psk_torn" },
          { authorization: "Bearer unknown" },
        ]) {
          const response = await call({ headers })
          await assertProblem(response, 401, "unauthorized")
          assert.match(response.headers.get("www-authenticate") ?? "", /^Bearer /)
        }
      })

      if (endpoint.scope !== "any")
        test("with every scope but its own: 403 and the missing scope", async () => {
          const api_key = await keyWithout(endpoint.scope)
          const response = await call({ headers: { api_key } })
          await assertProblem(response, 403, "forbidden")
          const challenge = response.headers.get("www-authenticate") ?? ""
          assert.ok(challenge.includes('error="insufficient_scope"') && challenge.includes(`scope="${endpoint.scope}"`))
        })
    }

    if (endpoint.status === 201)
      test("201 has the Location of the created resource, which exists", async () => {
        const body = endpoint.body && JSON.stringify(exampleOf(endpoint.body))
        const params = await parentOf(endpoint)
        const response = await call({ headers: full, params, ...(body !== undefined && { body }) })
        const { id } = (await response.json()) as { id: number }
        const location = response.headers.get("location") ?? ""
        assert.deepEqual(
          { status: response.status, isInApi: location.startsWith(`${basePath}/`) },
          { status: 201, isInApi: true },
          location,
        )
        const found = await fetch(new URL(location, petstore.url), { headers: full })
        assert.deepEqual(
          { status: found.status, id: ((await found.json()) as { id: number }).id },
          { status: 200, id },
          location,
        )
      })

    if (!endpoint.body && !endpoint.upload) {
      const ids = Object.entries(endpoint.params?.properties ?? {}).filter(
        ([, schema]) => (schema as { type?: string }).type === "integer",
      )
      const unknownIds = ids.map(([name]) => [name, "0"])
      const required = Object.entries(queryOf(endpoint).properties).filter(
        ([name, schema]) => queryOf(endpoint).required?.includes(name) && !("default" in schema),
      )
      const query = new URLSearchParams(required.map(([name, schema]) => [name, String(exampleOf(schema))]))
      const requestLine = (params?: Record<string, string>) =>
        `${endpoint.method} ${basePath}${pathOf(endpoint, params)}?${query} HTTP/1.1\r\nHost: x\r\napi_key: special-key\r\n`
      const framed = (body: string) => [
        `Content-Length: ${body.length}\r\n\r\n${body}`,
        `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
      ]

      test("with a body, which would be ignored: 415", async () => {
        const json = ['{"a":1}', "[]", "null", "{}{}", `{${" ".repeat(100)}}`].flatMap(framed)
        const others = framed("{}").map((body) => `Content-Type: text/plain\r\n${body}`)
        for (const body of [...json, ...others]) {
          const response = await exchange(petstore.url, requestLine() + body)
          assert.deepEqual(
            { status: response.status, code: JSON.parse(response.body).code },
            { status: 415, code: "unsupported-media-type" },
          )
        }
      })

      test("an empty JSON object counts as no body", async () => {
        const statusWith = async (body: string) => {
          using connection = await rawConnection(petstore.url)
          connection.send(requestLine(Object.fromEntries(unknownIds)) + body)
          // A stream does not end.
          return (await connection.response(endpoint.streams ? "HEAD" : undefined)).status
        }
        const without = await statusWith("\r\n")
        for (const body of [...framed("{}"), ...framed(" { }\r\n")])
          for (const type of ["", "Content-Type: application/json; charset=utf-8\r\n"])
            assert.equal(await statusWith(type + body), without, `${without} without a body`)
        assert.ok(without < 300 || without === 403 || without === 404, `${without}`)
      })
    }

    if (endpoint.body && takesJson(endpoint)) {
      test("with a body that is not JSON: 400", async () => {
        const absent = Type.IsOptional(endpoint.body) ? [] : [""]
        for (const body of [...absent, "{", '{"a":1}}', "nul", new Uint8Array([0x22, 0xff, 0x22])])
          await assertProblem(await call({ headers: full, body }), 400, "malformed-json")
      })

      test("with a body of another JSON type: 422", async () => {
        for (const body of ["3", '"text"', "null", "true"]) {
          const { errors } = await assertProblem(await call({ headers: full, body }), 422, "invalid-body")
          assert.ok((errors?.length ?? 0) > 0)
        }
      })

      test("with a body that is too large: 413", async () => {
        const body = JSON.stringify({ padding: "x".repeat(bodyBytesMaxOf(endpoint)) })
        await assertProblem(await call({ headers: full, body }), 413, "body-too-large")
      })

      test("with a body of another media type: 415", async () => {
        for (const type of ["text/plain", "text/html", "application/jsonp"])
          await assertProblem(
            await call({ headers: { ...full, "content-type": type }, body: "{}" }),
            415,
            "unsupported-media-type",
          )
      })
    }

    for (const parameter of Object.entries(endpoint.params?.properties ?? {}).flatMap(([parameter, schema]) =>
      (schema as { type?: string }).type === "integer" ? [parameter] : [],
    )) {
      test(`with a ${parameter} that is not an integer or exceeds 64 bits: 400 with the reason`, async () => {
        const refusedWith = async (value: string) => {
          const problem = await assertProblem(
            await call({ headers: full, params: { [parameter]: value } }),
            400,
            "invalid-parameter",
          )
          return problem.detail
        }
        for (const value of ["abc", "1.5", "01", "1e3", "🐕", "%00", " 1"])
          assert.equal(await refusedWith(value), `${parameter} must be an integer`, value)
        for (const value of ["9223372036854775808", "-9223372036854775809", "9".repeat(400)])
          assert.equal(await refusedWith(value), `${parameter} must fit into 64 bits`, value)
      })

      test(`with an unknown ${parameter}: 404`, async () => {
        const headers = endpoint.problems.includes("session-required") ? { authorization: await newSession() } : full
        const body = endpoint.body && JSON.stringify(exampleOf(endpoint.body))
        for (const value of [
          "0",
          "-1",
          "9007199254740992",
          "9000000000000000000",
          "9223372036854775807",
          "-9223372036854775808",
        ]) {
          const response = await call({ headers, params: { [parameter]: value }, ...(body !== undefined && { body }) })
          const { code } = await assertProblem(response, 404)
          assert.ok(endpoint.problems.includes(code), code)
        }
      })
    }

    if (endpoint.paged)
      test("with an invalid page size or cursor: 400", async () => {
        for (const query of [
          "limit=0",
          "limit=1001",
          "limit=x",
          "limit=1&limit=2",
          "cursor=x",
          "cursor=",
          "cursor=YmVmb3JlOi0x",
        ])
          await assertProblem(await call({ headers: full, query }), 400, "invalid-parameter")
      })

    test("when Accept excludes JSON: 406", async () => {
      for (const accept of [
        "text/html",
        "application/json;q=0",
        "text/csv, */*;q=0",
        "text/plain, application/problem+json",
      ])
        await assertProblem(await call({ headers: { ...full, accept } }), 406, "not-acceptable")
    })
  })
}

// The service does not check this, because compiling the meta-schema would dominate its start.
describe("every schema of the contract", () => {
  const ajv = new Ajv2020({ strict: true })
  for (const [name, endpoint] of Object.entries<Endpoint>(api)) {
    const { params, body, response, upload } = endpoint
    for (const [part, schema] of Object.entries({
      params,
      query: queryOf(endpoint),
      body,
      response,
      fields: upload?.fields,
    }))
      if (schema !== undefined)
        test(`${name}: ${part} is a valid schema (JSON Schema 2020-12)`, () => {
          assert.ok(ajv.validateSchema(schema), ajv.errorsText())
        })
  }

  test("an invalid schema is detected", () => {
    assert.equal(ajv.validateSchema({ type: "object", properties: { id: { type: "int" } } }), false)
  })
})

describe("every path of the contract", () => {
  for (const [path, endpoints] of Map.groupBy(Object.values<Endpoint>(api), (endpoint) => endpoint.path)) {
    test(`${path} responds 405 with Allow to other methods, and to preflight requests`, async () => {
      const declared = new Set<string>(endpoints.map(({ method }) => method))
      const endpoint = endpoints[0] as Endpoint
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((method) => !declared.has(method))) {
        const response = await sendTo(endpoint, { method, headers: full })
        await assertProblem(response, 405, "method-not-allowed")
        for (const method of declared) assert.ok(response.headers.get("allow")?.split(", ").includes(method))
      }
      const preflight = await sendTo(endpoint, { method: "OPTIONS", headers: { origin: "https://a.example" } })
      assert.equal(preflight.status, 204)
      assert.equal(preflight.headers.get("access-control-allow-origin"), "*")
    })
  }

  test("every other path below the base address returns 404", async () => {
    for (const path of ["", "/", "/petz", "/pet/1/2/3", "/../secrets", "/pet%2f1"]) {
      const response = await fetch(petstore.url + basePath + path, { headers: full })
      await assertProblem(response, 404, "not-found")
    }
  })
})

const full = { api_key: "special-key" }

type RequestOptions = {
  method?: string
  params?: Record<string, string>
  query?: string
  headers?: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer>
}

/** Sends a request to an endpoint, with valid values for everything that is not given. */
function sendTo(
  endpoint: Endpoint,
  { method = endpoint.method, params = {}, query, headers, body }: RequestOptions,
): Promise<Response> {
  const hasBody = !["GET", "OPTIONS"].includes(method) && (endpoint.upload !== undefined || takesJson(endpoint))
  return fetch(petstore.url + basePath + pathOf(endpoint, params) + (query ? `?${query}` : ""), {
    method,
    headers: { ...(hasBody && { "content-type": endpoint.consumes?.[0] ?? "application/json" }), ...headers },
    ...(hasBody && { body: body ?? "{}" }),
  })
}

function pathOf({ path, params }: Endpoint, chosen: Record<string, string> = {}): string {
  const defaults = Object.entries(params?.properties ?? {}).map(([name, schema]) => [
    name,
    (schema as { type?: string }).type === "integer"
      ? 1
      : "pattern" in schema || "enum" in schema
        ? exampleOf(schema)
        : "x",
  ])
  return filledPath(path, { ...Object.fromEntries(defaults), ...chosen })
}

/** The parameters of a path to a resource created for it. */
async function parentOf({ path, params }: Endpoint): Promise<Record<string, string>> {
  const [parent = "", parameter] = path.split(/\/\{(\w+)\}/)
  if (!params || parameter === undefined) return {}
  const creator = Object.values<Endpoint>(api).find(
    (each) => each.method === "POST" && each.path === parent,
  ) as Endpoint
  const body = JSON.stringify(exampleOf(creator.body as NonNullable<Endpoint["body"]>))
  const { id } = (await (await sendTo(creator, { headers: full, body })).json()) as { id: number }
  return { [parameter]: String(id) }
}

async function assertProblem(response: Response, status: number, code?: string) {
  const text = await response.text()
  assert.equal(response.status, status, text)
  assert.match(response.headers.get("content-type") ?? "", /^application\/problem\+json/)
  const problem = JSON.parse(text)
  assert.deepEqual(
    { status: problem.status, code: problem.code, message: problem.message },
    { status, code: code ?? problem.code, message: problem.detail },
  )
  assert.equal(problem.requestId, response.headers.get("x-request-id"))
  for (const field of ["type", "title", "detail", "instance"]) assert.ok(problem[field], field)
  return problem as { code: string; detail: string; errors?: unknown[] }
}

/** The authorization header of a user who has just logged in. */
async function newSession(): Promise<string> {
  const { value } = await petstore.as("special-key").logIn({ body: { username: "user1", password: "password1" } })
  return `Bearer ${value}`
}

/** A key with all scopes but one. */
async function keyWithout(scope: string): Promise<string> {
  const secret = mintSecret(randomBytes)
  const scopes = allScopes.filter((other) => other !== scope)
  await petstore.store.transaction((tx) =>
    tx.keys.add({
      accountId: 1,
      name: `all but ${scope}`,
      scopes,
      hash: hash("sha256", secret),
      expiresAt: undefined,
      allowedCidrs: [],
      createdAt: 0,
    }),
  )
  return secret
}
