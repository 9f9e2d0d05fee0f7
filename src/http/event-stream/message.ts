import { placeIdOf } from "../../domain/events/rules.ts"
import type { PublishedEvent } from "../../domain/events/store.ts"

/** How long a client waits before it connects again. */
const retryMs = 2_000

/** An event as one message (WHATWG HTML section 9.2.5). All kinds are of one type, so that a handler misses no later one. */
export const eventMessage = ({ id, json }: PublishedEvent): string => `id: ${id}\ndata: ${json}\n\n`

/** What a stream begins with: a client that has received nothing goes on from here when it connects again. */
export const opening = (after: number): string => `retry: ${retryMs}\n${place(after)}\n`

/** A comment that keeps the connection open, and the place from which to go on. */
export const heartbeat = (after: number): string => `: nothing new\n${place(after)}\n`

/** An id without data makes no event; it is what `Last-Event-ID` says next. */
const place = (after: number): string => `id: ${placeIdOf(after)}\n`
