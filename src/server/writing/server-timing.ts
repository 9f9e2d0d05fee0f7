import type { Exchange } from "../exchange/exchange.ts"

/** The value of `Server-Timing` (W3C Server Timing), in milliseconds: the parts that the request has passed, and all until now. */
export function serverTiming({ timings: { auth, limits, operation }, startedAt }: Exchange): string {
  let value = ""
  if (auth !== undefined) value = `${metric(names.auth, auth)}, `
  if (limits !== undefined) value += `${metric(names.limits, limits)}, `
  if (operation !== undefined) value += `${metric(names.operation, operation)}, `
  return value + metric(names.total, performance.now() - startedAt)
}

/** A name, and its metrics by hundredths of a millisecond: writing a fraction takes longer than looking it up. */
type Named = { name: string; short: readonly string[] }

const named = (name: string): Named => ({
  name,
  short: Array.from({ length: 256 }, (_, n) => `${name};dur=${n / 100}`),
})
const names = { auth: named("auth"), limits: named("limits"), operation: named("operation"), total: named("total") }

function metric({ name, short }: Named, ms: number): string {
  const hundredths = Math.round(ms * 100)
  return short[hundredths] ?? `${name};dur=${hundredths / 100}`
}
