import type { Answer } from "../../kernel/endpoint.ts"
import type { Seed, sandbox } from "./contract.ts"

/** The time of a named sandbox, which can be ahead of real time. */
export type SandboxTime = {
  read(): Answer<typeof sandbox.getClock>
  /**
   * Advances to a time (ms) and does everything that becomes due on the way. Several advances take place one after the other;
   * `targetFrom` gets the time in the sandbox when its turn comes, and what it throws refuses the advance.
   */
  advance(targetFrom: (now: number) => number): Promise<Answer<typeof sandbox.advanceClock>>
  /** Returns to real time, unless the work fails. */
  inRealTime<T>(work: () => Promise<T>): Promise<T>
}

/** Copies of a named sandbox. */
export type Forks = {
  /** Makes a new sandbox as a copy of this one, for a client at this address. Returns its base URL; undefined when the name is taken. */
  make(name: string, address: string): Promise<string | undefined>
  /** Replaces this sandbox by a copy of another one; false when there is none with this name. */
  replaceBy(name: string): Promise<boolean>
}

/** The parts of a sandbox that only its own operations use. */
export type SandboxParts = {
  /** Resets its data. No operation may be running. */
  reset(seed: Seed): Promise<void>
  /** Undefined for the service's own sandbox, which has the real time. */
  time: SandboxTime | undefined
  /** Undefined for the service's own sandbox. */
  forks: Forks | undefined
}
