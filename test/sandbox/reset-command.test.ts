import assert from "node:assert/strict"
import { test } from "node:test"
import type { AdminResponse } from "../../src/parts/operator/contract.ts"
import { listenForAdmin } from "../../src/parts/operator/socket.ts"
import { machineWith, petstoreCommand } from "../harness/command-line.ts"
import { temporaryDirectory } from "../harness/directory.ts"

const url = "http://127.0.0.1:8080"

/** Runs a command against a service that responds like this; resolves also with the requests to it. */
async function run(argv: string[], response: Response, onMachine = {}) {
  const sent: string[] = []
  const fetch = async (address: string, { method }: { method: string }) => {
    sent.push(`${method} ${address.slice(`${url}/api/v3`.length)}`)
    return response
  }
  return { ...(await petstoreCommand(url, argv, { fetch, ...onMachine })), sent }
}
const problem = (status: number) =>
  new Response(JSON.stringify({ status, code: "refused", detail: "refused", title: "refused", requestId: "r-1" }), {
    status,
    headers: { "content-type": "application/problem+json" },
  })

test("a reset that is refused goes through the service's own data directory, if the credential was refused", async () => {
  const message = { message: "The sandbox has been reset: empty" }
  const done = `${message.message}\n`
  assert.deepEqual(await run(["reset", "--seed", "empty"], Response.json(message)), {
    code: 0,
    out: done,
    err: "",
    sent: ["POST /sandbox/reset?seed=empty"],
  })
  using directory = temporaryDirectory()
  await using listening = new AsyncDisposableStack()
  const asked: object[] = []
  let result: AdminResponse = message
  const administer = async (request: object) => {
    asked.push(request)
    return result
  }
  listening.defer(await listenForAdmin(directory.path, administer, { warn: () => assert.fail() }))
  const onMachine = machineWith({ PETSTORE_DATA_DIR: directory.path })
  for (const status of [401, 403]) {
    const { code, out, err } = await run(["reset", "--seed", "empty"], problem(status), onMachine)
    assert.deepEqual([code, out, err], [0, done, ""])
  }
  assert.deepEqual(asked.splice(0), Array(2).fill({ action: "reset", seed: "empty", url }))

  const refused = /^petstore: refused\n {2}code {7}refused/
  const notAsked: [string[], number, RegExp?][] = [
    [["reset"], 409],
    [["reset", "--from", "run-7"], 401],
    [["reset", "--from", "run-7"], 404],
    [["reset"], 404, RegExp(`^${url} is not a sandbox; nothing was changed\\.\n$`)],
    [["--url", "http://petstore.example", "reset"], 401],
  ]
  for (const [argv, status, expected = refused] of notAsked) {
    const { code, out, err } = await run(argv, problem(status), onMachine)
    assert.deepEqual([code, out, asked.length], [1, "", 0], argv.join(" "))
    assert.match(err, expected)
  }
  assert.match((await run(["reset"], problem(403))).err, refused)
  result = { error: "It is another one" }
  const other = await run(["reset"], problem(401), onMachine)
  assert.deepEqual([other.code, other.out], [1, ""])
  assert.match(other.err, /^It is another one\npetstore: refused\n/)
})
