import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { api } from "../../src/core/domain/api.ts"
import { bodyBytesMaxOf } from "../../src/core/kernel/endpoint/endpoint.ts"
import { exchange, type RawResponse, rawConnection } from "../harness/raw-http.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()

const known = "Host: petstore\r\napi_key: special-key\r\n"
const bodyBytesMax = bodyBytesMaxOf(api.addPet)
const pet = JSON.stringify({ name: "raw", photoUrls: [] })

const get = (path: string, headers = "") => `GET /api/v3${path} HTTP/1.1\r\n${known}${headers}\r\n`

function post(body: string | Uint8Array, headers = "Content-Type: application/json\r\n", path = "/pet"): Buffer {
  const bytes = Buffer.from(body as string)
  return Buffer.concat([
    Buffer.from(`POST /api/v3${path} HTTP/1.1\r\n${known}${headers}Content-Length: ${bytes.length}\r\n\r\n`),
    bytes,
  ])
}

const chunked = (chunks: string, headers = "Content-Type: application/json\r\n") =>
  `POST /api/v3/pet HTTP/1.1\r\n${known}${headers}Transfer-Encoding: chunked\r\n\r\n${chunks}`

function assertProblem({ status, headers, body }: RawResponse, wantedStatus: number, code: string): void {
  assert.equal(status, wantedStatus, body)
  assert.match(headers.get("content-type") ?? "", /^application\/problem\+json/)
  const problem = JSON.parse(body)
  assert.deepEqual(
    { status: problem.status, code: problem.code, message: problem.message },
    { status, code, message: problem.detail },
  )
  assert.equal(problem.requestId, headers.get("x-request-id"))
}

const refused: { what: string; message: string | Uint8Array; status: number; code: string }[] = [
  { what: "a message that is not HTTP", message: "HELLO\r\n\r\n", status: 400, code: "malformed-request" },
  {
    what: "TLS on the plain port",
    message: Buffer.from("16030100a5010000a1", "hex"),
    status: 400,
    code: "malformed-request",
  },
  {
    what: "HTTP/1.1 without Host",
    message: "GET /api/v3/pet/1 HTTP/1.1\r\n\r\n",
    status: 400,
    code: "malformed-request",
  },
  {
    what: "two Hosts",
    message: "GET /api/v3/pet/1 HTTP/1.1\r\nHost: petstore\r\nhost: other\r\n\r\n",
    status: 400,
    code: "malformed-request",
  },
  {
    what: "two equal Hosts",
    message: "GET /api/v3/pet/1 HTTP/1.1\r\nHost: petstore\r\nHost: petstore\r\n\r\n",
    status: 400,
    code: "malformed-request",
  },
  {
    what: "headers beyond 16 KiB",
    message: get("/pet/1", `padding: ${"x".repeat(17_000)}\r\n`),
    status: 431,
    code: "header-too-large",
  },
  {
    what: "an address beyond 16 KiB",
    message: get(`/pet/${"1".repeat(17_000)}`),
    status: 431,
    code: "header-too-large",
  },
  {
    what: "an id of 15,000 digits",
    message: get(`/pet/${"1".repeat(15_000)}`),
    status: 400,
    code: "invalid-parameter",
  },
  { what: "broken percent-encoding in the path", message: get("/pet/%zz"), status: 400, code: "malformed-request" },
  {
    what: "broken percent-encoding in the query",
    message: get("/pet/findByTags?tags=%zz"),
    status: 400,
    code: "malformed-request",
  },
  {
    what: "percent-encoded bytes that are not UTF-8",
    message: get("/pet/findByTags?tags=%ff"),
    status: 400,
    code: "malformed-request",
  },
  {
    what: "characters beyond ASCII in the address",
    message: get("/pet/findByTags?tags=é"),
    status: 400,
    code: "malformed-request",
  },
  {
    what: "a GET with a body",
    message: `GET /api/v3/pet/1 HTTP/1.1\r\n${known}Content-Length: 2\r\n\r\n[]`,
    status: 415,
    code: "unsupported-media-type",
  },
  { what: "two lengths", message: post(pet, "Content-Length: 1\r\n"), status: 400, code: "malformed-request" },
  {
    what: "a length and chunks",
    message: post(pet, "Transfer-Encoding: chunked\r\n"),
    status: 400,
    code: "malformed-request",
  },
  {
    what: "a negative length",
    message: `POST /api/v3/pet HTTP/1.1\r\n${known}Content-Length: -1\r\n\r\n`,
    status: 400,
    code: "malformed-request",
  },
  { what: "a first chunk without a size", message: chunked("zz\r\n"), status: 400, code: "malformed-request" },
  {
    what: "a later chunk without a size",
    message: chunked("2\r\n{}\r\nzz\r\n"),
    status: 400,
    code: "malformed-request",
  },
  { what: "a body beyond 160 KiB", message: post("x".repeat(bodyBytesMax + 1)), status: 413, code: "body-too-large" },
  {
    what: "chunks beyond 160 KiB",
    message: chunked(`${"80000\r\n"}${"x".repeat(0x80000)}\r\n`.repeat(3)),
    status: 413,
    code: "body-too-large",
  },
  {
    what: "a body encoded with gzip",
    message: post(pet, "Content-Type: application/json\r\nContent-Encoding: gzip\r\n"),
    status: 415,
    code: "unsupported-media-type",
  },
  {
    what: "a Content-Type that is none",
    message: post(pet, "Content-Type: nonsense\r\n"),
    status: 415,
    code: "unsupported-media-type",
  },
  {
    what: "an empty Content-Type",
    message: post(pet, "Content-Type:\r\n"),
    status: 415,
    code: "unsupported-media-type",
  },
  {
    what: "two Content-Types",
    message: post(pet, "Content-Type: application/json, text/plain\r\n"),
    status: 415,
    code: "unsupported-media-type",
  },
  { what: "no Content-Type", message: post(pet, ""), status: 415, code: "unsupported-media-type" },
  {
    what: "another charset, which JSON does not have, and a text in it",
    message: post(Buffer.from([0x22, 0xe9, 0x22]), "Content-Type: application/json; charset=latin1\r\n"),
    status: 400,
    code: "malformed-json",
  },
  {
    what: "bytes that are not UTF-8",
    message: post(Buffer.from([0x22, 0xff, 0x22])),
    status: 400,
    code: "malformed-json",
  },
  {
    what: "half a surrogate pair",
    message: post('{"name":"\\ud83d","photoUrls":[]}'),
    status: 400,
    code: "malformed-json",
  },
  { what: "NUL in a name", message: post('{"name":"a\\u0000","photoUrls":[]}'), status: 422, code: "invalid-body" },
  { what: "100,000 open brackets", message: post("[".repeat(100_000)), status: 400, code: "malformed-json" },
  {
    what: "70,000 nested arrays",
    message: post("[".repeat(70_000) + "]".repeat(70_000)),
    status: 400,
    code: "malformed-json",
  },
  {
    what: "a field that __proto__ would lend",
    message: post('{"__proto__":{"name":"a"},"photoUrls":[]}'),
    status: 422,
    code: "invalid-body",
  },
  {
    what: "an Accept without JSON",
    message: get("/pet/1", "Accept: text/html\r\n"),
    status: 406,
    code: "not-acceptable",
  },
  {
    what: "an Accept that forbids JSON",
    message: get("/pet/1", "Accept: application/json;q=0, */*\r\n"),
    status: 406,
    code: "not-acceptable",
  },
  { what: "CONNECT", message: `CONNECT petstore:80 HTTP/1.1\r\n${known}\r\n`, status: 405, code: "method-not-allowed" },
  {
    what: "PROPFIND",
    message: `PROPFIND /api/v3/pet/1 HTTP/1.1\r\n${known}\r\n`,
    status: 405,
    code: "method-not-allowed",
  },
  { what: "QUERY", message: `QUERY /api/v3/pet/1 HTTP/1.1\r\n${known}\r\n`, status: 405, code: "method-not-allowed" },
  {
    what: "POST to a page",
    message: `POST /api/v3/openapi.json HTTP/1.1\r\n${known}Content-Length: 0\r\n\r\n`,
    status: 405,
    code: "method-not-allowed",
  },
  {
    what: "an unknown method",
    message: `PET /api/v3/pet/1 HTTP/1.1\r\n${known}\r\n`,
    status: 400,
    code: "malformed-request",
  },
  {
    what: "a body that the operation does not take",
    message: post("x".repeat(2 * bodyBytesMax), "Content-Type: nonsense\r\n", "/nothing"),
    status: 404,
    code: "not-found",
  },
  { what: "a key given twice", message: get("/pet/1", "api_key: pro-key\r\n"), status: 401, code: "unauthorized" },
]

describe("a message that cannot be served gets its own clear response", () => {
  for (const { what, message, status, code } of refused)
    test(`${what}: ${status} ${code}`, async () => assertProblem(await exchange(petstore.url, message), status, code))
})

const served: [what: string, message: string | Uint8Array][] = [
  ["HTTP/1.0 without Host", "GET /api/v3/pet/1 HTTP/1.0\r\napi_key: special-key\r\n\r\n"],
  ["an address in absolute form", `GET http://petstore/api/v3/pet/1 HTTP/1.1\r\n${known}\r\n`],
  ["HEAD", `HEAD /api/v3/pet/1 HTTP/1.1\r\n${known}\r\n`],
  ["a GET with an empty body", `GET /api/v3/pet/1 HTTP/1.1\r\n${known}Content-Length: 0\r\n\r\n`],
  ["a GET with no chunk", `GET /api/v3/pet/1 HTTP/1.1\r\n${known}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  [
    "a body in chunks",
    chunked(`5\r\n${pet.slice(0, 5)}\r\n${(pet.length - 5).toString(16)}\r\n${pet.slice(5)}\r\n0\r\n\r\n`),
  ],
  ["a byte order mark", post(`\ufeff${pet}`)],
  ["Content-Type in any case, with charset", post(pet, 'Content-Type: APPLICATION/JSON; Charset="UTF-8"\r\n')],
  ["an unknown expectation", post(pet, "Content-Type: application/json\r\nExpect: miracles\r\n")],
  [
    "a form with an unknown field",
    post("a=b&status=sold", "Content-Type: application/x-www-form-urlencoded\r\n", "/pet/1?status=sold"),
  ],
  ["an Accept that prefers something else", get("/pet/1", "Accept: text/html, application/*;q=0.1\r\n")],
  ["an empty Accept", get("/pet/1", "Accept:\r\n")],
  ["an upgrade offered", get("/pet/1", "Connection: Upgrade\r\nUpgrade: websocket\r\n")],
]

describe("an unusual but valid message is served", () => {
  for (const [what, message] of served)
    test(what, async () => {
      const { status, body } = await exchange(petstore.url, message)
      assert.equal(status, 200, body)
    })
})

test("of two fields of one name the last counts, and strange names are ignored", async () => {
  const body = '{"name":"first","name":"last","photoUrls":[],"constructor":{"prototype":{"status":"sold"}},"":1}'
  const created = JSON.parse((await exchange(petstore.url, post(body))).body)
  assert.deepEqual(
    { name: created.name, status: created.status, fields: Object.keys(created).length },
    { name: "last", status: "available", fields: 5 },
  )
})

test("a client that expects 100-continue receives it, then its response", async () => {
  using connection = await rawConnection(petstore.url)
  connection.send(post(pet, "Content-Type: application/json\r\nExpect: 100-continue\r\n").subarray(0, -pet.length))
  assert.equal((await connection.response()).status, 100)
  connection.send(pet)
  assert.equal((await connection.response()).status, 200)
})

test("a client that expects 100-continue does not receive it when the head alone rules the body out (slow)", async () => {
  const octets = "Content-Type: application/octet-stream\r\n"
  const json = "Content-Type: application/json\r\n"
  const head = (path: string, length: number, more: string) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n${more}Expect: 100-continue\r\n\r\n`
  const [known, unknown] = ["api_key: special-key\r\n", "api_key: invented\r\n"]
  for (const [message, status] of [
    [head("/api/v3/pet", 50, json + unknown), 401],
    [head("/api/v3/pet/1/uploadImage", 50, octets + unknown), 401],
    [head("/api/v3/pet", 50_000_000, json + known), 413],
    [head("/api/v3/pet/1/uploadImage", 50_000_000, octets + known), 413],
    [head("/api/v3/pet/1/uploadImage", 50, json + known), 415],
    [head("/api/v3/pet/999/uploadImage", 50, octets + known), 404],
    [head("/api/v3/nothing", 50, json + known), 404],
  ] as const) {
    using connection = await rawConnection(petstore.url)
    connection.send(message)
    const response = await connection.response()
    assert.deepEqual(
      { status: response.status, connection: response.headers.get("connection") },
      { status, connection: "close" },
      message,
    )
    assert.equal(await connection.closed, "")
  }
  const form = "Content-Type: application/x-www-form-urlencoded\r\n"
  for (const message of [head("/api/v3/pet/1/uploadImage", 1, octets + known), head("/oauth/token", 1, form)]) {
    using connection = await rawConnection(petstore.url)
    connection.send(message)
    assert.equal((await connection.response()).status, 100, message)
    connection.send("x")
    assert.ok((await connection.response()).status >= 400)
  }
})

for (const [operation, type, kibibytes] of [
  ["POST /user/login", "application/json", 16],
  ["POST /keys", "application/json", 64],
  ["POST /pet", "application/json", 160],
  ["PUT /pet", "application/json", 160],
  ["PATCH /pet/1", "application/merge-patch+json", 160],
  ["POST /user/createWithList", "application/json", 250],
  ["POST /pets/import", "application/x-ndjson", 256],
  ["PATCH /pets", "application/x-ndjson", 256],
  ["POST /pet/1/uploadImage", "image/png", 10 * 1024],
  ["POST /sandboxes", "application/json", 192 * 1024],
] as const)
  test(`a body of ${operation} has at most ${kibibytes} KiB`, async () => {
    const [method, path] = operation.split(" ")
    for (const [more, status] of [
      [0, 100],
      [1, 413],
    ] as const) {
      using connection = await rawConnection(petstore.url)
      connection.send(
        `${method} /api/v3${path} HTTP/1.1\r\n${known}Content-Type: ${type}\r\n` +
          `Content-Length: ${kibibytes * 1024 + more}\r\nExpect: 100-continue\r\n\r\n`,
      )
      assert.equal((await connection.response()).status, status, `${more} bytes more`)
    }
  })

test("a hundred pipelined requests get their responses in order", async () => {
  using connection = await rawConnection(petstore.url)
  const ids = Array.from({ length: 100 }, (_, n) => (n % 12) + 1)
  connection.send(ids.map((id) => get(`/pet/${id}`)).join(""))
  for (const id of ids) {
    const { status, body } = await connection.response()
    if (id <= 10) assert.equal(JSON.parse(body).id, id)
    else assert.ok(status === 404 || JSON.parse(body).id === id)
  }
})

test("garbage after a request does not prevent its response", async () => {
  using connection = await rawConnection(petstore.url)
  connection.send(Buffer.concat([post(pet), Buffer.from("NONSENSE\r\n\r\n")]))
  assert.equal(JSON.parse((await connection.response()).body).name, "raw")
  assertProblem(await connection.response(), 400, "malformed-request")
  assert.equal(await connection.closed, "")
})

test("after a body that is too large the connection is closed, or continues where the next request starts", async () => {
  using connection = await rawConnection(petstore.url)
  connection.send(Buffer.concat([post("x".repeat(bodyBytesMax + 1)), Buffer.from(get("/pet/1"))]))
  assertProblem(await connection.response(), 413, "body-too-large")
  const rest = await connection.closed
  assert.doesNotMatch(rest, /^HTTP\/1.1 (?!200)/)
})

test("an incomplete body changes nothing", async () => {
  const find = () => petstore.as("special-key").findPetsByTags({ query: { tags: ["cut short"] } })
  const body = JSON.stringify({ name: "cut", photoUrls: [], tags: [{ name: "cut short" }] })
  {
    using connection = await rawConnection(petstore.url)
    connection.send(post(body).subarray(0, -1))
    connection.send("")
  }
  assert.deepEqual((await find()).value, [])
})

test("a preflight needs no credential and allows the requested headers", async () => {
  const { status, headers } = await exchange(
    petstore.url,
    "OPTIONS /api/v3/pet/1 HTTP/1.1\r\nHost: petstore\r\nOrigin: https://shop.example\r\n" +
      "Access-Control-Request-Method: PUT\r\nAccess-Control-Request-Headers: api_key, if-match\r\n\r\n",
  )
  assert.equal(status, 204)
  assert.equal(headers.get("access-control-allow-headers"), "api_key, if-match")
  assert.equal(headers.get("access-control-allow-origin"), "*")
  assert.match(headers.get("allow") ?? "", /GET/)
})

test("Link keeps the query of the request, question marks included", async () => {
  const { headers } = await exchange(petstore.url, get("/pet/findByTags?tags=tag1,what?,caf%C3%A9&limit=1"))
  const next = new URL(/<(.+)>/.exec(headers.get("link") ?? "")?.[1] ?? "")
  assert.equal(next.searchParams.get("tags"), "tag1,what?,café")
})

test("none of them was an internal error", () => {
  const errors = petstore.lines.filter((line) => JSON.parse(line).level >= 50)
  assert.deepEqual(errors, [])
})
