import { visible } from "../kernel/visible.ts"

type Destination = { write(text: string): unknown; flush(done?: () => void): void; flushSync(): void }

/** Formats JSON lines as text for people: time, level unless it is info, message, and the rest as `name=value`. */
export const textLines = (destination: Destination): Destination => ({
  ...destination,
  write: (line) => destination.write(formatLine(line)),
})

const levels: Record<number, string> = { 20: "DEBUG ", 40: "WARN ", 50: "ERROR ", 60: "FATAL " }

export function formatLine(line: string): string {
  const { level, time, msg, err, ...facts } = JSON.parse(line) as Record<string, unknown> & { err?: { stack?: string } }
  const happened = msg === undefined ? formatRequest(facts) : String(msg)
  const rest = Object.entries(facts).map(([name, value]) => `${name}=${formatValue(value)}`)
  const clock = String(time).slice(11, 23)
  const stack = err?.stack === undefined ? "" : `\n${err.stack.split("\n").map(visible).join("\n")}`
  return `${[`${clock} ${levels[level as number] ?? ""}${visible(happened)}`, ...rest].join(" ")}${stack}\n`
}

/** Formats the fields that every request has, and removes them from `facts`. */
function formatRequest(facts: Record<string, unknown>): string {
  const { "http.request.method": method, "url.path": path, "http.response.status_code": status, durationMs } = facts
  if (method === undefined) {
    const { delivery } = facts
    delete facts.delivery
    return `delivery ${delivery}`
  }
  for (const name of ["http.request.method", "url.path", "http.response.status_code", "durationMs"]) delete facts[name]
  return `${method} ${path} ${status} ${durationMs} ms`
}

/** A word without quotes, anything else as JSON. */
const formatValue = (value: unknown): string =>
  visible(typeof value === "string" && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value))
