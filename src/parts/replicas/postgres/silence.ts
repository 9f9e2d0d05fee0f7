import { setTimeout as sleep } from "node:timers/promises"
import { StoreUnavailable } from "../../../core/domain/ports/store.ts"
import type { Primary } from "./primary.ts"

/** Without a reply for so long, a connection of its own asks whether the server responds. */
const silenceMs = 2_000
const checkMs = 500

/**
 * Knows whether the server responds to anything. While it does not, new work is refused instead of each waiting for its own
 * timeout. A slow statement alone is no silence: other replies, or the probe, show that the server responds.
 */
export class Silence {
  readonly #primary: Primary
  readonly #timer: NodeJS.Timeout
  #waiting = 0
  #heardAt = 0
  #isProbing = false
  #isSilent = false

  constructor(primary: Primary) {
    this.#primary = primary
    this.#timer = setInterval(() => void this.#check(), checkMs).unref()
  }

  /** Throws StoreUnavailable while the server is silent. Call it before new work. */
  refuse(): void {
    if (this.#isSilent) throw new StoreUnavailable("the database does not respond")
  }

  /** Waits for a reply of the server, or for a connection to it. */
  async listen<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#waiting++ === 0) this.#heardAt = performance.now()
    try {
      const reply = await ask()
      this.#heardAt = performance.now()
      return reply
    } finally {
      this.#waiting--
    }
  }

  close(): void {
    clearInterval(this.#timer)
  }

  async #check(): Promise<void> {
    const isQuiet = this.#waiting > 0 && performance.now() - this.#heardAt > silenceMs
    if (this.#isProbing || !(isQuiet || this.#isSilent)) return
    this.#isProbing = true
    this.#isSilent = !(await this.#responds())
    this.#isProbing = false
  }

  async #responds(): Promise<boolean> {
    const asked = performance.now()
    const reply = this.#ask()
    const hasReplied = await Promise.race([reply, sleep(silenceMs, false, { ref: false })])
    // A refusal is a reply too, which statements report with its reason.
    if (hasReplied) this.#heardAt = performance.now()
    return hasReplied || this.#heardAt > asked
  }

  async #ask(): Promise<true> {
    const client = await this.#primary.connect().catch(() => undefined)
    await client?.query("SELECT 1").catch(() => undefined)
    void client?.end().catch(() => undefined)
    return true
  }
}
