import { steadyClock } from "../../../core/kernel/clock.ts"

/** Watches a reply, which it returns. */
export type Watch = <T>(reply: Promise<T>) => Promise<T>

/** Calls `onStall` when no watched reply settles for `timeoutMs` while some are due. Replies that wait to be read count first. */
export function watchProgress(timeoutMs: number, onStall: () => void): Watch {
  let due = 0
  let progressAt = 0
  let timer: NodeJS.Timeout | undefined

  const isStalled = () => due > 0 && steadyClock.now() - progressAt >= timeoutMs
  const arm = (ms: number) => {
    timer = setTimeout(check, ms).unref()
  }

  function check(): void {
    timer = undefined
    if (due === 0) return
    if (isStalled()) setImmediate(() => (isStalled() ? onStall() : due > 0 && timer === undefined && arm(timeoutMs)))
    else arm(Math.max(1, progressAt + timeoutMs - steadyClock.now()))
  }

  function settle(): void {
    due--
    progressAt = steadyClock.now()
  }

  return (reply) => {
    if (due++ === 0) progressAt = steadyClock.now()
    if (timer === undefined) arm(timeoutMs)
    return reply.finally(settle)
  }
}
