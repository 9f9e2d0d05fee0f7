/** Cached data became stale: a credential of the account, or its plan, was changed or revoked; or `everyAccount`. */
export type Signal = { kind: "credentials-changed"; accountId: number }

/** How caches in this process and in other replicas learn what to drop. Announce after the commit, before the response. */
export type Invalidation = {
  /** Resolves once every listener of this process was called and the other replicas were told. */
  announce(signal: Signal): Promise<void>
  /** Calls `hear` with every signal from now on; returns how to stop. */
  listen(hear: (signal: Signal) => void): () => void
  /** How long, in milliseconds, a signal may go unheard when something fails: nothing is cached for longer. */
  unheardMsMax: number
}
