import type { Breakage } from "../faults/contract.ts"
import type { RecordedRequest } from "../journal/contract.ts"

/** What a fault made of a response; undefined where its status tells it. */
const breakages: Readonly<Record<Breakage, string | undefined>> = {
  drop: "dropped",
  reset: "reset",
  html: undefined,
  lose: "lost",
  empty: "empty",
  truncate: "truncated",
  garbage: "garbage",
  slow: undefined,
}

/** What the client received, in a word. */
export function toOutcome({ status, fault = "" }: Pick<RecordedRequest, "status" | "fault">): string {
  const [, name] = /\bfault=(\w+)/.exec(fault) ?? []
  return breakages[name as Breakage] ?? String(status ?? "no response")
}
