import { eventStreamType } from "../../core/kernel/network/media-types.ts"
import { Refused } from "../client.ts"
import { readProblem } from "../read-problem.ts"
import { buildUrl } from "../request.ts"
import { retryAfterOf, waitFor } from "../retry.ts"
import { readEventStream } from "./event-stream.ts"

/** Where the stream starts; with new events when neither is given. */
export type Start = { after?: string; since?: string }
/** A streamed event: its id, and the exact body that a webhook receives. */
export type StreamedEvent = { id: string; body: string }

/** Options and dependencies of following a stream. */
export type Following = Start & {
  /** The path of the stream; that of events by default. */
  path?: string
  /** URL of the service without the base path. */
  url: string
  /** Headers with the credential. */
  headers(): Promise<Record<string, string>>
  signal: AbortSignal
  fetch?: typeof globalThis.fetch
  /** Resolves after so many milliseconds, or when the signal is aborted. */
  pause?(ms: number, signal: AbortSignal): Promise<void>
  report?(what: "connected" | "connected again" | "ended" | "lost"): void
}

const pauseMs = 2_000
const pauseMaxMs = 60_000
/** Longer than the interval of heartbeats, in milliseconds. */
const silenceMaxMs = 45_000

/**
 * Yields every event once, across reconnections, until the signal aborts. Rejects when the service refuses for good,
 * or cannot be reached the first time.
 */
export async function* followStream(following: Following): AsyncGenerator<StreamedEvent, void> {
  const { signal, pause = waitUnlessEnded, report } = following
  let lastId: string | undefined
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    let waitMs = pauseMs
    try {
      const body = await openStream(following, lastId)
      report?.(isFirst ? "connected" : "connected again")
      for await (const { id, data } of readEventStream(readBody(body.getReader()))) {
        lastId = id || lastId
        if (id && data !== undefined) yield { id, body: data }
      }
      if (!signal.aborted) report?.("ended")
    } catch (error) {
      if (signal.aborted) return
      const refused = error instanceof Refused ? error : undefined
      if (isFirst || (refused && !mayPass(refused))) throw error
      report?.("lost")
      if (refused) waitMs = waitOf(refused)
    }
    if (!signal.aborted) await pause(waitMs, signal)
  }
}

/** Opens the stream after the event `lastId`, if given. Rejects with Refused, or when the service cannot be reached. */
async function openStream(
  { url: root, path = "/events/stream", after, since, headers, signal, fetch: send = fetch }: Following,
  lastId?: string,
) {
  const url = buildUrl(root, path, {}, { after, since })
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(new DOMException("no response", "TimeoutError")), silenceMaxMs)
  const response = await send(url, {
    headers: {
      accept: eventStreamType,
      ...(await headers()),
      ...(lastId !== undefined && { "last-event-id": lastId }),
    },
    redirect: "manual",
    signal: AbortSignal.any([signal, silence.signal]),
  }).finally(() => clearTimeout(timer))
  if (response.status === 200 && response.body) return response.body
  throw new Refused(readProblem(url, response, await response.text()), response.headers, "streamEvents")
}

/** Not every browser can iterate over a body. A silent body counts as ended. */
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

/** Whether a retry may succeed. */
const mayPass = ({ status }: Refused): boolean => status === 429 || status >= 500

const waitOf = ({ headers }: Refused): number => Math.min(pauseMaxMs, retryAfterOf(headers) || pauseMs)

/** Aborting a pause is not an error. */
const waitUnlessEnded = (ms: number, signal: AbortSignal): Promise<void> => waitFor(ms, signal).catch(() => {})
