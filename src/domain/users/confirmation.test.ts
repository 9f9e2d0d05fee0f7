import assert from "node:assert/strict"
import { test } from "node:test"
import { manualClock } from "../../../test/harness/clock.ts"
import { principalOf } from "../../../test/harness/principal.ts"
import { Problem } from "../../kernel/problem.ts"
import { memoryAttempts } from "../../storage/memory/attempts.ts"
import type { Caller } from "../accounts/model.ts"
import type { Repositories, Store } from "../ports/store.ts"
import { confirmPerson, isPasswordOf, recheckProof } from "./confirmation.ts"
import type { StoredUser } from "./model.ts"

const ada: StoredUser = {
  user: { id: 3, username: "ada", userStatus: 0, role: "customer" },
  accountId: 7,
  passwordHash: "hash of right",
}
const { caller: key } = principalOf(7)
const operator: Caller = { ...key, scopes: new Set(["admin"]) }
const session: Caller = {
  ...key,
  user: { id: 3, username: "ada", role: "customer", accountId: 7 },
  credential: { kind: "session", id: 5 },
}

/** The parts of the context of an operation of this caller, for a store with one user. */
function toolsFor(caller: Caller, clock = manualClock(), attempts = memoryAttempts(clock)) {
  const store = {
    users: { byName: async () => ada },
    transaction: (work: (tx: object) => Promise<unknown>) => work({ audit: { append: async () => {} } }),
  }
  const passwords = {
    hash: () => assert.fail("nothing is hashed"),
    matches: async (password: string, hash: string | undefined) => hash === `hash of ${password}`,
  }
  return { caller, store: store as unknown as Store, passwords, attempts, clock, address: "192.0.2.1", requestId: "r" }
}
const codeOf = (outcome: unknown) => (outcome instanceof Problem ? outcome.code : outcome)

test("the operator's key confirms itself, and nothing but a session with its password does otherwise", async () => {
  const confirm = async (caller: Caller, password?: string) => codeOf(await confirmPerson(toolsFor(caller), password))
  assert.equal(await confirm(operator), undefined)
  assert.equal(await confirm(key, "right"), "session-required")
  assert.equal(await confirm({ ...session, credential: { kind: "oauthClient", id: 1 } }, "right"), "session-required")
  assert.equal(await confirm({ ...operator, credential: { kind: "oauthClient", id: 1 } }), "session-required")
  assert.equal(await confirm({ ...key, credential: session.credential }, "right"), "session-required")
  assert.equal(await confirm(session), "current-password-required")
  assert.equal(await confirm(session, "wrong"), "current-password-required")
  assert.deepEqual(await confirm(session, "right"), { userId: 3, passwordHash: "hash of right" })
})

test("a session confirms twenty times in a quarter of an hour", async () => {
  const tools = toolsFor(session)
  const confirm = async () => {
    const outcome = await confirmPerson(tools, "right")
    return outcome instanceof Problem ? [outcome.code, outcome.retryAfter] : "confirmed"
  }
  for (let n = 0; n < 20; n++) assert.equal(await confirm(), "confirmed")
  assert.deepEqual(await confirm(), ["too-many-attempts", 900])
  const other = { ...session, credential: { kind: "session" as const, id: 6 } }
  assert.ok(!((await confirmPerson({ ...tools, caller: other }, "right")) instanceof Problem))
  tools.clock.advance(899_001)
  assert.deepEqual(await confirm(), ["too-many-attempts", 1])
  tools.clock.advance(999)
  assert.equal(await confirm(), "confirmed")
})

test("wrong passwords count like those of a login", async () => {
  const tools = toolsFor(session)
  for (let n = 0; n < 10; n++) assert.equal(codeOf(await confirmPerson(tools, "wrong")), "current-password-required")
  assert.equal(codeOf(await confirmPerson(tools, "right")), "too-many-attempts")
  assert.equal(codeOf(await isPasswordOf(tools, { username: "ada" }, "right")), "too-many-attempts")
})

test("a confirmation does not wait for those who guess at the person's password", async () => {
  const clock = manualClock()
  const attempts = { ...memoryAttempts(clock), enqueue: () => assert.fail("it waits") }
  const proof = { userId: 3, passwordHash: "hash of right" }
  assert.deepEqual(await confirmPerson(toolsFor(session, clock, attempts), "right"), proof)
})

test("a password is that of the person or is not", async () => {
  const isPassword = async (password: string) =>
    codeOf(await isPasswordOf(toolsFor(key), { username: "ada" }, password))
  assert.deepEqual([await isPassword("right"), await isPassword("wrong")], [true, false])
})

test("a proof holds while the password is the same", async () => {
  const found = { users: { byId: async (id: number) => (id === 3 ? ada : undefined) } } as unknown as Repositories
  const recheck = async (caller: Caller, proof?: { userId: number; passwordHash: string }) =>
    codeOf(await recheckProof(caller, proof, found))
  assert.equal(await recheck(session, { userId: 3, passwordHash: "hash of right" }), true)
  assert.equal(await recheck(session, { userId: 3, passwordHash: "hash of old" }), "current-password-required")
  assert.equal(await recheck(session, { userId: 4, passwordHash: "hash of right" }), "current-password-required")
  assert.equal(await recheck(session), "current-password-required")
  assert.equal(await recheck(operator), true)
})
