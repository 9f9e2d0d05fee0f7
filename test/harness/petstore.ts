import { mkdtempSync, rmSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pino from "pino"
import { type ClientOptions, client } from "../../src/client/client.ts"
import { api } from "../../src/domain/api.ts"
import { operations } from "../../src/domain/operations.ts"
import { fillSandbox } from "../../src/first-start.ts"
import type { Clock } from "../../src/kernel/clock.ts"
import { answerHealth } from "../../src/server/health.ts"
import { servePages } from "../../src/server/pages.ts"
import { type Served, serve } from "../../src/server/serve.ts"
import { memorySignals } from "../../src/storage/memory/signals.ts"
import { openSqlite } from "../../src/storage/sqlite/open.ts"

/** A clock that moves only when it is told to. */
export type ManualClock = Clock & { advance(ms: number): void }

export function manualClock(start = Date.UTC(2026, 0, 1)): ManualClock {
  let time = start
  return {
    now: () => time,
    advance: (ms) => {
      time += ms
    },
  }
}

/** A directory that is gone when its owner is disposed. */
export function temporaryDirectory(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "petstore-"))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** The whole service in this process on a free port, with the sandbox's data, its own clock, and every log line kept. */
export async function startPetstore() {
  const directory = temporaryDirectory()
  const clock = manualClock()
  const lines: string[] = []
  const log = pino({ base: null }, { write: (line: string) => void lines.push(line) })
  const store = openSqlite(join(directory.path, "petstore.db"))
  await fillSandbox(store, clock)

  let url = ""
  const served = {
    api,
    operations: operations as unknown as Served["operations"],
    store,
    signals: memorySignals(),
    clock,
    log,
    publicUrl: () => url,
  }
  const app = serve(served)
  answerHealth(app, store, { draining: false })
  await servePages(app, { api, version: "0.0.0", sandbox: true })
  await app.listen({ host: "127.0.0.1", port: 0 })
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

  return {
    url,
    clock,
    store,
    signals: served.signals,
    lines,
    as: (key: string, options: Partial<ClientOptions> = {}) =>
      client(api, { url, headers: { api_key: key }, ...options }),
    async [Symbol.asyncDispose]() {
      await app.close()
      await store.close()
      directory[Symbol.dispose]()
    },
  }
}

/** Asserts with `assert.rejects` that a call is refused with this problem code. */
export const refusedAs = (code: string) => (error: unknown) =>
  (error as { problem?: { code: string } }).problem?.code === code
