import assert from "node:assert/strict"
import { test } from "node:test"
import { principalOf } from "../../../../../test/harness/principal.ts"
import { Problem } from "../../../kernel/problem.ts"
import type { Caller } from "../../accounts/model.ts"
import type { Grant } from "./model.ts"
import { requirePerson, showConsent } from "./rules.ts"

test("only a signed-in person sees and ends consents", () => {
  const { caller } = principalOf(7)
  const user: Caller["user"] = { id: 1, username: "ada", role: "customer", accountId: 7 }
  const session = { kind: "session", id: 1 } as const
  assert.equal(requirePerson({ ...caller, user, credential: session }), user)
  for (const other of [caller, { ...caller, user }, { ...caller, credential: session }]) {
    const refused = requirePerson(other)
    assert.ok(refused instanceof Problem && refused.code === "session-required")
  }
})

test("a consent has the scopes that were given and not rejected", () => {
  const shown = (grant: Partial<Grant>) =>
    showConsent({ id: 1, clientId: "a", clientName: "App", grant: { iat: 5, ...grant }, expiresAt: 7000 })
  const times = { givenAt: "1970-01-01T00:00:05.000Z", expiresAt: "1970-01-01T00:00:07.000Z" }
  const consent = { id: 1, clientId: "a", clientName: "App", ...times }
  const openid = { scope: "read:pets write:pets" }
  assert.deepEqual(shown({ openid }), { ...consent, scopes: ["read:pets", "write:pets"] })
  assert.deepEqual(shown({ openid, rejected: { openid: { scope: "write:pets" } } }).scopes, ["read:pets"])
  assert.deepEqual(shown({ openid, rejected: {} }).scopes, ["read:pets", "write:pets"])
  assert.deepEqual(shown({}).scopes, [])
})
