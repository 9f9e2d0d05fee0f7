import assert from "node:assert/strict"
import { copyFileSync, existsSync, readFileSync, renameSync, statSync } from "node:fs"
import { join } from "node:path"
import { beforeEach, test } from "node:test"
import { aesSealing } from "../../src/core/crypto/aes-gcm.ts"
import { openSealing } from "../../src/core/crypto/sealing-key.ts"
import { sealedFor } from "../../src/core/domain/ports/sealing.ts"
import type { Store } from "../../src/core/domain/ports/store.ts"
import { newWebhook } from "../../src/core/domain/webhooks/rules.ts"
import { openSqlite } from "../../src/core/sqlite/open.ts"
import { addAccount } from "../conformance/store/samples.ts"
import { manualClock } from "../harness/clock.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { use } from "../harness/use.ts"

const clock = manualClock()
const keys = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte)) as [Uint8Array, Uint8Array, Uint8Array]

/** A store with a signing key and 600 webhook secrets sealed under the key in its directory. */
const world = use(async () => {
  const directory = temporaryDirectory()
  const store = openSqlite(join(directory.path, "petstore.db"))
  return {
    store,
    dataDir: directory.path,
    file: join(directory.path, "secret.key"),
    async [Symbol.asyncDispose]() {
      await store.close()
      directory[Symbol.dispose]()
    },
  }
}, "one for each test")

const open = () => openSealing(world.store, { secretKey: undefined, dataDir: world.dataDir }, clock)

beforeEach(async () => {
  const sealing = await open()
  const accountId = await addAccount(world.store)
  await world.store.transaction(async (tx) => {
    const sealed = sealing.seal("private", sealedFor.signingKeys)
    await tx.signingKeys.add({ kid: "k", sealed, createdAt: 1 })
    for (let n = 0; n < 600; n++) {
      const webhook = newWebhook({ url: "https://a.example/" }, accountId, 1)
      await tx.webhooks.add(webhook, sealing.seal(`secret ${n}`, sealedFor.webhookSecrets))
    }
  })
})

/** Every sealed secret, as stored. */
async function stored({ webhooks, signingKeys }: Store) {
  const secrets = await webhooks.secretsAfter(0, 5000)
  return [
    ...(await signingKeys.all()).map(({ sealed }) => ({ sealed, purpose: sealedFor.signingKeys })),
    ...secrets.map(({ sealed }) => ({ sealed, purpose: sealedFor.webhookSecrets })),
  ]
}

const keyIn = (file: string) => Buffer.from(readFileSync(file, "utf8"), "base64")

/** Asserts that a start with the files as they are opens everything, with one key. */
async function assertOpens(): Promise<void> {
  const sealing = await open()
  assert.ok(!existsSync(`${world.file}.next`))
  const alone = aesSealing(keyIn(world.file))
  for (const { sealed, purpose } of await stored(world.store)) {
    assert.match(sealing.open(sealed, purpose), /private|secret \d+/)
    alone.open(sealed, purpose)
  }
}

test("after a rotation everything is sealed under a new key, and the audit log records it (slow)", async () => {
  const sealing = await open()
  const [before, key] = [await stored(world.store), keyIn(world.file)]
  assert.equal(await sealing.rotate(clock), 601)
  assert.notDeepEqual(keyIn(world.file), key)
  assert.equal(statSync(world.file).mode & 0o777, 0o600)
  for (const { sealed, purpose } of await stored(world.store))
    assert.throws(() => aesSealing(key).open(sealed, purpose))
  // Secrets read before the rotation still open.
  for (const { sealed, purpose } of before) sealing.open(sealed, purpose)
  await assertOpens()
  const { items } = await world.store.audit.list(
    { by: ["action", "sealing-key.rotated"], since: undefined, until: undefined },
    { limit: 10, before: undefined },
  )
  assert.partialDeepStrictEqual(JSON.parse(items[0] as string), { principal: "operator", details: { secrets: 601 } })
})

test("a process killed after writing the new key, before resealing: the next start keeps the old key", async () => {
  copyFileSync(world.file, `${world.dataDir}/kept`)
  await (await open()).rotate(clock)
  // The state before the commit: both keys exist, and everything is under the old one.
  renameSync(world.file, `${world.dataDir}/other`)
  const elsewhere = aesSealing(keyIn(`${world.dataDir}/other`))
  const old = aesSealing(keyIn(`${world.dataDir}/kept`))
  await world.store.transaction(async (tx) => {
    for (const { kid, sealed } of await tx.signingKeys.all())
      await tx.signingKeys.reseal(kid, old.seal(elsewhere.open(sealed, sealedFor.signingKeys), sealedFor.signingKeys))
    for (const { id, sealed } of await tx.webhooks.secretsAfter(0, 5000))
      await tx.webhooks.reseal(id, old.seal(elsewhere.open(sealed, sealedFor.webhookSecrets), sealedFor.webhookSecrets))
  })
  renameSync(`${world.dataDir}/kept`, world.file)
  renameSync(`${world.dataDir}/other`, `${world.file}.next`)
  await assertOpens()
})

test("a process killed after resealing, before replacing the old key: the next start uses the new key", async () => {
  copyFileSync(world.file, `${world.dataDir}/old`)
  await (await open()).rotate(clock)
  renameSync(world.file, `${world.file}.next`)
  renameSync(`${world.dataDir}/old`, world.file)
  await assertOpens()
})

/** A store whose transactions fail at their end, as long as `commits` do. */
const withoutCommits = (store: Store, commits: { fail: boolean }): Store => ({
  ...store,
  transaction: (work) =>
    store.transaction(async (tx) => {
      const result = await work(tx)
      if (commits.fail) throw new Error("no commit")
      return result
    }),
})

test("a rotation whose transaction fails changes nothing, including secrets sealed later (slow)", async () => {
  const { store, dataDir } = world
  const commits = { fail: true }
  const sealing = await openSealing(withoutCommits(store, commits), { secretKey: undefined, dataDir }, clock)
  await assert.rejects(sealing.rotate(clock), /no commit/)
  const sealed = sealing.seal("private", sealedFor.signingKeys)
  await store.transaction((tx) => tx.signingKeys.add({ kid: "later", sealed, createdAt: 2 }))
  await assertOpens()
  commits.fail = false
  await Promise.all([sealing.rotate(clock), sealing.rotate(clock)])
  await assertOpens()
})

test("after a failed rotation the same process can rotate again (slow)", async () => {
  const { store, dataDir } = world
  const commits = { fail: true }
  const sealing = await openSealing(withoutCommits(store, commits), { secretKey: undefined, dataDir }, clock)
  await assert.rejects(sealing.rotate(clock), /no commit/)
  commits.fail = false
  const key = keyIn(world.file)
  assert.equal(await sealing.rotate(clock), 601)
  assert.notDeepEqual(keyIn(world.file), key)
  await assertOpens()
})

test("a secret sealed in a transaction that commits together with the rotation opens under the new key", async () => {
  const { store, dataDir } = world
  const added: Promise<void>[] = []
  const add = () =>
    store.transaction((tx) =>
      tx.signingKeys.add({ kid: "beside", sealed: sealing.seal("private", sealedFor.signingKeys), createdAt: 3 }),
    )
  const transaction: Store["transaction"] = (work) => {
    const rotating = store.transaction(work)
    added.push(add())
    return rotating
  }
  const sealing = await openSealing({ ...store, transaction }, { secretKey: undefined, dataDir }, clock)
  await sealing.rotate(clock)
  await Promise.all(added)
  assert.equal(added.length, 1)
  await assertOpens()
})

test("a rotation that is retried, because another transaction of its group failed, leaves no secret under a discarded key (slow)", async () => {
  const { store, dataDir } = world
  const add = (kid: string) =>
    store.transaction(async (tx) => {
      await tx.signingKeys.add({ kid, sealed: sealing.seal("private", sealedFor.signingKeys), createdAt: 4 })
      if (kid === "failing") throw new Error("failed beside")
    })
  const beside: Promise<unknown>[] = []
  const transaction: Store["transaction"] = (work) => {
    const before = add("before")
    const rotating = store.transaction(work)
    beside.push(before, add("after"), assert.rejects(add("failing"), /failed beside/))
    return rotating
  }
  const sealing = await openSealing({ ...store, transaction }, { secretKey: undefined, dataDir }, clock)
  await sealing.rotate(clock)
  await Promise.all(beside)
  assert.equal(beside.length, 3)
  const kids = (await store.signingKeys.all()).map(({ kid }) => kid)
  assert.deepEqual(
    ["before", "after", "failing"].filter((kid) => kids.includes(kid)),
    ["before", "after"],
  )
  await assertOpens()
})

test("secrets that others sealed under the new key of a failed rotation are resealed under the old one (slow)", async () => {
  const { store, dataDir } = world
  const beside: Promise<void>[] = []
  const transaction: Store["transaction"] = (work) => {
    if (beside.length > 0) return store.transaction(work)
    const rotating = store.transaction(async (tx) => {
      await work(tx)
      throw new Error("no commit")
    })
    const sealed = () => sealing.seal("private", sealedFor.signingKeys)
    beside.push(store.transaction((tx) => tx.signingKeys.add({ kid: "meanwhile", sealed: sealed(), createdAt: 5 })))
    return rotating
  }
  const sealing = await openSealing({ ...store, transaction }, { secretKey: undefined, dataDir }, clock)
  await assert.rejects(sealing.rotate(clock), /no commit/)
  await Promise.all(beside)
  await assertOpens()
})

test("a configured key is replaced only by a start that also has the previous key", async () => {
  const { store, dataDir } = world
  const [one, two, three] = keys
  const start = (secretKey: Uint8Array, previousSecretKey?: Uint8Array) =>
    openSealing(store, { secretKey, previousSecretKey, dataDir }, clock)
  await start(one, keyIn(world.file))
  await assert.rejects(start(two), /does not open/)
  await assert.rejects(start(two, three), /does not open/)
  const sealing = await start(two, one)
  for (const { sealed, purpose } of await stored(store)) sealing.open(sealed, purpose)
  await start(two, one)
  await assert.rejects(start(one), /does not open/)
  await assert.rejects(sealing.rotate(clock), /PETSTORE_SECRET_KEY_PREVIOUS/)
})
