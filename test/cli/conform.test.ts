import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, test } from "node:test"
import { Interrupted } from "../../src/cli/command/command.ts"
import { petstoreCommand } from "../harness/command-line.ts"
import { serverUrl } from "../harness/database.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { freePort } from "../harness/free-port.ts"
import { startGate } from "../harness/gate.ts"
import { startReceiver } from "../harness/receiver.ts"
import { recordTerminal } from "../harness/terminal.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const directory = temporaryDirectory()
after(() => directory[Symbol.dispose]())
const skip = serverUrl && "named sandboxes need SQLite"
const sandboxes = async () =>
  (await fetch(`${petstore.url}/api/v3/sandboxes`, { headers: { api_key: "special-key" } })).json()
const run = (...args: string[]) => petstoreCommand("http://127.0.0.1:9", ["conform", ...args])

test("petstore conform examines the service at the address, also without the base path", async () => {
  for (const url of [petstore.url, `${petstore.url}/api/v3/`]) {
    const { code, out, err } = await run(url, "--only", "Versions")
    assert.equal(code, 0, out)
    assert.match(out, /^Versions {2}3 of 3 passed\n {2}passed {2}saves-a-body$/m)
    assert.match(err, /3 of 3 {2}one-of-concurrent-changes {2}passed/)
  }
})

test("a promise that is missed has what was observed, the requests and the responses", async () => {
  const { code, out } = await run(
    petstore.url,
    "--only",
    "unknown-paths-are-404,limits-requests,creates-a-pet",
    "--key",
    "unknown",
  )
  assert.equal(code, 1)
  assert.match(
    out,
    /missed {2}creates-a-pet\n.*\n *Observed: POST \/pet was 401 instead of 200\n *POST \/pet {"id".* → 401 {"type"/,
  )
  const { out: unlimited } = await run(petstore.url, "--only", "says-what-is-left", "--limited-key", "unknown")
  assert.match(unlimited, /^ {2}not claimed {2}says-what-is-left$/m)
  const none = await run("http://127.0.0.1:9", "--only", "unknown-paths-are-404")
  assert.match(none.out, /Observed: POST \/pet had no response: /)
  const ended = await run(`http://127.0.0.1:${await freePort()}`, "--only", "unknown-paths-are-404")
  assert.equal(ended.code, 1)
  assert.match(ended.out, /not measured {2}unknown-paths-are-404\n.*connect ECONNREFUSED/s)
})

test("nothing is not claimed of this service, whose score is given by source, and a claim names checks or chapters (slow)", async () => {
  const { code, out } = await run(petstore.url, "--claims", "all")
  assert.equal(code, 0, out)
  assert.match(
    out,
    /\n(\d+) of \1 passed\n {2}description: (\d+) of \2 passed\n {2}ours: (\d+) of \3 passed\n {2}RFC: (\d+) of \4 passed\n$/,
  )
  const unclaimed = ["--only", "Limits", "--limited-key", "unknown"]
  assert.equal((await run(petstore.url, ...unclaimed)).code, 0)
  for (const claims of ["limits-requests", "Versions, Limits", "all"])
    assert.equal((await run(petstore.url, ...unclaimed, "--claims", claims)).code, 1)
  const { err } = await run(petstore.url, "--claims", "Limit")
  assert.match(err, /"Limit" is neither a task nor a chapter; did you mean Limits\?/)
})

test("what is examined cannot control the terminal, nor can a file or an adapter, whichever command shows it (slow)", async () => {
  const hostile = "\u001b]0;PWNED\u0007\u009b2J\u202e\ufffe"
  await using service = await startReceiver()
  service.respond((_request, response) => void response.end(JSON.stringify([{ id: hostile, name: hostile }])))
  const file = join(directory.path, "hostile.csv")
  writeFileSync(file, `name,id,${hostile}\n${hostile},${hostile}\n`)
  const answer = `console.log(JSON.stringify({ error: ${JSON.stringify(hostile)} }))`
  const adapter = `require("node:readline").createInterface({ input: process.stdin }).on("line", () => ${answer})`
  for (const [url, argv] of [
    [service.url, ["conform", service.url, "--only", "creates-a-pet,has-each-once"]],
    [service.url, ["conform", service.url, "--only", "creates-a-pet", "--json"]],
    [petstore.url, ["exam", "--only", "keeps-large-ids", "--", process.execPath, "-e", adapter]],
    [petstore.url, ["import", "--dry-run", file]],
    [service.url, ["pets", "list"]],
    [service.url, ["pets", "list", "--json"]],
    [petstore.url, [hostile]],
  ] as const) {
    const { terminal, written } = recordTerminal({ width: 80, isTerminal: true })
    await petstoreCommand(url, argv, { terminal })
    const all = (written.out + written.err).replaceAll("\r\u001b[K", "")
    assert.match(all, /\\u(001b|202e)/i, argv.join(" "))
    assert.doesNotMatch(all, /(?!\n)[\p{Cc}\p{Cf}\p{Cn}]/u, argv.join(" "))
  }
})

test("an address without a path is that of a service with the usual one, and with a final slash the API is at the root", async () => {
  await using service = await startReceiver()
  const pathsAt = async (address: string) => {
    const before = service.received.length
    await run(address, "--only", "creates-a-pet")
    return new Set(service.received.slice(before).map(({ path }) => path))
  }
  service.respond((_request, response) => void response.writeHead(404).end())
  assert.ok((await pathsAt(service.url.replace(/\/$/, ""))).has("/api/v3/pet"))
  assert.ok((await pathsAt(`${service.url.replace(/\/$/, "")}/`)).has("/pet"))
})

test("a sandbox is examined in one of its own, which is deleted at the end, and any other service itself", {
  skip,
}, async () => {
  const special = petstore.as("special-key")
  const before = (await special.getInventory()).value
  const { code, out, err } = await run(petstore.url, "--only", "creates-a-pet,needs-a-credential")
  assert.equal(code, 0, out)
  assert.match(err, /\nExamined in a sandbox of its own, which is deleted\.\n$/)
  assert.deepEqual((await special.getInventory()).value, before)
  assert.deepEqual(await sandboxes(), [])
  // A key that only this store knows would be refused in a new sandbox.
  const { value: key } = await special.createKey({
    body: { name: "own", scopes: ["admin", "read:pets", "write:pets", "read:orders"] },
  })
  const itself = await run(petstore.url, "--only", "creates-a-pet", "--key", key.secret)
  assert.match(itself.err, /\nExamined at .*\/api\/v3 itself; what the checks added was removed where it can be\.\n$/)
  assert.deepEqual((await special.getInventory()).value, before)
  assert.deepEqual(await sandboxes(), [])
})

test("after an interruption the sandbox is deleted, and nothing sent makes it again", { skip }, async () => {
  const ending = new AbortController()
  await using gate = await startGate(
    () => petstore.url,
    (responses) => {
      if (responses === 10) ending.abort(new Interrupted("SIGINT"))
    },
  )
  const argv = ["conform", gate.url, "--only", "limits-requests"]
  const { code, err } = await petstoreCommand(gate.url, argv, { interrupted: ending.signal })
  assert.equal(code, 130)
  assert.equal(err, "Examined in a sandbox of its own, which is deleted.\n")
  for (let n = 0; n < 20; n++) assert.deepEqual(await sandboxes(), [])
})

test("what is no address is a wrong use", async () => {
  const { code, err } = await run("petstore")
  assert.equal(code, 2)
  assert.match(err, /"petstore" is not the address of an API/)
})
