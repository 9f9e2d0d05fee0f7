import { eventStreamType } from "../kernel/network/media-types.ts"
import { Refused } from "./client.ts"
import { readEventStream } from "./event-stream.ts"
import { readProblem } from "./problem-document.ts"
import { buildUrl } from "./request.ts"
import { retryAfterOf, waitFor } from "./retry.ts"

/** Where to begin; with what happens from now on when neither is given. */
export type Start = { after?: string; since?: string }
/** An event as it was told: its id, and the exact text a webhook would be sent. */
export type Told = { id: string; body: string }

/** What following needs of its surroundings. */
export type Following = Start & {
  /** Where the service is, without the base path. */
  url: string
  /** What sends the credential. */
  headers(): Promise<Record<string, string>>
  signal: AbortSignal
  fetch?: typeof globalThis.fetch
  /** Resolves after that many milliseconds, or when the signal is aborted. */
  pause?(ms: number, signal: AbortSignal): Promise<void>
  tell?(what: "connected" | "connected again" | "ended" | "lost"): void
}

const pauseMs = 2_000
const pauseMaxMs = 60_000
/** Longer than a service that has nothing to tell stays silent. */
const silenceMaxMs = 45_000

/**
 * Yields every event once, across reconnections, until the signal aborts. Rejects when the service refuses for good,
 * or cannot be reached the first time.
 */
export async function* followStream(following: Following): AsyncGenerator<Told, void> {
  const { after, since, signal, pause = waitUnlessEnded, tell } = following
  let from: Start = following
  let place: string | undefined
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    let waitMs = pauseMs
    try {
      const { headers, body } = await openStream(following, from, place)
      tell?.(isFirst ? "connected" : "connected again")
      // Earlier versions of the service named no place while there was no event.
      if (after === undefined && since === undefined && isFirst) from = { since: dateOf(headers) }
      for await (const { id, data } of readEventStream(readBody(body.getReader()))) {
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

/** Asks for the stream, behind `place` when there is one. Rejects with Refused, or when the service cannot be reached. */
async function openStream({ url: root, headers, signal, fetch: send = fetch }: Following, from: Start, place?: string) {
  const url = buildUrl(root, "/events/stream", {}, { after: from.after, since: from.since })
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(new DOMException("no response", "TimeoutError")), silenceMaxMs)
  const response = await send(url, {
    headers: { accept: eventStreamType, ...(await headers()), ...(place !== undefined && { "last-event-id": place }) },
    redirect: "manual",
    signal: AbortSignal.any([signal, silence.signal]),
  }).finally(() => clearTimeout(timer))
  if (response.status === 200 && response.body) return { headers: response.headers, body: response.body }
  throw new Refused(readProblem(url, response, await response.text()), response.headers, "streamEvents")
}

/** Not every browser iterates over a body itself. A body that is silent for too long has ended. */
async function* readBody(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const timer = setTimeout(() => reader.cancel(), silenceMaxMs)
      const { done, value } = await reader.read().finally(() => clearTimeout(timer))
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

const dateOf = (headers: Headers): string => new Date(headers.get("date") ?? Date.now()).toISOString()

/** Whether what is refused now may be granted later. */
const mayPass = ({ status }: Refused): boolean => status === 429 || status >= 500

const waitOf = ({ headers }: Refused): number => Math.min(pauseMaxMs, retryAfterOf(headers) || pauseMs)

/** An end that comes meanwhile is no failure. */
const waitUnlessEnded = (ms: number, signal: AbortSignal): Promise<void> => waitFor(ms, signal).catch(() => {})
