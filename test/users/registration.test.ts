import assert from "node:assert/strict"
import { test } from "node:test"
import { refusedAs, startPetstore } from "../harness/petstore.ts"

const password = "correct horse"
const behindProxy = { PETSTORE_TRUSTED_PROXIES: "127.0.0.1" }

type Petstore = Awaited<ReturnType<typeof startPetstore>>

/** Registers a user from this address. */
const register = (petstore: Petstore, username: string, address: string) =>
  petstore.as("", { headers: { "x-forwarded-for": address } }).createUser({ body: { username, password } })

test("an address can register the configured number of people per hour, then has to wait as long as Retry-After says", async () => {
  await using petstore = await startPetstore({ env: { ...behindProxy, PETSTORE_REGISTRATIONS_PER_HOUR: "2" } })
  await register(petstore, "one.1", "192.0.2.1")
  petstore.clock.advance(600_001)
  for (const n of [1, 2, 3])
    await assert.rejects(register(petstore, "one.1", "192.0.2.1"), refusedAs("user-exists"), `try ${n}`)
  await register(petstore, "one.2", "192.0.2.1")

  const refused = await fetch(`${petstore.url}/api/v3/user`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": "192.0.2.1" },
    body: JSON.stringify({ username: "one.3", password }),
  })
  const { code } = (await refused.json()) as { code: string }
  assert.deepEqual(
    { status: refused.status, code, "retry-after": refused.headers.get("retry-after") },
    { status: 429, code: "too-many-registrations", "retry-after": "3000" },
  )
  await register(petstore, "other.1", "192.0.2.2")
  petstore.clock.advance(3_000_000 - 2)
  await assert.rejects(register(petstore, "one.3", "192.0.2.1"), refusedAs("too-many-registrations"))
  petstore.clock.advance(1)
  await register(petstore, "one.3", "192.0.2.1")
})

test("the addresses of an IPv6 /64 share a limit, also under concurrent requests", async () => {
  await using petstore = await startPetstore({ env: { ...behindProxy, PETSTORE_REGISTRATIONS_PER_HOUR: "3" } })
  const tries = Array.from({ length: 12 }, (_, n) => register(petstore, `six.${n}`, `2001:db8::${n + 1}`))
  const outcomes = await Promise.allSettled(tries)
  assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 3)
  await register(petstore, "six.99", "2001:db8:0:1::1")
})

test("a /48 can register eight times as many people as a /64", async () => {
  await using petstore = await startPetstore({ env: { ...behindProxy, PETSTORE_REGISTRATIONS_PER_HOUR: "2" } })
  const tries = Array.from({ length: 40 }, (_, n) => register(petstore, `site.${n}`, `2001:db8:7:${n}::1`))
  const outcomes = await Promise.allSettled(tries)
  assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 16)
  await register(petstore, "site.99", "2001:db8:8::1")
})

test("exempt addresses register without limit", async () => {
  const env = { PETSTORE_REGISTRATIONS_PER_HOUR: "1", PETSTORE_UNLIMITED_ADDRESSES: "192.0.2.0/24" }
  await using petstore = await startPetstore({ env: { ...behindProxy, ...env } })
  for (const n of [1, 2, 3]) await register(petstore, `named.${n}`, "192.0.2.1")
  await register(petstore, "named.4", "198.51.100.1")
  await assert.rejects(register(petstore, "named.5", "198.51.100.1"), refusedAs("too-many-registrations"))
})

test("where registration is closed, only staff register people", async () => {
  await using petstore = await startPetstore({ env: { PETSTORE_REGISTRATION: "closed" } })
  const body = { username: "visitor", password }
  for (const key of ["", "special-key"])
    await assert.rejects(petstore.as(key).createUser({ body }), refusedAs("registration-closed"))
  await petstore.as("special-key").createUsersWithListInput({ body: [body] })
  await petstore.as("").logIn({ body })
})
