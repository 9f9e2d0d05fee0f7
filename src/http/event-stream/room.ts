import { slots } from "../../kernel/flow/slots.ts"
import { networkOf } from "../../kernel/network/ip-address.ts"
import { Problem } from "../../kernel/problem.ts"

/** How many streams one process keeps open. */
export const streamsMax = { perAccount: 10, ofAccounts: 1_000, perAddress: 20, ofStrangers: 200 } as const
const retryAfter = 10

/** Whose stream it is. */
export type Holder = { kind: "account"; id: number } | { kind: "stranger"; address: string }

/** Bounds streams: those of each holder, and those of all accounts and of all strangers. */
export function streamRoom() {
  const bounds = {
    account: { who: "account", ofOne: streamsMax.perAccount, inAll: streamsMax.ofAccounts },
    stranger: { who: "address", ofOne: streamsMax.perAddress, inAll: streamsMax.ofStrangers },
  }
  const open = { account: slots<string>(bounds.account), stranger: slots<string>(bounds.stranger) }

  return {
    /** Takes a place and returns how to give it back; throws the problem when there is none. */
    take(holder: Holder): () => void {
      const { who, ofOne, inAll } = bounds[holder.kind]
      const slot = open[holder.kind].take(
        holder.kind === "account" ? String(holder.id) : (networkOf(holder.address) ?? "unknown"),
      )
      if (slot === "one") throw new Problem("too-many-streams", `The ${who} has ${ofOne} streams open`, { retryAfter })
      if (slot === "all")
        throw new Problem("overloaded", `There are ${inAll} streams open, as many as there may be`, { retryAfter })
      return slot
    },
    open: (): number => open.account.taken() + open.stranger.taken(),
  }
}
