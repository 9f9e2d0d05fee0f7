import assert from "node:assert/strict"
import { hash, randomBytes } from "node:crypto"
import { test } from "node:test"
import { manualClock } from "../../../../test/harness/clock.ts"
import { runVerb } from "../../../../test/harness/verb.ts"
import { JsonResponse } from "../../../kernel/endpoint/json-response.ts"
import { Problem } from "../../../kernel/problem.ts"
import { memoryAttempts } from "../../../storage/memory/attempts.ts"
import type { NewEntry } from "../../audit/model.ts"
import type { Verb } from "../../context.ts"
import type { StoredUser } from "../model.ts"
import { logIn } from "./log-in.ts"

const ada: StoredUser = {
  user: { id: 3, username: "ada", userStatus: 0, role: "customer" },
  accountId: 7,
  passwordHash: "hash of right",
}

/** Logs in where so many sessions of the person end for it, and the password may change meanwhile. */
async function begin({ ended = 0, minute = undefined as number | undefined, locked = ada }) {
  const clock = manualClock()
  const added: unknown[] = []
  const changed: number[] = []
  const audited: object[] = []
  const tx = {
    users: { lock: async () => locked },
    sessions: {
      async add(session: { userId: number; hash: Buffer; expiresAt: number }, sessionsMax: number) {
        added.push([session.userId, session.hash.length, session.expiresAt - clock.now(), sessionsMax])
        return { id: 9, ended }
      },
    },
    accounts: { read: async () => ({ id: 7, name: "ada", plan: "free" }) },
    audit: {
      async append(entries: NewEntry[]) {
        for (const { principal, account, thing, details } of entries)
          audited.push({ principal, account, thing, details })
      },
    },
  }
  const parts = {
    clock,
    store: {
      users: { byName: async () => ada },
      transaction: (work: (inside: object) => Promise<unknown>) => work(tx),
    },
    attempts: memoryAttempts(clock),
    passwords: { matches: async (password: string, of: string) => of === `hash of ${password}` },
    random: randomBytes,
    sha256: (text: string) => hash("sha256", text, "buffer"),
    policy: { sessionMs: 1000 },
    plans: { free: minute === undefined ? {} : { minute } },
    endpoint: { audited: ["session.created"] as const },
  }
  const watched: Verb<"logIn"> = (ctx, input) =>
    logIn({ ...ctx, credentialsChanged: (accountId) => void changed.push(accountId) }, input)
  const outcome = await runVerb(watched, parts as never, { body: { username: "ada", password: "right" } })
  if (outcome instanceof Problem) return outcome.code
  assert.ok(outcome instanceof JsonResponse)
  return { limit: outcome.headers["X-Rate-Limit"], added, changed, audited }
}

const by = { principal: "user:3", account: 7, thing: "session:9" }
const added = [[3, 32, 1000, 20]]

test("a person has at most twenty sessions, and an earlier one that ends is in the audit log and in no cache", async () => {
  assert.deepEqual(await begin({ minute: 60 }), {
    limit: "60",
    added,
    changed: [],
    audited: [{ ...by, details: undefined }],
  })
  const replaced = { changed: [7], audited: [{ ...by, details: { ended: 1 } }] }
  assert.deepEqual(await begin({ ended: 1 }), { limit: String(2 ** 31 - 1), added, ...replaced })
})

test("a password that changes while it is checked begins no session", async () => {
  assert.equal(await begin({ locked: { ...ada, passwordHash: "hash of another" } }), "invalid-credentials")
})
