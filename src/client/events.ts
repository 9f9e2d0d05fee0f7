import type { EventMessage } from "../domain/events/contract.ts"
import { followStream, type Start } from "./follow.ts"
import { credentialHeaders, type PetstoreClientOptions, rootOf } from "./petstore-client.ts"

export type FollowOptions = Pick<PetstoreClientOptions, "url" | "apiKey" | "token"> &
  Start & {
    /** Ends the iteration. */
    signal?: AbortSignal
    /** In place of the global `fetch`. */
    fetch?: typeof globalThis.fetch
  }

/**
 * The events of a service as they happen (`GET /events/stream`), each once: it connects again when the connection is lost and
 * goes on behind the last one (`Last-Event-ID`). Ends when the signal is aborted; rejects with Refused.
 */
export async function* followEvents(options: FollowOptions): AsyncGenerator<{ id: string; event: EventMessage }, void> {
  const { url, signal = new AbortController().signal } = options
  const following = { ...options, url: rootOf(url), headers: () => credentialHeaders(options), signal }
  for await (const { id, body } of followStream(following)) yield { id, event: JSON.parse(body) }
}
