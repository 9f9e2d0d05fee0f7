import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { temporaryDirectory } from "../../test/harness/directory.ts"
import { sealedFor } from "../domain/ports/sealing.ts"
import { CannotStart } from "../kernel/cannot-start.ts"
import { aesSealing } from "./aes-gcm.ts"
import type { Secrets } from "./rotation.ts"
import { findKey, requireSealingKey } from "./sealing-key.ts"

const [one, two, three] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte)) as [Uint8Array, Uint8Array, Uint8Array]

/** Secrets of a database: none, or a signing key and a webhook's secret under a key. */
const sealedUnder = (key: Uint8Array | undefined) =>
  ({
    signingKeys: {
      all: async () => (key ? [{ sealed: aesSealing(key).seal("private", sealedFor.signingKeys) }] : []),
    },
    webhooks: { anySecret: async () => key && aesSealing(key).seal("secret", sealedFor.webhookSecrets) },
  }) as unknown as Secrets

const cannotStart = (text: RegExp) => (error: Error) => {
  assert.ok(error instanceof CannotStart)
  assert.match(error.message, text)
  return true
}

test("the key of a stopped service is the one of the settings, or the previous one", async () => {
  const dataDir = "/nowhere"
  const wrong = cannotStart(/^The key in PETSTORE_SECRET_KEY does not open/)
  const find = (under: Uint8Array | undefined, previousSecretKey?: Uint8Array) =>
    findKey(sealedUnder(under), { secretKey: one, previousSecretKey, dataDir })
  assert.deepEqual([await find(one), await find(one, two), await find(undefined, two)], Array(3).fill("current"))
  assert.equal(await find(two, two), "other")
  await assert.rejects(find(two), wrong)
  await assert.rejects(find(two, three), wrong)
})

test("without a setting it is the key in the file, or the one of a rotation that did not end", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "secret.key")
  const keep = (path: string, key: Uint8Array) => writeFileSync(path, `${Buffer.from(key).toString("base64")}\n`)
  const settings = { secretKey: undefined, previousSecretKey: two, dataDir: directory.path }
  const missing = cannotStart(/their key is missing: restore .*secret\.key/)
  assert.equal(await findKey(sealedUnder(undefined), settings), "current")
  await assert.rejects(findKey(sealedUnder(two), settings), missing)
  await assert.rejects(requireSealingKey(sealedUnder(one), settings), missing)
  const { signingKeys, webhooks } = sealedUnder(one)
  for (const onlyOne of [
    { ...sealedUnder(undefined), signingKeys },
    { ...sealedUnder(undefined), webhooks },
  ])
    await assert.rejects(requireSealingKey(onlyOne, settings), missing)
  keep(file, one)
  assert.equal(await findKey(sealedUnder(one), settings), "current")
  await requireSealingKey(sealedUnder(one), settings)
  const wrong = cannotStart(/^The key in .*secret\.key does not open/)
  await assert.rejects(findKey(sealedUnder(two), settings), wrong)
  await assert.rejects(requireSealingKey(sealedUnder(two), settings), wrong)
  keep(`${file}.next`, three)
  assert.deepEqual(
    [await findKey(sealedUnder(one), settings), await findKey(sealedUnder(three), settings)],
    ["current", "other"],
  )
})

test("a failure of the database is no reason to try another key", async () => {
  let calls = 0
  const all = async () => {
    calls++
    throw new Error("away")
  }
  const secrets = { ...sealedUnder(one), signingKeys: { all } } as unknown as Secrets
  await assert.rejects(
    findKey(secrets, { secretKey: one, previousSecretKey: two, dataDir: "/nowhere" }),
    /^Error: away$/,
  )
  assert.equal(calls, 1)
})
