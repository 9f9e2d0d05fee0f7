import type { Cell } from "../../domain/limits/store.ts"
import { steadyClock } from "../../kernel/clock.ts"
import { minuteMs } from "../memory/tally.ts"
import { keysOf } from "./keys.ts"
import type { Acknowledged } from "./limiter.ts"
import type { Run } from "./link.ts"
import { mergeScript } from "./merge-script.ts"
import type { OwnCounts } from "./own-counts.ts"

const accountsAtOnce = 20
const roundsMax = 1_000
const countedForgottenMs = 600_000

type Addition = { accountId: number; number: number; json: string }

/**
 * Gives Redis what it does not know: what was admitted while it was away or, when its data is not what it was, everything
 * this process admitted in the last day. What could not be given for certain is given again, under the same number, which
 * Redis takes once.
 */
export function restoring(own: OwnCounts, acknowledged: Acknowledged, runId: string) {
  let additions: Addition[] = []
  let number = 0

  const prepare = (accounts: Cell[][]): Addition[] =>
    accounts.flatMap((cells) => {
      const accountId = cells[0]?.accountId
      if (accountId === undefined) return []
      return { accountId, number: ++number, json: JSON.stringify(describe(cells.toReversed())) }
    })

  async function send(run: Run, areRepliesDue: boolean): Promise<void> {
    while (additions.length > 0) {
      const sending = additions.slice(0, accountsAtOnce)
      await Promise.all(sending.map((addition) => add(run, addition, areRepliesDue)))
      additions = additions.slice(sending.length)
    }
  }

  async function add(run: Run, { accountId, number, json }: Addition, areRepliesDue: boolean): Promise<void> {
    const { moments, cells, mine, added } = keysOf(accountId, runId)
    const known = areRepliesDue ? "" : acknowledgedOf(accountId)
    await run(mergeScript, [moments, cells, mine, added], [number, known, json])
  }

  /** Redis forgets how many it counted when it has counted none for a while. */
  function acknowledgedOf(accountId: number): number {
    const { counted, at } = acknowledged.get(accountId) ?? { counted: 0, at: 0 }
    return steadyClock.now() - at < countedForgottenMs ? counted : 0
  }

  return {
    /** Gives Redis everything, and calls `takeUp` where the next command is certain to find it; see `openLink`. */
    async restore(run: Run, isOther: boolean, takeUp: () => void): Promise<void> {
      if (isOther) {
        additions = prepare(own.all())
        own.forgetUnsent()
      }
      await send(run, false)
      // Requests are counted here until the end, so there may be more each time.
      for (let round = 0; own.unsent() > accountsAtOnce && round < roundsMax; round++) {
        additions = prepare(own.takeUnsent(accountsAtOnce))
        await send(run, false)
      }
      // Redis does one thing after the other: what is sent before anybody else asks is done before.
      additions = prepare(own.takeUnsent(accountsAtOnce))
      const sent = send(run, false)
      takeUp()
      await sent
    },
    /** Gives Redis what there was too much of when it was taken up. */
    async flush(run: Run): Promise<void> {
      for (let round = 0; own.unsent() > 0 && round < roundsMax; round++) {
        additions = prepare(own.takeUnsent(accountsAtOnce))
        await send(run, true)
      }
    },
  }
}

/** Cells, oldest first, as the merge script takes them. */
const describe = (cells: Cell[]) => ({
  cells: cells.flatMap(({ minute, count }) => [minute, count]),
  moments: cells.flatMap(({ minute, offsetsMs }) => offsetsMs.map((offset) => minute * minuteMs + offset)),
})
