import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { createSandboxClient } from "../../src/parts/sandbox/client/sandbox-client.ts"
import { requestsMax } from "../../src/parts/sandbox/journal/contract.ts"
import { petstoreCommand } from "../harness/command-line.ts"
import { serverUrl } from "../harness/database.ts"
import { asker } from "../harness/send.ts"
import { usePetstore } from "../harness/use.ts"

/** What HAR 1.2 requires of each object, by its path, and what else it knows of those that are used; others begin with an underscore. */
const members: Readonly<Record<string, { required: readonly string[]; known?: readonly string[] }>> = {
  "": { required: ["log"] },
  log: { required: ["version", "creator", "entries"] },
  "log.creator": { required: ["name", "version"] },
  "log.entries": { required: ["startedDateTime", "time", "request", "response", "cache", "timings"] },
  "log.entries.cache": { required: [] },
  "log.entries.timings": { required: ["send", "wait", "receive"] },
  "log.entries.request": {
    required: ["method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize"],
    known: ["postData"],
  },
  "log.entries.request.headers": { required: ["name", "value"] },
  "log.entries.request.queryString": { required: ["name", "value"] },
  "log.entries.request.postData": { required: ["mimeType", "text"] },
  "log.entries.response": {
    required: [
      ...["status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL", "headersSize"],
      "bodySize",
    ],
  },
  "log.entries.response.headers": { required: ["name", "value"] },
  "log.entries.response.content": { required: ["size", "mimeType"], known: ["text"] },
}

/** Fails unless a value has what the specification requires, and nothing that it does not know. */
function requireMembers(value: unknown, path = ""): void {
  if (Array.isArray(value)) for (const item of value) requireMembers(item, path)
  else if (typeof value === "object" && value !== null) {
    const { required, known = [] } = members[path] ?? assert.fail(`${path} is not in the specification`)
    const own = Object.keys(value).filter((name) => !name.startsWith("_"))
    assert.deepEqual(own.filter((name) => !known.includes(name)).toSorted(), required.toSorted(), path)
    for (const name of own) requireMembers((value as Record<string, unknown>)[name], path ? `${path}.${name}` : name)
  }
}

describe("the journal as HAR", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
  const petstore = usePetstore()

  test("it has what HAR 1.2 requires, oldest first, also of requests without a response, and the command prints it", async () => {
    const sandbox = createSandboxClient({ url: petstore.url, name: "har" })
    const ask = asker(sandbox)
    await ask("/api/v3/pet/findByStatus?status=sold&name=a%20b")
    await ask("/api/v3/pet", { method: "POST", body: '{"name":"Rex","photoUrls":[]}' })
    await ask("/api/v3/pet/1", { headers: { prefer: "fault=drop" } }).catch(() => undefined)
    await ask("/api/v3/nothing")
    const { value: har } = await sandbox.exportRequests()
    requireMembers(har)
    const { log } = har
    assert.equal(log.version, "1.2")
    assert.deepEqual(
      log.entries.map(({ request: { method, url }, response: { status, statusText } }) => [
        method,
        url.slice(sandbox.url.length),
        status,
        statusText,
      ]),
      [
        ["GET", "/api/v3/pet/findByStatus?status=sold&name=a%20b", 200, "OK"],
        ["POST", "/api/v3/pet", 200, "OK"],
        ["GET", "/api/v3/pet/1", 0, ""],
        ["GET", "/api/v3/nothing", 404, "Not Found"],
      ],
    )
    const [read, added, dropped, unknown] = log.entries
    assert.deepEqual(read?.request.queryString, [
      { name: "status", value: "sold" },
      { name: "name", value: "a b" },
    ])
    const { postData, bodySize, headers } = added?.request ?? assert.fail()
    assert.deepEqual(postData, { mimeType: "application/json", text: '{"name":"Rex","photoUrls":[]}' })
    assert.equal(bodySize, 29)
    assert.deepEqual(
      headers.find(({ name }) => name === "api_key"),
      { name: "api_key", value: "key 1" },
    )
    assert.equal(JSON.parse(added?.response.content.text ?? "").name, "Rex")
    assert.deepEqual(
      [dropped, unknown].map((entry) => entry?._petstore),
      [
        { id: 3, operation: "getPetById", caller: "key 1", account: 1, fault: "fault=drop" },
        { id: 4, caller: "key 1", account: 1, problem: "not-found" },
      ],
    )
    for (const entry of log.entries) assert.equal(entry.time, entry.timings.wait)

    const printed = await petstoreCommand(sandbox.url, ["logs", "--har", "--operation", "addPet"])
    assert.deepEqual(JSON.parse(printed.out), { log: { ...log, entries: [added] } })
  })

  test("it has the newest that match, and no secret; an impossible filter is refused", async () => {
    const sandbox = createSandboxClient({ url: petstore.url, name: "har-filtered" })
    const ask = asker(sandbox)
    for (const id of [1, 2, 3]) await ask(`/api/v3/pet/${id}`)
    await ask("/api/v3/pet", { method: "POST", body: '{"name":"x"' })
    const idsOf = async (query: object) =>
      (await sandbox.exportRequests({ query })).value.log.entries.map(({ _petstore: { id } }) => id)
    assert.deepEqual(await idsOf({ operation: "getPetById", limit: 2 }), [2, 3])
    assert.deepEqual(await idsOf({ path: "/pet/1" }), [1])
    const { text } = await sandbox.exportRequests()
    assert.ok(!text.includes("special-key"))
    await assert.rejects(sandbox.exportRequests({ query: { path: "/pet/{petId}" } }), { code: "invalid-parameter" })
  })

  test("a file of the largest requests has the newest of them, says so, and is sent (slow)", async () => {
    const sandbox = createSandboxClient({ url: petstore.url, name: "har-large" })
    const ask = asker(sandbox)
    const body = "\u0001".repeat(16_384)
    const send = () => ask("/api/v3/pet", { method: "POST", body })
    for (let sent = 0; sent < requestsMax; sent += 50) await Promise.all(Array.from({ length: 50 }, send))
    const { text, value } = await sandbox.exportRequests()
    const { entries, comment } = value.log
    assert.ok(text.length > 14 * 2 ** 20 && text.length < 16 * 2 ** 20, `${text.length}`)
    assert.match(comment ?? "", /^Older requests are left out/)
    assert.equal(entries.at(-1)?._petstore.id, requestsMax)
  })
})
