import type { Cell } from "../../domain/limits/store.ts"
import { minuteMs } from "../memory/tally.ts"
import { keysOf, mergeScript } from "./limit-scripts.ts"
import type { Run } from "./link.ts"
import type { OwnCounts } from "./own-counts.ts"

const accountsAtOnce = 20
const roundsMax = 1_000

type Addition = { accountId: number; number: number; json: string }

/**
 * Sends Redis what it does not know: what this process admitted in its absence or, when Redis lost its data, everything this process
 * admitted in the last day. An addition whose outcome is unknown is sent again under the same number, which Redis adds once.
 */
export function restoring(own: OwnCounts, runId: string) {
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
    const known = areRepliesDue ? "" : own.acknowledged(accountId)
    await run(mergeScript, [moments, cells, mine, added], [number, known, json])
  }

  function sendUnsent(run: Run, areRepliesDue: boolean): Promise<void> {
    additions = prepare(own.takeUnsent(accountsAtOnce))
    return send(run, areRepliesDue)
  }

  return {
    /** Sends everything, and calls `connected` where the next command is certain to see it; see `openLink`. */
    async restore(run: Run, isOther: boolean, connected: () => void): Promise<void> {
      if (isOther) {
        additions = prepare(own.all())
        own.forgetUnsent()
      }
      await send(run, false)
      // Requests are counted here until the end, so each round may find more.
      for (let round = 0; own.unsent() > accountsAtOnce && round < roundsMax; round++) await sendUnsent(run, false)
      // Redis runs commands in order: these run before those that others send next.
      const sent = sendUnsent(run, false)
      connected()
      await sent
    },
    /** Sends what did not fit into `restore`. */
    async flush(run: Run): Promise<void> {
      for (let round = 0; own.unsent() > 0 && round < roundsMax; round++) await sendUnsent(run, true)
    },
  }
}

/** Cells, oldest first, as the merge script takes them. */
const describe = (cells: Cell[]) => ({
  cells: cells.flatMap(({ minute, count }) => [minute, count]),
  moments: cells.flatMap(({ minute, offsetsMs }) => offsetsMs.map((offset) => minute * minuteMs + offset)),
})
