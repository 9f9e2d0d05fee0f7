import assert from "node:assert/strict"
import { join } from "node:path"
import { test } from "node:test"
import { openSealing } from "../../src/core/crypto/sealing-key.ts"
import { signingMs } from "../../src/core/domain/oauth/signing-keys.ts"
import { openSqlite } from "../../src/core/sqlite/open.ts"
import { replaceSigningKeys, rotateSigningKeys, signingKeys } from "../../src/parts/oauth/server/signing-keys.ts"
import { manualClock } from "../harness/clock.ts"
import { temporaryDirectory } from "../harness/directory.ts"

async function open() {
  const directory = temporaryDirectory()
  const store = openSqlite(join(directory.path, "petstore.db"))
  const sealing = await openSealing(store, { secretKey: undefined, dataDir: directory.path })
  const clock = manualClock()
  const keys = { store, sealing, clock }
  return {
    keys,
    clock,
    /** The ids of the keys of an algorithm, the one that signs first. */
    kids: async (alg: string) => (await signingKeys(keys)).filter((key) => key.alg === alg).map(({ kid }) => kid),
    async [Symbol.asyncDispose]() {
      await store.close()
      directory[Symbol.dispose]()
    },
  }
}

test("a signing key of each algorithm is rotated after its time, verifies a week longer, and is then deleted (slow)", async () => {
  await using opened = await open()
  const { keys, clock, kids } = opened
  assert.equal(await rotateSigningKeys(keys), true)
  const first = [await kids("RS256"), await kids("ES256")]
  assert.deepEqual(
    first.map(({ length }) => length),
    [1, 1],
  )
  clock.advance(signingMs - 1)
  assert.equal(await rotateSigningKeys(keys), false)

  clock.advance(1)
  const both = await Promise.all([rotateSigningKeys(keys), rotateSigningKeys(keys)])
  assert.deepEqual(both.toSorted(), [false, true])
  const second = [await kids("RS256"), await kids("ES256")]
  assert.deepEqual(
    second.map(([, ...older]) => older),
    first,
  )

  clock.advance(signingMs)
  assert.equal(await rotateSigningKeys(keys), true)
  const third = [await kids("RS256"), await kids("ES256")]
  assert.deepEqual(
    third.map(([, ...older]) => older),
    second.map(([newest]) => [newest]),
  )
})

test("a database with a key of one algorithm gets one of the other, and keeps the first", async () => {
  await using opened = await open()
  const { keys, clock, kids } = opened
  assert.equal(await rotateSigningKeys(keys, ["ES256"]), true)
  const [only] = await kids("ES256")
  clock.advance(1000)
  assert.equal(await rotateSigningKeys(keys), true)
  assert.deepEqual(await kids("ES256"), [only])
  assert.equal((await kids("RS256")).length, 1)
})

test("an operator's keys sign at once, also after the clock was set back, and can void the others (slow)", async () => {
  await using opened = await open()
  const { keys, clock, kids } = opened
  await rotateSigningKeys(keys)
  clock.jump(-signingMs)
  const replaced = await replaceSigningKeys(keys, false)
  assert.deepEqual([(await kids("RS256"))[0], (await kids("ES256"))[0]], [replaced.RS256, replaced.ES256])
  assert.equal((await kids("RS256")).length, 2)
  clock.jump(2 * signingMs)
  const alone = await replaceSigningKeys(keys, true)
  assert.deepEqual([await kids("RS256"), await kids("ES256")], [[alone.RS256], [alone.ES256]])
})

test("a stored signing key is sealed: the database alone is not enough to sign", async () => {
  await using opened = await open()
  await rotateSigningKeys(opened.keys)
  const stored = await opened.keys.store.signingKeys.all()
  const secrets = (await signingKeys(opened.keys)).map(({ d }) => d ?? "")
  assert.equal(stored.length, 2)
  for (const { sealed } of stored)
    for (const secret of secrets) assert.ok(secret !== "" && !Buffer.from(sealed).toString().includes(secret))
})
