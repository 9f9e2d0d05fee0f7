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

/** Events as they happen (`GET /events/stream`), each once. Reconnects with `Last-Event-ID`; ends with the signal; rejects with Refused. */
export async function* followEvents(options: FollowOptions): AsyncGenerator<{ id: string; event: EventMessage }, void> {
  const { url, signal = new AbortController().signal } = options
  const following = { ...options, url: rootOf(url), headers: () => credentialHeaders(options), signal }
  for await (const { id, body } of followStream(following)) yield { id, event: JSON.parse(body) }
}
