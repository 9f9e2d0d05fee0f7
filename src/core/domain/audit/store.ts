import type { Page, PageOf } from "../../kernel/endpoint/page.ts"
import type { Examined } from "../../kernel/examined.ts"
import type { Json } from "../../kernel/json/json.ts"
import type { AuditEntry } from "./contract.ts"
import type { AuditFilter, NewEntry } from "./model.ts"

/** The audit log: numbered from 1 without gaps, each entry with the hash of the previous one. */
export type AuditStore = {
  /** Appends entries in order. Blocks other appends until the transaction ends, so call it last. `at` is in milliseconds. */
  append(entries: readonly NewEntry[], at: number): Promise<void>
  /** Entries, newest (highest id) first. Where the clock was set back, a time range spans its earliest to its latest entry. */
  list(filter: AuditFilter, page: Page): Promise<PageOf<Json<AuditEntry>>>
  /** Compares up to `limit` entries after the id `after` with their hashes and with the entry before each. */
  examine(after: number, limit: number): Promise<Examined>
  /**
   * Removes, of the oldest `limit` entries, those from before this time (ms). Returns the number and hash of the last one
   * removed and how many there were; undefined when none.
   */
  prune(before: number, limit: number): Promise<{ through: number; hash: string; count: number } | undefined>
}
