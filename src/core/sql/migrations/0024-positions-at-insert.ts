import type { Dialect } from "../dialect.ts"

/** Gives every event without a position the next one, in the order of writing. */
export const positionUnpublished = `
  UPDATE events SET position = fresh.n + (SELECT last FROM counters WHERE name = 'events')
  FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM events WHERE position IS NULL) AS fresh
  WHERE events.id = fresh.id`

/** On SQLite an event has its position when it is inserted. */
export const up = ({ name }: Dialect) =>
  name === "sqlite" ? [positionUnpublished, "DROP INDEX events_unpublished"] : []
