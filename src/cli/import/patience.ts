import { Refused } from "../../client/client.ts"
import { GivenUp, type World } from "../command.ts"
import { connectionFailure } from "../failure.ts"

const pauseMaxMs = 15 * 60 * 1000
const outageMaxMs = 2 * 60 * 1000
const backoffMaxMs = 5000
const backoffMinMs = 200

/**
 * Repeats a request that may be repeated until it is answered: after `Retry-After`, or, when the service cannot be
 * reached any more, after growing pauses. All requests that go through one of these pause together. A service that never
 * answered at all is not waited for.
 */
export function patience({ clock, pause, service }: World, onPause: (ms: number, why: string) => void) {
  let resumeAt = 0
  let wave = 0
  let answeredAt: number | undefined

  const hold = (ms: number, why: string) => {
    const until = clock.now() + ms
    if (until <= resumeAt) return
    resumeAt = until
    onPause(ms, why)
  }

  return async <T>(request: () => Promise<T>): Promise<T> => {
    for (;;) {
      const wait = resumeAt - clock.now()
      if (wait > 0) await pause(wait)
      try {
        const answer = await request()
        answeredAt = clock.now()
        wave = 0
        return answer
      } catch (error) {
        const failure = connectionFailure(error, service)
        if (failure === undefined && !isPassing(error)) throw error
        if (isRateLimit(error)) answeredAt = clock.now()
        else if (failure === undefined) answeredAt ??= clock.now()
        if (answeredAt === undefined || clock.now() - answeredAt >= outageMaxMs)
          throw failure === undefined ? error : new GivenUp(failure)
        const asked = retryAfterMs(error)
        if (asked !== undefined && asked > pauseMaxMs)
          throw new GivenUp(`the service asks to be left alone for ${Math.ceil(asked / 60_000)} minutes`)
        if (clock.now() >= resumeAt) wave += 1
        hold(asked ?? backoff(wave), failure ?? (error as Error).message)
      }
    }
  }
}

/** Limits, overload, a gateway without its service, or the same request still running. */
const isPassing = (error: unknown): boolean =>
  error instanceof Refused &&
  ([429, 502, 503, 504].includes(error.problem.status) || error.problem.code === "idempotency-key-in-use")

const isRateLimit = (error: unknown): boolean => error instanceof Refused && error.problem.status === 429

function retryAfterMs(error: unknown): number | undefined {
  const seconds = error instanceof Refused ? error.headers.get("retry-after") : null
  return seconds !== null && /^\d+$/.test(seconds) ? Number(seconds) * 1000 : undefined
}

const backoff = (wave: number): number =>
  Math.min(backoffMaxMs, backoffMinMs * 2 ** Math.min(wave, 10)) * (0.5 + Math.random() / 2)
