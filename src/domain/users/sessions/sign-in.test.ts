import assert from "node:assert/strict"
import { test } from "node:test"
import { manualClock } from "../../../../test/harness/clock.ts"
import type { AttemptLimit, Pace } from "../../../kernel/flow/attempts.ts"
import { Problem } from "../../../kernel/problem.ts"
import { memoryCounts } from "../../../storage/memory/attempts.ts"
import type { NewEntry } from "../../audit/model.ts"
import type { Store } from "../../ports/store.ts"
import type { StoredUser } from "../model.ts"
import { signIn } from "./sign-in.ts"

const minuteMs = 60_000
const ada: StoredUser = {
  user: { id: 3, username: "ada", userStatus: 0, role: "customer" },
  accountId: 7,
  passwordHash: "hash of right",
}

/** Logins to a store with one user; an attempt that would wait is refused with the milliseconds. */
function logins() {
  const clock = manualClock()
  const { take, ...counts } = memoryCounts(clock)
  const written: NewEntry[] = []
  const compared: (string | undefined)[] = []
  const store = {
    users: { byName: async (name: string) => (name.toLowerCase() === "ada" ? ada : undefined) },
    transaction: (work: (tx: object) => Promise<unknown>) =>
      work({ audit: { append: async (entries: NewEntry[]) => void written.push(...entries) } }),
  }
  const tools = {
    clock,
    store: store as unknown as Store,
    attempts: {
      ...counts,
      enqueue: async (tried: AttemptLimit, _: readonly AttemptLimit[], pace: Pace) => take(tried, pace) || undefined,
      release() {},
    },
    passwords: {
      hash: () => assert.fail("nothing is hashed"),
      async matches(password: string, hash: string | undefined) {
        compared.push(hash)
        return hash === `hash of ${password}`
      },
    },
  }
  async function attempt(username: string, password: string, address = "192.0.2.1", isKnown = false) {
    const actor = { principal: "anonymous", address, requestId: "r" } as const
    const outcome = await signIn(tools, { username, password }, actor, isKnown ? { isKnown } : {})
    return outcome instanceof Problem ? (outcome.retryAfter ?? outcome.code) : outcome.user.username
  }
  const fail = async (times: number, username = "ada", addressOf = (_: number): string => "192.0.2.1") => {
    for (let n = 0; n < times; n++) assert.equal(await attempt(username, "wrong", addressOf(n)), "invalid-credentials")
  }
  return { attempt, fail, clock, written, compared }
}

test("a right pair signs in, and a wrong one takes as long for an unknown user and is in the audit log without the name", async () => {
  const { attempt, written, compared } = logins()
  assert.deepEqual([await attempt("ADA", "right"), written], ["ada", []])
  assert.equal(await attempt("ada", "wrong"), "invalid-credentials")
  assert.equal(await attempt("bea", "right"), "invalid-credentials")
  assert.deepEqual(compared, ["hash of right", "hash of right", undefined])
  const entry = { principal: "anonymous", address: "192.0.2.1", requestId: "r", action: "login.refused" }
  assert.deepEqual(written, [{ ...entry, thing: "user:3" }, entry])
})

test("after ten wrong passwords an address waits a quarter of an hour for this user, in any spelling", async () => {
  const { attempt, fail, clock } = logins()
  await fail(10)
  assert.equal(await attempt("Ada", "right"), 15 * 60)
  assert.equal(await attempt("ada", "right", "192.0.2.2"), "ada")
  assert.equal(await attempt("bea", "x"), "invalid-credentials")
  clock.advance(15 * minuteMs - 1)
  assert.equal(await attempt("ada", "right"), 1)
  clock.advance(1)
  assert.equal(await attempt("ada", "right"), "ada")
})

test("a right password does not count", async () => {
  const { attempt, fail } = logins()
  await fail(9)
  for (let n = 0; n < 120; n++) assert.equal(await attempt("ada", "right"), "ada")
  await fail(1)
  assert.equal(await attempt("ada", "right"), 900)
})

test("after a hundred wrong passwords for any users an address waits", async () => {
  const { attempt, fail } = logins()
  for (let n = 0; n < 100; n++) await fail(1, `user${n}`)
  assert.equal(await attempt("ada", "right"), 900)
  assert.equal(await attempt("ada", "right", "192.0.2.2"), "ada")
})

const elsewhere = (n: number) => `198.51.100.${n}`

test("a user at whom fifty addresses guessed waits, longer each time, but not at an address that is known for a week", async () => {
  const { attempt, fail, clock } = logins()
  assert.equal(await attempt("ada", "right"), "ada")
  await fail(50, "ada", elsewhere)
  assert.equal(await attempt("ada", "right", elsewhere(60)), 1)
  assert.equal(await attempt("ada", "right", elsewhere(61), true), "ada")
  assert.equal(await attempt("ada", "right"), "ada")
  assert.equal(await attempt("bea", "x", elsewhere(60)), "invalid-credentials")
  for (const pauseMs of [1, 2, 4, 8, 16, 16].map((seconds) => seconds * 1000)) {
    clock.advance(pauseMs - 1)
    assert.equal(await attempt("ada", "wrong", elsewhere(62)), 1)
    clock.advance(1)
    await fail(1, "ada", () => elsewhere(70 + pauseMs / 1000))
  }
  clock.advance(7 * 24 * 60 * minuteMs - 47_001)
  await fail(50, "ada", elsewhere)
  assert.equal(await attempt("ada", "right"), "ada")
  clock.advance(7 * 24 * 60 * minuteMs)
  await fail(50, "ada", elsewhere)
  assert.equal(await attempt("ada", "right"), 1)
})

test("an attempt that has to wait counts for its user and address, but not against all users of the address", async () => {
  const { attempt, fail } = logins()
  await fail(50, "ada", elsewhere)
  for (let n = 0; n < 10; n++) assert.equal(await attempt("ada", "right", elsewhere(60)), 1)
  assert.equal(await attempt("ada", "right", elsewhere(60)), 900)
  for (let n = 0; n < 100; n++) await fail(1, `user${n}`, () => elsewhere(60))
  assert.equal(await attempt("bea", "x", elsewhere(60)), 900)
})
