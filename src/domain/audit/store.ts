import type { Json } from "../../kernel/json/json.ts"
import type { Page, PageOf } from "../../kernel/page.ts"
import type { AuditEntry } from "./contract.ts"
import type { NewEntry } from "./model.ts"

/** Which entries are asked for: with this value in one field, in a stretch of time (ms, the end excluded), or all. */
export type AuditFilter = {
  by: ["account", number] | ["principal" | "action" | "thing", string] | undefined
  since: number | undefined
  until: number | undefined
}

/** The audit log: numbered from 1 without a gap, each entry with the hash of the one before. */
export type AuditStore = {
  /** Appends entries in their order; nobody else appends until the transaction ends, so do it last. `at` is in milliseconds. */
  append(entries: readonly NewEntry[], at: number): Promise<void>
  /** Entries, newest (highest id) first. Where the clock was set back, a stretch of time begins and ends at its earliest and latest entry. */
  list(filter: AuditFilter, page: Page): Promise<PageOf<Json<AuditEntry>>>
  /**
   * Removes, of the oldest `limit` entries, those from before this time (ms). Returns the number and hash of the last one
   * removed and how many there were; undefined when none.
   */
  prune(before: number, limit: number): Promise<{ through: number; hash: string; count: number } | undefined>
}
