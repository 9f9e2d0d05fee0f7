import type { HashedKind } from "../../domain/ports/hashes.ts"

/** A table of records that have a hash of what they are: of their text in `json`, or of their columns and a list of theirs. */
export type HashedTable = {
  name: string
  /** The column of the hash. */
  hash: string
  /** The version of the schema from which on records have it. */
  since: number
  /** The columns that the hash is of, besides the id, in their order. A record without them has its text in `json`. */
  columns?: readonly string[]
  /** The hash is also of the values of this column in the rows of another table, where `owner` has the id of the record. */
  list?: { table: string; owner: string; column: string }
  /** The start of a statement for a record that is restored, which ends with its id. */
  restored?: string
}

const words = (text: string): string[] => text.trim().split(/\s+/)

/** Every table of records with hashes. What changes the columns of one also stores its hash. */
export const hashedTables: Readonly<Record<HashedKind, HashedTable>> = {
  pets: { name: "pets", hash: "etag", since: 2 },
  orders: { name: "orders", hash: "text_hash", since: 32 },
  users: { name: "users", hash: "text_hash", since: 32 },
  events: { name: "events", hash: "text_hash", since: 32 },
  audit: { name: "audit", hash: "hash", since: 17 },
  accounts: { name: "accounts", hash: "text_hash", since: 33, columns: ["name", "plan"] },
  keys: {
    name: "keys",
    hash: "text_hash",
    since: 33,
    columns: words(`
      account_id user_id name scopes hash allowed_cidrs created_at expires_at ends_by rotated_at revoked_at`),
  },
  clients: {
    name: "oauth_clients",
    hash: "text_hash",
    since: 33,
    columns: words(`
      account_id user_id client_id name type redirect_uris scopes allowed_cidrs id_token_alg created_at expires_at
      secret_hash previous_secret_hash previous_secret_until`),
  },
  webhooks: {
    name: "webhooks",
    hash: "text_hash",
    since: 33,
    columns: words(`
      account_id user_id url description ordered status disabled_reason created_at deleted_at`),
    list: { table: "webhook_events", owner: "webhook_id", column: "kind" },
    // Deliveries may have become due since, which only an active webhook is.
    restored: "UPDATE webhooks SET due_at = 0 WHERE deleted_at IS NULL AND id =",
  },
}

/** The tables whose records have a hash of columns. */
export const tablesOfColumns: ReadonlySet<string> = new Set(
  Object.values(hashedTables).flatMap(({ name, columns }) => (columns ? [name] : [])),
)
