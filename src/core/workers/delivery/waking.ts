import type { Change, Database } from "../../domain/ports/store.ts"
import { type Awaitable, andThen } from "../../kernel/flow/awaitable.ts"

const pollMs = 1000
/** How soon to retry for the capacity that running attempts leave when they become slow. */
const shortOfCapacityMs = 100

/** Calls `wake` when deliveries may have become due: after a commit, every second, and when capacity may be free again. */
export function wakingOf(store: Database, wake: () => void) {
  /** Queries for listening webhooks that storage has not answered yet. */
  const asking = new Set<Promise<unknown>>()
  let stopListening = () => {}
  let polling: NodeJS.Timeout | undefined
  let soon: NodeJS.Timeout | undefined

  /** Without a listening webhook, events are published every second and by readers of the feed, not after each commit. */
  function handleCommit(changes: ReadonlySet<Change>): void {
    const asked = andThen(wake, changes.has("delivery-due") || anyListens(store), (_, isWanted) => isWanted && wake())
    if (!(asked instanceof Promise)) return
    asking.add(asked)
    void asked.then(() => asking.delete(asked))
  }

  return {
    /** Running queries that may still wake. */
    asking: asking as ReadonlySet<Promise<unknown>>,
    start(): void {
      stopListening = store.onCommit(handleCommit)
      polling = setInterval(wake, pollMs)
      wake()
    },
    soon(): void {
      soon ??= setTimeout(() => {
        soon = undefined
        wake()
      }, shortOfCapacityMs)
    },
    close(): void {
      stopListening()
      clearInterval(polling)
      clearTimeout(soon)
    },
  }
}

/** If storage fails, delivery looks for work, and logs the failure. */
function anyListens(store: Database): Awaitable<boolean> {
  try {
    const response = store.webhooks.anyListens()
    return response instanceof Promise ? response.catch(() => true) : response
  } catch {
    return true
  }
}
