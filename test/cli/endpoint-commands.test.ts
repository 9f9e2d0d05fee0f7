import assert from "node:assert/strict"
import { test } from "node:test"
import type { Send } from "../../src/client/client.ts"
import { petstoreCommand } from "../harness/command-line.ts"

const url = "http://127.0.0.1:8080"

type Given = { stdin?: string; responses?: Response[] }

/** What a command sends, and what it prints. */
async function run(argv: string[], { stdin = "", responses = [] }: Given = {}) {
  const sent: string[] = []
  const send: Send = async (address, { method, body, headers }) => {
    const { accept: _, api_key: __, "content-type": type, ...others } = headers
    const text = body instanceof Uint8Array ? `${type} ${body.length} bytes` : body
    const path = address.slice(`${url}/api/v3`.length)
    sent.push([method, path, text, ...Object.entries(others).map((each) => each.join(": "))].filter(Boolean).join(" "))
    return responses.shift() ?? Response.json({})
  }
  const { code, out, err } = await petstoreCommand(url, argv, { fetch: send, stdin })
  return { code, out, err, sent }
}
const sentBy = async (...argv: string[]) => (await run(argv)).sent

test("arguments are the path, and flags the query, the headers and the body", async () => {
  assert.deepEqual(await sentBy("pets", "get", "a/b", "--if-none-match", '"e"'), ['GET /pet/a%2Fb if-none-match: "e"'])
  assert.deepEqual(await sentBy("pets", "by-status", "--status", "sold", "--status", "pending", "--limit", "3"), [
    "GET /pet/findByStatus?status=sold&status=pending&limit=3",
  ])
  assert.deepEqual(await sentBy("pets", "list", "--count"), ["GET /pet prefer: count=exact"])
  assert.deepEqual(
    await sentBy("pets", "create", "--name", "A", "--photo-urls", "", "--id", "7", "--idempotency-key", "k"),
    ['POST /pet {"id":7,"name":"A","photoUrls":[]} idempotency-key: k'],
  )
  assert.deepEqual(await sentBy("pets", "patch", "7", "--name", "B", "--if-match", '"e"'), [
    'PATCH /pet/7 {"name":"B"} if-match: "e"',
  ])
  for (const segment of ["", ".", ".."]) {
    const { code, err, sent } = await run(["pets", "get", segment])
    assert.deepEqual([code, err, sent], [2, `petstore: <pet-id> cannot be ${JSON.stringify(segment)}\n`, []])
  }
  assert.deepEqual(await sentBy("pets", "get", "..."), ["GET /pet/..."])
})

test("--all shows all pages, and cannot be combined with a count", async () => {
  const pages = () => [
    Response.json([{ id: 1 }], { headers: { link: '<?cursor=c>; rel="next"' } }),
    Response.json([{ id: 2 }]),
  ]
  const flags = ["pets", "list", "--limit", "1", "--columns", "id"]
  const all = await run([...flags, "--all"], { responses: pages() })
  assert.deepEqual(all, {
    code: 0,
    out: "id\n1\n2\n",
    err: "",
    sent: ["GET /pet?limit=1", "GET /pet?limit=1&cursor=c"],
  })
  const one = await run(flags, { responses: pages() })
  assert.deepEqual([one.out, one.err], ["id\n1\n", "There are more: use --all, or --cursor c\n"])
  const both = await run([...flags, "--all", "--count"])
  assert.deepEqual(
    [both.code, both.err, both.sent],
    [2, "petstore: --count cannot be combined with --all, which shows all there are\n", []],
  )
})

test("a file is uploaded as it is", async () => {
  const { sent } = await run(["pets", "upload-image", "2", "--file", "-", "--additional-metadata", "x"], {
    stdin: "image",
  })
  assert.deepEqual(sent, ["POST /pet/2/uploadImage?additionalMetadata=x application/octet-stream 5 bytes"])
})

test("one missing secret is read from standard input, unless a body is given", async () => {
  const login = ["users", "login", "--username", "ada"]
  assert.deepEqual((await run(login, { stdin: "secret\n" })).sent, [
    'POST /user/login {"username":"ada","password":"secret"}',
  ])
  assert.deepEqual((await run([...login, "--password", "given"], { stdin: "secret\n" })).sent, [
    'POST /user/login {"username":"ada","password":"given"}',
  ])
  assert.deepEqual((await run([...login, "--body", "{}"], { stdin: "secret\n" })).sent, [
    'POST /user/login {"username":"ada"}',
  ])
})

test("an event is triggered on this machine, and on another one only with --force", async () => {
  const triggered = await run(["trigger", "pet.created"], { responses: [Response.json({ id: 7 })] })
  const create = 'POST /pet {"name":"Triggered","photoUrls":[]}'
  assert.deepEqual(triggered, { code: 0, out: "created pet 7\n", err: "", sent: [create] })
  const withBody = (body: string) =>
    run(["trigger", "pet.created", "--body", body], { responses: [Response.json({ id: 7 })] })
  assert.deepEqual((await withBody("null")).sent, [create])
  assert.deepEqual((await withBody('{"name":"Rex"}')).sent, ['POST /pet {"name":"Rex","photoUrls":[]}'])
  for (const body of ["[]", "1", '"text"']) {
    const { code, err, sent } = await withBody(body)
    assert.deepEqual([code, err, sent], [2, "petstore: --body must be a JSON object\n", []])
  }
  const remote = ["--url", "http://petstore.example", "trigger", "pet.created"]
  const refused = await run(remote)
  assert.deepEqual(
    [refused.code, refused.err, refused.sent],
    [2, "petstore: http://petstore.example is another machine; use --force to change its data\n", []],
  )
  const forced = await run([...remote, "--force"], { responses: [Response.json({ id: 7 })] })
  assert.deepEqual([forced.code, forced.out], [0, "created pet 7\n"])
  assert.match(
    (await run(["trigger", "pet.sold"])).err,
    /^petstore: unknown event "pet\.sold"; events are pet\.created, .*, order\.cancelled\n$/,
  )
})

test("an export of a sandbox is printed as it is, and the launcher starts the service", async () => {
  const text = '{"version":1}\n{"pet":1}\n'
  const exported = await run(["sandbox", "export", "run-7"], { responses: [new Response(JSON.stringify(text))] })
  assert.deepEqual([exported.out, exported.sent], [JSON.stringify(text), ["GET /sandboxes/run-7/file"]])
  assert.deepEqual(await run(["serve"]), {
    code: 2,
    out: "",
    err: "petstore: the service is started by the launcher: ./petstore serve\n",
    sent: [],
  })
})
