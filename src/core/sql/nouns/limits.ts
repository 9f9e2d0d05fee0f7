import type { Cell, LimitStore } from "../../domain/limits/store.ts"
import { type SqlConnection, sql } from "../statement.ts"

type CellRow = { accountId: number; minute: number; count: number; offsets: string }

const cells = sql<{ accountId: number; fromMinute: number }, CellRow>`
  SELECT account_id AS "accountId", minute, count, offsets FROM limit_cells
  WHERE account_id = ${"accountId"} AND minute >= ${"fromMinute"} ORDER BY minute`

const put = sql<CellRow>`
  INSERT INTO limit_cells (account_id, minute, count, offsets)
  VALUES (${"accountId"}, ${"minute"}, ${"count"}, ${"offsets"})
  ON CONFLICT (account_id, minute) DO UPDATE SET count = excluded.count, offsets = excluded.offsets`

const later = sql<{ minute: number }, { accountId: number; count: number }>`
  SELECT account_id AS "accountId", sum(count) AS "count" FROM limit_cells
  WHERE minute >= ${"minute"} AND account_id IN (SELECT account_id FROM limit_cells WHERE minute > ${"minute"})
  GROUP BY account_id`

const removeLater = sql<{ minute: number }>`DELETE FROM limit_cells WHERE minute > ${"minute"}`

const prune = sql<{ before: number; limit: number }>`
  DELETE FROM limit_cells WHERE (account_id, minute) IN
    (SELECT account_id, minute FROM limit_cells WHERE minute < ${"before"} LIMIT ${"limit"})`

export const limitStore = (db: SqlConnection): LimitStore => ({
  async cells(accountId, fromMinute) {
    const rows = await db.all(cells, { accountId, fromMinute })
    return rows.map(({ offsets, ...cell }) => ({ ...cell, offsetsMs: JSON.parse(offsets) }))
  },
  async put(changed) {
    for (const cell of changed) await db.run(put, toRow(cell))
  },
  async moveBack(minute) {
    for (const { accountId, count } of await db.all(later, { minute }))
      await db.run(put, { accountId, minute, count: Number(count), offsets: endOfMinute(Number(count)) })
    await db.run(removeLater, { minute })
  },
  prune: async (before, limit) => db.run(prune, { before, limit }),
})

/** Above the requests per minute of any plan, so more offsets make no difference. */
const momentsMax = 60_000

const endOfMinute = (count: number): string => JSON.stringify(Array(Math.min(count, momentsMax)).fill(59_999))

const toRow = ({ offsetsMs, ...cell }: Cell): CellRow => ({ ...cell, offsets: JSON.stringify(offsetsMs) })
