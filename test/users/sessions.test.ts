import assert from "node:assert/strict"
import { hash } from "node:crypto"
import { describe, test } from "node:test"
import { api } from "../../src/core/domain/api.ts"
import type { Endpoint } from "../../src/core/kernel/endpoint/endpoint.ts"
import { forgetOld } from "../../src/core/workers/forget-old.ts"
import { refusedAs, startPetstore } from "../harness/petstore.ts"
import { until } from "../harness/until.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const anybody = petstore.as("")

const pair = (n: number) => ({ username: `user${n}`, password: `password${n}` })
const self = (n: number) => ({ params: { username: `user${n}` } })

test("each response of a deprecated operation says since when it is deprecated, refused and below /v2 too", async () => {
  const deprecated = Object.values<Endpoint>(api).filter((endpoint) => endpoint.deprecated !== undefined)
  assert.ok(deprecated.length > 0)
  for (const { method, path, deprecated: since } of deprecated)
    for (const base of ["/api/v3", "/v2"])
      for (const query of ["", "?username=user1&password=password1", "?username=user1&password=wrong"]) {
        const { headers } = await fetch(petstore.url + base + path + query, { method })
        assert.equal(headers.get("deprecation"), `@${Date.parse(`${since}`) / 1000}`, base + path + query)
      }
  const { headers } = await anybody.logIn({ body: pair(1) })
  assert.equal(headers.get("deprecation"), null)
})

test("a token expires, and its record is deleted", async () => {
  const { value } = await anybody.logIn({ body: pair(3) })
  petstore.clock.advance(12 * 3600_000 - 1)
  await petstore.withToken(value).getUserByName(self(3))
  petstore.clock.advance(1)
  await assert.rejects(petstore.withToken(value).getUserByName(self(3)), refusedAs("unauthorized"))
  petstore.clock.advance(1)
  await forgetOld(petstore)
  assert.equal(await petstore.store.sessions.byHash(hash("sha256", value)), undefined)
})

test("a user keeps the twenty newest sessions; older ones end", async () => {
  const tokens: string[] = []
  for (let n = 0; n < 21; n++) {
    tokens.push((await anybody.logIn({ body: pair(5) })).value)
    if (n === 0) await petstore.withToken(tokens[0] as string).getUserByName(self(5))
  }
  await assert.rejects(petstore.withToken(tokens[0] as string).getUserByName(self(5)), refusedAs("unauthorized"))
  for (const token of [tokens[1], tokens[20]]) await petstore.withToken(token as string).getUserByName(self(5))
})

test("guessing is blocked after ten wrong passwords, also concurrent ones, until Retry-After has passed", async () => {
  const wrong = () => anybody.logIn({ body: { ...pair(7), password: "guess" } })
  const outcomes = await Promise.allSettled(Array.from({ length: 25 }, wrong))
  const codes = outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason.problem.code)
  assert.equal(codes.filter((code) => code === "invalid-credentials").length, 10)
  assert.equal(codes.filter((code) => code === "too-many-attempts").length, 15)

  let retryAfter = 0
  await assert.rejects(anybody.logIn({ body: pair(7) }), (error: { headers: Headers }) => {
    retryAfter = Number(error.headers.get("retry-after"))
    return refusedAs("too-many-attempts")(error)
  })
  await anybody.logIn({ body: pair(8) })
  petstore.clock.advance(retryAfter * 1000)
  await anybody.logIn({ body: pair(7) })
})

test("jumps of the wall clock neither allow guessing nor lock users out", async () => {
  const hourMs = 3600_000
  const guess = () => anybody.logIn({ body: { ...pair(8), password: "guess" } })
  for (let n = 0; n < 10; n++) await assert.rejects(guess(), refusedAs("invalid-credentials"))
  for (const jump of [24 * hourMs, -48 * hourMs]) {
    petstore.clock.jump(jump)
    await assert.rejects(guess(), (error: { headers: Headers }) => {
      assert.ok(Number(error.headers.get("retry-after")) <= 15 * 60)
      return refusedAs("too-many-attempts")(error)
    })
  }
  petstore.clock.jump(24 * hourMs)
  petstore.clock.advance(15 * 60_000)
  await anybody.logIn({ body: pair(8) })
})

test("logins with the correct password are not limited", async () => {
  for (let n = 0; n < 15; n++) await anybody.logIn({ body: { ...pair(9), username: "USER9" } })
})

test("a password change during a login with the old password leaves no session", async () => {
  const { value } = await anybody.logIn({ body: pair(6) })
  const [changed, ...logins] = await Promise.allSettled([
    petstore.withToken(value).updateUser({
      ...self(6),
      body: { email: "email6@test.com", password: "new password", currentPassword: "password6" },
    }),
    ...Array.from({ length: 8 }, () => anybody.logIn({ body: pair(6) })),
  ])
  assert.equal(changed.status, "fulfilled")
  for (const login of logins)
    if (login.status === "fulfilled")
      await assert.rejects(petstore.withToken(login.value.value).getUserByName(self(6)), refusedAs("unauthorized"))
})

describe("while a username is guessed from many addresses", () => {
  const behindProxy = { env: { PETSTORE_TRUSTED_PROXIES: "127.0.0.1" } }
  type Petstore = Awaited<ReturnType<typeof startPetstore>>
  const from = (petstore: Petstore, address: string) => petstore.as("", { headers: { "x-forwarded-for": address } })
  const countOf = (codes: string[], code: string) => codes.filter((one) => one === code).length

  /** Guesses once from each of so many addresses; `codes` are the responses so far. */
  function guess(petstore: Petstore, username: string, times: number) {
    const codes: string[] = []
    const body = { username, password: "guess" }
    const all = Array.from({ length: times }, (_, n) =>
      from(petstore, `198.51.${100 + (n >> 7)}.${n & 127}`)
        .logIn({ body })
        .catch((error: { problem?: { code: string } }) => codes.push(error.problem?.code ?? "none")),
    )
    return { codes, all: Promise.all(all) }
  }

  test("a person logs in at once from a known address, with the usual number of mistakes (slow)", async () => {
    await using petstore = await startPetstore(behindProxy)
    const home = from(petstore, "192.0.2.1")
    await home.logIn({ body: pair(2) })
    const { codes } = guess(petstore, "user2", 120)
    await until(() => codes.length === 120 - 16, "the guesses are not answered")
    assert.deepEqual(
      { checked: countOf(codes, "invalid-credentials"), refused: countOf(codes, "too-many-attempts") },
      { checked: 50, refused: 54 },
    )

    const { value } = await home.logIn({ body: { ...pair(2), username: "USER2" } })
    const wrong = () => home.logIn({ body: { ...pair(2), password: "mistake" } })
    for (let n = 0; n < 9; n++) await assert.rejects(wrong(), refusedAs("invalid-credentials"))
    await home.logIn({ body: pair(2) })
    const elsewhere = { "x-forwarded-for": "203.0.113.1", authorization: `Bearer ${value}` }
    const currentPassword = "password2"
    await petstore.as("", { headers: elsewhere }).deleteUser({ ...self(2), body: { currentPassword } })
    assert.equal(codes.length, 120 - 16)
  })

  test("an address is known for a week after its last login (slow)", async () => {
    await using petstore = await startPetstore(behindProxy)
    const home = from(petstore, "192.0.2.1")
    const weekMs = 7 * 24 * 60 * 60 * 1000
    const guessMuch = async () => {
      const guesses = guess(petstore, "USER2", 120)
      await until(() => guesses.codes.length === 120 - 16, "the guesses are not answered")
      return guesses
    }
    await home.logIn({ body: pair(2) })
    petstore.clock.advance(weekMs - 1)
    const early = await guessMuch()
    await home.logIn({ body: pair(2) })
    assert.equal(early.codes.length, 120 - 16)
    petstore.clock.advance(weekMs)
    await early.all
    const late = await guessMuch()
    const waiting = home.logIn({ body: pair(2) })
    await until(() => late.codes.length === 120 - 15, "it does not wait instead of a guess")
    petstore.clock.advance(1_000)
    await waiting
  })

  test("an address is refused after a hundred wrong passwords for any users (slow)", async () => {
    await using petstore = await startPetstore(behindProxy)
    const guessing = from(petstore, "192.0.2.1")
    const guessAs = (username: string) =>
      assert.rejects(guessing.logIn({ body: { username, password: "wrong" } }), refusedAs("invalid-credentials"))
    for (const half of ["one", "other"]) {
      await Promise.all(Array.from({ length: 50 }, (_, n) => guessAs(`${half}-${n}`)))
      petstore.clock.advance(60_000)
    }
    await assert.rejects(guessing.logIn({ body: pair(2) }), refusedAs("too-many-attempts"))
    await from(petstore, "192.0.2.2").logIn({ body: pair(2) })
  })

  test("an unknown username is treated like a known one, and waiting attempts do not delay a reset (slow)", async () => {
    await using petstore = await startPetstore(behindProxy)
    const guesses = ["user1", "no.such.user"].map((name) => guess(petstore, name, 60))
    await until(() => guesses.every(({ codes }) => codes.length === 50), "the guesses are not answered")
    const headers = { api_key: "special-key" }
    const reset = await fetch(`${petstore.url}/api/v3/sandbox/reset`, { method: "POST", headers })
    assert.equal(reset.status, 200)
    await Promise.all(guesses.map(({ all }) => all))
    // An attempt that was not waiting yet is checked after the reset, which clears the counts.
    for (const { codes } of guesses)
      assert.equal(countOf(codes, "too-many-attempts") + countOf(codes, "invalid-credentials"), 60)
  })
})
