import { setTimeout as sleep } from "node:timers/promises"

/** Why an operation is refused in the service's own sandbox. */
export const ofNamed =
  "The service's own sandbox has the real time and keeps its data. Name another one: /s/NAME, or Petstore-Sandbox: NAME"

export type SandboxBounds = typeof sandboxBounds

export const mebibyte = 1024 * 1024
export const sandboxBounds = {
  max: 100,
  /** Per client address (an IPv6 /64 counts as one), and per address that is exempt from limits. */
  ofAddressMax: 10,
  ofExemptMax: 100,
  bytesMax: 1024 * mebibyte,
  idleMs: 3_600_000,
  /** A sandbox used within this time is not evicted for others of the same address. */
  replaceableMs: 60_000,
  sweepMs: 60_000,
  /** How long a stop takes at most to keep them for the next start; with 0 it keeps none. */
  keepingMs: 5_000,
  /** Resolves when an advance of the clock has taken its time; a receiver of webhooks can delay each attempt by 15 seconds. */
  limitAdvance: (ended: AbortSignal): Promise<unknown> => sleep(30_000, undefined, { ref: false, signal: ended }),
}

export type MsBounds = { min: number; max: number; requirement: string }

/** How long a sandbox can be without a request before it is deleted. */
export const idleBounds: MsBounds = {
  min: 60_000,
  max: 86_400_000,
  requirement: "must be at least a minute, PT1M, and at most a day, P1D",
}

/** The times that a sandbox can have. */
export const startBounds: MsBounds = {
  min: Date.UTC(2000, 0),
  max: Date.UTC(2100, 0) - 1,
  requirement: "must be in the years 2000 to 2099",
}

/** The bytes that named sandboxes hold together where their files count as memory: the process needs most of it itself. */
export const bytesWithin = (memoryBytes: number): number =>
  Math.min(sandboxBounds.bytesMax, Math.floor(memoryBytes / 4))
