import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { describe, test } from "node:test"
import { promisify } from "node:util"
import { api } from "../../src/core/domain/api.ts"
import { conformChapters } from "../../src/examiner/conform/chapters.ts"
import { runConform } from "../../src/examiner/conform/run-conform.ts"
import { type DefectId, defectIds } from "../../src/parts/sandbox/defects/contract.ts"
import { serverUrl } from "../harness/database.ts"
import { missingProgram } from "../harness/installed.ts"
import { startPetstore } from "../harness/petstore.ts"
import { usePetstore } from "../harness/use.ts"

type Options = { method?: string; body?: unknown; headers?: Record<string, string> }
type Answered = { status: number; headers: Headers; json: Json; text: string }
// biome-ignore lint/suspicious/noExplicitAny: the responses of a defective service have no type
type Json = any

const petstore = usePetstore()
const run = promisify(execFile)

/** Requests to a sandbox, with the key for everything unless other headers are given. */
function asking(name: string) {
  return async (
    path: string,
    { method, body, headers = { api_key: "special-key" } }: Options = {},
  ): Promise<Answered> => {
    const response = await fetch(`${petstore.url}/s/${name}/api/v3${path}`, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: text.startsWith("<") ? text : parse(text) }
  }
}

/** Makes room for others. */
const remove = (name: string) =>
  fetch(`${petstore.url}/api/v3/sandboxes/${name}`, { method: "DELETE", headers: { api_key: "special-key" } })

function parse(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The check of conform that finds each. */
const foundBy: Record<DefectId, string> = {
  "pet-without-name": "reads-a-pet",
  "id-as-text": "takes-an-order",
  "unknown-status-word": "reads-a-pet",
  "json-as-plain-text": "says-that-it-is-json",
  "null-member": "has-no-null",
  "ids-rounded": "keeps-the-id-of-a-client",
  "stack-trace": "discloses-nothing",
  "creation-is-201": "creates-a-pet",
  "absent-is-200": "unknown-pets-are-404",
  "nothing-found-is-404": "finds-nothing",
  "reading-is-201": "counts-the-inventory",
  "emoji-fails": "keeps-emoji",
  "long-text-fails": "has-bounds",
  "zero-fails": "zero-and-less-are-404",
  "challenge-missing": "challenges",
  "location-leads-nowhere": "leads-to-what-was-made",
  "update-drops-tags": "replaces-a-pet",
  "patch-resets-status": "changes-what-it-names",
  "delete-keeps-pet": "deletes-a-pet",
  "failed-creation-stays": "adds-nothing-that-is-refused",
  "failed-update-changes": "changes-all-or-nothing",
  "invalid-order-accepted": "refuses-an-unknown-pet",
  "repeated-put-differs": "repeats-a-put",
  "lost-update": "keeps-the-later-change",
  "key-of-repetition-ignored": "repeats-the-response",
  "stale-read": "keeps-the-later-change",
  "inventory-off-by-one": "counts-what-is-listed",
  "etag-never-changes": "saves-a-body",
  "order-of-others-readable": "hides-orders-of-others",
  "order-of-others-deletable": "keeps-orders-of-others",
  "existence-revealed": "hides-orders-of-others",
  "scope-unchecked": "needs-the-scope",
  "revoked-key-accepted": "ends-with-the-logout",
  "anonymous-read": "needs-a-credential",
  "anonymous-delete": "needs-a-credential",
  "valid-key-unrecognized": "needs-the-scope",
  "mass-assignment": "ignores-a-status-of-the-client",
  "item-missing-between-pages": "has-each-once",
  "item-on-two-pages": "has-each-once",
  "next-page-without-end": "has-each-once",
  "total-off-by-one": "counts-the-whole-list",
  "limit-not-enforced": "limits-requests",
  "retry-after-missing": "limits-requests",
  "event-with-two-ids": "gives-an-event-one-id",
  "signature-of-other-bytes": "signs",
}

const everyChapter = new Set(conformChapters.map(({ name }) => name))

/** What conform misses in a sandbox, of the check with this name or of all. */
async function missedIn(sandbox: string, check?: string): Promise<string[]> {
  const chapters = conformChapters.map(({ name, tasks }) => ({
    name,
    tasks: tasks.filter((task) => check === undefined || task.name === check),
  }))
  const url = `${petstore.url}/s/${sandbox}/api/v3`
  const keys = { key: "special-key", limitedKey: "free-key", readerKey: undefined }
  const { signal } = new AbortController()
  const verdicts = await runConform({ url, ...keys, chapters, claims: everyChapter, signal }, () => undefined)
  return verdicts.filter(({ outcome }) => outcome === "missed").map(({ name }) => name)
}

describe("defects on purpose", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
  for (const [id, check] of Object.entries(foundBy))
    test(`${id} is found by ${check} of conform, and ends with a reset (slow)`, async () => {
      const ask = asking(id)
      const set = await ask("/sandbox/defects", { method: "PUT", body: { defects: [id] } })
      assert.deepEqual(set.json, { defects: [id] })
      assert.deepEqual(await missedIn(id, check), [check])
      await ask("/sandbox/reset", { method: "POST" })
      assert.deepEqual((await ask("/sandbox/defects")).json.defects, [])
      await remove(id)
    })

  test("without a defect conform misses nothing, and leaves nothing (slow)", async () => {
    assert.deepEqual(await missedIn("none"), [])
    const headers = { api_key: "special-key" }
    const diff = await fetch(`${petstore.url}/api/v3/sandboxes/none/diff`, { headers })
    assert.deepEqual(((await diff.json()) as Json).changes, [])
    await remove("none")
  })

  test("a revoked key that is accepted may do what it could, and no other request is admitted with it", async () => {
    const ask = asking("revoked")
    await ask("/sandbox/defects", { method: "PUT", body: { defects: ["revoked-key-accepted"] } })
    const { json: key } = await ask("/keys", { body: { name: "ends", scopes: ["read:pets"] } })
    const status = async (headers: Record<string, string>, path = "/pet/1", method = "GET") =>
      (await ask(path, { method, headers })).status
    const revoked = { api_key: key.secret }
    const { json: token } = await ask("/user/login", { body: { username: "user1", password: "password1" } })
    for (const used of [revoked, { authorization: `Bearer ${token}` }]) assert.equal(await status(used), 200)
    await ask(`/keys/${key.id}`, { method: "DELETE" })
    assert.equal(await status(revoked), 200)
    for (const [path, method] of [
      ["/pet/1", "DELETE"],
      ["/accounts", "GET"],
    ] as const)
      assert.equal(await status(revoked, path, method), 403)
    for (const other of [{}, { api_key: "" }, { api_key: "unknown" }, { authorization: "Bearer unknown" }])
      assert.equal(await status(other), 401)
    await remove("revoked")
  })

  test("a request beyond the plan that is served has the rights of its key", async () => {
    const ask = asking("beyond")
    await ask("/sandbox/defects", { method: "PUT", body: { defects: ["limit-not-enforced"] } })
    const headers = { api_key: "free-key" }
    for (let n = 0; n < 61; n++) assert.equal((await ask("/pet/1", { headers })).status, 200)
    assert.equal((await ask("/accounts", { headers })).status, 403)
    await remove("beyond")
  })

  test("all at once, each operation still responds", async () => {
    const ask = asking("all")
    const defects = Object.values(defectIds).flat()
    assert.ok(defects.length >= 30)
    await ask("/sandbox/defects", { method: "PUT", body: { defects } })
    for (const path of ["/pet/1", "/pet", "/store/inventory", "/store/order/1", "/user/admin", "/webhooks"])
      assert.notEqual((await ask(path)).status, 500, path)
  })

  test("what one remembers is forgotten once others are set, and only then", async () => {
    const ask = asking("forgetting")
    const set = (defects: DefectId[]) => ask("/sandbox/defects", { method: "PUT", body: { defects } })
    await set(["mass-assignment"])
    const { json: order } = await ask("/store/order", { body: { petId: 2, complete: true } })
    const status = async () => (await ask(`/store/order/${order.id}`)).json.status
    assert.deepEqual([order.status, await status(), await status()], ["delivered", "delivered", "delivered"])
    await set([])
    assert.equal(await status(), "placed")
    await set(["mass-assignment"])
    assert.equal(await status(), "placed")
    await remove("forgetting")
  })

  test("each says what is wrong, which rule it breaks, and how to see it", async () => {
    const ask = asking("list")
    await ask("/pet/1")
    const { json } = await ask("/sandbox/defects")
    assert.deepEqual(
      json.known.map(({ id }: { id: string }) => id),
      Object.values(defectIds).flat(),
    )
    for (const { wrong, breaks, see, operations } of json.known) {
      assert.ok(operations.every((name: string) => name in api))
      assert.match(wrong, /\.$/)
      assert.match(breaks, /\.$/)
      assert.match(see, /\$URL\/api\/v3\//)
    }
  })

  test("what is shown to see one with curl is otherwise without it, where one line is enough (slow)", {
    skip: missingProgram("curl"),
  }, async () => {
    const ask = asking("see")
    await ask("/pet/1")
    const known: { id: DefectId; see: string }[] = (await ask("/sandbox/defects")).json.known
    const lines = known.filter(({ see }) => !/\$(?:TOKEN|KEY|REVOKED)|#(?! twice)/.test(see))
    assert.ok(lines.length >= 30)
    for (const { id, see } of lines) {
      const output = async (name: string, defects: DefectId[]) => {
        await asking(name)("/sandbox/defects", { method: "PUT", body: { defects } })
        const line = `curl -s ${see.replaceAll("&& curl", "&& curl -s")}`
        const script = see.endsWith("# twice") ? `${line}\n${line}` : line
        const shown = await run("bash", ["-c", script], { env: { ...process.env, URL: `${petstore.url}/s/${name}` } })
        await remove(name)
        return shown.stdout
          .replaceAll(name, "NAME")
          .replace(
            /^(?:date|x-request-id|server-timing|ratelimit).*|"requestId":"[^"]*"|\d{4}-\d\d-\d\dT[\d:.]+Z|"secret":"[^"]*"|\\?"[\w-]{22}\\?"|content-length.*/gim,
            "",
          )
      }
      const [having, without] = await Promise.all([output(`see-${id}`, [id]), output(`clean-${id}`, [])])
      assert.notEqual(having, without, id)
    }
  })

  test("an unknown one is refused, and they need the scope admin", async () => {
    const ask = asking("refused")
    const body = { defects: ["update-drops-tag"] }
    assert.equal((await ask("/sandbox/defects", { method: "PUT", body })).status, 422)
    const headers = { api_key: "free-key" }
    assert.equal((await ask("/sandbox/defects", { method: "PUT", body: { defects: [] }, headers })).status, 403)
  })
})

test("a setting gives the service defects, to which a reset returns", async () => {
  await using defective = await startPetstore({ env: { PETSTORE_DEFECTS: "absent-is-200, emoji-fails" } })
  const headers = { api_key: "special-key", "content-type": "application/json" }
  const at = (path: string, init?: RequestInit) => fetch(`${defective.url}/api/v3${path}`, { headers, ...init })
  assert.equal((await at("/pet/4711")).status, 200)
  await at("/sandbox/defects", { method: "PUT", body: '{"defects":[]}' })
  assert.equal((await at("/pet/4711")).status, 404)
  await at("/sandbox/reset", { method: "POST" })
  assert.equal((await at("/pet/4711")).status, 200)
})

test("production refuses every way of asking for a defect", async () => {
  const env = { PETSTORE_PROFILE: "production", PETSTORE_PUBLIC_URL: "https://petstore.example" }
  await assert.rejects(
    startPetstore({ env: { ...env, PETSTORE_DEFECTS: "emoji-fails" } }),
    /PETSTORE_DEFECTS is for the sandbox/,
  )
  await using production = await startPetstore({ env })
  const headers = { api_key: production.firstKey as string, "content-type": "application/json" }
  for (const init of [{}, { method: "PUT", body: '{"defects":["emoji-fails"]}' }])
    assert.equal((await fetch(`${production.url}/api/v3/sandbox/defects`, { headers, ...init })).status, 404)
  await assert.rejects(startPetstore({ env: { PETSTORE_DEFECTS: "emoji-fail" } }), /did you mean emoji-fails\?/)
})
