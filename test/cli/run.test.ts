import assert from "node:assert/strict"
import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"
import { setImmediate } from "node:timers/promises"
import { Interrupted } from "../../src/cli/command/command.ts"
import type { Send } from "../../src/client/client.ts"
import { manualClock } from "../harness/clock.ts"
import { petstoreCommand } from "../harness/command-line.ts"
import { temporaryDirectory } from "../harness/directory.ts"

const url = "http://127.0.0.1:8080"
type Given = Parameters<typeof petstoreCommand>[2]

/** A service that responds with these values, one after the other, and the requests to it. */
function serve(...values: (object | Response)[]) {
  const sent: string[] = []
  const send: Send = async (address, { method, body }) => {
    sent.push([method, address.slice(`${url}/api/v3`.length), body].filter(Boolean).join(" "))
    const value = values.shift() ?? {}
    return value instanceof Response ? value : Response.json(value)
  }
  return { sent, fetch: send }
}
async function run(argv: string[], values: (object | Response)[] = [], given: Given = {}) {
  const { sent, fetch } = serve(...values)
  const ran = await petstoreCommand(url, argv, { fetch, ...given })
  return { ...ran, sent }
}
const problem = (status: number, code: string, detail = code) =>
  new Response(JSON.stringify({ status, code, detail, title: code, requestId: "r-1" }), {
    status,
    headers: { "content-type": "application/problem+json" },
  })

test("--verbose names the service and the credential, and secrets in flags cause warnings, unless the output is JSON", async () => {
  const secrets = ["--api-key", "k", "--token", "t"]
  const warning = (flag: string, advice: string) =>
    `Warning: other users of this machine can read --${flag} in the list of processes; ${advice}.\n`
  const loud = await run([...secrets, "pets", "get", "1", "--verbose"], [{ id: 1 }])
  assert.equal(
    loud.err,
    warning("api-key", "set PETSTORE_API_KEY, or use petstore login") +
      warning("token", "set PETSTORE_TOKEN, or use petstore login") +
      `${url}, with --api-key and --token\n`,
  )
  const asJson = await run([...secrets, "pets", "get", "1", "--json"], [{ id: 1 }])
  assert.deepEqual([asJson.err, asJson.out], ["", '{"id":1}\n'])
  const password = await run(["users", "login", "--username", "u", "--password", "p"], [{}])
  assert.equal(password.err, warning("password", "omit the flag to enter it at a prompt"))
  assert.equal((await run(["pets", "get", "1"], [{ id: 1 }])).err, "")
})

test("an interrupted command ends at once with the signal's code, and one with work to finish when that is done", async () => {
  const started = Promise.withResolvers<void>()
  const ending = new AbortController()
  const silent = () => {
    started.resolve()
    return new Promise<never>(() => {})
  }
  const waiting = run(["pets", "get", "1"], [], { fetch: silent, interrupted: ending.signal })
  await started.promise
  ending.abort(new Interrupted("SIGTERM"))
  assert.deepEqual(await waiting, { code: 143, out: "", err: "", sent: [] })
  const copying = await run(["copy", "--from", "sqlite:/nowhere/a.db", "--to", "sqlite:/nowhere/b.db"], [], {
    interrupted: AbortSignal.abort(new Interrupted("SIGINT")),
  })
  assert.deepEqual(
    [copying.code, copying.err],
    [130, "The copy is incomplete; run the same command again to continue.\n"],
  )

  using directory = temporaryDirectory()
  const exporting = new AbortController()
  const interrupting: Send = async () => {
    exporting.abort(new Interrupted("SIGINT"))
    await setImmediate()
    return Response.json([{ id: 1 }])
  }
  const out = join(directory.path, "pets.ndjson")
  const exported = await run(["export", "--out", out], [], { fetch: interrupting, interrupted: exporting.signal })
  assert.deepEqual([exported.code, exported.err], [130, "The export is incomplete; run the command again.\n"])
  assert.deepEqual(readdirSync(directory.path), [])
})

const rex = { id: 1, name: "Rex", status: "sold", category: { name: "Dogs" }, tags: [{ name: "a" }], photoUrls: [] }
const ada = { id: 2, name: "Ada", status: "sold", tags: [], photoUrls: [], createdAt: "2026-01-01T00:00:00Z" }
const page = (pets: object[], cursor?: string) =>
  Response.json(pets, { headers: cursor === undefined ? {} : { link: `<?cursor=${cursor}>; rel="next"` } })

test("an export is written page by page in its format, whole or not at all", async () => {
  const csv = await run(["export", "--format", "csv"], [page([rex], "c"), page([]), page([])])
  assert.deepEqual(csv, {
    code: 0,
    out: "\ufeffid,name,category,status,tags,photoUrls,createdAt,updatedAt\r\n1,Rex,Dogs,sold,a,,,\r\n",
    err: "1 pet\n",
    sent: ["GET /pets?sort=id&limit=1000", "GET /pets?sort=id&limit=1000&cursor=c"],
  })
  const pages = () => [page([rex], "c"), page([], "d"), page([ada])]
  const lines = `${JSON.stringify(rex)}\n${JSON.stringify(ada)}\n`
  assert.equal((await run(["export"], pages())).out, lines)
  const asArray = await run(
    ["export", "--format", "json", "--status", "sold,pending", "--status", "available"],
    pages(),
  )
  assert.equal(asArray.out, `[\n${JSON.stringify(rex)},\n${JSON.stringify(ada)}\n]\n`)
  assert.equal(asArray.err, "2 pets\n")
  assert.equal(asArray.sent[0], "GET /pets?sort=id&limit=1000&status=sold&status=pending&status=available")
  assert.equal((await run(["export", "--format", "json"], [page([])])).out, "[\n\n]\n")

  using directory = temporaryDirectory()
  for (const [name, text] of [
    ["pets.NDJSON", lines],
    ["pets", lines],
    ["pets.txt", lines],
    ["pets.constructor", lines],
    ["pets.JSON", asArray.out],
  ] as const) {
    const file = join(directory.path, name)
    assert.deepEqual(await run(["export", "--out", file], pages()).then(({ out, err }) => [out, err]), ["", "2 pets\n"])
    assert.equal(readFileSync(file, "utf8"), text)
  }
  const file = join(directory.path, "pets.csv")
  const failed = await run(["export", "--out", file], [page([rex], "c"), problem(403, "forbidden")])
  assert.deepEqual([failed.code, existsSync(file), readdirSync(directory.path).length], [1, false, 5])
  for (const format of ["xml", "constructor"])
    assert.equal((await run(["export", "--format", format])).err, "petstore: --format must be ndjson, csv, json\n")
  const nowhere = await run(["export", "--out", join(mkdtempSync(directory.path), "none", "a")])
  assert.match(nowhere.err, /^petstore: --out cannot be written: \S+\/none does not exist\n$/)
})

test("an export to a file is on the disk before it has its name", async (t) => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "pets.ndjson")
  await using probe = await open(join(directory.path, "probe"), "w")
  const prototype = Object.getPrototypeOf(probe) as FileHandle
  const named: boolean[] = []
  t.mock.method(prototype, "sync", async () => void named.push(existsSync(file)))
  assert.equal((await run(["export", "--out", file], [page([rex])])).code, 0)
  assert.deepEqual(named, [false])
})

test("a login that others precede says so, and one whose token cannot be revoked is deleted all the same", async () => {
  using directory = temporaryDirectory()
  const given = { stateDir: directory.path, stdin: "secret\n", clock: manualClock() }
  const token = () => new Response('"t1"', { headers: { "x-expires-after": "2026-01-02T00:00:00Z" } })
  const first = await run(["login", "ada"], [token()], given)
  assert.deepEqual(first, {
    code: 0,
    out: `Logged in to ${url} as ada until 2026-01-02T00:00:00Z\n`,
    err: "",
    sent: ['POST /user/login {"username":"ada","password":"secret"}'],
  })
  const settings = { url, apiKey: "k", token: undefined }
  const second = await run(["login", "ada"], [Response.json("t2")], { ...given, settings })
  assert.deepEqual(
    [second.out, second.err],
    [`Logged in to ${url} as ada\n`, "PETSTORE_API_KEY is set and takes precedence over the login\n"],
  )
  const failed = await run(["logout"], [problem(503, "unavailable")], given)
  assert.equal(failed.code, 1)
  assert.match(
    failed.err,
    /^The token was deleted here but could not be revoked: it is valid until it expires\.\npetstore: unavailable\n/,
  )
  assert.deepEqual(await run(["logout"], [], given), {
    code: 0,
    out: "",
    err: `You are not logged in to ${url}\n`,
    sent: [],
  })
  await run(["login", "ada"], [token()], given)
  const done = await run(["logout"], [{}], given)
  assert.deepEqual([done.code, done.out, done.sent], [0, `ada logged out of ${url}\n`, ["POST /user/logout"]])
})

test("an unknown command with a verb is compared with the nouns that have verbs, one or more", async () => {
  for (const [argv, advice] of [
    [["iventory", "show"], "did you mean: ./petstore inventory"],
    [["acount", "get"], "did you mean: ./petstore account"],
    [["rset", "now"], "./petstore --help lists all commands"],
  ] as const)
    assert.deepEqual(await run([...argv]), {
      code: 2,
      out: "",
      err: `petstore: unknown command "${argv.join(" ")}"; ${advice}\n`,
      sent: [],
    })
})
