import type { Dialect } from "../dialect.ts"

export const up = ({ generatedId, integer, tableOptions }: Dialect) => [
  // An event's position in the feed, assigned after its commit, so that positions become visible in ascending order.
  `ALTER TABLE events ADD COLUMN position ${integer}`,
  `ALTER TABLE events ADD COLUMN pet_id ${integer}`,
  `CREATE UNIQUE INDEX events_by_position ON events (position)`,
  `CREATE INDEX events_unpublished ON events (id) WHERE position IS NULL`,
  `CREATE INDEX events_by_age ON events (created_at)`,
  `INSERT INTO counters (name, last) VALUES ('events', 0)`,

  `CREATE TABLE webhooks (
     id ${generatedId},
     account_id ${integer} NOT NULL REFERENCES accounts (id),
     url TEXT NOT NULL,
     description TEXT,
     ordered ${integer} NOT NULL,
     status TEXT NOT NULL,
     disabled_reason TEXT,
     failing_since ${integer},
     created_at ${integer} NOT NULL,
     deleted_at ${integer}
   ) ${tableOptions}`,
  `CREATE INDEX webhooks_by_account ON webhooks (account_id, id)`,

  `CREATE TABLE webhook_events (
     webhook_id ${integer} NOT NULL REFERENCES webhooks (id),
     kind TEXT NOT NULL,
     PRIMARY KEY (webhook_id, kind)
   ) ${tableOptions}`,

  `CREATE TABLE webhook_secrets (
     id ${generatedId},
     webhook_id ${integer} NOT NULL REFERENCES webhooks (id),
     sealed TEXT NOT NULL,
     retired_at ${integer}
   ) ${tableOptions}`,
  `CREATE INDEX webhook_secrets_by_webhook ON webhook_secrets (webhook_id)`,

  // claimed_at is set during an attempt; due_at is then the end of its lease.
  `CREATE TABLE deliveries (
     id ${generatedId},
     webhook_id ${integer} NOT NULL REFERENCES webhooks (id),
     event_id ${integer} NOT NULL REFERENCES events (id),
     pet_id ${integer},
     is_test ${integer} NOT NULL,
     state TEXT NOT NULL,
     step ${integer} NOT NULL,
     attempts ${integer} NOT NULL,
     due_at ${integer} NOT NULL,
     claims ${integer} NOT NULL,
     claimed_at ${integer},
     created_at ${integer} NOT NULL,
     last_attempt_id ${integer}
   ) ${tableOptions}`,
  `CREATE UNIQUE INDEX deliveries_by_event ON deliveries (event_id, webhook_id)`,
  `CREATE INDEX deliveries_by_webhook ON deliveries (webhook_id, id)`,
  `CREATE INDEX deliveries_by_age ON deliveries (created_at)`,
  `CREATE INDEX deliveries_due ON deliveries (webhook_id, due_at, id) WHERE state = 'pending'`,
  `CREATE INDEX deliveries_due_tests ON deliveries (webhook_id, due_at) WHERE state = 'pending' AND is_test = 1`,
  `CREATE INDEX deliveries_by_pet ON deliveries (webhook_id, pet_id, id) WHERE state = 'pending'`,

  `CREATE TABLE delivery_attempts (
     id ${generatedId},
     delivery_id ${integer} NOT NULL REFERENCES deliveries (id),
     at ${integer} NOT NULL,
     duration_ms ${integer} NOT NULL,
     status ${integer},
     error TEXT,
     answer TEXT
   ) ${tableOptions}`,
  `CREATE INDEX delivery_attempts_by_delivery ON delivery_attempts (delivery_id, id)`,
]
