import assert from "node:assert/strict"
import { join } from "node:path"
import { test } from "node:test"
import { openSealing } from "../../src/crypto/sealing-key.ts"
import { rotateNow, signingMs } from "../../src/domain/oauth/signing-keys.ts"
import { rotateSigningKeys, signingKeys } from "../../src/site/oauth-server/signing-keys.ts"
import { openSqlite } from "../../src/storage/sqlite/open.ts"
import { manualClock } from "../harness/clock.ts"
import { temporaryDirectory } from "../harness/directory.ts"

test("a signing key is rotated after its time, verifies a week longer, and is then deleted", async () => {
  using directory = temporaryDirectory()
  const store = openSqlite(join(directory.path, "petstore.db"))
  const sealing = await openSealing(store, { secretKey: undefined, dataDir: directory.path })
  const clock = manualClock()
  const keys = { store, sealing, clock }
  const names = async () => (await signingKeys(keys)).map(({ kid }) => kid)

  assert.equal(await rotateSigningKeys(keys), true)
  const [first] = await names()
  clock.advance(signingMs - 1)
  assert.equal(await rotateSigningKeys(keys), false)
  assert.deepEqual(await names(), [first])

  clock.advance(1)
  const both = await Promise.all([rotateSigningKeys(keys), rotateSigningKeys(keys)])
  assert.deepEqual(both.toSorted(), [false, true])
  const [second, ...older] = await names()
  assert.deepEqual(older, [first])

  clock.advance(signingMs)
  assert.equal(await rotateSigningKeys(keys), true)
  assert.deepEqual((await names()).slice(1), [second])
  await store.close()
})

test("a key that an operator replaced verifies for a week at least, and is deleted with the next rotation after it", async () => {
  using directory = temporaryDirectory()
  const store = openSqlite(join(directory.path, "petstore.db"))
  const sealing = await openSealing(store, { secretKey: undefined, dataDir: directory.path })
  const clock = manualClock()
  const week = 7 * 24 * 3_600_000
  for (const [waitMs, isKept] of [
    [week, true],
    [week + 1, false],
  ] as const) {
    const deps = { store, sealing, clock, makeKey: async () => ({ kid: `key at ${clock.now()}`, jwk: "{}" }) }
    clock.advance(1)
    const replaced = await rotateNow(deps, true)
    clock.advance(waitMs)
    await rotateNow(deps, false)
    clock.advance(signingMs)
    assert.equal(await rotateSigningKeys(deps), true)
    assert.equal((await store.signingKeys.all()).map(({ kid }) => kid).includes(replaced), isKept)
  }
  await store.close()
})

test("a stored signing key is sealed: the database alone is not enough to sign", async () => {
  using directory = temporaryDirectory()
  const store = openSqlite(join(directory.path, "petstore.db"))
  const sealing = await openSealing(store, { secretKey: undefined, dataDir: directory.path })
  await rotateSigningKeys({ store, sealing, clock: manualClock() })
  const [stored] = await store.signingKeys.all()
  const [{ d } = {}] = await signingKeys({ store, sealing, clock: manualClock() })
  assert.ok(d && stored && !Buffer.from(stored.sealed).toString().includes(d))
  await store.close()
})
