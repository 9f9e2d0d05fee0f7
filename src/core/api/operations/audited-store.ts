// Decision: docs/decisions/audit.md#entries-are-written-at-the-end-of-a-transaction

import type { AuditAction } from "../../domain/audit/actions.ts"
import type { Actor, Details, NewEntry, Reference } from "../../domain/audit/model.ts"
import type { Store } from "../../domain/ports/store.ts"
import type { Clock } from "../../kernel/clock.ts"

/** Details of a noted action, and the actor where that is not the caller. */
type More = { details?: Details; by?: Omit<Actor, "address" | "requestId"> }

/**
 * A store whose transactions end by writing the actions noted in them to the audit log. An append locks the log until
 * its transaction ends, so it comes last.
 */
export function auditedStore(store: Store, actor: Actor, clock: Clock) {
  let noted: NewEntry[] | undefined

  const transaction: Store["transaction"] = (work) =>
    store.transaction(async (tx) => {
      noted = []
      try {
        const result = await work(tx)
        if (noted.length > 0) await tx.audit.append(noted, clock.now())
        return result
      } finally {
        noted = undefined
      }
    })

  function audit(action: AuditAction, thing: Reference, { by, details }: More = {}): void {
    if (!noted) throw new Error(`${action} was noted outside a transaction`)
    noted.push({ ...actor, ...by, action, thing, ...(details && Object.keys(details).length > 0 && { details }) })
  }

  return { store: { ...store, transaction }, audit }
}
