import type { Dialect } from "../dialect.ts"

/** Lets every query read only the rows it concerns, however large the tables are. */
export const up = ({ integer, tableOptions }: Dialect) => [
  `DROP INDEX orders_by_account`,
  `DROP INDEX orders_by_pet`,
  `CREATE INDEX orders_by_account ON orders (account_id, status, id)`,
  `CREATE INDEX orders_by_pet ON orders (pet_id, status, id)`,
  `CREATE INDEX orders_by_pet_and_account ON orders (pet_id, account_id, status, id)`,

  // Lists do not scan deleted rows.
  `CREATE INDEX users_alive ON users (id) WHERE json IS NOT NULL`,
  `DROP INDEX keys_by_account`,
  `CREATE INDEX keys_alive ON keys (account_id, id) WHERE revoked_at IS NULL`,
  `DROP INDEX oauth_records_by_grant`,
  `CREATE INDEX oauth_records_by_grant ON oauth_records (grant_id, kind)`,

  // The bytes of each account's images, because adding them up would take longer with every image.
  `CREATE TABLE image_bytes (
     account_id ${integer} NOT NULL PRIMARY KEY REFERENCES accounts (id),
     bytes ${integer} NOT NULL
   ) ${tableOptions}`,
  `INSERT INTO image_bytes (account_id, bytes) SELECT account_id, sum(bytes) FROM images GROUP BY account_id`,
  `DROP INDEX images_by_account`,

  `CREATE INDEX events_by_account ON events (account_id, position)`,

  // blocked: in an ordered webhook, the delivery waits for an earlier one of the same pet.
  `ALTER TABLE deliveries ADD COLUMN blocked ${integer} NOT NULL DEFAULT 0`,
  `UPDATE deliveries SET blocked = 1
   WHERE state = 'pending' AND pet_id IS NOT NULL AND EXISTS (
     SELECT 1 FROM deliveries AS earlier
     WHERE earlier.webhook_id = deliveries.webhook_id AND earlier.pet_id = deliveries.pet_id
       AND earlier.state = 'pending' AND earlier.id < deliveries.id)`,
  `DROP INDEX deliveries_due`,
  `DROP INDEX deliveries_by_pet`,
  `DROP INDEX deliveries_by_webhook`,
  `CREATE INDEX deliveries_due ON deliveries (webhook_id, due_at, id) WHERE state = 'pending' AND blocked = 0`,
  `CREATE INDEX deliveries_by_pet ON deliveries (webhook_id, pet_id, id)
     WHERE state = 'pending' AND pet_id IS NOT NULL`,
  `CREATE INDEX deliveries_first_of_pet ON deliveries (webhook_id, pet_id)
     WHERE state = 'pending' AND blocked = 0 AND pet_id IS NOT NULL`,
  `CREATE INDEX deliveries_by_state ON deliveries (webhook_id, state, id)`,
  `CREATE INDEX deliveries_given_up ON deliveries (webhook_id, created_at) WHERE state = 'failed' AND is_test = 0`,
  `CREATE INDEX deliveries_claimed ON deliveries (webhook_id) WHERE claimed_at IS NOT NULL`,

  // due_at: when a delivery may be due; lane and average_ms: how the receiver has responded recently.
  `ALTER TABLE webhooks ADD COLUMN due_at ${integer}`,
  `ALTER TABLE webhooks ADD COLUMN lane TEXT NOT NULL DEFAULT 'new'`,
  `ALTER TABLE webhooks ADD COLUMN average_ms ${integer}`,
  `UPDATE webhooks SET lane = 'slow' WHERE failing_since IS NOT NULL`,
  `UPDATE webhooks SET due_at = 0 WHERE deleted_at IS NULL`,
  `DELETE FROM webhook_events WHERE webhook_id IN (SELECT id FROM webhooks WHERE deleted_at IS NOT NULL)`,
  `DROP INDEX webhooks_by_account`,
  `CREATE INDEX webhooks_alive ON webhooks (account_id, id) WHERE deleted_at IS NULL`,
  `CREATE INDEX webhooks_due ON webhooks (lane, due_at) WHERE due_at IS NOT NULL`,
  `CREATE INDEX webhook_events_by_kind ON webhook_events (kind, webhook_id)`,
]
