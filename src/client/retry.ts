/** How often a request is repeated, and what decides when. */
export type Retrying = {
  /** Attempts after the first one. */
  retries: number
  signal?: AbortSignal | undefined
  /** Resolves after that many milliseconds; rejects when the signal is aborted. */
  pause?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined
  /** From 0 to 1. */
  random?: (() => number) | undefined
}

const firstPauseMs = 250
const pauseMaxMs = 8_000
/** A `Retry-After` beyond this is left to the caller, who may have something better to do. */
const retryAfterMaxMs = 60_000

/** Statuses that another attempt may change: too slow, too many, or a service or proxy that cannot now. */
const passing = new Set([408, 429, 502, 503, 504])
/** The first request with this idempotency key is still running. */
const stillRunning = "idempotency-key-in-use"

/** Methods that mean the same however often they arrive (RFC 9110 section 9.2.2). */
export const isIdempotent = (method: string): boolean => ["GET", "PUT", "DELETE"].includes(method)

/** Repeats an attempt that failed in passing, with growing pauses of random length or as long as `Retry-After` asks. */
export async function retry<T>(attempt: () => Promise<T>, given: Retrying): Promise<T> {
  const { retries, signal, pause = waitFor, random = Math.random } = given
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

/** How long to wait after a failure; undefined when another attempt would not help. */
function pauseAfter(error: unknown, failures: number, random: () => number): number | undefined {
  const { status, code, headers } = error as Failure
  if (!(status === undefined ? isOfNetwork(error) : isPassing(status, code))) return undefined
  const askedMs = retryAfterOf(headers)
  if (askedMs !== undefined) return askedMs <= retryAfterMaxMs ? askedMs : undefined
  return random() * Math.min(pauseMaxMs, firstPauseMs * 2 ** failures)
}

/** Whether another attempt may change this response. */
export const isPassing = (status: number, code: string | undefined): boolean =>
  passing.has(status) || code === stillRunning

/** What `fetch` rejects with when no whole response came: a TypeError, or the end of an attempt's time. */
const isOfNetwork = (error: unknown): boolean =>
  error instanceof TypeError || (error as Error | undefined)?.name === "TimeoutError"

/** Milliseconds of a `Retry-After`, in seconds or as a date (RFC 9110 section 10.2.3). */
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
