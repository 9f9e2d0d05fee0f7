import type { Clock } from "../kernel/clock.ts"
import type { TrafficSlot } from "../kernel/measure.ts"

const slotMs = 5 * 60_000
const slotsMax = 72

export type Traffic = {
  record(status: number): void
  /** Every slot, oldest first, including empty ones. */
  recent(): readonly TrafficSlot[]
}

/** Counts the requests of this process in the last six hours, in slots of five minutes. */
export function trafficCounter(clock: Clock): Traffic {
  const slots: TrafficSlot[] = []

  function slotNow(): TrafficSlot {
    const startsAt = Math.floor(clock.now() / slotMs) * slotMs
    const last = slots.at(-1)
    if (last && last.startsAt >= startsAt) return last
    const slot = emptySlot(startsAt)
    if (slots.push(slot) > slotsMax) slots.shift()
    return slot
  }

  return {
    record(status) {
      const slot = slotNow()
      slot.requests++
      if (status >= 500) slot.failed++
      else if (status >= 400) slot.refused++
    },
    recent() {
      const { startsAt } = slotNow()
      const known = new Map(slots.map((slot) => [slot.startsAt, slot]))
      const starts = Array.from({ length: slotsMax }, (_, n) => startsAt - (slotsMax - 1 - n) * slotMs)
      return starts.map((at) => known.get(at) ?? emptySlot(at))
    },
  }
}

const emptySlot = (startsAt: number): TrafficSlot => ({ startsAt, requests: 0, refused: 0, failed: 0 })
