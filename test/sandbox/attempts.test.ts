import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { createSandboxClient } from "../../src/parts/sandbox/client/sandbox-client.ts"
import { petstoreCommand } from "../harness/command-line.ts"
import { appoint, signedIn } from "../harness/console.ts"
import { serverUrl } from "../harness/database.ts"
import { asker } from "../harness/send.ts"
import { usePetstore } from "../harness/use.ts"

describe("attempts at the same request", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
  const petstore = usePetstore({}, "one for each test")

  /** A sandbox in which a pet was added at the third attempt, and another one at the first. */
  async function retried() {
    const sandbox = createSandboxClient({ url: petstore.url, name: "retried" })
    const add = (name: string, headers: Record<string, string>) =>
      asker(sandbox)("/api/v3/pet", { method: "POST", body: JSON.stringify({ name, photoUrls: [] }), headers })
    await add("Max", { "idempotency-key": "b", prefer: "code=503" })
    petstore.clock.advance(1_000)
    await assert.rejects(add("Max", { "idempotency-key": "b", prefer: "fault=lose" }))
    await add("Kim", {})
    petstore.clock.advance(3_000)
    await add("Max", { "idempotency-key": "b", prefer: "fault=garbage" })
    return sandbox
  }

  test("the client has the latest of each, oldest first, with what was received", async () => {
    const sandbox = await retried()
    const requests = await sandbox.requests({ grouped: true, operation: "addPet" })
    assert.deepEqual(
      requests.map(({ attempts }) => attempts?.map(({ outcome }) => outcome)),
      [["200"], ["503", "lost", "garbage"]],
    )
    assert.deepEqual(
      requests.map(({ bodiesEqual, keysEqual }) => [bodiesEqual, keysEqual]),
      [
        [true, undefined],
        [true, true],
      ],
    )
    const [, first, second] = requests[1]?.attempts ?? []
    assert.ok(first?.waitedMs !== undefined && first.waitedMs <= 1000)
    assert.deepEqual(second?.changes, [{ pointer: "/headers/prefer", before: "fault=lose", after: "fault=garbage" }])
    assert.equal((await sandbox.requests()).length, 4)
    assert.equal((await sandbox.requests({ grouped: false })).length, 4)
  })

  test("the command line prints them as one, and what changed", async () => {
    const { url } = await retried()
    const { out } = await petstoreCommand(url, ["logs", "--attempts"])
    const [, once, latest, words, change, ...others] = out.split("\n")
    assert.match(once ?? "", /^\S+ +POST +\/pet +200 /)
    assert.match(latest ?? "", /^\S+ +POST +\/pet +200 .*fault=garbage/)
    assert.match(
      words ?? "",
      /^ {4}3 attempts: 503, lost, garbage · bodies equal · keys equal · waited (0\.\d|1\.0) s, \d\.\d s$/,
    )
    assert.match(change ?? "", /^ {6}request \d, \/headers\/prefer: code=503 → fault=lose$/)
    assert.equal(others.length, 2)
    for (const flags of [
      ["--attempts", "--follow"],
      ["--attempts", "--har"],
      ["--har", "-f"],
    ]) {
      const { code, err } = await petstoreCommand(url, ["logs", ...flags])
      assert.deepEqual([code, err], [2, "petstore: --attempts, --follow and --har cannot be combined\n"])
    }
  })

  test("the console shows them as one line that opens, and links them from the page of each", async () => {
    await retried()
    await appoint(petstore)
    const admin = await signedIn(petstore, "admin")
    const words = "3 attempts: 503, lost, garbage · bodies equal · keys equal · waited "
    const list = await admin.go("/console/sandbox/retried/requests")
    assert.equal(list.html.split("<summary>3 attempts").length, 2)
    assert.ok(list.html.includes(words))
    const ids = [...list.html.matchAll(/requests\/(\d+)">Request/g)].map(([, id]) => id)
    assert.equal(ids.length, 2)
    const page = await admin.go(`/console/sandbox/retried/requests/${ids[0]}`)
    assert.ok(page.html.includes(words))
    assert.match(page.html, /This one: 503/)
    assert.match(
      page.html,
      new RegExp(`href="[^"]*/console/sandbox/retried/requests/${ids[1]}">Request ${ids[1]}</a>: lost`),
    )
  })
})
