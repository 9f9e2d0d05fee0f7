import assert from "node:assert/strict"
import { Agent, get } from "node:http"
import { test } from "node:test"
import { keyUses } from "../../src/api/authentication/key-usage.ts"
import type { KeyDraft } from "../../src/domain/keys/contract.ts"
import { petstoreCommand } from "../harness/command-line.ts"
import { refusedAs } from "../harness/petstore.ts"
import { usePetstore } from "../harness/use.ts"

const day = 86_400_000
const petstore = usePetstore({}, "one for each test")
const admin = petstore.as("special-key")

const draft = (more: Partial<KeyDraft> = {}): { body: KeyDraft } => ({
  body: { name: "test", scopes: ["read:pets", "manage:keys"], ...more },
})
const pet = { params: { petId: 1 } }

/** A key of a new account. */
async function otherAccount(scopes: KeyDraft["scopes"] = ["read:pets", "manage:keys"]) {
  const { value: account } = await admin.createAccount({ body: { name: "other", plan: "pro" } })
  const { value: key } = await admin.createKey(draft({ scopes, accountId: account.id }))
  return { account, key, client: petstore.as(key.secret) }
}

test("a new key works at once, and its secret is shown only once", async () => {
  const { value: key, status, headers } = await admin.createKey(draft())
  assert.match(key.secret, /^psk_[0-9A-Za-z]{49}$/)
  assert.deepEqual({ status, location: headers.get("location") }, { status: 201, location: `/api/v3/keys/${key.id}` })
  await petstore.as(key.secret).getPetById(pet)
  const { secret, ...shown } = key
  const { value: read } = await admin.getKey({ params: { id: key.id } })
  assert.deepEqual(read, shown)
  const { value: listed } = await admin.listKeys()
  assert.deepEqual(listed[0], shown)
  assert.ok(!JSON.stringify([listed, petstore.lines]).includes(secret))
})

test("the database contains no usable key", async () => {
  const { value: key } = await admin.createKey(draft())
  const stored = await petstore.store.keys.read(key.id)
  assert.ok(stored && !JSON.stringify(stored).includes(key.secret))
  await assert.rejects(petstore.as(stored.hash).getPetById(pet), refusedAs("unauthorized"))
})

test("a revoked key is refused from the next request on, on an open connection and with the key cached", async () => {
  const { value: key } = await admin.createKey(draft())
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const status = () =>
    new Promise((resolve, reject) =>
      get(`${petstore.url}/api/v3/pet/1`, { agent, headers: { api_key: key.secret } }, (response) => {
        response.resume().on("end", () => resolve(response.statusCode))
      }).on("error", reject),
    )
  assert.equal(await status(), 200)
  assert.equal(await status(), 200)
  await admin.revokeKey({ params: { id: key.id } })
  assert.equal(await status(), 401)
  agent.destroy()
  for (const asked of [admin.getKey, admin.revokeKey, admin.rotateKey])
    await assert.rejects(asked({ params: { id: key.id } }), refusedAs("key-not-found"))
})

test("no request sent after the response to a revocation is admitted", async () => {
  const { value: key } = await admin.createKey(draft())
  const client = petstore.as(key.secret)
  const racing = Array.from({ length: 50 }, () => client.getPetById(pet).catch(() => undefined))
  await admin.revokeKey({ params: { id: key.id } })
  const after = Array.from({ length: 50 }, () => assert.rejects(client.getPetById(pet), refusedAs("unauthorized")))
  await Promise.all([...racing, ...after])
})

test("a credential cannot grant a scope that it lacks", async () => {
  const { client, key } = await otherAccount()
  await client.createKey(draft({ scopes: ["read:pets"] }))
  await assert.rejects(client.createKey(draft({ scopes: ["read:pets", "admin"] })), refusedAs("forbidden"))
  await assert.rejects(client.createKey(draft({ accountId: 1, scopes: ["read:pets"] })), refusedAs("forbidden"))
  const { value: wider } = await admin.createKey(draft({ scopes: ["admin"], accountId: (await own(key.secret)).id }))
  await assert.rejects(client.rotateKey({ params: { id: wider.id } }), refusedAs("forbidden"))
})

const own = async (secret: string) => (await petstore.as(secret).getOwnAccount()).value

test("the response for another account's key is byte for byte that for a missing key", async () => {
  const { client } = await otherAccount()
  const { value: foreign } = await admin.createKey(draft())
  for (const name of ["getKey", "revokeKey", "rotateKey"] as const) {
    const responseFor = async (id: number) => {
      const error = await client[name]({ params: { id } }).catch((refused) => refused)
      const { requestId, instance, ...rest } = error.problem
      return rest
    }
    assert.deepEqual(await responseFor(foreign.id), await responseFor(999_999))
    assert.equal((await responseFor(foreign.id)).status, 404)
  }
  await petstore.as(foreign.secret).getPetById(pet)
})

test("a key expires at its time and not before", async () => {
  const expiresAt = new Date(petstore.clock.now() + day).toISOString()
  const { value: key } = await admin.createKey(draft({ expiresAt }))
  petstore.clock.advance(day - 1)
  await petstore.as(key.secret).getPetById(pet)
  petstore.clock.advance(1)
  await assert.rejects(petstore.as(key.secret).getPetById(pet), refusedAs("unauthorized"))
})

test("every invalid expiry and address block is reported", async () => {
  for (const expiresAt of ["2020-01-01T00:00:00Z", "2016-12-31T23:59:60Z"])
    await assert.rejects(admin.createKey(draft({ expiresAt })), refusedAs("invalid-body"))
  await assert.rejects(admin.createKey(draft({ allowedCidrs: ["10.0.0.0/8", "10.0.0.0/99"] })), (error: unknown) => {
    const { problem } = error as { problem: { errors: unknown[] } }
    assert.deepEqual(problem.errors, [
      { pointer: "/allowedCidrs/1", code: "wrong-form", detail: "must be a valid cidr" },
    ])
    return true
  })
})

test("a key works only from its allowed addresses", async () => {
  const { value: here } = await admin.createKey(draft({ allowedCidrs: ["2001:db8::/32", "127.0.0.0/8"] }))
  await petstore.as(here.secret).getPetById(pet)
  const { value: elsewhere } = await admin.createKey(draft({ allowedCidrs: ["192.0.2.0/24"] }))
  await assert.rejects(petstore.as(elsewhere.secret).getPetById(pet), (error: unknown) => {
    const { problem } = error as { problem: { status: number; detail: string } }
    return problem.status === 401 && problem.detail.includes("127.0.0.1")
  })
})

test("a rotated key works until the overlap ends, with a deprecation notice, and its successor works after it", async () => {
  const { value: old } = await admin.createKey(draft({ allowedCidrs: ["127.0.0.1"] }))
  await petstore.as(old.secret).getPetById(pet)
  const { value: next } = await admin.rotateKey({ params: { id: old.id }, query: { overlapSeconds: 3600 } })
  assert.deepEqual(
    { name: next.name, scopes: next.scopes, allowedCidrs: next.allowedCidrs },
    { name: old.name, scopes: old.scopes, allowedCidrs: old.allowedCidrs },
  )
  const { headers } = await petstore.as(old.secret).getPetById(pet)
  const now = petstore.clock.now()
  assert.equal(headers.get("deprecation"), `@${now / 1000}`)
  assert.equal(headers.get("sunset"), new Date(now + 3_600_000).toUTCString())
  const { headers: fresh } = await petstore.as(next.secret).getPetById(pet)
  assert.deepEqual(
    { deprecation: fresh.get("deprecation"), sunset: fresh.get("sunset") },
    { deprecation: null, sunset: null },
  )
  await assert.rejects(admin.rotateKey({ params: { id: old.id } }), refusedAs("key-rotated"))
  petstore.clock.advance(3_600_000)
  await assert.rejects(petstore.as(old.secret).getPetById(pet), refusedAs("unauthorized"))
  await petstore.as(next.secret).getPetById(pet)
})

test("without an overlap the old key is refused at once; concurrent rotations create one successor", async () => {
  const { value: old } = await admin.createKey(draft())
  await petstore.as(old.secret).getPetById(pet)
  const rotate = () => admin.rotateKey({ params: { id: old.id }, query: { overlapSeconds: 0 } })
  const results = await Promise.allSettled([rotate(), rotate(), rotate()])
  assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1)
  await assert.rejects(petstore.as(old.secret).getPetById(pet), refusedAs("unauthorized"))
})

test("a successor has the lifetime of its predecessor", async () => {
  const expiresAt = new Date(petstore.clock.now() + 10 * day).toISOString()
  const { value: old } = await admin.createKey(draft({ expiresAt }))
  petstore.clock.advance(9.5 * day)
  const { value: next } = await admin.rotateKey({ params: { id: old.id } })
  assert.equal(next.expiresAt, new Date(petstore.clock.now() + 10 * day).toISOString())
  const { value: read } = await admin.getKey({ params: { id: old.id } })
  assert.equal(read.expiresAt, expiresAt)
})

test("several keys of an account share its quota", async () => {
  const { account, key, client } = await otherAccount()
  await admin.patchAccount({ params: { id: account.id }, body: { plan: "free" } })
  const secrets = [key.secret]
  for (let n = 0; n < 4; n++) secrets.push((await client.createKey(draft())).value.secret)
  const asked = secrets.flatMap((secret) =>
    Array.from({ length: 20 }, () =>
      petstore
        .as(secret)
        .getPetById(pet)
        .then(
          () => 1,
          () => 0,
        ),
    ),
  )
  // Creating the four keys counted too.
  assert.equal(
    (await Promise.all(asked)).reduce<number>((sum, one) => sum + one, 0),
    56,
  )
})

test("the last use is recorded to the minute, once for many requests", async () => {
  const { store, clock } = petstore
  const uses = keyUses(store, clock, (error) => assert.fail(String(error)))
  const { value: key } = await admin.createKey(draft())
  clock.advance(90_500)
  for (let n = 0; n < 100; n++) uses.record(key.id)
  await uses.flush()
  const { value: read } = await admin.getKey({ params: { id: key.id } })
  assert.equal(read.lastUsedAt, new Date(clock.now() - 30_500).toISOString())
})

test("a well-known key cannot be revoked or rotated, nor its account's plan changed; other keys can", async () => {
  const { value: own } = await admin.createKey({ body: { name: "own", scopes: ["read:pets"], accountId: 2 } })
  for (const [id, plan] of [
    [1, "enterprise"],
    [2, "pro"],
    [3, "free"],
  ] as const) {
    const params = { id }
    await assert.rejects(admin.revokeKey({ params }), refusedAs("well-known-key"))
    for (const overlapSeconds of [0, 60])
      await assert.rejects(admin.rotateKey({ params, query: { overlapSeconds } }), refusedAs("well-known-key"))
    for (const other of (["free", "pro", "enterprise"] as const).filter((each) => each !== plan))
      await assert.rejects(admin.patchAccount({ params, body: { plan: other } }), refusedAs("well-known-key"))
    assert.equal((await admin.patchAccount({ params, body: { plan } })).value.plan, plan)
  }
  const { code, err } = await petstoreCommand(petstore.url, ["keys", "revoke", "1"])
  assert.equal(code, 1, err)
  assert.match(err, /special-key is a well-known key of the sandbox/)
  for (const key of ["special-key", "pro-key", "free-key"]) {
    const { headers, value } = await petstore.as(key).getOwnAccount()
    assert.deepEqual(
      { deprecation: headers.get("deprecation"), plan: `${value.plan}` },
      { deprecation: null, plan: value.name.split(" ")[1] },
    )
  }
  await admin.rotateKey({ params: { id: own.id } })
  await admin.revokeKey({ params: { id: own.id } })
  await assert.rejects(petstore.as(own.secret).getOwnAccount(), refusedAs("unauthorized"))
})
