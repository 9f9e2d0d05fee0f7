// Processor time per request, in nanoseconds, for authentication and the account's limit, with one account and with 100,000 accounts
// in random order. Run: node bench/limit.ts
import { hash } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import type { Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createAccountQuota } from "../src/core/api/admission/account-quota.ts"
import { createAuthenticator } from "../src/core/api/authentication/authenticate.ts"
import type { Caller } from "../src/core/domain/accounts/model.ts"
import { steadyClock, systemClock } from "../src/core/kernel/clock.ts"
import { memoryLimiter } from "../src/core/memory/limiter.ts"
import { memorySignals } from "../src/core/memory/signals.ts"
import type { Exchange } from "../src/core/server/exchange/exchange.ts"
import { openSqlite } from "../src/core/sqlite/open.ts"

const rounds = 3
const quota = { minute: 60_000, day: 10_000_000 }

const directory = mkdtempSync(join(tmpdir(), "petstore-bench-"))
const store = openSqlite(join(directory, "petstore.db"))
const { limiter, authenticate, limit } = await makeSteps()
try {
  // Few enough for the one account that all are admitted.
  for (const { accounts, requests } of [
    { accounts: 1, requests: 12_000 },
    { accounts: 100_000, requests: 50_000 },
  ]) {
    await addAccounts(accounts)
    const figures = []
    for (let round = 0; round <= rounds; round++) figures.push(await measure(accounts, requests))
    const [first, ...rest] = figures
    rest.sort((a, b) => a - b)
    console.log(`${accounts} accounts: median ${rest[rounds >> 1]} ns per request; first round, from disk: ${first} ns`)
  }
} finally {
  await limiter.flush()
  await store.close()
  rmSync(directory, { recursive: true })
}

async function addAccounts(count: number): Promise<void> {
  await store.transaction(async (tx) => {
    for (let n = 0; n < count; n++) {
      const account = await tx.accounts.add({ name: `account ${n}`, plan: "pro" })
      await tx.keys.add({
        accountId: account.id,
        name: "key",
        scopes: ["read:pets"],
        hash: hash("sha256", `${count} ${n}`),
        allowedCidrs: [],
        createdAt: 0,
        expiresAt: undefined,
      })
    }
  })
}

async function measure(accounts: number, requests: number): Promise<number> {
  const headers = Array.from({ length: requests }, () => ({
    api_key: `${accounts} ${Math.floor(Math.random() * accounts)}`,
  }))
  const before = process.cpuUsage()
  const socket = {} as Socket
  for (const header of headers) {
    const { caller } = await authenticate({ headers: header, socket }, "192.0.2.1")
    await limit({ caller, header: () => undefined } as unknown as Exchange<Caller>)
  }
  const { user, system } = process.cpuUsage(before)
  return Math.round(((user + system) * 1000) / requests)
}

async function makeSteps() {
  const fail = (error: unknown) => console.error(error)
  const limiter = await memoryLimiter(store, steadyClock, fail)
  const plans = { free: quota, pro: quota, enterprise: undefined }
  const uses = { record: () => undefined, save: async () => undefined, forget: () => undefined }
  return {
    limiter,
    authenticate: createAuthenticator(
      {
        ports: { store, clock: systemClock },
        signals: memorySignals(),
        steady: steadyClock,
        anonymousKey: undefined,
        externalIssuer: undefined,
      },
      uses,
    ),
    limit: createAccountQuota({ limiter, plans }, () => undefined).limitAccount,
  }
}
