import { setTimeout as pause } from "node:timers/promises"
import { StoreUnavailable } from "../../../core/domain/ports/store.ts"

export const s3Timeouts = {
  connectMs: 2000,
  /** From a request to the head of its response. */
  responseMs: 5000,
  /** All attempts at sending one object together. */
  uploadMs: 20_000,
  /** All attempts at anything else. */
  totalMs: 15_000,
  /** Between two chunks of a body. */
  pauseMs: 10_000,
}

export type S3Timeouts = typeof s3Timeouts

/** Sends a request and aborts it after `totalMs`. Throws StoreUnavailable for failures of S3 and the network. */
export async function request<T>(totalMs: number, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
  // Not AbortSignal.timeout: reading the body may take longer.
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

/** Resolves with undefined for errors of S3 with one of these names or statuses. */
export const requestUnless = <T>(
  expected: readonly (string | number)[],
  totalMs: number,
  send: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> =>
  request(totalMs, (signal) =>
    send(signal).catch((error: unknown) => {
      const { name, status } = describe(error)
      if (expected.includes(name) || (status !== undefined && expected.includes(status))) return undefined
      throw error
    }),
  )

export const attemptsMax = 3
const firstPauseMs = 200

/** Retries requests that the client does not retry itself, with growing pauses, until this time of `performance.now()`. */
export async function retryRequest<T>(work: () => Promise<T>, until = Number.POSITIVE_INFINITY): Promise<T> {
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

/** Whether S3 responded that the request is not permitted or not possible, so that repeating it is useless. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof StoreUnavailable && isFinal(describe(error.cause ?? error).status)

const isFinal = (status: number | undefined): boolean => status !== undefined && status < 500 && status !== 429

const ofTheWay = ["TimeoutError", "AbortError", "CredentialsProviderError", "TokenProviderError"]

function toStoreError(error: unknown): unknown {
  const { name, status } = describe(error)
  if (isFinal(status)) return new StoreUnavailable(`S3 refused (${status} ${name})`, { cause: error })
  const { code, $metadata } = error as Failure
  const isOurs = $metadata === undefined && code === undefined && !ofTheWay.includes(name)
  return isOurs ? error : new StoreUnavailable(`S3 did not answer (${code ?? status ?? name})`, { cause: error })
}
