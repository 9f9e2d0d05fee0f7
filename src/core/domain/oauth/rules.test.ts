import assert from "node:assert/strict"
import { test } from "node:test"
import { Problem } from "../../kernel/problem.ts"
import { type Bounds, unbounded } from "../accounts/model.ts"
import type { Scope } from "../scopes.ts"
import type { OAuthClient } from "./contract.ts"
import {
  checkChangeable,
  checkClientLimit,
  checkRemovable,
  clientViolations,
  composeClient,
  effectiveScopes,
  limitsOfClient,
} from "./rules.ts"

const fields = { name: "App", type: "confidential", redirectUris: [], scopes: ["read:pets"] } as const
const client: OAuthClient = {
  ...fields,
  id: 1,
  clientId: "poc_a",
  scopes: ["read:pets", "write:pets"],
  redirectUris: [],
  createdAt: "2026-01-01T00:00:00.000Z",
}
const held = (...scopes: Scope[]) => ({ scopes: new Set(scopes) })
const detailOf = (outcome: unknown) => (outcome instanceof Problem ? outcome.detail : outcome)

test("an account has at most a hundred clients", () => {
  assert.equal(checkClientLimit(99), 99)
  assert.equal(detailOf(checkClientLimit(100)), "The account has 100 OAuth clients; delete one that is not used")
})

test("a client is confidential by default, and repeats neither scopes nor addresses", () => {
  const uri = "https://a.example/"
  assert.deepEqual(composeClient({ name: "App", scopes: ["read:pets", "read:pets"], redirectUris: [uri, uri] }), {
    ...fields,
    redirectUris: [uri],
  })
  assert.equal(
    composeClient({ name: "App", type: "public", scopes: ["read:pets"], redirectUris: [uri] }).type,
    "public",
  )
})

test("a client has scopes of its creator and URLs, at least one if it is public", () => {
  const violations = (given: object) =>
    clientViolations(
      composeClient({ ...fields, scopes: ["read:pets"], redirectUris: [], ...given }),
      new Set(["read:pets"]),
    )
  assert.deepEqual(violations({}), [])
  assert.deepEqual(violations({ scopes: ["read:pets", "admin"], redirectUris: ["https://a.example/", "a"] }), [
    { pointer: "/scopes/1", code: "scope-not-held", detail: "is admin, which your credential lacks" },
    { pointer: "/redirectUris/1", code: "wrong-form", detail: "must be a URL" },
  ])
  assert.deepEqual(violations({ type: "public" }), [
    { pointer: "/redirectUris", code: "too-short", detail: "must not be empty for a public client" },
  ])
  assert.deepEqual(violations({ type: "public", redirectUris: ["https://a.example/"] }), [])
})

test("a client inherits the limits of the credential that creates it", () => {
  assert.deepEqual(limitsOfClient(unbounded), {})
  assert.deepEqual(limitsOfClient({ userId: 1, endsAt: 0, allowedCidrs: ["10.0.0.0/8"] }), {
    expiresAt: "1970-01-01T00:00:00.000Z",
    allowedCidrs: ["10.0.0.0/8"],
  })
})

test("a client is deleted with all of its scopes", () => {
  assert.equal(checkRemovable(client, held("read:pets", "write:pets", "admin")), client)
  assert.equal(detailOf(checkRemovable(client, held("read:pets"))), "The client has scopes that your credential lacks")
})

test("a client is changed by a credential with its scopes that is bounded no closer", () => {
  const change = (own: Partial<Bounds>, bounds: Partial<Bounds>, scopes = held("read:pets", "write:pets")) => {
    const locked = { client, bounds: { ...unbounded, ...own } }
    const outcome = checkChangeable(locked, { ...scopes, bounds: { ...unbounded, ...bounds } })
    return outcome === locked || detailOf(outcome)
  }
  assert.equal(change({}, {}), true)
  assert.equal(change({}, {}, held("read:pets")), "The client has scopes that your credential lacks")
  const wider = "The client outlives your credential, or may be used from more addresses"
  const [block, part] = [["10.0.0.0/8"], ["10.1.0.0/16"]]
  for (const [own, bounds, expected] of [
    [{ userId: 1 }, {}, true],
    [{ userId: 1 }, { userId: 1 }, true],
    [{ userId: 2 }, { userId: 1 }, wider],
    [{}, { userId: 1 }, wider],
    [{ endsAt: 5 }, {}, true],
    [{ endsAt: 5 }, { endsAt: 5 }, true],
    [{ endsAt: 6 }, { endsAt: 5 }, wider],
    [{}, { endsAt: 5 }, wider],
    [{ allowedCidrs: block }, {}, true],
    [{ allowedCidrs: part }, { allowedCidrs: block }, true],
    [{ allowedCidrs: [...part, "192.0.2.0/24"] }, { allowedCidrs: block }, wider],
    [{ allowedCidrs: block }, { allowedCidrs: part }, wider],
    [{}, { allowedCidrs: block }, wider],
  ] as const)
    assert.equal(change(own, bounds), expected, JSON.stringify([own, bounds]))
})

test("a token has the scopes that all allow", () => {
  assert.deepEqual([...effectiveScopes(["a", "b", "c"], ["c", "b"], ["b", "d", "c"])].sort(), ["b", "c"])
  assert.deepEqual([...effectiveScopes(["a"])], ["a"])
})
