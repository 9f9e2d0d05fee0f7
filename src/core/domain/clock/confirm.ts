import type { Ports } from "../ports/ports.ts"

/** Records that an operator has verified the clock: retention uses it from the next round on. */
export async function confirmClock({ store, clock }: Pick<Ports, "store" | "clock">): Promise<{ time: string }> {
  return store.transaction(async (tx) => {
    const now = clock.now()
    const time = new Date(now).toISOString()
    await tx.clockChecks.put({ checkedAt: now, trustedAt: now, doubtedSince: undefined })
    await tx.audit.append([{ principal: "operator", action: "clock.confirmed", details: { time } }], now)
    return { time }
  })
}
