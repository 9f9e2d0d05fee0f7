import { networkBudgets } from "../../kernel/network/ip-address.ts"
import type { Ports } from "../ports/ports.ts"
import type { Actor, Reference } from "./model.ts"

const hourMs = 60 * 60 * 1000
/** Entries per hour; the request log contains the rest. Bounded because anonymous clients cause them. */
const writtenMax = { byNetwork: 20, total: 300 }

/** Records a refused login. An unknown username is not recorded: it may be a password typed into the wrong field. */
export async function auditRefusedLogin(
  { store, attempts, clock }: Pick<Ports, "store" | "attempts" | "clock">,
  actor: Actor,
  thing: Reference | undefined,
): Promise<void> {
  const { address = "" } = actor
  const waitMs = await attempts.admit(
    [
      ...networkBudgets(address, writtenMax.byNetwork, (network) => `refused login written of ${network}`),
      { name: "refused login written", max: writtenMax.total },
    ],
    hourMs,
  )
  if (waitMs !== undefined) return
  await store.transaction((tx) =>
    tx.audit.append([{ ...actor, action: "login.refused", ...(thing && { thing }) }], clock.now()),
  )
}
