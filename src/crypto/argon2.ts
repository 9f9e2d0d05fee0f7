import { hash, verify } from "@node-rs/argon2"
import type { Passwords } from "../domain/ports.ts"
import { Problem } from "../kernel/problem.ts"

/** Each one holds 19 MiB and a thread of the pool that files and name look-ups need too. */
const atOnceMax = 2
const waitingMax = 200
const retryAfter = 2

/** What OWASP recommends as the least for argon2id (RFC 9106). */
const recommended = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** KiB of memory, passes over them, and lanes. */
export type HashingCost = typeof recommended

/** Passwords under argon2id; `costs` are for tests, which hash many. */
export function argon2Passwords(costs: HashingCost = recommended): Passwords {
  const waiting: (() => void)[] = []
  let running = 0

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (waiting.length >= waitingMax)
      throw new Problem("unavailable", "Too many passwords are being checked at once", { retryAfter })
    if (running >= atOnceMax) await new Promise<void>((start) => waiting.push(start))
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }

  const hashed = (password: string) => inTurn(() => hash(oneForm(password), costs))
  let nobody: Promise<string> | undefined

  return {
    hash: hashed,
    async matches(password, stored) {
      if (stored !== undefined) return inTurn(() => verify(stored, oneForm(password)))
      nobody ??= hash("", costs)
      const decoy = await nobody
      await inTurn(() => verify(decoy, oneForm(password)))
      return false
    },
  }
}

/** Keyboards differ in how they compose the same character (RFC 8265, section 4.2.2). */
const oneForm = (password: string): string => password.normalize("NFC")
