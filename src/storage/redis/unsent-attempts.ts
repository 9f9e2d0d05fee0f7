import { addScript } from "./attempts-scripts.ts"
import type { Run } from "./link.ts"

const namesMax = 20_000
const namesAtOnce = 100

/** Attempts of one kind that were counted in this process and are to be counted in Redis later. */
export class UnsentAttempts {
  readonly #unsent = new Map<string, { windowMs: number; moments: number[] }>()

  add(keys: readonly string[], windowMs: number, now: number): void {
    for (const key of keys) {
      const moments = this.#unsent.get(key)?.moments ?? []
      moments.push(Math.floor(now))
      this.#unsent.delete(key)
      this.#unsent.set(key, { windowMs, moments })
      if (this.#unsent.size > namesMax) this.#unsent.delete(this.#unsent.keys().next().value as string)
    }
  }

  /** Takes back the last attempt under each key. */
  forgive(keys: readonly string[]): void {
    for (const key of keys) this.#unsent.get(key)?.moments.pop()
  }

  /** Counts them in Redis; what fails is lost, or counted twice, which a guesser may not rely on. */
  async flush(run: Run): Promise<void> {
    while (this.#unsent.size > 0) {
      const sending = [...this.#unsent.entries().take(namesAtOnce)]
      for (const [key] of sending) this.#unsent.delete(key)
      await Promise.all(
        sending.map(([key, { windowMs, moments }]) => run(addScript, [key], [windowMs, JSON.stringify(moments)])),
      )
    }
  }
}
