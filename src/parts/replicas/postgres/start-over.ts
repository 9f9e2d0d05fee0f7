import { type Database, StoreUnavailable } from "../../../core/domain/ports/store.ts"
import { emptied } from "../../../core/sql/started-over.ts"
import type { TransactionPool } from "./transactions.ts"

const statements = [
  `TRUNCATE ${emptied.join(", ")} RESTART IDENTITY`,
  ...["pets", "orders", "users"].map((table) => `ALTER SEQUENCE ${table}_ids RESTART`),
  "UPDATE counters SET last = 0",
  "UPDATE inventory SET pets = 0",
  `UPDATE audit_head SET last = 0, hash = '${"0".repeat(64)}'`,
]

/** Empties the tables and fills them in one transaction. `TRUNCATE` waits for the transactions of other replicas. */
export const startOver =
  (transactions: TransactionPool): Database["startOver"] =>
  async (fill, tables) => {
    if (tables) throw new StoreUnavailable("the tables of a file need SQLite")
    return transactions.run(async (tx, send) => {
      await tx.origin.lock()
      await Promise.all(statements.map((text) => send({ text, values: [] })))
      await fill(tx)
    })
  }
