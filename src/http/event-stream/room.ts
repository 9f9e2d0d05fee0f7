import { networkOf } from "../../kernel/ip-address.ts"
import { Problem } from "../../kernel/problem.ts"

/** How many streams one process keeps open. */
export const streamsMax = { perAccount: 10, ofAccounts: 1_000, perAddress: 20, ofStrangers: 200 } as const
const retryAfterS = 10

/** Whose stream it is. */
export type Holder = { kind: "account"; id: number } | { kind: "stranger"; address: string }

/** Bounds streams: those of each holder, and those of all accounts and of all strangers. */
export function streamRoom() {
  const held = new Map<string, number>()
  const add = (name: string, more: 1 | -1) => {
    const count = (held.get(name) ?? 0) + more
    if (count > 0) held.set(name, count)
    else held.delete(name)
  }

  return {
    /** Takes a place and returns how to give it back; throws the problem when there is none. */
    take(holder: Holder): () => void {
      const isAccount = holder.kind === "account"
      const own = isAccount ? `account ${holder.id}` : `address ${networkOf(holder.address) ?? "unknown"}`
      const [ownMax, allMax] = isAccount
        ? [streamsMax.perAccount, streamsMax.ofAccounts]
        : [streamsMax.perAddress, streamsMax.ofStrangers]
      if ((held.get(own) ?? 0) >= ownMax)
        throw new Problem(
          "too-many-streams",
          `${isAccount ? "The account" : "The address"} has ${ownMax} streams open`,
          {
            retryAfter: retryAfterS,
          },
        )
      if ((held.get(holder.kind) ?? 0) >= allMax)
        throw new Problem("overloaded", `There are ${allMax} streams open, as many as there may be`, {
          retryAfter: retryAfterS,
        })
      const names = [own, holder.kind]
      for (const name of names) add(name, 1)
      return () => {
        for (const name of names) add(name, -1)
      }
    },
    open: (): number => (held.get("account") ?? 0) + (held.get("stranger") ?? 0),
  }
}
