import assert from "node:assert/strict"
import { readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, test } from "node:test"
import manifest from "../../../package.json" with { type: "json" }
import { changeOnDisk, onMachine } from "../../harness/backups.ts"
import { appoint, signedIn } from "../../harness/console.ts"
import { temporaryDirectory } from "../../harness/directory.ts"
import { before, usePetstore } from "../../harness/use.ts"

const gibibyte = 1024 ** 3
const disk = { freeBytes: 5 * gibibyte, sizeBytes: 20 * gibibyte, isReadOnly: false }
const petstore = usePetstore({ disk: { inspect: async () => disk } })
before(() => appoint(petstore))
const show = async () => (await (await signedIn(petstore, "admin")).go("/console/health")).html
const said = (html: string, name: string) =>
  new RegExp(`<dt>${name}</dt><dd>(.*?)</dd>`, "s").exec(html)?.[1]?.replace(/<[^>]+>/g, "")

describe("the health of the service in the console", () => {
  test("shows versions, queues, disk space and replicas", async () => {
    const { value: webhook } = await petstore
      .as("special-key")
      .createWebhook({ body: { url: "http://127.0.0.1:9/unknown", events: ["pet.created"] } })
    const html = await show()
    assert.equal(said(html, "Petstore"), manifest.version)
    assert.equal(said(html, "Node.js"), process.version.slice(1))
    assert.match(said(html, "Database") ?? "", /^(SQLite|PostgreSQL) \d+\.\d+/)
    for (const queue of ["Deliveries due", "Deliveries in progress", "Uploads in progress", "Event streams open"])
      assert.match(said(html, queue) ?? "", /^\d+$/, queue)
    assert.match(html, /5\.0 GiB free of 20\.0 GiB/)
    assert.equal(said(html, "Processes on this database"), "1")
    assert.equal(said(html, "Redis or Valkey"), "not used")
    await petstore.as("special-key").deleteWebhook({ params: { webhookId: webhook.id } })
  })

  test("shows why the service is not ready, and that it is again", async () => {
    assert.match(await show(), /class="badge good">ready/)
    const admin = await signedIn(petstore, "admin")
    disk.isReadOnly = true
    await petstore.disks.inspect()
    assert.match((await admin.go("/console/health")).html, /not ready.*the disk is read-only/)
    disk.isReadOnly = false
    await petstore.disks.inspect()
    assert.match((await admin.go("/console/health")).html, /class="badge good">ready/)
  })

  test("shows the last backup of the data directory, and how to make the first", async () => {
    using directory = temporaryDirectory()
    const dataDir = dirname(petstore.imageDirectory)
    assert.match(await show(), /No backup of this data directory.*petstore backup/s)
    const made = await onMachine(dataDir, ["backup", join(directory.path, "one"), "--json"])
    assert.equal(made.code, 0, made.err)
    assert.ok((await show()).includes(`<time datetime="${JSON.parse(made.out).createdAt}"`))
    assert.ok(!readdirSync(join(directory.path, "one")).some((name) => name.startsWith("last-backup")))
  })

  test("shows the number of damaged records, and the page of such a pet says that it is one", async () => {
    assert.equal(said(await show(), "pets"), "0")
    await changeOnDisk(petstore, "UPDATE pets SET json = replace(json, 'name', 'nane') WHERE id = 7")
    await petstore.store.hashes.examine("pets", 0, 100)
    const { status, html } = await (await signedIn(petstore, "admin")).go("/console/pets/7")
    assert.equal(status, 500)
    assert.match(html, /Damaged record.*Pet 7 does not match its hash/s)
  })
})
