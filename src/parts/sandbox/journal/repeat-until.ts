import { setTimeout as sleep } from "node:timers/promises"

/** The longest wait for requests. */
export const waitMsMax = 30_000
export const waitTooLong = "must be at most 30 seconds, PT30S"
/** The least time between two attempts, in milliseconds. */
const paceMs = 20

/** Attempts again whenever `listen` tells of something new, until the outcome is final or `ended` resolves; returns the last one. */
export async function repeatUntil<T>(
  ended: Promise<unknown>,
  listen: (listener: () => void) => () => void,
  attempt: () => Promise<{ value: T; isFinal: boolean }>,
): Promise<T> {
  let isOver = false
  let told = Promise.withResolvers<void>()
  const stopListening = listen(() => told.resolve())
  void ended.then(() => {
    isOver = true
    told.resolve()
  })
  try {
    for (;;) {
      told = Promise.withResolvers()
      const isLast = isOver
      const { value, isFinal } = await attempt()
      if (isLast || isFinal) return value
      await Promise.all([told.promise, sleep(paceMs)])
    }
  } finally {
    stopListening()
  }
}
