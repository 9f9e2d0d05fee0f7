/** A clock that a test advances, compared with real time. */
type Clock = { aheadSeconds: number; frozen: boolean }

const units = [
  ["d", 86_400],
  ["h", 3600],
  ["min", 60],
  ["s", 1],
] as const

/** `+1 d`, `frozen`, `-2 h, frozen`, or `real time`. */
export function describeClock({ aheadSeconds, frozen }: Clock): string {
  const [unit, seconds] = units.find(([, size]) => Math.abs(aheadSeconds) >= size) ?? ["s", 1]
  const count = Math.round(Math.abs(aheadSeconds) / seconds)
  const ahead = count === 0 ? [] : [`${aheadSeconds < 0 ? "-" : "+"}${count} ${unit}`]
  return [...ahead, ...(frozen ? ["frozen"] : [])].join(", ") || "real time"
}

/** Whether a value of a response is such a clock. */
export const isClock = (value: object): value is Clock => "aheadSeconds" in value && "frozen" in value
