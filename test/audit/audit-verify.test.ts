import assert from "node:assert/strict"
import { hash } from "node:crypto"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { forgetOld } from "../../src/core/workers/forget-old.ts"
import { petstoreCommand } from "../harness/command-line.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore({}, "one for each test")
const day = 24 * 60 * 60 * 1000

const verify = (...flags: string[]) => petstoreCommand(petstore.url, ["audit", "verify", ...flags])
const addAccounts = async (count: number) => {
  for (let n = 0; n < count; n++)
    await petstore.as("special-key").createAccount({ body: { name: `a${n}`, plan: "free" } })
}

/** Modifies the database file; the service sees it with its next request. */
async function tamper(sql: string): Promise<void> {
  using db = new DatabaseSync(petstore.databaseFile)
  db.exec(sql)
  await addAccounts(1)
}

test("an unchanged log of several pages passes, and its newest entry is printed (slow)", async () => {
  await addAccounts(5)
  const { code, out } = await verify()
  assert.equal(code, 0)
  const [, newest, own] = /^\d+ entries are unchanged\. The newest is (\d+) ([0-9a-f]{64})\n$/.exec(out) ?? []
  assert.ok(newest && own, out)
  await addAccounts(1)
  assert.equal((await verify("--known", own)).code, 0)
  const unknown = await verify("--known", "f".repeat(64))
  assert.equal(unknown.code, 1)
  assert.match(unknown.err, /was rewritten/)
  for (const nothing of ["", "null", `${own}\n`]) {
    const { code, out, err } = await verify("--known", nothing)
    assert.deepEqual({ code, out }, { code: 2, out: "" }, err)
    assert.match(err, /--known must be a hash .+ Omit --known on the first run/)
  }
  assert.partialDeepStrictEqual(JSON.parse((await verify("--json")).out), { ok: true, newest: Number(newest) + 1 })
})

test("a changed entry is reported", async () => {
  await addAccounts(5)
  await tamper(`UPDATE audit SET json = replace(json, '"free"', '"pro"') WHERE id = 3`)
  const { code, err } = await verify()
  assert.equal(code, 1, err)
  assert.match(err, /^Entry 3 of \S+ was changed/)
})

test("an entry that was changed together with its hash is reported", async () => {
  await addAccounts(5)
  using db = new DatabaseSync(petstore.databaseFile)
  db.function("sha256", (text) => hash("sha256", String(text)))
  db.exec(`UPDATE audit SET json = replace(json, '"free"', '"pro"') WHERE id = 3`)
  db.exec("UPDATE audit SET hash = sha256(json) WHERE id = 3")
  await addAccounts(1)
  const { code, err } = await verify()
  assert.equal(code, 1, err)
  assert.match(err, /^Entry 3 of \S+ was replaced: entry 4/)
})

test("removed entries are counted, in the middle, at the end and at the start", async () => {
  await addAccounts(9)
  await tamper("DELETE FROM audit WHERE id IN (5, 6)")
  assert.match((await verify()).err, /^2 entries between 4 of \S+ and 7 of \S+ were removed/)
  await tamper("DELETE FROM audit WHERE id >= 9")
  assert.match((await verify()).err, /^2 entries between 8 of \S+ and 11 of \S+ were removed/)
  await tamper("DELETE FROM audit WHERE id < 11")
  assert.match((await verify()).err, /^Entries before 11 were removed, and not by retention/)
})

test("entries removed by retention are not a gap: the log records where it starts", async () => {
  await addAccounts(5)
  petstore.clock.advance(200 * day)
  await addAccounts(3)
  petstore.clock.advance(166 * day - 1)
  await forgetOld(petstore)
  const entries = async () => (await petstore.as("special-key").listAudit()).value
  assert.equal((await entries()).length, 8)
  petstore.clock.advance(1)
  await forgetOld(petstore)
  assert.deepEqual(
    (await entries()).map(({ id, action }) => `${id} ${action}`),
    ["9 audit.pruned", "8 account.created", "7 account.created", "6 account.created"],
  )
  assert.equal((await verify()).code, 0)
  await forgetOld(petstore)
  assert.equal((await entries()).length, 4)
  petstore.clock.advance(400 * day)
  await forgetOld(petstore)
  assert.equal((await verify()).code, 0)
  await tamper("DELETE FROM audit WHERE id = (SELECT min(id) FROM audit)")
  assert.equal((await verify()).code, 1)
})
