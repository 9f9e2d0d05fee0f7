import assert from "node:assert/strict"
import { test } from "node:test"
import type { ProblemCode } from "../../../../domain/problems/problems.ts"
import { encodeCursor } from "../../../../kernel/endpoint/page.ts"
import { Problem } from "../../../../kernel/problem.ts"
import type { Visit } from "../page.ts"
import { nameReferences } from "./audit-names.ts"

const unknown = (code: ProblemCode) => Promise.reject(new Problem(code, "No"))

/** Names references as they are shown, and what was read for them. */
async function shown(...references: string[]) {
  const read: string[] = []
  const note = (what: string, request: unknown) => void read.push(`${what} ${JSON.stringify(request)}`)
  const call = {
    async listUsers(request: { query: object }) {
      note("users", request.query)
      return { value: [{ id: 3, username: "ada l" }] }
    },
    getKey: ({ params: { id } }: { params: { id: number } }) =>
      id === 1 ? Promise.resolve({ value: { id, name: "Import" } }) : unknown("key-not-found"),
    getOAuthClient: ({ params: { id } }: { params: { id: number } }) =>
      Promise.resolve({ value: { id, name: "Walker" } }),
    getWebhook: ({ params: { webhookId: id } }: { params: { webhookId: number } }) =>
      id < 3
        ? Promise.resolve({ value: { id, url: "https://x.example", description: id === 1 ? "Feed" : "" } })
        : unknown("webhook-not-found"),
    getAccount: ({ params: { id } }: { params: { id: number } }) =>
      id === 1 ? Promise.resolve({ value: { id, name: "Ada & Co" } }) : unknown("forbidden"),
  }
  const visit = { call, root: "/console", mayGo: (path: string) => path !== "/webhooks/2" } as unknown as Visit
  const nameOf = await nameReferences(visit, references)
  const texts = references.map((each) => {
    const named = nameOf(each)
    return typeof named === "string" ? named : named.text
  })
  return { texts, read }
}
const link = (reference: string, path: string, name: string) =>
  `<span title="${reference}"><a href="/console/${path}">${name}</a></span>`

test("references are shown as links with names, and as text on pages that the visitor may not see", async () => {
  const { texts } = await shown("user:3", "key:1", "oauth-client:2", "webhook:1", "webhook:2", "account:1")
  assert.deepEqual(texts, [
    link("user:3", "users/named/ada%20l", "ada l"),
    link("key:1", "keys/1", "Import"),
    link("oauth-client:2", "applications/2", "Walker"),
    link("webhook:1", "webhooks/1", "Feed"),
    '<span title="webhook:2">https://x.example</span>',
    link("account:1", "accounts/1", "Ada &amp; Co"),
  ])
})

test("a reference without a name stays one: of another kind, without a number, or of what is gone", async () => {
  const plain = [
    "service",
    "session:1",
    "key:x",
    "key:0",
    "key:-1",
    "key:1.5",
    "toString:1",
    "key:2",
    "webhook:3",
    "user:4",
  ]
  assert.deepEqual((await shown(...plain)).texts, plain)
  await assert.rejects(shown("account:2"), { code: "forbidden" })
})

test("each reference is read once; a user is the first one after the id before", async () => {
  assert.deepEqual((await shown("user:0", "user:-1", "user:1.5", "user:x")).read, [])
  assert.deepEqual((await shown("user:1", "user:1")).read, ['users {"sort":"id","limit":1}'])
  for (const id of [2, 3]) {
    const query = { sort: "id", limit: 1, cursor: encodeCursor({ sort: "id", id: id - 1 }) }
    assert.deepEqual((await shown(`user:${id}`)).read, [`users ${JSON.stringify(query)}`])
  }
})
