import assert from "node:assert/strict"
import { test } from "node:test"
import { manualClock } from "../../../test/harness/clock.ts"
import { principalOf } from "../../../test/harness/principal.ts"
import { runVerb } from "../../../test/harness/verb.ts"
import { Problem } from "../../kernel/problem.ts"
import { memoryAttempts } from "../../storage/memory/attempts.ts"
import type { Caller } from "../accounts/model.ts"
import type { Verb } from "../context.ts"
import type { Role } from "../scopes.ts"
import type { UserReplacement } from "./contract.ts"
import type { StoredUser } from "./model.ts"
import { updateUser } from "./replace.ts"

const { caller: key } = principalOf(1)
const operator: Caller = { ...key, scopes: new Set(["admin"]) }
const personOf = (id: number, role: Role = "customer"): Caller => ({
  ...key,
  ownerId: id + 10,
  user: { id, username: id === 3 ? "ada" : "bea", role, accountId: id + 10 },
  credential: { kind: "session", id: 5 },
})
const ada: StoredUser = {
  user: { id: 3, username: "ada", email: "a@b", userStatus: 0, role: "customer" },
  accountId: 13,
  passwordHash: "hash of old password",
}

/** What an update wrote, or the code of its refusal. */
async function update(caller: Caller, body: UserReplacement, knownPeople = new Map<string, Role>()) {
  const clock = manualClock()
  const written: unknown[] = []
  const users = {
    byName: async (name: string) => {
      if (name === "ada") return ada
      return name === "cleo" ? { ...ada, user: { ...ada.user, id: 8, username: "cleo" } } : undefined
    },
    byId: async () => ada,
    lock: async () => ada,
    put: async ({ user, passwordHash }: StoredUser) => void written.push([user.username, user.email, passwordHash]),
  }
  const accounts = { read: async () => ({ id: 13, name: "ada" }), change: async () => void written.push("renamed") }
  const tx = {
    users,
    accounts,
    sessions: { endAll: async () => void written.push("signed out") },
    oauthRecords: { removeUser: async () => {} },
    audit: {
      append: async (entries: { action: string }[]) => void written.push(...entries.map(({ action }) => action)),
    },
  }
  const store = { users, transaction: (work: (inside: object) => Promise<unknown>) => work(tx) }
  const parts = {
    caller,
    store,
    clock,
    knownPeople,
    attempts: memoryAttempts(clock),
    policy: { passwordLengthMin: 8 },
    endpoint: { audited: ["user.changed", "password.changed"] as const },
    passwords: {
      hash: async (password: string) => `hash of ${password}`,
      matches: async (password: string, hash: string) => hash === `hash of ${password}`,
    },
  }
  const changed = new Set<number>()
  const watched: Verb<"updateUser"> = (ctx, input) =>
    updateUser({ ...ctx, credentialsChanged: (accountId) => void changed.add(accountId) }, input)
  const outcome = await runVerb(watched, parts as never, { params: { username: "ada" }, body })
  if (outcome instanceof Problem) return outcome.code
  assert.deepEqual([...changed], [13], "caches drop the person")
  return written
}

const kept = "hash of old password"
const same = { email: "a@b" }

test("people change their profile, and need their password for what gives control of it", async () => {
  const own = personOf(3)
  assert.deepEqual(await update(own, same), [["ada", "a@b", kept], "user.changed"])
  assert.deepEqual(await update(own, { ...same, id: 0 }), [["ada", "a@b", kept], "user.changed"])
  assert.equal(await update(own, { ...same, id: 4 }), "invalid-body")
  assert.deepEqual(await update(own, { ...same, id: 3 }), [["ada", "a@b", kept], "user.changed"])
  assert.equal(await update(own, { email: "c@d" }), "current-password-required")
  assert.equal(await update(own, { email: "c@d", currentPassword: "wrong" }), "current-password-required")
  const proof = { currentPassword: "old password" }
  assert.deepEqual(await update(own, { email: "c@d", ...proof }), [["ada", "c@d", kept], "user.changed"])
  assert.deepEqual(await update(own, { ...same, password: "old password" }), [["ada", "a@b", kept], "user.changed"])
  assert.equal(await update(own, { ...same, password: "new password" }), "current-password-required")
  assert.equal(await update(own, { ...same, ...proof, password: "short" }), "invalid-body")
  assert.deepEqual(await update(own, { ...same, ...proof, password: "new password" }), [
    ["ada", "a@b", "hash of new password"],
    "signed out",
    "user.changed",
    "password.changed",
  ])
})

test("another name must be free and no reserved one, and renames the account", async () => {
  const rename = (username: string) => update(operator, { ...same, username })
  assert.equal(await rename("cleo"), "user-exists")
  assert.equal(await rename("login"), "invalid-body")
  assert.deepEqual(await rename("dora"), [["dora", "a@b", kept], "renamed", "user.changed"])
})

test("staff change others but never their password, which they may send back unchanged", async () => {
  const staff = personOf(4, "staff")
  assert.equal(await update(staff, { ...same, password: "another password" }), "session-required")
  const unchanged = [["ada", "a@b", kept], "user.changed"]
  assert.deepEqual(await update(staff, { ...same, password: "old password" }), unchanged)
  assert.equal(await update(staff, { email: "c@d" }), "current-password-required")
  assert.equal(await update(personOf(4), same), "user-not-found")
})

test("a documented user of the sandbox keeps name and password", async () => {
  const known = new Map<string, Role>([["ada", "customer"]])
  assert.deepEqual(await update(personOf(3), same, known), [["ada", "a@b", kept], "user.changed"])
  assert.equal(await update(operator, { ...same, username: "dora" }, known), "well-known-user")
  const password = { ...same, password: "new password", currentPassword: "old password" }
  assert.equal(await update(personOf(3), password, known), "well-known-user")
})
