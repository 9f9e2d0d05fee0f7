import { join } from "node:path"
import pino from "pino"
import type { Database } from "../../src/domain/ports/store.ts"
import type { AttemptError } from "../../src/domain/webhooks/deliveries/contract.ts"
import { newWebhook } from "../../src/domain/webhooks/rules.ts"
import { openSqlite } from "../../src/storage/sqlite/open.ts"
import type { Sender } from "../../src/workers/delivery/sending/send.ts"
import { createDeliveryWorker } from "../../src/workers/delivery/worker.ts"
import { manualClock, temporaryDirectory } from "./petstore.ts"

/** How a receiver responds to one attempt: after how long, and with which failure, if any. */
export type Answer = { afterMs: number; error: AttemptError | undefined }

const stepMs = 20

/** Delivery in a time of its own: the real worker on a real database, and receivers that respond by the clock. */
export async function deliveryWorld() {
  const directory = temporaryDirectory()
  const clock = manualClock()
  const database = openSqlite(join(directory.path, "petstore.db"))
  const receivers = new Map<string, () => Answer>()
  const ends: { at: number; end: () => void }[] = []
  const committed = new Map<string, number>()
  const waits = new Map<string, number[]>()
  const urls = new Map<number, string>()
  let underWayMost = 0

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
      const { afterMs, error } = (receivers.get(url) as () => Answer)()
      return new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason))
        const outcome = { at, durationMs: afterMs, status: error ? undefined : 200, error }
        ends.push({ at: at + afterMs, end: () => resolve({ ...outcome, answer: "", retryAfterMs: undefined }) })
        underWayMost = Math.max(underWayMost, ends.length)
      })
    },
    close: async () => {},
  }
  const worker = createDeliveryWorker({
    store,
    clock,
    sender,
    log: pino({ enabled: false }),
    sealing: { seal: (text: string) => text, open: (text: string) => text } as never,
  })
  const accounts = new Map<number, Promise<number>>()

  /** Lets everything happen that can without time going by. */
  async function quiet(): Promise<void> {
    do {
      await worker.tick()
      for (let turns = 0; turns < 3; turns++) {
        await new Promise((resolve) => setImmediate(resolve))
        if (open > 0) turns = 0
      }
    } while (endWhatIsOver())
  }

  function endWhatIsOver(): boolean {
    const over = ends.filter(({ at }) => at <= clock.now())
    if (over.length === 0) return false
    ends.splice(0, ends.length, ...ends.filter(({ at }) => at > clock.now()))
    for (const { end } of over) end()
    return true
  }

  return {
    /** The n-th account, as a promise of its id. */
    account(n: number): Promise<number> {
      const known =
        accounts.get(n) ??
        store.transaction((tx) => tx.accounts.add({ name: `${n}`, plan: "free" })).then(({ id }) => id)
      accounts.set(n, known)
      return known
    },
    /** Adds a webhook for every new pet, whose receiver responds like this; resolves with its id. */
    async webhook(account: Promise<number>, answer: () => Answer): Promise<number> {
      const url = `https://receiver-${receivers.size}.example/`
      receivers.set(url, answer)
      waits.set(url, [])
      const accountId = await account
      const { id } = await store.transaction((tx) =>
        tx.webhooks.add(newWebhook({ url, events: ["pet.created"] }, accountId, clock.now()), "whsec_AAAA"),
      )
      urls.set(id, url)
      return id
    },
    /** Lets this many seconds go by, with so many events in each. */
    async run(seconds: number, eventsASecond: number): Promise<void> {
      const events = seconds * eventsASecond
      const endAt = clock.now() + seconds * 1000
      for (let n = 0; n < events; n++) {
        const name = `pet ${committed.size}`
        committed.set(name, clock.now())
        await store.transaction((tx) =>
          tx.events.add("pet.created", { id: n + 1, name, status: "available" }, clock.now()),
        )
        await quiet()
        clock.advance(1000 / eventsASecond)
      }
      for (; clock.now() < endAt + 1000; clock.advance(stepMs)) await quiet()
    },
    /** How long after its event each attempt at a webhook began, in milliseconds. */
    waitsOf: (webhookId: number): readonly number[] => waits.get(urls.get(webhookId) ?? "") ?? [],
    /** The most attempts that were ever under way at once. */
    underWayMost: () => underWayMost,
    async [Symbol.asyncDispose]() {
      await worker.stop(AbortSignal.abort())
      await database.close()
      directory[Symbol.dispose]()
    },
  }
}
