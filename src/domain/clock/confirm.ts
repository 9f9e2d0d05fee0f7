import type { Ports } from "../ports/ports.ts"

/** Records that an operator has found the clock to be right: from the next round on, retention removes by it. */
export async function confirmClock({ store, clock }: Pick<Ports, "store" | "clock">): Promise<{ time: string }> {
  return store.transaction(async (tx) => {
    const now = clock.now()
    const time = new Date(now).toISOString()
    await tx.clockChecks.put({ checkedAt: now, trustedAt: now, doubtedSince: undefined })
    await tx.audit.append([{ principal: "operator", action: "clock.confirmed", details: { time } }], now)
    return { time }
  })
}
