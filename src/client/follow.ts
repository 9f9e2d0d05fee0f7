import { Refused } from "./client.ts"
import { readEventStream } from "./event-stream.ts"

/** Where to begin; with what happens from now on when neither is given. */
export type Start = { after?: string; since?: string }
/** An event as it was told: its id, and the exact text a webhook would be sent. */
export type Told = { id: string; body: string }
/** A stream that was opened. */
export type Connection = { headers: Headers; body: AsyncIterable<Uint8Array> }

/** What following needs of its surroundings. */
type Following = {
  /** Asks for the stream, behind `place` when there is one. Rejects with Refused, or when the service cannot be reached. */
  connect(place: string | undefined, start: Start): Promise<Connection>
  /** Resolves after that many milliseconds, or when the signal is aborted. */
  pause(ms: number, signal: AbortSignal): Promise<void>
  signal: AbortSignal
  tell?(what: "connected" | "connected again" | "ended" | "lost"): void
}

const pauseMs = 2_000
const pauseMaxMs = 60_000

/**
 * Follows the events of a service, each once and none left out, however often the connection is lost, until the signal
 * is aborted. Rejects with what the service refuses for good, and when it cannot be reached the first time.
 */
export async function* followStream(
  start: Start,
  { connect, pause, signal, tell }: Following,
): AsyncGenerator<Told, void> {
  let place: string | undefined
  let from = start
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    let waitMs = pauseMs
    try {
      const { headers, body } = await connect(place, from)
      tell?.(isFirst ? "connected" : "connected again")
      // Earlier versions of the service named no place while there was no event.
      if (start.after === undefined && start.since === undefined && isFirst) from = { since: dateOf(headers) }
      for await (const { id, data } of readEventStream(body)) {
        place = id || place
        if (id && data !== undefined) yield { id, body: data }
      }
      if (!signal.aborted) tell?.("ended")
    } catch (error) {
      if (signal.aborted) return
      const refused = error instanceof Refused ? error : undefined
      if (isFirst || (refused && !mayPass(refused))) throw error
      tell?.("lost")
      if (refused) waitMs = waitOf(refused)
    }
    if (!signal.aborted) await pause(waitMs, signal)
  }
}

const dateOf = (headers: Headers): string => new Date(headers.get("date") ?? Date.now()).toISOString()

/** Whether what is refused now may be granted later. */
const mayPass = ({ status }: Refused): boolean => status === 429 || status >= 500

const waitOf = ({ headers }: Refused): number =>
  Math.min(pauseMaxMs, Number(headers.get("retry-after") ?? 0) * 1000 || pauseMs)
