import assert from "node:assert/strict"
import { hash } from "node:crypto"
import { describe, test } from "node:test"
import { forgetOld } from "../../src/workers/forget-old.ts"
import { refusedAs, startPetstore } from "../harness/petstore.ts"
import { until } from "../harness/until.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const anybody = petstore.as("")

const pair = (n: number) => ({ username: `user${n}`, password: `password${n}` })
const self = (n: number) => ({ params: { username: `user${n}` } })

test("both logins return a bearer token as a JSON string, with the plan's rate and the token's expiry", async () => {
  for (const { value, headers } of [
    await anybody.logIn({ body: pair(1) }),
    await anybody.loginUser({ query: pair(1) }),
  ]) {
    assert.match(value, /^pss_[0-9A-Za-z]{49}$/)
    assert.equal(headers.get("x-rate-limit"), "60")
    assert.equal(headers.get("x-expires-after"), new Date(petstore.clock.now() + 12 * 3600_000).toISOString())
    assert.equal(headers.get("cache-control"), "no-store")
    assert.equal((await petstore.withToken(value).getUserByName(self(1))).value.username, "user1")
  }
})

test("the rate of a plan without limit is the largest int32", async () => {
  const admin = petstore.as("special-key")
  const { value: accounts } = await admin.listAccounts({})
  const { id } = accounts.find(({ name }) => name === "user3") ?? assert.fail("user3 has no account")
  await admin.patchAccount({ params: { id }, body: { plan: "enterprise" } })
  const { headers } = await anybody.logIn({ body: pair(3) })
  assert.equal(headers.get("x-rate-limit"), "2147483647")
})

describe("with a lifetime of an hour", () => {
  const brief = usePetstore({ env: { PETSTORE_SESSION_HOURS: "1" } })

  test("a token expires after it, as its header states", async () => {
    const { value, headers } = await brief.as("").logIn({ body: pair(1) })
    assert.equal(headers.get("x-expires-after"), new Date(brief.clock.now() + 3600_000).toISOString())
    brief.clock.advance(3600_000)
    await assert.rejects(brief.withToken(value).getUserByName(self(1)), refusedAs("unauthorized"))
  })
})

test("a token is refused from the first request after logout on; other tokens of the user remain valid", async () => {
  const tokens = [(await anybody.logIn({ body: pair(2) })).value, (await anybody.logIn({ body: pair(2) })).value]
  const [first, second] = tokens.map((token) => petstore.withToken(token)) as [typeof anybody, typeof anybody]
  await Promise.all([first.getUserByName(self(2)), second.getUserByName(self(2))])
  assert.equal((await first.logOut()).value.message, "User logged out")
  await assert.rejects(first.getUserByName(self(2)), refusedAs("unauthorized"))
  await second.getUserByName(self(2))
  await second.logoutUser()
  await assert.rejects(second.getUserByName(self(2)), refusedAs("unauthorized"))
})

test("logging out is 200 with any credential", async () => {
  for (const authorization of [
    "",
    "Bearer",
    "Bearer pss_torn",
    `Bearer pss_${"x".repeat(49)}`,
    "Basic eDp5",
    "Bearer a b",
  ])
    for (const logOut of [anybody.logOut, anybody.logoutUser])
      assert.equal((await logOut({}, { headers: { authorization, api_key: "unknown" } })).status, 200)
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

test("of two credentials both must be valid, and the token determines the caller", async () => {
  const { value } = await anybody.logIn({ body: pair(4) })
  const both = (api_key: string, token: string) => ({ headers: { api_key, authorization: `Bearer ${token}` } })
  await assert.rejects(anybody.listUsers({}, both("special-key", value)), refusedAs("role-missing"))
  assert.equal((await anybody.getUserByName(self(4), both("free-key", value))).value.username, "user4")
  await assert.rejects(anybody.getUserByName(self(4), both("wrong", value)), refusedAs("unauthorized"))
  await assert.rejects(anybody.getUserByName(self(4), both("special-key", `${value}x`)), refusedAs("unauthorized"))
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

test("a wrong username or password is the same 400 whether or not the user exists", async () => {
  const responses = await Promise.all(
    [pair(6).username, "no.such.user"].map(async (username) => {
      const response = await fetch(`${petstore.url}/api/v3/user/login?username=${username}&password=wrong`)
      const { requestId, ...problem } = (await response.json()) as Record<string, unknown>
      assert.ok(requestId)
      return { status: response.status, names: [...response.headers.keys()].sort(), problem }
    }),
  )
  assert.deepEqual(responses[0], responses[1])
  assert.deepEqual(
    { status: responses[0]?.status, code: responses[0]?.problem.code },
    { status: 400, code: "invalid-credentials" },
  )
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

  test("a person logs in at once from a known address, with the usual number of mistakes", async () => {
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

  test("an unknown username is treated like a known one, and waiting attempts do not delay a reset", async () => {
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
