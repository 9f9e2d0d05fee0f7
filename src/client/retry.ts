/** How often a request is retried, with dependencies. */
export type Retrying = {
  /** Attempts after the first one. */
  retries: number
  signal?: AbortSignal | undefined
  /** Resolves after so many milliseconds; rejects when the signal is aborted. */
  pause?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined
  /** Returns a number in [0, 1). */
  random?: (() => number) | undefined
}

const firstPauseMs = 250
const pauseMaxMs = 8_000
/** A longer `Retry-After` is left to the caller. */
const retryAfterMaxMs = 60_000

/** Statuses of temporary failures: too slow, too many requests, or temporarily unavailable. */
const passing = new Set([408, 429, 502, 503, 504])
/** The first request with this idempotency key is still running. */
const stillRunning = "idempotency-key-in-use"

/** Idempotent methods (RFC 9110 section 9.2.2). */
export const isIdempotent = (method: string): boolean => ["GET", "PUT", "DELETE"].includes(method)

/** Retries an attempt after temporary failures, with growing random pauses or after `Retry-After`. */
export async function retry<T>(attempt: () => Promise<T>, options: Retrying): Promise<T> {
  const { retries, signal, pause = waitFor, random = Math.random } = options
  for (let failures = 0; ; failures++) {
    try {
      return await attempt()
    } catch (error) {
      const pauseMs = failures < retries && !signal?.aborted ? pauseAfter(error, failures, random) : undefined
      if (pauseMs === undefined) throw error
      await pause(pauseMs, signal)
    }
  }
}

type Failure = { status?: number; code?: string; headers?: Headers }

/** The pause after a failure; undefined when a retry would not help. */
function pauseAfter(error: unknown, failures: number, random: () => number): number | undefined {
  const { status, code, headers } = error as Failure
  if (!(status === undefined ? isOfNetwork(error) : isPassing(status, code))) return undefined
  const askedMs = retryAfterOf(headers)
  if (askedMs !== undefined) return askedMs <= retryAfterMaxMs ? askedMs : undefined
  return random() * Math.min(pauseMaxMs, firstPauseMs * 2 ** failures)
}

/** Whether a retry may change this response. */
export const isPassing = (status: number, code: string | undefined): boolean =>
  passing.has(status) || code === stillRunning

/** Errors of `fetch` without a complete response: a TypeError, or the timeout of an attempt. */
const isOfNetwork = (error: unknown): boolean =>
  error instanceof TypeError || (error as Error | undefined)?.name === "TimeoutError"

/** Milliseconds of a `Retry-After` (RFC 9110 section 10.2.3), in seconds or as a date. */
export function retryAfterOf(headers: Headers | undefined): number | undefined {
  const text = headers?.get("retry-after")
  if (!text) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

export const waitFor = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(end, ms)
    signal?.addEventListener("abort", end)
    function end() {
      clearTimeout(timer)
      signal?.removeEventListener("abort", end)
      if (signal?.aborted) reject(signal.reason)
      else resolve()
    }
  })
