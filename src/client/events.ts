import type { EventMessage } from "../domain/events/contract.ts"
import { eventStreamType } from "../kernel/network/media-types.ts"
import { Refused } from "./client.ts"
import { type Connection, followStream, type Start } from "./follow.ts"
import { credentialHeaders, type PetstoreClientOptions, rootOf } from "./petstore-client.ts"
import { readProblem } from "./problem-document.ts"
import { buildUrl } from "./request.ts"
import { waitFor } from "./retry.ts"

export type FollowOptions = Pick<PetstoreClientOptions, "url" | "apiKey" | "token"> &
  Start & {
    /** Ends the iteration. */
    signal?: AbortSignal
    /** In place of the global `fetch`. */
    fetch?: typeof globalThis.fetch
  }

/** Longer than a service that has nothing to tell stays silent. */
const silenceMaxMs = 45_000

/**
 * The events of a service as they happen (`GET /events/stream`), each once: it connects again when the connection is lost and
 * goes on behind the last one (`Last-Event-ID`). Ends when the signal is aborted; rejects with Refused.
 */
export async function* followEvents(options: FollowOptions): AsyncGenerator<{ id: string; event: EventMessage }, void> {
  const { signal = new AbortController().signal } = options
  const connect = (place: string | undefined, from: Start) => openStream({ ...options, signal }, place, from)
  for await (const { id, body } of followStream(options, { connect, pause: waitUnlessEnded, signal }))
    yield { id, event: JSON.parse(body) }
}

async function openStream(
  options: FollowOptions & { signal: AbortSignal },
  place: string | undefined,
  { after, since }: Start,
): Promise<Connection> {
  const url = buildUrl(rootOf(options.url), "/events/stream", {}, { after, since })
  const headers = {
    accept: eventStreamType,
    ...(await credentialHeaders(options)),
    ...(place !== undefined && { "last-event-id": place }),
  }
  const response = await (options.fetch ?? fetch)(url, { headers, redirect: "manual", signal: options.signal })
  const { status, body } = response
  if (status === 200 && body) return { headers: response.headers, body: readBody(body.getReader()) }
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

/** An end that comes meanwhile is no failure. */
const waitUnlessEnded = (ms: number, signal: AbortSignal): Promise<void> => waitFor(ms, signal).catch(() => {})
