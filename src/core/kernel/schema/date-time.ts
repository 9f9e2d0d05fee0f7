/** What a text must be to be a date-time (RFC 3339), and what it lacks where it is a part of one. */
export function describeDateTime(text: unknown): string {
  const [, date, time, seconds, offset] = parts.exec(String(text)) ?? []
  const lacks = isTime(date, time)
    ? [time === undefined && "a time", time && seconds === undefined && "seconds", offset === undefined && "an offset"]
    : []
  const missing = lacks.filter((part) => part !== false && part !== undefined)
  return `must be a date-time${missing.length > 0 ? ` with ${missing.join(" and ")}` : ""}, such as 2026-01-02T03:04:05Z`
}

const parts = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/i

/** Whether a date and a time exist: `Date` alone accepts 30 February. */
function isTime(date: string | undefined, time = "00:00"): boolean {
  const at = new Date(`${date}T${time}Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(`${date}T${time}`)
}
