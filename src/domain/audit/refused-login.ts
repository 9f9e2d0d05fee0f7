import { networkBudgets } from "../../kernel/network/ip-address.ts"
import type { Ports } from "../ports/ports.ts"
import type { Actor, Reference } from "./model.ts"

const hourMs = 60 * 60 * 1000
/** How many are written in an hour; the others are in the request log only. A stranger decides how many there are. */
const writtenMax = { byNetwork: 20, inAll: 300 }

/** Writes that a login was refused. Of a name nobody has it says nothing: it may be a password in the wrong place. */
export async function auditRefusedLogin(
  { store, attempts, clock }: Pick<Ports, "store" | "attempts" | "clock">,
  actor: Actor,
  thing: Reference | undefined,
): Promise<void> {
  const { address = "" } = actor
  const waitMs = await attempts.admit(
    [
      ...networkBudgets(address, writtenMax.byNetwork, (network) => `refused login written of ${network}`),
      { name: "refused login written", max: writtenMax.inAll },
    ],
    hourMs,
  )
  if (waitMs !== undefined) return
  await store.transaction((tx) =>
    tx.audit.append([{ ...actor, action: "login.refused", ...(thing && { thing }) }], clock.now()),
  )
}
