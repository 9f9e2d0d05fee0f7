/** Tables that are empty after a store has started over, besides what fills it. */
export const emptied: readonly string[] = [
  "delivery_attempts",
  "deliveries",
  "webhook_secrets",
  "webhook_events",
  "webhooks_to_wake",
  "webhooks",
  "events",
  "idempotency",
  "pet_images",
  "image_bytes",
  "images",
  "pet_tags",
  "sent_label_ids",
  "orders",
  "pets",
  "categories",
  "tags",
  "limit_cells",
  "oauth_records",
  "oauth_clients",
  "sessions",
  "users",
  "keys",
  "accounts",
  "audit",
  "origin",
]

/** Tables whose rows start again as a migration made them. */
export const restarted: readonly string[] = ["audit_head", "counters", "inventory"]

/** Tables whose rows stay, and why. */
export const kept: Readonly<Record<string, string>> = {
  clock_checks: "a reset does not change the clock",
  identity: "images and backups are of this database",
  signing_keys: "clients have cached them to verify tokens",
  leases: "belong to running processes",
  replicas: "belong to running processes",
}
