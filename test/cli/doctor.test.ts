import assert from "node:assert/strict"
import type { RequestListener } from "node:http"
import { test } from "node:test"
import { manualClock } from "../harness/clock.ts"
import { machineWith, petstoreCommand } from "../harness/command-line.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { freePort } from "../harness/free-port.ts"
import { startReceiver } from "../harness/receiver.ts"

const { node, sqlite } = process.versions
const runtime = `ok       runtime: Node ${node} with SQLite ${sqlite}\n`
const clock = manualClock()

const account = {
  id: 7,
  name: "Ada",
  scopes: ["read:pets", "write:pets"],
  plan: "free",
  limits: [{ policy: "minute", quota: 60, remaining: 59 }],
}

/** A service that responds with these bodies and statuses. */
const service =
  (readiness: [status: number, body: string], owned: [status: number, body: object]): RequestListener =>
  (request, response) => {
    const isReadiness = request.url === "/readyz"
    const [status, body] = isReadiness ? readiness : owned
    const type = status < 300 ? "application/json" : "application/problem+json"
    response.writeHead(status, { "content-type": type, date: new Date(clock.now()).toUTCString() })
    response.end(isReadiness ? body : JSON.stringify(body))
  }

const ready: [number, string] = [200, '{"status":"ready"}']

async function examine(how: RequestListener, ...flags: string[]) {
  await using receiver = await startReceiver()
  using directory = temporaryDirectory()
  receiver.respond(how)
  const { code, out, err } = await petstoreCommand(receiver.url, ["doctor", ...flags], {
    clock,
    stateDir: directory.path,
    ...machineWith({ PETSTORE_DATA_DIR: directory.path }),
  })
  assert.equal(err, "")
  const data = new RegExp(`ok +data: a service started here uses ${directory.path}/petstore\\.db, \\S+ GiB free`)
  return { code, out: out.replaceAll(receiver.url, "URL").replace(data, "ok       data: free") }
}

const machine = "ok       data: free\n"

test("a service that works has findings without advice", async () => {
  assert.deepEqual(await examine(service(ready, [200, account])), {
    code: 0,
    out: `${runtime}ok       service: URL is ready
ok       clock: in sync with the service
ok       key: the sandbox's special-key, of account 7 (Ada)
ok       scopes: read:pets write:pets
ok       plan: free, 59 of 60 left this minute
${machine}`,
  })
  const { code, out } = await examine(service(ready, [200, account]), "--json")
  const abouts = JSON.parse(out).map(({ about }: { about: string }) => about)
  assert.deepEqual([code, abouts], [0, ["runtime", "service", "clock", "key", "scopes", "plan", "data"]])
})

test("a credential that is refused has advice, and so has a service that is not ready", async () => {
  const problem = { title: "Unauthorized", status: 401, detail: "The key is unknown\u001b", code: "unauthorized" }
  assert.deepEqual(await examine(service(ready, [401, problem])), {
    code: 1,
    out: `${runtime}ok       service: URL is ready
problem  key: the sandbox's special-key: The key is unknown\\u001b
         → Set PETSTORE_API_KEY (./petstore keys create creates a key), or run ./petstore login
${machine}`,
  })
  for (const [readiness, reason] of [
    [[503, '{"status":"unavailable","detail":"The database is locked"}'], "The database is locked"],
    [[200, '{"status":"fine"}'], "status 200"],
    [[404, "<html>"], "status 404"],
  ] as [[number, string], string][])
    assert.deepEqual(await examine(service(readiness, [200, account])), {
      code: 1,
      out: `${runtime}problem  service: URL is not ready: ${reason}
         → Check the service's log, and that it is a Petstore
${machine}`,
    })
})

test("an absent service has advice, and another machine is not examined", async () => {
  const url = `http://127.0.0.1:${await freePort()}`
  const absent = await petstoreCommand(url, ["doctor"], {
    ...machineWith({ PETSTORE_PORT: "x" }),
  })
  assert.deepEqual(absent, {
    code: 1,
    out: `${runtime}problem  service: nothing is listening at ${url}. Start the service with: ./petstore serve
         → Start it with ./petstore serve, or name another service with --url or PETSTORE_URL
problem  data: PETSTORE_PORT is "x"; it must be a whole number from 0 to 65535
         → Correct the setting, or make the directory writable for the service's user
`,
    err: "",
  })
  const remote = await petstoreCommand(url.replace("127.0.0.1", "0.0.0.0"), ["doctor"])
  assert.equal(remote.code, 1)
  assert.match(remote.out, /^ok +runtime: .*\nproblem +service: .*\n +→ Start it with .*\n$/)
})
