import assert from "node:assert/strict"
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, before, test } from "node:test"
import { migrations } from "../../src/core/sql/migrations.ts"
import { copyOf, damage, onMachine } from "../harness/backups.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { startPetstore } from "../harness/petstore.ts"

const place = temporaryDirectory()
after(() => place[Symbol.dispose]())
const at = (name: string) => join(place.path, name)
const [data, archive] = [at("data"), at("archive")]
const databaseOf = (dataDir: string) => join(dataDir, "petstore.db")
const keptIn = (dataDir: string, ...names: string[]) => join(dataDir, "images", "kept", ...names)

before(async () => {
  await (await startPetstore({ env: { PETSTORE_DATA_DIR: data } }))[Symbol.asyncDispose]()
  const made = await onMachine(data, ["backup", archive])
  assert.deepEqual({ code: made.code, err: made.err }, { code: 0, err: "" })
})

/** A copy of the data in which the images at these positions are damaged. */
function withAccidents(name: string, ...accidents: ((files: string) => void)[]) {
  const copy = copyOf(data, name)
  const keys = readdirSync(keptIn(copy)).slice(0, accidents.length)
  for (const [n, accident] of accidents.entries()) accident(keptIn(copy, keys[n] ?? ""))
  return { copy, keys }
}
const lose = (files: string) => rmSync(files, { recursive: true })
const losePart = (files: string) => rmSync(join(files, "320"))
const spoil = (files: string) => damage(join(files, "original"))
/** Makes reading fail as with a bad sector. */
const makeUnreadable = (files: string) => {
  rmSync(join(files, "1280"))
  mkdirSync(join(files, "1280"))
}

test("a backup is made without the images whose files are missing, damaged or unreadable, lists them, and exits with 3", async () => {
  const { copy, keys } = withAccidents("accidents", lose, losePart, spoil, makeUnreadable)
  const [lost, partial, spoilt, unreadable] = keys
  const incomplete = at("incomplete")
  const made = await onMachine(copy, ["backup", incomplete])
  assert.deepEqual({ code: made.code, err: made.err }, { code: 3, err: "" })
  assert.match(made.out, /10 pets, 3 orders, 11 users and 10 images, .+, in 20 files/)
  assert.match(made.out, /lacks the files of 4 images of pets:\n/)
  const { format, missing } = JSON.parse(readFileSync(join(incomplete, "manifest.json"), "utf8"))
  const reasons = Object.fromEntries(
    (missing as { key: string; reason: string }[]).map(({ key, reason }) => [key, reason]),
  )
  const expected = { [lost ?? ""]: "missing", [partial ?? ""]: "missing" }
  assert.deepEqual(reasons, { ...expected, [spoilt ?? ""]: "damaged", [unreadable ?? ""]: "damaged" })
  for (const { sha256, key, reason } of missing)
    assert.match(made.out, new RegExp(`^${reason} +image ${sha256}, key ${key}$`, "m"))
  assert.deepEqual(
    { format, JSON: JSON.parse(readFileSync(join(archive, "manifest.json"), "utf8")).format },
    { format: 2, JSON: 1 },
  )
  assert.deepEqual(readdirSync(join(incomplete, "images")).length, 6)

  const verified = await onMachine(copy, ["backup", "verify", incomplete])
  assert.equal(verified.code, 3)
  assert.match(verified.out, /is intact: .+\nThe backup lacks the files of 4 images/)
  const asJson = JSON.parse((await onMachine(copy, ["backup", "verify", incomplete, "--json"])).out)
  assert.deepEqual({ wrong: asJson.wrong, missing: asJson.missing }, { wrong: [], missing })
})

test("a backup that lacks images is restored and lists them, and copying their files restores the images (slow)", async () => {
  const { copy, keys } = withAccidents("lost-one", lose)
  const [key = ""] = keys
  assert.equal((await onMachine(copy, ["backup", at("lacks-one")])).code, 3)
  const target = at("restored")
  const restored = await onMachine(target, ["restore", at("lacks-one")])
  assert.deepEqual({ code: restored.code, err: restored.err }, { code: 0, err: "" })
  assert.match(restored.out, new RegExp(`lacks the files of an image of pets:\nmissing +image \\w+, key ${key}\n`))
  {
    await using petstore = await startPetstore({ env: { PETSTORE_DATA_DIR: target } })
    const urls = (await petstore.as("special-key").listPets({ query: { limit: 10 } })).value.flatMap(
      (pet) => pet.photoUrls,
    )
    const statuses = await Promise.all(
      urls
        .filter((url) => url.includes("/images/"))
        .map(async (url) => (await fetch(petstore.url + new URL(url, petstore.url).pathname)).status),
    )
    assert.deepEqual([...new Set(statuses)].sort(), [200, 404])
  }
  cpSync(join(archive, "images", key), keptIn(target, key), { recursive: true })
  assert.equal((await onMachine(target, ["backup", at("whole-again")])).code, 0)
})

test("a backup is refused when its list lacks an image that the manifest does not mention", async () => {
  const { copy } = withAccidents("lost-another", lose)
  await onMachine(copy, ["backup", at("lacks-another")])
  const manifest = join(at("lacks-another"), "manifest.json")
  writeFileSync(manifest, readFileSync(manifest, "utf8").replace(/"reason": "missing"/, '"reason": "damaged"'))
  assert.match((await onMachine(copy, ["backup", "verify", at("lacks-another")])).err, /manifest .* is damaged/)
})

const doctor = async (dataDir: string, env: Record<string, string> = {}) =>
  (await onMachine(dataDir, ["doctor"], env)).out

test("with the service stopped the doctor checks database, schema, sealing key and images", async () => {
  const well = await doctor(data)
  for (const line of [
    /^ok +database: a quick check found no problems$/m,
    new RegExp(`^ok +schema: version ${migrations.length}, the newest`, "m"),
    /^ok +sealing key: it decrypts the secrets/m,
    /^ok +images: 10, of which 0 belong to no pet$/m,
  ])
    assert.match(well, line)

  const { copy, keys } = withAccidents("for-the-doctor", lose, losePart)
  assert.match(
    await doctor(copy),
    new RegExp(`^problem +image files: files of 2 images are missing: ${keys.join(" ")}\n +→`, "m"),
  )
  const other = Buffer.alloc(32).toString("base64")
  assert.match(
    await doctor(copy, { PETSTORE_SECRET_KEY: other }),
    /^problem +sealing key: .+ does not open the database's/m,
  )
  assert.match(
    await doctor(copy, {
      PETSTORE_SECRET_KEY: other,
      PETSTORE_SECRET_KEY_PREVIOUS: readFileSync(join(data, "secret.key"), "utf8").trim(),
    }),
    /^ok +sealing key: the next start completes its rotation$/m,
  )
  rmSync(join(copy, "secret.key"))
  assert.match(await doctor(copy), /^problem +sealing key: .+ their key is missing/m)
  writeFileSync(join(copy, "images", "database-id"), "another\n")
  assert.match(await doctor(copy), /^problem +images: they belong to another database, another\n/m)
})

test("the doctor names the file of the first key as a problem of its own, beside permissions that are right", async () => {
  const copy = copyOf(data, "first-key")
  writeFileSync(join(copy, "first-admin-key.txt"), "psk_\n", { mode: 0o600 })
  const found = await doctor(copy)
  assert.match(found, /^ok +permissions: \d+ files and directories are accessible by their owner only$/m)
  assert.match(found, /^problem +first key: it is still in \S+first-admin-key\.txt\n +→ Store it in another place/m)
  chmodSync(join(copy, "first-admin-key.txt"), 0o644)
  assert.match(await doctor(copy), /^problem +permissions: other users can read first-admin-key\.txt$/m)
})

test("the doctor detects a damaged, older or newer database, and an interrupted restore", async () => {
  const set = (name: string, change: string) => {
    const copy = copyOf(data, name)
    using db = new DatabaseSync(databaseOf(copy))
    db.exec(change)
    return copy
  }
  const before = migrations.length - 1
  assert.match(
    await doctor(set("older", `PRAGMA user_version = ${before}`)),
    new RegExp(`^ok +schema: version ${before}, which the next start migrates to`, "m"),
  )
  const newer = set("newer", `PRAGMA user_version = ${migrations.length + 1}`)
  assert.match(await doctor(newer), /^problem +database: .+ written by a newer version/m)
  assert.match(
    await doctor(set("unfinished", "PRAGMA user_version = -1")),
    /^problem +database: The database is not whole/m,
  )
  const dangling = set("dangling", "PRAGMA foreign_keys = OFF; DELETE FROM accounts")
  assert.match(await doctor(dangling), /^problem +database: damaged: rows of \w+ refer to rows of accounts/m)

  const torn = copyOf(data, "torn")
  const bytes = readFileSync(databaseOf(torn))
  bytes.fill(0xa5, 4096, 12_288)
  writeFileSync(databaseOf(torn), bytes)
  assert.match(await doctor(torn), /^problem +database: .*(damaged|malformed)/m)
  writeFileSync(databaseOf(torn), "no database at all, but long enough to be one".repeat(100))
  assert.match(await doctor(torn), /^problem +database: .+ is not a database/m)
  assert.doesNotMatch(await doctor(at("nothing-here")), /database:|image/)
})

/** Flips a bit of the first letter of the name of this pet in a database file. */
function flipName(dataDir: string, id: number): void {
  const file = databaseOf(dataDir)
  const text = stored(file, "SELECT json AS text FROM pets WHERE id = ?", id)
  const bytes = readFileSync(file)
  const at = bytes.indexOf(text) + text.indexOf('"name":"') + '"name":"'.length
  bytes[at] = (bytes[at] ?? 0) ^ 2
  writeFileSync(file, bytes)
}

function stored(file: string, query: string, ...values: number[]): string {
  using db = new DatabaseSync(file, { readOnly: true })
  return String(db.prepare(query).get(...values)?.text)
}

test("a flipped bit in the name of a pet is found by the doctor, a backup and its verification, and is restored with a warning", async () => {
  const copy = copyOf(data, "flipped")
  flipName(copy, 3)
  assert.match(await doctor(copy), /^problem +hashes: pets do not match their hashes: 3\n +→ See "Damaged and missing/m)
  const made = await onMachine(copy, ["backup", at("flipped-backup")])
  assert.deepEqual({ code: made.code, err: made.err }, { code: 3, err: "" })
  assert.match(made.out, /^damaged +pets that do not match their hashes \(1\): 3$/m)
  const { format, damaged } = JSON.parse(readFileSync(join(at("flipped-backup"), "manifest.json"), "utf8"))
  assert.deepEqual({ format, damaged }, { format: 2, damaged: [{ kind: "pets", ids: [3], count: 1 }] })
  const verified = await onMachine(copy, ["backup", "verify", at("flipped-backup")])
  assert.equal(verified.code, 3)
  assert.match(verified.out, /is as it was made: .+\ndamaged +pets that do not match their hashes \(1\): 3\n$/)
  const restored = await onMachine(at("flipped-restored"), ["restore", at("flipped-backup")])
  assert.equal(restored.code, 0)
  assert.match(restored.out, /^damaged +pets /m)
})

test("the doctor restores a damaged pet from the newest backup that has its last version intact, and nothing else", async () => {
  const copy = copyOf(data, "to-repair")
  const backups = at("backups")
  mkdirSync(backups)
  const backUp = async (name: string) => (await onMachine(copy, ["backup", join(backups, name)])).code
  {
    await using petstore = await startPetstore({ env: { PETSTORE_DATA_DIR: copy } })
    assert.equal(await backUp("1"), 0)
    await petstore.as("special-key").updatePet({ body: { id: 4, name: "newer", photoUrls: [] } })
  }
  const whole = dataOf(copy, 3)
  flipName(copy, 3)
  flipName(copy, 4)
  // A backup of the damaged data, which is not restored.
  assert.equal(await backUp("2"), 3)
  writeFileSync(join(backups, "notes.txt"), "not a backup")

  const repaired = await onMachine(copy, ["doctor", "--repair", backups])
  const { createdAt } = JSON.parse(readFileSync(join(backups, "1", "manifest.json"), "utf8"))
  assert.match(repaired.out, new RegExp(`^ok +repair: pet 3 is restored from the backup of ${createdAt}$`, "m"))
  assert.match(repaired.out, /^problem +repair: no backup has pet 4 as it was stored last\n +→ See/m)
  assert.match(repaired.out, /^problem +hashes: pets do not match their hashes: 4$/m)
  assert.equal(dataOf(copy, 3), whole)
  {
    await using petstore = await startPetstore({ env: { PETSTORE_DATA_DIR: copy } })
    await petstore.as("special-key").updatePet({ body: { id: 4, name: "newer", photoUrls: [] } })
  }
  assert.match(
    (await onMachine(copy, ["doctor", "--repair", join(backups, "1")])).out,
    /^ok +repair: no record is damaged$/m,
  )
})

test("a backup that is damaged itself is named, and the doctor uses an older one", async () => {
  const copy = copyOf(data, "to-repair-from-older")
  const backups = at("backups-of-which-some-are-damaged")
  mkdirSync(backups)
  const [oldest, torn, newest] = ["1", "2", "3"].map((name) => join(backups, name)) as [string, string, string]
  for (const backup of [oldest, torn, newest]) assert.equal((await onMachine(copy, ["backup", backup])).code, 0)
  const bytes = readFileSync(databaseOf(torn))
  writeFileSync(databaseOf(torn), bytes.fill(0xa5, 4096))
  damage(join(newest, "manifest.json"))
  const whole = [3, 4].map((id) => dataOf(copy, id))
  for (const id of [3, 4]) flipName(copy, id)

  const alone = await onMachine(copy, ["doctor", "--repair", newest])
  assert.match(alone.err, /There is no backup of this database; \S+: The manifest of the archive is damaged/)
  const repaired = await onMachine(copy, ["doctor", "--repair", backups])
  const { createdAt } = JSON.parse(readFileSync(join(oldest, "manifest.json"), "utf8"))
  for (const id of [3, 4])
    assert.match(repaired.out, new RegExp(`^ok +repair: pet ${id} is restored from the backup of ${createdAt}$`, "m"))
  for (const [backup, reason] of [
    [torn, "the database file is damaged"],
    [newest, "The manifest of the archive is damaged"],
  ])
    assert.match(repaired.out, new RegExp(`^problem +repair: the backup ${backup} cannot be read: ${reason}\n +→`, "m"))
  assert.match(repaired.out, /^ok +hashes: all records and images match theirs$/m)
  assert.equal(repaired.code, 1)
  assert.deepEqual(
    [3, 4].map((id) => dataOf(copy, id)),
    whole,
  )
})

test("the doctor restores a damaged hash, an entry of the audit log, and what has a hash of its columns, and repairs nothing while the service runs or from others' backups", async () => {
  const copy = copyOf(data, "to-repair-too")
  const backups = at("backups-too")
  {
    await using petstore = await startPetstore({ env: { PETSTORE_DATA_DIR: copy } })
    await petstore.as("special-key").createKey({ body: { name: "audited", scopes: ["read:pets"] } })
    await petstore
      .as("special-key")
      .createWebhook({ body: { url: "https://a.example/", events: ["pet.created", "order.placed"] } })
    const running = await onMachine(copy, ["doctor", "--repair", archive])
    assert.deepEqual({ code: running.code, out: running.out }, { code: 1, out: "" })
    assert.match(running.err, /Another process is using/)
  }
  await onMachine(copy, ["backup", backups])
  const before = credentialsOf(copy)
  {
    using db = new DatabaseSync(databaseOf(copy))
    db.exec(
      `UPDATE pets SET etag = '"other"' WHERE id = 3; UPDATE audit SET json = replace(json, 'key.created', 'key.revoked') WHERE id = 1;
       UPDATE accounts SET plan = 'free' WHERE id = 1; UPDATE keys SET scopes = 'admin', expires_at = 1 WHERE id = 2;
       UPDATE oauth_clients SET redirect_uris = '["https://other.example/"]' WHERE id = 1;
       UPDATE webhooks SET url = 'https://other.example/'; UPDATE webhook_events SET kind = 'pet.deletee' WHERE kind = 'pet.created'`,
    )
  }
  assert.notDeepEqual(credentialsOf(copy), before)
  assert.match((await onMachine(copy, ["doctor", "--repair", at("nothing-here")])).err, /There are no backups/)
  const other = at("other-service")
  await (await startPetstore({ env: { PETSTORE_DATA_DIR: other, PETSTORE_SEED: "empty" } }))[Symbol.asyncDispose]()
  await onMachine(other, ["backup", at("of-another")])
  assert.match(
    (await onMachine(copy, ["doctor", "--repair", at("of-another")])).err,
    /There is no backup of this database/,
  )
  const repaired = await onMachine(copy, ["doctor", "--repair", backups])
  assert.match(repaired.out, /^ok +repair: pet 3 is restored from/m)
  assert.match(repaired.out, /^ok +repair: audit entry 1 is restored from/m)
  for (const record of ["account 1", "API key 2", "OAuth client 1", "webhook 1"])
    assert.match(repaired.out, new RegExp(`^ok +repair: ${record} is restored from`, "m"))
  assert.deepEqual(credentialsOf(copy), before)
  assert.match(repaired.out, /^ok +hashes: all records and images match theirs$/m)
})

/** The rows of accounts, keys, OAuth clients and webhooks. */
function credentialsOf(dataDir: string): unknown[] {
  using db = new DatabaseSync(databaseOf(dataDir), { readOnly: true })
  return ["accounts", "keys", "oauth_clients", "webhooks", "webhook_events"].map((table) =>
    db
      .prepare(`SELECT * FROM ${table} ORDER BY 1, 2`)
      .all()
      .map(({ due_at: _, ...row }) => row),
  )
}

const dataOf = (dataDir: string, id: number) =>
  stored(databaseOf(dataDir), "SELECT json AS text FROM pets WHERE id = ?", id)

test("a changed entry of the audit log and a changed image are found too, and a correct store has no such finding", async () => {
  assert.match(await doctor(data), /^ok +hashes: all records and images match theirs$/m)
  const { copy, keys } = withAccidents("changed", spoil)
  {
    using db = new DatabaseSync(databaseOf(copy))
    db.exec(
      `INSERT INTO audit (id, at, action, principal, account, thing, json, hash) VALUES (1, 1, 'a', 'b', 1, 'c', '{}', 'd')`,
    )
  }
  const found = await doctor(copy)
  assert.match(found, /^problem +hashes: entries of the audit log do not match their hashes: 1$/m)
  assert.match(found, new RegExp(`^problem +hashes: images do not match their hashes: ${keys[0]}$`, "m"))
  const made = await onMachine(copy, ["backup", at("changed-backup")])
  assert.equal(made.code, 3)
  assert.match(made.out, /^damaged +entries of the audit log that do not match their hashes \(1\): 1$/m)
})

/** All files of a directory with their content, and all directories. */
const contentOf = (directory: string): unknown[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => [path, existsSync(path) && !readdirSafe(path) ? readFileSync(path, "hex") : "directory"])

function readdirSafe(path: string): boolean {
  try {
    readdirSync(path)
    return true
  } catch {
    return false
  }
}

test("a restore over existing data, damaged or not, is refused in one sentence and changes nothing", async () => {
  const cases: [string, string, string][] = [
    ["garbage", "petstore.db", "no database at all".repeat(100)],
    ["header", "petstore.db", `SQLite format 3\0${"x".repeat(5000)}`],
    ["log", "petstore.db-wal", "the log of a database that was removed"],
    ["journal", "petstore.db-journal", "the journal of a database that was removed"],
    ["key", "secret.key", "x"],
    ["image", "images/kept/a/original", "x"],
    ["owner", "images/database-id", "another"],
  ]
  for (const [name, file, content] of cases) {
    const target = at(`over-${name}`)
    mkdirSync(join(target, file, ".."), { recursive: true })
    writeFileSync(join(target, file), content)
    const found = contentOf(target)
    const refused = await onMachine(target, ["restore", archive])
    assert.match(
      refused.err,
      /^petstore: \S+ (already exists|already contains images), and a backup can be restored only [^\n.]+\n$/,
      name,
    )
    assert.equal(refused.code, 1)
    assert.deepEqual(contentOf(target), found, name)
  }
  const target = at("over-directory")
  mkdirSync(join(target, "petstore.db"), { recursive: true })
  assert.match((await onMachine(target, ["restore", archive])).err, /^petstore: \S+petstore\.db already exists/)
  assert.deepEqual(readdirSync(target), ["petstore.db"])
})
