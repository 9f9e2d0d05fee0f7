import assert from "node:assert/strict"
import { copyFileSync, mkdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { describe, test } from "node:test"
import { serverUrl } from "../harness/database.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { startPetstore } from "../harness/petstore.ts"
import { newPet } from "../harness/samples.ts"
import { usePetstore } from "../harness/use.ts"

/** Changes that a client may repeat with an `Idempotency-Key`. */
const requestsFor = (petId: number): Record<string, object> => ({
  "/pet": { name: "once", photoUrls: [] },
  "/store/order": { petId },
})

async function send(url: string, path: string, body: object) {
  const response = await fetch(`${url}/api/v3${path}`, {
    method: "POST",
    headers: { api_key: "special-key", "content-type": "application/json", "idempotency-key": path },
    body: JSON.stringify(body),
  })
  await response.arrayBuffer()
  return response.status
}

/** The numbers of rows that the requests add. */
function countRows(databaseFile: string): Record<string, unknown> | undefined {
  using db = new DatabaseSync(databaseFile, { readOnly: true })
  const counted = ["pets", "orders", "events"].map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`)
  return db.prepare(`SELECT ${counted.join(", ")}`).get()
}

describe("a request with an Idempotency-Key", { skip: serverUrl && "looks into the files of SQLite" }, () => {
  const petstore = usePetstore({}, "one for each test")

  test("is repeated without a second change after a kill at any of its commits", async () => {
    const requests = Object.entries(requestsFor(await newPet(petstore.as("special-key"))))
    using directory = temporaryDirectory()
    let commits = 0
    const dataDirOf = (commit: number) => join(directory.path, String(commit))
    petstore.store.onCommit(() => copyData(dirname(petstore.databaseFile), dataDirOf(commits++)))
    for (const [path, body] of requests) assert.ok((await send(petstore.url, path, body)) < 300, path)
    const expected = countRows(petstore.databaseFile)

    assert.ok(commits >= requests.length)
    for (let commit = 0; commit < commits; commit++) {
      await using restarted = await startPetstore({ env: { PETSTORE_DATA_DIR: dataDirOf(commit) } })
      for (const [path, body] of requests) assert.ok((await send(restarted.url, path, body)) < 300, path)
      assert.deepEqual(countRows(restarted.databaseFile), expected)
    }
  })

  test("changes nothing if its key cannot be stored", async () => {
    const requests = Object.entries(requestsFor(await newPet(petstore.as("special-key"))))
    const expected = countRows(petstore.databaseFile)
    using db = new DatabaseSync(petstore.databaseFile)
    db.exec("CREATE TRIGGER no_key BEFORE INSERT ON idempotency BEGIN SELECT RAISE(ABORT, 'no'); END")
    for (const [path, body] of requests) assert.equal(await send(petstore.url, path, body), 500, path)
    assert.deepEqual(countRows(petstore.databaseFile), expected)
  })
})

/** What a kill leaves: the database and its log, and the key of its secrets. */
function copyData(from: string, to: string): void {
  mkdirSync(to)
  for (const name of ["petstore.db", "petstore.db-wal", "secret.key"]) copyFileSync(join(from, name), join(to, name))
}
