import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { api } from "../src/domain/api.ts"
import { bodyBytesMaxOf } from "../src/kernel/endpoint.ts"
import { exchange, type RawResponse, rawConnection } from "./harness/raw-http.ts"
import { usePetstore } from "./harness/use.ts"

const petstore = usePetstore()

const known = "Host: petstore\r\napi_key: special-key\r\n"
const bodyBytesMax = bodyBytesMaxOf(api.createPet)
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
  assert.deepEqual([problem.status, problem.code, problem.message], [status, code, problem.detail])
  assert.equal(problem.requestId, headers.get("x-request-id"))
}

const refused: [what: string, message: string | Uint8Array, status: number, code: string][] = [
  ["a message that is not HTTP", "HELLO\r\n\r\n", 400, "malformed-request"],
  ["TLS on the plain port", Buffer.from("16030100a5010000a1", "hex"), 400, "malformed-request"],
  ["HTTP/1.1 without Host", "GET /api/v3/pet/1 HTTP/1.1\r\n\r\n", 400, "malformed-request"],
  ["two Hosts", "GET /api/v3/pet/1 HTTP/1.1\r\nHost: petstore\r\nhost: other\r\n\r\n", 400, "malformed-request"],
  [
    "two equal Hosts",
    "GET /api/v3/pet/1 HTTP/1.1\r\nHost: petstore\r\nHost: petstore\r\n\r\n",
    400,
    "malformed-request",
  ],
  ["headers beyond 16 KiB", get("/pet/1", `padding: ${"x".repeat(17_000)}\r\n`), 431, "header-too-large"],
  ["an address beyond 16 KiB", get(`/pet/${"1".repeat(17_000)}`), 431, "header-too-large"],
  ["an id of 15,000 digits", get(`/pet/${"1".repeat(15_000)}`), 400, "invalid-parameter"],
  ["broken percent-encoding in the path", get("/pet/%zz"), 400, "malformed-request"],
  ["broken percent-encoding in the query", get("/pet/findByTags?tags=%zz"), 400, "malformed-request"],
  ["percent-encoded bytes that are not UTF-8", get("/pet/findByTags?tags=%ff"), 400, "malformed-request"],
  ["characters beyond ASCII in the address", get("/pet/findByTags?tags=é"), 400, "malformed-request"],
  ["two lengths", post(pet, "Content-Length: 1\r\n"), 400, "malformed-request"],
  ["a length and chunks", post(pet, "Transfer-Encoding: chunked\r\n"), 400, "malformed-request"],
  ["a negative length", `POST /api/v3/pet HTTP/1.1\r\n${known}Content-Length: -1\r\n\r\n`, 400, "malformed-request"],
  ["a first chunk without a size", chunked("zz\r\n"), 400, "malformed-request"],
  ["a later chunk without a size", chunked("2\r\n{}\r\nzz\r\n"), 400, "malformed-request"],
  ["a body beyond 256 KiB", post("x".repeat(bodyBytesMax + 1)), 413, "body-too-large"],
  ["chunks beyond 256 KiB", chunked(`${"80000\r\n"}${"x".repeat(0x80000)}\r\n`.repeat(3)), 413, "body-too-large"],
  [
    "a body encoded with gzip",
    post(pet, "Content-Type: application/json\r\nContent-Encoding: gzip\r\n"),
    415,
    "unsupported-media-type",
  ],
  ["a Content-Type that is none", post(pet, "Content-Type: nonsense\r\n"), 415, "unsupported-media-type"],
  ["an empty Content-Type", post(pet, "Content-Type:\r\n"), 415, "unsupported-media-type"],
  ["two Content-Types", post(pet, "Content-Type: application/json, text/plain\r\n"), 415, "unsupported-media-type"],
  ["no Content-Type", post(pet, ""), 415, "unsupported-media-type"],
  ["another charset", post(pet, "Content-Type: application/json; charset=latin1\r\n"), 415, "unsupported-media-type"],
  ["bytes that are not UTF-8", post(Buffer.from([0x22, 0xff, 0x22])), 400, "malformed-json"],
  ["half a surrogate pair", post('{"name":"\\ud83d","photoUrls":[]}'), 400, "malformed-json"],
  ["NUL in a name", post('{"name":"a\\u0000","photoUrls":[]}'), 422, "invalid-body"],
  ["100,000 open brackets", post("[".repeat(100_000)), 400, "malformed-json"],
  ["100,000 nested arrays", post("[".repeat(100_000) + "]".repeat(100_000)), 400, "malformed-json"],
  ["a member that __proto__ would lend", post('{"__proto__":{"name":"a"},"photoUrls":[]}'), 422, "invalid-body"],
  ["an Accept without JSON", get("/pet/1", "Accept: text/html\r\n"), 406, "not-acceptable"],
  ["an Accept that forbids JSON", get("/pet/1", "Accept: application/json;q=0, */*\r\n"), 406, "not-acceptable"],
  ["CONNECT", `CONNECT petstore:80 HTTP/1.1\r\n${known}\r\n`, 405, "method-not-allowed"],
  ["PROPFIND", `PROPFIND /api/v3/pet/1 HTTP/1.1\r\n${known}\r\n`, 405, "method-not-allowed"],
  ["QUERY", `QUERY /api/v3/pet/1 HTTP/1.1\r\n${known}\r\n`, 405, "method-not-allowed"],
  [
    "POST to a page",
    `POST /api/v3/openapi.json HTTP/1.1\r\n${known}Content-Length: 0\r\n\r\n`,
    405,
    "method-not-allowed",
  ],
  ["an unknown method", `PET /api/v3/pet/1 HTTP/1.1\r\n${known}\r\n`, 400, "malformed-request"],
  ["a body for nobody", post("x".repeat(2 * bodyBytesMax), "Content-Type: nonsense\r\n", "/nothing"), 404, "not-found"],
  ["a key given twice", get("/pet/1", "api_key: pro-key\r\n"), 401, "unauthorized"],
]

describe("a message that cannot be served gets its own clear answer", () => {
  for (const [what, message, status, code] of refused)
    test(`${what}: ${status} ${code}`, async () => assertProblem(await exchange(petstore.url, message), status, code))
})

const served: [what: string, message: string | Uint8Array][] = [
  ["HTTP/1.0 without Host", "GET /api/v3/pet/1 HTTP/1.0\r\napi_key: special-key\r\n\r\n"],
  ["an address in absolute form", `GET http://petstore/api/v3/pet/1 HTTP/1.1\r\n${known}\r\n`],
  ["HEAD", `HEAD /api/v3/pet/1 HTTP/1.1\r\n${known}\r\n`],
  ["a GET with a body", `GET /api/v3/pet/1 HTTP/1.1\r\n${known}Content-Length: 2\r\n\r\n{}`],
  [
    "a body in chunks",
    chunked(`5\r\n${pet.slice(0, 5)}\r\n${(pet.length - 5).toString(16)}\r\n${pet.slice(5)}\r\n0\r\n\r\n`),
  ],
  ["a byte order mark", post(`\ufeff${pet}`)],
  ["Content-Type in any case, with charset", post(pet, 'Content-Type: APPLICATION/JSON; Charset="UTF-8"\r\n')],
  ["an expectation nobody knows", post(pet, "Content-Type: application/json\r\nExpect: miracles\r\n")],
  [
    "a foreign body where none is read",
    post("a=b", "Content-Type: application/x-www-form-urlencoded\r\n", "/pet/1?status=sold"),
  ],
  ["an Accept that prefers something else", get("/pet/1", "Accept: text/html, application/*;q=0.1\r\n")],
  ["an empty Accept", get("/pet/1", "Accept:\r\n")],
  ["an upgrade offered", get("/pet/1", "Connection: Upgrade\r\nUpgrade: websocket\r\n")],
]

describe("an unusual message that is right is served", () => {
  for (const [what, message] of served)
    test(what, async () => {
      const { status, body } = await exchange(petstore.url, message)
      assert.equal(status, 200, body)
    })
})

test("of two members of one name the last counts, and strange names are ignored", async () => {
  const body = '{"name":"first","name":"last","photoUrls":[],"constructor":{"prototype":{"status":"sold"}},"":1}'
  const created = JSON.parse((await exchange(petstore.url, post(body))).body)
  assert.deepEqual([created.name, created.status, Object.keys(created).length], ["last", "available", 5])
})

test("a client that expects 100-continue is told to go on, then answered", async () => {
  using connection = await rawConnection(petstore.url)
  connection.send(post(pet, "Content-Type: application/json\r\nExpect: 100-continue\r\n").subarray(0, -pet.length))
  assert.equal((await connection.response()).status, 100)
  connection.send(pet)
  assert.equal((await connection.response()).status, 200)
})

test("a hundred requests sent in one breath are answered in their order", async () => {
  using connection = await rawConnection(petstore.url)
  const ids = Array.from({ length: 100 }, (_, n) => (n % 12) + 1)
  connection.send(ids.map((id) => get(`/pet/${id}`)).join(""))
  for (const id of ids) {
    const { status, body } = await connection.response()
    if (id <= 10) assert.equal(JSON.parse(body).id, id)
    else assert.ok(status === 404 || JSON.parse(body).id === id)
  }
})

test("nonsense behind a request does not take the request's answer away", async () => {
  using connection = await rawConnection(petstore.url)
  connection.send(Buffer.concat([post(pet), Buffer.from("NONSENSE\r\n\r\n")]))
  assert.equal(JSON.parse((await connection.response()).body).name, "raw")
  assertProblem(await connection.response(), 400, "malformed-request")
  assert.equal(await connection.closed, "")
})

test("after a body that is too large the connection is closed, or reads on where the next request begins", async () => {
  using connection = await rawConnection(petstore.url)
  connection.send(Buffer.concat([post("x".repeat(bodyBytesMax + 1)), Buffer.from(get("/pet/1"))]))
  assertProblem(await connection.response(), 413, "body-too-large")
  const rest = await connection.closed
  assert.doesNotMatch(rest, /^HTTP\/1.1 (?!200)/)
})

test("a body that never comes to its end changes nothing", async () => {
  const find = () => petstore.as("special-key").findPetsByTags({ query: { tags: ["cut short"] } })
  const body = JSON.stringify({ name: "cut", photoUrls: [], tags: [{ name: "cut short" }] })
  {
    using connection = await rawConnection(petstore.url)
    connection.send(post(body).subarray(0, -1))
    connection.send("")
  }
  assert.deepEqual((await find()).value, [])
})

test("a preflight is answered without a credential and allows what was asked for", async () => {
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

test("Link keeps a query as it was asked, question marks included", async () => {
  const { headers } = await exchange(petstore.url, get("/pet/findByTags?tags=tag1,what?,caf%C3%A9&limit=1"))
  const next = new URL(/<(.+)>/.exec(headers.get("link") ?? "")?.[1] ?? "")
  assert.equal(next.searchParams.get("tags"), "tag1,what?,café")
})

test("none of it was a bug of ours", () => {
  const errors = petstore.lines.filter((line) => JSON.parse(line).level >= 50)
  assert.deepEqual(errors, [])
})
