import { setTimeout as pause } from "node:timers/promises"
import { StoreUnavailable } from "../../domain/ports/store.ts"

/** How long S3 may take, in milliseconds. */
export type S3Timeouts = {
  connectMs: number
  /** From a request to the head of its response. */
  answerMs: number
  /** All attempts at sending one object together. */
  uploadMs: number
  /** All attempts at anything else. */
  totalMs: number
  /** From one piece of a body to the next. */
  pauseMs: number
}

export const s3Timeouts: S3Timeouts = {
  connectMs: 2000,
  answerMs: 5000,
  uploadMs: 20_000,
  totalMs: 15_000,
  pauseMs: 10_000,
}

/**
 * Asks S3 something; what is not answered in `totalMs` is given up. Throws StoreUnavailable for whatever S3 or the way to
 * it is to blame for.
 */
export async function ask<T>(totalMs: number, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
  // Not AbortSignal.timeout: a body may be read for longer than it took to begin.
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), totalMs)
  try {
    return await send(controller.signal)
  } catch (error) {
    throw toStoreError(error)
  } finally {
    clearTimeout(timer)
  }
}

/** The same, with undefined for the errors of S3 that have one of these names or statuses. */
export const askUnless = <T>(
  expected: readonly (string | number)[],
  totalMs: number,
  send: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> =>
  ask(totalMs, (signal) =>
    send(signal).catch((error: unknown) => {
      const { name, status } = describe(error)
      if (expected.includes(name) || (status !== undefined && expected.includes(status))) return undefined
      throw error
    }),
  )

/** Attempts at one request, with growing pauses between them. */
export const attemptsMax = 3
const firstPauseMs = 200

/** Repeats work that S3 failed at, for what the client itself does not send twice; until this time of `performance.now()`. */
export async function repeat<T>(work: () => Promise<T>, until = Number.POSITIVE_INFINITY): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await work()
    } catch (error) {
      const isOver = attempt === attemptsMax || performance.now() >= until
      if (isOver || !(error instanceof StoreUnavailable)) throw error
      await pause(firstPauseMs * 2 ** attempt * Math.random())
    }
}

type Failure = Error & { code?: string; $metadata?: { httpStatusCode?: number } }

function describe(error: unknown): { name: string; status: number | undefined } {
  const { name, $metadata } = error as Failure
  return { name, status: $metadata?.httpStatusCode }
}

const ofTheWay = ["TimeoutError", "AbortError", "CredentialsProviderError", "TokenProviderError"]

function toStoreError(error: unknown): unknown {
  const { name, status } = describe(error)
  if (status !== undefined && status < 500 && status !== 429)
    return new StoreUnavailable(`S3 refused (${status} ${name})`, { cause: error })
  const { code, $metadata } = error as Failure
  const isOurs = $metadata === undefined && code === undefined && !ofTheWay.includes(name)
  return isOurs ? error : new StoreUnavailable(`S3 did not answer (${code ?? status ?? name})`, { cause: error })
}
