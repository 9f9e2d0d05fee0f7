import type { Clock } from "../../core/kernel/clock.ts"
import { counted } from "../../core/kernel/counted.ts"
import type { Terminal } from "../command/command.ts"

const firstDrawnMs = 1000
const redrawMs = 100
const plainLineMs = 5000
/** A rate over a shorter time, or at the first drawing, may be that of a part of a request. */
const measuredMs = 2000
const barWidth = 20

/** Progress output: on a terminal a line from the first second on, which is redrawn, otherwise a line every few seconds. */
export type ProgressOutput = {
  /** `passed` units are done, `worked` of them in this run. */
  update(passed: number, worked: number): void
  /** Writes a message above the progress line. */
  say(text: string): void
  end(): void
}

/** Of a stage, `what` precedes the progress, and `unit` follows the numbers. */
export function openProgress(
  { err, redraw, isTerminal }: Terminal,
  clock: Clock,
  total: number | undefined,
  stage?: { what: string; unit: string },
): ProgressOutput {
  const startedAt = clock.now()
  let drawnAt: number | undefined
  let drawn = ""
  const clear = () => {
    if (isTerminal && drawn !== "") redraw("")
    drawn = ""
  }
  return {
    update(passed, worked) {
      const now = clock.now()
      const isFirst = drawnAt === undefined
      const waitMs = isTerminal ? (isFirst ? firstDrawnMs : redrawMs) : plainLineMs
      if (now < (drawnAt ?? startedAt) + waitMs) return
      drawnAt = now
      const rate = isFirst || now - startedAt < measuredMs ? undefined : worked / ((now - startedAt) / 1000)
      drawn = [
        ...(stage ? [stage.what] : []),
        ...(isTerminal && total ? [drawBar(passed / total)] : []),
        total === undefined
          ? counted(passed, "line")
          : `${formatNumber(passed)} of ${formatNumber(total)}${stage ? ` ${stage.unit}` : ""}`,
        ...(rate === undefined ? [] : [`${formatNumber(Math.round(rate))}/s`]),
        ...(total !== undefined && rate ? [`${formatDuration((total - passed) / rate)} left`] : []),
      ].join("  ")
      if (isTerminal) redraw(drawn)
      else err(`${drawn}\n`)
    },
    say(text) {
      clear()
      err(text)
    },
    end: clear,
  }
}

const drawBar = (part: number): string => {
  const full = Math.round(Math.min(1, part) * barWidth)
  return "█".repeat(full) + "░".repeat(barWidth - full)
}

export const formatNumber = (number: number): string => number.toLocaleString("en")

export function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
