import { timeIn } from "../../../core/kernel/clock.ts"
import { basePath, v2Path } from "../../../core/kernel/network/path.ts"
import type { FaultRule } from "./contract.ts"

/** Whether a rule has affected as many as it may, or its end has come; `now` is the time of the sandbox. */
export function isOver({ match: { times, until } = {}, count = 0 }: FaultRule, now: number): boolean {
  return (times !== undefined && count >= times) || (until !== undefined && timeIn(until) <= now)
}

/**
 * The path of a rule as one of the API: without the base paths, and without percent-encoding. `publicUrl` is that of the
 * sandbox. Undefined when the percent-encoding is malformed.
 */
export function readRulePath(text: string, publicUrl: string): string | undefined {
  const inSandbox = cutStart(text, [new URL(publicUrl).pathname.replace(/\/$/, "")])
  return decode(withoutSlash(cutStart(inSandbox, [basePath, v2Path])))
}

/** The path of a request in the same form. */
export const ownPath = (path: string): string => {
  const own = withoutSlash(cutStart(path, [basePath, v2Path]))
  return own.includes("%") ? (decode(own) ?? own) : own
}

/** Whether a request can have a path with this pattern, such as `/pet/{petId}`, and that of the rule. */
export function mayFit(pattern: string, rulePath: string): boolean {
  const isBeginning = rulePath.endsWith("*")
  const expected = (isBeginning ? rulePath.slice(0, -1) : rulePath).split("/")
  const parts = pattern.split("/")
  if (isBeginning ? parts.length < expected.length : parts.length !== expected.length) return false
  return expected.every((each, n) => {
    const part = parts[n] as string
    const isOpen = isBeginning && n === expected.length - 1
    if (part.startsWith("{")) return isOpen || each !== ""
    return isOpen ? part.startsWith(each) : part === each
  })
}

/** Whether the path of a request is that of the rule, or begins with it if that ends with an asterisk. */
export const isAtRulePath = (rulePath: string, path: string): boolean =>
  rulePath.endsWith("*") ? path.startsWith(rulePath.slice(0, -1)) : path === rulePath

function cutStart(path: string, starts: readonly string[]): string {
  const start = starts.find((each) => path === each || path.startsWith(`${each}/`) || path === `${each}*`)
  return start === undefined ? path : path.slice(start.length)
}

const withoutSlash = (path: string): string => path.replace(/(.)\/$/, "$1")

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}
