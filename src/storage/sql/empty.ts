import type { Dialect } from "./dialect.ts"

/** Tables that a reset empties, each before those it refers to. */
export const emptied: readonly string[] = [
  ...["delivery_attempts", "deliveries", "webhook_secrets", "webhook_events", "webhooks", "events", "idempotency"],
  ...["pet_images", "image_bytes", "images", "pet_tags", "orders", "pets", "categories", "tags", "limit_cells"],
  ...["oauth_records", "oauth_clients", "sessions", "users", "keys", "accounts", "audit", "origin"],
]

/** The other tables, and what happens to them. */
export const notEmptied: Readonly<Record<string, string>> = {
  clock_checks: "stay: a reset does not change the clock",
  identity: "stays: images and backups are of this database",
  signing_keys: "stay: clients have cached them to verify tokens",
  leases: "belong to running processes",
  replicas: "belong to running processes",
  audit_head: "is reset",
  counters: "are reset",
  inventory: "is set to zero",
}

/** The statements that empty a database and restart its ids at 1. */
export const emptyStatements = ({ name }: Dialect): string[] => [
  ...(name === "sqlite" ? inSqlite : inPostgres),
  "UPDATE counters SET last = 0",
  "UPDATE inventory SET pets = 0",
  `UPDATE audit_head SET last = 0, hash = '${"0".repeat(64)}'`,
]

const inSqlite = [...emptied.map((table) => `DELETE FROM ${table}`), "DELETE FROM sqlite_sequence"]

const inPostgres = [
  `TRUNCATE ${emptied.join(", ")} RESTART IDENTITY`,
  ...["pets", "orders", "users"].map((table) => `ALTER SEQUENCE ${table}_ids RESTART`),
]
