import { hash, verify } from "@node-rs/argon2"
import type { Passwords } from "../domain/ports/passwords.ts"
import { gauge, type Measured } from "../kernel/measure.ts"
import { Problem } from "../kernel/problem.ts"

/** Each hash takes 19 MiB and a thread of the pool that files and DNS lookups share. */
const atOnceMax = 2
const waitingMax = 200
const retryAfter = 2

/** The minimum OWASP recommends for argon2id (RFC 9106). */
const recommended = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** KiB of memory, passes over them, and lanes. */
export type HashingCost = typeof recommended

/** Hashes passwords with argon2id; tests, which hash many, pass lower `costs`. */
export function argon2Passwords(costs: HashingCost = recommended): Passwords & Measured {
  const waiting: (() => void)[] = []
  let running = 0

  async function run<T>(work: () => Promise<T>): Promise<T> {
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

  let decoy: Promise<string> | undefined

  return {
    hash: (password, salt) => run(() => hash(normalize(password), { ...costs, ...(salt && { salt }) })),
    async matches(password, stored) {
      decoy ??= hash("", costs)
      const against = stored ?? (await decoy)
      return (await run(() => verify(against, normalize(password)))) && stored !== undefined
    },
    metrics: [gauge("petstore_passwords_waiting", "Passwords waiting to be hashed", () => waiting.length)],
  }
}

/** Keyboards compose the same character in different ways (RFC 8265, section 4.2.2). */
const normalize = (password: string): string => password.normalize("NFC")
