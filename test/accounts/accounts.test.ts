import assert from "node:assert/strict"
import { test } from "node:test"
import { refusedAs } from "../harness/petstore.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const admin = petstore.as("special-key")

const pet = { params: { petId: 1 } }

async function customer(plan: "free" | "pro" | "enterprise") {
  const { value: account } = await admin.createAccount({ body: { name: "Paws & Claws", plan } })
  const { value: key } = await admin.createKey({
    body: { name: "first", scopes: ["read:pets"], accountId: account.id },
  })
  return { account, client: petstore.as(key.secret) }
}

test("any credential can read its account, scopes and use, without counting a request", async () => {
  const { account, client } = await customer("free")
  await client.getPetById(pet)
  await client.getPetById(pet)
  for (let n = 0; n < 3; n++) {
    const { value, headers } = await client.getOwnAccount()
    assert.deepEqual(value, {
      ...account,
      scopes: ["read:pets"],
      limits: [
        { policy: "minute", quota: 60, windowSeconds: 60, used: 2, remaining: 58, resetSeconds: 60 },
        { policy: "day", quota: 1000, windowSeconds: 86_400, used: 2, remaining: 998, resetSeconds: 86_460 },
      ],
      store: await petstore.store.origin.storeId(),
    })
    assert.equal(headers.get("ratelimit"), null)
  }
  const { value: unlimited } = await admin.getOwnAccount()
  assert.deepEqual({ plan: unlimited.plan, limits: unlimited.limits }, { plan: "enterprise", limits: [] })
})

test("an account can be read when its plan is used up", async () => {
  const { client } = await customer("free")
  for (let n = 0; n < 60; n++) await client.getPetById(pet)
  await assert.rejects(client.getPetById(pet), refusedAs("quota-exceeded"))
  assert.equal((await client.getOwnAccount()).value.limits[0]?.remaining, 0)
})

test("a new plan counts from the next request on", async () => {
  const { account, client } = await customer("free")
  for (let n = 0; n < 60; n++) await client.getPetById(pet)
  await assert.rejects(client.getPetById(pet), refusedAs("quota-exceeded"))
  const { value } = await admin.patchAccount({ params: { id: account.id }, body: { plan: "pro" } })
  assert.deepEqual({ id: value.id, plan: value.plan }, { id: account.id, plan: "pro" })
  assert.deepEqual(
    value.limits.map(({ quota, used }) => [quota, used]),
    [
      [600, 60],
      [50_000, 60],
    ],
  )
  const { headers } = await client.getPetById(pet)
  assert.match(headers.get("ratelimit") ?? "", /^"minute";r=539;/)
  await admin.patchAccount({ params: { id: account.id }, body: { plan: "enterprise" } })
  assert.equal((await client.getPetById(pet)).headers.get("ratelimit"), null)
})

test("accounts are read, listed newest first, and renamed by administrators only", async () => {
  const { account, client } = await customer("pro")
  const { limits } = (await client.getOwnAccount()).value
  assert.deepEqual((await admin.getAccount({ params: { id: account.id } })).value, { ...account, limits })
  assert.deepEqual((await admin.listAccounts({ query: { limit: 1 } })).value, [account])
  const renamed = await admin.patchAccount({ params: { id: account.id }, body: { name: "Claws & Paws" } })
  assert.deepEqual(renamed.value, { ...account, name: "Claws & Paws", limits })
  await assert.rejects(client.listAccounts(), refusedAs("forbidden"))
  await assert.rejects(admin.getAccount({ params: { id: 999_999 } }), refusedAs("account-not-found"))
  await assert.rejects(
    admin.patchAccount({ params: { id: 999_999 }, body: { plan: "pro" } }),
    refusedAs("account-not-found"),
  )
})

test("pages of accounts contain each once", async () => {
  for (let n = 0; n < 3; n++) await customer("free")
  const all = (await admin.listAccounts()).value.map(({ id }) => id)
  const seen: number[] = []
  let cursor: string | undefined
  do {
    const page = await admin.listAccounts({ query: { limit: 2, ...(cursor !== undefined && { cursor }) } })
    seen.push(...page.value.map(({ id }) => id))
    cursor = /cursor=([^&>]+)/.exec(page.headers.get("link") ?? "")?.[1]
  } while (cursor !== undefined)
  assert.deepEqual(seen, all)
})
