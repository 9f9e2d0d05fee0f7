import type { Timings } from "../exchange/exchange.ts"

/** The value of `Server-Timing` (W3C Server Timing), in milliseconds: the parts that the request has passed, and all until now. */
export function serverTiming({ auth, limits, operation }: Timings, startedAt: number): string {
  let value = ""
  if (auth !== undefined) value = metrics.auth(auth)
  if (limits !== undefined) value += metrics.limits(limits)
  if (operation !== undefined) value += metrics.operation(operation)
  return value + metrics.total(performance.now() - startedAt)
}

/** Writes a metric. Those of a few milliseconds are looked up by hundredths, because writing a fraction takes longer. */
function metric(name: string, end = ", "): (ms: number) => string {
  const write = (hundredths: number) => `${name};dur=${hundredths / 100}${end}`
  const short = Array.from({ length: 256 }, (_, hundredths) => write(hundredths))
  return (ms) => {
    const hundredths = Math.round(ms * 100)
    return short[hundredths] ?? write(hundredths)
  }
}

const metrics = {
  auth: metric("auth"),
  limits: metric("limits"),
  operation: metric("operation"),
  total: metric("total", ""),
}
