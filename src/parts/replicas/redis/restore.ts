import type { Cell } from "../../../core/domain/limits/store.ts"
import { minuteMs } from "../../../core/memory/tally.ts"
import { keysOf, mergeScript, restoreScript } from "./limit-scripts.ts"
import type { Run } from "./link.ts"
import type { OwnCounts } from "./own-counts.ts"
import type { PeerCounts, ProcessTotal } from "./peer-counts.ts"

const accountsAtOnce = 20
const roundsMax = 1_000

type Addition = { accountId: number; number: number; json: string }

/**
 * Sends Redis what it does not know: what this process admitted in its absence or, when Redis lost its data, everything that this
 * process and the others it has heard of admitted in the last day. What has an unknown outcome is sent again, and Redis adds it once.
 */
export function restoring(own: OwnCounts, peers: PeerCounts, runId: string) {
  const totals = new Set<ProcessTotal>()
  const additions = new Set<Addition>()
  let number = 0
  let dataId: string | undefined

  function prepare(accounts: Cell[][]): void {
    for (const cells of accounts)
      if (cells[0]) additions.add({ accountId: cells[0].accountId, number: ++number, json: describe(cells) })
  }

  async function restoreTotal(run: Run, { runId, accountId, cells }: ProcessTotal): Promise<void> {
    const keys = keysOf(accountId, runId)
    await run(restoreScript, [keys.moments, keys.cells, keys.restored], [describe(cells)])
  }

  async function add(run: Run, { accountId, number, json }: Addition, areRepliesDue: boolean): Promise<void> {
    const { moments, cells, mine, added } = keysOf(accountId, runId)
    const known = areRepliesDue ? "" : own.acknowledged(accountId)
    await run(mergeScript, [moments, cells, mine, added], [number, known, json])
  }

  function sendUnsent(run: Run, areRepliesDue: boolean): Promise<void> {
    prepare(own.takeUnsent(accountsAtOnce))
    return sendAll(additions, (addition) => add(run, addition, areRepliesDue))
  }

  return {
    /** Sends everything, and calls `connected` where the next command is certain to see it; see `openLink`. */
    async restore(run: Run, id: string, connected: () => void): Promise<void> {
      if (dataId !== undefined && dataId !== id) {
        additions.clear()
        own.useOtherData()
        for (const cells of own.all()) if (cells[0]) totals.add({ runId, accountId: cells[0].accountId, cells })
        for (const total of peers.all()) totals.add(total)
      }
      dataId = id
      peers.useData(id)
      await sendAll(totals, (total) => restoreTotal(run, total))
      await sendAll(additions, (addition) => add(run, addition, false))
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

/** Sends all of these, several at once; those that failed stay. */
async function sendAll<Item>(unsent: Set<Item>, send: (item: Item) => Promise<void>): Promise<void> {
  while (unsent.size > 0)
    await Promise.all(
      [...unsent.values().take(accountsAtOnce)].map(async (item) => {
        await send(item)
        unsent.delete(item)
      }),
    )
}

/** Cells, newest first, as the scripts take them: oldest first. */
function describe(newestFirst: readonly Cell[]): string {
  const cells = newestFirst.toReversed()
  return JSON.stringify({
    cells: cells.flatMap(({ minute, count }) => [minute, count]),
    moments: cells.flatMap(({ minute, offsetsMs }) => offsetsMs.map((offset) => minute * minuteMs + offset)),
  })
}
