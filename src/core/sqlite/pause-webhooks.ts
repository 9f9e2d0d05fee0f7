import { DatabaseSync } from "node:sqlite"

/** Pauses every webhook of a database that no process has open, which then have no hash until a round. Waiting deliveries stay. */
export function pauseWebhooks(file: string): void {
  using db = new DatabaseSync(file)
  db.exec(
    "UPDATE webhooks SET status = 'paused', due_at = NULL, text_hash = NULL WHERE status IN ('active', 'testing')",
  )
}
