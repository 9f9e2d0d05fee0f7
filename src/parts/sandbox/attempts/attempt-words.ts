import type { RecordedRequest } from "../journal/contract.ts"
import type { RequestChange } from "./contract.ts"

const namedMax = 10

/** "3 attempts: 503, lost, 200 · bodies equal · keys equal · waited 1.0 s, 2.3 s"; undefined of a request that was sent once. */
export function describeAttempts({ attempts = [], bodiesEqual, keysEqual }: RecordedRequest): string | undefined {
  if (attempts.length < 2) return undefined
  const waits = attempts.slice(1).map(({ waitedMs = 0 }) => `${(waitedMs / 1000).toFixed(1)} s`)
  return [
    `${attempts.length} attempts: ${listed(attempts.map(({ outcome }) => outcome))}`,
    ...(bodiesEqual === undefined ? [] : [`bodies ${bodiesEqual ? "equal" : "differ"}`]),
    ...(keysEqual === undefined ? [] : [`keys ${keysEqual ? "equal" : "differ"}`]),
    `waited ${listed(waits)}`,
  ].join(" · ")
}

const listed = (texts: readonly string[]): string =>
  texts.length <= namedMax
    ? texts.join(", ")
    : `${texts.slice(0, namedMax).join(", ")} and ${texts.length - namedMax} more`

export const describeChange = ({ pointer, before, after }: RequestChange): string =>
  before === undefined && after === undefined
    ? `${pointer} differs`
    : `${pointer}: ${before ?? "none"} → ${after ?? "none"}`
