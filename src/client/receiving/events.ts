import type { EventMessage } from "../../core/domain/events/contract.ts"
import { credentialHeaders, type PetstoreClientOptions, serviceRootOf } from "../petstore-client.ts"
import { followStream, type Start } from "./follow.ts"

export type FollowOptions = Pick<PetstoreClientOptions, "url" | "apiKey" | "token"> &
  Start & {
    /** Ends the iteration. */
    signal?: AbortSignal
    /** Replaces the global `fetch`. */
    fetch?: typeof globalThis.fetch
  }

/** Yields events as they occur (`GET /events/stream`), each once, across reconnections until the signal aborts. Rejects with Refused. */
export async function* followEvents(options: FollowOptions): AsyncGenerator<{ id: string; event: EventMessage }, void> {
  const { url, signal = new AbortController().signal } = options
  const following = { ...options, url: serviceRootOf(url), headers: () => credentialHeaders(options), signal }
  for await (const { id, body } of followStream(following)) yield { id, event: JSON.parse(body) }
}
