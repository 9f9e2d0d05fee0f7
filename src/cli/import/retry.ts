import { Refused } from "../../client/client.ts"
import { isPassing, retryAfterOf } from "../../client/retry.ts"
import { counted } from "../../core/kernel/counted.ts"
import { RetriesExhausted, type Service, type World } from "../command/command.ts"
import { explainConnection } from "../output/failure.ts"

const pauseMaxMs = 15 * 60 * 1000
const outageMaxMs = 2 * 60 * 1000
const backoffMaxMs = 5000
const backoffMinMs = 200

type RetryWorld = Pick<World, "clock" | "pause" | "interrupted"> & { service: Pick<Service, "url" | "isLocal"> }

/**
 * Creates a function that retries an idempotent request: after `Retry-After`, or with exponential backoff when the service
 * becomes unreachable. All requests of the function pause together. It does not wait for a service that has never responded.
 */
export function createRetry(
  { clock, pause, service, interrupted }: RetryWorld,
  onPause: (ms: number, why: string) => void,
) {
  let resumeAt = 0
  let failures = 0
  let respondedAt: number | undefined

  const hold = (ms: number, why: string) => {
    const until = clock.now() + ms
    if (until <= resumeAt) return
    resumeAt = until
    onPause(ms, why)
  }

  return async <T>(request: () => Promise<T>): Promise<T> => {
    for (;;) {
      const wait = resumeAt - clock.now()
      if (wait > 0) await pause(wait, interrupted)
      interrupted.throwIfAborted()
      try {
        const response = await request()
        respondedAt = clock.now()
        failures = 0
        return response
      } catch (error) {
        const failure = explainConnection(error, service)
        const refused = error instanceof Refused ? error : undefined
        if (failure === undefined && !(refused && isPassing(refused.status, refused.code))) throw error
        if (refused?.status === 429) respondedAt = clock.now()
        else if (refused) respondedAt ??= clock.now()
        if (respondedAt === undefined || clock.now() - respondedAt >= outageMaxMs)
          throw failure === undefined ? error : new RetriesExhausted(failure)
        const retryAfterMs = retryAfterOf(refused?.headers)
        if (retryAfterMs !== undefined && retryAfterMs > pauseMaxMs)
          throw new RetriesExhausted(
            `the service requires a wait of ${counted(Math.ceil(retryAfterMs / 60_000), "minute")}`,
          )
        if (clock.now() >= resumeAt) failures += 1
        hold(retryAfterMs ?? backoff(failures), failure ?? (error as Error).message)
      }
    }
  }
}

const backoff = (failures: number): number =>
  Math.min(backoffMaxMs, backoffMinMs * 2 ** Math.min(failures, 10)) * (0.5 + Math.random() / 2)
