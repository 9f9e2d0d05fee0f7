import type { Exchange } from "../exchange/exchange.ts"

/** The value of `Server-Timing` (W3C Server Timing), in milliseconds: the parts that the request has passed, and all until now. */
export function serverTiming({ timings: { auth, limits, operation }, startedAt }: Exchange): string {
  let value = ""
  if (auth !== undefined) value += `auth;dur=${rounded(auth)}, `
  if (limits !== undefined) value += `limits;dur=${rounded(limits)}, `
  if (operation !== undefined) value += `operation;dur=${rounded(operation)}, `
  return `${value}total;dur=${rounded(performance.now() - startedAt)}`
}

const rounded = (ms: number): number => Math.round(ms * 100) / 100
