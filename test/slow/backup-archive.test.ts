import assert from "node:assert/strict"
import { existsSync, globSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, before, test } from "node:test"
import { lockFile } from "../../src/core/sqlite/lock.ts"
import { sumOfFile } from "../../src/parts/operator/archive/hash.ts"
import { formatManifest, parseManifest } from "../../src/parts/operator/archive/manifest.ts"
import { copyOf, damage, isUntouched, onMachine } from "../harness/backups.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { dump } from "../harness/dump.ts"
import { makeImage } from "../harness/images.ts"
import { startPetstore } from "../harness/petstore.ts"

const place = temporaryDirectory()
after(() => place[Symbol.dispose]())
const at = (name: string) => join(place.path, name)
const [data, archive] = [at("data"), at("archive")]
const env = { PETSTORE_DATA_DIR: data }
let live: ReturnType<typeof dump>

before(async () => {
  await using petstore = await startPetstore({ env })
  const upload = new Blob([new Uint8Array(await makeImage("png", 30, 20))])
  await petstore.as("special-key").uploadFile({ params: { petId: 1 }, upload })
  await petstore.as("special-key").createWebhook({ body: { url: "http://127.0.0.1:9/hook", events: ["pet.created"] } })
  live = dump(join(data, "petstore.db"))
  const made = await onMachine(data, ["backup", archive])
  assert.equal(made.err, "")
  assert.match(made.out, /10 pets, 3 orders, 11 users and 11 images, as of .+, in 35 files\nIt contains the key/)
})

test("a backup of a running service is complete and readable by its owner only", async () => {
  const sound = await onMachine(data, ["backup", "verify", archive])
  assert.deepEqual({ code: sound.code, err: sound.err }, { code: 0, err: "" })
  assert.match(sound.out, /is intact: 10 pets/)
  for (const file of globSync("**", { cwd: archive })) assert.equal(statSync(join(archive, file)).mode & 0o077, 0, file)
  assert.deepEqual(readdirSync(archive).sort(), [
    "files.ndjson",
    "images",
    "manifest.json",
    "petstore.db",
    "secret.key",
  ])
  assert.deepEqual(dump(join(archive, "petstore.db")), live)
})

test("a restored backup equals the original byte for byte, and a service starts on it", async () => {
  const restored = at("restored")
  const run = await onMachine(restored, ["restore", archive])
  assert.deepEqual({ code: run.code, err: run.err }, { code: 0, err: "" })
  assert.deepEqual(dump(join(restored, "petstore.db")), dump(join(archive, "petstore.db")))
  const images = globSync("*/*", { cwd: join(data, "images", "kept") })
  assert.equal(images.length, 33)
  for (const image of images)
    assert.deepEqual(
      readFileSync(join(restored, "images", "kept", image)),
      readFileSync(join(data, "images", "kept", image)),
    )
  await using petstore = await startPetstore({ env: { PETSTORE_DATA_DIR: restored } })
  assert.equal((await petstore.as("special-key").listWebhooks()).value.length, 1)
})

test("verify refuses a backup with any damaged file, and restore refuses it before it writes anything", async () => {
  const [image = ""] = readdirSync(join(archive, "images"))
  for (const name of globSync(["*.*", `images/${image}/*`], { cwd: archive })) {
    damage(join(archive, name))
    const verified = await onMachine(data, ["backup", "verify", archive])
    const restored = await onMachine(at("never"), ["restore", archive])
    damage(join(archive, name))
    assert.match(verified.out + verified.err, /was modified|manifest of the archive is damaged/, name)
    assert.deepEqual({ verified: verified.code, restored: restored.code }, { verified: 1, restored: 1 }, name)
    assert.ok(isUntouched(at("never")), name)
  }
  assert.equal((await onMachine(data, ["backup", "verify", archive])).code, 0)
})

test("verify reports a missing and an extra file", async () => {
  const [image = ""] = globSync("images/*/320", { cwd: archive })
  const [fewer, more] = [copyOf(archive, "fewer"), copyOf(archive, "more")]
  rmSync(join(fewer, image))
  writeFileSync(join(more, "images", "extra"), "")
  assert.match((await onMachine(data, ["backup", "verify", fewer])).out, /320 is missing/)
  assert.match((await onMachine(data, ["backup", "verify", more])).out, /contains 36 files but lists 35/)
})

test("verify finds, with the database, an image whose files are missing from a consistent list", async () => {
  const copy = copyOf(archive, "relisted")
  const list = join(copy, "files.ndjson")
  const lines = readFileSync(list, "utf8").split("\n")
  const { name } = JSON.parse(lines[3] ?? "")
  rmSync(join(copy, name, ".."), { recursive: true })
  writeFileSync(list, [...lines.slice(0, 3), ...lines.slice(6)].join("\n"))
  const manifest = parseManifest(readFileSync(join(copy, "manifest.json"), "utf8"))
  const files = { count: manifest.files.count - 3, ...(await sumOfFile(list)) }
  writeFileSync(join(copy, "manifest.json"), formatManifest({ ...manifest, files }))
  const found = await onMachine(data, ["backup", "verify", copy])
  assert.match(found.out, /^problem {2}the files of image [0-9a-f]{64} do not match the database\n$/)
  assert.equal(found.code, 1)
})

test("a backup does not write to an existing directory, and two backups do not write to the same one", async () => {
  const [again, other] = [await onMachine(data, ["backup", archive]), at("at-once")]
  assert.match(again.err, /already exists/)
  const both = await Promise.all([onMachine(data, ["backup", other]), onMachine(data, ["backup", other])])
  assert.deepEqual(both.map(({ code }) => code).sort(), [0, 1])
  assert.match(both.map(({ err }) => err).join(""), /Another backup is being written/)
  assert.equal((await onMachine(data, ["backup", "verify", other])).code, 0)
})

test("what remains of a killed backup is not accepted as a backup, and the next backup replaces it", async () => {
  const target = at("killed")
  renameSync(copyOf(archive, "killed"), `${target}.partial`)
  rmSync(join(`${target}.partial`, "manifest.json"))
  for (const path of [target, `${target}.partial`])
    for (const command of [["backup", "verify"], ["restore"]])
      assert.match((await onMachine(at("never"), [...command, path])).err, /is not a complete backup/)
  assert.equal((await onMachine(data, ["backup", target])).code, 0)
  assert.equal(existsSync(`${target}.partial`), false)
  assert.equal((await onMachine(data, ["backup", "verify", target])).code, 0)
})

test("restore does not overwrite a database, images or a key, and refuses while a service runs", async () => {
  const used = at("used")
  const refuses = async (message: RegExp) => {
    const { code, err } = await onMachine(used, ["restore", archive])
    assert.match(err, message)
    assert.equal(code, 1)
  }
  assert.match((await onMachine(data, ["restore", archive])).err, /petstore\.db already exists/)
  await onMachine(used, ["restore", archive])
  await refuses(/petstore\.db already exists/)
  rmSync(join(used, "petstore.db"))
  await refuses(/images already contains images/)
  rmSync(join(used, "images"), { recursive: true })
  await refuses(/secret\.key already exists/)
  rmSync(join(used, "secret.key"))
  const unlock = lockFile(join(used, "petstore.db.lock"))
  await refuses(/Another process is using/)
  unlock?.()
  assert.equal((await onMachine(used, ["restore", archive])).code, 0)
})

test("a backup omits an unreferenced image without files, and is complete", async () => {
  const broken = at("broken")
  await onMachine(broken, ["restore", archive])
  const file = join(broken, "petstore.db")
  const [image] = readdirSync(join(broken, "images", "kept"))
  rmSync(join(broken, "images", "kept", image ?? ""), { recursive: true })
  const db = new DatabaseSync(file)
  db.exec(`DELETE FROM pet_images WHERE sha256 = (SELECT sha256 FROM images WHERE blob = '${image}')`)
  db.close()
  const made = await onMachine(broken, ["backup", at("of-broken")])
  assert.equal(made.code, 0)
  assert.match(made.out, /10 images, as of/)
  const bytes = (of: string) => {
    using opened = new DatabaseSync(of, { readOnly: true })
    return opened.prepare("SELECT (SELECT sum(bytes) FROM images) = (SELECT sum(bytes) FROM image_bytes) AS same").get()
  }
  assert.equal(bytes(join(at("of-broken"), "petstore.db"))?.same, 1)
  assert.equal((await onMachine(broken, ["backup", "verify", at("of-broken")])).code, 0)
})

test("with the key in a setting, a backup contains no key and reports it; restore works with the setting", async () => {
  const PETSTORE_SECRET_KEY = readFileSync(join(data, "secret.key"), "utf8").trim()
  const other = Buffer.alloc(32).toString("base64")
  const without = at("without-key")
  const wrong = await onMachine(data, ["backup", without], { PETSTORE_SECRET_KEY: other })
  assert.match(wrong.err, /does not open the database's secrets/)
  const made = await onMachine(data, ["backup", without], { PETSTORE_SECRET_KEY })
  assert.match(made.out, /keep PETSTORE_SECRET_KEY, too/)
  assert.equal(existsSync(join(without, "secret.key")), false)
  assert.match(
    (await onMachine(at("keyless"), ["restore", without])).out,
    /Start the service with the PETSTORE_SECRET_KEY/,
  )
  const refused = await onMachine(at("never"), ["restore", archive], { PETSTORE_SECRET_KEY: other })
  assert.match(refused.err, /PETSTORE_SECRET_KEY is not the key in the backup/)
})

test("--json prints the manifest, and without a database the command reports that there is none", async () => {
  const found = JSON.parse((await onMachine(data, ["backup", "verify", archive, "--json"])).out)
  assert.deepEqual(
    { wrong: found.wrong, pets: found.database.rows.pets, sealingKey: found.sealingKey },
    { wrong: [], pets: 10, sealingKey: "stored" },
  )
  assert.match(
    (await onMachine(at("nothing"), ["backup", at("of-nothing")])).err,
    /There is no database at .+petstore\.db/,
  )
  assert.ok(!existsSync(at("of-nothing.partial")))
})
