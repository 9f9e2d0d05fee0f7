import assert from "node:assert/strict"
import type { Database } from "../../src/core/domain/ports/store.ts"

/** Without an end while it is under way, also when its process was killed then. */
export type Attempt = {
  url: string
  name: string
  at: number
  killed: AbortSignal
  /** When its process was suspended, if it was. */
  suspension: { at: number | undefined }
  end?: "accepted" | "failed"
}
/** Unknown also when the process of the client was killed. */
export type Change = { petId: number; outcome: "committed" | "refused" | "unknown" }

/** What processes did in a simulation of deliveries. */
export type Recorded = {
  attempts: Attempt[]
  /** By the name of a pet. */
  changes: Map<string, Change>
  /** Ids of deliveries whose attempt was not made, or could not be recorded. */
  lost: number[]
  /** Commits that woke no worker. */
  unnoticed: number
  contradictions: string[]
}

/** Checks what has happened against what is stored in the end, when everything must have arrived. */
export async function checkDeliveries(recorded: Recorded, store: Database, webhooks: boolean[]): Promise<void> {
  const { attempts, changes, contradictions } = recorded
  const stored = (await store.events.after(0, 1000)).map(({ json }) => nameIn(json))
  const deliveries = await Promise.all(webhooks.map((_, n) => readDeliveries(store, n + 1)))
  assert.deepEqual(contradictions, [])
  for (const [name, { outcome }] of changes)
    if (outcome !== "unknown") assert.equal(stored.includes(name), outcome === "committed", `${name}, ${outcome}`)
  for (const [n, isOrdered] of webhooks.entries()) {
    const own = attempts.filter(({ url }) => url === `https://receiver-${n}.example/`)
    const accepted = own.filter(({ end }) => end === "accepted").map(({ name }) => name)
    assert.deepEqual([...new Set(accepted)].sort(), stored.toSorted(), "the committed events, and no others, arrive")
    for (const delivery of deliveries[n] ?? []) checkSettled(delivery, own, recorded)
    if (isOrdered) checkOrder(own, stored, recorded)
  }
}

type Settled = { id: number; name: string; state: string; attempts: number }

async function readDeliveries(store: Database, webhookId: number): Promise<Settled[]> {
  const { items } = await store.deliveries.list(webhookId, ["pending", "delivered", "failed"], {
    before: undefined,
    limit: 100,
  })
  return Promise.all(
    items.map(async ({ id, state, attempts }) => ({
      ...{ id, state, attempts },
      name: nameIn(await store.deliveries.message(id)),
    })),
  )
}

const nameIn = (json: string): string => JSON.parse(json).data.name

const leaseMs = 60_000

/** Only an attempt that could not be recorded, or not before its lease ended, is repeated after the receiver accepted it. */
function checkSettled({ id, name, state, attempts }: Settled, own: Attempt[], { lost }: Recorded): void {
  const made = own.filter((one) => one.name === name)
  const unrecorded = lost.filter((other) => other === id).length
  const repeated = made.filter((one, n) => {
    const next = made[n + 1]
    return one.end === "accepted" && next && !isInterrupted(one) && next.at - one.at < leaseMs
  })
  assert.equal(state, "delivered", `${name} in the end`)
  assert.ok(repeated.length <= unrecorded, `${name} is sent again ${repeated.length} times after it was accepted`)
  assert.ok(attempts <= made.length, `of ${name}, ${attempts} of ${made.length} attempts are recorded`)
  const missing = unrecorded + made.filter(isInterrupted).length
  assert.ok(attempts >= made.length - missing, `of ${name}, ${attempts} of ${made.length} attempts are recorded`)
}

/** Whether its process was killed, or suspended before its outcome was certainly recorded. */
const isInterrupted = ({ at, killed, suspension }: Attempt): boolean =>
  killed.aborted || (suspension.at !== undefined && at <= suspension.at)

/** An event is sent when those of its pet before it were accepted. */
function checkOrder(own: Attempt[], stored: string[], { changes }: Recorded): void {
  const accepted = new Set<string>()
  const petOf = (name: string) => changes.get(name)?.petId
  for (const { name, end } of own) {
    const before = stored.slice(0, stored.indexOf(name)).filter((other) => petOf(other) === petOf(name))
    for (const other of before) assert.ok(accepted.has(other), `${name} is sent before ${other} was accepted`)
    if (end === "accepted") accepted.add(name)
  }
}
