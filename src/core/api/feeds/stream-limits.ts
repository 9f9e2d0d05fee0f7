import { slots } from "../../kernel/flow/slots.ts"
import { networkOf } from "../../kernel/network/ip-address.ts"
import { Problem } from "../../kernel/problem.ts"

/** The maximum of open streams in one process. */
export const streamsMax = { perAccount: 10, ofAccounts: 1_000, perAddress: 20, ofAnonymous: 200 } as const
const retryAfter = 10

/** Bounds streams per client, and of all accounts and all anonymous clients. */
export function createStreamLimits() {
  const bounds = {
    account: { who: "account", perKey: streamsMax.perAccount, total: streamsMax.ofAccounts },
    anonymous: { who: "address", perKey: streamsMax.perAddress, total: streamsMax.ofAnonymous },
  }
  const open = { account: slots<string>(bounds.account), anonymous: slots<string>(bounds.anonymous) }

  return {
    /**
     * Reserves a stream of an account, or of the address of an anonymous client, and returns how to release it; throws the problem when
     * the limit is reached.
     */
    take(holder: number | string): () => void {
      const kind = typeof holder === "number" ? "account" : "anonymous"
      const { who, perKey, total } = bounds[kind]
      const slot = open[kind].take(typeof holder === "number" ? String(holder) : (networkOf(holder) ?? "unknown"))
      if (slot === "one") throw new Problem("too-many-streams", `The ${who} has ${perKey} streams open`, { retryAfter })
      if (slot === "all")
        throw new Problem("overloaded", `There are ${total} streams open, the maximum`, { retryAfter })
      return slot
    },
    open: (): number => open.account.taken() + open.anonymous.taken(),
  }
}
