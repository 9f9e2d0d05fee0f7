import assert from "node:assert/strict"
import { test } from "node:test"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Console } from "./console.ts"
import { sessionToken } from "./forms.ts"
import { visitOf } from "./visit.ts"
import type { Person } from "./visitor.ts"

type Given = { url?: string; accountId?: number; refusal?: Problem; hasSandbox?: boolean }

/** A visit of a customer whose own account is 2, and what is done for it. */
function open({ url = "/console/pets?a=b", accountId = 2, refusal, hasSandbox = false }: Given = {}) {
  const done: unknown[] = []
  const keys = [
    { id: 1, hash: "public", account: { id: 3 } },
    { id: 2, hash: "own", account: { id: 2 } },
  ]
  const store = {
    keys: {
      read: async (id: number) => keys.find((key) => key.id === id),
      byHash: async (hash: string) => keys.find((key) => key.hash === hash),
    },
  }
  const sandbox = {
    callIn: async (_exchange: unknown, _person: unknown, name: string | undefined) => {
      done.push(["enter", name])
      return name
    },
    send: async (_exchange: unknown, _person: unknown, name: string | undefined, request: object) =>
      void done.push(["send", name, request]),
    list: () => ["mine"],
  }
  const console = {
    pages: [
      { path: "/", scope: "any" },
      { path: "/pets/:petId", scope: "read:pets" },
      { path: "/users", scope: "read:users", forStaff: true },
      { path: "/keys", scope: "manage:keys" },
    ],
    service: {},
    publicUrl: () => "https://pets.example/shop",
    sandbox: hasSandbox ? sandbox : undefined,
    receivers: hasSandbox ? { of: (id: number) => `receiver of ${id}` } : undefined,
    callAs: (visitor: Person) => `calls of ${visitor.token}`,
    receive: (visitor: Person, shape: unknown) => [visitor.token, shape],
    takeExportSlot: (personId: number) => void done.push(["slot", personId]),
    api: {
      ports: { store, knownKeys: new Set(["public", "gone"]) },
      limitAccount: async () => void done.push(["limit"]),
      takeFromPlan: async () => {
        done.push(["take"])
        return refusal
      },
    },
  } as unknown as Console
  const user = { id: 1, username: "ada", role: "customer", accountId: 2 }
  const caller = { user, account: { id: accountId, name: "Shop" }, scopes: new Set(["read:pets", "read:users"]) }
  const person = { caller, token: "t" } as unknown as Person
  return { visit: visitOf(console, exchangeOf(url), person), done }
}

test("a visit has its page, its person, and the account that the person acts for", () => {
  const { visit } = open()
  const { account, person, root, path, query, token, call } = visit
  assert.deepEqual(
    { account, username: person.username, root, path, query: `${query}`, token, call },
    {
      account: { id: 2, name: "Shop", isOwn: true },
      username: "ada",
      root: "/shop/console",
      path: "/pets",
      query: "a=b",
      token: sessionToken("t"),
      call: "calls of t",
    },
  )
  const other = open({ url: "/console", accountId: 3 }).visit
  assert.deepEqual([other.account.isOwn, other.path], [false, "/"])
  const paths = ["/", "/pets/1", "/pets", "/users", "/keys", "/nothing"]
  assert.deepEqual(paths.filter(visit.mayGo), ["/", "/pets/1"])
})

test("a key and an account are known by the public keys", async () => {
  const { visit } = open()
  const isKnown = [await visit.isKnownKey(1), await visit.isKnownKey(2), await visit.isKnownKey(9)]
  assert.deepEqual(isKnown, [true, false, false])
  assert.deepEqual([await visit.hasKnownKey(3), await visit.hasKnownKey(2)], [true, false])
})

test("a download takes a slot and is counted; a further request is counted, and refused when the plan is used up", async () => {
  const { visit, done } = open()
  await visit.startDownload()
  await visit.countRequest()
  await visit.countPage()
  assert.deepEqual(done, [["slot", 1], ["limit"], ["take"], ["take"]])
  assert.deepEqual(visit.receive("shape" as never), ["t", "shape"])
  const refused = open({ refusal: new Problem("limit-exceeded", "Used up", { retryAfter: 61 }) }).visit
  await assert.rejects(refused.countRequest(), { code: "limit-exceeded" })
  await assert.rejects(refused.countPage(), { code: "limit-exceeded" })
})

test("a sandbox is entered by its name, and there is none in production", async () => {
  const { visit, done } = open({ hasSandbox: true })
  assert.deepEqual([await visit.sandbox(), await visit.sandbox("mine")], [undefined, "mine"])
  const request = { method: "GET", path: "/", headers: {}, body: undefined }
  await visit.send(request, "mine")
  assert.deepEqual(done, [
    ["enter", undefined],
    ["enter", "mine"],
    ["send", "mine", request],
  ])
  assert.deepEqual([visit.receiver(), visit.namedSandboxes()], ["receiver of 2", ["mine"]])
  const { visit: production } = open()
  const absent = { code: "not-found" }
  await assert.rejects(async () => production.sandbox(), absent)
  await assert.rejects(async () => production.send(request), absent)
  assert.throws(() => production.receiver(), absent)
  assert.throws(() => production.namedSandboxes(), absent)
})
