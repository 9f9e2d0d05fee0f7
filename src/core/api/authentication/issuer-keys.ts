import { errors, type JWTVerifyGetKey } from "jose"
import type { Clock } from "../../kernel/clock.ts"
import { gauge, type Measured } from "../../kernel/measure.ts"
import { Problem } from "../../kernel/problem.ts"
import { keyRequests, staleMsMax } from "./issuer-requests.ts"

/** The age at which the keys are requested again. */
const keysMs = 10 * 60_000
/** The minimum interval between requests, however many tokens name an unknown key. */
const cooldownMs = 5_000
const firstPauseMs = 1_000
const pauseMsMax = 60_000
const checkMs = 1_000

export type IssuerKeys = Measured &
  Disposable & {
    /** The key that a token's header names. Throws `unavailable` when the key is unknown and the issuer does not respond. */
    find: JWTVerifyGetKey
    /** Whether the last request to the issuer failed. */
    isAway(): boolean
  }

/**
 * Keeps the keys of an issuer. One refresh at a time runs in the background, with a growing pause after each failure.
 * While the issuer does not respond, its keys are used for up to a day. `steady` is monotonic. `report` receives the
 * reason when the issuer stops responding, and undefined when it responds again.
 */
export function openIssuerKeys(
  issuer: string,
  steady: Clock,
  report: (reason: string | undefined) => void,
): IssuerKeys {
  let keys: { select: JWTVerifyGetKey; since: number } | undefined
  let refreshing: Promise<void> | undefined
  const pause = pauses(steady)
  const stopping = new AbortController()
  const requestKeys = keyRequests(issuer, steady, stopping.signal)

  const ageOf = ({ since }: { since: number }): number => steady.now() - since
  const usable = () => (keys && ageOf(keys) < staleMsMax ? keys : undefined)
  const isDue = (): boolean => pause.failures() > 0 || !keys || ageOf(keys) >= keysMs

  /** Requests the keys, unless a request is running or was made a moment ago. Never rejects. */
  function refresh(): Promise<void> {
    if (refreshing !== undefined) return refreshing
    if (pause.leftMs() > 0 || stopping.signal.aborted) return Promise.resolve()
    refreshing = requestKeys(pause.failures() > 0)
      .then(succeed, fail)
      .finally(() => {
        refreshing = undefined
      })
    return refreshing
  }

  function succeed(select: JWTVerifyGetKey): void {
    keys = { select, since: steady.now() }
    if (pause.failures() > 0) report(undefined)
    pause.succeed()
  }

  function fail(error: unknown): void {
    if (stopping.signal.aborted) return
    if (pause.failures() === 0) report(reasonOf(error))
    pause.fail()
  }

  const checking = setInterval(() => isDue() && void refresh(), checkMs).unref()
  void refresh()

  return {
    async find(header, token) {
      if (!usable()) await refresh()
      else if (isDue()) void refresh()
      const known = usable()
      if (!known) throw cannotAsk(pause.leftMs())
      try {
        return await known.select(header, token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      }
      // The issuer may have a new key.
      await refresh()
      if (pause.failures() > 0) throw cannotAsk(pause.leftMs())
      return (usable() ?? known).select(header, token)
    },
    isAway: () => pause.failures() > 0,
    metrics: [
      gauge("petstore_issuer_up", "Whether the external issuer answered the last request for its keys: 1 or 0", () =>
        Number(pause.failures() === 0),
      ),
      gauge("petstore_issuer_keys_age_seconds", "Age of the external issuer's keys; absent while unknown", () =>
        keys ? ageOf(keys) / 1000 : undefined,
      ),
    ],
    [Symbol.dispose]() {
      clearInterval(checking)
      stopping.abort()
    },
  }
}

const cannotAsk = (pauseMs: number): Problem =>
  new Problem("unavailable", "The issuer of the access token does not respond to requests for its keys", {
    retryAfter: Math.max(1, Math.ceil(pauseMs / 1000)),
  })

/** The pause before the next request: short after a success, doubled by each consecutive failure. */
function pauses(steady: Clock) {
  let failures = 0
  let endsAt = Number.NEGATIVE_INFINITY
  return {
    /** Consecutive failures. */
    failures: () => failures,
    leftMs: () => endsAt - steady.now(),
    succeed() {
      failures = 0
      endsAt = steady.now() + cooldownMs
    },
    fail() {
      endsAt = steady.now() + Math.min(pauseMsMax, firstPauseMs * 2 ** failures++)
    },
  }
}

/** The cause of a failed `fetch` holds the reason. */
const reasonOf = (error: unknown): string => {
  const { message, cause } = error as Error
  return cause instanceof Error ? `${message}: ${cause.message}` : message
}
