import assert from "node:assert/strict"
import { test } from "node:test"
import type { Repositories } from "../ports/store.ts"
import type { Scope } from "../scopes.ts"
import type { StoredUser } from "./model.ts"
import { signOutEverywhere, withdrawCredentialsBeyond } from "./withdraw-credentials.ts"

const ada: StoredUser = {
  user: { id: 3, username: "ada", userStatus: 0, role: "staff" },
  accountId: 7,
  passwordHash: "hash",
}

/** What ends when ada has only these scopes: the calls of the store, the audit entries, and the accounts whose credentials change. */
async function withdraw(...scopes: Scope[]) {
  const calls: string[] = []
  const audited: string[] = []
  const changed: number[] = []
  const held = (...ofScopes: Scope[]) => ({ scopes: ofScopes })
  const tx = {
    keys: {
      ofPerson: async (userId: number, accountId: number) => {
        assert.deepEqual([userId, accountId], [3, 7])
        return [
          { id: 1, accountId: 7, ...held("read:pets") },
          { id: 2, accountId: 8, ...held("read:pets", "write:pets") },
        ]
      },
      revoke: async (id: number, accountId: number, at: number) => void calls.push(`key ${id} ${accountId} ${at}`),
    },
    oauthClients: {
      ofPerson: async () => [
        { id: 4, accountId: 9, ...held("write:pets") },
        { id: 5, accountId: 7, ...held() },
      ],
      remove: async ({ id }: { id: number }) => void calls.push(`client ${id}`),
    },
    webhooks: {
      removeOfPerson: async (userId: number, accountId: number, at: number) => {
        calls.push(`webhooks ${userId} ${accountId} ${at}`)
        return [6]
      },
    },
  }
  const ctx = {
    clock: { now: () => 5 },
    credentialsChanged: (accountId: number) => void changed.push(accountId),
    audit: (action: string, thing: string, more?: { details?: object }) => {
      assert.deepEqual(more, { details: { with: "user:3" } })
      audited.push(`${action} ${thing}`)
    },
  }
  await withdrawCredentialsBeyond(ctx, tx as unknown as Repositories, ada, scopes)
  return { calls, audited, changed }
}

test("credentials that exceed the scopes end, and webhooks without the scope for them", async () => {
  assert.deepEqual(await withdraw("read:pets"), {
    calls: ["key 2 8 5", "client 4", "webhooks 3 7 5"],
    audited: ["key.revoked key:2", "oauth-client.deleted oauth-client:4", "webhook.deleted webhook:6"],
    changed: [7, 8, 9],
  })
  assert.deepEqual(await withdraw("read:pets", "write:pets", "manage:webhooks"), {
    calls: [],
    audited: [],
    changed: [7],
  })
  assert.deepEqual((await withdraw()).calls, ["key 1 7 5", "key 2 8 5", "client 4", "webhooks 3 7 5"])
})

test("sessions and consents of a person end together", async () => {
  const calls: unknown[] = []
  const tx = {
    sessions: { endAll: async (id: number) => void calls.push(["sessions", id]) },
    oauthRecords: { removeUser: async (id: number) => void calls.push(["consents", id]) },
  }
  await signOutEverywhere({ credentialsChanged: (id) => void calls.push(id) }, tx as unknown as Repositories, ada)
  assert.deepEqual(calls, [["sessions", 3], ["consents", 3], 7])
})
