import type { Dialect } from "../dialect.ts"

/** Webhooks that have deliveries of events from this position on, and were locked when these were published. */
export const up = ({ integer }: Dialect) => [
  `CREATE TABLE webhooks_to_wake (
     webhook_id ${integer} NOT NULL REFERENCES webhooks (id),
     first_position ${integer} NOT NULL,
     PRIMARY KEY (webhook_id, first_position)
   )`,
]
