import { join } from "node:path"
import pino from "pino"
import type { Database } from "../../src/core/domain/ports/store.ts"
import type { AttemptError } from "../../src/core/domain/webhooks/deliveries/contract.ts"
import { newWebhook } from "../../src/core/domain/webhooks/rules.ts"
import { openSqlite } from "../../src/core/sqlite/open.ts"
import type { Sender } from "../../src/core/workers/delivery/sending/send.ts"
import { createDeliveryWorker } from "../../src/core/workers/delivery/worker.ts"
import { manualClock } from "./clock.ts"
import { temporaryDirectory } from "./directory.ts"

/** A receiver's response to one attempt: its delay, and its failure, if any. */
export type ReceiverResponse = { afterMs: number; error: AttemptError | undefined }

const stepMs = 20

/** Runs the real delivery worker on a real database and a simulated clock. Receivers respond by that clock. */
export async function deliveryWorld() {
  const directory = temporaryDirectory()
  const clock = manualClock()
  const database = openSqlite(join(directory.path, "petstore.db"))
  const receivers = new Map<string, () => ReceiverResponse>()
  const ends: { at: number; end: () => void }[] = []
  const committed = new Map<string, number>()
  const waits = new Map<string, number[]>()
  const urls = new Map<number, string>()
  let attemptsPeak = 0

  let open = 0
  const store: Database = {
    ...database,
    transaction: (work) => {
      open++
      return database.transaction(work).finally(() => open--)
    },
  }
  const sender: Sender = {
    post: ({ url, body }, signal) => {
      const at = clock.now()
      const { data } = JSON.parse(body) as { data: { name: string } }
      waits.get(url)?.push(at - (committed.get(data.name) ?? Number.NaN))
      const { afterMs, error } = (receivers.get(url) as () => ReceiverResponse)()
      return new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason))
        const outcome = { at, durationMs: afterMs, status: error ? undefined : 200, error }
        ends.push({ at: at + afterMs, end: () => resolve({ ...outcome, response: "", retryAfterMs: undefined }) })
        attemptsPeak = Math.max(attemptsPeak, ends.length)
      })
    },
    close: async () => {},
  }
  const worker = createDeliveryWorker(
    {
      store,
      clock,
      realClock: clock,
      log: pino({ enabled: false }),
      sealing: { seal: (text) => text, open: (text) => text },
    },
    sender,
  )
  const accounts = new Map<number, Promise<number>>()

  /** Completes all work that is possible at the current time. */
  async function settle(): Promise<void> {
    do {
      await worker.tick()
      for (let turns = 0; turns < 3; turns++) {
        await new Promise((resolve) => setImmediate(resolve))
        if (open > 0) turns = 0
      }
    } while (endDueAttempts())
  }

  function endDueAttempts(): boolean {
    const due = ends.filter(({ at }) => at <= clock.now())
    if (due.length === 0) return false
    ends.splice(0, ends.length, ...ends.filter(({ at }) => at > clock.now()))
    for (const { end } of due) end()
    return true
  }

  return {
    /** Promises the id of the n-th account. */
    account(n: number): Promise<number> {
      const known =
        accounts.get(n) ??
        store.transaction((tx) => tx.accounts.add({ name: `${n}`, plan: "free" })).then(({ id }) => id)
      accounts.set(n, known)
      return known
    },
    /** Adds a webhook for new pets whose receiver gives these responses; resolves with its id. */
    async webhook(account: Promise<number>, respond: () => ReceiverResponse): Promise<number> {
      const url = `https://receiver-${receivers.size}.example/`
      receivers.set(url, respond)
      waits.set(url, [])
      const accountId = await account
      const { id } = await store.transaction((tx) =>
        tx.webhooks.add(newWebhook({ url, events: ["pet.created"] }, accountId, clock.now()), "whsec_AAAA"),
      )
      urls.set(id, url)
      return id
    },
    /** Advances the clock by this many seconds, with this many events in each. */
    async run(seconds: number, eventsASecond: number): Promise<void> {
      const events = seconds * eventsASecond
      const endAt = clock.now() + seconds * 1000
      for (let n = 0; n < events; n++) {
        const name = `pet ${committed.size}`
        committed.set(name, clock.now())
        await store.transaction((tx) =>
          tx.events.add("pet.created", { id: n + 1, name, status: "available" }, clock.now()),
        )
        await settle()
        clock.advance(1000 / eventsASecond)
      }
      for (; clock.now() < endAt + 1000; clock.advance(stepMs)) await settle()
    },
    /** For each attempt at a webhook, the delay after its event in milliseconds. */
    waitsOf: (webhookId: number): readonly number[] => waits.get(urls.get(webhookId) ?? "") ?? [],
    /** Maximum number of concurrent attempts. */
    attemptsPeak: () => attemptsPeak,
    async [Symbol.asyncDispose]() {
      await worker.drain(AbortSignal.abort())
      await database.close()
      directory[Symbol.dispose]()
    },
  }
}
